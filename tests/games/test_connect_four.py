"""Connect-4 on two integers: rules, kernels and playouts against slow ones; speed."""

from functools import cache

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import connect_four as c4
from five_in_a_row import connect_grid
from five_in_a_row.connect_four import (
    bits_of,
    drop,
    four_game,
    four_rules,
    has_four,
)
from five_in_a_row.game import Game
from five_in_a_row.search import DRAWN, OPEN, WON, SearchOptions
from references import WAYS

GRIDS = [(6, 7), (4, 4), (8, 7), (4, 12)]


def slow_bits(cells, colour):
    """Return the stones of one colour as an integer, from the drawing in Grid's words."""
    height, found = cells.shape[0] + 1, 0
    for row in range(cells.shape[0]):
        for col in range(cells.shape[1]):
            if cells[row, col] == colour:
                found += 2 ** (col * height + row)
    return found


def slow_landings(cells):
    """Return {column: row where a stone lands}, by falling from the top."""
    found = {}
    for col in range(cells.shape[1]):
        empty = [row for row in range(cells.shape[0]) if cells[row, col] == 0]
        if empty:
            found[col] = min(empty)
    return found


@cache
def windows(rows, columns):
    """Return every four cells in a row as indices of the flat grid, int[windows, 4]."""
    found = []
    for row in range(rows):
        for col in range(columns):
            for d_row, d_col in WAYS:
                if row + 3 * d_row < rows and 0 <= col + 3 * d_col < columns:
                    cells = [(row + i * d_row, col + i * d_col) for i in range(4)]
                    found.append([r * columns + c for r, c in cells])
    return np.array(found)


def winners_of(cells):
    """Return the set of colours that have four in a row, by looking at every window."""
    sums = cells.ravel()[windows(*cells.shape)].sum(axis=1)
    return {colour for colour in (1, -1) if 4 * colour in sums}


def random_game(rules, rng, plies):
    """Return a game after that many random moves, fewer if it ends before."""
    game = Game(rules)
    while len(game.played) < plies and not game.over:
        game.play(int(rng.choice(game.legal())))
    return game


def unfinished(rules, rng, plies):
    """Return a random game of that many moves that is not over."""
    while True:
        game = random_game(rules, rng, plies)
        if not game.over:
            return game


def record_of(game, seed=1):
    """Return a search record on the game's position, ready to play on."""
    kernels = four_game(game.rules.height, game.rules.size)
    workspace = five.search.new_search(kernels, game, seed)
    kernels.reset(workspace)
    return kernels, workspace


def test_random_games_agree_with_a_slow_scan_of_every_window(full):
    """Game, kernels and slow scan side by side, move by move, to the end."""
    rules, options, kernels = four_rules(), SearchOptions(), four_game()
    rng, ends = np.random.default_rng(4), {1: 0, -1: 0, 0: 0}
    full_columns = 0
    for _ in range(12_000 if full else 500):
        game = Game(rules)
        _, workspace = record_of(game)
        cells, colour = np.zeros((6, 7), int), 1
        while True:
            landing = slow_landings(cells)
            assert {c: p // 7 for c, p in connect_grid.open_columns(game).items()} == landing
            full_columns += len(landing) < 7
            col = int(rng.choice(list(landing)))
            cells[landing[col], col] = colour
            point = drop(game, col)
            kernels.apply(workspace, point)
            colour = -colour
            assert workspace.board.own == slow_bits(cells, colour)
            assert workspace.board.both == slow_bits(cells, 1) + slow_bits(cells, -1)
            assert kernels.mover(workspace) == colour == game.to_move
            winners = winners_of(cells)
            result = WON if winners else DRAWN if cells.all() else OPEN
            assert kernels.terminal(workspace, options) == result
            assert game.over == (result != OPEN) and game.winner == sum(winners)
            if result != OPEN:
                break
        ends[game.winner] += 1
    assert min(ends.values()) > 0 and full_columns > 0  # draws were among them


@pytest.mark.parametrize("rows, columns", GRIDS)
def test_every_grid_is_the_same_game(rows, columns, full):
    rules, rng = four_rules(rows, columns), np.random.default_rng(rows * columns)
    for _ in range(500 if full else 60):
        game = random_game(rules, rng, int(rng.integers(0, rules.points + 1)))
        kernels, workspace = record_of(game)
        assert (workspace.board.own, workspace.board.both) == bits_of(game)
        assert bits_of(game)[0] == slow_bits(game.array, game.to_move)
        assert kernels.mover(workspace) == game.to_move
        result = WON if game.winner else DRAWN if game.over else OPEN
        assert kernels.terminal(workspace, SearchOptions()) == result


@pytest.mark.parametrize("height", [5, 7, 9])
def test_has_four_agrees_with_a_full_scan_of_any_stones(height, full):
    """Stones of every density, floating ones too; lines may not pass through a spare bit."""
    rng, columns = np.random.default_rng(height), 63 // height
    for _ in range(3_000 if full else 400):
        cells = (rng.random((height - 1, columns)) < rng.uniform(0.2, 0.7)).astype(int)
        assert has_four(slow_bits(cells, 1), height) == bool(winners_of(cells))


@pytest.mark.parametrize("rows, columns", GRIDS)
def test_every_line_of_four_is_counted_at_each_of_its_cells(rows, columns):
    lines, grid = windows(rows, columns), connect_grid.Grid(rows, columns)
    for cell in range(rows * columns):
        assert c4.fours_through(*divmod(cell, columns), grid) == (lines == cell).sum()


def test_moves_are_the_free_cells_each_once_in_any_order():
    rng = np.random.default_rng(7)
    for seed in range(400):
        game = random_game(four_rules(), rng, int(rng.integers(0, 38)))
        if game.over:
            continue
        kernels, workspace = record_of(game, seed)
        length = 0
        for want in (1, 2, 3, 7):  # a few at a time, as the search asks for them
            more = kernels.legal(workspace, length, want, SearchOptions())
            assert more - length <= want
            length = more
        assert sorted(workspace.moves[:length].tolist()) == game.legal()
    orders = set()
    for seed in range(300):
        kernels, workspace = record_of(Game(four_rules()), seed)
        kernels.legal(workspace, 0, 7, SearchOptions())
        orders.add(tuple(workspace.moves[:7].tolist()))
    assert len(orders) > 250 and {order[0] for order in orders} == set(range(7))


class SlowDrops:
    """The playout in plain Python, fed the same random numbers."""

    def __init__(self, state):
        self.state = state

    def playout(self, cells, colour):
        cells = cells.copy()
        while True:
            self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
            number = self.state >> 32
            for _ in range(3):
                column, number = divmod(number * cells.shape[1], 2**32)
                landing = slow_landings(cells)
                if column in landing:
                    cells[landing[column], column] = colour
                    if winners_of(cells):
                        return colour, cells
                    colour = -colour
            if cells.all():
                return 0, cells


@pytest.mark.parametrize("rows, columns", GRIDS)
def test_playouts_are_those_of_the_reference(rows, columns, full):
    rules, rng, results = four_rules(rows, columns), np.random.default_rng(3), set()
    for seed in range(300 if full else 40):
        game = random_game(rules, rng, int(rng.integers(0, rules.points)))
        if game.over:
            continue
        kernels, workspace = record_of(game, seed)
        slow = SlowDrops(int(workspace.random))
        for _ in range(3):
            kernels.reset(workspace)
            winner, _ = slow.playout(game.array, game.to_move)
            assert kernels.rollout(workspace) == winner
            assert int(workspace.random) == slow.state
            results.add(winner)
    assert {1, -1} <= results


def test_playouts_end_as_often_as_random_games_of_the_rules():
    """The reference above shares the way of drawing; here another generator draws."""
    kernels, workspace = record_of(Game(four_rules()), 5)
    rng, found = np.random.default_rng(6), []
    for _ in range(20_000):
        kernels.reset(workspace)
        found.append(kernels.rollout(workspace))
    games = [random_game(four_rules(), rng, 42).winner for _ in range(1_000)]
    for winner in (1, -1):
        share = found.count(winner) / len(found)
        error = (share * (1 - share) / len(games)) ** 0.5
        assert abs(games.count(winner) / len(games) - share) < 4 * error


def test_quick_ucb_chooses_a_child_with_the_highest_bound(full):
    rng = np.random.default_rng(2)
    kernels, workspace = record_of(Game(four_rules()))
    for _ in range(3_000 if full else 500):
        tree = five.search.empty_tree(10)
        visits = rng.integers(1, 5_000, 7)
        tree["first_child"][0], tree["num_visited"][0], tree["N"][0] = 1, 7, visits.sum()
        tree["N"][1:8], tree["W64"][1:8] = visits, rng.integers(0, 64 * visits + 1)
        tree["inv_sqrt"][1:8] = 1 / np.sqrt(visits)
        options = SearchOptions(c_uct=float(rng.uniform(0, 2)), solve=False)
        bounds = tree["W64"][1:8] / 64 / visits
        bounds = bounds + options.c_uct * np.sqrt(np.log(visits.sum()) / visits)
        chosen = c4.quick_ucb(workspace, tree, 0, 0, options)
        assert bounds[chosen - 1] >= bounds.max() - 1e-5
        assert c4.quick_ucb(workspace, tree, 0, 9, options) == 9
    tree["status"][1:8] = five.search.LOST
    assert c4.quick_ucb(workspace, tree, 0, 0, SearchOptions()) == 0


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("solve", [False, True])
def test_takes_a_win_and_stops_one(side, solve):
    player = c4.FourUCT(simulations=3_000, options=SearchOptions(solve=solve))
    text = "d1a1d2a2d3a3" if side == 1 else "g1d1a1d2a2d3a3"
    game = Game.from_text(text, rules=four_rules())
    assert player.move(game, 3) == five.game.to_point("d4", game.rules)
    drop(game, "f")
    assert player.move(game, 3) == five.game.to_point("a4", game.rules)


def test_a_set_up_position_with_either_side_to_move():
    """The side to move need not follow from the number of stones."""
    cells = np.zeros((6, 7), int)
    cells[0, :3] = 1
    for side, best in ((1, 3), (-1, 3)):
        game = Game.from_array(cells, side, four_rules())
        _, workspace = record_of(game)
        assert (workspace.board.own == 0) == (
            side == -1
        ) and workspace.board.both.bit_count() == 3
        assert c4.FourUCT(simulations=2_000).move(game, 1) == best


def test_columns_are_named_and_refused_with_what_is_allowed():
    game = Game(four_rules())
    assert [drop(game, "D"), drop(game, 3), drop(game, " d ")] == [3, 10, 17]
    for _ in range(3):
        drop(game, "d")
    before = game.array
    for wrong, words in {
        "d": "column d is full: a b c e f g may be played",
        "h": "there is no column 'h': a b c e f g may be played",
        1.0: "there is no column 1.0",
    }.items():
        with pytest.raises(ValueError, match=words):
            drop(game, wrong)
    assert (game.array == before).all() and len(game.played) == 6
    won = Game.from_text("a1 b1 a2 b2 a3 b3 a4", rules=four_rules())
    with pytest.raises(ValueError, match="the game is over"):
        drop(won, "c")


@pytest.mark.parametrize("rows, columns", [(8, 8), (2, 7), (6.0, 7)])
def test_a_grid_that_does_not_fit_is_refused(rows, columns):
    with pytest.raises(ValueError, match="must be"):
        four_rules(rows, columns)

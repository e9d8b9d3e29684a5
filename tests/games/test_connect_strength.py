"""What adds strength: playouts and lists, proofs, players."""

import functools

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import connect_four as c4
from five_in_a_row import connect_grid, connect_solver
from five_in_a_row.game import Game
from five_in_a_row.search import DRAWN, LOST, WON, SearchOptions
from helpers import found_by, only_full
from references import Rng
from test_connect_four import slow_landings, unfinished, winners_of

from experiments.kinds.connect_four import IDEAS as PLAYED

FOUR = connect_grid.four_rules()
drops = functools.cache(c4.build_wise_drops)  # each is compiled once
RULES = [(False, False), (True, False), (False, True), (True, True)]
NAMES = dict(ids=["neither", "decisive", "no gifts", "both"])


# -- the cells that are worth a stone --------------------------------------------------------
def wins_with(cells, row, col, colour):
    """Say whether a stone there would make four."""
    cells[row, col] = colour
    won = bool(winners_of(cells))
    cells[row, col] = 0
    return won


def slow_worth(cells, colour, decisive, wary):
    """The rule in words, by trying stones: {column: row} of what may be chosen."""
    free = slow_landings(cells)
    wins = {c: r for c, r in free.items() if wins_with(cells, r, c, colour)}
    blocks = {c: r for c, r in free.items() if wins_with(cells, r, c, -colour)}
    if decisive and (wins or blocks):
        return wins or blocks
    calm = {}
    for col, row in free.items():
        cells[row, col] = colour
        above = row + 1 < len(cells) and wins_with(cells, row + 1, col, -colour)
        cells[row, col] = 0
        if not above or col in wins:
            calm[col] = row
    return calm if wary and calm else free


def bits_worth(game, decisive, wary):
    """What worth_playing says of a game, as {column: row}."""
    grid = connect_grid.Grid(game.rules.height, game.rules.size)
    own, both = connect_grid.bits_of(game)
    mine, theirs = (
        connect_grid.threats_of(x, grid.height) & grid.full for x in (own, both ^ own)
    )
    cells = c4.candidate_cells(both + grid.bottom & grid.full, mine, theirs, decisive, wary)
    places = [divmod(bit, grid.height) for bit in range(64) if cells >> bit & 1]
    assert len(places) == len(dict(places))  # one cell a column
    return dict(places)


@pytest.mark.parametrize("rows, columns", [(6, 7), (5, 9)])
def test_what_is_worth_a_stone_is_what_trying_finds(rows, columns, full):
    rng, rules = np.random.default_rng(rows), connect_grid.four_rules(rows, columns)
    shorter = 0
    for _ in range(5_000 if full else 400):
        game = unfinished(rules, rng, int(rng.integers(0, rules.points)))
        cells = game.array.astype(int)
        for decisive, wary in RULES:
            found = bits_worth(game, decisive, wary)
            assert found == slow_worth(cells, game.to_move, decisive, wary)
            shorter += len(found) < len(slow_landings(cells))
    assert shorter > 100


# -- playouts ------------------------------------------------------------------------------
def slow_playout(cells, colour, rng, decisive, wary):
    """The playout in plain Python, fed the same random numbers; return winner and stones."""
    cells = cells.copy()
    while not cells.all():
        free = sorted(slow_worth(cells, colour, decisive, wary).items())
        col, row = free[rng.draw(len(free))]
        cells[row, col] = colour
        if winners_of(cells):
            return colour
        colour = -colour
    return 0


@pytest.mark.parametrize("rule", RULES, **NAMES)
@pytest.mark.parametrize("rows, columns", [(6, 7), (4, 5)])
def test_playouts_are_those_of_the_reference(rule, rows, columns, full):
    """So none misses a win or a block, and none gives a gift when it need not.

    By default on the second grid the rule that has both parts.
    """
    only_full(full, rows == 6 or all(rule))
    rng, rules, results = np.random.default_rng(2), connect_grid.four_rules(rows, columns), []
    kernels = c4.four_game(rows, columns)
    kernels = kernels._replace(rollout=drops(connect_grid.Grid(rows, columns), *rule))
    for seed in range(400 if full else 40):
        game = unfinished(rules, rng, int(rng.integers(0, rules.points)))
        workspace = five.search.new_search(kernels, game, seed)
        slow_rng = Rng(int(workspace.random))
        for _ in range(2):
            kernels.reset(workspace)
            winner = slow_playout(game.array.astype(int), game.to_move, slow_rng, *rule)
            assert (
                kernels.rollout(workspace) == winner
                and int(workspace.random) == slow_rng.state
            )
            results.append(winner)
    assert {1, -1} <= set(results)


# -- the tree ------------------------------------------------------------------------------
@pytest.mark.parametrize("rule", RULES[1:], ids=NAMES["ids"][1:])
def test_a_node_lists_what_is_worth_a_stone(rule):
    rng = np.random.default_rng(5)
    kernels = c4.wise_game(6, 7, (False, False), rule)
    for seed in range(200):
        game = unfinished(FOUR, rng, int(rng.integers(0, 41)))
        workspace, length = five.search.new_search(kernels, game, seed), 0
        kernels.reset(workspace)
        for want in (1, 2, 3, 7):  # a few at a time, as the search asks for them
            more = kernels.legal(workspace, length, want, SearchOptions())
            assert more - length <= want
            length = more
        slow = slow_worth(game.array.astype(int), game.to_move, *rule)
        assert sorted(workspace.moves[:length]) == sorted(r * 7 + c for c, r in slow.items())


@pytest.mark.parametrize("name", ["solver", "all", "all and in the tree"])
def test_proofs_are_what_the_perfect_player_says(name, full):
    """Of the root and of each of its children that is decided; small grids are often drawn.

    By default of the search that has all of it.
    """
    only_full(full, name == PLAYED[-1])
    rng, proven, children = np.random.default_rng(6), [], 0
    grids = {
        rules: connect_solver.Solver(rules, 1 << 16)
        for rules in (FOUR, connect_grid.four_rules(4, 5))
    }
    for number in range(3_000 if full else 200):
        rules, solver = list(grids.items())[number % 2]
        kernels, options = c4.idea_parts(name, rules)
        game = unfinished(rules, rng, int(rng.integers(rules.points // 3, rules.points)))
        tree = five.search.Tree(game, kernels, options, 30_000)
        tree.run(3_000)
        if tree.root.status >= LOST:
            worth = {LOST: 1, DRAWN: 0, WON: -1}[tree.root.status]
            assert solver.score(game, exact=False) == worth
            thought = five.search.read_tree(tree, 0, 0)
            columns = solver.columns(game, exact=False)
            assert thought.proven == worth == columns[thought.move % rules.size]
            proven.append(worth)
        for child in tree.root.children:
            if child.status >= LOST:
                after = game.copy()
                after.play(child.point)
                result = {LOST: -1, DRAWN: 0, WON: 1}[child.status]
                if after.over:
                    assert result == after.winner * game.to_move
                else:
                    assert solver.score(after, exact=False) == -result
                children += 1
    assert len(proven) > 60 and set(proven) == {1, 0, -1} and children > 200


# -- players -------------------------------------------------------------------------------
@pytest.mark.parametrize("name", c4.IDEAS)
def test_every_idea_plays_repeats_takes_a_win_and_stops_one(name, full):
    """By default the two that test_behaviour.py compiles as well."""
    only_full(full, name in (PLAYED[0], PLAYED[-1]))
    player = c4.IdeaPlayer(name, simulations=300)
    for moves, best in (("a1b1a2b2a3b3", "a4"), ("a1b1a2b2a3", "a4")):
        assert found_by(player, Game.from_text(moves, rules=FOUR), 1).name == best
    start = Game(FOUR)
    thought, again = found_by(player, start, 5), found_by(player, start, 5)
    assert thought.simulations == 300 and (again.visits == thought.visits).all()
    timed = found_by(c4.IdeaPlayer(name, seconds=0.002), start, 1)
    assert timed.simulations > 20 and timed.move in start.legal()


def test_an_unknown_idea_is_named():
    with pytest.raises(ValueError, match="no idea 'luck': there are plain UCT, "):
        c4.IdeaPlayer("luck", simulations=10)


# -- an idea left out ------------------------------------------------------------------------
def test_a_star_is_for_a_difference_that_luck_hardly_makes():
    first, other, third = list(c4.LEFT_OUT)[:3]
    shown = c4.starred({"stone 1": {first: 10, other: 0, third: 6}}, 10)
    assert shown == {"stone 1": {first: "10", other: "0 *", third: "6"}}


def test_replies_are_told_by_the_solver_and_by_searches():
    class Known:
        def columns(self, game):
            assert game.moves == ["d1", "d2"]
            return {6: -3, 0: 1}

    rows = c4.reply_rows("d1 d2", Known(), [50, 200], range(2))
    assert rows["perfect play"] == {"a": "+1", "g": "−3"}
    for count in (50, 200):
        assert list(rows[f"value at {count}"]) == list("abcdefg")
        assert sum(rows[f"played at {count}"].values()) == 2

"""The perfect solver: against brute force, symmetry, known values, and another program."""

from functools import cache

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import connect_four as c4
from five_in_a_row import connect_grid, connect_solver
from five_in_a_row.connect_grid import bits_of, drop, four_rules, has_four
from five_in_a_row.connect_solver import Solver
from five_in_a_row.game import Game
from test_connect_four import random_game, slow_bits, unfinished, winners_of

from experiments.connect_four import book


def brute_force(rows, columns):
    """Return score(own, both), by trying every move to the end: no window, no ordering."""
    height, cells = rows + 1, rows * columns

    @cache
    def score(own, both):
        stones, best = both.bit_count(), -cells
        if stones == cells:
            return 0
        for col in range(columns):
            row = (both >> col * height & (1 << rows) - 1).bit_count()
            if row < rows:
                stone = 1 << col * height + row
                if has_four(own | stone, height):
                    best = max(best, (cells + 1 - stones) // 2)
                else:
                    best = max(best, -score(own ^ both, both | stone))
        return best

    return score


@pytest.mark.parametrize("rows, columns", [(4, 4), (3, 5), (6, 4)])
def test_every_position_of_random_games_on_small_grids(rows, columns, full):
    """From the empty grid on where brute force can do it, else when 12 cells are left."""
    rules, slow = four_rules(rows, columns), brute_force(rows, columns)
    solver, rng, solved = Solver(rules, 1 << 12), np.random.default_rng(1), 0
    first = 0 if rules.points <= 16 else rules.points - (16 if full else 12)
    for _ in range(500 if full else 60):
        game = random_game(rules, rng, first)
        while not game.over:
            worth = slow(*bits_of(game))
            assert solver.score(game) == worth
            assert solver.score(game, exact=False) == np.sign(worth)
            game.play(int(rng.choice(game.legal())))
            solved += 1
    assert solved >= 60


@pytest.mark.parametrize("plies", [26, 30, 37])
def test_late_positions_of_the_standard_grid(plies, full):
    """Score and all columns, exactly and by sign; the table is shared and small on purpose."""
    rules, rng, slow = four_rules(), np.random.default_rng(plies), brute_force(6, 7)
    solver = Solver(rules, 1 << 8)
    for _ in range((1_000 if plies >= 30 else 100) if full else (25 if plies >= 30 else 10)):
        game = unfinished(rules, rng, plies)
        score, columns = solver.score(game), solver.columns(game)
        assert score == slow(*bits_of(game)) == max(columns.values())
        signs = solver.columns(game, exact=False)
        assert signs == {column: np.sign(found) for column, found in columns.items()}
        for column, found in columns.items():
            after = game.copy()
            drop(after, column)
            if not after.over:
                assert found == -slow(*bits_of(after))
            elif after.winner:
                assert found == (43 - plies) // 2
            else:
                assert found == 0


def test_threats_are_found_by_trying(full):
    rng = np.random.default_rng(9)
    for _ in range(2_000 if full else 200):
        rows, columns = [(6, 7), (4, 4), (5, 9), (8, 7)][int(rng.integers(4))]
        cells = (rng.random((rows, columns)) < rng.uniform(0.2, 0.6)).astype(int)
        if winners_of(cells):
            continue
        found = 0
        for row, col in zip(*np.nonzero(cells == 0), strict=True):
            cells[row, col] = 1
            if winners_of(cells):
                found |= 1 << int(col) * (rows + 1) + int(row)
            cells[row, col] = 0
        full_grid, stones = connect_grid.Grid(rows, columns).full, slow_bits(cells, 1)
        assert connect_grid.threats_of(stones, rows + 1) & full_grid & ~stones == found


def test_safe_moves_are_those_after_which_no_stone_wins(full):
    rng, solver = np.random.default_rng(3), Solver(entries=1 << 8)
    for _ in range(1_000 if full else 150):
        game = unfinished(four_rules(), rng, int(rng.integers(4, 41)))
        own, both = bits_of(game)
        expected = 0
        for point in game.legal():
            after = game.copy()
            after.play(point)
            if after.over or not five.search.winning_points(after, after.to_move):
                row, col = divmod(point, 7)
                expected |= 1 << col * 7 + row
        wins = five.search.winning_points(game, game.to_move)
        if not wins:  # a winning move would have been played
            assert connect_solver.safe_moves(solver.grid, own, both) == expected


@pytest.mark.parametrize("rows, columns", [(4, 5), (6, 7)])
def test_following_promises_no_more_than_it_keeps(rows, columns, full):
    """The bound of follow_bound beside brute force, with 4 to 13 cells left."""
    rules, slow, said = four_rules(rows, columns), brute_force(rows, columns), [0, 0]
    grid, rng = Solver(rules, 1 << 4, {}).grid, np.random.default_rng(12)
    even = [1 << c * (rows + 1) + r for c in range(columns) for r in range(1, rows, 2)]
    assert grid.even == sum(even)
    for _ in range(4_000 if full else 500):
        game = unfinished(rules, rng, rules.points - int(rng.integers(4, 14)))
        own, both = bits_of(game)
        wins = five.search.winning_points
        if not wins(game, game.to_move) and connect_solver.safe_moves(grid, own, both):
            stones = len(game.played)
            bound = connect_solver.follow_bound(grid, own, both, stones)
            if bound < grid.cells:
                assert slow(own, both) <= bound
                said[stones % 2] += 1
    assert min(said) > 0


def test_a_limit_gives_up_and_says_so():
    solver = Solver(entries=1 << 12, book={})
    game = Game(four_rules())
    assert solver.score(game, limit=1_000) is None and solver.nodes == 1_001
    assert solver.columns(game, limit=100) == dict.fromkeys(range(7))
    late = Game.from_text("d1 a1 d2 a2 d3 a3", rules=four_rules())
    assert solver.score(late, limit=0) == 18  # a win at hand needs no search
    # what was given up has left nothing wrong behind
    rng, slow = np.random.default_rng(8), brute_force(6, 7)
    for _ in range(30):
        game = unfinished(four_rules(), rng, 30)
        solver.score(game, limit=int(rng.integers(1, 200)))
        assert solver.score(game) == slow(*bits_of(game))


# -- the book ------------------------------------------------------------------------------
BOOK = connect_solver.opening_book()
LIMIT = 300_000  # positions to look at: some are not told


def alone():
    """Return a solver without a book that keeps nothing of the first plies."""
    solver = Solver(book={})
    solver.early = None
    return solver


def test_the_first_plies_are_solved_as_the_kernel_solves_them(full):
    """Random positions of 8 to 13 stones, mirrored or not, by a solver with an empty book."""
    rng, one, other, told = np.random.default_rng(4), Solver(book={}), alone(), 0
    for _ in range(100 if full else 30):
        game = unfinished(four_rules(), rng, int(rng.integers(8, 14)))
        score = one.score(game, limit=LIMIT)
        assert score == one.score(connect_solver.mirrored(game), limit=LIMIT) or score is None
        if score is not None and (expected := other.score(game, limit=4 * LIMIT)) is not None:
            told += 1
            assert score == expected
            assert one.score(game, exact=False) == np.sign(score)
    assert told >= 10


def position_of(key):
    """Return (own, both) of a key: a column's highest bit but one tells its height."""
    own = both = 0
    for shift in range(0, 49, 7):
        column = key >> shift & 127
        full = (1 << (column + 1).bit_length() - 1) - 1
        own, both = own | column - full << shift, both | full << shift
    return own, both


@pytest.mark.parametrize("stones", [8, 10, 12])
def test_the_book_agrees_with_a_solver_without_one(stones, full):
    """Positions of the book, drawn at random: where the solver tells within a limit."""
    rng, plain, told = np.random.default_rng(stones), alone(), 0
    keys = [key for key in sorted(BOOK) if position_of(key)[1].bit_count() == stones]
    for key in rng.choice(keys, min(len(keys), 500 if full else 8), replace=False).tolist():
        spent = np.array([0, LIMIT])
        score = connect_solver.narrowed(plain, spent, *position_of(key), True)
        if score is not None:
            told += 1
            assert BOOK[key][0] <= score <= BOOK[key][1]
    assert told or stones < 10


def test_the_book_is_small_and_comes_back_from_its_file(tmp_path):
    assert len(BOOK) > 1_000 and connect_solver.BOOK.stat().st_size <= 225_000
    some = dict(list(BOOK.items())[:50]) | {2**48: (-21, 21)}
    file = tmp_path / "some.book"
    file.write_bytes(connect_solver.pack_book(some, "today"))
    assert connect_solver.read_book(file) == some
    assert connect_solver.unpack_book(file.read_bytes())[0] == "today"


@pytest.mark.parametrize("data", [None, b"[]\n", "cut", "changed"])
def test_without_a_whole_book_a_sentence_says_so_and_the_solver_goes_on(
    data, tmp_path, capsys, monkeypatch
):
    file = tmp_path / "some.book"
    if data is not None:
        whole = connect_solver.pack_book(dict(list(BOOK.items())[:50]), "today")
        broken = {"cut": whole[:-9], "changed": whole[:-9] + bytes(9)}
        file.write_bytes(broken.get(data, data))
    monkeypatch.setattr(connect_solver, "opening_book", lambda: connect_solver.read_book(file))
    solver = Solver(entries=1 << 12)
    said = capsys.readouterr().err
    assert solver.early == {} and said.count("\n") == 1 and "without some.book" in said
    game = Game.from_text("d1 a1 d2 a2 d3 a3", rules=four_rules())
    assert solver.score(game) == 18


def slow_layer(stones):
    """Return the positions of so many stones, mirror images once, as columns of X and O."""
    layer = {("",) * 7}
    for ply in range(stones):
        below = (
            (*cols[:i], cols[i] + "XO"[ply % 2], *cols[i + 1 :])
            for cols in layer
            for i in range(7)
        )
        layer = {min(cols, cols[::-1]) for cols in below}
    return layer


def test_the_book_counts_positions_that_are_not_over_and_the_quiet_ones_of_them():
    """With five stones nobody can have won; a slow scan tries the next two stones."""

    def wins(cols, i, side):
        cells = [
            (c, r) for c, col in enumerate(cols) for r in range(len(col)) if col[r] == side
        ]
        stones = sum(1 << c * 7 + r for c, r in cells)
        return has_four(stones | 1 << i * 7 + len(cols[i]), 7)

    layers = list(book.layers(Solver(entries=2, book={}).grid, 5))
    found = slow_layer(5)
    assert len(layers[5]) == len(found) == 2144
    quiet = 0
    for cols in found:  # O is to move
        mine = [i for i in range(7) if wins(cols, i, "O")]
        after = [(*cols[:i], cols[i] + "O", *cols[i + 1 :]) for i in range(7)]
        calm = [not any(wins(each, i, "X") for i in range(7)) for each in after]
        quiet += not mine and any(calm)
    assert quiet == len(book.quiet(Solver(entries=2, book={}).grid, layers[5])) == 2120


def test_a_run_of_the_book_goes_on_where_it_was(tmp_path, monkeypatch):
    """Positions that the file tells are not solved again; the rows count what is known."""
    file = tmp_path / "some.book"
    monkeypatch.setattr(book, "FILE", file)
    monkeypatch.setattr(book, "ENTRIES", 1 << 12)
    asked = []

    def solve(solver, spent, own, both, exact):
        asked.append((own, both))
        solver.early[connect_solver.mirror_key(solver.grid, own, both)] = (0, 0)

    monkeypatch.setattr(connect_solver, "narrowed", solve)
    monkeypatch.setattr(book, "SHOWN", 3)
    rows = list(book.book(3, 1))
    assert len(asked) == 1 + 4 + 25 and [row["exact"] for row in rows[:4]] == [1, 4, 25, 0]
    assert [row["positions"] for row in rows] == [1, 4, 25, 121]
    list(book.book(4, 1))
    assert len(asked) == 1 + 4 + 25 + 121
    monkeypatch.setattr(book, "LIMIT", 350)
    assert (
        book.keep(connect_solver.read_book(file), 3) <= 350
        and len(connect_solver.read_book(file)) < 151
    )


# -- the perfect player --------------------------------------------------------------------
def test_the_perfect_player_keeps_what_a_position_is_worth(monkeypatch):
    monkeypatch.setattr(
        connect_solver, "perfect_solver", cache(lambda: Solver(entries=1 << 12, book={}))
    )
    rng, solver = np.random.default_rng(3), Solver(entries=1 << 12)
    for _ in range(15):
        game = unfinished(four_rules(), rng, int(rng.integers(22, 40)))
        scores, thought = solver.columns(game), connect_solver.perfect_move(game, seconds=5)
        assert scores[thought.move % 7] == max(scores.values())
        assert thought.proven == np.sign(max(scores.values())) and thought.move in game.legal()
    monkeypatch.setattr(connect_solver, "RATE", 100)
    thought = connect_solver.perfect_move(Game(four_rules()), simulations=200, seed=1)
    assert thought.why == "not known; the engine's" and thought.visits.any()


# -- threats that wait ---------------------------------------------------------------------
def test_a_threat_waits_where_no_stone_can_land():
    text = "c1 d1 d2 b1 e1 b2 e2 f1 b3 c2 c3 b4 g1 b5 a1 e3 g2 b6 d3 e4 e5 f2"
    game = Game.from_text(text, rules=four_rules())
    assert c4.waiting(game) == {1: [(3, 0)], -1: []}
    assert c4.waiting(connect_solver.mirrored(game)) == {1: [(3, 6)], -1: []}
    drop(game, "a")  # now a stone can land on a3: it waits no longer
    assert c4.waiting(game)[1] == []


def test_the_exact_test_is_that_of_the_lady_who_tastes_tea():
    """Fisher 1935: four cups of each kind, three of each named rightly: 34 of 70."""
    assert c4.chance_if_alike((3, 4), (1, 4)) == pytest.approx(34 / 70)
    assert c4.chance_if_alike((5, 10), (5, 10)) == 1


def test_what_cannot_be_solved_is_refused():
    solver = Solver()
    won = Game.from_text("a1 b1 a2 b2 a3 b3 a4", rules=four_rules())
    for ask in (solver.score, solver.columns):
        with pytest.raises(ValueError, match="the game is over"):
            ask(won)
        with pytest.raises(ValueError, match="this solver knows"):
            ask(Game(four_rules(5, 5)))
    with pytest.raises(ValueError, match="63"):
        Solver(five.game.Rules(10, 4, rows=6, gravity=True))


def test_a_move_is_judged_by_what_it_keeps():
    text = connect_solver.values_text({0: -3, 1: 0, 2: 18, 4: 0, 5: -1, 6: 2}, 7)
    assert text == "-=+.=-+"
    assert (
        connect_solver.judged(text, 2) == connect_solver.judged(text, 6) == (True, True, True)
    )
    assert connect_solver.judged(text, 1) == (False, True, True)
    assert connect_solver.judged("-=-....", 1) == (True, True, False)
    assert connect_solver.judged("---....", 1) == (True, False, False)
    with pytest.raises(ValueError, match="column d is full"):
        connect_solver.judged(text, 3)


def test_the_solver_and_bitbully_agree(full):
    """Another perfect solver, under another licence: only asked, never shipped."""
    bitbully = pytest.importorskip("bitbully", reason="needs bitbully")
    other, solver = bitbully.BitBully(opening_book=None), Solver()
    rng = np.random.default_rng(6)
    for _ in range(1_000 if full else 60):
        game = unfinished(four_rules(), rng, int(rng.integers(12, 40)))
        board = bitbully.Board([point % 7 for point in game.played])
        assert solver.score(game) == other.mtdf(board)
        assert solver.columns(game) == other.score_all_moves(board)


def test_the_seven_first_moves_are_known_at_once():
    solver, game = Solver(entries=1 << 4), Game(four_rules())
    assert list(solver.columns(game).values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert solver.nodes == 0 and solver.score(game) == 1


def test_a_game_ends_with_the_move_that_lets_the_win_go():
    solver = Solver()
    game, won = connect_solver.hold_the_win(
        five.mcts.RandomPlayer(), solver, 1, lambda game: False
    )
    assert len(game.played) == 1 and not won
    seen = []

    def is_lost(game):
        seen.append(len(game.played))
        return len(game.played) < 5

    game, won = connect_solver.hold_the_win(c4.FourUCT(simulations=200), solver, 1, is_lost)
    assert seen == [1, 3, 5] and len(game.played) == 5 and not won


def test_the_lost_side_resists_longest():
    own_rng, solver = np.random.default_rng(1), Solver()
    rng, tried = np.random.default_rng(2), 0
    while tried < 20:
        game = unfinished(four_rules(), rng, int(rng.integers(20, 36)))
        scores = solver.columns(game)
        if max(scores.values()) < 0:
            tried += 1
            assert scores[connect_solver.resist(solver, game, own_rng)] == max(scores.values())

"""The perfect solver: against brute force, symmetry, known values, and another program."""

from functools import cache

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import connect_four as c4
from five_in_a_row.connect_four import Solver, bits_of, drop, four_rules, has_four
from five_in_a_row.core import Game
from helpers import only_full
from test_connect_four import random_game, slow_bits, winners_of


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


def unfinished(rules, rng, plies):
    """Return a random game of that many moves that is not over."""
    while True:
        game = random_game(rules, rng, plies)
        if not game.over:
            return game


@pytest.mark.parametrize("rows, columns", [(4, 4), (3, 5), (5, 4), (4, 5), (3, 7), (6, 4)])
def test_every_position_of_random_games_on_small_grids(rows, columns, full):
    """From the empty grid on where brute force can do it, else when 12 cells are left.

    By default not on 3×7, whose brute force takes as long as that of all others.
    """
    only_full(full, columns < 7)
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


@pytest.mark.parametrize("plies", [26, 28, 30, 34, 37])
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


def test_a_mirror_changes_nothing(full):
    rng, solver = np.random.default_rng(5), Solver()
    for _ in range(300 if full else 40):
        game = unfinished(four_rules(), rng, int(rng.integers(16, 40)))
        columns = solver.columns(game)
        other = Solver(entries=1 << 16).columns(c4.mirrored(game))
        assert columns == {6 - column: score for column, score in other.items()}


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
        full_grid, stones = c4.Grid(rows, columns).full, slow_bits(cells, 1)
        assert c4.threats_of(stones, rows + 1) & full_grid & ~stones == found


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
            assert c4.safe_moves(solver.grid, own, both) == expected


def test_moves_are_tried_from_the_middle_outwards():
    assert [c4.column_at(7, rank) for rank in range(6, -1, -1)] == [3, 4, 2, 5, 1, 6, 0]
    for columns in range(3, 13):
        ranks = [c4.column_at(columns, rank) for rank in range(columns)]
        assert sorted(ranks) == list(range(columns))
    solver, marks = Solver(), np.zeros(7, np.int64)
    game = Game.from_text("d1 a1 e1 a2", rules=four_rules())
    own, both = bits_of(game)
    safe = c4.safe_moves(solver.grid, own, both)
    count = c4.sort_safe(solver.grid, marks, own, both, safe)
    best = c4.column_at(7, int(marks[0]) & 63)
    assert count == 7 and sorted(marks, reverse=True) == marks.tolist() and best in (2, 5)


def test_a_limit_gives_up_and_says_so():
    solver = Solver(entries=1 << 12)
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


def test_what_cannot_be_solved_is_refused():
    solver = Solver()
    won = Game.from_text("a1 b1 a2 b2 a3 b3 a4", rules=four_rules())
    for ask in (solver.score, solver.columns):
        with pytest.raises(ValueError, match="the game is over"):
            ask(won)
        with pytest.raises(ValueError, match="this solver knows"):
            ask(Game(four_rules(5, 5)))
    with pytest.raises(ValueError, match="63"):
        Solver(five.core.Rules(10, 4, rows=6, gravity=True))


def test_a_move_is_judged_by_what_it_keeps():
    text = c4.worth_text({0: -3, 1: 0, 2: 18, 4: 0, 5: -1, 6: 2}, 7)
    assert text == "-=+.=-+"
    assert c4.judged(text, 2) == c4.judged(text, 6) == (True, True, True)
    assert c4.judged(text, 1) == (False, True, True)
    assert c4.judged("-=-....", 1) == (True, True, False)
    assert c4.judged("---....", 1) == (True, False, False)
    with pytest.raises(ValueError, match="column d is full"):
        c4.judged(text, 3)


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


def test_the_first_move_in_the_middle_wins_with_the_last_stone(full):
    """The known scores of the seven first moves. It takes long, and 256 MB."""
    if not full:
        pytest.skip("a count for --full only")
    solver, game = Solver(entries=1 << 24), Game(four_rules())
    assert list(solver.columns(game).values()) == [-2, -1, 0, 1, 0, -1, -2]
    assert solver.score(game) == 1


def test_a_game_ends_with_the_move_that_lets_the_win_go():
    solver = Solver()
    game, won = c4.hold_the_win(five.core.random_player, solver, 1, lambda game: False)
    assert len(game.played) == 1 and not won
    seen = []

    def is_lost(game):
        seen.append(len(game.played))
        return len(game.played) < 5

    game, won = c4.hold_the_win(c4.four_uct(200), solver, 1, is_lost)
    assert seen == [1, 3, 5] and len(game.played) == 5 and not won
    assert [point % 7 for point in game.played[1::2]] == [3, 3]
    game, won = c4.hold_the_win(five.core.random_player, solver, 1, lambda game: True)
    assert game.over and won == (game.winner == 1)


def test_the_lost_side_resists_longest():
    own_rng, solver = np.random.default_rng(1), Solver()
    early = Game.from_text("d1", rules=four_rules())
    assert c4.resist(solver, early, own_rng) == 3
    threatened = Game.from_text("g1 d1 g2 d2 g3", rules=four_rules())
    assert c4.resist(solver, threatened, own_rng) == 6  # not the middle: g4 must be stopped
    rng, tried = np.random.default_rng(2), 0
    while tried < 20:
        game = unfinished(four_rules(), rng, int(rng.integers(20, 36)))
        scores = solver.columns(game)
        if max(scores.values()) < 0:
            tried += 1
            assert scores[c4.resist(solver, game, own_rng)] == max(scores.values())

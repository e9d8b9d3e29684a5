"""Levels: what they overlook and how often, where they play, and that they repeat."""

from math import sqrt

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.engine import LEVELS, threat_answers
from five_in_a_row.game import BLACK, WHITE, Game
from five_in_a_row.threats import T_DEAD, T_FIVE, T_OPEN_FOUR

LINES = {T_FIVE: ["XXXX.", "XX.XX"], T_OPEN_FOUR: [".XXX.", "X.XX."]}


def think(game, level, seed=1, simulations=60):
    return five.engine.think(game, simulations=simulations, seed=seed, level=level)


def with_line(line, row, column, turns=0):
    """Return a board of 15×15 with a line of black, white to move, far stones of white."""
    cells = np.zeros((15, 15), int)
    cells[row, column : column + len(line)] = [BLACK * (stone == "X") for stone in line]
    for point in ((1, 2), (12, 12), (2, 12))[: line.count("X") - 1]:
        cells[point] = WHITE
    cells = np.rot90(cells[:, ::-1] if turns > 3 else cells, turns % 4)
    return Game.from_array(cells, WHITE)


def threatened(threat, count=120):
    """Yield positions in which black threatens that, each with a seed of its own."""
    for seed in range(count):
        line = LINES[threat][seed % 2]
        yield with_line(line, 4 + seed // 8 % 5, 4 + seed // 40, seed % 8), seed


def away(game, point):
    """Return how many points a point is from the nearest stone, the greater of two axes."""
    row, col = divmod(point, game.rules.size)
    return min(max(abs(r - row), abs(c - col)) for r, c in np.argwhere(game.array))


# -- what answers a threat -------------------------------------------------------------------
@pytest.mark.parametrize("turns", range(8))
@pytest.mark.parametrize(
    ("line", "threat", "found"),
    [
        ("..XXXX...", T_FIVE, [1, 6]),
        ("..XX.XX..", T_FIVE, [4]),
        ("..XXX....", T_OPEN_FOUR, [1, 5]),
        (".OXXX....", T_DEAD, []),
        ("..XX.X...", T_OPEN_FOUR, [1, 4, 6]),
        ("..XX.....", T_DEAD, []),
    ],
)
def test_answers_to_a_threat_are_found_in_every_direction(line, threat, found, turns):
    cells = np.zeros((15, 15), int)
    cells[6, 3:12] = [{"X": BLACK, "O": WHITE, ".": 0}[stone] for stone in line]
    marked = np.zeros_like(cells)
    marked[6, [3 + place for place in found]] = 1
    if turns > 3:
        cells, marked = cells[:, ::-1], marked[:, ::-1]
    game = Game.from_array(np.rot90(cells, turns % 4), WHITE)
    expected = np.flatnonzero(np.rot90(marked, turns % 4)).tolist()
    assert threat_answers(game) == (threat, expected)


# -- what is overlooked ----------------------------------------------------------------------
@pytest.mark.parametrize("level", range(1, 11))
@pytest.mark.parametrize("threat", LINES)
def test_threats_are_overlooked_at_the_rate_of_the_level(level, threat):
    how, missed, played = LEVELS[level], 0, 0
    rate = how.fours if threat == T_FIVE else how.threes
    for game, seed in threatened(threat, 120 if rate else 24):
        found, answers = threat_answers(game)
        assert found == threat
        thought = think(game, level, seed)
        assert thought.move in game.legal() and away(game, thought.move) <= 2
        missed, played = missed + (thought.move not in answers), played + 1
    assert abs(missed / played - rate) <= 3 * sqrt(rate * (1 - rate) / played)


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_overlooks_its_own_five(level):
    for text in ("b4b6c4c6d4d6e4e6", "c3a1c4h1c5a8c6h8"):  # with and without white's four
        game = Game.from_text(text)
        for seed in range(20):
            assert think(game, level, seed).why == "five"


def test_an_overlooked_threat_proves_nothing_and_the_only_move_is_played():
    game = with_line("XXXX.", 5, 5)
    seed = next(s for s in range(99) if think(game, 1, s).why == "level")
    assert think(game, 1, seed).proven is None
    cells = np.array([[1, 1, 1, 1, 0], *[[-1, 1, -1, 1, -1]] * 2, *[[1, -1, 1, -1, -1]] * 2])
    last = Game.from_array(cells, WHITE)
    assert {think(last, 1, seed).move for seed in range(20)} == {4}


# -- where and how it draws ------------------------------------------------------------------
@pytest.mark.parametrize("level", range(1, 11))
def test_a_level_plays_within_two_points_of_a_stone(level):
    for text in ("h8", "h8 i9 g9", "d4 l12 d12"):
        game = Game.from_text(text, 15)
        replies = [think(game, level, seed, 1_000).move for seed in range(5)]
        assert max(away(game, move) for move in replies) <= 2


@pytest.mark.parametrize("level", [1, 2, 5, 9])
def test_the_same_seed_plays_the_same_move_and_seeds_differ(level):
    game = Game.from_text("h8 i9 g9 h10", 15)
    moves = [[think(game, level, seed).move for seed in range(12)] for _ in range(2)]
    assert moves[0] == moves[1] and (level == 9 or len(set(moves[0])) > 1)


def test_level_ten_is_the_search_itself():
    for game, seed in [(Game.from_text("h8", 15), 1), *threatened(T_OPEN_FOUR, 5)]:
        ten, full = think(game, 10, seed), think(game, None, seed)
        assert (ten.visits == full.visits).all() and ten.line == full.line
        assert ten.why != "level"

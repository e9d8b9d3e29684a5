"""Shapes that follow every move, against a reference that tries stones."""

from itertools import islice

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import BLACK, Game, Rules
from helpers import board_of, random_games
from references import WAYS, slow_line_shape


def same_board(one, other, points):
    """Assert that two boards hold the same stones, shapes, kinds and counts."""
    for name in ("stones", "lines", "count", "hash", "start", "empty"):
        assert (one[name] == other[name]).all(), name
    assert (one["point_threat"][:, :points] == other["point_threat"][:, :points]).all()
    assert (one["line_shapes"][:points] == other["line_shapes"][:points]).all()


@pytest.mark.parametrize("size", [5, 8, 20])
def test_shapes_after_every_ply_are_those_of_a_board_filled_anew(size, full):
    rng = np.random.default_rng(size)
    for _ in range(400 if full else 12):
        game = Game(Rules(size))
        workspace = board_of(game)
        while not game.over:
            points = game.legal()
            point = int(rng.choice(points))
            five.threats.apply_live(workspace, point)
            game.play(point)
            same_board(workspace.board, board_of(game).board, size * size)
            assert workspace.board.won == (game.winner != 0)


@pytest.mark.parametrize("size", [5, 8, 20])
def test_every_line_shape_agrees_with_a_reference_that_tries_stones(size, full):
    for game in islice(random_games(Rules(size), 60, size), 0, None, 7 if full else 100):
        workspace, cells = board_of(game), game.array
        for point in np.flatnonzero(cells == 0).tolist():
            for colour in (0, 1):
                shape = int(workspace.board.line_shapes[point]) >> 16 * colour & 0xFFFF
                reference = [
                    slow_line_shape(cells, point, way, 1 - 2 * colour) for way in WAYS
                ]
                assert [shape >> 4 * d & 15 for d in range(4)] == reference
                threat = workspace.board.point_threat[colour, point]
                assert threat == five.threats.point_threat_table()[shape]


def test_stones_taken_back_leave_no_trace(full):
    rng = np.random.default_rng(3)
    for count in range(300 if full else 40):
        size = int(rng.integers(5, 21))
        game = Game(Rules(size))
        for _ in range(int(rng.integers(0, size * size // 3))):
            if not game.over:
                game.play(int(rng.choice(game.legal())))
        workspace = board_of(game)
        before = workspace.board.copy()
        points = rng.permutation(np.flatnonzero(game.array == 0))[: 1 + count % 12].tolist()
        colours = rng.integers(1, 3, len(points)).tolist()
        for point, colour in zip(points, colours, strict=True):
            five.threats.take_point(workspace, point, colour)
        for point, colour in reversed(list(zip(points, colours, strict=True))):
            five.threats.free_point(workspace, point, colour)
        same_board(workspace.board, before, size * size)


def test_the_board_is_dead_when_no_five_fits():
    rows, cols = np.indices((5, 5))
    cells = (cols // 2 + rows) % 2 * 2 - 1  # pairs side by side, and one hole
    cells[2, 2] = 0
    workspace = board_of(Game.from_array(cells, BLACK))
    assert workspace.board.count[:, five.threats.T_DEAD].tolist() == [1, 1]

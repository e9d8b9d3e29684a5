"""Shapes and scores by table, against strings of a reference implementation."""

import itertools
from pathlib import Path

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import Game, Rules
from references import shapes_of

NAMES = {
    "open two": five.search.OPEN_TWO,
    "open three": five.search.OPEN_THREE,
    "four": five.search.FOUR,
    "open four": five.search.OPEN_FOUR,
    "five": five.search.FIVE,
}
POSITIONS = Path(__file__).parents[1] / "positions" / "shapes.txt"


def code_points(code):
    """Return the nine points of a line code as the digits 0 to 3, the middle one 0."""
    eight = [code >> 2 * i & 3 for i in range(8)]
    return eight[:4] + [0] + eight[4:]


def counted(counts, low):
    """Return the shapes that a table entry counts for one colour, best first."""
    fields = [counts >> (low + 3 * i) & 7 for i in range(5)]
    assert max(fields) <= 1
    return [kind for kind, n in zip(five.search.SCORED, fields, strict=True) if n][::-1]


@pytest.mark.parametrize("beside", [True, False], ids=["course", "best alone"])
def test_every_line_code_agrees_with_the_reference(monkeypatch, beside):
    monkeypatch.setattr(five.search, "TWO_BESIDE", beside)
    monkeypatch.setattr(five.heuristics, "BESIDE", {"open two"} if beside else set())
    five.heuristics.shapes_of.cache_clear()
    counts = five.search.shape_tables.__wrapped__().counts
    for code in range(1 << 16):
        points = code_points(code)
        for colour, low in ((1, 0), (2, 15)):
            text = "".join(
                "1" if i == 4 or p == colour else "0" if p == 0 else "x"
                for i, p in enumerate(points)
            )
            shapes = [NAMES[name] for name in shapes_of(text, 4, beside)]
            assert counted(int(counts[code]), low) == shapes, (code, text)
            if colour == 1:
                assert [NAMES[name] for name in five.heuristics.shapes_of(text)] == shapes
    five.heuristics.shapes_of.cache_clear()


def symmetries(cells):
    """Yield the eight turned and mirrored boards, each with the map of its points."""
    points = np.arange(cells.size).reshape(cells.shape)
    for turns, mirror in itertools.product(range(4), (False, True)):
        turned, moved = np.rot90(cells, turns), np.rot90(points, turns)
        yield (turned[:, ::-1], moved[:, ::-1]) if mirror else (turned, moved)


def scores(game):
    """Return the kernel's score of every empty point of a game."""
    workspace = five.search.new_search(five.search.shaped_game(), game, 1)
    five.search.reset_shapes(workspace)
    return {
        p: int(five.search.score_point(workspace, p))
        for p in np.flatnonzero(game.array == 0).tolist()
    }


def read_positions():
    """Yield (name, board, mover, point name, score) from the text file beside the tests."""
    for block in POSITIONS.read_text("utf-8").strip().split("\n\n"):
        head, *lines = block.splitlines()
        name, mover, point, score = (part.strip() for part in head.split("|"))
        cells = [[".XO".index(c) for c in line.split()] for line in reversed(lines)]
        cells = np.array(cells)
        cells[cells == 2] = -1
        yield name, cells, 1 if mover == "X" else -1, point, int(score)


@pytest.mark.parametrize("position", read_positions(), ids=lambda position: position[0])
def test_known_positions_have_the_score_of_the_table(position):
    name, cells, mover, point, score = position
    point = five.game.to_point(point, Rules(cells.shape[1]))
    row, col = divmod(point, cells.shape[1])
    for turned, moved in symmetries(cells):
        place = int(np.flatnonzero(moved.ravel() == point)[0])
        game = Game.from_array(turned, mover)
        assert scores(game)[place] == score
        assert five.heuristics.score_of(game.array.tolist(), place, mover) == score

# Made from connect_four.ipynb by tools/build.py: change the notebook, not this file.


from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import jit


# ---- 1. The game on two integers ------------------------------------------------------------


# by Rules · a grid, where its cells lie in an integer, and its rules



class Grid(NamedTuple):
    """A grid of cells; cell (row, col) is bit col * height + row, row 0 at the bottom."""

    rows: int = 6
    columns: int = 7

    @property
    def height(self) -> int:
        """Bits of a column, the spare one included."""
        return self.rows + 1

    @property
    def bottom(self) -> int:
        """The lowest cell of every column, one bit each."""
        return sum(1 << col * self.height for col in range(self.columns))

    @property
    def full(self) -> int:
        """All cells; the spare bits are not among them."""
        return self.bottom * ((1 << self.rows) - 1)


def four_rules(rows: int = 6, columns: int = 7) -> five.game.Rules:
    """Return the rules of Connect-4 on a grid. ValueError unless its bits fit into 63."""
    for name, value in (("rows", rows), ("columns", columns)):
        five.game.check_number(name, value, 3, 20, whole=True)
    rules = five.game.check_rules(five.game.Rules(columns, 4, rows=rows, gravity=True))
    bits = (rules.rows + 1) * rules.size
    if bits > 63:
        raise ValueError(
            f"{rows} rows and {columns} columns need {bits} bits: "
            f"(rows + 1) * columns must be at most 63"
        )
    return rules


# by Rules · four in a row, for all cells at once
@jit
def has_four(stones, height):
    """Return whether stones, int64 as in Grid, hold four in a row."""
    found = 0
    for step in (1, height - 1, height, height + 1):
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


def bits_of(position: five.game.Game) -> tuple[int, int]:
    """Return (own, both): the stones of the side to move, and all stones, as in Grid."""
    cells, height = position.array, position.rules.height + 1
    points = [
        (int(cells[row, col]), col * height + row) for row, col in np.ndindex(cells.shape)
    ]
    own = sum(1 << bit for cell, bit in points if cell == position.to_move)
    return own, sum(1 << bit for cell, bit in points if cell)


# by Rules · play a column
def column_name(column: int) -> str:
    """Return the letter of a column, a for 0."""
    return chr(ord("a") + column)


def open_columns(game: five.game.Game) -> dict[int, int]:
    """Return {column: the point where a stone would land} of what may be played."""
    return {point % game.rules.size: point for point in sorted(game.legal())}


def drop(game: five.game.Game, column: int | str) -> int:
    """Drop a stone into a column, "d" or 3, and return its point.

    Raises ValueError that names the column and those that may be played.
    """
    free = dict(sorted(open_columns(five.game.check_game(game)).items()))
    names, given = " ".join(map(column_name, free)), five.game.quoted(column)
    if game.over:
        raise ValueError(f"column {given} cannot be played: the game is over")
    text = column.strip().lower() if isinstance(column, str) else ""
    number = ord(text) - ord("a") if len(text) == 1 and text.isalpha() else column
    if not (five.game.is_whole(number) and 0 <= number < game.rules.size):
        raise ValueError(f"there is no column {given}: {names} may be played")
    if number not in free:
        raise ValueError(f"column {column_name(number)} is full: {names} may be played")
    return game.play(free[int(number)])


# ---- Decisive moves and gifts ---------------------------------------------------------------


# by Search · where a stone would make four, and moves that do not lose at once
@jit
def threats_of(stones, height):
    """Return the cells where one more such stone makes four; taken cells are among them."""
    cells = 0
    for step in (1, height - 1, height, height + 1):
        before, after = (
            stones << step & stones << 2 * step,
            stones >> step & stones >> 2 * step,
        )
        cells |= before & (stones << 3 * step | stones >> step)
        cells |= after & (stones >> 3 * step | stones << step)
    return cells


@jit
def count_bits(cells):
    """Return how many bits are set; the compiler makes one instruction of the loop."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count

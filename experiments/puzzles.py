"""The positions of tests/positions: one a line, parts divided by |, # begins a comment."""

from pathlib import Path
from typing import NamedTuple

import five_in_a_row as five

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "positions"


class Puzzle(NamedTuple):
    """A position with the moves that solve it."""

    name: str
    size: int
    moves: str
    solution: tuple[str, ...]
    kind: str

    @property
    def game(self) -> five.game.Game:
        """The position."""
        return five.game.Game.from_text(self.moves, self.size)

    @property
    def listed(self) -> set[int]:
        """The points that solve it."""
        return {five.game.to_point(name, five.game.Rules(self.size)) for name in self.solution}


def read_rows(name: str) -> list[list[str]]:
    """Return the parts of each line of a file."""
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    kept = [line for line in lines if line and not line.startswith("#")]
    return [[part.strip() for part in line.split("|")] for line in kept]


def read_puzzles(name: str = "puzzles.txt") -> list[Puzzle]:
    """Return the puzzles of a file: name | size | moves | solution,solution | kind."""
    return [
        Puzzle(title, int(size), moves, tuple(solution.split(",")), kind)
        for title, size, moves, solution, kind in read_rows(name)
    ]

"""Swap2, an opening for two players of which neither has an advantage.

On 15x15 the first player has a forced win (Allis, van den Herik and Huntjens, Go-Moku Solved
by New Search Techniques, 1993), so many tournaments begin with swap2: one player places two
black stones and a white one. The other then takes white, or takes black, or adds a stone of
each colour and lets the first choose. Whoever opens tries to leave a position that is worth
the same to both sides.

The engine opens with one of its own openings, turned in one of eight ways:
experiments/training/openings.py draws them at random and keeps those that long searches find
even and that are fair in games of the engine with itself. Both are needed. Elsewhere, and
where the file cannot be read, it opens with the most balanced of several random openings.
Asked to choose, it takes the better side if one is clearly better or if two stones were added
already, and otherwise adds them: the most balanced of several random pairs.
"""

import functools
import sys
from pathlib import Path

import numpy as np

import five_in_a_row as five


class Swap2:
    """The opening: whose choice it is, what may be chosen, and who has which colour.

    A player is "first", who opens, or "second". `colours` is filled at the end:
    {"first": BLACK, "second": WHITE} or the other way round.
    """

    def __init__(self, rules=five.game.Rules(15)):
        self.game, self.colours = five.game.Game(rules), {}
        self.step = "open"  # then "choose", perhaps "add" and "choose colour", then "done"

    @property
    def chooser(self) -> str | None:
        """Who is to act: "first", "second", or None when the opening is over."""
        second = self.step in ("choose", "add")
        return None if self.step == "done" else "second" if second else "first"

    def options(self) -> tuple[str, ...]:
        """Return what may be said now; an empty tuple while stones are to be placed."""
        choices = {"choose": ("white", "black", "add"), "choose colour": ("white", "black")}
        return choices.get(self.step, ())

    def place(self, move) -> None:
        """Place the next stone; ValueError where none is to be placed, or not there."""
        if self.step not in ("open", "add"):
            raise ValueError(f"no stone is to be placed now: choose from {self.options()}")
        self.game.play(move)
        if len(self.game.played) in (3, 5):
            self.step = "choose" if self.step == "open" else "choose colour"

    def choose(self, option: str) -> None:
        """Say "white", "black" or "add"; ValueError names what is allowed."""
        if option not in self.options():
            due = self.options() or "place stones"
            raise ValueError(f"{option!r} cannot be chosen now: {due}")
        own, other = self.chooser, "second" if self.chooser == "first" else "first"
        colour = five.game.BLACK if option == "black" else five.game.WHITE
        self.step = "add" if option == "add" else "done"
        self.colours = {} if option == "add" else {own: colour, other: -colour}


CLEAR = 0.15  # of value: a side that has more is taken
OPENINGS = five.cache.HERE / "openings.txt"


@functools.cache
def read_openings(file: Path = OPENINGS) -> list[str]:
    """Return the openings in a file, as "h8 h9 j12"; none if it is damaged, and say so."""
    try:
        lines = file.read_text("utf-8").splitlines()
        found = [" ".join(line.split()[:3]) for line in lines if line[:1] != "#"]
        if not found or any(len(five.game.Game.from_text(m, 15).played) != 3 for m in found):
            raise ValueError("it is damaged")
        return found
    except (OSError, ValueError) as error:
        print(f"five_in_a_row: swap2 without {file.name} ({error})", file=sys.stderr)
        return []


def turned_opening(moves: str, turn: int) -> list[int]:
    """Return the points of an opening on 15×15 in one of its eight turnings."""
    board = np.rot90(np.arange(225).reshape(15, 15), turn)
    board = board.T if turn > 3 else board
    return [int(board.flat[point]) for point in five.game.Game.from_text(moves, 15).played]


def swap2_stones(swap: Swap2, simulations=3_000, tries=12, seed=0) -> list[str]:
    """Return the names of the stones that the engine places now."""
    rng, games, had = np.random.default_rng(seed), [], len(swap.game.played)
    ours = not had and swap.game.rules == five.game.Rules(15, rows=15)
    if ours and (known := read_openings()):
        points = turned_opening(rng.choice(known), rng.integers(8))
        return [five.game.point_name(point, 15) for point in points]
    for _ in range(tries):
        game = swap.game.copy()
        for _ in range((3 if swap.step == "open" else 5) - had):
            game.play(int(rng.choice(five.strength.near_middle(game, 4))))
        games.append(game)
    return five.strength.most_even(games, 1, simulations, seed)[0].moves[had:]


def swap2_choice(swap: Swap2, simulations=20_000, seed=0) -> str:
    """Return which of swap.options() the engine takes."""
    value = five.strength.position_value(swap.game, simulations, seed)  # white is to move
    if "add" in swap.options() and abs(value) < CLEAR:
        return "add"
    return "white" if value > 0 else "black"

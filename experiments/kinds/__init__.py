"""Kinds of players: seeded cases of each.

The kinds of a game stand in the module of its name. They import what they need of the package
only there, for what is handed in may hold the main notebook alone.
"""

import hashlib
import importlib
from functools import cache
from typing import NamedTuple

import numpy as np

MODULES = ("five_in_a_row", "connect_four", "tic_tac_toe", "ludo")


class Kind(NamedTuple):
    """A kind of player: what it is asked, and what asks it.

    cases   cases() yields dicts that JSON can hold, each with what the player is asked
    find    find(case) returns a dict with what it does, at least {"digest": 8 digits}
    """

    cases: object
    find: object


@cache
def load() -> dict[str, Kind]:
    """Return {name: Kind} of the games whose modules are in export/."""
    kinds = {}
    for module in MODULES:
        try:
            kinds |= importlib.import_module(f"experiments.kinds.{module}").KINDS
        except ModuleNotFoundError as error:
            if not error.name.startswith("five_in_a_row."):
                raise
    return kinds


# -- what a player did ---------------------------------------------------------------------
def digest(*parts) -> str:
    """Return eight hexadecimal digits of what the parts print."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def rounded(numbers) -> list:
    """Return numbers with six decimals, 9.0 where there is none (NaN)."""
    return np.nan_to_num(np.round(numbers, 6), nan=9.0).ravel().tolist()


def answer_found(answer) -> dict:
    """Return the row of a player's answer: a move, or what a search found."""
    visits = getattr(answer, "visits", None)
    if visits is None:
        return {"move": int(answer), "digest": digest(int(answer))}
    return {
        "move": int(answer.move),
        "made": int(answer.simulations),
        "digest": digest(visits.ravel().tolist(), rounded(answer.values)),
    }

"""Kinds of players: seeded cases of each, and the tables that depend on them.

A study's kinds stand in the module of its name. They import what they need of the package
only there, for what is handed in may hold the main notebook alone.
"""

import hashlib
import importlib
from functools import cache
from typing import NamedTuple

import numpy as np

STUDIES = ("strength", "connect_four", "tic_tac_toe", "ludo")


class Kind(NamedTuple):
    """A kind of player: what it is asked, and what asks it.

    cases   cases() yields dicts that JSON can hold, each with what the player is asked
    find    find(case) returns a dict with what it does, at least {"digest": 8 digits}
    """

    cases: object
    find: object


class Basis(NamedTuple):
    """What a table rests on: kinds of players, and the budget where no column tells it."""

    kinds: tuple[str, ...]
    budget: str | None = None


@cache
def load() -> dict[str, Kind]:
    """Return {name: Kind} of the studies whose modules are in export/."""
    kinds = {}
    for study in STUDIES:
        try:
            kinds |= importlib.import_module(f"experiments.kinds.{study}").KINDS
        except ModuleNotFoundError as error:
            if error.name.removeprefix("five_in_a_row.") not in STUDIES:
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


# -- what tables rest on -------------------------------------------------------------------
ENGINE = ("engine", "engine keeps its tree")
RIVALS = ("random", "plain", "classic")
LUDO = ("Ludo agents",)
FORCED = (*LUDO, "Ludo forced exit")
SOLVED = ("Connect-4 search", "Connect-4 solver")

TABLES = {
    "ablation": Basis((*ENGINE, "engine without an idea")),
    "ladder": Basis((*ENGINE, *RIVALS), "seconds a move as named"),
    "draw": Basis((*ENGINE, *RIVALS), "seconds a move as named"),
    "levels": Basis(("engine level 3", "engine level 8"), "0.1 s a move at most"),
    "ponder": Basis(ENGINE, "0.03 s a move"),
    "sizes": Basis(ENGINE, "500 to 3500 simulations a move, another number each time"),
    "wishes": Basis(("plain", "classic", "proposed extensions")),
    "constants": Basis(("plain",)),
    "puzzles": Basis(("engine", "plain", "classic"), "1 s a position"),
    "attacks": Basis(("engine",)),
    "attackers": Basis((*ENGINE, "engine without an idea")),
    "cut": Basis(("cut candidates",), "no search"),
    "defence": Basis(("plain",)),
    "page-rates": Basis(("engine", "plain"), "1 s a position"),
    "connect-speed": Basis(("Connect-4 search",), "100000 simulations a run"),
    "connect-book": Basis(("Connect-4 solver",), "no limit"),
    "connect-judged": Basis(("Connect-4 solver", "Connect-4 ideas")),
    "connect-cost": Basis(("Connect-4 solver",)),
    "connect-optimal": Basis(SOLVED),
    "connect-strong": Basis((*SOLVED, "Connect-4 ideas")),
    "connect-perfect": Basis((*SOLVED, "Connect-4 ideas")),
    "connect-seats": Basis((*SOLVED, "Connect-4 ideas")),
    **{
        f"report-{counts}": Basis(("Connect-4 report",), "simulations a move as named")
        for counts in ("printed", "more", "8700", "61500", "103000", "464000", "695000")
    },
    "report-12600-63000": Basis(("Connect-4 report",), "simulations a move as named"),
    "report-adaptive-time": Basis(("Connect-4 report",), "simulations a move as named"),
    **{
        f"printed-{counts}": Basis(
            ("Connect-4 report as printed",), "simulations a move as named"
        )
        for counts in ("more", "8700", "61500", "12600-63000")
    },
    "printed-match": Basis(("Connect-4 report", "Connect-4 report as printed")),
    "bandits": Basis(("policies of gamblers",), "pulls as named"),
    "policies": Basis(("selection policies",)),
    "policy-optimal": Basis(("selection policies", "Connect-4 solver")),
    "poster": Basis(("selection policies", "poster's search")),
    "slice-fit": Basis(("Connect-4 search", "slice heuristic")),
    "slice": Basis(("slice heuristic", "random")),
    "strength": Basis(("Connect-4 ideas",)),
    "strength-speed": Basis(("Connect-4 ideas",), "100000 simulations a run"),
    "ttt-payoff": Basis(("plain", "tic-tac-toe agents")),
    "ttt-searches": Basis(("plain", "tic-tac-toe agents", "Bayesian search")),
    "ttt-simulations": Basis(("tic-tac-toe searches",)),
    "bandit-trees": Basis(("Bayesian bandits",)),
    "bayes-games": Basis(("Bayesian search",)),
    "ludo-pairs": Basis(LUDO, "2 rolls ahead, 1000 simulations a choice"),
    "ludo-forced-pairs": Basis(FORCED, "2 rolls ahead, 1000 simulations a choice"),
    "ludo-seatings": Basis(LUDO, "2 rolls ahead, 400 simulations a choice"),
    "ludo-places": Basis(FORCED, "2 rolls ahead, 400 simulations a choice"),
    "ludo-budgets": Basis(LUDO),
    "ludo-constants": Basis(LUDO),
    "ludo-tempers": Basis((*FORCED, "Ludo ideas")),
    "ludo-ideas": Basis((*LUDO, "Ludo ideas")),
    "ludo-styles": Basis(LUDO, "2 rolls ahead"),
    "ludo-allies": Basis((*LUDO, "Ludo allies"), "no search"),
}

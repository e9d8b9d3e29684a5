"""The tables of Ludo: pairs, seatings, budgets, constants, styles.

In `ludo-pairs` the ring of 40 gets a fifth of the games, and so do pairs with MCTS; in
`ludo-budgets` the largest budget gets half.
"""

from functools import partial

from five_in_a_row import ludo

from experiments import matches


def path_of(table, *match):
    """Return the file of a match, named after what its players do as well."""
    words = "-".join(str(part).replace(" ", "-") for part in match)
    print(f"{table}: {words}", flush=True)
    return matches.archive("ludo").file(f"{table}-{words}-{matches.code(table)}.csv")


def rounds(games):
    """Return a number of games of four players in which each begins equally often."""
    return max(4, games // 4 * 4)


def pairs(games, jobs):
    """Every agent against every other one, two players, ring 52 and ring 40."""
    yield from ludo.pair_rows(games, jobs, path_of=partial(path_of, "ludo-pairs"))


def seatings(games, jobs):
    """Random, rule-based, max^n and MCTS in the six orders round the board, starts rotated."""
    yield from ludo.seat_rows(rounds(games), jobs, path_of=partial(path_of, "ludo-seatings"))


def budgets(games, jobs):
    """MCTS against the mended rule by simulations."""
    yield from ludo.budget_rows(games, jobs=jobs, path_of=partial(path_of, "ludo-budgets"))


def constants(games, jobs):
    """MCTS against the mended rule by c, the weight of exploration."""
    yield from ludo.constant_rows(games, jobs=jobs, path_of=partial(path_of, "ludo-constants"))


def styles(games, jobs):
    """Max^n and paranoid at one board, with two rule-based players between them."""
    yield from ludo.style_rows(rounds(games), jobs, path_of("ludo-styles", "four"))


TABLES = {
    "ludo-pairs": (pairs, 5_000),
    "ludo-seatings": (seatings, 1_000),
    "ludo-budgets": (budgets, 400),
    "ludo-constants": (constants, 600),
    "ludo-styles": (styles, 2_000),
}
UNITS = {}

"""The tables of Ludo: pairs, seatings, budgets, constants, styles, allies.

Of the games of pairs the ring of 40 gets a fifth, and so do pairs with MCTS; in
`ludo-forced-pairs` all pairs on that ring get as many. In `ludo-budgets` the largest budget
gets half.
"""

from functools import partial

from five_in_a_row import ludo

from experiments.registry import TABLES, table
from experiments.store import store

AGENTS = ("Ludo agents",)  # kinds of players
FORCED = (*AGENTS, "Ludo forced exit")


def path_of(name, *match):
    """Return the file of a match, named after what its players do as well."""
    words = "-".join(str(part).replace(" ", "-") for part in match)
    print(f"{name}: {words}", flush=True)
    return store("ludo").file(f"{name}-{words}-{TABLES[name].code()}.csv")


def rounds(games):
    """Return a number of games of four players in which each begins equally often."""
    return max(4, games // 4 * 4)


@table("ludo-pairs", 5_000, AGENTS, budget="2 rolls ahead, 1000 simulations a choice")
def pairs(games, jobs):
    """Every agent against every other one, two players, ring 52 and ring 40."""
    yield from ludo.pair_rows(games, jobs, path_of=partial(path_of, "ludo-pairs"))


@table("ludo-forced-pairs", 1_000, FORCED, budget="2 rolls ahead, 1000 simulations a choice")
def forced_pairs(games, jobs):
    """The same pairs where a six must bring a token out."""
    path = partial(path_of, "ludo-forced-pairs")
    yield from ludo.pair_rows(games, jobs, path_of=path, forced=True)


@table("ludo-seatings", 1_000, AGENTS, budget="2 rolls ahead, 400 simulations a choice")
def seatings(games, jobs):
    """Random, rule-based, max^n and MCTS in the six orders round the board, starts rotated."""
    yield from ludo.seat_rows(rounds(games), jobs, path_of=partial(path_of, "ludo-seatings"))


@table("ludo-places", 40, FORCED, budget="2 rolls ahead, 400 simulations a choice")
def places(games, jobs):
    """The six orders on two rings, with and without a forced exit, played on for places."""
    yield from ludo.house_rows(games, jobs, path_of=partial(path_of, "ludo-places"))


@table("ludo-budgets", 400, AGENTS)
def budgets(games, jobs):
    """MCTS against the mended rule by simulations."""
    yield from ludo.budget_rows(games, jobs=jobs, path_of=partial(path_of, "ludo-budgets"))


@table("ludo-constants", 600, AGENTS)
def constants(games, jobs):
    """MCTS against the mended rule by c, the weight of exploration."""
    yield from ludo.constant_rows(games, jobs=jobs, path_of=partial(path_of, "ludo-constants"))


@table("ludo-tempers", 1_000, (*FORCED, "Ludo ideas"))
def tempers(games, jobs):
    """Aggressive, defensive and balanced rule, each pair, with and without a forced exit."""
    yield from ludo.temper_rows(games, jobs, path_of=partial(path_of, "ludo-tempers"))


@table("ludo-ideas", 100, (*AGENTS, "Ludo ideas"))
def ideas(games, jobs):
    """Bayesian MCTS, and MCTS with short playouts, against the rule and plain MCTS."""
    yield from ludo.idea_rows(games, jobs, path_of=partial(path_of, "ludo-ideas"))


@table("ludo-styles", 2_000, AGENTS, budget="2 rolls ahead")
def styles(games, jobs):
    """Max^n and paranoid at one board, with two rule-based players between them."""
    yield from ludo.style_rows(rounds(games), jobs, path_of("ludo-styles", "four"))


@table("ludo-allies", 1_000, (*AGENTS, "Ludo allies"), budget="no search")
def allies(games, jobs):
    """Two allies who look past each other, among four rule-based players."""
    yield from ludo.ally_rows(rounds(games), jobs, partial(path_of, "ludo-allies"))

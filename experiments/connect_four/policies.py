"""The tables of the Connect-4 study on selection policies and on the poster's variant.

`bandits` counts repetitions instead of games, and its regret is a mean over them.
"""

import itertools
from functools import partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_grid
from five_in_a_row import connect_poster as poster

from experiments.matches import SEED, match
from experiments.registry import table

BUDGETS = {"1000 simulations": {"simulations": 1_000}, "2 ms": {"seconds": 0.002}}
PARTS = {"median": 0.5, "90 %": 0.9, "99 %": 0.99}  # quantiles of the regret


def marks(pulls):
    """Return 1, 2, 5, 10, 20, 50 and so on up to `pulls`."""
    return [m * 10**k for k in range(9) for m in (1, 2, 5) if m * 10**k <= pulls]


def gambled(repetitions, item):
    """Return a set of arms with a policy, item, and float[marks, 6]: what its regret was.

    Mean regret and its error, mean simple regret and its error, then quantiles of the regret.
    """
    arms, name = item
    chances, pulls, begins = poster.ARMS[arms]
    found = poster.gamble(name, chances, marks(pulls), repetitions, SEED, begins)
    error = found.std(0, ddof=1) / np.sqrt(repetitions)
    means = np.stack([found.mean(0), error], 2).reshape(len(error), 4)
    tail = np.quantile(found[:, :, 0], list(PARTS.values()), axis=0).T
    return item, np.hstack([means, tail])


@table(
    "bandits", 2_000, ("policies of gamblers",), unit="repetitions", budget="pulls as named"
)
def bandits(repetitions, jobs):
    """Regret of each policy as a gambler, by pulls, on five sets of arms; its quantiles."""
    columns = ("regret", "error", "simple regret", "simple error", *PARTS)
    items, known = list(itertools.product(poster.ARMS, poster.POLICIES)), {}
    work = partial(gambled, repetitions)
    for (arms, name), found in five.strength.in_parallel(work, items, jobs, False):
        print(f"{arms}, {name}: {found[-1, 0]:.1f} ± {found[-1, 1]:.1f}", flush=True)
        known[arms, name] = found.round(5)
    for arms, name in items:
        about = {"policy": name, "arms": arms}
        for pulls, row in zip(marks(poster.ARMS[arms].pulls), known[arms, name], strict=True):
            shown = about | {"pulls": pulls, "repetitions": repetitions}
            yield shown | dict(zip(columns, row, strict=True))


def meet(name, one, other, games, jobs, **shown):
    """Play a match of Connect-4 between two (name, player); return its row."""
    return match(
        name, one, other, connect_grid.four_rules(), games, jobs, timed=False, **shown
    )


@table("policies", 60, ("selection policies",))
def policies(games, jobs):
    """Each policy against each other: win matrix at equal simulations and at equal time."""
    for budget, settings in BUDGETS.items():
        for one, other in itertools.combinations(poster.POLICIES, 2):
            pair = [(name, poster.SelectionPlayer(name, **settings)) for name in (one, other)]
            named = [(f"{name} {budget}", player) for name, player in pair]
            row = meet("policies", *named, games, jobs, budget=budget)
            yield row | {"a": one, "b": other}


@table("policies-long", 200, ("selection policies",))
def long_policies(games, jobs):
    """Those that rise or fall on the clock against UCT 0.5, at its simulations of 2 ms."""
    rival, budget, settings = "UCT 0.5", "7000 simulations", {"simulations": 7_000}
    for name in ("Bayes-UCB", "KL-UCB", "Thompson", "halving"):
        pair = [
            (f"{policy} {budget}", poster.SelectionPlayer(policy, **settings))
            for policy in (name, rival)
        ]
        row = meet("policies-long", *pair, games, jobs, budget=budget)
        yield row | {"a": name, "b": rival}


SLIPS = {
    "a visit twice": {"twice": True},
    "no credit for draws": {"draws": False},
    "never leaves the root": {"walks": False},
}
WIDE, NARROW = "all children", "one child"
BUILDS = {WIDE: poster.build_wide, NARROW: poster.policy_search} | {
    name: partial(poster.build_wide, **on) for name, on in SLIPS.items()
}


@table("poster", 400, ("selection policies", "poster's search"))
def variant(games, jobs):
    """The poster's search against one child a simulation, and each of its slips."""

    def row(one, other, policy, budget, count, **settings):
        names = [f"{name} {policy} {budget}" for name in (one, other)]
        builds = BUILDS[one], BUILDS[other]
        makers = [poster.SelectionPlayer(policy, build=build, **settings) for build in builds]
        pair = zip(names, makers, strict=True)
        found = meet("poster", *pair, count, jobs, policy=policy, budget=budget)
        return found | {"a": one, "b": other}

    few = games // 2  # where a game takes long
    for policy in ("UCT 0.5", "UCB1"):
        for playouts, count in ((100, games), (1_000, games), (10_000, few)):
            budget = f"{playouts} playouts"
            yield row(WIDE, NARROW, policy, budget, count, simulations=playouts)
        for ms, count in ((1, games), (5, games), (20, few)):
            yield row(WIDE, NARROW, policy, f"{ms} ms", count, seconds=ms / 1000)
    for slip in SLIPS:
        yield row(slip, WIDE, "UCT 0.5", "1000 playouts", games, simulations=1_000)

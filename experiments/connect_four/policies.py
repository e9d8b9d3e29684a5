"""The tables of the Connect-4 study on selection policies and on the poster's variant.

`bandits` counts repetitions instead of games, and its regret is a mean over them;
`policy-optimal` counts the random positions of a ply.
"""

import itertools
from functools import partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_four as four
from five_in_a_row import connect_poster as poster

from experiments.connect_four import perfect
from experiments.matches import SEED, match
from experiments.registry import TABLES, table

BUDGETS = {"1000 simulations": {"simulations": 1_000}, "2 ms": {"seconds": 0.002}}
PARTS = {"median": 0.5, "90 %": 0.9, "99 %": 0.99}  # quantiles of the regret
SEARCHES = 10  # of each solved position


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
    return match(name, one, other, four.four_rules(), games, jobs, timed=False, **shown)


@table("policies", 60, ("selection policies",))
def policies(games, jobs):
    """Each policy against each other: win matrix at equal simulations and at equal time."""
    for budget, settings in BUDGETS.items():
        for one, other in itertools.combinations(poster.POLICIES, 2):
            pair = [(name, poster.SelectionPlayer(name, **settings)) for name in (one, other)]
            named = [(f"{name} {budget}", player) for name, player in pair]
            row = meet("policies", *named, games, jobs, budget=budget)
            yield row | {"a": one, "b": other}


def choices(solved) -> list[tuple]:
    """Return (game, its optimal points) of each position where a move can be wrong.

    solved   pairs (moves, the values of the columns as values_text writes it)
    """
    found = []
    for moves, values in solved:
        game = five.game.Game.from_text(moves, rules=four.four_rules())
        columns = four.open_columns(game).items()
        verdicts = {point: four.judged(values, col) for col, point in columns}
        if any(verdict.choice for verdict in verdicts.values()):
            found.append((game, {point for point, said in verdicts.items() if said.kept}))
    return found


def optimal_share(player, positions, repetitions: int = 1, seed: int = 1) -> dict:
    """Return how often a player finds an optimal move, with its interval.

    positions     pairs (game, the points that are optimal in it)
    repetitions   searches of each position
    Keys: positions, searches and optimal (counts), share, low, high. The interval is for other
    seeds on these positions, not for other positions. ValueError without positions.
    """
    work = list(positions) * repetitions
    if not work:
        raise ValueError("there are no positions to play")
    found, seeds = 0, np.random.SeedSequence(seed).generate_state(len(work))
    for (game, optimal), own in zip(work, seeds, strict=True):
        found += player.move(game.copy(), int(own)) in optimal
    low, high = five.strength.wilson(found, len(work))
    counts = dict(positions=len(work) // repetitions, searches=len(work), optimal=found)
    return counts | dict(share=found / len(work), low=low, high=high)


@table("policy-optimal", 32, ("selection policies", "Connect-4 solver"), unit="a ply")
def optimal(each, jobs):
    """The share of optimal moves of each policy on solved positions, 1,000 simulations."""
    solved = [(moves, values) for _, moves, values in perfect.solved_positions(each)]
    positions, budget = choices(solved), 1_000
    chance = np.mean([len(best) / len(game.legal()) for game, best in positions])
    found = ("positions", "searches", "optimal", "share", "low", "high")
    kept = TABLES["policy-optimal"].rows(("policy", "simulations", "each"), found)
    for policy in poster.POLICIES:

        def find(policy=policy):
            player = poster.SelectionPlayer(policy, simulations=budget)
            share = optimal_share(player, positions, SEARCHES, SEED)
            return [round(share[name], 4) for name in found]

        row = dict(zip(found, kept.of((policy, budget, each), find), strict=True))
        print(f"{policy}: {row['optimal']} of {row['searches']}", flush=True)
        row |= {"by chance": round(chance, 4)}
        yield {"policy": policy, "simulations": budget} | row


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

"""The tables of the Connect-4 study that repeat the report's matches.

Every game begins on the empty grid. `report-*` play the corrected agent, the shared tree
alone, and draws as wins; `printed-*` play the agent as the listing has it.
"""

import time
from functools import partial, update_wrapper

import five_in_a_row as five
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid
from five_in_a_row import connect_report as report

from experiments import matches
from experiments.registry import TABLES, table
from experiments.store import store

RULES = connect_grid.four_rules()
played = partial(matches.played, begins=matches.EMPTY)
MANY = (400, 1_000, 2_000, 4_000, 8_000, 16_000)  # simulations that meet a quarter of them
OPENING = 5  # stones after which games are said to have begun alike
PILOT = 40  # games over which the simulations of an adaptive move are averaged


# -- players -------------------------------------------------------------------------------
def own_trees(*budgets, kernels=four.four_game):
    """Return an agent with a tree of its own for each number of simulations."""
    return [report.Agent(simulations=n, kernels=kernels) for n in budgets]


def one_tree(*budgets, make=report.Agent, kernels=four.four_game):
    """Return agents that share a tree, one for each number of simulations."""
    budgets = ({"simulations": n, "kernels": kernels} for n in budgets)
    return report.sharing(*budgets, make=make)


def printed_trees(*budgets):
    """Return an agent as printed but with a tree of its own for each budget."""
    return [report.PrintedAgent(simulations=n) for n in budgets]


VERSIONS = {
    "draws as wins": partial(one_tree, kernels=report.misread_game),
    "draws as wins own trees": partial(own_trees, kernels=report.misread_game),
    "shared tree only": one_tree,
    "corrected": own_trees,
}
PRINTED = {
    "as printed": partial(one_tree, make=report.PrintedAgent),
    "reward error only": printed_trees,
}


# -- matches -------------------------------------------------------------------------------
def meet(name, one, other, games, jobs, **shown):
    """Play a match between (name, player) and (name, player); return its row."""
    shown |= {"begins": matches.EMPTY, "timed": False}
    return matches.match(name, one, other, RULES, games, jobs, **shown)


@table("report-printed", 1_000, ("Connect-4 report",), budget="simulations a move as named")
def pairs(games, jobs):
    """Corrected against draws as wins; a tree that is kept against a new one for each move."""
    corrected = report.Agent(simulations=1_000)
    rivals = {
        ("corrected 1000", "draws as wins 1000"): report.Agent(
            simulations=1_000, kernels=report.misread_game
        ),
        ("kept tree 1000", "new tree 1000"): report.Agent(simulations=1_000, reuse=False),
    }
    for (name, other), rival in rivals.items():
        yield meet("report-printed", (name, corrected), (other, rival), games, jobs)


def printed(name, n, games, jobs):
    """Corrected against as printed, a tree each."""
    versions = {"corrected": report.Agent, "as printed": report.PrintedAgent}
    pair = [(f"{version} {n}", make(simulations=n)) for version, make in versions.items()]
    yield meet(name, *pair, games, jobs)


def more(name, versions, games, jobs):
    """Many simulations against a quarter of them, by budget, each error on and off."""
    for many in MANY:
        for version, players in versions.items():
            counts = many, many // 4
            names = [f"{version} {n}" for n in counts]
            pair = zip(names, players(*counts), strict=True)
            row = meet(name, *pair, games, jobs)
            yield {"version": version, "many": many, "few": many // 4} | row


def seats(table, version, first, second, result):
    """Return the row of the games in which `first` simulations move first."""
    won, drawn = (int((result.winner == who).sum()) for who in (result.black, "draw"))
    begun = result.moves.str.split().str[:OPENING].str.join(" ").value_counts()
    print(f"  {version}, {first} first, {second} second: won {won}, drawn {drawn}", flush=True)
    return {
        **{"version": version, "first": first, "second": second, "games": len(result)},
        **{"won": won, "drawn": drawn, "lost": len(result) - won - drawn},
        "plies": round(float(result.plies.mean()), 1),
        "different games": result.moves.nunique(),
        **{"opening": begun.index[0], "alike": begun.iloc[0], "openings": len(begun)},
    }


BOTH = {name: VERSIONS[name] for name in ("draws as wins", "corrected")}
LITERAL = {"as printed": PRINTED["as printed"]}


def equal(name, versions, simulations, games, jobs):
    """Table 3.1: two equal agents; how often the first one wins."""
    for version, players in versions.items():
        pair = players(simulations, simulations)
        sides = zip((f"{version} a", f"{version} b"), pair, strict=True)
        result = played(name, *sides, RULES, games, jobs)
        yield seats(name, version, simulations, simulations, result)


def unequal(name, versions, few, many, games, jobs):
    """Table 3.2: few simulations against many, either of them first."""
    for version, players in versions.items():
        pair = players(few, many)
        sides = zip((f"{version} {few}", f"{version} {many}"), pair, strict=True)
        result = played(name, *sides, RULES, 2 * games, jobs)
        for side, first, second in (("a", few, many), ("b", many, few)):
            yield seats(name, version, first, second, result[result.black == side])


CLOCKED = ((5, 5), (5, 25))  # ms of processor time; unequal ones with either of them first
CLOCKED_VERSIONS = {
    "as printed": partial(report.sharing, make=report.PrintedAgent),
    "corrected": lambda *budgets: [report.Agent(**budget) for budget in budgets],
}


@table(
    "report-seconds",
    50,
    ("Connect-4 report", "Connect-4 report as printed"),
    budget="ms of processor time as named",
)
def clocked(games, jobs):
    """Equal and unequal time for a move: how often the first wins, and what a move made."""
    for version, players in CLOCKED_VERSIONS.items():
        for times in CLOCKED:
            budgets = [{"seconds": ms / 1000, "clock": time.thread_time} for ms in times]
            names = [f"{version} {ms} ms {side}" for ms, side in zip(times, "ab", strict=True)]
            sides = zip(names, players(*budgets), strict=True)
            orders = {"a": times, "b": times[::-1]} if len(set(times)) > 1 else {"a": times}
            result = played("report-seconds", *sides, RULES, len(orders) * games, jobs)
            for side, (first, second) in orders.items():
                mine = result[result.black == side] if len(orders) > 1 else result
                yield seats("report-seconds", version, first, second, mine) | searched(mine)


def searched(result):
    """Return the simulations of a move of the first and of the second player."""
    begins = result.black == "a"
    one, other = result["simulations a"], result["simulations b"]
    first, second = one.where(begins, other).sum(), other.where(begins, one).sum()
    moves = ((result.plies + 1) // 2).sum()
    return {
        "simulations first": round(first / moves),
        "simulations second": round(second / (result.plies.sum() - moves)),
    }


@table(
    "report-adaptive-time", 400, ("Connect-4 report",), budget="simulations a move as named"
)
def adaptive_time(games, jobs):
    """Adaptive time, counted in simulations, against a fixed number of the same mean."""
    for simulations in (2_000, 20_000):
        adaptive = report.AdaptiveAgent(simulations=simulations)
        pilot = five.strength.play_match(
            adaptive, adaptive, PILOT, RULES, seed=matches.SEED, jobs=jobs
        )
        made = pilot["simulations a"].sum() + pilot["simulations b"].sum()
        same = round(made / pilot.plies.sum())
        pair = (
            (f"adaptive {simulations}", adaptive),
            (f"fixed {same}", report.Agent(simulations=same)),
        )
        yield meet("report-adaptive-time", *pair, games, jobs, simulations=simulations)


def fixed(function, *first):
    """Return a table's function with its first arguments, and its first line for --list."""
    return update_wrapper(partial(function, *first), function)


COUNTS = {8_700: 1_000, 61_500: 100, 103_000: 100, 464_000: 100, 695_000: 100}
REPORTED = {"kinds": ("Connect-4 report",), "budget": "simulations a move as named"}
LISTED = {**REPORTED, "kinds": ("Connect-4 report as printed",)}
MET = ("Connect-4 report", "Connect-4 report as printed")
for name, n in {"printed-match": 1_000, "printed-match-10000": 10_000}.items():
    table(name, 1_000, MET)(fixed(printed, name, n))
table("report-more", 1_000, **REPORTED)(fixed(more, "report-more", VERSIONS))
table("printed-more", 1_000, **LISTED)(fixed(more, "printed-more", PRINTED))
for n, count in COUNTS.items():
    table(f"report-{n}", count, **REPORTED)(fixed(equal, f"report-{n}", BOTH, n))
for n, count in {8_700: 200, 61_500: 100}.items():
    table(f"printed-{n}", count, **LISTED)(fixed(equal, f"printed-{n}", LITERAL, n))
UNEQUAL = BOTH | {"shared tree only": one_tree}
for kind, versions, known in (("report", UNEQUAL, REPORTED), ("printed", PRINTED, LISTED)):
    name = f"{kind}-12600-63000"
    table(name, 100, **known)(fixed(unequal, name, versions, 12_600, 63_000))


def by_beginning(n, games, jobs):
    """Yield the corrected agent's games of table report-n by their first five stones."""
    pair = zip(("corrected a", "corrected b"), own_trees(n, n), strict=True)
    yield from counted_by_beginning(n, played(f"report-{n}", *pair, RULES, games, jobs))


def counted_by_beginning(n, result):
    """Yield the games of a match with n simulations by their first five stones."""
    named = result.moves.map(partial(matches.beginning, rules=RULES))
    for begun, group in result.groupby(named):
        won, drawn = (int((group.winner == who).sum()) for who in (group.black, "draw"))
        row = {"simulations": n, "opening": begun, "games": len(group)}
        yield row | {"won": won, "drawn": drawn, "lost": len(group) - won - drawn}


@table("report-beginnings", 100, **REPORTED)
def beginnings(games, jobs):
    """Who wins the corrected agent's games of two other tables, by their first five stones."""
    for n in (61_500, 464_000):
        yield from by_beginning(n, games, jobs)


@table("report-after-d4", 100, **REPORTED)
def after_d4(games, jobs):
    """Who wins the corrected agent's games after d1 d2 d3 d4, by their first five stones."""
    n, about = 61_500, TABLES["report-after-d4"]
    result = five.strength.play_match(
        *own_trees(n, n),
        games,
        RULES,
        openings=["d1 d2 d3 d4"],
        seed=matches.SEED,
        jobs=jobs,
        path=store(about.study).file(f"{about.name}-{about.code()}.csv"),
    )
    yield from counted_by_beginning(n, result)


@table("report-all-beginnings", 100, **REPORTED)
def all_beginnings(games, jobs):
    """The same for all five budgets; with the fewest simulations there are more games."""
    for n, count in COUNTS.items():
        yield from by_beginning(n, count * games // 100, jobs)

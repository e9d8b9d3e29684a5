"""The tables of the Connect-4 study on the slice heuristic.

`slice-fit` counts positions instead of games.
"""

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid
from five_in_a_row import connect_poster as poster

from experiments.connect_four.policies import meet
from experiments.matches import FRESH, SEED
from experiments.registry import TABLES, table

RULES = connect_grid.four_rules()
FIT_SIMULATIONS = 1_000  # a move, of the games that the curve is fitted to
FEWEST, MOST = 2, 37  # stones of those positions
BUDGETS = {
    "simulations": {n: {"simulations": n} for n in (100, 1_000, 10_000)},
    "ms": {n: {"seconds": n / 1000} for n in (2, 20)},
}


# -- the curve -----------------------------------------------------------------------------
def random_position(rng):
    """Return a game of random moves that is not over, its number of stones random as well."""
    stones = int(rng.integers(FEWEST, MOST + 1))
    while True:
        game = four.random_drops(stones, rng)
        if not game.over:
            return game


def played_out(number):
    """Return value and points (1, ½, 0) of random position `number`, for its side to move."""
    rng = np.random.default_rng([SEED, number])
    game, player = random_position(rng), four.FourUCT(simulations=FIT_SIMULATIONS)
    own, both = connect_grid.bits_of(game)
    grid, side = connect_grid.Grid(RULES.height, RULES.size), game.to_move
    while not game.over:
        game.play(player.move(game, int(rng.integers(2**63))))
    points = (1 + (game.winner or 0) * side) / 2
    return poster.slice_value(own, both, grid.full, grid.height), points


@table("slice-fit", 4_000, ("Connect-4 search", "slice heuristic"), unit="positions")
def fit(positions, jobs):
    """Value of random positions, and the points of plain UCT in them, by value."""
    import pandas as pd

    kept = TABLES["slice-fit"].rows(("number",), ("value", "points"))
    missing = [n for n in range(positions) if (n,) not in kept]
    found = five.strength.in_parallel(lambda n: (n, played_out(n)), missing, jobs, False)
    for number, result in found:
        kept[number,] = result
    rows = [tuple(map(float, kept[n,])) for n in range(positions)]
    values = pd.DataFrame(rows, columns=["value", "points"]).groupby("value").points
    table = values.agg(positions="size", points="sum").reset_index()
    try:
        print(poster.fit_chance(table), flush=True)
    except ValueError as error:
        print(f"too few positions for the curve of the figure: {error}", flush=True)
    for row in table.astype({"value": int}).itertuples(index=False):
        stones = f"{FEWEST} to {MOST}"
        yield row._asdict() | {"stones": stones, "simulations": FIT_SIMULATIONS}


# -- matches -------------------------------------------------------------------------------
@table("slice", 200, ("slice heuristic", "random"))
def slices(games, jobs):
    """One ply against chance and plain UCT; each use of the heuristic against plain UCT."""
    alone, plain = ("one ply", poster.OnePlyPlayer()), "plain UCT"
    uses = [use for use in poster.USES if use != plain]
    rivals = {"random": five.mcts.RandomPlayer()}
    rivals |= {
        f"{plain} {n}": poster.SlicePlayer(plain, simulations=n) for n in (10, 100, 1_000)
    }
    for rival in rivals.items():
        yield meet("slice", alone, rival, games, jobs, kind="one ply", amount=0, budget="")
    for kind, budgets in BUDGETS.items():
        for amount, settings in budgets.items():
            budget = f"{amount} {kind}"
            rival = f"{plain} {budget}", poster.SlicePlayer(plain, **settings)
            for use in uses:
                pair = (f"{use} {budget}", poster.SlicePlayer(use, **settings)), rival
                row = meet(
                    "slice", *pair, games, jobs, kind=kind, amount=amount, budget=budget
                )
                yield row | {"a": use, "b": plain}


@table("slice-fresh", 400, ("slice heuristic",))
def fresh(games, jobs):
    """Two uses against plain UCT once more, at 2 ms from other openings: these decide."""
    settings, budget, plain = BUDGETS["ms"][2], "2 ms", "plain UCT"
    rival = f"{plain} {budget}", poster.SlicePlayer(plain, **settings)
    for use in ("leaf", "mix + prior"):
        pair = (f"{use} {budget}", poster.SlicePlayer(use, **settings)), rival
        row = meet("slice-fresh", *pair, games, jobs, begins=FRESH, budget=budget)
        yield row | {"a": use, "b": plain}

"""The tables of the Connect-4 study on what adds strength.

`connect-ideas` plays each idea against plain UCT, at equal simulations and at equal processor
time; `connect-ideas-speed` counts simulations a second, in rounds instead of games.
"""

import five_in_a_row as five
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid

from experiments.matches import match
from experiments.registry import table

BUDGETS = {
    "equal simulations": ("1000 simulations", {"simulations": 1_000}),
    "equal time": ("5 ms", {"seconds": 0.005}),
}


@table("connect-ideas", 400, ("Connect-4 ideas",))
def ideas(games, jobs):
    """Each idea against plain UCT, at equal simulations and at equal processor time."""
    for at, (budget, settings) in BUDGETS.items():
        rival = (f"{four.PLAIN_UCT} {budget}", four.IdeaPlayer(four.PLAIN_UCT, **settings))
        for idea in (name for name in four.IDEAS if name != four.PLAIN_UCT):
            player = f"{idea} {budget}", four.IdeaPlayer(idea, **settings)
            board = connect_grid.four_rules()
            shown = {"at": at, "budget": budget, "timed": False}
            row = match("connect-ideas", player, rival, board, games, jobs, **shown)
            yield row | {"a": idea, "b": four.PLAIN_UCT}


@table(
    "connect-ideas-speed",
    15,
    ("Connect-4 ideas",),
    unit="rounds",
    budget="100000 simulations a run",
)
def ideas_speed(rounds, jobs):
    """Simulations a second with each idea, from the empty grid; rounds instead of games."""
    yield from four.speed_rows(five.strength.measure_rates(four.idea_runs(100_000), rounds))

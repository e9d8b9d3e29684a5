"""The tables of the Connect-4 study on what adds strength.

`strength` plays each idea against plain UCT, at equal simulations and at equal processor time;
`strength-speed` counts simulations a second, in rounds instead of games.
"""

from functools import partial

import five_in_a_row as five
from five_in_a_row import connect_four as four

from experiments import matches

match = partial(matches.match, "connect_four")
BUDGETS = {
    "equal simulations": ("1000 simulations", {"simulations": 1_000}),
    "equal time": ("5 ms", {"seconds": 0.005}),
}


def strength(games, jobs):
    """Each idea against plain UCT, at equal simulations and at equal processor time."""
    for at, (budget, how) in BUDGETS.items():
        rival = (f"{four.PLAIN} {budget}", four.IdeaPlayer(four.PLAIN, **how))
        for idea in (name for name in four.IDEAS if name != four.PLAIN):
            player = f"{idea} {budget}", four.IdeaPlayer(idea, **how)
            board, shown = four.four_rules(), {"at": at, "budget": budget, "timed": False}
            row = match("strength", player, rival, board, games, jobs, **shown)
            yield row | {"a": idea, "b": four.PLAIN}


def strength_speed(rounds, jobs):
    """Simulations a second with each idea, from the empty grid; rounds instead of games."""
    yield from four.speed_rows(five.strength.measure_rates(four.idea_runs(100_000), rounds))


TABLES = {"strength": (strength, 400), "strength-speed": (strength_speed, 15)}

"""Make the tables of the Bayesian search: python export/measure_bayes.py [TABLE ...]

`bandit-trees` counts bandit trees instead of games, and its regret is a mean over them;
`bayes-games` plays each Bayesian method against UCT, at equal simulations and at equal
processor time. Whatever is found is kept in export/results/games/ as it is found, so a run
that was stopped goes on where it was. `--list` names the tables; the seed is 1.
"""

from functools import lru_cache

import five_in_a_row as five
import measure
import measure_perfect
import numpy as np
from five_in_a_row import tic_tac_toe as ttt

BOARDS = {  # rules, and the budgets at equal simulations and at equal time
    "tic-tac-toe": (five.core.Rules(3, 3), 50, 0.0002),
    "Connect-4": (ttt.four.four_rules(), 1_000, 0.005),
    "five in a row": (five.core.Rules(8), 1_000, 0.005),
}
RIVALS = ("UCT", "UCT 0.5")


@lru_cache
def code_of(games):
    """Return a short hash of the code that a table measures."""
    parts = [ttt.beta_belief, ttt.grid_results, ttt.grid_moments, ttt.clark]
    parts += [ttt.bell_certain, ttt.bell_results, ttt.bell_best]
    parts += [ttt.grid_certain, ttt.grid_own, ttt.grid_best]
    parts += [ttt.build_backup, ttt.build_bayes, ttt.Method]
    if games:
        parts += [ttt.kernels_of, ttt.bayes_tree, ttt.bayes_player]
        parts += [ttt.four.StudyTree, ttt.four.study_player]
    else:
        parts += [ttt.bandit_tree, ttt.build_climber.__wrapped__, ttt.tree_regret]
    constants = {name: (each.c_uct, each.c_sigma) for name, each in ttt.METHODS.items()}
    begin = measure_perfect.agent_code() + repr((constants, ttt.STEPS, ttt.WIDTH))
    return measure.code_hash(*parts, begin=begin)


def bandit_trees(trees, jobs):
    """Mean regret of each method on two-ply bandit trees, by simulations, with its error."""
    kept = measure_perfect.Kept(
        f"bandit-trees-{code_of(False)}",
        ("method", "trees"),
        [f"{what} {mark}" for mark in ttt.MARKS for what in ("regret", "error", "visited")],
    )
    for name in ttt.STYLES:

        def find(name=name):
            found = ttt.tree_regret(name, trees, seed=measure.SEED)
            means = found.mean(axis=0)
            errors = found[:, :, 0].std(axis=0, ddof=1) / np.sqrt(trees)
            rows = zip(means[:, 0], errors, means[:, 1], strict=True)
            return [round(value, 6) for row in rows for value in row]

        values = np.array(kept.of((name, trees), find), float).reshape(-1, 3)
        print(f"{name}: {values[-1, 0]:.4f} ± {values[-1, 1]:.4f}", flush=True)
        for mark, (regret, error, visited) in zip(ttt.MARKS, values, strict=True):
            yield {
                **{"method": name, "simulations": mark, "trees": trees},
                **{"regret": regret, "error": error, "visited": visited},
            }


def bayes_games(games, jobs):
    """Each Bayesian method against UCT on three boards, equal simulations and equal time."""
    pairs = [(name, rival) for rival in RIVALS for name in ttt.STYLES if name not in RIVALS]
    pairs += [RIVALS]  # what the constant alone is worth
    for board, (rules, simulations, seconds) in BOARDS.items():
        budgets = {
            "equal simulations": (f"{simulations} simulations", {"simulations": simulations}),
            "equal time": (f"{1000 * seconds:g} ms", {"seconds": seconds}),
        }
        for at, (budget, how) in budgets.items():
            for pair in pairs:
                players = [
                    (f"{name} {budget}", ttt.bayes_player(name, **how)) for name in pair
                ]
                shown = {"at": at, "budget": budget, "game": board, "timed": False}
                shown |= {"empty": board == "tic-tac-toe"}  # few stones decide it
                table = f"bayes-{code_of(True)}"
                row = measure.match(table, *players, rules, games, jobs, **shown)
                yield row | dict(zip("ab", pair, strict=True))


TABLES = {"bandit-trees": (bandit_trees, 5_000), "bayes-games": (bayes_games, 200)}
UNITS = {"bandit-trees": "trees"}

if __name__ == "__main__":
    raise SystemExit(measure.main(tables=TABLES, about=__doc__, units=UNITS))

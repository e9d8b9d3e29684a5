"""Make the tables of the study of tic-tac-toe: python export/measure_ttt.py [TABLE ...]

Whatever is found is kept in export/results/games/ as it is found, so a run that was stopped
goes on where it was. The tables go to export/results/. `--list` names the tables; without a
name all are made. The seed is 1.
"""

from collections import Counter
from functools import cache

import five_in_a_row as five
import measure
from five_in_a_row import tic_tac_toe as ttt
from measure_perfect import Kept

BUDGETS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
PAYOFF_BUDGETS = (100, ttt.SIMULATIONS)
SEARCHES = {"plain search": False, "with proofs": True}
UNLIKE = 12  # positions that are named as the hardest


@cache
def agents_code():
    """Return a short hash of the code that the agents of the matrices depend on."""
    parts = [ttt.play, ttt.standing.__wrapped__, ttt.all_classes.__wrapped__, ttt.Minimax]
    parts += [ttt.best_points.__wrapped__, ttt.chance, ttt.minimax, ttt.random_minimax]
    parts += [ttt.learn, ttt.best_of, ttt.draw_move, ttt.QLearner, ttt.policy_player]
    numbers = repr((ttt.CONSTANT, ttt.FALLING, ttt.LESSONS, measure.engine_code()))
    return measure.code_hash(*parts, begin=numbers)


@cache
def search_code():
    """Return a short hash of the code that a search of all positions depends on."""
    return measure.code_hash(ttt.searched, begin=measure.engine_code())


def payoff(games, jobs):
    """MCTS against each agent of the matrices and itself; games: with each moving first."""
    for simulations in PAYOFF_BUDGETS:
        search = five.search.plain_uct(simulations)
        for name, rival in ttt.mcts_rivals(simulations).items():
            pair = (f"MCTS {simulations}", search), (name.replace(",", ""), rival)
            table = f"ttt-{agents_code()}"
            result = measure.played(table, *pair, ttt.RULES, 2 * games, jobs, True)
            row = ttt.seat_row(name, simulations, result)
            print(row, flush=True)
            yield row


def simulations(seeds, jobs):
    """What the search chooses in every position: where it errs, and who beats it."""
    name = f"ttt-simulations-{search_code()}"
    kept = Kept(name, ("agent", "simulations", "seeds", "board"), ("points",))
    boards = ttt.choices()
    for agent, solve in SEARCHES.items():
        for budget in BUDGETS:
            known = {b: (agent, budget, seeds, ttt.board_text(b)) for b in boards}
            missing = [b for b, key in known.items() if tuple(map(str, key)) not in kept.rows]

            def search(board, budget=budget, solve=solve):
                return board, ttt.searched(board, budget, seeds, solve)

            for board, chosen in five.strength.in_parallel(search, missing, jobs, False):
                text = " ".join(f"{point}:{chosen[point]}" for point in sorted(chosen))
                kept.of(known[board], lambda text=text: [text])
            counts = {
                b: read_counts(kept.rows[tuple(map(str, key))][0]) for b, key in known.items()
            }
            row = {"agent": agent, "simulations": budget, "seeds": seeds}
            row |= judged(counts)
            print(row, flush=True)
            yield row


def read_counts(text):
    """Return Counter {point: searches} of a text such as "0:3 4:97"."""
    pairs = (pair.split(":") for pair in text.split())
    return Counter({int(point): int(count) for point, count in pairs})


def judged(counts):
    """Return what is wrong in the searches of all positions, and who may make use of it."""
    policy, found = ttt.counted_policy(counts), ttt.faults(counts)
    wrong = {b: ttt.faults({b: chosen}).get("wrong", 0) for b, chosen in counts.items()}
    hardest = sorted((b for b in wrong if wrong[b]), key=lambda b: -wrong[b])[:UNLIKE]
    as_x, as_o = ttt.walk(policy, ttt.chance), ttt.walk(ttt.chance, policy)
    return found | {
        **{"X beaten": ttt.beaten(policy, 1), "O beaten": ttt.beaten(policy, -1)},
        **{"X wins v random": as_x.first, "O wins v random": as_o.second},
        "hardest": " ".join(map(ttt.board_text, hardest)),
    }


TABLES = {"ttt-payoff": (payoff, 2_000), "ttt-simulations": (simulations, 100)}
UNITS = {"ttt-payoff": "a first player", "ttt-simulations": "seeds"}

if __name__ == "__main__":
    raise SystemExit(measure.main(tables=TABLES, about=__doc__, units=UNITS))

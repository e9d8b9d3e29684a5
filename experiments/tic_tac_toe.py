"""The tables of tic-tac-toe: who is beaten by whom, what a search chooses, Bayesian search.

`bandit-trees` counts bandit trees instead of games, and its regret is a mean over them;
`bayes-games` plays each Bayesian method against UCT, at equal simulations and at equal
processor time.
"""

from collections import Counter
from functools import partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import bayes, connect_grid
from five_in_a_row import tic_tac_toe as ttt

from experiments import matches
from experiments.matches import match
from experiments.registry import TABLES, table

BUDGETS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
PAYOFF_BUDGETS = (100, ttt.SIMULATIONS)
PAYOFF_SEARCHES = {  # which method each is, of those that joined the matrices later
    "MCTS √2": "UCT",
    "Bayes-UCT1": "Bayes-UCT1",
    "Bayes-UCT2": "Bayes-UCT2",
}
SEARCHES = {"plain search": False, "with proofs": True}
UNLIKE = 12  # positions that are named as the hardest
played = partial(matches.played, begins=matches.EMPTY)
BOARDS = {  # rules, and the budgets at equal simulations and at equal time
    "tic-tac-toe": (five.game.Rules(3, 3), 50, 0.0002),
    "Connect-4": (connect_grid.four_rules(), 1_000, 0.005),
    "five in a row": (five.game.Rules(8), 1_000, 0.005),
}
RIVALS = ("UCT", "UCT 0.5")


def mcts_rivals(simulations):
    """Return {name: player} of whom MCTS meets: the policies, and itself."""
    policies = ttt.policies_by_name().items()
    players = {name: ttt.PolicyPlayer(policy, name=name) for name, policy in policies}
    return players | {"MCTS": five.PlainUCT(simulations=simulations)}


def seat_row(a, b, simulations, result):
    """Return a row of ttt-payoff: the counts of a match by who moved first, and its pairs."""
    row = {"a": a, "b": b, "simulations": simulations, "games": len(result) // 2}
    row |= five.strength.count_pairs(result)
    for first in "ab":
        winners = result[result.black == first].winner
        for who in ("a", "b", "draw"):
            row[f"{first} first: {who}"] = int((winners == who).sum())
    return row


@table("ttt-payoff", 2_000, ("plain", "tic-tac-toe agents"), unit="a first player")
def payoff(games, jobs):
    """MCTS against each agent of the matrices and itself; games: with each moving first."""
    for simulations in PAYOFF_BUDGETS:
        search = five.PlainUCT(simulations=simulations)
        for name, rival in mcts_rivals(simulations).items():
            pair = (f"MCTS {simulations}", search), (name.replace(",", ""), rival)
            result = played("ttt-payoff", *pair, ttt.RULES, 2 * games, jobs)
            row = seat_row("MCTS", name, simulations, result)
            print(row, flush=True)
            yield row


@table(
    "ttt-searches",
    500,
    ("plain", "tic-tac-toe agents", "Bayesian search"),
    unit="a first player",
)
def search_payoff(games, jobs):
    """MCTS with √2 and Bayesian search against every agent; games: with each moving first."""
    for simulations in reversed(PAYOFF_BUDGETS):
        # half as many with the most simulations, where a game takes longest
        number = max(1, games // 2) if simulations == PAYOFF_BUDGETS[-1] else games
        agents = mcts_rivals(simulations)
        for name, method in PAYOFF_SEARCHES.items():
            agents[name] = search = bayes.BayesPlayer(method, simulations=simulations)
            for rival, other in agents.items():
                plain = rival.replace(",", "").replace("√", "root ")  # for a file's name
                pair = (f"{method} {simulations}", search), (plain, other)
                result = played("ttt-searches", *pair, ttt.RULES, 2 * number, jobs)
                row = seat_row(name, rival, simulations, result)
                print(row, flush=True)
                yield row


@table("ttt-simulations", 100, ("tic-tac-toe searches",), unit="seeds")
def simulations(seeds, jobs):
    """What the search chooses in every position: where it errs, and who beats it."""
    keys = "agent", "simulations", "seeds", "board"
    kept = TABLES["ttt-simulations"].rows(keys, ("points",))
    boards = ttt.open_classes()
    for agent, solve in SEARCHES.items():
        for budget in BUDGETS:
            known = {b: (agent, budget, seeds, ttt.position_text(b)) for b in boards}
            missing = [b for b, key in known.items() if key not in kept]

            def search(board, budget=budget, solve=solve):
                return board, ttt.searched(board, simulations=budget, seeds=seeds, solve=solve)

            for board, chosen in five.strength.in_parallel(search, missing, jobs, False):
                text = " ".join(f"{point}:{chosen[point]}" for point in sorted(chosen))
                kept[known[board]] = [text]
            counts = {b: read_counts(kept[key][0]) for b, key in known.items()}
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
    policy, found = ttt.counted_policy(counts), ttt.count_mistakes(counts)
    wrong = {
        b: ttt.count_mistakes({b: chosen}).get("wrong", 0) for b, chosen in counts.items()
    }
    hardest = sorted((b for b in wrong if wrong[b]), key=lambda b: -wrong[b])[:UNLIKE]
    return found | {
        "X beaten": ttt.response_wins(policy, -1),
        "O beaten": ttt.response_wins(policy, 1),
        "X wins v random": ttt.exact_odds(policy, ttt.random_policy).first,
        "O wins v random": ttt.exact_odds(ttt.random_policy, policy).second,
        "hardest": " ".join(map(ttt.position_text, hardest)),
    }


# -- Bayesian search -----------------------------------------------------------------------
@table("bandit-trees", 5_000, ("Bayesian bandits",), unit="trees")
def bandit_trees(trees, jobs):
    """Mean regret of each method on two-ply bandit trees, by simulations, with its error."""
    found = [
        f"{what} {mark}"
        for mark in bayes.CHECKPOINTS
        for what in ("regret", "error", "visited")
    ]
    kept = TABLES["bandit-trees"].rows(("method", "trees"), found)
    for name in bayes.METHODS:

        def find(name=name):
            found = bayes.tree_regret(name, trees, seed=matches.SEED)
            means = found.mean(axis=0)
            errors = found[:, :, 0].std(axis=0, ddof=1) / np.sqrt(trees)
            rows = zip(means[:, 0], errors, means[:, 1], strict=True)
            return [round(value, 6) for row in rows for value in row]

        values = np.array(kept.of((name, trees), find), float).reshape(-1, 3)
        print(f"{name}: {values[-1, 0]:.4f} ± {values[-1, 1]:.4f}", flush=True)
        for mark, (regret, error, visited) in zip(bayes.CHECKPOINTS, values, strict=True):
            row = {"method": name, "simulations": mark, "trees": trees}
            yield row | {"regret": regret, "error": error, "visited": visited}


@table("bayes-games", 200, ("Bayesian search",))
def bayes_games(games, jobs):
    """Each Bayesian method against UCT on three boards, equal simulations and equal time."""
    pairs = [(name, rival) for rival in RIVALS for name in bayes.METHODS if name not in RIVALS]
    pairs += [RIVALS]  # what the constant alone is worth
    for board, (rules, simulations, seconds) in BOARDS.items():
        budgets = {
            "equal simulations": (f"{simulations} simulations", {"simulations": simulations}),
            "equal time": (f"{1000 * seconds:g} ms", {"seconds": seconds}),
        }
        for at, (budget, limit) in budgets.items():
            for pair in pairs:
                players = [
                    (f"{name} {budget}", bayes.BayesPlayer(name, **limit)) for name in pair
                ]
                shown = {"at": at, "budget": budget, "game": board, "timed": False}
                if board == "tic-tac-toe":  # few stones decide it
                    shown["begins"] = matches.EMPTY
                row = match("bayes-games", *players, rules, games, jobs, **shown)
                yield row | dict(zip("ab", pair, strict=True))

"""Players of tic-tac-toe and Bayesian search: policies, searches, methods, bandit trees."""

import five_in_a_row as five
from five_in_a_row import bayes, connect_grid
from five_in_a_row import tic_tac_toe as ttt

from experiments.kinds import Kind, answer_found, digest, rounded

SEARCHES = {"plain search": False, "with proofs": True}
BOARDS = {  # rules, moves of a position, simulations
    "3×3": (ttt.RULES, "b2 a1", 100),
    "Connect-4": (connect_grid.four_rules(), "d1 d2 c1", 300),
    "five in a row": (five.game.Rules(8), "d4 e5 d5 e4", 300),
}
SEARCHED = (  # methods on boards: together every method, every board
    ("UCT", "3×3"),
    ("Bayes-UCT1", "3×3"),
    ("Bayes-UCT2 grid", "3×3"),
    ("Bayes-UCT2", "Connect-4"),
    ("Bayes-UCT1 grid", "five in a row"),
)
AGENTS = (
    "random",
    "minimax",
    "random-minimax",
    "Q-learning, constant rate",
    "Q-learning, falling rate",
    ttt.TRAPS,
)


# -- cases ---------------------------------------------------------------------------------
def plies():
    """Yield a case for each agent and number of stones."""
    for agent in AGENTS:
        for stones in (0, 1, 2, 3, 5):
            yield {"player": agent, "stones": stones}


def boards():
    """Yield a case for each kind of search in some positions."""
    every = ttt.open_classes()
    for player in SEARCHES:
        for n in range(10):
            board = ttt.position_text(every[6 * n])  # few stones: searches differ most
            yield {"player": player, "board": board, "simulations": 30, "seeds": 20}


def games():
    """Yield three cases for each pair of SEARCHED."""
    for n, (method, board) in enumerate(SEARCHED):
        for seed in range(900 + 10 * n, 903 + 10 * n):
            yield {"player": method, "board": board, "seed": seed}


def trees():
    """Yield a case for each Bayesian method, twice."""
    for method in bayes.METHODS:
        for seed in (1, 2):
            yield {"player": method, "trees": 6, "seed": seed}


# -- what they do --------------------------------------------------------------------------
def policy_found(case):
    """Return the odds of every move of an agent, in all positions with so many stones."""
    policy = ttt.policies_by_name()[case["player"]]
    found = [
        sorted((point, round(odds, 6)) for point, odds in policy(board).items())
        for board in ttt.open_classes()
        if sum(map(bool, board)) == case["stones"]
    ]
    return {"made": len(found), "digest": digest(found)}


def search_found(case):
    """Return how often a search with different seeds plays each point."""
    board, solve = ttt.read_position(case["board"]), SEARCHES[case["player"]]
    budget = {"simulations": case["simulations"], "seeds": case["seeds"]}
    counts = ttt.searched(board, **budget, solve=solve)
    return {"digest": digest(sorted(counts.items()))}


def method_found(case):
    """Return what a search with a Bayesian method does."""
    rules, moves, simulations = BOARDS[case["board"]]
    game = five.game.Game.from_text(moves, rules=rules)
    player = bayes.BayesPlayer(case["player"], simulations=simulations)
    player.move(game, case["seed"])
    return answer_found(player.result)


def tree_found(case):
    """Return the regret of a method on bandit trees."""
    marks = (25, 100, 500)
    regret = bayes.tree_regret(case["player"], case["trees"], marks, case["seed"])
    return {"digest": digest(rounded(regret))}


KINDS = {
    "tic-tac-toe agents": Kind(plies, policy_found),
    "tic-tac-toe searches": Kind(boards, search_found),
    "Bayesian search": Kind(games, method_found),
    "Bayesian bandits": Kind(trees, tree_found),
}

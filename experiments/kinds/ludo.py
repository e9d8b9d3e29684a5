"""Players of Ludo: the agents of the matches, with two players and with four."""

import numpy as np
from five_in_a_row import ludo

from experiments.kinds import Kind, answer_found

AGENTS = {
    "random": ludo.random_ludo,
    "rule as printed": ludo.rule_based(ludo.AS_PRINTED),
    "rule-based": ludo.rule_based(),
    "expectiminimax": ludo.looker(ludo.AHEAD),
    "max^n": ludo.looker(ludo.AHEAD, selfish=True),
    "MCTS": ludo.ludo_mcts(400),
}


def position(players, rolls, seed):
    """Return (steps, who is to move, the roll) after random rolls, where there is a choice."""
    rng = np.random.default_rng([16, players, rolls, seed])
    game = ludo.Ludo(ludo.LudoRules(players=players))
    while not game.over:
        tokens = game.roll(int(rng.integers(1, 7)))
        if len(game.record) >= rolls and len(game.legal(once=True)) > 1:
            break
        if tokens:
            game.move(int(rng.choice(tokens)))
    return game.steps.tolist(), int(game.to_move), int(game.die)


def choices():
    """Yield the cases: every agent in three positions of two players, and three of four."""
    for n, agent in enumerate(AGENTS):
        for i in range(6):
            steps, mover, die = position((2, 4)[i % 2], (20, 60, 120)[i // 2], i)
            case = {"player": agent, "steps": steps, "to move": mover, "die": die}
            yield case | {"seed": 950 + 10 * n + i}


def choice_found(case):
    """Return what an agent chooses."""
    rules = ludo.LudoRules(players=len(case["steps"]))
    game = ludo.set_up(case["steps"], case["to move"], rules)
    game.roll(case["die"])
    return answer_found(AGENTS[case["player"]](game, case["seed"]))


KINDS = {"Ludo agents": Kind(choices, choice_found)}

"""Players of Ludo: the agents of the matches, with two and four players, under two rules."""

from functools import partial

import numpy as np
from five_in_a_row import ludo

from experiments.kinds import Kind, answer_found

AGENTS = {
    "random": ludo.random_ludo,
    "rule as printed": ludo.rule_based(ludo.AS_PRINTED),
    "rule-based": ludo.rule_based(),
    "expectiminimax": ludo.looker(ludo.AHEAD),
    "max^n": ludo.looker(ludo.AHEAD, selfish=True),
    "MCTS": ludo.ludo_mcts(simulations=400),
}


def searcher(options):
    """Return MCTS with 400 simulations and other options."""
    return ludo.ludo_mcts(simulations=400, options=options)


IDEAS = {
    **{name: ludo.rule_based(weights) for name, weights in ludo.TEMPERS.items()},
    **{f"cut {cut}": searcher(ludo.LudoSearch(cut=cut)) for cut in (2, 32)},
    **{name: searcher(options) for name, options in ludo.BAYES_LUDO.items()},
}
PRINTED = {  # both look ahead to the rule as printed
    "expectiminimax": ludo.looker(ludo.AHEAD, weights=ludo.AS_PRINTED),
    "minimax": ludo.looker(ludo.AHEAD, weights=ludo.AS_PRINTED, chance=False),
}
FOUR_PRINTED = {  # no chance nodes, with more than two players
    "minimax": ludo.looker(ludo.AHEAD, selfish=True, weights=ludo.AS_PRINTED, chance=False),
    "rule as printed": ludo.rule_based(ludo.AS_PRINTED),
}
PARTY = {name: searcher(options) for name, options in ludo.BAYES_LUDO.items()}
PACTS = {
    "for a time": ludo.allied(2, until=1),
    "against a leader": ludo.allied(2, leader=True),
    "two allies": ludo.allied(1, 2),
    "two allies against a leader": ludo.allied(1, 2, leader=True),
}
SPLIT = {f"looks ahead, ties: {ties}": ludo.split_looker(ties) for ties in (True, False)}
ALLIES = {f"ally {distance}": ludo.allied(distance) for distance in (1, 2, 3)}


def position(rules, rolls, seed):
    """Return (steps, who is to move, the roll) after random rolls, where there is a choice."""
    rng = np.random.default_rng([16, rules.players, rolls, seed])
    game = ludo.Ludo(rules)
    while not game.over:
        tokens = game.roll(int(rng.integers(1, 7)))
        if len(game.record) >= rolls and len(game.legal(once=True)) > 1:
            break
        if tokens:
            game.move(int(rng.choice(tokens)))
    return game.steps.tolist(), int(game.to_move), int(game.die)


def choices(agents, seed, players=(2, 4), **rules):
    """Yield the cases: every agent in six positions, alternately with each count."""
    for n, agent in enumerate(agents):
        for i in range(6):
            house = ludo.LudoRules(players=players[i % 2], **rules)
            steps, mover, die = position(house, (20, 60, 120)[i // 2], i)
            case = {"player": agent, "steps": steps, "to move": mover, "die": die}
            yield case | rules | {"seed": seed + 10 * n + i}


def choice_found(case, agents):
    """Return what an agent chooses."""
    rules = {name: case[name] for name in ludo.LudoRules._fields if name in case}
    rules = ludo.LudoRules(**{"players": len(case["steps"])} | rules)
    game = ludo.set_up(case["steps"], case["to move"], rules)
    game.roll(case["die"])
    return answer_found(agents[case["player"]](game, case["seed"]))


def kind(agents, seed, **asked):
    """Return the Kind of some agents, {name: player}; asked: of `choices`."""
    return Kind(partial(choices, agents, seed, **asked), partial(choice_found, agents=agents))


KINDS = {
    "Ludo agents": kind(AGENTS, 950),
    "Ludo forced exit": kind(AGENTS, 1050, forced_exit=True),
    "Ludo ideas": kind(IDEAS, 1150, players=(2, 2)),
    "Ludo allies": kind(ALLIES, 1250, players=(4, 4)),
    "Ludo as printed": kind(PRINTED, 1350, players=(2, 2)),
    "Ludo beliefs of four": kind(PARTY, 1450, players=(4, 3)),
    "Ludo pacts": kind(PACTS, 1550, players=(4, 4)),
    "Ludo as printed, four": kind(FOUR_PRINTED, 1650, players=(4, 4), forced_exit=True),
    "Ludo split": kind(SPLIT, 1750, players=(2, 2)),
}

"""The main notebook's search with priors, compiled for the table `prior`."""

import random

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.same_tree import RandomNumbers

from experiments.prior import ClassicOnProcessor, Prior

NODE_X = "e5 e3 e4 c8 d4 f4 d5 f5 f3 c6 d2 d3 e2"


def grown(game, seed, simulations):
    """Return the root of the notebook's search, fed the random numbers of the kernels."""
    asked = five.heuristics.moves_with_priors, five.heuristics.select_puct
    rng = RandomNumbers(seed, game.rules.points)
    root = five.mcts.root_of(game)
    for _ in range(simulations):
        five.mcts.simulation(root, rng, *asked)
    return root


@pytest.mark.parametrize(
    "size, plies, simulations", [(8, 13, 900), (8, 61, 200), (11, 1, 300)]
)
def test_it_makes_the_tree_of_the_notebook(size, plies, simulations):
    rules = five.game.Rules(size)
    game = five.game.Game(rules) if plies != 13 else five.game.Game.from_text(NODE_X)
    pick = random.Random(size + plies)
    while len(game.played) < plies:
        game.play(pick.choice(game.legal()))
        if game.over:
            game.undo()
    root = grown(game, 7, simulations)
    found = Prior().search(game, seed=7, simulations=simulations)
    expected = five.mcts.read_root(root, 7, score=five.heuristics.puct)
    assert found.visits.tolist() == expected.visits.tolist()
    assert np.allclose(found.values, expected.values, equal_nan=True)
    assert np.allclose(found.scores, expected.scores, equal_nan=True)


@pytest.mark.parametrize("make", [Prior, ClassicOnProcessor])
def test_its_seconds_are_those_of_the_thread(make, monkeypatch):
    ticks = iter(np.arange(0, 1, 0.01))
    monkeypatch.setattr("time.thread_time", lambda: next(ticks))
    player = make(seconds=0.05)
    player.move(five.game.Game.from_text("d4"), 1)
    assert 1 <= player.result.simulations < 40_000
    assert type(player)(**player.settings).budget == {"seconds": 0.05}


def test_at_least_one_simulation_is_made():
    game = five.game.Game.from_text("d4")
    assert Prior().search(game, seconds=0).simulations >= 1
    assert Prior().search(game, simulations=1).visits.sum() == 1

"""The evaluation and the script that fits it: weights as text, self-play, loss."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.core import Game, Rules
from helpers import board_of

from experiments import fit


def slow_evaluate(counts):
    """Return the evaluation for the player to move, from int[32], by its formula."""
    into, bias, out, last = (
        part.astype(float) for part in five.engine.read_weights(five.engine.WEIGHTS)
    )
    hidden = np.maximum(0, bias + np.sqrt(counts) @ into)
    return np.tanh((hidden @ out + last[0]) / 2)


@pytest.mark.parametrize("size", [5, 8, 15, 20])
def test_the_evaluation_follows_its_formula(size):
    rng = np.random.default_rng(size)
    for _ in range(40):
        game = Game(Rules(size))
        for _ in range(int(rng.integers(0, size * size // 2))):
            if not game.over:
                game.play(int(rng.choice(game.legal())))
        workspace = board_of(game)
        counts = fit.counts_after(workspace, ())
        assert counts.sum() == 2 * (size * size - len(game.played))
        value = five.engine.evaluate(workspace) * game.to_move
        assert value == pytest.approx(slow_evaluate(counts), abs=1e-4) and -1 <= value <= 1


def test_the_evaluation_sees_who_is_better():
    three = board_of(Game.from_text("h8a1h9a3h10c1", 15))  # black, to move, has an open three
    against = board_of(Game.from_text("a1h8a3h9c1h10", 15))  # white has it
    assert five.engine.evaluate(three) > 0.5 and five.engine.evaluate(against) < 0


def test_weights_as_text_and_back():
    rng = np.random.default_rng(1)
    weights = [rng.normal(size=shape) for shape in ((32, 16), 16, 16, 1)]
    again = five.engine.read_weights(five.engine.weights_text(weights))
    for one, other in zip(weights, again, strict=True):
        assert np.allclose(one, other, rtol=1e-3, atol=1e-3)
    assert (
        five.engine.weights_text(five.engine.read_weights(five.engine.WEIGHTS)).strip()
        == five.engine.WEIGHTS.strip()
    )


def test_the_gradient_is_the_slope_of_the_loss():
    rng = np.random.default_rng(2)
    weights = [rng.normal(size=shape) for shape in ((32, 4), 4, 4, 1)]
    inputs, targets = rng.random((50, 32)), rng.random(50)
    slopes = fit.gradient(weights, inputs, targets)
    for i, place in ((0, (3, 2)), (1, (1,)), (2, (3,)), (3, (0,))):
        sides = []
        for step in (1e-5, -1e-5):
            moved = [weight.copy() for weight in weights]
            moved[i][place] += step
            sides.append(fit.loss(fit.forward(moved, inputs)[1], targets))
        assert slopes[i][place] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=1e-4)


def test_games_are_played_kept_and_fitted(tmp_path, capsys):
    path = tmp_path / "games.npz"
    assert fit.main(["play", str(path), "--minutes", "0.1", "--seed", "3"]) == 0
    kept = np.load(path)
    assert len(kept["counts"]) == len(kept["values"]) == len(kept["results"]) > 100
    assert set(np.unique(kept["results"])) <= {0, 0.5, 1} and kept["values"].max() <= 1
    inputs, targets, games = fit.read([path, path])
    assert games.max() + 1 == 2 * (kept["games"].max() + 1)
    inputs, targets = np.tile(inputs, (8, 1)), np.tile(targets, 8)
    weights = fit.fit(inputs, targets, epochs=3)
    before = fit.loss(np.full(len(targets), targets.mean()), targets)
    assert fit.loss(fit.forward(weights, inputs)[1], targets) < before
    assert fit.main(["fit", str(tmp_path / "none.npz")]) == 2
    assert "none.npz" in capsys.readouterr().err

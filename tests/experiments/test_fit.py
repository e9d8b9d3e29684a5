"""The evaluation and the script that fits it: weights as text, self-play, loss."""

from functools import partial

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.cache import HERE
from five_in_a_row.game import Game, Rules
from helpers import board_of

from experiments import fit


def slow_evaluate(inputs):
    """Return the evaluation for the player to move, from its inputs[32], by its formula."""
    into, bias, out, last = (
        part.astype(float) for part in five.engine.read_weights(five.engine.WEIGHTS)
    )
    hidden = np.maximum(0, bias + inputs @ into)
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
        many = np.bincount(fit.pairs_of(workspace), minlength=fit.PAIRS)
        assert many[-1] == len(game.played) and many.sum() == size * size  # the last: stones
        many[-1] = 0
        inputs = fit.value_inputs(many[None])[0]
        assert np.isclose((inputs**2).sum(), 2 * (size * size - len(game.played)))
        workspace.counted = 1
        value = five.engine.evaluate(workspace) * game.to_move
        assert value == pytest.approx(slow_evaluate(inputs), abs=1e-4) and -1 <= value <= 1


@pytest.mark.parametrize("counted", [0, 1])
def test_the_evaluation_sees_who_is_better(counted):
    three = board_of(Game.from_text("h8a1h9a3h10c1", 15))  # black, to move, has an open three
    against = board_of(Game.from_text("a1h8a3h9c1h10", 15))  # white has it
    three.counted = against.counted = counted
    assert five.engine.evaluate(three) > 0.5 and five.engine.evaluate(against) < 0


def test_fitted_weights_as_text_and_back():
    rng = np.random.default_rng(1)
    weights = fit.fit_value(rng.random((64, 32), np.float32), rng.random(64, np.float32), 1)
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


def test_games_are_played_kept_and_fitted(tmp_path, capsys, monkeypatch):
    path, out = tmp_path / "games.npz", tmp_path / "weights.txt"
    monkeypatch.setattr(fit, "self_play", partial(fit.self_play, simulations=60))
    monkeypatch.setattr(fit, "AGAIN", 40)
    assert fit.main(["play", str(path), "--minutes", "0.1", "--seed", "3"]) == 0
    data = fit.read([path, path])
    count, games = len(data["value"]), int(data["game"].max()) + 1
    assert count > 100 and games % 2 == 0
    assert set(data) == set(fit.FIELDS) - {"pair", "at"}
    assert not data["many"][:, -1].any()  # stones are no points to play at
    assert set(data["result"][~np.isnan(data["result"])].tolist()) <= {0, 0.5, 1}
    assert fit.main(["fit", str(tmp_path / "none.npz")]) == 2
    monkeypatch.setattr(fit, "BATCH", 64)
    data["game"] = np.arange(count)  # so that some are kept apart
    monkeypatch.setattr(fit, "read", lambda paths: data)
    assert fit.main(["fit", str(path), "--epochs", "6", "--out", str(out)]) == 0
    said, text = capsys.readouterr().out, out.read_text("utf-8")
    made = text.splitlines()[:2]
    assert "\n".join(made) in said and "loss on games kept apart" in made[1]
    weights = five.engine.read_weights("".join(text.splitlines(True)[2:]))
    assert [part.shape for part in weights] == [(32, 16), (16,), (16,), (1,)]


@pytest.mark.parametrize(
    "name, otherwise, held",
    [
        ("places.json", five.engine.NO_PLACES, five.engine.PLACES),
        ("policy.json", five.engine.NO_POLICY, five.engine.POLICY_ROWS),
    ],
)
def test_a_missing_file_of_numbers_is_said_and_others_take_their_place(
    tmp_path, capsys, name, otherwise, held
):
    text = (HERE / name).read_text("utf-8")
    assert (five.engine.read_numbers(HERE / name, **otherwise)[0] == held).all()
    assert capsys.readouterr().err == ""
    damaged = text.replace("A", "B", 1), text[:500], "", "[]", '{"scores": 1, "digest": 2}'
    other = text.replace('"digest": "', '"digest": "0')  # whole numbers, of another file
    for number, each in enumerate((*damaged, other, None)):
        file = tmp_path / f"{number}.json"
        if each is not None:
            file.write_text(each, "utf-8")
        found = five.engine.read_numbers(file, **otherwise)
        for one, like in zip(found, otherwise.values(), strict=True):
            assert (one == like).all()
        assert capsys.readouterr().err.count(f"plays without {number}.json") == 1


def test_a_file_that_cannot_be_written_whole_leaves_nothing(tmp_path, monkeypatch):
    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fit.np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space left"):
        fit.write_arrays(tmp_path / "games.npz", a=np.zeros(3))
    assert not list(tmp_path.iterdir())

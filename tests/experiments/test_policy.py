"""The policy by places: its kernel beside a plain one, its symmetries, and its fit."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import engine
from five_in_a_row.game import Game, Rules
from five_in_a_row.search import SearchOptions, check_options
from helpers import board_of, random_games, slow_stars

from experiments.training import policy
from experiments.training.fit import evaluated, read_arrays

BOARDS = Rules(5), Rules(8), Rules(15), Rules(20), Rules(20, rows=8)
OPTIONS = check_options(SearchOptions())
STONE = -1 << 30


def slow_logits(workspace):
    """Return the logits of all points by the formula, int[rows, size]."""
    board, own = workspace.board, int(workspace.board.start != 0)
    itself, around, _ = slow_stars(workspace, engine.POLICY_ROWS)
    voices = np.clip(itself + around, 0, engine.TOP)
    half = engine.POLICY_CHANNELS // 2
    heard = voices[..., :half].sum(-1) - voices[..., half:].sum(-1)
    mine, theirs = (
        board.point_threat[side, : heard.size].astype(int) for side in (own, 1 - own)
    )
    table = engine.POLICY[engine.context_of(board, own), 17 * mine + theirs]
    return np.where(mine == engine.FULL, STONE, heard.ravel() + table).reshape(heard.shape)


def slow_scores(workspace):
    """Return the scores of all points by the formula, int[points]."""
    logits = slow_logits(workspace).ravel()
    return np.array([engine.policy_score(each, logits.max()) for each in logits.tolist()])


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_the_kernel_follows_the_formula_whatever_was_asked_before(rules, full):
    kept, met, rng = board_of(Game(rules)), 0, np.random.default_rng(1)
    for game in random_games(rules, 40 if full else 6, seed=rules.points + 1):
        five.threats.reset_live(kept)
        for point in game.played:
            five.threats.apply_live(kept, point)
        own, met = int(kept.board.start != 0), met + 1
        engine.evaluate(kept)  # which keeps rows of its own
        expected = slow_logits(kept).ravel()
        engine.fill_policy_rows(kept, own, kept.filled_for[1], kept.policy_rows)
        few = rng.choice(rules.points, 5, replace=False)
        kept.moves[:5] = few
        assert engine.logits_of_moves(kept, own, 5) == expected[few].max()
        assert (kept.logits[few] == expected[few]).all()
        assert engine.policy_logits(kept, own) == expected.max()
        assert (kept.logits[: rules.points] == expected).all()
    assert met > 30


def test_the_priors_are_the_shares_of_the_scores_best_first():
    met = 0
    for game in random_games(Rules(9), 6, seed=2):
        workspace, points = board_of(game), len(game.legal())
        workspace.complete = 0
        found = engine.engine_moves(workspace, 0, 400, OPTIONS)
        if workspace.complete or game.over:
            continue
        met += 1
        moves, priors = (
            array[:found].astype(int) for array in (workspace.moves, workspace.priors)
        )
        scores = slow_scores(workspace)
        shares = scores / scores.sum()
        assert found == points == len(set(moves.tolist()))
        assert (np.diff(scores[moves]) <= 0).all()
        assert priors == pytest.approx(255 * np.sqrt(shares[moves]), abs=1.01)
    assert met > 100


def test_priors_are_the_same_on_every_turning_and_for_either_colour():
    def weighed(cells, colour):
        workspace = board_of(Game.from_array(np.ascontiguousarray(cells), colour))
        engine.policy_logits(workspace, int(colour != 1))
        return workspace.logits[:81].reshape(9, 9).copy()

    rng = np.random.default_rng(6)
    for _ in range(60):
        cells = rng.choice([-1, 0, 0, 0, 1], (9, 9))
        expected = weighed(cells, 1)
        assert (weighed(-cells, -1) == expected).all()
        for turn in range(4):
            for flip in (slice(None), slice(None, None, -1)):
                turned = np.rot90(cells, turn)[flip]
                assert (weighed(turned, 1) == np.rot90(expected, turn)[flip]).all()


def test_the_best_answers_to_a_win_by_fours_come_first():
    game = Game.from_text("d4 d5 e4 e5 f4 f5 g4")  # black threatens c4 and h4
    workspace = board_of(game)
    workspace.complete = 0
    found = engine.engine_moves(workspace, 0, 1, OPTIONS)
    logits = slow_logits(workspace).ravel()[workspace.moves[:found].astype(int)]
    assert workspace.complete and found == 2 and (np.diff(logits) <= 0).all()


# -- the fit --------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def searches(tmp_path_factory):
    """Return a file of searches in positions of games that the engine played with itself."""
    path = tmp_path_factory.mktemp("policy") / "searches.npz"
    policy.play(path, 0, seed=1)
    return path


def test_the_visits_are_of_moves_that_are_there(searches):
    data = policy.read([searches, searches])
    games = data["game"]
    assert len(games) > 200 and games.max() % 2 == 1 and (np.diff(games) >= 0).all()
    for i in range(len(games)):
        shapes = data["shapes"][data["at"][i] : data["at"][i + 1]]
        moves, visits = (
            data[name][data["of"][i] : data["of"][i + 1]] for name in ("moves", "visits")
        )
        stones = [int((shapes == taken).sum()) for taken in five.threats.TAKEN]
        assert stones[0] - stones[1] == data["own"][i]  # black began
        assert (shapes[moves] < five.threats.TAKEN[0]).all() and (visits > 0).all()
        assert len(set(moves.tolist())) == len(moves) and visits.sum() <= policy.SIMULATIONS


def test_the_gradient_is_the_slope_of_the_loss(searches):
    data = policy.read([searches])
    weights, chosen = policy.new_weights(data), np.arange(30)
    loss, slopes = evaluated(policy.RECIPE, data, weights, chosen, True)
    stone, pair = engine.SETS + 1, int(np.abs(slopes[1]).sum(axis=0).argmax())
    context = int(np.abs(slopes[1][:, pair]).argmax())
    assert (loss >= -1e-5).all()
    row = int(np.abs(slopes[0]).sum(axis=1).argmax())
    for i, spot in ((0, (row, 3)), (0, (row, 5)), (0, (stone, 12)), (1, (context, pair))):
        sides = []
        for step in (2e-3, -2e-3):
            moved = [weight.copy() for weight in weights]
            moved[i][spot] += step
            sides.append(evaluated(policy.RECIPE, data, moved, chosen)[0].astype(float).mean())
        slope = (sides[0] - sides[1]) / 4e-3
        assert slopes[i][spot] == pytest.approx(slope, rel=0.1, abs=5e-4)


def test_a_fit_lowers_the_loss_and_the_search_computes_what_was_fitted(
    searches, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(policy, "RECIPE", policy.RECIPE._replace(batch=64))
    out = tmp_path / "policy.npz"
    assert policy.main(["fit", str(searches), "--epochs", "3", "--out", str(out)]) == 0
    made = str(read_arrays(out, ["made"])["made"])
    assert made in capsys.readouterr().out and "nats" in made
    rows, logits = engine.read_numbers(out, **engine.NO_POLICY)
    weights = [part.astype(np.float32) / engine.UNIT for part in (rows, logits)]
    data = policy.read([searches])
    every = np.arange(len(data["own"]))
    before, after = (
        evaluated(policy.RECIPE, data, each, every)[0].mean()
        for each in (policy.new_weights(data), weights)
    )
    assert after < before - 0.01
    assert policy.main(["fit", str(tmp_path / "none.npz")]) == 2
    weights[0][3, 2] = 130.0
    with pytest.raises(ValueError, match="too large"):
        policy.whole_numbers(weights)


def test_the_kernel_weighs_what_the_fit_does():
    parts = engine.POLICY_ROWS, engine.POLICY
    weights = tuple((part / engine.UNIT).astype(np.float32) for part in parts)
    work = policy.room()[0]
    for game in random_games(Rules(9), 1, seed=3):
        workspace, own = board_of(game), int(game.to_move != 1)
        if game.over:
            break
        shapes = workspace.board.line_shapes[:81].copy()
        context = engine.context_of(workspace.board, own)
        policy.forward(weights, shapes, 9, own, context, work)
        engine.fill_policy_rows(workspace, own, workspace.filled_for[1], workspace.policy_rows)
        best = engine.policy_logits(workspace, own)
        odds = np.exp((workspace.logits[:81] - best) / engine.UNIT)
        assert work[-1][:81] == pytest.approx(odds / odds.sum(), abs=1e-4)

"""The evaluation by places: its kernel beside a plain one, its symmetries, and its fit."""

import subprocess
import sys

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import engine
from five_in_a_row.cache import HERE
from five_in_a_row.game import BLACK, Game, Rules
from helpers import board_of, random_games, slow_stars

from experiments.training import places
from experiments.training.features import count_rows
from experiments.training.fit import evaluated, read_arrays

PLACES_FILE = HERE / "places.npz"
RECIPE = places.RECIPE
BOARDS = Rules(5), Rules(8), Rules(15), Rules(20), Rules(20, rows=8)


def slow_evaluate(workspace):
    """Return the evaluation by places by its formula, point by point, from the line shapes."""
    itself, around, told = slow_stars(workspace, engine.PLACES)
    features = np.clip(itself + around, 0, engine.TOP)
    totals = np.append(features.sum((0, 1)), told.sum((0, 1)))
    hidden = np.maximum(0, totals @ engine.NET[:-1].astype(float) + engine.NET[-1])
    value = np.tanh((hidden @ engine.ANSWER[:-1] + engine.ANSWER[-1]) / 2)
    return value if workspace.board.start == 0 else -value


@pytest.mark.parametrize("rules", BOARDS, ids=str)
def test_the_kernel_follows_the_formula_whatever_was_asked_before(rules, full):
    kept, met = board_of(Game(rules)), 0
    for game in random_games(rules, 40 if full else 6, seed=rules.points):
        five.threats.reset_live(kept)
        for point in game.played:
            five.threats.apply_live(kept, point)
        fresh, met = board_of(game), met + 1
        value = engine.evaluate(kept)
        assert value == engine.evaluate(fresh)
        assert value == pytest.approx(slow_evaluate(fresh), abs=1e-4) and -1 <= value <= 1
    assert met > 30


def test_the_line_sets_forget_the_order_of_the_lines_and_nothing_else():
    sets = engine.line_sets()
    shapes = np.random.default_rng(1).integers(0, 9, (2_000, 4))
    codes = (shapes << np.arange(0, 16, 4)).sum(1)
    turned = (shapes[:, ::-1] << np.arange(0, 16, 4)).sum(1)
    assert (sets[codes] == sets[turned]).all()
    named = {
        tuple(sorted(each)): number
        for each, number in zip(shapes.tolist(), sets[codes], strict=True)
    }
    assert len(set(named.values())) == len(named) and sets.max() == engine.SETS - 1


def test_a_board_turned_or_mirrored_has_the_same_value_and_exchanged_colours_the_opposite():
    for game in random_games(Rules(9), 3, seed=4):
        if game.over:
            continue
        value = engine.evaluation(game)
        for turn in range(4):
            for cells in (np.rot90(game.array, turn), np.rot90(game.array, turn).T):
                turned = Game.from_array(np.ascontiguousarray(cells), game.to_move)
                assert engine.evaluation(turned) == value
        other = Game.from_array(-game.array, -game.to_move)
        assert engine.evaluation(other) == -value


def test_a_first_visit_has_the_value_of_its_position():
    game = Game.from_text("h8i9i8", 15)
    tree = five.search.Tree(game, engine.engine_game(), five.search.SearchOptions(), 100)
    tree.run(1)
    node, after = tree.root.best(), game.copy()
    after.play(node.point)
    value = engine.evaluation(after) * game.to_move
    assert node.N == 1 and node.W == pytest.approx((1 + value) / 2, abs=1 / 64)


def test_without_its_files_the_engine_says_so_and_all_moves_are_alike(tmp_path):
    package, missing = tmp_path / "five_in_a_row", ["places.npz", "policy.npz"]
    package.mkdir()
    for file in HERE.iterdir():
        if file.is_file() and file.name not in missing:
            (package / file.name).write_bytes(file.read_bytes())
    code = (
        "import five_in_a_row as f\n"
        "game = f.Game.from_text('d4 e5 d5')\n"
        "workspace = f.engine.live_position(game)\n"
        "count = f.engine.engine_moves(workspace, 0, 64, f.search.SearchOptions())\n"
        "print(f.engine.evaluation(game), count, len(set(workspace.priors[:count])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    value, count, priors = done.stdout.split()
    assert float(value) == 0 and (count, priors) == ("61", "1")
    assert all(done.stderr.count(f"plays without {name}") == 1 for name in missing)


# -- the fit --------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Return a file of games that the engine played with itself."""
    path = tmp_path_factory.mktemp("places") / "games.npz"
    places.play(path, 0, seed=1)
    return path


def test_games_are_whole_and_end_as_they_say(games):
    with np.load(games) as file:
        kept = {name: file[name] for name in file}
    begun = np.cumsum(kept["plies"]) - kept["plies"]
    for i, size in enumerate(kept["size"].tolist()):
        game, plies = Game(Rules(size)), int(kept["plies"][i])
        for point in kept["moves"][begun[i] : begun[i] + plies].tolist():
            game.play(point)
        assert not game.over and 0 <= kept["start"][i] < plies
        thought = five.think(game, simulations=3_000)
        if thought.proven is not None:
            assert thought.proven * game.to_move == kept["result"][i]


def test_the_gradient_is_the_slope_of_the_loss(games):
    data, rng = places.read([games]), np.random.default_rng(5)
    weights, chosen = places.new_weights(rng, data), np.arange(30)
    slopes = evaluated(RECIPE, data, weights, chosen, True)[1]
    stone = engine.SETS + 1
    for i, spot in ((0, (9, 3)), (0, (stone, 20)), (0, (-1, 1)), (1, (3, 4)), (2, (-1,))):
        sides = []
        for step in (1e-3, -1e-3):
            moved = [weight.copy() for weight in weights]
            moved[i][spot] += step
            expected = evaluated(RECIPE, data, moved, chosen)[0].astype(float)
            sides.append(places.cross_entropy(expected, data["target"][chosen]))
        slope = (sides[0] - sides[1]) / 2e-3
        assert slopes[i][spot] == pytest.approx(slope, rel=0.1, abs=2e-4)


def test_the_search_computes_what_was_fitted(games):
    mine = places.read_weights(PLACES_FILE)
    data = places.read([games])
    expected = evaluated(RECIPE, data, mine, np.arange(40))[0]
    with np.load(games) as file:
        moves, start = file["moves"], int(file["start"][0])
    game = Game(Rules(int(data["size"][0])))
    for point in moves[:start].tolist():
        game.play(point)
    reward = (1 + engine.evaluation(game) * (1 if game.to_move == BLACK else -1)) / 2
    assert reward == pytest.approx(expected[0], abs=1e-4)


def test_a_fit_lowers_the_loss_and_writes_a_file_that_is_read(
    games, tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(places, "RECIPE", RECIPE._replace(batch=64))
    monkeypatch.setattr(places, "HAS_PLACES", False)
    out = tmp_path / "places.npz"
    assert places.main(["fit", str(games), "--out", str(out)]) == 0
    said = capsys.readouterr().out.split()
    assert out.is_file() and "kept" in said
    weights, data = places.read_weights(out), places.read([games])
    unmet = count_rows(data["shapes"], data["at"], data["own"]) == 0
    assert unmet.any() and not weights[0][unmet].any()
    every = np.arange(len(data["target"]))
    first = places.new_weights(np.random.default_rng(0), data)
    before, after = (evaluated(RECIPE, data, each, every)[0] for each in (first, weights))
    loss, target = places.cross_entropy, data["target"]
    assert loss(after, target) < loss(before, target) - 0.01
    assert places.main(["fit", str(tmp_path / "none.npz")]) == 2
    weights[0][3, 20] = 30.0
    with pytest.raises(ValueError, match="too large"):
        places.whole_numbers(weights)


def test_a_later_generation_goes_on_from_the_numbers_of_the_one_before(
    games, tmp_path, monkeypatch
):
    monkeypatch.setattr(places, "RECIPE", RECIPE._replace(batch=64))
    out = tmp_path / "places.npz"
    assert places.main(["fit", str(games), "--epochs", "1", "--out", str(out)]) == 0
    made, before = (str(read_arrays(path, ["made"])["made"]) for path in (out, PLACES_FILE))
    assert made.endswith(f"It went on from the numbers of {before}")
    (rows, *_), (old, *_) = map(places.read_weights, (out, PLACES_FILE))
    data = places.read([games])
    met = count_rows(data["shapes"], data["at"], data["own"]) > 0
    assert (rows[met] != old[met]).any()
    assert rows[~met] == pytest.approx(old[~met], abs=2 / engine.UNIT)

"""The slice heuristic: its value on bits, one ply, the curve, its uses in a search."""

import math

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row import connect_grid
from five_in_a_row import connect_poster as poster
from five_in_a_row.game import Game
from five_in_a_row.search import SearchOptions
from helpers import found_by, only_full
from test_connect_four import random_game, unfinished

from experiments import store
from experiments.connect_four import slice as slices
from experiments.kinds.connect_four import USES as PLAYED

PLAIN = SearchOptions(solve=False)
FOUR = connect_grid.four_rules()
GRIDS = [(6, 7), (4, 9), (8, 6)]


def slow_value(cells, player):
    """The poster's rule, window by window, for a player less the same for the other."""
    rows, columns = cells.shape
    windows = [cells[r, c : c + 4] for r in range(rows) for c in range(columns - 3)]
    windows += [cells[r : r + 4, c] for r in range(rows - 3) for c in range(columns)]
    for r in range(rows - 3):
        for c in range(columns - 3):
            block = cells[r : r + 4, c : c + 4]
            windows += [np.diag(block), np.diag(block[::-1])]
    total = 0
    for window in windows:
        for side, sign in ((player, 1), (-player, -1)):
            seen = (window == side).sum(), (window == 0).sum()
            total += sign * {(4, 0): 100, (3, 1): 5, (2, 2): 2}.get(seen, 0)
    return total


def value_of(game):
    grid = connect_grid.Grid(game.rules.height, game.rules.size)
    return poster.slice_value(*connect_grid.bits_of(game), grid.full, grid.height)


# -- the value -----------------------------------------------------------------------------
@pytest.mark.parametrize("rows, columns", GRIDS)
def test_the_value_on_bits_is_the_sum_over_all_windows(rows, columns, full):
    rng, rules = np.random.default_rng(rows * columns), connect_grid.four_rules(rows, columns)
    for _ in range(500 if full else 150):
        game = random_game(rules, rng, int(rng.integers(0, rules.points + 1)))
        value, sides = value_of(game), (game.to_move, -game.to_move)
        assert value == slow_value(game.array, game.to_move)
        mine, theirs = (
            sum(poster.slice_score(four, side) for four in poster.slices(game.array))
            for side in sides
        )
        assert value == mine - theirs


# -- one ply -------------------------------------------------------------------------------
def test_one_ply_plays_the_best_column_and_equal_ones_alike_often():
    rng = np.random.default_rng(2)
    for _ in range(200):
        game, values = unfinished(FOUR, rng, int(rng.integers(0, 41))), {}
        for point in game.legal():
            after = game.copy()
            after.play(point)
            values[point] = slow_value(after.array, game.to_move)
        found = poster.column_values(game)
        assert found == {point % 7: value for point, value in values.items()}
        assert values[poster.OnePlyPlayer().move(game, 1)] == max(values.values())
    game = Game.from_text("d1", rules=FOUR)
    values = poster.column_values(game)
    best = [column for column, value in values.items() if value == max(values.values())]
    moves = [poster.OnePlyPlayer().move(game, seed) % 7 for seed in range(400)]
    counts = np.bincount(moves, minlength=7)
    assert len(best) > 1 and (counts[best] > 0.7 * 400 / len(best)).all()


def test_one_ply_takes_every_win():
    rng, wins = np.random.default_rng(3), 0
    while wins < 100:
        game = unfinished(FOUR, rng, int(rng.integers(0, 41)))
        winning = five.search.winning_points(game, game.to_move)
        wins += bool(winning)
        assert not winning or poster.OnePlyPlayer().move(game, 1) in winning


# -- the curve -----------------------------------------------------------------------------
def test_the_fit_finds_the_curve_that_made_the_results():
    rng, value = np.random.default_rng(4), np.arange(-30, 31)
    positions = np.full(value.size, 2_000)
    points = rng.binomial(positions, 1 / (1 + np.exp(-(value + 5.0) / 8.0)))
    table = pd.DataFrame({"value": value, "positions": positions, "points": points})
    fit = poster.fit_chance(table)
    assert abs(fit.scale - 8) < 4 * fit.scale_error < 1
    assert abs(fit.tempo - 5) < 4 * fit.tempo_error < 1
    assert fit.loss < fit.constant < math.log(2)
    for scale, tempo in ((1.02, 1), (0.98, 1), (1, 1.05), (1, 0.95)):  # no neighbour is better
        p = 1 / (1 + np.exp(-(value + fit.tempo * tempo) / (fit.scale * scale)))
        loss = -(points * np.log(p) + (positions - points) * np.log(1 - p)).sum()
        assert loss / positions.sum() > fit.loss


@pytest.mark.parametrize(
    "values, points",
    [((-1, 0, 1), (0, 0, 9)), ((2, 2, 2), (3, 5, 4))],
)
def test_results_without_a_best_curve_are_refused(values, points):
    table = pd.DataFrame({"value": values, "positions": 9, "points": points})
    with pytest.raises(ValueError, match="no curve fits best"):
        poster.fit_chance(table)


def test_scale_and_tempo_are_those_of_the_stored_fit():
    table = five.strength.read_results("slice-fit", store.RESULTS)
    if table is None:
        pytest.skip("experiments/results/slice-fit.csv has not been made")
    fit = poster.fit_chance(table)
    assert abs(poster.SCALE - fit.scale) < 2 * fit.scale_error
    assert abs(poster.TEMPO - fit.tempo) < 2 * fit.tempo_error


# -- in the search -------------------------------------------------------------------------
def record_of(game, kernels, seed=1):
    """Return a search record with the position on its board."""
    workspace = five.search.new_search(kernels, game, seed)
    kernels.reset(workspace)
    return workspace


def test_a_leaf_is_worth_the_curve_for_black_and_a_mix_lies_between():
    rng = np.random.default_rng(5)
    leaf, mix, plain = (poster.slice_game(name) for name in ("leaf", "mix", "plain UCT"))
    for seed in range(300):
        game = unfinished(FOUR, rng, int(rng.integers(0, 41)))
        value = slow_value(game.array, game.to_move)
        p = 1 / (1 + math.exp(-(value + poster.TEMPO) / poster.SCALE))
        workspace = record_of(game, leaf, seed)
        found = leaf.rollout(workspace)
        assert found == pytest.approx(game.to_move * (2 * p - 1), abs=1e-12)
        assert workspace.board.own == connect_grid.bits_of(game)[0]
        played = plain.rollout(record_of(game, plain, seed))
        assert mix.rollout(record_of(game, mix, seed)) == pytest.approx((found + played) / 2)


def test_moves_come_best_first_with_their_priors():
    rng = np.random.default_rng(6)
    for rows, columns in GRIDS[:2]:
        rules, kernels = (
            connect_grid.four_rules(rows, columns),
            poster.slice_game("order", rows, columns),
        )
        for seed in range(100):
            game = unfinished(rules, rng, int(rng.integers(0, rules.points)))
            workspace = record_of(game, kernels, seed)
            found = kernels.legal(workspace, 0, columns, PLAIN)
            values = []
            for point in workspace.moves[:found].tolist():
                after = game.copy()
                after.play(point)
                values.append(slow_value(after.array, game.to_move))
            assert (
                sorted(workspace.moves[:found]) == sorted(game.legal())
                and workspace.complete == 1
            )
            assert values == sorted(values, reverse=True)
            shares = np.exp((np.array(values) - values[0]) / poster.SCALE)
            slow = np.maximum(1, np.floor(255 * np.sqrt(shares / shares.sum())))
            # the last bit may differ
            assert np.abs(workspace.priors[:found] - slow).max() <= 1
            assert kernels.legal(workspace, found, columns, PLAIN) == found


@pytest.mark.parametrize("name", poster.USES)
def test_every_use_takes_a_win_and_stops_one(name, full):
    """By default the one that test_behaviour.py compiles as well."""
    only_full(full, name == PLAYED[-1])
    game = Game.from_text("d1 a1 d2 a2 d3 a3", rules=FOUR)
    player = poster.SlicePlayer(name, simulations=1_000)
    thought = found_by(player, game, 1)
    assert thought.name == "d4" and thought.simulations == 1_000
    connect_grid.drop(game, "e")
    thought = found_by(player, game, 2)
    assert thought.name == "a4"
    assert (found_by(player, game, 2).visits == thought.visits).all()


def test_time_is_processor_time_and_unknown_uses_are_refused():
    thought = found_by(poster.SlicePlayer(PLAYED[-1], seconds=0.005), Game(FOUR), 1)
    assert thought.simulations > 0
    with pytest.raises(ValueError, match="no use 'best'.*plain UCT, leaf"):
        poster.SlicePlayer("best", simulations=10)


@pytest.mark.parametrize("moves, points", [("d1 a1 d2 a2 d3 a3", 1), ("d1 d2 d3 d4", None)])
def test_the_points_of_a_position_are_those_of_its_side_to_move(moves, points, monkeypatch):
    game = Game.from_text(moves, rules=FOUR)
    monkeypatch.setattr(slices, "random_position", lambda rng: game.copy())
    value, found = slices.played_out(1)
    assert value == value_of(game) and found in (0, 0.5, 1)
    assert points is None or found == points

"""Tic-tac-toe: the whole game, the agents and their exact odds, against references."""

import math
import random
from collections import Counter
from itertools import combinations

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row import tic_tac_toe as ttt
from five_in_a_row.tic_tac_toe import (
    EMPTY_BOARD,
    TRANSFORMATIONS,
    after_move,
    game_value,
    legal,
    read_position,
    side_to_move,
    winner,
)
from references import Rng, full_scan

from experiments import results
from experiments import tic_tac_toe as tables
from experiments.registry import TABLES


def cells(board):
    """Return a board as int[3, 3]."""
    return np.array(board).reshape(3, 3)


def some_boards(count, seed=1):
    """Return that many random positions, and the empty one."""
    return [EMPTY_BOARD, *random.Random(seed).sample(ttt.positions(), count)]


# -- rules ---------------------------------------------------------------------------------
def test_the_positions_are_all_boards_that_obey_the_rules():
    """A second way to them: fill in the stones, keep what play could have led to."""
    found = set()
    for stones in range(10):
        for taken in combinations(range(9), stones):
            for black in combinations(taken, (stones + 1) // 2):
                board = tuple((p in taken) * (1 if p in black else -1) for p in range(9))
                lines = full_scan(cells(board), 3)
                last = 1 if stones % 2 else -1
                if not lines - {last} and (not lines or breaks(board, last)):
                    found.add(board)
    assert set(ttt.positions()) == found and len(found) == len(ttt.positions()) == 5_478


def breaks(board, colour):
    """Return whether one stone of the colour, taken away, leaves no line."""
    without = [board[:p] + (0,) + board[p + 1 :] for p in range(9) if board[p] == colour]
    return any(not full_scan(cells(each), 3) for each in without)


def test_winner_moves_and_turn_are_those_of_the_main_notebook():
    for board in ttt.positions():
        game = ttt.to_game(board)
        assert game.winner == winner(board) and game.legal() == list(legal(board))
        assert game.to_move == side_to_move(board) and ttt.board_of(game) == board


def test_the_counts_are_the_known_ones():
    ends = Counter(winner(board) for board in ttt.positions() if not legal(board))
    assert ends == {1: 626, -1: 316, 0: 16}
    assert ttt.count_games() == {1: 131_184, -1: 77_904, 0: 46_080}
    assert ttt.count_games(ttt.best_points) == {1: 0, -1: 0, 0: 3_584}


def test_the_branching_factor_is_that_of_the_graph():
    means = ttt.branching()
    assert round(4_520 * means["positions"]) == 16_167  # the known number of moves
    graph = ttt.all_classes()
    moves = {(i, j) for i, row in enumerate(graph.after) for j in row.tolist() if j >= 0}
    assert math.isclose(627 * means["classes"], len(moves))
    assert 9 > means["random games"] > means["positions"]


@pytest.mark.parametrize("text", ["X.O......?", "XX.......", "XXXOOO..."])
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match="no board|no game leads to"):
        read_position(text)


def test_a_move_that_cannot_be_played_names_those_that_can():
    board = read_position("XOXXOO.X.")
    for taken in (0, 9):
        with pytest.raises(ValueError, match=f"point {taken} cannot be played: a3 c3 may be"):
            after_move(board, taken)
    won = read_position("XXXOO....")
    with pytest.raises(ValueError, match="nothing may be"):
        after_move(won, 8)


# -- symmetry ------------------------------------------------------------------------------
def test_the_eight_transformations_are_a_group_that_keeps_lines():
    assert len(set(TRANSFORMATIONS.values())) == 8
    for one in TRANSFORMATIONS.values():
        assert {tuple(sorted(one[p] for p in line)) for line in ttt.LINES} == set(ttt.LINES)
        for other in TRANSFORMATIONS.values():
            assert ttt.transformed(one, other) in set(TRANSFORMATIONS.values())


def test_turned_boards_share_worth_and_representative():
    for board in some_boards(300):
        for points in TRANSFORMATIONS.values():
            other = ttt.transformed(board, points)
            assert ttt.representative(other) == ttt.representative(board)
            assert game_value(other) == game_value(board)
            shared = {points[p]: value for p, value in ttt.move_values(other).items()}
            assert shared == ttt.move_values(board)


def test_the_graph_of_classes_is_the_game():
    graph = ttt.all_classes()
    assert len(graph.boards) == 765 and (graph.result == 2).sum() == 627
    for board in some_boards(500):
        stands, points = ttt.canonical_form(board)
        assert ttt.transformed(board, points) == stands
        for point in range(9):
            later = graph.after[graph.number[stands], point]
            if points[point] in legal(board):
                after = after_move(board, points[point])
                assert graph.boards[later] == ttt.representative(after)
            else:
                assert later == -1
        if not legal(board):
            assert graph.result[graph.number[stands]] == abs(winner(board))


# -- minimax -------------------------------------------------------------------------------
def slow_value(board, side):
    """Return the value of a board for X, without any cache."""
    lines = full_scan(cells(board), 3)
    if lines:
        return lines.pop()
    values = [
        slow_value(board[:p] + (side,) + board[p + 1 :], -side)
        for p in range(9)
        if not board[p]
    ]
    return (max if side == 1 else min)(values, default=0)


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize(
    "key", [lambda board: board, ttt.representative], ids=["own", "class"]
)
def test_minimax_is_right_whatever_is_switched_on(prune, key):
    solver = ttt.Minimax(prune, key)
    for board in some_boards(400, seed=2):
        assert solver.value(board) == game_value(board)
    plain = ttt.Minimax(prune, None)
    for board in some_boards(400, seed=3):
        if board.count(0) <= 5:
            side = side_to_move(board)
            assert plain.value(board) == game_value(board) == slow_value(board, side) * side


def test_a_narrow_window_gives_a_bound():
    solver = ttt.Minimax()
    for board in some_boards(500, seed=4):
        for low, high in ((-1, 0), (0, 1)):
            value = solver.value(board, low, high)
            assert (value >= high) == (game_value(board) >= high)
            assert (value <= low) == (game_value(board) <= low)


def test_minimax_policies_play_best_moves_only():
    for board in ttt.positions():
        values = ttt.move_values(board)
        best = [point for point, value in values.items() if value == max(values.values())]
        assert list(ttt.random_minimax(board)) == best and list(ttt.minimax(board)) == best[:1]
        held = ttt.careful(board)
        assert all(values[p] >= min(0, game_value(board)) for p in held)
        assert not legal(board) or math.isclose(sum(held.values()), 1)


# -- odds ----------------------------------------------------------------------------------
def slow_odds(first, second, board=EMPTY_BOARD):
    """Return [X wins, O wins, draw] by going through every line of play."""
    if not legal(board):
        return np.array([winner(board) == who for who in (1, -1, 0)], float)
    policy = first if side_to_move(board) == 1 else second
    return sum(
        p * slow_odds(first, second, after_move(board, point))
        for point, p in policy(board).items()
    )


@pytest.mark.parametrize(
    "first, second",
    [(ttt.minimax, ttt.random_policy), (ttt.careful, ttt.minimax)],
)
def test_odds_are_the_sum_over_all_lines(first, second):
    assert np.allclose(ttt.exact_odds(first, second), slow_odds(first, second))


def test_known_odds():
    odds = ttt.exact_odds(ttt.random_policy, ttt.random_policy)
    assert np.allclose(odds, (0.5849, 0.2881, 0.1270), atol=5e-5)
    found = ttt.exact_odds(ttt.random_minimax, ttt.random_policy).first
    assert math.isclose(found, 0.9678, abs_tol=5e-5)
    found = ttt.both_seats(ttt.random_minimax, ttt.random_policy).first
    assert math.isclose(found, 0.8726, abs_tol=5e-5)
    assert ttt.exact_odds(ttt.random_minimax, ttt.careful).first == 0


# -- a depth, a rule and a net -------------------------------------------------------------
@pytest.mark.parametrize("judge", [ttt.open_lines, lambda board: 0.0])
def test_to_the_end_the_judge_is_never_asked(judge):
    policy = ttt.depth_policy(9, judge)
    for board in some_boards(100):
        assert policy(board) == ttt.random_minimax(board)


def test_a_ply_ahead_a_win_is_taken_and_two_plies_ahead_one_is_stopped():
    assert set(ttt.depth_policy(1)(read_position("XX.OO...."))) == {2}
    assert set(ttt.depth_policy(2)(read_position("XX..O...."))) == {2}


def test_open_lines_are_those_of_the_mover_less_those_of_the_other():
    assert ttt.open_lines(EMPTY_BOARD) == 0
    assert ttt.open_lines(read_position("....X....")) == (4 - 8) / 9
    for board in some_boards(100):
        swapped = tuple(-stone for stone in board)
        if side_to_move(board) == side_to_move(swapped):
            assert ttt.open_lines(swapped) == -ttt.open_lines(board)


def test_values_of_random_games_are_their_odds():
    odds = ttt.exact_odds(ttt.random_policy, ttt.random_policy)
    assert math.isclose(ttt.random_value(EMPTY_BOARD), odds.first - odds.second)


def test_a_small_net_learns_what_it_is_told_and_repeats():
    boards = [board for board in some_boards(60) if legal(board)]
    told = {board: game_value(board) for board in boards}
    nets = [ttt.SmallNet(8, seed=3).train(told, 300) for _ in range(2)]
    for board in boards:
        assert nets[0](board) == nets[1](board) == nets[0](ttt.representative(board))

    def error(net):
        return np.mean([(net(board) - value) ** 2 for board, value in told.items()])

    assert error(nets[0]) < 0.5 * error(ttt.SmallNet(8, seed=3))


def test_a_count_and_its_share_are_compared_by_the_binomial_sum():
    assert math.isclose(ttt.binomial_p(5, 10, 0.5), 1)
    assert math.isclose(ttt.binomial_p(0, 10, 0.5), 2 / 1024)
    with pytest.raises(ValueError, match="cannot be"):
        ttt.binomial_p(11, 10, 0.5)


def test_two_counts_are_compared_by_the_hypergeometric_sum():
    assert math.isclose(ttt.two_counts_p(3, 4, 1, 4), 34 / 70)
    assert ttt.two_counts_p(5, 10, 50, 100) == 1
    assert ttt.two_counts_p(0, 1_000, 20, 1_000) < 1e-5


def test_the_best_response_wins_what_can_be_won():
    most = ttt.response_wins(ttt.random_policy, 1)
    assert math.isclose(most, 0.9948, abs_tol=5e-5)
    least = ttt.response_wins(ttt.random_policy, 1, ttt.best_points, min)
    assert least < ttt.exact_odds(ttt.random_minimax, ttt.random_policy).first < most
    for side in (1, -1):
        assert ttt.response_wins(ttt.random_minimax, side) == 0


# -- Q-learning ----------------------------------------------------------------------------
def slow_learner(learning, games, seed):
    """Return {class: {point: Q}} of the same lessons in plain Python, with the same draws."""
    graph, rng = ttt.all_classes(), Rng(0)
    rng.state = seed
    Q = [{p: 0.0 for p in legal(board)} for board in graph.boards]
    updates = Counter()

    def draw(at, least):
        chosen, ties = None, 0
        for point, value in Q[at].items():
            if value >= least:
                ties += 1
                if rng.draw(ties) == 0:
                    chosen = point
        return chosen

    for game in range(games):
        at = 0
        if learning.random_rival and game % 2:
            at = int(graph.after[0, draw(0, -2)])
        while graph.result[at] == 2:
            explores = rng.draw(1_000_000) < 1_000_000 * learning.explore
            move = draw(at, -2 if explores else max(Q[at].values()))
            later, own = int(graph.after[at, move]), False
            if learning.random_rival and graph.result[later] == 2:
                later, own = int(graph.after[later, draw(later, -2)]), True
            value = graph.result[later] if graph.result[later] != 2 else None
            if value is None:
                target = learning.gamma * max(Q[later].values()) * (1 if own else -1)
            else:
                target = -value if own else value
            rate = learning.rate / (1 + updates[at, move]) ** learning.fall
            updates[at, move] += 1
            Q[at][move] += rate * (target - Q[at][move])
            at = later
    return Q


@pytest.mark.parametrize(
    "learning",
    [ttt.CONSTANT._replace(random_rival=True), ttt.FALLING._replace(gamma=0.8)],
    ids=["random rival", "itself, discount"],
)
def test_the_learner_makes_the_same_table_in_plain_python(learning, full):
    games = 5_000 if full else 300
    learner = (
        ttt.QLearner(learning, seed=7).train(games // 3).train(0).train(games - games // 3)
    )
    slow = slow_learner(learning, games, 7)
    for row, known in zip(learner.Q, slow, strict=True):
        assert np.allclose([row[p] for p in known], list(known.values()), atol=1e-9)


def test_a_learner_comes_to_the_truth_where_nothing_is_random():
    learner = ttt.QLearner(ttt.Learning(rate=1.0, explore=1.0)).train(60_000)
    assert np.array_equal(learner.Q, ttt.true_Q(False))
    graph = ttt.all_classes()
    for board, row in zip(graph.boards, ttt.true_Q(False), strict=True):
        assert {p: row[p] for p in legal(board)} == ttt.move_values(board)
    for board in some_boards(300):
        assert learner(board) == ttt.random_minimax(board)


def test_a_discount_counts_the_moves_to_the_end():
    """Q is +-gamma^(n - 1) where hasty best play ends after n moves; 0 for a draw."""

    def hasty(board):  # (value, moves to the end) for the side to move
        if not legal(board):
            return winner(board) * side_to_move(board), 0
        found = [
            (-value, n + 1) for value, n in (hasty(after_move(board, p)) for p in legal(board))
        ]
        best = max(value for value, _ in found)
        return best, (max if best < 0 else min)(n for value, n in found if value == best)

    gamma = 0.9
    learner = ttt.true_learner(False, gamma)
    for board in [b for b in some_boards(400, seed=5) if 0 < b.count(0) <= 6]:
        for point, value in learner.values(board).items():
            sign, n = hasty(after_move(board, point))
            assert math.isclose(value, -sign * gamma**n, abs_tol=1e-8)
    board = read_position("X....OO.X")  # b2 wins at once, b1 and c1 later
    trained = ttt.QLearner(ttt.Learning(rate=1.0, gamma=0.5)).train(5_000)
    assert set(trained(board)) == {4} < set(ttt.true_learner(False)(board)) == {1, 2, 4}


# -- counted searches ----------------------------------------------------------------------
def test_searches_are_counted_and_walked():
    boards = [board for board in ttt.open_classes() if board.count(0) <= 3]
    counts = {board: ttt.searched(board, simulations=300, seeds=3) for board in boards}
    assert all(sum(chosen.values()) == 3 for chosen in counts.values())
    found = ttt.count_mistakes(counts)
    assert found["wrong"] == found["lost"] == 0 and found["searches"] == 3 * found["positions"]
    policy = ttt.counted_policy(counts)
    board = read_position("XOX.XO.O.")  # all eight transformations differ
    board = ttt.representative(board)
    for points in TRANSFORMATIONS.values():
        shares = policy(ttt.transformed(board, points)).items()
        assert Counter({points[p]: round(3 * share) for p, share in shares}) == counts[board]


def test_to_a_search_a_draw_may_be_as_good_as_a_win():
    """With two points left nothing but the reward decides; a loss is still one."""
    asked = {"simulations": 101, "seeds": range(20), "c": 0.5}
    for text in ("XX.OO.XOX", "XX.OX.XOO"):
        board = read_position(text)
        assert ttt.representative(board) == board
        plain = ttt.visited_policy(five.search.plain_kernels, [board], **asked)
        assert set(plain(board)) == set(ttt.best_points(board))
        found = ttt.visited_policy(ttt.draws_win, [board], **asked)
        held = {point for point, value in ttt.move_values(board).items() if value >= 0}
        assert set(found(board)) == held


# -- tables --------------------------------------------------------------------------------
@pytest.fixture
def elsewhere(apart, monkeypatch):
    """Write no result into the project; few simulations only."""
    monkeypatch.setattr(tables, "BUDGETS", (5, 40))
    monkeypatch.setattr(tables, "PAYOFF_BUDGETS", (20,))
    return apart


def test_the_payoff_of_the_search_is_played_and_kept(elsewhere, monkeypatch):
    for _ in range(2):
        results.make(TABLES["ttt-payoff"], 2, 1)
        monkeypatch.setattr(five.strength, "match_game", None)  # kept games are not played
    table = pd.read_csv(elsewhere / "ttt-payoff.csv")
    assert set(table.b) == {*ttt.policies_by_name(), "MCTS"} and set(table.games) == {2}
    counts = table[[f"{first} first: {who}" for first in "ab" for who in ("a", "b", "draw")]]
    assert (counts.sum(axis=1) == 4).all()
    cells = ttt.first_mover_cells(ttt.policies_by_name(), table)
    assert len(cells) == 49 and cells["MCTS", "random"].games == 2
    row = table[table.b == "MCTS"].iloc[0]  # both halves of the match are of one cell
    assert cells["MCTS", "MCTS"].games == 4
    assert cells["MCTS", "MCTS"].won == (row["a first: a"] + row["b first: b"]) / 4


def test_every_position_is_searched_and_kept(elsewhere, monkeypatch):
    for _ in range(2):
        results.make(TABLES["ttt-simulations"], 1, 1)
        monkeypatch.setattr(ttt, "searched", None)
    table = pd.read_csv(elsewhere / "ttt-simulations.csv")
    assert list(table.simulations) == [5, 40] * 2
    assert table.wrong.iloc[0] > table.wrong.iloc[1] > 0
    assert set(table.positions) == {431} and (table["X beaten"] >= 0).all()
    assert all(read_position(text) for text in table.hardest.iloc[0].split())

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
    EMPTY,
    TURNS,
    board_text,
    legal,
    mover,
    play,
    read_board,
    winner,
    worth,
)
from references import Rng, full_scan

from experiments import matches
from experiments import tic_tac_toe as tables


def cells(board):
    """Return a board as int[3, 3]."""
    return np.array(board).reshape(3, 3)


def some_boards(count, seed=1):
    """Return that many random positions, and the empty one."""
    return [EMPTY, *random.Random(seed).sample(ttt.positions(), count)]


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
        game = ttt.game_of(board)
        assert game.winner == winner(board) and game.legal() == list(legal(board))
        assert game.to_move == mover(board) and ttt.board_of(game) == board


def test_the_counts_are_the_known_ones():
    ends = Counter(winner(board) for board in ttt.positions() if not legal(board))
    assert ends == {1: 626, -1: 316, 0: 16}
    assert ttt.count_games() == {1: 131_184, -1: 77_904, 0: 46_080}


def test_the_branching_factor_is_that_of_the_graph():
    rows = ttt.branching()
    counts = [len(legal(board)) for board in ttt.positions()]
    edges = sum(row["positions"] * row["over positions"] for row in rows)
    assert round(edges) == sum(counts) == 16_167  # the known number
    for row in rows[:5]:  # nothing has ended
        assert row["over positions"] == 9 - row["stones"]
        assert math.isclose(row["over games"], 9 - row["stones"])
    first, second = rows[0], rows[1]  # corner, edge, centre; then 5, 5 and 2 replies
    assert first["over classes"] == 3 and math.isclose(second["over classes"], 12 / 3)
    assert [row["open"] for row in rows] == [1, 3, 12, 38, 108, 153, 183, 95, 34, 0]


def test_best_play_on_both_sides_is_every_line_without_a_loss():
    """A second way to it: all moves after which nobody has a forced win."""

    def lines(board):
        if not legal(board):
            return Counter({winner(board): 1})
        held = [p for p in legal(board) if not slow_worth(play(board, p), -mover(board))]
        return sum((lines(play(board, p)) for p in held), Counter())

    board = read_board("X...OX..O")
    found, ways = lines(board), {board: 1}
    for _ in range(5):
        later = Counter()
        for each, count in ways.items():
            for point in ttt.best_points(each):
                later[play(each, point)] += count
        ways = later
    assert found == {0: sum(ways.values())} and found[0] >= 10
    own = ttt.graph_rows(read_board("X...O...."), 2, 7, ttt.best_points)
    assert [len(row) for row in own[:4]] == [1, 3, 5, 4] and len(own) == 10
    assert ttt.count_games(ttt.best_points) == {1: 0, -1: 0, 0: 3_584}


def test_text_goes_both_ways():
    for board in ttt.positions():
        assert read_board(ttt.board_text(board)) == board


@pytest.mark.parametrize(
    "text", ["", "X" * 9, "XX.......", "O........", "X.O......?", "XXXOOO..."]
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match="no board|no game leads to"):
        read_board(text)


def test_a_move_that_cannot_be_played_names_those_that_can():
    board = read_board("XOXXOO.X.")
    for taken in (0, 9):
        with pytest.raises(ValueError, match=f"point {taken} cannot be played: a3 c3 may be"):
            play(board, taken)
    won = read_board("XXXOO....")
    with pytest.raises(ValueError, match="nothing may be"):
        play(won, 8)


# -- symmetry ------------------------------------------------------------------------------
def test_the_eight_transformations_are_a_group_that_keeps_lines():
    assert len(set(TURNS.values())) == 8
    for one in TURNS.values():
        assert {tuple(sorted(one[p] for p in line)) for line in ttt.LINES} == set(ttt.LINES)
        for other in TURNS.values():
            assert ttt.turned(one, other) in set(TURNS.values())


def test_turned_boards_share_worth_and_representative():
    for board in some_boards(300):
        for points in TURNS.values():
            other = ttt.turned(board, points)
            assert ttt.representative(other) == ttt.representative(board)
            assert worth(other) == worth(board)
            shared = {points[p]: value for p, value in ttt.move_worths(other).items()}
            assert shared == ttt.move_worths(board)


def test_the_graph_of_classes_is_the_game():
    graph = ttt.all_classes()
    assert len(graph.boards) == 765 and (graph.result == 2).sum() == 627
    for board in some_boards(500):
        stands, points = ttt.standing(board)
        assert ttt.turned(board, points) == stands
        for point in range(9):
            later = graph.after[graph.number[stands], point]
            if points[point] in legal(board):
                after = play(board, points[point])
                assert graph.boards[later] == ttt.representative(after)
            else:
                assert later == -1
        if not legal(board):
            assert graph.result[graph.number[stands]] == abs(winner(board))


def test_classes_that_random_games_show_are_as_many_as_expected():
    chances = ttt.chances_of_classes()
    by_ply = np.bincount([9 - board.count(0) for board in ttt.all_classes().boards], chances)
    assert np.allclose(by_ply[:6], 1)  # no game ends before five stones
    for games in (1, 20, 300):
        found = ttt.classes_shown(games, 200, seed=games)
        expected = (1 - (1 - chances) ** games).sum()
        assert abs(found.mean() - expected) < 4 * found.std() / math.sqrt(200)


# -- minimax -------------------------------------------------------------------------------
def slow_worth(board, side):
    """Return what a board is worth for X, without any cache."""
    lines = full_scan(cells(board), 3)
    if lines:
        return lines.pop()
    values = [
        slow_worth(board[:p] + (side,) + board[p + 1 :], -side)
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
        assert solver.value(board) == worth(board)
    plain = ttt.Minimax(prune, None)
    for board in some_boards(400, seed=3):
        if board.count(0) <= 5:
            side = mover(board)
            assert plain.value(board) == worth(board) == slow_worth(board, side) * side


def test_a_narrow_window_gives_a_bound():
    solver = ttt.Minimax()
    for board in some_boards(500, seed=4):
        for low, high in ((-1, 0), (0, 1)):
            value = solver.value(board, low, high)
            assert (value >= high) == (worth(board) >= high)
            assert (value <= low) == (worth(board) <= low)


def test_minimax_policies_play_best_moves_only():
    for board in ttt.positions():
        values = ttt.move_worths(board)
        best = [point for point, value in values.items() if value == max(values.values())]
        assert list(ttt.random_minimax(board)) == best and list(ttt.minimax(board)) == best[:1]
        held = ttt.careful(board)
        assert all(values[p] >= min(0, worth(board)) for p in held)
        assert not legal(board) or math.isclose(sum(held.values()), 1)


# -- odds ----------------------------------------------------------------------------------
def slow_odds(first, second, board=EMPTY):
    """Return [X wins, O wins, draw] by going through every line of play."""
    if not legal(board):
        return np.array([winner(board) == who for who in (1, -1, 0)], float)
    policy = first if mover(board) == 1 else second
    return sum(
        p * slow_odds(first, second, play(board, point)) for point, p in policy(board).items()
    )


@pytest.mark.parametrize(
    "first, second",
    [(ttt.minimax, ttt.chance), (ttt.chance, ttt.minimax), (ttt.careful, ttt.minimax)],
)
def test_odds_are_the_sum_over_all_lines(first, second):
    assert np.allclose(ttt.walk(first, second), slow_odds(first, second))


def test_known_odds():
    odds = ttt.walk(ttt.chance, ttt.chance)
    assert np.allclose(odds, (0.5849, 0.2881, 0.1270), atol=5e-5)
    assert math.isclose(ttt.walk(ttt.random_minimax, ttt.chance).first, 0.9678, abs_tol=5e-5)
    assert math.isclose(
        ttt.both_seats(ttt.random_minimax, ttt.chance).first, 0.8726, abs_tol=5e-5
    )
    assert ttt.walk(ttt.random_minimax, ttt.careful).first == 0
    assert math.isclose(ttt.wins_against_chance(1, legal, max), 0.9948, abs_tol=5e-5)


def test_who_is_beaten():
    for side, name in ((1, "X"), (-1, "O")):
        assert ttt.beaten(ttt.random_minimax, side) == 0, name
        best = ttt.wins_against_chance(-side, legal, max)
        assert math.isclose(ttt.beaten(ttt.chance, side), best)


def test_players_draw_from_their_policy():
    player, game = ttt.PolicyPlayer(ttt.careful), ttt.game_of(read_board("X.......O"))
    drawn = Counter(player.move(game, seed) for seed in range(500))
    assert set(drawn) == set(ttt.careful(read_board("X.......O")))
    assert all(60 < count < 150 for count in drawn.values())
    with pytest.raises(ValueError, match="tic-tac-toe is"):
        player.move(five.game.Game(five.game.Rules(4, 3)))


def test_a_played_match_agrees_with_the_odds(full):
    games = 20_000 if full else 300
    players = ttt.PolicyPlayer(ttt.random_minimax), ttt.PolicyPlayer(ttt.chance)
    table = five.strength.play_match(*players, games, ttt.RULES, seed=5)
    odds = ttt.both_seats(ttt.random_minimax, ttt.chance)
    spread = math.sqrt(odds.first * (1 - odds.first) / games)
    assert abs(table.attrs["wins"] / games - odds.first) < 4 * spread
    assert table.attrs["losses"] == 0


# -- Q-learning ----------------------------------------------------------------------------
def slow_learner(how, games, seed):
    """Return {class: {point: Q}} of the same lessons in plain Python, with the same draws."""
    graph, rng = ttt.all_classes(), Rng(0)
    rng.state = seed
    Q = [{p: 0.0 for p in legal(board)} for board in graph.boards]
    seen = Counter()

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
        if how.random_rival and game % 2:
            at = int(graph.after[0, draw(0, -2)])
        while graph.result[at] == 2:
            explores = rng.draw(1_000_000) < 1_000_000 * how.explore
            move = draw(at, -2 if explores else max(Q[at].values()))
            later, own = int(graph.after[at, move]), False
            if how.random_rival and graph.result[later] == 2:
                later, own = int(graph.after[later, draw(later, -2)]), True
            value = graph.result[later] if graph.result[later] != 2 else None
            if value is None:
                target = how.gamma * max(Q[later].values()) * (1 if own else -1)
            else:
                target = -value if own else value
            rate = how.rate / (1 + seen[at, move]) ** how.fall
            seen[at, move] += 1
            Q[at][move] += rate * (target - Q[at][move])
            at = later
    return Q


@pytest.mark.parametrize("rival", [False, True])
@pytest.mark.parametrize(
    "how",
    [ttt.CONSTANT, ttt.FALLING, ttt.FALLING._replace(gamma=0.8)],
    ids=["constant", "falling", "discount"],
)
def test_the_learner_makes_the_same_table_in_plain_python(how, rival, full):
    how, games = how._replace(random_rival=rival), 5_000 if full else 300
    learner = ttt.QLearner(how, seed=7).train(games)
    slow = slow_learner(how, games, 7)
    for row, known in zip(learner.Q, slow, strict=True):
        assert np.allclose([row[p] for p in known], list(known.values()), atol=1e-9)


def test_lessons_may_come_in_parts():
    whole = ttt.QLearner(seed=3).train(500)
    parts = ttt.QLearner(seed=3).train(123).train(0).train(377)
    assert whole.games == parts.games == 500 and (whole.Q == parts.Q).all()


def test_a_learner_comes_to_the_truth_where_nothing_is_random():
    learner = ttt.QLearner(ttt.Learning(rate=1.0, explore=1.0)).train(60_000)
    assert ttt.q_error(learner) == 0
    graph = ttt.all_classes()
    for board, row in zip(graph.boards, ttt.true_Q(False), strict=True):
        assert {p: row[p] for p in legal(board)} == ttt.move_worths(board)
    for board in some_boards(300):
        assert learner(board) == ttt.random_minimax(board)


@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.0])
def test_a_discount_counts_the_moves_to_the_end(gamma):
    """Q is +-gamma^(n - 1) where best play, in haste, ends after n moves; 0 where it draws."""

    def hasty(board):  # (worth, moves to the end) for the side to move
        if not legal(board):
            return winner(board) * mover(board), 0
        found = [(-value, n + 1) for value, n in (hasty(play(board, p)) for p in legal(board))]
        best = max(value for value, _ in found)
        return best, (max if best < 0 else min)(n for value, n in found if value == best)

    learner = ttt.knows_all(False, gamma)
    for board in [b for b in some_boards(400, seed=5) if 0 < b.count(0) <= 6]:
        for point, value in learner.values(board).items():
            sign, n = hasty(play(board, point))
            assert math.isclose(value, -sign * gamma**n, abs_tol=1e-8)
    board = read_board("X....OO.X")  # b2 wins at once, b1 and c1 later
    trained = ttt.QLearner(ttt.Learning(rate=1.0, gamma=0.5)).train(5_000)
    assert set(trained(board)) == {4} < set(ttt.knows_all(False)(board)) == {1, 2, 4}
    assert ttt.q_error(learner) == pytest.approx(0, abs=1e-9)


def test_a_falling_rate_comes_nearer_to_the_truth_against_a_random_rival():
    hows = [how._replace(random_rival=True) for how in (ttt.CONSTANT, ttt.FALLING)]
    constant, falling = (ttt.q_error(ttt.QLearner(how).train(200_000)) for how in hows)
    assert falling < 0.8 * constant


def test_the_true_table_beats_random_as_often_as_can_be():
    learner = ttt.knows_all(True)
    most = ttt.wins_against_chance(1, legal, max)
    assert ttt.walk(learner, ttt.chance).first <= most + 1e-9
    odds = ttt.walk(learner, ttt.chance)
    value = ttt.true_Q(True)[0].max()  # wins minus losses
    assert math.isclose(odds.first - odds.second, value, abs_tol=1e-6)


@pytest.mark.parametrize(
    "how",
    [
        {"rate": -1},
        {"rate": "fast"},
        {"fall": 2},
        {"explore": math.nan},
        {"random_rival": None},
        {"gamma": 1.1},
    ],
)
def test_bad_lessons_are_refused(how):
    with pytest.raises(ValueError, match=f"{next(iter(how))} must be"):
        ttt.QLearner(ttt.Learning(**how))


@pytest.mark.parametrize("games", [-1, 2.5, "many", True])
def test_a_bad_number_of_games_is_refused(games):
    with pytest.raises(ValueError, match="games must be a whole number"):
        ttt.QLearner().train(games)


# -- printed and sampled -------------------------------------------------------------------
def test_how_unlikely_a_count_is():
    assert math.isclose(ttt.unlikely(0, 10, 0.5), 2 / 1024)
    assert ttt.unlikely(3, 6, 0.5) == 1
    assert ttt.unlikely(1, 1_000, 0.0) == 0 and ttt.unlikely(0, 1_000, 0.0) == 1
    for wrong in ((11, 10, 0.5), (-1, 10, 0.5), (1, 10, 1.5)):
        with pytest.raises(ValueError, match="cannot be"):
            ttt.unlikely(*wrong)


def test_the_printed_tables_agree_but_for_one_number():
    means = {pair: ttt.mean_of_seats(pair) for pair in ttt.PRINTED_BOTH}
    odd = [
        pair for pair, mean in means.items() if not np.allclose(mean, ttt.PRINTED_BOTH[pair])
    ]
    assert odd == [("Q-learning", "random")]


def test_searches_are_counted_and_walked():
    boards = [board for board in ttt.choices() if board.count(0) <= 3]
    counts = {board: ttt.searched(board, 300, 3) for board in boards}
    assert all(sum(chosen.values()) == 3 for chosen in counts.values())
    found = ttt.faults(counts)
    assert found["wrong"] == found["lost"] == 0 and found["searches"] == 3 * found["positions"]
    policy = ttt.counted_policy(counts)
    board = next(
        b for b in boards if len({ttt.turned(b, turn) for turn in TURNS.values()}) == 8
    )
    for points in TURNS.values():
        shares = policy(ttt.turned(board, points)).items()
        assert Counter({points[p]: round(3 * share) for p, share in shares}) == counts[board]
    worst = {b: min(ttt.move_worths(b), key=ttt.move_worths(b).get) for b in boards}
    wrong = {b: Counter({worst[b]: 2}) for b in boards if ttt.has_choice(b)}
    found = ttt.faults(wrong)
    assert found["wrong"] == found["searches"] == 2 * len(wrong) and found["lost"] > 0


def test_until_nothing_is_wrong():
    rows = pd.DataFrame({"simulations": [10, 20, 50, 100], "wrong": [3, 0, 1, 0]})
    assert ttt.until_clean(rows, ["wrong"]) == 100
    assert ttt.until_clean(rows.head(3), ["wrong"]) is None


# -- tables --------------------------------------------------------------------------------
@pytest.fixture
def elsewhere(apart, monkeypatch):
    """Write no result into the project; few simulations only."""
    monkeypatch.setattr(tables, "BUDGETS", (5, 40))
    monkeypatch.setattr(tables, "PAYOFF_BUDGETS", (20,))
    return apart


def test_the_payoff_of_the_search_is_played_and_kept(elsewhere, monkeypatch):
    matches.make("ttt-payoff", tables.TABLES["ttt-payoff"][0], 2, 1)
    table = pd.read_csv(elsewhere / "ttt-payoff.csv")
    assert set(table.b) == {*ttt.policies_by_name(), "MCTS"} and set(table.games) == {2}
    counts = table[[f"{first} first: {who}" for first in "ab" for who in ("a", "b", "draw")]]
    assert (counts.sum(axis=1) == 4).all()
    cells = ttt.first_mover_cells(ttt.policies_by_name(), table)
    assert len(cells) == 49 and cells["MCTS", "random"].games == 2
    row = table[table.b == "MCTS"].iloc[0]  # both halves of the match are of one cell
    assert cells["MCTS", "MCTS"].games == 4
    assert cells["MCTS", "MCTS"].won == (row["a first: a"] + row["b first: b"]) / 4
    compared = {(row["pair"], row["seat"]) for row in ttt.compare_printed(cells)}
    assert ("random v MCTS", "second") in compared  # and what is printed as 0 is compared too
    for rival in ("random", "minimax", "random-minimax"):
        ours = cells[rival, "MCTS"].won > 0
        assert ((f"{rival} v MCTS", "first") in compared) == ours
    row = table[table.b == "random"].iloc[0]
    assert cells["random", "MCTS"].lost == row["b first: a"] / 2
    monkeypatch.setattr(five.strength, "match_game", None)  # what is kept is not played again
    matches.make("ttt-payoff", tables.TABLES["ttt-payoff"][0], 2, 1)


def test_the_other_searches_join_the_matrix(elsewhere, monkeypatch, capsys):
    for name, games in (("ttt-payoff", 1), ("ttt-searches", 2)):
        matches.make(name, tables.TABLES[name][0], games, 1)
    table = ttt.payoff_table()
    searches = {"MCTS", "MCTS √2", "Bayes-UCT1", "Bayes-UCT2"}
    assert set(table.a) == searches and len(table) == 7 + 8 + 9 + 10
    assert set(table.games) == {1}  # half of 2 at the largest budget
    cells = ttt.first_mover_cells(ttt.policies_by_name(), table)
    assert len(cells) == 10 * 10 and ttt.matrix_figure(cells).axes
    row = table[(table.a == "Bayes-UCT2") & (table.b == "MCTS √2")].iloc[0]
    assert cells["MCTS √2", "Bayes-UCT2"].won == row["b first: b"]
    compared = {row["pair"]: row["printed"] for row in ttt.compare_printed(cells)}
    assert compared["random v MCTS √2"] == compared["random v MCTS"] == 61.0
    assert set(ttt.search_cells(table)) == {(name, 20) for name in searches}
    rows = ttt.search_matches(table)
    assert len(rows) == 6 and all(r["won"] + r["drawn"] + r["lost"] == 2 for r in rows)
    assert ttt.belief_words(rows) == "Clearly better, of 6 matches: none."
    rows[0] |= {"won": 3, "drawn": 1, "lost": 30}
    best, worst = rows[0]["b"], rows[0]["a"]
    assert f"{best} over {worst} at 20 simulations (30–1–3)" in ttt.belief_words(rows)
    rows[1] |= {"won": 20, "drawn": 0, "lost": 6}  # the chance lies between 0.05/6 and 0.05/5
    assert [row["won"] for *_, row in ttt.clear_wins(rows)] == [3, 20]
    (elsewhere / "ttt-searches.csv").unlink()
    assert set(ttt.payoff_table().a) == {"MCTS"}


def test_mcts_with_the_constant_of_the_source_is_plain_search_with_it():
    plain = five.search.PlainUCT(simulations=60, c=math.sqrt(2))
    other = ttt.BayesPlayer(tables.PAYOFF_SEARCHES["MCTS √2"], simulations=60)
    game = five.game.Game(ttt.RULES)
    moves = [(plain.move(game, seed), other.move(game, seed)) for seed in range(30)]
    assert all(one == two for one, two in moves) and len(set(moves)) > 1


def test_learners_that_fit_the_printed_numbers_are_counted():
    how, printed = ttt.FALLING, (96.8, 77.7, 0.0, 0.0)  # of a learner at the end of its way
    found = ttt.early(how, (100, 30_000), (1, 2), printed)
    assert [fit for _, fit in found.values()] == [0, 2]
    assert found[100][0][3] > found[30_000][0][3]


def test_every_position_is_searched_and_kept(elsewhere, monkeypatch):
    matches.make("ttt-simulations", tables.TABLES["ttt-simulations"][0], 1, 1)
    table = pd.read_csv(elsewhere / "ttt-simulations.csv")
    assert (
        list(table.simulations) == [5, 40] * 2
        and table.wrong.iloc[0] > table.wrong.iloc[1] > 0
    )
    assert set(table.positions) == {431} and (table["X beaten"] >= 0).all()
    assert all(read_board(text) for text in table.hardest.iloc[0].split())
    assert "plain search: no loss seen" in ttt.until_words(table)
    assert ttt.until_figure(table).axes
    monkeypatch.setattr(ttt, "searched", None)
    matches.make("ttt-simulations", tables.TABLES["ttt-simulations"][0], 1, 1)


def test_a_missing_table_is_named(elsewhere, capsys):
    assert five.strength.stored_results("ttt-payoff") is None
    assert "python -m experiments ttt-payoff makes it" in capsys.readouterr().out


def test_figures_can_be_drawn():
    board = read_board("XX.OO.X..")
    learner = ttt.QLearner().train(100)
    tree = five.search.Tree(
        ttt.game_of(board), five.search.plain_game(3), five.search.SearchOptions(), 1_000
    )
    thought = five.search.read_tree(tree, tree.run(50), 0)

    def graph(below, moves_of=legal, **more):
        rows = ttt.graph_rows(below, 2, 2, moves_of)
        return ttt.graph_figure(below, rows, (9, 5), moves_of, **more)

    for figure in (
        ttt.turns_figure(board),
        graph(read_board("X....O...")),
        graph(read_board("X...O...."), ttt.best_points, note=board_text),
        ttt.minds_figure(board, learner, thought),
        ttt.q_figure({"one": learner, "two": learner}, {"here": board, "empty": EMPTY}),
    ):
        assert figure.axes and sum(len(ax.lines) for ax in figure.axes) > 20


def test_free_points_of_a_small_board_hold_their_numbers():
    ax = ttt.small_axes(five.figures.new_figure(3, 3), 3, 3)
    ttt.fill_small(ax, 1.5, 1.5, {0: -1.0, 8: 0.0}, {0: "low", 8: "0"}, 3, "RdBu", -1, 1)
    (low, zero), texts = ax.patches, {each.get_text(): each for each in ax.texts}
    assert low.get_xy() == (0, 0) and zero.get_xy() == (2, 2)  # a1 and c3
    assert texts["low"].get_color() == "white" and texts["0"].get_color() == "black"
    assert low.get_facecolor()[0] > 2 * low.get_facecolor()[2]  # lost: red

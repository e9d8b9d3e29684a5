"""The report's agent with its two errors and without them, and the tables of its matches."""

import random
from types import SimpleNamespace

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid
from five_in_a_row import connect_report as report
from helpers import found_by

from experiments import matches
from experiments.connect_four import report as tables
from experiments.registry import TABLES

RULES = connect_grid.four_rules()
EMPTY = five.game.Game(RULES)


# ---- the reward ---------------------------------------------------------------------------


def test_as_printed_no_leaf_is_ever_credited_nothing_and_corrected_about_half():
    assert report.count_rewards(report.reward_as_printed, 1_000) == {0: 0, 0.5: 0, 1: 1_000}
    counts = report.count_rewards(report.reward_corrected, 2_000)
    assert sum(counts.values()) == 2_000 and min(counts[0], counts[1]) > 800


@pytest.mark.parametrize("simulations", [700, 5_600])
def test_the_misread_search_does_what_a_plain_one_with_that_reward_does(
    simulations, monkeypatch
):
    thought = found_by(
        report.Agent(simulations=simulations, kernels=report.misread_game), EMPTY, 1
    )
    monkeypatch.setattr(five.mcts, "C", report.REPORT_OPTIONS.c_uct)
    monkeypatch.setattr(five.mcts, "rollout", lambda node, rng: node.player)
    plain = five.mcts.plain_search(EMPTY, simulations=simulations, seed=1)
    ours, references = np.sort(thought.visits.sum(0)), np.sort(plain.visits.sum(0))
    assert ours.tolist() == references.tolist() and ours.sum() == simulations
    alike = simulations <= 2_800  # level by level; then one column wins credit by its depth
    assert ours[-1] == simulations // 7 if alike else ours[-1] > 4 * ours[-2]


def test_the_misread_search_credits_a_full_grid_like_any_leaf():
    text = "a1 b1 a2 b2 b3 a3 a4 b4 a5 b5 b6 a6 c1 d1 c2 d2 d3 c3 c4 d4 c5 d5 d6 c6 "
    text += "e1 f1 e2 f2 f3 e3 e4 f4 e5 f5 f6 e6 g1 g2 g3 g4 g5"
    game = five.game.Game.from_text(text, rules=RULES)
    assert not game.over and len(game.legal()) == 1
    for kernels, value in ((four.four_game, 0.0), (report.misread_game, 1.0)):
        thought = found_by(report.Agent(simulations=10, kernels=kernels), game, 1)
        assert thought.value == value


def credited(node, outcome):
    """Add one result to the path of a node as the report's listing does."""
    reward = 1  # whoever has won
    while node is not None:
        node[0], node[1] = node[0] + 1, node[1] + reward
        reward, node = 0 if outcome == 0 else 1 - reward, node[2]


def listing(game, simulations, c):
    """Return the visits of the root's moves, and {move: credit}, of the listing in Python.

    A node is [visits, credit, parent, children]. One child is added per simulation, in the
    order of the columns; ties go to the first. Playouts are random.
    """
    rng, root = random.Random(1), [0, 0, None, {}]
    for _ in range(simulations):
        node, now = root, game.copy()
        while not now.over:
            free = connect_grid.open_columns(now)
            if missing := [col for col in free if col not in node[3]]:
                node[3][missing[0]] = [0, 0, node, {}]
                connect_grid.drop(now, missing[0])
                node = node[3][missing[0]]
                break
            logs = np.log(node[0])
            column = max(free, key=lambda k: child_score(node[3][k], logs, c))
            connect_grid.drop(now, column)
            node = node[3][column]
        while not now.over:
            now.play(rng.choice(sorted(now.legal())))
        credited(node, now.winner)
    return root


def child_score(child, logs, c):
    """Return the bound of a child in the listing."""
    return child[1] / child[0] + c * (logs / child[0]) ** 0.5


FORCED = "a1 b1 a2 b2 b3 a3 a4 b4 a5 b5 b6 a6 c1 d1 c2 d2 d3 c3 c4 d4 c5 d5 d6 c6 "
FORCED += "e1 f1 e2 f2 f3 e3 e4 f4 e5 f5 f6 e6 g1 g2 g3"


@pytest.mark.parametrize("stones", [36, 39])
def test_as_printed_a_draw_credits_the_leaf_and_nobody_above(stones):
    """One line of moves is left and it draws: the credits are those of the listing."""
    game = five.game.Game.from_text(" ".join(FORCED.split()[:stones]), rules=RULES)
    agent = report.PrintedAgent(simulations=12)
    agent.move(game, 1)
    ours, theirs = agent.memory.tree.root, listing(game, 12, report.REPORT_OPTIONS.c_uct)
    while theirs[3]:
        assert (ours.N, ours.W) == (theirs[0], theirs[1])
        (ours,), (theirs,) = ours.children, theirs[3].values()
    assert (ours.N, ours.W) == (theirs[0], theirs[1]) and ours.W == ours.N > 0


def test_as_printed_the_means_go_by_full_levels_until_one_column_leaves_the_others():
    counts = 7, 56, 2_800, 5_600
    means = np.array(list(report.column_means(EMPTY, counts).values()))
    assert (means[:, 0] == 1).all() and (means[:, 1] == 1 / 8).all()
    assert (np.abs(means[:, 2] - 50 / 400) < 0.04).all()
    *others, first = np.sort(means[:, 3])
    assert max(others) < 0.2 and first > 0.7


# ---- the tree -----------------------------------------------------------------------------


def test_agents_with_one_tree_begin_with_what_the_other_has_found():
    budgets = {"simulations": 3_000}, {"simulations": 1}
    assert report.second_visits(*report.sharing(*budgets)) > 100
    assert report.second_visits(*(report.Agent(**budget) for budget in budgets)) == 1


# ---- what is seen -------------------------------------------------------------------------


def test_there_is_one_column_to_play_and_the_corrected_agent_plays_it():
    positions = report.must_block(30, seed=3)
    assert len(positions) == 30
    for game, point in positions:
        for move in game.legal():
            after = game.copy()
            after.play(move)
            assert not after.over  # the mover has no win
            assert (point in five.search.winning_points(after, after.to_move)) == (
                move != point
            )
    assert report.blocks(report.Agent, 2_000, positions) >= 27  # some are lost anyway
    assert report.blocks(report.Agent, 1, positions) < 30


# ---- adaptive simulations -----------------------------------------------------------------


def test_adaptive_simulations_are_fewer_where_it_is_clear_and_at_most_twice():
    clear = five.game.Game.from_text("d1 a1 d2 a2 d3", rules=RULES)  # only d4 stops black
    assert found_by(report.AdaptiveAgent(simulations=2_000), clear, 1).simulations < 2_000
    agents = [report.AdaptiveAgent(simulations=500) for _ in range(20)]
    found = [found_by(agent, EMPTY, seed).simulations for seed, agent in enumerate(agents)]
    assert 500 < max(found) <= 1_050 and min(found) >= 25


# ---- the tables ---------------------------------------------------------------------------


@pytest.fixture
def results(apart, monkeypatch):
    """Keep what is measured and what is shown in a folder of this test."""
    monkeypatch.setattr(tables, "PILOT", 2)
    return apart


def test_the_first_player_is_the_one_of_the_column_first(results, monkeypatch):
    monkeypatch.setitem(TABLES, "report-1-400", TABLES["report-printed"])
    rows = list(tables.unequal("report-1-400", tables.BOTH, 1, 400, 6, 1))
    assert [(row["first"], row["second"]) for row in rows] == [(1, 400), (400, 1)] * 2
    weak, strong = rows[2:]  # corrected
    assert weak["won"] < weak["lost"] and strong["won"] > strong["lost"]


def test_with_a_clock_both_sides_get_their_time_and_are_counted(results, monkeypatch):
    monkeypatch.setattr(tables, "CLOCKED", ((1, 1), (1, 8)))
    rows = list(tables.clocked(2, 1))
    assert [(row["first"], row["second"]) for row in rows] == [(1, 1), (1, 8), (8, 1)] * 2
    assert all(row["games"] == 2 for row in rows)
    few, many = rows[4]["simulations first"], rows[4]["simulations second"]
    assert many > 2 * few > 0


def test_tables_of_matches_are_judged_as_one_family():
    table = report.one_family("printed-more", "report-more")
    pairs = list(zip(table["pairs won"], table["pairs lost"], strict=True))
    assert len(pairs) == 36 and table.verdict.to_list() == five.strength.verdicts(pairs)


def test_without_tables_nothing_is_claimed(results):
    assert report.one_family("printed-more", "report-more") is None
    assert report.repeated() == {} == report.more_counts({}) == report.row_verdicts({})
    assert len(report.repeated_figure({}, report.REPORTED[:5]).axes) == 1


def test_games_of_more_counts_are_added_for_whoever_thinks_more():
    more, fewer = report.MORE_SIMULATIONS, report.FEWER_SIMULATIONS
    ahead, behind = (SimpleNamespace(won=won, drawn=2, lost=98 - won) for won in (95, 6))
    both = {(more, fewer): {"corrected": ahead}, (fewer, more): {"corrected": behind}}
    assert report.more_counts(both) == {"corrected": (95 + 92, 4, 3 + 6)}
    assert report.more_counts({(more, fewer): {"corrected": ahead}}) == {}
    assert report.counts_said(187, 4, 9).startswith("0.94 (0.9")


def test_the_report_has_a_table_for_each_of_its_rows():
    names = {report.table_name(row.counts) for row in report.REPORTED}
    assert names < set(TABLES)
    assert all(sum(row.wins) == 100 for row in report.REPORTED)


def test_mirror_images_are_one_beginning():
    def begun(moves):
        return matches.beginning(moves, tables.RULES)

    assert {begun(f"d1 d2 d3 d4 {moves}") for moves in ("a1 g1", "g1 b1")} == {
        "d1 d2 d3 d4 a1"
    }
    assert begun("d1 d2 d3 d4 d5") != "d1 d2 d3 d4 a1"

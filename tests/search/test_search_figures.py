"""What the figures of a search, and the tables of the essays, are made from."""

import five_in_a_row as five
import numpy as np
import pytest
import steps

QUIET = five.game.Game.from_text("h8 i9 g9 h10", 15)
FIGHT = five.game.Game.from_text("d4 e5 d6 d5")


def grown(simulations, game=FIGHT, kernels=None, options=None):
    """Return the tree and the SearchResult of one search."""
    options = options or five.search.SearchOptions()
    *_, (_, tree, thought) = five.strength.snapshots(game, [simulations], kernels, options)
    return tree, thought


# ---- one search, read again and again --------------------------------------------------


@pytest.mark.parametrize("kernels", [None, five.search.plain_game()], ids=["engine", "plain"])
def test_looking_at_a_search_does_not_change_it(kernels):
    read = list(five.strength.snapshots(FIGHT, [10, 100, 101, 1000], kernels))
    assert [count for count, _, _ in read] == [10, 100, 101, 1000]
    assert [thought.simulations for _, _, thought in read] == [10, 100, 101, 1000]
    _, at_once = grown(1000, kernels=kernels)
    assert (read[-1][2].visits == at_once.visits).all()


@pytest.mark.parametrize("kernels", [None, five.search.plain_game()], ids=["engine", "plain"])
def test_nodes_by_depth_are_those_that_a_walk_finds(kernels):
    tree, _ = grown(700, QUIET, kernels)
    found = []

    def walk(node, depth):
        found.append(depth)
        for child in node.children:
            walk(child, depth + 1)

    walk(tree.root, 0)
    assert five.strength.nodes_by_depth(tree).tolist() == np.bincount(found).tolist()


def test_the_expected_line_is_that_of_the_thought():
    tree, thought = grown(2000)
    assert [node.point for node in five.strength.line_nodes(tree)] == thought.line
    visits = [node.N for node in five.strength.line_nodes(tree)]
    assert visits == sorted(visits, reverse=True)


# ---- the first figure of the main notebook ----------------------------------------------


def test_the_two_favourites_of_plain_search_are_as_the_text_says():
    """c7 and c6 are nearly level, and g3 is not among the first three; c6 alone loses."""
    game = five.game.Game.from_text("d4 e5 d5 d6 e4 f4 c5 e6")
    found = five.mcts.plain_search(game, simulations=10_000)
    names, visits, *_ = zip(*found.top(3), strict=True)
    assert names[:2] == ("c7", "c6") and visits[1] > 0.9 * visits[0] and "g3" not in names
    assert 13 < visits[1] / 55 < 17
    for name, proven in (("c6", 1), ("c7", None), ("g3", None)):
        after = five.game.Game.from_text(" ".join([*game.moves, name]))
        assert len(after.legal()) == 55
        reply = five.engine.think(after, simulations=2_000)
        assert reply.proven == proven and (name != "c6" or reply.name == "g3")


# ---- the drawing of the four steps ------------------------------------------------------


def test_the_drawn_simulation_is_one_more_than_the_tree_before_it():
    drawn = steps.one_simulation()
    first, last = steps.before_step(drawn, 0), steps.before_step(drawn, 3)
    assert (last == drawn.nodes).all()
    assert (last["N"] - first["N"])[drawn.walk].tolist() == [1] * len(drawn.walk)
    others = np.setdiff1d(np.arange(len(last)), drawn.walk)
    assert (last["N"] == first["N"])[others].all()
    gains = (last["W64"] - first["W64"])[drawn.walk] / 64
    assert (gains[1:] + gains[:-1] == 1).all() and set(gains) == {0, 1}


# ---- the essay on the rules -------------------------------------------------------------


@pytest.mark.parametrize("size", [5, 8, 20])
def test_lines_through_a_point_are_those_that_a_count_finds(size):
    count, inside = np.zeros((size, size), int), range(size)
    for row in inside:
        for col in inside:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                end_row, end_col = row + 4 * down, col + 4 * right
                if end_row in inside and end_col in inside:
                    for k in range(5):
                        count[row + k * down, col + k * right] += 1
    assert (five.essays.lines_through(five.game.Rules(size)) == count).all()


# ---- the essay on search ----------------------------------------------------------------


def test_the_visits_hold_while_the_value_of_another_move_leads_as_the_essay_says():
    game = five.game.Game.from_text("f3 c8 c2 h4")
    steady, lucky = (five.game.to_point(name, game.rules) for name in ("e4", "f4"))
    how = [200, 800, 1_200, 2_000], None, five.search.SearchOptions(seed=1)
    for count, _, thought in five.strength.snapshots(game, *how):
        assert thought.visits.argmax() == steady
        assert (np.nanargmax(thought.values) == lucky) == (count < 1_000)


# ---- the essay on experiments -----------------------------------------------------------


@pytest.mark.parametrize("score", [0.5, 0.6])
def test_the_chance_to_show_is_what_a_simulation_finds(score):
    rng = np.random.default_rng(2)
    wins = rng.binomial(200, score, 20_000)
    least = next(
        k for k in range(100, 200) if five.strength.chance_if_equal(k, 200 - k) <= 0.05
    )
    shown = np.mean(wins >= least)
    assert five.strength.chance_to_show(200, score) == pytest.approx(shown, abs=0.01)


@pytest.mark.parametrize("score, games", [(0.9, 12), (0.6, 199), (0.52, 4_927)])
def test_the_length_of_a_match_is_the_smallest_that_is_enough(score, games):
    assert five.strength.games_needed(score) == games
    shorter = range(max(4, games - 200), games)
    assert max(five.strength.chance_to_show(n, score) for n in shorter) < 0.8
    assert five.strength.chance_to_show(games, score) >= 0.8


# ---- the essay on the interface ---------------------------------------------------------


def test_the_favourite_changes_from_picture_to_picture_as_the_essay_says():
    game = five.game.Game.from_text("d1 f8 d5 b7")
    counts = [2_000, 3_200, 8_500, 10_000]
    options = five.search.SearchOptions(seed=1)
    reads = five.strength.snapshots(game, counts, None, options)
    assert [thought.name for *_, thought in reads] == ["d4", "e5"] * 2

"""The search: its accounting, and equality with a slow search fed the same random numbers."""

import math

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import COMPLETE, DRAWN, WON, Game, Rules, SearchOptions
from slow_twins import Chance, SlowSearch, full_scan

PLAIN = SearchOptions(keep=400)
CLASSIC = SearchOptions(keep=5, widen=0, sure=2000)
WIDE = SearchOptions(keep=3, widen=1.5, sure=20_000)


def searched(kernels, game, options, simulations):
    """Return (record, nodes) after that many simulations."""
    tree = five.Tree(game, kernels, options, records=4 * simulations + 1000)
    tree.run(simulations)
    return tree


def random_position(rules, rng, plies):
    """Return a game some random plies in that is not over."""
    while True:
        game = Game(rules)
        for _ in range(plies):
            if not game.over:
                game.play(int(rng.choice(game.legal())))
        if not game.over:
            return game


def same_tree(nodes, index, slow):
    """Assert that a compiled node and a slow one agree, and all below them."""
    record = nodes[index]
    assert (record["N"], record["W2"], record["tried"]) == (slow.N, slow.W2, slow.tried)
    assert record["move"] == slow.move
    first = int(record["first"])
    assert record["count"] == len(slow.children)
    for i, child in enumerate(slow.children):
        same_tree(nodes, first + i, child)


@pytest.mark.parametrize(
    "rules, plies, options, shaped",
    [
        (Rules(3, 3), 0, PLAIN, False),
        (Rules(5, 4), 4, PLAIN, False),
        (Rules(8), 10, PLAIN, False),
        (Rules(9, rows=6), 20, PLAIN, False),
        (Rules(6), 0, CLASSIC, True),
        (Rules(8), 12, CLASSIC, True),
        (Rules(8), 12, WIDE, True),
        (Rules(8), 58, WIDE, True),
        (Rules(15), 40, CLASSIC, True),
    ],
)
def test_the_compiled_search_makes_the_tree_of_its_slow_twin(
    rules, plies, options, shaped, full
):
    rng = np.random.default_rng(5)
    kernels = five.shaped_game() if shaped else five.plain_game(rules.in_a_row)
    for seed in range(10 if full else 2):
        game = random_position(rules, rng, plies)
        simulations = 400 if full else 120
        tree = searched(kernels, game, options._replace(seed=seed), simulations)
        slow = SlowSearch(game.array, game.to_move, rules.in_a_row, seed, options, shaped)
        for _ in range(simulations):
            slow.simulate()
        same_tree(tree.nodes, 0, slow.root)
        assert int(tree.s.random) == slow.chance.state


@pytest.mark.parametrize("size", [3, 5, 8, 15, 20])
def test_a_playout_ends_as_its_stones_say(size, full):
    """One playout at a time against the twin, from thousands of random positions."""
    rules, rng = Rules(size), np.random.default_rng(size)
    kernels = five.plain_game()
    for count in range(2000 if full else 60):
        game = random_position(rules, rng, int(rng.integers(0, min(size * size - 1, 60))))
        s = five.new_search(kernels, game, count)
        slow = SlowSearch(game.array, game.to_move, 5, count, PLAIN, False)
        five.begin_stones(s)
        assert kernels.rollout(s) == slow.playout(game.array, game.to_move)
        assert int(s.random) == slow.chance.state
        assert s.order[: size * size].tolist() == slow.order


@pytest.mark.parametrize("in_a_row", [3, 4, 5, 8])
def test_has_run_agrees_with_a_full_scan(in_a_row, full):
    rng = np.random.default_rng(in_a_row)
    has_run = five.build_has_run(in_a_row)
    for _ in range(3000 if full else 300):
        rows, size = rng.integers(3, 21, 2).tolist()
        cells = (rng.random((rows, size)) < rng.uniform(0.2, 0.8)).astype(np.int8)
        stones = np.zeros(56, np.int32)
        stones[:rows] = (cells << np.arange(size)).sum(axis=1)
        assert has_run(stones, 0, rows) == (1 in full_scan(cells, in_a_row))


def test_falling_stones_stay_legal_in_playouts():
    rules, rng = Rules(7, 4, rows=6, gravity=True), np.random.default_rng(8)
    kernels = five.plain_game(4, True)
    results = []
    for count in range(300):
        game = random_position(rules, rng, int(rng.integers(0, 12)))
        s = five.new_search(kernels, game, count)
        five.begin_stones(s)
        winner = kernels.rollout(s)
        stones = s.board.stones.astype(np.int64)
        half = int(s.geo.half)
        bits = [[stones[c * half + r] >> np.arange(7) & 1 for r in range(6)] for c in (0, 1)]
        cells = np.array(bits[0]) - np.array(bits[1])
        assert not ((cells[1:] != 0) & (cells[:-1] == 0)).any()
        assert full_scan(cells, 4) == ({winner} - {0})
        assert winner or cells.all()
        results.append(winner)
    assert {1, -1} <= set(results)


@pytest.mark.parametrize("rules", [Rules(7, 4, rows=6, gravity=True), Rules(4, 4), Rules(8)])
def test_plain_search_lists_every_legal_move_once(rules):
    game = random_position(rules, np.random.default_rng(9), 5)
    tree = searched(five.plain_game(rules.in_a_row, rules.gravity), game, PLAIN, 3000)
    assert sorted(child.point for child in tree.root.children) == game.legal()


@pytest.mark.parametrize("kernels", [five.plain_game(), five.shaped_game()])
def test_visits_add_up_and_values_stay_between_0_and_1(kernels):
    game = random_position(Rules(8), np.random.default_rng(10), 8)
    tree = searched(kernels, game, PLAIN._replace(keep=20), 20_000)
    assert tree.root.N == 20_000 == sum(child.N for child in tree.root.children)
    todo, seen = [tree.root], 0
    while todo:  # a simulation adds a node, or ends at the end of a game once more
        node = todo.pop()
        seen += node.N if node.status in (WON, DRAWN) else 1
        assert 0 <= node.W <= node.N and node.N > 0
        children = node.children
        if children and node.index:
            assert node.N == 1 + sum(child.N for child in children)
        if node.status in (WON, DRAWN):
            assert not children and node.Q == (1 if node.status == WON else 0.5)
        todo += children
    assert seen == 20_001  # one for each simulation, and the root


def test_credit_alternates_at_every_ply():
    game = random_position(Rules(8), np.random.default_rng(11), 8)
    tree = searched(five.plain_game(), game, PLAIN, 5000)
    todo = [child for child in tree.root.children if child.children]
    while todo:
        node = todo.pop()
        below = sum(child.N - child.W for child in node.children)
        own = node.W - below  # what the node's own first playout gave it
        assert own in (0, 0.5, 1)
        todo += [child for child in node.children if child.children]


def test_every_child_is_visited_once_before_any_is_visited_twice():
    game = random_position(Rules(8), np.random.default_rng(12), 8)
    legal = len(game.legal())
    tree = searched(five.plain_game(), game, PLAIN, legal - 1)
    assert [child.N for child in tree.root.children] == [1] * (legal - 1)
    tree.run(1)
    assert [child.N for child in tree.root.children] == [1] * legal
    tree.run(1)
    assert tree.root.status == COMPLETE and max(c.N for c in tree.root.children) == 2


def test_select_follows_the_formula():
    rng = np.random.default_rng(13)
    s = five.new_search(five.plain_game(), Game(), 1)
    for _ in range(2000):
        count = int(rng.integers(1, 30))
        nodes = five.empty_tree(count + 1)
        visits = rng.integers(1, 200, count)
        nodes["first"][0], nodes["tried"][0], nodes["N"][0] = 1, count, visits.sum() + 1
        nodes["N"][1:] = visits
        nodes["W2"][1:] = rng.integers(0, 2 * visits + 1)
        nodes["inv_sqrt"][1:] = 1 / np.sqrt(visits)
        c = float(rng.choice([0.1, 0.5, 1.4]))
        ucb = nodes["W2"][1:] / 2 / visits + c * np.sqrt(math.log(visits.sum() + 1) / visits)
        chosen = five.ucb(s, nodes, 0, SearchOptions(c_uct=c))
        assert ucb[chosen - 1] >= ucb.max() - 1e-6


def test_equal_scores_are_decided_at_random():
    s = five.new_search(five.plain_game(), Game(), 1)
    nodes = five.empty_tree(4)
    nodes["first"][0], nodes["tried"][0], nodes["N"][0] = 1, 3, 30
    nodes["N"][1:], nodes["W2"][1:], nodes["inv_sqrt"][1:] = 10, 10, 10**-0.5
    chosen = [five.ucb(s, nodes, 0, SearchOptions()) for _ in range(3000)]
    assert all(abs(chosen.count(child) - 1000) < 130 for child in (1, 2, 3))


def test_draws_are_uniform_and_repeat():
    s = five.new_search(five.plain_game(), Game(), 1)
    s.random, chance = np.uint64(7), Chance(7)
    draws = [five.random_below(s, 10) for _ in range(10_000)]
    assert draws == [chance.draw(10) for _ in range(10_000)]
    assert all(abs(draws.count(i) - 1000) < 130 for i in range(10))


def test_the_first_order_of_points_is_a_fair_shuffle():
    s = five.new_search(five.plain_game(), Game(Rules(3, 3)), 1)
    seen = np.zeros((9, 9), int)
    for seed in range(4500):
        five.shuffle_points(s, seed)
        assert sorted(s.order[:9].tolist()) == list(range(9))
        seen[np.arange(9), s.order[:9]] += 1
    assert (abs(seen - 500) < 120).all()


def test_another_policy_is_one_function():
    """The selection policy is a parameter: greedy search needs no change elsewhere."""

    @five.part
    def greedy(s, tree, node, options):
        first, best = tree[node].first, 0
        for i in range(tree[node].tried):
            if (
                tree[first + i].W2 * tree[first + best].N
                > tree[first + best].W2 * tree[first + i].N
            ):
                best = i
        return first + best

    search = five.build_search(five.plain_game(), greedy)
    s, nodes = five.new_search(five.plain_game(), Game(), 3), five.empty_tree(9000)
    search(s, nodes, PLAIN, 4000)
    assert nodes["N"][0] == 4000
    ucb_tree = searched(five.plain_game(), Game(), PLAIN._replace(seed=3), 4000)
    assert max(c.N for c in five.Node(nodes).children) > max(
        c.N for c in ucb_tree.root.children
    )


def test_blocks_of_children_never_overlap():
    game = random_position(Rules(8), np.random.default_rng(14), 4)
    tree = searched(five.plain_game(), game, PLAIN, 30_000)
    owner = np.zeros(len(tree.nodes), bool)
    todo = [0]
    while todo:
        record = tree.nodes[todo.pop()]
        block = range(record["first"], record["first"] + record["count"])
        assert not owner[block.start : block.stop].any() and block.stop <= tree.s.heap[0]
        owner[block.start : block.stop] = True
        todo += [i for i in block[: record["tried"]] if tree.nodes[i]["count"]]


@pytest.mark.parametrize("kernels", [five.plain_game(), five.shaped_game()])
def test_a_simulation_takes_at_most_40_bytes(kernels):
    options = PLAIN if kernels.batch == 1 else SearchOptions()
    tree = searched(
        kernels, random_position(Rules(8), np.random.default_rng(15), 2), options, 100_000
    )
    assert int(tree.s.heap[0]) * five.NODE.itemsize <= 40 * 100_000

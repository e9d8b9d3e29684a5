"""The search: its accounting, and equality with a slow search fed the same random numbers."""

import math

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import Game, Rules
from five_in_a_row.mcts import rollout, root_of
from five_in_a_row.search import COMPLETE, DRAWN, LOST, OPEN, WON, SearchOptions
from helpers import random_position
from references import Rng, SlowSearch, full_scan, slow_point_threats, slow_puct

PLAYED = ["plain", "classic", "engine"]  # names of the games in parametrised tests
PLAIN = SearchOptions(max_children=400)
CLASSIC = SearchOptions(max_children=5, forcing_score=2000)
FEW = SearchOptions(max_children=3, forcing_score=20_000)
ALL = SearchOptions()  # the engine's: every move is kept
STATUS = {"open": OPEN, "complete": COMPLETE, "lost": LOST, "drawn": DRAWN, "won": WON}


def searched(kernels, game, options, simulations):
    """Return a tree after that many simulations."""
    tree = five.search.Tree(game, kernels, options, records=4 * simulations + 1000)
    tree.run(simulations)
    return tree


def same_tree(nodes, index, slow):
    """Assert that a compiled node and a slow one agree, and all below them."""
    record = nodes[index]
    tried = sum(child.n > 0 for child in slow.children)
    assert (record["N"], record["W64"], record["num_visited"]) == (slow.n, 64 * slow.m, tried)
    assert (record["move"], record["status"]) == (slow.move, STATUS[slow.status])
    first = int(record["first_child"])
    assert record["num_children"] == len(slow.children)
    for i, child in enumerate(slow.children):
        same_tree(nodes, first + i, child)


@pytest.mark.parametrize(
    "rules, plies, options, shaped",
    [
        (Rules(3, 3), 2, PLAIN, False),
        (Rules(3, 3), 2, PLAIN._replace(solve=False), False),
        (Rules(5, 4), 4, PLAIN, False),
        (Rules(9, rows=6), 20, PLAIN, False),
        (Rules(6), 0, CLASSIC, True),
        (Rules(8), 58, FEW, True),
        (Rules(5), 15, FEW._replace(solve=False), True),
        (Rules(15), 40, CLASSIC, True),
    ],
)
def test_the_compiled_search_makes_the_tree_of_the_plain_one_with_proofs(
    rules, plies, options, shaped, full
):
    rng = np.random.default_rng(5)
    kernels = five.search.shaped_game() if shaped else five.search.plain_game(rules.in_a_row)
    for seed in range(10 if full else 2):
        game = random_position(rules, rng, plies)
        simulations = 400 if full else 120
        tree = five.search.Tree(game, kernels, options._replace(seed=seed), records=9000)
        slow = SlowSearch(game, seed, options, shaped)
        assert tree.run(simulations) == slow.run(simulations)
        same_tree(tree.nodes, 0, slow.root)
        assert int(tree.workspace.random) == slow.rng.state


@pytest.mark.parametrize("size", [3, 8, 20])
def test_a_playout_ends_as_its_stones_say(size, full):
    """One playout at a time against the plain one, from thousands of random positions."""
    rules, positions = Rules(size), np.random.default_rng(size)
    kernels = five.search.plain_game()
    for count in range(2000 if full else 60):
        plies = int(positions.integers(0, min(size * size - 1, 60)))
        game = random_position(rules, positions, plies)
        workspace = five.search.new_search(kernels, game, count)
        rng = five.same_tree.RandomNumbers(count, size * size)
        five.search.reset_stones(workspace)
        assert kernels.rollout(workspace) == rollout(root_of(game), rng)
        assert int(workspace.random) == rng.state
        assert workspace.order[: size * size].tolist() == rng.order


@pytest.mark.parametrize("in_a_row", [3, 5, 8])
def test_has_run_agrees_with_a_full_scan(in_a_row, full):
    rng = np.random.default_rng(in_a_row)
    has_run = five.search.build_has_run(in_a_row)
    for _ in range(3000 if full else 300):
        rows, size = rng.integers(3, 21, 2).tolist()
        cells = (rng.random((rows, size)) < rng.uniform(0.2, 0.8)).astype(np.int8)
        stones = np.zeros(56, np.int32)
        stones[:rows] = (cells << np.arange(size)).sum(axis=1)
        assert has_run(stones, 0, rows) == (1 in full_scan(cells, in_a_row))


def test_falling_stones_stay_legal_in_playouts():
    rules, rng = Rules(7, 4, rows=6, gravity=True), np.random.default_rng(8)
    kernels = five.search.plain_game(4, True)
    results = []
    for count in range(300):
        game = random_position(rules, rng, int(rng.integers(0, 12)))
        workspace = five.search.new_search(kernels, game, count)
        five.search.reset_stones(workspace)
        winner = kernels.rollout(workspace)
        stones = workspace.board.stones.astype(np.int64)
        half = int(workspace.geo.half)
        bits = [[stones[c * half + r] >> np.arange(7) & 1 for r in range(6)] for c in (0, 1)]
        cells = np.array(bits[0]) - np.array(bits[1])
        assert not ((cells[1:] != 0) & (cells[:-1] == 0)).any()
        assert full_scan(cells, 4) == ({winner} - {0})
        assert winner or cells.all()
        results.append(winner)
    assert {1, -1} <= set(results)


@pytest.mark.parametrize("solve", [True, False])
@pytest.mark.parametrize(
    "kernels",
    [five.search.plain_game(), five.search.shaped_game(), five.engine.engine_game()],
    ids=PLAYED,
)
def test_visits_add_up_and_values_stay_between_0_and_1(kernels, solve):
    game = random_position(Rules(8), np.random.default_rng(10), 8)
    options = PLAIN._replace(max_children=20, solve=solve)
    tree = searched(kernels, game, options, 20_000)
    assert tree.root.N == 20_000 == sum(child.N for child in tree.root.children)
    todo, seen = [tree.root], 0
    while todo:  # a simulation adds a node, or ends once more at a decided one
        node = todo.pop()
        children, decided = node.children, node.status >= LOST
        below = sum(child.N for child in children)
        seen += node.N - below if decided else 1
        assert 0 <= node.W <= node.N and node.N > 0
        if node.index and not decided:
            assert node.N == 1 + below
        if decided and not children:
            assert node.Q == {WON: 1, DRAWN: 0.5, LOST: 0}[node.status]
        todo += children
    assert seen == 20_001  # one for each simulation, and the root


def subtree(node):
    """Yield a node and all below it."""
    yield node
    for child in node.children:
        yield from subtree(child)


def test_a_node_is_decided_as_its_children_say():
    """Won below: lost. All lost below: won; that needs all of them. And so on, everywhere."""
    opposite = {WON: LOST, DRAWN: DRAWN, LOST: WON}
    counts = dict.fromkeys(opposite, 0)
    rng = np.random.default_rng(16)
    for count in range(12):
        rules = (Rules(4, 3), Rules(3, 3), Rules(8))[count % 3]
        game = random_position(rules, rng, (2, 1, 45)[count % 3])
        tree = searched(five.search.plain_game(rules.in_a_row), game, PLAIN, 3000)
        empty = len(game.legal())
        for node in subtree(tree.root):
            found = [child.status for child in node.children]
            if node.status == OPEN or node.status == COMPLETE:
                assert WON not in found and node.N <= 3000
            elif found:
                counts[node.status] += 1
                assert node.status == opposite[max(found)]
                if node.status != LOST:
                    assert len(found) == int(tree.nodes["num_children"][node.index])
                    assert OPEN not in found and COMPLETE not in found
        if tree.root.status in (WON, DRAWN):
            assert len(tree.root.children) == empty
    assert min(counts.values()) > 0


def test_a_list_of_moves_that_may_be_incomplete_proves_only_a_win():
    open_, complete, lost, drawn, won = range(5)
    tree, path = five.search.empty_tree(2), np.array([0, 1], np.int32)
    tree["first_child"][0], tree["num_children"][0], tree["num_visited"][0] = 1, 1, 1
    for before, child, after in [
        (open_, lost, open_),  # another move may be better
        (complete, lost, won),  # for the player who moved into the node
        (open_, drawn, open_),
        (complete, drawn, drawn),
        (open_, won, lost),
    ]:
        tree["status"][:] = before, child
        five.search.backup_proof(tree, path, 1)
        assert tree["status"].tolist() == [after, child]


def test_a_decided_root_ends_the_search():
    game = Game.from_text("a1b1a2b2", rules=Rules(3, 3))
    tree = searched(five.search.plain_game(3), game, PLAIN, 0)
    made = tree.run(10_000)
    assert made < 10_000 and tree.root.N == made and tree.root.status == LOST
    assert tree.run(10) == 0 and tree.root.N == made
    assert tree.root.best().status == WON and tree.root.best().move == "a3"


def test_puct_follows_the_formula():
    rng = np.random.default_rng(19)
    workspace = five.search.new_search(five.search.plain_game(), Game(), 1)
    new, none = 0, 0
    for _ in range(3000):
        tried = int(rng.integers(0, 12))
        nodes, spare = five.search.empty_tree(tried + 2), int(rng.random() < 0.6)
        visits = rng.integers(1, 200, tried)
        nodes[["first_child", "num_visited", "num_children"]][0] = 1, tried, tried + spare
        nodes["N"][0] = visits.sum() + 1
        nodes["W64"][0] = rng.integers(0, 64 * (visits.sum() + 1) + 1)
        nodes["N"][1 : tried + 1] = visits
        nodes["W64"][1 : tried + 1] = rng.integers(0, 64 * visits + 1)
        nodes["prior"][1:] = rng.integers(0, 256, tried + 1)
        nodes["status"][1 : tried + 1] = rng.choice([OPEN, OPEN, OPEN, LOST, DRAWN], tried)
        options = SearchOptions(
            c_prior=float(rng.choice([0.3, 1.0, 2.0])),
            fpu_reduction=float(rng.choice([0.0, 0.1, 0.3])),
            solve=bool(rng.random() < 0.7),
        )
        passed_over = (LOST, DRAWN) if nodes["N"][0] % 2 else (LOST,)
        scores = slow_puct(
            [
                (n["N"], n["W64"] / 64, int(n["prior"]), n["status"] in passed_over)
                for n in nodes[1:-1]
            ],
            int(nodes["N"][0]),
            nodes["W64"][0] / 64,
            int(nodes["prior"][-1]) if spare else None,
            options,
        )
        chosen = five.engine.puct_kernel(
            workspace, nodes, 0, tried + 1 if spare else 0, options
        )
        if max(scores, default=-math.inf) == -math.inf:
            none += 1
            assert chosen == 0
        else:
            assert chosen > 0 and scores[chosen - 1] >= max(scores) - 1e-5
            new += spare and chosen == tried + 1
    assert new > 300 and none > 50


@pytest.mark.parametrize("size", [5, 20])
def test_the_first_stone_belongs_in_the_middle(size):
    workspace = five.search.new_search(five.engine.engine_game(), Game(Rules(size)), 1)
    five.threats.reset_live(workspace)
    assert five.engine.engine_moves(workspace, 0, 400, ALL) == size * size  # all are listed
    assert workspace.moves[0] == size // 2 * size + size // 2
    assert workspace.priors[0] > 2 * workspace.priors[1]


def scores_of(game, among):
    """Return {point: score} that the policy gives the points, see test_policy."""
    workspace, own = five.engine.live_position(game), int(game.to_move == -1)
    five.engine.fill_policy_rows(
        workspace, own, workspace.filled_for[1], workspace.policy_rows
    )
    five.engine.policy_logits(workspace, own)
    logits = {point: int(workspace.logits[point]) for point in among}
    best = max(logits.values())
    return {p: int(five.engine.policy_score(logit, best)) for p, logit in logits.items()}


@pytest.mark.parametrize("size", [5, 15])
def test_engine_moves_are_ordered_by_their_scores(size, full):
    """Order, priors, and the rest of the list on demand."""
    rng, seen = np.random.default_rng(size), {"five": 0, "fours": 0, "quiet": 0}
    for count in range(300 if full else 40):
        game = random_position(
            Rules(size), rng, int(rng.integers(1, min(size * size - 2, 60)))
        )
        workspace = five.search.new_search(five.engine.engine_game(), game, count)
        five.threats.reset_live(workspace)
        scores = scores_of(game, game.legal())
        slow_rng, workspace.complete = Rng(int(workspace.random)), 0
        want = int(rng.integers(1, len(scores) + 3))
        found = five.engine.engine_moves(workspace, 0, want, ALL)
        moves, priors = workspace.moves[:found].tolist(), workspace.priors[:found].tolist()
        if workspace.complete:
            theirs = slow_point_threats(game.array, -game.to_move)
            fives = [point for point, threat in theirs.items() if threat == "five"]
            assert not fives or sorted(moves) == sorted(fives)
            seen["five" if fives else "fours"] += 1
            scores = scores_of(game, moves)
        values = [scores[point] for point in moves]
        assert values == sorted(values, reverse=True) and len(set(moves)) == found
        if workspace.complete:
            assert priors == [int(255 * math.sqrt(v / sum(values))) for v in values]
            continue
        seen["quiet"] += 1
        start = slow_rng.draw(game.rules.points)
        total = sum(scores.values()) + len(game.played)  # the least score for each stone
        turned = [p for i in range(start, start + size**2) if (p := i % size**2) in scores]
        order = sorted(turned, key=lambda p: -scores[p])  # stable: chance decides equals
        assert moves == order[:want] and found == min(want, len(order))
        assert priors == [int(255 * math.sqrt(v / total)) for v in values]
        # and all the others
        assert five.engine.engine_moves(workspace, found, 400, ALL) == len(order)
        every = workspace.moves[: len(order)].tolist()
        assert every[:found] == moves and set(every) == set(order)
        rest = [scores[p] for p in every[found:]]
        assert rest == sorted(rest, reverse=True)
        expected = [int(255 * math.sqrt(v / total)) for v in rest]
        assert workspace.priors[found : len(order)].tolist() == expected
    assert seen["quiet"] > 5


@pytest.mark.parametrize(
    "kernels, options, most",
    [(five.search.plain_game(), PLAIN, 40), (five.search.shaped_game(), CLASSIC, 40)]
    + [(five.engine.engine_game(), ALL, 80)],
    ids=["plain", "classic", "engine"],
)
def test_a_simulation_takes_few_bytes(kernels, options, most):
    """The engine's children stand ready with their priors before they are visited."""
    game = random_position(Rules(8), np.random.default_rng(15), 2)
    tree = searched(kernels, game, options, 100_000)
    assert tree.root.N == 100_000
    assert int(tree.workspace.free_list[0]) * five.search.NODE.itemsize <= most * 100_000

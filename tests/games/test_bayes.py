"""The Bayesian search: beliefs, their maximum, the search in games and on bandit trees."""

import math
from fractions import Fraction
from functools import partial

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row import bayes, connect_grid
from five_in_a_row.game import Game, Rules
from helpers import found_by, only_full

from experiments import tic_tac_toe as tables

BOARDS = [Rules(3, 3), connect_grid.four_rules(), Rules(6)]
TREES = ["Bayes-UCT1", "Bayes-UCT2", "Bayes-UCT2 grid"]
FULL = "Bayes-UCT1"  # in games with --full alone: it believes as Bayes-UCT2
STEPS = bayes.STEPS


# -- what results tell ---------------------------------------------------------------------
def slow_beta(wins, n, parts=20_000):
    """Mean and standard deviation of x^wins (1 - x)^(n - wins), by sums over the interval."""
    x = (np.arange(parts) + 0.5) / parts
    log = wins * np.log(x) + (n - wins) * np.log1p(-x)
    weight = np.exp(log - log.max())
    mean = (weight * x).sum() / weight.sum()
    return mean, math.sqrt((weight * (x - mean) ** 2).sum() / weight.sum())


def seen(rng, most=60):
    """Return (wins, playouts) at random; a draw is half a win."""
    n = int(rng.integers(0, most))
    return int(rng.integers(0, 2 * n + 1)) / 2, n


def test_a_belief_from_results_is_what_bayes_rule_gives(full):
    rng = np.random.default_rng(1)
    for _ in range(5_000 if full else 300):
        wins, n = seen(rng)
        assert bayes.beta_belief(wins, n) == pytest.approx(slow_beta(wins, n), abs=1e-4)


def slow_grid(wins, n):
    """The belief on the grid for whole wins, in fractions: P(x <= k / STEPS)."""
    mass = [Fraction(k, STEPS) ** wins * Fraction(STEPS - k, STEPS) ** (n - wins)
            for k in range(STEPS + 1)]  # fmt: skip
    mass[0], mass[-1] = mass[0] / 2, mass[-1] / 2
    return [float(sum(mass[: k + 1]) / sum(mass)) for k in range(STEPS)]


def test_bayes_rule_on_the_grid_is_that_of_fractions(full):
    rng, cdf = np.random.default_rng(2), np.zeros(STEPS)
    for _ in range(1_000 if full else 60):
        wins, n = seen(rng, 30)
        bayes.grid_results(int(wins), n, cdf)
        assert cdf.tolist() == pytest.approx(slow_grid(int(wins), n), abs=1e-12)
        assert bayes.grid_moments(cdf) == pytest.approx(
            bayes.beta_belief(int(wins), n), abs=2e-3
        )


def test_long_results_do_not_overflow_the_grid():
    cdf = np.zeros(STEPS)
    for wins, n in ((0, 2_000_000), (1_000_000.5, 2_000_000), (2_000_000, 2_000_000)):
        bayes.grid_results(wins, n, cdf)
        mu, sigma = bayes.grid_moments(cdf)
        assert mu == pytest.approx(wins / n, abs=1e-3) and 0 <= sigma < 0.01


# -- the maximum ---------------------------------------------------------------------------
def slow_max(one, two):
    """Mean and standard deviation of the larger of two normal variables, by sums."""
    (mu1, s1), (mu2, s2) = one, two
    edge = 9 * max(s1, s2)
    x = np.linspace(min(mu1, mu2) - edge, max(mu1, mu2) + edge, 8_001)
    erf = np.vectorize(math.erf)

    def below(mu, workspace):
        return (1 + erf((x - mu) / (workspace * math.sqrt(2)))) / 2

    mass = np.diff(below(*one) * below(*two))
    middle = (x[1:] + x[:-1]) / 2
    mean = (mass * middle).sum()
    return mean, math.sqrt((mass * (middle - mean) ** 2).sum())


def test_the_maximum_of_two_is_what_sums_over_it_give(full):
    rng = np.random.default_rng(3)
    for _ in range(2_000 if full else 80):
        mus, sigmas = rng.uniform(-1, 2, 2), rng.uniform(0.02, 0.5, 2)
        one, two = zip(mus, sigmas, strict=True)
        known = slow_max(one, two)
        assert bayes.clark(*one, *two) == pytest.approx(known, abs=2e-4)
        assert bayes.clark(*one, *two) == pytest.approx(bayes.clark(*two, *one), abs=1e-12)
        assert bayes.clark_table(*one, *two) == pytest.approx(known, abs=1e-3)
    for a in (-bayes.REACH, bayes.REACH, -50):  # at the ends of the lists and beyond
        far = a * 0.5, 0.3, 0.0, 0.4
        assert bayes.clark_table(*far) == pytest.approx(bayes.clark(*far), abs=5e-4)


def test_the_maximum_with_something_certain():
    assert bayes.clark(0.2, 0.0, 0.7, 0.0) == (0.7, 0.0)
    mu, sigma = bayes.clark(0.5, 0.0, 0.5, 0.2)  # max(0.5, X) = 0.5 + max(0, X - 0.5)
    assert mu == pytest.approx(0.5 + 0.2 / math.sqrt(2 * math.pi))
    assert sigma == pytest.approx(0.2 * math.sqrt(0.5 - 1 / (2 * math.pi)))
    assert bayes.clark(1.0, 0.0, 0.1, 1e-9) == pytest.approx((1.0, 0.0))


def family(rng, children, node):
    """Return a tree of a root and some children with random beliefs, some without visits."""
    tree = np.zeros(children + 1, node).view(np.recarray)
    tree[0].first_child, tree[0].num_children, tree[0].num_visited = 1, children, children
    for child in tree[1:]:
        child.N = rng.integers(0, 4)
        if child.N:
            child.mu, child.sigma = rng.random(), rng.uniform(0, 0.3)
            if "cdf" in node.names:
                child.cdf = np.sort(rng.random(STEPS))
    return tree


def slow_best(child_lists):
    """1 - max of variables on the grid given as P(X <= k / STEPS): list, mean, deviation."""
    below = np.prod([[*each, 1.0] for each in child_lists], axis=0)
    mass = np.diff(below, prepend=0)[::-1]  # of 1 - X at k / STEPS
    values = np.arange(STEPS + 1) / STEPS
    mean = (mass * values).sum()
    spread = math.sqrt((mass * (values - mean) ** 2).sum())
    return np.cumsum(mass)[:-1], mean, spread


def test_the_extremum_of_children_is_that_of_references(full):
    rng = np.random.default_rng(4)
    uniform = (np.arange(STEPS) + 0.5) / STEPS
    for _ in range(3_000 if full else 200):
        children = int(rng.integers(1, 8))
        tree = family(rng, children, bayes.BELIEF_GRID)
        bayes.grid_best(tree, 0)
        lists = [child.cdf if child.N else uniform for child in tree[1:]]
        cdf, mean, spread = slow_best(lists)
        assert tree[0].cdf == pytest.approx(cdf, abs=1e-5)
        assert (tree[0].mu, tree[0].sigma) == pytest.approx((mean, spread), abs=1e-4)
        tree = family(rng, children, bayes.BELIEF)
        bayes.bell_best(tree, 0)
        beliefs = [(c.mu, c.sigma) if c.N else (0.5, math.sqrt(1 / 12)) for c in tree[1:]]
        mu, sigma = map(float, beliefs[0])
        for its_mu, its_sigma in beliefs[1:]:
            mu, sigma = bayes.clark(mu, sigma, float(its_mu), float(its_sigma))
        assert (tree[0].mu, tree[0].sigma) == pytest.approx((1 - mu, sigma), abs=1e-6)


# -- the policy ----------------------------------------------------------------------------
def level(rng, children, untried):
    """Return a tree whose node 1 has children, some with visits, and their numbers."""
    tree = np.zeros(2 + children + untried, bayes.BELIEF).view(np.recarray)
    node = tree[1]  # not the root: nothing is backed up
    node.first_child, node.num_children, node.num_visited = 2, children + untried, children
    for child in tree[2 : 2 + children]:
        child.N = rng.integers(1, 30)
        child.mu, child.sigma = rng.random(), rng.uniform(0, 0.3)
        child.inv_sqrt = 1 / math.sqrt(child.N)
    node.N = 1 + tree[2:].N.sum()
    return tree


@pytest.mark.parametrize("name", ["Bayes-UCT1", "Bayes-UCT2"])
def test_the_child_of_the_highest_score_is_taken(name, full):
    rng, method = np.random.default_rng(5), bayes.METHODS[name]
    workspace, new = np.zeros(1, bayes.BANDIT_WORKSPACE).view(np.recarray)[0], 0
    for _ in range(5_000 if full else 500):
        children, untried = int(rng.integers(0, 6)), int(rng.integers(0, 2))
        tree = level(rng, children, untried)
        chosen = method.select(
            workspace, tree, 1, 2 + children if untried else 0, method.options()
        )
        exploration, scores = math.sqrt(2 * math.log(tree[1].N)), []
        for child in tree[2 : 2 + children]:
            unsure = child.sigma if name == "Bayes-UCT2" else 1 / math.sqrt(child.N)
            scores.append(child.mu + exploration * unsure)
        if untried:  # without a visit: mean 1/2, uniform; 1 / sqrt(0) for Bayes-UCT1
            first = name == "Bayes-UCT1" or not children
            scores.append(math.inf if first else 0.5 + exploration * math.sqrt(1 / 12))
            new += chosen == 2 + children
        assert chosen == 2 + int(np.argmax(scores)) if scores else chosen == 0
        assert tree[1].last == (chosen - 1 if scores else 0)
        assert bool(tree[1].whole) == (not untried and children > 0)
    assert new > 0


def test_decided_children_are_passed_over_and_equal_scores_drawn():
    tree = level(np.random.default_rng(6), 4, 0)
    for child in tree[2:]:
        child.mu, child.sigma, child.N = 0.5, 0.1, 4
    tree[2].status, method = five.search.LOST, bayes.METHODS["Bayes-UCT2"]
    workspace, options = (
        np.zeros(1, bayes.BANDIT_WORKSPACE).view(np.recarray)[0],
        method.options(),
    )
    solving = options._replace(solve=True)
    taken = [method.select(workspace, tree, 1, 0, solving) for _ in range(900)]
    assert set(taken) == {3, 4, 5} and min(map(taken.count, (3, 4, 5))) > 230
    assert 2 in {method.select(workspace, tree, 1, 0, options) for _ in range(200)}
    tree["status"][2:] = five.search.LOST
    assert method.select(workspace, tree, 1, 0, solving) == 0 and tree[1].last == 0


# -- the search ----------------------------------------------------------------------------
def random_position(rules, rng):
    """Return a game after some random moves, not over."""
    game = Game(rules)
    for _ in range(rng.integers(0, rules.points // 2)):
        game.play(int(rng.choice(game.legal())))
        if game.over:
            game.undo()
    return game


def slow_belief(nodes, i, known):
    """Return (mu, sigma, cdf) of a node, worked out from the counts of all nodes below.

    known   {node: what was returned of it}, so that no node is worked out twice
    """
    if i not in known:
        known[i] = work_out(nodes, i, known)
    return known[i]


def work_out(nodes, i, known):
    """Return what `slow_belief` says of a node that is not known yet."""
    node, values = nodes[i], np.arange(STEPS + 1) / STEPS
    if node["status"] >= five.search.LOST:
        value = (node["status"] - five.search.LOST) / 2
        return value, 0.0, (values >= value)[:-1].astype(float)
    if not node["whole"]:
        wins, n = node["W64"] / 64, int(node["N"])
        mass = [float((k / STEPS) ** wins * (1 - k / STEPS) ** (n - wins))
                for k in range(STEPS + 1)]  # fmt: skip
        mass[0], mass[-1] = mass[0] / 2, mass[-1] / 2
        cdf = np.cumsum(mass) / sum(mass)
        mean = 1 - cdf[:-1].sum() / STEPS
        return *bayes.beta_belief(wins, n), cdf[:-1], mean
    children = range(node["first_child"], node["first_child"] + node["num_children"])
    below = [slow_belief(nodes, k, known) if nodes["N"][k] else None for k in children]
    uniform = 0.5, math.sqrt(1 / 12), (np.arange(STEPS) + 0.5) / STEPS
    below = [each or uniform for each in below]
    mu, sigma = below[0][:2]
    for each in below[1:]:
        mu, sigma = bayes.clark(mu, sigma, *each[:2])
    return 1 - mu, sigma, slow_best([each[2] for each in below])[0]


@pytest.mark.parametrize("rules", BOARDS, ids=lambda rules: f"{rules.size}x{rules.height}")
@pytest.mark.parametrize("name", TREES)
def test_every_belief_in_a_tree_is_what_its_counts_give(name, rules, full):
    """By default two methods, each on one board: every pair compiles a search."""
    only_full(full, rules == BOARDS[0] and name != FULL)
    rng, method, nodes = np.random.default_rng(7), bayes.METHODS[name], 0
    for seed in range(1, 100 if full else 5):
        game, budget = random_position(rules, rng), five.search.check_budget(simulations=300)
        tree = bayes.bayes_tree(method, game, method.options()._replace(seed=seed), budget)
        for part in (1, 7, 100, 192):
            tree.run(part)  # in pieces, as a player does
        method.back_up(tree.workspace, tree.nodes)
        assert tree.root.N == 300 and tree.nodes["whole"][0]
        waiting, known = [0], {}
        while waiting:
            i = waiting.pop()
            first, tried = int(tree.nodes["first_child"][i]), int(tree.nodes["num_visited"][i])
            waiting += range(first, first + tried)
            if i == 0 or tree.nodes["N"][i] < 2 and i % 7:
                continue
            slow, own = slow_belief(tree.nodes, i, known), tree.nodes[i]
            if name.endswith("grid"):
                assert own["cdf"] == pytest.approx(slow[2], abs=1e-4)
                mean = 1 - slow[2].sum() / STEPS
                assert own["mu"] == pytest.approx(mean, abs=1e-4)
            else:
                assert (own["mu"], own["sigma"]) == pytest.approx(slow[:2], abs=1e-4)
            nodes += 1
    assert nodes > 100


@pytest.mark.parametrize("name", bayes.METHODS)
def test_every_method_takes_a_win_blocks_one_and_repeats(name, full):
    only_full(full, name != FULL)
    player = bayes.BayesPlayer(name, simulations=400)
    for moves, point in (("a1a2b1b2", "c1"), ("a1b2c1", "b1")):
        game = Game.from_text(moves, rules=Rules(3, 3))
        thought = found_by(player, game, 1)
        assert thought.name == point
        assert thought.tree.root.N == 400 == thought.visits.sum()
        assert (found_by(player, game, 1).visits == thought.visits).all()


def test_a_patient_node_believes_in_its_own_results_until_each_child_is_known(full):
    game = Game.from_text("a1b2c1", rules=Rules(3, 3))
    for least in (1, 5, 10**6) if full else (5,):
        player = bayes.PatientPlayer("Bayes-UCT1", least, simulations=600)
        tree = found_by(player, game, 1).tree
        method = bayes.patient_method("Bayes-UCT1", least)
        method.back_up(tree.workspace, tree.nodes)
        waited = known = 0
        for i in range(1, len(tree.nodes)):
            node = tree.nodes[i]
            if node["N"] == 0 or node["status"] >= five.search.LOST or not node["whole"]:
                continue
            first, count = node["first_child"], node["num_children"]
            children = tree.nodes[first : first + count]
            own = bayes.beta_belief(node["W64"] / 64, node["N"])
            if children["N"].min() < least:
                waited += 1
                assert (node["mu"], node["sigma"]) == pytest.approx(own, abs=1e-4)
            else:  # the maximum of its children: mostly another belief
                known += abs(node["mu"] - own[0]) > 1e-3
        assert (waited > 0) == (least > 1) and (known > 0) == (least <= 5)
    with pytest.raises(ValueError, match="least"):
        bayes.PatientPlayer("Bayes-UCT1", -1, simulations=10)


def test_time_is_a_budget_too_and_bad_input_is_named():
    thought = found_by(bayes.BayesPlayer("Bayes-UCT2", seconds=0.003), Game(Rules(3, 3)), 1)
    assert thought.simulations > 16
    with pytest.raises(ValueError, match="no method 'UCT3': there are UCT, "):
        bayes.BayesPlayer("UCT3", simulations=10)


# -- bandit trees --------------------------------------------------------------------------


def test_alike_replies_share_their_luck_and_each_chance_stays_uniform():
    rng, gaps = np.random.default_rng(5), []
    for alike in (0, 0.5, 0.9, 1):
        drawn = np.array([bayes.draw_chances(rng, alike) for _ in range(4_000)])
        moves = np.sort(drawn[:, :, 0].ravel())  # one reply to each move, so all independent
        assert np.abs(moves - np.linspace(0, 1, moves.size)).max() < 0.02
        gaps.append(np.abs(drawn[:, :, 0] - drawn[:, :, 1]).mean())
        across = np.corrcoef(drawn[:, 0, 0], drawn[:, 1, 0])[0, 1]
        assert abs(across) < 0.07  # of two moves: nothing is shared
    assert gaps == pytest.approx([1 / 3, 0.230, 0.101, 0], abs=0.01)


def test_searches_of_bandit_trees_give_the_regret():
    found = bayes.bandit_searches(bayes.find_method("UCT"), 20, (25, 50), seed=1)
    regret = [max(values) - values[means.argmax()] for values, means, _ in found]
    assert bayes.tree_regret("UCT", 20, (25, 50))[:, :, 0].ravel().tolist() == regret
    found = list(bayes.bandit_searches(bayes.find_method("UCT"), 20, (25, 50), 1, 0.9))
    assert [visits.sum() for *_, visits in found] == [25, 50] * 20


REFERENCE = {  # mean regret at CHECKPOINTS, worked out before on other trees
    "UCT": (0.098, 0.061, 0.041, 0.022, 0.0106, 0.0055, 0.0020),
    "Bayes-UCT1": (0.104, 0.074, 0.042, 0.020, 0.0095, 0.0028, 0.0012),
    "Bayes-UCT2": (0.088, 0.050, 0.028, 0.012, 0.0049, 0.0020, 0.0009),
}
REFERENCE_TREES = 600


def regret_gaps(table) -> list[float]:
    """Return how far each value of REFERENCE is from the table, in standard errors."""
    gaps = []
    for name, values in REFERENCE.items():
        mine = table[table.method == name].set_index("simulations")
        for mark, value in zip(bayes.CHECKPOINTS, values, strict=True):
            row = mine.loc[mark]
            both = row.error * math.sqrt(1 + row.trees / REFERENCE_TREES)
            gaps.append((value - row.regret) / both)
    return gaps


def test_the_known_regret_comes_out(apart, full):
    table = pd.DataFrame(tables.bandit_trees(5_000 if full else 200, 1))
    gaps = np.array(regret_gaps(table))
    assert len(gaps) == 21 and np.abs(gaps).max() < 4.5 and (np.abs(gaps) > 2.5).sum() <= 3
    assert (table[table.simulations == 2_000].regret < 0.006).all()
    later = table[table.simulations >= 50].groupby("method").regret.sum()
    assert later["Bayes-UCT2"] < later["UCT"]


@pytest.mark.parametrize(
    "kind", [bayes.BayesPlayer, partial(bayes.PatientPlayer, least=10**6)]
)
def test_a_player_can_have_a_constant_of_its_own(kind):
    game = Game(connect_grid.four_rules())
    usual, same, other = (
        kind("Bayes-UCT1", c=c, simulations=300) for c in (None, 2**0.5, 0.1)
    )
    moves = [
        player.search(game, seed=1, **player.budget).visits.tolist()
        for player in (usual, same, other)
    ]
    assert moves[0] == moves[1] != moves[2]
    again = five.strength.fresh_player(other)
    assert again.search(game, seed=1, **again.budget).visits.tolist() == moves[2]
    with pytest.raises(ValueError, match="c must be"):
        kind("Bayes-UCT1", c=-1, simulations=10)

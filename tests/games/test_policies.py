"""Selection policies: special functions, scores, bandits, players, the poster's search."""

import math

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid
from five_in_a_row import connect_poster as poster
from five_in_a_row.game import Game
from five_in_a_row.search import LOST, SearchOptions
from helpers import found_by, only_full
from test_connect_four import unfinished

from experiments.kinds.connect_four import POLICIES as PLAYED

PLAIN = SearchOptions(solve=False)
FOUR = connect_grid.four_rules()
SCORES = {
    "UCB1-Tuned": poster.ucb1_tuned,
    "UCB-V": poster.ucb_v,
    "MOSS": poster.moss,
    "KL-UCB": poster.kl_ucb,
    "Bayes-UCB": poster.bayes_ucb,
}


def source(seed=1):
    """Return a record with random numbers, and space for the path of a bandit."""
    workspace = np.zeros(1, poster.GAMBLER).view(np.recarray)[0]
    workspace.random = np.uint64(seed)
    return workspace


def arms(visits, rewards, dtype=five.search.NODE):
    """Return a root with one child for each pair of visits and summed reward."""
    tree = np.zeros(len(visits) + 1, dtype)
    tree["first_child"][0] = 1
    tree["num_children"][0] = tree["num_visited"][0] = len(visits)
    tree["N"][0], tree["N"][1:] = sum(visits), visits
    tree["W64"][1:] = np.multiply(rewards, 64)
    tree["inv_sqrt"][1:] = 1 / np.sqrt(np.maximum(visits, 1))
    return tree


def bisect(holds):
    """Return the largest x in 0...1 at which a condition holds that holds below it."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


# -- special functions and draws -----------------------------------------------------------
def slow_kl(p, q):
    parts = [(p, q), (1 - p, 1 - q)]
    return sum(a * math.log(a / b) if b else math.inf for a, b in parts if a > 0)


def test_the_kl_bound_is_what_bisection_finds():
    rng = np.random.default_rng(1)
    for _ in range(2_000):
        mean = float(rng.choice([0, 0.5, 1, rng.random(), 1 - rng.random() * 1e-3]))
        b = float(10 ** rng.uniform(-5, 2))
        slow = bisect(lambda q, p=mean, b=b: q <= p or slow_kl(p, q) <= b)
        assert poster.kl_bound(mean, b) == pytest.approx(slow, abs=1e-7)
    assert poster.kl_bound(0.3, 0.0) == 0.3 and poster.kl_bound(1.0, 2.0) == 1
    assert poster.kl_bound(0.0, math.log(2)) == pytest.approx(0.5)  # -ln(1 - q) = ln 2


def slow_above(a, b, x):
    """P(X > x) of Beta(a, b) for whole a, b: fewer than a of a + b - 1 draws fall below x."""
    n = a + b - 1
    return math.fsum(math.comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a))


def test_the_beta_quantile_is_what_bisection_of_a_binomial_sum_finds():
    rng = np.random.default_rng(2)
    for _ in range(500):
        a, b = (int(x) for x in rng.integers(1, 60, 2))
        x, above = float(rng.uniform(0.01, 0.99)), float(10 ** rng.uniform(-4, -0.01))
        own = poster.beta_above(float(a), float(b), x, poster.log_beta(float(a), float(b)))[0]
        assert own == pytest.approx(slow_above(a, b, x), rel=1e-8, abs=1e-12)
        slow = bisect(lambda x, a=a, b=b, above=above: slow_above(a, b, x) > above)
        assert poster.beta_quantile(float(a), float(b), above) == pytest.approx(slow, abs=1e-6)
    assert poster.beta_quantile(1.0, 1.0, 0.25) == pytest.approx(0.75)  # uniform
    assert poster.beta_quantile(2.0, 3.0, 1.0) == 0
    x = poster.beta_quantile(5e4 + 1.5, 5e4, 1e-5)  # a long search: P(X > x) is steep there
    area = poster.log_beta(5e4 + 1.5, 5e4)
    assert poster.beta_above(5e4 + 1.5, 5e4, x, area)[0] == pytest.approx(1e-5, rel=1e-3)
    closed = {(1.0, 1e5): 1 - 1e-5 ** (1e-5), (1e5, 1.0): (1 - 1e-5) ** 1e-5}
    for (a, b), exact in closed.items():  # (1 - x)^b and 1 - x^a
        assert poster.beta_quantile(a, b, 1e-5) == pytest.approx(exact, abs=1e-7)


def test_draws_have_the_quantiles_of_numpys():
    workspace, numpys, a, b = source(3), np.random.default_rng(3), 3.5, 2.0
    pairs = {
        "normal": (poster.normal_draw, (), numpys.standard_normal),
        "gamma": (poster.gamma_draw, (a,), lambda size: numpys.gamma(a, size=size)),
        "beta": (poster.beta_draw, (a, b), lambda size: numpys.beta(a, b, size=size)),
    }
    for draw, shape, numpy_draw in pairs.values():
        own, theirs = [draw(workspace, *shape) for _ in range(40_000)], numpy_draw(400_000)
        assert abs(np.mean(own) - theirs.mean()) < 5 * theirs.std() / 200  # root of 40,000
        shares = 0.01, 0.1, 0.5, 0.9, 0.99
        below = [np.mean(np.asarray(own) < mark) for mark in np.quantile(theirs, shares)]
        assert below == pytest.approx(shares, abs=0.012)


# -- scores --------------------------------------------------------------------------------
def slow_score(name, mean, n, N, K, horizon):
    """The formulas of the notebook, as they stand there."""
    share, variance = math.log(N) / n, mean * (1 - mean)
    if name == "UCB1-Tuned":
        return mean + math.sqrt(share * min(0.25, variance + math.sqrt(2 * share)))
    if name == "UCB-V":
        return mean + math.sqrt(2 * variance * share) + 3 * share
    if name == "MOSS":
        return mean + math.sqrt(max(0, math.log(max(N, horizon) / (K * n))) / n)
    if name == "KL-UCB":
        return bisect(lambda q: q <= mean or slow_kl(mean, q) <= share)
    return bisect(
        lambda x: slow_above(1 + round(mean * n), 1 + n - round(mean * n), x) > 1 / N
    )


@pytest.mark.parametrize("name", SCORES)
def test_a_score_is_its_formula_and_the_policy_takes_the_highest(name):
    rng, workspace = np.random.default_rng(5), source()
    select = poster.POLICIES[name].select
    for _ in range(300):
        K = int(rng.integers(2, 8))
        visits = rng.integers(1, 50, K)
        wins = [int(rng.integers(0, n + 1)) for n in visits]
        options = PLAIN._replace(c_prior=float(rng.choice([0, 1000])))
        N = int(visits.sum())
        slow = [
            slow_score(name, w / n, int(n), N, K, options.c_prior)
            for w, n in zip(wins, visits, strict=True)
        ]
        own = [
            SCORES[name](workspace, 0.5, w / n, n, N, K, options)
            for w, n in zip(wins, visits, strict=True)
        ]
        assert own == pytest.approx(slow, abs=1e-6)
        chosen = select(workspace, arms(visits, wins), 0, 0, options) - 1
        assert slow[chosen] == pytest.approx(max(slow), abs=1e-6)


def test_decided_children_are_passed_over_and_equal_scores_drawn():
    tree, select = arms([4, 4, 4], [2, 2, 2]), poster.POLICIES["UCB1-Tuned"].select
    tree["status"][1], workspace = LOST, source()
    taken = [select(workspace, tree, 0, 0, SearchOptions()) for _ in range(2_000)]
    assert set(taken) == {2, 3} and abs(taken.count(2) - 1_000) < 150
    assert {select(workspace, tree, 0, 0, PLAIN) for _ in range(200)} == {1, 2, 3}
    tree["status"][1:] = LOST
    assert select(workspace, tree, 0, 0, SearchOptions()) == 0  # none left
    assert select(workspace, arms([], []), 0, 0, PLAIN) == 0


def shares(name, tree, options, draws=20_000):
    """How often a policy takes each child of a root that stays as it is."""
    workspace, select = source(6), poster.POLICIES[name].select
    taken = [select(workspace, tree, 0, 0, options) - 1 for _ in range(draws)]
    return np.bincount(taken, minlength=len(tree) - 1) / draws


def test_rules_of_chance_draw_as_their_formulas_say():
    visits, wins = [10, 10, 20, 60], [2, 6, 11, 30]
    tree, means = arms(visits, wins), np.divide(wins, visits)
    found = shares("epsilon-greedy", tree, PLAIN._replace(c_uct=0.2))
    assert found == pytest.approx([0.05, 0.85, 0.05, 0.05], abs=0.01)
    found = shares("decaying epsilon", tree, PLAIN._replace(c_uct=5.0))  # 5 K / N = 0.2
    assert found == pytest.approx([0.05, 0.85, 0.05, 0.05], abs=0.01)
    weights = np.exp(means / 0.3)
    found = shares("softmax", tree, PLAIN._replace(c_uct=0.3))
    assert found == pytest.approx(weights / weights.sum(), abs=0.012)
    numpys = np.random.default_rng(6)
    draws = numpys.beta(np.add(wins, 1), np.subtract(visits, wins) + 1, (200_000, 4))
    best = np.bincount(draws.argmax(1), minlength=4) / len(draws)
    assert shares("Thompson", tree, PLAIN) == pytest.approx(best, abs=0.012)


def test_exp3_draws_with_its_chances_and_remembers_what_they_were():
    K, workspace, horizon = 3, source(7), 300.0
    options = PLAIN._replace(c_prior=horizon)
    tree, rng = np.zeros(K + 1, poster.MEMORY), np.random.default_rng(7)
    tree["first_child"][0], tree["num_children"][0] = 1, K
    gains, path, surprise = np.zeros(K), np.zeros(2, np.int32), 0.0
    for t in range(400):
        untried = t + 1 if t < K else 0
        child = poster.exp3(workspace, tree, 0, untried, options)
        p = np.ones(K)
        if t >= K:
            mix = min(1, math.sqrt(K * math.log(K) / ((math.e - 1) * max(t, horizon))))
            weights = np.exp(mix / K * gains)
            p = (1 - mix) * weights / weights.sum() + mix / K
            assert tree[child]["chance"] == pytest.approx(p[child - 1], rel=1e-3)
            surprise += (child == 1) - p[0]
        tree["num_visited"][0] += untried > 0
        reward = int(rng.choice([0, 32, 64]))
        path[1] = child
        five.search.backpropagate_kernel(tree, path, 1, reward)
        gains[child - 1] += reward / 64 / p[child - 1]
    assert abs(surprise) < 40  # 4 standard errors of 400 draws


def test_sequential_halving_pulls_in_rounds_and_keeps_the_better_half():
    chances, budget = np.array([0.1, 0.9, 0.3, 0.2, 0.8, 0.0, 0.7]), 420
    tree, workspace = np.zeros(8, five.search.NODE), source()
    tree["first_child"][0], tree["num_children"][0] = 1, 7
    options, path = PLAIN._replace(c_prior=budget + 1.0), np.zeros(2, np.int32)
    for t in range(budget + 1):
        untried = t + 1 if t < 7 else 0
        path[1] = poster.halving(workspace, tree, 0, untried, options)
        tree["num_visited"][0] += untried > 0
        five.search.backpropagate_kernel(tree, path, 1, round(64 * chances[path[1] - 1]))
    # three rounds of 140: 7 arms of 20, 4 of 35, 2 of 70; the one over goes to the winner
    assert tree["N"][1:].tolist() == [20, 126, 55, 20, 125, 20, 55]


def test_an_unknown_policy_is_named():
    with pytest.raises(ValueError, match="no policy 'UCB9': there are UCB1, "):
        poster.find_policy("UCB9")


# -- as gamblers ---------------------------------------------------------------------------
def slow_gamble(bound, chances, pulls, rng):
    """The regret of an index policy in plain Python, from the textbook's loop."""
    K = len(chances)
    n, w = [0] * K, [0.0] * K
    for t in range(pulls):
        if t < K:
            arm = t
        else:
            scores = [bound(w[i] / n[i], n[i], t) for i in range(K)]
            best = max(scores)
            arm = rng.choice([i for i in range(K) if scores[i] == best])
        n[arm] += 1
        w[arm] += rng.random() < chances[arm]
    return sum(k * (max(chances) - mu) for k, mu in zip(n, chances, strict=True))


BOUNDS = {
    "UCB1": lambda mean, n, t: mean + math.sqrt(2 * math.log(t) / n),
    "UCB1-Tuned": lambda mean, n, t: slow_score("UCB1-Tuned", mean, n, t, 3, 0),
    "KL-UCB": lambda mean, n, t: slow_score("KL-UCB", mean, n, t, 3, 0),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_gambler_loses_what_one_in_plain_python_loses(name, full):
    chances, pulls = (0.1, 0.5, 0.6), 300
    games = (60 if full else 15) if name == "KL-UCB" else 200 if full else 50
    rng = np.random.default_rng(8)
    slow = [slow_gamble(BOUNDS[name], chances, pulls, rng) for _ in range(games)]
    own = poster.gamble(name, chances, [pulls], 2_000)[:, 0, 0]
    error = math.hypot(np.std(slow) / math.sqrt(games), own.std() / math.sqrt(2_000))
    assert abs(np.mean(slow) - own.mean()) < 4 * error


def test_the_chance_of_an_arm_that_drifts_moves_with_its_own_pulls():
    """One arm that begins at 1 and goes to 0: pull k is won with DRIFT / (DRIFT + k)."""
    rule, pulls = poster.POLICIES["UCB1"], 300
    run, won = poster.build_gambler(rule.select), []
    for seed in range(1, 101):
        workspace, tree = source(seed), np.zeros(2, rule.node)
        places = np.array([1.0]), np.array([0.0]), np.array([pulls])
        run(workspace, tree, PLAIN, *places, np.zeros((1, 2)))
        won.append(tree["W64"][1] / 64)
    expected = sum(poster.DRIFT / (poster.DRIFT + k) for k in range(pulls))
    assert np.mean(won) == pytest.approx(expected, abs=4 * np.std(won) / 10)


# -- in the tree ---------------------------------------------------------------------------
@pytest.mark.parametrize("name", poster.POLICIES)
def test_every_policy_plays_repeats_and_takes_a_win(name, full):
    """By default the two that test_behaviour.py compiles as well."""
    only_full(full, name in (PLAYED[0], PLAYED[-1]))
    player, game = (
        poster.SelectionPlayer(name, simulations=300),
        Game.from_text("a1b1a2b2a3b3", rules=FOUR),
    )
    thought = found_by(player, game, 1)
    assert thought.name == "a4" and thought.simulations == 300 == thought.visits.sum()
    start = Game(FOUR)
    assert (found_by(player, start, 5).visits == found_by(player, start, 5).visits).all()
    timed = found_by(poster.SelectionPlayer(name, seconds=0.002), start, 1)
    assert timed.simulations > 20 and timed.move in start.legal()


# -- the poster's search -------------------------------------------------------------------
@five.cache.inline_kernel
def fewest(workspace, tree, node, untried, options):
    """A policy without ties: the child with the fewest visits, the first of several."""
    first = np.int64(tree[node].first_child)
    return first + np.int64(np.argmin(tree[first : first + tree[node].num_visited].N))


class SlowNode:
    def __init__(self, move=-1):
        self.move, self.N, self.W, self.children, self.known = move, 0, 0.0, [], None


def slow_wide(game, kernels, playouts, seed, walks, twice, draws):
    """The poster's search with objects; it draws the same random numbers."""
    workspace, root, done = five.search.new_search(kernels, game, seed), SlowNode(), 0

    def set_up(path):
        kernels.reset(workspace)
        for node in path[1:]:
            kernels.apply(workspace, node.move)

    def credit(path):
        last, moved = path[-1], -kernels.mover(workspace)
        reward = last.known
        if reward is None:
            reward = (1 + moved * kernels.rollout(workspace)) / 2
        for depth, node in enumerate(reversed(path)):
            node.N += 1
            if draws or reward != 0.5:
                node.W += reward if depth % 2 == 0 else 1 - reward

    while done < playouts:
        path = [root]
        while walks and path[-1].children:
            path.append(min(path[-1].children, key=lambda node: node.N))
        for node in path if twice else ():
            node.N += 1
        leaf, fresh = path[-1], not path[-1].children
        if fresh and leaf.known is None:
            set_up(path)
            length = kernels.legal(workspace, 0, 400, PLAIN)
            leaf.children = [SlowNode(int(move)) for move in workspace.moves[:length]]
        if not leaf.children:
            set_up(path)
            credit(path)
            done += 1
        for child in leaf.children:
            set_up([*path, child])
            status = kernels.terminal(workspace, PLAIN)
            child.known = {five.search.WON: 1.0, five.search.DRAWN: 0.5}.get(status)
            credit([*path, child])
            done += 1
    return root, done


def same_tree(slow, node):
    """True if a reference and a tree node have the same numbers, all the way down."""
    if (slow.move, slow.N, slow.W) != (node.point, node.N, node.W):
        return False
    children = {child.point: child for child in node.children}
    return len(children) == len(slow.children) and all(
        same_tree(child, children[child.move]) for child in slow.children
    )


SLIPS = [{"walks": False}, {"twice": True, "draws": False}]  # each choice both ways


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_the_wide_search_is_that_of_its_reference(slip, full):
    settings = {"walks": True, "twice": False, "draws": True} | slip
    kernels = four.four_kernels(FOUR)
    search, rng = poster.build_wide(kernels, fewest, **settings), np.random.default_rng(9)
    for seed in range(1, 9 if full else 5):
        game = unfinished(FOUR, rng, int(rng.integers(0, 38)))
        tree = poster.StudyTree(game, kernels, search, PLAIN._replace(seed=seed), 5_000)
        done = tree.run(400)
        slow, count = slow_wide(game, kernels, 400, seed, **settings)
        assert done == count and 400 <= done < 407
        assert same_tree(slow, tree.root)


def test_a_full_tree_of_the_wide_search_plays_its_leaves_out_again():
    kernels, game = four.four_kernels(FOUR), Game(FOUR)
    search = poster.build_wide(kernels, five.search.ucb_kernel)
    tree = poster.StudyTree(game, kernels, search, PLAIN, 60)
    assert tree.run(500) >= 500 and tree.root.N >= 500 and tree.workspace.free_list[0] <= 60


@pytest.mark.parametrize(
    ("budget", "second", "deeper"),
    [(700, False, False), (0, True, False), (0, False, True), (700, True, True)],
)
def test_even_visits_are_equal_where_they_should_be(budget, second, deeper):
    kernels = four.four_kernels(FOUR)
    search = poster.even_search(kernels, five.search.ucb_kernel, budget, second, deeper)
    tree = poster.StudyTree(Game(FOUR), kernels, search, PLAIN._replace(seed=3), 1_000)
    tree.run(700)

    def equal(node, spare=0):
        visits = [child.N for child in node.children][spare:]
        return not visits or max(visits) - min(visits) <= 1

    assert equal(tree.root, spare=1) == (budget > 0)
    if budget:  # the last visits, two per child, name one
        most, next_most = (child.N for child in tree.root.children[:2])
        assert 10 <= most - next_most <= 15
    assert all(map(equal, tree.root.children)) == second
    third = [each for child in tree.root.children for each in child.children]
    assert all(map(equal, third)) == deeper


# -- the regret of stored tables ----------------------------------------------------------


def test_the_regret_in_the_table_is_that_of_other_programs():
    """Measured with four programs that share no code with this one; Bayes-UCB: 20 to 23."""
    known = {"UCB1-Tuned": 16.3, "Thompson": 19, "KL-UCB": 23, "MOSS": 26, "UCB1": 60}
    table = five.strength.read_results("bandits")
    mine = table[(table.arms == "three arms") & (table.pulls == 2_000)].set_index("policy")
    assert mine.regret[list(known)].to_dict() == pytest.approx(known, rel=0.04)
    assert 19 < mine.regret["Bayes-UCB"] < 23


def test_matches_with_a_rival_are_told_from_the_other_side():
    """Player x wins 7 pairs of 10 and loses 2, whether it's named first or second."""
    first = {"a": "x", "b": "UCT 0.5", "budget": "1 ms", "games": 20, "score": 0.75}
    first |= {"low": 0.6, "high": 0.9, "pairs won": 7, "pairs lost": 2, "verdict": "better"}
    first |= {"simulations a move a": 10, "simulations a move b": 20}
    first |= {"won": 14, "drawn": 2, "lost": 4}
    second = {"a": "UCT 0.5", "b": "x", "budget": "1 ms", "games": 20, "score": 0.25}
    second |= {"low": 0.1, "high": 0.4, "pairs won": 2, "pairs lost": 7, "verdict": "worse"}
    second |= {"simulations a move a": 20, "simulations a move b": 10}
    second |= {"won": 4, "drawn": 2, "lost": 14}
    for row in (first, second):
        table = pd.DataFrame([row])
        found = poster.against(table, "UCT 0.5").iloc[0]
        assert (found.a, found.score, found.verdict) == ("x", 0.75, "better")
        assert found["simulations a move a"] == 10
        words = poster.scores_against(table, "UCT 0.5", ["x"])
        assert words == {"1 ms": {"x": "0.75 (0.60 to 0.90) *"}}
        assert (found["pairs won"], found["pairs lost"]) == (7, 2)
        assert (found.won, found.drawn, found.lost) == (14, 2, 4)

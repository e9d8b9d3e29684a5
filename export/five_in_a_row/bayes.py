# Made from bayes.ipynb by tools/build.py: change the notebook, not this file.


import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row import connect_four as four
from five_in_a_row.cache import jit
from five_in_a_row.connect_four import four_kernels
from five_in_a_row.connect_poster import StudyTree, policy_search, uniform


# ---- 1. Beliefs -----------------------------------------------------------------------------


# by Search · mean and spread of what is believed of a leaf
@jit
def beta_belief(wins, n):
    """Return (mu, sigma) of Beta(1 + wins, 1 + n - wins): float, 0...1, and its spread.

    Source: Tesauro, Rajan and Segal 2010.
    """
    a, b = 1.0 + wins, 1.0 + n - wins
    total = a + b
    return a / total, math.sqrt(a * b / (total * total * (total + 1)))


# ---- The best of several moves --------------------------------------------------------------


# by Search · beliefs on a grid
STEPS = 64  # G: a value is k / G; even, so that a draw lies on the grid
GRID_INNER = np.arange(1, STEPS) / STEPS  # the points between the ends
LOG_WIN, LOG_LOSS = np.log(GRID_INNER), np.log1p(-GRID_INNER)


@jit
def grid_results(wins, n, cdf):
    """Write to cdf, float[STEPS], the belief after n playouts with that many wins."""
    most = 0.0 if wins == 0 or wins == n else -math.inf  # of all logarithms
    for k in range(STEPS - 1):
        most = max(most, wins * LOG_WIN[k] + (n - wins) * LOG_LOSS[k])
    end = 0.5 * math.exp(-most)  # each end is possible only if all results agree with it
    total = end if wins == 0 else 0.0
    cdf[0] = total
    for k in range(1, STEPS):
        log = wins * LOG_WIN[k - 1] + (n - wins) * LOG_LOSS[k - 1]
        total += math.exp(log - most)
        cdf[k] = total
    total += end if wins == n else 0.0
    for k in range(STEPS):
        cdf[k] /= total


@jit
def grid_moments(cdf):
    """Return (mu, sigma) of a belief on the grid."""
    first = second = 0.0
    for k in range(STEPS):
        first += 1 - cdf[k]
        second += (2 * k + 1) * (1 - cdf[k])
    mu = first / STEPS
    return mu, math.sqrt(max(0.0, second / (STEPS * STEPS) - mu * mu))


def grid_maximum(results) -> np.ndarray:
    """Return the belief on the grid, float[STEPS], of the best of some (wins, playouts)."""
    found = np.ones(STEPS)
    for w, n in results:
        cdf = np.zeros(STEPS)
        grid_results(w, n, cdf)
        found *= cdf
    return found


# by Search · the maximum of normal variables, by formulas
@jit
def clark(mu1, sigma1, mu2, sigma2):
    """Return (mu, sigma) of the maximum of two independent normal variables.

    Standard deviations go in and come out, no variances. Source: Clark 1961.
    """
    spread = math.sqrt(sigma1 * sigma1 + sigma2 * sigma2)
    if spread < 1e-12:  # both are certain
        return max(mu1, mu2), 0.0
    a = (mu1 - mu2) / spread
    below = 0.5 * math.erfc(-a / math.sqrt(2))
    density = math.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    f1 = a * below + density
    f2 = a * a * below * (1 - below) + (1 - 2 * below) * a * density - density * density
    variance = sigma2 * sigma2 + (sigma1 * sigma1 - sigma2 * sigma2) * below
    variance += spread * spread * f2
    return mu2 + spread * f1, math.sqrt(max(0.0, variance))


def clark_maximum(results) -> tuple[float, float]:
    """Return (mu, sigma) of the best of some moves by Clark; results: (wins, playouts)."""
    mu, sigma = beta_belief(*results[0])
    for w, n in results[1:]:
        mu, sigma = clark(mu, sigma, *beta_belief(w, n))
    return mu, sigma


# ---- 2. Beliefs in a tree -------------------------------------------------------------------


# by Search · beliefs that are bell curves, and beliefs on the grid
BELIEF = np.dtype(
    [
        ("mu", np.float32),  # mean of the node's value, for the player who moved into it,
        ("sigma", np.float32),  # and its standard deviation
        *five.search.NODE.descr,  # after them: numba takes a record for one it begins like
        ("last", np.int16),  # which child the last walk took, counted from 1; 0: none
        ("whole", np.int16),  # 1: all moves are listed, so the children give the value
    ]
)
UNSURE = math.sqrt(1 / 12)  # the standard deviation of a uniform belief; its mean is 1/2


@jit
def bell_certain(record, value):
    """Believe in one value for certain: 0, 0.5 or 1."""
    record.mu, record.sigma = value, 0.0


@jit
def bell_results(record):
    """Believe what the playouts through this node say."""
    record.mu, record.sigma = beta_belief(record.W64 / 64.0, record.N)


@jit
def bell_best(tree, node):
    """Believe that the other player takes the best child: 1 - max, by Clark's formulas."""
    record = tree[node]
    first, count = np.int64(record.first_child), np.int64(record.num_children)
    mu, sigma = -math.inf, 0.0
    for child in tree[first : first + count]:
        its_mu, its_sigma = 0.5, UNSURE
        if child.N > 0:
            its_mu, its_sigma = np.float64(child.mu), np.float64(child.sigma)
        if mu == -math.inf:
            mu, sigma = its_mu, its_sigma
        else:
            mu, sigma = clark(mu, sigma, its_mu, its_sigma)
    record.mu, record.sigma = 1 - mu, sigma


# The new field comes first: numba takes a record that begins like another for its subtype.
BELIEF_GRID = np.dtype([("cdf", np.float32, STEPS), *BELIEF.descr])  # P(value <= k / STEPS)


@jit
def grid_certain(record, value):
    """Believe in one value for certain: 0, 0.5 or 1."""
    for k in range(STEPS):
        record.cdf[k] = 1.0 if k >= value * STEPS else 0.0
    record.mu, record.sigma = value, 0.0


@jit
def grid_own(record):
    """Believe what the playouts through this node say."""
    grid_results(record.W64 / 64.0, record.N, record.cdf)
    record.mu, record.sigma = grid_moments(record.cdf)


@jit
def grid_best(tree, node):
    """Believe that the other player takes the best child: 1 - max, by the product."""
    record = tree[node]
    first, count, cdf = np.int64(record.first_child), np.int64(record.num_children), record.cdf
    cdf[:] = 1.0
    for child in tree[first : first + count]:
        for k in range(STEPS):
            cdf[k] *= child.cdf[k] if child.N > 0 else (k + 0.5) / STEPS
    for k in range(STEPS // 2):  # 1 - X: backwards, and taken from 1
        low, high = cdf[k], cdf[STEPS - 1 - k]
        cdf[k], cdf[STEPS - 1 - k] = 1 - high, 1 - low
    record.mu, record.sigma = grid_moments(cdf)


# by Search · the backup of beliefs, and the child of the highest Bayesian score
def build_backup(certain, results, best):
    """Return back_up(workspace, tree) for a kind of belief, three kernels.

    It refreshes the belief of every node on the way of the last walk but the root, the
    deepest first; workspace.path is written over.
    """

    @five.cache.inline_kernel
    def refresh(tree, node):
        record = tree[node]
        if record.status >= five.search.LOST:
            certain(record, (record.status - five.search.LOST) / 2)
        elif record.whole:
            best(tree, node)
        else:
            results(record)

    @five.cache.inline_kernel
    def back_up(workspace, tree):
        depth, node = 0, np.int64(0)
        while tree[node].last > 0:
            node = np.int64(tree[node].first_child) + tree[node].last - 1
            depth += 1
            workspace.path[depth] = node
        for i in range(depth, 0, -1):
            refresh(tree, np.int64(workspace.path[i]))

    return back_up


def build_bayes(back_up):
    """Return the policy of Bayes-UCT, for nodes that hold a belief; see build_backup.

    options.c_uct, options.c_prior   the weights of 1 / sqrt(n) and of sigma
    Source: Tesauro, Rajan and Segal 2010.
    """

    @five.cache.inline_kernel
    def select(workspace, tree, node, untried, options):
        if node == 0:
            back_up(workspace, tree)
        record = tree[node]
        first, tried = np.int64(record.first_child), np.int64(record.num_visited)
        exploration = math.sqrt(math.log(max(1, record.N)))
        chosen, best, ties = np.int64(untried), -math.inf, 1
        if untried > 0:
            known = options.c_uct == 0 and tried > 0  # otherwise its score is infinite
            best = 0.5 + exploration * options.c_prior * UNSURE if known else math.inf
            tree[untried].last = tree[untried].whole = 0
        record.whole = record.num_children > 0 and (
            untried == 0 or record.status == five.search.COMPLETE
        )
        for i in range(first, first + tried):
            child = tree[i]
            if options.solve and five.search.is_settled(child.status, record.N):
                continue
            unsure = options.c_uct * child.inv_sqrt + options.c_prior * child.sigma
            score = child.mu + exploration * unsure
            if chosen == 0 or score >= best:
                ties = 1 if chosen == 0 or score > best else ties + 1
                if ties == 1 or five.search.random_below(workspace, ties) == 0:
                    best, chosen = score, i
        record.last = chosen - first + 1 if chosen > 0 else 0
        return chosen

    return select


# by Search · the searches by name
class Method(NamedTuple):
    """A selection policy, the record of its nodes, and its constants."""

    select: object  # a kernel as build_search takes it
    c_uct: float = 0.0  # weight of 1 / sqrt(n)
    c_sigma: float = 0.0  # weight of sigma; build_bayes reads it from options.c_prior
    node: np.dtype = five.search.NODE
    # back_up(workspace, tree) brings the beliefs up to date, if there are any
    back_up: object = None

    def options(self) -> five.search.SearchOptions:
        """Return the options of the search: its constants, and nothing is proven."""
        own = five.search.SearchOptions(
            c_uct=self.c_uct, c_prior=self.c_sigma, max_children=5, solve=False
        )
        return five.search.check_options(own)


BELL_UP = build_backup(bell_certain, bell_results, bell_best)
GRID_UP = build_backup(grid_certain, grid_own, grid_best)
BELL, ON_GRID = build_bayes(BELL_UP), build_bayes(GRID_UP)
UCB1_CONSTANT = math.sqrt(2)
METHODS = {
    "UCT": Method(five.search.ucb_kernel, UCB1_CONSTANT),
    "UCT 0.5": Method(five.search.ucb_kernel, 0.5),
    "Bayes-UCT1": Method(BELL, UCB1_CONSTANT, 0.0, BELIEF, BELL_UP),
    "Bayes-UCT2": Method(BELL, 0.0, UCB1_CONSTANT, BELIEF, BELL_UP),
    "Bayes-UCT1 grid": Method(ON_GRID, UCB1_CONSTANT, 0.0, BELIEF_GRID, GRID_UP),
    "Bayes-UCT2 grid": Method(ON_GRID, 0.0, UCB1_CONSTANT, BELIEF_GRID, GRID_UP),
}


def find_method(name: str) -> Method:
    """Return the method of that name in METHODS; ValueError for another."""
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"no method {five.game.quoted(name)}: there are {', '.join(METHODS)}")
    return METHODS[name]


# by Search · a method as a player
def kernels_of(rules: five.game.Rules) -> five.search.Kernels:
    """Return the kernels of a game: Connect-4, five in a row with candidates, or any other."""
    if rules.gravity and rules.in_a_row == 4:
        return four_kernels(rules)
    if rules.in_a_row == 5 and not rules.gravity:
        return five.search.shaped_game()
    return five.search.plain_game(rules.in_a_row, rules.gravity)


def bayes_tree(method: Method, game: five.game.Game, options, budget) -> StudyTree:
    """Return the tree of a position for a method."""
    kernels = kernels_of(game.rules)
    search = policy_search(kernels, method.select)
    return StudyTree(game, kernels, search, options, budget.records(), method.node)


def with_constant(method: Method, c: float) -> Method:
    """Return the method with that weight of the plain bonus; ValueError for a bad one."""
    return method._replace(c_uct=float(five.game.check_number("c", c, 0, 100)))


class BayesPlayer(five.mcts.SearchPlayer):
    """A search with a method of METHODS; seconds are processor time per move.

    c   the weight of the plain bonus, in place of the method's
    Raises ValueError for a name that is not in METHODS, a bad constant or a bad budget.
    """

    def __init__(self, method: str, *, c=None, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        self.name, self.method = method, find_method(method)
        self.settings["method"] = method
        if c is not None:
            self.method, self.settings["c"] = with_constant(self.method, c), c

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return four.search_planted(game, self.plant, self.method.options(), **asked)

    def plant(self, game, options, budget) -> StudyTree:
        """Return a fresh tree."""
        return bayes_tree(self.method, game, options, budget)


def beliefs(thought: five.mcts.SearchResult) -> dict[str, tuple[int, float, float]]:
    """Return {move: (visits, mu, sigma)} of a Bayesian player's thought, best mean first.

    mu and sigma   of the move's value, 0...1, for the side to move
    """
    tree = thought.tree
    back_up = BELL_UP if tree.nodes.dtype == BELIEF else GRID_UP
    back_up(tree.workspace, tree.nodes)
    found = {}
    for child in tree.root.children:
        record = tree.nodes[child.index]
        found[child.move] = (child.N, float(record["mu"]), float(record["sigma"]))
    return dict(sorted(found.items(), key=lambda item: -item[1][1]))


# ---- 3. Bandit trees ------------------------------------------------------------------------


# by Experiments · a search on a bandit tree, and its regret on many
WIDTH = 5  # moves at each ply
BANDIT_WORKSPACE = np.dtype([("path", np.int32, 3), ("random", np.uint64)], align=True)


def bandit_tree(node: np.dtype) -> np.ndarray:
    """Return the records of a bandit tree: the root, WIDTH moves, WIDTH replies to each."""
    tree = np.zeros(1 + WIDTH + WIDTH**2, node)
    for i in range(1 + WIDTH):
        tree["first_child"][i], tree["num_children"][i] = 1 + i * WIDTH, WIDTH
        tree["status"][i] = five.search.COMPLETE
    return tree


@lru_cache
def build_bandit_search(select):
    """Return search(workspace, tree, options, chances, simulations), compiled for a policy.

    chances   float[WIDTH, WIDTH]: of the first player, by move and reply
    """

    @five.cache.inline_kernel
    def search(workspace, tree, options, chances, simulations):
        for _ in range(simulations):
            node = np.int64(0)
            for ply in range(1, 3):
                record = tree[node]
                fresh = 0
                if record.num_visited < WIDTH:
                    fresh = record.first_child + record.num_visited
                node = np.int64(select(workspace, tree, node, np.int64(fresh), options))
                record.num_visited += node == fresh
                workspace.path[ply] = node
            leaf = node - 1 - WIDTH
            won = uniform(workspace) < chances[leaf // WIDTH, leaf % WIDTH]
            # the second player moved into the leaf, and earns what the first one loses
            five.search.backpropagate_kernel(tree, workspace.path, 2, 0 if won else 64)

    return search


def draw_chances(rng, alike: float = 0.0) -> np.ndarray:
    """Return float[WIDTH, WIDTH]: chances by move and reply, each uniform.

    alike   0...1: correlation of the normal variables behind replies to the same move
    """
    if alike == 0:
        return rng.random((WIDTH, WIDTH))
    shared, own = rng.standard_normal((WIDTH, 1)), rng.standard_normal((WIDTH, WIDTH))
    normal = math.sqrt(alike) * shared + math.sqrt(1 - alike) * own
    return np.array([math.erfc(-x / math.sqrt(2)) / 2 for x in normal.flat]).reshape(own.shape)


def bandit_searches(method: Method, trees: int, marks, seed: int, alike=0.0):
    """Yield (values, means, visits) of the moves, tree by tree, at each mark in turn.

    marks   numbers of simulations, rising
    alike   as draw_chances takes it
    """
    search, options = build_bandit_search(method.select), method.options()
    rng, workspace = np.random.default_rng(seed), np.zeros(1, BANDIT_WORKSPACE)
    workspace = workspace.view(np.recarray)[0]
    for _ in range(trees):
        tree, chances = bandit_tree(method.node), draw_chances(rng, alike)
        workspace.random = rng.integers(2**63)
        moves, done = tree[1 : 1 + WIDTH], 0
        for mark in marks:
            search(workspace, tree, options, chances, mark - done)
            done, means = mark, moves["W64"] / np.maximum(1, moves["N"])
            if method.back_up:
                method.back_up(workspace, tree)
                means = np.where(moves["N"] > 0, moves["mu"], 0)
            yield chances.min(axis=1), means, moves["N"].copy()


CHECKPOINTS = (25, 50, 100, 200, 500, 1_000, 2_000)


def tree_regret(method, trees: int, marks=CHECKPOINTS, seed: int = 1) -> np.ndarray:
    """Return float[trees, marks, 2]: the regret of the best mean and of the most visited.

    method   a Method, or the name of one of METHODS, else ValueError
    """
    found = np.zeros((trees * len(marks), 2))
    method = method if isinstance(method, Method) else find_method(method)
    searches = bandit_searches(method, trees, marks, seed)
    for each, (values, means, visits) in zip(found, searches, strict=True):
        each[:] = values.max() - values[[means.argmax(), visits.argmax()]]
    return found.reshape(trees, len(marks), 2)


# ---- 4. The belief in games -----------------------------------------------------------------


# by Search · a maximum that waits until every child has been seen a few times
@lru_cache
def patient_method(name: str, least: int) -> Method:
    """Return a method with bell curves, in which nodes wait before they take a maximum.

    least   visits of each child; with fewer of one, the node believes in its own results
    """

    @five.cache.inline_kernel
    def best(tree, node):
        record = tree[node]
        first, count = np.int64(record.first_child), np.int64(record.num_children)
        fewest = tree[first].N
        for child in tree[first : first + count]:
            fewest = min(fewest, child.N)
        if fewest < least:
            bell_results(record)
        else:
            bell_best(tree, node)

    back_up = build_backup(bell_certain, bell_results, best)
    method = Method(build_bayes(back_up), node=BELIEF, back_up=back_up)
    old = find_method(name)
    return method._replace(c_uct=old.c_uct, c_sigma=old.c_sigma)


class PatientPlayer(five.mcts.SearchPlayer):
    """A Bayesian search that waits; see patient_method, and BayesPlayer for c."""

    def __init__(self, method: str, least: int, *, c=None, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        least = five.game.check_number("least", least, 0, 10**6, whole=True)
        self.name, self.method = f"{method}, {least} visits", patient_method(method, least)
        self.settings |= {"method": method, "least": least}
        if c is not None:
            self.method, self.settings["c"] = with_constant(self.method, c), c

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return four.search_planted(game, self.plant, self.method.options(), **asked)

    def plant(self, game, options, budget) -> StudyTree:
        """Return a fresh tree."""
        return bayes_tree(self.method, game, options, budget)


# ---- 7. Appendix: controls ------------------------------------------------------------------


# by Search · the maximum of two normal variables, from lists
REACH, PER_UNIT = 4, 16  # a from -REACH to REACH; entries per unit of a


def clark_lists() -> np.ndarray:
    """Return float[entries, 3]: Phi, F1 and F2 of Clark's formulas at a, evenly spaced."""
    a = np.arange(-REACH * PER_UNIT, REACH * PER_UNIT + 1) / PER_UNIT
    below = np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in a])
    density = np.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    second = (1 - 2 * below) * a * density - density**2 + a * a * below * (1 - below)
    return np.stack([below, a * below + density, second], axis=1)


LISTS = clark_lists()


@jit
def clark_table(mu1, sigma1, mu2, sigma2):
    """Return clark(mu1, sigma1, mu2, sigma2) as the lists give it."""
    spread = math.sqrt(sigma1 * sigma1 + sigma2 * sigma2)
    if abs(mu1 - mu2) >= REACH * spread:  # also where both are certain
        return (mu1, sigma1) if mu1 > mu2 else (mu2, sigma2)
    at = ((mu1 - mu2) / spread + REACH) * PER_UNIT
    k = int(at)
    below = LISTS[k, 0] + (at - k) * (LISTS[k + 1, 0] - LISTS[k, 0])
    f1 = LISTS[k, 1] + (at - k) * (LISTS[k + 1, 1] - LISTS[k, 1])
    f2 = LISTS[k, 2] + (at - k) * (LISTS[k + 1, 2] - LISTS[k, 2])
    variance = sigma2 * sigma2 + (sigma1 * sigma1 - sigma2 * sigma2) * below
    variance += spread * spread * f2
    return mu2 + spread * f1, math.sqrt(max(0.0, variance))

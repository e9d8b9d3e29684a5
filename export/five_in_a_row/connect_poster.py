# Made from connect_poster.ipynb by tools/build.py: change the notebook, not this file.


import math
import time
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import typeof

import five_in_a_row as five
from five_in_a_row.cache import jit
from five_in_a_row.connect_four import (
    build_drops,
    build_moves,
    four_game,
    four_kernels,
    search_planted,
)
from five_in_a_row.connect_grid import Grid, bits_of, count_bits, four_rules, open_columns
from five_in_a_row.connect_report import add_visits


# ---- One shape for all ----------------------------------------------------------------------


# by Search · a policy from a score


@jit
def uniform(workspace):
    """Return a random number between 0 and 1, never one of them; workspace.random moves on."""
    return (five.search.random_below(workspace, 1 << 32) + 0.5) / 4294967296.0


@lru_cache
def build_select(score):
    """Return the policy that visits `untried` first, then the child of the highest score.

    score   a kernel score(workspace, luck, mean, n, N, arms, options); its constant is
            options.c_uct
    Equal scores are decided at random.
    """

    @five.cache.inline_kernel
    def select(workspace, tree, node, untried, options):
        if untried > 0:
            return np.int64(untried)
        record = tree[node]
        first, arms, N = (
            np.int64(record.first_child),
            np.int64(record.num_visited),
            np.int64(record.N),
        )
        best, chosen, ties, luck = -math.inf, np.int64(0), 1, uniform(workspace)
        for i in range(first, first + arms):
            child = tree[i]
            if options.solve and five.search.is_settled(child.status, N):
                continue
            n = np.int64(child.N)
            value = score(workspace, luck, child.W64 / (64.0 * n), n, N, arms, options)
            if chosen == 0 or value >= best:
                ties = 1 if chosen == 0 or value > best else ties + 1
                if ties == 1 or five.search.random_below(workspace, ties) == 0:
                    best, chosen = value, i
        return chosen

    return select


# by Search · Bayes-UCB, by the quantile of a beta density
@jit
def beta_fraction(a, b, x):
    """Return the continued fraction of the incomplete beta function, for x <= (a+1)/(a+b+2).

    Worked out from its beginning by the method of Lentz (1976), to about 1e-10.
    """
    value, c, d = 1.0, 1.0, 0.0
    for k in range(1000):
        m = k // 2
        if k == 0:
            term = 1.0
        elif k % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d)
        if k == 0:
            value, c = d, 1e300
            continue
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < 1e-10:
            break
    return value


@jit
def beta_above(a, b, x, log_beta):
    """Return (P(X > x), density at x) for X of Beta(a, b), 0 < x < 1; see log_beta."""
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - log_beta)
    if 1 - x <= (b + 1) / (a + b + 2):
        above = front * beta_fraction(b, a, 1 - x) / b
    else:
        above = 1 - front * beta_fraction(a, b, x) / a
    return above, front / (x * (1 - x))


@jit
def log_beta(a, b):
    """Return the logarithm of the beta function, which makes a density's area 1."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


@jit
def beta_quantile(a, b, above):
    """Return x with P(X > x) = above for X of Beta(a, b), a, b >= 1; within about 1e-7."""
    if above >= 1:
        return 0.0
    area, low, high = log_beta(a, b), 0.0, 1.0
    # begin where a bell curve for the log odds, ln x / (1 - x), has about that much above
    reach = math.sqrt(max(0.0, -2 * math.log(3 * above)) * (1 / a + 1 / b))
    x = 1 / (1 + b / a * math.exp(-reach))
    for _ in range(100):
        tail, density = beta_above(a, b, x, area)
        low, high = (x, high) if tail > above else (low, x)
        step = math.log(tail / above) * tail / density if tail > 0 else math.inf
        if abs(step) < 1e-5:  # the next step would be as small as its square
            return min(1.0, x + step)
        # where Newton has left the bracket, halve it
        x = x + step if low < x + step < high else (low + high) / 2
    return x


@jit
def bayes_ucb(workspace, luck, mean, n, N, arms, options):
    """Return the chance that is exceeded with belief 1/N. Source: Kaufmann and others 2012."""
    return beta_quantile(1 + mean * n, 1 + (1 - mean) * n, 1.0 / N)


# by Search · sequential halving at the root
@jit
def worst_left(tree, first, last):
    """Return the child of the lowest mean among those that are not out."""
    worst, found = math.inf, np.int64(0)
    for i in range(first, last):
        mean = tree[i].W64 / (64.0 * tree[i].N)
        if tree[i].prior == 0 and mean < worst:
            worst, found = mean, i
    return found


@jit
def halving(workspace, tree, node, untried, options):
    """Return the root's child that sequential halving visits next; elsewhere `ucb_kernel`'s.

    options.c_prior is the budget, simulations of the whole search.
    """
    if untried > 0 or node != 0 or tree[node].num_visited < 2:
        return five.search.ucb_kernel(workspace, tree, node, untried, options)
    first, arms = np.int64(tree[0].first_child), np.int64(tree[0].num_visited)
    rounds = math.ceil(math.log2(arms))
    while True:
        left, least, chosen = 0, np.int64(1 << 62), np.int64(0)
        for i in range(first, first + arms):
            if tree[i].prior == 0:
                left += 1
                if tree[i].N < least:
                    least, chosen = np.int64(tree[i].N), i
        size, target = arms, 0  # how many visits an arm that is left should have by now
        while True:
            target += max(1, int((options.c_prior - 1) / (size * rounds)))
            if size <= left:
                break
            size = (size + 1) // 2
        if left == 1 or least < target:
            return chosen
        for _ in range(left - (left + 1) // 2):
            tree[worst_left(tree, first, first + arms)].prior = 1


# by Search · for the appendix: bounds in closed form, and KL-UCB
@jit
def ucb1_tuned(workspace, luck, mean, n, N, arms, options):
    """Return the bound of UCB1-Tuned. Source: Auer and others 2002, section 4."""
    share = math.log(N) / n
    spread = mean * (1 - mean) + math.sqrt(2 * share)
    return mean + math.sqrt(share * min(0.25, spread))


@jit
def ucb_v(workspace, luck, mean, n, N, arms, options):
    """Return the bound of UCB-V for rewards in 0...1. Source: Audibert and others 2009."""
    share = math.log(N) / n
    return mean + math.sqrt(2 * mean * (1 - mean) * share) + 3 * share


@jit
def moss(workspace, luck, mean, n, N, arms, options):
    """Return the index of MOSS; the horizon is the larger of options.c_prior and N."""
    horizon = max(float(N), options.c_prior)
    return mean + math.sqrt(max(0.0, math.log(horizon / (arms * n))) / n)


@jit
def kl(p, q):
    """Return the Kullback-Leibler divergence of two chances, 0 <= p <= 1 and 0 < q < 1."""
    found = 0.0
    if p > 0:
        found += p * math.log(p / q)
    if p < 1:
        found += (1 - p) * math.log((1 - p) / (1 - q))
    return found


@jit
def kl_bound(mean, b):
    """Return the largest q with kl(mean, q) <= b, within 1e-9."""
    if mean >= 1 or b <= 0:
        return mean
    certain = (mean * math.log(mean) if mean > 0 else 0.0) + (1 - mean) * math.log(1 - mean)
    q = min(mean + math.sqrt(b / 2), 1 - math.exp((certain - b) / (1 - mean)))
    for _ in range(50):
        if q >= 1 or q <= mean:
            break
        step = (kl(mean, q) - b) * q * (1 - q) / (q - mean)
        q -= step
        if step < 1e-9:
            break
    return min(1.0, max(mean, q))


@jit
def kl_ucb(workspace, luck, mean, n, N, arms, options):
    """Return the KL-UCB bound. Source: Garivier and Cappé 2011, with their c = 0."""
    return kl_bound(mean, math.log(N) / n)


# by Search · for the appendix: Thompson's draws, and rules of chance
@jit
def normal_draw(workspace):
    """Return a draw from the normal density. Source: Box and Muller 1958."""
    return math.sqrt(-2 * math.log(uniform(workspace))) * math.cos(
        2 * math.pi * uniform(workspace)
    )


@jit
def gamma_draw(workspace, shape):
    """Return a draw from the gamma density of that shape, 1 or more, and scale 1.

    Source: Marsaglia and Tsang 2000, doi.org/10.1145/358407.358414.
    """
    d = shape - 1 / 3
    while True:
        x = normal_draw(workspace)
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(uniform(workspace)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v


@jit
def beta_draw(workspace, a, b):
    """Return a draw from Beta(a, b), a and b 1 or more."""
    g = gamma_draw(workspace, a)
    return g / (g + gamma_draw(workspace, b))


@jit
def thompson(workspace, luck, mean, n, N, arms, options):
    """Return a draw from what is believed of the arm. Source: Thompson 1933."""
    return beta_draw(workspace, 1 + mean * n, 1 + (1 - mean) * n)


@jit
def greedy(workspace, luck, mean, n, N, arms, options):
    """Return the mean, or with chance options.c_uct a random number."""
    return uniform(workspace) if luck < options.c_uct else mean


@jit
def decaying_greedy(workspace, luck, mean, n, N, arms, options):
    """Return the mean, or with chance min(1, c K / N) a random number; c is options.c_uct.

    Source: Auer and others 2002, figure 3; their c / d^2 is one constant here.
    """
    return uniform(workspace) if luck < options.c_uct * arms / N else mean


@jit
def softmax(workspace, luck, mean, n, N, arms, options):
    """Return the mean and Gumbel noise: the highest is drawn as exp(mean / options.c_uct)."""
    return mean - options.c_uct * math.log(-math.log(uniform(workspace)))


# by Search · for the appendix: Exp3, the policy with a memory
MEMORY = np.dtype(
    [
        *five.search.NODE.descr,
        ("gain", np.float32),  # the rewards so far, each over the chance it was drawn with
        ("chance", np.float32),  # of the draw whose reward is not in `gain` yet; 0: none
        ("before", np.int32),  # W64 before that draw
    ]
)


@jit
def exp3(workspace, tree, node, untried, options):
    """Return a child drawn by Exp3, `untried` first; 0 if there is none; for MEMORY nodes."""
    if untried > 0:
        tree[untried].gain, tree[untried].chance, tree[untried].before = 0, 1, 0
        return np.int64(untried)
    first, arms = np.int64(tree[node].first_child), np.int64(tree[node].num_visited)
    if arms == 0:
        return np.int64(0)
    most = -math.inf
    for i in range(first, first + arms):
        child = tree[i]
        if child.chance > 0:  # what the last draw has earned
            child.gain += (child.W64 - child.before) / (64 * child.chance)
            child.chance = 0
        most = max(most, child.gain)
    horizon = max(float(tree[node].N), options.c_prior)
    mix = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * horizon)))
    total, rest, chosen = 0.0, uniform(workspace), first
    for i in range(first, first + arms):
        total += math.exp(mix / arms * (tree[i].gain - most))
    for i in range(first, first + arms):
        chance = (1 - mix) * math.exp(mix / arms * (tree[i].gain - most)) / total + mix / arms
        chosen, rest = i, rest - chance
        if rest < 0:
            break
    tree[chosen].chance, tree[chosen].before = chance, tree[chosen].W64
    return chosen


# by Search · all policies by name
class Policy(NamedTuple):
    """A selection policy with its constant, and what it needs beside them."""

    select: object  # a kernel as build_search takes it
    c_uct: float = 0.0
    node: np.dtype = five.search.NODE  # the record of a node
    plans: bool = False  # True: must know the budget in the tree, too, in options.c_prior


POLICIES = {
    "UCB1": Policy(five.search.ucb_kernel, math.sqrt(2)),
    **{f"UCT {c:g}": Policy(five.search.ucb_kernel, c) for c in (0.25, 0.5, 1.0, 2.0)},
    "UCB1-Tuned": Policy(build_select(ucb1_tuned)),
    "UCB-V": Policy(build_select(ucb_v)),
    "KL-UCB": Policy(build_select(kl_ucb)),
    "MOSS": Policy(build_select(moss)),
    "Bayes-UCB": Policy(build_select(bayes_ucb)),
    "Thompson": Policy(build_select(thompson)),
    "epsilon-greedy": Policy(build_select(greedy), 0.1),
    "decaying epsilon": Policy(build_select(decaying_greedy), 5.0),
    "softmax": Policy(build_select(softmax), 0.1),
    "Exp3": Policy(exp3, node=MEMORY),
    "halving": Policy(halving, 0.5, plans=True),
}


def find_policy(name: str) -> Policy:
    """Return the policy of that name in POLICIES; ValueError for another."""
    if not isinstance(name, str) or name not in POLICIES:
        raise ValueError(
            f"no policy {five.game.quoted(name)}: there are {', '.join(POLICIES)}"
        )
    return POLICIES[name]


# ---- 2. As gamblers -------------------------------------------------------------------------


# by Experiments · the arms of the tables
DRIFT = 100  # pulls of an arm in which its chance goes half of its way


class Arms(NamedTuple):
    """A bandit: the chances of its arms, the horizon, and where chances that drift begin."""

    chances: tuple[float, ...]
    pulls: int
    begins: tuple[float, ...] | None = None  # None: the chances stay as they are


ARMS = {
    "three arms": Arms((0.1, 0.5, 0.6), 2_000),
    "ten arms": Arms((0.55, *[0.45] * 9), 5_000),
    "two good arms": Arms((0.8, 0.9), 2_000),
    "rare wins": Arms((0.1, *[0.05] * 3, *[0.02] * 3, *[0.01] * 3), 2_000),
    "drifting arms": Arms(
        (0.65, 0.5, 0.5, 0.4, 0.4, 0.3, 0.3), 2_000, (0.5, 0.7, 0.5, 0.6, 0.4, 0.5, 0.3)
    ),
}


# by Experiments · a policy at the arms of a bandit, many times
GAMBLER = np.dtype([("path", np.int32, 2), ("random", np.uint64)])


@lru_cache
def build_gambler(select):
    """Return gamble(workspace, tree, options, begins, chances, marks, regrets)."""

    @five.cache.inline_kernel
    def gamble(workspace, tree, options, begins, chances, marks, regrets):
        """Pull marks[-1] times; write (cumulative, simple regret) at each mark to regrets.

        An arm's chance goes from `begins` to `chances` with its own pulls.
        """
        arms, best, at = chances.size, chances.max(), 0
        tree[0].first_child, tree[0].num_children, workspace.path[1] = 1, arms, 1
        for pulls in range(1, marks[-1] + 1):
            fresh = tree[0].num_visited + 1 if tree[0].num_visited < arms else 0
            child = select(workspace, tree, np.int64(0), np.int64(fresh), options)
            tree[0].num_visited += fresh > 0
            workspace.path[1] = child
            way = (begins[child - 1] - chances[child - 1]) * DRIFT / (DRIFT + tree[child].N)
            won = uniform(workspace) < chances[child - 1] + way
            five.search.backpropagate_kernel(tree, workspace.path, 1, 64 * np.int64(won))
            if pulls == marks[at]:
                top = 1
                for i in range(1, arms + 1):
                    regrets[at, 0] += tree[i].N * (best - chances[i - 1])
                    if (tree[i].N, tree[i].W64) > (tree[top].N, tree[top].W64):
                        top = i
                regrets[at, 1] = best - chances[top - 1]
                at += 1

    return gamble


def gamble(
    name: str, chances, marks, repetitions: int, seed: int = 1, begins=None
) -> np.ndarray:
    """Return float[repetitions, marks, 2]: cumulative and simple regret of a policy.

    chances   of the arms, shuffled for each repetition
    marks     numbers of pulls, rising: the last is the horizon T
    begins    the chances of first pulls where they drift; None: they do not
    Raises ValueError for a policy that is not in POLICIES.
    """
    policy = find_policy(name)
    chances, marks = np.asarray(chances, float), np.asarray(marks, np.int64)
    begins = chances if begins is None else np.asarray(begins, float)
    run, found = build_gambler(policy.select), np.zeros((repetitions, len(marks), 2))
    own = five.search.SearchOptions(c_uct=policy.c_uct, c_prior=float(marks[-1]), solve=False)
    seeds = np.random.SeedSequence(seed).generate_state(repetitions, np.uint64)
    workspace = np.zeros(1, GAMBLER).view(np.recarray)[0]
    rng = np.random.default_rng(seed)
    for each, state in zip(found, seeds, strict=True):
        workspace.random = state
        tree = np.zeros(len(chances) + 1, policy.node)
        order = rng.permutation(len(chances))  # no rule gains by where the best arm stands
        run(workspace, tree, own, begins[order], chances[order], marks, each)
    return found


# ---- 3. In the tree -------------------------------------------------------------------------


# by Experiments · a tree whose search can be chosen


class StudyTree(five.search.Tree):
    """The search of one position, by a search and with a kind of node of one's choice.

    search    as five.search.build_search returns it; `node` is the record of a node
    seconds   what the search will have; options.c_prior then says how many simulations that
              makes at its speed so far. None: the options are left alone
    """

    def __init__(
        self, game, kernels, search, options, records, node=five.search.NODE, seconds=None
    ):
        self.rules, self.kernels, self.options = (
            game.rules,
            kernels,
            five.search.check_options(options),
        )
        self.workspace = five.search.new_search(kernels, game, options.seed)
        self.places = np.arange(game.rules.points)
        self.nodes = np.zeros(records, node)
        self.nodes["move"][0] = -1
        self._search, self.all = search, [self]
        if not search.signatures:  # compile now: it is not thinking time
            search.compile(tuple(map(typeof, (self.workspace, self.nodes, self.options, 1))))
        self.seconds, self.begun = seconds, time.thread_time()

    def run(self, simulations: int) -> int:
        """Make that many simulations; return how many it made."""
        made = super().run(simulations)
        if self.seconds is not None and self.root.N > 64:  # before that its speed is not known
            share = (time.thread_time() - self.begun) / self.seconds
            ahead = self.root.N / min(1.0, share)
            self.options = self.options._replace(c_prior=float(ahead))
        return made


# by Experiments · a policy as a player
@lru_cache
def policy_search(kernels: five.search.Kernels, select):
    """Return the search of a game with a policy, built once a session."""
    return five.search.build_search(kernels, select)


class SelectionPlayer(five.mcts.SearchPlayer):
    """A search with a selection policy of POLICIES; seconds are processor time per move.

    build            build(kernels, select) returns the compiled search
    choose_kernels   choose_kernels(rules) returns the kernels of the game
    Raises ValueError for a policy that is not in POLICIES, or a bad budget.
    """

    def __init__(
        self,
        policy: str,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        build=policy_search,
        choose_kernels=four_kernels,
    ):
        super().__init__(seconds=seconds, simulations=simulations)
        chosen, horizon = find_policy(policy), 0.0
        if chosen.plans:  # it must know its budget; one in seconds is worked out on the way
            horizon = 1e9 if simulations is None else float(simulations)
        self.options = five.search.SearchOptions(
            c_uct=chosen.c_uct, c_prior=horizon, solve=False
        )
        self.timed = seconds if chosen.plans and simulations is None else None
        self.name, self.build, self.choose_kernels = policy, build, choose_kernels
        self.settings["policy"] = policy
        if build is not policy_search:
            self.settings["build"] = build
        if choose_kernels is not four_kernels:
            self.settings["choose_kernels"] = choose_kernels

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return search_planted(game, self.plant, self.options, **asked)

    def plant(self, game, options, budget) -> StudyTree:
        """Return a fresh tree."""
        kernels, policy = self.choose_kernels(game.rules), POLICIES[self.name]
        search, records = self.build(kernels, policy.select), budget.records()
        return StudyTree(game, kernels, search, options, records, policy.node, self.timed)


# by Search · equally many visits to each child, on the levels of one's choice
@jit
def fewest_visits(workspace, luck, mean, n, N, arms, options):
    """Return a score that is the highest for the child with the fewest visits."""
    return -float(n)


@jit
def best_mean(workspace, luck, mean, n, N, arms, options):
    """Return the mean."""
    return mean


@lru_cache
def even_search(
    kernels: five.search.Kernels,
    select,
    budget: int = 0,
    second: bool = False,
    deeper: bool = False,
):
    """Return the search of a game with a policy, in places with equally many visits instead.

    budget   simulations of the whole search if the root's visits are equal; 0: `select` there
    second   True: visits are equal at the root's children; False: `select` there
    deeper   True: visits are equal at all nodes below those; False: `select` there
    The root's last visits, two per child, go to the best mean: it becomes the most visited.
    """
    even, name = build_select(fewest_visits), build_select(best_mean)

    @five.cache.inline_kernel
    def choose(workspace, tree, node, untried, options):
        if node == 0 and budget > 0:
            if tree[0].N >= budget - 2 * np.int64(tree[0].num_visited):
                return name(workspace, tree, node, untried, options)
            return even(workspace, tree, node, untried, options)
        first = np.int64(tree[0].first_child)
        on_second = first <= node < first + np.int64(tree[0].num_children)
        if node != 0 and (second if on_second else deeper):
            return even(workspace, tree, node, untried, options)
        return select(workspace, tree, node, untried, options)

    return five.search.build_search(kernels, choose)


# by Experiments · the matches that are played here and now
def live_match(one, other, parts=((2, 34), (3, 33), (4, 33)), seed=1):
    """Return a match of two players from random openings, each with both colours.

    parts   how many stones, and how many openings with as many
    """
    parts = five.game.scale([(2, 1)], parts)
    openings = [
        opening
        for stones, some in parts
        for opening in five.strength.random_openings(four_rules(), some, stones, seed=seed)
    ]
    games = 2 * len(openings)
    return five.strength.play_match(one, other, games, four_rules(), openings, seed=seed)


def live_score(match) -> str:
    """Return the score of a match with its interval, "0.62 (0.55 to 0.69)"."""
    low, high = match.attrs["interval"]
    return f"{match.attrs['score']:.2f} ({low:.2f} to {high:.2f})"


def live_words(matches, seed=1) -> str:
    """Return how many games the matches have, and from where, as a sentence."""
    games = max(match.attrs["games"] for match in matches)
    different = min(match.moves.nunique() for match in matches)
    return (
        f"{games:,} games per match, at least {different} different: {games // 2} random "
        f"openings,\neach with both colours; seed {seed}; 95 % intervals."
    )


# ---- The first bet --------------------------------------------------------------------------


# by Experiments · matches with a rival, seen from the other side
def against(table, rival: str):
    """Return the matches of a table with a rival, as the other player's results."""
    mine = table[(table.a == rival) | (table.b == rival)].copy()
    first = mine.a == rival
    mine.loc[first, "score"] = 1 - mine.loc[first, "score"]
    mine.loc[first, ["low", "high"]] = 1 - mine.loc[first, ["high", "low"]].to_numpy()
    pairs, made = ["pairs won", "pairs lost"], ["simulations a move a", "simulations a move b"]
    for both in (["a", "b"], ["won", "lost"], pairs, made):
        mine.loc[first, both] = mine.loc[first, both[::-1]].to_numpy(copy=True)
    turned = {"better": "worse", "worse": "better", "open": "open"}
    mine.loc[first, "verdict"] = mine.loc[first, "verdict"].map(turned)
    counts = ["games", "won", "drawn", "lost", *pairs, *made]
    return mine[["a", "budget", "score", "low", "high", "verdict", *counts]]


def scores_against(table, rival: str, names) -> dict:
    """Return {budget: {name: score and interval in words}} of matches with a rival."""
    found: dict = {}
    for _, row in against(table, rival).iterrows():
        if row.a in names:
            words = five.strength.starred_score(row.score, row.low, row.high, row.verdict)
            found.setdefault(row.budget, {})[row.a] = words
    return found


# ---- 4. The poster's variant ----------------------------------------------------------------


# by Search · the credit of a result
@lru_cache
def build_credit(game, draws=True):
    """Return credit(workspace, tree, depth, options, fresh).

    draws   False: a draw credits nobody
    """
    terminal, mover, rollout = game.terminal, game.mover, game.rollout

    @five.cache.inline_kernel
    def credit(workspace, tree, depth, options, fresh):
        """Back up the result of workspace.board, a playout if it is not decided."""
        node = tree[workspace.path[depth]]
        if fresh:
            node.status = terminal(workspace, options)
        reward = (np.int64(node.status) - five.search.LOST) * 32
        if node.status <= five.search.COMPLETE:
            reward = np.int64(32.5 + 32.0 * -mover(workspace) * rollout(workspace))
        if reward == 32 and not draws:
            add_visits(tree, workspace.path, depth)
        else:
            five.search.backpropagate_kernel(tree, workspace.path, depth, reward)

    return credit


# by Search · expand all children, one playout from each
@lru_cache
def build_wide(game, select, walks=True, twice=False, draws=True):
    """Return search(workspace, tree, options, playouts).

    It expands all children of a leaf at once, and returns how many playouts it made: as
    many as asked, or a few more. A full tree grows no further; its leaves are then played
    out again.
    walks, twice, draws   the poster's slips where they differ from their defaults
    """
    reset, apply, legal, credit = game.reset, game.apply, game.legal, build_credit(game, draws)

    def search(workspace, tree, options, playouts):
        done = 0
        while done < playouts:
            reset(workspace)
            node, depth = np.int64(0), 0
            workspace.path[0] = 0
            while walks and tree[node].num_children > 0:  # select: down to a leaf
                node = select(workspace, tree, node, np.int64(0), options)
                apply(workspace, np.int64(tree[node].move))
                depth += 1
                workspace.path[depth] = node
            if twice:
                add_visits(tree, workspace.path, depth)
            fresh = tree[node].num_children == 0  # expand: all children
            if fresh and tree[node].status <= five.search.COMPLETE:
                found = legal(workspace, 0, workspace.order.size, options)
                if five.search.grow(tree, workspace, node, found):
                    tree[node].num_visited = found
                    tree[node].status = five.search.COMPLETE
            if tree[node].num_children == 0:  # decided, or the tree is full
                credit(workspace, tree, depth, options, False)
                done += 1
            first, count = np.int64(tree[node].first_child), np.int64(tree[node].num_children)
            for child in range(first, first + count):  # simulate: once from each child
                reset(workspace)
                workspace.path[depth + 1] = child
                for i in range(1, depth + 2):
                    apply(workspace, np.int64(tree[workspace.path[i]].move))
                credit(workspace, tree, depth + 1, options, fresh)
                done += 1
        return done

    return jit(search)


# ---- One ply --------------------------------------------------------------------------------


# by Heuristics · the score of a slice, in plain Python
def slices(cells) -> list[list[int]]:
    """Return all slices of a grid, each the numbers in its four cells."""
    rows, columns = cells.shape
    found = []
    for row, col in np.ndindex(rows, columns):
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            places = [(row + k * up, col + k * right) for k in range(4)]
            if all(0 <= r < rows and c < columns for r, c in places):
                found.append([int(cells[place]) for place in places])
    return found


def slice_score(four: list[int], player: int, empty: int = 0) -> int:
    """Return the score of a slice for a player."""
    mine, free = four.count(player), four.count(empty)
    if mine == 4:
        return 100
    if mine == 3 and free == 1:
        return 5
    return 2 if mine == 2 and free == 2 else 0


# by Heuristics · values on bits, and the column with the best value
@jit
def slice_sum(stones, others, full, height):
    """Return the sum of all slices for the side that has the stones; int64 as in Grid."""
    total = 0
    for step in (1, height - 1, height, height + 1):
        free = full & ~others
        fits = free & free >> step
        fits &= fits >> 2 * step
        pair, single = stones & stones >> step, stones ^ stones >> step
        last_pair, last_single = pair >> 2 * step, single >> 2 * step
        threes = pair & last_single | single & last_pair
        twos = single & last_single | (pair ^ last_pair) & ~(single | last_single)
        total += 100 * count_bits(fits & pair & last_pair)
        total += 5 * count_bits(fits & threes) + 2 * count_bits(fits & twos)
    return total


@jit
def slice_value(own, both, full, height):
    """Return the value of a position for the side that has the stones `own`."""
    others = both ^ own
    return slice_sum(own, others, full, height) - slice_sum(others, own, full, height)


@jit
def value_after(own, both, stone, full, height):
    """Return the value for the mover of adding a stone, one bit, to a position."""
    return slice_value(own | stone, both | stone, full, height)


def column_values(game: five.game.Game) -> dict[int, int]:
    """Return {column: the value for the mover after a stone there} of what may be played."""
    grid, (own, both), values = Grid(game.rules.height, game.rules.size), bits_of(game), {}
    for column, point in open_columns(game).items():
        stone = 1 << column * grid.height + point // grid.columns
        values[column] = value_after(own, both, stone, grid.full, grid.height)
    return values


class OnePlyPlayer:
    """A player that takes the column with the best value, one of several at random."""

    name = "one ply"
    result = None  # it does not search

    def __init__(self):
        self.settings = {}

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the point of the column."""
        values = column_values(game)
        best = [column for column, value in values.items() if value == max(values.values())]
        return open_columns(game)[int(np.random.default_rng(seed).choice(best))]


# ---- As leaf value and prior ----------------------------------------------------------------


# by Heuristics · fit the logistic curve, and draw it beside what happened
class Fit(NamedTuple):
    """A logistic curve with the standard errors of its numbers."""

    scale: float
    tempo: float
    scale_error: float
    tempo_error: float
    loss: float  # mean of -ln(chance given to what happened)
    constant: float  # the same if all positions are given the mean score


def fit_chance(table) -> Fit:
    """Return the curve for a table of value, positions, and their points (a draw: one half).

    Values and points are the side to move's. ValueError where no curve is the best one.
    """
    v, n, won = (table[name].to_numpy(float) for name in ("value", "positions", "points"))
    inputs, weights, mean = np.stack([v, np.ones_like(v)]), np.zeros(2), won.sum() / n.sum()
    for _ in range(25):
        chance = 1 / (1 + np.exp(-weights @ inputs))
        curvature = inputs * (n * chance * (1 - chance)) @ inputs.T
        step = np.linalg.lstsq(curvature, inputs @ (won - n * chance))[0]
        weights += step
    if np.abs(step).max() > 1e-6 or np.ptp(v) == 0:  # it would go on for ever
        raise ValueError("no curve fits best: values and results must both vary, and overlap")
    slope, shift = weights
    spread = np.linalg.inv(curvature)
    tempo_slope = np.array([-shift / slope**2, 1 / slope])

    def loss(p) -> float:
        return float(-(won * np.log(p) + (n - won) * np.log(1 - p)).sum() / n.sum())

    scale_error = math.sqrt(spread[0, 0]) / slope**2
    tempo_error = math.sqrt(tempo_slope @ spread @ tempo_slope)
    found = 1 / slope, shift / slope, scale_error, tempo_error, loss(chance), loss(mean)
    return Fit(*map(float, found))


SCALE = 9.1  # points of value that change the odds by the factor e
TEMPO = 11.2  # points that the right to move adds


def fit_bins(table, width: int = 4, least: int = 20) -> list[tuple]:
    """Return (mean value, score, low, high) for intervals of values with enough positions."""
    found = []
    for _, rows in table.groupby(table.value // width):
        n, points = int(rows.positions.sum()), rows.points.sum()
        if n >= least:
            value = (rows.value * rows.positions).sum() / n
            found.append((value, points / n, *five.strength.wilson(points, n)))
    return found


def chance_of(value):
    """Return the chance to win that the search gives to values of the side to move."""
    return 1 / (1 + np.exp(-(value + TEMPO) / SCALE))


def fit_figure(table):
    """Return a figure: scores by value with 95 % intervals, and the curve that is used."""
    value, score, low, high = np.array(fit_bins(table)).T
    figure = five.figures.new_figure(6.6, 3.6)
    ax = figure.subplots()
    line = np.linspace(value.min() - 2, value.max() + 2, 200)
    ax.plot(line, chance_of(line), color="tab:orange", label="fitted curve")
    bars = np.maximum(0, [score - low, high - score])  # not -1e-17
    ax.errorbar(value, score, bars, fmt="o", markersize=4, capsize=2, label="results, 95 %")
    ax.axhline(0.5, color="0.7", linewidth=1)
    ax.axvline(0, color="0.7", linewidth=1)
    ax.set(xlabel="value for the side to move", ylabel="its mean score", ylim=(0, 1.05))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8)
    return figure


# by Search · leaf values, and moves best first with their priors
def build_leaf(grid: Grid, share: float):
    """Return a rollout kernel: the value of the leaf, mixed with a playout if share < 1."""
    full, height, drops = grid.full, grid.height, build_drops(grid)

    @five.cache.inline_kernel
    def evaluate_slices(workspace):
        """Return 2 p - 1 for black, p the chance of a win; workspace.board stays as it is."""
        board = workspace.board
        value = slice_value(board.own, board.both, full, height)
        found = math.tanh((value + TEMPO) / (2 * SCALE))
        return found if board.start == 0 else -found

    @five.cache.inline_kernel
    def evaluate_and_play(workspace):
        """Return the mean of value and playout for black, weighted by share."""
        return share * evaluate_slices(workspace) + (1 - share) * drops(workspace)

    return evaluate_slices if share == 1 else evaluate_and_play


def build_sorted(grid: Grid, spread: float = SCALE):
    """Return a `legal` kernel: all free cells, best first; ask for `columns` moves at once.

    spread   the value that changes the odds of two priors by e; math.inf: all are equal
    """
    columns, full, height = grid.columns, grid.full, grid.height
    at_random = build_moves(grid)

    @five.cache.inline_kernel
    def legal(workspace, had, want, options):
        """List the free cells in workspace.moves, with priors 255 sqrt(P); return how many."""
        board = workspace.board
        if had > 0:  # all of them are listed
            return had
        found, total, values = at_random(workspace, 0, columns, options), 0.0, workspace.scores
        for i in range(found):
            point, place = np.int64(workspace.moves[i]), i
            row, col = divmod(point, columns)
            stone = np.int64(1) << col * height + row
            value = value_after(board.own, board.both, stone, full, height)
            while place > 0 and values[place - 1] < value:
                workspace.moves[place], values[place] = (
                    workspace.moves[place - 1],
                    values[place - 1],
                )
                place -= 1
            workspace.moves[place], values[place] = point, value
        for i in range(found):
            total += math.exp((values[i] - values[0]) / spread)
        for i in range(found):
            share = math.exp((values[i] - values[0]) / spread) / total
            workspace.priors[i] = np.uint8(max(1.0, 255 * math.sqrt(share)))
        workspace.complete = 1
        return found

    return legal


# by Search · the uses of the heuristic, by name, and a player with one
class Use(NamedTuple):
    """What a search takes from the heuristic."""

    share: float = 0.0  # of the heuristic in the value of a leaf, the rest is a playout
    sort: bool = False  # children best first
    prior: bool = False  # and chosen by puct with priors
    even: bool = False  # which are all equal: a control


USES = {
    "plain UCT": Use(),
    "leaf": Use(share=1.0),
    "mix": Use(share=0.5),
    "order": Use(sort=True),
    "prior": Use(sort=True, prior=True),
    "even prior": Use(sort=True, prior=True, even=True),
    "leaf + prior": Use(share=1.0, sort=True, prior=True),
    "mix + prior": Use(share=0.5, sort=True, prior=True),
    "mix + even prior": Use(share=0.5, sort=True, prior=True, even=True),
}


@lru_cache
def slice_game(name: str, rows: int = 6, columns: int = 7) -> five.search.Kernels:
    """Return the kernels of a use of the heuristic. ValueError for a name not in USES."""
    if name not in USES:
        raise ValueError(f"no use {name!r} of the heuristic: there are {', '.join(USES)}")
    use, grid, kernels = USES[name], Grid(rows, columns), four_game(rows, columns)
    if use.share > 0:
        kernels = kernels._replace(rollout=build_leaf(grid, use.share))
    if use.sort:
        spread = math.inf if use.even else SCALE
        kernels = kernels._replace(legal=build_sorted(grid, spread), batch=columns)
    return (
        kernels._replace(select=five.engine.puct_kernel, rule="PUCT") if use.prior else kernels
    )


class SlicePlayer(five.mcts.SearchPlayer):
    """A search with a use of the heuristic; seconds are processor time per move.

    Raises ValueError for a name that is not in USES, or a bad budget.
    """

    def __init__(self, use: str, *, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        slice_game(use)
        self.name, self.options = use, five.search.SearchOptions(solve=False)
        self.settings["use"] = use

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return search_planted(game, self.plant, self.options, **asked)

    def plant(self, game, options, budget) -> five.search.Tree:
        """Return a fresh tree."""
        kernels = slice_game(self.name, game.rules.height, game.rules.size)
        return five.search.Tree(game, kernels, options, budget.records())


# by Experiments · the scores of the uses
USE_COLOURS = {"leaf": "tab:orange", "mix + prior": "tab:blue"}  # those of the figure
BUDGET_KINDS = {"simulations": "simulations per move", "ms": "ms of processor time per move"}


def slice_figure(table):
    """Return a figure: scores of two uses against plain UCT by budget, with intervals.

    A star stands above a score that differs from one half by Holm's rule.
    """
    figure, markers = five.figures.new_figure(9.4, 3.6), "o^"
    panels = figure.subplots(1, len(BUDGET_KINDS), sharey=True, width_ratios=(3, 2))
    for ax, (kind, label) in zip(panels, BUDGET_KINDS.items(), strict=True):
        mine = table[(table.kind == kind) & table.a.isin(USE_COLOURS)]
        budgets, uses = sorted(mine.amount.unique()), list(USE_COLOURS)
        ax.axhline(0.5, color="0.7", linewidth=1)
        for i, use in enumerate(uses):
            rows = mine[mine.a == use].sort_values("amount")
            at = [
                budgets.index(amount) + 0.09 * (i - (len(uses) - 1) / 2)
                for amount in rows.amount
            ]
            bars = np.maximum(0, [rows.score - rows.low, rows.high - rows.score])
            style = dict(marker=markers[i], markersize=5, linewidth=1.4, capsize=2)
            ax.errorbar(at, rows.score, bars, label=use, color=USE_COLOURS[use], **style)
            for x, high, verdict in zip(at, rows.high, rows.verdict, strict=True):
                if verdict != "open":
                    ax.text(x, high, "*", color=USE_COLOURS[use], ha="center", fontsize=12)
        ax.set_xticks(range(len(budgets)), [f"{amount:,}" for amount in budgets])
        ax.set(xlabel=label, xlim=(-0.6, len(budgets) - 0.4), ylim=(0, 1))
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("score against plain UCT")
    panels[-1].legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


# ---- 6. Three answers -----------------------------------------------------------------------


# by Experiments · three proposals: what they choose, what it costs in time, and both
def answers(policies, poster, slices, fresh) -> dict:
    """Return {proposal: {column: words}}: at equal simulations, how many it has, on the clock.

    policies   the tables of policies in one
    fresh      the table that decides about slices on the clock
    The clock gives 1 or 2 ms; the match at equal simulations is the one nearest to what UCT
    makes in that time.
    """
    rivals = against(policies, "UCT 0.5")
    bayes = rivals[rivals.a == "Bayes-UCB"]
    wide = poster[(poster.b == "one child") & (poster.policy == "UCT 0.5")]
    tables = {  # proposal: its matches at equal simulations, and on the clock
        "1. Bayes-UCB": (bayes, bayes),
        "2. all children at once": (wide, wide),
    }
    for use in ("leaf", "mix + prior"):
        tables[f"3. slices: {use}"] = slices[slices.a == use], fresh[fresh.a == use]
    found: dict = {}

    def said(row) -> str:
        return five.strength.starred_score(row.score, row.low, row.high, row.verdict)

    for proposal, (equal, clock) in tables.items():
        timed = clock[clock.budget.isin(["1 ms", "2 ms"])].iloc[0]
        own, rival = timed["simulations a move a"], timed["simulations a move b"]
        equal = equal[~equal.budget.str.endswith("ms")]
        made = equal["simulations a move b"].astype(float)
        nearest = equal.loc[np.log(made / rival).abs().idxmin()]
        found[proposal] = {
            "equal simulations": f"{made[nearest.name]:,.0f}: {said(nearest)}",
            "simulations in equal time": f"{own:,.0f} v {rival:,.0f}",
            "equal time": f"{timed.budget}: {said(timed)}",
        }
    return found


# ---- 7. Appendix ----------------------------------------------------------------------------


# by Experiments · rankings, a rank correlation with its interval, and the figure of both
def last_pull(table):
    """Return the rows of a table of bandits that have the last pull of their arms."""
    return table[table.pulls == table.groupby("arms").pulls.transform("max")]


def score_matrix(table, budget: str):
    """Return the scores of one budget, row against column, the best mean score first."""
    import pandas as pd

    mine = table[table.budget == budget]
    names = list(dict.fromkeys([*mine.a, *mine.b]))
    matrix = pd.DataFrame(np.nan, names, names)
    for row in mine.itertuples():
        score = (row.won + row.drawn / 2) / row.games
        matrix.loc[row.a, row.b], matrix.loc[row.b, row.a] = score, 1 - score
    order = matrix.mean(axis=1).sort_values(ascending=False, kind="stable").index
    return matrix.loc[order, order]


def rankings(bandits, policies):
    """Return the rank of each policy, 1 the best, in each of the rankings.

    The arguments are tables; a column is a ranking, those of the gamblers first.
    """
    import pandas as pd

    columns = {}
    for arms, mine in last_pull(bandits).groupby("arms", sort=False):
        columns[f"regret, {arms}"] = mine.set_index("policy").regret.rank()
    for budget in dict.fromkeys(policies.budget):
        means = score_matrix(policies, budget).mean(axis=1)
        columns[f"score, {budget}"] = means.rank(ascending=False)
    return pd.DataFrame(columns)


def rank_interval(correlation: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a rank correlation. Source: Fieller and others 1957."""
    middle, error = math.atanh(correlation), math.sqrt(1.06 / (number - 3))
    return math.tanh(middle - 1.96 * error), math.tanh(middle + 1.96 * error)


def rank_words(correlation: float, number: int) -> str:
    """Return "+0.42 (-0.09 to +0.76)" for a rank correlation below 1."""
    low, high = rank_interval(correlation, number)
    return f"{correlation:+.2f} ({low:+.2f} to {high:+.2f})"


def gambler_words(ranks, name: str) -> str:
    """Return the rank correlation of all regrets together with a score, in words."""
    again = ranks.rank()
    gambler = again.filter(like="regret").mean(axis=1).rank()
    return rank_words(gambler.corr(again[name]), len(again))


def places_figure(ranks, policies, named):
    """Return a figure: each policy's place as a gambler, and its mean score in the tree.

    ranks   of `rankings`; named: the policies with a name in the figure
    """
    coins = ranks.filter(like="regret").mean(axis=1).rank()
    budgets = [name.removeprefix("score, ") for name in ranks if name.startswith("score")]
    figure = five.figures.new_figure(8.6, 3.4)
    panels = figure.subplots(1, len(budgets), sharey=True)
    for ax, budget in zip(panels, budgets, strict=True):
        scores = score_matrix(policies, budget).mean(axis=1)[coins.index]
        ax.axhline(0.5, color="0.7", linewidth=1)
        ax.plot(coins, scores, "o", markersize=5, color="0.6")
        for name in named:
            ax.plot(coins[name], scores[name], "o", markersize=7, color="tab:blue")
            ax.annotate(
                name,
                (coins[name], scores[name]),
                (7, 4),
                textcoords="offset points",
                fontsize=9,
            )
        ax.set(title=budget, xlabel="place in coins lost, fewest first", ylim=(0.2, 0.8))
        ax.set_xticks([1, 4, 8, 12, 16])
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("mean score against the others")
    return figure


# by Experiments · a table of regrets, and one of scores
def regret_rows(table):
    """Return regrets in words by policy and arms, the least on the first arms on top."""
    last = last_pull(table)
    sets = list(dict.fromkeys(last.arms))
    means = [f"{row.regret:.1f} ± {row.error:.1f}" for row in last.itertuples()]
    rows = last.assign(text=means).pivot(index="policy", columns="arms", values="text")[sets]
    first = last[last.arms == sets[0]].sort_values("regret")
    return rows.loc[list(first.policy)]


def ranking_rows(table):
    """Return each policy's mean score by budget, its interval, and its simulations in time.

    A star marks a score that differs from one half, counted by pairs, by Holm's rule.
    """
    import pandas as pd

    columns, pairs = {}, {}
    for budget in dict.fromkeys(table.budget):
        mine, speed = table[table.budget == budget], {}
        for name in score_matrix(table, budget).index:
            one, other = mine[mine.a == name], mine[mine.b == name]

            def both(first, second, one=one, other=other):
                return int(one[first].sum() + other[second].sum())

            games, won = both("games", "games"), both("won", "lost")
            drawn = both("drawn", "drawn")
            low, high = five.strength.score_interval(won, drawn, games - won - drawn)
            words = f"{(won + drawn / 2) / games:.2f} ({low:.2f} to {high:.2f})"
            counts = both("pairs won", "pairs lost"), both("pairs lost", "pairs won")
            pairs[budget, name] = words, counts
            made = [*one["simulations a move a"], *other["simulations a move b"]]
            speed[name] = f"{np.mean(made):,.0f}"
        columns[f"{budget}: score"] = {}
        if len(set(speed.values())) > 1:
            columns[f"{budget}: simulations"] = speed
    sure = five.strength.verdicts(counts for _, counts in pairs.values())
    for ((budget, name), (words, _)), verdict in zip(pairs.items(), sure, strict=True):
        columns[f"{budget}: score"][name] = words + (" *" if verdict != "open" else "")
    return pd.DataFrame(columns)

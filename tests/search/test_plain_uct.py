"""Plain UCT's own search: a slow one of the same rules, and statistics of the generic one."""

import math
import threading
from functools import cache

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import plain_uct
from five_in_a_row.game import Game, Rules
from five_in_a_row.search import MOST_VISITS, SearchOptions
from helpers import StepClock, found_by, random_position
from numba import njit
from references import WAYS

PLAIN = SearchOptions(solve=False)
BOARDS = [  # rules, moves: odd and even numbers of empty points, one word of bits and several
    (Rules(8), "d4 e5"),
    (Rules(4, 3), "b2"),
    (Rules(5, 4, rows=3), ""),
    (Rules(9, 8, rows=11), "e5"),
    (Rules(6), "a1b1c1d1e1f1a2b2c2d2e2f2b3a3d3c3f3e3b4a4d4c4f4e4a5b5c5d5"),
]


def position(rules, moves):
    """Return a game with these moves played, which is not over."""
    game = Game.from_text(moves, rules=rules)
    assert not game.over
    return game


def tree_of(game, seed=1, options=PLAIN, records=200_000):
    """Return a tree of plain UCT that has not begun."""
    kernels = five.search.plain_kernels(game.rules)
    return plain_uct.PlainTree(game, kernels, options._replace(seed=seed), records)


# -- a slow search of the same rules -------------------------------------------------------
@cache
def lines(rules):
    """Return the set of points of every line of a board."""
    found = []
    for row, col in np.ndindex(rules.height, rules.size):
        for d_row, d_col in WAYS:
            places = [(row + i * d_row, col + i * d_col) for i in range(rules.in_a_row)]
            if all(0 <= r < rules.height and 0 <= c < rules.size for r, c in places):
                found.append({r * rules.size + c for r, c in places})
    return found


class SlowNode:
    """A node: its children by point, and whether they have been compared yet."""

    def __init__(self, n=0, w=0):
        self.n, self.w, self.children, self.begun = n, w, {}, False
        self.scale = self.explore = None


class SlowPlain:
    """Plain UCT on sets of points; asked for the same random numbers as the kernels."""

    def __init__(self, game, seed, c=0.5):
        self.game, self.rules, self.state, self.c = game, game.rules, seed, c
        self.words = -(-self.rules.points // 64)
        self.root = SlowNode()

    def bits(self):
        """Return 64 random bits (SplitMix)."""
        self.state = x = (self.state + 0x9E3779B97F4A7C15) % 2**64
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
        return x ^ x >> 31

    def coins(self, draws=1):
        """Return the points whose bit is set in one of the draws, made word by word."""
        words = [np.bitwise_or.reduce([np.uint64(self.bits()) for _ in range(draws)])
                 for _ in range(self.words)]  # fmt: skip
        return {i for i in range(64 * self.words) if int(words[i // 64]) >> i % 64 & 1}

    def has_line(self, stones):
        return any(line <= stones for line in lines(self.rules))

    def result(self, stones, mover):
        """Return 2, 1, 0: the mover wins a random game, draws or loses it."""
        low, first, between = [set(each) for each in stones], mover, None
        later = set(range(self.rules.points)) - low[0] - low[1]
        while True:
            own = between
            if between is None:
                if not later:
                    return 1
                few, dense = len(later) <= plain_uct.FEW, self.rules.points <= plain_uct.DENSE
                dealt = later if few else later & self.coins(2 if dense else 1)
                later, own = later - dealt, (dealt, dealt)
            while True:
                half = self.coins()
                part = [own[0] & half, own[1] & half if between else own[1] - half]
                lead = len(part[first]) - len(part[1 - first])
                if lead in (0, 1):
                    break
            now = [low[side] | part[side] for side in range(2)]
            black, white = map(self.has_line, now)
            if black != white:
                return 2 if white == mover else 0
            if black:
                between = part
            else:
                between = between and [between[side] - part[side] for side in range(2)]
                low, first = now, first ^ lead

    def score(self, node):
        """Return the point of highest UCB, compared as the kernel does."""
        points, f = self.rules.points, np.float32
        bits = max(6, (points - 1).bit_length())
        draw, mask = self.bits(), 2**bits - 1
        odd, add = draw & mask | 1, draw >> 32 & mask
        exploration = self.c * math.sqrt(math.log(node.n))
        scale = f(2.0 ** (30 - bits) / (1 + exploration))
        explore = f(scale * exploration)
        keys = {}
        for point, child in node.children.items():
            Q, r = f(0.5) * f(child.w) / f(child.n), f(1) / np.sqrt(f(child.n))
            keys[point] = (int(Q * scale + r * explore), (point * odd + add) & mask)
        return max(keys, key=keys.get)

    def simulate(self):
        cells = self.game.array.ravel()
        stones = [set(np.flatnonzero(cells == colour).tolist()) for colour in (1, -1)]
        mover = 0 if self.game.to_move == 1 else 1
        node, path = self.root, [self.root]
        empty = set(range(self.rules.points)) - stones[0] - stones[1]
        while node.begun and len(node.children) == len(empty):
            point = self.score(node)
            stones[mover].add(point)
            empty.remove(point)
            node, mover = node.children[point], 1 - mover
            path.append(node)
        if not node.begun and (not empty or self.has_line(stones[1 - mover])):
            reward = node.w // node.n
        else:
            node.begun = True
            while True:
                point = (self.bits() >> 32) * self.rules.points >> 32
                if point in empty and point not in node.children:
                    break
            stones[mover].add(point)
            won = self.has_line(stones[mover])
            reward = 0 if won else self.result(stones, 1 - mover)
            node.children[point] = SlowNode(1, 2 - reward)
        for node in reversed(path):
            node.n, node.w, reward = node.n + 1, node.w + reward, 2 - reward


def as_dict(node):
    """Return a tree as {point: (N, W, the same of its children)}."""
    return {child.point: (child.N, child.W, as_dict(child)) for child in node.children}


def slow_dict(node):
    """Return the same of a SlowNode."""
    return {p: (c.n, c.w / 2, slow_dict(c)) for p, c in node.children.items()}


@pytest.mark.parametrize(("rules", "moves"), BOARDS, ids=lambda each: str(each)[:24])
def test_the_compiled_search_makes_the_tree_of_the_slow_one(rules, moves, full):
    game = position(rules, moves)
    for seed in range(4 if full else 1):
        tree, slow = tree_of(game, seed), SlowPlain(game, seed)
        for simulations in (1, 99, 4_000 if full else 900):
            tree.run(simulations)
            for _ in range(simulations):
                slow.simulate()
        assert as_dict(tree.root) == slow_dict(slow.root)
        assert int(tree.state.random) == slow.state


# -- a random game that is not played, and one that is -------------------------------------
@cache
def counters(rules):
    """Return two kernels: how many games of n end in 0, 1, 2 for the mover, by either way."""
    halved, kernels = plain_uct.build_random_result(rules), five.search.plain_kernels(rules)
    reset, rollout = five.search.reset_stones, kernels.rollout

    @njit
    def by_halving(state, n):
        found = np.zeros(3, np.int64)
        for _ in range(n):
            state.stones[:] = state.root
            found[halved(state, state.mover)] += 1
        return found

    @njit
    def by_playing(workspace, n):
        found = np.zeros(3, np.int64)
        for _ in range(n):
            reset(workspace)
            found[rollout(workspace) + 1] += 1
        return found

    return by_halving, by_playing


@pytest.mark.parametrize(
    ("rules", "plies"),
    [
        (Rules(8), (0, 1, 20, 41, 55, 60, 62, 63)),
        (Rules(4, 3), (0, 1, 8, 13, 14, 15)),
        (Rules(11, 5, rows=7), (0, 3, 30, 51)),
    ],
)
def test_who_wins_a_random_game_is_as_likely_as_in_games_played_out(rules, plies, full):
    rng, games = np.random.default_rng(3), 100_000 if full else 20_000
    by_halving, by_playing = counters(rules)
    for ply in plies:
        game = random_position(rules, rng, ply)
        state = tree_of(game, records=10).state
        kernels = five.search.plain_kernels(rules)
        workspace = five.search.new_search(kernels, game, 7)
        found = np.array([by_halving(state, games), by_playing(workspace, games)])
        if game.to_move == -1:
            found[1] = found[1, ::-1]
        expected = found.sum(0) / 2
        seen = expected > 0
        chi = ((found - expected) ** 2)[:, seen] / expected[seen]
        assert chi.sum() < 20  # of at most two degrees of freedom: p = 0.00005


def test_who_wins_a_random_game_may_be_told_by_another():
    """Where the player to move wins every random game, each move is a loss."""

    @njit
    def mover_wins(state, mover):
        return 2

    tree = tree_of(Game.from_text("d4"))
    walks = plain_uct.build_plain_search(tree.rules, mover_wins)
    assert walks(tree.state, tree.bits, tree.rows, 50) == 50
    assert [node.W for node in tree.root.children] == [0] * 50 and tree.root.W == 50


# -- beside the generic search -------------------------------------------------------------
@pytest.mark.parametrize(("rules", "moves"), BOARDS[:2], ids=["8x8", "4x4"])
def test_it_finds_what_the_generic_search_finds(rules, moves, full):
    """Over many seeds: the value of the root, and the share of the visits of each move."""
    game, simulations, seeds = position(rules, moves), 2_000, 200 if full else 60
    values, shares = np.zeros((2, seeds)), np.zeros((2, seeds, rules.points))
    for seed in range(seeds):
        tree = tree_of(game, seed)
        tree.run(simulations)
        generic = five.search.Tree(
            game, five.search.plain_kernels(rules), PLAIN._replace(seed=seed), 10_000
        )
        generic.run(simulations)
        for i, each in enumerate((tree, generic)):
            found = five.search.read_tree(each, simulations, 0.0)
            values[i, seed] = each.root.Q
            shares[i, seed] = found.visits.ravel() / simulations
    error = np.sqrt(values.var(1).sum() / seeds)
    assert abs(values[0].mean() - values[1].mean()) < 4 * error
    error = np.sqrt(shares.var(1).sum(0) / seeds)
    apart = np.abs(shares[0].mean(0) - shares[1].mean(0)) / np.maximum(error, 1e-6)
    assert (apart < 4.5).all() and np.median(apart) < 1.2


# -- limits --------------------------------------------------------------------------------
def test_visits_add_up_in_a_tree_of_bits_and_rows():
    tree = tree_of(position(*BOARDS[0]))
    tree.run(20_000)
    todo, rows = [tree.root], 0
    assert tree.root.N == 20_000 == sum(child.N for child in tree.root.children)
    while todo:
        node = todo.pop()
        children = node.children
        assert 0 <= node.W <= node.N
        if children and node is not tree.root and node.point >= 0:
            assert node.N == 1 + sum(child.N for child in children)
        rows += node.link < 0
        todo += children
    assert rows == int(tree.state.unused[1]) - 1 > 50
    assert [child.N for child in tree.root.children] == sorted(
        (child.N for child in tree.root.children), reverse=True
    )


@pytest.mark.parametrize("memory", [0, 40_000])
def test_a_full_tree_goes_on_and_keeps_the_visits_of_the_root(memory):
    game, options = position(*BOARDS[0]), PLAIN._replace(memory=memory)
    once, slices = tree_of(game, 1, options), tree_of(game, 1, options)
    once.run(30_000)
    for _ in range(30):
        slices.run(1_000)
    assert once.root.N == 30_000 == sum(child.N for child in once.root.children)
    assert as_dict(once.root) == as_dict(slices.root)
    assert once.bits.nbytes + once.rows.nbytes <= max(memory, 10_000)


def test_a_budget_a_stop_and_a_seed():
    game = position(*BOARDS[0])
    player = five.PlainUCT(simulations=3_000)
    first, again = (found_by(player, game, seed) for seed in (5, 5))
    assert (first.visits == again.visits).all() and first.line == again.line
    assert (first.visits != found_by(player, game, 6).visits).any()
    assert first.simulations == 3_000 == first.visits.sum() and first.proven is None
    assert first.why == "most visited" and first.line[0] == first.move
    assert first.visits.flat[first.move] == first.visits.max()
    stop, reports = threading.Event(), []
    stop.set()
    found = player.search(game, seconds=60, stop=stop)
    assert 0 < found.simulations < 3_000 and found.move in game.legal()
    found = player.search(game, seconds=0.3, on_progress=reports.append)
    assert 0.3 <= found.seconds < 5 and all(each.visits.sum() for each in reports)
    assert five.PlainUCT(simulations=0).move(game) in game.legal()
    assert five.PlainUCT(seconds=0).move(game) in game.legal()


def test_the_deadline_is_overrun_by_less_than_20_ms(monkeypatch):
    """However fast the machine is: time passes by simulations made, not by this machine."""
    made, run, clock = [0], plain_uct.PlainTree.run, StepClock(0)

    def counted(tree, simulations):
        made[0] += simulations
        clock.now = made[0] * 1e-6
        return run(tree, min(simulations, 5)) and simulations

    monkeypatch.setattr(plain_uct.PlainTree, "run", counted)
    budget = five.search.check_budget(seconds=0.3, clock=clock)
    found = five.search.read_tree(
        tree := tree_of(position(*BOARDS[0])), *five.search.run_budget(tree, budget)
    )
    assert 0.3 <= found.seconds < 0.32


def test_no_node_counts_more_than_it_can(monkeypatch):
    tree = tree_of(position(*BOARDS[1]))
    tree.run(100)
    tree.rows["child"][0, 0, 0] = MOST_VISITS - 2
    done, _ = five.search.run_budget(tree, five.search.check_budget(seconds=60))
    assert done == 2 and tree.root.N == MOST_VISITS
    assert five.search.read_tree(tree, done, 0.0).why == five.search.FULL_COUNT


@pytest.mark.parametrize("c", [0, 10**9])
def test_the_constant_may_be_its_bounds(c):
    """Without exploration one move is tried again and again; with much of it, all alike."""
    visits = found_by(five.PlainUCT(simulations=3_000, c=c), position(*BOARDS[0]), 1).visits
    spread = visits[visits > 0]
    assert (spread.max() - spread.min() <= 1) if c else spread.max() > 1_000


def test_a_win_in_one_is_found_and_a_finished_game_is_refused():
    game = Game.from_text("b4a4c4h8d4h6e4h4")
    assert found_by(five.PlainUCT(simulations=20_000), game, 1).name == "f4"
    game.play(five.game.to_point("f4", game.rules))
    with pytest.raises(ValueError, match="the game is over"):
        five.PlainUCT(simulations=5).move(game)
    falling = Game(Rules(7, 4, rows=6, gravity=True))
    found = found_by(five.PlainUCT(simulations=500), falling, 1)
    assert found.visits.sum() == 500 and found.move < 7

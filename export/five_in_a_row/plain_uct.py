# Made from search.ipynb by tools/build.py: change the notebook, not this file.


import math
from functools import lru_cache

import numpy as np

from five_in_a_row.cache import inline_kernel, jit
from five_in_a_row.game import BLACK, EMPTY, WHITE, Rules, check_number
from five_in_a_row.mcts import SearchPlayer, SearchResult
from five_in_a_row.search import (
    COMPLETE,
    HALF,
    OPEN,
    RANGES,
    Kernels,
    SearchOptions,
    Tree,
    TreeNode,
    check_options,
    new_records,
    new_search,
    plain_kernels,
    search_once,
)


# ---- How to know who wins a random game without playing it ----------------------------------


# by Search · random bits, the state of plain UCT, is there a line among these points?
GAMMA, MIX, REMIX = (
    np.uint64(each) for each in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)
RUNS_1, RUNS_2, RUNS_4, BYTES = (np.uint64((2**64 - 1) // each) for each in (3, 5, 17, 255))
ZERO, BIT, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)


@jit
def bit_of(point):
    """Return the bit of a point in its word, which is number point // 64."""
    return BIT << np.uint64(point & 63)


@jit
def popcount(x):
    """Return how many bits of a uint64 are set; the compiler makes one instruction of it."""
    x -= x >> BIT & RUNS_1
    x = (x & RUNS_2) + (x >> np.uint64(2) & RUNS_2)
    x = x + (x >> np.uint64(4)) & RUNS_4
    return np.int64(x * BYTES >> np.uint64(56))


@jit
def random_bits(state):
    """Return 64 random bits; state.random, uint64, moves on.

    Source: Steele, Lea and Flood 2014 (SplitMix).
    """
    state.random += GAMMA
    x = state.random
    x = (x ^ x >> np.uint64(30)) * MIX
    x = (x ^ x >> np.uint64(27)) * REMIX
    return x ^ x >> np.uint64(31)


VISITS, REWARD, LINK = 0, 1, 2  # of a child: N, twice W, and the node that it has become


def words_for(rules: Rules) -> int:
    """Return how many integers of 64 bits hold a bit for each point of the board."""
    return -(-rules.points // 64)


@lru_cache
def plain_records(rules: Rules) -> tuple[np.dtype, np.dtype, np.dtype]:
    """Return the records of plain UCT on a board of these rules: state, BITS and ROWS."""
    word, points = np.uint64, rules.points
    some = words_for(rules)  # a set of points; 2 of them: stones of black and of white
    state = [(name, word, (2, some)) for name in ("root", "stones", "low", "own", "part")]
    state += [
        ("board", word, some),  # all points
        ("starts", word, (4, some)),  # where a line may begin, of each way
        ("later", word, some),
        ("run", word, some + 3),
        ("random", word),
        ("c", np.float64),  # exploration constant of UCB
        ("mover", np.int64),  # at the root: 0 black, 1 white
        ("empty", np.int64),  # points at the root
        ("unused", np.int64, 2),  # the first node in bits, and in rows, that is not taken yet
        ("path", np.int32, (402, 2)),  # of the walk: a node in rows, and the point played
    ]
    bits = [(name, word, some) for name in ("tried", "won", "drawn")]  # by who moves here
    rows = [
        ("scale", np.float32),  # UCB as it is compared: scale * Q + explore / sqrt(N)
        ("explore", np.float32),
        ("Q", np.float32, points),
        ("inv_sqrt", np.float32, points),
        ("child", np.int32, (points, 3)),
    ]
    return tuple(np.dtype(fields, align=True) for fields in (state, bits, rows))


def new_plain_state(game, options: SearchOptions) -> np.record:
    """Return the state of plain UCT at the position of a game."""
    rules, cells = game.rules, game.array.ravel()
    state = np.zeros(1, plain_records(rules)[0]).view(np.recarray)[0]
    column = np.arange(rules.points) % rules.size

    def to_words(points):
        bits = np.zeros(64 * words_for(rules), bool)
        bits[: rules.points] = points
        return np.packbits(bits, bitorder="little").view(np.uint64)

    to_right = to_words(column <= rules.size - rules.in_a_row)
    to_left = to_words(column >= rules.in_a_row - 1)
    state.board[:] = board = to_words(True)
    state.starts[:] = to_right, board, to_right, to_left
    state.root[:] = to_words(cells == BLACK), to_words(cells == WHITE)
    state.mover, state.empty = game.to_move == WHITE, np.sum(cells == EMPTY)
    state.random, state.c, state.unused[:] = options.seed, options.c_uct, 1
    return state


@lru_cache
def build_has_line(rules):
    """Return has_line(state, stones): do these points, uint64[words], hold a line?"""
    in_a_row, words = rules.in_a_row, words_for(rules)
    steps = 1, rules.size, rules.size + 1, rules.size - 1

    @inline_kernel
    def has_line(state, stones):
        run, found = state.run, ZERO
        for way in range(4):
            for w in range(words):
                run[w] = stones[w]
            length = 1
            while length < in_a_row:  # runs of 2, of 4, then of all
                more = min(length, in_a_row - length)
                skip, shift = divmod(more * steps[way], 64)
                for w in range(words):
                    moved = run[w + skip] >> np.uint64(shift)
                    if words > 1:
                        moved |= run[w + skip + 1] << BIT << np.uint64(63 - shift)
                    run[w] &= moved
                length += more
            for w in range(words):
                found |= run[w] & state.starts[way, w]
        return found != ZERO

    return has_line


# by Search · who wins a random game, without playing it
FEW = 8  # points that are dealt all at once
DENSE = 100  # on a board of so many points or fewer, 3/4 of the rest are dealt; else 1/2


@lru_cache
def build_random_result(rules):
    """Return random_result(state, mover): 2 if the mover wins a random game, 1 draws, 0.

    It goes on from state.stones, where nobody has a line.
    """
    words, dense, has_line = words_for(rules), rules.points <= DENSE, build_has_line(rules)

    @inline_kernel
    def deal(state):
        """Deal a part of the points that are left; return how many were left."""
        own, later, left = state.own, state.later, 0
        for w in range(words):
            left += popcount(later[w])
        for w in range(words):
            own[0, w] = later[w]
            if left > FEW:
                own[0, w] &= random_bits(state) | (random_bits(state) if dense else ZERO)
            later[w] ^= own[0, w]
            own[1, w] = own[0, w]
        return left

    @inline_kernel
    def split(state, first, other):
        """Draw state.part, where `first` has as many as the other side, or one more: the lead.

        other   a point of both sides goes to one of them: all bits; each has its own: none
        """
        own, part, lead = state.own, state.part, -1
        while lead != 0 and lead != 1:
            lead = 0
            for w in range(words):
                half = random_bits(state)
                part[0, w], part[1, w] = own[0, w] & half, own[1, w] & (half ^ other)
                lead += popcount(part[first, w]) - popcount(part[1 - first, w])
        return lead

    @inline_kernel
    def random_result(state, mover):
        low, own, part, first, other = state.low, state.own, state.part, mover, ALL
        for w in range(words):
            low[0, w], low[1, w] = state.stones[0, w], state.stones[1, w]
            state.later[w] = state.board[w] & ~(low[0, w] | low[1, w])
        while True:
            if other == ALL and deal(state) == 0:
                return 1
            lead = split(state, first, other)
            for side in range(2):
                for w in range(words):
                    part[side, w] |= low[side, w]
            black, white = has_line(state, part[0]), has_line(state, part[1])
            if black != white:
                return 2 if white == mover else 0
            if black:
                other = ZERO
            else:
                first ^= lead  # an odd number of stones passes the turn
            for side in range(2):
                for w in range(words):
                    if black:  # look between low and part
                        own[side, w] = part[side, w] ^ low[side, w]
                    else:  # look behind part
                        own[side, w] &= ~part[side, w]
                        low[side, w] = part[side, w]

    return random_result


# ---- The tree in bits -----------------------------------------------------------------------


# by Search · children as bits; select, without a branch; a result goes up the path
@lru_cache
def build_bits(rules):
    """Return count_tried(node), pick(state, node) -> point, unpack(rows, node)."""
    words, points = words_for(rules), rules.points

    @inline_kernel
    def count_tried(node):
        tried = 0
        for w in range(words):
            tried += popcount(node.tried[w])
        return tried

    @inline_kernel
    def pick(state, node):
        """Return a random empty point that a node has not tried."""
        stones = state.stones
        while True:
            point = np.int64((random_bits(state) >> HALF) * np.uint64(points) >> HALF)
            w = point >> 6
            if (stones[0, w] | stones[1, w] | node.tried[w]) & bit_of(point) == 0:
                return point

    @inline_kernel
    def unpack(rows, node):
        """Fill a node in rows with the children of a node in bits; other points lose."""
        for point in range(points):
            w, bit, child = point >> 6, bit_of(point), rows.child[point]
            child[VISITS], child[LINK] = node.tried[w] & bit != 0, 0
            child[REWARD] = 2 * (node.won[w] & bit != 0) + (node.drawn[w] & bit != 0)
            rows.Q[point] = child[REWARD] / 2 if child[VISITS] else -1
            rows.inv_sqrt[point] = child[VISITS]

    return count_tried, pick, unpack


@lru_cache
def build_scan(rules):
    """Return weigh(state, rows, visits), and scan(state, rows) -> the point of highest UCB."""
    points = rules.points
    bits = max(6, (points - 1).bit_length())
    top, mask = 2.0 ** (30 - bits), 2**bits - 1

    @inline_kernel
    def weigh(state, rows, visits):
        """Note the exploration for a node with so many visits, so that UCB is at most top."""
        exploration = state.c * math.sqrt(math.log(visits))
        rows.scale = top / (1 + exploration)
        rows.explore = rows.scale * exploration

    @inline_kernel
    def scan(state, rows):
        scale, explore, Q, inv_sqrt = rows.scale, rows.explore, rows.Q, rows.inv_sqrt
        draw = random_bits(state)
        odd, add = np.int32(draw & np.uint64(mask) | BIT), np.int32(draw >> HALF) & mask
        best = np.int32(-(2**31))
        for point in range(points):
            chance = np.int32(point) * odd + add & mask  # decides between equals
            score = np.int32(Q[point] * scale + inv_sqrt[point] * explore)
            best = max(best, np.int32(score << bits | chance))
        inverse = odd
        for _ in range(3):  # odd * inverse is 1, modulo 2 ** bits
            inverse *= 2 - odd * inverse
        return ((best & mask) - add) * inverse & mask

    return weigh, scan


@lru_cache
def build_plain_steps(rules, random_result):
    """Return visit(state, node, mover), plain_backpropagate(state, rows, depth, reward)."""
    has_line = build_has_line(rules)
    weigh, _ = build_scan(rules)
    _, pick, _ = build_bits(rules)

    @inline_kernel
    def visit(state, node, mover):
        """Try a move of a node in bits; return its reward for who moved into the node."""
        point = pick(state, node)
        w, bit, reward = point >> 6, bit_of(point), 0
        state.stones[mover, w] |= bit
        if not has_line(state, state.stones[mover]):
            reward = random_result(state, 1 - mover)
        node.tried[w] |= bit
        if reward == 0:
            node.won[w] |= bit
        elif reward == 1:
            node.drawn[w] |= bit
        return reward

    @inline_kernel
    def plain_backpropagate(state, rows, depth, reward):
        """Add a reward, for who moved into the last node, to all children on the path."""
        below = 0
        for d in range(depth, -1, -1):
            at, point = np.int64(state.path[d, 0]), np.int64(state.path[d, 1])
            child = rows[at].child[point]
            child[VISITS] += 1
            child[REWARD] += reward
            visits = np.float32(child[VISITS])
            rows[at].Q[point] = np.float32(0.5) * np.float32(child[REWARD]) / visits
            rows[at].inv_sqrt[point] = np.float32(1) / math.sqrt(visits)
            if below > 0:
                weigh(state, rows[below], child[VISITS])
            below, reward = at, 2 - reward

    return visit, plain_backpropagate


# by Search · plain UCT: the loop, its tree, and its nodes as people read them
@lru_cache
def build_plain_search(rules, random_result=None):
    """Return plain_walks(state, bits, rows, simulations), compiled for a board.

    It returns how many simulations it made: fewer than asked where no node is left to take.
    rows[0] has one child, the root.
    random_result   who wins a random game; None: as build_random_result finds it
    """
    random_result = random_result or build_random_result(rules)
    words, has_line = words_for(rules), build_has_line(rules)
    weigh, scan = build_scan(rules)
    count_tried, _, unpack = build_bits(rules)
    visit, plain_backpropagate = build_plain_steps(rules, random_result)

    def plain_walks(state, bits, rows, simulations):
        stones, path, unused = state.stones, state.path, state.unused
        for done in range(simulations):
            for w in range(words):
                stones[0, w], stones[1, w] = state.root[0, w], state.root[1, w]
            mover, depth, at, point = state.mover, 0, np.int64(0), np.int64(0)
            path[0, 0], path[0, 1] = 0, 0
            node = np.int64(rows[0].child[0, LINK])  # below 0: in rows; above: in bits
            while node != 0:
                if node > 0:
                    if count_tried(bits[node]) < state.empty - depth:
                        break
                    if unused[1] == rows.size:
                        return done
                    unpack(rows[unused[1]], bits[node])
                    weigh(state, rows[unused[1]], rows[at].child[point, VISITS])
                    node = -unused[1]
                    unused[1] += 1
                    rows[at].child[point, LINK] = node
                at = -node
                point = np.int64(scan(state, rows[at]))
                stones[mover, point >> 6] |= bit_of(point)
                mover, depth = 1 - mover, depth + 1
                path[depth, 0], path[depth, 1] = at, point
                node = np.int64(rows[at].child[point, LINK])
            if node == 0 and (depth == state.empty or has_line(state, stones[1 - mover])):
                reward = rows[at].child[point, REWARD] // rows[at].child[point, VISITS]
            else:
                if node == 0:  # here for the second time
                    node = unused[0]
                    if node == bits.size:
                        return done
                    unused[0] += 1
                    bits[node].tried[:] = bits[node].won[:] = bits[node].drawn[:] = 0
                    rows[at].child[point, LINK] = node
                reward = visit(state, bits[node], mover)
            plain_backpropagate(state, rows, depth, np.int64(reward))
        return simulations

    return jit(plain_walks)


class PlainNode(TreeNode):
    """A TreeNode read from bits and rows: N, W, Q, move, children, best(), line()."""

    def __init__(self, tree: "PlainTree", point: int, visits: int, reward: int, link: int):
        self.tree, self.point, self.size, self.link = tree, point, tree.rules.size, link
        self.N, self.W = visits, reward / 2
        self.Q = self.W / visits if visits else math.nan
        self.status = COMPLETE if link < 0 else OPEN

    @property
    def children(self) -> list["PlainNode"]:
        """The visited children, most visited first."""
        found = []
        if self.link < 0:
            child = self.tree.rows["child"][-self.link].tolist()
            found = [(point, *row) for point, row in enumerate(child) if row[VISITS]]
        elif self.link > 0:
            node = self.tree.bits[self.link]
            tried, won, drawn = (
                np.unpackbits(node[name].view(np.uint8), bitorder="little").tolist()
                for name in ("tried", "won", "drawn")
            )
            found = [(p, 1, 2 * won[p] + drawn[p], 0) for p in range(len(tried)) if tried[p]]
        nodes = [PlainNode(self.tree, *each) for each in found]
        return sorted(nodes, key=lambda node: -node.N)


class PlainTree:
    """A search of plain UCT that can be asked and stopped, as a Tree is.

    bits, rows   its nodes: those whose moves are not all tried yet, and the others
    """

    def __init__(self, game, kernels: Kernels, options: SearchOptions, records: int):
        self.rules, self.kernels, self.options = game.rules, kernels, check_options(options)
        self.places = np.arange(game.rules.points)
        self.workspace = new_search(kernels, game, options.seed)  # for a move without a search
        self.state = new_plain_state(game, self.options)
        _, bits, rows = plain_records(game.rules)
        most = self.options.memory // 2  # bytes for the nodes of either kind
        self.bits, self.rows = (
            new_records(max(3, min(count, most // kind.itemsize)), kind).view(np.recarray)
            for count, kind in ((records, bits), (records // 16, rows))
        )
        self._search = build_plain_search(game.rules)
        self.run(0)  # compile now: it is not thinking time

    def run(self, simulations: int) -> int:
        """Make that many simulations; return how many.

        Where no node is left, all below the moves of the root is forgotten, not their visits.
        """
        left = simulations - self._search(self.state, self.bits, self.rows, simulations)
        while left > 0:
            self.rows["child"][1, :, LINK] = 0  # of the root: its node is the first taken
            self.state.unused[:] = 1, 2
            left -= self._search(self.state, self.bits, self.rows, left)
        return simulations

    @property
    def root(self) -> PlainNode:
        """The root, as a PlainNode; its move is none."""
        return PlainNode(self, -1, *self.rows["child"][0, 0].tolist())


# ---- Players --------------------------------------------------------------------------------


# by Search · plain UCT as a player
def plain_tree(game, kernels: Kernels, options: SearchOptions, records: int):
    """Return the tree in which PlainUCT searches: the one of all games where stones fall."""
    kind = Tree if game.rules.gravity else PlainTree
    return kind(game, kernels, options, records)


class PlainUCT(SearchPlayer):
    """UCT over every empty point, with no knowledge of shapes; c of UCB."""

    name = "plain UCT"

    def __init__(self, *, seconds=None, simulations=None, c: float = 0.5):
        super().__init__(seconds=seconds, simulations=simulations)
        self.options = SearchOptions(solve=False, c_uct=check_number("c", c, *RANGES["c_uct"]))
        if c != 0.5:
            self.settings["c"] = c

    def search(self, game, **asked) -> SearchResult:
        """Return what UCT finds."""
        return search_once(game, plain_kernels, self.options, tree_of=plain_tree, **asked)

# Made from search.ipynb by tools/build.py: change the notebook, not this file.


import math
import mmap
import time
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numba import typeof

from five_in_a_row.cache import inline_kernel, jit, made_once
from five_in_a_row.game import (
    BLACK,
    DIRECTIONS,
    EMPTY,
    Game,
    Rules,
    check_functions,
    check_number,
    check_stop,
    check_switch,
    check_unfinished,
    point_name,
    quoted,
    winning_line,
)
from five_in_a_row.mcts import SearchPlayer, SearchResult, check_limits, check_seed


# ---- A tree in one array --------------------------------------------------------------------


# by Search · one record a node
OPEN, COMPLETE = 0, 1  # more moves may be added; no more moves
SAFE = -1  # open, and no move lets the other side win by force at once
LOST, DRAWN, WON = 2, 3, 4  # decided, for the player who moved into the node

NODE = np.dtype(
    [
        ("first_child", np.int32),  # index of the first child; children are neighbours
        ("N", np.int32),  # visits
        ("W64", np.int32),  # 64 times the summed reward of the player who moved into this node
        ("inv_sqrt", np.float32),  # 1 / sqrt(N)
        ("move", np.int16),  # the point played into this node, -1 at the root
        ("num_children", np.int16),  # children that have a record
        ("num_visited", np.int16),  # children visited at least once; they come first
        ("status", np.int8),  # SAFE, OPEN, COMPLETE, LOST, DRAWN or WON
        ("prior", np.uint8),  # how promising the move looked before any visit
    ],
    align=True,
)


# ---- The loop -------------------------------------------------------------------------------


# by Search · select, expand, backpropagate, and the loop that joins them
@jit
def ucb_kernel(workspace, tree, node, untried, options):
    """Return the index of the child to visit, `untried` first; 0 if there is none.

    untried   index of a child without visits, or 0; the children before it have visits
    Source: Kocsis and Szepesvári 2006, with the exploration constant in front.
    """
    if untried > 0:
        return untried
    first = np.int64(tree[node].first_child)
    children = tree[first : first + tree[node].num_visited]
    exploration = np.float32(options.c_uct * math.sqrt(math.log(tree[node].N)))
    unit, best, chosen, ties = np.float32(1 / 64), np.float32(-1.0), -first, 1
    for i in range(children.size):
        r = children[i].inv_sqrt
        score = r * (unit * np.float32(children[i].W64) * r + exploration)
        if score >= best:
            if options.solve and is_settled(children[i].status, tree[node].N):
                continue  # asked last: few children come so far
            ties = 1 if score > best else ties + 1
            if ties == 1 or random_below(workspace, ties) == 0:
                best, chosen = score, i
    return first + chosen


@jit
def proven_status(tree, node):
    """Return LOST, DRAWN or WON if the children decide it so, or OPEN.

    For the player to move: LOST if every child is lost for that player, and so on.
    """
    worst = LOST
    for child in tree[
        tree[node].first_child : tree[node].first_child + tree[node].num_children
    ]:
        if child.status <= COMPLETE:
            worst = OPEN
        elif child.status == DRAWN and worst == LOST:
            worst = DRAWN
        elif child.status == WON:
            return WON
    return worst


@jit
def backup_proof(tree, path, depth):
    """Decide the nodes of path[:depth] as far as the decided node path[depth] decides them."""
    for i in range(depth - 1, -1, -1):
        node = tree[path[i]]
        best = proven_status(tree, path[i])  # of the moves, for the player to move
        if best == OPEN or best != WON and node.status != COMPLETE:
            return
        node.status = LOST + WON - best  # for the player who moved into the node


@jit
def is_settled(status, visits):
    """True if a child of that status is not worth this visit of its parent."""
    return status == LOST or (status == DRAWN and visits & 1 == 1)


def new_records(count: int, kind: np.dtype) -> np.ndarray:
    """Return an array of that many records of a kind, all zeros."""
    # np.zeros may reuse memory of an earlier search, and then clears all of it at once. The
    # system clears a page when it is first touched, and a short search touches few.
    return np.frombuffer(mmap.mmap(-1, count * kind.itemsize), kind)


def empty_tree(records: int) -> np.ndarray:
    """Return an array of that many NODE records, with the root in the first."""
    tree = new_records(records, NODE)
    tree["move"][0] = -1
    return tree


class TreeNode:
    """A read-only view of one record of the tree; `size` gives its move a name.

    places   of the tree's points on the board of the game, see first_turning; None: the same
    """

    def __init__(self, tree: np.ndarray, index: int = 0, size: int = 8, places=None):
        self.tree, self.index, self.size, self.places = tree, index, size, places
        self.N = int(tree["N"][index])  # visits
        self.W = int(tree["W64"][index]) / 64  # summed reward of the player who moved here
        self.Q = self.W / self.N if self.N else math.nan  # value, 0...1
        self.point = int(tree["move"][index])
        if places is not None and self.point >= 0:
            self.point = int(places[self.point])
        self.status = int(tree["status"][index])
        self.prior = (int(tree["prior"][index]) / 255) ** 2  # 0 where the game has none

    @property
    def move(self) -> str:
        """The name of the move that led here; "" at the root."""
        return point_name(self.point, self.size) if self.point >= 0 else ""

    @property
    def children(self) -> list["TreeNode"]:
        """The visited children, most visited first."""
        first, tried = (
            int(self.tree["first_child"][self.index]),
            int(self.tree["num_visited"][self.index]),
        )
        nodes = [
            TreeNode(self.tree, i, self.size, self.places) for i in range(first, first + tried)
        ]
        nodes = [node for node in nodes if node.N]  # one may just be visited
        return sorted(nodes, key=lambda node: -node.N)

    def best(self) -> "TreeNode | None":
        """The child to play: one that wins, or the most visited that is not lost, or None."""
        ranks = {WON: 2, LOST: 0}  # children come most visited first, and max takes the first
        return max(self.children, key=lambda node: ranks.get(node.status, 1), default=None)

    def line(self) -> list[int]:
        """The points of the expected line from here on."""
        best = self.best()
        return [best.point, *best.line()] if best else []

    def __repr__(self) -> str:
        return f"<TreeNode {self.move or 'root'}: N={self.N}, W={self.W:g}, Q={self.Q:.3f}>"


@jit
def grow(tree, workspace, node, count):
    """Move a node's children to a block of `count` records; False if the tree is full.

    workspace.free_list   int32[512]: [0] first unused record, [k] first free block of k
                          records, or 0
    workspace.moves, .priors   of all the children, those it has first
    """
    free_list = workspace.free_list
    first = np.int64(free_list[count])
    if first > 0:  # a block of that size is free
        free_list[count] = tree[first].first_child
    else:
        first = np.int64(free_list[0])
        if first + count > tree.size:
            return False
        free_list[0] += count
    old, had = np.int64(tree[node].first_child), np.int64(tree[node].num_children)
    for i in range(had):
        tree[first + i] = tree[old + i]
    for i in range(had, count):
        child = tree[first + i]
        child.first_child = child.N = child.W64 = child.num_children = child.num_visited = (
            child.status
        ) = 0
        child.move, child.prior = workspace.moves[i], workspace.priors[i]
    if had > 0:
        tree[old].first_child = free_list[had]
        free_list[had] = old
    tree[node].first_child, tree[node].num_children = first, count
    return True


@lru_cache
def build_untried(gravity):
    """Return the `legal` kernel of plain search: every legal move, in random order."""

    @inline_kernel
    def untried(workspace, had, want, options):
        """Append up to `want` legal moves to workspace.moves[:had]; return the new length."""
        board, geo = workspace.board, workspace.geo
        taken, free = workspace.scores, board.empty - had
        for row in range(geo.rows):
            taken[row] = board.stones[row] | board.stones[geo.half + row]
        if gravity:  # a point above an empty one is taken as well; count what is left
            free = -had
            for row in range(geo.rows - 1, 0, -1):
                taken[row] |= ~taken[row - 1]
            for point in range(geo.points):
                free += taken[geo.row[point]] & geo.bit[point] == 0
        for i in range(had):
            taken[geo.row[workspace.moves[i]]] |= geo.bit[workspace.moves[i]]
        length = had + min(want, free)
        while had < length:
            point = random_below(workspace, geo.points)
            if taken[geo.row[point]] & geo.bit[point] == 0:
                taken[geo.row[point]] |= geo.bit[point]
                workspace.moves[had] = point
                had += 1
        return length

    return untried


def build_add_children(game):
    """Return add_children(workspace, tree, node, options) -> True if there is a new child."""
    batch, best_first, more_moves = game.batch, game.best_first, game.legal

    @inline_kernel
    def add_children(workspace, tree, node, options):
        record, limit = tree[node], workspace.order.size
        count = np.int64(record.num_children)
        if best_first and options.max_children < limit:
            if not (count >= options.max_children and proven_status(tree, node) == LOST):
                limit = options.max_children
        size = min(limit, max(batch, count + count // 3 + 1))
        if size <= count:
            return False
        if workspace.free_list[size] == 0 and workspace.free_list[0] + size > tree.size:
            workspace.full = 1
            return False
        for i in range(count):
            workspace.moves[i] = tree[record.first_child + i].move
            workspace.priors[i] = tree[record.first_child + i].prior
        workspace.complete = workspace.safe = 0
        found = more_moves(workspace, count, size - count, options)
        if found > count and not grow(tree, workspace, node, found):
            return False
        if found < size or workspace.complete:  # the game has no more
            record.status = COMPLETE
        elif workspace.safe:
            record.status = SAFE
        return found > count

    return add_children


def build_expand(game):
    """Return expand(workspace, tree, node, options) -> a child without visits, or 0."""
    add_children = build_add_children(game)

    @inline_kernel
    def expand(workspace, tree, node, options):
        record = tree[node]
        if record.num_visited == record.num_children:  # none in stock
            if record.status >= COMPLETE or not add_children(workspace, tree, node, options):
                return np.int64(0)
        return np.int64(record.first_child + record.num_visited)

    return expand


@jit
def backpropagate_kernel(tree, path, depth, reward):
    """Add one result to every node on path[:depth + 1], changing side at each ply.

    path     int32[]   node indices, root first
    reward   64 a win, 32 a draw, 0 a loss, for the player who moved into path[depth]
    A node that is decided takes its own result: 64, 32 or 0.
    Source: Browne et al. 2012, Algorithm 3 (negamax backup).
    """
    for i in range(depth, -1, -1):
        node = tree[path[i]]
        if node.status >= LOST:
            reward = (np.int64(node.status) - LOST) * 32
        node.N += 1
        node.W64 += reward
        node.inv_sqrt = np.float32(1.0) / math.sqrt(np.float32(node.N))
        reward = 64 - reward


def build_walk(game, select, expand):
    """Return walk(workspace, tree, options) -> (node, depth, fresh), by workspace.path."""
    reset, apply = game.reset, game.apply

    @inline_kernel
    def walk(workspace, tree, options):
        reset(workspace)
        node, depth, fresh = np.int64(0), 0, False
        workspace.path[0] = 0
        while tree[node].status <= COMPLETE and not fresh:
            child = select(
                workspace, tree, node, expand(workspace, tree, node, options), options
            )
            if child == 0:  # no child to visit
                best = proven_status(tree, node) if options.solve else OPEN
                if tree[node].status == COMPLETE and best != OPEN:
                    tree[node].status = LOST + WON - best
                break  # decided, or to be played out from here
            workspace.safe = tree[node].status == SAFE
            fresh = tree[child].N == 0
            tree[node].num_visited += fresh
            apply(workspace, np.int64(tree[child].move))
            depth, node = depth + 1, child
            workspace.path[depth] = node
        return node, depth, fresh

    return walk


def build_search(game, select=None, expand=None):
    """Return search(workspace, tree, options, simulations), compiled for a game and a policy.

    It returns how many simulations it made: fewer than asked once the root is decided. A full
    tree grows no further; its leaves are then played out again, or the run ends after the
    simulation that filled it if workspace.stop_when_full is 1. The search holds no lock, so
    other threads go on.
    """
    expand, select = expand or build_expand(game), select or game.select or ucb_kernel
    walk, terminal, look = build_walk(game, select, expand), game.terminal, game.look
    reset, mover, rollout = game.reset, game.mover, game.rollout

    def search(workspace, tree, options, simulations):
        if workspace.begun == 0:
            workspace.begun = 1
            reset(workspace)
            if tree[0].status <= COMPLETE and look(workspace, options):
                tree[0].status = LOST  # the player to move wins by force
        for done in range(simulations):
            if tree[0].status >= LOST or workspace.full & workspace.stop_when_full:
                return done
            node, depth, fresh = walk(workspace, tree, options)
            if fresh:
                tree[node].status = terminal(workspace, options)
            reward = 0
            if tree[node].status <= COMPLETE:
                moved = -mover(workspace)  # who moved into this node
                reward = np.int64(32.5 + 32.0 * moved * rollout(workspace))
            elif options.solve:
                backup_proof(tree, workspace.path, depth)
            backpropagate_kernel(tree, workspace.path, depth, reward)
        return simulations

    return jit(search)


# by Rules · the records of a board and of its geometry, and how they are filled
BOARD = np.dtype(
    [
        ("stones", np.int32, 56),  # rows of black, then of white; bit `col` is a stone
        ("near", np.int32, 28),  # points near a stone; row r is near[r + 4]
        ("lines", np.int64, 118),  # every line of the board, two bits a point
        ("start", np.int64),  # where the mover's rows begin in `stones`: 0 or half
        ("empty", np.int64),  # empty points left
    ],
    align=True,
)


GEOMETRY = np.dtype(
    [
        ("row", np.uint16, 400),  # of each point
        ("bit", np.int32, 400),  # of each point: 1 << column
        ("line", np.uint16, (400, 4)),  # the four lines through each point
        ("shift", np.int64, (400, 4)),  # its place on each of them, in bits
        ("step", np.int64, 4),  # from a point to the next one on each of them
        ("size", np.int64),
        ("rows", np.int64),
        ("points", np.int64),
        ("half", np.int64),  # rows of one colour, with empty rows between black and white
    ],
    align=True,
)


EDGE = 4  # cells beyond each end of a line, so that a window of nine always fits


def set_geometry(geo, rules: Rules) -> None:
    """Fill a GEOMETRY record for a board of these rules."""
    size, rows = rules.size, rules.height
    geo["size"], geo["rows"], geo["points"] = size, rows, rules.points
    geo["half"] = rows + rules.in_a_row - 1
    geo["step"] = [d_row * size + d_col for d_row, d_col in DIRECTIONS]
    row, col = np.divmod(np.arange(rules.points), size)
    geo["row"][: rules.points], geo["bit"][: rules.points] = row, 1 << col
    diagonals = rows + size - 1
    geo["line"][: rules.points] = np.stack(
        [row, rows + col, rows + col - row + diagonals, rows + size + diagonals + row + col], 1
    )
    geo["shift"][: rules.points] = 2 * np.stack(
        [col, row, np.minimum(row, col), np.minimum(row, size - 1 - col)], 1
    )


@jit
def mark_near(near, point, size):
    """Add to `near`, int32[rows + 8], the circle around a stone: 9 rows."""
    row, col = divmod(np.int64(point), size)
    full = (1 << size) - 1
    for step in range(-4, 5):
        reach = 4 if abs(step) < 2 else 3 if abs(step) < 4 else 1  # step² + reach² <= 18
        disc = ((1 << (2 * reach + 1)) - 1) << (col + 4 - reach)
        near[row + step + 4] |= np.int32(disc >> 4 & full)


@jit
def set_board(board, geo, cells, to_move):
    """Fill a BOARD record, zeros so far, with a position.

    cells   int8[points]   +1 black, -1 white, 0 empty; to_move +1 or -1
    """
    for i in range(board.lines.size):
        board.lines[i] = -1
    board.start = 0 if to_move == BLACK else geo.half
    for point in range(geo.points):
        cell = np.int64(cells[point])
        for d in range(4):
            shift = geo.shift[point, d] + 2 * EDGE
            line = board.lines[geo.line[point, d]] & ~(3 << shift)  # no edge here
            board.lines[geo.line[point, d]] = line | (cell % 3) << shift
        if cell == 0:
            board.empty += 1
        else:
            start = 0 if cell == BLACK else geo.half
            board.stones[start + geo.row[point]] |= geo.bit[point]
            mark_near(board.near, point, geo.size)


# by Search · options, random numbers that repeat, what a game is, all that one search owns
class SearchOptions(NamedTuple):
    """What the search depends on; change one with options._replace(c_uct=1.0)."""

    c_uct: float = 0.5  # exploration constant of UCB, for rewards in 0...1
    c_prior: float = 1.0  # engine: exploration constant of PUCT
    # engine: how much worse than its node an unvisited child counts
    fpu_reduction: float = 0.1
    max_children: int = 400  # children a node may have at first, best score first
    forcing_score: int = 20_000  # a candidate that scores this much is the only one
    solve: bool = True  # prove wins, losses and draws
    vcf_nodes: int = 60  # engine: positions to look at for a win by fours in a node; 0: never
    vct_nodes: int = 400_000  # engine: positions to look at for threats at the root; 0: never
    doubt: float = 0.1  # engine: of a long budget, for each doubt of the favourite; 0: never
    seed: int = 2024  # the whole notebook repeats from this number
    # bytes for the tree and the one that follows it; the root's children always have room
    memory: int = 256_000_000


MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
HALF = np.uint64(32)


@jit
def random_below(workspace, n):
    """Return a random whole number from 0 to n - 1; workspace.random, uint64, moves on."""
    workspace.random = workspace.random * MULTIPLIER + INCREMENT
    return np.int64((workspace.random >> HALF) * np.uint64(n) >> HALF)


@lru_cache
def search_record(board: np.dtype, extra: tuple = ()) -> np.dtype:
    """Return the record of all that one search owns beside its tree; `extra`: more fields."""
    fields = [
        ("root", board),  # the position that is asked about
        ("board", board),  # the one that is played on
        ("geo", GEOMETRY),
        ("order", np.int16, 400),  # the points in random order; rollouts shuffle them on
        ("moves", np.int16, 401),  # a list of moves
        ("scores", np.int32, 401),  # and their scores
        ("priors", np.uint8, 401),  # and how promising they look, for the engine
        ("begun", np.int64),  # 1 once the root has been looked at
        ("full", np.int64),  # 1 once a node found no room for its children
        ("stop_when_full", np.int64),  # 1: the run then ends, so that room can be made
        ("complete", np.int64),  # 1: no move outside the list can be better
        ("safe", np.int64),  # 1: no move lets the other side win by force at once
        ("path", np.int32, 402),  # the nodes of the walk, root first
        ("free_list", np.int32, 512),  # free blocks of the tree, see grow
        ("random", np.uint64),  # state of the random generator, see random_below
        ("win", np.int16, 80),  # a line that wins by force, if one was seen
        ("ply", np.int64),  # its length
    ]
    return np.dtype([*fields, *extra], align=True)


@jit
def reset_stones(workspace):
    """Make workspace.board a copy of workspace.root: the bits that plain search needs."""
    root, board = workspace.root, workspace.board
    for i in range(2 * workspace.geo.half):
        board.stones[i] = root.stones[i]
    board.start, board.empty = root.start, root.empty


@jit
def apply_stones(workspace, point):
    """Put the mover's stone on an empty point and pass the turn."""
    board, geo = workspace.board, workspace.geo
    board.stones[board.start + geo.row[point]] |= geo.bit[point]
    board.start = geo.half - board.start
    board.empty -= 1


@jit
def mover(workspace):
    """Return whose turn it is: +1 black, -1 white."""
    return 1 if workspace.board.start == 0 else -1


@jit
def colour_to_move(workspace):
    """Return the colour to move as the lines hold it: 1 black, 2 white."""
    return 1 if workspace.board.start == 0 else 2


@jit
def no_look(workspace, options):
    """Return False: a plain game has no search for forced wins."""
    return False


class Kernels(NamedTuple):
    """The compiled functions that make a game; workspace: see search_record."""

    board: np.dtype  # the record of one position
    reset: object  # reset(workspace): copy the root position workspace.root to workspace.board
    # apply(workspace, point): put the mover's stone on workspace.board, pass the turn
    apply: object
    # terminal(workspace, options): OPEN, or WON, DRAWN, LOST for who just moved
    terminal: object
    mover: object  # mover(workspace): +1 or -1, whose turn it is on workspace.board
    # legal(workspace, had, want, options): append to workspace.moves[:had], return its length
    legal: object
    # rollout(workspace): finish the game, or evaluate it: +1 black wins, -1 white
    rollout: object
    batch: int = 1  # how many moves to ask for first
    # True: only the best `max_children` become children; False: every move
    best_first: bool = False
    # init_root(workspace): work out what else workspace.root keeps, once; None: nothing
    init_root: object = None
    # look(workspace, options): does the root's player to move win by force?
    look: object = no_look
    select: object = None  # the selection policy; None: ucb_kernel
    rule: str = "UCB"  # the formula that `select` compares: "UCB" or "PUCT"
    turned: bool = False  # True: all turnings of a position are one search, see first_turning
    extra: tuple = ()  # fields that the game adds to the workspace


def new_search(game: Kernels, position: Game, seed: int, places=None) -> np.record:
    """Return the workspace of a search that has not begun; `seed` sets its random state.

    places   of its points on the board of the position, see first_turning; None: the same
    """
    workspace = np.zeros(1, search_record(game.board, game.extra)).view(np.recarray)[0]
    set_geometry(workspace.geo, position.rules)
    cells = position.array.ravel() if places is None else position.array.ravel()[places]
    set_board(workspace.root, workspace.geo, cells, position.to_move)
    if game.init_root is not None:
        game.init_root(workspace)
    workspace.free_list[0] = 1
    shuffle_points(workspace, seed)
    return workspace


@jit
def shuffle_points(workspace, seed):
    """Set the random state, and put the points in a random order."""
    geo = workspace.geo
    workspace.random = np.uint64(seed)
    for _ in range(4):  # spread a small seed over all bits
        random_below(workspace, 2)
    for i in range(geo.points):
        workspace.order[i] = i
    for i in range(geo.points - 1):
        j = i + random_below(workspace, geo.points - i)
        workspace.order[i], workspace.order[j] = workspace.order[j], workspace.order[i]


# by Search · a search tree that can be asked, stopped and continued; its budget
COPIED_AT_ONCE = 10_000  # nodes that get their children between two looks at the clock
EVERY_NODE = 2**62  # more visits than any node has


@jit
def copy_nodes(old, new, done, end, least, stop):
    """Give the nodes new[done:stop] copies of their children; return the new (done, end).

    end     how many nodes stand in `new`; the copies are put behind them
    least   nodes with fewer visits lose their children; new[0] never does
    """
    while done < min(stop, end):
        node = new[done]
        count = np.int64(node.num_children)
        if (done == 0 or node.N >= least) and end + count <= new.size:
            for k in range(count):
                new[end + k] = old[node.first_child + k]
            node.first_child = end
            end += count
        else:
            node.first_child = node.num_children = node.num_visited = 0
            if node.status == COMPLETE:
                node.status = OPEN
        done += 1
    return done, end


def copy_subtree(old, node, new, least=0, go_on=lambda: True) -> int:
    """Copy a node and what is below it to the beginning of `new`; return how many nodes.

    least   nodes with fewer visits are copied without their children, but for the first
    go_on   asked after COPIED_AT_ONCE nodes; once it is False, all that follow become leaves
    """
    new[0], done, end = old[node], 0, 1
    new["move"][0] = -1
    while done < end:
        done, end = copy_nodes(old, new, done, end, least, done + COPIED_AT_ONCE)
        if least < EVERY_NODE and not go_on():
            least = EVERY_NODE
    return end


def first_turning(game: Game) -> np.ndarray:
    """Return the place on the board of the game of each point that is searched, int[points].

    The turnings of a position all give the same stones there, unless the board is no square.
    """
    points = np.arange(game.rules.points).reshape(game.array.shape)
    turned = [np.rot90(each, k) for each in (points, points.T) for k in range(4)]
    same = [each.ravel() for each in turned if each.shape == points.shape]
    cells = game.array.ravel()
    return min(same, key=lambda places: cells[places].tobytes())


class Tree:
    """The search of one position: its workspace, its nodes, the move list of its root.

    places   of its points on the board of the game, see first_turning; None: as kernels ask
    """

    def __init__(
        self, game, kernels: Kernels, options: SearchOptions, records: int, places=None
    ):
        self.rules, self.kernels, self.options = game.rules, kernels, check_options(options)
        self.start, self.played = start_of(game), game.played[:]
        self.cells, self.to_move = game.array, game.to_move
        if places is None:
            places = first_turning(game) if kernels.turned else np.arange(game.rules.points)
        self.places = places
        self.workspace = new_search(kernels, game, options.seed, self.places)
        least = game.rules.points + 2  # the root and all its children
        most = max(int(options.memory) // NODE.itemsize // 2, 4 * least)
        self.nodes = empty_tree(min(max(records, least), most))
        self._search = compiled_search(kernels)
        if not self._search.signatures:  # compile now: it is not thinking time
            kinds = map(typeof, (self.workspace, self.nodes, self.options, 1))
            self._search.compile(tuple(kinds))
            copy_nodes.compile((*[typeof(self.nodes)] * 2, *[typeof(1)] * 4))

    def leads_to(self, game) -> bool:
        """True if the game goes on from the position of this tree."""
        same = game.rules, start_of(game), game.played[: len(self.played)]
        return same == (self.rules, self.start, self.played)

    def run(self, simulations: int) -> int:
        """Make that many simulations, fewer once the root is decided; return how many."""
        return self._search(self.workspace, self.nodes, self.options, simulations)

    @property
    def root(self) -> TreeNode:
        """The root, as a TreeNode."""
        return TreeNode(self.nodes, 0, self.rules.size, self.places)


RANGES = {  # of each option that is a number; all others are True or False
    "c_uct": (0, 10**9),
    "c_prior": (0, 10**9),
    "fpu_reduction": (-math.inf, 10**6),  # -inf: every child is visited once first
    "max_children": (1, 10**9),
    "forcing_score": (0, 2**31 - 1),
    "vcf_nodes": (0, 10**12),
    "vct_nodes": (0, 10**12),
    "doubt": (0, 1),
    "seed": (0, 2**63 - 1),
    "memory": (0, 10**12),
}


def check_options(options: SearchOptions) -> SearchOptions:
    """Return the options with every number as the type of its default: one compiled search.

    Raises ValueError that names an option of another type or outside its range.
    """
    if not isinstance(options, SearchOptions):
        raise ValueError(f"options must be SearchOptions, not {quoted(options)}")
    checked = {}
    for name, usual in SearchOptions()._asdict().items():
        value = getattr(options, name)
        if name in RANGES:
            whole = isinstance(usual, int)
            checked[name] = check_number(name, value, *RANGES[name], whole)
        else:
            checked[name] = check_switch(name, value)
    return SearchOptions(**checked)


def start_of(game: Game) -> tuple[bytes, int]:
    """Return the position a game began from: its stones, and who was to move."""
    cells = game.array
    cells.flat[game.played] = 0
    return cells.tobytes(), game.to_move * (-1) ** len(game.played)


@lru_cache
def compiled_search(kernels: Kernels):
    """Return the search of a game, built once a session."""
    return build_search(kernels)


class Budget(NamedTuple):
    """When to stop: whichever comes first; `stop` is an optional threading.Event."""

    seconds: float = math.inf
    simulations: float = math.inf
    stop: object = None
    clock: object = time.perf_counter

    def records(self) -> int:
        """Return how many node records may be needed."""
        return int(min(40_000 + 2.6 * self.simulations, 40_000 + 8e6 * self.seconds, 1e9))


def goes_on(budget: Budget, begun: float) -> bool:
    """True until the time since `begun` is used up, or the search is stopped."""
    return not is_stopped(budget) and budget.clock() - begun < budget.seconds


def is_stopped(budget: Budget) -> bool:
    """True once another thread has raised the flag of the budget."""
    return budget.stop is not None and budget.stop.is_set()


MOST_VISITS = 2**25 - 1  # of a node: 64 times its reward must fit into 32 bits


def check_budget(
    *, seconds=None, simulations=None, stop=None, clock=time.perf_counter
) -> Budget:
    """Return a Budget, one second if neither is given. ValueError for what is none.

    More simulations than a node can count are no limit beside seconds; alone they are refused.
    """
    check_stop(stop)
    if not callable(clock):
        raise ValueError(f"clock must be a function that tells seconds, not {quoted(clock)}")
    if seconds is None and simulations is None:
        seconds = 1.0
    limits = check_limits(seconds=seconds, simulations=simulations)
    if seconds is None and limits[1] > MOST_VISITS:
        raise ValueError(
            f"simulations must be at most {MOST_VISITS:,}, not {quoted(simulations)}"
        )
    return Budget(*limits, stop, clock)


def next_step(step: int, took: float, target: float) -> int:
    """Return how many simulations should take `target` seconds, at most four times as many."""
    if took <= 0:
        return 4 * step
    return max(1, int(min(4 * step, step * max(target, 0) / took)))


def recycle(tree: Tree, go_on=lambda: True) -> bool:
    """Drop the children of rarely visited nodes until half of the tree's records are free.

    go_on   asked now and then; once it is False the tree is left as it is. Return its answer
    """
    least, nodes = 2, np.empty_like(tree.nodes)
    while (used := copy_subtree(tree.nodes, 0, nodes, least, go_on)) > len(nodes) // 2:
        if least > tree.root.N or not go_on():
            break
        least *= 2
    if not go_on():
        return False
    tree.nodes, tree.workspace.full = nodes, 0
    use_records(tree, used)
    return True


def use_records(tree: Tree, used: int) -> None:
    """Note that the first `used` records of a tree are taken, and all others free."""
    tree.workspace.free_list[:] = 0
    tree.workspace.free_list[0] = used


# ---- The board in bits ----------------------------------------------------------------------


# by Rules · is there a winning line in these rows?
@lru_cache
def build_has_run(in_a_row):
    """Return has_run(stones, start, stop): is there a line of `in_a_row` bits?"""

    @jit
    def has_run(stones, start, stop):
        """True if a winning line begins in rows start to stop - 1 of int32[] `stones`."""
        rows, found = stones[start:], np.int32(0)
        for i in range(stop - start):
            row = rows[i]
            across = up = right = left = row
            for j in range(1, in_a_row):
                other = rows[i + j]
                across &= row >> j
                up &= other
                right &= other >> j
                left &= other << j
            found |= across | up | right | left
        return found != 0

    return has_run


# by Search · has the last to move won?
@lru_cache
def build_terminal(in_a_row):
    """Return terminal(workspace, options): has the last to move won, is the board full?"""
    has_run = build_has_run(in_a_row)

    @inline_kernel
    def terminal(workspace, options):
        board, geo = workspace.board, workspace.geo
        start = geo.half - board.start  # the rows of the player who just moved
        if has_run(board.stones, start, start + geo.rows):
            return WON
        return DRAWN if board.empty == 0 else OPEN

    return terminal


# ---- A look after each batch ----------------------------------------------------------------


# by Search · both have a five: whose was first?
@lru_cache
def build_first_to_win(in_a_row):
    """Return first_to_win(workspace, placed, start): +1 or -1, who first had a line."""
    has_run = build_has_run(in_a_row)

    @inline_kernel
    def first_to_win(workspace, placed, start):
        """The last stones, workspace.moves[:placed], made a line; `start` is to move."""
        geo = workspace.geo
        stones, half, rows = workspace.board.stones, geo.half, geo.rows
        black, white = has_run(stones, 0, rows), has_run(stones, half, half + rows)
        if black != white:
            return 1 if black else -1
        first = half - start if placed & 1 else start  # who placed the first of these stones
        low, high, now = 0, placed, placed  # no line after `low` stones, a line after `high`
        while high - low > 1:
            middle = (low + high) // 2
            for i in range(min(now, middle), max(now, middle)):  # take back, or put back
                rows_of = half - first if i & 1 else first
                stones[rows_of + geo.row[workspace.moves[i]]] ^= geo.bit[workspace.moves[i]]
            now = middle
            if has_run(stones, 0, half + rows):
                high = middle
            else:
                low = middle
        return 1 if (first == 0) == (high & 1 == 1) else -1  # whose stone was number `high`

    return first_to_win


# by Search · simulate: finish the game at random
@lru_cache
def build_rollout(in_a_row):
    """Return the `rollout` kernel for games where stones stay where they are put."""
    has_run, first_to_win = build_has_run(in_a_row), build_first_to_win(in_a_row)

    @inline_kernel
    def rollout(workspace):
        """Play random moves to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        board, geo = workspace.board, workspace.geo
        stones, order, half, start = board.stones, workspace.order, geo.half, board.start
        points, seed, i, one = (
            np.uint64(geo.points),
            workspace.random,
            np.uint64(0),
            np.uint64(1),
        )
        while i < points:
            stop = min(points, i + np.uint64(8) + ((points - i) >> np.uint64(3)))
            placed = 0
            while i < stop:  # Fisher-Yates: swap a random later point to place i
                seed = seed * MULTIPLIER + INCREMENT
                j = i + ((seed >> HALF) * (points - i) >> HALF)
                point = order[j]
                order[j] = order[i]
                order[i] = point
                i += one
                row, bit = np.int64(geo.row[point]), geo.bit[point]
                if (stones[row] | stones[half + row]) & bit == 0:
                    stones[start + row] |= bit
                    start = half - start
                    workspace.moves[placed] = point
                    placed += 1
            if has_run(stones, 0, half + geo.rows):
                workspace.random = seed
                return first_to_win(workspace, placed, start)
        workspace.random = seed
        return 0

    return rollout


# by Search · simulate where stones fall; the kernels of plain search
@lru_cache
def build_falling_rollout(in_a_row):
    """Return the `rollout` kernel for games with gravity."""
    has_run = build_has_run(in_a_row)

    @inline_kernel
    def rollout(workspace):
        """Play random moves to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        board, geo = workspace.board, workspace.geo
        stones, half, start = board.stones, geo.half, board.start
        top = geo.rows - 1
        for _ in range(board.empty):
            bit = np.int32(1 << random_below(workspace, geo.size))
            while (stones[top] | stones[half + top]) & bit != 0:
                bit = np.int32(1 << random_below(workspace, geo.size))
            row = top
            while row > 0 and (stones[row - 1] | stones[half + row - 1]) & bit == 0:
                row -= 1
            stones[start + row] |= bit
            if has_run(stones, start, start + geo.rows):
                return 1 if start == 0 else -1
            start = half - start
        return 0

    return rollout


@made_once
def plain_game(in_a_row: int = 5, gravity: bool = False) -> Kernels:
    """Return the kernels of any game of Rules, with every legal move as a child."""
    rollout = (build_falling_rollout if gravity else build_rollout)(in_a_row)
    terminal = build_terminal(in_a_row)
    return Kernels(
        BOARD, reset_stones, apply_stones, terminal, mover, build_untried(gravity), rollout
    )


# ---- Players --------------------------------------------------------------------------------


# by Search · go on with what is known; from a tree to a result
def advance_root(
    tree: Tree, game: Game, options: SearchOptions, budget: Budget, begun=None
) -> Tree:
    """Return the tree of a later position of the same game, with what is known of it.

    begun   when thinking began, by the budget's clock; None: now
    Raises ValueError if `game` does not go on from the position of this tree.
    """
    if not tree.leads_to(game):
        raise ValueError("this tree belongs to another game, or to a later position")
    begun = budget.clock() if begun is None else begun
    node = tree.root
    for point in game.played[len(tree.played) :]:  # the moves since then
        node = node and next((each for each in node.children if each.point == point), None)
    if node and node.status > COMPLETE:  # it is soon decided again, now with a line
        node = None
    records = budget.records() + 2 * (node.N if node else 0)
    later = Tree(game, tree.kernels, options, records, tree.places)
    if node:
        go_on = partial(goes_on, budget._replace(seconds=budget.seconds / 2), begun)
        use_records(later, copy_subtree(tree.nodes, node.index, later.nodes, 0, go_on))
        # with other random numbers
        shuffle_points(later.workspace, later.options.seed + node.N)
    return later


PROVEN = {LOST: 1, DRAWN: 0, WON: -1}  # the root's status, for the side to move


def line_has_only_fours(tree: Tree, line: list[int]) -> bool:
    """True if every threat of a winning line is a four, up to the end of the line.

    Each answer then stands where the attacker would have made five.
    """
    cells, side = tree.cells.copy(), tree.to_move
    for threat, answer in zip(line[::2], line[1::2], strict=False):
        cells.flat[[threat, answer]] = side
        if len(winning_line(cells, answer, tree.rules.in_a_row)) == 0:
            return False
        cells.flat[answer] = -side
    return True


FULL_COUNT = f"search limit of {MOST_VISITS:,} reached"  # the most visited is played


def first_candidate(tree: Tree) -> int:
    """Return the move that the search would try first: what is played with no time at all."""
    kernels = tree.kernels
    kernels.reset(tree.workspace)
    kernels.legal(tree.workspace, 0, 1, tree.options)
    return int(tree.places[tree.workspace.moves[0]])


def choose_move(tree: Tree) -> tuple[list[int], str]:
    """Return the expected line, the move to play first, and why that move."""
    root, best = tree.root, tree.root.best()
    proven = PROVEN.get(root.status)
    if proven == 1 and (best is None or best.status != WON):  # seen at the root
        line = tree.places[tree.workspace.win[: tree.workspace.ply]].tolist()
        return line, "VCF" if line_has_only_fours(tree, line) else "VCT"
    if best is None:
        return [first_candidate(tree)], "first candidate"
    line = [best.point, *best.line()]
    if proven is not None:
        return line, "proven"
    if root.status == COMPLETE and len(root.children) == 1:
        return line, "only candidate"
    return line, "most visited" if root.N < MOST_VISITS else FULL_COUNT


def read_tree(tree: Tree, simulations: int, seconds: float) -> SearchResult:
    """Return what the tree says now; while it grows in another thread, a moment's view."""
    visits = np.zeros((tree.rules.height, tree.rules.size), np.int64)
    values, scores = np.full(visits.shape, np.nan), np.full(visits.shape, np.nan)
    line, why = choose_move(tree)  # first: what it names has visits below
    root, options, rule = tree.root, tree.options, tree.kernels.rule
    for child in root.children:
        visits.flat[child.point], values.flat[child.point] = child.N, 2 * child.Q - 1
        width = options.c_uct * math.sqrt(math.log(max(1, root.N)) / child.N)
        if rule == "PUCT":
            width = options.c_prior * child.prior * math.sqrt(root.N) / (1 + child.N)
        scores.flat[child.point] = child.Q + width
    found = why, visits, values, scores, simulations, seconds, line, PROVEN.get(root.status)
    return SearchResult(line[0], *found, options.seed, tree, rule)


# by Search · spend a budget in slices of a few milliseconds; moves that need no search
SLICE = 0.004  # seconds between two looks at the clock
REPORT = 0.05  # seconds between two reports of progress


def run_budget(
    tree: Tree, budget: Budget, on_progress=None, begun=None, done=0
) -> tuple[int, float]:
    """Search until the budget ends; return (simulations, seconds since `begun` or now).

    done   simulations that an earlier part of the budget made
    How long the slices are changes nothing of what is found.
    """
    reported = now = budget.clock()
    begun = now if begun is None else begun
    tree.workspace.stop_when_full = 1
    most = min(budget.simulations, done + MOST_VISITS - tree.root.N)
    done, step = done + tree.run(0), 16  # the first call looks for a win by fours
    while done < most:  # one slice at least, so that there is a move
        made = tree.run(int(min(step, most - done)))
        done, before, now = done + made, now, budget.clock()
        left = budget.seconds - (now - begun)
        if tree.root.status > COMPLETE or left <= 0 or is_stopped(budget):
            break
        step = next_step(max(made, 1), now - before, min(SLICE, left))
        if tree.workspace.full and done < most:
            recycle(tree, partial(goes_on, budget, begun))
            now = budget.clock()
        if on_progress and now - reported >= REPORT:
            on_progress(read_tree(tree, done, now - begun))
            reported = now
    return done, now - begun


def winning_points(position: Game, colour: int) -> list[int]:
    """Return the points where a stone of that colour would win at once, in rising order."""
    cells, points = position.array, []
    around = np.lib.stride_tricks.sliding_window_view(np.pad(cells == colour, 1), (3, 3))
    beside = around.any(axis=(2, 3)).ravel()  # a stone of that colour
    for point in position.legal():
        if not beside[point]:
            continue
        cells.flat[point] = colour
        points += [point] if winning_line(cells, point, position.rules.in_a_row) else []
        cells.flat[point] = EMPTY
    return points


def forced_move(position: Game) -> tuple[list[int], str] | None:
    """Return a line whose first move cannot be improved on, and why; None if there is none.

    It wins, or stops a win, or there is no choice.
    """
    if wins := winning_points(position, position.to_move):
        return wins[:1], "five"
    if threats := winning_points(position, -position.to_move):
        return threats[:1], "blocks five"
    if len(position.legal()) == 1:
        return position.legal(), "only move"
    return None


# by Search · search a position once, as one game or another; the course notebook's player
def search_once(
    game, kernels_of, options, *, seed=None, on_progress=None, tree_of=Tree, **budget
) -> SearchResult:
    """Return the SearchResult of one position, searched as the game kernels_of(rules).

    budget    seconds, simulations and stop, as in check_budget
    tree_of   tree_of(game, kernels, options, records): what grows, a Tree or the like
    """
    budget = check_budget(**budget)
    check_functions(on_progress=on_progress)
    check_unfinished(game)
    if seed is not None:
        options = options._replace(seed=check_seed(seed))
    tree = tree_of(game, kernels_of(game.rules), options, budget.records())
    return read_tree(tree, *run_budget(tree, budget, on_progress))


def choose_kernels(rules: Rules, five_game) -> Kernels:
    """Return five in a row as five_game() makes it, and plain search for any other game."""
    if rules.in_a_row == 5 and not rules.gravity:
        return five_game()
    return plain_game(rules.in_a_row, rules.gravity)


def plain_kernels(rules: Rules) -> Kernels:
    """Return the kernels of plain search on a board of these rules."""
    return plain_game(rules.in_a_row, rules.gravity)


def classic_kernels(rules: Rules) -> Kernels:
    """Return the kernels of the course notebook's algorithm on a board of these rules."""
    return choose_kernels(rules, shaped_game)


CLASSIC = SearchOptions(max_children=5, forcing_score=2000, solve=False)


def think_classic(game, *, level=None, **asked) -> SearchResult:
    """Return what the course notebook's algorithm finds, hard cut included.

    The best five candidates are kept; if the best scores 2000 or more, it alone.
    The arguments are those of search_once; it knows no levels.
    """
    return search_once(game, classic_kernels, CLASSIC, **asked)


class Classic(SearchPlayer):
    """The course notebook's algorithm; see think_classic."""

    name = "classic"

    def search(self, game, **asked) -> SearchResult:
        """Return what think_classic finds."""
        return think_classic(game, **asked)


# ---- Candidates by table --------------------------------------------------------------------


# by Heuristics · the shape of every line code, and the score of every sum of four
NONE, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
SCORED = (OPEN_TWO, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)  # the shapes of the table above
TWO_BESIDE = True  # an open two counts beside its line's best shape, as in the course
PATTERNS = {  # six neighbouring points, own stones as 1; every bit at 0 must be an empty point
    OPEN_FOUR: (0b011110,),
    OPEN_THREE: (0b011100, 0b001110, 0b010110, 0b011010),
    OPEN_TWO: (0b011000, 0b010100, 0b001100, 0b000110, 0b001010, 0b010010),
}


NEIGHBOURS = (0, 1, 2, 3, 5, 6, 7, 8)  # the places of nine whose stones a line code holds


def line_cells() -> np.ndarray:
    """Return the nine places of each line code, int[65536, 9]; the middle is 0."""
    return np.insert([np.arange(1 << 16) >> 2 * i & 3 for i in range(8)], 4, 0, axis=0).T


def fits_five(own: np.ndarray) -> np.ndarray:
    """Return which lines, bool[n, 9], have five in a row with the middle among them."""
    return np.any([own[:, start : start + 5].all(axis=1) for start in range(5)], axis=0)


def own_places(cells: np.ndarray, colour: int) -> np.ndarray:
    """Return which of the nine places hold the colour, bool[65536, 9]; the middle always."""
    own = cells == colour
    own[:, 4] = True
    return own


def find_shape(own: np.ndarray, empty: np.ndarray, kind: int) -> np.ndarray:
    """Return which lines hold a six-point pattern with their middle stone in it, bool[n]."""
    found = np.zeros(len(own), bool)
    for pattern in PATTERNS[kind]:
        bits = np.array([pattern >> i & 1 for i in range(6)], bool)
        for start in range(4):  # the middle stone is at place 1 to 4 of the six
            six = slice(start, start + 6)
            found |= ((own[:, six] == bits) & (empty[:, six] != bits)).all(axis=1)
    return found


def classify_lines(own: np.ndarray, empty: np.ndarray) -> np.ndarray:
    """Return the best shape that each line holds through its middle point, int8[n].

    own, empty   bool[n, 9]   nine points in a row with an own stone in the middle (column 4)
    """
    shape = np.zeros(len(own), np.int8)
    for kind in (OPEN_TWO, OPEN_THREE):
        shape[find_shape(own, empty, kind)] = kind
    for start in range(1, 5):  # four in a row that has an empty end: one move from five
        run = own[:, start : start + 4].all(axis=1)
        shape[run & (empty[:, start - 1] | empty[:, start + 4])] = FOUR
    shape[find_shape(own, empty, OPEN_FOUR)] = OPEN_FOUR
    shape[fits_five(own)] = FIVE
    return shape


def shape_scores(counts, makes: bool) -> np.ndarray:
    """Return the score of points, given how many lines hold each shape.

    counts   [open twos, open threes, fours, open fours, fives], each int[n]
    makes    True for the mover's own shapes, False for the opponent's that a stone breaks
    """
    two, three, four, open_four, five = counts
    mine, theirs = (1_000_000, 10_000, 5_000, 1_000, 100), (20_000, 4_000, 3_000, 500, 10)
    points = mine if makes else theirs
    return (
        points[0] * (five > 0)
        + points[1] * (open_four > 0)
        + points[2] * ((four > 0) & (three > 0))
        + points[3] * three
        + points[4] * two
    )


class Shapes(NamedTuple):
    """Tables for the kernels.

    counts   int32[65536]   by line code: three bits a shape for black, then for white
    makes    int32[32768]   by the summed counts of one colour: score of making them
    breaks   int32[32768]   score of breaking them
    """

    counts: np.ndarray
    makes: np.ndarray
    breaks: np.ndarray


@lru_cache
def shape_tables() -> Shapes:
    """Return the tables, computed at first use."""
    cells, counts = line_cells(), np.zeros(1 << 16, np.int64)
    for colour, low in ((1, 0), (2, 15)):
        own = own_places(cells, colour)
        empty = (cells == 0) & ~own
        shape = classify_lines(own, empty)
        if TWO_BESIDE:
            counts += (find_shape(own, empty, OPEN_TWO) & (shape != OPEN_TWO)) << low
        for place, kind in enumerate(SCORED):
            counts += (shape == kind) << (low + 3 * place)
    sums = [np.arange(1 << 15) >> 3 * i & 7 for i in range(5)]
    tables = (counts, shape_scores(sums, True), shape_scores(sums, False))
    return Shapes(*(table.astype(np.int32) for table in tables))


# by Heuristics · the line code around a point, and the score of the point
COUNTS, MAKES, BREAKS = shape_tables()
ONE_COLOUR = (1 << 15) - 1


@jit
def code_of(nine):
    """Return the line code of nine places of two bits each: all but the middle."""
    return nine & 0xFF | nine >> 2 & 0xFF00


@jit
def code_at(workspace, point, d):
    """Return the line code around a point, in direction d."""
    geo = workspace.geo
    return code_of(workspace.board.lines[geo.line[point, d]] >> geo.shift[point, d])


@jit
def score_point(workspace, point):
    """Return the score of an empty point for the player to move, from its four line codes."""
    counts = 0
    for d in range(4):
        counts += COUNTS[code_at(workspace, point, d)]
    black, white = counts & ONE_COLOUR, counts >> 15
    if workspace.board.start == 0:
        return MAKES[black] + BREAKS[white]
    return MAKES[white] + BREAKS[black]


# by Heuristics · stones on lines, the best moves not yet listed, and a game with them
@jit
def reset_shapes(workspace):
    """Make workspace.board a copy of the root, with its lines and the points near stones."""
    root, board, geo = workspace.root, workspace.board, workspace.geo
    reset_stones(workspace)
    for i in range(3 * (geo.rows + geo.size) - 2):
        board.lines[i] = root.lines[i]
    for i in range(geo.rows + 8):
        board.near[i] = root.near[i]


@jit
def apply_shapes(workspace, point):
    """Put the mover's stone on an empty point, in all that the board keeps."""
    board, geo = workspace.board, workspace.geo
    colour = colour_to_move(workspace)
    for d in range(4):
        board.lines[geo.line[point, d]] |= colour << (geo.shift[point, d] + 2 * EDGE)
    mark_near(board.near, point, geo.size)
    apply_stones(workspace, point)


@jit
def is_candidate(workspace, point):
    """True if the point is empty and near a stone."""
    board, geo = workspace.board, workspace.geo
    row, bit = np.int64(geo.row[point]), geo.bit[point]
    stones = board.stones[row] | board.stones[geo.half + row]
    return board.near[row + EDGE] & ~stones & bit != 0


@jit
def is_listed(moves, had, point):
    """True if the point is among moves[:had]."""
    for i in range(had):
        if moves[i] == point:
            return True
    return False


@jit
def first_moves(workspace):
    """List the middle point if it is empty, or else the first empty point; return 1."""
    board, geo = workspace.board, workspace.geo
    middle = geo.rows // 2 * geo.size + geo.size // 2
    for i in range(-1, geo.points):
        point = middle if i < 0 else i
        row, bit = np.int64(geo.row[point]), geo.bit[point]
        if (board.stones[row] | board.stones[geo.half + row]) & bit == 0:
            workspace.moves[0] = point
            return 1
    return 0


@jit
def candidates(workspace, had, want, options):
    """Append the best `want` candidates to workspace.moves[:had]; return the new length."""
    moves, scores = workspace.moves, workspace.scores
    length, best = had, 0
    for i in range(workspace.geo.points):
        point = np.int64(workspace.order[i])
        if not is_candidate(workspace, point) or is_listed(moves, had, point):
            continue
        score = score_point(workspace, point)
        best = max(best, score)
        place = length
        while place > had and scores[place - 1] < score:  # insertion into the best so far
            if place < had + want:
                moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        if place < had + want:
            moves[place], scores[place] = point, score
            length = min(length + 1, had + want)
    if length == 0:  # no stone on the board, or none near an empty point
        return first_moves(workspace)
    return 1 if had == 0 and best >= options.forcing_score else length


@made_once
def shaped_game() -> Kernels:
    """Return the kernels of five in a row whose moves are the candidates, best first."""
    return Kernels(
        BOARD,
        reset_shapes,
        apply_shapes,
        build_terminal(5),
        mover,
        candidates,
        build_rollout(5),
        batch=5,
        best_first=True,
    )

# Made from search.ipynb by tools/build.py: change the notebook, not this file.


# *by Search*
#
# # How does the same search run a thousand times as fast?
#
# The main notebook's search, compiled: the same four steps on records and bits.


# by Search · what this notebook builds on
import math
import mmap
import sys
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import typeof

FOLDER = Path("..", "export") if Path("..", "export").is_dir() else Path("export")
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

from five_in_a_row.cache import compile_search, jit, part
from five_in_a_row.core import (
    BLACK,
    DIRECTIONS,
    Game,
    Position,
    Rules,
    Thought,
    is_whole,
    point_name,
    winning_line,
)


# *by Rules*
#
# ### The board of the search
#
# `Game` is for people. The search asks for the winner far more often, and needs something smaller
# and faster. Two things make it so: functions that are compiled, and **one bit per point** instead
# of one number.


# *by Rules*
#
# A position for the search is a **record**: fields of fixed type and length side by side in memory,
# which numpy describes by a `dtype`. `BOARD` changes with every move; `GEOMETRY` is worked out once
# for each board. All fields have room for the largest board, 20×20. A row of stones is one integer
# in `stones`: the rows of black, some empty rows, the rows of white. The empty rows keep a column
# from running out of one colour into the other.


# by Rules · the board as the search sees it
BOARD = np.dtype(
    [
        ("stones", np.int32, 56),  # rows of black, then of white; bit `col` is set for a stone
        (
            "near",
            np.int32,
            28,
        ),  # points within distance sqrt(18) of a stone; row r is near[r + 4]
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


# *by Rules*
#
# `set_geometry` numbers the lines of a board: rows, columns, and the diagonals of either kind. For
# each point it notes its four lines, and where on each of them the point lies, at two bits a point.


# by Rules · fill the records of a board
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


# *by Heuristics*
#
# The board also keeps, for the candidates of room 11, which points lie near a stone. Near means at
# most $\sqrt{18}$ away: a point `step` rows up or down and `reach` columns to the side is near if
# $\text{step}^2 + \text{reach}^2 \le 18$.


# by Heuristics · the points within distance sqrt(18) of a stone
@jit
def mark_near(near, point, size):
    """Add to `near`, int32[rows + 8], the circle around a stone: 9 rows."""
    row, col = divmod(np.int64(point), size)
    full = (1 << size) - 1
    for step in range(-4, 5):
        reach = 4 if abs(step) < 2 else 3 if abs(step) < 4 else 1  # step² + reach² <= 18
        disc = ((1 << (2 * reach + 1)) - 1) << (col + 4 - reach)
        near[row + step + 4] |= np.int32(disc >> 4 & full)


# *by Rules*
#
# `set_board` writes a position into the record, once as bits and once as lines. On a line each
# point takes two bits: 0 empty, 1 black, 2 white, 3 beyond the edge. A remainder turns a cell into
# these bits, since `-1 % 3` is 2.


# by Rules · fill the record of a board with a position
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


# *by Rules*
#
# Now the winner. A row is an integer $x$ with one bit per stone. In Python `x >> k` moves all bits
# $k$ places down, `x & y` keeps the bits that both have, and `x | y` those that at least one has.
# So `x & x >> 1` has a bit wherever two neighbours are set, and
# `x & x >> 1 & x >> 2 & x >> 3 & x >> 4` has one wherever five in a row begin: all fives of the row
# are found at once.


# *by Rules*
#
# The rows above, not shifted, give the columns in the same way; shifted by one place more for each
# row, to either side, they give the diagonals. So one pass looks at the whole board, with no walk
# from the last stone, and a processor can do several rows at a time. `build_has_run` makes the test
# for any number in a row. The number is fixed when the kernel is compiled, so the compiler can
# write out the inner loop.


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


# *by Search*
#
# ## 4 · The game node
#
# The search keeps a tree of positions. Each node stands for the position after one move. It holds
# how often the search went through it, $N$, and how much reward the player **who moved into it**
# got there, $W$. Their quotient $Q = W / N$ is the mean result of that move so far, between 0 (always
# lost) and 1 (always won). Room 1 called them $n$ and $m$; beside a child, $N$ is its parent's visits.
#
# All nodes live in one array of records, 24 bytes each. The children of a node are neighbours in
# it, so a loop over them reads memory in order. A record keeps no board and no parent: the walk
# from the root plays the moves, and remembers its path.
#
# Rewards are stored 64 times as large, as whole numbers: a win adds 64, a draw 32. Sums of whole
# numbers are never rounded.


# by Search · one record a node
OPEN, COMPLETE = 0, 1  # more moves may be added; no more moves
LOST, DRAWN, WON = 2, 3, 4  # decided, for the player who moved into the node

NODE = np.dtype(
    [
        ("first", np.int32),  # index of the first child; children are neighbours
        ("N", np.int32),  # visits
        ("W64", np.int32),  # 64 times the summed reward of the player who moved into this node
        ("inv_sqrt", np.float32),  # 1 / sqrt(N), kept so that select needs no square root
        ("move", np.int16),  # the point played into this node, -1 at the root
        ("count", np.int16),  # children that have a record
        ("tried", np.int16),  # children visited at least once; they come first
        ("status", np.int8),  # OPEN, COMPLETE, LOST, DRAWN or WON
        ("prior", np.uint8),  # what shapes say of the move, before any visit; see room 12
    ],
    align=True,
)


def empty_tree(records: int) -> np.ndarray:
    """Return room for that many records, with the root in it.

    The memory is mapped: the system gives it page by page when records are first written,
    and takes it back at once.
    """
    tree = np.frombuffer(mmap.mmap(-1, records * NODE.itemsize), NODE)
    tree["move"][0] = -1
    return tree


# *by Search*
#
# `Node` is a view for people: it reads a record and changes nothing.


# by Search · a node as people read it
class Node:
    """A read-only view of one record of the tree; `size` gives its move a name."""

    def __init__(self, tree: np.ndarray, index: int = 0, size: int = 8):
        self.tree, self.index, self.size = tree, index, size
        self.N = int(tree["N"][index])  # visits
        self.W = int(tree["W64"][index]) / 64  # summed reward of the player who moved here
        self.Q = self.W / self.N if self.N else math.nan  # value, 0...1
        self.point = int(tree["move"][index])
        self.status = int(tree["status"][index])

    @property
    def move(self) -> str:
        """The name of the move that led here; "" at the root."""
        return point_name(self.point, self.size) if self.point >= 0 else ""

    @property
    def children(self) -> list["Node"]:
        """The visited children, most visited first."""
        first, tried = int(self.tree["first"][self.index]), int(self.tree["tried"][self.index])
        nodes = [Node(self.tree, i, self.size) for i in range(first, first + tried)]
        return sorted(nodes, key=lambda node: -node.N)

    def best(self) -> "Node | None":
        """The child to play: one that wins, or the most visited that is not lost, or None."""
        ranks = {WON: 2, LOST: 0}  # children come most visited first, and max takes the first
        return max(self.children, key=lambda node: ranks.get(node.status, 1), default=None)

    def line(self) -> list[int]:
        """The points of the expected line from here on."""
        best = self.best()
        return [best.point, *best.line()] if best else []

    def __repr__(self) -> str:
        return f"<Node {self.move or 'root'}: N={self.N}, W={self.W:g}, Q={self.Q:.3f}>"


# *by Search*
#
# The children of a node must stay neighbours, so a node that needs room for more of them moves them
# all to a larger block of records. It gets room for one child first (for five in `classic`, room
# 11), and later for a third as many again, and one. The block it leaves goes to the next node that
# wants one of that size, so little memory lies idle.


# by Search · room for more children
@jit
def grow(tree, s, node, count):
    """Move a node's children to a block of `count` records; False if the tree is full.

    s.heap     int32[512]   [0] first unused record, [k] first free block of k records or 0
    s.moves, s.priors       of all the children, those it has first
    """
    heap = s.heap
    first = np.int64(heap[count])
    if first > 0:  # a block of that size is free
        heap[count] = tree[first].first
    else:
        first = np.int64(heap[0])
        if first + count > tree.size:
            return False
        heap[0] += count
    old, had = np.int64(tree[node].first), np.int64(tree[node].count)
    for i in range(had):
        tree[first + i] = tree[old + i]
    for i in range(had, count):
        child = tree[first + i]
        child.first = child.N = child.W64 = child.count = child.tried = child.status = 0
        child.move, child.prior = s.moves[i], s.priors[i]
    if had > 0:
        tree[old].first = heap[had]
        heap[had] = old
    tree[node].first = first
    tree[node].count = count
    return True


# *by Search*
#
# ## 5 · Select
#
# At each node the search must choose a child to look at again. It weighs two things: how good the
# child has looked ($Q$), and how little is known of it. The rule is **UCB**, the upper confidence
# bound. For a child visited $n$ times with summed reward $m$, below a node visited $N$ times,
#
# $$\text{UCB} = \frac{m}{n} + c \sqrt{\frac{\ln N}{n}}$$
#
# The first term is the mean result. The second grows slowly with $N$ and shrinks with $n$, so a
# child that is passed over looks better and better until it is tried again. A child with $n = 0$
# counts as infinite: each child is visited once before any is visited twice. Equal scores are
# decided at random. The constant $c$ says how much is spent on what is little known; for rewards between 0 and 1 the
# course notebook takes $c = 0.5$.
#
# The selection policy is a parameter of the search. Any function of the same form can replace
# `ucb`.
#
# ![A board of five by five points with two numbered stones, and a search tree. In the tree the path
# from the root over two moves is highlighted; each child that was compared carries its UCB, and
# the path takes the highest at each step](images/step_select.png)
#
# The drawing is a real search on a small board, like the next three: one simulation, step by step.
# Each box holds a move and $m/n$, and what `select` compared. The numbered stones are the path, so the
# board shows the position of its last node.


# *by Search*
#
# Every number that the search depends on stands in one tuple that is passed to whatever needs it.
# The $c$ of the formula is its `c_uct`; most other fields belong to later rooms.


# by Search · every number the search depends on
class SearchOptions(NamedTuple):
    """What the search depends on; change one with options._replace(c_uct=1.0)."""

    c_uct: float = 0.5  # exploration constant of ucb, for rewards in 0...1
    c_prior: float = 1.0  # exploration constant of puct (room 12)
    unvisited: float = 0.1  # puct: how much worse than its node an unvisited child counts
    keep: int = 400  # children a node may have at first, best score first
    widen: float = 0.0  # further children for each factor e of visits
    sure: int = 20_000  # a candidate that scores this much is the only one
    solve: bool = True  # prove wins, losses and draws
    dead: bool = True  # a position where no five fits any more is a draw
    fours: int = 60  # positions a search for fours may look at in a node; 0: never
    threats: int = 30_000  # positions a search for threats at the root may look at; 0: never
    seed: int = 2024  # the whole notebook repeats from this number
    memory: int = 256_000_000  # bytes for the tree and the one that follows it


# *by Search*
#
# Chance comes from one integer $x$ of 64 bits. Each draw multiplies it, adds to it and keeps the
# low 64 bits: a linear congruential generator with Knuth's constants. Its high 32 bits $h$ give a
# whole number below $n$, namely $h \, n / 2^{32}$ rounded down. A search with the same seed makes
# the same draws, and a slow twin in plain Python can follow it number by number.


# by Search · random numbers that repeat
MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
HALF = np.uint64(32)


@jit
def random_below(s, n):
    """Return a random whole number from 0 to n - 1; the state s.random, uint64, moves on."""
    s.random = s.random * MULTIPLIER + INCREMENT
    return np.int64((s.random >> HALF) * np.uint64(n) >> HALF)


# *by Search*
#
# A child whose result is certain (room 9 says how it becomes so) needs few visits. One that loses is not visited again; one that
# draws only every other time, so that the search goes on looking for a win.


# by Search · children that select passes over
@jit
def is_settled(status, visits):
    """True if a child of that status is not worth this visit of its parent."""
    return status == LOST or (status == DRAWN and visits & 1 == 1)


# *by Search*
#
# `ucb` works the formula out for each child. A record keeps $r = 1/\sqrt{n}$, which saves a
# division and a root for each of them:
#
# $$\frac{m}{n} + c \sqrt{\frac{\ln N}{n}} = r \, \big( m \, r + c \sqrt{\ln N} \big)$$
#
# The bracket's second term, `curiosity`, is the same for all children. Of several best scores the
# $k$-th takes the place of the one before with a chance of $1/k$; so each of them is chosen equally
# often in the end.


# by Search · select: the child with the highest upper confidence bound
@jit
def ucb(s, tree, node, untried, options):
    """Return the index of the child to visit, `untried` first; 0 if there is none.

    untried   index of a child without visits, or 0; the children before it have visits

    Source: Kocsis and Szepesvári 2006, with the exploration constant in front.
    """
    if untried > 0:
        return untried
    first = np.int64(tree[node].first)
    children = tree[first : first + tree[node].tried]
    curiosity = np.float32(options.c_uct * math.sqrt(math.log(tree[node].N)))
    unit, best, chosen, ties = np.float32(1 / 64), np.float32(-1.0), -first, 1
    for i in range(children.size):
        if options.solve and is_settled(children[i].status, tree[node].N):
            continue
        # r * W * r + r * c sqrt(ln N_parent) = W / N + c sqrt(ln N_parent / N)
        r = children[i].inv_sqrt
        score = r * (unit * np.float32(children[i].W64) * r + curiosity)
        if score >= best:
            ties = 1 if score > best else ties + 1
            if ties == 1 or random_below(s, ties) == 0:
                best, chosen = score, i
    return first + chosen


# *by Search*
#
# ## 6 · Expand
#
# When the walk reaches a node that has moves not yet tried, it adds **one** of them as a new child
# and goes no further down. Which moves there are, and in which order they are tried, is up to the
# game: plain search takes all empty points in random order. The kernel `expand` itself stands in
# room 9, beside the loop that calls it; this room makes what it needs. Heuristic child selection will
# offer the promising ones first.
#
# ![The same board with a third stone, and the same tree with a new box below the path. It holds no
# visits yet](images/step_expand.png)
#
# A game, for the search, is a handful of small compiled functions. The search knows nothing else
# of it.


# by Search · what the search must know of a game
@jit
def no_look(s, options):
    """Return False: a plain game has no search for forced wins."""
    return False


class Kernels(NamedTuple):
    """The compiled functions that make a game; `s` is a record as search_record describes."""

    board: np.dtype  # the record of one position
    begin: object  # begin(s): copy the root position s.root to s.board
    play: object  # play(s, point): put the mover's stone on s.board, pass the turn
    result: (
        object  # result(s, options): OPEN, WON, DRAWN or LOST for the player who just moved
    )
    mover: object  # mover(s): +1 or -1, whose turn it is on s.board
    moves: object  # moves(s, had, want, options): append to s.moves[:had], return its length
    rollout: (
        object  # rollout(s): finish or judge the game, from +1 black wins to -1 white wins
    )
    batch: int = 1  # how many moves to ask for first
    best_first: bool = False  # True: only the best `keep` become children; False: every move
    fill: object = None  # fill(s): work out what else s.root keeps, once; None: nothing
    look: object = no_look  # look(s, options): does the root's player to move win by force?
    select: object = ucb  # the selection policy, unless build_search is given another


# *by Search*
#
# Beside its tree a search needs a memory of its own: the position it was asked about and the one it
# plays on, lists of moves, the path of the walk, the state of chance. All of it is one record,
# called `s` in every kernel. It is made once, so no step of the search has to ask for memory. Many
# of its fields belong to later rooms and are explained there.


# by Search · what one search owns beside its tree
REMEMBERED = 4096  # positions that a search for forced wins remembers; a power of two
HIDDEN = 16  # units of the net that values a position (room 12)


@lru_cache
def search_record(board: np.dtype) -> np.dtype:
    """Return the record of all that one search owns beside its tree."""
    return np.dtype(
        [
            ("root", board),  # the position that is asked about
            ("board", board),  # the one that is played on
            ("geo", GEOMETRY),
            ("order", np.int16, 400),  # the points at random; playouts shuffle them on
            ("moves", np.int16, 401),  # a list of moves
            ("scores", np.int32, 401),  # and their scores
            ("priors", np.uint8, 401),  # and what the shapes say of them
            ("begun", np.int64),  # 1 once the root has been looked at
            ("full", np.int64),  # 1 once a node found no room for its children
            ("complete", np.int64),  # 1: no move outside the list can be better
            ("path", np.int32, 402),  # the nodes of the walk, root first
            ("heap", np.int32, 512),  # see grow
            ("random", np.uint64),  # see random_below
            ("fours", np.int16, 512),  # points where a four may be made
            ("next", np.int16, 32),  # which of them to try, at each level of the chain
            ("length", np.int16, 32),  # how many there are
            ("forced", np.int16, 32),  # the only point allowed, or -1
            ("keys", np.uint64, 32),  # the position of each level as one number
            ("barren", np.uint64, REMEMBERED),  # positions where no win by fours was found
            ("win", np.int16, 80),  # a line that wins by force
            ("ply", np.int64),  # its length
            ("left", np.int64),  # positions that may still be looked at
            ("tries", np.int16, (32, 400)),  # moves of the search for threats, by ply
            ("tried", np.int16, 32),  # how many of them have been tried
            ("many", np.int16, 32),  # how many there are
            ("lines", np.int16, (32, 80)),  # the winning line from each ply on
            ("reach", np.int16, 32),  # and its length
            ("at", np.int16, 32),  # the move that is being tried
            ("budget", np.int64),  # positions that the search for threats may still look at
            ("hidden", np.float32, HIDDEN),  # units of the net that values a position
            ("cut", np.int64),  # 1: threats were left out for depth
            (
                "failed",
                np.uint64,
                REMEMBERED,
            ),  # positions where the search for threats found no win
        ],
        align=True,
    )


# *by Rules*
#
# To play a stone is to set one bit. In `stones` the rows of black begin at 0 and those of white at
# `half`; `start` says where the mover's begin. So the turn passes by
# $\text{start} \leftarrow \text{half} - \text{start}$.


# by Rules · begin and play on bits
@jit
def begin_stones(s):
    """Make s.board a copy of s.root: the bits that plain search needs."""
    for i in range(2 * s.geo.half):
        s.board.stones[i] = s.root.stones[i]
    s.board.start, s.board.empty = s.root.start, s.root.empty


@jit
def play_stones(s, point):
    """Put the mover's stone on an empty point and pass the turn."""
    s.board.stones[s.board.start + s.geo.row[point]] |= s.geo.bit[point]
    s.board.start = s.geo.half - s.board.start
    s.board.empty -= 1


@jit
def mover(s):
    """Return whose turn it is: +1 black, -1 white."""
    return 1 if s.board.start == 0 else -1


@jit
def colour_to_move(s):
    """Return the colour to move as the lines hold it: 1 black, 2 white."""
    return 1 if s.board.start == 0 else 2


# *by Search*
#
# `new_search` fills the record for a position: its geometry, its stones, its chance. The points are
# put into a random order by exchanging each of them with one at a random place from its own place
# on, the shuffle of Fisher and Yates.


# by Search · all that one search owns
def new_search(game: Kernels, position: Position, seed: int) -> np.record:
    """Return the record of a search that has not begun; its random state comes from `seed`."""
    s = np.zeros(1, search_record(game.board)).view(np.recarray)[0]
    set_geometry(s.geo, position.rules)
    set_board(s.root, s.geo, position.array.ravel(), position.to_move)
    if game.fill is not None:
        game.fill(s)
    s.heap[0] = 1
    shuffle_points(s, seed)
    return s


@jit
def shuffle_points(s, seed):
    """Set the random state, and put the points in a random order."""
    s.random = np.uint64(seed)
    for _ in range(4):  # spread a small seed over all bits
        random_below(s, 2)
    for i in range(s.geo.points):
        s.order[i] = i
    for i in range(s.geo.points - 1):
        j = i + random_below(s, s.geo.points - i)
        s.order[i], s.order[j] = s.order[j], s.order[i]


# *by Search*
#
# To pick an untried move at random, mark the points that are taken or already listed, one bit each,
# and draw points until one is free. A list of all moves at every node would cost more memory than
# the nodes themselves; this costs none.


# by Search · untried moves in random order
def build_untried(gravity):
    """Return the `moves` kernel of plain search: every legal move, in random order."""

    @part
    def untried(s, had, want, options):
        """Append up to `want` legal moves to s.moves[:had]; return the new length."""
        taken, free = s.scores, s.board.empty - had
        for row in range(s.geo.rows):
            taken[row] = s.board.stones[row] | s.board.stones[s.geo.half + row]
        if gravity:  # a point above an empty one is taken as well; count what is left
            free = -had
            for row in range(s.geo.rows - 1, 0, -1):
                taken[row] |= ~taken[row - 1]
            for point in range(s.geo.points):
                free += taken[s.geo.row[point]] & s.geo.bit[point] == 0
        for i in range(had):
            taken[s.geo.row[s.moves[i]]] |= s.geo.bit[s.moves[i]]
        length = had + min(want, free)
        while had < length:
            point = random_below(s, s.geo.points)
            if taken[s.geo.row[point]] & s.geo.bit[point] == 0:
                taken[s.geo.row[point]] |= s.geo.bit[point]
                s.moves[had] = point
                had += 1
        return length

    return untried


# *by Search*
#
# ## 7 · Simulate
#
# From the new node the game is finished by uniform random moves; the result is the node's first
# evidence. One playout says little. Thousands of them rank the moves.
#
# ![The same board and tree. From the new box a wavy line leads down to the result of a random
# game, a loss for the player of the last stone](images/step_simulate.png)
#
# A random game is a random order of the empty points, taken in turn by black and white. A five,
# once made, stays, so there is no need to look for one after every stone. The playout puts a whole
# stretch of stones on the board, for eight points and an eighth of those left, and looks once. If one
# colour has a five by then, it has won. If *both* have one, the stretch is halved again and again, with
# stones taken off or put back, until the stone that made the first five is found.
#
# The shuffle stops with the stretch in which somebody has won, and the next playout shuffles on from
# the order that this one left: a shuffled deck need not be sorted before it is shuffled again.


# by Search · simulate: finish the game at random
def build_rollout(in_a_row):
    """Return the `rollout` kernel for games where stones stay where they are put."""
    has_run = build_has_run(in_a_row)

    @part
    def first_to_win(s, placed, start):
        """Return who had a line first, when the last `placed` stones have made one."""
        stones, half, rows = s.board.stones, s.geo.half, s.geo.rows
        black, white = has_run(stones, 0, rows), has_run(stones, half, half + rows)
        if black != white:
            return 1 if black else -1
        first = half - start if placed & 1 else start  # whose stone came first of these
        low, high, now = 0, placed, placed  # no line after `low` stones, a line after `high`
        while high - low > 1:
            middle = (low + high) // 2
            for i in range(min(now, middle), max(now, middle)):  # take back, or put back
                rows_of = half - first if i & 1 else first
                stones[rows_of + s.geo.row[s.moves[i]]] ^= s.geo.bit[s.moves[i]]
            now = middle
            if has_run(stones, 0, half + rows):
                high = middle
            else:
                low = middle
        return 1 if (first == 0) == (high & 1 == 1) else -1  # whose stone was number `high`

    @part
    def rollout(s):
        """Play random moves to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        stones, order, half, start = s.board.stones, s.order, s.geo.half, s.board.start
        points, seed, i, one = np.uint64(s.geo.points), s.random, np.uint64(0), np.uint64(1)
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
                row, bit = np.int64(s.geo.row[point]), s.geo.bit[point]
                if (stones[row] | stones[half + row]) & bit == 0:
                    stones[start + row] |= bit
                    start = half - start
                    s.moves[placed] = point
                    placed += 1
            if has_run(stones, 0, half + s.geo.rows):
                s.random = seed
                return first_to_win(s, placed, start)
        s.random = seed
        return 0

    return rollout


# *by Search*
#
# Where stones fall (Connect-4), a random move is a random column that is not full, and the playout
# must look at the board after each stone.


# by Search · simulate where stones fall
def build_falling_rollout(in_a_row):
    """Return the `rollout` kernel for games with gravity."""
    has_run = build_has_run(in_a_row)

    @part
    def rollout(s):
        """Play random moves to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        stones, half, start = s.board.stones, s.geo.half, s.board.start
        top = s.geo.rows - 1
        for _ in range(s.board.empty):
            bit = np.int32(1 << random_below(s, s.geo.size))
            while (stones[top] | stones[half + top]) & bit != 0:
                bit = np.int32(1 << random_below(s, s.geo.size))
            row = top
            while row > 0 and (stones[row - 1] | stones[half + row - 1]) & bit == 0:
                row -= 1
            stones[start + row] |= bit
            if has_run(stones, start, start + s.geo.rows):
                return 1 if start == 0 else -1
            start = half - start
        return 0

    return rollout


# *by Rules*
#
# Before a new node is played out, two things are looked at: has the player who just moved made a
# line, and is the board full? Only that player's rows are tested, since nobody makes a line by the
# other's stone.


# by Rules · has the player who just moved won?
def build_result(in_a_row):
    """Return result(s): has the player who just moved won, is the board full?"""
    has_run = build_has_run(in_a_row)

    @part
    def result(s, options):
        start = s.geo.half - s.board.start  # the rows of the player who just moved
        if has_run(s.board.stones, start, start + s.geo.rows):
            return WON
        return DRAWN if s.board.empty == 0 else OPEN

    return result


# *by Search*
#
# With these parts the first game is complete: any game of `Rules`, with every legal move as a child.


# by Search · plain search: every move, in random order
@lru_cache
def plain_game(in_a_row: int = 5, gravity: bool = False) -> Kernels:
    """Return the kernels of any game of Rules, with every legal move as a child."""
    rollout = (build_falling_rollout if gravity else build_rollout)(in_a_row)
    result = build_result(in_a_row)
    return Kernels(
        BOARD, begin_stones, play_stones, result, mover, build_untried(gravity), rollout
    )


# *by Search*
#
# ## 8 · Backpropagate
#
# The result travels back along the path. Every node on it gets one more visit, and the reward that
# its own player earned: what is a win for the player who moved into one node is a loss at the next.
# A win counts 1, a draw ½, a loss 0, so the credit alternates from $r$ to $1 - r$ at each ply:
#
# $$N \leftarrow N + 1, \qquad W \leftarrow W + r, \qquad r \leftarrow 1 - r$$
#
# ![The same board and tree. Each box on the path shows its new reward and visits, and below them
# what was added: one visit everywhere, and a reward that is one and nought in turn](images/step_backpropagate.png)


# *by Search*
#
# In the code the reward is $64\,r$, since that is how the records hold it. A node whose result is
# certain (room 9) hands on that result instead of the playout's.


# by Search · backpropagate
@jit
def backpropagate(tree, path, depth, reward):
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


# *by Search*
#
# ## 9 · The loop
#
# Four steps, again and again: **select** a way down, **expand** by one child, **simulate** from it,
# **backpropagate** the result. In the end the most visited child of the root is the move.
#
# One addition costs next to nothing: a result that is certain is not forgotten again.
#
# The loop is written once. `build_search` receives a game and a selection policy and closes over
# them; the compiler then makes one fast function of all the parts, as if it had been written for
# that game alone.


# *by Search*
#
# Some results are certain: a five, a full board. **MCTS-Solver** (Winands, Björnsson and Saito, 2008)
# carries them up. A node with a winning move is lost for the player who moved into it. A node is won
# for that player only when *every* move from it has been tried and loses for the player who makes it; a list of moves that may be
# incomplete proves nothing.


# by Search · certain results travel up
@jit
def settle(tree, node):
    """Return LOST, DRAWN or WON if the children decide it so, or OPEN.

    For the player to move: LOST if every child is lost for that player, and so on; see prove.
    """
    worst = LOST
    for child in tree[tree[node].first : tree[node].first + tree[node].count]:
        if child.status <= COMPLETE:
            worst = OPEN
        elif child.status == DRAWN and worst == LOST:
            worst = DRAWN
        elif child.status == WON:
            return WON
    return worst


@jit
def prove(tree, path, depth):
    """Decide the nodes of path[:depth] as far as the decided node path[depth] decides them."""
    for i in range(depth - 1, -1, -1):
        node = tree[path[i]]
        best = settle(tree, path[i])  # of the moves, for the player to move
        if best == OPEN or best != WON and node.status != COMPLETE:
            return
        node.status = LOST + WON - best  # for the player who moved into the node


# *by Search*
#
# A node takes at most `keep` children at first: 400, which is all of them, unless a player asks for
# fewer. While every one of them is known to be lost it takes more: a defence must not be missed
# because it scored low. `expand` makes sure that a child without visits is at hand; whether it is
# visited is for the selection policy to say.


# by Search · expand: have one child ready that has not been visited
def build_expand(game):
    """Return expand(s, tree, node, options) -> a new child's index, or 0 if there is none."""
    batch, best_first, more_moves = game.batch, game.best_first, game.moves

    @part
    def expand(s, tree, node, options):
        """Return the index of a child without visits, or 0 if there is none."""
        record = tree[node]
        count = np.int64(record.count)
        if record.tried == count:  # no move in stock: ask the game for more
            if record.status != OPEN:
                return np.int64(0)
            limit = s.order.size
            if best_first and options.keep < limit:
                if not (count >= options.keep and settle(tree, node) == LOST):
                    limit = options.keep + int(options.widen * math.log(max(1, record.N)))
            size = min(limit, max(batch, count + count // 3 + 1))
            if size <= count:
                return np.int64(0)
            if s.heap[size] == 0 and s.heap[0] + size > tree.size:
                s.full = 1
                return np.int64(0)
            for i in range(count):
                s.moves[i] = tree[record.first + i].move
                s.priors[i] = tree[record.first + i].prior
            s.complete = 0
            found = more_moves(s, count, size - count, options)
            if found > count and not grow(tree, s, node, found):
                return np.int64(0)
            if found < size or s.complete:  # the game has no more
                record.status = COMPLETE
            if found == count:
                return np.int64(0)
        return np.int64(record.first + record.tried)

    return expand


# *by Search*
#
# Here the four steps stand together. Each turn of the `for` loop is one simulation. The inner
# `while` loop goes down, expanding and selecting, until it has visited a child for the first time
# (`fresh`) or can go no further. A node that is not decided is played out; one that is decided
# begins a proof; and the reward goes back up the path. With the result $v$ of the playout, $+1$ for
# black to $-1$ for white, and $p$ the player who moved into the node, the reward is
# $32 + 32 \, p \, v$: 64 for a win, 32 for a draw, 0 for a loss.


# by Search · the search: written once, compiled for a game and a policy
def build_search(game, select=None):
    """Return search(s, tree, options, simulations), compiled for a game and a policy.

    It returns how many simulations it made: fewer than asked once the root is decided. A full
    tree grows no further; its leaves are then played out again. The search holds no lock, so
    other threads go on.
    """
    expand, select = build_expand(game), select or game.select
    begin, play, result, look = game.begin, game.play, game.result, game.look
    mover, rollout = game.mover, game.rollout

    def search(s, tree, options, simulations):
        if s.begun == 0:
            s.begun = 1
            begin(s)
            if tree[0].status <= COMPLETE and look(s, options):
                tree[0].status = LOST  # the player to move wins by force
        for done in range(simulations):
            if tree[0].status >= LOST:
                return done
            begin(s)
            node, depth, fresh = np.int64(0), 0, False
            s.path[0] = 0
            while tree[node].status <= COMPLETE and not fresh:
                child = select(s, tree, node, expand(s, tree, node, options), options)
                if child == 0:  # no child to visit
                    best = settle(tree, node) if options.solve else OPEN
                    if tree[node].status == COMPLETE and best != OPEN:
                        tree[node].status = LOST + WON - best
                    break  # decided, or to be played out from here
                fresh = tree[child].N == 0
                tree[node].tried += fresh
                play(s, np.int64(tree[child].move))
                depth, node = depth + 1, child
                s.path[depth] = node
            if fresh:
                tree[node].status = result(s, options)
            reward = 0
            if tree[node].status <= COMPLETE:
                moved = -mover(s)  # who moved into this node
                reward = np.int64(32.5 + 32.0 * moved * rollout(s))
            elif options.solve:
                prove(tree, s.path, depth)
            backpropagate(tree, s.path, depth, reward)
        return simulations

    parts = (part for part in game[1:] if part is not None)
    return compile_search(search, expand, select, *parts)


# *by Heuristics*
#
# ## 11 · Heuristic child selection
#
# Plain search has to try every empty point before it can compare them. A player does not: most
# points are far from the fight. Heuristic child selection offers the search only the points that
# score best, best first. It asks of every empty point near a stone: *what would a stone here make,
# and what would it break?*
#
# The answer comes from **shapes**. On one line, with own stones as 1 and empty points as 0:
#
# | shape | pattern on the line | meaning |
# |---|---|---|
# | five | `11111` | wins |
# | open four | `011110` | two ways to five: cannot be stopped by one stone |
# | four | `1111` with one open end | one way to five: must be answered |
# | open three | `011100` `001110` `010110` `011010` | becomes an open four if left alone |
# | open two | `011000` `010100` `001100` `000110` `001010` `010010` | becomes an open three |
#
# The shape depends only on the four neighbours each way. With two bits a point (empty, black,
# white, edge) that is a number below $2^{16}$. So every answer can be worked out once, for all
# 65,536 numbers, and kept in a table. No stone pattern is compared during the search.


# *by Heuristics*
#
# First the words as numbers: a better shape has a larger one. (`ONE`, `TWO` and `THREE` wait for
# the second half of this room.) A pattern is six bits, one for each of six neighbouring points.


# by Heuristics · the shapes as numbers, and their patterns
NONE, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
SCORED = (OPEN_TWO, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)  # the shapes of the table above
PATTERNS = {  # six neighbouring points, own stones as 1; every bit at 0 must be an empty point
    OPEN_FOUR: (0b011110,),
    OPEN_THREE: (0b011100, 0b001110, 0b010110, 0b011010),
    OPEN_TWO: (0b011000, 0b010100, 0b001100, 0b000110, 0b001010, 0b010010),
}


# *by Heuristics*
#
# A **line code** tells what stands on the four neighbours each way of a point. With the neighbours
# $c_0$ to $c_7$ from one end to the other, each 0 empty, 1 black, 2 white or 3 beyond the edge,
#
# $$\text{code} = \sum_{i=0}^{7} c_i \, 4^i$$
#
# `line_cells` turns all 65,536 codes back into nine places, the point itself in the middle, so that
# numpy can look at all of them at once.


# by Heuristics · all line codes, unfolded
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


# *by Heuristics*
#
# The shape of a line is the best one whose pattern holds the stone in the middle. The patterns are
# tried from the weakest to the best, and a better one overwrites.


# by Heuristics · the best shape of each line
def classify_lines(own: np.ndarray, empty: np.ndarray) -> np.ndarray:
    """Return the best shape that each line holds through its middle point, int8[n].

    own, empty   bool[n, 9]   nine points in a row with an own stone in the middle (column 4)
    """
    shape = np.zeros(len(own), np.int8)
    for kind in (OPEN_TWO, OPEN_THREE):
        for pattern in PATTERNS[kind]:
            shape[find_pattern(own, empty, pattern)] = kind
    for start in range(1, 5):  # four in a row that has an empty end: one move from five
        run = own[:, start : start + 4].all(axis=1)
        shape[run & (empty[:, start - 1] | empty[:, start + 4])] = FOUR
    for pattern in PATTERNS[OPEN_FOUR]:
        shape[find_pattern(own, empty, pattern)] = OPEN_FOUR
    shape[fits_five(own)] = FIVE
    return shape


def find_pattern(own: np.ndarray, empty: np.ndarray, pattern: int) -> np.ndarray:
    """Return which lines hold the six-point pattern with their middle stone in it, bool[n]."""
    bits = np.array([pattern >> i & 1 for i in range(6)], bool)
    found = np.zeros(len(own), bool)
    for start in range(4):  # the middle stone is at place 1 to 4 of the six
        six = slice(start, start + 6)
        found |= ((own[:, six] == bits) & (empty[:, six] != bits)).all(axis=1)
    return found


# *by Heuristics*
#
# A point lies on four lines, and the shapes of both colours on them add up to its score for the
# player to move. To *break* a shape is to play where the opponent would make it.
#
# | a stone here makes | score | or breaks | score |
# |---|---|---|---|
# | five | the only move | five | 20,000 |
# | open four | 10,000 | open four | 4,000 |
# | four and open three | 5,000 | four and open three | 3,000 |
# | open three, each line | 1,000 | open three, each line | 500 |
# | open two, each line | 100 | open two, each line | 10 |
#
# A four together with an open three counts in both of their rows. A four alone has no row and
# scores nothing.


# by Heuristics · from the shapes on four lines to a score
MAKES_FIVE = 1_000_000


def score_of(counts, makes: bool) -> np.ndarray:
    """Return the score of points, given how many lines hold each shape.

    counts   [open twos, open threes, fours, open fours, fives], each int[n]
    makes    True for the mover's own shapes, False for the opponent's that a stone breaks
    """
    two, three, four, open_four, five = counts
    mine, theirs = (MAKES_FIVE, 10_000, 5_000, 1_000, 100), (20_000, 4_000, 3_000, 500, 10)
    worth = mine if makes else theirs
    return (
        worth[0] * (five > 0)
        + worth[1] * (open_four > 0)
        + worth[2] * ((four > 0) & (three > 0))
        + worth[3] * three
        + worth[4] * two
    )


# *by Heuristics*
#
# Counting is done by one addition: each shape has three bits of its own in an integer, so the sum
# over four lines holds all five counts. Black's counts fill the low half, white's the high half.


# by Heuristics · all answers, worked out once
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
        shape = classify_lines(own, (cells == 0) & ~own)
        for place, kind in enumerate(SCORED):
            counts += (shape == kind) << (low + 3 * place)
    sums = [np.arange(1 << 15) >> 3 * i & 7 for i in range(5)]
    tables = (counts, score_of(sums, True), score_of(sums, False))
    return Shapes(*(table.astype(np.int32) for table in tables))


# *by Heuristics*
#
# On the board a line is one long integer, two bits a point. Moved down to the first of nine places,
# its low 18 bits are the neighbourhood of a point, the middle included. `code_of` drops the middle:
# the low four places stay, the high four move down by one.


# by Heuristics · the line code around a point
COUNTS, MAKES, BREAKS = shape_tables()
ONE_COLOUR = (1 << 15) - 1


@jit
def code_of(nine):
    """Return the line code of nine places of two bits each: all but the middle."""
    return nine & 0xFF | nine >> 2 & 0xFF00


@jit
def code_at(s, point, d):
    """Return the line code around a point, in direction d."""
    return code_of(s.board.lines[s.geo.line[point, d]] >> s.geo.shift[point, d])


# *by Heuristics*
#
# To play a stone now means more: its two bits are set on four lines, and the points around it
# become near ones.


# by Heuristics · begin and play, with lines and the points near stones
@jit
def begin_shapes(s):
    """Make s.board a copy of s.root, with its lines and the points near stones."""
    begin_stones(s)
    for i in range(3 * (s.geo.rows + s.geo.size) - 2):
        s.board.lines[i] = s.root.lines[i]
    for i in range(s.geo.rows + 8):
        s.board.near[i] = s.root.near[i]


@jit
def play_shapes(s, point):
    """Put the mover's stone on an empty point, in all that the board keeps."""
    colour = colour_to_move(s)
    for d in range(4):
        s.board.lines[s.geo.line[point, d]] |= colour << (s.geo.shift[point, d] + 2 * EDGE)
    mark_near(s.board.near, point, s.geo.size)
    play_stones(s, point)


# *by Heuristics*
#
# The score of a point is then four look-ups, an addition, and two look-ups more: what the mover
# makes there, and what of the opponent's is broken.


# by Heuristics · the score of one point, on the board
@jit
def score_point(s, point):
    """Return the score of an empty point for the player to move, from its four line codes."""
    counts = 0
    for d in range(4):
        counts += COUNTS[code_at(s, point, d)]
    black, white = counts & ONE_COLOUR, counts >> 15
    if s.board.start == 0:
        return MAKES[black] + BREAKS[white]
    return MAKES[white] + BREAKS[black]


# *by Heuristics*
#
# Candidates are the empty points within distance $\sqrt{18}$ of a stone. They are looked at in
# random order and the best are kept, so that equal scores are decided at random. If the best scores
# `sure` or more, it alone is kept: in the course notebook's algorithm, called `classic` here, at
# 2,000. `keep` is how many are kept, five for `classic`; `widen` would add more as a node's visits
# grow (progressive widening) and is 0 here. On an empty board the only candidate is the middle.
#
# This cut is *hard*: what is not among the five is never looked at, even if it is the only defence.
# The second half of this room and room 12 make a search that cuts nothing.


# by Heuristics · the best moves not yet listed
@jit
def candidates(s, had, want, options):
    """Append the best `want` candidates to s.moves[:had]; return the new length."""
    moves, scores = s.moves, s.scores
    length, best = had, 0
    for i in range(s.geo.points):
        point = np.int64(s.order[i])
        if not is_candidate(s, point) or is_listed(moves, had, point):
            continue
        score = score_point(s, point)
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
        return first_moves(s)
    return 1 if had == 0 and best >= options.sure else length


# *by Heuristics*
#
# The small questions that `candidates` asks. Where no point is near a stone, `first_moves` names
# the middle, or the first empty point if the middle is taken.


# by Heuristics · near a stone, not yet listed; the first move of all
@jit
def is_candidate(s, point):
    """True if the point is empty and near a stone."""
    row, bit = np.int64(s.geo.row[point]), s.geo.bit[point]
    stones = s.board.stones[row] | s.board.stones[s.geo.half + row]
    return s.board.near[row + EDGE] & ~stones & bit != 0


@jit
def is_listed(moves, had, point):
    """True if the point is among moves[:had]."""
    for i in range(had):
        if moves[i] == point:
            return True
    return False


@jit
def first_moves(s):
    """List the middle point if it is empty, or else the first empty point; return 1."""
    middle = s.geo.rows // 2 * s.geo.size + s.geo.size // 2
    for i in range(-1, s.geo.points):
        point = middle if i < 0 else i
        row, bit = np.int64(s.geo.row[point]), s.geo.bit[point]
        if (s.board.stones[row] | s.board.stones[s.geo.half + row]) & bit == 0:
            s.moves[0] = point
            return 1
    return 0


# *by Heuristics*
#
# With candidates in the place of all moves the second game is complete. Playouts stay as they were,
# and a node asks for five moves at once, best first.


# by Heuristics · five in a row with candidates
@lru_cache
def shaped_game() -> Kernels:
    """Return the kernels of five in a row whose moves are the candidates, best first."""
    return Kernels(
        BOARD,
        begin_shapes,
        play_shapes,
        build_result(5),
        mover,
        candidates,
        build_rollout(5),
        batch=5,
        best_first=True,
    )


# *by Search*
#
# ## 13 · The engine: `think`
#
# `think(game, seconds=…)` is the one entrance to the engine. It returns a `Thought`: the move, how
# often each point was visited, what the visits found there, the expected line, and how long it took.
#
# The clock is looked at between slices of a few milliseconds, so a search ends on time on any
# board. A compiled search lets other threads run, so a window stays alive while it thinks.


# *by Search*
#
# A `Tree` is a search that can be continued. It holds the record `s` and the nodes, and remembers
# which position of which game they belong to. With several threads each of them has a tree of its
# own; their seeds differ.


# by Search · a search tree that can be asked, stopped and continued
class Tree:
    """The search of one position: its record `s`, its nodes, and the move list of its root.

    Several threads have as many trees, each with chances of its own; `all` lists them.
    """

    def __init__(
        self, game, kernels: Kernels, options: SearchOptions, records: int, threads=1
    ):
        self.rules, self.kernels, self.options = game.rules, kernels, check_options(options)
        self.start, self.played = start_of(game), game.played[:]
        self.cells, self.to_move = game.array, game.to_move
        self.s = new_search(kernels, game, options.seed)
        least = game.rules.points + 2  # the root and all its children
        most = max(int(options.memory) // NODE.itemsize // (2 * threads), least)
        self.nodes = empty_tree(min(max(records, least), most))
        self._search = compiled_search(kernels)
        if not self._search.signatures:  # compile now: it is not thinking time
            kinds = map(typeof, (self.s, self.nodes, self.options, 1))
            self._search.compile(tuple(kinds))
        seeds = [(options.seed + i * SEED_STEP) % 2**63 for i in range(1, threads)]
        self.all = [self, *(self._twin(game, seed, threads) for seed in seeds)]

    def _twin(self, game, seed: int, threads: int) -> "Tree":
        """Return a tree of the same size with another seed, for another thread."""
        options = self.options._replace(seed=seed, memory=self.options.memory // threads)
        return Tree(game, self.kernels, options, len(self.nodes))

    def leads_to(self, game) -> bool:
        """True if the game goes on from the position of this tree."""
        same = game.rules, start_of(game), game.played[: len(self.played)]
        return same == (self.rules, self.start, self.played)

    def run(self, simulations: int) -> int:
        """Make that many simulations, fewer once the root is decided; return how many."""
        return self._search(self.s, self.nodes, self.options, simulations)

    @property
    def root(self) -> Node:
        """The root, as a Node."""
        return Node(self.nodes, 0, self.rules.size)


SEED_STEP = 0x9E3779B97F4A7C15  # so that the threads' seeds lie far apart


# *by Search*
#
# After two more moves, the part of the tree below them is still worth having: `follow` copies it
# into a new tree and goes on from there. Old tree and new tree share the memory that the options
# allow.


# by Search · go on with what is known
def follow(tree: Tree, game: Game, options: SearchOptions, budget: "Budget") -> Tree:
    """Return the tree of a later position of the same game, with what is known of it.

    It begins anew where nothing is known, or where copying would take half of the budget.
    Raises ValueError if `game` does not go on from the position of this tree.
    """
    if not tree.leads_to(game):
        raise ValueError("this tree belongs to another game, or to a later position")
    nodes = [known_node(old, game.played[len(tree.played) :]) for old in tree.all]
    # copying must leave time; a decided node is soon decided again, now with a line
    most = min(MOST_VISITS, budget.seconds / 2 / COPY_SECONDS)
    nodes = [
        node if node and node.status <= COMPLETE and node.N <= most else None for node in nodes
    ]
    records = budget.records() + 2 * max(node.N if node else 0 for node in nodes)
    later = Tree(game, tree.kernels, options, records, len(tree.all))
    for old, new, node in zip(tree.all, later.all, nodes, strict=True):
        if node:
            copy_subtree(old.nodes, node.index, new.nodes, new.s.heap, 0)
            shuffle_points(new.s, new.options.seed + node.N)  # with other random numbers
    return later


# *by Search*
#
# The node to go on from is found by walking down, one move after the other.


# by Search · find the node that some moves lead to
def known_node(tree: Tree, moves: list[int]) -> Node | None:
    """Return the node that the moves lead to from the root, or None."""
    node: Node | None = tree.root
    for point in moves:
        node = next((child for child in node.children if child.point == point), None)
        if node is None:
            break
    return node


COPY_SECONDS = 1e-7  # to copy what one visit left in a tree, at the most


# *by Search*
#
# A tree that has filled its share of the memory is **recycled**: the nodes with the fewest visits
# lose what is below them, and the search goes on in the room that this leaves. First nodes with one
# visit lose it, then those with fewer than 4, 8, 16 and so on, until half of the room is free.


# by Search · make room
def recycle(tree: Tree) -> None:
    """Drop the children of rarely visited nodes until half of the tree's records are free."""
    least, nodes = 2, np.empty_like(tree.nodes)
    while True:
        copy_subtree(tree.nodes, 0, nodes, tree.s.heap, least)
        if tree.s.heap[0] <= len(nodes) // 2 or least > tree.root.N:
            break
        least *= 2
    tree.nodes, tree.s.full = nodes, 0


# *by Search*
#
# Three small things. Options are brought to one type each, so that `keep=5` and `keep=5.0` do not
# compile two searches. Two games are the same if they began from the same stones and played the
# same moves. And a search is built once for each kind of game.


# by Search · options, beginnings and searches that compare as equal
def check_options(options: SearchOptions) -> SearchOptions:
    """Return the options with every number as the type of its default: one compiled search."""
    return SearchOptions(*(type(x)(y) for x, y in zip(SearchOptions(), options, strict=True)))


def start_of(game: Game) -> tuple[bytes, int]:
    """Return the position a game began from: its stones, and who was to move."""
    cells = game.array
    cells.flat[game.played] = 0
    return cells.tobytes(), game.to_move * (-1) ** len(game.played)


@lru_cache
def compiled_search(kernels: Kernels):
    """Return the search of a game with UCB selection, built once a session."""
    return build_search(kernels)


# *by Search*
#
# The copy goes level by level: the copied nodes stand in a row, and each in turn has its children
# appended at the end. Until its turn comes, a copied node still says where its children stand in
# the old array, so no list is needed beside the new array itself.


# by Search · copy a part of a tree
@jit
def copy_subtree(old, node, new, heap, least):
    """Copy a node and what is below it to the beginning of `new`, as far as there is room.

    Nodes with fewer than `least` visits are copied without their children.
    """
    new[0] = old[node]
    new[0].move = -1
    end, i = np.int64(1), 0
    while i < end:
        count = np.int64(new[i].count)
        if new[i].N >= least and end + count <= new.size:
            for k in range(count):
                new[end + k] = old[new[i].first + k]
            new[i].first = end
            end += count
        else:
            new[i].first = new[i].count = new[i].tried = 0
            if new[i].status == COMPLETE:
                new[i].status = OPEN
        i += 1
    for k in range(heap.size):
        heap[k] = 0
    heap[0] = end


# *by Search*
#
# With several threads the visits and rewards of a root move are added up over their trees, and a
# certain result in any of them counts for all.


# by Search · the root's moves, over all trees
PROVEN = {LOST: 1, DRAWN: 0, WON: -1}  # the root's status, for the side to move
RANKS = {WON: 2, LOST: 0}  # of a root move by its status; all others 1


def root_moves(trees: list[Tree]) -> dict:
    """Return {point: [visits, reward, rank]} of the root's moves, summed over trees."""
    moves: dict = {}
    for tree in trees:
        for child in tree.root.children:
            if child.N == 0:  # another thread is just visiting it
                continue
            move = moves.setdefault(child.point, [0, 0.0, 1])
            rank = RANKS.get(child.status, 1)
            move[:] = move[0] + child.N, move[1] + child.W, rank if rank != 1 else move[2]
    return moves


# *by Search*
#
# `read_tree` fills a `Thought`. The move is one that is known to win, or else the most visited that
# is not known to lose. `why` says which case it was: a win that was seen before the first
# simulation, a proof, the only move listed, or visits.


# by Search · from a tree to a Thought
def read_tree(tree: Tree, simulations: int, seconds: float) -> Thought:
    """Return what the tree says now; while it grows in another thread, a moment's view."""
    main, tree = tree, next((each for each in tree.all if each.root.status >= LOST), tree)
    rules, options, root = tree.rules, tree.options, tree.root
    visits = np.zeros((rules.height, rules.size), np.int64)
    values, bounds = np.full(visits.shape, np.nan), np.full(visits.shape, np.nan)
    moves, proven = root_moves(tree.all), PROVEN.get(root.status)
    total = sum(N for N, _, _ in moves.values())
    for point, (N, W, _) in moves.items():
        visits.flat[point], values.flat[point] = N, 2 * W / N - 1
        bounds.flat[point] = W / N + options.c_uct * math.sqrt(math.log(total) / N)
    best = max(moves, key=lambda point: (moves[point][2], moves[point][0]), default=None)
    if proven == 1 and (
        best is None or moves[best][2] != RANKS[WON]
    ):  # seen before the search
        line = tree.s.win[: tree.s.ply].tolist()
        why = "VCF" if line_has_only_fours(tree, line) else "VCT"
    elif best is not None:
        child = next((child for child in root.children if child.point == best), None)
        line = [best, *(child.line() if child else ())]
        alone = len(moves) == 1 and root.status == COMPLETE
        why = "only candidate" if alone else "most visited" if proven is None else "proven"
    else:
        line, why = [first_candidate(tree)], "first candidate"
    boards = (visits, values, bounds)
    return Thought(
        line[0], why, *boards, simulations, seconds, line, proven, main.options.seed, main
    )


# *by Search*
#
# Two questions remain. Is a winning line made of fours alone, so that it deserves the name VCF? And
# what is played where there was no time for a single simulation?


# by Search · what the first moves of a search say
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


def first_candidate(tree: Tree) -> int:
    """Return the move that the search would try first: what is played with no time at all."""
    kernels = tree.kernels
    kernels.begin(tree.s)
    kernels.moves(tree.s, 0, 1, tree.options)
    return int(tree.s.moves[0])


# *by Search*
#
# Three moves need no search: one that makes five, one that stops a five, and the only one left. A win
# by fours needs none either: it is seen before the first simulation.


# by Search · moves that need no search
def winning_points(position: Position, colour: int) -> list[int]:
    """Return the points where a stone of that colour would win at once, in rising order."""
    cells, found = position.array, []
    for point in position.legal():
        cells.flat[point] = colour
        if winning_line(cells, point, position.rules.in_a_row):
            found.append(point)
        cells.flat[point] = 0
    return found


def forced_move(position: Position) -> tuple[list[int], str] | None:
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


# *by Search*
#
# A budget is seconds, simulations or both; whichever is used up first ends the search.


# by Search · a budget in seconds, in simulations, or both
class Budget(NamedTuple):
    """When to stop: whichever comes first; `stop` is an optional threading.Event."""

    seconds: float = math.inf
    simulations: float = math.inf
    stop: object = None
    clock: object = time.perf_counter
    allot: bool = False  # True: less time where the move is clear, more where it is in doubt

    def share(self, part: int, parts: int) -> "Budget":
        """Return the budget of one of several threads: the simulations are divided."""
        if self.simulations == math.inf or parts == 1:
            return self
        return self._replace(simulations=(int(self.simulations) + part) // parts)

    def records(self) -> int:
        """Return how many node records may be needed."""
        return int(min(40_000 + 2.6 * self.simulations, 40_000 + 8e6 * self.seconds, 1e9))


# *by Search*
#
# Seeds and budgets are checked before anything is compiled or searched.


# by Search · seeds and budgets that make sense
def check_seed(seed) -> int:
    """Return a seed as an int; ValueError unless it is a whole number from 0 to 2**63 - 1."""
    if not (is_whole(seed) and 0 <= seed < 2**63):
        raise ValueError(f"seed must be a whole number from 0 to 2**63 - 1, not {seed!r}")
    return int(seed)


def is_seconds(value) -> bool:
    """True for a number from 0 up, numpy's included, but not for True and False."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return number and bool(value >= 0)


def check_budget(seconds, simulations, stop=None, clock=time.perf_counter) -> Budget:
    """Return a Budget, one second if neither is given. ValueError for a bad number."""
    if seconds is None and simulations is None:
        seconds = 1.0
    if seconds is not None and not is_seconds(seconds):
        raise ValueError(f"seconds must be a number from 0 up, not {seconds!r}")
    if simulations is not None and not (is_whole(simulations) and simulations >= 0):
        raise ValueError(f"simulations must be a whole number from 0 up, not {simulations!r}")
    limits = [math.inf if limit is None else limit for limit in (seconds, simulations)]
    return Budget(float(limits[0]), limits[1], stop, clock)


# *by Search*
#
# `spend` lets the compiled search run for a slice, looks at the clock, at the stop flag and at the
# room that is left, and goes on. Twenty times a second it reports what is known.


# by Search · spend a budget on a tree, in slices of a few milliseconds
SLICE = 0.004  # seconds between two looks at the clock
REPORT = 0.05  # seconds between two reports of progress
MOST_VISITS = 2**25 - 1  # of a node: 64 times its reward must fit into 32 bits


def spend(tree: Tree, budget: Budget, on_progress=None, begun=None) -> tuple[int, float]:
    """Search until the budget ends; return (simulations, seconds since `begun` or now)."""
    told = now = budget.clock()
    begun, seconds = now if begun is None else begun, budget.seconds
    done, step = tree.run(0), 16  # the first call looks for a win by fours
    most = min(budget.simulations, MOST_VISITS - tree.root.N)
    while done < most and now - begun < seconds:
        if budget.stop is not None and budget.stop.is_set():
            break
        step = int(min(step, most - done))
        made = tree.run(step)
        done, before, now = done + made, now, budget.clock()
        if made < step:  # the root is decided
            break
        left = seconds - (now - begun)
        if tree.s.full and left > RECYCLE_SECONDS * len(tree.nodes):
            recycle(tree)
            now = budget.clock()
        step = next_step(step, now - before, min(SLICE, left))
        if now - told >= REPORT:
            told = now
            if on_progress:
                on_progress(read_tree(tree, done, now - begun))
            if budget.allot:
                seconds = allotted(tree, budget.seconds, now - begun, done / (now - begun))
    return done, now - begun


# *by Search*
#
# How many simulations fill a slice of $t$ seconds? If the last `step` of them took `took` seconds,
# then $\text{step} \cdot t / \text{took}$, but never more than four times as many as before, since
# a single measurement may be far off.


# by Search · how long the next slice is
RECYCLE_SECONDS = 4e-7  # a record, at the most


def next_step(step: int, took: float, target: float) -> int:
    """Return how many simulations should take `target` seconds, at most four times as many."""
    if took <= 0:
        return 4 * step
    return max(1, int(min(4 * step, step * max(target, 0) / took)))


# *by Search*
#
# With `allot=True` the time of a move depends on the position. Where the second move cannot catch up
# with the first any more, the search ends at once. Where the two are close when the time is up, it
# goes on for up to twice the time.


# by Search · time by position
CLOSE = 0.6  # the second move has this share of the visits of the first: in doubt


def allotted(tree: Tree, seconds: float, elapsed: float, rate: float) -> float:
    """Return how many seconds the search should take in all, given what it knows by now."""
    visits = sorted(
        (child.N for child in tree.root.children if child.status != LOST), reverse=True
    )
    first, second = (*visits, 0, 0)[:2]
    if elapsed < seconds and first - second > rate * (seconds - elapsed):
        return elapsed
    return 2 * seconds if second > CLOSE * first else max(seconds, elapsed)


# *by Search*
#
# Several threads spend the same seconds, each on its own tree; simulations are divided among them.
# The first one works in the calling thread and reports.


# by Search · several threads
def spend_all(tree: Tree, budget: Budget, on_progress=None, begun=None) -> tuple[int, float]:
    """Search with all threads of the tree; return (simulations of all, seconds)."""
    begun = budget.clock() if begun is None else begun
    made, threads, parts = {}, [], len(tree.all)

    def work(i: int, on_progress=None) -> None:
        made[i] = spend(tree.all[i], budget.share(i, parts), on_progress, begun)

    for i in range(1, parts):
        threads.append(threading.Thread(target=work, args=(i,), daemon=True))
        threads[-1].start()
    work(0, on_progress)
    for thread in threads:
        thread.join()
    return sum(done for done, _ in made.values()), max(took for _, took in made.values())


# *by Search*
#
# A player is a function of a game and a seed, so that any two can meet in a match.


# by Search · which game is searched, and players without the engine
def choose_kernels(rules: Rules, five_game) -> Kernels:
    """Return five in a row as five_game() makes it, and plain search for any other game."""
    if rules.in_a_row == 5 and not rules.gravity:
        return five_game()
    return plain_game(rules.in_a_row, rules.gravity)


def random_player(game: Game, seed: int | None = None) -> int:
    """Return a legal point at random."""
    return int(np.random.default_rng(seed).choice(game.legal()))


def plain_uct(simulations: int | None = None, seconds: float | None = None):
    """Return a player: UCT over every empty point, with no knowledge of shapes."""
    return searcher(
        lambda rules: plain_game(rules.in_a_row, rules.gravity),
        SearchOptions(solve=False),
        seconds,
        simulations,
    )


def classic(seconds: float | None = None, simulations: int | None = None):
    """Return a player: the course notebook's algorithm, hard cut included.

    The best five candidates are kept; if the best scores 2000 or more, it alone.
    """
    options = SearchOptions(keep=5, widen=0, sure=2000, solve=False)
    return searcher(
        lambda rules: choose_kernels(rules, shaped_game), options, seconds, simulations
    )


# *by Search*
#
# A searcher searches each position anew.


# by Search · a player that searches
def searcher(kernels_of, options: SearchOptions, seconds, simulations):
    """Return a player that searches each position anew and plays the most visited move."""
    budget = check_budget(seconds, simulations)

    def play(game: Game, seed: int | None = None) -> int:
        own = options._replace(seed=options.seed if seed is None else seed)
        tree = Tree(game, kernels_of(game.rules), own, budget.records())
        spend(tree, budget)
        return read_tree(tree, 0, 0.0).move

    return play

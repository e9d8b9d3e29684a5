# Made from search.ipynb by tools/build.py: change the notebook, not this file.


# *by Search*
#
# # How does the same search run more than a hundred times as fast?
#
# By giving the compiler what it is good at. Nothing of the algorithm changes. The search of the [main
# notebook](../five_in_a_row.ipynb) makes objects, looks names up and walks along lists. The one here
# keeps its whole tree in one array, its board in a few integers, and its loop in one compiled function.
# Fed the same random numbers, and asked to prove nothing, both grow the same tree, child for child and visit for
# visit. Only the clock can tell them apart.
#
# ![One simulation in four panels, on a small tree: the path that select follows, the new child that
# is added, the random game from it, and the numbers m/n on the path after backpropagation](../images/four_steps.png)
#
# *One simulation of a real search. The visits of the root are those of its children; any other node has one
# more, from its own random game.*
#
# This is one simulation: select, expand, simulate, backpropagate. The main notebook explains the four
# steps, and this one takes them as known. It asks what each of them *is* to a machine.


# *by Search*
#
# | section | what it answers |
# |---|---|
# | [What stays, and what changes](#What-stays,-and-what-changes) | Which data replace the objects? |
# | [Kernels](#Kernels) | What is compiled, and when? |
# | [The board in bits](#The-board-in-bits) | How is five in a row found without walking? |
# | [A node of 24 bytes](#A-node-of-24-bytes) | How does a tree fit into one array? |
# | [The workspace](#The-workspace) | What does a search own beside its tree? |
# | [Select](#Select) | How is UCB computed without a square root? |
# | [Expand](#Expand) | Where do untried moves come from? |
# | [Simulate](#Simulate) | How is a random game played on bits? |
# | [Backpropagate](#Backpropagate) | How does a sum stay exact? |
# | [The loop](#The-loop) | How do the parts become one function? |
# | [The same tree](#The-same-tree) | Does it do what the plain search does? |
# | [Candidates by table](#Candidates-by-table) | How are shapes scored without comparing patterns? |
# | [A search that can be stopped](#A-search-that-can-be-stopped) | How are time, memory and a result handled? |
# | [Players](#Players) | Who plays with this search? |
# | [How much faster?](#How-much-faster?) | What is the ratio, and where does it come from? |
# | [Essay: what the compiler cannot do](#Essay:-what-the-compiler-cannot-do) | Is speed a matter of the language? |
# | [Limits and sources](#Limits-and-sources) | What does it not do, and whose ideas are these? |
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | the board in bits, the winner test |
# | Search | *(name)* | the node, the four steps, the loop, the budget |
# | Heuristics | *(name)* | shapes by table, candidates |
# | Interface | *(name)* | *(nothing in this notebook)* |
# | Experiments | *(name)* | the measurements, the essay |
#
# It builds on `five_in_a_row.core`, the module of the main notebook: rules, games, results and figures.
# The studies [threats](threats.ipynb), [engine](engine.ipynb) and [strength](strength.ipynb) build on
# this one, and so do [Connect-4](connect_four.ipynb) and [tic-tac-toe](tic_tac_toe.ipynb).


# by Search · what this notebook builds on
import math
import mmap
import os
import platform
import sys
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numba import typeof

NEAR = [Path(os.environ.get("JPY_SESSION_NAME", "here")).resolve(), Path("here").resolve()]
ABOVE = [folder / "export" for place in NEAR for folder in place.parents]  # of this notebook
FOLDER = next((each for each in ABOVE if (each / "five_in_a_row").is_dir()), Path("export"))
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

from five_in_a_row.cache import compile_search, inline_kernel, jit
from five_in_a_row.core import (
    BLACK,
    DIRECTIONS,
    Game,
    Rules,
    SearchResult,
    check_functions,
    check_limits,
    check_number,
    check_seed,
    check_stop,
    check_switch,
    check_unfinished,
    point_name,
    quoted,
    winning_line,
    winning_points,
)


# *by Search*
#
# ## What stays, and what changes
#
# Python spends little time on arithmetic. It spends it on objects. Each number is an object with a
# type, each attribute is looked up by its name, each list holds addresses of things that lie anywhere
# in memory. A simulation of the plain search touches thousands of such objects.
#
# A processor likes the opposite: few kinds of numbers, next to each other, in a loop whose length is
# soon known. So the same facts are written down in another form.
#
# | in the plain search | here | section |
# |---|---|---|
# | a list of rows, a stone each cell | one integer per row and colour, a bit per stone | [The board in bits](#The-board-in-bits) |
# | a walk along four lines | shifts of whole rows | [The board in bits](#The-board-in-bits) |
# | a node object with a list of children | a record; children are neighbours in one array | [A node of 24 bytes](#A-node-of-24-bytes) |
# | a board in every node | one board, played on and set back | [The workspace](#The-workspace) |
# | a reward of 1, ½ or 0 | 64, 32 or 0: sums of integers are exact | [Backpropagate](#Backpropagate) |
# | functions handed over as arguments | functions closed over, then compiled together | [The loop](#The-loop) |
# | a shape as a string | a number that looks the shape up | [Candidates by table](#Candidates-by-table) |
#
# The rows of this table are not tricks of one program. Many fast game programs do the same, in any
# language: *bitboards*, nodes in one block of memory, incremental work in place of repeated work,
# answers looked up in place of computed.
#
# What stays is everything that decides a move: which child is selected, in which order moves are tried,
# which random number is drawn when, and what a result adds to whom.


# *by Search*
#
# ## Kernels
#
# A **kernel** is a Python function that [numba](https://numba.pydata.org) compiles to machine code. At
# its first call numba looks at the types of the arguments, works out the type of every variable from
# them, and hands the result to the compiler LLVM, the one behind many C programs. The second call with
# the same types runs machine code.
#
# This works for a part of Python only: numbers, arrays, records, tuples, loops. In return a kernel
# needs no interpreter, and so it need not hold Python's global lock (GIL). The kernels here release it
# (`nogil`), so that a window goes on drawing while a search runs in another thread.
#
# `jit` comes from the plain file `cache.py` of the package. It compiles a function when it is first
# called, and keeps the machine code on disk if the function stands in a module. A function that is
# written in a live notebook is compiled anew, so that an edit always counts. The source stays at hand
# as `py_func`, which makes it easy to check a kernel against plain Python.


# *by Search*
#
# One habit matters more than any other. numba *freezes* globals: a kernel takes the value that a global
# has when it is compiled, and keeps it. A program that stores its board size in a global goes on
# playing on the old board after the size was changed, with no error. So here everything that may change
# is an argument, and only true constants are global.


# *by Search*
#
# Three more habits show in every kernel below.
#
# **Types are written out.** Records hold small integers to save memory, but arithmetic is done in 64
# bits: hence `np.int64(...)` around what is read from them. Mixing unsigned with signed integers of 64
# bits makes a floating-point number, in numpy and numba alike, since no integer type holds both. That
# is why the random generator, which needs unsigned numbers, has constants of its own type.
#
# **Nothing is checked.** A kernel that reads beyond the end of an array gets whatever stands there. So
# each size is fixed by an argument about the largest board, and the tests compile all kernels once more
# with checks switched on.
#
# **Checks live outside.** A kernel gets what a Python function has looked at before. `check_budget`
# rejects a negative time with a message that says why; the kernel never sees one.
#
# Small kernels cost nothing. A call from one kernel to another is usually *inlined*: the compiler
# writes the body where the call stood. So the functions here may be as short as the reader likes.


# *by Rules*
#
# ## The board in bits
#
# A position for the search is a **record**: fields of fixed type and length side by side in memory,
# which numpy describes by a `dtype`. All fields have room for the largest board, 20×20, so that one
# compiled search serves every size.
#
# `BOARD` changes with every move. A row of stones is one integer in `stones`: the rows of black, some
# empty rows, the rows of white. The empty rows keep a column from running out of one colour into the
# other. `lines` and `near` serve the heuristics of [Candidates by table](#Candidates-by-table); plain
# search never touches them, and what is never touched costs nothing.
#
# `GEOMETRY` is worked out once for each board. It answers, by a look into an array, what plain Python
# computes again and again: in which row is a point, which bit is it, which lines go through it.


# by Rules · the board as the search sees it
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


# by Rules · what never changes on a board of one size
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
# The list counts its own bytes only, not the numbers in it. Copying a position is what a search does
# most: once for each simulation. Here it is a copy of a few machine words; in the plain search each new
# node copies a list of lists. The search therefore never takes a move back. It is cheaper to forget the
# board and begin again at the root.


# *by Rules*
#
# `set_geometry` numbers the lines of a board: rows, columns, and the diagonals of either kind. For each
# point it notes its four lines, and where on each of them the point lies, at two bits a point. On one
# diagonal row and column rise together, so their difference is the same on all of it; on the other
# their sum is.


# by Rules · fill the record of a board's geometry
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
# The board also keeps which points lie near a stone, for the course notebook's candidates. Near means
# at most $\sqrt{18}$ away: a point `step` rows up or down and `reach` columns to the side is near if
# $\text{step}^2 + \text{reach}^2 \le 18$. The nine rows of this disc are nine integers. To mark it,
# each is shifted to its column and joined to the row by *or*: nine operations in place of a look at 81
# points.


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
# `set_board` writes a position into the record, once as bits and once as lines. On a line each point
# takes two bits: 0 empty, 1 black, 2 white, 3 beyond the edge. A remainder turns a cell into these
# bits, since `-1 % 3` is 2.


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
# Now the winner. A row is an integer $x$ with one bit per stone. In Python `x >> k` moves all bits $k$
# places down, `x & y` keeps the bits that both have, and `x | y` those that at least one has. So `x & x
# >> 1` has a bit wherever two neighbours are set, and `x & x >> 1 & x >> 2 & x >> 3 & x >> 4` has one
# wherever five in a row begin: all fives of the row are found at once.


# *by Rules*
#
# The rows above, not shifted, give the columns in the same way; shifted by one place more for each row,
# to either side, they give the diagonals. So one pass looks at the whole board, and a processor can do
# several rows at a time.
#
# The plain search walks from the last stone, which is the right choice there: a walk is a few steps.
# Compiled, such a walk would not be slower than a pass. But a walk answers for one stone, and the pass
# for all of them. So a random game need not be looked at after every move, and that is what the bits are
# for: the [essay](#Essay:-what-the-compiler-cannot-do) measures it.
#
# `build_has_run` makes the test for any number in a row. The number is fixed when the kernel is
# compiled, so the compiler can write out the inner loop.


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
# ## A node of 24 bytes
#
# In the plain search a node is an object with a board, a parent, a list of children and a dozen other
# attributes. A record of it needs far less.
#
# - **No board.** The walk from the root plays the moves as it goes, on the one board that the search
#   owns.
# - **No parent.** The walk remembers its path, and backpropagation goes along it.
# - **No list of children.** All nodes live in one array, and the children of a node are neighbours in
#   it. Two numbers name them: the index of the first, and how many there are. A loop over them reads
#   memory in order, which is what a processor's cache is made for: memory arrives in lines of 64 bytes,
#   so that two or three children come with one look.
#
# What is left is what the formulas need: visits $N$, reward $W$, the move, and a few small numbers. $W$ is stored 64
# times as large, as a whole number: a win adds 64, a draw 32. `inv_sqrt` holds $1 / \sqrt N$, so that [Select](#Select)
# takes no square root. `prior` is not read by the searches of this notebook; the [engine](engine.ipynb) keeps there
# what it thinks of a move before any visit.
#
# `status` says what is known for certain of a node. `OPEN` and `COMPLETE` are undecided: more moves may
# be added, or every move has a record. The other three are decided.


# by Search · one record a node
OPEN, COMPLETE = 0, 1  # more moves may be added; no more moves
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
        ("status", np.int8),  # OPEN, COMPLETE, LOST, DRAWN or WON
        ("prior", np.uint8),  # how promising the move looked before any visit
    ],
    align=True,
)


# *by Search*
#
# A tree is an array of such records. Its memory is *mapped*: the operating system promises it, hands it
# over page by page when records are first written, and takes it back at once when the array is dropped.
# So a search may ask for as many records as it could ever need.


# by Search · an array for a tree
def empty_tree(records: int) -> np.ndarray:
    """Return an array of that many NODE records, with the root in the first."""
    tree = np.frombuffer(mmap.mmap(-1, records * NODE.itemsize), NODE)
    tree["move"][0] = -1
    return tree


# *by Search*
#
# `Node` is a view for people. It reads a record and changes nothing. It has the same names as the node
# of the [plain search](../five_in_a_row.ipynb#3.-The-game-node), so that figures can draw either.


# by Search · a node as people read it
class Node:
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
    def children(self) -> list["Node"]:
        """The visited children, most visited first."""
        first, tried = (
            int(self.tree["first_child"][self.index]),
            int(self.tree["num_visited"][self.index]),
        )
        nodes = [
            Node(self.tree, i, self.size, self.places) for i in range(first, first + tried)
        ]
        nodes = [node for node in nodes if node.N]  # one may just be visited
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
# The children of a node must stay neighbours. A node that needs more of them moves them all to a larger
# block of records. At first it gets a block of one (of five in `classic`), and later of a third as many
# again, plus one. The block it leaves joins a **free list** of blocks of that size, and the next node
# that wants one takes it from there. So little memory lies idle, and no record is ever searched for.
#
# Growing costs a copy now and then. But most nodes of a search tree are leaves with few visits, and a
# block for all moves of each would be nearly empty.


# by Search · more children
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


# *by Search*
#
# ## The workspace
#
# Beside its tree a search owns a **workspace**, a record: the position it was asked about and the one it
# plays on, lists of moves, the path of the walk, the state of its random generator. It is made once, so no
# step of the search has to ask for memory. In the plain search nearly every line asks for some: a new list,
# a new set, a new object.
#
# First the numbers that a search depends on. They stand in one tuple that is passed to whatever needs
# them. A kernel accepts a `NamedTuple` as an argument, and compiles one search for its types. So the
# fields that only the [engine](engine.ipynb) reads stand here too. The $c$ of the UCB formula is
# `c_uct`.


# by Search · every number the search depends on
class SearchOptions(NamedTuple):
    """What the search depends on; change one with options._replace(c_uct=1.0)."""

    c_uct: float = 0.5  # exploration constant of ucb, for rewards in 0...1
    c_prior: float = 1.0  # engine: exploration constant of puct
    # engine: how much worse than its node an unvisited child counts
    fpu_reduction: float = 0.1
    max_children: int = 400  # children a node may have at first, best score first
    forcing_score: int = 20_000  # a candidate that scores this much is the only one
    solve: bool = True  # prove wins, losses and draws
    dead: bool = True  # engine: a position where no five fits any more is a draw
    vcf_nodes: int = 60  # engine: positions to look at for a win by fours in a node; 0: never
    vct_nodes: int = 400_000  # engine: positions to look at for threats at the root; 0: never
    doubt: float = 0.1  # engine: of a long budget, for each doubt of the favourite; 0: never
    learned: bool = True  # engine: priors as its games taught them; False: by hand
    places: bool = True  # engine: a value that sees where shapes lie; False: by their counts
    seed: int = 2024  # the whole notebook repeats from this number
    # bytes for the tree and the one that follows it; the root's children always have room
    memory: int = 256_000_000


# *by Search*
#
# **Random numbers** come from one integer $x$ of 64 bits. Each draw multiplies it, adds to it and keeps
# the low 64 bits: a linear congruential generator with Knuth's constants. Its high 32 bits $h$ give a
# whole number below $n$, namely $h \, n / 2^{32}$ rounded down. The plain search draws from the same
# generator, and this is what lets the two be compared number by number.
#
# In Python an integer grows as it needs, and `% 2**64` cuts it off. A machine integer of 64 bits cuts
# itself off.


# by Search · random numbers that repeat
MULTIPLIER, INCREMENT = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
HALF = np.uint64(32)


@jit
def random_below(workspace, n):
    """Return a random whole number from 0 to n - 1; workspace.random, uint64, moves on."""
    workspace.random = workspace.random * MULTIPLIER + INCREMENT
    return np.int64((workspace.random >> HALF) * np.uint64(n) >> HALF)


# *by Search*
#
# A list of moves is an array and a length, a path is an array and a depth: nothing in the workspace
# ever grows. A game may add fields of its own, `extra`; the searches for forced wins of
# [threats](threats.ipynb) do.


# by Search · what every search owns beside its tree
def search_fields(board: np.dtype) -> list:
    """Return the fields of a search's workspace for a game with that kind of board."""
    return [
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
        ("path", np.int32, 402),  # the nodes of the walk, root first
        ("free_list", np.int32, 512),  # free blocks of the tree, see grow
        ("random", np.uint64),  # state of the random generator, see random_below
        ("win", np.int16, 80),  # a line that wins by force, if one was seen
        ("ply", np.int64),  # its length
    ]


# by Search · the workspace of a search
@lru_cache
def search_record(board: np.dtype, extra: tuple = ()) -> np.dtype:
    """Return the record of all that one search owns beside its tree; `extra`: more fields."""
    return np.dtype([*search_fields(board), *extra], align=True)


# *by Rules*
#
# To play a stone is to set one bit. In `stones` the rows of black begin at 0 and those of white at `half`; `start` says
# where the mover's begin. So the turn passes by $\text{start} \leftarrow \text{half} - \text{start}$. Every simulation
# begins with a copy of the root, a hundred bytes or two; so no move of a walk has to be taken back.


# by Rules · reset and apply, on bits
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


# *by Rules*
#
# Why copy rows and not take moves back? A simulation plays a walk and then a random game, some fifty
# stones on a small board. To take them back would touch each of them once more, in a random order. To
# copy the root touches each row once, in order. The copy is short, and there is nothing in it to get
# wrong.


# *by Search*
#
# A **game**, for the search, is a handful of small compiled functions. The search knows nothing else of
# it. The [Connect-4](connect_four.ipynb) study searches its grid of two integers with the same loop, by
# another handful. Four of them come later: `legal`, `rollout`, `select` and `terminal`. Those with a default are
# for games that know more than their rules.


# by Search · what the search must know of a game
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
    select: object = None  # the selection policy; None: ucb
    rule: str = "UCB"  # the formula that `select` compares: "UCB" or "PUCT"
    turned: bool = False  # True: all turnings of a position are one search, see first_turning
    extra: tuple = ()  # fields that the game adds to the workspace


# *by Search*
#
# `new_search` fills the workspace for a position: its geometry, its stones, its random state. The
# points are put into a random order by the shuffle of Fisher and Yates: swap each with itself or a
# random later point.


# by Search · all that one search owns
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


# *by Search*
#
# ## Select
#
# The rule is that of the plain search: the child with the highest **UCB**, and any child without visits
# first. Two things make it cheap. A record keeps $r = 1/\sqrt{n}$, and then
#
# $$\frac{m}{n} + c \sqrt{\frac{\ln N}{n}} = r \, \big( m \, r + c \sqrt{\ln N} \big)$$
#
# The second term in the bracket is the same for all children. So a node costs one logarithm and one
# root, and each of its children two multiplications and an addition, where the formula as it stands
# asks for a division, a logarithm and a root per child. The root of $n$ is taken when $n$ changes,
# which happens once per simulation and ply; it is read as often as there are siblings.
#
# **Why $\ln N$ stands under the root.** By [Hoeffding's
# inequality](https://doi.org/10.1080/01621459.1963.10500830) (1963) the mean of $n$ independent results from 0 to
# 1 lies $\varepsilon$ or more below the true value with a probability of at most $e^{-2 n \varepsilon^2}$. For
# $\varepsilon = c \sqrt{\ln N / n}$ that is $N^{-2 c^2}$, whatever $n$ is: every child, often visited or not, runs the
# same small risk of being underrated. As $N$ grows the risk falls, so a good child that began unluckily does not stay
# neglected for ever.
#
# With $c = \sqrt 2$, the constant of UCB1 and Kocsis and Szepesvári's $2 C_p$ for $C_p = 1 / \sqrt 2$, the risk is $N^{-4}$,
# which their proofs need; with ½ it is only $N^{-1/2}$. Which plays better is
# [measured](strength.ipynb#The-price-of-exploration).
#
# Equal scores are decided at random. Of several best scores the $k$-th takes the place of the one
# before with probability $1/k$, so each of them is chosen equally often in the end.


# *by Search*
#
# Some results are certain: a five, a full board. **MCTS-Solver** (Winands, Björnsson and Saito 2008)
# carries them up. A node from which the opponent has a winning move is lost for the player who moved
# into it. It is won for that player only when *every* reply has been tried and loses; a list of replies
# that may be incomplete proves nothing.


# by Search · certain results travel up
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


# *by Search*
#
# So the compiled search does one thing that the plain one leaves out: it does not forget what is
# certain. A child that loses is not visited again. One that draws is visited every other time only, so
# that the search goes on looking for a win. `options.solve` switches this on.


# by Search · children that select passes over
@jit
def is_settled(status, visits):
    """True if a child of that status is not worth this visit of its parent."""
    return status == LOST or (status == DRAWN and visits & 1 == 1)


# *by Search*
#
# The scores are numbers of 32 bits: half the memory, twice as many at once. That precision is enough,
# since $n$ and $m$ are small and the noise of a few random games is far larger. Every game of `Kernels`
# may bring a selection policy of its own; any function of this form can replace `ucb`.


# by Search · select: the child with the highest upper confidence bound
@jit
def ucb(workspace, tree, node, untried, options):
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


# *by Search*
#
# ## Expand
#
# When the walk reaches a node with moves not yet tried, it visits **one** of them as a new child. Which
# moves there are, and in which order, is up to the game. Plain search takes all empty points in random
# order.
#
# To draw an untried move, mark the points that are taken or already listed, one bit each, and draw
# points until one is free. A list of all moves at every node would cost more memory than the nodes
# themselves; this costs none. Late in a game most draws fail, but a draw is a multiplication and a look
# at a bit.


# *by Search*
#
# `taken` borrows the array `scores` for its bits: plain search has no scores, and a kernel that borrows
# needs no memory of its own. Where stones fall, only the lowest empty point of each column is free, so
# every point above an empty one is marked as taken too. The plain search draws in the same way, from a
# set in place of bits.


# by Search · untried moves in random order
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


# *by Search*
#
# `expand` makes sure that a child without visits is at hand; whether it is visited is for the selection
# policy to say. It works from a stock: `num_children` children have a record, `num_visited` of them have visits. If
# the stock is used up, `add_children` asks the game for more moves, and `grow` makes room for them.
#
# A game that lists its moves *best first* takes at most `options.max_children` children: 400, which is all of
# them, unless a player asks for fewer. While every one of them is known to be lost the node takes more,
# for a defence must not be missed because it scored low. `limit_of` may set another limit; the study
# [strength](strength.ipynb) tries one that grows with the visits.


# by Search · how many children a node may have
@jit
def child_limit(record, options):
    """Return how many children a node may have where moves come best first."""
    return options.max_children


# by Search · more children, from the game
def build_add_children(game, limit_of):
    """Return add_children(workspace, tree, node, options) -> True if there is a new child."""
    batch, best_first, more_moves = game.batch, game.best_first, game.legal

    @inline_kernel
    def add_children(workspace, tree, node, options):
        record, limit = tree[node], workspace.order.size
        count = np.int64(record.num_children)
        if best_first and options.max_children < limit:
            if not (count >= options.max_children and proven_status(tree, node) == LOST):
                limit = limit_of(record, options)
        size = min(limit, max(batch, count + count // 3 + 1))
        if size <= count:
            return False
        if workspace.free_list[size] == 0 and workspace.free_list[0] + size > tree.size:
            workspace.full = 1
            return False
        for i in range(count):
            workspace.moves[i] = tree[record.first_child + i].move
            workspace.priors[i] = tree[record.first_child + i].prior
        workspace.complete = 0
        found = more_moves(workspace, count, size - count, options)
        if found > count and not grow(tree, workspace, node, found):
            return False
        if found < size or workspace.complete:  # the game has no more
            record.status = COMPLETE
        return found > count

    return add_children


# by Search · expand: have one child ready that has not been visited
def build_expand(game, limit_of=None):
    """Return expand(workspace, tree, node, options) -> index of a child without visits, or 0.

    limit_of   limit_of(record, options): how many children a node may have; None: child_limit
    """
    add_children = build_add_children(game, limit_of or child_limit)

    @inline_kernel
    def expand(workspace, tree, node, options):
        record = tree[node]
        if record.num_visited == record.num_children:  # none in stock
            if record.status != OPEN or not add_children(workspace, tree, node, options):
                return np.int64(0)
        return np.int64(record.first_child + record.num_visited)

    return expand


# *by Search*
#
# ## Simulate
#
# From the new node the game is finished by uniform random moves. Here nearly all the time of a plain
# search is spent, and here bits pay off most.
#
# A random game is a random order of the empty points, taken by black and white in turn. A five, once
# made, stays. So there is no need to look for one after every stone: the rollout places stones **in
# batches of 8 plus ⅛ of the rest**, and looks once after each batch. If one colour has a five by then,
# it has won. If *both* have one, someone made it first. That batch is halved again and again, with
# stones taken off or put back, until the stone that made the first five is found.
#
# The order of points is shuffled batch by batch as well, and the shuffle stops where the game does. The
# next rollout shuffles on from the order that this one left: a deck need not be sorted before it is
# shuffled again.


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


# *by Search*
#
# The rollout keeps the random state in a local variable, which the compiler holds in a register, and
# writes it back at the end. Apart from that it is the plain rollout: shuffle a batch, skip the points
# that are taken, put stones down in turn.


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


# *by Search*
#
# Where stones fall (Connect-4), a random move is a random column that is not full, and the rollout must
# look at the board after each stone.


# by Search · simulate where stones fall
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


# *by Rules*
#
# Before a new node is played out, two things are looked at: has the player who just moved made a line,
# and is the board full? Only that player's rows are tested, since nobody makes a line by the other's
# stone. With this the first game is complete: any game of `Rules`, with every legal move as a child.


# by Rules · has the player who just moved won?
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


# by Search · plain search: every move, in random order
@lru_cache
def plain_game(in_a_row: int = 5, gravity: bool = False) -> Kernels:
    """Return the kernels of any game of Rules, with every legal move as a child."""
    rollout = (build_falling_rollout if gravity else build_rollout)(in_a_row)
    terminal = build_terminal(in_a_row)
    return Kernels(
        BOARD, reset_stones, apply_stones, terminal, mover, build_untried(gravity), rollout
    )


# *by Search*
#
# ## Backpropagate
#
# The result goes back along the path, and changes side at each ply: $r$ for the player of one move is
# $1 - r$ for the player of the next. In the code the reward is $64\,r$, since that is how the records
# hold it.
#
# Why 64? A sum of many values, of an evaluation say, in numbers of 32 bits would soon be rounded, and then
# the order in which results come in would matter. Sums of whole numbers are exact. And 64 leaves room between a loss
# and a win for the [engine](engine.ipynb), whose evaluation is a value between the two.
#
# A node whose result is certain hands on that result in place of the rollout's.


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
# ## The loop
#
# Four steps, again and again. The loop is written once, for any game and any selection policy. In the
# plain search these are arguments: Python looks them up at each call, and calls them. A compiled kernel
# could do the same, by pointers to functions. But then the compiler would see each function alone.
#
# Here `build_search` receives the functions and **closes over** them: the inner function refers to
# `select`, `apply` and `rollout` as variables of the outer one. numba treats such variables as
# constants, and compiles all parts as one. The compiler puts the body of `apply` where it is called,
# sees that the board's place in memory never changes, and keeps in registers what several steps share.
# The result is as if the loop had been written for that game alone; and each game gets its own.


# *by Search*
#
# `walk` is the way down. It expands and selects until it has visited a child for the first time
# (`fresh`), or can go no further. It plays the moves on the one board as it goes, so that the board is
# that of the node where it ends.


# by Search · select and expand: the way from the root to a node that is new
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
            fresh = tree[child].N == 0
            tree[node].num_visited += fresh
            apply(workspace, np.int64(tree[child].move))
            depth, node = depth + 1, child
            workspace.path[depth] = node
        return node, depth, fresh

    return walk


# *by Search*
#
# Read it beside the plain `simulation` of the [main notebook](../five_in_a_row.ipynb#8.-The-loop).
# There, `expand` adds children where all known ones have visits, then `select` chooses, then a child
# without visits ends the walk. Here it is the same in one line, from the inside out: `expand` says
# which child is waiting, `select` compares or takes it. The two lines on `proven_status` are for the case that
# nothing is left to visit, since every child is known to lose. `path` replaces the parents: after the
# walk it holds the nodes that `backpropagate` goes along.


# *by Search*
#
# Each turn of the `for` loop is one simulation. A node that is not decided is played out; one that is decided begins a
# proof; and the reward goes back up the path. With the result $v$ of the rollout, $+1$ for black to $-1$ for white, and
# $p$ the player who moved into the node, the reward is $32 + 32 \, p \, v$: 64 for a win, 32 for a draw, 0 for a loss.


# by Search · the search: written once, compiled for a game and a policy
def build_search(game, select=None, expand=None):
    """Return search(workspace, tree, options, simulations), compiled for a game and a policy.

    It returns how many simulations it made: fewer than asked once the root is decided. A full
    tree grows no further; its leaves are then played out again, or the run ends after the
    simulation that filled it if workspace.stop_when_full is 1. The search holds no lock, so
    other threads go on.
    """
    expand, select = expand or build_expand(game), select or game.select or ucb
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
            backpropagate(tree, workspace.path, depth, reward)
        return simulations

    parts = (part for part in game[1:] if part is not None)
    return compile_search(search, expand, select, *parts)


# *by Experiments*
#
# A search tree is too large to draw whole. `draw_tree` draws its most visited part: one box per node, with the
# move, $N$ and $Q$. The wider a line, the more simulations went that way.


# by Experiments · the top of a search tree
def draw_tree(ax, node, depth: int = 3, width: int = 3, to_move: int = BLACK) -> None:
    """Draw a node and the most visited part of the tree below it.

    depth     how many plies deep; `width` children of each node at most
    to_move   who is to move at `node`: +1 black, -1 white
    """
    places, lines = [], []
    place_tree(node, 0, depth, width, [0.0], places, lines)
    for (x, y), (x2, y2), share in lines:
        ax.plot([x, x2], [-y, -y2], color="tab:blue", linewidth=0.6 + 7 * share, zorder=1)
    for x, y, each, hidden in places:
        black = (to_move == BLACK) == (y % 2 == 1)  # who moved into this node
        face, ink = ("0.15", "white") if black and y else ("white" if y else "0.88", "black")
        text = f"{each.move or 'root'}\nN {each.N:,}\nQ {each.Q:.2f}" if each.N else "root"
        box = {"boxstyle": "round,pad=0.35", "facecolor": face, "edgecolor": "0.15"}
        middle = {"ha": "center", "va": "center", "zorder": 2}
        ax.text(x, -y, text, fontsize=8, color=ink, bbox=box, **middle)
        if hidden:  # beside a node with children, below one without
            ha, shift = ("left", (23, 0)) if y < depth else ("center", (0, -29))
            note = {"fontsize": 7, "color": "0.3", "ha": ha, "va": "center"}
            note |= {"xytext": shift, "textcoords": "offset points"}
            ax.annotate(f"{hidden} more", (x, -y), **note)
    columns, deepest = max(place[0] for place in places), max(place[1] for place in places)
    ax.set(xlim=(-0.6, columns + 0.6), ylim=(-deepest - 0.6, 0.45))
    ax.set_axis_off()


# by Experiments · where each node stands
def place_tree(node, y, depth, width, free, places, lines, total=None):
    """Place a node above its children, leaves from left to right; return its column."""
    total = total or max(1, node.N)
    children = sorted(
        (child for child in node.children if child.N), key=lambda child: -child.N
    )
    shown = children[:width] if y < depth else []
    columns = [
        place_tree(child, y + 1, depth, width, free, places, lines, total) for child in shown
    ]
    if columns:
        x = (columns[0] + columns[-1]) / 2
    else:
        x, free[0] = free[0], free[0] + 1
    for column, child in zip(columns, shown, strict=True):
        lines.append(((x, y), (column, y + 1), child.N / total))
    places.append((x, y, node, len(children) - len(shown)))
    return x


# *by Experiments*
#
# On a larger board the whole search is one call. It takes a fraction of a second, and the figures of
# the main notebook show what it found.


# *by Search*
#
# ## The same tree
#
# Is it the same search? A faster program that plays slightly differently is easy to write and hard to
# notice: it still finds good moves. So the two are compared in full. Both get the same position, the
# same seed and the same number of simulations. Then their trees are walked side by side: the same
# children in the same order, each with the same visits and the same reward, down to the last leaf.
#
# Four places in the search ask for random numbers: the shuffle at the beginning, the draw of an untried
# move, a tie between equal scores, and the rollout. The trees can agree only if all four ask in the
# same order, each as often as in the other program. That is a strict test. A single draw too many, and
# from there on the two searches have nothing in common.
#
# One thing could spoil this: the scores of `ucb` have 32 bits here and 64 bits in Python, so two bounds
# could differ here and be equal there. In thousands of random positions that a test compares it does
# not happen with so few visits; over millions of simulations it may. The tree would then be another
# one, and just as good.


# *by Heuristics*
#
# ## Candidates by table
#
# Plain search has to try every empty point before it can compare them. The course notebook's algorithm,
# called `classic` here, offers the search only the five points that score best. Its score asks of every
# empty point near a stone what a stone there would *make*, and what it would *break*; the [main
# notebook](../five_in_a_row.ipynb#10.-Heuristic-child-selection) shows the table of scores, and why
# such a cut is dangerous.
#
# There a shape is a string of nine characters, and a search for patterns in it. That is how one thinks
# of it, and it is slow: four lines, two colours, a dozen patterns, for every point of every new node.
#
# But how many lines are there? The shape of a line depends only on the four neighbours each way. Each
# of these eight points is empty, black, white or beyond the edge: two bits. So a neighbourhood is a
# number below $2^{16}$, and **every answer can be worked out once**, for all 65,536 numbers, and kept
# in a table. No pattern is compared during the search.


# *by Heuristics*
#
# First the words as numbers: a better shape has a larger one. `ONE`, `TWO` and `THREE` are used by
# [threats](threats.ipynb). A pattern is six bits, one for each of six neighbouring points: own stones
# are 1, and every 0 must be an empty point.


# by Heuristics · the shapes as numbers, and their patterns
NONE, ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(9)
SCORED = (OPEN_TWO, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)  # the shapes of the table above
TWO_BESIDE = True  # an open two counts beside its line's best shape, as in the course
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
# For example, an own black stone at one end and a white one beside the middle on the far side give
# $1 \cdot 4^0 + 2 \cdot 4^4$. `line_cells` turns all 65,536 codes back into nine places, the point itself in the
# middle, so that numpy can look at all of them at once.


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
# tried from the weakest to the best, and a better one overwrites. The six points of a pattern may begin
# at four places of the nine, so that the stone in the middle is among them.
#
# The course's code looks for open twos once more, whatever else it has found: in `..X.XX...` the stone in
# the middle makes an open three with the two others, and with its neighbour alone an open two as well. Both
# count. `TWO_BESIDE = False` counts the best shape of a line alone.


# by Heuristics · the best shape of each line
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


# *by Heuristics*
#
# A point lies on four lines, and the shapes of both colours on them add up to its score for the player
# to move. The scores are those of the course notebook. `makes` and `breaks` are two columns of the same
# table: to break a shape is to play where the opponent would make it; a three or a four is worth about half. A four
# together with an open three counts in the rows of both; a four alone scores nothing.


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
# Counting is done by one addition: each shape has three bits of its own in an integer, so the sum over
# four lines holds all five counts. Black's counts fill the low half, white's the high half. The sum of
# one colour is again a number, below $2^{15}$, and its score stands in another table.


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
        empty = (cells == 0) & ~own
        shape = classify_lines(own, empty)
        if TWO_BESIDE:
            counts += (find_shape(own, empty, OPEN_TWO) & (shape != OPEN_TWO)) << low
        for place, kind in enumerate(SCORED):
            counts += (shape == kind) << (low + 3 * place)
    sums = [np.arange(1 << 15) >> 3 * i & 7 for i in range(5)]
    tables = (counts, score_of(sums, True), score_of(sums, False))
    return Shapes(*(table.astype(np.int32) for table in tables))


# *by Heuristics*
#
# On the board a line is one long integer, two bits a point. Moved down to the first of nine places, its
# low 18 bits are the neighbourhood of a point, the middle included. `code_of` drops the middle: the low
# four places stay, the high four move down by one. `score_point` is then four look-ups, an addition,
# and two look-ups more.


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


# *by Heuristics*
#
# To play a stone now means more: its two bits are set on four lines, and the points around it become
# near ones. And more of the root is copied when a simulation begins.


# by Heuristics · reset and apply, with lines and the points near stones
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


# *by Heuristics*
#
# Candidates are the empty points near a stone. Where no point is near one, `first_moves` names the
# middle, or the first empty point if the middle is taken.


# by Heuristics · near a stone; not yet listed
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


# by Heuristics · the first move of all
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


# *by Heuristics*
#
# `candidates` looks at the points in random order and keeps the best by insertion, so that equal scores
# are decided at random. If the best scores `forcing_score` or more, it alone is kept: 2,000 in `classic`.


# by Heuristics · the best moves not yet listed
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


# *by Heuristics*
#
# With candidates in place of all moves the second game is complete. Rollouts stay as they were, and
# a node asks for five moves at once, best first. The loop is not touched: `build_search` closes over
# other functions, that is all.


# by Heuristics · five in a row with candidates
@lru_cache
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


# *by Search*
#
# ## A search that can be stopped
#
# A compiled function cannot be interrupted. If it ran for a second, a window could not show progress, a
# click could not stop it, and a deadline would be met by luck. So the search runs in **slices** of a
# few milliseconds, and Python looks at the clock between them. All that a search knows lies in its
# workspace and its tree, so the next slice goes on where the last one ended, and nothing is lost.
#
# A `Tree` is such a search: the workspace, the nodes, and which position of which game they belong to.


# *by Search*
#
# A tree is worth keeping when the game goes on: what lies below the two moves just played is a search
# of the new position. `copy_subtree` copies it level by level. The copied nodes stand in a row, and
# each in turn has its children appended at the end. Until its turn comes, a copied node still says
# where its children stand in the old array, so no list is needed beside the new array itself.
#
# A large tree takes a second to copy, too long for a click to wait. So it is copied in pieces, and between
# two of them `go_on` is asked. Where it says no, the nodes whose turn has not come become leaves: what is
# there by then is a tree, only less deep.


# by Search · copy a part of a tree
PIECE = 10_000  # nodes that get their children between two looks at the clock
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
    go_on   asked after each PIECE; once it is False, all that follow become leaves
    """
    new[0], done, end = old[node], 0, 1
    new["move"][0] = -1
    while done < end:
        done, end = copy_nodes(old, new, done, end, least, done + PIECE)
        if least < EVERY_NODE and not go_on():
            least = EVERY_NODE
    return end


# *by Search*
#
# A tree asks for memory once. How much depends on the budget: a search of a few hundred simulations
# needs a small array, a search of ten seconds a large one, and the options set a limit for both. The
# search is compiled when a tree is made, not when it is first used, so that compiling never counts as
# thinking. However little memory is allowed, there is room for four times the children of the root: half
# of it stays free when the [tree is recycled](#A-search-that-can-be-stopped), and no move of the root is
# ever forgotten.


# *by Search*
#
# A board can be turned in four ways, and each of them mirrored: eight **turnings** of one position. They are
# equally good, but not for a search that takes its moves in the order of their points: a win that it finds at once in
# one turning may cost it a thousand simulations in another. So a game of `Kernels` may ask to be `turned`: of the eight,
# the one whose stones come first is searched, whichever was given. All eight are then one search, and cost the same. A
# later tree of the same game keeps the turning of the first. `places` leads back to the points of the game.


# by Search · of the turnings of a position, the one that is searched
def first_turning(game: Game) -> np.ndarray:
    """Return the place on the board of the game of each point that is searched, int[points].

    The turnings of a position all give the same stones there, unless the board is no square.
    """
    points = np.arange(game.rules.points).reshape(game.array.shape)
    turned = [np.rot90(each, k) for each in (points, points.T) for k in range(4)]
    same = [each.ravel() for each in turned if each.shape == points.shape]
    cells = game.array.ravel()
    return min(same, key=lambda places: cells[places].tobytes())


# by Search · a search tree that can be asked, stopped and continued
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
    def root(self) -> Node:
        """The root, as a Node."""
        return Node(self.nodes, 0, self.rules.size, self.places)


# *by Search*
#
# Three small things that it needs. Options are brought to one type each, so that `c_uct=1` and `c_uct=1.0` do
# not compile two searches, and one of another type or outside its range is refused by name. Two games are the same if
# they began from the same stones and played the same moves. And a search is built once for each kind of game.


# by Search · options, beginnings and searches that compare as equal
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


# *by Search*
#
# A **budget** is seconds, simulations or both; whichever is used up first ends the search. It may carry
# a flag that another thread raises to stop the search, and a clock of its own, so that a test can use a
# fake one.


# by Search · a budget in seconds, in simulations, or both
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


# *by Search*
#
# A budget is checked before anything is compiled or searched, by the `check_limits` of the main
# notebook. Where neither limit is given, a second is enough here. No node can count more than
# `MOST_VISITS`, so a larger number of simulations is refused. Beside a time it is no limit, and the clock decides;
# a search by the clock that gets there ends and says why.


# by Search · a budget within its limits
MOST_VISITS = 2**25 - 1  # of a node: 64 times its reward must fit into 32 bits


def check_budget(seconds, simulations, stop=None, clock=time.perf_counter) -> Budget:
    """Return a Budget, one second if neither is given. ValueError for what is none.

    More simulations than a node can count are no limit beside seconds; alone they are refused.
    """
    check_stop(stop)
    if not callable(clock):
        raise ValueError(f"clock must be a function that tells seconds, not {quoted(clock)}")
    if seconds is None and simulations is None:
        seconds = 1.0
    limits = check_limits(seconds, simulations)
    if seconds is None and limits[1] > MOST_VISITS:
        raise ValueError(
            f"simulations must be at most {MOST_VISITS:,}, not {quoted(simulations)}"
        )
    return Budget(*limits, stop, clock)


# *by Search*
#
# How many simulations fill a slice of $t$ seconds? If the last `step` of them took `took` seconds, then
# $\text{step} \cdot t / \text{took}$, but never more than four times as many as before, since a single
# measurement may be far off.


# by Search · how long the next slice is
def next_step(step: int, took: float, target: float) -> int:
    """Return how many simulations should take `target` seconds, at most four times as many."""
    if took <= 0:
        return 4 * step
    return max(1, int(min(4 * step, step * max(target, 0) / took)))


# *by Search*
#
# The same copy makes room. A tree that has filled its share of the memory is **recycled**: the nodes
# with the fewest visits lose what is below them, and the search goes on in the room that this leaves. A
# full tree without this would go on searching, but it would not grow where it matters. First nodes with
# one visit lose it, then those with fewer than 4, 8, 16 and so on, until half of the room is free. What
# is thrown away is what the search cared for least. The children of the root stay, whatever their visits.
#
# When is a tree recycled? If the clock had a say in it, the same seed would not give the same search twice. So
# the run ends after the very simulation that found no room (`stop_when_full`), and the tree is recycled before
# the next one, however many simulations a slice was meant to have.


# *by Search*
#
# A node that has lost its children is a leaf again. It keeps its own visits and reward, so its parent's
# statistics stay true; if the walk comes back, it grows anew. Nodes of few visits are the right ones to
# take: together they are most of the tree, and each of them matters least to the move.


# by Search · drop what is rarely visited
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


# *by Search*
#
# `advance_root` puts it together. The node to go on from is found by walking down, one move after the other.
# Old tree and new tree share the memory that the options allow. Copying may take half of the time, and ends
# where the search is stopped. Where nothing is known, or everything, the new tree begins empty.


# by Search · find the node that some moves lead to
def known_node(tree: Tree, moves: list[int]) -> Node | None:
    """Return the node that the moves lead to from the root, or None."""
    node: Node | None = tree.root
    for point in moves:
        node = next((child for child in node.children if child.point == point), None)
        if node is None:
            break
    return node


# by Search · go on with what is known
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
    node = known_node(tree, game.played[len(tree.played) :])
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


# *by Search*
#
# `read_tree` reads a result from a tree. The move is one that is known to win, or else the most visited
# that is not known to lose. `why` says which case it was: a win that was seen before the first
# simulation, a proof, the only move listed, or visits. While a search runs in another thread, it gives
# a moment's view: that is how a window draws what is being thought.


# by Search · what is proven, and a line that wins
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


# *by Search*
#
# `choose_move` names the move, the line that is expected, and why; a root that can count no more says so.
# Where there was no time for a single simulation, the move that the search would try first is played.


# by Search · the move, the expected line, and why
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


# by Search · from a tree to a result
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


# *by Search*
#
# `run_budget` uses a budget up. It lets the search run for a slice, looks at the clock, at the stop flag and
# at the room that is left, and goes on. Twenty times per second it reports what is known. A slice of a
# few milliseconds is a compromise: shorter ones would spend their time in Python, longer ones would
# answer a click late and end too late.


# by Search · spend a budget on a tree, in slices of a few milliseconds
SLICE = 0.004  # seconds between two looks at the clock
REPORT = 0.05  # seconds between two reports of progress


def run_budget(
    tree: Tree, budget: Budget, on_progress=None, begun=None, done=0
) -> tuple[int, float]:
    """Search until the budget ends; return (simulations, seconds since `begun` or now).

    done   simulations that an earlier part of the budget made
    How long the slices are changes nothing of what is found.
    """
    told = now = budget.clock()
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
        if on_progress and now - told >= REPORT:
            on_progress(read_tree(tree, done, now - begun))
            told = now
    return done, now - begun


# *by Search*
#
# Three moves need no search: one that makes five, one that stops a five, and the only one left.


# by Search · moves that need no search
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


# *by Search*
#
# ## Players
#
# A player is a function of a game and a seed, so that any two can meet in a match. `plain_uct` and
# `classic` are the compiled forms of the main notebook's `plain_uct_reference` and `classic_reference`.
# They search each position anew. The [engine](engine.ipynb) is a third game for the same loop.


# by Search · search a position once, and a player of the moves
def search_once(game, kernels_of, options, budget, seed=None, on_progress=None):
    """Return the SearchResult of one position, searched as the game kernels_of(rules)."""
    check_unfinished(game)
    if seed is not None:
        options = options._replace(seed=check_seed(seed))
    tree = Tree(game, kernels_of(game.rules), options, budget.records())
    return read_tree(tree, *run_budget(tree, budget, on_progress))


def searcher(kernels_of, options: SearchOptions, seconds, simulations):
    """Return a player that searches each position anew and plays the move found."""
    budget = check_budget(seconds, simulations)
    check_options(options)

    def play(game: Game, seed: int | None = None) -> int:
        return search_once(game, kernels_of, options, budget, seed).move

    return play


# by Search · which game is searched, and two players
def choose_kernels(rules: Rules, five_game) -> Kernels:
    """Return five in a row as five_game() makes it, and plain search for any other game."""
    if rules.in_a_row == 5 and not rules.gravity:
        return five_game()
    return plain_game(rules.in_a_row, rules.gravity)


def plain_uct(simulations: int | None = None, seconds: float | None = None, c: float = 0.5):
    """Return a player: UCT over every empty point, with no knowledge of shapes; c of UCB."""
    options = SearchOptions(solve=False, c_uct=check_number("c", c, *RANGES["c_uct"]))
    every_move = lambda rules: plain_game(rules.in_a_row, rules.gravity)  # noqa: E731
    return searcher(every_move, options, seconds, simulations)


CLASSIC = SearchOptions(max_children=5, forcing_score=2000, solve=False)


def classic(seconds: float | None = None, simulations: int | None = None):
    """Return a player: the course notebook's algorithm, hard cut included.

    The best five candidates are kept; if the best scores 2000 or more, it alone.
    """
    five_game = lambda rules: choose_kernels(rules, shaped_game)  # noqa: E731
    return searcher(five_game, CLASSIC, seconds, simulations)


# *by Search*
#
# A window asks for more than a move: it wants to see the search grow, and to stop it. `think_classic` is
# `classic` in the form of the main notebook's `plain_search`.


# by Search · the course notebook's algorithm as an opponent
def think_classic(
    game,
    seconds=None,
    simulations=None,
    *,
    seed=None,
    level=None,
    on_progress=None,
    stop=None,
) -> SearchResult:
    """Return what `classic` finds; the arguments are those of the engine's `think`."""
    budget = check_budget(seconds, simulations, stop)
    check_functions(on_progress=on_progress)
    five_game = lambda rules: choose_kernels(rules, shaped_game)  # noqa: E731
    return search_once(game, five_game, CLASSIC, budget, seed, on_progress)


# *by Experiments*
#
# ## How much faster?
#
# Both searches of the main notebook and both of this one get the same position and count simulations
# per second of processor time, compilation not included. The uncompiled ones get fewer simulations,
# since they would take minutes. On a larger board a random game is longer, so every search is slower there.


# by Experiments · on what a time was measured
def machine_words() -> str:
    """Return the processor, its cores, and the versions that a time depends on, in words."""
    version, cores = platform.python_version(), os.cpu_count()
    return f"{platform.machine()}, {cores} cores, Python {version}, numba {numba.__version__}"


# *by Experiments*
#
# How to read it. Each ratio compares the same algorithm with itself, on the same position. It is a
# ratio of simulations, not of strength. It differs between the two searches, since they spend their
# time differently: plain search nearly all of it in random games, `classic` much of it in the scores of
# new nodes, where a table takes the place of a search for patterns in strings. It may differ with the
# board, too. The plain rollout places one stone at a time and looks along four lines; the compiled one looks
# at all rows after a batch, and a row costs the same whether it has 8 points or 15.
#
# What the ratio does *not* count is compiling. For one short search, once, on a computer that never ran it
# before, plain Python is done sooner.


# *by Experiments*
#
# Where does the ratio come from? From the compiler, or from the bits? Every kernel keeps its Python
# source, so the winner test can be asked in four ways: by a walk from the last stone and by the bits,
# each in Python and compiled.


# by Experiments · the time of one call, and a walk that can be compiled
def microseconds(ask, times: int) -> float:
    """Return the processor time of one call, in microseconds, after a first one."""
    ask()
    begun = time.process_time()
    for _ in range(times):
        ask()
    return 1e6 * (time.process_time() - begun) / times


@jit
def ask_often(has_run, stones, stop, times):
    """Ask `times` times for a five in rows below stop; a call from Python hardly counts."""
    found = 0
    for i in range(times):
        stones[0] = i & 1  # so that the compiler cannot ask once only
        found += has_run(stones, 0, stop)
    return found


@jit
def walk_often(cells, points, times):
    """Walk from each of the points in turn, `times` walks: how many of them find a five?"""
    rows, size = cells.shape
    found = 0
    for i in range(times):
        row, col = divmod(points[i % points.size], size)
        for d_row, d_col in DIRECTIONS:
            run = 1
            for side in (-1, 1):
                r, c = row + side * d_row, col + side * d_col
                while 0 <= r < rows and 0 <= c < size and cells[r, c] == cells[row, col]:
                    run, r, c = run + 1, r + side * d_row, c + side * d_col
            found += run >= 5
    return found


# *by Experiments*
#
# In Python the bits *lose*: each shift of a numpy integer is a new object, and the pass over the whole
# board makes dozens of them where the walk looks at a few cells. Compiled, a pass over the whole board
# costs about what a walk from one stone costs. **A representation is good or bad for a machine, not in
# itself.** What the bits gain is that one pass answers for every stone on the board.


# *by Experiments*
#
# **To try.** Each of these changes a line or two, and the demos above say at once what it does.
#
# - Write a selection policy. Copy `ucb` under another name, drop the exploration term, and pass it to
#   `build_search(plain_game(), select=...)`. Which child does it visit for ever? The study
#   [connect_poster](connect_poster.ipynb) compares more than ten policies in this way.
# - Make the batch of the rollout one point, `stop = i + one`, so that it looks for a winner after every stone. The
#   results of single random games stay the same, the speed does not. Then change it to the whole board.
# - Replace 64 by 2 in the reward. Nothing changes here, since results are wins, draws and losses. What
#   would an evaluation between ½ and 1 become?
# - Break something on purpose: leave out `reward = 64 - reward`. Which demo notices first?


# *by Experiments*
#
# ## Essay: what the compiler cannot do
#
# It cannot leave out work that nobody needs. Someone has to know that the work is not needed, and that
# is a fact about the game.
#
# **One question, asked all day.** Has somebody five in a row? A random game asks that again and again,
# and the main notebook answers it by a walk from the last stone. Put `jit` on that walk and it runs on
# the processor itself: no interpreter, no objects, numbers in registers. The author changes a line, and
# waits a few seconds at the first call.
#
# The figure follows this one question through a whole random game. The first step down is the
# compiler's. The second replaces the walk by the bits of this notebook, asked as often as before. The third
# asks after each batch of stones in place of each stone.


# *by Experiments*
#
# **What the compiler does.** The first step is the largest by far, and it is a gift. The compiler removes the
# interpreter, puts small functions where they are called, and does several rows at once. But it takes only
# what was prepared for it: put `jit` on the plain *search*, and it does not compile, since objects, lists
# of objects and functions as arguments are what a kernel does not have. Most sections before the loop are what
# it takes to make it compile at all.
#
# **What a representation does.** The second step is hardly one. Two compiled programs answer the same
# question in about the same time, and the cleverer one gains nothing to speak of: where the caption divides by less
# than one, it took longer. Whoever measured only this would throw the bits away.
#
# **What knowledge does.** The third step is small beside the first, and no compiler takes it. To ask less often,
# one must know that a five, once made, stays; that it is cheap to find out afterwards whose came
# first; and that the result of a random game does not depend on when one looks. The bits make this possible, since a
# pass needs no last stone. The same holds elsewhere in this notebook: a deck need not be sorted before it is shuffled
# again, and a shape depends on eight points only, so that all answers fit into one table. Each of these
# is a sentence about the game, and each of them removes work that a compiler would have made fast.
#
# **What it costs to read.** The plain search says `child.W / child.N`. This one says `r * (unit *
# np.float32(W64) * r + exploration)`, and needs a paragraph to explain why. Someone who wants to learn
# the algorithm should read the other one, and someone who wants to change it should change the other
# one first. An index out of range is an error in Python; in a kernel it is a wrong number, or a crash. A
# value that grows too large is a longer integer in Python, and wraps around in a kernel. So the tests
# run every kernel once more with bounds checked, and compare its results with slow programs that
# were written from the rules alone. The plain search is one of them. It is not a draft that the fast
# one replaced; it is what makes the fast one believable.
#
# **What failed.** An argument: that a walk is full of branches, and that a processor which guesses one
# wrongly loses more time than shifts take. It sounds right. The second step of the figure does not show it.
#
# **Is it worth it?** A ratio of simulations is not one of strength.
# [strength](strength.ipynb#The-ladder) measures what more time buys, and sets beside it what the
# [engine](engine.ipynb) gains by knowing more. Speed and knowledge are two ways to the same end; the
# rest of the studies is about the second.
#
# **Limits.** The figure counts the test alone; in a rollout it shares its time with the shuffle and the
# stones. It was measured on one position and one machine, and on a board of eight rows, which suits the
# bits: a pass over a larger board takes longer, a walk does not.


# *by Search*
#
# ## Limits and sources
#
# - The largest board is 20×20, since a row of stones must fit into 32 bits and a line into 64.
# - A node counts at most $2^{25} - 1$ visits; then 64 times its reward would leave 32 bits. More
#   simulations are refused, and a search by the clock ends there: `why` says so.
# - However little memory is given, the tree has room for four times the moves of the root.
# - A search by simulations repeats, recycled or not. One by the clock does not.
# - One tree is searched by one thread. Two trees side by side gained nothing; see
#   [strength](strength.ipynb#What-was-left-out).
# - The scores of `ucb` have 32 bits, so after very many visits its tree may differ from that of the
#   plain search.
# - The first search of a new kernel compiles it, which takes seconds. Modules keep the machine code on
#   disk; a live notebook does not.
#
# **Sources.** L. Kocsis and C. Szepesvári, [*Bandit based Monte-Carlo Planning*](https://doi.org/10.1007/11871842_29),
# ECML 2006. C. Browne et al., [*A Survey of Monte Carlo Tree Search
# Methods*](https://doi.org/10.1109/TCIAIG.2012.2186810), IEEE TCIAIG 4 (1), 2012. M. Winands, Y. Björnsson and J.-T.
# Saito, [*Monte-Carlo Tree Search Solver*](https://doi.org/10.1007/978-3-540-87608-3_3), CG 2008. D. Knuth, [*The Art
# of Computer Programming*](https://www-cs-faculty.stanford.edu/~knuth/taocp.html), volume 2 (shuffle, linear
# congruential generators). W. Hoeffding, [*Probability Inequalities for Sums of Bounded Random
# Variables*](https://doi.org/10.1080/01621459.1963.10500830), Journal of the American Statistical Association 58, 1963.
# P. Auer, N. Cesa-Bianchi and P. Fischer, [*Finite-time Analysis of the Multiarmed Bandit
# Problem*](https://doi.org/10.1023/A:1013689704352), Machine Learning 47, 2002 (UCB1). S. K. Lam, A. Pitrou and S.
# Seibert, [*Numba: A LLVM-based Python JIT Compiler*](https://doi.org/10.1145/2833157.2833162), LLVM-HPC 2015. *Project
# 5002: Five-in-a-Row Game*, a course notebook (`classic`, its shapes and scores).

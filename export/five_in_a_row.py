# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


# *by Interface*
#
# # Five in a row
#
# Play five in a row against a program that tries hundreds of thousands of lines before each move, and
# look at what it saw. The program is Monte Carlo Tree Search, built here from its four steps, compiled,
# and explained cell by cell: first plain, with random games, then with the threats of the game and
# with proofs.
#
# ![A game in the window: a board of 8 by 8 points with black and white stones](images/window_8x8.png)
#
# **To play**, run all cells. At room 15 a window opens: you have black and move first, on 8×8
# points. Click a point to place a stone; `?` lists what else can be done. Close the window to go on; the cells
# after it show *your* game. On a machine without a display the same cell puts the board into the
# notebook, and where no one can play it shows a recorded game. It says which.


# *by Interface*
#
# ## Contents
#
# | room | what it answers |
# |---|---|
# | [1 · How the program thinks](#1-·-How-the-program-thinks) | How does the program find a move? |
# | [2 · Rules and words](#2-·-Rules-and-words) | What is played, and what do the words mean? |
# | [3 · The board and who has won](#3-·-The-board-and-who-has-won) | How is a position kept, and a win found at once? |
# | [4 · The game node](#4-·-The-game-node) | What does the search remember of a position? |
# | [5 · Select](#5-·-Select) | Which known move is looked at again? |
# | [6 · Expand](#6-·-Expand) | When does the tree grow? |
# | [7 · Simulate](#7-·-Simulate) | How is a game finished at random, fast? |
# | [8 · Backpropagate](#8-·-Backpropagate) | Who earns what from a result? |
# | [9 · The loop](#9-·-The-loop) | How do the four steps become one fast search? |
# | [10 · What plain search misses](#10-·-What-plain-search-misses) | Where does counting visits fail? |
# | [11 · Heuristic child selection](#11-·-Heuristic-child-selection) | Which moves are worth a look? |
# | [12 · Forced wins and proven nodes](#12-·-Forced-wins-and-proven-nodes) | What wins whatever the other side does? |
# | [13 · The engine: `think`](#13-·-The-engine:-think) | How do you ask for a move? |
# | [14 · The window](#14-·-The-window) | How is the board drawn and played on? |
# | [15 · Play](#15-·-Play) | Can you beat it? |
# | [16 · Reading the visits](#16-·-Reading-the-visits) | What did it see in the game just played? |
# | [17 · Does it play well, and how fast?](#17-·-Does-it-play-well,-and-how-fast?) | What was measured? |
# | [18 · Essays](#18-·-Essays) | What did each author find out? |
# | [19 · Limits and sources](#19-·-Limits-and-sources) | What does it not do, and where do the ideas come from? |


# *by Interface*
#
# ## Authors
#
# Every cell begins with the role that wrote it. A team puts its own names into the second column.
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | the rules, the record of a game, the board as bits |
# | Search | *(name)* | the tree, the four steps, the loop, `think` |
# | Heuristics | *(name)* | shapes, scores, candidates, wins by force |
# | Interface | *(name)* | the window, the Play cell, the command line |
# | Experiments | *(name)* | the figures, the measurements |


# *by Search*
#
# ## 1 · How the program thinks
#
# A game of five in a row on 8×8 points has more continuations than any program can read. Monte
# Carlo Tree Search does not try. It plays the game out to the end, quickly and partly at random,
# many thousands of times, and remembers how often each first move, each reply, and each reply to a
# reply led to a win. What has gone well is looked at more closely. What has gone badly is looked at
# less, but never quite forgotten.
#
# What it remembers is a **tree**. The root is the position on the board. Each **node** below it is
# a position that one move leads to, and holds two numbers:
#
# - $n$, the **visits**: in how many of the games it occurred,
# - $m$, the **reward**: how many of those games were won by the player who moved into it, with a
#   draw counted as a half.
#
# So $m/n$ is the share of points that the move has earned so far. After few visits it is mostly
# luck; after many it means something. (The engine of room 12 later replaces the random game by an
# estimate of the position; the tree stays.)


# *by Search*
#
# One **simulation** grows the tree by one node, in four steps:
#
# 1. **Select.** Start at the root and go down, at each node to the child with the highest *upper
#    confidence bound*, $\text{UCB} = \frac{m}{n} + c \sqrt{\frac{\ln N}{n}}$, where $N$ is the
#    visits of the node above. The first term asks what has earned most, the second what is known
#    least.
# 2. **Expand.** Where a move has not been tried yet, add it as a new child.
# 3. **Simulate.** Finish the game from there by random moves.
# 4. **Backpropagate.** Go back up. Every node on the path gains a visit, and the reward that its own
#    player earned: what one side wins, the other loses.
#
# ![One simulation in four panels, on a small tree: the path that select follows, the new
# child that is added, the random game from it, and the numbers m/n on the path after
# backpropagation](images/four_steps.png)
#
# The drawing shows one simulation of a real search on a small board; each box holds a move and
# $m/n$, and each reward belongs to the player of that move; the root's to the one who moved last before
# the search began. To fit the page, a node here has at most four children. Step 3 alone is called a
# *playout*, all four together a *simulation*. When the time is up, the most visited child of the root
# is played. That is the usual choice; whether the best $m/n$ would do as well is asked in room 18.


# *by Rules*
#
# ## 2 · Rules and words
#
# Two players put stones on the points of a grid in turn. Black moves first. Whoever first has
# five or more of their own stones in an unbroken line, along a row, a column or a diagonal, has
# won. A full board without such a line is a draw. That is the game called *freestyle*.
#
# A point has three names that mean the same place. On a board 8 wide, `"e4"` is how people say it,
# `(3, 4)` is its row and column, counted from 0, and `28 = 3 · 8 + 4` is the integer that the search
# uses. Row 0 is line 1, at the bottom, so text, figure and window agree.
#
# | word | meaning |
# |---|---|
# | point | a crossing of the grid where a stone may stand |
# | ply | one move by one player |
# | five | five or more stones of one colour in an unbroken line |
# | $+1$, $-1$ | black, white; also "black won", "white won" |
# | playout | a game finished by random moves, also called a rollout |
# | simulation | one turn of the search: walk down, add a node, play out, report back |
# | visits $N$ | how many simulations went through a node |
# | reward $W$ | the sum of their results: 1 for a win, ½ for a draw, 0 for a loss |
# | value $Q = W/N$ | the mean result, seen by the player who moved into the node |
# | $n$, $m$ and $N$ | where a child stands beside its parent, as in the formula of UCB: the visits and the reward of the child, and the visits of the parent |
# | kernel | a function that is compiled to machine code (room 3) |
# | shape | what own stones make on a line, such as a *four* or an *open three* (room 11) |
# | prior $P$ | how promising a move looks before any visit (room 12) |
# | VCF, VCT | a win by continuous fours, by continuous threats (room 12) |


# *by Rules*
#
# First the tools of every later cell: modules, and the two colours as numbers, so that `-colour` is
# the other side. `scale` chooses between two numbers, a small one when tests run this notebook in a
# hurry, and a large one otherwise.


# by Rules · what every later cell needs
import base64
import contextlib
import copy
import dataclasses
import hashlib
import math
import mmap
import os
import random
import re
import textwrap
import threading
import time
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import from_dtype, njit, typeof
from numba.core.caching import FunctionCache

BLACK, WHITE = 1, -1
COLOUR = {BLACK: "black", WHITE: "white", 0: "nobody"}


def scale(quick, full):
    """Return the first number where FIVE_MODE=quick is set, as tests do, else the second."""
    return quick if os.environ.get("FIVE_MODE") == "quick" else full


# *by Rules*
#
# A game is fixed by four values, kept together in one tuple that is passed to whatever needs it.
# Other games fit as well: tic-tac-toe is `Rules(3, 3)`, Connect-4 is
# `Rules(7, 4, rows=6, gravity=True)`.


# by Rules · the values that make a game
class Rules(NamedTuple):
    """What is played: `size` columns, `rows` rows, and how many in a row win."""

    size: int = 8  # columns
    in_a_row: int = 5  # this many or more win
    rows: int | None = None  # None: as many as columns
    gravity: bool = False  # True: a stone falls to the lowest empty point of its column

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.size if self.rows is None else self.rows

    @property
    def points(self) -> int:
        """Number of points on the board."""
        return self.size * self.height


# *by Rules*
#
# A board of two points a side or two and a half in a row cannot be played. `check_rules` says so in
# a sentence before anything is computed from such numbers. Python counts `True` as the number 1, so
# `is_whole` looks out for it.


# by Rules · refuse a game that cannot be played
def is_whole(value) -> bool:
    """True for an integer that is not a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_rules(rules: Rules) -> Rules:
    """Return the rules as plain integers, or raise ValueError that says what is allowed."""
    limits = {"size": (3, 20), "rows": (3, 20), "in_a_row": (3, 8)}
    values = {"size": rules.size, "rows": rules.height, "in_a_row": rules.in_a_row}
    for name, (low, high) in limits.items():
        value = values[name]
        if not is_whole(value):
            raise ValueError(f"{name} must be a whole number, not {value!r}")
        if not low <= value <= high:
            raise ValueError(f"{name} must be from {low} to {high}, not {value}")
    if not isinstance(rules.gravity, bool | np.bool_):
        raise ValueError(f"gravity must be True or False, not {rules.gravity!r}")
    return Rules(int(rules.size), int(rules.in_a_row), int(rules.height), bool(rules.gravity))


# *by Rules*
#
# Points are counted along the rows from `a1` on:
# $\text{point} = \text{row} \cdot \text{size} + \text{col}$. Division with remainder, `divmod`,
# gives row and column back.


# by Rules · from a point to its name
def point_name(point: int, size: int) -> str:
    """Return the name of a point, such as "h8" (column letter, then line number from 1)."""
    row, col = divmod(point, size)
    return f"{chr(ord('a') + col)}{row + 1}"


# *by Rules*
#
# The other way round, a move may be written in any of its three forms. What makes no sense is
# refused with a sentence that says what would.


# by Rules · from what people write to the point
def to_point(move, rules: Rules) -> int:
    """Return the integer of a move given as int, (row, col) or a name such as "h8".

    Raises ValueError for anything else and for a point off the board.
    """
    size, rows = rules.size, rules.height
    if isinstance(move, str):
        found = re.fullmatch(r"\s*([a-z])([1-9][0-9]?)\s*", move.lower())
        if not found:
            raise ValueError(f"{move!r} is not a move: write a letter and a number, as in c3")
        row, col = int(found[2]) - 1, ord(found[1]) - ord("a")
    elif is_whole(move):
        if not 0 <= move < size * rows:
            raise ValueError(
                f"point {move} is off the board: 0 to {size * rows - 1} are on it"
            )
        return int(move)
    elif isinstance(move, tuple | list) and len(move) == 2 and all(map(is_whole, move)):
        row, col = int(move[0]), int(move[1])
    else:
        raise ValueError(f"{move!r} is not a move: give a name, (row, col) or a point")
    if not (0 <= row < rows and 0 <= col < size):
        last = point_name(size * rows - 1, size)
        raise ValueError(f"{move!r} is off the board: it reaches from a1 to {last}")
    return row * size + col


# *by Rules*
#
# ## 3 · The board and who has won
#
# Only the stone just played can have made a five, so it is enough to look along the four lines
# through it. From the last stone, walk both ways while the colour stays the same, $a$ points one way
# and $b$ the other: a line of $1 + a + b$ stones wins when that is at least five. The work does not depend on the size of the
# board. The course notebook (*Project 5002*, see *Sources*) says what this was worth to it: a full
# scan after each move gave a few hundred simulations a move, the look from the last stone more than
# ten thousand.


# by Rules · the line through the last stone
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # along a row, a column, both diagonals


def winning_line(cells: np.ndarray, point: int, in_a_row: int) -> list[int]:
    """Return the points of the first winning line through `point`, or [] if there is none.

    cells   int8[rows, size]   +1 black, -1 white, 0 empty; `point` holds a stone
    """
    rows, size = cells.shape
    row, col = divmod(point, size)
    for d_row, d_col in DIRECTIONS:
        line = [point]
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while 0 <= r < rows and 0 <= c < size and cells[r, c] == cells[row, col]:
                line.append(r * size + c)
                r, c = r + sign * d_row, c + sign * d_col
        if len(line) >= in_a_row:
            return sorted(line)
    return []


# *by Rules*
#
# A `Position` knows the rules: whose turn it is, which points may be played, and who has won. A
# move is either legal and played whole, or refused with the reason, and then nothing has changed.


# by Rules · a position: stones, whose turn, who has won
class Position:
    """Stones on a board, the player to move, and the result; +1 is black, -1 is white."""

    def __init__(self, rules: Rules = Rules()):
        self.rules = check_rules(rules)
        self._cells = np.zeros((self.rules.height, self.rules.size), np.int8)
        self.to_move = BLACK
        self.five: list[int] = []  # the points of the winning line

    @property
    def array(self) -> np.ndarray:
        """A copy of the board, int8[rows, size]: +1 black, -1 white, 0 empty."""
        return self._cells.copy()

    @property
    def winner(self) -> int:
        """+1 or -1 when somebody has won; 0 while undecided or drawn."""
        return int(self._cells.flat[self.five[0]]) if self.five else 0

    @property
    def over(self) -> bool:
        """True when somebody has won or the board is full."""
        return bool(self.five) or bool(self._cells.all())

    def legal(self) -> list[int]:
        """Return the points that may be played now, in rising order; none after the end."""
        if self.over:
            return []
        empty = self._cells == 0
        if self.rules.gravity:  # only the lowest empty point of each column
            empty[1:] &= self._cells[:-1] != 0
        return np.flatnonzero(empty).tolist()

    def why_illegal(self, point: int) -> str | None:
        """Return why `point` may not be played now, or None if it may."""
        name, stone = point_name(point, self.rules.size), int(self._cells.flat[point])
        if self.over:
            return f"{name} cannot be played: the game is over"
        if stone:
            return f"{name} cannot be played: a {COLOUR[stone]} stone stands there"
        below = point - self.rules.size
        if self.rules.gravity and below >= 0 and not self._cells.flat[below]:
            return f"{name} cannot be played: stones fall, and the point below it is empty"
        return None

    def _put(self, point: int) -> None:
        """Put the mover's stone on a legal point and pass the turn."""
        self._cells.flat[point] = self.to_move
        self.five = winning_line(self._cells, point, self.rules.in_a_row)
        self.to_move = -self.to_move

    def _lift(self, point: int) -> None:
        """Take back the stone that was played last."""
        self._cells.flat[point] = 0
        self.five, self.to_move = [], -self.to_move

    def __str__(self) -> str:
        return board_text(self._cells)


# *by Rules*
#
# A `History` is a position with a memory. `played` holds the moves so far, `undone` those that were
# taken back and may be played again. A new move empties `undone`: it has led the game elsewhere.


# by Rules · play, undo, redo
class History(Position):
    """A position that remembers the moves played so far, and those taken back."""

    def __init__(self, rules: Rules = Rules()):
        super().__init__(rules)
        self.played: list[int] = []  # points, first move first
        self.undone: list[int] = []  # points that redo() will play, last one next

    @property
    def moves(self) -> list[str]:
        """The names of the moves played, first move first."""
        return [point_name(point, self.rules.size) for point in self.played]

    def play(self, move) -> int:
        """Play a point, a (row, col) or a name such as "h8", and return its point.

        Raises ValueError that names the point and the reason; the game is then as it was.
        """
        point = to_point(move, self.rules)
        if why := self.why_illegal(point):
            raise ValueError(why)
        self._put(point)
        self.played.append(point)
        self.undone.clear()
        return point

    def undo(self) -> int:
        """Take the last move back and return its point. ValueError if there is none."""
        if not self.played:
            raise ValueError("there is no move to take back")
        self.undone.append(self.played.pop())
        self._lift(self.undone[-1])
        return self.undone[-1]

    def redo(self) -> int:
        """Play again the move that undo() took back. ValueError if there is none."""
        if not self.undone:
            raise ValueError("there is no move to play again")
        self.played.append(self.undone.pop())
        self._put(self.played[-1])
        return self.played[-1]


# *by Rules*
#
# A `Game` adds the ways to make one: from a list of moves, or from stones that somebody has set up.
# A set-up board is looked at as a whole before it is taken over: its shape, its values, no stone
# that floats, and no two winners.


# by Rules · a game, also from text or from a set-up position
class Game(History):
    """One game: position, history, and the ways to make one."""

    def copy(self) -> "Game":
        """Return a game of its own with the same position and history."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        rules, state = self.rules, f"{COLOUR[self.to_move]} to move"
        if self.over:
            state = f"{COLOUR[self.winner]} has won" if self.winner else "draw"
        return f"<Game {rules.size}x{rules.height}, {len(self.played)} moves, {state}>"

    @classmethod
    def from_text(cls, text: str, size: int = 8, rules: Rules | None = None) -> "Game":
        """Return the game of a move list such as "h8i9g7" (spaces and commas allowed)."""
        game = cls(rules or Rules(size))
        for move in split_moves(text):
            game.play(move)
        return game

    @classmethod
    def from_array(cls, array, to_move: int, rules: Rules | None = None) -> "Game":
        """Return a game that starts from a set-up position; undo stops there.

        array     int[rows, size]   +1 black, -1 white, 0 empty
        to_move   +1 or -1; if a side already has its line, the game is over
        Raises ValueError for another shape, other values, a floating stone, or two winners.
        """
        cells = check_array(array)
        game = cls(rules or Rules(cells.shape[1], rows=cells.shape[0]))
        if to_move not in (BLACK, WHITE):
            raise ValueError(f"to_move must be +1 (black) or -1 (white), not {to_move!r}")
        if cells.shape != game._cells.shape:
            shapes = "{}x{}, but the rules say {}x{}".format(*cells.shape, *game._cells.shape)
            raise ValueError(f"the array has rows x columns {shapes}")
        if game.rules.gravity and ((cells[1:] != 0) & (cells[:-1] == 0)).any():
            raise ValueError("a stone floats above an empty point, but the rules say gravity")
        lines = [winning_line(cells, p, game.rules.in_a_row) for p in np.flatnonzero(cells)]
        winners = {int(cells.flat[line[0]]): line for line in lines if line}
        if len(winners) == 2:
            raise ValueError("both sides have a winning line in this position")
        game._cells, game.to_move = cells, int(to_move)
        game.five = next(iter(winners.values()), [])
        return game


# *by Rules*
#
# Text goes both ways. A board is printed with `X` for black and `O` for white, line 1 at the
# bottom, and a text such as `h8i9, g7` is read as a list of moves.


# by Rules · a board as text, and text as moves
def board_text(cells: np.ndarray) -> str:
    """Return the board as lines of text with coordinates: X black, O white, . empty."""
    rows, size = cells.shape
    lines = [
        f"{row + 1:2d} " + " ".join(".XO"[cells[row, col]] for col in range(size))
        for row in reversed(range(rows))
    ]
    return "\n".join([*lines, "   " + " ".join("abcdefghijklmnopqrst"[:size])])


def split_moves(text: str) -> list[str]:
    """Return the move names in a text such as "h8i9, g7"; ValueError for anything else."""
    moves = re.findall(r"[a-z][0-9]+", text.lower())
    rest = re.sub(r"[a-z][0-9]+|[\s,;]+", "", text.lower())
    if rest:
        raise ValueError(f"{rest!r} is not a move: write moves such as h8i9g7")
    return moves


def check_array(array) -> np.ndarray:
    """Return a set-up board as int8[rows, size]; ValueError for values but +1, -1, 0."""
    cells = np.asarray(array)
    if cells.ndim != 2:
        raise ValueError(f"a board has rows and columns, this array {cells.ndim} dimension(s)")
    if not np.isin(cells, (BLACK, WHITE, 0)).all():
        raise ValueError("a board holds only +1 (black), -1 (white) and 0 (empty)")
    return cells.astype(np.int8)


# *by Rules*
#
# ### The board of the search
#
# `Game` is for people. The search asks for the winner far more often, and needs something smaller
# and faster. Two things make it so: functions that are compiled, and **one bit per point** instead
# of one number.


# *by Search*
#
# Compiling takes a few seconds, so the exported module keeps the result on disk, in the *cache* of
# numba, the compiler. Its own names for what it keeps do not suffice here. It numbers its files, so
# two sessions that compile at once could take each other's: here each file is named after what is
# in it. And it tells functions of one name apart by a counter that begins anew in each session;
# `part`, below, gives them names of their own instead. All this changes nothing but the time until
# the first move.


# by Search · keep compiled code on disk, safely
class SafeCache(FunctionCache):
    """numba's disk cache, with each file named after its contents.

    key   what stands for the function in the index; None: numba's own choice
    """

    def __init__(self, function, key=None):
        super().__init__(function)
        self._own_key = key

    def _index_key(self, signature, codegen):
        if self._own_key is None:
            return super()._index_key(signature, codegen)
        return signature, codegen.magic_tuple(), self._own_key

    def _save_overload(self, signature, data):
        """Save the code under a name of its own, and only then tell the index of it.

        Sessions that compile at once, or one that is killed here, mix nothing up.
        """
        file, index = self._cache_file, self._index_key(signature, data.codegen)
        self._impl.locator.ensure_cache_path()
        text = repr((file._source_stamp, index)).encode()
        name = file._data_name(int(hashlib.sha256(text).hexdigest()[:15], 16))
        file._save_data(name, self._impl.reduce(data))
        file._save_index(file._load_index() | {index: name})


def cache_works() -> bool:
    """True in the exported module where numba can write its cache; false in a live notebook.

    In a live notebook a cached kernel goes on answering for the cell as it was before an edit.
    """
    if "__file__" not in globals():
        return False
    try:
        SafeCache(cache_works)
    except (RuntimeError, OSError, AttributeError):  # no folder to write to, or another numba
        return False
    return True


# *by Search*
#
# numba translates a Python function into machine code when the function is first called. Such a
# function is called a **kernel** here. `jit` compiles one and keeps it on disk; `part` compiles one
# that is built into another, which is kept as a whole. Many kernels are returned by a function
# `build_...` and go on using the values that it was given: they *close over* them. While a kernel
# runs other threads run too, so a window can stay alive.


# by Search · compile, and keep the result on disk where that is safe
CACHE = cache_works()


def part(function):
    """Compile a function that is built into others, under a name that tells what is in it.

    numba would call all the functions that one `build_...` returns the same, and mix up those
    that different sessions have compiled and kept.
    """
    inside = [cell.cell_contents for cell in function.__closure__ or ()]
    if inside:
        made = [getattr(thing, "py_func", thing) for thing in inside]
        names = [(x.__module__, x.__qualname__) if callable(x) else repr(x) for x in made]
        function.__qualname__ += "_" + hashlib.sha256(repr(names).encode()).hexdigest()[:12]
    return njit(nogil=True, error_model="numpy")(function)


def jit(function):
    """Return the function compiled when it is first called, and kept on disk."""
    compiled = part(function)
    if CACHE:
        compiled._cache = SafeCache(function)
    return compiled


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


# *by Search*
#
# A compiled search is kept on disk as well. numba names what it keeps after the function and all that
# it closes over, but it names an inner function by a number that changes with each session, and would
# never find its own file again. So here a part is named by its function, by when that
# function's file was last changed, and by the parts inside it.


# by Search · keep a compiled search on disk
def fingerprint(thing):
    """Return what a compiled part was made from, in values that repeat in any session."""
    if isinstance(thing, tuple):
        return tuple(fingerprint(item) for item in thing)
    if not hasattr(thing, "py_func"):
        return repr(thing)
    function = thing.py_func
    cells = [fingerprint(cell.cell_contents) for cell in function.__closure__ or ()]
    stamp = Path(function.__code__.co_filename).stat().st_mtime_ns
    return (function.__module__, function.__qualname__, stamp, *cells)


def compile_search(function, *parts):
    """Return the function compiled; `parts` are the compiled functions that it closes over."""
    compiled = part(function)
    if CACHE:
        with contextlib.suppress(OSError):  # a part that was written in a notebook
            compiled._cache = SafeCache(function, fingerprint(parts))
    return compiled


# *by Experiments*
#
# ### Figures of a search
#
# A table of numbers hides where on the board they lie. The figures of this notebook all use one
# board: letters below, line 1 at the bottom, as in the text form. Each figure is shown with a
# description in words, for readers who cannot see it, and a caption with what it shows.


# by Experiments · display a figure with its description
def new_figure(width: float = 6.0, height: float = 4.0):
    """Return an empty matplotlib figure of that size in inches, known to nobody else."""
    import logging

    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # no word about its font cache
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def show(figure, alt: str, caption: str = "") -> None:
    """Display a figure as PNG with alternative text, print its caption, and close it.

    Where there is no notebook nothing is displayed. Raises ValueError without a description.
    """
    import io
    import sys

    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("a figure needs alternative text: say in words what it shows")
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=120, metadata={"Software": None})
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
        data = {"image/png": png.getvalue(), "text/plain": alt}
        about = {"alt": alt} | ({"caption": caption} if caption else {})
        sys.modules["IPython"].display.display(data, metadata={"image/png": about}, raw=True)
    if caption:
        print(textwrap.fill(caption, 92))


# *by Experiments*
#
# `draw_board` draws the grid and the stones. It leaves out every second letter and number where a
# board is drawn too small for all of them.


# by Experiments · grid, letters and stones
def draw_board(ax, array, last: int | None = None, five=()) -> None:
    """Draw a board on matplotlib axes, line 1 at the bottom.

    array   int8[rows, size]   +1 black, -1 white, 0 empty
    last    the point of the last stone, which gets a small square
    five    the points of the winning line, which gets a stroke
    """
    from matplotlib.patches import Circle

    rows, size = array.shape
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    ax.hlines(range(rows), 0, size - 1, color="0.5", alpha=0.4, linewidth=0.6, zorder=2)
    ax.vlines(range(size), 0, rows - 1, color="0.5", alpha=0.4, linewidth=0.6, zorder=2)
    cell = cell_size(ax, array.shape)
    step = 1 if cell > 9 else 2
    names = {"fontsize": min(9, max(5.5, 0.6 * cell * step))}
    ax.set_xticks(range(0, size, step), list("abcdefghijklmnopqrst"[:size:step]), **names)
    ax.set_yticks(range(0, rows, step), range(1, rows + 1, step), **names)
    ax.tick_params(length=0, pad=1)
    ax.spines[:].set_visible(False)
    for point in np.flatnonzero(array):
        row, col = divmod(int(point), size)
        colour = "black" if array[row, col] == BLACK else "white"
        stone = Circle((col, row), 0.42, facecolor=colour, edgecolor="black", linewidth=0.8)
        ax.add_patch(stone).set_zorder(3)
        if point == last:
            mark = "white" if colour == "black" else "black"
            ax.plot(col, row, "s", color=mark, markersize=max(1.5, 0.2 * cell), zorder=4)
    if len(five):
        row, col = np.divmod(sorted(five), size)
        ax.plot(col, row, color="tab:red", linewidth=max(1, 0.16 * cell), zorder=5)


def cell_size(ax, shape) -> float:
    """Return the width of one point of a board of that shape on these axes, in points."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches() * 72
    return min(box.width * width / shape[1], box.height * height / shape[0])


# *by Experiments*
#
# `draw_cells` lays numbers under the stones as colours. A few points get their number in writing as
# well, light on dark or dark on light, so nothing hangs on colour alone.


# by Experiments · numbers as colours on the board
def draw_cells(ax, game: Position, numbers, labels, *, colours, low, high):
    """Draw a position with numbers as colours under it; return the image for a colour bar.

    numbers   float[rows, size]   masked or NaN where nothing is drawn
    labels    {point: text}       written on the points
    """
    from matplotlib.patheffects import withStroke

    history = getattr(game, "played", [])
    draw_board(ax, game.array, history[-1] if history else None, game.five)
    numbers = np.ma.masked_invalid(numbers)
    image = ax.imshow(
        numbers, cmap=colours, vmin=low, vmax=high, origin="lower", zorder=1, alpha=1.0
    )
    ax.set(xlim=(-0.6, game.rules.size - 0.4), ylim=(-0.6, game.rules.height - 0.4))
    cell = cell_size(ax, numbers.shape)
    for point, text in labels.items():
        row, col = divmod(point, game.rules.size)
        red, green, blue, _ = image.cmap(image.norm(numbers[row, col]))
        dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
        ink, halo = (
            ("white", image.cmap(image.norm(numbers[row, col])))
            if dark
            else (
                "black",
                "white",
            )
        )
        size = min(9, max(5, 1.5 * cell / max(3, len(text))))
        write = {"ha": "center", "va": "center", "fontsize": size, "color": ink, "zorder": 6}
        ax.text(col, row, text, **write).set_path_effects(
            [withStroke(linewidth=1, foreground=halo)]
        )
    return image


# *by Experiments*
#
# Three kinds of number are drawn. **Visits** in blue, from 0 on, blank where there are none.
# **Values** $2Q - 1$ from red, $-1$, lost, to blue, $+1$, won, for the side to move; grey points
# were not searched. **Bounds**, the UCB of room 5, in purple. The three moves that matter most
# carry their number; of other values the sign is written, since colour alone should not have to
# tell it.


# by Experiments · visits, values and bounds on the board
def draw_visits(ax, game: Position, visits, vmax=None, label=None):
    """Draw the visits of each move, int[rows, size] or shares; the top three are written."""
    label = label or short_number
    labels = {point: label(visits.flat[point]) for point in top_points(visits)}
    shown = np.ma.masked_equal(visits, 0)
    high = vmax or max(visits.max(), 1e-9)
    return draw_cells(ax, game, shown, labels, colours="Blues", low=0, high=high)


def draw_values(ax, game: Position, values, visits=None):
    """Draw the value of each move for the side to move, float[rows, size] in -1...+1.

    Three are written: the most visited moves where `visits` is given, or else the best.
    """
    ax.set_facecolor("0.9")  # not searched: grey; as good as even: white
    order = visits if visits is not None else np.nan_to_num(values + 2)
    labels = {point: signed(values.flat[point]) for point in top_points(order)}
    for point in np.flatnonzero(np.isfinite(values)):
        labels.setdefault(int(point), signed(values.flat[point])[0])
    return draw_cells(ax, game, values, labels, colours="RdBu", low=-1, high=1)


def draw_bounds(ax, game: Position, bounds, visits):
    """Draw the UCB of each move; those of the three most visited moves are written."""
    labels = {point: f"{bounds.flat[point]:.2f}" for point in top_points(visits)}
    high = max(1.0, np.nanmax(bounds)) if np.isfinite(bounds).any() else 1.0
    return draw_cells(ax, game, bounds, labels, colours="Purples", low=0, high=high)


# *by Experiments*
#
# There is room for only a few characters at a point, so numbers are shortened before they are
# written.


# by Experiments · numbers as short words, and the colour bar
def signed(value: float) -> str:
    """Return a value with its sign and two decimals, such as −0.03; 0 without a sign."""
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def percent(share: float) -> str:
    """Return a share in per cent, such as 7%, and <1% for less."""
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def add_bar(figure, image, axes, unit: str, **where) -> None:
    """Add a colour bar with its unit, below the axes unless `where` says otherwise."""
    where = {"location": "bottom", "shrink": 0.9, "aspect": 30} | where
    bar = figure.colorbar(image, ax=axes, **where)
    bar.set_label(unit, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    if image.norm.vmin < 0:
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["−1 lost", "−½", "0", "+½", "+1 won"])


def top_points(numbers, most: int = 3) -> list[int]:
    """Return the points of the largest numbers above 0, largest first."""
    order = np.argsort(-numbers, axis=None, kind="stable")[:most]
    return [int(point) for point in order if numbers.flat[point] > 0]


def short_number(number: float) -> str:
    """Return a number in at most four characters: 950, 9.5k, 95k, 9.5M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return (
                f"{number / unit:.1f}{sign}"
                if number < 9.95 * unit
                else f"{number / unit:.0f}{sign}"
            )
    return f"{number:.0f}"


# *by Experiments*
#
# After each of its moves the program of the course notebook printed its thinking time, the number
# of simulations, and the matrices of visits and of UCB. `thought_figure` draws the same for one
# `Thought`, which is what the engine of room 13 returns, with the values beside them.
# `thought_caption` says it in words.


# by Experiments · one Thought as three boards
def thought_figure(game: Game, thought):
    """Return a figure of what a search found: visits, values and UCB of each move."""
    side = COLOUR[game.to_move]
    if not thought.visits.any():
        figure = new_figure(3.2, 3.4)
        draw_forced(figure.subplots(), game, thought)
        return figure
    figure = new_figure(
        9.6 if game.rules.size <= 12 else 13, 3.9 if game.rules.size <= 12 else 5
    )
    axes = figure.subplots(1, 3)
    images = (
        draw_visits(axes[0], game, thought.visits),
        draw_values(axes[1], game, thought.values, thought.visits),
        draw_bounds(axes[2], game, thought.ucb, thought.visits),
    )
    units = (
        "visits N (simulations)",
        f"value for {side}, who is to move",
        "UCB (reward 0…1 plus curiosity)",
    )
    for ax, image, unit in zip(axes, images, units, strict=True):
        add_bar(figure, image, ax, unit)
    return figure


def draw_forced(ax, game: Position, thought) -> None:
    """Draw a position in which no search was needed: the move as a cross, and the reason."""
    history = getattr(game, "played", [])
    draw_board(ax, game.array, history[-1] if history else None, game.five)
    row, col = divmod(thought.move, game.rules.size)
    ax.plot(col, row, "x", color="tab:blue", markersize=7, markeredgewidth=2, zorder=6)
    ax.set_xlabel(f"forced: {thought.why}", fontsize=8)


def thought_caption(game: Game, thought) -> str:
    """Return one sentence on a Thought: the move, how sure, position, simulations, seed."""
    side, ply = COLOUR[game.to_move], len(game.played) + 1
    where = f"{game.rules.size}×{game.rules.height}, move {ply}, {side} to move"
    total = int(thought.visits.sum())
    if not total:
        return f"{thought.name} needs no search ({thought.why}). {where}."
    share = thought.visits.flat[thought.move] / total
    return (
        f"{thought.name} received {share:.0%} of the visits; its value for {side} is "
        f"{thought.value:+.2f}. {where}; {thought.simulations:,} simulations, "
        f"seed {thought.seed}."
    )


# *by Experiments*
#
# The figure's description for those who do not see it names the three best moves with their
# numbers.


# by Experiments · show one Thought
def show_thought(game: Game, thought) -> None:
    """Display the figure of a Thought with its caption, and with its best moves in words."""
    best = [
        f"{name} {visits:,} visits, value {value:+.2f}, UCB {bound:.2f}"
        for name, visits, value, bound in thought.top(3)
    ]
    found = "; ".join(best) or f"no search: {thought.why}"
    alt = (
        f"Boards with visits, values and UCB of the moves. {thought.name} is played. {found}."
    )
    show(thought_figure(game, thought), alt, thought_caption(game, thought))


# *by Experiments*
#
# A search tree is too large to draw whole. `draw_tree` draws its most visited part: one box a node,
# with the move, its visits $N$ and its value $Q$ for the player who made the move. The wider the
# line, the more of the simulations went that way.


# by Experiments · the top of a search tree
def draw_tree(ax, node: Node, depth: int = 3, width: int = 3, to_move: int = BLACK) -> None:
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
        look = {"facecolor": "0.15" if black else "white", "edgecolor": "0.15"}
        if y == 0:
            look = {"facecolor": "0.88", "edgecolor": "0.15"}
        text = f"{each.move or 'root'}\nN {each.N:,}\nQ {each.Q:.2f}" if each.N else "root"
        ink = "white" if black and y else "black"
        box = {"boxstyle": "round,pad=0.35", **look}
        ax.text(
            x, -y, text, ha="center", va="center", fontsize=8, color=ink, bbox=box, zorder=2
        )
        if hidden:
            inner = y < depth  # beside a node with children, below one without
            note = {"fontsize": 7, "color": "0.3", "ha": "left" if inner else "center"}
            shift = {"xytext": (23, 0) if inner else (0, -29), "textcoords": "offset points"}
            ax.annotate(f"{hidden} more", (x, -y), va="center", **note, **shift)
    columns, deepest = max(place[0] for place in places), max(place[1] for place in places)
    ax.set(xlim=(-0.6, columns + 0.6), ylim=(-deepest - 0.6, 0.45))
    ax.set_axis_off()


def place_tree(node: Node, y, depth, width, free, places, lines, total=None):
    """Place a node above its children, leaves from left to right; return its column."""
    total = total or max(1, node.N)
    children = node.children
    shown = children[:width] if y < depth else []
    columns = [
        place_tree(child, y + 1, depth, width, free, places, lines, total) for child in shown
    ]
    if columns:
        x = (columns[0] + columns[-1]) / 2
    else:
        x, free[0] = free[0], free[0] + 1
    lines += [
        ((x, y), (column, y + 1), child.N / total)
        for column, child in zip(columns, shown, strict=True)
    ]
    places.append((x, y, node, len(children) - len(shown)))
    return x


# *by Experiments*
#
# ## 10 · What plain search misses
#
# The search of room 9 knows nothing of the game but its rules. It finds a five when one is there, and
# it finds good points on an open board. It can fail where one exact answer is needed. The course
# notebook calls its example *Node X*: the point that would have stopped a four and an open three was a
# child of the root, but another child was visited more often, and the game was lost.
#
# Here is such a position. White is to move. Black threatens to make a four and an open three with one
# stone. Every answer but `c2` and `f2` loses: the engine of room 13 proves it by the kernels of
# room 12, and finds no win of black against those two.


# *by Experiments*
#
# Here a hundred times as many simulations do not mend it. In a random playout black finds the winning line by luck only, and
# white the defence hardly ever, so all moves look nearly alike. What is missing is not time but
# knowledge: which points matter (room 11), and what a threat forces (room 12). At the end of room 13
# the same position comes back.


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


# *by Heuristics*
#
# ### Shapes, kept up to date
#
# `classic` reads four line codes for each point, each time it asks for a score. A stone changes only
# the lines through it, and on each of them only the points at most four away. So the engine keeps the
# class of every empty point, for both colours and all four directions, and mends it after each move:
# at most 32 points, whatever the size of the board.
#
# The classes answer one question: *how many more own stones, besides this one, until a five?* A
# **four** needs one more, at one point; an **open four** has two such points or more. A **three**
# needs one more to be a four, an **open three** one more to be an open four. A **two** and an **open
# two** need one more to be those. **One** says only that a five still fits there, and **none** that
# it does not. Each class follows from the one above it by trying every empty neighbour, so the table
# of all line codes needs no pattern at all.


# by Heuristics · where one stone more makes something
def one_more(colour: int, holds: np.ndarray) -> np.ndarray:
    """Return where a stone beside the middle gives a line that holds, bool[65536, 9].

    colour   1 or 2: the stone's
    holds    bool[65536], by line code
    """
    cells, found = line_cells(), np.zeros((1 << 16, 9), bool)
    for i, place in enumerate(NEIGHBOURS):
        with_stone = np.arange(1 << 16) | colour << 2 * i
        found[:, place] = (cells[:, place] == 0) & holds[with_stone]
    return found


# *by Heuristics*
#
# `line_classes` begins with the lines that hold five, and from there goes down: one stone from five
# is a four, two such points an open four, and so on for threes and twos.


# by Heuristics · the class of every line code, from five downwards
@lru_cache
def line_classes(colour: int) -> np.ndarray:
    """Return the class of a stone of colour 1 or 2 in the middle of each line, int8[65536]."""
    cells = line_cells()
    own = own_places(cells, colour)
    five = fits_five(own)
    fives = one_more(colour, five).sum(axis=1)
    found = np.where(fits_five(own | (cells == 0)), ONE, NONE).astype(np.int8)
    found[fives == 1], found[fives > 1], found[five] = FOUR, OPEN_FOUR, FIVE
    for lower, higher in (
        (THREE, FOUR),
        (OPEN_THREE, OPEN_FOUR),
        (TWO, THREE),
        (OPEN_TWO, OPEN_THREE),
    ):
        leads = one_more(colour, found == higher).any(axis=1)
        found[leads & (found < lower)] = lower
    return found


# *by Heuristics*
#
# The four classes of a point together say what a stone there would do: its **kind**. A four and an
# open three at once are more than either, since one stone cannot stop both. There are sixteen kinds,
# from *dead*, where no five can come of the point any more, to *five*.


# by Heuristics · what a stone does in all four directions together, in words and numbers
KINDS = (
    "dead live two open-two double-open-two three three-and-open-two double-three "
    "open-three open-three-and-more double-open-three four four-and-more "
    "four-and-open-three open-four five"
).split()
(
    K_DEAD, K_LIVE, K_TWO, K_OPEN_TWO, K_OPEN_TWOS, K_THREE, K_THREE_TWO, K_THREES,
    K_OPEN_THREE, K_OPEN_THREE_MORE, K_OPEN_THREES, K_FOUR, K_FOUR_MORE, K_FOUR_THREE,
    K_OPEN_FOUR, K_FIVE,
) = np.arange(16)  # fmt: skip


# *by Heuristics*
#
# The kind of a point is the first rule that its four classes fulfil, from five downwards. Four bits
# are enough for a class, so four classes make a number below $2^{16}$, and again a table holds all
# answers.


# by Heuristics · from four classes to a kind
@lru_cache
def kind_table() -> np.ndarray:
    """Return the kind for four classes of four bits each, uint8[65536]."""
    classes = np.stack([np.arange(1 << 16) >> 4 * d & 15 for d in range(4)], axis=1)
    twos, threes, open_threes, fours, open_fours, fives = (
        (classes == kind).sum(axis=1)
        for kind in (OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)
    )
    more = threes + twos > 0
    rules = (  # the first that holds decides
        (fives > 0, K_FIVE),
        ((open_fours > 0) | (fours > 1), K_OPEN_FOUR),
        ((fours > 0) & (open_threes > 0), K_FOUR_THREE),
        ((fours > 0) & more, K_FOUR_MORE),
        (fours > 0, K_FOUR),
        (open_threes > 1, K_OPEN_THREES),
        ((open_threes > 0) & more, K_OPEN_THREE_MORE),
        (open_threes > 0, K_OPEN_THREE),
        (threes > 1, K_THREES),
        ((threes > 0) & (twos > 0), K_THREE_TWO),
        (threes > 0, K_THREE),
        (twos > 1, K_OPEN_TWOS),
        (twos > 0, K_OPEN_TWO),
        ((classes == TWO).any(axis=1), K_TWO),
        ((classes == ONE).any(axis=1), K_LIVE),
    )
    conditions, kinds = zip(*rules, strict=True)
    return np.select(conditions, kinds, K_DEAD).astype(np.uint8)


# *by Heuristics*
#
# The board of the engine has all the fields of `BOARD`, and more: the classes and kinds of every
# point, how many points are of each kind, and the stones as one number, the **hash**. Each colour
# on each point has a random number of 64 bits, and the hash is all of them joined by *exclusive
# or*, written `^`: `a ^ b` has the bits that just one of them has. So a stone that is put down and
# taken up again leaves the hash as it was (Zobrist, 1970).


# by Heuristics · a board that keeps the shapes
FULL = np.int64(16)  # the kind of a point that is taken
SHAPED = np.dtype(
    [
        *((name, BOARD.fields[name][0]) for name in BOARD.names),
        ("classes", np.uint32, 400),  # of each point: four classes for black, then for white
        ("kind", np.uint8, (2, 400)),  # of each point for black, for white; FULL where taken
        ("count", np.int32, (2, 17)),  # how many points are of each kind
        ("hash", np.uint64),  # the stones as one number
        ("won", np.int64),  # 1 if the last stone made five
    ],
    align=True,
)
CLASSES = line_classes(1) | line_classes(2) << 4  # black in the low four bits, white above
CLASSES = CLASSES.astype(np.uint8)
KIND = kind_table()
ZOBRIST = np.random.default_rng(2024).integers(0, 2**64, (2, 400), dtype=np.uint64)
TABLE = np.uint64(REMEMBERED - 1)  # a place in a table of positions, from their number
BOTH, LOW, BYTE = np.uint32(0x000F000F), np.uint32(0xFFFF), np.uint32(15)


# *by Heuristics*
#
# The classes of a point fit into 32 bits, four bits a direction: black's in the low half, white's
# in the high half. Its kinds are looked up from them, and counted.


# by Heuristics · the classes and the kind of a point
@jit
def classes_of(code):
    """Return the class of a line code for black, and 16 bits higher for white, uint32."""
    both = np.uint32(CLASSES[code])
    return both & BYTE | both >> np.uint32(4) << np.uint32(16)


@jit
def shape_at(s, point):
    """Return the classes of an empty point, worked out from its four line codes, uint32."""
    found = np.uint32(0)
    for d in range(4):
        found |= classes_of(code_at(s, point, d)) << np.uint32(4 * d)
    return found


@jit
def set_kind(board, colour, point, kind):
    """Give a point another kind for one colour, 0 black or 1 white, and count it there."""
    board.count[colour, board.kind[colour, point]] -= 1
    board.count[colour, kind] += 1
    board.kind[colour, point] = kind


# *by Heuristics*
#
# `swap_shapes` walks along the four lines through a stone. At each empty point of them only the
# class in that direction is looked up again; if it has changed, the kinds of the point follow. The
# stone's bits are joined to the line by `^`, so the same call puts a stone down and takes it up.


# by Heuristics · a stone comes or goes: mend the lines, and the points on them
@jit
def swap_shapes(s, point, colour):
    """Put a stone of colour 1 or 2 on a point, or take it away, and mend all shapes.

    The lines are read as integers: cell 0 of nine is four points before `point`.
    """
    board = s.board
    for d in range(4):
        shift = s.geo.shift[point, d]
        line = board.lines[s.geo.line[point, d]] ^ (colour << (shift + 2 * EDGE))
        board.lines[s.geo.line[point, d]] = line
        for step in range(-4, 5):
            if step == 0 or line >> (shift + 2 * (step + EDGE)) & 3:  # a stone, or the edge
                continue
            new = classes_of(code_of(line >> (shift + 2 * step)))
            other, place = point + step * s.geo.step[d], np.uint32(4 * d)
            old = board.classes[other]
            change = (old >> place & BOTH) ^ new
            if change:
                now = old ^ change << place
                board.classes[other] = now
                set_kind(board, 0, other, KIND[now & LOW])
                set_kind(board, 1, other, KIND[now >> np.uint32(16)])
    board.hash ^= ZOBRIST[colour - 1, point]


# *by Heuristics*
#
# Since kinds are ordered and counted, a question such as *can black make a four anywhere?* needs no
# look at the board.


# by Heuristics · how many points are of a kind or better
@jit
def count_from(board, colour, kind):
    """Return on how many points a stone of colour 0 or 1 would be of `kind` or better."""
    found = 0
    for better in range(kind, FULL):
        found += board.count[colour, better]
    return found


# *by Heuristics*
#
# With that, a stone can be played in the tree, and also tried and taken back, which the searches of
# room 12 do all the time.


# by Heuristics · play a move, or take one and give it back
@jit
def take_point(s, point, colour):
    """Put a stone of colour 1 or 2 on an empty point; the shapes follow."""
    s.board.won = s.board.kind[colour - 1, point] == K_FIVE
    set_kind(s.board, 0, point, FULL)
    set_kind(s.board, 1, point, FULL)
    swap_shapes(s, point, colour)


@jit
def free_point(s, point, colour):
    """Take a stone of colour 1 or 2 away; the shapes follow."""
    swap_shapes(s, point, colour)
    now = shape_at(s, point)
    s.board.classes[point], s.board.won = now, 0
    set_kind(s.board, 0, point, KIND[now & LOW])
    set_kind(s.board, 1, point, KIND[now >> np.uint32(16)])


@jit
def play_live(s, point):
    """Play the mover's stone: bits, lines, shapes."""
    take_point(s, point, colour_to_move(s))
    play_stones(s, point)


# *by Heuristics*
#
# Once for each search the shapes of its root are worked out from its stones alone.


# by Heuristics · all shapes of a position, worked out from its stones
@jit
def fill_live(s):
    """Work out every shape of s.root from its stones."""
    for i in range(s.root.lines.size):
        s.board.lines[i] = s.root.lines[i]  # which shape_at reads
    for point in range(s.geo.points):
        stones = s.root.stones[s.geo.row[point]] | s.root.stones[s.geo.half + s.geo.row[point]]
        if stones & s.geo.bit[point]:
            s.root.kind[0, point] = s.root.kind[1, point] = FULL
        else:
            now = shape_at(s, point)
            s.root.classes[point] = now
            s.root.kind[0, point], s.root.kind[1, point] = KIND[now & LOW], KIND[now >> 16]
        for colour in range(2):
            s.root.count[colour, s.root.kind[colour, point]] += 1
            if s.root.stones[colour * s.geo.half + s.geo.row[point]] & s.geo.bit[point]:
                s.root.hash ^= ZOBRIST[colour, point]


# *by Heuristics*
#
# Each simulation begins with a copy of the root and its shapes.


# by Heuristics · begin a simulation at the root
@jit
def begin_live(s):
    """Make s.board a copy of s.root, with its shapes."""
    begin_stones(s)
    for i in range(3 * (s.geo.rows + s.geo.size) - 2):
        s.board.lines[i] = s.root.lines[i]
    for i in range(s.geo.points):
        s.board.classes[i] = s.root.classes[i]
        s.board.kind[0, i], s.board.kind[1, i] = s.root.kind[0, i], s.root.kind[1, i]
    for kind in range(17):
        s.board.count[0, kind] = s.root.count[0, kind]
        s.board.count[1, kind] = s.root.count[1, kind]
    s.board.hash, s.board.won = s.root.hash, 0


# *by Heuristics*
#
# ## 12 · Forced wins and proven nodes
#
# Random playouts do not see a win that must be played exactly. The simplest such win is a chain of
# **fours**: each four threatens a five, so the answer is forced, and the next four comes before the
# defender can do anything of their own. A win by such a chain is called **VCF**, victory by
# continuous fours. There is one reply to each four, so the search for it hardly branches and can
# look many plies deep.
#
# A stone makes a *four* on a line when exactly one point of that line then makes five, and a
# *double* when two points do, on one line or on two: the defender can fill only one of them. A table
# says for each line code what a stone in the middle makes, and where the five is then.


# by Heuristics · what a stone makes on its line: nothing, a four, a double, a five
FOUR_ONE, FOUR_TWO, FOUR_WON = 1, 2, 3  # one point to five, two points or more, five at once


@lru_cache
def fours_table() -> np.ndarray:
    """Return int16[65536]: kind, and place of the first five + 4, for black, then for white.

    Bits 0-1 kind for black, 2-5 place; bits 6-7 kind for white, 8-11 place.
    """
    table = np.zeros(1 << 16, np.int16)
    for colour, low in ((1, 0), (2, 6)):
        five = line_classes(colour) == FIVE
        makes = one_more(colour, five)
        kind = np.where(five, FOUR_WON, np.minimum(makes.sum(axis=1), FOUR_TWO))
        table |= ((kind | makes.argmax(axis=1) << 2) << low).astype(np.int16)
    return table


# *by Heuristics*
#
# A point lies on four lines. Two fours on two of them are a double as well, so their kinds are
# added up.


# by Heuristics · what a stone makes on its four lines together
FOURS = fours_table()


@jit
def fours_at(s, point, colour):
    """Return (kind, point of the five) for a stone of colour 1 or 2 on an empty point.

    Fours on two lines are a double: their fives lie on different points.
    """
    kind, five, low = 0, -1, 6 * (colour - 1)
    for d in range(4):
        found = FOURS[code_at(s, point, d)] >> low
        if found & 3:
            five = point + ((found >> 2 & 15) - 4) * s.geo.step[d]
            if found & 3 == FOUR_WON:
                return FOUR_WON, point
            kind += found & 3
    return min(kind, FOUR_TWO), five


# *by Heuristics*
#
# The search plays fours on the board, lets the defender fill the five, and goes on from there;
# afterwards every stone is taken back. Three things make it short. A four through the new stone
# lies within four points of it, so the list of points worth trying only grows by those. If the
# defender's reply makes a four itself, the attacker must answer there, with a four or not at all.
# And positions that lead nowhere are remembered by their hash, since the same fours in another
# order, or from another node of the tree, lead to the same position.
#
# First the small steps: a stone on or off the lines, nothing else, and the list of fours near it.


# by Heuristics · stones on and off the lines, and the fours beside a stone
@jit
def swap_stone(s, point, colour):
    """Put a stone of colour 1 or 2 on the lines of an empty point, or take it away."""
    for d in range(4):
        s.board.lines[s.geo.line[point, d]] ^= colour << (s.geo.shift[point, d] + 2 * EDGE)


@jit
def is_open(s, point):
    """True if no stone stands on the point, by its row in the lines."""
    return s.board.lines[s.geo.row[point]] >> (s.geo.shift[point, 0] + 2 * EDGE) & 3 == 0


@jit
def list_fours(s, point, colour, length):
    """Append the points within four of `point` where the colour now makes a four."""
    for d in range(4):
        line, shift = s.board.lines[s.geo.line[point, d]], s.geo.shift[point, d]
        for step in range(-4, 5):
            if line >> (shift + 2 * (step + EDGE)) & 3:  # a stone, or the edge
                continue
            near = point + step * s.geo.step[d]
            if length < s.fours.size and fours_at(s, near, colour)[0]:
                if not is_listed(s.fours, length, near):
                    s.fours[length] = near
                    length += 1
    return length


# *by Heuristics*
#
# The chain itself is a loop with a memory of its own, one entry for each **level**, that is, for
# each four and its answer. `next` says which point of the list comes next at a level, `length` how
# long the list is there, `forced` where the attacker must play if the defender has a four. A level
# with nothing left to try is given up, its two stones are taken back, and the level before goes on.
# A double or a five ends the search.


# by Heuristics · try the fours one after another, each with its only answer
@jit
def chain_of_fours(s, colour, forced, length):
    """True if the colour, to move, wins by fours; s.win[:s.ply] is then the winning line.

    forced   the point that must be filled against the defender's five, or -1
    length   s.fours[:length] are the points where the colour may make a four
    """
    level, s.next[0], s.length[0], s.forced[0] = 0, 0, length, forced
    s.keys[0] = s.board.hash ^ np.uint64(colour)
    if s.barren[s.keys[0] & TABLE] == s.keys[0]:
        return False
    while level >= 0:
        i, must = np.int64(s.next[level]), np.int64(s.forced[level])
        s.next[level] += 1
        if i >= (1 if must >= 0 else s.length[level]):  # nothing left to try: back one pair
            if s.left > 0:
                s.barren[s.keys[level] & TABLE] = s.keys[level]
            level -= 1
            if level >= 0:
                swap_stone(s, np.int64(s.win[2 * level + 1]), 3 - colour)
                swap_stone(s, np.int64(s.win[2 * level]), colour)
            continue
        point = must if must >= 0 else np.int64(s.fours[i])
        kind, five = fours_at(s, point, colour) if is_open(s, point) else (0, -1)
        if kind == 0:
            continue
        s.win[2 * level], s.win[2 * level + 1] = point, five
        if kind >= FOUR_TWO:
            s.ply = 2 * level + 1
            for k in range(level):  # take every stone back
                swap_stone(s, np.int64(s.win[2 * k]), colour)
                swap_stone(s, np.int64(s.win[2 * k + 1]), 3 - colour)
            return True
        if s.left <= 0 or level + 1 == s.next.size:
            continue
        swap_stone(s, point, colour)
        reply, threat = fours_at(s, five, 3 - colour)
        key = s.keys[level] ^ ZOBRIST[colour - 1, point] ^ ZOBRIST[2 - colour, five]
        if reply >= FOUR_TWO or s.barren[key & TABLE] == key:  # the answer stops this
            swap_stone(s, point, colour)
            continue
        swap_stone(s, five, 3 - colour)
        s.left, level = s.left - 1, level + 1
        s.keys[level] = key
        s.length[level] = list_fours(s, point, colour, np.int64(s.length[level - 1]))
        s.next[level], s.forced[level] = 0, threat if reply == FOUR_ONE else -1
    return False


# *by Heuristics*
#
# Before the chain begins, the counts of kinds answer the easy cases: a five, or an open four that
# the opponent has no five against, wins at once; where no four can be made, or the opponent has two
# fives, there is no chain.


# by Heuristics · where the chain may begin
@jit
def wins_by_fours(s, colour, nodes):
    """True if the colour, 1 black or 2 white, wins by fours when it is to move now.

    At most `nodes` positions are looked at; False means that no win was found among them.
    s.win[:s.ply] is then the winning line, attacker first, up to the five or the double.
    """
    own, length, forced, s.left = colour - 1, np.int64(0), np.int64(-1), nodes
    best = K_FIVE if s.board.count[own, K_FIVE] > 0 else K_OPEN_FOUR
    if s.board.count[own, best] > 0 and (
        best == K_FIVE or s.board.count[1 - own, K_FIVE] == 0
    ):
        s.win[0], s.ply = find_kind(s, own, best, 0), 1
        return True
    if s.board.count[1 - own, K_FIVE] > 1 or count_from(s.board, own, K_FOUR) == 0:
        return False
    if s.board.count[1 - own, K_FIVE] == 1:  # the opponent's five must be filled
        forced = find_kind(s, 1 - own, K_FIVE, 0)
    for point in range(s.geo.points):
        if K_FOUR <= s.board.kind[own, point] < FULL and length < s.fours.size:
            s.fours[length] = point
            length += 1
    return chain_of_fours(s, colour, forced, length)


# *by Heuristics*
#
# `find_kind` looks for one point of a kind that the counts say is there.


# by Heuristics · a point of a kind
@jit
def find_kind(s, own, kind, start):
    """Return the first point from `start` on that is of a kind for a colour, or -1."""
    for point in range(start, s.geo.points):
        if s.board.kind[own, point] == kind:
            return point
    return -1


# *by Heuristics*
#
# Black to move has no five. The search for fours finds a win; every answer of white on the way is the
# only one.


# *by Heuristics*
#
# ### The answers to a threat
#
# Suppose that the opponent would win by fours if it were their move. Which moves stop that? Most do
# not touch the winning line at all, and every one of those loses. A move can only help if it
#
# - stands on a point of the line: one of the fours, one of the answers, or a point of the five at its
#   end,
# - makes a four itself, so that the opponent must answer first, or
# - lies on five places in a row with one of the forced answers and at least two own stones, none the
#   opponent's, so that the answer would become a four or a five.
#
# All other moves lose, and that is a proof. The search may leave them out, and still call a position
# lost when all of these are.


# by Heuristics · one move more in the list, and what helps a forced answer
@jit
def add_move(s, point, length):
    """Append an empty point to s.moves[:length] unless it is there; return the new length."""
    if s.board.kind[0, point] == FULL or is_listed(s.moves, length, point):
        return length
    s.moves[length] = point
    return length + 1


@jit
def add_helpers(s, point, colour, length):
    """Append the points that would make a forced answer on `point` a four or a five.

    A stone there shares five places in a row with `point` that hold no enemy and two own
    stones more.
    """
    for d in range(4):
        line, shift = s.board.lines[s.geo.line[point, d]], s.geo.shift[point, d]
        for start in range(-4, 1):
            own, open_cells = 0, True
            for step in range(start, start + 5):
                cell = line >> (shift + 2 * (step + EDGE)) & 3
                own += cell == colour
                open_cells &= cell == 0 or cell == colour
            if open_cells and own >= 2:
                for step in range(start, start + 5):
                    if step != 0 and line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                        length = add_move(s, point + step * s.geo.step[d], length)
    return length


# *by Heuristics*
#
# `list_defences` plays the winning line, answers included, and lists what helps on the way; then it
# takes the stones back. At the end of the line it adds the points where the attacker would then
# make five.


# by Heuristics · every move that may stop a win by fours
@jit
def list_defences(s, colour):
    """List in s.moves all that may stop the line s.win[:s.ply] of the other colour.

    colour   1 or 2, to move, without a five of its own. Returns how many there are; every
    move outside the list loses.
    """
    length, other = np.int64(0), 3 - colour
    for point in range(s.geo.points):
        if K_FOUR <= s.board.kind[colour - 1, point] < FULL:
            length = add_move(s, point, length)
    for i in range(s.ply):
        point = np.int64(s.win[i])
        length = add_move(s, point, length)
        if i % 2 == 1:
            length = add_helpers(s, point, colour, length)
        swap_stone(s, point, other if i % 2 == 0 else colour)
    last = np.int64(s.win[s.ply - 1])
    for d in range(4):  # the points of the five at the end of the line
        line, shift = s.board.lines[s.geo.line[last, d]], s.geo.shift[last, d]
        for step in range(-4, 5):
            if line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                point = last + step * s.geo.step[d]
                if fours_at(s, point, other)[0] == FOUR_WON:
                    length = add_move(s, point, length)
    for i in range(s.ply):
        swap_stone(s, np.int64(s.win[i]), other if i % 2 == 0 else colour)
    return length


# *by Heuristics*
#
# ### Threats: fours and open threes
#
# An **open three** threatens an open four, and so must be answered too; but there is a choice of
# answers. A win by fours and open threes together is called **VCT**, victory by continuous threats.
# The search for it tries each threat, and against each of them *every* answer that could help:
#
# - against a four, its one point,
# - against an open three, the points of its line that would break it, and every four of the
#   defender's own.
#
# Any other answer lets the attacker make an open four, which wins. The attack succeeds if each of
# these answers runs into a win: by fours, or by further threats. Positions where that failed are
# remembered, since many orders of the same threats lead to the same position.


# by Heuristics · which neighbours break an open three, for every line code
@lru_cache
def stops_table(colour: int) -> np.ndarray:
    """Return where an enemy stone breaks an open three of the colour, uint8[65536].

    Bit i stands for neighbour i of the line code; 0 where the line is no open three.
    """
    found = line_classes(colour)
    broken = one_more(3 - colour, found < OPEN_THREE)[:, NEIGHBOURS]
    stops = np.packbits(broken, axis=1, bitorder="little")[:, 0]
    return np.where(found == OPEN_THREE, stops, 0).astype(np.uint8)


STOPS = np.stack([stops_table(1), stops_table(2)])
URGENCY = np.array(
    [K_FOUR_THREE, K_OPEN_THREES, K_OPEN_THREE_MORE, K_FOUR_MORE, K_OPEN_THREE, K_FOUR]
)  # the order in which threats are tried


# *by Heuristics*
#
# At each of its plies the attacker first asks for a win by fours, which is cheap. Only then are the
# threats listed, the most urgent kind first. If the opponent has a five, the one threat that may be
# tried is the one that fills it.


# by Heuristics · the threats of one side
@jit
def list_threats(s, colour, ply):
    """List the threats of `colour`, to move, in s.tries[ply]; True if it wins by fours.

    The winning line is then s.lines[ply, :s.reach[ply]].
    """
    own, other = colour - 1, 2 - colour
    s.many[ply] = s.tried[ply] = 0
    found = wins_by_fours(s, colour, 100)
    s.budget -= (100 - s.left) // 8  # these positions are cheaper than those of threats
    if found:
        for i in range(s.ply):
            s.lines[ply, i] = s.win[i]
        s.reach[ply] = s.ply
        return True
    if s.board.count[other, K_FIVE] > 0:  # it must be filled, by a threat or not at all
        point = find_kind(s, other, K_FIVE, 0)
        if s.board.count[other, K_FIVE] == 1 and s.board.kind[own, point] >= K_OPEN_THREE:
            s.tries[ply, 0], s.many[ply] = point, 1
        return False
    for kind in URGENCY:
        point = -1
        for _ in range(s.board.count[own, kind]):
            point = find_kind(s, own, kind, point + 1)
            s.tries[ply, s.many[ply]] = point
            s.many[ply] += 1
    return False


# *by Heuristics*
#
# The answers are listed as said above. Where one stone makes several open threes, an answer must
# break every one of them, so it is enough to list those that break the one with the fewest.


# by Heuristics · the answers of the other side
@jit
def list_answers(s, colour, point, ply):
    """List in s.tries[ply] all answers to the threat that `colour` made on `point`."""
    own, other, many = colour - 1, 2 - colour, 0
    best, stops, fewest = 0, 0, 9
    s.reach[ply] = s.tried[ply] = 0
    if s.board.count[own, K_FIVE] > 0:
        s.tries[ply, 0], s.many[ply] = find_kind(s, own, K_FIVE, 0), 1
        return
    for d in range(4):  # of several open threes, the one with the fewest answers
        found, answers = np.int64(STOPS[own, code_at(s, point, d)]), 0
        for i in range(8):
            answers += found >> i & 1
        if 0 < answers < fewest:
            best, stops, fewest = d, found, answers
    for i in range(8):
        if stops >> i & 1:
            s.tries[ply, many] = point + (i - 4 + (i > 3)) * s.geo.step[best]
            many += 1
    for near in range(s.geo.points):
        if K_FOUR <= s.board.kind[other, near] < FULL:
            if not is_listed(s.tries[ply], many, near):
                s.tries[ply, many] = near
                many += 1
    s.many[ply] = many


# *by Heuristics*
#
# The next kernel walks through threats and answers with a stack of its own: even plies are the
# attacker's, odd plies the defender's. One threat that wins is enough; of the answers all must lose.
# The winning line shows the answer that holds out longest.


# by Heuristics · fours and open threes, each with all its answers
@jit
def wins_by_threats(s, colour, depth, nodes):
    """True if `colour`, to move, wins by at most `depth` threats and then by fours.

    At most about `nodes` positions are looked at; s.budget is what is left of them, s.cut is 1
    if threats were left out for depth, and s.win[:s.ply] is the winning line.
    """
    s.budget, s.cut, ply = nodes, 0, 0
    won = list_threats(s, colour, 0)
    while True:
        if ply % 2 == 0 and won:
            if ply == 0:
                break
            longer_line(s, ply - 1)  # this answer loses: try the next one
            ply, won = ply - 1, False
            free_point(s, np.int64(s.at[ply]), 3 - colour)
        elif ply % 2 == 0:
            if s.tried[ply] == s.many[ply] or s.budget <= 0:  # no threat wins
                if ply == 0:
                    break
                if s.budget > 0:
                    s.failed[failure(s, colour, depth, ply) & TABLE] = failure(
                        s, colour, depth, ply
                    )
                free_point(s, np.int64(s.at[ply - 1]), 3 - colour)
                free_point(s, np.int64(s.at[ply - 2]), colour)
                ply -= 2
                continue
            point = np.int64(s.tries[ply, s.tried[ply]])
            s.tried[ply] += 1
            s.at[ply] = point
            take_point(s, point, colour)
            ply += 1
            list_answers(s, colour, point, ply)
        elif s.tried[ply] == s.many[ply]:  # every answer loses
            ply, won = ply - 1, True
            longer_line(s, ply)
            free_point(s, np.int64(s.at[ply]), colour)
        else:
            point = np.int64(s.tries[ply, s.tried[ply]])
            s.tried[ply] += 1
            s.at[ply] = point
            s.budget -= 1
            take_point(s, point, 3 - colour)
            ply += 1
            won = list_threats(s, colour, ply)
            if not won and s.many[ply] > 0:
                key = failure(s, colour, depth, ply)
                if ply >= 2 * depth:
                    s.many[ply], s.cut = 0, 1
                elif s.failed[key & TABLE] == key:
                    s.many[ply], s.cut = 0, 1
    for i in range(s.reach[0] if won else 0):
        s.win[i] = s.lines[0, i]
    s.ply = s.reach[0] if won else 0
    return won


# *by Heuristics*
#
# How many threats deep? One at first, then one more each time, so that a short win is found before
# a long one is tried. The search ends with a win, or when a round left nothing out for depth, or
# when the budget is spent.


# by Heuristics · ever more threats
@jit
def threats_win(s, colour, nodes):
    """True if `colour`, to move, wins by threats: one at first, then ever more of them.

    At most about `nodes` positions are looked at; s.budget is what is left. More than 0 and
    False: every threat was tried.
    """
    s.budget = nodes
    for depth in range(1, s.tried.size // 2):
        if wins_by_threats(s, colour, depth, s.budget):
            return True
        if s.budget <= 0 or s.cut == 0:
            break
    return False


# *by Heuristics*
#
# Two small parts of it. A failure holds for a position, an attacker and a number of threats left,
# so all three go into the number it is remembered by. And of two lines in which the defender holds
# out, the longer one is kept.


# by Heuristics · what is remembered of a failure, and of a win
@jit
def failure(s, colour, depth, ply):
    """Return the number under which a failed search for threats is remembered."""
    rest = np.uint64(2 * (depth - ply // 2) + colour) * MULTIPLIER
    return s.board.hash ^ rest


@jit
def longer_line(s, ply):
    """Make the line of `ply` its move and the line of the next ply, if that is longer."""
    length = min(s.reach[ply + 1] + 1, s.lines.shape[1])
    if ply % 2 == 0 or length > s.reach[ply]:
        s.reach[ply], s.lines[ply, 0] = length, s.at[ply]
        for i in range(1, length):
            s.lines[ply, i] = s.lines[ply + 1, i - 1]


# *by Heuristics*
#
# ### The engine's game
#
# Three kernels make the engine's game.
#
# - `engine_moves` lists the moves, best kind first, each with a **prior**: the share of attention
#   that its kinds earn before any visit. Every empty point is listed in the end. Only where a five
#   must be filled or a win by fours stopped are the moves left out that cannot do it.
# - `judge` takes the place of the playout: a look at how many points are of each kind gives a value
#   between −1 and +1.
# - `engine_result` asks at a new node for a five, for a win by fours, and whether any five still fits
#   on the board: where none does, the game is a draw.


# *by Heuristics*
#
# The prior of a move comes from two kinds: what the mover's stone makes there, `MAKE`, and what it
# takes from the opponent, `BREAK`. Each of the sixteen kinds has a number in either list, from dead
# to five; the last number is for points that are taken.


# by Heuristics · what the kinds are worth to the move that is looked at first
MAKE = np.array([1, 3, 9, 30, 75, 30, 75, 75, 150, 270, 900, 90, 270, 3000, 6000, 30000, 0])
BREAK = np.array([0, 2, 6, 18, 45, 18, 45, 45, 90, 150, 450, 60, 150, 1200, 2400, 30000, 0])
MAKE, BREAK = MAKE.astype(np.int32), BREAK.astype(np.int32)


# *by Heuristics*
#
# `judge`, which comes next, needs numbers that nobody chose. `python -m experiments.fit play` lets the
# engine play itself and keeps positions, with what the search said of them and how the game ended;
# `python -m experiments.fit fit` adjusts the weights to that, step by step, and prints the text of the
# cell below with the size of the fit above it.


# by Heuristics · the weights of the judge, as python -m experiments.fit prints them
# 5,203 games, 1,596,815 positions; seed 0
# loss on games kept apart 0.603, of a constant 0.693, least possible 0.568
WEIGHTS = """
YKg8r16mmZ14KFismax8GU2oS60yqbYfEKlfq/sg86m4JyyjZqiVoDMquajxpUUscyoMqb0wOivFKkSsH6nAJHuqt6rr
E6erFSb1rVOtKKbArW2qip3gITgptKKMIt8drihTIZQoLBfvFtSnZqudp/UuXClkIFEnhSCtLhssTx37LdSqbi8LLxso
Uay/MbysWzCKqRWwACxQpacxXjGKKtutyKgVmceqrKgVJ5elGah9rPsunq4qqWMnlSxFo5ysPB2HLOcnpp6pIJo0ASqO
qT4ePrGurq4qfKRRMGopjinDnoSnQyXuKK6n5iIMqpcmOaTzqcyueKlHqXcuVyxWpFUfOqiyLL6rBSkpNSwsvqTCKts3
sq2aJ4WqnS3dJIckAS6oMMC4nzF/rO01VTjIqIibAzSLsPWn5K0/NFcyvC6GM7AxkjlGM+UxOzlyODedpTWcMbCySDed
tQakLSt4LrepgTm8KFYsXaQhLe0wVasirPwv2K5KLMWouTEdrLyhraiYMfEr9Dt/Irw0pCsVLHaw3ipRr08tL671MHO5
wqRZNjw4dLBdOqSrjDBfuAq5nLIDNqq2mLa9PB66Sz0vLKqyXDcwqCU2DbHFOcQ9faQnMfcvtLImt4iwO7duM/moAIAA
AAAAAAAAgAAAAIAAgACAAAAAAACAAIAAgACAAAA9rGSuQijNpQWlySQVIoQlUayLp9GoEqxbp7StWqV3qWOmqSUeLBEo
b6R8LJ0nbKcIpRMrGawoqY2pxzCHLE6hC6hbpQwpWqqzI1El3qvGI+GsTqhQHvmph6rWIBWq9KifnnwqeqEDKXYhHCpB
LZora6SQKlktW5XbKEqnuiGGn9csiCyXoZssbix6KjYvLTExKNMoojInsDuOfq9TrV+ZHSisr+mm96jgICiqG6WyKpSe
j6miK6YmkC8MrvOjgK2ZKDgmrKQlIskiPCwkJC4uWK2OoA8ydDQrrqOstq2RKeuiNaVsqOml+CD+pGGnOyaEqY+sdjBg
KiSoMq6XptqR9KTdLA0ifKUqJv+pmiFQJfwx/6DXK8IyKzfLq8Srq6gkNN0wP6xtK7C4Hp6pKHEydTcbqjA0mTTHL+ax
9aosLU43KjCmJqwwajVnMTgmqyLlNVUsei5tNJem4q47o/sqvjcxrJ2nBq1wJ4Co6xkPt+g0sa2QNNIw7645sDupdiys
MGgoz6nqrVwbFRpbsBuwBS71r9MwhTCuL92ufyL/Oxo2bCfkqzIiLCkTsq+9n63nNp8qXiYCNP0s67DIMbgzPDqbJyqk
tCc2JK6s47nvMX2oi6pmKyQwFzQCtAMxYy3EuiAje6yoKTmqGLSWvvQWhznUrak01hxpsCC1tisiIke/F71osga8CbOb
vFe69bhKvbS8bb5vvSC9ZLrOtbW8Xr24PE44yDsjuPc47TyuuGu7+joouj+4u7n+OR45nrweGQ==
"""


# *by Heuristics*
#
# That text is the weights themselves: numbers of two bytes each, written in letters and digits
# (base 64).


# by Heuristics · weights as text, and back
def weights_text(weights) -> str:
    """Return (float32[32, 16], float32[16], float32[16], float32[1]) as lines of base 64.

    They are rounded to half precision, about three digits.
    """
    numbers = np.concatenate([np.ravel(part) for part in weights]).astype("<f2")
    return "\n".join(textwrap.wrap(base64.b64encode(numbers.tobytes()).decode(), 92))


def read_weights(text: str) -> tuple[np.ndarray, ...]:
    """Return what weights_text was given, in half precision."""
    numbers = np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32)
    into, *others = np.split(numbers, np.cumsum([2 * FULL * HIDDEN, HIDDEN, HIDDEN]))
    return into.reshape(2 * FULL, HIDDEN), *others


# *by Heuristics*
#
# `judge` is a very small neural net. Its inputs $x_i$ are the square roots of 32 numbers: how many
# points are of each of the 16 kinds for the player to move, and how many for the other. Each of 16
# hidden units adds them up with weights $w_{ik}$ of its own and passes the sum on if it is
# positive; the answer is a weighted sum of the units, which $\tanh$ squeezes into −1 to +1:
#
# $$v = \tanh \tfrac{1}{2} \Big( a + \sum_{k=1}^{16} u_k \, \max\big(0,\; b_k + \sum_{i=1}^{32} w_{ik} x_i\big) \Big)$$
#
# In the code `INTO` holds $w$, `BIAS` $b$, `OUT` $u$ and `LAST` $a$. A sum without hidden units can
# say that a three is worth so much. The units can say more: that the third three adds less than the
# first, and that a four is worth more beside a three.


# by Heuristics · the value of a position
INTO, BIAS, OUT, LAST = read_weights(WEIGHTS)
ROOTS = np.sqrt(np.arange(401)).astype(np.float32)


@jit
def judge(s):
    """Return the value of a position for black, from -1 to +1."""
    own = colour_to_move(s) - 1
    for k in range(HIDDEN):
        s.hidden[k] = BIAS[k]
    for i in range(2 * FULL):
        many = s.board.count[own if i < FULL else 1 - own, i % FULL]
        if many > 0:
            for k in range(HIDDEN):
                s.hidden[k] += ROOTS[many] * INTO[i, k]
    logit = LAST[0]
    for k in range(HIDDEN):
        logit += max(np.float32(0), s.hidden[k]) * OUT[k]
    value = math.tanh(logit / 2)
    return value if own == 0 else -value


# *by Heuristics*
#
# Now the moves. Against a five only the points that make it can help; against a win by fours only
# the defences listed above. Elsewhere every move stays.


# by Heuristics · where few moves can help, only those
@jit
def list_forced(s, colour, nodes):
    """List in s.moves the only moves that can help against a five or a win by fours.

    Returns how many there are; 0: the opponent of `colour`, to move, has no such threat, or a
    search of `nodes` positions found none, or `colour` has a five itself.
    """
    own, other, length, point = colour - 1, 2 - colour, np.int64(0), np.int64(-1)
    if s.board.count[own, K_FIVE] > 0:
        return 0
    if s.board.count[other, K_FIVE] > 0:
        for _ in range(s.board.count[other, K_FIVE]):
            point = find_kind(s, other, K_FIVE, point + 1)
            length = add_move(s, point, length)
    elif nodes > 0 and count_from(s.board, other, K_FOUR) > 0:
        if wins_by_fours(s, 3 - colour, nodes):
            length = list_defences(s, colour)
    return length


# *by Heuristics*
#
# A move's score $s$ is its number in `MAKE` for the mover plus its number in `BREAK`, and its prior
# is its share of all scores,
#
# $$P_i = \frac{s_i}{\sum_j s_j}$$
#
# with a one added so that nothing is divided by zero. A record keeps $255 \sqrt{P}$ in one byte:
# the root spreads small priors apart that would all be rounded to nothing.


# by Heuristics · scores, order and priors of moves
@jit
def sort_moves(s, own, other, length):
    """Sort s.moves[:length], best first, into s.scores; return the sum of the scores."""
    total = 0
    for i in range(length):
        point = np.int64(s.moves[i])
        score = MAKE[s.board.kind[own, point]] + BREAK[s.board.kind[other, point]] + 1
        total, place = total + score, i
        while place > 0 and s.scores[place - 1] < score:
            s.moves[place], s.scores[place] = s.moves[place - 1], s.scores[place - 1]
            place -= 1
        s.moves[place], s.scores[place] = point, score
    return total


@jit
def set_priors(s, start, stop, total):
    """Set s.priors[start:stop]: 255 times the root of the share of s.scores in `total`."""
    for i in range(start, stop):
        s.priors[i] = np.uint8(255 * math.sqrt(s.scores[i] / total))


# *by Heuristics*
#
# `engine_moves` puts it together. It looks at all points but keeps only the best that were asked
# for, since most nodes never need more than a few of their moves. It begins at a random point, so
# equals come in no fixed order; on an empty board the middle is preferred.


# by Heuristics · the moves, best first, with their priors
@jit
def engine_moves(s, had, want, options):
    """Append moves to s.moves[:had], with s.priors; return the new length.

    s.complete is set to 1 where no other move can help.
    """
    colour = colour_to_move(s)
    own, other = colour - 1, 2 - colour
    length = list_forced(s, colour, options.fours) if had == 0 else 0
    if length > 0:
        s.complete = 1
        set_priors(s, 0, length, sort_moves(s, own, other, length))
        return length
    moves, scores, total, length, worst = s.moves, s.scores, 1, had, -1
    mine, theirs, most = s.board.kind[own], s.board.kind[other], had + want
    start = random_below(s, s.geo.points)  # so that chance decides between equals
    opens = s.board.empty == s.geo.points  # no stone yet: the middle comes first
    middle = s.geo.rows // 2 * s.geo.size + s.geo.size // 2
    for i in range(s.geo.points):
        point = start + i
        point -= s.geo.points if point >= s.geo.points else 0
        score = MAKE[mine[point]] + BREAK[theirs[point]]
        score += 1_000 if opens and point == middle else 0
        total += score
        if score <= worst or mine[point] == FULL or is_listed(moves, had, point):
            continue
        place = min(length, most - 1)
        while place > had and scores[place - 1] < score:  # insertion into the best so far
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = point, score
        length = min(length + 1, most)
        worst = scores[most - 1] if length == most else -1
    set_priors(s, had, length, total)
    return length


# *by Heuristics*
#
# With priors the search can be choosy without cutting anything. **PUCT** adds to the value of a
# child a bonus in proportion to its prior $P$, which fades as its visits $n$ grow:
#
# $$\text{PUCT} = \frac{m}{n} + c \, P \, \frac{\sqrt{N}}{1 + n}$$
#
# The children are sorted by prior, so of those without a visit only the first can be next. Its
# $m/n$ is not known; it counts as that of its node, seen from the same side, less `unvisited`. A
# child of low prior waits, but the factor $\sqrt{N}$ grows without end, and one day its turn comes.
# This is progressive bias and progressive widening in one formula.
#
# In the code `curiosity` times the square of the prior's byte is $c \, P \sqrt{N}$, since
# $255^2 = 65025$, and the two fractions are put over one denominator, $n \, (1 + n)$.


# by Heuristics · select with priors
@jit
def puct(s, tree, node, untried, options):
    """Return the child with the highest Q + c P sqrt(N) / (1 + n); 0 if there is none.

    `untried`, the best child without visits, counts as a little worse than its node.
    Source: Rosin 2011 (predictor and UCB); the form is that of Silver and others 2016.
    """
    record, one = tree[node], np.float32(1)
    first = np.int64(record.first)
    curiosity = np.float32(options.c_prior * math.sqrt(record.N) / 65025)
    unit, best, chosen = np.float32(1 / 64), np.float32(-1e9), np.int64(0)
    if untried > 0:
        prior = np.float32(tree[untried].prior)
        known = 1 - record.W64 / (64 * max(1, record.N)) - options.unvisited
        best, chosen = np.float32(known) + curiosity * prior * prior, np.int64(untried)
    for i in range(first, first + record.tried):
        child = tree[i]
        if child.status > COMPLETE and options.solve and is_settled(child.status, record.N):
            continue
        n, reward = np.float32(child.N), unit * np.float32(child.W64)
        bonus, after = curiosity * np.float32(child.prior) ** 2, n + one
        score = (reward * after + bonus * n) / (n * after)  # one division is faster than two
        if score > best:
            best, chosen = score, np.int64(i)
    return chosen


# *by Heuristics*
#
# At a new node, from the cheapest question to the dearest: has the last stone made five? Can no
# five come any more? Has the player to move a five, or the other side two? Does the player to move
# win by fours? What none of this decides is left to `judge`.


# by Heuristics · what is certain at a new node
AT_ROOT = np.int64(5_000)  # positions to look at for fours before the first simulation


@jit
def engine_result(s, options):
    """Return WON, DRAWN, LOST or OPEN for the player who just moved."""
    own = 0 if s.board.start == 0 else 1  # to move
    mine, theirs = s.board.count[own], s.board.count[1 - own]
    if s.board.won:
        return WON
    if mine[K_DEAD] == s.board.empty and theirs[K_DEAD] == s.board.empty:
        if options.dead or s.board.empty == 0:
            return DRAWN  # no five fits anywhere; also on a full board
    if mine[K_FIVE] > 0:
        return LOST
    if theirs[K_FIVE] > 1:
        return WON
    if options.fours > 0 and wins_by_fours(s, own + 1, options.fours):
        return LOST
    return OPEN


# *by Heuristics*
#
# At the root the same search for fours may look further. With that the engine's game is complete.


# by Heuristics · a first look at the root, and the engine's game
@jit
def engine_look(s, options):
    """True if the player to move at the root wins by fours; s.win[:s.ply] is then the line."""
    return options.fours > 0 and wins_by_fours(s, colour_to_move(s), AT_ROOT)


@lru_cache
def engine_game() -> Kernels:
    """Return the kernels of the engine's game."""
    return Kernels(
        SHAPED,
        begin_live,
        play_live,
        engine_result,
        mover,
        engine_moves,
        judge,
        batch=1,
        best_first=True,
        fill=fill_live,
        look=engine_look,
        select=puct,
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
# A `Thought` is what is reported; a value is $2Q - 1$, from −1 to +1, for the side to move.


# by Search · what the engine found
@dataclass
class Thought:
    """What a search found. Points of view: the side to move; boards have row 0 = line 1."""

    move: int  # the point to play
    why: str  # "five", "blocks five", "VCF", "only move", "most visited", "first candidate"
    visits: np.ndarray  # int64[rows, size]: visits of each move
    values: np.ndarray  # float64[rows, size]: 2 Q - 1, -1 (lost) to +1 (won); NaN unvisited
    ucb: np.ndarray  # float64[rows, size]: m/n + c sqrt(ln N / n), as in room 5; NaN unvisited
    simulations: int  # 0 when the move was forced
    seconds: float
    line: list[int]  # the most visited line, `move` first
    proven: int | None  # +1, 0, -1 for the side to move; None where nothing is proven
    seed: int
    tree: Tree | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """The name of the move, such as "h8"."""
        return point_name(self.move, self.visits.shape[1])

    @property
    def value(self) -> float:
        """The value of the move, from -1 to +1; NaN where it was not searched."""
        return float(self.values.flat[self.move])

    def top(self, most: int = 5) -> list[tuple[str, int, float, float]]:
        """Return (name, visits, value, UCB) of the most visited moves, best first."""
        order = np.argsort(-self.visits, axis=None, kind="stable")[:most]
        size = self.visits.shape[1]
        return [
            (
                point_name(int(p), size),
                int(self.visits.flat[p]),
                float(self.values.flat[p]),
                float(self.ucb.flat[p]),
            )
            for p in order
            if self.visits.flat[p]
        ]

    def __str__(self) -> str:
        rate = self.simulations / self.seconds if self.seconds else 0
        size = self.visits.shape[1]
        lines = [
            f"{self.name} ({self.why}): {self.simulations:,} simulations in "
            f"{self.seconds:.2f} s, {rate:,.0f} a second"
        ]
        lines += [
            f"  {name:4s} visits {n:>9,}   value {value:+.3f}   UCB {bound:.3f}"
            for name, n, value, bound in self.top()
        ]
        if len(self.line) > 1:
            lines.append("  line " + " ".join(point_name(p, size) for p in self.line[:10]))
        return "\n".join(lines)


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
# With a budget at hand, `follow` can be tried: the visits of the expected answer become those of
# the new root.


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

    def work(part: int, on_progress=None) -> None:
        made[part] = spend(tree.all[part], budget.share(part, parts), on_progress, begun)

    for part in range(1, parts):
        threads.append(threading.Thread(target=work, args=(part,), daemon=True))
        threads[-1].start()
    work(0, on_progress)
    for thread in threads:
        thread.join()
    return sum(done for done, _ in made.values()), max(took for _, took in made.values())


# *by Search*
#
# Before the first simulation the engine looks for threats at the root. A win by threats is played at
# once: the search for it looks at a few hundred positions first, then at four times as many, and so
# on, while threats are left to try and this has not taken a tenth of the time.
#
# If the *opponent* would win by threats, most moves of the root lose. Each is played, and if the
# opponent then still wins by threats it is dropped: that is a proof, so a defence is never dropped
# with them. The simulations all go to the moves that may hold.


# by Search · how much may be looked at before the first simulation
THREAT_SHARE = 0.1  # of the time, for a win; as much again for the moves that lose
LOOKS = (300, 1_200, 4_800, 19_200)  # positions, in each search for threats
POSITION_SECONDS = 8e-6  # a position takes this at the most
PER_SIMULATION = 50  # positions for each simulation, where those are the budget


class Look:
    """Searches for wins by threats at the root, within a share of the budget."""

    def __init__(self, tree: "Tree", budget: "Budget", begun: float):
        self.s, self.budget, self.begun, self.looked = tree.s, budget, begun, 0
        self.rounds = [nodes for nodes in LOOKS if nodes <= tree.options.threats]

    def allows(self, nodes: int, share: float) -> bool:
        """True if there is time for that many positions more."""
        budget = self.budget
        if budget.stop is not None and budget.stop.is_set():
            return False
        begun = budget.clock() - self.begun
        most = max(LOOKS[0], PER_SIMULATION * budget.simulations)
        in_time = begun + nodes * POSITION_SECONDS <= share * budget.seconds
        return in_time and self.looked + nodes <= most

    def wins(self, colour: int, nodes: int) -> bool:
        """True if the colour, 1 or 2, to move, wins by threats; see threats_win."""
        won = threats_win(self.s, colour, nodes)
        self.looked += nodes - int(self.s.budget)
        return won

    def loses(self, point: int, colour: int, nodes: int) -> bool:
        """True if the other colour wins by threats after the colour has played the point."""
        take_point(self.s, point, colour)
        lost = self.wins(3 - colour, nodes)
        free_point(self.s, point, colour)
        return lost


# *by Search*
#
# The search for a win comes first; it ends when it has one, when no threat is left to try, or when
# its share of the budget is used up.


# by Search · a win by threats at the root
def look_for_threats(tree: Tree, budget: Budget, begun: float) -> None:
    """Decide the root if the player to move wins by threats; else drop moves that lose."""
    look, own = Look(tree, budget, begun), 1 if tree.to_move == BLACK else 2
    begin_live(tree.s)
    for nodes in look.rounds:
        if not look.allows(nodes, THREAT_SHARE):
            break
        if look.wins(own, nodes):
            tree.nodes["status"][0] = LOST  # tree.s.win is the line
            return
        if tree.s.budget > 0:  # no threat is left to try
            break
    if tree.root.status == OPEN:
        drop_lost_moves(tree, look, own)


# *by Search*
#
# The search against the opponent's win asks of every move whether it loses, with few positions
# first, and with more for those that are not settled. What remains may hold.


# by Search · leave out the moves that lose to threats
def drop_lost_moves(tree: Tree, look: Look, own: int) -> None:
    """Give the root only the moves after which the opponent finds no win by threats.

    Nothing changes if the opponent has no such win even with the move. If every move loses,
    those that take longest to refute are kept.
    """
    s, share = tree.s, 2 * THREAT_SHARE
    if not look.allows(1_000, share) or not look.wins(3 - own, 1_000):
        return
    count = engine_moves(s, 0, tree.rules.points, tree.options)
    kept = list(zip(s.moves[:count].tolist(), s.priors[:count].tolist(), strict=True))
    for nodes in look.rounds:
        left, unsure = [], False
        for move in kept:
            if not look.allows(nodes, share):
                left.append(move)
            elif not look.loses(move[0], own, nodes):
                left.append(move)
                unsure |= s.budget <= 0
        kept = left or kept
        if not unsure:  # nothing left, no time, or every threat tried
            break
    if len(kept) < count:
        for each in tree.all:
            keep_moves(each, kept)


# *by Search*
#
# A new tree gets just the remaining moves as its root's children. In a tree that goes on, the
# others are marked as lost.


# by Search · the moves of the root that remain
def keep_moves(tree: Tree, kept: list) -> None:
    """Make the (move, prior) pairs the only moves of the root: all others lose."""
    nodes, s = tree.nodes, tree.s
    if tree.root.children:  # a tree that goes on: mark what is lost
        first, moves = int(nodes["first"][0]), [move for move, _ in kept]
        for child in range(first, first + int(nodes["tried"][0])):
            if nodes["move"][child] not in moves:
                nodes["status"][child] = LOST
        return
    s.moves[: len(kept)], s.priors[: len(kept)] = zip(*kept, strict=True)
    if grow(nodes, s, 0, len(kept)):
        nodes["status"][0] = COMPLETE


# *by Search*
#
# While neither colour has two stones there is no threat to look for. Where there may be one, the
# kernels are compiled first, so that compiling is not taken for thinking.


# by Search · whether to look for threats at all
def may_threaten(tree: Tree, stones: int = 2) -> bool:
    """True if one side may have a threat; all that looks for it is compiled by then."""
    wanted = tree.kernels.board is SHAPED and tree.options.threats > 0
    if not wanted or max((tree.cells == BLACK).sum(), (tree.cells == WHITE).sum()) < stones:
        return False
    compile_threats()
    return tree.root.status <= COMPLETE


@lru_cache
def compile_threats() -> None:
    """Compile what looks for threats before a search, once a session."""
    s, nodes = from_dtype(search_record(SHAPED)), from_dtype(NODE)[::1]
    number, options = typeof(0), typeof(check_options(SearchOptions()))
    begin_live.compile((s,))
    threats_win.compile((s, number, number))
    take_point.compile((s, number, number))
    free_point.compile((s, number, number))
    engine_moves.compile((s, number, number, options))
    grow.compile((nodes, s, number, number))


# *by Search*
#
# **Levels.** At level 10 the engine plays as well as it can. Below, it makes few simulations, and
# draws its move at random: a move with $N$ visits is drawn with a chance in proportion to $N^z$ (Wu
# and others, 2019), among the moves that have at least a share `least` of the favourite's visits.
# The weakest levels spread their visits widely, so that they overlook things as a beginner does. A
# five is always made or stopped.


# by Search · ten levels
class Level(NamedTuple):
    """How strong the engine plays; None: as much as the budget allows."""

    simulations: int | None = None  # at most
    z: float | None = None  # draw a move in proportion to visits ** z; None: the most visited
    least: float = 0.1  # of the favourite's visits; moves with fewer are not drawn
    c_prior: float = SearchOptions().c_prior  # more: visits follow the priors, not the values
    fours: int = 0
    threats: int = 0


LEVELS = {
    1: Level(100, 0.3, 0.02, 20.0),
    2: Level(100, 0.7, 0.02, 20.0),
    3: Level(100, 0.8, 0.02, 10.0),
    4: Level(100, 1.0, 0.03, 8.5),
    5: Level(100, 1.0, 0.045, 6.0),
    6: Level(100, 1.0, 0.07, 4.0),
    7: Level(100, 1.2, 0.1, 2.0),
    8: Level(200, 1.5, 0.1, fours=10, threats=300),
    9: Level(1_000, 4.0, 0.1, fours=60, threats=5_000),
    10: Level(None, fours=SearchOptions().fours, threats=SearchOptions().threats),
}


# *by Search*
#
# `play_level` is that formula. Its random numbers come from the seed and the number of stones, so a
# game against a level can be repeated.


# by Search · draw the move of a level
def check_level(level) -> Level:
    """Return the Level of a number from 1 to 10, or of None for full strength."""
    if level is None:
        return LEVELS[10]
    if not is_whole(level) or level not in LEVELS:
        raise ValueError(f"level must be a whole number from 1 to 10, not {level!r}")
    return LEVELS[int(level)]


def play_level(thought: Thought, level: Level, stones: int) -> Thought:
    """Return the thought with the move that the level plays."""
    most = thought.visits.max()
    if level.z is None or most == 0 or thought.proven == 1:
        return thought
    points = np.flatnonzero(thought.visits >= max(1, level.least * most))
    chances = (thought.visits.flat[points] / most) ** level.z
    chance = np.random.default_rng([thought.seed, stones])
    move = int(chance.choice(points, p=chances / chances.sum()))
    return dataclasses.replace(thought, move=move, why="level", line=[move])


# *by Search*
#
# `think` puts the parts in order: check what was asked, play a forced move at once, make a tree or
# go on with one, look for threats, spend the budget, read the tree, and choose as the level says.


# by Search · think: the one entrance to the engine
def think(
    game: Game,
    seconds: float | None = None,
    simulations: int | None = None,
    *,
    seed: int | None = None,
    level: int | None = None,
    options: SearchOptions = SearchOptions(),
    threads: int = 1,
    on_progress=None,
    tree: Tree | None = None,
    stop=None,
    allot: bool = False,
    clock=time.perf_counter,
) -> Thought:
    """Return the best move found, and what was found on the way; `game` is left as it was.

    seconds, simulations   the budget: the first reached stops; neither: one second
    seed          same seed and simulations, same Thought; None: options.seed
    level         1 (beginner) to 10 or None (full strength)
    threads       trees that are searched side by side; their visits are added up
    on_progress   called with a Thought about twenty times a second
    tree          go on with the tree of an earlier Thought of this game, with its threads
    stop          a threading.Event that ends the search early
    allot         less time where the move is clear, up to twice the seconds where it is not
    Raises ValueError for a finished game, a bad budget, or a tree of another game.
    """
    strength = check_level(level)
    budget = check_budget(seconds, simulations, stop, clock)._replace(allot=bool(allot))
    if strength.simulations is not None:
        fewer = min(budget.simulations, strength.simulations)
        budget = budget._replace(simulations=fewer)
        options = options._replace(
            c_prior=strength.c_prior, fours=strength.fours, threats=strength.threats
        )
    if not (is_whole(threads) and 1 <= threads <= 64):
        raise ValueError(f"threads must be a whole number from 1 to 64, not {threads!r}")
    if game.over:
        raise ValueError("the game is over: there is nothing to think about")
    options = options if seed is None else options._replace(seed=check_seed(seed))
    if forced := forced_move(game):
        return forced_thought(game, *forced, options.seed)
    if tree is None:
        tree = Tree(game, kernels_for(game.rules), options, budget.records(), int(threads))
        threats, begun = may_threaten(tree), clock()  # compiling is not part of thinking
    else:
        may_threaten(tree, stones=0)
        begun = clock()  # copying is
        tree = follow(tree, game, options, budget)
        threats = may_threaten(tree)
    if threats:
        look_for_threats(tree, budget, begun)
    done, took = spend_all(tree, budget, on_progress, begun)
    return play_level(read_tree(tree, done, took), strength, len(game.played))


# *by Search*
#
# The engine's knowledge is about five in a row without gravity. Any other game of `Rules` is
# searched plainly. A forced move has a `Thought` without visits.


# by Search · which game the engine plays, and a thought without a search
def kernels_for(rules: Rules, five_game=engine_game) -> Kernels:
    """Return the engine's five in a row, and plain search for any other game of Rules."""
    if rules.in_a_row == 5 and not rules.gravity:
        return five_game()
    return plain_game(rules.in_a_row, rules.gravity)


def forced_thought(game: Game, line: list[int], why: str, seed: int) -> Thought:
    """Return the Thought of a move that needed no search."""
    blank = np.full(game.array.shape, np.nan)
    proven = 1 if why == "five" else None
    visits = np.zeros(blank.shape, np.int64)
    return Thought(line[0], why, visits, blank, blank.copy(), 0, 0.0, line, proven, seed)


# *by Search*
#
# The first reply on 8×8, reported as the course notebook reports it, and then on the board.


# *by Search*
#
# The same engine at several levels, each asked with five seeds: a low level draws its move, so it
# may be another one each time. And the engine with two threads, whose visits are added up.


# *by Search*
#
# A player is a function of a game and a seed, so that any two can meet in a match.


# by Search · players without the engine
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
        lambda rules: kernels_for(rules, shaped_game), options, seconds, simulations
    )


# *by Search*
#
# The engine as a player thinks anew about each position. `searcher` does the same for the other
# two.


# by Search · the engine as a player
def engine(
    seconds: float | None = None,
    simulations: int | None = None,
    level: int | None = None,
    threads: int = 1,
    options: SearchOptions = SearchOptions(),
):
    """Return a player that plays what think() finds, searching each position anew."""
    check_budget(seconds, simulations), check_level(level)
    how = dict(level=level, threads=threads, options=options)

    def play(game: Game, seed: int | None = None) -> int:
        return think(game, seconds, simulations, seed=seed, **how).move

    return play


def searcher(choose_kernels, options: SearchOptions, seconds, simulations):
    """Return a player that searches each position anew and plays the most visited move."""
    budget = check_budget(seconds, simulations)

    def play(game: Game, seed: int | None = None) -> int:
        own = options._replace(seed=options.seed if seed is None else seed)
        tree = Tree(game, choose_kernels(game.rules), own, budget.records())
        spend(tree, budget)
        return read_tree(tree, 0, 0.0).move

    return play


# *by Search*
#
# An `Opponent` is the engine for one whole game. It keeps its tree from move to move, and with
# `ponder=…` it thinks while the other side does: the search of the position after its own move goes
# on until the answer has come, and the part of the tree below that answer is used.


# by Search · the engine for one game: it keeps its tree, and may think while you do
class Opponent:
    """The engine as a player for one game; called with a game and a seed it returns a Thought.

    ponder   seconds that it thinks on at most after its move, in a thread; 0: not at all
    reuse    False: every position is searched anew
    Any other argument is one of think().
    """

    def __init__(self, seconds=None, simulations=None, *, ponder=0.0, reuse=True, **how):
        check_budget(seconds, simulations), check_level(how.get("level"))
        if not is_seconds(ponder):
            raise ValueError(f"ponder must be a number of seconds from 0 up, not {ponder!r}")
        self.how = how | {"seconds": seconds, "simulations": simulations}
        self.ponder, self.reuse, self.tree = float(ponder), reuse, None
        self.stop = self.thread = None

    def __call__(self, game: Game, seed: int | None = None) -> Thought:
        self.rest()
        thought = self.think(game, seed=seed, **self.how)
        after = game.copy()
        after.play(thought.move)
        if self.ponder and not after.over:
            self.stop = threading.Event()
            how = self.how | {"seconds": self.ponder, "simulations": None, "stop": self.stop}
            job = dict(target=self.think, args=(after,), kwargs=how, daemon=True)
            self.thread = threading.Thread(**job)
            self.thread.start()
        return thought

    def think(self, game: Game, **how) -> Thought:
        """Think with the tree that is there, if it is of this game, and keep the new one."""
        known = self.tree is not None and self.tree.leads_to(game)
        thought = think(game, tree=self.tree if known else None, **how)
        if self.reuse:
            self.tree = thought.tree or self.tree  # a forced move has none
        return thought

    def rest(self) -> None:
        """Stop thinking on the other side's time."""
        if self.thread is not None:
            self.stop.set()
            self.thread.join()
        self.stop = self.thread = None


# *by Search*
#
# ### The position of room 10 once more
#
# White must find `c2` or `f2`. Each player gets the same number of simulations. Before the first of
# them the engine plays every move and asks whether black then wins by threats: those moves are
# dropped, and what is left is searched.


# *by Interface*
#
# ## 14 · The window
#
# The window has three parts that do not know each other. `draw` paints a game on any surface and
# does nothing else. `to_pixel` and `from_pixel` translate between points of the board and pixels.
# The loop turns events into actions and ticks the clock. The same three parts make the board inside
# the notebook, the pictures of this page, and the tests.
#
# Every length follows from the surface and the board: the distance between two points, the `cell`,
# and the `unit`, from which text takes its height. So one code serves a window of 400 × 400 pixels
# and one of 3840 × 2160. What the board leaves free, beside it or below it, is the panel.


# by Interface · where everything stands
import io
import sys
import warnings
from functools import partialmethod


class Layout(NamedTuple):
    """Where things stand on a surface, in pixels; a box is x, y, width, height."""

    size: int  # columns
    rows: int
    cell: int  # between two neighbouring points
    unit: int  # a line of text is about one and a half units high
    left: int  # x of column 0
    bottom: int  # y of row 0
    wood: tuple[int, int, int, int]  # the board
    text: tuple[int, int, int, int]  # who is to move, and what the computer thinks
    grid: tuple[int, int, int, int]  # the controls
    columns: int  # of controls

    @property
    def stone(self) -> int:
        """The diameter of a stone."""
        return max(3, self.cell * 23 // 25)


def make_layout(width: int, height: int, rules: Rules, controls: int = 0) -> Layout:
    """Return the layout of the largest board that leaves room for that many controls."""
    unit, size, rows = max(4, min(width, height) // 28), rules.size, rules.height
    edge, gap = 4 * unit // 3, unit // 2  # edge: wood for coordinates
    rooms = {0: (width, height - 5 * unit)}  # {columns of controls: room for the board}
    if controls:  # beside the board, or below it
        rooms = {2: (width - 13 * unit, height), 3: (width, height - 12 * unit)}
    spare = 2 * (gap + edge)
    cells = {
        columns: max(2, min((wide - spare) // size, (high - spare) // rows))
        for columns, (wide, high) in rooms.items()
    }
    columns = max(cells, key=cells.get)
    cell = cells[columns]
    wide, high = 2 * edge + cell * size, 2 * edge + cell * rows
    x, y = (width - wide) // 2, (height - high) // 2
    text = grid = gap, 0, width - 2 * gap, height
    lines = -(-controls // max(1, columns)) * 17 * unit // 10  # height of the grid
    if columns == 2:
        panel = min(width - wide - 3 * gap, 19 * unit)
        x = (width - wide - gap - panel) // 2
        text = x + wide + gap, gap, panel, height - lines - 3 * gap
        grid = text[0], height - lines - gap, panel, lines
    elif columns == 3:  # text and controls side by side
        panel, y = min(width - 2 * gap, 44 * unit), max(gap, (height - high - 12 * unit) // 2)
        top, room = y + high + gap, min(11 * unit, height - y - high - 2 * gap)
        text = (width - panel) // 2, top, panel * 2 // 5, room
        grid = text[0] + text[2] + gap, top, panel - text[2] - gap, min(lines, room)
    left, bottom = x + edge + cell // 2, y + high - edge - cell + cell // 2
    return Layout(
        size, rows, cell, unit, left, bottom, (x, y, wide, high), text, grid, columns
    )


# *by Interface*
#
# What is painted with these functions is found with them again: a click is looked up where the point
# or the control was put.


# by Interface · points and pixels, and back
def to_pixel(point: int, layout: Layout) -> tuple[int, int]:
    """Return the (x, y) of a point; row 0 is at the bottom."""
    row, col = divmod(point, layout.size)
    return layout.left + col * layout.cell, layout.bottom - row * layout.cell


def from_pixel(x: int, y: int, layout: Layout) -> int | None:
    """Return the point nearest to a pixel, or None off the board."""
    half = layout.cell // 2
    col = (x - layout.left + half) // layout.cell
    row = (layout.bottom - y + half) // layout.cell
    inside = 0 <= col < layout.size and 0 <= row < layout.rows
    return row * layout.size + col if inside else None


def control_places(layout: Layout, names) -> dict[str, tuple[int, int, int, int]]:
    """Return the box of each control: the names fill the grid row by row."""
    names, (x, y, width, height) = list(names), layout.grid
    columns, gap = layout.columns, max(1, layout.unit // 3)
    lines = -(-len(names) // columns)
    wide, high = (width + gap) // columns, (height + gap) // lines
    return {
        name: (x + i % columns * wide, y + i // columns * high, wide - gap, high - gap)
        for i, name in enumerate(names)
    }


def control_at(x: int, y: int, places: dict) -> tuple[str, int] | None:
    """Return (name, step) of the control at a pixel, step -1 on its left half, or None."""
    for name, (left, top, width, height) in places.items():
        if left <= x < left + width and top <= y < top + height:
            return name, -1 if x < left + width // 2 else 1
    return None


# *by Interface*
#
# A `View` is what the window shows beside the game. Two functions put it into words: who is to move
# or who has won, and what the computer thinks or thought.


# by Interface · what is shown beside the game
class Control(NamedTuple):
    """A button, or a number with a smaller and a larger neighbour."""

    name: str
    caption: str
    possible: bool = True
    on: bool = False  # a switch that is on
    steps: bool = False  # its left end means less, its right end more


@dataclass
class View:
    """What the window shows beside the game."""

    persons: tuple[int, ...] = ()  # the colours that persons play
    resigned: int = 0  # the colour that has given up
    hover: int | None = None  # the point under the mouse where a stone may be put
    cursor: int | None = None  # the point that the arrow keys have reached
    hint: int | None = None  # the point that the computer would play
    thinking: bool = False  # True while the computer searches for its move
    thought: Thought | None = None  # what it has found so far, or found for its last move
    verdict: str = ""  # what that thought says of the result
    heat: bool = False  # True: the visits are painted on the board
    seconds: float | None = None  # the computer's budget for a move
    simulations: int | None = None
    note: str = ""  # a sentence for the person
    sheet: tuple[str, ...] = ()  # lines that lie over the board: help, or a question
    controls: tuple[Control, ...] = ()
    fallen: float = 1.0  # how far the last disc has fallen, where there is gravity
    contrast: bool = False  # True: black on white
    numbers: bool = False  # True: every stone carries the number of its move


# by Interface · who is to move, and who has won
def side_shown(game: Game, view: View) -> int:
    """Return the colour that has won or is to move; 0 after a draw."""
    return game.winner or -view.resigned or (0 if game.over else game.to_move)


def heading(game: Game, view: View) -> str:
    """Return who is to move, or the result."""
    colour = side_shown(game, view)
    if not colour:
        return "Draw: the board is full"
    who = COLOUR[colour].capitalize()
    if len(view.persons) == 1:
        who = "You" if colour in view.persons else "The computer"
    if game.winner or view.resigned:
        how = " by resignation" if view.resigned else ""
        return f"{who} {'win' if who == 'You' else 'wins'}{how}"
    if who == "You":
        return "Your move"
    return f"{who} {'thinks' if view.thinking else 'to move'}"


def count_moves(count: int) -> str:
    """Return "1 move", "2 moves" and so on."""
    return f"{count} move" if count == 1 else f"{count} moves"


def stage(game: Game) -> str:
    """Return the size of the board and how far the game is: "8×8, move 12"."""
    return f"{game.rules.size}×{game.rules.height}, move {len(game.played)}"


# *by Interface*
#
# A proven result is said as such: "black wins in 7" counts the stones of both sides until the five
# stands. Anything else is an expectation, in percent for the side to move.


# by Interface · the result that a search expects
def plies_to_win(game: Game, thought: Thought) -> int | None:
    """Return how many stones of both sides the thought's line needs to a win, or None.

    game   the position that was thought about. A line that ends in a double threat is played
           to its end.
    """
    game, begun, side = game.copy(), len(game.played), game.to_move * (thought.proven or 0)
    for point in thought.line:
        if game.over or game.why_illegal(point):
            return None
        game.play(point)
    while not game.over and (forced := forced_move(game)):
        game.play(forced[0][0])
    return len(game.played) - begun if side and game.winner == side else None


def verdict(game: Game, thought: Thought) -> str:
    """Return the result that a thought about this position expects, in words."""
    if thought.proven == 0:
        return "A draw, if both play well"
    if thought.proven:
        winner, count = COLOUR[game.to_move * thought.proven], plies_to_win(game, thought)
        how = f"in {count}" if count else "by force"
        return f"{winner.capitalize()} wins {how}"
    if math.isnan(thought.value):
        return ""
    return f"{COLOUR[game.to_move].capitalize()} expects {(1 + thought.value) / 2:.0%}"


# by Interface · what the computer thinks, line by line
REASONS = {  # why a Thought's move was chosen
    "five": "makes five",
    "blocks five": "stops a five",
    "VCF": "wins by fours",
    "VCT": "wins by fours and open threes",
    "only move": "the only move",
    "only candidate": "the only defence found",
    "proven": "proved best",
    "level": "drawn at this level",
}


def thought_lines(thought: Thought, game: Game) -> list[str]:
    """Return what a search found, in short lines: move, simulations and rate, line."""
    name = point_name(thought.move, game.rules.size)
    lines = [f"{name}: {REASONS.get(thought.why, thought.why)}"]
    if thought.simulations:
        rate = thought.simulations / max(thought.seconds, 1e-3)
        rates = f", {short_number(rate)}/s" if thought.seconds else ""
        lines.append(f"{thought.simulations:,} simulations{rates}")
    line = [point_name(point, game.rules.size) for point in thought.line[:8]]
    return [*lines, "Line: " + " ".join(line)] if len(line) > 1 else lines


def status(game: Game, view: View) -> list[str]:
    """Return the note and what the computer thinks, or else what wins, line by line."""
    lines = [*view.note.splitlines(), *filter(None, [view.verdict])]
    if view.thought is not None:
        return lines + thought_lines(view.thought, game)
    if view.note or game.over:
        return lines
    need, most = game.rules.in_a_row, max(game.rules.size, game.rules.height)
    if most < need:
        return [*lines, f"No line of {need} fits on this board: it can only be drawn"]
    return [*lines, f"{need} or more in a row win"]


# *by Interface*
#
# A `Theme` is a set of colours: wood, or black on white for those who need contrast. A `Canvas` is a
# surface with its layout and its theme, and writes text that fits the room it is given.


# by Interface · pygame, silent, and only where it is used; colours and letters
def load_pygame():
    """Return the module pygame, imported without its greeting."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp on Windows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pygame
    return pygame


class Theme(NamedTuple):
    """Colours: red, green, blue from 0 to 255."""

    ink: tuple = (52, 46, 40)
    soft: tuple = (108, 97, 84)
    paper: tuple = (247, 243, 236)
    button: tuple = (232, 224, 211)
    signal: tuple = (184, 40, 30)
    lines: tuple = (92, 66, 40)
    wood: tuple = (224, 184, 122)
    heat: tuple = (16, 78, 139)
    flat: bool = False  # without grain and shading


CALM = Theme()
SHARP = Theme(
    (0, 0, 0), (70, 70, 70), (255, 255, 255), (226, 226, 226), (170, 0, 0), (0, 0, 0),
    (255, 255, 255), (0, 60, 130), True,
)  # fmt: skip


@lru_cache(maxsize=64)
def font_of(height: int):
    """Return a font with lines about that many pixels high: matplotlib's DejaVu Sans."""
    import importlib.util

    pygame, found = load_pygame(), importlib.util.find_spec("matplotlib")
    pygame.font.init()
    folder = Path(found.origin).parent if found else Path()
    file = folder / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"
    return pygame.font.Font(str(file) if file.exists() else None, max(5, height * 4 // 5))


# by Interface · what everything is painted on
class Canvas(NamedTuple):
    """A surface, where things stand on it, and its colours."""

    surface: object
    layout: Layout
    theme: Theme

    def at(self, point: int) -> tuple[int, int]:
        """Return the pixel of a point of the board."""
        return to_pixel(point, self.layout)

    def put(self, image, place) -> None:
        """Paint an image with its middle at a pixel."""
        self.surface.blit(image, image.get_rect(center=place))

    def write(self, text, anchor, place, height, width, ink=None) -> None:
        """Write text at a pixel, anchored as pygame's Rect names it, no wider than `width`."""
        font = font_of(height)
        if (needed := font.size(text)[0]) > width:
            font = font_of(max(5, height * width // needed))
        image = font.render(text, True, ink or self.theme.ink)
        self.surface.blit(image, image.get_rect(**{anchor: place}))


# *by Interface*
#
# Stones and wood are computed, not loaded: there is no image file that could be missing. A stone's
# edge covers its pixels in part, which is what makes it look round. Black shines, white has a dark
# outline, so they differ in more than colour.


# by Interface · a stone, a ring and a piece of wood, as pictures
def picture(pixels: np.ndarray):
    """Return the surface of float[height, width, 4]: red, green, blue, alpha."""
    data = np.ascontiguousarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return load_pygame().image.frombuffer(data.tobytes(), data.shape[1::-1], "RGBA")


def disc_of(diameter: int) -> tuple[np.ndarray, ...]:
    """Return y, x, distance from the middle, in radii, and the part of each pixel covered."""
    y, x = (np.mgrid[:diameter, :diameter] + 0.5 - diameter / 2) / (diameter / 2)
    away = np.hypot(x, y)
    return y, x, away, np.clip((1 - away) * diameter / 2, 0, 1)


@lru_cache(maxsize=32)
def stone_image(colour: int, diameter: int, flat: bool = False):
    """Return a stone of that colour as a surface with a smooth edge; flat: without shading."""
    y, x, away, cover = disc_of(diameter)
    light = np.clip(1 - np.hypot(x + 0.35, y + 0.4) / 1.5, 0, 1)
    grey = 26 + 150 * light**3 if colour == BLACK else 205 + 50 * np.sqrt(light)
    if flat:
        grey = np.full_like(light, 0.0 if colour == BLACK else 255.0)
    if colour == WHITE:  # the outline
        edge, tone = (0.78, 0) if flat else (0.88, 70)
        grey += (tone - grey) * np.clip((away - edge) * diameter / 2, 0, 1)
    return picture(np.dstack([grey, grey, grey, 255 * cover]))


@lru_cache(maxsize=256)
def ring_image(colour: tuple, diameter: int, inner: float = 0.0, alpha: int = 255):
    """Return a ring, or a disc where `inner`, a part of the radius, is 0."""
    _, _, away, cover = disc_of(diameter)
    if inner:
        cover *= np.clip((away - inner) * diameter / 2, 0, 1)
    flat = [np.full_like(away, value) for value in colour]
    return picture(np.dstack([*flat, alpha * cover]))


def wood_image(width: int, height: int, theme: Theme):
    """Return a piece of wood with a calm grain, or a plain one."""
    y, x = np.mgrid[0:1:300j, 0:1:300j]
    rings = np.sin(55 * (y + 0.05 * np.sin(3 * x + 1) + 0.012 * np.sin(11 * x + 9 * y)))
    fine = np.random.default_rng(5).normal(size=(300, 1)).repeat(300, axis=1)
    grain = (4 * rings + 2.5 * fine)[..., None] * (1, 1.1, 1.2, 0)
    grained = picture(np.array([*theme.wood, 255.0]) + (0 if theme.flat else 1) * grain)
    pygame = load_pygame()
    wood = pygame.Surface((width, height))  # without alpha it is painted much faster
    wood.blit(pygame.transform.smoothscale(grained, (width, height)), (0, 0))
    return wood


# by Interface · the empty board
def star_points(size: int, rows: int) -> list[tuple[int, int]]:
    """Return the (row, col) marked on usual boards: square, odd, 9 or more; else none."""
    if size != rows or size < 9 or size % 2 == 0:
        return []
    near, middle = 3 if size >= 13 else 2, size // 2
    places = (near, middle, size - 1 - near) if size >= 19 else (near, size - 1 - near)
    return sorted({(middle, middle), *((row, col) for row in places for col in places)})


def draw_lines(canvas: Canvas) -> None:
    """Paint the lines and the star points."""
    pygame, (size, rows, cell) = load_pygame(), canvas.layout[:3]
    ends = [(col, (rows - 1) * size + col) for col in range(size)]
    ends += [(row * size, (row + 1) * size - 1) for row in range(rows)]
    for line in ends:
        places = map(canvas.at, line)
        pygame.draw.line(canvas.surface, canvas.theme.lines, *places, max(1, cell // 32))
    dot = ring_image(canvas.theme.lines, max(3, cell // 5))
    for row, col in star_points(size, rows):
        canvas.put(dot, canvas.at(row * size + col))


def draw_holes(canvas: Canvas) -> None:
    """Paint a hole for each point, as in a rack that discs fall into."""
    layout, theme = canvas.layout, canvas.theme
    hole = ring_image(theme.paper, layout.stone)
    rim = ring_image(theme.lines, max(3, layout.cell * 24 // 25), 0.94)
    for point in range(layout.size * layout.rows):
        canvas.put(hole, canvas.at(point))
        canvas.put(rim, canvas.at(point))


@lru_cache(maxsize=4)
def board_image(layout: Layout, holes: bool, theme: Theme):
    """Return wood, lines or holes, star points and coordinates of an empty board."""
    x, y, width, height = layout.wood
    layout = layout._replace(left=layout.left - x, bottom=layout.bottom - y)
    canvas = Canvas(wood_image(width, height, theme), layout, theme)
    draw_holes(canvas) if holes else draw_lines(canvas)
    size, rows, cell, unit = layout[:4]
    high, away = min(6 * unit // 5, cell), cell // 2 + 3 * unit // 4
    for col in range(size):
        place = canvas.at(col)[0], layout.bottom + away
        canvas.write(chr(ord("a") + col), "center", place, high, cell)
    for row in range(0 if holes else rows):
        place = layout.left - cell // 2 - 3 * unit // 4, canvas.at(row * size)[1]
        canvas.write(str(row + 1), "center", place, high, 2 * unit)
    return canvas.surface


# *by Interface*
#
# `draw` paints from back to front: the empty board, which is kept as a picture, the stones, the
# visits, the marks, the words, and a sheet if one lies over the board.


# by Interface · draw: the whole window
def draw(surface, game: Game, view: View | None = None) -> None:
    """Paint the game and the view on a surface of any size. Nothing else changes."""
    view = view or View()
    layout = make_layout(*surface.get_size(), game.rules, len(view.controls))
    canvas = Canvas(surface, layout, SHARP if view.contrast else CALM)
    surface.fill(canvas.theme.paper)
    surface.blit(board_image(layout, game.rules.gravity, canvas.theme), layout.wood[:2])
    draw_stones(canvas, game, view)
    if view.heat and view.thought is not None:
        draw_heat(canvas, game, view.thought)
    draw_marks(canvas, game, view)
    (draw_panel if view.controls else draw_frame)(canvas, game, view)
    if view.sheet:
        draw_sheet(canvas, view.sheet)


# by Interface · stones and marks on the board
def draw_stones(canvas: Canvas, game: Game, view: View) -> None:
    """Paint the stones; where there is gravity the last one may still be falling."""
    layout, theme = canvas.layout, canvas.theme
    cells, diameter = game.array.ravel(), layout.stone
    shade = ring_image((60, 40, 20), diameter, 0.0, 90)
    falls = game.played[-1] if game.rules.gravity and game.played else None
    for point in np.flatnonzero(cells).tolist():
        x, y = canvas.at(point)
        if point == falls:
            top = layout.wood[1] + layout.cell // 2
            y = int(top + (y - top) * min(1.0, view.fallen) ** 2)
        if not theme.flat:
            canvas.put(shade, (x + diameter // 24, y + diameter // 16))
        canvas.put(stone_image(int(cells[point]), diameter, theme.flat), (x, y))


def draw_marks(canvas: Canvas, game: Game, view: View) -> None:
    """Paint the last move's dot, the winning line, the hint, the cursor, the hover stone."""
    pygame, (surface, layout, theme) = load_pygame(), canvas
    diameter, thick = layout.stone, max(2, layout.cell // 14)
    if view.hover is not None:
        ghost = stone_image(game.to_move, diameter, theme.flat).copy()
        ghost.set_alpha(120)
        canvas.put(ghost, canvas.at(view.hover))
    for point in game.five:
        canvas.put(ring_image(theme.signal, diameter, 0.72), canvas.at(point))
    if view.numbers:
        draw_numbers(canvas, game)
    elif game.played and view.fallen >= 1:
        canvas.put(ring_image(theme.signal, diameter // 4 + 1), canvas.at(game.played[-1]))
    if view.hint is not None:
        box = pygame.Rect(0, 0, diameter, diameter)
        box.center = canvas.at(view.hint)
        pygame.draw.rect(surface, theme.signal, box, thick, border_radius=thick)
    if view.cursor is not None:
        x, y = canvas.at(view.cursor)
        half, arm = layout.cell // 2 - 1, max(3, layout.cell // 4)
        for i, j in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            right, low = x + i * half, y + j * half
            corner = (right - i * arm, low), (right, low), (right, low - j * arm)
            pygame.draw.lines(surface, theme.ink, False, corner, thick)


def draw_numbers(canvas: Canvas, game: Game) -> None:
    """Paint the number of its move on each stone; the last one's in the signal colour."""
    cells, cell = game.array.ravel(), canvas.layout.cell
    for number, point in enumerate(game.played, 1):
        ink = (255, 255, 255) if cells[point] == BLACK else (0, 0, 0)
        if number == len(game.played) and cells[point] == WHITE:
            ink = canvas.theme.signal
        canvas.write(str(number), "center", canvas.at(point), cell * 2 // 5, cell, ink)


# *by Interface*
#
# While the computer thinks, a disc on each empty point shows its share of the visits: the larger and
# darker, the more. The three largest shares stand there in percent, so nobody has to compare colours.


# by Interface · the visits on the board
LEAST_HEAT = 0.01  # of the visits of all moves; points with fewer are left blank


def draw_heat(canvas: Canvas, game: Game, thought: Thought) -> None:
    """Paint a disc on each empty point: its area grows with the point's share of visits.

    The three most visited points carry their share in percent.
    """
    theme, cell, visits = canvas.theme, canvas.layout.cell, thought.visits.ravel()
    shares = np.where(game.array.ravel() == 0, visits / max(1, int(visits.sum())), 0.0)
    for point in np.flatnonzero(shares >= LEAST_HEAT).tolist():
        canvas.put(heat_disc(float(shares[point]), cell, theme), canvas.at(point))
    for point in np.argsort(-shares, kind="stable")[:3].tolist():
        if shares[point] >= LEAST_HEAT:
            (x, y), words = canvas.at(point), f"{100 * shares[point]:.0f}"
            for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)):  # white with a dark edge
                ink = theme.heat if i or j else (255, 255, 255)
                canvas.write(words, "center", (x + i, y + j), cell // 3, cell * 4 // 5, ink)


def heat_disc(share: float, room: int, theme: Theme):
    """Return the disc of a share of the visits, for a place `room` pixels wide."""
    diameter = max(3, int(room * (0.25 + 0.7 * math.sqrt(share))))
    alpha = int(130 + 125 * min(1.0, 2 * share)) // 16 * 16  # few shades, so few pictures
    return ring_image(theme.heat, diameter, 0.0, alpha)


def draw_legend(canvas: Canvas, x: int, y: int, width: int, high: int) -> None:
    """Paint what the discs mean: three of them, with their shares of the visits."""
    theme, part, y = canvas.theme, width // 4, y + high // 2
    canvas.write("visits", "midleft", (x, y), high, part, theme.soft)
    for i, share in enumerate((0.02, 0.2, 1.0), 1):
        middle = x + i * width // 4 + high // 2
        canvas.put(heat_disc(share, high, theme), (middle, y))
        place, room = (middle + 2 * high // 3, y), part - 4 * high // 3
        canvas.write(f"{share:.0%}", "midleft", place, high, room, theme.soft)


# *by Interface*
#
# Beside or below the board stand the words and the controls. A picture for the notebook has no
# controls: its words stand above and below the board.


# by Interface · the words beside the board
def wrap(text: str, font, width: int) -> list[str]:
    """Return the text in lines that are no wider than `width`, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.size(longer)[0] > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_heading(canvas: Canvas, game: Game, view: View, x: int, y: int, width: int) -> None:
    """Paint a stone of the side to move or of the winner, and the heading beside it.

    y is the middle; the words are no wider than `width`.
    """
    unit = canvas.layout.unit
    if colour := side_shown(game, view):
        stone = stone_image(colour, 3 * unit // 2, canvas.theme.flat)
        canvas.put(stone, (x + 3 * unit // 4, y))
        x += 2 * unit
    canvas.write(heading(game, view), "midleft", (x, y), 2 * unit, width)


def draw_panel(canvas: Canvas, game: Game, view: View) -> None:
    """Paint heading, stage of the game, status, legend, progress, and the controls."""
    layout, unit, (x, y, width, height) = canvas.layout, canvas.layout.unit, canvas.layout.text
    line, thin, bottom = 6 * unit // 5, max(2, unit // 4), y + height
    room = width - 2 * unit if side_shown(game, view) else width
    draw_heading(canvas, game, view, x, y + unit, room)
    top = y + 9 * unit // 4
    canvas.write(stage(game), "topleft", (x, top), line, width, canvas.theme.soft)
    heat, top = view.heat and view.thought, top + 3 * line // 2
    words = [part for text in status(game, view) for part in wrap(text, font_of(line), width)]
    fit = (bottom - (2 * line if heat else line // 2) - top) // line
    for i, part in enumerate(words[: max(0, fit)]):
        canvas.write(part, "topleft", (x, top + i * line), line, width)
    if heat and view.thought.simulations:
        draw_legend(canvas, x, bottom - 7 * line // 4, width, line)
    draw_progress(canvas, view, (x, bottom - thin, width, thin))
    places = control_places(layout, (control.name for control in view.controls))
    for control in view.controls:
        draw_control(canvas, control, places[control.name])


# by Interface · progress and controls
def draw_progress(canvas: Canvas, view: View, box: tuple) -> None:
    """Paint how much of the budget the search has used."""
    if not view.thinking or view.thought is None:
        return
    rect, (x, y, width, height) = load_pygame().draw.rect, box
    done = view.thought.seconds / (view.seconds or math.inf)
    done = min(1.0, max(done, view.thought.simulations / (view.simulations or math.inf)))
    rect(canvas.surface, canvas.theme.button, box)
    rect(canvas.surface, canvas.theme.signal, (x, y, int(done * width), height))


def draw_control(canvas: Canvas, control: Control, box: tuple) -> None:
    """Paint a button, a switch with its lamp, or a number between two arrows."""
    pygame, unit, theme = load_pygame(), canvas.layout.unit, canvas.theme
    rect, round_by, box = pygame.draw.rect, unit // 3, pygame.Rect(box)
    high, room = min(box.height * 3 // 4, 5 * unit // 4), box.width - unit // 2
    ink = theme.ink if control.possible else theme.soft
    rect(canvas.surface, theme.button, box, border_radius=round_by)
    if control.on or not control.possible:  # a frame means on, a paler one not now
        frame = theme.signal if control.on else theme.paper
        rect(canvas.surface, frame, box, max(1, unit // 6), border_radius=round_by)
    if control.steps:
        for side, sign in ((-1, "−"), (1, "+")):
            place = box.centerx + side * (box.width // 2 - unit // 2), box.centery
            canvas.write(sign, "center", place, high, unit, ink)
        room -= 2 * unit
    canvas.write(control.caption, "center", box.center, high, room, ink)


# by Interface · a board without a panel
def draw_frame(canvas: Canvas, game: Game, view: View) -> None:
    """Paint heading and stage above the board, and the first lines of the status below."""
    unit, (x, y, width, height) = canvas.layout.unit, canvas.layout.wood
    above, below, high = y - 5 * unit // 4, y + height + 5 * unit // 4, 4 * unit // 3
    draw_heading(canvas, game, view, x, above, width // 2)
    place, soft = (x + width, above), canvas.theme.soft
    canvas.write(stage(game), "midright", place, high, width // 3, soft)
    words = ". ".join(status(game, view)[:2])
    canvas.write(words, "center", (x + width // 2, below), high, width)


# *by Interface*
#
# The list of keys, and a question, lie over the board on a sheet. A line of it names a key, then what
# the key does; a click on such a line is taken for its key.


# by Interface · a sheet over the board
def sheet_box(layout: Layout, lines: int) -> tuple[int, int, int, int, int]:
    """Return x, y, width, height and height of a line of a sheet over the board."""
    x, y, width, height = layout.wood
    margin = min(width, height) // 24
    line = max(5, min((height - 4 * margin) // max(1, lines), 2 * layout.unit))
    high = line * lines + 2 * margin
    return x + margin, y + (height - high) // 2, width - 2 * margin, high, line


def sheet_key_at(x: int, y: int, lines, layout: Layout) -> str:
    """Return the key that the line at a pixel names, or an empty text."""
    left, top, width, height, line = sheet_box(layout, len(lines))
    row = (y - top - (height - line * len(lines)) // 2) // line
    if not (left <= x < left + width and 0 <= row < len(lines)):
        return ""
    key, tab, _ = lines[row].partition("\t")
    return key if tab else ""


def draw_sheet(canvas: Canvas, lines) -> None:
    """Paint lines of text on a sheet over the board; a tab divides key and meaning."""
    pygame, (surface, layout, theme) = load_pygame(), canvas
    x, y, width, height, line = sheet_box(layout, len(lines))
    sheet = pygame.Surface((width, height), pygame.SRCALPHA)
    sheet.fill((*theme.paper, 244))
    surface.blit(sheet, (x, y))
    pygame.draw.rect(surface, theme.lines, (x, y, width, height), max(1, line // 12))
    left, room, high = x + line // 2, width - line, line * 4 // 5
    first = y + (height - line * len(lines)) // 2 + line // 2
    for i, text in enumerate(lines):
        (key, tab, words), at = text.partition("\t"), first + i * line
        if tab:
            canvas.write(key, "midleft", (left, at), high, room // 3)
            canvas.write(words, "midleft", (left + room * 3 // 8, at), high, room * 5 // 8)
        else:
            canvas.write(key, "center", (x + width // 2, at), high, room)


# *by Interface*
#
# The same `draw` makes the pictures of this page. Each carries its position in words.


# by Interface · the same picture in the notebook
def png_of(surface) -> bytes:
    """Return a surface as the bytes of a PNG file."""
    file = io.BytesIO()
    load_pygame().image.save(surface, file, ".png")
    return file.getvalue()


def show_png(png: bytes, words: str, show=None, **size) -> None:
    """Display a PNG with its alternative text, by IPython's display or another like it."""
    from IPython.display import display

    about = {"image/png": {"alt": words} | size}
    (show or display)({"image/png": png, "text/plain": words}, raw=True, metadata=about)


def board_png(game: Game, view: View | None = None, width: int = 480) -> tuple[bytes, str]:
    """Return a board with heading and status as PNG, and the same in words.

    What moves or waits for somebody is left out: pointer, cursor, controls, sheets.
    """
    still = {"controls": (), "sheet": (), "hover": None, "cursor": None, "fallen": 1.0}
    view = dataclasses.replace(view or View(), **still)
    surface = load_pygame().Surface((width, width * 9 // 8))
    draw(surface, game, view)
    words = f"Board at move {len(game.played)}. {heading(game, view)}. "
    return png_of(surface), words + f"Moves: {' '.join(game.moves) or 'none'}."


def show_board(game: Game, view: View | None = None, width: int = 480) -> None:
    """Display the board with its heading and status, and with its position in words."""
    show_png(*board_png(game, view, width))


# *by Interface*
#
# The search runs in a thread, so the window stays alive. `Thinking` starts it, keeps what it reports,
# and hands on an error that it raised.


# by Interface · a search beside the window
class Thinking:
    """A search in a thread of its own; `thought` is what it has found so far."""

    def __init__(self, game: Game, **how):
        self.game, self.level = game.copy(), how.get("level")
        self.thought: Thought | None = None
        self.verdict = ""
        self.error: BaseException | None = None
        self._flag = threading.Event()
        given = self.game.copy(), how | {"stop": self._flag}
        self._thread = threading.Thread(target=self._work, args=given, daemon=True)
        self._thread.start()

    def _work(self, game: Game, how: dict) -> None:
        try:
            self._note(think(game, on_progress=self._note, **how))
        except BaseException as error:  # the window's thread raises it again
            self.error = error

    def _note(self, thought: Thought) -> None:
        self.verdict = verdict(self.game, thought)
        self.thought = dataclasses.replace(thought, tree=None)

    @property
    def running(self) -> bool:
        """True until the search has ended."""
        return self._thread.is_alive()

    def hurry(self) -> None:
        """End the search soon; what it has found by then is its result."""
        self._flag.set()

    def stop(self) -> None:
        """End the search and wait for its thread."""
        self._flag.set()
        self._thread.join()


# *by Interface*
#
# What is left of a game is a `Played`: the moves, who played which side, and for each move of the
# computer its `Thought`. A search is repeated exactly by its simulations and its seed, so these two
# numbers are kept for each move as well.


# by Interface · the record of a game and of what the computer thought
@dataclass
class Played:
    """A game, who played it, and what the computer thought; plies count from 0."""

    game: Game
    players: tuple[str, str] = ("person", "engine")  # black, white
    seconds: float | None = None  # the computer's budget for a move
    simulations: int | None = None
    seed: int = 0  # the search at ply p has seed + p
    level: int | None = None  # 1 to 10, or None for full strength
    thoughts: dict[int, Thought] = field(default_factory=dict)  # without their trees
    searches: dict[int, tuple[int, int]] = field(default_factory=dict)  # (simulations, seed)
    levels: dict[int, int | None] = field(default_factory=dict)  # of those searches
    resigned: int = 0  # the colour that has given up
    source: str = "person"  # or "saved game", "engine against classic"
    repeated: int | None = None  # most simulations of thoughts that were made again
    date: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M"))
    saved: str = field(default="", repr=False)  # what the game file holds of this game

    @property
    def persons(self) -> tuple[int, ...]:
        """The colours that persons play."""
        sides = zip(self.players, (BLACK, WHITE), strict=True)
        return tuple(colour for player, colour in sides if player == "person")

    @property
    def over(self) -> bool:
        """True once somebody has won or resigned, or the board is full."""
        return self.game.over or self.resigned != 0

    def play(self, move, thought: Thought | None = None) -> None:
        """Play a move, the computer's with its thought."""
        ply = len(self.game.played)
        self.forget()
        self.game.play(move)
        if thought is not None:
            self.thoughts[ply] = dataclasses.replace(thought, tree=None)
            self.searches[ply] = thought.simulations, thought.seed
            self.levels[ply] = self.level

    def forget(self) -> None:
        """Forget what was thought about moves that were taken back."""
        for kept in (self.thoughts, self.searches, self.levels):
            for ply in [p for p in kept if p >= len(self.game.played)]:
                del kept[ply]

    def again(self, rules: Rules) -> "Played":
        """Return a new game with the same players and budget."""
        seed = self.seed + self.game.rules.points
        limits = self.seconds, self.simulations
        return Played(Game(rules), self.players, *limits, seed, self.level)


# *by Interface*
#
# The board is made in layers, each a class that extends the one before: a game with its search, what
# happens at each tick, a person's moves, other actions, settings, pictures, pointer, keys, and last
# the window. The first search plays nothing: it makes sure that everything is compiled while the
# person looks at the board.


# by Interface · a game and its search
class Turn:
    """A game and a search; keep(played) saves the game and returns a sentence or None."""

    def __init__(self, played: Played, keep=lambda played: None):
        self.played, self.keep = played, keep
        self.open = True  # False once somebody has closed it
        self.paused = False  # True: the computer waits although it is to move
        self.asked = False  # True: a hint is wanted
        self.purpose = "compile"  # what the search is for: that, "move" or "hint"
        some = some_stones(played.game.rules)
        self.search: Thinking | None = Thinking(some, simulations=0)
        self.fallen_at, self.clock = -math.inf, time.monotonic
        self.refresh()

    @property
    def game(self) -> Game:
        """The game on the board."""
        return self.played.game

    @property
    def yours(self) -> bool:
        """True when a person is to move."""
        return not self.played.over and self.game.to_move in self.played.persons

    @property
    def searching(self) -> bool:
        """True while a move or a hint is searched."""
        return self.search is not None and self.purpose != "compile"

    def refresh(self, note: str | None = None) -> None:
        """Show the game without any search, or with a note."""
        self.view = View(note=note or "")

    def think(self, purpose: str) -> None:
        """Begin to search the position on the board for a "move", or for a "hint"."""
        played, seed = self.played, self.played.seed + len(self.game.played)
        how = dict(seconds=played.seconds, simulations=played.simulations, seed=seed)
        how["level"] = played.level if purpose == "move" else None
        self.search, self.purpose = Thinking(self.game, **how), purpose

    def stop(self) -> None:
        """End the search, if there is one; the one that only compiles goes on."""
        self.asked = False
        if self.searching:
            self.search.stop()
            self.search = None


def some_stones(rules: Rules) -> Game:
    """Return a game of a few moves in which every search of the engine is compiled."""
    game = Game(rules)
    for point in game.legal()[: 4 if rules.points > 9 else 2]:  # more could decide it
        if not game.over and game.why_illegal(point) is None:
            game.play(point)
    return game


# *by Interface*
#
# Each tick looks at the search: while it runs, its progress is shown; when it has ended, its move is
# played, or shown if it was only a hint.


# by Interface · a game against the computer, tick by tick
class Match(Turn):
    """A game that goes on by ticks: its search is followed, and its moves are played."""

    def tick(self) -> None:
        """Follow the search: show its progress, play its move, begin the next one."""
        if self.search is not None and not self.search.running:
            self.answer()
        theirs = not self.yours and not self.played.over and not self.paused
        if self.search is None and theirs:
            self.refresh(self.view.note)
            self.think("move")
        elif self.search is None and self.asked and not self.played.over:
            self.think("hint")
        if self.searching:
            self.show(self.search)
        self.view.thinking = theirs

    def show(self, search: Thinking) -> None:
        """Show what a search has found."""
        self.view.thought, self.view.verdict = search.thought, search.verdict

    def answer(self) -> None:
        """Play the move of the search that has ended, or show its hint."""
        search, purpose = self.search, self.purpose
        self.search, self.asked = None, self.asked and purpose != "hint"
        if search.error is not None:
            raise search.error
        if purpose == "compile":
            return
        if purpose == "move":
            self.place(search.thought.move, search)
        else:
            self.view.hint = search.thought.move
            self.view.note = "This is what the computer would play"
        self.show(search)

    def place(self, point: int, search: Thinking | None = None) -> None:
        """Play a move, perhaps one that a search has found, and keep the game."""
        self.played.play(point, search and search.thought)
        if search is not None:  # the level may have been changed while it thought
            self.played.levels[len(self.game.played) - 1] = search.level
        self.fallen_at = self.clock() if self.game.rules.gravity else -math.inf
        self.refresh(self.keep(self.played))


# *by Interface*
#
# What a person may do has a name, and each name is a method: the buttons and the keys call them. What
# is not possible now does nothing.


# by Interface · a person's moves, undo and redo
class Moves(Match):
    """Moves of a person, there and back."""

    def click(self, point: int | None) -> None:
        """Put the person's stone on the point, if that is a move now; a disc falls."""
        point = self.landing(point)
        if self.yours and point is not None:
            self.stop()
            self.place(point)

    def landing(self, point: int | None) -> int | None:
        """Return where a stone on that point would lie, or None where none may be put."""
        legal, size = self.game.legal(), self.game.rules.size
        if point is None or not self.game.rules.gravity:
            return point if point in legal else None
        return next((p for p in legal if p % size == point % size), None)

    def steps(self, moves: list) -> int:
        """Return how many of `moves` go back or forth at once: up to a person's turn."""
        alone = len(self.played.persons) == 1
        pair = alone and self.game.to_move in self.played.persons
        return min(len(moves), 2 if pair else 1)

    @property
    def can_undo(self) -> bool:
        """True unless there is no move, or only the computer's first."""
        count, alone = len(self.game.played), len(self.played.persons) == 1
        return self.played.resigned != 0 or count > (1 if alone and self.yours else 0)

    @property
    def can_redo(self) -> bool:
        """True where a move was taken back and the game is not over."""
        return bool(self.game.undone) and not self.played.over

    def undo(self) -> None:
        """Take back the person's last move and the computer's reply, or a resignation."""
        if self.can_undo:
            self.stop()
            for _ in range(0 if self.played.resigned else self.steps(self.game.played)):
                self.game.undo()
            self.played.resigned, self.paused = 0, not self.played.persons
            self.fallen_at = -math.inf
            self.refresh()

    def redo(self) -> None:
        """Play again what undo took back."""
        if self.can_redo:
            self.stop()
            for _ in range(self.steps(self.game.undone)):
                self.game.redo()
            self.refresh(self.keep(self.played))


# *by Interface*
#
# A game that is left for another one is kept. `finish` ends everything, so that no search outlives its
# window.


# by Interface · what else a person may do with the game
class Actions(Moves):
    """Games that begin, go on and end; hints."""

    before: Played | None = None  # the last game that was left for a new one
    offered: Played | None = None  # a game that was not finished last time
    next_rules: Rules | None = None  # of the next game, where another size was chosen

    def take_up(self, played: Played, note: str = "") -> None:
        """Put another game on the board; the one before is kept."""
        self.stop()
        if self.game.played:
            self.keep(self.played)
        self.played, self.paused, self.fallen_at = played, False, -math.inf
        self.refresh(note)

    def new(self) -> None:
        """Keep the game and begin another."""
        self.before = self.played if self.game.played else self.before
        self.take_up(self.played.again(self.next_rules or self.game.rules))
        self.next_rules, self.paused = None, False

    def now(self) -> None:
        """Let the computer play what it has found so far, or go on after a pause."""
        if self.searching:
            self.search.hurry()
        self.paused = False

    def hint(self) -> None:
        """Ask what the computer would play; the game is left as it is."""
        self.asked = self.asked or self.yours

    @property
    def can_resign(self) -> bool:
        """True where a person plays and the game has begun and is not over."""
        return bool(self.played.persons and self.game.played) and not self.played.over

    def resign(self) -> None:
        """Give the game up, in the person's name."""
        if self.can_resign:
            self.stop()
            mine = self.game.to_move in self.played.persons
            self.played.resigned = self.game.to_move if mine else -self.game.to_move
            self.refresh(self.keep(self.played))

    def close(self) -> None:
        """Play no more."""
        self.open = False

    def finish(self) -> Played:
        """Keep the game, end the search, and return the last game that has a move."""
        self.open = self.asked = False
        if self.game.played:
            self.keep(self.played)
        if self.search is not None:
            self.search.stop()
        self.search = None
        self.played.forget()
        return self.played if self.game.played or not self.before else self.before


# *by Interface*
#
# Who plays, the board, the level and the time can be changed at any moment. Another size begins with
# the next game, or at once while the board is empty.


# by Interface · who plays, on what board, how strongly, and what is shown
SECONDS = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30, 60)  # what the window offers for a move


def neighbour(values, value, step: int):
    """Return the value next to `value` in a rising list, `step` of +1 or -1 away."""
    inside = [v for v in values if (v > value if step > 0 else v < value)]
    return (inside[0] if step > 0 else inside[-1]) if inside else value


class Settings(Actions):
    """Changes of the settings, by the person, at any moment."""

    kinds = ("person", "engine")  # who may play a side
    heat, contrast, sheet = True, False, ""  # visits shown; black on white; "help", "offer"

    @property
    def limit(self) -> float:
        """The seconds for a move; without any budget think() takes one."""
        return 1 if self.played.seconds is None else self.played.seconds

    def exchange(self, side: int) -> None:
        """Let the next kind of player go on for black, 0, or white, 1."""
        kinds, players = self.kinds, list(self.played.players)
        at = kinds.index(players[side]) if players[side] in kinds else -1
        players[side] = kinds[(at + 1) % len(kinds)]
        self.stop()
        self.played.players, self.paused = tuple(players), False
        self.refresh()

    black, white = partialmethod(exchange, 0), partialmethod(exchange, 1)

    def size(self, step: int = 1) -> None:
        """Choose a larger or smaller board for the next game; at once if there is no stone."""
        rules = self.next_rules or self.game.rules
        size = neighbour(range(3, 21), rules.size, step)
        rows = size if rules.height == rules.size else rules.height
        rules = rules._replace(size=size, rows=rows)
        self.next_rules = None if rules == self.game.rules else rules
        if not self.game.played:
            self.new()

    def level(self, step: int = 1) -> None:
        """Choose a stronger or weaker computer; a search that runs ends as it began."""
        level = neighbour(sorted(LEVELS), self.played.level or max(LEVELS), step)
        self.played.level = None if level == max(LEVELS) else level

    def seconds(self, step: int = 1) -> None:
        """Give the computer more or less time for a move, from its next search on."""
        self.played.seconds = float(neighbour(SECONDS, self.limit, step))

    def switch(self, name: str) -> None:
        """Switch something on or off: the visits on the board, black on white."""
        setattr(self, name, not getattr(self, name))

    visits, colours = partialmethod(switch, "heat"), partialmethod(switch, "contrast")

    def help(self) -> None:
        """Show or hide the list of keys."""
        self.sheet = "" if self.sheet == "help" else "help"


# *by Interface*
#
# One table names every action: its caption, its keys, what it does. Lower-case letters and digits type
# a point, as in `h8`; so an action has Shift with a letter: on 8×8 as on 15×15, `n` is the beginning of a
# point and Shift+N a new game.


# by Interface · the keys
COMMANDS = {  # action: (caption, keys, what it does); a key is what it types, or its name
    "black": ("", "B", "black: person or computer"),
    "white": ("", "W", "white: person or computer"),
    "size": ("", "[ ]", "smaller or larger board"),
    "level": ("", "- +", "weaker or stronger computer"),
    "seconds": ("", "< >", "less or more time for its move"),
    "visits": ("Visits", "V", "show what the search looks at"),
    "undo": ("Undo", "u backspace", "take the last move back"),
    "redo": ("Redo", "y", "play it again"),
    "hint": ("Hint", "H", "what would the computer play?"),
    "now": ("Move now", "M", "play what it has found so far"),
    "resign": ("Resign", "R", "give the game up"),
    "new": ("New game", "N", "keep this game, begin another"),
    "colours": ("Contrast", "C", "wood, or black on white"),
    "help": ("Keys ?", "?", "show or hide this list"),
    "close": ("Close", "escape", "leave; the game is kept"),
}
PAIRS = ("size", "level", "seconds")  # two keys: less, more
ARROWS = {"left": (0, -1), "right": (0, 1), "up": (1, 0), "down": (-1, 0)}  # (rows, columns)


def keys_of(commands: dict) -> dict[str, tuple[str, int]]:
    """Return {key: (action, step)} of such a table."""
    return {
        key: (name, -1 if name in PAIRS and i == 0 else 1)
        for name, (_, keys, _) in commands.items()
        for i, key in enumerate(keys.split())
    } | {"=": ("level", 1), "_": ("level", -1)}


def help_of(commands: dict) -> tuple[str, ...]:
    """Return the lines of the help sheet: keys, a tab, what they do."""
    first = (
        "arrows, return\tmove the cursor, place a stone",
        "h 8 return\tplace a stone by name",
    )
    return *first, *(
        f"{keys if name in PAIRS else ' or '.join(keys.split())}\t{words}"
        for name, (_, keys, words) in commands.items()
    )


def offer_of(played: Played) -> tuple[str, ...]:
    """Return the lines of the sheet that offers a game which was not finished."""
    game = played.game
    return (
        f"The game of {played.date} is not finished:",
        f"{count_moves(len(game.played))} on {game.rules.size} columns",
        "",
        "return\tgo on with it",
        "escape\tbegin a new one",
    )


# *by Interface*
#
# The buttons are made from the same table. What differs from moment to moment stands in three dicts: a
# caption that changes, what is possible now, what is switched on.


# by Interface · the controls, as they are now
def make_controls(commands: dict, captions: dict, possible: dict, on: dict) -> tuple:
    """Return a Control for each command; what the dicts don't name is as usual."""
    controls = []
    for name, (caption, _, _) in commands.items():
        caption, can = captions.get(name, caption), possible.get(name, True)
        controls.append(Control(name, caption, can, on.get(name, False), name in PAIRS))
    return tuple(controls)


def controls_of(board: "Board") -> tuple[Control, ...]:
    """Return the controls of a board as they are now."""
    played, rules = board.played, board.next_rules or board.game.rules
    size, limit = f"{rules.size}×{rules.height}", f"{board.limit:g} s"
    if played.simulations is not None and played.seconds is None:
        limit = f"{short_number(played.simulations)} sims"
    captions = {
        "black": f"Black: {played.players[0]}",
        "white": f"White: {played.players[1]}",
        "size": size if board.next_rules is None else f"next {size}",
        "level": f"Level {played.level or max(LEVELS)}",
        "seconds": limit,
    }
    hinted = board.searching and board.purpose == "hint"
    possible = {
        "undo": board.can_undo,
        "redo": board.can_redo,
        "hint": board.yours,
        "now": board.view.thinking or hinted or board.paused,
        "resign": board.can_resign,
    }
    on = {"visits": board.heat, "colours": board.contrast, "help": board.sheet == "help"}
    return make_controls(board.commands, captions, possible, on)


# *by Interface*
#
# `Board` paints all of this on a surface when something has changed. It knows nothing of pygame's
# events or of Jupyter's: it is told where the pointer is and which key was pressed.


# by Interface · the board that people want: what it shows
class Board(Settings):
    """A match with a view, which paints itself on a surface when that has changed."""

    commands = COMMANDS
    hover = cursor = None  # the point under the mouse, the point of the arrow keys
    typed = ""  # a point's name so far
    painted: tuple | None = None  # what the last picture showed

    def take_up(self, played: Played, note: str = "") -> None:
        """Put another game on the board; of another size, no point is marked there."""
        if played.game.rules != self.game.rules:
            self.hover = self.cursor = None
        super().take_up(played, note)

    def look(self) -> View:
        """Return the view as it is now."""
        return dataclasses.replace(
            self.view,
            persons=self.played.persons,
            resigned=self.played.resigned,
            hover=self.landing(self.hover) if self.yours else None,
            cursor=self.cursor,
            heat=self.heat,
            seconds=self.played.seconds,
            simulations=self.played.simulations,
            note=f"Move: {self.typed}_" if self.typed else self.view.note,
            sheet=self.lines(),
            controls=controls_of(self),
            fallen=min(1.0, (self.clock() - self.fallen_at) / 0.3),
            contrast=self.contrast,
        )

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the sheet that lies over the board."""
        if self.sheet == "offer":
            return offer_of(self.offered)
        return help_of(self.commands) if self.sheet == "help" else ()

    def picture(self, surface) -> tuple:
        """Return (what is to be seen, as values that can be compared; the view)."""
        view, game = self.look(), self.game
        position = game.rules, game.array.tobytes(), tuple(game.played)
        thought = view.thought and (id(view.thought), view.thought.simulations)
        rest = dataclasses.replace(view, thought=None)
        return (surface.get_size(), position, thought, rest), view

    def paint(self, surface) -> bool:
        """Paint what is shown if that has changed; say whether it has."""
        seen, view = self.picture(surface)
        if seen == self.painted:
            return False
        draw(surface, self.game, view)
        self.painted = seen
        return True


# by Interface · what the pointer does
class Pointer(Board):
    """A board that the pointer acts on."""

    def layout(self, surface) -> Layout:
        """Return where everything stands on the surface."""
        return make_layout(*surface.get_size(), self.game.rules, len(self.commands))

    def point_at(self, x, y, surface) -> None:
        """Follow the pointer."""
        self.hover, self.cursor = from_pixel(x, y, self.layout(surface)), None

    def press(self, x, y, surface) -> None:
        """Do what a click asks for: answer the sheet, use a control, place a stone."""
        layout = self.layout(surface)
        if self.sheet:
            self.sheet_key(sheet_key_at(x, y, self.lines(), layout))
        elif control := control_at(x, y, control_places(layout, self.commands)):
            self.act(*control)
        else:
            self.typed = ""
            self.click(from_pixel(x, y, layout))

    def act(self, name: str, step: int = 1) -> None:
        """Do the action of that name."""
        getattr(self, name)(*((step,) if name in PAIRS else ()))

    def sheet_key(self, key: str) -> None:
        """Answer the sheet that lies over the board; any key closes the help."""
        if self.sheet == "help":
            self.sheet = ""
        elif self.sheet == "offer" and key == "return":
            self.take_up(self.offered)
            self.sheet, self.offered = "", None
        elif key == "escape":
            self.sheet, self.offered, self.paused = "", None, False


# by Interface · what the keys do
class Touch(Pointer):
    """A board that pointer and keys act on."""

    keys = keys_of(COMMANDS)

    def key(self, key: str) -> None:
        """Do what a key asks for; `key` is what it types, or a name such as "left"."""
        if self.sheet:
            self.sheet_key(key)
        elif key in ARROWS:
            self.move_cursor(*ARROWS[key])
        elif key in ("return", "space"):
            self.enter()
        elif self.typed and key in ("backspace", "escape"):
            self.typed = self.typed[:-1] if key == "backspace" else ""
        elif re.fullmatch("[a-t0-9]", key):
            self.typed = (self.typed + key)[-3:] if key.isdigit() and self.typed else key
        elif key in self.keys:
            self.act(*self.keys[key])

    def move_cursor(self, up: int, right: int) -> None:
        """Move the cursor by a point, round the edges; at first it is put in the middle."""
        rules = self.game.rules
        row, col = rules.height // 2, rules.size // 2
        if self.cursor is not None:
            row, col = divmod(self.cursor, rules.size)
            row, col = (row + up) % rules.height, (col + right) % rules.size
        self.cursor = row * rules.size + col

    def enter(self) -> None:
        """Place a stone where the typed name or the cursor says."""
        name, self.typed = self.typed, ""
        if not name:
            return self.click(self.cursor)
        try:
            point = to_point(name, self.game.rules)
            if self.landing(point) is None:
                raise ValueError(self.game.why_illegal(point))
        except ValueError as error:
            self.view.note = str(error)
        else:
            self.click(point)


# *by Interface*
#
# pygame and browsers have names of their own for keys. On some keyboards `?` or `[` need a second key,
# so what a key types counts, not where it is.


# by Interface · what a key is called, or types
KEY_NAMES = {"enter": "return", "keypad enter": "return", "delete": "backspace", " ": "space"}
KEY_NAMES |= {f"arrow{name}": name for name in ARROWS}  # a browser's


def key_name(name: str) -> str:
    """Return the name that `Touch.key` knows for a key as pygame or a browser names it."""
    name = name.lower() if len(name) > 1 else name
    return KEY_NAMES.get(name, name)


def key_of(event) -> str:
    """Return what a key types, or its name; pygame's event in, `Touch.key`'s argument out."""
    pygame = load_pygame()
    name = pygame.key.name(event.key)
    name = name[1] if re.fullmatch(r"\[.\]", name) else key_name(name)
    if len(name) > 1:
        return name
    typed = event.unicode if event.unicode.isprintable() else ""
    return typed or (name.upper() if event.mod & pygame.KMOD_SHIFT else name)


# *by Interface*
#
# The loop turns pygame's events into these calls and ticks the clock. It paints only when something
# has changed, so that the computer's time goes into the search.


# by Interface · the window: events in, pictures out
class Window(Touch):
    """The board in pygame's display, which must be open; run() plays until it is closed."""

    def handle(self, event, surface) -> None:
        """Do what an event asks for, or nothing."""
        pygame = load_pygame()
        if event.type == pygame.QUIT:
            self.close()
        elif event.type == pygame.KEYDOWN:
            self.key(key_of(event))
        elif event.type == pygame.MOUSEMOTION:
            self.point_at(*event.pos, surface)
        elif event.type == pygame.WINDOWLEAVE:
            self.hover = None
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.press(*event.pos, surface)
        elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESIZED):
            self.painted = None

    def step(self) -> None:
        """Handle what has happened, follow the search, and paint what has changed."""
        pygame = load_pygame()
        for event in pygame.event.get():
            self.handle(event, pygame.display.get_surface())
        self.tick()
        if self.paint(pygame.display.get_surface()):
            pygame.display.flip()

    def run(self) -> Played:
        """Play until the window is closed or the cell interrupted; return the game."""
        clock = load_pygame().time.Clock()
        try:
            while self.open:
                self.step()
                clock.tick(60)
        except KeyboardInterrupt:
            pass
        finally:
            load_pygame().display.quit()
            played = self.finish()
        return played


# *by Interface*
#
# Without a display SDL, the library below pygame, takes a driver that shows nothing, and a loop
# would wait for ever for a click. So the driver is looked at first, and `NoDisplay` says in one
# sentence what is missing.


# by Interface · open the window, or say why there is none
class NoDisplay(RuntimeError):
    """There is nowhere to open a window; the message is one sentence."""


def open_window(title: str = "Five in a row") -> None:
    """Open a window that fits the screen, or raise NoDisplay."""
    if sys.platform.startswith("linux") and not os.environ.get("SDL_VIDEODRIVER"):
        drivers = {"DISPLAY": "x11", "WAYLAND_DISPLAY": "wayland"}
        names = [driver for name, driver in drivers.items() if os.environ.get(name)]
        if not names:
            raise NoDisplay("there is no display here")
        os.environ["SDL_VIDEODRIVER"] = ",".join(names)  # others would write to stderr
    try:
        pygame = load_pygame()
    except ImportError:
        raise NoDisplay("pygame is not installed here") from None
    try:
        pygame.display.init()
        if (driver := pygame.display.get_driver()) in ("dummy", "offscreen"):
            raise RuntimeError(f"SDL has only its driver {driver!r}")
        pygame.font.init()
        pygame.font.Font(None, 12)
        wide, high = min(pygame.display.get_desktop_sizes())
        side = min(high * 4 // 5, wide * 3 // 5)
        pygame.display.set_mode((side * 3 // 2, side), pygame.RESIZABLE)
        pygame.display.set_caption(title)
        pygame.key.set_repeat(400, 60)
    except (NotImplementedError, OSError, RuntimeError) as error:
        pygame.display.quit()
        raise NoDisplay(f"no window can be opened here: {error}") from None


# *by Interface*
#
# ### The board inside the notebook
#
# On a hub, or wherever there is no display, the same board lives in the notebook itself. The package
# `jupyter_rfb` shows its pictures in the browser and tells it of clicks and keys; between two cells the
# Python process behind the notebook ticks its clock thirty times a second, so it stays free for other cells.


# by Interface · the board in a page of the browser: events in, pictures out
class Page(Touch):
    """The board on a surface of its own, which a page shows."""

    ratio = 1.0  # pixels of the screen for one of the page

    def __init__(self, played: Played, keep, size: tuple[int, int]):
        super().__init__(played, keep)
        self.surface = load_pygame().Surface(size)

    def handle(self, event: dict) -> None:
        """Do what the browser tells: see jupyter_rfb's list of events."""
        kind, held = event["type"], set(event.get("modifiers", ()))
        shortcut = "Meta" in held or ("Control" in held and "Alt" not in held)
        if kind == "resize":
            self.resize(event)
        elif not self.open or (kind == "key_down" and shortcut):
            return  # closed, or a shortcut of the browser; AltGr is Control and Alt
        elif kind == "pointer_move":
            self.point_at(*self.pixel(event), self.surface)
        elif kind == "pointer_leave":
            self.hover = None
        elif kind == "pointer_down" and event.get("button") == 1:
            self.press(*self.pixel(event), self.surface)
        elif kind == "key_down":
            self.key(key_name(event["key"]))
        elif kind == "close":
            self.finish()

    def resize(self, event: dict) -> None:
        """Take a surface with as many pixels as the screen has for the board."""
        self.ratio = event.get("ratio", event.get("pixel_ratio", 1.0))
        size = [max(1, round(event[side] * self.ratio)) for side in ("width", "height")]
        self.surface, self.painted = load_pygame().Surface(size), None

    def pixel(self, event: dict) -> tuple[int, int]:
        """Return the pixel of an event on the surface."""
        return int(event["x"] * self.ratio), int(event["y"] * self.ratio)


# *by Interface*
#
# The widget around it keeps the clock. A saved notebook cannot hold something live, so after each move
# a small picture of the board is put below it as well.


# by Interface · the board as a widget
@lru_cache
def inline_board():
    """Return the class InlineBoard; jupyter_rfb is imported only here."""
    import asyncio

    import jupyter_rfb

    class InlineBoard(jupyter_rfb.RemoteFrameBuffer):
        """The board as a widget of JupyterLab and Notebook; `played` is its game."""

        def __init__(self, played: Played, keep=lambda played: None, width: int = 760):
            size = {"css_width": f"min({width}px, 100%)", "css_height": f"{width * 2 // 3}px"}
            super().__init__(**size)
            self.touch = Page(played, keep, (width, width * 2 // 3))
            self.handle = self.kept = self.waiting = None
            self.task = asyncio.get_running_loop().create_task(self.live())

        def __repr__(self) -> str:
            return "A board to play on while the notebook runs"

        @property
        def played(self) -> Played:
            """The game on the board and what the computer thought."""
            return self.touch.played

        async def live(self) -> None:
            """Tick and show what has changed, until the board is closed."""
            try:
                while self.touch.open:
                    self.follow()
                    self.show()
                    self.keep_picture()
                    await asyncio.sleep(1 / 30)
            finally:
                self.touch.finish()
                self.touch.refresh("Closed; the game is kept. Run the cell again to go on")
                self.request_draw()

        def follow(self) -> None:
            """Follow the search; an error, which would be lost in a task, becomes a note."""
            try:
                self.touch.tick()
            except Exception as error:
                self.touch.paused = True
                self.touch.view.note = f"The search failed: {error}"

        def show(self) -> None:
            """Ask for a picture where something has changed, and again after a second.

            jupyter_rfb waits until a page confirms a picture. A page that was loaded again
            never does, so the next picture is then sent unasked.
            """
            if self.touch.picture(self.touch.surface)[0] == self.touch.painted:
                self.waiting = None
                return
            self.request_draw()
            self.waiting = self.waiting or time.monotonic()
            if self._has_visible_views and time.monotonic() - self.waiting > 1:
                self.waiting = None
                self.send_frame(self.get_frame())

        def keep_picture(self) -> None:
            """Put a picture of the board into the notebook, if the game has gone on."""
            moves = (*self.played.game.played, self.played.resigned)
            if self.handle is None or moves == self.kept:
                return
            self.kept, note = moves, self.touch.view.note  # without what is being typed
            view = dataclasses.replace(self.touch.look(), note=note)
            show_png(*board_png(self.played.game, view, 720), self.handle.update, width=360)

        def get_frame(self) -> np.ndarray | None:
            """Return the picture as uint8[height, width, 3]; None if nothing has changed."""
            if not self.touch.paint(self.touch.surface):
                return None
            pixels = load_pygame().surfarray.array3d(self.touch.surface)
            return np.ascontiguousarray(pixels.swapaxes(0, 1))

        def handle_event(self, event: dict) -> None:
            """Do what the browser tells."""
            self.touch.handle(event)

    return InlineBoard


INLINE_BOARDS: dict = {}  # the board that each cell of the notebook has shown last


# *by Interface*
#
# ## 15 · Play
#
# A game that somebody played is kept in a text file that people can read: a few lines on who played
# what, then the moves with their numbers. Beside a move of the computer stand the simulations and
# the seed of its search, which repeat it exactly. A new game is added at the end of the file; only
# an unfinished game is replaced, by its own continuation.


# by Interface · a game as text
def result_text(game: Game, resigned: int = 0) -> str:
    """Return "black wins", "white wins by resignation", "draw", "unfinished" or the like."""
    if game.winner:
        return f"{COLOUR[game.winner]} wins"
    if resigned:
        return f"{COLOUR[-resigned]} wins by resignation"
    return "draw" if game.over else "unfinished"


def record_text(game: Game) -> str:
    """Return the numbered record, a pair of moves a line: "  1. e4    d5"."""
    moves = game.moves
    pairs = [moves[i : i + 2] for i in range(0, len(moves), 2)]
    lines = [
        f"{number:3d}. {' '.join(f'{move:5s}' for move in pair)}".rstrip()
        for number, pair in enumerate(pairs, 1)
    ]
    return "\n".join(lines)


def played_text(played: Played) -> str:
    """Return a game as a block of the game file."""
    game, (black, white) = played.game, played.players
    limits = [
        f"{played.seconds:g} seconds" if played.seconds is not None else "",
        f"{played.simulations} simulations" if played.simulations is not None else "",
    ]
    level = "" if played.level is None else f", level {played.level}"
    lines = [
        f"date: {played.date}",
        f"size: {game.rules.size}",
        *([f"rows: {game.rules.height}"] if game.rules.height != game.rules.size else []),
        f"in a row: {game.rules.in_a_row}",
        *(["gravity: yes"] if game.rules.gravity else []),
        f"black: {black}",
        f"white: {white}",
        f"budget: {' or '.join(filter(None, limits))}{level}",
        f"result: {result_text(game, played.resigned)}",
    ]
    for ply, move in enumerate(game.moves):
        search = played.searches.get(ply)
        about = " {} simulations, seed {}".format(*search) if search else ""
        if search and (own := played.levels.get(ply, played.level)) != played.level:
            about += f", level {own or max(LEVELS)}"
        lines.append(f"{ply + 1}. {move}{about}")
    return "\n".join(lines) + "\n"


# by Interface · keep a game
def game_file() -> Path:
    """Return where games are kept: beside the exported module, or in export/."""
    if "__file__" in globals():
        return Path(__file__).resolve().with_name("game.txt")
    return Path("export", "game.txt")


def save_game(played: Played, path: Path | str | None = None) -> None:
    """Add a game at the end of the file; replace what it held of the same game, unfinished.

    Raises OSError where the file cannot be written; it is then as it was.
    """
    path, block = Path(path or game_file()), played_text(played)
    if block == played.saved:
        return
    path.parent.mkdir(exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with one_at_a_time(path):
        old = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""
        blocks = old.replace("\r\n", "\n").strip("\n").split("\n\n")
        mine = played.saved.strip("\n")
        if "result: unfinished" in mine and mine in blocks:
            blocks.remove(mine)
        text = "\n\n".join([*blocks, block]).lstrip("\n")
        try:
            temporary.write_bytes(text.encode("utf-8", "surrogateescape"))
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    played.saved = block


@contextlib.contextmanager
def one_at_a_time(path: Path):
    """Let one process at a time change the file; a lock left behind is broken after 2 s."""
    lock = path.with_name(f".{path.name}.lock.tmp")
    for _ in range(200):
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            time.sleep(0.01)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


# *by Interface*
#
# Reading is strict: a line that is not understood, or a move that is not legal, is named with its
# number and the reason.


# by Interface · read the last game of the file
HEAD = ("date", "size", "in a row", "black", "white", "budget", "result")
OTHER_GAMES = ("rows", "gravity")  # lines for boards that are not square, and falling stones
SEARCH = r" (\d{1,18}) simulations, seed (\d{1,19})(?:, level (\d{1,2}))?"
MOVE_LINE = re.compile(rf"(\d+)\. (\S+)(?:{SEARCH})?")


def load_game(path: Path | str | None = None) -> Played:
    """Return the last game of the file, without thoughts.

    Raises ValueError that names the line and the reason, OSError where there is no such file.
    """
    path = Path(path or game_file())
    lines = path.read_bytes().decode("utf-8-sig", "replace").splitlines()
    starts = [i for i, line in enumerate(lines) if line.startswith("date:")]
    head, played, begin = {}, None, starts[-1] if starts else 0
    for number, line in enumerate([*lines[begin:], None], begin + 1):
        try:
            if line is None:  # the end
                return check_result(played, head)
            if move := MOVE_LINE.fullmatch(line.rstrip()):
                played = played or begin_played(head)
                read_move(played, *move.groups())
            elif line.strip():
                read_head(head, line, played)
        except ValueError as error:
            number = min(number, max(1, len(lines)))
            raise ValueError(f"{path.name}, line {number}: {error}") from None


# by Interface · the lines of a game
def read_head(head: dict, line: str, played: Played | None) -> None:
    """Read a line such as "size: 8" into head."""
    key, colon, value = line.partition(":")
    if played or not colon or key not in (*HEAD, *OTHER_GAMES):
        raise ValueError(f"{line.strip()!r} is neither a move nor one of: {', '.join(HEAD)}")
    head[key] = value.strip()


def begin_played(head: dict) -> Played:
    """Return the game that the head describes, with no move yet."""
    if missing := [key for key in HEAD if key not in head]:
        raise ValueError(f"the game has no line {missing[0] + ':'!r}")
    for key in ("size", "in a row", "rows"):
        if not re.fullmatch(r"\d{1,4}", head.get(key, "0")):
            raise ValueError(f"{key} must be a whole number, not {head[key]!r}")
    if head.get("gravity", "yes") != "yes":
        raise ValueError(f"gravity must be 'yes', or be left out, not {head['gravity']!r}")
    rows = int(head["rows"]) if "rows" in head else None
    size, in_a_row = int(head["size"]), int(head["in a row"])
    rules = check_rules(Rules(size, in_a_row, rows, "gravity" in head))
    played = Played(Game(rules), (head["black"], head["white"]), source="saved game")
    played.date = head["date"]
    if found := re.search(r"(\d[\d.]*(e-?\d+)?) seconds", head["budget"]):
        played.seconds = float(found[1])
    if found := re.search(r"(\d+) simulations", head["budget"]):
        played.simulations = int(found[1])
    if found := re.search(r"level (\d+)", head["budget"]):
        check_level(int(found[1]))
        played.level = int(found[1])
    return played


def read_move(
    played: Played, number: str, move: str, simulations=None, seed=None, level=None
) -> None:
    """Play a move of the file."""
    ply = len(played.game.played)
    if int(number) != ply + 1:
        raise ValueError(f"move {ply + 1} is missing")
    played.game.play(move)
    if simulations is not None:
        played.searches[ply] = int(simulations), int(seed)
        played.levels[ply] = int(level) if level else played.level
        check_level(played.levels[ply])


def check_result(played: Played | None, head: dict) -> Played:
    """Return the game if its result is what the head says."""
    if played is None:
        raise ValueError("the game has no moves")
    if not played.game.over:
        resigned = {result_text(played.game, colour): colour for colour in (BLACK, WHITE)}
        played.resigned = resigned.get(head["result"], 0)
    if (result := result_text(played.game, played.resigned)) != head["result"]:
        raise ValueError(f"the result should be {result!r}, not {head['result']!r}")
    played.saved = played_text(played)
    return played


def unfinished_game(path: Path | str | None = None) -> Played | None:
    """Return the last game of the file if a person has not finished it; None otherwise."""
    try:
        played = load_game(path)
    except (OSError, ValueError):
        return None
    return played if not played.over and played.persons else None


# *by Interface*
#
# Where nobody can play, the notebook shows a recorded game: the last one in the file, its searches
# repeated, or else a game of the engine against `classic`, the course notebook's algorithm.


# by Interface · a game to show where nobody plays
def think_again(played: Played, most: int) -> Played:
    """Return the game with its thoughts made again, each with at most `most` simulations."""
    thoughts, game = {}, Game(played.game.rules)
    for ply, point in enumerate(played.game.played):
        if ply in played.searches:
            simulations, seed = played.searches[ply]
            limit, level = min(simulations, most), played.levels.get(ply, played.level)
            thought = think(game, simulations=limit, seed=seed, level=level)
            thoughts[ply] = dataclasses.replace(thought, tree=None)
        game.play(point)
    return dataclasses.replace(played, thoughts=thoughts, repeated=most)


def engine_against_classic(size=8, simulations=20_000, seed=2024) -> Played:
    """Return a game of classic, black, against the engine, white; it repeats exactly."""
    players, source = ("classic", "engine"), "engine against classic"
    played = Played(Game(Rules(size)), players, None, simulations, seed, source=source)
    rival = classic(simulations=simulations)
    while not played.game.over:
        own = seed + len(played.game.played)
        if played.game.to_move == BLACK:
            played.play(rival(played.game, own))
        else:
            thought = think(played.game, simulations=simulations, seed=own)
            played.play(thought.move, thought)
    return played


def recorded_game(size: int, why: str) -> Played:
    """Return the saved game or, if there is none, one of the engine; say so in a sentence."""
    most = scale(2_000, 50_000)
    try:
        played = think_again(load_game(), most)
        print(
            f"No game is played here ({why}): this is the one saved on {played.date}, its "
            f"searches repeated with at most {most:,} simulations each."
        )
        return played
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        print(f"The saved game cannot be read: {error}.")
    print(
        f"No game is played here ({why}): this is classic, black, against the engine, "
        f"white, with {most:,} simulations a move."
    )
    return engine_against_classic(size, most)


# *by Interface*
#
# `play` opens the window and returns the game when it is closed. `play_inline` shows the same board in
# the notebook; its game is `board.played`. Both take `level=3` for a weaker computer, or
# `rules=Rules(7, 4, rows=6, gravity=True)` for another game. A click places a stone; `?` lists the keys.
# Every move is on disk at once: after a crash, or when the window was closed in the middle, the next
# start offers to go on.


# by Interface · what may be played
PERSONS = {  # who plays black, and white
    "black": ("person", "engine"),
    "white": ("engine", "person"),
    "both": ("person", "person"),
    "none": ("engine", "engine"),
}


def new_played(size=8, seconds=5, human="black", level=None, rules=None) -> Played:
    """Return a game that has not begun; ValueError names what is allowed."""
    rules = check_rules(Rules(size) if rules is None else rules)
    if human not in PERSONS:
        raise ValueError(f"human must be 'black', 'white', 'both' or 'none', not {human!r}")
    if not (is_seconds(seconds) and seconds <= 3600):
        raise ValueError(f"seconds must be a number from 0 to 3600, not {seconds!r}")
    seed = int(np.random.default_rng().integers(1 << 31))  # no two games alike
    check_level(level)
    return Played(Game(rules), PERSONS[human], float(seconds), seed=seed, level=level)


# by Interface · play, and keep the game
def keeper(path: Path | str | None = None):
    """Return keep(played): save a game, or return why that fails, and print it once."""
    told = []

    def keep(played: Played) -> str | None:
        try:
            save_game(played, path)
        except OSError as error:
            note = f"The game goes on but cannot be saved: {error.strerror or error}"
            if not told:
                print(note)
            told.append(note)
            return note

    return keep


def window_title(rules: Rules) -> str:
    """Return what the window's frame says: the game and its board."""
    known = {(5, False): "Five in a row", (4, True): "Connect-4"}
    name = known.get((rules.in_a_row, rules.gravity), f"{rules.in_a_row} in a row")
    return f"{name}, {rules.size}×{rules.height}"


def play(size=8, seconds=5, human="black", path=None, level=None, rules=None) -> Played:
    """Open the window, play, and return the game when it is closed; it is kept in `path`.

    size     3 to 20            seconds   the computer's time for a move
    human    "black" or "white" (black moves first), "both" or "none"
    level    1 (beginner) to 10, or None for full strength
    rules    Rules of another game, in place of `size`
    Raises ValueError for anything else, NoDisplay where no window can be opened.
    """
    played = new_played(size, seconds, human, level, rules)
    open_window(window_title(played.game.rules))
    return offer(Window(played, keeper(path)), path).run()


# by Interface · the board in the notebook, and the game that was not finished
def play_inline(size=8, seconds=5, human="black", path=None, level=None, rules=None):
    """Show the board in the notebook, and return it; `board.played` is its game.

    Give it a name, as in board = play_inline(): a bare call shows a second board. The
    arguments are those of play(). Raises NoInline outside a notebook.
    """
    from IPython.display import display

    played = new_played(size, seconds, human, level, rules)
    if not runs_inline():
        raise NoInline("a board inside the notebook needs a running kernel and jupyter_rfb")
    shell = sys.modules["IPython"].get_ipython()
    cell = shell.get_parent()["metadata"].get("cellId") if shell else None
    if cell in INLINE_BOARDS:  # the cell is run again
        INLINE_BOARDS.pop(cell).close()
    board = INLINE_BOARDS[cell] = inline_board()(played, keeper(path))
    offer(board.touch, path)
    display(board)
    board.handle = display(display_id=True)
    return board


class NoInline(RuntimeError):
    """There is no notebook that could show the board; the message is one sentence."""


def runs_inline() -> bool:
    """True in the kernel of a notebook, with jupyter_rfb installed."""
    import importlib.util

    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(getattr(shell, "kernel", None) and importlib.util.find_spec("jupyter_rfb"))


def offer(board: Actions, path: Path | str | None = None):
    """Let the board ask whether to go on with the game that was not finished; return it."""
    board.offered = unfinished_game(path)
    board.sheet, board.paused = ("offer", True) if board.offered else ("", False)
    return board


# by Interface · play where it is possible
def play_here(
    size=8, seconds=5, human="black", path=None, level=None, rules=None, recorded=recorded_game
):
    """Return what the machine has: a game from the window, a board in the notebook, or a
    recorded game; say which in a sentence.

    recorded   a function of the size and of a reason that returns the recorded game
    The other arguments are those of play().
    """
    how = (size, seconds, human, path, level, rules)
    new_played(size, seconds, human, level, rules)  # a wrong argument is an error everywhere
    if os.environ.get("FIVE_PLAY") == "recorded":
        return recorded(size, "the notebook was run without a window")
    try:
        played = play(*how)
    except NoDisplay as error:
        if not runs_inline():
            return recorded(size, str(error))
        print(f"The board is here, in the notebook: {error}.")
        return play_inline(*how)
    return played if played.game.played else recorded(size, "no move was made")


def game_of(played) -> Played:
    """Return the game to show: of a window, of a board in the notebook, or a recorded one."""
    played = getattr(played, "played", played)
    played.forget()
    size = played.game.rules.size
    if not played.game.played:
        return recorded_game(size, "no move was made on the board above")
    return played


# *by Interface*
#
# The cells below show the game of the next line. After a game on the board in the notebook, run the
# cells again from here on.


# *by Interface*
#
# ### Tournaments
#
# Programs that play five in a row meet in *Gomocup*. A manager starts each of them, writes one
# command a line, such as `TURN 7,7`, and reads one answer a line, such as `8,6`. Such a program is
# called a *brain*. `python export/five_in_a_row.py --gomocup` is one.
#
# The protocol counts columns and rows from 0, rows from the top; a `Game` has row 0 at the bottom.
# One function goes from either to the other.


# by Interface · points as the protocol writes them
def flip_rows(point: int, rules: Rules) -> int:
    """Return the point in the same column whose row counts from the other side."""
    row, col = divmod(point, rules.size)
    return (rules.height - 1 - row) * rules.size + col


def point_of_xy(x: int, y: int, rules: Rules) -> int:
    """Return the point of column x and row y from the top; ValueError off the board."""
    if not (0 <= x < rules.size and 0 <= y < rules.height):
        raise ValueError(f"{x},{y} is off the board of {rules.size}x{rules.height}")
    return flip_rows(y * rules.size + x, rules)


def xy_text(point: int, rules: Rules) -> str:
    """Return a point as "x,y"."""
    y, x = divmod(flip_rows(point, rules), rules.size)
    return f"{x},{y}"


# *by Interface*
#
# The manager says with INFO how much time and memory there is. A move may take the time for one turn,
# less a margin for what happens before and after the search, and at most a fifteenth of the time left
# for the match. So a long match never runs out of it, and early moves get more than late ones.


# by Interface · how long a move may take
MARGIN, MARGIN_SHARE = 0.04, 0.02  # kept from each turn: seconds, and a share of the turn
AT_ONCE = 0.02  # seconds for a move that is wanted at once
SHARE_OF_MATCH = 1 / 15  # of the time left, for one move


class TimeLimits:
    """What the manager allows and what is used up, in seconds."""

    def __init__(self):
        self.turn = 30.0  # until INFO says otherwise
        self.match = math.inf
        self.used = 0.0  # since the game began
        self.told: tuple[float, float] | None = None  # time left, and what was used then

    def new_game(self) -> None:
        """Begin to count anew; what was told before the first move stays."""
        if self.used:
            self.used, self.told = 0.0, None

    def left(self) -> float:
        """Return the time left for this game, by the manager's word or by our own count."""
        left, since = self.told or (self.match, 0.0)
        return left - (self.used - since)

    def budget(self) -> float:
        """Return how long to think about a move, from when the command was read."""
        turn = AT_ONCE if self.turn <= 0 else self.turn * (1 - MARGIN_SHARE) - MARGIN
        return max(0.0, min(turn, (self.left() - MARGIN) * SHARE_OF_MATCH))


# *by Interface*
#
# The trees of the search may take half of the memory that Python and the compiled code leave. The
# rest is a reserve, since one copy more exists for a moment when a tree is recycled. The protocol
# wants an INFO that a brain does not know to be passed over in silence. Only freestyle is played;
# another rule is answered with a message, once.


# by Interface · what INFO says
PROGRAM_MEMORY = 260_000_000  # bytes that are taken before there is a tree
LEAST_MEMORY = 16_000_000  # bytes for a tree, however little is allowed
RULES_NOT_PLAYED = {1: "exactly five", 2: "continuous game", 4: "renju", 8: "caro"}


class Limits(TimeLimits):
    """All that INFO may say: time, memory, and the rule."""

    def __init__(self):
        super().__init__()
        self.memory, self.named = SearchOptions().memory, set()

    def info(self, key: str, text: str) -> list[str]:
        """Take one INFO and return what to answer; ValueError if a number is missing."""
        if key not in ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule"):
            return []
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise ValueError(f"INFO {key} needs a whole number")
        value = int(text)
        if key == "timeout_turn":
            self.turn = value / 1000
        elif key == "timeout_match":
            self.match = value / 1000 if value > 0 else math.inf
        elif key == "time_left":
            unlimited = value == 0 and self.match == math.inf
            self.told = (math.inf if unlimited else value / 1000), self.used
        elif key == "max_memory":
            self.memory = SearchOptions().memory
            if value > 0:
                share = (value - PROGRAM_MEMORY) // 2
                self.memory = max(LEAST_MEMORY, min(share, self.memory))
        elif value and value not in self.named:
            self.named.add(value)
            names = [name for bit, name in RULES_NOT_PLAYED.items() if value & bit]
            what = f"{value} ({', '.join(names)})" if names else f"{value}"
            return [f"MESSAGE rule {what} is not played: five or more win, as in freestyle"]
        return []


# *by Interface*
#
# A manager may set up any position, take back any stone, and does not say who has black. So the brain
# keeps a `Game` together with the colour of its own stones, and lets a stone be put or lifted out of
# turn: then the game goes on from a set-up position. The tree of the last move is used again while
# the game goes straight on.


# by Interface · a game as one of its players has it
class Seat:
    """A game, which side is ours, and the tree of our last search."""

    def __init__(self):
        self.game: Game | None = None
        self.own = BLACK
        self.tree: Tree | None = None

    def sit(self, game: Game, own: int) -> None:
        """Take this game, and forget the one before."""
        self.game, self.own, self.tree = game, own, None

    def set_up(self, cells: np.ndarray, own: int, to_move: int) -> None:
        """Go on from a position; ValueError if both sides have won in it."""
        self.sit(Game.from_array(cells, to_move, self.game.rules), own)

    def check_not_over(self) -> None:
        """Raise ValueError that says how the game has ended, if it has."""
        if self.game.over:
            who = {self.own: "I have won", -self.own: "you have won", 0: "a draw"}
            raise ValueError(f"the game is over: {who[self.game.winner]}")

    def opponent_plays(self, point: int) -> None:
        """Put a stone of the opponent; ValueError if a stone stands there."""
        self.check_not_over()
        cells = self.game.array
        if cells.flat[point]:
            raise ValueError(f"{xy_text(point, self.game.rules)} is taken")
        if not cells.any():
            self.sit(Game(self.game.rules), WHITE)
        elif self.game.to_move == self.own:  # our stone was taken back
            self.set_up(cells, self.own, -self.own)
        self.game.play(point)

    def take_back(self, point: int) -> None:
        """Lift a stone; ValueError if there is none. The tree begins anew."""
        cells = self.game.array
        if not (stone := int(cells.flat[point])):
            raise ValueError(f"{xy_text(point, self.game.rules)} is empty")
        self.tree = None
        if self.game.played[-1:] == [point]:
            self.game.undo()
            return
        cells.flat[point] = 0
        self.set_up(cells, self.own, stone)


# *by Interface*
#
# The search looks at an event to know whether to stop. `Until` is one that is set by itself at a
# given time: whatever comes before the search, the time for the turn holds. It is also set when the
# manager has said END.


# by Interface · an event that comes by itself
class Until(threading.Event):
    """An event that is set from a given time on, or once another event is."""

    def __init__(self, at: float, clock, other: threading.Event):
        super().__init__()
        self.at, self.clock, self.other = at, clock, other

    def is_set(self) -> bool:
        return super().is_set() or self.other.is_set() or self.clock() >= self.at


# *by Interface*
#
# A `Thinker` plays its own moves. From when a command was read it counts what the limits allow, and
# hands the rest of it to `think`.


# by Interface · think in time
class Thinker(Seat):
    """A seat whose moves the engine makes, within limits."""

    def __init__(self, simulations=None, seed: int | None = None, clock=time.perf_counter):
        super().__init__()
        self.simulations, self.clock, self.limits = simulations, clock, Limits()
        self.seed = int(np.random.default_rng().integers(1 << 31)) if seed is None else seed
        self.ended = threading.Event()  # set when nothing more will be asked

    def reply(self, begun: float) -> str:
        """Play our move and return it as "x,y"; the time counts from `begun`."""
        self.check_not_over()
        at = begun + self.limits.budget()
        thought = think(
            self.game,
            max(0.0, at - self.clock()),
            self.simulations,
            options=SearchOptions(seed=self.seed, memory=self.limits.memory),
            tree=self.tree,
            stop=Until(at, self.clock, self.ended),
            clock=self.clock,
        )
        self.tree = thought.tree or self.tree  # a forced move has none
        self.game.play(thought.move)
        self.limits.used += self.clock() - begun
        return xy_text(thought.move, self.game.rules)


# *by Interface*
#
# A manager gives time for START, but the time for a move is for thinking. So a short game is played
# when START comes, and every kernel that `think` needs is compiled by it.


# by Interface · compile before the game begins
@lru_cache
def compile_engine(rules: Rules) -> None:
    """Run once all that `think` needs: a search, and a part of its tree used again."""
    game = Game(rules)
    for point in (0, rules.points - 1, rules.size - 1):
        game.play(point)
    options = SearchOptions(memory=LEAST_MEMORY)
    thought = think(game, simulations=300, options=options)
    for point in thought.line[:2]:  # so that a part of the tree is kept
        game.play(point)
    think(game, simulations=1, options=options, tree=thought.tree)


# *by Interface*
#
# A method `do_turn` answers `TURN`, `do_begin` answers `BEGIN`, and so on: a new command is a new
# method. Answers are plain ASCII, whatever bytes came in.


# by Interface · the commands that a line may hold
ABOUT = 'name="Five in a row", version="1.0", author="the authors of the notebook"'
XY = re.compile(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})")


class Commands(Thinker):
    """A method for each command that fits on one line: it returns the lines to answer."""

    def xy(self, text: str) -> int:
        """Return the point of "x,y"; ValueError if it is none."""
        if not (found := XY.fullmatch(text)):
            raise ValueError(f"two numbers are needed, as in 7,7: not {ascii(text[:40])}")
        return point_of_xy(int(found[1]), int(found[2]), self.game.rules)

    def do_start(self, text: str) -> list[str]:
        if not (re.fullmatch("[0-9]{1,4}", text) and 5 <= int(text) <= 20):
            raise ValueError(f"the size must be from 5 to 20, not {ascii(text[:40])}")
        rules = check_rules(Rules(int(text)))
        compile_engine(rules)
        self.sit(Game(rules), BLACK)
        self.limits.new_game()
        return ["OK"]

    def do_rectstart(self, text: str) -> list[str]:
        raise ValueError("only square boards are played: send START and a size from 5 to 20")

    def do_restart(self, text: str) -> list[str]:
        return self.do_start(str(self.game.rules.size))

    def do_begin(self, text: str) -> list[str]:
        if self.game.array.any():
            raise ValueError("BEGIN needs an empty board")
        self.sit(Game(self.game.rules), BLACK)
        return [self.reply(self.begun)]

    def do_turn(self, text: str) -> list[str]:
        self.opponent_plays(self.xy(text))
        return [self.reply(self.begun)]

    def do_takeback(self, text: str) -> list[str]:
        self.take_back(self.xy(text))
        return ["OK"]

    def do_info(self, text: str) -> list[str]:
        key, *value = text.split(None, 1) or [""]
        if not key:
            raise ValueError("INFO needs a key and a value")
        return self.limits.info(key.lower(), "".join(value))

    def do_about(self, text: str) -> list[str]:
        return [ABOUT]


# *by Interface*
#
# `BOARD` takes many lines: stones in any order, then `DONE`. They are collected first, and set up
# only if all of them make sense.


# by Interface · BOARD ... DONE
STONE = re.compile(XY.pattern + r"\s*,\s*([1-3])")


class Boards(Commands):
    """The command that goes on over many lines."""

    stones: dict[int, int] | None = None  # point: 1 ours, 2 the opponent's; None: no BOARD
    fault: str | None = None  # what was wrong first
    skipping = False  # a BOARD was refused at once, its stones may still come

    def do_board(self, text: str) -> list[str]:
        self.stones, self.fault = {}, None
        return []

    def board_line(self, line: str) -> None:
        """Take one stone, or note what is wrong with the line."""
        try:
            if not (found := STONE.fullmatch(line)):
                raise ValueError(f"x,y,1 or x,y,2 is needed, not {ascii(line[:40])}")
            x, y, owner = map(int, found.groups())
            point = point_of_xy(x, y, self.game.rules)
            if point in self.stones:
                raise ValueError(f"two stones on {x},{y}")
            if owner != 3:  # marks of a game that is not played here
                self.stones[point] = owner
        except ValueError as error:
            self.fault = self.fault or str(error)

    def board_done(self) -> list[str]:
        """Set the stones up and return our move; ValueError leaves the old game."""
        stones, self.stones = self.stones, None
        if self.fault:
            raise ValueError(f"BOARD: {self.fault}")
        owners = list(stones.values())
        own = BLACK if owners.count(1) >= owners.count(2) else WHITE
        cells = np.zeros((self.game.rules.height, self.game.rules.size), np.int8)
        for point, owner in stones.items():
            cells.flat[point] = own if owner == 1 else -own
        if Game.from_array(cells, own, self.game.rules).over:
            raise ValueError("BOARD: the game is over in this position")
        self.set_up(cells, own, own)
        return [self.reply(self.begun)]


# *by Interface*
#
# `Brain.answer` takes one line and returns the lines to answer, so it can be tried without a
# process. What it cannot do it refuses with `ERROR` and the reason, what it does not know with
# `UNKNOWN`; the game is then as it was. After `BOARD`, lines are stones until `DONE` comes or
# another game begins.


# by Interface · from a line to the lines to answer
class Brain(Boards):
    """A player that speaks the Gomocup protocol.

    simulations, seed   a limit beside the time for a move, so that its moves repeat
    clock               what tells the time, in seconds
    """

    WORDS = "START RECTSTART RESTART BEGIN TURN BOARD TAKEBACK INFO ABOUT".split()
    FIRST = "START", "RECTSTART", "INFO", "ABOUT"  # these need no game
    ALONE = "RESTART", "BEGIN", "BOARD", "ABOUT"  # nothing may follow these

    def answer(self, line: str, begun: float | None = None) -> list[str] | None:
        """Return the lines to answer, [] for none; None after END.

        begun   when the line was read, by `clock`; None: now
        """
        self.begun, line = self.clock() if begun is None else begun, line.strip()
        word, text = (line.split(None, 1) + ["", ""])[:2]
        word = word.upper() if word.isascii() else word
        if word == "END" and not text:
            return None
        try:
            if self.stones is not None and line:
                return self.inside_board(word, text, line)
            if self.skipping and (STONE.fullmatch(line) or not line):
                return []
            skipping, self.skipping = self.skipping, False
            if not line or skipping and line.upper() == "DONE":
                return []
            return self.command(word, text)
        except ValueError as error:
            return [f"ERROR {error}"]

    def inside_board(self, word: str, text: str, line: str) -> list[str]:
        """Answer a line after BOARD; a command that begins anew does not wait for DONE."""
        if line.upper() == "DONE":
            return self.board_done()
        if word in ("START", "RECTSTART", "RESTART", "BOARD"):
            self.stones = None
            return ["ERROR BOARD was not ended by DONE", *self.answer(line, self.begun)]
        if word in ("INFO", "ABOUT"):
            return self.command(word, text)
        self.board_line(line)
        return []

    def command(self, word: str, text: str) -> list[str]:
        """Carry one command out; ValueError says why it cannot be."""
        if word == "DONE":
            raise ValueError("DONE belongs at the end of a BOARD")
        if word not in self.WORDS:
            return [f"UNKNOWN command {ascii(word[:40])}"]
        self.skipping = word == "BOARD"  # until it turns out to be in order
        if self.game is None and word not in self.FIRST:
            raise ValueError(f"{word} needs a game: send START first")
        if text and word in self.ALONE:
            raise ValueError(f"nothing may follow {word}")
        self.skipping = False
        return getattr(self, f"do_{word.lower()}")(text)


# *by Interface*
#
# A thread of its own reads, so no command is lost while the brain thinks, and END or the end of the
# input stops a search. Whatever came before END is still answered. First the reading: from bytes as
# they come to lines, none of them endless.


# by Interface · read lines
import queue

LONGEST = 10_000  # bytes of a line; what is longer is cut


def input_lines(file: int = 0):
    """Yield the lines of a file descriptor as text, the last one also without a line's end."""
    rest, chunk = b"", b"\n"
    while chunk:
        try:
            chunk = os.read(file, 1 << 16)
        except OSError:  # it was closed
            chunk = b""
        *lines, rest = (rest + chunk).split(b"\n") if chunk else [rest, b""]
        rest = rest[:LONGEST]
        for line in lines:
            yield line[:LONGEST].decode("utf-8", "replace")


# *by Interface*
#
# `gomocup` puts the lines into a queue as they come, and answers them in order. Standard output
# carries the answers only; anything else that is printed goes to standard error.


# by Interface · answer until the end
def gomocup(read=None, write=None, brain: Brain | None = None) -> int:
    """Answer commands until END or the end of the input; return the exit status.

    read    an iterable of lines; None: standard input
    write   takes one line to answer; None: standard output
    """
    brain, lines = brain or Brain(), queue.SimpleQueue()
    write = write or (lambda line: os.write(1, f"{line}\n".encode("ascii")))

    def listen():
        try:
            for line in input_lines() if read is None else read:
                if line.strip().upper() == "END":
                    break
                lines.put((line, brain.clock()))
        finally:
            brain.ended.set()  # a search that is running ends
            lines.put(("END", 0.0))

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.redirect_stdout(sys.stderr):
        while (answers := brain.answer(*lines.get())) is not None:
            for line in answers:
                try:
                    write(line)
                except OSError:  # nobody listens any more
                    return 1
    return 0


# *by Interface*
#
# The exported module plays without Jupyter: `python export/five_in_a_row.py` opens the window, and
# with `--gomocup` it is a brain.


# by Interface · the command line
def main(arguments=None) -> int:
    """Play in a window, print result and record, or be a brain; return the exit status."""
    import argparse

    parser = argparse.ArgumentParser(
        prog="five_in_a_row.py",
        description="Play five in a row against the computer.",
        epilog="Exit status: 0 played; 2 no display, or a wrong argument.",
    )
    parser.add_argument(
        "--size", type=int, default=8, metavar="N", help="points a side, 3 to 20 (default 8)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=5.0,
        metavar="S",
        help="the computer's time for a move (default 5)",
    )
    parser.add_argument(
        "--color",
        choices=("black", "white"),
        default="black",
        help="your colour; black moves first (default black)",
    )
    parser.add_argument(
        "--level", type=int, metavar="L", help="1, beginner, to 10, full strength (default 10)"
    )
    parser.add_argument(
        "--gomocup",
        action="store_true",
        help="play in tournaments: speak the Gomocup protocol, open no window",
    )
    parser.error = lambda message: parser.exit(2, f"{parser.prog}: {message}\n")
    options = parser.parse_args(arguments)
    if options.gomocup:
        return gomocup()
    try:
        played = new_played(options.size, options.seconds, options.color, options.level)
        open_window()
    except (ValueError, NoDisplay) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    played = offer(Window(played, keeper())).run()
    game, view = played.game, View(resigned=played.resigned)
    ending = heading(game, view) if played.over else "unfinished"
    print(f"{ending}, {count_moves(len(game.played))}" if played.over else ending)
    print(game, record_text(game), sep="\n")
    return 0


# *by Interface*
#
# Run as a program, the module imports itself and calls `main` of what it imported, so that the
# compiled search is found under one name on the disk.


# by Interface · when the module is run as a program
if __name__ == "__main__" and "__file__" in globals():
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    import five_in_a_row

    sys.exit(five_in_a_row.main())


# *by Experiments*
#
# ## 16 · Reading the visits
#
# The first figures of this room belong to the game that the Play cell has just recorded; those from
# *More simulations* on search fixed positions. Each of the first boards shows
# the position in which the computer had to move, and how its simulations were spent. Play another
# game, run the cells again, and they show that one.
#
# With many moves only some are drawn, evenly spaced, and always the last. A move that needed no
# search has no visits: its board says why instead.


# by Experiments · earlier positions of a game, and which of them to draw
def position_at(game: Game, ply: int) -> Game:
    """Return the position of a game before its move number `ply`, counted from 0."""
    earlier = game.copy()
    while len(earlier.played) > ply:
        earlier.undo()
    return earlier


def evenly(items, most: int = 12) -> list:
    """Return at most that many items of a list, evenly spaced, the last one always."""
    items = list(items)
    if len(items) <= most:
        return items
    places = np.linspace(0, len(items) - 1, most).round().astype(int)
    return [items[place] for place in places]


# by Experiments · small boards of one game, all on the same scale
def game_panels(game: Game, thoughts: dict, plies, what: str = "visits"):
    """Return a figure with one small board for each computer move in `plies`.

    thoughts   {ply: Thought}, as the Play cell records them; the title is what was played
    what       "visits", as shares of all visits, or "values" for the side to move
    """
    across = min(4 if game.rules.size <= 12 else 3, len(plies))
    down = -(-len(plies) // across)
    wide = 9.6 / (4 if game.rules.size <= 12 else 3)
    figure = new_figure(max(3.2, wide * across), (wide + 0.12) * down + 0.7)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    shares = {p: thoughts[p].visits / max(1, thoughts[p].visits.sum()) for p in plies}
    most = max(float(share.max()) for share in shares.values())
    image = None
    for ax, ply in zip(axes, plies, strict=False):
        before, thought = position_at(game, ply), thoughts[ply]
        side = COLOUR[before.to_move]
        ax.set_title(f"{ply + 1}. {game.moves[ply]} ({side})", fontsize=9, pad=3)
        if not thought.visits.any():
            draw_forced(ax, before, thought)
        elif what == "visits":
            image = draw_visits(ax, before, shares[ply], most, percent)
        else:
            image = draw_values(ax, before, thought.values, thought.visits)
    for ax in axes[len(plies) :]:
        ax.set_visible(False)
    if image is not None:
        unit = {"visits": "share of the visits", "values": "value for the side to move"}[what]
        add_bar(figure, image, axes, unit, shrink=0.5, aspect=40)
    return figure


# by Experiments · what the small boards show, in words
def visits_caption(game: Game, thoughts: dict, plies) -> str:
    """Return the finding, and what is needed to repeat it."""
    points = {ply: game.played[ply] for ply, each in thoughts.items() if each.visits.any()}
    searched = [thoughts[ply] for ply in points]
    text = f"{len(plies)} of the computer's {len(thoughts)} moves are drawn"
    if len(thoughts) > len(searched):
        text += f"; {len(thoughts) - len(searched)} of the {len(thoughts)} needed no search"
    if not searched:
        return text + "."
    shares = [
        thoughts[p].visits.flat[at] / thoughts[p].visits.sum() for p, at in points.items()
    ]
    simulations = [each.simulations for each in searched]
    seeds = [each.seed for each in searched]
    alone = sum(each.why == "only candidate" for each in searched)
    rivals = f"; {alone} had no rival among the candidates" if alone else ""
    return (
        f"{text}. The move played took {min(shares):.0%} to {max(shares):.0%} of the visits, "
        f"in the median {np.median(shares):.0%}{rivals}. {span(simulations)} simulations, "
        f"seeds {span(seeds, '')}."
    )


def span(numbers, comma: str = ",") -> str:
    """Return the range of some numbers, such as "1,000 to 2,000", or the only one."""
    low, high = (f"{number:{comma}}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


# *by Experiments*
#
# The visits say what was looked at; the values say why. A value is the mean result of the
# simulations through a move, from −1 (all lost) to +1 (all won), for the side to move. Grey points
# were not searched at all.


# *by Experiments*
#
# At the end of the game, the report: the result, the numbered record, the final board with the
# number of its move on each stone, and a line for each move of the computer.


# by Experiments · the final board with the numbers of the moves
def number_stones(ax, game: Position, points) -> None:
    """Write 1, 2, 3 ... on the stones at those points."""
    cell = cell_size(ax, game.array.shape)
    for number, point in enumerate(points, 1):
        row, col = divmod(point, game.rules.size)
        ink = "white" if game.array[row, col] == BLACK else "black"
        place = {"ha": "center", "va": "center_baseline", "zorder": 6}
        ax.text(col, row, number, color=ink, fontsize=min(10, 0.42 * cell), **place)


def draw_record(ax, game: Game) -> None:
    """Draw a position with the number of its move on each stone."""
    draw_board(ax, game.array)
    number_stones(ax, game, game.played)
    cell = cell_size(ax, game.array.shape)
    if game.five:  # the winning line as a frame around each of its stones
        row, col = np.divmod(game.five, game.rules.size)
        frame = {"facecolor": "none", "edgecolor": "tab:red", "zorder": 5}
        ax.scatter(col, row, s=(0.95 * cell) ** 2, marker="s", linewidth=2, **frame)


# by Experiments · one line for each move of the computer
def move_table(game: Game, thoughts: dict):
    """Return a pandas table of {ply: Thought}: what was played, and what the search says.

    The two may differ where a stored game is searched again with fewer simulations.
    """
    import pandas as pd

    rows = [
        {
            "move": ply + 1,
            "played": game.moves[ply],
            "search prefers": thought.name,
            "why": thought.why,
            "simulations": thought.simulations,
            "visits of it": int(thought.visits.flat[thought.move]),
            "value": None if math.isnan(thought.value) else round(thought.value, 3),
            "seconds": round(thought.seconds, 2),
        }
        for ply, thought in sorted(thoughts.items())
    ]
    evidence = ["simulations", "visits of it", "value", "seconds"]
    names = ["move", "played", "search prefers", "why", *evidence]
    return pd.DataFrame(rows, columns=names).set_index("move")


# *by Interface*
#
# ### The game once more, move by move
#
# A replay is one piece of a page: a board with a slider, the list of moves, the shares of the visits
# under the stones, and the result that the computer expected. It needs no running Python and no network, so
# it works in the exported page as well. Where scripts are off, and on paper, the last position, the
# record and a sheet of small boards stand in its place.
#
# A player and a drawing make it up, and neither knows the other. The player knows frames: what each
# is called, what is said of it, what result it promises. The drawing is a list of parts, shapes with a
# place and with the first and the last frame that shows them: a stone appears with its move and stays,
# a die would be seen in one frame only. Another game needs only frames, shapes and parts of its own.


# by Interface · what a replay is made of: frames, and shapes that come and go
import html
import itertools
import json


class Frame(NamedTuple):
    """A moment of a replay; frame 0 is the start, and every move makes the next one."""

    move: str  # its name in the list of moves
    who: str  # who moved
    lines: tuple[str, ...] = ()  # what is said of it
    value: float | None = None  # the expected result, -1 to +1; None where nobody knows


class Part(NamedTuple):
    """A shape at a place, and when it is seen. Later parts lie over earlier ones."""

    shape: str  # its name among the shapes of the drawing, and the class of its text
    x: float = 0
    y: float = 0
    first: int = 0  # the first frame that shows it
    last: int | None = None  # the last one, included; None: it stays to the end
    text: str = ""  # written at the place

    def seen(self, frame: int) -> bool:
        """True if that frame shows the part."""
        return self.first <= frame and (self.last is None or frame <= self.last)


class Drawing(NamedTuple):
    """How a game is drawn at every frame. Its SVG and CSS are trusted, its texts are not."""

    box: tuple[float, float, float, float]  # x, y, width, height of the picture
    shapes: dict[str, str]  # {name: SVG}
    parts: list[Part]
    style: str = ""  # CSS of the shapes; what is new in a frame has the class "new"
    over: list[Part] = []  # seen over the last position, where it stands alone


class Shares(NamedTuple):
    """How a search was spent on the cells of a grid, each 10 units wide in the drawing."""

    share: np.ndarray  # float[rows, columns], row 0 at the bottom, whose middle is y = 0
    played: int  # the cell of the move, row * columns + column; its text has class on-<who>


# *by Interface*
#
# The board is drawn as in the figures: letters below, line 1 at the bottom, a small square on the last
# stone, a frame around each stone of the winning line.


# by Interface · the shapes of a board
STEP = 10  # units of the drawing from a line to the next


def place_of(point: int, rules: Rules) -> tuple[int, int]:
    """Return x and y of a point in the drawing: a1 at 0, 0, and y grows downwards."""
    row, col = divmod(point, rules.size)
    return STEP * col, -STEP * row


def board_shapes(rules: Rules) -> dict[str, str]:
    """Return the shapes of a board by name."""
    right, high = STEP * (rules.size - 1), STEP * (rules.height - 1)
    lines = [f"M0 {-y}h{right}" for y in range(0, high + 1, STEP)]
    lines += [f"M{x} 0v{-high}" for x in range(0, right + 1, STEP)]
    names = [(STEP * i, 8.5, "abcdefghijklmnopqrst"[i]) for i in range(rules.size)]
    names += [(-8.5, -STEP * i, i + 1) for i in range(rules.height)]
    texts = "".join(f"<text x='{x}' y='{y}'>{name}</text>" for x, y, name in names)
    stone = "<circle r='4.2'/><path class='mark' d='M-1 0h2'/>"
    return {
        "grid": f"<path class='grid' d='{''.join(lines)}'/>{texts}",
        "black": stone,
        "white": f"<g class='white'>{stone}</g>",
        "five": "<path class='five' d='M-4.7-4.7h9.4v9.4h-9.4z'/>",
    }


BOARD_STYLE = """
text{font:3.6px system-ui,sans-serif;text-anchor:middle;dominant-baseline:central;fill:#444}
.grid{stroke:#b8b8b8;stroke-width:.25}
circle{stroke:#000;stroke-width:.35} .white circle{fill:#fff}
svg{--mark:none}
.mark{display:var(--mark);stroke:#fff;stroke-width:2} .white .mark{stroke:#000}
.new{--mark:inline} .shares .new{--mark:none}
.five{fill:none;stroke:#c62828}
.on-black,.on-white{font-size:3.3px;font-weight:600;fill:#fff} .on-white{fill:#000}
"""


# by Interface · the drawing of a game
def draw_game(game: Game) -> Drawing:
    """Return how a game is drawn, from frame 0, its start, to its last move."""
    rules, start = game.rules, position_at(game, 0)
    parts, numbers = [Part("grid")], []
    for point in np.flatnonzero(start.array).tolist():
        colour = COLOUR[int(start.array.flat[point])]
        parts.append(Part(colour, *place_of(point, rules)))
    for frame, point in enumerate(game.played, 1):
        colour = COLOUR[start.to_move * (1 if frame % 2 else -1)]
        parts.append(Part(colour, *place_of(point, rules), frame))
        numbers.append(Part(f"on-{colour}", *place_of(point, rules), text=str(frame)))
    for point in game.five:
        parts.append(Part("five", *place_of(point, rules), len(game.played)))
    box = -12, 4 - STEP * rules.height, STEP * rules.size + 8, STEP * rules.height + 8
    return Drawing(box, board_shapes(rules), parts, BOARD_STYLE, numbers)


def visit_shares(game: Game, thoughts: dict) -> dict[int, Shares]:
    """Return {frame: Shares}: in the frame of a move, the search that chose it."""
    return {
        ply + 1: Shares(thought.visits / thought.visits.sum(), game.played[ply])
        for ply, thought in sorted(thoughts.items())
        if thought.visits.any()
    }


# by Interface · what is said of each move
def game_frames(game: Game, thoughts: dict, resigned: int = 0) -> list[Frame]:
    """Return a frame for the start and for each move; values are +1 where black wins."""
    now, over = position_at(game, 0), game.over or resigned
    frames = [Frame("start", "", (f"{COLOUR[now.to_move].capitalize()} to move.",))]
    for ply, point in enumerate(game.played):
        side, lines, value = now.to_move, [], None
        if (thought := thoughts.get(ply)) is not None:
            lines = search_lines(now, thought, point)
            value = expected(now, thought)
        name = point_name(point, game.rules.size)
        frames.append(Frame(name, COLOUR[side], tuple(lines), value))
        now.play(point)
    end = f"{result_text(game, resigned).capitalize()}."
    if not over:
        end = f"Unfinished, {COLOUR[game.to_move]} to move."
    value = (game.winner or -resigned) if over and thoughts else frames[-1].value
    lines = (*frames[-1].lines, end) if game.played else (end,)
    frames[-1] = frames[-1]._replace(lines=lines, value=value)
    return frames


def expected(game: Game, thought: Thought) -> float | None:
    """Return the result that a thought expects or has proved, +1 where black wins."""
    value = thought.value if thought.proven is None else thought.proven
    return None if math.isnan(value) else round(game.to_move * value, 2) + 0.0  # not -0.0


def search_lines(game: Game, thought: Thought, played: int) -> list[str]:
    """Return how the move of a position was found: reason, simulations, line, verdict."""
    reason, *lines = thought_lines(dataclasses.replace(thought, seconds=0.0), game)
    if thought.move == played:
        reason = reason.partition(": ")[2].capitalize()
    else:  # a search that was made again with fewer simulations
        reason = f"This search prefers {reason}"
    return [reason, *lines, *filter(None, [verdict(game, thought)])]


# *by Interface*
#
# What is seen without scripts is one picture: the last position with the number of its move on each
# stone, and around it small boards of earlier ones. It is an SVG inside an `img`, so nothing in it can
# clash with the page, and JupyterLab shows it even in a notebook that it does not trust. What the boards
# have in common is written once.


# by Interface · the picture for paper, and for pages without scripts
def still_picture(frames: list[Frame], drawing: Drawing) -> str:
    """Return an img: the last position, and up to 11 earlier ones, evenly spaced.

    The last one takes three columns and rows of four; small ones stand beside and below it.
    """
    last, (x, y, wide, high) = len(frames) - 1, drawing.box
    chosen, gap = evenly(range(last + 1), 13)[1:-1], wide / 10
    shared, boards = shared_parts([*chosen, last], drawing)
    boards[last] += "".join(part_svg(part, drawing.shapes) for part in drawing.over)
    right, down = wide + gap, high + 1.6 * gap  # from one small board to the next
    scale = (3 * wide + 2 * gap) / wide
    places = [(3, 0), (3, 1), (3, 2), *((col, row) for row in (3, 4) for col in range(4))]
    picture = shared + board_svg(boards[last], (0, 0), scale, drawing.box)
    for frame, (col, row) in zip(chosen, places, strict=False):
        name = f"{frame}: {html.escape(frames[frame].move)}"
        label = (
            f"<text class='of' x='{x + wide / 2:g}' y='{y + high + gap / 2:g}'>{name}</text>"
        )
        picture += board_svg(boards[frame] + label, (col * right, row * down), 1, drawing.box)
    rows = 1 + max((row for _, row in places[: len(chosen)]), default=0)
    box = (4 if chosen else 3) * right - gap, max(3, rows) * down
    style = f"{drawing.style}.of{{font-size:{0.8 * gap:g}px;fill:#222}}"
    names = ", ".join(f"{frame} {frames[frame].move}" for frame in chosen)
    alt = "The last position" + (
        f", and the positions after moves {names}." if chosen else "."
    )
    return svg_image(picture, box, style, alt)


def board_svg(svg: str, place: tuple[float, float], scale: float, box) -> str:
    """Return a board in a larger picture, at x and y."""
    where = f"{place[0] - scale * box[0]:g} {place[1] - scale * box[1]:g}"
    return f"<g transform='translate({where}) scale({scale:.5g})'>{svg}</g>"


def svg_image(svg: str, box: tuple[float, float], style: str, alt: str, width=560) -> str:
    """Return an img, at most `width` CSS pixels wide, that holds an SVG on white paper."""
    head = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {:g} {:g}'>".format(*box)
    paper = "<rect width='100%' height='100%' fill='#fff'/>"
    data = f"{head}<style>{style}</style>{paper}{svg}</svg>".encode()
    return (
        f'<img src="data:image/svg+xml;base64,{base64.b64encode(data).decode()}" '
        f'alt="{html.escape(alt)}" width="{width}" height="{round(width * box[1] / box[0])}" '
        'style="max-width: 100%; height: auto">'
    )


# by Interface · small boards that share what they have in common
def shared_parts(chosen: list[int], drawing: Drawing) -> tuple[str, dict[int, str]]:
    """Return what the boards of some frames share, as SVG, and {frame: SVG} that uses it.

    What is new in a frame has the class "new", but not in the last of them.
    """
    shapes, boards, groups = drawing.shapes, dict.fromkeys(chosen, ""), ""

    def where(part):
        """The frame that begins with the part, or False, and the frames that show it."""
        return part.first in boards and part.first, [f for f in boards if part.seen(f)]

    for number, ((new, seen), parts) in enumerate(itertools.groupby(drawing.parts, where)):
        if seen:
            svg = "".join(part_svg(part, shapes) for part in parts)
            groups += f"<g id='g{number}'>{svg}</g>"
        for frame in seen:
            mark = " class='new'" if 0 < new == frame < chosen[-1] else ""
            boards[frame] += f"<use href='#g{number}'{mark}/>"
    named = "".join(f"<g id='{name}'>{svg}</g>" for name, svg in shapes.items())
    return f"<defs>{named}{groups}</defs>", boards


def part_svg(part: Part, shapes: dict[str, str]) -> str:
    """Return a part as SVG; a name without a shape is only the class of the text."""
    place = f" x='{part.x:g}' y='{part.y:g}'" if part.x or part.y else ""
    shape = f"<use href='#{part.shape}'{place}/>" if part.shape in shapes else ""
    text = f"<text class='{part.shape}'{place}>{html.escape(part.text)}</text>"
    return shape + (text if part.text else "")


# *by Interface*
#
# The shares are the largest part of the data, so they are written short: in whole per cents, and a
# letter for how many cells are skipped.


# by Interface · shares of the visits, written short
SHADES = {  # the least share of each shade in per cent, and its colour, as in the figures
    1: "#deebf7", 2: "#c6dbef", 5: "#9ecae1", 10: "#6baed6", 20: "#4292c6", 40: "#2171b5",
    70: "#084594",
}  # fmt: skip
SHADE_STYLE = ".percent{font-size:2.9px;font-weight:600;paint-order:stroke}" + "".join(
    f".s{i}{{fill:{colour}}}.t{i}{{stroke:{colour};fill:{'#fff' if least >= 40 else '#000'}}}"
    for i, (least, colour) in enumerate(SHADES.items())
)


def shares_text(share: np.ndarray) -> str:
    """Return shares as text: "12c3" is 12 %, three cells of less than a half, and 3 %.

    A letter skips as many cells as its place in the alphabet; spaces divide numbers.
    """
    text = ""
    for blank, run in itertools.groupby(
        np.rint(100 * share).astype(int).flat, lambda n: n == 0
    ):
        numbers = list(run)
        if blank:
            full, rest = divmod(len(numbers), 26)
            text += "z" * full + "abcdefghijklmnopqrstuvwxyz"[rest - 1 : rest]
        else:
            text += " ".join(map(str, numbers))
    return text


# *by Interface*
#
# The player itself is markup, style and a script. They live in a *shadow root*, a part of the page whose
# styles and names stay inside it, so two replays on one page leave each other alone.


# by Interface · the player: its markup
def replay_button(name: str, says: str, path: str) -> str:
    """Return a button with a picture."""
    picture = f"<svg viewBox='0 0 16 16' aria-hidden='true'><path d='{path}'/></svg>"
    return f"<button class='{name}' aria-label='{says}' title='{says}'>{picture}</button>"


REPLAY_BUTTONS = (
    replay_button("first", "First position", "M4 3v10M12 3L7 8l5 5")
    + replay_button("back", "Back", "M10 3L5 8l5 5")
    + replay_button("play", "Play", "M5 3v10l8-5z")
    + replay_button("forth", "Forward", "M6 3l5 5-5 5")
    + replay_button("last", "Last position", "M4 3l5 5-5 5M12 3v10")
)
REPLAY_PAGE = f"""
<div class="player" role="group" tabindex="-1">
<div class="left">
<svg class="board" role="img"><title>Position</title><desc></desc>
<g class="cells"></g><g class="parts"></g><g class="percents"></g></svg>
<input class="slider" type="range" min="0" aria-label="Move">
<div class="row">{REPLAY_BUTTONS}</div>
<div class="row switch">
<label><input type="checkbox" checked> Share of the visits</label>
<svg class="key" role="img"><title>A darker cell took a larger share</title></svg>
</div>
</div>
<div class="right">
<div class="says"></div>
<div class="curve">
<p>Expected result</p>
<div class="scale" aria-hidden="true"><span></span><span>0</span><span></span></div>
<svg role="img" preserveAspectRatio="none"><title></title><path class="edges"/>
<path class="line"/><path class="dots"/><path class="now" d="M0-1.2v2.4"/></svg>
</div>
<ol class="moves" aria-label="Moves"></ol>
<p class="row"><button class="all" aria-expanded="false">Sheet of positions</button></p>
</div>
</div>
<div class="still"><slot></slot></div>
"""


# by Interface · the player: its look, in the colours of the page around it
REPLAY_STYLE = """
:host{display:block;--strong:var(--link,var(--jp-content-link-color,currentColor));
--edge:color-mix(in srgb,currentColor 45%,transparent)}
.player{display:flex;flex-wrap:wrap;gap:1rem 1.8rem;padding:4px;line-height:1.4;outline:0}
.left{flex:1 1 17rem;max-width:27rem;min-width:0}
.right{flex:1 1 15rem;min-width:0}
.board{display:block;width:100%;max-height:34rem;background:#fff;border-radius:5px}
.slider{display:block;width:100%;box-sizing:border-box;margin:.6rem 0;
accent-color:var(--strong)}
.row{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center;margin:.6rem 0}
.switch{column-gap:.9rem} .switch input{accent-color:var(--strong);margin:0 .2rem 0 0}
.key{width:17.5rem;max-width:100%} .key rect{stroke:currentColor;stroke-width:.4}
.key text{fill:currentColor;font-size:9px;text-anchor:start}
button{font:inherit;color:inherit;background:none;border:1px solid var(--edge);
border-radius:5px;cursor:pointer;padding:.3rem .7rem}
button:hover{background:color-mix(in srgb,currentColor 10%,transparent)}
button svg{display:block;width:1.3rem;height:1.3rem;fill:none;stroke:currentColor;
stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.play svg{fill:currentColor}
:focus-visible{outline:3px solid var(--strong);outline-offset:2px}
p{margin:0} .says{min-height:8.4em} .says p:first-child{font-weight:600;font-size:1.1em}
.curve{display:grid;grid-template-columns:auto 1fr;gap:.1rem .5rem;margin:.6rem 0}
.curve p{grid-column:1/-1;font-size:.85rem}
.scale{display:flex;flex-direction:column;justify-content:space-between;font-size:.75rem;
line-height:1.2}
.curve svg{width:100%;height:5.5rem;cursor:pointer}
.curve path{fill:none;stroke:currentColor;vector-effect:non-scaling-stroke}
.curve .edges{stroke:var(--edge)}
.curve .line{stroke:var(--strong);stroke-width:1.6px}
.curve .dots{stroke:var(--strong);stroke-width:5px;stroke-linecap:round}
.curve .now{stroke-width:2px;stroke-dasharray:4 2}
.moves{position:relative;display:grid;grid-template-columns:repeat(auto-fill,minmax(5rem,1fr));
gap:.1rem;margin:.6rem 0;padding:.2rem;list-style:none;max-height:11rem;overflow-y:auto;
border:1px solid var(--edge);border-radius:5px}
.moves button{width:100%;border-color:transparent;padding:.15rem .3rem;text-align:left;
white-space:nowrap;font-variant-numeric:tabular-nums;font-size:.9rem}
.moves [aria-current]{border-color:currentColor;font-weight:700}
.still{display:none;margin-top:1rem} .still.open{display:block}
@keyframes come{from{opacity:0}}
@media (prefers-reduced-motion:no-preference){.board g g{animation:come .15s}}
@media print{.player{display:none} .still{display:block}}
"""


# *by Interface*
#
# The script has three parts: it builds the player from the data, shows a frame, and answers clicks and
# keys.


# by Interface · the player: built from its data
REPLAY_BUILD = r"""
const figure = document.currentScript.closest("figure"), host = figure.querySelector("div");
const data = JSON.parse(figure.querySelector("script").textContent);
const root = host.attachShadow({mode: "open"}), last = data.frames.length - 1;
root.innerHTML = data.page;
const find = name => root.querySelector(name);
const board = find(".board"), slider = find(".slider"), says = find(".says");
find(".player").ariaLabel = data.title;
board.setAttribute("viewBox", data.box.join(" "));
slider.max = last;

// A group for each part of the picture; show() decides which of them are seen.
find(".parts").innerHTML = data.parts.map(([shape, x, y, , , text]) =>
  `<g transform="translate(${x} ${y})">${data.shapes[shape] ?? ""}` +
  (text ? `<text class="${shape}">${text}</text></g>` : "</g>")).join("");
const parts = [...find(".parts").children];

// A button for each move. Only one of them is a stop of the Tab key.
const moves = data.frames.slice(1).map(([move, who], i) => {
  const item = find(".moves").appendChild(document.createElement("li"));
  const button = item.appendChild(document.createElement("button"));
  button.textContent = [i + 1, data.marks[who] ?? who, move].filter(x => x !== "").join(" ");
  button.onclick = () => go(i + 1);
  return button;
});
if (!moves.length) find(".moves").remove();

// {frame: [[cell, per cent], ...]}; a letter skips cells, a number is a cell.
const shares = Object.fromEntries(Object.entries(data.shares).map(([frame, [text]]) => {
  const found = [];
  let cell = 0;
  for (const [piece] of text.matchAll(/[a-z]|\d+/g))
    if (piece >= "a") cell += piece.charCodeAt() - 96;
    else found.push([cell++, Number(piece)]);
  return [frame, found];
}));
const shade = share => data.shades.filter(least => least <= share).length - 1;
const heat = find(".switch input"), key = find(".key");
key.setAttribute("viewBox", `0 0 ${40 * data.shades.length} 20`);
key.innerHTML += data.shades.map((least, i) => `<rect class="s${i}" x="${40 * i}" y="5"
  width="10" height="10"/><text x="${40 * i + 12}" y="10">${least}%</text>`).join("");
if (!Object.keys(shares).length) find(".switch").remove();

// The curve: one unit to the right is one frame; +1 is above.
const curve = find(".curve svg"), [good, bad] = data.sides;
const points = data.frames.map(([, , , value], i) => [i, value])
  .filter(([, value]) => value !== null).map(([i, value]) => `${i} ${-value}`);
const draw = (name, d) => curve.querySelector(name).setAttribute("d", d);
curve.setAttribute("viewBox", `-.5 -1.2 ${last + 1} 2.4`);
curve.querySelector("title").textContent = `Expected result by move: +1 ${good}, −1 ${bad}`;
draw(".edges", [-1, 0, 1].map(y => `M-.5 ${y}h${last + 1}`).join(""));
draw(".dots", points.map(point => `M${point}h0`).join(""));
if (points.length) draw(".line", "M" + points.join("L"));
else find(".curve").remove();
const [high, , low] = curve.previousElementSibling.children;
[high.textContent, low.textContent] = [`+1 ${good}`, `−1 ${bad}`];
"""


# by Interface · the player: a frame is shown
REPLAY_SHOW = r"""
let now = last, timer = 0;

function show(frame) {
  now = Math.max(0, Math.min(last, frame));
  data.parts.forEach(([, , , first, end], i) => {
    parts[i].style.display = first <= now && now <= (end ?? last) ? "" : "none";
    parts[i].classList.toggle("new", now > 0 && first === now);
  });
  const [move, who, lines] = data.frames[now];
  showShares(who);
  const name = now ? `Move ${now} of ${last}: ${move}, ${who}` : "Start";
  says.replaceChildren(...[name, ...lines].map(line => {
    const text = document.createElement("p");
    text.textContent = line;
    return text;
  }));
  const played = data.frames.slice(1, now + 1).map(([move]) => move).join(" ");
  board.querySelector("desc").textContent = `${name}. ${played}`;
  slider.value = now;
  slider.setAttribute("aria-valuetext", name);
  curve.querySelector(".now").setAttribute("transform", `translate(${now})`);
  showMove();
}

// The three largest shares are written, and that of the move on its stone.
function showShares(who) {
  const found = heat.checked && shares[now] || [], played = data.shares[now]?.[1];
  const place = cell => [cell % data.columns * 10, -Math.floor(cell / data.columns) * 10];
  const write = (cell, look, text) => `<text class="percent ${look}"
    transform="translate(${place(cell)})">${text}</text>`;
  find(".cells").innerHTML = found.map(([cell, share]) => `<path class="s${shade(share)}"
    transform="translate(${place(cell)})" d="M-5-5h10v10h-10z"/>`).join("");
  const most = [...found].sort(([, a], [, b]) => b - a).slice(0, 3);
  const own = found.find(([cell]) => cell === played)?.[1];
  const look = "on-" + who.replace(/\W/g, "");
  find(".percents").innerHTML = most.filter(([cell]) => cell !== played)
    .map(([cell, share]) => write(cell, "t" + shade(share), share + "%")).join("")
    + (found.length ? write(played, look, own ? own + "%" : "&lt;1%") : "");
  board.classList.toggle("shares", found.length > 0);
}

function showMove() {
  const inside = moves.includes(root.activeElement), button = moves[Math.max(0, now - 1)];
  for (const other of moves) {
    other.tabIndex = other === button ? 0 : -1;
    other.ariaCurrent = now && other === button ? "step" : null;
  }
  const list = button?.closest("ol");
  if (list) list.scrollTop = button.offsetTop - list.clientHeight / 2;
  if (inside) button.focus({preventScroll: true});
}
"""


# by Interface · the player: clicks and keys are answered
REPLAY_ACT = r"""
// While it plays nothing is announced: who listens could not keep up.
function play(on) {
  clearInterval(timer);
  const step = () => host.isConnected && now < last ? show(now + 1) : play(false);
  timer = on ? setInterval(step, 900) : 0;
  find(".play").ariaLabel = find(".play").title = on ? "Pause" : "Play";
  find(".play path").setAttribute("d", on ? "M4 3h2v10h-2zM10 3h2v10h-2z" : "M5 3v10l8-5z");
  says.ariaLive = on ? "off" : "polite";
  if (on && now === last) show(0);
}

function go(frame) {
  play(false);
  show(frame);
}

const steps = {first: () => 0, back: () => now - 1, forth: () => now + 1, last: () => last};
const keys = {Home: "first", ArrowLeft: "back", ArrowRight: "forth", End: "last"};
for (const name in steps) find("." + name).onclick = () => go(steps[name]());
find(".play").onclick = () => play(!timer);
slider.oninput = () => go(Number(slider.value));
heat.onchange = () => show(now);
find(".all").onclick = ({target}) => {
  target.ariaExpanded = find(".still").classList.toggle("open");
};
curve.onclick = event => {
  const {left, width} = curve.getBoundingClientRect();
  go(Math.round((event.clientX - left) / width * (last + 1) - 0.5));
};
find(".player").onkeydown = event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (keys[event.key]) go(steps[keys[event.key]]());
  else if (event.key === " " && !event.target.matches("button, [type=checkbox]")) play(!timer);
  else return;
  event.preventDefault();
};
play(false);
show(last);
"""


# by Interface · the replay as one piece of a page
class Replay:
    """What a notebook displays: `html` for pages, and the record in words for all others."""

    def __init__(self, page: str, words: str):
        self.html, self.words = page, words

    def __str__(self) -> str:
        return self.words

    def _repr_mimebundle_(self, **_) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": self.words}


def replay_piece(
    title: str,
    frames: list[Frame],
    drawing: Drawing,
    shares: dict[int, Shares] | None = None,
    marks: dict[str, str] | None = None,
    sides: tuple[str, str] = ("", ""),
) -> Replay:
    """Return a player of frames, whatever game they show.

    frames    the start and every move, at least one
    drawing   the picture; the player only shows and hides its parts
    shares    {frame: Shares} of the searches, or None
    marks     {who: sign} for the list of moves, such as {"red": "R"}; None: the names
    sides     what the values +1 and -1 of the frames mean
    The same arguments give the same text. It has no ids and no global names, so many
    replays may stand on one page. Raises ValueError for a frame that does not exist.
    """
    shares, marks = shares or {}, marks or {}
    check_frames(frames, drawing, shares)
    moves = [f"{marks.get(frame.who, frame.who)} {frame.move}".strip() for frame in frames[1:]]
    record = [f"{number}. {move}".replace(" ", "\xa0") for number, move in enumerate(moves, 1)]
    end = frames[-1].lines[-1:]
    data = {
        "title": title,
        "frames": frames,
        "box": drawing.box,
        "shapes": drawing.shapes,
        "parts": [part_data(part) for part in drawing.parts],
        "shares": {k: [shares_text(each.share), each.played] for k, each in shares.items()},
        "columns": max((each.share.shape[1] for each in shares.values()), default=0),
        "shades": list(SHADES),
        "marks": marks,
        "sides": sides,
        "page": f"<style>{REPLAY_STYLE}{drawing.style}{SHADE_STYLE}</style>{REPLAY_PAGE}",
    }
    lines = [" ".join(record), *end] if record else end
    page = replay_html(
        data, still_picture(frames, drawing), "<br>".join(map(html.escape, lines))
    )
    return Replay(page, "\n".join([title, *(textwrap.fill(line, 92) for line in lines)]))


# by Interface · the replay as text
def replay_html(data: dict, picture: str, record: str) -> str:
    """Return the HTML of a replay: what is seen without scripts, the data, the script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("</", "<\\/").replace("<!--", "<\\u0021--")  # ends no script
    return f"""<figure class="five-replay" style="margin: 1em 0">
<figcaption style="margin: 0 0 0.4em; text-align: left; break-after: avoid">
<b>{html.escape(data["title"])}</b></figcaption>
<div data-lm-suppress-shortcuts="true">
<p>{picture}</p>
<p>{record}</p>
</div>
<script type="application/json">{text}</script>
<script>(() => {{{REPLAY_BUILD}{REPLAY_SHOW}{REPLAY_ACT}}})();</script>
</figure>"""


def part_data(part: Part) -> list:
    """Return a part as the player reads it, without what is left out at its end."""
    data = [*part[:-1], html.escape(part.text)]
    while data[-1] in (None, ""):
        data.pop()
    return data


def check_frames(frames: list[Frame], drawing: Drawing, shares: dict[int, Shares]) -> None:
    """Raise ValueError unless there is a frame, and all that is shown belongs to frames."""
    if not frames or not all(isinstance(frame, Frame) for frame in frames):
        raise ValueError("frames must be a list with at least one Frame")
    last = len(frames) - 1
    for number, frame in enumerate(frames):
        if frame.value is not None and not -1 <= frame.value <= 1:
            raise ValueError(f"frame {number}: a value is -1 to +1 or None, not {frame.value}")
    for part in [*drawing.parts, *drawing.over]:
        if not re.fullmatch(r"[A-Za-z][\w-]*", part.shape) or re.fullmatch(
            r"g\d+", part.shape
        ):
            raise ValueError(
                f"the name {part.shape!r} of a shape: letters, digits, - and _ do"
            )
    for part in drawing.parts:
        end = last if part.last is None else part.last
        if not 0 <= part.first <= end <= last:
            raise ValueError(
                f"the shape {part.shape!r} is seen from frame {part.first} to {end}, "
                f"but the frames are 0 to {last}"
            )
    if wrong := [frame for frame in shares if not 0 < frame <= last]:
        raise ValueError(f"shares of frame {wrong[0]}, but the moves are frames 1 to {last}")
    if len({each.share.shape for each in shares.values()}) > 1:
        raise ValueError("the shares of all frames must have one shape")
    if wrong := [n for n, each in shares.items() if not 0 <= each.played < each.share.size]:
        raise ValueError(
            f"shares of frame {wrong[0]}: there is no cell {shares[wrong[0]].played}"
        )


# by Interface · the replay of a game
def replay(
    game: Game, thoughts: dict | None = None, title: str | None = None, resigned: int = 0
) -> Replay:
    """Return the replay of a game, finished or not, of any Rules.

    thoughts   {ply: Thought}, as the Play cell records them; None or {} for none
    title      the heading; None: board, number of moves and result
    resigned   the colour that has given up, +1 or -1, or 0
    Raises ValueError for anything else, and for thoughts that belong to another game.
    """
    if not isinstance(game, Game):
        raise ValueError(f"replay needs a Game, not {game!r:.60}")
    if resigned not in (BLACK, WHITE, 0):
        raise ValueError(f"resigned must be +1 (black), -1 (white) or 0, not {resigned!r}")
    thoughts = check_thoughts(game, {} if thoughts is None else thoughts)
    rules, moves = game.rules, count_moves(len(game.played))
    if title is None:
        title = f"{rules.size}×{rules.height}, {moves}: {result_text(game, resigned)}"
    frames, shares = game_frames(game, thoughts, resigned), visit_shares(game, thoughts)
    marks, sides = {"black": "", "white": ""}, ("black wins", "white wins")
    return replay_piece(str(title), frames, draw_game(game), shares, marks, sides)


def check_thoughts(game: Game, thoughts: dict) -> dict:
    """Return {ply: Thought} if it fits the game; ValueError says what does not."""
    if not isinstance(thoughts, dict):
        raise ValueError(f"thoughts must be a dict of ply and Thought, not {thoughts!r:.60}")
    for ply, thought in thoughts.items():
        if not is_whole(ply) or not 0 <= ply < len(game.played):
            last = len(game.played) - 1
            plies = f"its plies are 0 to {last}" if game.played else "it has no moves"
            raise ValueError(f"there is no ply {ply!r} in this game: {plies}")
        if not isinstance(thought, Thought):
            raise ValueError(f"thoughts[{ply}] must be a Thought, not {thought!r:.60}")
        before = position_at(game, ply)
        taken = before.array != 0
        if thought.visits.shape != taken.shape:
            raise ValueError(f"thoughts[{ply}] is about a board of another size")
        if before.why_illegal(thought.move) or thought.visits[taken].any():
            raise ValueError(
                f"thoughts[{ply}] belongs to another game: it plays where a stone is"
            )
    return dict(thoughts)


# *by Interface*
#
# Here is the game that the Play cell has recorded. Drag the slider, click on a move or on the curve, or
# use the arrow keys, Home, End and the space bar. Under the stones lies the search that chose the
# move on view; the move itself wears its share of the visits.


# *by Experiments*
#
# ### More simulations
#
# From here on the figures search fixed positions. The first one is on 15×15: black has two stones,
# white has two beside them, black is to move. The upper row is the engine, the lower row plain search;
# each is one search, read at five moments. A board shows the shares of its own visits, all on one
# scale, so the boards can be compared.


# by Experiments · one search, read again and again
def growing(game: Game, counts, kernels=None, options: SearchOptions = SearchOptions()):
    """Yield (simulations, Tree, Thought) of one search at each of the rising counts.

    kernels   the game as the search knows it: the engine's unless given
    """
    kernels = kernels or kernels_for(game.rules)
    tree = Tree(game, kernels, options, Budget(simulations=counts[-1]).records())
    done = 0
    for count in counts:
        done += tree.run(count - done)
        yield count, tree, read_tree(tree, done, 0.0)


PLAIN = SearchOptions(solve=False)  # plain search proves nothing


# by Experiments · the visits of one position under several searches
def compare_visits(game: Game, thoughts: dict, across: int = 5):
    """Return a figure with a board of visits for each {title: Thought}, on one scale.

    across   boards in a row; colours go by the square root, so that small shares are seen
    """
    across = min(across, len(thoughts))
    down = -(-len(thoughts) // across)
    wide = min(2.9, 10.4 / across)
    figure = new_figure(wide * max(2, across), (wide + 0.1) * down + 0.8)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for ax, (title, thought) in zip(axes, thoughts.items(), strict=False):
        roots = np.sqrt(thought.visits / max(1, thought.visits.sum()))
        image = draw_visits(ax, game, roots, 1, lambda root: percent(root**2))
        ax.set_title(title, fontsize=9, pad=3)
    for ax in axes[len(thoughts) :]:
        ax.set_visible(False)
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=40)
    ticks = (0, 0.01, 0.05, 0.2, 0.5, 1)
    bar.set_ticks(np.sqrt(ticks), labels=[f"{tick:.0%}" for tick in ticks], fontsize=8)
    bar.set_label("share of the visits", fontsize=9)
    return figure


def compare_words(thoughts: dict) -> str:
    """Return the two most visited moves of each search with their shares, in words."""
    parts = []
    for title, thought in thoughts.items():
        total = max(1, thought.visits.sum())
        leaders = ", ".join(f"{name} {n / total:.0%}" for name, n, _, _ in thought.top(2))
        parts.append(f"{title}: {leaders}")
    return "; ".join(parts)


# *by Experiments*
#
# ### The line it expects
#
# From the root the most visited child of the most visited child, and so on, is the **principal
# variation**: what the search expects both sides to play. Each ply has fewer visits than the one
# before, so its end is little more than a guess.


# by Experiments · the expected line on the board, and what it rests on
def line_nodes(tree: Tree) -> list[Node]:
    """Return the nodes of the most visited line, the root's child first."""
    nodes, node = [], tree.root.best()
    while node is not None:
        nodes.append(node)
        node = node.best()
    return nodes


def line_figure(game: Game, nodes: list[Node], most: int = 12):
    """Return a figure: the line as numbered stones, and the visits of each ply."""
    after = game.copy()
    for node in nodes[:most]:
        after.play(node.point)
    figure = new_figure(9.6, 4.3)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))
    draw_board(left, after.array, five=after.five)
    number_stones(left, after, after.played[len(game.played) :])
    plies = range(1, len(nodes) + 1)
    right.semilogy(plies, [node.N for node in nodes], "o-", color="tab:blue", markersize=4)
    right.set(xlabel="ply of the expected line", ylabel="visits N (simulations)")
    right.grid(color="0.9")
    right.spines[["top", "right"]].set_visible(False)
    return figure


# *by Experiments*
#
# ### How sure is a value?
#
# A value is a mean of $n$ results, and a mean has a **standard error**. If the results were
# independent, each a win with chance $Q$, it would be
#
# $$\text{standard error} = \sqrt{\frac{Q\,(1 - Q)}{n}}$$
#
# so the move with four times the visits is known twice as well. They are not quite independent: the
# search changes what it samples as it learns. So the figure checks the formula. It draws each move's
# value with twice its standard error on either side, and beside it, as grey dots, the values that
# other seeds give to the same move. Most dots lie lower. The moves stand here *because* this search
# liked them, so they carry its luck: the best of many estimates is an overestimate.


# by Experiments · values, their standard errors, and what other seeds say
def values_by_seed(game: Game, simulations: int, seeds) -> tuple[np.ndarray, np.ndarray]:
    """Return visits and Q of every move for each seed: int and float [seeds, points]."""
    visits = np.zeros((len(seeds), game.rules.points), np.int64)
    values = np.full(visits.shape, np.nan)
    for row, seed in enumerate(seeds):
        options = PLAIN._replace(seed=seed)
        *_, (_, tree, _) = growing(game, [simulations], plain_game(), options)
        for child in tree.root.children:
            visits[row, child.point], values[row, child.point] = child.N, child.Q
    return visits, values


def standard_error(Q, N):
    """Return the standard error of a mean of N independent results with mean Q in 0...1."""
    return np.sqrt(Q * (1 - Q) / N)


def sure_figure(game: Game, visits, values, points):
    """Return a figure: value and two standard errors of each point, and the other seeds."""
    figure = new_figure(9.6, 3.8)
    ax = figure.subplots()
    places = np.arange(len(points))
    for row in range(1, len(values)):
        ax.plot(places + 0.22, values[row, points], ".", color="0.6", markersize=4)
    error = 2 * standard_error(values[0, points], visits[0, points])
    ax.errorbar(places, values[0, points], error, fmt="o", capsize=4, color="tab:blue")
    names = [point_name(p, game.rules.size) for p in points]
    counts = [short_number(visits[0, p]) for p in points]
    ticks = [f"{name}\n{count}" for name, count in zip(names, counts, strict=True)]
    ax.set_xticks(places, ticks, fontsize=8)
    ax.set(xlabel="move, and its visits with the first seed", ylabel="Q = W/N, for black")
    ax.grid(axis="y", color="0.9")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


# *by Experiments*
#
# ### When the favourite settles
#
# How much of a search is spent on the move that is played in the end? Each curve is one search with
# a seed of its own, and shows the share of the visits that its final choice has had so far. A curve that
# rises late is a change of mind: something was found that only a deeper look could show, or two moves
# are so close that the lead passes slowly from one to the other.


# by Experiments · the share of the final choice, and when it took the lead
def shares_so_far(game: Game, counts, kernels, options) -> tuple[np.ndarray, int, str]:
    """Return the final choice's share at each count, the count from which it led, its name."""
    thoughts = [thought for _, _, thought in growing(game, counts, kernels, options)]
    final = thoughts[-1].move
    shares = [t.visits.flat[final] / max(1, t.visits.sum()) for t in thoughts]
    led = [t.visits.flat[final] == t.visits.max() for t in thoughts]
    first = len(led) - next((i for i, lead in enumerate(reversed(led)) if not lead), len(led))
    first = min(first, len(counts) - 1)  # a proven move need not lead in visits
    return np.array(shares), counts[first], point_name(final, game.rules.size)


def settle_figure(counts, searches: dict):
    """Return a figure with a panel for each {title: [(shares, led, name), ...]}."""
    figure = new_figure(9.6, 3.4)
    panels = figure.subplots(1, len(searches), sharey=True)
    for ax, (title, found) in zip(panels, searches.items(), strict=True):
        for shares, _, _ in found:
            ax.semilogx(counts, 100 * shares, color="tab:blue", alpha=0.7, linewidth=1.2)
        ax.set(title=title, xlabel="simulations", ylim=(0, 102))
        ax.grid(color="0.9")
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("share of the final choice, %")
    return figure


def settle_words(found) -> str:
    """Return which moves were chosen, and when the final choice took the lead, in words."""
    names = [name for _, _, name in found]
    tally = sorted({name: names.count(name) for name in names}.items(), key=lambda x: -x[1])
    chosen = ", ".join(f"{name} ({count})" for name, count in tally)
    return f"{chosen}; it leads for good after {np.median([n for _, n, _ in found]):,.0f}"


# *by Experiments*
#
# ### How deep the tree reaches
#
# A tree that grew evenly would add a level for each factor of about two hundred, the number of empty
# points on 15×15. Selection makes it grow unevenly: it is deep where a move looks good, and flat where it does not.
# The figure counts the nodes at each depth.


# by Experiments · how many visited nodes lie at each depth
def nodes_by_depth(tree: Tree) -> np.ndarray:
    """Return how many visited nodes lie 0, 1, 2 ... plies below the root, int64[depth + 1]."""
    level, widths = np.zeros(1, np.int64), []
    while level.size:
        widths.append(level.size)
        first, tried = tree.nodes["first"][level], tree.nodes["tried"][level].astype(np.int64)
        before = np.cumsum(tried) - tried  # children of the nodes to the left
        level = np.repeat(first - before, tried) + np.arange(tried.sum())
    return np.array(widths)


# by Experiments · the shape of a tree at several moments
def depth_figure(trees: dict):
    """Return a figure with a panel for each {title: {simulations: nodes by depth}}."""
    figure = new_figure(9.6, 3.5)
    panels = figure.subplots(1, len(trees), sharey=True, sharex=True)
    for ax, (title, widths) in zip(panels, trees.items(), strict=True):
        for shade, (count, nodes) in zip(
            np.linspace(0.35, 1, len(widths)), widths.items(), strict=True
        ):
            colour = (0.12, 0.35, 0.65, shade)
            ax.semilogy(nodes, ".-", color=colour, linewidth=1.5, label=f"{count:,}")
        ax.set(title=title, xlabel="plies below the root")
        ax.grid(color="0.9")
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("visited nodes")
    panels[-1].legend(title="simulations", fontsize=8, title_fontsize=8, frameon=False)
    return figure


def depth_words(widths: dict) -> str:
    """Return how deep each tree is, and at what depth its average node lies, in words."""
    parts = []
    for count, nodes in widths.items():
        mean = (nodes * np.arange(len(nodes))).sum() / nodes.sum()
        parts.append(f"{count:,} simulations reach depth {len(nodes) - 1} (mean {mean:.1f})")
    return ", ".join(parts)


# *by Experiments*
#
# ### The price of curiosity
#
# The constant $c$ of UCB weighs curiosity against what is known. With a small $c$ nearly all visits go
# to what looked good first; with a large one they spread over the board. The boards show plain
# search, each with the same number of simulations.


# *by Experiments*
#
# ### Node X, before and after
#
# Room 10 showed a position in which plain search overlooks the only two defences, room 13 showed that
# the engine finds one. Here are the visits side by side. Plain search spreads its visits; `classic`
# is cut to its candidates; the engine has dropped every move that loses to threats.


# *by Experiments*
#
# ## 17 · Does it play well, and how fast?
#
# A speed means little alone. So here are plain UCT and `classic` once more, in plain Python with
# objects and dicts, written the way one would write them first. They are used for comparison only.
# The first is plain UCT: every empty point is a child, playouts are random.


# by Experiments · the winner on a dict (row, column) -> colour
def plain_wins(board: dict, point: tuple, in_a_row: int) -> bool:
    """True if the stone on `point` is part of a winning line; looks at its four lines only."""
    row, col = point
    for d_row, d_col in DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while board.get((r, c)) == board[point]:
                length += 1
                r, c = r + sign * d_row, c + sign * d_col
        if length >= in_a_row:
            return True
    return False


# *by Experiments*
#
# A playout asks for the empty points, takes one at random, looks for a line, and goes on with the
# other side.


# by Experiments · a random game over a dict
def plain_empty(board: dict, rules: Rules) -> list[tuple]:
    """Return the empty points."""
    points = ((r, c) for r in range(rules.height) for c in range(rules.size))
    return [point for point in points if point not in board]


def plain_playout(board: dict, to_move: int, rules: Rules, chance: random.Random) -> int:
    """Finish the game by random moves among the empty points; return the winner or 0."""
    board = dict(board)
    while empty := plain_empty(board, rules):
        point = chance.choice(empty)
        board[point] = to_move
        if plain_wins(board, point, rules.in_a_row):
            return to_move
        to_move = -to_move
    return 0


# *by Experiments*
#
# How a baseline is written matters too. This variant does the same with less work: it lists the
# empty points once and shuffles the list.


# by Experiments · the same playout from one shuffled list
def shuffled_playout(board: dict, to_move: int, rules: Rules, chance: random.Random) -> int:
    """Do what plain_playout does, faster: list the empty points once and shuffle them."""
    board, empty = dict(board), plain_empty(board, rules)
    chance.shuffle(empty)
    for point in empty:
        board[point] = to_move
        if plain_wins(board, point, rules.in_a_row):
            return to_move
        to_move = -to_move
    return 0


# *by Experiments*
#
# Each node is an object with its own copy of the position, and knows its parent and its children.
# Its UCB is the formula of room 5, with the `n` and `m` of the course notebook.


# by Experiments · a node as an object
class PlainNode:
    """A node with its position, as the course notebook describes it."""

    def __init__(self, board: dict, player: int, move=None, parent=None, winner: int = 0):
        self.board, self.player, self.move, self.parent = board, player, move, parent
        self.winner = winner  # player moved into this node; did that win?
        self.children: list[PlainNode] = []
        self.n, self.m = 0, 0.0  # visits and reward

    def ucb(self, c: float) -> float:
        """The upper confidence bound, infinite for a node without visits."""
        if self.n == 0:
            return math.inf
        return self.m / self.n + c * math.sqrt(math.log(self.parent.n) / self.n)

    def expand(self, moves: list[tuple], rules: Rules) -> None:
        """Make a child for each of the moves."""
        for move in moves:
            board = dict(self.board)
            board[move] = -self.player
            winner = -self.player if plain_wins(board, move, rules.in_a_row) else 0
            self.children.append(PlainNode(board, -self.player, move, self, winner))


# *by Experiments*
#
# The loop is the one of room 9: down while nodes have been visited, a new node, a playout, and back
# up. The reward is 1, ½ or 0 for the player who moved into each node.


# by Experiments · the loop, over objects
def plain_select(node: PlainNode, c: float, chance: random.Random) -> PlainNode:
    """Return the child with the highest UCB, ties at random."""
    bounds = [child.ucb(c) for child in node.children]
    best = max(bounds)
    pairs = zip(node.children, bounds, strict=True)
    return chance.choice([child for child, bound in pairs if bound == best])


def plain_search(game: Position, moves_of, simulations: int, seed: int, playout=plain_playout):
    """Return the root of a tree after that many simulations, a PlainNode.

    moves_of   moves_of(board, to_move, rules, chance) lists the moves of a position
    """
    rules, chance, c = game.rules, random.Random(seed), SearchOptions().c_uct
    stones = {point: int(cell) for point, cell in np.ndenumerate(game.array) if cell}
    root = PlainNode(stones, -game.to_move)
    for _ in range(simulations):
        node = root
        while node.n and not node.winner and len(node.board) < rules.points:
            if not node.children:
                node.expand(moves_of(node.board, -node.player, rules, chance), rules)
            node = plain_select(node, c, chance)
        winner = node.winner or playout(node.board, -node.player, rules, chance)
        while node is not None:
            node.n += 1
            node.m += 1.0 if winner == node.player else 0.5 if winner == 0 else 0.0
            node = node.parent
    return root


# *by Experiments*
#
# Like every player, this one is a function of a game and a seed. `moves_of` says which moves a node
# gets: for plain UCT all empty points.


# by Experiments · the same player, in plain Python
def plain_player(moves_of, simulations: int):
    """Return a player that plays the most visited move of a plain search, ties at random."""

    def play(game: Game, seed: int | None = None) -> int:
        root = plain_search(game, moves_of, max(2, simulations), 0 if seed is None else seed)
        most = max(child.n for child in root.children)
        best = [child.move for child in root.children if child.n == most]
        row, col = random.Random(seed).choice(best)
        return row * game.rules.size + col

    return play


def every_move(board: dict, to_move: int, rules: Rules, chance: random.Random) -> list[tuple]:
    """Return the moves of plain UCT: all empty points."""
    return plain_empty(board, rules)


def plain_uct_plain(simulations: int):
    """Return a player: plain UCT in plain Python."""
    return plain_player(every_move, simulations)


# *by Experiments*
#
# The second is the course notebook's algorithm: shapes, scores, and the hard cut. Here the shapes
# are texts, with `1` for own stones and `0` for empty points, and they are looked for in the text
# of a line.


# by Experiments · shapes as text
PLAIN_SHAPES = (
    ("five", ("11111",)),
    ("open four", ("011110",)),
    ("four", ("01111", "11110")),
    ("open three", ("011100", "001110", "010110", "011010")),
    ("open two", ("011000", "010100", "001100", "000110", "001010", "010010")),
)


PLAIN_PLACES = [  # each pattern at each start where one of its stones is the middle one
    (name, pattern, 4 - place)
    for name, patterns in PLAIN_SHAPES
    for pattern in patterns
    for place in range(len(pattern))
    if pattern[place] == "1" and 0 <= 4 - place <= 9 - len(pattern)
]


def plain_shape(line: str) -> str | None:
    """Return the best shape in nine points that its middle stone is part of, or None."""
    for name, pattern, start in PLAIN_PLACES:
        if line.startswith(pattern, start):
            return name
    return None


# *by Experiments*
#
# That text is nine points long, with the move in the middle; `x` stands for the opponent's stones
# and for what lies beyond the edge.


# by Experiments · the nine points of a line as text
def plain_line(board: dict, point: tuple, step: tuple, colour: int, rules: Rules) -> str:
    """Return the nine points of a line as text, with a stone of that colour on `point`."""
    text = ""
    for i in range(-4, 5):
        r, c = point[0] + i * step[0], point[1] + i * step[1]
        if i == 0:
            text += "1"
        elif not (0 <= r < rules.height and 0 <= c < rules.size):
            text += "x"
        else:
            stone = board.get((r, c), 0)
            text += "0" if stone == 0 else "1" if stone == colour else "x"
    return text


# *by Experiments*
#
# The score of a point adds up the table of room 11, once for what the move makes and once for what
# it breaks.


# by Experiments · the course notebook's score
def plain_score(board: dict, point: tuple, to_move: int, rules: Rules) -> int:
    """Return the score of a point for the player to move, by the table of shapes."""
    score = 0
    for colour, worth in (
        (to_move, (1_000_000, 10_000, 5_000, 1_000, 100)),
        (-to_move, (20_000, 4_000, 3_000, 500, 10)),
    ):
        lines = [plain_line(board, point, step, colour, rules) for step in DIRECTIONS]
        found = [plain_shape(line) for line in lines]
        score += worth[0] * ("five" in found) + worth[1] * ("open four" in found)
        score += worth[2] * ("four" in found and "open three" in found)
        score += worth[3] * found.count("open three") + worth[4] * found.count("open two")
    return score


# *by Experiments*
#
# The candidates are the five best of the points near stones, or the best alone if it scores high
# enough. With them in the place of all moves the second player is complete.


# by Experiments · the course notebook's candidates
def plain_candidates(board: dict, to_move: int, rules: Rules, chance: random.Random) -> list:
    """Return the best five points near stones, or the best alone if it scores 2000 or more."""
    near = [
        (r, c)
        for r, c in plain_empty(board, rules)
        if any((r - row) ** 2 + (c - col) ** 2 <= 18 for row, col in board)
    ]
    if not near:
        middle = (rules.height // 2, rules.size // 2)
        return [middle] if middle not in board else plain_empty(board, rules)[:1]
    chance.shuffle(near)
    scores = {point: plain_score(board, point, to_move, rules) for point in near}
    best = sorted(near, key=scores.get, reverse=True)
    return best[:1] if scores[best[0]] >= 2000 else best[:5]


def classic_plain(simulations: int):
    """Return a player: the course notebook's algorithm in plain Python."""
    return plain_player(plain_candidates, simulations)


# *by Experiments*
#
# ### The benchmark
#
# Each contender runs for a short while, then the next, and so on for several rounds; a disturbance
# then hits all of them. What counts is the median over the rounds, of processor time on one core.
# Every compiled function has run once before, so compilation is not counted.


# *by Experiments*
#
# Each contender is a function that does so much work and says how much it was: simulations of a
# compiled search, simulations in plain Python, or playouts alone.


# by Experiments · who is timed, each as a function that returns (work done, bytes used)
def compiled_run(kernels: Kernels, options: SearchOptions, game: Game, simulations: int):
    """Return a function that makes that many simulations in a fresh tree."""
    search = compiled_search(kernels)

    def run(seed: int) -> tuple[int, int]:
        s, tree = new_search(kernels, game, seed), empty_tree(2 * simulations + 500)
        search(s, tree, options, simulations)
        return simulations, int(s.heap[0]) * NODE.itemsize

    return run


def plain_run(game: Game, moves_of, simulations: int, playout=plain_playout):
    """Return a function that makes that many simulations in plain Python."""

    def run(seed: int) -> tuple[int, int]:
        plain_search(game, moves_of, simulations, seed, playout)
        return simulations, 0

    return run


def rollout_run(game: Game, rollouts: int, compiled: bool):
    """Return a function that makes that many playouts, compiled or as Python reads them."""
    kernels = plain_game(game.rules.in_a_row)
    begin_it, roll = kernels.begin, kernels.rollout
    if not compiled:
        begin_it, roll = begin_it.py_func, roll.py_func

    def many(s, rollouts):
        for _ in range(rollouts):
            begin_it(s)
            roll(s)

    repeat = part(many) if compiled else many

    def run(seed: int) -> tuple[int, int]:
        s = new_search(kernels, game, seed)
        with np.errstate(over="ignore"):  # the random numbers overflow on purpose
            repeat(s, rollouts)
        return rollouts, 0

    return run


# *by Experiments*
#
# With $w$ units of work done in $t$ seconds, the rate of a round is $w / t$, and the table holds
# the median of the rounds.


# by Experiments · interleaved rounds, medians
def measure_rates(runs: dict, rounds: int = 5) -> dict:
    """Return {name: (work a second of processor time, bytes a unit of work)}, by medians.

    runs   {name: run}, where run(seed) returns (work done, bytes used)
    """
    rates: dict = {name: [] for name in runs}
    memory = {}
    for run in runs.values():
        run(0)  # compile, and warm up
    for turn in range(rounds):
        for name, run in runs.items():
            begun = time.process_time()
            done, used = run(turn + 1)
            rates[name].append(done / max(1e-9, time.process_time() - begun))
            memory[name] = used / done
    return {name: (float(np.median(rates[name])), memory[name]) for name in runs}


# *by Experiments*
#
# They all search the same position: two stones in the middle of an empty board. Those in plain
# Python are timed on the smaller boards only.


# by Experiments · all contenders
def speed_runs(simulations: int, plain_simulations: int, sizes=(8, 15, 20)) -> dict:
    """Return the contenders of the benchmark: {(what, board width): run}."""
    runs = {}
    everything = SearchOptions(solve=False)
    cut = SearchOptions(keep=5, widen=0, sure=2000, solve=False)
    for size in sizes:
        game = Game(Rules(size))
        for step in (0, -1):  # two stones in the middle, so that there are candidates
            game.play((size // 2, size // 2 + step))
        runs["plain UCT, compiled", size] = compiled_run(
            plain_game(5), everything, game, simulations
        )
        runs["engine", size] = compiled_run(engine_game(), SearchOptions(), game, simulations)
        runs["classic, compiled", size] = compiled_run(shaped_game(), cut, game, simulations)
        if size in sizes[:2]:
            few = plain_simulations
            runs["plain UCT, Python", size] = plain_run(game, every_move, few)
        if size == sizes[0]:
            runs["plain UCT, Python, shuffled", size] = plain_run(
                game, every_move, few, shuffled_playout
            )
            runs["classic, Python", size] = plain_run(game, plain_candidates, few)
            runs["playout, compiled", size] = rollout_run(game, simulations, True)
            runs["playout, its source", size] = rollout_run(game, few, False)
    return runs


# *by Experiments*
#
# The table sets each compiled contender beside its **twin**, the same algorithm in plain Python,
# and each board beside the first one.


# by Experiments · the speed table
TWINS = {
    "plain UCT, compiled": "plain UCT, Python",
    "classic, compiled": "classic, Python",
    "playout, compiled": "playout, its source",
}


def speed_table(simulations=100_000, plain_simulations=300, rounds=5, sizes=(8, 15, 20)):
    """Return the benchmark as a pandas table, one row a contender and board.

    simulations, plain_simulations   in each round, of compiled and of plain Python code
    """
    import pandas as pd

    rates = measure_rates(speed_runs(simulations, plain_simulations, sizes), rounds)
    rows = []
    for (what, size), (rate, memory) in rates.items():
        slow = rates.get((TWINS.get(what), size))
        rows.append(
            {
                "what": what,
                "board": f"{size}×{size}",
                "per second": rate,
                "times its Python twin": rate / slow[0] if slow else math.nan,
                "of its rate on the first board": rate / rates[what, sizes[0]][0],
                "bytes a simulation": memory or math.nan,
            }
        )
    return pd.DataFrame(rows).set_index(["what", "board"])


# *by Experiments*
#
# A table that takes long to make is kept in a file. It is written under another name first and
# renamed when it is complete, so a stop in the middle leaves no half table.


# by Experiments · keep a table beside the exports
def keep_results(table, name: str, folder: Path | str = "experiments/results") -> None:
    """Write a pandas table as folder/name.csv, whole or not at all."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f".{name}.{os.getpid()}.tmp"
    temporary.write_text(table.to_csv(lineterminator="\n", float_format="%.4g"), "utf-8")
    os.replace(temporary, folder / f"{name}.csv")


# *by Experiments*
#
# Every compiled function keeps its Python source. *Playout, compiled* and *playout, its source* run
# the same lines. Read that ratio with care: Python touches numpy records slowly, and the dict version
# with a shuffled list is faster than this source. (The test for a line stays compiled in both.)


# by Experiments · the benchmark as a figure
def speed_figure(table):
    """Return a figure of a speed table: rates on the first board, growth with the board."""
    boards = list(dict.fromkeys(table.index.get_level_values("board")))
    first = table.xs(boards[0], level="board")["per second"].sort_values()
    figure = new_figure(9.6, 3.4)
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    compiled = [what in TWINS or what == "engine" for what in first.index]
    bars = left.barh(first.index, first, color=["tab:blue" if c else "0.6" for c in compiled])
    left.bar_label(bars, [f"{rate:,.0f}" for rate in first], padding=3, fontsize=8)
    left.set(xscale="log", xlim=(first.min() / 3, first.max() * 12))
    left.set_xlabel(f"simulations or playouts a second, {boards[0]}", fontsize=9)
    for what, mark in (
        ("plain UCT, compiled", "o"),
        ("engine", "s"),
        ("classic, compiled", "^"),
    ):
        growth = table.xs(what, level="what")["of its rate on the first board"]
        right.plot(growth.index, growth, mark + "-", label=what)
    right.set(ylim=(0, 1.05))
    right.set_ylabel(f"rate, as a share of {boards[0]}", fontsize=9)
    right.legend(fontsize=8, frameon=False, loc="lower left")
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure


# *by Experiments*
#
# The rate changes through a game. A fuller board leaves fewer points to play out and to compare,
# but it lets the tree grow deeper, and more stones make more fours to look at. The figure plays
# one game of the engine against itself on each board, and stops in every few positions to time both
# searches. Positions that are decided at once are left out.


# by Experiments · simulations a second, move by move
def rates_by_ply(rules: Rules, step: int, simulations: int) -> dict:
    """Return {name: [(ply, simulations a second), ...]} along a game of the engine.

    step   positions are timed every `step` plies; one that is decided at once is left out
    """
    game, rates = Game(rules), {"plain search": [], "engine": []}
    searches = {"plain search": (plain_game(), PLAIN), "engine": (None, SearchOptions())}
    while not game.over:
        ply = len(game.played)
        for name, (kernels, options) in searches.items() if ply % step == 0 else ():
            kernels = kernels or kernels_for(rules)
            tree = Tree(game, kernels, options, Budget(simulations=simulations).records())
            tree.run(0)
            begun = time.process_time()
            made = tree.run(simulations)
            if made == simulations:
                rates[name].append((ply, made / (time.process_time() - begun)))
        game.play(think(game, simulations=1_000, seed=ply).move)
    return rates


# *by Experiments*
#
# The curves go on a logarithmic scale, so that equal steps up mean equal factors.


# by Experiments · the rates as curves
def rates_figure(found: dict):
    """Return a figure of {board: rates_by_ply(...)}: one panel for each search."""
    figure = new_figure(9.6, 3.4)
    panels = figure.subplots(1, 2, sharey=True)
    for ax, name in zip(panels, ("plain search", "engine"), strict=True):
        for (board, rates), mark in zip(found.items(), "osv", strict=False):
            plies, speeds = zip(*rates[name], strict=True)
            ax.semilogy(plies, speeds, f"{mark}-", markersize=4, label=board)
        ax.set(title=name, xlabel="stones on the board")
        ax.grid(color="0.9", which="both")
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("simulations a second")
    panels[0].legend(fontsize=8, frameon=False)
    return figure


# *by Experiments*
#
# Whoever runs the exported program for the first time waits for the compiler once. To time that,
# the program is started in a process of its own, where nothing is loaded yet.


# by Experiments · what the started process does
COLD_CODE = """
import time
begun = time.perf_counter()
import five_in_a_row as five
imported = time.perf_counter()
five.think(five.Game.from_text("d4"), simulations=1000)
print(imported - begun, time.perf_counter() - imported)
"""


def exported_module() -> Path | None:
    """Return the exported module: this file, or the one beside the notebook, or None."""
    path = Path(globals().get("__file__", "export/five_in_a_row.py")).resolve()
    return path if path.is_file() else None


# *by Experiments*
#
# It is started twice: with an empty cache, and again with what the first start has left there. Each
# time it answers black's first move.


# by Experiments · cold and warm
def cold_start(module: Path) -> list[tuple[str, float, float]]:
    """Return (start, seconds to import, seconds to the first move), cold and then warm."""
    import subprocess
    import sys
    import tempfile

    rows = []
    with tempfile.TemporaryDirectory() as cache:
        env = os.environ | {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(module.parent)}
        for start in ("cold", "warm"):
            run = subprocess.run(
                [sys.executable, "-c", COLD_CODE],
                env=env,
                capture_output=True,
                text=True,
                timeout=300,
                check=True,
            )
            rows.append((start, *map(float, run.stdout.split())))
    return rows


# *by Experiments*
#
# ### Does it play well?
#
# A single game proves nothing, and one colour is easier than the other. `play_match` plays pairs of
# games: the same opening twice, with the colours exchanged. Each move of each game has a seed of its
# own, so games differ unless their moves are forced, and the same match can be played again.
#
# A score from some games is only an estimate. The Wilson interval says which true scores would
# make it unsurprising, at 95 %: with $p$ the score in $n$ games and $z = 1.96$,
#
# $$\frac{p + \frac{z^2}{2n} \pm z \sqrt{\frac{p(1-p)}{n} + \frac{z^2}{4n^2}}}{1 + \frac{z^2}{n}}$$
#
# A draw counts as half a win. Draws spread less than wins and losses, so with many of them the
# interval is wider than it need be: with four draws in five games, more than twice.


# by Experiments · how sure a score is
def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson interval of a score, 95 % for z = 1.96; draws count half in `wins`.

    Source: Wilson, Journal of the American Statistical Association, 1927.
    Raises ValueError unless 0 <= wins <= games and games > 0.
    """
    if not (games > 0 and 0 <= wins <= games):
        raise ValueError(f"{wins} wins in {games} games is no score")
    p, spread = wins / games, z * z / games
    middle = p + spread / 2
    reach = math.sqrt(spread * (p * (1 - p) + spread / 4))
    return max(0.0, (middle - reach) / (1 + spread)), min(1.0, (middle + reach) / (1 + spread))


# *by Experiments*
#
# Players that always begin from the empty board show only the games that follow from it. A few random
# stones near the middle make the games of a match differ; that each opening is played twice, with
# the colours exchanged, makes them fair.


# by Experiments · openings to start from
def random_openings(rules: Rules, count: int, stones: int = 2, seed: int = 0) -> list[str]:
    """Return that many different openings of 2 to 4 stones, as move lists.

    The stones lie at most three rows and columns from the middle. No opening is won, or leaves
    a side a win or a defence that must be played at once. ValueError if there are too few.
    """
    if not 2 <= stones <= 4:
        raise ValueError(f"an opening has 2 to 4 stones, not {stones}")
    chance, found = np.random.default_rng(seed), {}
    for _ in range(100 * count + 100):
        game = Game(rules)
        while len(game.played) < stones and (points := near_middle(game)):
            game.play(int(chance.choice(points)))
        if len(game.played) == stones and not game.over and forced_move(game) is None:
            found.setdefault(game.array.tobytes(), " ".join(game.moves))
        if len(found) == count:
            return list(found.values())
    raise ValueError(f"only {len(found)} different openings of {stones} stones were found")


def near_middle(game: Position, reach: int = 3) -> list[int]:
    """Return the legal points at most `reach` rows and columns from the middle one."""
    row, col = game.rules.height // 2, game.rules.size // 2
    steps = [(p, *divmod(p, game.rules.size)) for p in game.legal()]
    if game.rules.gravity:  # stones fall: every column will do
        return game.legal()
    return [p for p, r, c in steps if max(abs(r - row), abs(c - col)) <= reach]


# *by Experiments*
#
# `match_game` plays one game from its opening on and returns a row of a table: who won, the moves,
# and what each player spent. A fault of a player ends the match with its name and the number of the
# move.


# by Experiments · one game of a match
def fresh_player(player):
    """Return the player itself, or a new one if a function without arguments makes it."""
    import inspect

    try:
        inspect.signature(player).bind()
    except TypeError:  # it needs a game: it is a player
        return player
    return player()


def match_game(players: dict, rules: Rules, opening: str, seeds) -> dict:
    """Play one game and return its row; `players` is {+1: (name, player), -1: ...}."""
    game = Game.from_text(opening, rules=rules)
    row = {"opening": opening, "black": players[BLACK][0], "white": players[WHITE][0]}
    seconds = {"a": 0.0, "b": 0.0}
    simulations: dict = {"a": None, "b": None}
    while not game.over:
        name, player = players[game.to_move]
        begun = time.perf_counter()
        try:
            answer = player(game.copy(), int(seeds[len(game.played)]))
            game.play(getattr(answer, "move", answer))
        except Exception as error:
            side, number = COLOUR[game.to_move], len(game.played) + 1
            raise ValueError(
                f"player {name} ({side}) failed at move {number}: {error}"
            ) from error
        seconds[name] += time.perf_counter() - begun
        if hasattr(answer, "simulations"):
            simulations[name] = (simulations[name] or 0) + answer.simulations
    for _, player in players.values():
        getattr(player, "rest", lambda: None)()  # the game is over: no more pondering
    row |= {"winner": players[game.winner][0] if game.winner else "draw"}
    row |= {"plies": len(game.played), "moves": " ".join(game.moves)}
    row |= {f"simulations {name}": simulations[name] for name in "ab"}
    return row | {f"seconds {name}": round(seconds[name], 3) for name in "ab"}


# *by Experiments*
#
# A long match keeps each finished game in a file, and one that was stopped goes on there. The first
# line of the file describes the players down to their code, the rules and the seed; a file that
# differs in any of these belongs to another match.


# by Experiments · the file of a match that can go on
def read_match(path: Path, settings: str) -> dict[int, dict]:
    """Return the finished games {number: row} in the file of a match; begin the file if new.

    Raises ValueError if the file belongs to a match with other settings.
    """
    import csv
    import io

    if not path.exists():
        header = ",".join(["game", *MATCH_COLUMNS])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {settings}\n{header}\n", "utf-8")
    lines = path.read_text("utf-8").splitlines(keepends=True)
    if lines[:1] != [f"# {settings}\n"]:
        raise ValueError(f"{path.name} holds a match with other settings, or something else")
    whole = [line for line in lines if line.endswith("\n")]  # a stop may leave half a line
    if len(whole) < len(lines):
        path.write_text("".join(whole), "utf-8")
    return {int(row["game"]): row for row in csv.DictReader(io.StringIO("".join(whole[1:])))}


def describe(thing, depth: int = 4) -> str:
    """Return a player, its code and what it closes over, in words that repeat."""
    import functools
    import inspect

    if depth == 0 or isinstance(thing, str | int | float | tuple | None):
        return " ".join(repr(thing).split()) if depth else type(thing).__name__
    if isinstance(thing, functools.partial):
        inside = {"of": thing.func, "args": thing.args} | thing.keywords
        name = "partial"
    elif isinstance(thing, dict):
        inside, name = thing, "dict"
    elif inspect.isfunction(thing):
        inside = dict(inspect.getclosurevars(thing).nonlocals)
        name = thing.__qualname__.replace(".<locals>.", ".")
        code = thing.__code__
        text = repr((code.co_code, [c for c in code.co_consts if not inspect.iscode(c)]))
        name += f"#{hashlib.sha256(text.encode()).hexdigest()[:6]}"
        inside |= {"defaults": thing.__defaults__} if thing.__defaults__ else {}
    else:
        inside, name = getattr(thing, "__dict__", {}), type(thing).__qualname__
    words = ", ".join(f"{key}={describe(value, depth - 1)}" for key, value in inside.items())
    return f"{name}({words})" if words else name


MATCH_COLUMNS = (
    *("opening", "black", "white", "winner", "plies", "moves"),
    *("simulations a", "simulations b", "seconds a", "seconds b"),
)


# *by Experiments*
#
# Games come in pairs: `a` has black in the even ones, white in the odd ones, and both of a pair
# begin from one opening. Every game draws its seeds from the seed of the match and its own number,
# so it does not matter in which order or in how many threads the games are played.


# by Experiments · a match
def play_match(
    a,
    b,
    games: int = 100,
    rules: Rules = Rules(),
    openings: list[str] | None = None,
    seed: int = 0,
    jobs: int = 1,
    path: Path | str | None = None,
    progress: bool = False,
):
    """Return a pandas table of a match, one row a game; the score of `a` is in its attrs.

    a, b       players, or functions without arguments that make one, fresh for each game
    openings   move lists; each is played twice, with the colours exchanged; None: empty board
    jobs       games played at once, in threads or in what joblib.parallel_config says
    path       a CSV file that takes each finished game; a run that was stopped goes on there
    progress   True: a progress bar
    Raises ValueError for an odd number of games, a file of another match, or a player's fault.
    """
    if games <= 0 or games % 2:
        raise ValueError(f"games come in pairs, colours exchanged: {games} is not even")
    rules, openings = check_rules(rules), openings or [""]
    names = [describe(fresh_player(player)) for player in (a, b)]
    settings = f"a: {names[0]}; b: {names[1]}; {rules}; seed {seed}; openings {openings}"
    rows = {} if path is None else read_match(Path(path), settings)

    def one(number: int) -> tuple[int, dict]:
        sides = [("a", fresh_player(a)), ("b", fresh_player(b))]
        first, second = sides if number % 2 == 0 else reversed(sides)
        seeds = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(rules.points)
        opening = openings[number // 2 % len(openings)]
        return number, match_game({BLACK: first, WHITE: second}, rules, opening, seeds)

    todo = [number for number in range(games) if number not in rows]
    for number, row in in_parallel(one, todo, jobs, progress):
        rows[number] = row
        if path is not None:
            append_row(Path(path), number, row)
    return match_table([rows[number] for number in range(games)], settings)


# *by Experiments*
#
# Three parts of it: games side by side (joblib), one more line in the file, and the table with the
# score $p = (\text{won} + \text{drawn}/2) / n$ and its interval.


# by Experiments · the parts of a match
def in_parallel(work, items, jobs: int, progress: bool):
    """Yield work(item) for each item as it is done, with a bar on stdout if wanted."""
    import sys

    import joblib
    from tqdm import tqdm

    parallel = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered")
    results = parallel(joblib.delayed(work)(item) for item in items)
    yield from tqdm(results, total=len(items), file=sys.stdout, disable=not progress)


def append_row(path: Path, number: int, row: dict) -> None:
    """Add a finished game at the end of the file of a match."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([number, *(row[c] for c in MATCH_COLUMNS)])
    with path.open("a", encoding="utf-8") as file:
        file.write(text.getvalue())


def match_table(rows: list[dict], settings: str):
    """Return the table of a match with the score of `a` and its Wilson interval in attrs."""
    import pandas as pd

    table = pd.DataFrame([{name: row[name] for name in MATCH_COLUMNS} for row in rows])
    for name in MATCH_COLUMNS[6:8]:
        table[name] = pd.to_numeric(table[name]).astype("Int64")
    table["plies"] = table["plies"].astype(int)
    for name in MATCH_COLUMNS[8:]:
        table[name] = table[name].astype(float)
    wins, draws = int((table.winner == "a").sum()), int((table.winner == "draw").sum())
    points = wins + draws / 2
    table.attrs = {
        "games": len(table),
        "wins": wins,
        "draws": draws,
        "losses": len(table) - wins - draws,
        "score": points / len(table),
        "interval": wilson(points, len(table)),
        "settings": settings,
    }
    return table


# *by Experiments*
#
# Now small matches at equal simulations, which compare ideas and not compilers. `plain_uct` tries
# every empty point. `classic` has the five best candidates and the cut to one. The engine has shapes
# updated after every move, priors, proofs, and looks for wins by fours and by threats. That looking
# comes on top of its simulations, so at equal simulations it takes more time than the other two.


# by Experiments · a match in words
def match_words(name: str, table) -> str:
    """Return the result of a match in one sentence."""
    attrs = table.attrs
    low, high = attrs["interval"]
    return (
        f"{name}: won {attrs['wins']}, drawn {attrs['draws']}, lost {attrs['losses']} of "
        f"{attrs['games']} games; score {attrs['score']:.2f}, 95 % interval {low:.2f} to "
        f"{high:.2f}"
    )


# *by Experiments*
#
# ### What each idea is worth
#
# The tables that follow come from long matches, at equal *time* a move: 0.03 s at the most in the first
# figure, and what a row or its text says in the others. A forced or proven move takes less, so mean
# times differ. `python -m experiments TABLE` plays them, a few core-hours in all, and keeps tables in
# `experiments/results`, games in `experiments/games`.
# Openings are two to four random stones near the middle with no five to make or to stop at once,
# each played twice with the colours exchanged. A score counts a draw as half a win, and its interval is
# Wilson's, at 95 %. Where the interval holds ½, the match does not say which player is stronger.


# *by Experiments*
#
# The tables are read from their files. Where one is missing, a sentence says which command makes
# it.


# by Experiments · the tables of long matches
def results_folder() -> Path:
    """Return experiments/results of the project in which this module or notebook lies."""
    here = Path(globals().get("__file__", "notebook")).resolve()
    folders = (folder / "experiments" / "results" for folder in here.parents)
    return next(filter(Path.is_dir, folders), Path("experiments", "results"))


def read_results(name: str, folder: Path | str = "experiments/results"):
    """Return a table of an experiment, as pandas reads it; None where there is none."""
    import pandas as pd

    path = Path(folder) / f"{name}.csv"
    return pd.read_csv(path) if path.exists() else None


def stored_results(name: str, folder: Path | str = "experiments/results"):
    """Return read_results(name); where there is none, say in a sentence how to make it."""
    table = read_results(name, folder)
    if table is None:
        path = f"experiments/results/{name}.csv"
        print(f"{path} is not here: python -m experiments {name} makes it")
    return table


def results_rows(table):
    """Return a table of matches as a reader wants it: names, board, games, score, interval."""
    rows = table[["a", "b", "board"]].copy()
    results = zip(table.won, table.drawn, table.lost, strict=True)
    if "begins" in table:
        rows["begins from"] = table.begins
    rows["won–drawn–lost"] = ["–".join(map(str, result)) for result in results]
    rows["score of a"] = table.score.map("{:.2f}".format)
    bounds = zip(table.low, table.high, strict=True)
    rows["95 % interval"] = [f"{low:.2f} to {high:.2f}" for low, high in bounds]
    if "ms a move a" in table:
        rows["ms a move, a"], rows["ms a move, b"] = table["ms a move a"], table["ms a move b"]
    return rows.set_index("a")


def results_words(table) -> str:
    """Return when and with what a table was made, in one sentence."""
    first = table.iloc[0]
    games = "–".join(dict.fromkeys(map(str, sorted((table.games.min(), table.games.max())))))
    return (
        f"{games} games a match, seed 1; made {first.made} with numba {first.numba} on "
        f"{first.machine}"
    )


# *by Experiments*
#
# A table of matches is shown twice: as dots with their intervals, one panel a board, and as rows.
# The sentence below is made from the table, so it cannot contradict it.


# by Experiments · the scores of a table, with their intervals
def results_figure(table, names):
    """Return a figure: a score with its interval for each match, one panel for each board.

    names   what to write beside each row of `table`
    """
    boards = list(dict.fromkeys(table.board))
    rows = max((table.board == board).sum() for board in boards)
    figure = new_figure(9.6, 0.8 + 0.36 * rows)
    panels = figure.subplots(1, len(boards), squeeze=False, sharex=True)[0]
    for ax, board in zip(panels, boards, strict=True):
        mine = table[table.board == board]
        labels = [name for name, b in zip(names, table.board, strict=True) if b == board]
        places = range(len(mine), 0, -1)
        error = [mine.score - mine.low, mine.high - mine.score]
        ax.axvline(0.5, color="0.7", linewidth=1)
        ax.errorbar(mine.score, places, xerr=error, fmt="o", capsize=3, color="tab:blue")
        ax.set_yticks(list(places), labels)
        ax.set(xlim=(0, 1.02), ylim=(0.4, len(mine) + 0.6), title=board)
        ax.set_xlabel("score, 1 = wins every game", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure


def show_results(
    name: str, finding, names=lambda row: f"{row.a} v {row.b}", stored=stored_results
) -> None:
    """Show a table of matches as figure and rows, or say in a sentence how to make it.

    finding   a function of the table that returns the caption's first sentence
    names     what the figure writes beside a row
    stored    a function of the name that returns the table, or None
    """
    from IPython.display import display

    table = stored(name)
    if table is None:
        return
    labels = [names(row) for row in table.itertuples()]
    scores = zip(table.board, labels, table.score, table.low, table.high, strict=True)
    said = "; ".join(f"{b}, {n}: {s:.2f} ({lo:.2f} to {hi:.2f})" for b, n, s, lo, hi in scores)
    caption = f"{finding(table)} {results_words(table)}."
    show(results_figure(table, labels), f"Scores with intervals. {said}.", caption)
    display(results_rows(table))


# *by Experiments*
#
# The puzzles have a table of their own: how many of each kind a player has solved.


# by Experiments · the table of puzzles
def show_puzzles() -> None:
    """Show how many puzzles of each kind were solved, or say how to measure it."""
    from IPython.display import display

    table = stored_results("puzzles")
    if table is None:
        return
    print(f"Seed 1; made {table.made[0]} on {table.machine[0]}")
    display(table.iloc[:, :5].set_index("kind"))


# *by Experiments*
#
# One function for each table says what was found, in a sentence. Whether an idea helps is read off
# the interval: all of it above ½, all below, or neither.


# by Experiments · what the tables say, in a sentence each
def ideas_found(table) -> str:
    """Return which ideas help beyond doubt, which hurt, and of which that cannot be said."""
    found: dict = {"helps": [], "open": [], "hurts": []}
    for row in table.itertuples():
        if row.b == "full too":
            continue
        key = "helps" if row.low > 0.5 else "hurts" if row.high < 0.5 else "open"
        idea = (
            "soft selection (hard cut to five)"
            if "cut" in row.b
            else row.b.removeprefix("no ")
        )
        found[key].append(f"{idea} ({row.board})")
    helps, open_, hurts = (", ".join(each) or "none" for each in found.values())
    said = f"Interval above ½: {helps}. It holds ½: {open_}."
    return said + (f" Below ½: {hurts}." if found["hurts"] else "")


def rungs_found(table) -> str:
    """Return how many games the higher rung won."""
    return f"The higher rung wins {table.won.sum()} of {table.games.sum()} games."


def losses_found(table) -> str:
    """Return how many games were lost from each kind of beginning, and what that says."""
    said = []
    for begins, games in table.groupby("begins", sort=False):
        lost, played = int(games.lost.sum()), int(games.games.sum())
        chance = f"is below {1 - 0.05 ** (1 / played):.2%} with 95 % confidence"
        if lost:
            low, high = wilson(lost, played)
            chance = f"is {low:.2%} to {high:.2%}"
        said.append(
            f"from {begins}, {lost} of {played} games were lost: the chance to lose {chance}"
        )
    return "; ".join(said).capitalize() + "."


def steps_found(table) -> str:
    """Return how large the steps between levels are."""
    low, high = table.score.min(), table.score.max()
    return f"A level scores {low:.2f} to {high:.2f} against the level below it."


def gains_found(table) -> str:
    """Return by how many simulations the first player is ahead, and at what result."""
    more = (table["simulations a move a"] / table["simulations a move b"]).tolist()
    ratios = " and ".join(
        f"{ratio:.2f} on {board}" for ratio, board in zip(more, table.board, strict=True)
    )
    name = table.a.iloc[0]
    return f"{name[:1].upper()}{name[1:]}: simulations a move, times the other's: {ratios}."


# *by Experiments*
#
# **Each idea switched off.** The full engine plays itself without one idea. The row *no VCF*, say, is its
# score against itself without the search for fours: above ½, the idea helps. The last row is a control: two equal players, who should score ½. Some
# ideas are not there for strength: the solver, the search for threats and dead lines are what lets a
# `Thought` say *proven*.


# *by Experiments*
#
# **The ladder.** Each player meets the next below it: a random player, plain UCT, the course notebook's
# `classic`, and the engine with ever more time.


# *by Experiments*
#
# **8×8 is a draw** with perfect play from the empty board, so a perfect player never loses there,
# whatever its colour. How often does the engine lose? If it lost none of $n$ games, its chance to lose
# against these opponents is below $1 - 0.05^{1/n}$ with 95 % confidence. Games that begin with random
# stones are counted apart: nobody has shown that those positions are draws.


# *by Experiments*
#
# **Levels.** Each level meets the one below it, at 0.1 s a move at the most. The steps should be about even,
# and felt: a player who scores ¾ wins three games for each one lost. Where the upper levels meet on 8×8,
# nearly all games are drawn, so their steps are small.


# *by Experiments*
#
# **More cores, more time.** Three options: a second thread, thinking on the opponent's time, and time
# allotted by position. Simulations made on the other side's time are not counted. The rule that allots
# looks at the search each time it reports, twenty times a second; its match gives a move four reports.


# *by Experiments*
#
# **Puzzles.** The positions of `tests/positions/puzzles.txt`, each checked by our own search: what wins at
# once, wins by fours and by threats, only defences (all other moves lose, and no win was found against
# these), and traps where the natural block loses. A player solves one if its move is listed there. The
# engine's score is no surprise: it is the same search that checked them.


# *by Experiments*
#
# ### What the course notebook wished for
#
# The authors of *Project 5002* list what they would still try. Some of it stands above: thinking ahead
# and sure wins (rooms 9 and 12, *each idea switched off*), larger boards (every table), parallel search
# (*more cores, more time*). The rest is tried here: **matrices** instead of loops, the **distance** to
# the stones inside the UCB score, the **enclosing square** as the search area, and fewer children in
# the **opening**.


# *by Experiments*
#
# **Matrices instead of loops.** Room 3 looks for a five through the last stone. Without knowing that
# stone, the whole board must be looked at. `has_five_loops` does so in the obvious way.
# `has_five_windows` adds five copies of the board, each shifted by one point more along a line: with
# stones as $+1$ and $-1$, five of one colour make $\pm 5$,
#
# $$\Big| \sum_{i=0}^{4} x_{p + i \, d} \Big| = 5 \quad \text{for a point } p \text{ and a direction } d .$$
#
# It takes any number of boards at once, since NumPy does not mind further axes.


# by Experiments · is there a five? the whole board by loops, and by sums of shifted boards
def has_five_loops(cells: np.ndarray) -> bool:
    """Return whether a colour has five in a row on a board, int8[rows, size]."""
    rows, size = cells.shape
    board = cells.tolist()  # Python reads lists faster than arrays
    for row in range(rows):
        for col in range(size):
            for d_row, d_col in DIRECTIONS if board[row][col] else ():
                length, r, c = 1, row + d_row, col + d_col
                while r < rows and 0 <= c < size and board[r][c] == board[row][col]:
                    length, r, c = length + 1, r + d_row, c + d_col
                if length >= 5:
                    return True
    return False


def line_windows(boards: np.ndarray, d_row: int, d_col: int) -> list[np.ndarray]:
    """Return five views of the boards [..., rows, size], each a point further along a line."""
    height = max(0, boards.shape[-2] - 4 * d_row)
    width = max(0, boards.shape[-1] - 4 * abs(d_col))
    corners = [(i * d_row, i * d_col + 4 * (d_col < 0)) for i in range(5)]
    return [boards[..., r : r + height, c : c + width] for r, c in corners]


def has_five_windows(boards: np.ndarray) -> np.ndarray:
    """Return whether each of the boards, int8[..., rows, size], has a five: bool[...]."""
    sums = (abs(sum(line_windows(boards, *step))) for step in DIRECTIONS)
    return np.any([(total == 5).any(axis=(-2, -1)) for total in sums], axis=0)


# *by Experiments*
#
# The authors' own matrix form looks at every block of 5×5 points. With the 25 points of each block as a
# row of $B$ and the twelve lines of a block (five rows, five columns, two diagonals) as the columns of
# $L$, one product $B L$ holds all sums. The bits of room 3 come from a product as well: each row of the
# board times the powers of two.


# by Experiments · every 5x5 block times a matrix; and the bits of room 3
def block_lines() -> np.ndarray:
    """Return the lines of a 5x5 block as columns of a matrix, float32[25, 12]."""
    lines, i = np.zeros((12, 5, 5), np.float32), np.arange(5)
    lines[i, i], lines[5 + i, :, i] = 1, 1  # rows, columns
    lines[10, i, i], lines[11, i, 4 - i] = 1, 1
    return lines.reshape(12, 25).T


BLOCK_LINES = block_lines()


def has_five_blocks(cells: np.ndarray) -> bool:
    """Return whether a board, int8[rows, size] with both at least 5, has a five."""
    blocks = np.lib.stride_tricks.sliding_window_view(cells.astype(np.float32), (5, 5))
    return bool((abs(blocks.reshape(-1, 25) @ BLOCK_LINES) == 5).any())


def bit_rows(cells: np.ndarray) -> np.ndarray:
    """Return black's rows as bits and then white's, int32[], as has_run wants them."""
    own = cells == np.array([BLACK, WHITE])[:, None, None]
    return np.pad(own @ (1 << np.arange(cells.shape[1])), ((0, 0), (0, 4))).astype(np.int32)


# by Experiments · positions to ask about
def random_positions(size: int, count: int, seed: int = 1) -> list[tuple[np.ndarray, int]]:
    """Return boards of random games, int8[size, size], each with its last stone."""
    chance, found = np.random.default_rng(seed), []
    while len(found) < count:
        game, stones = Game(Rules(size)), chance.integers(1, size * size)
        for point in chance.permutation(size * size)[:stones]:
            if not game.over:
                game.play(int(point))
        found.append((game.array, game.played[-1]))
    return found


# *by Experiments*
#
# A matrix can do more than test one board: it can play whole random games, and many at once, without a
# loop over moves. A random game is a random order of the empty points (room 7). Let $t_p$ be the ply at
# which point $p$ is taken, so that the parity of $t_p$ tells its colour. Five points of equal parity
# are a five from ply $\max t_p$ on, and the game ends at
#
# $$T = \min_{\text{five points in a row, equal parity}} \; \max_p \; t_p ,$$
#
# won by whose ply that is; if no five points qualify, the game is drawn.


# by Experiments · many random games at once
def matrix_winners(plies: np.ndarray, to_move: int) -> np.ndarray:
    """Return who wins the games, int[n]: +1 black, -1 white, 0 nobody.

    plies   int16[n, rows, size]   when each point is taken; even: by `to_move`
    """
    never = np.int16(plies.shape[-2] * plies.shape[-1])
    end = np.full(len(plies), never)
    for step in DIRECTIONS:
        five = line_windows(plies, *step)
        done = np.maximum.reduce(five)
        done[sum(ply & 1 for ply in five) % 5 > 0] = never  # of both colours
        end = np.minimum(end, done.min(axis=(1, 2), initial=never))
    return np.where(end == never, 0, np.where(end % 2 == 0, to_move, -to_move))


def matrix_playouts(position: Position, games: int, chance: np.random.Generator) -> np.ndarray:
    """Return who wins each of that many random games from an undecided position, int[n]."""
    cells = position.array
    plies = np.where(cells == position.to_move, -2, -1).astype(np.int16)  # what stands there
    plies, empty = np.tile(plies, (games, 1, 1)), np.flatnonzero(cells == 0)
    order = np.tile(np.arange(len(empty), dtype=np.int16), (games, 1))
    plies.reshape(games, -1)[:, empty] = chance.permuted(order, axis=1)
    return matrix_winners(plies, position.to_move)


# *by Experiments*
#
# Now the price. Each test is timed on its own, and inside plain UCT in Python with playouts from a
# shuffled list: the same seed gives the same tree whatever the test, only sooner or later. The matrix
# plays a thousand games at once; in a search that is a thousand playouts from one leaf.


# by Experiments · the tests by name, and a playout that uses one
SCANS = {  # name: test(cells, last point), in plain Python and NumPy
    "last stone": lambda cells, point: bool(winning_line(cells, point, 5)),
    "whole board, loops": lambda cells, point: has_five_loops(cells),
    "whole board, shifted": lambda cells, point: bool(has_five_windows(cells)),
    "whole board, blocks": lambda cells, point: has_five_blocks(cells),
}


def playout_with(test):
    """Return a playout for plain_search that asks test(cells, point) after every stone."""

    def playout(board: dict, to_move: int, rules: Rules, chance: random.Random) -> int:
        cells, empty = np.zeros((rules.height, rules.size), np.int8), plain_empty(board, rules)
        for point, colour in board.items():
            cells[point] = colour
        chance.shuffle(empty)
        for row, col in empty:
            cells[row, col] = to_move
            if test(cells, row * rules.size + col):
                return to_move
            to_move = -to_move
        return 0

    return playout


# by Experiments · what is timed, each as a function that returns (work done, bytes used)
MANY, BITS = "many boards, shifted", "whole board, bits, compiled"


def call_run(work: int, function, *arguments):
    """Return a run that calls the function, which does `work` units of work."""

    def run(seed: int) -> tuple[int, int]:
        function(*arguments)
        return work, 0

    return run


def scan_runs(positions) -> dict:
    """Return {name: run}; a run tests every position, a pair of a board and its last stone."""
    boards, repeats = np.stack([cells for cells, _ in positions]), 100
    bits = np.stack([bit_rows(cells).ravel() for cells in boards])
    has_five, stop = build_has_run(5), bits.shape[1] - 4

    def one_by_one(test):
        for cells, point in positions:
            test(cells, point)

    @part
    def compiled(bits):
        found = 0
        for _ in range(repeats):
            for i in range(len(bits)):
                found += has_five(bits[i], 0, stop)
        return found

    runs = {name: call_run(len(boards), one_by_one, test) for name, test in SCANS.items()}
    runs[MANY] = call_run(len(boards), has_five_windows, boards)
    return runs | {BITS: call_run(repeats * len(boards), compiled, bits)}


def search_runs(game: Game, simulations: int) -> dict:
    """Return {name: run}; a run makes simulations, or where boards are many 1,000 playouts."""
    runs = {
        name: plain_run(game, every_move, simulations, playout_with(test))
        for name, test in SCANS.items()
    }
    runs[MANY] = call_run(1_000, matrix_playouts, game, 1_000, np.random.default_rng(1))
    options = SearchOptions(solve=False)
    return runs | {BITS: compiled_run(plain_game(5), options, game, 500 * simulations)}


def show_rows(columns: dict) -> None:
    """Display {column: {row: text}} as a table."""
    import pandas as pd
    from IPython.display import display

    display(pd.DataFrame(columns).fillna(""))


# *by Experiments*
#
# **Where to look.** The other wishes say which points may be children. Each is a *zone*: a kernel that
# marks, from the stones alone, where the next one may go. The rest of the game, and the search, stay as
# they are. `within` allows the points at most so many columns from a stone, a number for each row away:
# `NEAR_SET` is the circle of radius $\sqrt{18}$ that the course notebook cuts to, `NEIGHBOURS_ONLY` the
# points that touch a stone. Where the **opening** is restricted, `within` holds for the first plies
# only, and then every point is allowed.


# by Experiments · zones: near a stone, always or in the opening
NEAR_SET = (4, 4, 3, 3, 1)  # columns away, for 0, 1, 2 ... rows away: distance sqrt(18)
NEIGHBOURS_ONLY = (1, 1)


def build_within(reach, plies):
    """Return within(s): the points within reach of a stone, in the first plies of a game.

    reach   how many columns away, for 0 to at most 4 rows away
    """

    @part
    def within(s):
        """Mark in s.board.near where the next stone may go."""
        near = s.board.near
        near[:] = -1 if s.geo.points - s.board.empty >= plies else 0
        for row in range(s.geo.rows):
            stones = s.board.stones[row] | s.board.stones[s.geo.half + row]
            for step in range(1 - len(reach), len(reach)):
                for columns in range(reach[abs(step)] + 1):
                    near[row + step + EDGE] |= stones << columns | stones >> columns

    return within


# *by Experiments*
#
# The **enclosing square** is the smallest that holds all stones, with a margin. Across its shorter
# extent the stones lie in its middle, as far as the board allows.


# by Experiments · a zone: the square around all stones
@part
def square_start(first, last, side, end):
    """Return where a stretch of side + 1 rows around first...last begins, within 0...end."""
    return max(0, min(first - (side - last + first) // 2, end - side))


def build_square(margin):
    """Return square(s): the smallest square around all stones, and `margin` points more."""

    @part
    def square(s):
        """Mark in s.board.near where the next stone may go."""
        near, rows, size, columns = s.board.near, s.geo.rows, s.geo.size, 0
        near[:] = 0
        low, high, left, right = rows, -1, size, -1
        for row in range(rows):
            stones = s.board.stones[row] | s.board.stones[s.geo.half + row]
            columns |= stones
            if stones != 0:
                low, high = min(low, row), row
        for col in range(size):
            if columns >> col & 1 == 1:
                left, right = min(left, col), col
        if columns == 0:
            return
        side = max(high - low, right - left)
        low = square_start(low, high, side, rows - 1)
        left = square_start(left, right, side, size - 1)
        bits = ((1 << (side + 2 * margin + 1)) - 1) << left >> margin & (1 << size) - 1
        for row in range(max(0, low - margin), min(rows, low + side + margin + 1)):
            near[row + EDGE] = bits

    return square


# *by Experiments*
#
# A game with a zone is plain search with another list of moves: the empty points of the zone, in random
# order. A list that leaves moves out proves nothing, so such a game is searched with `solve=False`.


# by Experiments · games whose children are the points of a zone
def build_zone_moves(zone):
    """Return the `moves` kernel that lists the empty points of a zone, in random order."""

    @part
    def zone_moves(s, had, want, options):
        """Append up to `want` points to s.moves[:had]; return the new length."""
        zone(s)
        length = had
        for i in range(s.geo.points):
            point = np.int64(s.order[i])
            if length == had + want:
                break
            if is_candidate(s, point) and not is_listed(s.moves, had, point):
                s.moves[length] = point
                length += 1
        return length if length > 0 else first_moves(s)

    return zone_moves


@lru_cache
def near_game(reach=NEAR_SET, plies: int = 400) -> Kernels:
    """Return five in a row played within reach of a stone, for all or the first plies."""
    return plain_game(5)._replace(moves=build_zone_moves(build_within(reach, plies)))


@lru_cache
def square_game(margin: int = 1) -> Kernels:
    """Return five in a row played in the enclosing square."""
    return plain_game(5)._replace(moves=build_zone_moves(build_square(margin)))


# *by Experiments*
#
# **Distance in the score.** A cut forgets what lies beyond it. The wish was to keep every point, and let
# the score say that near ones are more promising. With $d$ the Chebyshev distance of a child to the
# nearest stone, the larger of rows and columns, a term that fades with the visits $n$ is added to the
# bound of room 5:
#
# $$\frac{m}{n} + c \sqrt{\frac{\ln N}{n}} + \frac{w}{d \, (n + 1)}$$
#
# This is progressive bias (Chaslot and others, 2008). `nearest_moves` lists the empty points, near
# ones first, and keeps $d$ where the engine keeps its prior.


# by Experiments · every empty point, the nearest first
@jit
def widen_rows(near, rows):
    """Add to near[EDGE : EDGE + rows] all points that touch one of its points."""
    below = np.int32(0)
    for row in range(EDGE, EDGE + rows):
        above = near[row + 1] if row + 1 < EDGE + rows else np.int32(0)
        wide, below = below | near[row] | above, near[row]
        near[row] = wide | wide << 1 | wide >> 1


@jit
def nearest_moves(s, had, want, options):
    """Append up to `want` empty points to s.moves[:had], near ones first; return the length.

    s.priors takes the Chebyshev distance of each to the nearest stone, 1 on an empty board.
    """
    near, length, distance = s.board.near, had, 0
    for row in range(s.geo.rows):
        near[row + EDGE] = s.board.stones[row] | s.board.stones[s.geo.half + row]
    while length < had + want and distance < max(s.geo.rows, s.geo.size):
        distance += 1
        widen_rows(near, s.geo.rows)
        if had > 0 and distance < s.priors[had - 1]:  # all of these are listed
            continue
        for i in range(s.geo.points):
            point = np.int64(s.order[i])
            if length == had + want:
                break
            if is_candidate(s, point) and not is_listed(s.moves, length, point):
                s.moves[length], s.priors[length] = point, distance
                length += 1
    if length == 0:
        s.priors[0] = 1
        return first_moves(s)
    return length


# *by Experiments*
#
# A child without visits is a question of its own. If each is visited once before any is visited twice,
# as room 5 has it, the term comes too late: on a large board most nodes have more children than visits.
# So `near_ucb` gives an unvisited child a score as well, that of its node less a little (`unvisited`, as
# in `puct`) and the whole term $w / d$. The first visit then has to be earned: *first-play urgency*
# (Gelly and Wang, 2006). With `unvisited` $= -\infty$ each child is visited once first, as wished.


# by Experiments · select with the distance in the score
@jit
def near_ucb(s, tree, node, untried, options):
    """Return the child with the highest Q + c sqrt(ln N / n) + w / (d (n + 1)); 0: none.

    w is options.c_prior, d the child's prior. `untried`, the nearest child without visits,
    counts as its node less options.unvisited, without the square root.
    Source: the term after Chaslot and others 2008, progressive bias.
    """
    record = tree[node]
    first, best, chosen = np.int64(record.first), -math.inf, np.int64(0)
    if untried > 0:
        known = 1 - record.W64 / (64 * max(1, record.N)) - options.unvisited
        best, chosen = known + options.c_prior / tree[untried].prior, np.int64(untried)
    curiosity = options.c_uct * math.sqrt(math.log(max(1, record.N)))
    for i in range(first, first + record.tried):
        child = tree[i]
        if options.solve and is_settled(child.status, record.N):
            continue
        r = child.inv_sqrt
        score = r * (child.W64 / 64 * r + curiosity)
        score += options.c_prior / (child.prior * (child.N + 1))
        if score > best:
            best, chosen = score, np.int64(i)
    return chosen


@lru_cache
def distance_game() -> Kernels:
    """Return five in a row with every point as a child, and the distance in the score."""
    return plain_game(5)._replace(moves=nearest_moves, select=near_ucb)


# *by Experiments*
#
# Each wish is a player now: UCT as in `plain_uct`, with another game. The margin, the plies and the
# weights were chosen in short matches with another seed: margins of 0 to 2, the first 6 to 20 plies,
# weights of ¼ to 16 for the term, of ¼ to 4 where it also decides the first visit.


# by Experiments · the wishes as players
WISHES = {  # name: (what makes the game, options that differ)
    "near set": (lambda: near_game(), {}),
    "neighbours only": (lambda: near_game(NEIGHBOURS_ONLY), {}),
    "enclosing square": (lambda: square_game(), {}),
    "restricted opening": (lambda: near_game(NEIGHBOURS_ONLY, 10), {}),
    "distance term": (lambda: distance_game(), {"c_prior": 2.0, "unvisited": -math.inf}),
    "distance urgency": (lambda: distance_game(), {"c_prior": 0.5}),
}


def wish_player(name: str, simulations: int | None = None, seconds: float | None = None):
    """Return a player by its name in WISHES; KeyError for another."""
    make_game, changes = WISHES[name]
    options = SearchOptions(solve=False)._replace(**changes)
    return searcher(lambda rules: kernels_for(rules, make_game), options, seconds, simulations)


# *by Experiments*
#
# `python -m experiments wishes` lets each of them play plain UCT and the near set, at equal
# *simulations* a move; the last of them also meets `classic`, which knows shapes. The figure shows the
# scores against plain UCT, the table all of them.


# by Experiments · the table of wishes
def wishes_rows(table) -> dict:
    """Return {column: {(wish, board): score and interval}}, a column for each rival."""
    columns: dict = {}
    for row in table.itertuples():
        column = columns.setdefault(f"v {row.rival}, {row.simulations:,}", {})
        score = f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})"
        column[row.wish, row.board] = score
    return columns


def wishes_found(table) -> str:
    """Return which wishes beat plain UCT beyond doubt, which do not, and what they cost."""
    found: dict = {"helps": [], "hurts": [], "open": []}
    for (wish, board), games in table.groupby(["wish", "board"], sort=False):
        helps, hurts = (games.low > 0.5).all(), (games.high < 0.5).all()
        found["helps" if helps else "hurts" if hurts else "open"].append(f"{wish} ({board})")
    helps, hurts, open_ = (", ".join(each) or "none" for each in found.values())
    times = table["ms a move a"] / table["ms a move b"]
    return (
        f"Interval above ½ at each budget: {helps}. Below ½: {hurts}. Neither, or not at "
        f"each: {open_}. A move takes {times.min():.2f} to "
        f"{times.max():.2f} times as long as plain UCT's."
    )


def show_wishes() -> None:
    """Show the table of wishes, or say in a sentence how to make it."""
    table = stored_results("wishes")
    if table is None:
        return
    plain = table[table.rival == "plain UCT"]
    labels = [f"{row.wish}, {row.simulations:,}" for row in plain.itertuples()]
    scores = zip(plain.board, labels, plain.score, strict=True)
    said = "; ".join(f"{board}, {label}: {score:.2f}" for board, label, score in scores)
    show(
        results_figure(plain, labels),
        f"Scores against plain UCT with their intervals. {said}.",
        f"{wishes_found(plain)} Simulations a move are equal. {results_words(table)}.",
    )
    show_rows(wishes_rows(table))


# *by Experiments*
#
# ## 18 · Essays
#
# Five questions, one from each author. Every number that we measured stands in a table or figure of this
# notebook, computed by the cell beside it or kept from a long match. What the authors of
# the course notebook tried or wished for is taken up where it belongs:
#
# | wish of the course notebook | taken up by |
# |---|---|
# | matrix computation instead of loops; larger boards | Rules |
# | thinking a few steps ahead; parallel search; stopping at sure wins | Search |
# | distance in the UCB score; the enclosing square; restricting the opening; Node X | Heuristics |
# | showing what the computer thinks | Interface |
# | saying whether a change helped | Experiments |


# *by Rules*
#
# ### Why is 8×8 a draw and 15×15 a win?
#
# Because a win needs room: black wins by making threats faster than white can answer them, and on a
# small board the edges take away the lines on which threats would meet.
#
# White can never win against perfect play, on any board. Suppose white had a winning plan. Black
# could place a first stone anywhere, then follow white's plan as if that stone were not there; an extra
# stone never hurts its owner in freestyle. So black would win too, and both cannot. This argument, called
# strategy stealing, goes back to John Nash and is told for games like this one by Beck (2008, chapter 1).
# It leaves two outcomes, and does not say which.
#
# Other people's proofs do. Allis, van den Herik and Huntjens (1993) searched 15×15 and found a win for
# black. Hsu and others (2020) searched 7×7 and 8×8 and found draws. What follows does not prove these
# results again. It asks what in the rules makes the boards differ, and whether our engine, which
# knows neither proof, plays accordingly.
#
# **What breaks: the room for lines.** A stone in the open takes part in twenty lines of five, five in
# each direction. Near an edge it takes part in fewer. The first table counts. On 8×8 not one point
# has all twenty, because nobody can be four points away from every edge. On 15×15 a good part of
# the board has. A line that does not exist cannot be threatened.


# by Rules · the lines of five on a board
def long_lines(size: int) -> list[list[int]]:
    """Return every row, column and diagonal of at least five points, as lists of points."""
    inside, lines = range(size), []
    for down, right in DIRECTIONS:
        for row in inside:
            for col in inside:
                if row - down in inside and col - right in inside:
                    continue  # the line began earlier
                steps = [(row + k * down, col + k * right) for k in inside]
                line = [r * size + c for r, c in steps if r in inside and c in inside]
                lines += [line] if len(line) >= 5 else []
    return lines


def lines_through(size: int) -> np.ndarray:
    """Return how many fives go through each point, int[size, size]."""
    through = np.zeros(size * size, int)
    for line in long_lines(size):
        for first in range(len(line) - 4):
            through[line[first : first + 5]] += 1
    return through.reshape(size, size)


# *by Rules*
#
# **The simplest proof of a draw, and why it fails.** White can draw at once if the points can be put into
# pairs so that every line of five holds a pair: whenever black takes one point, white takes its partner,
# and no line is ever all black (Hales and Jewett, 1963). Two neighbouring points lie together in at
# most four fives of their line, so a row of eight needs one pair, right in its middle, and a row of nine
# needs two. The last two columns of the table set the points of a board beside the points that all pairs
# together need. From 9×9 on there are not enough. Up to 8×8 the count allows a pairing.
#
# The count is not the whole story. All windows of five of an eight-point line share just its two middle points, and
# six such lines cross at the four middle points of 8×8. The next cell looks for a pairing with one
# pair a line. It finds one on 5×5, drawn below, and proves that there is none on 6×6 to 8×8. Could a line
# have two pairs instead, one for some of its windows and one for the others? On 6×6 and 7×7 the points
# do not suffice for a single such line. On 8×8 four of the six crossing lines would need it, and the
# cell counts what that takes: more points than the board has.


# by Rules · a pair of points for every line, if that can be
def pairing(size: int) -> dict[int, int] | None:
    """Return {point: number of its line}, two points a line that all its fives share.

    None if no such pairing exists. Each line asks for two points; a point that is taken is
    given up if its owner finds another one (Kuhn's method of augmenting paths).
    """
    lines, owner = long_lines(size), {}
    shared = [line[len(line) - 5 : 5] for line in lines]  # in every five of the line

    def find(line: int, seen: set) -> bool:
        for point in shared[line]:
            if point not in seen:
                seen.add(point)
                if point not in owner or find(owner[point], seen):
                    owner[point] = line
                    return True
        return False

    found = all(find(line, set()) for line in range(len(lines)) for _ in range(2))
    return owner if found else None


# *by Rules*
#
# So the draw on 8×8 cannot be read off a picture: it takes a search, and Hsu and others made one. Does
# ours come to the same? The figure below has the engine play itself from the empty board, on ever
# larger boards, with the same small budget and other random numbers in each game.


# by Rules · black's results by board size
def show_sizes() -> None:
    """Show how games of the engine with itself end by board size, or how to measure it."""
    table = stored_results("sizes")
    if table is None:
        return
    figure = new_figure(9.6, 3.2)
    ax = figure.subplots()
    places, left = range(len(table)), np.zeros(len(table))
    looks = {
        "won": ("0.15", "black wins"),
        "drawn": ("0.75", "draw"),
        "lost": ("white", "white wins"),
    }
    for column, (fill, _) in looks.items():
        share = 100 * table[column] / table.games
        ax.bar(places, share, bottom=left, color=fill, edgecolor="0.15", width=0.75)
        left += share
    ax.set_xticks(places, table.board)
    ax.set_ylabel("share of the games, %")
    ax.legend([look[1] for look in looks.values()], loc="center left", bbox_to_anchor=(1, 0.5))
    ax.spines[["top", "right"]].set_visible(False)
    results = zip(table.board, table.won, table.drawn, table.lost, strict=True)
    said = "; ".join(f"{board} {w}–{d}–{x}" for board, w, d, x in results)
    even = table.board[(table.low <= 0.5) & (table.high >= 0.5)]
    above = table.board[table.low > 0.5]
    show(
        figure,
        f"Stacked bars by board size: black wins, draws, white wins. {said}.",
        f"Black won, drawn, white won: {said}. The 95 % interval of black's score holds ½ on "
        f"{', '.join(even) or 'no board'} and lies above it on {', '.join(above) or 'none'}. "
        f"From the empty board, 1,000 simulations a move; of the games on a board "
        f"{span(table['different games'])} are different ones. {results_words(table)}.",
    )


# *by Rules*
#
# No rule of the engine names a board size, though its judge learnt from games on several. The change
# from all draws to all wins begins just after pairings run out of points and is complete where much of
# the middle has its twenty lines. *8×8 is a draw* in room 17 adds the other half: from the empty board the engine has not lost to any opponent that it met.
#
# **Larger boards**, 16×16 for one, were a wish of the course notebook. The rules, the
# search and the window go to 20×20; the speed table of room 17 says what that costs. On a board that large
# black's advantage is large, which is why tournaments use balanced openings such as swap2
# (`studies/desk.ipynb`, a second notebook for records and reviews, plays it).
#
# **Matrices instead of loops** were another: test all windows of five at once instead of walking through
# the board. *Matrices instead of loops* in room 17 tries it in three forms and times them. For one board
# at a time they lose to the simple observation that only lines through the last stone can have
# changed: that test looks at four lines, whatever the board, and matrices cannot beat not looking. They
# come into their own where a thousand boards are asked at once.
#
# **Limits.** The bars show one engine with one budget, playing a copy of itself; where both sides
# share a blind spot, a win may pass unseen. They do not prove that 9×9 is a draw or 12×12 a win.
# For boards between 8×8 and 15×15 we know of no published proof. The pairing argument says what a *pairing* cannot
# do; other plans draw where no pairing exists, as 8×8 shows. And all this holds for freestyle: where
# six in a row do not count, or some moves of black are forbidden, the balance shifts.
#
# *Read more:* J. Beck, *Combinatorial Games: Tic-Tac-Toe Theory*, 2008; A. W. Hales and R. I. Jewett,
# *Regularity and Positional Games*, Transactions of the American Mathematical Society 106, 1963; Allis and
# others and Hsu and others, room 19.


# *by Search*
#
# ### Why the most visited move, and not the best value?
#
# Because a visit is given for everything that was known at the time, while a value can be luck. That is
# the textbook's answer. We measured it, and the difference is smaller than the textbooks make one
# expect.
#
# **Two rules.** When the time is up, each child of the root has a value $Q$ and visits $N$. Browne and
# others (2012, section 3.1) list the choices: the *max child* has the highest value, the *robust child*
# the most visits, the *max-robust child* both, and the *secure child* the highest lower bound. The course
# notebook plays the robust child, and so do we.
#
# **What could break.** A value after few visits is mostly luck. The figure *How sure is a value?* in room
# 16 shows it twice: the intervals widen to the right, where visits are few, and most grey dots lie
# below the blue ones. The twelve moves stand there because one search liked them. Ask other
# seeds, and the liking shrinks. Decision theorists call this the optimizer's curse (Smith and Winkler,
# 2006): whoever picks the best of many estimates is disappointed on average. So the best value of
# sixty children should be a trap.
#
# **Does it?** The next cell lets both rules choose from the same trees, and a third one that subtracts the
# bonus of UCB instead of adding it. A deeper search of the engine then judges every chosen
# move. If visits were the wiser rule, its moves would be worth more.


# by Search · three ways to choose at the root
def root_choices(tree: Tree) -> dict[str, int]:
    """Return {rule: the point that it chooses} among the root's children."""
    children, total = tree.root.children, math.log(max(2, tree.root.N))
    rules = {
        "most visited": lambda child: (child.N, child.Q),
        "best value": lambda child: (child.Q, child.N),
        "lower bound": lambda child: child.Q - 0.5 * math.sqrt(total / child.N),
    }
    return {name: max(children, key=rule).point for name, rule in rules.items()}


def worth_of(game: Game, point: int, simulations: int) -> float:
    """Return the value of a move for the player who makes it, by a search of the reply."""
    after = game.copy()
    after.play(point)
    if after.over:
        return float(abs(after.winner))
    reply = think(after, simulations=simulations, seed=1)
    if reply.why == "blocks five":  # forced: the value is that of the position after it
        return -worth_of(after, reply.move, simulations)
    return -1.0 if math.isnan(reply.value) else -reply.value


# *by Search*
#
# All rules read the same tree of each position, so a difference comes from the rule alone, not from the
# luck of a search.


# by Search · what the choices of each rule are worth
def compare_choices(openings, rules: Rules, kernels, options, simulations, judge_by):
    """Return what each rule's choices are worth, and how often two rules differ.

    simulations   of the trees that all rules read; judge_by: of the searches that judge
    Returns {rule: float[positions]}, and in how many the most visited is not the best value.
    """
    found, differ = {}, 0
    for number, moves in enumerate(openings):
        game = Game.from_text(moves, rules=rules)
        own = options._replace(seed=number)
        *_, (_, tree, _) = growing(game, [simulations], kernels, own)
        choices = root_choices(tree)
        worths = {point: worth_of(game, point, judge_by) for point in set(choices.values())}
        for rule, point in choices.items():
            found.setdefault(rule, []).append(worths[point])
        differ += choices["most visited"] != choices["best value"]
    return {rule: np.array(worths) for rule, worths in found.items()}, differ


# *by Search*
#
# With the engine the rules often disagree, with plain search seldom, and what they choose is worth nearly
# the same. Where the last column's interval holds 0, nothing is shown at all. Why is the curse so mild? Because UCB audits its own
# estimates. A child that looks best is visited next, again and again, until its luck has run out or its
# value has stood the test. What still leads in value at the end has been looked at. The curse may be
# worse for a search that spreads its visits evenly. Kocsis and Szepesvári (2006) state the fine point
# for UCT: the chance to choose a wrong move at the root goes to zero as simulations grow,
# and Bubeck, Munos and Stoltz (2009) show what it costs to explore for a good *sum* of rewards when
# only the last *choice* counts.
#
# Two reasons for visits remain. They only grow, so the choice is calm: a window that showed the best value
# would flicker. And they carry weight where trees are added up, as with threads. Against them
# stands one: visits remember. When the search changes its mind, as in *When the favourite settles*, the
# new favourite must first overtake old votes. A certain result waits for nobody: a child that is
# proven won is played whatever its visits, and one that is proven lost is not.
#
# **Thinking a few steps ahead** was what the authors of the course notebook missed in their program, and no
# tuning of $c$ gave it. The figures of room 16 say why. With all moves allowed, plain search gets only a
# few plies deep on 15×15, however long it runs (*How deep the tree reaches*), and $c$ only moves visits
# between wide and narrow (*The price of curiosity*). Depth came from the other side: priors
# let the tree leave bad moves alone, and the searches for fours and threats read a line to its end
# because it leaves so few replies.
#
# **Stopping at sure wins** was another wish. The solver does it properly: a win or loss that is certain
# travels up the tree (Winands, Björnsson and Saito, 2008), and no simulation goes there again. The table
# *each idea switched off* in room 17 puts a number on it, and the number is a disappointment: its
# interval holds ½. The search for fours at each node probably finds most of those wins first. The solver
# stays, for it is what lets the program say *proven*.
#
# **Parallel search.** Chaslot, Winands and van den Herik (2008) compare three ways: many playouts from one
# leaf, one tree for each thread, or one tree for all. We built the second, the simplest: the
# trees share nothing, and their root visits are added. *More cores, more time* in room 17 shows what it
# brought: more simulations, and a score that cannot be told from ½. Two small trees are not one large
# tree; neither looks deeper than the other.
#
# **What failed.** Beside the second thread, two more ways to spend time better gained nothing that their
# matches could show: to think on while the other side thinks, and to give a clear move less time and a
# doubtful one more. The second was nearly judged too early. At first its moves were so short that the
# rule never came into play; both sides then made equal numbers of simulations, and that gave it away.
# Look at what a switch *did* before you believe what it was worth.
#
# **Limits.** The worth of a move in the table is another search's opinion, by the same engine with a
# larger budget, on one board size. Differences of a hundredth are at the edge of what that can see. On
# 15×15, where moves are many, the rules may part ways; we did not measure it.
#
# *Read more:* J. E. Smith and R. L. Winkler, *The Optimizer's Curse*, Management Science 52, 2006; S. Bubeck,
# R. Munos and G. Stoltz, *Pure Exploration in Multi-armed Bandits Problems*, ALT 2009; G. Chaslot,
# M. Winands and H. J. van den Herik, *Parallel Monte-Carlo Tree Search*, Computers and Games, 2008; the
# others in room 19.


# *by Heuristics*
#
# ### What does knowledge cost, and when does it lie?
#
# It costs most of the speed, and it lies when it is allowed to forbid. Knowledge that only *advises* can be
# wrong without harm: the search finds out.
#
# **The price.** Plain search knows the rules and nothing else. `classic` scores every candidate by the
# shapes around it, as the course notebook did. The engine keeps shapes up to date, looks for fours at
# every node, and judges a position instead of playing it out. The table puts side by side what each
# makes in a second and how it fares against the player before it, with the time a move that its name
# says.


# by Heuristics · what knowledge costs and what it buys
def show_price() -> None:
    """Show each player's rate and its score against the one before, or how to measure it."""
    import pandas as pd
    from IPython.display import display

    speed, ladder = read_results("speed"), read_results("ladder")
    if speed is None or ladder is None:
        print("experiments/results lacks speed.csv or ladder.csv: README says what makes them")
        return
    rows = []
    for what, player in (
        ("plain UCT, compiled", "plain UCT"),
        ("classic, compiled", "classic"),
        ("engine", "engine 0.02 s"),
    ):
        for board in ("8×8", "15×15"):
            rate = speed[(speed.what == what) & (speed.board == board)]["per second"].iloc[0]
            match = ladder[ladder.a.str.startswith(player) & (ladder.board == board)].iloc[0]
            rows.append(
                {
                    "player": match.a,
                    "board": board,
                    "simulations a second": f"{rate:,.0f}",
                    "against": match.b,
                    "score": f"{match.score:.2f}",
                    "95 % interval": f"{match.low:.2f} to {match.high:.2f}",
                }
            )
    display(pd.DataFrame(rows).set_index(["player", "board"]))


# *by Heuristics*
#
# On 15×15 every step loses simulations and wins nearly every game, the engine with a fifth of the time.
# Two hundred points are too many to learn about by random games: whoever knows where to look
# is ahead of whoever looks often. On 8×8 the same steps show less: more of the games are drawn, and
# the intervals hold ½.
#
# **Node X.** Now the lie. The course notebook tells of a position in which the only defence was a child
# of the root, and another child was visited more. The authors blamed the constant $c$. The figure *Node X,
# before and after* in room 16 shows two different failures. Plain search does not concentrate there: a
# random game hardly ever contains the winning line, so all moves look alike. `classic` concentrates
# completely, on a wrong move. Its best candidate scores above 2,000, the rule says that such a move
# needs no rivals, and the two points that hold are never looked at.
#
# **How often?** The puzzles of room 17 have known answers, so the cut can be tried on each of them without
# any search. The next table counts the puzzles in which at least one right move survives the cut to five
# candidates, and then the cut to one.


# by Heuristics · what the cuts leave
def best_candidates(game: Game, options: SearchOptions) -> list[int]:
    """Return the points that classic's search would look at first, best score first."""
    s = new_search(shaped_game(), game, seed=1)
    begin_shapes(s)
    count = candidates(s, 0, options.keep, options)
    return s.moves[:count].tolist()


def show_cut() -> None:
    """Show how often the cuts leave a right move, or say how to measure it."""
    from IPython.display import display

    table = stored_results("cut")
    if table is None:
        return
    columns = ["puzzles", "left by the cut to five", "left by the cut to one"]
    total, five_left, one_left = (int(table[name].sum()) for name in columns)
    print(
        f"In {five_left} of {total} puzzles a right move survives the cut to five, "
        f"in {one_left} the cut to one."
    )
    display(table[["kind", *columns]].set_index("kind"))


# *by Heuristics*
#
# Read it beside the table *Puzzles* in room 17, where each player has a second a move. Plain search,
# which knows nothing, solves more of them than `classic` does, though not of every kind: it may look at
# every point, and makes enough simulations to stumble on the answer. The traps are made of exactly this: positions in
# which the move with the highest score loses. A score is a sum over four lines, and a sum cannot say that
# a *different* line decides the game.
#
# **What to do instead.** The engine turns the same knowledge into a prior (PUCT, room 12): the best-looking
# child is visited first and most, the others wait, and none is forbidden except by proof. In the table
# *each idea switched off* the row *hard cut to five* takes that freedom away again. It is the idea
# with the largest score of all.
#
# **The distance in the score.** The course notebook cuts its candidates off at distance $\sqrt{18}$ from any
# stone and wondered about a softer rule, a distance inside the UCB score; about the smallest square that
# encloses the stones; and about restricting the opening moves. Room 17 tries all three in the
# section *What the course notebook wished for*, each as a small game or policy handed to the same
# search. On 15×15 most of them help plain search, and the crudest helps most: only the
# points that touch a stone. As a term in the bound, distance helps with few simulations and hardly with
# many, for it fades with the visits; where it also decides *when* a child gets its first visit, it
# does much. But against `classic` even that rule wins next to nothing on 15×15, and far less than half
# on 8×8. Where to look is worth less than what to look for.
#
# **When advice lies.** Advice is not free of danger. At Node X the point that `classic` chooses has by far the
# highest prior as well; only the proof that it loses takes it off the list. A prior that is very wrong
# delays the right move, since PUCT gives a child of low prior its turn only as $\sqrt{N}$ grows. The judge
# is worse off: its value *is* the leaf's result, and a plan that never occurred in the games it learnt
# from is worth nothing to it.
#
# **What failed.** Searching for wins by threats, the most knowing part of all, shows no gain in *each idea
# switched off* at that speed; nor does the rule that declares positions without a live line drawn. Knowledge that is
# true can still cost more than it brings. Chaslot and others (2008) saw the same with their
# progressive strategies: expensive knowledge pays once a node has enough visits to deserve it.
#
# **Limits.** The puzzles were made by search from games of this engine and of random players, so they
# show what *they* get into. The rates at the head of this essay hold for the machine that ran it. And the scores of the shapes are
# the course notebook's own; better numbers would lie less often, but a hard cut would still lie.
#
# *Read more:* G. Chaslot and others, *Progressive Strategies for Monte-Carlo Tree Search*, 2008, on bias and
# widening; C. D. Rosin, 2011, on priors in the bound; F. Teytaud and O. Teytaud, *On the Huge Benefit of
# Decisive Moves in Monte-Carlo Tree Search Algorithms*, IEEE CIG 2010, on the cheapest knowledge there
# is; the first two in room 19.


# *by Interface*
#
# ### How do you show a mind changing?
#
# Slowly, in one place, with few numbers, and on the board where the reader is looking already.
#
# A search changes its mind several times within the first moments, and now and then much later. The course
# notebook printed two matrices after each
# move, sixty-four visit counts and sixty-four bounds. That is honest, and nobody can read it while
# playing. It also comes too late: the interesting part, when the favourite fell, is over.
#
# **How often does the mind change?** The figure takes positions a few stones into the game and asks, at
# each number of simulations, in how many of them the present favourite is already the move that will
# be played in the end. Where the curve is low a window that showed everything would show something
# that is about to be taken back.


# by Interface · how soon the favourite is the final one
def favourites(game: Game, counts, seed: int) -> list[int]:
    """Return the most visited move of one search of the engine at each count."""
    options = SearchOptions(seed=seed)
    return [thought.move for _, _, thought in growing(game, counts, None, options)]


def minds(size: int, positions: int, counts, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the share of positions whose favourite is the final one, and all changes.

    share    float[counts]      changes   int[positions]: how often the favourite changed
    """
    rules = Rules(size)
    games = [
        Game.from_text(o, rules=rules) for o in random_openings(rules, positions, 4, seed)
    ]
    moves = np.array([favourites(game, counts, seed + i) for i, game in enumerate(games)])
    changes = (moves[:, 1:] != moves[:, :-1]).sum(axis=1)
    return (moves == moves[:, -1:]).mean(axis=0), changes


def minds_figure(counts, shares: dict):
    """Return a figure with a curve for each {board: share of settled positions}."""
    figure = new_figure(7.2, 3.2)
    ax = figure.subplots()
    for (board, share), mark in zip(shares.items(), "os", strict=False):
        ax.semilogx(counts, 100 * share, f"{mark}-", markersize=4, label=board)
    ax.set(xlabel="simulations", ylim=(0, 102))
    ax.set_ylabel("favourite is the final choice,\n% of positions")
    ax.legend(fontsize=8, frameon=False)
    ax.grid(color="0.9")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


# *by Interface*
#
# So the first moments are noise, and the late changes are news. All of this curve lies within the first
# tenth of a second or so of the engine's thinking; the window's first picture comes when most changes
# are over. A display should let the noise pass and make the news visible. Four decisions follow.
#
# **Show shares, not counts.** A count grows all the time, so every number on the board would flicker. A
# share moves only when the search prefers something else. The heatmap of the window draws each move's
# share as a disc whose area and shade both grow; Cleveland and McGill (1984) rank area low and shading
# lowest among the ways to show a quantity, so the three largest shares are also written. What has less than
# one in a hundred is not drawn at all.
#
# **Keep time out of the picture, then bring it back.** While the program thinks, the board shows only *now*. What
# happened before belongs in a line: the estimated result move by move, as in the replay of room 16 and
# in the reviews of `studies/desk.ipynb`. A turning point is a corner in that line, and a click goes to
# the move. Position along a common scale is what the eye judges best, by the same authors.
#
# **Answer at once.** Nielsen (1993, chapter 5) gives three limits: within a tenth of a second the system
# seems to react at once, within a second the thought is not broken, and after ten attention is gone.
# A click therefore places the stone before the search is even asked, and the search runs beside the
# window in a thread of its own. The next cell times one picture of the whole window.


# *by Interface*
#
# **Say it in words.** The board cannot say *why*. The panel does: the move, the reason ("five", "VCF", "most
# visited"), and a verdict. A verdict in numbers tempts people to read decimals, so a proven
# result is called a win and gives its length, and anything else is an expectation in percent, by
# name: black expects so much. A screen reader reads the same words, and the replay announces to
# it each move that is stepped to.
#
# **Never colour alone.** This is criterion 1.4.1 of the Web Content Accessibility Guidelines, and it
# is good advice on paper too. Black and white stones differ in fill; the last stone has a mark; the winning
# line has a stroke; the heatmap has numbers. The second theme is black on white for those who need contrast,
# and every text in either theme has a contrast of at least 4.5 to 1, which a test computes.
#
# **One picture, everywhere.** The same `draw` paints the window, the board inside the notebook, the pictures in
# this text, and the surfaces that the tests look at. That was the decision that paid most. A fault
# seen in one place is mended in all, and a test can look at the pixels that a player sees.
#
# **What failed.** Numbers on every point: correct, and unreadable from the first look. Asking the widget to
# draw from the thread that thinks: it does nothing, and says nothing; the picture must be asked for
# from the loop of events. Animations as matplotlib exports them: far larger than the whole replay, and
# their buttons are blank where there is no network. And a live widget leaves nothing behind in an
# exported page. So every board in this notebook leaves a still picture with its description.
#
# **Limits.** We tested that the window answers, not that people understand it. No user study stands behind
# the choice of discs over squares, or of three numbers over five; they are judgements. And a change of
# the favourite between two equally good moves, which the figure counts like any other, is not a change
# of mind in any sense that a player would care about.
#
# *Read more:* W. S. Cleveland and R. McGill, *Graphical Perception*, Journal of the American Statistical
# Association 79, 1984; J. Nielsen, *Usability Engineering*, 1993; *Web Content Accessibility Guidelines* 2.2,
# W3C, 2023.


# *by Experiments*
#
# ### How many games until you may say “stronger”?
#
# Dozens for a large improvement, hundreds for a moderate one, thousands for a small one; and you must
# decide how many *before* the first game is played.
#
# The course notebook shows one game, a draw. A report on Connect-4 (Paraschiv, 2024) shows a hundred games
# for each of its pairs and reads results such as 47 to 53 and 43 to 57 as an advantage of the second
# player. Room 17 put these scores into an interval: 47 of 100 fits equal players, and so does 43 of
# 100. The report's two players were in fact equal: the same program, twice.
#
# **What a score is.** A match of $n$ games between two players gives a score, and the score of another
# match between the same two would be a little different. Wilson's interval (1927) holds the true score
# in about 95 of 100 matches. If it holds ½, the match does not say who is stronger. Agresti and Coull
# (1998) compare it with its rivals, and find that the textbook formula fails near 0 and 1, where many
# of our scores lie, and Wilson's does not.
#
# **How many games, then?** The table turns the question round. Suppose that the new player really scores so
# much: how long must a match be, so that its interval lies above ½ with a chance of four in five? The
# answer grows as the inverse square of the advantage. To halve the advantage that you can see,
# you need four times the games.


# by Experiments · how long a match must be
def chance_to_show(games: int, score: float) -> float:
    """Return how likely a match of that many games, without draws, shows a score above 1/2.

    score   the true chance to win a game, 0...1
    """
    wins = np.arange(games + 1)
    choose = [
        math.lgamma(games + 1) - math.lgamma(k + 1) - math.lgamma(games - k + 1) for k in wins
    ]
    likely = np.exp(choose + wins * np.log(score) + (games - wins) * np.log(1 - score))
    shows = np.array([wilson(int(k), games)[0] > 0.5 for k in wins])
    return float(likely[shows].sum())


def games_needed(score: float, chance: float = 0.8) -> int:
    """Return the smallest length in steps of two per cent that shows the score so often."""
    games = 10
    while chance_to_show(games, score) < chance:
        games = max(games + 2, round(1.02 * games / 2) * 2)
    return games


# *by Experiments*
#
# **What breaks: looking too often.** It is tempting to watch a match and to stop when the interval
# leaves ½. Each look is a new chance to be fooled. The figure plays matches between *equal* players, by
# a fair coin, and looks after every ten games. The shaded funnel holds the scores that do not
# say anything; a curve that leaves it would be called a discovery by someone who stops there. At
# the end few curves are outside. At some time on the way many more were.


# by Experiments · what looking early does
def peeking(matches: int, games: int, every: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the running scores of matches between equals, [matches, looks], and the looks."""
    chance = np.random.default_rng(seed)
    wins = chance.integers(0, 2, (matches, games), np.int8).cumsum(axis=1, dtype=np.int32)
    looks = np.arange(every, games + 1, every)
    return wins[:, looks - 1] / looks, looks


def funnel(looks: np.ndarray) -> np.ndarray:
    """Return for each number of games the least score whose interval lies above 1/2."""
    least = [next(k for k in range(n // 2, n + 1) if wilson(k, n)[0] > 0.5) for n in looks]
    return np.array(least) / looks


def outside(scores: np.ndarray, looks: np.ndarray) -> np.ndarray:
    """Return where a score's interval leaves 1/2 on either side, bool of the same shape."""
    return np.abs(scores - 0.5) >= funnel(looks) - 0.5 - 1e-12


def peeking_figure(scores: np.ndarray, looks: np.ndarray, shown: int = 40):
    """Return a figure of the first matches; those that leave the funnel are coloured."""
    figure = new_figure(9.6, 3.6)
    ax = figure.subplots()
    scores = scores[:shown]
    out, edges = outside(scores, looks), funnel(looks)
    ax.fill_between(looks, 1 - edges, edges, color="0.92", label="the interval holds ½")
    for score, left in zip(scores, out, strict=True):
        ax.plot(looks, score, color="tab:red" if left.any() else "0.6", linewidth=0.9)
    ax.plot([], [], color="tab:red", label="left the funnel at some look")
    ax.plot([], [], color="0.6", label="never left it")
    ax.set(xlabel="games", ylabel="score so far", xlim=(looks[0], looks[-1]), ylim=(0.2, 0.8))
    ax.legend(fontsize=8, frameon=False, loc="upper right")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


# *by Experiments*
#
# Wald (1945) showed how to look after every game and still be right: use a limit that is wider from
# the start. We took the plainer way: each match in room 17 has a length that was fixed
# first, and its games are kept whatever came out.
#
# **Draws are information.** On 8×8 nearly all games of the engine with itself are drawn. Wilson's formula takes
# each draw as half a win and half a loss, as if the score were a coin thrown $n$ times, and so its interval
# is far too wide. Counting the three results apart gives the standard error of the mean itself. The
# next table does that for the matches of *each idea switched off* on 8×8. The counted intervals are
# several times narrower. One that lies above ½ may be a gain that Wilson's hid, or the accident that
# so many rows make likely: only a new match can tell.


# by Experiments · an interval that knows of draws
def counted_interval(won: int, drawn: int, lost: int) -> tuple[float, float]:
    """Return the score plus and minus 1.96 standard errors of a mean of 1, 1/2 and 0."""
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    spread = (won + drawn / 4) / games - score**2
    reach = 1.96 * math.sqrt(max(spread, 0) / games)
    return score - reach, score + reach


def show_draws() -> None:
    """Show the 8x8 rows of the ablation with both intervals, or say how to measure them."""
    import pandas as pd
    from IPython.display import display

    table = stored_results("ablation")
    if table is None:
        return
    rows = table[table.board == "8×8"]
    results = list(zip(rows.won, rows.drawn, rows.lost, strict=True))
    wilsons = zip(rows.low, rows.high, strict=True)
    counted = [counted_interval(*result) for result in results]
    frame = pd.DataFrame(
        {
            "full against": rows.b,
            "won–drawn–lost": ["–".join(map(str, result)) for result in results],
            "Wilson": [f"{low:.3f} to {high:.3f}" for low, high in wilsons],
            "counted": [f"{low:.3f} to {high:.3f}" for low, high in counted],
        }
    )
    display(frame.set_index("full against"))


# *by Experiments*
#
# **What else can lie.** *Colours:* black has the advantage (see the essay on the rules), so each opening is
# played twice with the colours exchanged. *Openings:* two programs without chance would play one
# game over and over; random stones make the games differ. *Time:* at equal simulations a slow, clever
# player looks stronger than it is, at equal time a busy machine blurs both; the tables say which was
# equal. *Controls:* one row of *each idea switched off* is the engine against itself. If it were far from
# ½, no other row could be believed.
#
# **What failed.** Several of our own ideas did not survive a match. The search for threats, the solver and
# the rule for dead lines show no gain at that speed: their intervals hold ½. A second thread makes more
# simulations, and its match shows no gain either. The tables keep these rows. A
# table of successes only would say nothing, since of forty useless ideas one looks useful at 95 %.
#
# **Limits.** An interval speaks of chance alone. It does not know that both players share an author, that
# openings near the middle are not the games people play, or that a few hundredths of a second are not
# ten seconds. "Stronger" in this notebook means: against that player, on that board, at that budget.
#
# *Read more:* E. B. Wilson, room 19; A. Agresti and B. A. Coull, *Approximate Is Better than "Exact" for
# Interval Estimation of Binomial Proportions*, The American Statistician 52, 1998; A. Wald, *Sequential
# Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945.


# *by Experiments*
#
# ## 19 · Limits and sources
#
# **What it does not see.** The program looks for wins by continuous fours at every node, and for wins by
# threats (fours and open threes) at the root, each within a number of positions that the options set. A win that needs a quiet
# move first it finds only as far as its tree reaches. What the weights of `judge` say of a quiet
# position comes from its own games: a plan that it never plays, it never learnt to value.
#
# **What is proven, and what is not.** `Thought.proven` rests on complete lists of moves, or on lists
# whose missing moves are shown to lose; tests compare it with brute force. A move that is called a
# *defence* only means that no win against it was found.
#
# **What is not claimed.** The speeds hold for the machine and the run that printed them. The match
# results hold for the players, the budgets and the board sizes named beside them, within the
# intervals given.
#
# **What is known of the game.** On 15×15 the first player wins (Allis, van den Herik and Huntjens,
# 1993); on 7×7 and 8×8 perfect play is a draw (Hsu and others, 2020). The second player never wins
# against perfect play: an extra stone never hurts.


# *by Experiments*
#
# ### Sources
#
# - *Project 5002: Five-in-a-Row Game*, a course notebook: the task, the UCB constant, the shapes,
#   the scores, the cut to five candidates.
# - A.-I. Paraschiv, *Beating Connect-4 with a Reinforcement Learning Algorithm*, report, TU Delft, 2024:
#   its tables are discussed in room 18.
# - P. Auer, N. Cesa-Bianchi, P. Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*,
#   Machine Learning 47, 2002: UCB1.
# - L. Kocsis, C. Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006: UCB in a tree (UCT).
# - C. Browne and others, *A Survey of Monte Carlo Tree Search Methods*, IEEE Transactions on
#   Computational Intelligence and AI in Games 4(1), 2012: the four steps, Algorithms 2 and 3.
# - G. Chaslot and others, *Progressive Strategies for Monte-Carlo Tree Search*, New Mathematics and
#   Natural Computation 4(3), 2008: progressive bias, and children added as visits grow.
# - S. Gelly, Y. Wang, *Exploration Exploitation in Go: UCT for Monte-Carlo Go*, NIPS workshop, 2006: what
#   an unvisited child counts as (first-play urgency).
# - M. H. M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search Solver*, Computers and Games,
#   2008: wins, losses and draws that are certain travel up the tree.
# - C. D. Rosin, *Multi-armed Bandits with Episode Context*, Annals of Mathematics and Artificial
#   Intelligence 61, 2011: priors in the bound (PUCT); D. Silver and others, *Mastering the Game of Go
#   with Deep Neural Networks and Tree Search*, Nature 529, 2016: the form used here.
# - I.-C. Wu and others, *On Strength Adjustment for MCTS-Based Programs*, AAAI 2019: levels by drawing
#   a move in proportion to a power of its visits.
# - L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, *Go-Moku Solved by New Search Techniques*,
#   AAAI Technical Report FS-93-02, 1993: 15×15 is a win for the first player.
# - W.-Y. Hsu, C.-L. Ko, J.-C. Chen, T.-H. Wei, C.-H. Hsueh, I.-C. Wu, *On solving the 7,7,5-game
#   and the 8,8,5-game*, Theoretical Computer Science 815, 2020, pages 79–94: both are draws.
# - D. P. Kingma, J. Ba, *Adam: A Method for Stochastic Optimization*, ICLR 2015: how the weights of the
#   judge were fitted.
# - E. B. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of
#   the American Statistical Association 22, 1927: the interval of a score.
# - A. L. Zobrist, *A New Hashing Method with Application for Game Playing*, Technical Report 88,
#   University of Wisconsin, 1970: how a position becomes a number.
# - D. E. Knuth, *The Art of Computer Programming* 2, section 3.3.4: the multiplier of the random
#   numbers.
#
# What only one essay uses is named at its end.

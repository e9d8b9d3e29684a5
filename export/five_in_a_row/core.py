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
import contextlib
import copy
import dataclasses
import math
import os
import re
import sys
import textwrap
import threading
import time
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

BLACK, WHITE = 1, -1
COLOUR = {BLACK: "black", WHITE: "white", 0: "nobody"}


def scale(quick, full):
    """Return the first number where FIVE_MODE=quick is set, as tests do, else the second."""
    return quick if os.environ.get("FIVE_MODE") == "quick" else full


# *by Interface*
#
# The engine stands in the package that the notebooks in `studies/` make; the functions below load it
# when they are first called.


# by Interface · what the package offers, loaded when it is first used
FOLDER = Path("export")
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))
LAST_LEVEL = 10  # full strength


def borrowed(module, name):
    """Return a function that loads the one of that name from the package and calls it."""

    def call(*arguments, **options):
        from importlib import import_module

        return getattr(import_module(f"five_in_a_row.{module}"), name)(*arguments, **options)

    return call


think, check_level = borrowed("engine", "think"), borrowed("engine", "check_level")
classic, forced_move = borrowed("search", "classic"), borrowed("search", "forced_move")
is_seconds = borrowed("search", "is_seconds")


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


def place_tree(node, y, depth, width, free, places, lines, total=None):
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
    tree: object = field(default=None, repr=False)

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
        level = neighbour(range(1, LAST_LEVEL + 1), self.played.level or LAST_LEVEL, step)
        self.played.level = None if level == LAST_LEVEL else level

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
        "level": f"Level {played.level or LAST_LEVEL}",
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
            about += f", level {own or LAST_LEVEL}"
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
# Here is the game that the Play cell has recorded. Drag the slider, click on a move or on the curve, or
# use the arrow keys, Home, End and the space bar. Under the stones lies the search that chose the
# move on view; the move itself wears its share of the visits.


# *by Experiments*
#
# ### Node X, before and after
#
# Room 10 showed a position in which plain search overlooks the only two defences, room 13 showed that
# the engine finds one. Here are the visits side by side. Plain search spreads its visits; `classic`
# is cut to its candidates; the engine has dropped every move that loses to threats.


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


# *by Experiments*
#
# **What breaks: looking too often.** It is tempting to watch a match and to stop when the interval
# leaves ½. Each look is a new chance to be fooled. The figure plays matches between *equal* players, by
# a fair coin, and looks after every ten games. The shaded funnel holds the scores that do not
# say anything; a curve that leaves it would be called a discovery by someone who stops there. At
# the end few curves are outside. At some time on the way many more were.


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

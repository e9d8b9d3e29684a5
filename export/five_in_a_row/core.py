# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


# *by Interface*
#
# # Five in a row
#
# Play five in a row against Monte Carlo Tree Search, look at what it saw, and change how it thinks. This
# notebook builds the search from its four steps in plain Python, gives it the shapes of the game, and puts it
# behind a board of pygame. The strongest opponent is an engine made from the same ideas.
#
# ![A game in the window: a board of 8 by 8 points with black and white stones](images/window_8x8.png)


# *by Interface*
#
# **To play**, run the next cell, or all cells: a board opens at once, in a window or, where there is no
# display, inside this notebook. You are black and move first on 8×8 points. Click a point to place a stone;
# `?` lists the keys. Close the window to go on: the heatmaps below then show your game.
#
# **To change the program**, edit the rollout of [section 6](#6.-Simulate) or the scores of [section
# 10](#10.-Heuristic-child-selection), run the cell again, and choose *mine* as the *Opponent* on the board of
# [section 13](#13.-Play): its next search uses what you wrote.


# *by Interface*
#
# ## Authors
#
# Every part names the role that wrote it. A team puts its own names into the second column.
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | the rules, the game, the winner test |
# | Search | *(name)* | the node, the four steps, the loop |
# | Heuristics | *(name)* | shapes, scores, the cut and the prior |
# | Interface | *(name)* | the window, the Play cell |
# | Experiments | *(name)* | the figures, the comparisons |


# *by Interface*
#
# ## Contents
#
# With twenty minutes, follow the ★: read the prose of these sections, of each essay the first paragraph, and
# of the code only `Node`, `simulation`, `score_of`, `best_candidates` and `puct`; then play. A word that is
# new to you stands in the [terms](#Terms), with a link to where it is explained.
#
# JupyterLab draws a long notebook bit by bit, and until a section is drawn its link does nothing. *View › Table
# of Contents* lists the same sections, and a click there waits for its section.
#
# | section | question |
# |---|---|
# | ★ [1. How MCTS thinks](#1.-How-MCTS-thinks) | How does the program find a move? |
# | [2. Rules and the game](#2.-Rules-and-the-game) | What is played, and who has won? |
# | ★ [3. The game node](#3.-The-game-node) | What does the search remember of a position? |
# | ★ [4. Select](#4.-Select) | Which child is visited next? |
# | ★ [5. Expand](#5.-Expand) | When does the tree grow? |
# | ★ [6. Simulate](#6.-Simulate) | How is a game finished at random? |
# | ★ [7. Backpropagate](#7.-Backpropagate) | Who earns what from a result? |
# | ★ [8. The loop](#8.-The-loop) | How do four steps become a player? |
# | ★ [9. What plain search misses](#9.-What-plain-search-misses) | Where do random games fail? |
# | ★ [10. Heuristic child selection](#10.-Heuristic-child-selection) | Which moves deserve a visit? |
# | [11. The same, compiled](#11.-The-same,-compiled) | How much faster can it be? |
# | [12. The pygame window](#12.-The-pygame-window) | How is the board drawn and played on? |
# | [13. Play](#13.-Play) | Can you beat it? |
# | ★ [14. Heatmaps and replay](#14.-Heatmaps-and-replay) | What did it see in the game just played? |
# | ★ [15. Essays](#15.-Essays) | What did each author find out? |
# | [16. Limits and sources](#16.-Limits-and-sources) | What is missing, and whose ideas are these? |


# *by Search*
#
# ## 1. How MCTS thinks
#
# A game on 8×8 points has more continuations than any program can read. Monte Carlo Tree Search (MCTS) does
# not try. It plays the game to its end thousands of times, partly at random, and remembers how often each
# first move, each reply, and each reply to a reply led to a win. What went well is looked at more closely.
# What went badly is looked at less, but never quite forgotten.
#
# What it remembers is a **tree**. The root is the position on the board. Each **node** below it is the
# position after one move, and holds two numbers:
#
# - $n$, the **visits**: how many of those games passed through it;
# - $m$, the **reward**: how many of them the player who moved into it has won, a draw counted ½.
#
# So $m/n$ is the average result of the move. After few visits it is mostly luck. After many it means
# something, because the tree is not only wide but deep. Where a reply refutes a move, the search finds it
# there again and again, the games through that move are lost, and its share falls.
#
# The task, and the search as its authors wrote it, are those of a *course notebook*; [section
# 16](#16.-Limits-and-sources) names it. Nothing in this is special to five in a row. The search needs to
# know which moves are legal and who has won, and nothing else. That is its charm, and, as [section
# 9](#9.-What-plain-search-misses) shows, its weakness.
#
# One **simulation** visits at most one new node, in four steps:
#
# 1. **Select.** From the root down, while every move of a node has been tried, go to the child with the
#    highest *upper confidence bound*, $\text{UCB} = \frac{m}{n} + c \sqrt{\frac{\ln N}{n}}$. $N$ is the
#    visits of the parent, and $c$ a constant. The first term asks what has earned most; the second, what is
#    known least.
# 2. **Expand.** At the first node with a move that has not been tried, add it as a child.
# 3. **Simulate.** Finish the game from there by random moves. This step alone is a *rollout* or *playout*,
#    not a simulation.
# 4. **Backpropagate.** Go back up. Every node on the path gains one visit and the reward of its own player:
#    what one side wins, the other loses.
#
# ![One simulation in four panels, on a small tree: the path that select follows, the new
# child that is added, the random game from it, and the numbers m/n on the path after
# backpropagation](images/four_steps.png)
#
# *One simulation of a real search on a small board: the path follows the highest bounds, gains a child, and
# learns how a random game from there ended. The visits of the root are those of its children; any other node
# has one more, from its own random game.*
#
# To fit the page, each node tries only four moves. Each box holds a move and $m/n$. When the time is up, the
# most visited child of the root is played. Sections [4](#4.-Select), [5](#5.-Expand), [6](#6.-Simulate) and
# [7](#7.-Backpropagate) come back to this drawing.


# *by Rules*
#
# ## 2. Rules and the game
#
# Two players put stones on the points of a grid in turn. Black moves first. Whoever first has five or more of
# their own stones in an unbroken line, along a row, a column or a diagonal, has won. A full board without
# such a line is a draw. The game is called *freestyle* gomoku.
#
# A few words recur. A *point* is a crossing of the grid where a stone may stand. A *ply* is one move by one
# player. A *five* is five or more stones of one colour in a line, and the *value* of a move is what it has
# earned on average.
#
# The first cell holds the tools of all later ones. Colours are numbers, so that `-colour` is the other side.
# `scale` chooses between two amounts of work: a small one when tests run this notebook in a hurry, and a
# large one otherwise.


# by Rules · what every later cell needs
import copy
import importlib.util
import io
import logging
import math
import os
import re
import sys
import textwrap
import threading
import time
import traceback
import warnings
from collections import namedtuple
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

VERSION = "2.0"  # of this notebook and of the package that goes with it
BLACK, WHITE, EMPTY = 1, -1, 0
COLOUR = {BLACK: "black", WHITE: "white", EMPTY: "nobody"}


def scale(quick, full):
    """Return the first number where FIVE_MODE=quick is set, as tests do, else the second."""
    return quick if os.environ.get("FIVE_MODE") == "quick" else full


# *by Rules*
#
# Four values fix a game. They travel together in one tuple, passed to whatever needs them. Other games fit as
# well: tic-tac-toe is `Rules(3, 3)`, Connect Four is `Rules(7, 4, rows=6, gravity=True)`. Nobody can play on
# two points a side, or to two and a half in a row; `check_rules` says so before anything is computed from
# such numbers.


# by Rules · the values that make a game
class Rules(NamedTuple):
    """What is played: `size` columns, `rows` rows, and how many in a row win."""

    size: int = 8  # columns, 3 to 20
    in_a_row: int = 5  # this many or more win, 3 to 8
    rows: int | None = None  # 3 to 20; None: as many as columns
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
# Whoever calls a function may get an argument wrong: a text for a number, a `None`, half a simulation. The next cell
# checks such arguments. Each check returns a plain value or raises a `ValueError` that names the argument, what was
# given, and what is allowed, so that nothing is computed from nonsense. Python counts `True` as the number 1, so
# `is_whole` looks out for it. `refused`, one cell further, shows a refusal.


# by Rules · arguments, checked by name
def is_whole(value) -> bool:
    """True for an integer, numpy's included, that is neither a truth value nor a time."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def quoted(value) -> str:
    """Return a value as it is written, on one line and cut after 60 characters."""
    try:
        text = " ".join(repr(value).splitlines())
    except Exception:  # Python writes no whole number of more than 4,300 digits
        text = f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else f"{text[:60]}…"


def check_number(name: str, value, least=0, most=math.inf, whole=False):
    """Return an int or a float from `least` to `most`; ValueError says what is allowed.

    whole   True: only an integer will do; False: a float as well, but never NaN
    """
    fits = is_whole(value) or (isinstance(value, float | np.floating) and not whole)
    if fits and least <= value <= most:
        try:
            return int(value) if whole else float(value)
        except OverflowError:  # an integer beyond all floats
            return math.inf if value > 0 else -math.inf
    kind = "a whole number" if whole else "a number"
    limits = f"from {least:,} up" if most == math.inf else f"from {least:,} to {most:,}"
    raise ValueError(f"{name} must be {kind} {limits}, not {quoted(value)}")


# by Rules · switches, functions and games, checked by name
def check_switch(name: str, value) -> bool:
    """Return True or False, numpy's included; ValueError for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, not {quoted(value)}")
    return bool(value)


def check_functions(**given) -> None:
    """Raise ValueError unless each of the named arguments is a function or None."""
    for name, value in given.items():
        if value is not None and not callable(value):
            raise ValueError(f"{name} must be a function or None, not {quoted(value)}")


def check_stop(stop) -> None:
    """Raise ValueError unless a stop flag is like a threading.Event, or None."""
    if stop is not None and not hasattr(stop, "is_set"):
        raise ValueError(f"stop must be a threading.Event or None, not {quoted(stop)}")


def check_game(game):
    """Return the game; ValueError for what has no rules, array, to_move and over."""
    if not all(hasattr(game, name) for name in ("rules", "array", "to_move", "over")):
        raise ValueError(f"game must be a Game, not {quoted(game)}")
    return game


def check_unfinished(game):
    """Return the game; ValueError where there is no move to find, or no game."""
    if check_game(game).over:
        raise ValueError("the game is over: there is no move to find")
    return game


# by Rules · refuse a game that cannot be played
def check_rules(rules: Rules) -> Rules:
    """Return the rules as plain integers, or raise ValueError that says what is allowed."""
    if not all(hasattr(rules, name) for name in Rules._fields):
        raise ValueError(f"rules must be Rules, such as Rules(15), not {quoted(rules)}")
    size = check_number("size", rules.size, 3, 20, whole=True)
    rows = size if rules.rows is None else check_number("rows", rules.rows, 3, 20, whole=True)
    in_a_row = check_number("in_a_row", rules.in_a_row, 3, 8, whole=True)
    return Rules(size, in_a_row, rows, check_switch("gravity", rules.gravity))


def refused(action, *given, **how) -> None:
    """Print the ValueError of a call that must be refused."""
    try:
        raise AssertionError(f"this was taken: {action(*given, **how)!r}")
    except ValueError as error:
        print("refused:", error)


# *by Rules*
#
# A point has three names. On a board 8 wide, `"e4"` is how people say it, `(3, 4)` is its row and column, counted from
# 0, and 28 is the integer that the search uses:
# $\text{point} = \text{row} \cdot \text{size} + \text{col} = 3 \cdot 8 + 4$. Row 0 is line 1, at the bottom. `divmod`
# gives row and column back. `to_point` takes any of the three forms; invalid input raises an error that names the valid
# ones.


# by Rules · from a point to its name, and from what people write to the point
def point_name(point: int, size: int) -> str:
    """Return the name of a point, such as "h8" (column letter, then line number from 1)."""
    row, col = divmod(point, size)
    return f"{chr(ord('a') + col)}{row + 1}"


def to_point(move, rules: Rules) -> int:
    """Return the integer of a move given as int, (row, col) or a name such as "h8".

    Raises ValueError for anything else and for a point off the board.
    """
    size, rows = rules.size, rules.height
    if isinstance(move, str):
        found = re.fullmatch(r"\s*([a-z])([1-9][0-9]?)\s*", move.lower())
        if not found:
            said = "write a letter and a number, as in c3"
            raise ValueError(f"{quoted(move)} is not a move: {said}")
        row, col = int(found[2]) - 1, ord(found[1]) - ord("a")
    elif is_whole(move):
        row, col = divmod(move := int(move), size)
    elif isinstance(move, tuple | list) and len(move) == 2 and all(map(is_whole, move)):
        row, col = map(int, move)
    else:
        raise ValueError(f"{quoted(move)} is not a move: give a name, (row, col) or a point")
    if not (0 <= row < rows and 0 <= col < size):
        last = f"{point_name(rules.points - 1, size)}, point {rules.points - 1}"
        raise ValueError(f"{quoted(move)} is off the board: it reaches from a1 to {last}")
    return row * size + col


# *by Rules*
#
# **Who has won?** Only the stone just played can have made a five, so it is enough to look along the four
# lines through it. From the last stone, walk both ways while the colour stays the same, $a$ points one way
# and $b$ the other: a line of $1 + a + b$ stones wins when that is at least five. The work does not grow with
# the board.
#
# **What may be played?** Any empty point; where stones fall, only the lowest empty point of each column.


# by Rules · the line through the last stone
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # along a row, a column, both diagonals


def winning_line(cells, point: int, in_a_row: int) -> list[int]:
    """Return the points of the first winning line through `point`, or [] if there is none.

    cells   rows of the board, lists or an array: +1 black, -1 white, 0 empty
    point   holds a stone
    """
    rows, size = len(cells), len(cells[0])
    row, col = divmod(point, size)
    colour = cells[row][col]
    for d_row, d_col in DIRECTIONS:
        line = [point]
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while 0 <= r < rows and 0 <= c < size and cells[r][c] == colour:
                line.append(r * size + c)
                r, c = r + sign * d_row, c + sign * d_col
        if len(line) >= in_a_row:
            return sorted(line)
    return []


# by Rules · where the next stone may go
def legal_points(cells, gravity: bool = False) -> list[int]:
    """Return the points that may be played, in rising order; `cells` are rows of the board."""
    size = len(cells[0])
    return [
        row * size + col
        for row, line in enumerate(cells)
        for col, stone in enumerate(line)
        if stone == EMPTY and not (gravity and row and cells[row - 1][col] == EMPTY)
    ]


def landing(game, point: int | None) -> int | None:
    """Return where a stone on that point would lie; a disc falls. None: nowhere."""
    legal, size = game.legal(), game.rules.size
    if point is None or not game.rules.gravity:
        return point if point in legal else None
    return next((p for p in legal if p % size == point % size), None)


# *by Rules*
#
# A board is printed with `X` for black and `O` for white, line 1 at the bottom. The other way round, a text
# such as `h8i9, g7` is a list of moves, and an array of numbers is a board that somebody has set up.


# by Rules · a board as text
def board_text(cells) -> str:
    """Return the rows of a board as text with coordinates: X black, O white, . empty."""
    lines = [
        f"{row + 1:2d} " + " ".join(".XO"[stone] for stone in cells[row])
        for row in reversed(range(len(cells)))
    ]
    return "\n".join([*lines, "   " + " ".join("abcdefghijklmnopqrst"[: len(cells[0])])])


# by Rules · moves from text, and a board from an array
BETWEEN = r"\s,;_/|→>–—-"  # what people write between moves
PIECE = re.compile(
    rf"(?P<move>[A-Za-z][0-9]+)|[0-9]{{1,3}}[.)]+|[{BETWEEN}]+|(?P<wrong>[^{BETWEEN}]+)"
)


def split_moves(text: str) -> list[str]:
    """Return the move names in a text such as "h8i9, g7" or "1. h8 i9 2. g7".

    Raises ValueError that quotes the first piece that is no move, and says where it stands.
    """
    moves = []
    for piece in PIECE.finditer(text):
        if piece["move"]:
            moves.append(piece["move"].lower())
        if wrong := piece["wrong"]:
            before = text[: piece.start()].split("\n")
            line = f"line {len(before)}, " if "\n" in text else ""
            place = f"{line}character {len(before[-1]) + 1}"
            wrong = wrong if len(wrong) <= 20 else f"{wrong[:20]}…"
            raise ValueError(f"{wrong!r} is not a move ({place}): write moves such as h8i9g7")
    return moves


def check_array(array) -> np.ndarray:
    """Return a set-up board as int8[rows, size]; ValueError for values but +1, -1, 0."""
    try:
        cells = np.asarray(array)
    except ValueError:
        raise ValueError("a board has rows that are equally long") from None
    if cells.ndim != 2:
        raise ValueError(f"a board has rows and columns, this array {cells.ndim} dimension(s)")
    if np.iscomplexobj(cells) or not np.isin(cells, (BLACK, WHITE, EMPTY)).all():
        raise ValueError("a board holds only +1 (black), -1 (white) and 0 (empty)")
    return cells.astype(np.int8)


# *by Rules*
#
# A `Game` changes by three functions. `play_move` plays a legal move whole, or refuses it with the reason and
# changes nothing. `undo_move` takes the last move back, and `redo_move` plays it again; `go_to` does so
# until a number of moves stand. A new move empties
# the list of moves that could be played again: the game went elsewhere. All stones are put on the board by
# `redo_move`, so there is one place where a winner is looked for.


# by Rules · may this point be played? Then play it
def why_illegal(game: "Game", point: int) -> str | None:
    """Return why `point` may not be played now, or None if it may."""
    point = to_point(point, game.rules)
    below, name = point - game.rules.size, point_name(point, game.rules.size)
    stone = game._cells.flat[point]
    if game.over:
        return f"{name} cannot be played: the game is over"
    if stone != EMPTY:
        return f"{name} cannot be played: a {COLOUR[stone]} stone stands there"
    if game.rules.gravity and below >= 0 and game._cells.flat[below] == EMPTY:
        return f"{name} cannot be played: stones fall, and the point below it is empty"
    return None


def play_move(game: "Game", move) -> int:
    """Play a point, a (row, col) or a name such as "h8", and return its point.

    Raises ValueError that names the point and the reason; the game is then as it was.
    """
    point = to_point(move, game.rules)
    if why := why_illegal(game, point):
        raise ValueError(why)
    game.undone = [point]
    return redo_move(game)


# by Rules · take a move back, and play it again
def undo_move(game: "Game") -> int:
    """Take the last move back and return its point. ValueError if there is none."""
    if not game.played:
        raise ValueError("there is no move to take back")
    game.undone.append(point := game.played.pop())
    game._cells.flat[point] = EMPTY
    game.five, game.to_move = [], -game.to_move
    return point


def redo_move(game: "Game") -> int:
    """Play again the move that was taken back last. ValueError if there is none."""
    if not game.undone:
        raise ValueError("there is no move to play again")
    game.played.append(point := game.undone.pop())
    game._cells.flat[point] = game.to_move
    game.five = winning_line(game._cells, point, game.rules.in_a_row)
    game.to_move = -game.to_move
    return point


def go_to(game: "Game", count: int) -> None:
    """Take moves back, or play them again, until that many stand, or as near as there are."""
    if not is_whole(count):
        raise ValueError(f"count must be a whole number of moves, not {quoted(count)}")
    while len(game.played) > max(0, count):
        game.undo()
    while len(game.played) < count and game.undone:
        game.redo()


# *by Rules*
#
# A game may also start from a list of moves, or from stones that somebody has set up. A set-up board is
# checked as a whole before it is taken over: its shape, its values, no stone that floats, no two winners.
#
# The class keeps the stones, whose turn it is, and the moves. A method is a function whose first argument is
# the object, so the functions above become methods of `Game` by a plain assignment.


# by Rules · a game from a list of moves, and from a set-up position
def moves_in(text: str, game: "Game"):
    """Yield the moves of a text, each to be played before the next: "h8i9, g7".

    Where stones fall, digits alone are columns from the left: "4455" is d1 d2 e1 e2.
    """
    digits = re.sub(f"[{BETWEEN}]", "", text)
    if not (game.rules.gravity and re.fullmatch("[1-9]+", digits)):
        yield from split_moves(text)
        return
    for column in map(int, digits):
        if column > game.rules.size:
            raise ValueError(f"there is no column {column}: the last is {game.rules.size}")
        top = game.rules.points - game.rules.size + column - 1
        lowest = landing(game, column - 1)
        yield top if lowest is None else lowest  # the game says why a full column is refused


def game_from_text(cls, text: str, size: int = 8, rules: Rules | None = None) -> "Game":
    """Return the game of a move list such as "h8i9g7", see moves_in."""
    if not isinstance(text, str):
        raise ValueError(f"text must be moves such as 'h8 i9 g7', not {quoted(text)}")
    game = cls(Rules(size) if rules is None else rules)
    for move in moves_in(text, game):
        game.play(move)
    return game


def game_from_array(cls, array, to_move: int, rules: Rules | None = None) -> "Game":
    """Return a game that starts from a set-up position; undo stops there.

    array     int[rows, size]   +1 black, -1 white, 0 empty
    to_move   +1 or -1; if a side already has its line, the game is over
    Raises ValueError for another shape, other values, a floating stone, or two winners.
    """
    cells = check_array(array)
    game = cls(Rules(cells.shape[1], rows=cells.shape[0]) if rules is None else rules)
    if not is_whole(to_move) or to_move not in (BLACK, WHITE):
        raise ValueError(f"to_move must be +1 (black) or -1 (white), not {quoted(to_move)}")
    if cells.shape != game.array.shape:
        shapes = "{}x{}, but the rules say {}x{}".format(*cells.shape, *game.array.shape)
        raise ValueError(f"the array has rows x columns {shapes}")
    if game.rules.gravity and ((cells[1:] != 0) & (cells[:-1] == 0)).any():
        raise ValueError("a stone floats above an empty point, but the rules say gravity")
    points = np.flatnonzero(cells).tolist()
    lines = [winning_line(cells, point, game.rules.in_a_row) for point in points]
    winners = {int(cells.flat[line[0]]): line for line in lines if line}
    if len(winners) == 2:
        raise ValueError("both sides have a winning line in this position")
    game._cells, game.to_move = cells, int(to_move)
    game.five = next(iter(winners.values()), [])
    return game


# by Rules · a game
class Game:
    """One game: its stones, whose turn it is, its moves; +1 is black, -1 is white."""

    def __init__(self, rules: Rules = Rules()):
        self.rules = check_rules(rules)
        self._cells = np.zeros((self.rules.height, self.rules.size), np.int8)
        self.to_move = BLACK
        self.five: list[int] = []  # the points of the winning line
        self.played: list[int] = []  # points, first move first
        self.undone: list[int] = []  # points that redo() will play, last one next

    play, undo, redo, go_to, why_illegal = play_move, undo_move, redo_move, go_to, why_illegal
    from_text, from_array = classmethod(game_from_text), classmethod(game_from_array)
    array = property(lambda self: self._cells.copy())  # int8[rows, size]
    moves = property(lambda self: [point_name(p, self.rules.size) for p in self.played])
    over = property(lambda self: bool(self.five) or bool(self._cells.all()))
    stage = property(
        lambda self: f"{self.rules.size}×{self.rules.height}, move {len(self.played)}"
    )

    @property
    def winner(self) -> int:
        """+1 or -1 when somebody has won; 0 while undecided or drawn."""
        return int(self._cells.flat[self.five[0]]) if self.five else 0

    def legal(self) -> list[int]:
        """Return the points that may be played now, in rising order; none after the end."""
        return [] if self.over else legal_points(self._cells.tolist(), self.rules.gravity)

    def copy(self) -> "Game":
        """Return a game of its own with the same position and history."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return board_text(self._cells)

    def __repr__(self) -> str:
        state = f"{COLOUR[self.winner]} has won" if self.winner else "draw"
        state = state if self.over else f"{COLOUR[self.to_move]} to move"
        board = f"{self.rules.size}x{self.rules.height}"
        return f"<Game {board}, {len(self.played)} moves, {state}>"


# *by Search*
#
# ## 3. The game node
#
# Each node of the tree stands for the position after one move. It keeps its board, its parent and its
# children, the move that led here and the player who made it. It counts its visits $n$, `N` in the code, and
# sums the reward $m$, `W`, of **the player who moved into it**. Their quotient
#
# $$Q = \frac{m}{n}$$
#
# is its mean reward so far, from 0 (always lost) to 1 (always won). In formulas $n$ belongs to a child and $N$
# to its parent.
#
# The point of view matters. At a node with black to move, every child was reached by a move of black, so
# black wants the child with the highest $Q$; and so does white, at a node with white to move. The root is the
# position to search: the player who is not to move has made its last move.
#
# `prior` says how promising the move looked before any visit; plain search treats all moves alike and leaves
# it at 1. A child makes its board only when it is first visited, since many never are. A program that copies
# the whole board into every child at once spends most of its time and memory on positions that nobody looks
# at.


# by Search · one node of the tree
@dataclass(eq=False)
class Node:
    """A position in the tree; W and Q are those of the player who moved into it."""

    rules: Rules
    player: int  # who moved into it: +1 black, -1 white
    cells: list | None = None  # rows of the board; None before the first visit
    point: int = -1  # the move that led here; -1 at the root
    parent: "Node | None" = None
    prior: float = 1.0  # how promising the move looked before any visit
    N: int = 0  # visits
    W: float = 0.0  # summed reward: 1 a win, 1/2 a draw, 0 a loss
    winner: int = 0  # +1 or -1 if this move won the game
    over: bool = False  # True: the game ends here
    complete: bool = False  # True: `children` holds every move there will be
    children: list["Node"] = field(default_factory=list)

    @property
    def Q(self) -> float:
        """The mean reward, 0...1; an unvisited node counts as a draw."""
        return self.W / self.N if self.N else 0.5

    @property
    def move(self) -> str:
        """The name of the move that led here; "" at the root."""
        return point_name(self.point, self.rules.size) if self.point >= 0 else ""

    def best(self) -> "Node | None":
        """The most visited child, the first of several; None without children."""
        return max(self.children, key=lambda child: child.N, default=None)

    def __repr__(self) -> str:
        return f"<Node {self.move or 'root'}: N={self.N}, W={self.W:g}, Q={self.Q:.3f}>"


def root_of(game) -> Node:
    """Return a node with the position of a game: anything with rules, array and to_move."""
    return Node(game.rules, -game.to_move, game.array.tolist())


# *by Search*
#
# ## 4. Select
#
# At each node the search chooses a child to visit again. It weighs how good the child has looked against how
# little is known of it. The rule is **UCB**, the upper confidence bound. For a child with $n$ visits and
# reward $m$, below a parent with $N$ visits,
#
# $$\text{UCB} = \frac{m}{n} + c \sqrt{\frac{\ln N}{n}}$$
#
# The first term is the mean result. The second, **exploration**, grows slowly with $N$ and shrinks with $n$,
# so a child that is passed over looks better and better until it is tried again. A child with $n = 0$ goes
# first: every child is visited once before any is visited twice. Equal bounds are decided at random.
#
# The name says how to read it. After $n$ games the mean $m/n$ is an estimate, and the true value may well be
# higher. The second term is roughly the width of that doubt. UCB compares the children by the best that may
# still be true of them: an optimist who is soon corrected, since a child that does not deserve its bound is
# visited, and the bound shrinks.
#
# Why the logarithm? Were its games independent, a child's true worth would exceed its bound with a probability
# of at most $N^{-2 c^2}$, whatever $n$ is ([Hoeffding](studies/search.ipynb#Select)). So all children run the
# same risk of being underrated, and as $N$ grows it fades.
#
# ![A board of five by five points with two numbered stones, and a search tree. In the tree the path
# from the root over two moves is highlighted; each child that was compared carries its UCB, and
# the path takes the highest at each step](images/step_select.png)
#
# *The highest bound decides at each node of the path. The walk ends at a node with a move that is untried.*
#
# In this and the next three drawings a node tries only four moves. The numbered stones are the moves of the
# path, so the board shows the position of its last node.
#
# The *exploration constant* $c$ says how many visits go to what is little known. For rewards from 0 to 1 the
# course notebook takes ½; Kocsis and Szepesvári's proof, $\sqrt 2$. Which plays better is
# [measured](studies/strength.ipynb#The-price-of-exploration). **Change it, run the cell: plain search uses the
# new value at once.** *Mine*, the opponent of the Play cell, has a constant of its own, `C_PRIOR` in [section
# 10](#10.-Heuristic-child-selection). The seed is where all random numbers of this notebook begin, and the time
# is that of the course notebook. `ucb` is the formula above: $m$ and $n$ are the child's `W` and `N`, and $N$
# is the parent's.


# by Search · what a search depends on, and UCB: edit, run this cell, search again
C = 0.5  # exploration constant of UCB
SECONDS = 9.99  # thinking time per move where none is given
SEED = 2024  # where the random numbers begin


def ucb(child: Node) -> float:
    """Return m/n + c sqrt(ln N / n) of a child. Source: Kocsis and Szepesvári 2006."""
    return child.W / child.N + C * math.sqrt(math.log(child.parent.N) / child.N)


# *by Search*
#
# Each line can be checked by hand: the second child has $16/24 = 0.667$, and to this $c = 0.5$ adds half of
# $\sqrt{\ln 106 / 24}$. Without exploration the search would stay with the child that happens to lead. With
# much of it, the child with two visits comes first, although it has earned nothing. In between, the second
# child beats the well-tried one: its mean is a little higher, and it is known less.
#
# **Random numbers** come from one integer of 64 bits that is multiplied, added to and cut off at each draw, a
# linear congruential generator with Knuth's constants; the same seed repeats the same search. [Section
# 6](#6.-Simulate) needs `shuffled`: it yields the points of the board in random order, a batch at a time,
# because most random games end before the last points are needed.


# by Search · random numbers that repeat
class RandomNumbers:
    """A linear congruential generator, and a list of points in random order."""

    def __init__(self, seed: int, points: int = 0):
        self.state, self.order = seed, list(range(points))
        for _ in range(4):  # spread a small seed over all bits
            self.below(2)
        for i in range(points - 1):
            self.swap(i)

    def below(self, n: int) -> int:
        """Return a random whole number from 0 to n - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.state >> 32) * n) >> 32

    def swap(self, i: int) -> None:
        """Swap the point at place i with itself or a random later one (Fisher and Yates)."""
        j = i + self.below(len(self.order) - i)
        self.order[i], self.order[j] = self.order[j], self.order[i]


# by Search · all points in random order
def shuffled(rng: RandomNumbers):
    """Yield the points of rng.order, shuffled in batches of 8 plus 1/8 of the rest."""
    done, points = 0, len(rng.order)
    while done < points:
        batch = range(done, min(points, done + 8 + (points - done) // 8))
        for i in batch:
            rng.swap(i)
        yield from rng.order[done : batch.stop]
        done = batch.stop


# *by Search*
#
# `select_ucb` goes through the children of a node. The $k$-th of several best bounds replaces the one chosen
# before it with probability $1/k$, so each is chosen equally often. Ties are common: after one visit each
# there are only three possible rewards. A search that always took the first of equals would prefer the moves
# that happen to be listed first.


# by Search · select: the child with the highest upper confidence bound
def select_ucb(node: Node, rng: RandomNumbers, score=None) -> Node:
    """Return the child to visit: the first without visits, else that with the highest UCB.

    score   a function of a child in place of ucb
    """
    score = score or ucb
    for child in node.children:
        if child.N == 0:  # its bound is infinite
            return child
    best, chosen, ties = -1.0, None, 1
    for child in node.children:
        bound = score(child)
        if bound > best:
            best, chosen, ties = bound, child, 1
        elif bound == best:
            ties += 1
            if rng.below(ties) == 0:
                chosen = child
    return chosen


# *by Search*
#
# ## 5. Expand
#
# When the walk of a plain search reaches a node with a move that has not been tried, it takes that move and
# goes no further down. UCB chooses only where every move has been tried. **A simulation visits one new
# node**, or none where it ends in a finished game.
#
# ![The same board with a third stone, and the same tree with a new box below the path. It holds no
# visits yet](images/step_expand.png)
#
# *One child is added below the last node of the path. It has no visits, and no other number has changed.*
#
# Which moves a node gets, and in which order, is a function that the search is given. Such a function returns
# the next moves with their priors, and nothing when no move is left. Plain search takes **every legal move in
# random order**, and treats all alike.
#
# One new node per simulation keeps the tree small where little is known, and spends each random game on a
# position that has not been seen.
#
# `every_move` draws points until one is free. It adds a few children at once, a third of those that are there
# plus one; the others wait for their first visit. Most nodes have few visits, so most of their moves are
# never listed at all, which saves memory.
#
# `expand` makes children of the moves. `place` gives a child its board at its first visit: that of its
# parent, and one stone. Then it checks along the four lines of that stone whether the game is over.


# by Search · the moves of plain search: all of them, in random order
def every_move(node: Node, rng: RandomNumbers) -> dict[int, float]:
    """Return {point: 1.0} of the next few untried moves; {} when none is left."""
    listed = {child.point for child in node.children}
    free = set(legal_points(node.cells, node.rules.gravity)) - listed
    want, moves = len(listed) // 3 + 1, {}
    while free and len(moves) < want:
        point = rng.below(node.rules.points)
        if point in free:
            free.remove(point)
            moves[point] = 1.0
    return moves


# by Search · expand: new children, and the board of one that is visited
def expand(node: Node, rng: RandomNumbers, moves) -> None:
    """Add the next moves(node, rng) as children; without any the node is complete."""
    offered = moves(node, rng)
    for point, prior in offered.items():
        child = Node(node.rules, -node.player, None, point, node, prior)
        node.children.append(child)
    node.complete = not offered


def place(child: Node) -> None:
    """Give a child its board, and note whether its move has ended the game."""
    row, col = divmod(child.point, child.rules.size)
    child.cells = [line[:] for line in child.parent.cells]
    child.cells[row][col] = child.player
    if winning_line(child.cells, child.point, child.rules.in_a_row):
        child.winner = child.player
    child.over = child.winner != 0 or all(map(all, child.cells))


# *by Search*
#
# ## 6. Simulate
#
# From the new node the game is finished by uniform random moves. The result is the first evidence on this
# node. One rollout says little; thousands of them rank the moves.
#
# ![The same board and tree. From the new box a wavy line leads down to the result of a random
# game, a loss for the player of the last stone](images/step_simulate.png)
#
# *A random game from the new child has a result, and nothing else of that game is kept.*
#
# A random game is a random order of the points, taken by black and white in turn; points with a stone are
# skipped. Where stones fall, a point stands for its column.
#
# Random moves are poor moves, and that is not a mistake. A rollout is not meant to be good play but a fair
# question: from here, who has more ways to win? The tree above it is where good play is found. Whether
# cleverer rollouts are worth their time is a question of its own; try it by writing another `rollout`. If a
# move of yours takes the place of the point that was drawn, keep that point for later, or the game ends
# before the board is full.


# by Search · simulate: finish the game at random
def rollout(node: Node, rng: RandomNumbers) -> int:
    """Return who wins a random game from here: +1, -1, or 0 for a draw."""
    rules, to_move = node.rules, -node.player
    cells = [line[:] for line in node.cells]
    for point in shuffled(rng):
        row, col = divmod(point, rules.size)
        if rules.gravity:  # the stone comes to lie on those of its column
            row = sum(line[col] != EMPTY for line in cells)
            point = row * rules.size + col
        if row < rules.height and cells[row][col] == EMPTY:
            cells[row][col] = to_move
            if winning_line(cells, point, rules.in_a_row):
                return to_move
            to_move = -to_move
    return 0


# *by Search*
#
# ## 7. Backpropagate
#
# The result travels up to the root. Every node on the path gains one visit, and the reward of its own player:
# 1 for a win, ½ for a draw, 0 for a loss. What is a win for the player of one move is a loss at the next, so
# the reward alternates between $r$ and $1 - r$:
#
# $$n \leftarrow n + 1, \qquad m \leftarrow m + r, \qquad r \leftarrow 1 - r$$
#
# ![The same board and tree. Each box on the path shows its new reward and visits, and below them
# what was added: one visit everywhere, and alternately 1 and 0 of reward](images/step_backpropagate.png)
#
# *Every node of the path gains one visit. The reward alternates, since each node counts for its own player.*
#
# Each node knows its own player, so the code needs no $r$: it compares that player with the winner. A program
# that credits one side everywhere still runs and still prints numbers. The assert below is how to notice.


# by Search · backpropagate
def backpropagate(node: Node, winner: int) -> None:
    """Add one result to a node and all above it, each from its own player's point of view.

    winner   +1 black, -1 white, 0 a draw
    Source: Browne et al. 2012, Algorithm 3 (negamax backup).
    """
    while node is not None:
        node.N += 1
        node.W += 0.5 if winner == 0 else float(winner == node.player)
        node = node.parent


# *by Search*
#
# ## 8. The loop
#
# Four steps, again and again. The walk selects a child until it stands on one without visits or at the end of
# a game. It expands where all children listed so far have visits. Then it simulates, and backpropagates.
#
# `moves` says which children a node gets, and `select` which of them is visited. These two are arguments,
# because they are where knowledge of the game can enter. The loop itself stays as it is.
#
# Read the code beside the four pictures. The `while` loop is the highlighted path. Its first two lines add
# children where none is waiting for its first visit; the third enters the one that waits, or follows UCB. A
# child without visits ends the walk. The last line simulates and backpropagates. A node where the game is
# over needs no rollout: its result is known, and it is counted each time the walk ends there.


# by Search · one simulation: select, expand, simulate, backpropagate
def simulation(root: Node, rng: RandomNumbers, moves, select) -> None:
    """Walk down from the root, visit one new node, and send its result back up.

    moves    moves(node, rng) -> {point: prior}, as every_move
    select   select(node, rng) -> the child to visit, as select_ucb
    """
    node = root
    while not node.over:
        if not node.complete and all(child.N for child in node.children):
            expand(node, rng, moves)
        node = select(node, rng)
        if node.N == 0:
            place(node)
            break
    backpropagate(node, node.winner if node.over else rollout(node, rng))


# *by Search*
#
# A search hands back a `SearchResult`: the move, and what stands behind it. Its boards have row 0 = line 1.
# `values` holds $2Q - 1$, from −1 to +1, for the side to move; UCB uses $Q$. Printed, it is the report that
# the course asks for after each move: thinking time, total simulations, visits and UCB, or whatever else
# selected.
#
# `read_root` fills it in. The move is the **most visited** child, ties at random: visits follow value, and
# one lucky rollout of a neglected child does not count for much.


# by Search · what a search found
@dataclass
class SearchResult:
    """What a search found, from the point of view of the side to move."""

    move: int  # the point to play
    why: str  # "most visited", "only candidate"; the engine knows more reasons
    visits: np.ndarray  # int64[rows, size]: visits of each move
    values: np.ndarray  # float64[rows, size]: 2 Q - 1, -1 lost to +1 won; NaN unvisited
    scores: np.ndarray  # float64[rows, size]: what selected, by `rule`; NaN unvisited
    simulations: int
    seconds: float
    line: list[int]  # the most visited line, `move` first
    proven: int | None  # +1, 0, -1 for the side to move; None where nothing is proven
    seed: int
    tree: object = field(default=None, repr=False)  # the root of the tree
    rule: str = "UCB"  # the formula of the scores: "UCB" or "PUCT"

    name = property(lambda self: point_name(self.move, self.visits.shape[1]), doc='As "h8".')
    value = property(lambda self: float(self.values.flat[self.move]), doc="-1...+1 or NaN.")
    worth = property(lambda s: s.value if s.proven is None else s.proven)

    def names(self, most: int = 10) -> str:  # of the line, as "h8 i9"
        return " ".join(point_name(p, self.visits.shape[1]) for p in self.line[:most])

    def top(self, most: int = 5) -> list[tuple[str, int, float, float]]:
        """Return (name, visits, value, score) of the most visited moves, best first."""
        boards, size = (self.visits, self.values, self.scores), self.visits.shape[1]
        order = np.argsort(-self.visits, axis=None, kind="stable")[:most].tolist()
        rows = [(p, *(board.flat[p].item() for board in boards)) for p in order]
        return [(point_name(p, size), visits, *row) for p, visits, *row in rows if visits]

    def __str__(self) -> str:
        rate = self.simulations / self.seconds if self.seconds else 0
        lines = [
            f"{self.name} ({self.why}): thinking time {self.seconds:.2f} s, total simulations "
            f"{self.simulations:,}, {rate:,.0f} per second"
        ]
        row = "  {:4s}visits {:>9,}   value {:+.3f}   {rule} {:.3f}"
        lines += [row.format(*move, rule=self.rule) for move in self.top()]
        return "\n".join([*lines, f"  line {self.names()}"])


# by Search · from the root to a result
def read_root(root: Node, seed: int, seconds: float = 0.0, score=ucb) -> SearchResult:
    """Return what the tree says now; `score` is what the children were selected by."""
    visits = np.zeros((root.rules.height, root.rules.size), np.int64)
    values, scores = np.full(visits.shape, np.nan), np.full(visits.shape, np.nan)
    visited = [child for child in root.children if child.N]
    for child in visited:
        visits.flat[child.point] = child.N
        values.flat[child.point], scores.flat[child.point] = 2 * child.Q - 1, score(child)
    ties = [child for child in visited if child.N == visits.max()]
    chosen = ties[RandomNumbers(seed).below(len(ties))]
    line, below = [chosen.point], chosen.best()
    while below and below.N:
        line, below = [*line, below.point], below.best()
    why = "only candidate" if root.complete and len(visited) == 1 else "most visited"
    found = why, visits, values, scores, root.N, seconds, line, None, seed, root
    return SearchResult(line[0], *found, score.__name__.upper())


# *by Search*
#
# A search may be limited by seconds, by simulations, or by both; whichever is used up first ends it.
#
# `plain_search` makes simulations until its time is up. It also looks at `stop`, a flag that another thread
# may raise, and about twenty times per second tells `on_progress` what it has found so far; the window draws
# its heatmap from that. At least one simulation is made, so there is always a move.
#
# `Thinking` is such a thread: the window stays alive while it searches. A *thinker* is any function with the
# arguments of `plain_search` and its kind of result. The thread works on a copy of the game, so nothing that a
# person does meanwhile can disturb it, and it changes nothing that the window reads. It only puts down its
# latest result, and looks at the flag. `hurry` raises it as soon as something has been found. What goes wrong
# inside is kept as well, and shown where somebody can see it.
#
# A **player** is a function of a game and a seed that returns a point, so that any two can meet in a match.
# The name `plain_uct_reference` says what it is for: to check and to compare the compiled `plain_uct`.


# by Search · seeds, levels and limits that make sense
def check_seed(seed) -> int:
    """Return a seed as an int; ValueError unless it is a whole number of 63 bits."""
    return check_number("seed", seed, 0, 2**63 - 1, whole=True)


def whole_level(level) -> int | None:
    """Return a level, from 1 to 10 or None; ValueError for anything else."""
    return None if level is None else check_number("level", level, 1, 10, whole=True)


def check_limits(seconds, simulations) -> tuple[float, float]:
    """Return both limits, infinite where not given; SECONDS if neither is. Or ValueError."""
    if seconds is None and simulations is None:
        seconds = SECONDS
    seconds = math.inf if seconds is None else check_number("seconds", seconds)
    if simulations is None:
        return seconds, math.inf
    return seconds, check_number("simulations", simulations, whole=True)


# by Search · the search
def plain_search(
    game, seconds: float | None = None, simulations: int | None = None, *,
    seed: int | None = None, moves=None, select=None, score=None, on_progress=None, stop=None,
) -> SearchResult:  # fmt: skip
    """Return what Monte Carlo Tree Search finds in a position; the game stays as it is.

    game            anything with rules, array, to_move and over
    moves, select   as in simulation(); every_move and select_ucb where not given
    score           a function of a child: what `select` compares; ucb where not given
    on_progress     called with a SearchResult about 20 times per second
    stop            a threading.Event that ends the search
    Raises ValueError for a game that is over, and for anything else that makes no sense.
    """
    check_stop(stop)
    check_functions(moves=moves, select=select, score=score, on_progress=on_progress)
    seconds, simulations = check_limits(seconds, simulations)
    seed = check_seed(SEED if seed is None else seed)
    check_unfinished(game)
    moves, select, score = moves or every_move, select or select_ucb, score or ucb
    root, rng = root_of(game), RandomNumbers(seed, game.rules.points)
    begun = shown = now = time.perf_counter()
    while root.N == 0 or (now - begun < seconds and root.N < simulations):
        simulation(root, rng, moves, select)
        now = time.perf_counter()
        if stop is not None and stop.is_set():
            break
        if on_progress is not None and now - shown >= 0.05:
            on_progress(read_root(root, seed, now - begun, score))
            shown = now
    return read_root(root, seed, now - begun, score)


# by Interface · a search in a thread
class Thinking(threading.Thread):
    """A search in a thread of its own; `result` is what it has found so far."""

    player = ""  # whose search it is, where that has a name

    def __init__(self, thinker, game: Game, purpose: str, **how):
        super().__init__(daemon=True)
        self.thinker, self.game, self.purpose, self.how = thinker, game.copy(), purpose, how
        self.result, self.error, self.stopped = None, None, threading.Event()
        self.hurried = False
        self.start()

    def run(self) -> None:
        how = self.how | {"stop": self.stopped, "on_progress": self.note}
        try:
            self.note(self.thinker(self.game.copy(), **how))
        except BaseException as error:
            self.error = error

    def note(self, result: SearchResult) -> None:
        self.result = replace(result, tree=None)
        if self.hurried:
            self.stopped.set()

    def hurry(self) -> None:
        """End the search as soon as it has found something."""
        self.hurried = True
        if self.result is not None:
            self.stopped.set()

    def stop(self, wait: float | None = None) -> None:
        """End the search soon; wait until it has ended, or at most that many seconds."""
        self.stopped.set()
        self.join(wait)


# by Search · players
def random_player(game, seed: int | None = None) -> int:
    """Return a legal point at random."""
    rng = np.random.default_rng(None if seed is None else check_seed(seed))
    return int(rng.choice(check_unfinished(game).legal()))


def searcher(search, simulations: int | None, seconds: float | None):
    """Return a player that plays what search(game, seconds, simulations, seed=...) finds."""
    check_limits(seconds, simulations)

    def play(game, seed: int | None = None) -> int:
        return search(game, seconds, simulations, seed=seed).move

    return play


def plain_uct_reference(simulations: int | None = None, seconds: float | None = None):
    """Return a player: UCT over every legal move, in plain Python."""
    return searcher(plain_search, simulations, seconds)


# *by Interface*
#
# What remains of a game is a `GameRecord`: the moves, who played which side, and for each move of the
# computer what its search found. A search is repeated exactly by its simulations, its seed and its
# level, so these three are kept as well, and whose search it was, since another opponent may be chosen in
# the middle of a game. When a move is played in place of one that was taken back, what
# belonged to the old one is forgotten; until then redo brings it back with all that was found.
#
# `new_record` makes one of a game that has not begun; what cannot be played is refused with a sentence that
# says what can.


# by Interface · the record of a game and of what the computer found
@dataclass
class GameRecord:
    """A game, who played it, and what its searches found; plies count from 0."""

    game: Game
    players: tuple[str, str] = ("person", "engine")  # black, white
    seconds: float | None = None  # the computer's budget for a move
    simulations: int | None = None
    seed: int = 0  # the search at ply p has seed + p
    level: int | None = None  # 1 to 10, or None for full strength
    results: dict[int, SearchResult] = field(default_factory=dict)  # without their trees
    searches: dict[int, tuple] = field(default_factory=dict)  # (simulations, seed, level)
    found_by: dict[int, str] = field(default_factory=dict)  # whose search it was
    resigned: int = 0  # the colour that has given up
    source: str = "person"  # or "saved game", "engine against classic"
    date: str = field(default_factory=lambda: time.strftime("%Y-%m-%d %H:%M"))
    saved: str = field(default="", repr=False)  # what the game file holds of this game

    over = property(lambda self: self.game.over or self.resigned != 0)
    sides = property(lambda self: dict(zip((BLACK, WHITE), self.players, strict=True)))
    persons = property(lambda self: tuple(c for c, n in self.sides.items() if n == "person"))

    def __post_init__(self):
        if not (isinstance(self.players, tuple) and len(self.players) == 2):
            raise ValueError(f"players must be two names, not {quoted(self.players)}")
        check_game(self.game), check_seed(self.seed), whole_level(self.level)
        check_limits(self.seconds, self.simulations)

    def play(self, move, result=None, level=None) -> None:
        """Play a move; `result` and `level` belong to the search that has found it."""
        if result is not None and not hasattr(result, "visits"):
            raise ValueError(f"result must be a SearchResult or None, not {quoted(result)}")
        ply, level = len(self.game.played), whole_level(level)
        name = self.sides[self.game.to_move]
        self.game.play(move)
        self.forget(ply)
        if result is not None:
            self.results[ply] = replace(result, tree=None)  # it may be large
            self.searches[ply] = result.simulations, result.seed, level
            self.found_by[ply] = name

    def forget_undone(self) -> None:
        """Forget what was found for moves that have been taken back."""
        self.forget(len(self.game.played))

    def forget(self, first: int) -> None:
        """Forget what was found for the move at that ply and all later ones."""
        for kept in (self.results, self.searches, self.found_by):
            for ply in [p for p in kept if p >= first]:
                del kept[ply]


# by Interface · what may be played
PERSONS = ("black", "white", "both", "none")  # the colours that a person may play


def new_record(
    size=8, seconds=5, human="black", level=None, rules=None, opponent="engine"
) -> GameRecord:
    """Return a game that has not begun; ValueError names what is allowed.

    size     3 to 20            seconds   the computer's time for a move, 0 to 3600
    human    one of PERSONS     level     1 (beginner) to 10, or None for full strength
    rules    Rules of another game, in place of `size`
    """
    rules = check_rules(Rules(size) if rules is None else rules)
    if not isinstance(human, str) or human not in PERSONS:
        allowed = "'black', 'white', 'both' or 'none'"
        raise ValueError(f"human must be {allowed}, not {quoted(human)}")
    if not isinstance(opponent, str):
        raise ValueError(f"opponent must be the name of one, not {quoted(opponent)}")
    seconds = check_number("seconds", seconds, 0, 3600)
    players = ("person" if human in (side, "both") else opponent for side in PERSONS[:2])
    seed = int(np.random.default_rng().integers(1 << 31))  # no two games alike
    limits = seconds, None, seed, whole_level(level)
    return GameRecord(Game(rules), tuple(players), *limits)


# *by Experiments*
#
# ### Figures of a search
#
# A table of numbers hides where on the board they lie. The figures of this notebook share one board: letters
# below, line 1 at the bottom, as in the text form. Each is shown with a description in words, for readers who
# cannot see it, and a caption that says what it shows.
#
# There is room for only a few characters on a point, so numbers are shortened before they are written, and
# only the three largest are. A bar below the board names the unit of its colours.


# by Experiments · display a figure with its description
def new_figure(width: float = 6.0, height: float = 4.0):
    """Return an empty matplotlib figure of that size in inches, known to nobody else."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # no word about its font cache
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def show(figure, alt: str, caption: str = "") -> None:
    """Display a figure as PNG with alternative text, print its caption, and close it.

    Where there is no notebook nothing is displayed. Raises ValueError without a description.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("a figure needs alternative text: say in words what it shows")
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=120)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
        show_png(png.getvalue(), alt, **({"caption": caption} if caption else {}))
    if caption:
        print(textwrap.fill(caption, 92))


# by Experiments · a picture in a third of the bytes
def show_png(png: bytes, words: str, show=None, **about) -> None:
    """Display a PNG with alternative text; with a palette, unless `show` displays it."""
    from IPython.display import display

    data = {"image/png": png if show else palettized(png), "text/plain": words}
    (show or display)(data, metadata={"image/png": {"alt": words} | about}, raw=True)


def palettized(png: bytes) -> bytes:
    """Return an opaque PNG with at most 128 colours; the same bytes give the same bytes."""
    from PIL import Image  # comes with matplotlib

    picture, small = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    picture = picture.quantize(128, kmeans=1, dither=Image.Dither.NONE)
    picture.save(small, "PNG", optimize=True)
    return small.getvalue()


# by Experiments · grid, letters and stones
SMALLEST = 7.5  # points: what a page can show of a figure that is 9.6 inches wide


def draw_board(ax, array, last: int | None = None, five=()) -> None:
    """Draw a board on matplotlib axes, line 1 at the bottom.

    array        int8[rows, size]   +1 black, -1 white, 0 empty
    last, five   points: the last stone gets a small square, the winning line a stroke
    """
    from matplotlib.patches import Circle

    (rows, size), cell = array.shape, cell_size(ax, array.shape)
    grid = {"color": "0.5", "alpha": 0.4, "linewidth": 0.6, "zorder": 2}
    ax.hlines(range(rows), 0, size - 1, **grid)
    ax.vlines(range(size), 0, rows - 1, **grid)
    step = 1 if cell > 9 else 2  # a small board names every second line
    names = {"fontsize": min(9, max(SMALLEST, 0.6 * cell * step))}
    ax.set_xticks(range(0, size, step), list("abcdefghijklmnopqrst"[:size:step]), **names)
    ax.set_yticks(range(0, rows, step), range(1, rows + 1, step), **names)
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    ax.tick_params(length=0, pad=1)
    ax.spines[:].set_visible(False)
    for row, col in np.argwhere(array):
        colour, mark = ("black", "white") if array[row, col] == BLACK else ("white", "black")
        look = {"facecolor": colour, "edgecolor": "black", "linewidth": 0.8, "zorder": 3}
        ax.add_patch(Circle((col, row), 0.42, **look))
        if row * size + col == last:
            ax.plot(col, row, "s", color=mark, markersize=max(1.5, 0.2 * cell), zorder=4)
    if len(five):
        row, col = np.divmod(sorted(five), size)
        ax.plot(col, row, color="tab:red", linewidth=max(1, 0.16 * cell), zorder=5)


def cell_size(ax, shape) -> float:
    """Return the width of one point of a board of that shape on these axes, in points."""
    box, (width, height) = ax.get_position(), ax.figure.get_size_inches() * 72
    return min(box.width * width / shape[1], box.height * height / shape[0])


# by Experiments · numbers as short words
def signed(value: float) -> str:
    """Return a value with its sign and two decimals, such as −0.03; 0 without a sign."""
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def percent(share: float) -> str:
    """Return a share in per cent, such as 7%, and <1% for less."""
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def short_number(number: float) -> str:
    """Return a number in few characters: 950, 9.5k, 95k, 9.5M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.{1 if number < 9.95 * unit else 0}f}{sign}"
    return f"{number:.0f}"


def top_points(numbers, most: int = 3) -> list[int]:
    """Return the points of the largest numbers above 0, largest first."""
    order = np.argsort(-numbers, axis=None, kind="stable")[:most]
    return [int(point) for point in order if numbers.flat[point] > 0]


# by Experiments · the colour bar
def add_bar(figure, image, axes, unit: str, **where) -> None:
    """Add a colour bar with its unit, below the axes unless `where` says otherwise."""
    where = {"location": "bottom", "shrink": 0.9, "aspect": 30} | where
    bar = figure.colorbar(image, ax=axes, **where)
    bar.set_label(unit, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    if image.norm.vmin < 0:
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["−1 lost", "−½", "0", "+½", "+1 won"])


# *by Experiments*
#
# `draw_cells` puts numbers under the stones as colours, and a few of them in writing, light on dark or dark on
# light. Three kinds are drawn with it. **Visits** are blue, from 0 on, blank where there are none. **Values**
# run from red, −1, lost, to blue, +1, won; three are written, with their sign. **Scores**, by which the search
# selects, are purple: the UCB of [section 4](#4.-Select), or another rule that the bar names.
#
# `show_search` draws three boards of one `SearchResult`: the course's two matrices, visits and UCB, and between
# them the values. A move that needed no search is drawn as a cross with its reason.


# by Experiments · numbers as colours on the board
def draw_cells(ax, game, numbers, labels, *, colours, low, high):
    """Draw a position with numbers as colours under it; return the image for a colour bar.

    numbers   float[rows, size]   masked or NaN where nothing is drawn
    labels    {point: text}       written on the points
    """
    from matplotlib.patheffects import withStroke

    draw_board(ax, game.array, ([None] + getattr(game, "played", []))[-1], game.five)
    limits = {"xlim": ax.get_xlim(), "ylim": ax.get_ylim()}
    numbers = np.ma.masked_invalid(numbers)
    shades = {"cmap": colours, "vmin": low, "vmax": high}
    image = ax.imshow(numbers, origin="lower", zorder=1, alpha=1.0, **shades)
    ax.set(**limits)  # imshow has changed them
    for point, text in labels.items():
        row, col = divmod(point, game.rules.size)
        under = image.cmap(image.norm(numbers[row, col]))
        light = np.dot(np.power(under[:3], 2.2), (0.2126, 0.7152, 0.0722))
        ink = "white" if light < 0.18 else "black"  # where the two are equally far from it
        size = 1.5 * cell_size(ax, numbers.shape) / max(3, len(text))
        size = min(9, max(SMALLEST, size))
        write = {"ha": "center", "va": "center", "color": ink, "fontsize": size, "zorder": 6}
        stroke = withStroke(linewidth=2, foreground=under)  # over the lines of the grid
        ax.text(col, row, text, **write).set_path_effects([stroke])
    return image


# by Experiments · visits and values on the board
def draw_visits(ax, game, visits, vmax=None, label=None):
    """Draw the visits of each move, int[rows, size] or shares; the top three are written."""
    label, high = label or short_number, vmax or max(visits.max(), 1e-9)
    labels = {point: label(visits.flat[point]) for point in top_points(visits)}
    shown = np.ma.masked_equal(visits, 0)
    return draw_cells(ax, game, shown, labels, colours="Blues", low=0, high=high)


def draw_values(ax, game, values, visits=None):
    """Draw the value of each move for the side to move, float[rows, size] in -1...+1.

    Three are written: the most visited moves where `visits` is given, or else the best.
    """
    ax.set_facecolor("0.9")  # not searched: grey; as good as even: white
    order = visits if visits is not None else np.nan_to_num(values + 2)
    labels = {point: signed(values.flat[point]) for point in top_points(order)}
    return draw_cells(ax, game, values, labels, colours="RdBu", low=-1, high=1)


# by Experiments · one search as three boards
def search_figure(game, result):
    """Return a figure of what a search found: visits, values and scores of each move."""
    if not result.visits.any():
        figure = new_figure(3.2, 3.4)
        draw_forced(figure.subplots(), game, result)
        return figure
    figure = new_figure(9.6, 3.9)
    left, middle, right = figure.subplots(1, 3)
    image = draw_visits(left, game, result.visits)
    add_bar(figure, image, left, "visits (simulations)")
    image = draw_values(middle, game, result.values, result.visits)
    add_bar(figure, image, middle, f"value for {COLOUR[game.to_move]}, who is to move")
    labels = {point: f"{result.scores.flat[point]:.2f}" for point in top_points(result.visits)}
    shades = {"colours": "Purples", "low": 0, "high": max(1.0, np.nanmax(result.scores))}
    image = draw_cells(right, game, result.scores, labels, **shades)
    add_bar(figure, image, right, f"{result.rule} (reward 0…1 plus exploration)")
    return figure


def draw_forced(ax, game, result) -> None:
    """Draw a position in which no search was needed: the move as a cross, and the reason."""
    draw_board(ax, game.array, ([None] + getattr(game, "played", []))[-1], game.five)
    row, col = divmod(result.move, game.rules.size)
    ax.plot(col, row, "x", color="tab:blue", markersize=7, markeredgewidth=2, zorder=6)
    ax.set_xlabel(f"forced: {result.why}", fontsize=8)


# by Experiments · a search in words, and its figure
def search_caption(game, result) -> str:
    """Return what a search found in words, with position, side to move and seed."""
    side, ply = COLOUR[game.to_move], len(game.played) + 1
    where = f"{game.rules.size}×{game.rules.height}, move {ply}, {side} to move"
    if not result.visits.any():
        return f"{result.name} needs no search ({result.why}). {where}."
    share = result.visits.flat[result.move] / result.visits.sum()
    found = f"{share:.0%} of the visits; its value for {side} is {result.value:+.2f}"
    how = f"{result.simulations:,} simulations, seed {result.seed}"
    return f"{result.name} received {found}. {where}; {how}."


def show_search(game, result) -> None:
    """Display the figure of a search with its caption, and with its best moves in words."""
    words = "{} {:,} visits, value {:+.2f}, " + result.rule + " {:.2f}"
    best = "; ".join(words.format(*row) for row in result.top(3)) or f"no search: {result.why}"
    alt = f"Boards with visits, values and {result.rule}. {result.name} is played. {best}."
    show(search_figure(game, result), alt, search_caption(game, result))


# *by Experiments*
#
# Read the left board first: it is the answer. The middle one says why: blue, + is good for the side to move,
# red, − is bad. On the right, the bounds of well-visited moves have come close to each other: a child that
# falls behind is visited less, and its bound rises again. That is the balance that UCB keeps: visits are spread
# so that no child looks much better than another to an optimist.
#
# In words, the window tells what a search expects. "Black wins in 7" is proven, and counts the stones of both
# sides until five in a row stands. Anything else is an expectation, in percent for the side to move: a value
# of 0 is an even chance. The line of a proven win often stops at a double threat, because from there on anybody
# can win; `plies_to_win` plays it to its end on a copy of the game.


# by Interface · how long a proven win takes
def winning_points(game: Game, colour: int) -> list[int]:
    """Return the points where a stone of that colour would win at once, in rising order."""
    cells, points = game.array, []
    for point in game.legal():
        cells.flat[point] = colour
        points += [point] if winning_line(cells, point, game.rules.in_a_row) else []
        cells.flat[point] = EMPTY
    return points


def plies_to_win(game: Game, result: SearchResult) -> int | None:
    """Return how many stones of both sides the result's line takes to a win, or None.

    A line that ends in a double threat is played on: each side wins, or stops a win.
    """
    after, line = game.copy(), list(result.line)
    while not after.over:
        line = line or winning_points(after, after.to_move)[:1]
        line = line or winning_points(after, -after.to_move)[:1]
        if not line or after.why_illegal(line[0]):
            return None
        after.play(line.pop(0))
    won = after.winner == game.to_move * result.proven
    return len(after.played) - len(game.played) if won else None


# by Interface · what a search has found, in words
REASONS = {  # why a move was chosen
    "five": "makes five", "blocks five": "stops a five", "VCF": "wins by fours",
    "VCT": "wins by fours and open threes", "only move": "the only move",
    "only candidate": "the only defence found", "proven": "proved best",
    "level": "chosen as its level plays",
}  # fmt: skip


def verdict(game: Game, result: SearchResult) -> str:
    """Return what a search of this position expects, in words; "" where it says nothing."""
    if result.proven == 0:
        return "A draw, if both play well"
    who = COLOUR[game.to_move * (result.proven or 1)].capitalize()
    if result.proven:
        count = plies_to_win(game, result)
        return f"{who} wins {f'in {count}' if count else 'by force'}"
    return "" if math.isnan(result.value) else f"{who} expects {(1 + result.value) / 2:.0%}"


def result_lines(result: SearchResult, name: str = "") -> list[str]:
    """Return what a search, of an opponent of that name, has found, line by line."""
    lines = [f"{result.name}: {REASONS.get(result.why, result.why)}"]
    if result.simulations:
        rate = short_number(result.simulations / max(result.seconds, 1e-3))
        rates = f", {rate}/s" if result.seconds else ""
        who = f"{name[0].upper()}{name[1:]}: " if name else ""
        lines.append(f"{who}{result.simulations:,} simulations{rates}")
    return [*lines, f"Line: {result.names(8)}"] if len(result.line) > 1 else lines


# *by Search*
#
# **What $c$ does** is easily seen. The same position is searched with three values of `C`, and the share of
# the most visited move is printed. Little exploration follows the first luck; much of it spreads the visits
# over the board.


# *by Experiments*
#
# ## 9. What plain search misses
#
# Plain search knows the rules and nothing else. It finds a five when one is there, and good points on an open
# board. It fails where only an exact answer will do. In the course notebook a move, *Node X*, would have
# stopped a four and an open three. Another one was visited more often, and the game was lost.
#
# Below is such a position, called Node X from here on. White is to move. A *four* lacks one stone to five; an
# *open three* lacks two, and both its ends are free. A black stone at `g2` would make both. Every answer but
# `c2` and `f2` loses. The study [threats](studies/threats.ipynb) proves it.


# *by Experiments*
#
# Thousands of simulations do not fix it. In a random game black finds the winning line only by luck, and white
# rarely finds the defence, so all moves look nearly alike. In such games a four that must be answered *at once*
# is answered by accident only. The tree would see it, but it must be deep just there, and its visits are spread
# over fifty children with about fifty children each. It takes [far more time](studies/strength.ipynb#Puzzles),
# or knowledge of which points matter.


# *by Heuristics*
#
# ## 10. Heuristic child selection
#
# Plain search has to try every empty point before it can compare them. A player does not: most points are far
# from the fight. Heuristic child selection asks of a point: *what would a stone here make, and what would it
# break?* The answer comes from **shapes**. On one line, with own stones as `1` and empty points as `0`:
#
# | shape | pattern on the line | meaning |
# |---|---|---|
# | five | `11111` | wins |
# | open four | `011110` | two ways to five: one stone cannot stop it |
# | four | `1111` with one open end | one way to five: must be answered |
# | open three | `011100` `001110` `010110` `011010` | becomes an open four if left alone |
# | open two | `011000` `010100` `001100` `000110` `001010` `010010` | becomes an open three |
#
# The patterns stand in a dict, best shape first; **it may be edited**. A line is a text of nine points with the
# new stone in the middle, and `shapes_of` looks for the patterns that contain this stone. Only the best shape
# of a line counts, and beside it an open two, as in the course's code: `BESIDE` holds such shapes. Each text is
# looked at once; `cache` remembers the answer. `line_text` reads such a line from the board, as if the stone
# stood there already.


# by Heuristics · the shapes: edit, run this cell, search again
SHAPES = {
    "five": ("11111",),
    "open four": ("011110",),
    "four": ("01111", "11110"),
    "open three": ("011100", "001110", "010110", "011010"),
    "open two": ("011000", "010100", "001100", "000110", "001010", "010010"),
}
BESIDE = {"open two"}  # counts beside a better shape; set() counts the best shape alone


@cache
def shapes_of(line: str) -> list[str]:
    """Return the best shape through the middle of nine points, if any, and those BESIDE it."""
    found = [
        name
        for name, patterns in SHAPES.items()
        for pattern in patterns
        for place, stone in enumerate(pattern)
        if stone == "1" and line.startswith(pattern, 4 - place)
    ]
    return found[:1] + sorted(BESIDE & set(found[1:]) - set(found[:1]))


# by Heuristics · nine points of a line as text
def line_text(cells, point: int, step: tuple, colour: int) -> str:
    """Return the points from 4 before to 4 behind `point`: 1 own, 0 empty, x other or edge.

    step   one of DIRECTIONS; a stone of `colour` is put on the point
    """
    row, col = divmod(point, len(cells[0]))
    text = ""
    for i in range(-4, 5):
        r, c = row + i * step[0], col + i * step[1]
        inside = 0 <= r < len(cells) and 0 <= c < len(cells[0])
        stone = colour if i == 0 else cells[r][c] if inside else -colour
        text += "1" if stone == colour else "0" if stone == EMPTY else "x"
    return text


# *by Heuristics*
#
# A point lies on four lines, and the shapes of both colours on them add up to its **score**. To *break* a
# shape is to play where the opponent would make it. Threes and twos count for each line that holds them; the
# others once. A four together with an open three has its own entry, since only one of the two can be
# answered; the course gives a four alone nothing. The numbers are the course's. At `g2` of Node X white
# breaks a four and open three and, on the same lines, an open three: both count. **They may be edited**; the
# figure below, run again, shows what that changes. `score_of` looks along the four lines twice, once for the
# mover's shapes and once for the opponent's.


# by Heuristics · the score table: edit, run this cell, search again
SCORES = {  # shape: (a stone here makes it, a stone here breaks it)
    "five": (1_000_000, 20_000),
    "open four": (10_000, 4_000),
    "four and open three": (5_000, 3_000),
    "four": (0, 0),
    "open three": (1_000, 500),
    "open two": (100, 10),
}
EACH_LINE = {"open three", "open two"}  # these count once for each line
assert set(SCORES) <= {*SHAPES, "four and open three"}, "SCORES has a row for no shape"


# by Heuristics · the score of a point
def score_of(cells, point: int, to_move: int) -> int:
    """Return the score of an empty point for the player to move, by SHAPES and SCORES."""
    score = 0
    for colour, column in ((to_move, 0), (-to_move, 1)):
        lines = [line_text(cells, point, step, colour) for step in DIRECTIONS]
        found = [shape for line in lines for shape in shapes_of(line)]
        if "four" in found and "open three" in found:
            found.append("four and open three")
        counted = [shape for shape in found if shape in EACH_LINE]
        counted += set(found) - EACH_LINE
        score += sum(SCORES.get(shape, (0, 0))[column] for shape in counted)
    return score


# *by Heuristics*
#
# **The cut** of the course notebook: candidates are the empty points within distance $\sqrt{18}$ of a stone.
# `ranked` sorts them by score, equal ones in random order, and the best five are kept. If the best
# scores 2,000 or more, it alone is kept, because such a move is thought to need no rival. A node then has
# five children in place of fifty, and for the same number of simulations the tree is deeper.
#
# `classic_search` is the course notebook's algorithm: plain search with `best_candidates` as its moves.
# Shapes of five mean nothing in another game, so there it stays plain.


# by Heuristics · points near a stone, and points by their scores
def near_points(cells) -> set[int]:
    """Return the empty points within distance sqrt(18) of a stone; `cells` are rows."""
    size, empty, near = len(cells[0]), legal_points(cells), set()
    for stone in set(range(len(cells) * size)) - set(empty):
        row, col = divmod(stone, size)
        near |= {p for p in empty if (p // size - row) ** 2 + (p % size - col) ** 2 <= 18}
    return near


def ranked(node: Node, rng: RandomNumbers, points: set) -> dict[int, int]:
    """Return {point: score} of those points, best first; equal scores in rng's order."""
    scores = {p: score_of(node.cells, p, -node.player) for p in rng.order if p in points}
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


# by Heuristics · the cut: edit, run this cell, search again
KEEP = 5  # candidates that become children
SURE = 2_000  # a candidate with this score is the only one


def best_candidates(node: Node, rng: RandomNumbers) -> dict[int, float]:
    """Return {point: 1.0} of the best candidates, best first; {} once a node has them."""
    if node.children:
        return {}
    near, rules = near_points(node.cells), node.rules
    if not near:  # an empty board: the middle
        empty = legal_points(node.cells)
        middle = rules.height // 2 * rules.size + rules.size // 2
        return {middle if middle in empty else empty[0]: 1.0}
    scores = ranked(node, rng, near)
    best = list(scores)[: 1 if max(scores.values()) >= SURE else KEEP]
    return dict.fromkeys(best, 1.0)


# by Heuristics · the course notebook's search, and its player
def has_shapes(rules: Rules) -> bool:
    """True for the games that SHAPES describes: five in a row, no gravity."""
    return rules.in_a_row == 5 and not rules.gravity


def classic_search(game, seconds=None, simulations=None, **how) -> SearchResult:
    """Return what plain_search finds among the best candidates; arguments as there."""
    moves = best_candidates if has_shapes(check_game(game).rules) else every_move
    return plain_search(game, seconds, simulations, moves=moves, **how)


def classic_reference(simulations: int | None = None, seconds: float | None = None):
    """Return a player: the course notebook's algorithm, hard cut included."""
    return searcher(classic_search, simulations, seconds)


# *by Heuristics*
#
# `g2` has the highest score: there black would make a four and an open three. It looks like a move that needs
# no rival, so it has none. But black then wins with `b2`, and the two points that hold were deleted before
# the first simulation. **A cut cannot be corrected by search.** On a large board it still beats plain search:
# five children are soon compared, two hundred never.
#
# **The prior instead of the cut.** Nothing is deleted. Every legal move becomes a child and carries a *prior*
# $P$, its share of the scores. The word is that of statistics: what is believed before any evidence, to be
# corrected by evidence. Ten is added to each score, so that no move has a prior of 0:
#
# $$P_i = \frac{10 + \text{score}_i}{\sum_j (10 + \text{score}_j)}$$
#
# The priors of a node add up to 1. Children come best first, equal scores in random order.


# by Heuristics · all moves, each with its prior
FLOOR = 10  # added to each score: no prior may be 0; raise it for scores below 0


def moves_with_priors(node: Node, rng: RandomNumbers) -> dict[int, float]:
    """Return {point: prior} of all legal moves, best first; {} once a node has them."""
    if node.children:
        return {}
    scores = ranked(node, rng, set(legal_points(node.cells)))
    weights = {point: FLOOR + score for point, score in scores.items()}
    total = sum(weights.values())
    return {point: weight / total for point, weight in weights.items()}


# *by Heuristics*
#
# PUCT keeps the first term of UCB, $Q = m/n$, and puts the prior into the second. For a child with prior $P$,
# $n$ visits and value $Q$, below a parent with $N$ visits, **PUCT** is
#
# $$\text{PUCT} = Q + c_P \, P \, \frac{\sqrt N}{1 + n}$$
#
# A child with a high prior is visited first and often. One with a low prior waits until $\sqrt N$ has grown, or
# until the moves before it have turned out badly: an unvisited child counts as a draw, $Q = \frac12$, and so
# gains on others that earn less. $c_P$ is `C_PRIOR` in the code. What to assume of an unvisited child is called
# *first-play urgency*. Because of $1 + n$ no bound is infinite: in a search that ends, a move of low prior may
# stay unvisited. The formula is that of Rosin (2011) in the form made known by AlphaGo Zero (Silver et al.
# 2017).


# by Heuristics · select with priors
C_PRIOR = 2.0  # exploration constant of PUCT


def puct(child: Node) -> float:
    """Return Q + c P sqrt(N) / (1 + n) of a child, visited or not."""
    return child.Q + C_PRIOR * child.prior * math.sqrt(child.parent.N) / (1 + child.N)


def select_puct(node: Node, rng: RandomNumbers) -> Node:
    """Return the child with the highest PUCT; the first of several, best prior first."""
    return max(node.children, key=puct)


# by Heuristics · search with the prior instead of the cut
def prior_search(game, seconds=None, simulations=None, **how) -> SearchResult:
    """Return what plain_search finds with priors and PUCT; arguments as there."""
    if not has_shapes(check_game(game).rules):
        return plain_search(game, seconds, simulations, **how)
    how |= {"moves": moves_with_priors, "select": select_puct, "score": puct}
    return plain_search(game, seconds, simulations, **how)


# *by Heuristics*
#
# The prior first follows the same advice as the cut. The favourite's value falls as black's answers are
# found, and the visits move on, down the list, to a move that holds. Wrong advice costs simulations here.
# With too few of them it still costs the game: a prior *delays* the right move where the cut deletes it. Its
# price is time: all moves of a node are scored, not only those near a stone, so there are fewer simulations
# per second.
#
# **To try.** Run the cell above with fewer simulations until the prior finds neither `c2` nor `f2`. Make the
# prior uniform, by equal `weights` in `moves_with_priors`. Set `C_PRIOR` to 0.2 or to 10. Raise `SURE`, and
# see what the cut to five alone does to Node X. Give `four` a score. Add the broken fours, `10111`, `11011`
# and `11101`, to the fours in `SHAPES`: the course's table has no name for them. A shape with a name of its own
# needs a row in `SCORES` too.


# *by Search*
#
# **Your own opponent** is called *mine* on the board, and this is all of it. It looks `prior_search` up
# when it is asked for a move, so an edit of `SHAPES`, `SCORES`, `C_PRIOR`, `select_puct`, `moves_with_priors`
# or `rollout` is in its next move. `C` belongs to `plain_search`, the opponent *plain*; `KEEP` and `SURE` belong
# to `classic_search`: return that here to play against it. A level, which the engine knows, means nothing to it.


# by Search · the opponent that you edit
def mine(game, seconds=None, simulations=None, *, level=None, **how) -> SearchResult:
    """Return the move of the notebook's own search; arguments as plain_search, no level."""
    return prior_search(game, seconds, simulations, **how)


# *by Search*
#
# ## 11. The same, compiled
#
# The study [search](studies/search.ipynb) writes plain and classic search once more for numba, which makes
# machine code of Python. The algorithm does not change: with the same random numbers, and with the bounds of
# this notebook rounded to 32 bits as in the study, both grow the same tree, child for child and visit for
# visit. A test compares them over thousands of positions. Only the data are packed differently. A board is a
# handful of integers with one bit per point, a node is a record of a few bytes in one array, and a line of nine
# points is a number, by which its shape is looked up in a table. The machine then reads memory in order and
# never asks for more, where Python creates objects and looks names up. All of it stands between the reader and
# the idea, so it stands elsewhere.
#
# Why care for speed? A search with ten times the simulations is not ten times as good. But it sees a little
# further, and in this game one ply more is often the defence. Where the notebook stands alone, `has_package`
# says what is missing.


# by Interface · what needs the package
def has_package(what: str) -> bool:
    """Return whether the package five_in_a_row is here; if not, say what is not shown."""
    if not (here := importlib.util.find_spec("five_in_a_row") is not None):
        print(f"{what}: not shown, the package in export/ is missing here.")
    return here


# *by Search*
#
# The rates are those of one position, in trees of that size; others have others. The engine
# of the Play cell stands on the compiled search, and uses its speed for what this notebook leaves out: proofs
# of forced wins, and an evaluation in place of the random game. Each of these is a notebook of its own:
# [threats](studies/threats.ipynb), [engine](studies/engine.ipynb).


# *by Interface*
#
# ## 12. The pygame window
#
# The window has four parts, and none of them extends another. A **session** is a game with its
# search: it knows whose turn it is and no pixel. A **board** paints a session on any surface and
# changes nothing. A **controller** turns pointer and keys into actions of the session. The
# **window** gives events to the controller and ticks. The same parts make the board inside a
# notebook, the analysis desk, the pictures of this page, and the tests.
#
# `opponents` maps names to thinkers. They are looked up for each search, so a function that was edited is
# used at once. A session goes on by ticks, many per second. Each asks three questions: has a search ended, is
# it the computer's turn, has a person asked for a hint? One search runs at a time. A hint is a search of the
# opponent in the person's place; its move is shown, not played. If you click while it runs, you have found a
# move alone, and the search ends.
#
# An opponent that you edit may fail. Then the panel says so and the game waits: correct the cell, or choose
# another opponent, and go on. The whole traceback is printed below, in a window once it is closed.


# by Interface · a game and its search
class Session:
    """A game that is played: whose turn it is, what is being thought. It knows no pixel."""

    def __init__(self, record: GameRecord, opponents: dict, keep=lambda record: None):
        self.record, self.opponents = record, opponents  # {name: thinker}
        self.keep = keep  # saves a record with moves; returns a sentence if it cannot
        self.open, self.paused, self.failed = True, False, False  # failed: the last search
        self.asked = ""  # who is asked for a hint, by name
        self.chosen = ""  # the opponent that was chosen last, by name
        self.searcher = ""  # whose search has found the result that is shown, by name
        self.search = self.before = self.error = None  # a Thinking, a record, an exception
        self.next_rules = self.next_players = None  # what a game that is over leaves as it is
        self.clock, self.moved_at = time.monotonic, -math.inf
        self.show()

    game = property(lambda self: self.record.game)
    fresh = property(lambda s: s.result and not s.game.array.flat[s.result.move])  # not played
    yours = property(lambda s: not s.record.over and s.game.to_move in s.record.persons)

    @property
    def side(self) -> int:
        """The colour that has won or is to move; 0 after a draw."""
        resigned, to_move = self.record.resigned, 0 if self.game.over else self.game.to_move
        return self.game.winner or -resigned or to_move

    @property
    def thinking(self) -> bool:
        """True while it is the computer's turn."""
        return bool(self.opponents) and not (self.yours or self.record.over or self.paused)

    def show(self, note: str | None = None) -> None:
        """Show the game with a note, and nothing of a search."""
        self.note, self.result, self.verdict, self.hint = note or "", None, "", None


def play_point(session: Session, point: int, result=None, level=None) -> None:
    """Play a move, perhaps one that a search has found, and save the game."""
    take_seats(session)
    session.record.play(point, result, level)
    session.moved_at, session.paused = session.clock(), False
    session.show(session.keep(session.record))


# by Interface · who plays
def players_of(session: Session) -> tuple[str, str]:
    """Return who plays black and white: in this game, or in the next one after a choice."""
    return session.next_players or session.record.players


def opponent_of(session: Session) -> str:
    """Return the name of the opponent, who also gives the hints; "" where there is none."""
    names = [*players_of(session), session.chosen, *session.opponents]
    return next((name for name in names if name in session.opponents), "")


def take_seats(session: Session) -> None:
    """Let the players who were chosen after a game play on, where that game goes on."""
    if session.next_players and not session.record.over:
        session.record.players, session.next_players = session.next_players, None


# by Interface · when a search begins and ends
def is_searching(session: Session, *purposes: str) -> bool:
    """Return True while a move or a hint is searched, or only what is named."""
    return bool(session.search) and session.search.purpose in (purposes or ("move", "hint"))


def begin_search(session: Session, purpose: str) -> None:
    """Begin to search for a "move", or for a "hint" at full strength."""
    record, game = session.record, session.game
    wanted = record.sides[game.to_move] if purpose == "move" else session.asked
    name = wanted if wanted in session.opponents else opponent_of(session)
    if purpose == "move":  # a saved game may name somebody who does not play here
        record.players = tuple(name if each == wanted else each for each in record.players)
    level, seed = record.level if purpose == "move" else None, record.seed + len(game.played)
    how = dict(seconds=record.seconds, simulations=record.simulations, level=level, seed=seed)
    session.show("" if session.failed else session.note)
    session.failed = False
    session.search = Thinking(session.opponents[name], game, purpose, **how)
    session.search.player = name


def stop_search(session: Session) -> None:
    """End the search for a move or a hint, if there is one."""
    session.asked = ""
    if is_searching(session):
        session.search.stop()
        session.search = None


# by Interface · a session goes on
def follow_search(session: Session) -> None:
    """Do what is due: end a search that has ended, begin the next one, show progress."""
    search, shown = session.search, is_searching(session)
    if search is not None and not search.is_alive():
        end_search(session)
    if shown and search.result is not None and search.result is not session.result:
        session.result, session.verdict = search.result, verdict(search.game, search.result)
        session.searcher = search.player
    purpose = "move" if session.thinking else "hint" if session.asked else ""
    if purpose and session.search is None and not session.record.over:
        begin_search(session, purpose)


def end_search(session: Session) -> None:
    """Play the move of the search that has ended, or show its hint."""
    search, session.search = session.search, None
    if search.purpose == "hint":
        session.asked = ""
    if search.error is not None:
        note_failure(session, search)
    elif search.purpose == "move":
        play_point(session, search.result.move, search.result, search.how["level"])
    elif search.purpose == "hint":
        session.hint = search.result.move
        session.note = f"This is what {called(search.player)} would play"


# by Interface · a search that fails
def called(name: str, first: bool = False) -> str:
    """Return an opponent as a sentence names it: "the engine", "mine"; first: "Mine"."""
    words = f"the {name}" if name in ("engine", "computer", "search") else name
    return words[:1].upper() + words[1:] if first else words


def note_failure(session: Session, search: Thinking) -> None:
    """Say what went wrong in a search; the game stays as it is, and the computer waits."""
    error = search.error
    if not isinstance(error, Exception):
        raise error
    session.error, session.failed = error, True
    session.paused = session.paused or search.purpose == "move"
    who, reason = called(search.player or "search", True), " ".join(str(error).split())
    session.show(
        f"{who} failed: {type(error).__name__}\n"
        "Shift+O: another opponent, Shift+M: try again\n"
        f"{textwrap.shorten(reason, 120)}"
    )


def print_failure(session: Session) -> None:
    """Print the traceback of the last search that failed, once."""
    if session.error is not None:
        print("A search of this game failed:", file=sys.stderr)
        traceback.print_exception(session.error)
    session.error = None


# *by Interface*
#
# What a person may do is a function of the session, and stands in the table of commands below. Against the
# computer, one step back takes two moves: the computer's reply and the person's own. A game that is left for
# another one is saved. *Move now* plays what has been found so far, or waits for the first thing that is found.
# The opponent may be changed at any time: `next_opponent` takes the next name of `opponents`, from the next move
# on. After a game the choice is for the next one, since the record says who has played. `finish_session` ends
# everything, so no search outlives its window; only a function that is being compiled is left to end by itself.
# What the window says is worked out from the session alone: who is to move or has won, and what the computer has
# found.


# by Interface · what a person does with a move: place it, wait no longer, undo, redo
def click_point(session: Session, point: int | None) -> None:
    """Put the person's stone on the point, if that is a move now."""
    point = landing(session.game, point)
    if session.yours and point is not None:
        stop_search(session)
        play_point(session, point)


def move_now(session: Session) -> None:
    """Let the computer play what it has found so far, or go on after a pause."""
    if is_searching(session):
        session.search.hurry()
        if session.search.result is None:
            session.note = "Nothing is found yet: it plays the first move that it finds"
    session.paused = False


def can_move_now(session: Session) -> bool:
    """Return True while something is searched, and where it is the computer's turn."""
    turn = bool(session.opponents) and not (session.yours or session.record.over)
    return turn or is_searching(session)


def why_not_now(session: Session) -> str:
    """Return why the computer has no move to make."""
    if session.record.over:
        return "The game is over: New game begins another"
    if session.yours:
        return f"It is your move: Hint shows what {called(opponent_of(session))} would play"
    return "There is no opponent here"


def step_size(session: Session) -> int:
    """Return how many moves go back or forth at once: 2 where the computer has replied."""
    return 2 if session.record.persons == (session.game.to_move,) else 1


def can_undo(session: Session) -> bool:
    """Return True unless there is no move, or only the computer's first."""
    return session.record.resigned != 0 or len(session.game.played) >= step_size(session)


def step_game(session: Session, way: int) -> None:
    """Take back, -1, the person's move and the reply, or a resignation; or redo, +1."""
    stop_search(session)
    record, moves = session.record, way * step_size(session)
    record.game.go_to(len(record.game.played) + (0 if record.resigned else moves))
    record.resigned, session.moved_at = 0, -math.inf
    take_seats(session)
    session.paused = not record.persons
    session.show(session.keep(record) if way > 0 else None)


# by Interface · another opponent
def choose_players(session: Session, players) -> None:
    """Let others play black and white from the next move on; after a game, in the next one."""
    session.next_players = tuple(players)
    if session.record.over:
        session.note = "The next game: " + " against ".join(players)
        return
    stop_search(session)
    take_seats(session)
    session.paused = session.paused and not session.failed
    session.show()


def next_opponent(session: Session) -> None:
    """Let the next of the opponents play, and give the hints, in place of this one."""
    names, players, now = list(session.opponents), [*players_of(session)], opponent_of(session)
    session.chosen = names[(names.index(now) + 1) % len(names)]
    if now in players:
        players[players.index(now)] = session.chosen
    choose_players(session, players)


# by Interface · games begin, go on and end
def take_up(session: Session, record: GameRecord, note: str = "") -> None:
    """Put another game on the board; the one before is saved."""
    stop_search(session)
    session.keep(session.record)
    session.record, session.paused, session.moved_at = record, False, -math.inf
    session.next_players = None
    session.show(note)


def new_game(session: Session) -> None:
    """Begin another game: the same players and limits, unless others were chosen."""
    old, rules = session.record, session.next_rules or session.game.rules
    session.before, session.next_rules = old if old.game.played else session.before, None
    limits = old.seconds, old.simulations, old.seed + old.game.rules.points, old.level
    take_up(session, GameRecord(Game(rules), players_of(session), *limits))


def finish_session(session: Session) -> GameRecord:
    """Save the game, end the search, and return the last game that has a move."""
    session.open = session.asked = False
    session.keep(session.record)
    if session.search is not None:
        session.search.stop(wait=0.5)  # one that compiles cannot be ended
    session.search = None
    session.record.forget_undone()
    return session.record if session.game.played else session.before or session.record


# by Interface · who is to move, or has won
def heading(session: Session) -> str:
    """Return the line above the board: whose move it is, or how the game ended."""
    colour, record = session.side, session.record
    if not colour:
        return "Draw: the board is full"
    you, alone = record.persons == (colour,), len(record.persons) == 1
    who = "You" if you else "The computer" if alone else COLOUR[colour].capitalize()
    if record.over:
        return f"{who} win{'' if you else 's'}{' by resignation' if record.resigned else ''}"
    return "Your move" if you else f"{who} {'thinks' if session.thinking else 'to move'}"


# by Interface · what the computer has found
def status_lines(session: Session) -> list[str]:
    """Return the note and what the computer has found, or else what wins, line by line."""
    rules = session.game.rules
    lines = [line for line in (*session.note.splitlines(), session.verdict) if line]
    lines += result_lines(session.result, session.searcher) if session.result else []
    if lines or session.game.over:
        return lines
    if max(rules.size, rules.height) < rules.in_a_row:
        return [f"No line of {rules.in_a_row} fits on this board: it can only be drawn"]
    return [f"{rules.in_a_row} or more in a row win"]


# *by Interface*
#
# ### The board
#
# Every length follows from the surface and the board: the distance between two points, the `cell`,
# and the `unit`, from which text takes its height. So one code serves a window of 400 × 400 pixels
# and one of 3840 × 2160. The panel stands beside the board or below it, wherever the board is larger.
#
# `make_layout` tries both. With $w \times h$ pixels left for a board of $n$ columns and $m$ rows, and $s$ pixels
# of wood and gap around it, the cell is $\min\left(\frac{w - s}{n}, \frac{h - s}{m}\right)$, rounded down to whole
# pixels: lines at whole pixels are sharp. `from_pixel` goes the other way and adds half a cell first, so that
# a click belongs to the nearest point, and not to the one on its left. Rows count from the bottom and pixels
# from the top, which is why one of the two directions has a minus sign.


# by Interface · where everything stands, in pixels; a box is x, y, width, height
Layout = namedtuple("Layout", "size rows cell unit left bottom stone wood text grid columns")
# cell: between two neighbouring points     unit: text is about one and a half units high
# left, bottom: of point 0                  stone: its diameter
# wood, text, grid: the boxes of board, words and controls; these stand in `columns`


def to_pixel(point: int, layout: Layout) -> tuple[int, int]:
    """Return the (x, y) of a point; row 0 is at the bottom."""
    row, col = divmod(point, layout.size)
    return layout.left + col * layout.cell, layout.bottom - row * layout.cell


def from_pixel(x: int, y: int, layout: Layout) -> int | None:
    """Return the point nearest to a pixel, or None off the board."""
    col = (x - layout.left + layout.cell // 2) // layout.cell
    row = (layout.bottom - y + layout.cell // 2) // layout.cell
    inside = 0 <= col < layout.size and 0 <= row < layout.rows
    return row * layout.size + col if inside else None


# by Interface · the largest board that leaves room for the panel
def make_layout(width: int, height: int, rules: Rules, controls: int = 0) -> Layout:
    """Return the layout for that many controls; without any, two lines of text suffice."""
    unit, size, rows = max(4, min(width, height) // 28), rules.size, rules.height
    edge, gap, below = 4 * unit // 3, unit // 2, (12 if controls else 8) * unit
    spare = 2 * (gap + edge)  # edge: wood for coordinates
    rooms = (width, height - below), (width - 13 * unit, height)  # the panel below, beside
    cells = [max(2, min((w - spare) // size, (h - spare) // rows)) for w, h in rooms]
    columns, cell = (2, cells[1]) if controls and cells[1] >= cells[0] else (3, cells[0])
    wide, high = 2 * edge + cell * size, 2 * edge + cell * rows
    lines = -(-controls // columns) * 17 * unit // 10  # height of the grid
    if columns == 2:  # the panel is beside the board, the controls below the text
        panel = min(width - wide - 3 * gap, 19 * unit)
        x, y = (width - wide - gap - panel) // 2, (height - high) // 2
        text = x + wide + gap, gap, panel, height - lines - 3 * gap
        grid = text[0], height - lines - gap, panel, lines
    else:  # the panel is below the board, text and controls side by side
        panel = min(width - 2 * gap, 44 * unit)
        x, y = (width - wide) // 2, max(gap, (height - high - below) // 2)
        top, room = y + high + gap, min(below - unit, height - y - high - 2 * gap)
        part = panel * 2 // 5 if controls else panel
        text = (width - panel) // 2, top, part, room
        grid = text[0] + part + gap, top, panel - part - gap, min(lines, room)
    place = x + edge + cell // 2, y + high - edge - cell + cell // 2, max(3, cell * 23 // 25)
    return Layout(size, rows, cell, unit, *place, (x, y, wide, high), text, grid, columns)


# *by Interface*
#
# A `Theme` is a set of colours: wood, or black on white, *flat* and without shading, for those who need
# contrast. A `Canvas` is a surface with its layout and its theme. It writes text that fits the room it is
# given: text that would be too wide is set in a smaller font. Fonts and discs are kept once made.
#
# Stones and wood are computed, so no image file can be missing. A disc is painted four times too large
# and made smaller, which gives it a smooth edge: a pixel that the edge crosses becomes the average of sixteen.
# A stone is sixteen discs inside each other, each a little lighter and nearer to the light than the last.
# Black shines, white has a dark outline: they differ in more than colour. **To change how a stone looks**, edit
# `draw_stone`, run its cell, and open the window again.


# by Interface · pygame, imported where it is used
def load_pygame():
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp on Windows
    with warnings.catch_warnings(action="ignore"):
        import pygame
    return pygame


def png_of(surface) -> bytes:
    file = io.BytesIO()
    load_pygame().image.save(surface, file, ".png")
    return file.getvalue()


@lru_cache(maxsize=64)
def font_of(height: int):
    """Return a font with lines about that many pixels high: matplotlib's DejaVu Sans."""
    pygame, found = load_pygame(), importlib.util.find_spec("matplotlib")
    pygame.font.init()
    file = Path(found.origin if found else "").parent / "mpl-data/fonts/ttf/DejaVuSans.ttf"
    return pygame.font.Font(str(file) if file.exists() else None, max(5, height * 4 // 5))


def fitting(text: str, height: int, width: int) -> int:
    """Return that height, or the lesser one at which the text is as wide as the room."""
    return min(height, max(5, height * width // max(1, font_of(height).size(text)[0])))


# by Interface · two sets of colours, and what everything is painted on
Theme = namedtuple("Theme", "flat ink soft paper button signal lines wood heat")
CALM = Theme(
    False, ink=(52, 46, 40), soft=(108, 97, 84), paper=(247, 243, 236), button=(232, 224, 211),
    signal=(184, 40, 30), lines=(92, 66, 40), wood=(224, 184, 122), heat=(16, 78, 139),
)  # fmt: skip
SHARP = Theme(
    True, ink=(0, 0, 0), soft=(70, 70, 70), paper=(255, 255, 255), button=(226, 226, 226),
    signal=(170, 0, 0), lines=(0, 0, 0), wood=(255, 255, 255), heat=(0, 60, 130),
)  # fmt: skip


class Canvas(NamedTuple):
    """A surface, where things stand on it, and its colours."""

    surface: object
    layout: Layout
    theme: Theme

    def at(self, point: int) -> tuple[int, int]:
        return to_pixel(point, self.layout)

    def put(self, image, place, anchor="center") -> None:
        self.surface.blit(image, image.get_rect(**{anchor: place}))

    def write(self, text, anchor, place, height, width, ink=None) -> None:
        """Write text at a pixel, anchored as pygame's Rect names it, no wider than `width`."""
        font = font_of(fitting(text, height, width))
        self.put(font.render(text, True, ink or self.theme.ink), place, anchor)


# by Interface · a round picture with a smooth edge
@lru_cache(maxsize=256)
def disc_image(diameter: int, circles: tuple):
    """Return circles inside each other as a picture; each is (colour, part of the radius).

    From the third on they move towards the light, above and left. Alpha 0 makes a hole.
    """
    pygame, big = load_pygame(), 4 * diameter
    image = pygame.Surface((big, big), pygame.SRCALPHA)
    image.fill((*circles[0][0][:3], 0))
    for colour, part in circles:
        middle = big / 2 - 0.14 * big * max(0.0, circles[1][1] - part)
        pygame.draw.circle(image, colour, (middle, middle), part * big / 2)
    return pygame.transform.smoothscale(image, (diameter, diameter))


def ring_image(colour: tuple, diameter: int, inner: float = 0.0, alpha: int = 255):
    """Return a ring, or a disc where `inner`, a part of the radius, is 0."""
    return disc_image(diameter, (((*colour, alpha), 1.0), ((*colour, 0), inner)))


# by Interface · how a stone looks: edit, run this cell, open the window again
SHADES = {  # (colour, flat): grey of the outline, of the rim, of the light; part inside
    (BLACK, False): (14, 26, 120, 0.98), (WHITE, False): (60, 212, 255, 0.93),
    (BLACK, True): (0, 0, 0, 0.98), (WHITE, True): (0, 255, 255, 0.82),
}  # fmt: skip


def stone_image(colour: int, diameter: int, flat: bool = False):
    """Return a stone of that colour as a picture; flat: without shading."""
    edge, dark, light, inside = SHADES[colour, flat]
    greys = [int(dark + (light - dark) * (i / 15) ** 2) for i in range(16)]
    circles = [((grey,) * 3, inside * (1 - i / 16)) for i, grey in enumerate(greys)]
    return disc_image(diameter, (((edge,) * 3, 1.0), *circles))


def draw_stone(canvas: Canvas, colour: int, place: tuple[int, int]) -> None:
    """Paint a stone with its middle at a pixel; canvas.layout.stone is its diameter."""
    diameter, flat, (x, y) = canvas.layout.stone, canvas.theme.flat, place
    if not flat:  # its shadow
        shadow = ring_image((60, 40, 20), diameter, alpha=90)
        canvas.put(shadow, (x + diameter // 24, y + diameter // 16))
    canvas.put(stone_image(colour, diameter, flat), place)


# by Interface · the empty board, painted once
def draw_wood(surface, theme: Theme) -> None:
    """Fill a surface with wood of a calm grain, or with a plain colour."""
    surface.fill(theme.wood)
    width, height = surface.get_size()
    for y in range(0 if theme.flat else height):
        shade = 3 * math.sin(55 * y / height) + 3 * math.sin(1.7 * y) * math.sin(0.13 * y)
        colour = [int(part + shade) for part in theme.wood]
        load_pygame().draw.line(surface, colour, (0, y), (width, y))


@lru_cache(maxsize=4)
def empty_board(board: "Board", size: tuple[int, int], layout: Layout, theme: Theme):
    """Return a surface of that size with the empty board, which is painted once and kept."""
    canvas = Canvas(load_pygame().Surface(size), layout, theme)
    canvas.surface.fill(theme.paper)
    wood = canvas.surface.get_rect().clip(layout.wood)
    draw_wood(canvas.surface.subsurface(wood), theme)
    board.grid(canvas)
    draw_coordinates(canvas)
    return canvas.surface


# by Interface · lines, star points, letters and numbers
STARS = {9: (2, 6), 11: (2, 8), 13: (3, 9), 15: (3, 11), 17: (3, 13), 19: (3, 9, 15)}


def draw_lines(canvas: Canvas) -> None:
    """Paint the grid; on the usual boards also the star points, in these rows and columns."""
    size, rows, cell = canvas.layout[:3]
    ends = [(col, (rows - 1) * size + col) for col in range(size)]
    ends += [(row * size, (row + 1) * size - 1) for row in range(rows)]
    for line in ends:
        places, thick = map(canvas.at, line), max(1, cell // 32)
        load_pygame().draw.line(canvas.surface, canvas.theme.lines, *places, thick)
    stars = STARS.get(size, ()) if size == rows else ()
    middle = [size * size // 2] if stars else []
    for point in middle + [row * size + col for row in stars for col in stars]:
        canvas.put(ring_image(canvas.theme.lines, max(3, cell // 5)), canvas.at(point))


def draw_coordinates(canvas: Canvas) -> None:
    """Write the letters of the columns below, the numbers of the rows on the left."""
    size, rows, cell, unit, left, bottom = canvas.layout[:6]
    away = cell // 2 + 2 * unit // 3
    words = {(left + i * cell, bottom + away): point_name(i, size)[0] for i in range(size)}
    words |= {(left - away, bottom - row * cell): str(row + 1) for row in range(rows)}
    for place, text in words.items():
        canvas.write(text, "center", place, min(unit, cell), 2 * unit, canvas.theme.lines)


# *by Interface*
#
# A `View` is what the window shows beside the game. Marks lie on the stones: a ring around each stone
# of the winning line, a dot on the last one, a square around a hint, a frame for the cursor, and a pale
# stone under the pointer.
#
# While the computer thinks, a disc on each empty point shows its share of the visits: the larger and
# darker, the more. The three largest shares stand there in percent, so nobody has to compare colours;
# below each stands its value for the side to move. A disc's *area* grows with the share, not its diameter,
# since the eye compares areas. Discs belong to the position on the board: once the
# move has been played, they are gone.


# by Interface · what is shown beside the game; marks on the board
@dataclass
class View:
    hover: int | None = None  # the point under the mouse
    cursor: int | None = None  # the point that the arrow keys have reached
    heat: bool = False  # True: the visits are painted on the board
    contrast: bool = False  # True: black on white
    prompt: tuple[str, ...] = ()  # lines above the words: what is being typed
    overlay: tuple[str, ...] = ()  # lines of text over the board
    controls: dict = field(default_factory=dict)  # {name: its Command as it is now}


def draw_marks(canvas: Canvas, session: Session, view: View, lies: bool = True) -> None:
    """Paint the hover stone, the winning line, the last move's dot, hint and cursor."""
    (surface, layout, theme), game = canvas, session.game
    diameter, thick = layout.stone, max(2, layout.cell // 14)
    if session.yours and (point := landing(game, view.hover)) is not None:
        ghost = stone_image(game.to_move, diameter, theme.flat).copy()
        ghost.set_alpha(120)
        canvas.put(ghost, canvas.at(point))
    for point in game.five:
        canvas.put(ring_image(theme.signal, diameter, 0.72), canvas.at(point))
    if game.played and lies:  # not while it still falls
        canvas.put(ring_image(theme.signal, diameter // 4 + 1), canvas.at(game.played[-1]))
    frames = (session.hint, theme.signal, diameter), (view.cursor, theme.ink, layout.cell - 2)
    for point, colour, side in frames:
        if point is not None:
            box = load_pygame().Rect(canvas.at(point), (0, 0)).inflate(side, side)
            load_pygame().draw.rect(surface, colour, box, thick)


# by Interface · the visits on the board
LEAST_HEAT = 0.01  # of the visits of all moves; points with fewer are left blank
ROOMY = 36  # pixels of a cell that has room for a value one can read


def draw_heat(canvas: Canvas, result: SearchResult) -> None:
    """Paint each point's share of the visits as a disc; the three largest in numbers."""
    theme, cell, visits = canvas.theme, canvas.layout.cell, result.visits.ravel()
    shares = visits / max(1, int(visits.sum()))
    for point in np.flatnonzero(shares >= LEAST_HEAT).tolist():
        diameter = max(3, int(cell * (0.25 + 0.7 * math.sqrt(shares[point]))))
        alpha = int(130 + 125 * min(1.0, 2 * shares[point])) // 16 * 16  # few shades
        canvas.put(ring_image(theme.heat, diameter, alpha=alpha), canvas.at(point))
    for point in top_points(np.where(shares >= LEAST_HEAT, shares, 0)):
        (x, y), value = canvas.at(point), float(result.values.flat[point])
        share = f"{100 * shares[point]:.0f}"
        rows = (share, cell // -9, cell // 3), (f"{value:+z.2f}", cell // 6, cell // 4)
        for words, below, high in rows if cell >= ROOMY else ((share, 0, cell // 2),):
            for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)):  # a dark edge first
                ink = theme.heat if i or j else (255, 255, 255)
                place = x + i, y + j + below
                canvas.write(words, "center", place, high, cell, ink)


# *by Interface*
#
# Beside or below the board stand the words and the controls. A picture for the notebook has no
# controls. The `Board` puts all of this together and paints from back to front. Connect-4 has a board of its
# own, with another `grid` and discs that fall.


# by Interface · the words beside the board
def draw_panel(canvas: Canvas, session: Session, view: View) -> None:
    """Paint who is to move, the stage of the game, and what the computer has found."""
    unit, (x, y, width, height), theme = canvas.layout.unit, canvas.layout.text, canvas.theme
    line, indent = 6 * unit // 5, 0
    if colour := session.side:
        stone, indent = stone_image(colour, 3 * unit // 2, theme.flat), 2 * unit
        canvas.put(stone, (x + 3 * unit // 4, y + unit))
    high = fitting("The computer thinks", 2 * unit, width - 2 * unit)  # whatever it says
    canvas.write(heading(session), "midleft", (x + indent, y + unit), high, width - indent)
    top, lines = y + 9 * unit // 4, [*view.prompt, *status_lines(session)]
    canvas.write(session.game.stage, "topleft", (x, top), line, width, theme.soft)
    if view.heat and session.fresh:
        lines.append("Discs: visits %" + ", value" * (canvas.layout.cell >= ROOMY))
    letters = max(1, 9 * width // (4 * line))
    for part in [part for text in lines for part in textwrap.wrap(text, letters)]:
        top += line
        if top + 2 * line <= y + height:
            canvas.write(part, "topleft", (x, top + line // 2), line, width)


# by Interface · where the controls stand
def control_boxes(grid: tuple, columns: int, count: int) -> list:
    """Return the Rect of each control: they fill the grid row by row, the last one its row."""
    (x, y, width, height), Rect = grid, load_pygame().Rect
    wide, high, gap = width // columns, height // max(1, -(-count // columns)), width // 50
    places = [divmod(i, columns) for i in range(count)]
    boxes = [Rect(x + j * wide, y + i * high, wide - gap, high - gap) for i, j in places]
    for last in boxes[-1:]:
        last.width += -count % columns * wide
    return boxes


# by Interface · the controls, painted
def draw_controls(canvas: Canvas, controls, boxes) -> None:
    """Paint buttons, switches, and numbers between minus and plus.

    The letters have one size, at which the usual captions fit; a longer one alone is smaller.
    """
    unit, theme, draw = canvas.layout.unit, canvas.theme, load_pygame().draw
    narrow = min((box.width for box in boxes), default=0)
    low = min((box.height * 3 // 4 for box in boxes), default=0)
    usual = fitting("Turning point", min(5 * unit // 4, low), narrow - unit // 2)
    for control, box in zip(controls, boxes, strict=True):
        room = box.width - (5 if control.steps else 1) * unit // 2
        high = fitting(control.caption, usual, room)
        draw.rect(canvas.surface, theme.button, box, border_radius=unit // 3)
        if control.on:  # a frame means on, paler letters not now
            draw.rect(canvas.surface, theme.signal, box, max(1, unit // 6), unit // 3)
        ink = theme.ink if control.possible else theme.soft
        canvas.write(control.caption, "center", box.center, high, box.width, ink)
        if control.steps:
            ends = box.inflate(-2 * unit // 3, 0)
            canvas.write("−", "midleft", ends.midleft, usual, unit, ink)
            canvas.write("+", "midright", ends.midright, usual, unit, ink)


# by Interface · the list of keys, or a question, over the board
def overlay_rows(layout: Layout, count: int) -> list:
    """Return the Rect of each line of an overlay, in the middle of the board, or of all."""
    Rect = load_pygame().Rect
    board = Rect(layout.wood)
    if board.height < 8 * (count + 1):  # too flat a board for letters: over everything
        board = board.unionall([layout.text, layout.grid])
    high = max(5, min(board.height * 11 // 12 // (count + 1), 2 * layout.unit))
    x, y, width = board.x + board.width // 16, board.centery, board.width * 7 // 8
    return [Rect(x, y + (2 * i - count) * high // 2, width, high) for i in range(count)]


def draw_overlay(canvas: Canvas, lines) -> None:
    """Paint lines of text over the board; a tab divides key and meaning."""
    rows = overlay_rows(canvas.layout, len(lines))
    box = rows[0].unionall(rows).inflate(rows[0].width // 8, rows[0].height)
    pane = load_pygame().Surface(box.size)
    pane.fill(canvas.theme.paper)
    pane.set_alpha(244)
    canvas.surface.blit(pane, box)
    for row, text in zip(rows, lines, strict=True):
        (key, tab, words), high = text.partition("\t"), row.height * 4 // 5
        canvas.write(key, "midleft", row.midleft, high, row.width // (3 if tab else 1))
        place = row.x + row.width * 3 // 8, row.centery
        canvas.write(words, "midleft", place, high, row.width * 5 // 8)


# by Interface · the board
class Board:
    """Paints a session on any surface, and changes nothing."""

    def canvas(self, surface, session: Session, view: View) -> Canvas:
        layout = make_layout(*surface.get_size(), session.game.rules, len(view.controls))
        return Canvas(surface, layout, SHARP if view.contrast else CALM)

    def grid(self, canvas: Canvas) -> None:
        draw_lines(canvas)

    def stones(self, canvas: Canvas, session: Session) -> None:
        cells = session.game.array.ravel()
        for point in np.flatnonzero(cells).tolist():
            draw_stone(canvas, int(cells[point]), canvas.at(point))

    def fallen(self, session: Session) -> float:
        """Return how far the last stone has fallen, 0 to 1: here it lies at once."""
        return 1.0

    def draw(self, surface, session: Session, view: View) -> None:
        _, layout, theme = canvas = self.canvas(surface, session, view)
        surface.blit(empty_board(self, surface.get_size(), layout, theme), (0, 0))
        self.stones(canvas, session)
        if view.heat and session.fresh:
            draw_heat(canvas, session.result)
        draw_marks(canvas, session, view, self.fallen(session) >= 1)
        draw_panel(canvas, session, view)
        boxes = control_boxes(layout.grid, layout.columns, len(view.controls))
        draw_controls(canvas, view.controls.values(), boxes)
        if view.overlay:
            draw_overlay(canvas, view.overlay)


# *by Interface*
#
# ### The controller
#
# One table names every command: its caption, its keys, what it does, and whether that is possible now. A command
# that is not possible does nothing; some say why. `c` is the controller. The buttons beside the board, the keys
# and the list under `?` are all made from this table, so they cannot contradict each other, and the package adds
# its own commands by adding rows. A caption may be a function, since that of a number changes with it.
#
# No command has a key from a to t, or a digit: with these the package lets you type a point, as in h8. So a
# command is a letter with Shift, a sign, or one of u and y, which no column has. `key_label` says what to press.


# by Interface · what a command is
class Command(NamedTuple):
    """Something a person may do; the functions take the controller."""

    caption: object  # text, or a function that returns it
    keys: str  # names, or what is typed, a capital with Shift; with steps: less, more
    help: str
    action: object  # with steps, +1 or -1 is its second argument
    possible: object = lambda c: True
    on: object = lambda c: False  # a switch that is on
    steps: bool = False  # a number: less at its left end, more at its right
    refusal: object = lambda c: ""  # what is said where it is not possible

    def now(self, c: "Controller") -> "Command":
        """Return the command as it is now: its caption a text, `possible` and `on` a bool."""
        text = self.caption if isinstance(self.caption, str) else self.caption(c)
        return self._replace(caption=text, possible=self.possible(c), on=self.on(c))


KEY_LABELS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}


def key_label(key: str) -> str:
    """Return what to press for a key: "H" is Shift+H, "u" is U, "escape" is Escape."""
    if len(key) > 1:
        return KEY_LABELS.get(key, key.capitalize())
    return f"Shift+{key}" if key.isupper() else key.upper()


# by Interface · the table of commands
COMMANDS = {
    "opponent": Command(lambda c: f"Opponent: {opponent_of(c.session) or 'none'}", "O",
                        "choose who plays and gives hints",
                        lambda c: next_opponent(c.session),
                        lambda c: len(c.session.opponents) > 1,
                        refusal=lambda c: "There is no other opponent here"),
    "visits": Command("Visits", "V", "show what the search looks at",
                      lambda c: c.switch("heat"), on=lambda c: c.view.heat),
    "undo": Command("Undo", "u backspace", "take the last move back",
                    lambda c: step_game(c.session, -1), lambda c: can_undo(c.session)),
    "redo": Command("Redo", "y", "play it again", lambda c: step_game(c.session, 1),
                    lambda c: bool(c.session.game.undone) and not c.record.over),
    "hint": Command("Hint", "H", "what would the computer play?",
                    lambda c: setattr(c.session, "asked", opponent_of(c.session)),
                    lambda c: c.session.yours and bool(c.session.opponents)),
    "now": Command("Move now", "M", "the computer plays what it has found so far",
                   lambda c: move_now(c.session), lambda c: can_move_now(c.session),
                   refusal=lambda c: why_not_now(c.session)),
    "new": Command("New game", "N", "keep this game, begin another",
                   lambda c: new_game(c.session)),
    "colours": Command("Contrast", "C", "wood, or black on white",
                       lambda c: c.switch("contrast"), on=lambda c: c.view.contrast),
    "help": Command("Keys ?", "?", "show or hide this list", lambda c: show_help(c)),
    "close": Command("Close", "escape", "leave; the game is kept",
                     lambda c: setattr(c.session, "open", False)),
}  # fmt: skip


# *by Interface*
#
# The `Controller` knows nothing of pygame's events or of Jupyter's: it is told where the pointer is and which
# key was pressed. `panels` are further parts of the window, which are told everything first; the analysis
# desk is made of such panels. The window is painted only when something has changed: what is to be seen is
# put into a tuple, which is compared with that of the last picture. At rest the computer's time then belongs to
# the search, and a board inside a notebook sends no pictures. A click is looked up where things were painted:
# the same layout that drew a control or a point says which one was hit. Everything that is done with the mouse
# can be done with keys alone: arrows move a frame over the board, and return places a stone in it.


# by Interface · the controller
class Controller:
    """Turns pointer and keys into actions of a session, and knows what is shown."""

    def __init__(self, session: Session, board: Board | None = None, panels=()):
        self.session, self.board, self.panels = session, board or Board(), list(panels)
        self.commands, self.view, self.painted = dict(COMMANDS), View(heat=True), None
        self.shown, self.rules = list(COMMANDS), session.game.rules  # the controls; the board

    record = property(lambda self: self.session.record)

    def tell(self, kind: str, value=None) -> bool:
        """Tell each panel what has happened, until one says that it has dealt with it."""
        return any(panel.handle(self, kind, value) for panel in self.panels)

    def tick(self) -> None:
        """Let the panels go on, and follow the search."""
        self.tell("tick")
        follow_search(self.session)

    def act(self, name: str, step: int = 1) -> None:
        command = self.commands[name]
        if command.possible(self):
            command.action(self, step) if command.steps else command.action(self)
        elif refusal := command.refusal(self):
            self.session.note = refusal

    def switch(self, name: str) -> None:
        setattr(self.view, name, not getattr(self.view, name))

    def finish(self) -> GameRecord:
        """End everything; return the last game that has a move."""
        self.tell("finish")
        return finish_session(self.session)


# by Interface · what is to be seen
def show_help(c: Controller) -> None:
    """Lay the list of keys over the board; any key or click takes it away."""
    lines = ["Arrows, Enter\tmove the cursor, place a stone"]
    for panel in c.panels:
        lines += panel.key_lines(c)
    for command in c.commands.values():
        keys = " or ".join(map(key_label, command.keys.split()))
        lines.append(f"{keys}\t{command.help}")
    c.view.overlay = tuple(lines)


def uncover(c: Controller) -> bool:
    """Take the text over the board away, if there is one; say whether there was."""
    shown, c.view.overlay = c.view.overlay, ()
    return bool(shown)


def view_of(c: Controller) -> View:
    """Return the view as it is now, with its controls."""
    view, rules = c.view, c.session.game.rules
    if c.rules != rules:  # another board: no point is marked there
        c.rules, view.hover, view.cursor = rules, None, None
    view.controls = {name: c.commands[name].now(c) for name in c.shown}
    return view


# by Interface · paint what has changed
def canvas_of(c: Controller, surface) -> Canvas:
    """Return the part of a surface that the panels leave to the board, with its layout."""
    width, height = surface.get_size()
    high = height - sum(int(panel.share * height) for panel in c.panels)
    return c.board.canvas(surface.subsurface((0, 0, width, high)), c.session, view_of(c))


def shown_state(c: Controller, surface) -> tuple:
    """Return what is to be seen, as values that can be compared."""
    session, game = c.session, c.session.game
    return (
        surface.get_size(), game.rules, game.array.tobytes(), tuple(game.played),
        replace(view_of(c)), id(session.result), heading(session),
        status_lines(session), session.hint, session.yours, c.board.fallen(session),
        [panel.seen(c) for panel in c.panels],
    )  # fmt: skip


def paint_changes(c: Controller, surface) -> bool:
    """Paint what is shown if that has changed; say whether it has."""
    if (seen := shown_state(c, surface)) == c.painted:
        return False
    c.board.draw(canvas_of(c, surface).surface, c.session, c.view)
    for panel in c.panels:
        panel.draw(c, surface)
    c.painted = seen
    return True


# by Interface · what the pointer does
def point_at(c: Controller, x: int, y: int, surface) -> None:
    c.view.hover, c.view.cursor = from_pixel(x, y, canvas_of(c, surface).layout), None


def press_at(c: Controller, x: int, y: int, surface) -> None:
    """Do what a click asks for: use a panel or a control, place a stone."""
    layout = canvas_of(c, surface).layout
    boxes = control_boxes(layout.grid, layout.columns, len(c.shown))
    taken = c.tell("press", (x, y, surface)) or uncover(c)
    if not (taken or press_control(c, c.shown, boxes, (x, y))):
        choose_point(c, from_pixel(x, y, layout))


def press_control(c: Controller, names, boxes, place: tuple[int, int]) -> bool:
    """Use the control at a pixel, less on its left half; say whether there is one."""
    hit = load_pygame().Rect(place, (1, 1)).collidelist(boxes)
    if hit >= 0:
        c.act(names[hit], -1 if place[0] < boxes[hit].centerx else 1)
    return hit >= 0


def choose_point(c: Controller, point: int | None) -> None:
    """Do what a click on a point asks for: a stone, unless a panel does something else."""
    if not c.tell("point", point):
        click_point(c.session, point)


# by Interface · what the keys do
ARROWS = {"left": (0, -1), "right": (0, 1), "up": (1, 0), "down": (-1, 0)}  # (rows, columns)


def press_key(c: Controller, key: str) -> None:
    """Do what a key asks for; `key` is what it types, or a name such as "left"."""
    named = {each: n for n, command in c.commands.items() for each in command.keys.split()}
    held = re.search("shift|ctrl|control|alt|meta|gui|caps", key)  # typed with another key
    if held or c.tell("overlay" if c.view.overlay else "key", key) or uncover(c):
        return
    if key in ARROWS:
        move_cursor(c, *ARROWS[key])
    elif key in ("return", "space"):
        choose_point(c, c.view.cursor)
    elif key in named:  # with steps, the first key means less
        c.act(named[key], -1 if c.commands[named[key]].keys.startswith(key) else 1)


def move_cursor(c: Controller, up: int, right: int) -> None:
    """Move the cursor by a point, round the edges; at first it is put in the middle."""
    rules = c.session.game.rules
    row, col = rules.height // 2 - up, rules.size // 2 - right
    if c.view.cursor is not None:
        row, col = divmod(c.view.cursor, rules.size)
    c.view.cursor = (row + up) % rules.height * rules.size + (col + right) % rules.size


# *by Interface*
#
# ### The window
#
# The loop gives pygame's events to the controller and ticks. On some keyboards `?` or `[` need a second
# key, so what a key types counts, not where it is; a letter is a capital only while Shift is held, whatever
# Caps Lock does. Without a display SDL, the library below pygame,
# takes a driver that shows nothing; a loop would wait for ever for a click there, so it is refused. A window
# that is closed, or a cell that is interrupted, ends the search and saves the game on every path.


# by Interface · events in
KEY_NAMES = {"enter": "return", "keypad enter": "return", "delete": "backspace"}


def key_of(event) -> str:
    """Return what a key of pygame types, or its name."""
    pygame, typed = load_pygame(), event.unicode
    shift = bool(event.mod & pygame.KMOD_SHIFT)
    if typed.isprintable() and typed.strip():
        return with_shift(typed, shift)
    name = pygame.key.name(event.key).lower()
    name = name[1] if re.fullmatch(r"\[.\]", name) else KEY_NAMES.get(name, name)
    return with_shift(name, shift)


def with_shift(key: str, shift: bool) -> str:
    """Return a letter as a capital where Shift is held, whatever Caps Lock does."""
    if len(key) == 1 and key.isalpha():
        return key.upper() if shift else key.lower()
    return key


def handle_event(c: Controller, event, surface) -> None:
    pygame = load_pygame()
    actions = {
        pygame.QUIT: lambda: c.act("close"),
        pygame.KEYDOWN: lambda: press_key(c, key_of(event)),
        pygame.MOUSEMOTION: lambda: point_at(c, *event.pos, surface),
        pygame.MOUSEBUTTONDOWN: lambda: event.button == 1 and press_at(c, *event.pos, surface),
        pygame.WINDOWLEAVE: lambda: setattr(c.view, "hover", None),
        pygame.DROPFILE: lambda: c.tell("drop", event.file),
    }
    actions.get(event.type, lambda: setattr(c, "painted", None))()  # covered, resized, ...


# by Interface · the loop: pictures out
@dataclass
class Window:
    """A controller in pygame's display, which must be open."""

    controller: Controller
    interrupted: bool = False  # by Ctrl-C, or by the notebook's stop button

    def step(self) -> None:
        display = load_pygame().display
        for event in load_pygame().event.get():
            handle_event(self.controller, event, display.get_surface())
        self.controller.tick()
        if paint_changes(self.controller, display.get_surface()):
            display.flip()

    def run(self) -> GameRecord:
        """Play until the window is closed or the cell interrupted; return the game."""
        try:
            while self.controller.session.open:
                self.step()
                time.sleep(1 / 60)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            load_pygame().display.quit()
            record = self.controller.finish()
            print_failure(self.controller.session)
        return record


# by Interface · open the window, or say why there is none
class NoDisplay(RuntimeError):
    """There is nowhere to show a board; the message is one sentence."""

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows in place of a traceback: the sentence."""
        return [str(self)]


def open_window(title: str = "Five in a row") -> None:
    """Open a window that fits the screen, or raise NoDisplay."""
    servers = {"x11": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}  # other drivers write to stderr
    names = [driver for driver, variable in servers.items() if os.environ.get(variable)]
    if sys.platform.startswith("linux") and not os.environ.get("SDL_VIDEODRIVER"):
        os.environ["SDL_VIDEODRIVER"] = ",".join(names) or "dummy"
    try:
        display = load_pygame().display
        display.quit()
        display.init()
        if display.get_driver() in ("dummy", "offscreen"):
            raise NoDisplay("there is no screen here to open a window on")
        wide, high = min(display.get_desktop_sizes())
        side = min(high * 4 // 5, wide * 3 // 5)
        display.set_icon(stone_image(WHITE, 64))
        display.set_mode((side * 3 // 2, side), load_pygame().RESIZABLE)
        display.set_caption(title)
        load_pygame().key.set_repeat(400, 60)
    except NoDisplay:
        raise
    except ImportError:
        raise NoDisplay("a window needs pygame: install requirements.txt") from None
    except (NotImplementedError, OSError, RuntimeError) as error:
        raise NoDisplay(f"the screen does not let a window open: {error}") from None


# *by Interface*
#
# ## 13. Play
#
# `play` opens the window and returns the game when it is closed. A click places a stone, *Opponent* chooses who
# plays against you, and `?` lists the keys. `level=3` is a weaker computer, `rules=Rules(7, 4, rows=6,
# gravity=True)` another game.
#
# Every move is in `export/game.txt` at once: who plays, the moves, and beside a move of the computer
# the simulations and the seed that repeat its search. After a crash, or when the window was closed
# in the middle, *Last game* goes on. After a game the window's *Close* reads *Show figures*: the figures
# below are drawn of it. The file is read and written by the package.


# by Interface · a way to play: the window
def in_window(controller: Controller) -> GameRecord:
    """Open the window, play, and return the game when it is closed; or raise NoDisplay."""
    rules = controller.session.game.rules
    names = {(5, False): "Five in a row", (4, True): "Connect-4"}
    name = names.get((rules.in_a_row, rules.gravity), f"{rules.in_a_row} in a row")
    open_window(f"{name}, {rules.size}×{rules.height}")
    return Window(controller).run()


# *by Interface*
#
# There are four opponents, and you choose on the board: *Opponent*, or Shift+O, takes the next one, who makes the
# computer's next move and gives the hints. *Engine* is the strongest; it comes from the package, has levels from
# 1 to 10, and compiles in the background while you look at the board. *Classic* is the course's algorithm, compiled
# by the package: no edit here reaches it. ***Mine* is the search of this notebook**: edit a cell of it, run that
# cell, and its next move uses what you wrote. *Plain* is `plain_search`, which knows nothing but the rules; it uses
# `C` and `rollout`. These two are plain Python, and the panel says how few simulations stand behind their moves.
# `opponent="mine"` in the Play cell lets *mine* begin.
#
# Is the change stronger? In a new cell, twenty games against *classic*, as in
# [strength](studies/strength.ipynb#Does-it-play-well?); the [last
# essay](#How-many-games-until-you-may-say-'stronger'?) says what so few can tell:
#
# ```python
# from five_in_a_row import classic
# from five_in_a_row.strength import play_match
#
# play_match(searcher(mine, 100, None), classic(simulations=100), 20).attrs["score"]
# ```
#
# The package adds to the window what is beside the point here: the file of games, sides, size, level and time
# changed while you play, points that are typed, as in `h8`, resigning, clocks, and the expected line as
# numbered stones under the pointer. After the game stands its curve of values in the panel, and *Turning point*
# goes to your costliest move: the engine shows a better one, and you may play on from there. These are the
# plain files `extras.py` and `panels.py`.
#
# The game is played where a window can be opened, or else on the same board inside the notebook, by `in_page`.
# Both are *ways*: functions that take a controller and show it, or raise `NoDisplay` with the reason. `play`
# tries them in turn; if none is possible, as on a server without a screen, it prints the reasons.


# by Interface · play, in a window or where it is possible
def check_opponent(opponents: dict, name: str | None) -> str:
    """Return the name of an opponent, of the first for None; ValueError names them all."""
    if not isinstance(opponents, dict) or not opponents:
        given = quoted(opponents)
        raise ValueError(f"opponents must be a dict {{name: thinker}}, not {given}")
    names = list(opponents)
    if name is None:
        return names[0]
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"opponent must be one of {', '.join(names)}, not {quoted(name)}")
    return name


def play(
    opponents: dict, size=8, seconds=5, human="black", level=None, rules=None,
    opponent=None, board=None, ways=None, more=None,
) -> object:  # fmt: skip
    """Return the game from the window when it is closed, or a board inside the notebook.

    opponents      {name: thinker}; `opponent` is played against at first: the first if None
    size … rules   as in new_record, which may raise ValueError
    board          a Board, perhaps of another look
    ways           functions that show a controller, or raise NoDisplay; None: in_window
    more           a function that adds to the controller: panels, commands, a file of games
    """
    opponent = check_opponent(opponents, opponent)
    record = new_record(size, seconds, human, level, rules, opponent)
    c, why, ways = Controller(Session(record, opponents), board), [], ways or (in_window,)
    if os.environ.get("FIVE_PLAY") == "recorded":
        why, ways = ["the notebook was run without a window"], ()
    elif more:
        more(c)
    for show in ways:
        try:
            return show(c)
        except NoDisplay as error:
            why.append(str(error))
    print(f"No game is played here ({'; '.join(why)}).")
    return record


# *by Experiments*
#
# ## 14. Heatmaps and replay
#
# The figures of this section belong to the game that was last played in [section 13](#13.-Play).
# Where nobody has played, `game_of` finds one: the last in the file, its searches repeated, or else one between
# two of the opponents, the same each time.
#
# Each small board is a position in which the computer had to move. Of many moves only some are drawn, evenly
# spaced, and always the last. A move that needed no search has no visits, and its board gives the reason.
#
# `game_panels` draws them on one scale, and visits as shares, since a late search makes many more simulations
# than an early one.


# *by Experiments*
#
# **Play another game**, run the cells again from here on, and they show that one. On a board inside the
# notebook a game goes on while these cells run: they show it as it is then. *Show my game*, on that board,
# draws them again.


# by Interface · a game as a picture in the notebook
def board_png(session: Session, width=480, board=None, **view) -> tuple[bytes, str]:
    """Return a session's board with its words as PNG, and the same as text."""
    surface, still = load_pygame().Surface((width, width * 7 // 6)), copy.copy(session)
    still.moved_at = -math.inf  # nothing moves in a picture
    (board or Board()).draw(surface, still, View(**view))
    moves = " ".join(session.game.moves) or "none"
    words = f"Board at move {len(session.game.played)}. {heading(session)}. Moves: {moves}."
    return png_of(surface), words


def show_board(game: Game) -> None:
    """Display a board with its position in words."""
    show_png(*board_png(Session(GameRecord(game, ("person", "person")), {})))


# by Interface · a game to show where nobody has played
def exhibition(opponents: dict, rules: Rules, most: int, seed=2024) -> GameRecord:
    """Return a game of the second opponent, black, against the first; it repeats exactly."""
    white, black = (*opponents, *opponents)[:2]
    record = GameRecord(Game(rules), (black, white), None, most, seed)
    record.source = f"{white} against {black}"
    while not record.over:
        thinker, ply = opponents[record.sides[record.game.to_move]], len(record.game.played)
        result = thinker(record.game, simulations=most, seed=seed + ply)
        record.play(result.move, result)
    return record


def game_of(played, opponents: dict, most=2_000, saved=None) -> GameRecord:
    """Return a game, or that of a board in the notebook; a recorded one if it has no move.

    most    simulations per move of a recorded game     saved   returns a saved one, or None
    """
    record = getattr(played, "record", played)
    record.forget_undone()
    if record.game.played:
        return record
    kept = saved(opponents, most) if saved else None
    record = kept or exhibition(opponents, record.game.rules, most)
    shown = f"the one saved on {kept.date}" if kept else record.source
    print(f"No move was made here. This is {shown}: {most:,} simulations per move.")
    return record


# by Experiments · earlier positions of a game, and which of them to draw
def position_at(game: Game, ply: int) -> Game:
    """Return the position of a game before its move number `ply`, counted from 0."""
    earlier = game.copy()
    earlier.go_to(ply)
    return earlier


def evenly(items, most: int = 12) -> list:
    """Return at most that many items of a list, evenly spaced, the last one always."""
    items = list(items)
    places = np.linspace(0, len(items) - 1, min(most, len(items))).round().astype(int)
    return [items[place] for place in places]


# by Interface · a game as text
def result_text(game: Game, resigned: int = 0) -> str:
    """Return "black wins", "white wins by resignation", "draw", "unfinished" or the like."""
    if winner := game.winner or -resigned:
        return f"{COLOUR[winner]} wins{'' if game.winner else ' by resignation'}"
    return "draw" if game.over else "unfinished"


def record_text(game: Game) -> str:
    """Return the numbered record, a pair of moves a line: "  1. e4    d5"."""
    pairs = [game.moves[i : i + 2] for i in range(0, len(game.moves), 2)]
    rows = (" ".join(f"{move:5s}" for move in pair).rstrip() for pair in pairs)
    return "\n".join(f"{number:3d}. {row}" for number, row in enumerate(rows, 1))


# by Experiments · small boards of one game, all on the same scale
def game_panels(game: Game, results: dict, plies, what: str = "visits"):
    """Return a figure with one small board for each computer move in `plies`.

    results   {ply: SearchResult}, as the Play cell records them; the title is what was played
    what      "visits", as shares of all visits, or "values" for the side to move
    """
    across, wide = min(3, len(plies)), 9.6 / 3
    down = -(-len(plies) // across)
    figure = new_figure(max(3.2, wide * across), (wide + 0.12) * down + 0.7)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    image = None
    for ax, ply in zip(axes, plies, strict=False):
        before, result = position_at(game, ply), results[ply]
        name = f"{ply + 1}. {game.moves[ply]} ({COLOUR[before.to_move]})"
        ax.set_title(name, fontsize=9, pad=3)
        if not result.visits.any():
            draw_forced(ax, before, result)
        elif what == "visits":
            image = draw_visits(ax, before, result.visits / result.visits.sum(), 0.5, percent)
        else:
            image = draw_values(ax, before, result.values, result.visits)
    for ax in axes[len(plies) :]:
        ax.set_visible(False)
    if image is not None:
        unit = "share of the visits (half or more: darkest)"
        unit = unit if what == "visits" else "value for the side to move"
        add_bar(figure, image, axes, unit, shrink=0.5, aspect=40)
    return figure


# by Experiments · what the small boards show, in words
def visits_caption(game: Game, results: dict, plies) -> str:
    """Return the finding, and what is needed to repeat it."""
    boards = [(each, game.played[ply]) for ply, each in results.items() if each.visits.any()]
    shares = [found.visits.flat[point] / found.visits.sum() for found, point in boards]
    searched = [found for found, _ in boards]
    text = f"{len(plies)} of the computer's {len(results)} moves are drawn"
    if len(results) > len(searched):
        text += f"; {len(results) - len(searched)} of the {len(results)} needed no search"
    if not searched:
        return text + "."
    alone = sum(each.why == "only candidate" for each in searched)
    rivals = f"; {alone} had no rival among the candidates" if alone else ""
    return (
        f"{text}. The move played received {min(shares):.0%} to {max(shares):.0%} of the "
        f"visits, a median of {np.median(shares):.0%}{rivals}. "
        f"{span([each.simulations for each in searched])} simulations, "
        f"seeds {span([each.seed for each in searched], '')}."
    )


def span(numbers, comma: str = ",") -> str:
    """Return the range of some numbers, such as "1,000 to 2,000", or the only one."""
    low, high = (f"{number:{comma}}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


# *by Experiments*
#
# The visits say what was looked at; the values say why. A value is the mean result of the simulations through
# a move, from −1, all lost, to +1, all won, for the side to move. Grey points were not searched. The boards
# of black and white alternate, each for its own side. In a game that is won, those of the loser turn red.


# *by Experiments*
#
# **The report.** The course asks for the result, the final board and the numbered record of
# moves. `draw_record` writes the number of its move on each stone.
#
# Each row is a move of the computer; of a long game the first and the last five are shown. The move that was
# played and the one that the search prefers may differ where a stored game is searched again with fewer
# simulations.


# by Experiments · the final board with the numbers of the moves
def number_stones(ax, game, points) -> None:
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
def move_table(game: Game, results: dict):
    """Return a pandas table of {ply: SearchResult}: what was played, and what was found."""
    import pandas as pd

    names = ["move", "played", "search prefers", "why"]
    names += ["seconds", "simulations", "visits of it", "value"]
    rows = []
    for ply, found in sorted(results.items()):
        value = None if math.isnan(found.value) else round(found.value, 3)
        row = ply + 1, game.moves[ply], found.name, found.why, round(found.seconds, 2)
        visits = int(found.visits.flat[found.move])
        rows.append((*row, found.simulations, visits, value))
    return pd.DataFrame(rows, columns=names).set_index("move")


# *by Experiments*
#
# The course notebook also printed two matrices after each move of the computer: the visits of every point and
# its UCB. `show_reports` gives both for each search, folded under one line per move. Open one. The second
# matrix holds what that search selected by: UCB, or for the engine and *mine*
# [PUCT](#10.-Heuristic-child-selection). Well-visited points have nearly the same: whichever is ahead gets the
# next visit and falls back.


# by Experiments · time, simulations, and the matrices of visits and scores
def matrix_text(board, form: str) -> str:
    """Return the numbers of a board as text, line 1 at the bottom, "." for none."""
    texts = [[form.format(x) if x > 0 else "." for x in row] for row in board.tolist()]
    wide = max(3, 1 + max(len(text) for row in texts for text in row))
    lines = [[str(number), *row] for number, row in enumerate(texts, 1)][::-1]
    lines += [["", *"abcdefghijklmnopqrst"[: len(texts[0])]]]
    return "\n".join("".join(f"{text:>{wide}}" for text in line) for line in lines)


def show_reports(results: dict) -> None:
    """Display the report of each {ply: SearchResult}: a line that opens on two matrices."""
    from IPython.display import display

    folds, words = [], []
    for ply, result in sorted(results.items()):
        head = (
            f"Move {ply + 1}, {result.name}: thinking time {result.seconds:.2f} s, "
            f"total simulations {result.simulations:,}"
        )
        visits = matrix_text(result.visits, "{:d}")
        body = f"visits\n{visits}\n\n{result.rule}\n{matrix_text(result.scores, '{:.3f}')}"
        folds.append(f"<details><summary>{head}</summary><pre>{body}</pre></details>")
        words.append(f"{head}\n{body}")
    data = {"text/html": "".join(folds), "text/plain": "\n\n".join(words)}
    display(data, raw=True)


# *by Interface*
#
# **The replay** needs a browser; on paper, pictures of the game stand in its place. Drag the slider, click on
# a move or on the curve, or use the arrow keys, Home, End and the space bar. Below the stones lies the search
# that chose the move; the move is labelled with its share of the visits. The replay comes from the package,
# like the engine and the long measurements.


# *by Experiments*
#
# ### Node X, before and after
#
# [Section 9](#9.-What-plain-search-misses) showed a position in which plain search overlooks
# the only two defences, and [section 10](#10.-Heuristic-child-selection) how the cut deletes
# them and the prior finds one. Here is the same position before the engine and after. Compiled
# plain search spreads its visits, however many they are. The engine has proved that most moves
# lose, and dropped them, before its first simulation; [threats](studies/threats.ipynb) shows
# how.


# *by Experiments*
#
# ## 15. Essays
#
# Five questions, one from each role. Each essay follows one example to its end. What the course notebook wished for is
# tried in [strength](studies/strength.ipynb#What-the-course-notebook-wished-for).


# *by Rules*
#
# ### Why is 8 by 8 a draw and 15 by 15 a win?
#
# Because a black attack needs room in every direction, we believe, and eight rows leave too little. That the one
# is a draw and the other a win is proven; the reason is not. So let us test it on a board of our own.
#
# **The long board.** Take the eight rows of 8×8 and stretch them to twenty columns. The long board has almost as
# many points as 13×13, where our engine mostly wins with black. If the number of points decides, black should
# win on the long board too. If room in *every* direction decides, it should be a draw, like 8×8. Which is it?
#
# **What we know beforehand.** White cannot win against perfect play, on any board. Suppose white had a winning
# plan. Black could place a first stone anywhere and then follow white's plan as if that stone were not there,
# moving anywhere once the plan asks for its point; in freestyle an extra stone never hurts its owner. Then both
# would win, which is impossible. The argument, called strategy stealing, goes back to John Nash (Beck, 2008, chapter 1).
# It leaves two outcomes. Proofs decide between them: 15×15 is a win for black (Allis, van den Herik and Huntjens,
# 1993), 7×7 and 8×8 are draws (Hsu and others, 2020). For the long board we know of no proof.
#
# **What the long board takes away.** A stone in the open takes part in twenty lines of five, five in each
# direction. Near an edge it takes part in fewer. The figure counts them for every point.


# by Rules · the lines of five on a board
def long_lines(rules: Rules) -> list[list[int]]:
    """Return every row, column and diagonal of at least five points, as lists of points."""
    board = np.arange(rules.points).reshape(rules.height, rules.size)
    lines = [*board, *board.T]
    for each in (board, board[:, ::-1]):
        lines += [each.diagonal(k) for k in range(1 - rules.height, rules.size)]
    return [line.tolist() for line in lines if len(line) >= 5]


def lines_through(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point, int[rows, size]."""
    through = np.zeros((rules.height, rules.size), int)
    for line in long_lines(rules):
        for first in range(len(line) - 4):
            through.flat[line[first : first + 5]] += 1
    return through


# *by Rules*
#
# Away from its short ends the long board keeps all five lines of a row. Each column and diagonal keeps
# four at most, since no point is four away from both long edges. What is lost is a line in three of the four directions.
#
# **Now play it.** The engine plays itself from the empty board, with small budgets, chosen at random for each move so
# that games differ. The long board is the last bar, 20×8; compare it with 8×8 and with 13×13.


# *by Rules*
#
# **The answer of the long board.** Most of its games are drawn, while 13×13, with hardly more points, is nearly always
# won. Our guess fits in the main. Points alone do not: 12×12 has fewer than the long board and is won more often. We
# picture it like this. An attack is a chain of threats, each of which must be answered. Between two near edges the
# chain may run out of directions before it wins.
#
# **What does not fit.** The smallest boards are drawn and 15×15 is won, as the proofs say. But 9×9 and 11×11 have
# points with room for all twenty lines, and all their games are drawn, while 10×10 between them is sometimes won. And
# the long board, which has none of them, has some games with a winner. So for a win in play such points are neither
# needed nor enough.
#
# **What failed.** One budget for all moves. The engine then repeats itself, and on 15×15 white won the few games that it
# played over and over (they are not kept). So the budget is chosen at random for each move, and a game that still comes
# again is counted once, for it tells nothing new. But we chose so after seeing both.
#
# **Limits.** The bars show one engine with small budgets, playing a copy of itself. They prove nothing about perfect
# play. The long board is a single test. It makes points alone less likely as the reason, and leaves open whether
# directions are. And all this holds for freestyle.
#
# So why is 8×8 a draw and 15×15 a win? Perhaps not because 15×15 is larger, but because it is larger *both ways*.
#
# *Read more:* J. Beck, *Combinatorial Games: Tic-Tac-Toe Theory*, 2008.


# *by Search*
#
# ### Why the most visited move, and not the best value?
#
# Because a value can be high by luck, and visits show that it was tested. In our example they are steadier, too. That
# they choose *better* we could not show.
#
# **One choice.** Black is to move on 8×8, in the position drawn below. Two moves tempt: `e4` and `f4`. The engine
# searches once; suppose the clock may stop it at any moment. Then each move has $n$ visits and a value, the
# mean of what those visits found. Browne and others (2012, section 3.1) name two rules. The *max child* is the
# move with the highest value, the *robust child* the one with the most visits. The course notebook plays the
# robust child, and so do we.
#
# The figure reads that one search over and over on its way: above, the visits of the two moves; below,
# their values for black, which lie between −1 and +1. Where it is shaded, `f4` has the best value of all moves. Stopped
# there, the max child is `f4`.


# *by Search*
#
# **Why `f4` tempts.** Its value rests on few visits, so it is uncertain; and of many uncertain values the highest is
# likely one that was lucky. Decision theorists call this the optimizer's curse: whoever picks the best of many
# estimates is disappointed on average (Smith and Winkler, 2006). The max child walks into it. Searched deeper, `f4` is
# worth less than half as much as `e4`, says the caption.
#
# **How the search finds out.** Smith and Winkler's estimates stand still. A tree search audits its own. In the first
# and widest shaded span `f4` gets few visits, since its prior is small. But its curve of visits climbs in steps, and
# after most steps its value is lower. In the second span it leads by little. Then the value of `e4` rises past it.
# Nobody told the search that `f4` was too high. *A value that leads is tested*, here within a thousand simulations,
# though `e4` gets still more of them. A lead in value is a question; the visits are the answer.
#
# **What the robust child plays.** `e4`, at every reading, shaded or not. Not all of that need be merit: a larger prior
# brings early visits. But a lead of `f4` would have had to last before `f4` was played, and none did.
#
# To the right of the last span `f4` gets hardly any visits more, since the value of `e4` stays above it.
#
# **Is `f4` typical?** It was chosen because it shows the trap. The next figure takes positions that nobody chose and
# keeps those in which the two rules disagree, as they do in the shade. Each move is played, and a search ten times as
# long judges the result.


# *by Search*
#
# Most dots lie next to zero, and neither mean is clear of it. At the larger budget one dot far to the right makes most
# of the mean: without that it is near zero. Dropping a dot afterwards is no test. So the trap exists; that it costs on
# average is not shown.
#
# **The price of being steady.** Visits remember. Had `f4` been the better move, it would have had to overtake all
# earlier visits of `e4` before it was played, and a search stopped in between would have missed it.
#
# **Theory does not decide.** For UCT, not our PUCT, the chance that the best value is wrong goes to zero as
# simulations grow (Kocsis and Szepesvári, 2006). And a search that earns a good *sum* of rewards on the way
# explores less than one that cares for the last *choice* alone (Bubeck, Munos and Stoltz, 2009).
#
# **What failed.** The sample was meant to show the trap on average, and does not.
# [strength](studies/strength.ipynb#Which-move-to-play?) tries a third rule as well, the highest lower bound.
#
# **Limits.** `f4` is a story, not a measurement. The judge is the same engine with more simulations, so an error
# that both share stays unseen. On 15×15 we did not measure it.
#
# So stop the clock anywhere: the robust child is `e4`, and someone who trusts values plays `f4` or `e4` depending on
# the moment. Here the robust child does not hang on the moment; between near equals [it
# may](#How-do-you-show-a-mind-changing?). It is our choice, and not shown to be the better one.
#
# *Read more:* J. E. Smith and R. L. Winkler, [*The Optimizer's Curse*](https://doi.org/10.1287/mnsc.1050.0451),
# Management Science 52, 2006; S. Bubeck, R. Munos and G. Stoltz, [*Pure Exploration in Multi-armed Bandits
# Problems*](https://doi.org/10.1007/978-3-642-04414-4_7), ALT 2009.


# *by Heuristics*
#
# ### What does knowledge cost, and when does it lie?
#
# It costs speed. It lies when what matters is outside its view. A lie costs simulations too, and the game if nobody
# overrules it before the clock stops.
#
# **The lie.** Take [Node X](#9.-What-plain-search-misses) again: white to move, and only `c2` and `f2` hold. The
# engine's *advice* are priors that its own games taught it. It looks at a point and a little around it: what a stone
# would make there, what it would take from the opponent, and what lies one and two points away. Of the rest of the
# board it knows only how good the best point of either side is, not where it lies. At `g2` black threatens to make a
# four and an open three with one stone. `b2` lies on two lines with two black stones each. So the advice gives these
# two more than all other moves together, and the two moves that hold, ringed in the figure, next to nothing. But both
# lose, to an attack elsewhere. So short a look cannot say *which* other line decides the game.
#
# **Who overrules it?** Each of the four curves is one search of Node X: the share of its visits on `c2` and `f2`.
# Blue and red are the engine without proofs: nothing but the values of its tree speaks
# against the advice, which was written by hand (blue) or learned (red). Green may prove things as well. Plain search
# has no advice, and random games in place of an evaluation function.


# *by Heuristics*
#
# **Red: values against advice.** At first `c2` and `f2` get no visits. Nothing is forbidden, but they wait. In
# [PUCT](#10.-Heuristic-child-selection) an unvisited move bids a first value and its prior times $\sqrt{N}$. Here the
# first value is a little less than that of the node, so it falls as the favourites fall. With so small a prior the
# move's turn comes late. Then, within a hundred visits, the curve turns, here for good.
#
# **Blue: the same error, less sure.** The advice by hand errs too, but gives `f2` a larger prior. Its curve leaves zero
# a little earlier.
#
# A delay is not harmless. Whoever stops before the turn plays a move that loses. *Mere advice is safe only for those
# who can wait.*
#
# **Green: proof against advice.** The same learned advice, but at each new node the engine looks for a win by
# fours. By the first reading a right move leads: a proof outweighs any number of visits. In play
# the engine goes further: before its first simulation it drops the moves that lose to
# [threats](studies/threats.ipynb).
#
# **Dotted: no advice.** Plain search fares worst. No advice misleads it, yet `c2` and `f2` get few of its visits to the
# end. It lacks an evaluation function too, so this alone does not price advice.
#
# **A knife instead of advice.** The player `classic` *cuts*: it keeps
# five candidates, or one if the best scores high enough. At Node X both right moves are deleted, and no budget
# brings them back ([how often?](studies/strength.ipynb#Puzzles)). Progressive bias and
# widening (Chaslot and others, 2008) are the soft forms: knowledge decides who comes first, and visits decide in
# the end.
#
# **Then why ask at all?** Because in whole games those who know more mostly win. The table has the price, a rate, and
# what it buys, a score against the player one step less knowing. *Open*: the exact test of the
# [last essay](#How-many-games-until-you-may-say-'stronger'?) shows no winner.


# *by Heuristics*
#
# Looking at shapes takes time at every node: on 8×8 `classic` makes fewer simulations per second than plain search, and
# the engine fewer still, its look for threats not counted. `classic` earns that back on 15×15; on 8×8 it stays open.
# The engine, with a fifth of the time, is ahead of `classic` on both boards. So here those who know more mostly win
# ([more](studies/strength.ipynb#The-ladder)); which part of it wins, the table does not say.
#
# **What failed.** The first table of learned advice. Taught by nodes with many visits, it predicted their visits better
# than the advice by hand, but won no more games. The advice shown here learned mostly from new nodes at the ends of a
# tree, where the engine asks ([engine](studies/engine.ipynb#What-its-own-games-taught-it)). At Node X it errs more than
# the advice by hand: that is why red leaves zero after blue.
#
# **Limits.** Node X was chosen because advice fails there, and each curve is one search. The players of the
# table differ in more than what they know: the engine also proves. How often advice lies in real games we did not count.
#
# Back to white at Node X. The lie cost red about a hundred simulations, which is nothing to a player who has thousands,
# and the game to one who has fewer. It cost green next to none, and the time for its proofs. It cost the cut
# everything. So let knowledge speak first, never alone, and give the last word to what can be proven.
#
# *Read more:* C. D. Rosin, 2011, on priors in the bound, in the [sources](#Sources); G. Chaslot and others,
# [*Progressive Strategies for Monte-Carlo Tree Search*](https://doi.org/10.1142/S1793005708001094), New Mathematics
# and Natural Computation 4(3), 2008.


# *by Interface*
#
# ### How do you show a mind changing?
#
# With few numbers, where the reader is looking, and with its past beside them.
#
# **One decision.** Black is to move on 8×8, after `d1 f8 d5 b7`. Two moves compete: `e5`, beside the stone on `d5`, and
# `d4`, in the column of both stones. The six boards are one search of the engine at six moments. A number is a move's
# share of the visits in percent. At first `e4` is second; it falls behind, so the boards write only the two that take
# turns. The title gives the simulations so far, and the move that would be played now. The curves join the boards; each
# grey line is one of them.


# *by Interface*
#
# **Look at the boards alone.** Each names a move, and the next one takes it back, five times in a row; the moments
# were chosen for that. A program that shows nothing but the present may do this to its reader at any time.
#
# **Now look at the curves.** They say what no single board can. Soon after the first board, where `d4` leads widely,
# `e5` gets nearly all visits, and from the second board to the last the two nearly tie. Between near equals the lead
# changes by chance, and a display should not make news of it. Only later does `d4` pull away. A share sums up the past,
# so *a display changes its mind later than the search*. And a large share is not a safe one. It may melt without a
# refutation: another move has only to become a little better.
#
# **Now draw the first board for a reader.** `d4` leads widely, and is about to lose its lead. The figure shows that
# moment three times.


# *by Interface*
#
# **All counts.** Correct, and slow to read. Each count also grows all the time, so on a live board every number would flicker.
#
# **Shades.** The eye goes to `d4` at once. But how far is it ahead? Cleveland and McGill (1984) rank shading lowest
# among the ways to show a quantity, area a little higher, position along a common scale first.
#
# **The window.** A move's share is a disc whose area and shade both grow, and the three largest shares are
# written, their values in small print below. A share holds still while counts grow; it also moves late, as we saw.
#
# **What even the third picture hides.** That `d4` is about to fall. Its small print gives a hint: in value the two
# moves are nearly equal, so the lead is wide in visits and thin in worth. But no picture of one moment shows a turn.
# The past belongs in a line, where position along a common scale does the telling. The
# [replay](#14.-Heatmaps-and-replay) draws such a line over a game, the expected result move by move; a click opens the
# turning point. Within one search the window keeps no line yet.
#
# **What no picture may say.** "Decided". The end of the curves looks so, and knows only this search; a longer one may
# take `d4` back. In positions that nobody chose, [many favourites change
# late](studies/strength.ipynb#When-the-favourite-settles). So the panel beside the board uses words: the move, the
# reason ("makes five", "wins by fours", "most visited"), and a verdict. Only a proven win is called a win, and only a
# proven draw a draw; anything else is an expectation in whole percent.
#
# **What failed.** Animations: no reader can lay two of their moments side by side. Six still boards can be compared.
#
# **Limits.** We tested that the window responds, not that people understand it. No user study stands behind the
# choice of discs over squares, or of three numbers over five. This decision was chosen because it changes, and a
# change between two equally good moves looks just like one that matters.
#
# So, for `d4` and `e5`: numbers on the board say *what* the engine thinks, a line below it would say *since when*, and
# a sentence says *how surely*. With all three, a reader of the first board would know that `d4` rose only lately, that
# in value the moves are nearly equal, and that nothing is decided.
#
# *Read more:* W. S. Cleveland and R. McGill, [*Graphical
# Perception*](https://doi.org/10.1080/01621459.1984.10478080), Journal of the American Statistical Association 79, 1984.


# *by Experiments*
#
# ### How many games until you may say 'stronger'?
#
# Dozens of games that *tell* for a large improvement, hundreds for a moderate one, thousands for a small one; and the
# rule for stopping comes *before* the first game. Which games tell is half of the answer.
#
# **One match.** The engine keeps its tree from move to move. A twin begins each search anew. They play two hundred games
# on 15×15 at equal time, from stones at random, each opening twice with the colours exchanged. The result stands
# below. The engine wins more games than it loses. May we say that it is stronger than its twin? The table reads the
# same match in four ways.


# *by Experiments*
#
# **Four readings, two answers.** As many games again would give another score. A 95 % interval contains the true score in
# about 95 of 100 matches; if it contains ½, the match does not say who is stronger.
#
# *Three results.* Won, drawn and lost are counted apart, and the lead is tested (Tango, 1998). The interval contains ½.
#
# *Decided games.* Forget the draws and ask how often a fair coin would fall so unevenly, to either side. This test is exact,
# and the chance in the table is too large. So far the match is open.
#
# *Uneven pairs.* But two games of one opening are not two coins. In most pairs the same colour won both: the opening had
# decided them before the players began. Such a pair tells nothing of the players, yet it puts a win and a loss into the
# readings above and drowns what they look for. Count only the pairs in which one player made more points than the other.
# They are few, and nearly all are the engine's: a fair coin hardly ever falls so.
#
# *One of a family.* The match is one row of an [ablation](studies/strength.ipynb#Each-idea-switched-off), which
# switches off one idea per row. Of twenty useless ideas one or more looks useful or harmful in up to two families of
# three. So the rows together get a correction (Holm, 1979): the smallest chance has to be smaller by the number of rows, the
# next by one less. This match passes.
#
# **How long, then?** Count in uneven pairs. The next table supposes a true share of them that the engine wins, and asks
# how many it takes for Wilson's interval (1927), which does better near 0 and 1 than the textbook's two standard errors
# (Agresti and Coull, 1998), to lie above ½ four times in five. The first row takes the share seen. The last column adds
# the even pairs, as frequent as here.


# *by Experiments*
#
# To halve the advantage that you can see, you need about four times the games. The first row is a hope: so lucky a
# start is just why we look at this match.
#
# **Why not play on until it shows?** Because each look is a new chance to be fooled. Suppose the twin is in truth
# equal, so that each game that tells is the toss of a fair coin. The figure plays such matches and looks after every
# ten tosses. The shaded funnel contains the scores that say nothing; whoever stops on leaving it claims a discovery.
# One look misleads about one match in twenty; forty looks mislead more than one in four.


# *by Experiments*
#
# So a match has a length that is fixed before its first game, as all have in [strength](studies/strength.ipynb). Where
# matches of an earlier engine had left too much open, those of a later one are longer, and begin again from zero.
#
# **What failed.** Our first interval took draws for half wins. Our second reading counted single games, and left this
# match open: what the openings had decided looked like noise of the players. Even openings leave fewer even pairs:
# [strength](studies/strength.ipynb#Each-idea-switched-off) asks the same question from them too.
#
# **Limits.** A test speaks of chance alone. It does not know that both players share an author, or that a short budget
# is not a long one. We chose this row after seeing the table; the correction pays for that. "Stronger" in this notebook
# means: against that player, on that board, at that budget.
#
# Is the engine stronger than its twin that forgets? On 15×15, at this budget, we may say so. On 8×8 nearly all games are
# drawn, and we may not. For a new match: name the share that you care about, take the length from the table, and count
# from zero. *One* question, asked once, of enough pairs that tell: then you may say 'stronger'.
#
# *Read more:* A. Agresti and B. A. Coull, *Approximate Is Better than "Exact" for Interval Estimation of
# Binomial Proportions*, The American Statistician 52, 1998; S. Holm, *A Simple Sequentially Rejective Multiple
# Test Procedure*, Scandinavian Journal of Statistics 6, 1979; T. Tango, *Equivalence Test and Confidence
# Interval for the Difference in Proportions for the Paired-Sample Design*, Statistics in Medicine 17, 1998.


# *by Experiments*
#
# ## 16. Limits and sources
#
# **What it does not see.** The notebook's own search proves nothing: it plays what it visited
# most. A prior only guides it where the score table knows a shape. The engine looks for wins by
# continuous fours at every node, and for wins by threats at the root and after its favourite,
# each within a set number of positions. A win that needs a quiet move first it finds only as far
# as its tree reaches. What its evaluation function says of a quiet position comes from its own
# games: a plan that it never plays, it never learnt to value.
#
# **What is proven, and what is not.** `SearchResult.proven` rests on complete lists of moves, or
# on lists whose missing moves are shown to lose; tests compare it with brute force. A move that
# is called a *defence* only means that no win against it was found.
#
# **What is not claimed.** The speeds hold for the machine and the run that printed them. The
# match results hold for the players, the budgets and the board sizes named beside them, within
# the intervals given.
#
# **What would come next.** A network that evaluates whole boards, trained by self-play, is what
# the strongest programs add (Silver and others, 2017). It needs many times our games.
#
# ### Terms
#
# A link leads to where a term is explained.
#
# - [UCB](#4.-Select), the upper confidence bound of a child; its *exploration constant* is $c$. In a tree the
#   rule is called UCT.
# - [Rollout](#6.-Simulate) or playout: the random game from a new node; its result is a *leaf value*.
# - [Visits, reward, value](#3.-The-game-node): what a node counts, and their ratio.
# - [Simulation](#8.-The-loop): the four steps once. The [root](#1.-How-MCTS-thinks) is the position asked about.
# - [Candidates](#10.-Heuristic-child-selection): the moves that a node gets, with *priors*, which *PUCT* puts
#   into the bound. *First-play urgency* is what an unvisited move counts as.
# - [Shape, open three, four](#10.-Heuristic-child-selection): stones of one colour on a line, by what they
#   threaten; [exactly](studies/threats.ipynb#Shapes,-from-five-downwards).
# - [VCF](studies/threats.ipynb#Wins-by-fours), [VCT](studies/threats.ipynb#Wins-by-threats): forced wins, by
#   fours alone or with open threes; searching for them is *threat-space search*.
# - [Transposition table](studies/threats.ipynb#Wins-by-fours): what a search knows of positions it has seen.
# - [Evaluation function](studies/engine.ipynb#What-is-a-quiet-position-worth?): the value of a quiet position
#   without playing on.
# - [Progressive bias](studies/engine.ipynb#Select-with-priors): knowledge that weighs less with every visit.
# - [Proven](studies/engine.ipynb#What-is-certain-at-a-new-node): a win, loss or draw that is certain travels up
#   the tree.
# - [Level](studies/engine.ipynb#Ten-levels): how strong the engine plays, from 1 to 10.
# - [Principal variation](studies/strength.ipynb#The-line-it-expects): the line that a search expects.
# - [Root parallelization](studies/strength.ipynb#What-was-left-out): several trees whose visits are added up.
# - [Ablation](studies/strength.ipynb#What-each-idea-is-worth): a match without one idea, against all of them.
# - [Interval](#How-many-games-until-you-may-say-'stronger'?): what scores are consistent with the games played.
#
# ### Sources
#
# - *Project 5002: Five-in-a-Row Game*, a course notebook: the task, the UCB constant, the
#   shapes, the scores, the cut to five candidates.
# - A.-I. Paraschiv, *Beating Connect-4 with a Reinforcement Learning Algorithm*, report, TU
#   Delft, 2024: its tables are played again in
#   [connect_report](studies/connect_report.ipynb).
# - P. Auer, N. Cesa-Bianchi, P. Fischer, [*Finite-time Analysis of the Multiarmed Bandit
#   Problem*](https://doi.org/10.1023/A:1013689704352), Machine Learning 47, 2002: UCB1.
# - L. Kocsis, C. Szepesvári, [*Bandit Based Monte-Carlo Planning*](https://doi.org/10.1007/11871842_29), ECML 2006: UCB in a tree
#   (UCT).
# - C. Browne and others, [*A Survey of Monte Carlo Tree Search Methods*](https://doi.org/10.1109/TCIAIG.2012.2186810), IEEE Transactions on
#   Computational Intelligence and AI in Games 4(1), 2012: the four steps, Algorithms 2 and 3.
# - S. Gelly, Y. Wang, [*Exploration Exploitation in Go: UCT for Monte-Carlo Go*](https://hal.science/hal-00115330), NIPS workshop,
#   2006: what an unvisited child counts as (first-play urgency).
# - C. D. Rosin, [*Multi-armed Bandits with Episode Context*](https://doi.org/10.1007/s10472-011-9258-6), Annals of Mathematics and Artificial
#   Intelligence 61, 2011: priors in the bound (PUCT).
# - D. Silver and others, [*Mastering the Game of Go with Deep Neural Networks and Tree Search*](https://doi.org/10.1038/nature16961),
#   Nature 529, 2016, and [*Mastering the Game of Go without Human Knowledge*](https://doi.org/10.1038/nature24270), Nature 550, 2017:
#   the form of PUCT used here.
# - L. V. Allis, H. J. van den Herik, M. P. H. Huntjens, [*Go-Moku Solved by New Search
#   Techniques*](https://cdn.aaai.org/Symposia/Fall/1993/FS-93-02/FS93-02-001.pdf), AAAI Technical Report FS-93-02, 1993: 15×15 is a win for the first player.
# - W.-Y. Hsu, C.-L. Ko, J.-C. Chen, T.-H. Wei, C.-H. Hsueh, I.-C. Wu, [*On solving the 7,7,5-game
#   and the 8,8,5-game*](https://doi.org/10.1016/j.tcs.2020.02.023), Theoretical Computer Science 815, 2020, pages 79–94: both are draws.
# - E. B. Wilson, [*Probable Inference, the Law of Succession, and Statistical Inference*](https://doi.org/10.1080/01621459.1927.10502953), Journal
#   of the American Statistical Association 22, 1927: the interval of a score.
# - D. E. Knuth, *The Art of Computer Programming* 2, section 3.3.4: the multiplier of the random
#   numbers.
#
# What only one essay or one study uses is named at its end.

# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


import copy
import math
import os
import re
from typing import NamedTuple

import numpy as np


# ---- 2. Rules and the game ------------------------------------------------------------------


# by Rules · imports; arguments, checked by name; names and lists of moves to points


VERSION = "2.0"  # of this notebook and of the package that goes with it
BLACK, WHITE, EMPTY = 1, -1, 0
COLOUR = {BLACK: "black", WHITE: "white", EMPTY: "nobody"}


def scale(quick, full):
    """Return the first number where FIVE_MODE=quick is set, as tests do, else the second."""
    return quick if os.environ.get("FIVE_MODE") == "quick" else full


def claim(holds: bool, what: str) -> None:
    """Say so where a result is not what the text claims: a cell may have been edited."""
    if not holds:
        print(f"not as the text says (was a cell edited?): {what}")


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


def check_rules(rules: "Rules") -> "Rules":
    """Return the rules as plain integers, or raise ValueError that says what is allowed."""
    if not all(hasattr(rules, name) for name in Rules._fields):
        raise ValueError(f"rules must be Rules, such as Rules(15), not {quoted(rules)}")
    size = check_number("size", rules.size, 3, 20, whole=True)
    rows = size if rules.rows is None else check_number("rows", rules.rows, 3, 20, whole=True)
    in_a_row = check_number("in_a_row", rules.in_a_row, 3, 8, whole=True)
    return Rules(size, in_a_row, rows, check_switch("gravity", rules.gravity))


def refused(action, *given, **keywords) -> None:
    """Print the ValueError of a call that must be refused."""
    try:
        raise AssertionError(f"this was taken: {action(*given, **keywords)!r}")
    except ValueError as error:
        print("refused:", error)


def point_name(point: int, size: int) -> str:
    """Return the name of a point, such as "h8" (column letter, then line number from 1)."""
    row, col = divmod(point, size)
    return f"{chr(ord('a') + col)}{row + 1}"


def to_point(move, rules: "Rules") -> int:
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
        row, col = divmod(int(move), size)
    elif isinstance(move, tuple | list) and len(move) == 2 and all(map(is_whole, move)):
        row, col = map(int, move)
    else:
        raise ValueError(f"{quoted(move)} is not a move: give a name, (row, col) or a point")
    if not (0 <= row < rows and 0 <= col < size):
        last = f"{point_name(rules.points - 1, size)}, point {rules.points - 1}"
        raise ValueError(f"{quoted(move)} is off the board: it reaches from a1 to {last}")
    return row * size + col


def board_text(cells) -> str:
    """Return the rows of a board as text with coordinates: X black, O white, . empty."""
    lines = [
        f"{row + 1:2d} " + " ".join(".XO"[stone] for stone in cells[row])
        for row in reversed(range(len(cells)))
    ]
    return "\n".join([*lines, "   " + " ".join("abcdefghijklmnopqrst"[: len(cells[0])])])


def landing(game, point: int | None) -> int | None:
    """Return where a stone on that point would lie; a disc falls. None: nowhere."""
    legal, size = game.legal(), game.rules.size
    if point is None or not game.rules.gravity:
        return point if point in legal else None
    return next((p for p in legal if p % size == point % size), None)


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
    if not moves and re.search("[0-9]", text):  # numbers of moves, and no move
        raise ValueError(f"there is no move in {quoted(text)}: write moves such as h8i9g7")
    return moves


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


def check_position(cells, to_move, rules: "Rules") -> list[int]:
    """Return the winning line of a set-up board, int8[rows, size], or [] if there is none.

    Raises ValueError for another shape than the rules say, a floating stone, or two winners.
    """
    if not is_whole(to_move) or to_move not in (BLACK, WHITE):
        raise ValueError(f"to_move must be +1 (black) or -1 (white), not {quoted(to_move)}")
    if cells.shape != (rules.height, rules.size):
        shapes = "{}x{}, but the rules say {}x{}"
        shapes = shapes.format(*cells.shape, rules.height, rules.size)
        raise ValueError(f"the array has rows x columns {shapes}")
    if rules.gravity and ((cells[1:] != EMPTY) & (cells[:-1] == EMPTY)).any():
        raise ValueError("a stone floats above an empty point, but the rules say gravity")
    lines = {}
    for point in np.flatnonzero(cells).tolist():
        if line := winning_line(cells, point, rules.in_a_row):
            lines[int(cells.flat[point])] = line
    if len(lines) == 2:
        raise ValueError("both sides have a winning line in this position")
    return next(iter(lines.values()), [])


# by Rules · the rules, the line through the last stone, and where one may play
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


def legal_points(cells, gravity: bool = False) -> list[int]:
    """Return the points that may be played, in rising order; `cells` are rows of the board."""
    size = len(cells[0])
    return [
        row * size + col
        for row, line in enumerate(cells)
        for col, stone in enumerate(line)
        if stone == EMPTY and not (gravity and row and cells[row - 1][col] == EMPTY)
    ]


# by Rules · a game: its stones, its moves, and whose turn it is
class Game:
    """One game: its stones, whose turn it is, its moves; +1 is black, -1 is white."""

    def __init__(self, rules: Rules = Rules()):
        self.rules = check_rules(rules)
        self._cells = np.zeros((self.rules.height, self.rules.size), np.int8)
        self.to_move = BLACK
        self.five: list[int] = []  # the points of the winning line
        self.played: list[int] = []  # points, first move first
        self.undone: list[int] = []  # points that redo() will play, last one next

    def legal(self) -> list[int]:
        """Return the points that may be played now, in rising order; none after the end."""
        return [] if self.over else legal_points(self._cells.tolist(), self.rules.gravity)

    def play(self, move) -> int:
        """Play a point, a (row, col) or a name such as "h8", and return its point.

        Raises ValueError that names the point and the reason; the game is then as it was.
        """
        point = to_point(move, self.rules)
        if why := self.why_illegal(point):
            raise ValueError(why)
        self.undone = [point]  # a new move: what was taken back is forgotten
        return self.redo()

    def redo(self) -> int:
        """Play again the move that was taken back last. ValueError if there is none."""
        if not self.undone:
            raise ValueError("there is no move to play again")
        point = self.undone.pop()
        self.played.append(point)
        self._cells.flat[point] = self.to_move
        self.five = winning_line(self._cells, point, self.rules.in_a_row)
        self.to_move = -self.to_move
        return point

    def undo(self) -> int:
        """Take the last move back and return its point. ValueError if there is none."""
        if not self.played:
            raise ValueError("there is no move to take back")
        point = self.played.pop()
        self.undone.append(point)
        self._cells.flat[point] = EMPTY
        self.five = []
        self.to_move = -self.to_move
        return point

    def go_to(self, count: int) -> None:
        """Undo or redo until `count` moves are on the board, or as near as there are."""
        if not is_whole(count):
            raise ValueError(f"count must be a whole number of moves, not {quoted(count)}")
        while len(self.played) > max(0, count):
            self.undo()
        while len(self.played) < count and self.undone:
            self.redo()

    def why_illegal(self, point: int) -> str | None:
        """Return why `point` may not be played now, or None if it may."""
        point = to_point(point, self.rules)
        name = point_name(point, self.rules.size)
        stone = self._cells.flat[point]
        below = point - self.rules.size
        if self.over:
            return f"{name} cannot be played: the game is over"
        if stone != EMPTY:
            return f"{name} cannot be played: a {COLOUR[stone]} stone stands there"
        if self.rules.gravity and below >= 0 and self._cells.flat[below] == EMPTY:
            return f"{name} cannot be played: stones fall, and the point below it is empty"
        return None

    @property
    def over(self) -> bool:
        """True when somebody has won or the board is full."""
        return bool(self.five) or bool(self._cells.all())

    @property
    def winner(self) -> int:
        """+1 or -1 when somebody has won; 0 while undecided or drawn."""
        return int(self._cells.flat[self.five[0]]) if self.five else 0

    @property
    def array(self) -> np.ndarray:
        """The stones as int8[rows, size]: a copy."""
        return self._cells.copy()

    @property
    def moves(self) -> list[str]:
        """The names of the moves, first move first."""
        return [point_name(point, self.rules.size) for point in self.played]

    @property
    def stage(self) -> str:
        """Size of the board and number of moves, in words."""
        return f"{self.rules.size}×{self.rules.height}, move {len(self.played)}"

    @classmethod
    def from_text(cls, text: str, size: int = 8, rules: Rules | None = None) -> "Game":
        """Return the game of a move list such as "h8i9g7", see moves_in."""
        if not isinstance(text, str):
            raise ValueError(f"text must be moves such as 'h8 i9 g7', not {quoted(text)}")
        game = cls(Rules(size) if rules is None else rules)
        for move in moves_in(text, game):
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
        game = cls(Rules(cells.shape[1], rows=cells.shape[0]) if rules is None else rules)
        game.five = check_position(cells, to_move, game.rules)
        game._cells = cells
        game.to_move = int(to_move)
        return game

    def copy(self) -> "Game":
        """Return a game of its own with the same position and history."""
        return copy.deepcopy(self)

    def __str__(self) -> str:
        return board_text(self._cells)

    def __repr__(self) -> str:
        state = f"{COLOUR[self.to_move]} to move"
        if self.over:
            state = f"{COLOUR[self.winner]} has won" if self.winner else "draw"
        board = f"{self.rules.size}x{self.rules.height}"
        return f"<Game {board}, {len(self.played)} moves, {state}>"

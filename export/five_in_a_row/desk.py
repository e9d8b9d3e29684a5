# Made from desk.ipynb by tools/build.py: change the notebook, not this file.


import asyncio
import collections
import contextlib
import copy
import dataclasses
import functools
import importlib.util
import itertools
import math
import os
import queue
import re
import shlex
import signal
import subprocess
import symtable
import sys
import threading
import time
import weakref
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

import numpy as np
import psutil

import five_in_a_row as five
from five_in_a_row.extras import Panel
from five_in_a_row.files import one_line, replace_file
from five_in_a_row.window import Command


# ---- Records --------------------------------------------------------------------------------


# by Interface · a game from elsewhere



@dataclass
class Record(five.window.GameRecord):
    """A game that was read; what its file does not say is left empty. Plies count from 0."""

    players: tuple[str, str] = ("person", "person")  # black, white
    source: str = "record"
    date: str = ""
    times: dict[int, float] = field(default_factory=dict)  # seconds of the move at a ply
    ending: str = ""  # an end that the board does not show, in SGF's words: "W+T"
    notes: dict[int, dict] = field(
        default_factory=dict
    )  # {moves played: {"V": ..., "C": ...}}
    remarks: list[str] = field(default_factory=list)  # what its reader has to say of the file

    def play(self, move, result: five.mcts.SearchResult | None = None, level=None) -> None:
        """Play a move; forget times, notes and the end that belong to what it replaces."""
        ply = len(self.game.played)
        super().play(move, result, level)
        self.times = {p: seconds for p, seconds in self.times.items() if p < ply}
        self.notes = {moves: note for moves, note in self.notes.items() if moves <= ply}
        self.ending = ""


# by Interface · what is wrong, and where
class RecordError(ValueError):
    """A record that cannot be read or kept: reason, line (0: none) and name of the file."""

    def __init__(self, reason: str, line: int = 0, name: str = "the text"):
        self.reason, self.line, self.name = one_line(reason)[:200], line, one_line(name)
        super().__init__(f"{self.name}{f', line {line}' if line else ''}: {self.reason}")


@contextlib.contextmanager
def at_line(line: int):
    """Turn a ValueError that is raised inside into a RecordError of this line."""
    try:
        yield
    except ValueError as error:
        raise RecordError(str(error), line) from None


# by Interface · points, as files write them
SIDES = {five.game.BLACK: "B", five.game.WHITE: "W"}
COLOURS = {"B": five.game.BLACK, "W": five.game.WHITE}


def from_top(point: int, rules: five.game.Rules) -> tuple[int, int]:
    """Return column and row of a point, both from 0, rows from the top."""
    row, col = divmod(five.gomocup.flip_rows(int(point), rules), rules.size)
    return col, row


def point_at(x: int, y: int, rules: five.game.Rules, written: str) -> int:
    """Return the point of such a column and row; ValueError names what was written."""
    if not (0 <= x < rules.size and 0 <= y < rules.height):
        raise ValueError(f"{written} is off the board of {rules.size}x{rules.height}")
    return five.gomocup.point_of_xy(x, y, rules)


def play_on(game: five.game.Game, move) -> None:
    """Play a move of a file; ValueError says why it cannot be, and if a long line ended it."""
    count = len(game.five)
    if count > game.rules.in_a_row == 5:
        words = {6: "six", 7: "seven", 8: "eight", 9: "nine"}.get(count, count)
        at = f"move {len(game.played)}" if game.played else "the set-up"
        raise ValueError(
            f"{words} in a row ended the game at {at}: only freestyle is read, "
            "where more than five win as well"
        )
    game.play(move)


# by Interface · the result
def result_code(played: five.window.GameRecord) -> str:
    """Return "B+" or "W+", with R after a resignation; "Draw"; or "" where it is open."""
    if played.game.over:
        return f"{SIDES[played.game.winner]}+" if played.game.winner else "Draw"
    won = f"{SIDES[-played.resigned]}+" if played.resigned else ""
    ending = one_line(getattr(played, "ending", ""))
    if not won:
        return "" if ending[1:2] == "+" else ending
    return ending if ending.startswith(won) else won + "R"


def set_result(record: Record, code: str) -> None:
    """Note how the game ended; ValueError if its moves show another end."""
    winner, won = 0, re.fullmatch(r"(b|w|black|white)( wins.*|(\+.*)?)", code, re.IGNORECASE)
    if won:
        side = won[1][0].upper()
        winner, ending = COLOURS[side], side + (won[3] or "+")
    if not record.game.over:
        record.resigned = -winner
        record.ending = ending if won else code[:1].upper() + code[1:]
    elif winner != record.game.winner and (winner or code.lower() in ("draw", "0")):
        shown = five.figures.result_text(record.game)
        raise ValueError(f"the result {code} is not what the moves show: {shown}")


# by Interface · read Piskvork's format
PSQ_HEAD = re.compile(r"Piskvorky (\d{1,9})x(\d{1,9}), ?\d+:\d+, ?([01])", re.A)
PSQ_MOVE = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})(?:\s*,\s*(\d{1,9}))?", re.A)
PSQ_LIKE = re.compile(r"-?\d+\s*,", re.A)  # no name begins like this
PSQ_END = re.compile(r"-?\d{1,9}", re.A)


def read_psq(text: str) -> Record:
    """Return the game of a .psq text, which must not be blank."""
    lines = [(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    number, line = lines[0]
    with at_line(number):
        if not (head := PSQ_HEAD.fullmatch(line)):
            raise ValueError(f"a .psq begins with 'Piskvorky 15x15, 0:0, 0', not {line!r}")
        size, rows, first = map(int, head.groups())
        record = Record(five.game.Game(five.game.Rules(size, rows=rows)))
    moves = [*itertools.takewhile(lambda line: PSQ_MOVE.fullmatch(line[1]), lines[1:])]
    for ply, (number, line) in enumerate(moves):
        with at_line(number):
            x, y, milliseconds = map(int, PSQ_MOVE.fullmatch(line).groups("0"))
            play_on(record.game, point_at(x - 1, y - 1, record.game.rules, line))
            if milliseconds:
                record.times[ply] = milliseconds / 1000
    read_psq_end(record, lines[1 + len(moves) :], first)
    return record


# by Interface · what stands after the moves
def read_psq_end(record: Record, lines: list[tuple[int, str]], first: int) -> None:
    """Read names, date and result from the lines after the moves, (number, line) each."""
    texts = [line for _, line in lines]
    ends = [count for count in (2, 0) if PSQ_END.fullmatch("".join(texts[count : count + 1]))]
    count = ends[0] if ends else len(lines)
    names = [one_line(name) for name in texts[:count]]
    if count not in (0, 2) or any(map(PSQ_LIKE.match, names)):
        with at_line(lines[0][0]):
            end = "the end: two names or none, and a number such as -1"
            raise ValueError(
                f"{texts[0]!r} is neither a move such as 8,8,1200 nor begins {end}"
            )
    if not ends:
        record.remarks.append("its end is not marked, as before 2008: moves may be missing")
    if names:
        record.players = names[first], names[1 - first]
    for number, line in lines[count + 1 :]:
        if line.startswith("date: "):
            record.date = one_line(line.removeprefix("date: "))
        if line.startswith("result: "):
            with at_line(number):
                set_result(record, one_line(line.removeprefix("result: ")))


# by Interface · write Piskvork's format
def psq_text(played: five.window.GameRecord) -> str:
    """Return the game as a .psq text; ValueError for a name that looks like a move."""
    game, names = played.game, [one_line(name) or "person" for name in played.players]
    if any(map(PSQ_LIKE.match, names)):
        raise ValueError(f"one of the names {names} would look like a move in a .psq")
    lines = [f"Piskvorky {game.rules.size}x{game.rules.height}, 0:0, 0"]
    times = getattr(played, "times", {}) | {p: r.seconds for p, r in played.results.items()}
    for ply, point in enumerate(game.played):
        x, y = from_top(point, game.rules)
        lines.append(f"{x + 1},{y + 1},{round(1000 * times.get(ply, 0))}")
    more = {"date": one_line(played.date), "result": result_code(played)}
    lines += [*names, "-1", *(f"{key}: {value}" for key, value in more.items() if value)]
    return "\n".join(lines) + "\n"


# by Interface · the main line of an SGF tree
SGF_TOKEN = re.compile(
    r"(?P<sign>[();])|(?P<name>[a-z]*[A-Z][A-Za-z]*)"
    r"|(?P<value>\[(?:[^]\\]|\\.)*\])|(?P<wrong>\S)",
    re.S,
)
FOLLOWS = {  # what may come after what
    "the start": "(",
    "(": ";",
    ";": "; ( ) name",
    "name": "value",
    "value": "value name ; ( )",
    ")": "( )",
}


SGF_WORDS = {"name": "a property", "value": "a value in [ ]"}


def sgf_parts(text: str) -> tuple[list[tuple[str, str, int]], str]:
    """Return (name, value, line) of the main line, and the text after the first game.

    A node begins with (";", "", line). RecordError if the tree is broken.
    """
    parts, before, depth, closed = [], "the start", 0, False
    line, place = 1, 0  # of the token before
    for token in SGF_TOKEN.finditer(text):
        line, place = line + text.count("\n", place, token.start()), token.start()
        part, kind = token[0], token[0] if token["sign"] else token.lastgroup
        if part == "[":
            raise RecordError("a value is not closed by ]", line)
        if kind not in (allowed := FOLLOWS[before].split()):
            raise RecordError(sgf_fault(text[place:], before, allowed), line)
        before, closed = kind, closed or kind == ")"
        if kind == ";" and not closed:
            parts.append((";", "", line))  # a node begins
        depth += (kind == "(") - (kind == ")")
        if depth == 0:
            return parts, text[token.end() :]
        if kind == "name":
            name = re.sub("[a-z]", "", part)  # before FF[4], "Black" was a way to write B
        elif kind == "value" and not closed:
            parts.append((name, part[1:-1], line))
    raise RecordError("the file is cut: a bracket ( is not closed by )", line)


def sgf_fault(rest: str, before: str, allowed: list[str]) -> str:
    """Return what is wrong where `rest` begins, after a token, which others may follow."""
    if before != "the start" and re.match(r"[^][]*\]", rest):
        return r"there is a ] too many: inside a value, such as a name, it must be written \]"
    if small := re.match("[a-z]+", rest):
        word = small[0][:20]
        return f"{word!r} is no property: SGF writes them in capital letters, {word.upper()}"
    wanted = " or ".join(SGF_WORDS.get(kind, kind) for kind in allowed)
    return f"after {SGF_WORDS.get(before, before)} comes {wanted}, not {rest[:1]!r}"


# by Interface · set-up and moves of SGF
SETUP = {"AB": five.game.BLACK, "AW": five.game.WHITE, "AE": 0}


def sgf_point(value: str, rules: five.game.Rules, name: str, written: str) -> int:
    """Return the point of a value such as "ee"; ValueError names the property as written."""
    if not re.fullmatch(r"\s*[A-Za-z]{2}\s*", value):
        raise ValueError(f"{written} is not one point, written as in {name}[ee]")
    x, y = (ord(letter) - ord("a") for letter in value.strip().lower())
    return point_at(x, y, rules, written)


def sgf_points(name: str, value: str, rules: five.game.Rules) -> list[int]:
    """Return the points of a set-up: of one, "ee", or of a rectangle, "cc:ed"."""
    corners = value.split(":") if value.count(":") == 1 else [value]
    ends = [sgf_point(corner, rules, name, f"{name}[{value}]") for corner in corners]
    rows, cols = zip(*(divmod(point, rules.size) for point in ends), strict=True)
    return [
        row * rules.size + col
        for row in range(min(rows), max(rows) + 1)
        for col in range(min(cols), max(cols) + 1)
    ]


def sgf_move(name: str, value: str, rules: five.game.Rules, number: int) -> int:
    """Return the point of a move, the game's `number`-th; ValueError for a pass."""
    off = rules.size < 20 or rules.height < 20  # the point tt, as passes were once written
    if not value.strip() or (value.strip().lower() == "tt" and off):
        raise ValueError(f"{name}[{value}], move {number}, is a pass: this game has no passes")
    return sgf_point(value, rules, name, f"{name}[{value}]")


def sgf_game(parts: list[tuple[str, str, int]], rules: five.game.Rules) -> five.game.Game:
    """Return the game of a main line; RecordError for what is no point or not legal."""
    cells, to_move, game = np.zeros((rules.height, rules.size), np.int8), 0, None
    for name, value, line in parts:
        with at_line(line):
            if game and name in (*SETUP, "PL"):
                raise ValueError(f"{name}[{value}] comes after a move: set-up stands before")
            if name in SETUP:
                cells.flat[sgf_points(name, value, rules)] = SETUP[name]
            elif name == "PL" and value not in COLOURS:
                raise ValueError(f"PL[{value}] is no colour: PL[B] and PL[W] are")
            elif name == "PL":
                to_move = COLOURS[value]
            elif name in COLOURS:
                number = len(game.played) + 1 if game else 1
                point, colour = sgf_move(name, value, rules, number), COLOURS[name]
                game = game or five.game.Game.from_array(cells, to_move or colour, rules)
                if colour != game.to_move and not game.over:
                    turn = five.game.COLOUR[game.to_move]
                    raise ValueError(f"{name}[{value}] is out of turn: {turn} is to move")
                play_on(game, point)
    with at_line(line):  # nobody has moved: white does when there are more black stones
        to_move = to_move or (five.game.WHITE if cells.sum() > 0 else five.game.BLACK)
        return game or five.game.Game.from_array(cells, to_move, rules)


# by Interface · read SGF
def read_sgf(text: str) -> Record:
    """Return the main line of the first game of an SGF text."""
    parts, rest = sgf_parts(text)
    first = {name: (unescaped(value), line) for name, value, line in reversed(parts)}
    black, white, day, hour, (result, line) = (
        first.get(name, ("", 1)) for name in ("PB", "PW", "DT", "HOUR", "RE")
    )
    record = Record(sgf_game(parts, sgf_rules(first)))
    record.notes = sgf_notes(parts)
    if "(" in rest:
        record.remarks.append("it holds several games: this is the first")
    record.players = black[0] or "person", white[0] or "person"
    record.date = f"{day[0]} {hour[0]}".strip()
    with at_line(line):
        set_result(record, result)
    return record


def sgf_rules(first: dict[str, tuple[str, int]]) -> five.game.Rules:
    """Return the board that SZ gives, if GM says five in a row; else RecordError."""
    (kind, kind_line), (size, size_line) = (first.get(k, ("", 1)) for k in ("GM", "SZ"))
    with at_line(kind_line):
        if kind != "4":
            raise ValueError(f"GM must be 4, five in a row, and is {kind or 'missing'}")
    with at_line(size_line):
        if not (found := re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", size, re.A)):
            raise ValueError(f"SZ must be like 15 or 15:10, and is {size or 'missing'}")
        return five.game.check_rules(
            five.game.Rules(int(found[1]), rows=int(found[2] or found[1]))
        )


def sgf_notes(parts: list[tuple[str, str, int]]) -> dict[int, dict]:
    """Return {moves played: {"V": value, "C": comment}} of the nodes that say something."""
    notes, moves, last = {}, 0, {}
    for name, value, _ in [*parts, (";", "", 0)]:
        if name == ";":
            if last:
                notes[moves] = notes.get(moves, {}) | last
            last = {}
        elif name in ("V", "C"):
            text = re.sub(r"\\(?:\n|(.))", r"\1", value, flags=re.S)
            last[name] = "\n".join(map(one_line, text.strip().split("\n")))
        moves += name in COLOURS
    return notes


def unescaped(value: str) -> str:
    """Return what an SGF value says, as one line."""
    return one_line(re.sub(r"\\(?:\n|(.))", r"\1", value, flags=re.S))


# by Interface · write SGF
DAY_AND_HOUR = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)", re.A)


def sgf_text(played: five.window.GameRecord, review=None) -> str:
    """Return the game as an SGF text, ten moves a line, with its searches and a review.

    review   a table of review_game, as far as its moves are those of the game
    """
    game, rules = played.game, played.game.rules
    stones, to_move = five.search.start_of(game)
    cells, date = np.frombuffer(stones, np.int8), DAY_AND_HOUR.fullmatch(played.date)
    size = f"{rules.size}" if rules.size == rules.height else f"{rules.size}:{rules.height}"
    info = {"FF": "4", "GM": "4", "CA": "UTF-8", "SZ": size}
    info |= {"PB": played.players[0], "PW": played.players[1], "RE": result_code(played)}
    info |= {"DT": date[1], "HOUR": date[2]} if date else {"DT": played.date}
    text = "".join(f"{name}[{escaped(value)}]" for name, value in info.items() if value)
    for name in ("AB", "AW"):
        points = np.flatnonzero(cells == SETUP[name])
        text += name * bool(points.size) + "".join(point_letters(p, rules) for p in points)
    if cells.any() or to_move != five.game.BLACK:
        text += f"PL[{SIDES[to_move]}]"
    notes, better = sgf_analysis(played, review)
    text += note_text(notes.get(0, {}))
    for ply, point in enumerate(game.played):
        side = SIDES[to_move if ply % 2 == 0 else -to_move]
        text += "\n" * (ply % 10 == 0) + "(" * (ply in better)
        text += f";{side}{point_letters(point, rules)}{note_text(notes.get(ply + 1, {}))}"
    for ply in reversed(better):
        sides = itertools.cycle((to_move, -to_move) if ply % 2 == 0 else (-to_move, to_move))
        line = [five.game.to_point(name, rules) for name in better[ply].split()]
        moves = zip(sides, line, strict=False)
        text += (
            ")\n(" + "".join(f";{SIDES[s]}{point_letters(p, rules)}" for s, p in moves) + ")"
        )
    return f"(;{text})\n"


def point_letters(point: int, rules: five.game.Rules) -> str:
    """Return a point as "[ee]"."""
    return "[{}{}]".format(*(chr(ord("a") + number) for number in from_top(point, rules)))


def escaped(value: str) -> str:
    """Return text as it stands in an SGF value."""
    return re.sub(r"([]\\])", r"\\\1", one_line(value))


# by Interface · what searches and a review say, in the properties of SGF
REVIEWED = re.compile(
    r"Review: (?P<words>[^;\n]*)(?:; best (?P<best>[a-t]\d{1,2}), "
    r"(?P<visits>\d{1,18}) visits, line (?P<line>[a-t0-9 ]+))?"
)


def sgf_analysis(played: five.window.GameRecord, review=None) -> tuple[dict, dict]:
    """Return {moves played: {"V", "C", "BM"}} and {ply of a turning point: a better line}."""
    game, better = played.game, {}
    notes = {moves: dict(note) for moves, note in getattr(played, "notes", {}).items()}
    for ply, result in played.results.items():
        if ply < len(game.played):
            colour = game.to_move * (-1) ** (len(game.played) - ply)
            notes[ply + 1] = searched_note(game.played[ply], result, colour)
    rows = [] if review is None else review.itertuples()
    for moves, row in enumerate(rows):
        note = notes.setdefault(moves, {})
        lines = note.get("C", "").split("\n")
        kept = [line for line in lines if line and not REVIEWED.fullmatch(line)]
        note |= {"V": f"{row.value:.4f}", "C": "\n".join([*kept, review_line(row)])}
        if moves == len(game.played) or row.move != game.moves[moves]:
            break  # the rest is of another game
        if row.loss >= LOSS and row.best != row.move:
            notes.setdefault(moves + 1, {})["BM"], better[moves] = "1", row.line
    return notes, better


def searched_note(point: int, result: five.mcts.SearchResult, colour: int) -> dict:
    """Return what the search behind a move says of it: V for black, C in words."""
    words = f"Search: {result.simulations} simulations, seed {result.seed}; "
    words += f"{result.visits.flat[point]} visits; line {result.names()}; {result.why}"
    value = result.worth * colour
    return {"C": words} | ({} if math.isnan(value) else {"V": f"{value:.4f}"})


def review_line(row) -> str:
    """Return a row of a review as a line of a comment."""
    best = f"; best {row.best}, {row.visits:.0f} visits, line {row.line}"
    return f"Review: {row.words}" + best * isinstance(row.best, str)


def note_text(note: dict) -> str:
    """Return the properties of a note; each line of its comment is escaped by itself."""
    texts = {
        name: "\n".join(map(escaped, note.get(name, "").split("\n")))
        for name in ("BM", "V", "C")
    }
    return "".join(f"{name}[{text}]" for name, text in texts.items() if text)


# by Interface · the review that an SGF holds
def review_of(record):
    """Return the review in a record's notes as review_game's table, or None."""
    game, rows = five.figures.position_at(record.game, 0), []
    for ply, point in enumerate([*record.game.played, None]):
        note = getattr(record, "notes", {}).get(ply, {})
        said = next(filter(None, map(REVIEWED.fullmatch, note.get("C", "").split("\n"))), None)
        if said is None or not re.fullmatch(r"[+-]?[01](\.\d{1,9})?", note.get("V", ""), re.A):
            break
        row = {name: text for name, text in said.groupdict().items() if text is not None}
        row |= {"ply": ply + 1, "side": five.game.COLOUR[game.to_move]}
        rows.append(row | {"value": min(1.0, max(-1.0, float(note["V"])))})
        if "visits" in row:
            rows[-1]["visits"] = int(row["visits"])
        if point is not None:
            rows[-1]["move"] = five.game.point_name(point, game.rules.size)
            game.play(point)
    return review_table(rows) if rows else None


# by Interface · read a move string
MOVES_HEAD = re.compile(r"\s*(size|rows|in a row|gravity)\s*:(.*)", re.IGNORECASE)


def read_moves(text: str, rules: five.game.Rules | None) -> Record:
    """Return the game of a list of moves, on the board that it names, or else on `rules`."""
    head, lines, head_line = {}, [], 1
    for number, line in enumerate(text.split("\n"), 1):
        if not lines and (found := MOVES_HEAD.fullmatch(line)):
            head[found[1].lower()], head_line = found[2].strip(), number
        elif line.startswith("date:"):
            raise RecordError("it holds games of the notebook, with their searches", number)
        elif line.strip():
            lines.append((number, line))
    with at_line(head_line):
        board = five.game_file.rules_of(head) if "size" in head else rules
        record = Record(five.game.Game(board or five.game.Rules()))
    for number, line in lines:
        with at_line(number):
            for move in five.game.moves_in(line, record.game):
                if board is not None:
                    play_on(record.game, move)
    if board is None:
        reason = "how large is the board? Write size: 15 above the moves, or give rules"
        raise RecordError(reason, head_line)
    return record


# by Interface · read text of every kind
def read_record(text: str, kind=None, rules=None, name="the text") -> Record:
    """Return the game of a text. A wrong one: RecordError with name, line and reason.

    kind    "psq", "sgf" or "moves"; None: what the text begins like
    rules   the board of a list of moves that names none; one of the two must say it
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    begin = text.lstrip()[:9]
    if kind is None:
        kind = "psq" if begin == "Piskvorky" else "sgf" if begin[:1] == "(" else "moves"
    check_kind(kind)
    try:
        if not begin:
            raise RecordError("there is nothing in it", 1)
        if kind == "moves":
            return read_moves(text, rules)
        return read_psq(text) if kind == "psq" else read_sgf(text)
    except RecordError as error:
        raise RecordError(error.reason, error.line, name) from None


def check_kind(kind: str) -> None:
    """Raise ValueError, which names the kinds of text, for anything else."""
    if kind not in ("psq", "sgf", "moves"):
        raise ValueError(f"kind must be 'psq', 'sgf' or 'moves', not {kind!r}")


# by Interface · write text of every kind
def record_text(played: five.window.GameRecord, kind: str, review=None) -> str:
    """Return the game as text; ValueError for another kind, or one that cannot hold it.

    review   a table of review_game, which only "sgf" holds
    """
    check_kind(kind)
    rules = played.game.rules
    if kind != "sgf" and five.search.start_of(played.game) != five.search.start_of(
        five.game.Game(rules)
    ):
        raise ValueError(f"a set-up position does not fit into {kind!r}: 'sgf' holds it")
    if kind == "moves" and not played.game.moves:
        raise ValueError("there is no move to write")
    if kind == "moves":
        return "\n".join([*five.game_file.rules_lines(rules), "".join(played.game.moves), ""])
    if rules.in_a_row != 5 or rules.gravity:
        raise ValueError(f"{kind!r} holds five in a row only: 'moves' holds other games")
    return psq_text(played) if kind == "psq" else sgf_text(played, review)


# by Interface · read a file
SUFFIXES = {".psq": "psq", ".sgf": "sgf", ".txt": "moves", ".png": "png"}


def suffix_kind(path: Path, allowed: tuple[str, ...]) -> str:
    """Return the kind of a file; RecordError names the suffixes allowed."""
    if (suffix := path.suffix.lower()) not in allowed:
        raise RecordError(f"its name must end in one of {', '.join(allowed)}", 0, path.name)
    return SUFFIXES[suffix]


SGF_CODING = re.compile(r"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]", re.ASCII)
PLAIN = b"(;GM[4]SZ[15];B[hh]C[+AD4- ~{ \\n \\u0041])"  # what is ASCII must stay so


def coding_of(data: bytes, kind: str) -> str:
    """Return the name of the encoding in which a file is written."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # as some editors mark what they save
        return "utf-16"
    found = SGF_CODING.search(data.decode("latin-1")) if kind == "sgf" else None
    with contextlib.suppress(LookupError, UnicodeError):
        tried = (PLAIN + b"\xff").decode(found[1], "replace") if found else ""
        if tried.startswith(PLAIN.decode("ascii")):
            return found[1]
    return "utf-8"


def load_record(path: Path | str, rules: five.game.Rules | None = None) -> Record:
    """Return the game of a .psq, .sgf or .txt file.

    rules   the board of a list of moves that names none
    A wrong file: RecordError with name, line and reason. OSError if it cannot be opened.
    """
    path = Path(path)
    kind, data = suffix_kind(path, (".psq", ".sgf", ".txt")), path.read_bytes()
    coding = coding_of(data, kind)
    text = data.decode(coding, "replace")
    record = read_record(text, kind, rules, path.name)
    if "\ufffd" in text:
        record.remarks.append(f"letters that are not {coding.upper()} are shown as \ufffd")
    return record


# by Interface · write a file, whole or not at all
def keep_record(played: five.window.GameRecord, path: Path | str, review=None) -> None:
    """Write a game to a .psq, .sgf, .txt or .png file, whole or not at all.

    review   a table of review_game, which an SGF holds
    Raises ValueError for another suffix or for a game that the kind cannot hold, OSError
    if the file cannot be written. What was there is then as it was.
    """
    path = Path(path)
    kind = suffix_kind(path, tuple(SUFFIXES))
    if kind == "moves" and path.exists() and b"date:" in path.read_bytes():
        raise RecordError("it holds games of the notebook: choose another", 0, path.name)
    if kind == "png":
        data, _ = five.window.board_png(five.window.Session(played, {}))
    else:
        data = record_text(played, kind, review).encode()
    replace_file(path, data)


# ---- Review ---------------------------------------------------------------------------------


# by Experiments · what a search says of one position
# of value, from -1 to +1: a move that loses so much is a turning point
LOSS = five.panels.LOSS


def review_position(game, tree, simulations, seed, stop) -> tuple[dict, object]:
    """Return the value for black, the best move, what is expected in words, and the tree."""
    if game.over:
        return {"value": float(game.winner), "words": five.figures.result_text(game)}, tree
    result = five.engine.think(game, simulations=simulations, seed=seed, tree=tree, stop=stop)
    words = five.window.verdict(game, result) or f"{result.name} is forced"
    row = {"best": result.name, "words": words, "line": result.names() or result.name}
    row["visits"] = int(result.visits.flat[result.move])
    return row | {"value": black_value(game, result, simulations, seed)}, result.tree or tree


# by Experiments · what a search says before every move
def review_game(game, simulations=20_000, seed=0, on_move=None, stop=None):
    """Return a pandas table of a game, one row a move, and one for the position at its end.

    simulations   before each move; the tree is kept from move to move
    on_move       called with (moves done, moves in all)
    stop          a threading.Event; once it is set the rest is left out
    Columns: side ("black"), move, best (what the search would play), value (for black, -1 to
    +1), loss (what the move cost its player, 0 or more), words (what is expected), visits of
    the best move, line (what would follow).
    """
    earlier, rows, tree = five.figures.position_at(game, 0), [], None
    for ply, point in enumerate([*game.played, None]):
        if stop is not None and stop.is_set():
            break
        row, tree = review_position(earlier, tree, simulations, seed, stop)
        rows.append({"ply": ply + 1, "side": five.game.COLOUR[earlier.to_move]} | row)
        if point is not None:
            rows[-1]["move"] = five.game.point_name(point, game.rules.size)
            earlier.play(point)
        if on_move is not None:
            on_move(ply + 1, len(game.played) + 1)
    return review_table(rows)


def review_table(rows: list[dict]):
    """Return the rows of a review as a table, with what each move lost."""
    import pandas as pd

    columns = "ply side move best value loss words visits line".split()
    return with_losses(pd.DataFrame(rows, columns=columns)).set_index("ply")


# by Experiments · what a position is worth to black, and what a move lost
def black_value(game, result, simulations, seed=0) -> float:
    """Return what a search of this position is worth to black, -1 to +1.

    A forced move was not searched: it is worth what the position after it is.
    """
    if not math.isnan(result.worth):
        return float(result.worth * game.to_move)
    after = game.copy()
    after.play(result.move)
    if after.over:
        return float(after.winner)
    return black_value(
        after, five.engine.think(after, simulations=simulations, seed=seed), simulations
    )


def with_losses(table):
    """Fill in what each move lost: the fall of its player's value, 0 or more."""
    side = table.side.map({"black": 1.0, "white": -1.0})
    lost = (table.value - table.value.shift(-1)) * side
    table["loss"] = lost.where(table.move.notna()).clip(lower=0.0) + 0.0
    return table


def turning_points(table, loss=LOSS):
    """Return the rows of a review in which a move lost at least that much value."""
    return table[table.loss >= loss]


# by Experiments · the value by move, as a figure
def review_figure(table):
    """Return a figure of black's value by move, with the turning points."""
    figure = five.figures.new_figure(9.6, 2.8)
    ax, moves = figure.subplots(), table.index - 1  # moves that have been played
    ax.axhline(0, color="0.8", linewidth=1)
    ax.fill_between(moves, 0, table.value, color="tab:blue", alpha=0.2)
    ax.plot(moves, table.value, "o-", markersize=3, color="tab:blue")
    last, room = {}, 0.08 * max(len(moves), 1)  # moves that a label is wide
    for ply, row in turning_points(table).iterrows():
        value = table.value.get(ply + 1, row.value)
        side = 1 if value >= 0 else -1  # above the line, or below it
        before, line = last.get(side, (-room, 0))
        last[side] = ply, (line + 1) % 3 if ply - before < room else 0
        away = {"xytext": (0, side * (9 + 11 * last[side][1])), "textcoords": "offset points"}
        words = {"ha": "center", "va": "center", "fontsize": 8, "color": "tab:red"}
        ax.annotate(f"{ply}. {row.move}", (ply, value), **away, **words)
    ax.set(ylim=(-1.9, 1.9), xlabel="moves played", ylabel="value for black")
    ax.set_yticks([-1, -0.5, 0, 0.5, 1], ["−1.00", "−0.50", "0.00", "+0.50", "+1.00"])
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def review_words(table) -> str:
    """Return the turning points in a sentence."""
    turns = turning_points(table)
    named = [
        f"{ply}. {row.move} ({row.side}, -{row.loss:.2f})" for ply, row in turns.iterrows()
    ]
    return "Turning points: " + (", ".join(named) or "none") + "."


# ---- Swap2 ----------------------------------------------------------------------------------


# by Rules · swap2, step by step
class Swap2:
    """The opening: whose choice it is, what may be chosen, and who has which colour.

    A player is "first", who opens, or "second". `colours` is filled at the end:
    {"first": BLACK, "second": WHITE} or the other way round.
    """

    def __init__(self, rules=five.game.Rules(15)):
        self.game, self.colours = five.game.Game(rules), {}
        self.step = "open"  # then "choose", perhaps "add" and "choose colour", then "done"

    @property
    def chooser(self) -> str | None:
        """Who is to act: "first", "second", or None when the opening is over."""
        second = self.step in ("choose", "add")
        return None if self.step == "done" else "second" if second else "first"

    def options(self) -> tuple[str, ...]:
        """Return what may be said now; an empty tuple while stones are to be placed."""
        choices = {"choose": ("white", "black", "add"), "choose colour": ("white", "black")}
        return choices.get(self.step, ())

    def place(self, move) -> None:
        """Place the next stone; ValueError where none is to be placed, or not there."""
        if self.step not in ("open", "add"):
            raise ValueError(f"no stone is to be placed now: choose from {self.options()}")
        self.game.play(move)
        if len(self.game.played) in (3, 5):
            self.step = "choose" if self.step == "open" else "choose colour"

    def choose(self, option: str) -> None:
        """Say "white", "black" or "add"; ValueError names what is allowed."""
        if option not in self.options():
            due = self.options() or "place stones"
            raise ValueError(f"{option!r} cannot be chosen now: {due}")
        own, other = self.chooser, "second" if self.chooser == "first" else "first"
        colour = five.game.BLACK if option == "black" else five.game.WHITE
        self.step = "add" if option == "add" else "done"
        self.colours = {} if option == "add" else {own: colour, other: -colour}


# by Search · the engine's side of swap2
CLEAR = 0.15  # of value: a side that has more is taken
OPENINGS = five.cache.HERE / "openings.txt"


@functools.cache
def read_openings(file: Path = OPENINGS) -> list[str]:
    """Return the openings in a file, as "h8 h9 j12"; none if it is damaged, and say so."""
    try:
        lines = file.read_text("utf-8").splitlines()
        found = [" ".join(line.split()[:3]) for line in lines if line[:1] != "#"]
        if not found or any(len(five.game.Game.from_text(m, 15).played) != 3 for m in found):
            raise ValueError("it is damaged")
        return found
    except (OSError, ValueError) as error:
        print(f"five_in_a_row: swap2 without {file.name} ({error})", file=sys.stderr)
        return []


def turned_opening(moves: str, turn: int) -> list[int]:
    """Return the points of an opening on 15×15 in one of its eight turnings."""
    board = np.rot90(np.arange(225).reshape(15, 15), turn)
    board = board.T if turn > 3 else board
    return [int(board.flat[point]) for point in five.game.Game.from_text(moves, 15).played]


# by Search · the stones that the engine places, and what it chooses
def swap2_stones(swap: Swap2, simulations=3_000, tries=12, seed=0) -> list[str]:
    """Return the names of the stones that the engine places now."""
    rng, games, had = np.random.default_rng(seed), [], len(swap.game.played)
    ours = not had and swap.game.rules == five.game.Rules(15, rows=15)
    if ours and (known := read_openings()):
        points = turned_opening(rng.choice(known), rng.integers(8))
        return [five.game.point_name(point, 15) for point in points]
    for _ in range(tries):
        game = swap.game.copy()
        for _ in range((3 if swap.step == "open" else 5) - had):
            game.play(int(rng.choice(five.strength.near_middle(game, 4))))
        games.append(game)
    return five.strength.most_even(games, 1, simulations, seed)[0].moves[had:]


def swap2_choice(swap: Swap2, simulations=20_000, seed=0) -> str:
    """Return which of swap.options() the engine takes."""
    value = five.strength.position_value(swap.game, simulations, seed)  # white is to move
    if "add" in swap.options() and abs(value) < CLEAR:
        return "add"
    return "white" if value > 0 else "black"


# ---- Other engines --------------------------------------------------------------------------


# by Interface · the threads at the pipes of a brain


REMARK = re.compile(r"(MESSAGE|DEBUG)\b", re.I)
WAITING = 1_000  # lines that are kept until somebody reads them


def read_lines(pipe, heard, answers=None) -> None:
    """Take a pipe's lines until it ends: all into `heard`, possible answers into `answers`."""
    with pipe:
        for line in filter(None, map(str.strip, five.gomocup.input_lines(pipe.fileno()))):
            heard.append(line)
            if answers is not None and not REMARK.match(line) and answers.qsize() < WAITING:
                answers.put(line)
    if answers is not None:
        answers.put(None)  # the end


def write_lines(pipe, commands) -> None:
    """Write what comes out of a queue into a pipe, until None comes or nobody reads it."""
    with contextlib.suppress(OSError), pipe:
        while (text := commands.get()) is not None:
            pipe.write(f"{text}\n")
            pipe.flush()


# by Interface · the end of a brain
PATIENCE = 1.0  # seconds between two steps


def end_process(process, commands) -> None:
    """Send END; terminate; kill: the process and all that it started."""
    late = contextlib.suppress(subprocess.TimeoutExpired)
    gone = contextlib.suppress(psutil.Error, OSError)
    family = [process]
    with gone:
        family += psutil.Process(process.pid).children(recursive=True)
    commands.put("END")
    try:
        with late:
            process.wait(PATIENCE)
        for each in family:
            with gone:
                each.terminate()
        with late:
            process.wait(PATIENCE)
    finally:  # also when somebody is tired of waiting
        for each in family:
            with gone:
                each.kill()
        if os.name == "posix":
            with gone:
                os.killpg(process.pid, signal.SIGKILL)
        with late:
            process.wait(PATIENCE)
        commands.put(None)


# by Interface · a question to a program, and its answer
GLANCE = 0.1  # seconds between two looks whether it still runs


def ask_program(program, text: str, seconds: float, skip=REMARK) -> str:
    """Return the line that answers a command; lines that match `skip` are none.

    What was written before the command is no answer to it and is dropped.
    Raises TimeoutError if none comes in time, EOFError if the program has ended.
    """
    if None in [program.answers.get() for _ in range(program.answers.qsize())]:
        program.answers.put(None)
    program.commands.put(text)
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        line = ""
        if program.process.poll() is not None:  # a child of it may still hold the pipe
            program.end()
        with contextlib.suppress(queue.Empty):
            line = program.answers.get(timeout=min(left, GLANCE))
        if line is None:
            program.end()
            raise EOFError(f"it has ended, exit status {program.process.returncode}")
        if line and not skip.match(line):
            return line
    first = text.partition("\n")[0]
    raise TimeoutError(f"no answer to {first} within {seconds:g} s")


# by Interface · a program that is asked and answers
class Program:
    """A running program; `heard` holds its last lines, those of standard error included.

    Raises OSError if it cannot be started.
    """

    def __init__(self, command, folder=None):
        self.answers, self.commands = queue.SimpleQueue(), queue.SimpleQueue()
        self.heard = collections.deque(maxlen=WAITING)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        alone = {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}  # Windows
        alone |= {"start_new_session": True}  # a process group of its own, elsewhere
        process = subprocess.Popen(command, cwd=folder, text=True, **pipes, **alone)
        self.process = process
        self.end_once = weakref.finalize(self, end_process, process, self.commands)
        jobs = [
            (write_lines, process.stdin, self.commands),
            (read_lines, process.stdout, self.heard, self.answers),
            (read_lines, process.stderr, self.heard),
        ]
        self.threads = [threading.Thread(target=f, args=a, daemon=True) for f, *a in jobs]
        for thread in self.threads:
            thread.start()

    ask = ask_program

    def end(self) -> None:
        """End the program, and wait for it and for the threads at its pipes."""
        self.end_once()
        for thread in self.threads:
            thread.join(PATIENCE)
        self.answers.put(None)  # nothing more will come


# by Interface · what an engine did wrong
class EngineFault(Exception):
    """An engine (its name) did `what` at move `number` of `game`; `words`: its last lines."""

    def __init__(self, engine: str, game: five.game.Game, what: str, words=()):
        self.engine, self.game, self.what, self.words = engine, game.copy(), what, list(words)
        self.number = len(game.played) + 1
        last = " / ".join(ascii(line[:100])[1:-1] for line in self.words) or "none"
        super().__init__(f"{engine}, move {self.number}: {what}; last words: {last}")


# by Interface · a brain: its command, its limits, its process
@dataclass(eq=False)
class Settings:
    """What a brain is, and what is going on with it; GomocupEngine explains the settings."""

    # what goes on is kept out of __dict__, so that the description of a match can repeat
    __slots__ = "program", "start", "board", "used", "name", "lock", "__dict__"
    command: str | list[str]
    _: KW_ONLY
    seconds: float = 1.0
    grace: float = 0.5
    match: float = 0.0
    memory: int = 0
    startup: float = 60.0
    folder: str | None = None

    def __post_init__(self):
        line = isinstance(self.command, str)
        if not line or os.name == "posix":  # Windows takes a line as it is
            self.command = tuple(shlex.split(self.command) if line else map(str, self.command))
        if not self.command:
            raise ValueError("a command is needed: a program and its arguments")
        for name in ("seconds", "grace", "match", "memory", "startup"):
            if five.game.check_number(name, getattr(self, name)) == math.inf:
                raise ValueError(f"{name} must be a number from 0 up, not inf")
        self.program, self.start, self.board, self.used = None, "", None, 0.0
        self.name = self.command if isinstance(self.command, str) else shlex.join(self.command)
        self.lock = threading.Lock()

    def close(self) -> None:
        """End the process. A later move starts it again."""
        self.start, self.board = "", None
        if self.program:
            self.program.end()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()


# by Interface · to the beginning of a game
NAME = re.compile(r'.*\bname\s*=\s*"([^"]{1,60})"', re.I)


class Manager(Settings):
    """A brain and what is said to it before a game."""

    @property
    def messages(self) -> list[str]:
        """The last MESSAGE and DEBUG lines that it wrote."""
        return list(filter(REMARK.match, list(self.program.heard))) if self.program else []

    def clear_board(self, rules: five.game.Rules) -> None:
        """Bring the brain to an empty board, in a new process where that is needed."""
        width, height = rules.size, rules.height
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        if not (self.start == start and self.agrees("RESTART")):
            self.close()
            self.program = None  # until there is a new one
            self.program = Program(self.command, self.folder)
            if not self.agrees(start):
                raise ValueError(f"it refused {start}")
            with contextlib.suppress(TimeoutError):  # not every brain tells its name
                found = NAME.match(self.program.ask("ABOUT", PATIENCE))
                self.name = one_line(found[1]) if found else self.name
            limits = {"timeout_turn": 1000 * self.seconds, "timeout_match": 1000 * self.match}
            for key, value in {**limits, "max_memory": self.memory, "rule": 0}.items():
                self.program.commands.put(f"INFO {key} {round(value)}")
        self.start, self.board = start, np.zeros((height, width), np.int8)

    def agrees(self, command: str) -> bool:
        """Send a command and say whether the answer is OK."""
        return self.program.ask(command, self.startup)[:2].upper() == "OK"


# by Interface · a position as a question
def follows(seen: np.ndarray, board: np.ndarray | None) -> bool:
    """True if one stone of the other side is all that is new since `board`.

    seen, board   int8[rows, size]   from the brain's side: +1 its stones, -1 the others
    """
    if board is None or board.shape != seen.shape:
        return False
    new = seen != board
    return (board[new].tolist(), seen[new].tolist()) == ([0], [-1])


def question(game: five.game.Game, board: np.ndarray) -> str:
    """Return the command that asks for a move of a brain that has `board`."""
    seen = game.array * game.to_move
    if not seen.any():
        return "BEGIN"
    if follows(seen, board):
        return f"TURN {five.gomocup.xy_text(int(np.argmax(seen != board)), game.rules)}"
    set_up = [int(point) for point in np.flatnonzero(seen) if point not in game.played]
    xys = [(five.gomocup.xy_text(p, game.rules), seen.flat[p]) for p in set_up + game.played]
    return "\n".join(["BOARD", *(f"{xy},{1 if own == 1 else 2}" for xy, own in xys), "DONE"])


# by Interface · a brain is asked for its move
LATE = re.compile(rf"UNKNOWN\b|{NAME.pattern}", re.I)  # answers to INFO and ABOUT
SUGGESTED = re.compile(rf"SUGGEST\s+({five.gomocup.XY.pattern})", re.I)
NO_LIMIT = 2_147_483.647  # seconds left of a match without a limit, says the protocol


def ask_move(engine, game: five.game.Game) -> int:
    """Ask for a move and check it; the errors say what was wrong with it."""
    seen = game.array * game.to_move
    if not follows(seen, engine.board):
        engine.clear_board(game.rules)
    engine.used = engine.used if seen.any() else 0.0
    left = max(0.0, engine.match - engine.used) if engine.match else NO_LIMIT
    engine.program.commands.put(f"INFO time_left {round(1000 * left)}")
    begun, limit = time.perf_counter(), min(engine.seconds, left) + engine.grace
    line = engine.program.ask(question(game, engine.board), limit, LATE)
    if found := SUGGESTED.fullmatch(line):
        left = limit - (time.perf_counter() - begun)
        line = engine.program.ask(f"PLAY {found[1]}", left, LATE)
    engine.used += time.perf_counter() - begun
    if not (found := five.gomocup.XY.fullmatch(line)):
        raise ValueError(f"it answered {ascii(line[:60])} where a move x,y was due")
    point = five.gomocup.point_of_xy(int(found[1]), int(found[2]), game.rules)
    if why := game.why_illegal(point):
        raise ValueError(f"it answered {line}, but {why}")
    seen.flat[point], engine.board = 1, seen
    return point


# by Interface · a brain as a player
class GomocupEngine(Manager):
    """A Gomocup brain as a player; see five.mcts.SearchPlayer.

    command   program and arguments: a list, or a line as for a shell
    seconds   for each move, 0: at once; `grace` seconds later the move is too late
    match     seconds for all its moves of one game; 0: no limit
    memory    bytes that it may use; 0: no limit. It is told, nothing enforces it
    startup   seconds until it must have answered START or RESTART
    folder    where it runs; None: here
    Its process starts with the first move and ends with close() or a `with` block.
    """

    result = None  # what it thinks is not known

    @property
    def settings(self) -> dict:
        """The arguments that make such a brain anew."""
        return dict(vars(self))

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the brain's move; the protocol knows no seed.

        Raises EngineFault for what the brain does wrong, ValueError for a wrong game.
        """
        if game.over or game.rules.in_a_row != 5 or game.rules.gravity:
            raise ValueError("the game is over" if game.over else "brains play five in a row")
        with self.lock:
            try:
                return ask_move(self, game)
            except BaseException as error:
                self.close()
                if not isinstance(error, OSError | EOFError | ValueError):
                    raise
                words = list(self.program.heard)[-3:] if self.program else []
                raise EngineFault(self.name, game, str(error), words) from None

    def rest(self) -> None:
        """The game is over: the next move belongs to a new one."""
        with self.lock:
            self.board, self.used = None, 0.0


# by Interface · a match in which a fault loses a game
def judged_game(sides: dict, rules: five.game.Rules, opening: str, seeds) -> dict:
    """Return the row of one game; `sides` is {+1: (name, player), -1: ...}."""
    try:
        return five.strength.match_game(sides, rules, opening, seeds) | {"fault": ""}
    except ValueError as error:
        if not isinstance(fault := error.__cause__, EngineFault):
            raise
    finally:
        for _, player in sides.values():
            getattr(player, "rest", lambda: None)()
    game = fault.game
    row = dict.fromkeys(five.strength.MATCH_COLUMNS)
    row |= {five.game.COLOUR[colour]: name for colour, (name, _) in sides.items()}
    row |= {"opening": opening, "fault": str(fault), "moves": " ".join(game.moves)}
    return row | {"winner": sides[-game.to_move][0], "plies": len(game.played)}


# by Interface · a match between brains
def fresh_side(player):
    """Return a player for a new game; a brain goes on in its process."""
    brain = isinstance(player, GomocupEngine)
    return player if brain else five.strength.fresh_player(player)


def side_words(player) -> str:
    """Return a brain's name, or another player's name and settings."""
    brain = isinstance(player, GomocupEngine)
    return player.name if brain else five.strength.player_words(player)


def watch_match(a, b, games=2, rules=five.game.Rules(15), openings=None, seconds=1.0, seed=0):
    """Return a pandas table, one row a game; score of `a` and its interval in attrs.

    a, b       a brain's command, with `seconds` a move, or any player
    games      an even number: each opening is played twice, with the colours exchanged
    openings   move lists; None: random ones of two stones
    Columns: those of five.strength.play_match, and `fault`: what an engine did wrong, or "".
    Raises ValueError for an odd number of games, and for the fault of another player.
    """
    if games <= 0 or games % 2:
        raise ValueError(f"games come in pairs, colours exchanged: {games} is not even")
    openings = openings or five.strength.random_openings(rules, games // 2, seed=seed)
    rows, players = [], {"a": a, "b": b}
    with contextlib.ExitStack() as stack:
        for name, player in players.items():
            if isinstance(player, str | list | tuple):
                players[name] = stack.enter_context(GomocupEngine(player, seconds=seconds))
        five.strength.check_players(**players)
        for number in range(games):
            sides = [(name, fresh_side(player)) for name, player in players.items()]
            sides = dict(zip((1, -1) if number % 2 == 0 else (-1, 1), sides, strict=True))
            seeds = np.random.SeedSequence(seed, spawn_key=(number,))
            seeds = seeds.generate_state(rules.points)
            opening = openings[number // 2 % len(openings)]
            rows.append(judged_game(sides, rules, opening, seeds))
    names = {key: side_words(player) for key, player in players.items()}
    table = five.strength.match_table(
        rows, f"{names}; {rules}; seed {seed}; openings {openings}"
    )
    table["fault"] = [row["fault"] for row in rows]
    table.attrs |= names | {"faults": sum(map(bool, table.fault))}
    return table


# ---- The board inside the notebook ----------------------------------------------------------


# by Interface · a key, as a browser names it
BROWSER_KEYS = (
    five.window.KEY_NAMES
    | {f"arrow{name}": name for name in five.window.ARROWS}
    | {" ": "space"}
)


def browser_key(name: str, shift: bool = False) -> str:
    """Return the key that the controller knows for the name that a browser gives it."""
    name = name.lower() if len(name) > 1 else five.window.with_shift(name, shift)
    return BROWSER_KEYS.get(name, name)


# by Interface · a controller in a page of the browser: events in, pictures out
class Page:
    """A controller with a surface of its own, which a page of the browser shows."""

    def __init__(self, controller: five.window.Controller, size: tuple[int, int]):
        self.controller, self.surface = controller, five.window.load_pygame().Surface(size)
        self.ratio = 1.0  # pixels of the screen for one of the page

    def handle(self, event: dict) -> None:
        """Do what the browser tells: see jupyter_rfb's list of events."""
        c, kind, held = self.controller, event["type"], set(event.get("modifiers", ()))
        shortcut = "Meta" in held or ("Control" in held and "Alt" not in held)
        if kind == "resize":
            self.resize(event)
        elif not c.session.open or (kind == "key_down" and shortcut):
            return  # closed, or a shortcut of the browser; AltGr is Control and Alt
        elif kind == "pointer_move":
            five.window.point_at(c, *self.pixel(event), self.surface)
        elif kind == "pointer_leave":
            c.view.hover = None
        elif kind == "pointer_down" and event.get("button") == 1:
            five.window.press_at(c, *self.pixel(event), self.surface)
        elif kind == "key_down":
            five.window.press_key(c, browser_key(event["key"], "Shift" in held))
        elif kind == "close":
            c.finish()

    def resize(self, event: dict) -> None:
        """Take a surface with as many pixels as the screen has for the board."""
        self.ratio = event.get("ratio", event.get("pixel_ratio", 1.0))
        size = [max(1, round(event[side] * self.ratio)) for side in ("width", "height")]
        self.surface, self.controller.painted = five.window.load_pygame().Surface(size), None

    def frame(self) -> np.ndarray | None:
        """Return the picture as uint8[height, width, 3]; None if nothing has changed."""
        if not five.window.paint_changes(self.controller, self.surface):
            return None
        pixels = five.window.load_pygame().image.tobytes(self.surface, "RGB")
        return np.frombuffer(pixels, np.uint8).reshape(*self.surface.get_size()[::-1], 3)

    def pixel(self, event: dict) -> tuple[int, int]:
        """Return the pixel of an event on the surface."""
        return int(event["x"] * self.ratio), int(event["y"] * self.ratio)


# by Interface · the board as a widget
@functools.lru_cache
def inline_board():
    """Return the class InlineBoard; jupyter_rfb is imported only here."""
    import jupyter_rfb

    class InlineBoard(jupyter_rfb.RemoteFrameBuffer):
        """A controller as a widget of JupyterLab and Notebook; `record` is its game."""

        _esm = in_sight(jupyter_rfb.RemoteFrameBuffer._esm)
        _css = jupyter_rfb.RemoteFrameBuffer._css + ONE_BOARD

        def __init__(self, controller: five.window.Controller, width: int = 760):
            self.controller, self.page = controller, Page(controller, (width, width * 2 // 3))
            self.loop, self.lock = asyncio.new_event_loop(), threading.RLock()
            self.handle = self.kept = self.waiting = self.below = None
            self.later = controller.session.keep = Later(controller.session)
            wide, high = f"min({width}px, 100%)", f"{width * 2 // 3}px"
            super().__init__(css_width=wide, css_height=high)
            self.comm._reply_subshell_for = beside_cells
            self.task = begin_loop(self.loop, live(self))

        def __repr__(self) -> str:
            return "A board to play on while the notebook runs"

        @property
        def record(self) -> five.window.GameRecord:
            """A copy of the last game that has a move, and what the computer found."""
            if self.below is not None:
                self.below.note_reader()
            with self.lock:
                return last_game(self.controller.session)

        def get_frame(self) -> np.ndarray | None:
            """Return the picture as the page returns it, or None."""
            with self.lock:
                return self.page.frame()

        def handle_event(self, event: dict) -> None:
            """Do what the browser tells, and show it at once if it is a click or a key."""
            with self.lock:
                self.page.handle(event)
                if event["type"] in ("pointer_down", "key_down") and self._has_visible_views:
                    show_now(self)
                self.later.save()

        def close(self, *args, **kwargs) -> None:
            """End the game, which is kept, and take the board away."""
            if self.comm is not None:
                super().close(*args, **kwargs)
                self.handle_event({"type": "close"})
                self.task.add_done_callback(lambda task: soon(self, self.loop.stop))

        def _rfb_handle_msg(self, *message) -> None:
            soon(self, super()._rfb_handle_msg, *message)

        def _rfb_schedule_maybe_draw(self, *change) -> None:
            soon(self, self._rfb_maybe_draw)

    return InlineBoard


# by Interface · clicks beside the cells that run, and a board that is in sight
SEEN = """
export default () => {
  const widget = board()
  const render = ctx => {
    const end = widget.render(ctx)
    ctx.el.classList.add('five-board')
    const look = () => ctx.el.scrollIntoView({block: 'center'})
    const first = !ctx.model.get('_frame_feedback').index  // Run All jumps away, perhaps late
    const looks = first ? [0, 300, 1000, 2500].map(wait => setTimeout(look, wait)) : []
    const stop = () => looks.forEach(clearTimeout), once = {capture: true, once: true}
    for (const kind of ['wheel', 'pointerdown', 'keydown'])
      window.addEventListener(kind, stop, once)
    return end
  }
  const initialize = ctx => {
    const send = ctx.model.send
    ctx.model.send = event => HEARD.includes(event.type) && send(event)
    return widget.initialize(ctx)
  }
  return {...widget, initialize, render}
}
"""
HEARD = ["pointer_down", "pointer_move", "pointer_leave", "key_down", "resize", "close"]


def in_sight(script: str) -> str:
    """Return the widget's script: it scrolls to a new board, and tells only what is used."""
    return script.replace("export default", "const board =") + f"const HEARD = {HEARD}" + SEEN


def beside_cells(message, subshell: str | None) -> str:
    """Return which subshell gets a message of the browser; where there is none, make one."""
    manager = sys.modules["IPython"].get_ipython().kernel.shell_channel_thread.manager
    return subshell or next(iter(manager.list_subshell()), None) or manager._create_subshell()


def run_loop(loop) -> None:
    """Run a board's event loop until it is stopped; it waits less for threads that compute."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)  # seconds; a click passes through several threads
    loop.run_forever()
    sys.setswitchinterval(before)
    loop.close()


def begin_loop(loop, coroutine):
    """Run a coroutine in a thread of its own with that event loop; return its Future."""
    threading.Thread(target=run_loop, args=[loop], daemon=True).start()
    return asyncio.run_coroutine_threadsafe(coroutine, loop)


def last_game(session: five.window.Session) -> five.window.GameRecord:
    """Return a copy of the last game that has a move."""
    record = session.record if session.game.played else session.before or session.record
    kept = ("results", "searches", "found_by")
    copies = {name: dict(getattr(record, name)) for name in kept}
    return dataclasses.replace(record, game=record.game.copy(), **copies)


# by Interface · the board ticks
async def live(board) -> None:
    """Tick and show what has changed, until the board is closed."""
    session = board.controller.session
    try:
        while session.open:
            with board.lock:
                tick(board)
            await asyncio.sleep(1 / 30)
    finally:
        with board.lock:
            board.controller.finish()
            board.later.save()
            keep_picture(board)
            session.show("Closed; the game is kept. Run the cell again to go on")
        board.request_draw()


def tick(board) -> None:
    """Go on with the game, and show what has changed."""
    session = board.controller.session
    try:
        board.controller.tick()
    except Exception as error:  # it would be lost in a task
        session.paused, session.note = True, f"The board failed: {error}"
    five.window.print_failure(session)  # below the board
    send(board)
    board.later.save()
    if session.clock() - session.moved_at > 1 or not board._has_visible_views:
        keep_picture(board)


def send(board) -> None:
    """Ask for a picture where something has changed, and send it after a second."""
    c, surface = board.controller, board.page.surface
    if five.window.shown_state(c, surface) == c.painted:
        board.waiting = None
        return
    board.request_draw()
    board._rfb_maybe_draw()  # at once: a picture to keep takes longer
    board.waiting = board.waiting or time.monotonic()
    if board._has_visible_views and time.monotonic() - board.waiting > 1:
        show_now(board)


def show_now(board) -> None:
    """Send what has changed, however many pictures the page has not confirmed yet."""
    board.waiting = None
    if (frame := board.get_frame()) is not None:
        board.send_frame(frame)


def soon(board, action, *given) -> None:
    """Let something happen in the board's thread, if it has not ended."""
    with contextlib.suppress(RuntimeError):
        board.loop.call_soon_threadsafe(action, *given)


# by Interface · what is saved after its picture
class Later:
    """Takes the place of a session's `keep`, and saves when `save` is called."""

    def __init__(self, session: five.window.Session):
        self.session, self.keep, self.records = session, session.keep, []

    def __call__(self, record: five.window.GameRecord) -> None:
        """Note a record that is to be saved."""
        self.records.append(record)

    def save(self) -> None:
        """Save what was noted; a sentence says why if that is not possible."""
        while self.records:
            if note := self.keep(self.records.pop(0)):
                self.session.note = note


# by Interface · the picture that stays in the notebook
ONE_BOARD = """
.jp-OutputArea-child:has(.five-board) + .jp-OutputArea-child:has(> .jp-RenderedImage) {
  display: none;
}
"""


def keep_picture(board) -> None:
    """Put a picture of the board into the notebook, if the game has gone on."""
    c, record = board.controller, board.controller.record
    moves = (*record.game.played, record.resigned)
    if board.handle is None or moves == board.kept:
        return
    board.kept, look = moves, {"heat": c.view.heat, "contrast": c.view.contrast}
    png, words = five.window.board_png(c.session, 720, c.board, **look)
    five.figures.show_png(png, words, board.handle.update, width=360)


# by Interface · the cells that show a board's game, run again
class Below:
    """The cells that have run below a board; in the order in which they ran first."""

    def __init__(self, shell):
        self.shell, self.cells, self.readers, self.running = shell, {}, set(), None
        shell.events.register("pre_run_cell", self.note)
        shell.events.register("post_run_cell", self.end)

    def note(self, info) -> None:
        """Note a cell that is run: its text, and the request that asked for it."""
        if info.cell_id:
            self.running = info.cell_id
            self.cells[info.cell_id] = info.raw_cell, self.shell.kernel.get_parent("shell")

    def end(self, result) -> None:
        """No cell runs any more."""
        self.running = None

    def note_reader(self) -> None:
        """Note that the cell which runs now reads the game."""
        self.readers |= {self.running} & self.cells.keys()

    def show(self, board) -> None:
        """Run the cells that show the game again, when no other cell runs."""
        loop, session = self.shell.kernel.io_loop, board.controller.session
        cells = cells_to_show(self.cells, self.readers)
        for number, cell in enumerate(cells, 1):
            say = f"Your game is drawn below: cell {number} of {len(cells)}"
            say = "The cells below show your game" if number == len(cells) else say
            loop.add_callback(self.run, cell, session, say)

    def run(self, cell: str, session: five.window.Session, say: str) -> None:
        """Run a cell again where it stands, and say how far this is."""
        from IPython.display import clear_output

        code, request = self.cells[cell]
        self.shell.kernel.set_parent([], request)
        clear_output()
        self.shell.run_cell(code, store_history=False, cell_id=cell)
        session.note = say


# by Interface · which cells depend on the game
def names_of(code: str) -> tuple[set, set]:
    """Return the names of the notebook that a cell reads, and those that it sets."""
    try:
        tables = [top := symtable.symtable(code, "cell", "exec")]
    except SyntaxError:  # a command of IPython
        return set(), set()
    for table in tables:
        tables += table.get_children()
    read = {s.get_name() for t in tables for s in t.get_symbols()
            if s.is_referenced() and (t is top or s.is_global())}  # fmt: skip
    return read, {s.get_name() for s in top.get_symbols() if s.is_assigned()}


def cells_to_show(cells: dict, readers: set) -> list:
    """Return the cells that read the game, or a name that such a cell has set."""
    found, names = [], set()
    for cell, (code, _) in cells.items():
        read, written = names_of(code)
        if cell in readers or read & names:
            found, names = [*found, cell], names | written
        else:
            names -= written
    return found


# by Interface · show the board in the notebook
INLINE_BOARDS: dict = {}  # the board that each cell of the notebook has shown last


class NoInline(five.window.NoDisplay):
    """There is no notebook that could show the board; the message is one sentence."""


def why_not_inline() -> str:
    """Return "" in the kernel of a notebook with jupyter_rfb, else what would help."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    if not getattr(shell, "kernel", None):
        return "to play inside a notebook, open one in JupyterLab"
    if not importlib.util.find_spec("jupyter_rfb"):
        return "to play inside the notebook, pip install jupyter_rfb and restart the kernel"
    return ""


def in_notebook(controller: five.window.Controller):
    """Show the board in the notebook, and return it; `board.record` is its game.

    Raises NoInline outside a notebook.
    """
    from IPython.display import display

    if why := why_not_inline():
        raise NoInline(why)
    shell = sys.modules["IPython"].get_ipython()
    cell = shell.get_parent()["metadata"].get("cellId") if shell else None
    if cell in INLINE_BOARDS:  # the cell is run again
        INLINE_BOARDS.pop(cell).close()
    board = INLINE_BOARDS[cell] = inline_board()(controller)
    if shell:
        add_show(board, Below(shell))
    display(board)
    board.handle = display(display_id=True)
    return board


def add_show(board, below: Below) -> None:
    """Add the command that shows the game in the cells below."""
    board.below = below
    board.controller.commands["close"] = five.window.COMMANDS[
        "close"
    ]  # figures: the one below
    show = Command(
        "Show my game",
        "F",
        "draw the cells below again, with this game",
        lambda c: below.show(board),
        lambda c: bool(below.readers and (c.session.before or c.record.game.played)),
    )
    five.extras.add_after(board.controller, "help", {"show": show})
    shown = board.controller.shown
    shown[:] = [name for name in shown if name != "effects"]  # a page makes no sound


# by Interface · a new game in the notebook
def play_inline(
    size=8, seconds=5, human="black", path=None, opponents=None, opponent=None, **how
):
    """Show a new game in the notebook; give it a name, as in board = play_inline().

    The arguments are those of five.window.play. Raises NoInline outside a notebook.
    """
    opponents = opponents or five.opponents.OPPONENTS
    how |= {"opponent": five.window.check_opponent(opponents, opponent)}
    record = five.window.new_record(size, seconds, human, **how)
    session = five.window.Session(record, opponents)
    controller = five.window.Controller(session)
    if why := why_not_inline():
        raise NoInline(why)
    five.extras.add_extras(controller, path)
    return in_notebook(controller)


# ---- The desk's window ----------------------------------------------------------------------


# by Interface · the best moves of a search, in words


def best_moves(result, most=5) -> tuple[str, ...]:
    """Return the most visited moves, each as "62% +0.31 h8 i9 g7": visits, value, line."""
    if result.tree is None or not result.visits.any():
        return ()
    size, total, found = result.visits.shape[1], result.visits.sum(), []
    children = {child.point: child for child in result.tree.root.children}
    for point in np.argsort(-result.visits, axis=None, kind="stable")[:most].tolist():
        if point in children and result.visits.flat[point]:
            share, value = result.visits.flat[point] / total, result.values.flat[point]
            line = [point, *children[point].line()][:6]
            moves = " ".join(five.game.point_name(p, size) for p in line)
            found.append(f"{share:.0%} {value:+.2f} {moves}")
    return tuple(found)


# by Interface · analysis on the desk
def position_of(game) -> tuple[bytes, int]:
    """Return the stones of a game and whose move it is."""
    return game.array.tobytes(), game.to_move


def analyst_of(session: five.window.Session) -> str:
    """Return who analyses, by name: the engine, which tells its line, or else the opponent."""
    return "engine" if "engine" in session.opponents else five.window.opponent_of(session)


class Analysis(Panel):
    """A search that goes on until it is stopped; `top` holds its best moves, in words.

    ended   the position whose search came to its end, since its result is certain
    """

    on, top, ended = False, (), None

    def switch(self, c) -> None:
        """Think on about the position until this is asked again."""
        self.on, self.top, self.ended = not self.on, (), None
        five.window.stop_search(c.session)
        c.session.show()

    def handle(self, c, kind, value) -> bool:
        """Begin where nothing is searched nor was to its end; tell the best moves."""
        session = c.session
        free = session.yours or (session.paused and not session.record.over)
        if kind == "tick" and session.failed:  # it would fail again and again
            self.on, session.failed = False, False
        if kind == "tick" and self.on and free:
            if session.search is None and position_of(session.game) != self.ended:
                self.top = ()
                thinker = self.noted(session.opponents[analyst_of(session)])
                session.search = five.mcts.Thinking(
                    thinker, session.game, "hint", seconds=3600.0
                )
            elif self.top and five.window.is_searching(session, "hint"):
                session.note = "\n".join(self.top)
        return False

    def noted(self, thinker):
        """Return the thinker, which now tells its best moves to this panel as well."""

        def think(game, on_progress, **how):
            def note(result):
                self.top = best_moves(result)
                on_progress(result)

            result = thinker(game, on_progress=note, **how)
            if not how["stop"].is_set():
                self.ended = position_of(game)
            return result

        return think


# by Interface · another engine as an opponent
def rival(player):
    """Return a thinker that asks a player, such as another engine, for its move."""

    def think(game, **how):
        begun, blank = time.perf_counter(), np.full(game.array.shape, np.nan)
        point, visits = player.move(game), np.zeros(blank.shape, np.int64)
        seconds = time.perf_counter() - begun
        found = visits, blank, blank.copy(), 0, seconds, [point], None, 0
        return five.mcts.SearchResult(point, "its move", *found)

    return think


class Rivals(Panel):
    """An engine loses the game by its fault."""

    def handle(self, c, kind, value) -> bool:
        """Look whether a search has ended by the fault of an engine; leave other errors."""
        session, search = c.session, c.session.search
        if kind == "tick" and search is not None and isinstance(search.error, EngineFault):
            session.search, session.asked = None, False
            c.record.resigned = c.record.game.to_move
            session.show(session.keep(c.record) or str(search.error))
        return False


# by Interface · steps through the game
def go_to(session: five.window.Session, ply: int) -> None:
    """Show the position after that many moves of this game."""
    if ply == len(session.game.played):
        return
    five.window.stop_search(session)
    session.game.go_to(ply)
    session.paused = True
    session.show()


# by Interface · left, right, and numbers
class Steps(Panel):
    """Left and right step through the game; numbers stand on the stones."""

    numbers = False

    def step(self, c, by: int) -> None:
        """Go some moves on, or back."""
        go_to(c.session, len(c.record.game.played) + by)

    def handle(self, c, kind, value) -> bool:
        """Take the keys left and right while no cursor is shown."""
        if kind != "key" or value not in ("left", "right") or c.view.cursor is not None:
            return False
        c.act("back" if value == "left" else "forth")
        return True

    def seen(self, c):
        """Return whether the numbers are shown."""
        return self.numbers

    def draw(self, c, surface) -> None:
        """Paint the number of its move on each stone."""
        if self.numbers and not c.view.overlay:
            draw_numbers(five.window.canvas_of(c, surface), c.record.game)


# by Interface · numbers on the stones
def draw_numbers(canvas: five.window.Canvas, game: five.game.Game) -> None:
    """Paint the number of its move on each stone; the last one's in the signal colour."""
    cells, layout = game.array.ravel(), canvas.layout
    for number, point in enumerate(game.played, 1):
        dark = cells[point] == five.game.BLACK
        ink, paper = ((255,) * 3, (30,) * 3) if dark else ((0,) * 3, (245,) * 3)
        if number == len(game.played):  # it covers the mark of the last move
            canvas.put(five.window.ring_image(paper, layout.stone // 2), canvas.at(point))
            ink = ink if dark else canvas.theme.signal
        place, high = canvas.at(point), layout.cell * 2 // 5
        canvas.write(str(number), "center", place, high, layout.cell, ink)


# by Interface · set up a position
def put_game(
    session: five.window.Session, record: five.window.GameRecord, note: str = ""
) -> None:
    """Put another game on the desk, where it waits; the one before is saved."""
    five.window.take_up(session, record, note)
    session.paused, record.saved = True, ""


class SetUp(Panel):
    """Positions that were not played."""

    on = False

    def switch(self, c) -> None:
        """Begin or end setting up."""
        self.on = not self.on
        five.window.stop_search(c.session)
        c.session.note = "Click a point: none, black, white" if self.on else ""

    def turn(self, c) -> None:
        """Let the other side move, in the same position."""
        self.put(c, c.record.game.array, -c.record.game.to_move)

    def handle(self, c, kind, value) -> bool:
        """Change a point while a position is set up."""
        if kind != "point" or not self.on or value is None:
            return False
        cells = c.record.game.array
        cells.flat[value] = {0: 1, 1: -1, -1: 0}[int(cells.flat[value])]
        self.put(c, cells, c.record.game.to_move)
        return True

    def put(self, c, cells, to_move) -> None:
        """Begin a game from a position; a position that cannot be is refused in a note."""
        try:
            game = five.game.Game.from_array(cells, to_move, c.record.game.rules)
        except ValueError as error:
            c.session.note = str(error)
            return
        anew = {"results": {}, "searches": {}, "found_by": {}, "resigned": 0}
        anew |= {"times": {}, "notes": {}} if isinstance(c.record, Record) else {}
        put_game(c.session, dataclasses.replace(c.record, game=game, **anew))


# by Interface · records on the desk: drop, paste, copy, save
class Records(Panel):
    """Records in and out; `folder` is where they are saved."""

    folder = Path(".")

    def handle(self, c, kind, value) -> bool:
        """Take a file that is dropped onto the window."""
        if kind == "drop":
            self.load(c, value)
        return kind == "drop"

    def load(self, c, path) -> None:
        """Put the game of a file on the desk."""
        rules = c.record.game.rules  # the board of a list of moves that names none
        self.read(c, lambda: load_record(path, rules), Path(path).name)

    def read(self, c, reader, name) -> None:
        """Put on the desk what reader() returns, or say why it cannot be read."""
        try:
            record = reader()
        except (OSError, ValueError) as error:
            c.session.note = str(error)
            return
        record.players = ("person", "person")
        said = [f"{one_line(name)}: {len(record.game.played)} moves", *record.remarks]
        put_game(c.session, record, "; ".join(said))

    def paste(self, c) -> None:
        """Read a record from the clipboard: moves, SGF or psq."""
        text, rules = clipboard_text(), c.record.game.rules
        self.read(c, lambda: read_record(text, rules=rules, name="clipboard"), "clipboard")

    def copy(self, c) -> None:
        """Put the moves into the clipboard."""
        kept = to_clipboard("".join(c.record.game.moves))
        c.session.note = "The moves are in the clipboard" if kept else "No clipboard here"


# by Interface · save the game in three formats
def save_record(c: five.window.Controller, folder: Path, review=None) -> None:
    """Write the game as SGF, with its review, and psq, and its picture as PNG.

    The files get a name that none has there yet: game, game-2, game-3 and so on. A format that
    cannot hold the game is left out, and the note says why.
    """
    stem = "-".join(["game", *re.findall(r"\w+", c.record.date)])
    names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
    kept, faults = [], []
    try:
        there = {file.stem.lower() for file in folder.iterdir()}
        stem = next(name for name in names if name.lower() not in there)
        for suffix in ("sgf", "psq", "png"):
            try:
                keep_record(c.record, folder / f"{stem}.{suffix}", review)
                kept.append(f".{suffix}")
            except ValueError as error:  # a format that cannot hold this game
                faults.append(f"no .{suffix}: {error}")
        c.session.note = "; ".join([f"Saved as {stem}{', '.join(kept)}", *faults])
    except OSError as error:
        c.session.note = f"Not saved: {error}"


# by Interface · the clipboard
def clipboard():
    """Return pygame's clipboard; it raises pygame.error where there is none."""
    scrap = five.window.load_pygame().scrap
    if not scrap.get_init():
        scrap.init()
    return scrap


def clipboard_text() -> str:
    """Return the text of the clipboard, or an empty one."""
    pygame = five.window.load_pygame()
    try:
        data = clipboard().get(pygame.SCRAP_TEXT) or b""
    except pygame.error:
        return ""
    return data.decode("utf-8", "replace").rstrip("\0")


def to_clipboard(text: str) -> bool:
    """Put a text into the clipboard; False where there is none."""
    pygame = five.window.load_pygame()
    try:
        clipboard().put(pygame.SCRAP_TEXT, text.encode())
    except pygame.error:
        return False
    return True


# by Interface · the review on the desk
REVIEW = 5_000  # simulations before each move


class Review(Panel):
    """A review of the game on the desk; `table` is the last one."""

    def __init__(self):
        self.table, self.record, self.thread, self.progress = None, None, None, 0.0
        self.ended = threading.Event()  # ends the review that runs

    @property
    def running(self) -> bool:
        """True while the game is searched."""
        return self.thread is not None and self.thread.is_alive()

    def start(self, c) -> None:
        """Search before every move of the game; asked again, it stops."""
        if self.running:
            self.ended.set()
            return
        whole = c.record.game.copy()
        whole.go_to(len(whole.played) + len(whole.undone))
        self.ended, self.progress, self.record = threading.Event(), 0.0, c.record
        job = dict(target=work_review, args=(self, whole, self.ended), daemon=True)
        self.thread = threading.Thread(**job)
        self.thread.start()

    def handle(self, c, kind, value) -> bool:
        """Another game on the desk ends the review, and may bring its own; so does the end."""
        if kind == "finish" or (kind == "tick" and self.record is not c.record):
            self.ended.set()
            if kind == "finish" and self.thread is not None:
                self.thread.join()
            self.record = None if kind == "finish" else c.record
            self.table = review_of(self.record) if self.record else None
        return False


# by Interface · the review, in its thread
def work_review(review: Review, game, ended) -> None:
    """Review a game, and keep its table unless it was ended."""

    def count(done, of):
        review.progress = done / of

    table = review_game(game, REVIEW, on_move=count, stop=ended)
    if not ended.is_set():
        review.table = table


# by Interface · the curve of a review
def curve_words(review: Review, at: int) -> str:
    """Return what is said below the curve of the position after that many moves."""
    if review.table is None:
        busy = f"Reviewing: {review.progress:.0%}"
        return busy if review.running else "Review: black's value by move"
    row = review.table.iloc[at]
    named = isinstance(row.best, str)
    return f"black {row.value:+.2f}; best {row.best}" if named else row.words


def draw_curve(canvas: five.window.Canvas, review: Review, played: int, box) -> None:
    """Paint black's value by move, the turning points, and where the board stands."""
    table = review.table
    values = {} if table is None else dict(enumerate(table.value))
    turns = () if table is None else turning_points(table).index
    at, last = min(played, max(0, len(values) - 1)), max(1, len(values) - 1)
    words = curve_words(review, at)
    five.panels.draw_curve(canvas, values, last, turns, at, words, box)


# by Interface · where the parts of the strip stand
def strip_parts(surface, names) -> tuple[tuple, list]:
    """Return the box of the curve, and the Rect of each control."""
    width, height = surface.get_size()
    high, gap, wide = int(Strip.share * height), max(2, width // 60), width * 11 // 20
    y, grid = height - high, (wide, height - high, width - wide - gap, high - gap)
    columns = 4 if grid[2] > 2 * grid[3] else 3  # of eleven none stands alone
    boxes = five.window.control_boxes(grid, columns, len(names))
    return (gap, y, wide - 2 * gap, high - gap), boxes


# by Interface · the strip below the board
class Strip(Panel):
    """The curve of the review, and the desk's own controls, which stand in `names`."""

    share = 0.2

    def __init__(self, review: Review, names):
        self.review, self.names = review, list(names)

    def controls(self, c) -> list:
        """Return its commands as they are now."""
        return [c.commands[name].now(c) for name in self.names]

    def seen(self, c):
        """Return what the strip shows."""
        review, controls = self.review, self.controls(c)
        return controls, id(review.table), review.running, review.progress

    def draw(self, c, surface) -> None:
        """Paint curve and controls."""
        canvas = c.board.canvas(surface, c.session, c.view)
        curve, boxes = strip_parts(surface, self.names)
        surface.fill(canvas.theme.paper, (0, curve[1], *surface.get_size()))
        draw_curve(canvas, self.review, len(c.record.game.played), curve)
        five.window.draw_controls(canvas, self.controls(c), boxes)

    def handle(self, c, kind, value) -> bool:
        """Use a control, or go to the move whose place on the curve was clicked."""
        if kind != "press":
            return False
        (x, y, surface), table = value, self.review.table
        curve, boxes = strip_parts(surface, self.names)
        used = five.window.press_control(c, self.names, boxes, (x, y))
        below = y >= curve[1]
        if below and not used and table is not None and curve[0] <= x < curve[0] + curve[2]:
            count = max(1, len(table) - 1)
            go_to(c.session, round((x - curve[0]) * count / max(1, curve[2] - 1)))
        return below


# by Interface · swap2 on the desk
SWAP_WORDS = {"white": "play white", "black": "play black", "add": "add one of each colour"}
STONES = {"open": 2, "choose": 3, "add": 4, "choose colour": 5, "done": 5}  # at most


class Opening(Panel):
    """The steps of swap2; `swap` is the Swap2 while it lasts."""

    swap, me, job = None, "first", None  # me: the person's part; job: a Decision

    def begin(self, c) -> None:
        """Begin a game with swap2; the person's part changes each time."""
        self.me = "first" if self.me == "second" else "second"
        put_game(c.session, five.window.new_record(15, c.record.seconds or 1, "both"))
        self.swap, self.job, c.view.overlay = Swap2(), None, ()
        c.record.game = self.swap.game

    def handle(self, c, kind, value) -> bool:
        """Do the next step of the opening, place a stone of it, or take an answer."""
        swap = self.swap
        if swap is None:
            return False
        if swap.game is not c.record.game or len(swap.game.played) > STONES[swap.step]:
            self.leave(c)  # another game is on the desk, or stones that swap2 has not placed
        elif kind == "tick":
            next_step(self, c)
        elif kind == "point":
            if swap.chooser == self.me and not swap.options() and value is not None:
                if swap.game.why_illegal(value) is None:
                    swap.place(value)
            return True
        elif kind in ("press", "overlay") and asks(c):
            return answer(self, c, key_at(c, *value) if kind == "press" else value)
        return False

    def leave(self, c) -> None:
        """End the opening, and take its question away."""
        if asks(c):
            c.view.overlay = ()
        self.swap = None


# by Interface · the question of swap2: its lines, and an answer by key or click
def question_of(swap: Swap2) -> tuple[str, ...]:
    """Return the lines that ask what the person wants; a tab divides key and meaning."""
    lines = (f"{option[0]}\t{SWAP_WORDS[option]}" for option in swap.options())
    return "Swap2: what do you want?", *lines


def asks(c) -> bool:
    """Return True while the question lies over the board."""
    return bool(c.view.overlay) and c.view.overlay[0].startswith("Swap2")


def key_at(c, x: int, y: int, surface) -> str:
    """Return the key of the line that was clicked, or an empty text."""
    lines = c.view.overlay
    rows = five.window.overlay_rows(five.window.canvas_of(c, surface).layout, len(lines))
    hit = [line for line, row in zip(lines, rows, strict=True) if row.collidepoint(x, y)]
    return hit[0].partition("\t")[0] if hit else ""


def answer(opening, c, key: str) -> bool:
    """Take an answer of a person; escape leaves the opening, anything else is no answer."""
    options = {option[0]: option for option in opening.swap.options()}
    if key == "escape":
        opening.leave(c)
    elif key in options:
        c.view.overlay = ()
        opening.swap.choose(options[key])
    return True


# by Interface · the next step of swap2
def next_step(opening: Opening, c: five.window.Controller) -> None:
    """Ask the person, or let the computer do its part; begin the game after the last step."""
    swap, job = opening.swap, opening.job
    if swap.chooser is None:
        begin_game(c, swap.colours[opening.me])
        opening.swap = None
    elif swap.chooser != opening.me:
        if job is None or not (job.is_alive() or job.apply(swap)):
            opening.job = Decision(swap, c.record.seed)
    elif swap.options():
        c.view.overlay = c.view.overlay or question_of(swap)
    else:
        c.session.note = "Place the stones of the opening: black, white, black"
        if swap.step == "add":
            c.session.note = "Add a white and a black stone"


# by Interface · the computer's part of swap2, and the game after it
class Decision(threading.Thread):
    """The computer's part of one step, worked out in a thread on a copy of the opening."""

    def __init__(self, swap: Swap2, seed: int):
        super().__init__(daemon=True)
        self.swap, self.seed, self.found = copy.copy(swap), seed % 1000, []
        self.swap.game = swap.game.copy()
        self.start()

    def run(self) -> None:
        """Find a choice, or stones; nothing but `found` is changed."""
        if self.swap.options():
            self.found = [swap2_choice(self.swap)]
        else:
            self.found = swap2_stones(self.swap, seed=self.seed)

    def apply(self, swap: Swap2) -> bool:
        """Do what was found, once; False, and nothing, where the opening is another by now."""
        asked, found, self.found = self.swap, self.found, []
        if (asked.step, asked.game.played) != (swap.step, swap.game.played):
            return False
        step = swap.choose if asked.options() else swap.place
        for each in found:
            step(each)
        return bool(found)


def begin_game(c, mine: int) -> None:
    """Go on with the colours that the opening has given; the person has `mine`."""
    opponent = five.window.opponent_of(c.session)
    players = ("person", opponent) if mine == five.game.BLACK else (opponent, "person")
    c.record.players = players
    c.session.paused, c.view.overlay = False, ()
    c.session.show(f"You have {five.game.COLOUR[mine]}")


# by Interface · the desk: panels and commands for a controller
class Desk:
    """The panels of the analysis desk, which share one controller."""

    def __init__(self, controller: five.window.Controller, folder=Path(".")):
        self.controller, session = controller, controller.session
        self.analysis, self.steps, self.setup = Analysis(), Steps(), SetUp()
        self.records, self.review, self.opening = Records(), Review(), Opening()
        self.records.folder = Path(folder)
        self.commands = desk_commands(self)
        self.strip = Strip(self.review, self.commands)
        five.extras.add_commands(controller)
        controller.commands |= self.commands
        controller.panels += [self.opening, self.setup, self.steps, self.analysis, Rivals()]
        controller.panels += [self.records, self.review, self.strip]
        session.paused = True  # the desk waits until it is asked


# by Interface · the desk's commands, in the form of the window's
def desk_commands(desk: Desk) -> dict:
    """Return the commands that the desk adds."""
    analysis, steps, setup, records = desk.analysis, desk.steps, desk.setup, desk.records
    review, undone = desk.review, lambda c: bool(c.record.game.undone)
    return {
        "analyse": Command("Analyse", "A", "think on until stopped: the five best moves",
                                analysis.switch, on=lambda c: analysis.on),
        "review": Command("Review", "G", "search before every move, draw the values",
                               review.start, on=lambda c: review.running),
        "numbers": Command("Numbers", "#", "number the stones",
                                lambda c: setattr(steps, "numbers", not steps.numbers),
                                on=lambda c: steps.numbers),
        "setup": Command("Set up", "E", "put stones anywhere: black, white, none",
                              setup.switch, on=lambda c: setup.on),
        "turn": Command("Turn", "T", "the other side is to move", setup.turn),
        "back": Command("← Back", "left", "one move back", lambda c: steps.step(c, -1),
                             lambda c: bool(c.record.game.played)),
        "forth": Command("Forth →", "right", "one move on", lambda c: steps.step(c, +1),
                              undone),
        "swap": Command("Swap2", "Q", "begin with swap2; again: the other side opens",
                             desk.opening.begin),
        "copy": Command("Copy", "K", "the moves to the clipboard", records.copy),
        "paste": Command("Paste", "P", "a record from the clipboard", records.paste),
        "save": Command("Save", "S", "the record as SGF, psq and PNG",
                             lambda c: save_record(c, records.folder, review.table)),
    }  # fmt: skip


# by Interface · open the desk
def open_desk(
    record=None, size=15, seconds=2, folder=".", rivals=None, session=None, board=None
):
    """Open the desk and return the game that is on it when it is closed.

    record    a file to begin with, or None for an empty board
    size      of an empty board, and of a list of moves that names none
    rivals    {name: player}: a side of that name is played by it, such as another engine
    session   a Session to go on with, with its opponents; board: a Board to paint it
    Raises five.window.NoDisplay where no window can be opened, RecordError for a wrong record.
    """
    played = five.window.new_record(size, seconds, "both")
    if record is not None:
        played = load_record(record, five.game.Rules(size))
        played.players = ("person", "person")
    keep = five.game_file.keeper(Path(folder) / "desk.txt")
    session = session or five.window.Session(played, dict(five.opponents.OPPONENTS), keep)
    session.opponents |= {name: rival(player) for name, player in (rivals or {}).items()}
    five.window.open_window("Analysis desk")
    desk = Desk(five.window.Controller(session, board), folder)
    return five.window.Window(desk.controller).run()

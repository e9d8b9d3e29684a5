# Made from desk.ipynb by tools/build.py: change the notebook, not this file.


# *by Interface*
#
# # The analysis desk
#
# A board for those who want more than a game: records in the usual formats, a review of every move,
# analysis of any position, swap2, and matches against other engines. It extends the window of
# `five_in_a_row.ipynb` and uses its engine.
#
# ![The desk: a board with numbered stones, its panel, and black's value by move](../images/desk.png)
#
# **To use it** where there is a display, run all cells, then `open_desk()` in a new cell, or
# `open_desk("game.sgf")`. `?` lists the keys.


# *by Interface*
#
# | part | what it answers |
# |---|---|
# | [Records](#Records) | How does a game get in and out? |
# | [Review](#Review) | Where was it lost? |
# | [Swap2](#Swap2) | How do two players begin without an advantage? |
# | [Other engines](#Other-engines) | How does another program play here? |
# | [The desk's window](#The-desk's-window) | How do the parts become one board? |
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | swap2 |
# | Search | *(name)* | the engine's side of swap2 |
# | Heuristics | *(name)* | nothing here: the knowledge is the main notebook's |
# | Interface | *(name)* | records, other engines, the window |
# | Experiments | *(name)* | the review |


# by Interface · the main notebook, as a module
import sys
from pathlib import Path

FOLDER = Path("..", "export") if Path("..", "export").is_dir() else Path("export")
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

import five_in_a_row as five


# *by Interface*
#
# ## Records
#
# A game goes in and out of the desk as text, in three ways, and out as a picture.
#
# | kind | suffix | who writes it | what it holds |
# |---|---|---|---|
# | `psq` | `.psq` | Piskvork, the manager of Gomocup | moves with their milliseconds, names |
# | `sgf` | `.sgf` | many programs, as *Smart Game Format* | set-up, moves, names, date, result |
# | `moves` | `.txt` | people, to copy and paste | moves: `h8i9g7` |
# | `png` | `.png` | the desk | a picture; it cannot be read |
#
# What is read is a `Played`, as everywhere in the notebook. It knows two things more: how long a
# move took, and an end that the board does not show, such as a loss on time.


# by Interface · a game from elsewhere
import contextlib
import itertools
import os
import re
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Record(five.core.Played):
    """A game that was read; what its file does not say is left empty. Plies count from 0."""

    players: tuple[str, str] = ("person", "person")  # black, white
    source: str = "record"
    date: str = ""
    times: dict[int, float] = field(default_factory=dict)  # seconds of the move at a ply
    ending: str = ""  # an end that the board does not show, in SGF's words: "W+T"

    def play(self, move, thought: five.core.Thought | None = None) -> None:
        """Play a move; forget the times and the end that belong to what it replaces."""
        ply = len(self.game.played)
        super().play(move, thought)
        self.times = {p: seconds for p, seconds in self.times.items() if p < ply}
        self.ending = ""


# *by Interface*
#
# A file may be cut, altered, or of another kind altogether. Whatever is wrong, the reader says it
# in one sentence with name, line and reason, and hands out nothing: a record is read whole or not
# at all. The rules that `Game` enforces need no second check here; `at_line` adds the line to its
# sentence. Whatever is quoted from a file is one line of what can be printed.


# by Interface · what is wrong, and where
def one_line(text: str) -> str:
    """Return text as one line: what cannot be printed becomes a space, the ends are bare."""
    return "".join(c if c.isprintable() else " " for c in text).strip()


class RecordError(ValueError):
    """A record that cannot be read or kept: reason, line (0: none) and name of the file."""

    def __init__(self, reason: str, line: int = 0, name: str = "the text"):
        self.reason, self.line, self.name = one_line(reason)[:200], line, name
        super().__init__(f"{name}{f', line {line}' if line else ''}: {self.reason}")


@contextlib.contextmanager
def at_line(line: int):
    """Turn a ValueError that is raised inside into a RecordError of this line."""
    try:
        yield
    except ValueError as error:
        raise RecordError(str(error), line) from None


# *by Interface*
#
# Piskvork and SGF count columns and rows from the top left corner, as Gomocup does.


# by Interface · points, as files write them
SIDES = {five.core.BLACK: "B", five.core.WHITE: "W"}
COLOURS = {"B": five.core.BLACK, "W": five.core.WHITE}


def from_top(point: int, rules: five.core.Rules) -> tuple[int, int]:
    """Return column and row of a point, both from 0, rows from the top."""
    row, col = divmod(five.gomocup.flip_rows(int(point), rules), rules.size)
    return col, row


def point_at(x: int, y: int, rules: five.core.Rules, written: str) -> int:
    """Return the point of such a column and row; ValueError names what was written."""
    if not (0 <= x < rules.size and 0 <= y < rules.height):
        raise ValueError(f"{written} is off the board of {rules.size}x{rules.height}")
    return five.gomocup.point_of_xy(x, y, rules)


# *by Interface*
#
# A result is kept in SGF's words: who won, then how, as in `B+R`, where white has resigned. A file
# may not contradict its own moves.


# by Interface · the result
def result_code(played: five.core.Played) -> str:
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
    winner = COLOURS[code[0].upper()] if re.match(r"[BbWw]\+", code) else 0
    if not record.game.over:
        record.resigned, record.ending = -winner, code[:1].upper() + code[1:]
    elif winner != record.game.winner and (winner or code.lower() in ("draw", "0")):
        shown = five.core.result_text(record.game)
        raise ValueError(f"the result {code} is not what the moves show: {shown}")


# *by Interface*
#
# A `.psq` begins with `Piskvorky 8x8, 0:0, 0`: columns and rows, a level for each player, and which
# of the two began. A move is a line, `4,5,1200`: column and row from 1, then milliseconds, 0 where
# unknown. At the end stand the players' names, which may be missing, and a number. Programs do not
# agree on what the number means, so it is not used. Piskvork reads no further; we add date and
# result.


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
        record = Record(five.core.Game(five.core.Rules(size, rows=rows)))
    moves = [*itertools.takewhile(lambda line: PSQ_MOVE.fullmatch(line[1]), lines[1:])]
    for ply, (number, line) in enumerate(moves):
        with at_line(number):
            x, y, milliseconds = map(int, PSQ_MOVE.fullmatch(line).groups("0"))
            record.game.play(point_at(x - 1, y - 1, record.game.rules, line))
            if milliseconds:
                record.times[ply] = milliseconds / 1000
    read_psq_end(record, lines[1 + len(moves) :] or [(number, "nothing")], first)
    return record


# by Interface · what stands after the moves
def read_psq_end(record: Record, lines: list[tuple[int, str]], first: int) -> None:
    """Read names, date and result from the lines after the moves, (number, line) each."""
    number, texts = lines[0][0], [line for _, line in lines]
    count = 2 if len(texts) > 2 and PSQ_END.fullmatch(texts[2]) else 0
    with at_line(number):
        names = [one_line(name) for name in texts[:count]]
        if not PSQ_END.fullmatch(texts[count]) or any(map(PSQ_LIKE.match, names)):
            end = "the end: two names or none, and a number such as -1"
            raise ValueError(
                f"{texts[0]!r} is neither a move such as 8,8,1200 nor begins {end}"
            )
    if names:
        record.players = names[first], names[1 - first]
    for number, line in lines[count + 1 :]:
        if line.startswith("date: "):
            record.date = one_line(line.removeprefix("date: "))
        if line.startswith("result: "):
            with at_line(number):
                set_result(record, one_line(line.removeprefix("result: ")))


# by Interface · write Piskvork's format
def psq_text(played: five.core.Played) -> str:
    """Return the game as a .psq text; ValueError for a name that looks like a move."""
    game, names = played.game, [one_line(name) or "person" for name in played.players]
    if any(map(PSQ_LIKE.match, names)):
        raise ValueError(f"one of the names {names} would look like a move in a .psq")
    lines = [f"Piskvorky {game.rules.size}x{game.rules.height}, 0:0, 0"]
    times = getattr(played, "times", {}) | {p: t.seconds for p, t in played.thoughts.items()}
    for ply, point in enumerate(game.played):
        x, y = from_top(point, game.rules)
        lines.append(f"{x + 1},{y + 1},{round(1000 * times.get(ply, 0))}")
    more = {"date": one_line(played.date), "result": result_code(played)}
    lines += [*names, "-1", *(f"{key}: {value}" for key, value in more.items() if value)]
    return "\n".join(lines) + "\n"


# *by Interface*
#
# SGF holds a tree of nodes: `(;GM[4]SZ[8];B[de](;W[ed])(;W[dd]))`. A node begins with `;` and has
# properties, each a name with one or more values in square brackets; a round bracket opens a
# variation. The first variation is the main line, so **what stands before the first `)` is the
# game**. A small table says what may follow what; the rest of the file is only checked against it.


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


def sgf_parts(text: str) -> list[tuple[str, str, int]]:
    """Return (name, value, line) of the main line; RecordError if the tree is broken."""
    parts, before, depth, closed = [], "the start", 0, False
    line, place = 1, 0  # of the token before
    for token in SGF_TOKEN.finditer(text):
        line, place = line + text.count("\n", place, token.start()), token.start()
        part, kind = token[0], token[0] if token["sign"] else token.lastgroup
        if part == "[":
            raise RecordError("a value is not closed by ]", line)
        if kind not in (allowed := FOLLOWS[before].split()):
            wanted = f"after {before} comes {' or '.join(allowed)}"
            raise RecordError(f"{wanted}, not {part[:20]!r}", line)
        before, closed = kind, closed or kind == ")"
        depth += (kind == "(") - (kind == ")")
        if depth == 0:
            return parts
        if kind == "name":
            name = re.sub("[a-z]", "", part)  # before FF[4], "Black" was a way to write B
        elif kind == "value" and not closed:
            parts.append((name, part[1:-1], line))
    raise RecordError("the file is cut: a bracket ( is not closed by )", line)


# *by Interface*
#
# The rest is what the names mean. `AB`, `AW` and `AE` set up black stones, white stones and empty
# points, `PL` says who moves first, `B` and `W` are moves, with column and row as letters.


# by Interface · set-up and moves of SGF
SETUP = {"AB": five.core.BLACK, "AW": five.core.WHITE, "AE": 0}


def sgf_point(name: str, value: str, rules: five.core.Rules) -> int:
    """Return the point of a value such as "ee"; ValueError if it is none."""
    if not re.fullmatch(r"\s*[A-Za-z]{2}\s*", value):
        raise ValueError(f"{name}[{value}] is not one point, written as in {name}[ee]")
    x, y = (ord(letter) - ord("a") for letter in value.strip().lower())
    return point_at(x, y, rules, f"{name}[{value}]")


def sgf_game(parts: list[tuple[str, str, int]], rules: five.core.Rules) -> five.core.Game:
    """Return the game of a main line; RecordError for what is no point or not legal."""
    cells, to_move, game = np.zeros((rules.height, rules.size), np.int8), 0, None
    for name, value, line in parts:
        with at_line(line):
            if game and name in (*SETUP, "PL"):
                raise ValueError(f"{name}[{value}] comes after a move: set-up stands before")
            if name in SETUP:
                cells.flat[sgf_point(name, value, rules)] = SETUP[name]
            elif name == "PL" and value not in COLOURS:
                raise ValueError(f"PL[{value}] is no colour: PL[B] and PL[W] are")
            elif name == "PL":
                to_move = COLOURS[value]
            elif name in COLOURS:
                point, colour = sgf_point(name, value, rules), COLOURS[name]
                game = game or five.core.Game.from_array(cells, to_move or colour, rules)
                if colour != game.to_move and not game.over:
                    turn = five.core.COLOUR[game.to_move]
                    raise ValueError(f"{name}[{value}] is out of turn: {turn} is to move")
                game.play(point)
    with at_line(line):  # nobody has moved: white does when there are more black stones
        to_move = to_move or (five.core.WHITE if cells.sum() > 0 else five.core.BLACK)
        return game or five.core.Game.from_array(cells, to_move, rules)


# *by Interface*
#
# A record of Go looks the same but has `GM[1]` or no `GM`, so `GM[4]`, five in a row, is asked for.


# by Interface · read SGF
def read_sgf(text: str) -> Record:
    """Return the main line of the first game of an SGF text."""
    parts = sgf_parts(text)
    first = {name: (unescaped(value), line) for name, value, line in reversed(parts)}
    black, white, day, hour, (result, line) = (
        first.get(name, ("", 1)) for name in ("PB", "PW", "DT", "HOUR", "RE")
    )
    record = Record(sgf_game(parts, sgf_rules(first)))
    record.players = black[0] or "person", white[0] or "person"
    record.date = f"{day[0]} {hour[0]}".strip()
    with at_line(line):
        set_result(record, result)
    return record


def sgf_rules(first: dict[str, tuple[str, int]]) -> five.core.Rules:
    """Return the board that SZ gives, if GM says five in a row; else RecordError."""
    (kind, kind_line), (size, size_line) = (first.get(k, ("", 1)) for k in ("GM", "SZ"))
    with at_line(kind_line):
        if kind != "4":
            raise ValueError(f"GM must be 4, five in a row, and is {kind or 'missing'}")
    with at_line(size_line):
        if not (found := re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", size, re.A)):
            raise ValueError(f"SZ must be like 15 or 15:10, and is {size or 'missing'}")
        return five.core.check_rules(
            five.core.Rules(int(found[1]), rows=int(found[2] or found[1]))
        )


def unescaped(value: str) -> str:
    """Return what an SGF value says, as one line."""
    return one_line(re.sub(r"\\(?:\n|(.))", r"\1", value, flags=re.S))


# *by Interface*
#
# Writing needs no checks: what a `Played` holds is legal. In names, `]` and `\` are escaped. SGF
# has a place for the day of a game but none for the hour, so that gets a property of our own.


# by Interface · write SGF
DAY_AND_HOUR = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d)", re.A)


def sgf_text(played: five.core.Played) -> str:
    """Return the game as an SGF text, ten moves a line."""
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
    if cells.any() or to_move != five.core.BLACK:
        text += f"PL[{SIDES[to_move]}]"
    for ply, point in enumerate(game.played):
        side = SIDES[to_move if ply % 2 == 0 else -to_move]
        text += "\n" * (ply % 10 == 0) + f";{side}{point_letters(point, rules)}"
    return f"(;{text})\n"


def point_letters(point: int, rules: five.core.Rules) -> str:
    """Return a point as "[ee]"."""
    return "[{}{}]".format(*(chr(ord("a") + number) for number in from_top(point, rules)))


def escaped(value: str) -> str:
    """Return text as it stands in an SGF value."""
    return re.sub(r"([]\\])", r"\\\1", one_line(value))


# *by Interface*
#
# `read_record` and `record_text` are the entrances for text of every kind. A move string has no
# head, so the board is given with it; numbers as in `1. h8 i9 2. g7` may stand in it. A game that
# a kind cannot hold, such as one from a set-up position in a `.psq`, is refused; only names, dates
# and times are left out where there is no place for them.


# by Interface · read a move string
MOVE_NUMBER = re.compile(r"\b[0-9]{1,3}[.)]+")


def read_moves(text: str, rules: five.core.Rules) -> Record:
    """Return the game of a move string on a board of these rules."""
    record = Record(five.core.Game(rules))
    for number, line in enumerate(text.split("\n"), 1):
        with at_line(number):
            for move in five.core.split_moves(MOVE_NUMBER.sub(" ", line)):
                record.game.play(move)
    return record


# by Interface · read text of every kind
def read_record(text: str, kind=None, rules=five.core.Rules(), name="the text") -> Record:
    """Return the game of a text. A wrong one: RecordError with name, line and reason.

    kind    "psq", "sgf" or "moves"; None: what the text begins like
    rules   the board of a move string; 8x8 if left out
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
def record_text(played: five.core.Played, kind: str) -> str:
    """Return the game as text; ValueError for another kind, or one that cannot hold it."""
    check_kind(kind)
    rules = played.game.rules
    if kind != "sgf" and five.search.start_of(played.game) != five.search.start_of(
        five.core.Game(rules)
    ):
        raise ValueError(f"a set-up position does not fit into {kind!r}: 'sgf' holds it")
    if kind == "moves" and not played.game.moves:
        raise ValueError("there is no move to write")
    if kind == "moves":
        return "".join(played.game.moves)
    if rules.in_a_row != 5 or rules.gravity:
        raise ValueError(f"{kind!r} holds five in a row only: 'moves' holds other games")
    return psq_text(played) if kind == "psq" else sgf_text(played)


# *by Interface*
#
# Files go the same two ways. The suffix says what a file should be, and the reader whether it is
# that.


# by Interface · read a file
SUFFIXES = {".psq": "psq", ".sgf": "sgf", ".txt": "moves", ".png": "png"}


def suffix_kind(path: Path, allowed: tuple[str, ...]) -> str:
    """Return the kind of a file; RecordError names the suffixes allowed."""
    if (suffix := path.suffix.lower()) not in allowed:
        raise RecordError(f"its name must end in one of {', '.join(allowed)}", 0, path.name)
    return SUFFIXES[suffix]


def load_record(path: Path | str, rules=five.core.Rules()) -> Record:
    """Return the game of a .psq, .sgf or .txt file; `rules` is the board of a move string.

    A wrong file: RecordError with name, line and reason. OSError if it cannot be opened.
    """
    path = Path(path)
    kind, data = suffix_kind(path, (".psq", ".sgf", ".txt")), path.read_bytes()
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = len((data[: error.start] + b"_").splitlines())
        reason = f"byte {data[error.start]:#x} is no UTF-8 text: save the file as UTF-8"
        raise RecordError(reason, line, path.name) from None
    return read_record(text, kind, rules, path.name)


# *by Interface*
#
# A new file is written beside the old one and takes its place only when it is whole, so a full disk
# or a crash cannot cost a game.


# by Interface · write a file, whole or not at all
def keep_record(played: five.core.Played, path: Path | str) -> None:
    """Write a game to a .psq, .sgf, .txt or .png file, whole or not at all.

    Raises ValueError for another suffix or for a game that the kind cannot hold, OSError
    if the file cannot be written. What was there is then as it was.
    """
    path = Path(path)
    kind = suffix_kind(path, tuple(SUFFIXES))
    if kind == "moves" and path.exists() and b"date:" in path.read_bytes():
        raise RecordError("it holds games of the notebook: choose another", 0, path.name)
    if kind == "png":
        data, _ = five.core.board_png(played.game, five.core.View(resigned=played.resigned))
    else:
        data = record_text(played, kind).encode()
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


# *by Experiments*
#
# ## Review
#
# A review searches the position before every move. Each value is for the side to move; turned to
# black's view they make a curve, and a move after which the curve falls for its player has lost
# something. Where much is lost stands a **turning point**.


# by Experiments · what a search says before every move
import math

LOSS = 0.4  # of value, from -1 to +1: a move that loses more is a turning point


def review_game(game, simulations=20_000, seed=0, on_move=None, stop=None):
    """Return a pandas table of a game, one row a move, and one for the position at its end.

    simulations   before each move; the tree is kept from move to move
    on_move       called with (moves done, moves in all)
    stop          a threading.Event; once it is set the rest is left out
    Columns: side ("black"), move, best (what the search would play), value (for black, -1 to
    +1), loss (what the move cost its player, 0 or more), words (what is expected).
    """
    import pandas as pd

    earlier, rows, tree = start_of_game(game), [], None
    for ply, point in enumerate([*game.played, None]):
        if stop is not None and stop.is_set():
            break
        rows.append({"ply": ply + 1, "side": five.core.COLOUR[earlier.to_move]})
        if earlier.over:
            rows[-1] |= {
                "value": float(earlier.winner),
                "words": five.core.result_text(earlier),
            }
        else:
            thought = five.engine.think(
                earlier, simulations=simulations, seed=seed, tree=tree, stop=stop
            )
            tree = thought.tree or tree
            rows[-1] |= {"best": thought.name}
            rows[-1]["value"] = black_value(earlier, thought, simulations, seed)
            rows[-1]["words"] = (
                five.core.verdict(earlier, thought) or f"{thought.name} is forced"
            )
        if point is not None:
            rows[-1]["move"] = five.core.point_name(point, game.rules.size)
            earlier.play(point)
        if on_move is not None:
            on_move(ply + 1, len(game.played) + 1)
    columns = ["ply", "side", "move", "best", "value", "loss", "words"]
    return with_losses(pd.DataFrame(rows, columns=columns)).set_index("ply")


def start_of_game(game):
    """Return a copy of a game with all its moves taken back."""
    earlier = game.copy()
    while earlier.played:
        earlier.undo()
    return earlier


# by Experiments · what a position is worth to black, and what a move lost
def black_value(game, thought, simulations, seed=0) -> float:
    """Return what a thought about this position is worth to black, -1 to +1.

    A forced move was not searched: it is worth what the position after it is.
    """
    if thought.proven is not None:
        return float(thought.proven * game.to_move)
    if not math.isnan(thought.value):
        return thought.value * game.to_move
    after = game.copy()
    after.play(thought.move)
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


# *by Experiments*
#
# The same as a figure: black's value by move, turning points marked.


# by Experiments · the value by move, as a figure
def review_figure(table):
    """Return a figure of black's value by move, with the turning points."""
    figure = five.core.new_figure(9.6, 2.8)
    ax, moves = figure.subplots(), table.index - 1  # moves that have been played
    ax.axhline(0, color="0.8", linewidth=1)
    ax.fill_between(moves, 0, table.value, color="tab:blue", alpha=0.2)
    ax.plot(moves, table.value, "o-", markersize=3, color="tab:blue")
    for ply, row in turning_points(table).iterrows():
        ax.annotate(
            f"{ply}. {row.move}", (ply, table.value.get(ply + 1, row.value)), fontsize=8,
            xytext=(0, 8), textcoords="offset points", ha="center", color="tab:red",
        )  # fmt: skip
    ax.set(ylim=(-1.25, 1.25), xlabel="moves played", ylabel="value for black")
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def review_words(table) -> str:
    """Return the turning points in a sentence."""
    turns = turning_points(table)
    named = [
        f"{ply}. {row.move} ({row.side}, -{row.loss:.2f})" for ply, row in turns.iterrows()
    ]
    return "Turning points: " + (", ".join(named) or "none") + "."


# *by Rules*
#
# ## Swap2
#
# On 15×15 the first player has a won game, so tournaments begin with **swap2**. One player places two
# black stones and a white one. The other then stays white, or takes black, or adds a stone of each
# colour and lets the first choose. Whoever opens tries to leave a position that is worth the same to
# both sides.


# by Rules · swap2, step by step
class Swap2:
    """The opening: whose choice it is, what may be chosen, and who has which colour.

    A player is "first", who opens, or "second". `colours` is filled at the end:
    {"first": BLACK, "second": WHITE} or the other way round.
    """

    def __init__(self, rules=five.core.Rules(15)):
        self.game, self.colours = five.core.Game(rules), {}
        self.step = "open"  # then "choose", perhaps "add" and "choose colour", then "done"

    @property
    def chooser(self) -> str | None:
        """Who is to act: "first", "second", or None when the opening is over."""
        steps = {
            "open": "first",
            "choose": "second",
            "add": "second",
            "choose colour": "first",
        }
        return steps.get(self.step)

    def options(self) -> tuple[str, ...]:
        """Return what may be said now; an empty tuple while stones are to be placed."""
        choices = {"choose": ("white", "black", "add"), "choose colour": ("white", "black")}
        return choices.get(self.step, ())

    def place(self, move) -> None:
        """Place the next stone; ValueError where none is to be placed, or not there."""
        if self.step not in ("open", "add"):
            raise ValueError(
                f"no stone is to be placed now, but one of {self.options()} chosen"
            )
        self.game.play(move)
        if len(self.game.played) in (3, 5):
            self.step = "choose" if self.step == "open" else "choose colour"

    def choose(self, option: str) -> None:
        """Say "white", "black" or "add"; ValueError names what is allowed."""
        if option not in self.options():
            raise ValueError(
                f"{option!r} cannot be chosen now: {self.options() or 'place stones'}"
            )
        if option == "add":
            self.step = "add"
            return
        colour, own = five.core.BLACK if option == "black" else five.core.WHITE, self.chooser
        other = "second" if own == "first" else "first"
        self.colours, self.step = {own: colour, other: -colour}, "done"


# *by Search*
#
# The engine opens with the most balanced of some random openings. Asked to choose, it takes the better
# side if one is better, and adds two stones if none is: of some pairs the most balanced.


# by Search · the engine's side of swap2
CLEAR = 0.15  # of value: a side that has more is taken


def position_value(game, simulations, seed=0) -> float:
    """Return the value of a position for the side to move, -1 to +1."""
    thought = five.engine.think(game, simulations=simulations, seed=seed)
    value = thought.value if thought.proven is None else float(thought.proven)
    return 0.0 if math.isnan(value) else value


def most_balanced(games, simulations, seed=0):
    """Return the game of the list whose value is nearest to 0."""
    return min(games, key=lambda game: abs(position_value(game, simulations, seed)))


def swap2_stones(swap: Swap2, simulations=3_000, tries=12, seed=0) -> list[str]:
    """Return the names of the stones that the engine places now."""
    chance, games, had = np.random.default_rng(seed), [], len(swap.game.played)
    for _ in range(tries):
        game = swap.game.copy()
        for _ in range(3 if swap.step == "open" else 2):
            game.play(int(chance.choice(five.strength.near_middle(game, 4))))
        games.append(game)
    return most_balanced(games, simulations, seed).moves[had:]


def swap2_choice(swap: Swap2, simulations=20_000, seed=0) -> str:
    """Return which of swap.options() the engine takes."""
    value = position_value(swap.game, simulations, seed)  # white is to move
    if "add" in swap.options() and abs(value) < CLEAR:
        return "add"
    return "white" if value > 0 else "black"


# *by Interface*
#
# ## Other engines
#
# Many programs play five in a row by the Gomocup protocol, and our own is one of them: one command
# a line goes in, such as `TURN 7,7`, one answer a line comes out, such as `8,6`. Here the desk is
# the **manager**, the other end of that talk. Any such *brain* becomes a player like those of the
# main notebook, and meets you, our engine or another brain.
#
# A brain is a program that somebody else wrote, so it may do anything: hang, die, talk nonsense.
# What must not happen is that the desk hangs or dies with it.


# *by Interface*
#
# A pipe holds some kilobytes; whoever writes into a full one waits. So each of the three pipes of a
# brain has a thread of its own, and nothing that a brain writes, or does not read, can stop the desk.
# Remarks (`MESSAGE`, `DEBUG`) and standard error are kept, but never taken for an answer.


# by Interface · the threads at the pipes of a brain
import collections
import queue
import shlex
import signal
import subprocess
import threading
import time
import weakref
from dataclasses import dataclass

import psutil

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


# *by Interface*
#
# A brain ends in three steps: it is told `END`, a second later it is asked to terminate, another
# second later it is killed. So is what it has started: the processes that descend from it when it
# ends, and on Linux and macOS its whole process group, which also holds those that it left behind.


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


# *by Interface*
#
# A `Program` is one run of a brain: commands go in, answers come out, each before a deadline. It
# ends when it is told to, and also when nothing refers to it any more or Python itself ends.


# by Interface · a program that is asked and answers
GLANCE = 0.1  # seconds between two looks whether it still runs


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

    def ask(self, text: str, seconds: float, skip=REMARK) -> str:
        """Return the line that answers a command; lines that match `skip` are none.

        What was written before the command is no answer to it and is dropped.
        Raises TimeoutError if none comes in time, EOFError if the program has ended.
        """
        if None in [self.answers.get() for _ in range(self.answers.qsize())]:
            self.answers.put(None)
        self.commands.put(text)
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            line = ""
            if self.process.poll() is not None:  # a child of it may still hold the pipe
                self.end()
            with contextlib.suppress(queue.Empty):
                line = self.answers.get(timeout=min(left, GLANCE))
            if line is None:
                self.end()
                raise EOFError(f"it has ended, exit status {self.process.returncode}")
            if line and not skip.match(line):
                return line
        first = text.partition("\n")[0]
        raise TimeoutError(f"no answer to {first} within {seconds:g} s")

    def end(self) -> None:
        """End the program, and wait for it and for the threads at its pipes."""
        self.end_once()
        for thread in self.threads:
            thread.join(PATIENCE)
        self.answers.put(None)  # nothing more will come


# *by Interface*
#
# Whatever a brain does wrong becomes one kind of error. It names the engine, the number of the
# move, what happened, and the last lines that the brain wrote, where the reason often stands.


# by Interface · what an engine did wrong
class EngineFault(Exception):
    """An engine (its name) did `what` at move `number` of `game`; `words`: its last lines."""

    def __init__(self, engine: str, game: five.core.Game, what: str, words=()):
        self.engine, self.game, self.what, self.words = engine, game.copy(), what, list(words)
        self.number = len(game.played) + 1
        last = " / ".join(ascii(line[:100])[1:-1] for line in self.words) or "none"
        super().__init__(f"{engine}, move {self.number}: {what}; last words: {last}")


# *by Interface*
#
# A brain is described by its command and its limits. Its process starts when it is needed for the
# first time; `close()` and the end of a `with` block end it.


# by Interface · a brain: its command, its limits, its process
@dataclass(eq=False)
class Settings:
    """What a brain is, and what is going on with it; GomocupEngine explains the settings."""

    # what goes on is kept out of __dict__, so that the description of a match can repeat
    __slots__ = "program", "start", "board", "used", "name", "lock", "__dict__"
    command: str | list[str]
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
            if not (five.search.is_seconds(value := getattr(self, name)) and value < math.inf):
                raise ValueError(f"{name} must be a number from 0 up, not {value!r}")
        self.program, self.start, self.board, self.used = None, "", None, 0.0
        self.name = self.command if isinstance(self.command, str) else shlex.join(self.command)
        self.lock = threading.Lock()

    @property
    def messages(self) -> list[str]:
        """The last MESSAGE and DEBUG lines that it wrote."""
        return list(filter(REMARK.match, list(self.program.heard))) if self.program else []

    def close(self) -> None:
        """End the process. A later move starts it again."""
        self.start, self.board = "", None
        if self.program:
            self.program.end()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()


# *by Interface*
#
# Before a game the manager says how large the board is (`START`), asks for the name (`ABOUT`), and
# states the limits (`INFO`). A brain that has played already is sent `RESTART`; if it refuses, a
# new process takes its place.


# by Interface · to the beginning of a game
NAME = re.compile(r'.*\bname\s*=\s*"([^"]{1,60})"', re.I)


class Manager(Settings):
    """A brain and what is said to it before a game."""

    def clear_board(self, rules: five.core.Rules) -> None:
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
                self.name = found[1] if found else self.name
            limits = {"timeout_turn": 1000 * self.seconds, "timeout_match": 1000 * self.match}
            for key, value in {**limits, "max_memory": self.memory, "rule": 0}.items():
                self.program.commands.put(f"INFO {key} {round(value)}")
        self.start, self.board = start, np.zeros((height, width), np.int8)

    def agrees(self, command: str) -> bool:
        """Send a command and say whether the answer is OK."""
        return self.program.ask(command, self.startup)[:2].upper() == "OK"


# *by Interface*
#
# To ask for a move, find out what is new. If the other side has added one stone to the board that
# the brain has, `TURN` says where. Any other position, such as an opening or one after an undo, is
# set up whole by `BOARD`, from the brain's side: its stones are 1, the others 2.


# by Interface · a position as a question
def follows(seen: np.ndarray, board: np.ndarray | None) -> bool:
    """True if one stone of the other side is all that is new since `board`.

    seen, board   int8[rows, size]   from the brain's side: +1 its stones, -1 the others
    """
    if board is None or board.shape != seen.shape:
        return False
    new = seen != board
    return (board[new].tolist(), seen[new].tolist()) == ([0], [-1])


def question(game: five.core.Game, board: np.ndarray) -> str:
    """Return the command that asks for a move of a brain that has `board`."""
    seen = game.array * game.to_move
    if not seen.any():
        return "BEGIN"
    if follows(seen, board):
        return f"TURN {five.gomocup.xy_text(int(np.argmax(seen != board)), game.rules)}"
    set_up = [int(point) for point in np.flatnonzero(seen) if point not in game.played]
    xys = [(five.gomocup.xy_text(p, game.rules), seen.flat[p]) for p in set_up + game.played]
    return "\n".join(["BOARD", *(f"{xy},{1 if own == 1 else 2}" for xy, own in xys), "DONE"])


# *by Interface*
#
# The answer is a move, in time and legal, or it is a fault. After a fault, and also after an
# interrupt, the process is ended: what it would answer later belongs to no question.


# by Interface · a brain as a player
LATE = re.compile(rf"UNKNOWN\b|{NAME.pattern}", re.I)  # answers to INFO and ABOUT
NO_LIMIT = 2_147_483.647  # seconds left of a match without a limit, says the protocol


class GomocupEngine(Manager):
    """A Gomocup brain as a player: called with a game it returns a point.

    command   program and arguments: a list, or a line as for a shell
    seconds   for each move, 0: at once; `grace` seconds later the move is too late
    match     seconds for all its moves of one game; 0: no limit
    memory    bytes that it may use; 0: no limit. It is told, nothing enforces it
    startup   seconds until it must have answered START or RESTART
    folder    where it runs; None: here
    Its process starts with the first move and ends with close() or a `with` block.
    """

    def __call__(self, game: five.core.Game, seed: int | None = None) -> int:
        """Return the brain's move; the protocol knows no seed.

        Raises EngineFault for what the brain does wrong, ValueError for a wrong game.
        """
        if game.over or game.rules.in_a_row != 5 or game.rules.gravity:
            raise ValueError("the game is over" if game.over else "brains play five in a row")
        with self.lock:
            try:
                return self.move(game)
            except BaseException as error:
                self.close()
                if not isinstance(error, OSError | EOFError | ValueError):
                    raise
                words = list(self.program.heard)[-3:] if self.program else []
                raise EngineFault(self.name, game, str(error), words) from None

    def move(self, game: five.core.Game) -> int:
        """Ask for a move and check it; the errors say what was wrong with it."""
        seen = game.array * game.to_move
        if not follows(seen, self.board):
            self.clear_board(game.rules)
        self.used = self.used if seen.any() else 0.0
        left = max(0.0, self.match - self.used) if self.match else NO_LIMIT
        self.program.commands.put(f"INFO time_left {round(1000 * left)}")
        begun, limit = time.perf_counter(), min(self.seconds, left) + self.grace
        line = self.program.ask(question(game, self.board), limit, LATE)
        self.used += time.perf_counter() - begun
        if not (found := five.gomocup.XY.fullmatch(line)):
            raise ValueError(f"it answered {ascii(line[:60])} where a move x,y was due")
        point = five.gomocup.point_of_xy(int(found[1]), int(found[2]), game.rules)
        if why := game.why_illegal(point):
            raise ValueError(f"it answered {line}, but {why}")
        seen.flat[point], self.board = 1, seen
        return point

    def rest(self) -> None:
        """The game is over: the next move belongs to a new one."""
        with self.lock:
            self.board, self.used = None, 0.0


# *by Interface*
#
# In a match, a fault costs an engine the game that is being played and nothing else: its process
# has ended, and its first move in the next game starts a new one. Most brains always answer a
# position in the same way, so the games begin from different random openings.


# by Interface · a match in which a fault loses a game
def judged_game(sides: dict, rules: five.core.Rules, opening: str, seeds) -> dict:
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
    row = dict.fromkeys(five.strength.MATCH_COLUMNS) | {
        "opening": opening,
        "fault": str(fault),
    }
    row |= {five.core.COLOUR[colour]: name for colour, (name, _) in sides.items()}
    row |= {"winner": sides[-game.to_move][0], "plies": len(game.played)}
    return row | {"moves": " ".join(game.moves)}


def watch_match(a, b, games=2, rules=five.core.Rules(15), openings=None, seconds=1.0, seed=0):
    """Return a pandas table, one row a game; score of `a` and Wilson interval in its attrs.

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
                players[name] = stack.enter_context(GomocupEngine(player, seconds))
        for number in range(games):
            sides = [
                (name, five.strength.fresh_player(player)) for name, player in players.items()
            ]
            sides = dict(zip((1, -1) if number % 2 == 0 else (-1, 1), sides, strict=True))
            seeds = np.random.SeedSequence(seed, spawn_key=(number,))
            seeds = seeds.generate_state(rules.points)
            opening = openings[number // 2 % len(openings)]
            rows.append(judged_game(sides, rules, opening, seeds))
    names = {key: getattr(p, "name", five.strength.describe(p)) for key, p in players.items()}
    table = five.strength.match_table(
        rows, f"{names}; {rules}; seed {seed}; openings {openings}"
    )
    table["fault"] = [row["fault"] for row in rows]
    table.attrs |= names | {"faults": sum(map(bool, table.fault))}
    return table


# *by Interface*
#
# ## The desk's window
#
# The desk is the window of the main notebook with a strip below it. The strip holds black's value by
# move, which can be clicked, and the desk's own controls. A record can be dropped onto the window, or
# pasted.


# by Interface · a search that tells its best moves
import dataclasses
import functools


class Analysing(five.core.Thinking):
    """A search that goes on until it is stopped; `top` holds its best moves, in words."""

    top: tuple[str, ...] = ()

    def _note(self, thought) -> None:
        self.top = best_moves(thought)
        super()._note(thought)


def best_moves(thought, most=5) -> tuple[str, ...]:
    """Return the most visited moves, each as "62% +0.31 h8 i9 g7": visits, value, line."""
    if thought.tree is None or not thought.visits.any():
        return ()
    size, total, found = thought.visits.shape[1], thought.visits.sum(), []
    children = {child.point: child for child in thought.tree.root.children}
    for point in np.argsort(-thought.visits, axis=None, kind="stable")[:most].tolist():
        if point in children and thought.visits.flat[point]:
            share, value = thought.visits.flat[point] / total, thought.values.flat[point]
            line = [point, *children[point].line()][:6]
            moves = " ".join(five.core.point_name(p, size) for p in line)
            found.append(f"{share:.0%} {value:+.2f} {moves}")
    return tuple(found)


# *by Interface*
#
# Another engine is asked in a thread of its own, as the search is, and the window treats both alike.


# by Interface · another engine's turn
class Asking(five.core.Thinking):
    """A question to another engine; `thought` holds its answer once it has moved."""

    def __init__(self, game, player):
        self.player = player
        super().__init__(game)

    def _work(self, game, how) -> None:
        try:
            begun = time.perf_counter()
            point = self.player(game)
            answer = five.engine.forced_thought(game, [point], "its move", 0)
            answer = dataclasses.replace(answer, seconds=time.perf_counter() - begun)
            self.thought = answer
        except BaseException as error:
            self.error = error


# *by Interface*
#
# What the desk adds to the controls of the window:


# by Interface · the desk's commands, in the form of the window's
DESK_COMMANDS = {
    "analyse": ("Analyse", "A", "think on until stopped: the five best moves"),
    "review": ("Review", "G", "search before every move, draw the values"),
    "numbers": ("Numbers", "#", "number the stones"),
    "setup": ("Set up", "E", "put stones anywhere: black, white, none"),
    "turn": ("Turn", "T", "the other side is to move"),
    "back": ("← Back", "left", "one move back"),
    "forth": ("Forth →", "right", "one move on"),
    "swap": ("Swap2", "Q", "begin with swap2; again: the other side opens"),
    "copy": ("Copy", "K", "the moves to the clipboard"),
    "paste": ("Paste", "P", "a record from the clipboard"),
    "save": ("Save", "S", "the record as SGF, psq and PNG"),
}


# by Interface · persons, the engine, and other engines at the desk
class DeskPlayers(five.core.Touch):
    """Who plays at the desk; `folder` is where records are saved."""

    commands, keys = five.core.COMMANDS, five.core.keys_of(five.core.COMMANDS | DESK_COMMANDS)
    folder, rivals = Path("."), {}  # rivals: {name of a player: the player}
    table, reviewing, progress = None, None, 0.0  # the last review, its thread, its progress
    showing_numbers = setting_up = analysing = False

    def __init__(self, played, keep=lambda played: None):
        super().__init__(played, keep)
        self.paused = True  # the desk waits until it is asked

    @property
    def kinds(self) -> tuple[str, ...]:
        """Who may play a side: persons, the engine, and the other engines."""
        return "person", "engine", *self.rivals

    def think(self, purpose) -> None:
        """Begin a search, or ask the other engine whose turn it is."""
        side = self.played.players[0 if self.game.to_move == five.core.BLACK else 1]
        if purpose == "move" and side in self.rivals:
            self.search, self.purpose = Asking(self.game, self.rivals[side]), purpose
        elif self.analysing and purpose == "hint":
            self.search, self.purpose = Analysing(self.game, seconds=3600.0), purpose
        else:
            super().think(purpose)

    def answer(self) -> None:
        """Play what has been found; another engine's fault loses the game for it."""
        error = self.search.error
        if isinstance(error, EngineFault):
            self.search = None
            self.played.resigned = self.game.to_move
            self.refresh(self.keep(self.played) or str(error))
        else:
            super().answer()


# by Interface · analysis, and steps through the game
class DeskActions(DeskPlayers):
    """Analysis, numbers, and steps through the game."""

    def analyse(self) -> None:
        """Think on about the position until this is asked again."""
        self.analysing = not self.analysing
        self.stop()
        self.asked = self.analysing and not self.played.over

    numbers = functools.partialmethod(five.core.Touch.switch, "showing_numbers")

    def back(self) -> None:
        """Show the position one move earlier; nothing is forgotten."""
        self.go_to(len(self.game.played) - 1)

    def forth(self) -> None:
        """Show the position one move later."""
        self.go_to(len(self.game.played) + 1)

    def go_to(self, ply: int) -> None:
        """Show the position after that many moves of this game."""
        game, last = self.game, len(self.game.played) + len(self.game.undone)
        ply = min(max(ply, 0), last)
        if ply == len(game.played):
            return
        self.stop()
        while len(game.played) > ply:
            game.undo()
        while len(game.played) < ply:
            game.redo()
        self.paused = True
        self.refresh()
        self.asked = self.analysing and not self.played.over


# *by Interface*
#
# Setting up begins from the position on the board. Each click changes a point: none, black, white. The
# game then starts from there, and undo ends there.


# by Interface · set up a position; a new game on the desk
class SetUp(DeskActions):
    """Positions that were not played."""

    def setup(self) -> None:
        """Begin or end setting up."""
        self.setting_up = not self.setting_up
        self.stop()
        self.view.note = "Click a point: none, black, white" if self.setting_up else ""

    def turn(self) -> None:
        """Let the other side move, in the same position."""
        self.put(self.game.array, -self.game.to_move)

    def click(self, point) -> None:
        """Change a point while a position is set up; else play there for either side."""
        if self.setting_up and point is not None:
            cells = self.game.array
            cells.flat[point] = {0: 1, 1: -1, -1: 0}[int(cells.flat[point])]
            self.put(cells, self.game.to_move)
        elif not self.setting_up:
            super().click(point)
            self.asked = self.analysing and not self.played.over

    def put(self, cells, to_move) -> None:
        """Begin a game from a position; a position that cannot be is refused in a note."""
        try:
            game = five.core.Game.from_array(cells, to_move, self.game.rules)
        except ValueError as error:
            self.view.note = str(error)
            return
        anew = {"thoughts": {}, "searches": {}, "levels": {}, "resigned": 0}
        self.take_up(dataclasses.replace(self.played, game=game, **anew))
        self.asked = self.analysing and not self.played.over

    def take_up(self, played, note="") -> None:
        """Put another game on the desk, where it waits; the one before is kept."""
        super().take_up(played, note)
        self.table, self.paused, played.saved = None, True, ""


# by Interface · records on the desk: drop, paste, copy, save
class Records(SetUp):
    """Records in and out; what is wrong with one is said in a note, and nothing changes."""

    def load(self, path) -> None:
        """Put the game of a file on the desk."""
        self.read(lambda: load_record(path), Path(path).name)

    def read(self, reader, name) -> None:
        """Put on the desk what reader() returns, or say why it cannot be read."""
        try:
            played = reader()
        except (OSError, ValueError) as error:
            self.view.note = str(error)
            return
        played.players = ("person", "person")
        self.take_up(played, f"{name}: {len(played.game.played)} moves")

    def paste(self) -> None:
        """Read a record from the clipboard: moves, SGF or psq."""
        text, rules = clipboard_text(), self.game.rules
        self.read(lambda: read_record(text, rules=rules, name="clipboard"), "clipboard")

    def copy(self) -> None:
        """Put the moves into the clipboard."""
        note = "The moves are in the clipboard"
        self.view.note = (
            note if to_clipboard("".join(self.game.moves)) else "No clipboard here"
        )

    def save(self) -> None:
        """Write the game as SGF and psq, and its picture as PNG, into the desk's folder."""
        stem = "game-" + re.sub(r"\W", "-", self.played.date)
        try:
            for suffix in ("sgf", "psq", "png"):
                keep_record(self.played, self.folder / f"{stem}.{suffix}")
            self.view.note = f"Saved as {stem}.sgf, .psq and .png"
        except (OSError, ValueError) as error:
            self.view.note = f"Not saved: {error}"


# by Interface · the clipboard
def clipboard():
    """Return pygame's clipboard; it raises pygame.error where there is none."""
    scrap = five.core.load_pygame().scrap
    if not scrap.get_init():
        scrap.init()
    return scrap


def clipboard_text() -> str:
    """Return the text of the clipboard, or an empty one."""
    pygame = five.core.load_pygame()
    try:
        data = clipboard().get(pygame.SCRAP_TEXT) or b""
    except pygame.error:
        return ""
    return data.decode("utf-8", "replace").rstrip("\0")


def to_clipboard(text: str) -> bool:
    """Put a text into the clipboard; False where there is none."""
    pygame = five.core.load_pygame()
    try:
        clipboard().put(pygame.SCRAP_TEXT, text.encode())
    except pygame.error:
        return False
    return True


# *by Interface*
#
# The review runs in a thread. Its curve is painted below the board; a click on it goes to that move.


# by Interface · the review on the desk
REVIEW = 5_000  # simulations before each move


class Reviewing(Records):
    """A review of the game on the desk, and its curve."""

    ended = None  # a threading.Event that ends the review

    def review(self) -> None:
        """Search before every move of the game; asked again, it stops."""
        if self.reviewing is not None and self.reviewing.is_alive():
            self.ended.set()
            return
        whole = self.game.copy()
        while whole.undone:
            whole.redo()
        self.ended, self.progress = threading.Event(), 0.0
        how = dict(target=self.work, args=(whole, self.ended), daemon=True)
        self.reviewing = threading.Thread(**how)
        self.reviewing.start()

    def work(self, game, ended) -> None:
        """Review a game; for the thread."""
        table = review_game(game, REVIEW, on_move=self.count, stop=ended)
        if not ended.is_set():
            self.table = table

    def count(self, done, of) -> None:
        """Note how far the review is."""
        self.progress = done / of

    def take_up(self, played, note="") -> None:
        """Put another game on the desk, without the old one's review."""
        if self.ended is not None:
            self.ended.set()
        super().take_up(played, note)

    def finish(self):
        """End the review as well."""
        if self.ended is not None:
            self.ended.set()
            self.reviewing.join()
        return super().finish()


# *by Interface*
#
# Swap2 on the desk: the computer opens and the person chooses, or the other way round. A sheet over the
# board asks; the computer's part is worked out in a thread.


# by Interface · swap2 on the desk
SWAP_KEYS = {"w": "white", "b": "black", "a": "add"}
SWAP_WORDS = {
    "white": "play white",
    "black": "play black",
    "add": "add a stone of each colour",
}


class Opening(Reviewing):
    """The steps of swap2; `opening` is the Swap2 while it lasts."""

    opening, me, job = None, "first", None  # me: the person's part; job: the computer's thread

    def swap(self) -> None:
        """Begin a game with swap2; the person's part changes each time."""
        self.me = "first" if self.me == "second" else "second"
        self.take_up(five.core.new_played(15, self.played.seconds or 1, "both"))
        self.opening, self.job, self.sheet = Swap2(), None, ""
        self.played.game = self.opening.game

    def tick(self) -> None:
        """Do the next step of the opening, if there is one."""
        super().tick()
        opening = self.opening
        if opening is not None and opening.game is not self.game:
            self.opening = opening = None  # another game has been put on the desk
            self.sheet = "" if self.sheet == "swap" else self.sheet
        if opening is None:
            return
        if opening.chooser is None:
            self.begin_game(opening)
        elif opening.chooser != self.me:
            if self.job is None or not self.job.is_alive():
                self.job = threading.Thread(target=self.decide, args=(opening,), daemon=True)
                self.job.start()
        elif opening.options() and self.sheet != "help":
            self.sheet = "swap"
        else:
            self.view.note = "Place the stones of the opening: black, white, black"
            if opening.step == "add":
                self.view.note = "Add a white and a black stone"

    def decide(self, opening) -> None:
        """Do the computer's part of one step; for the thread."""
        if opening.options():
            opening.choose(swap2_choice(opening))
        else:
            for move in swap2_stones(opening, seed=self.played.seed % 1000):
                opening.place(move)

    def begin_game(self, opening) -> None:
        """Go on with the colours that the opening has given."""
        mine, self.opening, self.sheet = opening.colours[self.me], None, ""
        self.played.players = five.core.PERSONS[
            "black" if mine == five.core.BLACK else "white"
        ]
        self.paused, colour = False, five.core.COLOUR[mine]
        self.refresh(f"You have {colour}")


# by Interface · the person's part of swap2
class Swapping(Opening):
    """A game that begins with swap2, with the stones and answers of a person."""

    def click(self, point) -> None:
        """Place a stone of the opening, or do what a click does otherwise."""
        opening = self.opening
        if opening is None:
            super().click(point)
        elif opening.chooser == self.me and not opening.options() and point is not None:
            if self.game.why_illegal(point) is None:
                opening.place(point)

    def lines(self) -> tuple[str, ...]:
        """Return the question of the opening, or what lies over the board otherwise."""
        if self.sheet != "swap" or self.opening is None:
            return super().lines()
        keys = {option: key for key, option in SWAP_KEYS.items()}
        options = self.opening.options()
        return "Swap2: what do you want?", *(f"{keys[o]}\t{SWAP_WORDS[o]}" for o in options)

    def sheet_key(self, key) -> None:
        """Answer the question of the opening, or what lies over the board otherwise."""
        if self.sheet != "swap" or self.opening is None:
            super().sheet_key(key)
        elif SWAP_KEYS.get(key) in self.opening.options():
            self.sheet = ""
            self.opening.choose(SWAP_KEYS[key])
        elif key == "escape":
            self.sheet, self.opening = "", None


# by Interface · the strip below the board
def strip_places(width, height) -> tuple[tuple, tuple, tuple]:
    """Return the boxes of the board's part, of the curve and of the desk's controls."""
    high, gap = height // 5, max(2, min(width, height) // 60)
    top, wide = height - high, width * 11 // 20
    curve = gap, top, wide - 2 * gap, high - gap
    return (0, 0, width, top), curve, (wide, top, width - wide - gap, high - gap)


def curve_points(table, box) -> list[tuple[int, int]]:
    """Return the pixel of each value of a review in a box; the first is before move 1."""
    x, y, width, height = box
    count = max(1, len(table) - 1)
    return [
        (x + i * (width - 1) // count, y + round((1 - value) / 2 * (height - 1)))
        for i, value in enumerate(table.value)
    ]


def draw_curve(canvas, desk, box) -> None:
    """Paint black's value by move, the turning points, and where the board stands."""
    pygame, (surface, _, theme), table = five.core.load_pygame(), canvas, desk.table
    x, y, width, height = box
    pygame.draw.rect(surface, theme.button, box)
    pygame.draw.line(surface, theme.soft, (x, y + height // 2), (x + width, y + height // 2))
    line, said = max(5, height // 9), ""
    if table is None:
        busy = desk.reviewing is not None and desk.reviewing.is_alive()
        said = f"Reviewing: {desk.progress:.0%}" if busy else "Review: black's value by move"
    else:
        points = curve_points(table, box)
        if len(points) > 1:
            pygame.draw.lines(surface, theme.heat, False, points, max(1, height // 50))
        for ply in turning_points(table).index:
            pygame.draw.circle(surface, theme.signal, points[ply], max(3, height // 25))
        at = min(len(desk.game.played), len(points) - 1)
        pygame.draw.line(surface, theme.ink, (points[at][0], y), (points[at][0], y + height))
        row = table.iloc[at]
        said = (
            f"black {row.value:+.2f}; best {row.best}"
            if isinstance(row.best, str)
            else row.words
        )
    canvas.write(said, "bottomleft", (x + line, y + height - 2), line, width - line)
    canvas.write("+1", "topleft", (x + 2, y + 1), line, 3 * line, theme.soft)


# *by Interface*
#
# The desk puts these together. Five lines of analysis take the place of the status while it runs.


# by Interface · the desk's parts and controls
class DeskControls(Swapping):
    """Where the parts of the desk stand, and its controls."""

    strip = None  # what the strip showed last

    def part(self, surface):
        """Return the part of a surface that the board and its panel have."""
        return surface.subsurface(strip_places(*surface.get_size())[0])

    def desk_controls(self) -> tuple:
        """Return the desk's own controls as they are now."""
        on = {
            "analyse": self.analysing,
            "numbers": self.showing_numbers,
            "setup": self.setting_up,
        }
        on["review"] = self.reviewing is not None and self.reviewing.is_alive()
        can = {"back": bool(self.game.played), "forth": bool(self.game.undone)}
        return five.core.make_controls(DESK_COMMANDS, {}, can, on)

    def desk_places(self, surface) -> dict:
        """Return the box of each of the desk's controls."""
        grid = strip_places(*surface.get_size())[2]
        layout = self.layout(self.part(surface))._replace(grid=grid, columns=2)
        if grid[2] > 2 * grid[3]:
            layout = layout._replace(columns=5)
        return five.core.control_places(layout, DESK_COMMANDS)


# by Interface · the desk on a surface
class DeskBoard(DeskControls):
    """The desk on a surface: board, panel and strip."""

    def look(self):
        """Return the view, with the numbers and the analysis."""
        view = dataclasses.replace(super().look(), numbers=self.showing_numbers)
        top = getattr(self.search, "top", ())
        return dataclasses.replace(view, note="\n".join(top)) if top else view

    def lines(self) -> tuple[str, ...]:
        """Return the lines of the sheet; the help has the desk's keys too."""
        lines = super().lines()
        if self.sheet != "help":
            return lines
        return *lines, *(f"{keys}\t{words}" for _, keys, words in DESK_COMMANDS.values())

    def paint(self, surface) -> bool:
        """Paint board, panel and strip if something has changed; say whether it has."""
        theme, size = five.core.SHARP if self.contrast else five.core.CALM, surface.get_size()
        controls, at = self.desk_controls(), len(self.game.played)
        strip = size, controls, at, id(self.table), self.progress, theme
        changed = super().paint(self.part(surface))
        if not changed and strip == self.strip:
            return False
        self.strip, ((_, _, width, top), curve, _) = strip, strip_places(*size)
        canvas = five.core.Canvas(surface, self.layout(self.part(surface)), theme)
        surface.fill(theme.paper, (0, top, width, size[1] - top))
        draw_curve(canvas, self, curve)
        for control, box in zip(controls, self.desk_places(surface).values(), strict=True):
            five.core.draw_control(canvas, control, box)
        return True


# by Interface · the desk: pointer, keys, files
class Desk(DeskBoard, five.core.Window):
    """The analysis desk in pygame's display, or on any surface."""

    def point_at(self, x, y, surface) -> None:
        """Follow the pointer on the board."""
        super().point_at(x, y, self.part(surface))

    def press(self, x, y, surface) -> None:
        """Do what a click asks for: the desk's controls, the curve, or the window's part."""
        curve = strip_places(*surface.get_size())[1]
        if control := five.core.control_at(x, y, self.desk_places(surface)):
            return self.act(*control)
        if y < curve[1]:
            return super().press(x, y, self.part(surface))
        if self.table is not None and curve[0] <= x < curve[0] + curve[2]:
            count = max(1, len(self.table) - 1)
            self.go_to(round((x - curve[0]) * count / max(1, curve[2] - 1)))

    def key(self, key) -> None:
        """Step through the game with left and right; all else is the window's."""
        if key in ("left", "right") and self.cursor is None and not self.sheet:
            return self.act("back" if key == "left" else "forth")
        super().key(key)

    def handle(self, event, surface) -> None:
        """Take a record that is dropped onto the window, too."""
        if event.type == five.core.load_pygame().DROPFILE:
            return self.load(event.file)
        super().handle(event, surface)


# *by Interface*
#
# `open_desk()` opens it. Without a display it says so.


# by Interface · open the desk
def open_desk(record=None, size=15, seconds=2, folder=".", rivals=None):
    """Open the desk and return the game that is on it when it is closed.

    record   a file to begin with, or None for an empty board of `size`
    rivals   {name: player}: a side of that name is played by it, such as another engine
    Raises five.core.NoDisplay where no window can be opened, RecordError for a wrong record.
    """
    played = five.core.new_played(size, seconds, "both")
    if record is not None:
        played = dataclasses.replace(load_record(record), players=("person", "person"))
    five.core.open_window("Analysis desk")
    desk = Desk(played, five.core.keeper(Path(folder) / "desk.txt"))
    desk.folder, desk.rivals = Path(folder), dict(rivals or {})
    return desk.run()

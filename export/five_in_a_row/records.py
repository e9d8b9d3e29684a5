"""Records: a game from a file or a text, and back: psq, SGF, lists of moves, pictures.

kind    suffix  who writes it                    what it holds
psq     .psq    Piskvork, Gomocup's manager      moves with their milliseconds, names
sgf     .sgf    many programs, as SGF FF[4]      set-up, moves, names, date, result, review
moves   .txt    people, to copy and paste        moves: h8i9g7; a file says its board as well
png     .png    the desk                         a picture, which cannot be read

Whatever is wrong with a file, its reader raises a RecordError that gives name, line and reason
in one sentence: a record is read whole or not at all. The rules that Game enforces are not
checked a second time; `at_line` adds the line to its message. What is quoted from a file is
cut to one printable line. What a reader had to guess or to leave out stands in `remarks`.

Only freestyle is read, where more than five in a row win as well. In a game of exactly five or
of renju a six may stand while the game goes on; the reader then says where it would have
ended.
"""

import contextlib
import itertools
import math
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import five_in_a_row as five

from .files import one_line, replace_file
from .panels import LOSS


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


# Piskvork and SGF count columns and rows from the top left corner, as Gomocup's protocol does.


SGF_LETTERS = {five.game.BLACK: "B", five.game.WHITE: "W"}
SGF_COLOURS = {"B": five.game.BLACK, "W": five.game.WHITE}


def from_top(point: int, rules: five.game.Rules) -> tuple[int, int]:
    """Return column and row of a point, both from 0, rows from the top."""
    row, col = divmod(five.gomocup.flip_rows(int(point), rules), rules.size)
    return col, row


def point_from_top(x: int, y: int, rules: five.game.Rules, written: str) -> int:
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


# A result is kept in SGF's notation: who won, then how, as in B+R, where white has resigned.
# The plus may be missing, as in B. A file whose result contradicts its own moves is an error.


def result_code(played: five.window.GameRecord) -> str:
    """Return "B+" or "W+", with R after a resignation; "Draw"; or "" where it is open."""
    if played.game.over:
        return f"{SGF_LETTERS[played.game.winner]}+" if played.game.winner else "Draw"
    won = f"{SGF_LETTERS[-played.resigned]}+" if played.resigned else ""
    ending = one_line(getattr(played, "ending", ""))
    if not won:
        return "" if ending[1:2] == "+" else ending
    return ending if ending.startswith(won) else won + "R"


def set_result(record: Record, code: str) -> None:
    """Note how the game ended; ValueError if its moves show another end."""
    winner, won = 0, re.fullmatch(r"(b|w|black|white)( wins.*|(\+.*)?)", code, re.IGNORECASE)
    if won:
        side = won[1][0].upper()
        winner, ending = SGF_COLOURS[side], side + (won[3] or "+")
    if not record.game.over:
        record.resigned = -winner
        record.ending = ending if won else code[:1].upper() + code[1:]
    elif winner != record.game.winner and (winner or code.lower() in ("draw", "0")):
        shown = five.figures.result_text(record.game)
        raise ValueError(f"the result {code} is not what the moves show: {shown}")


# ---- psq ------------------------------------------------------------------------------------

# A .psq begins with "Piskvorky 8x8, 0:0, 0": columns and rows, a level for each player, and
# which of the two began. Each move is a line, 4,5,1200: column and row from 1, then
# milliseconds, 0 if unknown. At the end come the players' names, which may be missing, and a
# number. Programs do not agree on what the number means, so it is ignored. Before 2008 there
# was none, so such a file may have been cut; it is read, with a remark. Piskvork reads no
# further; date and result are appended here.


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
            play_on(record.game, point_from_top(x - 1, y - 1, record.game.rules, line))
            if milliseconds:
                record.times[ply] = milliseconds / 1000
    read_psq_end(record, lines[1 + len(moves) :], first)
    return record


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


# ---- SGF ------------------------------------------------------------------------------------

# SGF holds a tree of nodes: (;GM[4]SZ[8];B[de](;W[ed])(;W[dd])). A node begins with ; and has
# properties, each a name with one or more values in square brackets; a round bracket opens a
# variation. The first variation is the main line, so everything before the first ) is the
# game. A small table says which token may follow which; the rest of the file is only checked
# against it. A record of Go looks the same but has GM[1] or no GM: GM[4] is required.


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


# AB, AW and AE set up black stones, white stones and empty points, PL says who moves first, B
# and W are moves, with column and row as letters. A set-up may name a rectangle by two
# corners, as in AB[cc:ed], six stones. Go has passes, B[] or B[tt]; five in a row has none.


SETUP = {"AB": five.game.BLACK, "AW": five.game.WHITE, "AE": 0}


def sgf_point(value: str, rules: five.game.Rules, name: str, written: str) -> int:
    """Return the point of a value such as "ee"; ValueError names the property as written."""
    if not re.fullmatch(r"\s*[A-Za-z]{2}\s*", value):
        raise ValueError(f"{written} is not one point, written as in {name}[ee]")
    x, y = (ord(letter) - ord("a") for letter in value.strip().lower())
    return point_from_top(x, y, rules, written)


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
            elif name == "PL" and value not in SGF_COLOURS:
                raise ValueError(f"PL[{value}] is no colour: PL[B] and PL[W] are")
            elif name == "PL":
                to_move = SGF_COLOURS[value]
            elif name in SGF_COLOURS:
                number = len(game.played) + 1 if game else 1
                point, colour = sgf_move(name, value, rules, number), SGF_COLOURS[name]
                game = game or five.game.Game.from_array(cells, to_move or colour, rules)
                if colour != game.to_move and not game.over:
                    turn = five.game.COLOUR[game.to_move]
                    raise ValueError(f"{name}[{value}] is out of turn: {turn} is to move")
                play_on(game, point)
    with at_line(line):  # nobody has moved: white does when there are more black stones
        to_move = to_move or (five.game.WHITE if cells.sum() > 0 else five.game.BLACK)
        return game or five.game.Game.from_array(cells, to_move, rules)


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
        moves += name in SGF_COLOURS
    return notes


def unescaped(value: str) -> str:
    """Return what an SGF value says, as one line."""
    return one_line(re.sub(r"\\(?:\n|(.))", r"\1", value, flags=re.S))


# SGF has a property for the day of a game but none for the hour, so that gets a property of
# our own. Three properties serve analysis. V is the value of a position, positive where black
# is better: from -1, white wins, to +1. C is a comment, and records the search. BM marks a bad
# move: after a review a turning point has it where another move was better, whose line follows
# as a variation.


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
        text += f"PL[{SGF_LETTERS[to_move]}]"
    notes, better = sgf_analysis(played, review)
    text += note_text(notes.get(0, {}))
    for ply, point in enumerate(game.played):
        side = SGF_LETTERS[to_move if ply % 2 == 0 else -to_move]
        text += "\n" * (ply % 10 == 0) + "(" * (ply in better)
        text += f";{side}{point_letters(point, rules)}{note_text(notes.get(ply + 1, {}))}"
    for ply in reversed(better):
        sides = itertools.cycle((to_move, -to_move) if ply % 2 == 0 else (-to_move, to_move))
        line = [five.game.to_point(name, rules) for name in better[ply].split()]
        moves = zip(sides, line, strict=False)
        text += (
            ")\n("
            + "".join(f";{SGF_LETTERS[s]}{point_letters(p, rules)}" for s, p in moves)
            + ")"
        )
    return f"(;{text})\n"


def point_letters(point: int, rules: five.game.Rules) -> str:
    """Return a point as "[ee]"."""
    return "[{}{}]".format(*(chr(ord("a") + number) for number in from_top(point, rules)))


def escaped(value: str) -> str:
    """Return text as it stands in an SGF value."""
    return re.sub(r"([]\\])", r"\\\1", one_line(value))


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
    value = result.expected * colour
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


# ---- lists of moves -------------------------------------------------------------------------

# Above a list of moves may stand the board, in lines such as "size: 15", as in the file of
# games; where it does not, the board is passed, and none is ever guessed. The list may contain
# numbers, as in "1. h8 i9 2. g7", and where stones fall it may be columns: 4455.


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


# ---- every kind of text, and files ----------------------------------------------------------


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


def format_record(played: five.window.GameRecord, kind: str, review=None) -> str:
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


SUFFIXES = {".psq": "psq", ".sgf": "sgf", ".txt": "moves", ".png": "png"}


def suffix_kind(path: Path, allowed: tuple[str, ...]) -> str:
    """Return the kind of a file; RecordError names the suffixes allowed."""
    if (suffix := path.suffix.lower()) not in allowed:
        raise RecordError(f"its name must end in one of {', '.join(allowed)}", 0, path.name)
    return SUFFIXES[suffix]


SGF_CODING = re.compile(r"(?<![A-Za-z])CA\s*\[\s*([\w.:-]{1,40})\s*\]", re.ASCII)
ASCII_SAMPLE = b"(;GM[4]SZ[15];B[hh]C[+AD4- ~{ \\n \\u0041])"  # what is ASCII must stay so


def coding_of(data: bytes, kind: str) -> str:
    """Return the name of the encoding in which a file is written."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # as some editors mark what they save
        return "utf-16"
    found = SGF_CODING.search(data.decode("latin-1")) if kind == "sgf" else None
    with contextlib.suppress(LookupError, UnicodeError):
        tried = (ASCII_SAMPLE + b"\xff").decode(found[1], "replace") if found else ""
        if tried.startswith(ASCII_SAMPLE.decode("ascii")):
            return found[1]
    return "utf-8"


def holds_games(data: bytes) -> bool:
    """Return True for a file of the notebook's games, with their searches."""
    return re.search(rb"^date:", data, re.M) is not None


def load_record(path: Path | str, rules: five.game.Rules | None = None) -> Record:
    """Return the game of a .psq, .sgf or .txt file; of a file of games the last one.

    rules   the board of a list of moves that names none
    A wrong file: ValueError with name, line and reason, a RecordError but for a file of games.
    OSError if it cannot be opened.
    """
    path = Path(path)
    kind, data = suffix_kind(path, (".psq", ".sgf", ".txt")), path.read_bytes()
    if kind == "moves" and holds_games(data):
        return five.game_file.load_game(path, Record(five.game.Game()))
    coding = coding_of(data, kind)
    text = data.decode(coding, "replace")
    record = read_record(text, kind, rules, path.name)
    if "\ufffd" in text:
        record.remarks.append(f"letters that are not {coding.upper()} are shown as \ufffd")
    return record


def keep_record(played: five.window.GameRecord, path: Path | str, review=None) -> None:
    """Write a game to a .psq, .sgf, .txt or .png file, whole or not at all.

    review   a table of review_game, which an SGF holds
    Raises ValueError for another suffix or for a game that the kind cannot hold, OSError
    if the file cannot be written. What was there is then as it was.
    """
    path = Path(path)
    kind = suffix_kind(path, tuple(SUFFIXES))
    if kind == "moves" and path.exists() and holds_games(path.read_bytes()):
        raise RecordError("it holds games of the notebook: choose another", 0, path.name)
    if kind == "png":
        data, _ = five.window.board_png(five.window.Session(played, {}))
    else:
        data = format_record(played, kind, review).encode()
    replace_file(path, data)

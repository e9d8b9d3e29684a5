"""The game file: every game that was played, as text that people can read.

A few lines say who played what, then come the moves with their numbers. Beside a move of the
computer stand the simulations and the seed of its search, which repeat it exactly, and who
searched where another opponent was chosen during the game. A new game
is added at the end of the file; only an unfinished game is replaced, by its own continuation.
"""

import dataclasses
import os
import re
from pathlib import Path

import numpy as np
from filelock import FileLock

from .figures import position_at, result_text
from .files import one_line, replace_file
from .game import BLACK, WHITE, Game, Rules
from .mcts import whole_level
from .window import GameRecord

HEAD = ("date", "size", "in a row", "black", "white", "budget", "result")
OTHERS = ("rows", "gravity", "begins")  # lines of games that need them
SEARCH = r" (\d{1,18}) simulations, seed (\d{1,19})(?:, level (\d{1,2}))?"
MOVE_LINE = re.compile(rf"(\d+)\. (\S+)(?:{SEARCH}(?:, by (.+))?)?")


def game_file() -> Path:
    """Return where games are kept: export/game.txt, beside the package."""
    return Path(__file__).resolve().parent.parent / "game.txt"


def first_colour(game: Game) -> int:
    """Return the colour that made the first move: black, unless a set-up says otherwise."""
    return game.to_move if len(game.played) % 2 == 0 else -game.to_move


def saved_text(record: GameRecord) -> str:
    """Return a record as a block of the game file.

    A name may come from anywhere: it stays on its line, where it can pass for no other.
    """
    game, rules, date = record.game, record.game.rules, one_line(record.date)
    black, white = players = tuple(map(one_line, record.players))
    budget = [] if record.seconds is None else [f"{record.seconds:g} seconds"]
    budget += [] if record.simulations is None else [f"{record.simulations} simulations"]
    level = "" if record.level is None else f", level {record.level}"
    lines = [f"date: {date}", *rules_lines(rules)]
    if first_colour(game) == WHITE and np.count_nonzero(game.array) == len(game.played):
        lines.append("begins: white")  # the board was empty
    lines += [f"black: {black}", f"white: {white}", f"budget: {' or '.join(budget)}{level}"]
    lines.append(f"result: {result_text(game, record.resigned)}")
    for ply, move in enumerate(game.moves):
        about = ""
        if search := record.searches.get(ply):
            about = f" {search[0]} simulations, seed {search[1]}"
            about += "" if search[2] == record.level else f", level {search[2] or 10}"
            name = players[(ply + (first_colour(game) == WHITE)) % 2]
            found_by = one_line(record.found_by.get(ply, name))
            about += "" if found_by in ("", name) else f", by {found_by}"
        lines.append(f"{ply + 1}. {move}{about}")
    return "\n".join(lines) + "\n"


def rules_lines(rules: Rules) -> list[str]:
    """Return the lines that say which game is played, for rules_of."""
    lines = [f"size: {rules.size}"]
    lines += [f"rows: {rules.height}"] if rules.height != rules.size else []
    lines += [f"in a row: {rules.in_a_row}"]
    return lines + ["gravity: yes"] * rules.gravity


def rules_of(head: dict[str, str], make_rules=Rules) -> Rules:
    """Return the rules that such lines say, as {name: value}; five in a row if left out."""
    for name in ("size", "in a row", "rows"):
        if not re.fullmatch(r"[0-9]{1,4}", head.get(name, "0")):
            raise ValueError(f"{name} must be a whole number, not {head[name]!r}")
    if head.get("gravity", "yes") != "yes":
        gravity = head["gravity"]
        raise ValueError(f"gravity must be 'yes', or be left out, not {gravity!r}")
    rows = int(head["rows"]) if "rows" in head else None
    in_a_row = int(head.get("in a row", 5))
    return make_rules(int(head["size"]), in_a_row, rows, "gravity" in head)


def one_at_a_time(path: Path) -> FileLock:
    """Return a lock, for a with block: one process at a time changes the file.

    The system holds it, so a process that is killed lets it go; its empty file stays.
    """
    return FileLock(path.with_name(f".{path.name}.lock.tmp"), timeout=10)


def save_game(record: GameRecord, path: Path | str | None = None) -> None:
    """Add a game at the end of the file; replace what it held of the same game, unfinished.

    Raises OSError where the file cannot be written; it is then as it was.
    """
    path = Path(os.path.realpath(path or game_file()))  # two links to a file share its lock
    block = saved_text(record)
    if block == record.saved:
        return
    path.parent.mkdir(exist_ok=True)
    with one_at_a_time(path):
        old = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else ""
        blocks = old.replace("\r\n", "\n").strip("\n").split("\n\n")
        mine = record.saved.strip()
        if "result: unfinished" in mine and mine in blocks:
            blocks.remove(mine)
        text = "\n\n".join([*blocks, block]).lstrip("\n")
        replace_file(path, text.encode("utf-8", "surrogateescape"))
    record.saved = block


def keeper(path: Path | str | None = None):
    """Return keep(record): save a game, or return why that fails, and print it once.

    A full disk must not end a game: what fails becomes a note. Without moves it is not kept.
    """
    printed = []  # notes; only the first one is printed

    def keep(record: GameRecord) -> str | None:
        try:
            if record.game.played or record.resigned:
                save_game(record, path)
        except OSError as error:
            note = f"The game goes on but cannot be saved: {error.strerror or error}"
            if not printed:
                print(note)
            printed.append(note)
            return note

    return keep


def load_game(path: Path | str | None = None, like: GameRecord | None = None) -> GameRecord:
    """Return the last game of the file, without results of searches.

    like   a record; the game is made of its classes, which may be a notebook's own
    Reading is strict. Raises ValueError that names the line and the reason, OSError where
    there is no such file.
    """
    path = Path(path or game_file())
    text = path.read_bytes().decode("utf-8-sig", "replace")
    lines = re.split(r"\r\n|\r|\n", text.rstrip("\r\n"))
    begin = max((i for i, line in enumerate(lines) if line.startswith("date:")), default=0)
    head, record, number = {}, None, begin
    try:
        for number, line in enumerate(lines[begin:], begin + 1):  # noqa: B007
            if move := MOVE_LINE.fullmatch(line.rstrip()):
                record = record or begin_record(head, like)
                read_move(record, *move.groups())
            elif line.strip():
                read_head(head, line, record)
        return check_result(record, head)
    except ValueError as error:
        raise ValueError(f"{path.name}, line {max(1, number)}: {error}") from None


def read_head(head: dict, line: str, record: GameRecord | None) -> None:
    """Read a line such as "size: 8" into head."""
    name, colon, value = line.partition(":")
    if record or not colon or name not in (*HEAD, *OTHERS):
        raise ValueError(f"{line.strip()!r} is neither a move nor one of: {', '.join(HEAD)}")
    head[name] = value.strip()


def begin_record(head: dict, like: GameRecord | None = None) -> GameRecord:
    """Return the game that the head describes, with no move yet, of the classes of `like`."""
    like = like or GameRecord(Game())
    make_game = type(like.game)
    if missing := [name for name in HEAD if name not in head]:
        raise ValueError(f"the game has no line {missing[0] + ':'!r}")
    if head.get("begins", "white") != "white":
        raise ValueError(f"begins must be 'white', or be left out, not {head['begins']!r}")
    rules = rules_of(head, type(like.game.rules))
    game = make_game(rules)
    if "begins" in head:
        game = make_game.from_array(game.array, WHITE, rules)
    record = type(like)(game, (one_line(head["black"]), one_line(head["white"])))
    record.source = "saved game"
    record.date = one_line(head["date"])
    if found := re.search(r"(\d[\d.]*(e-?\d+)?) seconds", head["budget"]):
        record.seconds = float(found[1])
    if found := re.search(r"(\d+) simulations", head["budget"]):
        record.simulations = int(found[1])
    if found := re.search(r"level (\d+)", head["budget"]):
        record.level = whole_level(int(found[1]))
    return record


def read_move(
    record, number: str, move: str, simulations=None, seed=None, level=None, found_by=None
) -> None:
    """Play a move of the file."""
    ply, name = len(record.game.played), record.sides[record.game.to_move]
    if int(number) != ply + 1:
        raise ValueError(f"move {ply + 1} is missing")
    record.game.play(move)
    if simulations is not None:
        level = whole_level(int(level)) if level else record.level
        record.searches[ply] = int(simulations), int(seed), level
        record.found_by[ply] = found_by or name


def check_result(record: GameRecord | None, head: dict) -> GameRecord:
    """Return the game if its result is what the head says."""
    if record is None:
        raise ValueError("the game has no moves")
    if not record.game.over:
        resigned = {result_text(record.game, colour): colour for colour in (BLACK, WHITE)}
        record.resigned = resigned.get(head["result"], 0)
    if (result := result_text(record.game, record.resigned)) != head["result"]:
        raise ValueError(f"the result should be {result!r}, not {head['result']!r}")
    record.saved = saved_text(record)
    return record


def unfinished_game(path: Path | str | None = None, like: GameRecord | None = None):
    """Return the last game of the file if a person has not finished it; None otherwise.

    The arguments are those of load_game.
    """
    try:
        record = load_game(path, like)
    except (OSError, ValueError):
        return None
    return record if not record.over and record.persons else None


def saved_again(
    opponents: dict, most: int, path: Path | str | None = None
) -> GameRecord | None:
    """Return the last game of the file with its searches repeated; None if there is none.

    most   simulations that a search gets at the most
    A file that cannot be read is named in a printed sentence.
    """
    try:
        record = load_game(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        print(f"The saved game cannot be read: {error}.")
        return None
    return search_again(record, opponents, most)


def search_again(record: GameRecord, opponents: dict, most: int) -> GameRecord:
    """Return the game with its searches repeated, each with at most `most` simulations."""
    results = {}
    game = position_at(record.game, 0)
    for ply, point in enumerate(record.game.played):
        if found := record.searches.get(ply):
            simulations, seed, level = found
            name = record.found_by.get(ply, record.sides[game.to_move])
            thinker = opponents.get(name) or next(iter(opponents.values()))
            limit = min(simulations, most)
            result = thinker(game, simulations=limit, seed=seed, level=level)
            results[ply] = dataclasses.replace(result, tree=None)
        game.play(point)
    return dataclasses.replace(record, results=results)

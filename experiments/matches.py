"""What the studies share: openings, matches whose games are kept, tables.

Each match keeps its finished games in a CSV file in experiments/games/, so a run that was
stopped goes on where it was. When a table is complete, its games are packed into the archive
of its study. Tables go to experiments/results/, one row for each match. Games and tables are
named by a fingerprint of what their players do (experiments/behaviour.py). A table of another
number of games than its study shows is a trial: it goes to a folder of its own.
"""

import contextlib
import csv
import datetime
import functools
import itertools
import os
import platform
import sys
import tempfile
from pathlib import Path

import five_in_a_row as five
from five_in_a_row.files import replace_file

from experiments import behaviour, kinds
from experiments.archive import Archive

FOLDER = Path(__file__).resolve().parent
RESULTS, GAMES = FOLDER / "results", FOLDER / "games"
SEED = 1
EMPTY = "empty board"
# where games begin, and how the names of their files end
BEGINS = {"random stones": "", "even stones": "-even", EMPTY: "-empty"}
ARCHIVES = {}  # {path: Archive} of those that this run uses
WHOLE = None  # the folder of the studies' own games, while a trial runs


def code(table):
    """Return the fingerprint of the players of a table, eight digits; KeyError without one."""
    return behaviour.code(*kinds.TABLES[table].kinds)


# -- games that are kept -------------------------------------------------------------------
def archive(study, folder=None):
    """Return the archive that holds the games of a study, in GAMES or another folder."""
    path = (folder or GAMES) / f"{study}.tar.xz"
    return ARCHIVES.setdefault(path, Archive(path))


@contextlib.contextmanager
def trial(number):
    """Let tables and games of that number go to a folder of their own below RESULTS.

    `Kept` begins there with what the study knows, for no row of it depends on the number.
    """
    global RESULTS, GAMES, WHOLE
    before = RESULTS, GAMES, WHOLE
    RESULTS = RESULTS / "trials" / str(number)
    GAMES, WHOLE = RESULTS, before[1]
    try:
        yield
    finally:
        RESULTS, GAMES, WHOLE = before


class Kept:
    """Rows in the file NAME.csv of a study by key, which is a tuple of texts."""

    def __init__(self, study, name, keys, values):
        self.path = archive(study).file(f"{name}.csv")
        self.width, self.rows = len(keys), {}
        if WHOLE and not self.path.exists():
            known = archive(study, WHOLE).held().get(self.path.name, b"")
            replace_file(self.path, known)
        data = self.path.read_bytes() if self.path.exists() else b""
        whole = data.rfind(b"\n") + 1  # a stop may leave half a line
        if not whole:
            self.path.write_text(",".join([*keys, *values]) + "\n", "utf-8")
        elif whole < len(data):
            os.truncate(self.path, whole)  # written anew, it would be lost by another stop
        for row in list(csv.reader(data[:whole].decode().splitlines()))[1:]:
            self.rows[tuple(row[: self.width])] = row[self.width :]

    def of(self, key, find):
        """Return the values of a key, from find() where they are not known yet."""
        key = tuple(map(str, key))
        if key not in self.rows:
            self.rows[key] = [str(value) for value in find()]
            with self.path.open("a", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerow([*key, *self.rows[key]])
        return self.rows[key]


# -- matches -------------------------------------------------------------------------------
def rules_of(board):
    """Return the rules of a board: Rules themselves, or five in a row of that size."""
    return board if isinstance(board, five.game.Rules) else five.game.Rules(board)


def openings(board, count):
    """Return that many openings of two, three and four stones, in equal parts.

    Where stones fall there are few of two stones; then more of the others make up for it.
    """
    parts = [count // 3 + (i < count % 3) for i in range(3)]
    rules = rules_of(board)
    if rules.gravity:
        spare = max(0, parts[0] - rules.size**2)  # a column for each of the two stones
        parts = [parts[0] - spare, parts[1] + spare // 2, parts[2] + spare - spare // 2]
    found = [
        five.strength.random_openings(rules, part, stones, SEED)
        for part, stones in zip(parts, (2, 3, 4), strict=True)
        if part
    ]
    return [opening for group in found for opening in group]


@functools.cache
def even_openings(rules, count):
    """Return that many even openings; the matches of a table share them."""
    return five.strength.even_openings(rules, count, SEED)


def played(study, table, a, b, board, games, jobs, begins="random stones"):
    """Return the games of a match, a and b being (name, player).

    study   whose archive takes the games
    table   one of kinds.TABLES: the file is named after it and after its players' code
    board   Rules, or the size of a board for five in a row
    games   come in pairs: rounded down to an even number, two at least
    begins  one of BEGINS: where the games do, the even stones being `even_openings`
    """
    games = max(2, games // 2 * 2)
    rules = rules_of(board)
    name = match_name(table, a[0], b[0], f"{rules.size}x{rules.height}", begins)
    found = {"random stones": openings, "even stones": even_openings}.get(begins)
    print(f"{name}: {games} games", flush=True)
    return five.strength.play_match(
        a[1],
        b[1],
        games,
        rules,
        found and found(rules, games // 2),
        SEED,
        jobs,
        archive(study).file(f"{name}-{code(table)}.csv"),
        progress=sys.stdout.isatty(),
    )


def match_name(table, a, b, shape, begins):
    """Return the name of the file of a match, without the code of its players."""
    return "-".join([table, *a.split(), "v", *b.split(), shape]) + BEGINS[begins]


def match(study, table, a, b, board, games, jobs, begins="random stones", timed=True, **shown):
    """Play a match as `played` does and return its row.

    timed   False: the budgets are not seconds, and times are left out
    """
    result = played(study, table, a, b, board, games, jobs, begins)
    found, rules = result.attrs, rules_of(board)
    row = {"a": a[0], "b": b[0], "board": f"{rules.size}×{rules.height}", "begins": begins}
    row |= shown
    row |= {"games": len(result)}
    row |= {"won": found["wins"], "drawn": found["draws"], "lost": found["losses"]}
    row |= five.strength.count_pairs(result)
    row |= {"different games": result.moves.nunique(), **used(result, timed)}
    print(five.strength.match_words(f"  {a[0]} against {b[0]}", result), flush=True)
    return row


def used(result, timed=True):
    """Return {column: what a move of either side took}, of the games of a match."""
    begun, row = result.opening.str.split().str.len(), {}
    for side in "ab":
        black = result.black == side  # who moves at even plies
        moves = ((result.plies + black) // 2 - (begun + black) // 2).sum()
        if timed:
            seconds = result[f"seconds {side}"].sum()
            row[f"ms a move {side}"] = round(float(1e3 * seconds / moves), 1)
        made = result[f"simulations {side}"]  # not every player tells
        row[f"simulations a move {side}"] = (
            round(made.sum() / moves) if made.notna().all() else None
        )
    return row


# -- tables ---------------------------------------------------------------------------------
def settings(table):
    """Return when, with which players and on what a table was made, as a dict of texts."""
    import numba
    import numpy

    return {
        "made": datetime.date.today().isoformat(),
        "engine": code(table),
        "Python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def make(name, function, number, jobs=2):
    """Make a table by function(number, jobs), write results/NAME.csv, pack its games.

    A row that has not changed, times included, was not played now: it keeps its day.
    Raises behaviour.StaleError where a player of the table does not play as is stored.
    """
    import pandas as pd

    basis = kinds.TABLES[name]
    behaviour.check(*basis.kinds)
    table = five.strength.with_intervals(pd.DataFrame(list(function(number, jobs))))
    table = table.drop(columns="verdict", errors="ignore")  # found anew where it is shown
    if basis.budget is not None:
        table["budget"] = basis.budget
    made = [each for each in table if each.startswith("simulations a move")]
    table = table.astype(dict.fromkeys(made, "Int64")).assign(**settings(name))
    with tempfile.TemporaryDirectory() as apart:
        five.strength.keep_results(table.set_index(table.columns[0]), name, apart)
        texts = with_days(written(name, apart), written(name), settings(name))
    five.strength.keep_results(texts.set_index(texts.columns[0]), name, RESULTS)
    print(f"wrote {project_path(RESULTS / name)}.csv", flush=True)
    for each in ARCHIVES.values():
        each.pack()


def written(name, folder=None):
    """Return the table in folder/NAME.csv, each cell a text; None where there is none."""
    import pandas as pd

    path = Path(folder or RESULTS) / f"{name}.csv"
    return pd.read_csv(path, dtype=str, keep_default_na=False) if path.exists() else None


def with_days(now, before, about):
    """Return a table; a row that stood in it before keeps its day, versions and machine."""
    if before is None or set(before) != set(now):
        return now
    about = [each for each in about if each != "engine"]
    same = [each for each in now if each not in about]
    kept = now[same].merge(before.drop_duplicates(same), "left", same)[about]
    return now.assign(**kept.fillna(now[about]))


def recount():
    """Write what all tables count of their games anew: score, low, high, what a move took.

    What a move took, and how many of the games differ, where the archives hold its matches.
    """
    packed = {}
    for study in kinds.STUDIES:
        packed |= archive(study).held()
    for path in sorted(RESULTS.glob("*.csv")):
        texts = written(path.stem)
        table = five.strength.read_results(path.stem, RESULTS)
        if {"won", "games", "low"} <= set(texts):
            found = table[["score", "low", "high"]].map("{:.4g}".format)
            texts = texts.assign(**found)
            rows = texts.to_dict("records")
            games = [stored_games(packed, path.stem, row) for row in rows]
            for number, played in enumerate(games):
                if played is None:
                    continue
                took = used(played, "ms a move a" in texts)
                for name, value in took.items():
                    if value is not None and name in texts:
                        form = "{:.4g}" if isinstance(value, float) else "{}"
                        texts.loc[number, name] = form.format(value)
            unknown = {"pairs won", "pairs lost", "different games"} - set(texts)
            if unknown and all(each is not None for each in games):
                place = texts.columns.get_loc("lost") + 1
                counts = [
                    five.strength.count_pairs(each) | {"different games": each.moves.nunique()}
                    for each in games
                ]
                for number, name in enumerate(counts[0]):
                    if name in unknown:
                        texts.insert(place + number, name, [each[name] for each in counts])
            five.strength.keep_results(texts.set_index(texts.columns[0]), path.stem, RESULTS)
            print(f"counted experiments/results/{path.name} anew", flush=True)


def stored_games(packed, table, row):
    """Return the games of a row as a table, from {file: content}; None without its file."""
    if not {"a", "b", "board", "engine"} <= set(row):
        return None
    begun = [row["begins"]] if "begins" in row else BEGINS
    told = [f" {row[name]}" for name in ("policy", "budget") if row.get(name)]
    ends = ["".join(told[n:]) for n in range(len(told) + 1)]  # of both players' names
    shape = str(row["board"]).replace("×", "x")
    for end, begins in itertools.product(ends, begun):
        name = match_name(table, row["a"] + end, row["b"] + end, shape, begins)
        if f"{name}-{row['engine']}.csv" in packed:
            lines = packed[f"{name}-{row['engine']}.csv"].decode().splitlines()
            games = csv.DictReader(lines[1:])  # the first line says who plays
            games = sorted(games, key=lambda game: int(game["game"]))  # as they were done
            found = five.strength.match_table(games, lines[0])
            return found if len(found) == int(row["games"]) else None
    return None


def project_path(path):
    """Return a path as a reader of the project sees it."""
    home = FOLDER.parent
    return path.relative_to(home) if path.is_relative_to(home) else path

"""Tables as files, results/NAME.csv: made from their rows, counted anew from stored games."""

import csv
import datetime
import itertools
import json
import os
import platform
import tempfile
from pathlib import Path

import five_in_a_row as five
from five_in_a_row.files import replace_file

from experiments import behaviour, store
from experiments.matches import BEGINS, match_name, used
from experiments.registry import STUDIES, load


def settings(table):
    """Return when, with which players and on what a table was made, as a dict of texts."""
    import numba
    import numpy

    return {
        "made": datetime.date.today().isoformat(),
        "engine": table.code(),
        "Python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def make(table, number=None, jobs=2):
    """Make a table of the registry, write results/NAME.csv, pack its games.

    number   of games, or what else it counts; None: the usual one

    A row that has not changed, times included, was not played now: it keeps its day.
    Raises behaviour.StaleError where a player of the table does not play as is stored.
    """
    import pandas as pd

    behaviour.check(*table.kinds)
    rows = table.function(table.number if number is None else number, jobs)
    found = five.strength.with_intervals(pd.DataFrame(list(rows)))
    found = found.drop(columns="verdict", errors="ignore")  # found anew where it is shown
    if table.budget is not None:
        found["budget"] = table.budget
    made = [each for each in found if each.startswith("simulations a move")]
    found = found.astype(dict.fromkeys(made, "Int64")).assign(**settings(table))
    with tempfile.TemporaryDirectory() as apart:
        keep(found, table.name, apart)
        texts = with_days(written(table.name, apart), written(table.name), settings(table))
    keep(texts, table.name, store.RESULTS)
    write_players()
    print(f"wrote {project_path(store.RESULTS / table.name)}.csv", flush=True)
    for each in store.STORES.values():
        each.pack()


def write_players():
    """Write players.json, {table: fingerprint of its players}, beside the tables.

    Notebooks read it, and say of a table whose players have changed since that they have.
    """
    players = {name: table.code() for name, table in load().items()}
    text = json.dumps(players, indent=1)
    replace_file(store.RESULTS / "players.json", f"{text}\n".encode())


def keep(table, name, folder):
    """Write a table to folder/NAME.csv; its first column comes first."""
    five.strength.keep_results(table.set_index(table.columns[0]), name, folder)


def written(name, folder=None):
    """Return the table in folder/NAME.csv, each cell a text; None where there is none."""
    import pandas as pd

    path = Path(folder or store.RESULTS) / f"{name}.csv"
    return pd.read_csv(path, dtype=str, keep_default_na=False) if path.exists() else None


def with_days(now, before, about):
    """Return a table; a row that stood in it before keeps its day, versions and machine."""
    if before is None or set(before) != set(now):
        return now
    about = [each for each in about if each != "engine"]
    same = [each for each in now if each not in about]
    kept = now[same].merge(before.drop_duplicates(same), "left", same)[about]
    return now.assign(**kept.fillna(now[about]))


def project_path(path):
    """Return a path as a reader of the project sees it."""
    home = store.FOLDER.parent
    return path.relative_to(home) if path.is_relative_to(home) else path


# -- counted anew --------------------------------------------------------------------------
def recount():
    """Write what all tables count of their games anew: score, low, high, what a move took.

    What a move took, and how many of the games differ, where the stores hold its matches. It
    asks no function, so tables of earlier players are counted as well.
    """
    packed = {}
    for study in STUDIES:
        packed |= store.store(study).files()
    for path in sorted(store.RESULTS.glob("*.csv")):
        texts = written(path.stem)
        if not {"won", "games", "low"} <= set(texts):
            continue
        try:
            counted = five.strength.read_results(path.stem, store.RESULTS)
        except ValueError as error:
            raise store.StoreError(f"{path.name} is no table of matches: {error}") from None
        texts = texts.assign(**counted[["score", "low", "high"]].map("{:.4g}".format))
        rows = texts.to_dict("records")
        games = [stored_games(packed, path.stem, row) for row in rows]
        keep(with_pairs(with_used(texts, games), games), path.stem, store.RESULTS)
        print(f"counted experiments/results/{path.name} anew", flush=True)


def with_used(texts, games):
    """Return a table with what a move took, in the rows whose games are known."""
    for number, played in enumerate(games):
        took = {} if played is None else used(played, "ms a move a" in texts)
        for name, value in took.items():
            if (
                value is not None
                and name in texts
                and float(texts[name][number] or "nan") != value
            ):
                form = "{:.4g}" if isinstance(value, float) else "{}"
                texts.loc[number, name] = form.format(value)
    return texts


def with_pairs(texts, games):
    """Return a table with its pairs and different games, if all games are known."""
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
    return texts


def stored_games(packed, table, row):
    """Return the games of a row as a table, from {file: content}; None without its file."""
    if not {"a", "b", "board", "engine"} <= set(row):
        return None
    begun = [row["begins"]] if "begins" in row else BEGINS
    named = [f" {row[name]}" for name in ("policy", "budget") if row.get(name)]
    ends = ["".join(named[n:]) for n in range(len(named) + 1)]  # of both players' names
    shape = str(row["board"]).replace("×", "x")
    for end, begins in itertools.product(ends, begun):
        name = match_name(table, row["a"] + end, row["b"] + end, shape, begins)
        if f"{name}-{row['engine']}.csv" in packed:
            said, lines = store.split_match(packed[f"{name}-{row['engine']}.csv"])
            games = csv.DictReader(lines.decode().splitlines())
            games = sorted(games, key=lambda game: int(game["game"]))  # as they were done
            found = five.strength.match_table(games, said)
            return found if len(found) == int(row["games"]) else None
    return None

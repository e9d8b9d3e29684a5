"""Commands that are killed: no file is torn, nothing finished is lost, the next run goes on.

Each run is a process of its own. It kills itself at a file that it opens to write, renames or
deletes, chosen by chance, or within a millisecond of it.
"""

import multiprocessing
import os
import re
import shutil
import signal
import sys
import threading
from collections import Counter
from functools import partial

import build
import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from helpers import contents
from test_export import NAME, project
from tqdm import tqdm

from experiments import connect_four, registry, results, store

WATCHED = {"open", "os.rename", "os.remove", "os.truncate"}
TABLES = registry.load()
SOME = "levels", "slice-fit", "cut"  # matches, a fit, a table of its own


@pytest.fixture(autouse=True)
def quick(apart, monkeypatch):
    """Let the commands play by chance, and compute little else; return where they write."""
    play, chance = five.strength.play_numbered, five.mcts.RandomPlayer()

    def numbered(a, b, *rest):
        number, row = play(chance, chance, *rest)
        same = {"simulations a": 100, "simulations b": 100, "seconds a": 1, "seconds b": 1}
        return number, row | same

    rates = lambda runs, rounds: dict.fromkeys(runs, (1e6, 8.0))  # noqa: E731
    monkeypatch.setattr(five.strength, "play_numbered", numbered)
    monkeypatch.setattr(five.strength, "measure_rates", rates)
    monkeypatch.setattr(connect_four.slice, "FIT_SIMULATIONS", 10)
    return apart


def killed(work, folder, at=None, seed=0):
    """Do work(folder) in a process of its own; return its exit status, -9 or so if killed.

    at   the number of the file event at which it is killed; None: they are counted
    """
    folder.mkdir(exist_ok=True)
    method = multiprocessing.get_context("fork")
    process = method.Process(target=child, args=(work, folder, at, seed))
    process.start()
    process.join()
    return process.exitcode


def child(work, folder, at, seed):
    """Do work(folder), kill this process at an event, or count the events."""
    seen, rng = Counter(), np.random.default_rng(seed)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    tqdm.set_lock(threading.RLock())  # its own is shared with processes that were killed

    def watch(event, arguments):
        if event not in WATCHED or not str(arguments[0]).startswith(str(folder)):
            return
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
            return
        seen["events"] += 1
        if seen["events"] == at:
            if rng.integers(2):
                os.kill(os.getpid(), signal.SIGKILL)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, 1e-3))

    sys.addaudithook(watch)
    status = work(folder)
    if at is None:
        folder.with_suffix(".events").write_text(str(seen["events"]))
    os._exit(status)


def events_of(work, folder):
    """Do work(folder) to its end; return how many file events it has."""
    assert killed(work, folder) == 0
    return int(folder.with_suffix(".events").read_text())


# ---- experiments -------------------------------------------------------------------------


def command(name, folder):
    """Run a command whose results and games are kept in the folder."""
    store.STORES.clear()
    with store.elsewhere(folder, folder / "games"):
        results.make(TABLES[name], 2, 1)
    return 0


def left_behind(folder):
    """Return the temporary files of commands that were killed."""
    return [file for file in contents(folder) if ".tmp" in file.removesuffix(".lock.tmp")]


def finished(folder):
    """Return {file: its whole lines} of the games; an archive that is torn raises."""
    files = {}
    for path in sorted((folder / "games").glob("*")):
        if path.name.endswith(".tar.xz"):
            files |= {name: data.decode() for name, data in store.Store(path).files().items()}
    for path in sorted((folder / "games").glob("*.csv")):
        files[path.name] = files.get(path.name, "") + path.read_text("utf-8")
    return {
        name: {line for line in text.splitlines(keepends=True) if line.endswith("\n")}
        for name, text in files.items()
    }


def table_of(folder, name):
    """Return the table as a text, without times and what was solved in so many seconds."""
    table = pd.read_csv(folder / f"{name}.csv")
    timed = re.compile("ms a move|made$|ms$| s$")
    return table.loc[:, [c for c in table if not timed.search(c)]].to_csv()


@pytest.mark.parametrize("name", SOME)
def test_a_command_that_is_killed_goes_on(name, quick, full):
    work, whole = partial(command, name), quick / "whole"
    assert command(name, quick / "first") == 0  # compiled before it is forked
    events, expected = events_of(work, whole), table_of(whole, name)
    rng = np.random.default_rng([*name.encode()])
    kills, seed, folder = 0, 0, quick / "0"
    while kills < (40 if full else 3):
        seed += 1
        before = finished(folder)
        status = killed(work, folder, int(rng.integers(1, events + 1)), seed)
        after = finished(folder)
        assert all(lines <= after.get(file, set()) for file, lines in before.items())
        if (folder / f"{name}.csv").exists():
            assert table_of(folder, name) == expected
        assert status in (0, -signal.SIGKILL, -signal.SIGALRM)
        kills += status != 0
        for file in folder.glob("games/*.csv"):
            if file.read_bytes().count(b"\n") > 1:  # its head is whole
                with file.open("a") as text:
                    text.write("7,ha")  # a line that was being written
        if status == 0:  # it went on to the end
            folder = quick / str(seed)
    assert killed(work, folder) == 0 and table_of(folder, name) == expected
    assert left_behind(folder) == []


# ---- the build ---------------------------------------------------------------------------


def whole_files(folder):
    """Return {path: bytes} of a folder without the temporary files of what was killed."""
    return {k: v for k, v in contents(folder).items() if not k.endswith(".tmp")}


def full_build(folder):
    """Build the project in a folder, its notebook executed."""
    return build.main(["--full", str(folder / f"{NAME}.ipynb")])


def test_a_build_that_is_killed_leaves_whole_files_and_goes_on(tmp_path, monkeypatch, full):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    path = project(old)
    assert killed(full_build, old) == 0
    path.write_text(path.read_text("utf-8").replace("SIZE = 8", "SIZE = 9"), "utf-8")
    old.joinpath("export", NAME, "game.py").write_text("pass\n")
    shutil.copytree(old, new)
    events = events_of(full_build, new)
    before, after, rng = whole_files(old), whole_files(new), np.random.default_rng(1)
    assert sum(before[file] != after[file] for file in before) >= 3
    for seed in range(40 if full else 2):
        shutil.copytree(old, folder := tmp_path / str(seed))
        status = killed(full_build, folder, int(rng.integers(1, events + 1)), seed)
        assert status in (-signal.SIGKILL, -signal.SIGALRM, 0)
        for file, data in whole_files(folder).items():
            assert data in (before.get(file), after[file]), file
        if full or seed == 0:
            assert killed(full_build, folder) == 0 and whole_files(folder) == after
            assert left_behind(folder) == []

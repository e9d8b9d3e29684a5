"""Compile all that the engine needs for a move, ahead of the first one.

Compiling takes a processor some twenty seconds, once on a machine: what was compiled is kept
on disk, see `cache`. The window, the brain, the command line and the tests all call
`compile_all`, so that nothing is left to be compiled in the middle of a game.
"""

import contextlib
import subprocess
import sys
from pathlib import Path

from filelock import FileLock
from numba.core import event

from . import cache, engine, search, threats
from .game import Game, Rules

SMALL_TREE = 16_000_000  # bytes, more than enough for the few simulations made here
ready = set()  # the games (Kernels) whose parts are all compiled and loaded in this session


class Count(event.Listener):
    """How many of the parts that are needed numba has compiled."""

    def __init__(self, parts, progress):
        self.left, self.total, self.progress = set(parts), len(parts), progress

    def on_start(self, about) -> None:
        """numba begins with a part: nothing is done yet."""

    def on_end(self, about) -> None:
        """One part is compiled; some have forms for several types, the first one counts."""
        self.left.discard(about.data["dispatcher"].py_func)
        self.progress(self.total - len(self.left), self.total)


def entries_of(kernels) -> list:
    """Return the compiled functions that Python calls for the game of these kernels."""
    entries = [search.compiled_search(kernels), search.copy_nodes, search.grow]
    if kernels is engine.engine_game():
        entries += [threats.threats_win, engine.doubt_favourite]
    return entries


def parts_of(kernels) -> set:
    """Return those functions and all that they call, as Python functions."""
    functions = [entry.py_func for entry in entries_of(kernels)]
    return {part for function in functions for part in cache.with_callees(function)}


def play_once(rules: Rules) -> None:
    """Think twice, the second time with the tree of the first: all that thinking needs."""
    game = Game(rules)
    for place in (0, -1, len(game.legal()) // 2):  # one side has two stones: threats are asked
        game.play(game.legal()[place])
    options = search.SearchOptions(memory=SMALL_TREE)
    thought = engine.think(game, simulations=300, options=options)
    for point in thought.line[:2]:  # so that a part of the tree is kept
        game.play(point)
    if not game.over:
        engine.think(game, simulations=1, options=options, tree=thought.tree)


@contextlib.contextmanager
def alone():
    """Meanwhile no other session compiles into the same folder: it waits, and then loads.

    Two that compile side by side would both take as long as one, and twice the work.
    """
    folder = search.grow.stats.cache_path  # where the kernels are kept; None: nowhere
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a disk on which nothing can be locked
            if folder is not None:
                stack.enter_context(FileLock(Path(folder) / "compiling.lock"))
        yield


def compile_apart() -> subprocess.Popen | None:
    """Return a process that compiles the engine; None where there is nothing to do for one.

    In a process of its own it takes nothing from this one. While numba compiles in a thread,
    all other threads may have to wait for some tenths of a second.
    """
    entries = [entry._cache for entry in entries_of(engine.engine_game())]
    if entries[0].cache_path is None or all(entry.is_kept() for entry in entries):
        return None
    command = [sys.executable, str(Path(__file__).parent), "--compile"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    no_window = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # on Windows
    return subprocess.Popen(command, creationflags=no_window, **pipes)


def compile_all(rules: Rules = Rules(), progress=None) -> None:
    """Compile all that `think` needs for a game of these rules, or load what is on disk.

    progress   called with (parts that are compiled, all parts), the last time with both equal
    A board of another size needs nothing more. It holds no lock that Python needs, so other
    threads go on.
    """
    kernels = engine.kernels_for(rules)
    if kernels not in ready:
        parts = parts_of(kernels)
        count = Count(parts, progress or (lambda done, total: None))
        with alone(), event.install_listener("numba:compile", count):
            play_once(rules)
        ready.add(kernels)
        count.progress(count.total, count.total)
    elif progress is not None:
        progress(1, 1)

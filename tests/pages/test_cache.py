"""Compiled code is kept on disk: found again by a new session, and never after an edit."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import threading
import time

import five_in_a_row as five
import pytest

SENTENCE = re.compile(r"five_in_a_row: no cache of compiled code here \(.+\)\n")


def settings(folder, **more):
    """Return the environment of a session that imports from a folder and caches there.

    It hardly optimizes: what is compiled runs for a moment.
    """
    kept = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    kept |= {"PYTHONPATH": str(folder), "NUMBA_OPT": "1"}
    return kept | {k: str(v) for k, v in more.items()}


def copy_package(root, folder):
    """Copy the package without compiled code; return where the copy stands."""
    ignored = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(
        root / "export" / "five_in_a_row", folder / "five_in_a_row", ignore=ignored
    )


# ---- what all kernels share ---------------------------------------------------------------


class Disturbed:
    """A target that cannot be made for some times, as while another thread adds builtins."""

    def __init__(self, times, words):
        self.left, self.words = times, words

    @property
    def target_context(self):
        """Fail, or be made."""
        self.left -= 1
        if self.left >= 0:
            raise RuntimeError(self.words)
        return "made"


def test_a_target_is_made_while_another_thread_adds_builtins(monkeypatch):
    target = Disturbed(3, "dictionary changed size during iteration")
    monkeypatch.setattr(five.cache, "cpu_target", target)
    five.cache.make_target()
    assert target.left == -1
    for times, words in (
        (10**6, "dictionary changed size during iteration"),
        (1, "no target"),
    ):
        monkeypatch.setattr(five.cache, "cpu_target", Disturbed(times, words))
        with pytest.raises(RuntimeError, match=words):
            five.cache.make_target()


def test_two_threads_that_ask_at_once_get_the_same():
    begun = threading.Barrier(2, timeout=60)

    @five.cache.made_once
    def made(number):
        time.sleep(0.05)
        return [number]

    def ask():
        begun.wait()
        return made(3)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        one, other = [each.result() for each in (pool.submit(ask), pool.submit(ask))]
    assert one is other and made(3) is one and made(4) == [4]


# ---- small kernels, for faults ---------------------------------------------------------

STEP = """
from five_in_a_row.cache import inline_kernel


def build_step(wide):
    @inline_kernel
    def step(x):
        return x + (2 if wide else 1)

    return step
"""
TWICE = """
from five_in_a_row.cache import inline_kernel


@inline_kernel
def twice(x):
    '''Return twice a number.'''
    return 2 * x
"""
WALK = """
from five_in_a_row.cache import jit
from step import build_step
from twice import twice


@jit
def double(x):
    '''Return it as well.'''
    return twice(x)


def build_walk(wide):
    step = build_step(wide)

    def walk(x):
        return double(step(x))

    return jit(walk)


walks = {wide: build_walk(wide) for wide in (False, True)}
"""
WALK_REPORT = """
import sys
limit = int(sys.argv[1])
if limit >= 0:  # as on a full disk: no file can grow beyond it
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
import walk
found = [walk.walks[wide](5) for wide in (False, True)]
hits = sum(sum(each.stats.cache_hits.values()) for each in walk.walks.values())
print(*found, hits)
"""


@pytest.fixture
def two_modules(root, tmp_path):
    """Return a folder with modules, one of them made of kernels of the others."""
    return write_modules(root, tmp_path)


def write_modules(root, folder):
    """Write modules, one of them made of kernels of the others; return their folder."""
    (folder / "step.py").write_text(STEP)
    (folder / "twice.py").write_text(TWICE)
    (folder / "walk.py").write_text(WALK)
    copy_package(root, folder)
    return folder


@pytest.fixture
def walked(two_modules):
    """Return a folder with the modules in which a session has compiled them."""
    result_of(start_walk(two_modules))
    return two_modules


def start_walk(folder, limit=-1, **more):
    """Start a session that calls two walks; `limit`: bytes of a file, -1 for no limit."""
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", WALK_REPORT, str(limit)],
        env=settings(folder, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def result_of(process):
    """Return (results of both walks, cache hits, stderr) of a session."""
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    *found, hits = map(int, out.split())
    return found, hits, errors


def test_an_edit_of_a_kernel_in_another_module_is_seen(two_modules):
    assert result_of(start_walk(two_modules)) == ([12, 14], 0, "")
    assert result_of(start_walk(two_modules)) == ([12, 14], 2, "")
    (two_modules / "step.py").write_text(STEP.replace("else 1", "else 10"))
    assert result_of(start_walk(two_modules)) == ([30, 14], 0, "")
    (two_modules / "twice.py").write_text(TWICE.replace("2 *", "3 *"))  # called by its name
    assert result_of(start_walk(two_modules)) == ([45, 21], 0, "")
    kept = sorted(two_modules.glob("__pycache__/*.nbc"))
    assert len(kept) == 3  # double and two walks: what they were before is gone


def test_an_edit_of_prose_compiles_nothing_anew(walked):
    """Every file has another text, other line numbers, another date and another size."""
    for file in walked.rglob("*.py"):
        text = re.sub(r"'''Return", "'''Return,\n    in other words,", file.read_text("utf-8"))
        file.write_text("# a sentence more\n\n" + text, "utf-8")
    assert result_of(start_walk(walked)) == ([12, 14], 2, "")


PARTS = """
import numpy as np
from typing import NamedTuple
from five_in_a_row.cache import inline_kernel, jit
from five_in_a_row import search

class Options(NamedTuple):
    width: float = 0.5

NUMBER, TABLE, PAIR = 7, np.arange(100_000), (1, 2.5)
BOARD = np.dtype([("stones", np.int32, 3)])

@inline_kernel
def deep(x):
    return x + TABLE[50_000] + PAIR[1]

def build(wide, table):
    @inline_kernel
    def inside(x):
        return deep(x) * wide + table[1]
    return inside

inside = build(3, np.array([1, 2]))

@jit
def whole(x, y=1):
    'Return a number.'
    total = NUMBER  # of nothing else
    for i in range(3):
        total += inside(x) + np.int64(i) + search.random_below(x, 2)
    return total - len(BOARD)
"""


def kernel_of(text, folder):
    """Return the function `whole` of a module with that text."""
    space = {"__name__": "parts", "__file__": str(folder / "parts.py")}
    exec(compile(text, space["__file__"], "exec"), space)
    return space["whole"].py_func


@pytest.mark.parametrize(
    "old, new",
    [
        ("np.arange(100_000)", "np.arange(100_000) + (np.arange(100_000) == 50_000)"),
        ("np.int32, 3", "np.int16, 3"),
        ("x + TABLE", "x - TABLE"),
        ("np.array([1, 2])", "np.array([1, 3])"),
        ("y=1", "y=2"),
        ("search.random_below", "search.is_settled"),
    ],
)
def test_whatever_a_kernel_is_made_of_counts(tmp_path, old, new):
    """Its code, that of each kernel it calls, and each value that numba freezes into them."""
    assert old in PARTS
    one, other = (kernel_of(text, tmp_path) for text in (PARTS, PARTS.replace(old, new)))
    assert five.cache.made_from(one) != five.cache.made_from(other)


@pytest.mark.parametrize("thing", ["object()", "five_in_a_row", "np.array([None])"])
def test_a_kernel_made_of_what_no_text_tells_is_not_kept(tmp_path, thing):
    text = PARTS.replace("NUMBER, TABLE", "import five_in_a_row\nNUMBER, TABLE", 1)
    kernel = kernel_of(text.replace("PAIR = 7", f"PAIR = {thing}"), tmp_path)
    with pytest.raises(five.cache.NotKept, match="a kernel uses"):
        five.cache.made_from(kernel)


def test_a_kernel_of_a_live_notebook_is_not_kept():
    space = {"__name__": "__main__"}
    exec(PARTS, space)
    with pytest.raises(five.cache.NotKept):
        five.cache.made_from(space["whole"].py_func)


def test_the_kernels_of_the_package_can_all_be_told():
    """None of them is compiled anew in each session since nobody can tell what it is of."""
    modules = (
        "search threats engine strength connect_grid connect_solver connect_four "
        "connect_poster tic_tac_toe bayes ludo"
    )
    kernels = [
        thing for name in modules.split() for thing in vars(getattr(five, name)).values()
    ]
    kernels = {each for each in kernels if hasattr(each, "py_func")}
    kernels |= {five.search.compiled_search(five.engine.engine_game())}
    kernels |= {five.search.compiled_search(five.search.plain_game())}
    assert len(kernels) > 90
    for kernel in kernels:
        assert re.fullmatch("[0-9a-f]{64}", five.cache.made_from(kernel.py_func))


def test_two_sessions_may_compile_at_once(two_modules):
    both = [start_walk(two_modules) for _ in range(2)]
    for process in both:
        found, _, errors = result_of(process)
        assert (found, errors) == ([12, 14], "")
    result_of(start_walk(two_modules))  # what one of them left out of an index
    assert result_of(start_walk(two_modules)) == ([12, 14], 2, "")


ONE_NUMBER = """
import itertools, sys
import numba.core.bytecode as bytecode
bytecode.FunctionIdentity._unique_ids = itertools.repeat(7)  # the worst case
"""
ONE_WALK = """
import walk
for wide in sys.argv[1:]:
    print(wide, walk.walks[wide == "wide"](5))
"""


def test_what_different_sessions_compiled_does_not_mix(two_modules):
    """numba numbers what a session compiles, so two sessions may give the same number."""

    def found(*names):
        run = subprocess.run(
            [sys.executable, "-c", ONE_NUMBER + ONE_WALK, *names],
            env=settings(two_modules),
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        return run.stdout.splitlines()

    assert found("narrow") == ["narrow 12"] and found("wide") == ["wide 14"]
    assert found("narrow", "wide") == ["narrow 12", "wide 14"]


@pytest.mark.parametrize("length", [40, -100])
def test_a_damaged_cache_is_compiled_anew(walked, length):
    """Truncated, or with one byte of the code changed."""
    for file in walked.glob("__pycache__/*.nbc"):
        data = bytearray(file.read_bytes())
        data[length] ^= 0xFF
        file.write_bytes(data if length < 0 else data[:length])
    found, hits, errors = result_of(start_walk(walked))
    assert (found, hits) == ([12, 14], 0) and SENTENCE.fullmatch(errors)
    assert result_of(start_walk(walked)) == ([12, 14], 2, "")  # it is whole again


@pytest.mark.skipif(sys.platform == "win32", reason="a limit that Windows does not have")
def test_a_full_disk_is_no_error(two_modules):
    found, hits, errors = result_of(start_walk(two_modules, limit=0))
    assert (found, hits) == ([12, 14], 0) and SENTENCE.fullmatch(errors)
    assert result_of(start_walk(two_modules)) == ([12, 14], 0, "")  # nothing half-written


def test_a_folder_that_cannot_be_written_is_no_error(two_modules):
    """Neither beside the module nor at home: numba refuses to cache, the module goes on."""
    (two_modules / "__pycache__").write_text("a file where the folder would be")
    nowhere = two_modules / "nowhere"
    nowhere.write_text("a file where a home would be")
    found, hits, errors = result_of(start_walk(two_modules, HOME=nowhere))
    assert (found, hits) == ([12, 14], 0) and SENTENCE.fullmatch(errors)


def test_without_its_compiler_the_package_says_so(root):
    """A brain ends when it is asked for a move; START was answered before it knew."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    brain = subprocess.Popen(
        [sys.executable, str(root / "export" / "five_in_a_row"), "--gomocup"],
        env=settings(root, NUMBA_DISABLE_JIT=1),
        text=True,
        **pipes,
    )
    brain.stdin.write("START 15\nBEGIN\n")
    brain.stdin.flush()
    assert brain.wait(timeout=120) == 2  # its input is still open
    out, errors = brain.communicate()
    assert out == "OK\n"
    assert re.fullmatch("five_in_a_row: NUMBA_DISABLE_JIT is set, .*\n", errors)

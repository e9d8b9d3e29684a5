"""What several test files need: a clock that a test moves, a board inside a search, files."""

import contextlib
import time
from pathlib import Path
from unittest import mock

import five_in_a_row as five
import pytest


class StepClock:
    """A clock for tests: each look at it is `step` seconds later."""

    def __init__(self, step):
        self.step, self.now = step, 0.0

    def __call__(self):
        self.now += self.step
        return self.now


def only_full(full, wanted=False):
    """Skip a test of a run without --full, but for what is wanted there as well."""
    if not (full or wanted):
        pytest.skip("a count for --full only")


def board_of(game):
    """Return a search record whose board holds the game's position, with its shapes."""
    workspace = five.search.new_search(five.engine.engine_game(), game, 1)
    five.threats.reset_live(workspace)
    return workspace


def contents(folder):
    """Return {relative path: bytes} of every file below a folder."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def wait_for(step, condition, patience):
    """Call step() until the condition holds; fail where it has not by `patience` seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it did not get there"
        step()
        time.sleep(0.005)


@contextlib.contextmanager
def stopped_where_a_file_is_written_anew():
    """A stop after a file has been emptied and before its text is there."""

    def begin(path, *rest):
        path.open("w").close()
        raise OSError("stopped here")

    with mock.patch.multiple(Path, write_text=begin, write_bytes=begin):
        yield

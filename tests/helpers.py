"""What several test files need: a clock that a test moves, a board inside a search, files."""

import contextlib
import time
from pathlib import Path
from unittest import mock

import five_in_a_row as five
import numpy as np
import pytest

PATIENCE = 300  # seconds for one step on a busy machine, compiling included


class StepClock:
    """A clock for tests: each look at it is `step` seconds later."""

    def __init__(self, step):
        self.step, self.now = step, 0.0

    def __call__(self):
        self.now += self.step
        return self.now


class FunctionPlayer:
    """A player that plays what function(game, seed) returns."""

    result = None

    def __init__(self, function):
        self.function, self.name = function, "function"
        self.settings = {"function": function}

    def move(self, game, seed=None):
        return self.function(game, seed)


def found_by(player, game, seed=None):
    """Return the SearchResult behind a player's move."""
    assert player.move(game, seed) == player.result.move
    return player.result


def only_full(full, wanted=False):
    """Skip a test of a run without --full, but for what is wanted there as well."""
    if not (full or wanted):
        pytest.skip("a count for --full only")


def random_position(rules, rng, plies):
    """Return a game some random plies in that is not over."""
    while True:
        game = five.Game(rules)
        for _ in range(plies):
            if not game.over:
                game.play(int(rng.choice(game.legal())))
        if not game.over:
            return game


def board_of(game):
    """Return a search record whose board holds the game's position, with its shapes."""
    workspace = five.search.new_search(five.engine.engine_game(), game, 1)
    five.threats.reset_live(workspace)
    return workspace


def slow_stars(workspace, table):
    """Return u, m summed over each star, and m with its border, by the formula.

    int[rows, size, ...] of the player to move, from line shapes and the rows of `table`.
    """
    board, geo, own = workspace.board, workspace.geo, int(workspace.board.start != 0)
    rows, size, channels = int(geo["rows"]), int(geo["size"]), table.shape[1] // 2
    both = np.zeros((rows + 4, size + 4, 2 * channels), int)
    for point in range(rows * size):
        shapes = int(board.line_shapes[point])
        sides = shapes & 0xFFFF, shapes >> 16
        if shapes in five.threats.TAKEN:
            stone = 0 if shapes == five.threats.TAKEN[own] else 1
            mine = theirs = five.engine.SETS + stone
        else:
            mine, theirs = (int(five.engine.line_sets()[sides[s]]) for s in (own, 1 - own))
        threats = (int(board.point_threat[side, point]) for side in (own, 1 - own))
        pair = next(threats) * 17 + next(threats)
        lines = mine, five.engine.OTHER + theirs, five.engine.PAIR + pair
        row, col = divmod(point, size)
        both[row + 2, col + 2] = sum(table[line] for line in lines)
    itself, told = both[2:-2, 2:-2, :channels], both[..., channels:]
    star = np.array(
        [[1, 0, 1, 0, 1], [0, 1, 1, 1, 0], [1] * 5, [0, 1, 1, 1, 0], [1, 0, 1, 0, 1]]
    )
    views = np.lib.stride_tricks.sliding_window_view(told, (5, 5), (0, 1))
    return itself, np.einsum("rckij,ij->rck", views, star), told


def random_games(rules, count, seed):
    """Yield positions of games of random moves, one after another."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        game = five.game.Game(rules)
        while not game.over:
            game.play(int(rng.choice(five.strength.near_middle(game, 4) or game.legal())))
            yield game


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

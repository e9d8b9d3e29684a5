"""What the two nets share: files of games, the fit to them, the file of the package.

Both are made by `play`, which writes an .npz file of games, and `fit`, which adjusts the
weights to such files by Adam (Kingma and Ba, 2015), with some games kept apart.
"""

import argparse
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from five_in_a_row.engine import OTHER, PAIR, UNIT, UNREADABLE, numbers_digest
from five_in_a_row.files import put_in_place, temporary_file

from experiments.command import check_folder, number, reported, whole

PARTS = 2  # of a batch, worked on at once
SHOWN = 8  # times the loss is printed


class Recipe(NamedTuple):
    """How a net is fitted.

    learn    a kernel: learn(weights, slopes, data, chosen, found, rate, work, back) sets
             found[i] to what the net says at chosen[i]; where rate > 0 it adds to the slopes
    room     room() returns (work, back), the arrays that the kernel works in
    fields   names of the data that it is given
    loss     loss(found, data, chosen) returns the mean loss, in nats
    """

    learn: object
    room: object
    fields: tuple[str, ...]
    loss: object
    apart: int  # one game in so many is not fitted to
    batch: int = 128
    rate: float = 1e-3
    decay: float = 1e-3
    decayed: int = 1  # the first so many arrays of weights shrink by `decay`
    largest: float = math.inf  # number of the tables


# -- files ----------------------------------------------------------------------------------
def write_arrays(path, **arrays):
    """Write a new .npz file, whole or not at all."""
    with temporary_file(Path(path)) as temporary:
        with temporary.open("wb") as file:
            np.savez_compressed(file, **arrays)
        put_in_place(temporary, Path(path))


def read_arrays(path, names):
    """Return {name: array} of a file that play has written; ValueError for any other."""
    Path(path).stat()  # OSError without a file
    try:
        with open(path, "rb") as file, np.load(file) as arrays:
            return {name: arrays[name] for name in names}
    except UNREADABLE:
        raise ValueError(f"{path} is no file from play, or is damaged") from None


def write_numbers(path, made, **arrays):
    """Write whole numbers as engine.read_numbers reads them; `made` says how they came."""
    small = {
        name: array.astype(np.min_scalar_type(-int(np.abs(array).max())))
        for name, array in arrays.items()
    }
    write_arrays(path, made=made, digest=numbers_digest(arrays), **small)


def whole_rows(table, spread_alone=0):
    """Return the tables as whole numbers; ValueError where they do not fit their file.

    No sum of the search may leave sixteen bits, nor `spread_alone` times what a row spreads.
    """
    rows, most = np.round(UNIT * table).astype(np.int32), np.iinfo(np.int16).max
    parts = np.split(np.abs(rows), (OTHER, PAIR))
    center, spread = np.split(sum(part.max(axis=0) for part in parts), 2)
    sums = max((center + 17 * spread).max(), spread_alone * spread.max())
    if max(part.max() for part in parts) >= 0x2000 or sums > most:
        raise ValueError("the weights are too large: fit with more decay")
    return rows


# -- fit ------------------------------------------------------------------------------------
class Adam:
    """Steps down a slope, of the size of `rate` at most (Kingma and Ba, 2015)."""

    def __init__(self, weights):
        self.weights, self.step = weights, 0
        self.first, self.second = ([np.zeros_like(w) for w in weights] for _ in range(2))

    def move(self, slopes, rate):
        """Take one step."""
        self.step += 1
        for w, slope, first, second in zip(
            self.weights, slopes, self.first, self.second, strict=True
        ):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            mean, square = first / (1 - 0.9**self.step), second / (1 - 0.999**self.step)
            w -= rate * mean / (np.sqrt(square) + 1e-8)


def batches(n, epochs, rng, most):
    """Yield (`most` indices or fewer, what is left of the work, 1 to 0), for all passes."""
    size = min(n, most)
    steps = epochs * (n // size)
    for step in range(steps):
        if step % (n // size) == 0:
            order = rng.permutation(n)
        start = step % (n // size) * size
        yield order[start : start + size], 1 - step / steps


def evaluated(recipe, data, weights, chosen, learning=False, pool=map):
    """Return (what the net says at the chosen positions, [slopes of the mean loss])."""
    fields = tuple(data[name] for name in recipe.fields)
    found = np.zeros(len(chosen), np.float32)
    parts = np.array_split(np.arange(len(chosen)), PARTS)
    slopes = [[np.zeros_like(w) for w in weights] for _ in parts]

    def work(part, into):
        here, rate = found[part[0] : part[-1] + 1], learning / len(chosen)
        recipe.learn(
            tuple(weights), tuple(into), fields, chosen[part], here, rate, *recipe.room()
        )

    list(pool(work, parts, slopes))
    return found, [sum(each) for each in zip(*slopes, strict=True)]


def adjust(recipe, data, weights, epochs, seed=0):
    """Fit the weights to the data, in place; return the loss apart, before and after."""
    rng, shown = np.random.default_rng(seed), 1.0
    apart = data["game"] % recipe.apart == 0
    fitted, kept = np.flatnonzero(~apart), np.flatnonzero(apart)
    adam = Adam(weights)
    with ThreadPoolExecutor(PARTS) as pool:

        def loss_apart():
            found = evaluated(recipe, data, weights, kept, pool=pool.map)[0]
            return float(recipe.loss(found, data, kept))

        before = loss_apart()
        for chosen, left in batches(len(fitted), epochs, rng, recipe.batch):
            if left <= shown:
                print(f"{1 - left:.3f} of the work, loss {loss_apart():.4f}", flush=True)
                shown -= 1 / SHOWN
            slopes = evaluated(recipe, data, weights, fitted[chosen], True, pool.map)[1]
            adam.move(slopes, recipe.rate * left)
            for weight in weights[: recipe.decayed]:
                weight *= 1 - recipe.rate * left * recipe.decay
            np.clip(weights[0], -recipe.largest, recipe.largest, out=weights[0])
        return before, loss_apart()


# -- the command ----------------------------------------------------------------------------
def command_line(text, play, fit, minutes, epochs, out, arguments):
    """Run the command line of what plays games and fits to them; return the exit code.

    text                 what the command is for
    play(path, minutes, seed), fit(paths, epochs, out)
    minutes, epochs, out   what they get where nothing is said
    """
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    game = commands.add_parser("play", help="play games and keep their positions")
    game.add_argument("path", type=Path, help="the .npz file to write")
    game.add_argument("--minutes", type=number(0, 1_000_000), default=minutes)
    game.add_argument("--seed", type=whole(0, 2**63 - 1), default=1)
    fitting = commands.add_parser("fit", help="fit to the games of such files")
    fitting.add_argument("paths", nargs="+", type=Path, help=".npz files from play")
    fitting.add_argument("--epochs", type=whole(1, 1_000_000), default=epochs)
    fitting.add_argument("--out", type=Path, default=out, help=f"the file to write ({out})")
    asked = parser.parse_args(arguments)
    if asked.command == "play":
        check_folder(parser, asked.path)
        return reported(play, asked.path, asked.minutes, asked.seed)
    check_folder(parser, asked.out)
    return reported(fit, asked.paths, asked.epochs, asked.out)

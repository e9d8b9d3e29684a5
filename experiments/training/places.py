"""Fit the engine's evaluation by places to its own games: what a position is worth.

    python -m experiments.training.places play one.npz --minutes 30 --seed 1
    python -m experiments.training.places play two.npz --minutes 30 --seed 2
    python -m experiments.training.places fit one.npz two.npz --out places.npz

`play` lets the engine play itself (self_play.py). Positions from a leaf on are kept, with the
result. `fit` adjusts the evaluation to results and values, and writes the file to be put at
export/five_in_a_row/places.npz. Then play again: each generation plays with the evaluation of
the one before, and goes on from its numbers.
"""

import five_in_a_row as five
import numpy as np
from five_in_a_row.cache import HERE
from five_in_a_row.engine import (
    CHANNELS,
    FRACTION,
    HIDDEN,
    NO_PLACES,
    PAIR,
    PAIRS,
    TOP,
    UNIT,
    engine_game,
    read_numbers,
)
from five_in_a_row.threats import apply_live, reset_live

from experiments.command import run
from experiments.training.features import (
    PLACES,
    add_row_slopes,
    add_star,
    count_rows,
    net_kernel,
    place_of,
    sum_rows,
)
from experiments.training.fit import (
    Recipe,
    adjust,
    command_line,
    read_arrays,
    whole_rows,
    write_arrays,
    write_numbers,
)
from experiments.training.self_play import kernel, self_play

MOST = 24  # positions of a game to learn from
RESULT = 0.8  # how much the result counts beside the value of the search
EPOCHS = 4
LIMIT = np.float32(TOP / UNIT)
HAS_PLACES = bool(five.engine.PLACES.any())  # of an earlier generation


# -- play -----------------------------------------------------------------------------------
def play(path, minutes, seed):
    """Play for that long and write the games to a new .npz file."""
    games = []
    for _, size, _, _, kept, plies, result, moves, values in self_play(minutes, seed):
        played = moves.astype(np.int16), values[kept:plies].astype(np.float16)
        games.append((size, kept, plies, result, *played))
    sizes, starts, plies, results, moves, values = zip(*games, strict=True)
    kept = {"size": sizes, "start": starts, "plies": plies, "result": results}
    kept = {name: np.array(numbers, np.int16) for name, numbers in kept.items()}
    write_arrays(path, moves=np.concatenate(moves), values=np.concatenate(values), **kept)
    print(f"{len(games):,} games, {sum(map(len, values)):,} positions in {path}")


# -- read -----------------------------------------------------------------------------------
@kernel
def shapes_at(workspace, moves, wanted, shapes):
    """Play moves from the root; copy the line shapes of the wanted plies to `shapes`."""
    reset_live(workspace)
    for ply in range(moves.size + 1):
        for i in range(wanted.size):
            if wanted[i] == ply:
                shapes[i] = workspace.board.line_shapes[: workspace.geo.points]
        if ply < moves.size:
            apply_live(workspace, np.int64(moves[ply]))


def positions_of(path, rng):
    """Yield (size, plies, shapes, values and result for black) of each game in a file."""
    kept = read_arrays(path, ("moves", "values", "size", "start", "plies", "result"))
    starts, plies = (kept[name].astype(int) for name in ("start", "plies"))
    moves = np.split(kept["moves"], np.cumsum(plies)[:-1])
    values = np.split(kept["values"], np.cumsum(plies - starts)[:-1])
    spaces = {}
    for i, size in enumerate(kept["size"].tolist()):
        if size not in spaces:
            game = five.game.Game(five.game.Rules(size))
            spaces[size] = five.search.new_search(engine_game(), game, 1)
        later = rng.permutation(plies[i] - starts[i] - 1)[: MOST - 1] + 1
        wanted = np.sort(np.append(later, 0))  # the leaf, and some after it
        shapes = np.zeros((len(wanted), size * size), np.uint32)
        shapes_at(spaces[size], moves[i], starts[i] + wanted, shapes)
        yield size, starts[i] + wanted, shapes, values[i][wanted], int(kept["result"][i])


def read(paths, seed=0):
    """Return {name: array} of positions, one after another.

    shapes   uint32[...]: of all points; those of position i begin at `at[i]`
    size     points a side; own: 0 black or 1 white is to move; game: a number
    target   float32: the mover's reward to learn, 0 to 1; result: of the game
    """
    rng, parts, game = np.random.default_rng(seed), [], 0
    for path in paths:
        for size, plies, shapes, values, result in positions_of(path, rng):
            own, games = plies % 2, np.full(len(plies), game)
            sign = 1 - 2 * own
            won, value = (1 + sign * result) / 2, (1 + sign * values.astype(float)) / 2
            value = np.where(np.isnan(value), won, value)
            target = RESULT * won + (1 - RESULT) * value
            parts.append((shapes.ravel(), np.full(len(plies), size), own, games, target, won))
            game += 1
    columns = [np.concatenate(part) for part in zip(*parts, strict=True)]
    names = "shapes", "size", "own", "game", "target", "result"
    data = dict(zip(names, columns, strict=True))
    return data | {"at": np.append(0, np.cumsum(data["size"] ** 2))}


# -- fit ------------------------------------------------------------------------------------
@net_kernel
def forward(weights, shapes, size, own, work):
    """Return the logit of the mover's reward.

    weights   the tables float32[PAIR + PAIRS, 2 * CHANNELS], the net, the answer
    work      index[PLACES, 3] of the rows; center, spread [PLACES, CHANNELS]; totals; hidden
    """
    (table, net, answer), (index, center, spread, totals, hidden) = weights, work
    totals[:] = 0
    sum_rows(table, shapes, size, own, index, center, spread)
    for point in range(size * size):
        i = place_of(point, size)
        add_star(center[i], spread, i, size + 4)
        for k in range(CHANNELS):
            totals[CHANNELS + k] += spread[i, k]
            totals[k] += min(max(center[i, k], np.float32(0)), LIMIT)
    logit = answer[HIDDEN]
    for j in range(HIDDEN):
        hidden[j] = net[2 * CHANNELS, j]
        for k in range(2 * CHANNELS):
            hidden[j] += net[k, j] * totals[k] / 16
        logit += max(hidden[j], np.float32(0)) * answer[j]
    return logit


@net_kernel
def backward(weights, slopes, error, size, work, back):
    """Add a position's gradient to the slopes; error: the slope by its logit."""
    (_, net, answer), (to_table, to_net, to_answer) = weights, slopes
    index, center, _, totals, hidden = work
    to_center, to_totals = back
    to_totals[:], to_center[: (size + 4) * (size + 4)] = 0, 0
    to_answer[HIDDEN] += error
    for j in range(HIDDEN):
        to_answer[j] += error * max(hidden[j], np.float32(0))
        if hidden[j] > 0:
            slope = error * answer[j]
            to_net[2 * CHANNELS, j] += slope
            for k in range(2 * CHANNELS):
                to_net[k, j] += slope * totals[k] / 16
                to_totals[k] += slope * net[k, j] / 16
    for point in range(size * size):
        i = place_of(point, size)
        for k in range(CHANNELS):
            if 0 < center[i, k] < LIMIT:
                to_center[i, k] = to_totals[k]
    add_row_slopes(to_table, size, index, to_center, to_totals[CHANNELS:])


@net_kernel
def learn(weights, slopes, data, chosen, found, rate, work, back):
    """Set found[i] to the expected reward of position chosen[i]; rate > 0: add to slopes."""
    shapes, at, size, own, target = data
    for i in range(chosen.size):
        position = chosen[i]
        mine, side = shapes[at[position] : at[position + 1]], np.int64(size[position])
        logit = forward(weights, mine, side, own[position], work)
        found[i] = np.float32(1) / (np.float32(1) + np.exp(-logit))
        if rate > 0:
            error = np.float32(rate) * (found[i] - target[position])
            backward(weights, slopes, error, side, work, back)


def room():
    """Return (work, back) of `forward` and `backward`."""
    points, both = (PLACES, CHANNELS), 2 * CHANNELS
    center, spread, to_center, totals, to_totals, hidden = (
        np.zeros(shape, np.float32) for shape in (points, points, points, both, both, HIDDEN)
    )
    index = np.zeros((PLACES, 3), np.int64)
    return (index, center, spread, totals, hidden), (to_center, to_totals)


def cross_entropy(predicted, target):
    """Return the mean cross entropy, in nats."""
    predicted = np.clip(predicted, 1e-4, 1 - 1e-4)
    gain = target * np.log(predicted) + (1 - target) * np.log(1 - predicted)
    return float(-gain.mean())


RECIPE = Recipe(
    learn,
    room,
    ("shapes", "at", "size", "own", "target"),
    lambda found, data, chosen: cross_entropy(found, data["result"][chosen]),
    apart=50,
    rate=5e-3,
    decayed=2,
    largest=4,  # no sum of the search may leave sixteen bits
)


def new_weights(rng, data):
    """Return the weights [tables, net, answer] of the first generation before its first step.

    Rows that no position asks for are 0, and stay so.
    """
    shapes = (PAIR + PAIRS, 2 * CHANNELS), (2 * CHANNELS + 1, HIDDEN), HIDDEN + 1
    sizes = 0.1, 1 / np.sqrt(2 * CHANNELS), 0.1
    weights = [
        (size * rng.standard_normal(shape)).astype(np.float32)
        for size, shape in zip(sizes, shapes, strict=True)
    ]
    weights[0][count_rows(data["shapes"], data["at"], data["own"]) == 0] = 0
    weights[1][-1], weights[2][-1] = 0, 0
    return weights


def read_weights(path):
    """Return the weights in a file of the package."""
    parts = read_numbers(path, **NO_PLACES)
    units = UNIT, FRACTION, FRACTION
    return [(part / unit).astype(np.float32) for part, unit in zip(parts, units, strict=True)]


def whole_numbers(weights):
    """Return the arrays of a file of the package; ValueError where they do not fit it."""
    net, answer = (np.round(FRACTION * part).astype(np.int32) for part in weights[1:])
    return {"rows": whole_rows(weights[0], 20), "net": net, "answer": answer}


def fit_files(paths, epochs, out):
    """Fit to the files, and write the evaluation; it goes on from the package's, if any."""
    data, known = read(paths), HERE / "places.npz"
    if HAS_PLACES:
        weights = read_weights(known)
        before = f" It went on from the numbers of {read_arrays(known, ['made'])['made']}"
    else:
        weights, before = new_weights(np.random.default_rng(0), data), ""
    _, least = adjust(RECIPE, data, weights, epochs)
    made = (
        f"{int(data['game'][-1]) + 1:,} games of the engine with itself, "
        f"{len(data['own']):,} positions, python -m experiments.training.places, {epochs} "
        f"passes, seed 0. Loss of the results of games kept apart {least:.3f}, of a constant "
        f"0.693.{before}"
    )
    write_numbers(out, made, **whole_numbers(weights))
    print(made)


def main(arguments=None):
    """Run the command line; return the exit code."""
    return command_line(__doc__, play, fit_files, 30, EPOCHS, "places.npz", arguments)


if __name__ == "__main__":
    run(main)

"""Fit the engine's evaluation by places to its own games: what a position is worth.

    python -m experiments.places play one.npz --minutes 30 --seed 1
    python -m experiments.places play two.npz --minutes 30 --seed 2
    python -m experiments.places fit one.npz two.npz --out places.json

`play` lets the engine play itself, one game after another, with few simulations a move. At
some move it leaves the game for a leaf of the search's tree and plays on from there: positions
from the leaf on are kept, with the result. At leaves the engine asks, and most leaves come
after moves that no search would play. `fit` adjusts the evaluation to results and values, and
writes the file to be put at export/five_in_a_row/places.json. Then play again: each generation
plays with the evaluation of the one before, and goes on from its numbers.
"""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import five_in_a_row as five
import numpy as np
from five_in_a_row.cache import HERE
from five_in_a_row.engine import (
    CHANNELS,
    FRACTION,
    HAS_PLACES,
    HIDDEN,
    NO_PLACES,
    OTHER,
    PAIR,
    PAIRS,
    TOP,
    UNIT,
    engine_game,
    numbers_text,
    pair_of,
    read_numbers,
    table_rows,
)
from five_in_a_row.files import replace_file
from five_in_a_row.search import LOST, WON, colour_to_move, random_below
from five_in_a_row.threats import (
    LOW,
    POINT_THREAT,
    T_DEAD,
    T_FIVE,
    TAKEN,
    apply_live,
    find_point_threat,
    reset_live,
    threats_win,
)
from numba import njit

from experiments.command import run
from experiments.fit import Adam, batches, command_line, loss, read_arrays, write_arrays

SIZES = (8, 9, 10, 11, 12, 13, 14, *[15] * 8, 17, 19, 20)  # boards are drawn from these
SIMULATIONS = 80  # a move
LOOK = 200  # positions to look at for a win by threats, before each move
BY_VISITS, STRAY = 8, 3  # first moves that are drawn by visits; of a hundred later ones
MOST = 24  # positions of a game to learn from
LEAST = 100  # games of a file
RESULT = 0.8  # how much the result counts beside the value of the search
EPOCHS, BATCH, RATE, DECAY = 4, 128, 5e-3, 1e-3
LARGEST = 4  # number of a table: no sum of the search may leave sixteen bits
PARTS = 2  # of a batch, worked on at once
LIMIT = np.float32(TOP / UNIT)
search = five.search.compiled_search(engine_game())


def kernel(function):
    """Return a function compiled when first called."""
    return njit(nogil=True, error_model="numpy", fastmath=True)(function)


# -- play -----------------------------------------------------------------------------------
@kernel
def play_on(workspace, tree, point):
    """Play a move at the root, and begin a tree there."""
    reset_live(workspace)
    apply_live(workspace, point)
    root, board = workspace.root, workspace.board
    root.stones[:], root.lines[:] = board.stones, board.lines
    root.line_shapes[:], root.point_threat[:] = board.line_shapes, board.point_threat
    root.count[:], root.hash = board.count, board.hash
    root.start, root.empty = board.start, board.empty
    begin(workspace, tree)


@kernel
def begin(workspace, tree):
    """Forget the tree."""
    workspace.free_list[:] = 0
    workspace.free_list[0] = 1
    workspace.begun = workspace.full = workspace.complete = 0
    root = tree[0]
    root.first_child = root.N = root.W64 = root.num_children = root.num_visited = 0
    root.status = 0


@kernel
def drawn(workspace, tree, node, stop):
    """Return a child that is not decided, by visits; `stop` more visits count for none: 0."""
    first, total = np.int64(tree[node].first_child), np.int64(stop)
    last = first + tree[node].num_visited
    for child in range(first, last):
        total += tree[child].N * (tree[child].status < LOST)
    left = random_below(workspace, total) - stop if total > 0 else np.int64(-1)
    for child in range(first, last):
        if left < 0:
            break
        left -= tree[child].N * (tree[child].status < LOST)
        if left < 0:
            return np.int64(child)
    return np.int64(0)


@kernel
def most_visited(tree):
    """Return the root's child with the most visits that is not lost."""
    best, first = np.int64(0), np.int64(tree[0].first_child)
    for child in range(first, first + tree[0].num_visited):
        if tree[child].status != LOST and (best == 0 or tree[child].N > tree[best].N):
            best = np.int64(child)
    return best


@kernel
def result_of(workspace):
    """Return (True, +1, 0 or -1 for black) where a position is decided before any search."""
    board, own = workspace.board, colour_to_move(workspace) - 1
    mover, mine, theirs = 1 - 2 * own, board.count[own], board.count[1 - own]
    if mine[T_DEAD] == board.empty and theirs[T_DEAD] == board.empty:
        return True, 0
    if mine[T_FIVE] > 0:
        return True, mover
    if theirs[T_FIVE] > 1:
        return True, -mover
    if theirs[T_FIVE] == 0 and threats_win(workspace, own + 1, LOOK):
        return True, mover
    return False, 0


@kernel
def play_game(workspace, tree, options, opening, leave, moves, values):
    """Play a game; return (plies, the first that is kept or -1, the result for black).

    leave    after how many moves of its own it goes to a leaf
    moves    int64[400]: the points that were played
    values   float64[400]: of each ply, black's value in the search, or nan without one
    """
    begin(workspace, tree)
    for ply in range(opening.size):
        play_on(workspace, tree, opening[ply])
        moves[ply] = opening[ply]
    ply, kept, by_visits = opening.size, -1, opening.size + BY_VISITS
    leave += ply
    while True:
        reset_live(workspace)
        values[ply] = np.nan
        over, result = result_of(workspace)
        if over:
            return ply, kept, result
        own = colour_to_move(workspace) - 1
        if workspace.board.count[1 - own, T_FIVE] > 0:
            moves[ply] = find_point_threat(workspace, 1 - own, T_FIVE, 0)
            play_on(workspace, tree, moves[ply])
            ply += 1
            continue
        search(workspace, tree, options, SIMULATIONS)
        root, mover = tree[0], 1 - 2 * own
        if root.status >= LOST:
            return ply, kept, mover * ((root.status == LOST) - (root.status == WON))
        values[ply] = mover * (1 - root.W64 / 32 / root.N)
        if kept < 0 and ply >= leave:
            node, end = drawn(workspace, tree, np.int64(0), 0), ply
            while node > 0:
                moves[end] = tree[node].move
                end, node = end + 1, drawn(workspace, tree, node, 1)
            for step in range(ply, end):
                play_on(workspace, tree, moves[step])
            ply = kept = end
            by_visits = end + 2
            continue
        child = np.int64(0)
        if ply < by_visits or random_below(workspace, 100) < STRAY:
            child = drawn(workspace, tree, np.int64(0), 0)
        if child == 0:
            child = most_visited(tree)
        if child == 0:  # all that was tried is lost
            return ply, kept, -mover
        moves[ply] = tree[child].move
        play_on(workspace, tree, moves[ply])
        ply += 1


def opening(rng, size):
    """Return int64[n]: one to seven different points of a square, most near the middle."""
    reach, count = int(rng.integers(1, 5)), int(rng.integers(1, 8))
    middle = size // 2 + rng.integers(-1, 2, 2)
    if rng.random() < 0.25:
        middle = rng.integers(2, size - 2, 2)
    rows, cols = (
        np.arange(max(0, at - reach), min(size, at + reach + 1)) for at in middle.tolist()
    )
    return rng.permutation((rows[:, None] * size + cols).ravel())[:count]


def self_play(minutes, seed):
    """Play for that long, LEAST games or more; yield what is known of each game.

    Yields (rng, size, its workspace, the record of its empty board, the first ply that is
    kept, plies, result, moves, values); see play_game.
    """
    rng, until = np.random.default_rng(seed), time.monotonic() + 60 * minutes
    options = five.search.check_options(five.search.SearchOptions())
    spaces = {}
    for size in set(SIZES):
        game = five.game.Game(five.game.Rules(size))
        workspace = five.search.new_search(engine_game(), game, 100 * seed + size)
        spaces[size] = workspace, workspace["root"].copy()
    tree = five.search.empty_tree(60 * SIMULATIONS)
    moves, values, count = np.zeros(401, np.int64), np.zeros(401), 0
    while count < LEAST or time.monotonic() < until:
        size = int(rng.choice(SIZES))
        workspace, empty = spaces[size]
        workspace["root"] = empty
        leave = int(rng.integers(0, 26 if size > 9 else 12))
        start = opening(rng, size)
        plies, kept, result = play_game(workspace, tree, options, start, leave, moves, values)
        if 0 <= kept < plies:
            yield rng, size, workspace, empty, kept, plies, result, moves[:plies], values
            count += 1


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
@kernel
def pair_at(shapes, own):
    """Return the pair of point threats of a point, from its line shapes."""
    if shapes >= TAKEN[0]:
        return np.int64(PAIRS - 1)
    black, white = POINT_THREAT[shapes & LOW], POINT_THREAT[shapes >> np.uint32(16)]
    return pair_of(black, white) if own == 0 else pair_of(white, black)


@kernel
def met(shapes, at, own):
    """Return how often positions ask for each row of the tables."""
    found = np.zeros(PAIR + PAIRS, np.int64)
    for i in range(own.size):
        for point in range(at[i], at[i + 1]):
            for row in table_rows(shapes[point], own[i], pair_at(shapes[point], own[i])):
                found[row] += 1
    return found


@kernel
def place_of(point, size):
    """Return the number of a point where two empty points lie around the board."""
    return point + 4 * (point // size) + 2 * size + 10


@kernel
def add_star(totals, numbers, i, wide):
    """Add the numbers of the star of i to the totals; a line of the board is `wide`."""
    for k in range(totals.size):
        totals[k] += numbers[i, k]
    for step in (1, wide - 1, wide, wide + 1):
        for j in (i - 2 * step, i - step, i + step, i + 2 * step):
            for k in range(totals.size):
                totals[k] += numbers[j, k]


@kernel
def forward(weights, shapes, size, own, work):
    """Return the logit of the mover's reward.

    weights   the tables float32[PAIR + PAIRS, 2 * CHANNELS], the net, the answer
    work      index[576, 3] of the rows; told, feature [576, CHANNELS]; totals; hidden
    """
    (table, net, answer), (index, told, feature, totals, hidden) = weights, work
    wide = size + 4
    totals[:], told[: wide * wide] = 0, 0
    for point in range(size * size):
        i = place_of(point, size)
        index[i] = table_rows(shapes[point], own, pair_at(shapes[point], own))
        one, two, three = index[i]
        for k in range(CHANNELS):
            feature[i, k] = table[one, k] + table[two, k] + table[three, k]
            j = CHANNELS + k
            told[i, k] = table[one, j] + table[two, j] + table[three, j]
            totals[j] += told[i, k]
    for point in range(size * size):
        i = place_of(point, size)
        add_star(feature[i], told, i, wide)
        for k in range(CHANNELS):
            totals[k] += min(max(feature[i, k], np.float32(0)), LIMIT)
    logit = answer[HIDDEN]
    for j in range(HIDDEN):
        hidden[j] = net[2 * CHANNELS, j]
        for k in range(2 * CHANNELS):
            hidden[j] += net[k, j] * totals[k] / 16
        logit += max(hidden[j], np.float32(0)) * answer[j]
    return logit


@kernel
def backward(weights, slopes, error, size, work, back):
    """Add a position's gradient to the slopes; error: the slope by its logit."""
    (_, net, answer), (to_table, to_net, to_answer) = weights, slopes
    index, _, feature, totals, hidden = work
    to_feature, to_star, to_totals = back
    wide = size + 4
    to_totals[:], to_feature[: wide * wide] = 0, 0
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
            if 0 < feature[i, k] < LIMIT:
                to_feature[i, k] = to_totals[k]
    for point in range(size * size):
        i = place_of(point, size)
        to_star[:] = to_totals[CHANNELS:]
        add_star(to_star, to_feature, i, wide)
        for row in index[i]:
            for k in range(CHANNELS):
                to_table[row, k] += to_feature[i, k]
                to_table[row, CHANNELS + k] += to_star[k]


@kernel
def learn(weights, slopes, shapes, at, size, own, target, chosen, found, rate, work, back):
    """Set found[i] to the expected reward of position chosen[i]; rate > 0: add to slopes."""
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
    points, both = (24 * 24, CHANNELS), 2 * CHANNELS
    told, feature, to_feature, to_star, totals, to_totals, hidden = (
        np.zeros(shape, np.float32)
        for shape in (points, points, points, CHANNELS, both, both, HIDDEN)
    )
    work = np.zeros((24 * 24, 3), np.int64), told, feature, totals, hidden
    return work, (to_feature, to_star, to_totals)


def in_parts(learn, room, fields, weights, chosen, learning, pool):
    """Return (what a kernel finds at the chosen positions, [slopes of its mean])."""
    found = np.zeros(len(chosen), np.float32)
    parts = np.array_split(np.arange(len(chosen)), PARTS)
    slopes = [[np.zeros_like(w) for w in weights] for _ in parts]

    def work(part, into):
        here, rate = found[part[0] : part[-1] + 1], learning / len(chosen)
        learn(tuple(weights), tuple(into), *fields, chosen[part], here, rate, *room())

    list(pool(work, parts, slopes))
    return found, [sum(each) for each in zip(*slopes, strict=True)]


def asked(data, weights, chosen, learning=False, pool=map):
    """Return (expected rewards of the chosen positions, [slopes of the mean loss])."""
    fields = [data[name] for name in ("shapes", "at", "size", "own", "target")]
    return in_parts(learn, room, fields, weights, chosen, learning, pool)


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
    weights[0][met(data["shapes"], data["at"], data["own"]) == 0] = 0
    weights[1][-1], weights[2][-1] = 0, 0
    return weights


def read_weights(path):
    """Return the weights in a file of the package."""
    parts = read_numbers(path, **NO_PLACES)
    units = UNIT, FRACTION, FRACTION
    return [(part / unit).astype(np.float32) for part, unit in zip(parts, units, strict=True)]


def fit(data, weights, epochs, seed=0):
    """Adjust the weights; return the loss of the results of games that were kept apart."""
    rng, shown = np.random.default_rng(seed), 1.0
    apart = data["game"] % 50 == 0  # one game in fifty is not fitted to
    seen, rest = np.flatnonzero(~apart), np.flatnonzero(apart)
    adam = Adam(weights)
    with ThreadPoolExecutor(PARTS) as pool:

        def loss_apart():
            found = asked(data, weights, rest, pool=pool.map)[0]
            return loss(found, data["result"][rest])

        for chosen, left in batches(len(seen), epochs, rng, BATCH):
            if left <= shown:
                print(f"{1 - left:.3f} of the work, loss {loss_apart():.4f}", flush=True)
                shown -= 1 / 8
            adam.move(asked(data, weights, seen[chosen], True, pool.map)[1], RATE * left)
            for weight in weights[:2]:
                weight *= 1 - RATE * left * DECAY
            np.clip(weights[0], -LARGEST, LARGEST, out=weights[0])
        return loss_apart()


def whole_rows(table, told_alone=0):
    """Return the tables as whole numbers; ValueError where they do not fit their file.

    No sum of the search may leave sixteen bits, nor `told_alone` times a row's second half.
    """
    rows, most = np.round(UNIT * table).astype(np.int32), np.iinfo(np.int16).max
    parts = np.split(np.abs(rows), (OTHER, PAIR))
    itself, told = np.split(sum(part.max(axis=0) for part in parts), 2)
    sums = max((itself + 17 * told).max(), told_alone * told.max())
    if max(part.max() for part in parts) >= 0x2000 or sums > most:
        raise ValueError("the weights are too large: fit with more decay")
    return rows


def whole_numbers(weights):
    """Return the arrays of a file of the package; ValueError where they do not fit it."""
    net, answer = (np.round(FRACTION * part).astype(np.int32) for part in weights[1:])
    return {"rows": whole_rows(weights[0], 20), "net": net, "answer": answer}


def fit_files(paths, epochs, out):
    """Fit to the files, and write the evaluation; it goes on from the package's, if any."""
    data, known = read(paths), HERE / "places.json"
    if HAS_PLACES:
        weights = read_weights(known)
        before = json.loads(known.read_text("utf-8"))["made"]
        before = f" It went on from the numbers of {before}"
    else:
        weights, before = new_weights(np.random.default_rng(0), data), ""
    least = fit(data, weights, epochs)
    made = (
        f"{int(data['game'][-1]) + 1:,} games of the engine with itself, "
        f"{len(data['own']):,} positions, python -m experiments.places, {epochs} passes, seed "
        f"0. Loss of the results of games kept apart {least:.3f}, of a constant 0.693.{before}"
    )
    replace_file(Path(out), numbers_text(made, **whole_numbers(weights)).encode())
    print(made)


def main(arguments=None):
    """Run the command line; return the exit code."""
    return command_line(__doc__, play, fit_files, 30, EPOCHS, "places.json", arguments)


if __name__ == "__main__":
    run(main)

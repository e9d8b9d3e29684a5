"""Fit the engine's policy by places, which moves to look at first, to its own searches.

    python -m experiments.training.policy play one.npz --minutes 15 --seed 1
    python -m experiments.training.policy play two.npz --minutes 15 --seed 2
    python -m experiments.training.policy fit one.npz two.npz --out policy.npz

`play` lets the engine play itself (self_play.py). From each game it takes a few positions, and
from most of them a leaf of a short search's tree: there the engine asks for moves. Each gets a
search of its own, and where the visits went is what there is to learn. `fit` adjusts the
policy to the visits, and writes the file to be put at export/five_in_a_row/policy.npz.
"""

import five_in_a_row as five
import numpy as np
from five_in_a_row.engine import (
    CONTEXTS,
    PAIR,
    PAIRS,
    POLICY_CHANNELS,
    TOP,
    UNIT,
    context_of,
    list_forced,
)
from five_in_a_row.search import DRAWN, LOST, WON, colour_to_move
from five_in_a_row.threats import T_FIVE, reset_live

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
from experiments.training.self_play import (
    begin,
    drawn,
    kernel,
    play_on,
    result_of,
    search,
    self_play,
)

FROM_GAME = 24  # positions
AT_LEAVES = 0.75  # of the positions; the others are of the game itself
BEFORE, SIMULATIONS = 80, 400  # of the search that leads to a leaf, and of a position's own
EPOCHS = 6
LIMIT = np.float32(TOP / UNIT)
SIGNS = np.repeat(
    [np.float32(1), np.float32(-1)], POLICY_CHANNELS // 2
)  # for a move, against it


# -- play -----------------------------------------------------------------------------------
@kernel
def is_asked(workspace):
    """True if the engine asks the policy: no five is near, and no short win by threats."""
    reset_live(workspace)
    own = colour_to_move(workspace) - 1
    return not result_of(workspace)[0] and workspace.board.count[1 - own, T_FIVE] == 0


@kernel
def visits_at(workspace, tree, options, leaves, played, visits):
    """Search the position at the root, or a leaf of its tree; return how many moves count.

    leaves   whether to go to a leaf
    played   int64[400]: the moves; visits: of each, 1 for moves that win at once
    0: the policy is not asked there, or nothing is left to choose.
    """
    begin(workspace, tree)
    if not is_asked(workspace):
        return 0
    if leaves:
        search(workspace, tree, options, BEFORE)
        node, depth = drawn(workspace, tree, np.int64(0), 0), 0
        while node > 0:
            played[depth] = tree[node].move
            node, depth = drawn(workspace, tree, node, 1), depth + 1
        for i in range(depth):
            play_on(workspace, tree, played[i])
        if depth == 0 or not is_asked(workspace):
            return 0
    search(workspace, tree, options, SIMULATIONS)
    status, first = tree[0].status, np.int64(tree[0].first_child)
    reset_live(workspace)
    forced = list_forced(workspace, colour_to_move(workspace), options.vcf_nodes) > 0
    if status == LOST or status == DRAWN or forced:
        return 0
    children, wins, found = range(first, first + tree[0].num_visited), False, 0
    for child in children:
        wins = wins or tree[child].status == WON
    for child in children:
        if tree[child].status != LOST and (tree[child].status == WON or not wins):
            played[found] = tree[child].move
            visits[found] = 1 if wins else tree[child].N
            found += 1
    return found


NUMBERS = ("size", "own", "game", "context", "found")  # of each position
FIELDS = ("shapes", "moves", "visits", *NUMBERS)


def play(path, minutes, seed):
    """Play for that long and write the positions to a new .npz file."""
    options = five.search.check_options(five.search.SearchOptions())
    tree = five.search.empty_tree(60 * SIMULATIONS)
    played, visits, rows, games = np.zeros(400, np.int64), np.zeros(400, np.int64), [], 0
    for rng, size, workspace, empty, _, plies, _, moves, _ in self_play(minutes, seed):
        for ply in rng.integers(min(3, plies - 1), plies, FROM_GAME).tolist():
            workspace["root"] = empty
            for move in moves[:ply]:
                play_on(workspace, tree, move)
            leaves = bool(rng.random() < AT_LEAVES)
            if found := visits_at(workspace, tree, options, leaves, played, visits):
                own = int(colour_to_move(workspace)) - 1
                row = size, own, games, int(context_of(workspace["board"], own)), found
                shapes = workspace["board"]["line_shapes"][: size * size]
                rows.append((row, shapes.copy(), played[:found].copy(), visits[:found].copy()))
        games += 1
    numbers, shapes, moves, counts = zip(*rows, strict=True)
    write_arrays(
        path,
        shapes=np.concatenate(shapes),
        moves=np.concatenate(moves).astype(np.int16),
        visits=np.concatenate(counts).astype(np.int32),
        **dict(zip(NUMBERS, np.array(numbers, np.int32).T, strict=True)),
    )
    print(f"{games:,} games, {len(rows):,} positions in {path}")


# -- read -----------------------------------------------------------------------------------
def read(paths):
    """Return {name: array} of positions, one after another.

    shapes   uint32[...]: of all points; those of position i begin at `at[i]`
    moves, visits   those of position i begin at `of[i]`
    size     points a side; own: 0 black or 1 white is to move; game: a number
    context  see engine.context_of
    """
    parts, games = [], 0
    for path in paths:
        part = read_arrays(path, FIELDS)
        part["game"] += games
        games = int(part["game"].max()) + 1
        parts.append(part)
    data = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    data["at"] = np.append(0, np.cumsum(data["size"].astype(np.int64) ** 2))
    data["of"] = np.append(0, np.cumsum(data["found"].astype(np.int64)))
    return data


# -- fit ------------------------------------------------------------------------------------
@net_kernel
def forward(weights, shapes, size, own, context, work):
    """Set shares[:size * size] to the share of the visits that each point is to get.

    weights   the tables float32[PAIR + PAIRS, 2 * POLICY_CHANNELS]; logits[CONTEXTS, PAIRS]
    work      index[PLACES, 3] of the rows; center, spread float32[PLACES, POLICY_CHANNELS];
              shares[400]
    """
    (table, logits), (index, center, spread, shares) = weights, work
    most, total = np.float32(-1e9), np.float32(0)
    sum_rows(table, shapes, size, own, index, center, spread)
    for point in range(size * size):
        i = place_of(point, size)
        pair = index[i, 2] - PAIR
        shares[point] = -1e9
        if pair < PAIRS - 1:  # no stone
            add_star(center[i], spread, i, size + 4)
            shares[point] = logits[context, pair]
            for k in range(POLICY_CHANNELS):
                shares[point] += SIGNS[k] * min(max(center[i, k], np.float32(0)), LIMIT)
            most = max(most, shares[point])
    for point in range(size * size):
        shares[point] = np.exp(shares[point] - most)
        total += shares[point]
    for point in range(size * size):
        shares[point] /= total


@net_kernel
def backward(slopes, errors, size, context, work, back):
    """Add a position's gradient to the slopes; errors[point]: the slope by its logit."""
    (to_table, to_logits), (index, center, _, _) = slopes, work
    to_center, to_every = back
    to_center[: (size + 4) * (size + 4)] = 0
    for point in range(size * size):
        i = place_of(point, size)
        pair = index[i, 2] - PAIR
        if pair < PAIRS - 1:
            to_logits[context, pair] += errors[point]
            for k in range(POLICY_CHANNELS):
                if 0 < center[i, k] < LIMIT:
                    to_center[i, k] = SIGNS[k] * errors[point]
    add_row_slopes(to_table, size, index, to_center, to_every)


@net_kernel
def learn(weights, slopes, data, chosen, found, rate, work, back):
    """Set found[i] to the divergence at chosen[i], in nats; rate > 0: add to slopes."""
    shapes, at, size, own, context, moves, visits, of = data
    shares = work[-1]
    for i in range(chosen.size):
        position = chosen[i]
        mine, side = shapes[at[position] : at[position + 1]], np.int64(size[position])
        here, total, found[i] = np.int64(context[position]), np.float32(0), 0
        forward(weights, mine, side, np.int64(own[position]), here, work)
        children = range(of[position], of[position + 1])
        for child in children:
            total += np.float32(visits[child])
        for child in children:
            share = np.float32(visits[child]) / total
            expected = max(shares[moves[child]], np.float32(1e-9))
            found[i] += share * np.log(share / expected)
        for child in children:  # what is left is the slope by each logit
            shares[moves[child]] -= np.float32(visits[child]) / total
        if rate > 0:
            shares[: side * side] *= np.float32(rate)
            backward(slopes, shares, side, here, work, back)


def room():
    """Return (work, back) of `forward` and `backward`."""
    center, spread, to_center = (
        np.zeros((PLACES, POLICY_CHANNELS), np.float32) for _ in range(3)
    )
    work = np.zeros((PLACES, 3), np.int64), center, spread, np.zeros(400, np.float32)
    return work, (to_center, np.zeros(POLICY_CHANNELS, np.float32))


RECIPE = Recipe(
    learn,
    room,
    ("shapes", "at", "size", "own", "context", "moves", "visits", "of"),
    lambda found, data, chosen: found.mean(),
    apart=20,
)


def new_weights(data, seed=0):
    """Return the weights [tables, logits] before the first step: all pairs alike."""
    shape = PAIR + PAIRS, 2 * POLICY_CHANNELS
    table = (0.03 * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)
    table[count_rows(data["shapes"], data["at"], data["own"]) == 0] = 0
    return [table, np.zeros((CONTEXTS, PAIRS), np.float32)]


def whole_numbers(weights):
    """Return the arrays of a file of the package; ValueError where they do not fit it."""
    table, logits = weights
    logits = logits - logits[:, :-1].mean(axis=1, keepdims=True)
    logits[:, -1] = 0  # stones
    return {"rows": whole_rows(table), "logits": np.round(UNIT * logits).astype(np.int32)}


def fit_files(paths, epochs, out):
    """Fit to the files, and write the policy."""
    data = read(paths)
    weights = new_weights(data)
    before, after = adjust(RECIPE, data, weights, epochs)
    made = (
        f"searches of {SIMULATIONS} simulations in {len(data['own']):,} positions of "
        f"{int(data['game'][-1]) + 1:,} games of the engine with itself, python -m "
        f"experiments.training.policy, {epochs} passes, seed 0. Divergence of the visits, "
        f"games kept apart: {after:.3f} nats, before the first step {before:.3f}."
    )
    write_numbers(out, made, **whole_numbers(weights))
    print(made)


def main(arguments=None):
    """Run the command line; return the exit code."""
    return command_line(__doc__, play, fit_files, 15, EPOCHS, "policy.npz", arguments)


if __name__ == "__main__":
    run(main)

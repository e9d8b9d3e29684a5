"""Fit the engine's policy by places, which moves to look at first, to its own searches.

    python -m experiments.policy play one.npz --minutes 15 --seed 1
    python -m experiments.policy play two.npz --minutes 15 --seed 2
    python -m experiments.policy fit one.npz two.npz --out policy.json

`play` lets the engine play itself as `experiments.places` does. From each game it takes a few
positions, and from most of them a leaf of a short search's tree: there the engine asks for
moves. Each gets a search of its own, and where the visits went is what there is to learn.
`fit` adjusts the policy to the visits, and writes the file to be put at
export/five_in_a_row/policy.json.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import five_in_a_row as five
import numpy as np
from five_in_a_row.engine import (
    BY_HAND,
    CONTEXTS,
    PAIR,
    PAIRS,
    POLICY_CHANNELS,
    TOP,
    UNIT,
    context_of,
    list_forced,
    numbers_text,
    table_rows,
)
from five_in_a_row.files import replace_file
from five_in_a_row.search import DRAWN, LOST, WON, colour_to_move
from five_in_a_row.threats import T_FIVE, reset_live

from experiments.command import run
from experiments.fit import Adam, batches, command_line, read_arrays, write_arrays
from experiments.places import (
    PARTS,
    add_star,
    begin,
    drawn,
    in_parts,
    kernel,
    met,
    pair_at,
    place_of,
    play_on,
    result_of,
    search,
    self_play,
    whole_rows,
)

FROM_GAME = 24  # positions
AT_LEAVES = 0.75  # of the positions; the others are of the game itself
BEFORE, SIMULATIONS = 80, 400  # of the search that leads to a leaf, and of a position's own
EPOCHS, BATCH, RATE, DECAY = 6, 128, 1e-3, 1e-3
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
@kernel
def forward(weights, shapes, size, own, context, work):
    """Set shares[:size * size] to the share of the visits that each point is to get.

    weights   the tables float32[PAIR + PAIRS, 2 * POLICY_CHANNELS], logits[CONTEXTS, PAIRS]
    work      index[576, 3] of the rows; told, voice [576, POLICY_CHANNELS]; shares[400]
    """
    (table, logits), (index, told, voice, shares) = weights, work
    wide, most, total = size + 4, np.float32(-1e9), np.float32(0)
    told[: wide * wide] = 0
    for point in range(size * size):
        i = place_of(point, size)
        index[i] = table_rows(shapes[point], own, pair_at(shapes[point], own))
        one, two, three = index[i]
        for k in range(POLICY_CHANNELS):
            voice[i, k] = table[one, k] + table[two, k] + table[three, k]
            j = POLICY_CHANNELS + k
            told[i, k] = table[one, j] + table[two, j] + table[three, j]
    for point in range(size * size):
        i = place_of(point, size)
        pair = index[i, 2] - PAIR
        shares[point] = -1e9
        if pair < PAIRS - 1:  # no stone
            add_star(voice[i], told, i, wide)
            shares[point] = logits[context, pair]
            for k in range(POLICY_CHANNELS):
                shares[point] += SIGNS[k] * min(max(voice[i, k], np.float32(0)), LIMIT)
            most = max(most, shares[point])
    for point in range(size * size):
        shares[point] = np.exp(shares[point] - most)
        total += shares[point]
    for point in range(size * size):
        shares[point] /= total


@kernel
def backward(slopes, errors, size, context, work, back):
    """Add a position's gradient to the slopes; errors[point]: the slope by its logit."""
    (to_table, to_logits), (index, _, voice, _), (to_voice, to_star) = slopes, work, back
    wide = size + 4
    to_voice[: wide * wide] = 0
    for point in range(size * size):
        i = place_of(point, size)
        pair = index[i, 2] - PAIR
        if pair < PAIRS - 1:
            to_logits[context, pair] += errors[point]
            for k in range(POLICY_CHANNELS):
                if 0 < voice[i, k] < LIMIT:
                    to_voice[i, k] = SIGNS[k] * errors[point]
    for point in range(size * size):
        i = place_of(point, size)
        to_star[:] = 0
        add_star(to_star, to_voice, i, wide)
        for row in index[i]:
            for k in range(POLICY_CHANNELS):
                to_table[row, k] += to_voice[i, k]
                to_table[row, POLICY_CHANNELS + k] += to_star[k]


@kernel
def learn(weights, slopes, data, chosen, loss, rate, work, back):
    """Set loss[i] to the divergence at chosen[i], in nats; rate > 0: add to slopes."""
    shapes, at, size, own, context, moves, visits, of = data
    shares = work[-1]
    for i in range(chosen.size):
        position = chosen[i]
        mine, side = shapes[at[position] : at[position + 1]], np.int64(size[position])
        here, total, loss[i] = np.int64(context[position]), np.float32(0), 0
        forward(weights, mine, side, np.int64(own[position]), here, work)
        children = range(of[position], of[position + 1])
        for child in children:
            total += np.float32(visits[child])
        for child in children:
            share = np.float32(visits[child]) / total
            expected = max(shares[moves[child]], np.float32(1e-9))
            loss[i] += share * np.log(share / expected)
        for child in children:  # what is left is the slope by each logit
            shares[moves[child]] -= np.float32(visits[child]) / total
        if rate > 0:
            shares[: side * side] *= np.float32(rate)
            backward(slopes, shares, side, here, work, back)


def room():
    """Return (work, back) of `forward` and `backward`."""
    places = 24 * 24
    told, voice, to_voice = (np.zeros((places, POLICY_CHANNELS), np.float32) for _ in range(3))
    work = np.zeros((places, 3), np.int64), told, voice, np.zeros(400, np.float32)
    return work, (to_voice, np.zeros(POLICY_CHANNELS, np.float32))


def asked(data, weights, chosen, learning=False, pool=map):
    """Return (the divergence at each chosen position, [slopes of its mean])."""
    names = "shapes", "at", "size", "own", "context", "moves", "visits", "of"
    fields = [tuple(data[name] for name in names)]
    return in_parts(learn, room, fields, weights, chosen, learning, pool)


def new_weights(data, seed=0):
    """Return the weights [tables, logits] before the first step: the lists made by hand."""
    shape = PAIR + PAIRS, 2 * POLICY_CHANNELS
    table = (0.03 * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)
    table[met(data["shapes"], data["at"], data["own"]) == 0] = 0
    logits = np.tile(np.log(np.maximum(BY_HAND, 1)), (CONTEXTS, 1)).astype(np.float32)
    return [table, logits - logits[:, :-1].mean(axis=1, keepdims=True)]


def fit(data, weights, epochs, seed=0):
    """Adjust the weights; return the divergence before and after, of games kept apart."""
    rng, shown = np.random.default_rng(seed), 1.0
    apart = data["game"] % 20 == 0  # one game in twenty is not fitted to
    seen, rest = np.flatnonzero(~apart), np.flatnonzero(apart)
    adam = Adam(weights)
    with ThreadPoolExecutor(PARTS) as pool:

        def loss_apart():
            return float(asked(data, weights, rest, pool=pool.map)[0].mean())

        before = loss_apart()
        for chosen, left in batches(len(seen), epochs, rng, BATCH):
            if left <= shown:
                print(f"{1 - left:.3f} of the work, divergence {loss_apart():.4f}", flush=True)
                shown -= 1 / 8
            adam.move(asked(data, weights, seen[chosen], True, pool.map)[1], RATE * left)
            weights[0] *= 1 - RATE * left * DECAY
        return before, loss_apart()


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
    before, after = fit(data, weights, epochs)
    made = (
        f"searches of {SIMULATIONS} simulations in {len(data['own']):,} positions of "
        f"{int(data['game'][-1]) + 1:,} games of the engine with itself, python -m "
        f"experiments.policy, {epochs} passes, seed 0. Divergence of the visits, games kept "
        f"apart: {after:.3f} nats, of the lists {before:.3f}."
    )
    replace_file(Path(out), numbers_text(made, **whole_numbers(weights)).encode())
    print(made)


def main(arguments=None):
    """Run the command line; return the exit code."""
    return command_line(__doc__, play, fit_files, 15, EPOCHS, "policy.json", arguments)


if __name__ == "__main__":
    run(main)

"""Fit the evaluation, which values a leaf of the engine's search, to the engine's games.

    python -m experiments.fit play one.npz --minutes 10 --seed 1
    python -m experiments.fit play two.npz --minutes 10 --seed 2
    python -m experiments.fit fit one.npz two.npz

`play` lets the engine play itself and keeps positions: how many points are of each kind, what
the search said of the position, and how the game ended. `fit` adjusts the weights to both and
prints them as the text of the cell `judge-weights` of studies/engine.ipynb, with the loss on
games that were kept apart.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import five_in_a_row as five
import numpy as np

SIZES = (8, 8, 12, 15, 15, 15, 15, 15, 20)  # boards are drawn from these
SIMULATIONS = 2_000  # a move
VISITS = 40  # a position is kept if the search has seen it that often
POSITIONS = 12  # at most, from each search
SEARCH = 0.7  # how much the search's value counts beside the result of the game
BATCH, RATE, DECAY = 1024, 3e-3, 1e-4


# -- play -----------------------------------------------------------------------------------
def opening(rng):
    """Return a game that begins with one to six random stones."""
    game = five.core.Game(five.core.Rules(int(rng.choice(SIZES))))
    reach = int(rng.integers(1, 4))
    for _ in range(int(rng.integers(1, 7))):
        game.play(int(rng.choice(five.strength.near_middle(game, reach) or game.legal())))
    return game


def visited(nodes, least=VISITS):
    """Return [(node, moves from the root)] of a tree's nodes with that many visits."""
    found, waiting = [], [(0, ())]
    while waiting:
        node, path = waiting.pop()
        found.append((node, path))
        first = int(nodes["first_child"][node])
        for child in range(first, first + int(nodes["num_visited"][node])):
            if nodes["N"][child] >= least:
                waiting.append((child, (*path, int(nodes["move"][child]))))
    return found


def counts_after(workspace, path):
    """Return int[32]: points of each kind after the moves, for the mover, then the other."""
    board = workspace.board
    five.threats.reset_live(workspace)
    for move in path:
        five.threats.apply_live(workspace, move)
    own = five.search.colour_to_move(workspace) - 1
    return np.concatenate(
        [board.count[own, : five.threats.FULL], board.count[1 - own, : five.threats.FULL]]
    )


def value_of(node):
    """Return a node's value for the player to move there, 0 to 1."""
    if node["status"] >= five.search.LOST:
        return {five.search.LOST: 1.0, five.search.DRAWN: 0.5, five.search.WON: 0.0}[
            int(node["status"])
        ]
    return 1 - node["W64"] / 64 / node["N"]


def self_play(rng, simulations=SIMULATIONS):
    """Play one game; return its rows (counts, value of the search, result)."""
    game, rows, movers = opening(rng), [], []
    while not game.over:
        if forced := five.search.forced_move(game):
            game.play(forced[0][0])
            continue
        options = five.search.check_options(
            five.search.SearchOptions(seed=int(rng.integers(1 << 30)))
        )
        tree = five.search.Tree(game, five.engine.engine_game(), options, 5 * simulations)
        tree.run(simulations)
        if tree.root.best() is None:  # decided before the first simulation
            game.play(five.search.read_tree(tree, 0, 0.0).move)
            continue
        seen = visited(tree.nodes)
        for i in rng.permutation(len(seen))[:POSITIONS]:
            node, path = seen[i]
            rows.append((counts_after(tree.workspace, path), value_of(tree.nodes[node])))
            movers.append(game.to_move * (-1) ** len(path))
        hold = [child for child in tree.root.children if child.status != five.search.LOST]
        early = len(game.played) < 10 and len(hold) > 1 and rng.random() < 0.3
        move = rng.choice([c.point for c in hold[:3]]) if early else tree.root.best().point
        game.play(int(move))
    results = [(1 + game.winner * mover) / 2 for mover in movers]
    return [(*row, result) for row, result in zip(rows, results, strict=True)]


def play(path, minutes, seed):
    """Play for that long and write the positions to a new .npz file."""
    rng, until = np.random.default_rng(seed), time.monotonic() + 60 * minutes
    rows, number = [], 0
    while number == 0 or time.monotonic() < until:
        rows += [(*row, number) for row in self_play(rng)]
        number += 1
    counts, values, results, games = zip(*rows, strict=True)
    temporary = Path(f"{path}.{os.getpid()}.tmp.npz")
    np.savez_compressed(
        temporary,
        counts=np.array(counts, np.uint16),
        values=np.array(values, np.float32),
        results=np.array(results, np.float32),
        games=np.array(games, np.int32),
    )
    os.replace(temporary, path)
    print(f"{number} games, {len(rows):,} positions in {path}")


# -- fit ------------------------------------------------------------------------------------
def read(paths):
    """Return (inputs float32[n, 32], targets float32[n], games int[n]) of all the files."""
    parts, inputs, targets, games = [np.load(path) for path in paths], [], [], []
    for part in parts:
        counts = part["counts"]
        known = counts[:, five.threats.T_FIVE] == 0  # the search itself sees a five
        inputs.append(np.sqrt(counts[known], dtype=np.float32))
        target = SEARCH * part["values"] + (1 - SEARCH) * part["results"]
        targets.append(target[known].astype(np.float32))
        games.append(part["games"][known] + sum(int(g.max()) + 1 for g in games))
    return np.concatenate(inputs), np.concatenate(targets), np.concatenate(games)


def loss(predicted, target):
    """Return the mean cross entropy, in nats."""
    predicted = np.clip(predicted, 1e-4, 1 - 1e-4)
    gain = target * np.log(predicted) + (1 - target) * np.log(1 - predicted)
    return float(-gain.mean())


def forward(weights, inputs):
    """Return (hidden, expected reward 0...1) for inputs[n, 32]."""
    into, bias, out, last = weights
    hidden = np.maximum(0, inputs @ into + bias)
    return hidden, 1 / (1 + np.exp(-(hidden @ out + last[0])))


def gradient(weights, inputs, targets):
    """Return the gradient of the loss, one array for each of the weights."""
    hidden, predicted = forward(weights, inputs)
    wrong = ((predicted - targets) / len(targets)).astype(np.float32)
    back = np.outer(wrong, weights[2]) * (hidden > 0)
    return inputs.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(keepdims=True)


def fit(inputs, targets, epochs, seed=0, hidden=five.engine.HIDDEN):
    """Return the weights after that many passes of Adam (Kingma and Ba, 2015)."""
    mean, spread = inputs.mean(0), inputs.std(0) + 0.05
    scaled, rng = (inputs - mean) / spread, np.random.default_rng(seed)
    shapes = (inputs.shape[1], hidden), (hidden,), (hidden,), (1,)
    sizes = 1 / np.sqrt(inputs.shape[1]), 0, 0.1, 0
    weights = [
        (size * rng.standard_normal(shape)).astype(np.float32)
        for size, shape in zip(sizes, shapes, strict=True)
    ]
    first, second = ([np.zeros_like(weight) for weight in weights] for _ in range(2))
    steps, step = epochs * (len(inputs) // BATCH), 0
    for _ in range(epochs):
        order = rng.permutation(len(inputs))
        for start in range(0, len(inputs) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            step += 1
            rate = RATE * (1 - step / (steps + 1))
            for i, slope in enumerate(gradient(weights, scaled[chosen], targets[chosen])):
                slope = slope + DECAY * weights[i]
                first[i] += 0.1 * (slope - first[i])
                second[i] += 0.001 * (slope * slope - second[i])
                mean_slope, square = first[i] / (1 - 0.9**step), second[i] / (1 - 0.999**step)
                weights[i] -= (rate * mean_slope / (np.sqrt(square) + 1e-8)).astype(np.float32)
    into = weights[0] / spread[:, None]
    return into, weights[1] - (mean / spread) @ weights[0], weights[2], weights[3]


def fit_files(paths, epochs):
    """Fit to the files and print the loss and the weights."""
    inputs, targets, games = read(paths)
    apart = games % 10 == 0  # one game in ten is not fitted to
    weights = fit(inputs[~apart], targets[~apart], epochs)
    test, mean = targets[apart], targets[~apart].mean()
    losses = forward(weights, inputs[apart])[1], np.full(len(test), mean), test
    words = "loss on games kept apart {:.3f}, of a constant {:.3f}, least possible {:.3f}"
    print(f"# {len(np.unique(games)):,} games, {len(inputs):,} positions; seed 0")
    print("#", words.format(*(loss(predicted, test) for predicted in losses)))
    print(five.engine.weights_text(weights))


def main(arguments=None):
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    game = commands.add_parser("play", help="play games and keep their positions")
    game.add_argument("path", help="the .npz file to write")
    game.add_argument("--minutes", type=float, default=10)
    game.add_argument("--seed", type=int, default=1)
    fitting = commands.add_parser("fit", help="fit the weights and print them")
    fitting.add_argument("paths", nargs="+", help=".npz files from play")
    fitting.add_argument("--epochs", type=int, default=30)
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "play":
            play(asked.path, asked.minutes, asked.seed)
        else:
            fit_files(asked.paths, asked.epochs)
    except (OSError, ValueError, KeyError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Fit the engine's value by counts to its own games.

    python -m experiments.fit play one.npz --minutes 10 --seed 1
    python -m experiments.fit play two.npz --minutes 10 --seed 2
    python -m experiments.fit fit one.npz two.npz --out weights.txt

`play` lets the engine play itself. From the tree of each move it draws positions, mostly
leaves, and gives each a search of its own: what that says is what there is to learn. `fit`
adjusts the weights to it, and writes them as the text of the cell `judge-weights` of
studies/engine.ipynb, with the loss on games that were kept apart. The weights in
the notebook come from an earlier form of this file: those of this form predicted better and
won fewer games.
"""

import argparse
import sys
import time
import zipfile
import zlib
from pathlib import Path

import five_in_a_row as five
import numpy as np
from five_in_a_row.engine import FULL, KINDS, PAIRS, T_FIVE
from five_in_a_row.files import put_in_place, replace_file, temporary_file

from experiments.command import number, run, whole

SIZES = (8, 10, 12, 13, 15, 15, 15, 15, 15, 15, 19)  # boards are drawn from these
SIMULATIONS = 800  # a move
POSITIONS = 12  # from each search, drawn from all of its tree
AGAIN = 300  # simulations of a search of its own for each of them
SEARCH = 0.5  # how much the search's value counts beside the result of the game, at the root
BATCH, RATE, DECAY = 4096, 2e-3, 1e-5
UNREADABLE = (  # what numpy raises for a file of another kind, or a damaged one
    *(ValueError, KeyError, TypeError, AttributeError, EOFError),
    *(zipfile.BadZipFile, zlib.error),
)
FIELDS = ("pair", "many", "at", "value", "result", "game")


# -- play -----------------------------------------------------------------------------------
def opening(rng):
    """Return a game that begins with one to seven random stones."""
    game = five.game.Game(five.game.Rules(int(rng.choice(SIZES))))
    reach = int(rng.integers(1, 5))
    for _ in range(int(rng.integers(1, 8))):
        game.play(int(rng.choice(five.strength.near_middle(game, reach) or game.legal())))
    return opening(rng) if game.over else game


def visited(tree):
    """Return [moves from the root] of the undecided nodes of a tree, with one visit or more.

    Most are leaves: there the evaluation is asked, also after moves that no search would play.
    """
    nodes, found, waiting = tree.nodes, [], [(0, ())]
    while waiting:
        node, path = waiting.pop()
        found.append(path)
        first = int(nodes["first_child"][node])
        for child in range(first, first + int(nodes["num_visited"][node])):
            if nodes["status"][child] < five.search.LOST:
                waiting.append((child, (*path, int(tree.places[nodes["move"][child]]))))
    return found[1:]


def pairs_of(workspace):
    """Return the pair of every point, for the player to move at the root."""
    board = workspace.board
    five.threats.reset_live(workspace)
    own, points = five.search.colour_to_move(workspace) - 1, workspace.geo.points
    mine, theirs = board.point_threat[[own, 1 - own], :points].astype(np.int64)
    return mine * KINDS + theirs


def row_of(tree):
    """Return the fields of a root that are known before the game ends."""
    kinds, many = np.unique(pairs_of(tree.workspace), return_counts=True)
    return kinds, many, value_of(tree.nodes[0])


def searched(game, rng, simulations):
    """Return the tree of a search."""
    options = five.search.SearchOptions(seed=int(rng.integers(1 << 30)))
    options = five.search.check_options(options)
    tree = five.search.Tree(game, five.engine.engine_game(), options, 5 * simulations)
    tree.run(simulations)
    return tree


def value_of(node):
    """Return a node's value for the player to move there, 0 to 1."""
    if node["status"] >= five.search.LOST:
        return {five.search.LOST: 1.0, five.search.DRAWN: 0.5, five.search.WON: 0.0}[
            int(node["status"])
        ]
    return 1 - node["W64"] / 64 / node["N"]


def self_play(rng, simulations=SIMULATIONS):
    """Play one game; return its rows, with the results where the game itself passed.

    Positions inside a tree get a search of their own, and no result.
    """
    game, rows = opening(rng), []
    early = len(game.played) + 8
    while not game.over:
        if forced := five.search.forced_move(game):
            game.play(forced[0][0])
            continue
        tree = searched(game, rng, simulations)
        if tree.root.best() is None:  # decided before the first simulation
            game.play(five.search.read_tree(tree, 0, 0.0).move)
            continue
        rows.append((*row_of(tree), game.to_move))
        inside = visited(tree)
        for i in rng.permutation(len(inside))[:POSITIONS]:
            other = game.copy()
            for move in inside[i]:
                other.play(move)
            if not other.over and not five.mcts.winning_points(other, other.to_move):
                rows.append((*row_of(searched(other, rng, AGAIN)), None))
        hold = [child for child in tree.root.children if child.status != five.search.LOST]
        draw = len(game.played) < early and len(hold) > 1 and rng.random() < 0.3
        move = rng.choice([c.point for c in hold[:4]]) if draw else tree.root.best().point
        game.play(int(move))
    results = [
        np.nan if mover is None else (1 + game.winner * mover) / 2 for *_, mover in rows
    ]
    return [(*row[:-1], result) for row, result in zip(rows, results, strict=True)]


def write_arrays(path, **arrays):
    """Write a new .npz file, whole or not at all."""
    with temporary_file(Path(path)) as temporary:
        with temporary.open("wb") as file:
            np.savez_compressed(file, **arrays)
        put_in_place(temporary, Path(path))


def read_arrays(path, names):
    """Return {name: array} of a file that play has written; ValueError for any other."""
    try:
        with open(path, "rb") as file, np.load(file) as arrays:
            return {name: arrays[name] for name in names}
    except UNREADABLE:
        raise ValueError(f"{path} is no file from play, or is damaged") from None


def play(path, minutes, seed):
    """Play for that long and write the positions to a new .npz file."""
    rng, until = np.random.default_rng(seed), time.monotonic() + 60 * minutes
    rows, number = [], 0
    while number == 0 or time.monotonic() < until:
        rows += [(*row, number) for row in self_play(rng)]
        number += 1
    kinds, many, value, result, game = zip(*rows, strict=True)
    write_arrays(
        path,
        pair=np.concatenate(kinds).astype(np.uint16),
        many=np.concatenate(many).astype(np.uint16),
        at=np.cumsum([0, *map(len, kinds)]),
        value=np.array(value, np.float32),
        result=np.array(result, np.float32),
        game=np.array(game, np.int32),
    )
    print(f"{number} games, {len(rows):,} positions in {path}")


# -- read -----------------------------------------------------------------------------------
def read(paths):
    """Return {field: array} of the files' positions that the search asks the value of.

    There the mover has no point of five, and the opponent at most one.
    many    uint16[n, PAIRS]: points of each pair
    """
    parts, games = [], 0
    for path in paths:
        part = read_arrays(path, FIELDS)
        at, n = part.pop("at"), len(part["value"])
        row, pair = np.repeat(np.arange(n), np.diff(at)), part.pop("pair")
        dense = np.zeros((n, PAIRS), part["many"].dtype)
        dense[row, pair] = part["many"]
        dense[:, PAIRS - 1] = 0  # stones
        part["many"] = dense
        part["game"] += games
        games = int(part["game"].max()) + 1
        square = part["many"].reshape(n, KINDS, KINDS)
        mine, theirs = square[:, T_FIVE].sum(axis=1), square[:, :, T_FIVE].sum(axis=1)
        asked = (mine == 0) & (theirs < 2)
        parts.append({name: values[asked] for name, values in part.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def value_inputs(many):
    """Return float32[n, 2 * FULL]: the roots of the counts of point threats of either side.

    many   uint16[n, PAIRS]
    """
    square = many.reshape(-1, KINDS, KINDS)[:, :FULL, :FULL]
    return np.sqrt(np.hstack([square.sum(axis=2), square.sum(axis=1)]), dtype=np.float32)


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


def batches(n, epochs, rng, most=None):
    """Yield (indices, what is left of the work, 1 to 0) for that many passes.

    most   indices in a batch, BATCH without it
    """
    size = min(n, most or BATCH)
    steps = epochs * (n // size)
    for step in range(steps):
        if step % (n // size) == 0:
            order = rng.permutation(n)
        start = step % (n // size) * size
        yield order[start : start + size], 1 - step / steps


def targets(data):
    """Return float32[n]: the value to learn; positions of the game count with its result."""
    mixed = SEARCH * data["value"] + (1 - SEARCH) * data["result"]
    return np.where(np.isnan(data["result"]), data["value"], mixed).astype(np.float32)


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


def fit_value(inputs, targets, epochs, seed=0, hidden=five.engine.COUNT_UNITS):
    """Return the weights of the value after that many passes."""
    mean, spread = inputs.mean(0), inputs.std(0) + 0.05
    scaled, rng = (inputs - mean) / spread, np.random.default_rng(seed)
    shapes = (inputs.shape[1], hidden), (hidden,), (hidden,), (1,)
    sizes = 1 / np.sqrt(inputs.shape[1]), 0, 0.1, 0
    weights = [
        (size * rng.standard_normal(shape)).astype(np.float32)
        for size, shape in zip(sizes, shapes, strict=True)
    ]
    adam = Adam(weights)
    for chosen, left in batches(len(inputs), epochs, rng):
        slopes = gradient(weights, scaled[chosen], targets[chosen])
        adam.move([s + DECAY * w for s, w in zip(slopes, weights, strict=True)], RATE * left)
    into = weights[0] / spread[:, None]
    return into, weights[1] - (mean / spread) @ weights[0], weights[2], weights[3]


def fit_files(paths, epochs, out):
    """Fit to the files; write the weights, and print how well they fit."""
    data = read(paths)
    apart = data["game"] % 20 == 0  # one game in twenty is not fitted to
    if apart.all() or not apart.any():
        raise ValueError("too few games to keep some apart: play for longer")
    inputs, target = value_inputs(data["many"]), targets(data)
    weights = fit_value(inputs[~apart], target[~apart], epochs)
    test, constant = target[apart], np.full(apart.sum(), target[~apart].mean())
    losses = (
        loss(predicted, test)
        for predicted in (forward(weights, inputs[apart])[1], constant, test)
    )
    words = "loss on games kept apart {:.3f}, of a constant {:.3f}, least possible {:.3f}"
    made = (
        f"# {len(np.unique(data['game'])):,} games, {len(target):,} positions; seed 0\n"
        f"# {words.format(*losses)}\n"
    )
    replace_file(Path(out), (made + five.engine.weights_text(weights)).encode())
    print(made)


def command_line(text, play, fit, minutes, epochs, out, arguments):
    """Run the command line of what plays games and fits to them; return the exit code.

    text                 what the command is for
    play(path, minutes, seed), fit(paths, epochs, out)
    minutes, epochs, out   what they get where nothing is said
    """
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    game = commands.add_parser("play", help="play games and keep their positions")
    game.add_argument("path", help="the .npz file to write")
    game.add_argument("--minutes", type=number(0, 1_000_000), default=minutes)
    game.add_argument("--seed", type=whole(0, 2**63 - 1), default=1)
    fitting = commands.add_parser("fit", help="fit to the games of such files")
    fitting.add_argument("paths", nargs="+", help=".npz files from play")
    fitting.add_argument("--epochs", type=whole(1, 1_000_000), default=epochs)
    fitting.add_argument("--out", default=out, help=f"the file to write ({out})")
    asked = parser.parse_args(arguments)
    file = Path(asked.path if asked.command == "play" else asked.out)
    if not file.absolute().parent.is_dir():
        parser.error(f"{file}: there is no folder {file.parent}")
    try:
        if asked.command == "play":
            play(asked.path, asked.minutes, asked.seed)
        else:
            fit(asked.paths, asked.epochs, asked.out)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


def main(arguments=None):
    """Run the command line; return the exit code."""
    return command_line(__doc__, play, fit_files, 10, 20, "weights.txt", arguments)


if __name__ == "__main__":
    run(main)

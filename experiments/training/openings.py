"""Find even openings of three stones for swap2, and keep them as text.

    python -m experiments.training.openings --out FILE --count 40
    python -m experiments.training.openings --out FILE --games 10

Stones are drawn at random near the middle. Three searches, each longer than the one before,
say what white, to move, then expects; an opening stays only where each of them says: about
as much as black. No two are turnings of each other. The file of the package is written
after each one found, and the command goes on where it ends.

What a search calls even need not be. So with --games the engine plays each opening against
itself, and only those stay in which either side makes a fair share of the points. Each move
has another number of simulations: with one number for all the games would be alike.
"""

import argparse
import re
from functools import partial
from pathlib import Path

import five_in_a_row as five
import numpy as np
from five_in_a_row import swap2
from five_in_a_row.files import replace_file

from experiments.command import check_folder, reported, run, whole

OUT = Path(five.__file__).with_name(swap2.OPENINGS.name)
STEPS = ((4_000, 0.15), (40_000, 0.1), (200_000, 0.05))  # simulations, most of value
SIMULATIONS = 500, 3_500  # of a move of the games, the fewest and the most
FAIR = 0.35  # the least share of the points
MOST = 1_000_000  # positions in a file, games of each
HEAD = """\
# Openings of swap2 on 15×15: black, white, black, and what white, to move, then expects of
# -1 to +1 in a search of {:,} simulations: at most {} either way.
# Made by python -m experiments.training.openings: seed {}, {} openings drawn.
"""
PLAYED = """\
# Last, black's share of the points in {} games of the engine with itself, {:,} to {:,}
# simulations a move; of {} openings those stay in which either side has at least {}.
"""


def drawn(seed, number):
    """Return the game of that number: three stones near the middle."""
    rng, game = np.random.default_rng([seed, number]), five.game.Game(five.game.Rules(15))
    while len(game.played) < 3:
        game.play(int(rng.choice(five.strength.near_middle(game, 4))))
    return game


def key(moves):
    """Return what an opening "h8 h9 j12" shares with its turnings and with no other."""
    turned = (swap2.turned_opening(moves, turn) for turn in range(8))
    return min((*sorted([first, third]), second) for first, second, third in turned)


def evenness(game, steps=STEPS):
    """Return the value of the last search; None where one lies outside its limit."""
    for simulations, most in steps:
        value = five.strength.position_value(game, simulations)
        if abs(value) > most:
            return None
    return value


def kept_lines(path, seed, what="openings drawn"):
    """Return (lines, how many of `what` were tried) of a file; ValueError for another seed."""
    if not path.exists():
        return [], 0
    text = path.read_text("utf-8")
    said = re.search(rf": seed (\d+), (\d+) {what}", text)
    if not said or int(said[1]) != seed:
        raise ValueError(f"{path} was not made with seed {seed}: name another file")
    return [line for line in text.splitlines() if not line.startswith("#")], int(said[2])


def unplayed_lines(path, seed):
    """Return what kept_lines does; ValueError for openings that were played already."""
    lines, number = kept_lines(path, seed)
    if lines and len(lines[0].split()) > 4:
        raise ValueError(f"the openings of {path} were played already: name another file")
    return lines, number


def find(path, count, seed=1, steps=STEPS):
    """Draw openings until the file holds that many."""
    lines, number = unplayed_lines(path, seed)
    known = {key(line.rsplit(" ", 1)[0]) for line in lines}
    while len(lines) < count:
        game, number = drawn(seed, number), number + 1
        moves = " ".join(game.moves)
        value = None if key(moves) in known else evenness(game, steps)
        if value is not None:
            known.add(key(moves))
            lines.append(f"{moves} {value:+.3f}")
            text = HEAD.format(*steps[-1], seed, number) + "\n".join(lines) + "\n"
            replace_file(path, text.encode())
            print(lines[-1], flush=True)


def black_share(game, games, simulations, seed=0):
    """Return black's share of the points in games from a position; None: it is not fair.

    simulations   of a move, the fewest and the most

    The games end as soon as a side cannot reach FAIR any more.
    """
    rng, black, white = np.random.default_rng(seed), 0.0, 0.0
    for number in range(games):
        later = game.copy()
        while not later.over:
            budget = int(rng.integers(*simulations, endpoint=True))
            later.play(five.think(later, simulations=budget, seed=seed + number).move)
        black, white = black + (1 + later.winner) / 2, white + (1 - later.winner) / 2
        if max(black, white) > (1 - FAIR) * games:
            return None
    return black / games


def share_of(lines, games, simulations, i):
    """Return (i, black's share) of the opening in a line."""
    game = five.game.Game.from_text(lines[i].rsplit(" ", 1)[0], 15)
    return i, black_share(game, games, simulations)


def play(path, games, seed=1, jobs=2, simulations=SIMULATIONS):
    """Keep the openings of the file that are fair in games, with black's share."""
    lines, number = unplayed_lines(path, seed)
    if not lines:
        raise ValueError(f"there are no openings in {path}: find some first, without --games")
    shares, numbered = [None] * len(lines), range(len(lines))
    work = partial(share_of, lines, games, simulations)
    for i, share in five.strength.in_parallel(work, numbered, jobs, False):
        print(lines[i], "unfair" if share is None else f"{share:.3f}", flush=True)
        shares[i] = share
    fair = [f"{lines[i]} {shares[i]:.3f}" for i in numbered if shares[i] is not None]
    if not fair:
        raise ValueError(f"none of the {len(lines)} openings is fair: {path} stays")
    head = HEAD.format(*STEPS[-1], seed, number)
    head += PLAYED.format(games, *simulations, len(lines), FAIR)
    replace_file(path, (head + "\n".join(fair) + "\n").encode())


def made_file(make, text, count, out, arguments, **more):
    """Run the command line of what makes a file of positions; return the exit code.

    make     called with what was asked, it writes the file
    text     what the command is for; count, out: its defaults
    more     help texts of further numbers
    """
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    some = whole(1, MOST)
    parser.add_argument("--count", type=some, default=count, help=f"in the file ({count})")
    for name, what in more.items():
        parser.add_argument(f"--{name}", type=some, help=what)
    parser.add_argument("--seed", type=whole(0, 2**63 - 1), default=1)
    parser.add_argument("--out", type=Path, default=out, help="the file")
    asked = parser.parse_args(arguments)
    check_folder(parser, asked.out)
    return reported(make, asked)


def make(asked):
    """Find openings, or play those that were found."""
    if asked.games:
        play(asked.out, asked.games, asked.seed)
    else:
        find(asked.out, asked.count, asked.seed)


def main(arguments=None):
    """Run the command line; return the exit code."""
    games = "play so many of each opening in the file"
    return made_file(make, __doc__, 40, OUT, arguments, games=games)


if __name__ == "__main__":
    run(main)

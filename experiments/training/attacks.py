"""Find where the engine lost games with itself: moves that a long attack refutes.

    python -m experiments.training.attacks --count 100

The engine plays itself on 15×15. From the end of each game the loser's moves are looked at,
the last one first: does the winner, to move, win by threats after it? The earliest of them in
an unbroken row is where the game was lost. Its position is kept if another move that was
searched is not refuted so. The file is written after each one found, and the command goes on
where it ends.
"""

import five_in_a_row as five
import numpy as np
from five_in_a_row.files import replace_file

from experiments.command import run
from experiments.puzzles import FOLDER
from experiments.training.openings import kept_lines, made_file

SIMULATIONS = 20_000  # a move, of the games
REFUTES = 200_000  # positions: an attack that is found within so many refutes a move
HOLDS = 100_000  # and a move after which none is found within so many may hold
TRIES = 12  # of the most visited moves are looked at
HEAD = """\
# Attacks: name | board | moves from the empty board | moves that may hold | kind.
# Made by python -m experiments.training.attacks: seed {}, {} games of the engine with itself,
# {:,} simulations a move. The move that was played loses to an attack of threats found within
# {:,} positions; after a listed one, of the {} most visited, none is found within {:,}.
# "attack of 19 plies": as long as the line found.
"""


def attack(game, nodes):
    """Return the points by which the player to move wins by threats, none if not found."""
    forced = five.search.forced_move(game)
    if forced and forced[1] == "five":
        return forced[0]
    workspace, colour = five.engine.live_position(game), 1 if game.to_move == 1 else 2
    won = five.threats.threats_win(workspace, colour, nodes)
    return workspace.win[: workspace.ply].tolist() if won else []


def attack_after(game, point, nodes):
    """Return how many plies the attack takes that refutes a move, 0 if none is found."""
    later = game.copy()
    later.play(point)
    return 0 if later.over else len(attack(later, nodes))


def played_game(seed, number, simulations):
    """Return (a game of the engine with itself, how many stones its opening has)."""
    rules, stones = five.game.Rules(15), 2 + number % 3
    (opening,) = five.strength.random_openings(rules, 1, stones, 100_000 * seed + number)
    game = five.game.Game.from_text(opening, rules=rules)
    while not game.over:
        game.play(five.think(game, simulations=simulations, seed=number).move)
    return game, stones


def lost_at(game, opening):
    """Return (position before the move that lost a game, that move, plies of the attack)."""
    found = None
    for stones in range(len(game.played) - 1, opening - 1, -1):
        before = game.copy()
        before.go_to(stones)
        if before.to_move == -game.winner:
            plies = attack_after(before, game.played[stones], REFUTES)
            if not plies:
                break
            found = before, game.played[stones], plies
    return found


def holding_moves(game, point, simulations):
    """Return the names of searched moves, other than `point`, that no attack refutes."""
    options = five.search.SearchOptions(doubt=0)
    visits = five.think(game, simulations=simulations, seed=7, options=options).visits.ravel()
    best = [int(i) for i in np.argsort(-visits, kind="stable")[:TRIES] if visits[i]]
    holds = [i for i in best if i != point and not attack_after(game, i, HOLDS)]
    return [five.game.point_name(i, game.rules.size) for i in holds]


def line_of(seed, number, simulations):
    """Return the line of the file that a game makes; None: it shows no such move."""
    game, opening = played_game(seed, number, simulations)
    found = lost_at(game, opening) if game.winner else None
    if found is None or five.search.forced_move(found[0]):
        return None
    before, point, plies = found
    holds = ",".join(holding_moves(before, point, simulations))
    kind = f"attack of {plies} plies"
    line = f"attack {number} | 15 | {' '.join(before.moves)} | {holds} | {kind}"
    return line if holds else None


def find(path, count, seed=1, simulations=SIMULATIONS):
    """Play games until the file holds that many positions."""
    lines, number = kept_lines(path, seed, "games of the engine")
    while len(lines) < count:
        line, number = line_of(seed, number, simulations), number + 1
        if line:
            lines.append(line)
            head = HEAD.format(seed, number, simulations, REFUTES, TRIES, HOLDS)
            replace_file(path, (head + "\n".join(lines) + "\n").encode())
            print(line, flush=True)


def make(asked):
    """Find as many positions as were asked for."""
    find(asked.out, asked.count, asked.seed)


def main(arguments=None):
    """Run the command line; return the exit code."""
    return made_file(make, __doc__, 100, FOLDER / "attacks.txt", arguments)


if __name__ == "__main__":
    run(main)

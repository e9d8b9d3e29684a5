"""Fingerprints of behaviour: what each kind of player plays, with which visits and values.

    python experiments/behaviour.py           compare with experiments/behaviour.json
    python experiments/behaviour.py --write   write it anew: a player has changed on purpose

Seeded searches, on boards of 6 to 20 points a side, from the opening to the last moves, give a
hash for each kind of player. A comment, a name or a docstring does not change it; a search
that visits one node more does. Tables of matches are named by it: where it has changed, they
are played again.
"""

import argparse
import hashlib
import json
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "export"))

import five_in_a_row as five  # noqa: E402
import numpy as np  # noqa: E402

FILE = Path(__file__).with_suffix(".json")
PLAIN = five.search.SearchOptions(solve=False)
CLASSIC = five.search.SearchOptions(keep=5, sure=2000, solve=False)


def searched(kernels_of, options, game, simulations, seed):
    """Return what a search of that many simulations found, with kernels_of(rules)."""
    tree = five.search.Tree(
        game, kernels_of(game.rules), options._replace(seed=seed), simulations
    )
    done = tree.run(simulations)
    return five.search.read_tree(tree, done, 0.0)


def plain_kernels(rules):
    """Return the kernels of plain UCT."""
    return five.search.plain_game(rules.in_a_row, rules.gravity)


def classic_kernels(rules):
    """Return the kernels of the course notebook's algorithm."""
    return five.search.choose_kernels(rules, five.search.shaped_game)


def engine(game, simulations, seed, **how):
    """Return what the engine finds."""
    return five.engine.think(game, simulations=simulations, seed=seed, **how)


def with_reuse(game, simulations, seed):
    """Return what the engine finds at the third of its moves in a row, the tree kept."""
    player, game = five.engine.Opponent(simulations=simulations), game.copy()
    for step in range(3):
        found = player(game, seed + step)
        game.play(found.move)
        if game.over or step == 2:
            return found
        reply = min(game.legal(), key=lambda point: abs(point - found.move))
        game.play(reply)
        if game.over:
            return found


PLAYERS = {  # kind: player(game, simulations, seed) -> SearchResult
    "plain": partial(searched, plain_kernels, PLAIN),
    "classic": partial(searched, classic_kernels, CLASSIC),
    "engine": engine,
    "engine keeps its tree": with_reuse,
    "engine level 3": partial(engine, level=3),
    "engine level 8": partial(engine, level=8),
    "plain with proofs": partial(searched, plain_kernels, five.search.SearchOptions()),
}


def positions():
    """Return (rules, moves as points) of positions with grown shapes, made from a seed."""
    rng, found = np.random.default_rng(16), []
    for size in (6, 7, 8, 9, 10, 12, 15, 19, 20):
        for share in (0, 0.03, 0.08, 0.2, 0.4, 0.7):
            rules, plies = five.core.Rules(size), int(share * size * size)
            game = five.core.Game(rules)
            for _ in range(plies):
                points = game.legal()
                weights = np.array([1.0 + near(game, point) for point in points]) ** 3
                forced = five.search.forced_move(game)
                if forced and rng.random() < 0.8:
                    point = forced[0][0]
                else:
                    point = int(rng.choice(points, p=weights / weights.sum()))
                game.play(point)
                if game.over:  # such a move is not played: the game goes on
                    game.undo()
            found.append((rules, list(game.played)))
    for rules, text in (
        (five.core.Rules(7, 4, rows=6, gravity=True), "d1d2c1"),
        (five.core.Rules(7, 4, rows=6, gravity=True), ""),
        (five.core.Rules(3, 3), "b2"),
        (five.core.Rules(4, 4), ""),
    ):
        found.append((rules, five.core.Game.from_text(text, rules=rules).played))
    return found


def near(game, point):
    """Return how many stones touch a point."""
    row, col = divmod(point, game.rules.size)
    cells = game.array
    return np.count_nonzero(cells[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2])


def digest(*parts):
    """Return eight hexadecimal digits of what the parts print."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:8]


def row_of(kind, rules, moves, simulations, seed):
    """Search one position; return {"kind", "rules", "moves", ..., "visits": digest}."""
    game = five.core.Game(rules)
    for point in moves:
        game.play(point)
    found = PLAYERS[kind](game, simulations, seed)
    values = np.nan_to_num(np.round(found.values, 6), nan=9.0).ravel().tolist()
    return {
        "kind": kind,
        "rules": list(rules),
        "moves": moves,
        "simulations": simulations,
        "seed": seed,
        "move": int(found.move),
        "why": found.why,
        "made": int(found.simulations),
        "top": [int(n) for n in sorted(found.visits.ravel())[:-4:-1]],
        "digest": digest(found.visits.ravel().tolist(), values),
    }


def cases():
    """Return (kind, rules, moves, simulations, seed) of every search of the fingerprints."""
    made = []
    for i, (rules, moves) in enumerate(positions()):
        for kind in list(PLAYERS)[:3]:
            made.append((kind, rules, moves, (400, 2_000, 6_000)[i % 3], 100 + i))
        for kind in list(PLAYERS)[3 + i % 2 :: 2]:
            made.append((kind, rules, moves, 1_500, 300 + i))
    return made


def stored():
    """Return the rows of experiments/behaviour.json."""
    return json.loads(FILE.read_text("utf-8"))


def again(row):
    """Return a stored row, searched once more."""
    rules = five.core.Rules(*row["rules"])
    return row_of(row["kind"], rules, row["moves"], row["simulations"], row["seed"])


def fingerprints(rows):
    """Return {kind: eight digits} of what rows say that each kind of player does."""
    kinds = {row["kind"]: [] for row in rows}
    for row in rows:
        kinds[row["kind"]].append((row["move"], row["made"], row["digest"]))
    return {kind: digest(found) for kind, found in kinds.items()}


def main(arguments=None):
    """Compare every stored search with one made now, or store them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="store what is played now")
    if parser.parse_args(arguments).write:
        rows = [row_of(*case) for case in cases()]
        FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", "utf-8")
    rows = stored()
    changed = [row for row in rows if again(row) != row]
    for row in changed:
        print(f"changed: {row['kind']} on {row['rules']} after {len(row['moves'])} moves")
    for kind, code in fingerprints(rows).items():
        print(f"{code}  {kind}")
    print(f"{len(rows)} searches, {len(changed)} changed")
    return int(bool(changed))


if __name__ == "__main__":
    raise SystemExit(main())

"""Fingerprints of behaviour: what each kind of player plays, with which visits and values.

    python experiments/behaviour.py           compare with experiments/behaviour.json
    python experiments/behaviour.py --write   write it anew: a player has changed on purpose

Seeded cases (searches of positions, policies, solved columns) give a hash for each kind of
player; experiments/kinds holds them. A comment, a name or a docstring does not change it; a
search that visits one node more does. Tables and kept games are named by it: where it has
changed, they are played again.
"""

import argparse
import json
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "export"), str(ROOT)]

from five_in_a_row.files import replace_file  # noqa: E402

from experiments import kinds  # noqa: E402
from experiments.command import run  # noqa: E402

FILE = Path(__file__).with_suffix(".json")
FEW = 3  # rows of each kind that are compared before a table is made


class StaleError(Exception):
    """A player does not do what behaviour.json says: one sentence that says what to do."""


# -- rows ----------------------------------------------------------------------------------
def stored():
    """Return the rows of experiments/behaviour.json."""
    return json.loads(FILE.read_text("utf-8"))


def again(row):
    """Return a row with what the player does now in its case."""
    return row | kinds.load()[row["kind"]].find(row)


def made():
    """Return the rows of all cases, made now: {"kind", what is asked, what is found}."""
    return [
        again({"kind": name} | case)
        for name, kind in kinds.load().items()
        for case in kind.cases()
    ]


# -- fingerprints --------------------------------------------------------------------------
def fingerprints(rows):
    """Return {kind: eight digits} of what rows say that each kind of player does."""
    found = {row["kind"]: [] for row in rows}
    for row in rows:
        found[row["kind"]].append((row.get("move"), row.get("made"), row["digest"]))
    return {kind: kinds.digest(each) for kind, each in found.items()}


@cache
def code(*names):
    """Return eight digits for these kinds of players together, from the stored rows.

    The order of the names does not count. Raises KeyError for a kind that has no rows.
    """
    known = fingerprints(stored())
    if len(names) == 1:
        return known[names[0]]
    return kinds.digest(*sorted(known[name] for name in set(names)))


def check(*names):
    """Compare a few rows of each kind, the cheapest; raise StaleError where one differs."""
    rows = sorted(stored(), key=lambda row: row.get("simulations", 0))
    for name in names:
        few = [row for row in rows if row["kind"] == name][:FEW]
        if not few or any(again(row) != row for row in few):
            raise StaleError(
                f"the player has changed ({name}): python experiments/behaviour.py --write, "
                "then play its tables again"
            )


def main(arguments=None):
    """Compare every stored row with one made now, or store them; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="store what is played now")
    if parser.parse_args(arguments).write:
        lines = ",\n".join(json.dumps(row) for row in made())
        replace_file(FILE, f"[\n{lines}\n]\n".encode())
        code.cache_clear()
        from experiments import results

        results.write_players()
    rows = stored()
    changed = [row for row in rows if again(row) != row]
    for row in changed:
        print(f"changed: {row['kind']}, {row.get('player', row.get('moves'))}")
    for kind, digits in fingerprints(rows).items():
        print(f"{digits}  {kind}")
    print(f"{len(rows)} cases, {len(changed)} changed")
    return int(bool(changed))


if __name__ == "__main__":
    run(main)

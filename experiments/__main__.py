"""Make tables of long experiments: python -m experiments TABLE ... [--games N] [--jobs 2]

Every match keeps its finished games in experiments/games/, so a run that was stopped goes on
where it was. The tables go to experiments/results/. `--list` names them; without a name all
are made. The seed is 1. `--recount` plays nothing: it computes scores and intervals of all
tables anew from the games that they count. All tables together take some ten core-hours.
"""

import argparse
import importlib
import sys
from typing import NamedTuple

from experiments import behaviour, kinds, matches
from experiments.archive import ArchiveError


class Table(NamedTuple):
    """A table of a study: what yields its rows, the usual number, what that number counts."""

    function: object
    number: int
    unit: str


def registry():
    """Return {name: Table} of all studies whose modules are in export/."""
    tables = {}
    for study in kinds.STUDIES:
        try:
            module = importlib.import_module(f"experiments.{study}")
        except ModuleNotFoundError as error:
            if error.name.removeprefix("five_in_a_row.") not in kinds.STUDIES:
                raise
            continue  # what is handed in holds the main notebook alone
        for name, (function, number) in module.TABLES.items():
            tables[name] = Table(function, number, module.UNITS.get(name, "games"))
    return tables


def parsed(arguments, tables):
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        "python -m experiments", description=__doc__.split("\n")[0]
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="all without a name")
    parser.add_argument("--jobs", type=int, default=2, help="games played at once (2)")
    parser.add_argument(
        "--games", type=int, help="games per match, or what a table counts instead (--list)"
    )
    parser.add_argument("--list", action="store_true", help="name the tables and stop")
    parser.add_argument(
        "--recount", action="store_true", help="compute all intervals from the counts anew"
    )
    asked = parser.parse_args(arguments)
    if wrong := [name for name in asked.tables if name not in tables]:
        parser.error(f"no table {wrong[0]!r}: there are {', '.join(tables)}")
    return asked


def main(arguments=None):
    """Run the command line; return the exit status."""
    tables = registry()
    asked = parsed(arguments, tables)
    if asked.list:
        for name, (function, number, unit) in tables.items():
            code = matches.code(name)
            print(f"{name:19s} {code} {number:5d} {unit:14s} {function.__doc__}")
        return 0
    if asked.recount:
        matches.recount()
        return 0
    try:
        for name in asked.tables or tables:
            table = tables[name]
            matches.make(name, table.function, asked.games or table.number, asked.jobs)
    except (ArchiveError, behaviour.StaleError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Make tables of long experiments: python -m experiments TABLE ... [--games N] [--jobs 2]

Every match keeps its finished games in experiments/games/, so a run that was stopped goes on
where it was. The tables go to experiments/results/. `--list` names them; without a name all
are made. The seed is 1. All tables take twenty core-hours. With another number of
games a table is a trial, kept in experiments/results/trials/. `--cluster` plays on Dask.
`league` plays notebooks against each other (experiments/league.py).
`--recount` plays nothing: it computes scores, intervals, pairs and what a move took of all
tables anew, from their games.
"""

import argparse
import contextlib
import ipaddress
import re
import sys

from experiments import behaviour, registry, results, store
from experiments.command import run, whole


def parsed(arguments, tables):
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        "python -m experiments", description=__doc__.split("\n")[0]
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="all without a name")
    parser.add_argument(
        "--jobs", type=whole(1, 1_000), default=2, help="games played at once (2)"
    )
    parser.add_argument(
        "--games",
        type=whole(2, 1_000_000),
        help="games per match, or what a table counts instead (--list)",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on the workers of a Dask scheduler: tcp://127.0.0.1:8786 of this machine, "
        "tls://HOST:PORT elsewhere, in a trusted network only; here: --jobs new processes",
    )
    parser.add_argument("--list", action="store_true", help="name the tables and stop")
    parser.add_argument(
        "--recount", action="store_true", help="count the games of all tables anew"
    )
    asked = parser.parse_args(arguments)
    if asked.recount and (asked.tables or asked.games or asked.list):
        parser.error(
            "--recount counts all tables: it takes no table, no --games and no --list"
        )
    if wrong := [name for name in asked.tables if name not in tables]:
        parser.error(f"no table {wrong[0]!r}: there are {', '.join(tables)}")
    pairs = [name for name in asked.tables or tables if tables[name].unit == "games"]
    if pairs and (asked.games or 0) % 2:
        parser.error(f"--games {asked.games}: {pairs[0]} needs pairs, colours exchanged")
    if asked.cluster not in (None, "here") and (fault := address_fault(asked.cluster)):
        parser.error(fault)
    return asked


# -- a cluster -----------------------------------------------------------------------------
def address_fault(address):
    """Return in a sentence why no scheduler is asked at an address; None where one is.

    A scheduler runs whatever it is sent, and asks nobody who they are: without TLS, only this
    machine's own is used.
    """
    parts = re.fullmatch(r"(tcp|tls)://(\[[0-9a-f:]+\]|[\w.-]+):(\d+)", address)
    if not parts:
        return f"--cluster {address}: an address is like tcp://127.0.0.1:8786, or here"
    if not 0 < int(parts[3][:9]) < 65_536:
        return f"--cluster {address}: a port is a number from 1 to 65,535"
    host = parts[2].strip("[]")
    with contextlib.suppress(ValueError):
        if parts[1] == "tls" or host == "localhost" or ipaddress.ip_address(host).is_loopback:
            return None
    return (
        f"--cluster {address} is not this machine: use tls://{parts[2]}:{parts[3]} with the "
        "certificates of Dask's configuration, and in a trusted network only"
    )


@contextlib.contextmanager
def workers(address, jobs):
    """Let joblib play on Dask: at an address, or on processes `here`; None: in threads."""
    if address is None:
        yield
        return
    import joblib
    from distributed import Client, LocalCluster

    with contextlib.ExitStack() as stack:
        if address == "here":  # no other machine can reach it
            asked = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
            address = stack.enter_context(
                LocalCluster(n_workers=jobs, threads_per_worker=1, **asked)
            )
        stack.enter_context(Client(address, timeout="10s"))
        stack.enter_context(joblib.parallel_config(backend="dask"))
        yield


def main(arguments=None):
    """Run the command line; return the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["league"]:
        from experiments import league

        return league.main(arguments[1:], workers, address_fault)
    tables = registry.load()
    asked = parsed(arguments, tables)
    if asked.list:
        for name, table in tables.items():
            about = table.function.__doc__
            print(f"{name:20s} {table.code()} {table.number:5d} {table.unit:14s} {about}")
        return 0
    try:
        if asked.recount:
            results.recount()
            return 0
        with workers(asked.cluster, asked.jobs):
            for name in asked.tables or tables:
                make(tables[name], asked.games, asked.jobs)
    except (store.StoreError, behaviour.StaleError) as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        if asked.cluster is None or isinstance(error, BrokenPipeError):
            raise
        print(f"--cluster {asked.cluster}: {error}", file=sys.stderr)
        return 2
    return 0


def make(table, number, jobs):
    """Make a table; with another number than the usual one, as a trial."""
    if number in (None, table.number):
        results.make(table, jobs=jobs)
        return
    with store.trial(number):
        results.make(table, number, jobs)
    few = "too few for the figure of its study" if number < table.number else "not its study's"
    print(
        f"{table.name}: {number} {table.unit}, not {table.number}: {few}; that keeps its own "
        "table"
    )


if __name__ == "__main__":
    run(main)

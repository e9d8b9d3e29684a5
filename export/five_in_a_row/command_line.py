# Copied from tools/package/command_line.py: change that file.
"""The command line: a game in a window, or with --gomocup a brain for tournaments.

What it needs is imported where it is needed, so that --help and a refusal come at once, and
the window opens before the search is loaded.
"""

import argparse
import dataclasses
import sys

PROGRAM = "five_in_a_row"


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Play five in a row against the computer.",
        epilog="Exit status: 0 played; 1 no manager; 2 no display, or a wrong argument.",
    )
    parser.add_argument(
        "--size", type=int, default=8, metavar="N", help="points a side, 3 to 20 (default 8)"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=5.0,
        metavar="S",
        help="the computer's time for a move (default 5)",
    )
    parser.add_argument(
        "--color",
        choices=("black", "white"),
        default="black",
        help="your colour; black moves first (default black)",
    )
    parser.add_argument(
        "--level", type=int, metavar="L", help="1, beginner, to 10, full strength (default 10)"
    )
    parser.add_argument(
        "--gomocup",
        action="store_true",
        help="play in tournaments: speak the Gomocup protocol, open no window",
    )
    parser.error = lambda message: parser.exit(2, f"{PROGRAM}: {message}\n")
    options = parser.parse_args(arguments)
    if options.gomocup and options != parser.parse_args(["--gomocup"]):
        parser.error("--gomocup takes no other option: the manager says what is played")
    return options


def play_in_window(options: argparse.Namespace) -> int:
    """Play in a window, print result and record; return the exit status."""
    from five_in_a_row import core, extras
    from five_in_a_row.opponents import OPPONENTS, OWN

    try:
        record = core.new_record(options.size, options.seconds, options.color, options.level)
        core.open_window()
    except core.NoDisplay as error:
        instead = "five_in_a_row.ipynb in JupyterLab shows the board inside the page"
        print(f"{PROGRAM}: {error}; {instead}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    controller = core.Controller(core.Session(record, OPPONENTS | OWN))
    extras.add_extras(controller)
    record = core.Window(controller).run()
    bare = dataclasses.replace(
        record, players=("", "")
    )  # sides are named by colour, not "you"
    ending = core.heading(core.Session(bare, {})) if record.over else "unfinished"
    print(f"{ending}, {record.game.stage}")
    print(record.game, core.record_text(record.game), sep="\n")
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Play in a window, or be a brain; return the exit status."""
    options = read_options(arguments)
    try:
        if options.gomocup:
            from five_in_a_row.gomocup import gomocup

            return gomocup()
        return play_in_window(options)
    except ImportError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2

"""The command line: a game in a window, or with --gomocup a brain for tournaments."""

import argparse
import sys

from five_in_a_row.core import (
    NoDisplay,
    View,
    Window,
    count_moves,
    heading,
    keeper,
    new_played,
    offer,
    open_window,
    record_text,
)
from five_in_a_row.gomocup import gomocup


def main(arguments=None) -> int:
    """Play in a window, print result and record, or be a brain; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="five_in_a_row",
        description="Play five in a row against the computer.",
        epilog="Exit status: 0 played; 2 no display, or a wrong argument.",
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
    parser.error = lambda message: parser.exit(2, f"{parser.prog}: {message}\n")
    options = parser.parse_args(arguments)
    if options.gomocup:
        return gomocup()
    try:
        played = new_played(options.size, options.seconds, options.color, options.level)
        open_window()
    except (ValueError, NoDisplay) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    played = offer(Window(played, keeper())).run()
    game, view = played.game, View(resigned=played.resigned)
    ending = heading(game, view) if played.over else "unfinished"
    print(f"{ending}, {count_moves(len(game.played))}" if played.over else ending)
    print(game, record_text(game), sep="\n")
    return 0

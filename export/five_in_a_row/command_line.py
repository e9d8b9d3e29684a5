"""The command line: a game in a window or as text, the desk, a tournament brain, compiling.

What it needs is imported where it is needed, so that --help and a refusal come at once, and
the window opens before the search is loaded.
"""

import argparse
import dataclasses
import queue
import sys
import threading

PROGRAM = "five_in_a_row"
INTERRUPTED = 130  # what shells say of a program that Ctrl-C has ended


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Play five in a row against the computer.",
        epilog="Exit status: 0 played, or compiled; 1 no manager, or what was compiled cannot "
        "be kept; 2 no display, no notebook, or a wrong argument; 130 interrupted.",
    )
    parser.add_argument(
        "--size",
        type=int,
        metavar="N",
        help="points a side, 3 to 20 (default 8, on the desk 15)",
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
        "--desk",
        nargs="?",
        const="",
        metavar="FILE",
        help="open the analysis desk, with the game of a .psq, .sgf or .txt file",
    )
    parser.add_argument(
        "--notebook",
        metavar="FILE",
        help="play against this notebook (.ipynb, or a zip that was handed in), which runs in "
        "a process of its own; with --gomocup it is the brain",
    )
    parser.add_argument(
        "--gomocup",
        action="store_true",
        help="play in tournaments: speak the Gomocup protocol, open no window",
    )
    parser.add_argument(
        "--connect-four",
        action="store_true",
        help="play Connect-4 as text in this terminal; takes --seconds and --color",
    )
    parser.add_argument(
        "--compile",
        action="store_true",
        help="compile the engine ahead of the first game, once on a machine; open no window",
    )
    parser.error = lambda message: parser.exit(2, f"{PROGRAM}: {message}\n")
    options = parser.parse_args(arguments)
    bare = argparse.Namespace(**vars(options) | {"notebook": None})
    if options.gomocup and bare != parser.parse_args(["--gomocup"]):
        parser.error("--gomocup takes no other option: the manager says what is played")
    if options.desk is not None and options.notebook is not None:
        parser.error("--desk takes no --notebook: nobody plays at first")
    if options.desk is not None and (options.color, options.level) != ("black", None):
        parser.error("--desk takes no --color and no --level: nobody plays at first")
    text = ["--connect-four", "--seconds", str(options.seconds), "--color", options.color]
    if options.connect_four and options != parser.parse_args(text):
        parser.error("--connect-four takes only --seconds and --color")
    if options.compile and options != parser.parse_args(["--compile"]):
        parser.error("--compile takes no other option: one engine plays all of them")
    return options


def compile_ahead() -> int:
    """Compile the engine and say how far it is; return the exit status.

    It compiles in a thread of its own, so that Ctrl-C is answered at once.
    """
    from five_in_a_row import cache, compiling
    from five_in_a_row.gomocup import next_item

    shares = queue.SimpleQueue()  # of the work that is done; None: it has ended
    failed = []

    def work():
        try:
            compiling.compile_all(progress=lambda done, total: shares.put(done / total))
        except Exception as error:
            failed.append(error)
        shares.put(None)

    threading.Thread(target=work, daemon=True).start()
    step, end = (1, "\r") if sys.stdout.isatty() else (10, "\n")
    print("Compiling the engine takes up to a minute, once on this machine.", flush=True)
    printed = 0  # per cent
    while (share := next_item(shares)) is not None:
        now = int(100 * share) // step * step
        if now > printed:
            printed = now
            print(f"{now:3} %", end=end, flush=True)
    if failed:
        raise failed[0]
    if cache.said:
        print("It is compiled, but cannot be kept: each start compiles it anew.")
        return 1
    print("The engine is compiled: every game begins at once.")
    return 0


def open_game(options: argparse.Namespace):
    """Return a window with a new game; ValueError, or NoDisplay, says what is wrong."""
    import five_in_a_row as five
    from five_in_a_row import extras, play
    from five_in_a_row.opponents import OPPONENTS, OWN

    record = five.window.new_record(
        8 if options.size is None else options.size,
        options.seconds,
        options.color,
        options.level,
    )
    session = five.window.Session(record, OPPONENTS | OWN)
    if options.notebook is not None:
        name = play.add_notebook(session, options.notebook)
        record.players = tuple(name if each == "engine" else each for each in record.players)
        try:
            session.opponents[name].player.start()  # says now what is wrong with its cells
        except five.seats.EngineFault as fault:
            raise ValueError(f"{options.notebook}: {fault.what}") from None
    five.window.open_window()
    controller = five.window.Controller(session)
    extras.add_extras(controller)
    play.add_desk(controller)
    return five.window.Window(controller)


def open_desk_window(options: argparse.Namespace):
    """Return a window with the desk; ValueError where its file cannot be read."""
    from five_in_a_row import desk

    size = 15 if options.size is None else options.size
    try:
        return desk.desk_window(options.desk or None, size, seconds=options.seconds)
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(f"{options.desk} cannot be read: {reason}") from None


def play_in_window(options: argparse.Namespace) -> int:
    """Play in a window, print result and record; return the exit status."""
    import five_in_a_row as five

    try:
        window = open_desk_window(options) if options.desk is not None else open_game(options)
    except five.window.NoDisplay as error:
        instead = "five_in_a_row.ipynb in JupyterLab shows the board inside the page"
        print(f"{PROGRAM}: {error}; {instead}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    record = window.run()
    ending = "unfinished"
    if record.over:
        bare = dataclasses.replace(record, players=("", ""))  # sides by colour, not "you"
        ending = five.window.heading(five.window.Session(bare, {}))
    print(f"{ending}, {record.game.stage}")
    print(record.game, five.figures.record_text(record.game), sep="\n")
    return INTERRUPTED if window.interrupted else 0


def play_as_text(options: argparse.Namespace) -> int:
    """Play Connect-4 in the terminal; return the exit status."""
    from five_in_a_row.connect_four import play_in_terminal

    first = "person" if options.color == "black" else "agent"
    try:
        play_in_terminal(seconds=options.seconds, first=first)
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    return 0


def be_brain(notebook: str | None) -> int:
    """Speak the Gomocup protocol for the engine, or a notebook; return the exit status."""
    from five_in_a_row import gomocup

    if notebook is None:
        return gomocup.gomocup()
    from five_in_a_row.notebook_player import notebook_brain

    try:
        brain, opponent = notebook_brain(notebook)
    except ValueError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    try:
        return gomocup.gomocup(brain=brain)
    finally:
        opponent.close()


def main(arguments: list[str] | None = None) -> int:
    """Play in a window, be a brain, or compile; return the exit status."""
    options = read_options(arguments)
    try:
        if options.gomocup:
            return be_brain(options.notebook)
        if options.connect_four:
            return play_as_text(options)
        return compile_ahead() if options.compile else play_in_window(options)
    except ImportError as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED

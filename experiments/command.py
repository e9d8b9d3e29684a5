"""What the command lines here share: numbers in their range, closed pipes, Ctrl-C."""

import argparse
import os
import sys

INTERRUPTED, PIPE_CLOSED = 130, 141  # exit codes, as a shell reports them


def whole(least, most):
    """Return what reads a whole number in this range; argparse says why it cannot."""
    return reader(int, f"a whole number from {least:,} to {most:,}", least, most)


def number(least, most):
    """Return what reads a number in this range; argparse says why it cannot."""
    return reader(float, f"a number from {least:,} to {most:,}", least, most)


def reader(kind, allowed, least, most):
    """Return a function from text to a number of that kind, for argparse."""

    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:  # NaN is in no range
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not {allowed}")
        return value

    return read


def check_folder(parser, file):
    """End the command with status 2 unless a file can be written there."""
    if file.is_dir():
        parser.error(f"{file} is a folder: name a file")
    if not file.absolute().parent.is_dir():
        parser.error(f"{file}: there is no folder {file.parent}")


def reported(work, *arguments):
    """Call work(*arguments); return 0, or 2 with a sentence where it fails."""
    try:
        work(*arguments)
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 2
    return 0


def run(main):
    """Call main() and end the process with the exit code that it returns.

    A reader that has gone (`| head`), Ctrl-C, and a file or a disk that cannot be written end
    it without a traceback.
    """
    try:
        code = status_of(main)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        forget_output()
        code = PIPE_CLOSED
    except KeyboardInterrupt:
        print("interrupted: what is finished is kept", file=sys.stderr)
        code = INTERRUPTED
    except OSError as error:
        forget_output()
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        code = 2
    sys.exit(code)


def status_of(main):
    """Return the exit code of main(), or that with which argparse ends it."""
    try:
        return main()
    except SystemExit as end:
        return end.code


def forget_output():
    """Let what is still to be written to the standard output go nowhere."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

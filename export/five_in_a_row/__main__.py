"""python export/five_in_a_row: play in a window, be a tournament brain, or compile ahead."""

import os
import sys
import threading
from pathlib import Path

if not __package__:  # run as a folder: Python looks for modules inside it, not beside it
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

try:
    from five_in_a_row.command_line import main

    status = main()
except KeyboardInterrupt:  # as early as while the package is loaded
    status = 130
if any(thread.daemon for thread in threading.enumerate()):  # one may compile, which goes on
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
sys.exit(status)

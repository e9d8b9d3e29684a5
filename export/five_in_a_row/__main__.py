# Copied from tools/package/__main__.py: change that file.
"""python export/five_in_a_row: play in a window; with --gomocup, be a tournament brain."""

import sys
from pathlib import Path

if not __package__:  # run as a folder: Python looks for modules inside it, not beside it
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from five_in_a_row.command_line import main

sys.exit(main())

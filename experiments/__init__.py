"""The long experiments of the project: python -m experiments --list, from its folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "export"))

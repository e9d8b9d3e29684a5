"""Break the code in small ways, one at a time, and see that a test notices each of them.

    python tools/mutate.py            every edit of tools/mutations.txt
    python tools/mutate.py 3 17       the third and the seventeenth only

An edit is *killed* by a test that fails. It has *survived* if its test passes, and is *broken*
if no test ran: then it proves nothing. The exit status is 1 unless all of them are killed.
Everything happens in a copy of the project. tests/test_mutations.py runs the same edits.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))

from experiments.command import run  # noqa: E402

LEFT_OUT = ".git", ".venv", "node_modules", "*.html", "__pycache__", ".*_cache", "screens"
PATIENCE = 900  # seconds for one test, kernels compiled


class Edit(NamedTuple):
    """A small change of a file, and the test that must fail with it."""

    file: str  # from the root of the project
    test: str  # as pytest names it
    old: str  # occurs once in the file
    new: str


def edits(text=None):
    """Return the edits of tools/mutations.txt, or of a text like it."""
    text = text or (ROOT / "tools" / "mutations.txt").read_text("utf-8")
    found = re.findall(r"^@ (\S+) (\S+)\n((?:[-+] .*\n)+)", text, re.M)
    folder = "export/five_in_a_row/"
    return [
        Edit(
            file if "/" in file else folder + file,
            f"tests/{test}",
            *("\n".join(x[2:] for x in lines.splitlines() if x[0] == sign) for sign in "-+"),
        )
        for file, test, lines in found
    ]


def copied(folder):
    """Copy what the tests need to a folder, with the dates of the files; return it."""
    ignore = shutil.ignore_patterns(*LEFT_OUT)
    return Path(shutil.copytree(ROOT, folder, ignore=ignore, dirs_exist_ok=True))


def outcome(edit, folder):
    """Return "killed", "survived" or "broken" for an edit of the copy, and what pytest wrote.

    The file is then as it was, with its date, since compiled kernels are known by it.
    """
    file, kept = folder / edit.file, {k: v for k, v in os.environ.items() if "PYTEST" not in k}
    before, dates = file.read_text("utf-8"), file.stat()
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    try:
        file.write_text(before.replace(edit.old, edit.new), "utf-8")
        run = subprocess.run(
            [*command, edit.test],
            cwd=folder,
            env=kept,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired as error:
        return "broken", f"{error}"
    finally:
        file.write_text(before, "utf-8")
        os.utime(file, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    failed = run.returncode == 1 and re.search(r"\d failed", run.stdout)
    name = "killed" if failed else "broken" if run.returncode else "survived"
    return name, run.stdout + run.stderr


def main(numbers):
    """Try the edits of these numbers, or all; return the exit status."""
    alive, every = 0, list(enumerate(edits(), 1))
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(folder)
        for number, edit in [every[n - 1] for n in numbers] or every:
            begun = time.monotonic()
            name, words = outcome(edit, copy)
            took = time.monotonic() - begun
            why = words if name == "broken" else "".join(re.findall("\nE +(.*)", words)[:1])
            where = f"{Path(edit.file).name}  {edit.test}"
            print(f"{number:3} {name:8} {took:4.0f} s  {where}\n    {why}", flush=True)
            alive += name != "killed"
    return int(alive > 0)


def command():
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    most = len(edits())
    parser.add_argument("numbers", nargs="*", type=int, help=f"1 to {most}; none: all")
    asked = parser.parse_args().numbers
    if wrong := [number for number in asked if not 1 <= number <= most]:
        parser.error(f"there is no edit {wrong[0]}: the list has 1 to {most}")
    return main(asked)


if __name__ == "__main__":
    run(command)

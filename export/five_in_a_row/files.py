"""What is written: files that are whole or untouched, and names that stay on one line.

A file is written beside the old one, under a name that nobody can foretell, and takes its
place when it is complete. A process that is killed may leave its temporary file; whoever
writes to the same file next removes it.
"""

import contextlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path


def one_line(text: str) -> str:
    """Return text as one line: what cannot be printed becomes a space, the ends are bare.

    No line break, escape sequence or half of a letter is left in it, so it can stand in any
    file and on any terminal.
    """
    return "".join(c if c.isprintable() else " " for c in text).strip()


@contextlib.contextmanager
def temporary_file(path: Path, suffix: str = ".tmp") -> Iterator[Path]:
    """Give a with block a new, empty file beside `path`; what is left of it is removed.

    Nothing had its name before, so no link is followed. Where `path` exists, nobody else can
    read the new file; put_in_place gives it the mode of the old one.
    """
    remove_left_behind(path, suffix)
    name = f".{path.name}.{os.getpid()}-{secrets.token_hex(8)}{suffix}"
    temporary = path.with_name(name)
    temporary.touch(0o600 if path.exists() else 0o666, exist_ok=False)
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def temporary_files(paths: Iterable[Path]) -> Iterator[dict[Path, Path]]:
    """Give a with block {path: its temporary file}, see temporary_file."""
    with contextlib.ExitStack() as stack:
        unlike = dict.fromkeys(paths)
        yield {path: stack.enter_context(temporary_file(path)) for path in unlike}


def put_in_place(temporary: Path, path: Path) -> None:
    """Let a temporary file take the place of `path`, whose mode stays."""
    if path.exists():
        shutil.copymode(path, temporary)
    os.replace(temporary, path)


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link stays a link, the file's mode stays.

    Raises OSError where it cannot be written; what was there is then as it was.
    """
    path = Path(os.path.realpath(path))
    with temporary_file(path) as temporary:
        temporary.write_bytes(data)
        put_in_place(temporary, path)


def remove_left_behind(path: Path, suffix: str = ".tmp") -> None:
    """Remove the temporary files of `path` whose processes were killed."""
    made = rf"\.{re.escape(path.name)}\.(\d{{1,9}})(-[0-9a-f]+)?{re.escape(suffix)}"
    with contextlib.suppress(OSError):  # a folder that cannot be listed, a file of others
        for file in list(path.parent.iterdir()):
            found = re.fullmatch(made, file.name)
            if found and not is_running(int(found[1])):
                file.unlink()


def is_running(process: int) -> bool:
    """Return True if a process of that number runs, or where nothing can tell."""
    try:
        import psutil
    except ImportError:
        return True
    return psutil.pid_exists(process)

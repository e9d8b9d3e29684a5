"""The store of a study: its games and what else was found, one by one, for its tables.

In progress each match, and each set of rows, is a plain CSV file that grows by a line for each
game, so a command that was killed goes on where it was. When a table is complete its files are
packed into games/STUDY.tar.xz and deleted. That archive is replaced whole or not at all, under
a lock, so two commands keep each other's games. One that cannot be read is never written to.

Why no database: the 751 files hold 27 MB of text. In sqlite, a line a row, they take 54 MB,
and 7 MB with each file compressed by itself; packed together they take 4.3 MB, for their lines
are alike.
"""

import contextlib
import csv
import io
import lzma
import os
import tarfile
from pathlib import Path

from filelock import FileLock, Timeout
from five_in_a_row.files import replace_file

FOLDER = Path(__file__).resolve().parent
RESULTS, GAMES = FOLDER / "results", FOLDER / "games"
WHOLE = None  # the folder of the studies' own games, while a trial runs
STORES = {}  # {path: Store} of those that this run uses
LOCKS = ".locks"  # the folder of the locks, beside the archive
UNREADABLE = (EOFError, OSError, lzma.LZMAError, tarfile.TarError)
# text packs a little smaller with more bits of context and none of position
TEXT = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}


class StoreError(Exception):
    """The games cannot be read or written: one sentence that says what to do."""


# -- where it is ---------------------------------------------------------------------------
def store(study, folder=None):
    """Return the store of a study, in GAMES or another folder."""
    path = (folder or GAMES) / f"{study}.tar.xz"
    return STORES.setdefault(path, Store(path))


@contextlib.contextmanager
def elsewhere(results, games, whole=None):
    """Let tables and games go to other folders.

    whole   a folder of stores with whose rows those of the new ones begin
    """
    global RESULTS, GAMES, WHOLE
    before = RESULTS, GAMES, WHOLE
    RESULTS, GAMES, WHOLE = results, games, whole
    try:
        yield
    finally:
        RESULTS, GAMES, WHOLE = before


def trial(number):
    """Let tables and games of that number go to a folder of their own below RESULTS.

    Rows begin there with what the study knows, for none of them depends on the number.
    """
    folder = RESULTS / "trials" / str(number)
    return elsewhere(folder, folder, GAMES)


# -- the store -----------------------------------------------------------------------------
class Store:
    """The files of a study: path is where they are packed, or will be, as NAME.tar.xz."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        self.known: tuple = (None, {})  # when the archive was written, and what it held then
        self.locks: dict[str, FileLock] = {}  # of the files that were handed out

    def files(self) -> dict[str, bytes]:
        """Return {name: content} of the packed files; StoreError if they are unreadable."""
        written = self.path.stat().st_mtime_ns if self.path.exists() else None
        if written is None:
            return {}
        if self.known[0] != written:
            try:
                self.known = written, unpacked(self.path.read_bytes())
            except UNREADABLE as error:
                raise StoreError(
                    f"{self.path} cannot be read ({error}): bring it back with git checkout, "
                    "or move it away; nothing was written to it, and new games are in the CSV "
                    "files beside it"
                ) from None
        return self.known[1]

    def file(self, name: str) -> Path:
        """Return a plain CSV file that holds the games so far and takes new ones.

        It exists only if there are such games. Until `pack` it belongs to this command.
        Raises StoreError if another command uses it, or if the archive is unreadable.
        """
        path = self.path.with_name(name)
        if name not in self.locks:
            self.locks[name] = self.lock(name)
            if (old := self.files().get(name)) is not None:
                replace_file(path, united(old, path))
        return path

    def rows(self, name: str, keys, values) -> "Rows":
        """Return what was found by key so far, in the file NAME.csv."""
        path = self.file(f"{name}.csv")
        if WHOLE and not path.exists():
            known = store(self.path.name.split(".")[0], WHOLE).files()
            replace_file(path, known.get(path.name, b""))
        return Rows(path, keys, values)

    def lock(self, name: str, seconds: float = 0) -> FileLock:
        """Return a lock that is held; StoreError if another command has it for longer."""
        folder = self.path.parent / LOCKS
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{name}.lock", timeout=seconds)
        try:
            lock.acquire()
        except Timeout:
            raise StoreError(
                f"another command uses {self.path.with_name(name)}: wait until it has ended"
            ) from None
        return lock

    def pack(self) -> None:
        """Put the files that were handed out into the archive, then delete them."""
        names = [name for name in self.locks if self.path.with_name(name).exists()]
        self.change(
            lambda files: {n: united(files.get(n), self.path.with_name(n)) for n in names}
        )
        for name in names:
            self.path.with_name(name).unlink()
        self.release()

    def change(self, changed) -> None:
        """Replace the packed files that changed({name: content}) returns anew."""
        lock = self.lock(self.path.name, seconds=600)
        try:
            self.known = None, {}  # another command may have packed meanwhile
            before = self.files()
            after = before | changed(before)
            if after != before:
                replace_file(self.path, packed(after))
                self.known = None, {}
            if self.files() != after:
                raise StoreError(
                    f"{self.path} was not written as it should: keep the CSV files"
                )
        finally:
            lock.release()

    def release(self) -> None:
        """Let other commands use the files that were handed out."""
        while self.locks:
            self.locks.popitem()[1].release()


class Rows:
    """Rows of a plain CSV file by key, which is a tuple; all values are texts."""

    def __init__(self, path, keys, values):
        self.path, self.width, self.found = path, len(keys), {}
        data = path.read_bytes() if path.exists() else b""
        whole = data.rfind(b"\n") + 1  # a stop may leave half a line
        if not whole:
            path.write_text(",".join([*keys, *values]) + "\n", "utf-8")
        elif whole < len(data):
            os.truncate(path, whole)  # written anew, it would be lost by another stop
        for row in list(csv.reader(data[:whole].decode().splitlines()))[1:]:
            self.found[tuple(row[: self.width])] = row[self.width :]

    def __contains__(self, key):
        """Return whether there is a row of that key."""
        return tuple(map(str, key)) in self.found

    def __getitem__(self, key):
        """Return the values of a key; KeyError where they are not known yet."""
        return self.found[tuple(map(str, key))]

    def __setitem__(self, key, values):
        """Keep the values of a new key."""
        key, values = tuple(map(str, key)), [str(value) for value in values]
        self.found[key] = values
        with self.path.open("a", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerow([*key, *values])

    def of(self, key, find):
        """Return the values of a key, from find() where they are not known yet."""
        if key not in self:
            self[key] = find()
        return self[key]


# -- files ---------------------------------------------------------------------------------
def split_match(data: bytes) -> tuple[str | None, bytes]:
    """Return (what the first line says of the players of a match, the other lines).

    It is None for a file of rows, which has no such line. A file whose line is another one is
    of another match.
    """
    head, _, lines = data.partition(b"\n")
    return (head[2:].decode(), lines) if head.startswith(b"# ") else (None, data)


def united(old: bytes | None, path: Path) -> bytes:
    """Return the lines of a packed file, then those that the plain one has beyond them.

    Raises StoreError if their first lines differ, for then they are of different matches.
    """
    new = path.read_bytes() if path.exists() else b""
    if old is None or new.startswith(old):
        return new
    lines = [line for line in new.splitlines(keepends=True) if line.endswith(b"\n")]
    known = old.splitlines(keepends=True)
    if lines and lines[0] != known[0]:
        raise StoreError(
            f"{path} and the packed file of that name are of different matches: "
            f"move {path.name} away; nothing is lost"
        )
    kept = set(known)
    return old + b"".join(line for line in lines if line not in kept)


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return {name: content} of an archive's bytes; one of UNREADABLE if they are damaged.

    A link or a device has no content, and a name with a folder, such as ../a.csv, is not ours.
    """
    found = {}
    whole = io.BytesIO(lzma.decompress(data))  # to its last byte
    with tarfile.open(fileobj=whole) as packet:
        for member in packet:
            name = member.name
            plain = member.isreg() and name.isprintable() and not set(name) & set("/\\:")
            if not plain or not name.endswith(".csv") or name in found:
                raise tarfile.TarError(f"{ascii(name[:80])} in it is no CSV file, or twice")
            found[name] = packet.extractfile(member).read()
    return found


def packed(files: dict[str, bytes]) -> bytes:
    """Return the bytes of an archive of these files; the same files give the same bytes."""
    packet = io.BytesIO()
    with tarfile.open(fileobj=packet, mode="w") as archive:
        for name in sorted(files):
            about = tarfile.TarInfo(name)  # its date is 1970-01-01
            about.size = len(files[name])
            archive.addfile(about, io.BytesIO(files[name]))
    return lzma.compress(packet.getvalue(), filters=[TEXT])

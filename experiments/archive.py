"""The games of a study, packed: CSV files in one .tar.xz, with those in progress beside it.

A match writes to a plain CSV file. `Archive.file` hands that file out, with the games that
the archive holds of it already; `Archive.pack` puts all files that were handed out into the
archive and deletes them. The archive is replaced whole or not at all, under a lock, so two
commands keep each other's games. One that cannot be read is never written to.
"""

import io
import lzma
import tarfile
from pathlib import Path

from filelock import FileLock, Timeout
from five_in_a_row.files import replace_file

UNREADABLE = (EOFError, OSError, lzma.LZMAError, tarfile.TarError)
LOCKS = ".locks"  # the folder of the locks, beside the archive
# text packs a little smaller with more bits of context and none of position
TEXT = {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}


class ArchiveError(Exception):
    """The games cannot be read or written: one sentence that says what to do."""


class Archive:
    """The packed games of a study: path is where they are, or will be, as NAME.tar.xz."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        self.known: tuple = (None, {})  # when it was written, and what it held then
        self.locks: dict[str, FileLock] = {}  # of the files that were handed out

    def files(self) -> dict[str, bytes]:
        """Return {name: content} of the packed files; ArchiveError if they are unreadable."""
        if not self.path.exists():
            return {}
        try:
            whole = io.BytesIO(lzma.decompress(self.path.read_bytes()))  # to its last byte
            with tarfile.open(fileobj=whole) as packet:
                found = {}
                for member in packet:
                    check_member(member, found)
                    found[member.name] = packet.extractfile(member).read()
                return found
        except UNREADABLE as error:
            raise ArchiveError(
                f"{self.path} cannot be read ({error}): bring it back with git checkout, or "
                "move it away; nothing was written to it, and new games are in the CSV files "
                "beside it"
            ) from None

    def file(self, name: str) -> Path:
        """Return a plain CSV file that holds the games so far and takes new ones.

        It exists only if there are such games. Until `pack` it belongs to this command.
        Raises ArchiveError if another command uses it, or if the archive is unreadable.
        """
        path = self.path.with_name(name)
        if name not in self.locks:
            self.locks[name] = self.lock(name)
            if (old := self.held().get(name)) is not None:
                replace_file(path, united(old, path))
        return path

    def held(self) -> dict[str, bytes]:
        """Return files(), read again only where the archive has been replaced."""
        written = self.path.stat().st_mtime_ns if self.path.exists() else 0
        if self.known[0] != written:
            self.known = written, self.files()
        return self.known[1]

    def lock(self, name: str, seconds: float = 0) -> FileLock:
        """Return a lock that is held; ArchiveError if another command has it for longer."""
        folder = self.path.parent / LOCKS
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f"{name}.lock", timeout=seconds)
        try:
            lock.acquire()
        except Timeout:
            raise ArchiveError(
                f"another command uses {self.path.with_name(name)}: wait until it has ended"
            ) from None
        return lock

    def pack(self) -> None:
        """Put the files that were handed out into the archive, then delete them."""
        plain = {
            name: path for name in self.locks if (path := self.path.with_name(name)).exists()
        }
        lock = self.lock(self.path.name, seconds=600)
        try:
            before = self.files()  # with what another command has packed meanwhile
            after = before | {
                name: united(before.get(name), path) for name, path in plain.items()
            }
            if after != before:
                replace_file(self.path, packed(after))
            if self.files() != after:
                raise ArchiveError(
                    f"{self.path} was not written as it should: keep the CSV files"
                )
        finally:
            lock.release()
        for path in plain.values():
            path.unlink()
        self.release()

    def release(self) -> None:
        """Let other commands use the files that were handed out."""
        while self.locks:
            self.locks.popitem()[1].release()


def check_member(member: tarfile.TarInfo, found) -> None:
    """Raise TarError unless a member is one plain CSV file, whose name is not `found` yet.

    A link or a device has no content, and a name with a folder, such as ../a.csv, is not ours.
    """
    name, said = member.name, ascii(member.name[:80])
    if not member.isreg():
        raise tarfile.TarError(f"{said} in it is a link, a folder or a device")
    if set(name) & set("/\\:") or not (name.isprintable() and name.endswith(".csv")):
        raise tarfile.TarError(f"{said} in it is not the name of a CSV file")
    if name in found:
        raise tarfile.TarError(f"{said} is in it twice")


def united(old: bytes | None, path: Path) -> bytes:
    """Return the lines of a packed file, then those that the plain one has beyond them.

    Raises ArchiveError if their first lines differ, for then they are of different matches.
    """
    new = path.read_bytes() if path.exists() else b""
    if old is None or new.startswith(old):
        return new
    lines = [line for line in new.splitlines(keepends=True) if line.endswith(b"\n")]
    known = old.splitlines(keepends=True)
    if lines and lines[0] != known[0]:
        raise ArchiveError(
            f"{path} and the packed file of that name are of different matches: "
            f"move {path.name} away; nothing is lost"
        )
    kept = set(known)
    return old + b"".join(line for line in lines if line not in kept)


def packed(files: dict[str, bytes]) -> bytes:
    """Return the bytes of an archive of these files; the same files give the same bytes."""
    packet = io.BytesIO()
    with tarfile.open(fileobj=packet, mode="w") as archive:
        for name in sorted(files):
            about = tarfile.TarInfo(name)  # its date is 1970-01-01
            about.size = len(files[name])
            archive.addfile(about, io.BytesIO(files[name]))
    return lzma.compress(packet.getvalue(), filters=[TEXT])

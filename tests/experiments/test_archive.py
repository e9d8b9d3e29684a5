"""The packed games: nothing is lost, whatever is stopped, broken or run twice."""

import io
import lzma
import multiprocessing
import os
import subprocess
import sys
import tarfile

import five_in_a_row as five
import pytest
from helpers import FunctionPlayer

from experiments.archive import Archive, ArchiveError, packed

HEAD = b"# a match\ngame,moves\n"


@pytest.fixture
def path(tmp_path):
    """Return where an archive will be."""
    return tmp_path / "games" / "study.tar.xz"


def keep(path, name, text):
    """Pack one file by a command of its own."""
    archive = Archive(path)
    archive.file(name).write_bytes(text)
    archive.pack()


def plain(path):
    """Return the names of the files beside the archive."""
    return sorted(file.name for file in path.parent.iterdir() if file.is_file())


# -- packing -------------------------------------------------------------------------------
def test_a_finished_file_is_packed_and_handed_out_again(path):
    keep(path, "one.csv", HEAD + b"0,a1\n")
    assert plain(path) == ["study.tar.xz"]
    archive = Archive(path)
    file = archive.file("one.csv")
    assert file.read_bytes() == HEAD + b"0,a1\n" and archive.file("one.csv") == file
    file.write_bytes(HEAD + b"0,a1\n1,b2\n")
    archive.pack()
    assert Archive(path).files() == {"one.csv": HEAD + b"0,a1\n1,b2\n"}
    assert plain(path) == ["study.tar.xz"]


def test_the_same_games_give_the_same_archive(path):
    keep(path, "one.csv", HEAD)
    keep(path, "two.csv", HEAD)
    before = path.read_bytes(), path.stat().st_mtime_ns
    archive = Archive(path)
    for name in ("two.csv", "one.csv", "never.csv"):
        archive.file(name)
    archive.pack()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert packed({"one.csv": HEAD, "two.csv": HEAD}) == before[0]


def test_a_match_goes_on_from_the_archive(path):
    def match(games):
        archive = Archive(path)
        file = archive.file("match.csv")
        rules = five.game.Rules(5, 4)
        table = five.strength.play_match(watched, watched, games, rules, seed=3, path=file)
        archive.pack()
        return table

    def player(game, seed=None):
        played.append(game)
        return five.mcts.RandomPlayer().move(game, seed)

    played, watched = [], FunctionPlayer(player)
    four = match(4)
    played.clear()
    assert match(4).equals(four) and not played  # read, times and all
    six = match(6)
    assert six.iloc[:4].equals(four) and {len(six), len(Archive(path).files())} == {6, 1}


# -- stops and faults ----------------------------------------------------------------------
def test_games_of_a_stopped_command_are_found_by_the_next_one(path):
    keep(path, "one.csv", HEAD + b"0,a1\n")
    stopped = Archive(path)
    stopped.file("one.csv").write_bytes(HEAD + b"0,a1\n1,b2\n2,c")
    stopped.release()  # as the system does when a command is killed
    archive = Archive(path)
    assert archive.file("one.csv").read_bytes() == HEAD + b"0,a1\n1,b2\n2,c"
    archive.file("one.csv").write_bytes(HEAD + b"0,a1\n1,b2\n")
    archive.pack()
    assert Archive(path).files() == {"one.csv": HEAD + b"0,a1\n1,b2\n"}


def test_games_that_only_one_of_the_two_has_are_united(path):
    keep(path, "one.csv", HEAD + b"0,a1\n1,b2\n")
    path.with_name("one.csv").write_bytes(HEAD + b"2,c3\n1,b2\n3,d")
    assert Archive(path).file("one.csv").read_bytes() == HEAD + b"0,a1\n1,b2\n2,c3\n"


def test_two_matches_under_one_name_are_refused_and_kept(path):
    keep(path, "one.csv", HEAD + b"0,a1\n")
    other = path.with_name("one.csv")
    other.write_bytes(b"# another match\ngame,moves\n0,c3\n")
    with pytest.raises(ArchiveError, match="one.csv .* different matches: move one.csv away"):
        Archive(path).file("one.csv")
    assert b"c3" in other.read_bytes() and Archive(path).files()["one.csv"].endswith(b"a1\n")


def broken(data, how):
    """Return an archive's bytes, broken in one of several ways."""
    middle = len(data) // 2
    changed = data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]
    return {"empty": b"", "cut": data[:-9], "half": data[:middle], "changed": changed}[how]


@pytest.mark.parametrize("how", ["empty", "cut", "half", "changed"])
def test_a_broken_archive_is_named_and_never_written(path, how):
    keep(path, "one.csv", HEAD + os.urandom(2_000).hex().encode() + b"\n")
    playing = Archive(path)
    playing.file("two.csv").write_bytes(HEAD + b"0,a1\n")
    path.write_bytes(data := broken(path.read_bytes(), how))
    for fails in (lambda: Archive(path).file("one.csv"), playing.pack):
        with pytest.raises(ArchiveError, match="study.tar.xz cannot be read .*git checkout"):
            fails()
    assert path.read_bytes() == data
    assert path.with_name("two.csv").read_bytes() == HEAD + b"0,a1\n"


LINKS = {
    "link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "device": tarfile.CHRTYPE,
    "pipe": tarfile.FIFOTYPE,
    "folder": tarfile.DIRTYPE,
}


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        *(("one.csv", kind, "is a link, a folder or a device") for kind in LINKS.values()),
        ("/etc/one.csv", tarfile.REGTYPE, "is not the name of a CSV file"),
        ("../one.csv", tarfile.REGTYPE, "is not the name of a CSV file"),
        ("a\\one.csv", tarfile.REGTYPE, "is not the name of a CSV file"),
        ("C:one.csv", tarfile.REGTYPE, "is not the name of a CSV file"),
        ("a\n\x1b[31mone.csv", tarfile.REGTYPE, r"'a\\n\\x1b\[31mone.csv' in it is not"),
        ("one.txt", tarfile.REGTYPE, "is not the name of a CSV file"),
        ("two.csv", tarfile.REGTYPE, "'two.csv' is in it twice"),
    ],
)
def test_an_archive_that_holds_anything_but_csv_files_is_refused(path, name, kind, says):
    strange = tarfile.TarInfo(name)
    strange.type, strange.linkname = kind, "nowhere.csv"
    packet = io.BytesIO()
    with tarfile.open(fileobj=packet, mode="w") as archive:
        for member in (tarfile.TarInfo("two.csv"), strange):
            archive.addfile(member, io.BytesIO())
    path.parent.mkdir()
    path.write_bytes(data := lzma.compress(packet.getvalue()))
    for fails in (Archive(path).files, lambda: Archive(path).file("two.csv")):
        with pytest.raises(ArchiveError, match=says) as raised:
            fails()
        said = str(raised.value)
        assert said.isprintable() and "study.tar.xz cannot be read" in said
    assert path.read_bytes() == data and plain(path) == ["study.tar.xz"]


def test_a_kill_while_the_archive_is_written_leaves_the_old_one(path, monkeypatch):
    keep(path, "one.csv", HEAD)
    before = path.read_bytes()
    archive = Archive(path)
    archive.file("two.csv").write_bytes(HEAD)
    monkeypatch.setattr(os, "replace", lambda *names: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        archive.pack()
    assert path.read_bytes() == before and plain(path) == ["study.tar.xz", "two.csv"]


# -- two commands --------------------------------------------------------------------------
def test_a_file_in_use_is_refused_to_another_command(path):
    archive = Archive(path)
    archive.file("one.csv").write_bytes(HEAD)
    with pytest.raises(ArchiveError, match="another command uses .*one.csv: wait"):
        Archive(path).file("one.csv")
    Archive(path).file("two.csv")
    archive.pack()
    assert Archive(path).file("one.csv").read_bytes() == HEAD


def test_what_another_command_packed_meanwhile_is_kept(path):
    one = Archive(path)
    one.file("one.csv").write_bytes(HEAD + b"0,a1\n")
    keep(path, "two.csv", HEAD + b"0,b2\n")
    assert one.file("two.csv").read_bytes() == HEAD + b"0,b2\n"  # read anew
    one.pack()
    assert set(Archive(path).files()) == {"one.csv", "two.csv"}


def test_many_commands_pack_at_once_and_nothing_is_lost(path):
    method = multiprocessing.get_context("spawn")
    with method.Pool(3) as pool:
        pool.starmap(keep, [(path, f"{n}.csv", HEAD + b"%d,a1\n" % n) for n in range(24)])
    files = Archive(path).files()
    assert files == {f"{n}.csv": HEAD + b"%d,a1\n" % n for n in range(24)}
    assert plain(path) == ["study.tar.xz"]


def test_a_killed_command_leaves_no_lock(path, root):
    code = "import os, sys; from experiments.archive import Archive\n"
    code += "Archive(sys.argv[1]).file('one.csv').write_bytes(b'# a\\n'); os._exit(9)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=root)
    assert done.returncode == 9
    assert Archive(path).file("one.csv").read_bytes() == b"# a\n"


# -- the project's own ---------------------------------------------------------------------
def test_the_stored_archives_are_whole_and_small(root):
    archives = sorted((root / "experiments" / "games").glob("*.tar.xz"))
    assert [archive.name.split(".")[0] for archive in archives] == [
        *("connect_four", "ludo", "strength", "tic_tac_toe")
    ]
    files = [Archive(archive).files() for archive in archives]
    assert sum(map(len, files)) >= 593 and all(all(each.values()) for each in files)
    assert sum(archive.stat().st_size for archive in archives) < 4_500_000

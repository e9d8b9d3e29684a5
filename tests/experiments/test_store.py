"""The store of games and rows: nothing is lost, whatever is stopped, broken or run twice."""

import io
import lzma
import multiprocessing
import os
import subprocess
import sys
import tarfile

import five_in_a_row as five
import pytest
from helpers import FunctionPlayer, stopped_where_a_file_is_written_anew

from experiments.store import Rows, Store, StoreError, packed, split_match

HEAD = b"# a match\ngame,moves\n"


@pytest.fixture
def path(tmp_path):
    """Return where an archive will be."""
    return tmp_path / "games" / "study.tar.xz"


def keep(path, name, text):
    """Pack one file by a command of its own."""
    store = Store(path)
    store.file(name).write_bytes(text)
    store.pack()


def plain(path):
    """Return the names of the files beside the archive."""
    return sorted(file.name for file in path.parent.iterdir() if file.is_file())


# -- packing -------------------------------------------------------------------------------
def test_the_same_games_give_the_same_archive(path):
    keep(path, "one.csv", HEAD)
    keep(path, "two.csv", HEAD)
    before = path.read_bytes(), path.stat().st_mtime_ns
    store = Store(path)
    for name in ("two.csv", "one.csv", "never.csv"):
        store.file(name)
    store.pack()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert packed({"one.csv": HEAD, "two.csv": HEAD}) == before[0]


def test_a_match_goes_on_from_the_archive(path):
    def match(games):
        store = Store(path)
        file = store.file("match.csv")
        rules = five.game.Rules(5, 4)
        table = five.strength.play_match(watched, watched, games, rules, seed=3, path=file)
        store.pack()
        assert plain(path) == ["study.tar.xz"]
        return table

    def player(game, seed=None):
        played.append(game)
        return five.mcts.RandomPlayer().move(game, seed)

    played, watched = [], FunctionPlayer(player)
    four = match(4)
    played.clear()
    assert match(4).equals(four) and not played  # read, times and all
    six = match(6)
    assert six.iloc[:4].equals(four) and {len(six), len(Store(path).files())} == {6, 1}


# -- stops and faults ----------------------------------------------------------------------
def test_games_of_a_stopped_command_are_found_by_the_next_one(path):
    keep(path, "one.csv", HEAD + b"0,a1\n")
    stopped = Store(path)
    stopped.file("one.csv").write_bytes(HEAD + b"0,a1\n1,b2\n2,c")
    stopped.release()  # as the system does when a command is killed
    store = Store(path)
    assert store.file("one.csv").read_bytes() == HEAD + b"0,a1\n1,b2\n2,c"
    store.file("one.csv").write_bytes(HEAD + b"0,a1\n1,b2\n")
    store.pack()
    assert Store(path).files() == {"one.csv": HEAD + b"0,a1\n1,b2\n"}


def test_games_that_only_one_of_the_two_has_are_united(path):
    keep(path, "one.csv", HEAD + b"0,a1\n1,b2\n")
    path.with_name("one.csv").write_bytes(HEAD + b"2,c3\n1,b2\n3,d")
    assert Store(path).file("one.csv").read_bytes() == HEAD + b"0,a1\n1,b2\n2,c3\n"


def test_two_matches_under_one_name_are_refused_and_kept(path):
    keep(path, "one.csv", HEAD + b"0,a1\n")
    other = path.with_name("one.csv")
    other.write_bytes(b"# another match\ngame,moves\n0,c3\n")
    with pytest.raises(StoreError, match="one.csv .* different matches: move one.csv away"):
        Store(path).file("one.csv")
    assert b"c3" in other.read_bytes() and Store(path).files()["one.csv"].endswith(b"a1\n")


def broken(data, damage):
    """Return an archive's bytes, broken in one of several ways."""
    middle = len(data) // 2
    changed = data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]
    return {"empty": b"", "cut": data[:-9], "changed": changed}[damage]


@pytest.mark.parametrize("damage", ["empty", "cut", "changed"])
def test_a_broken_archive_is_named_and_never_written(path, damage):
    keep(path, "one.csv", HEAD + os.urandom(2_000).hex().encode() + b"\n")
    playing = Store(path)
    playing.file("two.csv").write_bytes(HEAD + b"0,a1\n")
    path.write_bytes(data := broken(path.read_bytes(), damage))
    for fails in (lambda: Store(path).file("one.csv"), playing.pack):
        with pytest.raises(StoreError, match="study.tar.xz cannot be read .*git checkout"):
            fails()
    assert path.read_bytes() == data
    assert path.with_name("two.csv").read_bytes() == HEAD + b"0,a1\n"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("one.csv", tarfile.SYMTYPE),
        ("../one.csv", tarfile.REGTYPE),
        ("a\n\x1b[31mone.csv", tarfile.REGTYPE),
        ("two.csv", tarfile.REGTYPE),  # a second time
    ],
)
def test_an_archive_that_holds_anything_but_csv_files_is_refused(path, name, kind):
    strange = tarfile.TarInfo(name)
    strange.type, strange.linkname = kind, "nowhere.csv"
    packet = io.BytesIO()
    with tarfile.open(fileobj=packet, mode="w") as archive:
        for member in (tarfile.TarInfo("two.csv"), strange):
            archive.addfile(member, io.BytesIO())
    path.parent.mkdir()
    path.write_bytes(data := lzma.compress(packet.getvalue()))
    with pytest.raises(StoreError, match="study.tar.xz cannot be read .* is no CSV") as raised:
        Store(path).file("two.csv")
    assert str(raised.value).isprintable()
    assert path.read_bytes() == data and plain(path) == ["study.tar.xz"]


def test_a_kill_while_the_archive_is_written_leaves_the_old_one(path, monkeypatch):
    keep(path, "one.csv", HEAD)
    before = path.read_bytes()
    store = Store(path)
    store.file("two.csv").write_bytes(HEAD)
    monkeypatch.setattr(os, "replace", lambda *names: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        store.pack()
    assert path.read_bytes() == before and plain(path) == ["study.tar.xz", "two.csv"]


# -- two commands --------------------------------------------------------------------------
def test_a_file_in_use_is_refused_and_what_another_command_packed_is_kept(path):
    one = Store(path)
    one.file("one.csv").write_bytes(HEAD + b"0,a1\n")
    with pytest.raises(StoreError, match="another command uses .*one.csv: wait"):
        Store(path).file("one.csv")
    keep(path, "two.csv", HEAD + b"0,b2\n")
    assert one.file("two.csv").read_bytes() == HEAD + b"0,b2\n"  # read anew
    one.pack()
    assert set(Store(path).files()) == {"one.csv", "two.csv"}
    assert Store(path).file("one.csv").read_bytes() == HEAD + b"0,a1\n"


def test_many_commands_pack_at_once_and_nothing_is_lost(path):
    method = multiprocessing.get_context("spawn")
    with method.Pool(3) as pool:
        pool.starmap(keep, [(path, f"{n}.csv", HEAD + b"%d,a1\n" % n) for n in range(24)])
    files = Store(path).files()
    assert files == {f"{n}.csv": HEAD + b"%d,a1\n" % n for n in range(24)}
    assert plain(path) == ["study.tar.xz"]


def test_a_killed_command_leaves_no_lock(path, root):
    code = "import os, sys; from experiments.store import Store\n"
    code += "Store(sys.argv[1]).file('one.csv').write_bytes(b'# a\\n'); os._exit(9)"
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=root)
    assert done.returncode == 9
    assert Store(path).file("one.csv").read_bytes() == b"# a\n"


# -- rows ----------------------------------------------------------------------------------
def test_a_row_is_found_once_and_only_what_was_found_is_kept(path):
    found = []
    for _ in range(2):
        store = Store(path)
        rows = store.rows("try", ("ply", "moves"), ("value", "by"))
        with pytest.raises(ZeroDivisionError):
            rows.of((9, "c1"), lambda: [1 / 0])
        for key in ((8, "a1 b1"), (8, "a1, b1")):
            assert rows.of(key, lambda: found.append(1) or (3, "me")) == ["3", "me"]
        store.pack()
    assert len(found) == 2 and (8, "a1 b1") in rows and (9, "c1") not in rows
    lines = Store(path).files()["try.csv"].decode().splitlines()
    assert lines == ["ply,moves,value,by", "8,a1 b1,3,me", '8,"a1, b1",3,me']


@pytest.mark.parametrize("half", ["", "10,a2,4"])
def test_half_a_line_is_cut_and_found_again(tmp_path, half):
    path, names = tmp_path / "try.csv", (("ply", "moves"), ("value",))
    path.write_text("ply,mo", "utf-8")  # a full disk cut the head: begun anew
    Rows(path, *names)[9, "a1"] = [3]
    whole = path.read_text("utf-8")
    assert whole == "ply,moves,value\n9,a1,3\n"
    path.write_text(whole + half, "utf-8")  # killed while it wrote a line
    with stopped_where_a_file_is_written_anew():
        rows = Rows(path, *names)
    assert list(rows.found) == [("9", "a1")] and path.read_text("utf-8") == whole
    assert rows.of((10, "a2"), lambda: [4]) == Rows(path, *names)[10, "a2"] == ["4"]


# -- the project's own ---------------------------------------------------------------------
def test_the_stored_games_are_whole_small_and_of_matches_with_a_head(root):
    paths = sorted((root / "experiments" / "games").glob("*.tar.xz"))
    assert [path.name.split(".")[0] for path in paths] == [
        *("connect_four", "ludo", "strength", "tic_tac_toe")
    ]
    assert sum(path.stat().st_size for path in paths) < 5_200_000
    files = [data for path in paths for data in Store(path).files().values()]
    matches = [data for data in files if split_match(data)[0]]
    assert len(files) >= 593 and len(matches) > 500
    assert all(split_match(data)[1].startswith(b"game,") for data in matches)

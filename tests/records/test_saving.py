"""The game file: what is written, read back, refused, and never lost."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path

import five_in_a_row as five
import numpy as np
import pytest
from window_lab import CONNECT_4, ENGINE, TIC_TAC_TOE, example, opened, pygame, saved  # noqa: F401

# ---- the game file ---------------------------------------------------------------------


def white_begins():
    """Return a game in which white has made the first move."""
    cells = np.zeros((8, 8), np.int8)
    game = five.game.Game.from_array(cells, five.game.WHITE)
    for move in ("d4", "e5", "a1"):
        game.play(move)
    return five.window.GameRecord(
        game, ("engine", "person"), 2.5, searches={1: (1001, 78, None)}
    )


EXAMPLES = [
    example(),
    example("a1a2b1b2c1c2d1d2e1"),
    example(resigned=five.game.BLACK),
    example(seconds=0.25, simulations=7, level=10, players=("engine", "person")),
    example(seconds=0.00001),
    example("d1 d2 d3 a1", rules=CONNECT_4),
    example("t1 a3", rules=five.game.Rules(20, rows=3)),
    white_begins(),
]


@pytest.mark.parametrize("played", EXAMPLES, ids=range(len(EXAMPLES)))
def test_a_saved_game_comes_back(played, tmp_path):
    file = tmp_path / "game.txt"
    five.game_file.save_game(played, file)
    loaded = five.game_file.load_game(file)
    assert loaded.game.moves == played.game.moves and loaded.source == "saved game"
    assert loaded.game.rules == played.game.rules
    assert (loaded.game.array == played.game.array).all()
    for name in "searches players persons simulations level resigned date over".split():
        assert getattr(loaded, name) == getattr(played, name), name
    assert loaded.seconds == played.seconds
    assert five.game_file.saved_text(loaded) == file.read_text("utf-8")


def test_a_game_is_read_into_the_classes_of_the_notebook_that_plays(tmp_path):
    class MyGame(five.game.Game):
        """A game that a student has changed."""

    five.game_file.save_game(example(), tmp_path / "game.txt")
    like = five.window.GameRecord(MyGame())
    again = five.game_file.unfinished_game(tmp_path / "game.txt", like)
    assert type(again.game) is MyGame and again.game.moves == ["d4", "e5", "a1"]


def test_every_move_is_on_disk_at_once(opened, tmp_path):
    window = opened(simulations=50)
    for number, move in enumerate(("d4", "a8", "h1")):
        window.click(move)
        assert saved(tmp_path).game.moves[2 * number :] == [move]
        window.wait_for_turn()
        assert saved(tmp_path).game.moves == window.game.moves
        assert saved(tmp_path).searches == window.record.searches
    again = opened()  # a crash: nobody called finish()
    assert again.games.offered.game.moves == window.game.moves
    again.press("L")
    assert again.yours and again.record.searches == window.record.searches
    assert (tmp_path / "game.txt").read_text("utf-8").count("date:") == 1


def test_no_game_is_ever_overwritten(tmp_path):
    file, first, second = tmp_path / "game.txt", example("d4 e5"), example("a1 b2", 9)
    five.game_file.save_game(first, file)
    five.game_file.save_game(second, file)
    first.play("c3")  # it goes on: its own block is replaced, and is the last now
    five.game_file.save_game(first, file)
    texts = [five.game_file.saved_text(played) for played in (second, first)]
    assert file.read_text("utf-8") == "\n".join(texts)


@pytest.mark.parametrize("end", ["won", "resigned"])
def test_a_finished_game_stays_in_the_file_when_its_end_is_taken_back(end, tmp_path):
    file = tmp_path / "game.txt"
    played = example("a1a2b1b2c1c2d1d2" + "e1" * (end == "won"))
    played.resigned = five.game.BLACK if end == "resigned" else 0
    five.game_file.save_game(played, file)
    finished = five.game_file.saved_text(played)
    if end == "won":
        played.game.undo()
    played.resigned = 0
    five.game_file.save_game(played, file)
    assert finished in file.read_text("utf-8") and saved(tmp_path).game.moves[-1] == "d2"


def test_what_somebody_wrote_into_the_file_stays(tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(b"my notes \xff\n")
    five.game_file.save_game(example(), file)
    assert file.read_bytes().startswith(b"my notes \xff\n\ndate: ")
    assert len(saved(tmp_path).game.moves) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".game.txt.lock.tmp",
        "game.txt",
    ]


# ---- names that come from anywhere -------------------------------------------------------

FORGED = (
    "a\n\ndate: 2020\nsize: 8",
    "a\x85date: 2020",
    "\x1b[31mred",
    "half \ud83d",
    "Dvořák 王五 🙂",
)


@pytest.mark.parametrize("name", FORGED)
def test_no_name_or_date_forges_a_line_of_the_file(name, tmp_path):
    file = tmp_path / "game.txt"
    for number in range(2):
        played = example("d4 e5", players=(name, "Bob"))
        played.date = name
        five.game_file.save_game(played, file)
        assert file.read_text("utf-8").count("\ndate: ") == number
        assert all(each.isprintable() for each in file.read_text("utf-8").split("\n"))
        again = saved(tmp_path)
        assert again.players == (five.files.one_line(name), "Bob") and not again.over
        assert again.game.moves == ["d4", "e5"] and again.date == again.players[0]
        assert five.game_file.saved_text(again) == five.game_file.saved_text(played)
        again.play("a1")  # it goes on in its own place
        again.searches[2], again.found_by[2] = (50, 7, None), name  # and somebody found a move
        five.game_file.save_game(again, file)
    lines = file.read_text("utf-8").split("\n")
    assert sum(line.startswith("date:") for line in lines) == 2


# ---- temporary files ---------------------------------------------------------------------


def test_a_temporary_file_follows_no_link(tmp_path, monkeypatch):
    """Neither one of the names that earlier versions used, nor one that was guessed."""
    file, letter = tmp_path / "game.txt", tmp_path / "letter"
    letter.write_text("dear Ann")
    link = tmp_path / f".game.txt.{os.getpid()}.tmp"
    link.symlink_to(letter)
    five.files.replace_file(file, b"one")
    monkeypatch.setattr(secrets, "token_hex", lambda count: "00" * count)
    guessed = tmp_path / f".game.txt.{os.getpid()}-{'00' * 8}.tmp"
    guessed.symlink_to(letter)
    with pytest.raises(FileExistsError):
        five.files.replace_file(file, b"two")
    assert file.read_bytes() == b"one" and letter.read_text() == "dear Ann"
    assert guessed.is_symlink()


def test_a_new_file_is_nobody_else_s_to_read_before_its_time(tmp_path):
    file = tmp_path / "game.txt"
    five.files.replace_file(file, b"mine")
    file.chmod(0o640)
    with five.files.temporary_file(file) as temporary:
        assert temporary.stat().st_mode & 0o777 == 0o600
        five.files.put_in_place(temporary, file)
    assert file.stat().st_mode & 0o777 == 0o640 and list(tmp_path.iterdir()) == [file]


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from five_in_a_row.files import temporary_file
with temporary_file(Path(sys.argv[2])) as temporary:
    temporary.write_bytes(b"half")
    print(temporary.name, flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_process_left_is_removed_by_the_next_save(tmp_path):
    file, others = tmp_path / "game.txt", {"my.game.txt", ".game.txt.tmp", ".game.txt.notes"}
    for name in others:
        (tmp_path / name).write_text("of somebody else")
    command = [sys.executable, "-c", KILLED, str(Path(five.__file__).parent.parent), str(file)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as writer:
        name = writer.stdout.readline().strip()
        earlier = tmp_path / f".game.txt.{writer.pid}.tmp"  # as earlier versions named it
        earlier.write_text("half")
        five.files.replace_file(file, b"one")
        assert (tmp_path / name).exists()  # it is still being written
        writer.send_signal(signal.SIGKILL)
    assert (tmp_path / name).read_bytes() == b"half"
    five.files.replace_file(file, b"two")
    assert {each.name for each in tmp_path.iterdir()} == others | {"game.txt"}
    assert file.read_bytes() == b"two"


# ---- links, locks ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_a_link_and_the_mode_of_the_file_stay(mode, tmp_path):
    real, link = tmp_path / "elsewhere" / "mine.txt", tmp_path / "game.txt"
    real.parent.mkdir()
    real.write_text("my notes\n")
    real.chmod(mode)
    link.symlink_to(real)
    five.game_file.save_game(example(), link)
    assert link.is_symlink() and real.read_text("utf-8").startswith("my notes\n\ndate: ")
    assert real.stat().st_mode & 0o777 == mode
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["game.txt"]


def test_saving_waits_for_whoever_holds_the_lock(tmp_path, monkeypatch):
    lock_of, file = five.game_file.FileLock, tmp_path / "game.txt"
    impatient = lambda path, timeout: lock_of(path, timeout=0 * timeout)  # noqa: E731
    monkeypatch.setattr(five.game_file, "FileLock", impatient)
    with five.game_file.one_at_a_time(file):
        with pytest.raises(OSError, match="lock"):
            five.game_file.save_game(example(), file)
        assert not file.exists()
    five.game_file.save_game(example(), file)
    assert saved(tmp_path).game.moves == example().game.moves


WRONG = [  # what stands in the file, what is written instead, which line is named, and why
    ("size: 8", "size: 21", "1. d4", "size must be a whole number from 3 to 20"),
    ("size: 8", "", "1. d4", "no line 'size:'"),
    ("size: 8", "size: 8\ngravity: yes", "1. d4", "d4 cannot be played: stones fall"),
    ("size: 8", "size: 8\nbegins: red", "1. d4", "begins must be 'white', or be left out"),
    (" seconds", " seconds, level 11", "1. d4", "level must be a whole number from 1"),
    ("2. e5", "2. d4", "2. d4", "d4 cannot be played: a black stone"),
    ("2. e5", "4. e5", "4. e5", "move 2 is missing"),
    ("unfinished", "draw", "3. a1", "the result should be 'unfinished', not 'draw'"),
    ("date:", "day:", "day:", "neither a move nor one of"),
]


@pytest.mark.parametrize(("old", "new", "at", "reason"), WRONG)
def test_a_wrong_file_is_refused_with_line_and_reason(old, new, at, reason, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(five.game_file.saved_text(example()).replace(old, new, 1))
    lines = file.read_text().splitlines()
    number = 1 + max(i for i, line in enumerate(lines) if line.startswith(at))
    with pytest.raises(ValueError, match=f"game.txt, line {number}: .*{reason}"):
        five.game_file.load_game(file)
    assert five.game_file.unfinished_game(file) is None


def test_a_game_that_cannot_be_saved_goes_on_after_one_sentence(opened, capsys, tmp_path):
    window = opened(simulations=50)
    (tmp_path / "game.txt").mkdir()  # a folder in the file's place: no one may write there
    for move in ("d4", "a8"):
        window.click(move)
        assert "cannot be saved" in window.words
        window.wait_for_turn()
    assert "cannot be saved" in window.words
    assert len(window.finish().game.played) == 4
    assert capsys.readouterr().out.count("cannot be saved") == 1


def test_searches_repeat_by_who_made_them_at_the_level_that_they_had(tmp_path):
    players = ENGINE | {"plain": five.opponents.plain_opponent}
    played = five.window.GameRecord(five.game.Game(), simulations=300)
    for ply, (name, level) in enumerate(
        [("engine", 1), ("plain", None), ("engine", None)] * 2
    ):
        played.players = name, name
        thought = players[name](played.game, simulations=300, seed=ply, level=level)
        played.play(thought.move, thought, level)
    five.game_file.save_game(played, tmp_path / "game.txt")
    again = five.game_file.search_again(saved(tmp_path), players, 10_000)
    assert all((again.results[p].visits == r.visits).all() for p, r in played.results.items())

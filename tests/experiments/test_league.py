"""A league of notebooks: ratings against a known table, games that are kept, the page."""

import json
import re
import subprocess
import sys

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup

from experiments import league, league_page, ratings
from experiments.__main__ import main
from experiments.store import Rows

FIRST = "def mine(game): return game.legal()[0]"
LAST = "def mine(game): return game.legal()[-1]"
BLOCK = (  # plays where a line of three or more is longest, and so beats the two above
    "def mine(game):\n"
    "    from itertools import product\n"
    "    board, size = game.array, len(game.array)\n"
    "    def run(p, colour):\n"
    "        best = 0\n"
    "        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):\n"
    "            n = 0\n"
    "            for s in (1, -1):\n"
    "                r, c = p // size + s * dr, p % size + s * dc\n"
    "                while 0 <= r < size and 0 <= c < size and board[r, c] == colour:\n"
    "                    n, r, c = n + 1, r + s * dr, c + s * dc\n"
    "            best = max(best, n)\n"
    "        return best\n"
    "    me = game.to_move\n"
    "    return max(game.legal(), key=lambda p: (2 * run(p, me) + 1, 2 * run(p, -me))[::1])"
)
BAD = "def mine(game): raise KeyError('<b>no</b>')"


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a notebook and returns its path as text."""

    def write(name, *cells, tags=()):
        cells = [
            {"cell_type": "code", "metadata": {"tags": list(tags)}, "source": cell}
            for cell in cells
        ]
        path = tmp_path / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
        return str(path)

    return write


@pytest.fixture
def quick(monkeypatch):
    """Let reviews of games cost nothing."""
    monkeypatch.setattr(league_page, "costly_words", lambda game, colour: "not reviewed")


def play(*files, out, **options):
    """Play a league of these files; return the exit status."""
    asked = {"size": 6, "seconds": 60, "games": 2, "jobs": 1, "yardsticks": "random"} | options
    words = [f"--{name}={value}" for name, value in asked.items()]
    return main(["league", *files, f"--out={out}", *words])


# -- ratings -------------------------------------------------------------------------------
BASEBALL = """
0 7 9 7 7 9 11
6 0 7 5 11 9 9
4 6 0 7 7 8 12
6 8 6 0 6 7 10
6 2 6 7 0 7 12
4 4 5 6 6 0 6
2 4 1 3 1 7 0
"""  # Agresti, Categorical Data Analysis, 2002, page 438: Milwaukee ... Baltimore


def test_ratings_are_those_of_a_known_table():
    points = np.array([[float(n) for n in row.split()] for row in BASEBALL.split("\n") if row])
    logs, covariance = ratings.bradley_terry(points, prior=0)
    assert np.round(logs - logs[-1], 2).tolist() == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]
    apart = np.diag(covariance) + covariance[-1, -1] - 2 * covariance[-1]
    assert np.round(np.sqrt(apart[:-1]), 1).tolist() == [0.3] * 6
    assert logs.sum() == pytest.approx(0)


def test_a_draw_is_half_a_win_and_nobody_is_infinitely_strong():
    points = np.array([[0, 2.5, 0], [2.5, 0, 0], [0, 0, 0]])
    logs, covariance = ratings.bradley_terry(points)
    assert logs == pytest.approx([0, 0, 0])
    assert covariance[2, 2] > covariance[0, 0] > 0
    logs, _ = ratings.bradley_terry(np.array([[0, 9.0], [0, 0]]))
    assert 2 < logs[0] - logs[1] < 6


def test_a_swiss_system_pairs_neighbours_once_until_all_are_connected():
    rng, names = np.random.default_rng(3), [f"t{i}" for i in range(41)]
    strength, points, met, rounds = rng.normal(size=41), np.zeros((41, 41)), set(), 0
    for pairs in ratings.rounds_of(names, None, lambda: points):
        rounds += 1
        assert len(pairs) >= 19  # the last ones may have met
        assert len({name for pair in pairs for name in pair}) == 2 * len(pairs)
        for a, b in pairs:
            assert frozenset((a, b)) not in met and names.index(a) < names.index(b)
            met.add(frozenset((a, b)))
            i, j = names.index(a), names.index(b)
            points[i, j] = rng.binomial(20, 1 / (1 + np.exp(strength[j] - strength[i])))
            points[j, i] = 20 - points[i, j]
    assert rounds == 10 and ratings.is_connected(points)
    logs, _ = ratings.bradley_terry(points)
    assert np.corrcoef(logs, strength)[0, 1] > 0.9
    (everybody,) = ratings.rounds_of(names[:5], None, lambda: None)
    assert len(everybody) == 10
    assert not ratings.is_connected(np.kron(np.eye(2), np.ones((2, 2)) - np.eye(2)))


# -- a league ------------------------------------------------------------------------------
def test_a_league_is_played_kept_and_shown(write, quick, tmp_path, capsys):
    files = [write(name, cell) for name, cell in
             {"first": FIRST, "block": BLOCK, "<i>bad": BAD}.items()]  # fmt: skip
    out = tmp_path / "out"
    assert play(*files, out=out) == 0
    table = pd.read_csv(out / "league.csv").set_index("name")
    assert set(table.index) == {"first", "block", "<i>bad", "random"}
    assert table.index[0] == "block" and table.index[-1] == "<i>bad"
    assert (table.games == 6).all() and (table.won + table.drawn + table.lost == 6).all()
    assert (table.low < table.rating).all() and (table.rating < table.high).all()
    assert (table.late + table.illegal == 0).all() and table.crash["<i>bad"] == 6
    where = "move 4, code cell 1, line 1: "
    assert table["last fault"]["<i>bad"] == f"{where}KeyError: '<b>no</b>'"
    assert table.stands["block"] == "above random"
    text = (out / "league.html").read_text()
    assert "<i>bad" not in text and "<b>no</b>" not in text
    soup = BeautifulSoup(text, "html.parser")
    (faults,) = [each for each in soup.find_all("table") if "last error" in each.text]
    assert f"<i>bad006{where}KeyError: '<b>no</b>'" in faults.text
    assert len(soup.find_all("details")) == 3 and soup.find("table", class_="cross")
    games = soup.find_all("details")
    assert "best win, against" in games[0].text and "No game of it" in games[2].text
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    # nothing is played twice, also after half a line; who has changed plays again
    kept = (out / "games.csv").read_bytes()
    assert len(kept.splitlines()) == 1 + 12
    (out / "games.csv").write_bytes(kept[:-9])
    capsys.readouterr()
    assert play(*files, out=out) == 0
    assert "1 new games" in capsys.readouterr().out
    files[0] = write("first", LAST)
    assert play(*files, out=out) == 0
    said = capsys.readouterr().out
    assert "6 new games" in said and "first v" in said


def test_who_cannot_play_is_named_and_the_league_goes_on(write, quick, tmp_path, capsys):
    (tmp_path / "note.ipynb").write_text("no notebook")
    files = [
        str(tmp_path / "note.ipynb"),
        write("empty", "x = 1"),
        write("breaks", "1 / 0", tags=["define"]),
        write("one/twin", FIRST),
        write("two/twin", LAST),
        write("random", FIRST),
        write("first", FIRST),
    ]
    assert play(*files, out=tmp_path / "out") == 0
    said = capsys.readouterr().err
    for words in (
        "note.ipynb is no notebook",
        "empty.ipynb: it has no player",
        "breaks.ipynb: its define cells fail: code cell 1, line 1: ZeroDivisionError",
        "twin.ipynb are teams of one name, so none of them plays: rename one",
        "random.ipynb has the name of a yardstick",
    ):
        assert words in said, words
    assert said.count(".ipynb") == 6 and "first" not in said
    assert len(pd.read_csv(tmp_path / "out" / "league.csv")) == 2
    assert "note.ipynb is no notebook" in (tmp_path / "out" / "league.html").read_text()
    assert play(*files[:3], out=tmp_path / "none") == 2
    assert "nothing is played" in capsys.readouterr().err


def test_a_killed_league_goes_on(write, tmp_path, root):
    slow = "import time\ndef mine(game):\n    time.sleep(0.02)\n    return game.legal()[0]"
    files = [write(name, slow) for name in ("one", "two", "three")]
    out = tmp_path / "out"
    command = [sys.executable, "-m", "experiments", "league", *files, "--size=6", "--games=4"]
    command += ["--jobs=1", "--seconds=60", "--yardsticks=", f"--out={out}"]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL)
    rows = out / "games.csv"
    while not rows.exists() or len(rows.read_bytes().splitlines()) < 4:
        assert process.poll() is None
    process.kill()
    process.wait()
    before = rows.read_bytes()
    assert 4 <= len(before.splitlines()) < 13
    found = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert rows.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert len(rows.read_bytes().splitlines()) == 13 and "one v" in found.stdout


def test_yardsticks_stand_where_they_are_known(tmp_path):
    marks = league.yardsticks(50)
    assert list(marks)[:3] == ["random", "plain UCT", "classic"]
    assert [name for name in marks if name[:5] == "level"] == [
        f"level {i}" for i in (1, 3, 5, 7)
    ]
    five.strength.check_players(
        **{name.replace(" ", "_"): each for name, each in marks.items()}
    )
    place = {"a": 5.0, "random": 0.0, "level 1": 4.0, "level 3": 7.0}
    chosen = ["random", "level 1", "level 3"]
    assert league_page.between("a", place, chosen) == "between level 1 and level 3"
    assert league_page.between("a", place | {"a": 9.0}, chosen) == "above level 3"
    assert league_page.between("random", place, chosen) == "below level 1"


def test_the_moves_that_cost_most_are_those_of_the_engine():
    game = five.Game.from_text("d4 a1 e4 a2 f4 a3 g4 h8 c4", size=8)
    said = league_page.costly_words(game, "white")
    assert re.search(r": \d+\. [a-h]\d, \d+% \([a-h]\d was better\)", said)
    assert "none cost" in league_page.costly_words(game, "black")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "3"], "games come in pairs"),
        (["--yardsticks", "level 2"], "no yardstick 'level 2'"),
        (["--seconds", "nan"], "not a number"),
        (["--cluster", "tcp://10.0.0.1:8786"], "not this machine"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(options, words, write, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["league", write("a", FIRST), f"--out={tmp_path / 'out'}", *options])
    assert stop.value.code == 2 and words in capsys.readouterr().err


def test_two_leagues_do_not_write_to_one_file(write, tmp_path, quick, capsys):
    files, out = [write("a", FIRST), write("b", LAST)], tmp_path / "out"
    assert play(*files, out=out) == 0
    with league.FileLock(out / ".lock"):
        assert play(*files, out=out) == 2
    assert "Another league plays" in capsys.readouterr().err
    assert Rows(out / "games.csv", league.KEYS, league.VALUES).found

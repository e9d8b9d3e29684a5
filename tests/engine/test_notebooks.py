"""Notebooks as players: what they must offer, and that what they do wrong harms nobody."""

import json
import os
import re
import secrets
import subprocess
import sys
import threading
import zipfile

import five_in_a_row as five
import pandas as pd
import psutil
import pytest
from five_in_a_row import notebook_player, play, seats
from five_in_a_row.game import Game, Rules
from five_in_a_row.notebook_player import NotebookOpponent, NotebookPlayer, read_notebook
from helpers import PATIENCE

RULES = Rules(5, 4)
OPENING = "c3 b2 d4"
FIRST = "def mine(game):\n    return game.legal()[0]"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a notebook; whatever it leaves running is a failure."""
    monkeypatch.setattr(notebook_player, "MARK", f"FIVE_TEST_{secrets.token_hex(8)}")

    def write(*cells, name="team", tags=()):
        cells = [
            {"cell_type": "code", "metadata": {"tags": list(tags)}, "source": source}
            for source in cells
        ]
        path = tmp_path / f"{name}.ipynb"
        path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
        return path

    yield write
    running = []
    for process in psutil.process_iter():
        try:
            running += [process] if notebook_player.MARK in process.environ() else []
        except (psutil.Error, OSError):
            continue
    assert running == []


def asked(path, game=None, **limits):
    """Return what a notebook plays."""
    player = NotebookPlayer(path, **{"seconds": PATIENCE} | limits)
    try:
        return player.move(game or Game.from_text(OPENING, rules=RULES), seed=3)
    finally:
        player.rest()


def fault_of(path, **limits):
    """Return the fault of a notebook that plays black."""
    player = NotebookPlayer(path, **{"seconds": PATIENCE} | limits)
    row = seats.judged_number(player, five.mcts.RandomPlayer(), RULES, [""], 1, 0)
    assert row["fault"] == "" or row["winner"] == "b"
    return row["fault"].partition(": ")[2]


# ---- what is a player ------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["0", "(0, 0)", "'a1'", "np.int64(0)", "np.array([0, 0])"])
def test_a_function_of_a_game_is_enough(write, answer):
    cells = f"import numpy as np\ndef mine(game):\n    return {answer}"
    assert asked(write(cells)) == 0


def test_a_search_is_told_what_it_takes(write):
    cell = (
        "def search(game, *, simulations, seed=None, level=5):\n"
        "    assert (simulations, seed, level) == (70, 3, 5), (simulations, seed, level)\n"
        "    return game.legal()[-1]\n"
        "PLAYER = 'search'"
    )
    assert asked(write(cell), simulations=70) == 24


def test_array_to_move_and_legal_are_what_it_may_rely_on(write):
    cell = (
        "def mine(game):\n"
        "    assert game.array.shape == (5, 5) and game.array.sum() == 1\n"
        "    assert game.to_move == -1 and len(game.legal()) == 22\n"
        "    return game.legal()[game.to_move]"
    )
    assert asked(write(cell)) == 24


def test_a_plain_notebook_is_read_without_its_demonstrations(write):
    path = write(
        "%matplotlib inline\nimport numpy as np\nSIZE = len(range(5))",
        "def mine(game):\n    return BEST\ndef long():\n    raise SystemExit",
        "BEST = SIZE - 1\nresult = long()\nlong()\nname = input('who? ')\nwhile True: pass",
    )
    assert asked(path) == 4


def test_cells_tagged_define_are_run_as_they_are_and_so_is_one_that_names_the_player(write):
    path = write(
        "KEEP = [7]\nKEEP.append(8)\ndef mine(game):\n    return KEEP[-1]", tags=["define"]
    )
    text = json.loads(path.read_text())
    for source in ("1 / 0", "def other(game): return KEEP[0]\nPLAYER = other", "%%bash\nls"):
        text["cells"].append({"cell_type": "code", "metadata": {}, "source": source})
    path.write_text(json.dumps(text))
    assert asked(path) == 7


def test_the_main_notebook_finds_what_it_finds_here(write, root):
    game = Game.from_text("d4 e5")
    player = NotebookPlayer(root / "five_in_a_row.ipynb", simulations=40, seconds=PATIENCE)
    point = player.move(game, seed=5)
    player.rest()
    here = five.heuristics.mine(game, simulations=40, seed=5)
    assert (point, player.result.simulations) == (here.move, 40)
    assert (player.result.visits == here.visits).all() and player.result.line == here.line


def test_a_zip_that_was_handed_in_is_a_notebook(write, tmp_path):
    with zipfile.ZipFile(tmp_path / "team.zip", "w") as packet:
        packet.write(write(FIRST), "five_in_a_row.ipynb")
    assert asked(tmp_path / "team.zip") == 0
    assert read_notebook(tmp_path / "team.zip").name == "team"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[]", b'{"cells": [1]}', b"PK\x03\x04 no zip", b"[" * 10**5]
)
def test_what_is_no_notebook_is_named_in_a_sentence(tmp_path, content):
    path = tmp_path / "team.ipynb"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="team.ipynb is no notebook"):
        NotebookPlayer(path)
    with pytest.raises(ValueError, match="missing.ipynb cannot be read: No such file"):
        NotebookPlayer(tmp_path / "missing.ipynb")


@pytest.mark.parametrize(
    ("cells", "tags", "words"),
    [
        (["x = 1"], [], "it has no player: no function mine"),
        (["PLAYER = 'his'"], [], "it has no player: PLAYER = 'his'"),
        (
            ["import nothing_of_the_kind"],
            [],
            "fail: code cell 1, line 1: ModuleNotFoundError: No mod",
        ),
        (
            ["1 / 0"],
            ["define"],
            "fail: code cell 1, line 1: ZeroDivisionError: division by zero",
        ),
        (
            ["raise SystemExit(3)"],
            ["define"],
            "fail: code cell 1, line 1: SystemExit: 3",
        ),
        (["def mine(:"], [], "fail: code cell 1, line 1: SyntaxError: "),
    ],
)
def test_a_notebook_without_a_player_says_why(write, cells, tags, words):
    assert re.search(words, fault_of(write(*cells, tags=tags)))


@pytest.mark.parametrize(
    "told",
    ["", "visits=taken", "visits=-free", "visits=free[:2]", "visits='no'", "values=None"]
    + ["line=[99]", "line=[0, 0]", "line=8", "simulations=10**99", "simulations='many'"],
)
def test_what_a_search_tells_beside_its_move_is_used_where_it_makes_sense(write, told):
    cell = (
        "from types import SimpleNamespace as Found\nimport numpy as np\n"
        "def mine(game):\n    taken = np.full(game.array.shape, 9)\n"
        "    free = taken * (game.array == 0)\n"
        "    found = dict(move=0, visits=free, values=free / 20, line=[0, 1], simulations=7)\n"
        f"    return Found(**found | dict({told}))"
    )
    player = NotebookPlayer(write(cell), seconds=PATIENCE)
    game = Game.from_text(OPENING, rules=RULES)
    assert player.move(game) == 0
    player.rest()
    found = player.result
    if told == "":
        assert (found.simulations, found.value, found.line) == (7, 0.45, [0, 1])
    assert found.visits.shape == (5, 5) and not found.visits[game.array != 0].any()
    assert found.line in ([0], [0, 1]) and found.simulations in (0, 7, 10**12)
    assert five.window.result_lines(found) and five.window.expectation(game, found) is not None


# ---- whatever it does, it loses its own game and harms no other --------------------------

FORKS = """
import os, signal, time

def mine(game):
    for _ in range(40):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.setsid()
            if os.fork() > 0:
                os._exit(0)  # the one below is an orphan, in a session of its own
            time.sleep(1e6)
    return game.legal()[0]
"""
HANGS = "def mine(game):\n    while True: "
FIRST_LINE = "code cell 1, line 1: "
ATTACKS = {  # what it does: (its cells, how its game ends)
    "prints without end": (HANGS + "print('x' * 1000)", "late"),
    "never answers": ("import time\ndef mine(game): time.sleep(1e6)", "late"),
    "forks": (FORKS, "crash: it has started more than 32 processes"),
    "edits the board": (
        "def mine(game):\n    game._cells[:] = 0\n    game.play('c3')\n    return 'c3'",
        "illegal: c3 cannot be played: a black stone stands there",
    ),
    "catches BaseException": (
        HANGS
        + "\n        try:\n            while True: pass\n        except BaseException: pass",
        "late",
    ),
    "replaces time.sleep": (
        "import time\ntime.sleep = lambda s: None\ntime.perf_counter = lambda: 0.0\n"
        "time.time = lambda: 0.0\ndef mine(game, seconds):\n    end = time.time() + seconds\n"
        "    while time.time() < end: time.sleep(0.1)\n    return game.legal()[0]",
        "late",
    ),
    "ends its process": ("import os\ndef mine(game): os._exit(3)", "crash: it has ended"),
    "raises SystemExit": (
        "def mine(game): raise SystemExit('bye')",
        f"crash: {FIRST_LINE}SystemExit: bye",
    ),
    "takes all memory": (
        "def mine(game): return bytearray(1 << 40)",
        f"crash: {FIRST_LINE}MemoryError",
    ),
    "answers what is no move": ("def mine(game): return 'zz'", "illegal: 'zz' is not a move"),
    "answers for others": (
        "import os\ndef mine(game):\n    for fd in range(3, 20):\n        try:\n"
        '            os.write(fd, b\'{"id": 1, "move": 99}\\n\')\n'
        "        except OSError: pass\n"
        "    return game.legal()[0]",
        "illegal: 99 is off the board",
    ),
    "fills the answers": (
        "import os\ndef mine(game):\n    while True:\n        for fd in range(3, 20):\n"
        "            try: os.write(fd, b'x' * 10000)\n            except OSError: pass",
        "late",
    ),
    "writes a large file": (
        "def mine(game):\n    open('f', 'wb').write(bytes(60_000_000))\n"
        "    return game.legal()[0]",
        "crash",
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_who_misbehaves_loses_its_own_game_and_harms_no_other(write, name):
    cells, how = ATTACKS[name]
    limits = {"seconds": 0.2, "grace": 0.5} if how == "late" else {"seconds": PATIENCE}
    bad = NotebookPlayer(write(cells), **limits)
    good = NotebookPlayer(write(FIRST, name="good"), seconds=PATIENCE)
    rows = {}

    def game(name, player):
        rows[name] = seats.judged_number(
            player, five.mcts.RandomPlayer(), RULES, [OPENING], 1, 1
        )

    games = [
        threading.Thread(target=game, args=each) for each in (("bad", bad), ("good", good))
    ]
    for thread in games:
        thread.start()
    for thread in games:
        thread.join(PATIENCE)
    assert rows["bad"]["winner"] == "b"
    assert rows["bad"]["fault"].partition(": ")[2].startswith(how), rows["bad"]["fault"]
    assert rows["good"]["fault"] == "" and rows["good"]["plies"] > 5


def test_a_notebook_sees_no_variable_of_ours_and_a_folder_of_its_own(
    write, monkeypatch, tmp_path
):
    monkeypatch.setenv("OUR_SECRET", "1")
    seen = tmp_path / "seen.json"
    cell = (
        "import json, os, sys\ndef mine(game):\n    import tempfile\n"
        "    found = [dict(os.environ), os.getcwd(), tempfile.gettempdir(), sys.path]\n"
        f"    with open({str(seen)!r}, 'w') as file: json.dump(found, file)\n"
        "    return game.legal()[0]"
    )
    asked(write(cell))
    environment, folder, temporary, path = json.loads(seen.read_text())
    known = {"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "MPLBACKEND", "LC_CTYPE"}
    known |= {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", notebook_player.MARK}
    assert set(environment) <= known
    assert folder == temporary == environment["HOME"] and not os.path.exists(folder)
    assert not any(each.endswith("export") for each in path)


def test_the_engine_cannot_be_imported_by_its_name(write):
    cell = "def mine(game):\n    import five_in_a_row.engine\n    return 0"
    assert "ModuleNotFoundError" in fault_of(write(cell))


def test_limits_are_set_where_the_system_has_them(write):
    resource = pytest.importorskip("resource")
    cell = (
        "import resource\ndef mine(game):\n    names = 'AS CPU NPROC FSIZE CORE'.split()\n"
        "    limits = [resource.getrlimit(getattr(resource, f'RLIMIT_{n}')) for n in names]\n"
        "    raise ValueError(limits)"
    )
    said = fault_of(write(cell), seconds=10, grace=0)
    pairs = re.findall(r"\((\d+), (\d+)\)", said)
    assert [pair[0] == pair[1] for pair in pairs] == [True] * 5
    memory, cpu, tasks, file, core = (int(pair[0]) for pair in pairs)
    assert memory == notebook_player.NOTEBOOK_MEMORY and file == notebook_player.FILE
    assert (cpu, core) == (10_120, 0) and tasks > notebook_player.PROCESSES
    assert resource.getrlimit(resource.RLIMIT_CPU)[0] != cpu  # not ours


# ---- in the window, as a brain, on the command line --------------------------------------


def test_an_opponent_tells_the_window_what_it_has_found_and_can_be_stopped(write):
    opponent = NotebookOpponent(write("import time\ndef mine(game): time.sleep(1e6)"))
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(InterruptedError):
        opponent(Game(RULES), seconds=PATIENCE, stop=stop)
    assert opponent.player.program is None


def test_a_notebook_dropped_onto_the_window_is_the_opponent(write):
    record = five.window.new_record(8, 1.0, "white")
    session = five.window.Session(record, five.opponents.OPPONENTS | five.opponents.OWN)
    panel, controller = play.Notebooks(), five.window.Controller(session)
    controller.panels += [five.extras.Choice(), panel]
    assert not panel.on_drop(controller, "game.sgf")
    assert panel.on_drop(controller, str(write("no notebook")).replace("team", "none"))
    assert "cannot be read" in session.note
    assert panel.on_drop(controller, str(write(FIRST, name="mine")))
    assert five.window.opponent_of(session) == "mine'" and record.players[0] == "mine'"
    while not record.game.played:
        five.window.follow_search(session)
        assert not session.failed
    assert record.game.moves == ["a1"] and record.results[0].why == "its move"
    panel.on_finish(controller)


def test_a_notebook_speaks_the_protocol(write, root):
    command = [sys.executable, str(root / "export" / "five_in_a_row"), "--gomocup"]
    command += ["--notebook", str(write(FIRST, name='Ann "Bo" Lee'))]
    with seats.GomocupEngine(command, seconds=PATIENCE, startup=PATIENCE) as brain:
        assert brain.move(Game(Rules(8))) == 0
        assert brain.name == "Ann ?Bo? Lee"
        assert brain.move(Game.from_text("a1 b1", size=9)) == 2


def test_a_brain_whose_notebook_fails_says_why(write, root):
    brain, opponent = notebook_player.notebook_brain(write("def mine(game): return 'zz'"))
    assert brain.answer("START 8") == ["OK"]
    (answer,) = brain.answer("BEGIN")
    assert answer.startswith("ERROR") and "'zz' is not a move" in answer
    brain, opponent = notebook_player.notebook_brain(write("x = 1"))
    (answer,) = brain.answer("START 8")
    assert answer.startswith("ERROR") and "it has no player" in answer


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--notebook", "missing.ipynb", "--gomocup"], "missing.ipynb cannot be read"),
        (["--notebook", "missing.ipynb"], "missing.ipynb cannot be read"),
        (["--notebook", "a.ipynb", "--desk"], "--desk takes no --notebook"),
    ],
)
def test_the_command_line_names_what_is_wrong(options, words, root):
    run = subprocess.run(
        [sys.executable, str(root / "export" / "five_in_a_row"), *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert run.returncode == 2 and words in run.stderr and "Traceback" not in run.stderr


# ---- is a change stronger? ---------------------------------------------------------------


def test_a_search_is_compared_with_the_notebook_before(write, capsys):
    def better(game, *, simulations, seed):
        return five.heuristics.classic_search(game, simulations=simulations, seed=seed)

    table = play.compare(better, write(FIRST), 4, simulations=20)
    assert table.attrs["wins"] == 4
    said = capsys.readouterr().out
    assert "Now against team.ipynb: won 4, drawn 0, lost 0 of 4 games" in said
    assert "Of 2 pairs of games it won 2 and lost 0" in said and "games show it" in said


def test_how_many_games_it_would_take_is_said_where_it_is_open():
    def words(*winners):
        return play.change_words(pd.DataFrame({"winner": winners}))

    assert words("a", "a", "b", "b").endswith("nothing speaks for either.")
    assert "it is stronger (p = 0.0" in words(*["a"] * 12)
    assert re.search(r"weaker .* about \d+ games", words(*"aabbbb", "draw", "draw"))

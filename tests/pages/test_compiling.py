"""The engine is compiled ahead and as a whole: nothing is left for the middle of a game."""

import os
import re
import signal
import subprocess
import sys
import threading

import five_in_a_row as five
import pytest
from five_in_a_row import compiling
from five_in_a_row.game import Rules

GAME = """
import five_in_a_row as five
from five_in_a_row import compiling

rules = five.game.Rules(*map(int, sys.argv[1:]))
told = []
compiling.compile_all(rules, lambda done, total: told.append((done, total)))
assert told == sorted(told) and told[-1][0] == told[-1][1] > 15, told

parts = [entry for entry in vars(five.search).values() if hasattr(entry, "signatures")]
parts += [entry for entry in vars(five.threats).values() if hasattr(entry, "signatures")]
parts += [entry for entry in vars(five.engine).values() if hasattr(entry, "signatures")]
parts.append(five.search.compiled_search(five.engine.kernels_for(rules)))
before = {part.__qualname__: len(part.signatures) for part in parts}
players = [five.EnginePlayer(simulations=3000) for _ in range(2)]
for size in (rules.size, 20 - rules.size):
    game = five.Game(rules._replace(size=size, rows=size))
    while not game.over and len(game.played) < 30:
        side = len(game.played) % 2
        game.play(players[side].move(game, seed=1 + side))
after = {part.__qualname__: len(part.signatures) for part in parts}
print([name for name in before if after[name] != before[name]])
"""


@pytest.mark.parametrize("rules", ["8", "6 4"])
def test_whatever_a_game_needs_is_compiled_by_then(rules):
    """On boards of two sizes, with threats, and with trees that are used again."""
    run = subprocess.run(
        [sys.executable, "-c", "import sys" + GAME, *rules.split()],
        env=os.environ | {"PYTHONPATH": os.path.dirname(five.__path__[0])},
        capture_output=True,
        text=True,
    )
    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_what_is_compiled_takes_no_time_again(monkeypatch):
    compiling.compile_all(Rules(8))
    monkeypatch.setattr(compiling, "play_once", lambda rules: pytest.fail("it compiled again"))
    told = []
    compiling.compile_all(Rules(20), lambda *share: told.append(share))
    assert told == [(1, 1)]


def test_a_session_waits_while_another_one_compiles():
    """Two that compile the same side by side would do all the work twice."""
    order = []

    def other():
        with compiling.alone():
            order.append("other")

    thread = threading.Thread(target=other, daemon=True)
    with compiling.alone():
        thread.start()
        thread.join(0.2)
        order.append("own")
    thread.join(60)
    assert order == ["own", "other"]


# ---- python export/five_in_a_row --compile ----------------------------------------------


def start(*arguments, **settings):
    """Start the command line in a process of its own."""
    return subprocess.Popen(
        [sys.executable, five.__path__[0], *arguments],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_it_compiles_ahead_and_says_how_far_it_is():
    compiling.compile_all()  # what is on disk already is only loaded
    out, errors = (process := start("--compile")).communicate()
    assert (process.returncode, errors) == (0, "")
    first, *shares, last = out.splitlines()
    assert first.startswith("Compiling") and last.endswith("every game begins at once.")
    shares = [int(re.fullmatch(r" *(\d+) %", share)[1]) for share in shares]
    assert shares == sorted(set(shares)) and shares[-1] == 100


@pytest.mark.skipif(sys.platform == "win32", reason="signals that Windows does not have")
def test_ctrl_c_ends_it_quietly(tmp_path):
    process = start("--compile", NUMBA_CACHE_DIR=str(tmp_path))
    assert process.stdout.readline().startswith("Compiling")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")

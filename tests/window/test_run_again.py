"""The main notebook as it is used: Run All, play, edit a cell, play again, Run All again.

One kernel runs its cells as JupyterLab would ask it to. Nothing opens a window, so the Play
cell shows its board in the notebook, and moves are typed on that. What is searched is counted
in simulations, and the same seed is given to each game: what differs has been edited.
"""

import ast
import os
import time

import build
import numpy as np
import pytest
from helpers import PATIENCE
from jupyter_client.manager import start_new_kernel

MAIN = build.find_notebooks([])[0]
SETTINGS = {"FIVE_MODE": "quick", "PYTHONHASHSEED": "0", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
HELPERS = """
import pathlib, sys
sys.path.insert(0, "export")
import five_in_a_row
five_in_a_row.game_file.game_file = lambda: pathlib.Path({games!r})

def type_keys(*keys):
    for key in keys:
        shift = ["Shift"] if key.isupper() else []
        board.handle_event({{"type": "key_down", "key": key, "modifiers": shift}})

def count_simulations(number):
    record = {session}.record
    record.seconds, record.simulations, record.seed = None, number, 1

def shown_colours():
    with board.lock:
        board.handle_event({{"type": "resize", "width": 758, "height": 504, "ratio": 1}})
        return {{tuple(pixel) for pixel in board.get_frame().reshape(-1, 3).tolist()}}
"""
SESSION, NOTE = "board.controller.session", "board.controller.session.note"
MOVES = "board.controller.session.game.moves"
GREEN = (0, 255, 0)
EDITS = {  # cell: what is written there, and what a student writes instead
    "scores": ('"open two": (100, 10)', '"open two": (100, 10_000)'),
    "rollout": ("return to_move\n", "return -to_move  # whoever makes five loses\n"),
    "ucb": ("C = 0.5 ", "C = 5.0 "),
    "cut": ("KEEP = 5 ", "KEEP = 2 "),
    "draw-stone": ("put(stone_image(colour, diameter, flat)", f"put(ring_image({GREEN}, 9)"),
    "mine": ("return prior_search(", "return {}("),
}


class Notebook:
    """The main notebook and its kernel.

    shown      {cell: what it has printed}
    pictures   what the pictures that a display was given later show, in words
    """

    def __init__(self, client):
        self.client, self.shown, self.errors, self.requests = client, {}, [], {}
        self.pictures = []
        self.cells = {c.id: c for c in build.read_notebook(MAIN).cells}
        self.code = {name: c.source for name, c in self.cells.items() if c.cell_type == "code"}

    def run(self, cell, code=None):
        """Run a cell, or something else in its place; return what it prints."""
        content = {"code": self.code[cell] if code is None else code, "silent": False}
        content |= {"store_history": True, "user_expressions": {}, "allow_stdin": False}
        about = {"cellId": cell} if cell else {}
        message = self.client.session.msg("execute_request", content, metadata=about)
        number = message["header"]["msg_id"]
        self.requests[number], self.shown[cell] = cell, ""
        self.client.shell_channel.send(message)
        while not self.follow(number):
            pass
        assert self.errors == []
        return self.shown[cell]

    def follow(self, number):
        """Take the kernel's next message; say whether that request is done."""
        message = self.client.get_iopub_msg(timeout=3 * PATIENCE)
        kind, content = message["msg_type"], message["content"]
        asked = message["parent_header"].get("msg_id")
        cell = self.requests.get(asked)
        if kind == "error":
            self.errors.append((cell, f"{content['ename']}: {content['evalue']}"))
        elif kind == "stream" and content["name"] == "stderr":
            self.errors.append((cell, content["text"]))
        elif kind == "update_display_data" and "image/png" in content["data"]:
            self.pictures.append(content["metadata"]["image/png"]["alt"])
        elif kind == "stream":
            self.shown[cell] = self.shown.get(cell, "") + content["text"]
        idle = kind == "status" and content["execution_state"] == "idle"
        return idle and asked == number

    def run_all(self):
        """Run all cells from top to bottom; return what each has printed."""
        return {cell: self.run(cell) for cell in self.code}

    def ask(self, expression):
        """Return the value of an expression in the kernel."""
        return ast.literal_eval(self.run(None, f"print(repr({expression}))"))

    def wait(self, expression):
        """Wait until an expression is true in the kernel."""
        end = time.monotonic() + PATIENCE
        while not self.ask(f"bool({expression})"):
            assert time.monotonic() < end, f"never: {expression}; {self.ask(NOTE)}"
            time.sleep(0.02)

    def sit_down(self, opponent):
        """Run the Play cell with another opponent."""
        code, chosen = self.code["play-here"], "opponent=None"
        assert code.count(chosen) == 1
        code = code.replace(chosen, f"opponent={opponent!r}")
        self.run("play-here", code)
        self.run(None, "count_simulations(150)")

    def move(self, point):
        """Type a move, and wait for the reply."""
        count = self.ask(f"len({MOVES})")
        self.run(None, f"type_keys(*{point!r}, 'Enter')")
        self.wait(f"len({MOVES}) == {count} + 2 and {SESSION}.yours")

    def play(self, opponent="mine"):
        """Play two moves against an opponent; return what it has looked at, move by move."""
        self.sit_down(opponent)
        self.move("d4")
        self.move(self.ask(f"'e4' if 'e5' in {MOVES} else 'e5'"))
        assert self.ask(f"{SESSION}.record.players") == ("person", opponent)
        return self.ask(f"[r.visits.tolist() for r in {SESSION}.record.results.values()]")

    def edit(self, cell, name=None):
        """Write something else into a cell and run that cell alone."""
        old, new = EDITS[cell]
        code = self.code[cell]
        assert code.count(old) == 1, f"the cell {cell} does not say {old!r} once"
        self.run(cell, code.replace(old, new.format(name)))


def cells_between(nb, first, last):
    """Return the code cells from one text cell to another."""
    order = list(nb.cells)
    return [cell for cell in order[order.index(first) : order.index(last)] if cell in nb.code]


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    """Start a kernel for the main notebook that keeps its games in a folder of this test."""
    monkeypatch.delenv("FIVE_PLAY", raising=False)
    env = os.environ | SETTINGS | {"IPYTHONDIR": str(tmp_path / "ipython")}
    options = ["--IPKernelApp.log_level=ERROR"]
    manager, client = start_new_kernel(
        kernel_name="python3", cwd=str(MAIN.parent), env=env, extra_arguments=options
    )
    try:
        nb = Notebook(client)
        nb.run(None, HELPERS.format(games=str(tmp_path / "game.txt"), session=SESSION))
        yield nb
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_after_run_all_an_edit_is_in_the_next_game_and_everything_runs_again(notebook):
    nb = notebook
    first = nb.run_all()

    for opponent in nb.ask("list(opponents)"):
        nb.play(opponent)

    unedited = nb.play()
    assert nb.play() == unedited
    for cell in ("scores", "rollout"):
        nb.edit(cell)
        assert nb.play() != unedited, f"an edit of {cell} was not seen"
        nb.run(cell)
    assert nb.play() == unedited

    nb.edit("mine", "plain_search")
    plain = nb.play()
    nb.edit("ucb")
    assert nb.play() != plain, "an edit of C was not seen"
    nb.run("ucb")
    nb.edit("mine", "classic_search")
    assert [np.count_nonzero(visits) for visits in nb.play()] == [5, 5]
    nb.edit("cut")
    assert [np.count_nonzero(visits) for visits in nb.play()] == [2, 2]

    assert GREEN not in nb.ask("shown_colours()")
    nb.edit("draw-stone")
    nb.play()
    assert GREEN in nb.ask("shown_colours()")

    for cell in cells_between(nb, "visits-title", "essay-rules"):
        nb.run(cell)
    assert "unfinished after 4 moves" in nb.shown["report-demo"]
    nb.move("h8")
    nb.run(None, "type_keys('F')")
    nb.wait(f"{NOTE} == 'The figures below show your game'")
    assert nb.errors == []
    moves, visits, values = nb.pictures[-3:]
    assert "unfinished after 6 moves" in moves and "visits" in visits and "values" in values
    for cell in cells_between(nb, "visits-title", "essay-rules"):
        nb.run(cell)
    assert "unfinished after 6 moves" in nb.shown["report-demo"]
    assert "  3. h8" in nb.shown["report-demo"]

    again = nb.run_all()
    of_the_game = {"play-now", *cells_between(nb, "play-title", "essay-rules")}
    steady = [cell for cell in nb.code if "timing" not in build.tags(nb.cells[cell])]
    changed = [c for c in steady if c not in of_the_game and again[c] != first[c]]
    assert changed == []

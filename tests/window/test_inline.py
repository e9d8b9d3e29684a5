"""The board inside the notebook, as a widget without a browser.

In a browser test_jupyterlab.py plays on it.
"""

import asyncio
import io
import sys
import tempfile
import time
import types
from pathlib import Path

import five_in_a_row as five
import pytest
from five_in_a_row import inline, play
from helpers import PATIENCE
from PIL import Image
from window_lab import CONTROLS, ENGINE, control_places, searching

BOX = 758, 504  # CSS pixels that the board has in JupyterLab


def spot(place, size, rules, names=CONTROLS):
    """Return the pixel of a point or a control of those on a surface of that size."""
    layout = five.window.make_layout(*size, rules, len(names))
    if place in names:
        x, y, width, height = control_places(layout, names)[place]
        return x + 3 * width // 4, y + height // 2
    return five.window.to_pixel(five.game.to_point(place, rules), layout)


# ---- the widget without a browser ------------------------------------------------------


class Kept:
    """Stands for the place in the notebook where the kept picture is shown."""

    def __init__(self):
        self.pictures, self.words = [], []

    def update(self, data, raw, metadata):
        """Remember a picture and its words."""
        assert raw and set(data) == {"image/png", "text/plain"}
        self.pictures.append(data["image/png"])
        self.words.append(metadata["image/png"]["alt"])


class Visitor:
    """A person at a board: tells it what a browser would tell."""

    def __init__(self, board):
        self.board, self.page = board, board.page
        self.controller, self.session = board.controller, board.controller.session
        self.view = board.controller.view
        self.typed, _, self.prepare = self.controller.panels[:3]
        board.handle = Kept()

    @property
    def moves(self):
        """The names of the moves played."""
        return self.board.record.game.moves

    @property
    def prepared(self):
        """True once the search that only prepares has ended."""
        with self.board.lock:  # not in the middle of the board's tick
            return self.prepare.begun and not (self.session.search or self.session.note)

    def tell(self, kind, **event):
        """Let something happen."""
        self.board.handle_event({"type": kind, **event})

    def show(self):
        """Let the board appear."""
        self.tell("resize", width=BOX[0], height=BOX[1], ratio=1.25)

    def point(self, kind, place, **event):
        """Let something happen to the pointer at a place."""
        x, y = spot(place, self.page.surface.get_size(), self.board.record.game.rules)
        self.tell(kind, x=x / self.page.ratio, y=y / self.page.ratio, **event)

    def click(self, place, button=1):
        """Press a button of the mouse at a place."""
        self.point("pointer_down", place, button=button)

    def press(self, *keys, modifiers=()):
        """Press keys, one after the other."""
        for key in keys:
            shift = ("Shift",) if len(key) == 1 and key.isupper() else ()
            self.tell("key_down", key=key, modifiers=(*modifiers, *shift))

    async def until(self, condition):
        """Wait until the condition holds; fail where it never does."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "the board did not get there"
            await asyncio.sleep(0.005)

    async def answered(self, count):
        """Wait until that many moves are played, and a person is to move."""
        await self.until(lambda: len(self.moves) == count and self.session.yours)


def visit(scenario, human="black", simulations=None, file=None):
    """Run scenario(visitor) in an event loop; a search takes for ever unless told."""
    record = five.window.new_record(8, 3600, human)
    record.simulations = simulations
    session = five.window.Session(record, ENGINE)

    async def inside():
        controller = five.window.Controller(session)
        five.extras.add_extras(controller, file or Path(folder, "game.txt"))
        visitor = Visitor(inline.inline_board()(controller))
        try:
            visitor.show()
            await scenario(visitor)
        finally:
            visitor.board.close()
            visitor.board.task.result(PATIENCE)
            five.window.stop_search(visitor.session)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(inside())


def test_a_click_shows_its_stone_before_anything_is_saved(tmp_path):
    file = tmp_path / "game.txt"

    async def scenario(visitor):
        board, told, now = visitor.board, [], [0.0]
        await visitor.until(lambda: visitor.prepared)
        with board.lock:  # no tick in between
            visitor.session.clock = lambda: now[0]
            board.send_frame = lambda frame: told.append((file.exists(), frame))
            board._has_visible_views, board._rfb_frame_index = True, 9  # none was confirmed
            before, kept = board.get_frame(), list(board.handle.words)
            visitor.click("d4")
            ((saved, frame),) = told
            assert not saved and (before is None or (frame != before).any())
            assert "1. d4" in file.read_text()
            inline.tick_board(board)
            assert board.handle.words == kept  # the small picture, too, comes later
            now[0] = 1.5
            inline.tick_board(board)
            assert board.handle.words[-1].endswith("Moves: d4.")
            file.unlink()
            file.mkdir()  # so that nothing can be saved
            visitor.click("a1")
            assert "cannot be saved" in visitor.session.note

    visit(scenario, human="both", file=file)


def test_the_kept_picture_shows_the_game_and_nothing_else():
    async def scenario(visitor):
        visitor.click("d4")
        visitor.press("ArrowLeft")
        visitor.point("pointer_move", "g7")
        await visitor.answered(2)
        kept = visitor.board.handle
        await visitor.until(lambda: kept.words and "move 2" in kept.words[-1])
        have = Image.open(io.BytesIO(kept.pictures[-1])).convert("RGB")
        data = five.window.board_png(visitor.session, have.width, heat=True)[0]
        assert have.tobytes() == Image.open(io.BytesIO(data)).convert("RGB").tobytes()

    visit(scenario, simulations=100)


def test_shortcuts_are_not_for_the_board():
    async def scenario(visitor):
        visitor.click("d4")
        await visitor.answered(2)
        with visitor.board.lock:  # no tick in between, and no stone that still lands
            visitor.session.clock = lambda: 0.0
            before = five.window.shown_state(visitor.controller, visitor.page.surface)
            visitor.press(*"scubz+-", "Enter", modifiers=("Control",))
            visitor.press(*"RNCBW", modifiers=("Meta", "Shift"))
            assert five.window.shown_state(visitor.controller, visitor.page.surface) == before
        visitor.press("[", modifiers=("Control", "Alt"))  # AltGr and 8 on a German keyboard
        assert visitor.controller.panels[1].rules.size == 7

    visit(scenario, simulations=100)


def test_closing_while_the_computer_thinks_leaves_no_task_and_no_thread(tmp_path):
    async def scenario(visitor):
        visitor.click("d4")
        await visitor.until(lambda: visitor.session.result is not None)
        visitor.board.close()
        assert not searching() and visitor.session.search is None
        visitor.board.task.result(PATIENCE)
        assert visitor.board.task.exception() is None

    visit(scenario, file=tmp_path / "game.txt")
    assert five.game_file.load_game(tmp_path / "game.txt").game.moves == ["d4"]


# ---- play_inline without a browser -----------------------------------------------------


def test_play_inline_outside_a_notebook_says_where_it_can_be_played():
    with pytest.raises(inline.NoInline) as found:
        play.play_inline()
    assert str(found.value) == "to play inside a notebook, open one in JupyterLab"
    assert found.value._render_traceback_() == [str(found.value)]


def test_play_inline_without_jupyter_rfb_says_how_to_install_it(monkeypatch):
    shell = types.SimpleNamespace(kernel="a kernel")
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    assert inline.why_not_inline() == ""
    monkeypatch.setitem(sys.modules, "jupyter_rfb", None)  # as if it were not installed
    with pytest.raises(
        inline.NoInline, match="pip install jupyter_rfb and restart the kernel"
    ):
        play.play_inline()


def test_play_inline_closes_the_board_of_an_earlier_run(tmp_path, monkeypatch):
    monkeypatch.setattr(inline, "why_not_inline", lambda: "")

    async def inside():
        boards = []
        try:
            for _ in range(2):
                boards.append(play.play_inline(path=tmp_path / "game.txt"))
            boards[0].task.result(PATIENCE)
        finally:
            for board in boards:
                board.close()
                board.task.result(PATIENCE)

    asyncio.run(inside())

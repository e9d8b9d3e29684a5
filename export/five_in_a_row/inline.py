"""The board inside the notebook, for a hub or wherever there is no display.

The package jupyter_rfb (https://jupyter-rfb.readthedocs.io) shows the board's pictures in the
browser and reports clicks and keys. The board has its own thread, which ticks thirty times per
second: one can play while other cells run. `in_notebook` is a way to play, like the window:
five.window.play(..., ways=(five.window.in_window, in_notebook)) takes the first that works.
"""

import asyncio
import contextlib
import dataclasses
import functools
import importlib.util
import io
import itertools
import sys
import threading
import time

import numpy as np

import five_in_a_row as five
from five_in_a_row.window import Command

BROWSER_KEYS = (
    five.window.KEY_NAMES
    | {f"arrow{name}": name for name in five.window.ARROWS}
    | {" ": "space"}
)


def browser_key(name: str, shift: bool = False) -> str:
    """Return the key that the controller knows for the name that a browser gives it."""
    name = name.lower() if len(name) > 1 else five.window.with_shift(name, shift)
    return BROWSER_KEYS.get(name, name)


class Page:
    """A controller with a surface of its own, which a page of the browser shows."""

    def __init__(self, controller: five.window.Controller, size: tuple[int, int]):
        self.controller = controller
        self.surface = five.window.load_pygame().Surface(size)
        self.ratio = 1.0  # pixels of the screen for one of the page

    def handle(self, event: dict) -> None:
        """Handle an event of the browser: see jupyter_rfb's list of events."""
        controller, kind = self.controller, event["type"]
        held = set(event.get("modifiers", ()))
        shortcut = "Meta" in held or ("Control" in held and "Alt" not in held)
        if kind == "resize":
            self.resize(event)
        elif not controller.session.open or (kind == "key_down" and shortcut):
            return  # closed, or a shortcut of the browser; AltGr is Control and Alt
        elif kind == "pointer_move":
            five.window.point_at(controller, *self.pixel(event), self.surface)
        elif kind == "pointer_leave":
            controller.view.hover = None
        elif kind == "pointer_down" and event.get("button") == 1:
            five.window.press_at(controller, *self.pixel(event), self.surface)
        elif kind == "key_down":
            five.window.press_key(controller, browser_key(event["key"], "Shift" in held))
        elif kind == "close":
            controller.finish()

    def resize(self, event: dict) -> None:
        """Take a surface with as many pixels as the screen has for the board."""
        self.ratio = event.get("ratio", event.get("pixel_ratio", 1.0))
        size = [max(1, round(event[side] * self.ratio)) for side in ("width", "height")]
        self.surface = five.window.load_pygame().Surface(size)
        self.controller.painted = None

    def frame(self) -> np.ndarray | None:
        """Return the picture as uint8[height, width, 3]; None if nothing has changed."""
        if not five.window.paint_changes(self.controller, self.surface):
            return None
        pixels = five.window.load_pygame().image.tobytes(self.surface, "RGB")
        return np.frombuffer(pixels, np.uint8).reshape(*self.surface.get_size()[::-1], 3)

    def pixel(self, event: dict) -> tuple[int, int]:
        """Return the pixel of an event on the surface."""
        return int(event["x"] * self.ratio), int(event["y"] * self.ratio)


@functools.lru_cache
def inline_board():
    """Return the class InlineBoard; jupyter_rfb is imported only here."""
    import jupyter_rfb

    class InlineBoard(jupyter_rfb.RemoteFrameBuffer):
        """A controller as a widget of JupyterLab and Notebook; `record` is its game."""

        _css = jupyter_rfb.RemoteFrameBuffer._css + ONE_BOARD

        def __init__(self, controller: five.window.Controller, width: int = 760):
            self.controller = controller
            self.page = Page(controller, (width, width * 2 // 3))
            self.loop = asyncio.new_event_loop()
            self.lock = threading.RLock()
            self.handle = self.kept = self.waiting = None
            self.figures: list = []  # displays below the board, for show_game
            self.later = controller.session.keep = DelayedSave(controller.session)
            wide, high = f"min({width}px, 100%)", f"{width * 2 // 3}px"
            super().__init__(css_width=wide, css_height=high)
            self.add_class("five-board")
            self.comm._reply_subshell_for = beside_cells
            self.task = begin_loop(self.loop, run_board(self))

        def __repr__(self) -> str:
            return "A board to play on while the notebook runs"

        @property
        def record(self) -> five.window.GameRecord:
            """A copy of the last game that has a move, and what the computer found."""
            with self.lock:
                return last_game(self.controller.session)

        def get_frame(self) -> np.ndarray | None:
            """Return the picture as the page returns it, or None."""
            with self.lock:
                return self.page.frame()

        def handle_event(self, event: dict) -> None:
            """Handle an event of the browser, and show a click or a key at once."""
            with self.lock:
                self.page.handle(event)
                if event["type"] in ("pointer_down", "key_down") and self._has_visible_views:
                    send_picture(self)
                self.later.save()

        def close(self, *args, **kwargs) -> None:
            """End the game, which is kept, and take the board away."""
            if self.comm is not None:
                super().close(*args, **kwargs)
                self.handle_event({"type": "close"})
                self.task.add_done_callback(lambda task: call_in_thread(self, self.loop.stop))

        def _rfb_handle_msg(self, *message) -> None:
            call_in_thread(self, super()._rfb_handle_msg, *message)

        def _rfb_schedule_maybe_draw(self, *change) -> None:
            call_in_thread(self, self._rfb_maybe_draw)

    return InlineBoard


SCROLL = """
const render = ({model, el}) => {
  if (model.get('done')) return  // the page was loaded again
  model.set('done', true)
  model.save_changes()
  const board = () => el.closest('.jp-OutputArea')?.querySelector('.five-board') ?? el
  const look = () => board().scrollIntoView({block: 'center'})
  const looks = [0, 300, 1000, 2500].map(wait => setTimeout(look, wait))  // Run All jumps away
  const stop = () => looks.forEach(clearTimeout), once = {capture: true, once: true}
  for (const kind of ['wheel', 'pointerdown', 'keydown'])
    window.addEventListener(kind, stop, once)
}
export default {render}
"""


@functools.lru_cache
def scroll_to_board():
    """Return the class ScrollToBoard; anywidget is imported only here."""
    import anywidget
    from traitlets import Bool

    class ScrollToBoard(anywidget.AnyWidget):
        """Nothing to be seen: it scrolls to the board in its output when it is shown first."""

        _esm = SCROLL
        done = Bool(False).tag(sync=True)

    return ScrollToBoard


def beside_cells(message, subshell: str | None) -> str:
    """Return which subshell gets a message of the browser; where there is none, make one."""
    manager = sys.modules["IPython"].get_ipython().kernel.shell_channel_thread.manager
    return subshell or next(iter(manager.list_subshell()), None) or manager._create_subshell()


def run_loop(loop) -> None:
    """Run a board's event loop until it is stopped; it waits less for threads that compute."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)  # seconds; a click passes through several threads
    loop.run_forever()
    sys.setswitchinterval(before)
    loop.close()


def begin_loop(loop, coroutine):
    """Run a coroutine in a thread of its own with that event loop; return its Future."""
    threading.Thread(target=run_loop, args=[loop], daemon=True).start()
    return asyncio.run_coroutine_threadsafe(coroutine, loop)


def last_game(session: five.window.Session) -> five.window.GameRecord:
    """Return a copy of the last game that has a move."""
    record = session.record if session.game.played else session.before or session.record
    kept = ("results", "searches", "found_by")
    copies = {name: dict(getattr(record, name)) for name in kept}
    return dataclasses.replace(record, game=record.game.copy(), **copies)


async def run_board(board) -> None:
    """Tick and show what has changed, until the board is closed."""
    session = board.controller.session
    try:
        while session.open:
            with board.lock:
                tick_board(board)
            await asyncio.sleep(1 / 30)
    finally:
        with board.lock:
            board.controller.finish()
            board.later.save()
            keep_picture(board)
            session.show("Closed; the game is kept. Run the cell again to go on")
        board.request_draw()


def tick_board(board) -> None:
    """Go on with the game, and show what has changed."""
    session = board.controller.session
    try:
        board.controller.tick()
    except Exception as error:  # it would be lost in a task
        session.paused = True
        session.note = f"The board failed: {error}"
    five.window.print_failure(session)  # below the board
    send_changes(board)
    board.later.save()
    if session.clock() - session.moved_at > 1 or not board._has_visible_views:
        keep_picture(board)


def send_changes(board) -> None:
    """Ask for a picture where something has changed, and send it after a second."""
    controller, surface = board.controller, board.page.surface
    if five.window.shown_state(controller, surface) == controller.painted:
        board.waiting = None
        return
    board.request_draw()
    board._rfb_maybe_draw()  # at once: a picture to keep takes longer
    board.waiting = board.waiting or time.monotonic()
    if board._has_visible_views and time.monotonic() - board.waiting > 1:
        send_picture(board)


def send_picture(board) -> None:
    """Send what has changed, however many pictures the page has not confirmed yet."""
    board.waiting = None
    if (frame := board.get_frame()) is not None:
        board.send_frame(frame)


def call_in_thread(board, action, *given) -> None:
    """Let something happen in the board's thread, if it has not ended."""
    with contextlib.suppress(RuntimeError):
        board.loop.call_soon_threadsafe(action, *given)


class DelayedSave:
    """Takes the place of a session's `keep`, and saves when `save` is called."""

    def __init__(self, session: five.window.Session):
        self.session = session
        self.keep = session.keep
        self.records = []

    def __call__(self, record: five.window.GameRecord) -> None:
        """Note a record that is to be saved."""
        self.records.append(record)

    def save(self) -> None:
        """Save what was noted; a sentence says why if that is not possible."""
        while self.records:
            if note := self.keep(self.records.pop(0)):
                self.session.note = note


ONE_BOARD = """
.jp-OutputArea-child:has(.five-board) + .jp-OutputArea-child:has(> .jp-RenderedImage) {
  display: none;
}
"""


def keep_picture(board) -> None:
    """Put a picture of the board into the notebook, if the game has gone on."""
    controller, record = board.controller, board.controller.record
    moves = (*record.game.played, record.resigned)
    if board.handle is None or moves == board.kept:
        return
    board.kept = moves
    heat, board_shown = controller.view.heat, controller.board
    png, words = five.window.board_png(controller.session, 720, board_shown, heat=heat)
    five.figures.show_png(png, words, board.handle.update, width=360)


INLINE_BOARDS: dict = {}  # the board that each cell of the notebook has shown last


class NoInline(five.window.NoDisplay):
    """There is no notebook that could show the board; the message is one sentence."""


def why_not_inline() -> str:
    """Return "" in the kernel of a notebook with jupyter_rfb, else what would help."""
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    if not getattr(shell, "kernel", None):
        return "to play inside a notebook, open one in JupyterLab"
    if not importlib.util.find_spec("jupyter_rfb"):
        return "to play inside the notebook, pip install jupyter_rfb and restart the kernel"
    return ""


def in_notebook(controller: five.window.Controller):
    """Show the board in the notebook, and return it; `board.record` is its game.

    Raises NoInline outside a notebook.
    """
    from IPython.display import display

    if why := why_not_inline():
        raise NoInline(why)
    shell = sys.modules["IPython"].get_ipython()
    cell = shell.get_parent()["metadata"].get("cellId") if shell else None
    if cell in INLINE_BOARDS:  # the cell is run again
        INLINE_BOARDS.pop(cell).close()
    board = INLINE_BOARDS[cell] = inline_board()(controller)
    if shell:
        add_show(board)
        display(scroll_to_board()())
    display(board)
    board.handle = display(display_id=True)
    board.figures = [display(display_id=True) for _ in range(FIGURES)]
    return board


def add_show(board) -> None:
    """Let Close close the cell, and add a command that shows the game in figures below.

    Ludo, whose controller has none of the extras, has no such figures.
    """
    controller = board.controller
    controller.commands["close"] = five.window.COMMANDS["close"]  # the figures are below
    if "effects" not in controller.commands:
        return
    show = Command(
        "Show my game",
        "F",
        "draw the figures of this game below the board",
        lambda controller: show_game(board),
        lambda controller: bool(controller.session.before or controller.record.game.played),
    )
    five.extras.add_after(controller, "help", {"show": show})
    effects = controller.commands["effects"]  # a page makes no sound
    controller.commands["effects"] = effects._replace(control=False)


def show_game(board) -> None:
    """Draw the figures of the board's game below it, in a thread of their own."""
    session, record = board.controller.session, board.record
    session.note = "Your game is drawn below"

    def draw():
        try:
            pictures = game_figures(record)
            for handle, picture in itertools.zip_longest(board.figures, pictures):
                if picture is None:  # of an earlier game
                    handle.update({}, raw=True)
                else:
                    five.figures.show_png(*picture, handle.update)
            session.note = "The figures below show your game"
        except Exception as error:
            session.note = f"The figures cannot be drawn: {error}"

    threading.Thread(target=draw, daemon=True).start()


FIGURES = 3  # at most, of a game


def game_figures(record: five.window.GameRecord) -> list[tuple[bytes, str]]:
    """Return figures of a game as (PNG, words): its moves, visits and values of its searches.

    The visits and the values stand on small boards, one for each move of the computer, at most
    nine of them.
    """
    game, results = record.game, record.results
    moves = five.figures.new_figure(4.6, 4.6)
    five.figures.draw_record(moves.subplots(), game)
    ended = f"{five.figures.result_text(game, record.resigned)} after {len(game.played)} moves"
    drawn = [
        (moves, f"The board with the numbers of the moves, {ended}: {' '.join(game.moves)}")
    ]
    if plies := five.figures.evenly(sorted(results), 9):
        caption = five.search_figures.visits_caption(game, results, plies)
        for what in ("visits", "values"):
            figure = five.search_figures.game_panels(game, results, plies, what)
            drawn.append(
                (figure, f"Boards with the {what} before moves of the computer. {caption}")
            )
    pictures = []
    for figure, words in drawn:
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=120)
        pictures.append((file.getvalue(), words))
    return pictures

"""In JupyterLab with Chromium: the board and the replay.

One server and one page serve all tests. They wait for what the page shows or the kernel says,
never for a fixed time.
"""

import ast
import contextlib
import io
import time

import five_in_a_row as five
import nbformat
import numpy as np
import pytest
from lab import (
    CELLS,
    NOTEBOOK,
    PATIENCE,
    RUN_FIRST_CELL,
    SAVE,
    open_page,
    opened,
    reload,
    run_jupyterlab,
    write_notebook,
)
from PIL import Image
from test_inline import spot
from test_replay import WON, Player, output
from window_lab import CONTROLS, stones_in

SHOWN = [name for name in CONTROLS if name not in ("effects", "close")] + ["show", "close"]


@pytest.fixture(scope="module")
def jupyterlab(chromium, tmp_path_factory):
    """Start JupyterLab with settings of its own; return its folder, its URL and its token."""
    with run_jupyterlab(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture(scope="module")
def lab_page(playwright, jupyterlab):
    """Open the page of JupyterLab in which all tests open their notebooks."""
    page = open_page(playwright, jupyterlab)
    yield page
    page.context.browser.close()


# ---- the board -------------------------------------------------------------------------

ASK = f"""async expression => {{
    const ask = {{code: '', user_expressions: {{it: expression}}, store_history: false}};
    const reply = await {NOTEBOOK}.sessionContext.session.kernel.requestExecute(ask).done;
    return reply.content.user_expressions.it
}}"""
PLAY = """
import pathlib, sys
sys.path.insert(0, {export!r})
import five_in_a_row as five
from five_in_a_row import inline, play
five.game_file.game_file = lambda: pathlib.Path("game.txt").resolve()
board = play.play_inline({arguments})
"""
BELOW = ["print(6 * 7)", *["# a long cell\n" * 20] * 2]
RUN_ALL = f"""() => {{  // no waiting, and a page that asks for no subshell
    {NOTEBOOK}.sessionContext.session.kernel.commsOverSubshells = 'disabled';
    jupyterapp.commands.execute('notebook:run-all-cells')
}}"""
COLD = "import os\nos.environ['NUMBA_CACHE_DIR'] = os.path.abspath('cold')\n" + "# long\n" * 60
BUSY = """
import time
end = time.monotonic() + {patience}
while len(board.record.game.played) < {moves} and time.monotonic() < end:
    sum(range(10_000))
"""
COUNT = "print('twice' if 'n' in globals() else 'once')\nn = 1"
OUTPUTS = f"() => {NOTEBOOK}.content.widgets.map(w => w.model.outputs?.toJSON() ?? []).flat()"
KEYS = [  # what is pressed, and what is then true
    ("ArrowLeft", "view.cursor == 36"),  # the first arrow shows the cursor
    ("ArrowUp", "view.cursor == 44"),
    ("PageDown", "view.cursor == 44"),
    ("Enter", "moves[:1] == ['e6'] and len(moves) == 2"),
    ("u", "moves == []"),
    ("Space", "moves[:1] == ['e6'] and len(moves) == 2"),
    ("u", "moves == []"),
    ("a", "typed == 'a'"),  # a, b, c, d d, m, x, z change cells in command mode
    ("b", "typed == 'b'"),
    ("Escape", "typed == '' and session.open"),
    ("x", "typed == ''"),
    ("d", "typed == 'd'"),
    ("d", "typed == 'd'"),
    ("4", "typed == 'd4'"),
    ("Shift+Enter", "moves[:1] == ['d4'] and len(moves) == 2"),
    ("Shift+V", "not view.heat"),  # Shift with V, M, L, O does something in command mode
    ("Shift+M", "len(moves) == 2"),
    ("Shift+O", "session.record.players == ('person', 'classic')"),
    ("?", "view.overlay"),
    ("Escape", "not view.overlay and session.open"),
    ("Shift+N", "moves == []"),
]


class Reader:
    """A person before a page of JupyterLab: looks, clicks, presses keys, waits."""

    def __init__(self, page, file):
        self.page, self.file, self.rules = page, file, five.game.Rules(8)
        self.size = None
        self.board = page.locator("img.renderview-view")

    def wait(self, condition):
        """Wait until something is the case; fail where it never is."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            assert time.monotonic() < end, "the page did not get there"
            self.page.wait_for_timeout(100)
        return found

    def ask(self, expression):
        """Return what an expression of literals is in the kernel, beside all cells."""
        answer = self.page.evaluate(ASK, expression)
        assert answer["status"] == "ok", answer
        return ast.literal_eval(answer["data"]["text/plain"])

    def holds(self, condition):
        """Say whether a condition on view, session and moves holds in the kernel."""
        names, c = "view, session, moves, typed", "board.controller"
        given = f"{c}.view, {c}.session, {c}.record.game.moves, {c}.panels[0].typed"
        return self.ask(f"(lambda {names}: bool({condition}))({given})")

    def shown(self):
        """Say whether the board can be seen, with all pixels of the screen."""
        if self.board.count() != 1:
            return False
        self.size = self.board.evaluate("e => [e.naturalWidth, e.naturalHeight]")
        return self.size[0] == self.board.evaluate("e => e.clientWidth * devicePixelRatio")

    def printed(self):
        """Return what the cells have printed, those out of sight too."""
        outputs = self.page.evaluate(OUTPUTS)
        return ["".join(each["text"]).strip() for each in outputs if "text" in each]

    def in_sight(self):
        """Say whether all of the board is within the browser's window."""
        box = self.board.bounding_box()
        bottom = box["y"] + box["height"]
        return box["y"] >= 0 and bottom <= self.page.evaluate("innerHeight")

    def place(self, name):
        """Return where a point or a control is on the image, whose size may have changed."""
        self.wait(self.shown)
        ratio = self.page.evaluate("devicePixelRatio")
        x, y = spot(name, self.size, self.rules, SHOWN)
        return {"x": x / ratio, "y": y / ratio}

    def click(self, name):
        """Click on a point or a control."""
        self.board.click(position=self.place(name))

    def picture(self):
        """Return what the screen shows of the board, without the image's border."""
        self.wait(self.shown)
        shot = np.asarray(Image.open(io.BytesIO(self.board.screenshot())).convert("RGB"))
        edge = round(self.page.evaluate("devicePixelRatio"))
        return shot[edge : edge + self.size[1], edge : edge + self.size[0]].astype(int)

    def stones(self):
        """Return {name: colour} of the stones that can be seen."""
        layout = five.window.make_layout(*self.size, self.rules, len(SHOWN))
        return stones_in(self.picture(), layout, self.rules)

    def saved(self):
        """Save the notebook and return it."""
        self.page.evaluate(SAVE)
        return nbformat.read(self.file, 4)


@pytest.fixture
def sit_down(lab_page, jupyterlab, root):
    """Return a function that opens a notebook, runs its first cell, and returns a Reader."""
    folder = jupyterlab[0]
    with contextlib.ExitStack() as stack:

        def start(arguments="", above=(), below=BELOW, run=RUN_FIRST_CELL):
            """Open a new notebook in the page of JupyterLab."""
            code = PLAY.format(export=str(root / "export"), arguments=arguments)
            cells = [*above, code, *below]
            file = folder / "notebooks" / f"play{len(list(folder.rglob('play*.ipynb')))}.ipynb"
            file.with_name("game.txt").unlink(missing_ok=True)
            write_notebook(file, cells)
            stack.enter_context(opened(lab_page, jupyterlab, file))
            lab_page.evaluate(run)
            reader = Reader(lab_page, file)
            reader.wait(reader.shown)
            lab_page.wait_for_timeout(500)  # the page may still move while it is built up
            reader.wait(reader.shown)
            return reader

        yield start


def test_in_jupyterlab_a_game_is_played_and_saved_as_a_picture_and_keys_are_for_it(sit_down):
    reader = sit_down("seconds=0.1")
    kept = reader.page.locator(".jp-RenderedImage img")
    reader.click("d4")
    reader.wait(lambda: reader.holds("len(moves) == 2"))  # a picture of the screen costs more
    reader.wait(lambda: len(reader.stones()) == 2)
    (reply,) = set(reader.stones()) - {"d4"}
    assert reader.stones() == {"d4": "black", reply: "white"}
    words = f"Board at move 2. Your move. Moves: d4 {reply}."
    reader.wait(lambda: pictures(reader.saved()) == [words])
    assert reader.board.count() == 1 and not kept.is_visible()  # one board
    reader.page.keyboard.press("Shift+N")
    reader.wait(lambda: reader.holds("moves == []"))
    cells, place = reader.page.evaluate(CELLS), reader.board.bounding_box()
    for key, condition in KEYS:
        reader.page.keyboard.press(key)
        reader.wait(lambda condition=condition: reader.holds(condition))
        assert reader.board.bounding_box() == place, f"{key} scrolls the page"
    assert reader.page.evaluate(CELLS) == cells
    reader.page.evaluate(f"() => {NOTEBOOK}.sessionContext.session.kernel.restart()")
    reload(reader.page)
    reader.wait(kept.is_visible)  # the board has gone with its kernel
    assert reader.board.count() == 0


def pictures(notebook):
    """Return the alternative texts of the pictures that a saved notebook holds."""
    outputs = [output for cell in notebook.cells for output in cell.outputs]
    shown = [output for output in outputs if "image/png" in output.get("data", {})]
    return [output.metadata["image/png"]["alt"] for output in shown]


def test_in_jupyterlab_a_search_shows_visits_lets_cells_run_and_outlives_the_page(sit_down):
    reader = sit_down("size=15, seconds=3000")
    reader.rules = five.game.Rules(15)
    reader.click("h8")
    reader.wait(lambda: reader.holds("session.result is not None"))
    x, y, width, height = five.window.make_layout(*reader.size, reader.rules, len(SHOWN)).wood
    seen = set()

    def changed():
        seen.add(reader.picture()[y : y + height, x : x + width].tobytes())
        return len(seen) == 3

    reader.wait(changed)
    reader.page.locator(".jp-Cell .jp-InputArea-editor").nth(1).click()
    reader.page.keyboard.press("Control+Enter")
    output = reader.page.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output")
    reader.wait(lambda: "".join(output.all_inner_texts()).strip() == "42")
    assert reader.holds("session.thinking and moves == ['h8']")
    reader.saved()
    reload(reader.page)
    reader.wait(reader.shown)
    reader.wait(lambda: reader.stones() == {"h8": "black"})
    assert reader.holds("session.thinking and moves == ['h8']")
    reader.click("now")
    reader.wait(lambda: reader.holds("len(moves) == 2"))
    reader.click("undo")
    reader.wait(lambda: reader.stones() == {})


def test_in_jupyterlab_a_board_lives_while_cells_run_and_they_show_its_game(sit_down):
    busy = [BUSY.format(patience=PATIENCE, moves=moves) for moves in (1, 2)]
    tell, other = "moves = board.record.game.moves\nprint(moves)", COUNT
    below = [busy[0], tell, "print(len(moves))", other, busy[1]]
    reader = sit_down("human='both'", above=[COLD], below=below, run=RUN_ALL)
    reader.wait(reader.in_sight)
    reader.click("d4")
    reader.wait(lambda: reader.stones() == {"d4": "black"})
    reader.wait(lambda: reader.printed() == ["['d4']", "1", "once"])
    reader.click("e5")
    reader.wait(lambda: reader.stones() == {"d4": "black", "e5": "white"})
    reader.click("d5")
    reader.click("show")
    reader.wait(lambda: "3 moves: d4 e5 d5" in " ".join(pictures(reader.saved())))


# ---- the replay ------------------------------------------------------------------------

SHOW = """
import sys
sys.path.insert(0, {export!r})
import five_in_a_row as five
five.replay.replay(five.game.Game.from_text({moves!r}))
"""


@pytest.fixture
def show(lab_page, jupyterlab, root):
    """Return a function that opens a notebook in JupyterLab and returns its page and file."""
    with contextlib.ExitStack() as stack:

        def start(name, outputs=()):
            file = jupyterlab[0] / "notebooks" / f"{name}.ipynb"
            code = SHOW.format(export=str(root / "export"), moves=WON)
            write_notebook(file, [code, "print(6 * 7)", "# the last cell"])
            if outputs:
                notebook = nbformat.read(file, 4)
                notebook.cells[0].outputs = list(outputs)
                nbformat.write(notebook, file)
            stack.enter_context(opened(lab_page, jupyterlab, file))
            return lab_page, file

        yield start


def test_in_jupyterlab_slider_keys_and_buttons_work_and_change_no_cell(show):
    page, file = show("replay")
    page.evaluate(RUN_FIRST_CELL)
    player = Player(page)
    player.find(".slider").wait_for(timeout=1000 * PATIENCE)
    assert player.now == player.stones() == 17
    cells = len(page.evaluate(CELLS))
    for place in (".slider", ".moves button >> nth=3"):
        player.find(place).click()
        for key, frame in (("Home", 0), ("ArrowRight", 1), ("End", 17)):
            page.keyboard.press(key)
            assert player.now == frame, (place, key)
        for key in ("a", "b", "d", "d", "x", "m", "j", "ArrowDown", "ArrowUp"):
            page.keyboard.press(key)
        assert len(page.evaluate(CELLS)) == cells
    page.evaluate(SAVE)
    reload(page)
    player.find(".slider").wait_for(timeout=1000 * PATIENCE)
    assert player.now == 17
    assert "text/html" in nbformat.read(file, 4).cells[0].outputs[0].data


def test_in_an_untrusted_notebook_picture_and_record_are_shown(show):
    page, _ = show("untrusted", [output(five.replay.replay(five.game.Game.from_text(WON)))])
    laid_out = """() => {
        const [figure, another] = document.querySelectorAll('.jp-OutputArea-output figure');
        return figure?.querySelector('img')?.clientHeight > 500 && !another && figure.innerText
    }"""
    shown = page.wait_for_function(laid_out, timeout=1000 * PATIENCE)
    figure = page.locator(".jp-OutputArea-output figure")
    assert figure.locator("script").count() == 0 and figure.locator("button").count() == 0
    text = shown.json_value().replace("\xa0", " ")
    lines = text.split("\n")
    assert lines[0] == "8×8, 17 moves: black wins" and lines[-1] == "Black wins."
    assert "17. f3" in text and len(text) < 400

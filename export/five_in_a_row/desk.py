"""The analysis desk: the window with panels for those who want more than a game.

A record is dropped onto the window or pasted, and saved in three formats; a review of every
move draws the curve of values; analysis of any position goes on until it is stopped; swap2 and
other engines play. The desk adds panels and commands to a controller: session, board and
controller stay as they are. `python export/five_in_a_row --desk [file]` opens it.
"""

import copy
import dataclasses
import itertools
import re
import threading
import time
from pathlib import Path

import numpy as np

import five_in_a_row as five

from .files import one_line
from .panels import Panel
from .records import Record, keep_record, load_record, read_record
from .review import review_game, review_of, turning_points
from .seats import EngineFault
from .swap2 import Swap2, swap2_choice, swap2_stones
from .window import Command


def best_moves(result, most=5) -> tuple[str, ...]:
    """Return the most visited moves, each as "62% +0.31 h8 i9 g7": visits, value, line."""
    if result.tree is None or not result.visits.any():
        return ()
    size, total, found = result.visits.shape[1], result.visits.sum(), []
    children = {child.point: child for child in result.tree.root.children}
    for point in np.argsort(-result.visits, axis=None, kind="stable")[:most].tolist():
        if point in children and result.visits.flat[point]:
            share, value = result.visits.flat[point] / total, result.values.flat[point]
            line = [point, *children[point].line()][:6]
            moves = " ".join(five.game.point_name(p, size) for p in line)
            found.append(f"{share:.0%} {value:+.2f} {moves}")
    return tuple(found)


def position_of(game) -> tuple[bytes, int]:
    """Return the stones of a game and whose move it is."""
    return game.array.tobytes(), game.to_move


def analyst_of(session: five.window.Session) -> str:
    """Return who analyses, by name: the engine, which tells its line, or else the opponent."""
    return "engine" if "engine" in session.opponents else five.window.opponent_of(session)


class Analysis(Panel):
    """A search that goes on until it is stopped; `top` holds its best moves, in words.

    ended   the position whose search came to its end, since its result is certain
    """

    on, top, ended = False, (), None

    def switch(self, controller) -> None:
        """Think on about the position until this is asked again."""
        self.on = not self.on
        self.top = ()
        self.ended = None
        five.window.stop_search(controller.session)
        controller.session.show()

    def on_tick(self, controller) -> None:
        """Begin where nothing is searched nor was to its end; tell the best moves."""
        session = controller.session
        free = session.yours or (session.paused and not session.game.over)
        if session.failed:  # it would fail again and again
            self.on = False
            session.failed = False
        if self.on and free:
            if session.search is None and position_of(session.game) != self.ended:
                self.top = ()
                thinker = self.noted(session.opponents[analyst_of(session)])
                session.search = five.mcts.Thinking(
                    thinker, session.game, "hint", seconds=3600.0
                )
                session.search.player = analyst_of(session)
            elif self.top and five.window.is_searching(session, "hint"):
                session.note = "\n".join(self.top)

    def noted(self, thinker):
        """Return the thinker, which now tells its best moves to this panel as well."""

        def think(game, on_progress, **keywords):
            def note(result):
                self.top = best_moves(result)
                on_progress(result)

            result = thinker(game, on_progress=note, **keywords)
            if not keywords["stop"].is_set():
                self.ended = position_of(game)
            return result

        return think


def rival(player):
    """Return a thinker that asks a player, such as another engine, for its move."""

    def think(game, **keywords):
        begun, blank = time.perf_counter(), np.full(game.array.shape, np.nan)
        point, visits = player.move(game), np.zeros(blank.shape, np.int64)
        seconds = time.perf_counter() - begun
        found = visits, blank, blank.copy(), 0, seconds, [point], None, 0
        return five.mcts.SearchResult(point, "its move", *found)

    return think


class Rivals(Panel):
    """An engine loses the game by its fault."""

    def on_tick(self, controller) -> None:
        """Look whether a search has ended by the fault of an engine; leave other errors."""
        session, search = controller.session, controller.session.search
        if search is not None and isinstance(search.error, EngineFault):
            session.search = None
            session.asked = False
            controller.record.resigned = controller.record.game.to_move
            session.show(session.keep(controller.record) or str(search.error))


def show_ply(session: five.window.Session, ply: int) -> None:
    """Show the position after that many moves of this game."""
    if ply == len(session.game.played):
        return
    five.window.stop_search(session)
    session.game.go_to(ply)
    session.paused = True
    session.show()


class Steps(Panel):
    """Left and right step through the game; numbers stand on the stones."""

    numbers = False

    def step(self, controller, by: int) -> None:
        """Go some moves on, or back."""
        show_ply(controller.session, len(controller.record.game.played) + by)

    def switch_numbers(self, controller) -> None:
        """Show the numbers, or hide them."""
        self.numbers = not self.numbers

    def on_key(self, controller, key: str) -> bool:
        """Take the keys left and right while no cursor is shown."""
        if key not in ("left", "right") or controller.view.cursor is not None:
            return False
        controller.act("back" if key == "left" else "forth")
        return True

    def shown(self, controller):
        """Return whether the numbers are shown."""
        return self.numbers

    def draw(self, controller, surface) -> None:
        """Paint the number of its move on each stone."""
        if self.numbers and not controller.view.overlay:
            draw_numbers(five.window.canvas_of(controller, surface), controller.record.game)


def draw_numbers(canvas: five.window.Canvas, game: five.game.Game) -> None:
    """Paint the number of its move on each stone; the last one's in the signal colour."""
    cells, layout = game.array.ravel(), canvas.layout
    for number, point in enumerate(game.played, 1):
        dark = cells[point] == five.game.BLACK
        ink, paper = ((255,) * 3, (30,) * 3) if dark else ((0,) * 3, (245,) * 3)
        if number == len(game.played):  # it covers the mark of the last move
            canvas.put(five.window.ring_image(paper, layout.stone // 2), canvas.at(point))
            ink = ink if dark else canvas.theme.signal
        place, high = canvas.at(point), layout.cell * 2 // 5
        canvas.write(str(number), "center", place, high, layout.cell, ink)


def put_game(
    session: five.window.Session, record: five.window.GameRecord, note: str = ""
) -> None:
    """Put another game on the desk, where it waits; the one before is saved."""
    five.window.take_up(session, record, note)
    session.paused = True
    record.saved = ""


class SetUp(Panel):
    """Positions that were not played."""

    on = False

    def switch(self, controller) -> None:
        """Begin or end setting up."""
        self.on = not self.on
        five.window.stop_search(controller.session)
        controller.session.note = "Click a point: none, black, white" if self.on else ""

    def turn(self, controller) -> None:
        """Let the other side move, in the same position."""
        self.put(controller, controller.record.game.array, -controller.record.game.to_move)

    def on_point(self, controller, point: int | None) -> bool:
        """Change a point while a position is set up."""
        if not self.on or point is None:
            return False
        cells = controller.record.game.array
        cells.flat[point] = {0: 1, 1: -1, -1: 0}[int(cells.flat[point])]
        self.put(controller, cells, controller.record.game.to_move)
        return True

    def put(self, controller, cells, to_move) -> None:
        """Begin a game from a position; a position that cannot be is refused in a note."""
        try:
            game = five.game.Game.from_array(cells, to_move, controller.record.game.rules)
        except ValueError as error:
            controller.session.note = str(error)
            return
        anew = {"results": {}, "searches": {}, "found_by": {}, "resigned": 0}
        anew |= {"times": {}, "notes": {}} if isinstance(controller.record, Record) else {}
        put_game(controller.session, dataclasses.replace(controller.record, game=game, **anew))


class Records(Panel):
    """Records in and out; `folder` is where they are saved."""

    folder = Path(".")

    def on_drop(self, controller, path: str) -> bool:
        """Take a file that is dropped onto the window."""
        self.load(controller, path)
        return True

    def load(self, controller, path) -> None:
        """Put the game of a file on the desk."""
        rules = controller.record.game.rules  # the board of a list of moves that names none
        self.read(controller, lambda: load_record(path, rules), Path(path).name)

    def read(self, controller, reader, name) -> None:
        """Put on the desk what reader() returns, or say why it cannot be read."""
        try:
            record = reader()
        except (OSError, ValueError) as error:
            controller.session.note = str(error)
            return
        record.players = ("person", "person")
        said = [f"{one_line(name)}: {len(record.game.played)} moves", *record.remarks]
        put_game(controller.session, record, "; ".join(said))

    def paste(self, controller) -> None:
        """Read a record from the clipboard: moves, SGF or psq."""
        text, rules = clipboard_text(), controller.record.game.rules
        self.read(
            controller, lambda: read_record(text, rules=rules, name="clipboard"), "clipboard"
        )

    def copy(self, controller) -> None:
        """Put the moves into the clipboard."""
        kept = to_clipboard("".join(controller.record.game.moves))
        controller.session.note = (
            "The moves are in the clipboard" if kept else "No clipboard here"
        )


def save_record(controller: five.window.Controller, folder: Path, review=None) -> None:
    """Write the game as SGF, with its review, and psq, and its picture as PNG.

    The files get a name that none has there yet: game, game-2, game-3 and so on. A format that
    cannot hold the game is left out, and the note says why.
    """
    stem = "-".join(["game", *re.findall(r"\w+", controller.record.date)])
    names = itertools.chain([stem], (f"{stem}-{number}" for number in itertools.count(2)))
    kept, faults = [], []
    try:
        there = {file.stem.lower() for file in folder.iterdir()}
        stem = next(name for name in names if name.lower() not in there)
        for suffix in ("sgf", "psq", "png"):
            try:
                keep_record(controller.record, folder / f"{stem}.{suffix}", review)
                kept.append(f".{suffix}")
            except ValueError as error:  # a format that cannot hold this game
                faults.append(f"no .{suffix}: {error}")
        controller.session.note = "; ".join([f"Saved as {stem}{', '.join(kept)}", *faults])
    except OSError as error:
        controller.session.note = f"Not saved: {error}"


def clipboard():
    """Return pygame's clipboard; it raises pygame.error where there is none."""
    scrap = five.window.load_pygame().scrap
    if not scrap.get_init():
        scrap.init()
    return scrap


def clipboard_text() -> str:
    """Return the text of the clipboard, or an empty one."""
    pygame = five.window.load_pygame()
    try:
        data = clipboard().get(pygame.SCRAP_TEXT) or b""
    except pygame.error:
        return ""
    return data.decode("utf-8", "replace").rstrip("\0")


def to_clipboard(text: str) -> bool:
    """Put a text into the clipboard; False where there is none."""
    pygame = five.window.load_pygame()
    try:
        clipboard().put(pygame.SCRAP_TEXT, text.encode())
    except pygame.error:
        return False
    return True


REVIEW = 5_000  # simulations before each move


class Review(Panel):
    """A review of the game on the desk, in a thread of its own; `table` is the last one."""

    def __init__(self):
        self.table = None
        self.record = None
        self.thread = None
        self.progress = 0.0
        self.ended = threading.Event()  # ends the review that runs

    @property
    def running(self) -> bool:
        """True while the game is searched."""
        return self.thread is not None and self.thread.is_alive()

    def start(self, controller) -> None:
        """Search before every move of the game; asked again, it stops."""
        if self.running:
            self.ended.set()
            return
        whole = controller.record.game.copy()
        whole.go_to(len(whole.played) + len(whole.undone))
        self.ended = threading.Event()
        self.progress = 0.0
        self.record = controller.record
        self.thread = threading.Thread(target=self.work, args=(whole, self.ended), daemon=True)
        self.thread.start()

    def work(self, game, ended: threading.Event) -> None:
        """Review a game, and keep its table unless it was ended."""

        def count(done, of):
            self.progress = done / of

        table = review_game(game, simulations=REVIEW, on_move=count, stop=ended)
        if not ended.is_set():
            self.table = table

    def on_tick(self, controller) -> None:
        """Another game on the desk ends the review, and may bring its own."""
        if self.record is not controller.record:
            self.ended.set()
            self.record = controller.record
            self.table = review_of(self.record)

    def on_finish(self, controller) -> None:
        """End the review, and forget it."""
        self.ended.set()
        if self.thread is not None:
            self.thread.join()
        self.record = self.table = None

    def words(self, moves: int) -> str:
        """Return what is said below the curve of the position after that many moves."""
        if self.table is None:
            busy = f"Reviewing: {self.progress:.0%}"
            return busy if self.running else "Review: black's value by move"
        row = self.table.iloc[moves]
        named = isinstance(row.best, str)
        return f"black {row.value:+.2f}; best {row.best}" if named else row.words

    def draw_curve(self, canvas: five.window.Canvas, moves: int, box) -> None:
        """Paint black's value by move, the turning points, and where the board stands."""
        table = self.table
        values = {} if table is None else dict(enumerate(table.value))
        turns = () if table is None else turning_points(table).index
        at, last = min(moves, max(0, len(values) - 1)), max(1, len(values) - 1)
        five.panels.draw_curve(canvas, values, last, turns, at, self.words(at), box)


def strip_parts(surface, names) -> tuple[tuple, list]:
    """Return the box of the curve, and the Rect of each control."""
    width, height = surface.get_size()
    high, gap, wide = int(Strip.share * height), max(2, width // 60), width * 11 // 20
    y, grid = height - high, (wide, height - high, width - wide - gap, high - gap)
    columns = 4 if grid[2] > 2 * grid[3] else 3  # of eleven none stands alone
    boxes = five.window.control_boxes(grid, columns, len(names))
    return (gap, y, wide - 2 * gap, high - gap), boxes


class Strip(Panel):
    """The curve of the review, and the desk's own controls, which stand in `names`.

    A click on the curve goes to that move.
    """

    share = 0.2

    def __init__(self, review: Review, names):
        self.review = review
        self.names = list(names)

    def controls(self, controller) -> list:
        """Return its commands as they are now."""
        return [controller.commands[name].now(controller) for name in self.names]

    def shown(self, controller):
        """Return what the strip shows."""
        review, controls = self.review, self.controls(controller)
        return controls, id(review.table), review.running, review.progress

    def draw(self, controller, surface) -> None:
        """Paint curve and controls."""
        canvas = controller.board.canvas(surface, controller.session, controller.view)
        curve, boxes = strip_parts(surface, self.names)
        surface.fill(canvas.theme.paper, (0, curve[1], *surface.get_size()))
        self.review.draw_curve(canvas, len(controller.record.game.played), curve)
        five.window.draw_controls(canvas, self.controls(controller), boxes)

    def on_press(self, controller, x: int, y: int, surface) -> bool:
        """Use a control, or go to the move whose place on the curve was clicked."""
        table = self.review.table
        curve, boxes = strip_parts(surface, self.names)
        used = five.window.press_control(controller, self.names, boxes, (x, y))
        below = y >= curve[1]
        if below and not used and table is not None and curve[0] <= x < curve[0] + curve[2]:
            count = max(1, len(table) - 1)
            ply = round((x - curve[0]) * count / max(1, curve[2] - 1))
            show_ply(controller.session, ply)
        return below


# ---- swap2 ----------------------------------------------------------------------------------

OPTION_WORDS = {"white": "play white", "black": "play black", "add": "add one of each colour"}
MOST_STONES = {"open": 2, "choose": 3, "add": 4, "choose colour": 5, "done": 5}


class Opening(Panel):
    """The steps of swap2; `swap` is the Swap2 while it lasts.

    The computer opens and the person chooses, or the other way round. Lines over the board ask
    the person; the computer's choice is computed in a thread.
    """

    swap = None
    me = "first"  # the person's part
    job = None  # a Decision, while the computer works one out

    def begin(self, controller) -> None:
        """Begin a game with swap2; the person's part changes each time."""
        self.me = "first" if self.me == "second" else "second"
        record = five.window.new_record(15, controller.record.seconds or 1, "both")
        put_game(controller.session, record)
        self.swap = Swap2()
        self.job = None
        controller.view.overlay = ()
        controller.record.game = self.swap.game

    def goes_on(self, controller) -> bool:
        """True while the opening lasts; it ends where other stones are on the desk."""
        swap = self.swap
        if swap is None:
            return False
        added = len(swap.game.played) > MOST_STONES[swap.step]  # not placed by swap2
        if swap.game is not controller.record.game or added:
            self.leave(controller)
        return self.swap is not None

    def on_tick(self, controller) -> None:
        """Ask the person, or let the computer do its part; begin the game at the end."""
        if not self.goes_on(controller):
            return
        swap, job = self.swap, self.job
        if swap.chooser is None:
            begin_game(controller, swap.colours[self.me])
            self.swap = None
        elif swap.chooser != self.me:
            if job is None or not (job.is_alive() or job.apply(swap)):
                self.job = Decision(swap, controller.record.seed)
        elif swap.options():
            controller.view.overlay = controller.view.overlay or self.question()
        elif swap.step == "add":
            controller.session.note = "Add a white and a black stone"
        else:
            controller.session.note = "Place the stones of the opening: black, white, black"

    def on_point(self, controller, point: int | None) -> bool:
        """Place a stone of the opening."""
        if not self.goes_on(controller):
            return False
        swap = self.swap
        if swap.chooser == self.me and not swap.options() and point is not None:
            if swap.game.why_illegal(point) is None:
                swap.place(point)
        return True

    def question(self) -> tuple[str, ...]:
        """Return the lines that ask the person; a tab divides key and meaning."""
        lines = (f"{option[0]}\t{OPTION_WORDS[option]}" for option in self.swap.options())
        return "Swap2: what do you want?", *lines

    def asks(self, controller) -> bool:
        """Return True while the question lies over the board."""
        overlay = controller.view.overlay
        return self.goes_on(controller) and overlay[:1] == ("Swap2: what do you want?",)

    def on_press(self, controller, x: int, y: int, surface) -> bool:
        """Take an answer by a click on its line."""
        if not self.asks(controller):
            return False
        lines = controller.view.overlay
        layout = five.window.canvas_of(controller, surface).layout
        for line, row in zip(lines, five.window.overlay_rows(layout, len(lines)), strict=True):
            if row.collidepoint(x, y):
                self.answer(controller, line.partition("\t")[0])
        return True

    def on_overlay_key(self, controller, key: str) -> bool:
        """Take an answer by its key."""
        if not self.asks(controller):
            return False
        self.answer(controller, key)
        return True

    def answer(self, controller, key: str) -> None:
        """Take an answer; escape leaves the opening, anything else is no answer."""
        options = {option[0]: option for option in self.swap.options()}
        if key == "escape":
            self.leave(controller)
        elif key in options:
            controller.view.overlay = ()
            self.swap.choose(options[key])

    def leave(self, controller) -> None:
        """End the opening, and take its question away."""
        if controller.view.overlay[:1] == ("Swap2: what do you want?",):
            controller.view.overlay = ()
        self.swap = None


class Decision(threading.Thread):
    """The computer's part of one step, worked out in a thread on a copy of the opening.

    It counts only if the opening has not changed in the meantime.
    """

    def __init__(self, swap: Swap2, seed: int):
        super().__init__(daemon=True)
        self.swap = copy.copy(swap)
        self.seed = seed % 1000
        self.found = []
        self.swap.game = swap.game.copy()
        self.start()

    def run(self) -> None:
        """Find a choice, or stones; nothing but `found` is changed."""
        if self.swap.options():
            self.found = [swap2_choice(self.swap)]
        else:
            self.found = swap2_stones(self.swap, seed=self.seed)

    def apply(self, swap: Swap2) -> bool:
        """Do what was found, once; False, and nothing, where the opening is another by now."""
        asked, found, self.found = self.swap, self.found, []
        if (asked.step, asked.game.played) != (swap.step, swap.game.played):
            return False
        step = swap.choose if asked.options() else swap.place
        for each in found:
            step(each)
        return bool(found)


def begin_game(controller, mine: int) -> None:
    """Go on with the colours that the opening has given; the person has `mine`."""
    opponent = five.window.opponent_of(controller.session)
    players = ("person", opponent) if mine == five.game.BLACK else (opponent, "person")
    controller.record.players = players
    controller.session.paused = False
    controller.view.overlay = ()
    controller.session.show(f"You have {five.game.COLOUR[mine]}")


# ---- the desk -------------------------------------------------------------------------------


class Desk:
    """The panels of the analysis desk, which share one controller."""

    def __init__(self, controller: five.window.Controller, folder=Path(".")):
        self.controller = controller
        self.analysis = Analysis()
        self.steps = Steps()
        self.setup = SetUp()
        self.records = Records()
        self.review = Review()
        self.opening = Opening()
        self.records.folder = Path(folder)
        self.commands = self.make_commands()
        self.strip = Strip(self.review, self.commands)
        five.extras.add_commands(controller)
        controller.commands |= self.commands
        controller.panels += [
            *(self.opening, self.setup, self.steps, self.analysis, Rivals()),
            *(self.records, self.review, self.strip),
        ]
        controller.session.paused = True  # the desk waits until it is asked

    def make_commands(self) -> dict:
        """Return the commands that the desk adds."""
        analysis, steps, setup, records = self.analysis, self.steps, self.setup, self.records
        review, opening = self.review, self.opening
        commands = {
            "analyse": Command("Analyse", "A", "think on until stopped: the five best moves",
                               analysis.switch, on=lambda controller: analysis.on),
            "review": Command("Review", "G", "search before every move, draw the values",
                              review.start, on=lambda controller: review.running),
            "numbers": Command("Numbers", "#", "number the stones",
                               steps.switch_numbers, on=lambda controller: steps.numbers),
            "setup": Command("Set up", "E", "put stones anywhere: black, white, none",
                             setup.switch, on=lambda controller: setup.on),
            "turn": Command("Turn", "T", "the other side is to move", setup.turn),
            "back": Command("← Back", "left", "one move back",
                            lambda controller: steps.step(controller, -1),
                            lambda controller: bool(controller.record.game.played)),
            "forth": Command("Forth →", "right", "one move on",
                             lambda controller: steps.step(controller, +1),
                             lambda controller: bool(controller.record.game.undone)),
            "swap": Command("Swap2", "Q", "begin with swap2; again: the other side opens",
                            opening.begin),
            "copy": Command("Copy", "K", "the moves to the clipboard", records.copy),
            "paste": Command("Paste", "P", "a record from the clipboard", records.paste),
            "save": Command("Save", "S", "the record as SGF, psq and PNG", self.save),
        }  # fmt: skip
        for name, command in commands.items():  # their controls stand in the strip
            commands[name] = command._replace(control=False)
        return commands

    def save(self, controller) -> None:
        """Save the game with its review."""
        save_record(controller, self.records.folder, self.review.table)


def show_board(game: five.game.Game) -> None:
    """Display a board, as the window paints it, with its position in words."""
    record = five.window.GameRecord(game, ("person", "person"))
    five.figures.show_png(*five.window.board_png(five.window.Session(record, {})))


def desk_window(
    record=None, size=15, folder=".", rivals=None, session=None, board=None, *, seconds=2
) -> five.window.Window:
    """Return a window with the desk, open and not yet running; arguments as for open_desk."""
    played = five.window.new_record(size, seconds, "both")
    if record is not None:
        played = load_record(record, five.game.Rules(size))
        played.players = ("person", "person")
    keep = five.game_file.keeper(Path(folder) / "desk.txt")
    session = session or five.window.Session(played, dict(five.opponents.OPPONENTS), keep)
    session.opponents |= {name: rival(player) for name, player in (rivals or {}).items()}
    five.window.open_window("Analysis desk")
    return five.window.Window(Desk(five.window.Controller(session, board), folder).controller)


def open_desk(
    record=None, size=15, folder=".", rivals=None, session=None, board=None, *, seconds=2
) -> five.window.GameRecord:
    """Open the desk and return the game that is on it when it is closed.

    record    a file to begin with, or None for an empty board
    size      of an empty board, and of a list of moves that names none
    rivals    {name: player}: a side of that name is played by it, such as another engine
    session   a Session to go on with, with its opponents; board: a Board to paint it
    Raises five.window.NoDisplay where no window can be opened, ValueError or OSError for a
    record that cannot be read.
    """
    return desk_window(record, size, folder, rivals, session, board, seconds=seconds).run()

# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


import copy
import importlib.util
import io
import math
import os
import re
import sys
import textwrap
import time
import traceback
import warnings
from collections import namedtuple
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from five_in_a_row.figures import short_number, top_points
from five_in_a_row.game import (
    BLACK,
    COLOUR,
    EMPTY,
    WHITE,
    Game,
    Rules,
    check_game,
    check_number,
    check_rules,
    landing,
    point_name,
    quoted,
)
from five_in_a_row.mcts import SearchResult, Thinking, check_limits, check_seed, whole_level


# ---- The session ----------------------------------------------------------------------------


# by Interface · the record of a game and of what the computer found
@dataclass
class GameRecord:
    """A game, who played it, and what its searches found; plies count from 0."""

    game: Game
    players: tuple[str, str] = ("person", "engine")  # black, white
    seconds: float | None = None  # the computer's budget for a move
    simulations: int | None = None
    seed: int = 0  # the search at ply p has seed + p
    level: int | None = None  # 1 to 10, or None for full strength
    results: dict[int, SearchResult] = field(default_factory=dict)  # without their trees
    searches: dict[int, tuple] = field(default_factory=dict)  # (simulations, seed, level)
    found_by: dict[int, str] = field(default_factory=dict)  # whose search it was
    resigned: int = 0  # the colour that has given up
    source: str = "person"  # or "saved game", "engine against classic"
    date: str = field(default_factory=partial(time.strftime, "%Y-%m-%d %H:%M"))
    saved: str = field(default="", repr=False)  # what the game file holds of this game

    def __post_init__(self):
        if not (isinstance(self.players, tuple) and len(self.players) == 2):
            raise ValueError(f"players must be two names, not {quoted(self.players)}")
        check_game(self.game)
        check_seed(self.seed)
        whole_level(self.level)
        check_limits(seconds=self.seconds, simulations=self.simulations)

    @property
    def over(self) -> bool:
        """True when the game has ended, on the board or by resignation."""
        return self.game.over or self.resigned != 0

    @property
    def sides(self) -> dict[int, str]:
        """Who plays each colour, by name."""
        return {BLACK: self.players[0], WHITE: self.players[1]}

    @property
    def persons(self) -> tuple[int, ...]:
        """The colours that a person plays."""
        return tuple(colour for colour, name in self.sides.items() if name == "person")

    def play(self, move, result=None, level=None) -> None:
        """Play a move; `result` and `level` belong to the search that has found it."""
        if result is not None and not hasattr(result, "visits"):
            raise ValueError(f"result must be a SearchResult or None, not {quoted(result)}")
        level = whole_level(level)
        ply = len(self.game.played)
        name = self.sides[self.game.to_move]
        self.game.play(move)
        self.forget(ply)
        if result is not None:
            self.results[ply] = replace(result, tree=None)  # it may be large
            self.searches[ply] = (result.simulations, result.seed, level)
            self.found_by[ply] = name

    def forget_undone(self) -> None:
        """Forget what was found for moves that have been taken back."""
        self.forget(len(self.game.played))

    def forget(self, first: int) -> None:
        """Forget what was found for the move at that ply and all later ones."""
        for kept in (self.results, self.searches, self.found_by):
            for ply in [ply for ply in kept if ply >= first]:
                del kept[ply]


PERSONS = ("black", "white", "both", "none")  # the colours that a person may play


def new_record(
    size=8, seconds=5, human="black", level=None, rules=None, opponent="engine"
) -> GameRecord:
    """Return a game that has not begun; ValueError names what is allowed.

    size     3 to 20            seconds   the computer's time for a move, 0 to 3600
    human    one of PERSONS     level     1 (beginner) to 10, or None for full strength
    rules    Rules of another game, in place of `size`
    """
    rules = check_rules(Rules(size) if rules is None else rules)
    if not isinstance(human, str) or human not in PERSONS:
        allowed = "'black', 'white', 'both' or 'none'"
        raise ValueError(f"human must be {allowed}, not {quoted(human)}")
    if not isinstance(opponent, str):
        raise ValueError(f"opponent must be the name of one, not {quoted(opponent)}")
    seconds = check_number("seconds", seconds, 0, 3600)
    black = "person" if human in ("black", "both") else opponent
    white = "person" if human in ("white", "both") else opponent
    seed = int(np.random.default_rng().integers(1 << 31))  # no two games alike
    level = whole_level(level)
    return GameRecord(Game(rules), (black, white), seconds, seed=seed, level=level)


# by Interface · a game and its search; a search begins; a move is played
class Session:
    """A game that is played: whose turn it is, and what is being thought."""

    def __init__(self, record: GameRecord, opponents: dict, keep=None):
        self.record = record
        self.opponents = opponents  # {name: a function that searches}
        self.keep = keep or (lambda record: None)  # saves it; returns why if that fails
        self.expect = expectation  # says in words what a search expects
        self.open = True
        self.paused = False  # the computer waits
        self.search: Thinking | None = None  # the one that runs
        self.asked = ""  # who is asked for a hint, by name
        self.searcher = ""  # who has found the result that is shown
        self.failed = False  # the last search has failed, with this error:
        self.error: Exception | None = None
        self.clock = time.monotonic
        self.moved_at = -math.inf  # when the last stone came, by this clock
        self.before: GameRecord | None = None  # the last game that has a move
        self.chosen = ""  # the opponent that was chosen last, by name
        self.show()

    @property
    def game(self) -> Game:
        """The game on the board."""
        return self.record.game

    @property
    def yours(self) -> bool:
        """True when a person is to move."""
        return not self.record.over and self.game.to_move in self.record.persons

    @property
    def thinking(self) -> bool:
        """True while it is the computer's turn."""
        return bool(self.opponents) and not (self.yours or self.record.over or self.paused)

    @property
    def fresh(self) -> bool:
        """True while a search is shown whose move has not been played."""
        return self.result is not None and self.game.array.flat[self.result.move] == EMPTY

    @property
    def side(self) -> int:
        """The colour that has won or is to move; 0 after a draw."""
        if self.game.over:
            return self.game.winner
        return -self.record.resigned or self.game.to_move

    def show(self, note: str | None = None) -> None:
        """Show the game with a note, and nothing of a search."""
        self.note = note or ""
        self.result: SearchResult | None = None
        self.verdict = ""
        self.hint: int | None = None


def begin_search(session: Session, purpose: str) -> None:
    """Begin to search for a "move", or for a "hint" at full strength."""
    record, game = session.record, session.game
    name = record.sides[game.to_move] if purpose == "move" else session.asked
    if name not in session.opponents:
        name = opponent_of(session)
    session.show("" if session.failed else session.note)
    session.failed = False
    session.search = Thinking(
        session.opponents[name],
        game,
        purpose,
        seconds=record.seconds,
        simulations=record.simulations,
        level=record.level if purpose == "move" else None,
        seed=record.seed + len(game.played),
    )
    session.search.player = name


def play_point(session: Session, point: int, result=None, level=None) -> None:
    """Play a move, perhaps one that a search has found, and save the game."""
    session.record.play(point, result, level)
    session.moved_at = session.clock()
    session.paused = False
    session.show(session.keep(session.record))


# by Interface · a search is followed, and ends
def follow_search(session: Session) -> None:
    """Do what is due: end a search that has ended, begin the next one, show progress."""
    search, is_shown = session.search, is_searching(session)
    if search is not None and not search.is_alive():
        end_search(session)
    if is_shown and search.result is not None and search.result is not session.result:
        session.result = search.result
        session.verdict = session.expect(search.game, search.result)
        session.searcher = search.player
    purpose = "move" if session.thinking else "hint" if session.asked else ""
    if purpose and session.search is None and not session.record.over:
        begin_search(session, purpose)


def end_search(session: Session) -> None:
    """Play the move of the search that has ended, or show its hint."""
    search = session.search
    session.search = None
    if search.purpose == "hint":
        session.asked = ""
    if search.error is not None:
        note_failure(session, search)
    elif search.purpose == "move":
        play_point(session, search.result.move, search.result, search.settings["level"])
    elif search.purpose == "hint":
        session.hint = search.result.move
        session.note = f"This is what {called(search.player)} would play"


# by Interface · what you can do; words for the game; what is possible; the end
def click_point(session: Session, point: int | None) -> None:
    """Put the person's stone on the point, if that is a move now."""
    point = landing(session.game, point)
    if session.yours and point is not None:
        stop_search(session)
        play_point(session, point)


def ask_for_hint(session: Session) -> None:
    """Ask the opponent for a move."""
    session.asked = opponent_of(session)


def step_size(session: Session) -> int:
    """Return how many moves go back or forth at once: 2 where the computer has replied."""
    return 2 if session.record.persons == (session.game.to_move,) else 1


def step_game(session: Session, way: int) -> None:
    """Take back, -1, the person's move and the reply, or a resignation; or redo, +1."""
    stop_search(session)
    record = session.record
    moves = 0 if record.resigned else way * step_size(session)
    record.game.go_to(len(record.game.played) + moves)
    record.resigned = 0
    session.moved_at = -math.inf
    session.paused = not record.persons
    session.show(session.keep(record) if way > 0 else None)


def new_game(session: Session) -> None:
    """Begin another game with the same players and limits."""
    old = session.record
    if old.game.played:
        session.before = old
    seed = old.seed + old.game.rules.points
    limits = (old.seconds, old.simulations, seed, old.level)
    take_up(session, GameRecord(Game(old.game.rules), old.players, *limits))


def heading(session: Session) -> str:
    """Return the line beside the board: whose move it is, or how the game ended."""
    colour, record = session.side, session.record
    if not colour:
        return "Draw: the board is full"
    you = record.persons == (colour,)
    alone = len(record.persons) == 1
    who = "You" if you else "The computer" if alone else COLOUR[colour].capitalize()
    if record.over:
        ending = " by resignation" if record.resigned else ""
        return f"{who} {'win' if you else 'wins'}{ending}"
    if you:
        return "Your move"
    return f"{who} {'thinks' if session.thinking else 'to move'}"


def called(name: str, first: bool = False) -> str:
    """Return an opponent as a sentence names it: "the engine", "mine"; first: "Mine"."""
    words = f"the {name}" if name in ("engine", "computer", "search") else name
    return words[:1].upper() + words[1:] if first else words


def note_failure(session: Session, search: Thinking) -> None:
    """Say what went wrong in a search; the game stays as it is, and the computer waits."""
    error = search.error
    if not isinstance(error, Exception):
        raise error
    session.error = error
    session.failed = True
    session.paused = session.paused or search.purpose == "move"
    who = called(search.player or "search", True)
    reason = " ".join(str(error).split())
    session.show(
        f"{who} failed: {type(error).__name__}: {textwrap.shorten(reason, 80)}\n"
        "Shift+M: try again"
    )


def print_failure(session: Session) -> None:
    """Print the traceback of the last search that failed, once."""
    if session.error is not None:
        print("A search of this game failed:", file=sys.stderr)
        traceback.print_exception(session.error)
    session.error = None


REASONS = {  # why a move was chosen
    "five": "makes five", "blocks five": "stops a five", "VCF": "wins by fours",
    "VCT": "wins by fours and open threes", "only move": "the only move",
    "only candidate": "the only defence found", "proven": "proved best",
    "level": "chosen as its level plays",
}  # fmt: skip


def result_lines(result: SearchResult, name: str = "") -> list[str]:
    """Return what a search, of an opponent of that name, has found, line by line."""
    lines = [f"{result.name}: {REASONS.get(result.why, result.why)}"]
    if result.simulations:
        rate = short_number(result.simulations / max(result.seconds, 1e-3))
        rates = f", {rate}/s" if result.seconds else ""
        who = f"{name[0].upper()}{name[1:]}: " if name else ""
        lines.append(f"{who}{result.simulations:,} simulations{rates}")
    return [*lines, f"Line: {result.names(8)}"] if len(result.line) > 1 else lines


def expectation(game: Game, result: SearchResult) -> str:
    """Return the value of a position in words; "" where a search has not found any."""
    who = COLOUR[game.to_move].capitalize()
    return "" if math.isnan(result.value) else f"{who} expects {(1 + result.value) / 2:.0%}"


def is_searching(session: Session, *purposes: str) -> bool:
    """Return True while a move or a hint is searched, or only what is named."""
    return bool(session.search) and session.search.purpose in (purposes or ("move", "hint"))


def stop_search(session: Session) -> None:
    """End the search for a move or a hint, if there is one."""
    session.asked = ""
    if is_searching(session):
        session.search.stop()
        session.search = None


def opponent_of(session: Session) -> str:
    """Return the name of the opponent, who also gives the hints; "" where there is none."""
    for name in (*session.record.players, session.chosen, *session.opponents):
        if name in session.opponents:
            return name
    return ""


def status_lines(session: Session) -> list[str]:
    """Return the note and what the computer has found, or else what wins, line by line."""
    rules = session.game.rules
    lines = [line for line in (*session.note.splitlines(), session.verdict) if line]
    lines += result_lines(session.result, session.searcher) if session.result else []
    if lines or session.game.over:
        return lines
    if max(rules.size, rules.height) < rules.in_a_row:
        return [f"No line of {rules.in_a_row} fits on this board: it can only be drawn"]
    return [f"{rules.in_a_row} or more in a row win"]


def can_undo(session: Session) -> bool:
    """Return True unless there is no move, or only the computer's first."""
    return session.record.resigned != 0 or len(session.game.played) >= step_size(session)


def can_redo(session: Session) -> bool:
    """Return True where a move was taken back."""
    return bool(session.game.undone) and not session.record.over


def can_move_now(session: Session) -> bool:
    """Return True while something is searched, and where it is the computer's turn."""
    turn = bool(session.opponents) and not (session.yours or session.record.over)
    return turn or is_searching(session)


def take_up(session: Session, record: GameRecord, note: str = "") -> None:
    """Put another game on the board; the one before is saved."""
    stop_search(session)
    session.keep(session.record)
    session.record = record
    session.paused = False
    session.moved_at = -math.inf
    session.show(note)


def finish_session(session: Session) -> GameRecord:
    """Save the game, end the search, and return the last game that has a move."""
    session.open = False
    session.asked = ""
    session.keep(session.record)
    if session.search is not None:
        session.search.stop(wait=0.5)  # one that compiles cannot be ended
    session.search = None
    session.record.forget_undone()
    return session.record if session.game.played else session.before or session.record


def move_now(session: Session) -> None:
    """Let the computer play what it has found so far, or go on after a pause."""
    if is_searching(session):
        session.search.hurry()
        if session.search.result is None:
            session.note = "Nothing is found yet: it plays the first move that it finds"
    session.paused = False


# ---- The board ------------------------------------------------------------------------------


# by Interface · where everything stands, in pixels; fonts, colours, the empty board
class Layout(NamedTuple):
    """Where the parts of a window stand."""

    size: int  # columns of the board
    rows: int
    cell: int  # between two neighbouring points
    unit: int  # text is about one and a half units high
    left: int  # of point 0
    bottom: int  # of point 0
    stone: int  # its diameter
    wood: tuple  # the box of the board
    text: tuple  # the box of the words
    grid: tuple  # the box of the controls
    columns: int  # in which these stand


def make_layout(width: int, height: int, rules: Rules, controls: int = 0) -> Layout:
    """Return the layout for that many controls; without any, two lines of text suffice.

    Words and controls stand beside the board or below it, wherever the board is larger then.
    """
    unit = max(4, min(width, height) // 28)
    gap = unit // 2
    edge = 4 * unit // 3  # wood around the points, for coordinates
    panel_height = (12 if controls else 8) * unit  # where it is below the board
    panel_width = 13 * unit  # at least, where it is beside the board
    below = largest_cell(width, height - panel_height, rules, gap + edge)
    beside = largest_cell(width - panel_width, height, rules, gap + edge)
    is_beside = controls > 0 and beside >= below
    cell = beside if is_beside else below
    columns = 2 if is_beside else 3
    wide = 2 * edge + cell * rules.size
    high = 2 * edge + cell * rules.height
    grid_height = math.ceil(controls / columns) * 17 * unit // 10
    if is_beside:  # the controls below the words
        panel = min(width - wide - 3 * gap, 19 * unit)
        x = (width - wide - gap - panel) // 2
        y = (height - high) // 2
        text = (x + wide + gap, gap, panel, height - grid_height - 3 * gap)
        grid = (text[0], height - grid_height - gap, panel, grid_height)
    else:  # words and controls side by side
        panel = min(width - 2 * gap, 44 * unit)
        x = (width - wide) // 2
        y = max(gap, (height - high - panel_height) // 2)
        top = y + high + gap
        room = min(panel_height - unit, height - y - high - 2 * gap)
        part = panel * 2 // 5 if controls else panel
        text = ((width - panel) // 2, top, part, room)
        grid = (text[0] + part + gap, top, panel - part - gap, min(grid_height, room))
    return Layout(
        size=rules.size,
        rows=rules.height,
        cell=cell,
        unit=unit,
        left=x + edge + cell // 2,
        bottom=y + high - edge - cell + cell // 2,
        stone=max(3, cell * 23 // 25),
        wood=(x, y, wide, high),
        text=text,
        grid=grid,
        columns=columns,
    )


def largest_cell(width: int, height: int, rules: Rules, border: int) -> int:
    """Return the pixels between two points of the largest board that fits, 2 at least."""
    across = (width - 2 * border) // rules.size
    down = (height - 2 * border) // rules.height
    return max(2, min(across, down))


def load_pygame():
    """Return pygame, without its greeting."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp on Windows
    with warnings.catch_warnings(action="ignore"):
        import pygame
    return pygame


def png_of(surface) -> bytes:
    """Return a surface as PNG."""
    file = io.BytesIO()
    load_pygame().image.save(surface, file, ".png")
    return file.getvalue()


@lru_cache(maxsize=64)
def font_of(height: int):
    """Return a font with lines about that many pixels high: matplotlib's DejaVu Sans."""
    pygame = load_pygame()
    pygame.font.init()
    found = importlib.util.find_spec("matplotlib")
    file = Path(found.origin if found else "").parent / "mpl-data/fonts/ttf/DejaVuSans.ttf"
    return pygame.font.Font(str(file) if file.exists() else None, max(5, height * 4 // 5))


def fitting(text: str, height: int, width: int) -> int:
    """Return that height, or the lesser one at which the text is as wide as the room."""
    return min(height, max(5, height * width // max(1, font_of(height).size(text)[0])))


Theme = namedtuple("Theme", "flat ink soft paper button signal lines wood heat")
CALM = Theme(
    False, ink=(52, 46, 40), soft=(108, 97, 84), paper=(247, 243, 236), button=(232, 224, 211),
    signal=(184, 40, 30), lines=(92, 66, 40), wood=(224, 184, 122), heat=(16, 78, 139),
)  # fmt: skip


class Canvas(NamedTuple):
    """A surface, where things stand on it, and its colours."""

    surface: object
    layout: Layout
    theme: Theme

    def at(self, point: int) -> tuple[int, int]:
        """Return the pixel of a point."""
        return to_pixel(point, self.layout)

    def put(self, image, place, anchor="center") -> None:
        """Paint a picture at a pixel, anchored as pygame's Rect names it."""
        self.surface.blit(image, image.get_rect(**{anchor: place}))

    def write(self, text, anchor, place, height, width, ink=None) -> None:
        """Write text at a pixel, anchored as pygame's Rect names it, no wider than `width`."""
        font = font_of(fitting(text, height, width))
        self.put(font.render(text, True, ink or self.theme.ink), place, anchor)

    def frame(self, point: int, side: int, colour) -> None:
        """Paint a square around a point."""
        box = load_pygame().Rect(self.at(point), (0, 0)).inflate(side, side)
        thick = max(2, self.layout.cell // 14)
        load_pygame().draw.rect(self.surface, colour, box, thick)


@lru_cache(maxsize=256)
def disc_image(diameter: int, circles: tuple):
    """Return circles inside each other as a picture; each is (colour, part of the radius).

    From the third on they move towards the light, above and left. Alpha 0 makes a hole.
    """
    pygame = load_pygame()
    big = 4 * diameter  # painted large and made smaller: this smooths the edge
    image = pygame.Surface((big, big), pygame.SRCALPHA)
    image.fill((*circles[0][0][:3], 0))
    for colour, part in circles:
        middle = big / 2 - 0.14 * big * max(0.0, circles[1][1] - part)
        pygame.draw.circle(image, colour, (middle, middle), part * big / 2)
    return pygame.transform.smoothscale(image, (diameter, diameter))


def ring_image(colour: tuple, diameter: int, inner: float = 0.0, alpha: int = 255):
    """Return a ring, or a disc where `inner`, a part of the radius, is 0."""
    return disc_image(diameter, (((*colour, alpha), 1.0), ((*colour, 0), inner)))


SHADES = {  # (colour, flat): grey of the outline, of the rim, of the light; part inside
    (BLACK, False): (14, 26, 120, 0.98), (WHITE, False): (60, 212, 255, 0.93),
    (BLACK, True): (0, 0, 0, 0.98), (WHITE, True): (0, 255, 255, 0.82),
}  # fmt: skip


def stone_image(colour: int, diameter: int, flat: bool = False):
    """Return a stone of that colour as a picture; flat: without shading."""
    edge, dark, light, inside = SHADES[colour, flat]
    greys = [int(dark + (light - dark) * (i / 15) ** 2) for i in range(16)]
    circles = [((grey,) * 3, inside * (1 - i / 16)) for i, grey in enumerate(greys)]
    return disc_image(diameter, (((edge,) * 3, 1.0), *circles))


def write_on_disc(canvas: Canvas, text: str, place: tuple[int, int], height: int) -> None:
    """Write white letters with a dark edge around a pixel."""
    x, y = place
    for i, j in ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)):
        ink = canvas.theme.heat if i or j else (255, 255, 255)
        canvas.write(text, "center", (x + i, y + j), height, canvas.layout.cell, ink)


def draw_wood(surface, theme: Theme) -> None:
    """Fill a surface with wood of a calm grain, or with a plain colour."""
    surface.fill(theme.wood)
    width, height = surface.get_size()
    for y in range(0 if theme.flat else height):
        shade = 3 * math.sin(55 * y / height) + 3 * math.sin(1.7 * y) * math.sin(0.13 * y)
        colour = [int(part + shade) for part in theme.wood]
        load_pygame().draw.line(surface, colour, (0, y), (width, y))


@lru_cache(maxsize=4)
def empty_board(board: "Board", size: tuple[int, int], layout: Layout, theme: Theme):
    """Return a surface of that size with the empty board, which is painted once and kept."""
    canvas = Canvas(load_pygame().Surface(size), layout, theme)
    canvas.surface.fill(theme.paper)
    wood = canvas.surface.get_rect().clip(layout.wood)
    draw_wood(canvas.surface.subsurface(wood), theme)
    board.grid(canvas)
    draw_coordinates(canvas)
    return canvas.surface


STAR_POINTS = {9: (2, 6), 11: (2, 8), 13: (3, 9), 15: (3, 11), 17: (3, 13), 19: (3, 9, 15)}


def draw_lines(canvas: Canvas) -> None:
    """Paint the grid; on the usual boards also the star points, in these rows and columns."""
    layout, ink = canvas.layout, canvas.theme.lines
    size, rows = layout.size, layout.rows
    ends = [(col, (rows - 1) * size + col) for col in range(size)]
    ends += [(row * size, (row + 1) * size - 1) for row in range(rows)]
    for first, last in ends:
        begin, end, thick = canvas.at(first), canvas.at(last), max(1, layout.cell // 32)
        load_pygame().draw.line(canvas.surface, ink, begin, end, thick)
    if size != rows or size not in STAR_POINTS:
        return
    places = STAR_POINTS[size]
    for point in [size * size // 2] + [row * size + col for row in places for col in places]:
        canvas.put(ring_image(ink, max(3, layout.cell // 5)), canvas.at(point))


def draw_coordinates(canvas: Canvas) -> None:
    """Write the letters of the columns below, the numbers of the rows on the left."""
    layout = canvas.layout
    height = min(layout.unit, layout.cell)
    away = layout.cell // 2 + 2 * layout.unit // 3
    words = {}  # {pixel: text}
    for col in range(layout.size):
        x, y = canvas.at(col)
        words[x, y + away] = point_name(col, layout.size)[0]
    for row in range(layout.rows):
        x, y = canvas.at(row * layout.size)
        words[x - away, y] = str(row + 1)
    for place, text in words.items():
        canvas.write(text, "center", place, height, 2 * layout.unit, canvas.theme.lines)


# by Interface · from a point to its pixel, and back
def to_pixel(point: int, layout: Layout) -> tuple[int, int]:
    """Return the (x, y) of a point; row 0 is at the bottom."""
    row, col = divmod(point, layout.size)
    return layout.left + col * layout.cell, layout.bottom - row * layout.cell


def from_pixel(x: int, y: int, layout: Layout) -> int | None:
    """Return the point nearest to a pixel, or None off the board."""
    col = (x - layout.left + layout.cell // 2) // layout.cell
    row = (layout.bottom - y + layout.cell // 2) // layout.cell
    inside = 0 <= col < layout.size and 0 <= row < layout.rows
    return row * layout.size + col if inside else None


# by Interface · how a stone looks: edit, run this cell, open the window again
def draw_stone(canvas: Canvas, colour: int, place: tuple[int, int]) -> None:
    """Paint a stone with its middle at a pixel; canvas.layout.stone is its diameter."""
    diameter, flat = canvas.layout.stone, canvas.theme.flat
    if not flat:
        shadow = ring_image((60, 40, 20), diameter, alpha=90)
        canvas.put(shadow, (place[0] + diameter // 24, place[1] + diameter // 16))
    canvas.put(stone_image(colour, diameter, flat), place)


# by Interface · what is shown beside the game; marks and visits; words and controls; the board
@dataclass
class View:
    """What a person sees or has typed, and the game does not know."""

    hover: int | None = None  # the point under the mouse
    cursor: int | None = None  # the point that the arrow keys have reached
    heat: bool = False  # True: the visits are painted on the board
    prompt: tuple[str, ...] = ()  # lines above the words: what is being typed
    overlay: tuple[str, ...] = ()  # lines of text over the board
    controls: dict = field(default_factory=dict)  # {name: its Command as it is now}


def draw_marks(canvas: Canvas, session: Session, view: View, lies: bool = True) -> None:
    """Paint the stone under the mouse, the winning line, the last move, hint and cursor."""
    game, signal = session.game, canvas.theme.signal
    diameter = canvas.layout.stone
    under_mouse = landing(game, view.hover)
    if session.yours and under_mouse is not None:
        pale = stone_image(game.to_move, diameter, canvas.theme.flat).copy()
        pale.set_alpha(120)
        canvas.put(pale, canvas.at(under_mouse))
    for point in game.five:
        canvas.put(ring_image(signal, diameter, 0.72), canvas.at(point))
    if game.played and lies:  # not while it still falls
        canvas.put(ring_image(signal, diameter // 4 + 1), canvas.at(game.played[-1]))
    if session.hint is not None:
        canvas.frame(session.hint, diameter, signal)
    if view.cursor is not None:
        canvas.frame(view.cursor, canvas.layout.cell - 2, canvas.theme.ink)


LEAST_HEAT = 0.01  # of the visits of all moves; points with fewer are left blank
ROOMY = 36  # pixels of a cell that has room for a value one can read


def draw_heat(canvas: Canvas, result: SearchResult) -> None:
    """Paint each point's share of the visits as a disc; the three largest in numbers."""
    cell, visits = canvas.layout.cell, result.visits.ravel()
    shares = visits / max(1, int(visits.sum()))
    for point in np.flatnonzero(shares >= LEAST_HEAT).tolist():
        diameter = max(3, int(cell * (0.25 + 0.7 * math.sqrt(shares[point]))))
        alpha = int(130 + 125 * min(1.0, 2 * shares[point])) // 16 * 16  # few shades
        canvas.put(ring_image(canvas.theme.heat, diameter, alpha=alpha), canvas.at(point))
    for point in top_points(np.where(shares >= LEAST_HEAT, shares, 0)):
        x, y = canvas.at(point)
        share = f"{100 * shares[point]:.0f}"
        if cell < ROOMY:
            write_on_disc(canvas, share, (x, y), cell // 2)
        else:
            value = float(result.values.flat[point])
            write_on_disc(canvas, share, (x, y - cell // 9), cell // 3)
            write_on_disc(canvas, f"{value:+z.2f}", (x, y + cell // 6), cell // 4)


def draw_panel(canvas: Canvas, session: Session, view: View) -> None:
    """Paint who is to move, the stage of the game, and what the computer has found."""
    unit, theme = canvas.layout.unit, canvas.theme
    x, y, width, height = canvas.layout.text
    indent = 0
    if colour := session.side:
        stone = stone_image(colour, 3 * unit // 2, theme.flat)
        canvas.put(stone, (x + 3 * unit // 4, y + unit))
        indent = 2 * unit
    high = fitting("The computer thinks", 2 * unit, width - 2 * unit)  # whatever it says
    canvas.write(heading(session), "midleft", (x + indent, y + unit), high, width - indent)
    top, usual = y + 9 * unit // 4, 6 * unit // 5  # the height of a line
    canvas.write(session.game.stage, "topleft", (x, top), usual, width, theme.soft)
    top += usual
    lines = [*view.prompt, *status_lines(session)]
    if view.heat and session.fresh:
        value = ", value" if canvas.layout.cell >= ROOMY else ""
        lines.append(f"Discs: visits %{value}")
    below = 7 * unit // 4 if view.heat and session.fresh else usual // 2  # for the progress
    for line in range(usual, max(1, 3 * unit // 4), -1):  # smaller where there is more to say
        letters = max(1, 9 * width // (4 * line))
        parts = [part for text in lines for part in textwrap.wrap(text, letters)]
        room = max(0, (y + height - below - top - usual // 2) // line)
        if len(parts) <= room:
            break
    if len(parts) > room > 0:  # say that there is still more
        parts[room - 1] += " …"
    for number, part in enumerate(parts[:room]):
        canvas.write(part, "topleft", (x, top + usual // 2 + number * line), line, width)
    if view.controls and session.thinking and session.result is not None:
        draw_progress(canvas, session)


def budget_used(result: SearchResult, record: GameRecord) -> float:
    """Return which part of its time or simulations a search has used, 0 to 1."""
    used = result.seconds / (record.seconds or math.inf)
    return min(1.0, max(used, result.simulations / (record.simulations or math.inf)))


def draw_progress(canvas: Canvas, session: Session) -> None:
    """Paint a bar below the words: how much of its budget the search has used."""
    x, y, width, height = canvas.layout.text
    thin = max(2, canvas.layout.unit // 4)
    bar = load_pygame().Rect(x, y + height - thin, width, thin)
    draw = load_pygame().draw
    draw.rect(canvas.surface, canvas.theme.button, bar)
    bar.width = int(budget_used(session.result, session.record) * width)
    draw.rect(canvas.surface, canvas.theme.signal, bar)


def control_boxes(grid: tuple, columns: int, count: int) -> list:
    """Return the Rect of each control: they fill the grid row by row, the last one its row."""
    x, y, width, height = grid
    rows = max(1, math.ceil(count / columns))
    wide, high, gap = width // columns, height // rows, width // 50
    boxes = []
    for number in range(count):
        row, col = divmod(number, columns)
        place = (x + col * wide, y + row * high)
        boxes.append(load_pygame().Rect(place, (wide - gap, high - gap)))
    if boxes:
        boxes[-1].width += -count % columns * wide
    return boxes


def draw_controls(canvas: Canvas, controls, boxes) -> None:
    """Paint buttons, switches, and numbers between minus and plus.

    The letters have one size, at which the usual captions fit; a longer one alone is smaller.
    """
    unit, theme = canvas.layout.unit, canvas.theme
    draw = load_pygame().draw
    narrow = min((box.width for box in boxes), default=0)
    low = min((box.height * 3 // 4 for box in boxes), default=0)
    usual = fitting("Turning point", min(5 * unit // 4, low), narrow - unit // 2)
    for control, box in zip(controls, boxes, strict=True):
        room = box.width - (5 if control.steps else 1) * unit // 2
        high = fitting(control.caption, usual, room)
        draw.rect(canvas.surface, theme.button, box, border_radius=unit // 3)
        if control.on:  # a frame means on, paler letters not now
            draw.rect(canvas.surface, theme.signal, box, max(1, unit // 6), unit // 3)
        ink = theme.ink if control.possible else theme.soft
        canvas.write(control.caption, "center", box.center, high, box.width, ink)
        if control.steps:
            ends = box.inflate(-2 * unit // 3, 0)
            canvas.write("−", "midleft", ends.midleft, usual, unit, ink)
            canvas.write("+", "midright", ends.midright, usual, unit, ink)


def overlay_rows(layout: Layout, count: int) -> list:
    """Return the Rect of each line of an overlay, in the middle of the board, or of all."""
    Rect = load_pygame().Rect
    board = Rect(layout.wood)
    if board.height < 8 * (count + 1):  # too flat a board for letters: over everything
        board = board.unionall([layout.text, layout.grid])
    high = max(5, min(board.height * 11 // 12 // (count + 1), 2 * layout.unit))
    x, y, width = board.x + board.width // 16, board.centery, board.width * 7 // 8
    return [Rect(x, y + (2 * i - count) * high // 2, width, high) for i in range(count)]


def draw_overlay(canvas: Canvas, lines) -> None:
    """Paint lines of text over the board, all in one size; a tab divides key and meaning."""
    rows = overlay_rows(canvas.layout, len(lines))
    box = rows[0].unionall(rows).inflate(rows[0].width // 8, rows[0].height)
    pane = load_pygame().Surface(box.size)
    pane.fill(canvas.theme.paper)
    pane.set_alpha(244)
    canvas.surface.blit(pane, box)
    wide, high = rows[0].width, rows[0].height * 4 // 5
    for text in lines:
        key, tab, words = text.partition("\t")
        high = fitting(key, fitting(words, high, wide * 5 // 8), wide // (3 if tab else 1))
    for row, text in zip(rows, lines, strict=True):
        key, _, words = text.partition("\t")
        canvas.write(key, "midleft", row.midleft, high, wide)
        place = row.x + wide * 3 // 8, row.centery
        canvas.write(words, "midleft", place, high, wide)


def always(controller: "Controller") -> bool:
    """Return True."""
    return True


def never(controller: "Controller") -> bool:
    """Return False."""
    return False


def text_of(text, controller: "Controller") -> str:
    """Return a text, or what a function of the controller says."""
    return text if isinstance(text, str) else text(controller)


class Command(NamedTuple):
    """Something a person may do; the functions take the controller."""

    caption: object  # text, or a function that returns it
    keys: str  # names, or what is typed, a capital with Shift; with steps: less, more
    help: str
    action: object  # with steps, +1 or -1 is its second argument
    possible: object = always
    on: object = never  # a switch that is on
    steps: bool = False  # a number: less at its left end, more at its right
    refusal: object = ""  # what is said where it is not possible, as the caption
    control: bool = True  # False: it has keys, but no control

    def now(self, controller: "Controller") -> "Command":
        """Return the command as it is now: its caption a text, `possible` and `on` a bool."""
        return self._replace(
            caption=text_of(self.caption, controller),
            possible=self.possible(controller),
            on=self.on(controller),
        )


KEY_LABELS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}


def key_label(key: str) -> str:
    """Return what to press for a key: "H" is Shift+H, "u" is U, "escape" is Escape."""
    if len(key) > 1:
        return KEY_LABELS.get(key, key.capitalize())
    return f"Shift+{key}" if key.isupper() else key.upper()


class Board:
    """Paints a session on any surface, and changes nothing."""

    theme = CALM  # its colours

    def canvas(self, surface, session: Session, view: View) -> Canvas:
        """Return the surface with its layout and colours."""
        layout = make_layout(*surface.get_size(), session.game.rules, len(view.controls))
        return Canvas(surface, layout, self.theme)

    def grid(self, canvas: Canvas) -> None:
        """Paint the lines."""
        draw_lines(canvas)

    def stones(self, canvas: Canvas, session: Session) -> None:
        """Paint the stones."""
        cells = session.game.array.ravel()
        for point in np.flatnonzero(cells).tolist():
            draw_stone(canvas, int(cells[point]), canvas.at(point))

    def fallen(self, session: Session) -> float:
        """Return how far the last stone has fallen, 0 to 1: here it lies at once."""
        return 1.0

    def draw(self, surface, session: Session, view: View) -> None:
        """Paint board, stones, marks, words and controls, from back to front."""
        canvas = self.canvas(surface, session, view)
        layout, theme = canvas.layout, canvas.theme
        surface.blit(empty_board(self, surface.get_size(), layout, theme), (0, 0))
        self.stones(canvas, session)
        if view.heat and session.fresh:
            draw_heat(canvas, session.result)
        draw_marks(canvas, session, view, self.fallen(session) >= 1)
        draw_panel(canvas, session, view)
        boxes = control_boxes(layout.grid, layout.columns, len(view.controls))
        draw_controls(canvas, view.controls.values(), boxes)
        if view.overlay:
            draw_overlay(canvas, view.overlay)


# ---- The controller -------------------------------------------------------------------------


# by Interface · the table of commands
COMMANDS = {
    "visits": Command(
        "Visits", "V", "show what the search looks at",
        lambda controller: controller.switch_heat(),
        on=lambda controller: controller.view.heat),
    "undo": Command(
        "Undo", "u backspace", "take the last move back",
        lambda controller: step_game(controller.session, -1),
        lambda controller: can_undo(controller.session)),
    "redo": Command(
        "Redo", "y", "play it again",
        lambda controller: step_game(controller.session, 1),
        lambda controller: can_redo(controller.session)),
    "hint": Command(
        "Hint", "H", "what would the computer play?",
        lambda controller: ask_for_hint(controller.session),
        lambda controller: controller.session.yours and bool(controller.session.opponents)),
    "now": Command(
        "Move now", "M", "play what has been found so far",
        lambda controller: move_now(controller.session),
        lambda controller: can_move_now(controller.session)),
    "new": Command(
        "New game", "N", "keep this game, begin another",
        lambda controller: new_game(controller.session)),
    "help": Command(
        "Keys ?", "?", "show or hide this list", lambda controller: show_help(controller)),
    "close": Command(
        "Close", "escape", "leave; the game is kept", lambda controller: controller.close()),
}  # fmt: skip


# by Interface · the controller: what pointer and keys do, what is seen, what has changed
class Controller:
    """Turns pointer and keys into actions of a session, and knows what is shown."""

    def __init__(self, session: Session, board: Board | None = None, panels=()):
        self.session = session
        self.board = board or Board()
        self.panels = list(panels)  # other parts of the window, asked in this order
        self.commands = dict(COMMANDS)
        self.view = View(heat=True)
        self.rules = session.game.rules  # of the board that is shown
        self.painted = None  # what was painted last

    @property
    def record(self) -> GameRecord:
        """The record of the game on the board."""
        return self.session.record

    def controls(self) -> list[str]:
        """Return the names of the commands that have a control."""
        return [name for name, command in self.commands.items() if command.control]

    def tick(self) -> None:
        """Let the panels go on, and follow the search."""
        for panel in self.panels:
            panel.on_tick(self)
        follow_search(self.session)

    def act(self, name: str, step: int = 1) -> None:
        """Do what a command says, where it is possible; with steps: less, -1, or more."""
        command = self.commands[name]
        if command.possible(self):
            command.action(self, step) if command.steps else command.action(self)
        elif command.refusal:
            self.session.note = text_of(command.refusal, self)

    def switch_heat(self) -> None:
        """Show what the search looks at, or hide it."""
        self.view.heat = not self.view.heat

    def close(self) -> None:
        """Let the window close."""
        self.session.open = False

    def finish(self) -> GameRecord:
        """End everything; return the last game that has a move."""
        for panel in self.panels:
            panel.on_finish(self)
        return finish_session(self.session)


def point_at(controller: Controller, x: int, y: int, surface) -> None:
    """Let the mouse be at a pixel."""
    controller.view.hover = from_pixel(x, y, canvas_of(controller, surface).layout)
    controller.view.cursor = None


def press_at(controller: Controller, x: int, y: int, surface) -> None:
    """Do what a click asks for: use a panel or a control, place a stone."""
    layout, names = canvas_of(controller, surface).layout, controller.controls()
    boxes = control_boxes(layout.grid, layout.columns, len(names))
    if any(panel.on_press(controller, x, y, surface) for panel in controller.panels):
        return
    if not (uncover(controller) or press_control(controller, names, boxes, (x, y))):
        choose_point(controller, from_pixel(x, y, layout))


def choose_point(controller: Controller, point: int | None) -> None:
    """Do what a click on a point asks for: a stone, unless a panel does something else."""
    if not any(panel.on_point(controller, point) for panel in controller.panels):
        click_point(controller.session, point)


def press_key(controller: Controller, key: str) -> None:
    """Do what a key asks for; `key` is what it types, or a name such as "left"."""
    if re.search("shift|ctrl|control|alt|meta|gui|caps", key):  # held with another key
        return
    panels = controller.panels
    if controller.view.overlay:
        if not any(panel.on_overlay_key(controller, key) for panel in panels):
            uncover(controller)
    elif not any(panel.on_key(controller, key) for panel in panels):
        use_key(controller, key)


def show_help(controller: Controller) -> None:
    """Lay the list of keys over the board; any key or click takes it away."""
    lines = ["Arrows, Enter\tmove the cursor, place a stone"]
    for panel in controller.panels:
        lines += panel.key_lines(controller)
    commands = []
    for command in controller.commands.values():
        keys = " or ".join(map(key_label, command.keys.split()))
        commands.append(f"{keys}\t{command.help}")
    controller.view.overlay = (*lines, *sorted(commands, key=str.lower))


def uncover(controller: Controller) -> bool:
    """Take the text over the board away, if there is one; say whether there was."""
    was_covered = bool(controller.view.overlay)
    controller.view.overlay = ()
    return was_covered


def view_of(controller: Controller) -> View:
    """Return the view as it is now, with its controls."""
    view, rules = controller.view, controller.session.game.rules
    if controller.rules != rules:  # another board: no point is marked there
        controller.rules = rules
        view.hover = view.cursor = None
    commands = controller.commands
    view.controls = {name: commands[name].now(controller) for name in controller.controls()}
    return view


def canvas_of(controller: Controller, surface) -> Canvas:
    """Return the part of a surface that the panels leave to the board, with its layout."""
    width, height = surface.get_size()
    high = height - sum(int(panel.share * height) for panel in controller.panels)
    part = surface.subsurface((0, 0, width, high))
    return controller.board.canvas(part, controller.session, view_of(controller))


def shown_state(controller: Controller, surface) -> tuple:
    """Return what is to be seen, as values that can be compared."""
    session, game = controller.session, controller.session.game
    return (
        surface.get_size(),
        game.rules,
        game.array.tobytes(),
        tuple(game.played),
        replace(view_of(controller)),
        id(session.result),
        heading(session),
        status_lines(session),
        session.hint,
        session.yours,
        controller.board.fallen(session),
        [panel.shown(controller) for panel in controller.panels],
    )


def paint_changes(controller: Controller, surface) -> bool:
    """Paint what is shown if that has changed; say whether it has."""
    state = shown_state(controller, surface)
    if state == controller.painted:
        return False
    board_part = canvas_of(controller, surface).surface
    controller.board.draw(board_part, controller.session, controller.view)
    for panel in controller.panels:
        panel.draw(controller, surface)
    controller.painted = state
    return True


def press_control(controller: Controller, names, boxes, place: tuple[int, int]) -> bool:
    """Use the control at a pixel, less on its left half; say whether there is one."""
    hit = load_pygame().Rect(place, (1, 1)).collidelist(boxes)
    if hit >= 0:
        controller.act(names[hit], -1 if place[0] < boxes[hit].centerx else 1)
    return hit >= 0


def move_cursor(controller: Controller, up: int, right: int) -> None:
    """Move the cursor by a point, round the edges; at first it is put in the middle."""
    rules, view = controller.session.game.rules, controller.view
    if view.cursor is None:
        view.cursor = rules.height // 2 * rules.size + rules.size // 2
        return
    row, col = divmod(view.cursor, rules.size)
    view.cursor = (row + up) % rules.height * rules.size + (col + right) % rules.size


def use_key(controller: Controller, key: str) -> None:
    """Move the cursor, place a stone, or do what the command of a key says."""
    if key in ARROWS:
        move_cursor(controller, *ARROWS[key])
        return
    if key in ("return", "space"):
        choose_point(controller, controller.view.cursor)
        return
    for name, command in controller.commands.items():
        keys = command.keys.split()
        if key in keys:
            controller.act(name, -1 if key == keys[0] else 1)  # with steps: first less
            return


ARROWS = {"left": (0, -1), "right": (0, 1), "up": (1, 0), "down": (-1, 0)}  # (rows, columns)


# ---- The window -----------------------------------------------------------------------------


# by Interface · the loop: events in, pictures out
def handle_event(controller: Controller, event, surface) -> None:
    """Let the controller do what an event of pygame asks for."""
    pygame = load_pygame()
    if event.type == pygame.QUIT:
        controller.act("close")
    elif event.type == pygame.KEYDOWN:
        press_key(controller, key_of(event))
    elif event.type == pygame.MOUSEMOTION:
        point_at(controller, *event.pos, surface)
    elif event.type == pygame.MOUSEBUTTONDOWN:
        if event.button == 1:
            press_at(controller, *event.pos, surface)
    elif event.type == pygame.WINDOWLEAVE:
        controller.view.hover = None
    elif event.type == pygame.DROPFILE:
        any(panel.on_drop(controller, event.file) for panel in controller.panels)
    else:
        controller.painted = None  # covered, resized, ...


@dataclass
class Window:
    """A controller in pygame's display, which must be open."""

    controller: Controller
    interrupted: bool = False  # by Ctrl-C, or by the notebook's stop button

    def step(self) -> None:
        """Handle what has happened, go on, and show what has changed."""
        display = load_pygame().display
        for event in load_pygame().event.get():
            handle_event(self.controller, event, display.get_surface())
        self.controller.tick()
        if paint_changes(self.controller, display.get_surface()):
            display.flip()

    def run(self) -> GameRecord:
        """Play until the window is closed or the cell interrupted; return the game."""
        try:
            while self.controller.session.open:
                self.step()
                time.sleep(1 / 60)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            load_pygame().display.quit()
            record = self.controller.finish()
            print_failure(self.controller.session)
        return record


# ---- 13. Play -------------------------------------------------------------------------------


# by Interface · open the window, or say why there is none; play where it is possible
class NoDisplay(RuntimeError):
    """There is nowhere to show a board; the message is one sentence."""

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows in place of a traceback: the sentence."""
        return [str(self)]


def open_window(title: str = "Five in a row") -> None:
    """Open a window that fits the screen, or raise NoDisplay."""
    servers = {"x11": "DISPLAY", "wayland": "WAYLAND_DISPLAY"}  # other drivers write to stderr
    names = [driver for driver, variable in servers.items() if os.environ.get(variable)]
    if sys.platform.startswith("linux") and not os.environ.get("SDL_VIDEODRIVER"):
        os.environ["SDL_VIDEODRIVER"] = ",".join(names) or "dummy"
    try:
        display = load_pygame().display
        display.quit()
        display.init()
        if display.get_driver() in ("dummy", "offscreen"):
            raise NoDisplay("there is no screen here to open a window on")
        wide, high = min(display.get_desktop_sizes())
        side = min(high * 4 // 5, wide * 3 // 5)
        display.set_icon(stone_image(WHITE, 64))
        display.set_mode((side * 3 // 2, side), load_pygame().RESIZABLE)
        display.set_caption(title)
        load_pygame().key.set_repeat(400, 60)
    except NoDisplay:
        raise
    except ImportError:
        raise NoDisplay("a window needs pygame: install requirements.txt") from None
    except (NotImplementedError, OSError, RuntimeError) as error:
        raise NoDisplay(f"the screen does not let a window open: {error}") from None


KEY_NAMES = {"enter": "return", "keypad enter": "return", "delete": "backspace"}


def key_of(event) -> str:
    """Return what a key of pygame types, or its name."""
    pygame, typed = load_pygame(), event.unicode
    shift = bool(event.mod & pygame.KMOD_SHIFT)
    if typed.isprintable() and typed.strip():
        return with_shift(typed, shift)
    name = pygame.key.name(event.key).lower()
    if re.fullmatch(r"\[.\]", name):  # of the keypad
        name = name[1]
    return with_shift(KEY_NAMES.get(name, name), shift)


def with_shift(key: str, shift: bool) -> str:
    """Return a letter as a capital where Shift is held, whatever Caps Lock does."""
    if len(key) == 1 and key.isalpha():
        return key.upper() if shift else key.lower()
    return key


def in_window(controller: Controller) -> GameRecord:
    """Open the window, play, and return the game when it is closed; or raise NoDisplay."""
    rules = controller.session.game.rules
    names = {(5, False): "Five in a row", (4, True): "Connect-4"}
    name = names.get((rules.in_a_row, rules.gravity), f"{rules.in_a_row} in a row")
    open_window(f"{name}, {rules.size}×{rules.height}")
    return Window(controller).run()


def check_opponent(opponents: dict, name: str | None) -> str:
    """Return the name of an opponent, of the first for None; ValueError names them all."""
    if not isinstance(opponents, dict) or not opponents:
        given = quoted(opponents)
        raise ValueError(f"opponents must be a dict {{name: thinker}}, not {given}")
    names = list(opponents)
    if name is None:
        return names[0]
    if not isinstance(name, str) or name not in names:
        raise ValueError(f"opponent must be one of {', '.join(names)}, not {quoted(name)}")
    return name


def play(
    opponents: dict, size=8, seconds=5, human="black", level=None, rules=None,
    opponent=None, board=None, ways=None, more=None,
) -> object:  # fmt: skip
    """Return the game from the window when it is closed, or a board inside the notebook.

    opponents      {name: a function that searches}; `opponent` plays at first, None: the first
    size … rules   as in new_record, which may raise ValueError
    board          a Board, perhaps of another look
    ways           functions that show a controller, or raise NoDisplay; None: in_window
    more           a function that adds to the controller: panels, commands, a file of games
    """
    opponent = check_opponent(opponents, opponent)
    record = new_record(size, seconds, human, level, rules, opponent)
    controller = Controller(Session(record, opponents), board)
    ways = ways or (in_window,)
    why = []  # nothing is shown
    if os.environ.get("FIVE_PLAY") == "recorded":
        ways = ()
        why.append("the notebook was run without a window")
    elif more:
        more(controller)
    for show in ways:
        try:
            return show(controller)
        except NoDisplay as error:
            why.append(str(error))
    print(f"No game is played here ({'; '.join(why)}).")
    return record


# ---- 14. Heatmaps and replay ----------------------------------------------------------------


# by Interface · a game as a picture, and a game to show where nobody has played
def board_png(session: Session, width=480, board=None, **view) -> tuple[bytes, str]:
    """Return a session's board with its words as PNG, and the same as text."""
    surface = load_pygame().Surface((width, width * 7 // 6))
    still = copy.copy(session)
    still.moved_at = -math.inf  # nothing moves in a picture
    (board or Board()).draw(surface, still, View(**view))
    moves = " ".join(session.game.moves) or "none"
    words = f"Board at move {len(session.game.played)}. {heading(session)}. Moves: {moves}."
    return png_of(surface), words


def exhibition(
    opponents: dict, rules: Rules, most: int, seed=2024, players=None
) -> GameRecord:
    """Return a game of two opponents, `most` simulations per move; it repeats exactly.

    players   their names, black first; None: the second opponent against the first
    """
    names = list(opponents)
    players = players or (names[min(1, len(names) - 1)], names[0])
    record = GameRecord(Game(rules), players, None, most, seed)
    record.source = "{} (black) against {} (white)".format(*players)
    while not record.over:
        thinker = opponents[record.sides[record.game.to_move]]
        ply = len(record.game.played)
        result = thinker(record.game, simulations=most, seed=seed + ply)
        record.play(result.move, result)
    return record


def game_of(played, opponents: dict, most=2_000, saved=None, exhibit=None) -> GameRecord:
    """Return a game, or that of a board in the notebook; if it has no move, another one.

    saved     returns the last saved game, searched again with `most` simulations, or None
    exhibit   where there is none: the arguments of exhibition, `most` if not given
    """
    record = getattr(played, "record", played)
    record.forget_undone()
    if record.game.played:
        return record
    kept = saved(opponents, most) if saved else None
    if kept:
        print(f"No move was made here. This is the game saved on {kept.date}.")
        return kept
    record = exhibition(opponents, record.game.rules, **(exhibit or {"most": most}))
    effort = f"{record.simulations:,} simulations per move"
    print(f"No move was made here. This is {record.source}: {effort}.")
    return record

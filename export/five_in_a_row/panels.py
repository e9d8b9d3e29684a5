"""Panels of the window: what the package adds to a game and to the time after it.

After a game: the curve of the values that the computer's searches found, and its turning point
with a better move, from which one can play on. During it: the expected line, a ribbon of the
moves that led, clocks, a sound.
"""

import math
import os
import sys
from pathlib import Path

import numpy as np

import five_in_a_row as five

from .game_file import first_colour


class Panel:
    """A part of the window. This one shows nothing and leaves everything to the others."""

    share = 0.0  # of the window's height, for a strip below the board

    def shown(self, controller):
        """Return what it shows, as values that can be compared."""
        return ()

    def draw(self, controller, surface) -> None:
        """Paint its strip, or something on the board."""

    def key_lines(self, controller) -> tuple[str, ...]:
        """Return lines for the list of keys: a key, a tab, and what it does."""
        return ()

    def on_tick(self, controller) -> None:
        """Go on: some time has passed."""

    def on_press(self, controller, x: int, y: int, surface) -> bool:
        """Take a click at a pixel of the surface; True: nobody else sees it."""
        return False

    def on_point(self, controller, point: int | None) -> bool:
        """Take a point that was chosen, None: off the board; True: no stone is placed."""
        return False

    def on_key(self, controller, key: str) -> bool:
        """Take a key, by what it types or its name; True: it does nothing else."""
        return False

    def on_overlay_key(self, controller, key: str) -> bool:
        """Take a key while text lies over the board; True: the text stays."""
        return False

    def on_drop(self, controller, path: str) -> bool:
        """Take a file that was dropped onto the window; True: no other panel reads it."""
        return False

    def on_finish(self, controller) -> None:
        """End what runs: the window is closed."""


LOSS = 0.4  # of value, from -1 to +1: a move that loses more is a turning point


def values_for_black(record) -> dict[int, float]:
    """Return {moves played: value for black, -1 to +1}, from the searches and the result."""
    game, values = record.game, {}
    shown = five.figures.position_at(game, 0)
    for ply in range(len(game.played) + len(game.undone) + 1):
        result = record.results.get(ply)
        if result is not None and not math.isnan(result.expected):
            values[ply] = float(result.expected * shown.to_move)
        if shown.over:
            values[ply] = float(shown.winner)
        elif shown.undone:
            shown.redo()
    if record.resigned:
        values[len(game.played)] = float(-record.resigned)
    return values


def turning_point(record) -> tuple[int, float] | None:
    """Return (moves before it, value lost) of the person's costliest move, or None.

    A move that lost less than LOSS does not count. The values stand before and after the move;
    what the computer's answer gave back is taken off.
    """
    values = values_for_black(record)
    begins = first_colour(record.game)
    moves = []
    plies = sorted(values)
    for before, after in zip(plies, plies[1:], strict=False):
        for colour in record.persons:
            lost = (values[before] - values[after]) * colour
            own = [ply for ply in range(before, after) if (ply % 2 == 0) == (begins == colour)]
            if own and lost >= LOSS:
                moves.append((lost, own[-1]))
    lost, ply = max(moves, default=(0.0, None))
    return None if ply is None else (ply, lost)


def curve_points(values: dict[int, float], last: int, box) -> list[tuple[int, int]]:
    """Return the pixel of each value in a box (x, y, width, height) `last` moves wide."""
    x, y, width, height = box
    return [
        (x + ply * (width - 1) // max(1, last), y + round((1 - value) / 2 * (height - 1)))
        for ply, value in values.items()
    ]


def draw_curve(canvas, values: dict, last: int, turns, at: int, words: str, box) -> None:
    """Paint black's value by move with words below it.

    values, last   as in curve_points     turns   plies that are marked
    at             where the board stands
    """
    draw = five.window.load_pygame().draw
    surface, theme = canvas.surface, canvas.theme
    x, y, width, height = box
    line = max(5, height // 9, min(height // 5, 4 * canvas.layout.unit // 5))
    draw.rect(surface, theme.button, box)
    canvas.write(words, "bottomleft", (x + line, y + height - 2), line, width - line)
    height -= 4 * line // 3
    box = x, y, width, height
    draw.line(surface, theme.soft, (x, y + height // 2), (x + width, y + height // 2))
    points = dict(zip(values, curve_points(values, last, box), strict=True))
    if len(points) > 1:
        draw.lines(surface, theme.heat, False, list(points.values()), max(1, height // 50))
    for ply in turns:
        if ply in points:
            draw.circle(surface, theme.signal, points[ply], max(3, height // 25))
    if points:
        here = x + at * (width - 1) // max(1, last)
        draw.line(surface, theme.ink, (here, y), (here, y + height))
    canvas.write("+1", "topleft", (x + 2, y + 1), line, 3 * line, theme.soft)


class After(Panel):
    """The game that has ended: `record`, its moves, its players, and who resigned."""

    def __init__(self, controller):
        self.record = None
        self.moves: list[int] = []
        self.resigned = 0
        self.players: tuple[str, ...] = ()
        self.found: tuple[int, float] | None = None  # its turning point
        self.keep_game = controller.session.keep
        controller.session.keep = self.keep

    def keep(self, record) -> str | None:
        """Save a game as before, but no earlier position of one that has ended."""
        return None if self.visits(record) else self.keep_game(record)

    def visits(self, record) -> bool:
        """Return True while an earlier position of the game that has ended is shown."""
        played = record.game.played
        is_same = self.record is record and self.moves[: len(played)] == played
        return is_same and not record.over

    def turn(self) -> tuple[int, float] | None:
        """Return the turning point of the game that has ended."""
        return self.found if self.record else None

    def possible(self, controller) -> bool:
        """Return True where the game has ended and had a turning point."""
        ended = controller.record.over and self.record is controller.record
        return (ended and self.found is not None) or self.visits(controller.record)

    def toggle(self, controller) -> None:
        """Show the turning point and search a better move there, or go back to the end."""
        session, record = controller.session, controller.record
        if self.visits(record):
            self.go_back(controller)
            return
        self.note_end(record)
        five.window.stop_search(session)
        record.game.go_to(self.turn()[0])
        record.resigned = 0
        session.paused = False
        session.moved_at = -math.inf
        session.show("Your turning point: a better move is searched")
        session.asked = next(iter(session.opponents))  # the first, which is the strongest

    def note_end(self, record) -> None:
        """Remember the game as it has ended."""
        if self.record is not record or self.moves != record.game.played:
            self.record = record
            self.moves = list(record.game.played)
            self.resigned = record.resigned
            self.players = record.players
            self.found = turning_point(record)

    def go_back(self, controller) -> None:
        """Show the end of the game again."""
        session, record = controller.session, controller.record
        five.window.stop_search(session)
        record.game.go_to(len(self.moves))
        record.resigned = self.resigned
        record.players = self.players
        session.moved_at = -math.inf
        session.show()

    def on_finish(self, controller) -> None:
        """Go back to the end: a window that closes returns the game that has ended."""
        if self.visits(controller.record):
            self.go_back(controller)

    def on_tick(self, controller) -> None:
        """Notice the end of a game; say which move was better at the turning point."""
        session, record = controller.session, controller.record
        if record.over:
            self.note_end(record)
        elif self.record and not self.visits(record):
            self.record = None  # another game, or another move
        if session.hint is not None and self.here(controller):
            size = session.game.rules.size
            played = five.game.point_name(self.moves[self.turn()[0]], size)
            hint = five.game.point_name(session.hint, size)
            better = "none was better" if played == hint else f"better: {hint}"
            session.note = f"You: {played}; {better}.\nPlay on here; Shift+T: the end"

    def here(self, controller) -> bool:
        """Return True at the turning point."""
        return self.visits(controller.record) and (self.turn() or (-1,))[0] == len(
            controller.record.game.played
        )

    def ended(self, controller) -> bool:
        """Return True after a game, also while an earlier position of it is shown."""
        return controller.record.over or self.visits(controller.record)

    def shown(self, controller):
        """Return which part of the game is shown, where there is a curve."""
        return self.ended(controller) and len(controller.record.game.played)

    def draw(self, controller, surface) -> None:
        """Paint the curve in the room for words, below two lines of them."""
        if controller.view.overlay or not self.ended(controller):
            return
        game, values = controller.record.game, values_for_black(controller.record)
        if len(values) < 2:
            return
        canvas = five.window.canvas_of(controller, surface)
        unit = canvas.layout.unit
        x, y, width, height = canvas.layout.text
        above = 9 * unit // 4 + 7 * (6 * unit // 5) // 2  # the heading and two lines
        high = min(7 * unit, max(height // 3, height - above))
        box = (x, y + height - high, width, high)
        words, turns = "Black's value by move", []
        if found := self.turn():
            words = f"Your turning point: move {found[0] + 1}, −{found[1]:.2f}"
            turns = [max(ply for ply in values if ply <= found[0])]
        last = len(game.played) + len(game.undone)
        draw_curve(canvas, values, last, turns, len(game.played), words, box)


LANDS, PULSES = 0.1, 0.6  # seconds: a stone comes down; a ring grows around it


class Touch(Panel):
    """A stone lands with a soft click and a ring; a click on a stone is answered."""

    on = True
    sound = None  # False: there is none
    heard = -math.inf  # the moment of the stone that clicked last

    def age(self, controller) -> float:
        """Return the seconds since the last stone lay on the board."""
        session = controller.session
        age = session.clock() - session.moved_at if session.game.played and self.on else PULSES
        return age if controller.board.fallen(session) >= 1 else PULSES

    def shown(self, controller):
        """Return how far the landing is, in steps of a picture."""
        return round(60 * min(self.age(controller), PULSES))

    def draw(self, controller, surface) -> None:
        """Paint the stone as it comes down, then the ring, over the board."""
        age = self.age(controller)
        if age >= PULSES or controller.view.overlay:
            return
        canvas, game = five.window.canvas_of(controller, surface), controller.session.game
        layout, point = canvas.layout, game.played[-1]
        if age < LANDS and not game.rules.gravity:
            high = layout._replace(stone=int(layout.stone * (1.25 - 0.25 * age / LANDS)))
            colour = int(game.array.flat[point])
            five.window.draw_stone(canvas._replace(layout=high), colour, canvas.at(point))
        part = max(0.0, (age - LANDS) / (PULSES - LANDS))
        diameter = int(layout.stone * (1 + 0.5 * part))
        ring = five.window.ring_image(
            canvas.theme.signal, diameter, 0.92, int(200 * (1 - part)) // 8 * 8
        )
        canvas.put(ring, canvas.at(point))

    def on_tick(self, controller) -> None:
        """Click once for each stone."""
        session = controller.session
        if self.sound is None and five.window.load_pygame().display.get_surface():
            self.sound = click_sound() or False  # a board in the notebook makes no sound
        if session.moved_at != self.heard:
            if self.on and self.sound and session.clock() - session.moved_at < 1:
                self.sound.play()
            self.heard = session.moved_at

    def on_point(self, controller, point: int | None) -> bool:
        """Say why a stone cannot lie where another one does."""
        session = controller.session
        if not session.yours or point is None:
            return False
        if five.game.landing(session.game, point) is not None:
            return False
        session.note = session.game.why_illegal(point)
        return True

    def switch(self, controller) -> None:
        """Turn sound and movement off, or on again."""
        self.on = not self.on


def click_sound():
    """Return a soft click as a sound of pygame; None where no device plays it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "/nowhere")
    devices = Path("/dev/snd"), Path(runtime, "pulse"), Path(runtime, "pipewire-0")
    if sys.platform.startswith("linux") and not any(map(Path.exists, devices)):
        return None  # SDL's search for one would write to stderr
    pygame = five.window.load_pygame()
    rate = 22_050  # samples per second
    seconds = np.arange(rate // 25) / rate
    wave = np.exp(-seconds * 160) * np.sin(2 * np.pi * 420 * seconds)
    try:
        pygame.mixer.init(rate, -16, 1, 256)
        return pygame.mixer.Sound(buffer=(wave * 9_000).astype(np.int16).tobytes())
    except pygame.error:
        return None


class Line(Panel):
    """The expected line as pale numbered stones, under the pointer or by a key."""

    on = False

    def line(self, controller) -> list[int]:
        """Return the points of the line that is shown now."""
        result, game = controller.session.result, controller.session.game
        if not controller.view.heat or result is None or game.array.flat[result.move]:
            return []
        return result.line[:9] if self.on or controller.view.hover == result.move else []

    def shown(self, controller):
        """Return the line."""
        return self.line(controller)

    def draw(self, controller, surface) -> None:
        """Paint the stones, each with its number."""
        if controller.view.overlay:
            return
        canvas = five.window.canvas_of(controller, surface)
        layout, colour = canvas.layout, controller.session.game.to_move
        for number, point in enumerate(self.line(controller), 1):
            stone = five.window.stone_image(colour, layout.stone, canvas.theme.flat).copy()
            stone.set_alpha(225)
            canvas.put(stone, canvas.at(point))
            ink = (255, 255, 255) if colour == five.game.BLACK else (0, 0, 0)
            place, high = canvas.at(point), layout.cell * 2 // 5
            canvas.write(str(number), "center", place, high, layout.cell, ink)
            colour = -colour

    def switch(self, controller) -> None:
        """Show the line of the move that leads, or only under the pointer."""
        self.on = not self.on


class Leaders(Panel):
    """A ribbon over the time of a search: which move led, from when to when, by how much.

    It is as thick as the lead, in parts of the visits: a thread where two moves are level. A
    red line below it says that another move gets the visits now.
    """

    def __init__(self):
        self.led: list[tuple[float, int]] = []  # (part of the budget used, the move from then)
        self.leads: list[tuple[float, float]] = []  # (part of the budget used, lead, 0 to 1)
        self.visits: list[np.ndarray] = []  # those of each of the leads
        self.losing: list[bool] = []  # for each of the leads: another move gets the visits
        self.used = 0.0  # part of the budget so far, 0 to 1

    def forget(self) -> None:
        """Begin anew."""
        self.led, self.leads, self.visits, self.losing = [], [], [], []

    def on_tick(self, controller) -> None:
        """Note a new leader, and its lead; forget the search before."""
        session, record = controller.session, controller.record
        result = session.result
        if result is None or not session.fresh:
            self.forget()
            return
        self.used = five.window.budget_used(result, record)
        if self.leads and self.leads[-1][0] > self.used:
            self.forget()  # another search of the same position, or one that may take longer
        if not self.led or self.led[-1][1] != result.move:
            self.led.append((self.used, result.move))
        if not self.leads or self.used - self.leads[-1][0] >= 0.004:
            self.leads.append((self.used, lead_of(result.visits)))
            self.visits.append(result.visits)
            self.losing.append(is_losing_lead(self.visits, result.move))

    def key_lines(self, controller) -> tuple[str, ...]:
        """Return what the ribbon means, for the list of keys."""
        return ("Ribbon\twhich move leads the search; thick: by far; red: others catch up",)

    def shown(self, controller):
        """Return the stretches, and how far the last one reaches."""
        return controller.view.heat and (tuple(self.led), round(self.used, 2))

    def draw(self, controller, surface) -> None:
        """Paint it below the words: the move that leads now in the colour of the discs."""
        if not self.led or not controller.view.heat or controller.view.overlay:
            return
        canvas = five.window.canvas_of(controller, surface)
        theme, unit = canvas.theme, canvas.layout.unit
        draw = five.window.load_pygame().draw
        x, y, width, height = canvas.layout.text
        high, low = 4 * unit // 3, y + height - unit // 3  # above the bar of the progress
        draw.rect(surface, theme.button, (x, low - high, int(self.used * width), high))
        begins = [x + int(begin * width) for begin, _ in self.led]
        ends = [*begins[1:], x + int(self.used * width)]
        stretches = list(zip(begins, ends, [move for _, move in self.led], strict=True))
        now = self.led[-1][1]
        parts = [*(used for used, _ in self.leads[1:]), self.used]
        thin = max(2, unit // 6)
        for (begin, lead), end, losing in zip(self.leads, parts, self.losing, strict=True):
            left, right = x + int(begin * width), x + int(end * width)
            move = next(move for start, _, move in stretches[::-1] if start <= left)
            thick = max(2, int(lead * high))
            colour = theme.heat if move == now else theme.soft
            draw.rect(surface, colour, (left, low - thick, max(1, right - left), thick))
            if losing:
                draw.rect(surface, theme.signal, (left, low, max(1, right - left), thin))
        for left, right, move in stretches:
            draw.line(surface, theme.paper, (left, low - high), (left, low))
            if right - left > 5 * unit // 4:
                name = five.game.point_name(move, canvas.layout.size)
                middle = (left + right) // 2
                lead = [lead for used, lead in self.leads if x + used * width <= middle][-1]
                ink = (255, 255, 255) if lead > 0.5 else theme.ink
                place = middle, low - high + unit // 8
                canvas.write(name, "midtop", place, unit, right - left, ink)


def lead_of(visits) -> float:
    """Return by how much the most visited move leads the next one, in parts of the visits."""
    second, first = np.partition(np.ravel(visits), -2)[-2:]
    return float((first - second) / max(1, np.sum(visits)))


def is_losing_lead(readings: list, leader: int) -> bool:
    """Return whether another move got more of the last visits than the leader.

    readings   the visits of each point at some moments of one search, the latest last; the
               last visits are those since a reading that had at most nine tenths of them
    leader     the point of the move that leads now
    """
    now = readings[-1]
    before = (visits for visits in readings[::-1] if visits.sum() <= 0.9 * now.sum())
    earlier = next(before, None)
    if earlier is None:
        return False
    recent = np.ravel(now - earlier)
    return bool(recent.max() > recent[leader])


class Clocks(Panel):
    """The time that each side has used in this game, in seconds; shown when asked for."""

    on = False
    record = None  # the game whose time is counted
    used: dict[int, float] = {}  # seconds of each colour
    ticked = 0.0  # when it was counted last

    def on_tick(self, controller) -> None:
        """Count the time since the last tick for the side that is to move."""
        session = controller.session
        now = session.clock()
        if self.record is not controller.record:
            self.record = controller.record
            self.used = {five.game.BLACK: 0.0, five.game.WHITE: 0.0}
        elif session.game.played and not (controller.record.over or session.paused):
            self.used[session.game.to_move] += now - self.ticked
        self.ticked = now

    def words(self) -> str:
        """Return both clocks, black's first, as "● 1:05  ○ 0:42"."""
        clocks = []
        for sign, colour in (("●", five.game.BLACK), ("○", five.game.WHITE)):
            minutes, seconds = divmod(int(self.used[colour]), 60)
            clocks.append(f"{sign} {minutes}:{seconds:02d}")
        return "  ".join(clocks)

    def shown(self, controller):
        """Return what the clocks show."""
        return self.on and self.record and self.words()

    def draw(self, controller, surface) -> None:
        """Write it beside the stage of the game."""
        if not (self.on and self.record):
            return
        canvas = five.window.canvas_of(controller, surface)
        unit = canvas.layout.unit
        x, y, width, _ = canvas.layout.text
        stage = controller.session.game.stage
        font = five.window.font_of(five.window.fitting(stage, 6 * unit // 5, width))
        room = width - font.size(stage)[0] - unit // 2
        place = (x + width, y + 9 * unit // 4)
        canvas.write(self.words(), "topright", place, unit, room, canvas.theme.soft)

    def switch(self, controller) -> None:
        """Show the clocks, or hide them; they run in any case."""
        self.on = not self.on


class Begins(Panel):
    """Which colour makes the first move; who makes it stays the same."""

    colour = five.game.BLACK
    exchanged = False  # the players are still to be exchanged
    record = None

    def on_tick(self, controller) -> None:
        """Make a game that has not begun one of that colour; follow one that goes on."""
        record, game = controller.record, controller.record.game
        if game.played or game.undone or game.array.any():
            if self.record is not record:
                self.colour = first_colour(game)
                self.exchanged = False
        elif game.to_move != self.colour or self.exchanged:
            five.window.stop_search(controller.session)
            record.game = type(game).from_array(game.array, self.colour, game.rules)
            if self.exchanged:
                record.players = record.players[::-1]
                self.exchanged = False
            controller.session.show(controller.session.note)
        self.record = record

    def switch(self, controller) -> None:
        """Let the other colour begin: at once before the first stone, else the next game."""
        self.colour = -self.colour
        self.exchanged = not self.exchanged


class Streak(Panel):
    """After two wins or two losses in a row another level is offered."""

    counted = None  # the last game counted
    level = None  # of that game
    wins = 0  # in a row; losses below 0

    def on_tick(self, controller) -> None:
        """Count a game once, when it is over."""
        record = controller.record
        alone = len(record.persons) == 1 and "engine" in record.players  # which has levels
        if record.over and alone and self.counted is not record:
            won = controller.session.side * record.persons[0]
            level = record.level or 10
            again = self.level == level and self.wins * won > 0
            self.counted = record
            self.level = level
            self.wins = won + self.wins * again
            if abs(self.wins) >= 2 and 1 <= level + won <= 10:
                words, key = ("wins", "+") if won > 0 else ("losses", "-")
                controller.session.note = (
                    f"{abs(self.wins)} {words} in a row: {key} chooses level {level + won}"
                )

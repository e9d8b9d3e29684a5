"""What the package adds to the main notebook's window: a file of games and more commands.

`add_extras` is what `play` takes as `more`. Each part is a command or a panel, as those of the
analysis desk; the window works without them.
"""

import re

import five_in_a_row as five

from . import game_file
from .panels import After, Begins, Clocks, Line, Panel, Streak, Touch
from .window import Command, GameRecord, Session


class Typed(Panel):
    """A point is typed, as in h8, and placed by Enter; - and + work without Shift.

    The letters a to t and the digits belong to the names of points, so no command has one of
    them as its key. Whatever else happens takes a name away that is only half typed.
    """

    typed, typed_at = "", None  # what has been typed; in which position
    refused = ""  # the note on a point that could not be played, which Escape takes away

    def key_lines(self, c) -> tuple[str, ...]:
        """Return the line of the list of keys, with a point of this board."""
        rules = c.session.game.rules
        middle = rules.height // 2 * rules.size + rules.size // 2
        name = five.game.point_name(middle, rules.size)
        return (f"{name}, Enter\ttype a point, play there; Escape clears it",)

    def spell(self, c, typed: str) -> None:
        """Show what has been typed so far, and how it goes on."""
        self.typed, self.typed_at, c.view.prompt = typed, self.position(c), ()
        if typed:
            how = "Enter plays it, Escape clears it"
            for command in c.commands.values():
                if typed.upper() in command.keys.split() and typed.isalpha():
                    how += (
                        f"; {five.window.key_label(typed.upper())}: {command.now(c).caption}"
                    )
            c.view.prompt = f"Move: {typed}_", how

    def position(self, c) -> tuple[int, int]:
        """Return which game is on the board, and how many moves stand there."""
        return id(c.record), len(c.record.game.played)

    def forget(self, c) -> bool:
        """Take away what is half typed, and leave the event to others."""
        if self.typed:
            self.spell(c, "")
        return False

    def on_tick(self, c) -> None:
        """Forget the name where another position, or a text, is shown."""
        if self.typed_at != self.position(c) or c.view.overlay:
            self.forget(c)

    def on_press(self, c, x: int, y: int, surface) -> bool:
        """Forget the name at a click."""
        return self.forget(c)

    def on_overlay_key(self, c, key: str) -> bool:
        """Forget the name under a text."""
        return self.forget(c)

    def on_drop(self, c, path: str) -> bool:
        """Forget the name when a file comes."""
        return self.forget(c)

    def on_key(self, c, key: str) -> bool:
        """Take letters and digits, and the keys that end or correct a name."""
        if re.fullmatch("[a-t0-9]", key):
            goes_on = key.isdigit() and self.typed
            self.spell(c, (self.typed + key)[-3:] if goes_on else key)
        elif self.typed and key in ("backspace", "escape"):
            self.spell(c, self.typed[:-1] if key == "backspace" else "")
        elif self.typed and key in ("return", "space"):
            self.place(c)
        elif key == "escape" and self.refused and c.session.note == self.refused:
            c.session.note = self.refused = ""
        elif key in ("=", "_"):
            self.spell(c, "")
            c.act("level", 1 if key == "=" else -1)
        else:
            keys = [each for command in c.commands.values() for each in command.keys.split()]
            if self.typed and (key in keys or key in five.window.ARROWS):
                self.spell(c, "")
            return False
        return True

    def place(self, c) -> None:
        """Place a stone where the name says; a wrong name gives a note."""
        name, game = self.typed, c.session.game
        self.spell(c, "")
        try:
            point = five.game.to_point(name, game.rules)
            if five.game.landing(game, point) is None:
                raise ValueError(game.why_illegal(point))
        except ValueError as error:
            c.session.note = self.refused = str(error)
        else:
            if not (c.session.yours or c.record.over):
                c.session.note = "It is not your move"
            five.window.choose_point(c, point)


class Progress(Panel):
    """A bar that shows how much of its budget the search has used."""

    def draw(self, c, surface) -> None:
        """Paint it below the words, while the computer thinks."""
        canvas, result, record = five.window.canvas_of(c, surface), c.session.result, c.record
        if c.session.thinking and result is not None:
            done = result.seconds / (record.seconds or float("inf"))
            done = max(done, result.simulations / (record.simulations or float("inf")))
            (x, y, width, height), thin = canvas.layout.text, max(2, canvas.layout.unit // 4)
            parts = (canvas.theme.button, 1.0), (canvas.theme.signal, min(1.0, done))
            for colour, part in parts:
                box = x, y + height - thin, int(part * width), thin
                five.window.load_pygame().draw.rect(canvas.surface, colour, box)


COMPILED = ("engine", "classic", "perfect")  # opponents whose first search takes long


class Prepare(Panel):
    """The first opponent compiles while the person looks at the board; any is named then."""

    begun, note = False, ""  # note: what it has said last

    def __init__(self):
        self.ready = set()  # the opponents that have found something

    def on_tick(self, c) -> None:
        """Search once, before anything else; say who compiles while that takes time."""
        session, name = c.session, five.window.opponent_of(c.session)
        if name and not self.begun and session.search is None:
            self.begun = True
            if name in COMPILED:
                self.prepare(session, name)
        self.note_compiling(session)

    def prepare(self, session: Session, name: str) -> None:
        """Let an opponent search on a board with a few stones."""
        game = type(session.game)(session.game.rules)  # perhaps a notebook's own Game
        for _ in range(4):  # stones, with which nobody has won
            game.play(game.legal()[0])
        how = {"simulations": 1, "seed": 0}
        session.search = five.mcts.Thinking(session.opponents[name], game, "prepare", **how)
        session.search.player = name

    def note_compiling(self, session: Session) -> None:
        """Say who compiles: whoever has found nothing yet, and never has."""
        search, note = session.search, ""
        if search is not None and search.result is not None:
            self.ready.add(search.player)
        elif search is not None and search.player in set(COMPILED) - self.ready:
            who = five.window.called(search.player, True)
            note = f"{who} compiles\nThe first time: up to a minute"
        if session.note in ("", self.note):
            session.note = self.note = note


class Games:
    """Every move is kept in a file; a game that was not finished is offered again."""

    def __init__(self, c, path=None):
        c.session.keep = game_file.keeper(path)
        self.offered: GameRecord | None = game_file.unfinished_game(path, c.record)
        if self.offered is not None:  # the computer waits for the answer
            c.session.paused = True
            about = f"The game of {self.offered.date} is not finished"
            about = f"{about}: {self.offered.game.stage}"
            c.session.show(f"{about}.\nShift+L goes on with it, Shift+N begins another")

    def possible(self, c) -> bool:
        """Return True where another game is offered that is not over."""
        offered = self.offered
        return offered is not None and offered is not c.record and not offered.over

    def go_on(self, c) -> None:
        """Go on with the game of last time."""
        five.window.take_up(c.session, self.offered)


TIMES = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30, 60)  # what the window offers for a move


def exchange(session: Session, side: int) -> None:
    """Let the next player take over black, 0, or white, 1: a person, then each opponent."""
    names, players = ["person", *session.opponents], list(five.window.players_of(session))
    at = names.index(players[side]) if players[side] in names else -1
    players[side] = names[(at + 1) % len(names)]
    if players[side] in session.opponents:
        session.chosen = players[side]
    session.paused = False
    five.window.choose_players(session, players)


def change_size(c, step: int) -> None:
    """Choose a larger or smaller board for the next game; at once if there is no stone."""
    session = c.session
    rules = session.next_rules or session.game.rules
    size = min(max(rules.size + step, 3), 20)
    rules = rules._replace(size=size, rows=size if rules.height == rules.size else rules.rows)
    session.next_rules = None if rules == session.game.rules else rules
    if not session.game.played:
        c.act("new")


def change_level(session: Session, step: int) -> None:
    """Choose a stronger or weaker computer; a search that runs ends as it began."""
    level = min(max((session.record.level or 10) + step, 1), 10)
    session.record.level = None if level == 10 else level


def change_seconds(session: Session, step: int) -> None:
    """Give the computer more or less time for a move, from its next search on."""
    now = 1.0 if session.record.seconds is None else session.record.seconds
    others = [seconds for seconds in TIMES if (seconds - now) * step > 0]
    session.record.seconds = float(
        min(others, key=lambda workspace: abs(workspace - now), default=now)
    )


def size_caption(session: Session) -> str:
    """Return the size of the board, or of the next one where that is another."""
    rules = session.next_rules or session.game.rules
    return f"{'next ' if session.next_rules else ''}{rules.size}×{rules.height}"


def limit_caption(record: GameRecord) -> str:
    """Return the computer's budget for a move; without any, a second."""
    if record.simulations is not None and record.seconds is None:
        return f"{five.figures.short_number(record.simulations)} sims"
    return f"{1 if record.seconds is None else record.seconds:g} s"


def can_resign(session: Session) -> bool:
    """Return True where a person plays and the game has begun and is not over."""
    record = session.record
    return bool(record.persons and record.game.played) and not record.over


def resign(session: Session) -> None:
    """Give the game up, in the person's name."""
    five.window.stop_search(session)
    record, side = session.record, session.game.to_move
    record.resigned = side if side in record.persons else -side
    session.show(session.keep(record))


SETTINGS = {
    "black": Command(lambda c: f"Black: {five.window.players_of(c.session)[0]}", "B",
                     "black: person or computer", lambda c: exchange(c.session, 0)),
    "white": Command(lambda c: f"White: {five.window.players_of(c.session)[1]}", "W",
                     "white: person or computer", lambda c: exchange(c.session, 1)),
    "size": Command(lambda c: size_caption(c.session), "[ ]", "smaller or larger board",
                    change_size, steps=True),
    "level": Command(lambda c: f"Level {c.record.level or 10}", "- +",
                     "weaker or stronger computer",
                     lambda c, step: change_level(c.session, step), steps=True),
    "seconds": Command(lambda c: limit_caption(c.record), "< >",
                       "less or more time for its move",
                       lambda c, step: change_seconds(c.session, step), steps=True),
}  # fmt: skip
RESIGN = Command("Resign", "R", "give the game up", lambda c: resign(c.session),
                 lambda c: can_resign(c.session))  # fmt: skip


def add_after(c, before: str | None, new: dict) -> None:
    """Add commands, and their controls, after another one, or as the first ones."""
    names = list(c.commands)
    at = 0 if before is None else 1 + names.index(before)
    names[at:at] = new
    every = c.commands | new
    c.commands = {name: every[name] for name in names}
    c.shown = [name for name in names if name in c.shown or name in new]


def add_commands(c) -> None:
    """Add settings, resigning, typed points, progress, and a search that only compiles."""
    if "level" not in c.commands:
        add_after(c, None, SETTINGS)
        add_after(c, "now", {"resign": RESIGN})
        c.panels += [Typed(), Progress(), Prepare()]


def add_extras(c, path=None) -> Games:
    """Add all of this to a controller; `path` is the file of games, None: export/game.txt."""
    add_commands(c)
    games = Games(c, path)
    after, touch, line, clocks, begins = After(c), Touch(), Line(), Clocks(), Begins()
    last = Command(
        "Last game", "L", "go on with the game of last time", games.go_on, games.possible
    )
    turning = Command(
        "Turning point",
        "T",
        "after the game: where it turned, and back",
        after.toggle,
        after.possible,
        on=lambda c: after.visits(c.record),
    )
    effects = Command(
        "Effects", "X", "sound and movement", touch.switch, on=lambda c: touch.on
    )
    add_after(c, "new", {"last": last, "turning": turning})
    add_after(c, "colours", {"effects": effects})
    c.commands |= {
        "line": Command("Line", "I", "the expected line; or point at its disc", line.switch),
        "clocks": Command("Clocks", "D", "the time that each side has used", clocks.switch),
        "begins": Command(
            "White begins",
            "J",
            "white makes the first move, or black again",
            begins.switch,
            on=lambda c: begins.colour == five.game.WHITE,
        ),
    }
    c.panels += [after, touch, line, clocks, begins, Streak()]
    return games


def add_with_figures(c, path=None) -> Games:
    """Add all of this, above cells that show the game: its window closes to show them."""
    c.commands["close"] = c.commands["close"]._replace(
        caption=lambda c: "Show figures" if c.record.over else "Close",
        keys="escape F",
        help="leave; the game is kept, its figures are shown",
    )
    return add_extras(c, path)

"""What the package adds to the main notebook's window: a file of games and more commands.

`add_extras` is what `play` takes as `more`. Each part is a command or a panel, as those of the
analysis desk; the window works without them.
"""

import re
from functools import partial

import five_in_a_row as five

from . import game_file
from .panels import After, Begins, Clocks, Leaders, Line, Panel, Streak, Touch
from .verdicts import verdict
from .window import Command, Controller, GameRecord, Session


class Typed(Panel):
    """A point is typed, as in h8, and placed by Enter; - and + work without Shift.

    The letters a to t and the digits belong to the names of points, so no command has one of
    them as its key. Whatever else happens takes a name away that is only half typed.
    """

    typed = ""  # so far
    position = None  # in which it was typed
    refused = ""  # the note on a point that could not be played, which Escape takes away

    def key_lines(self, controller) -> tuple[str, ...]:
        """Return the line of the list of keys, with a point of this board."""
        rules = controller.session.game.rules
        middle = rules.height // 2 * rules.size + rules.size // 2
        name = five.game.point_name(middle, rules.size)
        return (f"{name}, Enter\ttype a point, play there; Escape clears it",)

    def spell(self, controller, typed: str) -> None:
        """Show what has been typed so far, and how it goes on."""
        self.typed = typed
        self.position = position_shown(controller)
        controller.view.prompt = ()
        if typed:
            goes_on = "Enter plays it, Escape clears it"
            for command in controller.commands.values():
                if typed.isalpha() and typed.upper() in command.keys.split():
                    key = five.window.key_label(typed.upper())
                    goes_on += f"; {key}: {command.now(controller).caption}"
            controller.view.prompt = (f"Move: {typed}_", goes_on)

    def forget(self, controller) -> bool:
        """Take away what is half typed, and leave the event to others."""
        if self.typed:
            self.spell(controller, "")
        return False

    def on_tick(self, controller) -> None:
        """Forget the name where another position, or a text, is shown."""
        if self.position != position_shown(controller) or controller.view.overlay:
            self.forget(controller)

    def on_press(self, controller, x: int, y: int, surface) -> bool:
        """Forget the name at a click."""
        return self.forget(controller)

    def on_overlay_key(self, controller, key: str) -> bool:
        """Forget the name under a text."""
        return self.forget(controller)

    def on_drop(self, controller, path: str) -> bool:
        """Forget the name when a file comes."""
        return self.forget(controller)

    def on_key(self, controller, key: str) -> bool:
        """Take letters and digits, and the keys that end or correct a name."""
        session = controller.session
        if re.fullmatch("[a-t0-9]", key):
            goes_on = key.isdigit() and self.typed
            self.spell(controller, (self.typed + key)[-3:] if goes_on else key)
        elif self.typed and key == "backspace":
            self.spell(controller, self.typed[:-1])
        elif self.typed and key == "escape":
            self.spell(controller, "")
        elif self.typed and key in ("return", "space"):
            self.place(controller)
        elif key == "escape" and self.refused and session.note == self.refused:
            session.note = self.refused = ""
        elif key in ("=", "_"):
            self.spell(controller, "")
            controller.act("level", 1 if key == "=" else -1)
        else:
            if key in five.window.ARROWS or any(
                key in command.keys.split() for command in controller.commands.values()
            ):
                self.forget(controller)
            return False
        return True

    def place(self, controller) -> None:
        """Place a stone where the name says; a wrong name gives a note."""
        session, name = controller.session, self.typed
        self.spell(controller, "")
        try:
            point = five.game.to_point(name, session.game.rules)
            if five.game.landing(session.game, point) is None:
                raise ValueError(session.game.why_illegal(point))
        except ValueError as error:
            session.note = self.refused = str(error)
        else:
            if not (session.yours or session.record.over):
                session.note = "It is not your move"
            five.window.choose_point(controller, point)


def position_shown(controller) -> tuple[int, int]:
    """Return which game is on the board, and how many moves stand there."""
    return id(controller.record), len(controller.record.game.played)


COMPILED = ("engine", "perfect")  # opponents whose first search takes long


def compiles(session: Session, name: str) -> bool:
    """Return True for those, and for the package's classic; a notebook's is plain Python."""
    return name in COMPILED or session.opponents.get(name) is five.opponents.classic_opponent


class Prepare(Panel):
    """The first opponent compiles while the person looks at the board; any is named then."""

    def __init__(self):
        self.begun = False
        self.note = ""  # what it has said last
        self.ready = set()  # the opponents that have found something

    def on_tick(self, controller) -> None:
        """Search once, before anything else; say who compiles while that takes time."""
        session, name = controller.session, five.window.opponent_of(controller.session)
        if name and not self.begun and session.search is None:
            self.begun = True
            if compiles(session, name):
                self.prepare(session, name)
        self.note_compiling(session)

    def prepare(self, session: Session, name: str) -> None:
        """Let an opponent search on a board with a few stones."""
        game = type(session.game)(session.game.rules)  # perhaps a notebook's own Game
        for _ in range(4):  # stones, with which nobody has won
            game.play(game.legal()[0])
        thinker = session.opponents[name]
        session.search = five.mcts.Thinking(thinker, game, "prepare", simulations=1, seed=0)
        session.search.player = name

    def note_compiling(self, session: Session) -> None:
        """Say who compiles: whoever has found nothing yet, and never has."""
        search, note = session.search, ""
        if search is not None and search.result is not None:
            self.ready.add(search.player)
        elif search is not None and search.player not in self.ready:
            if compiles(session, search.player):
                who = five.window.called(search.player, True)
                note = f"{who} compiles\nThe first time: up to a minute"
        if session.note in ("", self.note):
            session.note = self.note = note


class Games:
    """Every move is kept in a file; a game that was not finished is offered again."""

    def __init__(self, controller: Controller, path=None):
        session = controller.session
        session.keep = game_file.keeper(path)
        self.offered: GameRecord | None = game_file.unfinished_game(path, session.record)
        if self.offered is not None:  # the computer waits for the answer
            session.paused = True
            about = f"{self.offered.date} is not finished: {self.offered.game.stage}"
            answers = "Shift+L goes on with it, Shift+N begins another"
            session.show(f"The game of {about}.\n{answers}")

    def waiting(self, session: Session) -> GameRecord | None:
        """Return the game that was left last, or else that of last time, if it can go on."""
        for record in (session.before, self.offered):
            if record is not None and record is not session.record and not record.over:
                return record
        return None

    def possible(self, controller) -> bool:
        """Return True where there is such a game."""
        return self.waiting(controller.session) is not None

    def go_on(self, controller) -> None:
        """Go on with that game, keep this one; who does not play here is replaced."""
        session = controller.session
        record, left = self.waiting(session), session.record
        there = five.window.opponent_of(session)
        known = ("person", *session.opponents)
        record.players = tuple(name if name in known else there for name in record.players)
        five.window.take_up(session, record)
        session.before = left if left.game.played else session.before


TIMES = (0.1, 0.2, 0.5, 1, 2, 3, 5, 10, 20, 30, 60)  # what the window offers for a move


class Choice(Panel):
    """What was chosen for the next game: its rules, its players; None: as in this one."""

    rules = None
    players = None
    record = None  # the game at the last tick

    def on_tick(self, controller) -> None:
        """Let those play on who were chosen; name the key of this choice after a failure."""
        session = controller.session
        if session.failed and len(session.opponents) > 1 and "Shift+O" not in session.note:
            choices = "Shift+O: another opponent, Shift+M: try again"
            session.note = session.note.replace("Shift+M: try again", choices)
        before, record = self.record, controller.record
        self.record = record
        if before is not None and before is not record:
            self.players = None
        elif self.players and not record.over:
            record.players = self.players
            self.players = None
            session.paused = not record.persons

    def players_of(self, session: Session) -> tuple[str, str]:
        """Return who plays black and white: in this game, or in the next one."""
        return self.players or session.record.players

    def rules_of(self, session: Session):
        """Return the rules of the next game."""
        return self.rules or session.game.rules

    def choose(self, session: Session, players) -> None:
        """Let others play from the next move on; after a game, in the next one."""
        if session.record.over:
            self.players = tuple(players)
            session.note = "The next game: " + " against ".join(players)
            return
        five.window.stop_search(session)
        session.record.players = tuple(players)
        session.paused = session.paused and not session.failed
        session.show()

    def next_opponent(self, session: Session) -> None:
        """Let the next of the opponents play, in place of this one."""
        names = list(session.opponents)
        at = names.index(self.opponent(session)) + 1
        self.take_opponent(session, names[at % len(names)])

    def take_opponent(self, session: Session, name: str) -> None:
        """Let an opponent play, and give the hints, in place of this one."""
        players = list(self.players_of(session))
        now = self.opponent(session)
        session.chosen = name
        if now in players:
            players[players.index(now)] = name
        self.choose(session, players)

    def opponent(self, session: Session) -> str:
        """Return who plays against the person and gives the hints; "" where nobody can."""
        chosen = [name for name in self.players or () if name in session.opponents]
        return chosen[0] if chosen else five.window.opponent_of(session)

    def exchange(self, session: Session, side: int) -> None:
        """Let the next player take over black, 0, or white, 1: a person, then opponents."""
        names = ["person", *session.opponents]
        players = list(self.players_of(session))
        at = names.index(players[side]) if players[side] in names else -1
        players[side] = names[(at + 1) % len(names)]
        if players[side] in session.opponents:
            session.chosen = players[side]
        session.paused = False
        self.choose(session, players)

    def change_size(self, controller: Controller, step: int) -> None:
        """Choose a larger or smaller board for the next game; at once if there is no stone."""
        session = controller.session
        rules = self.rules_of(session)
        size = min(max(rules.size + step, 3), 20)
        rows = size if rules.height == rules.size else rules.rows
        rules = rules._replace(size=size, rows=rows)
        self.rules = None if rules == session.game.rules else rules
        if not session.game.played:
            controller.act("new")

    def begin(self, new_game, controller: Controller) -> None:
        """Begin another game by that action; then let it be the one that was chosen."""
        rules, players = self.rules, self.players
        new_game(controller)
        record = self.record = controller.record
        if rules is not None:
            record.game = type(record.game)(rules)
        record.players = players or record.players
        self.rules = self.players = None

    def size_caption(self, session: Session) -> str:
        """Return the size of the board, or of the next one where that is another."""
        rules = self.rules_of(session)
        return f"{'next ' if self.rules else ''}{rules.size}×{rules.height}"

    def commands(self) -> dict:
        """Return the commands that choose players and size."""
        return {
            "black": Command(
                lambda controller: f"Black: {self.players_of(controller.session)[0]}",
                "B", "black: person or computer",
                lambda controller: self.exchange(controller.session, 0)),
            "white": Command(
                lambda controller: f"White: {self.players_of(controller.session)[1]}",
                "W", "white: person or computer",
                lambda controller: self.exchange(controller.session, 1)),
            "size": Command(
                lambda controller: self.size_caption(controller.session),
                "[ ]", "smaller or larger board", self.change_size, steps=True),
            **LIMITS,
            "opponent": Command(
                lambda controller: f"Opponent: {self.opponent(controller.session) or 'none'}",
                "O", "choose who plays and gives hints",
                lambda controller: self.next_opponent(controller.session),
                lambda controller: len(controller.session.opponents) > 1,
                refusal="There is no other opponent here"),
        }  # fmt: skip


def change_level(session: Session, step: int) -> None:
    """Choose a stronger or weaker computer; a search that runs ends as it began."""
    level = min(max((session.record.level or 10) + step, 1), 10)
    session.record.level = None if level == 10 else level


WITHOUT_LEVELS = ("plain", "classic", "mine", "perfect")  # opponents that play as they do


def has_levels(controller: Controller) -> bool:
    """Return True where the opponent has levels."""
    return five.window.opponent_of(controller.session) not in WITHOUT_LEVELS


def no_levels(controller: Controller) -> str:
    """Return why the level cannot be changed."""
    return f"{five.window.opponent_of(controller.session)} has no levels: the engine has"


def change_seconds(session: Session, step: int) -> None:
    """Give the computer more or less time for a move, from its next search on."""
    now = 1.0 if session.record.seconds is None else session.record.seconds
    if step > 0:
        now = min((seconds for seconds in TIMES if seconds > now), default=now)
    else:
        now = max((seconds for seconds in TIMES if seconds < now), default=now)
    session.record.seconds = float(now)


def limit_caption(record: GameRecord) -> str:
    """Return the computer's budget for a move; without any, a second.

    Below level 10 the engine may stop earlier, so the seconds are a limit.
    """
    if record.simulations is not None and record.seconds is None:
        return f"{five.figures.short_number(record.simulations)} sims"
    weak = record.level is not None and "engine" in record.players
    return f"{'≤ ' * weak}{1 if record.seconds is None else record.seconds:g} s"


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


LIMITS = {
    "level": Command(
        lambda controller: f"Level {controller.record.level or 10}",
        "- +", "weaker or stronger computer",
        lambda controller, step: change_level(controller.session, step),
        has_levels, steps=True, refusal=no_levels),
    "seconds": Command(
        lambda controller: limit_caption(controller.record),
        "< >", "less or more time for its move",
        lambda controller, step: change_seconds(controller.session, step), steps=True),
}  # fmt: skip
SETTINGS = ("black", "white", "size", *LIMITS, "opponent")
RESIGN = Command(
    "Resign", "R", "give the game up",
    lambda controller: resign(controller.session),
    lambda controller: can_resign(controller.session),
)  # fmt: skip


SHARP = five.window.Theme(
    True, ink=(0, 0, 0), soft=(70, 70, 70), paper=(255, 255, 255), button=(226, 226, 226),
    signal=(170, 0, 0), lines=(0, 0, 0), wood=(255, 255, 255), heat=(0, 60, 130),
)  # fmt: skip


def switch_contrast(controller: Controller) -> None:
    """Paint the board black on white, or as wood again."""
    board = controller.board
    board.theme = type(board).theme if board.theme is SHARP else SHARP


CONTRAST = Command(
    "Contrast", "C", "wood, or black on white", switch_contrast,
    on=lambda controller: controller.board.theme is SHARP,
)  # fmt: skip


def why_not_now(session: Session) -> str:
    """Return why the computer has no move to make."""
    if session.record.over:
        return "The game is over: New game begins another"
    if session.yours:
        who = five.window.called(five.window.opponent_of(session))
        return f"It is your move: Hint shows what {who} would play"
    return "There is no opponent here"


def add_after(controller: Controller, before: str | None, new: dict) -> None:
    """Add commands after another one, or as the first ones; a control stands in that order."""
    names = list(controller.commands)
    at = 0 if before is None else 1 + names.index(before)
    names[at:at] = new
    every = controller.commands | new
    controller.commands = {name: every[name] for name in names}


def add_commands(controller: Controller) -> None:
    """Add settings, contrast, resigning, typed points, and a search that only compiles."""
    if "level" not in controller.commands:
        controller.session.expect = verdict
        choice = Choice()
        add_after(controller, None, choice.commands())
        new, now = controller.commands["new"], controller.commands["now"]
        controller.commands["new"] = new._replace(action=partial(choice.begin, new.action))
        controller.commands["now"] = now._replace(
            refusal=lambda controller: why_not_now(controller.session)
        )
        add_after(controller, "now", {"resign": RESIGN})
        add_after(controller, "new", {"colours": CONTRAST})
        controller.panels += [Typed(), choice, Prepare()]


def add_extras(controller: Controller, path=None) -> Games:
    """Add all of this to a controller; `path` is the file of games, None: export/game.txt."""
    add_commands(controller)
    games = Games(controller, path)
    after, touch, line = After(controller), Touch(), Line()
    clocks, begins = Clocks(), Begins()
    after_new = {
        "last": Command(
            "Last game", "L", "go on with the game that was left", games.go_on, games.possible
        ),
        "turning": Command(
            "Turning point",
            "T",
            "after the game: where it turned, and back",
            after.toggle,
            after.possible,
            on=lambda controller: after.visits(controller.record),
        ),
    }
    effects = Command(
        "Effects", "X", "sound and movement", touch.switch, on=lambda controller: touch.on
    )
    add_after(controller, "new", after_new)
    add_after(controller, "colours", {"effects": effects})
    controller.commands |= {
        "line": Command(
            "Line", "I", "the expected line; or point at its disc", line.switch, control=False
        ),
        "clocks": Command(
            "Clocks", "D", "the time that each side has used", clocks.switch, control=False
        ),
        "begins": Command(
            "White begins",
            "J",
            "white makes the first move, or black again",
            begins.switch,
            on=lambda controller: begins.colour == five.game.WHITE,
            control=False,
        ),
    }
    controller.panels += [after, touch, line, Leaders(), clocks, begins, Streak()]
    return games


def add_with_figures(controller: Controller, path=None) -> Games:
    """Add all of this, above cells that show the game: its window closes to show them."""
    controller.commands["close"] = controller.commands["close"]._replace(
        caption=lambda controller: "Show figures" if controller.record.over else "Close",
        keys="escape F",
        help="leave; the game is kept, its figures are shown",
    )
    return add_extras(controller, path)

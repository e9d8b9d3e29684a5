"""A person at a window without a screen: posts events to pygame and reads what is shown."""

import dataclasses
import functools
import threading
from pathlib import Path

import five_in_a_row as five
import helpers
import numpy as np
import pytest
from helpers import PATIENCE

CONNECT_4 = five.game.Rules(7, 4, rows=6, gravity=True)
TIC_TAC_TOE = five.game.Rules(3, 3)


def every_command():
    """Return the commands of a window with those of the package, and which have a control."""
    controller = five.window.Controller(
        five.window.Session(five.window.GameRecord(five.game.Game()), {})
    )
    five.extras.add_extras(controller, Path("no such file"))
    return controller.commands, controller.controls()


COMMANDS, CONTROLS = every_command()
EVERY = len(CONTROLS)  # some commands have keys alone
PAIRS = [name for name, command in COMMANDS.items() if command.steps]
ENGINE = {
    "engine": lambda game, **how: five.engine.think(game, **how)
}  # think, looked up each time


def example(text="d4 e5 a1", size=8, rules=None, **changes):
    """Return a game of a person, black, whose even moves a search has made."""
    changes = {"seconds": 2.5} | changes
    played = five.window.GameRecord(five.game.Game(rules or five.game.Rules(size)), **changes)
    for ply, move in enumerate(five.game.split_moves(text)):
        played.play(move)
        if ply % 2:
            played.searches[ply] = 1000 + ply, 77 + ply, played.level
    return played


class Seat:
    """A window and who sits before it; what they know can be read here by short names."""

    def __init__(self, session, board=None, controller=None):
        self.session = session
        self.controller = controller or five.window.Controller(session, board)
        self.window = five.window.Window(self.controller)
        self.view = self.controller.view

    @property
    def record(self):
        """The record of the game on the board."""
        return self.session.record

    @property
    def game(self):
        """The game on the board."""
        return self.session.game

    @property
    def overlay(self):
        """The lines of text over the board."""
        return five.window.view_of(self.controller).overlay

    def panel(self, kind):
        """Return the panel of that class."""
        return next(each for each in self.controller.panels if isinstance(each, kind))

    @property
    def commands(self):
        """The commands by name."""
        return self.controller.commands

    @property
    def yours(self):
        """True when a person is to move."""
        return self.session.yours

    @property
    def typed(self):
        """What has been typed of a point's name."""
        return self.panel(five.extras.Typed).typed

    def look(self):
        """Return the view as it is now; its hover is where the stone would lie."""
        view, point = dataclasses.replace(five.window.view_of(self.controller)), None
        if self.session.yours:
            point = five.game.landing(self.session.game, view.hover)
        return dataclasses.replace(view, hover=point)

    def step(self):
        """Let the window handle what has happened."""
        self.window.step()

    def run(self):
        """Play until the window is closed."""
        return self.window.run()

    def finish(self):
        """End everything; return the last game that has a move."""
        return self.controller.finish()

    @property
    def layout(self):
        """The layout as it is now."""
        surface = five.window.load_pygame().display.get_surface()
        return five.window.canvas_of(self.controller, surface).layout

    @property
    def words(self):
        """What the window says: heading and status, as one text."""
        words = five.window.heading(self.session), *self.view.prompt
        return "\n".join((*words, *five.window.status_lines(self.session)))

    def control(self, name):
        """Return the control of that name as it is now."""
        return self.look().controls[name]

    def pixel_of(self, place):
        """Return the pixel of a point's name, a control, (control, step), or a pixel."""
        layout, names = self.layout, self.controller.controls()
        name, step = place if isinstance(place, tuple) else (place, 1)
        if name in names:
            x, y, width, height = control_places(layout, names)[name]
            return x + (width * 3 // 4 if step > 0 else width // 4), y + height // 2
        if isinstance(place, str):
            return five.window.to_pixel(five.game.to_point(place, self.game.rules), layout)
        return place

    def click(self, place, button=1):
        """Post a click on what pixel_of() knows and let it be handled."""
        pygame, place = five.window.load_pygame(), self.pixel_of(place)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=button, pos=place))
        self.step()

    def hover(self, place):
        """Post a movement of the mouse and let it be handled."""
        pygame, place = five.window.load_pygame(), self.pixel_of(place)
        motion = {"pos": place, "rel": (0, 0), "buttons": (0, 0, 0)}
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, **motion))
        self.step()

    def press(self, *keys):
        """Post keys, each what it types or its name, and let them be handled."""
        pygame = five.window.load_pygame()
        for key in keys:
            mod = pygame.KMOD_SHIFT if key.isupper() else 0
            typed = {"unicode": key if len(key) == 1 else "", "mod": mod}
            code = pygame.key.key_code(key.lower())
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, **typed))
            self.step()

    def wait_for(self, condition):
        """Step until the condition holds; fail where it never does."""
        helpers.wait_for(self.step, condition, PATIENCE)

    def wait_for_turn(self):
        """Step until a person is to move and no search runs."""
        self.wait_for(lambda: self.yours and self.session.search is None)

    def wait_for_thought(self, kind="move"):
        """Step until the search of that kind has told what it has found so far."""
        session = self.session
        self.wait_for(
            lambda: five.window.is_searching(session, kind) and session.result is not None
        )

    def check_game(self):
        """Check that the board is what its moves make of it from the start."""
        game, again = self.game, self.game.copy()
        while again.played:
            again.undo()
        for move in game.moves:
            again.play(move)
        assert (again.array == game.array).all() and again.to_move == game.to_move
        assert again.five == game.five and again.winner == game.winner

    def prepared(self):
        """Step until the search that only prepares has ended."""
        panel = self.panel(five.extras.Prepare)
        self.wait_for(
            lambda: panel.begun and not five.window.is_searching(self.session, "prepare")
        )


click, hover, press, prepared = Seat.click, Seat.hover, Seat.press, Seat.prepared


compile_once = functools.cache(five.compiling.compile_all)  # so that no test waits for that


@pytest.fixture(scope="module")
def pygame():
    """Return pygame with a display that shows nothing (conftest.py chose SDL's dummy)."""
    pygame = five.window.load_pygame()
    yield pygame
    pygame.display.quit()


@pytest.fixture
def opened(pygame, tmp_path):
    """Return a function that opens a window; its search takes an hour unless told."""
    compile_once()
    seats = []

    def open_one(
        human="black", size=8, text="", simulations=None, rules=None, board=None, rivals=None
    ):
        pygame.display.init()
        pygame.display.set_mode((640, 480))
        pygame.event.clear()
        record, file = (
            five.window.new_record(size, 3600, human, rules=rules),
            tmp_path / "game.txt",
        )
        record.simulations = simulations
        for move in five.game.split_moves(text):
            record.play(move)
        seats.append(seat := Seat(five.window.Session(record, ENGINE | (rivals or {})), board))
        seat.games = five.extras.add_extras(seat.controller, file)
        return seat

    yield open_one
    for seat in seats:
        seat.finish()
    for thread in searching():  # what compiles outlives its window
        thread.join(PATIENCE)
    pygame.display.quit()


def control_places(layout, names=CONTROLS):
    """Return {name: Rect} of the controls of those names."""
    boxes = five.window.control_boxes(layout.grid, layout.columns, len(names))
    return dict(zip(names, boxes, strict=True))


def stones_in(picture, layout, rules):
    """Return {name: colour} of the stones on a picture, int[height, width, 3]."""
    seen, away = {}, layout.cell // 4  # beside the lines and the mark of the last move
    for point in range(rules.points):
        x, y = five.window.to_pixel(point, layout)
        pixel = picture[y + away, x + away]
        if np.ptp(pixel) < 20 and not 95 < pixel.mean() < 185:  # neither wood nor visits
            name = five.game.point_name(point, rules.size)
            seen[name] = "white" if pixel.mean() > 140 else "black"
    return seen


def searching():
    """Return the threads that search."""
    return [each for each in threading.enumerate() if isinstance(each, five.mcts.Thinking)]


def saved(tmp_path):
    """Return the last game of the file."""
    return five.game_file.load_game(tmp_path / "game.txt")

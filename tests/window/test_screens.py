"""Pictures of the window and the desk, at three sizes, against stored ones.

`python tests/window/test_screens.py` makes those in tests/screens anew: look at them.
"""

import dataclasses
import io
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script: what conftest.py does for the tests
    ROOT = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(ROOT / "export"), str(ROOT / "tools")]

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import desk, review

FOLDER = Path(__file__).resolve().parents[1] / "screens"
SIZES = [(400, 400), (900, 600), (600, 900)]
OPENING, WON = "d4 e5 d5 d6 e4 c4 f4 e6", "d4 e5 e4 f4 d5 d6 c4 b4 c6 e6 c5 c7 b5 a5 b7 a8 f3"


def board(text, human="black"):
    """Return a controller with a game on its board; it searches nothing."""
    record = five.window.new_record(human=human)
    for move in five.game.split_moves(text):
        record.play(move)
    session = five.window.Session(record, five.opponents.OPPONENTS)
    session.paused = True  # nothing is searched
    session.clock = lambda: 0.0  # nothing falls
    made = five.window.Controller(session)
    five.extras.add_extras(made, FOLDER / "no game is kept here")
    return made


def searched(made, simulations=3_000, thinking=False):
    """Show a search of the position, without its time."""
    session = made.session
    result = five.engine.think(session.game, simulations=simulations, seed=1)
    session.result = dataclasses.replace(result, seconds=0.0, tree=None)
    session.verdict = five.verdicts.verdict(session.game, result)
    session.paused = not thinking
    return made


def reviewed():
    """Return a desk with a reviewed game and numbers."""
    made = board(WON, human="both")
    sitting = desk.Desk(made)
    sitting.review.table = review.review_game(made.session.game, simulations=300, seed=1)
    made.act("numbers")
    return made


STATES = {  # what a person plays on, with all that can be shown at once; its end; the desk
    "thinking": lambda: searched(board(OPENING + " b2"), thinking=True),
    "won": lambda: board(WON),
    "desk": reviewed,
}


def paint(made, size):
    """Return the picture of a board as a surface."""
    surface = five.window.load_pygame().Surface(size)
    made.painted = None
    five.window.paint_changes(made, surface)
    return surface


def pixels(surface):
    """Return a surface as float[width, height, 3]."""
    return five.window.load_pygame().surfarray.array3d(surface).astype(float)


def file_of(state, size):
    """Return where the picture of a state is stored."""
    return FOLDER / f"{state}_{size[0]}x{size[1]}.png"


@pytest.mark.parametrize("state", STATES)
def test_a_state_looks_as_it_did(state):
    pygame, made = five.window.load_pygame(), STATES[state]()
    for size in SIZES:
        stored = pixels(pygame.image.load(str(file_of(state, size))))
        away = np.abs(pixels(paint(made, size)) - stored)
        assert away.mean() < 1.5, f"{file_of(state, size).name}: {away.mean():.2f} grey levels"
        assert (away.max(axis=2) > 60).mean() < 0.01


def test_a_palette_changes_no_colour_that_eyes_see():
    pygame = five.window.load_pygame()
    before = paint(STATES["won"](), SIZES[1])
    png = five.window.png_of(before)
    small = five.figures.palettized(png)
    after = pygame.image.load(io.BytesIO(small))
    away = np.abs(pixels(after) - pixels(before))
    assert away.mean() < 0.5 and (away.max(axis=2) > 60).mean() < 0.0005
    assert len(small) < 0.75 * len(png) and five.figures.palettized(png) == small


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, make in STATES.items():
        shown = make()
        for wanted in SIZES:
            png = five.figures.palettized(five.window.png_of(paint(shown, wanted)))
            file_of(name, wanted).write_bytes(png)
    print(f"{len(STATES) * len(SIZES)} pictures in {FOLDER.name}")

"""Make the pictures in images/ from real games: python tools/pictures.py

Every game is played here by the engine, with simulations counted and seeds fixed, and painted
by the window's own board. The same code gives the same pictures, byte by byte.
"""

import dataclasses
import io
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "export"))
sys.path.append(str(ROOT))

import five_in_a_row as five  # noqa: E402
from steps import four_steps, one_step  # noqa: E402

from experiments.command import run  # noqa: E402

IMAGES = ROOT / "images"
SIMULATIONS = 30_000  # a move
SEED = 2024
SIZE, BOARD = (960, 640), (640, 720)  # pixels of a window, of a board alone


def play_on(game, plies):
    """Let the engine play both sides up to that many moves; return its last result."""
    result = None
    while len(game.played) < plies and not game.over:
        seed = SEED + len(game.played)
        result = five.engine.think(game, simulations=SIMULATIONS, seed=seed)
        game.play(result.move)
    return result


def timeless(result):
    """Return the result without its seconds, which differ from run to run."""
    return dataclasses.replace(result, seconds=0.0, tree=None)


def window(game, result=None, persons="black", thinking=False):
    """Return the controller of a window in which the computer thinks, or has played."""
    record = five.window.new_record(human=persons, rules=game.rules)
    record.game, record.seconds, record.simulations = game.copy(), None, SIMULATIONS
    controller = five.window.Controller(five.window.Session(record, five.opponents.OPPONENTS))
    five.extras.add_extras(controller, IMAGES / "no game is kept here")
    five.play.add_desk(controller)
    controller.session.result, controller.session.paused = result, not thinking
    controller.session.verdict = five.verdicts.verdict(game, result) if thinking else ""
    return controller


def thinking(game, share=0.4):
    """Return the window of a search that has made that share of its simulations."""
    seed = SEED + len(game.played)
    found = timeless(five.engine.think(game, simulations=int(share * SIMULATIONS), seed=seed))
    return window(game, found, "black" if game.to_move == five.game.WHITE else "white", True)


def painted(controller, size, controls=True):
    """Return the picture of a controller, or of its board alone."""
    surface = five.window.load_pygame().Surface(size)
    if controls:
        five.window.paint_changes(controller, surface)
    else:
        controller.board.draw(surface, controller.session, five.window.View())
    return surface


def screenshots():
    """Yield (name, surface) of every picture."""
    for size, plies in ((8, 15), (15, 12)):
        game = five.game.Game(five.game.Rules(size))
        play_on(game, plies)
        yield f"window_{size}x{size}", painted(thinking(game), SIZE)
        play_on(game, size * size)
        yield f"window_{size}x{size}_end", painted(window(game, None, "none"), SIZE)
    game = five.game.Game(five.game.Rules(4))
    for step, plies in enumerate((5, 11, 16), 1):
        result = timeless(play_on(game, plies))
        yield f"draw_4x4_{step}", painted(window(game, result, "both"), BOARD, False)


def reviewed():
    """Return the desk with the engine's game on 15x15, reviewed."""
    game = five.game.Game(five.game.Rules(15))
    play_on(game, 225)
    controller = window(game, None, "both")
    sitting = five.desk.Desk(controller)
    sitting.review.table = five.review.review_game(
        game, simulations=SIMULATIONS // 10, seed=SEED
    )
    controller.act("numbers")
    return controller


def save(png, path):
    """Write a PNG with a palette, so that a kill at any moment leaves the old file whole."""
    five.files.replace_file(path, five.figures.palettized(png))
    print(f"wrote {path.parent.name}/{path.name}")


def png_of(figure):
    """Return a matplotlib figure as the bytes of a PNG."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=100, metadata={"Software": None})
    return file.getvalue()


def main():
    """Write every picture."""
    IMAGES.mkdir(exist_ok=True)
    save(png_of(four_steps()), IMAGES / "four_steps.png")
    for number, name in enumerate(("select", "expand", "simulate", "backpropagate")):
        save(png_of(one_step(number)), IMAGES / f"step_{name}.png")
    surface = five.window.load_pygame().Surface((1000, 800))
    five.window.paint_changes(reviewed(), surface)
    save(five.window.png_of(surface), IMAGES / "desk.png")
    for name, surface in screenshots():
        save(five.window.png_of(surface), IMAGES / f"{name}.png")


if __name__ == "__main__":
    run(main)

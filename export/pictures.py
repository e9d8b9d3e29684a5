"""Make the pictures in images/ from real games: python export/pictures.py

Every game is played here by the engine, with simulations counted and seeds fixed, and painted
by the window's own `draw`. The same code gives the same pictures, byte by byte.
"""

import dataclasses
import os
import sys
from pathlib import Path

import five_in_a_row as five
from five_in_a_row import desk
from steps import four_steps, one_step

IMAGES = Path(__file__).resolve().parent.parent / "images"
SIMULATIONS = 30_000  # a move
SEED = 2024
SIZE, BOARD = (960, 640), (640, 720)  # pixels of a window, of a board alone


def play_on(game, plies):
    """Let the engine play both sides up to that many moves; return its last Thought."""
    thought = None
    while len(game.played) < plies and not game.over:
        seed = SEED + len(game.played)
        thought = five.engine.think(game, simulations=SIMULATIONS, seed=seed)
        game.play(thought.move)
    return thought


def timeless(thought):
    """Return the thought without its seconds, which differ from run to run."""
    return dataclasses.replace(thought, seconds=0.0, tree=None)


def window(game, thought, persons="black", **changes):
    """Return the view of a window in which the computer thinks, or has thought."""
    played = five.core.Played(game, five.core.PERSONS[persons], None, SIMULATIONS)
    board = five.core.Touch(played)
    board.stop()
    board.view = five.core.View(thought=thought, **changes)
    return board.look()


def thinking(game, share=0.4):
    """Return the view of a search that has made that share of its simulations."""
    seed = SEED + len(game.played)
    found = timeless(five.engine.think(game, simulations=int(share * SIMULATIONS), seed=seed))
    person = "black" if game.to_move == five.core.WHITE else "white"
    return window(game, found, person, thinking=True, verdict=five.core.verdict(game, found))


def screenshots():
    """Yield (name, game, view) of every picture."""
    for size, plies in ((8, 15), (15, 12)):
        game = five.core.Game(five.core.Rules(size))
        play_on(game, plies)
        yield f"window_{size}x{size}", game.copy(), thinking(game)
        play_on(game, size * size)
        yield f"window_{size}x{size}_end", game.copy(), window(game, None, "none")
    game = five.core.Game(five.core.Rules(4))
    for step, plies in enumerate((5, 11, 16), 1):
        thought = timeless(play_on(game, plies))
        yield f"draw_4x4_{step}", game.copy(), five.core.View(thought=thought)


def reviewed():
    """Return the desk with the engine's game on 15x15, reviewed."""
    game = five.core.Game(five.core.Rules(15))
    play_on(game, 225)
    board = desk.Desk(five.core.Played(game, ("person", "person")))
    board.finish()
    board.table = desk.review_game(game, SIMULATIONS // 10, SEED)
    board.numbers()
    return board


def save(write, path):
    """Write a PNG by write(file), so that a kill at any moment leaves the old file whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            write(file)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    print(f"wrote {path.parent.name}/{path.name}")


def main():
    """Write every picture."""
    pygame = five.core.load_pygame()
    IMAGES.mkdir(exist_ok=True)
    drawings = {"four_steps": four_steps()}
    for number, name in enumerate(("select", "expand", "simulate", "backpropagate")):
        drawings[f"step_{name}"] = one_step(number)
    look = {"format": "png", "dpi": 100, "metadata": {"Software": None}}
    for name, figure in drawings.items():
        save(lambda file, figure=figure: figure.savefig(file, **look), IMAGES / f"{name}.png")
    surface = pygame.Surface((1000, 800))
    reviewed().paint(surface)
    save(lambda file: file.write(five.core.png_of(surface)), IMAGES / "desk.png")
    for name, game, view in screenshots():
        surface = pygame.Surface(SIZE if view.controls else BOARD)
        five.core.draw(surface, game, view)
        png = five.core.png_of(surface)
        save(lambda file, png=png: file.write(png), IMAGES / f"{name}.png")


if __name__ == "__main__":
    sys.exit(main())

"""The opening book of the perfect player, how long its answers take, and the solver's cost.

`connect-book` writes export/five_in_a_row/connect_four.book: the exact score of every position
up to some stones, and all bounds found on the way. It goes on from the file that is there.
"""

import datetime
import itertools
import time
from pathlib import Path

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid, connect_solver
from five_in_a_row.files import replace_file

from experiments.connect_four import perfect
from experiments.matches import SEED
from experiments.registry import table

FILE = Path(five.__file__).with_name(connect_solver.BOOK.name)
ENTRIES = 1 << 26  # of the solver's table: 1 GB
HEIGHT = 7  # bits of a column, the spare one included
SHOWN = 7  # the table tells what is known of positions to so many stones
FIRST_STRONG, LAST = 4, 24  # stones of positions that are judged, random ones from 0 on
EVERY = 60  # seconds after which the file is written again
LIMIT = 225_000  # bytes of the file
TABLE = 1 << 22  # entries of the solver whose speed is measured: 64 MB
PATIENCE = 250_000  # positions to search, where no book has them: more than 50 ms
WHOLE, FAMILIES = 8, (10, 12, 14, 16, 18, 22, 26)  # stones of positions solved without a book


def layers(grid, plies):
    """Yield {key: (own, both)} of all positions of 0, 1, 2 … stones that are not over."""
    layer, column = {0: (0, 0)}, (1 << grid.height) - 1
    for _ in range(plies + 1):
        yield layer
        below = {}
        for own, both in layer.values():
            free = both + grid.bottom & grid.full
            for col in range(grid.columns):
                stone = free & column << col * grid.height
                if stone and not connect_grid.has_four(own | stone, grid.height):
                    after = own ^ both, both | stone
                    below.setdefault(connect_solver.mirror_key(grid, *after), after)
        layer = below


def quiet(grid, layer):
    """Return the positions of a layer in which nobody wins with one of the next two stones."""
    landing = {key: connect_grid.threats_of(p[0], grid.height) for key, p in layer.items()}
    return {
        key: p
        for key, p in layer.items()
        if not landing[key] & (p[1] + grid.bottom) & grid.full & ~p[1]
        and connect_solver.safe_moves(grid, *p)
    }


def stones_of(key):
    """Return how many stones the position of a key has, from the height of each column."""
    columns = (key >> col * HEIGHT & (1 << HEIGHT) - 1 for col in range(7))
    return sum((column + 1).bit_length() - 1 for column in columns)


def keep(bounds, plies):
    """Write the book, without the latest positions if it were too large; return its bytes."""
    made = f"{datetime.date.today().isoformat()}, exact to {plies} stone{'s' * (plies != 1)}"
    data, most = connect_solver.pack_book(bounds, made), connect_solver.EARLY
    while len(data) > LIMIT:
        most -= 1
        bounds = {key: found for key, found in bounds.items() if stones_of(key) <= most}
        data = connect_solver.pack_book(bounds, made)
    replace_file(FILE, data)
    return len(data)


@table("connect-book", 2, ("Connect-4 solver",), unit="layers", budget="no limit")
def book(count, jobs):
    """The opening book: exact scores of so many layers (0, 1, … stones), and what is known."""
    known = connect_solver.read_book(FILE) if FILE.exists() else {}
    solver, spent = connect_solver.Solver(entries=ENTRIES, book=known), np.array([0, 2**62])
    written = time.monotonic()
    for stones, layer in enumerate(layers(solver.grid, count - 1)):
        positions = quiet(solver.grid, layer)
        for number, (key, position) in enumerate(sorted(positions.items())):
            low, high = solver.early.get(key, (0, 1))
            if low < high:
                connect_solver.narrowed(solver, spent, *position, True)
            if time.monotonic() > written + EVERY:
                keep(solver.early, stones - 1)
                written = time.monotonic()
                print(f"{stones} stones: {number} of {len(positions)}", flush=True)
        size = keep(solver.early, stones)
        print(f"all positions of {stones} stones, {size} bytes", flush=True)
    yield from known_rows(solver)


def known_rows(solver):
    """Yield what the book tells of each layer: exact scores, signs, bounds, nothing."""
    for stones, layer in enumerate(layers(solver.grid, SHOWN)):
        found = [solver.early.get(key) for key in quiet(solver.grid, layer)]
        known = [bounds for bounds in found if bounds]
        yield {
            **{"stones": stones, "positions": len(layer), "quiet": len(found)},
            **{"exact": sum(low == high for low, high in known)},
            "sign": sum(low > 0 or high < 0 or low == high == 0 for low, high in known),
            "bounds": len(known),
        }


def random_play(stones):
    """Yield (stones, moves) without end: different random positions, while there are any."""
    rng, found = np.random.default_rng([SEED, stones]), set()
    while len(found) < 7**stones:
        game = four.random_drops(stones, rng)
        if not game.over and game.array.tobytes() not in found:
            found.add(game.array.tobytes())
            yield stones, " ".join(game.moves)


@table("connect-judged", 40, ("Connect-4 solver", "Connect-4 ideas"), unit="a ply")
def judged(each, jobs):
    """Milliseconds to judge all columns of random and of strong positions, by stones."""
    drawn = {"random": (0, random_play), "strong play": (FIRST_STRONG, perfect.strong_play)}
    for name, (first, play) in drawn.items():
        for stones in range(first, LAST + 1):
            positions = [moves for _, moves in itertools.islice(play(stones), each)]
            for exact in (True, False):
                what = f"{name}, {'scores' if exact else 'signs'}"
                row = {"what": what, "stones": stones} | times(positions, exact)
                yield row | {"budget": f"{PATIENCE} positions to look at"}


def times(positions, exact):
    """Return how many positions are judged at all and within 50 ms, and how long it takes."""
    solver, taken, judged = connect_solver.Solver(), [], []
    for moves in positions:
        game = five.game.Game.from_text(moves, rules=connect_grid.four_rules())
        begun = time.thread_time()
        scores = solver.columns(game, PATIENCE // 7, exact)
        taken.append(1_000 * (time.thread_time() - begun))
        judged.append(None not in scores.values())
    middle, late, most = np.quantile(taken, (0.5, 0.99, 1))
    return {
        **{"positions": len(positions), "told": sum(judged)},
        "within 50 ms": sum(t and ms <= 50 for t, ms in zip(judged, taken, strict=True)),
        **{"median ms": round(float(middle), 1), "p99 ms": round(float(late), 1)},
        "most ms": round(float(most), 1),
    }


@table("connect-cost", 24, ("Connect-4 solver",), unit="positions")
def cost(each, jobs):
    """Positions searched and milliseconds of one score or sign without a book, by stones."""
    grid = connect_solver.Solver(entries=2, book={}).grid
    *_, layer = layers(grid, WHOLE)
    every = sorted(quiet(grid, layer).values())
    rng = np.random.default_rng(SEED)
    drawn = {("all", WHOLE): [every[i] for i in rng.choice(len(every), each, replace=False)]}
    for stones in FAMILIES:
        games = (four.random_drops(stones, rng) for _ in itertools.count())
        played = (connect_grid.bits_of(game) for game in games if not game.over)
        calm = (position for position in played if quiet(grid, {0: position}))
        drawn["random play", stones] = list(itertools.islice(calm, each))
    for exact in (True, False):
        for (what, stones), positions in drawn.items():
            yield {
                **{"drawn from": what, "stones": stones, "of": len(every)},
                **{"asked": "score" if exact else "sign"} | searched(positions, exact),
                "budget": f"no limit, {TABLE} places in its table",
            }


def searched(positions, exact):
    """Return how many positions were searched, and how long that took."""
    solver, nodes, taken = connect_solver.Solver(entries=TABLE, book={}), [], []
    solver.early = None  # by the kernel alone
    for own, both in positions:
        spent, begun = np.array([0, 2**62]), time.thread_time()
        connect_solver.narrowed(solver, spent, own, both, exact)
        taken.append(1_000 * (time.thread_time() - begun))
        nodes.append(int(spent[0]))
    return {
        **{"positions": len(positions), "mean": round(float(np.mean(nodes)))},
        **{"median": round(float(np.median(nodes))), "most": max(nodes)},
        "mean ms": round(float(np.mean(taken)), 2),
    }

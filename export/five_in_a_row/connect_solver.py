"""A perfect player of Connect-4: alpha-beta search on two integers, with a book of openings.

The score of a position is for the side to move: +1 if it wins with its last stone, +2 with the
last but one, and so on; 0 a draw; negative if the other side wins. The bits and the table come
from Tromp's Fhourstones (https://tromp.github.io/c4/fhour.html), the order of moves and the
windows from Pons, Solving Connect 4 (http://blog.gamesolver.org).
"""

import dataclasses
import hashlib
import json
import lzma
import sys
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import jit
from five_in_a_row.connect_grid import (
    Grid,
    bits_of,
    column_name,
    count_bits,
    drop,
    four_rules,
    has_four,
    open_columns,
    threats_of,
)

# ---- a grid in numbers, and moves that do not lose at once --------------------------------


class Bounds(NamedTuple):
    """The numbers of a grid for the solver: those of Grid, and how many cells it has."""

    height: int
    columns: int
    cells: int
    bottom: int
    full: int
    even: int  # the cells of rows 2, 4, 6; 0 where the number of rows is odd


def bounds_of(rules: five.game.Rules) -> Bounds:
    """Return the numbers of the grid of these rules."""
    grid = Grid(rules.height, rules.size)
    even = sum(grid.bottom << row for row in range(1, grid.rows, 2))
    numbers = grid.height, grid.columns, rules.points, grid.bottom, grid.full
    return Bounds(*numbers, 0 if grid.rows % 2 else even)


@jit
def safe_moves(grid, own, both):
    """Return the cells that the mover may play without losing to the very next stone."""
    free = both + grid.bottom & grid.full
    danger = threats_of(both ^ own, grid.height) & grid.full & ~both
    forced = free & danger
    if forced:
        if forced & forced - 1:
            return 0
        free = forced
    return free & ~(danger >> 1)


# ---- the order of moves, and a bound ---------------------------------------------------


@jit
def column_at(columns, rank):
    """Return the column of a rank: the middle has rank columns - 1, an edge has rank 0."""
    from_middle = columns - 1 - rank
    step = (from_middle + 1) // 2
    return (columns - 1) // 2 + (step if from_middle % 2 else -step)


@jit
def sort_safe(grid, marks, own, both, safe):
    """Fill marks, int64[columns], with 64 * threats + rank of the safe moves; return how many.

    The highest mark comes first.
    """
    column, count = (1 << grid.height) - 1, 0
    for rank in range(grid.columns - 1, -1, -1):
        move = safe & column << column_at(grid.columns, rank) * grid.height
        if move == 0:
            continue
        threats = threats_of(own | move, grid.height) & grid.full & ~both
        mark, place = 64 * count_bits(threats) + rank, count
        while place > 0 and marks[place - 1] < mark:
            marks[place] = marks[place - 1]
            place -= 1
        marks[place] = mark
        count += 1
    return count


@jit
def follow_bound(grid, own, both, stones):
    """Return an upper bound of the mover's score if the other side only follows.

    grid.cells where following promises nothing. grid.even must not be 0.
    """
    empty, landing = grid.full & ~both, both + grid.bottom & grid.even
    reach, bound = own | empty & ~grid.even | landing, grid.cells
    if stones % 2 == 0:  # the second player follows
        if not has_four(reach, grid.height):
            theirs = own ^ both | empty & grid.even & ~landing
            bound = -1 if has_four(theirs, grid.height) else 0
        return bound
    threats = threats_of(own ^ both, grid.height) & empty & ~grid.even
    for col in range(grid.columns):
        column = (1 << grid.height) - 1 << col * grid.height
        cell = threats & column
        if cell and landing & column:
            cell &= -cell
            below = column & cell - 1
            mine = reach & ~column | own | below & empty & grid.even
            if not has_four(mine, grid.height):
                above = count_bits(column & grid.full) - count_bits(below | cell)
                bound = min(bound, -1 - above // 2)
    return bound


# ---- what is remembered of a position --------------------------------------------------


ENTRY = np.dtype(
    [("key", np.int64), ("low", np.int8), ("high", np.int8), ("left", np.int8)], align=True
)
SCATTER = 0x9E3779B97F4A7C1  # spreads neighbouring keys over the table


def empty_table(entries: int) -> np.ndarray:
    """Return a transposition table; ValueError unless `entries` is a power of two."""
    entries = five.game.check_number("entries", entries, 2, 1 << 30, whole=True)
    if entries & entries - 1:
        raise ValueError(f"entries must be a power of two, not {entries}")
    table = np.zeros(entries, ENTRY)
    table["key"] = -1
    return table


@jit
def place_of_key(table, key):
    """Return where a position is kept, or the first place where it may be."""
    place = (key * SCATTER >> 24) & table.size - 1
    if table[place].key != key and table[place ^ 1].key == key:
        return place ^ 1
    return place


@jit
def narrow(table, key, low, high):
    """Return (low, high) with what the table knows of a position."""
    entry = table[place_of_key(table, key)]
    if entry.key == key:
        return max(low, np.int64(entry.low)), min(high, np.int64(entry.high))
    return low, high


@jit
def keep_bound(table, key, left, low, high):
    """Write what is known of a position with so many cells left, and what was known of it."""
    place = place_of_key(table, key)
    if table[place].key != key and table[place].left > left:
        place ^= 1
    low, high = narrow(table, key, low, high)
    entry = table[place]
    entry.key, entry.low, entry.high, entry.left = key, low, high, left


@jit
def score_range(grid, table, own, both, stones, alpha):
    """Return (low, high) of the mover's score: by the cells left, by following, by the table.

    The table is not asked if the score cannot exceed alpha.
    """
    low, high = -((grid.cells - 2 - stones) // 2), (grid.cells - 1 - stones) // 2
    if grid.even and alpha >= -2:
        high = min(high, follow_bound(grid, own, both, stones))
        if high <= alpha:
            return low, high
    return narrow(table, own + both, low, high)


FEW_CELLS = 12  # with no more cells left a search is as quick


@jit
def tabled_moves(grid, table, own, both, safe, alpha, beta):
    """Return (moves that must be searched, the best that the table says of the others).

    As soon as one move is known to reach beta, it alone counts.
    """
    best, column = -grid.cells, (1 << grid.height) - 1
    for col in range(grid.columns):
        move = safe & column << col * grid.height
        if move:
            key = (own ^ both) + (both | move)
            low, high = narrow(table, key, -grid.cells, grid.cells)
            if -high >= beta:
                return 0, -high
            if -low <= alpha:
                best = max(best, -low)
                safe ^= move
    return safe, best


# ---- alpha-beta with a table -----------------------------------------------------------


@jit
def negamax(grid, table, marks, spent, own, both, stones, alpha, beta):
    """Return the score for the mover, exact if alpha < score < beta, else a bound of it.

    marks   int64[cells, columns]   room for the moves of each ply
    spent   int64[2]                positions searched, and how many may be: then it gives up
    The mover must not have a winning move. A result above the limit means nothing.
    """
    spent[0] += 1
    if spent[0] > spent[1]:
        return 0
    safe = safe_moves(grid, own, both)
    if safe == 0:
        return -((grid.cells - stones) // 2)
    if stones >= grid.cells - 2:
        return 0
    low, high = score_range(grid, table, own, both, stones, alpha)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    left, key = grid.cells - stones, own + both
    beta, best, column = min(beta, high), low, (1 << grid.height) - 1
    if left > FEW_CELLS:
        safe, known = tabled_moves(grid, table, own, both, safe, alpha, beta)
        best = max(best, known)
        if best >= beta:
            return best
    mine = marks[stones]
    for i in range(sort_safe(grid, mine, own, both, safe)):
        move = safe & column << column_at(grid.columns, mine[i] & 63) * grid.height
        floor = max(alpha, best)
        score = -negamax(
            grid, table, marks, spent, own ^ both, both | move, stones + 1, -beta, -floor
        )
        if spent[0] > spent[1]:
            return 0
        best = max(best, score)
        if best >= beta:
            keep_bound(table, key, left, best, high)
            return best
    keep_bound(table, key, left, low if best <= alpha else best, best)
    return best


# ---- the first plies: bounds from the book ---------------------------------------------


EARLY = 12  # stones


def mirror_key(grid: Bounds, own: int, both: int) -> int:
    """Return the key of a position; its mirror image has the same."""
    key, column = own + both, (1 << grid.height) - 1
    parts = [key >> col * grid.height & column for col in range(grid.columns)]
    mirror = sum(part << col * grid.height for col, part in enumerate(reversed(parts)))
    return min(key, mirror)


def known_bounds(solver, own: int, both: int) -> tuple[int, int]:
    """Return (low, high) of the score for the mover, who can neither win nor must lose now."""
    left, found = solver.grid.cells - both.bit_count(), None
    if solver.early is not None and both.bit_count() <= EARLY:
        found = solver.early.get(mirror_key(solver.grid, own, both))
    return found or (-((left - 2) // 2), (left - 1) // 2)


def early_bound(solver, spent, own: int, both: int, m: int) -> int:
    """Return a bound of the score for the mover: a lower one above m, else an upper one.

    Arguments as for narrowed. A result above the limit means nothing, and is not kept.
    """
    stones, grid = both.bit_count(), solver.grid
    deep = partial(negamax, grid, solver.table, solver.marks, spent)
    if solver.early is None or stones > EARLY:
        return int(deep(own, both, stones, m, m + 1))
    if not (safe := int(safe_moves(grid, own, both))):
        return -((grid.cells - stones) // 2)
    low, high = known_bounds(solver, own, both)
    if low > m or high <= m:
        return low if low > m else high
    best, column = -grid.cells, (1 << grid.height) - 1
    if stones == EARLY:
        best = int(deep(own, both, stones, m, m + 1))
    else:
        spent[0] += 1
        count, mine = sort_safe(grid, solver.marks[stones], own, both, safe), []
        for mark in solver.marks[stones][:count].tolist():
            mine.append(safe & column << column_at(grid.columns, mark & 63) * grid.height)
        mine.sort(key=lambda move: known_bounds(solver, own ^ both, both | move)[1] >= -m)
        for move in mine:
            best = max(best, -early_bound(solver, spent, own ^ both, both | move, -m - 1))
            if best > m or spent[0] > spent[1]:
                break
    if spent[0] > spent[1]:
        return 0
    bounds = (max(low, best), high) if best > m else (low, min(high, best))
    solver.early[mirror_key(grid, own, both)] = bounds
    return best


# ---- the book in its file --------------------------------------------------------------


BOOK = five.cache.HERE / "connect_four.book"


def pack_book(bounds: dict, made: str) -> bytes:
    """Return the file of {key: (low, high)}: a line of JSON, then the numbers, compressed.

    The numbers are the differences of the sorted keys, then all low and all high bounds, each
    byte of them in a row of its own: equal bytes beside each other are compressed best.
    """
    keys = np.array(sorted(bounds), "<i8")
    pairs = np.array([bounds[key] for key in keys.tolist()], np.int8).reshape(-1, 2)
    steps = np.diff(keys, prepend=0).view(np.uint8).reshape(-1, 8)
    packed = lzma.compress(steps.T.tobytes() + pairs.T.tobytes(), preset=9)
    head = {"made": made, "digest": hashlib.sha256(packed).hexdigest()}
    return json.dumps(head).encode() + b"\n" + packed


def unpack_book(data: bytes) -> tuple[str, dict]:
    """Return how a book was made, and its {key: (low, high)}; ValueError if it is damaged."""
    head, _, packed = data.partition(b"\n")
    head = json.loads(head)
    if hashlib.sha256(packed).hexdigest() != head["digest"]:
        raise ValueError("it is damaged")
    rows = np.frombuffer(lzma.decompress(packed), np.uint8).reshape(10, -1)
    keys = np.cumsum(np.ascontiguousarray(rows[:8].T).view("<i8").ravel())
    low, high = rows[8:].view(np.int8).tolist()
    return head["made"], dict(zip(keys.tolist(), zip(low, high, strict=True), strict=True))


def read_book(file: Path = BOOK) -> dict:
    """Return {key: (low, high)} of a file; without a whole one a sentence says so: {}."""
    try:
        return unpack_book(Path(file).read_bytes())[1]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = str(error).splitlines()[0]
        print(f"five_in_a_row: solves without {Path(file).name} ({reason})", file=sys.stderr)
        return {}


opening_book = lru_cache(read_book)  # read when a solver is made first


def narrowed(solver, spent, own, both, exact):
    """Return the score of a position that is not over; None where spent[1] does not tell.

    solver   a Solver: its table, its marks and what it knows of the first plies are used
    exact    False: only the sign of the score
    """
    stones, grid = both.bit_count(), solver.grid
    landing = threats_of(own, grid.height) & (both + grid.bottom) & grid.full & ~both
    if landing:
        return (grid.cells + 1 - stones) // 2 if exact else 1
    left = grid.cells - stones
    if not safe_moves(grid, own, both):
        return -(left // 2) if exact else -1
    low, high = (0, 0) if left <= 2 else known_bounds(solver, own, both)
    if not exact:
        low, high = max(-1, min(1, low)), max(-1, min(1, high))
    step = 1
    while low < high:
        middle = (low + high) // 2
        if low < 0 < high:
            middle = 0
        elif low >= 0:
            middle, step = min(low + step - 1, middle), 2 * step
        else:
            middle, step = max(high - step, middle), 2 * step
        found = early_bound(solver, spent, own, both, middle)
        if spent[0] > spent[1]:
            return None
        if not exact:
            found = min(1, max(-1, found))
        low, high = (low, found) if found <= middle else (found, high)
    return int(low)


# ---- the score of a position, and of each column ---------------------------------------


MOST_POSITIONS = 2**62  # more than anybody can wait for


def check_limit(limit: int | None) -> int:
    """Return how many positions may be searched, MOST_POSITIONS for None; or ValueError."""
    most = MOST_POSITIONS
    return most if limit is None else five.game.check_number("limit", limit, 0, most, True)


class Solver:
    """A perfect player's knowledge of one grid; what it has found out it remembers.

    entries   of its table, a power of two
    book      {key: (low, high)} of early positions of the standard grid; None: opening_book()
    """

    def __init__(self, rules: five.game.Rules | None = None, entries=1 << 22, book=None):
        rules = four_rules() if rules is None else five.game.check_rules(rules)
        self.rules = four_rules(rules.height, rules.size)
        self.grid = bounds_of(self.rules)
        self.early = None  # small grids need no book
        if self.rules == four_rules():
            self.early = dict(opening_book() if book is None else book)
        self.table = empty_table(entries)
        self.marks = np.zeros((self.rules.points, self.rules.size), np.int64)
        self.nodes = 0  # positions searched for the last answer

    def score(self, game: five.game.Game, limit: int | None = None, exact: bool = True):
        """Return the score for the side to move; None where `limit` positions do not tell.

        exact   False: only the sign is searched for: +1 won, 0 drawn, -1 lost
        Raises ValueError for a game that is over or is played on another grid.
        """
        spent = np.array([0, self._limit(game, limit, exact)])
        found = narrowed(self, spent, *bits_of(game), exact)
        self.nodes = int(spent[0])
        return found

    def columns(self, game: five.game.Game, limit: int | None = None, exact: bool = True):
        """Return {column: score of playing it}, None where `limit` positions do not tell.

        Each column may take as many; what one of them leaves, the next may use.
        """
        limit = self._limit(game, limit, exact)
        own, both = bits_of(game)
        spent, found, nodes = np.zeros(2, np.int64), {}, 0
        for number, (column, point) in enumerate(open_columns(game).items(), 1):
            stone = 1 << column * self.grid.height + point // self.rules.size
            spent[:] = 0, min(number * limit - nodes, MOST_POSITIONS)
            found[column] = self._after(spent, own | stone, both | stone, exact)
            nodes += int(spent[0])
        self.nodes = nodes
        return found

    def _limit(self, game, limit, exact) -> int:
        """Return the limit as a number; ValueError for what cannot be asked."""
        if five.game.check_game(game).over:
            raise ValueError("the game is over: its result is known")
        if game.rules != self.rules:
            raise ValueError(f"this solver knows {self.rules}, not {game.rules}")
        five.game.check_switch("exact", exact)
        return check_limit(limit)

    def _after(self, spent, own, both, exact):
        """Return the score for the player who has just moved and now has the stones `own`."""
        if has_four(own, self.grid.height):
            return (self.grid.cells + 2 - both.bit_count()) // 2 if exact else 1
        if both == self.grid.full:
            return 0
        score = narrowed(self, spent, own ^ both, both, exact)
        return None if score is None else -score


# ---- moves judged, and a lost side that does not err -----------------------------------


class Judged(NamedTuple):
    """What is said of a move; all are truth values."""

    kept: bool  # it keeps the value of the position
    choice: bool  # another column would not, or does not
    won: bool  # the position is won


def values_text(scores: dict[int, int], columns: int) -> str:
    """Return the value of every column as + = - or . in one text."""
    signs = {1: "+", 0: "=", -1: "-"}
    return "".join(
        signs[int(np.sign(scores[column]))] if column in scores else "."
        for column in range(columns)
    )


def judged(values: str, column: int) -> Judged:
    """Judge a column by the text of values_text. ValueError for a full one."""
    if values[column] == ".":
        raise ValueError(f"column {column_name(column)} is full: {values}")
    best = next(sign for sign in "+=-" if sign in values)
    return Judged(values[column] == best, len(set(values) - {"."}) > 1, best == "+")


RESIST = 12  # from so many stones on the latest loss is counted


def resist(solver: Solver, game: five.game.Game, rng) -> int:
    """Return a column for a lost side: the most central safe one, later the toughest."""
    free, middle = open_columns(game), (game.rules.size - 1) / 2
    safe = safe_moves(solver.grid, *bits_of(game))
    height = solver.grid.height
    calm = [col for col, p in free.items() if safe >> col * height + p // game.rules.size & 1]
    if calm and np.count_nonzero(game.array) < RESIST:
        return min(calm, key=lambda column: abs(column - middle))
    scores = solver.columns(game)
    best = max(scores.values())
    return int(rng.choice([column for column in free if scores[column] == best]))


def mirrored(game: five.game.Game) -> five.game.Game:
    """Return a game that begins from the same position seen in a mirror."""
    return five.game.Game.from_array(game.array[:, ::-1], game.to_move, game.rules)


def hold_the_win(
    player, solver: Solver, seed: int, is_lost, moves: str = ""
) -> tuple[five.game.Game, bool]:
    """Let a player go on from a won position; return the game, and whether it was won.

    is_lost   is_lost(game): is the game, which is not over, lost for the side to move?
    moves     to the position, as text; the other side plays perfectly from there
    A game that was not won ends with the move that let the win go.
    """
    game = five.game.Game.from_text(moves, rules=solver.rules)
    mover, rng = game.to_move, np.random.default_rng(seed)
    while not game.over:
        game.play(player.move(game.copy(), int(rng.integers(2**31))))
        if not game.over and not is_lost(game):
            break
        if not game.over:
            drop(game, resist(solver, game, rng))
    return game, game.winner == mover


# ---- the perfect player as an opponent -------------------------------------------------


RATE = 1_000_000  # positions per second of thought that it may search
perfect_solver = lru_cache(Solver)  # what it finds out stays for the next move


def perfect_move(game: five.game.Game, *, seconds=None, simulations=None, **keywords):
    """Return a SearchResult as five.engine.think does, by the solver where it can tell."""
    five.engine.check_asked(seconds=seconds, simulations=simulations, **keywords)
    begun, solver = time.perf_counter(), perfect_solver()
    seconds = 1 if seconds is None else seconds
    limit = int(min(RATE * seconds / five.game.check_game(game).rules.size, MOST_POSITIONS))
    signs = solver.columns(game, limit, exact=False)
    known = [sign for sign in signs.values() if sign is not None]
    best = max(known, default=-1)
    decided = best > 0 or len(known) == len(signs)
    if not decided or best < 0 and np.count_nonzero(game.array) <= EARLY:
        thought = five.engine.think(game, seconds=seconds, simulations=simulations, **keywords)
        why = "every column loses; the engine's" if decided else "not known; the engine's"
        return dataclasses.replace(thought, why=why, proven=-1 if decided else None)
    scores = solver.columns(game, limit) if best else signs
    scores = {column: best if score is None else score for column, score in scores.items()}
    middle = (game.rules.size - 1) / 2
    equal = [column for column, sign in signs.items() if sign == best]
    column = max(equal, key=lambda column: (scores[column], -abs(column - middle)))
    points, empty = open_columns(game), np.zeros(game.array.shape, np.int64)
    values = np.full(game.array.shape, np.nan)
    for each, sign in signs.items():
        values.flat[points[each]] = np.nan if sign is None else sign
    why = {1: "it wins", 0: "it draws", -1: "it loses latest"}[best]
    return five.mcts.SearchResult(
        points[column], why, empty, values, values.copy(), 0, time.perf_counter() - begun,
        [points[column]], best, keywords.get("seed") or 0,
    )  # fmt: skip

# Made from tic_tac_toe.ipynb by tools/build.py: change the notebook, not this file.


import itertools
import math
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row import connect_four as four
from five_in_a_row.connect_four import four_kernels
from five_in_a_row.connect_poster import StudyTree, policy_search, uniform


# ---- 1. Every position ----------------------------------------------------------------------


# by Rules · a position, whose turn it is, and who has won


RULES = five.game.Rules(3, 3)
EMPTY = (0,) * RULES.points
Board = tuple[int, ...]  # nine of +1 X, -1 O, 0 empty; a1 b1 c1 a2 ... c3
LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
    *((0, 4, 8), (2, 4, 6)),
)


# by Rules · whose turn, who has won, what may be played
def mover(board: Board) -> int:
    """Return whose turn it is: +1 X, -1 O."""
    return 1 if sum(board) == 0 else -1


@lru_cache(None)
def winner(board: Board) -> int:
    """Return +1 or -1 for who has three in a row, 0 for nobody."""
    return next((board[i] for i, j, k in LINES if board[i] == board[j] == board[k] != 0), 0)


@lru_cache(None)
def legal(board: Board) -> tuple[int, ...]:
    """Return the points that may be played, in rising order; none after the end."""
    return () if winner(board) else tuple(p for p, stone in enumerate(board) if stone == 0)


def play(board: Board, point: int) -> Board:
    """Return the position after a move; ValueError that names what may be played."""
    if not isinstance(board, tuple) or len(board) != RULES.points:
        raise ValueError(f"board must be a tuple of 9 numbers, not {five.game.quoted(board)}")
    if not five.game.is_whole(point) or point not in legal(board):
        free = " ".join(five.game.point_name(p, 3) for p in legal(board)) or "nothing"
        given = five.game.quoted(point)
        raise ValueError(f"point {given} cannot be played: {free} may be")
    return board[:point] + (mover(board),) + board[point + 1 :]


# by Rules · a position as text, and as a game
def board_text(board: Board) -> str:
    """Return nine signs, a1 b1 c1 a2 ... c3: X, O, and a dot for an empty point."""
    return "".join(".XO"[stone] for stone in board)


def read_board(text: str) -> Board:
    """Return the position of nine signs. ValueError for what no game can lead to."""
    signs = {"X": 1, "O": -1, ".": 0}
    if not isinstance(text, str) or len(text) != RULES.points or set(text) - set(signs):
        raise ValueError(
            f"{five.game.quoted(text)} is no board: write nine signs out of X, O and ."
        )
    board = tuple(signs[sign] for sign in text)
    if board not in reachable():
        raise ValueError(
            f"no game leads to {text!r}: X begins, turns alternate, a line ends it"
        )
    return board


def game_of(board: Board) -> five.game.Game:
    """Return the position as a game of the main notebook."""
    array = np.array(board, np.int8).reshape(RULES.height, RULES.size)
    return five.game.Game.from_array(array, mover(board), RULES)


# by Rules · all positions, and all games
@lru_cache
def positions() -> tuple[Board, ...]:
    """Return every position that a game can lead to, fewest stones first."""
    found, known = [EMPTY], {EMPTY}
    for board in found:  # the list grows while it is read
        for later in (play(board, point) for point in legal(board)):
            if later not in known:
                known.add(later)
                found.append(later)
    return tuple(found)


@lru_cache
def reachable() -> frozenset[Board]:
    """Return positions() as a set."""
    return frozenset(positions())


def count_games(moves_of=legal) -> dict[int, int]:
    """Return {+1, -1, 0: how many games of moves_of(board) X wins, O wins, nobody wins}."""
    ways, games = dict.fromkeys(positions(), 0) | {EMPTY: 1}, {1: 0, -1: 0, 0: 0}
    for board in positions():
        for point in moves_of(board):
            ways[play(board, point)] += ways[board]
        if not legal(board):
            games[winner(board)] += ways[board]
    return games


# ---- Eight of a kind ------------------------------------------------------------------------


# by Rules · the eight transformations, and one board that stands for all
GRID = np.arange(RULES.points).reshape(3, 3)
TURNS = {
    "as it is": GRID,
    "a quarter turn": np.rot90(GRID),
    "half a turn": np.rot90(GRID, 2),
    "three quarters": np.rot90(GRID, 3),
    "left to right": np.fliplr(GRID),
    "top to bottom": np.flipud(GRID),
    "across one diagonal": GRID.T,
    "across the other": np.rot90(GRID, 2).T,
}
TURNS = {name: tuple(points.ravel().tolist()) for name, points in TURNS.items()}


def turned(board: Board, points: tuple[int, ...]) -> Board:
    """Return the board whose point i holds what points[i] of this one holds."""
    return tuple(board[point] for point in points)


@lru_cache(None)
def standing(board: Board) -> tuple[Board, tuple[int, ...]]:
    """Return (representative, points): turned(board, points) is the representative."""
    return max((turned(board, points), points) for points in TURNS.values())


def representative(board: Board) -> Board:
    """Return the board that stands for all eight transformations of this one."""
    return standing(board)[0]


# by Interface · a small board anywhere in a figure
WORTH = {1: ("X wins", "tab:blue"), 0: ("draw", "0.55"), -1: ("O wins", "tab:red")}


def draw_small(
    ax, x, y, board: Board, width: float = 0.8, edge="0.55", note: str = ""
) -> None:
    """Draw a board around (x, y) in data units, and a note below it."""
    from matplotlib.patches import Rectangle

    cell, left, low = width / 3, x - width / 2, y - width / 2
    ax.add_patch(
        Rectangle((left, low), width, width, facecolor="white", edgecolor=edge, linewidth=1.6)
    ).set_zorder(3)
    for i in (1, 2):
        line = dict(color="0.8", linewidth=0.6, zorder=4)
        ax.plot([left + i * cell] * 2, [low, low + width], **line)
        ax.plot([left, left + width], [low + i * cell] * 2, **line)
    height = ax.get_window_extent().height / abs(np.diff(ax.get_ylim())[0])
    size = 72 / ax.figure.dpi * cell * height  # of a cell, in points
    for stone, mark in ((1, "x"), (-1, "o")):
        row, col = np.divmod([p for p, held in enumerate(board) if held == stone], 3)
        place = left + (col + 0.5) * cell, low + (row + 0.5) * cell
        style = dict(markersize=0.55 * size, markeredgewidth=max(0.8, 0.09 * size))
        ax.plot(*place, mark, color="black", fillstyle="none", zorder=5, **style)
    if note:
        below = dict(ha="center", va="top", fontsize=min(9, size), color="0.25")
        ax.text(x, low - 0.06 * width, note, **below)


# by Interface · axes for small boards
def small_axes(figure, across: float, down: float, place=111):
    """Return axes without a frame, one data unit as wide as it is high."""
    ax = figure.add_subplot(place)
    ax.set(xlim=(0, across), ylim=(0, down), aspect="equal")
    ax.set_axis_off()
    figure.draw_without_rendering()  # so that letters know how large a unit is
    return ax


# by Interface · eight boards side by side
def turns_figure(board: Board):
    """Return a figure of the eight transformations; the representative has a thick name."""
    figure = five.figures.new_figure(8.4, 4.6)
    ax = small_axes(figure, 8.8, 4.6)
    for number, (name, points) in enumerate(TURNS.items()):
        row, col = divmod(number, 4)
        x, y, other = 1.1 + 2.2 * col, 3.45 - 2.2 * row, turned(board, points)
        stands = other == representative(board)
        draw_small(ax, x, y, other, 1.5, "black" if stands else "0.7")
        weight = "bold" if stands else "normal"
        label = f"{name}\nstands for all" if stands else name
        ax.text(x, y - 0.82, label, ha="center", va="top", fontsize=8.5, weight=weight)
    return figure


# ---- The graph of classes -------------------------------------------------------------------


# by Rules · the classes and the moves between them, as arrays


class Classes(NamedTuple):
    """All classes, fewest stones first; number 0 is the empty board."""

    boards: tuple[Board, ...]  # the representatives
    number: dict[Board, int]  # of each representative
    after: np.ndarray  # int16[classes, 9]: the class after a move; -1 where none is legal
    result: np.ndarray  # int8[classes]: OPEN_ENDED, or 1 where the last move won, 0 drawn


OPEN_ENDED = 2  # the game goes on


@lru_cache
def all_classes() -> Classes:
    """Return the graph of the classes of positions()."""
    boards = tuple(dict.fromkeys(map(representative, positions())))
    number = {board: i for i, board in enumerate(boards)}
    after = np.full((len(boards), RULES.points), -1, np.int16)
    result = np.full(len(boards), OPEN_ENDED, np.int8)
    for board, i in number.items():
        for point in legal(board):
            after[i, point] = number[representative(play(board, point))]
        if not legal(board):
            result[i] = abs(winner(board))
    return Classes(boards, number, after, result)


# by Search · what a position is worth
@lru_cache(None)
def worth(board: Board) -> int:
    """Return +1, 0 or -1: the result with best play, for the side to move."""
    if not legal(board):
        return winner(board) * mover(board)
    return max(-worth(play(board, point)) for point in legal(board))


@lru_cache(None)
def move_worths(board: Board) -> dict[int, int]:
    """Return {point: +1, 0 or -1}: what each legal move is worth for the side to move."""
    return {point: -worth(play(board, point)) for point in legal(board)}


@lru_cache(None)
def best_points(board: Board) -> tuple[int, ...]:
    """Return the moves that keep what the position is worth, in rising order."""
    return tuple(p for p, value in move_worths(board).items() if value == worth(board))


# by Interface · classes by ply, all of the first ones and then those after one board
def graph_rows(below: Board, plies: int = 2, more: int = 1, moves_of=legal) -> list[list[int]]:
    """Return the class numbers of plies 0 to `plies`, and of `more` plies after one board.

    below      a board of the last full ply
    moves_of   moves_of(board): which moves are followed
    """
    graph, rows = all_classes(), [[0]]
    for ply in range(plies + more):
        start = rows[-1] if ply != plies else [graph.number[representative(below)]]
        later = [int(graph.after[i, p]) for i in start for p in moves_of(graph.boards[i])]
        rows.append(list(dict.fromkeys(later)))
    return rows


# by Interface · the figure
def graph_figure(below: Board, rows: list[list[int]], size, moves_of=legal, note=None):
    """Return a figure of graph_rows as small boards; frames say what they are worth.

    size   inches: width, height
    note   note(board) is written below a board; None: its worth
    """
    from matplotlib.patches import Rectangle

    graph, parent = all_classes(), all_classes().number[representative(below)]
    full = next(ply for ply, row in enumerate(rows) if parent in row)
    across = max(12, *map(len, rows)) + 0.4
    down = across * size[1] / size[0]
    step, figure = (down - 1.3) / (len(rows) - 1), five.figures.new_figure(*size)
    ax, places = small_axes(figure, across, down), {}
    for ply, row in enumerate(rows):
        gap = min(2.9, (across - 0.4) / len(row))
        for k, number in enumerate(row):
            x = across / 2 + (k - (len(row) - 1) / 2) * gap
            places[number] = (x, down - 0.6 - step * ply)
    for ply, number in ((ply, number) for ply, row in enumerate(rows) for number in row):
        (x, y), board = places[number], graph.boards[number]
        follows = number == parent or ply != full
        for later in {int(graph.after[number, p]) for p in moves_of(board)} if follows else ():
            x2, y2 = places.get(later, (x, y))
            line = dict(color="0.7", linewidth=0.8, zorder=1)
            ax.plot([x, x2], [y - 0.68, y2 + 0.4] if y2 < y else [y, y], **line)
        word, colour = WORTH[worth(board) * mover(board)]
        draw_small(ax, x, y, board, 0.8, colour, note(board) if note else word)
        if number == parent:
            ax.add_patch(Rectangle((x - 0.46, y - 0.67), 0.92, 1.13, fill=False, linewidth=2))
    return figure


# ---- Where 754 may come from ----------------------------------------------------------------


# by Rules · classes under other rules, and classes that random games have shown
def reached(moves_of, key=representative) -> int:
    """Return how many classes games reach in which moves_of(board) may be played."""
    found, known = [EMPTY], {EMPTY}
    for board in found:
        later = {play(board, point) for point in moves_of(board)} - known
        known |= later
        found += later
    return len(set(map(key, found)))


def chances_of_classes() -> np.ndarray:
    """Return float[classes]: the chance that a random game comes through each class."""
    graph = all_classes()
    chances = np.zeros(len(graph.boards))
    chances[0] = 1
    for i, row in enumerate(graph.after):
        moves = row[row >= 0]
        np.add.at(chances, moves, chances[i] / max(1, len(moves)))
    return chances


def classes_shown(games: int, runs: int, seed: int = 1) -> np.ndarray:
    """Return int[runs]: how many classes so many random games came through, run by run."""
    graph, rng = all_classes(), np.random.default_rng(seed)
    found = np.zeros(runs, int)
    for run in range(runs):
        at, shown = np.zeros(games, int), np.zeros(len(graph.boards), bool)
        while len(at):
            shown[at] = True
            at = at[graph.result[at] == OPEN_ENDED]
            drawn = np.where(graph.after[at] < 0, -1, rng.random((len(at), RULES.points)))
            at = graph.after[at, drawn.argmax(axis=1)]
        found[run] = shown.sum()
    return found


# by Experiments · how many classes a number of random games shows
def shown_figure(counts, chances: np.ndarray, found: np.ndarray, games: int, printed: int):
    """Return a figure: the expected number by games, and the runs of one number of games."""
    figure = five.figures.new_figure(9.2, 3.2)
    left, right = figure.subplots(1, 2)
    left.plot(counts, [(1 - (1 - chances) ** n).sum() for n in counts], "o-", color="tab:blue")
    left.axhline(printed, color="tab:orange", linestyle="--")
    left.text(counts[0], printed - 8, f"{printed}", color="tab:orange", va="top", fontsize=9)
    left.set(xscale="log", xlabel="random games", ylabel="classes shown, expected")
    edges = np.arange(found.min() - 0.5, found.max() + 1.5)
    right.hist(found, edges, color="0.75")
    right.axvline(printed, color="tab:orange", linestyle="--", label=f"{printed}")
    right.xaxis.get_major_locator().set_params(integer=True)
    right.set(xlabel=f"classes shown by {games:,} random games", ylabel="runs")
    right.legend(frameon=False)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return figure


# ---- How wide the graph is ------------------------------------------------------------------


# by Rules · how many moves there are, ply by ply
def branching() -> list[dict]:
    """Return a row for each ply: how many positions, and the mean number of their moves.

    over positions, over games   of random players; an end has no move
    over classes, open           moves that lead to different classes; ends are left out
    best, holding                positions of best play, and their moves that keep the worth
    """
    graph, chances, rows = all_classes(), chances_of_classes(), []
    stones = np.array([9 - board.count(0) for board in graph.boards])
    free = (graph.after >= 0).sum(axis=1)
    unlike = np.array([len(set(row.tolist()) - {-1}) for row in graph.after])
    best = {EMPTY}
    for ply in range(10):
        here = [board for board in positions() if 9 - board.count(0) == ply]
        mine, kept = stones == ply, [best_points(board) for board in best]
        rows.append(
            {
                **{"stones": ply, "positions": len(here), "classes": int(mine.sum())},
                "ended": sum(not legal(board) for board in here),
                "over positions": np.mean([len(legal(board)) for board in here]),
                "over games": (chances * free)[mine].sum(),
                "open": int((mine & (free > 0)).sum()),
                "over classes": unlike[mine & (free > 0)].mean() if ply < 9 else 0.0,
                **{"best": len(best), "holding": np.mean([len(each) for each in kept])},
            }
        )
        best = {play(b, p) for b, ps in zip(best, kept, strict=True) for p in ps}
    return rows


# ---- Minimax --------------------------------------------------------------------------------


# by Search · minimax with alpha-beta and a cache, each of which can be switched off
class Minimax:
    """Minimax; `visited` counts the positions that were worked out.

    prune   True: alpha-beta, a position is left when its other moves cannot matter
    key     a function of a board; boards with one key share a cache entry. None: no cache
    Source: Knuth and Moore, Artificial Intelligence, 1975.
    """

    def __init__(self, prune: bool = True, key=representative):
        self.prune, self.key, self.visited = prune, key, 0
        self.known: dict = {}  # key: (lowest, highest) value that is still possible

    def value(self, board: Board, low: int = -1, high: int = 1) -> int:
        """Return the worth for the side to move; outside low to high only a bound of it."""
        key = None if self.key is None else self.key(board)
        least, most = self.known.get(key, (-1, 1))
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        self.visited += 1
        if not legal(board):
            best = least = most = winner(board) * mover(board)
        else:
            best = -1
            for point in legal(board):
                window = (-high, -max(low, best)) if self.prune else (-1, 1)
                best = max(best, -self.value(play(board, point), *window))
                if self.prune and best >= high:
                    break
            least = max(least, best) if best > low else least
            most = min(most, best) if best < high else most
        if key is not None:
            self.known[key] = least, most
        return best


# by Heuristics · policies: {point: chance} for a board
def even(points) -> dict[int, float]:
    """Return the same chance for each of some points."""
    points = list(points)
    return {point: 1 / len(points) for point in points}


# by Heuristics · four agents as policies
def chance(board: Board) -> dict[int, float]:
    """Return the random agent: every legal move is equally likely."""
    return even(legal(board))


def minimax(board: Board) -> dict[int, float]:
    """Return the first of the best moves, a1 before b1 and so on."""
    return even(best_points(board)[:1])


def random_minimax(board: Board) -> dict[int, float]:
    """Return all best moves, equally likely."""
    return even(best_points(board))


def careful(board: Board) -> dict[int, float]:
    """Return all moves that do not lose, equally likely; where all lose, all of them."""
    values = move_worths(board)
    least = min(0, max(values.values(), default=0))
    return even(point for point, value in values.items() if value >= least)


# by Experiments · from a policy to a player
def board_of(game: five.game.Game) -> Board:
    """Return the position of a game of tic-tac-toe. ValueError for any other game."""
    if five.game.check_game(game).rules != five.game.check_rules(RULES):
        raise ValueError(f"tic-tac-toe is {RULES}, not {game.rules}")
    return tuple(game.array.ravel().tolist())


class PolicyPlayer:
    """A player that draws from a policy: policy(board) returns {point: probability}."""

    result = None  # it does not search

    def __init__(self, policy, *, name: str = "policy"):
        self.policy, self.name = policy, name
        self.settings = {"policy": policy, "name": name}

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return a point, drawn."""
        chances = self.policy(board_of(game))
        drawn = np.random.default_rng(seed).choice(list(chances), p=list(chances.values()))
        return int(drawn)


# ---- All lines at once ----------------------------------------------------------------------


# by Experiments · the exact result of two policies
class Odds(NamedTuple):
    """Chances of a game, 0...1: the first player wins, the second wins, nobody wins."""

    first: float
    second: float
    draw: float

    def swapped(self) -> "Odds":
        """Return the same chances with the second player named first."""
        return Odds(self.second, self.first, self.draw)


# by Experiments · follow all lines
def walk(first, second) -> Odds:
    """Return the odds of two policies, functions of a board that return {point: chance}."""
    found, chances = {1: 0.0, -1: 0.0, 0: 0.0}, {EMPTY: 1.0}
    while chances:
        later: dict[Board, float] = {}
        for board, here in chances.items():
            if not legal(board):
                found[winner(board)] += here
                continue
            policy = first if mover(board) == 1 else second
            for point, share in policy(board).items():
                after = play(board, point)
                later[after] = later.get(after, 0.0) + here * share
        chances = later
    return Odds(found[1], found[-1], found[0])


def both_seats(one, other) -> Odds:
    """Return the odds of `one` against `other`, each moving first in half of the games."""
    pairs = zip(walk(one, other), walk(other, one).swapped(), strict=True)
    return Odds(*((a + b) / 2 for a, b in pairs))


# ---- Q-learning -----------------------------------------------------------------------------


# by Search · what a learner depends on
class Learning(NamedTuple):
    """How a Q-learner learns."""

    rate: float = 0.2  # r: of the first correction
    fall: float = 0.0  # f: 0 keeps the rate constant
    explore: float = 0.5  # the share of moves that are drawn while it learns
    random_rival: bool = False  # True: the other side plays at random, else as well as it can
    gamma: float = 1.0  # discount: what a result counts for one step earlier


CONSTANT, FALLING = Learning(), Learning(rate=1.0, fall=0.7)


def check_learning(how: Learning) -> Learning:
    """Return how as plain numbers; ValueError that names what is allowed."""
    if not isinstance(how, Learning):
        raise ValueError(f"how must be Learning, not {five.game.quoted(how)}")
    random_rival = five.game.check_switch("random_rival", how.random_rival)
    numbers = {
        name: five.game.check_number(name, value, 0, 1)
        for name, value in how._asdict().items()
        if name != "random_rival"
    }
    return Learning(random_rival=random_rival, **numbers)


# by Search · moves while it learns
jit = five.cache.jit if "__file__" in globals() else five.cache.inline_kernel
RNG_STATE = np.dtype([("random", np.uint64)])  # the state of five.search.random_below


@jit
def best_of(Q, after):
    """Return the highest of float[9] where int16[9] `after` has a legal move."""
    best = -2.0
    for point in range(after.size):
        if after[point] >= 0 and Q[point] > best:
            best = Q[point]
    return best


@jit
def draw_move(rng, Q, after, least):
    """Return a legal point with Q of at least `least`, all equally likely."""
    chosen, ties = -1, 0
    for point in range(after.size):
        if after[point] >= 0 and Q[point] >= least:
            ties += 1
            if five.search.random_below(rng, ties) == 0:
                chosen = point
    return chosen


# by Search · Q-learning, game after game
@jit
def learn(rng, after, result, Q, seen, how, begin, end):
    """Play the games number `begin` to `end` - 1 and correct Q after each move.

    s              a record with the state of random_below
    after, result  as in Classes
    Q, seen        float64, int64[classes, 9]: values and numbers of corrections; changed
    how            Learning
    Source: Watkins and Dayan, Machine Learning, 1992.
    """
    for game in range(begin, end):
        at = 0
        if how.random_rival and game % 2 == 1:
            at = np.int64(after[0, draw_move(rng, Q[0], after[0], -2.0)])
        while result[at] == OPEN_ENDED:
            explores = five.search.random_below(rng, 1_000_000) < 1_000_000 * how.explore
            least = -2.0 if explores else best_of(Q[at], after[at])
            move = draw_move(rng, Q[at], after[at], least)
            later, sign = np.int64(after[at, move]), -1.0  # whose view the next Q has
            if how.random_rival and result[later] == OPEN_ENDED:
                later = np.int64(after[later, draw_move(rng, Q[later], after[later], -2.0)])
                sign = 1.0
            if result[later] == OPEN_ENDED:
                target = sign * how.gamma * best_of(Q[later], after[later])
            else:
                target = -sign * result[later]
            rate = how.rate / (1.0 + seen[at, move]) ** how.fall
            seen[at, move] += 1
            Q[at, move] += rate * (target - Q[at, move])
            at = later


# by Search · a learner as a policy
class QLearner:
    """A table of Q; called with a board it returns its policy there. `games`: learnt from."""

    def __init__(self, how: Learning = FALLING, seed: int = 1):
        self.how, self.games = check_learning(how), 0
        self.rng = np.zeros(1, RNG_STATE).view(np.recarray)[0]
        self.rng.random = np.uint64(five.search.check_seed(seed))
        shape = all_classes().after.shape
        self.Q, self.seen = np.zeros(shape), np.zeros(shape, np.int64)

    def train(self, games: int) -> "QLearner":
        """Learn from that many more games, and return the learner."""
        games = five.game.check_number("games", games, 0, 10**9, whole=True)
        graph, begin = all_classes(), self.games
        self.games += games
        how = (self.how, begin, self.games)
        learn(self.rng, graph.after, graph.result, self.Q, self.seen, *how)
        return self

    def values(self, board: Board) -> dict[int, float]:
        """Return {point: Q} of the legal moves, -1 lost to +1 won for the side to move."""
        stands, points = standing(board)
        row = self.Q[all_classes().number[stands]]
        return {points[i]: float(row[i]) for i in legal(stands)}

    def __call__(self, board: Board) -> dict[int, float]:
        values = self.values(board)
        best = max(values.values(), default=0)
        return even(point for point, value in values.items() if value == best)


# by Search · what a learner should know
@lru_cache
def true_Q(random_rival: bool, gamma: float = 1.0) -> np.ndarray:
    """Return float[classes, 9]: what Q comes to in the end; 0 where no move is legal."""
    graph = all_classes()
    Q = np.zeros(graph.after.shape)

    def target(later: int, sign: int) -> float:
        if graph.result[later] != OPEN_ENDED:
            return -sign * float(graph.result[later])
        return sign * gamma * max(Q[later, point] for point in legal(graph.boards[later]))

    for i in reversed(range(len(graph.boards))):
        for point in legal(graph.boards[i]):
            later = graph.after[i, point]
            if random_rival and graph.result[later] == OPEN_ENDED:
                replies = graph.after[later][graph.after[later] >= 0]
                Q[i, point] = np.mean([target(reply, 1) for reply in replies])
            else:
                Q[i, point] = target(later, -1)
    return Q


def q_error(learner: QLearner) -> float:
    """Return how far Q is from the truth, as a root mean square over all legal moves."""
    far = learner.Q - true_Q(learner.how.random_rival, learner.how.gamma)
    return float(np.sqrt(np.mean(far[all_classes().after >= 0] ** 2)))


# ---- The learning curve ---------------------------------------------------------------------


# by Search · learners on their way
RATES = {"constant rate": CONSTANT, "falling rate": FALLING}
RIVALS = {"as well as it can": False, "at random": True}  # how the other side plays


def learning_curve(how: Learning, marks, seeds) -> np.ndarray:
    """Return float[seeds, marks, 2]: error of Q, and share lost to random-minimax."""
    found = []
    for seed in seeds:
        learner, rows = QLearner(how, seed), []
        for mark in marks:
            learner.train(mark - learner.games)
            rows.append((q_error(learner), both_seats(learner, random_minimax).second))
        found.append(rows)
    return np.array(found)


def knows_all(random_rival: bool, gamma: float = 1.0) -> QLearner:
    """Return a learner that has the true table."""
    learner = QLearner(Learning(random_rival=random_rival, gamma=gamma))
    # to nine digits, for sums in another order are no difference
    learner.Q[:] = np.round(true_Q(random_rival, gamma), 9)
    return learner


# by Search · the curves
def curve_figure(curves: dict, marks, limits):
    """Return a figure of learning_curve by (rival, rate): a column a rival, mean and range.

    limits   what a learner with the true table loses, by rival
    """
    figure = five.figures.new_figure(9.4, 5.4)
    grid = figure.subplots(2, len(RIVALS), sharex=True, sharey="row")
    looks = dict(zip(RATES, (("tab:orange", "--", "s"), ("tab:blue", "-", "o")), strict=True))
    for (rival, rate), found in curves.items():
        colour, line, mark = looks[rate]
        for row, scale in enumerate((1, 100)):
            ax, values = grid[row, list(RIVALS).index(rival)], scale * found[:, :, row]
            ax.fill_between(marks, values.min(0), values.max(0), color=colour, alpha=0.2)
            style = dict(color=colour, linestyle=line, marker=mark, markersize=4)
            ax.plot(marks, values.mean(0), label=rate, **style)
    for column, rival, lost in zip(grid.T, RIVALS, limits, strict=True):
        column[0].set_title(f"assumes that the other side plays {rival}", fontsize=9)
        column[1].axhline(100 * lost, color="0.4", linewidth=1, label="with the true table")
    grid[0, 0].set(xscale="log", ylim=(0, None), ylabel="error of Q")
    grid[1, 0].set(ylim=(0, 100), ylabel="lost to random-minimax, %")
    grid[1, 0].legend(frameon=False, fontsize=9)
    for ax in grid.ravel():
        ax.spines[["top", "right"]].set_visible(False)
    for ax in grid[1]:
        ax.set_xlabel("games it has learnt from")
    return figure


# ---- What the discount changes --------------------------------------------------------------


# by Interface · a small board whose free points hold numbers
def fill_small(ax, x, y, numbers: dict, labels: dict, width: float, colours, low, high):
    """Colour points of a small board by {point: number}, and write {point: text} on them.

    low, high   numbers that get the first and the last of matplotlib's `colours`
    """
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    cell, height = width / 3, ax.get_window_extent().height / abs(np.diff(ax.get_ylim())[0])
    size = 72 / ax.figure.dpi * cell * height  # of a cell, in points
    for point, number in numbers.items():
        row, col = divmod(point, 3)
        left, bottom = x + (col - 1.5) * cell, y + (row - 1.5) * cell
        shade = colormaps[colours]((number - low) / (high - low))
        square = Rectangle((left, bottom), cell, cell, facecolor=shade, linewidth=0)
        ax.add_patch(square).set_zorder(3.5)
        dark = np.dot(shade[:3], (0.3, 0.6, 0.1)) < 0.5
        text = dict(ha="center", va="center", color="white" if dark else "black", zorder=6)
        text |= dict(fontsize=min(10, 1.35 * size / max(4, len(labels[point]))))
        ax.text(left + cell / 2, bottom + cell / 2, labels[point], **text)


# by Interface · what learners expect on some boards
def q_figure(learners: dict, boards: dict):
    """Return a figure: a row for each {name: QLearner}, a column for each {words: Board}."""
    figure = five.figures.new_figure(9.4, 5.2)
    across, down = 1.25 * len(boards) + 0.9, 1.25 * len(learners) + 0.3
    ax = small_axes(figure, across, down)
    for i, (name, learner) in enumerate(learners.items()):
        y = down - 0.9 - 1.25 * i
        ax.text(0.05, y, name, va="center", fontsize=9)
        for k, (words, board) in enumerate(boards.items()):
            x, values = 1.55 + 1.25 * k, learner.values(board)
            labels = {point: five.figures.signed(value) for point, value in values.items()}
            draw_small(ax, x, y, board, 1.18)
            fill_small(ax, x, y, values, labels, 1.18, "RdBu", -1, 1)
            if i == 0:
                ax.text(x, down - 0.25, words, ha="center", va="bottom", fontsize=9)
    return figure


# ---- 3. Who beats whom ----------------------------------------------------------------------


# by Experiments · the agents that are policies
SIMULATIONS = 1_000  # of MCTS in the matrices
LESSONS = 100_000  # games that a Q-learner of the matrices has learnt from
TRAPS = "Q-learning, random rival"  # the learner that has met nobody else


@lru_cache
def trained(how: Learning, games: int = LESSONS, seed: int = 1) -> QLearner:
    """Return a learner that has learnt from so many games."""
    return QLearner(how, seed).train(games)


@lru_cache
def policies_by_name() -> dict:
    """Return {name: policy} of the agents whose odds are exact."""
    return {
        "random": chance,
        "Q-learning, constant rate": trained(CONSTANT),
        "Q-learning, falling rate": trained(FALLING),
        TRAPS: trained(FALLING._replace(random_rival=True)),
        "minimax": minimax,
        "random-minimax": random_minimax,
    }


def payoffs(policies: dict) -> dict:
    """Return {(first, second): Odds} of all pairs of policies, by name."""
    return {(a, b): walk(policies[a], policies[b]) for a in policies for b in policies}


# by Experiments · entries of a payoff matrix, exact or played
def payoff_table():
    """Return the rows of ttt-payoff, and of ttt-searches where it is there; None without."""
    import pandas as pd

    found = [five.strength.stored_results(name) for name in ("ttt-payoff", "ttt-searches")]
    return None if found[0] is None else pd.concat(found, ignore_index=True)


# by Experiments · an entry of the matrix
class Cell(NamedTuple):
    """How often the row wins and loses, 0...1; games: 0 where that is exact."""

    won: float
    lost: float
    games: int = 0

    def text(self, sign: str = "\n") -> str:
        """Return both in per cent."""
        return f"{100 * self.won:.1f}{sign}{100 * self.lost:.1f}"

    def intervals(self) -> str:
        """Return both with their 95 % intervals, or as exact numbers."""
        if not self.games:
            return f"{100 * self.won:.2f} / {100 * self.lost:.2f}"
        said = []
        for share in (self.won, self.lost):
            low, high = five.strength.wilson(round(share * self.games), self.games)
            said.append(f"{100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})")
        return " / ".join(said)


def mean_cell(one: Cell, other: Cell) -> Cell:
    """Return the mean of two cells; where both were played, of as many games each."""
    games = one.games + other.games
    return Cell((one.won + other.won) / 2, (one.lost + other.lost) / 2, games)


# by Experiments · a matrix of cells, exact ones and played ones
def seat_row(a: str, b: str, simulations: int, result) -> dict:
    """Return a row of ttt-payoff: the counts of a match by who moved first."""
    row = {"a": a, "b": b, "simulations": simulations, "games": len(result) // 2}
    for first in "ab":
        mine = result[result.black == first].winner
        row |= {
            f"{first} first: {who}": int((mine == who).sum()) for who in ("a", "b", "draw")
        }
    return row


def mcts_rivals(simulations: int) -> dict:
    """Return {name: player} of whom MCTS meets: the policies, and itself."""
    policies = policies_by_name().items()
    players = {name: PolicyPlayer(policy, name=name) for name, policy in policies}
    return players | {"MCTS": five.search.PlainUCT(simulations=simulations)}


def played_cells(row) -> tuple[Cell, Cell]:
    """Return (a first against b, b first against a) of a row of the table ttt-payoff."""
    games = row["games"]
    first, second = (
        (row["a first: a"], row["a first: b"]),
        (row["b first: b"], row["b first: a"]),
    )
    return tuple(Cell(won / games, lost / games, games) for won, lost in (first, second))


# by Experiments · all cells of a matrix
def first_mover_cells(policies: dict, table) -> dict:
    """Return {(first, second): Cell} of the policies and of the searches.

    table   of payoff_table(), the rows of one number of simulations
    """
    cells = {pair: Cell(*odds[:2]) for pair, odds in payoffs(policies).items()}
    for row in table.to_dict("records"):
        first, second = played_cells(row)
        if row["a"] == row["b"]:  # both halves are of one cell
            first = second = mean_cell(first, second)
        cells |= {(row["b"], row["a"]): second, (row["a"], row["b"]): first}
    return cells


def both_seat_cells(cells: dict) -> dict:
    """Return {(row, column): Cell} with each moving first in half of the games."""
    turned = {
        (b, a): cell._replace(won=cell.lost, lost=cell.won) for (a, b), cell in cells.items()
    }
    return {
        pair: mean_cell(cell, turned[pair]) for pair, cell in cells.items() if pair in turned
    }


# by Experiments · payoff matrices as a figure
def draw_matrix(ax, cells: dict, title: str):
    """Draw {(row, column): Cell} as colours, won minus lost, with both numbers."""
    names = list(dict.fromkeys(row for row, _ in cells))
    balance = np.full((len(names), len(names)), np.nan)
    for (row, col), cell in cells.items():
        place = names.index(row), names.index(col)
        balance[place] = 100 * (cell.won - cell.lost)
        ink = "white" if abs(balance[place]) > 60 else "black"
        style = "italic" if cell.games else "normal"
        text = dict(ha="center", va="center", fontsize=8.5, color=ink, style=style)
        ax.text(place[1], place[0], cell.text(), **text)
    image = ax.imshow(balance, cmap="RdBu", vmin=-100, vmax=100)
    short = [
        name.replace("Q-learning", "Q").replace("random-minimax", "random-mm")
        for name in names
    ]
    ax.set_xticks(range(len(names)), short, fontsize=8.5, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), short, fontsize=8.5)
    ax.set_title(title, fontsize=10)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return image


# by Experiments · both matrices in one figure
def matrix_figure(cells: dict):
    """Return a figure of the first-mover matrix and of the one for both seats."""
    figure = five.figures.new_figure(10.4, 5.6)
    left, right = figure.subplots(1, 2, sharey=True)
    draw_matrix(left, cells, "the row moves first")
    image = draw_matrix(right, both_seat_cells(cells), "each moves first in half of the games")
    figure.colorbar(image, ax=[left, right], label="won − lost, %", shrink=0.7, aspect=40)
    return figure


# ---- Beside the dissertation ----------------------------------------------------------------


# by Experiments · what the dissertation prints, in per cent
PRINTED_GAMES = 1_000
PRINTED_FIRST = {  # (first, second): first wins, second wins
    ("random", "random"): (55.7, 29.0),
    ("Q-learning", "random"): (95.9, 0.0),
    ("minimax", "random"): (99.7, 0.0),
    ("random-minimax", "random"): (96.3, 0.0),
    ("MCTS", "random"): (81.2, 0.0),
    ("random", "Q-learning"): (0.4, 74.6),
    ("random", "minimax"): (0.0, 82.7),
    ("random", "random-minimax"): (0.0, 78.6),
    ("random", "MCTS"): (0.0, 61.0),
    ("random-minimax", "Q-learning"): (1.1, 0.0),
}
PRINTED_BOTH = {  # (row, column): row wins, column wins; each moves first in half of the games
    ("Q-learning", "random"): (85.25, 0.0),
    ("minimax", "random"): (91.2, 0.0),
    ("random-minimax", "random"): (87.45, 0.0),
    ("MCTS", "random"): (71.1, 0.0),
    ("Q-learning", "random-minimax"): (0.0, 0.55),
}
OURS = {"Q-learning": "Q-learning, falling rate"}  # which of our agents stands for which
CONSTANTS = ("MCTS", "MCTS √2")  # stand for the MCTS of the dissertation, one by one


def mean_of_seats(pair) -> tuple[float, float]:
    """Return (row, column) of a pair as the mean of the two tables for first movers."""
    first = PRINTED_FIRST.get(pair, (0.0, 0.0))
    second = PRINTED_FIRST.get(pair[::-1], (0.0, 0.0))
    return (first[0] + second[1]) / 2, (first[1] + second[0]) / 2


# by Experiments · is a printed count possible?
def unlikely(count: int, games: int, share: float) -> float:
    """Return the chance of a count that is no likelier than this one; share: the true one.

    Two-sided exact binomial test. ValueError unless 0 <= count <= games and 0 <= share <= 1.
    """
    if not (0 <= count <= games and 0 <= share <= 1):
        raise ValueError(f"{count} of {games} games at a share of {share} cannot be")
    chances = [
        math.comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(games + 1)
    ]
    return min(1.0, sum(p for p in chances if p <= chances[count] * (1 + 1e-9)))


# by Experiments · every printed number beside ours
def compare_printed(cells: dict) -> list[dict]:
    """Return a row for each first-mover number but 0 in both: printed, ours, how unlikely.

    What the dissertation does not print is 0.

    p   of unlikely() where ours is exact, else NaN
    apart   True where ours is played and the 95 % intervals have nothing in common
    """
    rows = []
    names = ("random", "Q-learning", "minimax", "random-minimax")
    pairs = list(itertools.product(names, repeat=2))
    for search in (name for name in CONSTANTS if (name, name) in cells):
        others = [(name, search) for name in (*names, search)]
        pairs += others + [pair[::-1] for pair in others[:-1]]
    for pair in pairs:
        named = tuple("MCTS" if name in CONSTANTS else name for name in pair)
        printed = PRINTED_FIRST.get(named, (0.0, 0.0))
        cell = cells[tuple(OURS.get(name, name) for name in pair)]
        for seat, share, ours in zip(("first", "second"), printed, cell, strict=False):
            if 0 == share == ours:
                continue
            count, p, apart = round(share / 100 * PRINTED_GAMES), math.nan, False
            if cell.games:
                low, high = five.strength.wilson(round(ours * cell.games), cell.games)
                least, most = five.strength.wilson(count, PRINTED_GAMES)
                apart = low > most or high < least
            else:
                p = unlikely(count, PRINTED_GAMES, ours)
            row = {"pair": " v ".join(pair), "seat": seat, "printed": share}
            rows.append(
                row | {"ours": 100 * ours, "games": cell.games, "p": p, "apart": apart}
            )
    return rows


# ---- Why they differ ------------------------------------------------------------------------


# by Experiments · the least and the most that can be won against random
def wins_against_chance(side: int, moves_of, choose) -> float:
    """Return the chance that `side` beats random, choosing by `choose` among moves_of(board).

    side     +1 X, -1 O
    choose   max or min, over the chances that the moves lead to
    """

    @lru_cache(None)
    def from_here(board: Board) -> float:
        if not legal(board):
            return float(winner(board) == side)
        if mover(board) == side:
            return choose(from_here(play(board, point)) for point in moves_of(board))
        return sum(p * from_here(play(board, point)) for point, p in chance(board).items())

    return from_here(EMPTY)


# by Experiments · the range of all best players
def range_rows() -> dict:
    """Return {players: {"as X": text, "as O": text}}: wins against random, in per cent."""
    sides, kinds = {"as X": 1, "as O": -1}, {"best moves only": best_points, "any move": legal}
    rows: dict = {}
    for kind, moves_of in kinds.items():
        for name, choose in (("least", min), ("most", max)):
            found = {
                s: wins_against_chance(side, moves_of, choose) for s, side in sides.items()
            }
            if (kind, name) != ("any move", "least"):
                rows[f"{kind}, {name}"] = {s: f"{100 * p:.2f}" for s, p in found.items()}
    for name, policy in (("random-minimax", random_minimax), ("careful", careful)):
        odds = walk(policy, chance).first, walk(chance, policy).second
        rows[name] = {s: f"{100 * p:.2f}" for s, p in zip(sides, odds, strict=True)}
    printed = PRINTED_FIRST["MCTS", "random"][0], PRINTED_FIRST["random", "MCTS"][1]
    rows["MCTS, printed"] = {s: f"{p:.1f}" for s, p in zip(sides, printed, strict=True)}
    return rows


# by Experiments · what a learner scores before it has learnt all
def early(how: Learning, marks, seeds, printed) -> dict:
    """Return {games: (means, how many fit)} of learners with these seeds.

    means   won as X and as O v random, lost as O v random and v random-minimax, 0...1
    fit     all four of a learner's odds agree with `printed`, in per cent, by Holm's rule
    """
    found: dict = {mark: [] for mark in marks}
    for seed in seeds:
        learner = QLearner(how, seed)
        for mark in marks:
            learner.train(mark - learner.games)
            second = walk(chance, learner)
            traps = walk(random_minimax, learner).first
            odds = walk(learner, chance).first, second.second, second.first, traps
            found[mark].append(odds)

    def fits(odds) -> bool:
        chances = {
            i: unlikely(round(p / 100 * PRINTED_GAMES), PRINTED_GAMES, min(1, q))
            for i, (p, q) in enumerate(zip(printed, odds, strict=True))
        }
        return not any(five.strength.holm(chances).values())

    return {
        mark: (np.mean(rows, axis=0), sum(map(fits, rows))) for mark, rows in found.items()
    }


# ---- 4. How many simulations? ---------------------------------------------------------------


# by Search · what the search chooses, seed by seed


def choices() -> list[Board]:
    """Return the representatives of the positions with at least two legal moves."""
    return [board for board in all_classes().boards if len(legal(board)) > 1]


def has_choice(board: Board) -> bool:
    """Return whether a move can be wrong here."""
    return len(set(move_worths(board).values())) > 1


# by Search · count what many seeds choose
def searched(board: Board, simulations: int, seeds: int, solve: bool = False) -> Counter:
    """Return Counter {point: how many of the seeds 0, 1, ... play it}."""
    game, options = game_of(board), five.search.SearchOptions(solve=solve)
    counts = Counter()
    for seed in range(seeds):
        asked = {"simulations": simulations, "seed": seed}
        found = five.search.search_once(game, five.search.plain_kernels, options, **asked)
        counts[found.move] += 1
    return counts


def counted_policy(counts: dict):
    """Return the policy of {representative: Counter of points}, for turned boards as well."""

    def policy(board: Board) -> dict[int, float]:
        stands, points = standing(board)
        if stands not in counts:
            return even(legal(board))
        total = sum(counts[stands].values())
        return {points[i]: n / total for i, n in counts[stands].items()}

    return policy


# by Search · the worst that can happen to a policy
def beaten(policy, side: int) -> float:
    """Return the highest chance with which any opponent beats a policy that plays `side`."""

    @lru_cache(None)
    def from_here(board: Board) -> float:
        if not legal(board):
            return float(winner(board) == -side)
        if mover(board) == side:
            return sum(p * from_here(play(board, q)) for q, p in policy(board).items() if p)
        return max(from_here(play(board, point)) for point in legal(board))

    return from_here(EMPTY)


# by Search · what is wrong in counted choices
def faults(counts: dict) -> dict:
    """Return what is wrong in {representative: Counter of points}, counted over searches.

    positions, searches   where a move can be wrong; wrong, positions wrong: not a best move
    lost, positions lost  a move that throws away a draw or a win and loses
    """
    found = Counter()
    for board, chosen in counts.items():
        if has_choice(board):
            values = move_worths(board)
            wrong = sum(n for p, n in chosen.items() if values[p] < worth(board))
            lost = sum(n for p, n in chosen.items() if values[p] == -1)
            found.update(positions=1, searches=sum(chosen.values()), wrong=wrong, lost=lost)
            found.update({"positions wrong": wrong > 0, "positions lost": lost > 0})
    return dict(found)


# by Experiments · from how many simulations on nothing is wrong
def until_clean(rows, columns) -> int | None:
    """Return the least simulations from which on all these columns are 0; None: never."""
    rows = rows.sort_values("simulations")
    clean = (rows[list(columns)] == 0).all(axis=1).to_numpy()
    from_here = np.logical_and.accumulate(clean[::-1])[::-1]
    return int(rows.simulations.to_numpy()[from_here][0]) if from_here.any() else None


def until_words(table) -> str:
    """Return from when on each search neither loses nor errs, in a sentence."""
    said = []
    for agent, rows in table.groupby("agent", sort=False):
        loses = until_clean(rows, ("X beaten", "O beaten"))
        errs = until_clean(rows, ("wrong",))
        most = int(rows.simulations.max())
        when = [f"from {n:,} on" if n else f"not yet at {most:,}" for n in (loses, errs)]
        said.append(f"{agent}: no loss seen {when[0]}, right everywhere {when[1]}")
    return "; ".join(said)


# by Experiments · searches that go wrong, as a figure
def until_figure(table):
    """Return a figure: searches that go wrong, and what the strongest opponent wins."""
    figure = five.figures.new_figure(9.6, 3.6)
    left, right = figure.subplots(1, 2)
    looks = ("tab:orange", "full"), ("tab:blue", "none")
    groups = zip(table.groupby("agent", sort=False), looks, strict=True)
    for (agent, rows), (colour, fill) in groups:
        look = dict(color=colour, fillstyle=fill, markersize=5)
        for name, line, mark in (("wrong", "-", "o"), ("lost", ":", "s")):
            word = "not a best move" if name == "wrong" else "a losing move"
            style = dict(linestyle=line, marker=mark) | look
            share = 100 * rows[name] / rows.searches
            left.plot(rows.simulations, share, label=f"{agent}: {word}", **style)
        for name, line, mark in (("X beaten", "-", "o"), ("O beaten", ":", "s")):
            style = dict(linestyle=line, marker=mark) | look
            label = f"{agent}, as {name[0]}"
            right.plot(rows.simulations, 100 * rows[name], label=label, **style)
    left.set(xscale="log", ylabel="searches, %")
    left.set_yscale("symlog", linthresh=0.01)
    left.set_ylim(0, None)
    right.set(xscale="log", ylim=(-3, 103), ylabel="the strongest opponent wins, %")
    for ax in (left, right):
        ax.set_xlabel("simulations per move")
        ax.legend(frameon=False, fontsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    return figure


# ---- What results tell ----------------------------------------------------------------------


# by Search · mean and spread of what is believed of a leaf
@jit
def beta_belief(wins, n):
    """Return (mu, sigma) of Beta(1 + wins, 1 + n - wins): float, 0...1, and its spread.

    Source: Tesauro, Rajan and Segal 2010.
    """
    a, b = 1.0 + wins, 1.0 + n - wins
    total = a + b
    return a / total, math.sqrt(a * b / (total * total * (total + 1)))


# ---- The maximum of uncertain numbers -------------------------------------------------------


# by Search · beliefs on a grid
STEPS = 64  # G: a value is k / G; even, so that a draw lies on the grid
ROOM = np.arange(1, STEPS) / STEPS
LOG_WIN, LOG_LOSS = np.log(ROOM), np.log1p(-ROOM)  # at the points between the ends


@jit
def grid_results(wins, n, cdf):
    """Write to cdf, float[STEPS], the belief after n playouts with that many wins."""
    most = 0.0 if wins == 0 or wins == n else -math.inf  # of all logarithms
    for k in range(STEPS - 1):
        most = max(most, wins * LOG_WIN[k] + (n - wins) * LOG_LOSS[k])
    end = 0.5 * math.exp(-most)  # each end is possible only if all results agree with it
    total = end if wins == 0 else 0.0
    cdf[0] = total
    for k in range(1, STEPS):
        log = wins * LOG_WIN[k - 1] + (n - wins) * LOG_LOSS[k - 1]
        total += math.exp(log - most)
        cdf[k] = total
    total += end if wins == n else 0.0
    for k in range(STEPS):
        cdf[k] /= total


# by Search · mean and spread of a belief on the grid
@jit
def grid_moments(cdf):
    """Return (mu, sigma) of a belief on the grid."""
    first = second = 0.0
    for k in range(STEPS):
        first += 1 - cdf[k]
        second += (2 * k + 1) * (1 - cdf[k])
    mu = first / STEPS
    return mu, math.sqrt(max(0.0, second / (STEPS * STEPS) - mu * mu))


# ---- Clark's formulas -----------------------------------------------------------------------


# by Search · the maximum of two bell curves
@jit
def clark(mu1, sigma1, mu2, sigma2):
    """Return (mu, sigma) of the maximum of two independent normal variables.

    Standard deviations go in and come out, no variances. Source: Clark 1961.
    """
    spread = math.sqrt(sigma1 * sigma1 + sigma2 * sigma2)
    if spread < 1e-12:  # both are certain
        return max(mu1, mu2), 0.0
    a = (mu1 - mu2) / spread
    below = 0.5 * math.erfc(-a / math.sqrt(2))
    density = math.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    f1 = a * below + density
    f2 = a * a * below * (1 - below) + (1 - 2 * below) * a * density - density * density
    variance = sigma2 * sigma2 + (sigma1 * sigma1 - sigma2 * sigma2) * below
    variance += spread * spread * f2
    return mu2 + spread * f1, math.sqrt(max(0.0, variance))


# ---- A look-up table ------------------------------------------------------------------------


# by Search · Clark's formulas from lists
REACH, PER_UNIT = 4, 16  # a from -REACH to REACH; entries per unit of a


def clark_lists() -> np.ndarray:
    """Return float[entries, 3]: Phi, F1 and F2 of Clark's formulas at a, evenly spaced."""
    a = np.arange(-REACH * PER_UNIT, REACH * PER_UNIT + 1) / PER_UNIT
    below = np.array([0.5 * math.erfc(-each / math.sqrt(2)) for each in a])
    density = np.exp(-a * a / 2) / math.sqrt(2 * math.pi)
    second = (1 - 2 * below) * a * density - density**2 + a * a * below * (1 - below)
    return np.stack([below, a * below + density, second], axis=1)


LISTS = clark_lists()


@jit
def clark_table(mu1, sigma1, mu2, sigma2):
    """Return clark(mu1, sigma1, mu2, sigma2) as the lists give it."""
    spread = math.sqrt(sigma1 * sigma1 + sigma2 * sigma2)
    if abs(mu1 - mu2) >= REACH * spread:  # also where both are certain
        return (mu1, sigma1) if mu1 > mu2 else (mu2, sigma2)
    at = ((mu1 - mu2) / spread + REACH) * PER_UNIT
    k = int(at)
    below = LISTS[k, 0] + (at - k) * (LISTS[k + 1, 0] - LISTS[k, 0])
    f1 = LISTS[k, 1] + (at - k) * (LISTS[k + 1, 1] - LISTS[k, 1])
    f2 = LISTS[k, 2] + (at - k) * (LISTS[k + 1, 2] - LISTS[k, 2])
    variance = sigma2 * sigma2 + (sigma1 * sigma1 - sigma2 * sigma2) * below
    variance += spread * spread * f2
    return mu2 + spread * f1, math.sqrt(max(0.0, variance))


# by Search · many maxima: by either formula, and exactly
@lru_cache
def build_folds(maximum):
    """Return folds(mus, sigmas), compiled: (mu, sigma) of each row's maximum, pair by pair."""

    @five.cache.inline_kernel
    def folds(mus, sigmas):
        found = np.empty((mus.shape[0], 2))
        for row in range(mus.shape[0]):
            mu, sigma = mus[row, 0], sigmas[row, 0]
            for i in range(1, mus.shape[1]):
                mu, sigma = maximum(mu, sigma, mus[row, i], sigmas[row, i])
            found[row, 0], found[row, 1] = mu, sigma
        return found

    return folds


def multiplied(results) -> np.ndarray:
    """Return the belief on the grid, float[STEPS], of the best of some moves."""
    found = np.ones(STEPS)
    for w, n in results:
        cdf = np.zeros(STEPS)
        grid_results(w, n, cdf)
        found *= cdf
    return found


def some_beliefs(count: int, moves: int, seed: int = 1):
    """Return wins and playouts, int[count, moves], of moves with up to 30 playouts each."""
    rng = np.random.default_rng(seed)
    playouts = rng.integers(0, 31, (count, moves))
    return rng.binomial(playouts, rng.random((count, moves))), playouts


# by Search · beliefs of replies, and of the best of them
def folded(results) -> tuple[float, float]:
    """Return (mu, sigma) of the best of some moves by Clark; results: (wins, playouts)."""
    mu, sigma = beta_belief(*results[0])
    for w, n in results[1:]:
        mu, sigma = clark(mu, sigma, *beta_belief(w, n))
    return mu, sigma


# by Search · the beliefs as a figure
def beliefs_figure(cases):
    """Return a figure: one panel for each list of (wins, playouts)."""
    figure = five.figures.new_figure(9.6, 3.4)
    panels = figure.subplots(1, len(cases), squeeze=False)[0]
    x = np.arange(STEPS + 1) / STEPS
    for ax, results in zip(panels, cases, strict=True):
        for w, n in results:
            mass = np.diff(multiplied([(w, n)]), prepend=0, append=1)
            line = ax.plot(x[1:-1], STEPS * mass[1:-1], color="0.6", linewidth=1)
        mass = np.diff(multiplied(results), prepend=0, append=1)
        best = ax.plot(x[1:-1], STEPS * mass[1:-1], color="tab:blue", linewidth=2)
        mu, sigma = folded(results)
        bell = np.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * math.sqrt(2 * math.pi))
        clarks = ax.plot(x, bell, "--", color="tab:red", linewidth=2)
        ax.set(xlabel="chance to win", xlim=(0, 1), ylim=(0, None))
        said = ", ".join(dict.fromkeys(f"{w} of {n}" for w, n in results))
        ax.set_title(f"{len(results)} moves: {said} won", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("density")
    handles = [line[0], best[0], clarks[0]]
    figure.legend(
        handles,
        ["each move", "the best, exact", "the best, Clark"],
        loc="outside lower center",
        ncols=3,
        fontsize=9,
    )
    return figure


# ---- A node with a belief -------------------------------------------------------------------


# by Search · beliefs that are bell curves
BELIEF = np.dtype(
    [
        ("mu", np.float32),  # mean of the node's value, for the player who moved into it,
        ("sigma", np.float32),  # and its standard deviation
        *five.search.NODE.descr,  # after them: numba takes a record for one it begins like
        ("last", np.int16),  # which child the last walk took, counted from 1; 0: none
        ("whole", np.int16),  # 1: all moves are listed, so the children say what it is worth
    ]
)
UNSURE = math.sqrt(1 / 12)  # the standard deviation of a uniform belief; its mean is 1/2


@jit
def bell_certain(record, value):
    """Believe in one value for certain: 0, 0.5 or 1."""
    record.mu, record.sigma = value, 0.0


@jit
def bell_results(record):
    """Believe what the playouts through this node say."""
    record.mu, record.sigma = beta_belief(record.W64 / 64.0, record.N)


# by Search · the belief of a node with children
@jit
def bell_best(tree, node):
    """Believe that the other player takes the best child: 1 - max, by Clark's formulas."""
    record = tree[node]
    first, count = np.int64(record.first_child), np.int64(record.num_children)
    mu, sigma = -math.inf, 0.0
    for child in tree[first : first + count]:
        its_mu, its_sigma = 0.5, UNSURE
        if child.N > 0:
            its_mu, its_sigma = np.float64(child.mu), np.float64(child.sigma)
        if mu == -math.inf:
            mu, sigma = its_mu, its_sigma
        else:
            mu, sigma = clark(mu, sigma, its_mu, its_sigma)
    record.mu, record.sigma = 1 - mu, sigma


# by Search · beliefs on the grid
# The new field comes first: numba takes a record that begins like another for its subtype.
BELIEF_GRID = np.dtype([("cdf", np.float32, STEPS), *BELIEF.descr])  # P(value <= k / STEPS)


@jit
def grid_certain(record, value):
    """Believe in one value for certain: 0, 0.5 or 1."""
    for k in range(STEPS):
        record.cdf[k] = 1.0 if k >= value * STEPS else 0.0
    record.mu, record.sigma = value, 0.0


@jit
def grid_own(record):
    """Believe what the playouts through this node say."""
    grid_results(record.W64 / 64.0, record.N, record.cdf)
    record.mu, record.sigma = grid_moments(record.cdf)


# by Search · the belief of a node with children, on the grid
@jit
def grid_best(tree, node):
    """Believe that the other player takes the best child: 1 - max, by the product."""
    record = tree[node]
    first, count, cdf = np.int64(record.first_child), np.int64(record.num_children), record.cdf
    cdf[:] = 1.0
    for child in tree[first : first + count]:
        for k in range(STEPS):
            cdf[k] *= child.cdf[k] if child.N > 0 else (k + 0.5) / STEPS
    for k in range(STEPS // 2):  # 1 - X: backwards, and taken from 1
        low, high = cdf[k], cdf[STEPS - 1 - k]
        cdf[k], cdf[STEPS - 1 - k] = 1 - high, 1 - low
    record.mu, record.sigma = grid_moments(cdf)


# ---- Select, and back up on the way ---------------------------------------------------------


# by Search · the backup of beliefs
def build_backup(certain, results, best):
    """Return back_up(workspace, tree) for a kind of belief, three kernels.

    It refreshes the belief of every node on the way of the last walk but the root, the
    deepest first; workspace.path is written over.
    """

    @five.cache.inline_kernel
    def refresh(tree, node):
        record = tree[node]
        if record.status >= five.search.LOST:
            certain(record, (record.status - five.search.LOST) / 2)
        elif record.whole:
            best(tree, node)
        else:
            results(record)

    @five.cache.inline_kernel
    def back_up(workspace, tree):
        depth, node = 0, np.int64(0)
        while tree[node].last > 0:
            node = np.int64(tree[node].first_child) + tree[node].last - 1
            depth += 1
            workspace.path[depth] = node
        for i in range(depth, 0, -1):
            refresh(tree, np.int64(workspace.path[i]))

    return back_up


# by Search · the child of the highest Bayesian score
def build_bayes(back_up):
    """Return the policy of Bayes-UCT, for nodes that hold a belief; see build_backup.

    options.c_uct, options.c_prior   the weights of 1 / sqrt(n) and of sigma
    Source: Tesauro, Rajan and Segal 2010.
    """

    @five.cache.inline_kernel
    def select(workspace, tree, node, untried, options):
        if node == 0:
            back_up(workspace, tree)
        record = tree[node]
        first, tried = np.int64(record.first_child), np.int64(record.num_visited)
        exploration = math.sqrt(math.log(max(1, record.N)))
        chosen, best, ties = np.int64(untried), -math.inf, 1
        if untried > 0:
            known = options.c_uct == 0 and tried > 0  # otherwise its score is infinite
            best = 0.5 + exploration * options.c_prior * UNSURE if known else math.inf
            tree[untried].last = tree[untried].whole = 0
        record.whole = record.num_children > 0 and (
            untried == 0 or record.status == five.search.COMPLETE
        )
        for i in range(first, first + tried):
            child = tree[i]
            if options.solve and five.search.is_settled(child.status, record.N):
                continue
            unsure = options.c_uct * child.inv_sqrt + options.c_prior * child.sigma
            score = child.mu + exploration * unsure
            if chosen == 0 or score >= best:
                ties = 1 if chosen == 0 or score > best else ties + 1
                if ties == 1 or five.search.random_below(workspace, ties) == 0:
                    best, chosen = score, i
        record.last = chosen - first + 1 if chosen > 0 else 0
        return chosen

    return select


# by Search · the searches by name
class Method(NamedTuple):
    """A selection policy, the record of its nodes, and its constants."""

    select: object  # a kernel as build_search takes it
    c_uct: float = 0.0  # weight of 1 / sqrt(n)
    c_sigma: float = 0.0  # weight of sigma; build_bayes reads it from options.c_prior
    node: np.dtype = five.search.NODE
    # back_up(workspace, tree) brings the beliefs up to date, if there are any
    back_up: object = None

    def options(self) -> five.search.SearchOptions:
        """Return the options of the search: its constants, and nothing is proven."""
        own = five.search.SearchOptions(
            c_uct=self.c_uct, c_prior=self.c_sigma, max_children=5, solve=False
        )
        return five.search.check_options(own)


BELL_UP = build_backup(bell_certain, bell_results, bell_best)
GRID_UP = build_backup(grid_certain, grid_own, grid_best)
BELL, ON_GRID = build_bayes(BELL_UP), build_bayes(GRID_UP)
ROOT_TWO = math.sqrt(2)


# by Search · all methods, and one by its name
METHODS = {
    "UCT": Method(five.search.ucb, ROOT_TWO),
    "UCT 0.5": Method(five.search.ucb, 0.5),
    "Bayes-UCT1": Method(BELL, ROOT_TWO, 0.0, BELIEF, BELL_UP),
    "Bayes-UCT2": Method(BELL, 0.0, ROOT_TWO, BELIEF, BELL_UP),
    "Bayes-UCT1 grid": Method(ON_GRID, ROOT_TWO, 0.0, BELIEF_GRID, GRID_UP),
    "Bayes-UCT2 grid": Method(ON_GRID, 0.0, ROOT_TWO, BELIEF_GRID, GRID_UP),
}


def find_method(name: str) -> Method:
    """Return the method of that name in METHODS; ValueError for another."""
    if not isinstance(name, str) or name not in METHODS:
        raise ValueError(f"no method {five.game.quoted(name)}: there are {', '.join(METHODS)}")
    return METHODS[name]


# by Search · a method as a player
def kernels_of(rules: five.game.Rules) -> five.search.Kernels:
    """Return the kernels of a game: Connect-4, five in a row with candidates, or any other."""
    if rules.gravity and rules.in_a_row == 4:
        return four_kernels(rules)
    if rules.in_a_row == 5 and not rules.gravity:
        return five.search.shaped_game()
    return five.search.plain_game(rules.in_a_row, rules.gravity)


def bayes_tree(name: str, game: five.game.Game, options, budget) -> StudyTree:
    """Return the tree of a position for a method; ValueError for one not in METHODS."""
    method, kernels = find_method(name), kernels_of(game.rules)
    search = policy_search(kernels, method.select)
    return StudyTree(game, kernels, search, options, budget.records(), method.node)


# by Search · the player, and what it believes
class BayesPlayer(five.mcts.SearchPlayer):
    """A search with a method of METHODS; seconds are processor time per move.

    Raises ValueError for a name that is not in METHODS, or a bad budget.
    """

    def __init__(self, method: str, *, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        self.name, self.options = method, find_method(method).options()
        self.settings["method"] = method

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return four.search_planted(game, self.plant, self.options, **asked)

    def plant(self, game, options, budget) -> StudyTree:
        """Return a fresh tree."""
        return bayes_tree(self.name, game, options, budget)


def beliefs(thought: five.mcts.SearchResult) -> dict[str, tuple[int, float, float]]:
    """Return {move: (visits, mu, sigma)} of a Bayesian player's thought, best mean first.

    mu and sigma   of the move's value, 0...1, for the side to move
    """
    tree = thought.tree
    BELL_UP(tree.workspace, tree.nodes) if tree.nodes.dtype == BELIEF else GRID_UP(
        tree.workspace, tree.nodes
    )
    found = {}
    for child in tree.root.children:
        record = tree.nodes[child.index]
        found[child.move] = (child.N, float(record["mu"]), float(record["sigma"]))
    return dict(sorted(found.items(), key=lambda item: -item[1][1]))


# ---- 6. Bayesian bandit trees and games -----------------------------------------------------


# by Experiments · a search on a bandit tree
WIDTH = 5  # moves at each ply
CLIMBER = np.dtype([("path", np.int32, 3), ("random", np.uint64)], align=True)


def bandit_tree(node: np.dtype) -> np.ndarray:
    """Return the records of a bandit tree: the root, WIDTH moves, WIDTH replies to each."""
    tree = np.zeros(1 + WIDTH + WIDTH**2, node)
    for i in range(1 + WIDTH):
        tree["first_child"][i], tree["num_children"][i] = 1 + i * WIDTH, WIDTH
        tree["status"][i] = five.search.COMPLETE
    return tree


# by Experiments · a search on it
@lru_cache
def build_climber(select):
    """Return climb(workspace, tree, options, chances, simulations), compiled for a policy.

    chances   float[WIDTH, WIDTH]: of the first player, by move and reply
    """

    @five.cache.inline_kernel
    def climb(workspace, tree, options, chances, simulations):
        for _ in range(simulations):
            node = np.int64(0)
            for ply in range(1, 3):
                record = tree[node]
                fresh = (
                    record.first_child + record.num_visited
                    if record.num_visited < WIDTH
                    else 0
                )
                node = np.int64(select(workspace, tree, node, np.int64(fresh), options))
                record.num_visited += node == fresh
                workspace.path[ply] = node
            leaf = node - 1 - WIDTH
            won = uniform(workspace) < chances[leaf // WIDTH, leaf % WIDTH]
            # the second player moved into the leaf, and earns what the first one loses
            five.search.backpropagate(tree, workspace.path, 2, 0 if won else 64)

    return climb


# by Experiments · regret on many bandit trees
MARKS = (25, 50, 100, 200, 500, 1_000, 2_000)


def tree_regret(name: str, trees: int, marks=MARKS, seed: int = 1) -> np.ndarray:
    """Return float[trees, marks, 2]: the regret of the best mean and of the most visited.

    name    a method of METHODS, else ValueError
    marks   numbers of simulations, rising
    """
    method = find_method(name)
    climb, options = build_climber(method.select), method.options()
    found, rng = np.zeros((trees, len(marks), 2)), np.random.default_rng(seed)
    workspace = np.zeros(1, CLIMBER).view(np.recarray)[0]
    for each in found:
        tree, chances = bandit_tree(method.node), rng.random((WIDTH, WIDTH))
        workspace.random, worth, done = rng.integers(2**63), chances.min(axis=1), 0
        moves = tree[1 : 1 + WIDTH]
        for k, mark in enumerate(marks):
            climb(workspace, tree, options, chances, mark - done)
            done, means = mark, moves["W64"] / np.maximum(1, moves["N"])
            if method.back_up:
                method.back_up(workspace, tree)
                means = np.where(moves["N"] > 0, moves["mu"], 0)
            chosen = [means.argmax(), moves["N"].argmax()]
            each[k] = worth.max() - worth[chosen]
    return found


# by Experiments · regret by simulations
REFERENCE = {  # mean regret at MARKS, worked out before on REFERENCE_TREES other trees
    "UCT": (0.098, 0.061, 0.041, 0.022, 0.0106, 0.0055, 0.0020),
    "Bayes-UCT1": (0.104, 0.074, 0.042, 0.020, 0.0095, 0.0028, 0.0012),
    "Bayes-UCT2": (0.088, 0.050, 0.028, 0.012, 0.0049, 0.0020, 0.0009),
}
REFERENCE_TREES = 600
STYLES = {
    "UCT": ("0.3", "-", "s"),
    "UCT 0.5": ("tab:green", (0, (5, 1)), None),
    "Bayes-UCT1": ("tab:blue", "--", "o"),
    "Bayes-UCT2": ("tab:red", "-", "^"),
    "Bayes-UCT1 grid": ("tab:cyan", ":", None),
    "Bayes-UCT2 grid": ("tab:orange", "-.", None),
}


# by Experiments · regret beside the reference, and by simulations
def regret_gaps(table) -> list[float]:
    """Return how far each value of REFERENCE is from the table, in standard errors."""
    gaps = []
    for name, values in REFERENCE.items():
        mine = table[table.method == name].set_index("simulations")
        for mark, value in zip(MARKS, values, strict=True):
            row = mine.loc[mark]
            both = row.error * math.sqrt(1 + row.trees / REFERENCE_TREES)
            gaps.append((value - row.regret) / both)
    return gaps


def tree_figure(table):
    """Return a figure: mean regret by simulations, a line for each method."""
    figure = five.figures.new_figure(7.6, 4.6)
    ax = figure.subplots()
    for name, (colour, dashes, mark) in STYLES.items():
        mine = table[table.method == name]
        ax.errorbar(
            mine.simulations, mine.regret, 2 * mine.error, label=name, color=colour,
            linestyle=dashes, linewidth=1.5, capsize=2,
        )  # fmt: skip
        if mark:
            ax.plot(MARKS, REFERENCE[name], mark, color=colour, fillstyle="none", markersize=8)
    ax.set(xscale="log", yscale="log", xlabel="simulations", ylabel="mean regret of the move")
    ax.set_xticks(MARKS, [f"{mark:,}" for mark in MARKS])
    ax.minorticks_off()
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=9)
    return figure


# by Experiments · show the regret on bandit trees
def least_regret(table) -> str:
    """Return which method has the least regret at the fewest and the most simulations."""
    parts = []
    for mark in (table.simulations.min(), table.simulations.max()):
        mine = table[table.simulations == mark].sort_values("regret", kind="stable")
        row, words = mine.iloc[0], []
        for plain in mine[mine.method.isin({"UCT", "UCT 0.5"} - {row.method})].itertuples():
            error = max(1e-9, math.hypot(row.error, plain.error))
            far = (plain.regret - row.regret) / error
            words.append(f"{far:.1f} standard errors below {plain.method}")
        parts.append(f"after {mark:,} simulations {row.method} ({', '.join(words)})")
    return "Least regret: " + "; ".join(parts) + "."


# by Experiments · the regret shown
def show_trees() -> None:
    """Show the regret on bandit trees as figure and rows, or say how to make the table."""
    table = five.strength.stored_results("bandit-trees")
    if table is None:
        return
    first, gaps = table.iloc[0], np.abs(regret_gaps(table))
    caption = (
        f"{least_regret(table)} Open marks: the reference, {REFERENCE_TREES} trees; more "
        f"than two standard errors away: {(gaps > 2).sum()} of its {len(gaps)} values, the "
        f"farthest {gaps.max():.1f}. Bars: two standard errors. {first.trees:,} trees, "
        f"move of the best mean, seed 1; {five.strength.made_words(first)}."
    )
    rows: dict[str, dict] = {name: {} for name in STYLES}
    for row in table.itertuples():
        said = f"{row.regret:.4f} ± {row.error:.4f} ({row.visited:.4f})"
        rows[row.method][f"{row.simulations:,}"] = said
    by_method = table.sort_values("simulations").groupby("method").regret
    falling = sum(regrets.is_monotonic_decreasing for _, regrets in by_method)
    alt = (
        f"Lines of mean regret by simulations, both scales logarithmic: {falling} of "
        f"{len(rows)} fall at every step. Open marks of the reference lie beside "
        f"{len(REFERENCE)} of them, {(gaps <= 2).sum()} of {len(gaps)} within two standard "
        "errors. The table below holds the numbers."
    )
    five.figures.show(tree_figure(table), alt, caption)
    print("Mean regret of the best mean ± standard error; (of the most visited move).")
    five.strength.show_rows(rows)


# ---- In games -------------------------------------------------------------------------------


# by Experiments · what the matches say
GAME_NAMES = {"3×3": "tic-tac-toe", "7×6": "Connect-4", "8×8": "five in a row"}


def verdict_counts(table) -> dict[str, int]:
    """Return in how many matches a is better, is worse, and in how many that is open."""
    return {what: int((table.verdict == what).sum()) for what in ("better", "worse", "open")}


def bayes_found(table) -> str:
    """Return what the matches say of the Bayesian methods, in sentences."""
    mine, parts = table[table.a.str.startswith("Bayes")], []
    for at in dict.fromkeys(mine["at"]):
        for rival in dict.fromkeys(mine.b):
            count = verdict_counts(mine[(mine["at"] == at) & (mine.b == rival)])
            words = ", ".join(f"{number} {what}" for what, number in count.items())
            parts.append(f"against {rival} at {at}: {words}")
    return (
        "Matches of the Bayesian methods, by Holm's rule over all matches of the table: "
        f"{'; '.join(parts)}."
    )


# by Experiments · the matches shown
def show_bayes_games() -> None:
    """Show the matches, one figure for each kind of budget, or say how to make the table."""
    from IPython.display import display

    table = five.strength.stored_results("bayes-games")
    if table is None:
        return
    for at, mine in table.groupby("at", sort=False):
        mine = mine.assign(board=mine.board.map(GAME_NAMES))
        short = mine.a.str.removeprefix("Bayes-")
        names = [f"{a} v {b}" for a, b in zip(short, mine.b, strict=True)]
        budgets = dict(zip(mine.board, mine.budget, strict=True))
        told = ", ".join(f"{budget} in {board}" for board, budget in budgets.items())
        caption = (
            f"At {at} ({told}, per move); UCT1 and UCT2 are the Bayesian methods. "
            f"{bayes_found(mine)} {five.strength.results_words(mine)}."
        )
        if at == "equal time":
            caption += (
                " Simulations per move differ with the load of the machine: see the rows."
            )
        alt = (
            f"Scores with intervals at {at}, one panel per game and one row per match, on "
            f"bars of games won, drawn and lost. {(mine.score < 0.5).sum()} of {len(mine)} "
            "scores lie below one half. The table below holds the numbers."
        )
        five.figures.show(five.strength.results_figure(mine, names), alt, caption)
    display(five.strength.results_rows(table).assign(at=table["at"].values))


# ---- Beside the other agents ----------------------------------------------------------------


# by Experiments · the searches beside the agents, and beside each other
def search_cells(table) -> dict:
    """Return {(search, simulations): (Cell v random, Cell v random-minimax)}, both seats."""
    found = {}
    for simulations, rows in table.groupby("simulations"):
        cells = both_seat_cells(first_mover_cells(policies_by_name(), rows))
        for name in dict.fromkeys(rows.a):
            rivals = "random", "random-minimax"
            found[name, simulations] = tuple(cells[name, rival] for rival in rivals)
    return found


def search_matches(table) -> list[dict]:
    """Return a row for each match of two different searches; p: if they were equal."""
    rows = []
    for row in table[(table.a != table.b) & table.b.isin(set(table.a))].to_dict("records"):
        won, drawn, lost = (
            sum(row[f"{first} first: {who}"] for first in "ab") for who in ("a", "draw", "b")
        )
        found = {"won": won, "drawn": drawn, "lost": lost}
        found["p"] = five.strength.chance_if_equal(won, lost)
        rows.append({"a": row["a"], "b": row["b"], "at": row["simulations"]} | found)
    return rows


def clear_wins(rows: list[dict]) -> list[tuple]:
    """Return (better, worse, row) of the matches that Holm's rule decides, all one family."""
    found = five.strength.verdicts((row["won"], row["lost"]) for row in rows)
    sides = {"better": "ab", "worse": "ba"}
    decided = zip(map(sides.get, found), rows, strict=True)
    return [(row[names[0]], row[names[1]], row) for names, row in decided if names]


def belief_words(rows: list[dict]) -> str:
    """Return which search is clearly better than which, in a sentence."""
    clear = []
    for better, worse, row in clear_wins(rows):
        most, least = max(row["won"], row["lost"]), min(row["won"], row["lost"])
        score = f"{most}–{row['drawn']}–{least}"
        clear.append(f"{better} over {worse} at {row['at']:,} simulations ({score})")
    return f"Clearly better, of {len(rows)} matches: {'; '.join(clear) or 'none'}."


# ---- 7. One position, three minds -----------------------------------------------------------


# by Interface · a whole minimax tree
def place_all(board: Board, ply: int, free: list[float], places: list) -> float:
    """Append (x, ply, board, x of its children) for a whole tree; return the x of its root.

    free   the next free column, in a list; changed
    """
    below = [place_all(play(board, p), ply + 1, free, places) for p in legal(board)]
    if below:
        x = (below[0] + below[-1]) / 2
    else:
        x = free[0]
        free[0] += 1
    places.append((x, ply, board, below))
    return x


def draw_minimax(ax, board: Board, high: float = 1.9) -> None:
    """Draw the whole tree below a board; frames and words say what each position is worth."""
    places: list = []
    place_all(board, 0, [0.5], places)
    deepest = max(ply for _, ply, _, _ in places)
    for x, ply, each, below in places:
        y = high * (deepest - ply) + 0.95
        for x2 in below:
            ends = [y - 0.78, y - high + 0.45]
            ax.plot([x, x2], ends, color="0.7", linewidth=0.8, zorder=1)
        value = worth(each) * mover(each)
        draw_small(ax, x, y, each, 0.9, WORTH[value][1], "=XO"[value])


# by Interface · table, visits and tree of one position
def tree_size(board: Board) -> tuple[float, int]:
    """Return (columns, plies) of the drawn minimax tree of a board."""
    places: list = []
    free = [0.5]
    place_all(board, 0, free, places)
    return free[0] + 0.5, max(ply for _, ply, _, _ in places) + 1


# by Interface · the figure
def minds_figure(board: Board, learner: QLearner, thought: five.mcts.SearchResult):
    """Return a figure: Q of each move, the minimax tree, and the visits of a search."""
    across, plies = tree_size(board)
    figure = five.figures.new_figure(9.4, 8.2)
    upper, lower = figure.add_gridspec(2, 1, height_ratios=(1, 1.9))
    ax, tree = small_axes(figure, 9, 3, upper), small_axes(figure, across, 1.9 * plies, lower)
    values, visits = learner.values(board), thought.visits.ravel().tolist()
    found = {point: visits[point] for point in values}
    words = {point: five.figures.signed(value) for point, value in values.items()}
    counts = {point: f"{count:,}" for point, count in found.items()}
    for x, title, numbers, labels, shades in (
        (2.4, f"Q-learning, {learner.games:,} games: Q", values, words, ("RdBu", -1, 1)),
        (6.6, f"MCTS, {thought.simulations:,} simulations: visits", found, counts,
         ("Blues", 0, thought.simulations)),
    ):  # fmt: skip
        draw_small(ax, x, 1.35, board, 2.1)
        fill_small(ax, x, 1.35, numbers, labels, 2.1, *shades)
        ax.text(x, 2.55, title, ha="center", fontsize=10)
        for i in range(3):
            ax.text(x - 1.2, 0.65 + 0.7 * i, f"{i + 1}", ha="center", va="center", fontsize=9)
            ax.text(x - 0.7 + 0.7 * i, 0.05, "abc"[i], ha="center", fontsize=9)
    draw_minimax(tree, board)
    words = "minimax: every line to its end (X, O: who wins; =: a draw)"
    tree.set_title(words, fontsize=10)
    return figure

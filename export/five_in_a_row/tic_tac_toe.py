# Made from tic_tac_toe.ipynb by tools/build.py: change the notebook, not this file.


import math
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import jit


# ---- 1. Every position ----------------------------------------------------------------------


# by Rules · whose turn, who has won, what may be played; a position as text
RULES = five.game.Rules(3, 3)
EMPTY_BOARD = (0,) * RULES.points
Position = tuple[int, ...]  # nine of +1 X, -1 O, 0 empty; a1 b1 c1 a2 ... c3
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)
)  # fmt: skip


def side_to_move(board: Position) -> int:
    """Return whose turn it is: +1 X, -1 O."""
    return 1 if sum(board) == 0 else -1


@lru_cache(None)
def winner(board: Position) -> int:
    """Return +1 or -1 for who has three in a row, 0 for nobody."""
    return next((board[i] for i, j, k in LINES if board[i] == board[j] == board[k] != 0), 0)


@lru_cache(None)
def legal(board: Position) -> tuple[int, ...]:
    """Return the points that may be played, in rising order; none after the end."""
    return () if winner(board) else tuple(p for p, stone in enumerate(board) if stone == 0)


def after_move(board: Position, point: int) -> Position:
    """Return the position after a move; ValueError that names what may be played."""
    if not isinstance(board, tuple) or len(board) != RULES.points:
        raise ValueError(f"board must be a tuple of 9 numbers, not {five.game.quoted(board)}")
    if not five.game.is_whole(point) or point not in legal(board):
        free = " ".join(five.game.point_name(p, 3) for p in legal(board)) or "nothing"
        given = five.game.quoted(point)
        raise ValueError(f"point {given} cannot be played: {free} may be")
    return board[:point] + (side_to_move(board),) + board[point + 1 :]


def position_text(board: Position) -> str:
    """Return nine signs, a1 b1 c1 a2 ... c3: X, O, and a dot for an empty point."""
    return "".join(".XO"[stone] for stone in board)


def read_position(text: str) -> Position:
    """Return the position of nine signs. ValueError for what no game can lead to."""
    signs = {"X": 1, "O": -1, ".": 0}
    if not isinstance(text, str) or len(text) != RULES.points or set(text) - set(signs):
        given = five.game.quoted(text)
        raise ValueError(f"{given} is no board: write nine signs out of X, O and .")
    board = tuple(signs[sign] for sign in text)
    if board not in reachable():
        reason = "X begins, turns alternate, a line ends it"
        raise ValueError(f"no game leads to {text!r}: {reason}")
    return board


def to_game(board: Position) -> five.game.Game:
    """Return the position as a game of the main notebook."""
    array = np.array(board, np.int8).reshape(RULES.height, RULES.size)
    return five.game.Game.from_array(array, side_to_move(board), RULES)


# by Rules · all positions, and all games
@lru_cache
def positions() -> tuple[Position, ...]:
    """Return every position that a game can lead to, fewest stones first."""
    return tuple(followed(legal))


@lru_cache
def reachable() -> frozenset[Position]:
    """Return positions() as a set."""
    return frozenset(positions())


def followed(moves_of) -> list[Position]:
    """Return the positions that moves_of(board) leads to from the empty board."""
    found, known = [EMPTY_BOARD], {EMPTY_BOARD}
    for board in found:  # the list grows while it is read
        for later in (after_move(board, point) for point in moves_of(board)):
            if later not in known:
                known.add(later)
                found.append(later)
    return found


def count_games(moves_of=legal) -> dict[int, int]:
    """Return {+1, -1, 0: how many games of moves_of(board) X wins, O wins, nobody wins}."""
    ways = dict.fromkeys(positions(), 0) | {EMPTY_BOARD: 1}
    games = {1: 0, -1: 0, 0: 0}
    for board in positions():
        for point in moves_of(board):
            ways[after_move(board, point)] += ways[board]
        if not legal(board):
            games[winner(board)] += ways[board]
    return games


# ---- Eight of a kind ------------------------------------------------------------------------


# by Rules · the eight transformations, and one board that stands for all
GRID = np.arange(RULES.points).reshape(3, 3)
TRANSFORMATIONS = {
    name: tuple(points.ravel().tolist())
    for name, points in {
        "as it is": GRID,
        "a quarter turn": np.rot90(GRID),
        "half a turn": np.rot90(GRID, 2),
        "three quarters": np.rot90(GRID, 3),
        "left to right": np.fliplr(GRID),
        "top to bottom": np.flipud(GRID),
        "across one diagonal": GRID.T,
        "across the other": np.rot90(GRID, 2).T,
    }.items()
}


def transformed(board: Position, points: tuple[int, ...]) -> Position:
    """Return the board whose point i holds what points[i] of this one holds."""
    return tuple(board[point] for point in points)


@lru_cache(None)
def canonical_form(board: Position) -> tuple[Position, tuple[int, ...]]:
    """Return (representative, points): transformed(board, points) is the representative."""
    return max((transformed(board, points), points) for points in TRANSFORMATIONS.values())


def representative(board: Position) -> Position:
    """Return the board that stands for all eight transformations of this one."""
    return canonical_form(board)[0]


# by Interface · a small board anywhere in a figure
def small_axes(figure, across: float, down: float, place=111):
    """Return axes without a frame, one data unit as wide as it is high."""
    ax = figure.add_subplot(place)
    ax.set(xlim=(0, across), ylim=(0, down), aspect="equal")
    ax.set_axis_off()
    figure.draw_without_rendering()  # so that letters know how large a unit is
    return ax


def in_points(ax, length: float) -> float:
    """Return a vertical length in data units as typographic points."""
    height = ax.get_window_extent().height / abs(np.diff(ax.get_ylim())[0])
    return 72 / ax.figure.dpi * length * height


def draw_small(ax, x, y, board: Position, width=0.8, edge="0.55", note="") -> None:
    """Draw a board around (x, y) in data units, and a note below it."""
    from matplotlib.patches import Rectangle

    cell, left, low = width / 3, x - width / 2, y - width / 2
    style = dict(facecolor="white", edgecolor=edge, linewidth=1.6, zorder=3)
    ax.add_patch(Rectangle((left, low), width, width, **style))
    for i in (1, 2):
        line = dict(color="0.8", linewidth=0.6, zorder=4)
        ax.plot([left + i * cell] * 2, [low, low + width], **line)
        ax.plot([left, left + width], [low + i * cell] * 2, **line)
    size = in_points(ax, cell)
    for stone, mark in ((1, "x"), (-1, "o")):
        row, col = np.divmod([p for p, held in enumerate(board) if held == stone], 3)
        place = left + (col + 0.5) * cell, low + (row + 0.5) * cell
        style = dict(markersize=0.55 * size, markeredgewidth=max(0.8, 0.09 * size))
        ax.plot(*place, mark, color="black", fillstyle="none", zorder=5, **style)
    if note:
        below = dict(ha="center", va="top", fontsize=min(9, size), color="0.25")
        ax.text(x, low - 0.06 * width, note, **below)


# by Rules · the classes and the moves between them, as arrays
OPEN_ENDED = 2  # the game goes on


class Classes(NamedTuple):
    """All classes, fewest stones first; number 0 is the empty board."""

    boards: tuple[Position, ...]  # the representatives
    number: dict[Position, int]  # of each representative
    after: np.ndarray  # int16[classes, 9]: the class after a move; -1 where none is legal
    result: np.ndarray  # int8[classes]: OPEN_ENDED, or 1 where the last move won, 0 drawn


@lru_cache
def all_classes() -> Classes:
    """Return the graph of the classes of positions()."""
    boards = tuple(dict.fromkeys(map(representative, positions())))
    number = {board: i for i, board in enumerate(boards)}
    after = np.full((len(boards), RULES.points), -1, np.int16)
    result = np.full(len(boards), OPEN_ENDED, np.int8)
    for board, i in number.items():
        for point in legal(board):
            after[i, point] = number[representative(after_move(board, point))]
        if not legal(board):
            result[i] = abs(winner(board))
    return Classes(boards, number, after, result)


# ---- The graph of classes -------------------------------------------------------------------


# by Search · the value of a position
@lru_cache(None)
def game_value(board: Position) -> int:
    """Return +1, 0 or -1: the result with best play, for the side to move."""
    if not legal(board):
        return winner(board) * side_to_move(board)
    return max(-game_value(after_move(board, point)) for point in legal(board))


def outcome(board: Position) -> int:
    """Return the result with best play: +1 X wins, -1 O wins, 0 a draw."""
    return game_value(board) * side_to_move(board)


@lru_cache(None)
def move_values(board: Position) -> dict[int, int]:
    """Return {point: +1, 0 or -1}: the value of each legal move for the side to move."""
    return {point: -game_value(after_move(board, point)) for point in legal(board)}


@lru_cache(None)
def best_points(board: Position) -> tuple[int, ...]:
    """Return the moves that keep the value of the position, in rising order."""
    return tuple(p for p, value in move_values(board).items() if value == game_value(board))


def has_choice(board: Position) -> bool:
    """Return whether a move can be wrong here."""
    return len(set(move_values(board).values())) > 1


# by Interface · classes by ply, all of the first ones and then those after one board
RESULT_STYLES = {1: ("X wins", "tab:blue"), 0: ("draw", "0.55"), -1: ("O wins", "tab:red")}


def graph_rows(below: Position, plies=2, more=1, moves_of=legal) -> list[list[int]]:
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


def graph_figure(below: Position, rows: list[list[int]], size, moves_of=legal, note=None):
    """Return a figure of graph_rows as small boards; the colour of a frame is the outcome.

    size   inches: width, height
    note   note(board) is written below a board; None: its outcome
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
        word, colour = RESULT_STYLES[outcome(board)]
        draw_small(ax, x, y, board, 0.8, colour, note(board) if note else word)
        if number == parent:
            ax.add_patch(Rectangle((x - 0.46, y - 0.67), 0.92, 1.13, fill=False, linewidth=2))
    return figure


# ---- Best play on both sides ----------------------------------------------------------------


# by Rules · classes that random games come through, and how many moves there are
def reach_probabilities() -> np.ndarray:
    """Return float[classes]: the chance that a random game comes through each class."""
    graph = all_classes()
    chances = np.zeros(len(graph.boards))
    chances[0] = 1
    for i, row in enumerate(graph.after):
        moves = row[row >= 0]
        np.add.at(chances, moves, chances[i] / max(1, len(moves)))
    return chances


def branching() -> dict[str, float]:
    """Return the mean number of moves where the game goes on, counted in three ways.

    positions      over all positions
    random games   over the moves of games between two random players
    classes        over the classes, where moves to the same class count once
    """
    graph, chances = all_classes(), reach_probabilities()
    goes_on = graph.result == OPEN_ENDED
    free = (graph.after >= 0).sum(axis=1)
    unlike = [len(set(row.tolist()) - {-1}) for row in graph.after[goes_on]]
    return {
        "positions": np.mean([len(legal(board)) for board in positions() if legal(board)]),
        "random games": (chances * free).sum() / chances[goes_on].sum(),
        "classes": np.mean(unlike),
    }


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

    def value(self, board: Position, low: int = -1, high: int = 1) -> int:
        """Return the value for the side to move; outside low to high only a bound of it."""
        key = None if self.key is None else self.key(board)
        least, most = self.known.get(key, (-1, 1))
        if least == most or least >= high:
            return least
        if most <= low:
            return most
        self.visited += 1
        if not legal(board):
            best = least = most = winner(board) * side_to_move(board)
        else:
            best = -1
            for point in legal(board):
                window = (-high, -max(low, best)) if self.prune else (-1, 1)
                best = max(best, -self.value(after_move(board, point), *window))
                if self.prune and best >= high:
                    break
            least = max(least, best) if best > low else least
            most = min(most, best) if best < high else most
        if key is not None:
            self.known[key] = least, most
        return best


# by Heuristics · policies: {point: chance} for a board
def equal_chances(points) -> dict[int, float]:
    """Return the same chance for each of some points."""
    points = list(points)
    return {point: 1 / len(points) for point in points}


def random_policy(board: Position) -> dict[int, float]:
    """Return the random agent: every legal move is equally likely."""
    return equal_chances(legal(board))


def minimax(board: Position) -> dict[int, float]:
    """Return the first of the best moves, a1 before b1 and so on."""
    return equal_chances(best_points(board)[:1])


def random_minimax(board: Position) -> dict[int, float]:
    """Return all best moves, equally likely."""
    return equal_chances(best_points(board))


def careful(board: Position) -> dict[int, float]:
    """Return all moves that do not lose, equally likely; where all lose, all of them."""
    values = move_values(board)
    least = min(0, max(values.values(), default=0))
    return equal_chances(point for point, value in values.items() if value >= least)


# by Experiments · from a policy to a player
def board_of(game: five.game.Game) -> Position:
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


# by Experiments · the exact result of two policies, and the best response to one
class Odds(NamedTuple):
    """Chances of a game, 0...1: the first player wins, the second wins, nobody wins."""

    first: float
    second: float
    draw: float


def exact_odds(first, second) -> Odds:
    """Return the odds of two policies, functions of a board that return {point: chance}."""
    found, chances = {1: 0.0, -1: 0.0, 0: 0.0}, {EMPTY_BOARD: 1.0}
    while chances:
        later: dict[Position, float] = {}
        for board, here in chances.items():
            if not legal(board):
                found[winner(board)] += here
                continue
            policy = first if side_to_move(board) == 1 else second
            for point, share in policy(board).items():
                after = after_move(board, point)
                later[after] = later.get(after, 0.0) + here * share
        chances = later
    return Odds(found[1], found[-1], found[0])


def both_seats(one, other) -> Odds:
    """Return the odds of `one` against `other`, each moving first in half of the games."""
    as_x, as_o = exact_odds(one, other), exact_odds(other, one)
    won, lost = (as_x.first + as_o.second) / 2, (as_x.second + as_o.first) / 2
    return Odds(won, lost, (as_x.draw + as_o.draw) / 2)


def response_wins(policy, side: int, moves_of=legal, choose=max) -> float:
    """Return the chance that `side` beats a policy, choosing by `choose` among its moves.

    side       +1 X, -1 O
    moves_of   moves_of(board): which moves it chooses from
    choose     max or min, over the chances that the moves lead to
    By default that is the best response to the policy.
    """

    @lru_cache(None)
    def from_here(board: Position) -> float:
        if not legal(board):
            return float(winner(board) == side)
        if side_to_move(board) == side:
            return choose(from_here(after_move(board, point)) for point in moves_of(board))
        chances = policy(board).items()
        return sum(p * from_here(after_move(board, point)) for point, p in chances if p)

    return from_here(EMPTY_BOARD)


# ---- A depth and a guess --------------------------------------------------------------------


# by Heuristics · minimax that stops at a depth and asks a judge
def open_lines(board: Position) -> float:
    """Return the lines open to the side to move less those open to the other, over 9."""
    side = side_to_move(board)
    lines = [{board[point] for point in line} for line in LINES]
    return sum((-side not in line) - (side not in line) for line in lines) / 9


def depth_policy(depth: int, judge=open_lines):
    """Return the policy of minimax that looks `depth` plies ahead; equal moves equally likely.

    judge   judge(board): what a position at that depth looks like for the side to move, -1...1
    """

    @lru_cache(None)
    def value(board: Position, left: int) -> float:
        if not legal(board):
            return float(winner(board) * side_to_move(board))
        if left == 0:
            return judge(board)
        return max(-value(after_move(board, point), left - 1) for point in legal(board))

    @lru_cache(None)
    def policy(board: Position) -> dict[int, float]:
        values = {p: -value(after_move(board, p), depth - 1) for p in legal(board)}
        best = max(values.values(), default=0)
        return equal_chances(point for point, found in values.items() if found == best)

    return policy


def misjudged(policy) -> int:
    """Return in how many classes, of those with a choice, the policy may play a wrong move."""
    boards = filter(has_choice, all_classes().boards)
    return sum(not set(policy(board)) <= set(best_points(board)) for board in boards)


# ---- A net in place of the rule -------------------------------------------------------------


# by Heuristics · a net of one hidden layer that judges positions
class SmallNet:
    """A judge of positions: 18 inputs, tanh units, one output, -1...1 for the side to move."""

    def __init__(self, hidden: int = 32, seed: int = 1):
        rng = np.random.default_rng(seed)
        inside, outside = rng.normal(0, 1 / 3, (18, hidden)), rng.normal(0, 1, hidden)
        self.parts = [inside, np.zeros(hidden), outside / math.sqrt(hidden), np.zeros(1)]

    def run(self, boards) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return inputs, hidden units and outputs for some positions; turned ones are one."""
        stones = np.array([representative(board) for board in boards])
        side = np.array([[side_to_move(board)] for board in boards])
        x = np.concatenate([stones == side, stones == -side], axis=1).astype(float)
        return x, *self.outputs(x)

    def outputs(self, x):
        """Return hidden units and outputs for inputs."""
        hidden = np.tanh(x @ self.parts[0] + self.parts[1])
        return hidden, np.tanh(hidden @ self.parts[2] + self.parts[3])

    def train(self, values: dict, steps: int = 2_000, rate: float = 0.01) -> "SmallNet":
        """Fit {board: value} by so many steps of Adam on all of them; return the net.

        Source: Kingma and Ba, ICLR 2015.
        """
        x, target = self.run(values)[0], np.array(list(values.values()), float)
        first, second = ([np.zeros_like(part) for part in self.parts] for _ in range(2))
        for step in range(1, steps + 1):
            hidden, out = self.outputs(x)
            error = 2 * (out - target) * (1 - out**2) / len(target)
            below = np.outer(error, self.parts[2]) * (1 - hidden**2)
            slopes = x.T @ below, below.sum(axis=0), hidden.T @ error, error.sum(keepdims=True)
            for part, slope, m, v in zip(self.parts, slopes, first, second, strict=True):
                m += 0.1 * (slope - m)
                v += 0.001 * (slope**2 - v)
                scale = np.sqrt(v / (1 - 0.999**step)) + 1e-8
                part -= rate * m / (1 - 0.9**step) / scale
        return self

    def __call__(self, board: Position) -> float:
        return float(self.run([board])[2][0])


@lru_cache(None)
def random_value(board: Position) -> float:
    """Return the mean result of random games from here, for the side to move."""
    if not legal(board):
        return float(winner(board) * side_to_move(board))
    return -sum(random_value(after_move(board, p)) for p in legal(board)) / len(legal(board))


# ---- Q-learning -----------------------------------------------------------------------------


# by Search · what a learner depends on
class Learning(NamedTuple):
    """How a Q-learner learns."""

    rate: float = 0.2  # alpha_0: of the first correction
    fall: float = 0.0  # f: 0 keeps the rate constant
    explore: float = 0.5  # the share of moves that are drawn while it learns
    random_rival: bool = False  # True: the other side plays at random, else as well as it can
    gamma: float = 1.0  # discount: what a result counts for one step earlier


CONSTANT, FALLING = Learning(), Learning(rate=1.0, fall=0.7)


def check_learning(learning: Learning) -> Learning:
    """Return the settings as plain numbers; ValueError that names what is allowed."""
    if not isinstance(learning, Learning):
        raise ValueError(f"learning must be Learning, not {five.game.quoted(learning)}")
    random_rival = five.game.check_switch("random_rival", learning.random_rival)
    numbers = {
        name: five.game.check_number(name, value, 0, 1)
        for name, value in learning._asdict().items()
        if name != "random_rival"
    }
    return Learning(random_rival=random_rival, **numbers)


# by Search · Q-learning, game after game; some moves are drawn, to see more boards
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


@jit
def learn(rng, after, result, Q, updates, learning, begin, end):
    """Play the games number `begin` to `end` - 1 and correct Q after each move.

    rng            a record with the state of random_below
    after, result  as in Classes
    Q, updates     float64, int64[classes, 9]: values and numbers of corrections; changed
    learning       Learning
    Source: Watkins and Dayan, Machine Learning, 1992.
    """
    for game in range(begin, end):
        at = 0
        if learning.random_rival and game % 2 == 1:
            at = np.int64(after[0, draw_move(rng, Q[0], after[0], -2.0)])
        while result[at] == OPEN_ENDED:
            explores = five.search.random_below(rng, 1_000_000) < 1_000_000 * learning.explore
            least = -2.0 if explores else best_of(Q[at], after[at])
            move = draw_move(rng, Q[at], after[at], least)
            later, sign = np.int64(after[at, move]), -1.0  # whose view the next Q has
            if learning.random_rival and result[later] == OPEN_ENDED:
                later = np.int64(after[later, draw_move(rng, Q[later], after[later], -2.0)])
                sign = 1.0
            if result[later] == OPEN_ENDED:
                target = sign * learning.gamma * best_of(Q[later], after[later])
            else:
                target = -sign * result[later]
            rate = learning.rate / (1.0 + updates[at, move]) ** learning.fall
            updates[at, move] += 1
            Q[at, move] += rate * (target - Q[at, move])
            at = later


# by Search · a learner as a policy
class QLearner:
    """A table of Q; called with a board it returns its policy there. `games`: learnt from."""

    def __init__(self, learning: Learning = FALLING, seed: int = 1):
        self.learning, self.games = check_learning(learning), 0
        self.rng = np.zeros(1, RNG_STATE).view(np.recarray)[0]
        self.rng.random = np.uint64(five.search.check_seed(seed))
        shape = all_classes().after.shape
        self.Q, self.updates = np.zeros(shape), np.zeros(shape, np.int64)

    def train(self, games: int) -> "QLearner":
        """Learn from that many more games, and return the learner."""
        games = five.game.check_number("games", games, 0, 10**9, whole=True)
        graph, begin = all_classes(), self.games
        self.games += games
        tables = self.Q, self.updates
        learn(self.rng, graph.after, graph.result, *tables, self.learning, begin, self.games)
        return self

    def values(self, board: Position) -> dict[int, float]:
        """Return {point: Q} of the legal moves, -1 lost to +1 won for the side to move."""
        canonical, points = canonical_form(board)
        row = self.Q[all_classes().number[canonical]]
        return {points[i]: float(row[i]) for i in legal(canonical)}

    def __call__(self, board: Position) -> dict[int, float]:
        values = self.values(board)
        best = max(values.values(), default=0)
        return equal_chances(point for point, value in values.items() if value == best)


# ---- The learning curve ---------------------------------------------------------------------


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


def true_learner(random_rival: bool, gamma: float = 1.0) -> QLearner:
    """Return a learner that has the true table."""
    learner = QLearner(Learning(random_rival=random_rival, gamma=gamma))
    # to nine digits, for sums in another order are no difference
    learner.Q[:] = np.round(true_Q(random_rival, gamma), 9)
    return learner


# by Interface · a small board whose free points hold numbers
def fill_small(ax, x, y, numbers: dict, labels: dict, width: float, colours, low, high):
    """Colour points of a small board by {point: number}, and write {point: text} on them.

    low, high   numbers that get the first and the last of matplotlib's `colours`
    """
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    cell = width / 3
    for point, number in numbers.items():
        row, col = divmod(point, 3)
        left, bottom = x + (col - 1.5) * cell, y + (row - 1.5) * cell
        shade = colormaps[colours]((number - low) / (high - low))
        style = dict(facecolor=shade, linewidth=0, zorder=3.5)
        ax.add_patch(Rectangle((left, bottom), cell, cell, **style))
        dark = np.dot(shade[:3], (0.3, 0.6, 0.1)) < 0.5
        text = dict(ha="center", va="center", color="white" if dark else "black", zorder=6)
        size = min(10, 1.35 * in_points(ax, cell) / max(4, len(labels[point])))
        ax.text(left + cell / 2, bottom + cell / 2, labels[point], fontsize=size, **text)


# ---- 3. Who beats whom ----------------------------------------------------------------------


# by Experiments · the agents that are policies
SIMULATIONS = 1_000  # of MCTS in the matrices
LESSONS = 100_000  # games that a Q-learner of the matrices has learnt from
TRAPS = "Q-learning, random rival"  # the learner that has met nobody else


@lru_cache
def trained(learning: Learning, games: int = LESSONS, seed: int = 1) -> QLearner:
    """Return a learner that has learnt from so many games."""
    return QLearner(learning, seed).train(games)


@lru_cache
def policies_by_name() -> dict:
    """Return {name: policy} of the agents whose odds are exact."""
    return {
        "random": random_policy,
        "Q-learning, constant rate": trained(CONSTANT),
        "Q-learning, falling rate": trained(FALLING),
        TRAPS: trained(FALLING._replace(random_rival=True)),
        "minimax": minimax,
        "random-minimax": random_minimax,
    }


# by Experiments · entries of a payoff matrix, exact or played
def payoff_table():
    """Return the rows of ttt-payoff, and of ttt-searches where it is there; None without."""
    import pandas as pd

    found = [five.strength.stored_results(name) for name in ("ttt-payoff", "ttt-searches")]
    return None if found[0] is None else pd.concat(found, ignore_index=True)


class Cell(NamedTuple):
    """How often the row wins and loses, 0...1; games: 0 where that is exact."""

    won: float
    lost: float
    games: int = 0

    def text(self) -> str:
        """Return both in per cent, with their 95 % intervals where they were played."""
        if not self.games:
            return f"{100 * self.won:.2f} / {100 * self.lost:.2f}"
        parts = []
        for share in (self.won, self.lost):
            low, high = five.strength.wilson(round(share * self.games), self.games)
            parts.append(f"{100 * share:.1f} ({100 * low:.1f} to {100 * high:.1f})")
        return " / ".join(parts)


def mean_cell(one: Cell, other: Cell) -> Cell:
    """Return the mean of two cells; where both were played, of as many games each."""
    games = one.games + other.games
    return Cell((one.won + other.won) / 2, (one.lost + other.lost) / 2, games)


def first_mover_cells(policies: dict, table=None) -> dict:
    """Return {(first, second): Cell} of the policies and of the searches.

    table   of payoff_table(), the rows of one number of simulations; None: no search
    """
    cells = {
        (a, b): Cell(*exact_odds(policies[a], policies[b])[:2])
        for a in policies
        for b in policies
    }
    for row in [] if table is None else table.to_dict("records"):
        a, b, games = row["a"], row["b"], row["games"]
        first = Cell(row["a first: a"] / games, row["a first: b"] / games, games)
        second = Cell(row["b first: b"] / games, row["b first: a"] / games, games)
        if a == b:  # both halves are of one cell
            first = second = mean_cell(first, second)
        cells[b, a] = second
        cells[a, b] = first
    return cells


def both_seat_cells(cells: dict) -> dict:
    """Return {(row, column): Cell} with each moving first in half of the games."""
    found = {}
    for (a, b), cell in cells.items():
        if (b, a) in cells:
            other = cells[b, a]
            found[a, b] = mean_cell(cell, Cell(other.lost, other.won, other.games))
    return found


# by Experiments · both payoff matrices as a figure
def payoff_matrix_figure(cells: dict):
    """Return a figure of the first-mover matrix and of the one for both seats."""
    figure = five.figures.new_figure(10.4, 5.6)
    panels = figure.subplots(1, 2, sharey=True)
    titles = "the row moves first", "each moves first in half of the games"
    names = list(dict.fromkeys(row for row, _ in cells))
    short = [
        name.replace("Q-learning", "Q").replace("random-minimax", "random-mm")
        for name in names
    ]
    for ax, title, entries in zip(
        panels, titles, (cells, both_seat_cells(cells)), strict=True
    ):
        balance = np.full((len(names), len(names)), np.nan)
        for (a, b), cell in entries.items():
            row, col = names.index(a), names.index(b)
            balance[row, col] = 100 * (cell.won - cell.lost)
            ink = "white" if abs(balance[row, col]) > 60 else "black"
            style = dict(ha="center", va="center", fontsize=8.5, color=ink)
            both = f"{100 * cell.won:.1f}\n{100 * cell.lost:.1f}"
            ax.text(col, row, both, style="italic" if cell.games else "normal", **style)
        image = ax.imshow(balance, cmap="RdBu", vmin=-100, vmax=100)
        ax.set_xticks(range(len(names)), short, fontsize=8.5, rotation=45, ha="right")
        ax.set_yticks(range(len(names)), short, fontsize=8.5)
        ax.set_title(title, fontsize=10)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    figure.colorbar(image, ax=panels, label="won − lost, %", shrink=0.7, aspect=40)
    return figure


# ---- Beside the dissertation ----------------------------------------------------------------


# by Experiments · what the dissertation prints, in per cent
DISSERTATION_GAMES = 1_000
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


# by Experiments · is a printed count possible?
def binomial_p(count: int, games: int, share: float) -> float:
    """Return the chance of a count that is no likelier than this one; share: the true one.

    Two-sided exact binomial test. ValueError unless 0 <= count <= games and 0 <= share <= 1.
    """
    if not (0 <= count <= games and 0 <= share <= 1):
        raise ValueError(f"{count} of {games} games at a share of {share} cannot be")
    chances = [
        math.comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(games + 1)
    ]
    return min(1.0, sum(p for p in chances if p <= chances[count] * (1 + 1e-9)))


def two_counts_p(count: int, games: int, other: int, other_games: int) -> float:
    """Return Fisher's exact test: how likely counts of one share differ like this."""
    both = count + other
    ways = [
        math.comb(games, k) * math.comb(other_games, both - k)
        for k in range(max(0, both - other_games), min(games, both) + 1)
    ]
    mine = math.comb(games, count) * math.comb(other_games, other)
    return sum(each for each in ways if each <= mine) / sum(ways)


def printed_p(percent: float, cell_share: float, games: int = 0) -> float:
    """Return the p-value of a printed number of per cent beside ours.

    cell_share   ours, 0...1; exact if games is 0, else counted in so many games
    """
    count = round(percent / 100 * DISSERTATION_GAMES)
    if games:
        return two_counts_p(count, DISSERTATION_GAMES, round(cell_share * games), games)
    return binomial_p(count, DISSERTATION_GAMES, min(1.0, cell_share))


def compare_printed(cells: dict) -> list[dict]:
    """Return a row for each first-mover number: printed, ours, its p-value.

    What the dissertation does not print is 0.
    """
    names = ["random", "Q-learning", "minimax", "random-minimax"]
    pairs = [(a, b) for a in names for b in names]
    for search in CONSTANTS:
        if (search, search) in cells:
            pairs += [(name, search) for name in (*names, search)]
            pairs += [(search, name) for name in names]
    rows = []
    for pair in pairs:
        named = tuple("MCTS" if name in CONSTANTS else name for name in pair)
        cell = cells[tuple(OURS.get(name, name) for name in pair)]
        numbers = PRINTED_FIRST.get(named, (0.0, 0.0))
        for seat, printed, ours in zip(("first", "second"), numbers, cell[:2], strict=True):
            row = {"pair": " v ".join(pair), "seat": seat, "printed": printed}
            row |= {"ours": 100 * ours, "games": cell.games}
            rows.append(row | {"p": printed_p(printed, ours, cell.games)})
    return rows


# ---- Why they differ ------------------------------------------------------------------------


# by Search · what the search chooses, seed by seed, and what is wrong in it
def open_classes() -> list[Position]:
    """Return the representatives of the positions with at least two legal moves."""
    return [board for board in all_classes().boards if len(legal(board)) > 1]


def searched(board: Position, *, simulations: int, seeds: int, solve=False) -> Counter:
    """Return Counter {point: how many of the seeds 0, 1, ... play it}."""
    game, options = to_game(board), five.search.SearchOptions(solve=solve)
    counts = Counter()
    for seed in range(seeds):
        asked = {"simulations": simulations, "seed": seed}
        found = five.search.search_once(game, five.search.plain_kernels, options, **asked)
        counts[found.move] += 1
    return counts


def counted_policy(counts: dict):
    """Return the policy of {representative: Counter of points}, for turned boards as well."""

    def policy(board: Position) -> dict[int, float]:
        canonical, points = canonical_form(board)
        if canonical not in counts:
            return equal_chances(legal(board))
        total = sum(counts[canonical].values())
        return {points[i]: n / total for i, n in counts[canonical].items()}

    return policy


def count_mistakes(counts: dict) -> dict:
    """Return what is wrong in {representative: Counter of points}, counted over searches.

    positions, searches   where a move can be wrong; wrong, positions wrong: not a best move
    lost, positions lost  a move that throws away a draw or a win and loses
    """
    found = Counter()
    for board, chosen in counts.items():
        if has_choice(board):
            values = move_values(board)
            wrong = sum(n for p, n in chosen.items() if values[p] < game_value(board))
            lost = sum(n for p, n in chosen.items() if values[p] == -1)
            found.update(positions=1, searches=sum(chosen.values()), wrong=wrong, lost=lost)
            found.update({"positions wrong": wrong > 0, "positions lost": lost > 0})
    return dict(found)


# by Search · the plain search, to which a draw is as good as a win
@lru_cache
def draws_win(rules: five.game.Rules) -> five.search.Kernels:
    """Return plain search in which a draw is a win of the player to move at the root."""
    game = five.search.plain_kernels(rules)
    play_out, ended = game.rollout, game.terminal

    @five.cache.inline_kernel
    def rollout(workspace):
        winner = play_out(workspace)
        root = 1 if workspace.root.start == 0 else -1
        return root if winner == 0 else winner

    @five.cache.inline_kernel
    def terminal(workspace, options):
        found = ended(workspace, options)
        if found != five.search.DRAWN:
            return found
        roots_turn = workspace.board.start == workspace.root.start
        return five.search.LOST if roots_turn else five.search.WON

    return game._replace(rollout=rollout, terminal=terminal)


def visited_policy(kernels_of, boards, *, simulations: int, seeds, c: float):
    """Return the policy that plays the most visited move, equal ones equally likely.

    seeds   of the searches in each position, whose moves it mixes
    """
    options, counts = five.search.SearchOptions(c_uct=c, solve=False), {}
    for board in boards:
        counts[board] = Counter()
        for seed in seeds:
            asked = {"simulations": simulations, "seed": seed}
            found = five.search.search_once(to_game(board), kernels_of, options, **asked)
            counts[board].update(
                equal_chances(np.flatnonzero(found.visits == found.visits.max()))
            )
    return counted_policy(counts)

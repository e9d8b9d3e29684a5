# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


import math
import random
import threading
import time
from dataclasses import dataclass, field, replace

import numpy as np

from five_in_a_row.game import (
    EMPTY,
    Game,
    Rules,
    check_functions,
    check_number,
    check_stop,
    check_unfinished,
    legal_points,
    point_name,
    winning_line,
)


# ---- 3. The game node -----------------------------------------------------------------------


# by Search · one node of the tree
@dataclass(eq=False, slots=True)
class GameNode:
    """A position in the tree; n and m count for the player who moved into it."""

    rules: Rules
    player: int  # who moved into it: +1 black, -1 white
    state: list | None = None  # rows of the board; None before the first visit
    move: int = -1  # the point played to get here; -1 at the root
    parent: "GameNode | None" = None
    prior: float = 1.0  # how promising the move looked before any visit
    n: int = 0  # visits
    m: float = 0.0  # summed reward: 1 a win, 1/2 a draw, 0 a loss
    winner: int = 0  # +1 or -1 if this move won the game
    over: bool = False  # True: the game ends here
    children: list["GameNode"] = field(default_factory=list)

    @property
    def Q(self) -> float:
        """The mean reward m/n, 0...1; an unvisited node counts as a draw."""
        return self.m / self.n if self.n else 0.5

    @property
    def name(self) -> str:
        """The name of the move that led here, such as "e4"; "" at the root."""
        return point_name(self.move, self.rules.size) if self.move >= 0 else ""

    def best(self) -> "GameNode | None":
        """The most visited child, the first of several; None without children."""
        return max(self.children, key=lambda child: child.n, default=None)

    def __repr__(self) -> str:
        return f"<GameNode {self.name or 'root'}: n={self.n}, m={self.m:g}, Q={self.Q:.3f}>"


def root_of(game) -> GameNode:
    """Return a node with the position of a game: anything with rules, array and to_move."""
    return GameNode(game.rules, -game.to_move, game.array.tolist())


# ---- 4. Select ------------------------------------------------------------------------------


# by Search · what a search depends on, and UCB: edit, run this cell, search again
C = 0.5  # exploration constant of UCB
SECONDS = 9.99  # thinking time per move where none is given, as in the course notebook
SEED = 2024  # where the random numbers begin


def ucb(child: GameNode) -> float:
    """Return m/n + c sqrt(ln N / n) of a child. Source: Kocsis and Szepesvári 2006."""
    return child.m / child.n + C * math.sqrt(math.log(child.parent.n) / child.n)


# by Search · select: the child with the highest upper confidence bound
def select_ucb(node: GameNode, rng: random.Random, score=None) -> GameNode:
    """Return the child to visit: the first without visits, else that with the highest UCB.

    score   a function of a child in place of ucb
    """
    score = score or ucb
    for child in node.children:
        if child.n == 0:  # its bound is infinite
            return child
    best, chosen, ties = -1.0, None, 1
    for child in node.children:
        bound = score(child)
        if bound > best:
            best, chosen, ties = bound, child, 1
        elif bound == best:
            ties += 1
            if rng.randrange(ties) == 0:
                chosen = child
    return chosen


# ---- 5. Expand ------------------------------------------------------------------------------


# by Search · which moves; their children; the board of one that is visited
def every_move(node: GameNode, rng: random.Random) -> dict[int, float]:
    """Return {point: 1.0} of all legal moves."""
    moves = legal_points(node.state, node.rules.gravity)
    rng.shuffle(moves)
    return dict.fromkeys(moves, 1.0)


def expand(node: GameNode, rng: random.Random, moves) -> None:
    """Add the moves(node, rng) as children, which have no visits and no boards yet."""
    for move, prior in moves(node, rng).items():
        child = GameNode(node.rules, -node.player, None, move, node, prior)
        node.children.append(child)


def place(child: GameNode) -> None:
    """Give a child its board, and note whether its move has ended the game."""
    row, col = divmod(child.move, child.rules.size)
    child.state = [line[:] for line in child.parent.state]
    child.state[row][col] = child.player
    if winning_line(child.state, child.move, child.rules.in_a_row):
        child.winner = child.player
    child.over = child.winner != 0 or all(map(all, child.state))


# ---- 6. Simulate ----------------------------------------------------------------------------


# by Rules · simulate: finish the game at random
def rollout(node: GameNode, rng: random.Random) -> int:
    """Return who wins a random game from here: +1, -1, or 0 for a draw."""
    rules, to_move = node.rules, -node.player
    state = [line[:] for line in node.state]
    for point in rng.sample(range(rules.points), rules.points):
        row, col = divmod(point, rules.size)
        if rules.gravity:  # the stone comes to lie on those of its column
            row = sum(line[col] != EMPTY for line in state)
            point = row * rules.size + col
        if row < rules.height and state[row][col] == EMPTY:
            state[row][col] = to_move
            if winning_line(state, point, rules.in_a_row):
                return to_move
            to_move = -to_move
    return 0


# ---- 7. Backpropagate -----------------------------------------------------------------------


# by Rules · backpropagate
def backpropagate(node: GameNode, winner: int) -> None:
    """Add one result to a node and all above it, each from its own player's point of view.

    winner   +1 black, -1 white, 0 a draw
    Source: Browne et al. 2012, Algorithm 3 (negamax backup).
    """
    while node is not None:
        node.n += 1
        node.m += 0.5 if winner == 0 else float(winner == node.player)
        node = node.parent


# ---- 8. The loop ----------------------------------------------------------------------------


# by Search · one simulation: select, expand, simulate, backpropagate
def simulation(root: GameNode, rng: random.Random, moves, select) -> None:
    """Walk down from the root, visit one new node, and send its result back up.

    moves    moves(node, rng) -> {point: prior}, as every_move
    select   select(node, rng) -> the child to visit, as select_ucb
    """
    node = root
    while not node.over:
        if not node.children:
            expand(node, rng, moves)
        node = select(node, rng)
        if node.n == 0:
            place(node)
            break
    backpropagate(node, node.winner if node.over else rollout(node, rng))


# by Search · what a search found; limits; a search in a thread; players
@dataclass
class SearchResult:
    """What a search found, from the point of view of the side to move."""

    move: int  # the point to play
    why: str  # "most visited", "only candidate"; the engine knows more reasons
    visits: np.ndarray  # int64[rows, size]: visits of each move
    values: np.ndarray  # float64[rows, size]: 2 Q - 1, -1 lost to +1 won; NaN unvisited
    scores: np.ndarray  # float64[rows, size]: what selected, by `rule`; NaN unvisited
    simulations: int
    seconds: float
    line: list[int]  # the most visited line, `move` first
    proven: int | None  # +1, 0, -1 for the side to move; None where nothing is proven
    seed: int
    tree: object = field(default=None, repr=False)  # the root of the tree
    rule: str = "UCB"  # the formula of the scores: "UCB" or "PUCT"

    @property
    def name(self) -> str:
        """The move, such as "h8"."""
        return point_name(self.move, self.visits.shape[1])

    @property
    def value(self) -> float:
        """The value of the move, -1 to +1; NaN where it was not visited."""
        return float(self.values.flat[self.move])

    @property
    def expected(self) -> float:
        """The result that is proved or else expected, -1 to +1 or NaN."""
        return self.value if self.proven is None else self.proven

    def names(self, most: int = 10) -> str:
        """Return the first moves of the line, such as "h8 i9"."""
        return " ".join(point_name(p, self.visits.shape[1]) for p in self.line[:most])

    def top(self, most: int = 5) -> list[tuple[str, int, float, float]]:
        """Return (name, visits, value, score) of the most visited moves, best first."""
        order = np.argsort(-self.visits, axis=None, kind="stable")[:most].tolist()
        return [
            (
                point_name(point, self.visits.shape[1]),
                int(self.visits.flat[point]),
                float(self.values.flat[point]),
                float(self.scores.flat[point]),
            )
            for point in order
            if self.visits.flat[point]
        ]

    def __str__(self) -> str:
        made = f"total simulations {self.simulations:,}"
        if self.seconds:
            rate = self.simulations / self.seconds
            made = f"thinking time {self.seconds:.2f} s, {made}, {rate:,.0f} per second"
        lines = [f"{self.name} ({self.why}): {made}"]
        row = "  {:4s}visits {:>9,}   value {:+.3f}   {rule} {:.3f}"
        lines += [row.format(*move, rule=self.rule) for move in self.top()]
        return "\n".join([*lines, f"  line {self.names()}"])


def read_root(root: GameNode, seed: int, seconds: float = 0.0, score=ucb) -> SearchResult:
    """Return what the tree says now; `score` is what the children were selected by."""
    visits = np.zeros((root.rules.height, root.rules.size), np.int64)
    values, scores = np.full(visits.shape, np.nan), np.full(visits.shape, np.nan)
    visited = [child for child in root.children if child.n]
    for child in visited:
        visits.flat[child.move] = child.n
        values.flat[child.move] = 2 * child.Q - 1
        scores.flat[child.move] = score(child)
    chosen = random.Random(seed).choice([each for each in visited if each.n == visits.max()])
    line, below = [], chosen
    while below and below.n:
        line.append(below.move)
        below = below.best()
    return SearchResult(
        move=chosen.move,
        why="only candidate" if len(root.children) == 1 else "most visited",
        visits=visits,
        values=values,
        scores=scores,
        simulations=root.n,
        seconds=seconds,
        line=line,
        proven=None,
        seed=seed,
        tree=root,
        rule=score.__name__.upper(),
    )


def check_seed(seed) -> int:
    """Return a seed as an int; ValueError unless it is a whole number of 63 bits."""
    return check_number("seed", seed, 0, 2**63 - 1, whole=True)


def whole_level(level) -> int | None:
    """Return a level, from 1 to 10 or None; ValueError for anything else."""
    return None if level is None else check_number("level", level, 1, 10, whole=True)


def check_limits(*, seconds=None, simulations=None) -> tuple[float, float]:
    """Return both limits, infinite where not given; SECONDS if neither is. Or ValueError."""
    if seconds is None and simulations is None:
        seconds = SECONDS
    seconds = math.inf if seconds is None else check_number("seconds", seconds)
    if simulations is None:
        return seconds, math.inf
    return seconds, check_number("simulations", simulations, whole=True)


class Thinking(threading.Thread):
    """A search in a thread of its own; `result` is what it has found so far."""

    player = ""  # whose search it is, where that has a name

    def __init__(self, thinker, game: Game, purpose: str, **settings):
        super().__init__(daemon=True)
        self.thinker = thinker
        self.game = game.copy()
        self.purpose = purpose  # "move" or "hint"
        self.settings = settings  # of the search: budget, level, seed
        self.result: SearchResult | None = None
        self.error: BaseException | None = None
        self.stopped = threading.Event()
        self.hurried = False
        self.start()

    def run(self) -> None:
        settings = self.settings | {"stop": self.stopped, "on_progress": self.note}
        try:
            self.note(self.thinker(self.game.copy(), **settings))
        except BaseException as error:
            self.error = error

    def note(self, result: SearchResult) -> None:
        self.result = replace(result, tree=None)
        if self.hurried:
            self.stopped.set()

    def hurry(self) -> None:
        """End the search as soon as it has found something."""
        self.hurried = True
        if self.result is not None:
            self.stopped.set()

    def stop(self, wait: float | None = None) -> None:
        """End the search soon; wait until it has ended, or at most that many seconds."""
        self.stopped.set()
        self.join(wait)


class RandomPlayer:
    """A player that draws a legal point at random."""

    name = "random"
    result = None  # it does not search

    def __init__(self):
        self.settings = {}

    def move(self, game, seed: int | None = None) -> int:
        """Return a legal point at random."""
        rng = np.random.default_rng(None if seed is None else check_seed(seed))
        return int(rng.choice(check_unfinished(game).legal()))


class SearchPlayer:
    """A player that plays what `search` finds, which a subclass defines.

    settings   keywords: type(player)(**player.settings) is such a player without a memory
    result     the SearchResult of its last move; None before the first
    """

    name = "search"

    def __init__(self, *, seconds: float | None = None, simulations: int | None = None):
        check_limits(seconds=seconds, simulations=simulations)
        limits = {"seconds": seconds, "simulations": simulations}
        self.budget = {name: limit for name, limit in limits.items() if limit is not None}
        self.settings = dict(self.budget)
        self.result = None

    def search(self, game, **asked) -> SearchResult:
        """Return what is found in a position; `asked` are the seed and the budget."""
        raise NotImplementedError

    def move(self, game, seed: int | None = None) -> int:
        """Return the point to play; `result` then tells what the search found."""
        result = self.search(game, seed=seed, **self.budget)
        self.result = result
        return result.move


class PlainReference(SearchPlayer):
    """UCT over every legal move, in plain Python."""

    name = "plain UCT in Python"

    def search(self, game, **asked) -> SearchResult:
        """Return what plain_search finds."""
        return plain_search(game, **asked)


# by Search · the search
def plain_search(
    game, *, seconds: float | None = None, simulations: int | None = None,
    seed: int | None = None, moves=None, select=None, score=None, on_progress=None, stop=None,
) -> SearchResult:  # fmt: skip
    """Return what Monte Carlo Tree Search finds in a position; the game stays as it is.

    game            anything with rules, array, to_move and over
    moves, select   as in simulation(); every_move and select_ucb where not given
    score           a function of a child: what `select` compares; ucb where not given
    on_progress     called with a SearchResult about 20 times per second
    stop            a threading.Event that ends the search
    Raises ValueError for a game that is over, and for anything else that makes no sense.
    """
    check_stop(stop)
    check_functions(moves=moves, select=select, score=score, on_progress=on_progress)
    seconds, simulations = check_limits(seconds=seconds, simulations=simulations)
    seed = check_seed(SEED if seed is None else seed)
    check_unfinished(game)
    moves, select, score = moves or every_move, select or select_ucb, score or ucb
    root, rng = root_of(game), random.Random(seed)
    begun = shown = now = time.perf_counter()
    while root.n == 0 or (now - begun < seconds and root.n < simulations):
        simulation(root, rng, moves, select)
        now = time.perf_counter()
        if stop is not None and stop.is_set():
            break
        if on_progress is not None and now - shown >= 0.05:
            on_progress(read_root(root, seed, now - begun, score))
            shown = now
    return read_root(root, seed, now - begun, score)

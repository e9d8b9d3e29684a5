# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


import math
import random
from functools import cache

from five_in_a_row.game import DIRECTIONS, EMPTY, Rules, check_game, legal_points
from five_in_a_row.mcts import GameNode, SearchPlayer, SearchResult, every_move, plain_search


# ---- Shapes ---------------------------------------------------------------------------------


# by Heuristics · the shapes: edit, run this cell, search again
SHAPES = {
    "five": ("11111",),
    "open four": ("011110",),
    "four": ("01111", "11110"),
    "open three": ("011100", "001110", "010110", "011010"),
    "open two": ("011000", "010100", "001100", "000110", "001010", "010010"),
}
BESIDE = {"open two"}  # counts beside a better shape; set() counts the best shape alone


@cache
def shapes_of(line: str) -> list[str]:
    """Return the best shape through the middle of nine points, if any, and those BESIDE it."""
    found = [
        name
        for name, patterns in SHAPES.items()
        for pattern in patterns
        for place, stone in enumerate(pattern)
        if stone == "1" and line.startswith(pattern, 4 - place)
    ]
    return found[:1] + sorted(BESIDE & set(found[1:]) - set(found[:1]))


def line_text(cells, point: int, step: tuple, colour: int) -> str:
    """Return the points from 4 before to 4 behind `point`: 1 own, 0 empty, x other or edge.

    step   one of DIRECTIONS; a stone of `colour` is put on the point
    """
    row, col = divmod(point, len(cells[0]))
    text = ""
    for i in range(-4, 5):
        r, c = row + i * step[0], col + i * step[1]
        inside = 0 <= r < len(cells) and 0 <= c < len(cells[0])
        stone = colour if i == 0 else cells[r][c] if inside else -colour
        text += "1" if stone == colour else "0" if stone == EMPTY else "x"
    return text


# by Heuristics · what a stone threatens
def threats_at(cells, point: int, colour: int) -> dict[tuple, str]:
    """Return {direction: "four" or "open three"} of what a stone of that colour would make."""
    found = {}
    for step in DIRECTIONS:
        for shape in shapes_of(line_text(cells, point, step, colour)):
            if shape in ("four", "open three"):
                found[step] = shape
    return found


# ---- Scores ---------------------------------------------------------------------------------


# by Heuristics · the score table: edit, run this cell, search again
SCORES = {  # shape: (a stone here makes it, a stone here breaks it)
    "five": (1_000_000, 20_000),
    "open four": (10_000, 4_000),
    "four and open three": (5_000, 3_000),
    "four": (0, 0),
    "open three": (1_000, 500),
    "open two": (100, 10),
}
EACH_LINE = {"open three", "open two"}  # these count once for each line
assert set(SCORES) <= {*SHAPES, "four and open three"}, "SCORES has a row for no shape"


def score_of(cells, point: int, to_move: int) -> int:
    """Return the score of an empty point for the player to move, by SHAPES and SCORES."""
    score = 0
    for colour, column in ((to_move, 0), (-to_move, 1)):
        lines = [line_text(cells, point, step, colour) for step in DIRECTIONS]
        found = [shape for line in lines for shape in shapes_of(line)]
        if "four" in found and "open three" in found:
            found.append("four and open three")
        counted = [shape for shape in found if shape in EACH_LINE]
        counted += set(found) - EACH_LINE
        score += sum(SCORES.get(shape, (0, 0))[column] for shape in counted)
    return score


# ---- The cut --------------------------------------------------------------------------------


# by Heuristics · the cut: edit, run this cell, search again
def near_points(cells) -> set[int]:
    """Return the empty points within distance sqrt(18) of a stone; `cells` are rows."""
    size, empty, near = len(cells[0]), legal_points(cells), set()
    for stone in set(range(len(cells) * size)) - set(empty):
        row, col = divmod(stone, size)
        near |= {p for p in empty if (p // size - row) ** 2 + (p % size - col) ** 2 <= 18}
    return near


def ranked(node: GameNode, rng: random.Random, points) -> dict[int, int]:
    """Return {point: score} of those points, best first; equal scores in random order."""
    order = sorted(points)
    rng.shuffle(order)
    scores = {point: score_of(node.state, point, -node.player) for point in order}
    return dict(sorted(scores.items(), key=lambda item: -item[1]))


KEEP = 5  # candidates that become children
SURE = 2_000  # a candidate with this score is the only one


def best_candidates(node: GameNode, rng: random.Random) -> dict[int, float]:
    """Return {point: 1.0} of the best candidates, best first."""
    near, rules = near_points(node.state), node.rules
    if not near:  # an empty board: the middle
        empty = legal_points(node.state)
        middle = rules.height // 2 * rules.size + rules.size // 2
        return {middle if middle in empty else empty[0]: 1.0}
    scores = ranked(node, rng, near)
    best = list(scores)[: 1 if max(scores.values()) >= SURE else KEEP]
    return dict.fromkeys(best, 1.0)


# by Heuristics · the course notebook's search, and its player
def has_shapes(rules: Rules) -> bool:
    """True for the games that SHAPES describes: five in a row, no gravity."""
    return rules.in_a_row == 5 and not rules.gravity


def classic_search(game, **asked) -> SearchResult:
    """Return what plain_search finds among the best candidates; arguments as there."""
    moves = best_candidates if has_shapes(check_game(game).rules) else every_move
    return plain_search(game, moves=moves, **asked)


class ClassicReference(SearchPlayer):
    """The course notebook's algorithm, hard cut included, in plain Python."""

    name = "classic in Python"

    def search(self, game, **asked) -> SearchResult:
        """Return what classic_search finds."""
        return classic_search(game, **asked)


# ---- The prior instead of the cut -----------------------------------------------------------


# by Heuristics · all moves, each with its prior
FLOOR = 10  # added to each score: no prior may be 0; raise it for scores below 0


def moves_with_priors(node: GameNode, rng: random.Random) -> dict[int, float]:
    """Return {point: prior} of all legal moves, best first."""
    scores = ranked(node, rng, legal_points(node.state))
    weights = {point: FLOOR + score for point, score in scores.items()}
    total = sum(weights.values())
    return {point: weight / total for point, weight in weights.items()}


# by Heuristics · select with priors, and the search that does
C_PRIOR = 2.0  # exploration constant of PUCT


def puct(child: GameNode) -> float:
    """Return Q + c P sqrt(N) / (1 + n) of a child, visited or not."""
    return child.Q + C_PRIOR * child.prior * math.sqrt(child.parent.n) / (1 + child.n)


def select_puct(node: GameNode, rng: random.Random) -> GameNode:
    """Return the child with the highest PUCT; the first of several, best prior first."""
    return max(node.children, key=puct)


def prior_search(game, **asked) -> SearchResult:
    """Return what plain_search finds with priors and PUCT; arguments as there."""
    if not has_shapes(check_game(game).rules):
        return plain_search(game, **asked)
    asked |= {"moves": moves_with_priors, "select": select_puct, "score": puct}
    return plain_search(game, **asked)


# by Search · the opponents that you edit
def classic(game, *, level=None, **asked) -> SearchResult:
    """Return the move of the course notebook's search; arguments as plain_search, no level."""
    return classic_search(game, **asked)


def mine(game, *, level=None, **asked) -> SearchResult:
    """Return the move of the notebook's own search; arguments as plain_search, no level."""
    return prior_search(game, **asked)

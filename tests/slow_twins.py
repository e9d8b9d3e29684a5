"""Slow, obvious versions of the compiled kernels: rules, shapes, and the whole search.

They share no code with the notebook. The search twin is fed the same random numbers as the
compiled one and must make the same tree.
"""

import math
import random
import re
from functools import cache

import numpy as np

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))
SCORES = {  # (mover makes it, mover breaks it)
    "open four": (10_000, 4_000),
    "four and three": (5_000, 3_000),
    "open three": (1_000, 500),
    "open two": (100, 10),
    "five": (1_000_000, 20_000),
}


def full_scan(cells, in_a_row):
    """Return the set of colours that have a line, by looking at every window of the board."""
    rows, size = cells.shape
    found = set()
    for row in range(rows):
        for col in range(size):
            for d_row, d_col in WAYS:
                end_row, end_col = row + (in_a_row - 1) * d_row, col + (in_a_row - 1) * d_col
                if not (0 <= end_row < rows and 0 <= end_col < size):
                    continue
                window = {
                    int(cells[row + i * d_row, col + i * d_col]) for i in range(in_a_row)
                }
                if len(window) == 1:
                    found |= window
    return found - {0}


def line_text(cells, row, col, d_row, d_col, colour):
    """Return the line through an empty point as text with the new stone put there: 1 own,
    0 empty, x enemy or edge; and the place of the new stone in it."""
    rows, size = cells.shape
    text = ""
    for i in range(-8, 9):
        r, c = row + i * d_row, col + i * d_col
        if i == 0:
            text += "1"
        elif not (0 <= r < rows and 0 <= c < size):
            text += "x"
        else:
            text += {0: "0", colour: "1", -colour: "x"}[int(cells[r, c])]
    return text, 8


def shape_of(text, middle):
    """Return the best shape in the text that contains the stone at place `middle`."""

    def holds(pattern):
        for hit in re.finditer(f"(?={pattern})", text):
            if hit.start() <= middle < hit.start() + len(pattern):
                return True
        return False

    if holds("11111"):
        return "five"
    if holds("011110"):
        return "open four"
    if holds("01111") or holds("11110"):
        return "four"
    if any(map(holds, ("011100", "001110", "010110", "011010"))):
        return "open three"
    if any(map(holds, ("011000", "010100", "001100", "000110", "001010", "010010"))):
        return "open two"
    return None


def slow_score(cells, point, to_move):
    """Return the score of an empty point for the player to move."""
    row, col = divmod(point, cells.shape[1])
    total = 0
    for colour, column in ((to_move, 0), (-to_move, 1)):
        shapes = [shape_of(*line_text(cells, row, col, *way, colour)) for way in WAYS]
        if "five" in shapes:
            total += SCORES["five"][column]
        if "open four" in shapes:
            total += SCORES["open four"][column]
        if "four" in shapes and "open three" in shapes:
            total += SCORES["four and three"][column]
        for name in ("open three", "open two"):
            total += shapes.count(name) * SCORES[name][column]
    return total


class Chance:
    """The linear congruential generator, in plain integers."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.state >> 32) * n) >> 32


class SlowNode:
    def __init__(self, move):
        self.move, self.N, self.W64 = move, 0, 0
        self.children, self.tried, self.status = [], 0, "open"


REWARDS = {"lost": 0, "drawn": 32, "won": 64}  # for the player who moved into a decided node
OPPOSITE = {"lost": "won", "drawn": "drawn", "won": "lost"}


def settled(children):
    """Return the best result among the children, for the player to move, or None."""
    results = {child.status for child in children}
    if "won" in results:
        return "won"
    if results & {"open", "complete"}:
        return None
    return "drawn" if "drawn" in results else "lost"


class SlowSearch:
    """Monte Carlo Tree Search on a numpy board, without any trick."""

    def __init__(self, cells, to_move, in_a_row, seed, options, shaped):
        self.cells, self.to_move, self.in_a_row = cells, to_move, in_a_row
        self.options, self.shaped = options, shaped
        self.chance = Chance(seed)
        for _ in range(4):
            self.chance.draw(2)
        self.order = list(range(cells.size))
        for i in range(cells.size - 1):
            j = i + self.chance.draw(cells.size - i)
            self.order[i], self.order[j] = self.order[j], self.order[i]
        self.root = SlowNode(-1)

    def run(self, simulations):
        """Make that many simulations, fewer once the root is decided; return how many."""
        for done in range(simulations):
            if self.root.status in REWARDS:
                return done
            self.simulate()
        return simulations

    def simulate(self):
        board, mover = self.cells.copy(), self.to_move
        node, path = self.root, [self.root]
        fresh = False
        while node.status not in REWARDS and not fresh:
            child = self.expand(node, board, mover) or self.select(node)
            if child is None:  # every move known is lost: is that all of them?
                if node.status == "complete" and self.options.solve:
                    node.status = OPPOSITE[settled(node.children)]
                break
            fresh = child.N == 0
            node.tried += fresh
            board.flat[child.move] = mover
            mover = -mover
            node = child
            path.append(node)
        if fresh:
            if -mover in full_scan(board, self.in_a_row):
                node.status = "won"
            elif board.all():
                node.status = "drawn"
        if node.status not in REWARDS:
            reward = 32 - 32 * mover * self.playout(board, mover)
        elif self.options.solve:
            self.prove(path)
        for node in reversed(path):
            if node.status in REWARDS:
                reward = REWARDS[node.status]
            node.N += 1
            node.W64 += reward
            reward = 64 - reward

    def prove(self, path):
        """Decide the nodes above a decided one: by a winning move, or by all moves."""
        for node in reversed(path[:-1]):
            best = settled(node.children)
            if best is None or (best != "won" and node.status != "complete"):
                return
            node.status = OPPOSITE[best]

    def expand(self, node, board, mover):
        """Return a child without visits, or None."""
        have = len(node.children)
        if node.tried == have:
            if node.status != "open":
                return None
            limit = 400  # more than any board has
            if self.shaped and not (
                have >= self.options.keep and settled(node.children) == "lost"
            ):
                limit = min(limit, self.options.keep)
            size = min(limit, max(5 if self.shaped else 1, have + have // 3 + 1))
            if size <= have:
                return None
            listed = [child.move for child in node.children]
            offer = self.shaped_moves if self.shaped else self.random_moves
            more = offer(board, mover, listed, size - have)
            node.children += [SlowNode(move) for move in more]
            if have + len(more) < size:
                node.status = "complete"
            if not more:
                return None
        return node.children[node.tried]

    def random_moves(self, board, mover, listed, want):
        free = set(np.flatnonzero(board == 0).tolist()) - set(listed)
        more = []
        while len(more) < want and free:
            point = self.chance.draw(board.size)
            if point in free:
                free.discard(point)
                more.append(point)
        return more

    def shaped_moves(self, board, mover, listed, want):
        stones = [divmod(p, board.shape[1]) for p in np.flatnonzero(board).tolist()]
        points = []
        for point in self.order:
            row, col = divmod(point, board.shape[1])
            near = any((row - r) ** 2 + (col - c) ** 2 <= 18 for r, c in stones)
            if near and not board.flat[point] and point not in listed:
                points.append((slow_score(board, point, mover), point))
        if not points and not listed:
            middle = board.shape[0] // 2 * board.shape[1] + board.shape[1] // 2
            empty = np.flatnonzero(board == 0).tolist()
            return [middle if middle in empty else empty[0]]
        points.sort(key=lambda pair: -pair[0])  # stable: equal scores stay in random order
        if points and not listed and points[0][0] >= self.options.sure:
            want = 1
        return [point for _, point in points[:want]]

    def select(self, node):
        """Return the child with the highest UCB that is not lost, or None."""
        f = np.float32
        curiosity = f(self.options.c_uct * math.sqrt(math.log(node.N))) if node.N else f(0)
        best, chosen, ties = f(-1), None, 1
        for child in node.children[: node.tried]:
            known = child.status == "lost" or child.status == "drawn" and node.N % 2
            if known and self.options.solve:
                continue
            r = f(1) / np.sqrt(f(child.N))
            score = r * (f(1 / 64) * f(child.W64) * r + curiosity)
            if score > best:
                best, chosen, ties = score, child, 1
            elif score == best:
                ties += 1
                if self.chance.draw(ties) == 0:
                    chosen = child
        return chosen

    def playout(self, board, mover):
        points, i, winner = board.size, 0, 0
        while i < points:
            stop = min(points, i + 8 + ((points - i) >> 3))
            while i < stop:
                j = i + self.chance.draw(points - i)
                self.order[i], self.order[j] = self.order[j], self.order[i]
                point = self.order[i]
                i += 1
                if board.flat[point] == 0:
                    board.flat[point] = mover
                    if not winner and mover in full_scan(board, self.in_a_row):
                        winner = mover
                    mover = -mover
            if winner:
                return winner
        return 0


def slow_class(cells, point, way, colour):
    """Return what a stone on an empty point makes on one line: 0 none, 1 one, 2 two, 3 open
    two, 4 three, 5 open three, 6 four, 7 open four, 8 five; found by trying further stones on
    the eight points around it."""
    row, col = divmod(point, cells.shape[1])
    line = []
    for i in range(-4, 5):
        r, c = row + i * way[0], col + i * way[1]
        inside = 0 <= r < cells.shape[0] and 0 <= c < cells.shape[1]
        line.append(int(cells[r, c]) if inside else -colour)
    line[4] = colour
    return class_of(tuple(line), colour)


@cache
def class_of(line, colour):
    """Return the class of nine points with a stone in the middle; see slow_class."""
    windows = [line[i : i + 5] for i in range(5)]
    if any(window == (colour,) * 5 for window in windows):
        return 8
    nexts = []
    for i in range(9):
        if line[i] == 0:
            nexts.append(class_of((*line[:i], colour, *line[i + 1 :]), colour))
    fives = nexts.count(8)
    if fives:
        return 7 if fives > 1 else 6
    for found, needed in ((5, 7), (4, 6), (3, 5), (2, 4)):
        if needed in nexts:
            return found
    return 1 if any(-colour not in window for window in windows) else 0


def slow_kind(classes):
    """Return the name of what a stone does, from its four classes; see slow_class."""
    count = [classes.count(c) for c in range(9)]
    _, one, two, open_two, three, open_three, four, open_four, five = count
    more = three or open_two
    if five:
        return "five"
    if open_four or four > 1:
        return "open-four"
    if four:
        return "four-and-open-three" if open_three else "four-and-more" if more else "four"
    if open_three > 1:
        return "double-open-three"
    if open_three:
        return "open-three-and-more" if more else "open-three"
    if three > 1:
        return "double-three"
    if three:
        return "three-and-open-two" if open_two else "three"
    if open_two:
        return "double-open-two" if open_two > 1 else "open-two"
    return "two" if two else "live" if one else "dead"


def slow_kinds(cells, colour):
    """Return {empty point: name of what a stone of the colour does there}."""
    return {
        point: slow_kind([slow_class(cells, point, way, colour) for way in WAYS])
        for point in np.flatnonzero(cells == 0).tolist()
    }


def slow_puct(children, visits, reward, untried, options):
    """Return the PUCT of each child, a list; visits and reward are those of their node.

    children   (visits, reward 0...1 summed, prior 0...255, lost) of each
    untried    prior of one more child without visits, or None; its score comes last
    """
    scores = []
    for n, w, prior, lost in children:
        curious = options.c_prior * (prior / 255) ** 2 * math.sqrt(visits) / (1 + n)
        scores.append(-math.inf if lost and options.solve else w / n + curious)
    if untried is not None:
        known = 1 - reward / max(1, visits) - options.unvisited
        scores.append(known + options.c_prior * (untried / 255) ** 2 * math.sqrt(visits))
    return scores


def plain_wins(board: dict, point: tuple, in_a_row: int) -> bool:
    """True if the stone on `point` is part of a winning line; looks at its four lines only."""
    row, col = point
    for d_row, d_col in WAYS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while board.get((r, c)) == board[point]:
                length += 1
                r, c = r + sign * d_row, c + sign * d_col
        if length >= in_a_row:
            return True
    return False


class PlainNode:
    """A node with its position, as the course notebook describes it."""

    def __init__(self, board: dict, player: int, move=None, parent=None, winner: int = 0):
        self.board, self.player, self.move, self.parent = board, player, move, parent
        self.winner = winner  # player moved into this node; did that win?
        self.children: list = []
        self.n, self.m = 0, 0.0  # visits and reward

    def ucb(self, c: float) -> float:
        """The upper confidence bound, infinite for a node without visits."""
        if self.n == 0:
            return math.inf
        return self.m / self.n + c * math.sqrt(math.log(self.parent.n) / self.n)

    def expand(self, moves: list[tuple], rules) -> None:
        """Make a child for each of the moves."""
        for move in moves:
            board = dict(self.board)
            board[move] = -self.player
            winner = -self.player if plain_wins(board, move, rules.in_a_row) else 0
            self.children.append(PlainNode(board, -self.player, move, self, winner))


def plain_select(node: PlainNode, c: float, chance) -> PlainNode:
    """Return the child with the highest UCB, ties at random."""
    bounds = [child.ucb(c) for child in node.children]
    best = max(bounds)
    pairs = zip(node.children, bounds, strict=True)
    return chance.choice([child for child, bound in pairs if bound == best])


def plain_search(game, moves_of, simulations, seed, playout, c):
    """Return the root of a tree after that many simulations, a PlainNode.

    moves_of   moves_of(board, to_move, rules, chance) lists the moves of a position
    """
    rules, chance = game.rules, random.Random(seed)
    stones = {point: int(cell) for point, cell in np.ndenumerate(game.array) if cell}
    root = PlainNode(stones, -game.to_move)
    for _ in range(simulations):
        node = root
        while node.n and not node.winner and len(node.board) < rules.points:
            if not node.children:
                node.expand(moves_of(node.board, -node.player, rules, chance), rules)
            node = plain_select(node, c, chance)
        winner = node.winner or playout(node.board, -node.player, rules, chance)
        while node is not None:
            node.n += 1
            node.m += 1.0 if winner == node.player else 0.5 if winner == 0 else 0.0
            node = node.parent
    return root

"""Slow, obvious versions of the compiled kernels: rules, shapes, and a search that proves.

Those of rules and shapes share no code with the notebook. The search is the plain one of the
main notebook, to which proofs are added. Fed the same random numbers as the compiled one, it
must make the same tree.
"""

import math
import re
from dataclasses import dataclass
from functools import cache

import five_in_a_row as five
import numpy as np
from five_in_a_row.mcts import GameNode

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


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


def shapes_of(text, middle, beside=True):
    """Return the best shape in the text that contains the stone at place `middle`.

    beside   with an open two that contains it as well, as the course's code counts
    """

    def holds(pattern):
        for hit in re.finditer(f"(?={pattern})", text):
            if hit.start() <= middle < hit.start() + len(pattern):
                return True
        return False

    twos = ("011000", "010100", "001100", "000110", "001010", "010010")
    two = ["open two"] if any(map(holds, twos)) else []
    beside = two if beside else []
    if holds("11111"):
        return ["five", *beside]
    if holds("011110"):
        return ["open four", *beside]
    if holds("01111") or holds("11110"):
        return ["four", *beside]
    if any(map(holds, ("011100", "001110", "010110", "011010"))):
        return ["open three", *beside]
    return two


class Rng:
    """The linear congruential generator, in plain integers."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.state >> 32) * n) >> 32


@dataclass(eq=False)
class SlowNode(GameNode):
    """A node of the plain search, and what is proven about it."""

    status: str = "open"  # "complete", or for the player who moved into it a key of REWARDS


REWARDS = {"lost": 0.0, "drawn": 0.5, "won": 1.0}
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
    """The plain search with proofs, and with more candidates where those known are lost."""

    def __init__(self, game, seed, options, shaped):
        self.options, self.shaped = options, shaped
        self.rng = five.same_tree.RandomNumbers(seed, game.rules.points)
        self.root = SlowNode(game.rules, -game.to_move, game.array.tolist())

    def run(self, simulations):
        """Make that many simulations, fewer once the root is decided; return how many."""
        for done in range(simulations):
            if self.root.status in REWARDS:
                return done
            self.simulate()
        return simulations

    def simulate(self):
        """Walk down to a new node or a decided one, and send its result back up."""
        node, fresh = self.root, False
        while node.status not in REWARDS and not fresh:
            child = self.expand(node) or self.select(node)
            if child is None:  # every move known is lost: is that all of them?
                if node.status == "complete" and self.options.solve:
                    node.status = OPPOSITE[settled(node.children)]
                break
            node, fresh = child, child.n == 0
        if fresh:
            five.mcts.place(node)
            if node.over:
                node.status = "won" if node.winner else "drawn"
        if node.status not in REWARDS:
            winner = five.mcts.rollout(node, self.rng)
            reward = 0.5 if winner == 0 else float(winner == node.player)
        elif self.options.solve:
            self.backup_proof(node)
        while node is not None:
            reward = REWARDS[node.status] if node.status in REWARDS else reward
            node.n, node.m, reward = node.n + 1, node.m + reward, 1 - reward
            node = node.parent

    def backup_proof(self, node):
        """Decide the nodes above a decided one: by a winning move, or by all moves."""
        while node := node.parent:
            best = settled(node.children)
            if best is None or (best != "won" and node.status != "complete"):
                return
            node.status = OPPOSITE[best]

    def expand(self, node):
        """Return a child without visits, or None."""
        for child in node.children:
            if child.n == 0:
                return child
        have, most = len(node.children), 400  # more than any board has
        all_lost = have >= self.options.max_children and settled(node.children) == "lost"
        if self.shaped and not all_lost:
            most = self.options.max_children
        want = min(most, max(5 if self.shaped else 1, have + have // 3 + 1)) - have
        if node.status != "open" or want <= 0:
            return None
        offer = self.shaped_moves if self.shaped else five.same_tree.few_moves
        moves = list(offer(node, self.rng))[:want]
        node.children += [SlowNode(node.rules, -node.player, None, p, node) for p in moves]
        if len(moves) < want:
            node.status = "complete"
        return node.children[have] if moves else None

    def shaped_moves(self, node, rng):
        """Return the candidates that are no children yet, best first; equals at random."""
        listed, near = (
            {child.move for child in node.children},
            five.heuristics.near_points(node.state),
        )
        if not listed and not near:
            return five.heuristics.best_candidates(node, rng)
        near -= listed
        points = [point for point in rng.order if point in near]
        scores = {p: five.heuristics.score_of(node.state, p, -node.player) for p in points}
        points = sorted(scores, key=scores.get, reverse=True)
        sure = points and not listed and scores[points[0]] >= self.options.forcing_score
        return points[:1] if sure else points

    def select(self, node):
        """Return the child with the highest UCB that is not lost, or None."""
        f = np.float32
        exploration = f(self.options.c_uct * math.sqrt(math.log(node.n))) if node.n else f(0)
        best, chosen, ties = f(-1), None, 1
        for child in node.children:
            known = child.status == "lost" or child.status == "drawn" and node.n % 2
            if child.n == 0 or known and self.options.solve:
                continue
            r = f(1) / np.sqrt(f(child.n))
            score = r * (f(child.m) * r + exploration)
            if score > best:
                best, chosen, ties = score, child, 1
            elif score == best:
                ties += 1
                if self.rng.randrange(ties) == 0:
                    chosen = child
        return chosen


def slow_line_shape(cells, point, way, colour):
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
    """Return the line shape of nine points with a stone in the middle; see slow_line_shape."""
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


def slow_point_threat(shapes):
    """Return the name of what a stone does, from its four line shapes; see slow_line_shape."""
    count = [shapes.count(c) for c in range(9)]
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


def slow_point_threats(cells, colour):
    """Return {empty point: name of what a stone of the colour does there}."""
    return {
        point: slow_point_threat([slow_line_shape(cells, point, way, colour) for way in WAYS])
        for point in np.flatnonzero(cells == 0).tolist()
    }


def slow_puct(children, visits, reward, untried, options):
    """Return the PUCT of each child, a list; visits and reward are those of their node.

    children   (visits, reward 0...1 summed, prior 0...255, lost) of each
    untried    prior of one more child without visits, or None; its score comes last
    """
    scores = []
    for n, w, prior, lost in children:
        exploration = options.c_prior * (prior / 255) ** 2 * math.sqrt(visits) / (1 + n)
        scores.append(-math.inf if lost and options.solve else w / n + exploration)
    if untried is not None:
        known = 1 - reward / max(1, visits) - options.fpu_reduction
        scores.append(known + options.c_prior * (untried / 255) ** 2 * math.sqrt(visits))
    return scores

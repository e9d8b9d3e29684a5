"""The main notebook's search with priors, compiled: `prior_search`, visit for visit.

Nothing is cut. Every legal move of a node becomes a child, best score first, and its prior is
its share of the scores; PUCT selects, in the notebook's arithmetic. Board, scores and random
games are those of the study search, as in the compiled `Classic` that it meets in matches.
"""

import math
import random
import time
from functools import lru_cache, partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import search
from five_in_a_row.cache import jit
from five_in_a_row.search import OPEN, WON

STEP = 25  # simulations between two looks at the clock
MOST = 40_000  # simulations of a move, for which there is room
NODE = np.dtype(
    [
        ("prior", np.float64),
        ("W2", np.int64),  # twice the reward, for the player who moved into it
        ("N", np.int32),
        ("first", np.int32),  # its first child; 0: none yet
        ("count", np.int16),  # of children
        ("move", np.int16),
        ("status", np.int8),  # OPEN, LOST, DRAWN or WON
    ],
    align=True,
)


@jit
def add_children(workspace, tree, node, end, floor):
    """Make every empty point a child of a node, the best first; return the new end."""
    points, scores = np.empty(400, np.int64), np.empty(400, np.int64)
    board, geo, count, total = workspace.board, workspace.geo, 0, 0
    for i in range(geo.points):
        point = np.int64(workspace.order[i])
        row = np.int64(geo.row[point])
        if (board.stones[row] | board.stones[geo.half + row]) & geo.bit[point] == 0:
            points[count] = point
            scores[count] = floor + search.score_point(workspace, point)
            total += scores[count]
            count += 1
    tree[node].first, tree[node].count = end, count
    for i in np.argsort(-scores[:count], kind="mergesort"):  # equal scores keep their order
        child = tree[end]
        child.move, child.prior = points[i], scores[i] / total
        child.N, child.W2, child.first, child.status = 0, 0, 0, OPEN
        end += 1
    return end


@jit
def best_child(tree, node, c):
    """Return the child with the highest PUCT, the first of several."""
    best, chosen = -math.inf, 0
    for child in range(tree[node].first, tree[node].first + tree[node].count):
        visits = tree[child].N
        mean = tree[child].W2 / 2 / visits if visits else 0.5
        bound = mean + c * tree[child].prior * math.sqrt(tree[node].N) / (1 + visits)
        if bound > best:
            best, chosen = bound, child
    return chosen


@lru_cache
def compiled():
    """Return run(workspace, tree, end, simulations, c, floor) -> the new end of the tree."""
    kernels = search.shaped_game()
    terminal, rollout = kernels.terminal, kernels.rollout
    options = search.SearchOptions()

    @search.inline_kernel
    def run(workspace, tree, end, simulations, c, floor):
        path = np.empty(402, np.int64)
        for _ in range(simulations):
            search.reset_shapes(workspace)
            node, depth = 0, 0
            path[0] = 0
            while tree[node].status == OPEN:
                if tree[node].first == 0:
                    end = add_children(workspace, tree, node, end, floor)
                node = best_child(tree, node, c)
                depth += 1
                path[depth] = node
                search.apply_shapes(workspace, np.int64(tree[node].move))
                if tree[node].N == 0:
                    tree[node].status = terminal(workspace, options)
                    break
            reward = 2 if tree[node].status == WON else 1
            if tree[node].status == OPEN:
                moved = -search.mover(workspace)
                reward = 1 + moved * rollout(workspace)
            for i in range(depth, -1, -1):
                tree[path[i]].N += 1
                tree[path[i]].W2 += reward
                reward = 2 - reward
        return end

    return run


class Prior(five.mcts.SearchPlayer):
    """The main notebook's search with priors, for five in a row; seconds are the thread's."""

    name = "prior"

    def search(self, game, *, seed=None, **budget):
        """Return what it finds: the most visited move, ties at random."""
        seed = five.mcts.SEED if seed is None else int(seed)
        budget = search.check_budget(**budget, clock=time.thread_time)
        most = int(min(budget.simulations, MOST))
        tree = np.zeros(1 + len(game.legal()) * (most + 1), NODE).view(np.recarray)
        workspace = search.new_search(search.shaped_game(), game, seed)
        grow = partial(compiled(), workspace, tree)
        about = float(five.heuristics.C_PRIOR), int(five.heuristics.FLOOR)
        end, done = grow(1, 0, *about), 0  # compiling is not thinking
        begun = budget.clock()
        while done < most and (done == 0 or budget.clock() - begun < budget.seconds):
            step = min(STEP, most - done)
            end = grow(end, step, *about)
            done += step
        return found(game, tree, done, seed)


class ClassicOnProcessor(search.Classic):
    """Classic, whose seconds are those that its thread has had of a processor."""

    def search(self, game, **asked):
        """Return what Classic finds."""
        return super().search(game, clock=time.thread_time, **asked)


def found(game, tree, simulations, seed):
    """Return the SearchResult of a tree."""
    shape, root, c = game.array.shape, tree[0], five.heuristics.C_PRIOR
    visits = np.zeros(shape, np.int64)
    values, scores = np.full(shape, np.nan), np.full(shape, np.nan)
    for child in tree[root.first : root.first + root.count]:
        if child.N:
            mean = child.W2 / 2 / child.N
            visits.flat[child.move], values.flat[child.move] = child.N, 2 * mean - 1
            bound = mean + c * child.prior * math.sqrt(root.N) / (1 + child.N)
            scores.flat[child.move] = bound
    ties = np.flatnonzero(visits == visits.max()).tolist()
    move = random.Random(seed).choice(ties)
    about = visits, values, scores, simulations, 0.0, [move], None, seed
    return five.mcts.SearchResult(move, "most visited", *about, rule="PUCT")

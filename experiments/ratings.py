"""Ratings of players by Bradley and Terry's model, and who plays whom for them."""

import itertools
import math

import numpy as np

MOST_IN_ROUND_ROBIN = 40  # players
MORE_ROUNDS = 4  # of a Swiss system than log2 n
ELO = 400 / math.log(10)  # points of one unit of the natural scale


# -- ratings -------------------------------------------------------------------------------
def bradley_terry(points, prior=1.0):
    """Return (log strengths, their covariance), each as seen from the mean of all.

    points   float[n, n]: what i has scored against j, half a point for a draw
    prior    games of each that are drawn with a player of strength 1, so that nobody's
             strength is infinite, and everybody is connected
    Source: Hunter, Annals of Statistics 32, 2004 (MM); intervals: the observed information.
    """
    games, p = points + points.T, np.ones(len(points))
    for _ in range(20_000):
        old = p
        expected = (games / (p[:, None] + p)).sum(axis=1) + prior / (p + 1)
        p = (points.sum(axis=1) + prior / 2) / expected
        if np.abs(np.log(p / old)).max() < 1e-10:
            break
    chance = p[:, None] / (p[:, None] + p)
    weight = games * chance * (1 - chance)
    information = np.diag(weight.sum(axis=1) + prior * p / (1 + p) ** 2) - weight
    centre = np.eye(len(p)) - 1 / len(p)
    return centre @ np.log(p), centre @ np.linalg.pinv(information) @ centre


# -- who plays whom ------------------------------------------------------------------------
def swiss_round(order, met):
    """Return pairs of neighbours in an order, best first, who have not met."""
    left, pairs = list(order), []
    while left:
        a = left.pop(0)
        b = next((each for each in left if frozenset((a, each)) not in met), None)
        if b is not None:
            left.remove(b)
            pairs.append((a, b))
    return pairs


def is_connected(points):
    """Return whether games lead from every player to every other one."""
    reach = np.eye(len(points)) + points + points.T > 0
    for _ in range(len(points).bit_length()):
        reach = reach.astype(float) @ reach > 0
    return bool(reach.all())


def rounds_of(names, asked, points_now, seed=1):
    """Yield the pairs of each round; `points_now` returns the points that were made so far.

    asked   rounds of a Swiss system, 0 for a round robin; None: by the number of players
    """
    if asked is None:
        many = len(names) > MOST_IN_ROUND_ROBIN
        asked = math.ceil(math.log2(len(names))) + MORE_ROUNDS if many else 0
    if not asked:
        yield list(itertools.combinations(names, 2))
        return
    order, met = list(np.random.default_rng(seed).permutation(names)), set()
    for count in itertools.count(1):
        pairs = swiss_round(order, met)
        met |= {frozenset(pair) for pair in pairs}
        yield [tuple(sorted(map(str, pair), key=names.index)) for pair in pairs]
        points = points_now()
        if not pairs or (count >= asked and is_connected(points)):
            return
        order = [names[i] for i in np.argsort(-bradley_terry(points)[0], kind="stable")]

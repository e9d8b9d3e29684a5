"""What both nets see of a position: rows of tables for each point, and what stars spread.

A point asks for three rows of a table, one for each colour's set of lines and one for its pair
of point threats. The first half of their sum stays at the point itself, its center; the second
half is spread to the points of its star.
"""

import numpy as np
from five_in_a_row.engine import PAIR, PAIRS, pair_of, table_rows
from five_in_a_row.threats import LOW, POINT_THREAT, TAKEN
from numba import njit

PLACES = 24 * 24  # of the largest board, with two empty points around it


def net_kernel(function):
    """Return a function of a net, compiled when first called; it calls no search."""
    return njit(nogil=True, error_model="numpy", fastmath=True)(function)


@net_kernel
def pair_at(shapes, own):
    """Return the pair of point threats of a point, from its line shapes."""
    if shapes >= TAKEN[0]:
        return np.int64(PAIRS - 1)
    black, white = POINT_THREAT[shapes & LOW], POINT_THREAT[shapes >> np.uint32(16)]
    return pair_of(black, white) if own == 0 else pair_of(white, black)


@net_kernel
def count_rows(shapes, at, own):
    """Return how often positions ask for each row of the tables."""
    found = np.zeros(PAIR + PAIRS, np.int64)
    for i in range(own.size):
        for point in range(at[i], at[i + 1]):
            for row in table_rows(shapes[point], own[i], pair_at(shapes[point], own[i])):
                found[row] += 1
    return found


@net_kernel
def place_of(point, size):
    """Return the number of a point where two empty points lie around the board."""
    return point + 4 * (point // size) + 2 * size + 10


@net_kernel
def add_star(totals, numbers, i, wide):
    """Add the numbers of the star of i to the totals; a line of the board is `wide`."""
    for k in range(totals.size):
        totals[k] += numbers[i, k]
    for step in (1, wide - 1, wide, wide + 1):
        for j in (i - 2 * step, i - step, i + step, i + 2 * step):
            for k in range(totals.size):
                totals[k] += numbers[j, k]


@net_kernel
def sum_rows(table, shapes, size, own, index, center, spread):
    """Set index, center and spread [PLACES, ...] at every point of a position."""
    numbers = center.shape[1]
    spread[: (size + 4) * (size + 4)] = 0
    for point in range(size * size):
        i = place_of(point, size)
        index[i] = table_rows(shapes[point], own, pair_at(shapes[point], own))
        one, two, three = index[i]
        for k in range(numbers):
            center[i, k] = table[one, k] + table[two, k] + table[three, k]
            j = numbers + k
            spread[i, k] = table[one, j] + table[two, j] + table[three, j]


@net_kernel
def add_row_slopes(to_table, size, index, to_center, to_every):
    """Add to the slopes of a table those of every point; to_every: of all that is spread."""
    numbers = to_center.shape[1]
    to_spread = np.zeros(numbers, np.float32)
    for point in range(size * size):
        i = place_of(point, size)
        to_spread[:] = to_every
        add_star(to_spread, to_center, i, size + 4)
        for row in index[i]:
            for k in range(numbers):
                to_table[row, k] += to_center[i, k]
                to_table[row, numbers + k] += to_spread[k]

"""Games of the engine with itself, compiled: most of their positions are leaves of a tree.

With few simulations a move, a game is left at some move for a leaf of the search's tree, and
played on from there. At leaves the engine asks, and most come after moves that no search would
play.
"""

import time

import five_in_a_row as five
import numpy as np
from five_in_a_row.engine import engine_game
from five_in_a_row.search import LOST, WON, colour_to_move, random_below
from five_in_a_row.threats import (
    T_DEAD,
    T_FIVE,
    apply_live,
    find_point_threat,
    reset_live,
    threats_win,
)
from numba import njit

SIZES = (8, 9, 10, 11, 12, 13, 14, *[15] * 8, 17, 19, 20)  # boards are drawn from these
SIMULATIONS = 80  # a move
LOOK = 200  # positions to look at for a win by threats, before each move
BY_VISITS, STRAY = 8, 3  # first moves that are drawn by visits; of a hundred later ones
LEAST = 100  # games of a file
search = five.search.compiled_search(engine_game())


def kernel(function):
    """Return a function compiled when first called.

    Without fastmath: what it calls of the engine would inherit it, be cached so, and round
    otherwise in every later search on this machine.
    """
    return njit(nogil=True, error_model="numpy")(function)


# -- moves ----------------------------------------------------------------------------------
@kernel
def play_on(workspace, tree, point):
    """Play a move at the root, and begin a tree there."""
    reset_live(workspace)
    apply_live(workspace, point)
    root, board = workspace.root, workspace.board
    root.stones[:], root.lines[:] = board.stones, board.lines
    root.line_shapes[:], root.point_threat[:] = board.line_shapes, board.point_threat
    root.count[:], root.hash = board.count, board.hash
    root.start, root.empty = board.start, board.empty
    begin(workspace, tree)


@kernel
def begin(workspace, tree):
    """Forget the tree."""
    workspace.free_list[:] = 0
    workspace.free_list[0] = 1
    workspace.begun = workspace.full = workspace.complete = 0
    root = tree[0]
    root.first_child = root.N = root.W64 = root.num_children = root.num_visited = 0
    root.status = 0


@kernel
def drawn(workspace, tree, node, stop):
    """Return a child that is not decided, by visits; `stop` more visits count for none: 0."""
    first, total = np.int64(tree[node].first_child), np.int64(stop)
    last = first + tree[node].num_visited
    for child in range(first, last):
        total += tree[child].N * (tree[child].status < LOST)
    left = random_below(workspace, total) - stop if total > 0 else np.int64(-1)
    for child in range(first, last):
        if left < 0:
            break
        left -= tree[child].N * (tree[child].status < LOST)
        if left < 0:
            return np.int64(child)
    return np.int64(0)


@kernel
def most_visited(tree):
    """Return the root's child with the most visits that is not lost."""
    best, first = np.int64(0), np.int64(tree[0].first_child)
    for child in range(first, first + tree[0].num_visited):
        if tree[child].status != LOST and (best == 0 or tree[child].N > tree[best].N):
            best = np.int64(child)
    return best


@kernel
def result_of(workspace):
    """Return (True, +1, 0 or -1 for black) where a position is decided before any search."""
    board, own = workspace.board, colour_to_move(workspace) - 1
    mover, mine, theirs = 1 - 2 * own, board.count[own], board.count[1 - own]
    if mine[T_DEAD] == board.empty and theirs[T_DEAD] == board.empty:
        return True, 0
    if mine[T_FIVE] > 0:
        return True, mover
    if theirs[T_FIVE] > 1:
        return True, -mover
    if theirs[T_FIVE] == 0 and threats_win(workspace, own + 1, LOOK):
        return True, mover
    return False, 0


@kernel
def play_game(workspace, tree, options, opening, leave, moves, values):
    """Play a game; return (plies, the first that is kept or -1, the result for black).

    leave    after how many moves of its own it goes to a leaf
    moves    int64[400]: the points that were played
    values   float64[400]: of each ply, black's value in the search, or nan without one
    """
    begin(workspace, tree)
    for ply in range(opening.size):
        play_on(workspace, tree, opening[ply])
        moves[ply] = opening[ply]
    ply, kept, by_visits = opening.size, -1, opening.size + BY_VISITS
    leave += ply
    while True:
        reset_live(workspace)
        values[ply] = np.nan
        over, result = result_of(workspace)
        if over:
            return ply, kept, result
        own = colour_to_move(workspace) - 1
        if workspace.board.count[1 - own, T_FIVE] > 0:
            moves[ply] = find_point_threat(workspace, 1 - own, T_FIVE, 0)
            play_on(workspace, tree, moves[ply])
            ply += 1
            continue
        search(workspace, tree, options, SIMULATIONS)
        root, mover = tree[0], 1 - 2 * own
        if root.status >= LOST:
            return ply, kept, mover * ((root.status == LOST) - (root.status == WON))
        values[ply] = mover * (1 - root.W64 / 32 / root.N)
        if kept < 0 and ply >= leave:
            node, end = drawn(workspace, tree, np.int64(0), 0), ply
            while node > 0:
                moves[end] = tree[node].move
                end, node = end + 1, drawn(workspace, tree, node, 1)
            for step in range(ply, end):
                play_on(workspace, tree, moves[step])
            ply = kept = end
            by_visits = end + 2
            continue
        child = np.int64(0)
        if ply < by_visits or random_below(workspace, 100) < STRAY:
            child = drawn(workspace, tree, np.int64(0), 0)
        if child == 0:
            child = most_visited(tree)
        if child == 0:  # all that was tried is lost
            return ply, kept, -mover
        moves[ply] = tree[child].move
        play_on(workspace, tree, moves[ply])
        ply += 1


def opening(rng, size):
    """Return int64[n]: one to seven different points of a square, most near the middle."""
    reach, count = int(rng.integers(1, 5)), int(rng.integers(1, 8))
    middle = size // 2 + rng.integers(-1, 2, 2)
    if rng.random() < 0.25:
        middle = rng.integers(2, size - 2, 2)
    rows, cols = (
        np.arange(max(0, at - reach), min(size, at + reach + 1)) for at in middle.tolist()
    )
    return rng.permutation((rows[:, None] * size + cols).ravel())[:count]


def self_play(minutes, seed):
    """Play for that long, LEAST games or more; yield what is known of each game.

    Yields (rng, size, its workspace, the record of its empty board, the first ply that is
    kept, plies, result, moves, values); see play_game.
    """
    rng, until = np.random.default_rng(seed), time.monotonic() + 60 * minutes
    options = five.search.check_options(five.search.SearchOptions())
    spaces = {}
    for size in set(SIZES):
        game = five.game.Game(five.game.Rules(size))
        workspace = five.search.new_search(engine_game(), game, 100 * seed + size)
        spaces[size] = workspace, workspace["root"].copy()
    tree = five.search.empty_tree(60 * SIMULATIONS)
    moves, values, count = np.zeros(401, np.int64), np.zeros(401), 0
    while count < LEAST or time.monotonic() < until:
        size = int(rng.choice(SIZES))
        workspace, empty = spaces[size]
        workspace["root"] = empty
        leave = int(rng.integers(0, 26 if size > 9 else 12))
        start = opening(rng, size)
        plies, kept, result = play_game(workspace, tree, options, start, leave, moves, values)
        if 0 <= kept < plies:
            yield rng, size, workspace, empty, kept, plies, result, moves[:plies], values
            count += 1

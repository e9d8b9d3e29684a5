# Made from engine.ipynb by tools/build.py: change the notebook, not this file.


import contextlib
import dataclasses
import hashlib
import math
import sys
import threading
import time
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import from_dtype, typeof

from five_in_a_row.cache import HERE, inline_kernel, jit, made_once
from five_in_a_row.game import (
    BLACK,
    WHITE,
    Game,
    Rules,
    check_functions,
    check_number,
    check_switch,
    check_unfinished,
    quoted,
)
from five_in_a_row.mcts import SearchPlayer, SearchResult
from five_in_a_row.search import (
    COMPLETE,
    DRAWN,
    FIVE,
    LOST,
    MOST_VISITS,
    NODE,
    OPEN,
    WON,
    Budget,
    Kernels,
    SearchOptions,
    Tree,
    advance_root,
    check_budget,
    check_options,
    check_seed,
    choose_kernels,
    colour_to_move,
    forced_move,
    grow,
    is_listed,
    is_settled,
    is_stopped,
    mover,
    new_search,
    plain_game,
    random_below,
    read_tree,
    run_budget,
    search_record,
)
from five_in_a_row.threats import (
    FORCED_FIELDS,
    FULL,
    LOW,
    SHAPED,
    TAKEN,
    T_DEAD,
    T_FIVE,
    T_FOUR,
    T_OPEN_FOUR,
    add_move,
    apply_live,
    count_from,
    find_point_threat,
    free_point,
    init_live,
    list_defences,
    reset_live,
    shortest_fours,
    take_point,
    threats_win,
    wins_by_fours,
)


# ---- How does the engine judge a position without playing it out? ---------------------------


# by Search · shapes and threats

HIDDEN = 32  # units of the net that values a position
CHANNELS = 16  # numbers that a point has for itself, and as many that its neighbours read
POLICY_CHANNELS = 8  # numbers of a point that count for a stone there, or against it
BORDERED = 24 * 24  # places: all points, with two empty ones around the board
EXTRA = (  # of the workspace
    *FORCED_FIELDS,
    ("cleared", np.int64),  # the move that was last found to be sound, or -1
    ("stale", np.int16, 401),  # points whose rows are out of date
    ("filled_for", np.uint32, (2, 2, 400)),  # the shapes that each row was filled for
    ("rows", np.int16, (2, 2, BORDERED * CHANNELS)),  # u and m of each point, by the mover
    ("policy_rows", np.int16, (2, 2, BORDERED * POLICY_CHANNELS)),  # the same for the policy
    ("logits", np.int32, 400),  # what it says of each point
    ("near_far", np.int16, (2, 24 * CHANNELS)),  # sums of the near rows, and of the far ones
    ("line", np.int16, 20 * CHANNELS),  # features of one line of the board
    ("sums", np.int16, (2, 20 * CHANNELS)),  # of all lines: features, and all m
    ("totals", np.float32, (2, 20 * CHANNELS)),  # of all points, in the first CHANNELS
    ("hidden", np.float32, HIDDEN),
)


# ---- From shapes to a value -----------------------------------------------------------------


# by Heuristics · a game that only keeps its shapes up to date
@made_once
def live_game() -> Kernels:
    """Return kernels that place stones and keep all point threats, and no more."""
    return Kernels(
        SHAPED, reset_live, apply_live, *[None] * 5, init_root=init_live, extra=EXTRA
    )


def live_position(game: Game):
    """Return the workspace of a position with its shapes, for kernels that ask about it."""
    workspace = new_search(live_game(), game, seed=1)
    reset_live(workspace)
    return workspace


# by Heuristics · what a point sees: four line shapes in any order, a pair of point threats
SETS = 495  # of four out of nine; two more rows: a stone, the mover's or the other's


@lru_cache
def line_sets() -> np.ndarray:
    """Return the number of the set of four line shapes of four bits each, uint16[65536]."""
    shapes = np.sort(np.arange(1 << 16)[:, None] >> np.arange(0, 16, 4) & 15, axis=1)
    real, sets = shapes[:, -1] <= FIVE, np.zeros(1 << 16, np.uint16)
    sets[real] = np.unique(shapes[real], axis=0, return_inverse=True)[1].ravel()
    return sets


KINDS = FULL + 1  # point threats of one side, and a stone
PAIRS = KINDS * KINDS


@jit
def pair_of(mine, theirs):
    """Return the number of a pair of point threats: the mover's, and the other's."""
    return np.int64(mine) * KINDS + np.int64(theirs)


# by Heuristics · numbers from a file of the package
UNREADABLE = (  # what numpy raises for a damaged file, or one of another kind
    *(OSError, EOFError, ValueError, KeyError, TypeError, AttributeError),
    *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error),
)


def numbers_digest(arrays: dict) -> str:
    """Return a digest of {name: whole numbers}."""
    parts = (name.encode() + np.asarray(a, "<i4").tobytes() for name, a in arrays.items())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def read_numbers(file: Path, **otherwise) -> list[np.ndarray]:
    """Return the named arrays of an .npz file; without a whole one, those of `otherwise`."""
    try:
        with open(file, "rb") as opened, np.load(opened) as held:
            arrays = {name: held[name].astype(np.int32) for name in otherwise}
            if numbers_digest(arrays) != str(held["digest"]):
                raise ValueError("it is damaged")
        return [arrays[name].reshape(like.shape) for name, like in otherwise.items()]
    except UNREADABLE as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        print(f"five_in_a_row: plays without {Path(file).name} ({reason})", file=sys.stderr)
        return list(otherwise.values())


# by Heuristics · the evaluation, from its file
UNIT, TOP = 64, 384  # whole numbers that stand for 1, and for 6, the largest feature
FRACTION = 1 << 20  # of the net's weights
OTHER, PAIR = SETS + 2, 2 * (SETS + 2)  # first rows by the other's set, and by the pair
LIFT = np.repeat([0x4000, 0x2000], [OTHER, OTHER + PAIRS])  # so that no number is negative
LINE_SETS = line_sets()

NO_PLACES = {
    "rows": np.zeros((PAIR + PAIRS, 2 * CHANNELS), np.int32),
    "net": np.zeros((2 * CHANNELS + 1, HIDDEN), np.int32),  # the last row: without an input
    "answer": np.zeros(HIDDEN + 1, np.int32),
}
PLACES, NET, ANSWER = read_numbers(HERE / "places.npz", **NO_PLACES)
LANES = (PLACES + LIFT[:, None]).astype(np.uint16).view(np.uint64)  # four numbers each
NET, ANSWER = (NET / FRACTION).astype(np.float32), (ANSWER / FRACTION).astype(np.float32)
NET[:-1] /= 16 * UNIT  # an input is a sixteenth of a total


# by Heuristics · the rows of the points whose shapes have changed, four numbers in a word
NEVER_FILLED = np.uint32(0xFFFFFFFD)  # shapes that no point has: a row that was never filled
SIGNS = np.uint64(0x8000800080008000)


@jit
def table_rows(shapes, own, pair):
    """Return the rows of the three tables for a point's shapes and pair of point threats."""
    black, white = LINE_SETS[shapes & LOW], LINE_SETS[shapes >> np.uint32(16)]
    mine, theirs = (black, white) if own == 0 else (white, black)
    if shapes >= TAKEN[0]:
        mine = theirs = np.uint16(SETS if shapes == TAKEN[own] else SETS + 1)
    return np.uint64(mine), np.uint64(OTHER) + np.uint64(theirs), np.uint64(PAIR + pair)


def build_fill_rows(lanes):
    """Return fill_rows(workspace, own, filled_for, rows), for four numbers in a word."""
    words = np.uint64(lanes.shape[1] // 2)

    @inline_kernel
    def fill_rows(workspace, own, filled_for, rows):
        """Fill the rows of points whose shapes have changed, for the mover, 0 or 1."""
        board, geo = workspace.board, workspace.geo
        itself, around = rows[own, 0].view(np.uint64), rows[own, 1].view(np.uint64)
        stale, many = workspace.stale, np.uint64(0)
        for point in range(geo.points):
            stale[many] = point
            many += np.uint64(
                board.line_shapes[point] ^ NEVER_FILLED != filled_for[own, point]
            )
        for i in range(many):
            point = np.int64(stale[i])
            shapes = board.line_shapes[point]
            filled_for[own, point] = shapes ^ NEVER_FILLED
            threats = board.point_threat[own, point], board.point_threat[1 - own, point]
            one, two, three = table_rows(shapes, own, pair_of(*threats))
            row = np.int64(geo.row[point])
            place = np.uint64(point + 4 * row + 2 * geo.size + 10) * words  # with the border
            for k in range(words):
                far = k + words
                u, m = lanes[one, k] + lanes[two, k], lanes[one, far] + lanes[two, far]
                itself[place + k] = (u + lanes[three, k]) ^ SIGNS
                around[place + k] = (m + lanes[three, far]) ^ SIGNS

    return fill_rows


fill_rows = build_fill_rows(LANES)


# by Heuristics · the features of one line of the board, and of all points, summed
def build_add_star_points(channels):
    """Return add_star_points(workspace, itself, around, row): workspace.line is u and star."""
    one, two = np.uint64(channels), np.uint64(2 * channels)

    @inline_kernel
    def add_star_points(workspace, itself, around, row):
        geo, line, (near, far) = workspace.geo, workspace.line, workspace.near_far
        wide, full = np.uint64(geo.size) * one, np.uint64(geo.size + 4) * one
        top = np.uint64(row) * full
        above, here = top + full, top + full + full
        below, first = here + full, here + two
        bottom = below + full
        for x in range(full):
            near[x] = around[above + x] + around[here + x] + around[below + x]
            far[x] = around[top + x] + around[bottom + x]
        for x in range(wide):
            middle, right = x + two, x + two + two
            line[x] = (
                itself[first + x]
                + (near[middle - one] + near[middle] + near[middle + one])
                + (far[x] + far[middle] + far[right])
                + (around[here + x] + around[here + right])
            )

    return add_star_points


add_feature_star_points = build_add_star_points(CHANNELS)


@jit
def sum_features(workspace, own):
    """Set workspace.totals[:, :CHANNELS]: the sums of all features, and of all m."""
    geo, line, totals = workspace.geo, workspace.line, workspace.totals
    itself, around = workspace.rows[own, 0], workspace.rows[own, 1]
    features, around_sums = workspace.sums[0], workspace.sums[1]
    one = np.uint64(CHANNELS)
    wide, first = np.uint64(geo.size) * one, np.uint64(2 * geo.size + 10) * one
    for x in range(wide):
        features[x] = around_sums[x] = 0
    for row in range(geo.rows):
        add_feature_star_points(workspace, itself, around, row)
        for x in range(wide):
            features[x] += min(max(line[x], np.int16(0)), np.int16(TOP))
            around_sums[x] += around[first + x]
        first += np.uint64(geo.size + 4) * one
    for x in range(wide):
        totals[0, x], totals[1, x] = np.float32(features[x]), np.float32(around_sums[x])
    left = np.uint64(geo.size)
    while left > np.uint64(1):
        half = (left + np.uint64(1)) >> np.uint64(1)
        for x in range((left - half) * one):
            totals[0, x] += totals[0, x + half * one]
            totals[1, x] += totals[1, x + half * one]
        left = half


# by Heuristics · totals and net: the value of a position, tanh of half its logit
@jit
def place_logit(workspace, own):
    """Return the logit of the value for the player to move, 0 black or 1 white."""
    hidden, totals = workspace.hidden, workspace.totals
    fill_rows(workspace, own, workspace.filled_for[0], workspace.rows)
    sum_features(workspace, own)
    for j in range(HIDDEN):
        hidden[j] = NET[2 * CHANNELS, j]
    for k in range(CHANNELS):
        feature, around_sum = totals[0, k], totals[1, k]
        for j in range(HIDDEN):
            hidden[j] += NET[k, j] * feature + NET[CHANNELS + k, j] * around_sum
    logit = ANSWER[HIDDEN]
    for j in range(HIDDEN):
        logit += max(np.float32(0), hidden[j]) * ANSWER[j]
    return logit


@jit
def evaluate(workspace):
    """Return the value of a position for black, from -1 to +1."""
    own = colour_to_move(workspace) - 1
    value = math.tanh(place_logit(workspace, own) / 2)
    return value if own == 0 else -value


def evaluation(game: Game) -> float:
    """Return what evaluate says of a position of five in a row, -1...+1 from black's view."""
    return float(evaluate(live_position(game)))


# ---- What is certain at a new node ----------------------------------------------------------


# by Heuristics · what is certain at a new node
AT_ROOT = np.int64(5_000)  # positions to look at for fours before the first simulation


@jit
def engine_terminal(workspace, options):
    """Return WON, DRAWN, LOST or OPEN for the player who just moved."""
    board = workspace.board
    own = 0 if board.start == 0 else 1  # to move
    mine, theirs = board.count[own], board.count[1 - own]
    if board.won:
        return WON
    if board.empty == 0:
        return DRAWN
    if mine[T_FIVE] > 0:
        return LOST
    if theirs[T_FIVE] > 1:
        return WON
    if workspace.safe or options.vcf_nodes == 0:
        return OPEN
    return LOST if wins_by_fours(workspace, own + 1, options.vcf_nodes) else OPEN


# by Heuristics · where few moves can help, only those
@jit
def list_forced(workspace, colour, nodes):
    """List in workspace.moves the only moves that can help against a five or a win by fours.

    Returns how many there are; 0: `colour`, which is to move, has a five itself, or its
    opponent has no such threat, or a search of `nodes` positions found none. workspace.safe
    is set to 1 if it tried all of them: whatever `colour` plays, there is no such win then.
    """
    board = workspace.board
    own, other, length, point = colour - 1, 2 - colour, np.int64(0), np.int64(-1)
    if board.count[own, T_FIVE] > 0:
        return 0
    if board.count[other, T_FIVE] > 0:
        for _ in range(board.count[other, T_FIVE]):
            point = find_point_threat(workspace, other, T_FIVE, point + 1)
            length = add_move(workspace, point, length)
    elif nodes > 0 and count_from(board, other, T_FOUR) > 0:
        if wins_by_fours(workspace, 3 - colour, nodes):
            length = list_defences(workspace, colour)
        else:
            workspace.safe = workspace.left > 0  # every four was tried
    elif nodes > 0:
        workspace.safe = 1  # there is no four to try
    return length


# ---- The policy -----------------------------------------------------------------------------


# by Heuristics · the policy, from its file
DEGREE = np.array([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3])  # urgency by threat
CONTEXTS = 16
CERTAIN = 1024  # a logit so far below the best counts as far as any

NO_POLICY = {
    "rows": np.zeros((PAIR + PAIRS, 2 * POLICY_CHANNELS), np.int32),
    "logits": np.zeros((CONTEXTS, PAIRS), np.int32),
}
POLICY_ROWS, POLICY = read_numbers(HERE / "policy.npz", **NO_POLICY)
POLICY_LANES = (POLICY_ROWS + LIFT[:, None]).astype(np.uint16).view(np.uint64)
COARSE = np.round(np.exp(np.arange(-31, 1) * 32 / UNIT) * (1 << 20)).astype(np.int64)
FINE = np.round(np.exp(np.arange(-31, 1) / UNIT) * (1 << 10)).astype(np.int64)


@jit
def policy_score(logit, best):
    """Return e to the power of logit - best, in units of 1/64, as a score: 1 to a million."""
    at = max(0, CERTAIN - 1 + logit - best)
    return max(np.int64(1), COARSE[at >> 5] * FINE[at & 31] >> 10)


# by Heuristics · the context of a board, and the logits of all points
LARGEST_SUMS = np.uint64(TOP * 0x0001000100010001)
fill_policy_rows, add_policy_star_points = (
    build_fill_rows(POLICY_LANES),
    build_add_star_points(POLICY_CHANNELS),
)


@jit
def context_of(board, own):
    """Return 0 to 15: four times the degree of the mover's best threat, plus the other's.

    own   0 black, 1 white
    """
    context = 0
    for colour in (own, 1 - own):
        best = T_FIVE
        while best > 0 and board.count[colour, best] == 0:
            best -= 1
        context = 4 * context + DEGREE[best]
    return context


@jit
def logit_of(workspace, own, context, point, words, pair):
    """Return the logit of a point; words[pair : pair + 2] are its features for and against.

    A point with a stone has a logit below all others.
    """
    board = workspace.board
    mine, theirs = board.point_threat[own, point], board.point_threat[1 - own, point]
    if mine == FULL:
        return np.int64(-1 << 30)
    word = words[pair] + LARGEST_SUMS - words[pair + np.uint64(1)]
    word += word >> np.uint64(32)
    word += word >> np.uint64(16)
    features = np.int64(word & np.uint64(0xFFFF)) - 4 * TOP
    return features + np.int64(POLICY[context, pair_of(mine, theirs)])


@jit
def policy_logits(workspace, own):
    """Set workspace.logits[point], in units of 1/64, for the player to move; return the best.

    The rows of the points are up to date, see fill_policy_rows.
    """
    geo, line = workspace.geo, workspace.line
    itself, around = workspace.policy_rows[own, 0], workspace.policy_rows[own, 1]
    context, words = context_of(workspace.board, own), line.view(np.uint64)
    wide, best, point = np.uint64(geo.size * POLICY_CHANNELS), np.int64(-1 << 30), np.int64(0)
    for row in range(geo.rows):
        add_policy_star_points(workspace, itself, around, row)
        for x in range(wide):
            line[x] = min(max(line[x], np.int16(0)), np.int16(TOP))
        for col in range(np.uint64(geo.size)):
            logit = logit_of(workspace, own, context, point, words, np.uint64(2) * col)
            workspace.logits[point] = logit
            best = max(best, logit)
            point += 1
    return best


# by Heuristics · the logits of a few points
@jit
def logits_of_moves(workspace, own, count):
    """Do as policy_logits does, for the points workspace.moves[:count] alone."""
    geo, line = workspace.geo, workspace.line
    itself, around = workspace.policy_rows[own, 0], workspace.policy_rows[own, 1]
    context, words = context_of(workspace.board, own), line.view(np.uint64)
    one, best = np.uint64(POLICY_CHANNELS), np.int64(-1 << 30)
    two, full = one + one, np.uint64(geo.size + 4) * one
    for i in range(count):
        point = np.int64(workspace.moves[i])
        row = np.int64(geo.row[point])
        here = np.uint64(point + 4 * row + 2 * geo.size + 10) * one
        above, below, top, bottom = here - full, here + full, here - 2 * full, here + 2 * full
        for x in range(one):
            line[x] = itself[here + x] + around[here - two + x] + around[here + two + x]
            for near in (above, here, below):
                line[x] += around[near - one + x] + around[near + x] + around[near + one + x]
            for far in (top, bottom):
                line[x] += around[far - two + x] + around[far + x] + around[far + two + x]
            line[x] = min(max(line[x], np.int16(0)), np.int16(TOP))
        logit = logit_of(workspace, own, context, point, words, np.uint64(0))
        workspace.logits[point] = logit
        best = max(best, logit)
    return best


# by Heuristics · the moves, best first, with their priors
@jit
def insert_move(workspace, point, score, first, place):
    """Put a move where its score belongs in workspace.moves[first:place], best first."""
    moves, scores = workspace.moves, workspace.scores
    while place > first and scores[place - 1] < score:
        moves[place], scores[place] = moves[place - 1], scores[place - 1]
        place -= 1
    moves[place], scores[place] = point, score


@jit
def set_priors(workspace, start, stop, total):
    """Set workspace.priors[start:stop]: 255 times the root of the scores' share in `total`."""
    for i in range(start, stop):
        workspace.priors[i] = np.uint8(255 * math.sqrt(workspace.scores[i] / total))


@jit
def engine_moves(workspace, had, want, options):
    """Append moves to workspace.moves[:had], with workspace.priors; return the new length.

    workspace.complete is set to 1 where no other move can help.
    """
    board, geo, colour = workspace.board, workspace.geo, colour_to_move(workspace)
    moves, scores, logits, own = (
        workspace.moves,
        workspace.scores,
        workspace.logits,
        colour - 1,
    )
    mine, total, length, worst, most = board.point_threat[own], 0, had, -1, had + want
    forced = list_forced(workspace, colour, options.vcf_nodes) if had == 0 else 0
    if forced > 0:
        workspace.complete, most = 1, forced
    if forced == 1:  # it has all the attention
        best = logits[moves[0]] = 0
    else:
        fill_policy_rows(workspace, own, workspace.filled_for[1], workspace.policy_rows)
        few = forced > 0
        best = (
            logits_of_moves(workspace, own, forced) if few else policy_logits(workspace, own)
        )
    start = random_below(workspace, geo.points)  # so that chance decides between equals
    opens = board.empty == geo.points  # no stone yet: the middle comes first
    middle = geo.rows // 2 * geo.size + geo.size // 2
    for i in range(forced if forced > 0 else np.int64(geo.points)):
        point = np.int64(moves[i]) if forced > 0 else start + i
        point -= geo.points if point >= geo.points else 0
        score = policy_score(np.int64(logits[point]), best)
        score *= 1_000 if opens and point == middle else 1
        total += score
        if score <= worst or mine[point] == FULL or is_listed(moves, had, point):
            continue
        insert_move(workspace, point, score, had, min(length, most - 1))
        length = min(length + 1, most)
        worst = scores[most - 1] if length == most else -1
    set_priors(workspace, had, length, total)
    return length


# ---- Select with priors ---------------------------------------------------------------------


# by Heuristics · select with priors
@jit
def puct_kernel(workspace, tree, node, untried, options):
    """Return the child with the highest Q + c P sqrt(N) / (1 + n); 0 if there is none.

    `untried`, the best child without visits, counts as a little worse than its node.
    Source: Rosin 2011 (predictor and UCB); the form is that of Silver and others 2016.
    """
    record, one = tree[node], np.float32(1)
    first = np.int64(record.first_child)
    exploration = np.float32(options.c_prior * math.sqrt(record.N) / 65025)
    unit, best, chosen = np.float32(1 / 64), np.float32(-1e9), np.int64(0)
    if untried > 0:
        prior = np.float32(tree[untried].prior)
        known = 1 - record.W64 / (64 * max(1, record.N)) - options.fpu_reduction
        best, chosen = np.float32(known) + exploration * prior * prior, np.int64(untried)
    for i in range(first, first + record.num_visited):
        child = tree[i]
        if child.status > COMPLETE and options.solve and is_settled(child.status, record.N):
            continue
        n, reward = np.float32(child.N), unit * np.float32(child.W64)
        bonus, after = exploration * np.float32(child.prior) ** 2, n + one
        score = (reward * after + bonus * n) / (n * after)  # one division is faster than two
        if score > best:
            best, chosen = score, np.int64(i)
    return chosen


# by Heuristics · a first look at the root, and the engine's game
@jit
def engine_look(workspace, options):
    """True if the player to move at the root wins by fours; workspace.win is then the line.

    It also begins what the search keeps: workspace.cleared.
    """
    workspace.cleared = -1
    return options.vcf_nodes > 0 and shortest_fours(
        workspace, colour_to_move(workspace), AT_ROOT
    )


@made_once
def engine_game() -> Kernels:
    """Return the kernels of the engine's game."""
    return Kernels(
        SHAPED,
        reset_live,
        apply_live,
        engine_terminal,
        mover,
        engine_moves,
        evaluate,
        batch=4,
        best_first=True,
        init_root=init_live,
        look=engine_look,
        select=puct_kernel,
        rule="PUCT",
        extra=EXTRA,
        turned=True,
    )


# ---- Before the first simulation ------------------------------------------------------------


# by Search · a look that can be stopped
LONG_LOOK = 4_800  # positions; a longer look may take more than 20 ms


@contextlib.contextmanager
def stoppable(workspace, budget: Budget, nodes: int):
    """Meanwhile, a search for threats ends soon after the budget's stop flag is raised.

    nodes   positions that it may look at; few need no watching
    """
    if budget.stop is None or nodes <= LONG_LOOK:
        yield
        return
    ended = threading.Event()

    def watch():
        while not ended.wait(0.005):
            if is_stopped(budget):
                workspace.budget = 0

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


# by Search · how much may be looked at before the first simulation
THREAT_SHARE = 0.1  # of the time, for a win; as much again for the moves that lose
THREAT_BUDGETS = (
    300,
    1_200,
    4_800,
    19_200,
    76_800,
    307_200,
)  # positions, in each search for threats
ALARM_BUDGETS = (1_000, 4_000, 16_000, 64_000)  # and for what the opponent threatens to do
POSITION_SECONDS = 4e-6  # a position takes this at most
PER_SIMULATION = 10  # positions for each simulation, where those are the budget


def positions_of(budget: Budget) -> float:
    """Return how many positions may be looked at for threats instead of all simulations."""
    return min(budget.seconds / POSITION_SECONDS, 2 * budget.simulations)


class ThreatLook:
    """Searches for wins by threats at the root, within a share of the budget."""

    def __init__(self, tree: "Tree", budget: "Budget", begun: float):
        self.workspace, self.budget, self.begun, self.looked = tree.workspace, budget, begun, 0
        self.rounds = [nodes for nodes in THREAT_BUDGETS if nodes <= tree.options.vct_nodes]

    def allows(self, nodes: int, share: float) -> bool:
        """True if there is time for that many positions more."""
        budget = self.budget
        if is_stopped(budget):
            return False
        begun = budget.clock() - self.begun
        most = max(THREAT_BUDGETS[0], PER_SIMULATION * budget.simulations)
        in_time = begun + nodes * POSITION_SECONDS <= share * budget.seconds
        return in_time and self.looked + nodes <= most

    def wins(self, colour: int, nodes: int) -> bool:
        """True if the colour, 1 or 2, to move, wins by threats; see threats_win."""
        with stoppable(self.workspace, self.budget, nodes):
            won = threats_win(self.workspace, colour, nodes)
        self.looked += nodes - int(self.workspace.budget)
        return won

    def is_alarmed(self, other: int, share: float) -> bool:
        """True if the colour `other`, 1 or 2, would win by threats if it were to move.

        Few positions are looked at first, and more than ALARM_BUDGETS[0] only where they are a
        small part of the budget.
        """
        for nodes in ALARM_BUDGETS:
            small = nodes <= max(ALARM_BUDGETS[0], THREAT_SHARE * positions_of(self.budget))
            if not small or not self.allows(nodes, share):
                return False
            if self.wins(other, nodes):
                return True
            if self.workspace.budget > 0:  # every threat was tried
                return False
        return False

    def loses(self, point: int, colour: int, nodes: int) -> bool:
        """True if the other colour wins by threats after the colour has played the point."""
        take_point(self.workspace, point, colour)
        lost = self.wins(3 - colour, nodes)
        free_point(self.workspace, point, colour)
        return lost


# by Search · a win by threats at the root, and the moves that remain
def look_for_threats(tree: Tree, budget: Budget, begun: float) -> None:
    """Decide the root if the player to move wins by threats; else drop moves that lose."""
    look, own = ThreatLook(tree, budget, begun), 1 if tree.to_move == BLACK else 2
    reset_live(tree.workspace)
    for nodes in look.rounds:
        if not look.allows(nodes, THREAT_SHARE):
            break
        if look.wins(own, nodes):
            tree.nodes["status"][0] = LOST  # tree.workspace.win is the line
            return
        if tree.workspace.budget > 0:  # no threat is left to try
            break
    if tree.root.status == OPEN:
        drop_lost_moves(tree, look, own)


def keep_moves(tree: Tree, kept: list) -> None:
    """Make the (move, prior) pairs the only moves of a new root: all others lose.

    In a tree that goes on, the others that have visits are marked as lost.
    """
    nodes, workspace = tree.nodes, tree.workspace
    if tree.root.children:  # a tree that goes on: mark what is lost
        first, moves = int(nodes["first_child"][0]), [move for move, _ in kept]
        for child in range(first, first + int(nodes["num_visited"][0])):
            if nodes["move"][child] not in moves:
                nodes["status"][child] = LOST
        return
    workspace.moves[: len(kept)], workspace.priors[: len(kept)] = zip(*kept, strict=True)
    if grow(nodes, workspace, 0, len(kept)):
        nodes["status"][0] = COMPLETE


# by Search · leave out the moves that lose to threats
def drop_lost_moves(tree: Tree, look: ThreatLook, own: int) -> None:
    """Give the root only the moves after which the opponent finds no win by threats.

    Nothing changes if the opponent, were it to move, has no such win. If every move loses,
    those that take longest to refute are kept.
    """
    workspace, share = tree.workspace, 2 * THREAT_SHARE
    if not look.is_alarmed(3 - own, share):
        return
    count = engine_moves(workspace, 0, tree.rules.points, tree.options)
    kept = list(
        zip(workspace.moves[:count].tolist(), workspace.priors[:count].tolist(), strict=True)
    )
    for nodes in look.rounds:
        left, held, unsure = [], 0, False
        for move in kept:
            if not look.allows(nodes, share):
                left.append(move)
            elif not look.loses(move[0], own, nodes):
                left.append(move)
                held, unsure = held + 1, unsure or workspace.budget <= 0
        if not held:  # all that were asked lose: those before this round stay
            break
        kept = left
        if not unsure:  # no time, or every threat tried
            break
    if len(kept) < count:
        keep_moves(tree, kept)


# ---- Is the favourite sound? ----------------------------------------------------------------


# by Search · the favourite is asked whether it loses by threats
PARTS = (0.2, 0.4, 0.6, 0.8, 0.9, 1.0)  # of the budget; after each but the last it is asked
SHORT, DOUBT = 25_000, 0.02  # positions, see positions_of; of those, for each time


@jit
def favourite(tree):
    """Return the most visited child of the root that is not lost; -1 if no other is left."""
    first, best, hold = np.int64(tree[0].first_child), np.int64(-1), 0
    for i in range(first, first + tree[0].num_visited):
        if tree[i].status != LOST:
            hold += 1
            if best < 0 or tree[i].N > tree[best].N:
                best = np.int64(i)
    return best if hold > 1 else np.int64(-1)


@jit
def doubt_favourite(tree, workspace, positions):
    """Mark favourites as lost while the opponent wins by threats after them.

    A favourite after which every threat has been tried, workspace.cleared, is not asked again.
    """
    reset_live(workspace)  # the board was that of the last leaf
    own, left, best = colour_to_move(workspace), positions, favourite(tree)
    while best >= 0 and left > 0:
        point = np.int64(tree[best].move)
        if point == workspace.cleared:
            break
        take_point(workspace, point, own)
        lost = threats_win(workspace, 3 - own, left)
        free_point(workspace, point, own)
        if not lost:
            workspace.cleared = point if workspace.budget > 0 else -1
            break
        tree[best].status = LOST
        left, best = workspace.budget, favourite(tree)


# by Search · whether to look for threats at all
def may_threaten(tree: Tree, stones: int = 2) -> bool:
    """True if one side may have a threat; all that looks for it is compiled by then."""
    wanted = tree.kernels.board is SHAPED and tree.options.vct_nodes > 0
    if not wanted or max((tree.cells == BLACK).sum(), (tree.cells == WHITE).sum()) < stones:
        return False
    compile_threats()
    return tree.root.status <= COMPLETE


@lru_cache
def compile_threats() -> None:
    """Compile what looks for threats before a search, once a session."""
    workspace, nodes = from_dtype(search_record(SHAPED, EXTRA)), from_dtype(NODE)[::1]
    number, options = typeof(0), typeof(check_options(SearchOptions()))
    reset_live.compile((workspace,))
    threats_win.compile((workspace, number, number))
    doubt_favourite.compile((nodes, workspace, number))
    take_point.compile((workspace, number, number))
    free_point.compile((workspace, number, number))
    engine_moves.compile((workspace, number, number, options))
    grow.compile((nodes, workspace, number, number))


# by Search · which game the engine plays, and a tree that is ready to be searched
def begin_tree(
    game: Game, tree: Tree | None, options, budget: Budget, begun: float, kernels: Kernels
) -> tuple[Tree, float]:
    """Return a tree of the game's position, and when thinking began by the budget's clock.

    tree    an earlier tree of this game to go on from, or None
    begun   when think was called
    """
    called = budget.clock()
    if tree is None:
        tree = Tree(game, kernels, options, budget.records())
        threats = may_threaten(tree)
        begun += budget.clock() - called  # compiling and an empty tree are not thinking
    else:
        may_threaten(tree, stones=0)
        begun += budget.clock() - called
        tree = advance_root(tree, game, options, budget, begun)
        threats = may_threaten(tree)
    if threats:
        look_for_threats(tree, budget, begun)
    return tree, begun


def kernels_for(rules: Rules) -> Kernels:
    """Return the engine's five in a row, and plain search for any other game of Rules."""
    return choose_kernels(rules, engine_game)


def forced_thought(game: Game, line: list[int], why: str, seed: int) -> SearchResult:
    """Return the SearchResult of a move that needed no search."""
    blank = np.full(game.array.shape, np.nan)
    proven = 1 if why == "five" else None
    visits = np.zeros(blank.shape, np.int64)
    return SearchResult(line[0], why, visits, blank, blank.copy(), 0, 0.0, line, proven, seed)


# by Search · a search in parts
def run_in_parts(tree: Tree, budget: Budget, on_progress, begun: float) -> tuple[int, float]:
    """Spend the budget; between its parts, doubt the favourite. Returns as run_budget does."""
    done, took, wanted = 0, 0.0, tree.options.doubt and may_threaten(tree)
    whole = positions_of(budget)
    positions = DOUBT * min(whole, SHORT) + tree.options.doubt * max(0, whole - SHORT)
    positions = min(positions, tree.options.vct_nodes)
    for share in PARTS if wanted else PARTS[-1:]:
        most = max(1, int(min(share * budget.simulations, MOST_VISITS)))
        if done and (most <= done or took >= share * budget.seconds):
            continue
        part = budget._replace(seconds=share * budget.seconds, simulations=most)
        done, took = run_budget(tree, part, on_progress, begun, done)
        spent = took >= budget.seconds or done >= min(budget.simulations, MOST_VISITS)
        if spent or tree.root.status > COMPLETE or is_stopped(budget):
            break
        spared = int(min(positions, (budget.seconds - took) / POSITION_SECONDS))
        with stoppable(tree.workspace, budget, spared):
            doubt_favourite(tree.nodes, tree.workspace, spared)
    return done, took


# ---- Ten levels -----------------------------------------------------------------------------


# by Search · ten levels
class Level(NamedTuple):
    """How strong the engine plays; None: as much as the budget allows."""

    simulations: int | None = None  # at most
    z: float | None = None  # draw a move in proportion to visits ** z; None: the most visited
    least: float = 0.1  # of the favourite's visits; moves with fewer are not drawn
    c_prior: float = SearchOptions().c_prior  # more: visits follow the priors, not the values
    vcf_nodes: int = 0
    vct_nodes: int = 0
    fours: float = 0.0  # chance to overlook, at one move, where the opponent makes five
    threes: float = 0.0  # and where the opponent makes an open four


LIMITED = ("c_prior", "vcf_nodes", "vct_nodes")  # fields of SearchOptions

LEVELS = {
    1: Level(100, 0.3, 0.02, 20.0, fours=0.4, threes=0.7),
    2: Level(100, 0.72, 0.02, 20.0, fours=0.16, threes=0.38),
    3: Level(100, 0.82, 0.02, 9.5, fours=0.04, threes=0.12),
    4: Level(100, 1.1, 0.045, 5.8),
    5: Level(100, 1.15, 0.08, 3.2),
    6: Level(100, 1.4, 0.1, 1.5),
    7: Level(130, 1.5, 0.1, 1.2, vcf_nodes=5),
    8: Level(260, 1.8, 0.1, vcf_nodes=20, vct_nodes=1_000),
    9: Level(900, 2.6, 0.1, vcf_nodes=60, vct_nodes=10_000),
    10: Level(None, **{name: getattr(SearchOptions(), name) for name in LIMITED}),
}


def limit_to_level(level: Level, budget: Budget, options: SearchOptions):
    """Return (Budget, SearchOptions) as the level allows them; level 10 changes nothing."""
    if level.simulations is None:
        return budget, options
    budget = budget._replace(simulations=min(budget.simulations, level.simulations))
    limits = {name: getattr(level, name) for name in LIMITED}
    return budget, options._replace(**limits)


# by Heuristics · what threatens the player to move, and what answers it
def threat_answers(game: Game) -> tuple[int, list[int]]:
    """Return the opponent's threat, T_FIVE, T_OPEN_FOUR or T_DEAD for none, and its answers.

    They leave the opponent the fewest points of that threat. There is nothing to answer for
    a player who can make five, or in a game other than five in a row.
    """
    if choose_kernels(game.rules, engine_game).board is not SHAPED:
        return T_DEAD, []
    workspace, own = live_position(game), 0 if game.to_move == BLACK else 1
    count, theirs = workspace.board.count, workspace.board.point_threat[1 - own]
    threat = T_FIVE if count[1 - own, T_FIVE] else T_OPEN_FOUR
    if count[own, T_FIVE] or not count[1 - own, threat]:
        return T_DEAD, []
    left = {}
    for point in np.flatnonzero((theirs >= T_FOUR) & (theirs < FULL)).tolist():
        take_point(workspace, point, own + 1)
        left[point] = count[1 - own, threat]
        free_point(workspace, point, own + 1)
    least = min(left.values())
    return threat, [point for point in left if left[point] == least]


# by Search · draw the move of a level
def check_level(level) -> Level:
    """Return the Level of a number from 1 to 10, or of None for full strength."""
    level = 10 if level is None else level
    return LEVELS[check_number("level", level, 1, 10, whole=True)]


def overlooked_threat(game: Game, level: Level, seed: int) -> tuple[list[int], bool]:
    """Return the answers to the opponent's threat, and whether the level overlooks it now.

    There are none where nothing threatens, or where the level has no rate for it.
    """
    threat, answers = threat_answers(game) if level.threes else (T_DEAD, [])
    rate = {T_FIVE: level.fours, T_OPEN_FOUR: level.threes}.get(threat, 0)
    return answers, np.random.default_rng([seed, len(game.played), 1]).random() < rate


def play_level(thought, level: Level, game: Game, answers=(), missed=False) -> SearchResult:
    """Return the thought with the move that the level plays.

    answers   to a threat, see overlooked_threat: only these are drawn; `missed`: only others
    """
    sure = thought.proven == 1 and not (missed and thought.move in answers)
    if sure or level.z is None:
        return thought
    near = np.zeros(game.array.shape, bool)
    for row, col in np.argwhere(game.array):
        near[max(row - 2, 0) : row + 3, max(col - 2, 0) : col + 3] = True
    near &= game.array == 0
    alone = np.count_nonzero(game.array) == 1 and near.sum() == 24  # far from all edges
    if answers:
        answer = np.isin(np.arange(near.size), answers).reshape(near.shape)
        near &= ~answer if missed else answer
    weights = thought.visits * near
    if not weights.any():
        weights = near if answers or alone else thought.visits
    if not weights.any():
        return thought
    points = np.flatnonzero(weights >= max(1, level.least * weights.max()))
    chances = (weights.flat[points] / weights.max()) ** level.z
    rng = np.random.default_rng([thought.seed, len(game.played)])
    move = int(rng.choice(points, p=chances / chances.sum()))
    proven = None if missed else thought.proven
    return dataclasses.replace(thought, move=move, why="level", line=[move], proven=proven)


# ---- think ----------------------------------------------------------------------------------


# by Search · what is asked of the engine, checked
def check_asked(
    *,
    seconds=None,
    simulations=None,
    seed=None,
    level=None,
    options=SearchOptions(),
    on_progress=None,
    tree=None,
    stop=None,
    clock=time.perf_counter,
    kernels=None,
) -> tuple[Level, Budget, SearchOptions]:
    """Return (Level, Budget, SearchOptions) of the arguments of think(), as the level allows.

    Raises ValueError that names the first of them that makes no sense, and what would.
    """
    strength, options = check_level(level), check_options(options)
    if seed is not None:
        options = options._replace(seed=check_seed(seed))
    check_functions(on_progress=on_progress)
    if tree is not None and not isinstance(tree, Tree):
        raise ValueError(
            f"tree must be that of an earlier result, or None, not {quoted(tree)}"
        )
    if kernels is not None and not isinstance(kernels, Kernels):
        raise ValueError(f"kernels must be Kernels or None, not {quoted(kernels)}")
    budget = check_budget(seconds=seconds, simulations=simulations, stop=stop, clock=clock)
    return strength, *limit_to_level(strength, budget, options)


# by Search · think: the one entrance to the engine
def think(
    game: Game,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int | None = None,
    level: int | None = None,
    options: SearchOptions = SearchOptions(),
    on_progress=None,
    tree: Tree | None = None,
    stop=None,
    clock=time.perf_counter,
    kernels: Kernels | None = None,
) -> SearchResult:
    """Return the best move found, and what was found on the way; `game` is left as it was.

    seconds, simulations   the budget: the first reached stops; neither: one second
    seed          same seed and simulations, same result; None: options.seed
    level         1 (beginner) to 10 or None (full strength)
    on_progress   called with a SearchResult up to twenty times per second
    tree          go on with the tree of an earlier SearchResult of this game
    stop          a threading.Event that ends the search early
    kernels       of another engine, for an experiment; None: kernels_for(game.rules)
    Raises ValueError for a finished game, a tree of another game, or anything else that makes
    no sense.
    """
    strength, budget, options = check_asked(
        seconds=seconds,
        simulations=simulations,
        seed=seed,
        level=level,
        options=options,
        on_progress=on_progress,
        tree=tree,
        stop=stop,
        clock=clock,
        kernels=kernels,
    )
    begun = clock()
    check_unfinished(game)
    kernels = kernels_for(game.rules) if kernels is None else kernels
    if tree is not None and tree.leads_to(game) and tree.kernels != kernels:
        raise ValueError("this tree was grown by another search than the engine's")
    answers, missed = overlooked_threat(game, strength, options.seed)
    if not missed and (forced := forced_move(game)):
        return forced_thought(game, *forced, options.seed)
    tree, begun = begin_tree(game, tree, options, budget, begun, kernels)
    done, took = run_in_parts(tree, budget, on_progress, begun)
    return play_level(read_tree(tree, done, took), strength, game, answers, missed)


# by Search · the engine as a player: it keeps its tree
class EnginePlayer(SearchPlayer):
    """The engine for one game, with the tree of its last move where that still helps.

    seconds, simulations, level, options   as in think()
    reuse                                  False: every position is searched anew
    """

    name = "engine"

    def __init__(
        self,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        level: int | None = None,
        options: SearchOptions = SearchOptions(),
        reuse: bool = True,
    ):
        super().__init__(seconds=seconds, simulations=simulations)
        check_asked(**self.budget, level=level, options=options)
        self.level, self.options, self.tree = level, options, None
        self.reuse = check_switch("reuse", reuse)
        if level is not None:
            self.settings["level"] = level
        if options != SearchOptions():
            self.settings["options"] = options
        if not reuse:
            self.settings["reuse"] = False

    def search(self, game, **asked) -> SearchResult:
        """Return what think() finds, with the tree that is there if it is of this game."""
        tree = self.tree if self.tree is not None and self.tree.leads_to(game) else None
        result = think(game, level=self.level, options=self.options, tree=tree, **asked)
        if self.reuse:
            self.tree = result.tree or self.tree  # a forced move has none
        return result


# ---- What the contest used ------------------------------------------------------------------


# by Experiments · the mean of random games, played in a compiled loop
@lru_cache
def build_random_mean(in_a_row, gravity):
    """Return random_mean(workspace, count): the mean result of that many random games."""
    game = plain_game(in_a_row, gravity)
    reset, rollout = game.reset, game.rollout

    def random_mean(workspace, count):
        total = 0
        for _ in range(count):
            reset(workspace)
            total += rollout(workspace)
        return total / count

    return jit(random_mean)


def random_games(game: Game, count: int, seed: int) -> float:
    """Return the mean result of that many random games from here, -1...+1 for black."""
    rules = game.rules.in_a_row, game.rules.gravity
    return build_random_mean(*rules)(new_search(plain_game(*rules), game, seed), count)


@lru_cache
def games_at_leaf(count: int):
    """Return the engine's kernels, with the mean of so many random games for each look.

    count   0: no judge, every leaf is even
    """
    play_out = plain_game().rollout

    @inline_kernel
    def rollout(workspace):
        """Return the mean result of the games, +1 if black wins all."""
        board, total = workspace.board, 0
        stones, start = board.stones.copy(), board.start
        for _ in range(count):
            board.stones[:], board.start = stones, start
            total += play_out(workspace)
        return total / max(1, count)

    return engine_game()._replace(rollout=rollout)


@jit
def looks_around(workspace, rounds):
    """Return the mean value for black after each move from here: what looks cost at leaves."""
    own, total, count = colour_to_move(workspace), 0.0, 0
    for _ in range(rounds):
        for point in range(workspace.geo.points):
            if workspace.board.point_threat[0, point] < FULL:  # it is empty
                take_point(workspace, point, own)
                total += evaluate(workspace)
                free_point(workspace, point, own)
                count += 1
    return total / max(1, count)


# by Experiments · positions from the middle of decided games
def stopped_games(rules: Rules, count: int, simulations: int) -> list[tuple]:
    """Return (position after a random number of plies, winner, plies to the end) of games.

    Each has a winner. The first 12 moves are drawn in proportion to visits, and no two games
    have the same 12 stones, turned or mirrored.
    """
    found, seed, begun = [], 1_000, set()
    options = SearchOptions(vct_nodes=0)  # so that a move takes little time
    while len(found) < count:
        seed, game, rng = seed + 1, Game(rules), np.random.default_rng(seed + 1)
        game.play(int(rng.choice(game.legal())))  # a first stone anywhere
        while not game.over:
            thought = think(game, simulations=simulations, seed=seed, options=options)
            move, visits = thought.move, thought.visits.ravel()
            if len(game.played) < 12 and visits.any():  # a forced move has no visits
                move = int(rng.choice(rules.points, p=visits / visits.sum()))
            game.play(move)
        middle, length = Game(rules), len(game.played)
        for point in game.played[: int(rng.integers(4, max(5, length - 4)))]:
            middle.play(point)
        stones, first = np.zeros(rules.points, np.int8), list(game.played[:12])
        stones[first] = np.resize([BLACK, WHITE], len(first))
        sides = stones.reshape(rules.size, -1), stones.reshape(rules.size, -1).T
        begins = min(np.rot90(side, turn).tobytes() for side in sides for turn in range(4))
        if game.winner and forced_move(middle) is None and begins not in begun:
            found.append((middle, game.winner, length - len(middle.played)))
            begun.add(begins)
    return found

# Made from engine.ipynb by tools/build.py: change the notebook, not this file.


# *by Search*
#
# # How does it judge a quiet position, and choose?
#
# By looking instead of playing on. Where the [plain search](../five_in_a_row.ipynb) finishes the game at random, the
# engine asks a small neural net how good the position is: one look at the shapes on the board takes the place of a
# rollout. The same shapes say which moves deserve attention first. Everything else is bookkeeping: keeping to a budget,
# playing at a chosen level, and keeping the tree from move to move.
#
# The name for such a number is *evaluation function*, and a search that backs up its values has **leaf values** in
# place of random results. Chess programs have used one since Shannon (1950), and AlphaGo combined one with Monte
# Carlo Tree Search (Silver and others, 2016).


# *by Search*
#
# | section | question |
# |---|---|
# | [Which moves come first?](#Which-moves-come-first?) | What do shapes say about a move before any visit? |
# | [What is a quiet position worth?](#What-is-a-quiet-position-worth?) | How does a small net value a board, by counts and by places? |
# | [Which moves help at all?](#Which-moves-help-at-all?) | When may moves be left out without a loss? |
# | [Select with priors](#Select-with-priors) | How do priors meet evidence? |
# | [What is certain at a new node](#What-is-certain-at-a-new-node) | Which results need no evaluation? |
# | [Threats before the first simulation](#Threats-before-the-first-simulation) | What may be looked at, and for how long? |
# | [Ten levels](#Ten-levels) | How does a strong engine play weakly? |
# | [think](#think) | How do the parts work together? |
# | [The engine as a player](#The-engine-as-a-player) | How does it meet others? |
# | [Node X once more](#Node-X-once-more) | Does it find what the others miss? |
# | [What does a look see that a random game does not?](#What-does-a-look-see-that-a-random-game-does-not?) | Essay |
# | [Limits of the engine](#Limits-of-the-engine) and [sources](#Sources-of-the-engine) | What is not claimed? |
#
# | role | name | wrote |
# |---|---|---|
# | Search | *(name)* | budgets, `think`, levels, players |
# | Heuristics | *(name)* | priors, evaluation, selection, what is certain |
# | Experiments | *(name)* | the essay's measurements |
#
# **It builds on** [search](search.ipynb), which compiles the four steps and keeps the tree, and on
# [threats](threats.ipynb), which keeps the shapes of every point up to date and finds forced wins. How strong the
# result is, and what each idea is worth, is measured in [strength](strength.ipynb). To play against it, open the
# [main notebook](../five_in_a_row.ipynb).


# by Search · the standard library and the core
import base64
import contextlib
import dataclasses
import hashlib
import json
import math
import os
import sys
import textwrap
import threading
import time
import zlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import from_dtype, typeof

NEAR = [Path(os.environ.get("JPY_SESSION_NAME", "here")).resolve(), Path("here").resolve()]
ABOVE = [folder / "export" for place in NEAR for folder in place.parents]  # of this notebook
FOLDER = next((each for each in ABOVE if (each / "five_in_a_row").is_dir()), Path("export"))
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

from five_in_a_row.cache import HERE, inline_kernel, jit
from five_in_a_row.core import (
    BLACK,
    WHITE,
    Game,
    Rules,
    SearchResult,
    check_functions,
    check_number,
    check_switch,
    check_unfinished,
    quoted,
)


# by Search · the compiled search
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


# by Search · shapes and threats
from five_in_a_row.threats import (
    FORCED_FIELDS,
    FULL,
    LOW,
    SHAPED,
    T_DEAD,
    T_FIVE,
    T_FOUR,
    T_OPEN_FOUR,
    TAKEN,
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

COUNT_UNITS = 16  # of the net that values a position by counts
HIDDEN = 32  # units of the net by places
CHANNELS = 16  # numbers that a point has for itself, and as many that its neighbours read
VOICES = 8  # numbers of a point that speak for a stone there, or against it
BORDERED = 24 * 24  # places: all points, with two empty ones around the board
EXTRA = (  # of the workspace
    *FORCED_FIELDS,
    ("counted", np.int64),  # 1: a position is valued by counts
    ("stale", np.int16, 401),  # points whose rows are out of date
    ("seen", np.uint32, (2, 2, 400)),  # the shapes that rows and voices are of, by the mover
    ("rows", np.int16, (2, 2, BORDERED * CHANNELS)),  # u and m of each point, by the mover
    ("voices", np.int16, (2, 2, BORDERED * VOICES)),  # the same for the policy
    ("logits", np.int32, 400),  # what it says of each point
    ("bands", np.int16, (2, 24 * CHANNELS)),  # near ones and far ones of a point, summed
    ("line", np.int16, 20 * CHANNELS),  # features of one line of the board
    ("sums", np.int16, (2, 20 * CHANNELS)),  # of all lines: features, and all m
    ("totals", np.float32, (2, 20 * CHANNELS)),  # of all points, in the first CHANNELS
    ("hidden", np.float32, HIDDEN),
)


# *by Heuristics*
#
# ## Which moves come first?
#
# A player who glances at a board sees a few points that matter and does not see the rest. The engine has the same
# glance. [Threats](threats.ipynb) keeps, for each empty point and each colour, one of sixteen **point threats**: what a
# stone of that colour would make there, from *dead* (no five fits) through *three* and *four* to *five*.
#
# A move's **prior** is the share of attention that it earns from its point threats before any visit. The word is that
# of statistics: what is believed before the evidence. A stone counts twice, for what it makes, `MAKE`, and for what it
# takes from the opponent, `BREAK`. At equal point threats, making is worth at least as much as breaking, since the
# maker is a move ahead. The lists run from dead to five; the last number is for points that are taken.
#
# The numbers need not be exact: a prior says
# where to look first, and the search corrects it.


# by Heuristics · what the point threats are worth to the move that is looked at first, by hand
MAKE = np.array([1, 3, 9, 30, 75, 30, 75, 75, 150, 270, 900, 90, 270, 3000, 6000, 30000, 0])
BREAK = np.array([0, 2, 6, 18, 45, 18, 45, 45, 90, 150, 450, 60, 150, 1200, 2400, 30000, 0])
MAKE, BREAK = MAKE.astype(np.int32), BREAK.astype(np.int32)


# *by Heuristics*
#
# The engine has these lists, and a [policy](#What-its-own-games-taught-it) that its own games taught it. By hand, a
# move's score depends on the **pair** of point threats on its point, the mover's and the other's. The policy begins with
# the pair too, and looks around the point as well.


# by Heuristics · pairs of point threats, and the scores by hand
KINDS = FULL + 1  # point threats of one side, and a stone
PAIRS = KINDS * KINDS
BY_HAND = (MAKE[:, None] + BREAK + 1).ravel()
BY_HAND[-1] = 0  # stones


@jit
def pair_of(mine, theirs):
    """Return the number of a pair of point threats: the mover's, and the other's."""
    return np.int64(mine) * KINDS + np.int64(theirs)


# *by Heuristics*
#
# Point threats are kept in the workspace of a search. For the examples, and for single questions to the evaluation, a
# game that only keeps them up to date is enough: it cannot be searched, since it has no list of moves and no result.


# by Heuristics · a game that only keeps its shapes up to date
@lru_cache
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


# *by Heuristics*
#
# A move's prior is its share of all scores,
#
# $$P_i = \frac{s_i}{\sum_j s_j}$$
#
# where a score $s$ is one at least, so that nothing is divided by zero. A record of the tree keeps $255 \sqrt{P}$ in
# one byte. The square root spreads small priors apart that would otherwise all be rounded to nothing: a prior of one in
# a thousand becomes 8 of 255, not 0.


# by Heuristics · order and priors of moves
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


# *by Heuristics*
#
# ## What is a quiet position worth?
#
# A position is *quiet* when neither side wins by force. Then it is a matter of judgement, and the numbers that judge it
# were not chosen by anyone: they were fitted to games of the engine with itself.
#
# ### How many shapes of each kind
#
# The first judge is the evaluation **by counts**. An early form of `python -m experiments.fit` let the engine play
# itself, kept positions that a search had visited often, and adjusted the weights step by step (Kingma and Ba, 2015) to
# a mixture of the search's value and the game's result. A later form learned from new quiet nodes of the tree, each
# searched anew; its weights [won fewer games](#What-does-a-look-see-that-a-random-game-does-not?), so the early ones stay. The
# loss in the cell below is the cross-entropy with the mixture. A coin has 0.693; since the mixture is not certain, no
# prediction has less than the number that is called possible.
#
# The text is the weights themselves: numbers of two bytes each, written in letters and digits (base 64). So this judge
# needs no file beside it.


# by Heuristics · the weights of the evaluation, fitted to its own games
# 5,203 games, 1,596,815 positions; seed 0
# loss on games kept apart 0.603, of a constant 0.693, least possible 0.568
WEIGHTS = """
YKg8r16mmZ14KFismax8GU2oS60yqbYfEKlfq/sg86m4JyyjZqiVoDMquajxpUUscyoMqb0wOivFKkSsH6nAJHuqt6rr
E6erFSb1rVOtKKbArW2qip3gITgptKKMIt8drihTIZQoLBfvFtSnZqudp/UuXClkIFEnhSCtLhssTx37LdSqbi8LLxso
Uay/MbysWzCKqRWwACxQpacxXjGKKtutyKgVmceqrKgVJ5elGah9rPsunq4qqWMnlSxFo5ysPB2HLOcnpp6pIJo0ASqO
qT4ePrGurq4qfKRRMGopjinDnoSnQyXuKK6n5iIMqpcmOaTzqcyueKlHqXcuVyxWpFUfOqiyLL6rBSkpNSwsvqTCKts3
sq2aJ4WqnS3dJIckAS6oMMC4nzF/rO01VTjIqIibAzSLsPWn5K0/NFcyvC6GM7AxkjlGM+UxOzlyODedpTWcMbCySDed
tQakLSt4LrepgTm8KFYsXaQhLe0wVasirPwv2K5KLMWouTEdrLyhraiYMfEr9Dt/Irw0pCsVLHaw3ipRr08tL671MHO5
wqRZNjw4dLBdOqSrjDBfuAq5nLIDNqq2mLa9PB66Sz0vLKqyXDcwqCU2DbHFOcQ9faQnMfcvtLImt4iwO7duM/moAIAA
AAAAAAAAgAAAAIAAgACAAAAAAACAAIAAgACAAAA9rGSuQijNpQWlySQVIoQlUayLp9GoEqxbp7StWqV3qWOmqSUeLBEo
b6R8LJ0nbKcIpRMrGawoqY2pxzCHLE6hC6hbpQwpWqqzI1El3qvGI+GsTqhQHvmph6rWIBWq9KifnnwqeqEDKXYhHCpB
LZora6SQKlktW5XbKEqnuiGGn9csiCyXoZssbix6KjYvLTExKNMoojInsDuOfq9TrV+ZHSisr+mm96jgICiqG6WyKpSe
j6miK6YmkC8MrvOjgK2ZKDgmrKQlIskiPCwkJC4uWK2OoA8ydDQrrqOstq2RKeuiNaVsqOml+CD+pGGnOyaEqY+sdjBg
KiSoMq6XptqR9KTdLA0ifKUqJv+pmiFQJfwx/6DXK8IyKzfLq8Srq6gkNN0wP6xtK7C4Hp6pKHEydTcbqjA0mTTHL+ax
9aosLU43KjCmJqwwajVnMTgmqyLlNVUsei5tNJem4q47o/sqvjcxrJ2nBq1wJ4Co6xkPt+g0sa2QNNIw7645sDupdiys
MGgoz6nqrVwbFRpbsBuwBS71r9MwhTCuL92ufyL/Oxo2bCfkqzIiLCkTsq+9n63nNp8qXiYCNP0s67DIMbgzPDqbJyqk
tCc2JK6s47nvMX2oi6pmKyQwFzQCtAMxYy3EuiAje6yoKTmqGLSWvvQWhznUrak01hxpsCC1tisiIke/F71osga8CbOb
vFe69bhKvbS8bb5vvSC9ZLrOtbW8Xr24PE44yDsjuPc47TyuuGu7+joouj+4u7n+OR45nrweGQ==
"""


# *by Heuristics*
#
# Two functions turn weights into that text and back. Half precision, about three digits, is enough: the evaluation
# is a guess, and its third digit means nothing.


# by Heuristics · weights as text, and back
def weights_text(weights) -> str:
    """Return (float32[32, 16], float32[16], float32[16], float32[1]) as lines of base 64.

    They are rounded to half precision, about three digits.
    """
    numbers = np.concatenate([np.ravel(part) for part in weights]).astype("<f2")
    return "\n".join(textwrap.wrap(base64.b64encode(numbers.tobytes()).decode(), 92))


def read_weights(text: str) -> tuple[np.ndarray, ...]:
    """Return what weights_text was given, in half precision."""
    numbers = np.frombuffer(base64.b64decode(text), "<f2").astype(np.float32)
    sizes = 2 * FULL * COUNT_UNITS, COUNT_UNITS, COUNT_UNITS
    into, *others = np.split(numbers, np.cumsum(sizes))
    return into.reshape(2 * FULL, COUNT_UNITS), *others


# *by Heuristics*
#
# It is a very small neural net. Its inputs $x_i$ are the square roots of 32 numbers: how many points are of each of the
# 16 point threats for the player to move, and how many for the other. Each of 16 hidden units adds them up with weights
# $w_{ik}$ of its own and passes the sum on if it is positive; the answer is a weighted sum of the units, which $\tanh$
# squeezes into −1 to +1. The sum in brackets is called the *logit*:
#
# $$v = \tanh \tfrac{1}{2} \Big( a + \sum_{k=1}^{16} u_k \, \max\big(0,\; b_k + \sum_{i=1}^{32} w_{ik} x_i\big) \Big)$$
#
# In the code `INTO` holds $w$, `BIAS` $b$, `OUT` $u$ and `LAST` $a$. A sum without hidden units can say that a three
# is worth so much. The units can say more: that the third three adds less than the first, and that a four is worth
# more beside a three. The square roots say part of that already.
#
# The loop skips point threats that no point has, which are most of them.


# by Heuristics · the value of a position, by counts
INTO, BIAS, OUT, LAST = read_weights(WEIGHTS)
ROOTS = np.sqrt(np.arange(401)).astype(np.float32)


@jit
def count_logit(workspace, own):
    """Return what the counts say for the player to move, 0 black or 1 white, as a logit."""
    for k in range(COUNT_UNITS):
        workspace.hidden[k] = BIAS[k]
    for i in range(2 * FULL):
        many = workspace.board.count[own if i < FULL else 1 - own, i % FULL]
        if many > 0:
            for k in range(COUNT_UNITS):
                workspace.hidden[k] += ROOTS[many] * INTO[i, k]
    logit = LAST[0]
    for k in range(COUNT_UNITS):
        logit += max(np.float32(0), workspace.hidden[k]) * OUT[k]
    return logit


# *by Heuristics*
#
# ### Where the shapes lie
#
# The counts know how many open twos there are, and not whether they lie side by side or far apart. So the
# engine has a second net, which looks at every point: the **evaluation by places**.
#
# Of each point it knows eight [line shapes](threats.ipynb#Shapes,-from-five-downwards). Four say what a stone of the
# player to move would make there, one for each line; four say the same for the opponent. Each is one of nine, from
# nothing to a five. Four line shapes in any order make a **set**. Three tables give the point a row of 32 numbers each:
# one by the mover's set, one by the other's, one by the pair of point threats. The three rows are added. Half of the sum,
# $u$, is for the point itself; the other half, $m$, is added up over the point and those one and two away from it on its
# four lines: its *star*, 17 points. From both come 16 *features* of the point:
#
# $$g_k = \min\Big(6, \; \max\Big(0,\; u_k + \sum_{\text{star}} m_k\Big)\Big)$$
#
# The features of all points are added up, and so are all $m$. Those 32 totals, divided by 16, are the inputs of a net
# like the one above, with 32 units.
#
# A set forgets which line is which, and the star of a point stays the same when the board is turned. So the value of a
# board and of its mirror images is the same, by construction, and with the colours exchanged it is that of the other player.


# by Heuristics · four line shapes in any order
SETS = 495  # of four out of nine; two more rows: a stone, the mover's or the other's


@lru_cache
def line_sets() -> np.ndarray:
    """Return the number of the set of four line shapes of four bits each, uint16[65536]."""
    shapes = np.sort(np.arange(1 << 16)[:, None] >> np.arange(0, 16, 4) & 15, axis=1)
    real, sets = shapes[:, -1] <= FIVE, np.zeros(1 << 16, np.uint16)
    sets[real] = np.unique(shapes[real], axis=0, return_inverse=True)[1].ravel()
    return sets


# *by Heuristics*
#
# The numbers of the tables are whole: `UNIT` stands for 1. So sums are exact, and a processor adds several at a time.
# Only the net at the end may be rounded otherwise on another machine. The tables lie in a file of the package, packed,
# with a sentence on how it was made. Where the file is missing or damaged the engine says so, once, and values positions
# by counts.
#
# `python -m experiments.places` made the file. `play` lets the engine play itself with few simulations per move, and
# leaves each game at some move for a *leaf* of the tree: from there on the positions count, with the result of the game.
# `fit` adjusts the numbers to the results and, with less weight, to the values that the searches gave. The numbers were
# fitted three times, each time to newer games. That sentence is printed where the evaluation is judged, further down.
# Each loss in it was measured on games of its own fit, so the losses do not compare.


# by Heuristics · numbers in a file of the package, and back
def numbers_text(made: str, **arrays) -> str:
    """Return arrays of integers as text, packed; `made` says how they came about.

    -1 goes as 1, 1 as 2, -2 as 3; first the lowest byte of each number, then the next.
    """
    packed = {}
    for name, array in arrays.items():
        whole = np.asarray(array, np.int32)
        apart = (whole << 1 ^ whole >> 31).astype("<u4").reshape(-1, 1).view(np.uint8).T
        packed[name] = base64.b64encode(zlib.compress(apart.tobytes(), 9)).decode()
    digest = hashlib.sha256("".join(packed.values()).encode()).hexdigest()
    return json.dumps({"made": made, "digest": digest, **packed}, indent=0) + "\n"


def read_numbers(file: Path, **otherwise) -> list[np.ndarray]:
    """Return the named arrays in a file; without a whole one, those of `otherwise`."""
    try:
        text = json.loads(Path(file).read_text("utf-8"))
        parts = [text[name] for name in otherwise]
        if hashlib.sha256("".join(parts).encode()).hexdigest() != text["digest"]:
            raise ValueError("it is damaged")
        arrays = []
        for part, like in zip(parts, otherwise.values(), strict=True):
            apart = np.frombuffer(zlib.decompress(base64.b64decode(part)), np.uint8)
            whole = (
                np.ascontiguousarray(apart.reshape(4, -1).T).view("<u4").reshape(like.shape)
            )
            arrays.append((whole >> 1).astype(np.int32) ^ -(whole & 1).astype(np.int32))
        return arrays
    except (OSError, ValueError, KeyError, TypeError, AttributeError, zlib.error) as error:
        reason = str(error).splitlines()[0]
        print(f"five_in_a_row: plays without {Path(file).name} ({reason})", file=sys.stderr)
        return list(otherwise.values())


# by Heuristics · the evaluation by places, from its file
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
PLACES, NET, ANSWER = read_numbers(HERE / "places.json", **NO_PLACES)
HAS_PLACES = bool(PLACES.any())
LANES = (PLACES + LIFT[:, None]).astype(np.uint16).view(np.uint64)  # four numbers each
NET, ANSWER = (NET / FRACTION).astype(np.float32), (ANSWER / FRACTION).astype(np.float32)
NET[:-1] /= 16 * UNIT  # an input is a sixteenth of a total


# *by Heuristics*
#
# A leaf differs from the leaf before in a few stones, so most rows are still right. `fill_rows` compares the shapes of
# each point with those that its row was filled for, lists those that differ, and fills only them: a processor guesses
# badly which points those will be, so the list is made without a branch. Four numbers of sixteen bits lie in one word,
# and one addition adds all four. They must not carry into one another: so the tables' numbers are lifted to be
# positive, by `0x8000` together, and the sign's bit is turned back at the end.


# by Heuristics · the rows of all points, kept up to date
UNSEEN = np.uint32(0xFFFFFFFD)  # shapes that no point has: a row that was never filled
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
    """Return fill_rows(workspace, own, seen, rows) for tables with four numbers in a word."""
    words = np.uint64(lanes.shape[1] // 2)

    @inline_kernel
    def fill_rows(workspace, own, seen, rows):
        """Fill the rows of points whose shapes have changed, for the mover, 0 or 1."""
        board, geo = workspace.board, workspace.geo
        itself, around = rows[own, 0].view(np.uint64), rows[own, 1].view(np.uint64)
        stale, many = workspace.stale, np.uint64(0)
        for point in range(geo.points):
            stale[many] = point
            many += np.uint64(board.line_shapes[point] ^ UNSEEN != seen[own, point])
        for i in range(many):
            point = np.int64(stale[i])
            shapes = board.line_shapes[point]
            seen[own, point] = shapes ^ UNSEEN
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


# *by Heuristics*
#
# The sum over a star is taken in two steps: the three near rows of the board are added number by number, and the two far
# ones; then the columns of each that the star has. The loops run along whole rows of the board, all features of all
# points one after another, as a processor likes it. Indices without a sign spare it the question whether one counts from
# the end. At the end the columns are added, half of them to the other half, until one is left.


# by Heuristics · the features of one line of the board, and of all points, summed
def build_add_stars(channels):
    """Return add_stars(workspace, itself, around, row): set workspace.line to u and star."""
    one, two = np.uint64(channels), np.uint64(2 * channels)

    @inline_kernel
    def add_stars(workspace, itself, around, row):
        geo, line, (near, far) = workspace.geo, workspace.line, workspace.bands
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

    return add_stars


add_features = build_add_stars(CHANNELS)


@jit
def sum_features(workspace, own):
    """Set workspace.totals[:, :CHANNELS]: the sums of all features, and of all m."""
    geo, line, totals = workspace.geo, workspace.line, workspace.totals
    itself, around = workspace.rows[own, 0], workspace.rows[own, 1]
    features, told = workspace.sums[0], workspace.sums[1]
    one = np.uint64(CHANNELS)
    wide, first = np.uint64(geo.size) * one, np.uint64(2 * geo.size + 10) * one
    for x in range(wide):
        features[x] = told[x] = 0
    for row in range(geo.rows):
        add_features(workspace, itself, around, row)
        for x in range(wide):
            features[x] += min(max(line[x], np.int16(0)), np.int16(TOP))
            told[x] += around[first + x]
        first += np.uint64(geo.size + 4) * one
    for x in range(wide):
        totals[0, x], totals[1, x] = np.float32(features[x]), np.float32(told[x])
    left = np.uint64(geo.size)
    while left > np.uint64(1):
        half = (left + np.uint64(1)) >> np.uint64(1)
        for x in range((left - half) * one):
            totals[0, x] += totals[0, x + half * one]
            totals[1, x] += totals[1, x + half * one]
        left = half


# *by Heuristics*
#
# `evaluate` asks one net or the other. Levels below 10 value positions by counts, and so does
# `SearchOptions(places=False)`.


# by Heuristics · the value of a position
@jit
def place_logit(workspace, own):
    """Return what the places say for the player to move, 0 black or 1 white, as a logit."""
    hidden, totals = workspace.hidden, workspace.totals
    fill_rows(workspace, own, workspace.seen[0], workspace.rows)
    sum_features(workspace, own)
    for j in range(HIDDEN):
        hidden[j] = NET[2 * CHANNELS, j]
    for k in range(CHANNELS):
        feature, told = totals[0, k], totals[1, k]
        for j in range(HIDDEN):
            hidden[j] += NET[k, j] * feature + NET[CHANNELS + k, j] * told
    logit = ANSWER[HIDDEN]
    for j in range(HIDDEN):
        logit += max(np.float32(0), hidden[j]) * ANSWER[j]
    return logit


@jit
def evaluate(workspace):
    """Return the value of a position for black, from -1 to +1."""
    own = colour_to_move(workspace) - 1
    if workspace.counted or not HAS_PLACES:
        logit = count_logit(workspace, own)
    else:
        logit = place_logit(workspace, own)
    value = math.tanh(logit / 2)
    return value if own == 0 else -value


# *by Heuristics*
#
# To ask for the value of any `Game`, one function sets a search up, fills in the shapes and asks.


# by Heuristics · the evaluation of a game's position
def evaluation(game: Game, counted: bool = False) -> float:
    """Return what evaluate says of a position of five in a row, -1...+1 from black's view.

    counted   True: by counts; False: by places
    """
    workspace = live_position(game)
    workspace.counted = counted
    return float(evaluate(workspace))


# *by Heuristics*
#
# ## Which moves help at all?
#
# Against a five only the points that make it can help. Against a win by continuous fours only the
# [defences](threats.ipynb#The-answers-to-a-threat) can: a stone that breaks the line, makes a four first, or turns a
# forced answer into a four. In these two cases the other moves are left out, and nothing is lost by that: they are
# proven to lose. Elsewhere in the tree every move stays; at the root those go that are [proven to
# lose](#Threats-before-the-first-simulation). That is the difference from a hard cut, which leaves moves out because
# they *look* poor.


# by Heuristics · where few moves can help, only those
@jit
def list_forced(workspace, colour, nodes):
    """List in workspace.moves the only moves that can help against a five or a win by fours.

    Returns how many there are; 0: `colour`, which is to move, has a five itself, or its
    opponent has no such threat, or a search of `nodes` positions found none.
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
    return length


# *by Heuristics*
#
# ### What its own games taught it
#
# The lists know two things about a point, and nothing of the board. Does a two deserve attention where the opponent has an
# open three? It depends. So the **policy** has a table: a number for each pair of point threats in each of sixteen
# **contexts**. A context says how good the best point threat on the board is, for the mover and for the other, in four
# degrees: quiet, three, open three, four.
#
# And it looks around a point as the evaluation does: the same sets, the same star, with tables of its own, and eight
# numbers per point. They are *voices*. Four speak for a stone there, four against it:
#
# $$\ell = a_{\text{context}, \text{pair}} + \sum_{k \le 4} g_k - \sum_{k > 4} g_k$$
#
# where $a$ is the table and $g_k$ is made as the features are. A move's score is $e^\ell$, so each voice multiplies the
# score by a factor. Up to $\ell$ nothing is multiplied: four voices of a point lie in one word, so a point takes one
# addition, one subtraction, and two additions more of the halves.
#
# `python -m experiments.policy` made the file. `play` takes positions of the engine's games and gives each a search of
# its own; `fit` begins with the lists and adjusts the tables until they come as near as they can to where the visits
# went. Most positions are *leaves*, since there the engine asks. Where the file is missing or damaged the engine says
# so, once, and plays by the lists.


# by Heuristics · the policy by places, from its file
DEGREE = np.array([0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3])  # by point threat
CONTEXTS = 16
CERTAIN = 1024  # a logit so far below the best counts as far as any

NO_POLICY = {
    "rows": np.zeros((PAIR + PAIRS, 2 * VOICES), np.int32),
    "logits": np.zeros((CONTEXTS, PAIRS), np.int32),
}
VOICE_ROWS, POLICY = read_numbers(HERE / "policy.json", **NO_POLICY)
HAS_POLICY = bool(VOICE_ROWS.any())
VOICE_LANES = (VOICE_ROWS + LIFT[:, None]).astype(np.uint16).view(np.uint64)
COARSE = np.round(np.exp(np.arange(-31, 1) * 32 / UNIT) * (1 << 20)).astype(np.int64)
FINE = np.round(np.exp(np.arange(-31, 1) / UNIT) * (1 << 10)).astype(np.int64)


@jit
def score_of(logit, best):
    """Return e to the power of logit - best, in units of 1/64, as a score: 1 to a million."""
    at = max(0, CERTAIN - 1 + logit - best)
    return max(np.int64(1), COARSE[at >> 5] * FINE[at & 31] >> 10)


# *by Heuristics*
#
# `weigh_points` makes the logits of all points, and returns the best. Four numbers of sixteen bits lie in a word. Each
# must stay positive while they are added, so the voices against are taken from a number that none of them exceeds.


# by Heuristics · the context of a board, and the logits of all points
LOUDEST = np.uint64(TOP * 0x0001000100010001)
fill_voices, add_voices = build_fill_rows(VOICE_LANES), build_add_stars(VOICES)


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
def weigh_points(workspace, own):
    """Set workspace.logits[point], in units of 1/64, for the player to move; return the best.

    A point with a stone has a logit below all others.
    """
    board, geo, line = workspace.board, workspace.geo, workspace.line
    mine, theirs, logits = board.point_threat[own], board.point_threat[1 - own], POLICY
    itself, around = workspace.voices[own, 0], workspace.voices[own, 1]
    context, words = context_of(board, own), line.view(np.uint64)
    wide, best, point = np.uint64(geo.size * VOICES), np.int64(-1 << 30), np.int64(0)
    fill_voices(workspace, own, workspace.seen[1], workspace.voices)
    for row in range(geo.rows):
        add_voices(workspace, itself, around, row)
        for x in range(wide):
            line[x] = min(max(line[x], np.int16(0)), np.int16(TOP))
        for col in range(np.uint64(geo.size)):
            pair = np.uint64(2) * col  # of words: those for, those against
            word = words[pair] + LOUDEST - words[pair + np.uint64(1)]
            word += word >> np.uint64(32)
            word += word >> np.uint64(16)
            logit = np.int64(word & np.uint64(0xFFFF)) - 4 * TOP
            logit += np.int64(logits[context, pair_of(mine[point], theirs[point])])
            if mine[point] == FULL:
                logit = np.int64(-1 << 30)
            workspace.logits[point] = logit
            best = max(best, logit)
            point += 1
    return best


# *by Heuristics*
#
# `engine_moves` puts it together: forced moves if there are any, or else all points by score, that of the policy or,
# with `SearchOptions(learned=False)` and at levels below 10, of the lists. It looks at every point but keeps only the
# best that were asked for, since most nodes never need more than a few of their moves. It begins at a random point, so
# that equals come in no fixed order. On an empty board the middle is preferred.


# by Heuristics · the moves, best first, with their priors
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
    mine, theirs = board.point_threat[own], board.point_threat[1 - own]
    forced = list_forced(workspace, colour, options.vcf_nodes) if had == 0 else 0
    weighed, best = HAS_POLICY and options.learned and forced != 1, np.int64(0)
    if weighed:
        best = weigh_points(workspace, own)
    total, length, worst, most = 0, had, -1, had + want
    if forced > 0:
        workspace.complete, most = 1, forced
    start = random_below(workspace, geo.points)  # so that chance decides between equals
    opens = board.empty == geo.points  # no stone yet: the middle comes first
    middle = geo.rows // 2 * geo.size + geo.size // 2
    for i in range(forced if forced > 0 else np.int64(geo.points)):
        point = np.int64(moves[i]) if forced > 0 else start + i
        point -= geo.points if point >= geo.points else 0
        if weighed:
            score = score_of(np.int64(logits[point]), best)
        else:
            score = np.int64(BY_HAND[pair_of(mine[point], theirs[point])])
        score *= 1_000 if opens and point == middle else 1
        total += score
        if score <= worst or mine[point] == FULL or is_listed(moves, had, point):
            continue
        insert_move(workspace, point, score, had, min(length, most - 1))
        length = min(length + 1, most)
        worst = scores[most - 1] if length == most else -1
    set_priors(workspace, had, length, total)
    return length


# *by Heuristics*
#
# ## Select with priors
#
# With priors the search can be choosy without cutting anything off. **PUCT** adds to the value of a child a bonus in
# proportion to its prior $P$, which fades as its visits $n$ grow. With $m$ its reward and $N$ the visits of its node,
#
# $$\text{PUCT} = \frac{m}{n} + c \, P \, \frac{\sqrt{N}}{1 + n}$$
#
# The children are sorted by prior, so of those without a visit only the first can be next. Its $m/n$ is not known.
# It counts as that of its node, seen from the same side, less `fpu_reduction`: *first-play urgency* (Gelly and Wang,
# 2006). A child of low prior waits, but the factor $\sqrt{N}$ grows without end, and one day its turn comes. This is
# **progressive bias** and **progressive widening** in one formula (Chaslot and others, 2008).
#
# In the code `exploration` times the square of the prior's byte is $c \, P \sqrt{N}$, since $255^2 = 65025$. The two
# fractions are put over one denominator, $n \, (1 + n)$, because a division takes longer than three
# multiplications.


# by Heuristics · select with priors
@jit
def puct(workspace, tree, node, untried, options):
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


# *by Heuristics*
#
# The three lines show what $c$ is for. With $c = 0$ the search is greedy and looks at values alone. With a large $c$
# the third child comes first, although it has earned least: its few visits are far fewer than its prior asks for. In
# between, values and priors are weighed against each other, and every visit shifts the balance.


# *by Heuristics*
#
# ## What is certain at a new node
#
# Before a position is evaluated, five questions are asked, from the cheapest to the costliest. Has the last stone made
# five? Can no five come any more? Can the player to move make five at once? Has the other side two points where it can?
# Does the player to move win by fours? A "yes" is a proof, and a proof is worth more than any number of visits: the
# [solver](search.ipynb#Select) carries it up the tree. What none of this decides is left to `evaluate`.
#
# A draw is certain as soon as every empty point is *dead* for both colours. On small boards that happens long
# before the board is full, and the search need not play the rest out.


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
    if mine[T_DEAD] == board.empty and theirs[T_DEAD] == board.empty:
        if options.dead or board.empty == 0:
            return DRAWN  # no five fits anywhere; also on a full board
    if mine[T_FIVE] > 0:
        return LOST
    if theirs[T_FIVE] > 1:
        return WON
    if options.vcf_nodes > 0 and wins_by_fours(workspace, own + 1, options.vcf_nodes):
        return LOST
    return OPEN


# *by Heuristics*
#
# At the root the same search for fours may look further, since it is asked once and not at every node. With that the
# engine's game is complete: a tuple of kernels, of which the [search](search.ipynb) is built. Three take the place of a
# step of plain search: `engine_moves` lists the moves with priors, `evaluate` stands for the rollout, and `puct` for
# UCB. The others keep the shapes up to date, say what is certain, and look for fours at the root; only `mover` is the
# same.


# by Heuristics · a first look at the root, and the engine's game
@jit
def engine_look(workspace, options):
    """True if the player to move at the root wins by fours; workspace.win is then the line.

    It also says which evaluation the search asks: workspace.counted, from options.places.
    """
    workspace.counted = not options.places
    return options.vcf_nodes > 0 and shortest_fours(
        workspace, colour_to_move(workspace), AT_ROOT
    )


@lru_cache
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
        select=puct,
        rule="PUCT",
        extra=EXTRA,
        turned=True,
    )


# *by Heuristics*
#
# Three opinions on one board: the priors by hand, those that the games taught, and where the visits of a search went
# that began with the latter. A board is read from light to dark, and the three points with the largest shares are
# labelled.


# *by Heuristics*
#
# The policy sees a point, its star, and how good the best point of either side is. It is blind to the rest of the board,
# so it only says where to look first. Whatever the visits add, the search found by its values.


# *by Search*
#
# The engine's trees can be continued like any other. Two moves later, `advance_root` begins with what is known: the
# visits of the expected answer become those of the new root.


# *by Search*
#
# ## Threats before the first simulation
#
# A win by continuous threats ([VCT](threats.ipynb#Wins-by-threats)) is too costly to look for at every node. So the
# engine looks at the root, before the first simulation, and later only [after its favourite](#Is-the-favourite-sound?).
# Wins by fours alone are called [VCF](threats.ipynb#Wins-by-fours). It looks at a few hundred positions first, then at
# four times as many, and so on. A short win is found at once, and a long search is only begun when a short one was
# inconclusive and there is time for it.
#
# `Look` keeps that account. Where the budget counts seconds, a search may begin only if it fits into its share of them
# even at the slowest rate seen; where it counts simulations, each of them pays for ten positions. So a search with a
# count of simulations repeats, however fast the machine.
#
# A kernel looks at no flag. So while a long look lasts, another thread looks at the stop flag for it, and takes
# the remaining positions away once it is raised.


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
LOOKS = (300, 1_200, 4_800, 19_200, 76_800, 307_200)  # positions, in each search for threats
ALARMS = (1_000, 4_000, 16_000, 64_000)  # and for what the opponent threatens to do
POSITION_SECONDS = 4e-6  # a position takes this at most
PER_SIMULATION = 10  # positions for each simulation, where those are the budget


def positions_of(budget: Budget) -> float:
    """Return how many positions may be looked at for threats instead of all simulations."""
    return min(budget.seconds / POSITION_SECONDS, 2 * budget.simulations)


class Look:
    """Searches for wins by threats at the root, within a share of the budget."""

    def __init__(self, tree: "Tree", budget: "Budget", begun: float):
        self.workspace, self.budget, self.begun, self.looked = tree.workspace, budget, begun, 0
        self.rounds = [nodes for nodes in LOOKS if nodes <= tree.options.vct_nodes]

    def allows(self, nodes: int, share: float) -> bool:
        """True if there is time for that many positions more."""
        budget = self.budget
        if is_stopped(budget):
            return False
        begun = budget.clock() - self.begun
        most = max(LOOKS[0], PER_SIMULATION * budget.simulations)
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

        Few positions are looked at first, and more than ALARMS[0] only where they are a
        small part of the budget.
        """
        for nodes in ALARMS:
            small = nodes <= max(ALARMS[0], THREAT_SHARE * positions_of(self.budget))
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


# *by Search*
#
# The search for our own win comes first. It ends when it has one, when no threat is left to try, or when its share of
# the budget is used up. A win decides the root, and no simulation is needed.


# by Search · a win by threats at the root
def look_for_threats(tree: Tree, budget: Budget, begun: float) -> None:
    """Decide the root if the player to move wins by threats; else drop moves that lose."""
    look, own = Look(tree, budget, begun), 1 if tree.to_move == BLACK else 2
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


# *by Search*
#
# If the *opponent* would win by threats if it were their turn, most moves of the root lose. Whether that is so, an
# *alarm* finds out, with more positions where the budget is large. Then each move of the root is played, and if the
# opponent still wins by threats it is dropped. That is a proof, so a defence is never dropped with them. The first round
# looks at few positions for each move. If one of them stays unsettled, the next round looks at more positions for every
# move that is left. What remains may hold, and the simulations all go there.


# by Search · leave out the moves that lose to threats
def drop_lost_moves(tree: Tree, look: Look, own: int) -> None:
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


# *by Search*
#
# A new tree gets just the remaining moves as its root's children. In a tree that goes on, children exist already, so
# the others that have visits are marked as lost; few visits go to those that have none.


# by Search · the moves of the root that remain
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


# *by Search*
#
# ### Is the favourite sound?
#
# A search that likes one move gives it nearly every visit, and may see late, or never, that it loses to a long attack. So
# the engine stops a few times on its way and asks of the favourite what it asked of the position: does the opponent now
# win by threats? A favourite that loses is marked as lost, and the next one is asked. As always, a proof decides and a
# search that finds none changes nothing.
#
# A long attack takes thousands of positions to find, and a short search has no time for it: of the first tenth of a
# second, which pays for `SHORT` positions, each doubt may take the share `DOUBT`, two percent. Of all beyond that it may
# take the option `doubt`, a tenth, though never more than `vct_nodes` positions or the time left. Where the budget is
# simulations, each pays for two positions here. Most doubts end sooner, since every threat has been tried by then. What
# the longer ones find, and what they cost, is [counted in strength](strength.ipynb#Puzzles).


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
    """Mark favourites as lost while the opponent wins by threats after them."""
    reset_live(workspace)  # the board was that of the last leaf
    own, left, best = colour_to_move(workspace), positions, favourite(tree)
    while best >= 0 and left > 0:
        point = np.int64(tree[best].move)
        take_point(workspace, point, own)
        lost = threats_win(workspace, 3 - own, left)
        free_point(workspace, point, own)
        if not lost:
            break
        tree[best].status = LOST
        left, best = workspace.budget, favourite(tree)


# *by Search*
#
# While neither colour has two stones there is no threat to look for. Where there may be one, the kernels are compiled
# first, so that compiling is not taken for thinking.


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


# *by Search*
#
# ## Ten levels
#
# At level 10 the engine plays as well as it can. To play weakly is a craft of its own: a beginner does not play at random but
# misses things. Below level 10 the engine makes few simulations, and draws its move at random: a move with $N$ visits is
# drawn with probability in proportion to $N^z$ (Wu and others, 2019), among the moves that have at least a share
# `least` of the favourite's visits. With a small $z$ the draw is almost even; with a large one it is nearly always the
# favourite. The floor keeps the blunders out that no one would make.
#
# The weakest levels also have a large exploration constant: their visits follow the priors and hardly the results.
#
# Levels 1 to 3 overlook threats, as a beginner does. At each move they overlook a point where the opponent makes five
# with the chance `fours`, and a point where the opponent makes an open four with the chance `threes`; a threat that
# they see they answer. No level overlooks a five of its own, and from level 4 on none overlooks one of the opponent's.
# Other games of `Rules` are played without oversights. The rates are chosen, by test games, so that each of these
# levels beats the one below by about as much. [A table below](#What-a-level-overlooks) counts what comes of them.
#
# The steps between levels should be about even. Whether they are is measured in [strength](strength.ipynb#Levels).


# by Search · ten levels
class Level(NamedTuple):
    """How strong the engine plays; None: as much as the budget allows."""

    simulations: int | None = None  # at most
    z: float | None = None  # draw a move in proportion to visits ** z; None: the most visited
    least: float = 0.1  # of the favourite's visits; moves with fewer are not drawn
    c_prior: float = SearchOptions().c_prior  # more: visits follow the priors, not the values
    vcf_nodes: int = 0
    vct_nodes: int = 0
    learned: bool = False
    places: bool = False
    fours: float = 0.0  # chance to overlook, at one move, where the opponent makes five
    threes: float = 0.0  # and where the opponent makes an open four


LIMITED = ("c_prior", "vcf_nodes", "vct_nodes", "learned", "places")  # fields of SearchOptions

LEVELS = {
    1: Level(100, 0.3, 0.02, 20.0, fours=0.4, threes=0.7),
    2: Level(100, 0.7, 0.02, 20.0, fours=0.17, threes=0.4),
    3: Level(100, 0.8, 0.02, 9.5, fours=0.045, threes=0.13),
    4: Level(100, 1.0, 0.03, 7.0),
    5: Level(100, 1.03, 0.052, 5.0),
    6: Level(100, 1.0, 0.08, 3.2),
    7: Level(100, 1.25, 0.1, 1.7),
    8: Level(160, 1.5, 0.1, vcf_nodes=10),
    9: Level(500, 2.3, 0.1, vcf_nodes=60, vct_nodes=5_000),
    10: Level(None, **{name: getattr(SearchOptions(), name) for name in LIMITED}),
}


# *by Heuristics*
#
# To overlook a threat is to play as if it were not there. So the level must know what would answer it: with a point
# where the opponent makes five, that point; with an open three, the stones that leave the opponent the fewest points of
# an open four. Only a point where the opponent makes a four or better can be such a stone, and there are few of
# [them](threats.ipynb#Shapes,-from-five-downwards).


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


# *by Search*
#
# `play_level` draws the move. A threat that is overlooked takes its answers out of the draw; one that is seen leaves
# nothing else in it. Drawn points lie at most two away from a stone, as people play, unless the search visited none of
# those. Where it visited none of the answers, or of the points about a lone stone in the open, they are drawn evenly.
# The random numbers come from the seed and the number of stones, so a game against a level can be repeated.


# by Search · draw the move of a level
def check_level(level) -> Level:
    """Return the Level of a number from 1 to 10, or of None for full strength."""
    level = 10 if level is None else level
    return LEVELS[check_number("level", level, 1, 10, whole=True)]


def look_out(game: Game, level: Level, seed: int) -> tuple[list[int], bool]:
    """Return the answers to the opponent's threat, and whether the level overlooks it now.

    There are none where nothing threatens, or where the level has no rate for it.
    """
    threat, answers = threat_answers(game) if level.threes else (T_DEAD, [])
    rate = {T_FIVE: level.fours, T_OPEN_FOUR: level.threes}.get(threat, 0)
    return answers, np.random.default_rng([seed, len(game.played), 1]).random() < rate


def play_level(thought, level: Level, game: Game, answers=(), missed=False) -> SearchResult:
    """Return the thought with the move that the level plays.

    answers   to a threat, from look_out: only these may be drawn; if `missed`, only others
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


# *by Search*
#
# A level also limits the search itself: its simulations, its exploration constant, how far it looks for forced wins,
# and whether it uses what its games taught.


# by Search · what a level allows
def limit_to_level(level: Level, budget: Budget, options: SearchOptions):
    """Return (Budget, SearchOptions) as the level allows them; level 10 changes nothing."""
    if level.simulations is None:
        return budget, options
    budget = budget._replace(simulations=min(budget.simulations, level.simulations))
    limits = {name: getattr(level, name) for name in LIMITED}
    return budget, options._replace(**limits)


# *by Search*
#
# ## think
#
# `think` is the one entrance to the engine. It puts the parts in order: check what was asked, play a forced move at once,
# make a tree or go on with one, look for threats, spend the budget, read the tree, and choose as the level says. Windows,
# protocols and matches all call it. Who wants to go on from an earlier search hands its tree back.
#
# However a board is turned or mirrored, the search finds the same and costs the same: all its
# [turnings](search.ipynb#A-search-that-can-be-stopped) are one search.


# *by Search*
#
# The engine's knowledge is about five in a row without gravity. Any other game of `Rules` is searched plainly. A
# forced move has a result without visits.


# by Search · which game the engine plays, and a thought without a search
def kernels_for(rules: Rules) -> Kernels:
    """Return the engine's five in a row, and plain search for any other game of Rules."""
    return choose_kernels(rules, engine_game)


def forced_thought(game: Game, line: list[int], why: str, seed: int) -> SearchResult:
    """Return the SearchResult of a move that needed no search."""
    blank = np.full(game.array.shape, np.nan)
    proven = 1 if why == "five" else None
    visits = np.zeros(blank.shape, np.int64)
    return SearchResult(line[0], why, visits, blank, blank.copy(), 0, 0.0, line, proven, seed)


# *by Search*
#
# What counts as thinking? All that happens from the call on, such as the look for forced moves and for threats, and
# copying what is known from an earlier tree. Only compiling and making an empty tree do not: they say nothing about the
# position. `begin_tree` therefore says when thinking began: at the call, plus the time that these two took.


# by Search · a tree that is ready to be searched
def begin_tree(
    game: Game, tree: Tree | None, options, budget: Budget, begun: float
) -> tuple[Tree, float]:
    """Return a tree of the game's position, and when thinking began by the budget's clock.

    tree    an earlier tree of this game to go on from, or None
    begun   when think was called
    """
    called = budget.clock()
    if tree is None:
        tree = Tree(game, kernels_for(game.rules), options, budget.records())
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


# *by Search*
#
# The parts of a search are one search: between them the favourite is doubted, and that is all. A search that is
# decided, out of time or stopped ends at once.


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


# *by Search*
#
# Two budgets may be given together, and whichever is used up first ends the search. With the same seed and a number of
# simulations the result repeats. With seconds it does not: the clock decides then, and it is looked at between slices
# of a few milliseconds, so that the time is overrun by very little.


# by Search · what is asked of the engine, checked
def check_asked(
    seconds=None,
    simulations=None,
    *,
    seed=None,
    level=None,
    options=SearchOptions(),
    on_progress=None,
    tree=None,
    stop=None,
    clock=time.perf_counter,
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
    budget = check_budget(seconds, simulations, stop, clock)
    return strength, *limit_to_level(strength, budget, options)


# by Search · think: the one entrance to the engine
def think(
    game: Game,
    seconds: float | None = None,
    simulations: int | None = None,
    *,
    seed: int | None = None,
    level: int | None = None,
    options: SearchOptions = SearchOptions(),
    on_progress=None,
    tree: Tree | None = None,
    stop=None,
    clock=time.perf_counter,
) -> SearchResult:
    """Return the best move found, and what was found on the way; `game` is left as it was.

    seconds, simulations   the budget: the first reached stops; neither: one second
    seed          same seed and simulations, same result; None: options.seed
    level         1 (beginner) to 10 or None (full strength)
    on_progress   called with a SearchResult up to twenty times per second
    tree          go on with the tree of an earlier SearchResult of this game
    stop          a threading.Event that ends the search early
    Raises ValueError for a finished game, a tree of another game, or anything else that makes
    no sense.
    """
    how = dict(seed=seed, level=level, options=options, on_progress=on_progress, tree=tree)
    strength, budget, options = check_asked(
        seconds, simulations, **how, stop=stop, clock=clock
    )
    begun = clock()
    check_unfinished(game)
    if tree is not None and tree.leads_to(game) and tree.kernels != kernels_for(game.rules):
        raise ValueError("this tree was grown by another search than the engine's")
    answers, missed = look_out(game, strength, options.seed)
    if not missed and (forced := forced_move(game)):
        return forced_thought(game, *forced, options.seed)
    tree, begun = begin_tree(game, tree, options, budget, begun)
    done, took = run_in_parts(tree, budget, on_progress, begun)
    return play_level(read_tree(tree, done, took), strength, game, answers, missed)


# *by Search*
#
# The first reply on 8×8, reported as the course notebook reports it: thinking time, total simulations, visits, value and the
# score that selects, here PUCT, of the best moves; and the expected line.


# *by Search*
#
# The same on the board. Left: where the simulations went. Middle: what they found there. Right: the score by which
# [PUCT](#Select-with-priors) compared the children at the end. The largest is visited next, so those of well-visited
# children have come close to each other. The middle board is far less even than after random games: an evaluation tells
# near points from far ones at the first look.


# *by Search*
#
# The same engine at several levels, each asked with five seeds: a low level draws its move, so it may be another one
# each time. At full strength the seeds agree, or differ between moves that are nearly equal.


# *by Search*
#
# ### What a level overlooks
#
# The table counts it. Black has four or three stones on five places in a row, the other stones lie near by at random, and
# white, to move, can make no four. `fours stopped` and `threes answered` are the shares of positions where white
# plays an answer; where a four has two ends, one of them. Beside them stands what the level's rates say. The last two
# columns are the distance of the first reply to h8, in points along a row, a column or a diagonal.
#
# From level 4 on nothing but the draw can miss a threat. At every level the reply lies near the stone; the last line
# lists replies of level 10 with more simulations.


# *by Search*
#
# ## The engine as a player
#
# A player is a function of a game and a seed, so that any two can meet in a match. The engine as a player thinks
# anew about each position.


# by Search · the engine as a player
def engine(
    seconds: float | None = None,
    simulations: int | None = None,
    level: int | None = None,
    options: SearchOptions = SearchOptions(),
):
    """Return a player that plays what think() finds, searching each position anew."""
    how = dict(level=level, options=options)
    check_asked(seconds, simulations, **how)

    def play(game: Game, seed: int | None = None) -> int:
        return think(game, seconds, simulations, seed=seed, **how).move

    return play


# *by Search*
#
# An `Opponent` is the engine for one whole game. It keeps its tree from move to move: what lies below the two moves that
# were played is where the next search begins. That is called *tree reuse*, and it costs memory, and a little time for the
# copy.


# by Search · the engine for one game: it keeps its tree
class Opponent:
    """The engine as a player for one game; called with game and seed, it returns a result.

    reuse   False: every position is searched anew
    Any other argument is one of think().
    """

    def __init__(self, seconds=None, simulations=None, *, reuse=True, **how):
        check_asked(seconds, simulations, **how), check_switch("reuse", reuse)
        self.how = how | {"seconds": seconds, "simulations": simulations}
        self.reuse, self.tree = reuse, None

    def __call__(self, game: Game, seed: int | None = None, **changes) -> SearchResult:
        """Think with the tree that is there, if it is of this game, and keep the new one."""
        known = self.tree is not None and self.tree.leads_to(game)
        how = {"seed": seed, "tree": self.tree if known else None} | self.how | changes
        thought = think(game, **how)
        if self.reuse:
            self.tree = thought.tree or self.tree  # a forced move has none
        return thought


# *by Search*
#
# ## Node X once more
#
# White must find `c2` or `f2`; every other move loses. The course notebook calls such a position *Node X*, and the
# [main notebook](../five_in_a_row.ipynb#9.-What-plain-search-misses) shows how plain search misses it and how a hard
# cut deletes the right answers. Each player below gets the same number of simulations; how many more plain search needs
# is [measured](strength.ipynb#Puzzles). Before the first of them the engine plays each move that stops black's
# fours, and asks whether black then wins by threats. If so, the move is dropped; what is left is searched.


# *by Heuristics*
#
# ## What does a look see that a random game does not?
#
# Enough to name the winner more often than a hundred random games do, at a fraction of their cost.
#
# **Why random games work at all.** A rollout is a fair question: if both sides played at random from here, who would
# win more often? The answer is related to good play, because a side with more open lines wins more random games. It needs
# no knowledge, which is why Monte Carlo methods came to games where no one could write an evaluation function, Go above
# all (Brügmann, 1993). But it is an answer to another question than ours. Random players do not answer threats. An
# open three, which decides a game between people, is one accident among many between random movers.
#
# **What breaks.** The value of a position is the mean of its rollouts, and the noise of a mean shrinks only with the root of
# their number. If the *expected* result of random play favours the wrong side, more rollouts only make the error certain.
# Statisticians call the first fault variance and the second bias. Search repairs both in time: the tree grows, and the
# rollouts begin later, where less is left to chance. But it must first pay for that tree.
#
# **A measurement.** The next cells let the engine play games against itself and stop each in the middle. Four judges say
# who will win: one random game, a hundred random games, and one look of `evaluate`, by counts and by places. A judge is
# right if the sign of its value is the winner's colour; a value of exactly 0 counts as half right. Then the cost: how
# long each takes.


# *by Experiments*
#
# Random games from a position come from the kernels of plain search; the mean result is from black's point of view,
# like `evaluate`.


# by Experiments · the mean of random games
def random_games(game: Game, count: int, seed: int) -> float:
    """Return the mean result of that many random games from here, -1...+1 for black."""
    kernels = plain_game(game.rules.in_a_row, game.rules.gravity)
    workspace, total = new_search(kernels, game, seed), 0
    for _ in range(count):
        kernels.reset(workspace)
        total += kernels.rollout(workspace)
    return total / count


# *by Experiments*
#
# The games are the engine's own, with a few hundred simulations per move and another seed for each. Drawn games do not
# count. Nor do positions whose next move is forced: a five, a point that stops one, or the only point left.


# by Experiments · positions from the middle of decided games
def stopped_games(rules: Rules, count: int, simulations: int) -> list[tuple[Game, int]]:
    """Return (position after a random number of plies, winner) of games with a winner."""
    found, seed, rng = [], 0, np.random.default_rng(1)
    options = SearchOptions(vct_nodes=0)  # so that a move takes little time
    while len(found) < count:
        seed, game = seed + 1, Game(rules)
        game.play(int(rng.choice(game.legal())))  # a first stone anywhere
        while not game.over:
            thought = think(game, simulations=simulations, seed=seed, options=options)
            game.play(thought.move)
        middle = Game(rules)
        for point in game.played[: int(rng.integers(4, max(5, len(game.played) - 4)))]:
            middle.play(point)
        if game.winner and forced_move(middle) is None:
            found.append((middle, game.winner))
    return found


# *by Heuristics*
#
# **One position.** Of these positions the next figure takes the one where random games are most wrong and the look is right.
# It asks for ever more random games: the band is two standard errors of their mean to either side.


# *by Heuristics*
#
# **What the curve shows.** At first the band is wide, and the mean may stand on either side: that is variance, and any
# budget of random games buys it off. Then it settles, and on the wrong side: that is bias, which no budget buys off.
# The caption counts how often. A hundred games err for both reasons, a million would err for the second alone.
#
# **The reason.** The evaluation sees what decides games, open lines of every kind for either side and where they meet,
# and knows who is to move. A random game knows all that too, but forgets it within a few plies. That so small a net
# does so well says less about nets than about the shapes: five in a row is a game of local patterns, and the patterns
# are kept up to date anyway for the priors.
#
# **And a proof is better than both.** A look is still an opinion, and the caption counts how often it has the wrong
# sign. Where a search proves who wins, a wrong look does no harm. The last board is the one where the look was surest
# and wrong and nothing was proved: a search, which asks the same judge further on, is no wiser there. (Or the loser
# of that game erred later.) So the engine asks for certain things first, at every node, and for an
# opinion only where nothing is certain.
#
# **What it costs.** The search loses its honesty. A rollout has no blind spot that more rollouts in a deeper tree would
# not cure. An evaluation may be wrong about a whole family of positions, and the tree will steer towards them if it errs
# in the mover's favour. The guard against this is depth: the value of the root is a mean over leaves many plies ahead.
#
# **What failed.** Newer weights for the counts. Fitted to new nodes of the trees, they predicted better and won fewer
# games. The positions they learned from were quiet then. The search also asks where the opponent threatens a five, and
# there the fit had left the weights to chance. A fit answers for what it has seen, and only for that.
#
# **Limits.** The winner is that of a game of the engine with itself, at a small budget, and the evaluation was fitted to
# games of this engine. That favours it. The positions come after a random first stone, not from the games people play.
# And what the evaluation is worth *in a search*, game by game, is a question for the matches in
# [strength](strength.ipynb).


# *by Search*
#
# ## Limits of the engine
#
# **What it does not see.** The engine looks for wins by continuous fours at every node, and for wins by threats at the
# root and after its favourite, each within a number of positions that the options set. A win that needs a quiet move
# first it finds only as far as its tree reaches. What the weights of `evaluate` say of a quiet position comes from its
# own games: a plan that it never plays, it never learnt to value.
#
# **What is proven, and what is not.** `proven` rests on complete lists of moves, or on lists whose missing moves are
# shown to lose; tests compare it with brute force. A *defence* stops the win that was found; another win may still beat
# it. Only the moves outside a list of defences are shown to lose.
#
# **One thread.** `think` searches on one thread and releases Python's lock while it does, so a window stays
# alive. A second tree on a second thread was tried and gained nothing; see
# [What was left out](strength.ipynb#What-was-left-out).
#
# **One game.** All knowledge here is about freestyle five in a row. Six stones in a row win as well, no move is forbidden, and
# other games of `Rules` are searched plainly.


# *by Search*
#
# ## Sources of the engine
#
# - C. Shannon, [*Programming a Computer for Playing Chess*](https://doi.org/10.1080/14786445008521796), Philosophical Magazine 41, 1950: the evaluation function.
# - B. Brügmann, [*Monte Carlo Go*](http://www.ideanest.com/vegos/MonteCarloGo.pdf), technical report, 1993: random games in place of an evaluation.
# - C. D. Rosin, [*Multi-armed Bandits with Episode Context*](https://doi.org/10.1007/s10472-011-9258-6), Annals of Mathematics and Artificial Intelligence 61,
#   2011: priors in the bound (PUCT). D. Silver and others, [*Mastering the Game of Go with Deep Neural Networks and
#   Tree Search*](https://doi.org/10.1038/nature16961), Nature 529, 2016: the form used here.
# - G. Chaslot and others, [*Progressive Strategies for Monte-Carlo Tree Search*](https://doi.org/10.1142/S1793005708001094), New Mathematics and Natural
#   Computation 4(3), 2008: progressive bias, and children added as visits grow.
# - S. Gelly, Y. Wang, [*Exploration Exploitation in Go: UCT for Monte-Carlo Go*](https://hal.science/hal-00115330), NIPS workshop, 2006: first-play
#   urgency.
# - I.-C. Wu and others, [*On Strength Adjustment for MCTS-Based Programs*](https://doi.org/10.1609/aaai.v33i01.33011222), AAAI 2019: levels by drawing a move in
#   proportion to a power of its visits.
# - D. P. Kingma, J. Ba, [*Adam: A Method for Stochastic Optimization*](https://arxiv.org/abs/1412.6980), ICLR 2015: how the weights were fitted.
# - *Project 5002: Five-in-a-Row Game*, a course notebook: Node X, and the report after each move.

# Made from engine.ipynb by tools/build.py: change the notebook, not this file.


# *by Search*
#
# # How does it judge a quiet position, and choose?
#
# Evaluation, priors, PUCT, budgets and levels: `think`.


# by Search · what this notebook builds on
import base64
import dataclasses
import math
import sys
import textwrap
import time
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import from_dtype, typeof

FOLDER = Path("..", "export") if Path("..", "export").is_dir() else Path("export")
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

from five_in_a_row.cache import jit
from five_in_a_row.core import BLACK, WHITE, Game, Rules, Thought, is_whole
from five_in_a_row.search import (
    COMPLETE,
    DRAWN,
    HIDDEN,
    LOST,
    NODE,
    OPEN,
    WON,
    Budget,
    Kernels,
    SearchOptions,
    Tree,
    check_budget,
    check_options,
    check_seed,
    choose_kernels,
    colour_to_move,
    follow,
    forced_move,
    grow,
    is_listed,
    is_settled,
    mover,
    random_below,
    read_tree,
    search_record,
    spend,
)
from five_in_a_row.threats import (
    FULL,
    K_DEAD,
    K_FIVE,
    K_FOUR,
    SHAPED,
    add_move,
    begin_live,
    count_from,
    fill_live,
    find_kind,
    free_point,
    list_defences,
    play_live,
    take_point,
    threats_win,
    wins_by_fours,
)


# *by Heuristics*
#
# ### The engine's game
#
# Three kernels make the engine's game.
#
# - `engine_moves` lists the moves, best kind first, each with a **prior**: the share of attention
#   that its kinds earn before any visit. Every empty point is listed in the end. Only where a five
#   must be filled or a win by fours stopped are the moves left out that cannot do it.
# - `judge` takes the place of the playout: a look at how many points are of each kind gives a value
#   between −1 and +1.
# - `engine_result` asks at a new node for a five, for a win by fours, and whether any five still fits
#   on the board: where none does, the game is a draw.


# *by Heuristics*
#
# The prior of a move comes from two kinds: what the mover's stone makes there, `MAKE`, and what it
# takes from the opponent, `BREAK`. Each of the sixteen kinds has a number in either list, from dead
# to five; the last number is for points that are taken.


# by Heuristics · what the kinds are worth to the move that is looked at first
MAKE = np.array([1, 3, 9, 30, 75, 30, 75, 75, 150, 270, 900, 90, 270, 3000, 6000, 30000, 0])
BREAK = np.array([0, 2, 6, 18, 45, 18, 45, 45, 90, 150, 450, 60, 150, 1200, 2400, 30000, 0])
MAKE, BREAK = MAKE.astype(np.int32), BREAK.astype(np.int32)


# *by Heuristics*
#
# `judge`, which comes next, needs numbers that nobody chose. `python export/fit.py play` lets the
# engine play itself and keeps positions, with what the search said of them and how the game ended;
# `python export/fit.py fit` adjusts the weights to that, step by step, and prints the text of the
# cell below with the size of the fit above it.


# by Heuristics · the weights of the judge, as export/fit.py prints them
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
# That text is the weights themselves: numbers of two bytes each, written in letters and digits
# (base 64).


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
    into, *others = np.split(numbers, np.cumsum([2 * FULL * HIDDEN, HIDDEN, HIDDEN]))
    return into.reshape(2 * FULL, HIDDEN), *others


# *by Heuristics*
#
# `judge` is a very small neural net. Its inputs $x_i$ are the square roots of 32 numbers: how many
# points are of each of the 16 kinds for the player to move, and how many for the other. Each of 16
# hidden units adds them up with weights $w_{ik}$ of its own and passes the sum on if it is
# positive; the answer is a weighted sum of the units, which $\tanh$ squeezes into −1 to +1:
#
# $$v = \tanh \tfrac{1}{2} \Big( a + \sum_{k=1}^{16} u_k \, \max\big(0,\; b_k + \sum_{i=1}^{32} w_{ik} x_i\big) \Big)$$
#
# In the code `INTO` holds $w$, `BIAS` $b$, `OUT` $u$ and `LAST` $a$. A sum without hidden units can
# say that a three is worth so much. The units can say more: that the third three adds less than the
# first, and that a four is worth more beside a three.


# by Heuristics · the value of a position
INTO, BIAS, OUT, LAST = read_weights(WEIGHTS)
ROOTS = np.sqrt(np.arange(401)).astype(np.float32)


@jit
def judge(s):
    """Return the value of a position for black, from -1 to +1."""
    own = colour_to_move(s) - 1
    for k in range(HIDDEN):
        s.hidden[k] = BIAS[k]
    for i in range(2 * FULL):
        many = s.board.count[own if i < FULL else 1 - own, i % FULL]
        if many > 0:
            for k in range(HIDDEN):
                s.hidden[k] += ROOTS[many] * INTO[i, k]
    logit = LAST[0]
    for k in range(HIDDEN):
        logit += max(np.float32(0), s.hidden[k]) * OUT[k]
    value = math.tanh(logit / 2)
    return value if own == 0 else -value


# *by Heuristics*
#
# Now the moves. Against a five only the points that make it can help; against a win by fours only
# the defences listed above. Elsewhere every move stays.


# by Heuristics · where few moves can help, only those
@jit
def list_forced(s, colour, nodes):
    """List in s.moves the only moves that can help against a five or a win by fours.

    Returns how many there are; 0: the opponent of `colour`, to move, has no such threat, or a
    search of `nodes` positions found none, or `colour` has a five itself.
    """
    own, other, length, point = colour - 1, 2 - colour, np.int64(0), np.int64(-1)
    if s.board.count[own, K_FIVE] > 0:
        return 0
    if s.board.count[other, K_FIVE] > 0:
        for _ in range(s.board.count[other, K_FIVE]):
            point = find_kind(s, other, K_FIVE, point + 1)
            length = add_move(s, point, length)
    elif nodes > 0 and count_from(s.board, other, K_FOUR) > 0:
        if wins_by_fours(s, 3 - colour, nodes):
            length = list_defences(s, colour)
    return length


# *by Heuristics*
#
# A move's score $s$ is its number in `MAKE` for the mover plus its number in `BREAK`, and its prior
# is its share of all scores,
#
# $$P_i = \frac{s_i}{\sum_j s_j}$$
#
# with a one added so that nothing is divided by zero. A record keeps $255 \sqrt{P}$ in one byte:
# the root spreads small priors apart that would all be rounded to nothing.


# by Heuristics · scores, order and priors of moves
@jit
def sort_moves(s, own, other, length):
    """Sort s.moves[:length], best first, into s.scores; return the sum of the scores."""
    total = 0
    for i in range(length):
        point = np.int64(s.moves[i])
        score = MAKE[s.board.kind[own, point]] + BREAK[s.board.kind[other, point]] + 1
        total, place = total + score, i
        while place > 0 and s.scores[place - 1] < score:
            s.moves[place], s.scores[place] = s.moves[place - 1], s.scores[place - 1]
            place -= 1
        s.moves[place], s.scores[place] = point, score
    return total


@jit
def set_priors(s, start, stop, total):
    """Set s.priors[start:stop]: 255 times the root of the share of s.scores in `total`."""
    for i in range(start, stop):
        s.priors[i] = np.uint8(255 * math.sqrt(s.scores[i] / total))


# *by Heuristics*
#
# `engine_moves` puts it together. It looks at all points but keeps only the best that were asked
# for, since most nodes never need more than a few of their moves. It begins at a random point, so
# equals come in no fixed order; on an empty board the middle is preferred.


# by Heuristics · the moves, best first, with their priors
@jit
def engine_moves(s, had, want, options):
    """Append moves to s.moves[:had], with s.priors; return the new length.

    s.complete is set to 1 where no other move can help.
    """
    colour = colour_to_move(s)
    own, other = colour - 1, 2 - colour
    length = list_forced(s, colour, options.fours) if had == 0 else 0
    if length > 0:
        s.complete = 1
        set_priors(s, 0, length, sort_moves(s, own, other, length))
        return length
    moves, scores, total, length, worst = s.moves, s.scores, 1, had, -1
    mine, theirs, most = s.board.kind[own], s.board.kind[other], had + want
    start = random_below(s, s.geo.points)  # so that chance decides between equals
    opens = s.board.empty == s.geo.points  # no stone yet: the middle comes first
    middle = s.geo.rows // 2 * s.geo.size + s.geo.size // 2
    for i in range(s.geo.points):
        point = start + i
        point -= s.geo.points if point >= s.geo.points else 0
        score = MAKE[mine[point]] + BREAK[theirs[point]]
        score += 1_000 if opens and point == middle else 0
        total += score
        if score <= worst or mine[point] == FULL or is_listed(moves, had, point):
            continue
        place = min(length, most - 1)
        while place > had and scores[place - 1] < score:  # insertion into the best so far
            moves[place], scores[place] = moves[place - 1], scores[place - 1]
            place -= 1
        moves[place], scores[place] = point, score
        length = min(length + 1, most)
        worst = scores[most - 1] if length == most else -1
    set_priors(s, had, length, total)
    return length


# *by Heuristics*
#
# With priors the search can be choosy without cutting anything. **PUCT** adds to the value of a
# child a bonus in proportion to its prior $P$, which fades as its visits $n$ grow:
#
# $$\text{PUCT} = \frac{m}{n} + c \, P \, \frac{\sqrt{N}}{1 + n}$$
#
# The children are sorted by prior, so of those without a visit only the first can be next. Its
# $m/n$ is not known; it counts as that of its node, seen from the same side, less `unvisited`. A
# child of low prior waits, but the factor $\sqrt{N}$ grows without end, and one day its turn comes.
# This is progressive bias and progressive widening in one formula.
#
# In the code `curiosity` times the square of the prior's byte is $c \, P \sqrt{N}$, since
# $255^2 = 65025$, and the two fractions are put over one denominator, $n \, (1 + n)$.


# by Heuristics · select with priors
@jit
def puct(s, tree, node, untried, options):
    """Return the child with the highest Q + c P sqrt(N) / (1 + n); 0 if there is none.

    `untried`, the best child without visits, counts as a little worse than its node.
    Source: Rosin 2011 (predictor and UCB); the form is that of Silver and others 2016.
    """
    record, one = tree[node], np.float32(1)
    first = np.int64(record.first)
    curiosity = np.float32(options.c_prior * math.sqrt(record.N) / 65025)
    unit, best, chosen = np.float32(1 / 64), np.float32(-1e9), np.int64(0)
    if untried > 0:
        prior = np.float32(tree[untried].prior)
        known = 1 - record.W64 / (64 * max(1, record.N)) - options.unvisited
        best, chosen = np.float32(known) + curiosity * prior * prior, np.int64(untried)
    for i in range(first, first + record.tried):
        child = tree[i]
        if child.status > COMPLETE and options.solve and is_settled(child.status, record.N):
            continue
        n, reward = np.float32(child.N), unit * np.float32(child.W64)
        bonus, after = curiosity * np.float32(child.prior) ** 2, n + one
        score = (reward * after + bonus * n) / (n * after)  # one division is faster than two
        if score > best:
            best, chosen = score, np.int64(i)
    return chosen


# *by Heuristics*
#
# At a new node, from the cheapest question to the dearest: has the last stone made five? Can no
# five come any more? Has the player to move a five, or the other side two? Does the player to move
# win by fours? What none of this decides is left to `judge`.


# by Heuristics · what is certain at a new node
AT_ROOT = np.int64(5_000)  # positions to look at for fours before the first simulation


@jit
def engine_result(s, options):
    """Return WON, DRAWN, LOST or OPEN for the player who just moved."""
    own = 0 if s.board.start == 0 else 1  # to move
    mine, theirs = s.board.count[own], s.board.count[1 - own]
    if s.board.won:
        return WON
    if mine[K_DEAD] == s.board.empty and theirs[K_DEAD] == s.board.empty:
        if options.dead or s.board.empty == 0:
            return DRAWN  # no five fits anywhere; also on a full board
    if mine[K_FIVE] > 0:
        return LOST
    if theirs[K_FIVE] > 1:
        return WON
    if options.fours > 0 and wins_by_fours(s, own + 1, options.fours):
        return LOST
    return OPEN


# *by Heuristics*
#
# At the root the same search for fours may look further. With that the engine's game is complete.


# by Heuristics · a first look at the root, and the engine's game
@jit
def engine_look(s, options):
    """True if the player to move at the root wins by fours; s.win[:s.ply] is then the line."""
    return options.fours > 0 and wins_by_fours(s, colour_to_move(s), AT_ROOT)


@lru_cache
def engine_game() -> Kernels:
    """Return the kernels of the engine's game."""
    return Kernels(
        SHAPED,
        begin_live,
        play_live,
        engine_result,
        mover,
        engine_moves,
        judge,
        batch=1,
        best_first=True,
        fill=fill_live,
        look=engine_look,
        select=puct,
    )


# *by Search*
#
# With a budget at hand, `follow` can be tried: the visits of the expected answer become those of
# the new root.


# *by Search*
#
# Before the first simulation the engine looks for threats at the root. A win by threats is played at
# once: the search for it looks at a few hundred positions first, then at four times as many, and so
# on, while threats are left to try and this has not taken a tenth of the time.
#
# If the *opponent* would win by threats, most moves of the root lose. Each is played, and if the
# opponent then still wins by threats it is dropped: that is a proof, so a defence is never dropped
# with them. The simulations all go to the moves that may hold.


# by Search · how much may be looked at before the first simulation
THREAT_SHARE = 0.1  # of the time, for a win; as much again for the moves that lose
LOOKS = (300, 1_200, 4_800, 19_200)  # positions, in each search for threats
POSITION_SECONDS = 8e-6  # a position takes this at the most
PER_SIMULATION = 50  # positions for each simulation, where those are the budget


class Look:
    """Searches for wins by threats at the root, within a share of the budget."""

    def __init__(self, tree: "Tree", budget: "Budget", begun: float):
        self.s, self.budget, self.begun, self.looked = tree.s, budget, begun, 0
        self.rounds = [nodes for nodes in LOOKS if nodes <= tree.options.threats]

    def allows(self, nodes: int, share: float) -> bool:
        """True if there is time for that many positions more."""
        budget = self.budget
        if budget.stop is not None and budget.stop.is_set():
            return False
        begun = budget.clock() - self.begun
        most = max(LOOKS[0], PER_SIMULATION * budget.simulations)
        in_time = begun + nodes * POSITION_SECONDS <= share * budget.seconds
        return in_time and self.looked + nodes <= most

    def wins(self, colour: int, nodes: int) -> bool:
        """True if the colour, 1 or 2, to move, wins by threats; see threats_win."""
        won = threats_win(self.s, colour, nodes)
        self.looked += nodes - int(self.s.budget)
        return won

    def loses(self, point: int, colour: int, nodes: int) -> bool:
        """True if the other colour wins by threats after the colour has played the point."""
        take_point(self.s, point, colour)
        lost = self.wins(3 - colour, nodes)
        free_point(self.s, point, colour)
        return lost


# *by Search*
#
# The search for a win comes first; it ends when it has one, when no threat is left to try, or when
# its share of the budget is used up.


# by Search · a win by threats at the root
def look_for_threats(tree: Tree, budget: Budget, begun: float) -> None:
    """Decide the root if the player to move wins by threats; else drop moves that lose."""
    look, own = Look(tree, budget, begun), 1 if tree.to_move == BLACK else 2
    begin_live(tree.s)
    for nodes in look.rounds:
        if not look.allows(nodes, THREAT_SHARE):
            break
        if look.wins(own, nodes):
            tree.nodes["status"][0] = LOST  # tree.s.win is the line
            return
        if tree.s.budget > 0:  # no threat is left to try
            break
    if tree.root.status == OPEN:
        drop_lost_moves(tree, look, own)


# *by Search*
#
# The search against the opponent's win asks of every move whether it loses, with few positions
# first, and with more for those that are not settled. What remains may hold.


# by Search · leave out the moves that lose to threats
def drop_lost_moves(tree: Tree, look: Look, own: int) -> None:
    """Give the root only the moves after which the opponent finds no win by threats.

    Nothing changes if the opponent has no such win even with the move. If every move loses,
    those that take longest to refute are kept.
    """
    s, share = tree.s, 2 * THREAT_SHARE
    if not look.allows(1_000, share) or not look.wins(3 - own, 1_000):
        return
    count = engine_moves(s, 0, tree.rules.points, tree.options)
    kept = list(zip(s.moves[:count].tolist(), s.priors[:count].tolist(), strict=True))
    for nodes in look.rounds:
        left, unsure = [], False
        for move in kept:
            if not look.allows(nodes, share):
                left.append(move)
            elif not look.loses(move[0], own, nodes):
                left.append(move)
                unsure |= s.budget <= 0
        kept = left or kept
        if not unsure:  # nothing left, no time, or every threat tried
            break
    if len(kept) < count:
        keep_moves(tree, kept)


# *by Search*
#
# A new tree gets just the remaining moves as its root's children. In a tree that goes on, the
# others are marked as lost.


# by Search · the moves of the root that remain
def keep_moves(tree: Tree, kept: list) -> None:
    """Make the (move, prior) pairs the only moves of the root: all others lose."""
    nodes, s = tree.nodes, tree.s
    if tree.root.children:  # a tree that goes on: mark what is lost
        first, moves = int(nodes["first"][0]), [move for move, _ in kept]
        for child in range(first, first + int(nodes["tried"][0])):
            if nodes["move"][child] not in moves:
                nodes["status"][child] = LOST
        return
    s.moves[: len(kept)], s.priors[: len(kept)] = zip(*kept, strict=True)
    if grow(nodes, s, 0, len(kept)):
        nodes["status"][0] = COMPLETE


# *by Search*
#
# While neither colour has two stones there is no threat to look for. Where there may be one, the
# kernels are compiled first, so that compiling is not taken for thinking.


# by Search · whether to look for threats at all
def may_threaten(tree: Tree, stones: int = 2) -> bool:
    """True if one side may have a threat; all that looks for it is compiled by then."""
    wanted = tree.kernels.board is SHAPED and tree.options.threats > 0
    if not wanted or max((tree.cells == BLACK).sum(), (tree.cells == WHITE).sum()) < stones:
        return False
    compile_threats()
    return tree.root.status <= COMPLETE


@lru_cache
def compile_threats() -> None:
    """Compile what looks for threats before a search, once a session."""
    s, nodes = from_dtype(search_record(SHAPED)), from_dtype(NODE)[::1]
    number, options = typeof(0), typeof(check_options(SearchOptions()))
    begin_live.compile((s,))
    threats_win.compile((s, number, number))
    take_point.compile((s, number, number))
    free_point.compile((s, number, number))
    engine_moves.compile((s, number, number, options))
    grow.compile((nodes, s, number, number))


# *by Search*
#
# **Levels.** At level 10 the engine plays as well as it can. Below, it makes few simulations, and
# draws its move at random: a move with $N$ visits is drawn with a chance in proportion to $N^z$ (Wu
# and others, 2019), among the moves that have at least a share `least` of the favourite's visits.
# The weakest levels spread their visits widely, so that they overlook things as a beginner does. A
# five is always made or stopped.


# by Search · ten levels
class Level(NamedTuple):
    """How strong the engine plays; None: as much as the budget allows."""

    simulations: int | None = None  # at most
    z: float | None = None  # draw a move in proportion to visits ** z; None: the most visited
    least: float = 0.1  # of the favourite's visits; moves with fewer are not drawn
    c_prior: float = SearchOptions().c_prior  # more: visits follow the priors, not the values
    fours: int = 0
    threats: int = 0


LEVELS = {
    1: Level(100, 0.3, 0.02, 20.0),
    2: Level(100, 0.7, 0.02, 20.0),
    3: Level(100, 0.8, 0.02, 10.0),
    4: Level(100, 1.0, 0.03, 8.5),
    5: Level(100, 1.0, 0.045, 6.0),
    6: Level(100, 1.0, 0.07, 4.0),
    7: Level(100, 1.2, 0.1, 2.0),
    8: Level(200, 1.5, 0.1, fours=10, threats=300),
    9: Level(1_000, 4.0, 0.1, fours=60, threats=5_000),
    10: Level(None, fours=SearchOptions().fours, threats=SearchOptions().threats),
}


# *by Search*
#
# `play_level` is that formula. Its random numbers come from the seed and the number of stones, so a
# game against a level can be repeated.


# by Search · draw the move of a level
def check_level(level) -> Level:
    """Return the Level of a number from 1 to 10, or of None for full strength."""
    if level is None:
        return LEVELS[10]
    if not is_whole(level) or level not in LEVELS:
        raise ValueError(f"level must be a whole number from 1 to 10, not {level!r}")
    return LEVELS[int(level)]


def play_level(thought: Thought, level: Level, stones: int) -> Thought:
    """Return the thought with the move that the level plays."""
    most = thought.visits.max()
    if level.z is None or most == 0 or thought.proven == 1:
        return thought
    points = np.flatnonzero(thought.visits >= max(1, level.least * most))
    chances = (thought.visits.flat[points] / most) ** level.z
    chance = np.random.default_rng([thought.seed, stones])
    move = int(chance.choice(points, p=chances / chances.sum()))
    return dataclasses.replace(thought, move=move, why="level", line=[move])


# *by Search*
#
# `think` puts the parts in order: check what was asked, play a forced move at once, make a tree or
# go on with one, look for threats, spend the budget, read the tree, and choose as the level says.


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
) -> Thought:
    """Return the best move found, and what was found on the way; `game` is left as it was.

    seconds, simulations   the budget: the first reached stops; neither: one second
    seed          same seed and simulations, same Thought; None: options.seed
    level         1 (beginner) to 10 or None (full strength)
    on_progress   called with a Thought about twenty times a second
    tree          go on with the tree of an earlier Thought of this game
    stop          a threading.Event that ends the search early
    Raises ValueError for a finished game, a bad budget, or a tree of another game.
    """
    strength = check_level(level)
    budget = check_budget(seconds, simulations, stop, clock)
    if strength.simulations is not None:
        fewer = min(budget.simulations, strength.simulations)
        budget = budget._replace(simulations=fewer)
        options = options._replace(
            c_prior=strength.c_prior, fours=strength.fours, threats=strength.threats
        )
    if game.over:
        raise ValueError("the game is over: there is nothing to think about")
    options = options if seed is None else options._replace(seed=check_seed(seed))
    if forced := forced_move(game):
        return forced_thought(game, *forced, options.seed)
    if tree is None:
        tree = Tree(game, kernels_for(game.rules), options, budget.records())
        threats, begun = may_threaten(tree), clock()  # compiling is not part of thinking
    else:
        may_threaten(tree, stones=0)
        begun = clock()  # copying is
        tree = follow(tree, game, options, budget)
        threats = may_threaten(tree)
    if threats:
        look_for_threats(tree, budget, begun)
    done, took = spend(tree, budget, on_progress, begun)
    return play_level(read_tree(tree, done, took), strength, len(game.played))


# *by Search*
#
# The engine's knowledge is about five in a row without gravity. Any other game of `Rules` is
# searched plainly. A forced move has a `Thought` without visits.


# by Search · which game the engine plays, and a thought without a search
def kernels_for(rules: Rules) -> Kernels:
    """Return the engine's five in a row, and plain search for any other game of Rules."""
    return choose_kernels(rules, engine_game)


def forced_thought(game: Game, line: list[int], why: str, seed: int) -> Thought:
    """Return the Thought of a move that needed no search."""
    blank = np.full(game.array.shape, np.nan)
    proven = 1 if why == "five" else None
    visits = np.zeros(blank.shape, np.int64)
    return Thought(line[0], why, visits, blank, blank.copy(), 0, 0.0, line, proven, seed)


# *by Search*
#
# The first reply on 8×8, reported as the course notebook reports it, and then on the board.


# *by Search*
#
# The same engine at several levels, each asked with five seeds: a low level draws its move, so it
# may be another one each time.


# *by Search*
#
# A player is a function of a game and a seed, so that any two can meet in a match. The engine as a
# player thinks anew about each position.


# by Search · the engine as a player
def engine(
    seconds: float | None = None,
    simulations: int | None = None,
    level: int | None = None,
    options: SearchOptions = SearchOptions(),
):
    """Return a player that plays what think() finds, searching each position anew."""
    check_budget(seconds, simulations), check_level(level)
    how = dict(level=level, options=options)

    def play(game: Game, seed: int | None = None) -> int:
        return think(game, seconds, simulations, seed=seed, **how).move

    return play


# *by Search*
#
# An `Opponent` is the engine for one whole game. It keeps its tree from move to move: the part below
# the two moves that were played is where the next search begins.


# by Search · the engine for one game: it keeps its tree
class Opponent:
    """The engine as a player for one game; called with a game and a seed it returns a Thought.

    reuse   False: every position is searched anew
    Any other argument is one of think().
    """

    def __init__(self, seconds=None, simulations=None, *, reuse=True, **how):
        check_budget(seconds, simulations), check_level(how.get("level"))
        self.how = how | {"seconds": seconds, "simulations": simulations}
        self.reuse, self.tree = reuse, None

    def __call__(self, game: Game, seed: int | None = None, **changes) -> Thought:
        """Think with the tree that is there, if it is of this game, and keep the new one."""
        known = self.tree is not None and self.tree.leads_to(game)
        how = {"seed": seed, "tree": self.tree if known else None} | self.how | changes
        thought = think(game, **how)
        if self.reuse:
            self.tree = thought.tree or self.tree  # a forced move has none
        return thought


# *by Search*
#
# ### The position of room 10 once more
#
# White must find `c2` or `f2`. Each player gets the same number of simulations. Before the first of
# them the engine plays every move and asks whether black then wins by threats: those moves are
# dropped, and what is left is searched.

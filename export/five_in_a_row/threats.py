# Made from threats.ipynb by tools/build.py: change the notebook, not this file.


# *by Heuristics*
#
# # What is a win by force, and how is it proved?
#
# Shapes kept up to date, and wins by fours and threats.


# by Heuristics · what this notebook builds on
import sys
from functools import lru_cache
from pathlib import Path

import numpy as np

FOLDER = Path("..", "export") if Path("..", "export").is_dir() else Path("export")
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

from five_in_a_row.cache import jit
from five_in_a_row.search import (
    BOARD,
    EDGE,
    FIVE,
    FOUR,
    MULTIPLIER,
    NEIGHBOURS,
    NONE,
    ONE,
    OPEN_FOUR,
    OPEN_THREE,
    OPEN_TWO,
    REMEMBERED,
    THREE,
    TWO,
    begin_stones,
    code_at,
    code_of,
    colour_to_move,
    fits_five,
    is_listed,
    line_cells,
    own_places,
    play_stones,
)


# *by Heuristics*
#
# ### Shapes, kept up to date
#
# `classic` reads four line codes for each point, each time it asks for a score. A stone changes only
# the lines through it, and on each of them only the points at most four away. So the engine keeps the
# class of every empty point, for both colours and all four directions, and mends it after each move:
# at most 32 points, whatever the size of the board.
#
# The classes answer one question: *how many more own stones, besides this one, until a five?* A
# **four** needs one more, at one point; an **open four** has two such points or more. A **three**
# needs one more to be a four, an **open three** one more to be an open four. A **two** and an **open
# two** need one more to be those. **One** says only that a five still fits there, and **none** that
# it does not. Each class follows from the one above it by trying every empty neighbour, so the table
# of all line codes needs no pattern at all.


# by Heuristics · where one stone more makes something
def one_more(colour: int, holds: np.ndarray) -> np.ndarray:
    """Return where a stone beside the middle gives a line that holds, bool[65536, 9].

    colour   1 or 2: the stone's
    holds    bool[65536], by line code
    """
    cells, found = line_cells(), np.zeros((1 << 16, 9), bool)
    for i, place in enumerate(NEIGHBOURS):
        with_stone = np.arange(1 << 16) | colour << 2 * i
        found[:, place] = (cells[:, place] == 0) & holds[with_stone]
    return found


# *by Heuristics*
#
# `line_classes` begins with the lines that hold five, and from there goes down: one stone from five
# is a four, two such points an open four, and so on for threes and twos.


# by Heuristics · the class of every line code, from five downwards
@lru_cache
def line_classes(colour: int) -> np.ndarray:
    """Return the class of a stone of colour 1 or 2 in the middle of each line, int8[65536]."""
    cells = line_cells()
    own = own_places(cells, colour)
    five = fits_five(own)
    fives = one_more(colour, five).sum(axis=1)
    found = np.where(fits_five(own | (cells == 0)), ONE, NONE).astype(np.int8)
    found[fives == 1], found[fives > 1], found[five] = FOUR, OPEN_FOUR, FIVE
    for lower, higher in (
        (THREE, FOUR),
        (OPEN_THREE, OPEN_FOUR),
        (TWO, THREE),
        (OPEN_TWO, OPEN_THREE),
    ):
        leads = one_more(colour, found == higher).any(axis=1)
        found[leads & (found < lower)] = lower
    return found


# *by Heuristics*
#
# The four classes of a point together say what a stone there would do: its **kind**. A four and an
# open three at once are more than either, since one stone cannot stop both. There are sixteen kinds,
# from *dead*, where no five can come of the point any more, to *five*.


# by Heuristics · what a stone does in all four directions together, in words and numbers
KINDS = (
    "dead live two open-two double-open-two three three-and-open-two double-three "
    "open-three open-three-and-more double-open-three four four-and-more "
    "four-and-open-three open-four five"
).split()
(
    K_DEAD, K_LIVE, K_TWO, K_OPEN_TWO, K_OPEN_TWOS, K_THREE, K_THREE_TWO, K_THREES,
    K_OPEN_THREE, K_OPEN_THREE_MORE, K_OPEN_THREES, K_FOUR, K_FOUR_MORE, K_FOUR_THREE,
    K_OPEN_FOUR, K_FIVE,
) = np.arange(16)  # fmt: skip


# *by Heuristics*
#
# The kind of a point is the first rule that its four classes fulfil, from five downwards. Four bits
# are enough for a class, so four classes make a number below $2^{16}$, and again a table holds all
# answers.


# by Heuristics · from four classes to a kind
@lru_cache
def kind_table() -> np.ndarray:
    """Return the kind for four classes of four bits each, uint8[65536]."""
    classes = np.stack([np.arange(1 << 16) >> 4 * d & 15 for d in range(4)], axis=1)
    twos, threes, open_threes, fours, open_fours, fives = (
        (classes == kind).sum(axis=1)
        for kind in (OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)
    )
    more = threes + twos > 0
    rules = (  # the first that holds decides
        (fives > 0, K_FIVE),
        ((open_fours > 0) | (fours > 1), K_OPEN_FOUR),
        ((fours > 0) & (open_threes > 0), K_FOUR_THREE),
        ((fours > 0) & more, K_FOUR_MORE),
        (fours > 0, K_FOUR),
        (open_threes > 1, K_OPEN_THREES),
        ((open_threes > 0) & more, K_OPEN_THREE_MORE),
        (open_threes > 0, K_OPEN_THREE),
        (threes > 1, K_THREES),
        ((threes > 0) & (twos > 0), K_THREE_TWO),
        (threes > 0, K_THREE),
        (twos > 1, K_OPEN_TWOS),
        (twos > 0, K_OPEN_TWO),
        ((classes == TWO).any(axis=1), K_TWO),
        ((classes == ONE).any(axis=1), K_LIVE),
    )
    conditions, kinds = zip(*rules, strict=True)
    return np.select(conditions, kinds, K_DEAD).astype(np.uint8)


# *by Heuristics*
#
# The board of the engine has all the fields of `BOARD`, and more: the classes and kinds of every
# point, how many points are of each kind, and the stones as one number, the **hash**. Each colour
# on each point has a random number of 64 bits, and the hash is all of them joined by *exclusive
# or*, written `^`: `a ^ b` has the bits that just one of them has. So a stone that is put down and
# taken up again leaves the hash as it was (Zobrist, 1970).


# by Heuristics · a board that keeps the shapes
FULL = np.int64(16)  # the kind of a point that is taken
SHAPED = np.dtype(
    [
        *((name, BOARD.fields[name][0]) for name in BOARD.names),
        ("classes", np.uint32, 400),  # of each point: four classes for black, then for white
        ("kind", np.uint8, (2, 400)),  # of each point for black, for white; FULL where taken
        ("count", np.int32, (2, 17)),  # how many points are of each kind
        ("hash", np.uint64),  # the stones as one number
        ("won", np.int64),  # 1 if the last stone made five
    ],
    align=True,
)
CLASSES = line_classes(1) | line_classes(2) << 4  # black in the low four bits, white above
CLASSES = CLASSES.astype(np.uint8)
KIND = kind_table()
ZOBRIST = np.random.default_rng(2024).integers(0, 2**64, (2, 400), dtype=np.uint64)
TABLE = np.uint64(REMEMBERED - 1)  # a place in a table of positions, from their number
BOTH, LOW, BYTE = np.uint32(0x000F000F), np.uint32(0xFFFF), np.uint32(15)


# *by Heuristics*
#
# The classes of a point fit into 32 bits, four bits a direction: black's in the low half, white's
# in the high half. Its kinds are looked up from them, and counted.


# by Heuristics · the classes and the kind of a point
@jit
def classes_of(code):
    """Return the class of a line code for black, and 16 bits higher for white, uint32."""
    both = np.uint32(CLASSES[code])
    return both & BYTE | both >> np.uint32(4) << np.uint32(16)


@jit
def shape_at(s, point):
    """Return the classes of an empty point, worked out from its four line codes, uint32."""
    found = np.uint32(0)
    for d in range(4):
        found |= classes_of(code_at(s, point, d)) << np.uint32(4 * d)
    return found


@jit
def set_kind(board, colour, point, kind):
    """Give a point another kind for one colour, 0 black or 1 white, and count it there."""
    board.count[colour, board.kind[colour, point]] -= 1
    board.count[colour, kind] += 1
    board.kind[colour, point] = kind


# *by Heuristics*
#
# `swap_shapes` walks along the four lines through a stone. At each empty point of them only the
# class in that direction is looked up again; if it has changed, the kinds of the point follow. The
# stone's bits are joined to the line by `^`, so the same call puts a stone down and takes it up.


# by Heuristics · a stone comes or goes: mend the lines, and the points on them
@jit
def swap_shapes(s, point, colour):
    """Put a stone of colour 1 or 2 on a point, or take it away, and mend all shapes.

    The lines are read as integers: cell 0 of nine is four points before `point`.
    """
    board = s.board
    for d in range(4):
        shift = s.geo.shift[point, d]
        line = board.lines[s.geo.line[point, d]] ^ (colour << (shift + 2 * EDGE))
        board.lines[s.geo.line[point, d]] = line
        for step in range(-4, 5):
            if step == 0 or line >> (shift + 2 * (step + EDGE)) & 3:  # a stone, or the edge
                continue
            new = classes_of(code_of(line >> (shift + 2 * step)))
            other, place = point + step * s.geo.step[d], np.uint32(4 * d)
            old = board.classes[other]
            change = (old >> place & BOTH) ^ new
            if change:
                now = old ^ change << place
                board.classes[other] = now
                set_kind(board, 0, other, KIND[now & LOW])
                set_kind(board, 1, other, KIND[now >> np.uint32(16)])
    board.hash ^= ZOBRIST[colour - 1, point]


# *by Heuristics*
#
# Since kinds are ordered and counted, a question such as *can black make a four anywhere?* needs no
# look at the board.


# by Heuristics · how many points are of a kind or better
@jit
def count_from(board, colour, kind):
    """Return on how many points a stone of colour 0 or 1 would be of `kind` or better."""
    found = 0
    for better in range(kind, FULL):
        found += board.count[colour, better]
    return found


# *by Heuristics*
#
# With that, a stone can be played in the tree, and also tried and taken back, which the searches of
# room 12 do all the time.


# by Heuristics · play a move, or take one and give it back
@jit
def take_point(s, point, colour):
    """Put a stone of colour 1 or 2 on an empty point; the shapes follow."""
    s.board.won = s.board.kind[colour - 1, point] == K_FIVE
    set_kind(s.board, 0, point, FULL)
    set_kind(s.board, 1, point, FULL)
    swap_shapes(s, point, colour)


@jit
def free_point(s, point, colour):
    """Take a stone of colour 1 or 2 away; the shapes follow."""
    swap_shapes(s, point, colour)
    now = shape_at(s, point)
    s.board.classes[point], s.board.won = now, 0
    set_kind(s.board, 0, point, KIND[now & LOW])
    set_kind(s.board, 1, point, KIND[now >> np.uint32(16)])


@jit
def play_live(s, point):
    """Play the mover's stone: bits, lines, shapes."""
    take_point(s, point, colour_to_move(s))
    play_stones(s, point)


# *by Heuristics*
#
# Once for each search the shapes of its root are worked out from its stones alone.


# by Heuristics · all shapes of a position, worked out from its stones
@jit
def fill_live(s):
    """Work out every shape of s.root from its stones."""
    for i in range(s.root.lines.size):
        s.board.lines[i] = s.root.lines[i]  # which shape_at reads
    for point in range(s.geo.points):
        stones = s.root.stones[s.geo.row[point]] | s.root.stones[s.geo.half + s.geo.row[point]]
        if stones & s.geo.bit[point]:
            s.root.kind[0, point] = s.root.kind[1, point] = FULL
        else:
            now = shape_at(s, point)
            s.root.classes[point] = now
            s.root.kind[0, point], s.root.kind[1, point] = KIND[now & LOW], KIND[now >> 16]
        for colour in range(2):
            s.root.count[colour, s.root.kind[colour, point]] += 1
            if s.root.stones[colour * s.geo.half + s.geo.row[point]] & s.geo.bit[point]:
                s.root.hash ^= ZOBRIST[colour, point]


# *by Heuristics*
#
# Each simulation begins with a copy of the root and its shapes.


# by Heuristics · begin a simulation at the root
@jit
def begin_live(s):
    """Make s.board a copy of s.root, with its shapes."""
    begin_stones(s)
    for i in range(3 * (s.geo.rows + s.geo.size) - 2):
        s.board.lines[i] = s.root.lines[i]
    for i in range(s.geo.points):
        s.board.classes[i] = s.root.classes[i]
        s.board.kind[0, i], s.board.kind[1, i] = s.root.kind[0, i], s.root.kind[1, i]
    for kind in range(17):
        s.board.count[0, kind] = s.root.count[0, kind]
        s.board.count[1, kind] = s.root.count[1, kind]
    s.board.hash, s.board.won = s.root.hash, 0


# *by Heuristics*
#
# ## 12 · Forced wins and proven nodes
#
# Random playouts do not see a win that must be played exactly. The simplest such win is a chain of
# **fours**: each four threatens a five, so the answer is forced, and the next four comes before the
# defender can do anything of their own. A win by such a chain is called **VCF**, victory by
# continuous fours. There is one reply to each four, so the search for it hardly branches and can
# look many plies deep.
#
# A stone makes a *four* on a line when exactly one point of that line then makes five, and a
# *double* when two points do, on one line or on two: the defender can fill only one of them. A table
# says for each line code what a stone in the middle makes, and where the five is then.


# by Heuristics · what a stone makes on its line: nothing, a four, a double, a five
FOUR_ONE, FOUR_TWO, FOUR_WON = 1, 2, 3  # one point to five, two points or more, five at once


@lru_cache
def fours_table() -> np.ndarray:
    """Return int16[65536]: kind, and place of the first five + 4, for black, then for white.

    Bits 0-1 kind for black, 2-5 place; bits 6-7 kind for white, 8-11 place.
    """
    table = np.zeros(1 << 16, np.int16)
    for colour, low in ((1, 0), (2, 6)):
        five = line_classes(colour) == FIVE
        makes = one_more(colour, five)
        kind = np.where(five, FOUR_WON, np.minimum(makes.sum(axis=1), FOUR_TWO))
        table |= ((kind | makes.argmax(axis=1) << 2) << low).astype(np.int16)
    return table


# *by Heuristics*
#
# A point lies on four lines. Two fours on two of them are a double as well, so their kinds are
# added up.


# by Heuristics · what a stone makes on its four lines together
FOURS = fours_table()


@jit
def fours_at(s, point, colour):
    """Return (kind, point of the five) for a stone of colour 1 or 2 on an empty point.

    Fours on two lines are a double: their fives lie on different points.
    """
    kind, five, low = 0, -1, 6 * (colour - 1)
    for d in range(4):
        found = FOURS[code_at(s, point, d)] >> low
        if found & 3:
            five = point + ((found >> 2 & 15) - 4) * s.geo.step[d]
            if found & 3 == FOUR_WON:
                return FOUR_WON, point
            kind += found & 3
    return min(kind, FOUR_TWO), five


# *by Heuristics*
#
# The search plays fours on the board, lets the defender fill the five, and goes on from there;
# afterwards every stone is taken back. Three things make it short. A four through the new stone
# lies within four points of it, so the list of points worth trying only grows by those. If the
# defender's reply makes a four itself, the attacker must answer there, with a four or not at all.
# And positions that lead nowhere are remembered by their hash, since the same fours in another
# order, or from another node of the tree, lead to the same position.
#
# First the small steps: a stone on or off the lines, nothing else, and the list of fours near it.


# by Heuristics · stones on and off the lines, and the fours beside a stone
@jit
def swap_stone(s, point, colour):
    """Put a stone of colour 1 or 2 on the lines of an empty point, or take it away."""
    for d in range(4):
        s.board.lines[s.geo.line[point, d]] ^= colour << (s.geo.shift[point, d] + 2 * EDGE)


@jit
def is_open(s, point):
    """True if no stone stands on the point, by its row in the lines."""
    return s.board.lines[s.geo.row[point]] >> (s.geo.shift[point, 0] + 2 * EDGE) & 3 == 0


@jit
def list_fours(s, point, colour, length):
    """Append the points within four of `point` where the colour now makes a four."""
    for d in range(4):
        line, shift = s.board.lines[s.geo.line[point, d]], s.geo.shift[point, d]
        for step in range(-4, 5):
            if line >> (shift + 2 * (step + EDGE)) & 3:  # a stone, or the edge
                continue
            near = point + step * s.geo.step[d]
            if length < s.fours.size and fours_at(s, near, colour)[0]:
                if not is_listed(s.fours, length, near):
                    s.fours[length] = near
                    length += 1
    return length


# *by Heuristics*
#
# The chain itself is a loop with a memory of its own, one entry for each **level**, that is, for
# each four and its answer. `next` says which point of the list comes next at a level, `length` how
# long the list is there, `forced` where the attacker must play if the defender has a four. A level
# with nothing left to try is given up, its two stones are taken back, and the level before goes on.
# A double or a five ends the search.


# by Heuristics · try the fours one after another, each with its only answer
@jit
def chain_of_fours(s, colour, forced, length):
    """True if the colour, to move, wins by fours; s.win[:s.ply] is then the winning line.

    forced   the point that must be filled against the defender's five, or -1
    length   s.fours[:length] are the points where the colour may make a four
    """
    level, s.next[0], s.length[0], s.forced[0] = 0, 0, length, forced
    s.keys[0] = s.board.hash ^ np.uint64(colour)
    if s.barren[s.keys[0] & TABLE] == s.keys[0]:
        return False
    while level >= 0:
        i, must = np.int64(s.next[level]), np.int64(s.forced[level])
        s.next[level] += 1
        if i >= (1 if must >= 0 else s.length[level]):  # nothing left to try: back one pair
            if s.left > 0:
                s.barren[s.keys[level] & TABLE] = s.keys[level]
            level -= 1
            if level >= 0:
                swap_stone(s, np.int64(s.win[2 * level + 1]), 3 - colour)
                swap_stone(s, np.int64(s.win[2 * level]), colour)
            continue
        point = must if must >= 0 else np.int64(s.fours[i])
        kind, five = fours_at(s, point, colour) if is_open(s, point) else (0, -1)
        if kind == 0:
            continue
        s.win[2 * level], s.win[2 * level + 1] = point, five
        if kind >= FOUR_TWO:
            s.ply = 2 * level + 1
            for k in range(level):  # take every stone back
                swap_stone(s, np.int64(s.win[2 * k]), colour)
                swap_stone(s, np.int64(s.win[2 * k + 1]), 3 - colour)
            return True
        if s.left <= 0 or level + 1 == s.next.size:
            continue
        swap_stone(s, point, colour)
        reply, threat = fours_at(s, five, 3 - colour)
        key = s.keys[level] ^ ZOBRIST[colour - 1, point] ^ ZOBRIST[2 - colour, five]
        if reply >= FOUR_TWO or s.barren[key & TABLE] == key:  # the answer stops this
            swap_stone(s, point, colour)
            continue
        swap_stone(s, five, 3 - colour)
        s.left, level = s.left - 1, level + 1
        s.keys[level] = key
        s.length[level] = list_fours(s, point, colour, np.int64(s.length[level - 1]))
        s.next[level], s.forced[level] = 0, threat if reply == FOUR_ONE else -1
    return False


# *by Heuristics*
#
# Before the chain begins, the counts of kinds answer the easy cases: a five, or an open four that
# the opponent has no five against, wins at once; where no four can be made, or the opponent has two
# fives, there is no chain.


# by Heuristics · where the chain may begin
@jit
def wins_by_fours(s, colour, nodes):
    """True if the colour, 1 black or 2 white, wins by fours when it is to move now.

    At most `nodes` positions are looked at; False means that no win was found among them.
    s.win[:s.ply] is then the winning line, attacker first, up to the five or the double.
    """
    own, length, forced, s.left = colour - 1, np.int64(0), np.int64(-1), nodes
    best = K_FIVE if s.board.count[own, K_FIVE] > 0 else K_OPEN_FOUR
    if s.board.count[own, best] > 0 and (
        best == K_FIVE or s.board.count[1 - own, K_FIVE] == 0
    ):
        s.win[0], s.ply = find_kind(s, own, best, 0), 1
        return True
    if s.board.count[1 - own, K_FIVE] > 1 or count_from(s.board, own, K_FOUR) == 0:
        return False
    if s.board.count[1 - own, K_FIVE] == 1:  # the opponent's five must be filled
        forced = find_kind(s, 1 - own, K_FIVE, 0)
    for point in range(s.geo.points):
        if K_FOUR <= s.board.kind[own, point] < FULL and length < s.fours.size:
            s.fours[length] = point
            length += 1
    return chain_of_fours(s, colour, forced, length)


# *by Heuristics*
#
# `find_kind` looks for one point of a kind that the counts say is there.


# by Heuristics · a point of a kind
@jit
def find_kind(s, own, kind, start):
    """Return the first point from `start` on that is of a kind for a colour, or -1."""
    for point in range(start, s.geo.points):
        if s.board.kind[own, point] == kind:
            return point
    return -1


# *by Heuristics*
#
# Black to move has no five. The search for fours finds a win; every answer of white on the way is the
# only one.


# *by Heuristics*
#
# ### The answers to a threat
#
# Suppose that the opponent would win by fours if it were their move. Which moves stop that? Most do
# not touch the winning line at all, and every one of those loses. A move can only help if it
#
# - stands on a point of the line: one of the fours, one of the answers, or a point of the five at its
#   end,
# - makes a four itself, so that the opponent must answer first, or
# - lies on five places in a row with one of the forced answers and at least two own stones, none the
#   opponent's, so that the answer would become a four or a five.
#
# All other moves lose, and that is a proof. The search may leave them out, and still call a position
# lost when all of these are.


# by Heuristics · one move more in the list, and what helps a forced answer
@jit
def add_move(s, point, length):
    """Append an empty point to s.moves[:length] unless it is there; return the new length."""
    if s.board.kind[0, point] == FULL or is_listed(s.moves, length, point):
        return length
    s.moves[length] = point
    return length + 1


@jit
def add_helpers(s, point, colour, length):
    """Append the points that would make a forced answer on `point` a four or a five.

    A stone there shares five places in a row with `point` that hold no enemy and two own
    stones more.
    """
    for d in range(4):
        line, shift = s.board.lines[s.geo.line[point, d]], s.geo.shift[point, d]
        for start in range(-4, 1):
            own, open_cells = 0, True
            for step in range(start, start + 5):
                cell = line >> (shift + 2 * (step + EDGE)) & 3
                own += cell == colour
                open_cells &= cell == 0 or cell == colour
            if open_cells and own >= 2:
                for step in range(start, start + 5):
                    if step != 0 and line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                        length = add_move(s, point + step * s.geo.step[d], length)
    return length


# *by Heuristics*
#
# `list_defences` plays the winning line, answers included, and lists what helps on the way; then it
# takes the stones back. At the end of the line it adds the points where the attacker would then
# make five.


# by Heuristics · every move that may stop a win by fours
@jit
def list_defences(s, colour):
    """List in s.moves all that may stop the line s.win[:s.ply] of the other colour.

    colour   1 or 2, to move, without a five of its own. Returns how many there are; every
    move outside the list loses.
    """
    length, other = np.int64(0), 3 - colour
    for point in range(s.geo.points):
        if K_FOUR <= s.board.kind[colour - 1, point] < FULL:
            length = add_move(s, point, length)
    for i in range(s.ply):
        point = np.int64(s.win[i])
        length = add_move(s, point, length)
        if i % 2 == 1:
            length = add_helpers(s, point, colour, length)
        swap_stone(s, point, other if i % 2 == 0 else colour)
    last = np.int64(s.win[s.ply - 1])
    for d in range(4):  # the points of the five at the end of the line
        line, shift = s.board.lines[s.geo.line[last, d]], s.geo.shift[last, d]
        for step in range(-4, 5):
            if line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                point = last + step * s.geo.step[d]
                if fours_at(s, point, other)[0] == FOUR_WON:
                    length = add_move(s, point, length)
    for i in range(s.ply):
        swap_stone(s, np.int64(s.win[i]), other if i % 2 == 0 else colour)
    return length


# *by Heuristics*
#
# ### Threats: fours and open threes
#
# An **open three** threatens an open four, and so must be answered too; but there is a choice of
# answers. A win by fours and open threes together is called **VCT**, victory by continuous threats.
# The search for it tries each threat, and against each of them *every* answer that could help:
#
# - against a four, its one point,
# - against an open three, the points of its line that would break it, and every four of the
#   defender's own.
#
# Any other answer lets the attacker make an open four, which wins. The attack succeeds if each of
# these answers runs into a win: by fours, or by further threats. Positions where that failed are
# remembered, since many orders of the same threats lead to the same position.


# by Heuristics · which neighbours break an open three, for every line code
@lru_cache
def stops_table(colour: int) -> np.ndarray:
    """Return where an enemy stone breaks an open three of the colour, uint8[65536].

    Bit i stands for neighbour i of the line code; 0 where the line is no open three.
    """
    found = line_classes(colour)
    broken = one_more(3 - colour, found < OPEN_THREE)[:, NEIGHBOURS]
    stops = np.packbits(broken, axis=1, bitorder="little")[:, 0]
    return np.where(found == OPEN_THREE, stops, 0).astype(np.uint8)


STOPS = np.stack([stops_table(1), stops_table(2)])
URGENCY = np.array(
    [K_FOUR_THREE, K_OPEN_THREES, K_OPEN_THREE_MORE, K_FOUR_MORE, K_OPEN_THREE, K_FOUR]
)  # the order in which threats are tried


# *by Heuristics*
#
# At each of its plies the attacker first asks for a win by fours, which is cheap. Only then are the
# threats listed, the most urgent kind first. If the opponent has a five, the one threat that may be
# tried is the one that fills it.


# by Heuristics · the threats of one side
@jit
def list_threats(s, colour, ply):
    """List the threats of `colour`, to move, in s.tries[ply]; True if it wins by fours.

    The winning line is then s.lines[ply, :s.reach[ply]].
    """
    own, other = colour - 1, 2 - colour
    s.many[ply] = s.tried[ply] = 0
    found = wins_by_fours(s, colour, 100)
    s.budget -= (100 - s.left) // 8  # these positions are cheaper than those of threats
    if found:
        for i in range(s.ply):
            s.lines[ply, i] = s.win[i]
        s.reach[ply] = s.ply
        return True
    if s.board.count[other, K_FIVE] > 0:  # it must be filled, by a threat or not at all
        point = find_kind(s, other, K_FIVE, 0)
        if s.board.count[other, K_FIVE] == 1 and s.board.kind[own, point] >= K_OPEN_THREE:
            s.tries[ply, 0], s.many[ply] = point, 1
        return False
    for kind in URGENCY:
        point = -1
        for _ in range(s.board.count[own, kind]):
            point = find_kind(s, own, kind, point + 1)
            s.tries[ply, s.many[ply]] = point
            s.many[ply] += 1
    return False


# *by Heuristics*
#
# The answers are listed as said above. Where one stone makes several open threes, an answer must
# break every one of them, so it is enough to list those that break the one with the fewest.


# by Heuristics · the answers of the other side
@jit
def list_answers(s, colour, point, ply):
    """List in s.tries[ply] all answers to the threat that `colour` made on `point`."""
    own, other, many = colour - 1, 2 - colour, 0
    best, stops, fewest = 0, 0, 9
    s.reach[ply] = s.tried[ply] = 0
    if s.board.count[own, K_FIVE] > 0:
        s.tries[ply, 0], s.many[ply] = find_kind(s, own, K_FIVE, 0), 1
        return
    for d in range(4):  # of several open threes, the one with the fewest answers
        found, answers = np.int64(STOPS[own, code_at(s, point, d)]), 0
        for i in range(8):
            answers += found >> i & 1
        if 0 < answers < fewest:
            best, stops, fewest = d, found, answers
    for i in range(8):
        if stops >> i & 1:
            s.tries[ply, many] = point + (i - 4 + (i > 3)) * s.geo.step[best]
            many += 1
    for near in range(s.geo.points):
        if K_FOUR <= s.board.kind[other, near] < FULL:
            if not is_listed(s.tries[ply], many, near):
                s.tries[ply, many] = near
                many += 1
    s.many[ply] = many


# *by Heuristics*
#
# The next kernel walks through threats and answers with a stack of its own: even plies are the
# attacker's, odd plies the defender's. One threat that wins is enough; of the answers all must lose.
# The winning line shows the answer that holds out longest.


# by Heuristics · fours and open threes, each with all its answers
@jit
def wins_by_threats(s, colour, depth, nodes):
    """True if `colour`, to move, wins by at most `depth` threats and then by fours.

    At most about `nodes` positions are looked at; s.budget is what is left of them, s.cut is 1
    if threats were left out for depth, and s.win[:s.ply] is the winning line.
    """
    s.budget, s.cut, ply = nodes, 0, 0
    won = list_threats(s, colour, 0)
    while True:
        if ply % 2 == 0 and won:
            if ply == 0:
                break
            longer_line(s, ply - 1)  # this answer loses: try the next one
            ply, won = ply - 1, False
            free_point(s, np.int64(s.at[ply]), 3 - colour)
        elif ply % 2 == 0:
            if s.tried[ply] == s.many[ply] or s.budget <= 0:  # no threat wins
                if ply == 0:
                    break
                if s.budget > 0:
                    s.failed[failure(s, colour, depth, ply) & TABLE] = failure(
                        s, colour, depth, ply
                    )
                free_point(s, np.int64(s.at[ply - 1]), 3 - colour)
                free_point(s, np.int64(s.at[ply - 2]), colour)
                ply -= 2
                continue
            point = np.int64(s.tries[ply, s.tried[ply]])
            s.tried[ply] += 1
            s.at[ply] = point
            take_point(s, point, colour)
            ply += 1
            list_answers(s, colour, point, ply)
        elif s.tried[ply] == s.many[ply]:  # every answer loses
            ply, won = ply - 1, True
            longer_line(s, ply)
            free_point(s, np.int64(s.at[ply]), colour)
        else:
            point = np.int64(s.tries[ply, s.tried[ply]])
            s.tried[ply] += 1
            s.at[ply] = point
            s.budget -= 1
            take_point(s, point, 3 - colour)
            ply += 1
            won = list_threats(s, colour, ply)
            if not won and s.many[ply] > 0:
                key = failure(s, colour, depth, ply)
                if ply >= 2 * depth:
                    s.many[ply], s.cut = 0, 1
                elif s.failed[key & TABLE] == key:
                    s.many[ply], s.cut = 0, 1
    for i in range(s.reach[0] if won else 0):
        s.win[i] = s.lines[0, i]
    s.ply = s.reach[0] if won else 0
    return won


# *by Heuristics*
#
# How many threats deep? One at first, then one more each time, so that a short win is found before
# a long one is tried. The search ends with a win, or when a round left nothing out for depth, or
# when the budget is spent.


# by Heuristics · ever more threats
@jit
def threats_win(s, colour, nodes):
    """True if `colour`, to move, wins by threats: one at first, then ever more of them.

    At most about `nodes` positions are looked at; s.budget is what is left. More than 0 and
    False: every threat was tried.
    """
    s.budget = nodes
    for depth in range(1, s.tried.size // 2):
        if wins_by_threats(s, colour, depth, s.budget):
            return True
        if s.budget <= 0 or s.cut == 0:
            break
    return False


# *by Heuristics*
#
# Two small parts of it. A failure holds for a position, an attacker and a number of threats left,
# so all three go into the number it is remembered by. And of two lines in which the defender holds
# out, the longer one is kept.


# by Heuristics · what is remembered of a failure, and of a win
@jit
def failure(s, colour, depth, ply):
    """Return the number under which a failed search for threats is remembered."""
    rest = np.uint64(2 * (depth - ply // 2) + colour) * MULTIPLIER
    return s.board.hash ^ rest


@jit
def longer_line(s, ply):
    """Make the line of `ply` its move and the line of the next ply, if that is longer."""
    length = min(s.reach[ply + 1] + 1, s.lines.shape[1])
    if ply % 2 == 0 or length > s.reach[ply]:
        s.reach[ply], s.lines[ply, 0] = length, s.at[ply]
        for i in range(1, length):
            s.lines[ply, i] = s.lines[ply + 1, i - 1]

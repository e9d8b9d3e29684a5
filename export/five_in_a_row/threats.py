# Made from threats.ipynb by tools/build.py: change the notebook, not this file.


import time
from functools import lru_cache

import numpy as np

from five_in_a_row.cache import jit
from five_in_a_row.figures import draw_board
from five_in_a_row.game import Game, Rules
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
    THREE,
    TWO,
    Classic,
    apply_stones,
    code_at,
    code_of,
    colour_to_move,
    first_turning,
    fits_five,
    is_listed,
    line_cells,
    new_search,
    own_places,
    reset_stones,
)


# ---- Shapes, from five downwards ------------------------------------------------------------


# by Heuristics · where one stone more makes something; the line shape of every line code
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


@lru_cache
def line_shapes(colour: int) -> np.ndarray:
    """Return the line shape of a stone of colour 1 or 2 in each line's middle, int8[65536]."""
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


# by Heuristics · what a stone does in all four directions together, in words and numbers
POINT_THREATS = (
    "dead live two open-two double-open-two three three-and-open-two double-three "
    "open-three open-three-and-more double-open-three four four-and-more "
    "four-and-open-three open-four five"
).split()
(
    T_DEAD, T_LIVE, T_TWO, T_OPEN_TWO, T_OPEN_TWOS, T_THREE, T_THREE_TWO, T_THREES,
    T_OPEN_THREE, T_OPEN_THREE_MORE, T_OPEN_THREES, T_FOUR, T_FOUR_MORE, T_FOUR_THREE,
    T_OPEN_FOUR, T_FIVE,
) = np.arange(16)  # fmt: skip


@lru_cache
def point_threat_table() -> np.ndarray:
    """Return the point threat for four line shapes of four bits each, uint8[65536]."""
    shapes = np.stack([np.arange(1 << 16) >> 4 * d & 15 for d in range(4)], axis=1)
    twos, threes, open_threes, fours, open_fours, fives = (
        (shapes == shape).sum(axis=1)
        for shape in (OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE)
    )
    more = threes + twos > 0
    rules = (  # the first that holds decides
        (fives > 0, T_FIVE),
        ((open_fours > 0) | (fours > 1), T_OPEN_FOUR),
        ((fours > 0) & (open_threes > 0), T_FOUR_THREE),
        ((fours > 0) & more, T_FOUR_MORE),
        (fours > 0, T_FOUR),
        (open_threes > 1, T_OPEN_THREES),
        ((open_threes > 0) & more, T_OPEN_THREE_MORE),
        (open_threes > 0, T_OPEN_THREE),
        (threes > 1, T_THREES),
        ((threes > 0) & (twos > 0), T_THREE_TWO),
        (threes > 0, T_THREE),
        (twos > 1, T_OPEN_TWOS),
        (twos > 0, T_OPEN_TWO),
        ((shapes == TWO).any(axis=1), T_TWO),
        ((shapes == ONE).any(axis=1), T_LIVE),
    )
    conditions, threats = zip(*rules, strict=True)
    return np.select(conditions, threats, T_DEAD).astype(np.uint8)


# ---- Shapes, kept up to date ----------------------------------------------------------------


# by Search · what searches for forced wins own besides, and a board that keeps the shapes
REMEMBERED = 4096  # positions that a search for fours remembers; a power of two
PROVED = 1 << 15  # and a search for threats
FORCED_FIELDS = (
    ("fours", np.int16, 512),  # points where a four may be made
    ("next", np.int16, 32),  # which of them to try, at each level of the chain
    ("length", np.int16, 32),  # how many there are
    ("forced", np.int16, 32),  # the only point allowed, or -1
    ("keys", np.uint64, 32),  # the position of each level as one number
    ("vcf_failures", np.uint64, REMEMBERED),  # positions where no win by fours was found
    ("left", np.int64),  # positions that may still be looked at
    ("cut", np.int64),  # levels that the chain must do without
    ("tries", np.int16, (64, 400)),  # moves of the search for threats, by ply
    ("many", np.int16, 64),  # how many there are
    ("at", np.int16, 64),  # the move that is being tried
    ("limits", np.int64, (65, 2)),  # of its proof and disproof number
    ("budget", np.int64),  # positions that the search for threats may still look at
    ("proof_keys", np.uint64, PROVED),  # positions that it remembers
    ("proofs", np.uint16, (PROVED, 4)),  # two numbers, plies to a win, and one unused
)


FULL = np.int64(16)  # the point threat of a point that is taken
SHAPED = np.dtype(
    [
        *((name, BOARD.fields[name][0]) for name in BOARD.names),
        # of each point: four line shapes for black, then for white; TAKEN where taken
        ("line_shapes", np.uint32, 400),
        # of each point for black, for white; FULL where taken
        ("point_threat", np.uint8, (2, 400)),
        ("count", np.int32, (2, 17)),  # how many points are of each point threat
        ("hash", np.uint64),  # the stones as one number
        ("won", np.int64),  # 1 if the last stone made five
    ],
    align=True,
)
LINE_SHAPES = line_shapes(1) | line_shapes(2) << 4  # black in the low four bits, white above
LINE_SHAPES = LINE_SHAPES.astype(np.uint8)
POINT_THREAT = point_threat_table()
TAKEN = np.array([0xFFFFFFFE, 0xFFFFFFFF], np.uint32)  # for shapes: a black stone, a white one
ZOBRIST = np.random.default_rng(2024).integers(0, 2**64, (2, 400), dtype=np.uint64)
TABLE = np.uint64(REMEMBERED - 1)  # a place in a table of positions, from their number
PROOFS = np.uint64(PROVED - 2)  # the first of two places
BOTH, LOW, BYTE = np.uint32(0x000F000F), np.uint32(0xFFFF), np.uint32(15)


# by Heuristics · shapes of a point, of a position from its stones, and at the root
@jit
def both_line_shapes(code):
    """Return the line shape of a line code for black, and 16 bits higher for white, uint32."""
    both = np.uint32(LINE_SHAPES[code])
    return both & BYTE | both >> np.uint32(4) << np.uint32(16)


@jit
def shape_at(workspace, point):
    """Return the line shapes of an empty point, from its four line codes, uint32."""
    found = np.uint32(0)
    for d in range(4):
        found |= both_line_shapes(code_at(workspace, point, d)) << np.uint32(4 * d)
    return found


@jit
def set_point_threat(board, colour, point, threat):
    """Give a point another threat for one colour, 0 black or 1 white, and count it there."""
    board.count[colour, board.point_threat[colour, point]] -= 1
    board.count[colour, threat] += 1
    board.point_threat[colour, point] = threat


@jit
def init_live(workspace):
    """Work out every shape of workspace.root from its stones."""
    root, geo = workspace.root, workspace.geo
    for i in range(root.lines.size):
        workspace.board.lines[i] = root.lines[i]  # which shape_at reads
    for point in range(geo.points):
        stones = root.stones[geo.row[point]] | root.stones[geo.half + geo.row[point]]
        if stones & geo.bit[point]:
            root.point_threat[0, point] = root.point_threat[1, point] = FULL
        else:
            now = shape_at(workspace, point)
            root.line_shapes[point] = now
            root.point_threat[0, point], root.point_threat[1, point] = (
                POINT_THREAT[now & LOW],
                POINT_THREAT[now >> 16],
            )
        for colour in range(2):
            root.count[colour, root.point_threat[colour, point]] += 1
            if root.stones[colour * geo.half + geo.row[point]] & geo.bit[point]:
                root.hash ^= ZOBRIST[colour, point]
                root.line_shapes[point] = TAKEN[colour]


@jit
def reset_live(workspace):
    """Make workspace.board a copy of workspace.root, with its shapes."""
    root, board, geo = workspace.root, workspace.board, workspace.geo
    reset_stones(workspace)
    for i in range(3 * (geo.rows + geo.size) - 2):
        board.lines[i] = root.lines[i]
    for i in range(geo.points):
        board.line_shapes[i] = root.line_shapes[i]
        board.point_threat[0, i], board.point_threat[1, i] = (
            root.point_threat[0, i],
            root.point_threat[1, i],
        )
    for threat in range(17):
        board.count[0, threat] = root.count[0, threat]
        board.count[1, threat] = root.count[1, threat]
    board.hash, board.won = root.hash, 0


# by Heuristics · how many points are of a point threat or better, and where one is
@jit
def count_from(board, colour, threat):
    """Return on how many points a stone of colour 0 or 1 would be of `threat` or better."""
    found = 0
    for better in range(threat, FULL):
        found += board.count[colour, better]
    return found


@jit
def find_point_threat(workspace, own, threat, start):
    """Return the first point from `start` on that is of a point threat for a colour, or -1."""
    for point in range(start, workspace.geo.points):
        if workspace.board.point_threat[own, point] == threat:
            return point
    return -1


# by Heuristics · a stone comes or goes: update the lines, and the points on them
@jit
def swap_shapes(workspace, point, colour):
    """Put a stone of colour 1 or 2 on a point, or take it away, and update all shapes.

    The lines are read as integers: cell 0 of nine is four points before `point`.
    """
    board, geo = workspace.board, workspace.geo
    for d in range(4):
        shift = geo.shift[point, d]
        line = board.lines[geo.line[point, d]] ^ (colour << (shift + 2 * EDGE))
        board.lines[geo.line[point, d]] = line
        for step in range(-4, 5):
            if step == 0 or line >> (shift + 2 * (step + EDGE)) & 3:  # a stone, or the edge
                continue
            new = both_line_shapes(code_of(line >> (shift + 2 * step)))
            other, place = point + step * geo.step[d], np.uint32(4 * d)
            old = board.line_shapes[other]
            change = (old >> place & BOTH) ^ new
            if change:
                now = old ^ change << place
                board.line_shapes[other] = now
                set_point_threat(board, 0, other, POINT_THREAT[now & LOW])
                set_point_threat(board, 1, other, POINT_THREAT[now >> np.uint32(16)])
    board.hash ^= ZOBRIST[colour - 1, point]


@jit
def take_point(workspace, point, colour):
    """Put a stone of colour 1 or 2 on an empty point; the shapes follow."""
    board = workspace.board
    board.won = board.point_threat[colour - 1, point] == T_FIVE
    set_point_threat(board, 0, point, FULL)
    set_point_threat(board, 1, point, FULL)
    board.line_shapes[point] = TAKEN[colour - 1]
    swap_shapes(workspace, point, colour)


@jit
def free_point(workspace, point, colour):
    """Take a stone of colour 1 or 2 away; the shapes follow."""
    board = workspace.board
    swap_shapes(workspace, point, colour)
    now = shape_at(workspace, point)
    board.line_shapes[point], board.won = now, 0
    set_point_threat(board, 0, point, POINT_THREAT[now & LOW])
    set_point_threat(board, 1, point, POINT_THREAT[now >> np.uint32(16)])


@jit
def apply_live(workspace, point):
    """Play the mover's stone: bits, lines, shapes."""
    take_point(workspace, point, colour_to_move(workspace))
    apply_stones(workspace, point)


# ---- Wins by fours --------------------------------------------------------------------------


# by Heuristics · what a stone makes on its lines: nothing, a four, a double, a five
FOUR_ONE, FOUR_TWO, FOUR_WON = 1, 2, 3  # one point to five, two points or more, five at once


@lru_cache
def fours_table() -> np.ndarray:
    """Return int16[65536]: kind, and place of the first five, for black, then for white.

    Bits 0-1 kind for black, 2-5 place; bits 6-7 kind for white, 8-11 place. A place is 0 to
    8, the stone itself at 4.
    """
    table = np.zeros(1 << 16, np.int16)
    for colour, low in ((1, 0), (2, 6)):
        five = line_shapes(colour) == FIVE
        makes = one_more(colour, five)
        kind = np.where(five, FOUR_WON, np.minimum(makes.sum(axis=1), FOUR_TWO))
        table |= ((kind | makes.argmax(axis=1) << 2) << low).astype(np.int16)
    return table


FOURS = fours_table()


@jit
def fours_at(workspace, point, colour):
    """Return (kind, point of the five) for a stone of colour 1 or 2 on an empty point.

    Fours on two lines are a double: their fives lie on different points.
    """
    kind, five, low = 0, -1, 6 * (colour - 1)
    for d in range(4):
        found = FOURS[code_at(workspace, point, d)] >> low
        if found & 3:
            five = point + ((found >> 2 & 15) - 4) * workspace.geo.step[d]
            if found & 3 == FOUR_WON:
                return FOUR_WON, point
            kind += found & 3
    return min(kind, FOUR_TWO), five


# by Heuristics · stones on and off the lines
@jit
def swap_stone(workspace, point, colour):
    """Put a stone of colour 1 or 2 on the lines of an empty point, or take it away."""
    geo = workspace.geo
    for d in range(4):
        workspace.board.lines[geo.line[point, d]] ^= colour << (geo.shift[point, d] + 2 * EDGE)


@jit
def swap_pair(workspace, level, colour):
    """Put the four and the answer of a level of the chain on the lines, or take them away."""
    swap_stone(workspace, np.int64(workspace.win[2 * level]), colour)
    swap_stone(workspace, np.int64(workspace.win[2 * level + 1]), 3 - colour)


@jit
def is_open(workspace, point):
    """True if no stone stands on the point, by its row in the lines."""
    geo = workspace.geo
    return workspace.board.lines[geo.row[point]] >> (geo.shift[point, 0] + 2 * EDGE) & 3 == 0


# by Heuristics · the fours beside a stone
@lru_cache
def near_fours_table() -> np.ndarray:
    """Return where a stone beside an own one in the middle makes a four, uint8[2, 65536].

    By colour and line code; bit i stands for the place NEIGHBOURS[i].
    """
    cells, table = line_cells(), np.zeros((2, 1 << 16), np.uint8)
    for colour in (1, 2):
        own = own_places(cells, colour)
        for bit, place in enumerate(NEIGHBOURS):
            makes_four = np.zeros(1 << 16, bool)
            for start in range(max(0, place - 4), min(4, place) + 1):
                five = slice(start, start + 5)  # with the middle and the place
                free = ((cells[:, five] == 0) & ~own[:, five]).sum(axis=1)
                stones = own[:, five].sum(axis=1)
                makes_four |= (stones >= 3) & (stones + free == 5)
            makes_four &= cells[:, place] == 0
            table[colour - 1] |= makes_four.astype(np.uint8) << bit
    return table


NEAR_FOURS = near_fours_table()


@jit
def list_fours(workspace, point, colour, length):
    """Append the points where a stone of the colour and the one on `point` make a four.

    Returns the new length of workspace.fours; points that are in the list stay once.
    """
    for d in range(4):
        places, near = NEAR_FOURS[colour - 1, code_at(workspace, point, d)], np.int64(-5)
        step = workspace.geo.step[d]
        while places:
            near += 2 if near == -1 else 1  # -4 to 4, without the stone itself
            new = places & 1 and not is_listed(workspace.fours, length, point + near * step)
            if new and length < workspace.fours.size:
                workspace.fours[length] = point + near * step
                length += 1
            places >>= 1
    return length


# by Heuristics · one four and its only answer
@jit
def play_four(workspace, level, colour, point, five):
    """Play a four and its answer, and begin the next level; False if that leads nowhere."""
    swap_stone(workspace, point, colour)
    reply, threat = fours_at(workspace, five, 3 - colour)
    key = workspace.keys[level] ^ ZOBRIST[colour - 1, point] ^ ZOBRIST[2 - colour, five]
    # the answer stops this
    if reply >= FOUR_TWO or workspace.vcf_failures[key & TABLE] == key:
        swap_stone(workspace, point, colour)
        return False
    swap_stone(workspace, five, 3 - colour)
    workspace.left, level = workspace.left - 1, level + 1
    workspace.keys[level] = key
    workspace.length[level] = list_fours(
        workspace, point, colour, np.int64(workspace.length[level - 1])
    )
    workspace.next[level], workspace.forced[level] = 0, threat if reply == FOUR_ONE else -1
    return True


# by Heuristics · try the fours one after another, each with its only answer
@jit
def chain_of_fours(workspace, colour, forced, length):
    """True if the colour, to move, wins by fours; workspace.win is then the line.

    forced   the point that must be filled against the defender's five, or -1
    length   workspace.fours[:length] are the points where the colour may make a four
    """
    level = np.int64(0)
    workspace.next[0], workspace.length[0], workspace.forced[0] = 0, length, forced
    workspace.keys[0] = workspace.board.hash ^ np.uint64(colour)
    if workspace.vcf_failures[workspace.keys[0] & TABLE] == workspace.keys[0]:
        return False
    while level >= 0:
        i, must = np.int64(workspace.next[level]), np.int64(workspace.forced[level])
        workspace.next[level] += 1
        # nothing left to try: back one pair
        if i >= (1 if must >= 0 else workspace.length[level]):
            if workspace.left > 0 and workspace.cut == 0:
                workspace.vcf_failures[workspace.keys[level] & TABLE] = workspace.keys[level]
            level -= 1
            if level >= 0:
                swap_pair(workspace, level, colour)
            continue
        newest = workspace.length[level] - 1 - i
        point = must if must >= 0 else np.int64(workspace.fours[newest])
        kind, five = (
            fours_at(workspace, point, colour) if is_open(workspace, point) else (0, -1)
        )
        if kind == 0:
            continue
        workspace.win[2 * level], workspace.win[2 * level + 1] = point, five
        if kind >= FOUR_TWO:
            workspace.ply = 2 * level + 1
            for k in range(level):  # take every stone back
                swap_pair(workspace, k, colour)
            return True
        if workspace.left > 0 and level + 1 < workspace.next.size - workspace.cut:
            level += play_four(workspace, level, colour, point, five)
    return False


# by Heuristics · where the chain may begin, and how short it can be
@jit
def wins_by_fours(workspace, colour, nodes):
    """True if the colour, 1 black or 2 white, wins by fours when it is to move now.

    At most `nodes` positions are looked at; False means that no win was found among them.
    workspace.win[:workspace.ply] is then the winning line, attacker first, up to the five or
    the double.
    """
    board = workspace.board
    own, length, forced, workspace.left = colour - 1, np.int64(0), np.int64(-1), nodes
    best = T_FIVE if board.count[own, T_FIVE] > 0 else T_OPEN_FOUR
    if board.count[own, best] > 0 and (best == T_FIVE or board.count[1 - own, T_FIVE] == 0):
        workspace.win[0], workspace.ply = find_point_threat(workspace, own, best, 0), 1
        return True
    if board.count[1 - own, T_FIVE] > 1 or count_from(board, own, T_FOUR) == 0:
        return False
    if board.count[1 - own, T_FIVE] == 1:  # the opponent's five must be filled
        forced = find_point_threat(workspace, 1 - own, T_FIVE, 0)
    for threat in range(T_FOUR, FULL):  # the best come last, and are tried first
        point = np.int64(-1)
        for _ in range(board.count[own, threat]):
            point = find_point_threat(workspace, own, threat, point + 1)
            if length < workspace.fours.size:
                workspace.fours[length] = point
                length += 1
    return chain_of_fours(workspace, colour, forced, length)


@jit
def shortest_fours(workspace, colour, nodes):
    """Return what wins_by_fours does; `nodes` positions show no win that is shorter."""
    won, shorter, levels = wins_by_fours(workspace, colour, nodes), True, workspace.next.size
    while won and shorter and workspace.ply > 2:
        before, workspace.cut = workspace.cut, levels - (workspace.ply - 1) // 2
        shorter = wins_by_fours(workspace, colour, nodes)
        if not shorter:  # the win before it once more
            workspace.cut = before
            won = wins_by_fours(workspace, colour, nodes)
    workspace.cut = 0
    return won


# by Heuristics · a line of moves on the board
def draw_line(ax, game, line) -> None:
    """Draw a position and the moves of a line as numbered stones, the side to move first."""
    from matplotlib.patches import Circle

    draw_board(ax, game.array)
    for number, point in enumerate(line):
        row, col = divmod(point, game.rules.size)
        black = (game.to_move == 1) == (number % 2 == 0)
        face, ink = ("black", "white") if black else ("white", "black")
        ax.add_patch(Circle((col, row), 0.42, facecolor=face, edgecolor="tab:red", zorder=6))
        ax.text(col, row, str(number + 1), color=ink, ha="center", va="center", zorder=7)


# ---- The answers to a threat ----------------------------------------------------------------


# by Heuristics · a move for the list; moves that turn a forced answer into a four
@jit
def add_move(workspace, point, length):
    """Append an empty point to workspace.moves[:length] unless there; return its length."""
    if workspace.board.point_threat[0, point] == FULL or is_listed(
        workspace.moves, length, point
    ):
        return length
    workspace.moves[length] = point
    return length + 1


@jit
def add_helpers(workspace, point, colour, length):
    """Append the points that would make a forced answer on `point` a four or a five.

    A stone there shares five places in a row with `point` that hold no stone of the opponent
    and two own stones more.
    """
    geo = workspace.geo
    for d in range(4):
        line, shift = workspace.board.lines[geo.line[point, d]], geo.shift[point, d]
        for start in range(-4, 1):
            own, open_cells = 0, True
            for step in range(start, start + 5):
                cell = line >> (shift + 2 * (step + EDGE)) & 3
                own += cell == colour
                open_cells &= cell == 0 or cell == colour
            if open_cells and own >= 2:
                for step in range(start, start + 5):
                    if step != 0 and line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                        length = add_move(workspace, point + step * geo.step[d], length)
    return length


# by Heuristics · every move that may stop a win by fours
@jit
def list_defences(workspace, colour):
    """List in workspace.moves all that may stop the line workspace.win of the other colour.

    colour   1 or 2, to move, without a five of its own. Returns how many there are; every
    move outside the list loses.
    """
    board, geo = workspace.board, workspace.geo
    length, other = np.int64(0), 3 - colour
    for point in range(geo.points):
        if T_FOUR <= board.point_threat[colour - 1, point] < FULL:
            length = add_move(workspace, point, length)
    for i in range(workspace.ply):
        point = np.int64(workspace.win[i])
        length = add_move(workspace, point, length)
        if i % 2 == 1:
            length = add_helpers(workspace, point, colour, length)
        swap_stone(workspace, point, other if i % 2 == 0 else colour)
    last = np.int64(workspace.win[workspace.ply - 1])
    for d in range(4):  # the points of the five at the end of the line
        line, shift = board.lines[geo.line[last, d]], geo.shift[last, d]
        for step in range(-4, 5):
            if line >> (shift + 2 * (step + EDGE)) & 3 == 0:
                point = last + step * geo.step[d]
                if fours_at(workspace, point, other)[0] == FOUR_WON:
                    length = add_move(workspace, point, length)
    for i in range(workspace.ply):
        swap_stone(workspace, np.int64(workspace.win[i]), other if i % 2 == 0 else colour)
    return length


# ---- Wins by threats ------------------------------------------------------------------------


# by Heuristics · the moves of the attacker, and the answers of the defender, best first
SHAPE_WEIGHTS = np.array([0, 1, 3, 5, 9, 14, 20, 24, 40, *[0] * 7])  # of a line shape
LINES_WEIGHT = sum(SHAPE_WEIGHTS[np.arange(1 << 16) >> 4 * d & 15] for d in range(4)).astype(
    np.int16
)


@jit
def attack_weight(workspace, point, colour):
    """Return what a point is worth in an attack of `colour`: its lines twice, and theirs."""
    shapes = workspace.board.line_shapes[point]
    black, white = np.int64(LINES_WEIGHT[shapes & LOW]), np.int64(LINES_WEIGHT[shapes >> 16])
    return black + white + (black if colour == 1 else white)


@jit
def list_try(workspace, ply, point, colour):
    """Put a point into workspace.tries[ply], before all that are worth less."""
    tries, place = workspace.tries[ply], workspace.many[ply]
    mine = attack_weight(workspace, point, colour)
    while place > 0 and attack_weight(workspace, np.int64(tries[place - 1]), colour) < mine:
        tries[place] = tries[place - 1]
        place -= 1
    tries[place] = point
    workspace.many[ply] += 1


# positions to look at: does the attacker threaten to win by fours? A plain 30 would have a
# type of its own, for which numba compiles the whole search for fours once more
THREAT_FOURS = np.int64(30)


@jit
def list_attacks(workspace, colour, ply, least):
    """List in workspace.tries[ply] the moves of `colour` with a point threat from `least`."""
    board, own, other = workspace.board, colour - 1, 2 - colour
    workspace.many[ply] = 0
    if board.count[other, T_FIVE] == 1:
        list_try(workspace, ply, find_point_threat(workspace, other, T_FIVE, 0), colour)
    elif board.count[other, T_FIVE] == 0:
        for point in range(workspace.geo.points):
            if least <= board.point_threat[own, point] < FULL:
                list_try(workspace, ply, point, colour)


@jit
def list_answers(workspace, colour, ply):
    """List all answers to what `colour` threatens; False if it is nothing, or too late."""
    board, own, other = workspace.board, colour - 1, 2 - colour
    workspace.many[ply] = 0
    if board.count[other, T_FIVE] > 0:
        return False
    if board.count[own, T_FIVE] == 1:
        list_try(workspace, ply, find_point_threat(workspace, own, T_FIVE, 0), colour)
    elif board.count[own, T_FIVE] == 0:
        if wins_by_fours(workspace, 3 - colour, THREAT_FOURS):
            return False
        if not wins_by_fours(workspace, colour, THREAT_FOURS):
            return False
        for i in range(list_defences(workspace, 3 - colour)):
            list_try(workspace, ply, np.int64(workspace.moves[i]), colour)
    return True


# by Heuristics · proof and disproof numbers of a position, and from those of its moves
NEVER = 65_535  # no proof, or no disproof, is possible
FIRST_PROOF = np.array([6, 6, 6, 5, 5, 5, 5, 5, 2, 2, 1, 4, 3, 1, 1, 1, 4])  # by point threat


@jit
def position_key(stones, colour, ply, least):
    """Return the number of a position: its stones, the attacker, the turn, what is tried."""
    return stones ^ np.uint64(64 * least + 2 * colour + ply % 2) * MULTIPLIER


@jit
def find_proof(workspace, key):
    """Return where a position stands in workspace.proofs, one of two places, or -1."""
    place = np.int64(key & PROOFS)
    for i in range(place, place + 2):
        if workspace.proof_keys[i] == key:
            return i
    return -1


@jit
def keep_numbers(workspace, key, proof, disproof, plies):
    """Keep the numbers of a position, in place of those with the smaller sum."""
    numbers, place = workspace.proofs, find_proof(workspace, key)
    if place < 0:
        place = np.int64(key & PROOFS)
        work = np.int64(numbers[place, 0]) + numbers[place, 1]
        place += np.int64(numbers[place + 1, 0]) + numbers[place + 1, 1] < work
    workspace.proof_keys[place] = key
    numbers[place, 0], numbers[place, 1], numbers[place, 2] = proof, disproof, plies


@jit
def sum_proof_numbers(workspace, colour, ply, least):
    """Return (proof number, disproof number, plies to the win) of the moves listed at a ply.

    workspace.at[ply] is then the move to try next, workspace.limits[ply + 1] its limits.
    """
    board, numbers, limits = workspace.board, workspace.proofs, workspace.limits
    attacks, best, second, total, rest, plies = ply % 2 == 0, NEVER + 1, NEVER + 1, 0, 0, 0
    stone, one = (colour - 1, 0) if attacks else (2 - colour, 1)
    for i in range(workspace.many[ply]):
        point = np.int64(workspace.tries[ply, i])
        stones = board.hash ^ ZOBRIST[stone, point]
        place = find_proof(workspace, position_key(stones, colour, ply + 1, least))
        proof, disproof, far = 1, 1, 0
        if place >= 0:
            proof, disproof = np.int64(numbers[place, 0]), np.int64(numbers[place, 1])
            far = np.int64(numbers[place, 2]) + 1
        elif attacks:
            proof = np.int64(FIRST_PROOF[board.point_threat[stone, point]])
        small, large = (proof, disproof) if attacks else (disproof, proof)
        total = min(NEVER - 1, total + large)
        if small < best or small == best and proof == 0 and (far < plies) == attacks:
            second, best, rest, plies, workspace.at[ply] = best, small, large, far, point
        elif small < second:
            second = small
    limits[ply + 1, one] = min(limits[ply, one], second + 1 + second // 4)
    limits[ply + 1, 1 - one] = limits[ply, 1 - one] - (total - rest)
    total = NEVER if best == 0 else total
    return (best, total, plies) if attacks else (total, best, plies)


# by Heuristics · what is decided at the first look
ATTACK_FOURS = np.int64(100)  # positions to look at: does the attacker, to move, win by fours?


@jit
def first_look(workspace, colour, ply, least):
    """List the moves of a position; return 1 if the attack has won, -1 if failed, else 0.

    workspace.win[: workspace.ply] is the line if the attacker wins by fours.
    """
    if ply % 2 == 1:
        threatens = list_answers(workspace, colour, ply)
        workspace.ply = 0
        return np.int64(workspace.many[ply] == 0) if threatens else -1
    if workspace.board.won or ply + 2 > workspace.many.size:
        return -1
    if wins_by_fours(workspace, colour, ATTACK_FOURS):
        return 1
    workspace.ply = 0
    list_attacks(workspace, colour, ply, least)
    return -np.int64(workspace.many[ply] == 0)


# by Heuristics · proof-number search, depth first
@jit
def step_down(workspace, colour, ply):
    """Play the move to try at a ply; return the next ply."""
    stone = colour if ply % 2 == 0 else 3 - colour
    take_point(workspace, np.int64(workspace.at[ply]), stone)
    workspace.budget -= 1
    return ply + 1


@jit
def step_back(workspace, colour, ply):
    """Take back the move that led to a ply; return the ply before."""
    stone = 3 - colour if ply % 2 == 0 else colour
    free_point(workspace, np.int64(workspace.at[ply - 1]), stone)
    return ply - 1


@jit
def prove(workspace, colour, least, start):
    """Return 1 if `colour`, to move, wins by threats, -1 if not, 0 if the budget is spent.

    start   how many plies of an attack led here; they stay in workspace.at
    """
    limits, ply, fresh = workspace.limits, start, True
    limits[start, 0] = limits[start, 1] = 1 << 30
    while True:
        sure = first_look(workspace, colour, ply, least) if fresh else np.int64(0)
        proof, disproof, plies = (0, NEVER, workspace.ply) if sure > 0 else (NEVER, 0, 0)
        if sure == 0:
            proof, disproof, plies = sum_proof_numbers(workspace, colour, ply, least)
        solved = proof == 0 or disproof == 0
        if solved or proof >= limits[ply, 0] or disproof >= limits[ply, 1]:
            key = position_key(workspace.board.hash, colour, ply, least)
            keep_numbers(workspace, key, proof, disproof, plies)
            if ply == start:
                return 1 if proof == 0 else -1
            ply, fresh = step_back(workspace, colour, ply), False
        elif workspace.budget > 0:
            ply, fresh = step_down(workspace, colour, ply), True
        else:
            while ply > start:
                ply = step_back(workspace, colour, ply)
            return 0


# by Heuristics · a win by threats, and its line
PROVED_AGAIN = 4_000  # positions, for each place of a line that the table has lost


@jit
def is_known(workspace, colour, ply, least):
    """True if workspace.at[ply] is a move of the proof; what is forgotten is proved again."""
    if sum_proof_numbers(workspace, colour, ply, least)[0] == 0 or ply % 2 == 1:
        return True  # or the answer of which nothing is known
    left, workspace.budget = workspace.budget, PROVED_AGAIN
    known = prove(workspace, colour, least, ply) > 0
    workspace.budget = left
    return known and sum_proof_numbers(workspace, colour, ply, least)[0] == 0


@jit
def note_line(workspace, colour, least):
    """Put the line of a win that is proved into workspace.win[: workspace.ply]."""
    ply = np.int64(0)
    sure = first_look(workspace, colour, ply, least)
    while sure == 0 and is_known(workspace, colour, ply, least):
        ply = step_down(workspace, colour, ply)
        sure = first_look(workspace, colour, ply, least)
    if sure > 0 and ply % 2 == 0:
        shortest_fours(workspace, colour, 10 * ATTACK_FOURS)
    fours = workspace.ply if sure > 0 else 0
    length = min(ply + fours, workspace.win.size)
    for i in range(length - 1, ply - 1, -1):
        workspace.win[i] = workspace.win[i - ply]
    workspace.ply = length
    while ply > 0:
        ply = step_back(workspace, colour, ply)
        workspace.win[ply] = workspace.at[ply]


@jit
def threats_win(workspace, colour, nodes):
    """True if `colour`, to move, wins by threats; workspace.win is then the line.

    At most about `nodes` positions are looked at; workspace.budget is what is left. More
    than 0 and False: every attack was tried that consists of threes or more. Not counted are
    the searches for fours at each position, and what proves a lost part of the line again.
    """
    workspace.budget = nodes
    for least in (T_OPEN_THREE, T_THREE):
        answer = prove(workspace, colour, least, np.int64(0))
        if answer > 0:
            note_line(workspace, colour, least)
        if answer >= 0:
            return answer > 0
    return False


# ---- Measured -------------------------------------------------------------------------------


# by Experiments · ask both questions at every position of some games
def positions_of_games(games: int, simulations: int):
    """Yield every position, with a move to find, of games between two `Classic` players."""
    player = Classic(simulations=simulations)
    for number in range(games):
        game, rng = Game(Rules(8)), np.random.default_rng(number)
        for point in rng.choice(game.legal(), 3, replace=False):  # so that games differ
            game.play(int(point))
        while not game.over:
            yield game
            game.play(player.move(game, seed=number + 100 * len(game.played)))


def ask(kernel, kernels, game, most: int):
    """Return (won, positions looked at, seconds, winning line) of a search for a win."""
    places, colour = first_turning(game), 1 if game.to_move == 1 else 2
    workspace = new_search(kernels, game, 1, places)
    reset_live(workspace)
    begun = time.process_time()
    won = bool(kernel(workspace, colour, most))
    seconds = time.process_time() - begun
    left = workspace.left if kernel is wins_by_fours else workspace.budget
    line = places[workspace.win[: workspace.ply]].tolist()
    return won, min(most, most - int(left)), seconds, line

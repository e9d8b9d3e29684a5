"""What a page asks of the compiled search: the functions that tools/wasm.py lowers.

Each takes addresses and small numbers, and calls the kernels of the notebooks; of a search
itself there is nothing here. There is a set of them for each game: the engine's, plain search
with five in a row (`plain`) and with four (`four`), and that of the small games, which have a
page of their own. numba compiles this file like any kernel.

Addresses: of a workspace (one record), a tree (records of NODE), options (float64, one for
each field of SearchOptions), cells (int8, a point each) and `out` (int32, see the functions).
"""

import numpy as np
from five_in_a_row import engine, search, threats
from five_in_a_row.game import Rules
from numba import carray, from_dtype, njit, types

MOST_POINTS = 400
OUT = 2048  # numbers that `out` holds
HEAD = 8  # of them, before what is said of each point
GAMES = ("engine", "plain", "four")
PLAYED = (8, 10, 12, 15, 19)  # points a side
SIZES = {"engine": PLAYED, "plain": PLAYED, "four": (5,), "rack": (7,), "cross": (3,)}
RULES = {
    "rack": Rules(7, 4, 6, True),
    "cross": Rules(3, 3),
}  # of the others only the size counts
NODE, COMPLETE = search.NODE, search.COMPLETE
LOST, DRAWN, WON = search.LOST, search.DRAWN, search.WON
SETTINGS = len(search.SearchOptions._fields)


def game_of(name):
    """Return the Kernels of a game: the engine's, or plain search of so many in a row."""
    if name == "engine":
        return engine.engine_game()
    rules = RULES.get(name, Rules(8, 5 if name == "plain" else 4))
    return search.plain_game(rules.in_a_row, rules.gravity)


def jitted(function):
    """Return a function compiled as kernels are."""
    return njit(nogil=True, error_model="numpy")(function)


def options_reader():
    """Return read(address) -> SearchOptions, compiled; each number gets its type."""
    kinds = {float: "float", int: "int64", bool: "bool_"}
    fields = [
        f"{kinds[type(value)]}(x[{i}])" for i, value in enumerate(search.SearchOptions())
    ]
    text = f"lambda x: SearchOptions({', '.join(fields)})"
    names = {"SearchOptions": search.SearchOptions, "int64": np.int64, "bool_": np.bool_}
    return jitted(eval(text, names))


# ---- any game --------------------------------------------------------------------------


@jitted
def best_child(tree, node):
    """Return the child to play, as TreeNode.best() of the notebook names it; 0 for none."""
    first, best, rank = np.int64(tree[node].first_child), np.int64(0), np.int64(-1)
    for i in range(first, first + tree[node].num_visited):
        child = tree[i]
        now = 2 if child.status == WON else 0 if child.status == LOST else 1
        if child.N > 0 and (now > rank or (now == rank and child.N > tree[best].N)):
            best, rank = np.int64(i), np.int64(now)
    return best


@jitted
def copy_whole(old, node, new, least):
    """Copy a node and what is below it to the beginning of `new`; return how many nodes."""
    new[0] = old[node]
    new[0].move = -1
    done, end = search.copy_nodes(old, new, 0, 1, least, 1 << 30)
    return end


@jitted
def use_records(workspace, used):
    """Note that the first `used` records of a tree are taken, and all others free."""
    workspace.free_list[:] = 0
    workspace.free_list[0] = used
    workspace.full = 0


@jitted
def write_counts(nodes, answer, line):
    """Fill answer[:line]: what `read` says of the root and of each point."""
    root = nodes[0]
    answer[0], answer[1], answer[2] = root.N, root.status, root.num_children
    answer[3], answer[4] = 0, line
    for i in range(HEAD, line):
        answer[i] = 0
    first = np.int64(root.first_child)
    for i in range(first, first + root.num_visited):
        child = nodes[i]
        place = HEAD + 3 * np.int64(child.move)
        answer[place], answer[place + 1] = child.N, child.W64
        answer[place + 2] = 3 if child.status == DRAWN else 1
        if child.status == WON or child.status == LOST:
            answer[place + 2] = 2 if child.status == WON else 0


@jitted
def write_line(nodes, answer, line):
    """Write the expected line, at most 80 moves, to answer[line:]; return its length."""
    node, length = best_child(nodes, np.int64(0)), 0
    while node > 0 and length < 80:
        answer[line + length] = nodes[node].move
        length, node = length + 1, best_child(nodes, node)
    return length


def is_full(workspace):
    """Return 1 once the tree found no room."""
    return np.int32(carray(workspace, 1)[0].full)


def peek(tree, records, node, out):
    """Fill `out`: a node's N, W64, status, first child, children, visited ones, move."""
    record, answer = carray(tree, records)[node], carray(out, OUT)
    answer[0], answer[1], answer[2] = record.N, record.W64, record.status
    answer[3], answer[4], answer[5] = (
        record.first_child,
        record.num_children,
        record.num_visited,
    )
    answer[6] = record.move


def board(workspace, out):
    """Fill `out` with the stones that lie on the board now: 1 black, 2 white, 0 none."""
    space, answer = carray(workspace, 1)[0], carray(out, OUT)
    geo, stones = space.geo, space.board.stones
    for point in range(geo.points):
        row, bit = np.int64(geo.row[point]), geo.bit[point]
        white = 2 if stones[geo.half + row] & bit else 0
        answer[point] = 1 if stones[row] & bit else white


def child(tree, records, node, point):
    """Return the visited child of a node by its move, or 0."""
    nodes = carray(tree, records)
    first = np.int64(nodes[node].first_child)
    for i in range(first, first + nodes[node].num_visited):
        if nodes[i].move == point and nodes[i].N > 0:
            return np.int32(i)
    return np.int32(0)


def advance(old, records, node, new, workspace, seed):
    """Make a node of an old tree the root of a new one, in a workspace that began."""
    space, first = carray(workspace, 1)[0], carray(old, records)
    visits = np.int64(first[node].N)
    use_records(space, copy_whole(first, np.int64(node), carray(new, records), 0))
    search.shuffle_points(space, np.int64(seed) + visits)  # with other random numbers


def recycle(old, records, new, workspace):
    """Copy a full tree without what is rarely visited, so that half of it is free."""
    space, before, after = (
        carray(workspace, 1)[0],
        carray(old, records),
        carray(new, records),
    )
    least = 2
    used = copy_whole(before, 0, after, least)
    while used > records // 2 and least <= before[0].N:
        least *= 2
        used = copy_whole(before, 0, after, least)
    use_records(space, used)


def common_entries(kernels, workspace, nodes):
    """Return {name: (function, types)} of what every machine is asked."""
    run_search, read_options = search.build_search(kernels), options_reader()
    init_root, small = kernels.init_root or jitted(lambda workspace: None), types.int32
    w, t, o = map(types.CPointer, (workspace, nodes, small))
    settings, cells = types.CPointer(types.float64), types.CPointer(types.int8)
    reset, legal = kernels.reset, kernels.legal

    def begin(workspace, tree, stones, to_move, seed):
        """Fill a blank workspace with a position, and begin a tree in a blank root."""
        space, root = carray(workspace, 1)[0], carray(tree, 1)[0]
        set_up = carray(stones, MOST_POINTS)
        search.set_board(space.root, space.geo, set_up, np.int64(to_move))
        init_root(space)
        space.free_list[0] = 1
        search.shuffle_points(space, np.int64(seed))
        root.move = -1

    def run(workspace, tree, records, options, simulations, stop_when_full):
        """Make so many simulations; return how many were made, as the search does."""
        space = carray(workspace, 1)[0]
        space.stop_when_full = stop_when_full
        chosen = read_options(carray(options, SETTINGS))
        nodes = carray(tree, records)
        return np.int32(run_search(space, nodes, chosen, np.int64(simulations)))

    def read(workspace, tree, records, options, out):
        """Fill `out`: the root's N, status, moves listed, length of the line, where it begins.

        From HEAD on, for each point: visits, 64 times the reward, rank (0 loses, 1 open, 2
        wins, 3 draws); then the expected line. Without a visited move: the first candidate.
        """
        space, nodes, answer = carray(workspace, 1)[0], carray(tree, records), carray(out, OUT)
        line = HEAD + 3 * np.int64(space.geo.points)
        write_counts(nodes, answer, line)
        best = best_child(nodes, np.int64(0))
        if nodes[0].status == LOST and (best == 0 or nodes[best].status != WON):
            for i in range(space.ply):  # a win that was seen at the root
                answer[line + i] = space.win[i]
            answer[3] = space.ply
        elif best == 0:
            reset(space)
            legal(space, 0, 1, read_options(carray(options, SETTINGS)))
            answer[line], answer[3] = space.moves[0], 1
        else:
            answer[3] = write_line(nodes, answer, line)

    return {
        "begin": (begin, (w, t, cells, small, small)),
        "run": (run, (w, t, small, settings, small, small)),
        "is_full": (is_full, (w,)),
        "read": (read, (w, t, small, settings, o)),
        "peek": (peek, (t, small, small, o)),
        "board": (board, (w, o)),
        "child": (child, (t, small, small, small)),
        "advance": (advance, (t, small, small, t, w, small)),
        "recycle": (recycle, (t, small, t, w)),
    }


# ---- the engine ------------------------------------------------------------------------

THREAT_BUDGETS, ALARM_BUDGETS = np.array(engine.THREAT_BUDGETS), np.array(engine.ALARM_BUDGETS)
PRIORS, LEFT = MOST_POINTS, 2 * MOST_POINTS  # places in `out`


@jitted
def wins(workspace, colour, nodes, looked):
    """Return whether a colour, to move, wins by threats, and the positions looked at."""
    won = threats.threats_win(workspace, colour, nodes)
    return won, looked + nodes - workspace.budget


@jitted
def is_alarmed(workspace, other, most_alarm, most, looked):
    """Return (whether `other` would win by threats, positions looked at); see the engine.

    most_alarm   positions that one look may take, beside the first
    """
    for k in range(ALARM_BUDGETS.size):
        if k > 0 and ALARM_BUDGETS[k] > most_alarm or looked + ALARM_BUDGETS[k] > most:
            break
        won, looked = wins(workspace, other, ALARM_BUDGETS[k], looked)
        if won or workspace.budget > 0:
            return won, looked
    return False, looked


@jitted
def keep_moves(tree, workspace, answer, count):
    """Make the moves answer[:count] the only ones of the root, as the engine does."""
    root = tree[0]
    if root.num_children > 0:
        first = np.int64(root.first_child)
        for i in range(first, first + root.num_visited):
            if not threats.is_listed(answer, count, tree[i].move):
                tree[i].status = LOST
        return
    for i in range(count):
        workspace.moves[i] = answer[i]
        workspace.priors[i] = answer[PRIORS + i]
    if search.grow(tree, workspace, 0, count):
        root.status = COMPLETE


@jitted
def drop_lost_moves(workspace, tree, options, most, most_alarm, looked, rounds, answer):
    """Give the root only the moves after which the opponent finds no win by threats.

    answer   int32[OUT]: memory for the moves that are left, their priors from PRIORS on
    """
    own = search.colour_to_move(workspace)
    alarmed, looked = is_alarmed(workspace, 3 - own, most_alarm, most, looked)
    if not alarmed:
        return
    count = np.int64(engine.engine_moves(workspace, 0, workspace.geo.points, options))
    for i in range(count):
        answer[i], answer[PRIORS + i] = workspace.moves[i], workspace.priors[i]
    kept = count
    for k in range(rounds):
        left, held, unsure = 0, 0, False
        for i in range(kept):
            move, lost = np.int64(answer[i]), False
            if looked + THREAT_BUDGETS[k] <= most:
                threats.take_point(workspace, move, own)
                lost, looked = wins(workspace, 3 - own, THREAT_BUDGETS[k], looked)
                threats.free_point(workspace, move, own)
                held += not lost
                unsure |= not lost and workspace.budget <= 0
            if not lost:
                answer[LEFT + left], answer[LEFT + PRIORS + left] = move, answer[PRIORS + i]
                left += 1
        if held == 0:  # all that were asked lose: those before this round stay
            break
        kept = left
        for i in range(kept):
            answer[i], answer[PRIORS + i] = answer[LEFT + i], answer[LEFT + PRIORS + i]
        if not unsure:  # every threat was tried
            break
    if kept < count:
        keep_moves(tree, workspace, answer, kept)


def threat(workspace, out):
    """Fill `out` with own and the other's points of five, the threat, and its answers.

    out[0] a point of five of the player to move, or -1; out[1] one of the opponent's;
    out[2] the opponent's threat, 2 five, 1 open four, 0 none; out[3] how many answers to
    it follow from HEAD on.
    """
    space, answer = carray(workspace, 1)[0], carray(out, OUT)
    threats.reset_live(space)
    board = space.board
    own = np.int64(search.colour_to_move(space)) - 1
    five, open_four, four = threats.T_FIVE, threats.T_OPEN_FOUR, threats.T_FOUR
    answer[0] = threats.find_point_threat(space, own, five, 0)
    answer[1] = threats.find_point_threat(space, 1 - own, five, 0)
    answer[2] = answer[3] = 0
    kind = five if board.count[1 - own, five] > 0 else open_four
    if board.count[own, five] > 0 or board.count[1 - own, kind] == 0:
        return
    answer[2], least, many = 2 if kind == five else 1, np.int64(MOST_POINTS), 0
    for point in range(space.geo.points):
        now = np.int64(board.point_threat[1 - own, point])
        if four <= now < threats.FULL:
            threats.take_point(space, point, own + 1)
            left = np.int64(board.count[1 - own, kind])
            threats.free_point(space, point, own + 1)
            if left < least:
                least, many = left, 0
            if left == least:
                answer[HEAD + many], many = point, many + 1
    answer[3] = many


def doubt(workspace, tree, records, positions):
    """Ask the favourite of the root whether it loses by threats; see the engine."""
    nodes = carray(tree, records)
    engine.doubt_favourite(nodes, carray(workspace, 1)[0], np.int64(positions))


def engine_entries(workspace, nodes):
    """Return {name: (function, types)} of what the engine is asked besides."""
    small, read_options = types.int32, options_reader()
    w, t, o = map(types.CPointer, (workspace, nodes, small))
    settings = types.CPointer(types.float64)

    def look(workspace, tree, records, options, most_win, most_loss, most_alarm, out):
        """Look for wins by threats at the root, within so many positions; see the engine.

        most_win    positions for a win of the player to move
        most_loss   positions in all, with those for the moves that lose
        most_alarm  positions for one look at what the opponent threatens
        """
        space, nodes = carray(workspace, 1)[0], carray(tree, records)
        chosen, looked, rounds = read_options(carray(options, SETTINGS)), 0, 0
        threats.reset_live(space)
        while rounds < THREAT_BUDGETS.size and THREAT_BUDGETS[rounds] <= chosen.vct_nodes:
            rounds += 1
        for k in range(rounds):
            if looked + THREAT_BUDGETS[k] > most_win:
                break
            won, looked = wins(space, search.colour_to_move(space), THREAT_BUDGETS[k], looked)
            if won:
                nodes[0].status = LOST
                return
            if space.budget > 0:
                break
        if nodes[0].status == search.OPEN:
            answer = carray(out, OUT)
            drop_lost_moves(
                space, nodes, chosen, most_loss, most_alarm, looked, rounds, answer
            )

    return {
        "doubt": (doubt, (w, t, small, small)),
        "look": (look, (w, t, small, settings, small, small, small, o)),
        "threat": (threat, (w, o)),
    }


def entries_of(name, kernels):
    """Return {name: (function, argument types)} of what a game is asked."""
    workspace = from_dtype(search.search_record(kernels.board, kernels.extra))
    entries = common_entries(kernels, workspace, from_dtype(NODE))
    return entries | (engine_entries(workspace, from_dtype(NODE)) if name == "engine" else {})


def blank(name, kernels, size):
    """Return the bytes of a workspace that knows nothing but its board's geometry."""
    record = np.zeros(1, search.search_record(kernels.board, kernels.extra)).view(np.recarray)
    search.set_geometry(record[0].geo, RULES.get(name, Rules(size)))
    return record.tobytes()


def facts(games):
    """Return what a page must know of records, options and levels, as plain numbers."""
    options = search.SearchOptions()
    return {
        "node": NODE.itemsize,
        "workspace": {
            name: search.search_record(kernels.board, kernels.extra).itemsize
            for name, kernels in games.items()
        },
        "names": list(options._fields),
        "options": [float(value) for value in options],
        "limited": engine.LIMITED,
        "levels": {number: level._asdict() for number, level in engine.LEVELS.items()},
        "status": {"complete": COMPLETE, "lost": LOST, "won": WON},
        "looks": {
            "share": engine.THREAT_SHARE,
            "parts": engine.PARTS,
            "doubt": engine.DOUBT,
            "short": engine.SHORT,
            "seconds": engine.POSITION_SECONDS,
            "each": engine.PER_SIMULATION,
            "least": engine.THREAT_BUDGETS[0],
        },
        "head": HEAD,
        "out": OUT,
        "most": search.MOST_VISITS,
    }

"""Matches of two players whose games are kept: openings, games, the row of a match."""

import functools
import itertools
import sys

import five_in_a_row as five
import numpy as np

from experiments.registry import TABLES
from experiments.store import store

SEED = 1
EMPTY, FRESH = "empty board", "fresh stones"


def rules_of(board):
    """Return the rules of a board: Rules themselves, or five in a row of that size."""
    return board if isinstance(board, five.game.Rules) else five.game.Rules(board)


def openings(board, count):
    """Return that many openings of two, three and four stones, in equal parts.

    Where stones fall there are few of two stones; then more of the others make up for it.
    """
    parts = [count // 3 + (i < count % 3) for i in range(3)]
    rules = rules_of(board)
    if rules.gravity:
        spare = max(0, parts[0] - rules.size**2)  # a column for each of the two stones
        parts = [parts[0] - spare, parts[1] + spare // 2, parts[2] + spare - spare // 2]
    found = [
        five.strength.random_openings(rules, part, stones, SEED)
        for part, stones in zip(parts, (2, 3, 4), strict=True)
        if part
    ]
    return [opening for group in found for opening in group]


def beginning(moves, rules, stones=5):
    """Return the first stones of a game in the mirror image or rotation that sorts first.

    Where stones fall, only the mirror image of left and right is the same game.
    """
    images = []
    for turns, mirrored in itertools.product(range(4), (False, True)):
        if turns % 2 and rules.height != rules.size:
            continue
        if rules.gravity and (turns, mirrored) not in ((0, False), (2, True)):
            continue
        places = np.rot90(np.arange(rules.points).reshape(rules.height, rules.size), turns)
        new = np.argsort((places[::-1] if mirrored else places).ravel())
        points = (five.game.to_point(name, rules) for name in moves.split()[:stones])
        images.append([int(new[point]) for point in points])
    return " ".join(five.game.point_name(point, rules.size) for point in min(images))


@functools.cache
def even_openings(rules, count):
    """Return that many even openings; the matches of a table share them."""
    return five.strength.even_openings(rules, count, SEED)


def fresh_openings(rules, count):
    """Return that many openings of three stones, drawn apart from those of `openings`."""
    return five.strength.random_openings(rules, count, 3, SEED + 1)


# where games begin: how the names of their files end, and what makes the openings
BEGINS = {
    "random stones": ("", openings),
    "even stones": ("-even", even_openings),
    EMPTY: ("-empty", None),
    FRESH: ("-fresh", fresh_openings),
}


def match_name(table, a, b, shape, begins):
    """Return the name of the file of a match, without the code of its players."""
    return "-".join([table, *a.split(), "v", *b.split(), shape]) + BEGINS[begins][0]


def played(table, a, b, board, games, jobs, begins="random stones"):
    """Return the games of a match, a and b being (name, player).

    table   its name: the file is named after it and after its players' code
    board   Rules, or the size of a board for five in a row
    games   come in pairs: rounded down to an even number, two at least
    begins  one of BEGINS: where the games do
    """
    games = max(2, games // 2 * 2)
    rules, about = rules_of(board), TABLES[table]
    name = match_name(table, a[0], b[0], f"{rules.size}x{rules.height}", begins)
    _, found = BEGINS[begins]
    print(f"{name}: {games} games", flush=True)
    return five.strength.play_match(
        a[1],
        b[1],
        games,
        rules,
        found and found(rules, games // 2),
        SEED,
        jobs,
        store(about.study).file(f"{name}-{about.code()}.csv"),
        progress=sys.stdout.isatty(),
    )


def match(table, a, b, board, games, jobs, begins="random stones", timed=True, **shown):
    """Play a match as `played` does and return its row.

    timed   False: the budgets are not seconds, and times are left out
    """
    result = played(table, a, b, board, games, jobs, begins)
    found, rules = result.attrs, rules_of(board)
    row = {"a": a[0], "b": b[0], "board": f"{rules.size}×{rules.height}", "begins": begins}
    row |= shown
    row |= {"games": len(result)}
    row |= {"won": found["wins"], "drawn": found["draws"], "lost": found["losses"]}
    row |= five.strength.count_pairs(result)
    row |= {"different games": result.moves.nunique(), **used(result, timed)}
    print(five.strength.match_words(f"  {a[0]} against {b[0]}", result), flush=True)
    return row


def used(result, timed=True):
    """Return {column: what a move of either side took}, of the games of a match."""
    begun, row = result.opening.str.split().str.len(), {}
    for side in "ab":
        black = result.black == side  # who moves at even plies
        moves = ((result.plies + black) // 2 - (begun + black) // 2).sum()
        if timed:
            seconds = result[f"seconds {side}"].sum()
            row[f"ms a move {side}"] = round(float(1e3 * seconds / moves), 1)
        made = result[f"simulations {side}"]  # not every player tells
        row[f"simulations a move {side}"] = (
            round(made.sum() / moves) if made.notna().all() else None
        )
    return row

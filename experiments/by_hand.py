"""The priors that the engine had before its games taught it: two lists made by hand.

The table `advice` asks them beside the engine's own, see experiments/strength.py.
"""

from functools import cache

import numpy as np
from five_in_a_row.cache import jit
from five_in_a_row.engine import FULL, engine_game, insert_move, list_forced, set_priors
from five_in_a_row.search import colour_to_move, is_listed, random_below

# what each of the point threats is worth, made and broken; the last is a point that is taken
MAKE = np.array([1, 3, 9, 30, 75, 30, 75, 75, 150, 270, 900, 90, 270, 3000, 6000, 30000, 0])
BREAK = np.array([0, 2, 6, 18, 45, 18, 45, 45, 90, 150, 450, 60, 150, 1200, 2400, 30000, 0])


@jit
def moves_by_hand(workspace, had, want, options):
    """Do as engine.engine_moves does, by these lists."""
    board, geo, moves = workspace.board, workspace.geo, workspace.moves
    own = colour_to_move(workspace) - 1
    mine, theirs = board.point_threat[own], board.point_threat[1 - own]
    forced = list_forced(workspace, own + 1, options.vcf_nodes) if had == 0 else 0
    total, length, worst, most = 0, had, -1, had + want
    if forced > 0:
        workspace.complete, most = 1, forced
    start = random_below(workspace, geo.points)
    for i in range(forced if forced > 0 else np.int64(geo.points)):
        point = np.int64(moves[i]) if forced > 0 else (start + i) % geo.points
        if mine[point] == FULL:
            continue
        score = np.int64(MAKE[mine[point]] + BREAK[theirs[point]] + 1)
        total += score
        if score <= worst or is_listed(moves, had, point):
            continue
        insert_move(workspace, point, score, had, min(length, most - 1))
        length = min(length + 1, most)
        worst = workspace.scores[most - 1] if length == most else -1
    set_priors(workspace, had, length, total)
    return length


@cache
def game_by_hand():
    """Return the kernels of the engine's game, with these priors."""
    return engine_game()._replace(legal=moves_by_hand)

"""Wins by threats: no false win, none missed; the answers to a threat are all there are."""

import five_in_a_row as five
import numpy as np
from five_in_a_row.core import BLACK, Game
from helpers import board_of
from references import WAYS, full_scan, slow_line_shape
from test_fours import crowded_game, fives


def threats_of(cells, colour):
    """Return the points where the colour makes a four or an open three, by the reference."""
    found = []
    for point in np.flatnonzero(cells == 0).tolist():
        if (
            max(slow_line_shape(cells, point, way, colour) for way in WAYS)
            >= five.search.OPEN_THREE
        ):
            found.append(point)
    return found


def wins_fours(cells, colour):
    """True if the colour, to move, wins by fours: test_fours proves this kernel by itself."""
    workspace = board_of(Game.from_array(cells, colour))
    return bool(five.threats.wins_by_fours(workspace, 1 if colour == BLACK else 2, 100_000))


def naive_threats(cells, colour, depth):
    """True if the colour, to move, wins by at most `depth` threats and then by fours.

    Every point where a four or an open three can be made is tried, and the defender may answer
    anywhere on the board.
    """
    if wins_fours(cells, colour):
        return True
    theirs = fives(cells, -colour)
    if depth == 0 or len(theirs) > 1:
        return False
    for point in set(threats_of(cells, colour)) & set(theirs or range(cells.size)):
        cells.flat[point] = colour
        won = True
        for answer in fives(cells, colour) or np.flatnonzero(cells == 0).tolist():
            cells.flat[answer] = -colour
            won = not five.core.winning_line(cells, answer, 5)
            won = won and naive_threats(cells, colour, depth - 1)
            cells.flat[answer] = 0
            if not won:
                break
        cells.flat[point] = 0
        if won:
            return True
    return False


def few_stones(rng):
    """Return some stones close together, more of the side to move; nobody has won."""
    while True:
        size = int(rng.integers(7, 10))
        cells = np.zeros((size, size), np.int8)
        colour = int(rng.choice((BLACK, -BLACK)))
        own, theirs = int(rng.integers(4, 7)), int(rng.integers(2, 6))
        near = rng.permutation([r * size + c for r in range(1, 6) for c in range(1, 6)])
        cells.flat[near[:own]] = colour
        cells.flat[near[own : own + theirs]] = -colour
        if not full_scan(cells, 5):
            return Game.from_array(cells, colour)


def test_wins_by_threats_agree_with_a_naive_search(full):
    """One threat, any answer on the board, and then a win by fours; some with two threats."""
    rng, wins, queries = np.random.default_rng(31), 0, 0
    while queries < (2000 if full else 60):
        game = few_stones(rng)
        workspace, depth = board_of(game), 2 if queries % 20 == 0 else 1
        colour = 1 if game.to_move == BLACK else 2
        if five.threats.wins_by_fours(workspace, colour, 100_000):
            continue
        queries += 1
        won = five.threats.wins_by_threats(workspace, colour, depth, 1_000_000)
        assert won == naive_threats(game.array, game.to_move, depth), str(game)
        wins += won
    assert wins > queries // 20


def test_deeper_wins_by_threats_are_wins(full):
    rng, wins = np.random.default_rng(32), 0
    for _ in range(4000 if full else 150):
        game = few_stones(rng)
        workspace = board_of(game)
        before = workspace.board.copy()
        colour = 1 if game.to_move == BLACK else 2
        if five.threats.wins_by_fours(workspace, colour, 100_000):
            continue
        won = five.threats.wins_by_threats(workspace, colour, 2, 1_000_000)
        assert (workspace.board.lines == before.lines).all() and (
            workspace.board.count == before.count
        ).all()
        if won and not five.threats.wins_by_threats(workspace, colour, 1, 1_000_000):
            wins += 1
            assert naive_threats(game.array, game.to_move, 2)
            if wins == (40 if full else 2):
                break
    assert wins > 0


def test_every_move_outside_the_listed_defences_loses(full):
    """The opponent would win by fours: play each other move, and look for that win again."""
    rng, positions = np.random.default_rng(33), 0
    while positions < (2000 if full else 150):
        game = crowded_game(rng)
        workspace = board_of(game)
        colour = 1 if game.to_move == BLACK else 2
        if (
            game.over
            or workspace.board.count[colour - 1, five.threats.T_FIVE]
            or fives(game.array, -game.to_move)
        ):
            continue
        if not five.threats.wins_by_fours(workspace, 3 - colour, 5000):
            continue
        positions += 1
        count = five.threats.list_defences(workspace, colour)
        listed = set(workspace.moves[:count].tolist())
        for point in set(game.legal()) - listed:
            five.threats.take_point(workspace, point, colour)
            assert five.threats.wins_by_fours(workspace, 3 - colour, 100_000), (
                five.core.point_name(point, game.rules.size)
            )
            five.threats.free_point(workspace, point, colour)


def test_answers_to_an_open_three_include_the_defenders_fours():
    game = Game.from_text("h9 a1 d5 b1 e5 c1 f5", 9)
    workspace = board_of(game)
    five.threats.list_answers(workspace, 1, game.played[-1], 1)
    points = workspace.tries[1, : workspace.many[1]].tolist()
    assert {five.core.point_name(point, 9) for point in points} >= {"c5", "g5", "d1", "e1"}


def test_an_open_three_is_stopped_only_where_the_table_says():
    for colour in (1, 2):
        shapes, stops = five.threats.line_shapes(colour), five.threats.stops_table(colour)
        for code in np.flatnonzero(shapes == five.search.OPEN_THREE)[::7].tolist():
            for i in range(8):
                if code >> 2 * i & 3 == 0:
                    broken = shapes[code | (3 - colour) << 2 * i] < five.search.OPEN_THREE
                    assert broken == bool(stops[code] >> i & 1)

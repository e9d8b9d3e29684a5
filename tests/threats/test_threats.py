"""Wins by threats: no false win, none missed; the answers to a threat are all there are."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import BLACK, Game
from helpers import board_of
from references import WAYS, full_scan, slow_line_shape
from test_fours import crowded_game, fives

POSITIONS = 30_000  # that a search for threats may look at


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
            won = not five.game.winning_line(cells, answer, 5)
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


def is_won(workspace, cells, colour, plies=40):
    """True if `colour`, to move, wins with the moves that the search names, whatever follows.

    The defender may answer anywhere on the board, but must not let five stand at once. An
    answer may ask for a longer search than the position did.
    """
    own = 1 if colour == BLACK else 2
    if wins_fours(cells, colour):
        return True
    if plies == 0 or not five.threats.threats_win(workspace, own, 10 * POSITIONS):
        return False
    point = int(workspace.win[0])
    assert cells.flat[point] == 0
    cells.flat[point] = colour
    five.threats.take_point(workspace, point, own)
    won = True
    for answer in fives(cells, colour) or np.flatnonzero(cells == 0).tolist():
        cells.flat[answer] = -colour
        five.threats.take_point(workspace, answer, 3 - own)
        won = not five.game.winning_line(cells, answer, 5)
        won = won and is_won(workspace, cells, colour, plies - 2)
        five.threats.free_point(workspace, answer, 3 - own)
        cells.flat[answer] = 0
        if not won:
            break
    five.threats.free_point(workspace, point, own)
    cells.flat[point] = 0
    return won


def test_wins_by_threats_are_wins_and_contain_what_a_naive_search_finds(full):
    """A win is played out against every answer on the board, each by its own search."""
    rng, wins, deep, queries = np.random.default_rng(31), 0, 0, 0
    while queries < (2000 if full else 60):
        game = few_stones(rng)
        workspace, depth = board_of(game), 2 if queries % 20 == 0 else 1
        before, colour = workspace.board.copy(), 1 if game.to_move == BLACK else 2
        if five.threats.wins_by_fours(workspace, colour, 100_000):
            continue
        queries += 1
        won = five.threats.threats_win(workspace, colour, POSITIONS)
        length = workspace.ply
        assert (workspace.board.lines == before.lines).all()
        assert (workspace.board.count == before.count).all()
        if won:
            assert is_won(workspace, game.array, game.to_move), str(game)
            deep += length > 5
        else:
            assert not naive_threats(game.array, game.to_move, depth), str(game)
        wins += won
    assert wins > queries // 10 and deep > 0


LONG = {  # attacks that another program announced, 15x15: the moves before, the first move
    "l7 j8 l6 k7 l9 l8 j6 k6 k5 k9 k8 i7 h6 j10 m7 j4 j11": "i11",
    "k5 j3 h5 e6 c7 g6 j6 g4 i7 h8 g5 f5 h3": "e4",
}


@pytest.mark.parametrize("moves", LONG)
def test_a_long_attack_is_proved(moves):
    """The two attacks are 25 and 27 plies long; the second takes some 30,000 positions."""
    game = Game.from_text(moves, 15)
    workspace = board_of(game)
    assert five.threats.threats_win(workspace, 1 if game.to_move == BLACK else 2, 100_000)
    assert five.game.point_name(int(workspace.win[0]), 15) == LONG[moves]


def test_the_line_of_a_long_attack_ends_in_a_win():
    """The search of some 19,000 positions has overwritten a part of it in its table."""
    game = Game.from_text("f8 h8 k5 h10 i9 i11 h9 j10 j11", 15)
    workspace = board_of(game)
    assert five.threats.threats_win(workspace, 2, 100_000)
    line = workspace.win[: workspace.ply].tolist()
    for point in line:
        game.play(point)
    assert len(line) % 2 == 1
    assert game.winner or board_of(game).board.count[1, five.threats.T_FIVE] > 1


def test_every_move_outside_the_listed_defences_loses(full):
    """The opponent would win by fours: play each other move, and look for that win again."""
    rng, positions = np.random.default_rng(33), 0
    while positions < (2000 if full else 60):
        game = crowded_game(rng)
        workspace = board_of(game)
        colour = 1 if game.to_move == BLACK else 2
        if game.over or fives(game.array, game.to_move) or fives(game.array, -game.to_move):
            continue
        if not five.threats.wins_by_fours(workspace, 3 - colour, 5000):
            continue
        positions += 1
        count = five.threats.list_defences(workspace, colour)
        listed = set(workspace.moves[:count].tolist())
        for point in set(game.legal()) - listed:
            five.threats.take_point(workspace, point, colour)
            assert five.threats.wins_by_fours(workspace, 3 - colour, 100_000), (
                five.game.point_name(point, game.rules.size)
            )
            five.threats.free_point(workspace, point, colour)


def test_answers_to_an_open_three_include_the_defenders_fours():
    game = Game.from_text("h9 a1 d5 b1 e5 c1 f5", 9)
    workspace = board_of(game)
    assert five.threats.list_answers(workspace, 1, 1)
    points = workspace.tries[1, : workspace.many[1]].tolist()
    assert {five.game.point_name(point, 9) for point in points} >= {"c5", "g5", "d1", "e1"}

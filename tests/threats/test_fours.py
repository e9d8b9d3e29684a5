"""Wins by continuous fours: no false win, and none missed that a naive search finds."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.engine import think
from five_in_a_row.game import BLACK, Game, Rules
from helpers import board_of
from references import shapes_of

from experiments.puzzles import read_rows


def fives(cells, colour):
    """Return the points where the colour makes five at once."""
    found = []
    for point in np.flatnonzero(cells == 0).tolist():
        cells.flat[point] = colour
        if five.game.winning_line(cells, point, 5):
            found.append(point)
        cells.flat[point] = 0
    return found


def naive_win(cells, colour, depth):
    """True if the colour wins by at most `depth` fours and a five, by trying every point."""
    if fives(cells, colour):
        return True
    threats = fives(cells, -colour)
    if depth == 0 or len(threats) > 1:
        return False
    for point in threats or np.flatnonzero(cells == 0).tolist():
        cells.flat[point] = colour
        next_fives, won = fives(cells, colour), False
        if len(next_fives) > 1:
            won = True
        elif next_fives:
            cells.flat[next_fives[0]] = -colour
            won = naive_win(cells, colour, depth - 1)
            cells.flat[next_fives[0]] = 0
        cells.flat[point] = 0
        if won:
            return True
    return False


def assert_line_wins(game, line):
    """Replay the line: every attacking move wins, fills a five or makes a four; each answer is
    the only one; at its end there is a five, or two fives that cannot both be filled."""
    cells, attacker = game.array, game.to_move
    for i, point in enumerate(line):
        assert cells.flat[point] == 0
        threats = fives(cells, -attacker)
        if i % 2 == 0:
            cells.flat[point] = attacker
            if five.game.winning_line(cells, point, 5):
                assert i == len(line) - 1
                return
            assert not threats or threats == [point]
        else:
            assert fives(cells, attacker) == [point]
            cells.flat[point] = -attacker
    assert len(fives(cells, attacker)) >= 2 and not fives(cells, -attacker)


def crowded_game(rng):
    """Return a game whose stones lie close together, as in a fight."""
    size = int(rng.integers(6, 10))
    game = Game(Rules(size))
    for _ in range(int(rng.integers(6, size * size // 2))):
        if game.over:
            break
        points = game.legal()
        if game.played and rng.random() < 0.8:
            stones = [divmod(p, size) for p in game.played]
            points = [
                p
                for p in points
                if min(max(abs(p // size - r), abs(p % size - c)) for r, c in stones) <= 1
            ] or points
        game.play(int(rng.choice(points)))
    return game


def test_wins_by_fours_agree_with_a_naive_search(full):
    rng, wins, queries = np.random.default_rng(59), 0, 0
    while queries < (3000 if full else 250):
        game = crowded_game(rng)
        if game.over:
            continue
        queries += 1
        workspace = five.search.new_search(five.engine.engine_game(), game, 1)
        five.threats.reset_live(workspace)
        lines = workspace.board.lines.copy()
        won = five.threats.wins_by_fours(workspace, 1 if game.to_move == BLACK else 2, 100_000)
        assert (workspace.board.lines == lines).all()  # every stone was taken back
        assert won or not naive_win(game.array, game.to_move, 4)
        if won:
            wins += 1
            assert_line_wins(game, workspace.win[: workspace.ply].tolist())
    assert wins > queries // 10


def test_the_table_of_fours_agrees_with_a_reference():
    table = five.threats.fours_table()
    for code in range(0, 1 << 16, 7):
        points = [code >> 2 * i & 3 for i in range(8)]
        for colour, low in ((1, 0), (2, 6)):
            text = ["1" if p == colour else "0" if p == 0 else "x" for p in points]
            text.insert(4, "1")
            fills = []
            for cell in (0, 1, 2, 3, 5, 6, 7, 8):
                if text[cell] == "0":
                    filled = "".join([*text[:cell], "1", *text[cell + 1 :]])
                    if "five" in shapes_of(filled, 4):
                        fills.append(cell)
            kind = 3 if "five" in shapes_of("".join(text), 4) else min(len(fills), 2)
            entry = int(table[code]) >> low
            assert entry & 3 == kind
            if kind == 1:
                assert entry >> 2 & 15 == fills[0]


def fours_through(cells, point, colour):
    """Return the points where a stone makes a four, or a five, with the one on `point`."""
    rows, size = cells.shape
    row, col = divmod(point, size)
    found = set()
    for d_row, d_col in five.game.DIRECTIONS:
        for start in range(-4, 1):
            window = [(row + k * d_row, col + k * d_col) for k in range(start, start + 5)]
            if all(0 <= r < rows and 0 <= c < size for r, c in window):
                stones = [cells[place] for place in window]
                if -colour not in stones and stones.count(colour) >= 3:
                    found |= {r * size + c for r, c in window if cells[r, c] == 0}
    return found


def test_the_fours_through_a_stone_are_those_of_its_windows(full):
    rng, met, fours = np.random.default_rng(5), 0, 0
    while met < (20_000 if full else 2_000):
        game = crowded_game(rng)
        workspace = board_of(game)
        for point in game.played[-8:]:
            colour = int(game.array.flat[point])
            own = 1 if colour == BLACK else 2
            count = five.threats.list_fours(workspace, point, own, 0)
            found = workspace.fours[:count].tolist()
            assert len(found) == len(set(found))
            assert set(found) == fours_through(game.array, point, colour)
            again = five.threats.list_fours(workspace, point, own, count)
            assert again == count  # what is in the list stays there once
            met, fours = met + 1, fours + count
    assert fours > met // 2


def test_no_move_of_a_safe_node_lets_the_other_side_win_by_fours(full):
    rng, safe, tried = np.random.default_rng(8), 0, 0
    while tried < (20_000 if full else 2_000):
        game = crowded_game(rng)
        workspace, own = board_of(game), 1 if game.to_move == BLACK else 2
        workspace.safe = 0
        if game.over or five.engine.list_forced(workspace, own, 60) or not workspace.safe:
            continue
        safe += five.threats.count_from(workspace.board, 2 - own, five.threats.T_FOUR) > 0
        for point in game.legal():
            five.threats.take_point(workspace, point, own)
            assert not five.threats.wins_by_fours(workspace, 3 - own, 100_000)
            five.threats.free_point(workspace, point, own)
            tried += 1
    assert safe > 10  # where fours could be made, and none wins


@pytest.mark.parametrize("puzzle", read_rows("fours.txt"), ids=lambda puzzle: puzzle[0])
def test_think_plays_a_win_by_fours(puzzle):
    _, size, moves, length = puzzle
    game = Game.from_text(moves, int(size))
    thought = think(game, simulations=100)
    assert thought.why == "VCF" and thought.proven == 1 and thought.simulations == 0
    assert thought.line[0] == thought.move and len(thought.line) <= int(length)
    assert_line_wins(game, thought.line)

"""What the course notebook wished for: tests for a five, zones, and distance in the score."""

import math

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import Game, Rules
from five_in_a_row.search import DRAWN, LOST, OPEN, WON, SearchOptions
from references import full_scan
from test_solver import Perfect

NAMES = [*five.strength.EXTENSIONS]
PLAYED = ("neighbours only", "distance urgency")  # a zone, and distance in the score
ALL = SearchOptions()


# -- is there a five? ----------------------------------------------------------------------
def random_board(rng):
    """Return a board of any shape, filled as it comes; both colours may have fives."""
    shape = rng.integers(3, 21, 2)
    empty = rng.uniform(0, 0.9)
    return rng.choice([0, 1, -1], shape, p=[empty, *[(1 - empty) / 2] * 2]).astype(np.int8)


def test_every_test_of_the_whole_board_finds_what_a_slow_scan_finds(full):
    rng, found = np.random.default_rng(1), [0, 0]
    for _ in range(20_000 if full else 2_000):
        cells = random_board(rng)
        there = bool(full_scan(cells, 5))
        assert five.strength.has_five_loops(cells) == there
        assert five.strength.has_five_windows(cells) == there
        found[there] += 1
    assert min(found) > 300


def test_many_boards_at_once_are_the_boards_one_by_one():
    rng = np.random.default_rng(1)
    boards = rng.choice([0, 1, -1], (60, 9, 9), p=[0.6, 0.2, 0.2]).astype(np.int8)
    each = [five.strength.has_five_windows(cells) for cells in boards]
    assert five.strength.has_five_windows(boards).tolist() == each and 0 < sum(each) < 60
    assert five.strength.has_five_windows(boards.reshape(6, 10, 9, 9)).ravel().tolist() == each


# -- zones ---------------------------------------------------------------------------------
def random_position(rng):
    """Return a position on any board, some of them nearly empty, some nearly full."""
    rows, size = (int(n) for n in rng.integers(3, 21, 2))
    cells, stones = np.zeros(rows * size, np.int8), int(rows * size * rng.random() ** 3)
    if rng.random() < 0.3:
        stones = int(rng.integers(0, 4))
    points = rng.permutation(rows * size)[:stones]
    cells[points] = np.where(np.arange(stones) % 2, -1, 1)
    position = five.game.Game(Rules(size, rows=rows))
    position._cells = cells.reshape(rows, size)
    position.to_move = 1 if stones % 2 == 0 else -1
    return position


def empty_points(cells):
    """Return the (row, col) of the empty points."""
    return [(int(row), int(col)) for row, col in np.argwhere(cells == 0)]


def slow_near(cells, test):
    """Return the empty points for which test(rows away, columns away) holds for a stone."""
    stones = np.argwhere(cells).tolist()
    return {
        (row, col)
        for row, col in empty_points(cells)
        if any(test(abs(row - r), abs(col - c)) for r, c in stones)
    }


def slow_side(first, last, side, length):
    """Return the lines of the square in one direction, with the stones in its middle."""
    if side >= length:
        return range(length)
    starts = [n for n in range(length - side) if n <= first and last <= n + side]
    start = min(starts, key=lambda n: (abs(2 * n + side - first - last), -n))
    return range(start, start + side + 1)


def slow_square(cells, margin):
    """Return the empty points of the smallest square around the stones and its margin."""
    stones = np.argwhere(cells)
    if not len(stones):
        return set()
    low, high = stones.min(axis=0), stones.max(axis=0)
    side = int((high - low).max())
    rows, cols = (slow_side(low[i], high[i], side, cells.shape[i]) for i in (0, 1))
    return {
        (row, col)
        for row, col in empty_points(cells)
        if rows[0] - margin <= row <= rows[-1] + margin
        and cols[0] - margin <= col <= cols[-1] + margin
    }


def slow_children(name, cells):
    """Return the empty points that a game may have as children, a set of (row, col)."""
    if name == "near set":
        return slow_near(cells, lambda rows, cols: rows**2 + cols**2 <= 18)
    if name == "enclosing square":
        return slow_square(cells, 1)
    if name == "neighbours only" or name == "restricted opening" and (cells != 0).sum() < 10:
        return slow_near(cells, lambda rows, cols: max(rows, cols) <= 1)
    return set(empty_points(cells))


def list_moves(workspace, kernels, had=0, want=400):
    """Return the points that the game's `moves` kernel lists, after those it has listed."""
    return workspace.moves[: kernels.legal(workspace, had, want, ALL)].tolist()


@pytest.mark.parametrize("name", NAMES)
def test_the_children_are_those_of_a_reference(name, full):
    rng, kernels = np.random.default_rng(5), five.strength.EXTENSIONS[name][0]()
    for _ in range(20_000 if full else 400):
        position = random_position(rng)
        cells, size = position.array, position.rules.size
        workspace = five.search.new_search(kernels, position, int(rng.integers(1 << 30)))
        kernels.reset(workspace)
        expected = {row * size + col for row, col in slow_children(name, cells)}
        if not cells.any():  # the first stone goes to the middle
            expected = {position.rules.height // 2 * size + size // 2}
        elif not expected and (cells == 0).any():
            continue
        listed = list_moves(workspace, kernels)
        assert len(set(listed)) == len(listed) and set(listed) == expected
        parts, had = [], 0  # a few at a time, as expand asks for them
        while had < len(expected):
            parts, before = list_moves(workspace, kernels, had, 1 + had // 3), had
            had = len(parts)
            assert had > before
        assert set(parts) == expected and len(parts) == len(expected)


def test_near_points_come_first_with_their_distance():
    rng, kernels = np.random.default_rng(7), five.strength.distance_game()
    for _ in range(1_000):
        position = random_position(rng)
        cells, size = position.array, position.rules.size
        stones = np.argwhere(cells)
        workspace = five.search.new_search(kernels, position, int(rng.integers(1 << 30)))
        kernels.reset(workspace)
        had, total = 0, int((cells == 0).sum()) if len(stones) else 1
        while had < total:
            had = kernels.legal(workspace, had, int(rng.integers(1, 30)), ALL)
        distances = workspace.priors[:had].tolist()
        assert distances == sorted(distances)
        for point, distance in zip(workspace.moves[:had], distances, strict=True):
            away = abs(stones - divmod(int(point), size)).max(axis=1, initial=0)
            assert distance == (away.min() if len(stones) else 1)


# -- the distance in the score -------------------------------------------------------------
def slow_scores(children, visits, reward, untried, options):
    """Return the score of each child; see near_ucb. A child is (n, m, distance, status)."""
    scores = []
    for n, m, distance, status in children:
        score = m / n + options.c_uct * math.sqrt(math.log(visits) / n)
        score += options.c_prior / distance / (n + 1)
        settled = status == LOST or status == DRAWN and visits % 2 == 1
        scores.append(-math.inf if settled and options.solve else score)
    if untried is not None:
        scores.append(1 - reward / visits - options.fpu_reduction + options.c_prior / untried)
    return scores


def test_near_ucb_takes_the_child_with_the_highest_score(full):
    rng, taken = np.random.default_rng(8), set()
    for _ in range(20_000 if full else 3_000):
        count, first = int(rng.integers(0, 12)), int(rng.integers(1, 5))
        untried = int(rng.integers(1, 15)) if rng.random() < 0.7 else None
        n = rng.integers(1, 200, count)
        rewards = rng.integers(0, 64 * n + 1)
        distances = rng.integers(1, 15, count)
        status = rng.integers(OPEN, WON + 1, count)
        visits = int(n.sum()) + 1
        reward = int(rng.integers(0, 64 * visits + 1))
        options = SearchOptions(
            c_prior=float(rng.choice([0, 0.5, 2, 9])),
            fpu_reduction=float(rng.choice([0, 0.1, 2, -math.inf])),
            solve=bool(rng.random() < 0.5),
        )
        tree = five.search.empty_tree(20)
        tree[0] = first, visits, reward, 0, -1, count + (untried is not None), count, OPEN, 0
        for i in range(count):
            root = 1 / math.sqrt(n[i])
            tree[first + i] = 0, n[i], rewards[i], root, 5, 0, 0, status[i], distances[i]
        if untried is not None:
            tree["prior"][first + count] = untried
        workspace = five.search.new_search(five.strength.distance_game(), Game(), 1)
        place = first + count if untried is not None else 0
        chosen = five.strength.near_ucb(workspace, tree, 0, place, options)
        children = zip(n.tolist(), (rewards / 64).tolist(), distances, status, strict=True)
        scores = slow_scores(children, visits, reward / 64, untried, options)
        if not scores or max(scores) == -math.inf:
            assert chosen == 0
        else:
            assert scores[chosen - first] == pytest.approx(max(scores), abs=1e-6)
            if untried is not None:
                taken.add((chosen == place, options.fpu_reduction))
    assert len(taken) == 7  # where unvisited is -inf only the untried one, elsewhere either


def test_with_distance_in_the_score_proofs_stay_true():
    rng = np.random.default_rng(9)

    proven = []
    for _ in range(60):
        cells = np.where(np.arange(36) % 2, 1, -1).astype(np.int8)
        cells[rng.permutation(36)[:5]] = 0
        cells = rng.permutation(cells).reshape(6, 6)
        if full_scan(cells, 5):
            continue
        game = Game.from_array(cells, 1)
        tree = five.search.Tree(
            game, five.strength.distance_game(), ALL._replace(fpu_reduction=0.0), 5_000
        )
        tree.run(5_000)
        proven.append(five.search.PROVEN[tree.root.status])
        assert proven[-1] == Perfect(game.rules).of(game)
    assert len(proven) > 20 and len(set(proven)) > 1


# -- the players ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYED)
def test_a_wish_plays_whole_games_and_repeats_them(name):
    """The others are compiled too, and their parts are compared above."""
    for rules in (Rules(5), Rules(9, rows=6), Rules(7, 4, 6, True)):
        first, player = [], five.strength.ExtensionPlayer(name, simulations=40)
        for again in (False, True):
            game = Game(rules)
            while not game.over:  # play refuses what is illegal
                game.play(player.move(game, len(game.played)))
            assert not again or game.moves == first
            first = game.moves


def test_open_threes_are_counted_alike_on_all_images_of_a_board():
    cells = np.zeros((9, 9), np.int8)
    cells[4, [2, 3, 4]], cells[[1, 2, 4], 7] = 1, 1  # one in a row, one with a gap
    cells[4, 6] = -1  # so that the first has room on one side only
    images = [np.rot90(side, k) for side in (cells, cells[::-1]) for k in range(4)]
    threes = five.strength.OPEN_THREES
    assert five.strength.count_patterns(np.stack(images), threes, 1).tolist() == [2] * 8
    assert five.strength.count_patterns(cells, threes, -1) == 0


def count_in_text(cells, patterns):
    """Return how often patterns stand on a board, its lines read as text; 1 is black."""
    text = np.where(cells == 1, "1", np.where(cells == 0, "0", "x"))
    lines = [*text, *text.T]
    for side in (text, text[::-1]):
        lines += [side.diagonal(k) for k in range(1 - len(text), text.shape[1])]
    starts = [("".join(line), i) for line in lines for i in range(len(line))]
    return sum(line.startswith(each, i) for line, i in starts for each in patterns)


def test_patterns_are_counted_as_in_the_lines_read_as_text():
    rng, threes, found = np.random.default_rng(1), five.strength.OPEN_THREES, 0
    for _ in range(300):
        cells = random_board(rng)
        count = five.strength.count_patterns(cells, threes, 1)
        assert count == count_in_text(cells, threes)
        found += count
    assert found > 100

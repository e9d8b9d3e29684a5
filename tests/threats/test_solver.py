"""What the search calls proven is never wrong: every value against brute force.

The brute force knows the rules and nothing else: it plays every move to the end of the game.
"""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.engine import think
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.search import DRAWN, LOST, WON, SearchOptions
from references import WAYS, full_scan

# nothing is known but the rules: all by the tree
QUIET = SearchOptions(vcf_nodes=0, vct_nodes=0)


def lines_of(rules):
    """Return the points of each line that wins, a list of lists."""
    places, further = (
        np.arange(rules.points).reshape(rules.height, rules.size),
        rules.in_a_row - 1,
    )
    return [
        [int(places[row + i * d_row, col + i * d_col]) for i in range(rules.in_a_row)]
        for row, col in np.ndindex(places.shape)
        for d_row, d_col in WAYS
        if row + further * d_row < rules.height and 0 <= col + further * d_col < rules.size
    ]


class Perfect:
    """The value of any position with few empty points: +1, 0 or -1 for the player to move."""

    def __init__(self, rules):
        self.rules, self.known = rules, {}
        self.through = [[] for _ in range(rules.points)]  # lines through each, as bits
        for line in lines_of(rules):
            for p in line:
                self.through[p].append(sum(1 << other for other in line))
        self.points = (1 << rules.points) - 1

    def wins(self, own, point):
        """True if a stone of `own` on the point has made a line."""
        return any(own & line == line for line in self.through[point])

    def value(self, own, other):
        """Return the value for the owner of `own`, to move; nobody has won so far."""
        key = own, other
        if key not in self.known:
            self.known[key] = self.search(own, other)
        return self.known[key]

    def search(self, own, other):
        """Return the value of a position by trying every move."""
        empty, best = self.points & ~(own | other), None
        points = [p for p in range(self.rules.points) if empty >> p & 1]
        if not points:
            return 0
        if any(self.wins(own | 1 << p, p) for p in points):
            return 1
        for p in points:
            best = max(-1 if best is None else best, -self.value(other, own | 1 << p))
            if best == 1:
                return 1
        return best

    def of(self, game, move=None):
        """Return the value of a game for its player to move, of its position or of a move."""
        own, other = (
            sum(1 << p for p in np.flatnonzero(game.array == c).tolist())
            for c in (game.to_move, -game.to_move)
        )
        if move is None:
            return self.value(own, other)
        own |= 1 << move
        return 1 if self.wins(own, move) else -self.value(other, own)


def search(game, simulations, options=SearchOptions(), seed=1):
    """Return what think() finds; where it only blocks, what the search itself finds."""
    thought = think(game, simulations=simulations, seed=seed, options=options)
    if thought.tree is not None or thought.why == "five":
        return thought
    assert thought.proven is None
    kernels = five.engine.kernels_for(game.rules)
    tree = five.search.Tree(game, kernels, options._replace(seed=seed), 3 * simulations + 100)
    return five.search.read_tree(tree, tree.run(simulations), 0.0)


def check(game, perfect, simulations, options=SearchOptions(), seed=1):
    """Search, compare what is proven with brute force, and return whether anything was."""
    thought, value = search(game, simulations, options, seed), perfect.of(game)
    if thought.tree is not None:
        check_children(game, thought.tree, perfect)
    if thought.proven is None:
        assert thought.simulations == simulations
        return False
    assert thought.proven == value, f"{thought.proven} is not {value}\n{game}\n{thought}"
    after = perfect.of(game, thought.move)
    assert after == value, f"{thought.name} gives {after}, not {value}\n{game}\n{thought}"
    return True


def check_children(game, tree, perfect):
    """Assert that every decided child of the root has its true value."""
    for child in tree.root.children:
        if child.status >= LOST:
            found = {WON: 1, DRAWN: 0, LOST: -1}[child.status]
            assert found == perfect.of(game, child.point), f"{child}\n{game}"


def endgame(rules, rng, empty, to_move=None):
    """Return a random position with that many empty points in which nobody has a line."""
    while True:
        cells = np.zeros(rules.points, np.int8)
        order = rng.permutation(rules.points)
        stones = order[: rules.points - empty]
        cells[stones] = [BLACK if i % 2 == 0 else WHITE for i in range(len(stones))]
        cells = cells.reshape(rules.height, rules.size)
        if not full_scan(cells, rules.in_a_row):
            return Game.from_array(cells, to_move or (BLACK, WHITE)[len(stones) % 2], rules)


def tight_endgame(rules, rng, empty):
    """Return an endgame whose lines are much alive: stones are moved while nobody has a line.

    Stones change places with others or with holes, and a change stays unless it leaves fewer
    points where a line of one's own is one or two stones away.
    """
    game = endgame(rules, rng, empty)
    cells, best = game.array, -1
    lines = np.array(lines_of(rules))
    for _ in range(150):
        a, b = rng.integers(0, rules.points, 2).tolist()
        cells.flat[[a, b]] = cells.flat[[b, a]]
        inside = cells.ravel()[lines]
        black, white = (inside == 1).sum(axis=1), (inside == -1).sum(axis=1)
        most, least = np.maximum(black, white), np.minimum(black, white)
        near = (least == 0) & (most >= rules.in_a_row - 3)
        score = int(near.sum() - 9 * ((least == 0) & (most >= rules.in_a_row - 1)).sum())
        if score < best or (most == rules.in_a_row).any():
            cells.flat[[a, b]] = cells.flat[[b, a]]
        else:
            best = score
    return Game.from_array(cells, game.to_move, rules)


def reachable(rules):
    """Yield one game for each position that can come about and is not over."""
    todo, seen = [Game(rules)], set()
    while todo:
        game = todo.pop()
        key = game.array.tobytes()
        if key in seen or game.over:
            continue
        seen.add(key)
        yield game
        for point in game.legal():
            later = game.copy()
            later.play(point)
            todo.append(later)


def test_tic_tac_toe_is_proven_from_every_position(full):
    perfect, proven, count = Perfect(Rules(3, 3)), 0, 0
    for i, game in enumerate(reachable(Rules(3, 3))):
        if full or i % 12 == 0 or len(game.played) < 3:
            count += 1
            proven += check(game, perfect, 20_000 if len(game.played) < 3 else 2000, seed=i)
    assert count > 300 and proven > 0.9 * count


ENDGAMES = [  # rules, most empty points, simulations, share that must be proven
    (Rules(4, 4), 9, 2000, 0.5),
    (Rules(5, 4), 9, 2000, 0.7),
    (Rules(5), 10, 1000, 0.35),
    (Rules(8), 10, 1000, 0.7),
]


@pytest.mark.parametrize("options", [SearchOptions(), QUIET], ids=["engine", "rules only"])
@pytest.mark.parametrize("make", [endgame, tight_endgame])
@pytest.mark.parametrize("rules, most, simulations, share", ENDGAMES, ids=str)
def test_what_is_proven_is_true(rules, most, simulations, share, make, options, full):
    rng, proven = np.random.default_rng(rules.size * 10 + most), 0
    count = 1500 if full else 25
    for seed in range(count):
        game = make(rules, rng, int(rng.integers(2, most + 1)))
        perfect = Perfect(rules)
        proven += check(game, perfect, simulations, options, seed)
    assert proven >= share * count


@pytest.mark.parametrize("max_children", [1, 4])
def test_what_is_proven_is_true_with_few_children_as_well(max_children, full):
    """Fewer children prove wins and nothing else, until all of them are known to be lost."""
    rng, options = (
        np.random.default_rng(max_children),
        SearchOptions(max_children=max_children, vcf_nodes=20 * (max_children > 1)),
    )
    proven, count = 0, 600 if full else 25
    for seed in range(count):
        game = tight_endgame(Rules(6), rng, int(rng.integers(3, 10)))
        proven += check(game, Perfect(game.rules), 600, options, seed)
    assert proven > count // 8


def test_a_continued_search_proves_nothing_wrong(full):
    """Tree reuse: two plies on, with what the first search knew."""
    rng, again = np.random.default_rng(42), 0
    for seed in range(600 if full else 80):
        game = endgame(Rules(6), rng, int(rng.integers(7, 10)))
        first = search(game, 40, QUIET, seed)
        perfect = Perfect(game.rules)
        for point in first.line[:2]:
            if not game.over:
                game.play(point)
        if game.over:
            continue
        later = think(game, simulations=4000, options=QUIET, tree=first.tree)
        if later.proven is not None:
            again += later.simulations > 0
            assert later.proven == perfect.of(game) == perfect.of(game, later.move)
    assert again > 5


def test_without_solving_nothing_is_proven_through_the_tree():
    rng = np.random.default_rng(44)
    options = QUIET._replace(solve=False)
    for rules in (Rules(4, 4), Rules(6), Rules(8)):
        for seed in range(12):
            game = tight_endgame(rules, rng, int(rng.integers(3, 9)))
            thought = think(game, simulations=500, seed=seed, options=options)
            if thought.why not in ("five", "blocks five", "only move"):
                assert thought.proven is None and thought.simulations == 500

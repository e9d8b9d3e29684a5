# Made from search.ipynb by tools/build.py: change the notebook, not this file.


from five_in_a_row.game import legal_points
from five_in_a_row.mcts import GameNode, expand, select_ucb


# ---- The same tree --------------------------------------------------------------------------


# by Search · the random numbers and the lists of the kernels, for the plain search
class RandomNumbers:
    """The generator of the kernels and their order of points, as a random.Random is asked."""

    def __init__(self, seed: int, points: int = 0):
        self.state, self.order = seed, list(range(points))
        for _ in range(4):  # spread a small seed over all bits
            self.randrange(2)
        for i in range(points - 1):
            self.swap(i)

    def randrange(self, n: int) -> int:
        """Return a random whole number from 0 to n - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return ((self.state >> 32) * n) >> 32

    def swap(self, i: int) -> None:
        """Swap the point at place i with itself or a random later one (Fisher and Yates)."""
        j = i + self.randrange(len(self.order) - i)
        self.order[i], self.order[j] = self.order[j], self.order[i]

    def sample(self, points, count: int):
        """Yield every point of the board, shuffled in batches of 8 plus 1/8 of the rest."""
        done = 0
        while done < count:
            batch = range(done, min(count, done + 8 + (count - done) // 8))
            for i in batch:
                self.swap(i)
            yield from self.order[done : batch.stop]
            done = batch.stop

    def shuffle(self, points: list) -> None:
        """Sort points into the order that the last random game has left."""
        points.sort(key=self.order.index)


def few_moves(node: GameNode, rng: RandomNumbers) -> dict[int, float]:
    """Return {point: 1.0} of the next untried moves: a third of those listed, plus one."""
    listed = {child.move for child in node.children}
    free = set(legal_points(node.state, node.rules.gravity)) - listed
    want, moves = len(listed) // 3 + 1, {}
    while free and len(moves) < want:
        point = rng.randrange(node.rules.points)
        if point in free:
            free.remove(point)
            moves[point] = 1.0
    return moves


def select_few(node: GameNode, rng: RandomNumbers, score=None) -> GameNode:
    """Return what select_ucb chooses; where all children have visits, first list more."""
    if all(child.n for child in node.children):
        expand(node, rng, few_moves)
    return select_ucb(node, rng, score)

"""Puzzles and Node X: every line of the two files is proved again, and the engine solves it.

The proofs use the two searches for forced wins, which test_fours and test_threats compare with
naive references, and walk through every reply. With --full the budgets are larger.
"""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.engine import think
from five_in_a_row.game import BLACK, Game
from test_fours import assert_line_wins

from experiments.puzzles import read_puzzles, read_rows

KERNELS = five.engine.engine_game()
FOURS, THREATS = 100_000, 1_000_000  # budgets of the proofs
QUICK = 20_000  # what is spent by default to find no win


PUZZLES, NODE_X = read_puzzles(), read_puzzles("node_x.txt")
DEFENCES = ("only defence", "trap")


class Proof:
    """A position, and proofs about it: who wins by force, whatever the other side replies."""

    def __init__(self, game: Game, threats: int):
        self.workspace = five.search.new_search(KERNELS, game, 1)
        five.threats.reset_live(self.workspace)
        self.side = 1 if game.to_move == BLACK else 2
        self.cells, self.threats = game.array, threats

    def count(self, colour: int, kind: int) -> int:
        """Return how many points are of a kind for a colour."""
        return int(self.workspace.board.count[colour - 1, kind])

    def points(self, colour: int, kind: int) -> list[int]:
        """Return the points that are of a kind for a colour."""
        return np.flatnonzero(self.workspace.board.point_threat[colour - 1] == kind).tolist()

    def line_shapes(self, colour: int, point: int) -> list[int]:
        """Return what a stone on a point makes, in each of the four directions."""
        both = int(self.workspace.board.line_shapes[point]) >> 16 * (colour - 1)
        return [both >> 4 * d & 15 for d in range(4)]

    def empty(self) -> list[int]:
        """Return the empty points."""
        taken = self.workspace.board.point_threat[0, : self.cells.size] == five.threats.FULL
        return np.flatnonzero(~taken).tolist()

    def after(self, point: int, colour: int, question, *arguments):
        """Return the answer to a question after a move, which is then taken back."""
        five.threats.take_point(self.workspace, point, colour)
        self.cells.flat[point] = BLACK if colour == 1 else -BLACK
        answer = question(*arguments)
        self.cells.flat[point] = 0
        five.threats.free_point(self.workspace, point, colour)
        return answer

    def by_fours(self, colour: int) -> bool:
        """True if the colour, to move, wins by fours."""
        return bool(five.threats.wins_by_fours(self.workspace, colour, FOURS))

    def by_threats(self, colour: int) -> bool:
        """True if the colour, to move, wins by threats."""
        return bool(five.threats.threats_win(self.workspace, colour, self.threats))

    def wins(self, colour: int, fills: int = 4) -> bool:
        """True if the colour, to move, is proved to win.

        If it must fill a five first, at most `fills` times, the other side may then reply
        anywhere.
        """
        other = 3 - colour
        if self.by_fours(colour):
            return True
        if self.count(other, five.threats.T_FIVE) > 1:
            return False
        if self.by_threats(colour):
            return True
        if self.count(other, five.threats.T_FIVE) == 0 or fills == 0:
            return False
        point = self.points(other, five.threats.T_FIVE)[0]
        return self.after(point, colour, self.loses, other, fills - 1)

    def loses(self, colour: int, fills: int = 4) -> bool:
        """True if the other side is proved to win after every reply of the colour, to move."""
        other = 3 - colour
        if self.count(colour, five.threats.T_FIVE):
            return False
        if self.count(other, five.threats.T_FIVE) > 1:
            return True
        replies = self.points(other, five.threats.T_FIVE) or self.replies(colour)
        return all(self.after(point, colour, self.wins, other, fills) for point in replies)

    def replies(self, colour: int) -> list[int]:
        """Return the empty points, those that take or make most first."""
        threat = self.workspace.board.point_threat
        mine, theirs = threat[colour - 1], threat[2 - colour]
        return sorted(self.empty(), key=lambda p: -max(int(mine[p]), int(theirs[p])))


def assert_kind(puzzle, proof):
    """Assert that the winning side has the win that the kind names."""
    side, kind = proof.side, puzzle.kind
    fives = proof.points(side, five.threats.T_FIVE)
    quick = proof.points(side, five.threats.T_OPEN_FOUR)
    straight = [five.search.OPEN_FOUR in proof.line_shapes(side, p) for p in quick]
    if kind == "five":
        assert set(fives) == puzzle.listed
        return
    assert not fives and not proof.count(3 - side, five.threats.T_FIVE)
    if kind == "open four":
        assert quick and all(straight)
    elif kind == "double four":
        assert quick and not any(straight)
    elif kind == "VCT":
        assert not proof.by_fours(side) and proof.by_threats(side)
        assert int(proof.workspace.win[0]) in puzzle.listed
    else:
        assert not quick and proof.by_fours(side)
        line = proof.workspace.win[: proof.workspace.ply].tolist()
        plies = 3 if kind == "four-three" else int(kind.split()[2])
        assert len(line) >= plies and line[0] in puzzle.listed
        assert_line_wins(puzzle.game, line)


def test_the_listed_moves_win(full):
    """Each listed first move wins against every reply on the board."""
    for puzzle in [p for p in PUZZLES if p.kind not in DEFENCES]:
        proof = Proof(puzzle.game, THREATS if full else QUICK)
        assert_kind(puzzle, proof)
        for point in puzzle.listed if puzzle.kind != "five" else ():
            assert proof.after(point, proof.side, proof.loses, 3 - proof.side), puzzle.name


def assert_only_these_hold(puzzle, full):
    """Assert that the side to move has no win, and that just the listed replies hold."""
    proof = Proof(puzzle.game, THREATS if full else QUICK)
    assert proof.count(proof.side, five.threats.T_FIVE) == 0, puzzle.name
    assert not proof.wins(proof.side), puzzle.name
    for point in proof.empty():
        proof.threats = THREATS if full or point not in puzzle.listed else QUICK
        lost = proof.after(point, proof.side, proof.wins, 3 - proof.side)
        assert lost != (point in puzzle.listed), (puzzle.name, point)


def test_all_other_defences_lose(full):
    for puzzle in [p for p in PUZZLES if p.kind in DEFENCES]:
        assert_only_these_hold(puzzle, full)
        assert puzzle.kind != "only defence" or len(puzzle.listed) == 1


def test_only_the_listed_replies_hold_node_x(full):
    for puzzle in NODE_X:
        assert_only_these_hold(puzzle, full)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_the_engine_solves_a_puzzle(puzzle):
    """20,000 simulations stand for a second. A VCT may be won by another move, if proved."""
    thought = think(puzzle.game, simulations=20_000, seed=1)
    proved = puzzle.kind == "VCT" and thought.proven == 1
    assert thought.move in puzzle.listed or proved, thought


@pytest.mark.parametrize("puzzle", NODE_X, ids=lambda puzzle: puzzle.name)
def test_the_engine_holds_node_x(puzzle):
    thought = think(puzzle.game, simulations=2000, seed=1)
    assert thought.move in puzzle.listed, thought


# -- games that the engine lost on 8x8 -------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves", "ply"), read_rows("lost_8x8.txt"), ids=lambda value: str(value)[:12]
)
def test_a_game_lost_on_8x8_is_lost_by_the_move_that_is_named(name, moves, ply):
    moves, ply = moves.split(), int(ply)
    whole = Game.from_text(" ".join(moves))
    assert whole.winner != 0 and whole.winner == (BLACK if len(moves) % 2 else -BLACK)
    after = Game.from_text(" ".join(moves[:ply]))
    assert after.to_move == whole.winner
    assert think(after, simulations=400_000).proven == 1
    before = Game.from_text(" ".join(moves[: ply - 1]))
    thought = think(before, simulations=400_000)
    assert thought.name != moves[ply - 1] and thought.proven != -1

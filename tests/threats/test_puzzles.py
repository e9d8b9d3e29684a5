"""Puzzles and Node X: every line of the two files is proved again, and the engine solves it.

The proofs use the two searches for forced wins, which test_fours and test_threats compare with
naive references, and walk through every reply on the board. With --full the budgets are those
that the files name, and every win by fours is replayed stone by stone.
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
LEAST = {  # how many puzzles of each kind there are at least
    "five": 8, "open four": 8, "double four": 8, "four-three": 8, "VCF": 20, "VCT": 15,
    "only defence": 15, "trap": 8,
}  # fmt: skip
UNSOLVED: set[str] = set()  # names of puzzles that the engine does not solve
QUICK = 20_000  # what is spent by default to find no win


PUZZLES, NODE_X = read_puzzles(), read_puzzles("node_x.txt")
DEFENCES = ("only defence", "trap")


class Proof:
    """A position, and proofs about it: who wins by force, whatever the other side replies."""

    def __init__(self, game: Game, threats: int, replay: bool = False):
        self.workspace = five.search.new_search(KERNELS, game, 1)
        five.threats.reset_live(self.workspace)
        self.side = 1 if game.to_move == BLACK else 2
        self.cells, self.replay = game.array, replay
        self.threats = threats

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
        """True if the colour, to move, wins by fours; with `replay` the line is played."""
        if not five.threats.wins_by_fours(self.workspace, colour, FOURS):
            return False
        if self.replay:
            game = Game.from_array(self.cells, BLACK if colour == 1 else -BLACK)
            assert_line_wins(game, self.workspace.win[: self.workspace.ply].tolist())
        return True

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
        mine, theirs = (
            self.workspace.board.point_threat[colour - 1],
            self.workspace.board.point_threat[2 - colour],
        )
        return sorted(
            self.empty(),
            key=lambda p: -int(five.engine.MAKE[mine[p]] + five.engine.BREAK[theirs[p]]),
        )


def test_there_are_enough_puzzles_of_each_kind():
    kinds = [puzzle.kind.split(" of ")[0] for puzzle in PUZZLES]
    assert len(PUZZLES) >= 80 and len(NODE_X) >= 24
    assert all(kinds.count(kind) >= least for kind, least in LEAST.items())
    plies = {int(p.kind.split()[2]) for p in PUZZLES if p.kind.startswith("VCF")}
    assert plies == {3, 5, 7, 9, 11, 13, 15}
    positions = [(p.size, p.game.array.tobytes()) for p in PUZZLES + NODE_X]
    assert len(set(positions)) == len(positions)


def assert_kind(puzzle, proof):
    """Assert that the winning side has the win that the kind names, and no quicker one."""
    side, kind = proof.side, puzzle.kind
    fives, quick = (
        proof.points(side, five.threats.T_FIVE),
        proof.points(side, five.threats.T_OPEN_FOUR),
    )
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
        if kind == "four-three":
            assert set(proof.points(side, five.threats.T_FOUR_THREE)) & puzzle.listed
        assert not shorter(proof, side, plies // 2 - 1) and shorter(proof, side, plies // 2)


def shorter(proof, colour, fours):
    """True if the colour, to move, has a five or a double after at most that many fours."""
    other = 3 - colour
    if proof.count(colour, five.threats.T_FIVE):
        return True
    must = proof.points(other, five.threats.T_FIVE)
    doubles = proof.points(colour, five.threats.T_OPEN_FOUR)
    if len(must) < 2 and set(doubles) & set(must or doubles):
        return True
    if fours <= 0 or len(must) > 1:
        return False

    def go_on(fill):
        return proof.after(fill, other, shorter, proof, colour, fours - 1)

    kinds = (five.threats.T_FOUR, five.threats.T_FOUR_MORE, five.threats.T_FOUR_THREE)
    for point in [p for kind in kinds for p in proof.points(colour, kind)]:
        if point in (must or [point]):
            if proof.after(
                point, colour, lambda: go_on(proof.points(colour, five.threats.T_FIVE)[0])
            ):
                return True
    return False


def test_the_listed_moves_win(full):
    """Each listed first move wins against every reply on the board."""
    for puzzle in [p for p in PUZZLES if p.kind not in DEFENCES]:
        proof = Proof(puzzle.game, THREATS if full else QUICK, replay=full)
        if full or puzzle.kind not in ("VCF of 13 plies", "VCF of 15 plies"):
            assert_kind(puzzle, proof)
        for point in puzzle.listed if puzzle.kind != "five" else ():
            assert proof.after(point, proof.side, proof.loses, 3 - proof.side), puzzle.name


def assert_only_these_hold(puzzle, full):
    """Assert that the side to move has no win, and that just the listed replies hold."""
    proof = Proof(puzzle.game, THREATS if full else QUICK, replay=full)
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


def test_the_natural_block_of_a_trap_loses():
    for puzzle in PUZZLES:
        if puzzle.kind == "trap":
            assert not natural(puzzle.game) & puzzle.listed, puzzle.name


def natural(game):
    """Return the points that score highest by classic's table."""
    workspace = five.search.new_search(five.search.shaped_game(), game, 1)
    five.search.reset_shapes(workspace)
    scores = {point: five.search.score_point(workspace, point) for point in game.legal()}
    return {point for point, score in scores.items() if score == max(scores.values())}


def test_only_the_listed_replies_hold_node_x(full):
    for puzzle in NODE_X:
        assert_only_these_hold(puzzle, full)


def test_node_x_threatens_what_it_says():
    for puzzle in NODE_X:
        proof = Proof(puzzle.game, THREATS)
        other = 3 - proof.side
        assert not proof.count(other, five.threats.T_FIVE) and not proof.count(
            other, five.threats.T_OPEN_FOUR
        )
        four_three = proof.count(other, five.threats.T_FOUR_THREE)
        assert bool(four_three) == (puzzle.kind == "four-three")
        assert four_three or proof.count(other, five.threats.T_OPEN_THREES)
        assert 1 <= len(puzzle.listed) <= 4 and proof.wins(other)


def cases(puzzles):
    """Return the puzzles as test cases; the unsolved ones must fail."""
    failing = pytest.mark.xfail(strict=True, reason="not solved yet")
    return [
        pytest.param(p, id=p.name, marks=[failing] if p.name in UNSOLVED else [])
        for p in puzzles
    ]


@pytest.mark.parametrize("puzzle", cases(PUZZLES))
def test_the_engine_solves_a_puzzle(puzzle):
    """20,000 simulations stand for a second. A VCT may be won by another move, if proved."""
    thought = think(puzzle.game, simulations=20_000, seed=1)
    proved = puzzle.kind == "VCT" and thought.proven == 1
    assert thought.move in puzzle.listed or proved, thought


@pytest.mark.parametrize("puzzle", cases(NODE_X))
def test_the_engine_holds_node_x(puzzle):
    thought = think(puzzle.game, simulations=2000, seed=1)
    assert thought.move in puzzle.listed, thought


# -- games that the engine lost on 8x8 -------------------------------------------------------
def lost_games():
    """Return (name, moves, ply) of each game of the file."""
    return [(name, moves.split(), int(ply)) for name, moves, ply in read_rows("lost_8x8.txt")]


@pytest.mark.parametrize(
    ("name", "moves", "ply"), lost_games(), ids=lambda value: str(value)[:12]
)
def test_a_game_lost_on_8x8_is_lost_by_the_move_that_is_named(name, moves, ply):
    whole = Game.from_text(" ".join(moves))
    assert whole.winner != 0 and whole.winner == (BLACK if len(moves) % 2 else -BLACK)
    after = Game.from_text(" ".join(moves[:ply]))
    assert after.to_move == whole.winner
    assert think(after, simulations=400_000).proven == 1
    before = Game.from_text(" ".join(moves[: ply - 1]))
    thought = think(before, simulations=400_000)
    assert thought.name != moves[ply - 1] and thought.proven != -1

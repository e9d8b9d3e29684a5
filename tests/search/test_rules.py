"""Rules and Game, against a full scan of the board and against what a player expects."""

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import BLACK, WHITE, Game, Rules, landing
from hypothesis import given, settings
from hypothesis import strategies as st
from references import full_scan

rules_strategy = st.builds(
    Rules,
    size=st.integers(3, 20),
    in_a_row=st.integers(3, 8),
    rows=st.none() | st.integers(3, 20),
    gravity=st.booleans(),
)


def random_game(rules, rng, scan_every_ply):
    """Play at random to the end; the scan of the whole board must agree all the way."""
    game = Game(rules)
    while not game.over:
        mover = game.to_move
        game.play(int(rng.choice(game.legal())))
        if scan_every_ply:
            found = full_scan(game.array, rules.in_a_row)
            assert found == ({game.winner} if game.winner else set())
            assert game.winner in (0, mover)
    assert full_scan(game.array, rules.in_a_row) == ({game.winner} - {0})
    assert game.winner or game.array.all()
    return game


def test_random_games_agree_with_a_full_scan(full):
    rng = np.random.default_rng(1)
    for count in range(10_000 if full else 180):
        size = 3 + count % 18
        random_game(Rules(size), rng, scan_every_ply=size <= 8 and count % 5 == 0)


@settings(max_examples=60, deadline=None)
@given(rules=rules_strategy, seed=st.integers(0, 2**32 - 1))
def test_undo_and_redo_go_back_and_forth_through_any_game(rules, seed):
    game = random_game(rules, np.random.default_rng(seed), scan_every_ply=False)
    moves, end, winner = game.moves, game.array, game.winner
    for _ in moves:
        game.undo()
        assert not game.over and game.winner == 0
    assert not game.array.any() and game.to_move == BLACK
    for _ in moves:
        game.redo()
    assert game.moves == moves and (game.array == end).all() and game.winner == winner
    again = Game.from_text("".join(moves), rules=rules)
    assert (again.array == end).all() and again.winner == winner


def test_six_in_a_row_wins_as_well():
    game = Game.from_text("a1 a8 b1 b8 c1 c8 e1 e8 f1 f8 d1")
    assert game.winner == BLACK
    assert [
        five.game.point_name(p, 8) for p in sorted(game.five)
    ] == "a1 b1 c1 d1 e1 f1".split()


@pytest.mark.parametrize("name, row, col", [("a1", 0, 0), ("h8", 7, 7), ("e4", 3, 4)])
def test_the_three_names_of_a_point(name, row, col):
    for move in (name, name.upper(), f" {name} ", (row, col), [row, col], 8 * row + col):
        assert five.game.to_point(move, Rules(8)) == 8 * row + col
    assert five.game.point_name(8 * row + col, 8) == name


@pytest.mark.parametrize(
    "move, says",
    [
        ("a9", "off the board"),
        (64, "off the board"),
        ("e4x", "not a move"),
        (True, "not a move"),
        ((1, 2, 3), "not a move"),
        ("d4", "a black stone stands there"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason_and_changes_nothing(move, says):
    game = Game.from_text("d4e4f4")
    game.undo()
    before = (game.array.tolist(), game.played[:], game.undone[:], game.to_move)
    with pytest.raises(ValueError, match=says):
        game.play(move)
    assert before == (game.array.tolist(), game.played, game.undone, game.to_move)


def test_nothing_can_be_played_after_the_end():
    game = Game.from_text("c3c8d3d8e3e8f3f8g3")
    with pytest.raises(ValueError, match="the game is over"):
        game.play("a1")
    assert game.legal() == [] and len(game.played) == 9


def test_a_refusal_is_shown_and_what_is_taken_is_an_error(capsys):
    five.game.refused(five.game.to_point, 64, Rules())
    said = "refused: 64 is off the board: it reaches from a1 to h8, point 63\n"
    assert capsys.readouterr().out == said
    with pytest.raises(AssertionError, match="this was taken: 28"):
        five.game.refused(five.game.to_point, "e4", Rules())


def test_nothing_to_undo_or_redo_is_refused():
    game = Game()
    with pytest.raises(ValueError, match="no move to take back"):
        game.undo()
    with pytest.raises(ValueError, match="no move to play again"):
        game.redo()


def test_a_new_move_forgets_what_was_taken_back():
    game = Game.from_text("d4e4")
    game.undo()
    game.play("e5")
    with pytest.raises(ValueError, match="no move to play again"):
        game.redo()


def test_a_set_up_position_is_where_undo_stops():
    cells = np.zeros((8, 8), int)
    cells[3, 3], cells[3, 4] = BLACK, WHITE
    game = Game.from_array(cells, WHITE)
    game.play("a1")
    game.undo()
    with pytest.raises(ValueError, match="no move to take back"):
        game.undo()
    assert (game.array == cells).all() and game.to_move == WHITE
    cells[:] = 0  # the game keeps a copy of its own
    assert game.array[3, 3] == BLACK


def test_a_set_up_position_with_a_line_is_over():
    cells = np.zeros((8, 8), int)
    cells[2, 1:6] = WHITE
    game = Game.from_array(cells, BLACK)
    assert game.winner == WHITE and game.over and len(game.five) == 5


@pytest.mark.parametrize(
    "change, to_move, rules, says",
    [
        (lambda c: c, 0, None, "to_move must be"),
        (lambda c: c + 2, 1, None, "holds only"),
        (lambda c: c, 1, Rules(9), "but the rules say 9x9"),
        (lambda c: np.eye(8, dtype=int), 1, Rules(8, gravity=True), "floats"),
        (lambda c: c[None], 1, None, "this array 3 dimension"),
        (lambda c: np.repeat([[1], [-1], [0]], [1, 1, 6], 0) + c, 1, None, "both sides"),
    ],
)
def test_a_bad_set_up_is_refused(change, to_move, rules, says):
    with pytest.raises(ValueError, match=says):
        Game.from_array(change(np.zeros((8, 8), int)), to_move, rules)


def test_stones_fall_where_the_rules_say_so():
    rules = Rules(7, 4, rows=6, gravity=True)
    game = Game(rules)
    assert game.legal() == list(range(7))
    with pytest.raises(ValueError, match="stones fall"):
        game.play("d2")
    for move in ("d1", "d2", "d3", "d4", "d5", "d6"):
        game.play(move)
    assert all(p % 7 != 3 for p in game.legal()) and len(game.legal()) == 6
    assert Game.from_text("4 4 1", rules=rules).moves == ["d1", "d2", "a1"]
    assert landing(game, 4 + 7 * 5) == 4 and landing(game, 3) is None
    with pytest.raises(ValueError, match="d6 cannot be played"):
        Game.from_text("4444444", rules=rules)
    assert Game.from_array(game.array, BLACK, rules).legal() == game.legal()


def test_the_text_of_a_board_has_line_1_at_the_bottom():
    text = str(Game.from_text("a1c3", rules=Rules(3, 3)))
    assert text.splitlines() == [" 3 . . O", " 2 . . .", " 1 X . .", "   a b c"]


def test_a_move_list_may_be_spaced():
    assert Game.from_text("h8,I9;\ng7", size=15).moves == ["h8", "i9", "g7"]


@pytest.mark.parametrize(
    "text, says",
    [
        ("h8 ? i9", "'?' is not a move (character 4): write moves such as h8i9g7"),
        ("1. 2. 3.", "there is no move in '1. 2. 3.': write moves such as h8i9g7"),
        ("h8 i9\n g7x", "'x' is not a move (line 2, character 4)"),
        ("x" * 1000, "'xxxxxxxxxxxxxxxxxxxx…' is not a move (character 1)"),
    ],
)
def test_a_move_list_with_anything_else_in_it_is_refused(text, says):
    """What is quoted stands there as it was written."""
    with pytest.raises(ValueError) as refused:
        Game.from_text(text, size=15)
    assert says in str(refused.value)


def test_the_numbered_record_that_is_printed_can_be_read():
    game = Game.from_text(
        "a1 b2 c3 d4 e5 f6 g7 h8 a2 a3 a4 a5 a6 a7 a8 b1 b3 b4 b5 b6 b7 b8 c1"
    )
    assert Game.from_text(five.figures.record_text(game)).moves == game.moves


def test_a_copy_is_a_game_of_its_own():
    game = Game.from_text("d4e4")
    other = game.copy()
    other.play("d5")
    other.undo()
    other.undo()
    assert game.moves == ["d4", "e4"] and other.moves == ["d4"]

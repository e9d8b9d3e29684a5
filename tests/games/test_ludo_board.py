"""Ludo in the window: squares and tokens, pointer and keys, rolls, undo, words; replays."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import itertools
import random

import five_in_a_row as five
import helpers
import numpy as np
import pytest
from five_in_a_row import ludo, ludo_board
from five_in_a_row.ludo import Ludo, LudoRules, set_up
from five_in_a_row.ludo_board import LudoGame
from window_lab import PATIENCE, Seat, click, hover, press, pygame  # noqa: F401

TWO = LudoRules(players=2)
SAFE = LudoRules(safe=(0, 8))


@pytest.fixture
def seated(pygame, monkeypatch):
    """Return a function that opens a window; the computer moves at random and at once."""
    monkeypatch.setattr(ludo_board, "PACE", 0)
    seats = []

    def sit(rules=TWO, seed=1, agent=ludo.random_ludo, game=None, size=(640, 480)):
        pygame.display.init()
        pygame.display.set_mode(size)
        pygame.event.clear()
        controller = ludo_board.ludo_controller(ludo_board.ludo_record(rules, seed), agent)
        seats.append(seat := Seat(controller.session, controller=controller))
        if game is not None:
            seat.record.game = game
        return seat

    yield sit
    for seat in seats:
        seat.finish()
    pygame.display.quit()


def game_at(steps, die, rules=TWO, to_move=0):
    """Return a LudoGame with these steps whose die has been rolled."""
    position = set_up(steps, to_move, rules)
    position.roll(die)
    return LudoGame(rules, ludo=position)


def wait_for_turn(seat):
    """Step until a person is to choose, or the game is over."""
    helpers.wait_for(seat.step, lambda: seat.yours or seat.game.over, PATIENCE)


def pixel(seat, point):
    """Return the pixel of a point as the window shows it."""
    surface = five.window.load_pygame().display.get_surface()
    return five.window.to_pixel(point, five.window.canvas_of(seat.controller, surface).layout)


# ---- squares and tokens -------------------------------------------------------------------
@pytest.mark.parametrize("ring", [20, 52, 100])
def test_every_square_has_a_place_of_its_own(ring):
    half = ludo_board.half_of(ring)
    for players in (2, 3, 4):
        rules = LudoRules(players=players, ring=ring, lane=half - 1)
        ringed = [ludo_board.along_cross(i, ring) for i in range(ring)]
        walked = [ludo_board.place_of_token(rules, 0, 0, steps) for steps in range(1, ring)]
        assert ringed[:-1] == walked
        places = {
            ludo_board.place_of_token(rules, player, token, steps)
            for player in range(players)
            for token in range(4)
            for steps in (0, *range(ring, rules.goal + 1))
        }
        assert len(places) == players * (4 + rules.lane)  # a lane's is one for all tokens
        assert len(set(ringed)) == ring and not places & {*ringed, (0, 0)}
        assert max(map(abs, itertools.chain(*places, *ringed))) == half
        for (x, y), (right, up) in itertools.pairwise([*ringed, ringed[0]]):
            assert max(abs(x - right), abs(y - up)) == 1  # neighbours, round a corner too


@pytest.mark.parametrize("wrong", [{"ring": 16, "lane": 1}, {"lane": 7}])
def test_rules_that_do_not_fit_on_the_board_are_refused(wrong):
    rules = LudoRules(**wrong)
    play = ludo_board.play_ludo
    for call in (ludo_board.board_rules, LudoGame, lambda rules: play(rules=rules)):
        with pytest.raises(ValueError, match=f"ring of {rules.ring} has room for"):
            call(rules)


def test_every_token_lies_in_its_square_and_on_no_other_token(pygame):
    side = 400
    layout = five.window.make_layout(side, side, ludo_board.board_rules(SAFE))
    canvas = five.window.Canvas(pygame.Surface((side, side)), layout, five.window.CALM)
    crowded = np.repeat([14, 1, 40, 27], 4).reshape(4, 4)  # sixteen tokens on a safe square
    for steps in (crowded, np.arange(16).reshape(4, 4), np.zeros((4, 4), int)):
        boxes = ludo_board.token_boxes(canvas, SAFE, steps)
        for key, box in boxes.items():
            point = ludo_board.point_of_token(SAFE, *key, int(steps[key]))
            assert ludo_board.square_at(canvas, point).contains(box) and box.width > 1
        listed = list(boxes.values())
        assert all(box.collidelist(listed[:i]) < 0 for i, box in enumerate(listed))


# ---- pointer and keys ---------------------------------------------------------------------
def test_a_click_moves_a_token_that_may_move_and_nothing_else(seated):
    seat = seated(game=game_at([[20, 20, 7, 0], [12, 30, 0, 57]], 4))
    legal = {seat.game.point(1), seat.game.point(3)}
    assert set(seat.game.legal()) == legal  # two share a square; the fourth needs a six
    for point in set(range(225)) - legal:
        click(seat, pixel(seat, point))
        assert seat.game.played == []
    click(seat, pixel(seat, seat.game.point(3)))
    assert seat.game.positions[0].steps[0, 2] == 7 and seat.game.ludo.record[0] == (0, 4, 3)


def test_random_clicks_and_keys_play_legal_moves_only(seated):
    rng, seat = random.Random(5), seated(LudoRules(players=3), seed=2)
    for _ in range(300):
        wait_for_turn(seat)
        if rng.random() < 0.5:
            click(seat, pixel(seat, rng.randrange(225)))
        else:
            press(seat, rng.choice(["1", "2", "3", "4", "left", "up", "return", "space"]))
    check = Ludo(LudoRules(players=3))
    for player, die, token in seat.game.ludo.record:
        assert check.to_move == player
        assert bool(check.roll(die)) == bool(token)
        if token:
            check.move(token)  # it raises for a token that may not move
    assert check.steps.tolist() == seat.game.ludo.steps.tolist()
    assert len(seat.game.played) > 30


# ---- the computer -------------------------------------------------------------------------


def test_the_computer_moves_by_its_search_and_says_what_it_found(seated, monkeypatch):
    monkeypatch.setattr(ludo_board, "PACE", 3600)
    game = game_at([[12, 30, 0, 57], [20, 40, 7, 0]], 4, to_move=1)
    seat = seated(game=game, agent=ludo.ludo_mcts(simulations=200))
    helpers.wait_for(seat.step, lambda: seat.session.result is not None, PATIENCE)
    expected = ludo.think_ludo(game.ludo, simulations=200, seed=seat.record.seed)
    lines, best = ludo_board.ludo_lines(seat.session), expected.move - 1
    share, value = expected.visits[best] / 200, expected.values[best]
    assert lines[0] == "Orange rolls 4" and not seat.yours and len(lines) == 4
    assert f"Token {best + 1}: {share:.0%} of visits, wins {value:.0%}" in lines
    press(seat, "M")  # it plays what it has found
    helpers.wait_for(seat.step, lambda: seat.game.played, PATIENCE)
    assert seat.game.ludo.record[0] == (1, 4, expected.move)


def test_an_agent_without_a_search_may_play_and_a_wrong_answer_is_an_error(seated):
    seat = seated(game=game_at([[0] * 4, [20, 40, 7, 0]], 4, to_move=1), agent=lambda *_: 4)
    with pytest.raises(ValueError, match="there: only token 1, 2 or 3 may"):
        wait_for_turn(seat)


def test_undo_goes_back_to_ones_own_choice_and_redo_forth(seated):
    seat = seated(seed=5)
    wait_for_turn(seat)
    assert not seat.commands["undo"].possible(seat.controller)
    for _ in range(12):
        wait_for_turn(seat)
        stood = seat.game.ludo.steps.tolist(), seat.game.count, seat.game.ludo.die
        five.window.choose_point(seat.controller, seat.game.legal()[0])
    wait_for_turn(seat)
    after = seat.game.copy()
    press(seat, "u")
    assert (seat.game.ludo.steps.tolist(), seat.game.count, seat.game.ludo.die) == stood
    assert seat.yours and seat.game.undone == after.played[stood[1] :][::-1]
    press(seat, "y")
    wait_for_turn(seat)
    assert seat.game.ludo.record == after.ludo.record and seat.game.undone == []
    for _ in range(20):
        press(seat, "u")
    assert seat.yours and not seat.commands["undo"].possible(seat.controller)


def test_another_game_has_other_dice_and_the_one_before_is_kept(seated):
    seat = seated(seed=5)
    wait_for_turn(seat)
    press(seat, "1")
    first = seat.record
    press(seat, "N")
    assert seat.game.seed == 6 and seat.game.played == [] and seat.record.seed == 6
    assert seat.finish() is first


# ---- words and pictures --------------------------------------------------------------------


def test_the_position_and_who_has_won_stand_in_words():
    game = game_at([[57, 57, 54, 56], [12, 30, 0, 57]], 3)
    session = five.window.Session(five.window.GameRecord(game), {})
    assert ludo_board.ludo_lines(session) == ["You, blue, roll 3: token 3"]
    assert ludo_board.ludo_words(game.ludo) == [
        "blue: 1 home, 2 home, 3 lane 3, 4 lane 5 · to move, die 3",
        "orange: 1 step 12, 2 step 30, 3 yard, 4 home",
    ]
    game = game_at([[57, 57, 57, 56], [12, 30, 0, 57]], 1)
    session.record.game = game
    game.play(game.point(4))
    assert game.over and five.window.heading(session) == "You win" and game.legal() == []
    assert ludo_board.ludo_words(game.ludo)[0].endswith("4 home · has won")


def test_where_nobody_can_play_the_computer_plays_itself(capsys, monkeypatch):
    for recorded in (True, False):
        monkeypatch.setenv("FIVE_PLAY", "recorded" if recorded else "")

        def no_display(controller):
            raise five.window.NoDisplay("nothing to see")

        settings = dict(players=4, agent=ludo.random_ludo, seed=3, ways=(no_display,))
        played = ludo_board.play_ludo(**settings)
        why = "was run without a window" if recorded else "nothing to see"
        assert why in capsys.readouterr().out and played.over
        assert played.game.ludo.record == ludo_board.play_ludo(**settings).game.ludo.record
        capsys.readouterr()


# ---- the replay ---------------------------------------------------------------------------
def test_the_replay_ends_where_the_game_does():
    agents = [ludo.ludo_mcts(simulations=5), lambda game, seed: game.legal()[0]]
    game, thoughts = ludo.recorded_ludo(agents, TWO, seed=2)
    frames, parts = ludo_board.ludo_frames(game, thoughts)
    moves = [token for _, _, token in game.record if token]
    assert len(frames) == 1 + len(moves) and "has won" in frames[-1].lines[-1]
    for frame in (0, len(frames) // 2, len(frames) - 1):
        there = [part for part in parts if part.first <= frame]
        there = [part for part in there if part.last is None or frame <= part.last]
        tokens = [(part.shape, part.text) for part in there if "token" in part.shape]
        assert sorted(tokens) == [
            (f"token{player}", str(token)) for player in (0, 1) for token in (1, 2, 3, 4)
        ]
    last = {(part.shape, part.text): (part.x, part.y) for part in parts if part.last is None}
    for (player, token), steps in np.ndenumerate(game.steps):
        place = ludo_board.svg_place(game.rules, player, token, int(steps))
        assert last[f"token{player}", str(token + 1)] == place
    assert "has won" in str(ludo_board.replay_ludo(game, thoughts))

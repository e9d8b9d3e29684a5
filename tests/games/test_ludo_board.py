"""Ludo in the window: squares and tokens, pointer and keys, rolls, undo, what is told."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import asyncio
import itertools
import random
import time

import five_in_a_row as five
import helpers
import numpy as np
import pytest
from five_in_a_row import ludo
from five_in_a_row.ludo import LudoGame, LudoRules, set_up
from window_lab import PATIENCE, Seat, click, hover, press, pygame  # noqa: F401

TWO = LudoRules(players=2)
SAFE = LudoRules(safe=(0, 8))


@pytest.fixture
def seated(pygame, monkeypatch):
    """Return a function that opens a window; the computer moves at random and at once."""
    monkeypatch.setattr(ludo, "PACE", 0)
    seats = []

    def sit(rules=TWO, seed=1, agent=ludo.random_ludo, game=None, size=(640, 480)):
        pygame.display.init()
        pygame.display.set_mode(size)
        pygame.event.clear()
        controller = ludo.ludo_controller(ludo.ludo_record(rules, seed), agent)
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
    game = LudoGame(rules)
    game.ludo = set_up(steps, to_move, rules)
    game.ludo.roll(die)
    return game


def wait_for_turn(seat):
    """Step until a person is to choose, or the game is over."""
    helpers.wait_for(seat.step, lambda: seat.yours or seat.game.over, PATIENCE)


def pixel(seat, point):
    """Return the pixel of a point as the window shows it."""
    surface = five.window.load_pygame().display.get_surface()
    return five.window.to_pixel(point, five.window.canvas_of(seat.controller, surface).layout)


def a_canvas(rules, width=400, height=400, theme=five.window.CALM):
    """Return a canvas of the board of some rules."""
    surface = five.window.load_pygame().Surface((width, height))
    return five.window.Canvas(surface, ludo.ludo_layout(width, height, rules.ring, 9), theme)


# ---- squares and tokens -------------------------------------------------------------------
@pytest.mark.parametrize("ring", [20, 24, 40, 52, 100])
def test_every_square_has_a_place_of_its_own(ring):
    half = ludo.half_of(ring)
    for players in (2, 3, 4):
        rules = ludo.check_board(LudoRules(players=players, ring=ring, lane=half - 1))
        ringed = [ludo.along_cross(i, ring) for i in range(ring)]
        assert ringed == [ludo.place_of_token(rules, 0, 0, s) for s in range(1, ring)] + [
            ludo.along_cross(ring - 1, ring)
        ]
        places = {
            ludo.place_of_token(rules, player, token, steps)
            for player in range(players)
            for token in range(4)
            for steps in (0, *range(ring, rules.goal + 1))
        }
        assert len(places) == players * (4 + rules.lane)  # a lane's is one for all tokens
        assert len(set(ringed)) == ring and not places & {*ringed, (0, 0)}
        assert max(map(abs, itertools.chain(*places, *ringed))) == half
        for (x, y), (right, up) in itertools.pairwise([*ringed, ringed[0]]):
            assert max(abs(x - right), abs(y - up)) == 1  # neighbours, round a corner too


@pytest.mark.parametrize("wrong", [{"ring": 40}, {"ring": 16, "lane": 1}, {"lane": 7}])
def test_rules_that_do_not_fit_on_the_board_are_refused(wrong):
    rules = LudoRules(**wrong)
    for call in (ludo.check_board, LudoGame, lambda rules: ludo.play_ludo(rules=rules)):
        with pytest.raises(ValueError, match=f"ring of {rules.ring} has room for"):
            call(rules)


def positions(rules, games, seed=1):
    """Yield the steps of all positions of random games."""
    rng = random.Random(seed)
    for number in range(games):
        game = LudoGame(rules, seed + number)
        while not game.over:
            game.play(rng.choice(game.legal()))
            yield game.ludo.steps


@pytest.mark.parametrize("rules", [SAFE, LudoRules(4, ring=40, lane=4)], ids=["52", "40"])
@pytest.mark.parametrize("side", [400, 640, 2160])
def test_every_token_lies_in_its_square_and_on_no_other_token(rules, side, pygame):
    canvas = a_canvas(rules, side, side)
    crowd = [14, 1, 40, 27] if rules is SAFE else [11, 1, 31, 21]
    crowded = np.repeat(crowd, 4).reshape(4, 4)  # sixteen tokens on a safe square
    for steps in (crowded, *positions(rules, 2)):
        points = {
            key: ludo.point_of_token(rules, *key, int(made))
            for key, made in np.ndenumerate(steps)
        }
        boxes = ludo.token_boxes(canvas, rules, steps)
        raised = ludo.token_boxes(canvas, rules, steps, list(points.values()))
        for key, box in boxes.items():
            square = ludo.square_at(canvas, points[key])
            assert square.contains(box) and square.contains(raised[key]) and box.width > 1
            assert raised[key].bottom <= square.bottom - square.height * 3 // 10
        for found in (boxes, raised):
            listed = list(found.values())
            assert all(box.collidelist(listed[:i]) < 0 for i, box in enumerate(listed))


def test_the_tokens_picture_fills_its_box_and_nothing_else(pygame):
    canvas = a_canvas(SAFE, 900, 900)
    steps = np.array([[14, 14, 3, 0], [1, 1, 57, 57], [53, 0, 0, 0], [27, 9, 57, 0]])
    pictures = []
    for paint in (lambda: None, lambda: ludo.draw_tokens(canvas, SAFE, steps, {(0, 0)})):
        canvas.surface.blit(ludo.empty_ludo(SAFE, *canvas[1:]), canvas.layout.wood[:2])
        paint()
        pictures.append(pygame.surfarray.array3d(canvas.surface))
    changed = (pictures[0] != pictures[1]).any(axis=2)
    for box in ludo.token_boxes(canvas, SAFE, steps).values():
        inside = changed[box.x : box.right, box.y : box.bottom]
        assert inside.mean() > 0.4  # a triangle covers half of it
        inside[:] = False
    assert not changed.any()


@pytest.mark.parametrize("die", range(1, 7))
def test_the_painted_die_has_as_many_dots_as_it_shows(die, pygame):
    canvas, box = a_canvas(TWO), pygame.Rect(10, 10, 60, 60)
    canvas.surface.fill("white")
    ludo.draw_die(canvas, box, 0, die)
    dark = pygame.surfarray.array3d(canvas.surface)[12:68, 12:68].max(axis=2) == 0
    alone = pygame.mask.Mask(dark.shape)
    for place in np.argwhere(dark).tolist():
        alone.set_at(place)
    assert len(alone.connected_components()) == die


def test_contrast_and_wood_show_the_same_tokens(seated, pygame):
    seat = seated(game=game_at([[20, 40, 7, 0], [12, 30, 0, 57]], 4))
    seat.step()
    wood = pygame.surfarray.array3d(pygame.display.get_surface())
    press(seat, "C")
    white = pygame.surfarray.array3d(pygame.display.get_surface())
    x, y = pixel(seat, seat.game.point(1))
    assert (wood[x - 3 : x + 4, y - 3 : y + 4] == white[x - 3 : x + 4, y - 3 : y + 4]).all()
    assert (white[pixel(seat, 0)] == 255).all() and (wood[pixel(seat, 0)] < 255).any()


# ---- pointer and keys ---------------------------------------------------------------------
def test_a_click_moves_a_token_that_may_move_and_nothing_else(seated):
    seat = seated(game=game_at([[20, 20, 7, 0], [12, 30, 0, 57]], 4))
    legal = {seat.game.point(1), seat.game.point(3)}
    assert set(seat.game.legal()) == legal  # two share a square; the fourth needs a six
    for point in set(range(225)) - legal:
        click(seat, pixel(seat, point))
        assert seat.game.played == []
    click(seat, pixel(seat, seat.game.point(3)))
    assert seat.game.past[0].steps[0, 2] == 7 and seat.game.ludo.record[0] == (0, 4, 3)


def test_random_clicks_and_keys_play_legal_moves_only(seated):
    rng, seat = random.Random(5), seated(LudoRules(players=3), seed=2)
    for _ in range(300):
        wait_for_turn(seat)
        before, done = set(seat.game.legal()), len(seat.game.played)
        if rng.random() < 0.5:
            click(seat, (rng.randrange(480), rng.randrange(480)))
        else:
            press(seat, rng.choice(["1", "2", "3", "4", "left", "up", "return", "space"]))
        if len(seat.game.played) > done:
            assert seat.game.played[done] in before
    check = ludo.Ludo(LudoRules(players=3))
    for player, die, token in seat.game.ludo.record:
        assert check.to_move == player
        assert bool(check.roll(die)) == bool(token)
        if token:
            check.move(token)  # it raises for a token that may not move
    assert check.steps.tolist() == seat.game.ludo.steps.tolist()
    assert len(seat.game.played) > 50


def test_the_arrows_go_from_one_token_that_may_move_to_the_next(seated):
    seat = seated(game=game_at([[20, 33, 7, 0], [12, 30, 0, 57]], 4))
    one, two, three = (seat.game.point(token) for token in (1, 2, 3))
    reached = []
    for key in ("right", "right", "up", "right", "left", "down"):
        press(seat, key)
        reached.append(seat.view.cursor)
    assert reached == [one, two, three, one, three, two]
    press(seat, "return")
    assert seat.game.ludo.record[0] == (0, 4, 2)


def test_the_pointer_marks_where_a_token_would_go(seated, pygame):
    seat = seated(game=game_at([[20, 40, 7, 0], [12, 30, 0, 57]], 4))
    seat.step()
    before = pygame.surfarray.array3d(pygame.display.get_surface())
    hover(seat, pixel(seat, seat.game.point(3)))
    changed = before != pygame.surfarray.array3d(pygame.display.get_surface())
    x, y = pixel(seat, ludo.point_of_token(TWO, 0, 2, 11))
    cell = ludo.ludo_layout(640, 480, 52, 9).cell
    assert changed[x - cell // 2 : x + cell // 2, y - cell // 2 : y + cell // 2].any()
    changed[x - cell // 2 : x + cell // 2 + 1, y - cell // 2 : y + cell // 2 + 1] = False
    assert not changed.any()


def whole_game(seated, seed):
    """Return the record of a game that is played by one key after another."""
    seat, keys = seated(seed=seed), itertools.cycle(["1", "2", "3", "4"])
    while not seat.game.over:
        wait_for_turn(seat)
        press(seat, next(keys))
    assert seat.controller.finish() is seat.record
    return seat.game.ludo.record


def test_a_whole_game_by_keys_repeats_from_its_seed(seated):
    first = whole_game(seated, 7)
    assert whole_game(seated, 7) == first != whole_game(seated, 8)
    faces = np.bincount([die for _, die, _ in first], minlength=7)
    assert faces[0] == 0 and faces[1:].min() > len(first) / 12  # of 6 faces, each often


# ---- the computer -------------------------------------------------------------------------
def test_the_computer_moves_by_its_search_and_its_shares_are_seen(seated, monkeypatch):
    monkeypatch.setattr(ludo, "PACE", 3600)
    game = game_at([[12, 30, 0, 57], [20, 40, 7, 0]], 4, to_move=1)
    seat = seated(game=game, agent=ludo.ludo_mcts(200))
    helpers.wait_for(seat.step, lambda: seat.session.result is not None, PATIENCE)
    found = ludo.found_in(seat.session)
    assert set(found) == {1, 2, 3} and sum(s for s, _ in found.values()) == pytest.approx(1)
    assert "Orange rolls 4" in ludo.told(seat.session) and not seat.yours
    expected = ludo.think_ludo(game.ludo, 200, seat.record.seed)
    assert found[expected.move][0] == expected.visits.max() / 200
    assert found[expected.move][1] == pytest.approx(expected.values[expected.move - 1])
    press(seat, "M")  # it plays what it has found
    helpers.wait_for(seat.step, lambda: seat.game.played, PATIENCE)
    assert seat.game.ludo.record[0] == (1, 4, expected.move)
    assert ludo.found_in(seat.session) == {}  # found for another position


def test_a_hint_marks_what_the_search_would_move_and_moves_nothing(seated, monkeypatch):
    monkeypatch.setattr(ludo, "PACE", 3600)  # a hint does not wait
    seat = seated(
        game=game_at([[20, 40, 7, 0], [12, 30, 0, 57]], 4), agent=ludo.ludo_mcts(200)
    )
    press(seat, "H")
    helpers.wait_for(seat.step, lambda: seat.session.hint is not None, PATIENCE)
    assert seat.session.hint in seat.game.legal() and seat.game.played == []
    assert len(ludo.found_in(seat.session)) == 3


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
        stood, done = seat.game.ludo.steps.tolist(), len(seat.game.played)
        roll = seat.game.ludo.die
        five.window.choose_point(seat.controller, seat.game.legal()[0])
    wait_for_turn(seat)
    after = seat.game.copy()
    press(seat, "u")
    assert (seat.game.ludo.steps.tolist(), len(seat.game.played)) == (stood, done)
    assert seat.yours and seat.game.ludo.die == roll
    press(seat, "y")
    wait_for_turn(seat)
    assert seat.game.ludo.record == after.ludo.record and seat.game.undone == []
    for _ in range(20):
        press(seat, "u")
    assert seat.yours and not seat.commands["undo"].possible(seat.controller)
    press(seat, "y")
    assert (
        seat.game.undone
        and seat.game.ludo.record == after.ludo.record[: len(seat.game.ludo.record)]
    )


def test_another_game_has_other_dice_and_the_one_before_is_kept(seated):
    seat = seated(seed=5)
    wait_for_turn(seat)
    press(seat, "1")
    first = seat.record
    press(seat, "N")
    assert seat.game.seed == 6 and seat.game.played == [] and seat.record.seed == 6
    assert seat.finish() is first
    press(seat, "?")
    assert "1, 2, 3, 4\tmove that token" in seat.overlay
    press(seat, "?")
    press(seat, "escape")
    assert not seat.session.open


# ---- what is seen and told ----------------------------------------------------------------
def test_a_token_walks_square_by_square_and_then_the_rolls_are_shown(seated):
    seat, now = seated(game=game_at([[20, 0, 0, 0], [0, 0, 0, 0]], 4)), [100.0]
    seat.session.clock, board = (lambda: now[0]), seat.controller.board
    assert board.fallen(seat.session) == 1
    press(seat, "1")
    game, shown = seat.game, []
    rolls = ludo.rolls_shown(game)
    assert rolls[0] == (0, 4, 1) and rolls[-1] == (game.ludo.to_move, game.ludo.die, 0)
    for i in range(401):
        steps, *die = ludo.moment(game, i / 400)
        shown.append((int(steps[0, 0]), tuple(die)))
    walked = [steps for steps, _ in itertools.groupby(shown, key=lambda seen: seen[0])]
    assert walked == [20, 21, 22, 23, 24]
    dice = [die for die, _ in itertools.groupby(shown, key=lambda seen: seen[1])]
    assert dice == [die for die, _ in itertools.groupby(roll[:2] for roll in rolls)]
    assert board.fallen(seat.session) == 0
    now[0] += ludo.LONGEST
    assert board.fallen(seat.session) == 1


def test_a_token_that_comes_out_is_first_in_the_yard():
    game = game_at([[20, 0, 0, 0], [0, 0, 0, 0]], 6)
    game.play(game.point(2))
    assert [int(ludo.moment(game, done)[0][0, 1]) for done in (0.0, 1.0)] == [0, 1]


def test_the_board_is_told_in_words():
    game = game_at([[20, 57, 54, 0], [12, 30, 0, 57]], 3)
    session = ludo.ludo_controller(ludo.ludo_record(TWO, 1), ludo.ludo_mcts(50)).session
    session.record.game = game
    png, words = ludo.ludo_png(session)
    assert png[:4] == b"\x89PNG"
    for part in (
        "A Ludo board. Your move", "You, blue, roll 3: token 1 or 3",
        "blue: 1 step 20, 2 home, 3 lane 3, 4 yard · to move, die 3",
        "orange: 1 step 12, 2 step 30, 3 yard, 4 home",
    ):  # fmt: skip
        assert part in words
    game.play(game.point(1))
    assert "blue 3: token 1" in ludo.told(session) and game.moves == ["blue 3: token 1"]


def test_who_has_won_is_told():
    game = game_at([[57, 57, 57, 56], [0, 0, 0, 0]], 1)
    session = five.window.Session(five.window.GameRecord(game), {})
    game.play(game.point(4))
    with pytest.raises(ValueError, match="the game is over"):
        game.play(0)
    assert game.over and five.window.heading(session) == "You win" and game.legal() == []
    assert "blue: 1 home, 2 home, 3 home, 4 home · has won" in ludo.ludo_png(session)[1]


def test_a_figure_shows_the_same_board():
    ax = five.figures.new_figure(4, 4).subplots()
    ludo.draw_ludo(ax, set_up([[20, 40, 0, 0], [12, 0, 0, 0]], rules=TWO))
    (image,) = ax.images
    assert image.get_array().shape[2] == 3 and min(image.get_array().shape[:2]) > 400


def test_the_board_in_the_notebook_takes_clicks_and_keeps_its_picture():
    controller = ludo.ludo_controller(ludo.ludo_record(TWO, 1), ludo.random_ludo)
    controller.record.game = game = game_at([[20, 40, 7, 0], [12, 30, 0, 57]], 6)

    class Kept:
        words = ""

        def update(self, data, raw, metadata):
            self.words = metadata["image/png"]["alt"]

    async def inside():
        board = five.inline.inline_board()(controller)
        board.handle = Kept()
        board.handle_event({"type": "resize", "width": 700, "height": 500, "ratio": 1.0})
        layout = ludo.ludo_layout(700, 500, 52, len(controller.shown))
        x, y = five.window.to_pixel(game.point(3), layout)
        board.handle_event({"type": "pointer_down", "x": x, "y": y, "button": 1})
        end = time.monotonic() + PATIENCE
        while "blue 6: token 3" not in board.handle.words:
            assert time.monotonic() < end, "no picture of the move was kept"
            await asyncio.sleep(0.01)
        board.close()
        board.task.result(PATIENCE)
        return board.record

    assert asyncio.run(inside()).game.ludo.record[0] == (0, 6, 3)


def test_where_nobody_can_play_the_computer_plays_itself(capsys, monkeypatch):
    for recorded in (True, False):
        monkeypatch.setenv("FIVE_PLAY", "recorded" if recorded else "")

        def no_display(controller):
            raise five.window.NoDisplay("nothing to see")

        how = dict(players=4, agent=ludo.random_ludo, seed=3, ways=(no_display,))
        played = ludo.play_ludo(**how)
        why = "was run without a window" if recorded else "nothing to see"
        assert why in capsys.readouterr().out and played.over
        assert played.game.ludo.record == ludo.play_ludo(**how).game.ludo.record
        capsys.readouterr()


def test_what_nobody_can_play_is_refused():
    with pytest.raises(ValueError, match="2, 3 or 4 players"):
        ludo.play_ludo(5)
    with pytest.raises(ValueError, match="agent must be a player"):
        ludo.play_ludo(agent="MCTS")
    with pytest.raises(ValueError, match="seed must be"):
        ludo.play_ludo(seed=-1)

"""What the package adds to a game: turning point, expected line, clocks, landing, streaks."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import math

import five_in_a_row as five
import numpy as np
import pytest
from window_lab import (  # noqa: F401
    click,
    hover,
    layout_of,
    opened,
    press,
    pygame,
    searching,
    use,
    wait_for,
)

LOST = "d7 d5 d4 e5 c4 e4 f3 f4 c3 e3 c7 e2 b8 e1"  # white, the engine, wins
VALUES = {1: 0.1, 3: -0.1, 5: 0.2, 7: 0.2, 9: 0.9, 11: None, 13: math.nan}  # for white
BLACKS = {1: -0.1, 3: 0.1, 5: -0.2, 7: -0.2, 9: -0.9, 11: -1.0, 14: -1.0}


def result_of(game, move, value, proven=None, line=()):
    """Return what a search would have found that gave all its visits to one move."""
    visits = np.zeros((game.rules.height, game.rules.size), np.int64)
    values = np.full(visits.shape, math.nan)
    visits.flat[move], values.flat[move] = 100, value
    rest = values.copy(), 100, 0.5, [move, *line], proven, 0
    return five.mcts.SearchResult(move, "most visited", visits, values, *rest)


def played(window, values=VALUES):
    """Play LOST on a window whose computer has found those values; None is a proven win."""
    five.window.stop_search(window.session)
    window.session.paused, record = True, window.record
    for ply, move in enumerate(five.game.split_moves(LOST)):
        point, value = five.game.to_point(move, record.game.rules), values.get(ply, "person")
        if value == "person":
            five.window.play_point(window.session, point)
            continue
        found = result_of(record.game, point, value or 0.0, 1 if value is None else None)
        five.window.play_point(window.session, point, found)
    window.step()
    return window


def turning(window):
    """Return the window's panel for the time after a game."""
    return next(p for p in window.controller.panels if isinstance(p, five.panels.After))


def test_values_are_for_black_and_end_with_the_result(opened):
    record = played(opened()).record
    assert five.panels.values_for_black(record) == pytest.approx(BLACKS)
    assert five.panels.turning_point(record) == pytest.approx((8, 0.7))
    record.players = ("engine", "person")  # white's moves cost nothing
    assert five.panels.turning_point(record) is None
    record.players = ("person", "person")
    assert five.panels.turning_point(record)[0] == 8


def test_a_resignation_ends_the_curve_and_may_be_the_turning_point(opened):
    window = opened(text="d4 e5")
    press(window, "R")
    assert five.panels.values_for_black(window.record) == {2: -1.0}
    assert not window.commands["turning"].possible(window.controller)


@pytest.mark.parametrize("way", ["mouse", "key"])
def test_the_turning_point_is_shown_with_a_better_move_and_left_again(way, opened):
    window = played(opened(simulations=300))
    use(window, way, "turning")
    assert window.game.moves == LOST.split()[:8] and window.yours
    assert window.commands["turning"].on(window.controller)
    wait_for(window, lambda: window.session.hint is not None)
    window.step()
    better = five.game.point_name(window.session.hint, 8)
    assert f"You: c3; better: {better}" in window.session.note
    use(window, way, "turning")
    assert window.game.moves == LOST.split() and window.record.over


def test_a_game_goes_on_from_the_turning_point_and_both_are_kept(opened, tmp_path):
    window = played(opened(simulations=50))
    press(window, "T")
    click(window, "e3")
    assert window.game.moves == [*LOST.split()[:8], "e3"]
    wait_for(window, lambda: len(window.game.played) == 10)
    assert turning(window).record is None
    text = (tmp_path / "game.txt").read_text()
    assert text.count("date:") == 2
    assert "result: white wins" in text and "result: unfinished" in text


@pytest.mark.parametrize("leave", ["close", "new"])
def test_who_leaves_at_the_turning_point_keeps_the_whole_game(leave, opened, tmp_path):
    window = played(opened(simulations=50))
    whole = (tmp_path / "game.txt").read_text()
    press(window, "T")
    if leave == "close":
        assert window.finish().game.moves == LOST.split()
    else:
        press(window, "N")
    assert (tmp_path / "game.txt").read_text() == whole


def test_the_curve_is_painted_when_the_game_is_over(opened, pygame):
    window, colour = opened(), five.window.CALM.heat

    def heat():
        surface = pygame.display.get_surface()
        window.controller.painted = None
        five.window.paint_changes(window.controller, surface)
        x, y, width, height = layout_of(window).text
        pixels = pygame.surfarray.array3d(surface)[x : x + width, y : y + height]
        return int((pixels == colour).all(axis=2).sum())

    assert heat() == 0
    played(window)
    assert heat() > 100
    press(window, "?")
    assert heat() == 0  # the list of keys lies there


SIZES = [(640, 480), (760, 506), (900, 600), (1296, 864), (600, 900)]


@pytest.mark.parametrize("size", SIZES)
def test_the_curve_lies_below_two_lines_of_words(size, opened, pygame):
    window = played(opened())
    after, c = turning(window), window.controller
    x, y, width, _ = words_box(c, pygame.Surface(size))
    unit = five.window.canvas_of(c, pygame.Surface(size)).layout.unit
    lines = slice(x, x + width), slice(y, y + 9 * unit // 4 + 7 * (6 * unit // 5) // 2)
    shown = painted(c, pygame, size)
    c.panels.remove(after)
    assert (shown[lines] == painted(c, pygame, size)[lines]).all()
    assert (shown != painted(c, pygame, size)).any()


def words_box(c, surface):
    """Return the box of the words on a surface."""
    return five.window.canvas_of(c, surface).layout.text


def painted(c, pygame, size):
    """Return the window's picture on a surface of that size."""
    surface, c.painted = pygame.Surface(size), None
    five.window.paint_changes(c, surface)
    return pygame.surfarray.array3d(surface)


def test_discs_belong_to_the_position_on_the_board(opened, pygame):
    window = opened(human="both")

    def blue():
        surface = pygame.Surface((600, 400))
        five.window.Board().draw(surface, window.session, five.window.View(heat=True))
        wood = layout_of(window).wood
        pixels = pygame.surfarray.array3d(surface)[: wood[2], : wood[3]].astype(int)
        return int((pixels[..., 2] > pixels[..., 0] + 30).sum())

    window.session.result = result_of(window.game, 27, 0.3)
    assert blue() > 50
    window.game.play(27)
    assert blue() == 0  # found for the position before


def test_the_expected_line_stands_under_the_pointer_or_by_a_key(opened, pygame):
    window = opened(human="both")
    line = next(p for p in window.controller.panels if isinstance(p, five.panels.Line))
    window.session.result = result_of(window.game, 27, 0.3, line=(28, 35))
    hover(window, "a1")
    assert line.line(window.controller) == []
    hover(window, "d4")
    assert line.line(window.controller) == [27, 28, 35]
    hover(window, "a1")
    press(window, "I")
    assert line.line(window.controller) == [27, 28, 35]
    window.game.play(27)
    assert line.line(window.controller) == []


def test_a_stone_on_a_stone_gets_an_answer_and_no_move(opened):
    window = opened(text="d4 e5")
    click(window, "e5")
    assert window.game.moves == ["d4", "e5"] and "e5" in window.session.note
    click(window, "c3")
    assert window.game.moves[:3] == ["d4", "e5", "c3"]


def test_a_stone_lands_with_one_click_unless_effects_are_off(opened):
    window, now, heard = opened(human="both"), [100.0], []
    touch = next(p for p in window.controller.panels if isinstance(p, five.panels.Touch))
    window.session.clock = lambda: now[0]
    touch.sound = type("Sound", (), {"play": lambda self: heard.append(now[0])})()
    click(window, "d4")
    window.step()
    begins = touch.shown(window.controller)
    now[0] += 0.3
    assert touch.shown(window.controller) > begins
    now[0] += 5
    window.step()
    assert touch.age(window.controller) >= five.panels.PULSES and heard == [100.0]
    press(window, "X")
    click(window, "e5")
    window.step()
    assert len(heard) == 1 and touch.age(window.controller) >= five.panels.PULSES


def test_no_sound_without_a_device(monkeypatch, tmp_path):
    monkeypatch.setattr(five.panels.sys, "platform", "linux")
    monkeypatch.setattr(five.panels.Path, "exists", lambda self: False)
    assert five.panels.click_sound() is None


def test_the_clocks_run_for_the_side_to_move(opened):
    window, now = opened(human="both", text="d4"), [0.0]
    window.session.clock = lambda: now[0]
    clocks = next(p for p in window.controller.panels if isinstance(p, five.panels.Clocks))
    clocks.record = None
    window.step()
    for seconds, move in ((65, "e5"), (7, "e4")):
        now[0] += seconds
        window.step()
        click(window, move)
    assert clocks.words() == "● 0:07  ○ 1:05"
    assert not clocks.shown(window.controller)
    press(window, "D")
    assert clocks.shown(window.controller) == clocks.words()


@pytest.mark.parametrize("size", SIZES)
def test_the_clocks_leave_room_for_the_stage_of_the_game(size, opened, pygame):
    window = opened(size=15, human="both", text="h8 g7 i9 f6 h10 h9 g9 i8 j7 k6")
    c, session = window.controller, window.session
    session.moved_at = -math.inf
    window.step()
    x, y, width, _ = words_box(c, pygame.Surface(size))
    unit = five.window.canvas_of(c, pygame.Surface(size)).layout.unit
    high = five.window.fitting(session.game.stage, 6 * unit // 5, width)
    wide = five.window.font_of(high).size(session.game.stage)[0]
    stage = slice(x, x + wide), slice(y + 9 * unit // 4, y + 9 * unit // 4 + 6 * unit // 5)
    before = painted(c, pygame, size)
    press(window, "D")
    assert (before[stage] == painted(c, pygame, size)[stage]).all()
    assert (before != painted(c, pygame, size)).any()


@pytest.mark.parametrize(("human", "offer"), [("black", "level 2"), ("white", "level 4")])
def test_another_level_is_offered_after_two_games_alike(human, offer, opened):
    window = opened(human=human)
    for number in (1, 2):
        window.record.level = 3
        played(window)
        window.step()
        assert (offer in window.session.note) == (number == 2)
        press(window, "N")


@pytest.mark.parametrize("key", ["left shift", "right ctrl", "caps lock", "shift", "altgraph"])
def test_a_key_that_is_held_for_another_leaves_the_help_open(key, opened):
    window = opened()
    press(window, "?")
    assert window.overlay
    five.window.press_key(window.controller, key)
    assert window.overlay
    press(window, "?")
    assert not window.overlay


# ---- white begins ----------------------------------------------------------------------


def test_white_begins_at_once_before_the_first_stone_and_the_same_side_moves(opened):
    window = opened(simulations=50)
    press(window, "J")
    assert window.record.players == ("engine", "person") and window.yours
    assert window.game.to_move == five.game.WHITE
    assert window.commands["begins"].on(window.controller)
    click(window, "d4")
    assert window.game.array[3, 3] == five.game.WHITE
    wait_for(window, lambda: len(window.game.played) == 2 and window.yours)
    assert window.game.array.flat[window.game.played[1]] == five.game.BLACK
    press(window, "u", "J", "J")  # its moves may come back: it has begun
    assert window.game.to_move == five.game.WHITE
    press(window, "y", "N")
    assert window.game.to_move == five.game.WHITE and window.yours
    press(window, "J")
    assert window.game.to_move == five.game.BLACK and window.yours
    assert window.record.players == ("person", "engine")


def test_a_stone_on_the_board_leaves_the_beginning_to_the_next_game(opened, tmp_path):
    window = opened(human="white", simulations=50)
    wait_for(window, lambda: window.yours)
    press(window, "J")
    assert window.game.array.sum() == 1 and window.record.players == ("engine", "person")
    press(window, "N")
    wait_for(window, lambda: window.yours)
    assert window.game.array.sum() == -1 and window.record.players == ("person", "engine")
    kept = five.game_file.load_game(tmp_path / "game.txt")
    assert kept.game.array.sum() == -1 and kept.players == ("person", "engine")
    later = opened()
    press(later, "L")
    assert later.game.array.sum() == -1 and later.yours
    press(later, "N")
    wait_for(later, lambda: later.yours)
    assert later.game.array.sum() == -1  # the next game begins as the last one did


def test_words_and_stones_are_of_the_colour_that_begins(opened):
    window = opened(human="both")
    press(window, "J")
    hover(window, "d4")
    assert five.window.heading(window.session) == "White to move"
    x, y = layout_of(window).left, layout_of(window).bottom
    click(window, "a1")
    window.session.moved_at = -math.inf
    window.step()
    shown = five.window.load_pygame().display.get_surface()
    assert sum(shown.get_at((x + 6, y + 6))[:3]) > 500
    assert five.window.heading(window.session) == "Black to move"

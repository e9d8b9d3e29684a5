"""What the package adds to a game: turning point, expected line, clocks, streaks."""

import dataclasses
import math

import five_in_a_row as five
import numpy as np
import pytest

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


def test_values_are_for_black_and_end_with_the_result(opened):
    record = played(opened()).record
    assert five.panels.values_for_black(record) == pytest.approx(BLACKS)
    assert five.panels.turning_point(record) == pytest.approx((8, 0.7))
    record.players = ("engine", "person")  # white's moves cost nothing
    assert five.panels.turning_point(record) is None
    record.players = ("person", "person")
    assert five.panels.turning_point(record)[0] == 8


def test_the_turning_point_is_shown_with_a_better_move_and_left_again(opened):
    window = played(opened(simulations=300))
    window.click("turning")
    assert window.game.moves == LOST.split()[:8] and window.yours
    assert window.commands["turning"].on(window.controller)
    window.wait_for(lambda: window.session.hint is not None)
    window.step()
    better = five.game.point_name(window.session.hint, 8)
    assert f"You: c3; better: {better}" in window.session.note
    window.click("turning")
    assert window.game.moves == LOST.split() and window.record.over


def test_a_game_goes_on_from_the_turning_point_and_both_are_kept(opened, tmp_path):
    window = played(opened(simulations=50))
    window.press("T")
    window.click("e3")
    assert window.game.moves == [*LOST.split()[:8], "e3"]
    window.wait_for(lambda: len(window.game.played) == 10)
    assert window.panel(five.panels.After).record is None
    text = (tmp_path / "game.txt").read_text()
    assert text.count("date:") == 2
    assert "result: white wins" in text and "result: unfinished" in text


@pytest.mark.parametrize("leave", ["close", "new"])
def test_who_leaves_at_the_turning_point_keeps_the_whole_game(leave, opened, tmp_path):
    window = played(opened(simulations=50))
    whole = (tmp_path / "game.txt").read_text()
    window.press("T")
    if leave == "close":
        assert window.finish().game.moves == LOST.split()
    else:
        window.press("N")
    assert (tmp_path / "game.txt").read_text() == whole


def test_the_expected_line_stands_under_the_pointer_or_by_a_key(opened, pygame):
    window = opened(human="both")
    line = window.panel(five.panels.Line)
    window.session.result = result_of(window.game, 27, 0.3, line=(28, 35))
    window.hover("a1")
    assert line.line(window.controller) == []
    window.hover("d4")
    assert line.line(window.controller) == [27, 28, 35]
    window.hover("a1")
    window.press("I")
    assert line.line(window.controller) == [27, 28, 35]
    window.game.play(27)
    assert line.line(window.controller) == []


def test_the_ribbon_says_which_move_led_and_since_when(opened, pygame):
    window = opened(human="both", simulations=1_000)
    ribbon = window.panel(five.panels.Leaders)

    def show(move, simulations):
        found = dataclasses.replace(result_of(window.game, move, 0.3), seconds=0.0)
        window.session.result = dataclasses.replace(found, simulations=simulations)
        window.step()

    for move, simulations in ((27, 100), (27, 200), (36, 300), (27, 1_000)):
        show(move, simulations)
    assert ribbon.led == [(0.1, 27), (0.3, 36), (1.0, 27)] and ribbon.used == 1
    assert ribbon.shown(window.controller)
    window.press("V")  # without the visits there is no ribbon either
    assert not ribbon.shown(window.controller)
    show(36, 50)  # another search of the same position
    assert ribbon.led == [(0.05, 36)]
    window.game.play(36)
    window.step()
    assert ribbon.led == []


def test_the_ribbon_warns_where_another_move_gets_the_visits(opened, pygame):
    """A lead is losing if the second move got more of the last tenth of the visits."""

    def visits(first, second):
        board = np.zeros((8, 8), dtype=int)
        board.flat[[27, 36]] = first, second
        return board

    losing = five.panels.is_losing_lead
    before = visits(600, 200)
    assert not losing([visits(600, 300)], 27)  # nothing to compare with
    assert losing([before, visits(600, 300)], 27)
    assert losing([before, visits(600, 299), visits(600, 300)], 27)  # one visit later
    assert not losing([visits(500, 300), visits(600, 300)], 27)
    assert not losing([before, visits(650, 250)], 27)  # both got fifty
    assert not losing([before, visits(700, 299)], 27)  # the leader got one more

    window = opened(human="both", simulations=1_000)
    ribbon = window.panel(five.panels.Leaders)
    pictures = []
    for done, counts in (500, (400, 100)), (900, (500, 400)):
        found = dataclasses.replace(result_of(window.game, 27, 0.3), seconds=0.0)
        found = dataclasses.replace(found, simulations=done, visits=visits(*counts))
        window.session.result = found
        window.step()
        surface = pygame.display.get_surface()
        pictures.append(pygame.surfarray.array3d(surface))
    assert ribbon.losing == [False, True]
    window.session.result = dataclasses.replace(found, simulations=600)
    window.step()  # as if the budget were larger now: places are of that budget
    assert ribbon.leads == [(0.6, pytest.approx(1 / 9))] and ribbon.losing == [False]
    red = [np.all(picture == five.window.CALM.signal, axis=-1).sum() for picture in pictures]
    assert red[1] > red[0]


def test_a_stone_on_a_stone_gets_an_answer_and_no_move(opened):
    window = opened(text="d4 e5")
    window.click("e5")
    assert window.game.moves == ["d4", "e5"] and "e5" in window.session.note
    window.click("c3")
    assert window.game.moves[:3] == ["d4", "e5", "c3"]


def test_the_clocks_run_for_the_side_to_move(opened):
    window, now = opened(human="both", text="d4"), [0.0]
    window.session.clock = lambda: now[0]
    clocks = window.panel(five.panels.Clocks)
    clocks.record = None
    window.step()
    for seconds, move in ((65, "e5"), (7, "e4")):
        now[0] += seconds
        window.step()
        window.click(move)
    assert clocks.words() == "● 0:07  ○ 1:05"
    assert not clocks.shown(window.controller)
    window.press("D")
    assert clocks.shown(window.controller) == clocks.words()


@pytest.mark.parametrize(("human", "offer"), [("black", "level 2"), ("white", "level 4")])
def test_another_level_is_offered_after_two_games_alike(human, offer, opened):
    window = opened(human=human)
    for number in (1, 2):
        window.record.level = 3
        played(window)
        window.step()
        assert (offer in window.session.note) == (number == 2)
        window.press("N")


# ---- white begins ----------------------------------------------------------------------


def test_white_begins_at_once_before_the_first_stone_and_the_same_side_moves(opened):
    window = opened(simulations=50)
    window.press("J")
    assert window.record.players == ("engine", "person") and window.yours
    assert window.game.to_move == five.game.WHITE
    assert window.commands["begins"].on(window.controller)
    window.click("d4")
    assert window.game.array[3, 3] == five.game.WHITE
    window.wait_for(lambda: len(window.game.played) == 2 and window.yours)
    assert window.game.array.flat[window.game.played[1]] == five.game.BLACK
    window.press("u", "J", "J")  # its moves may come back: it has begun
    assert window.game.to_move == five.game.WHITE

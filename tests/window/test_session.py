"""A session: words, moves, undo, hints, levels and times, two persons, other games."""

import threading

import five_in_a_row as five
import pytest
from test_fours import fives
from window_lab import CONNECT_4, PATIENCE, TIC_TAC_TOE, saved, searching

from experiments.puzzles import read_rows

# ---- what is said of a proven win -------------------------------------------------------


def play_out(game, line):
    """Play a line, then five or its stop while there is one; return how many stones."""
    for point in line:
        game.play(point)
    while not game.over:
        sides = game.to_move, -game.to_move
        points = [point for side in sides for point in fives(game.array, side)]
        if not points:
            break
        game.play(points[0])
    return len(game.played)


def test_wins_in_so_many_is_true_of_the_line_played_to_its_end():
    rows = read_rows("fours.txt")
    for _, size, moves, _ in rows:  # the side to move wins by fours
        game = five.game.Game.from_text(moves, size=int(size))
        thought = five.engine.think(game, simulations=400)
        end = five.game.Game.from_array(game.array, game.to_move, game.rules)
        count, winner = play_out(end, thought.line), game.to_move * thought.proven
        wins = f"{five.game.COLOUR[winner].capitalize()} wins in {count}"
        assert five.verdicts.verdict(game, thought) == wins and end.winner == winner
    assert len(rows) >= 20


# ---- a person against the computer -----------------------------------------------------


def test_a_click_places_a_stone_and_the_computer_answers(opened):
    window = opened(simulations=300)
    window.click("d4")
    assert window.game.moves == ["d4"]
    window.wait_for_turn()
    thought = window.record.results[1]
    assert thought.tree is None and thought.move == window.game.played[1]
    assert window.record.searches == {1: (thought.simulations, thought.seed, None)}
    assert f"{thought.name}: most visited" in window.words
    assert "White expects" in window.words or "wins" in window.words


def test_clicks_during_the_computers_turn_do_nothing(opened):
    window = opened()
    window.click("d4")
    window.click("a1")
    window.wait_for_thought()
    window.click("a1")
    window.press("a", "1", "return")
    assert window.game.moves == ["d4"] and window.session.thinking
    assert "The computer thinks" in window.words and "simulations" in window.words


@pytest.mark.parametrize("action", ["a1", "undo", "white"])
def test_nothing_waits_for_the_search_to_be_compiled(action, opened, monkeypatch):
    go_on, think = threading.Event(), five.engine.think

    def waits(game, **how):
        go_on.wait(PATIENCE)
        return think(game, **how)

    monkeypatch.setattr(five.engine, "think", waits)
    window = opened(human="both", simulations=50, text="d4 e5")
    window.click(action)
    assert action != "a1" or window.game.moves == ["d4", "e5", "a1"]
    window.step()
    assert "The engine compiles" in window.words
    assert not go_on.is_set() and len(searching()) == 1
    go_on.set()


def two_pairs(opened):
    """Open a window, play d4 and a8, and wait for the answers; return it."""
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        window.click(move)
        window.wait_for_turn()
    return window


def test_undo_takes_back_the_pair_of_moves_and_their_thoughts(opened):
    window = two_pairs(opened)
    window.press("u")
    assert len(window.game.played) == 2 and window.yours
    assert list(window.finish().results) == [1]
    window.press("backspace")
    window.press("backspace")
    assert window.game.moves == [] and window.yours


def test_redo_plays_the_pair_again(opened, tmp_path):
    window = two_pairs(opened)
    moves, thoughts = window.game.moves, dict(window.record.results)
    window.press("u", "u")
    window.click("redo")
    assert window.game.moves == moves[:2] and window.yours
    window.click("redo")
    assert window.game.moves == moves and window.yours and window.session.search is None
    assert window.record.results == thoughts and set(window.record.searches) == {1, 3}
    window.click("redo")
    assert window.game.moves == moves == saved(tmp_path).game.moves


def test_undo_while_the_computer_thinks_stops_it_and_takes_one_move_back(opened):
    window = opened()
    window.click("d4")
    window.wait_for_thought()
    window.press("u")
    assert window.game.moves == [] and window.session.search is None and not searching()
    assert window.yours and not window.session.thinking
    window.press("y")
    assert window.game.moves == ["d4"] and window.session.thinking


WHO_RESIGNS = [  # who plays, the moves, who has lost
    ("black", "d4", five.game.BLACK),
    ("white", "d4", five.game.WHITE),
    ("both", "d4 e5", five.game.BLACK),
]


@pytest.mark.parametrize(("human", "text", "loser"), WHO_RESIGNS)
def test_who_resigns_has_lost_and_may_take_it_back(human, text, loser, opened, tmp_path):
    window = opened(human, text=text)
    window.prepared()
    window.click("resign")
    assert window.record.resigned == loser and window.record.over and not searching()
    assert "by resignation" in window.words and saved(tmp_path).resigned == loser
    window.click("a1")
    window.press("H", "M", "R")
    assert window.game.moves == text.split() and window.record.resigned == loser
    window.click("undo")
    assert window.game.moves == text.split() and not window.record.over


def test_move_now_plays_what_was_found_so_far(opened):
    window = opened()
    window.click("d4")
    window.wait_for_thought()
    assert window.control("now").possible
    window.click("now")
    window.wait_for_turn()
    assert len(window.game.played) == 2 and not window.control("now").possible


def test_a_hint_marks_a_point_and_leaves_the_game_as_it_is(opened, tmp_path):
    window = opened(text="d4 e5", simulations=200)
    window.click("hint")
    window.wait_for(lambda: window.session.hint is not None)
    assert window.session.hint in window.game.legal()
    assert "would play" in window.words and "simulations" in window.words
    assert window.game.moves == ["d4", "e5"] and window.yours and window.session.search is None
    assert not window.record.results and not window.record.searches
    assert not (tmp_path / "game.txt").exists()
    window.click("a1")
    assert window.session.hint is None and window.game.moves == ["d4", "e5", "a1"]


def test_a_move_cancels_the_hint_that_is_searched(opened):
    window = opened(text="d4 e5")
    window.press("H")
    window.wait_for_thought("hint")
    window.click("a1")
    assert window.game.moves == ["d4", "e5", "a1"] and not window.session.asked
    window.wait_for_thought("move")
    assert window.session.hint is None and len(searching()) == 1


def test_a_hint_has_full_strength_at_any_level(opened, monkeypatch):
    asked, think = [], five.engine.think
    monkeypatch.setattr(
        five.engine, "think", lambda *a, **how: asked.append(how) or think(*a, **how)
    )
    window = opened(human="both", simulations=100)
    window.record.level = 1
    window.press("H")
    window.wait_for(lambda: window.session.hint is not None)
    assert asked[-1]["level"] is None


def test_new_game_keeps_the_old_one(opened, tmp_path):
    window = opened()
    window.record.level = 3
    window.click("d4")
    window.click("new")
    assert window.game.moves == [] and window.yours and window.record.level == 3
    assert saved(tmp_path).game.moves == ["d4"]
    assert window.finish().game.moves == ["d4"]  # the new one has no move
    assert not searching()


def test_a_search_that_fails_says_so_and_the_game_goes_on(opened, pygame, monkeypatch, capsys):
    window = opened(rivals={"mine": five.heuristics.mine}, simulations=20)
    window.prepared()
    window.press("O")
    with monkeypatch.context() as broken:
        broken.setattr(five.heuristics, "prior_search", lambda *_, **__: 1 / 0)
        window.click("d4")
        window.wait_for(lambda: window.session.failed)
        assert "Mine failed: ZeroDivisionError" in window.words
        window.wait_for(lambda: "Shift+O: another opponent, Shift+M: try" in window.words)
        assert window.session.open and window.game.moves == ["d4"] and not searching()
        window.press("M")  # it fails again
        window.wait_for(lambda: window.session.failed and not window.session.search)
        window.press("O")  # the engine goes on with the game
        window.wait_for_turn()
    assert window.record.found_by == {1: "engine"}
    window.press("u", "O")
    window.click("d4")
    window.wait_for_turn()  # mine was corrected
    assert window.record.found_by == {1: "mine"} and "failed" not in window.words
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.run()
    assert capsys.readouterr().err.count("Traceback") == 1


# ---- who plays -------------------------------------------------------------------------


OTHERS = {"mine": five.heuristics.mine, "plain": five.opponents.plain_opponent}


def test_the_opponent_is_chosen_on_the_board(opened, tmp_path):
    window = opened(rivals=OTHERS, simulations=30)
    window.click("d4")
    window.wait_for_turn()
    window.click("opponent")
    assert window.control("white").caption == "White: mine"
    assert window.record.players == ("person", "mine") and len(window.game.moves) == 2
    window.click(next(name for name in ("a1", "b1") if name not in window.game.moves))
    window.wait_for_turn()
    assert window.record.found_by == {1: "engine", 3: "mine"}
    window.click("hint")
    window.wait_for(lambda: window.session.hint is not None)
    assert "This is what mine would play" in window.words
    again = saved(tmp_path)
    assert again.found_by == window.record.found_by and again.players == ("person", "mine")
    window.click("new")
    assert window.record.players == ("person", "mine")


def test_a_choice_after_a_game_is_for_the_next_one_or_where_this_one_goes_on(opened):
    window = opened("both", rivals=OTHERS, text="a1a2b1b2c1c2d1d2e1")
    window.press("W")
    assert window.control("white").caption == "White: engine"
    assert window.record.players == ("person", "person")
    window.press("u")
    assert window.record.players == ("person", "engine") and not window.record.over
    window.record.simulations = 20
    window.click("e1")
    window.press("W")  # after the game again: white is the next of the opponents
    window.press("N")
    assert window.record.players == ("person", "mine") and window.game.moves == []


def test_the_next_size_and_the_next_players_begin_with_the_next_game(opened):
    window = opened("both", text="a1a2b1b2c1c2d1d2e1")
    window.press("]", "B")
    assert window.control("size").caption == "next 9×9" and window.game.rules.size == 8
    window.record.simulations = 20
    window.press("N")
    assert window.game.rules.size == 9 and window.record.players == ("engine", "person")
    assert window.control("size").caption == "9×9"


def test_only_what_compiles_is_said_to_compile(opened):
    window = opened(rivals={"classic": OTHERS["mine"]})
    session = window.session
    assert five.extras.compiles(session, "engine")
    assert not five.extras.compiles(session, "classic")  # of a notebook
    session.opponents["classic"] = five.opponents.OPPONENTS["classic"]
    assert five.extras.compiles(session, "classic")


def test_a_choice_while_the_computer_thinks_is_for_this_move(opened):
    window = opened(rivals=OTHERS)
    window.click("d4")
    window.wait_for_thought()
    window.record.simulations = 20
    window.press("O")
    assert [search.player for search in searching()] in ([], ["mine"])
    window.wait_for_turn()
    assert window.record.found_by == {1: "mine"}


def test_a_choice_after_a_game_is_for_the_next_one(opened):
    window = opened(rivals=OTHERS, text="a1a2b1b2c1c2d1d2e1", simulations=20)
    window.prepared()
    window.press("O")
    assert window.record.players == ("person", "engine")  # who has played it
    assert "The next game: person against mine" in window.words
    window.press("N")
    assert window.record.players == ("person", "mine")


def test_nothing_is_painted_while_nothing_changes(opened, pygame):
    window = opened(text="d4 e5")
    window.wait_for_turn()
    window.step()
    surface = pygame.display.get_surface()
    assert not five.window.paint_changes(window.controller, surface)
    window.hover("a1")
    assert not five.window.paint_changes(window.controller, surface)  # step() has painted it
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    five.window.handle_event(window.controller, pygame.event.poll(), surface)
    assert five.window.paint_changes(window.controller, surface)


# ---- two persons, two computers --------------------------------------------------------


def test_two_computers_play_each_other_to_the_end(opened):
    window = opened(human="none", rules=TIC_TAC_TOE, simulations=2_000)
    window.wait_for(lambda: window.game.over)
    assert "Draw: the board is full" in window.words
    assert set(window.record.results) == set(range(9))


def test_undo_lets_two_computers_pause_until_they_are_told_to_go_on(opened):
    window = opened(human="none", simulations=50, size=15)
    window.wait_for(lambda: len(window.game.played) >= 4)
    window.click("undo")
    count = len(window.game.played)
    for _ in range(20):
        window.step()
    assert (
        len(window.game.played) == count and window.session.search is None and not searching()
    )
    assert "to move" in window.words and window.control("now").possible
    window.click("undo")
    assert len(window.game.played) == count - 1
    window.click("redo")
    assert len(window.game.played) == count
    window.click("now")
    window.wait_for(lambda: len(window.game.played) >= count + 2)


# ---- who plays, what board, how strong, how long ---------------------------------------


def test_level_and_seconds_change_during_a_game_within_their_bounds(opened, monkeypatch):
    asked, think = [], five.engine.think

    def noted(game, **how):
        asked.append((how["level"], how["seconds"]))
        return think(game, **how | {"simulations": 20})

    monkeypatch.setattr(five.engine, "think", noted)
    window = opened()
    window.prepared()
    window.press("+", ">")  # there is no more
    assert (window.record.level, window.record.seconds) == (None, 3600)
    for times, limits in ((1, (9, 60)), (12, (1, 0.1))):
        for _ in range(times):
            window.click(("level", -1))
            window.click(("seconds", -1))
        window.click(next(n for n in ("a1", "b1", "c1") if n not in window.game.moves))
        window.wait_for_turn()
        assert asked[-1] == limits
    assert window.control("seconds").caption == "≤ 0.1 s"  # a low level may need less


def test_only_the_engine_has_levels(opened):
    window = opened(rivals=OTHERS)
    window.prepared()
    assert window.control("level").possible
    window.press("O")
    assert not window.control("level").possible
    window.press("-")
    assert window.record.level is None and "mine has no levels" in window.words
    window.press("O", "O", "-")
    assert window.record.level == 9 and window.control("seconds").caption == "≤ 3600 s"


def test_sides_change_before_and_during_a_game(opened, tmp_path):
    window = opened(simulations=50, size=15)
    window.click("black")
    assert window.record.players == ("engine", "engine")
    window.wait_for(lambda: len(window.game.played) >= 2)
    window.click("white")
    window.wait_for_turn()
    assert len(window.game.played) % 2 == 1 and window.game.to_move == five.game.WHITE
    window.click("white")
    window.click("black")
    window.wait_for_turn()
    assert window.game.to_move == five.game.BLACK
    assert saved(tmp_path).players == ("person", "engine")


def test_another_size_begins_at_once_on_an_empty_board_else_with_the_next_game(opened):
    window = opened()
    window.click("size")
    assert (window.game.rules.size, window.game.rules.height) == (9, 9)
    window.click("d4")
    window.click("size")
    assert window.game.moves == ["d4"] and window.game.rules.size == 9
    assert window.control("size").caption == "next 10×10"
    window.click("new")
    window.click("j10")
    assert window.game.moves == ["j10"]


STATES = {  # what was played, and the keys that were pressed then
    "empty": ("", ""),
    "opening": ("d4", ""),
    "middle": ("d4 e5 f6", ""),
    "undone": ("d4 e5 f6", "u"),
    "resigned": ("d4 e5 f6", "uR"),
    "won": ("a1a2b1b2c1c2d1d2e1", ""),
}


@pytest.mark.parametrize("name", ["undo", "redo", "hint", "resign", "now"])
@pytest.mark.parametrize("human", ["black", "white", "both", "none"])
@pytest.mark.parametrize("state", STATES)
def test_controls_are_possible_exactly_where_they_do_something(state, human, name, opened):
    text, keys = STATES[state]
    window = opened(human, text=text)
    window.press(*keys)
    window.prepared()
    window.step()

    def what_is():
        game, played, search = window.game, window.record, window.session.search
        hurried = search is not None and search.hurried
        return game.moves, list(game.undone), played.resigned, window.session.asked, hurried

    before, possible = (what_is(), window.session.paused), window.control(name).possible
    window.controller.act(name)
    assert ((what_is(), window.session.paused) != before) == possible


# ---- other games -----------------------------------------------------------------------


def test_a_disc_lands_on_the_lowest_point_of_the_column(opened):
    window = opened(human="both", rules=CONNECT_4)
    for place, landed in (("d6", "d1"), ("d2", "d2"), ("d1", "d3"), ("a4", "a1")):
        window.click(place)
        assert window.game.moves[-1] == landed
    window.hover("d5")
    assert window.look().hover == five.game.to_point("d4", CONNECT_4)
    for _ in range(5):
        window.click("d6")
    assert len(window.game.moves) == 7  # the column is full
    window.press("c", "6", "return")
    assert window.game.moves[-1] == "c1"

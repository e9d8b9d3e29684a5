"""A session: words, moves, undo, hints, levels and times, two persons, other games."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import dataclasses
import importlib
import pkgutil
import threading

import five_in_a_row as five
import helpers
import pytest
from references import full_scan
from window_lab import (  # noqa: F401
    CONNECT_4,
    PATIENCE,
    TIC_TAC_TOE,
    WAYS,
    click,
    compiled,
    control,
    example,
    hover,
    layout_of,
    opened,
    prepared,
    press,
    pygame,
    saved,
    searching,
    use,
    wait_for,
    wait_for_thought,
    wait_for_turn,
    words_of,
)

from experiments.puzzles import read_rows

RELEASE = PATIENCE  # after which a search that was held up goes on, and its test fails


# ---- words -----------------------------------------------------------------------------


PLAYERS = {
    (1,): ("person", "engine"),
    (-1,): ("engine", "person"),
    (): ("engine", "engine"),
    (1, -1): ("person", "person"),
}


def session_of(game, persons=(1, -1), resigned=0, thinking=False):
    """Return a session of a game whose colours in `persons` are played by persons."""
    record = five.window.GameRecord(game, PLAYERS[persons], resigned=resigned)
    return five.window.Session(record, {"engine": None} if thinking else {})


def test_words_say_who_is_to_move_and_who_has_won():
    def headings(game):
        each = [five.window.heading(session_of(game, persons)) for persons in PLAYERS]
        return [*each, five.window.heading(session_of(game, (-1,), thinking=True))]

    assert headings(five.game.Game()) == [
        "Your move",
        "The computer to move",
        "Black to move",
        "Black to move",
        "The computer thinks",
    ]
    won = five.game.Game.from_text("a1a2b1b2c1c2d1d2e1")
    words = ["You win", "The computer wins", "Black wins", "Black wins", "The computer wins"]
    assert headings(won) == words
    drawn = five.game.Game.from_text("a1a2b1b2c1c2a3b3c3", size=3)
    assert set(headings(drawn)) == {"Draw: the board is full"}


def test_words_say_what_wins_and_where_nothing_can():
    for rules, words in (
        (five.game.Rules(), "5 or more in a row win"),
        (CONNECT_4, "4 or more in"),
    ):
        (line,) = five.window.status_lines(session_of(five.game.Game(rules)))
        assert line.startswith(words)
    (words,) = five.window.status_lines(session_of(five.game.Game(five.game.Rules(4))))
    assert "can only be drawn" in words
    session = session_of(five.game.Game())
    session.note = "a note"
    assert five.window.status_lines(session) == ["a note"]


def test_a_thought_is_told_as_move_simulations_and_line():
    game = five.game.Game.from_text("d4 e5")
    thought = five.engine.think(game, simulations=500)
    move, simulations, line = five.window.result_lines(thought)
    assert move == f"{thought.name}: most visited" and "500 simulations" in simulations
    assert line.startswith(f"Line: {thought.name} ")
    forced = five.game.Game.from_text("a1a2b1b2c1c2d1d2")
    assert five.window.result_lines(five.engine.think(forced, simulations=9)) == [
        "e1: makes five"
    ]


def test_an_open_game_is_told_in_percent_of_the_side_to_move():
    for text, side in (("", "Black"), ("d4", "White")):
        game = five.game.Game.from_text(text)
        thought = five.engine.think(game, simulations=300)
        assert thought.proven is None
        assert (
            five.window.verdict(game, thought)
            == f"{side} expects {(1 + thought.value) / 2:.0%}"
        )
    forced = five.game.Game.from_text("a1a2b1b2c1c2d1")
    assert (
        five.window.verdict(forced, five.engine.think(forced, simulations=9)) == ""
    )  # stops a five


def makes_line(game, point, colour):
    """Say whether a stone of that colour on the point completes a line; looks at all near."""
    cells, reach = game.array, game.rules.in_a_row
    cells.flat[point] = colour
    row, column = (max(0, x - reach + 1) for x in divmod(point, game.rules.size))
    near = cells[row : row + 2 * reach - 1, column : column + 2 * reach - 1]
    return colour in full_scan(near, reach)


def play_out(game, line):
    """Play a line, then five or its stop while there is one; return how many stones."""
    for point in line:
        game.play(point)
    count = len(line)
    while not game.over:
        for colour in (game.to_move, -game.to_move):
            points = [p for p in game.legal() if makes_line(game, p, colour)]
            if points:
                break
        else:
            break
        game.play(points[0])
        count += 1
    return count


def games_with_fours():
    """Yield the games of positions/fours.txt: the side to move wins by fours."""
    for _, size, moves, _ in read_rows("fours.txt"):
        yield five.game.Game.from_text(moves, size=int(size))


def check_verdict(game):
    """Check what is said of a proven win against the line, played to its end; return it."""
    thought = five.engine.think(game, simulations=400)
    if not thought.proven:
        return None
    words, winner = five.window.verdict(game, thought), game.to_move * thought.proven
    end = five.game.Game.from_array(game.array, game.to_move, game.rules)
    count = play_out(end, thought.line)
    how = f"in {count}" if end.over else "by force"
    assert words == f"{five.game.COLOUR[winner].capitalize()} wins {how}"
    assert end.winner == (winner if end.over else 0)
    return thought.why, end.over


def test_wins_in_so_many_is_true_of_the_line_played_to_its_end():
    told = [check_verdict(game) for game in games_with_fours()]
    assert len(told) >= 20 and all(told) and {over for _, over in told} == {True}


# ---- a person against the computer -----------------------------------------------------


def test_a_click_places_a_stone_and_the_computer_answers(opened):
    window = opened(simulations=300)
    click(window, "d4")
    assert window.game.moves == ["d4"]
    wait_for_turn(window)
    thought = window.record.results[1]
    assert thought.tree is None and thought.move == window.game.played[1]
    assert window.record.searches == {1: (thought.simulations, thought.seed, None)}
    assert f"{thought.name}: most visited" in words_of(window)
    assert "White expects" in words_of(window) or "wins" in words_of(window)


def test_the_computer_opens_where_the_person_is_white(opened):
    window = opened(human="white", simulations=100)
    wait_for_turn(window)
    assert len(window.game.played) == 1 and list(window.record.results) == [0]


def test_clicks_during_the_computers_turn_do_nothing(opened):
    window = opened()
    click(window, "d4")
    click(window, "a1")
    wait_for_thought(window)
    click(window, "a1")
    press(window, "a", "1", "return")
    assert window.game.moves == ["d4"] and window.session.thinking
    assert "The computer thinks" in words_of(window) and "simulations" in words_of(window)


@pytest.fixture
def held_up(monkeypatch):
    """Let every search wait, as one that is being compiled, until the returned event."""
    go_on, think = threading.Event(), five.engine.think

    def waits(game, **how):
        go_on.wait()
        return think(game, **how)

    monkeypatch.setattr(five.engine, "think", waits)
    timer = threading.Timer(RELEASE, go_on.set)
    timer.start()
    yield go_on
    timer.cancel()
    go_on.set()


@pytest.mark.parametrize("action", ["click", "new", "undo", "resign", "white"])
def test_nothing_waits_for_the_search_to_be_compiled(action, opened, held_up):
    window = opened(human="both", simulations=50, text="d4 e5")
    if action == "click":
        click(window, "a1")
        assert window.game.moves == ["d4", "e5", "a1"]
    else:
        use(window, "key", action)
    window.step()
    assert not held_up.is_set() and len(searching()) == 1


def two_pairs(opened):
    """Open a window, play d4 and a8, and wait for the answers; return it."""
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for_turn(window)
    return window


def test_undo_takes_back_the_pair_of_moves(opened):
    window = two_pairs(opened)
    use(window, "mouse", "undo")
    assert len(window.game.played) == 2 and window.yours
    use(window, "key", "undo")
    assert window.game.moves == [] and window.yours
    press(window, "backspace")
    assert window.game.moves == [] and window.yours


@pytest.mark.parametrize("way", WAYS)
def test_redo_plays_the_pair_again(way, opened, tmp_path):
    window = two_pairs(opened)
    moves, thoughts = window.game.moves, dict(window.record.results)
    press(window, "u", "u")
    use(window, way, "redo")
    assert window.game.moves == moves[:2] and window.yours
    use(window, way, "redo")
    assert window.game.moves == moves and window.yours and window.session.search is None
    assert window.record.results == thoughts and set(window.record.searches) == {1, 3}
    use(window, way, "redo")
    assert window.game.moves == moves == saved(tmp_path).game.moves


def test_thoughts_of_moves_that_were_taken_back_are_not_returned(opened):
    window = two_pairs(opened)
    press(window, "u")
    played = window.finish()
    assert len(played.game.played) == 2
    assert list(played.results) == list(played.searches) == [1]


def test_undo_while_the_computer_thinks_stops_it_and_takes_one_move_back(opened):
    window = opened()
    click(window, "d4")
    wait_for_thought(window)
    press(window, "u")
    assert window.game.moves == [] and window.session.search is None and not searching()
    assert window.yours and not window.session.thinking
    press(window, "y")
    assert window.game.moves == ["d4"] and window.session.thinking


def test_the_result_stays_on_the_board_until_closed_and_can_be_taken_back(opened):
    window = opened(text="a1a2b1b2c1c2d1d2")
    click(window, "e1")
    prepared(window)
    click(window, "h8")
    assert (
        window.game.winner == five.game.BLACK
        and window.session.search is None
        and window.session.open
    )
    assert "You win" in words_of(window)
    press(window, "u")
    assert not window.game.over and window.yours and len(window.game.played) == 8


@pytest.mark.parametrize("way", WAYS)
def test_move_now_plays_what_was_found_so_far(way, opened):
    window = opened()
    click(window, "d4")
    assert not control(window, "resign").on
    wait_for_thought(window)
    assert control(window, "now").possible
    use(window, way, "now")
    wait_for_turn(window)
    assert len(window.game.played) == 2 and not control(window, "now").possible
    use(window, way, "now")
    assert len(window.game.played) == 2


@pytest.mark.parametrize("way", WAYS)
def test_a_hint_marks_a_point_and_leaves_the_game_as_it_is(way, opened, tmp_path):
    window = opened(text="d4 e5", simulations=200)
    use(window, way, "hint")
    wait_for(window, lambda: window.session.hint is not None)
    assert window.session.hint in window.game.legal()
    assert "would play" in words_of(window) and "simulations" in words_of(window)
    assert window.game.moves == ["d4", "e5"] and window.yours and window.session.search is None
    assert not window.record.results and not window.record.searches
    assert not (tmp_path / "game.txt").exists()
    click(window, "a1")
    assert window.session.hint is None and window.game.moves == ["d4", "e5", "a1"]


def test_a_move_cancels_the_hint_that_is_searched(opened):
    window = opened(text="d4 e5")
    press(window, "H")
    wait_for(
        window,
        lambda: (
            five.window.is_searching(window.session, "hint")
            and window.session.result is not None
        ),
    )
    click(window, "a1")
    assert window.game.moves == ["d4", "e5", "a1"] and not window.session.asked
    wait_for_thought(window)
    assert (
        five.window.is_searching(window.session, "move")
        and window.session.hint is None
        and len(searching()) == 1
    )


def test_a_hint_has_full_strength_at_any_level(opened, monkeypatch):
    asked, think = [], five.engine.think
    monkeypatch.setattr(
        five.engine, "think", lambda *a, **how: asked.append(how) or think(*a, **how)
    )
    window = opened(human="both", simulations=100)
    window.record.level = 1
    press(window, "H")
    wait_for(window, lambda: window.session.hint is not None)
    assert asked[-1]["level"] is None


def test_move_now_ends_the_search_for_a_hint(opened):
    window = opened()
    press(window, "H")
    wait_for(
        window,
        lambda: (
            five.window.is_searching(window.session, "hint")
            and window.session.result is not None
        ),
    )
    assert control(window, "now").possible
    press(window, "M")
    wait_for(window, lambda: window.session.hint is not None)
    assert window.game.moves == []


@pytest.mark.parametrize(
    ("human", "text", "loser"),
    [
        ("black", "d4 e5", five.game.BLACK),
        ("black", "d4", five.game.BLACK),
        ("white", "d4", five.game.WHITE),
        ("both", "d4", five.game.WHITE),
        ("both", "d4 e5", five.game.BLACK),
    ],
)
@pytest.mark.parametrize("way", WAYS)
def test_who_resigns_has_lost_and_may_take_it_back(way, human, text, loser, opened, tmp_path):
    window = opened(human, text=text)
    prepared(window)
    use(window, way, "resign")
    window.step()
    assert window.record.resigned == loser and window.record.over and not searching()
    assert "by resignation" in words_of(window)
    result = f"result: {five.game.COLOUR[-loser]} wins by resignation\n"
    assert result in (tmp_path / "game.txt").read_text("utf-8")
    assert saved(tmp_path).resigned == loser and saved(tmp_path).over
    click(window, "a1")
    press(window, "H", "M", "R")
    assert window.game.moves == text.split() and window.record.resigned == loser
    use(window, way, "undo")
    assert window.game.moves == text.split() and not window.record.over
    assert five.figures.result_text(window.game, window.record.resigned) == "unfinished"


@pytest.mark.parametrize("way", WAYS)
def test_new_game_keeps_the_old_one(way, opened, tmp_path):
    window = opened()
    window.record.level = 3
    click(window, "d4")
    use(window, way, "new")
    assert window.game.moves == [] and window.yours and window.record.level == 3
    assert saved(tmp_path).game.moves == ["d4"]
    assert window.finish().game.moves == ["d4"]  # the new one has no move
    assert not searching()


def test_a_search_that_fails_says_so_and_the_game_goes_on(
    opened, pygame, monkeypatch, capsys, tmp_path
):
    window = opened(rivals={"mine": five.heuristics.mine}, simulations=20)
    prepared(window)
    press(window, "O")
    with monkeypatch.context() as broken:
        broken.setattr(five.heuristics, "prior_search", lambda *_, **__: 1 / 0)
        click(window, "d4")
        wait_for(window, lambda: window.session.failed)
        assert "Mine failed: ZeroDivisionError" in words_of(window)
        assert window.session.open and window.game.moves == ["d4"] and not searching()
        assert saved(tmp_path).game.moves == ["d4"]
        press(window, "M")  # it fails again
        wait_for(window, lambda: window.session.failed and not window.session.search)
        press(window, "H")
        assert window.game.moves == ["d4"]
        press(window, "O")  # the engine goes on with the game
        wait_for_turn(window)
    assert window.game.moves[0] == "d4" and len(window.game.moves) == 2
    assert window.record.found_by == {1: "engine"}
    press(window, "u", "O")
    click(window, "d4")
    wait_for_turn(window)  # mine was corrected
    assert window.record.found_by == {1: "mine"} and "failed" not in words_of(window)
    assert capsys.readouterr().err == ""
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.run()
    told = capsys.readouterr().err
    assert told.count("Traceback") == 1 and "ZeroDivisionError: division by zero" in told


# ---- who plays -------------------------------------------------------------------------


OTHERS = {"mine": five.heuristics.mine, "plain": five.opponents.plain_opponent}


@pytest.mark.parametrize("way", WAYS)
def test_the_opponent_is_chosen_on_the_board(way, opened, tmp_path):
    window = opened(rivals=OTHERS, simulations=30)
    assert control(window, "opponent").caption == "Opponent: engine"
    click(window, "d4")
    wait_for_turn(window)
    use(window, way, "opponent")
    assert control(window, "opponent").caption == "Opponent: mine"
    assert control(window, "white").caption == "White: mine"
    assert window.record.players == ("person", "mine") and len(window.game.moves) == 2
    click(window, next(name for name in ("a1", "b1") if name not in window.game.moves))
    wait_for_turn(window)
    assert "Mine: 30 simulations, " in words_of(window)
    assert window.record.found_by == {1: "engine", 3: "mine"}
    use(window, way, "hint")
    wait_for(window, lambda: window.session.hint is not None)
    assert "This is what mine would play" in words_of(window)
    text = (tmp_path / "game.txt").read_text("utf-8")
    assert "white: mine" in text and text.count(", by engine") == 1
    again = saved(tmp_path)
    assert again.found_by == window.record.found_by and again.players == ("person", "mine")
    use(window, way, "new")
    assert window.record.players == ("person", "mine")
    use(window, way, "opponent")
    use(window, way, "opponent")
    assert window.record.players == ("person", "engine")


def test_searches_of_a_saved_game_are_repeated_by_who_made_them():
    asked, record = [], example()
    record.found_by = {1: "plain"}
    found = five.engine.think(five.game.Game(), simulations=1)
    thinkers = {
        name: lambda *_, n=name, **__: asked.append(n) or found for name in ("engine", "plain")
    }
    five.game_file.search_again(record, thinkers, 50)
    assert asked == ["plain"]


def test_a_choice_while_the_computer_thinks_is_for_this_move(opened):
    window = opened(rivals=OTHERS)
    click(window, "d4")
    wait_for_thought(window)
    window.record.simulations = 20
    press(window, "O")
    assert [search.player for search in searching()] in ([], ["mine"])
    wait_for_turn(window)
    assert window.record.found_by == {1: "mine"}


def test_a_choice_after_a_game_is_for_the_next_one(opened, tmp_path):
    window = opened(rivals=OTHERS, text="a1a2b1b2c1c2d1d2e1", simulations=20)
    prepared(window)
    press(window, "O")
    assert window.record.players == ("person", "engine")  # who has played it
    assert control(window, "white").caption == "White: mine"
    assert "The next game: person against mine" in words_of(window)
    before = window.record
    press(window, "N")
    assert window.record.players == ("person", "mine")
    assert before.players == ("person", "engine")
    assert "white: engine" in (tmp_path / "game.txt").read_text("utf-8")


def test_move_now_waits_for_the_first_thing_that_is_found(opened):
    go_on = threading.Event()

    def slow(game, *, on_progress, stop, **how):
        go_on.wait(RELEASE)
        for point in (27, 28):
            found = five.engine.think(game, simulations=1)
            on_progress(dataclasses.replace(found, move=point))
            if stop.is_set():
                break
        return dataclasses.replace(found, move=point)

    window = opened(rivals={"mine": slow}, human="white")
    prepared(window)
    press(window, "O")
    wait_for(window, lambda: five.window.is_searching(window.session, "move"))
    press(window, "M")
    assert "Nothing is found yet" in words_of(window) and window.game.moves == []
    go_on.set()
    wait_for_turn(window)
    assert window.game.played == [27]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "It is your move: Hint shows what the engine would play"),
        ("d4 e5", "It is your move"),
        ("a1a2b1b2c1c2d1d2e1", "The game is over"),
    ],
)
def test_move_now_says_why_there_is_no_move_to_make(text, words, opened):
    window = opened(text=text)
    prepared(window)
    window.step()
    press(window, "M")
    assert words in words_of(window) and window.game.moves == five.game.split_moves(text)


def test_nothing_is_painted_while_nothing_changes(opened, pygame):
    window = opened(text="d4 e5")
    wait_for_turn(window)
    window.step()
    surface = pygame.display.get_surface()
    assert not five.window.paint_changes(window.controller, surface)
    hover(window, "a1")
    assert not five.window.paint_changes(window.controller, surface)  # step() has painted it
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    five.window.handle_event(window.controller, pygame.event.poll(), surface)
    assert five.window.paint_changes(
        window.controller, surface
    ) and not five.window.paint_changes(window.controller, surface)


# ---- two persons, two computers --------------------------------------------------------


def test_two_persons_play_each_other(opened):
    window = opened(human="both")
    for number, move in enumerate("a1 a2 b1 b2 c1 c2 d1 d2 e1".split()):
        assert ("Black to move", "White to move")[number % 2] in words_of(window)
        click(window, move)
    prepared(window)
    assert "Black wins" in words_of(window) and not window.record.searches
    press(window, "u")
    assert len(window.game.played) == 8
    press(window, "u")
    assert len(window.game.played) == 7 and window.yours
    press(window, "y")
    assert len(window.game.played) == 8


def test_two_computers_play_each_other_to_the_end(opened):
    window = opened(human="none", rules=TIC_TAC_TOE, simulations=2_000)
    wait_for(window, lambda: window.game.over)
    assert "Draw: the board is full" in words_of(window)
    assert set(window.record.results) == set(range(9))


@pytest.mark.parametrize("way", WAYS)
def test_undo_lets_two_computers_pause_until_they_are_told_to_go_on(way, opened):
    window = opened(human="none", simulations=50, size=15)
    wait_for(window, lambda: len(window.game.played) >= 4)
    use(window, way, "undo")
    count = len(window.game.played)
    for _ in range(20):
        window.step()
    assert (
        len(window.game.played) == count and window.session.search is None and not searching()
    )
    assert "to move" in words_of(window) and control(window, "now").possible
    use(window, way, "undo")
    assert len(window.game.played) == count - 1
    use(window, way, "redo")
    assert len(window.game.played) == count
    use(window, way, "now")
    wait_for(window, lambda: len(window.game.played) >= count + 2)


# ---- who plays, what board, how strong, how long ---------------------------------------


@pytest.fixture
def limits(monkeypatch):
    """Return a list that grows by what each search was told; the searches are short."""
    told, think = [], five.engine.think

    def noted(game, **how):
        told.append(dict(how))
        return think(game, **how | {"simulations": 20})

    monkeypatch.setattr(five.engine, "think", noted)
    return told


@pytest.mark.parametrize("way", WAYS)
def test_sides_change_before_and_during_a_game(way, opened, tmp_path):
    window = opened(simulations=50, size=15)
    use(window, way, "white")
    assert window.record.players == ("person", "person")
    use(window, way, "white")
    use(window, way, "black")
    assert control(window, "black").caption == "Black: engine"
    assert window.record.players == ("engine", "engine")
    wait_for(window, lambda: len(window.game.played) >= 2)
    use(window, way, "white")
    wait_for_turn(window)
    assert len(window.game.played) % 2 == 1 and window.game.to_move == five.game.WHITE
    use(window, way, "white")
    use(window, way, "black")
    wait_for_turn(window)
    assert window.game.to_move == five.game.BLACK
    assert saved(tmp_path).players == ("person", "engine")


@pytest.mark.parametrize("way", WAYS)
def test_another_size_begins_at_once_on_an_empty_board_else_with_the_next_game(way, opened):
    window = opened()
    use(window, way, "size", 1)
    assert (window.game.rules.size, window.game.rules.height) == (9, 9)
    use(window, way, "size", -1)
    assert window.game.rules == five.game.check_rules(five.game.Rules(8))
    click(window, "d4")
    use(window, way, "size", 1)
    use(window, way, "size", 1)
    assert window.game.moves == ["d4"] and window.game.rules.size == 8
    assert control(window, "size").caption == "next 10×10"
    use(window, way, "new")
    assert window.game.rules == five.game.check_rules(five.game.Rules(10))
    assert control(window, "size").caption == "10×10"
    click(window, "j10")
    assert window.game.moves == ["j10"]


@pytest.mark.parametrize("way", WAYS)
def test_levels_change_before_and_during_a_game(way, opened, limits):
    window = opened()
    prepared(window)
    assert control(window, "level").caption == "Level 10"
    use(window, way, "level", 1)
    assert window.record.level is None  # there is no 11
    use(window, way, "level", -1)
    assert window.record.level == 9 and control(window, "level").caption == "Level 9"
    click(window, "d4")
    wait_for_turn(window)
    assert limits[-1]["level"] == 9
    for _ in range(12):
        use(window, way, "level", -1)
    assert window.record.level == 1
    click(window, next(name for name in ("a1", "h1") if name not in window.game.moves))
    wait_for_turn(window)
    assert limits[-1]["level"] == 1
    for _ in range(9):
        use(window, way, "level", 1)
    assert window.record.level is None


@pytest.mark.parametrize("way", WAYS)
def test_seconds_change_before_and_during_a_game(way, opened, limits):
    window = opened()
    prepared(window)
    use(window, way, "seconds", 1)
    assert window.record.seconds == 3600  # the window offers no more
    use(window, way, "seconds", -1)
    assert window.record.seconds == 60 and control(window, "seconds").caption == "60 s"
    click(window, "d4")
    wait_for_turn(window)
    assert limits[-1]["seconds"] == 60
    for _ in range(12):
        use(window, way, "seconds", -1)
    assert window.record.seconds == 0.1 and control(window, "seconds").caption == "0.1 s"
    click(window, next(name for name in ("a1", "h1") if name not in window.game.moves))
    wait_for_turn(window)
    assert limits[-1]["seconds"] == 0.1


@pytest.mark.parametrize("way", WAYS)
def test_visits_and_contrast_are_switches(way, opened):
    window = opened()
    for name, shown in (("visits", "heat"), ("colours", "contrast")):
        before = getattr(window.look(), shown)
        assert control(window, name).on == before
        use(window, way, name)
        assert getattr(window.look(), shown) == control(window, name).on == (not before)
        use(window, way, name)
        assert getattr(window.look(), shown) == before


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
    press(window, *keys)
    prepared(window)
    window.step()

    def what_is():
        game, played, search = window.game, window.record, window.session.search
        hurried = search is not None and search.hurried
        return game.moves, list(game.undone), played.resigned, window.session.asked, hurried

    before, possible = (what_is(), window.session.paused), control(window, name).possible
    window.controller.act(name)
    assert ((what_is(), window.session.paused) != before) == possible


# ---- other games -----------------------------------------------------------------------


def test_a_disc_lands_on_the_lowest_point_of_the_column(opened):
    window = opened(human="both", rules=CONNECT_4)
    for place, landed in (
        ("d6", "d1"),
        ("d2", "d2"),
        ("d1", "d3"),
        ("a4", "a1"),
        ("g1", "g1"),
    ):
        click(window, place)
        assert window.game.moves[-1] == landed
    hover(window, "d5")
    assert window.look().hover == five.game.to_point("d4", CONNECT_4)
    for _ in range(5):
        click(window, "d6")
    assert len(window.game.moves) == 8  # the column is full
    hover(window, "d6")
    assert window.look().hover is None
    press(window, "c", "6", "return")
    assert window.game.moves[-1] == "c1"
    press(window, "up", "left", "return")
    assert window.game.moves[-1][0] == "c"


# ---- parts ------------------------------------------------------------------------------


def test_no_class_has_more_than_two_classes_of_the_project_above_it():
    seen = 0
    for found in pkgutil.iter_modules(five.__path__, "five_in_a_row."):
        if found.name == "five_in_a_row.__main__":  # it would run
            continue
        module = importlib.import_module(found.name)
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                above = [
                    each
                    for each in kind.__mro__[1:]
                    if each.__module__.startswith("five_in_a_row.")
                ]
                seen += bool(above)
                assert len(above) <= 2, (kind, above)
    assert seen  # some class stands on another


def test_the_board_is_there_before_the_engine_is():
    go_on = threading.Event()

    def slow(game, **how):
        go_on.wait(RELEASE)
        return five.engine.think(game, **how)

    session = five.window.Session(five.window.new_record(8, 1), {"engine": slow})
    controller = five.window.Controller(session)
    five.extras.add_commands(controller)
    controller.tick()
    assert "The engine compiles" in five.window.status_lines(session)
    five.window.click_point(session, 27)
    controller.tick()
    assert session.game.moves == ["d4"] and session.thinking
    go_on.set()
    helpers.wait_for(controller.tick, lambda: session.yours, PATIENCE)
    assert "The engine compiles" not in five.window.status_lines(session)
    five.window.finish_session(session)

"""The window without a screen: pictures, pixels, clicks, undo, closing, and the game file."""

import threading
import time

import five_in_a_row as five
import pytest

SIZES = range(3, 21)
SURFACES = [(400, 400), (640, 480), (800, 900), (3840, 2160)]
PATIENCE = 60  # seconds that a search may take on a busy machine before a test gives up


@pytest.fixture(scope="module")
def pygame():
    """Return pygame with a display that shows nothing (conftest.py chose SDL's dummy)."""
    pygame = five.load_pygame()
    yield pygame
    pygame.display.quit()


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile the search once, so that no test waits for that."""
    five.think(five.Game(), simulations=1)


@pytest.fixture
def opened(pygame, tmp_path):
    """Return a function that opens a window; its search takes for ever unless told."""
    windows = []

    def open_one(human="black", size=8, simulations=None, text=""):
        pygame.display.init()
        pygame.display.set_mode((640, 720))
        pygame.event.clear()
        played = five.new_played(size, 3600, human)
        played.simulations = simulations
        for move in five.split_moves(text):
            played.play(move)
        windows.append(five.Window(played, five.keeper(tmp_path / "game.txt")))
        return windows[-1]

    yield open_one
    for window in windows:
        window.finish()
    pygame.display.quit()


def layout_of(window):
    """Return the layout of a window as it is now."""
    size = five.load_pygame().display.get_surface().get_size()
    return five.make_layout(*size, window.game.rules)


def click(window, place, button=1):
    """Post a click on a point's name, a button's name, or a pixel, and let it be handled."""
    pygame, layout = five.load_pygame(), layout_of(window)
    if place in five.BUTTONS:
        x, y, width, height = five.button_places(layout)[place]
        place = x + width // 2, y + height // 2
    elif isinstance(place, str):
        place = five.to_pixel(five.to_point(place, window.game.rules), layout)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=button, pos=place))
    window.step()


def press(window, key):
    """Post a key and let it be handled."""
    pygame = five.load_pygame()
    code = pygame.key.key_code(key)
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, mod=0, unicode=""))
    window.step()


def wait_for(window, condition):
    """Step until the condition holds; fail where it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the window did not get there"
        window.step()
        time.sleep(0.005)


def searching():
    """Return the threads that search; Python names a thread after its function."""
    return [thread for thread in threading.enumerate() if thread.name.endswith("(_work)")]


# ---- pixels and pictures ---------------------------------------------------------------


@pytest.mark.parametrize("surface", SURFACES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_pixels_and_points_are_inverses(size, surface):
    layout = five.make_layout(*surface, five.Rules(size))
    places = [five.to_pixel(point, layout) for point in range(size * size)]
    assert [five.from_pixel(*place, layout) for place in places] == list(range(size * size))
    assert len(set(places)) == size * size


@pytest.mark.parametrize("surface", SURFACES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_pixels_off_the_board_are_no_point(size, surface):
    layout = five.make_layout(*surface, five.Rules(size))
    right, top = five.to_pixel(size * size - 1, layout)
    cell = layout.cell
    for x, y in [
        (layout.left - cell, top),
        (right + cell, top),
        (right, top - cell),
        (right, layout.bottom + cell),
        (0, 0),
        surface,
        (-5, -5),
    ]:
        assert five.from_pixel(x, y, layout) is None


@pytest.mark.parametrize("surface", SURFACES, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_nothing_overlaps_or_leaves_the_surface(size, surface, pygame):
    layout = five.make_layout(*surface, five.Rules(size))
    wood = pygame.Rect(layout.wood)
    buttons = [pygame.Rect(box) for box in five.button_places(layout).values()]
    inside = pygame.Rect(0, 0, *surface)
    assert all(inside.contains(box) for box in [wood, *buttons])
    assert wood.collidelist(buttons) == -1
    assert all(box.collidelist(buttons[i + 1 :]) == -1 for i, box in enumerate(buttons))
    stone = pygame.Rect(0, 0, layout.cell, layout.cell)
    for point in (0, size - 1, size * size - 1):
        stone.center = five.to_pixel(point, layout)
        assert wood.contains(stone)


@pytest.mark.parametrize(
    "surface", [(400, 400), (900, 500), (3840, 2160), (60, 40), (1, 1)], ids=str
)
@pytest.mark.parametrize("size", [3, 8, 15, 20])
def test_draws_every_state_at_any_size(size, surface, pygame):
    canvas = pygame.Surface(surface)
    game = five.Game(five.Rules(size))
    five.draw(canvas, game)
    thought = five.think(game, simulations=50)
    game.play(thought.move)
    for view in (
        five.View(five.BLACK, thinking=True),
        five.View(five.WHITE, hover=0),
        five.View(thinking=True, thought=thought, seconds=1.0),
        five.View(thought=thought),
        five.View(note="a note " * 30),
    ):
        before = game.array
        five.draw(canvas, game, view)
        assert (game.array == before).all()


def test_draws_other_games_of_rules(pygame):
    canvas = pygame.Surface((500, 500))
    game = five.Game(five.Rules(7, 4, rows=6, gravity=True))
    for move in "d1 d2 e1 e2 f1 f2 g1".split():
        game.play(move)
    five.draw(canvas, game)
    assert five.heading(game, five.View()) == "Black wins"


def test_stones_of_both_colours_stand_where_the_board_says(pygame):
    canvas = pygame.Surface((640, 720))
    game = five.Game.from_text("a1 h8 e4 d4")
    five.draw(canvas, game)
    layout = five.make_layout(640, 720, game.rules)
    away = layout.cell // 4  # beside the last move's mark
    for name, dark in (("a1", True), ("e4", True), ("h8", False), ("d4", False)):
        x, y = five.to_pixel(five.to_point(name, game.rules), layout)
        grey = sum(canvas.get_at((x + away, y + away))[:3]) / 3
        assert grey < 90 if dark else grey > 190


def test_draw_repeats_to_the_pixel(pygame):
    game, canvases = five.Game.from_text("d4e5"), [pygame.Surface((400, 450)) for _ in "ab"]
    for canvas in canvases:
        five.board_image.cache_clear()
        five.draw(canvas, game)
    assert len({pygame.image.tobytes(canvas, "RGB") for canvas in canvases}) == 1


def test_words_say_who_is_to_move_and_who_has_won():
    game = five.Game()
    words = {human: five.heading(game, five.View(human)) for human in (1, -1, None)}
    assert words == {1: "Your move", -1: "The computer thinks", None: "Black to move"}
    won = five.Game.from_text("a1a2b1b2c1c2d1d2e1")
    words = {human: five.heading(won, five.View(human)) for human in (1, -1, None)}
    assert words == {1: "You win", -1: "The computer wins", None: "Black wins"}
    drawn = five.Game.from_text("a1a2b1b2c1c2a3b3c3", size=3)
    assert five.heading(drawn, five.View(1)) == "Draw: the board is full"
    assert "can only be drawn" in five.status(five.Game(five.Rules(4)), five.View(1))


# ---- clicks, keys and buttons ----------------------------------------------------------


def test_a_click_places_a_stone_and_the_computer_answers(opened):
    window = opened(simulations=300)
    click(window, "d4")
    assert window.game.moves == ["d4"]
    wait_for(window, lambda: len(window.game.played) == 2)
    thought = window.played.thoughts[1]
    assert thought.tree is None and thought.move == window.game.played[1]
    assert window.played.searches == {1: (thought.simulations, thought.seed)}
    assert thought.name in five.status(window.game, window.view)


def test_the_computer_opens_where_the_person_is_white(opened):
    window = opened(human="white", simulations=100)
    wait_for(window, lambda: window.yours)
    assert len(window.game.played) == 1 and list(window.played.thoughts) == [0]


def test_clicks_that_are_no_move_do_nothing(opened):
    window = opened(text="d4 e5")
    layout = layout_of(window)
    for place in ["d4", "e5", (0, 0), (layout.left - layout.cell, layout.bottom)]:
        click(window, place)
        assert window.game.moves == ["d4", "e5"]
    click(window, "a1", button=3)
    assert window.game.moves == ["d4", "e5"]


def test_clicks_during_the_computers_turn_do_nothing(opened):
    window = opened()
    click(window, "d4")
    click(window, "a1")
    wait_for(window, lambda: window.view.thought is not None)
    click(window, "a1")
    assert window.game.moves == ["d4"] and window.view.thinking
    assert "best so far" in five.status(window.game, window.view)


def test_the_window_stays_alive_while_the_computer_thinks(opened, pygame):
    window = opened()
    click(window, "d4")
    for _ in range(100):
        window.step()
    assert window.view.thinking and window.search.running and len(searching()) == 1


def test_undo_takes_back_the_pair_of_moves(opened):
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for(window, lambda: window.yours)
    click(window, "undo")
    assert (
        len(window.game.played) == 2 and window.yours and list(window.played.thoughts) == [1]
    )
    press(window, "u")
    assert window.game.moves == [] and window.played.searches == {}
    press(window, "u")
    assert window.game.moves == [] and window.yours


def test_undo_while_the_computer_thinks_stops_it_and_takes_one_move_back(opened):
    window = opened()
    click(window, "d4")
    wait_for(window, lambda: window.view.thought is not None)
    press(window, "u")
    assert window.game.moves == [] and window.search is None and not searching()
    assert window.yours and not window.view.thinking


def test_undo_keeps_the_computers_opening_move(opened):
    window = opened(human="white", simulations=100)
    wait_for(window, lambda: window.yours)
    press(window, "u")
    assert len(window.game.played) == 1 and window.yours


def test_the_result_stays_on_the_board_until_closed_and_can_be_taken_back(opened):
    window = opened(text="a1a2b1b2c1c2d1d2")
    click(window, "e1")
    wait_for(window, lambda: window.search is None)  # the one that only compiles
    click(window, "h8")
    assert window.game.winner == five.BLACK and window.search is None and window.open
    assert five.heading(window.game, window.view) == "You win"
    press(window, "u")
    assert not window.game.over and window.yours and len(window.game.played) == 8


def test_new_game_keeps_the_old_one(opened, tmp_path):
    window = opened()
    click(window, "d4")
    click(window, "new")
    assert window.game.moves == [] and window.yours and not searching()
    assert five.load_game(tmp_path / "game.txt").game.moves == ["d4"]
    assert window.finish().game.moves == ["d4"]  # the new one has no move


def test_closing_while_the_computer_thinks_leaves_no_thread(opened, pygame, tmp_path):
    window = opened()
    click(window, "d4")
    wait_for(window, lambda: window.view.thought is not None)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    begun = time.monotonic()
    played = window.run()
    assert time.monotonic() - begun < 10  # of a search of an hour; it takes some 0.02 s
    assert played.game.moves == ["d4"] and not searching() and not pygame.display.get_init()
    assert five.load_game(tmp_path / "game.txt").game.moves == ["d4"]


def test_interrupting_the_cell_keeps_the_game(opened, pygame, monkeypatch):
    window = opened()
    click(window, "d4")
    monkeypatch.setattr(window, "step", interrupt)
    assert window.run().game.moves == ["d4"]
    assert not searching() and not pygame.display.get_init()


def interrupt():
    """Do what Jupyter's stop button does."""
    raise KeyboardInterrupt


def test_a_search_that_fails_is_not_silent(opened, pygame, monkeypatch):
    window = opened(simulations=100)
    wait_for(window, lambda: window.search is None)
    monkeypatch.setattr(five, "think", lambda *_, **__: 1 / 0)
    click(window, "d4")
    with pytest.raises(ZeroDivisionError):
        window.run()
    assert not searching() and not pygame.display.get_init()


def test_the_hover_stone_shows_only_where_a_stone_may_go(opened, pygame):
    window = opened(text="d4 e5")
    layout = layout_of(window)
    for name, shown in (("a1", True), ("d4", False)):
        point = five.to_point(name, window.game.rules)
        motion = {"pos": five.to_pixel(point, layout), "rel": (0, 0), "buttons": (0, 0, 0)}
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, **motion))
        window.step()
        assert window.view.hover == (point if shown else None)


# ---- the game file ---------------------------------------------------------------------


def example(text="d4 e5 a1", size=8, **changes):
    """Return a game of a person, black, whose even moves a search has made."""
    played = five.Played(five.Game(five.Rules(size)), seconds=2.5, **changes)
    for ply, move in enumerate(five.split_moves(text)):
        played.play(move)
        if ply % 2:
            played.searches[ply] = 1000 + ply, 77 + ply
    return played


@pytest.mark.parametrize("text", ["d4 e5 a1", "a1a2b1b2c1c2d1d2e1"])
def test_a_saved_game_comes_back(text, tmp_path):
    file, played = tmp_path / "game.txt", example(text)
    five.save_game(played, file)
    loaded = five.load_game(file)
    assert loaded.game.moves == played.game.moves and loaded.source == "saved game"
    for name in ("searches", "players", "human", "seconds", "simulations", "date"):
        assert getattr(loaded, name) == getattr(played, name)
    assert five.played_text(loaded) == file.read_text("utf-8")


def test_no_game_is_ever_overwritten(tmp_path):
    file = tmp_path / "game.txt"
    first, second = example("d4 e5"), example("a1 b2", 9)
    five.save_game(first, file)
    five.save_game(second, file)
    first.play("c3")
    five.save_game(first, file)  # it goes on: its own block is replaced, and is the last now
    five.save_game(first, file)
    assert file.read_text("utf-8") == f"{five.played_text(second)}\n{five.played_text(first)}"
    assert five.load_game(file).game.moves == ["d4", "e5", "c3"]
    over = example("a1a2b1b2c1c2d1d2e1")
    five.save_game(over, file)
    finished = five.played_text(over)
    over.undo()
    five.save_game(over, file)
    assert finished in file.read_text("utf-8") and five.load_game(file).game.moves[-1] == "d2"


def test_what_somebody_wrote_into_the_file_stays(tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(b"my notes \xff\n")
    five.save_game(example(), file)
    assert file.read_bytes().startswith(b"my notes \xff\n\ndate: ")
    assert len(five.load_game(file).game.moves) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("size: 8", "size: 21", 8, "size must be from 3 to 20"),
        ("size: 8", "size: eight", 8, "size must be a whole number"),
        ("size: 8", "", 8, "no line 'size:'"),
        ("2. e5", "2. d4", 9, "d4 cannot be played: a black stone"),
        ("2. e5", "2. z9", 9, "'z9' is off the board"),
        ("2. e5", "4. e5", 9, "move 2 is missing"),
        ("2. e5", "2: e5", 9, "neither a move nor one of"),
        ("3. a1", "3. a1\nsize: 9", 11, "neither a move nor one of"),
        ("unfinished", "draw", 10, "the result should be 'unfinished', not 'draw'"),
        ("date:", "day:", 1, "neither a move nor one of"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_reason(old, new, line, reason, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(five.played_text(example()).replace(old, new, 1))
    with pytest.raises(ValueError, match=reason) as refused:
        five.load_game(file)
    assert f"game.txt, line {line}: " in str(refused.value)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"date: x", b"hello", b"1. d4\n"])
def test_a_file_without_a_game_is_refused(data, tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(data)
    with pytest.raises(ValueError, match="game.txt, line 1: "):
        five.load_game(file)


def test_a_game_that_cannot_be_saved_goes_on_after_one_sentence(opened, capsys, tmp_path):
    window = opened(simulations=50)
    (tmp_path / "game.txt").mkdir()  # a folder in the file's place: no one may write there
    for move in ("d4", "a8"):
        click(window, move)
        wait_for(window, lambda: window.yours)
    assert "cannot be saved" in five.status(window.game, window.view)
    assert len(window.finish().game.played) == 4
    assert capsys.readouterr().out.count("cannot be saved") == 1


def test_a_search_repeats_from_what_the_file_says(tmp_path):
    played = five.Played(five.Game(), seconds=1.0, seed=5)
    played.play("d4")
    thought = five.think(played.game, simulations=700, seed=6)
    played.play(thought.move, thought)
    five.save_game(played, tmp_path / "game.txt")
    again = five.think_again(five.load_game(tmp_path / "game.txt"), 10_000)
    assert (again.thoughts[1].visits == thought.visits).all() and again.repeated == 10_000
    fewer = five.think_again(again, 100)
    assert fewer.thoughts[1].simulations == 100 and fewer.repeated == 100


# ---- play, with and without a display --------------------------------------------------


@pytest.fixture
def game_file(tmp_path, monkeypatch):
    """Return the file that games are kept in during this test."""
    monkeypatch.setattr(five, "game_file", lambda: tmp_path / "game.txt")
    return tmp_path / "game.txt"


def test_play_here_shows_the_engine_where_nothing_is_recorded(game_file, capsys):
    played = five.play_here(size=5)
    assert played.source == "engine against classic" and played.game.over
    assert played.human is None and set(played.thoughts) == set(range(1, 25, 2))
    assert capsys.readouterr().out.count("\n") == 1 and not game_file.exists()
    assert five.play_here(size=5).game.moves == played.game.moves


def test_play_here_shows_the_saved_game(game_file, capsys):
    five.save_game(example(), game_file)
    before = game_file.read_bytes()
    played = five.play_here()
    assert played.source == "saved game" and played.game.moves == ["d4", "e5", "a1"]
    assert list(played.thoughts) == [1] and game_file.read_bytes() == before
    assert "saved" in capsys.readouterr().out


def test_play_here_says_why_a_saved_game_cannot_be_read(game_file, capsys):
    game_file.write_text("date: today\nnonsense\n")
    assert five.play_here(size=3).source == "engine against classic"
    assert "line 2: 'nonsense'" in capsys.readouterr().out


@pytest.mark.parametrize("driver", ["dummy", "offscreen", "nonsense"])
def test_play_here_never_hangs_without_a_display(driver, game_file, monkeypatch, capsys):
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.delenv("FIVE_PLAY")
    five.load_pygame().display.quit()
    assert five.play_here(size=3).source == "engine against classic"
    assert driver in capsys.readouterr().out
    with pytest.raises(five.NoDisplay):
        five.play()


def test_play_here_falls_back_where_no_move_was_made(game_file, monkeypatch, capsys):
    monkeypatch.delenv("FIVE_PLAY")
    monkeypatch.setattr(five, "play", lambda *_, **__: five.new_played(3))
    assert five.play_here(size=3).source == "engine against classic"
    assert "no move was made" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ({"size": 2}, "from 3 to 20"),
        ({"size": 21}, "from 3 to 20"),
        ({"size": "8"}, "whole number"),
        ({"seconds": -1}, "from 0 to 3600"),
        ({"seconds": float("nan")}, "from 0 to 3600"),
        ({"seconds": "5"}, "from 0 to 3600"),
        ({"human": "red"}, "'black' or 'white'"),
    ],
)
def test_bad_arguments_are_refused_with_what_is_allowed(arguments, allowed):
    for function in (five.play, five.play_here):
        with pytest.raises(ValueError, match=allowed):
            function(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [[], ["--size", "2"], ["--size", "x"], ["--seconds", "-1"], ["--color", "red"], ["--no"]],
    ids=" ".join,
)
def test_command_line_ends_with_2_and_one_sentence(arguments, capsys):
    try:
        status = five.main(arguments)
    except SystemExit as end:
        status = end.code
    told = capsys.readouterr()
    assert (status, told.out, told.err.count("\n")) == (2, "", 1)
    assert told.err.startswith("five_in_a_row.py: ")

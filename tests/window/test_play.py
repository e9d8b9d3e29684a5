"""Play: in a window, or without a display a recorded game; the command line."""

import functools
import sys

import five_in_a_row as five
import pytest
from window_lab import ENGINE, Seat, example, saved

OPPONENTS = ENGINE | {"classic": five.search.think_classic}
SHOWN = "classic (black) against engine (white)"  # where nobody has played
HOW = {"saved": five.game_file.saved_again, "most": 500}


def play(opponents, *arguments, path=None, **how):
    """Play as the notebook does where it has the package: games are kept, and one is shown."""
    how |= {"more": functools.partial(five.extras.add_extras, path=path)}
    played = five.window.play(opponents, *arguments, **how)
    return five.window.game_of(played, opponents, **HOW)


# ---- play, with and without a display --------------------------------------------------


@pytest.fixture
def game_file(tmp_path, monkeypatch):
    """Return the file that games are kept in during this test."""
    monkeypatch.setattr(five.game_file, "game_file", lambda: tmp_path / "game.txt")
    return tmp_path / "game.txt"


@pytest.fixture
def at_a_screen(pygame, monkeypatch):
    """Let windows open on a display that shows nothing; return a function that plays there."""

    def open_window(title=""):
        pygame.display.init()
        pygame.display.set_mode((640, 480))

    def play_there(*keys):
        def run(window):
            seat = Seat(window.controller.session, controller=window.controller)
            seat.press(*keys)
            pygame.display.quit()
            return window.controller.finish()

        monkeypatch.setattr(five.window.Window, "run", run)

    monkeypatch.setattr(five.window, "open_window", open_window)
    monkeypatch.delenv("FIVE_PLAY")
    return play_there


def test_play_returns_the_game_and_the_next_one_offers_it(at_a_screen, tmp_path):
    file = tmp_path / "mine.txt"
    at_a_screen("d", "4", "return", "e", "5", "return")
    first = play(OPPONENTS, human="both", path=file, level=4, rules=five.game.Rules(9))
    assert first.game.moves == ["d4", "e5"] and first.level == 4
    assert five.game_file.load_game(file).game.rules.size == 9
    at_a_screen("L", "a", "1", "return")
    assert play(OPPONENTS, path=file).game.moves == ["d4", "e5", "a1"]
    at_a_screen("N", "a", "1", "return")
    assert play(OPPONENTS, path=file).game.moves[0] == "a1"


def test_play_here_shows_the_engine_where_nothing_is_recorded(game_file, capsys):
    played = play(OPPONENTS, size=5)
    assert played.source == SHOWN and played.game.over
    assert played.persons == () and set(played.results) == set(range(25))
    assert capsys.readouterr().out.count("\n") == 2 and not game_file.exists()
    assert play(OPPONENTS, size=5).game.moves == played.game.moves


def test_play_here_shows_the_saved_game(game_file, capsys):
    five.game_file.save_game(example(), game_file)
    before = game_file.read_bytes()
    played = play(OPPONENTS)
    assert played.source == "saved game" and played.game.moves == ["d4", "e5", "a1"]
    assert list(played.results) == [1] and game_file.read_bytes() == before
    assert "saved" in capsys.readouterr().out


@pytest.mark.parametrize("driver", ["dummy", "nonsense"])
def test_play_here_never_hangs_without_a_display(driver, game_file, monkeypatch, capsys):
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.delenv("FIVE_PLAY")
    five.window.load_pygame().display.quit()
    assert play(OPPONENTS, size=3).source == SHOWN
    why = "the screen does not let a window open: nonsense not available"
    why = why if driver == "nonsense" else "there is no screen here to open a window on"
    assert f"No game is played here ({why}).\n" in capsys.readouterr().out
    with pytest.raises(five.window.NoDisplay, match=why) as found:
        five.window.open_window()
    assert found.value._render_traceback_() == [why]  # what a notebook shows of it
    assert five.command_line.main([]) == 2
    reported = capsys.readouterr().err
    assert reported.startswith(f"five_in_a_row: {why}; ") and "in JupyterLab" in reported


def test_without_pygame_the_reason_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", None)  # as if it were not installed
    with pytest.raises(five.window.NoDisplay, match="needs pygame: install requirements.txt"):
        five.window.open_window()


def test_game_of_takes_a_game_a_board_or_the_recorded_one(game_file, opened, capsys):
    played = example()
    assert five.window.game_of(played, OPPONENTS, **HOW) is played
    assert five.window.game_of(opened(text="d4"), OPPONENTS, **HOW).game.moves == ["d4"]
    empty = five.window.new_record(3)
    assert five.window.game_of(empty, OPPONENTS, **HOW).source == SHOWN
    assert "No move was made" in capsys.readouterr().out


def test_an_opponent_is_named_and_one_who_is_not_there_is_refused(monkeypatch, game_file):
    monkeypatch.delenv("FIVE_PLAY")
    how = {"ways": (lambda controller: controller,), "human": "white"}
    board = five.window.play(OPPONENTS, opponent="classic", **how)
    assert board.record.players == ("classic", "person")
    for begin in (five.window.play, five.play.play_inline):
        with pytest.raises(ValueError, match="one of engine, classic, not 'mime'"):
            begin(opponents=OPPONENTS, opponent="mime")


def test_play_takes_the_first_way_that_is_possible(monkeypatch, game_file):
    monkeypatch.delenv("FIVE_PLAY")

    def none(controller):
        raise five.window.NoDisplay("no screen")

    board = five.window.play(OPPONENTS, size=9, ways=(none, lambda controller: controller))
    assert board.session.game.rules.size == 9


WRONG = [
    ({"size": "8"}, "whole number"),
    ({"seconds": float("nan")}, "from 0 to 3,600"),
    ({"human": "red"}, "'black', 'white', 'both' or 'none'"),
    ({"level": 11}, "from 1 to 10"),
    ({"rules": five.game.Rules(8, 9)}, "in_a_row must be a whole number from 3 to 8"),
]


@pytest.mark.parametrize(("arguments", "allowed"), WRONG)
def test_bad_arguments_are_refused_with_what_is_allowed(arguments, allowed):
    with pytest.raises(ValueError, match=allowed):
        play(OPPONENTS, **arguments)


@pytest.mark.parametrize("arguments", ["", "--size 2", "--gomocup --level 3", "--no"])
def test_command_line_ends_with_2_and_one_sentence(arguments, capsys):
    try:
        status = five.command_line.main(arguments.split())
    except SystemExit as end:
        status = end.code
    reported = capsys.readouterr()
    assert (status, reported.out, reported.err.count("\n")) == (2, "", 1)
    assert reported.err.startswith("five_in_a_row: ")


def test_command_line_prints_result_and_record(at_a_screen, game_file, capsys):
    at_a_screen(*"WWWW", "d", "4", "return")  # classic, mine, plain, person
    assert five.command_line.main(["--size", "9", "--level", "2", "--seconds", "1"]) == 0
    reported = capsys.readouterr().out
    assert reported.startswith("unfinished, 9×9, move 1\n") and "  1. d4\n" in reported
    at_a_screen("L", "R")
    assert five.command_line.main([]) == 0
    reported = capsys.readouterr().out
    assert reported.startswith("Black wins by resignation, 9×9, move 1\n")
    assert saved(game_file.parent).level == 2 and saved(game_file.parent).game.rules.size == 9


def test_without_the_package_nothing_is_kept(at_a_screen, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    at_a_screen("left", "return")
    played = five.window.play(OPPONENTS, human="both")
    assert played.game.moves == ["e5"] and not list(tmp_path.iterdir())


def test_play_now_returns_the_game_from_the_window(at_a_screen, game_file):
    at_a_screen("d", "4", "return")
    assert five.play.play_now(human="both").game.moves == ["d4"]
    assert saved(game_file.parent).game.moves == ["d4"]
    at_a_screen("escape", "escape")  # closed without a move: nothing else opens
    assert five.play.play_now().game.moves == []


def test_play_now_plays_nothing_where_the_notebook_is_run_without_a_window(game_file, capsys):
    assert five.play.play_now().game.moves == [] and not game_file.exists()
    assert "run without a window" in capsys.readouterr().out

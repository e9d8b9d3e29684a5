"""Connect-4 by hand: its board, the Play cell, games as text, runs of agents kept in files."""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import io
from functools import partial

import five_in_a_row as five
import pandas as pd
import pytest
from five_in_a_row import command_line, connect_grid
from five_in_a_row import connect_four as four
from five_in_a_row import connect_report as report
from helpers import FunctionPlayer, found_by
from window_lab import click, opened, prepared, press, pygame  # noqa: F401

RULES = connect_grid.four_rules()


def text_game(**changes):
    """Return a text game against a quick agent."""
    return four.play_text(**({"simulations": 50} | changes))


@pytest.fixture(scope="module")
def run():
    """Return the tables of a short run: an agent that counts, and one that does not."""
    return report.record_run(report.Agent(simulations=30), five.mcts.RandomPlayer(), 3, seed=5)


# ---- the rack -----------------------------------------------------------------------------


def test_a_falling_disc_comes_to_rest(opened, pygame):
    window, now = opened(human="both", rules=RULES, board=four.Rack()), [100.0]
    prepared(window)
    window.session.clock = lambda: now[0]
    click(window, "d1")
    session, rack = window.session, window.controller.board
    fallen, painted = [rack.fallen(session)], []
    for _ in range(50):
        now[0] += 0.02
        fallen.append(rack.fallen(session))
        painted.append(
            five.window.paint_changes(window.controller, pygame.display.get_surface())
        )
    assert fallen[0] == 0 and fallen == sorted(fallen) and set(fallen[20:]) == {1.0}
    assert sum(painted[:16]) > 5 and not any(painted[32:])  # it falls, is marked, and lies
    click(window, "d1")
    press(window, "u")
    assert rack.fallen(session) == 1.0  # the disc before it does not fall again


# ---- the window, the page, or a recorded game ---------------------------------------------


def shown_game():
    """Return the game that the figures show after the Play cell."""
    opponents = {"engine": five.engine.think}
    saved = partial(five.game_file.saved_again, path=four.four_file())
    return five.window.game_of(four.play_connect_four(), opponents, saved=saved, most=500)


def test_where_nobody_can_play_a_game_of_the_agent_is_shown(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(four, "four_file", lambda: tmp_path / "connect_four.txt")
    played = shown_game()
    assert played.over and played.game.rules == RULES and played.results
    assert "engine (black) against engine (white)" in capsys.readouterr().out
    five.game_file.save_game(played, four.four_file())
    again = shown_game()
    assert again.game.moves == played.game.moves and "saved" in capsys.readouterr().out


def test_the_perfect_player_is_listed_beside_the_engine(monkeypatch, tmp_path):
    monkeypatch.delenv("FIVE_PLAY")
    monkeypatch.setattr(four, "four_file", lambda: tmp_path / "connect_four.txt")
    controller = four.play_connect_four(ways=(lambda each: each,), opponent="perfect")
    session = controller.session
    assert list(session.opponents) == ["engine", "perfect"]
    assert session.record.players == ("person", "perfect")
    five.window.press_key(controller, "O")
    assert session.record.players == ("person", "engine")
    game = five.game.Game.from_text("d1 a1 d2 a2 d3 a3", rules=RULES)
    assert session.opponents["perfect"](game, seconds=1).name == "d4"


# ---- as text ------------------------------------------------------------------------------


def test_a_move_is_answered_and_both_are_printed(capsys):
    g = text_game()
    g.move("d")
    out = capsys.readouterr().out
    assert g.game.moves[0] == "d1" and len(g.game.moves) == 2
    assert "50 simulations in" in out and "visits" in out and "value" in out
    assert four.by_column(g.thought.values)[3] is not None and g.thought.visits.sum() == 50


def test_undo_takes_back_a_move_and_its_answer():
    g = text_game(first="agent")
    begin = g.game.moves
    g.move("B")
    assert len(begin) == 1 and len(g.game.moves) == 3
    g.undo()
    assert g.game.moves == begin
    with pytest.raises(ValueError, match="no move of yours"):
        g.undo()


def test_a_full_column_is_named_and_changes_nothing():
    g = text_game()
    g.game = five.game.Game.from_text("c1 c2 c3 c4 c5 c6", rules=RULES)
    with pytest.raises(ValueError, match="column c is full: a b d e f g may be played"):
        g.move("c")
    assert len(g.game.moves) == 6


def test_a_search_that_fails_leaves_the_game_as_it_was():
    def broken(game, seed):
        raise KeyboardInterrupt

    g = text_game()
    g.agent = FunctionPlayer(broken)
    with pytest.raises(KeyboardInterrupt):
        g.move("d")
    assert g.game.moves == []


def test_a_terminal_asks_again_takes_back_and_ends_with_what_is_typed(capsys):
    typed = iter(["h", "d", "undo", " C "])

    def ask(prompt):
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    g = four.play_in_terminal(ask, simulations=50)
    assert g.game.moves[0] == "c1" and len(g.game.moves) == 2
    assert "there is no column 'h'" in capsys.readouterr().out
    assert four.play_in_terminal(lambda prompt: "quit", simulations=50).game.moves == []


def test_the_command_plays_connect_four_as_text(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    arguments = ["--connect-four", "--seconds", "0.05", "--color", "white"]
    assert command_line.main(arguments) == 0
    assert "You are O" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        command_line.main(["--connect-four", "--size", "9"])
    assert "--connect-four takes only --seconds and --color" in capsys.readouterr().err


# ---- the agent ----------------------------------------------------------------------------


def test_an_agent_goes_on_with_its_tree_and_begins_anew_with_a_new_game():
    for reuse, more in ((True, True), (False, False)):
        agent, game = report.Agent(simulations=400, reuse=reuse), five.game.Game(RULES)
        game.play(agent.move(game, 1))
        game.play(game.legal()[3])
        thought = found_by(agent, game, 2)
        assert thought.simulations == 400
        assert (thought.visits.sum() > 400) == more
        assert found_by(agent, five.game.Game(RULES), 3).visits.sum() <= 400


# ---- runs in files ------------------------------------------------------------------------


def test_a_run_tells_every_move(run):
    assert run["games"]["first"].tolist() == ["a", "b", "a"]
    for number, row in enumerate(run["games"].itertuples(), 1):
        moves = run["moves"][run["moves"].game == number]
        game = five.game.Game(RULES)
        for column in moves.column:
            connect_grid.drop(game, column)
        assert game.over and len(moves) == row.plies
        assert " ".join(moves.column) == row.columns
        winner = {1: row.first, -1: row.second, 0: "draw"}[game.winner]
        assert winner == row.winner and (moves.seconds >= 0).all()
    by_agent = run["moves"].groupby("agent").simulations
    assert (by_agent.get_group("a") == 30).all() and by_agent.get_group("b").isna().all()


def test_a_run_comes_back_from_its_workbook(run, tmp_path):
    path = tmp_path / "run.xlsx"
    report.keep_run(path, run)
    back = pd.read_excel(path, sheet_name=None)
    assert list(back) == ["games", "moves"]
    for name, table in back.items():
        pd.testing.assert_frame_equal(table, run[name], check_dtype=False)


def test_a_write_that_fails_leaves_nothing(run, tmp_path, monkeypatch):
    path, write = tmp_path / "run.xlsx", pd.DataFrame.to_excel

    def fail(table, book, sheet_name, **asked):
        if sheet_name == "moves":
            raise OSError("the disk is full")
        write(table, book, sheet_name=sheet_name, **asked)

    with monkeypatch.context() as broken:
        broken.setattr(pd.DataFrame, "to_excel", fail)
        with pytest.raises(OSError, match="full"):
            report.keep_run(path, run)
    assert list(tmp_path.iterdir()) == []
    report.keep_run(path, run)  # and the next one is written


def test_a_workbook_that_is_there_is_left_alone(run, tmp_path):
    path = tmp_path / "run.xlsx"
    path.write_text("a letter")
    with pytest.raises(FileExistsError):
        report.keep_run(path, run)
    assert path.read_text() == "a letter"

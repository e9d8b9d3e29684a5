"""The analysis desk: review, swap2, set-up, records on the desk, other engines, its window."""

import random
import sys
import threading
import types

import build
import five_in_a_row as five
import modules
import numpy as np
import pytest
from five_in_a_row import desk, review, seats, swap2
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.records import keep_record, load_record
from helpers import PATIENCE, FunctionPlayer, wait_for
from window_lab import Seat, compile_once

from experiments.training import openings

LOST = "d4 e5 e4 f4 d5 d6 c4 b4 c6 e6 c5 c7 b5 a5 b7 a8 f3"  # black wins


class Sitting(Seat):
    """A desk and who sits at it."""

    def __init__(self, session, folder):
        super().__init__(session)
        self.desk = desk.Desk(self.controller, folder)

    def strip(self, surface):
        """Return the boxes of the curve and of the desk's controls."""
        curve, boxes = desk.strip_parts(surface, self.desk.commands)
        return curve, dict(zip(self.desk.commands, boxes, strict=True))

    def load(self, path):
        """Drop a file onto the window."""
        assert any(panel.on_drop(self.controller, path) for panel in self.controller.panels)


@pytest.fixture
def opened(pygame, tmp_path):
    """Return a function that makes a desk; all are finished after the test."""
    compile_once()
    desks = []

    def open_one(text="", size=8, rivals=None):
        pygame.display.init()
        pygame.display.set_mode((900, 700))
        record = five.window.new_record(size, 0.05, "both")
        for move in five.game.split_moves(text):
            record.play(move)
        players = {name: desk.rival(player) for name, player in (rivals or {}).items()}
        keep = five.game_file.keeper(tmp_path / "desk.txt")
        session = five.window.Session(record, {"engine": five.engine.think} | players, keep)
        desks.append(made := Sitting(session, tmp_path))
        made.prepared()
        return made

    yield open_one
    for made in desks:
        made.finish()


# -- review --------------------------------------------------------------------------------
def test_a_review_has_a_row_for_every_move_and_the_end():
    counted = []
    table = review.review_game(
        Game.from_text(LOST), simulations=300, on_move=lambda *n: counted.append(n)
    )
    assert len(table) == 18 and counted[-1] == (18, 18)
    assert table.value.between(-1, 1).all() and (table.loss.dropna() >= 0).all()
    assert table.value.iloc[-1] == 1.0 and table.words.iloc[-1] == "black wins"
    assert table.side.tolist()[:3] == ["black", "white", "black"]


def test_not_stopping_a_five_costs_all():
    table = review.review_game(Game.from_text("a1 h8 a2 h9 a3 h7 a4 o1", 15), simulations=300)
    assert table.best[8] == "a5" and table.loss[8] > 0.9  # the value after stopping it counts


def test_a_review_can_be_stopped():
    stop = threading.Event()
    how = {"on_move": lambda n, _: stop.set() if n == 3 else None, "stop": stop}
    table = review.review_game(Game.from_text(LOST), simulations=300, **how)
    assert len(table) == 3


# -- swap2 ---------------------------------------------------------------------------------
def after_opening():
    """Return a swap2 whose three stones are placed."""
    swap = swap2.Swap2()
    for move in ("h8", "i9", "k7"):
        swap.place(move)
    return swap


SAYS = [  # what is chosen, and the colour that the first player then has
    (["white"], BLACK),
    (["black"], WHITE),
    (["add", "white"], WHITE),
    (["add", "black"], BLACK),
]


@pytest.mark.parametrize(("says", "first"), SAYS)
def test_swap2_gives_the_colours_that_were_chosen(says, first):
    swap = after_opening()
    for option in says:
        swap.choose(option)
        if option == "add":
            assert swap.chooser == "second"
            for move in ("g9", "l5"):
                swap.place(move)
            assert swap.chooser == "first" and swap.options() == ("white", "black")
    assert swap.colours == {"first": first, "second": -first} and swap.chooser is None
    assert swap.game.to_move == WHITE  # three or five stones stand


def test_swap2_refuses_what_is_not_due():
    swap = swap2.Swap2()
    with pytest.raises(ValueError, match="place stones"):
        swap.choose("white")
    swap = after_opening()
    with pytest.raises(ValueError, match="no stone is to be placed now"):
        swap.place("a1")
    with pytest.raises(ValueError, match="'red' cannot be chosen now"):
        swap.choose("red")


def test_the_engine_takes_the_side_that_wins():
    swap = after_opening()
    swap.game = Game.from_text("h8 a1 i8 a3 j8", 15)  # white to move, black has an open three
    swap.step = "choose"
    assert swap2.swap2_choice(swap, 2_000) == "black"


# -- the openings of swap2 -----------------------------------------------------------------
def test_the_openings_in_the_file_are_fair_and_none_is_another_turned():
    known = swap2.read_openings()
    assert len({openings.key(moves) for moves in known}) == len(known) >= 8
    lines = swap2.OPENINGS.read_text("utf-8").splitlines()
    shares = [float(line.split()[-1]) for line in lines if line[:1] != "#"]
    assert all(openings.FAIR <= share <= 1 - openings.FAIR for share in shares)


def test_the_engine_opens_with_one_of_them_turned():
    keys = {openings.key(moves) for moves in swap2.read_openings()}
    found = [" ".join(swap2.swap2_stones(swap2.Swap2(), seed=seed)) for seed in range(30)]
    assert found[3] == " ".join(swap2.swap2_stones(swap2.Swap2(), seed=3))
    assert len(set(found)) > 12 and {openings.key(moves) for moves in found} <= keys
    assert len({tuple(swap2.turned_opening("h8 h9 j12", turn)) for turn in range(8)}) == 8
    small = swap2.swap2_stones(swap2.Swap2(Rules(9)), 50, tries=2)
    assert len(Game.from_text(" ".join(small), 9).played) == 3


def test_without_its_openings_the_engine_says_so_and_finds_one(tmp_path, monkeypatch, capsys):
    file, line = tmp_path / "openings.txt", swap2.OPENINGS.read_text("utf-8").splitlines()[-1]
    for text in (None, "# nothing", line.replace(" ", " h20 ", 1)):
        if text is not None:
            file.write_text(text, "utf-8")
        swap2.read_openings.cache_clear()
        assert swap2.read_openings(file) == []
        assert capsys.readouterr().err.count("swap2 without openings.txt") == 1
    monkeypatch.setattr(swap2, "read_openings", lambda: [])
    assert len(swap2.swap2_stones(swap2.Swap2(), 50, tries=2)) == 3


def test_openings_are_found_again_and_go_on_where_they_ended(tmp_path, capsys):
    steps = (20, 0.3), (40, 0.2)
    openings.find(tmp_path / "a", 4, 5, steps)
    openings.find(tmp_path / "b", 2, 5, steps)
    openings.find(tmp_path / "b", 4, 5, steps)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    found = (tmp_path / "a").read_text("utf-8").splitlines()[3:]
    assert len(found) == 4 and all(abs(float(line.split()[-1])) <= 0.2 for line in found)
    assert openings.main(["--out", str(tmp_path / "a"), "--seed", "6"]) == 2
    assert "was not made with seed 6" in capsys.readouterr().err


def test_swap2_on_the_desk_with_the_person_choosing(opened, monkeypatch):
    asked, answered = [], threading.Event()

    def stones(swap, **_):
        asked.append(swap.game.moves)
        if len(asked) == 1:
            answered.wait(PATIENCE)
        return [["a1", "b2", "c3"], ["i9", "k7"]][len(asked) - 1]

    monkeypatch.setattr(desk, "swap2_stones", stones)
    monkeypatch.setattr(desk, "swap2_choice", lambda swap: "black")
    made = opened(size=15)
    made.press("Q")
    made.step()
    made.record.play("h8")  # a stone from elsewhere, while the computer still thinks
    answered.set()  # its answer to the position before comes too late
    made.wait_for(lambda: made.overlay)
    assert made.game.moves == ["h8", "i9", "k7"] and len(made.overlay) == 4
    assert asked == [[], ["h8"]]
    made.press("a")
    made.step()
    for name in ("g9", "l5"):
        made.click(name)
    made.wait_for(lambda: made.desk.opening.swap is None)
    assert made.record.persons == (WHITE,) and made.session.yours
    assert len(made.game.played) == 5


def test_another_game_ends_the_opening(opened):
    made = opened(size=15)
    made.press("Q")
    made.desk.setup.put(made.controller, np.zeros((15, 15), np.int8), BLACK)
    made.step()
    assert made.desk.opening.swap is None
    made.press("Q")
    for move in ("h8", "i9", "k7"):  # stones that swap2 has not placed
        made.record.play(move)
    made.step()
    assert made.desk.opening.swap is None and made.game.moves == ["h8", "i9", "k7"]


# -- the desk ------------------------------------------------------------------------------
def test_stepping_keeps_the_moves_and_their_thoughts(opened):
    made = opened("d4 e5 e4")
    made.record.results[1] = thought = five.engine.think(Game.from_text("d4"), simulations=10)
    for _ in range(5):
        made.press("left")
    assert made.game.moves == [] and len(made.game.undone) == 3
    made.press("right")
    desk.show_ply(made.session, 3)
    assert made.game.moves == ["d4", "e5", "e4"] and made.record.results[1] is thought


def test_analysis_goes_on_until_it_is_asked_to_stop(opened):
    made = opened("d4 e5")
    made.press("A")
    analysis = made.desk.analysis
    made.wait_for(lambda: len(analysis.top) >= 5 and made.session.note)
    assert made.session.searcher == "engine"
    first = analysis.top[0].split()
    assert first[0].endswith("%") and -1 <= float(first[1]) <= 1 and len(first) >= 3
    assert made.session.note.count("\n") == 4
    made.click("d5")  # it follows the game
    made.wait_for(lambda: made.session.search is not None and analysis.top)
    assert made.session.search.game.moves == ["d4", "e5", "d5"]
    made.press("A")
    assert made.session.search is None and not made.session.asked


def test_analysis_of_a_certain_result_does_not_begin_again(opened):
    made = opened("d4 a1 e4 a2 f4 a3 g4")  # white must stop a five
    made.press("A")
    made.wait_for(lambda: made.desk.analysis.ended and made.session.search is None)
    for _ in range(3):
        made.step()
        assert made.session.search is None


def test_a_position_is_set_up_point_by_point(opened):
    made = opened()
    made.press("E")
    a1, b2 = (five.game.to_point(name, made.game.rules) for name in ("a1", "b2"))
    for name in ("a1", "b2", "b2"):
        made.click(name)
    assert made.game.array.flat[a1] == BLACK and made.game.array.flat[b2] == WHITE
    made.click("b2")
    assert made.game.array.flat[b2] == 0 and made.game.moves == []
    side = made.game.to_move
    made.press("T")
    assert made.game.to_move == -side and made.game.array.flat[a1] == BLACK
    made.press("E")
    made.click("b2")
    assert made.game.moves == ["b2"]


def test_a_position_with_two_winners_is_refused_in_a_note(opened):
    made = opened()
    cells = np.zeros((8, 8), np.int8)
    cells[0, :5], cells[2, :5] = 1, -1
    made.desk.setup.put(made.controller, cells, BLACK)
    assert "both sides have a winning line" in made.session.note and not made.game.array.any()


def test_records_are_saved_and_loaded(opened, tmp_path):
    made = opened("d4 e5 e4")
    made.press("S")
    files = sorted(path.suffix for path in tmp_path.glob("game-*"))
    assert files == [".png", ".psq", ".sgf"] and "Saved as" in made.session.note
    for path in tmp_path.glob("game-*.[ps][sg][qf]"):
        other = opened("a1")
        other.load(path)
        assert other.game.moves == ["d4", "e5", "e4"] and other.record.persons == (1, -1)


def test_no_record_takes_the_place_of_another(opened, tmp_path):
    made = opened()
    for moves in ("d4 e5", "a1 b2 c3"):
        made.record.date = ""
        for move in moves.split():
            made.record.game.play(move)
        made.press("S")
    kept = {file.name: load_record(file).game.moves for file in tmp_path.glob("*.sgf")}
    assert kept == {"game.sgf": ["d4", "e5"], "game-2.sgf": ["d4", "e5", "a1", "b2", "c3"]}


def test_a_wrong_record_is_a_note_and_changes_nothing(opened, tmp_path):
    made, file = opened("d4"), tmp_path / "x.sgf"
    file.write_text("(;GM[1];B[aa])")
    made.load(file)
    assert made.game.moves == ["d4"] and "x.sgf, line 1" in made.session.note
    made.load(tmp_path / "none.psq")
    assert made.game.moves == ["d4"] and made.session.note


def test_the_clipboard_is_read_and_written(opened, monkeypatch):
    kept = []
    monkeypatch.setattr(desk, "to_clipboard", lambda text: kept.append(text) or True)
    monkeypatch.setattr(desk, "clipboard_text", lambda: kept[-1])
    made = opened("d4 e5 e4")
    made.press("K")
    assert kept == ["d4e5e4"]
    other = opened()
    other.press("P")
    assert other.game.moves == ["d4", "e5", "e4"]
    kept.append("what is this?")
    other.press("P")
    assert other.game.moves == ["d4", "e5", "e4"] and "clipboard" in other.session.note


def test_the_review_draws_a_curve_that_can_be_clicked(opened, pygame, monkeypatch):
    monkeypatch.setattr(desk, "REVIEW", 100)
    made, surface = opened(LOST), pygame.display.get_surface()
    made.press("G")
    made.wait_for(lambda: made.desk.review.table is not None)
    box, _ = made.strip(surface)
    values = dict(enumerate(made.desk.review.table.value))
    points = five.panels.curve_points(values, len(values) - 1, box)
    assert len(points) == 18 and all(pygame.Rect(box).collidepoint(point) for point in points)
    for ply in (0, 7, 17):
        made.click(points[ply])
        assert len(made.game.played) == ply


def test_every_control_of_the_desk_calls_its_command(opened, pygame):
    made, done = opened("d4 e5"), []
    commands = made.controller.commands
    for name in made.desk.commands:
        told = {"action": lambda _, name=name: done.append(name), "possible": bool}
        commands[name] = commands[name]._replace(**told)
    for x, y, width, height in made.strip(pygame.display.get_surface())[1].values():
        made.click((x + width // 2, y + height // 2))
    assert done == list(made.desk.commands)


@pytest.mark.parametrize("size", [(400, 400), (700, 1000), (3840, 2160)], ids=str)
def test_nothing_on_the_desk_overlaps(size, opened, pygame):
    made, surface = opened("d4 e5"), pygame.Surface(size)
    curve, places = made.strip(surface)
    board = five.window.canvas_of(made.controller, surface).surface
    boxes = [pygame.Rect((0, 0), board.get_size())]
    boxes += [pygame.Rect(box) for box in (curve, *places.values())]
    assert all(surface.get_rect().contains(box) for box in boxes)
    assert all(box.collidelist(boxes[i + 1 :]) == -1 for i, box in enumerate(boxes))


def test_another_engine_plays_and_its_fault_loses_the_game(opened):
    calls = []

    def rival(game, seed=None):
        calls.append(game.moves)
        if len(calls) == 2:
            raise seats.EngineFault("Toy", game, "hung")
        return game.legal()[0]

    made = opened("d4", rivals={"Toy": FunctionPlayer(rival)})
    made.record.players, made.session.paused = ("person", "Toy"), False
    made.wait_for(lambda: len(made.game.played) == 2)
    assert made.game.moves == ["d4", "a1"] and made.session.yours
    made.click("h8")
    made.wait_for(lambda: made.record.over)
    assert made.record.resigned == WHITE and "Toy" in made.session.note


@pytest.mark.parametrize("seed", [1, 2])
def test_random_events_never_break_the_desk(seed, opened, pygame, monkeypatch):
    monkeypatch.setattr(desk, "REVIEW", 10)
    monkeypatch.setattr(desk, "clipboard_text", lambda: "h8i9g7")
    monkeypatch.setattr(desk, "to_clipboard", lambda text: True)
    rng, made = random.Random(seed), opened()
    keys = [key for each in made.controller.commands.values() for key in each.keys.split()]
    keys = [*keys, *five.window.ARROWS, "return", *"abcdefgh12345678"]
    keys = [key for key in keys if key not in ("escape", "S")]
    for _ in range(400):
        if rng.random() < 0.5:
            made.press(rng.choice(keys))
        else:
            made.click((rng.randrange(900), rng.randrange(700)))
        made.step()
        made.check_game()
        made.session.open = True


@pytest.fixture
def live(root, monkeypatch):
    """Return the main notebook's cells as a notebook that runs has them: not the module."""
    module = types.ModuleType("live")
    monkeypatch.setitem(sys.modules, "live", module)  # dataclasses look their module up
    for cell in build.read_notebook(root / "five_in_a_row.ipynb").cells:
        if modules.module_of(cell, "any"):
            exec(cell.source, vars(module))
    return module


def test_desk_and_page_play_on_a_notebooks_own_session_and_board(live, pygame, monkeypatch):
    drawn, draw = [], live.draw_stone
    monkeypatch.setattr(live, "draw_stone", lambda *about: drawn.append(about) or draw(*about))
    record = live.GameRecord(live.Game.from_text("d4"), ("person", "person"))
    session, board = live.Session(record, {}), live.Board()
    controller = five.window.Controller(session, board)
    sitting, surface = desk.Desk(controller), pygame.Surface((900, 700))
    page = five.inline.Page(controller, (900, 700))
    for key in ("e", "5", "Enter", "Shift", "#"):
        page.handle({"type": "key_down", "key": key})
    assert session.game.moves == ["d4", "e5"] and sitting.steps.numbers
    assert five.window.paint_changes(controller, surface) and len(drawn) == 2
    assert isinstance(controller.finish(), live.GameRecord)


def test_the_command_line_opens_the_desk_with_a_file_or_says_why_not(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(five.window, "open_window", lambda title="": None)
    monkeypatch.setattr(five.window.Window, "run", lambda window: window.controller.finish())
    monkeypatch.chdir(tmp_path)
    keep_record(five.window.GameRecord(Game.from_text("d4e5")), tmp_path / "game.sgf")
    assert five.command_line.main(["--desk", "game.sgf"]) == 0
    assert "1. d4    e5" in capsys.readouterr().out
    assert five.command_line.main(["--desk"]) == 0
    for name, says in (
        ("none.sgf", "none.sgf cannot be read: No such file"),
        ("game.doc", "game.doc: its name must end in one of"),
    ):
        assert five.command_line.main(["--desk", name]) == 2
        assert says in capsys.readouterr().err


def test_a_game_goes_to_the_desk_and_back(tmp_path, pygame):
    record = five.window.new_record(8, 0.05)
    session = five.window.Session(record, {"engine": five.engine.think})
    controller, surface = five.window.Controller(session), pygame.Surface((900, 700))
    five.extras.add_extras(controller, tmp_path / "game.txt")
    five.play.add_desk(controller)

    def parts():
        keys = [key for each in controller.commands.values() for key in each.keys.split()]
        assert len(keys) == len(set(keys))
        five.window.paint_changes(controller, surface)
        return list(controller.commands), list(controller.panels), controller.controls()

    before = parts()
    five.window.choose_point(controller, 27)
    five.window.press_key(controller, "Z")
    assert "review" in parts()[0] and session.paused and record.game.moves == ["d4"]
    five.window.press_key(controller, "#")
    five.window.press_key(controller, "Z")
    assert parts() == before and not session.paused
    record.resigned = five.game.WHITE
    five.window.press_key(controller, "Z")
    five.window.press_key(controller, "left")  # the game that was resigned is looked at
    assert record.game.moves == []
    five.window.press_key(controller, "A")
    wait_for(controller.tick, lambda: five.window.is_searching(session, "hint"), PATIENCE)
    five.window.press_key(controller, "Z")
    assert record.game.moves == ["d4"] and record.over  # and stands as it stood
    controller.finish()
    assert (tmp_path / "game.txt").read_text("utf-8").count("result: ") == 1

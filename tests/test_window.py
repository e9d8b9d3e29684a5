"""The window without a screen: pictures, words, every action by mouse and key, the game file.

The last test posts random events and checks after each of them that the window is sound.
"""

import dataclasses
import random
import threading
import time

import five_in_a_row as five
import helpers
import numpy as np
import pytest
from slow_twins import full_scan

from experiments.puzzles import read_rows

SIZES = range(3, 21)
SURFACES = [(400, 400), (640, 480), (800, 900), (1200, 800), (3840, 2160)]
CONNECT_4 = five.core.Rules(7, 4, rows=6, gravity=True)
TIC_TAC_TOE = five.core.Rules(3, 3)
BOARDS = [
    *map(five.core.Rules, SIZES),
    CONNECT_4,
    five.core.Rules(20, rows=3),
    five.core.Rules(3, rows=20),
]
EVERY = len(five.core.COMMANDS)
WAYS = ("mouse", "key")
PATIENCE = 60  # seconds that a search may take on a busy machine before a test gives up
RELEASE = 20  # seconds after which a search that was held up goes on, and its test fails


@pytest.fixture(scope="module")
def pygame():
    """Return pygame with a display that shows nothing (conftest.py chose SDL's dummy)."""
    pygame = five.core.load_pygame()
    yield pygame
    pygame.display.quit()


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile the search once, so that no test waits for that."""
    five.engine.think(five.core.Game(), simulations=1)


@pytest.fixture
def opened(pygame, tmp_path):
    """Return a function that opens a window; its search takes an hour unless told."""
    windows = []

    def open_one(human="black", size=8, text="", simulations=None, rules=None):
        pygame.display.init()
        pygame.display.set_mode((640, 480))
        pygame.event.clear()
        played, file = (
            five.core.new_played(size, 3600, human, rules=rules),
            tmp_path / "game.txt",
        )
        played.simulations = simulations
        for move in five.core.split_moves(text):
            played.play(move)
        windows.append(five.core.offer(five.core.Window(played, five.core.keeper(file)), file))
        return windows[-1]

    yield open_one
    for window in windows:
        window.finish()
    pygame.display.quit()


def layout_of(window):
    """Return the layout of a window as it is now."""
    return window.layout(five.core.load_pygame().display.get_surface())


def pixel_of(window, place):
    """Return the pixel of a point's name, of a control, or of (control, step), or a pixel."""
    layout = layout_of(window)
    name, step = place if isinstance(place, tuple) else (place, 1)
    if name in window.commands:
        x, y, width, height = five.core.control_places(layout, window.commands)[name]
        return x + (width * 3 // 4 if step > 0 else width // 4), y + height // 2
    if isinstance(place, str):
        return five.core.to_pixel(five.core.to_point(place, window.game.rules), layout)
    return place


def click(window, place, button=1):
    """Post a click on what pixel_of() knows and let it be handled."""
    pygame, place = five.core.load_pygame(), pixel_of(window, place)
    pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=button, pos=place))
    window.step()


def hover(window, place):
    """Post a movement of the mouse and let it be handled."""
    pygame, place = five.core.load_pygame(), pixel_of(window, place)
    motion = {"pos": place, "rel": (0, 0), "buttons": (0, 0, 0)}
    pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, **motion))
    window.step()


def press(window, *keys):
    """Post keys, each what it types or its name, and let them be handled."""
    pygame = five.core.load_pygame()
    for key in keys:
        mod = pygame.KMOD_SHIFT if key.isupper() else 0
        typed = {"unicode": key if len(key) == 1 else "", "mod": mod}
        code = pygame.key.key_code(key.lower())
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, **typed))
        window.step()


def use(window, way, name, step=1):
    """Do an action by its control or by its first key, or its second one for more."""
    keys = five.core.COMMANDS[name][1].split()
    if way == "mouse":
        click(window, (name, step))
    else:
        press(window, keys[1] if name in five.core.PAIRS and step > 0 else keys[0])


def wait_for(window, condition):
    """Step until the condition holds; fail where it never does."""
    helpers.wait_for(window.step, condition, PATIENCE)


def wait_for_turn(window):
    """Step until a person is to move and no search runs."""
    wait_for(window, lambda: window.yours and window.search is None)


def wait_for_thought(window):
    """Step until the search has told what it has found so far."""
    wait_for(window, lambda: window.view.thinking and window.view.thought is not None)


def searching():
    """Return the threads that search; Python names a thread after its function."""
    return [thread for thread in threading.enumerate() if thread.name.endswith("(_work)")]


def saved(tmp_path):
    """Return the last game of the file."""
    return five.core.load_game(tmp_path / "game.txt")


def words_of(window):
    """Return what the window says: heading and status, as one text."""
    view = window.look()
    return "\n".join(
        [five.core.heading(window.game, view), *five.core.status(window.game, view)]
    )


def control(window, name):
    """Return the control of that name as it is now."""
    return next(each for each in window.look().controls if each.name == name)


# ---- pixels and layout -----------------------------------------------------------------


@pytest.mark.parametrize("controls", [0, EVERY], ids=["picture", "window"])
@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_pixels_and_points_are_inverses(surface, controls):
    for rules in BOARDS:
        layout = five.core.make_layout(*surface, rules, controls)
        places = [five.core.to_pixel(point, layout) for point in range(rules.points)]
        assert [five.core.from_pixel(*xy, layout) for xy in places] == list(
            range(rules.points)
        )
        assert len(set(places)) == rules.points


@pytest.mark.parametrize("controls", [0, EVERY], ids=["picture", "window"])
@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_pixels_off_the_board_are_no_point(surface, controls):
    for rules in BOARDS:
        layout = five.core.make_layout(*surface, rules, controls)
        (right, top), cell = five.core.to_pixel(rules.points - 1, layout), layout.cell
        left, bottom = five.core.to_pixel(0, layout)
        outside = [(left - cell, top), (right + cell, top), (right, top - cell)]
        for place in [*outside, (right, bottom + cell), (0, 0), surface, (-5, -5)]:
            assert five.core.from_pixel(*place, layout) is None


@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_nothing_overlaps_or_leaves_the_surface(surface, pygame):
    inside = pygame.Rect(0, 0, *surface)
    for rules in BOARDS:
        layout = five.core.make_layout(*surface, rules, EVERY)
        places = five.core.control_places(layout, five.core.COMMANDS)
        assert list(places) == list(five.core.COMMANDS)
        controls = [pygame.Rect(box) for box in places.values()]
        parts = [pygame.Rect(layout.wood), pygame.Rect(layout.text), *controls]
        for i, part in enumerate(parts):
            assert min(part.size) > 8 and inside.contains(part), (rules, part)
            assert part.collidelist(parts[i + 1 :]) == -1, (rules, part)
        assert pygame.Rect(layout.grid).unionall(controls) == pygame.Rect(layout.grid)
        stone = pygame.Rect(0, 0, layout.cell, layout.cell)
        for point in (0, rules.size - 1, rules.points - 1):
            stone.center = five.core.to_pixel(point, layout)
            assert parts[0].contains(stone)


@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_the_board_of_a_picture_leaves_room_for_its_words(surface, pygame):
    for rules in BOARDS:
        layout = five.core.make_layout(*surface, rules)
        x, y, width, height = layout.wood
        room = pygame.Rect(x, y - 5 * layout.unit // 2, width, height + 5 * layout.unit)
        assert pygame.Rect(0, 0, *surface).contains(room)


@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_the_sheets_lie_on_the_board(surface, pygame):
    for rules in BOARDS:
        layout = five.core.make_layout(*surface, rules, EVERY)
        for lines in (5, len(five.core.help_of(five.core.COMMANDS))):
            *box, line = five.core.sheet_box(layout, lines)
            assert pygame.Rect(0, 0, *surface).contains(box) and lines * line <= box[3]
            assert not pygame.Rect(box).collidelistall([layout.text, layout.grid])


# ---- pictures --------------------------------------------------------------------------


def thought_and_views(game):
    """Return views that show everything there is to show, with a thought about the game."""
    thought = five.engine.think(game, simulations=50)
    told = {"thought": thought, "verdict": five.core.verdict(game, thought)}
    controls = [
        five.core.Control(name, name, i % 2 > 0) for i, name in enumerate(five.core.COMMANDS)
    ]
    panel = {"controls": tuple(controls), "heat": True}
    sheet = five.core.help_of(five.core.COMMANDS)
    views = [
        five.core.View((five.core.BLACK,), thinking=True),
        five.core.View((five.core.WHITE,), hover=0, cursor=1, hint=2),
        five.core.View(thinking=True, seconds=1.0, **told),
        five.core.View(resigned=five.core.BLACK, fallen=0.5, **told),
        five.core.View(note="a note " * 30, sheet=sheet, **told),
    ]
    return views + [dataclasses.replace(view, **panel) for view in views]


@pytest.mark.parametrize(
    "surface", [(400, 400), (900, 500), (300, 900), (3840, 2160), (60, 40), (1, 1)], ids=str
)
@pytest.mark.parametrize("size", [3, 8, 20])
def test_draws_every_state_at_any_size(size, surface, pygame):
    canvas, game = pygame.Surface(surface), five.core.Game(five.core.Rules(size))
    five.core.draw(canvas, game)
    for view in thought_and_views(game):
        for contrast in (False, True):
            before = game.array
            five.core.draw(canvas, game, dataclasses.replace(view, contrast=contrast))
            assert (game.array == before).all()
        if not game.over:
            game.play(game.legal()[len(game.legal()) // 2])


def test_draws_other_games_of_rules(pygame):
    canvas = pygame.Surface((500, 500))
    for rules in (CONNECT_4, TIC_TAC_TOE):
        game = five.core.Game(rules)
        for view in thought_and_views(game):
            five.core.draw(canvas, game, view)
    game = five.core.Game.from_text("d1 d2 e1 e2 f1 f2 g1", rules=CONNECT_4)
    five.core.draw(canvas, game)
    assert five.core.heading(game, five.core.View()) == "Black wins"


def paint(game, view=None, surface=(640, 480)):
    """Return the picture of a game as uint8[x, y, 3]."""
    pygame = five.core.load_pygame()
    canvas = pygame.Surface(surface)
    five.core.draw(canvas, game, view)
    return pygame.surfarray.array3d(canvas)


@pytest.mark.parametrize("contrast", [False, True], ids=["calm", "sharp"])
def test_stones_of_both_colours_stand_where_the_board_says(contrast, pygame):
    game = five.core.Game.from_text("a1 h8 e4 d4")
    picture = paint(game, five.core.View(contrast=contrast))
    layout = five.core.make_layout(640, 480, game.rules)
    away = layout.cell // 4  # beside the last move's mark
    for name, dark in (("a1", True), ("e4", True), ("h8", False), ("d4", False)):
        x, y = five.core.to_pixel(five.core.to_point(name, game.rules), layout)
        grey = picture[x + away, y + away].mean()
        assert grey < 90 if dark else grey > 190


def test_draw_repeats_to_the_pixel(pygame):
    game, pictures = five.core.Game.from_text("d4e5"), []
    for _ in range(2):
        five.core.board_image.cache_clear()
        pictures.append(paint(game))
    assert (pictures[0] == pictures[1]).all()


@pytest.mark.parametrize("mark", ["hover", "cursor", "hint"])
def test_a_mark_is_painted_on_its_point_and_nowhere_else(mark, pygame):
    game = five.core.Game.from_text("d4e5")
    layout = five.core.make_layout(640, 480, game.rules)
    for name in ("a1", "h8", "c6"):
        point = five.core.to_point(name, game.rules)
        changed = (paint(game, five.core.View(**{mark: point})) != paint(game)).any(axis=2)
        xs, ys = np.nonzero(changed)
        x, y = five.core.to_pixel(point, layout)
        assert xs.size and max(abs(xs - x).max(), abs(ys - y).max()) <= layout.cell // 2 + 1


def test_visits_are_painted_on_the_points_that_were_looked_at(pygame):
    game = five.core.Game.from_text("d4e5")
    thought = five.engine.think(game, simulations=500)
    layout = five.core.make_layout(640, 480, game.rules)
    plain = paint(game, five.core.View(thought=thought))
    changed = (paint(game, five.core.View(thought=thought, heat=True)) != plain).any(axis=2)
    for point, visits in enumerate(thought.visits.ravel()):
        x, y = five.core.to_pixel(point, layout)
        assert changed[x + 2, y + 2] == (visits >= 5), point  # 1 % of them
    places = [five.core.to_pixel(point, layout) for point in np.flatnonzero(thought.visits)]
    for x, y in np.argwhere(changed):
        assert any(abs(x - i) + abs(y - j) <= layout.cell for i, j in places)


def test_a_disc_falls_from_the_top_to_its_place(pygame):
    game = five.core.Game.from_text("d1", rules=CONNECT_4)
    layout = five.core.make_layout(640, 480, CONNECT_4)
    x, low = five.core.to_pixel(3, layout)
    empty = paint(five.core.Game(CONNECT_4))
    heights = []
    for fallen in (0.0, 0.5, 1.0):
        ys = np.nonzero((paint(game, five.core.View(fallen=fallen)) != empty).any(axis=2)[x])[
            0
        ]
        wood = layout.wood[1] <= ys
        heights.append(ys[wood & (ys < layout.wood[1] + layout.wood[3])].mean())
    assert heights[0] < heights[1] < heights[2]
    assert abs(heights[2] - low) < layout.cell // 4
    assert heights[0] < five.core.to_pixel(5 * 7 + 3, layout)[1] + layout.cell // 4


def luminance(colour):
    """Return the relative luminance of WCAG 2."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p < 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [five.core.CALM, five.core.SHARP], ids=["calm", "sharp"])
def test_text_has_the_contrast_that_wcag_asks_for(theme):
    pairs = [(text, back) for text in ("ink", "soft") for back in ("paper", "button")]
    for text, back in [*pairs, ("ink", "wood")]:
        dark, light = sorted(luminance(getattr(theme, name)) for name in (text, back))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, back)


@pytest.fixture
def written(monkeypatch):
    """Return a function that paints and returns [(words or None, box)] of all that is put."""
    pygame, write, saying, seen = five.core.load_pygame(), five.core.Canvas.write, [None], []

    class Sheet(pygame.Surface):
        def blit(self, image, place, *rest):
            seen.append((saying[0], image.get_rect(topleft=tuple(place)[:2])))
            return super().blit(image, place, *rest)

    def noted(canvas, text, *rest):
        saying[0] = text
        write(canvas, text, *rest)
        saying[0] = None

    def paint_on(surface, game, view):
        seen.clear()
        five.core.draw(Sheet(surface), game, view)
        return list(seen)

    monkeypatch.setattr(five.core.Canvas, "write", noted)
    return paint_on


NOTES = ("Move: h8_", "The game goes on but cannot be saved: Permission denied")


@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_words_stay_in_their_boxes_and_apart(surface, opened, written, pygame):
    inside = pygame.Rect(0, 0, *surface)
    for rules in (five.core.Rules(3), five.core.Rules(8), five.core.Rules(20), CONNECT_4):
        window = opened(rules=rules)
        view = dataclasses.replace(window.look(), note=NOTES[1], heat=True)
        view.thought = five.engine.think(window.game, simulations=100)
        layout = five.core.make_layout(*surface, rules, EVERY)
        boxes = [pygame.Rect(box) for box in (layout.wood, layout.text)]
        boxes += map(
            pygame.Rect, five.core.control_places(layout, five.core.COMMANDS).values()
        )
        panel = []
        for words, box in written(surface, window.game, view):
            assert inside.contains(box), words
            home = [i for i, part in enumerate(boxes) if part.contains(box)]
            assert home or not words, words
            if words and home != [0]:
                panel.append(box)
        assert len(panel) > EVERY + 5
        assert all(box.collidelist(panel[i + 1 :]) == -1 for i, box in enumerate(panel))


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_a_note_is_written_whole_however_much_there_is_to_say(surface, note, opened, written):
    window = opened(text="d4 e5", size=15)
    thought = five.engine.think(window.game, simulations=5_000)
    view = dataclasses.replace(window.look(), note=note, thought=thought, heat=True)
    view.verdict = five.core.verdict(window.game, thought)
    text = " ".join(words for words, _ in written(surface, window.game, view) if words)
    assert note in text


def test_a_picture_for_the_notebook_is_a_png_and_a_sentence(pygame):
    png, words = five.core.board_png(
        five.core.Game.from_text("d4e5"), five.core.View((five.core.BLACK,))
    )
    assert png.startswith(b"\x89PNG") and "Your move" in words and "d4 e5" in words


# ---- words -----------------------------------------------------------------------------


def test_words_say_who_is_to_move_and_who_has_won():
    views = [five.core.View(persons) for persons in ((1,), (-1,), (), (1, -1))]
    views.append(five.core.View((-1,), thinking=True))
    game, won = five.core.Game(), five.core.Game.from_text("a1a2b1b2c1c2d1d2e1")
    assert [five.core.heading(game, view) for view in views[:1] + views[2:]] == [
        "Your move",
        "Black to move",
        "Black to move",
        "The computer thinks",
    ]
    words = ["You win", "The computer wins", "Black wins", "Black wins", "The computer wins"]
    assert [five.core.heading(won, view) for view in views] == words
    drawn = five.core.Game.from_text("a1a2b1b2c1c2a3b3c3", size=3)
    assert {five.core.heading(drawn, view) for view in views} == {"Draw: the board is full"}


def test_words_say_who_has_resigned():
    game = five.core.Game.from_text("d4 e5")
    for persons, colour, words in (
        ((1,), 1, "The computer wins by resignation"),
        ((-1,), 1, "You win by resignation"),
        ((1, -1), 1, "White wins by resignation"),
        ((1, -1), -1, "Black wins by resignation"),
    ):
        assert five.core.heading(game, five.core.View(persons, colour)) == words


def test_words_say_what_wins_and_where_nothing_can():
    assert five.core.status(five.core.Game(), five.core.View()) == ["5 or more in a row win"]
    assert five.core.status(five.core.Game(CONNECT_4), five.core.View()) == [
        "4 or more in a row win"
    ]
    (words,) = five.core.status(five.core.Game(five.core.Rules(4)), five.core.View())
    assert "can only be drawn" in words
    assert five.core.status(five.core.Game(), five.core.View(note="a note")) == ["a note"]


def test_a_thought_is_told_as_move_simulations_and_line():
    game = five.core.Game.from_text("d4 e5")
    thought = five.engine.think(game, simulations=500)
    move, simulations, line = five.core.thought_lines(thought, game)
    assert move == f"{thought.name}: most visited" and "500 simulations" in simulations
    assert line.startswith(f"Line: {thought.name} ")
    forced = five.core.Game.from_text("a1a2b1b2c1c2d1d2")
    assert five.core.thought_lines(five.engine.think(forced, simulations=9), forced) == [
        "e1: makes five"
    ]


def test_an_open_game_is_told_in_percent_of_the_side_to_move():
    for text, side in (("", "Black"), ("d4", "White")):
        game = five.core.Game.from_text(text)
        thought = five.engine.think(game, simulations=300)
        assert thought.proven is None
        assert (
            five.core.verdict(game, thought) == f"{side} expects {(1 + thought.value) / 2:.0%}"
        )
    forced = five.core.Game.from_text("a1a2b1b2c1c2d1")
    assert (
        five.core.verdict(forced, five.engine.think(forced, simulations=9)) == ""
    )  # stops a five


def test_a_proven_draw_is_not_said_to_hold_against_blunders():
    game = five.core.Game.from_text("b3 c3 b2 b1", rules=TIC_TAC_TOE)
    thought = five.engine.think(game, simulations=5_000)
    words = five.core.verdict(game, thought)
    blunder = five.core.Game.from_text("b3 c3 b2 b1 a3 c1 c2 a1", rules=TIC_TAC_TOE)
    assert thought.proven == 0 and blunder.winner == five.core.WHITE
    assert "draw" in words.lower() and "whatever" not in words


def makes_line(game, point, colour):
    """Say whether a stone of that colour on the point completes a line; looks at all lines."""
    cells = game.array
    cells.flat[point] = colour
    return colour in full_scan(cells, game.rules.in_a_row)


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
        yield five.core.Game.from_text(moves, size=int(size))


def games_of_weak_players(count):
    """Yield the positions of some games between players of changing levels."""
    for number in range(count):
        game, chance = five.core.Game(five.core.Rules(8 + number % 2)), random.Random(number)
        while not game.over:
            yield game
            level = chance.randint(1, 7) if len(game.played) > 3 else 1
            game.play(five.engine.think(game, simulations=20, seed=number, level=level).move)


def check_verdict(game):
    """Check what is said of a proven win against the line, played to its end; return it."""
    thought = five.engine.think(game, simulations=400)
    if not thought.proven:
        return None
    words, winner = five.core.verdict(game, thought), game.to_move * thought.proven
    end = five.core.Game.from_array(game.array, game.to_move, game.rules)
    count = play_out(end, thought.line)
    how = f"in {count}" if end.over else "by force"
    assert words == f"{five.core.COLOUR[winner].capitalize()} wins {how}"
    assert end.winner == (winner if end.over else 0)
    return thought.why, end.over


def test_wins_in_so_many_is_true_of_the_line_played_to_its_end():
    told = [check_verdict(game) for game in games_with_fours()]
    assert len(told) >= 20 and all(told) and {over for _, over in told} == {True}


def test_wins_that_turn_up_in_games_are_told_as_they_are(full):
    told = {check_verdict(game) for game in games_of_weak_players(300 if full else 12)}
    assert {"VCF", "VCT", "five", "proven"} <= {each[0] for each in told if each}


# ---- a person against the computer -----------------------------------------------------


def test_a_click_places_a_stone_and_the_computer_answers(opened):
    window = opened(simulations=300)
    click(window, "d4")
    assert window.game.moves == ["d4"]
    wait_for_turn(window)
    thought = window.played.thoughts[1]
    assert thought.tree is None and thought.move == window.game.played[1]
    assert window.played.searches == {1: (thought.simulations, thought.seed)}
    assert f"{thought.name}: most visited" in words_of(window)
    assert "White expects" in words_of(window) or "wins" in words_of(window)


def test_the_computer_opens_where_the_person_is_white(opened):
    window = opened(human="white", simulations=100)
    wait_for_turn(window)
    assert len(window.game.played) == 1 and list(window.played.thoughts) == [0]


def test_clicks_that_are_no_move_do_nothing(opened):
    window = opened(text="d4 e5")
    layout = layout_of(window)
    for place in ["d4", "e5", (0, 0), (layout.left - layout.cell, layout.bottom)]:
        click(window, place)
        assert window.game.moves == ["d4", "e5"]
    for button in (2, 3, 4, 5):
        click(window, "a1", button=button)
        assert window.game.moves == ["d4", "e5"]


def test_clicks_during_the_computers_turn_do_nothing(opened):
    window = opened()
    click(window, "d4")
    click(window, "a1")
    wait_for_thought(window)
    click(window, "a1")
    press(window, "a", "1", "return")
    assert window.game.moves == ["d4"] and window.view.thinking
    assert "The computer thinks" in words_of(window) and "simulations" in words_of(window)


def test_the_window_stays_alive_while_the_computer_thinks(opened):
    window = opened()
    click(window, "d4")
    for _ in range(100):
        window.step()
    assert window.view.thinking and len(searching()) == 1


@pytest.fixture
def held_up(monkeypatch):
    """Let every search wait, as one that is being compiled, until the returned event."""
    go_on, think = threading.Event(), five.engine.think

    def waits(game, **how):
        go_on.wait()
        return think(game, **how)

    monkeypatch.setattr(five.engine.engine, "think", waits)
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


def test_undo_takes_back_the_pair_of_moves(opened):
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for_turn(window)
    use(window, "mouse", "undo")
    assert len(window.game.played) == 2 and window.yours
    use(window, "key", "undo")
    assert window.game.moves == [] and window.yours
    press(window, "backspace")
    assert window.game.moves == [] and window.yours


@pytest.mark.parametrize("way", WAYS)
def test_redo_plays_the_pair_again(way, opened, tmp_path):
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for_turn(window)
    moves, thoughts = window.game.moves, dict(window.played.thoughts)
    press(window, "u", "u")
    use(window, way, "redo")
    assert window.game.moves == moves[:2] and window.yours
    use(window, way, "redo")
    assert window.game.moves == moves and window.yours and window.search is None
    assert window.played.thoughts == thoughts and set(window.played.searches) == {1, 3}
    use(window, way, "redo")
    assert window.game.moves == moves == saved(tmp_path).game.moves


def test_another_move_after_undo_forgets_what_was_taken_back(opened):
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for_turn(window)
    press(window, "u", "u")
    click(window, "e5")
    press(window, "y")
    wait_for_turn(window)
    assert window.game.moves[0] == "e5" and len(window.game.moves) == 2
    assert list(window.played.thoughts) == list(window.played.searches) == [1]


def test_thoughts_of_moves_that_were_taken_back_are_not_returned(opened):
    window = opened(simulations=100)
    for move in ("d4", "a8"):
        click(window, move)
        wait_for_turn(window)
    press(window, "u")
    played = window.finish()
    assert len(played.game.played) == 2
    assert list(played.thoughts) == list(played.searches) == [1]


def test_undo_while_the_computer_thinks_stops_it_and_takes_one_move_back(opened):
    window = opened()
    click(window, "d4")
    wait_for_thought(window)
    press(window, "u")
    assert window.game.moves == [] and window.search is None and not searching()
    assert window.yours and not window.view.thinking
    press(window, "y")
    assert window.game.moves == ["d4"] and window.view.thinking


def test_undo_keeps_the_computers_opening_move(opened):
    window = opened(human="white", simulations=100)
    wait_for_turn(window)
    press(window, "u")
    assert len(window.game.played) == 1 and window.yours


def test_the_result_stays_on_the_board_until_closed_and_can_be_taken_back(opened):
    window = opened(text="a1a2b1b2c1c2d1d2")
    click(window, "e1")
    wait_for(window, lambda: window.search is None)  # the one that only compiles
    click(window, "h8")
    assert window.game.winner == five.core.BLACK and window.search is None and window.open
    assert "You win" in words_of(window)
    press(window, "u")
    assert not window.game.over and window.yours and len(window.game.played) == 8


def test_a_win_of_the_computer_is_taken_back_with_the_move_before_it(opened):
    window = opened(text="a1a2b1b2c1c2h8d2", simulations=50)
    click(window, "h7")
    wait_for(window, lambda: window.game.over)
    assert "The computer wins" in words_of(window)
    press(window, "u")
    assert len(window.game.played) == 8 and window.yours


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
    wait_for(window, lambda: window.view.hint is not None)
    assert window.view.hint in window.game.legal() and window.look().hint == window.view.hint
    assert "would play" in words_of(window) and "simulations" in words_of(window)
    assert window.game.moves == ["d4", "e5"] and window.yours and window.search is None
    assert not window.played.thoughts and not window.played.searches
    assert not (tmp_path / "game.txt").exists()
    click(window, "a1")
    assert window.view.hint is None and window.game.moves == ["d4", "e5", "a1"]


def test_a_move_cancels_the_hint_that_is_searched(opened):
    window = opened(text="d4 e5")
    press(window, "H")
    wait_for(window, lambda: window.purpose == "hint" and window.view.thought is not None)
    click(window, "a1")
    assert window.game.moves == ["d4", "e5", "a1"] and not window.asked
    wait_for_thought(window)
    assert window.purpose == "move" and window.view.hint is None and len(searching()) == 1


def test_a_hint_has_full_strength_at_any_level(opened, monkeypatch):
    asked, think = [], five.engine.think
    monkeypatch.setattr(
        five.engine.engine, "think", lambda *a, **how: asked.append(how) or think(*a, **how)
    )
    window = opened(human="both", simulations=100)
    window.played.level = 1
    press(window, "H")
    wait_for(window, lambda: window.view.hint is not None)
    assert asked[-1]["level"] is None


def test_move_now_ends_the_search_for_a_hint(opened):
    window = opened()
    press(window, "H")
    wait_for(window, lambda: window.purpose == "hint" and window.view.thought is not None)
    assert control(window, "now").possible
    press(window, "M")
    wait_for(window, lambda: window.view.hint is not None)
    assert window.game.moves == []


@pytest.mark.parametrize(
    ("human", "text", "loser"),
    [
        ("black", "d4 e5", five.core.BLACK),
        ("black", "d4", five.core.BLACK),
        ("white", "d4", five.core.WHITE),
        ("both", "d4", five.core.WHITE),
        ("both", "d4 e5", five.core.BLACK),
    ],
)
@pytest.mark.parametrize("way", WAYS)
def test_who_resigns_has_lost_and_may_take_it_back(way, human, text, loser, opened, tmp_path):
    window = opened(human, text=text)
    wait_for(window, lambda: window.search is None or window.purpose != "compile")
    use(window, way, "resign")
    window.step()
    assert window.played.resigned == loser and window.played.over and not searching()
    assert "by resignation" in words_of(window)
    result = f"result: {five.core.COLOUR[-loser]} wins by resignation\n"
    assert result in (tmp_path / "game.txt").read_text("utf-8")
    assert saved(tmp_path).resigned == loser and saved(tmp_path).over
    click(window, "a1")
    press(window, "H", "M", "R")
    assert window.game.moves == text.split() and window.played.resigned == loser
    use(window, way, "undo")
    assert window.game.moves == text.split() and not window.played.over
    assert five.core.result_text(window.game, window.played.resigned) == "unfinished"


def test_nobody_resigns_where_there_is_no_game_or_no_person(opened):
    for human, text in (("black", ""), ("none", "d4"), ("both", "a1a2b1b2c1c2d1d2e1")):
        window = opened(human, text=text)
        press(window, "R")
        assert window.played.resigned == 0


@pytest.mark.parametrize("way", WAYS)
def test_new_game_keeps_the_old_one(way, opened, tmp_path):
    window = opened()
    window.played.level = 3
    click(window, "d4")
    use(window, way, "new")
    assert window.game.moves == [] and window.yours and window.played.level == 3
    assert saved(tmp_path).game.moves == ["d4"]
    assert window.finish().game.moves == ["d4"]  # the new one has no move
    assert not searching()


def test_closing_while_the_computer_thinks_leaves_no_thread(opened, pygame, tmp_path):
    window = opened()
    click(window, "d4")
    wait_for_thought(window)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    played = window.run()  # of a search of an hour
    assert played.game.moves == ["d4"] and not searching() and not pygame.display.get_init()
    assert saved(tmp_path).game.moves == ["d4"]


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
    monkeypatch.setattr(five.engine.engine, "think", lambda *_, **__: 1 / 0)
    click(window, "d4")
    with pytest.raises(ZeroDivisionError):
        window.run()
    assert not searching() and not pygame.display.get_init()


def test_the_hover_stone_shows_only_where_a_stone_may_go(opened, pygame):
    window = opened(text="d4 e5")
    for name, shown in (("a1", True), ("d4", False)):
        hover(window, name)
        point = five.core.to_point(name, window.game.rules)
        assert window.look().hover == (point if shown else None)
    hover(window, "a1")
    pygame.event.post(pygame.event.Event(pygame.WINDOWLEAVE))
    window.step()
    assert window.look().hover is None
    hover(window, "a2")
    click(window, "a1")
    assert window.look().hover is None  # it is the computer's turn


def test_nothing_is_painted_while_nothing_changes(opened, pygame):
    window = opened(text="d4 e5")
    wait_for_turn(window)
    window.step()
    surface = pygame.display.get_surface()
    assert not window.paint(surface)
    hover(window, "a1")
    assert not window.paint(surface)  # step() has painted it
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    window.handle(pygame.event.poll(), surface)
    assert window.paint(surface) and not window.paint(surface)


# ---- two persons, two computers --------------------------------------------------------


def test_two_persons_play_each_other(opened):
    window = opened(human="both")
    for number, move in enumerate("a1 a2 b1 b2 c1 c2 d1 d2 e1".split()):
        assert ("Black to move", "White to move")[number % 2] in words_of(window)
        click(window, move)
    wait_for(window, lambda: window.search is None)
    assert "Black wins" in words_of(window) and not window.played.searches
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
    assert set(window.played.thoughts) == set(range(9))


@pytest.mark.parametrize("way", WAYS)
def test_undo_lets_two_computers_pause_until_they_are_told_to_go_on(way, opened):
    window = opened(human="none", simulations=50, size=15)
    wait_for(window, lambda: len(window.game.played) >= 4)
    use(window, way, "undo")
    count = len(window.game.played)
    for _ in range(20):
        window.step()
    assert len(window.game.played) == count and window.search is None and not searching()
    assert "to move" in words_of(window) and control(window, "now").possible
    use(window, way, "undo")
    assert len(window.game.played) == count - 1
    use(window, way, "redo")
    assert len(window.game.played) == count
    use(window, way, "now")
    wait_for(window, lambda: len(window.game.played) >= count + 2)


def test_a_click_moves_for_no_computer(opened):
    window = opened(human="none")
    click(window, "a1")
    press(window, "a", "1", "return", "H")
    assert window.game.moves == [] and not window.asked


# ---- who plays, what board, how strong, how long ---------------------------------------


@pytest.fixture
def limits(monkeypatch):
    """Return a list that grows by what each search was told; the searches are short."""
    told, think = [], five.engine.think

    def noted(game, **how):
        told.append(dict(how))
        return think(game, **how | {"simulations": 20})

    monkeypatch.setattr(five.engine.engine, "think", noted)
    return told


@pytest.mark.parametrize("way", WAYS)
def test_sides_change_before_and_during_a_game(way, opened, tmp_path):
    window = opened(simulations=50, size=15)
    use(window, way, "white")
    assert window.played.players == ("person", "person")
    use(window, way, "white")
    use(window, way, "black")
    assert control(window, "black").caption == "Black: engine"
    assert window.played.players == ("engine", "engine")
    wait_for(window, lambda: len(window.game.played) >= 2)
    use(window, way, "white")
    wait_for_turn(window)
    assert len(window.game.played) % 2 == 1 and window.game.to_move == five.core.WHITE
    use(window, way, "white")
    use(window, way, "black")
    wait_for_turn(window)
    assert window.game.to_move == five.core.BLACK
    assert saved(tmp_path).players == ("person", "engine")


def test_a_change_of_sides_while_the_computer_thinks_gives_its_move_to_the_person(opened):
    window = opened()
    click(window, "d4")
    wait_for_thought(window)
    press(window, "W")
    assert window.yours and not searching() and "White to move" in words_of(window)
    click(window, "e5")
    assert window.game.moves == ["d4", "e5"]


@pytest.mark.parametrize("way", WAYS)
def test_another_size_begins_at_once_on_an_empty_board_else_with_the_next_game(way, opened):
    window = opened()
    use(window, way, "size", 1)
    assert (window.game.rules.size, window.game.rules.height) == (9, 9)
    use(window, way, "size", -1)
    assert window.game.rules == five.core.check_rules(five.core.Rules(8))
    click(window, "d4")
    use(window, way, "size", 1)
    use(window, way, "size", 1)
    assert window.game.moves == ["d4"] and window.game.rules.size == 8
    assert control(window, "size").caption == "next 10×10"
    use(window, way, "new")
    assert window.game.rules == five.core.check_rules(five.core.Rules(10))
    assert control(window, "size").caption == "10×10"
    click(window, "j10")
    assert window.game.moves == ["j10"]


def test_sizes_end_at_3_and_20(opened):
    window = opened(human="both")
    for step, end in ((1, 20), (-1, 3)):
        for _ in range(20):
            use(window, "key", "size", step)
        assert (window.game.rules.size, window.game.rules.height) == (end, end)


def test_cursor_and_hover_stay_on_the_board_when_it_shrinks(opened):
    for rules in (five.core.Rules(20), five.core.Rules(20, 4, rows=20, gravity=True)):
        window = opened(human="both", rules=rules)
        hover(window, "t20")
        press(window, *["up"] * 10)
        for _ in range(17):
            press(window, "[")
        points = window.game.rules.points
        assert window.cursor is None or window.cursor < points
        assert window.hover is None or window.hover < points
        assert window.look().hover is None


@pytest.mark.parametrize("way", WAYS)
def test_levels_change_before_and_during_a_game(way, opened, limits):
    window = opened()
    wait_for(window, lambda: window.search is None)
    assert control(window, "level").caption == "Level 10"
    use(window, way, "level", 1)
    assert window.played.level is None  # there is no 11
    use(window, way, "level", -1)
    assert window.played.level == 9 and control(window, "level").caption == "Level 9"
    click(window, "d4")
    wait_for_turn(window)
    assert limits[-1]["level"] == 9
    for _ in range(12):
        use(window, way, "level", -1)
    assert window.played.level == 1
    click(window, next(name for name in ("a1", "h1") if name not in window.game.moves))
    wait_for_turn(window)
    assert limits[-1]["level"] == 1
    for _ in range(9):
        use(window, way, "level", 1)
    assert window.played.level is None


@pytest.mark.parametrize("way", WAYS)
def test_seconds_change_before_and_during_a_game(way, opened, limits):
    window = opened()
    wait_for(window, lambda: window.search is None)
    use(window, way, "seconds", 1)
    assert window.played.seconds == 3600  # the window offers no more
    use(window, way, "seconds", -1)
    assert window.played.seconds == 60 and control(window, "seconds").caption == "60 s"
    click(window, "d4")
    wait_for_turn(window)
    assert limits[-1]["seconds"] == 60
    for _ in range(12):
        use(window, way, "seconds", -1)
    assert window.played.seconds == 0.1 and control(window, "seconds").caption == "0.1 s"
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
    wait_for(window, lambda: window.search is None or window.purpose != "compile")
    window.step()

    def what_is():
        game, played, search = window.game, window.played, window.search
        hurried = search is not None and search._flag.is_set()
        return game.moves, list(game.undone), played.resigned, window.asked, hurried

    before, possible = (what_is(), window.paused), control(window, name).possible
    getattr(window, name)()
    assert ((what_is(), window.paused) != before) == possible


# ---- the keyboard ----------------------------------------------------------------------


def test_arrows_and_return_place_a_stone(opened):
    window = opened(human="both")
    press(window, "left")
    assert window.look().cursor == five.core.to_point("e5", window.game.rules)
    press(window, "left", "down", "down", "return")
    assert window.game.moves == ["d3"] and window.look().fallen == 1.0  # nothing falls here
    press(window, "up", "right", "space")
    assert window.game.moves == ["d3", "e4"]
    press(window, "return")  # a stone stands there
    assert window.game.moves == ["d3", "e4"]
    press(window, *["right"] * 4, *["up"] * 4, "return")
    assert window.game.moves[-1] == "a8"  # round the edge
    hover(window, "a1")
    assert window.look().cursor is None


@pytest.mark.parametrize("rules", [TIC_TAC_TOE, CONNECT_4, five.core.Rules(20)], ids=str)
def test_arrows_reach_every_point(rules, opened):
    window = opened(human="both", rules=rules)
    press(window, "up")
    seen = {window.cursor}
    for _ in range(rules.height):
        for _ in range(rules.size):
            window.key("right")
            seen.add(window.cursor)
        window.key("up")
    assert seen == set(range(rules.points))


def test_return_without_name_or_cursor_does_nothing(opened):
    window = opened()
    press(window, "return")
    assert window.game.moves == [] and window.view.note == ""


def test_a_typed_point_places_a_stone(opened):
    window = opened(human="both", size=20)
    press(window, "h", "8")
    assert "Move: h8_" in words_of(window) and window.game.moves == []
    press(window, "return")
    assert window.game.moves == ["h8"] and window.typed == ""
    press(window, "t", "2", "0", "return")
    press(window, "b", "a", "1", "return")  # a letter begins anew
    assert window.game.moves == ["h8", "t20", "a1"]
    press(window, "b", "1", "backspace", "2", "return")
    assert window.game.moves[-1] == "b2"
    press(window, "c", "3", "escape", "return")
    assert len(window.game.moves) == 4 and window.open
    press(window, "c", "3")
    click(window, "d5")
    press(window, "return")
    assert window.game.moves[4:] == ["d5"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("h9", "off the board"),
        ("t1", "off the board"),
        ("h", "is not a move"),
        ("8", "is not a move"),
        ("h0", "is not a move"),
        ("d4", "a black stone stands there"),
    ],
)
def test_a_wrong_name_gives_a_note_and_changes_nothing(name, reason, opened):
    window = opened(text="d4 e5")
    press(window, *name, "return")
    assert reason in words_of(window) and window.game.moves == ["d4", "e5"]
    assert window.open and window.yours and window.typed == ""
    press(window, *"a1", "return")
    assert window.game.moves[2:] == ["a1"] and window.view.note == ""


@pytest.mark.parametrize("name", five.core.COMMANDS)
@pytest.mark.parametrize("way", WAYS)
def test_every_command_has_a_control_and_keys_that_call_it(way, name, opened, monkeypatch):
    window, called = opened(), []
    monkeypatch.setattr(window, name, lambda *step: called.append(step))
    keys = five.core.COMMANDS[name][1].split()
    if way == "key":
        press(window, *keys)
    elif name in five.core.PAIRS:
        click(window, (name, -1))
        click(window, (name, 1))
    else:
        click(window, name)
        keys = keys[:1]
    assert called == ([(-1,), (1,)] if name in five.core.PAIRS else [()] * len(keys))
    lines = dict(line.split("\t") for line in five.core.help_of(five.core.COMMANDS))
    assert all(any(key in keys for keys in lines) for key in keys)


def test_plus_and_minus_need_no_shift(opened):
    window = opened()
    press(window, "-", "_", "=")
    assert window.played.level == 9


@pytest.mark.parametrize(
    ("code", "typed", "shift", "key"),
    [
        ("h", "h", False, "h"),
        ("h", "H", True, "H"),
        ("h", "", True, "H"),
        ("/", "?", True, "?"),
        ("8", "[", False, "["),  # AltGr on a German keyboard
        ("w", "\x17", False, "w"),  # with Control
        ("left", "", False, "left"),
        ("return", "\r", False, "return"),
        ("escape", "\x1b", False, "escape"),
        ("backspace", "\x08", False, "backspace"),
        ("delete", "\x7f", False, "backspace"),
        ("[+]", "+", False, "+"),
        ("[-]", "-", False, "-"),
        ("[8]", "8", False, "8"),
    ],
)
def test_a_key_is_what_it_types_or_its_name(code, typed, shift, key, opened, pygame):
    opened()
    numbers = {"[+]": pygame.K_KP_PLUS, "[-]": pygame.K_KP_MINUS, "[8]": pygame.K_KP8}
    code = numbers.get(code) or pygame.key.key_code(code)
    event = pygame.event.Event(
        pygame.KEYDOWN, key=code, unicode=typed, mod=pygame.KMOD_SHIFT if shift else 0
    )
    assert five.core.key_of(event) == key


def test_the_enter_key_of_the_keypad_places_a_stone(opened, pygame):
    window = opened()
    press(window, "h", "8")
    event = {"key": pygame.K_KP_ENTER, "unicode": "\r", "mod": 0}
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, **event))
    window.step()
    assert window.game.moves == ["h8"]


# ---- help, and the game of last time ---------------------------------------------------


def test_the_help_sheet_opens_with_its_key_and_closes_by_any_key_or_click(opened):
    window = opened()
    ends = [
        lambda: press(window, "x"),
        lambda: click(window, "d4"),
        lambda: press(window, "N"),
    ]
    ends += [lambda: press(window, "?"), lambda: press(window, "escape")]
    ends += [lambda: click(window, "close")]
    for open_by, end in zip(WAYS * 3, ends, strict=True):
        assert window.look().sheet == ()
        use(window, open_by, "help")
        assert window.look().sheet == five.core.help_of(five.core.COMMANDS)
        assert control(window, "help").on
        end()
        assert window.look().sheet == () and window.open and window.game.moves == []


@pytest.fixture
def offered(opened):
    """Return a function that opens a window before which a game was not finished."""

    def open_again(human="black", text="d4 e5 a1", first="both", **how):
        window = opened(first, text=text, **how)
        window.keep(window.played)
        window.stop()  # but nobody called finish()
        return opened(human)

    return open_again


def line_of(window, number):
    """Return a pixel on a line of the sheet."""
    lines = window.look().sheet
    x, y, width, height, line = five.core.sheet_box(layout_of(window), len(lines))
    first = y + (height - line * len(lines)) // 2
    return x + width // 3, first + number * line + line // 2


@pytest.mark.parametrize("way", WAYS)
def test_an_unfinished_game_is_offered_and_goes_on(way, offered, tmp_path):
    window = offered(size=9)
    sheet = window.look().sheet
    assert window.offered.date in sheet[0] and "3 moves" in sheet[1] and "9" in sheet[1]
    assert window.game.moves == [] and "return" in sheet[3] and "escape" in sheet[4]
    press(window, "return") if way == "key" else click(window, line_of(window, 3))
    assert window.game.moves == ["d4", "e5", "a1"] and window.look().sheet == ()
    assert window.game.rules.size == 9 and window.played.players == ("person", "person")
    click(window, "i9")
    assert window.game.moves[3:] == ["i9"] and saved(tmp_path).game.moves == window.game.moves
    assert (tmp_path / "game.txt").read_text("utf-8").count("date:") == 1


@pytest.mark.parametrize("way", WAYS)
def test_escape_begins_a_new_game_and_keeps_the_offered_one(way, offered, tmp_path):
    window = offered()
    press(window, "escape") if way == "key" else click(window, line_of(window, 4))
    assert window.open and window.look().sheet == () and window.offered is None
    click(window, "h8")
    assert window.game.moves == ["h8"]
    text = (tmp_path / "game.txt").read_text("utf-8")
    assert "3. a1\n" in text and "1. h8\n" in text and text.count("date:") == 2


def test_other_keys_and_clicks_leave_the_offer_open(offered):
    window = offered()
    press(window, "x", "H", "N", "left", "d")
    places = [line_of(window, number) for number in range(3)]
    beside = [(x, line_of(window, row)[1]) for x in (1, 635) for row in (3, 4)]
    for place in [*places, *beside, "a1", "new"]:
        click(window, place)
        assert window.sheet == "offer" and window.offered and window.game.moves == []


@pytest.mark.parametrize("human", ["white", "none"])
def test_the_computer_waits_for_the_answer_to_the_offer(human, offered, tmp_path):
    window = offered(human)
    window.played.simulations = 20
    file = (tmp_path / "game.txt").read_text("utf-8")
    wait_for(window, lambda: window.search is None)  # the one that only compiles
    for _ in range(5):
        window.step()
        time.sleep(0.02)
    assert window.game.moves == [] and window.search is None
    window.finish()
    assert (tmp_path / "game.txt").read_text("utf-8") == file  # it is offered again
    press(window, "escape")
    wait_for(window, lambda: len(window.game.played) >= 1)


def test_one_move_is_not_called_moves(offered):
    assert "1 move " in offered(text="d4").look().sheet[1]


@pytest.mark.parametrize("text", ["a1a2b1b2c1c2d1d2e1", "resigned", "engines", "none"])
def test_nothing_is_offered_where_nobody_has_left_a_game(text, opened, tmp_path):
    if text == "resigned":
        window = opened("both", text="d4")
        window.resign()
    elif text == "engines":
        window = opened("none", text="d4")
        window.keep(window.played)
    elif text != "none":
        window = opened("both", text=text)
        window.keep(window.played)
    again = opened()
    assert again.offered is None and again.look().sheet == ()


def test_a_file_that_cannot_be_read_offers_nothing(opened, tmp_path):
    (tmp_path / "game.txt").write_bytes(b"\xff\xfenonsense")
    window = opened()
    assert window.offered is None
    click(window, "d4")
    assert saved(tmp_path).game.moves == ["d4"]


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
    assert window.look().hover == five.core.to_point("d4", CONNECT_4)
    for _ in range(5):
        click(window, "d6")
    assert len(window.game.moves) == 8  # the column is full
    hover(window, "d6")
    assert window.look().hover is None
    press(window, "c", "6", "return")
    assert window.game.moves[-1] == "c1"
    press(window, "up", "left", "return")
    assert window.game.moves[-1][0] == "c"


@pytest.mark.parametrize("column", "abcdefg")
def test_a_disc_lands_where_its_typed_column_says(column, opened):
    window = opened(human="both", rules=CONNECT_4)
    for count in range(1, 4):
        press(window, column, "6", "return")
        assert window.game.moves[-1] == f"{column}{count}"


def test_a_full_column_is_refused_with_a_note(opened):
    window = opened(human="both", rules=CONNECT_4, text="d1d2d3d4d5d6")
    press(window, "d", "6", "return")
    assert "stone stands there" in words_of(window) and len(window.game.moves) == 6


def test_a_falling_disc_comes_to_rest(opened, pygame):
    window, now = opened(human="both", rules=CONNECT_4), [100.0]
    wait_for(window, lambda: window.search is None)
    window.clock = lambda: now[0]
    click(window, "d1")
    fallen, painted = [window.look().fallen], 0
    for _ in range(50):
        now[0] += 0.02
        fallen.append(window.look().fallen)
        painted += window.paint(pygame.display.get_surface())
    assert fallen[0] == 0 and fallen == sorted(fallen) and set(fallen[20:]) == {1.0}
    assert 5 < painted < 20  # and then no more
    click(window, "d1")
    press(window, "u")
    assert window.look().fallen == 1.0  # the disc before it does not fall again


def test_the_computer_plays_connect_4(opened):
    window = opened(rules=CONNECT_4, simulations=200)
    for place in ("d6", "a6"):
        click(window, place)
        wait_for_turn(window)
    assert len(window.game.played) == 4
    press(window, "u", "u", "y", "y")
    assert len(window.game.played) == 4


def test_the_computer_stops_a_line_of_tic_tac_toe(opened):
    window = opened(rules=TIC_TAC_TOE, simulations=500)
    click(window, "b2")
    wait_for_turn(window)
    free = [name for name in ("a1", "c1", "a3", "c3") if name not in window.game.moves]
    click(window, free[0])
    wait_for(window, lambda: window.yours or window.game.over)
    opposite = {"a1": "c3", "c3": "a1", "a3": "c1", "c1": "a3"}[free[0]]
    assert opposite in window.game.moves


# ---- the game file ---------------------------------------------------------------------


def example(text="d4 e5 a1", size=8, rules=None, **changes):
    """Return a game of a person, black, whose even moves a search has made."""
    changes = {"seconds": 2.5} | changes
    played = five.core.Played(five.core.Game(rules or five.core.Rules(size)), **changes)
    for ply, move in enumerate(five.core.split_moves(text)):
        played.play(move)
        if ply % 2:
            played.searches[ply] = 1000 + ply, 77 + ply
    return played


EXAMPLES = [
    example(),
    example("a1a2b1b2c1c2d1d2e1"),
    example(resigned=five.core.BLACK),
    example("d4 e5", resigned=five.core.WHITE, level=3),
    example(seconds=None, simulations=500),
    example(seconds=0.25, simulations=7, level=10, players=("engine", "person")),
    example(seconds=0.00001),
    example("d1 d2 d3 a1", rules=CONNECT_4),
    example("t1 a3", rules=five.core.Rules(20, rows=3)),
    example("a1 b2 c3", rules=TIC_TAC_TOE),
]


@pytest.mark.parametrize("played", EXAMPLES, ids=range(len(EXAMPLES)))
def test_a_saved_game_comes_back(played, tmp_path):
    file = tmp_path / "game.txt"
    five.core.save_game(played, file)
    loaded = five.core.load_game(file)
    assert loaded.game.moves == played.game.moves and loaded.source == "saved game"
    assert loaded.game.rules == played.game.rules
    for name in "searches players persons simulations level resigned date over".split():
        assert getattr(loaded, name) == getattr(played, name), name
    assert loaded.seconds == played.seconds
    assert five.core.played_text(loaded) == file.read_text("utf-8")


def test_lines_of_other_games_are_written_only_where_they_are_needed():
    for rules, rows, gravity in (
        (five.core.Rules(8), 0, 0),
        (five.core.Rules(20, rows=3), 1, 0),
        (CONNECT_4, 1, 1),
        (five.core.Rules(7, 4, gravity=True), 0, 1),
    ):
        text = five.core.played_text(example("", rules=rules))
        assert (text.count("\nrows: "), text.count("\ngravity: yes\n")) == (rows, gravity)


def test_every_move_is_on_disk_at_once(opened, tmp_path):
    window = opened(simulations=50)
    for number, move in enumerate(("d4", "a8", "h1")):
        click(window, move)
        assert saved(tmp_path).game.moves[2 * number :] == [move]
        wait_for_turn(window)
        assert saved(tmp_path).game.moves == window.game.moves
        assert saved(tmp_path).searches == window.played.searches
    again = opened()  # a crash: nobody called finish()
    assert again.offered.game.moves == window.game.moves
    press(again, "return")
    assert again.yours and again.played.searches == window.played.searches
    assert (tmp_path / "game.txt").read_text("utf-8").count("date:") == 1


def test_no_game_is_ever_overwritten(tmp_path):
    file = tmp_path / "game.txt"
    first, second = example("d4 e5"), example("a1 b2", 9)
    five.core.save_game(first, file)
    five.core.save_game(second, file)
    first.play("c3")
    five.core.save_game(
        first, file
    )  # it goes on: its own block is replaced, and is the last now
    five.core.save_game(first, file)
    assert (
        file.read_text("utf-8")
        == f"{five.core.played_text(second)}\n{five.core.played_text(first)}"
    )
    assert saved(tmp_path).game.moves == ["d4", "e5", "c3"]


@pytest.mark.parametrize("end", ["won", "resigned"])
def test_a_finished_game_stays_in_the_file_when_its_end_is_taken_back(end, tmp_path):
    file = tmp_path / "game.txt"
    played = example("a1a2b1b2c1c2d1d2" + "e1" * (end == "won"))
    played.resigned = five.core.BLACK if end == "resigned" else 0
    five.core.save_game(played, file)
    finished = five.core.played_text(played)
    if end == "won":
        played.game.undo()
    played.resigned = 0
    five.core.save_game(played, file)
    assert finished in file.read_text("utf-8") and saved(tmp_path).game.moves[-1] == "d2"


def test_what_somebody_wrote_into_the_file_stays(tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(b"my notes \xff\n")
    five.core.save_game(example(), file)
    assert file.read_bytes().startswith(b"my notes \xff\n\ndate: ")
    assert len(saved(tmp_path).game.moves) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["game.txt"]


@pytest.mark.parametrize(
    ("old", "new", "at", "reason"),
    [
        ("size: 8", "size: 21", "1. d4", "size must be from 3 to 20"),
        ("size: 8", "size: eight", "1. d4", "size must be a whole number"),
        ("size: 8", "", "1. d4", "no line 'size:'"),
        ("size: 8", "size: 8\nrows: 2", "1. d4", "rows must be from 3 to 20"),
        ("size: 8", "size: 8\nrows: x", "1. d4", "rows must be a whole number"),
        ("size: 8", "size: 8\ngravity: no", "1. d4", "gravity must be 'yes'"),
        ("size: 8", "size: 8\ngravity: yes", "1. d4", "d4 cannot be played: stones fall"),
        ("in a row: 5", "in a row: 9", "1. d4", "in_a_row must be from 3 to 8"),
        (" seconds", " seconds, level 11", "1. d4", "level must be a whole number from 1"),
        ("2. e5", "2. d4", "2. d4", "d4 cannot be played: a black stone"),
        ("2. e5", "2. z9", "2. z9", "'z9' is off the board"),
        ("2. e5", "4. e5", "4. e5", "move 2 is missing"),
        ("2. e5", "2: e5", "2: e5", "neither a move nor one of"),
        ("3. a1", "3. a1\nsize: 9", "size: 9", "neither a move nor one of"),
        ("unfinished", "draw", "3. a1", "the result should be 'unfinished', not 'draw'"),
        ("unfinished", "red wins", "3. a1", "should be 'unfinished', not 'red wins'"),
        ("date:", "day:", "day:", "neither a move nor one of"),
    ],
)
def test_a_wrong_file_is_refused_with_line_and_reason(old, new, at, reason, tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(five.core.played_text(example()).replace(old, new, 1))
    lines = file.read_text().splitlines()
    number = 1 + max(i for i, line in enumerate(lines) if line.startswith(at))
    with pytest.raises(ValueError, match=reason) as refused:
        five.core.load_game(file)
    assert f"game.txt, line {number}: " in str(refused.value)
    assert five.core.unfinished_game(file) is None


def test_a_finished_game_cannot_be_resigned_in_the_file(tmp_path):
    file = tmp_path / "game.txt"
    text = five.core.played_text(example("a1a2b1b2c1c2d1d2e1"))
    file.write_text(text.replace("black wins", "white wins by resignation"))
    with pytest.raises(ValueError, match="should be 'black wins'"):
        five.core.load_game(file)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"date: x", b"hello", b"1. d4\n"])
def test_a_file_without_a_game_is_refused(data, tmp_path):
    file = tmp_path / "game.txt"
    file.write_bytes(data)
    with pytest.raises(ValueError, match="game.txt, line 1: "):
        five.core.load_game(file)
    assert five.core.unfinished_game(file) is None


def test_a_game_that_cannot_be_saved_goes_on_after_one_sentence(opened, capsys, tmp_path):
    window = opened(simulations=50)
    (tmp_path / "game.txt").mkdir()  # a folder in the file's place: no one may write there
    for move in ("d4", "a8"):
        click(window, move)
        assert "cannot be saved" in words_of(window)
        wait_for_turn(window)
    assert "cannot be saved" in words_of(window)
    assert len(window.finish().game.played) == 4
    assert capsys.readouterr().out.count("cannot be saved") == 1


def test_a_search_repeats_from_what_the_file_says(tmp_path):
    played = five.core.Played(five.core.Game(), seconds=1.0, seed=5)
    played.play("d4")
    thought = five.engine.think(played.game, simulations=700, seed=6)
    played.play(thought.move, thought)
    five.core.save_game(played, tmp_path / "game.txt")
    again = five.core.think_again(saved(tmp_path), 10_000)
    assert (again.thoughts[1].visits == thought.visits).all() and again.repeated == 10_000
    fewer = five.core.think_again(again, 100)
    assert fewer.thoughts[1].simulations == 100 and fewer.repeated == 100


def test_searches_repeat_after_the_level_was_changed(tmp_path):
    played = five.core.Played(five.core.Game(), simulations=300, players=("engine", "engine"))
    for ply in range(6):
        played.level = 1 if ply < 3 else None
        thought = five.engine.think(played.game, simulations=300, seed=ply, level=played.level)
        played.play(thought.move, thought)
    five.core.save_game(played, tmp_path / "game.txt")
    again = five.core.think_again(saved(tmp_path), 10_000)
    assert [again.thoughts[ply].move for ply in range(6)] == played.game.played


# ---- play, with and without a display --------------------------------------------------


@pytest.fixture
def game_file(tmp_path, monkeypatch):
    """Return the file that games are kept in during this test."""
    monkeypatch.setattr(five.core, "game_file", lambda: tmp_path / "game.txt")
    return tmp_path / "game.txt"


@pytest.fixture
def at_a_screen(pygame, monkeypatch):
    """Let windows open on a display that shows nothing; return a function that plays there."""

    def open_window(title=""):
        pygame.display.init()
        pygame.display.set_mode((640, 480))

    def play_there(*keys):
        def run(window):
            press(window, *keys)
            pygame.display.quit()
            return window.finish()

        monkeypatch.setattr(five.core.Window, "run", run)

    monkeypatch.setattr(five.core, "open_window", open_window)
    return play_there


def test_play_returns_the_game_and_the_next_one_offers_it(at_a_screen, tmp_path):
    file = tmp_path / "mine.txt"
    at_a_screen("d", "4", "return", "e", "5", "return")
    first = five.core.play(human="both", path=file, level=4, rules=five.core.Rules(9))
    assert first.game.moves == ["d4", "e5"] and first.level == 4
    assert five.core.load_game(file).game.rules.size == 9
    at_a_screen("return", "a", "1", "return")
    assert five.core.play(path=file).game.moves == ["d4", "e5", "a1"]
    at_a_screen("escape", "a", "1", "return")
    assert five.core.play(path=file).game.moves[0] == "a1"


@pytest.mark.parametrize(
    "rules, title",
    [
        (five.core.Rules(9), "Five in a row, 9×9"),
        (five.core.Rules(7, 4, rows=6, gravity=True), "Connect-4, 7×6"),
        (five.core.Rules(3, 3), "3 in a row, 3×3"),
    ],
)
def test_the_window_says_what_is_played(rules, title, at_a_screen, monkeypatch, tmp_path):
    titles, open_window = [], five.core.open_window
    monkeypatch.setattr(five.core, "open_window", lambda t: titles.append(t) or open_window(t))
    at_a_screen("escape")
    five.core.play(rules=rules, path=tmp_path / "game.txt")
    assert titles == [title]


def test_play_here_shows_the_engine_where_nothing_is_recorded(game_file, capsys):
    played = five.core.play_here(size=5)
    assert played.source == "engine against classic" and played.game.over
    assert played.persons == () and set(played.thoughts) == set(range(1, 25, 2))
    assert capsys.readouterr().out.count("\n") == 1 and not game_file.exists()
    assert five.core.play_here(size=5).game.moves == played.game.moves


def test_play_here_shows_the_saved_game(game_file, capsys):
    five.core.save_game(example(), game_file)
    before = game_file.read_bytes()
    played = five.core.play_here()
    assert played.source == "saved game" and played.game.moves == ["d4", "e5", "a1"]
    assert list(played.thoughts) == [1] and game_file.read_bytes() == before
    assert "saved" in capsys.readouterr().out


def test_play_here_says_why_a_saved_game_cannot_be_read(game_file, capsys):
    game_file.write_text("date: today\nnonsense\n")
    assert five.core.play_here(size=3).source == "engine against classic"
    assert "line 2: 'nonsense'" in capsys.readouterr().out


@pytest.mark.parametrize("driver", ["dummy", "offscreen", "nonsense"])
def test_play_here_never_hangs_without_a_display(driver, game_file, monkeypatch, capsys):
    monkeypatch.setenv("SDL_VIDEODRIVER", driver)
    monkeypatch.delenv("FIVE_PLAY")
    five.core.load_pygame().display.quit()
    assert five.core.play_here(size=3).source == "engine against classic"
    assert driver in capsys.readouterr().out
    with pytest.raises(five.core.NoDisplay):
        five.core.play()


def test_play_here_falls_back_where_no_move_was_made(game_file, monkeypatch, capsys):
    monkeypatch.delenv("FIVE_PLAY")
    monkeypatch.setattr(five.core, "play", lambda *_, **__: five.core.new_played(3))
    assert five.core.play_here(size=3).source == "engine against classic"
    assert "no move was made" in capsys.readouterr().out


def test_game_of_takes_a_game_a_board_or_the_recorded_one(game_file, opened, capsys):
    played = example()
    assert five.core.game_of(played) is played
    assert five.core.game_of(opened(text="d4")).game.moves == ["d4"]
    assert five.core.game_of(five.core.new_played(3)).source == "engine against classic"
    assert "no move was made" in capsys.readouterr().out


def test_a_board_in_the_notebook_needs_a_notebook():
    with pytest.raises(five.core.NoInline):
        five.core.play_inline()


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ({"size": 2}, "from 3 to 20"),
        ({"size": 21}, "from 3 to 20"),
        ({"size": "8"}, "whole number"),
        ({"seconds": -1}, "from 0 to 3600"),
        ({"seconds": 3601}, "from 0 to 3600"),
        ({"seconds": float("nan")}, "from 0 to 3600"),
        ({"seconds": "5"}, "from 0 to 3600"),
        ({"seconds": True}, "from 0 to 3600"),
        ({"human": "red"}, "'black', 'white', 'both' or 'none'"),
        ({"level": 0}, "from 1 to 10"),
        ({"level": 11}, "from 1 to 10"),
        ({"level": "3"}, "from 1 to 10"),
        ({"rules": five.core.Rules(8, 9)}, "in_a_row must be from 3 to 8"),
        ({"rules": five.core.Rules(8, rows=2)}, "rows must be from 3 to 20"),
    ],
)
def test_bad_arguments_are_refused_with_what_is_allowed(arguments, allowed):
    functions = (five.core.play, five.core.play_inline, five.core.play_here)
    for function in functions[: 2 if "rules" in arguments else 3]:
        with pytest.raises(ValueError, match=allowed):
            function(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--size", "2"],
        ["--size", "x"],
        ["--seconds", "-1"],
        ["--color", "red"],
        ["--level", "11"],
        ["--no"],
    ],
    ids=" ".join,
)
def test_command_line_ends_with_2_and_one_sentence(arguments, capsys):
    try:
        status = five.command_line.main(arguments)
    except SystemExit as end:
        status = end.code
    told = capsys.readouterr()
    assert (status, told.out, told.err.count("\n")) == (2, "", 1)
    assert told.err.startswith("five_in_a_row.py: ")


def test_command_line_prints_result_and_record(at_a_screen, game_file, capsys):
    at_a_screen("W", "d", "4", "return")
    assert five.command_line.main(["--size", "9", "--level", "2", "--seconds", "1"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("unfinished\n") and "  1. d4\n" in told
    at_a_screen("return", "R")
    assert five.command_line.main([]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Black wins by resignation, 1 move\n")
    assert saved(game_file.parent).level == 2 and saved(game_file.parent).game.rules.size == 9


# ---- random events ---------------------------------------------------------------------


KEYS = [
    *five.core.keys_of(five.core.COMMANDS),
    *five.core.ARROWS,
    "return",
    "space",
    *"abcdefgh12345678",
    "x",
]
PIXELS = [(400, 400), (300, 200), (640, 480), (240, 420), (60, 40), (900, 300)]
KINDS = dict(
    point=30, key=25, control=20, motion=8, pixel=6, wait=6, resize=2, leave=2, focus=2
)


def random_event(window, chance):
    """Let one thing happen to the window; return what it was, to be read after a failure."""
    pygame, layout = five.core.load_pygame(), layout_of(window)
    width, height = pygame.display.get_surface().get_size()
    (kind,) = chance.choices(list(KINDS), KINDS.values())
    place = chance.randrange(width), chance.randrange(height)
    if kind == "point":
        click(window, five.core.to_pixel(chance.randrange(window.game.rules.points), layout))
    elif kind == "key":
        press(window, kind := chance.choice(KEYS))
    elif kind == "control":
        click(window, kind := (chance.choice(list(window.commands)), chance.choice((-1, 1))))
    elif kind == "pixel":
        click(window, place, button=chance.choice((1, 1, 2, 3, 4)))
    elif kind == "motion":
        hover(window, place)
    elif kind == "resize":
        pygame.display.set_mode(chance.choice(PIXELS))
    elif kind == "wait":
        count = len(window.game.played)
        wait_for(window, lambda: window.search is None or len(window.game.played) != count)
    else:
        focus = chance.choice((pygame.WINDOWFOCUSLOST, pygame.WINDOWFOCUSGAINED, pygame.QUIT))
        what = pygame.WINDOWLEAVE if kind == "leave" else focus
        pygame.event.post(pygame.event.Event(what))
    window.step()
    return kind


def check_window(window):
    """Check what must hold whatever has happened."""
    game, again = window.game, five.core.Game(window.game.rules)
    for move in game.moves:
        again.play(move)
    assert (again.array == game.array).all() and again.to_move == game.to_move
    assert again.five == game.five and again.winner == game.winner
    assert len(searching()) <= 1
    assert window.look() and words_of(window)


@pytest.mark.parametrize("seed", [2024, 2025, 2026])
@pytest.mark.parametrize(
    "rules", [five.core.Rules(), CONNECT_4, TIC_TAC_TOE], ids=["5", "4", "3"]
)
def test_random_events_leave_a_sound_window(rules, seed, full, opened, monkeypatch, tmp_path):
    chance, happened, file = random.Random(seed), [], tmp_path / "game.txt"
    closed, close = [], five.core.Window.close
    monkeypatch.setattr(five.core.Window, "close", lambda self: closed.append(close(self)))
    window = opened(rules=rules, simulations=50)
    for _ in range((100_000 if full else 1_500) // 9 + 1):
        happened.append(random_event(window, chance))
        check_window(window)
        assert window.open == (not closed)
        if closed:
            played = window.finish()
            assert not searching()
            if played.game.played:
                assert five.core.load_game(file).game.moves
            if chance.random() < 0.5:
                file.unlink(missing_ok=True)
            closed.clear()
            window = opened(
                chance.choice(list(five.core.PERSONS)), rules=rules, simulations=50
            )

"""The controller: keys, typed points, sheets, and random events against all of the window.

The last test posts random events and checks after each of them that the window is sound.
"""

import random
import time
import types

import five_in_a_row as five
import pytest
from window_lab import COMMANDS, CONNECT_4, CONTROLS, PAIRS, TIC_TAC_TOE, searching

HUMANS = five.window.PERSONS


# ---- the keyboard ----------------------------------------------------------------------


def test_arrows_and_return_place_a_stone(opened):
    window = opened(human="both")
    window.press("left")
    assert window.look().cursor == five.game.to_point("e5", window.game.rules)
    window.press("left", "down", "down", "return")
    assert window.game.moves == ["d3"]
    window.press("up", "right", "space")
    assert window.game.moves == ["d3", "e4"]
    window.press("return")  # a stone stands there
    assert window.game.moves == ["d3", "e4"]
    window.press(*["right"] * 4, *["up"] * 4, "return")
    assert window.game.moves[-1] == "a8"  # round the edge
    window.hover("a1")
    assert window.look().cursor is None


def test_a_typed_point_places_a_stone(opened):
    window = opened(human="both", size=20)
    window.press("h", "8")
    assert "Move: h8_" in window.words and window.game.moves == []
    window.press("return")
    assert window.game.moves == ["h8"] and window.typed == ""
    window.press("t", "2", "0", "return")
    window.press("b", "a", "1", "return")  # a letter begins anew
    assert window.game.moves == ["h8", "t20", "a1"]
    window.press("b", "1", "backspace", "2", "return")
    assert window.game.moves[-1] == "b2"
    window.press("c", "3", "escape", "return")
    assert len(window.game.moves) == 4 and window.session.open
    window.press("c", "3")
    window.click("d5")
    window.press("return")
    assert window.game.moves[4:] == ["d5"]


WRONG = [("h9", "off the board"), ("8", "is not a move"), ("d4", "a black stone stands there")]


@pytest.mark.parametrize(("name", "reason"), WRONG)
def test_a_wrong_name_gives_a_note_and_changes_nothing(name, reason, opened):
    window = opened(text="d4 e5")
    window.press(*name, "return")
    assert reason in window.words and window.game.moves == ["d4", "e5"]
    assert window.session.open and window.yours and window.typed == ""
    window.press(*"a1", "return")
    assert window.game.moves[2:] == ["a1"] and reason not in window.words


@pytest.mark.parametrize("name", CONTROLS)
def test_every_control_calls_its_command(name, opened, monkeypatch):
    window, called = opened(), []
    command = window.commands[name]._replace(action=lambda _, *step: called.append(step))
    monkeypatch.setitem(window.commands, name, command._replace(possible=bool))
    for step in (-1, 1):
        window.click((name, step))
    assert called == ([(-1,), (1,)] if name in PAIRS else [(), ()])


@pytest.mark.parametrize(
    ("code", "typed", "shift", "key"),
    [
        ("h", "", True, "H"),
        ("h", "H", False, "h"),  # with Caps Lock
        ("h", "h", True, "H"),  # with Caps Lock and Shift
        ("8", "[", False, "["),  # AltGr on a German keyboard
        ("w", "\x17", False, "w"),  # with Control
        ("return", "\r", False, "return"),
        ("delete", "\x7f", False, "backspace"),
        ("[+]", "+", False, "+"),
    ],
)
def test_a_key_is_what_it_types_or_its_name(code, typed, shift, key, opened, pygame):
    opened()
    code = pygame.K_KP_PLUS if code == "[+]" else pygame.key.key_code(code)
    event = pygame.event.Event(
        pygame.KEYDOWN, key=code, unicode=typed, mod=pygame.KMOD_SHIFT if shift else 0
    )
    assert five.window.key_of(event) == key


# ---- commands and points share no key ---------------------------------------------------


def table_of(rules, add=None, board=None):
    """Return the controller of a window for those rules, with what `add` adds to it."""
    session = five.window.Session(five.window.GameRecord(five.game.Game(rules)), {})
    made = five.window.Controller(session, board)
    (add or five.extras.add_extras)(made)
    return made


def in_a_notebook(controller):
    """Add what a board inside the notebook has."""
    five.extras.add_with_figures(controller)
    five.inline.add_show(types.SimpleNamespace(controller=controller))


def every_table():
    """Yield (name, controller) of every window and board there is."""
    for size in (3, 20):
        yield f"window of {size}", table_of(five.game.Rules(size, min(size, 5)))
    yield "Connect-4", table_of(CONNECT_4, board=five.connect_four.Rack())
    yield "without the package", table_of(five.game.Rules(), lambda controller: None)
    yield "in a notebook", table_of(five.game.Rules(15), in_a_notebook)
    yield "desk", table_of(five.game.Rules(20), five.desk.Desk)
    yield "Ludo", ludo_table()
    yield "Ludo in a notebook", ludo_table(five.inline.add_show)


def ludo_table(add=lambda board: None):
    """Return the controller of Ludo's window, with what `add` adds to its board."""
    record = five.ludo_board.ludo_record(five.ludo.LudoRules(2), 1)
    controller = five.ludo_board.ludo_controller(record, five.ludo.random_ludo)
    add(types.SimpleNamespace(controller=controller))
    return controller


def test_a_game_is_shown_in_figures_where_it_has_any():
    assert "show" in table_of(five.game.Rules(15), in_a_notebook).commands
    assert "show" not in ludo_table(five.inline.add_show).commands


@pytest.mark.parametrize(
    ("name", "controller"), every_table(), ids=lambda value: str(value)[:20]
)
def test_no_key_is_both_a_command_and_part_of_a_point(name, controller):
    acted, rules = [], controller.session.game.rules
    for each, command in controller.commands.items():
        noted = command._replace(action=lambda *_, n=each: acted.append(n), possible=bool)
        controller.commands[each] = noted
    keys = [key for command in controller.commands.values() for key in command.keys.split()]
    assert len(keys) == len(set(keys))
    panels = [each for each in controller.panels if isinstance(each, five.extras.Typed)]
    for typed in panels:
        for point in range(rules.points):
            spelt = five.game.point_name(point, rules.size)
            for key in spelt:
                five.window.press_key(controller, key)
            assert typed.typed == spelt and not acted
            five.window.press_key(controller, "escape")
            assert typed.typed == "" and not acted
        assert any(line.startswith("Escape") for line in help_of(controller))
        assert any("type a point" in line for line in help_of(controller))
    for command, known in controller.commands.items():
        for key in known.keys.split():
            five.window.press_key(controller, key)
            assert acted.pop() == command and not acted
            assert all(typed.typed == "" for typed in panels)
            assert any(
                five.window.key_label(key) in line.partition("\t")[0]
                for line in help_of(controller)
            )


def help_of(controller):
    """Return the list of keys."""
    five.window.show_help(controller)
    lines, controller.view.overlay = controller.view.overlay, ()
    return lines


LEAVE = {
    "Escape": lambda window: window.press("escape"),
    "a stone": lambda window: window.click("a1"),
    "a game that is loaded": lambda window: five.window.new_game(window.session),
}


@pytest.mark.parametrize("way", LEAVE)
def test_what_is_typed_never_sticks(way, opened):
    window = opened(human="both", text="d4 e5")
    window.press("h")
    assert "Move: h_" in window.words
    LEAVE[way](window)
    window.step()
    assert window.typed == "" and "Move:" not in window.words and window.session.open
    window.press("8", "return")  # of h8 nothing is left
    assert "h8" not in window.game.moves


# ---- help, and the game of last time ---------------------------------------------------


def test_the_help_opens_with_its_key_and_closes_by_any_key_or_click(opened):
    window = opened()
    for act, what in ((window.press, "N"), (window.press, "escape"), (window.click, "d4")):
        window.press("?")
        assert len(window.overlay) == len(COMMANDS) + 3  # arrows, typed points, the ribbon
        act(what)
        assert window.overlay == () and window.session.open and window.game.moves == []


@pytest.fixture
def offered(opened):
    """Return a function that opens a window before which a game was not finished."""

    def open_again(human="black", text="d4 e5 a1", first="both", **how):
        window = opened(first, text=text, **how)
        window.session.keep(window.record)
        five.window.stop_search(window.session)  # but nobody called finish()
        return opened(human)

    return open_again


def test_an_unfinished_game_is_offered_and_goes_on(offered):
    window = offered(size=9)
    window.prepared()
    words = window.words
    assert window.games.offered.date in words and "9×9, move 3" in words
    assert window.game.moves == [] and "L goes on" in words and "N begins another" in words
    window.click("last")
    assert window.game.moves == ["d4", "e5", "a1"] and "not finished" not in window.words
    assert window.game.rules.size == 9 and window.record.players == ("person", "person")
    assert not window.control("last").possible


def test_the_game_that_a_new_one_left_can_go_on_and_back_again(opened):
    window = opened("both")
    assert not window.control("last").possible
    window.click("d4")
    window.press("N")
    assert window.game.moves == [] and window.control("last").possible
    window.click("e5")
    window.press("L")
    assert window.game.moves == ["d4"]
    window.press("L")
    assert window.game.moves == ["e5"]


@pytest.mark.parametrize("key", ["N", None])
def test_a_new_game_keeps_the_offered_one(key, offered, tmp_path):
    window = offered()
    window.press(*[key] if key else [])
    window.click("h8")
    assert window.game.moves == ["h8"] and not window.session.paused
    assert window.control("last").possible  # still
    window.click("last")
    assert window.game.moves == ["d4", "e5", "a1"]
    window.click("b1")
    text = (tmp_path / "game.txt").read_text("utf-8")
    assert "4. b1\n" in text and "1. h8\n" in text and text.count("date:") == 2


@pytest.mark.parametrize("human", ["white", "none"])
def test_the_computer_waits_for_the_answer_to_the_offer(human, offered, tmp_path):
    window = offered(human)
    window.record.simulations = 20
    file = (tmp_path / "game.txt").read_text("utf-8")
    window.prepared()
    for _ in range(5):
        window.step()
        time.sleep(0.02)
    assert window.game.moves == [] and window.session.search is None
    window.finish()
    assert (tmp_path / "game.txt").read_text("utf-8") == file  # it is offered again
    window.press("N")
    window.record.simulations = 20
    window.wait_for(lambda: len(window.game.played) >= 1)


@pytest.mark.parametrize("text", ["a1a2b1b2c1c2d1d2e1", "resigned", "engines", "none"])
def test_nothing_is_offered_where_nobody_has_left_a_game(text, opened, tmp_path):
    if text == "resigned":
        window = opened("both", text="d4")
        five.extras.resign(window.session)
    elif text == "engines":
        window = opened("none", text="d4")
        window.session.keep(window.record)
    elif text != "none":
        window = opened("both", text=text)
        window.session.keep(window.record)
    again = opened()
    assert again.games.offered is None and again.overlay == ()


# ---- random events ---------------------------------------------------------------------


KEYS = [
    *[key for each in COMMANDS.values() for key in each.keys.split()],
    *"=_",
    *five.window.ARROWS,
    "return",
    "space",
    *"abcdefgh12345678",
    "x",
]
PIXELS = [(400, 400), (300, 200), (640, 480), (240, 420), (60, 40), (900, 300)]
KINDS = dict(
    point=30, key=25, control=20, motion=8, pixel=6, wait=6, resize=2, leave=2, focus=2
)


def random_event(window, rng):
    """Let one thing happen to the window; return what it was, to be read after a failure."""
    pygame, layout = five.window.load_pygame(), window.layout
    width, height = pygame.display.get_surface().get_size()
    (kind,) = rng.choices(list(KINDS), KINDS.values())
    place = rng.randrange(width), rng.randrange(height)
    if kind == "point":
        window.click(five.window.to_pixel(rng.randrange(window.game.rules.points), layout))
    elif kind == "key":
        window.press(kind := rng.choice(KEYS))
    elif kind == "control":
        window.click(kind := (rng.choice(window.controller.controls()), rng.choice((-1, 1))))
    elif kind == "pixel":
        window.click(place, button=rng.choice((1, 1, 2, 3, 4)))
    elif kind == "motion":
        window.hover(place)
    elif kind == "resize":
        pygame.display.set_mode(rng.choice(PIXELS))
    elif kind == "wait":
        count = len(window.game.played)
        window.wait_for(
            lambda: window.session.search is None or len(window.game.played) != count
        )
    else:
        focus = rng.choice((pygame.WINDOWFOCUSLOST, pygame.WINDOWFOCUSGAINED, pygame.QUIT))
        what = pygame.WINDOWLEAVE if kind == "leave" else focus
        pygame.event.post(pygame.event.Event(what))
    window.step()
    return kind


@pytest.mark.parametrize("seed", [2024, 2025, 2026])
@pytest.mark.parametrize(
    "rules", [five.game.Rules(), CONNECT_4, TIC_TAC_TOE], ids=["5", "4", "3"]
)
def test_random_events_leave_a_sound_window(rules, seed, full, opened, monkeypatch, tmp_path):
    rng, happened, file = random.Random(seed), [], tmp_path / "game.txt"
    closed, close = [], five.window.COMMANDS["close"]
    noted = close._replace(action=lambda controller: closed.append(close.action(controller)))
    monkeypatch.setitem(five.window.COMMANDS, "close", noted)
    window = opened(rules=rules, simulations=50)
    for _ in range((100_000 if full else 1_500) // 9 + 1):
        happened.append(random_event(window, rng))
        window.check_game()
        assert len(searching()) <= 1 and window.look() and window.words
        assert window.session.open == (not closed)
        if closed:
            played = window.finish()
            assert not searching()
            if played.game.played:
                assert five.game_file.load_game(file).game.moves
            if rng.random() < 0.5:
                file.unlink(missing_ok=True)
            closed.clear()
            window = opened(rng.choice(HUMANS), rules=rules, simulations=50)

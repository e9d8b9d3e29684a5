"""The controller: keys, typed points, sheets, and random events against all of the window.

The last test posts random events and checks after each of them that the window is sound.
"""

# ruff: noqa: F811 (a fixture is named by the argument of a test)

import random
import time
import types

import five_in_a_row as five
import pytest
from window_lab import (  # noqa: F401
    COMMANDS,
    CONNECT_4,
    CONTROLS,
    PAIRS,
    TIC_TAC_TOE,
    WAYS,
    click,
    compiled,
    control,
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
    words_of,
)

HUMANS = five.window.PERSONS


# ---- the keyboard ----------------------------------------------------------------------


def test_arrows_and_return_place_a_stone(opened):
    window = opened(human="both")
    press(window, "left")
    assert window.look().cursor == five.game.to_point("e5", window.game.rules)
    press(window, "left", "down", "down", "return")
    assert window.game.moves == ["d3"]
    press(window, "up", "right", "space")
    assert window.game.moves == ["d3", "e4"]
    press(window, "return")  # a stone stands there
    assert window.game.moves == ["d3", "e4"]
    press(window, *["right"] * 4, *["up"] * 4, "return")
    assert window.game.moves[-1] == "a8"  # round the edge
    hover(window, "a1")
    assert window.look().cursor is None


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
    assert len(window.game.moves) == 4 and window.session.open
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
    assert window.session.open and window.yours and window.typed == ""
    press(window, *"a1", "return")
    assert window.game.moves[2:] == ["a1"] and reason not in words_of(window)


@pytest.mark.parametrize(
    ("way", "name"),
    [("key", name) for name in COMMANDS] + [("mouse", name) for name in CONTROLS],
)
def test_every_command_has_keys_that_call_it_and_so_does_every_control(
    way, name, opened, monkeypatch
):
    window, called = opened(), []
    command = window.commands[name]._replace(action=lambda _, *step: called.append(step))
    command = command._replace(possible=lambda c: True)
    monkeypatch.setitem(window.commands, name, command)
    keys = COMMANDS[name].keys.split()
    if way == "key":
        press(window, *keys)
    elif name in PAIRS:
        click(window, (name, -1))
        click(window, (name, 1))
    else:
        click(window, name)
        keys = keys[:1]
    assert called == ([(-1,), (1,)] if name in PAIRS else [()] * len(keys))
    five.window.show_help(window.controller)
    lines = dict(line.split("\t") for line in window.overlay)
    labels = [key for line in lines for key in line.split(" or ")]
    assert all(five.window.key_label(key) in labels for key in keys)


@pytest.mark.parametrize(
    ("code", "typed", "shift", "key"),
    [
        ("h", "h", False, "h"),
        ("h", "H", True, "H"),
        ("h", "", True, "H"),
        ("h", "H", False, "h"),  # with Caps Lock
        ("h", "h", True, "H"),  # with Caps Lock and Shift
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
    assert five.window.key_of(event) == key


# ---- commands and points share no key ---------------------------------------------------


def table_of(rules, add=None, board=None):
    """Return the controller of a window for those rules, with what `add` adds to it."""
    session = five.window.Session(five.window.GameRecord(five.game.Game(rules)), {})
    made = five.window.Controller(session, board)
    (add or five.extras.add_extras)(made)
    return made


def in_a_notebook(c):
    """Add what a board inside the notebook has."""
    five.extras.add_with_figures(c)
    five.inline.add_show(types.SimpleNamespace(controller=c))


def every_table():
    """Yield (name, controller) of every window and board there is."""
    for size in (3, 8, 15, 20):
        yield f"window of {size}", table_of(five.game.Rules(size, min(size, 5)))
    yield "tic-tac-toe", table_of(TIC_TAC_TOE)
    yield "Connect-4", table_of(CONNECT_4, board=five.connect_four.Rack())
    yield "without the package", table_of(five.game.Rules(), lambda c: None)
    yield "above figures", table_of(five.game.Rules(), five.extras.add_with_figures)
    yield "in a notebook", table_of(five.game.Rules(15), in_a_notebook)
    yield "desk", table_of(five.game.Rules(20), five.desk.Desk)
    agent = five.ludo.random_ludo
    yield (
        "Ludo",
        five.ludo_board.ludo_controller(
            five.ludo_board.ludo_record(five.ludo.LudoRules(2), 1), agent
        ),
    )


@pytest.mark.parametrize(("name", "c"), every_table(), ids=lambda value: str(value)[:20])
def test_no_key_is_both_a_command_and_part_of_a_point(name, c):
    acted, rules = [], c.session.game.rules
    for each, command in c.commands.items():
        noted = command._replace(action=lambda *_, n=each: acted.append(n), possible=bool)
        c.commands[each] = noted
    keys = [key for command in c.commands.values() for key in command.keys.split()]
    assert len(keys) == len(set(keys))
    panels = [each for each in c.panels if isinstance(each, five.extras.Typed)]
    for typed in panels:
        for point in range(rules.points):
            spelt = five.game.point_name(point, rules.size)
            for key in spelt:
                five.window.press_key(c, key)
            assert typed.typed == spelt and not acted
            five.window.press_key(c, "escape")
            assert typed.typed == "" and not acted
        assert any(line.startswith("Escape") for line in help_of(c))
        assert any("type a point" in line for line in help_of(c))
    for command, known in c.commands.items():
        for key in known.keys.split():
            five.window.press_key(c, key)
            assert acted.pop() == command and not acted
            assert all(typed.typed == "" for typed in panels)
            assert any(
                five.window.key_label(key) in line.partition("\t")[0] for line in help_of(c)
            )


def help_of(c):
    """Return the list of keys."""
    five.window.show_help(c)
    lines, c.view.overlay = c.view.overlay, ()
    return lines


def test_the_list_says_exactly_what_to_press(opened):
    lines = dict(line.split("\t") for line in help_of(opened(size=15).controller))
    assert lines["Shift+H"] == "what would the computer play?"
    assert "U or Backspace" in lines and "Y" in lines and "Escape" in lines
    assert lines["h8, Enter"] == "type a point, play there; Escape clears it"
    lines = help_of(opened(rules=TIC_TAC_TOE).controller)
    assert any(line.startswith("b2, Enter\t") for line in lines)


LEAVE = {
    "Escape": lambda window: press(window, "escape"),
    "a click": lambda window: click(window, (2, 2)),
    "a stone": lambda window: click(window, "a1"),
    "undo": lambda window: use(window, "mouse", "undo"),
    "undo by its key": lambda window: press(window, "u"),
    "another command": lambda window: press(window, "V"),
    "an arrow": lambda window: press(window, "left"),
    "the list of keys": lambda window: press(window, "?"),
    "a move of the computer": lambda window: (window.record.play("c3"), window.step()),
    "a game that is loaded": lambda window: five.window.new_game(window.session),
}


@pytest.mark.parametrize("way", LEAVE)
def test_what_is_typed_never_sticks(way, opened):
    window = opened(human="both", text="d4 e5")
    press(window, "h")
    assert "Move: h_" in words_of(window) and "Shift+H: Hint" in words_of(window)
    LEAVE[way](window)
    window.step()
    assert window.typed == "" and "Move:" not in words_of(window) and window.session.open
    moves = list(window.game.moves)
    press(window, "8", "return")  # of h8 nothing is left
    assert "h8" not in window.game.moves and window.game.moves == moves


# ---- help, and the game of last time ---------------------------------------------------


def test_the_help_opens_with_its_key_and_closes_by_any_key_or_click(opened):
    window = opened()
    ends = [
        lambda: press(window, "x"),
        lambda: click(window, "d4"),
        lambda: press(window, "N"),
    ]
    ends += [lambda: press(window, "?"), lambda: press(window, "escape")]
    ends += [lambda: click(window, "close")]
    for open_by, end in zip(WAYS * 3, ends, strict=True):
        assert window.overlay == ()
        use(window, open_by, "help")
        assert len(window.overlay) == len(COMMANDS) + 2
        end()
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


@pytest.mark.parametrize("way", WAYS)
def test_an_unfinished_game_is_offered_and_goes_on(way, offered, tmp_path):
    window = offered(size=9)
    prepared(window)
    words = words_of(window)
    assert window.games.offered.date in words and "9×9, move 3" in words
    assert window.game.moves == [] and "L goes on" in words and "N begins another" in words
    assert control(window, "last").possible
    use(window, way, "last")
    assert window.game.moves == ["d4", "e5", "a1"] and "not finished" not in words_of(window)
    assert window.game.rules.size == 9 and window.record.players == ("person", "person")
    assert not control(window, "last").possible
    click(window, "i9")
    assert window.game.moves[3:] == ["i9"] and saved(tmp_path).game.moves == window.game.moves
    assert (tmp_path / "game.txt").read_text("utf-8").count("date:") == 1


@pytest.mark.parametrize("way", [*WAYS, "click"])
def test_a_new_game_keeps_the_offered_one(way, offered, tmp_path):
    window = offered()
    if way != "click":
        use(window, way, "new")
    assert window.session.open and window.overlay == ()
    click(window, "h8")
    assert window.game.moves == ["h8"] and not window.session.paused
    assert control(window, "last").possible  # still
    text = (tmp_path / "game.txt").read_text("utf-8")
    assert "3. a1\n" in text and "1. h8\n" in text and text.count("date:") == 2
    use(window, "key", "last")
    assert window.game.moves == ["d4", "e5", "a1"]
    click(window, "b1")
    text = (tmp_path / "game.txt").read_text("utf-8")
    assert "4. b1\n" in text and "1. h8\n" in text and text.count("date:") == 2


@pytest.mark.parametrize("human", ["white", "none"])
def test_the_computer_waits_for_the_answer_to_the_offer(human, offered, tmp_path):
    window = offered(human)
    window.record.simulations = 20
    file = (tmp_path / "game.txt").read_text("utf-8")
    prepared(window)
    for _ in range(5):
        window.step()
        time.sleep(0.02)
    assert window.game.moves == [] and window.session.search is None
    window.finish()
    assert (tmp_path / "game.txt").read_text("utf-8") == file  # it is offered again
    press(window, "N")
    window.record.simulations = 20
    wait_for(window, lambda: len(window.game.played) >= 1)


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
    pygame, layout = five.window.load_pygame(), layout_of(window)
    width, height = pygame.display.get_surface().get_size()
    (kind,) = rng.choices(list(KINDS), KINDS.values())
    place = rng.randrange(width), rng.randrange(height)
    if kind == "point":
        click(window, five.window.to_pixel(rng.randrange(window.game.rules.points), layout))
    elif kind == "key":
        press(window, kind := rng.choice(KEYS))
    elif kind == "control":
        click(window, kind := (rng.choice(window.controller.controls()), rng.choice((-1, 1))))
    elif kind == "pixel":
        click(window, place, button=rng.choice((1, 1, 2, 3, 4)))
    elif kind == "motion":
        hover(window, place)
    elif kind == "resize":
        pygame.display.set_mode(rng.choice(PIXELS))
    elif kind == "wait":
        count = len(window.game.played)
        wait_for(
            window, lambda: window.session.search is None or len(window.game.played) != count
        )
    else:
        focus = rng.choice((pygame.WINDOWFOCUSLOST, pygame.WINDOWFOCUSGAINED, pygame.QUIT))
        what = pygame.WINDOWLEAVE if kind == "leave" else focus
        pygame.event.post(pygame.event.Event(what))
    window.step()
    return kind


def check_window(window):
    """Check what must hold whatever has happened."""
    game, again = window.game, window.game.copy()
    while again.played:
        again.undo()
    assert not again.array.any()  # whoever began
    for move in game.moves:
        again.play(move)
    assert (again.array == game.array).all() and again.to_move == game.to_move
    assert again.five == game.five and again.winner == game.winner
    assert len(searching()) <= 1
    assert window.look() and words_of(window)


@pytest.mark.parametrize("seed", [2024, 2025, 2026])
@pytest.mark.parametrize(
    "rules", [five.game.Rules(), CONNECT_4, TIC_TAC_TOE], ids=["5", "4", "3"]
)
def test_random_events_leave_a_sound_window(rules, seed, full, opened, monkeypatch, tmp_path):
    rng, happened, file = random.Random(seed), [], tmp_path / "game.txt"
    closed, close = [], five.window.COMMANDS["close"]
    noted = close._replace(action=lambda c: closed.append(close.action(c)))
    monkeypatch.setitem(five.window.COMMANDS, "close", noted)
    window = opened(rules=rules, simulations=50)
    for _ in range((100_000 if full else 1_500) // 9 + 1):
        happened.append(random_event(window, rng))
        check_window(window)
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

"""The page that plays: hands, keys and ears; records; what it may not do."""

import re
import time

import build
import five_in_a_row as five
import play
import pytest
from helpers import PATIENCE, only_full, wait_for
from test_page import DESK, LOADS, VIEWS, axe_faults

FILE = build.ROOT / "export" / play.NAME
MAIN = FILE.with_name("five_in_a_row.html")
ROOT = "document.querySelector('figure div').shadowRoot"
AN_HOUR = """() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (message) {
        if (message.ask?.seconds) message.ask.seconds = 3600;
        return post.call(this, message);
    }
}"""


class Table:
    """The page in a browser, and hands to play in it."""

    def __init__(self, browser, file=FILE, viewport=DESK, **settings):
        self.context = browser.new_context(viewport=viewport, offline=True, **settings)
        self.view, self.asked, self.errors = self.context.new_page(), [], []
        self.view.on("request", lambda request: self.asked.append(request.url))
        self.view.on("pageerror", lambda error: self.errors.append(str(error)))
        self.view.on(
            "console", lambda m: self.errors.append(m.text) if m.type == "error" else None
        )
        self.view.set_default_timeout(1000 * PATIENCE)
        self.view.goto(file.as_uri())

    def text(self, part):
        """Return the text of a part of the panel."""
        return self.view.evaluate(f"{ROOT}.querySelector('{part}').textContent")

    def wait(self, pattern, part=".status"):
        """Wait until a part of the panel says what is meant."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.text(part)):
            assert time.monotonic() < end, f"{part} says {self.text(part)!r}, not {pattern!r}"
            self.view.wait_for_timeout(50)

    def choose(self, part, value):
        """Choose a value of a list."""
        self.view.locator(part).select_option(str(value))

    def begin(self, size=8, black="person", white="engine", level=1, budget=4):
        """Begin a game; budget 4: a thousand simulations a move."""
        self.choose(".black", black)
        self.choose(".white", white)
        if "engine" in (black, white):
            self.choose(".level", level)
        self.choose(".budget", budget)
        self.choose(".size", size)
        self.view.locator(".new").click()
        self.wait("Your move|to move|thinks|wins")

    def begin_long(self):
        """Begin a game whose searches take an hour: none ends by itself during a test."""
        self.view.evaluate(AN_HOUR)
        self.begin(budget=3, level=10)

    def point(self, name):
        """Return the button of a point."""
        return self.view.locator(f'.points button[aria-label^="{name},"]')

    def load(self, text):
        """Paste a record and load it; return what is said of it."""
        self.view.evaluate(f"{ROOT}.querySelector('.record').open = true")
        self.view.locator("textarea").fill(text)
        self.view.locator(".load").click()
        return self.text(".note")

    def stones(self):
        """Return {name: colour} of the stones, from the names of the buttons."""
        names = self.view.evaluate(
            f"[...{ROOT}.querySelectorAll('.points button')].map(each => each.ariaLabel)"
        )
        found = [re.match(r"(\w+), (black|white)", name) for name in names]
        return {each[1]: each[2] for each in found if each}


@pytest.fixture(scope="module")
def shared(browser):
    """Return one page for most tests."""
    table = Table(browser)
    yield table
    assert table.errors == []
    table.context.close()


@pytest.fixture
def table(shared):
    """Return the shared page with a new game on 8×8 against the engine at level 1."""
    shared.begin()
    return shared


# ---- playing ---------------------------------------------------------------------------


def test_a_click_plays_and_the_engine_answers(table):
    table.point("e4").click()
    table.wait("Your move")
    stones = table.stones()
    assert stones.pop("e4") == "black" and list(stones.values()) == ["white"]
    assert re.fullmatch(r"White \w+\. ", table.text(".heard"))
    assert table.text(".stage") == "8×8, move 2"
    assert "100 simulations" in table.text(".says")


def test_keys_alone_play_a_move_and_ask_for_a_hint(table):
    table.point("e5").focus()
    for key in ("ArrowLeft", "ArrowDown", "End", "Home", "ArrowRight", "Enter"):
        table.view.keyboard.press(key)
    table.wait("Your move")
    assert table.stones()["b4"] == "black"
    table.view.keyboard.press("h")
    table.wait("^Hint: [a-h][1-8], ", ".heard")
    hinted = table.view.locator('.points button[aria-label*="hint"]')
    assert hinted.count() == 1 and "empty" in hinted.get_attribute("aria-label")
    table.view.keyboard.press("u")
    assert table.stones() == {} and "Undone" in table.text(".heard")


def test_one_point_is_a_stop_of_the_tab_key_and_all_have_names(table):
    buttons = table.view.locator(".points button")
    names = buttons.evaluate_all("all => all.map(each => each.ariaLabel)")
    assert names[0] == "a8, empty" and len(set(names)) == 64
    assert buttons.evaluate_all("all => all.filter(each => each.tabIndex === 0).length") == 1
    table.point("d4").click()
    table.wait("Your move")
    assert table.point("d4").get_attribute("aria-label") == "d4, black"
    assert table.point("d4").get_attribute("aria-disabled") == "true"


def test_undo_in_the_middle_of_a_search_ends_it(table):
    table.begin_long()
    table.point("d4").click()
    table.wait("The computer thinks")
    table.view.wait_for_timeout(200)
    table.view.locator(".undo").click()
    assert table.stones() == {} and table.text(".status") == "Your move"
    table.view.wait_for_timeout(300)
    assert table.stones() == {}
    table.choose(".budget", 4)
    table.point("d5").click()
    table.wait("Your move")
    assert len(table.stones()) == 2


def test_the_heatmap_grows_while_it_thinks(table):
    table.begin_long()
    table.point("d4").click()
    count = r"([\d,]+) simulations"

    def made():
        """Return how many simulations the page says were made."""
        table.wait(count, ".says")
        return int(re.search(count, table.text(".says"))[1].replace(",", ""))

    def discs():
        """Return how many discs are shown."""
        return table.view.evaluate(f"{ROOT}.querySelectorAll('.disc').length")

    first, step = made(), lambda: table.view.wait_for_timeout(50)
    wait_for(step, lambda: made() > first and discs() > 2, PATIENCE)
    assert "White expects" in table.text(".says")
    table.view.locator(".visits").uncheck()
    assert discs() == 0
    table.view.locator(".visits").check()
    table.view.locator(".now").click()
    table.wait("Your move")
    assert discs() == 0
    assert "Discs" not in table.text(".says")


def test_a_won_and_a_lost_game_say_so(table):
    assert table.load("e4 a1 e5 h1 e6 a8 e7 h8").startswith("Loaded: 8×8, 8 moves.")
    table.point("e8").click()
    assert table.text(".status") == "You win" and "You win." in table.text(".heard")
    assert "in the winning line" in table.point("e5").get_attribute("aria-label")
    table.load("a1 e4 h1 e5 a8 e6 h8 e7 c1")
    table.wait("Paused")
    table.view.locator(".now").click()
    table.wait("The computer wins")
    table.point("b1").click(force=True)
    assert len(table.stones()) == 10
    table.view.locator(".undo").click()
    table.wait("Your move")
    assert len(table.stones()) == 8


def test_a_win_is_counted_in_stones_and_both_programs_play(table):
    table.load("d4 a1 d5 a8 d6 h1")
    table.choose(".level", 10)
    table.view.locator(".hint").click()
    table.wait("^Hint: d7, |^Hint: d3, ", ".heard")
    assert "Black wins in 3" in table.text(".says")
    table.begin(black="plain", white="engine")
    table.wait("move [3-9]", ".stage")
    table.view.locator(".now").click()
    assert table.text(".status") == "Paused" and table.text(".now") == "Go on"
    table.choose(".black", "person")


# ---- records ---------------------------------------------------------------------------


def test_records_are_copied_and_read_again(table):
    moves = "e4 d5 e5 e6 d4"
    table.begin(white="person")
    assert table.load(f"1. {moves.upper()}") == "Loaded: 8×8, 5 moves."
    table.view.locator(".moves").click()
    assert table.view.locator("textarea").input_value() == moves
    table.view.locator(".sgf").click()
    sgf = table.view.locator("textarea").input_value()
    record = five.records.read_record(sgf)
    assert record.game.moves == moves.split() and record.game.rules.size == 8
    (seed,) = re.findall(r"GC\[seed (\d+)\]", sgf)  # by which a level draws its moves
    table.view.locator(".new").click()
    assert table.load(sgf) == "Loaded: 8×8, 5 moves." and len(table.stones()) == 5
    table.view.locator(".sgf").click()
    assert f"GC[seed {seed}]" in table.view.locator("textarea").input_value()
    assert table.load("(;GM[4]SZ[15];B[hh];W[hi])") == "Loaded: 15×15, 2 moves."
    assert table.stones() == {"h8": "black", "h7": "white"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("e4 e5\nzz9 d4", r"Move 3, “zz9” \(line 2, character 1\): not a move"),
        ("e4 j5", r"Move 2, “j5” \(line 1, character 4\): .* has no such point; choose 10×10"),
        ("a1 b1 a2 b2 a3 b3 a4 b4 a5 b5", r"Move 10, “b5” .*: the game was over before it"),
        ("(;GM[1]SZ[8];B[aa])", r"GM\[1\] at line 1, character 3: .* of another game"),
        ("(;GM[4]SZ[8];B[aa]", "This is not a whole SGF"),
        ("Piskvorky 15x10, 0:0, 0\n1,1,0", "Piskvorky 15x10 at line 1: only square boards"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_read_says_why_and_where_and_the_game_stays(
    shared, text, said
):
    if shared.stones() != {"d4": "black", "d5": "white"}:
        shared.begin(white="person")
        shared.load("d4 d5")
    told = shared.load(text)
    assert re.match(said, told) and told.endswith("The game on the board stays.")
    assert shared.stones() == {"d4": "black", "d5": "white"}
    assert "error" in shared.view.evaluate(f"{ROOT}.querySelector('.note').className")


@pytest.mark.parametrize(
    ("text", "said", "stones"),
    [
        ("h8i9G7", "Loaded: 15×15, 3 moves.", "h8 i9 g7"),
        ("(;SZ[8];B[aa](;W[ab])(;W[ac]))(;SZ[19];B[aa])",
         "Loaded: 8×8, 2 moves; the first of 2 games; variations are left out.", "a8 a7"),
        ("Piskvorky 15x15, 11:11, 0\r\n8,8,1200\r\n1,15,0\r\nme\r\nyou\r\n-1\r\n",
         "Loaded: 15×15, 2 moves.", "h8 a1"),
    ],
)  # fmt: skip
def test_records_of_other_programs_are_read(shared, text, said, stones):
    shared.begin(15, white="person")
    assert shared.load(text) == said
    assert list(sorted(shared.stones())) == sorted(stones.split())


# ---- stepping through a game -----------------------------------------------------------

RECORD = "e4 d5 e5 e6 d4 f4 c4"


def current(table):
    """Return the move that the list says is on the board last, "" at the start."""
    text = f"{ROOT}.querySelector('.list [aria-current]')?.textContent ?? ''"
    return table.view.evaluate(text).removesuffix(" ▲")


@pytest.fixture
def loaded(shared):
    """Return the shared page with a record of seven moves, two persons at the board."""
    shared.begin(white="person")
    shared.load(RECORD)
    return shared


def test_buttons_and_clicks_in_the_list_step_through_a_record(loaded):
    press = lambda name: loaded.view.get_by_role("button", name=name, exact=True).click()  # noqa: E731
    moves = loaded.view.get_by_role("list", name="Moves")
    assert moves.get_by_role("button").all_text_contents() == RECORD.split()
    assert current(loaded) == "c4" and loaded.text(".stage") == "8×8, move 7"
    press("One move back")
    assert current(loaded) == "f4" and "c4" not in loaded.stones()
    assert loaded.text(".stage") == "8×8, move 6 of 7"
    assert loaded.text(".heard").startswith("Move 6, white f4")
    press("To the start")
    assert loaded.stones() == {} and current(loaded) == ""
    press("One move on")
    assert loaded.stones() == {"e4": "black"} and current(loaded) == "e4"
    press("Move 4, white e6")
    assert current(loaded) == "e6" and len(loaded.stones()) == 4


def test_arrow_keys_step_in_the_list_and_a_comma_steps_on_the_board(loaded):
    keyboard = loaded.view.keyboard
    loaded.view.get_by_role("button", name="Move 7, black c4").focus()
    for key, move in [("ArrowLeft", "f4"), ("Home", ""), ("ArrowRight", "e4"), ("End", "c4"),
                      ("ArrowUp", "d4"), ("ArrowDown", "c4")]:  # fmt: skip
        keyboard.press(key)
        assert current(loaded) == move
    stops = "all => all.filter(each => each.tabIndex === 0).length"
    assert loaded.view.locator(".list button").evaluate_all(stops) == 1
    loaded.point("a1").focus()
    keyboard.press("ArrowRight")  # goes to b1, as ever
    assert current(loaded) == "c4"
    assert loaded.view.evaluate(f"{ROOT}.activeElement.ariaLabel") == "b1, empty"
    for key, move in [(",", "f4"), (",", "d4"), (".", "f4")]:
        keyboard.press(key)
        assert current(loaded) == move
    assert loaded.view.evaluate(f"{ROOT}.activeElement.ariaLabel") == "b1, empty"


def test_a_move_in_an_earlier_position_is_a_branch_that_undo_takes_back(loaded):
    listed = loaded.view.locator(".list button")
    listed.nth(2).click()
    loaded.point("a8").click()
    assert listed.all_text_contents() == ["e4", "d5", "e5", "a8"]
    loaded.point("b8").click()
    loaded.view.locator(".moves").click()
    assert loaded.view.locator("textarea").input_value() == "e4 d5 e5 a8 b8"
    loaded.view.locator(".undo").click()
    assert listed.all_text_contents() == ["e4", "d5", "e5", "a8"]
    loaded.view.locator(".undo").click()
    assert listed.all_text_contents() == RECORD.split() and current(loaded) == "e5"
    assert "The moves that followed are back." in loaded.text(".heard")
    loaded.view.locator(".moves").click()  # the whole game, not what is seen of it
    assert loaded.view.locator("textarea").input_value() == RECORD
    assert loaded.view.locator(".undo").get_attribute("aria-disabled") == "true"


# ---- the review ------------------------------------------------------------------------

# Both have an open three, and black is to move: with move 7 black lets white make the four.
BLUNDER = "d4 f2 d5 f3 d6 f4 a1 f5 d7 f6"


@pytest.fixture
def reviewed(shared):
    """Return the shared page with the review of a game with a blunder."""
    shared.begin(white="person")
    shared.load(BLUNDER)
    if shared.text(".start") != "Reviewed":  # the page keeps the review of a game
        shared.view.locator(".start").click()
        shared.wait("Reviewed", ".start")
    return shared


def test_a_review_finds_the_blunder_and_marks_it(reviewed):
    costly = reviewed.view.locator(".costly button")
    texts = [text.replace("\xa0", " ") for text in costly.all_text_contents()]
    assert "▲ Move 7, black a1: 100 % → 0 %" in texts and len(texts) <= 3
    curve = reviewed.view.locator(".curve")
    assert "Move 7, black a1" in curve.get_attribute("aria-label")
    assert "7" in curve.locator("text").all_text_contents()
    assert curve.locator(".mark").count() == costly.count()
    points = re.findall("[ML]", curve.locator(".values").get_attribute("d"))
    assert len(points) == len(BLUNDER.split()) + 1
    marked = reviewed.view.get_by_role("button", name="Move 7, black a1, costly", exact=True)
    assert marked.text_content() == "a1 ▲"
    costly.filter(has_text="Move 7").click()
    assert current(reviewed) == "f4" and reviewed.text(".stage") == "8×8, move 6 of 10"
    assert re.search(r"Black expects 100", reviewed.text(".says"))


@pytest.mark.parametrize(("move", "said"), [("d7", "d7 holds"), ("h8", "h8 does not hold")])
def test_a_second_try_is_judged_and_the_game_stays_as_it_was(reviewed, move, said):
    reviewed.view.locator(".costly button", has_text="Move 7").click()
    reviewed.view.locator(".again").click()
    assert reviewed.text(".status") == "Second try: Black to move"
    reviewed.point(move).click()
    reviewed.wait("^Second try$")
    assert reviewed.text(".says").startswith(said)
    assert said in reviewed.text(".heard") and reviewed.stones()[move] == "black"
    assert reviewed.view.locator(".list button").count() == 10
    reviewed.view.locator(".again").click()  # another one
    assert move not in reviewed.stones()
    reviewed.view.locator(".back").click()
    assert current(reviewed) == "f4" and not reviewed.view.locator(".back").is_visible()
    reviewed.view.locator(".last-move").click()
    assert len(reviewed.stones()) == 10


def test_a_review_can_be_stopped_and_goes_on_where_it_was(shared):
    shared.begin(15, white="person")
    shared.load(
        "h8 h6 i8 j6 i9 j8 j9 g6 i6 i7 g5 h9 k10 l11 i10 j10 k8 h11 k9 k7 l9 m9 j7 h5 m10"
    )
    start = shared.view.locator(".start")
    start.click()
    shared.wait("Position [3-9]", ".count")
    start.click()
    shared.wait("Go on with the review", ".start")
    done = len(re.findall("[ML]", shared.view.locator(".values").get_attribute("d")))
    assert 2 <= done < 26 and shared.text(".heard") == "Stopped."
    start.click()
    shared.view.locator(".list button").nth(3).click()  # looking about does not end it
    shared.wait("Reviewed", ".start")
    assert current(shared) == "j6"
    assert len(re.findall("[ML]", shared.view.locator(".values").get_attribute("d"))) == 26


# ---- manners ---------------------------------------------------------------------------


def test_nothing_is_asked_for_stored_or_let_through(shared):
    assert [
        url for url in shared.asked if not url.startswith(("file:", "data:", "blob:"))
    ] == []
    refused, title = shared.view.evaluate(LOADS)
    assert {"connect-src", "frame-src", "img-src", "script-src-elem"} <= set(refused)
    assert title == "Five in a row"
    policy = shared.view.locator("meta[http-equiv]").get_attribute("content")
    (scripts,) = re.findall(r"script-src ([^;]*)", policy)
    assert "unsafe-inline" not in scripts and scripts.count("'sha256-") == 2
    assert shared.view.evaluate("[localStorage.length, document.cookie]") == [0, ""]
    shared.errors.clear()  # those were the browser's refusals


def test_a_phone_has_large_targets_and_asks_again_on_a_fine_board(browser):
    table = Table(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    table.wait("Your move")
    assert table.view.evaluate("document.scrollingElement.scrollWidth") <= 390
    small = """root => [...root.querySelectorAll('button, select, summary, .switches label')]
        .filter(each => each.offsetParent && each.getBoundingClientRect().height < 43.5)
        .map(each => each.outerHTML.slice(0, 80))"""
    assert table.view.evaluate(f"({small})({ROOT})") == []
    table.choose(".level", 1)
    table.point("d4").tap()
    table.wait("Your move")
    assert len(table.stones()) == 2
    table.begin(15)
    table.point("h8").tap()
    assert table.stones() == {}
    table.view.locator(".confirm button", has_text="Play h8").tap()
    table.wait("Your move")
    assert table.stones()["h8"] == "black" and table.errors == []
    table.context.close()


@pytest.mark.parametrize("file", [FILE, MAIN], ids=["play", "main"])
def test_without_scripts_a_picture_stands_there_and_nobody_is_blamed(browser, file):
    table = Table(browser, file, java_script_enabled=False)
    words = table.view.locator("body").inner_text()
    shown = table.view.locator("figure.five-play:visible")
    assert shown.count() == 1 and shown.locator("img").is_visible()
    assert not re.search("(?i)(enable|turn on|activate) (java)?script", words)
    table.context.close()


def test_without_webassembly_the_picture_stays(browser):
    context = browser.new_context(viewport=DESK)
    context.add_init_script("delete self.WebAssembly")
    view = context.new_page()
    view.goto(FILE.as_uri())
    assert view.locator("figure img").is_visible()
    context.close()


@pytest.mark.parametrize("number", range(2), ids=["desk", "phone-dark"])
def test_axe_finds_nothing(browser, number, full):
    only_full(full, number == 1)
    viewport, scheme = VIEWS[number]
    table = Table(browser, viewport=viewport, color_scheme=scheme)
    table.wait("Your move")
    table.begin(15 if viewport is DESK else 8, level=10)
    table.point("h8" if viewport is DESK else "d4").click()
    table.wait("Your move")
    table.load("d4 a8 d5 h8 d6 a1 d7 h1")
    table.view.locator(".start").click()
    table.wait("Reviewed", ".start")
    table.view.locator(".costly button").first.click()
    table.view.locator(".again").click()
    table.load("nonsense")
    assert axe_faults(table.view) == []
    table.context.close()


def test_the_page_is_small_enough_to_send():
    assert FILE.stat().st_size <= 250_000


# ---- exploring, in the main page -------------------------------------------------------


@pytest.fixture(scope="module")
def main(browser):
    """Return the main page with its scripts."""
    table = Table(browser, MAIN, reduced_motion="reduce")
    table.view.locator("figure.five-play").first.locator(".caption").wait_for()
    yield table
    assert table.errors == []
    table.context.close()


def counts(figure):
    """Return {move: visits} of the table of moves, and those of the root."""
    rows = figure.locator("tbody tr").all_inner_texts()
    found = [re.match(r"(\w+)\s+[\d,½]+/([\d,]+)", row) for row in rows]
    moves = {each[1]: int(each[2].replace(",", "")) for each in found if each}
    title = figure.locator(".tree title").text_content()
    return moves, int(title.rpartition("/")[2])


def test_many_simulations_find_the_one_move_that_wins_and_c_changes_the_bounds(main):
    figure = main.view.locator("figure.five-play").nth(0)
    figure.locator(".again").click()
    for count, total in ((1, 1), (10, 11), (100, 111), (1000, 1111)):
        figure.locator(f'[data-count="{count}"]').click()
        moves, root = counts(figure)
        assert sum(moves.values()) == total == root
    assert max(moves, key=moves.get) == "c2" and moves["c2"] > 700
    bounds = figure.locator("tbody").inner_text()
    figure.locator("input").evaluate(
        "e => { e.value = 0; e.dispatchEvent(new Event('input')); }"
    )
    without = [row.split() for row in figure.locator("tbody tr").all_inner_texts()]
    assert figure.locator("tbody").inner_text() != bounds
    assert all(row[2] == row[4] and row[3] == "0.00" for row in without)


def test_the_heatmap_slider_shows_the_search_of_the_package(main):
    figure, shown = main.view.locator("figure.five-play").nth(3), play.MIND
    game, options = five.Game.from_text(shown["moves"]), five.SearchOptions(seed=shown["seed"])
    own = five.search.Tree(game, five.engine.engine_game(), options, 100_000)
    own.run(1000)
    found = five.search.read_tree(own, 1000, 0.0)
    at = "e => { e.value = 15; e.dispatchEvent(new Event('input')); return e.ariaValueText; }"
    for _ in range(200):
        assert figure.locator("input").evaluate(at) == "1,000 simulations"
        if "on its way" not in figure.locator(".says").inner_text():
            break
        main.view.wait_for_timeout(50)
    assert f"Most visited: {found.name}" in figure.locator(".says").inner_text()
    share = round(
        100 * (found.visits / found.visits.sum()).max()
    )  # a half as the page rounds it
    assert str(share) in figure.locator(".share").all_text_contents()
    figure.locator(".who").select_option("plain")
    figure.locator(".says p").first.wait_for()


# ---- the small games ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe"])
def test_a_small_game_is_played_in_its_study(browser, name):
    view = browser.new_page(viewport={"width": 390, "height": 844})
    errors = []
    view.on("pageerror", lambda error: errors.append(str(error)))
    view.goto((build.ROOT / "export" / f"{name}.html").as_uri())
    board = view.get_by_role("group", name="A game against plain search")
    board.get_by_text("Your move").wait_for()
    board.get_by_label("A move takes").select_option("100")
    for number in (1, 2):
        free = board.get_by_role("button", name=re.compile(", empty")).locator(
            "xpath=self::*[not(@aria-disabled)]"
        )
        free.first.click()
        board.get_by_text(f"Move {2 * number}: White").wait_for()
    stones = board.get_by_role("button", name=re.compile(", (black|white)$"))
    assert stones.count() == 4
    board.get_by_role("button", name="Undo").click()
    assert stones.count() == 2 and board.get_by_text("Your move").is_visible()
    board.get_by_label("Black, who begins").select_option("search")
    board.get_by_text("Move 1: Black").wait_for()
    assert view.evaluate("document.scrollingElement.scrollWidth") <= 390 and errors == []
    view.close()

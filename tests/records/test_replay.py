"""The replay: its data, its picture, and the player in a page; test_jupyterlab.py has more."""

import base64
import dataclasses
import html
import json
import re
import xml.etree.ElementTree as ElementTree

import build
import five_in_a_row as five
import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup

DROP = five.game.Rules(7, 4, rows=6, gravity=True)
WON = "d4 e5 e4 f4 d5 d6 c4 b4 c6 e6 c5 c7 b5 a5 b7 a8 f3"
STONES = ("black", "white")


@pytest.fixture(scope="module")
def played():
    """Return a game of two programs; the moves of white, the engine, have SearchResults."""
    record = five.window.exhibition(five.opponents.OPPONENTS, five.game.Rules(8), 500)
    record.results = {ply: found for ply, found in record.results.items() if ply % 2}
    return record


def soup_of(replay):
    """Return the HTML of a replay, read."""
    return BeautifulSoup(replay.html, "html.parser")


def data_of(replay):
    """Return the data that the player reads."""
    return json.loads(soup_of(replay).select_one("script[type='application/json']").string)


def picture_of(replay):
    """Return the picture for pages without scripts, as a tree of SVG elements."""
    source = soup_of(replay).img["src"]
    assert source.startswith("data:image/svg+xml;base64,")
    return ElementTree.fromstring(base64.b64decode(source.split(",")[1]))


def stones_of(data, frame):
    """Return the stones that a frame shows, as {name: colour}."""
    return {
        f"{'abcdefghijklmnopqrst'[x // 10]}{-y // 10 + 1}": shape
        for shape, x, y, first, *_ in (part for part in data["parts"] if part[0] in STONES)
        if first <= frame
    }


def stones_in(game):
    """Return the stones of a position, as {name: colour}."""
    points = np.flatnonzero(game.array).tolist()
    names = [five.game.point_name(point, game.rules.size) for point in points]
    colours = [five.game.COLOUR[int(game.array.flat[point])] for point in points]
    return dict(zip(names, colours, strict=True))


# ---- the data --------------------------------------------------------------------------


GAMES = [
    (WON, None),
    ("d1 d2 e1 c1 f1 g1 e2 e3", DROP),
    ("t20 a1 a20 t1 c14", five.game.Rules(20)),
    ("c1 a4", five.game.Rules(3, 5, rows=20)),
]


@pytest.mark.parametrize(("moves", "rules"), GAMES)
def test_every_position_can_be_read_back_from_the_parts(moves, rules):
    game = five.game.Game.from_text(moves, rules=rules)
    data = data_of(five.replay.replay(game))
    for frame in range(len(game.played) + 1):
        assert stones_of(data, frame) == stones_in(five.figures.position_at(game, frame))
    left, top, wide, high = data["box"]
    for _, x, y, *_ in (part for part in data["parts"] if part[0] in STONES):
        assert left + 5 <= x <= left + wide - 5 and top + 5 <= y <= top + high - 5
    framed = [part for part in data["parts"] if part[0] == "five"]
    assert sorted(-y // 10 * game.rules.size + x // 10 for _, x, y, _ in framed) == game.five
    assert all(first == len(game.played) for *_, first in framed)


@pytest.mark.parametrize("shape", [(6, 7), (20, 20)])
@pytest.mark.parametrize("spread", [0.02, 5])
def test_shares_can_be_read_back_to_half_a_per_cent(shape, spread):
    cells = shape[0] * shape[1]
    share = np.random.default_rng(1).dirichlet(np.full(cells, spread)).reshape(shape)
    found, cell = np.zeros(cells), 0
    for piece in re.findall(r"[a-z]|\d+", five.replay.shares_text(share)):
        if piece.isdigit():
            found[cell] = int(piece) / 100
        cell += 1 if piece.isdigit() else ord(piece) - ord("a") + 1
    assert cell == cells and np.abs(found - share.ravel()).max() < 0.00501


def test_frames_say_who_moved_how_and_what_was_expected(played):
    game, thoughts = played.game, played.results
    frames = data_of(five.replay.replay(game, thoughts))["frames"]
    assert len(frames) == len(game.played) + 1
    assert frames[0] == ["start", "", ["Black to move."], None]
    move, who, lines, value = frames[2]
    assert (move, who, lines[1]) == (game.moves[1], "white", "500 simulations")
    assert lines[-1] == five.verdicts.verdict(five.figures.position_at(game, 1), thoughts[1])
    assert value == pytest.approx(-thoughts[1].value, abs=0.006)
    assert frames[-1][3] == game.winner


def test_times_are_left_out_so_the_same_game_gives_the_same_text(played):
    later = {ply: dataclasses.replace(r, seconds=99.0) for ply, r in played.results.items()}
    assert (
        five.replay.replay(played.game, played.results).html
        == five.replay.replay(played.game, later).html
    )


# ---- sizes and texts -------------------------------------------------------------------


EVIL = """</script><script>broken = 1</script><!-- & "x" '><img src=x onerror="broken=1">"""


def evil_replay():
    """Return a replay whose every text is markup that would run a script."""
    frames = [five.replay.Frame("start", ""), five.replay.Frame(EVIL, EVIL, (EVIL,), 0.5)]
    parts = [five.replay.Part("word", 1, 2, text=EVIL)]
    drawing = five.replay.Drawing((0, -20, 20, 30), {}, parts, over=parts)
    shares = {1: five.replay.Shares(np.full((2, 2), 0.25), 0)}
    return five.replay.replay_piece(EVIL, frames, drawing, shares, {EVIL: EVIL}, (EVIL, EVIL))


def test_titles_and_labels_are_escaped():
    replay = evil_replay()
    soup, data = soup_of(replay), data_of(replay)
    assert len(soup.select("script")) == 2 and len(soup.select("img")) == 1
    assert data["title"] == EVIL and data["frames"][1] == [EVIL, EVIL, [EVIL], 0.5]
    assert data["parts"][0][5] == html.escape(EVIL)  # becomes markup in the player
    assert soup.figcaption.get_text().strip() == EVIL
    assert EVIL in soup.div.get_text().replace("\xa0", " ")
    assert EVIL in [e.text for e in picture_of(replay).iter() if e.tag.endswith("}text")]
    assert EVIL in str(replay).replace("\xa0", " ")


# ---- errors ----------------------------------------------------------------------------


WRONG = [
    ({"game": "d4 e5"}, "replay needs a Game, not 'd4 e5'"),
    ({"thoughts": {1: "e5"}}, r"thoughts\[1\] must be a SearchResult, not 'e5'"),
    ({"ply": 99}, "no ply 99 in this game: its plies are 0 to "),
    ({"ply": 5}, r"thoughts\[5\] belongs to another game"),
    ({"resigned": 2}, r"resigned must be \+1 \(black\), -1 \(white\) or 0, not 2"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_what_does_not_fit_is_refused_with_the_reason(change, message, played):
    ply, given = change.get("ply", 1), {name: change[name] for name in change if name != "ply"}
    given = {"game": played.game, "thoughts": {ply: played.results[1]}} | given
    with pytest.raises(ValueError, match=message):
        five.replay.replay(**given)


# ---- the picture for pages without scripts ---------------------------------------------


def test_the_picture_shows_the_last_position_with_numbers_and_a_sheet():
    game = five.game.Game.from_text(WON)
    picture = picture_of(five.replay.replay(game))
    words = [each.text for each in picture.iter() if each.tag.endswith("}text")]
    sheet = [(int(word.split(":")[0]), word) for word in words if ":" in word]
    assert {str(number) for number in range(1, 18)} <= set(words) and len(sheet) == 11
    assert all(word == f"{frame}: {game.moves[frame - 1]}" for frame, word in sheet)


# ---- the player in the exported page ---------------------------------------------------


def output(replay):
    """Return a replay as the output of a cell."""
    return nbformat.v4.new_output("display_data", dict(replay._repr_mimebundle_()))


@pytest.fixture(scope="module")
def page_file(played, tmp_path_factory):
    """Return the exported page of a notebook with several games, the first one twice."""
    drop = five.game.Game.from_text("d1 d2 e1 e2 f1 f2 g1", rules=DROP)
    games = [five.replay.replay(played.game, played.results, "A game")] * 2
    cells = [nbformat.v4.new_markdown_cell("# Replays\n\n*by Interface*")]
    for replay in (*games, five.replay.replay(drop), evil_replay()):
        cell = nbformat.v4.new_code_cell("# by Interface · a replay")
        cell.metadata.tags, cell.outputs = ["demo"], [output(replay)]
        cells.append(cell)
    path = tmp_path_factory.mktemp("page") / "replays.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    assert build.main(["--as-is", str(path)]) == 0
    return path.parent / "export" / "replays.html"


def open_page(browser, file, **settings):
    """Return a page that notes what it asks for and the errors of its scripts."""
    context = browser.new_context(**{"viewport": {"width": 1000, "height": 900}} | settings)
    page, faults = context.new_page(), []

    def note(request):
        if request.url != file.as_uri() and not request.url.startswith("data:"):
            faults.append(request.url)

    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", note)
    page.faults = faults
    return page


@pytest.fixture(scope="module")
def usual(browser, page_file):
    """Return a page for the tests without settings of their own: to open one takes time."""
    page = open_page(browser, page_file)
    yield page
    page.context.close()


@pytest.fixture
def visit(browser, usual, page_file):
    """Return a function that loads the page; a request or an error of a script fails."""
    pages = []

    def start(**settings):
        pages.append(open_page(browser, page_file, **settings) if settings else usual)
        pages[-1].emulate_media(media="screen")
        pages[-1].goto(page_file.as_uri())
        return pages[-1]

    yield start
    for page in pages:
        if page is not usual:
            page.context.close()
        assert page.faults == []


SEEN = """all => all.filter(each => {
    const group = each.closest(".parts > g");
    return getComputedStyle(each).display !== "none" && group.style.display !== "none"
}).length"""


class Player:
    """A person before a replay."""

    def __init__(self, page, number=0):
        self.page = page
        self.figure = page.locator("figure.five-replay").nth(number)

    def find(self, name):
        """Return a part of the player."""
        return self.figure.locator(name)

    @property
    def now(self):
        """The frame that is shown; all that says it agrees."""
        now = int(self.find(".slider").input_value())
        said = self.find(".says p").first.inner_text()
        assert self.find(".slider").get_attribute("aria-valuetext") == said
        assert said.startswith(f"Move {now} of " if now else "Start")
        current = self.find(".moves [aria-current]").all_inner_texts()
        assert [text.split()[0] for text in current] == ([str(now)] if now else [])
        assert self.find(".board desc").text_content().startswith(said)
        return now

    def stones(self):
        """Return how many stones can be seen."""
        return self.count(".parts circle")

    def count(self, name):
        """Return how many parts of that name can be seen."""
        return self.find(name).evaluate_all(SEEN)

    def percents(self):
        """Return the shares that are written on the board."""
        return self.find(".percents text").all_text_contents()


def test_buttons_slider_list_and_curve_show_a_frame(visit, played):
    player, last = Player(visit()), len(played.game.played)
    assert player.now == player.stones() == last and player.find(".moves li").count() == last
    frames = {"First position": 0, "Back": 0, "Forward": 1, "Last position": last}
    for name, frame in frames.items():
        player.figure.get_by_role("button", name=name, exact=True).click()
        assert (player.now, player.stones()) == (frame, frame), name
    player.find(".slider").fill("7")
    assert player.now == player.stones() == 7
    player.find(".moves button").nth(11).click()
    assert player.now == player.stones() == 12
    box = player.find(".curve svg").bounding_box()
    for part, frame in ((0.01, 0), (0.5, last // 2), (0.995, last)):
        player.find(".curve svg").click(position={"x": part * box["width"], "y": 20})
        assert abs(player.now - frame) <= 1


def test_it_plays_and_pauses(visit):
    page = visit(color_scheme="light")  # one of its own: the clock stays with a page
    page.clock.install(time=0)
    page.clock.pause_at(1)  # or it would go on by itself on a slow machine
    player = Player(page)
    player.find(".play").click()
    assert player.now == 0 and player.find(".play").get_attribute("aria-label") == "Pause"
    assert player.find(".says").get_attribute("aria-live") == "off"
    page.clock.run_for(2000)
    assert player.now == 2
    player.find(".board").click()
    page.keyboard.press("Space")
    assert player.find(".says").get_attribute("aria-live") == "polite"
    page.clock.run_for(2000)
    assert player.now == 2 and player.find(".play").get_attribute("aria-label") == "Play"
    page.keyboard.press("Space")
    page.clock.run_for(100_000)
    assert player.now == player.find(".moves li").count()
    assert player.find(".play").get_attribute("aria-label") == "Play"


def test_the_shares_of_the_visits_are_shown_and_hidden(visit, played):
    player, game = Player(visit()), played.game
    ply, thought = next((p, t) for p, t in played.results.items() if p > 3 and t.visits.any())
    player.find(".slider").fill(str(ply + 1))
    shares = thought.visits / thought.visits.sum()
    top = {*five.figures.top_points(shares), thought.move}
    wanted = {five.figures.percent(shares.flat[p]) for p in top if shares.flat[p] >= 0.005}
    assert set(player.percents()) == wanted
    assert player.find(".cells path").count() == (np.rint(100 * shares) > 0).sum()
    assert game.played[ply] == thought.move and player.count(".mark") == 0
    player.find(".switch input").uncheck()
    assert player.percents() == [] and player.find(".cells path").count() == 0
    assert player.count(".mark") == 1
    player.find(".switch input").check()
    player.find(".slider").fill(str(ply))  # the other side's move was not searched
    assert player.percents() == [] and player.count(".mark") == 1


def test_a_game_without_thoughts_has_no_switch_and_no_curve(visit):
    player = Player(visit(), 2)
    for name in (".switch", ".curve", ".cells path"):
        assert player.find(name).count() == 0
    assert player.count(".five") == 4
    player.find(".back").click()
    assert player.count(".five") == 0


def test_texts_are_never_markup(visit):
    page = visit()
    evil = Player(page, 3)
    assert evil.find(".says p").all_text_contents() == [f"Move 1 of 1: {EVIL}, {EVIL}", EVIL]
    assert evil.find(".moves button").text_content() == f"1 {EVIL} {EVIL}"
    assert evil.find(".parts text").text_content() == EVIL
    assert evil.find("img").count() == 1 and page.evaluate("typeof broken") == "undefined"


def test_two_replays_of_one_game_leave_each_other_alone(visit, played):
    page = visit()
    first, second = Player(page, 0), Player(page, 1)
    first.find(".slider").fill("5")
    second.find(".first").click()
    assert (first.now, second.now) == (5, 0)
    assert page.locator("figure [id]").count() == 0


def test_without_scripts_position_record_and_sheet_are_shown(visit, played):
    page = visit(java_script_enabled=False)
    figure = page.locator("figure.five-replay").first
    image = figure.locator("img")
    assert image.is_visible() and image.bounding_box()["height"] > 500
    for number, move in enumerate(played.game.moves, 1):
        assert f"{number}.\xa0{move}" in figure.inner_text()
    assert figure.locator("button, input").count() == 0
    assert "function" not in figure.inner_text() and '"parts"' not in figure.inner_text()


def test_on_paper_the_picture_is_shown_and_the_player_is_not(visit):
    page = visit()
    page.emulate_media(media="print")
    player = Player(page)
    assert player.find("img").is_visible() and not player.find(".player").is_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_nothing_is_wider_than_the_screen(visit, scripts):
    page = visit(viewport={"width": 360, "height": 740}, java_script_enabled=scripts)
    for figure in page.locator("figure.five-replay").all():
        for part in figure.locator("img, .player, .board, .slider, .moves, .curve").all():
            box = part.bounding_box() if part.is_visible() else None
            assert box is None or box["x"] >= 0 and box["x"] + box["width"] <= 360
    if scripts:
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_axe_finds_no_violation(visit):
    """In the dark and on a phone; test_page.py sees it in light."""
    from axe_playwright_python.sync_playwright import Axe

    small = {"width": 360, "height": 900}
    page = visit(color_scheme="dark", viewport=small, reduced_motion="reduce")
    for frame in (None, "9", "10"):
        for number in (0, 1):
            if frame:
                Player(page, number).find(".slider").fill(frame)
        Player(page).find(".all").click()
        found = Axe().run(page, "figure")
        assert found.violations_count == 0, found.generate_report()


# ---- what cannot be drawn ---------------------------------------------------------------


def a_piece(shape="dot", value=None, cell=0):
    """Return a small replay with one shape, one value and one frame of shares."""
    frames = [five.replay.Frame("", ""), five.replay.Frame("a", "red", (), value)]
    parts = [five.replay.Part(shape)]
    drawing = five.replay.Drawing((0, 0, 20, 20), {shape: "<circle r='3'/>"}, parts)
    shares = {1: five.replay.Shares(np.full((2, 2), 0.25), cell)}
    return five.replay.replay_piece("a race", frames, drawing, shares)


WRONG_PIECES = {"shape": "x' onload='alert(1)"}, {"value": float("nan")}, {"cell": 4}


@pytest.mark.parametrize("wrong", WRONG_PIECES, ids=str)
def test_what_a_piece_cannot_draw_is_refused(wrong):
    assert a_piece() is not None
    with pytest.raises(ValueError):
        a_piece(**wrong)

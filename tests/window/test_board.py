"""The board: pixels and points, and what is painted on a surface of any size."""

import five_in_a_row as five
import numpy as np
import pytest
from window_lab import CONNECT_4, CONTROLS, EVERY, control_places

SURFACES = [(400, 400), (800, 900), (3840, 2160)]
BOARDS = [five.game.Rules(size) for size in (3, 8, 15, 20)]
BOARDS += [CONNECT_4, five.game.Rules(20, rows=3), five.game.Rules(3, rows=20)]


def session_of(game, **changes):
    """Return a session of two persons; `changes` are set there."""
    session = five.window.Session(five.window.GameRecord(game, ("person", "person")), {})
    for name, value in changes.items():
        setattr(session, name, value)
    return session


# ---- pixels and layout -----------------------------------------------------------------


@pytest.mark.parametrize("controls", [0, EVERY], ids=["picture", "window"])
@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_pixels_and_points_are_inverses(surface, controls):
    for rules in BOARDS:
        layout = five.window.make_layout(*surface, rules, controls)
        places = [five.window.to_pixel(point, layout) for point in range(rules.points)]
        half = (layout.cell - 1) // 2  # as far from a point, a pixel is still its own
        for away in (-half, 0, half):
            near = [five.window.from_pixel(x + away, y + away, layout) for x, y in places]
            assert near == list(range(rules.points))
        assert len(set(places)) == rules.points


@pytest.mark.parametrize("surface", SURFACES, ids=str)
def test_nothing_overlaps_or_leaves_the_surface(surface, pygame):
    inside = pygame.Rect(0, 0, *surface)
    for rules in BOARDS:
        layout = five.window.make_layout(*surface, rules, EVERY)
        places = control_places(layout)
        assert list(places) == CONTROLS
        controls = [pygame.Rect(box) for box in places.values()]
        parts = [pygame.Rect(layout.wood), pygame.Rect(layout.text), *controls]
        for i, part in enumerate(parts):
            assert min(part.size) > 8 and inside.contains(part), (rules, part)
            assert part.collidelist(parts[i + 1 :]) == -1, (rules, part)
        assert pygame.Rect(layout.grid).unionall(controls) == pygame.Rect(layout.grid)
        stone = pygame.Rect(0, 0, layout.cell, layout.cell)
        for point in (0, rules.size - 1, rules.points - 1):
            stone.center = five.window.to_pixel(point, layout)
            assert parts[0].contains(stone)


# ---- pictures --------------------------------------------------------------------------


def paint(game, result=None, hint=None, theme=five.window.CALM, **view):
    """Return the picture of a game, without words, as uint8[x, y, 3]."""
    canvas = five.window.load_pygame().Surface((640, 480))
    session, painter = session_of(game, result=result, hint=hint), five.window.Board()
    painter.theme = theme
    painter.draw(canvas, session, five.window.View(**view))
    picture = five.window.load_pygame().surfarray.array3d(canvas)
    picture[:, five.window.make_layout(640, 480, game.rules).text[1] :] = 0
    return picture


@pytest.mark.parametrize("theme", [five.window.CALM, five.extras.SHARP], ids=["calm", "sharp"])
def test_stones_of_both_colours_stand_where_the_board_says(theme, pygame):
    game = five.game.Game.from_text("a1 h8 e4 d4")
    picture = paint(game, theme=theme)
    layout = five.window.make_layout(640, 480, game.rules)
    away = layout.cell // 4  # beside the last move's mark
    for name, dark in (("a1", True), ("e4", True), ("h8", False), ("d4", False)):
        x, y = five.window.to_pixel(five.game.to_point(name, game.rules), layout)
        grey = picture[x + away, y + away].mean()
        assert grey < 90 if dark else grey > 190


@pytest.mark.parametrize("mark", ["hover", "cursor", "hint"])
def test_a_mark_is_painted_on_its_point_and_nowhere_else(mark, pygame):
    game = five.game.Game.from_text("d4e5")
    layout = five.window.make_layout(640, 480, game.rules)
    for name in ("a1", "h8", "c6"):
        point = five.game.to_point(name, game.rules)
        changed = (paint(game, **{mark: point}) != paint(game)).any(axis=2)
        xs, ys = np.nonzero(changed)
        x, y = five.window.to_pixel(point, layout)
        assert xs.size and max(abs(xs - x).max(), abs(ys - y).max()) <= layout.cell // 2 + 1


def test_visits_are_painted_on_the_points_that_were_looked_at(pygame):
    game = five.game.Game.from_text("d4e5")
    result = five.engine.think(game, simulations=500)
    layout = five.window.make_layout(640, 480, game.rules)
    changed = (paint(game, result, heat=True) != paint(game, result)).any(axis=2)
    for point, visits in enumerate(result.visits.ravel()):
        x, y = five.window.to_pixel(point, layout)
        assert changed[x + 2, y + 2] == (visits >= 5), point  # 1 % of them
    places = [five.window.to_pixel(point, layout) for point in np.flatnonzero(result.visits)]
    for x, y in np.argwhere(changed):
        assert any(abs(x - i) + abs(y - j) <= layout.cell for i, j in places)


def test_a_bar_shows_how_much_of_the_budget_a_search_has_used(pygame):
    game = five.game.Game.from_text("d4")
    record = five.window.GameRecord(game, ("person", "mine"), simulations=1_000)
    session = five.window.Session(record, {"mine": five.heuristics.mine})
    session.result = five.engine.think(game, simulations=500)
    surface, length = pygame.Surface((900, 600)), {}
    view = five.window.view_of(five.window.Controller(session))
    for simulations in (500, 2_000):
        record.simulations = simulations * 2
        five.window.Board().draw(surface, session, view)
        x, y, width, height = five.window.Board().canvas(surface, session, view).layout.text
        row = [surface.get_at((x + i, y + height - 1))[:3] for i in range(width)]
        length[simulations] = row.count(five.window.CALM.signal) / width
    assert length[500] == pytest.approx(1 / 2, abs=0.02)
    assert length[2_000] == pytest.approx(1 / 8, abs=0.02)


@pytest.mark.parametrize("size", [(758, 504), (900, 600)], ids=str)
def test_words_that_need_more_room_are_smaller_and_all_there(size, pygame, monkeypatch):
    session = session_of(five.game.Game.from_text("d4e5"))
    session.result = five.engine.think(session.game, simulations=500)
    session.verdict = session.expect(session.game, session.result)
    session.note = "This is what the engine would play"
    controller, written = five.window.Controller(session), []
    five.extras.add_commands(controller)
    write = five.window.Canvas.write
    monkeypatch.setattr(
        five.window.Canvas,
        "write",
        lambda canvas, text, *how: (written.append(text), write(canvas, text, *how)),
    )
    five.window.paint_changes(controller, pygame.Surface(size))
    for line in five.window.status_lines(session):
        assert line in " ".join(written) and not any(text.endswith(" …") for text in written)


def luminance(colour):
    """Return the relative luminance of WCAG 2."""
    parts = [part / 255 for part in colour]
    red, green, blue = (p / 12.92 if p < 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [five.window.CALM, five.extras.SHARP], ids=["calm", "sharp"])
def test_text_has_the_contrast_that_wcag_asks_for(theme):
    pairs = [(text, back) for text in ("ink", "soft") for back in ("paper", "button")]
    for text, back in [*pairs, ("ink", "wood")]:
        dark, light = sorted(luminance(getattr(theme, name)) for name in (text, back))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, back)


def test_a_picture_for_the_notebook_is_a_png_and_a_sentence(pygame):
    png, words = five.window.board_png(session_of(five.game.Game.from_text("d4e5")))
    assert png.startswith(b"\x89PNG") and "Black to move" in words and "d4 e5" in words

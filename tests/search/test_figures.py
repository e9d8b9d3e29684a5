"""Figures of boards, searches and trees: drawn at every size, described in words."""

from typing import NamedTuple

import five_in_a_row as five
import numpy as np
import pandas
import pytest


@pytest.mark.parametrize("alt", ["", "  ", None])
def test_a_figure_without_description_is_refused(alt):
    with pytest.raises(ValueError, match="alternative text"):
        five.figures.show(five.figures.new_figure(), alt)


def test_a_notebook_gets_the_picture_with_its_description(monkeypatch):
    import IPython
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython, "get_ipython", lambda: "a shell")
    monkeypatch.setattr(IPython.display, "display", lambda *a, **k: shown.append((a, k)))
    five.figures.show(five.figures.new_figure(), "an empty figure")
    five.figures.show(five.figures.new_figure(), "an empty figure", "Nothing was found.")
    abouts = [options["metadata"]["image/png"] for _, options in shown]
    assert abouts == [
        {"alt": "an empty figure"},
        {"alt": "an empty figure", "caption": "Nothing was found."},
    ]
    assert all(data["image/png"].startswith(b"\x89PNG") for (data,), _ in shown)


@pytest.mark.parametrize("moves, word", [("d4", "visits"), ("a1a3b1b3c1c3d1", "blocks five")])
def test_a_thought_is_shown_with_its_moves_in_words(monkeypatch, moves, word):
    game, shown = five.game.Game.from_text(moves), []
    monkeypatch.setattr(five.search_figures, "show", lambda *args: shown.append(args))
    thought = five.engine.think(game, simulations=100)
    five.search_figures.show_search(game, thought)
    ((_, alt, caption),) = shown
    assert word in alt and thought.name in alt and thought.name in caption


def test_a_young_node_is_the_same_on_the_board_and_in_three_integers(monkeypatch):
    class Child(NamedTuple):
        point: int
        W: float

    class Node(NamedTuple):
        children: list

    shown, game = [], five.game.Game.from_text("d4 c5")
    monkeypatch.setattr(five.search_figures, "show", lambda *args: shown.append(args))
    node = Node([Child(0, 1.0), Child(9, 0.0), Child(63, 0.5)])
    five.search_figures.show_young_node(game, node)
    ((figure, alt, caption),) = shown
    board, *grids = figure.axes
    assert {text.get_position(): text.get_text() for text in board.texts} == {
        (0, 0): "1",
        (1, 1): "0",
        (7, 7): "½",
    }
    assert [int(ax.get_xlabel(), 16) for ax in grids] == [1 + (1 << 9) + (1 << 63), 1, 1 << 63]
    assert "3 tried, 1 won, 1 drawn" in alt and "3 tried, 1 won, 1 drawn" in caption


def test_line_1_is_at_the_bottom_and_the_stones_stand_on_their_points():
    ax = five.figures.new_figure().subplots()
    five.figures.draw_board(ax, five.game.Game.from_text("a1 c2", size=4).array)
    assert [(p.center, p.get_facecolor()[0]) for p in ax.patches] == [((0, 0), 0), ((2, 1), 1)]
    assert ax.get_ylim()[0] < ax.get_ylim()[1]


def test_the_three_most_visited_moves_are_written_and_unvisited_points_are_blank():
    game, visits = five.game.Game(), np.zeros((8, 8), np.int64)
    visits[0, :4] = 5, 1200, 30, 7
    ax = five.figures.new_figure().subplots()
    image = five.search_figures.draw_visits(ax, game, visits)
    written = {
        (int(t.get_position()[0]), int(t.get_position()[1])): t.get_text() for t in ax.texts
    }
    assert written == {(1, 0): "1.2k", (2, 0): "30", (3, 0): "7"}
    assert image.get_array().mask.sum() == 60 and image.get_clim() == (0, 1200)


def test_a_score_stands_in_the_middle_of_the_games_drawn():
    table = pandas.DataFrame(
        [("8×8", 0.55, 0.5, 0.6, 20, 70, 10)],
        columns=["board", "score", "low", "high", "won", "drawn", "lost"],
    )
    figure = five.strength.results_figure(table, ["one idea less"])
    bars = [(bar.get_x(), bar.get_width()) for bar in figure.axes[0].patches]
    assert np.allclose(bars, [(0, 0.2), (0.2, 0.7), (0.9, 0.1)])
    assert bars[1][0] + bars[1][1] / 2 == pytest.approx(0.55)
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words == ["won", "drawn", "lost"]


def test_values_keep_their_scale_and_the_best_three_are_written_with_their_sign():
    game, values = five.game.Game(), np.full((8, 8), np.nan)
    values[0, :5] = 0.31, -0.2, 0.1, -0.001, -0.5
    ax = five.figures.new_figure().subplots()
    image = five.search_figures.draw_values(ax, game, values)
    assert image.get_clim() == (-1, 1)
    assert [t.get_text() for t in ax.texts] == ["+0.31", "+0.10", "0.00"]


@pytest.mark.parametrize("number, text", [(999, "999"), (9949, "9.9k"), (9951, "10k")])
def test_counts_are_short(number, text):
    assert five.figures.short_number(number) == text


def test_at_most_twelve_moves_are_drawn_and_always_the_last():
    assert five.figures.evenly(range(5)) == [0, 1, 2, 3, 4] and five.figures.evenly([]) == []
    chosen = five.figures.evenly(range(100))
    assert len(set(chosen)) == 12 and chosen[0] == 0 and chosen[-1] == 99


def test_the_record_shows_every_number_and_frames_the_winning_line():
    game = five.game.Game.from_text("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    ax = five.figures.new_figure().subplots()
    five.figures.draw_record(ax, game)
    assert [t.get_text() for t in ax.texts] == [str(n) for n in range(1, 10)]
    assert [patch.get_fill() for patch in ax.patches].count(False) == 5


def test_the_moves_of_a_game_are_drawn_on_one_scale_and_counted():
    game = five.game.Game.from_text("a1")
    thoughts = {1: five.engine.think(game, simulations=40)}
    for move in ("a3", "b1", "b3", "c1", "c3", "d1"):
        game.play(move)
    thoughts[7] = five.engine.think(game)  # it is forced
    game.play(thoughts[7].move)
    figure = five.search_figures.game_panels(game, thoughts, [1, 7], "visits")
    scales = {ax.images[0].get_clim() for ax in figure.axes if ax.images and ax.get_title()}
    assert len(scales) == 1
    said = five.search_figures.visits_caption(game, thoughts, [1, 7])
    assert "1 of the 2 needed no search" in said


def test_the_report_has_a_line_for_each_search_that_opens_on_its_matrices(monkeypatch):
    import IPython.display

    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda data, **_: shown.append(data))
    game = five.game.Game.from_text("a1 a3 b1 b3 c1 c3 d1")
    results = {7: five.engine.think(game)}  # it is forced
    game.play("e1")
    results[8] = five.mcts.plain_search(game, simulations=30)
    game.play(results[8].move)
    five.figures.show_reports(game, results, {7: "engine", 8: "a<b"})
    (data,) = shown
    lines = data["text/html"].split("<details")[1:]
    assert [" open" in line[:6] for line in lines] == [True, False]
    assert ["blocks five" in line for line in lines] == [True, False]
    assert "engine" in lines[0] and "a&lt;b" in lines[1] and "30 simulations" in lines[1]
    visits = lines[1].partition("<pre>visits\n")[2].partition("UCB")[0]
    cells = [word for row in visits.splitlines()[:8] for word in row.split()[1:]]
    counts = [int(word) for word in cells if word != "."]
    assert sum(counts) == 30

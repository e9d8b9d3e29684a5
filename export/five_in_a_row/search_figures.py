"""Figures of a search for the studies and for the board inside a notebook.

Most are drawn by `heatmap` of the main notebook, in the module `figures`. What is added here:
captions in words, several boards in one figure, and the forms that the studies call by name.
The last section has the figures of the study `search`.
"""

import itertools
import math

import numpy as np

from five_in_a_row.figures import (
    draw_board,
    heatmap,
    new_figure,
    position_at,
    short_number,
    show,
    signed,
    small_boards,
    top_points,
)
from five_in_a_row.game import COLOUR, Game

# ---- one board -------------------------------------------------------------------------


def add_bar(figure, image, axes, unit: str, **where) -> None:
    """Add a colour bar with its unit, below the axes unless `where` says otherwise."""
    where = {"location": "bottom", "shrink": 0.9, "aspect": 30} | where
    bar = figure.colorbar(image, ax=axes, **where)
    bar.set_label(unit, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    if image.norm.vmin < 0:
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["−1 lost", "−½", "0", "+½", "+1 won"])


def draw_cells(ax, game, numbers, labels, *, colours, low, high):
    """Draw a position with numbers as colours under it; return the image for a colour bar.

    numbers   float[rows, size]   masked, NaN or 0 where nothing is drawn
    labels    {point: text}       written on the points
    """
    look = {"colours": colours, "low": low, "high": high, "labels": labels}
    return heatmap(ax, game, numbers, None, **look)


def draw_visits(ax, game, visits, vmax=None, label=None):
    """Draw the visits of each move, int[rows, size] or shares; the top three are written."""
    label, high = label or short_number, vmax or max(visits.max(), 1e-9)
    labels = {point: label(visits.flat[point]) for point in top_points(visits)}
    return draw_cells(ax, game, visits, labels, colours="Blues", low=0, high=high)


def draw_values(ax, game, values, visits=None):
    """Draw the value of each move for the side to move, float[rows, size] in -1...+1.

    Three are written: the most visited moves where `visits` is given, or else the best.
    """
    order = visits if visits is not None else np.nan_to_num(values + 2)
    labels = {point: signed(values.flat[point]) for point in top_points(order)}
    return draw_cells(ax, game, values, labels, colours="RdBu", low=-1, high=1)


def draw_forced(ax, game, result) -> None:
    """Draw a position in which no search was needed: the move as a cross, and the reason."""
    draw_board(ax, game.array, game.played[-1] if game.played else None, game.five)
    row, col = divmod(result.move, game.rules.size)
    ax.plot(col, row, "x", color="tab:blue", markersize=7, markeredgewidth=2, zorder=6)
    ax.set_xlabel(f"forced: {result.why}", fontsize=8)


# ---- one search ------------------------------------------------------------------------


def search_figure(game, result, scores: bool = True):
    """Return a figure of what a search found: visits, values and scores of each move."""
    if not result.visits.any():
        figure = new_figure(3.2, 3.4)
        draw_forced(figure.subplots(), game, result)
        return figure
    figure = new_figure(9.6 if scores else 6.6, 3.9)
    left, middle, *rest = figure.subplots(1, 3 if scores else 2)
    image = draw_visits(left, game, result.visits)
    add_bar(figure, image, left, "visits (simulations)")
    image = draw_values(middle, game, result.values, result.visits)
    add_bar(figure, image, middle, f"value for {COLOUR[game.to_move]}, who is to move")
    if not scores:
        return figure
    labels = {point: f"{result.scores.flat[point]:.2f}" for point in top_points(result.visits)}
    shades = {"colours": "Purples", "low": 0, "high": max(1.0, np.nanmax(result.scores))}
    image = draw_cells(rest[0], game, result.scores, labels, **shades)
    add_bar(figure, image, rest[0], f"{result.rule} (reward 0…1 plus exploration)")
    return figure


def search_caption(game, result) -> str:
    """Return what a search found in words, with position, side to move and seed."""
    side, ply = COLOUR[game.to_move], len(game.played) + 1
    where = f"{game.rules.size}×{game.rules.height}, move {ply}, {side} to move"
    if not result.visits.any():
        return f"{result.name} needs no search ({result.why}). {where}."
    share = result.visits.flat[result.move] / result.visits.sum()
    found = f"{share:.0%} of the visits; its value for {side} is {result.value:+.2f}"
    effort = f"{result.simulations:,} simulations, seed {result.seed}"
    return f"{result.name} received {found}. {where}; {effort}."


def show_search(game, result, scores: bool = True) -> None:
    """Display the figure of a search with its caption, and with its best moves in words.

    scores   False: visits and values alone
    """
    words = "{} {:,} visits, value {:+.2f}, " + result.rule + " {:.2f}"
    best = "; ".join(words.format(*row) for row in result.top(3)) or f"no search: {result.why}"
    boards = f"visits, values and {result.rule}" if scores else "visits and values"
    alt = f"Boards with {boards}. {result.name} is played. {best}."
    show(search_figure(game, result, scores), alt, search_caption(game, result))


# ---- the searches of a game ------------------------------------------------------------


def game_panels(game: Game, results: dict, plies, what: str = "visits"):
    """Return a figure with one small board for each computer move in `plies`.

    results   {ply: SearchResult}, as the Play cell records them; the title is what was played
    what      "visits", as shares of all visits, or "values" for the side to move
    """
    boards = []
    for ply in plies:
        before = position_at(game, ply)
        title = f"{ply + 1}. {game.moves[ply]} ({COLOUR[before.to_move]})"
        boards.append((title, before, results[ply]))
    return small_boards(boards, what)


def visits_caption(game: Game, results: dict, plies) -> str:
    """Return the finding, and what is needed to repeat it."""
    boards = [(each, game.played[ply]) for ply, each in results.items() if each.visits.any()]
    shares = [found.visits.flat[point] / found.visits.sum() for found, point in boards]
    searched = [found for found, _ in boards]
    text = f"{len(plies)} of the computer's {len(results)} moves are drawn"
    if len(results) > len(searched):
        text += f"; {len(results) - len(searched)} of the {len(results)} needed no search"
    if not searched:
        return text + "."
    alone = sum(each.why == "only candidate" for each in searched)
    rivals = f"; {alone} had no rival among the candidates" if alone else ""
    return (
        f"{text}. The move played received {min(shares):.0%} to {max(shares):.0%} of the "
        f"visits, a median of {np.median(shares):.0%}{rivals}. "
        f"{span([each.simulations for each in searched])} simulations, "
        f"seeds {span([each.seed for each in searched], '')}."
    )


def span(numbers, comma: str = ",") -> str:
    """Return the range of some numbers, such as "1,000 to 2,000", or the only one."""
    low, high = (f"{number:{comma}}" for number in (min(numbers), max(numbers)))
    return low if low == high else f"{low} to {high}"


# ---- how a search was made fast --------------------------------------------------------


def show_looks(looks, titles, caption: str) -> None:
    """Display small boards with every line of five in red: the looks at one random game.

    looks   [(int8[rows, size], lines)]   each line as its points
    """
    across = min(3, len(looks))
    down = math.ceil(len(looks) / across)
    figure = new_figure(2.2 * across, 2.4 * down)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for ax in axes[len(looks) :]:
        ax.set_visible(False)
    for ax, (cells, lines), title in zip(axes, looks, titles, strict=False):
        draw_board(ax, cells)
        for line in lines:
            rows, cols = np.divmod([min(line), max(line)], cells.shape[1])
            ax.plot(cols, rows, color="tab:red", linewidth=3, zorder=5)
        ax.set_title(title, fontsize=11)
        ax.set(xticks=[], yticks=[])
    alt = f"Small boards of one random game, the stones of one look each: {'; '.join(titles)}"
    show(figure, alt, caption)


def show_young_node(game: Game, node) -> None:
    """Display what a node knows of moves tried once, on the board and as three sets of bits.

    node   of game's position; its children have point and W: 1, 1/2 or 0 for who moves there
    """
    height, size = game.array.shape
    rewards = np.full((height, size), np.nan)
    for child in node.children:
        rewards.flat[child.point] = child.W
    figure = new_figure(5.6, 6)
    (first, *rest), side = figure.subplots(2, 2).ravel(), COLOUR[game.to_move]
    draw_board(first, game.array, game.played[-1] if game.played else None)
    look = {"ha": "center", "va": "center_baseline", "fontsize": 11, "zorder": 6}
    for row, col in np.argwhere(np.isfinite(rewards)):
        word = {0: "0", 0.5: "½", 1: "1"}[rewards[row, col]]
        text = first.text(col, row, word, color="tab:blue" if word != "0" else "0.35", **look)
        text.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    first.set_title(f"won by {side}, one game each", fontsize=11)
    words = []
    sets = {"tried": np.isfinite(rewards), "won": rewards == 1, "drawn": rewards == 0.5}
    for ax, (name, points) in zip(rest, sets.items(), strict=True):
        ax.pcolormesh(points, cmap="Blues", vmin=0, vmax=1.4, edgecolor="0.8", linewidth=0.6)
        number = sum(1 << point for point in np.flatnonzero(points).tolist())
        ax.set_title(f"{name}: {points.sum()} bits set", fontsize=11)
        ax.set_xlabel(f"{number:0{-(-points.size // 4)}x}", family="monospace", fontsize=11)
        ax.set(xticks=[], yticks=[], aspect="equal")
        words.append(f"{points.sum()} {name}")
    alt = f"A board with 1, ½ or 0 at each move that {side} tried, and three grids of bits"
    found = ", ".join(words)
    where = f"After {' '.join(game.moves)}: {side}'s moves, {found}"
    show(figure, f"{alt}: {found}.", f"{where}; below each set its integer, in base 16.")


def show_factors(names, totals, caption: str) -> None:
    """Display by how much each step multiplies what was before it, as bars on a log scale.

    names, totals   of the beginning, of each step, and of what was measured at the end
    """
    figure, words = new_figure(7, 3.4), []
    ax = figure.subplots()
    ax.plot(totals[0], 0, "o", color="tab:orange", markersize=9)
    for row, (before, total) in enumerate(itertools.pairwise(totals), 1):
        start, last = min(before, total), row == len(totals) - 1
        ax.barh(row, abs(total - before), 0.6, start, color="0.55" if last else "tab:blue")
        ax.plot([before, before], [row - 0.7, row - 0.3], color="0.5", linewidth=1)
        label = f"{'' if last else f'× {total / before:.2g}, '}in all {total:,.0f}"
        place, side = (1.15 * total, "left") if row == 1 else (start / 1.15, "right")
        ax.text(place, row, label, va="center", ha=side, fontsize=11)
        words.append(f"{names[row]}, {label}")
    ax.set(xscale="log", xlim=(0.8, 1.4 * max(totals)))
    ax.set_yticks(range(len(names)), names, fontsize=11)
    ax.invert_yaxis()
    ax.set_xlabel("times as fast as the notebook's search", fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    alt = "Bars on a logarithmic scale, each from the speed before a decision to that after it"
    show(figure, f"{alt}, as a multiple of the notebook's. {'; '.join(words)}.", caption)

"""The figures of the first three essays: lines on boards, games by beginning, lucky means, advice.

Each `show_` function reads its table or its search, displays one figure with alternative text,
and prints a caption that says what was counted, by which player, with what budget.
"""

import math

import numpy as np

from five_in_a_row.figures import (
    draw_cells,
    new_figure,
    show,
)
from five_in_a_row.game import Game, Rules, point_name
from five_in_a_row.search import SearchOptions
from five_in_a_row.strength import (
    RESULTS_OF_BLACK,
    chance_if_equal,
    made_words,
    move_value,
    snapshots,
    stored_results,
)

LONG_BOARD = "20×8"


# ---- Rules: lines of five, games by beginning, the same openings on every board -------------


def long_lines(rules: Rules) -> list[list[int]]:
    """Return every row, column and diagonal of at least five points, as lists of points."""
    board = np.arange(rules.points).reshape(rules.height, rules.size)
    lines = [*board, *board.T]
    for each in (board, board[:, ::-1]):
        lines += [each.diagonal(k) for k in range(1 - rules.height, rules.size)]
    return [line.tolist() for line in lines if len(line) >= 5]


def lines_through(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point, int[rows, size]."""
    through = np.zeros((rules.height, rules.size), int)
    for line in long_lines(rules):
        for first in range(len(line) - 4):
            through.flat[line[first : first + 5]] += 1
    return through


def show_lines(*boards: Rules) -> None:
    """Show empty boards, coloured by the lines of five through each point."""
    figure = new_figure(6.4, 2.4)
    axes = figure.subplots(1, len(boards), width_ratios=[rules.size for rules in boards])
    said = []
    for ax, rules in zip(axes, boards, strict=True):
        through = lines_through(rules)
        image = draw_cells(ax, Game(rules), through, {}, colours="Blues", low=0, high=20)
        row, col = rules.height // 2, rules.size // 2
        write = {"color": "white", "fontsize": 11, "ha": "center", "va": "center", "zorder": 6}
        ax.text(col, row, through[row, col], **write)
        ax.set(xticks=[], yticks=[])
        name, full = f"{rules.size}×{rules.height}", int((through == 20).sum())
        ax.set_xlabel(f"{name}: {rules.points} points", fontsize=10)
        said.append(f"{name} {full} of {rules.points}")
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.4, aspect=30)
    bar.set_label("lines of five through a point", fontsize=10)
    words = f"Points with all twenty lines: {', '.join(said)}"
    show(
        figure,
        f"Empty boards, darker where more lines of five go through a point. {words}.",
        f"{words}. Written: the lines through one point in the middle.",
    )


def show_by_beginning() -> None:
    """Show the games from the empty boards as bars, cut where the first five stones differ."""
    table = stored_results("sizes")
    if table is None:
        return
    figure = new_figure(6.4, 4.0)
    ax = figure.subplots()
    gap = 0.7  # games, between two beginnings
    for row, counts in enumerate(table["by beginning"]):
        left = 0.0
        for beginning in counts.split(", "):
            begun = left
            results = map(int, beginning.split("–"))
            for (fill, name), games in zip(RESULTS_OF_BLACK.values(), results, strict=True):
                label = None if row else name
                ax.barh(row, games, 0.7, left, color=fill, label=label)
                left += games
            ax.barh(row, left - begun, 0.7, begun, fill=False, edgecolor="0.15", linewidth=0.8)
            left += gap
    ax.set_yticks(range(len(table)), table.board, fontsize=11)
    ax.invert_yaxis()
    ax.set(xticks=[], xlim=(-0.5, None))
    ax.set_xlabel(f"{table.games[0]} games per board, a box for each beginning", fontsize=11)
    ax.spines[["top", "right", "bottom", "left"]].set_visible(False)
    ax.tick_params(length=0)
    handles = [figure_patch(fill, name) for fill, name in RESULTS_OF_BLACK.values()]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=3, fontsize=11, frameon=False
    )
    said = "; ".join(
        f"{row.board} {row.won}–{row.drawn}–{row.lost} in {1 + row.words.count(',')}"
        for row in table.rename(columns={"by beginning": "words"}).itertuples()
    )
    show(
        figure,
        f"Bars of boxes. Black won–drawn–lost, and the number of beginnings: {said}.",
        f"A box is one beginning: the first five stones, mirror images counted once. Black "
        f"won–drawn–lost in so many beginnings: {said}. The engine against itself from the "
        f"empty board; {made_words(table.iloc[0])}.",
    )


def figure_patch(fill, name):
    """Return a filled box with a name, for a legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=fill, edgecolor="0.15", label=name)


def same_openings():
    """Return black's points by opening and board, 0 to 1, a column for each board; or None.

    An opening is played twice; a draw is half a point.
    """
    table = stored_results("beginnings")
    if table is None:
        return None
    games = table["black won"] + table["drawn"] + table["white won"]
    table["points"] = (table["black won"] + table["drawn"] / 2) / games
    points = table.pivot(index="opening", columns="board", values="points")
    points = points[list(dict.fromkeys(table.board))]
    ends = table.groupby("board")[["black won", "drawn", "white won"]].sum()
    points.attrs = {"ends": ends.loc[points.columns], "made": made_words(table.iloc[0])}
    return points


def compare_boards(points, one: str, other: str) -> tuple[int, int, float]:
    """Return in how many openings black does better on the first, on the other board, and p."""
    more = int((points[one] > points[other]).sum())
    fewer = int((points[one] < points[other]).sum())
    return more, fewer, chance_if_equal(more, fewer)


def show_same_openings(points) -> None:
    """Show black's score on each board, from the openings that all boards share."""
    figure = new_figure(6.4, 3.0)
    ax = figure.subplots()
    mean, number = points.mean(), len(points)
    reach = 1.96 * points.std() / math.sqrt(number)
    for place, board in enumerate(points.columns):
        colour = "C1" if board == LONG_BOARD else "C0"
        ax.errorbar(place, mean[board], reach[board], fmt="o", color=colour, capsize=4)
        ends = "–".join(map(str, points.attrs["ends"].loc[board]))
        write = {"fontsize": 9, "ha": "center", "va": "bottom", "color": "0.3"}
        ax.text(place, 0.985, ends, transform=ax.get_xaxis_transform(), **write)
    ax.axhline(0.5, color="0.6", linewidth=1)
    ax.set_xticks(range(len(points.columns)), points.columns, fontsize=11)
    ax.set_ylabel("black's score", fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    said = "; ".join(
        f"{board} {mean[board]:.2f} ± {reach[board]:.2f}" for board in points.columns
    )
    show(
        figure,
        f"A dot with its interval for each board. {said}.",
        f"Black's score, a draw counting ½, with its 95 % interval over {number} openings of "
        f"two to four random stones near the middle, the same on every board, two games each: "
        f"{said}. Above: black won–drawn–white won. The engine against itself; "
        f"{points.attrs['made']}.",
    )


# ---- Search: means that are high by luck ----------------------------------------------------


def show_lucky(visits, means, position: Game, simulations: int, later: int, seed: int) -> None:
    """Show fair coins and the moves of a search in the same picture: means by visits.

    visits, means   tosses and shares of heads of some fair coins
    simulations     where the search is stopped for the picture
    later           where the two moves of the picture have got to in the end
    """
    figure = new_figure(6.4, 3.2)
    left, right = figure.subplots(1, 2, sharey=True)
    grown = np.geomspace(simulations, later, 60).astype(int).tolist()
    reads = [each for *_, each in snapshots(position, grown, None, SearchOptions(seed=seed))]
    now, rows = reads[0], position.rules.size
    seen = np.flatnonzero(now.visits)
    shares = np.array([(1 + each.values.ravel()) / 2 for each in reads])
    counts = np.array([each.visits.ravel() for each in reads])
    best, most = seen[shares[0, seen].argmax()], seen[counts[0, seen].argmax()]
    draw_means(left, visits, means, ("best mean", "most tossed"))
    names = [
        f"{point_name(point, rows)}: {what}"
        for point, what in ((best, "best"), (most, "most visited"))
    ]
    draw_means(right, counts[0, seen], shares[0, seen], names)
    for point, colour in ((best, "C1"), (most, "C0")):
        right.plot(counts[:, point], shares[:, point], color=colour, linewidth=1.5)
    left.axhline(0.5, color="0.6", linewidth=1, zorder=0)
    left.set(title="fair coins", xlabel="tosses", ylabel="mean", ylim=(0, 1.08))
    right.set(title=f"moves after {simulations:,} simulations", xlabel="visits")
    said = (
        f"{point_name(best, rows)} has mean {shares[0, best]:.2f} in {counts[0, best]} visits "
        f"and {shares[-1, best]:.2f} in the end, {point_name(most, rows)} "
        f"{shares[0, most]:.2f} in {counts[0, most]} and {shares[-1, most]:.2f}"
    )
    show(
        figure,
        f"Two clouds of dots, wide at few tosses or visits, narrow at many. {said}.",
        f"Right, the engine on 8×8 after {' '.join(position.moves)}: {said} ({later:,} "
        f"simulations; the lines go there). Its values are written as means, 0 to 1, for "
        f"the side to move; seed {seed}.",
    )


def draw_means(ax, counts, means, names) -> None:
    """Draw means by counts on a log scale, and name the highest and the surest of them."""
    ax.plot(counts, means, "o", color="0.55", markersize=5)
    for at, name, colour in zip(
        (np.argmax(means), np.argmax(counts)), names, ("C1", "C0"), strict=True
    ):
        ax.plot(counts[at], means[at], "o", color=colour, markersize=8)
        ax.annotate(
            name,
            (counts[at], means[at]),
            (6, 8),
            textcoords="offset points",
            color=colour,
            fontsize=11,
        )
    ax.set_xscale("log")
    ax.spines[["top", "right"]].set_visible(False)


def promises(positions, simulations: int, judge: int):
    """Return what two rules promise of their moves and what a longer search says of them.

    A table with a row for each position in which the most visited move has not the best value:
    the value of either move then, and from a search of `judge` simulations after it.
    """
    import pandas as pd

    rows = []
    for seed, position in enumerate(positions):
        reads = snapshots(position, [simulations], None, SearchOptions(seed=seed))
        _, _, found = next(reads)
        pair = {"best value": np.nanargmax(found.values), "most visits": found.visits.argmax()}
        if len(set(pair.values())) == 2:
            rows.append(
                {
                    (rule, what): value
                    for rule, point in pair.items()
                    for what, value in (
                        ("promised", found.values.flat[point]),
                        ("judged", move_value(position, int(point), judge)),
                    )
                }
            )
    return pd.DataFrame(rows)

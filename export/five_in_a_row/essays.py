"""Figures of the essays: lines of five, games by beginning, lucky means, advice.

Each `show_` function displays one figure of a table or a search, with alternative text and a
caption that says what was counted, by which player, with what budget.
"""

import math
from functools import cache

import numpy as np

from five_in_a_row.engine import engine_moves, live_position
from five_in_a_row.figures import new_figure, percent, show
from five_in_a_row.game import BLACK, DIRECTIONS, Game, Rules, point_name, to_point
from five_in_a_row.heuristics import line_text
from five_in_a_row.search import SearchOptions
from five_in_a_row.search_figures import draw_cells
from five_in_a_row.strength import (
    RESULTS_OF_BLACK,
    move_value,
    show_made,
    snapshots,
    stored_results,
)

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
        f"empty board, 500 to 3,500 simulations per move.",
    )
    show_made(table)


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
    points.attrs = {"ends": ends.loc[points.columns], "table": table}
    return points


def score_difference(points, one: str, other: str) -> tuple[float, float]:
    """Return black's score on one board less that on another, and half its 95 % interval.

    The difference is taken opening by opening, and the interval is of their mean.
    """
    apart = points[one] - points[other]
    return apart.mean(), 1.96 * apart.std() / math.sqrt(len(apart))


@cache
def line_threat(line: str) -> int:
    """Return 2 if two points would make a five through the middle of nine points, else 1 or 0.

    It is 1 where one more stone would make a five or an open four through the middle, and 0
    also where a five stands there. line: as `line_text` writes it.
    """
    windows = [(start, line[start : start + 5]) for start in range(5)]
    fives = {
        start + five.index("0") for start, five in windows if sorted(five) == ["0", *"1111"]
    }
    if any(five == "11111" for _, five in windows):
        return 0
    open_four = any(
        line[start] == line[start + 5] == "0"
        and sorted(line[start + 1 : start + 5]) == ["0", *"111"]
        for start in range(4)
    )
    return 2 if len(fives) > 1 else int(bool(fives) or open_four)


def is_double(cells, point: int) -> bool:
    """Return whether a black stone there threatens on two lines, or twice on one.

    Twice on one line is what an open four does: two points would make a five.
    """
    lines = (line_text(cells, point, step, BLACK) for step in DIRECTIONS)
    return sum(map(line_threat, lines)) > 1


def double_threats(moves, begun: int, rules: Rules, most: int = 40) -> tuple[bool, int, int]:
    """Return whether black made a double threat, black's turns, and those that offered one.

    moves   names of a game from its first stone; the first `begun` stones do not count
    most    turns are counted until so many stones are on the board
    """
    game, made, turns, chances = Game(rules), False, 0, 0
    for number, name in enumerate(moves):
        point, cells = to_point(name, rules), game.array.tolist()
        if number >= begun and game.to_move == BLACK:
            made = made or is_double(cells, point)
            if number < most:
                turns += 1
                chances += any(is_double(cells, free) for free in game.legal())
        game.play(point)
    return made, turns, chances


def show_double_threats():
    """Display where black made a double threat, and where one was offered; return the counts.

    They are the sums of the table `beginnings`, a row for each board by its lines of five, and
    "all"; None where there is no table.
    """
    from IPython.display import display

    table = stored_results("beginnings")
    if table is None:
        return None
    table["not won"] = table["drawn"] + table["white won"]
    names = {
        "black won": "won, double",
        "not won": "not won, double",
        "turns": "turns, double",
    }
    counts = table.groupby("board")[[*names, *names.values()]].sum()
    counts["lines"] = [lines_through(rules_named(board)).mean() for board in counts.index]
    counts = counts.sort_values("lines").drop(columns="lines")
    counts.loc["all"] = counts.sum()
    titles = "made in games that black won", "made in other games", "offered at black's turns"
    shown = counts[[]].copy()
    for title, (number, double) in zip(titles, names.items(), strict=True):
        pairs = zip(counts[double], counts[number], strict=True)
        shown[title] = [f"{some:,} of {all_:,}" for some, all_ in pairs]
    share = counts["turns, double"] / counts["turns"]
    shown["share of the turns"] = share.map("{:.1%}".format)
    display(shown)
    return counts


def rules_named(board: str) -> Rules:
    """Return the rules of a board that is named as in 20×8, columns first."""
    size, rows = map(int, board.split("×"))
    return Rules(size, rows=None if rows == size else rows)


def show_same_openings(*later: str):
    """Show black's score on each board from the same openings; return it, or None.

    later   boards that are returned and not shown
    """
    scores = same_openings()
    if scores is None:
        return None
    points = scores.drop(columns=[board for board in later if board in scores])
    figure = new_figure(6.4, 3.6)
    ax = figure.subplots()
    mean, number = points.mean(), len(points)
    reach = 1.96 * points.std() / math.sqrt(number)
    lines = {board: lines_through(rules_named(board)).mean() for board in points}
    for board in points:
        long = rules_named(board).rows is not None
        colour = "C1" if long else "C0"
        look = {"fmt": "o", "color": colour, "capsize": 4}
        ax.errorbar(lines[board], mean[board], reach[board], **look)
        write = {
            "color": colour,
            "fontsize": 11,
            "textcoords": "offset points",
            "ha": "center",
        }
        end, away = (-1, -16) if long else (1, 6)
        ax.annotate(
            board, (lines[board], mean[board] + end * reach[board]), (0, away), **write
        )
    ax.axhline(0.5, color="0.6", linewidth=1)
    ax.margins(y=0.12)
    ax.set_xlabel("lines of five through a point, mean of the board", fontsize=11)
    ax.set_ylabel("black's score", fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    ends = scores.attrs["ends"]
    results = {board: "–".join(map(str, ends.loc[board])) for board in points}
    said = "; ".join(
        f"{board} {mean[board]:.2f} ± {reach[board]:.2f}, {results[board]}" for board in points
    )
    show(
        figure,
        f"Black's score rises with the lines of five through a point. {said}.",
        f"Black's score (a draw is ½) with its 95 % interval over {number} openings, two "
        f"games each; black won–drawn–white won: {said}. The engine against itself, 500 to "
        f"3,500 simulations per move.",
    )
    show_made(scores.attrs["table"])
    return scores


# ---- Search: means that are high by luck ----------------------------------------------------


def show_lucky(tosses, means, position: Game, simulations: int, later: int, seed: int) -> None:
    """Show fair coins and the moves of a search in the same kind of picture: means by visits.

    tosses, means   of some fair coins: how often each was tossed, its share of heads
    simulations     where the search is stopped for the picture
    later           up to where its two moves are followed
    """
    figure = new_figure(6.4, 3.4)
    left, right = figure.subplots(1, 2)
    counts = np.geomspace(simulations, later, 60).astype(int).tolist()
    reads = [each for *_, each in snapshots(position, counts, None, SearchOptions(seed=seed))]
    visits = np.array([each.visits.ravel() for each in reads])
    values = np.array([each.values.ravel() for each in reads])
    seen, size = np.flatnonzero(visits[0]), position.rules.size
    pair = seen[values[0, seen].argmax()], seen[visits[0, seen].argmax()]
    names = [point_name(int(point), size) for point in pair]
    draw_means(left, tosses, means, ("highest mean", "most tossed"))
    draw_means(right, visits[0, seen], values[0, seen], names)
    for point, colour in zip(pair, ("C1", "C0"), strict=True):
        right.plot(visits[:, point], values[:, point], color=colour, linewidth=1.5)
    left.axhline(0.5, color="0.6", linewidth=1, zorder=0)
    left.set(
        title="forty fair coins", xlabel="tosses", ylabel="share of heads", ylim=(0, 1.12)
    )
    right.set(
        title=f"moves after {simulations:,} simulations", xlabel="visits", ylabel="value"
    )
    said = "; ".join(
        f"{name} has value {values[0, point]:+.2f} in {visits[0, point]} visits, and later "
        f"{values[-1, point]:+.2f} in {visits[-1, point]:,}"
        for point, name in zip(pair, names, strict=True)
    )
    show(
        figure,
        f"Two clouds of dots, values by visits on a log scale; left a funnel. Right: {said}.",
        f"Left, one throw of the coins. Right, one search of the engine, black to move on "
        f"8×8 after {' '.join(position.moves)}: {said}. Values go from −1 to +1; the lines end"
        f" at {later:,} simulations; seed {seed}.".replace("-", "−"),
    )


def draw_means(ax, counts, means, names) -> None:
    """Draw means by counts on a log scale, and name the highest and the surest of them."""
    ax.plot(counts, means, "o", color="0.55", markersize=5)
    places = np.argmax(means), np.argmax(counts)
    for at, name, colour, above in zip(places, names, ("C1", "C0"), (8, -20), strict=True):
        ax.plot(counts[at], means[at], "o", color=colour, markersize=8)
        write = {
            "color": colour,
            "fontsize": 11,
            "textcoords": "offset points",
            "ha": "center",
        }
        ax.annotate(name, (counts[at], means[at]), (0, above), **write)
    ax.set_xscale("log")
    ax.margins(x=0.15)
    ax.spines[["top", "right"]].set_visible(False)


def promises(positions, simulations: int, judge: int):
    """Return what two rules promise of their moves, and what a longer search says of them.

    A table with a row for each position in which the move with the best value is not the most
    visited: the value of either then, and by a search of `judge` simulations after it.
    """
    import pandas as pd

    rows = []
    for seed, position in enumerate(positions):
        _, _, found = next(snapshots(position, [simulations], None, SearchOptions(seed=seed)))
        best, most = int(np.nanargmax(found.values)), int(found.visits.argmax())
        if best != most:
            rows.append(
                {
                    "best value, promised": found.values.flat[best],
                    "best value, judged": move_value(position, best, judge),
                    "most visits, promised": found.values.flat[most],
                    "most visits, judged": move_value(position, most, judge),
                }
            )
    return pd.DataFrame(rows)


def mean_words(numbers) -> str:
    """Return the mean of some numbers with half its 95 % interval, in words."""
    reach = 1.96 * numbers.std() / math.sqrt(len(numbers))
    return f"{numbers.mean():+.3f} ± {reach:.3f}".replace("-", "−")


def show_promises(openings, simulations: int, judge: int) -> tuple[float, float]:
    """Print how far two rules promise too much where they disagree; see promises.

    Returns two means: how much more the best value promises too much than the most visited
    move's does, and how much better the most visited move is judged.
    """
    table = promises(map(Game.from_text, openings), simulations, judge)
    print(f"The rules disagree in {len(table)} of {len(openings)} openings.")
    too_high = {}
    for rule in ("best value", "most visits"):
        promised, judged = table[f"{rule}, promised"], table[f"{rule}, judged"]
        too_high[rule] = promised - judged
        said = f"promised {promised.mean():+.2f}, judged {judged.mean():+.2f}"
        print(f"{rule:11}: {said}, too high by {mean_words(too_high[rule])}")
    excess = too_high["best value"] - too_high["most visits"]
    gain = table["most visits, judged"] - table["best value, judged"]
    print(f"best value too high by more, in the same opening: {mean_words(excess)}")
    print(f"most visited move better than the other one:      {mean_words(gain)}")
    return excess.mean(), gain.mean()


# ---- Heuristics: advice against proofs ------------------------------------------------------

SEARCHES = {  # the name in advice.csv: (name in the figure, its line)
    "with proofs": ("learned priors, proofs", "C2-"),
    "learned": ("learned priors", "C3-"),
    "by hand": ("priors by hand", "C0--"),
    "cut": ("cut", "C1-."),
    "plain": ("no advice", "k:"),
}


def show_advice(position: Game, right: list[str]) -> None:
    """Show a position with the engine's learned priors, the moves that hold in rings."""
    workspace = live_position(position)
    unproved = SearchOptions(vcf_nodes=0)
    number = engine_moves(workspace, 0, position.rules.points, unproved)
    priors = np.zeros(position.array.shape)
    priors.flat[workspace.moves[:number]] = (workspace.priors[:number] / 255) ** 2
    figure = new_figure(3.4, 3.4)
    ax = figure.subplots()
    shown = np.ma.masked_less(priors, 0.003)
    points = [to_point(name, position.rules) for name in right]
    most = [*np.argsort(-priors, axis=None)[:2].tolist(), *points]
    labels = {point: percent(priors.flat[point]) for point in most}
    draw_cells(ax, position, shown, labels, colours="Blues", low=0, high=0.6)
    rows, cols = np.divmod(points, position.rules.size)
    ax.plot(cols, rows, "o", color="C2", markersize=27, fillstyle="none", zorder=7)
    said = ", ".join(f"{point_name(p, position.rules.size)} {labels[p]}" for p in most)
    show(
        figure,
        f"Node X, its moves shaded by their priors; {' and '.join(right)} in rings. {said}.",
        f"The engine's priors at Node X, before any search: {said}. The rings mark the moves "
        "that hold.",
    )


def read_advice():
    """Return the positions of the table `advice`: those like Node X, and those of play; None.

    An empty cell of a search means that no right move had led for good when it ended.
    """
    table = stored_results("advice")
    return (
        None if table is None else (table[table.kind == "Node X"], table[table.kind == "play"])
    )


def show_overruled(table, most: int = 30_000) -> None:
    """Show in how many positions a right move leads for good, by simulations and search."""
    figure = new_figure(6.4, 3.4)
    ax = figure.subplots()
    said = []
    for column, (name, line) in SEARCHES.items():
        led = np.sort(table[f"from {column}"].dropna())
        steps = np.concatenate([[10], led, [most]])
        ax.step(
            steps,
            [(led <= n).sum() for n in steps],
            line,
            where="post",
            linewidth=2,
            label=name,
        )
        said.append(f"{name} {(led <= 10).sum()}, {(led <= 100).sum()}, {len(led)}")
    ax.axhline(len(table), color="0.8", linewidth=1, zorder=0)
    ax.set(xscale="log", xlim=(10, most), ylim=(0, len(table) + 1))
    ax.set_xlabel("simulations", fontsize=11)
    ax.set_ylabel(f"a right move leads, of {len(table)}", fontsize=11)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    words = (
        f"Positions in which a right move leads for good by 10, 100 and {most:,} simulations: "
    )
    words += f"{'; '.join(said)}"
    show(
        figure,
        f"Five rising steps. {words}.",
        f"{words}. {len(table)} positions in which few moves hold, proved by threat search; "
        f"one search each.",
    )
    show_made(table)

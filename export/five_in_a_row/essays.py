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
    read_results,
    show_made,
    snapshots,
    stored_results,
)

# ---- Rules: lines of five, games by beginning, the same openings on every board -------------


def lines_by_direction(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point in each direction, int[4, rows, size]."""
    through = np.zeros((len(DIRECTIONS), rules.height, rules.size), int)
    along = np.arange(5)
    for number, (down, right) in enumerate(DIRECTIONS):
        for row, col in np.ndindex(through[number].shape):
            rows, cols = row + down * along, col + right * along
            if 0 <= rows[-1] < rules.height and 0 <= cols[-1] < rules.size:
                through[number, rows, cols] += 1
    return through


def lines_through(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point, int[rows, size]."""
    return lines_by_direction(rules).sum(axis=0)


def crossings_at(rules: Rules) -> np.ndarray:
    """Return how many pairs of fives cross at each point, int[rows, size].

    Two along the same line do not cross.
    """
    through = lines_by_direction(rules)
    return (through.sum(axis=0) ** 2 - (through**2).sum(axis=0)) // 2


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


def offered_doubles():
    """Return where black could have made a double threat, a row per board; or None.

    Sums of the table `beginnings`, with the columns "share" of black's turns that offered one,
    its "reach", half a 95 % interval over the openings, and the means per point of "lines" of
    five and of their "crossings". "by lines" and "by crossings" is the share of a square board
    with as many, on a line through those that were played.
    """
    import pandas as pd

    table = stored_results("beginnings")
    if table is None:
        return None
    table["not won"] = table["drawn"] + table["white won"]
    rows = {}
    for board, games in table.groupby("board"):
        counts = games.select_dtypes("number").drop(columns="opening").sum().to_dict()
        share = counts["turns, double"] / counts["turns"]
        left = games["turns, double"] - share * games["turns"]
        reach = 1.96 * math.sqrt((left**2).sum()) / counts["turns"]
        rules = rules_named(board)
        means = {"lines": lines_through(rules).mean(), "crossings": crossings_at(rules).mean()}
        rows[board] = counts | {"share": share, "reach": reach} | means
    found = pd.DataFrame(rows).T.sort_values("lines")
    squares = found[[rules_named(board).rows is None for board in found.index]]
    for column in "lines", "crossings":
        found[f"by {column}"] = np.interp(found[column], squares[column], squares["share"])
    return found


def show_double_threats(position: Game):
    """Show a double threat, and how often black had one on each board; return the counts.

    position   black's last stone in it makes the double threat
    """
    offered = offered_doubles()
    if offered is None:
        return None
    figure = new_figure(7.2, 3.2)
    board, *axes = figure.subplots(1, 3, width_ratios=(0.9, 1, 1))
    draw_double(board, position)
    long = np.array([rules_named(name).rows is not None for name in offered.index])
    names = {"lines": "lines of five", "crossings": "pairs that cross"}
    for ax, (column, name) in zip(axes, names.items(), strict=True):
        for some, colour in (~long, "C0"), (long, "C1"):
            rows = offered[some]
            percents = 100 * rows["share"], 100 * rows["reach"]
            ax.errorbar(rows[column], *percents, fmt="o", color=colour, elinewidth=1)
            for each, x, y in zip(rows.index, rows[column], percents[0], strict=True):
                square = colour == "C0"
                text, place = (each.partition("×")[0], "right") if square else (each, "left")
                away = (-5, 4) if square else (5, -11)
                look = {"color": colour, "fontsize": 10, "ha": place}
                ax.annotate(text, (x, y), away, textcoords="offset points", **look)
        squares = offered[~long]
        ax.plot(squares[column], 100 * squares["share"], color="C0", linewidth=1, alpha=0.4)
        ax.set_xlabel(f"{name}, per point", fontsize=11)
        ax.set_ylim(0, 32)
        ax.margins(x=0.15)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("turns with a double threat, %", fontsize=11)
    axes[1].tick_params(labelleft=False)
    said = "; ".join(
        f"{row.Index} {row.share:.1%}, {row.lines:.1f} lines, {row.crossings:.0f} pairs"
        for row in offered.itertuples()
    )
    stone = position.moves[-1]
    show(
        figure,
        f"A board where {stone} makes two open threes, and two scatter plots. {said}.",
        f"Left: {stone} makes two threats. Right: of black's turns up to the fortieth stone, "
        f"those that offered such a point, with 95 % intervals over the openings; squares in "
        f"blue. {said}.",
    )
    return offered


def draw_double(ax, position: Game) -> None:
    """Draw a position, and the lines on which black's last stone threatens."""
    draw_cells(
        ax, position, np.zeros(position.array.shape), {}, colours="Blues", low=0, high=1
    )
    point, cells = position.played[-1], position.array.tolist()
    row, col = divmod(point, position.rules.size)
    for down, right in DIRECTIONS:
        line = line_text(cells, point, (down, right), BLACK)
        if line_threat(line):
            ends = np.array([line.index("1") - 5, line.rindex("1") - 3])  # and a point beyond
            ax.plot(col + right * ends, row + down * ends, color="C1", linewidth=3)
    ax.tick_params(labelsize=8)


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


def rule_choices(result) -> dict[str, int]:
    """Return {rule: the point that it plays} after a search, by value and by visits."""
    best, most = np.nanargmax(result.values), result.visits.argmax()
    return {"best value": int(best), "most visits": int(most)}


def promises(positions, simulations: int, judge: int):
    """Return what two rules promise of their moves, and what a longer search says of them.

    A table with a row for each position: the value of either rule's move then, and what a
    search of `judge` simulations finds once that move is played; "agree": whether it is the
    same move. As a control, the same of a move drawn by lot from all that were visited.
    """
    import pandas as pd

    lots, rows = np.random.default_rng(1), []
    for seed, position in enumerate(positions):
        _, _, found = next(snapshots(position, [simulations], None, SearchOptions(seed=seed)))
        picked = rule_choices(found)
        row = {"agree": picked["best value"] == picked["most visits"]}
        picked["by lot"] = int(lots.choice(np.flatnonzero(found.visits)))
        judged = {point: move_value(position, point, judge) for point in {*picked.values()}}
        for rule, point in picked.items():
            row[f"{rule}, promised"] = found.values.flat[point]
            row[f"{rule}, judged"] = judged[point]
        rows.append(row)
    return pd.DataFrame(rows)


def changes(positions, counts: list[int]):
    """Return how often each rule changes its move between the counts, a row per search."""
    import pandas as pd

    rows = []
    for seed, position in enumerate(positions):
        reads = snapshots(position, counts, None, SearchOptions(seed=seed))
        chosen = pd.DataFrame([rule_choices(result) for *_, result in reads])
        rows.append((chosen != chosen.shift()).iloc[1:].sum())
    return pd.DataFrame(rows)


def mean_reach(numbers) -> tuple[float, float]:
    """Return the mean of some numbers, and half its 95 % interval."""
    return float(numbers.mean()), float(1.96 * numbers.std() / math.sqrt(len(numbers)))


def mean_words(numbers) -> str:
    """Return the mean of some numbers with half its 95 % interval, in words."""
    mean, reach = mean_reach(numbers)
    return f"{mean:+.3f} ± {reach:.3f}".replace("-", "−")


def show_promises(openings, simulations: int, judge: int):
    """Print by how much two rules promise too much, and how far they are apart; see promises.

    Returns {row: (mean, half its 95 % interval)} of the last column, and "judged": by how much
    the move of the best value is judged better than the most visited one.
    """
    table = promises(map(Game.from_text, openings), simulations, judge)
    everywhere = np.ones(len(table), bool)
    rows = {
        "drawn by lot": ("by lot", None, everywhere),
        "most visits": ("most visits", None, everywhere),
        "best value": ("best value", None, everywhere),
        "both rules, where they agree": ("most visits", None, table.agree),
        "most visits − by lot": ("most visits", "by lot", everywhere),
        "best value − most visits": ("best value", "most visits", everywhere),
        "the same, where they differ": ("best value", "most visits", ~table.agree),
    }
    print(f"{'':28}  openings  promised  judged  too high by")
    found = {}
    for name, (rule, less, chosen) in rows.items():
        promised, judged = table[f"{rule}, promised"], table[f"{rule}, judged"]
        if less:
            promised = promised - table[f"{less}, promised"]
            judged = judged - table[f"{less}, judged"]
        promised, judged = promised[chosen], judged[chosen]
        line = f"{name:28}  {len(judged):8}  {promised.mean():+8.2f}  {judged.mean():+6.2f}  "
        print(line.replace("-", "−") + mean_words(promised - judged))
        found[name] = mean_reach(promised - judged)
    better = table["best value, judged"] - table["most visits, judged"]
    print(f"judged, best value − most visits: {mean_words(better)}")
    return found | {"judged": mean_reach(better)}


def show_changes(openings, counts) -> tuple[float, float]:
    """Print how often each rule changes its move between the counts of simulations.

    Returns how much more often the best value does, and half the 95 % interval of that.
    """
    table = changes(map(Game.from_text, openings), counts)
    most, best = table["most visits"], table["best value"]
    print(f"changes of the move from {counts[0]} to {counts[-1]:,} simulations, per search:")
    print(f"most visits {most.mean():.1f}, best value {best.mean():.1f}")
    difference, reach = mean_reach(best - most)
    print(f"best value more often by {difference:.1f} ± {reach:.1f}")
    return difference, reach


# ---- Heuristics: advice against proofs ------------------------------------------------------

HEARD = {  # {the name in advice.csv or demoted.csv: (mark and colour, filling)}
    "everywhere": ("oC0", "full"),
    "below": ("DC2", "full"),
    "nowhere": ("ok", "none"),
    "share": ("vC1", "full"),
    "tenth": ("sC3", "full"),
}


def priors_of(position: Game) -> dict[int, float]:
    """Return {point: prior} of the engine's moves, as its games taught it, best first."""
    workspace = live_position(position)
    unproved = SearchOptions(vcf_nodes=0)
    number = engine_moves(workspace, 0, position.rules.points, unproved)
    shares = (workspace.priors[:number] / 255) ** 2
    return dict(zip(workspace.moves[:number].tolist(), shares.tolist(), strict=True))


def show_advice(boards: dict) -> None:
    """Show positions, {title: (game, names of points)}, with the engine's learned priors.

    The points are ringed; their priors are written, and those of the two largest.
    """
    figure = new_figure(3.4 * len(boards), 3.6)
    said = []
    all_axes = figure.subplots(1, len(boards), squeeze=False)[0]
    for ax, (title, (game, ringed)) in zip(all_axes, boards.items(), strict=True):
        priors, size = priors_of(game), game.rules.size
        points = [to_point(name, game.rules) for name in ringed]
        labels = {point: percent(priors[point]) for point in [*list(priors)[:2], *points]}
        shares = np.zeros(game.array.shape)
        shares.flat[list(priors)] = list(priors.values())
        shown = np.ma.masked_less(shares, 0.003)
        draw_cells(ax, game, shown, labels, colours="Blues", low=0, high=1)
        rows, cols = np.divmod(points, size)
        ax.plot(cols, rows, "o", color="C2", markersize=216 / size, fillstyle="none", zorder=7)
        ax.set_title(title, fontsize=11)
        words = ", ".join(f"{point_name(p, size)} {share}" for p, share in labels.items())
        said.append(f"{title}: {words}")
    words = "; ".join(said)
    show(
        figure,
        f"Boards shaded by the engine's priors. {words}.",
        f"The engine's priors for the side to move, before any search. {words}.",
    )


def read_advice():
    """Return the tables `advice` and `demoted` as one, or None if either is missing.

    "wrong" is whether the first choice does not hold; "shares" is the prior of the best right
    move in equal shares. The tables count from how many simulations on a right move leads for
    good, the median of some searches; an empty cell: not by 30,000.
    """
    advice, demoted = stored_results("advice"), stored_results("demoted")
    if advice is None or demoted is None:
        return None
    more = demoted[["moves", "shares", *demoted.filter(regex="^(from|found) ")]]
    return advice.assign(wrong=advice["rank"] > 1).merge(more, "left", "moves")


def wrong_advice(table):
    """Return the rows of `advice` where it is wrong, numbered from 1, the latest to come right
    first and those that never do last.
    """
    wrong = table[table.wrong].sort_values("from everywhere", ascending=False, kind="stable")
    return wrong.set_axis(range(1, len(wrong) + 1))


def show_overruled(table, heard: dict[str, str], title: str, most: int = 30_000) -> None:
    """Show from when on a right move leads in rows of `advice`, by what advice is heard.

    heard   {name of HEARD: what it is called}
    title   of the key
    """
    figure = new_figure(6.4, 0.34 * len(table) + 1.6)
    ax = figure.subplots()
    never, said = 2.5 * most, []
    for number, (where, name) in enumerate(heard.items()):
        look, filling = HEARD[where]
        aside = number - (len(heard) - 1) / 2
        led = table[f"from {where}"].fillna(never * 1.28**aside)
        height = np.array(table.index) + 0.1 * aside
        ax.plot(led, height, look, fillstyle=filling, markersize=8, label=name)
        counts = [f"{n:,.0f}" if n <= most else "not" for n in led]
        said.append(f"{name} {', '.join(counts)}")
    ax.axvspan(1.3 * most, 5 * most, color="0.93", zorder=0)
    ax.set_yticks(table.index, [f"{n}" for n in table.index], fontsize=11)
    ax.invert_yaxis()
    ax.set(xscale="log", xlim=(8, 5 * most))
    ticks = [10, 100, 1_000, 10_000]
    ax.set_xticks([*ticks, never], [*(f"{n:,}" for n in ticks), f"not by\n{most:,}"])
    ax.set_xlabel("simulations until a right move leads for good", fontsize=11)
    ax.grid(axis="y", color="0.9")
    key = {"loc": "outside upper center", "ncols": len(heard), "frameon": False}
    figure.legend(title=title, fontsize=11, title_fontsize=11, **key)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    rows = table[["board", "right"]].itertuples(name=None)
    names = "; ".join(f"{n} {board} {right.replace(' ', ' or ')}" for n, board, right in rows)
    show(
        figure,
        f"Marks on a log scale, a line for each of the positions 1 to {len(table)}. {title}: "
        f"{'; '.join(said)}.",
        f"Positions in which the advice prefers a move that loses, with the moves that hold: "
        f"{names}. Medians of 15 searches by the engine, nothing proved.",
    )
    show_made(*map(read_results, ("advice", "demoted")))

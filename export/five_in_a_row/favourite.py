"""How the favourite of a search changes: the figures of the essay on the window.

`follow` reads one search at many moments; the figure shows some of them as boards, the shares
of the two moves that compete as curves, and the ribbon of the window. `show_lost` is of many
searches, the table `leaders`.
"""

import numpy as np

import five_in_a_row as five

BLUE = tuple(part / 255 for part in five.window.CALM.heat)  # of the leader, as in the window


def follow(game, moments, most: int, seed: int) -> dict:
    """Return {simulations: SearchResult} of one search of the engine, read on its way.

    moments   counts that must be among those read; the others are spaced for curves and ribbon
    most      simulations in the end
    """
    steps = np.linspace(100, moments[-1], 100), np.geomspace(100, most, 100)
    counts = sorted({*moments, *np.concatenate(steps).astype(int).tolist()})
    options = five.search.SearchOptions(seed=seed)
    reads = five.strength.snapshots(game, counts, options=options)
    return {count: result for count, _, result in reads}


def shares_of(result) -> np.ndarray:
    """Return the share of the visits of each move, in percent, float64[rows, size]."""
    return 100 * result.visits / result.visits.sum()


def rivals(reads: dict) -> tuple[int, int]:
    """Return the move that is played in the end, and the other one that led last."""
    led = [result.move for result in reads.values()]
    return led[-1], next(move for move in led[::-1] if move != led[-1])


def lead_by(reads: dict) -> dict[int, float]:
    """Return {simulations: lead of the move that is played in the end, in percent}."""
    last, rival = rivals(reads)
    shares = {count: shares_of(result) for count, result in reads.items()}
    return {count: each.flat[last] - each.flat[rival] for count, each in shares.items()}


def draw_moments(axes, game, reads: dict, moments) -> None:
    """Draw a board for each moment, with the shares of the two rivals in percent."""
    pair = rivals(reads)
    for ax, count in zip(axes, moments, strict=True):
        shares, result = shares_of(reads[count]), reads[count]
        shown = np.ma.masked_less(shares, 1)
        five.figures.heatmap(ax, game, shown, None, high=80, labels={})
        for point in pair:
            row, col = divmod(point, game.rules.size)
            share = shares[row, col]
            place = {"ha": "center", "va": "center", "fontsize": 11, "zorder": 6}
            place["color"] = "white" if share > 40 else "black"
            ax.text(col, row, f"{share:.0f}", **place)
        ax.tick_params(labelsize=8)
        ax.set_title(f"{count:,}: {result.name}", fontsize=12)


def stretches(reads: dict) -> list[tuple[int, int, int]]:
    """Return (begin, end, move) of each stretch of simulations in which one move led."""
    begins = []
    for count, result in reads.items():
        if not begins or result.move != begins[-1][1]:
            begins.append((count, result.move))
    ends = [*(count for count, _ in begins[1:]), max(reads)]
    return [(begin, end, move) for (begin, move), end in zip(begins, ends, strict=True)]


def draw_ribbon(ax, game, reads: dict, thick: bool = False) -> None:
    """Draw which move led, from when to when, as the window does: the last leader in blue.

    thick   as high as the lead, in parts of the visits, on a pale ground
    """
    counts, most = np.array([*reads]), max(reads)
    leads = np.array([five.panels.lead_of(result.visits) for result in reads.values()])
    for begin, end, move in stretches(reads):
        is_last = move == reads[most].move
        colour = BLUE if is_last else "0.85"
        if thick:
            ax.barh(0.5, end - begin, 1, begin, color="0.94", edgecolor="white")
            inside = (counts >= begin) & (counts <= end)
            fill = colour if is_last else "0.6"
            ax.fill_between(
                counts[inside], leads[inside], color=fill, linewidth=0, step="post"
            )
        else:
            ax.barh(0.5, end - begin, 1, begin, color=colour, edgecolor="white")
        if end - begin > most / 30:
            name = five.game.point_name(move, game.rules.size)
            write = {"ha": "center", "va": "center", "fontsize": 11}
            write["color"] = "white" if is_last and not thick else "0.2"
            ax.text((begin + end) / 2, 0.75 if thick else 0.5, name, **write)
    ax.set(xlim=(0, most), ylim=(0, 1), yticks=[])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.spines[["top", "right", "left"]].set_visible(False)


def show_ribbons(game, reads: dict) -> None:
    """Display the ribbon of a search twice: as it was, and as high as the lead."""
    figure = five.figures.new_figure(6.4, 2.0)
    old, new = figure.subplots(2, 1, sharex=True, height_ratios=(0.4, 1))
    draw_ribbon(old, game, reads)
    draw_ribbon(new, game, reads, thick=True)
    old.tick_params(bottom=False)
    old.spines["bottom"].set_visible(False)
    new.set_yticks([0.2, 0.5], ["20", "50"])
    for height in 0.2, 0.5:
        new.axhline(height, color="0.6", linewidth=0.8, linestyle=":")
    new.set_xlabel("simulations", fontsize=11)
    said = ", ".join(
        f"{five.game.point_name(move, game.rules.size)} from {begin:,}"
        for begin, _, move in stretches(reads)
    )
    five.figures.show(
        figure,
        f"Two ribbons with the same stretches; the second is high only at its ends. {said}.",
        f"The ribbon of the same search, as it was and as it is: the height is the lead, in "
        f"percent of all visits. {said}.",
    )


def draw_curves(ax, game, reads: dict, moments) -> None:
    """Draw the shares of the two rivals, the moments in grey."""
    counts = list(reads)
    for count in moments:
        ax.axvline(count, color="0.8", linewidth=1)
    for point in rivals(reads):
        colour = BLUE if point == reads[counts[-1]].move else "0.4"
        line = [shares_of(reads[count]).flat[point] for count in counts]
        ax.plot(counts, line, color=colour, linewidth=2.5)
        name = five.game.point_name(point, game.rules.size)
        write = {"color": colour, "textcoords": "offset points", "va": "center"}
        ax.annotate(name, (counts[-1], line[-1]), (4, 0), fontsize=12, **write)
    ax.set(ylabel="% of visits", xlim=(0, counts[-1]))
    ax.tick_params(labelbottom=False)
    ax.spines[["top", "right"]].set_visible(False)


def show_moments(game, reads: dict, moments) -> None:
    """Display four boards of one search, the curves of its two rivals, and the ribbon."""
    figure = five.figures.new_figure(7.6, 4.6)
    axes = figure.subplot_mosaic("0123;tttt;rrrr", height_ratios=(1, 0.75, 0.13))
    draw_moments([axes[str(i)] for i in range(4)], game, reads, moments)
    draw_curves(axes["t"], game, reads, moments)
    draw_ribbon(axes["r"], game, reads)
    axes["r"].set_xlabel("simulations; grey lines mark the boards")
    said = ", ".join(f"{count:,} {reads[count].name}" for count in moments)
    last, rival = (shares_of(list(reads.values())[-1]).flat[point] for point in rivals(reads))
    five.figures.show(
        figure,
        f"Four boards, a line chart of two moves that overtake each other, and a ribbon with "
        f"a stretch for each. {said}.",
        f"On the boards lead {said}. Numbers: shares of the visits in percent; by "
        f"{max(reads):,} simulations {last:.0f} to {rival:.0f}. Below, the ribbon. 8×8, "
        f"black to move after {' '.join(game.moves)}; engine, seed {reads[moments[0]].seed}.",
    )


LEADS = 0, 5, 10, 20, 30, 50, 100  # percent of the visits, where the rows of a table end


def with_bands(table):
    """Return a table with the column "band": the end of LEADS up to which its lead goes."""
    import pandas as pd

    bands = pd.cut(table.lead, LEADS, include_lowest=True, labels=LEADS[1:])
    return table.assign(band=bands.astype(int))


def read_leaders():
    """Return the tables `leaders` and `leaders-later`, with columns of what is asked; or None.

    "band": the lead, between two of LEADS, which is not above the second. In the first also
    "old": it began in the first half; "turned": another move got more of the last visits;
    "batch": 1 or 2, the second drawn to check the first.
    """
    table, later = map(five.strength.stored_results, ("leaders", "leaders-later"))
    if table is None or later is None:
        return None
    table = with_bands(table).assign(
        old=table["last change"] <= 5_000,
        turned=table["recent lead"] < 0,
        batch=1 + (table.index >= len(table) // 2),
    )
    return table, with_bands(later)


def show_lost(table, later) -> None:
    """Print how many leads of `read_leaders` were lost, by how large they were."""
    print("lead of the most         after 10,000: lost by 40,000      after 250,000:")
    print("visited move             1st batch   2nd batch   both    by 1,000,000")
    for low, high in zip(LEADS, LEADS[1:], strict=False):
        some, last = table[table.band == high], later[later.band == high]
        parts = some[some.batch == 1], some[some.batch == 2], last
        counts = [f"{part.overtaken.sum()} of {len(part)}" for part in parts]
        words = f"{low} to {high} points"
        print(f"{words:25}{counts[0]:12}{counts[1]:12}{some.overtaken.mean():4.0%}", end="")
        print(f"    {counts[2]:10} {last.overtaken.mean():4.0%}")
    five.strength.show_made(table, later)


def lost_apart(table, what: str, within) -> tuple[float, float]:
    """Return by how many points more leads were lost where `what` holds, and the reach.

    within   a column, or some: the searches are compared where these are equal (Mantel and
             Haenszel's weights); the reach is half a 95 % interval
    """
    apart = spread = total = 0.0
    for _, part in table.groupby(within):
        some, others = part[part[what]].overtaken, part[~part[what]].overtaken
        if not (len(some) and len(others)):
            continue  # nothing to compare
        weight = len(some) * len(others) / len(part)
        apart += weight * (some.mean() - others.mean())
        spread += weight**2 * (some.var(ddof=0) / len(some) + others.var(ddof=0) / len(others))
        total += weight
    return 100 * apart / total, 196 * np.sqrt(spread) / total

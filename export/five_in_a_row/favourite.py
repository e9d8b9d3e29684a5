"""How the favourite of a search changes: the figures of the essay on the window.

`follow` reads one search at many moments. `show_stopped` shows one of them, with the ribbon so
far, and `show_high_ribbon` the whole search. What follows is of many searches, the table
`leaders`.
"""

import numpy as np

import five_in_a_row as five

BLUE = tuple(part / 255 for part in five.window.CALM.heat)  # of the leader, as in the window
RED = tuple(part / 255 for part in five.window.CALM.signal)


def follow(game, stop: int, most: int, seed: int) -> dict:
    """Return {simulations: SearchResult} of one search of the engine, read on its way.

    stop   a count that is among those read; the others are a hundred apart, up to `most`
    """
    counts = sorted({stop, *range(100, most + 1, 100)})
    options = five.search.SearchOptions(seed=seed)
    reads = five.strength.snapshots(game, counts, options=options)
    return {count: result for count, _, result in reads}


def shares_of(result) -> np.ndarray:
    """Return the share of the visits of each move, in percent, float64[rows, size]."""
    return 100 * result.visits / result.visits.sum()


def stretches(reads: dict) -> list[tuple[int, int, int]]:
    """Return (begin, end, move) of each stretch of simulations in which one move led."""
    begins = []
    for count, result in reads.items():
        if not begins or result.move != begins[-1][1]:
            begins.append((count, result.move))
    ends = [*(count for count, _ in begins[1:]), max(reads)]
    return [(begin, end, move) for (begin, move), end in zip(begins, ends, strict=True)]


def draw_ribbon(ax, game, reads: dict) -> None:
    """Draw which move led, from when to when: the last leader in blue."""
    for begin, end, move in begin_ribbon(ax, reads, 1):
        is_last = move == reads[max(reads)].move
        ax.barh(
            0.5, end - begin, 1, begin, color=BLUE if is_last else "0.85", edgecolor="white"
        )
        name_stretch(ax, game, (begin, end, move), 0.5, "white" if is_last else "0.2")


def begin_ribbon(ax, reads: dict, high: float) -> list[tuple[int, int, int]]:
    """Give a ribbon its axes, up to `high`, and return the `stretches` to be drawn."""
    ax.set(xlim=(0, max(reads)), ylim=(0, high), yticks=[])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.spines[["top", "right", "left"]].set_visible(False)
    return stretches(reads)


def name_stretch(ax, game, stretch, height: float, colour) -> None:
    """Write the move of a stretch of a ribbon in its middle, where there is room."""
    begin, end, move = stretch
    if end - begin > ax.get_xlim()[1] / 25:
        name = five.game.point_name(move, game.rules.size)
        place = {"ha": "center", "va": "center", "fontsize": 11, "color": colour}
        ax.text((begin + end) / 2, height, name, **place)


def words_of(game, reads: dict) -> str:
    """Return which moves led a search, and from when."""
    named = (
        (five.game.point_name(move, game.rules.size), n) for n, _, move in stretches(reads)
    )
    return ", ".join(f"{name} from {begin:,}" for name, begin in named)


def position_words(game) -> str:
    """Return the board, who is to move and after which moves, as a caption says it."""
    board, side = f"{game.rules.size}×{game.rules.height}", five.game.COLOUR[game.to_move]
    return f"{board}, {side} to move after {' '.join(game.moves)}"


def show_stopped(game, reads: dict, stop: int) -> None:
    """Display a search after `stop` simulations: its board, and its ribbon so far."""
    figure = five.figures.new_figure(7.6, 3.3)
    axes = figure.subplot_mosaic("b.;br;b.", width_ratios=(1, 1.4), height_ratios=(1, 0.6, 1))
    shares = shares_of(reads[stop])
    points = np.flatnonzero(shares >= 5).tolist()
    labels = {point: f"{shares.flat[point]:.0f}" for point in points}
    shown = np.ma.masked_less(shares, 1)
    five.figures.heatmap(axes["b"], game, shown, None, high=60, labels=labels)
    until = {count: result for count, result in reads.items() if count <= stop}
    draw_ribbon(axes["r"], game, until)
    axes["r"].set_xlabel("simulations", fontsize=11)
    said = ", ".join(
        f"{five.game.point_name(p, game.rules.size)} {share} %" for p, share in labels.items()
    )
    five.figures.show(
        figure,
        f"A board with shares of the visits, {said}, and a ribbon: {words_of(game, until)}.",
        f"Shares of the visits in percent after {stop:,} simulations, and the ribbon so far. "
        f"{position_words(game)}; engine, seed {reads[stop].seed}.",
    )


def show_high_ribbon(game, reads: dict, stop: int) -> None:
    """Display the ribbon of a whole search as the window does: as high as the lead.

    The move that led after `stop` simulations is blue. A red line says that another move gets
    the visits.
    """
    figure = five.figures.new_figure(6.4, 2.4)
    ax = figure.subplots()
    counts = np.array([*reads])
    visits = [result.visits for result in reads.values()]
    leads = np.array([100 * five.panels.lead_of(each) for each in visits])
    for begin, end, move in begin_ribbon(ax, reads, 100):
        inside = (counts >= begin) & (counts <= end)
        colour = BLUE if move == reads[stop].move else "0.6"
        ax.fill_between(counts[inside], leads[inside], color=colour, linewidth=0, step="post")
        name_stretch(ax, game, (begin, end, move), 90, "0.2")
    losing = [
        five.panels.is_losing_lead(visits[: i + 1], result.move)
        for i, result in enumerate(reads.values())
    ]
    low = {"transform": ax.get_xaxis_transform(), "clip_on": False, "linewidth": 0}
    ax.fill_between(counts, -0.05, 0, where=losing, color=RED, step="post", **low)
    ax.axvline(stop, color="0.2", linewidth=0.8, linestyle=":")
    ax.set_yticks([0, 50])
    ax.set_ylabel("lead", fontsize=11)
    ax.set_xlabel("simulations", fontsize=11)
    ax.tick_params(axis="x", pad=8)
    five.figures.show(
        figure,
        f"A ribbon as high as the lead: {words_of(game, reads)}. A red line below it.",
        f"The height is the lead, in percent of all visits. The line is red where another "
        f"move got more of the last tenth of the visits. {position_words(game)}; engine, "
        f"seed {reads[stop].seed}.",
    )


LEADS = 0, 10, 20, 50, 100  # percent of the visits, where bands of leads end
SIZES = [f"{low} to {high}" for low, high in zip(LEADS, LEADS[1:], strict=False)]


def with_bands(table):
    """Return a table with the column "band": the end of LEADS up to which its lead goes."""
    import pandas as pd

    bands = pd.cut(table.lead, LEADS, include_lowest=True, labels=LEADS[1:])
    return table.assign(band=bands.astype(int))


def read_leaders():
    """Return the tables `leaders` and `leaders-15`, with columns of what is asked; or None.

    "band": the lead, between two of LEADS, which is not above the second; "old": it began in
    the first half; "turned": another move got more of the last visits; "batch": 1 or 2, the
    second half drawn to check the first; "worse": by how much a leader that was overtaken is
    worth less than the later one.
    """
    tables = [five.strength.stored_results(name) for name in ("leaders", "leaders-15")]
    if any(table is None for table in tables):
        return None
    return tuple(
        with_bands(table).assign(
            old=table["last change"] <= 5_000,
            turned=table["recent lead"] < 0,
            board=board,
            batch=1 + (table.index >= len(table) // 2),
        )
        for board, table in zip(("8×8", "15×15"), tables, strict=True)
    )


def show_lost(small, large) -> None:
    """Show which leads of `read_leaders` were lost, by size and by who got the last visits."""
    figure = five.figures.new_figure(6.6, 3.0)
    axes, said = figure.subplots(1, 2, sharey=True), []
    for ax, table, board in zip(axes, (small, large), ("8×8", "15×15"), strict=True):
        of_size = [table[table.band == end] for end in LEADS[1:]]
        for turned, words, colour, mark, aside in (
            (False, "the leader", "C0", "o", -0.08),
            (True, "another move", "C3", "^", 0.08),
        ):
            parts = [part[part.turned == turned].overtaken for part in of_size]
            counts = ", ".join(f"{part.sum()} of {len(part)}" for part in parts)
            said.append(f"{board}, {words}: {counts}")
            shown = [i for i, part in enumerate(parts) if len(part) > 2]
            means = np.array([100 * parts[i].mean() for i in shown])
            ends = [five.strength.wilson(parts[i].sum(), len(parts[i])) for i in shown]
            low, high = 100 * np.array(ends).T
            reach = np.maximum(0, (means - low, high - means))
            at = np.array(shown) + aside
            ax.errorbar(at, means, reach, fmt=mark, color=colour, elinewidth=1.2, label=words)
        ax.set_xticks(range(len(of_size)), SIZES)
        ax.set_title(board, fontsize=11)
        ax.set_xlabel("lead, in percent of the visits", fontsize=11)
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set(ylim=(0, 100))
    axes[0].set_ylabel("lost, in percent", fontsize=11)
    marks = axes[0].get_legend_handles_labels()
    title = "most of the last 1,000 visits went to"
    figure.legend(*marks, title=title, loc="outside upper center", ncols=2, frameon=False)
    five.figures.show(
        figure,
        f"Two panels of dots that fall from left to right; triangles lie above circles. Lost: "
        f"{'; '.join(said)}.",
        "Leads that were lost, by size and by who got the last visits, with 95 % intervals.",
    )
    five.strength.show_made(small, large)


def show_costs(small, large) -> None:
    """Print what lost leads of `read_leaders` had cost, by who got the last visits."""
    print("             most of the last               lost at   cost    cost over 0.1")
    print("             1,000 visits to     searches    40,000  (median)")
    first, again = (large[large.batch == batch] for batch in (1, 2))
    for board, table in {"8×8": small, "15×15": first, "15×15 again": again}.items():
        for turned, words in (False, "the leader"), (True, "another move"):
            leads = table[table.turned == turned]
            cost = leads.worse[leads.overtaken == 1]
            grave = (cost > 0.1).sum()
            print(
                f"{board:13}{words:19}{len(leads):9}{len(cost):10}{cost.median():9.3f}"
                f"{grave:8} ({grave / len(leads):.0%})"
            )


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


def later_searches(small, large):
    """Return the searches of `read_leaders` that check what the first ones had shown."""
    import pandas as pd

    return pd.concat([small[small.batch == 2], large])


def show_ages(small, large) -> dict:
    """Print how many leads of `read_leaders` were lost, by size, old ones apart from young.

    Returns {sample: (difference, reach)}: by how many points more the old ones were lost, of
    each size alike, as `lost_apart`.
    """
    print("             8×8                         15×15")
    print("lead in %    old           young         old           young")
    for words, end in [*zip(SIZES, LEADS[1:], strict=True), ("all", None)]:
        line = f"{words:10}"
        for table in small, large:
            of_size = table if end is None else table[table.band == end]
            for old in True, False:
                lost = of_size[of_size.old == old].overtaken
                share = f"{lost.mean():.0%}" if len(lost) else "−"
                line += f"{share:>5} of {len(lost):3}  "
        print(line.rstrip())
    samples = {
        "where I noticed it": small[small.batch == 1],
        "in the repetitions": later_searches(small, large),
    }
    apart = {
        words: lost_apart(sample, "old", ["board", "band"])
        for words, sample in samples.items()
    }
    print("\nold leads lost more often than young ones of their size")
    for words, (more, reach) in apart.items():
        print(f"{words:19}by {more:.0f} ± {reach:.0f} points")
    return apart

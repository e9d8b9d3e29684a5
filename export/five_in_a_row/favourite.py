"""How the favourite of a search changes: the figures of the essay on the window.

`follow` reads one search at many moments; the figures show some of them as boards, the shares
of the two moves that compete as curves, and the window with its ribbon. `show_leaders` is of
many searches, the table `leaders`.
"""

import io

import numpy as np

import five_in_a_row as five


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


def count_changes(reads: dict) -> int:
    """Return how often another move took the lead."""
    led = [result.move for result in reads.values()]
    return sum(before != after for before, after in zip(led, led[1:], strict=False))


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


def draw_curves(ax, game, reads: dict, moments) -> None:
    """Draw the shares of the two rivals over the simulations, the moments in grey."""
    counts = list(reads)
    for count in moments:
        ax.axvline(count, color="0.8", linewidth=1)
    for point, colour in zip(rivals(reads), ("C0", "C1"), strict=True):
        line = [shares_of(result).flat[point] for result in reads.values()]
        ax.semilogx(counts, line, color=colour, linewidth=2.5)
        name = five.game.point_name(point, game.rules.size)
        ax.text(counts[-1] * 1.05, line[-1], name, color=colour)
    ax.set(xlabel="simulations; grey: the boards above", ylabel="% of visits")
    ax.spines[["top", "right"]].set_visible(False)


def show_moments(game, reads: dict, moments) -> None:
    """Display six boards of one search above the curves of the two rivals."""
    figure = five.figures.new_figure(6.4, 5.8)
    axes = figure.subplot_mosaic("012;345;ttt", height_ratios=(1, 1, 0.75))
    draw_moments([axes[str(i)] for i in range(6)], game, reads, moments)
    draw_curves(axes["t"], game, reads, moments)
    said = ", ".join(f"{count:,} {reads[count].name}" for count in moments)
    five.figures.show(
        figure,
        f"Six boards, and a line chart of two moves that overtake each other. {said}.",
        f"The favourite changes {count_changes(reads)} times or more in one search; on the "
        f"boards: {said}. Numbers: shares of the visits in percent. 8×8, black to move after "
        f"{' '.join(game.moves)}; engine, seed {reads[moments[0]].seed}.",
    )


NARROW = 10  # percent of the visits
NEVER_AT = -700  # where the dots of searches are drawn whose lead never changed


def show_leaders():
    """Display many searches: when the lead last changed, and how large it is at the end.

    Returns the table `leaders` with the columns "narrow" (a lead below NARROW) and "late" (the
    lead changed in the second half); None where there is none.
    """
    table = five.strength.stored_results("leaders")
    if table is None:
        return None
    table["narrow"], table["late"] = table.lead < NARROW, table["last change"] > 5_000
    spread = np.random.default_rng(1).uniform(-500, 500, len(table))
    across = table["last change"].where(table.changes > 0, NEVER_AT + spread)
    figure = five.figures.new_figure(6.4, 3.8)
    ax = figure.subplots()
    names = (0, "0.65", "led after 40,000 as well"), (1, "C1", "another move led after 40,000")
    for overtaken, colour, name in names:
        mine = table.overtaken == overtaken
        ax.plot(across[mine], table.lead[mine], "o", color=colour, markersize=3.5, label=name)
    ax.axhline(NARROW, color="0.4", linewidth=1, linestyle="--")
    ax.axvline(5_000, color="0.4", linewidth=1, linestyle="--")
    ax.set_yscale("function", functions=(np.sqrt, np.square))
    moments = range(2_500, 10_001, 2_500)
    ax.set_xticks([NEVER_AT, *moments], ["never", *map("{:,}".format, moments)])
    ax.set(yticks=[0, 2, 10, 25, 50, 100], ylim=(0, 100), xlim=(-1_500, 10_200))
    ax.set_xlabel("when the lead last changed, in simulations", fontsize=11)
    ax.set_ylabel("lead after 10,000, % of visits", fontsize=11)
    ax.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=2, fontsize=11, frameon=False)
    lost = table.groupby("narrow").overtaken.agg(["sum", "count"])
    said = (
        f"Another move led after 40,000 simulations in {lost['sum'][False]} of the "
        f"{lost['count'][False]} searches with a lead of ten points or more, and in "
        f"{lost['sum'][True]} of the {lost['count'][True]} with less"
    )
    five.figures.show(
        figure,
        f"Dots all over; orange ones are mostly low, left and right. {said}.",
        f"{said}. {len(table)} searches of the engine on 8×8, each from four random stones, "
        f"looked at every 100 simulations. The leads are on a square-root scale.",
    )
    five.strength.show_made(table)
    return table


def lost_apart(one, other) -> tuple[float, float]:
    """Return by how many points more of some leads were lost than of others, and the reach.

    one, other   0 or 1 for each; the reach is half a 95 % interval
    """
    spread = one.mean() * (1 - one.mean()) / len(one) + other.mean() * (
        1 - other.mean()
    ) / len(other)
    return 100 * (one.mean() - other.mean()), 196 * np.sqrt(spread)


def window_after(game, results, simulations: int, size=(900, 640)):
    """Return the window as a Surface after it has shown these results of one search.

    simulations   what the computer has for its move
    """
    players = ("engine", "person") if game.to_move == five.game.BLACK else ("person", "engine")
    who = five.game.COLOUR[game.to_move].capitalize()
    record = five.window.GameRecord(game, players, None, simulations)
    session = five.window.Session(record, {"engine": five.engine.think})
    session.clock = lambda: 0.0
    session.searcher = "engine"
    controller = five.window.Controller(session, panels=[five.panels.Leaders()])
    for result in results:
        session.result = result
        session.verdict = f"{who} expects {(1 + result.value) / 2:.0%}"
        controller.panels[0].on_tick(controller)
    surface = five.window.load_pygame().Surface(size)
    five.window.paint_changes(controller, surface)
    return surface


def show_window(game, reads: dict, simulations: int) -> None:
    """Display the window as it stands after so many simulations, its ribbon filled."""
    from matplotlib.image import imread

    results = [result for count, result in reads.items() if count <= simulations]
    picture = five.window.png_of(window_after(game, results, simulations))
    figure = five.figures.new_figure(6.4, 4.6)
    ax = figure.subplots()
    ax.imshow(imread(io.BytesIO(picture)))
    ax.axis("off")
    led = [result.name for result in results]
    stretches = [led[0], *(b for a, b in zip(led, led[1:], strict=False) if a != b)]
    five.figures.show(
        figure,
        "The window with discs on the board. A ribbon below the words has a stretch for each "
        f"move that led: {', then '.join(stretches)}.",
        f"The window after {simulations:,} simulations, which is all it has here. Its ribbon, "
        f"below the words: {', '.join(stretches)}, from left to right.",
    )

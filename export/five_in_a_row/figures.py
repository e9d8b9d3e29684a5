# Made from five_in_a_row.ipynb by tools/build.py: change the notebook, not this file.


import importlib.util
import io
import logging
import math
import sys
import textwrap

import numpy as np

from five_in_a_row.game import BLACK, COLOUR, Game


# ---- Figures of a search --------------------------------------------------------------------


# by Experiments · display a figure with its description
def new_figure(width: float = 6.0, height: float = 4.0):
    """Return an empty matplotlib figure of that size in inches, known to nobody else."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # no word about its font cache
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def show(figure, alt: str, caption: str = "") -> None:
    """Display a figure as PNG with alternative text, print its caption, and close it.

    Where there is no notebook nothing is displayed. Raises ValueError without a description.
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError("a figure needs alternative text: say in words what it shows")
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=120)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)
    if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
        show_png(png.getvalue(), alt, **({"caption": caption} if caption else {}))
    if caption:
        print(textwrap.fill(caption, 92))


# by Experiments · a picture in a third of the bytes
def show_png(png: bytes, words: str, show=None, **about) -> None:
    """Display a PNG with alternative text; with a palette, unless `show` displays it."""
    from IPython.display import display

    data = {"image/png": png if show else palettized(png), "text/plain": words}
    (show or display)(data, metadata={"image/png": {"alt": words} | about}, raw=True)


def palettized(png: bytes) -> bytes:
    """Return an opaque PNG with at most 128 colours; the same bytes give the same bytes."""
    from PIL import Image  # comes with matplotlib

    picture, small = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    picture = picture.quantize(128, kmeans=1, dither=Image.Dither.NONE)
    picture.save(small, "PNG", optimize=True)
    return small.getvalue()


# by Experiments · grid, letters and stones
SMALLEST = 7.5  # points: what a page can show of a figure that is 9.6 inches wide


def draw_board(ax, array, last: int | None = None, five=()) -> None:
    """Draw a board on matplotlib axes, line 1 at the bottom.

    array        int8[rows, size]   +1 black, -1 white, 0 empty
    last, five   points: the last stone gets a small square, the winning line a stroke
    """
    from matplotlib.patches import Circle

    (rows, size), cell = array.shape, cell_size(ax, array.shape)
    grid = {"color": "0.5", "alpha": 0.4, "linewidth": 0.6, "zorder": 2}
    ax.hlines(range(rows), 0, size - 1, **grid)
    ax.vlines(range(size), 0, rows - 1, **grid)
    step = 1 if cell > 9 else 2  # a small board names every second line
    names = {"fontsize": min(9, max(SMALLEST, 0.6 * cell * step))}
    ax.set_xticks(range(0, size, step), list("abcdefghijklmnopqrst"[:size:step]), **names)
    ax.set_yticks(range(0, rows, step), range(1, rows + 1, step), **names)
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    ax.tick_params(length=0, pad=1)
    ax.spines[:].set_visible(False)
    for row, col in np.argwhere(array):
        colour, mark = ("black", "white") if array[row, col] == BLACK else ("white", "black")
        look = {"facecolor": colour, "edgecolor": "black", "linewidth": 0.8, "zorder": 3}
        ax.add_patch(Circle((col, row), 0.42, **look))
        if row * size + col == last:
            ax.plot(col, row, "s", color=mark, markersize=max(1.5, 0.2 * cell), zorder=4)
    if len(five):
        row, col = np.divmod(sorted(five), size)
        ax.plot(col, row, color="tab:red", linewidth=max(1, 0.16 * cell), zorder=5)


def cell_size(ax, shape) -> float:
    """Return the width of one point of a board of that shape on these axes, in points."""
    box, (width, height) = ax.get_position(), ax.figure.get_size_inches() * 72
    return min(box.width * width / shape[1], box.height * height / shape[0])


# by Experiments · numbers as short words
def signed(value: float) -> str:
    """Return a value with its sign and two decimals, such as −0.03; 0 without a sign."""
    return f"{value:+.2f}".replace("-", "−") if abs(value) >= 0.005 else "0.00"


def percent(share: float) -> str:
    """Return a share in per cent, such as 7%, and <1% for less."""
    return f"{share:.0%}" if share >= 0.005 else "<1%"


def short_number(number: float) -> str:
    """Return a number in few characters: 950, 9.5k, 95k, 9.5M."""
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.{1 if number < 9.95 * unit else 0}f}{sign}"
    return f"{number:.0f}"


def top_points(numbers, most: int = 3) -> list[int]:
    """Return the points of the largest numbers above 0, largest first."""
    order = np.argsort(-numbers, axis=None, kind="stable")[:most]
    return [int(point) for point in order if numbers.flat[point] > 0]


# by Experiments · the colour bar
def add_bar(figure, image, axes, unit: str, **where) -> None:
    """Add a colour bar with its unit, below the axes unless `where` says otherwise."""
    where = {"location": "bottom", "shrink": 0.9, "aspect": 30} | where
    bar = figure.colorbar(image, ax=axes, **where)
    bar.set_label(unit, fontsize=9)
    bar.ax.tick_params(labelsize=8)
    if image.norm.vmin < 0:
        bar.set_ticks([-1, -0.5, 0, 0.5, 1], labels=["−1 lost", "−½", "0", "+½", "+1 won"])


# by Experiments · numbers as colours on the board
def draw_cells(ax, game, numbers, labels, *, colours, low, high):
    """Draw a position with numbers as colours under it; return the image for a colour bar.

    numbers   float[rows, size]   masked or NaN where nothing is drawn
    labels    {point: text}       written on the points
    """
    from matplotlib.patheffects import withStroke

    draw_board(ax, game.array, ([None] + getattr(game, "played", []))[-1], game.five)
    limits = {"xlim": ax.get_xlim(), "ylim": ax.get_ylim()}
    numbers = np.ma.masked_invalid(numbers)
    shades = {"cmap": colours, "vmin": low, "vmax": high}
    image = ax.imshow(numbers, origin="lower", zorder=1, alpha=1.0, **shades)
    ax.set(**limits)  # imshow has changed them
    for point, text in labels.items():
        row, col = divmod(point, game.rules.size)
        under = image.cmap(image.norm(numbers[row, col]))
        light = np.dot(np.power(under[:3], 2.2), (0.2126, 0.7152, 0.0722))
        ink = "white" if light < 0.18 else "black"  # where the two are equally far from it
        size = 1.5 * cell_size(ax, numbers.shape) / max(3, len(text))
        size = min(9, max(SMALLEST, size))
        write = {"ha": "center", "va": "center", "color": ink, "fontsize": size, "zorder": 6}
        stroke = withStroke(linewidth=2, foreground=under)  # over the lines of the grid
        ax.text(col, row, text, **write).set_path_effects([stroke])
    return image


# by Experiments · visits and values on the board
def draw_visits(ax, game, visits, vmax=None, label=None):
    """Draw the visits of each move, int[rows, size] or shares; the top three are written."""
    label, high = label or short_number, vmax or max(visits.max(), 1e-9)
    labels = {point: label(visits.flat[point]) for point in top_points(visits)}
    shown = np.ma.masked_equal(visits, 0)
    return draw_cells(ax, game, shown, labels, colours="Blues", low=0, high=high)


def draw_values(ax, game, values, visits=None):
    """Draw the value of each move for the side to move, float[rows, size] in -1...+1.

    Three are written: the most visited moves where `visits` is given, or else the best.
    """
    ax.set_facecolor("0.9")  # not searched: grey; as good as even: white
    order = visits if visits is not None else np.nan_to_num(values + 2)
    labels = {point: signed(values.flat[point]) for point in top_points(order)}
    return draw_cells(ax, game, values, labels, colours="RdBu", low=-1, high=1)


# by Experiments · one search as three boards
def search_figure(game, result):
    """Return a figure of what a search found: visits, values and scores of each move."""
    if not result.visits.any():
        figure = new_figure(3.2, 3.4)
        draw_forced(figure.subplots(), game, result)
        return figure
    figure = new_figure(9.6, 3.9)
    left, middle, right = figure.subplots(1, 3)
    image = draw_visits(left, game, result.visits)
    add_bar(figure, image, left, "visits (simulations)")
    image = draw_values(middle, game, result.values, result.visits)
    add_bar(figure, image, middle, f"value for {COLOUR[game.to_move]}, who is to move")
    labels = {point: f"{result.scores.flat[point]:.2f}" for point in top_points(result.visits)}
    shades = {"colours": "Purples", "low": 0, "high": max(1.0, np.nanmax(result.scores))}
    image = draw_cells(right, game, result.scores, labels, **shades)
    add_bar(figure, image, right, f"{result.rule} (reward 0…1 plus exploration)")
    return figure


def draw_forced(ax, game, result) -> None:
    """Draw a position in which no search was needed: the move as a cross, and the reason."""
    draw_board(ax, game.array, ([None] + getattr(game, "played", []))[-1], game.five)
    row, col = divmod(result.move, game.rules.size)
    ax.plot(col, row, "x", color="tab:blue", markersize=7, markeredgewidth=2, zorder=6)
    ax.set_xlabel(f"forced: {result.why}", fontsize=8)


# by Experiments · a search in words, and its figure
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


def show_search(game, result) -> None:
    """Display the figure of a search with its caption, and with its best moves in words."""
    words = "{} {:,} visits, value {:+.2f}, " + result.rule + " {:.2f}"
    best = "; ".join(words.format(*row) for row in result.top(3)) or f"no search: {result.why}"
    alt = f"Boards with visits, values and {result.rule}. {result.name} is played. {best}."
    show(search_figure(game, result), alt, search_caption(game, result))


# ---- 11. The same, compiled -----------------------------------------------------------------


# by Interface · what needs the package
def has_package(what: str) -> bool:
    """Return whether the package five_in_a_row is here; if not, say what is not shown."""
    if not (here := importlib.util.find_spec("five_in_a_row") is not None):
        print(f"{what}: not shown, the package in export/ is missing here.")
    return here


# ---- 14. Heatmaps and replay ----------------------------------------------------------------


# by Experiments · earlier positions of a game, and which of them to draw
def position_at(game: Game, ply: int) -> Game:
    """Return the position of a game before its move number `ply`, counted from 0."""
    earlier = game.copy()
    earlier.go_to(ply)
    return earlier


def evenly(items, most: int = 12) -> list:
    """Return at most that many items of a list, evenly spaced, the last one always."""
    items = list(items)
    places = np.linspace(0, len(items) - 1, min(most, len(items))).round().astype(int)
    return [items[place] for place in places]


# by Interface · a game as text
def result_text(game: Game, resigned: int = 0) -> str:
    """Return "black wins", "white wins by resignation", "draw", "unfinished" or the like."""
    if winner := game.winner or -resigned:
        return f"{COLOUR[winner]} wins{'' if game.winner else ' by resignation'}"
    return "draw" if game.over else "unfinished"


def record_text(game: Game) -> str:
    """Return the numbered record, a pair of moves a line: "  1. e4    d5"."""
    pairs = [game.moves[i : i + 2] for i in range(0, len(game.moves), 2)]
    rows = (" ".join(f"{move:5s}" for move in pair).rstrip() for pair in pairs)
    return "\n".join(f"{number:3d}. {row}" for number, row in enumerate(rows, 1))


# by Experiments · small boards of one game, all on the same scale
def game_panels(game: Game, results: dict, plies, what: str = "visits"):
    """Return a figure with one small board for each computer move in `plies`.

    results   {ply: SearchResult}, as the Play cell records them; the title is what was played
    what      "visits", as shares of all visits, or "values" for the side to move
    """
    across, wide = min(3, len(plies)), 9.6 / 3
    down = -(-len(plies) // across)
    figure = new_figure(max(3.2, wide * across), (wide + 0.12) * down + 0.7)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    image = None
    for ax, ply in zip(axes, plies, strict=False):
        before, result = position_at(game, ply), results[ply]
        name = f"{ply + 1}. {game.moves[ply]} ({COLOUR[before.to_move]})"
        ax.set_title(name, fontsize=9, pad=3)
        if not result.visits.any():
            draw_forced(ax, before, result)
        elif what == "visits":
            image = draw_visits(ax, before, result.visits / result.visits.sum(), 0.5, percent)
        else:
            image = draw_values(ax, before, result.values, result.visits)
    for ax in axes[len(plies) :]:
        ax.set_visible(False)
    if image is not None:
        unit = "share of the visits (half or more: darkest)"
        unit = unit if what == "visits" else "value for the side to move"
        add_bar(figure, image, axes, unit, shrink=0.5, aspect=40)
    return figure


# by Experiments · what the small boards show, in words
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


# by Experiments · the final board with the numbers of the moves
def number_stones(ax, game, points) -> None:
    """Write 1, 2, 3 ... on the stones at those points."""
    cell = cell_size(ax, game.array.shape)
    for number, point in enumerate(points, 1):
        row, col = divmod(point, game.rules.size)
        ink = "white" if game.array[row, col] == BLACK else "black"
        place = {"ha": "center", "va": "center_baseline", "zorder": 6}
        ax.text(col, row, number, color=ink, fontsize=min(10, 0.42 * cell), **place)


def draw_record(ax, game: Game) -> None:
    """Draw a position with the number of its move on each stone."""
    draw_board(ax, game.array)
    number_stones(ax, game, game.played)
    cell = cell_size(ax, game.array.shape)
    if game.five:  # the winning line as a frame around each of its stones
        row, col = np.divmod(game.five, game.rules.size)
        frame = {"facecolor": "none", "edgecolor": "tab:red", "zorder": 5}
        ax.scatter(col, row, s=(0.95 * cell) ** 2, marker="s", linewidth=2, **frame)


# by Experiments · one line for each move of the computer
def move_table(game: Game, results: dict):
    """Return a pandas table of {ply: SearchResult}: what was played, and what was found."""
    import pandas as pd

    names = ["move", "played", "search prefers", "why"]
    names += ["seconds", "simulations", "visits of it", "value"]
    rows = []
    for ply, found in sorted(results.items()):
        value = None if math.isnan(found.value) else round(found.value, 3)
        row = ply + 1, game.moves[ply], found.name, found.why, round(found.seconds, 2)
        visits = int(found.visits.flat[found.move])
        rows.append((*row, found.simulations, visits, value))
    return pd.DataFrame(rows, columns=names).set_index("move")


# by Experiments · time, simulations, and the matrices of visits and scores
def matrix_text(board, form: str) -> str:
    """Return the numbers of a board as text, line 1 at the bottom, "." for none."""
    texts = [[form.format(x) if x > 0 else "." for x in row] for row in board.tolist()]
    wide = max(3, 1 + max(len(text) for row in texts for text in row))
    lines = [[str(number), *row] for number, row in enumerate(texts, 1)][::-1]
    lines += [["", *"abcdefghijklmnopqrst"[: len(texts[0])]]]
    return "\n".join("".join(f"{text:>{wide}}" for text in line) for line in lines)


def show_reports(results: dict) -> None:
    """Display the report of each {ply: SearchResult}: a line that opens on two matrices."""
    from IPython.display import display

    folds, words = [], []
    for ply, result in sorted(results.items()):
        head = (
            f"Move {ply + 1}, {result.name}: thinking time {result.seconds:.2f} s, "
            f"total simulations {result.simulations:,}"
        )
        visits = matrix_text(result.visits, "{:d}")
        body = f"visits\n{visits}\n\n{result.rule}\n{matrix_text(result.scores, '{:.3f}')}"
        folds.append(f"<details><summary>{head}</summary><pre>{body}</pre></details>")
        words.append(f"{head}\n{body}")
    data = {"text/html": "".join(folds), "text/plain": "\n\n".join(words)}
    display(data, raw=True)

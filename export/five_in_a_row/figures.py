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


# by Experiments · a figure with a description in words; a bare board; numbers as short words
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


def draw_board(ax, array, last: int | None = None, five=()) -> None:
    """Draw a board on matplotlib axes, line 1 at the bottom.

    array        int8[rows, size]   +1 black, -1 white, 0 empty
    last, five   points: the last stone gets a small square, the winning line a stroke
    """
    from matplotlib.patches import Circle

    rows, size = array.shape
    grid = {"color": "0.5", "alpha": 0.4, "linewidth": 0.6, "zorder": 2}
    ax.hlines(range(rows), 0, size - 1, **grid)
    ax.vlines(range(size), 0, rows - 1, **grid)
    ax.set_xticks(range(size), list("abcdefghijklmnopqrst"[:size]), fontsize=8)
    ax.set_yticks(range(rows), range(1, rows + 1), fontsize=8)
    ax.set(xlim=(-0.6, size - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    ax.tick_params(length=0, pad=1)
    ax.spines[:].set_visible(False)
    for row, col in np.argwhere(array):
        colour, mark = ("black", "white") if array[row, col] == BLACK else ("white", "black")
        ax.add_patch(Circle((col, row), 0.42, facecolor=colour, edgecolor="black", zorder=3))
        if row * size + col == last:
            ax.plot(col, row, "s", color=mark, markersize=4, zorder=4)
    if len(five):
        row, col = np.divmod(sorted(five), size)
        ax.plot(col, row, color="tab:red", linewidth=3, zorder=5)


def number_stones(ax, game, points) -> None:
    """Write 1, 2, 3 ... on the stones at those points."""
    for number, point in enumerate(points, 1):
        row, col = divmod(point, game.rules.size)
        ink = "white" if game.array[row, col] == BLACK else "black"
        place = {"ha": "center", "va": "center_baseline", "zorder": 6}
        ax.text(col, row, number, color=ink, fontsize=9, **place)


def has_package(what: str) -> bool:
    """Return whether the package five_in_a_row is here; if not, say what is not shown."""
    here = importlib.util.find_spec("five_in_a_row") is not None
    if not here:
        print(f"{what}: not shown, the package in export/ is missing here.")
    return here


# by Experiments · a heatmap: edit, run this cell, draw again
def heatmap(
    ax, game, numbers, unit="visits (simulations)",
    *, colours="Blues", low=0, high=None, labels=None,
):  # fmt: skip
    """Draw a position with a number at each point as its colour; return the image.

    numbers     float[rows, size]; a point with 0 or NaN stays blank
    unit        written at the colour bar; None: there is no bar
    low, high   what the first and the last colour stand for; None: the largest number
    labels      {point: text} on the board; None: the three largest numbers
    """
    from matplotlib.patheffects import withStroke

    high = np.nanmax(numbers) if high is None else high
    shown = np.ma.masked_equal(numbers, 0)
    image = ax.imshow(shown, cmap=colours, vmin=low, vmax=high, origin="lower", zorder=1)
    draw_board(ax, game.array, game.played[-1] if game.played else None, game.five)
    if labels is None:
        labels = {point: short_number(numbers.flat[point]) for point in top_points(numbers)}
    for point, text in labels.items():
        row, col = divmod(point, game.rules.size)
        under = image.cmap(image.norm(numbers[row, col]))
        ink = "white" if sum(under[:3]) < 1.5 else "black"
        written = ax.text(col, row, text, fontsize=8, ha="center", va="center", zorder=6)
        written.set(color=ink, path_effects=[withStroke(linewidth=2, foreground=under)])
    if unit:
        bar = ax.figure.colorbar(image, ax=ax, location="bottom", shrink=0.9, aspect=30)
        bar.set_label(unit, fontsize=9)
    return image


# ---- 14. Heatmaps and replay ----------------------------------------------------------------


# by Experiments · the record of a game, earlier positions, a line for each search
def result_text(game: Game, resigned: int = 0) -> str:
    """Return "black wins", "white wins by resignation", "draw", "unfinished" or the like."""
    if game.winner:
        return f"{COLOUR[game.winner]} wins"
    if resigned:
        return f"{COLOUR[-resigned]} wins by resignation"
    return "draw" if game.over else "unfinished"


def record_text(game: Game) -> str:
    """Return the numbered record, a pair of moves a line: "  1. e4    d5"."""
    pairs = [game.moves[i : i + 2] for i in range(0, len(game.moves), 2)]
    rows = (" ".join(f"{move:5s}" for move in pair).rstrip() for pair in pairs)
    return "\n".join(f"{number:3d}. {row}" for number, row in enumerate(rows, 1))


def draw_record(ax, game: Game) -> None:
    """Draw a position with the number of its move on each stone; a win in red rings."""
    from matplotlib.patches import Circle

    draw_board(ax, game.array)
    number_stones(ax, game, game.played)
    for point in game.five:
        row, col = divmod(point, game.rules.size)
        ring = {"fill": False, "edgecolor": "tab:red", "linewidth": 3, "zorder": 5}
        ax.add_patch(Circle((col, row), 0.44, **ring))


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


def matrix_text(board, form: str) -> str:
    """Return the numbers of a board as text, line 1 at the bottom, "." for none."""
    texts = [[form.format(x) if x > 0 else "." for x in row] for row in board.tolist()]
    wide = max(3, 1 + max(len(text) for row in texts for text in row))
    lines = [[str(number), *row] for number, row in enumerate(texts, 1)][::-1]
    lines += [["", *"abcdefghijklmnopqrst"[: len(texts[0])]]]
    return "\n".join("".join(f"{text:>{wide}}" for text in line) for line in lines)


def show_reports(game: Game, results: dict, searchers: dict) -> None:
    """Display a line for each {ply: SearchResult}, which opens on its two matrices.

    searchers   {ply: who searched}
    """
    from IPython.display import display

    look = "white-space: pre-wrap; background: none"
    folds, texts = [], []
    for ply, found in sorted(results.items()):
        share = found.visits.flat[found.move] / max(1, found.visits.sum())
        judged = f"{percent(share):>4s} {signed(found.value):>5s}" if share else " " * 10
        line = f"{ply + 1:3d}. {game.moves[ply]:4s}{searchers[ply]:8s}{found.seconds:5.2f} s"
        line += f"{found.simulations:>7,} simulations  {found.name:4s}{judged}  {found.why}"
        visits, scores = matrix_text(found.visits, "{:d}"), matrix_text(found.scores, "{:.3f}")
        body = f"visits\n{visits}\n\n{found.rule}\n{scores}"
        head = f"<code style='{look}'>{line.replace('<', '&lt;')}</code>"
        state = "" if folds else " open"  # the first is open
        folds.append(f"<details{state}><summary>{head}</summary><pre>{body}</pre></details>")
        texts.append(line if texts else f"{line}\n{body}")
    display({"text/html": "".join(folds), "text/plain": "\n".join(texts)}, raw=True)


# by Experiments · small boards, all on the same scale
def small_boards(boards, what: str = "visits"):
    """Return a figure of small boards, one for each (title, position, SearchResult).

    what   "visits", as shares of all visits, or "values" for the side to move
    """
    if what == "visits":
        look, words = {"high": 0.5}, percent
        unit = "share of the visits (half or more: darkest)"
    else:
        look, words = {"colours": "RdBu", "low": -1, "high": 1}, signed
        unit = "value for the side to move: −1 lost, +1 won"
    across = min(3, len(boards))
    down = math.ceil(len(boards) / across)
    figure = new_figure(3.2 * across, 3.2 * down + 1.0)
    axes = figure.subplots(down, across, squeeze=False).ravel()
    for ax in axes[len(boards) :]:
        ax.set_visible(False)
    for ax, (title, position, found) in zip(axes, boards, strict=False):
        shares = found.visits / max(1, found.visits.sum())
        often = shares >= 0.01  # the values of the others are luck
        numbers = shares if what == "visits" else np.where(often, found.values, np.nan)
        labels = {point: words(numbers.flat[point]) for point in top_points(shares * often)}
        image = heatmap(ax, position, numbers, None, labels=labels, **look)
        ax.set_title(title if labels else f"{title}: {found.why}", fontsize=9, pad=3)
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.5, aspect=40)
    bar.set_label(unit, fontsize=9)
    return figure

"""A review of a game: a search before every move, and where the game turned.

Each value is for the side to move; seen from black's side the values make a curve, and a move
after which the curve falls for its player has lost something. A move that loses LOSS or more
is a turning point. `review_of` reads a review back from the comments of an SGF.
"""

import math
import re

import five_in_a_row as five

from .panels import LOSS
from .records import REVIEWED


def review_position(game, tree, simulations, seed, stop) -> tuple[dict, object]:
    """Return the value for black, the best move, what is expected in words, and the tree."""
    if game.over:
        return {"value": float(game.winner), "words": five.figures.result_text(game)}, tree
    result = five.engine.think(game, simulations=simulations, seed=seed, tree=tree, stop=stop)
    words = five.verdicts.verdict(game, result) or f"{result.name} is forced"
    row = {"best": result.name, "words": words, "line": result.names() or result.name}
    row["visits"] = int(result.visits.flat[result.move])
    return row | {"value": black_value(game, result, simulations, seed)}, result.tree or tree


def review_game(game, *, simulations=20_000, seed=0, on_move=None, stop=None):
    """Return a pandas table of a game, one row a move, and one for the position at its end.

    simulations   before each move; the tree is kept from move to move
    on_move       called with (moves done, moves in all)
    stop          a threading.Event; once it is set the rest is left out
    Columns: side ("black"), move, best (what the search would play), value (for black, -1 to
    +1), loss (what the move cost its player, 0 or more), words (what is expected), visits of
    the best move, line (what would follow).
    """
    earlier, rows, tree = five.figures.position_at(game, 0), [], None
    for ply, point in enumerate([*game.played, None]):
        if stop is not None and stop.is_set():
            break
        row, tree = review_position(earlier, tree, simulations, seed, stop)
        rows.append({"ply": ply + 1, "side": five.game.COLOUR[earlier.to_move]} | row)
        if point is not None:
            rows[-1]["move"] = five.game.point_name(point, game.rules.size)
            earlier.play(point)
        if on_move is not None:
            on_move(ply + 1, len(game.played) + 1)
    return review_table(rows)


def review_table(rows: list[dict]):
    """Return the rows of a review as a table, with what each move lost."""
    import pandas as pd

    columns = "ply side move best value loss words visits line".split()
    return with_losses(pd.DataFrame(rows, columns=columns)).set_index("ply")


def black_value(game, result, simulations, seed=0) -> float:
    """Return what a search of this position is worth to black, -1 to +1.

    A forced move was not searched: it is worth what the position after it is.
    """
    if not math.isnan(result.expected):
        return float(result.expected * game.to_move)
    after = game.copy()
    after.play(result.move)
    if after.over:
        return float(after.winner)
    return black_value(
        after, five.engine.think(after, simulations=simulations, seed=seed), simulations
    )


def with_losses(table):
    """Fill in what each move lost: the fall of its player's value, 0 or more."""
    side = table.side.map({"black": 1.0, "white": -1.0})
    lost = (table.value - table.value.shift(-1)) * side
    table["loss"] = lost.where(table.move.notna()).clip(lower=0.0) + 0.0
    return table


def turning_points(table, loss=LOSS):
    """Return the rows of a review in which a move lost at least that much value."""
    return table[table.loss >= loss]


def review_figure(table):
    """Return a figure of black's value by move, with the turning points."""
    figure = five.figures.new_figure(9.6, 2.8)
    ax, moves = figure.subplots(), table.index - 1  # moves that have been played
    ax.axhline(0, color="0.8", linewidth=1)
    ax.fill_between(moves, 0, table.value, color="tab:blue", alpha=0.2)
    ax.plot(moves, table.value, "o-", markersize=3, color="tab:blue")
    last, room = {}, 0.08 * max(len(moves), 1)  # moves that a label is wide
    ends = [-1.1, 1.1]  # of the axis; more where labels stand beyond
    for ply, row in turning_points(table).iterrows():
        value = table.value.get(ply + 1, row.value)
        beside = [table.value.get(each, value) for each in (ply, ply + 2)]
        side = 1 if value >= sum(beside) / 2 else -1  # above a peak, below a valley
        ax.plot(ply, value, "o", markersize=6, color="tab:red")
        before, line = last.get(side, (-room, 0))
        last[side] = ply, (line + 1) % 3 if ply - before < room else 0
        points = side * (9 + 11 * last[side][1])
        ends.append(value + (points + 6 * side) / 40)
        away = {"xytext": (0, points), "textcoords": "offset points"}
        words = {"ha": "center", "va": "center", "fontsize": 8, "color": "tab:red"}
        ax.annotate(f"{ply}. {row.move}", (ply, value), **away, **words)
    ax.set(ylim=(min(ends), max(ends)), xlabel="moves played", ylabel="value for black")
    ax.set_yticks([-1, -0.5, 0, 0.5, 1], ["−1.00", "−0.50", "0.00", "+0.50", "+1.00"])
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def review_words(table) -> str:
    """Return the turning points in a sentence."""
    turns = turning_points(table)
    named = [
        f"{ply}. {row.move} ({row.side}, -{row.loss:.2f})" for ply, row in turns.iterrows()
    ]
    return "Turning points: " + (", ".join(named) or "none") + "."


def review_of(record):
    """Return the review in a record's notes as review_game's table, or None."""
    game, rows = five.figures.position_at(record.game, 0), []
    for ply, point in enumerate([*record.game.played, None]):
        note = getattr(record, "notes", {}).get(ply, {})
        said = next(filter(None, map(REVIEWED.fullmatch, note.get("C", "").split("\n"))), None)
        if said is None or not re.fullmatch(r"[+-]?[01](\.\d{1,9})?", note.get("V", ""), re.A):
            break
        row = {name: text for name, text in said.groupdict().items() if text is not None}
        row |= {"ply": ply + 1, "side": five.game.COLOUR[game.to_move]}
        rows.append(row | {"value": min(1.0, max(-1.0, float(note["V"])))})
        if "visits" in row:
            rows[-1]["visits"] = int(row["visits"])
        if point is not None:
            rows[-1]["move"] = five.game.point_name(point, game.rules.size)
            game.play(point)
    return review_table(rows) if rows else None

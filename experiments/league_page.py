"""What comes out of a league: its table, and a page that needs no network and no scripts."""

import html
import math
import sys

import five_in_a_row as five
import numpy as np
import pandas as pd
from five_in_a_row import replay, review
from five_in_a_row.files import one_line
from tqdm import tqdm

from experiments.ratings import ELO, MOST_IN_ROUND_ROBIN, bradley_terry

FAULTS = ("late", "illegal", "crash")
WORDS = ("player", "stands", "last error")  # columns of words
REVIEWED = 2_000  # simulations before each move of a review


# -- the table of the league ---------------------------------------------------------------
def own_games(games, name):
    """Return the games of one player: its side, opponent, points and fault, if it is its."""
    mine = games[(games.a == name) | (games.b == name)].copy()
    mine["side"] = np.where(mine.a == name, "a", "b")
    mine["against"] = np.where(mine.side == "a", mine.b, mine.a)
    mine["points"] = np.where(mine.winner == mine.side, 1.0, (mine.winner == "draw") / 2)
    mine["colour"] = np.where(mine.black == mine.side, "black", "white")
    mine["own fault"] = np.where(mine.points == 0, mine.fault, "")
    begun = mine.opening.str.split().str.len()
    black = mine.colour == "black"
    mine["own moves"] = (mine.plies + black) // 2 - (begun + black) // 2
    for what in ("seconds", "simulations"):
        mine[what] = np.where(mine.side == "a", mine[f"{what} a"], mine[f"{what} b"])
    return mine


def between(name, ratings, marks):
    """Return which yardsticks stand below and above a player, in words."""
    below = [each for each in marks if ratings[each] <= ratings[name] and each != name]
    above = [each for each in marks if ratings[each] > ratings[name] and each != name]
    low = max(below, key=ratings.get, default=None)
    high = min(above, key=ratings.get, default=None)
    if low and high:
        return f"between {low} and {high}"
    return f"above {low}" if low else f"below {high}" if high else ""


def fault_kind(fault):
    """Return (kind, words) of a fault: late, illegal or crash, and when; ("", "") for none."""
    where, _, what = fault.partition(": ")
    kind, _, words = what.rpartition("; last words")[0].partition(": ")
    return kind, f"{where.rpartition(', ')[2]}, {words}" if words else ""


def standings(league, marks):
    """Return the table of a league, best first; ratings are Elo points, level 1 at 1000."""
    logs, covariance = bradley_terry(league.points())
    zero = logs[league.names.index("level 1")] if "level 1" in league.names else 0
    ratings = dict(zip(league.names, 1000 + ELO * (logs - zero), strict=True))
    games, rows = league.table(), []
    for i, name in enumerate(league.names):
        own, half = own_games(games, name), 1.96 * ELO * math.sqrt(covariance[i, i])
        timed = own[own.seconds.notna()]
        moves = timed["own moves"].sum() or math.nan
        faults = [fault_kind(each) for each in own["own fault"] if each]
        row = {"name": name, "rating": ratings[name], "low": ratings[name] - half}
        row |= {"high": ratings[name] + half, "stands": between(name, ratings, marks)}
        row |= {"games": len(own), "won": (own.points == 1).sum()}
        row |= {"drawn": (own.points == 0.5).sum(), "lost": (own.points == 0).sum()}
        row |= {"ms a move": 1e3 * timed.seconds.sum() / moves}
        told = timed.simulations.sum(min_count=1)  # 0: it tells none
        row["simulations a move"] = told / moves if told else math.nan
        kinds = [kind for kind, _ in faults]
        row |= {kind: kinds.count(kind) for kind in FAULTS}
        rows.append(row | {"last fault": faults[-1][1] if faults else ""})
    table = pd.DataFrame(rows).sort_values("rating", ascending=False, ignore_index=True)
    return table.set_index(table.index + 1).rename_axis("place")


# -- the page ------------------------------------------------------------------------------
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0 }
th, td { padding: .2rem .55rem; text-align: right; border-bottom: 1px solid #ddd }
th, td { white-space: nowrap } .words { text-align: left }
.cross td { min-width: 2.4rem; text-align: center; border: 1px solid #fff }
.cross td:nth-child(2) { text-align: left }
.wide { overflow-x: auto } .mark { color: #666; font-style: italic }
svg { display: block }
.pair { display: flex; flex-wrap: wrap; gap: 2rem } .pair > div { flex: 1 1 30rem }
"""
HEAD = "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>{0}</title>"
HEAD += "<meta name='viewport' content='width=device-width'><style>{1}</style></head><body>"


def escape(value):
    """Return a value as text of a page: one line, nothing in it is markup."""
    return html.escape(one_line(str(value)))


def rating_bar(row, low, high):
    """Return the interval of a rating as a small picture, 140 pixels from low to high."""
    x = [2 + 140 * (value - low) / (high - low) for value in (row.low, row.rating, row.high)]
    return (
        "<svg width='144' height='12' role='img' "
        f"aria-label='{row.low:.0f} to {row.high:.0f}'>"
        f"<path d='M{x[0]:.0f} 6H{x[2]:.0f}' stroke='#2171b5' stroke-width='2'/>"
        f"<circle cx='{x[1]:.0f}' cy='6' r='4' fill='#2171b5'/></svg>"
    )


def table_html(rows):
    """Return rows, each {heading: HTML or a number}, as a table; `kind` is a class."""
    heads = {
        name: " class='words'" if name in WORDS else "" for name in rows[0] if name != "kind"
    }
    text = "".join(f"<th{words}>{name}</th>" for name, words in heads.items())
    text = f"<tr>{text}</tr>\n"
    for row in rows:
        cells = "".join(f"<td{words}>{row[name]}</td>" for name, words in heads.items())
        text += f"<tr{row.get('kind', '')}>{cells}</tr>\n"
    return f"<div class='wide'><table>{text}</table></div>\n"


def ratings_html(table, marks):
    """Return the table of ratings, with intervals as numbers and as pictures."""
    low, high, rows = table.low.min(), table.high.max(), []
    for place, row in table.iterrows():
        took, made = row["ms a move"], row["simulations a move"]
        cells = {"kind": " class='mark'" if row["name"] in marks else "", "": place}
        cells |= {"player": escape(row["name"]), "rating": f"{row.rating:.0f}"}
        cells |= {"95 % interval": f"{row.low:.0f} to {row.high:.0f}"}
        cells |= {" ": rating_bar(row, low, high), "stands": escape(row.stands)}
        cells |= {"won–drawn–lost": f"{row.won}–{row.drawn}–{row.lost}"}
        cells |= {"ms per move": "–" if pd.isna(took) else f"{took:,.0f}"}
        cells |= {"simulations": "–" if pd.isna(made) else f"{made:,.0f}"}
        rows.append(cells | {"faults": sum(row[kind] for kind in FAULTS)})
    return table_html(rows)


def faults_html(table):
    """Return who was at fault, how often, and the last line of the last error."""
    rows = [
        {"player": escape(row["name"])}
        | {kind: row[kind] for kind in FAULTS}
        | {"last error": escape(row["last fault"])}
        for _, row in table.iterrows()
        if row["last fault"]
    ]
    return f"<h2>Faults</h2>\n{table_html(rows)}" if rows else ""


def cross_html(league, order):
    """Return the crosstable: the score of the row against the column, in per cent."""
    points, at = league.points(), [league.names.index(name) for name in order]
    games = points + points.T
    rows = "".join(f"<th>{place}</th>" for place in range(1, len(order) + 1))
    rows = f"<tr><th></th><th></th>{rows}</tr>\n"
    for place, i in enumerate(at, 1):
        rows += f"<tr><th>{place}</th><td>{escape(league.names[i])}</td>"
        for j in at:
            if not games[i, j]:
                rows += "<td></td>"
                continue
            score = points[i, j] / games[i, j]
            hue, light = 210 if score >= 0.5 else 25, 96 - 60 * abs(score - 0.5)
            colour = f"hsl({hue} 75% {light:.0f}%)"
            rows += f"<td style='background:{colour}'>{100 * score:.0f}</td>"
        rows += "</tr>\n"
    return f"<div class='wide'><table class='cross'>{rows}</table></div>"


def costly_words(game, colour):
    """Return the moves that cost a side most, by the engine's review, in words."""
    table = review.review_game(game, simulations=REVIEWED, seed=1)
    own = (table.side == colour) & (table.move != table.best)
    worst = table[own & (table.loss >= 0.1)].nlargest(3, "loss")
    moves = [
        f"{ply}. {row.move}, {row.loss / 2:.0%} ({row.best} was better)"
        for ply, row in worst.iterrows()
    ]
    said = "Costliest by the engine's review, in shares of a win: "
    return said + ("; ".join(moves) or "none cost a twentieth")


def game_html(league, row, name, what):
    """Return a game as a replay, and the moves that cost the player most."""
    game = five.Game.from_text(row.moves, rules=league.rules)
    title = f"{name}: {what} {row.against}, as {row.colour}"
    costly = escape(costly_words(game, row.colour))
    return f"<div>{replay.replay(game, title=title).html}<p>{costly}.</p></div>"


def team_html(league, name, games, ratings):
    """Return the best win and the worst loss of a team."""
    own = own_games(games, name)
    own["rated"] = own.against.map(ratings)
    own = own[own.fault == ""].sort_values(["rated", "plies"])
    won, lost = own[own.points == 1], own[own.points == 0]
    shown = [(won.iloc[-1], "best win, against")] if len(won) else []
    shown += [(lost.iloc[0], "worst loss, against")] if len(lost) else []
    found = [game_html(league, row, name, what) for row, what in shown]
    none = "<p>No game of it ended in a five.</p>"
    head = f"<details><summary>{escape(name)}</summary>"
    return f"{head}<div class='pair'>{''.join(found) or none}</div></details>\n"


def page(league, table, marks, about, refused):
    """Return the page of a league as HTML."""
    names = list(table["name"])
    ratings, games = dict(zip(names, table.rating, strict=True)), league.table()
    text = HEAD.format("League of notebooks", STYLE) + "<h1>League of notebooks</h1>\n"
    text += f"<p>{escape(about)}</p>\n"
    if refused:
        text += "<h2>Not playing</h2>\n<ul>"
        text += "".join(f"<li>{escape(each)}</li>" for each in refused) + "</ul>\n"
    text += "<h2>Ratings</h2>\n" + ratings_html(table, marks)
    text += (
        "<p>Elo points by Bradley and Terry's model: 200 more is a score of 76 %. A draw is "
        "half a win. The interval is of a player's place among all; games count as "
        "independent. Yardsticks in italics: their level is that of the window's engine.</p>\n"
    )
    text += faults_html(table)
    if len(names) <= MOST_IN_ROUND_ROBIN:
        said = "Score of the row against the column, in per cent."
        text += f"<h2>Crosstable</h2>\n<p>{said}</p>{cross_html(league, names)}"
    said = "Best win: against the strongest; worst loss: to the weakest."
    text += f"<h2>Games</h2>\n<p>{said}</p>\n"
    for name in tqdm(names, desc="reviews", file=sys.stdout, disable=not sys.stdout.isatty()):
        text += team_html(league, name, games, ratings) if name not in marks else ""
    return text + "</body></html>\n"

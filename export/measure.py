"""Play the matches behind the tables of rooms 17 and 18.

    python export/measure.py [TABLE ...] [--jobs 2]

Every match keeps its finished games in export/results/games/, so a run that was stopped goes
on where it was. The tables, one row a match, go to export/results/. All of them together take
about three core-hours. `--list` names the tables; without a name all are made.

Seconds a move are equal for both players unless a row says otherwise; in `wishes` and `sizes`
simulations are. Openings are random, two to four stones near the middle, each played twice
with the colours exchanged, except where a table begins on the empty board; the seed is 1.
"""

import argparse
import ast
import datetime
import hashlib
import inspect
import os
import platform
import re
import sys
import textwrap
from functools import cache, partial
from pathlib import Path

import five_in_a_row as five
from puzzles import read_puzzles

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "export" / "results"
SEED = 1
SECONDS = 0.03  # a move, where a table does not say otherwise
PUZZLE_SECONDS = 1
FULL = five.search.SearchOptions()


# -- players -------------------------------------------------------------------------------
def engine(seconds=SECONDS, **how):
    """Return what makes the engine for one game."""
    return partial(five.engine.Opponent, seconds, **how)


def rival(name, seconds=None):
    """Return what makes plain UCT, classic or the random player for one game."""
    if name == "random":
        return lambda: five.search.random_player
    return partial(
        {"plain UCT": five.search.plain_uct, "classic": five.search.classic}[name],
        seconds=seconds,
    )


# -- matches -------------------------------------------------------------------------------
@cache
def engine_code():
    """Return a short hash of the module up to the window, but for its figures.

    What is measured depends on this part of the code. It is read once: the module that plays
    was read once as well, whatever becomes of its file during a long run.
    """
    source = Path(five.__file__).read_text("utf-8").split("\n# ## 14 ·")[0]
    code = re.sub(r"\n# ### Figures of a search.*?(?=\n# ## 10 ·)", "", source, flags=re.S)
    return hashlib.sha256(ast.dump(ast.parse(code)).encode()).hexdigest()[:8]


def code_hash(*parts, begin=""):
    """Return a short hash of a text and of the code of functions, kernels and classes.

    Comments and layout do not count.
    """
    sources = [inspect.getsource(getattr(part, "py_func", part)) for part in parts]
    trees = [ast.dump(ast.parse(textwrap.dedent(source))) for source in sources]
    return hashlib.sha256("".join([begin, *trees]).encode()).hexdigest()[:8]


def rules_of(board):
    """Return the rules of a board: Rules themselves, or five in a row of that size."""
    return board if isinstance(board, five.core.Rules) else five.core.Rules(board)


def openings(board, count):
    """Return that many openings of two, three and four stones, in equal parts.

    Where stones fall there are few of two stones; then more of the others make up for it.
    """
    parts = [count // 3 + (i < count % 3) for i in range(3)]
    rules = rules_of(board)
    if rules.gravity:
        spare = max(0, parts[0] - rules.size**2)  # a column for each of the two stones
        parts = [parts[0] - spare, parts[1] + spare // 2, parts[2] + spare - spare // 2]
    found = [
        five.strength.random_openings(rules, part, stones, SEED)
        for part, stones in zip(parts, (2, 3, 4), strict=True)
        if part
    ]
    return [opening for group in found for opening in group]


def played(table, a, b, board, games, jobs, empty):
    """Return the games of a match, a and b being (name, what makes the player).

    board   Rules, or the size of a board for five in a row
    empty   True: every game begins on the empty board
    """
    rules = rules_of(board)
    shape = f"{rules.size}x{rules.height}"
    name = "-".join([table, *a[0].split(), "v", *b[0].split(), shape])
    name += "-empty" * empty
    print(f"{name}: {games} games", flush=True)
    return five.strength.play_match(
        a[1],
        b[1],
        games,
        rules,
        None if empty else openings(rules, games // 2),
        SEED,
        jobs,
        RESULTS / "games" / f"{name}-{engine_code()}.csv",
        progress=sys.stdout.isatty(),
    )


def match(table, a, b, board, games, jobs, empty=False, timed=True, **shown):
    """Play a match as `played` does and return its row.

    timed   False: the budgets are not seconds, and times are left out
    """
    result = played(table, a, b, board, games, jobs, empty)
    found, rules = result.attrs, rules_of(board)
    low, high = found["interval"]
    plies = result.plies - result.opening.str.split().str.len()
    moves = (plies / 2).sum()
    row = {"a": a[0], "b": b[0], "board": f"{rules.size}×{rules.height}", **shown}
    row |= {"games": games}
    row |= {"won": found["wins"], "drawn": found["draws"], "lost": found["losses"]}
    row |= {"score": round(found["score"], 3), "low": round(low, 3), "high": round(high, 3)}
    for side in "ab":
        seconds, simulations = (
            result[f"seconds {side}"].sum(),
            result[f"simulations {side}"].sum(),
        )
        if timed:
            row |= {f"ms a move {side}": round(float(1e3 * seconds / moves), 1)}
        counted = result[f"simulations {side}"].notna().any()  # not every player tells
        row |= {f"simulations a move {side}": round(simulations / moves) if counted else None}
    print(five.strength.match_words(f"  {a[0]} against {b[0]}", result), flush=True)
    return row


def ablation(games, jobs):
    """Each idea switched off against the full engine, equal time; a control."""
    without = {
        "no VCF": {"options": FULL._replace(fours=0)},
        "no VCT": {"options": FULL._replace(threats=0)},
        "no solver": {"options": FULL._replace(solve=False)},
        "hard cut to five": {"options": FULL._replace(keep=5)},
        "no dead lines": {"options": FULL._replace(dead=False)},
        "no tree reuse": {"reuse": False},
        "full too": {},  # a control: two equal players
    }
    for size in (15, 8):
        for name, how in without.items():
            one, other = ("full", engine()), (name, engine(**how))
            yield match("ablation", one, other, size, games, jobs, seconds=SECONDS)


def ladder(games, jobs):
    """Random, plain UCT, classic, and the engine at three speeds, each against the next."""
    rungs = [
        ("random", rival("random")),
        ("plain UCT 0.1 s", rival("plain UCT", 0.1)),
        ("classic 0.1 s", rival("classic", 0.1)),
        ("engine 0.02 s", engine(0.02)),
        ("engine 0.1 s", engine(0.1)),
        ("engine 0.5 s", engine(0.5)),
    ]
    for size in (15, 8):
        for lower, higher in zip(rungs, rungs[1:], strict=False):
            few = games // 2 if "0.5" in higher[0] else games
            yield match("ladder", higher, lower, size, few, jobs)


def draw(games, jobs):
    """The engine on 8×8, a draw from the empty board, against all rungs and itself."""
    rivals = [
        ("random", rival("random"), games // 8),
        ("plain UCT 0.1 s", rival("plain UCT", 0.1), games // 8),
        ("classic 0.1 s", rival("classic", 0.1), games // 4),
        ("engine 0.02 s", engine(0.02), games // 4),
        ("engine 0.1 s", engine(0.1), games // 4),
    ]
    for empty in (False, True):
        for name, other, count in rivals:
            pair = ("engine 0.1 s", engine(0.1)), (name, other)
            shown = {"begins": "empty board" if empty else "random stones"}
            even = max(2, count // (2 + 2 * empty) * 2)  # half as many from the empty board
            yield match("draw", *pair, 8, even, jobs, empty, **shown)


def levels(games, jobs):
    """Each level against the next; 0.1 s a move at the most."""
    for size in (15, 8):
        for level in range(1, 10):
            pair = [(f"level {n}", engine(0.1, level=n)) for n in (level + 1, level)]
            yield match("levels", *pair, size, games, jobs)


def threads(games, jobs):
    """Two threads against one at equal time, one game after another."""
    two, one = ("2 threads", partial(five.strength.TwoTrees, 0.1)), ("1 thread", engine(0.1))
    for size in (15, 8):
        yield match("threads", two, one, size, games, 1, cores=os.cpu_count())


def ponder(games, jobs):
    """Thinking on the opponent's time against not doing so, one game after another."""
    with_it, without = (
        ("pondering", partial(five.strength.Pondering, SECONDS)),
        ("waiting", engine()),
    )
    for size in (15, 8):
        yield match("ponder", with_it, without, size, games, 1, cores=os.cpu_count())


def allot(games, jobs):
    """Time allotted by position against a fixed time that is about the same on average."""
    seconds = 4 * five.search.REPORT  # the rule looks only when a search reports
    for size in (15, 8):
        by_position = partial(five.strength.TimeByPosition, seconds)
        pair = ("allotted", by_position), ("fixed", engine(seconds))
        yield match("allot", *pair, size, games, jobs, seconds=seconds)


def sizes(games, jobs):
    """The engine against itself from the empty board, 1,000 simulations a move, by board."""
    player = partial(five.engine.Opponent, simulations=1_000)
    for size in (7, 8, 9, 10, 11, 12, 13, 15):
        result = played("sizes", ("one", player), ("two", player), size, games, jobs, True)
        won, drawn = (int((result.winner == who).sum()) for who in (result.black, "draw"))
        low, high = five.strength.wilson(won + drawn / 2, games)
        print(f"  black {won}, drawn {drawn}", flush=True)
        yield {
            **{"a": "black", "b": "white", "board": f"{size}×{size}", "games": games},
            **{"won": won, "drawn": drawn, "lost": games - won - drawn},
            "score": round((won + drawn / 2) / games, 3),
            **{"low": round(low, 3), "high": round(high, 3)},
            "plies": round(result.plies.mean(), 1),
            "different games": result.moves.nunique(),
        }


def by_kind():
    """Return {kind: [(game, points that solve it), ...]} of the puzzles."""
    kinds = {}
    for puzzle in read_puzzles():
        name = puzzle.kind.split(" of ")[0]  # "VCF of 7 plies"
        kinds.setdefault(name, []).append((puzzle.game, puzzle.listed))
    return kinds


def wishes(games, jobs):
    """The course notebook's wishes against plain UCT and its near set, equal simulations."""
    for size in (15, 8):
        for budget in (2_000, 10_000):
            makers = {
                name: partial(five.strength.wish_player, name) for name in five.strength.WISHES
            }
            makers |= {"plain UCT": five.search.plain_uct, "classic": five.search.classic}
            players = {
                name: (f"{name} {budget}", partial(make, simulations=budget))
                for name, make in makers.items()
            }
            pairs = [(wish, "plain UCT") for wish in five.strength.WISHES]
            pairs += [
                (wish, "near set") for wish in five.strength.WISHES if wish != "near set"
            ]
            pairs += [("distance urgency", "classic")]
            for one, other in pairs:
                pair = players[one], players[other]
                shown = {"wish": one, "rival": other, "simulations": budget}
                yield match("wishes", *pair, size, games, jobs, **shown)


def puzzles(each, jobs):
    """The puzzles of tests/positions, by kind: how many each player solves at one second."""
    makers = {
        "engine": five.engine.engine,
        "plain UCT": five.search.plain_uct,
        "classic": five.search.classic,
    }
    seconds = PUZZLE_SECONDS
    players = {f"{name} {seconds:g} s": make(seconds=seconds) for name, make in makers.items()}
    for kind, positions in by_kind().items():
        row = {"kind": kind, "puzzles": len(positions[:each])}
        for name, player in players.items():
            work = partial(solves, player)
            row[name] = sum(
                done for done in five.strength.in_parallel(work, positions[:each], jobs, False)
            )
        print(row, flush=True)
        yield row


def cut(each, jobs):
    """Classic's cuts on the puzzles, by kind: where a move that solves one is left."""
    for kind, positions in by_kind().items():
        row = {"kind": kind, "puzzles": len(positions[:each])}
        for name, options in (
            ("left by the cut to five", FULL._replace(keep=5)),
            ("left by the cut to one", FULL._replace(keep=5, sure=2_000)),
        ):
            left = [
                five.strength.best_candidates(game, options) for game, _ in positions[:each]
            ]
            pairs = zip(left, positions, strict=False)
            row[name] = sum(bool(set(points) & set(listed)) for points, (_, listed) in pairs)
        yield row


def solves(player, position):
    """Return whether a player finds a listed move."""
    game, listed = position
    return player(game, 1) in listed


TABLES = {
    "ablation": (ablation, 200),
    "ladder": (ladder, 40),
    "draw": (draw, 400),
    "levels": (levels, 60),
    "threads": (threads, 60),
    "ponder": (ponder, 60),
    "allot": (allot, 60),
    "sizes": (sizes, 60),
    "wishes": (wishes, 200),
    "puzzles": (puzzles, 100),
    "cut": (cut, 100),
}
UNITS = {"puzzles": "of a kind", "cut": "of a kind"}


# -- the command ---------------------------------------------------------------------------
def settings():
    """Return when, with what and on what a table was made, as a dict of short texts."""
    import numba
    import numpy

    return {
        "made": datetime.date.today().isoformat(),
        "engine": engine_code(),
        "Python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def make(name, games=None, jobs=2, tables=TABLES):
    """Play the matches of a table and write export/results/NAME.csv."""
    import pandas as pd

    function, usual = tables[name]
    table = pd.DataFrame(list(function(games or usual, jobs))).assign(**settings())
    table = table.set_index(table.columns[0])
    five.strength.keep_results(table, name, RESULTS)
    print(f"wrote export/results/{name}.csv", flush=True)


def main(arguments=None, tables=TABLES, about=__doc__, units=UNITS):
    """Run the command line for some tables; return the exit code.

    units   {table: what its number counts} where that is not games
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("tables", nargs="*", help=", ".join(tables))
    parser.add_argument("--jobs", type=int, default=2, help="games played at once (2)")
    parser.add_argument(
        "--games",
        type=int,
        help="games a match, or puzzles of a kind, instead of the usual number",
    )
    parser.add_argument("--list", action="store_true", help="name the tables and stop")
    asked = parser.parse_args(arguments)
    if asked.list:
        for name, (function, games) in tables.items():
            unit = units.get(name, "games")
            print(f"{name:19s} {games:5d} {unit:12s} {function.__doc__}")
        return 0
    if wrong := [name for name in asked.tables if name not in tables]:
        parser.error(f"no table {wrong[0]!r}: there are {', '.join(tables)}")
    for name in asked.tables or tables:
        make(name, asked.games, asked.jobs, tables)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

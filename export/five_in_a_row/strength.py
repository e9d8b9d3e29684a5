# Made from strength.ipynb by tools/build.py: change the notebook, not this file.


import gc
import html
import json
import math
import os
import statistics
import time
from functools import lru_cache, partial
from itertools import product
from pathlib import Path

import numpy as np

from five_in_a_row.cache import inline_kernel, jit
from five_in_a_row.engine import engine_game, kernels_for, think
from five_in_a_row.figures import new_figure, show
from five_in_a_row.files import one_line, replace_file
from five_in_a_row.game import (
    BLACK,
    COLOUR,
    DIRECTIONS,
    WHITE,
    Game,
    Rules,
    check_number,
    check_rules,
    check_switch,
    quoted,
)
from five_in_a_row.heuristics import ClassicReference
from five_in_a_row.mcts import PlainReference, SearchPlayer, check_seed
from five_in_a_row.plain_uct import PlainTree
from five_in_a_row.search import (
    EDGE,
    NODE,
    Budget,
    Kernels,
    SearchOptions,
    Tree,
    TreeNode,
    candidates,
    choose_kernels,
    compiled_search,
    empty_tree,
    first_moves,
    forced_move,
    is_candidate,
    is_listed,
    is_settled,
    new_search,
    plain_game,
    read_tree,
    reset_shapes,
    search_once,
    shaped_game,
)


# ---- Is it strong, and which of its ideas make it so? ---------------------------------------


# by Experiments · how sure a score is
def score_interval(won: float, drawn: float, lost: float, z: float = 1.96):
    """Return (low, high) of a score, 0...1, from counted games; 95 % for z = 1.96.

    The scores that the score test does not reject; without draws Wilson's interval.
    Source: T. Tango, Statistics in Medicine 17, 1998, of a difference of paired shares.
    Raises ValueError for a count below 0, and for no games.
    """
    games = won + drawn + lost
    if not (games > 0 and min(won, drawn, lost) >= 0):
        raise ValueError(f"{won} won, {drawn} drawn, {lost} lost is no score")

    def least(more, fewer):
        """Return the least lead that more games won and fewer lost do not reject."""
        low, high = -1.0, (more - fewer) / games
        for _ in range(40):
            lead = (low + high) / 2
            b = (2 * games - more + fewer) * lead - more - fewer
            root = math.sqrt(b * b + 8 * games * fewer * lead * (1 - lead))
            spread = (root - b) / (2 * games) + lead * (1 - lead)
            apart = more - fewer - games * lead > z * math.sqrt(games * max(0, spread))
            low, high = (lead, high) if apart else (low, lead)
        return high

    return (1 + least(won, lost)) / 2, (1 - least(lost, won)) / 2


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return the interval of a share of yes and no: score_interval without draws.

    Source: Wilson, Journal of the American Statistical Association, 1927.
    Raises ValueError unless 0 <= wins <= games and games > 0.
    """
    if not (games > 0 and 0 <= wins <= games):
        raise ValueError(f"{wins} wins in {games} games is no score")
    return score_interval(wins, 0, games - wins, z)


# by Experiments · which results are more than luck
def chance_if_equal(won: int, lost: int) -> float:
    """Return how likely so uneven a result is between equals: the two-sided sign test."""
    games, more = won + lost, max(won, lost)
    ways = sum(math.comb(games, k) for k in range(more, games + 1))
    return min(1.0, 2 * ways / 2**games)


def holm(chances: dict, level: float = 0.05) -> dict:
    """Return {name: whether its null is rejected}, allowing for the number of tests.

    Source: Holm, Scandinavian Journal of Statistics, 1979.
    """
    rejected, going = {}, True
    for i, (name, p) in enumerate(sorted(chances.items(), key=lambda item: item[1])):
        going = going and p <= level / (len(chances) - i)
        rejected[name] = going
    return {name: rejected[name] for name in chances}


def decided(table) -> list[tuple[int, int]]:
    """Return (won, lost) of each match of a table: pairs of games, or games if it has none."""
    pairs = {"pairs won", "pairs lost"} <= set(table)
    names = ("pairs won", "pairs lost") if pairs else ("won", "lost")
    return list(zip(*(table[name] for name in names), strict=True))


def verdicts(results) -> list[str]:
    """Return "better", "worse" or "open" for each (won, lost) of a family of matches."""
    results = [(int(won), int(lost)) for won, lost in results]
    sure = holm({i: chance_if_equal(*result) for i, result in enumerate(results)})
    return [
        "open" if not sure[i] else "better" if won > lost else "worse"
        for i, (won, lost) in enumerate(results)
    ]


# by Experiments · where tables are kept, and what is computed as they are read
def results_folder() -> Path:
    """Return experiments/results of the project in which this module or notebook lies."""
    here = Path(globals().get("__file__", "here")).resolve()
    folders = (folder / "experiments" / "results" for folder in here.parents)
    return next(filter(Path.is_dir, folders), Path("experiments", "results"))


def keep_results(table, name: str, folder: Path | str | None = None) -> None:
    """Write a pandas table as folder/name.csv, whole or not at all; None: results_folder()."""
    folder = Path(folder or results_folder())
    folder.mkdir(parents=True, exist_ok=True)
    text = table.to_csv(lineterminator="\n", float_format="%.4g")
    replace_file(folder / f"{name}.csv", text.encode())


def with_intervals(table):
    """Return a table with score, low and high from the counts won, drawn (or 0) and games.

    Matches of a against b get a column `verdict` as well; the table is their family. A table
    without counts of games is returned as it is.
    """
    if not {"won", "games"} <= set(table):
        return table
    drawn = table["drawn"] if "drawn" in table else 0 * table.won
    lost = table.games - table.won - drawn
    found = [score_interval(*row) for row in zip(table.won, drawn, lost, strict=True)]
    low, high = zip(*found, strict=True)
    table = table.assign(score=(table.won + drawn / 2) / table.games, low=low, high=high)
    if {"a", "b"} <= set(table):
        table["verdict"] = verdicts(decided(table.assign(lost=lost)))
    return table


def players_now(folder: Path) -> dict[str, str]:
    """Return {table: fingerprint of its players as they are now}, of a folder of tables."""
    path = folder / "players.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def read_results(name: str, folder: Path | str | None = None):
    """Return a table of an experiment with its intervals; None where there is none.

    The column "players now" is the fingerprint that its players have today; "gone" where a
    player is no longer here. Budgets read "1,000 simulations" where the file has 1000.
    """
    import pandas as pd

    path = Path(folder or results_folder()) / f"{name}.csv"
    if not path.exists():
        return None
    table = pd.read_csv(path, dtype={"engine": str})  # 701578e4 is no number
    if "b" in table:
        table["b"] = table.b.replace("full too", "control")
    if "budget" in table:
        table["budget"] = table.budget.str.replace(r"(\d)(?=(\d{3})+\b)", r"\1,", regex=True)
    now = players_now(path.parent)
    gone = "gone" if now else None  # no function makes it any more
    return with_intervals(table.assign(**{"players now": now.get(name, gone)}))


def stored_results(name: str, folder: Path | str | None = None):
    """Return read_results(name); where there is none, say in a sentence how to make it."""
    table = read_results(name, folder)
    if table is None:
        path = f"experiments/results/{name}.csv"
        print(f"{path} is not here: python -m experiments {name} makes it")
    return table


# by Experiments · tables as rows, figures and sentences, and how they were made
def results_rows(table):
    """Return a table of matches as a reader wants it: names, board, games, score, interval."""
    rows = table[["a", "b", "board"]].copy()
    results = zip(table.won, table.drawn, table.lost, strict=True)
    rows["won–drawn–lost"] = ["–".join(map(str, result)) for result in results]
    rows["score of a"] = table.score.map("{:.2f}".format)
    bounds = zip(table.low, table.high, strict=True)
    rows["95 % interval"] = [f"{low:.2f} to {high:.2f}" for low, high in bounds]
    if "verdict" in table:
        rows["a is"] = table.verdict
    if "pairs won" in table:
        counts = zip(decided(table), table.games // 2, strict=True)
        rows["pairs"] = [f"{won}–{all_ - won - lost}–{lost}" for (won, lost), all_ in counts]
    if "different games" in table:
        rows["different"] = table["different games"]
    if "begins" in table:
        rows["begins from"] = table.begins
    for unit, form in (("ms", "{:,.1f}"), ("simulations", "{:,.0f}")):
        used = [table[c] for c in table if c in (f"{unit} a move a", f"{unit} a move b")]
        if used and any(column.notna().any() for column in used):
            texts = [[form.format(x) if x == x else "–" for x in column] for column in used]
            pairs = zip(*texts, strict=True)
            rows[f"{unit} per move, a / b"] = [" / ".join(pair) for pair in pairs]
    return rows.set_index("a")


def made_words(row) -> str:
    """Return when, by which version of the players, and on what a row of a table was made.

    The version is their fingerprint: python -m experiments --list names those of today.
    """
    players = f"by players {row.engine}"
    if "budget" in row and isinstance(row.budget, str):
        players += f" ({row.budget.replace(' a ', ' per ')})"
    now = row.get("players now")
    if isinstance(now, str) and now != row.engine:
        players += ", an earlier version of today's,"
    return f"made {row.made} {players} with numba {row.numba} on {row.machine}"


def earlier_words(table) -> str:
    """Return that a table was played by earlier players than today's, "" if it was not."""
    if not {"engine", "players now"} <= set(table):
        return ""
    now = table["players now"].dropna()
    old = (now != table.engine[now.index]).any()
    return ", played by an earlier version of today's players" if old else ""


def games_words(table) -> str:
    """Return the games per match, budget, seed and age of a table, in words."""
    return asked_words(table) + earlier_words(table)


def asked_words(table) -> str:
    """Return the games per match, the budget and the seed of a table, in words."""
    games = "–".join(dict.fromkeys(f"{n:,}" for n in (table.games.min(), table.games.max())))
    asked = ""
    for column, unit in (("seconds", "s"), ("simulations", "simulations")):
        if column in table and "budget" not in table:
            each = " or ".join(f"{x:,g}" for x in dict.fromkeys(table[column]))
            asked = f", {each} {unit} per move"
    if "different games" in table:
        least = (100 * table["different games"] // table.games).min()
        asked += ", all different" if least == 100 else f", at least {least}% different"
    return f"{games} games per match{asked}, seed 1"


def table_made(table) -> str:
    """Return when, by which players and on what a table was made; see made_words."""
    first = table.iloc[0].copy()
    if "budget" in table:  # rows may have their own
        first["budget"] = ", ".join(dict.fromkeys(table.budget.dropna()))
    for each in ("made", "numba", "machine"):  # and days
        first[each] = " and ".join(dict.fromkeys(table[each].astype(str)))
    return made_words(first)


def show_fold(title: str, words: str, rows=None) -> None:
    """Display a fold with that title: a pandas table, if any, and a sentence."""
    from IPython.display import display

    inside = html.escape(f"{words}.")
    if rows is not None:
        inside = f"{rows.to_html()}<p>{inside[0].upper()}{inside[1:]}</p>"
    fold = f"<details><summary>{html.escape(title)}</summary>{inside}</details>"
    plain = f"({'the counts; ' if rows is not None else ''}{words.split(' by ')[0]})"
    display({"text/html": fold, "text/plain": plain}, raw=True)


def show_made(*tables, rows=None) -> None:
    """Display, in one fold, when and by which players these tables were made.

    rows   a pandas table that is shown in the fold, too
    """
    what = "this table was" if len(tables) == 1 else "these tables were"
    title = f"How {what} made" if rows is None else "The counts, and how they were made"
    show_fold(title, "; ".join(map(table_made, tables)), rows)


RESULTS_OF_BLACK = {
    "won": ("0.15", "black wins"),
    "drawn": ("0.75", "draw"),
    "lost": ("white", "white wins"),
}
RESULT_COLOURS = {"won": "#9fcbee", "drawn": "#e4e4e4", "lost": "#f7c3a0"}


def results_figure(table, names):
    """Return a figure: a score with its interval for each match, one panel for each board.

    names   what to write beside each row of `table`

    Bars behind the dots are the shares of games won, drawn and lost; the score is the middle
    of those drawn. Where nearly all games are drawn, the bars show the few that were not.
    """
    boards = list(dict.fromkeys(table.board))
    rows = max((table.board == board).sum() for board in boards)
    figure = new_figure(9.6, 1.1 + 0.36 * rows)
    panels = figure.subplots(1, len(boards), squeeze=False, sharex=True)[0]
    for ax, board in zip(panels, boards, strict=True):
        mine = table[table.board == board]
        labels = [name for name, b in zip(names, table.board, strict=True) if b == board]
        places = range(len(mine), 0, -1)
        error = [mine.score - mine.low, mine.high - mine.score]
        begin = 0 * mine.won
        for what, colour in RESULT_COLOURS.items():
            share = mine[what] / (mine.won + mine.drawn + mine.lost)
            ax.barh(places, share, 0.8, begin, color=colour, label=what)
            begin = begin + share
        ax.axvline(0.5, color="0.5", linewidth=1)
        ax.errorbar(mine.score, places, xerr=error, fmt="o", capsize=3, color="tab:blue")
        ax.set_yticks(list(places), labels)
        ax.set(xlim=(0, 1.02), ylim=(0.4, len(mine) + 0.6), title=board)
        ax.set_xlabel("score, 1 = wins every game", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    bars = panels[0].get_legend_handles_labels()
    figure.legend(*(each[:3] for each in bars), loc="outside upper right", ncols=3, fontsize=8)
    return figure


def used_words(table) -> str:
    """Return what a move of a table's players took, in words."""
    parts = []
    for unit in ("ms", "simulations"):
        used = table.filter(like=f"{unit} a move")
        if used.notna().any(axis=None):
            parts.append(f"{used.min(axis=None):,.0f} to {used.max(axis=None):,.0f} {unit}")
    return f"Used per move: {', '.join(parts)}"


def show_results(name: str, finding, names=lambda row: f"{row.a} v {row.b}") -> None:
    """Show a table of matches as a figure and a fold, or say in a sentence how to make it.

    finding   a function of the table that returns the caption's first sentence
    names     what the figure writes beside a row; a star where the verdict is not open
    """
    table = stored_results(name)
    if table is None:
        return
    labels = [names(row) + " *" * (row.verdict != "open") for row in table.itertuples()]
    scores = zip(table.board, labels, table.score, table.low, table.high, strict=True)
    said = "; ".join(f"{b}, {n}: {s:.2f} ({lo:.2f} to {hi:.2f})" for b, n, s, lo, hi in scores)
    stars = {"open"} != {*table.verdict} and " * better or worse beyond luck." or ""
    caption = f"{finding(table)} {games_words(table)}.{stars}"
    show(results_figure(table, labels), f"Scores with intervals. {said}.", caption)
    show_made(table, rows=results_rows(table))


def show_rows(columns: dict, by_row: bool = False) -> None:
    """Display {column: {row: text}} as a table; by_row: it is {row: {column: text}}."""
    import pandas as pd
    from IPython.display import display

    table = pd.DataFrame(columns)
    display((table.T if by_row else table).fillna(""))


def starred_score(score, low, high, verdict) -> str:
    """Return a score with its interval, and a star where the verdict is not open."""
    return f"{score:.2f} ({low:.2f} to {high:.2f})" + " *" * (verdict != "open")


def show_counts(name: str, columns: list[str], said: str = "Seed 1") -> None:
    """Show these columns of a table, the first as its index, or say how to make it."""
    from IPython.display import display

    table = stored_results(name)
    if table is not None:
        print(f"{said}{earlier_words(table)}")
        display(table[columns].set_index(columns[0]))
        show_made(table.drop(columns="budget", errors="ignore"))


def losses_found(table) -> str:
    """Return how many games were lost from each kind of beginning, and what that says.

    Where none was lost, games that are move for move alike count once.
    """
    said = []
    for begins, games in table.groupby("begins", sort=False):
        lost, played, each = int(games.lost.sum()), int(games.games.sum()), "games"
        if lost:
            low, high = wilson(lost, played)
            chance = f"is {low:.2%} to {high:.2%}"
        else:
            if "different games" in games:
                played, each = int(games["different games"].sum()), "different games"
            chance = f"is below {1 - 0.05 ** (1 / played):.2%} with 95 % confidence"
        begun = begins.replace("empty", "the empty")
        said.append(
            f"from {begun}, {lost} of {played} {each} were lost: the mean chance of losing "
            f"{chance}"
        )
    return "; ".join(said).capitalize() + "."


# ---- Each idea switched off -----------------------------------------------------------------


# by Heuristics · what the cuts leave
def classic_candidates(game: Game, options: SearchOptions) -> list[int]:
    """Return the points that classic's search would look at first, best score first."""
    workspace = new_search(shaped_game(), game, seed=1)
    reset_shapes(workspace)
    count = candidates(workspace, 0, options.max_children, options)
    return workspace.moves[:count].tolist()


# ---- A match of your own --------------------------------------------------------------------


# by Rules · openings to start from, and those that a search calls even
def near_middle(game: Game, reach: int = 3) -> list[int]:
    """Return the legal points at most `reach` rows and columns from the middle one."""
    row, col = game.rules.height // 2, game.rules.size // 2
    steps = [(p, *divmod(p, game.rules.size)) for p in game.legal()]
    if game.rules.gravity:  # stones fall: every column will do
        return game.legal()
    return [p for p, r, c in steps if max(abs(r - row), abs(c - col)) <= reach]


def random_openings(rules: Rules, count: int, stones: int = 2, seed: int = 0) -> list[str]:
    """Return that many different openings of 2 to 4 stones, as move lists.

    The stones lie at most three rows and columns from the middle. No opening is won, or leaves
    a side a win or a defence that must be played at once. ValueError if there are too few.
    """
    check_number("count", count, 1, 10**6, whole=True)
    check_number("stones", stones, 2, 4, whole=True)
    rng, found = np.random.default_rng(check_seed(seed)), {}
    for _ in range(100 * count + 100):
        game = Game(rules)
        while len(game.played) < stones and (points := near_middle(game)):
            game.play(int(rng.choice(points)))
        if len(game.played) == stones and not game.over and forced_move(game) is None:
            found.setdefault(game.array.tobytes(), " ".join(game.moves))
        if len(found) == count:
            return list(found.values())
    raise ValueError(f"only {len(found)} different openings of {stones} stones were found")


def position_value(game: Game, simulations: int, seed: int = 0) -> float:
    """Return the value of a position for the side to move, -1 to +1; 0 for a forced move."""
    result = think(game, simulations=simulations, seed=seed)
    return 0.0 if math.isnan(result.expected) else float(result.expected)


def most_even(games: list[Game], count: int, simulations: int, seed: int = 0) -> list[Game]:
    """Return that many games, values nearest to 0 first; thrice as many are asked longer."""
    for most, left in (simulations, 3 * count), (10 * simulations, count):
        sizes = [abs(position_value(game, most, seed)) for game in games]
        games = [games[i] for i in np.argsort(sizes, kind="stable")[:left]]
    return games


def even_openings(rules: Rules, count: int, seed: int = 0) -> list[str]:
    """Return the most even of ten times as many random openings of three stones."""
    drawn = random_openings(rules, 10 * count, 3, seed)
    games = [Game.from_text(moves, rules=rules) for moves in drawn]
    return [" ".join(game.moves) for game in most_even(games, count, 1_000, seed)]


# by Experiments · a match, and its parts: one game, its file, its players, its table
def play_match(
    a,
    b,
    games: int = 100,
    rules: Rules = Rules(),
    openings: list[str] | None = None,
    seed: int = 0,
    jobs: int = 1,
    path: Path | str | None = None,
    progress: bool = False,
):
    """Return a pandas table of a match, one row per game; the score of `a` is in its attrs.

    a, b       players; each game is played by fresh ones with their settings
    openings   move lists; each is played twice, with the colours exchanged; None: empty board
    jobs       games played at once, in threads or in what joblib.parallel_config says
    path       a CSV file that takes each finished game; a run that was stopped goes on there
    progress   True: a progress bar
    Raises ValueError for an odd number of games, a file of another match, a player's fault, or
    anything else that makes no sense.
    """
    if check_number("games", games, 2, MOST_GAMES, whole=True) % 2:
        raise ValueError(f"games come in pairs, colours exchanged: {games} is odd")
    rules, openings = check_rules(rules), check_openings(openings, rules)
    check_players(a=a, b=b)
    check_match(seed, jobs, path, progress)
    settings = f"a: {player_words(a)}; b: {player_words(b)}; "
    settings += f"{rules}; seed {seed}; openings {openings}"
    rows = {} if path is None else read_match(Path(path), settings)
    one = partial(play_numbered, a, b, rules, openings, seed)
    todo = [number for number in range(games) if number not in rows]
    for number, row in in_parallel(one, todo, jobs, progress):
        rows[number] = row
        if path is not None:
            append_row(Path(path), number, row)
    return match_table([rows[number] for number in range(games)], settings)


def fresh_player(player):
    """Return a player with the same settings that remembers no earlier game."""
    return type(player)(**player.settings)


def match_game(players: dict, rules: Rules, opening: str, seeds) -> dict:
    """Play one game and return its row; `players` is {+1: (name, player), -1: ...}."""
    game = Game.from_text(opening, rules=rules)
    row = {"opening": opening, "black": players[BLACK][0], "white": players[WHITE][0]}
    seconds = {"a": 0.0, "b": 0.0}
    simulations: dict = {"a": None, "b": None}
    while not game.over:
        name, player = players[game.to_move]
        begun = time.perf_counter()
        try:
            game.play(player.move(game.copy(), int(seeds[len(game.played)])))
        except Exception as error:
            side, number = COLOUR[game.to_move], len(game.played) + 1
            raise ValueError(
                f"player {name} ({side}) failed at move {number}: {error}"
            ) from error
        seconds[name] += time.perf_counter() - begun
        made = getattr(getattr(player, "result", None), "simulations", None)
        if made is not None:
            simulations[name] = (simulations[name] or 0) + made
    for _, player in players.values():
        getattr(player, "rest", lambda: None)()  # the game is over
    row |= {"winner": players[game.winner][0] if game.winner else "draw"}
    row |= {"plies": len(game.played), "moves": " ".join(game.moves)}
    row |= {f"simulations {name}": simulations[name] for name in "ab"}
    return row | {f"seconds {name}": round(seconds[name], 3) for name in "ab"}


def player_words(player) -> str:
    """Return the name of a player and its settings, as text that repeats."""
    return words_with(player.name, player.settings)


def words_with(name: str, settings: dict) -> str:
    """Return "name(keyword=value, ...)"."""
    words = ", ".join(f"{key}={value_words(value)}" for key, value in settings.items())
    return f"{name}({words})" if words else name


def value_words(value) -> str:
    """Return a setting as text: a number, a text, a player, or the name of anything else."""
    if value is None or isinstance(value, str | int | float):
        return repr(value)
    if isinstance(value, partial):
        return words_with(value.func.__qualname__, value.keywords)
    if hasattr(value, "_field_defaults"):  # a NamedTuple: what is not usual
        usual = value._field_defaults
        fields = value._asdict().items()
        changed = {k: v for k, v in fields if k not in usual or v != usual[k]}
        return words_with(type(value).__name__, changed)
    if hasattr(value, "settings"):
        return player_words(value)
    return getattr(value, "__qualname__", type(value).__qualname__)


MATCH_COLUMNS = (
    *("opening", "black", "white", "winner", "plies", "moves"),
    *("simulations a", "simulations b", "seconds a", "seconds b"),
)


def read_match(path: Path, settings: str, columns=MATCH_COLUMNS) -> dict[int, dict]:
    """Return the finished games {number: row} in the file of a match; begin the file if new.

    One that a full disk or a kill cut within its two first lines is begun anew.
    Raises ValueError if the file belongs to a match with other settings.
    """
    import csv
    import io

    settings = one_line(settings)  # a player's name may come from anywhere
    head = f"# {settings}\n" + ",".join(["game", *columns]) + "\n"
    if not path.exists() or head.encode().startswith(path.read_bytes()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(head.encode())
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1  # a stop may leave half a line
    lines = data[:whole].decode().splitlines(keepends=True)
    if lines[:1] != [f"# {settings}\n"]:
        raise ValueError(f"{path.name} holds a match with other settings, or something else")
    if whole < len(data):
        os.truncate(path, whole)  # written anew, it would be lost by another stop
    return {int(row["game"]): row for row in csv.DictReader(io.StringIO("".join(lines[1:])))}


def append_row(path: Path, number: int, row: dict) -> None:
    """Add a finished game at the end of the file of a match."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow([number, *(row[c] for c in MATCH_COLUMNS)])
    with path.open("a", encoding="utf-8") as file:
        file.write(text.getvalue())


MOST_GAMES, MOST_JOBS = 1_000_000, 1_000  # of one match; of these at once


def check_openings(openings, rules: Rules) -> list[str]:
    """Return the openings, the empty board for None; ValueError for what cannot be played."""
    if openings is not None and not isinstance(openings, list | tuple):
        raise ValueError(f"openings must be a list of move lists, not {quoted(openings)}")
    for opening in openings or ():
        try:
            begun = Game.from_text(opening, rules=rules)
        except ValueError as error:
            raise ValueError(f"openings hold {quoted(opening)}: {error}") from None
        if begun.over:
            raise ValueError(f"openings hold {quoted(opening)}: that game is over")
    return openings or [""]


def check_players(**players) -> None:
    """Raise ValueError that names the first of these which is no player."""
    for name, player in players.items():
        settings = getattr(player, "settings", None)
        named = isinstance(getattr(player, "name", None), str) and isinstance(settings, dict)
        if not named or not callable(getattr(player, "move", None)):
            what = "a player, which has a method move, a name and a dict of settings"
            raise ValueError(f"{name} must be {what}, not {quoted(player)}")


def check_match(seed, jobs, path, progress) -> None:
    """Raise ValueError that names the first of these arguments which makes no sense."""
    check_seed(seed), check_number("jobs", jobs, 1, MOST_JOBS, whole=True)
    if path is not None and not isinstance(path, str | os.PathLike):
        raise ValueError(f"path must be that of a file, or None, not {quoted(path)}")
    check_switch("progress", progress)


def play_numbered(a, b, rules: Rules, openings, seed: int, number: int) -> tuple[int, dict]:
    """Play the game of that number of a match; return (number, row)."""
    sides = [("a", fresh_player(a)), ("b", fresh_player(b))]
    first, second = sides if number % 2 == 0 else reversed(sides)
    seeds = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(rules.points)
    opening = openings[number // 2 % len(openings)]
    return number, match_game({BLACK: first, WHITE: second}, rules, opening, seeds)


def in_parallel(work, items, jobs: int, progress: bool):
    """Yield work(item) for each item as it is done, with a bar on stdout if wanted."""
    import sys

    import joblib
    from tqdm import tqdm

    parallel = joblib.Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered")
    results = parallel(joblib.delayed(work)(item) for item in items)
    yield from tqdm(results, total=len(items), file=sys.stdout, disable=not progress)


def match_table(rows: list[dict], settings: str):
    """Return the table of a match with the score of `a` and its interval in attrs."""
    import pandas as pd

    table = pd.DataFrame([{name: row[name] for name in MATCH_COLUMNS} for row in rows])
    for name in MATCH_COLUMNS[6:8]:
        table[name] = pd.to_numeric(table[name]).astype("Int64")
    table["plies"] = table["plies"].astype(int)
    for name in MATCH_COLUMNS[8:]:
        table[name] = table[name].astype(float)
    wins, draws = int((table.winner == "a").sum()), int((table.winner == "draw").sum())
    losses = len(table) - wins - draws
    table.attrs = {
        "games": len(table),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": (wins + draws / 2) / len(table),
        "interval": score_interval(wins, draws, losses),
        "settings": settings,
    }
    return table


def count_pairs(table) -> dict[str, int]:
    """Return in how many pairs of games of a match `a` made more than one point, and less."""
    points = table.winner.map({"a": 1.0, "draw": 0.5, "b": 0.0}).to_numpy()
    pairs = points.reshape(-1, 2).sum(axis=1)
    return {"pairs won": int((pairs > 1).sum()), "pairs lost": int((pairs < 1).sum())}


def match_words(name: str, table) -> str:
    """Return the result of a match in one sentence."""
    attrs = table.attrs
    low, high = attrs["interval"]
    return (
        f"{name}: won {attrs['wins']}, drawn {attrs['draws']}, lost {attrs['losses']} of "
        f"{attrs['games']} games, {table.moves.nunique()} different; score "
        f"{attrs['score']:.2f}, 95 % interval {low:.2f} to {high:.2f}"
    )


# by Experiments · how long a match must be
def ways(count: int) -> np.ndarray:
    """Return the logarithms of the binomial coefficients of a number, float[count + 1]."""
    logs = np.append(0.0, np.log(np.arange(1, count + 1)).cumsum())  # ln k!
    return logs[count] - logs - logs[::-1]


def chance_to_show(games: int, score: float) -> float:
    """Return how likely a match without draws has a score above 1/2 and p at most 0.05.

    score   the true chance to win a game, 0...1; p is of the two-sided sign test
    """
    wins = np.arange(games + 1)
    logs = ways(games) + wins * math.log(score) + (games - wins) * math.log(1 - score)
    if_equal = np.exp(ways(games) - games * math.log(2))
    as_many = if_equal[::-1].cumsum()[::-1]  # the chance of so many wins or more
    return float(np.exp(logs)[2 * as_many <= 0.05].sum())


def games_needed(score: float, chance: float = 0.8) -> int:
    """Return the smallest number of games, none drawn, that shows the score so often."""
    lead = 2 * score - 1
    reach = 1.96 + statistics.NormalDist().inv_cdf(chance) - 0.06  # to begin a little below
    games = max(4, int(reach**2 * (1 - lead**2) / lead**2))
    while chance_to_show(games, score) < chance:
        games += 1
    return games


# ---- The line it expects --------------------------------------------------------------------


# by Experiments · one search, read again and again: its expected line, its depth
def snapshots(game: Game, counts, kernels=None, options: SearchOptions = SearchOptions()):
    """Yield (simulations, Tree, SearchResult) of one search at each of the rising counts.

    kernels   the game as the search knows it: the engine's unless given
    """
    kernels = kernels or kernels_for(game.rules)
    tree = Tree(game, kernels, options, Budget(simulations=counts[-1]).records())
    done = 0
    for count in counts:
        done += tree.run(count - done)
        yield count, tree, read_tree(tree, done, 0.0)


PLAIN = SearchOptions(solve=False)  # plain search proves nothing


def line_nodes(tree: Tree) -> list[TreeNode]:
    """Return the nodes of the most visited line, the root's child first."""
    nodes, node = [], tree.root.best()
    while node is not None:
        nodes.append(node)
        node = node.best()
    return nodes


def nodes_by_depth(tree: Tree) -> np.ndarray:
    """Return how many visited nodes lie 0, 1, 2 ... plies below the root, int64[depth + 1]."""
    level, widths = np.zeros(1, np.int64), []
    while level.size:
        widths.append(level.size)
        first, tried = (
            tree.nodes["first_child"][level],
            tree.nodes["num_visited"][level].astype(np.int64),
        )
        before = np.cumsum(tried) - tried  # children of the nodes to the left
        level = np.repeat(first - before, tried) + np.arange(tried.sum())
    return np.array(widths)


def move_value(game: Game, point: int, simulations: int) -> float:
    """Return the value of a move for the player who makes it, by a search of the reply."""
    after = game.copy()
    after.play(point)
    if after.over:
        return float(abs(after.winner))
    reply = think(after, simulations=simulations, seed=1)
    if reply.why == "blocks five":  # forced: the value is that of the position after it
        return -move_value(after, reply.move, simulations)
    return -1.0 if math.isnan(reply.value) else -reply.value


# ---- Is it only faster? ---------------------------------------------------------------------


# by Experiments · the benchmark: who is timed, interleaved rounds, medians, the table
def compiled_run(kernels: Kernels, options: SearchOptions, game: Game, simulations: int):
    """Return a function that makes that many simulations in a fresh tree."""
    search = compiled_search(kernels)

    def run(seed: int) -> tuple[int, int]:
        workspace = new_search(kernels, game, seed)
        tree = empty_tree(Budget(simulations=simulations).records())
        search(workspace, tree, options, simulations)
        return simulations, int(workspace.free_list[0]) * NODE.itemsize

    return run


def plain_run(make_player, game: Game, simulations: int):
    """Return a function that makes that many simulations by a player."""
    player = make_player(simulations=simulations)

    def run(seed: int) -> tuple[int, int]:
        player.move(game, seed)
        return simulations, 0

    return run


def plain_uct_run(game: Game, simulations: int):
    """Return a function that makes that many simulations in a fresh tree of PlainUCT."""

    def run(seed: int) -> tuple[int, int]:
        records = Budget(simulations=simulations).records()
        options = PLAIN._replace(seed=seed)
        tree = PlainTree(game, plain_game(game.rules.in_a_row), options, records)
        tree.run(simulations)
        in_bits, in_rows = tree.state.unused.tolist()
        used = in_bits * tree.bits.itemsize + in_rows * tree.rows.itemsize
        return simulations, used

    return run


def speed_runs(simulations: int, plain_simulations: int, sizes=(8, 15, 20)) -> dict:
    """Return the contenders of the benchmark: {(what, board width): run}."""
    runs, few = {}, plain_simulations
    cut = SearchOptions(max_children=5, forcing_score=2000, solve=False)
    for size in sizes:
        game = Game(Rules(size))
        for step in (0, -1):  # two stones in the middle, so that there are candidates
            game.play((size // 2, size // 2 + step))
        for what, kernels, options in (
            ("plain UCT, compiled", plain_game(5), PLAIN),
            ("engine", engine_game(), SearchOptions()),
            ("classic, compiled", shaped_game(), cut),
        ):
            runs[what, size] = compiled_run(kernels, options, game, simulations)
        runs["plain UCT, halving", size] = plain_uct_run(game, simulations)
        if size in sizes[:2]:
            runs["plain UCT, Python", size] = plain_run(PlainReference, game, few)
        if size == sizes[0]:
            runs["classic, Python", size] = plain_run(ClassicReference, game, few)
    return runs


def measure_rates(runs: dict, rounds: int = 5) -> dict:
    """Return {name: (work per second of processor time, the median; bytes per unit of work)}.

    runs   {name: run}, where run(seed) returns (work done, bytes used)
    """
    rates: dict = {name: [] for name in runs}
    memory = {}
    for run in runs.values():
        run(0)  # compile, and warm up
    for turn in range(rounds):
        for name, run in runs.items():
            gc.collect()  # else garbage of other cells is cleared while the clock runs
            begun = time.process_time()
            done, used = run(turn + 1)
            rates[name].append(done / max(1e-9, time.process_time() - begun))
            memory[name] = used / done
    return {name: (float(np.median(rates[name])), memory[name]) for name in runs}


REFERENCES = {
    "plain UCT, compiled": "plain UCT, Python",
    "plain UCT, halving": "plain UCT, Python",
    "classic, compiled": "classic, Python",
}


def speed_table(simulations=100_000, plain_simulations=300, rounds=5, sizes=(8, 15, 20)):
    """Return the benchmark as a pandas table, one row per contender and board.

    simulations, plain_simulations   in each round, of compiled and of plain Python code
    """
    import pandas as pd

    rates = measure_rates(speed_runs(simulations, plain_simulations, sizes), rounds)
    rows = []
    for (what, size), (rate, memory) in rates.items():
        slow = rates.get((REFERENCES.get(what), size))
        grown = plain_simulations if "Python" in what else simulations
        rows.append(
            {
                "what": what,
                "board": f"{size}×{size}",
                "per second": rate,
                "speed-up over the reference": rate / slow[0] if slow else math.nan,
                "of its rate on the first board": rate / rates[what, sizes[0]][0],
                "bytes a simulation": memory or math.nan,
                "simulations in the tree": grown,
            }
        )
    return pd.DataFrame(rows).set_index(["what", "board"])


# ---- Matrices instead of loops --------------------------------------------------------------


# by Rules · is there a five? by loops, and by shifted boards; where patterns stand
def has_five_loops(cells: np.ndarray) -> bool:
    """Return whether a colour has five in a row on a board, int8[rows, size]."""
    rows, size = cells.shape
    board = cells.tolist()  # Python reads lists faster than arrays
    for row in range(rows):
        for col in range(size):
            for d_row, d_col in DIRECTIONS if board[row][col] else ():
                length, r, c = 1, row + d_row, col + d_col
                while r < rows and 0 <= c < size and board[r][c] == board[row][col]:
                    length, r, c = length + 1, r + d_row, c + d_col
                if length >= 5:
                    return True
    return False


def line_windows(boards: np.ndarray, d_row: int, d_col: int, length: int = 5) -> list:
    """Return `length` views of boards [..., rows, size], each a point further along a line."""
    reach = length - 1
    height = max(0, boards.shape[-2] - reach * d_row)
    width = max(0, boards.shape[-1] - reach * abs(d_col))
    corners = [(i * d_row, i * d_col + reach * (d_col < 0)) for i in range(length)]
    return [boards[..., r : r + height, c : c + width] for r, c in corners]


def has_five_windows(boards: np.ndarray) -> np.ndarray:
    """Return whether each of the boards, int8[..., rows, size], has a five: bool[...]."""
    sums = (abs(sum(line_windows(boards, *step))) for step in DIRECTIONS)
    return np.any([(total == 5).any(axis=(-2, -1)) for total in sums], axis=0)


OPEN_THREES = ("011100", "001110", "010110", "011010")  # the course notebook's


def count_patterns(boards: np.ndarray, patterns, colour: int) -> np.ndarray:
    """Return how often patterns of a colour stand on boards [..., rows, size]: int[...]."""
    found = np.zeros(boards.shape[:-2], int)
    for step, pattern in product(DIRECTIONS, patterns):
        views = line_windows(boards, *step, len(pattern))
        fits = [
            view == colour * int(stone) for view, stone in zip(views, pattern, strict=True)
        ]
        found += np.sum(np.logical_and.reduce(fits), axis=(-2, -1))
    return found


# ---- Where to look --------------------------------------------------------------------------


# by Experiments · games whose children are the points of a zone
NEAR_SET = (4, 4, 3, 3, 1)  # columns away, for 0, 1, 2 ... rows away: distance sqrt(18)
NEIGHBOURS_ONLY = (1, 1)


def build_near_zone(reach, plies):
    """Return near_zone(workspace): the points near a stone, in a game's first plies.

    reach   how many columns away, for 0 to at most 4 rows away
    """

    @inline_kernel
    def near_zone(workspace):
        """Mark in workspace.board.near where the next stone may go."""
        board, geo = workspace.board, workspace.geo
        near = board.near
        near[:] = -1 if geo.points - board.empty >= plies else 0
        for row in range(geo.rows):
            stones = board.stones[row] | board.stones[geo.half + row]
            for step in range(1 - len(reach), len(reach)):
                for columns in range(reach[abs(step)] + 1):
                    near[row + step + EDGE] |= stones << columns | stones >> columns

    return near_zone


@inline_kernel
def square_start(first, last, side, end):
    """Return where a stretch of side + 1 rows around first...last begins, within 0...end."""
    return max(0, min(first - (side - last + first) // 2, end - side))


def build_square(margin):
    """Return square(workspace): the smallest square around all stones, and a margin."""

    @inline_kernel
    def square(workspace):
        """Mark in workspace.board.near where the next stone may go."""
        board, geo = workspace.board, workspace.geo
        near, rows, size, columns = board.near, geo.rows, geo.size, 0
        near[:] = 0
        low, high, left, right = rows, -1, size, -1
        for row in range(rows):
            stones = board.stones[row] | board.stones[geo.half + row]
            columns |= stones
            if stones != 0:
                low, high = min(low, row), row
        for col in range(size):
            if columns >> col & 1 == 1:
                left, right = min(left, col), col
        if columns == 0:
            return
        side = max(high - low, right - left)
        low = square_start(low, high, side, rows - 1)
        left = square_start(left, right, side, size - 1)
        bits = ((1 << (side + 2 * margin + 1)) - 1) << left >> margin & (1 << size) - 1
        for row in range(max(0, low - margin), min(rows, low + side + margin + 1)):
            near[row + EDGE] = bits

    return square


def build_zone_moves(zone):
    """Return the `moves` kernel that lists the empty points of a zone, in random order."""

    @inline_kernel
    def zone_moves(workspace, had, want, options):
        """Append up to `want` points to workspace.moves[:had]; return the new length."""
        zone(workspace)
        length = had
        for i in range(workspace.geo.points):
            point = np.int64(workspace.order[i])
            if length == had + want:
                break
            if is_candidate(workspace, point) and not is_listed(workspace.moves, had, point):
                workspace.moves[length] = point
                length += 1
        return length if length > 0 else first_moves(workspace)

    return zone_moves


@lru_cache
def near_game(reach=NEAR_SET, plies: int = 400) -> Kernels:
    """Return five in a row played within reach of a stone, for all or the first plies."""
    return plain_game(5)._replace(legal=build_zone_moves(build_near_zone(reach, plies)))


@lru_cache
def square_game(margin: int = 1) -> Kernels:
    """Return five in a row played in the enclosing square."""
    return plain_game(5)._replace(legal=build_zone_moves(build_square(margin)))


# by Experiments · every point, the nearest first, and the distance in the score
@jit
def widen_rows(near, rows):
    """Add to near[EDGE : EDGE + rows] all points that touch one of its points."""
    below = np.int32(0)
    for row in range(EDGE, EDGE + rows):
        above = near[row + 1] if row + 1 < EDGE + rows else np.int32(0)
        wide, below = below | near[row] | above, near[row]
        near[row] = wide | wide << 1 | wide >> 1


@jit
def nearest_moves(workspace, had, want, options):
    """Append up to `want` empty points to workspace.moves[:had], near ones first.

    Returns the length. workspace.priors takes the Chebyshev distance of each to the nearest
    stone, 1 on an empty board.
    """
    board, geo = workspace.board, workspace.geo
    near, length, distance = board.near, had, 0
    for row in range(geo.rows):
        near[row + EDGE] = board.stones[row] | board.stones[geo.half + row]
    while length < had + want and distance < max(geo.rows, geo.size):
        distance += 1
        widen_rows(near, geo.rows)
        if had > 0 and distance < workspace.priors[had - 1]:  # all of these are listed
            continue
        for i in range(geo.points):
            point = np.int64(workspace.order[i])
            if length == had + want:
                break
            if is_candidate(workspace, point) and not is_listed(
                workspace.moves, length, point
            ):
                workspace.moves[length], workspace.priors[length] = point, distance
                length += 1
    if length == 0:
        workspace.priors[0] = 1
        return first_moves(workspace)
    return length


@jit
def near_ucb(workspace, tree, node, untried, options):
    """Return the child with the highest Q + c sqrt(ln N / n) + w / (d (n + 1)); 0: none.

    w is options.c_prior, d the child's prior. `untried`, the nearest child without visits,
    counts as its node less options.fpu_reduction, without the square root.
    Source: the term after Chaslot and others 2008, progressive bias.
    """
    record = tree[node]
    first, best, chosen = np.int64(record.first_child), -math.inf, np.int64(0)
    if untried > 0:
        known = 1 - record.W64 / (64 * max(1, record.N)) - options.fpu_reduction
        best, chosen = known + options.c_prior / tree[untried].prior, np.int64(untried)
    exploration = options.c_uct * math.sqrt(math.log(max(1, record.N)))
    for i in range(first, first + record.num_visited):
        child = tree[i]
        if options.solve and is_settled(child.status, record.N):
            continue
        r = child.inv_sqrt
        score = r * (child.W64 / 64 * r + exploration)
        score += options.c_prior / (child.prior * (child.N + 1))
        if score > best:
            best, chosen = score, np.int64(i)
    return chosen


@lru_cache
def distance_game() -> Kernels:
    """Return five in a row with every point as a child, and the distance in the score."""
    return plain_game(5)._replace(legal=nearest_moves, select=near_ucb)


# by Experiments · the wishes as players
EXTENSIONS = {  # name: (what makes the game, options that differ)
    "near set": (near_game, {}),
    "neighbours only": (lambda: near_game(NEIGHBOURS_ONLY), {}),
    "enclosing square": (square_game, {}),
    "restricted opening": (lambda: near_game(NEIGHBOURS_ONLY, 10), {}),
    "distance term": (distance_game, {"c_prior": 2.0, "fpu_reduction": -math.inf}),
    "distance urgency": (distance_game, {"c_prior": 0.5}),
}


class ExtensionPlayer(SearchPlayer):
    """UCT with a game of EXTENSIONS; KeyError for another name."""

    def __init__(self, extension: str, *, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        self.make_game, changes = EXTENSIONS[extension]
        self.name = extension
        self.settings["extension"] = extension
        self.options = SearchOptions(solve=False)._replace(**changes)

    def search(self, game, **asked):
        """Return what is found in a position."""
        return search_once(game, self.kernels, self.options, **asked)

    def kernels(self, rules: Rules) -> Kernels:
        """Return the kernels of this extension on a board of these rules."""
        return choose_kernels(rules, self.make_game)

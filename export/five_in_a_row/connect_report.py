# Made from connect_report.ipynb by tools/build.py: change the notebook, not this file.


import math
import random
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.connect_four import four_game, random_drops
from five_in_a_row.connect_grid import column_name, four_rules


# ---- 1. What the report says ----------------------------------------------------------------


# by Experiments · the report's two tables
class Reported(NamedTuple):
    """A row of the report's tables 3.1 and 3.2, 100 games."""

    seconds: tuple[int, int]  # first player, second player
    simulations: tuple[int, int]  # a move, as stated
    wins: tuple[int, int]
    counts: tuple[int, int]  # what is repeated here


REPORTED = (
    Reported((1, 1), (8_717, 8_782), (52, 48), (8_700, 8_700)),
    Reported((5, 5), (61_560, 62_028), (47, 53), (61_500, 61_500)),
    Reported((10, 10), (103_049, 104_084), (47, 53), (103_000, 103_000)),
    Reported((30, 30), (462_184, 466_495), (43, 57), (464_000, 464_000)),
    Reported((60, 60), (689_843, 700_477), (48, 52), (695_000, 695_000)),
    Reported((1, 5), (12_652, 63_002), (46, 54), (12_600, 63_000)),
    Reported((5, 1), (56_814, 11_555), (42, 58), (63_000, 12_600)),
)


# ---- The agent ------------------------------------------------------------------------------


# by Search · the report's agent, as a player

REPORT_OPTIONS = five.search.SearchOptions(c_uct=math.sqrt(2), solve=False)


class Memory(threading.local):
    """The tree of an agent, or of several that share it; each thread has its own."""

    tree = None

    def __reduce__(self):
        """Let agents that share a tree travel to another process, without the tree."""
        return Memory, ()


class Agent:
    """UCT that keeps its tree, as a player; see five.mcts.SearchPlayer.

    seconds, simulations   the budget of a move; neither: one second
    kernels   a function that returns the game as the search knows it
    reuse     False: every position is searched anew
    memory    where the tree is kept; None: in a Memory of its own
    clock     what the seconds are read from, such as time.thread_time for processor time
    """

    name = "agent"
    loop = staticmethod(five.search.compiled_search)  # loop(kernels): the compiled search

    def __init__(
        self,
        *,
        seconds: float | None = None,
        simulations: int | None = None,
        options: five.search.SearchOptions = REPORT_OPTIONS,
        kernels=four_game,
        reuse: bool = True,
        memory: Memory | None = None,
        clock=time.perf_counter,
    ):
        limits = {"seconds": seconds, "simulations": simulations, "clock": clock}
        self.budget = five.search.check_budget(**limits)
        self.options = five.search.check_options(options)
        self.reuse = five.game.check_switch("reuse", reuse)
        five.game.check_functions(kernels=kernels)
        self.kernels = kernels
        self.memory = memory or Memory()
        given = {
            "seconds": (seconds, None),
            "simulations": (simulations, None),
            "options": (options, REPORT_OPTIONS),
            "kernels": (kernels, four_game),
            "reuse": (reuse, True),
            "memory": (memory, None),
            "clock": (clock, time.perf_counter),
        }
        self.settings = {key: value for key, (value, usual) in given.items() if value != usual}
        self.result = None

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the point to play; `result` then tells what the search found."""
        five.game.check_unfinished(game)
        options = self.options if seed is None else self.options._replace(seed=seed)
        tree = self.memory.tree
        if self.reuse and tree is not None and tree.leads_to(game):
            tree = five.search.advance_root(tree, game, options, self.budget)
        else:
            kernels = self.kernels(game.rules.height, game.rules.size)
            tree = five.search.Tree(game, kernels, options, self.budget.records())
        tree._search = self.loop(tree.kernels)
        done, took = self.run_budget(tree)
        self.memory.tree = tree
        result = five.search.read_tree(tree, done, took)
        self.result = result
        return result.move

    def run_budget(self, tree: five.search.Tree) -> tuple[int, float]:
        """Search; return (simulations, seconds)."""
        return five.search.run_budget(tree, self.budget)


# ---- 2. The reward that is always 1 ---------------------------------------------------------


# by Search · a state that changes when it is played on, to its random end


def plain_wins(board: dict, point: tuple, in_a_row: int) -> bool:
    """True if the stone on `point` is part of a winning line; checks its four lines only."""
    row, col = point
    for d_row, d_col in five.game.DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while board.get((r, c)) == board[point]:
                length += 1
                r, c = r + sign * d_row, c + sign * d_col
        if length >= in_a_row:
            return True
    return False


class State:
    """A position that changes as it is played, as the report's does."""

    def __init__(self, columns=()):
        self.board, self.heights = {}, [0] * 7  # (row, column): colour
        self.to_play, self.outcome = five.game.BLACK, None  # None: undecided; 0: draw
        for column in columns:
            self.play(column)

    def columns(self) -> list[int]:
        """Return the columns that are not full."""
        return [column for column, height in enumerate(self.heights) if height < 6]

    def play(self, column: int) -> None:
        """Drop a stone, note what it decides, and pass the turn."""
        point = self.heights[column], column
        self.board[point] = self.to_play
        self.heights[column] += 1
        if plain_wins(self.board, point, 4):
            self.outcome = self.to_play
        elif len(self.board) == 42:
            self.outcome = 0
        self.to_play = -self.to_play


def roll_out(state: State, rng: random.Random) -> int:
    """Play a state to its end at random, which changes it; return the winner, or 0."""
    while state.outcome is None:
        state.play(rng.choice(state.columns()))
    return state.outcome


# by Search · how often a reward is 0, ½ or 1
def count_rewards(reward, games: int, seed: int = 1) -> dict:
    """Return {reward: how often} of leaves 0 to 9 random moves from the empty grid."""
    rng, counts = random.Random(seed), {0: 0, 0.5: 0, 1: 0}
    while games:
        state = State()
        for _ in range(rng.randrange(10)):
            if state.outcome is None:
                state.play(rng.choice(state.columns()))
        if state.outcome is None:
            counts[reward(state, rng)] += 1
            games -= 1
    return counts


# by Search · the reward of the player who moved into a leaf, in both versions
def reward_as_printed(state: State, rng: random.Random) -> float:
    """Return the report's reward: the side to move is read after the random game."""
    outcome = roll_out(state, rng)
    return 0 if outcome == state.to_play else 1


def reward_corrected(state: State, rng: random.Random) -> float:
    """Return 1, 1/2 or 0: the side to move is read before the random game."""
    to_play = state.to_play
    outcome = roll_out(state, rng)
    return 0.5 if outcome == 0 else 0 if outcome == to_play else 1


# by Search · the report's rewards, as its listing credits them
@five.cache.jit
def add_visits(tree, path, depth):
    """Add a visit without any reward to every node on path[:depth + 1]."""
    for i in range(depth + 1):
        node = tree[path[i]]
        node.N += 1
        node.inv_sqrt = np.float32(1.0) / math.sqrt(np.float32(node.N))


@lru_cache
def printed_search(game: five.search.Kernels):
    """Return a search that credits every leaf 1, and of a draw every node above it 0."""
    walk = five.search.build_walk(game, game.select, five.search.build_expand(game))
    reset, rollout, decided = game.reset, game.rollout, game.terminal

    def search(workspace, tree, options, simulations):
        if workspace.begun == 0:
            workspace.begun = 1
            reset(workspace)
        for done in range(simulations):
            if workspace.full & workspace.stop_when_full:
                return done
            node, depth, fresh = walk(workspace, tree, options)
            if fresh:
                tree[node].status = decided(workspace, options)
            winner = 0 if tree[node].status == five.search.DRAWN else 1
            if tree[node].status <= five.search.COMPLETE:
                winner = rollout(workspace)
            if winner == 0:
                add_visits(tree, workspace.path, depth)
                tree[node].W64 += 64
            else:
                five.search.backpropagate_kernel(tree, workspace.path, depth, 64)
        return simulations

    return five.cache.jit(search)


class PrintedAgent(Agent):
    """The report's agent as its listing is printed."""

    name = "agent as printed"
    loop = staticmethod(printed_search)


# by Experiments · root visits with and without the error, and their figure
AGENT_VERSIONS = {"corrected": Agent, "reward only": PrintedAgent}


def root_shares(game: five.game.Game, counts, seed: int = 1) -> dict:
    """Return {(version, simulations): each column's share of the visits}, one search each."""
    found = {}
    for version, make in AGENT_VERSIONS.items():
        for count in counts:
            agent = make(simulations=count)
            agent.move(game, seed)
            visits = agent.result.visits.sum(0)
            found[version, count] = visits / visits.sum()
    return found


def shares_figure(shares: dict):
    """Return a figure of root_shares: a row for each version, a panel for each count."""
    counts = list(dict.fromkeys(count for _, count in shares))
    figure = five.figures.new_figure(2.4 * len(counts), 4.6)
    panels = figure.subplots(
        len(AGENT_VERSIONS), len(counts), sharex=True, sharey=True, squeeze=False
    )
    for row, version in zip(panels, AGENT_VERSIONS, strict=True):
        row[0].set_ylabel(f"{version}\nshare of the visits")
        for ax, count in zip(row, counts, strict=True):
            share = shares[version, count]
            colour = "tab:blue" if version == "corrected" else "tab:orange"
            bars = ax.bar([column_name(i) for i in range(share.size)], share, color=colour)
            clear = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
            said = [f"{value:.0%}" for value in share]
            ax.bar_label(bars, said, fontsize=8, padding=2, bbox=clear)
            ax.set_ylim(0, 1.15)
            ax.axhline(1 / share.size, color="0.6", linewidth=0.8, linestyle=":", zorder=0)
            ax.spines[["top", "right"]].set_visible(False)
            if version == "corrected":
                ax.set_title(f"{count:,} simulations", fontsize=9)
    return figure


# by Search · the mean of each column as the tree grows, with the reward error
def column_means(game: five.game.Game, counts, seed: int = 1) -> dict:
    """Return {column: its mean after each of these numbers of simulations}, in columns' order.

    Each number is a search of its own; with one seed, a longer one begins like a shorter one.
    """
    found: dict = {column_name(i): [] for i in range(game.rules.size)}
    for count in counts:
        agent = PrintedAgent(simulations=int(count))
        agent.move(game, seed)
        for child in agent.memory.tree.root.children:
            found[child.move[0]].append(child.W / child.N)
    return found


def means_figure(counts, means: dict, favourite: str):
    """Return a figure of column_means: a line a column, dotted where levels would be full."""
    figure = five.figures.new_figure(8.6, 3.4)
    ax = figure.subplots()
    full = np.cumsum([7**level for level in range(1, 6)])
    for level, count in enumerate(full, 1):
        ax.axvline(count, color="0.7", linewidth=0.8, linestyle=":")
        words = {"ha": "center", "fontsize": 8, "color": "0.35", "annotation_clip": False}
        ax.annotate(f"level {level}\nfull", (count, 1.04), **words)
    for column, values in means.items():
        mine = column == favourite
        style = {"color": "tab:orange", "linewidth": 2.2, "zorder": 3, "label": column}
        ax.plot(counts, values, **(style if mine else {"color": "0.5", "linewidth": 0.9}))
    ax.set(xscale="log", xlim=(counts[0], counts[-1] * 1.1), ylim=(0, 1.02))
    ax.set(xlabel="simulations (log scale)", ylabel="mean of a column")
    ax.set_xticks(full, [f"{count:,}" for count in full])
    ax.minorticks_off()
    ax.spines[["top", "right"]].set_visible(False)
    name, end = favourite, means[favourite][-1]
    ax.annotate(name, (counts[-1], end), xytext=(0, 5), textcoords="offset points")
    return figure


# by Experiments · which column is the favourite, over many seeds
def favourite_columns(simulations: int, seeds) -> dict:
    """Return {version: how often each column is the most visited of the empty grid}."""
    game, found = five.game.Game(four_rules()), {}
    for version, make in AGENT_VERSIONS.items():
        moves = [make(simulations=simulations).move(game, seed) for seed in seeds]
        found[version] = np.bincount(moves, minlength=game.rules.size)
    return found


# by Experiments · the tables of long matches
VERDICT_WORDS = {"better": "more than half", "worse": "less than half", "open": "inconclusive"}
SCORE_WORDS = {name: f"scores {words}" for name, words in VERDICT_WORDS.items()}
SCORE_WORDS["open"] = "is inconclusive"


def one_family(*names: str):
    """Return these tables of matches as one, judged as one family; None if one is missing."""
    import pandas as pd

    tables = [five.strength.stored_results(name) for name in names]
    if any(table is None for table in tables):
        return None
    whole = pd.concat(tables, ignore_index=True)
    return whole.assign(verdict=five.strength.verdicts(five.strength.decided(whole)))


def score_said(row) -> str:
    """Return "0.62 (0.55 to 0.69)" for a row of a table of matches."""
    return f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})"


def scores_found(table) -> str:
    """Return whether a scores more than half in each match, as a sentence."""
    parts = [
        f"{row.a} against {row.b} {SCORE_WORDS[row.verdict]}" for row in table.itertuples()
    ]
    return "; ".join(parts).capitalize() + "."


# ---- 3. One tree for two --------------------------------------------------------------------


# by Search · two agents, one tree
def sharing(*agents: dict, make=Agent) -> list[Agent]:
    """Return an agent for each dict of arguments of `make`; all of them have one tree."""
    memory = Memory()
    return [make(**arguments, memory=memory) for arguments in agents]


def second_visits(one: Agent, other: Agent) -> int:
    """Return the visits that `other` goes by after `one` has begun the game."""
    game = five.game.Game(four_rules())
    game.play(one.move(game, seed=1))
    other.move(game, seed=2)
    return int(other.result.visits.sum())


# ---- Taken apart ----------------------------------------------------------------------------


# by Experiments · the score of four times the simulations
MORE = "printed-more", "report-more"
NAMES = {  # what the tables call a version, and its name here
    "as printed": "both errors",
    "reward error only": "reward only",
    "shared tree only": "tree only",
    "corrected": "corrected",
    "draws as wins": "both errors, twin",
    "draws as wins own trees": "reward only, twin",
}


def more_table():
    """Return the tables of many simulations against few, as one family; None without them."""
    table = one_family(*MORE)
    return None if table is None else table.assign(version=table.version.map(NAMES))


def more_rows(table) -> dict:
    """Return {"many v few": {version: score with its interval}} of the table more_table()."""
    rows: dict = {}
    for row in table.itertuples():
        rows.setdefault(f"{row.many:,} v {row.few:,}", {})[row.version] = score_said(row)
    return rows


# by Experiments · the tables that are there, both seats of the unequal match
def table_name(counts: tuple[int, int], kind: str = "report") -> str:
    """Return the name of the table that repeats these simulations, in either order."""
    return "-".join(map(str, [kind, *sorted(set(counts))]))


def repeated() -> dict:
    """Return {(simulations of the first, of the second): {version: row}} as far as played."""
    found = {}
    for counts in (row.counts for row in REPORTED):
        for kind in ("printed", "report"):
            table = five.strength.read_results(table_name(counts, kind))
            if table is not None:
                mine = table[(table["first"] == counts[0]) & (table["second"] == counts[1])]
                new = {NAMES[row.version]: row for row in mine.itertuples()}
                found[counts] = found.get(counts, {}) | new
    return found


def row_verdicts(found: dict) -> dict:
    """Return {(counts, version): verdict} of all rows of repeated(), one family."""
    rows = {
        (counts, version): row
        for counts, versions in found.items()
        for version, row in versions.items()
    }
    results = [(row.won, row.lost) for row in rows.values()]
    return dict(zip(rows, five.strength.verdicts(results), strict=True))


def counts_words(row: Reported) -> str:
    """Return "8,700 v 8,700 (1 s v 1 s)" for the simulations of first and second player."""
    one, other = row.counts
    return f"{one:,} v {other:,} ({row.seconds[0]} s v {row.seconds[1]} s)"


def score_words(row) -> str:
    """Return the first player's score with its interval, and the result it comes from."""
    return f"{score_said(row)}, {row.won}–{row.drawn}–{row.lost}"


FEWER_SIMULATIONS, MORE_SIMULATIONS = 12_600, 63_000  # simulations of the unequal agents


def more_counts(found: dict) -> dict:
    """Return {version: (won, drawn, lost)} of more against fewer simulations."""
    ahead = found.get((MORE_SIMULATIONS, FEWER_SIMULATIONS), {})
    behind = found.get((FEWER_SIMULATIONS, MORE_SIMULATIONS), {})
    return {
        version: (row.won + other.lost, row.drawn + other.drawn, row.lost + other.won)
        for version, row in ahead.items()
        if (other := behind.get(version)) is not None
    }


def counts_said(won: int, drawn: int, lost: int) -> str:
    """Return "0.62 (0.55 to 0.69)" for these counts of games."""
    low, high = five.strength.score_interval(won, drawn, lost)
    return f"{(won + drawn / 2) / (won + drawn + lost):.2f} ({low:.2f} to {high:.2f})"


# by Experiments · the gain by more simulations, with each error
VERSION_STYLES = {  # the marker and the colour of each version
    "report": ("s", "0.45"),
    "both errors": ("^", "tab:orange"),
    "reward only": ("P", "tab:green"),
    "tree only": ("D", "tab:purple"),
    "corrected": ("o", "tab:blue"),
}


def thinking_figure(table):
    """Return a figure of more_table: score of the many simulations, a line a version."""
    figure = five.figures.new_figure(8.6, 4.2)
    ax = figure.subplots()
    ax.axhline(0.5, color="0.6", linewidth=1)
    shown = table[~table.version.str.endswith("twin")]
    groups = list(shown.groupby("version", sort=False))
    for number, (version, rows) in enumerate(groups):
        place = rows.many * 1.05 ** (number - (len(groups) - 1) / 2)  # side by side
        error = [rows.score - rows.low, rows.high - rows.score]
        mark, colour = VERSION_STYLES[version]
        style = dict(fmt=f"{mark}-", color=colour, linewidth=1, capsize=3, label=version)
        ax.errorbar(place, rows.score, yerr=error, **style)
    ax.set(xscale="log", xlim=(0.8 * table.many.min(), 1.25 * table.many.max()), ylim=(0, 1))
    ax.set_xlabel("simulations per move, against a quarter of them (log scale)")
    ax.set_xticks(sorted(set(table.many)), [f"{n:,}" for n in sorted(set(table.many))])
    ax.minorticks_off()
    ax.set_ylabel("score of the many simulations")
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8, loc="lower left", ncols=2)
    return figure


# ---- 4. Who moves first ---------------------------------------------------------------------


# by Experiments · the first player's score of two equal ones, three times
def repeated_figure(found: dict, rows):
    """Return a figure of the first player's score in these rows of the report and in ours."""
    figure = five.figures.new_figure(8.6, 3.2)
    ax = figure.subplots()
    ax.axvline(0.5, color="0.7", linewidth=1)
    places = {"report": 0.22, "both errors": 0.0, "corrected": -0.22}
    points: dict = {version: [] for version in places}
    for place, row in enumerate(reversed(rows), 1):
        score = row.wins[0] / sum(row.wins)
        low, high = five.strength.wilson(row.wins[0], sum(row.wins))
        points["report"].append((place + places["report"], score, low, high))
        for version, ours in found.get(row.counts, {}).items():
            if version in places:
                y = place + places[version]
                points[version].append((y, ours.score, ours.low, ours.high))
    for version in (name for name in places if points[name]):
        y, x, low, high = np.array(points[version]).T
        mark, colour = VERSION_STYLES[version]
        style = dict(fmt=mark, color=colour, label=version, capsize=3)
        ax.errorbar(x, y, xerr=[x - low, high - x], **style)
    names = [f"{row.counts[0]:,} ({row.seconds[0]} s)" for row in rows]
    ax.set_yticks(range(len(rows), 0, -1), names)
    ax.set(xlabel="score of the first player", ylabel="simulations per move, both players")
    ax.set(xlim=(0, 1), ylim=(0.5, len(rows) + 0.5))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", fontsize=8, frameon=False)
    return figure


# ---- 6. Appendix: controls and asides -------------------------------------------------------


# by Search · the twin: the error as kernels
@lru_cache
def misread_game(rows: int = 6, columns: int = 7) -> five.search.Kernels:
    """Return Connect-4 in which every leaf is a win of who moved into it, a draw as well."""
    game = four_game(rows, columns)
    mover, play_out, decided = game.mover, game.rollout, game.terminal

    @five.cache.inline_kernel
    def rollout(workspace):
        """Play a random game, and return who moved into the leaf, whoever has won."""
        moved = -mover(workspace)
        play_out(workspace)
        return moved

    @five.cache.inline_kernel
    def terminal(workspace, options):
        return (
            five.search.WON
            if decided(workspace, options) == five.search.WON
            else five.search.OPEN
        )

    return game._replace(rollout=rollout, terminal=terminal)


# by Experiments · every move of some games, in a workbook
class Noted:
    """A player that does what another does, and notes its moves in `rows`."""

    def __init__(self, player, *, name: str, rows: list[dict]):
        self.player, self.name, self.rows = player, name, rows
        self.settings = {"player": player, "name": name, "rows": rows}
        self.result = None
        self.rest = getattr(player, "rest", lambda: None)  # after the game, as matches ask

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the player's move, and note it."""
        begun = time.perf_counter()
        point = five.game.to_point(self.player.move(game, seed), game.rules)
        seconds = time.perf_counter() - begun
        self.result = self.player.result
        self.rows.append(
            {
                "ply": len(game.played) + 1,
                "agent": self.name,
                "column": column_name(point % game.rules.size),
                "simulations": None if self.result is None else self.result.simulations,
                "seconds": round(seconds, 6),
            }
        )
        return point


def record_run(a, b, games: int = 2, seed: int = 0, rules=four_rules()) -> dict:
    """Play games and return {"games": a pandas table, "moves": a table of every move}.

    a, b   players, fresh for each game; they move first in turn
    """
    import pandas as pd

    games = five.game.check_number("games", games, 1, 10**6, whole=True)
    five.strength.check_players(a=a, b=b)
    five.strength.check_match(seed, jobs=1, path=None, progress=False)
    found, moves = [], []
    for number in range(games):
        rows: list[dict] = []
        pair = [
            (name, Noted(five.strength.fresh_player(player), name=name, rows=rows))
            for name, player in (("a", a), ("b", b))
        ]
        first, second = pair if number % 2 == 0 else pair[::-1]
        seeds = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(rules.points)
        row = five.strength.match_game(
            {five.game.BLACK: first, five.game.WHITE: second}, rules, "", seeds
        )
        about = {"game": number + 1, "first": first[0], "second": second[0]}
        about |= {"winner": row["winner"], "plies": row["plies"]}
        found.append(about | {"columns": " ".join(move["column"] for move in rows)})
        moves += [{"game": number + 1, **move} for move in rows]
    counted = pd.DataFrame(moves).astype({"simulations": "Int64"})
    return {"games": pd.DataFrame(found), "moves": counted}


def keep_run(path: Path | str, tables: dict) -> None:
    """Write the tables to a new workbook, a sheet each, whole or not at all.

    FileExistsError if there is one.
    """
    import pandas as pd

    path = Path(path)
    if path.exists():
        raise FileExistsError(f"{path.name} is there already")
    with five.files.temporary_file(path) as temporary:
        with temporary.open("wb") as file, pd.ExcelWriter(file, engine="openpyxl") as book:
            for name, table in tables.items():
                table.to_excel(book, sheet_name=name, index=False)
        five.files.put_in_place(temporary, path)


# by Experiments · one column must be played
def must_block(count: int, seed: int = 1) -> list[tuple]:
    """Return (game, point) of random positions in which that point stops the only four."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        game = random_drops(int(rng.integers(6, 25)), rng)
        if not game.over and not five.search.winning_points(game, game.to_move):
            threats = five.search.winning_points(game, -game.to_move)
            if len(threats) == 1:
                found.append((game, threats[0]))
    return found


def blocks(make, simulations: int, positions) -> int:
    """Return in how many positions an agent of `make` stops the four."""
    moves = [make(simulations=simulations).move(game, 1) for game, _ in positions]
    return sum(move == point for move, (_, point) in zip(moves, positions, strict=True))


# by Search · an agent that thinks longer where it is in doubt
def adaptive_simulations(tree: five.search.Tree, usual: int, done: int) -> int:
    """Return how many simulations a search should make in all, given what it knows by now.

    Fewer than `usual` where the second move can no longer overtake the first, twice as many
    where at the end it has more than 0.6 of the first one's visits.
    """
    lost = five.search.LOST
    visits = sorted(
        (child.N for child in tree.root.children if child.status != lost), reverse=True
    )
    first, second = (*visits, 0, 0)[:2]
    if done < usual and first - second > usual - done:
        return done
    return 2 * usual if second > 0.6 * first else max(usual, done)


class AdaptiveAgent(Agent):
    """An Agent that takes fewer simulations where the move is clear, up to twice where not.

    It checks twenty times in `simulations` whether the move is clear.
    """

    name = "agent with adaptive time"

    def run_budget(self, tree: five.search.Tree) -> tuple[int, float]:
        """Search in parts; return (simulations, seconds)."""
        usual = int(self.budget.simulations)
        done, took, most, part = 0, 0.0, usual, -(-usual // 20)
        while done < most:
            wanted = min(part, int(most) - done)
            part_budget = self.budget._replace(simulations=wanted)
            made, seconds = five.search.run_budget(tree, part_budget)
            done, took = done + made, took + seconds
            if made < wanted:  # the root is decided
                break
            most = adaptive_simulations(tree, usual, done)
        return done, took

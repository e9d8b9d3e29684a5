# Made from connect_report.ipynb by tools/build.py: change the notebook, not this file.


# *by Interface*
#
# # Connect-4: a report, played again
#
# Of two equal players the second one wins more often, and more time does not help: so concludes a student
# report on Connect-4 and Monte Carlo Tree Search (A.-I. Paraschiv, *Beating Connect-4 with a Reinforcement Learning
# Algorithm*, 2024). Both findings are strange. With perfect play it is the first player who wins, and a search that
# sees more should play better. What happened?
#
# This notebook repeats the report's matches, finds the two errors behind them, and corrects them. The
# [essay](#5.-Essay) tells it from the beginning. The game, its search and a board to play on are in
# [connect_four](connect_four.ipynb), the matches are those of [strength](strength.ipynb).


# *by Interface*
#
# | section | what it answers |
# |---|---|
# | [1. The agent of the report](#1.-The-agent-of-the-report) | Who plays, and what is written down? |
# | [2. As printed, and corrected](#2.-As-printed,-and-corrected) | What was wrong in the report's program? |
# | [3. Tables 3.1 and 3.2 again](#3.-Tables-3.1-and-3.2-again) | Does the first player win more, does thinking pay? |
# | [4. Scale](#4.-Scale) | How are many games played? |
# | [5. Essay](#5.-Essay) | What happened in the report, and what is not claimed? |
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | the winner on a dict |
# | Search | *(name)* | the report's agent, its errors |
# | Experiments | *(name)* | the tables, the essay |


# *by Experiments*
#
# **Sources.** A.-I. Paraschiv, *Beating Connect-4 with a Reinforcement Learning Algorithm*, report for the course
# AE4350, TU Delft, 2024: "the report" in this notebook. L. Kocsis and C. Szepesvári, [*Bandit Based Monte-Carlo
# Planning*](https://doi.org/10.1007/11871842_29), ECML 2006, on the search. J. D. Allen, [*The Complete Book of Connect
# 4*](https://www.worldcat.org/isbn/9781402756214), Puzzlewright, 2010, and V. Allis, [*A Knowledge-based Approach of
# Connect-Four*](http://www.informatik.uni-trier.de/~fernau/DSL0607/Masterthesis-Viergewinnt.pdf), M.Sc. thesis, Vrije
# Universiteit Amsterdam, 1988, on the game. M. Rocklin, [*Dask: Parallel Computation with Blocked Algorithms and Task
# Scheduling*](https://doi.org/10.25080/Majora-7b98e3ed-013), SciPy 2015, on the cluster.
#
# `python -m experiments TABLE` makes the long tables; run it in the folder of the project. `--list` names the tables. It keeps
# each finished game in `experiments/games`, so an interrupted run resumes where it stopped, and the table with its
# settings in `experiments/results`. The cells here read these files. Where one is missing, a sentence says how
# to make it.


# by Rules · the package, and the game
import math
import os
import sys
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

NEAR = [Path(os.environ.get("JPY_SESSION_NAME", "here")).resolve(), Path("here").resolve()]
ABOVE = [folder / "export" for place in NEAR for folder in place.parents]  # of this notebook
FOLDER = next((each for each in ABOVE if (each / "five_in_a_row").is_dir()), Path("export"))
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

import five_in_a_row as five
from five_in_a_row.connect_four import (
    column_name,
    drop,
    four_game,
    four_rules,
    four_uct,
    random_game,
)


# *by Search*
#
# ## 1. The agent of the report
#
# The report's agent is plain UCT with exploration constant $c = \sqrt{2}$. It plays the most visited column and reuses
# its tree: after its move and the reply, the subtree below them is kept. Draws count ½ here, as everywhere in these
# notebooks. What the report gets wrong can be swapped in: `search` is the loop with its rewards, `kernels` the game as
# the loop knows it, and agents that are given the same `Memory` share one tree. [Section
# 2](#2.-As-printed,-and-corrected) tries both. `reuse=False` forgets the tree after each move.
#
# The report shows three games as figures: its agent wins two against a person and loses one to a perfect solver. The
# text does not give their moves, so they cannot be shown here. You can play the search [as
# text](connect_four.ipynb#As-text), and it meets perfect play [from either seat](connect_four.ipynb#From-either-seat).


# by Search · the report's agent
import threading

REPORT = five.search.SearchOptions(c_uct=math.sqrt(2), solve=False)


class Memory(threading.local):
    """The tree of an agent, or of several that share it; each thread has its own."""

    tree = None

    def __reduce__(self):
        """Let agents that share a tree travel to another process, without the tree."""
        return Memory, ()


# by Search · the agent itself
class Agent:
    """UCT that keeps its tree; called with a game and a seed it returns a SearchResult.

    simulations, seconds   the budget of a move; neither: one second
    kernels   a function that returns the game as the search knows it
    reuse     False: every position is searched anew
    memory    where the tree is kept; None: in a Memory of its own
    """

    search = staticmethod(five.search.compiled_search)  # search(kernels): the compiled loop

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        *,
        options: five.search.SearchOptions = REPORT,
        kernels=four_game,
        reuse: bool = True,
        memory: Memory | None = None,
    ):
        five.search.check_budget(seconds, simulations), five.search.check_options(options)
        five.core.check_switch("reuse", reuse), five.core.check_functions(kernels=kernels)
        self.simulations, self.seconds, self.options = simulations, seconds, options
        self.kernels, self.reuse = kernels, reuse
        self.memory = memory or Memory()

    def __call__(
        self, game: five.core.Game, seed: int | None = None
    ) -> five.core.SearchResult:
        five.core.check_unfinished(game)
        options = self.options if seed is None else self.options._replace(seed=seed)
        budget = five.search.check_budget(self.seconds, self.simulations)
        tree = self.memory.tree
        if self.reuse and tree is not None and tree.leads_to(game):
            tree = five.search.advance_root(tree, game, options, budget)
        else:
            kernels = self.kernels(game.rules.height, game.rules.size)
            tree = five.search.Tree(game, kernels, options, budget.records())
        tree._search = self.search(tree.kernels)
        done, took = self.run_budget(tree, budget)
        self.memory.tree = tree
        return five.search.read_tree(tree, done, took)

    def run_budget(
        self, tree: five.search.Tree, budget: five.search.Budget
    ) -> tuple[int, float]:
        """Search; return (simulations, seconds)."""
        return five.search.run_budget(tree, budget)


# *by Experiments*
#
# `five.strength.play_match` keeps a row for each game. Here every move gets a row too: `Noted` stands between the
# match and a player and records the column, simulations and seconds of each move.


# by Experiments · note every move of a player
import time


class Noted:
    """A player that does what another does, and notes its moves in `rows`."""

    def __init__(self, name: str, player, rows: list[dict]):
        self.name, self.player, self.rows = name, player, rows
        self.rest = getattr(player, "rest", lambda: None)  # see five.strength.Pondering

    def __call__(self, game: five.core.Game, seed: int | None = None):
        begun = time.perf_counter()
        answer = self.player(game, seed)
        seconds = time.perf_counter() - begun
        point = five.core.to_point(getattr(answer, "move", answer), game.rules)
        self.rows.append(
            {
                "ply": len(game.played) + 1,
                "agent": self.name,
                "column": column_name(point % game.rules.size),
                "simulations": getattr(answer, "simulations", None),
                "seconds": round(seconds, 6),
            }
        )
        return answer


# *by Experiments*
#
# A run is a number of games between two agents, who take turns to move first. It gives three tables: games,
# moves, settings. A name that a spreadsheet would take for a formula raises an error.


# by Experiments · the columns of the three tables
import re

RUN_TYPES = {  # the columns of each table and their types
    "games": {
        **{"run": "int64", "game": "int64", "first": "str", "second": "str"},
        **{"winner": "str", "plies": "int64", "columns": "str"},
        **{"simulations a": "Int64", "simulations b": "Int64"},
        **{"seconds a": "float64", "seconds b": "float64"},
    },
    "moves": {
        **{"run": "int64", "game": "int64", "ply": "int64", "agent": "str"},
        **{"column": "str", "simulations": "Int64", "seconds": "float64"},
    },
    "settings": {
        **{"run": "int64", "date": "str", "a": "str", "b": "str", "games": "int64"},
        **{"rules": "str", "seed": "str", "player a": "str", "player b": "str"},
    },
}


def typed_tables(tables: dict) -> dict:
    """Return the three tables with exactly our columns, each of its type."""
    return {name: tables[name][list(types)].astype(types) for name, types in RUN_TYPES.items()}


# by Experiments · games with all their moves, as three tables
def record_run(a, b, games=2, seed=0, names=("a", "b"), rules=four_rules()) -> dict:
    """Play games and return {"games", "moves", "settings": a pandas table}, as run 1.

    a, b    players, or functions that make one for each game; they move first in turn
    names   how they are called in `settings`; in the other tables they are a and b
    Raises ValueError for a name that does not begin with a letter or has unprintable signs.
    """
    import pandas as pd

    games = five.core.check_number("games", games, 1, 10**6, whole=True)
    five.strength.check_match({"a": a, "b": b}, seed, jobs=1, path=None, progress=False)
    if not isinstance(names, tuple | list) or len(names) != 2:
        raise ValueError(f"names must be two, not {five.core.quoted(names)}")
    for name in map(str, names):
        if not (re.match(r"[^\W\d_]", name) and name.isprintable()):
            raise ValueError(f"a name begins with a letter and is one line, unlike {name!r}")
    found, moves = [], []
    for number in range(games):
        rows: list[dict] = []
        pair = [
            (n, Noted(n, five.strength.fresh_player(p), rows)) for n, p in (("a", a), ("b", b))
        ]
        first, second = pair if number % 2 == 0 else pair[::-1]
        seeds = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(rules.points)
        row = five.strength.match_game(
            {five.core.BLACK: first, five.core.WHITE: second}, rules, "", seeds
        )
        row |= {"first": first[0], "second": second[0], "run": 1, "game": number + 1}
        found.append(row | {"columns": " ".join(move["column"] for move in rows)})
        moves += [{"run": 1, "game": number + 1, **move} for move in rows]
    about = {"run": 1, "date": time.strftime("%Y-%m-%d %H:%M"), "games": games, "seed": seed}
    about |= {"a": names[0], "b": names[1], "rules": str(rules)}
    about |= {"player a": five.strength.describe(five.strength.fresh_player(a))}
    about |= {"player b": five.strength.describe(five.strength.fresh_player(b))}
    return typed_tables(
        {
            "games": pd.DataFrame(found),
            "moves": pd.DataFrame(moves),
            "settings": pd.DataFrame([about]),
        }
    )


# *by Experiments*
#
# A run is kept in an Excel workbook, a sheet for each table, or as three CSV files. A file is
# checked as it is read: if its sheets, columns or types differ, it is not ours, and it is left
# untouched. Of the CSV files `settings` is written last, so a run that is missing
# there was never finished, and is left out.


# by Experiments · read the runs of a file
import zipfile


def run_files(path: Path) -> dict:
    """Return {table: the file that holds it}; ValueError unless it is .xlsx or .csv."""
    if path.suffix not in (".xlsx", ".csv"):
        raise ValueError(f"{path.name}: the name of a file of runs ends in .xlsx or .csv")
    if path.suffix == ".xlsx":
        return dict.fromkeys(RUN_TYPES, path)
    return {name: path.with_name(f"{path.stem}-{name}.csv") for name in RUN_TYPES}


# by Experiments · the runs that it holds
def read_runs(path: Path | str) -> dict | None:
    """Return the three tables of a workbook "x.xlsx", or of "x-games.csv" and so on: "x.csv".

    None if there is no such file; ValueError if there is one that holds something else.
    """
    import pandas as pd

    path = Path(path)
    files = run_files(path)
    texts = {
        name: str for types in RUN_TYPES.values() for name in types if types[name] == "str"
    }
    how = dict(dtype=texts, keep_default_na=False, na_values=[""])
    try:
        if path.suffix == ".xlsx":
            tables = pd.read_excel(path, sheet_name=None, engine="openpyxl", **how)
        else:
            tables = {name: pd.read_csv(file, **how) for name, file in files.items()}
        if list(tables) != list(RUN_TYPES):
            raise ValueError(f"its sheets are {list(tables)}, not {list(RUN_TYPES)}")
        for name, types in RUN_TYPES.items():
            if list(tables[name]) != list(types):
                raise ValueError(f"{name} has {list(tables[name])}, not {list(types)}")
        tables = typed_tables(tables)
    except FileNotFoundError:
        if any(file.exists() for file in files.values()):
            raise ValueError(f"{path.name}: one of its three files is missing") from None
        return None
    except (ValueError, TypeError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path.name} is not a file of runs: {error}") from error
    whole = tables["settings"].run
    return {name: table[table.run.isin(whole)] for name, table in tables.items()}


# *by Experiments*
#
# Appending reads what is there, adds the new run under the next number, writes a temporary file, and
# renames it. An interruption leaves the old file or the new one, never half of either. If another
# program has changed the file in the meantime, all of this is repeated with the new contents.


# by Experiments · add a run to a file
def keep_runs(path: Path | str, tables: dict) -> int:
    """Append a run to a workbook or to CSV files, see read_runs; return its number there.

    A workbook is written anew: colours, widths and charts that were added to it are lost.
    Raises ValueError if the file is not ours, OSError if it cannot be written; it is then
    as it was.
    """
    path = Path(path)
    files = run_files(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with five.game_file.one_at_a_time(path):
            before, old = stamps(files), read_runs(path)
        run = 1 if old is None else int(old["settings"].run.max()) + 1
        with five.files.temporary_files(files.values()) as new:
            written = {name: new[file] for name, file in files.items()}
            write_tables(joined(old, tables, run), written)
            with five.game_file.one_at_a_time(path):
                if stamps(files) == before:
                    for file, temporary in new.items():
                        five.files.put_in_place(temporary, file)
                    return run


# by Experiments · whole files or none
def stamps(files: dict) -> list:
    """Return a value for each file that changes when it is replaced; None without a file."""
    found = [file.stat() if file.exists() else None for file in files.values()]
    return [about and (about.st_ino, about.st_size, about.st_mtime_ns) for about in found]


def joined(old: dict | None, tables: dict, run: int) -> dict:
    """Return the tables of a run, under that number, below those that are there."""
    import pandas as pd

    new = {name: table.assign(run=run) for name, table in tables.items()}
    if old is not None:
        new = {name: pd.concat([old[name], new[name]]) for name in RUN_TYPES}
    return typed_tables(new)


def write_tables(tables: dict, files: dict) -> None:
    """Write each table into its file, all of them into one workbook if the files are one."""
    import pandas as pd

    if len(set(files.values())) > 1:
        for name, table in tables.items():
            table.to_csv(files[name], index=False, lineterminator="\n")
        return
    with files["games"].open("wb") as file, pd.ExcelWriter(file, engine="openpyxl") as book:
        for name, table in tables.items():
            table.to_excel(book, sheet_name=name, index=False)


# *by Search*
#
# ## 2. As printed, and corrected
#
# The report lets two equal agents play a hundred games at each of five times per move. It finds that the second
# player has a slight advantage and that "time does not seem to matter". Both are surprising: the first
# player wins with perfect play, and more simulations make most searches stronger. Its listing has two
# errors, and here they are, one at a time.


# *by Search*
#
# ### The reward that is always 1
#
# The report's state is an object, and playing a column *changes* it. So does a playout.
# Its loop, in outline: walk down to a leaf; play that state to the end; then credit the leaf with 0 if the winner is
# the side to move, else with 1; and so on up the path, alternately 1 and 0. After a draw every node above the leaf gets 0.


# *by Rules*
#
# The winner on a dict of points: only the four lines through the last stone are looked at.


# by Rules · the winner on a dict (row, column) -> colour
def plain_wins(board: dict, point: tuple, in_a_row: int) -> bool:
    """True if the stone on `point` is part of a winning line; looks at its four lines only."""
    row, col = point
    for d_row, d_col in five.core.DIRECTIONS:
        length = 1
        for sign in (1, -1):
            r, c = row + sign * d_row, col + sign * d_col
            while board.get((r, c)) == board[point]:
                length += 1
                r, c = r + sign * d_row, c + sign * d_col
        if length >= in_a_row:
            return True
    return False


# by Search · a state that changes when it is played on
import random


class State:
    """A position that changes as it is played, as the report's does."""

    def __init__(self, columns=()):
        self.board, self.heights = {}, [0] * 7  # (row, column): colour
        self.to_play, self.outcome = five.core.BLACK, None  # None: undecided; 0: draw
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


# by Search · a random game that changes the state
def roll_out(state: State, rng: random.Random) -> int:
    """Play a state to its end at random, which changes it; return the winner, or 0."""
    while state.outcome is None:
        state.play(rng.choice(state.columns()))
    return state.outcome


# *by Search*
#
# The test needs the side that was to move *at the leaf*. As printed it asks the state after the playout.
# The playout ended with the winner's stone, and the turn then passed to the loser. The side to move is
# never the winner, the test never holds, and the leaf is always credited 1. Corrected, the side is read first.


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


# *by Search*
#
# In the compiled search, which counts rewards in 64ths, that is one line: `backpropagate` is always given 64, a win for
# the player who moved into the leaf. A draw is another matter. The listing credits the leaf with 1 here too, but on the way
# up 1 and 0 no longer alternate: every node *above* the leaf gets 0. `printed_search` does both, just as printed. A leaf
# whose grid is full is a draw as well.


# by Search · a visit that brings no reward
@five.cache.jit
def add_visits(tree, path, depth):
    """Add a visit without any reward to every node on path[:depth + 1]."""
    for i in range(depth + 1):
        node = tree[path[i]]
        node.N += 1
        node.inv_sqrt = np.float32(1.0) / math.sqrt(np.float32(node.N))


# by Search · the report's rewards, as its listing credits them
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
                five.search.backpropagate(tree, workspace.path, depth, 64)
        return simulations

    return five.cache.compile_search(search, *game[1:])


class PrintedAgent(Agent):
    """The report's agent as its listing is printed."""

    search = staticmethod(printed_search)


# *by Search*
#
# For comparison there is a second version, **draws as wins**: there 1 and 0 alternate up the path after a draw too, as
# after any other playout. It takes two new kernels in the unchanged search. `rollout` says who has won, +1 for black
# and −1 for white; the misread one plays the game out and then names whoever moved into the leaf. Of the leaves counted
# above fewer than one in a hundred ended in a draw. But where a draw pays one of the two players, a search may seek
# draws; where it pays nobody above the leaf, it may avoid them. [The games below](#The-tables-beside-the-report's) show
# how often each version draws.


# by Search · draws as wins: the error as kernels
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


# *by Experiments*
#
# The empty grid, searched by both versions: each column's share of the visits.


# by Experiments · root visits with and without the error
VERSIONS = {"corrected": Agent, "as printed": PrintedAgent}


def root_shares(game: five.core.Game, counts, seed: int = 1) -> dict:
    """Return {(version, simulations): each column's share of the visits}, one search each."""
    found = {}
    for version, make in VERSIONS.items():
        for count in counts:
            visits = make(count)(game, seed).visits.sum(0)
            found[version, count] = visits / visits.sum()
    return found


# by Experiments · shares of the visits by column
def shares_figure(shares: dict):
    """Return a figure of root_shares: a row for each version, a panel for each count."""
    counts = list(dict.fromkeys(count for _, count in shares))
    figure = five.core.new_figure(2.4 * len(counts), 4.6)
    panels = figure.subplots(
        len(VERSIONS), len(counts), sharex=True, sharey=True, squeeze=False
    )
    for row, version in zip(panels, VERSIONS, strict=True):
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


# *by Experiments*
#
# A leaf is always a win for whoever moved into it: on odd levels for black, on even levels for white. So a column looks
# good or bad by the depth of its leaves alone. After $7 + 7^2 + 7^3 + 7^4$ simulations four levels are full and all
# columns have nearly the same visits. Then the first column to get a leaf on the fifth level is credited with it, is
# visited more, and grows deeper than the others. Which column that is depends on the seed.


# by Experiments · which column is the favourite, over many seeds
def favourites(simulations: int, seeds) -> dict:
    """Return {version: how often each column is the most visited of the empty grid}."""
    game, found = five.core.Game(four_rules()), {}
    for version, make in VERSIONS.items():
        agents = (make(simulations) for _ in seeds)
        moves = [agent(game, seed).move for agent, seed in zip(agents, seeds, strict=True)]
        found[version] = np.bincount(moves, minlength=game.rules.size)
    return found


# *by Experiments*
#
# Does it at least see what is near? `must_block` draws random positions in which the opponent threatens to make
# four in one column, and the mover cannot win at once. Only one column stops the four; `blocks` counts how often each
# version plays it. From a thousand simulations on both nearly always do. (Some of these positions are lost whatever is
# played.)


# by Experiments · one column must be played
def must_block(count: int, seed: int = 1) -> list[tuple]:
    """Return (game, point) of random positions in which that point stops the only four."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        game = random_game(int(rng.integers(6, 25)), rng)
        if not game.over and not five.search.winning_points(game, game.to_move):
            threats = five.search.winning_points(game, -game.to_move)
            if len(threats) == 1:
                found.append((game, threats[0]))
    return found


def blocks(make, simulations: int, positions) -> int:
    """Return in how many positions an agent, make(simulations), stops the four."""
    agents = (make(simulations) for _ in positions)
    moves = [agent(game, 1).move for agent, (game, _) in zip(agents, positions, strict=True)]
    return sum(move == point for move, (_, point) in zip(moves, positions, strict=True))


# *by Search*
#
# ### One tree for two
#
# The second error makes two agents more alike. Both search in one tree, so each begins with the visits that
# the other has left below the move that was played. A `Memory` given to both does the same here, and the
# cell after it counts these visits.


# by Search · two agents, one tree
def sharing(*agents: dict, make=Agent) -> list[Agent]:
    """Return an agent for each dict of arguments of `make`; all of them have one tree."""
    memory = Memory()
    return [make(**arguments, memory=memory) for arguments in agents]


# *by Experiments*
#
# ### What the errors cost
#
# Corrected against as printed; corrected against draws as wins; and an agent that keeps its tree against one that
# starts a new tree for each move: half of the games with each colour, from the empty grid. `python -m experiments
# printed-match report-printed` plays them. What counts as more or less than half is a [verdict of
# strength](strength.ipynb#Does-it-play-well?); the matches of a table form one family (Holm).


# by Experiments · the tables of long matches
HALF = {"better": "more than half", "worse": "less than half", "open": "inconclusive"}
SCORES = {name: f"scores {words}" for name, words in HALF.items()}
SCORES["open"] = "is inconclusive"


def score_said(row) -> str:
    """Return "0.62 (0.55 to 0.69)" for a row of a table of matches."""
    return f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})"


def scores_found(table) -> str:
    """Return whether a scores more than half in each match, as a sentence."""
    parts = [f"{row.a} against {row.b} {SCORES[row.verdict]}" for row in table.itertuples()]
    return "; ".join(parts).capitalize() + "."


# *by Experiments*
#
# What is thinking worth? Each version plays itself with a quarter of the simulations, at six budgets: with
# both errors, with each one alone, with neither, and with draws as wins. `python -m experiments printed-more report-more`
# plays these matches, the first table at four budgets and with fewer games. Each entry is the score of the many simulations
# with its interval; the [essay](#5.-Essay) plots them. *Own trees* means that each agent has a tree of its own.


# by Experiments · the score of four times the simulations
def more_table():
    """Return the tables printed-more and report-more as one; None without either."""
    import pandas as pd

    tables = [five.strength.stored_results(name) for name in ("printed-more", "report-more")]
    tables = [table for table in tables if table is not None]
    return pd.concat(tables, ignore_index=True) if tables else None


def more_rows(table) -> dict:
    """Return {"many v few": {version: score with its interval}} of the table more_table()."""
    rows: dict = {}
    for row in table.itertuples():
        rows.setdefault(f"{row.many:,} v {row.few:,}", {})[row.version] = score_said(row)
    return rows


# *by Experiments*
#
# A few games of the same kind, played here.


# *by Experiments*
#
# ## 3. Tables 3.1 and 3.2 again
#
# The report gives both agents the same time, 1 to 60 seconds, and counts how often the first player wins; then 1
# second plays 5. What a second is worth depends on the machine and on the code, so here the agents get the
# *simulations* that the report states. Two questions: does the first player win more, and does more thinking pay?


# *by Experiments*
#
# What the report prints: seconds, mean simulations per move, and how many of 100 games each side won. It does not list
# draws.


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


# *by Search*
#
# ### Simulations by position
#
# The report asks, as future work, for time by position or by confidence. `five.strength.adaptive_time` is the rule of the main
# notebook: stop when the second move can no longer catch up with the first; where the two are close at
# the end, go on, for up to twice the budget. It counts in any unit; here in simulations, so that games can be repeated.


# by Search · an agent that thinks longer where it is in doubt
class AdaptiveAgent(Agent):
    """An Agent that takes fewer simulations where the move is clear, up to twice where not.

    It looks whether the move is clear twenty times in `simulations`.
    """

    def run_budget(
        self, tree: five.search.Tree, budget: five.search.Budget
    ) -> tuple[int, float]:
        """Search in parts; return (simulations, seconds)."""
        usual = self.simulations
        done, took, most, part = 0, 0.0, usual, -(-usual // 20)
        while done < most:
            wanted = min(part, int(most) - done)
            made, seconds = five.search.run_budget(tree, budget._replace(simulations=wanted))
            done, took = done + made, took + seconds
            if made < wanted:  # the root is decided
                break
            most = five.strength.adaptive_time(tree, usual, done, 1)
        return done, took


# *by Experiments*
#
# ### The tables beside the report's
#
# `python -m experiments TABLE` plays them, a table for each row: `report-…` corrected and with draws as wins, `printed-…` as
# printed, which was played only where that takes minutes. An interrupted table resumes where it stopped; `--list` names them.
# Score and interval are the first player's; a draw counts ½.


# by Experiments · the tables that are there
TESTED = ("as printed", "draws as wins", "corrected")


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
                new = {row.version: row for row in mine.itertuples()}
                found[counts] = found.get(counts, {}) | new
    return found


def told_from_half(found: dict) -> dict:
    """Return {(counts, version): verdict} of all rows of repeated(), one family."""
    rows = {(c, name): row for c, mine in found.items() for name, row in mine.items()}
    results = [(row.won, row.lost) for row in rows.values()]
    return dict(zip(rows, five.strength.verdicts(results), strict=True))


# by Experiments · what is missing, and scores, in words
def missing_words(found: dict) -> str:
    """Return which command makes the tables that are not there."""
    names = dict.fromkeys(table_name(r.counts) for r in REPORTED if r.counts not in found)
    if not names:
        return "All rows of the report have been played."
    return f"Not played yet: python -m experiments {' '.join(names)}"


def counts_words(counts: tuple[int, int]) -> str:
    """Return "8,700 v 8,700" for the simulations of first and second player."""
    return f"{counts[0]:,} v {counts[1]:,}"


def score_words(row) -> str:
    """Return the first player's score with its interval, and the result it comes from."""
    return f"{score_said(row)}, {row.won}–{row.drawn}–{row.lost}"


# *by Experiments*
#
# The same as a figure: a row for each line of the report's tables, a marker for each version. `LOOK` gives each version
# one marker and one colour in all figures.


# by Experiments · the first player's score, three times
LOOK = {  # the marker and the colour of each version
    "report": ("s", "0.45"),
    "as printed": ("^", "tab:orange"),
    "reward error only": ("P", "tab:red"),
    "draws as wins": ("v", "tab:brown"),
    "draws as wins own trees": ("X", "tab:green"),
    "shared tree only": ("D", "tab:purple"),
    "corrected": ("o", "tab:blue"),
}


def repeated_figure(found: dict):
    """Return a figure of the first player's score in the report and in our games."""
    figure = five.core.new_figure(8.6, 4.2)
    ax = figure.subplots()
    ax.axvline(0.5, color="0.7", linewidth=1)
    places = dict(zip(("report", *TESTED), (0.27, 0.09, -0.09, -0.27), strict=True))
    points: dict = {version: [] for version in places}
    for place, row in enumerate(reversed(REPORTED), 1):
        score = row.wins[0] / sum(row.wins)
        low, high = five.strength.wilson(row.wins[0], sum(row.wins))
        points["report"].append((place + places["report"], score, low, high))
        for version, ours in found.get(row.counts, {}).items():
            y = place + places[version]
            points[version].append((y, ours.score, ours.low, ours.high))
    for version in (name for name in places if points[name]):
        y, x, low, high = np.array(points[version]).T
        mark, colour = LOOK[version]
        how = dict(fmt=mark, color=colour, label=version, capsize=3)
        ax.errorbar(x, y, xerr=[x - low, high - x], **how)
    ax.set_yticks(range(len(REPORTED), 0, -1), [counts_words(row.counts) for row in REPORTED])
    ax.set(xlabel="score of the first player", ylabel="simulations, first v second")
    ax.set(xlim=(0, 1), ylim=(0.5, len(REPORTED) + 0.5))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", fontsize=8, frameon=False)
    return figure


# *by Experiments*
#
# The two questions, answered from the tables. Whether the first player's score differs from half is the verdict of strength
# again, all rows above in one family.


# by Experiments · the two questions
import textwrap


def first_words(found: dict, version: str) -> str:
    """Return how the first of two equal players scores, as a sentence."""
    rows = [(c, r[version]) for c, r in found.items() if c[0] == c[1] and version in r]
    if not rows:
        return f"{version}: not played yet."
    told = told_from_half(found)
    parts = [
        f"{c[0]:,} simulations {score_words(r)}: {HALF[told[c, version]]}" for c, r in rows
    ]
    return f"{version}, who moves first scores: {'; '.join(parts)}."


# by Experiments · does more thinking pay?
def more_words(found: dict, version: str) -> str:
    """Return how many simulations score against few, over both seats, as a sentence."""
    few, many = (12_600, 63_000)
    if version not in found.get((few, many), {}):
        return f"{version}, {many:,} simulations against {few:,}: not played yet."
    ahead, behind = found[many, few][version], found[few, many][version]
    games = ahead.games + behind.games
    won, lost = ahead.won + behind.lost, ahead.lost + behind.won
    drawn = games - won - lost
    low, high = five.strength.score_interval(won, drawn, lost)
    (told,) = five.strength.verdicts([(won, lost)])
    return (
        f"{version}, {many:,} simulations score {(won + drawn / 2) / games:.2f} ({low:.2f} to "
        f"{high:.2f}) against {few:,} in {games} games: {HALF[told]}."
    )


# *by Experiments*
#
# And the draws? The report lists none. As printed and with draws as wins the programs differ only in what a drawn
# playout pays above its leaf, so drawn games may tell them apart. In the matches of many against few they do: as
# printed the share is smallest, with draws as wins it is largest, and corrected it lies between. In the report's own
# pairings the intervals overlap.


# *by Experiments*
#
# How different are these games? The table shows the most frequent first five stones, in how many games they were
# played, and how many different openings there were. As printed nearly every game has an opening of its own. The
# corrected search plays the same few openings again and again. Every game has its own seed, so the intervals
# above are valid for the scores of two such agents from the empty grid. For the corrected search they do not carry over to
# other openings, since nearly all of its games begin in one of a few ways. One of these is d1 d2 d3 d4, where only d5 still
# wins, as the [solver](connect_four.ipynb#3.-Against-perfect-play) finds. That a position is won for the first player says
# little about how imperfect players fare in it.


# *by Experiments*
#
# Last, adaptive time, counted in simulations, against a fixed number chosen to come to about the same total; the table
# gives what each side used.


# *by Experiments*
#
# ## 4. Scale
#
# One match may take hours. Its games are independent, so they can be played at the
# same time: in threads of this process, or in many processes on many machines. `five.strength.play_match` leaves
# that to [joblib](https://joblib.readthedocs.io).


# *by Experiments*
#
# ### In threads
#
# `jobs` games are played at once. The kernels release Python's lock, so threads can search side by side. Every
# game draws its seeds from the seed of the match and its own number; which thread plays it, and when, changes
# only the seconds. `results_of` drops these from the table. `progress=True` shows a bar.


# by Experiments · what must not depend on who plays the games
def results_of(table):
    """Return the table of a match without its seconds."""
    return table.drop(columns=["seconds a", "seconds b"])


# *by Experiments*
#
# ### Stopped, and resumed
#
# With `path=…` every finished game becomes a line of a file, and a game that is there is not played again.
# So an interruption loses only the games under way. `stoppable` lets us test that: after a set number of moves its player does
# what the stop button does.


# by Experiments · a player that is stopped
def stoppable(player, moves: list[float]):
    """Return the player, but after moves[0] more moves it raises KeyboardInterrupt."""

    def play(game: five.core.Game, seed: int | None = None):
        moves[0] -= 1
        if moves[0] < 0:
            raise KeyboardInterrupt
        return player(game, seed)

    return play


# *by Experiments*
#
# ### On a cluster
#
# On a **Dask** cluster (Rocklin, 2015) the call stays the same; it only moves into a `with` block:
#
# ```python
# import joblib
# from five_in_a_row.connect_four import four_uct
# from distributed import Client
#
# with Client("tcp://127.0.0.1:8786"), joblib.parallel_config(backend="dask"):
#     table = five.strength.play_match(four_uct(1_000), four_uct(200), rules=four_rules(), path="match.csv")
# ```
#
# Two commands start the cluster, each in a terminal of its own. Both listen to this machine only, status pages
# included:
#
# ```sh
# PYTHONPATH=export dask scheduler --host 127.0.0.1 --dashboard-address 127.0.0.1:8787
# PYTHONPATH=export dask worker tcp://127.0.0.1:8786 --host 127.0.0.1 --dashboard-address 127.0.0.1:0 --nworkers auto --nthreads 1
# ```
#
# **Other machines join in a trusted network only.** A scheduler runs whatever it is sent and asks nobody
# who they are, so whoever reaches its port has a shell there. Give `--host` the address of a machine in
# that network, in place of `127.0.0.1`, and let [TLS](https://distributed.dask.org/en/stable/tls.html) admit
# no one else: scheduler and workers take `--tls-ca-file`, `--tls-cert` and `--tls-key`, the client a
# `Security` object. Every machine needs the packages of `requirements.txt`. All workers play, so `jobs`
# has no effect; the file and the progress bar stay here.
#
# A player is sent as the name of its module and its settings, such as a budget; a compiled kernel is never
# sent. So players must come from a module that every machine can import, as `four_uct` does: the cells of a
# notebook are unknown there, and a match between players made from them would wait forever.


# *by Experiments*
#
# ### What it brings
#
# Games per second by `jobs`, and as a multiple of those of one job: below 1, more threads made it slower. Between the
# kernels Python makes trees and reads them, one thread at a time: the shorter the searches, the less a second thread
# can bring, and more jobs than free cores bring nothing. The processes of a cluster do not wait for each other. The
# sentence below the table is of this run.


# by Experiments · games per second
def games_a_second(players, jobs, games: int, rounds: int) -> dict[int, float]:
    """Return {jobs: games of Connect-4 a second}, by the median of rounds played in turn."""
    rates: dict[int, list[float]] = {number: [] for number in jobs}
    for seed in range(rounds):
        for number in jobs:
            begun = time.perf_counter()
            five.strength.play_match(*players, games, four_rules(), seed=seed, jobs=number)
            rates[number].append(games / (time.perf_counter() - begun))
    return {number: float(np.median(found)) for number, found in rates.items()}


# *by Experiments*
#
# ## 5. Essay
#
# ### One line, one tree, no interval
#
# **What the report says.** A student (Paraschiv, 2024) builds Monte Carlo Tree Search for Connect-4, plays against it,
# and loses. So the program works. Then two copies of it play each other, a hundred games at each of five times per
# move, and at four of the five the second player wins a little more often. Then one copy gets a second and the other
# five, and the one that thinks less seems no worse off. The report concludes that whoever moves second has a slight
# advantage, and that time does not seem to matter.
#
# **What is known.** Connect-4 was solved in 1988. The first player wins by beginning in the middle (Allis, 1988). And in
# the limit a search of this kind finds the best move (Kocsis and Szepesvári, 2006). Neither result
# says how two equal and imperfect players fare against each other. But that five times the simulations bring
# *nothing* would be strange, and what is strange shows where to look.
#
# **First look: the numbers.** A hundred games say little. The cell below adds up all games of two equal players and
# gives the interval, as [section 3](#3.-Tables-3.1-and-3.2-again) did for each row. It contains ½: the table does not
# show that the second player has an advantage, nor that there is none. The games of five seconds against one are
# another matter. Their interval, too, contains ½. But it lies below every score that more simulations bring the
# corrected search in [section 2](#2.-As-printed,-and-corrected). A hundred games cannot carry the first finding. The
# second one points to the program.


# *by Experiments*
#
# **Second look: the line.** Four things happen in a simulation: select, expand, simulate, backpropagate. In the last one
# the program asks who has won, and whether that is the side to move at the leaf. The report plays the
# game out *on the leaf's own state*, and asks afterwards. In outline, with our names:
#
# ```python
# outcome = roll_out(state)                       # plays the state to its end
# reward = 0 if outcome == state.to_play else 1   # whose turn is it now?
# ```
#
# Each line is right by itself. Their order is not. A game ends with the winner's stone; then the turn passes to the
# loser, as after any other stone. So `to_play` is never the winner, the comparison never holds, and the reward is
# always 1. [Section 2](#2.-As-printed,-and-corrected) counts it over thousands of leaves, without one exception. Ask
# for the side to move a line earlier, before the playout, and this error is gone.
#
# **What a search does that is always told "won".** It does not play at random. A decided position is a leaf for ever,
# at any depth: each visit to a column that wins at once brings 1, and nothing that the opponent does can spoil it. So
# wins and blocks are found by the tree alone, where the tree reaches them in time. A person who loses to such a program
# sees skill. Everything else is judged by the depth of the leaves, odd or even; the playouts, for all their number, say
# nothing. The figure in [section 2](#2.-As-printed,-and-corrected) shows where that leads on the empty grid: the
# corrected search finds the middle and stays with it; the other one has a favourite too, but which one depends on the
# seed, as the table below that figure shows.
#
# **Third look: the tree.** Two agents, one tree. An agent may well keep its own tree: the matches of [section
# 2](#2.-As-printed,-and-corrected) show no difference from a new one for each move. But a tree shared by two opponents
# hands a part of the stronger one's work to the weaker: whoever has few simulations finds what the many have left below
# the move that was played. The same section counts these visits.
#
# **Taken apart.** Each error can be switched on alone. In the figure, many simulations meet a quarter of them, at six
# budgets: with both errors, with each one, with neither. *Draws as wins* has both errors too, and differs from the
# listing in what a drawn random game pays above its leaf.


# *by Experiments*
#
# The figure draws the last table of [section 2](#2.-As-printed,-and-corrected); the markers of a budget stand side by side.


# by Experiments · what more simulations are worth, by error
def thinking_figure(table):
    """Return a figure of more_table: score of the many simulations, a line a version."""
    figure = five.core.new_figure(8.6, 4.2)
    ax = figure.subplots()
    ax.axhline(0.5, color="0.6", linewidth=1)
    groups = list(table.groupby("version", sort=False))
    for number, (version, rows) in enumerate(groups):
        place = rows.many * 1.05 ** (number - (len(groups) - 1) / 2)  # side by side
        error = [rows.score - rows.low, rows.high - rows.score]
        mark, colour = LOOK[version]
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


# by Experiments · the same in a sentence
def thinking_words(table) -> str:
    """Return at which budgets more thinking pays or harms each version, in sentences."""
    said = []
    for version, rows in table.groupby("version", sort=False):
        verdicts: dict = {}
        for row in rows.itertuples():
            verdicts.setdefault(HALF[row.verdict], []).append(f"{row.many:,}")
        parts = [f"{words} at {', '.join(counts)}" for words, counts in verdicts.items()]
        if len(verdicts) == 1:
            parts = [f"{words} at every budget" for words in verdicts]
        said.append(f"{version}: {'; '.join(parts)}.".capitalize())
    return " ".join(said)


# *by Experiments*
#
# Here is the answer. Without either error many simulations clearly beat a quarter of them, at each of the six budgets.
# The shared tree alone takes away a part of that gain. The misread reward alone, with draws as wins and own trees, is
# stranger: what such a search gains goes up and down. At one budget whoever thinks less wins more; at the largest
# whoever thinks more wins, and clearly. [Section 2](#2.-As-printed,-and-corrected) suggests why: the tree fills level
# by level, and each new level reverses what the last one seemed to say. We have not tested that explanation by itself.
#
# Both errors together come nearest to what the report saw: what the misread search could gain by thinking, the shared tree
# hands to the other side. How near to one half does that leave the score? The next cell lists every match of many
# simulations against few that has both errors.


# *by Experiments*
#
# With draws as wins, up to 16,000 simulations, the score of many against a quarter of them stays within a few
# hundredths of one half, except at the budget where thinking harms. Five times as many, 63,000 against 12,600, do score
# more than half there, though far less than the corrected search does. As printed we have played fewer games. Only at
# the budget where thinking harms does their interval exclude one half; in the report's own match, 63,000 against
# 12,600, it does not. "Time does not seem to matter": about the program as printed our games say no more than that.
#
# And the advantage of the second player? [Section 3](#3.-Tables-3.1-and-3.2-again) lets equal agents play many more
# games than the report did where that is cheap, and as many where each simulation counts.


# *by Experiments*
#
# With both errors, draws as wins, and few simulations the second player does score more, by a little. As printed we
# have played fewer games, and their interval contains ½. So the report may have been right about its program there, and
# its hundred games could not have shown it. Corrected, the first player is far ahead with few simulations, and far
# *behind* with many. We looked for an error behind that too, and found none. The corrected search begins d1 and answers
# d2 with d3; both keep the win. With many simulations it then gives the win away, most often by a stone in column g,
# and goes on to lose. "The first player wins" is true of perfect play. Of two equal and imperfect players it says
# nothing.
#
# **And the truth?** [connect_four](connect_four.ipynb#3.-Against-perfect-play) asks the harder question, how far all of
# this is from perfect play. There a solver tells what moves are worth, whatever the opponent makes of them. Its answer
# is sobering. It takes little to be right nearly always in random positions. But to win from the empty grid the first
# player must find one only move after another, and plain UCT fails at every budget that we tried. With more simulations
# it may even fail earlier. The same search with proofs, decisive moves and no gifts in playouts and tree wins nearly
# all its games, given the most simulations and the larger of two constants.
#
# **What would have found the errors?** Not more games, but three tests. *One*: of many random leaves, are some
# credited 0? *Two*: does a strong setting beat a weak one, clearly, at several budgets? A match like that is not an
# experiment but a test of the instrument. *Three*: is the answer right where it is known? On the
# empty grid the middle wins. And before any conclusion: what interval do a hundred games leave?
#
# **What we would not claim.** Our agent shares the report's rules, its constant, its number of simulations and its
# rewards, those of a draw too, but not its code or its random numbers. We repeat the two errors as we understand them
# from the listing; the report's own program was not run. Whether its results came from these errors alone, a table
# cannot say.
#
# One line, one shared object and no interval: each looks harmless. The numbers were honest, and the report drew
# from them what they seemed to say.
#
# *Read more:* L. Kocsis and C. Szepesvári, [*Bandit Based Monte-Carlo Planning*](https://doi.org/10.1007/11871842_29),
# ECML 2006; J. D. Allen, [*The Complete Book of Connect 4*](https://www.worldcat.org/isbn/9781402756214), 2010; V.
# Allis, [*A Knowledge-based Approach of
# Connect-Four*](http://www.informatik.uni-trier.de/~fernau/DSL0607/Masterthesis-Viergewinnt.pdf), 1988.

# Made from connect_four.ipynb by tools/build.py: change the notebook, not this file.


import dataclasses
import hashlib
import json
import lzma
import math
import sys
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import jit


# ---- 1. The game on two integers ------------------------------------------------------------


# by Rules · a grid, where its cells lie in an integer, and its rules



class Grid(NamedTuple):
    """A grid of cells; cell (row, col) is bit col * height + row, row 0 at the bottom."""

    rows: int = 6
    columns: int = 7

    @property
    def height(self) -> int:
        """Bits of a column, the spare one included."""
        return self.rows + 1

    @property
    def bottom(self) -> int:
        """The lowest cell of every column, one bit each."""
        return sum(1 << col * self.height for col in range(self.columns))

    @property
    def full(self) -> int:
        """All cells; the spare bits are not among them."""
        return self.bottom * ((1 << self.rows) - 1)


def four_rules(rows: int = 6, columns: int = 7) -> five.game.Rules:
    """Return the rules of Connect-4 on a grid. ValueError unless its bits fit into 63."""
    for name, value in (("rows", rows), ("columns", columns)):
        five.game.check_number(name, value, 3, 20, whole=True)
    rules = five.game.check_rules(five.game.Rules(columns, 4, rows=rows, gravity=True))
    bits = (rules.rows + 1) * rules.size
    if bits > 63:
        raise ValueError(
            f"{rows} rows and {columns} columns need {bits} bits: "
            f"(rows + 1) * columns must be at most 63"
        )
    return rules


# by Rules · four in a row, for all cells at once
@jit
def has_four(stones, height):
    """Return whether stones, int64 as in Grid, hold four in a row."""
    found = 0
    for step in (1, height - 1, height, height + 1):
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


def bits_of(position: five.game.Game) -> tuple[int, int]:
    """Return (own, both): the stones of the side to move, and all stones, as in Grid."""
    cells, height = position.array, position.rules.height + 1
    points = [
        (int(cells[row, col]), col * height + row) for row, col in np.ndindex(cells.shape)
    ]
    own = sum(1 << bit for cell, bit in points if cell == position.to_move)
    return own, sum(1 << bit for cell, bit in points if cell)


# by Rules · play a column
def column_name(column: int) -> str:
    """Return the letter of a column, a for 0."""
    return chr(ord("a") + column)


def open_columns(game: five.game.Game) -> dict[int, int]:
    """Return {column: the point where a stone would land} of what may be played."""
    return {point % game.rules.size: point for point in sorted(game.legal())}


def drop(game: five.game.Game, column: int | str) -> int:
    """Drop a stone into a column, "d" or 3, and return its point.

    Raises ValueError that names the column and those that may be played.
    """
    free = dict(sorted(open_columns(five.game.check_game(game)).items()))
    names, given = " ".join(map(column_name, free)), five.game.quoted(column)
    if game.over:
        raise ValueError(f"column {given} cannot be played: the game is over")
    text = column.strip().lower() if isinstance(column, str) else ""
    number = ord(text) - ord("a") if len(text) == 1 and text.isalpha() else column
    if not (five.game.is_whole(number) and 0 <= number < game.rules.size):
        raise ValueError(f"there is no column {given}: {names} may be played")
    if number not in free:
        raise ValueError(f"column {column_name(number)} is full: {names} may be played")
    return game.play(free[int(number)])


# by Search · the board of the search, with two integers more, its kernels and its moves
BIT_BOARD = np.dtype(
    [
        *((name, five.search.BOARD.fields[name][0]) for name in five.search.BOARD.names),
        ("own", np.int64),  # the stones of the side to move, as in Grid
        ("both", np.int64),  # all stones
    ],
    align=True,
)


@jit
def reset_four(workspace):
    """Make workspace.board a copy of workspace.root."""
    root, board = workspace.root, workspace.board
    board.own, board.both = root.own, root.both
    board.start = root.start


def build_board(grid: Grid):
    """Return (init_root, apply, terminal) of Connect-4 on a grid: see five.search.Kernels."""
    rows, columns, height, full = grid.rows, grid.columns, grid.height, grid.full

    @five.cache.inline_kernel
    def init_root(workspace):
        """Work out own and both of workspace.root from its rows of stones."""
        root = workspace.root
        mine, other = root.start, workspace.geo.half - root.start
        for bit in range(columns * height):
            col, row = divmod(bit, height)
            if row < rows:
                own = root.stones[mine + row] >> col & 1
                root.own |= own << bit
                root.both |= (own | root.stones[other + row] >> col & 1) << bit

    @five.cache.inline_kernel
    def apply(workspace, point):
        """Put the mover's stone on the point and pass the turn."""
        board = workspace.board
        row, col = divmod(point, columns)
        board.own ^= board.both  # the other side's stones
        board.both |= 1 << col * height + row
        board.start = workspace.geo.half - board.start

    @five.cache.inline_kernel
    def terminal(workspace, options):
        """Return WON if the last stone made four, DRAWN on a full grid, else OPEN."""
        board = workspace.board
        if has_four(board.own ^ board.both, height):
            return five.search.WON
        return five.search.DRAWN if board.both == full else five.search.OPEN

    return init_root, apply, terminal


def build_moves(grid: Grid):
    """Return the `legal` kernel: the free cells in random order, see five.search.Kernels."""
    columns, height, bottom, full = grid.columns, grid.height, grid.bottom, grid.full

    @five.cache.inline_kernel
    def legal(workspace, had, want, options):
        """Append up to `want` landing points to workspace.moves[:had]; return its length."""
        free, rest, left = workspace.board.both + bottom & full, workspace.scores, 0
        for i in range(had):
            row, col = divmod(np.int64(workspace.moves[i]), columns)
            free &= ~(1 << col * height + row)
        for col in range(columns):
            cell, row = free >> col * height & (1 << height) - 1, 0
            if cell:
                while cell > 1 << row:
                    row += 1
                rest[left] = row * columns + col
                left += 1
        stop = had + min(want, left)
        while had < stop:
            drawn = five.search.random_below(workspace, left)
            left -= 1
            workspace.moves[had], rest[drawn] = rest[drawn], rest[left]
            had += 1
        return had

    return legal


# by Search · simulate: drop stones at random to the end; select among few children
def build_drops(grid: Grid):
    """Return the rollout kernel of Connect-4 on a grid."""
    height, full, column = grid.height, grid.full, (1 << grid.rows) - 1
    columns, low = np.uint64(grid.columns), np.uint64(0xFFFFFFFF)

    @five.cache.inline_kernel
    def rollout(workspace):
        """Play random moves to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        board = workspace.board
        own, both, random = board.own, board.both, workspace.random
        colour = 1 if board.start == 0 else -1
        while both != full:
            random = random * five.search.MULTIPLIER + five.search.INCREMENT
            drawn = (random >> five.search.HALF) * columns
            for _ in range(3):
                place = np.int64(drawn >> five.search.HALF) * height
                stone = both + (1 << place) & column << place  # no bit where it is full
                own |= stone
                both |= stone
                if has_four(own, height):
                    workspace.random = random
                    return colour
                own ^= both if stone else 0
                colour = -colour if stone else colour
                drawn = (drawn & low) * columns
        workspace.random = random
        return 0

    return rollout


ROOT_LOGS = np.sqrt(np.log(np.maximum(1, np.arange(4096)))).astype(np.float32)


@jit
def quick_ucb(workspace, tree, node, untried, options):
    """Return the index of the child to visit, as ucb_kernel does; the first of equals."""
    if untried > 0:
        return untried
    first, visits = np.int64(tree[node].first_child), np.int64(tree[node].N)
    children = tree[first : first + tree[node].num_visited]
    root_log = np.float32(math.sqrt(math.log(visits)))
    if visits < ROOT_LOGS.size:
        root_log = ROOT_LOGS[visits]
    exploration = np.float32(options.c_uct) * root_log
    unit, best, chosen = np.float32(1 / 64), np.float32(-1.0), -first
    for i in range(children.size):
        if options.solve and five.search.is_settled(children[i].status, visits):
            continue
        r = children[i].inv_sqrt
        score = r * (unit * np.float32(children[i].W64) * r + exploration)
        better = score > best
        best = score if better else best
        chosen = i if better else chosen
    return first + chosen


# by Search · Connect-4 for the search
@lru_cache
def four_game(rows: int = 6, columns: int = 7) -> five.search.Kernels:
    """Return the kernels of Connect-4 on a grid, with every free column as a child."""
    four_rules(rows, columns)
    grid = Grid(rows, columns)
    init_root, apply, terminal = build_board(grid)
    return five.search.Kernels(
        BIT_BOARD,
        reset_four,
        apply,
        terminal,
        five.search.mover,
        build_moves(grid),
        build_drops(grid),
        batch=3,
        init_root=init_root,
        select=quick_ucb,
    )


def four_kernels(rules: five.game.Rules) -> five.search.Kernels:
    """Return the kernels of Connect-4 on the grid of these rules."""
    return four_game(rules.height, rules.size)


class FourUCT(five.mcts.SearchPlayer):
    """UCT on Connect-4, which searches each position anew; options=None: plain UCT."""

    name = "plain UCT"

    def __init__(self, *, seconds=None, simulations=None, options=None):
        super().__init__(seconds=seconds, simulations=simulations)
        self.options = five.search.SearchOptions(solve=False)
        if options is not None:
            self.options = five.search.check_options(options)
            self.settings["options"] = options

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what UCT finds."""
        return five.search.search_once(game, four_kernels, self.options, **asked)


# ---- How often is a move right? -------------------------------------------------------------


# by Experiments · shares of right moves, with their intervals, and their figure
def right_shares(table, by: list[str]):
    """Return the share of right moves where there is a choice, with its interval.

    by   columns of the table: there is a row for each of their values
    """
    counts = ["kept with a choice", "choices"]
    sums = table[table.choices > 0].groupby(by, sort=False)[counts].sum().reset_index()
    found = [five.strength.wilson(right, number) for right, number in sums[counts].to_numpy()]
    low, high = zip(*found, strict=True)
    return sums.assign(share=sums[counts[0]] / sums[counts[1]], low=low, high=high)


def right_figure(table, together: int = 3):
    """Return a figure of connect-optimal: right moves by simulations, wrong ones by stones.

    together   plies that are pooled on the right, where the first agent plays with every
               second number of simulations
    """
    figure = five.figures.new_figure(9.6, 3.8)
    left, right = figure.subplots(1, 2)
    shares = right_shares(table, ["agent", "simulations"])
    for number, (agent, rows) in enumerate(shares.groupby("agent", sort=False)):
        error = [rows.share - rows.low, rows.high - rows.share]
        place = rows.simulations * 1.2**number  # side by side, not one over the other
        left.errorbar(place, rows.share, error, fmt="os"[number] + "-", capsize=3, label=agent)
    left.set(xscale="log", xlabel="simulations per move", ylabel="right moves (not from 0)")
    left.legend(frameon=False, loc="lower right")
    first = table[table.agent == table.agent.iloc[0]]
    middle = first.ply.min() + (first.ply - first.ply.min()) // together * together + 1
    shares = right_shares(first.assign(middle=middle), ["simulations", "middle"])
    for number, (budget, rows) in enumerate(list(shares.groupby("simulations"))[::2]):
        error = [rows.high - rows.share, rows.share - rows.low]
        style = {"fmt": "osv"[number] + "-", "markersize": 4, "linewidth": 1, "capsize": 2}
        place = rows.middle + 0.6 * (number - 1)
        right.errorbar(place, 1 - rows.share, error, label=f"{budget:,}", **style)
    right.set(xlabel="stones on the grid", ylabel="wrong moves of plain UCT", ylim=(0, None))
    right.legend(title="simulations per move", frameon=False, fontsize=8)
    for ax in (left, right):
        ax.spines[["top", "right"]].set_visible(False)
    return figure


# ---- Does it win the game that can be won? --------------------------------------------------


# by Experiments · games against perfect play, shown
def holding(row) -> tuple[list, list]:
    """Return (stones, share of a row's games in which the win is still held)."""
    lost = sorted(int(ply) for ply in str(row["slipped at"]).split() if ply != "nan")
    stones = range(0, 42)
    return list(stones), [1 - sum(p <= ply for p in lost) / row.games for ply in stones]


def held_rows(table) -> dict:
    """Return {heading: {simulations: games}}: win still held after so many stones, and won."""
    rows: dict = {}
    for _, row in table.iterrows():
        held = holding(row)[1]
        for stones in (1, 3, 5):
            words = f"{round(held[stones] * row.games)} of {row.games}"
            heading = f"held after {stones} stone{'s' * (stones > 1)}"
            rows.setdefault(heading, {})[f"{row.simulations:,}"] = words
        rows.setdefault("won", {})[f"{row.simulations:,}"] = f"{row.won}"
    return rows


def held_figure(table):
    """Return a figure of connect-perfect: where the first and the last agent lose the win."""
    figure = five.figures.new_figure(9.6, 3.8)
    agents = table.agent.iloc[[0, -1]]
    panels = figure.subplots(1, 2, sharey=True)
    for ax, agent in zip(panels, agents, strict=True):
        rows = table[table.agent == agent]
        for number, (_, row) in enumerate(rows.iterrows()):
            width = 0.9 * (len(rows) - number)  # lines that coincide are all visible
            style = {"color": f"C{number}", "linewidth": width, "where": "post"}
            ax.step(*holding(row), label=f"{row.simulations:,}", **style)
        ax.set(ylim=(-0.03, 1.03), xlabel="stones on the grid", title=agent)
        ax.legend(title="simulations per move", frameon=False, fontsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("share of games, win still held")
    return figure


def won_rows(table) -> dict:
    """Return {simulations: {agent, and its seat: games won with their interval}} of a table.

    With seats a star marks more than half of the games won, by Holm's rule over all rows;
    without, all games begin alike, and the words say how many are different.
    """
    sure = five.strength.verdicts(zip(table.won, table.games - table.won, strict=True))
    rows: dict = {}
    for (_, row), verdict in zip(table.iterrows(), sure, strict=True):
        words = f"{row.won} of {row.games}"
        if "seat" in table:
            who = f"{row.agent}, {row.seat} player"
            words += f" ({row.low:.0%} to {row.high:.0%})" + " *" * (verdict == "better")
        else:
            who, words = row.agent, f"{words} ({row['different games']} different)"
        rows.setdefault(f"{row.simulations:,} simulations", {})[who] = words
    return rows


# ---- 3. What does a longer search find? -----------------------------------------------------


# by Experiments · what searches of the empty grid think of its columns, as they grow
def first_values(constants, counts, seeds):
    """Return a table: for each c, seed, number of simulations and column its value.

    value    the mean reward of the first player
    visits   of the column
    played   whether the column is the most visited
    on_top   of the visits of d, the share in which the second stone is d2
    """
    import pandas as pd

    empty, rows = five.game.Game(four_rules()), []
    for c, seed in [(c, seed) for c in constants for seed in seeds]:
        options = five.search.SearchOptions(c_uct=c, solve=False, seed=seed)
        for count, tree, _ in five.strength.snapshots(empty, counts, four_game(), options):
            moves = {column_name(child.point): child for child in tree.root.children}
            most, middle = max(moves, key=lambda name: moves[name].N), moves["d"]
            d2 = sum(child.N for child in middle.children if child.point // 7 == 1)
            for name, child in moves.items():
                row = {"c": c, "seed": seed, "simulations": count, "column": name}
                row |= {"value": child.Q, "visits": child.N, "played": name == most}
                rows.append(row | {"on_top": d2 / middle.N})
    return pd.DataFrame(rows)


def first_shown(table, counts) -> dict:
    """Return {heading: {column of the grid: words}} of a table of first_values.

    For each number of simulations the mean value, and how many searches play the column; then
    its visits after the last number, in thousands, fewest to most of all searches.
    """
    shown = {}
    for count in counts:
        group = table[table.simulations == count]
        columns = group.groupby("column")
        means, played = columns.value.mean(), columns.played.sum()
        words = {name: f"{means[name]:.3f} ({played[name]})" for name in means.index}
        shown[f"{count:,}"] = words | {"d2, of d's visits": f"{group.on_top.mean():.0%}"}
    ends = (columns.visits.agg(["min", "max"]) / 1_000).itertuples()
    shown["thousand visits"] = {name: f"{low:.0f} to {high:.0f}" for name, low, high in ends}
    return shown


def fours_through(row: int, col: int, grid: Grid) -> int:
    """Return on how many lines of four a cell lies."""
    found = 0
    for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(4):
            ends = [(row + i * d_row, col + i * d_col) for i in (-back, 3 - back)]
            found += all(0 <= r < grid.rows and 0 <= c < grid.columns for r, c in ends)
    return found


# ---- Decisive moves and gifts ---------------------------------------------------------------


# by Search · where a stone would make four, and moves that do not lose at once
@jit
def threats_of(stones, height):
    """Return the cells where one more such stone makes four; taken cells are among them."""
    cells = 0
    for step in (1, height - 1, height, height + 1):
        before, after = (
            stones << step & stones << 2 * step,
            stones >> step & stones >> 2 * step,
        )
        cells |= before & (stones << 3 * step | stones >> step)
        cells |= after & (stones >> 3 * step | stones << step)
    return cells


@jit
def count_bits(cells):
    """Return how many bits are set; the compiler makes one instruction of the loop."""
    count = 0
    while cells:
        cells &= cells - 1
        count += 1
    return count


class Bounds(NamedTuple):
    """The numbers of a grid for the solver: those of Grid, and how many cells it has."""

    height: int
    columns: int
    cells: int
    bottom: int
    full: int
    even: int  # the cells of rows 2, 4, 6; 0 where the number of rows is odd


def bounds_of(rules: five.game.Rules) -> Bounds:
    """Return the numbers of the grid of these rules."""
    grid = Grid(rules.height, rules.size)
    even = sum(grid.bottom << row for row in range(1, grid.rows, 2))
    numbers = grid.height, grid.columns, rules.points, grid.bottom, grid.full
    return Bounds(*numbers, 0 if grid.rows % 2 else even)


@jit
def safe_moves(grid, own, both):
    """Return the cells that the mover may play without losing to the very next stone."""
    free = both + grid.bottom & grid.full
    danger = threats_of(both ^ own, grid.height) & grid.full & ~both
    forced = free & danger
    if forced:
        if forced & forced - 1:
            return 0
        free = forced
    return free & ~(danger >> 1)


# by Search · the candidate cells of a rule, and their letters
@jit
def candidate_cells(free, mine, theirs, decisive, wary):
    """Return those of the free cells that may be chosen; all of them if neither rule is on.

    free           where stones would land
    mine, theirs   where one more stone makes four, for the mover and the other side, see
                   threats_of; cells of the grid only
    decisive       take a win, else stop one. Source: Teytaud and Teytaud 2010
    wary           give no gift unless nothing else is left
    """
    if decisive and free & mine:
        return free & mine
    if decisive and free & theirs:
        return free & theirs
    calm = free & ~(theirs >> 1 & ~mine)
    return calm if wary and calm else free


def candidate_columns(game: five.game.Game, decisive: bool, wary: bool) -> str:
    """Return the letters of the columns that candidate_cells leaves."""
    grid, (own, both) = Grid(game.rules.height, game.rules.size), bits_of(game)
    mine, theirs = (threats_of(x, grid.height) & grid.full for x in (own, both ^ own))
    cells = candidate_cells(both + grid.bottom & grid.full, mine, theirs, decisive, wary)
    column = (1 << grid.height) - 1
    free = [col for col in range(grid.columns) if cells >> col * grid.height & column]
    return " ".join(map(column_name, free))


# ---- Each idea by name ----------------------------------------------------------------------


# by Search · simulate with open eyes, and expand: list the candidates only
def build_wise_drops(grid: Grid, decisive: bool, wary: bool):
    """Return a rollout kernel that draws among the cells of candidate_cells."""
    height, full, bottom = grid.height, grid.full, grid.bottom

    @five.cache.inline_kernel
    def rollout(workspace):
        """Play to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        board = workspace.board
        own, both, random = board.own, board.both, workspace.random
        colour = 1 if board.start == 0 else -1
        mine, theirs = threats_of(own, height) & full, threats_of(own ^ both, height) & full
        while both != full:
            cells = candidate_cells(both + bottom & full, mine, theirs, decisive, wary)
            random = random * five.search.MULTIPLIER + five.search.INCREMENT
            drawn = (random >> five.search.HALF) * np.uint64(
                count_bits(cells)
            ) >> five.search.HALF
            for _ in range(np.int64(drawn)):
                cells &= cells - 1
            stone = cells & -cells
            if stone & mine:
                workspace.random = random
                return colour
            own |= stone
            both |= stone
            mine, theirs = theirs, threats_of(own, height) & full
            own ^= both
            colour = -colour
        workspace.random = random
        return 0

    return rollout


def build_wise_moves(grid: Grid, decisive: bool, wary: bool):
    """Return a `legal` kernel of the cells of candidate_cells, see five.search.Kernels."""
    columns, height, full, bottom = grid.columns, grid.height, grid.full, grid.bottom
    every_move = build_moves(grid)

    @five.cache.inline_kernel
    def legal(workspace, had, want, options):
        """Append up to `want` of the cells to workspace.moves[:had]; return the new length."""
        board = workspace.board
        own, both = board.own, board.both
        mine, theirs = threats_of(own, height) & full, threats_of(own ^ both, height) & full
        cells = candidate_cells(both + bottom & full, mine, theirs, decisive, wary)
        kept = had
        for i in range(had, every_move(workspace, had, columns, options)):
            row, col = divmod(np.int64(workspace.moves[i]), columns)
            if kept < had + want and cells >> col * height + row & 1:
                workspace.moves[kept] = workspace.moves[i]
                kept += 1
        return kept

    return legal


# by Search · the ideas, alone and together, and the game with one
class Idea(NamedTuple):
    """What differs from UCT, c = 1; playouts, tree: (decisive, wary) of candidate_cells."""

    solve: bool = False
    playouts: tuple[bool, bool] = (False, False)
    tree: tuple[bool, bool] = (False, False)
    c: float = 1.0


PLAIN_UCT = "plain UCT"
IDEAS = {
    PLAIN_UCT: Idea(),
    "solver": Idea(solve=True),
    "decisive": Idea(playouts=(True, False)),
    "no gifts": Idea(playouts=(False, True)),
    "decisive and no gifts": Idea(playouts=(True, True)),
    "both in the tree": Idea(tree=(True, True)),
    **{f"c {c:.3g}": Idea(c=c) for c in (0.25, 0.5, math.sqrt(2), 2)},
    "all": Idea(True, (True, True), c=0.5),
    "all and in the tree": Idea(True, (True, True), (True, True), 0.5),
    "all, in the tree, c 1": Idea(True, (True, True), (True, True), 1.0),
}


def find_idea(name: str) -> Idea:
    """Return the idea of that name in IDEAS; ValueError for another."""
    if not isinstance(name, str) or name not in IDEAS:
        raise ValueError(f"no idea {five.game.quoted(name)}: there are {', '.join(IDEAS)}")
    return IDEAS[name]


@lru_cache
def wise_game(rows: int, columns: int, playouts: tuple, tree: tuple) -> five.search.Kernels:
    """Return the kernels of Connect-4 with these rules in the playouts and in the tree."""
    kernels, grid = four_game(rows, columns), Grid(rows, columns)
    if any(playouts):
        kernels = kernels._replace(rollout=build_wise_drops(grid, *playouts))
    if any(tree):
        kernels = kernels._replace(legal=build_wise_moves(grid, *tree))
    return kernels


def idea_parts(
    name: str, rules: five.game.Rules
) -> tuple[five.search.Kernels, five.search.SearchOptions]:
    """Return the kernels and the options of an idea on a grid."""
    idea = find_idea(name)
    kernels = wise_game(rules.height, rules.size, idea.playouts, idea.tree)
    return kernels, five.search.SearchOptions(c_uct=idea.c, solve=idea.solve)


# by Experiments · a search of a tree that the player makes, and an idea as a player
def search_planted(
    game: five.game.Game, plant, options: five.search.SearchOptions, *, seed=None, **budget
) -> five.mcts.SearchResult:
    """Return what a search finds with a fresh tree; seconds are processor time.

    plant     plant(game, options, budget) returns the tree
    budget    seconds and simulations
    """
    limits = five.search.check_budget(**budget, clock=time.thread_time)
    five.game.check_unfinished(game)
    own = options._replace(seed=options.seed if seed is None else seed)
    tree = plant(game, own, limits)
    return five.search.read_tree(tree, *five.search.run_budget(tree, limits))


class IdeaPlayer(five.mcts.SearchPlayer):
    """A search with an idea of IDEAS; seconds are processor time per move.

    Raises ValueError for an idea that is not in IDEAS, or a bad budget.
    """

    def __init__(self, idea: str, *, seconds=None, simulations=None):
        super().__init__(seconds=seconds, simulations=simulations)
        _, self.options = idea_parts(idea, four_rules())
        self.name = idea
        self.settings["idea"] = idea

    def search(self, game: five.game.Game, **asked) -> five.mcts.SearchResult:
        """Return what the search finds."""
        return search_planted(game, self.plant, self.options, **asked)

    def plant(self, game, options, budget) -> five.search.Tree:
        """Return a fresh tree."""
        kernels, _ = idea_parts(self.name, game.rules)
        return five.search.Tree(game, kernels, options, budget.records())


def idea_runs(simulations: int) -> dict:
    """Return {name of an idea: run} for five.strength.measure_rates, from the empty grid."""
    game = five.game.Game(four_rules())
    parts = {name: idea_parts(name, game.rules) for name in IDEAS}
    return {
        name: five.strength.compiled_run(*two, game, simulations)
        for name, two in parts.items()
    }


# ---- Do they hold the win? ------------------------------------------------------------------


# by Experiments · the stones that hold the win, and searches with an idea left out
NARROW_PATH = {"": "d", "d1 d2": "d", "d1 d2 d3 d4": "d", "d1 d2 d3 d4 d5 d6": "ce"}
ALL_IDEAS = IDEAS["all, in the tree, c 1"]
LEFT_OUT = {
    "all ideas, c = 1": ALL_IDEAS,
    "without proofs": ALL_IDEAS._replace(solve=False),
    "without decisive moves": ALL_IDEAS._replace(playouts=(False, True), tree=(False, True)),
    "gifts allowed": ALL_IDEAS._replace(playouts=(True, False), tree=(True, False)),
    "both rules in playouts only": ALL_IDEAS._replace(tree=(False, False)),
    "both rules in the tree only": ALL_IDEAS._replace(playouts=(False, False)),
    "all ideas, c = 0.5": ALL_IDEAS._replace(c=0.5),
    "plain UCT": Idea(c=0.5),
}


def path_rows(positions, ideas: dict[str, Idea], simulations: int, seeds) -> dict:
    """Return {number of the stone: {name: how many searches choose a stone that wins}}.

    positions   of NARROW_PATH
    """
    rows: dict = {}
    for moves in positions:
        game = five.game.Game.from_text(moves, rules=four_rules())
        held = rows.setdefault(f"stone {len(game.played) + 1}", {})
        for name, idea in ideas.items():
            options = five.search.SearchOptions(c_uct=idea.c, solve=idea.solve)
            kernels = wise_game(6, 7, idea.playouts, idea.tree)
            budget = five.search.check_budget(simulations=simulations)
            held[name] = 0
            for seed in seeds:
                own = options._replace(seed=seed)
                tree = five.search.Tree(game, kernels, own, budget.records())
                move = five.search.read_tree(tree, *five.search.run_budget(tree, budget)).move
                held[name] += column_name(move % game.rules.size) in NARROW_PATH[moves]
    return rows


# ---- 5. The perfect player ------------------------------------------------------------------


# by Search · the most threatening moves first, and what the other side gets by following
@jit
def column_at(columns, rank):
    """Return the column of a rank: the middle has rank columns - 1, an edge has rank 0."""
    from_middle = columns - 1 - rank
    step = (from_middle + 1) // 2
    return (columns - 1) // 2 + (step if from_middle % 2 else -step)


@jit
def sort_safe(grid, marks, own, both, safe):
    """Fill marks, int64[columns], with 64 * threats + rank of the safe moves; return how many.

    The highest mark comes first.
    """
    column, count = (1 << grid.height) - 1, 0
    for rank in range(grid.columns - 1, -1, -1):
        move = safe & column << column_at(grid.columns, rank) * grid.height
        if move == 0:
            continue
        threats = threats_of(own | move, grid.height) & grid.full & ~both
        mark, place = 64 * count_bits(threats) + rank, count
        while place > 0 and marks[place - 1] < mark:
            marks[place] = marks[place - 1]
            place -= 1
        marks[place] = mark
        count += 1
    return count


@jit
def follow_bound(grid, own, both, stones):
    """Return an upper bound of the mover's score if the other side only follows.

    grid.cells where following promises nothing. grid.even must not be 0.
    """
    empty, landing = grid.full & ~both, both + grid.bottom & grid.even
    reach, bound = own | empty & ~grid.even | landing, grid.cells
    if stones % 2 == 0:  # the second player follows
        if not has_four(reach, grid.height):
            theirs = own ^ both | empty & grid.even & ~landing
            bound = -1 if has_four(theirs, grid.height) else 0
        return bound
    threats = threats_of(own ^ both, grid.height) & empty & ~grid.even
    for col in range(grid.columns):
        column = (1 << grid.height) - 1 << col * grid.height
        cell = threats & column
        if cell and landing & column:
            cell &= -cell
            below = column & cell - 1
            mine = reach & ~column | own | below & empty & grid.even
            if not has_four(mine, grid.height):
                above = count_bits(column & grid.full) - count_bits(below | cell)
                bound = min(bound, -1 - above // 2)
    return bound


# by Search · what is remembered of a position, and asked before a move is tried
ENTRY = np.dtype(
    [("key", np.int64), ("low", np.int8), ("high", np.int8), ("left", np.int8)], align=True
)
SCATTER = 0x9E3779B97F4A7C1  # spreads neighbouring keys over the table


def empty_table(entries: int) -> np.ndarray:
    """Return a transposition table; ValueError unless `entries` is a power of two."""
    entries = five.game.check_number("entries", entries, 2, 1 << 30, whole=True)
    if entries & entries - 1:
        raise ValueError(f"entries must be a power of two, not {entries}")
    table = np.zeros(entries, ENTRY)
    table["key"] = -1
    return table


@jit
def place_of_key(table, key):
    """Return where a position is kept, or the first place where it may be."""
    place = (key * SCATTER >> 24) & table.size - 1
    if table[place].key != key and table[place ^ 1].key == key:
        return place ^ 1
    return place


@jit
def narrow(table, key, low, high):
    """Return (low, high) with what the table knows of a position."""
    entry = table[place_of_key(table, key)]
    if entry.key == key:
        return max(low, np.int64(entry.low)), min(high, np.int64(entry.high))
    return low, high


@jit
def keep_bound(table, key, left, low, high):
    """Write what is known of a position with so many cells left, and what was known of it."""
    place = place_of_key(table, key)
    if table[place].key != key and table[place].left > left:
        place ^= 1
    low, high = narrow(table, key, low, high)
    entry = table[place]
    entry.key, entry.low, entry.high, entry.left = key, low, high, left


@jit
def score_range(grid, table, own, both, stones, alpha):
    """Return (low, high) of the mover's score: by the cells left, by following, by the table.

    The table is not asked if the score cannot exceed alpha.
    """
    low, high = -((grid.cells - 2 - stones) // 2), (grid.cells - 1 - stones) // 2
    if grid.even and alpha >= -2:
        high = min(high, follow_bound(grid, own, both, stones))
        if high <= alpha:
            return low, high
    return narrow(table, own + both, low, high)


FEW_CELLS = 12  # with no more cells left a search is as quick


@jit
def tabled_moves(grid, table, own, both, safe, alpha, beta):
    """Return (moves that must be searched, the best that the table says of the others).

    As soon as one move is known to reach beta, it alone counts.
    """
    best, column = -grid.cells, (1 << grid.height) - 1
    for col in range(grid.columns):
        move = safe & column << col * grid.height
        if move:
            key = (own ^ both) + (both | move)
            low, high = narrow(table, key, -grid.cells, grid.cells)
            if -high >= beta:
                return 0, -high
            if -low <= alpha:
                best = max(best, -low)
                safe ^= move
    return safe, best


# by Search · alpha-beta with a table
@jit
def negamax(grid, table, marks, spent, own, both, stones, alpha, beta):
    """Return the score for the mover, exact if alpha < score < beta, else a bound of it.

    marks   int64[cells, columns]   room for the moves of each ply
    spent   int64[2]                positions searched, and how many may be: then it gives up
    The mover must not have a winning move. A result above the limit means nothing.
    """
    spent[0] += 1
    if spent[0] > spent[1]:
        return 0
    safe = safe_moves(grid, own, both)
    if safe == 0:
        return -((grid.cells - stones) // 2)
    if stones >= grid.cells - 2:
        return 0
    low, high = score_range(grid, table, own, both, stones, alpha)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    left, key = grid.cells - stones, own + both
    beta, best, column = min(beta, high), low, (1 << grid.height) - 1
    if left > FEW_CELLS:
        safe, known = tabled_moves(grid, table, own, both, safe, alpha, beta)
        best = max(best, known)
        if best >= beta:
            return best
    mine = marks[stones]
    for i in range(sort_safe(grid, mine, own, both, safe)):
        move = safe & column << column_at(grid.columns, mine[i] & 63) * grid.height
        floor = max(alpha, best)
        score = -negamax(
            grid, table, marks, spent, own ^ both, both | move, stones + 1, -beta, -floor
        )
        if spent[0] > spent[1]:
            return 0
        best = max(best, score)
        if best >= beta:
            keep_bound(table, key, left, best, high)
            return best
    keep_bound(table, key, left, low if best <= alpha else best, best)
    return best


# by Search · what is known of the first plies, and does a score exceed m?
EARLY = 12  # stones


def mirror_key(grid: Bounds, own: int, both: int) -> int:
    """Return the key of a position; its mirror image has the same."""
    key, column = own + both, (1 << grid.height) - 1
    parts = [key >> col * grid.height & column for col in range(grid.columns)]
    mirror = sum(part << col * grid.height for col, part in enumerate(reversed(parts)))
    return min(key, mirror)


def known_bounds(solver, own: int, both: int) -> tuple[int, int]:
    """Return (low, high) of the score for the mover, who can neither win nor must lose now."""
    left, found = solver.grid.cells - both.bit_count(), None
    if solver.early is not None and both.bit_count() <= EARLY:
        found = solver.early.get(mirror_key(solver.grid, own, both))
    return found or (-((left - 2) // 2), (left - 1) // 2)


def early_bound(solver, spent, own: int, both: int, m: int) -> int:
    """Return a bound of the score for the mover: a lower one above m, else an upper one.

    Arguments as for narrowed. A result above the limit means nothing, and is not kept.
    """
    stones, grid = both.bit_count(), solver.grid
    deep = partial(negamax, grid, solver.table, solver.marks, spent)
    if solver.early is None or stones > EARLY:
        return int(deep(own, both, stones, m, m + 1))
    if not (safe := int(safe_moves(grid, own, both))):
        return -((grid.cells - stones) // 2)
    low, high = known_bounds(solver, own, both)
    if low > m or high <= m:
        return low if low > m else high
    best, column = -grid.cells, (1 << grid.height) - 1
    if stones == EARLY:
        best = int(deep(own, both, stones, m, m + 1))
    else:
        spent[0] += 1
        count, mine = sort_safe(grid, solver.marks[stones], own, both, safe), []
        for mark in solver.marks[stones][:count].tolist():
            mine.append(safe & column << column_at(grid.columns, mark & 63) * grid.height)
        mine.sort(key=lambda move: known_bounds(solver, own ^ both, both | move)[1] >= -m)
        for move in mine:
            best = max(best, -early_bound(solver, spent, own ^ both, both | move, -m - 1))
            if best > m or spent[0] > spent[1]:
                break
    if spent[0] > spent[1]:
        return 0
    bounds = (max(low, best), high) if best > m else (low, min(high, best))
    solver.early[mirror_key(grid, own, both)] = bounds
    return best


# by Search · the bounds in their file, and back

BOOK = five.cache.HERE / "connect_four.book"


def pack_book(bounds: dict, made: str) -> bytes:
    """Return the file of {key: (low, high)}: a line of JSON, then the numbers, compressed.

    The numbers are the differences of the sorted keys, then all low and all high bounds, each
    byte of them in a row of its own: equal bytes beside each other are compressed best.
    """
    keys = np.array(sorted(bounds), "<i8")
    pairs = np.array([bounds[key] for key in keys.tolist()], np.int8).reshape(-1, 2)
    steps = np.diff(keys, prepend=0).view(np.uint8).reshape(-1, 8)
    packed = lzma.compress(steps.T.tobytes() + pairs.T.tobytes(), preset=9)
    head = {"made": made, "digest": hashlib.sha256(packed).hexdigest()}
    return json.dumps(head).encode() + b"\n" + packed


def unpack_book(data: bytes) -> tuple[str, dict]:
    """Return how a book was made, and its {key: (low, high)}; ValueError if it is damaged."""
    head, _, packed = data.partition(b"\n")
    head = json.loads(head)
    if hashlib.sha256(packed).hexdigest() != head["digest"]:
        raise ValueError("it is damaged")
    rows = np.frombuffer(lzma.decompress(packed), np.uint8).reshape(10, -1)
    keys = np.cumsum(np.ascontiguousarray(rows[:8].T).view("<i8").ravel())
    low, high = rows[8:].view(np.int8).tolist()
    return head["made"], dict(zip(keys.tolist(), zip(low, high, strict=True), strict=True))


def read_book(file: Path = BOOK) -> dict:
    """Return {key: (low, high)} of a file; without a whole one a sentence says so: {}."""
    try:
        return unpack_book(Path(file).read_bytes())[1]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = str(error).splitlines()[0]
        print(f"five_in_a_row: solves without {Path(file).name} ({reason})", file=sys.stderr)
        return {}


opening_book = lru_cache(read_book)  # read when a solver is made first


# by Search · the score by windows that narrow
def narrowed(solver, spent, own, both, exact):
    """Return the score of a position that is not over; None where spent[1] does not tell.

    solver   a Solver: its table, its marks and what it knows of the first plies are used
    exact    False: only the sign of the score
    """
    stones, grid = both.bit_count(), solver.grid
    landing = threats_of(own, grid.height) & (both + grid.bottom) & grid.full & ~both
    if landing:
        return (grid.cells + 1 - stones) // 2 if exact else 1
    left = grid.cells - stones
    if not safe_moves(grid, own, both):
        return -(left // 2) if exact else -1
    low, high = (0, 0) if left <= 2 else known_bounds(solver, own, both)
    if not exact:
        low, high = max(-1, min(1, low)), max(-1, min(1, high))
    step = 1
    while low < high:
        middle = (low + high) // 2
        if low < 0 < high:
            middle = 0
        elif low >= 0:
            middle, step = min(low + step - 1, middle), 2 * step
        else:
            middle, step = max(high - step, middle), 2 * step
        found = early_bound(solver, spent, own, both, middle)
        if spent[0] > spent[1]:
            return None
        if not exact:
            found = min(1, max(-1, found))
        low, high = (low, found) if found <= middle else (found, high)
    return int(low)


# by Search · the score of a position, and of each column
MOST_POSITIONS = 2**62  # more than anybody can wait for


def check_limit(limit: int | None) -> int:
    """Return how many positions may be searched, MOST_POSITIONS for None; or ValueError."""
    most = MOST_POSITIONS
    return most if limit is None else five.game.check_number("limit", limit, 0, most, True)


class Solver:
    """A perfect player's knowledge of one grid; what it has found out it remembers.

    entries   of its table, a power of two
    book      {key: (low, high)} of early positions of the standard grid; None: opening_book()
    """

    def __init__(self, rules: five.game.Rules | None = None, entries=1 << 22, book=None):
        rules = four_rules() if rules is None else five.game.check_rules(rules)
        self.rules = four_rules(rules.height, rules.size)
        self.grid = bounds_of(self.rules)
        self.early = None  # small grids need no book
        if self.rules == four_rules():
            self.early = dict(opening_book() if book is None else book)
        self.table = empty_table(entries)
        self.marks = np.zeros((self.rules.points, self.rules.size), np.int64)
        self.nodes = 0  # positions searched for the last answer

    def score(self, game: five.game.Game, limit: int | None = None, exact: bool = True):
        """Return the score for the side to move; None where `limit` positions do not tell.

        exact   False: only the sign is searched for: +1 won, 0 drawn, -1 lost
        Raises ValueError for a game that is over or is played on another grid.
        """
        spent = np.array([0, self._limit(game, limit, exact)])
        found = narrowed(self, spent, *bits_of(game), exact)
        self.nodes = int(spent[0])
        return found

    def columns(self, game: five.game.Game, limit: int | None = None, exact: bool = True):
        """Return {column: score of playing it}, None where `limit` positions do not tell.

        Each column may take as many; what one of them leaves, the next may use.
        """
        limit = self._limit(game, limit, exact)
        own, both = bits_of(game)
        spent, found, nodes = np.zeros(2, np.int64), {}, 0
        for number, (column, point) in enumerate(open_columns(game).items(), 1):
            stone = 1 << column * self.grid.height + point // self.rules.size
            spent[:] = 0, min(number * limit - nodes, MOST_POSITIONS)
            found[column] = self._after(spent, own | stone, both | stone, exact)
            nodes += int(spent[0])
        self.nodes = nodes
        return found

    def _limit(self, game, limit, exact) -> int:
        """Return the limit as a number; ValueError for what cannot be asked."""
        if five.game.check_game(game).over:
            raise ValueError("the game is over: its result is known")
        if game.rules != self.rules:
            raise ValueError(f"this solver knows {self.rules}, not {game.rules}")
        five.game.check_switch("exact", exact)
        return check_limit(limit)

    def _after(self, spent, own, both, exact):
        """Return the score for the player who has just moved and now has the stones `own`."""
        if has_four(own, self.grid.height):
            return (self.grid.cells + 2 - both.bit_count()) // 2 if exact else 1
        if both == self.grid.full:
            return 0
        score = narrowed(self, spent, own ^ both, both, exact)
        return None if score is None else -score


# by Experiments · is a move right? and the second player, who is lost but does not err
class Judged(NamedTuple):
    """What is said of a move; all are truth values."""

    kept: bool  # it keeps the value of the position
    choice: bool  # another column would not, or does not
    won: bool  # the position is won


def values_text(scores: dict[int, int], columns: int) -> str:
    """Return the value of every column as + = - or . in one text."""
    signs = {1: "+", 0: "=", -1: "-"}
    return "".join(
        signs[int(np.sign(scores[column]))] if column in scores else "."
        for column in range(columns)
    )


def judged(values: str, column: int) -> Judged:
    """Judge a column by the text of values_text. ValueError for a full one."""
    if values[column] == ".":
        raise ValueError(f"column {column_name(column)} is full: {values}")
    best = next(sign for sign in "+=-" if sign in values)
    return Judged(values[column] == best, len(set(values) - {"."}) > 1, best == "+")


RESIST = 12  # from so many stones on the latest loss is counted


def resist(solver: Solver, game: five.game.Game, rng) -> int:
    """Return a column for a lost side: the most central safe one, later the toughest."""
    free, middle = open_columns(game), (game.rules.size - 1) / 2
    safe = safe_moves(solver.grid, *bits_of(game))
    height = solver.grid.height
    calm = [col for col, p in free.items() if safe >> col * height + p // game.rules.size & 1]
    if calm and np.count_nonzero(game.array) < RESIST:
        return min(calm, key=lambda column: abs(column - middle))
    scores = solver.columns(game)
    best = max(scores.values())
    return int(rng.choice([column for column in free if scores[column] == best]))


def mirrored(game: five.game.Game) -> five.game.Game:
    """Return a game that begins from the same position seen in a mirror."""
    return five.game.Game.from_array(game.array[:, ::-1], game.to_move, game.rules)


def hold_the_win(
    player, solver: Solver, seed: int, is_lost, moves: str = ""
) -> tuple[five.game.Game, bool]:
    """Let a player go on from a won position; return the game, and whether it was won.

    is_lost   is_lost(game): is the game, which is not over, lost for the side to move?
    moves     to the position, as text; the other side plays perfectly from there
    A game that was not won ends with the move that let the win go.
    """
    game = five.game.Game.from_text(moves, rules=solver.rules)
    mover, rng = game.to_move, np.random.default_rng(seed)
    while not game.over:
        game.play(player.move(game.copy(), int(rng.integers(2**31))))
        if not game.over and not is_lost(game):
            break
        if not game.over:
            drop(game, resist(solver, game, rng))
    return game, game.winner == mover


# by Search · the perfect player as an opponent

RATE = 1_000_000  # positions per second of thought that it may search
perfect_solver = lru_cache(Solver)  # what it finds out stays for the next move


def perfect_move(game: five.game.Game, *, seconds=None, simulations=None, **keywords):
    """Return a SearchResult as five.engine.think does, by the solver where it can tell."""
    five.engine.check_asked(seconds=seconds, simulations=simulations, **keywords)
    begun, solver = time.perf_counter(), perfect_solver()
    seconds = 1 if seconds is None else seconds
    limit = int(min(RATE * seconds / five.game.check_game(game).rules.size, MOST_POSITIONS))
    signs = solver.columns(game, limit, exact=False)
    known = [sign for sign in signs.values() if sign is not None]
    best = max(known, default=-1)
    decided = best > 0 or len(known) == len(signs)
    if not decided or best < 0 and np.count_nonzero(game.array) <= EARLY:
        thought = five.engine.think(game, seconds=seconds, simulations=simulations, **keywords)
        why = "every column loses; the engine's" if decided else "not known; the engine's"
        return dataclasses.replace(thought, why=why, proven=-1 if decided else None)
    scores = solver.columns(game, limit) if best else signs
    scores = {column: best if score is None else score for column, score in scores.items()}
    middle = (game.rules.size - 1) / 2
    equal = [column for column, sign in signs.items() if sign == best]
    column = max(equal, key=lambda column: (scores[column], -abs(column - middle)))
    points, empty = open_columns(game), np.zeros(game.array.shape, np.int64)
    values = np.full(game.array.shape, np.nan)
    for each, sign in signs.items():
        values.flat[points[each]] = np.nan if sign is None else sign
    why = {1: "it wins", 0: "it draws", -1: "it loses latest"}[best]
    return five.mcts.SearchResult(
        points[column], why, empty, values, values.copy(), 0, time.perf_counter() - begun,
        [points[column]], best, keywords.get("seed") or 0,
    )  # fmt: skip


# ---- Odd and even threats -------------------------------------------------------------------


# by Heuristics · threats that wait, and who wins with one of them
def waiting(game: five.game.Game) -> dict:
    """Return {side: [(row, column), ...]} of threats that no stone can fill or prepare now.

    The row counts from 1. Cells above another threat of that side are left out.
    """
    own, both = bits_of(game)
    grid = Grid(game.rules.height, game.rules.size)
    reach = both + grid.bottom & grid.full
    found = {}
    for side, stones in ((game.to_move, own), (-game.to_move, both ^ own)):
        cells = threats_of(stones, grid.height) & grid.full & ~both & ~reach
        cells &= ~(cells << 1)
        bits = [bit for bit in range(grid.height * grid.columns) if cells >> bit & 1]
        found[side] = [(bit % grid.height + 1, bit // grid.height) for bit in bits]
    return found


def random_drops(stones: int, rng) -> five.game.Game:
    """Return a game of that many random moves, fewer if it ends before."""
    game = five.game.Game(four_rules())
    while len(game.played) < stones and not game.over:
        game.play(int(rng.choice(game.legal())))
    return game


def one_waiting(count: int, solver, stones: int = 22, seed: int = 1) -> list[tuple]:
    """Return (game, side, row, score for the first player) where exactly one threat waits."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        game = random_drops(stones, rng)
        if game.over:
            continue
        threats = [(side, row) for side, each in waiting(game).items() for row, _ in each]
        wins = five.search.winning_points
        if len(threats) == 1 and not wins(game, 1) and not wins(game, -1):
            score = solver.score(game) * game.to_move
            found.append((game, *threats[0], score))
    return found


def chance_if_alike(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return how likely luck makes (won, games) so different: Fisher's exact test."""
    (a, n), (b, m) = one, other
    won = range(max(0, a + b - m), min(n, a + b) + 1)
    ways = {k: math.comb(n, k) * math.comb(m, a + b - k) for k in won}
    return sum(way for way in ways.values() if way <= ways[a]) / sum(ways.values())


# ---- 6. Play --------------------------------------------------------------------------------


# by Interface · the board of Connect-4: holes, and discs that fall
FALL = 0.3  # seconds


class Rack(five.window.Board):
    """A rack that discs fall into."""

    def grid(self, canvas: five.window.Canvas) -> None:
        """Paint a hole for each point."""
        layout, theme = canvas.layout, canvas.theme
        shade = tuple(part * 2 // 3 for part in theme.wood)  # discs are lighter, or darker
        hole = five.window.ring_image(shade, layout.stone)
        rim = five.window.ring_image(theme.lines, max(3, layout.cell * 24 // 25), 0.94)
        for point in range(layout.size * layout.rows):
            canvas.put(hole, canvas.at(point))
            canvas.put(rim, canvas.at(point))

    def stones(self, canvas: five.window.Canvas, session: five.window.Session) -> None:
        """Paint the discs; the last one may still be falling."""
        cells, last = session.game.array.ravel(), session.game.played[-1:]
        for point in np.flatnonzero(cells).tolist():
            x, y = canvas.at(point)
            if [point] == last:
                top = canvas.layout.wood[1] + canvas.layout.cell // 2
                y = int(top + (y - top) * self.fallen(session) ** 2)
            five.window.draw_stone(canvas, int(cells[point]), (x, y))

    def fallen(self, session: five.window.Session) -> float:
        """Return how far the last disc has fallen, from 0 to 1."""
        return min(1.0, (session.clock() - session.moved_at) / FALL)


# by Interface · play Connect-4, in a window or here
def four_file():
    """Return where games of Connect-4 are kept: beside those of five in a row."""
    return five.game_file.game_file().with_name("connect_four.txt")


def perfect(game, **keywords):
    """Return what the perfect player of section 5 finds; loaded when it thinks first."""
    from five_in_a_row.connect_four import perfect_move

    return perfect_move(game, **keywords)


def add_four(controller) -> None:
    """Add panels and commands to a controller, and the file of games."""
    five.extras.add_extras(controller, path=four_file())


def play_connect_four(*, seconds=5, human="black", level=None, ways=None, opponent=None):
    """Return the game from the window when it is closed, or a board in the notebook.

    The arguments are those of five.window.play; black moves first.
    """
    opponents = {"engine": five.engine.think, "perfect": perfect}
    return five.window.play(
        opponents,
        7,
        seconds=seconds,
        human=human,
        level=level,
        opponent=opponent,
        rules=four_rules(),
        board=Rack(),
        ways=ways,
        more=add_four,
    )


# ---- 7. Appendix: checks and timings --------------------------------------------------------


# by Interface · a game as text, by calls or in a terminal, with what the search found
NO_SEARCH = {
    "five": "it makes four",
    "blocks five": "it stops four",
    "only move": "it is the only one left",
}


def by_column(numbers) -> list:
    """Return a board of numbers as a list, a number for each column; None where all are NaN.

    Only one cell of a column may be played, so at most one has a number.
    """
    return [next((n for n in col if n == n), None) for col in np.asarray(numbers).T.tolist()]


def search_words(thought: five.mcts.SearchResult) -> str:
    """Return simulations, seconds, and visits and value of each column, as lines of text."""
    column = column_name(thought.move % thought.visits.shape[1])
    if not thought.visits.any():
        return f"{column}, without a search: {NO_SEARCH.get(thought.why, thought.why)}"
    visits = np.where(thought.visits, thought.visits, np.nan)
    rows = {"visits": ("{:,.0f}", visits), "value": ("{:+.2f}", thought.values)}
    lines = [f"{column}: {thought.simulations:,} simulations in {thought.seconds:.2f} s"]
    lines.append("column" + "".join(f"{column_name(i):>9}" for i in range(visits.shape[1])))
    for name, (form, numbers) in rows.items():
        cells = ["–" if n is None else form.format(n) for n in by_column(numbers)]
        lines.append(f"{name:6}" + "".join(f"{cell:>9}" for cell in cells))
    return "\n".join(lines)


class TextGame:
    """A game of a person against the agent; `game` is the game, `thought` its last search."""

    def __init__(self, agent, first: str, seed: int, rules: five.game.Rules):
        if not isinstance(first, str) or first not in ("person", "agent"):
            given = five.game.quoted(first)
            raise ValueError(f"first must be 'person' or 'agent', not {given}")
        self.agent, self.seed = agent, five.search.check_seed(seed)
        self.game, self.thought = five.game.Game(rules), None
        self.person = 0 if first == "person" else 1  # the plies of the person, modulo 2
        self.go_on(self.game)

    def move(self, column: int | str) -> None:
        """Play a column, such as "d" or 3, and the agent's answer; print both.

        Raises ValueError that names the column and those that may be played.
        """
        game = self.game.copy()
        drop(game, column)
        self.go_on(game)

    def go_on(self, game: five.game.Game) -> None:
        """Let the agent answer where it is to move; then take the game over and print it."""
        thought, ply = None, len(game.played)
        if not game.over and ply % 2 != self.person:
            game.play(self.agent.move(game, self.seed + ply))
            thought = self.agent.result
        self.game, self.thought = game, thought
        print(self)

    def undo(self) -> None:
        """Take back the person's last move and the answer, and print the board."""
        mine = range(self.person, len(self.game.played), 2)
        if not mine:
            raise ValueError("there is no move of yours to take back")
        game = self.game.copy()
        while len(game.played) > mine[-1]:
            game.undo()
        self.game, self.thought = game, None
        print(self)

    def __str__(self) -> str:
        said = (
            [] if self.thought is None else ["The agent plays " + search_words(self.thought)]
        )
        if self.game.over:
            mine = {0: "A draw", 1 - 2 * self.person: "You win"}
            said.append(mine.get(self.game.winner, "The agent wins") + ".")
        else:
            free = " ".join(map(column_name, sorted(open_columns(self.game))))
            said.append(f"You are {'XO'[self.person]}: {free} may be played.")
        return "\n".join([str(self.game), "", *said])


def play_text(
    *, seconds=None, simulations=None, first="person", seed=2024, rules=four_rules()
) -> TextGame:
    """Return a TextGame against the engine, and print its board.

    seconds, simulations   the agent's budget for a move; neither: one second
    first                  "person" or "agent", who moves first
    Raises ValueError for anything else.
    """
    agent = five.engine.EnginePlayer(seconds=seconds, simulations=simulations)
    return TextGame(agent, first, seed, rules)


def play_in_terminal(ask=input, **options) -> TextGame:
    """Ask for columns until the game is over, and return it; the options are play_text's.

    ask   ask(prompt) returns a column, "undo" or "quit"; the end of what is typed is "quit"
    """
    table = play_text(**options)
    while not table.game.over:
        try:
            word = ask("Your column, undo or quit: ").strip().lower()
        except EOFError:
            word = "quit"
        if word == "quit":
            break
        try:
            table.undo() if word == "undo" else table.move(word)
        except ValueError as error:  # say what may be played, and ask again
            print(error)
    return table


# by Experiments · who is timed, and the rates side by side
def four_runs(simulations: int, few: int) -> dict:
    """Return {name: run} for measure_rates; OpenSpiel is there if it is installed.

    simulations   of the compiled searches; few: of pure Python
    """
    game, plain = five.game.Game(four_rules()), five.search.SearchOptions(solve=False)
    compiled = {"two integers": four_game(), "rows of stones": five.search.plain_game(4, True)}
    runs = {
        name: five.strength.compiled_run(kernels, plain, game, simulations)
        for name, kernels in compiled.items()
    }
    runs["pure Python"] = five.strength.plain_run(five.mcts.PlainReference, game, few)
    try:
        # its rewards run from -1 to 1, so its constant is twice ours
        runs["OpenSpiel, C++"] = open_spiel_run(simulations, 2 * plain.c_uct)
    except ImportError:
        pass
    return runs


def open_spiel_run(simulations: int, exploration: float):
    """Return a function that lets OpenSpiel search; ImportError where it is not installed."""
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def run(seed: int) -> tuple[int, int]:
        playout = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            game, playout, exploration, simulations, 1_000, False, seed, False
        )
        bot.mcts_search(game.new_initial_state())
        return simulations, 0

    return run


def speed_rows(rates: dict) -> list[dict]:
    """Return one row a contender: simulations per second, and its ratio."""
    first = next(iter(rates.values()))[0]
    return [
        {"what": what, "per second": rate, "times slower": first / rate}
        for what, (rate, _) in rates.items()
    ]


# by Experiments · random positions beside those of strong play
def strong_rows(tables: dict) -> dict:
    """Return {what is counted: {set: words}} of tables like connect-optimal, for plain UCT."""
    least = max(table.ply.min() for table in tables.values())
    rows: dict = {}
    for name, table in tables.items():
        table = table[(table.agent == "plain UCT") & (table.ply >= least)]
        one = table[table.simulations == table.simulations.min()]
        chosen = one.choices.sum()
        rows[name] = {
            "positions": f"{one.positions.sum():,}",
            "won for the side to move": f"{one.won.sum() / one.positions.sum():.0%}",
            "with a choice": f"{chosen} ({chosen / one.positions.sum():.0%})",
        }
        for row in right_shares(table, ["simulations"]).itertuples():
            words = f"{row.share:.1%} ({row.low:.1%} to {row.high:.1%})"
            rows[name][f"right at {row.simulations:,} simulations"] = words
    return rows

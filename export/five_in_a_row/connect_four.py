# Made from connect_four.ipynb by tools/build.py: change the notebook, not this file.


import math
import time
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import jit
from five_in_a_row.connect_grid import (
    Grid,
    bits_of,
    column_name,
    count_bits,
    drop,
    four_rules,
    has_four,
    open_columns,
    threats_of,
)


# ---- 1. The game on two integers ------------------------------------------------------------


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
        ax.set(ylim=(-0.03, 1.03), xlabel="stones on the grid")
        ax.set_title(IDEAS_SHOWN.get(agent, agent))
        ax.legend(title="simulations per move", frameon=False, fontsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("share of games, win still held")
    return figure


IDEAS_SHOWN = {"all ideas, c 0.5": "all ideas, c = ½", "all ideas, c 1": "all ideas, c = 1"}


def won_rows(table) -> dict:
    """Return {simulations: {agent, and its seat: games won with their interval}} of a table.

    With seats a star marks more than half of the games won, by Holm's rule over all rows.
    """
    sure = five.strength.verdicts(zip(table.won, table.games - table.won, strict=True))
    rows: dict = {}
    for (_, row), verdict in zip(table.iterrows(), sure, strict=True):
        words = f"{row.won} of {row.games} ({row.low:.0%} to {row.high:.0%})"
        who = IDEAS_SHOWN.get(row.agent, row.agent)
        if "seat" in table:
            who = f"{who}, {row.seat} player"
            words += " *" * (verdict == "better")
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


def reply_rows(moves: str, solver, counts, seeds) -> dict:
    """Return {what is told: {column: words}} of the columns after some moves.

    By the solver: its score, see connect_solver; by plain UCT, after each number of
    simulations: the mean value, for the side to move, with the standard deviation between
    searches, and how many of them play the column.
    """
    import pandas as pd

    game, found = five.game.Game.from_text(moves, rules=four_rules()), []
    for seed in seeds:
        options = five.search.SearchOptions(solve=False, seed=seed)
        for count, tree, thought in five.strength.snapshots(
            game, counts, four_game(), options
        ):
            for child in tree.root.children:
                name, played = column_name(child.point % 7), child.point == thought.move
                found.append((count, name, child.Q, played))
    table = pd.DataFrame(found, columns=["simulations", "column", "value", "played"])
    scores = sorted(solver.columns(game).items())
    rows = {
        "perfect play": {column_name(col): f"{n:+d}".replace("-", "−") for col, n in scores}
    }
    for count, group in table.groupby("simulations"):
        columns = group.groupby("column")
        values = zip(columns.value.mean().items(), columns.value.std(), strict=True)
        words = {name: f"{mean:.2f} ± {spread:.2f}" for (name, mean), spread in values}
        rows[f"value at {count:,}"] = words
        rows[f"played at {count:,}"] = columns.played.sum().to_dict()
    return rows


def fours_through(row: int, col: int, grid: Grid) -> int:
    """Return on how many lines of four a cell lies."""
    found = 0
    for d_row, d_col in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for back in range(4):
            ends = [(row + i * d_row, col + i * d_col) for i in (-back, 3 - back)]
            found += all(0 <= r < grid.rows and 0 <= c < grid.columns for r, c in ends)
    return found


# ---- Decisive moves and gifts ---------------------------------------------------------------


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


PLAIN_UCT = "plain UCT"  # here with c = 1, as each idea is but where it says more
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
    "all ideas, c = ½": ALL_IDEAS._replace(c=0.5),
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


def chance_if_alike(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return how likely luck makes (won, games) so different: Fisher's exact test."""
    (a, n), (b, m) = one, other
    won = range(max(0, a + b - m), min(n, a + b) + 1)
    ways = {k: math.comb(n, k) * math.comb(m, a + b - k) for k in won}
    return sum(way for way in ways.values() if way <= ways[a]) / sum(ways.values())


def starred(held: dict, seeds: int) -> dict:
    """Return path_rows in words, a star where fewer are right than with the first idea.

    By Fisher's exact test, and Holm's rule over all these comparisons.
    """
    first = next(iter(LEFT_OUT))
    chances = {
        (stone, name): chance_if_alike((right, seeds), (row[first], seeds))
        for stone, row in held.items()
        for name, right in row.items()
        if name != first
    }
    sure = five.strength.holm(chances)
    return {
        stone: {
            name: f"{n}" + " *" * sure.get((stone, name), False) for name, n in row.items()
        }
        for stone, row in held.items()
    }


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
    from five_in_a_row.connect_solver import perfect_move

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

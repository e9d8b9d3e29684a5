# Made from connect_four.ipynb by tools/build.py: change the notebook, not this file.


# *by Interface*
#
# # Connect-4: a report and a poster, done again
#
# Of two equal players the second one wins more often, and more time does not help. A student report
# on Connect-4 came to this end with Monte Carlo Tree Search. Both findings are strange: with perfect play
# it is the first player who wins, and a search that sees more should play better. What happened?
#
# This notebook repeats the report's matches, finds the two errors behind them, and corrects them. Then it
# asks how far the corrected search is from perfect play, and goes through what a poster proposes for
# it: other rules of selection, a heuristic, another way to expand. The search is that of
# [search](search.ipynb), the matches are those of [strength](strength.ipynb); this notebook adds the game
# and the experiments.
#
# **To play**, run all cells; [section 2](#2.-Play) opens the board. A click in a column drops a stone.


# *by Interface*
#
# | section | what it answers |
# |---|---|
# | [1. The game on two integers](#1.-The-game-on-two-integers) | How is a grid kept, and how fast is the search? |
# | [2. Play](#2.-Play) | Can you beat it? |
# | [3. As printed, and corrected](#3.-As-printed,-and-corrected) | What was wrong in the report's program? |
# | [4. Tables 3.1 and 3.2 again](#4.-Tables-3.1-and-3.2-again) | Does the first player win more, does thinking pay? |
# | [5. Against perfect play](#5.-Against-perfect-play) | How often is a move right? |
# | [6. Selection policies](#6.-Selection-policies) | Is a good gambler a good search? |
# | [7. The poster's variant](#7.-The-poster's-variant) | All children at once, or one? |
# | [8. The slice heuristic](#8.-The-slice-heuristic) | Is a rule of thumb better than a random game? |
# | [9. What adds strength](#9.-What-adds-strength) | Which ideas help here? |
# | [10. Scale](#10.-Scale) | How are many games played? |
# | [11. Essay](#11.-Essay) | What happened in the report? |
#
# | role | name | wrote |
# |---|---|---|
# | Rules | *(name)* | the grid |
# | Search | *(name)* | the game's kernels, the report's agent, the policies, the solver |
# | Heuristics | *(name)* | the slice heuristic, the ideas that add strength |
# | Interface | *(name)* | the board, the game as text |
# | Experiments | *(name)* | the tables, the games against perfect play, the essay |


# *by Experiments*
#
# **Sources.** A.-I. Paraschiv, *Beating Connect-4 with a Reinforcement Learning Algorithm*, report for the course
# AE4350, TU Delft, 2024. The poster *Monte Carlo Tree Search · Connect 4 Heuristic · Performance of
# Different Exploration Policies in Multi-Armed Bandits*. Other sources stand where they are used.
#
# `python -m experiments TABLE` makes the long tables, in the folder of the project; `--list` names them. It keeps
# each finished game in `experiments/games`, so a stopped run goes on where it was, and the table with its
# settings in `experiments/results`. The cells here read these files. Where one is missing, a sentence says how
# to make it.


# by Rules · the package
import os
import sys
from pathlib import Path

NEAR = [Path(os.environ.get("JPY_SESSION_NAME", "here")).resolve(), Path("here").resolve()]
ABOVE = [folder / "export" for place in NEAR for folder in place.parents]  # of this notebook
FOLDER = next((each for each in ABOVE if (each / "five_in_a_row").is_dir()), Path("export"))
if "__file__" not in globals() and str(FOLDER) not in sys.path:
    sys.path.insert(0, str(FOLDER))

import five_in_a_row as five


# *by Rules*
#
# ## 1. The game on two integers
#
# Two players drop stones into a grid of six rows and seven columns. A stone falls to the lowest
# empty cell of its column. Four in a row, along a row, a column or a diagonal, win; a full grid
# draws. For people this is `five.core.Game` with gravity, as in the main notebook. For the search the
# whole position is two integers, and a win is four shifts.


# *by Rules*
#
# A column is `rows + 1` bits, counted from below; one column follows the other. The topmost bit of
# each column is **spare**: no stone ever stands there. It keeps the columns apart, since a line that
# left a column at the top would have to pass through it. All bits must fit into a signed integer
# of 64 bits:
#
# $$(\text{rows} + 1) \cdot \text{columns} \le 63$$


# by Rules · a grid, and where its cells lie in an integer
import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np


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


# *by Rules*
#
# A grid that does not fit is refused with the reason.


# by Rules · the rules of a grid, checked
def four_rules(rows: int = 6, columns: int = 7) -> five.core.Rules:
    """Return the rules of Connect-4 on a grid. ValueError unless its bits fit into 63."""
    rules = five.core.check_rules(five.core.Rules(columns, 4, rows=rows, gravity=True))
    bits = (rules.rows + 1) * rules.size
    if bits > 63:
        raise ValueError(
            f"{rows} rows and {columns} columns need {bits} bits: "
            f"(rows + 1) * columns must be at most 63"
        )
    return rules


# *by Experiments*
#
# The grid with the number of each cell's bit; the spare bits are grey.


# by Experiments · a picture of the numbers
def layout_figure(grid: Grid):
    """Return a figure of a grid with the number of its bit in each cell."""
    from matplotlib.patches import Rectangle

    figure = five.core.new_figure(4.2, 3.8)
    ax = figure.subplots()
    for bit in range(grid.columns * grid.height):
        col, row = divmod(bit, grid.height)
        colour = "0.85" if row == grid.rows else "white"
        cell = Rectangle((col - 0.5, row - 0.5), 1, 1, facecolor=colour, edgecolor="0.4")
        ax.add_patch(cell)
        ax.text(col, row, str(bit), ha="center", va="center", fontsize=9)
    ax.set(xlim=(-0.6, grid.columns - 0.4), ylim=(-0.6, grid.rows + 0.6), aspect="equal")
    ax.set_xticks(range(grid.columns), [chr(ord("a") + col) for col in range(grid.columns)])
    ax.set_yticks(range(grid.height), [*range(1, grid.height), "spare"])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure


# *by Rules*
#
# A position is the pair (`own`, `both`): the stones of the side to move, and all stones. The
# other side's stones are `both ^ own`. A cell's neighbour along a line is always the same number of
# bits $d$ away: 1 above, `height` to the right, `height ± 1` on the diagonals. So
#
# $$p = x \;\&\; (x \gg d), \qquad p \;\&\; (p \gg 2d)$$
#
# has a bit wherever four in a row begin: $p$ marks pairs of neighbours, and two pairs two steps apart are
# four. Like every kernel, `has_four` is kept on disk in the exported module only; in a live notebook
# a kept kernel would go on answering for cells as they were before an edit.


# by Rules · four in a row, for all cells at once
jit = five.cache.jit if "__file__" in globals() else five.cache.inline_kernel


@jit
def has_four(stones, height):
    """Return whether stones, int64 as in Grid, hold four in a row."""
    found = 0
    for step in (1, height - 1, height, height + 1):
        pairs = stones & stones >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


def bits_of(position: five.core.Game) -> tuple[int, int]:
    """Return (own, both): the stones of the side to move, and all stones, as in Grid."""
    cells, height = position.array, position.rules.height + 1
    points = [
        (int(cells[row, col]), col * height + row) for row, col in np.ndindex(cells.shape)
    ]
    own = sum(1 << bit for cell, bit in points if cell == position.to_move)
    return own, sum(1 << bit for cell, bit in points if cell)


# *by Rules*
#
# People name a column, not a cell. `drop` takes a letter or a number from 0, and finds the cell.
# A column that is full, or not there, is refused with what is allowed; the game is then as it was.


# by Rules · play a column
def column_name(column: int) -> str:
    """Return the letter of a column, a for 0."""
    return chr(ord("a") + column)


def open_columns(game: five.core.Game) -> dict[int, int]:
    """Return {column: the point where a stone would land} of what may be played."""
    return {point % game.rules.size: point for point in sorted(game.legal())}


def drop(game: five.core.Game, column: int | str) -> int:
    """Drop a stone into a column, "d" or 3, and return its point.

    Raises ValueError that names the column and those that may be played.
    """
    free = dict(sorted(open_columns(game).items()))
    if game.over:
        raise ValueError(f"column {column!r} cannot be played: the game is over")
    names, text = " ".join(map(column_name, free)), str(column).strip().lower()
    number = ord(text) - ord("a") if len(text) == 1 and text.isalpha() else column
    if not (five.core.is_whole(number) and 0 <= number < game.rules.size):
        raise ValueError(f"there is no column {column!r}: {names} may be played")
    if number not in free:
        raise ValueError(f"column {column_name(number)} is full: {names} may be played")
    return game.play(free[int(number)])


# *by Search*
#
# The compiled [search](search.ipynb#The-loop) takes any game as a handful of kernels. Its record of a board stays,
# with two fields more: `own` and `both`. A playout copies them and touches nothing else, and no other
# line of the search has to change.
#
# Where does a stone land? Adding the lowest bit of each column to `both` carries through the stones of
# the column to the first empty cell. In a full column the carry ends in the spare bit, which `full`
# then removes:
#
# $$\text{free} = (\text{both} + \text{bottom}) \;\&\; \text{full}$$


# by Search · the board of the search, with two integers more
FOUR = np.dtype(
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


# by Search · the kernels that fill the board, play and look for the end
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


# *by Search*
#
# The moves of a node are its free cells in random order. The list is drawn without putting back,
# so a node's children stand in random order from the start.


# by Search · the moves that a node has not listed yet
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


# *by Search*
#
# A playout draws a column and adds a stone there. A column that is full yields no bit: nothing
# changes, the turn does not pass, and another column is drawn. That is the same as drawing among the
# columns that are not full, and leaves the processor no branch to guess but the end of the game. One
# random number of 32 bits serves for three columns: multiplied by the number of columns, its upper half
# is the column and its lower half goes on as the next number.


# by Search · simulate: drop stones at random to the end
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


# *by Search*
#
# Seven children are few, so finding the best of them should cost little. The formula is the one of
# [Select](../five_in_a_row.ipynb#4.-Select) in the main notebook, $Q + c \sqrt{\ln N / n}$, with two savings. $\sqrt{\ln N}$ comes from a table for the small $N$ that
# most nodes have. And of several best children the first is taken: since they stand in random order,
# that is a random one, without drawing again.


# by Search · select among few children
ROOT_LOGS = np.sqrt(np.log(np.maximum(1, np.arange(4096)))).astype(np.float32)


@jit
def quick_ucb(workspace, tree, node, untried, options):
    """Return the index of the child to visit, as five.search.ucb does; the first of equals."""
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


# *by Search*
#
# All together are the game. `build_search` makes one compiled search of it, as of any other game, and
# `Tree`, `think`'s reading of a tree, players and matches work unchanged. **Plain UCT** is this search with
# $c = 0.5$, and it proves nothing. Where another $c$ is meant the text says so: the report's agent in [section 3](#3.-As-printed,-and-corrected) has
# $c = \sqrt 2$, and [section 9](#9.-What-adds-strength) measures against $c = 1$.


# by Search · Connect-4 for the search
@lru_cache
def four_game(rows: int = 6, columns: int = 7) -> five.search.Kernels:
    """Return the kernels of Connect-4 on a grid, with every free column as a child."""
    four_rules(rows, columns)
    grid = Grid(rows, columns)
    init_root, apply, terminal = build_board(grid)
    return five.search.Kernels(
        FOUR,
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


def four_uct(simulations=None, seconds=None, options=five.search.SearchOptions(solve=False)):
    """Return a player: UCT on Connect-4, which searches each position anew."""
    return five.search.searcher(
        lambda rules: four_game(rules.height, rules.size), options, seconds, simulations
    )


# *by Experiments*
#
# ### How fast are two integers?
#
# The same plain search from the empty grid, four times: on two integers, on [search](search.ipynb#The-board-in-bits)'s rows of
# stones, in pure Python, and by *OpenSpiel* (Lanctot and others, 2019), a library of games in C++ with
# one random playout a simulation. OpenSpiel's rewards run from −1 to 1, so its constant is twice
# ours. It need not be installed: `pip install open_spiel` brings it.


# *by Experiments*
#
# The version in pure Python is the plain search of the [main notebook](../five_in_a_row.ipynb#8.-The-loop), which knows where
# stones fall.


# *by Experiments*
#
# Each contender is a function that makes so many simulations in a fresh tree; their rounds alternate,
# and the median of the rates counts. A rate belongs to the size of its tree, and is named with it.


# by Experiments · who is timed
def four_runs(simulations: int, few: int) -> dict:
    """Return {name: run} for measure_rates; OpenSpiel is there if it is installed.

    simulations   of the compiled searches; few: of pure Python
    """
    game, plain = five.core.Game(four_rules()), five.search.SearchOptions(solve=False)
    compiled = {"two integers": four_game(), "rows of stones": five.search.plain_game(4, True)}
    runs = {
        name: five.strength.compiled_run(kernels, plain, game, simulations)
        for name, kernels in compiled.items()
    }
    runs["pure Python"] = five.strength.plain_run(five.core.plain_uct_reference, game, few)
    try:
        runs["OpenSpiel, C++"] = open_spiel_run(simulations, 2 * plain.c_uct)
    except ImportError:
        pass
    return runs


# by Experiments · the same search by OpenSpiel
def open_spiel_run(simulations: int, c: float):
    """Return a function that lets OpenSpiel search; ImportError where it is not installed."""
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def run(seed: int) -> tuple[int, int]:
        playout = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(game, playout, c, simulations, 1_000, False, seed, False)
        bot.mcts_search(game.new_initial_state())
        return simulations, 0

    return run


# *by Experiments*
#
# Tables that were kept are read by `stored`; that of the speeds is shown where OpenSpiel is not at hand.


# by Experiments · rates side by side
RESULTS = five.strength.results_folder()


def stored(name: str):
    """Return a table that an experiment kept; without one, say how to make it."""
    return five.strength.stored_results(name, RESULTS)


def speed_rows(rates: dict) -> list[dict]:
    """Return one row a contender: simulations per second, and its ratio."""
    first = next(iter(rates.values()))[0]
    return [
        {"what": what, "per second": rate, "times slower": first / rate}
        for what, (rate, _) in rates.items()
    ]


# by Experiments · the rates as a table
def show_speed(rows: list[dict]) -> None:
    """Show the rates as a table, and OpenSpiel's as it was kept where it is not installed."""
    five.strength.show_rows(
        {
            "simulations per second": {
                row["what"]: f"{row['per second']:,.0f}" for row in rows
            },
            "times slower": {row["what"]: f"{row['times slower']:.1f}" for row in rows},
        }
    )
    if not any("OpenSpiel" in row["what"] for row in rows):
        print("OpenSpiel is not installed here: pip install open_spiel brings it.")
    if (kept := stored("connect-speed")) is not None:
        kept = kept.set_index("what")
        times = kept["times slower"]["OpenSpiel, C++"]
        print(
            f"Kept from {kept.made.iloc[0]} ({kept.machine.iloc[0]}; {kept.budget.iloc[0]}, "
            "fewer of pure Python): two integers make "
            f"{kept['per second']['two integers']:,.0f} simulations per second, OpenSpiel "
            f"{kept['per second']['OpenSpiel, C++']:,.0f}, {times:.1f} times fewer."
        )


# *by Experiments*
#
# The same search by the size of its tree: the larger, the slower, since its nodes no longer fit into the
# processor's caches.


# *by Interface*
#
# ## 2. Play
#
# Three ways to play: on the board of the main notebook, in a window or in the page; as text, a call
# for each move; and agent against agent, with every move written down.


# *by Interface*
#
# A `Rack` is a board of its own: holes in place of lines, and discs that fall. Session and controller are
# those of the main notebook; a click anywhere in a column drops a disc there.


# by Interface · the board of Connect-4: holes, and discs that fall
FALL = 0.3  # seconds


class Rack(five.core.Board):
    """A rack that discs fall into."""

    def grid(self, canvas: five.core.Canvas) -> None:
        """Paint a hole for each point."""
        layout, theme = canvas.layout, canvas.theme
        shade = tuple(part * 2 // 3 for part in theme.wood)  # discs are lighter, or darker
        hole = five.core.ring_image(shade, layout.stone)
        rim = five.core.ring_image(theme.lines, max(3, layout.cell * 24 // 25), 0.94)
        for point in range(layout.size * layout.rows):
            canvas.put(hole, canvas.at(point))
            canvas.put(rim, canvas.at(point))

    def stones(self, canvas: five.core.Canvas, session: five.core.Session) -> None:
        """Paint the discs; the last one may still be falling."""
        cells, last = session.game.array.ravel(), session.game.played[-1:]
        for point in np.flatnonzero(cells).tolist():
            x, y = canvas.at(point)
            if [point] == last:
                top = canvas.layout.wood[1] + canvas.layout.cell // 2
                y = int(top + (y - top) * self.fallen(session) ** 2)
            five.core.draw_stone(canvas, int(cells[point]), (x, y))

    def fallen(self, session: five.core.Session) -> float:
        """Return how far the last disc has fallen, from 0 to 1."""
        return min(1.0, (session.clock() - session.moved_at) / FALL)


# *by Interface*
#
# The opponent is the engine, or the perfect player of [section 5](#5.-Against-perfect-play): *New game* lists both.
# Where nobody can play, a recorded game is shown: the last one that was saved, or one of the agent against
# itself. Games of Connect-4 have a file of their own, `export/connect_four.txt`.


# by Interface · play Connect-4, in a window or here
from functools import partial


def four_file():
    """Return where games of Connect-4 are kept: beside those of five in a row."""
    return five.game_file.game_file().with_name("connect_four.txt")


def recorded_four() -> dict:
    """Return where a saved game is, and the simulations per move of a recorded game."""
    saved = partial(five.game_file.saved_again, path=four_file())
    return {"saved": saved, "most": five.core.scale(500, 20_000)}


def perfect(game, *budget, **how):
    """Return what the perfect player of section 5 finds; loaded when it thinks first."""
    from five_in_a_row.connect_four import perfect_move

    return perfect_move(game, *budget, **how)


def add_perfect(controller) -> None:
    """Add panels and commands to a controller, and the perfect player to its opponents."""
    five.extras.add_extras(controller, path=four_file())
    controller.session.opponents = controller.session.opponents | {"perfect": perfect}


def play_four(seconds=5, human="black", level=None, ways=None):
    """Return the game from the window when it is closed, or a board in the notebook.

    The arguments are those of five.core.play; black moves first.
    """
    how = dict(rules=four_rules(), board=Rack(), ways=ways, more=add_perfect)
    return five.core.play({"engine": five.engine.think}, 7, seconds, human, level, **how)


# *by Interface*
#
# The game, move by move. After a game on the board in the page, run the next cell again.


# *by Interface*
#
# ### As text
#
# `play_text` needs no window and no `input()`: every move is a call. After each move it prints the board
# and what the agent's search found: simulations, seconds, and visits and value of each column. A value
# is $2Q - 1$, from −1, the agent loses, to +1, it wins. A column that wins at once, or stops four at
# once, is played without a search.


# by Interface · what a search found, column by column
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


def search_words(thought: five.core.SearchResult) -> str:
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


# *by Interface*
#
# A `TextGame` plays a column and the answer on a copy, and takes the copy over when both are done. So
# whatever goes wrong in between, a full column or a stopped search, the game is as it was.


# by Interface · a game as text, by calls
class TextGame:
    """A game of a person against the agent; `game` is the game, `thought` its last search."""

    def __init__(self, agent, first: str, seed: int, rules: five.core.Rules):
        if first not in ("person", "agent"):
            raise ValueError(f"first must be 'person' or 'agent', not {first!r}")
        self.agent, self.seed = agent, five.search.check_seed(seed)
        self.game, self.thought = five.core.Game(rules), None
        self.person = 0 if first == "person" else 1  # the plies of the person, modulo 2
        self.go_on(self.game)

    def move(self, column: int | str) -> None:
        """Play a column, such as "d" or 3, and the agent's answer; print both.

        Raises ValueError that names the column and those that may be played.
        """
        game = self.game.copy()
        drop(game, column)
        self.go_on(game)

    def go_on(self, game: five.core.Game) -> None:
        """Let the agent answer where it is to move; then take the game over and print it."""
        thought, ply = None, len(game.played)
        if not game.over and ply % 2 != self.person:
            thought = self.agent(game, self.seed + ply)
            game.play(thought.move)
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


# *by Interface*
#
# `play_text` begins a game. The agent is the [engine](engine.ipynb), without its knowledge of five in
# a row.


# by Interface · begin a game as text
def play_text(simulations=None, seconds=None, first="person", seed=2024, rules=four_rules()):
    """Return a TextGame against five.engine.Opponent, and print its board.

    simulations, seconds   the agent's budget for a move; neither: one second
    first                  "person" or "agent", who moves first
    Raises ValueError for anything else.
    """
    return TextGame(five.engine.Opponent(seconds, simulations), first, seed, rules)


# *by Search*
#
# ### Agent against agent
#
# The report's agent is plain UCT with $c = \sqrt{2}$. It plays the most visited column and keeps its tree:
# after its move and the answer, what lies below them is still known. Draws count ½ here, as everywhere in these
# notebooks. What the report gets wrong can be exchanged: `search` is the loop with its rewards, `kernels` the game as
# it knows it, and agents that are given the same `Memory` share one tree. [Section 3](#3.-As-printed,-and-corrected) tries both. `reuse=False` forgets the
# tree after each move.


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
        five.search.check_budget(seconds, simulations)
        self.simulations, self.seconds, self.options = simulations, seconds, options
        self.kernels, self.reuse = kernels, reuse
        self.memory = memory or Memory()

    def __call__(
        self, game: five.core.Game, seed: int | None = None
    ) -> five.core.SearchResult:
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
# match and a player and writes down column, simulations and seconds of what it plays.


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
# A run is a number of games of two agents, the first move in turn. It gives three tables: games,
# moves, settings. A name that a spreadsheet would take for a formula is refused.


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

    for name in names:
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
# A run is kept in an Excel workbook, a sheet for each table, or as three CSV files. What is
# read is checked first: other sheets, other columns or other types mean that the file is not ours,
# and then it stays as it is. Of CSV files `settings` is written last, so a run that is missing
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
# renames it. A stop at any moment leaves the old file or the new one, never half of either. If another
# program has changed the file in the meantime, all is done again with what it holds now.


# by Experiments · add a run to a file
import os


def keep_runs(path: Path | str, tables: dict) -> int:
    """Append a run to a workbook or to CSV files, see read_runs; return its number there.

    A workbook is written anew: colours, widths and charts that were added to it are lost.
    Raises ValueError if the file is not ours, OSError if it cannot be written; it is then
    as it was.
    """
    path = Path(path)
    files, own = run_files(path), f"{os.getpid()}-{threading.get_ident()}"
    temporary = {name: f.with_name(f".{f.name}.{own}.tmp") for name, f in files.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    while True:
        with five.game_file.one_at_a_time(path):
            before, old = stamps(files), read_runs(path)
        run = 1 if old is None else int(old["settings"].run.max()) + 1
        try:
            write_tables(joined(old, tables, run), temporary)
            with five.game_file.one_at_a_time(path):
                if stamps(files) == before:
                    for file, name in {file: name for name, file in files.items()}.items():
                        os.replace(temporary[name], file)
                    return run
        finally:
            for file in temporary.values():
                file.unlink(missing_ok=True)


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
# ## 3. As printed, and corrected
#
# The report lets two equal agents play a hundred games at each of five times a move. It finds that the second
# player has a slight advantage and that "time does not seem to matter". Both are surprising: the first
# player wins with perfect play, and more simulations make most searches stronger. Its program has two
# errors, and here they are, one at a time.


# *by Search*
#
# ### The reward that is always 1
#
# The report's state is an object, and playing a column *changes* it. So does a random game to the end.
# Its loop, in outline: walk down to a leaf; play that state to the end; then credit the leaf with 0 if the winner is
# the side to move, else with 1; and so on up the path, 1 and 0 in turn. After a draw every node above the leaf gets 0.


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
# The test needs the side that was to move *at the leaf*. As printed it asks the state after the random game.
# That game ended with the winner's stone, and the turn then passed to the loser. The side to move is
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
# In the compiled search that is one line: `backpropagate` is told 64, a win of who moved into the leaf, whoever
# has won. A draw is another matter. The listing credits the leaf with 1 here too, but on the way up 1 and 0
# no longer alternate: every node *above* the leaf gets 0. `printed_search` does both, word by word. A full grid is
# a drawn game as well.


# by Search · a visit that brings no reward
@jit
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
# after any other game. It is two kernels in the search as it stands. `rollout` answers who has won, +1 for black and
# −1 for white; the misread one plays its random game and then answers with whoever moved into the leaf. From the
# empty grid fewer than one random game in a hundred is a draw. But where a draw pays one of the two players, a search goes
# looking for draws; where it pays nobody above the leaf, it keeps away from them. The matches below show how much that is.


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
# The empty grid, searched by both: the share of the visits that each column gets.


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
    figure = five.core.new_figure(2.6 * len(counts), 4.6)
    panels = figure.subplots(
        len(VERSIONS), len(counts), sharex=True, sharey=True, squeeze=False
    )
    for row, version in zip(panels, VERSIONS, strict=True):
        row[0].set_ylabel(f"{version}\nshare of the visits")
        for ax, count in zip(row, counts, strict=True):
            share = shares[version, count]
            colour = "tab:blue" if version == "corrected" else "tab:orange"
            bars = ax.bar([column_name(i) for i in range(share.size)], share, color=colour)
            ax.bar_label(bars, [f"{value:.0%}" for value in share], fontsize=7, padding=1)
            ax.set_ylim(0, 1.1)
            ax.axhline(1 / share.size, color="0.6", linewidth=0.8, linestyle=":")
            ax.spines[["top", "right"]].set_visible(False)
            if version == "corrected":
                ax.set_title(f"{count:,} simulations", fontsize=9)
    return figure


# *by Experiments*
#
# A leaf is always a win for whoever moved into it: on the odd levels for black, on the even ones for white. So
# a column looks good or bad by the depth of its leaves alone. After $7 + 7^2 + 7^3 + 7^4$ simulations four
# levels are full and all columns alike, up to a few draws. Then the first column to get a leaf on the fifth level is credited with
# it, is visited more, and grows deeper than the others. Which one that is, chance decides.


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
# Does it at least see what is near? `must_block` draws positions in which the other side threatens to make
# four in one column, and the mover can't win at once. One column is right; `blocks` counts how often each
# version plays it.


# by Experiments · one column must be played
def random_game(stones: int, rng) -> five.core.Game:
    """Return a game of that many random moves, fewer if it ends before."""
    game = five.core.Game(four_rules())
    while len(game.played) < stones and not game.over:
        game.play(int(rng.choice(game.legal())))
    return game


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
# The second error makes two agents more alike. Both search in one tree, so each begins with what is left
# of the other's work below the move that was played. A `Memory` given to both does the same here, and the
# cell after it counts how much that is.


# by Search · two agents, one tree
def sharing(*agents: dict, make=Agent) -> list[Agent]:
    """Return an agent for each dict of arguments of `make`; all of them have one tree."""
    memory = Memory()
    return [make(**arguments, memory=memory) for arguments in agents]


# *by Experiments*
#
# ### What the errors cost
#
# Corrected against as printed; corrected against draws as wins; and an agent that keeps its tree against one that begins each
# move anew: half of the games with either colour, from the empty grid. `python -m experiments printed-match report-printed`
# plays them. What counts as better is a [verdict](strength.ipynb#Does-it-play-well?) of strength, the matches of a table one family.


# by Experiments · the tables of long matches
show_matches = partial(five.strength.show_results, stored=stored)


def score_said(row) -> str:
    """Return "0.62 (0.55 to 0.69)" for a row of a table of matches."""
    return f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})"


def scores_found(table) -> str:
    """Return the score of a in each match with its interval, as a sentence."""
    parts = [f"{row.a} against {row.b}: {score_said(row)}" for row in table.itertuples()]
    return "Score of the first: " + "; ".join(parts) + "."


# *by Experiments*
#
# What is thinking worth? Each version plays itself with a quarter of the simulations, at six budgets: with
# both errors, with each one alone, with none, and with draws as wins. `python -m experiments printed-more report-more`
# plays these matches, the first at four budgets and with fewer games. A number is the score of the many simulations with its interval; the
# essay draws them. *Own trees* means that the two agents share none.


# by Experiments · the score of four times the simulations
def more_table():
    """Return the tables printed-more and report-more as one; None without either."""
    import pandas as pd

    tables = [stored(name) for name in ("printed-more", "report-more")]
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
# ## 4. Tables 3.1 and 3.2 again
#
# The report gives each agent the same time, 1 to 60 seconds, and counts how often the first player wins; then 1
# second plays 5. Time depends on the machine and on the code, so here the *simulations* that the report
# states are repeated. Two questions: does the first player win more, and does more thinking pay?


# *by Experiments*
#
# What the report prints: seconds, mean simulations per move, and who has won of 100 games. It does not list draws separately.


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
# notebook: stop where the second move cannot catch up with the first any more; where the two are close at
# the end, go on, up to twice as long. It counts in any unit; here in simulations, so that games repeat.


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
# printed, which is played where it takes minutes. All go on where they were stopped; `--list` names the tables. Score and
# interval are the first player's; a draw counts ½.


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
            table = five.strength.read_results(table_name(counts, kind), RESULTS)
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
# The same as a figure: a row for each line of the report's tables, a mark for each version.


# by Experiments · the first player's score, three times
def repeated_figure(found: dict):
    """Return a figure of the first player's score in the report and in our games."""
    figure = five.core.new_figure(8.6, 4.2)
    ax = figure.subplots()
    ax.axvline(0.5, color="0.7", linewidth=1)
    names = ("report", *TESTED)
    styles = dict(zip(names, "s^vo", strict=True))
    colours = dict(zip(names, ("0.45", "tab:orange", "tab:brown", "tab:blue"), strict=True))
    places = dict(zip(names, (0.27, 0.09, -0.09, -0.27), strict=True))
    points: dict = {version: [] for version in styles}
    for place, row in enumerate(reversed(REPORTED), 1):
        score = row.wins[0] / sum(row.wins)
        low, high = five.strength.wilson(row.wins[0], sum(row.wins))
        points["report"].append((place + places["report"], score, low, high))
        for version, ours in found.get(row.counts, {}).items():
            y = place + places[version]
            points[version].append((y, ours.score, ours.low, ours.high))
    for version in (name for name in styles if points[name]):
        y, x, low, high = np.array(points[version]).T
        how = dict(fmt=styles[version], color=colours[version], label=version, capsize=3)
        ax.errorbar(x, y, xerr=[x - low, high - x], **how)
    ax.set_yticks(range(len(REPORTED), 0, -1), [counts_words(row.counts) for row in REPORTED])
    ax.set(xlabel="score of the first player", ylabel="simulations, first v second")
    ax.set(xlim=(0, 1), ylim=(0.5, len(REPORTED) + 0.5))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper left", fontsize=8, frameon=False)
    return figure


# *by Experiments*
#
# The two questions, answered from the tables that are there.


# by Experiments · the two questions
import textwrap

HALF = {"better": "more than half", "worse": "less than half", "open": "not told from half"}


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
# And the draws? The report lists none. The rule for draws is a small thing beside the reward, but it is the part of the program
# that a draw column can see.


# *by Experiments*
#
# How different are these games? The table shows the first five stones that were played most often, in how many
# games, and how many different beginnings there were. As printed nearly every game goes its own way. The
# corrected search plays the same few openings again and again. Every game has a seed of its own, so the intervals
# above hold for what they are: scores of two such agents from the empty grid. They do not carry over to other
# openings, for nearly all games ask who wins after one of a few. One of these is d1 d2 d3 d4, where only d5 still
# wins, as the solver of [section 5](#5.-Against-perfect-play) finds. That a game is won for the first player says little on how imperfect players
# fare in it.


# *by Experiments*
#
# And adaptive time, counted in simulations, against a fixed number that comes to the same total on average.


# *by Experiments*
#
# ## 5. Against perfect play
#
# Connect-4 is solved: Allen and Allis found in 1988, each on his own, that the first player wins by
# beginning in the middle. So here a move can be judged without opinion. This section builds a **perfect
# player**, asks how often the search plays a move that keeps what the position is worth, and lets both
# meet.
#
# A position's **score** counts stones. The winner's score is how many stones he has left when he
# wins, that one included; the loser's is the same number below zero; a draw is 0. On the standard
# grid each player has 21 stones, so a win with the last one scores 1. With $n$ stones on the grid of
# $K$ cells, a win with the very next stone scores
#
# $$\left\lfloor \frac{K + 1 - n}{2} \right\rfloor$$


# *by Search*
#
# A **threat** is an empty cell where a side would make four. On bits all of them come at once. For a
# direction $d$, `before` marks the cells with two stones in a row behind them, `after` those with two in
# front; one more stone on either side makes three, and the cell itself is the fourth:
#
# $$\underbrace{\bullet\bullet\bullet\,\circ}_{\text{before}} \qquad
# \bullet\bullet\circ\bullet \qquad \bullet\circ\bullet\bullet \qquad
# \underbrace{\circ\,\bullet\bullet\bullet}_{\text{after}}$$


# by Search · where a stone would make four
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


# *by Search*
#
# Two things need no search. If the other side has a threat where a stone could land, that cell must be
# taken, and two such cells are lost. And a stone *below* such a threat must not be played: it would
# make it possible. What is left are the `safe` moves; if there are none, the other side wins with its
# next stone.


# by Search · moves that do not lose at once
class Bounds(NamedTuple):
    """The numbers of a grid for the solver: those of Grid, and how many cells it has."""

    height: int
    columns: int
    cells: int
    bottom: int
    full: int


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


# *by Search*
#
# Alpha-beta cuts most where the best move is tried first. Here moves are tried in the order of the threats
# that they leave on the grid, then from the middle outwards. `sort_safe` writes them as numbers
# $64 \cdot \text{threats} + \text{nearness}$ and sorts them by insertion.


# by Search · the most threatening moves first
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


# *by Search*
#
# The same position comes about by many orders of moves. The **transposition table** remembers bounds of
# its score: `low` and `high`. A position's key is `own + both`: in each column this gives
# $2^h - 1$ for the height $h$, plus the stones of the mover among them, and no two columns give the
# same. A newer position takes the place of an older one.


# by Search · what is remembered of a position
ENTRY = np.dtype([("key", np.int64), ("low", np.int8), ("high", np.int8)], align=True)
SCATTER = 0x9E3779B97F4A7C1  # spreads neighbouring keys over the table


def empty_table(entries: int) -> np.ndarray:
    """Return a transposition table; `entries` is a power of two."""
    table = np.zeros(entries, ENTRY)
    table["key"] = -1
    return table


@jit
def place_of_key(table, key):
    """Return where a position is kept."""
    return (key * SCATTER >> 24) & table.size - 1


@jit
def keep_bound(entry, key, low, high):
    """Write what is known of a position, together with what was known of it before."""
    if entry.key == key:
        low, high = max(low, entry.low), min(high, entry.high)
    entry.key, entry.low, entry.high = key, low, high


# *by Search*
#
# **Alpha-beta** in the form of *negamax*: a position is worth the best of its moves, and a move is worth
# minus what it leaves to the other side. Only the window from $\alpha$ to $\beta$ matters: a score
# known to lie outside need not be known better. Before any move is tried the score is
# already bounded: the mover cannot win with this stone (it would have been played), nor can the other
# side with the next (the move is safe), so
#
# $$-\left\lfloor \frac{K - 2 - n}{2} \right\rfloor \le \text{score} \le
# \left\lfloor \frac{K - 1 - n}{2} \right\rfloor$$
#
# These ideas are well known: the bits and the table from John Tromp's *Fhourstones*, safe moves, threats in
# the ordering and the narrow windows from Pascal Pons' *Solving Connect 4*. The code is our own.


# by Search · alpha-beta with a table
@jit
def negamax(grid, table, marks, spent, own, both, stones, alpha, beta):
    """Return the score for the mover, exact if alpha < score < beta, else a bound of it.

    marks   int64[cells, columns]   room for the moves of each ply
    spent   int64[2]                positions looked at, and how many may be: then it gives up
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
    low, high = -((grid.cells - 2 - stones) // 2), (grid.cells - 1 - stones) // 2
    key = own + both
    entry = table[place_of_key(table, key)]
    if entry.key == key:
        low, high = max(low, np.int64(entry.low)), min(high, np.int64(entry.high))
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    beta, best, column = min(beta, high), low, (1 << grid.height) - 1
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
            keep_bound(table[place_of_key(table, key)], key, best, high)
            return best
    if best <= alpha:
        keep_bound(table[place_of_key(table, key)], key, low, best)
    else:
        keep_bound(table[place_of_key(table, key)], key, best, best)
    return best


# *by Search*
#
# ### The first plies
#
# The earlier a position, the longer it takes, and the fewer there are. So what is found out about a position of
# at most twelve stones is kept for good, outside the table: a pair of bounds for each, `low` and `high`. A mirror
# image is the same position. `early_bound` is negamax for these plies, in Python, for a window of one step; it
# tries first what is already known to be good. Below twelve stones it calls the kernel.


# by Search · what is known of the first plies
EARLY = 12  # stones


def key_of(grid: Bounds, own: int, both: int) -> int:
    """Return the key of a position; its mirror image has the same."""
    key, column = own + both, (1 << grid.height) - 1
    parts = [key >> col * grid.height & column for col in range(grid.columns)]
    mirror = sum(part << col * grid.height for col, part in enumerate(reversed(parts)))
    return min(key, mirror)


def known_bounds(solver, own: int, both: int) -> tuple[int, int]:
    """Return (low, high) of the score for the mover, who can neither win nor must lose now."""
    left, found = solver.grid.cells - both.bit_count(), None
    if solver.early is not None and both.bit_count() <= EARLY:
        found = solver.early.get(key_of(solver.grid, own, both))
    return found or (-((left - 2) // 2), (left - 1) // 2)


# by Search · does the score exceed m?
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
    solver.early[key_of(grid, own, both)] = bounds
    return best


# *by Search*
#
# An **opening book** is no more than such bounds, found beforehand. `python -m experiments connect-book` asks the solver
# for the exact score of every position of 0, 1, 2, … stones, as far as its time goes, and keeps all bounds that it meets on
# the way. A run that was stopped goes on. The file is part of the package; where it is missing or damaged the solver says
# so once and goes on without.


# by Search · the bounds in their file, and back
import base64
import hashlib
import json
import lzma

BOOK = five.cache.HERE / "connect_four.json"


def book_text(bounds: dict, made: str) -> str:
    """Return the file of {key: (low, high)}: keys by their differences, then both bounds."""
    keys = np.array(sorted(bounds), "<i8")
    pairs = np.array([bounds[key] for key in keys.tolist()], np.int8).reshape(-1, 2)
    parts = np.diff(keys, prepend=0).view(np.uint8).reshape(-1, 8)
    packed = lzma.compress(parts.T.tobytes() + pairs.T.tobytes(), preset=9)
    text = base64.b64encode(packed).decode()
    digest = hashlib.sha256(text.encode()).hexdigest()
    return json.dumps({"made": made, "digest": digest, "bounds": text}, indent=0) + "\n"


def read_book(file: Path = BOOK) -> dict:
    """Return {key: (low, high)} of a file; without a whole one a sentence says so: {}."""
    try:
        text = json.loads(Path(file).read_text("utf-8"))
        if hashlib.sha256(text["bounds"].encode()).hexdigest() != text["digest"]:
            raise ValueError("it is damaged")
        data = np.frombuffer(lzma.decompress(base64.b64decode(text["bounds"])), np.uint8)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = str(error).splitlines()[0]
        print(f"five_in_a_row: solves without {Path(file).name} ({reason})", file=sys.stderr)
        return {}
    rows = np.ascontiguousarray(data.reshape(10, -1).T)
    keys = np.cumsum(np.ascontiguousarray(rows[:, :8]).view("<i8").ravel()).tolist()
    return dict(zip(keys, map(tuple, rows[:, 8:].view(np.int8).tolist()), strict=True))


opening_book = lru_cache(read_book)  # read when a solver is made first


# *by Search*
#
# The window is narrowed step by step: `negamax` is asked only whether the score exceeds a number $m$,
# with the window from $m$ to $m + 1$, which is cheap; the answer halves what is left. The first $m$ are
# far out and come nearer to 0 from both sides, where the search is hardest. Positions that no book knows may
# take minutes, so a limit of positions to look at can be given.


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
    while low < high:
        middle = -(-low // 2) if -low > high else high // 2
        middle = min(high - 1, max(low, middle))
        found = early_bound(solver, spent, own, both, middle)
        if spent[0] > spent[1]:
            return None
        if not exact:
            found = min(1, max(-1, found))
        low, high = (low, found) if found <= middle else (found, high)
    return int(low)


# *by Search*
#
# A `Solver` keeps its table from question to question: what was found out for one position helps with the
# next.


# by Search · the score of a position, and of each column
class Solver:
    """A perfect player's knowledge of one grid; what it has found out it remembers.

    entries   of its table, a power of two
    book      {key: (low, high)} of early positions of the standard grid; None: opening_book()
    """

    def __init__(self, rules: five.core.Rules | None = None, entries=1 << 22, book=None):
        self.rules = four_rules() if rules is None else four_rules(rules.height, rules.size)
        grid = Grid(self.rules.height, self.rules.size)
        self.grid = Bounds(
            grid.height, grid.columns, self.rules.points, grid.bottom, grid.full
        )
        self.early = None  # small grids need no book
        if self.rules == four_rules():
            self.early = dict(opening_book() if book is None else book)
        self.table = empty_table(entries)
        self.marks = np.zeros((self.rules.points, grid.columns), np.int64)
        self.nodes = 0  # positions looked at for the last answer

    def score(self, game: five.core.Game, limit: int | None = None, exact: bool = True):
        """Return the score for the side to move; None where `limit` positions do not tell.

        exact   False: only the sign is searched for: +1 won, 0 drawn, -1 lost
        Raises ValueError for a game that is over or is played on another grid.
        """
        if game.over:
            raise ValueError("the game is over: its result is known")
        if game.rules != self.rules:
            raise ValueError(f"this solver knows {self.rules}, not {game.rules}")
        spent = np.array([0, 2**62 if limit is None else limit])
        found = narrowed(self, spent, *bits_of(game), exact)
        self.nodes = int(spent[0])
        return found

    def columns(self, game: five.core.Game, limit: int | None = None, exact: bool = True):
        """Return {column: score of playing it}, None where `limit` positions do not tell."""
        own, both = bits_of(game)
        self.score(game, 0)  # is it one that can be asked about?
        spent, found, nodes = np.zeros(2, np.int64), {}, 0
        for column, point in open_columns(game).items():
            stone = 1 << column * self.grid.height + point // self.rules.size
            spent[:] = 0, 2**62 if limit is None else limit
            found[column] = self._after(spent, own | stone, both | stone, exact)
            nodes += int(spent[0])
        self.nodes = nodes
        return found

    def _after(self, spent, own, both, exact):
        """Return the score for the player who has just moved and now has the stones `own`."""
        if has_four(own, self.grid.height):
            return (self.grid.cells + 2 - both.bit_count()) // 2 if exact else 1
        if both == self.grid.full:
            return 0
        score = narrowed(self, spent, own ^ both, both, exact)
        return None if score is None else -score


# *by Search*
#
# What the book knows: how many positions of so many stones there are, mirror images counted once and without those in
# which one of the next two stones wins, of how many it has the exact score, of how many at least who wins. And what are
# the seven first moves worth? Published are −2, −1, 0, +1, 0, −1, −2; below stands how far our own proof has come.


# *by Experiments*
#
# How long does a judgement take? `python -m experiments connect-judged` asks for all columns of random
# positions, once for exact scores and once for signs, each time with an empty table. Where the book ends the solver is
# alone; it gives up after a set number of positions, and so the longest times are those of giving up.


# by Experiments · how long a judgement takes
def judged_figure(table):
    """Return a figure of connect-judged: median and longest time by stones."""
    figure = five.core.new_figure(8.6, 3.6)
    ax = figure.subplots()
    for number, (what, rows) in enumerate(table.groupby("what", sort=False)):
        how = dict(color=f"C{number}", markersize=4)
        ax.plot(rows.stones, rows["median ms"], "o-", label=f"{what}, median", **how)
        ax.plot(rows.stones, rows["most ms"], "v:", label=f"{what}, longest", **how)
    ax.axhline(50, color="0.6", linewidth=1)
    ax.set(yscale="log", xlabel="stones on the grid", ylabel="ms for all columns")
    ax.legend(frameon=False, fontsize=8, ncols=2)
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def judged_words(table) -> str:
    """Return at which numbers of stones every position was judged within 50 ms."""
    said = []
    for what, rows in table.groupby("what", sort=False):
        quick = rows.stones[rows["within 50 ms"] == rows.positions].tolist()
        slow = rows.loc[rows["most ms"].idxmax()]
        said.append(
            f"{what}: all within 50 ms at {', '.join(map(str, quick)) or 'no number of'} "
            f"stones; the longest, {slow['most ms'] / 1000:,.1f} s, at {slow.stones}; some "
            f"column not told up to {rows.stones[rows.told < rows.positions].max()} stones"
        )
    return "; ".join(said).capitalize() + "."


# *by Search*
#
# `perfect_move` makes an opponent of it: choose *perfect* on the board of [section 2](#2.-Play). It plays a
# column that keeps what the position is worth; of several the one that wins soonest or loses latest. Early in the game, where
# neither book nor solver can tell in its time, the engine moves, and `why` says so.


# by Search · the perfect player as an opponent
import dataclasses

RATE = 1_000_000  # positions per second of thought that it may look at
perfect_solver = lru_cache(Solver)  # what it finds out stays for the next move


def perfect_move(game: five.core.Game, seconds=None, simulations=None, **how):
    """Return a SearchResult as five.engine.think does, by the solver where it can tell."""
    begun, solver, seconds = time.perf_counter(), perfect_solver(), seconds or 1
    limit = int(RATE * seconds / game.rules.size)
    signs = solver.columns(game, limit, exact=False)
    known = [sign for sign in signs.values() if sign is not None]
    best = max(known, default=-1)
    told = best > 0 or len(known) == len(signs)
    if not told or best < 0 and np.count_nonzero(game.array) <= EARLY:
        thought = five.engine.think(game, seconds, simulations, **how)
        why = "every column loses; the engine's" if told else "not known; the engine's"
        return dataclasses.replace(thought, why=why, proven=-1 if told else None)
    scores = solver.columns(game, limit) if best else signs
    scores = {column: best if s is None else s for column, s in scores.items()}
    middle = (game.rules.size - 1) / 2
    equal = [column for column, sign in signs.items() if sign == best]
    column = max(equal, key=lambda column: (scores[column], -abs(column - middle)))
    points, empty = open_columns(game), np.zeros(game.array.shape, np.int64)
    values = np.full(game.array.shape, np.nan)
    for each, sign in signs.items():
        values.flat[points[each]] = np.nan if sign is None else sign
    why = {1: "it wins", 0: "it draws", -1: "it loses latest"}[best]
    return five.core.SearchResult(
        points[column], why, empty, values, values.copy(), 0, time.perf_counter() - begun,
        [points[column]], best, how.get("seed") or 0,
    )  # fmt: skip


# *by Heuristics*
#
# ### Odd and even threats
#
# A threat whose cell cannot be reached yet is not worth nothing: it waits. When all other columns are full somebody must
# play below it, and who that is follows from counting. The grid has an even number of cells, and so has each column. Where
# nothing else is left, the second player can answer each stone in the same column, so he gets every cell of rows 2, 4
# and 6, and the first player those of rows 1, 3 and 5. So a waiting threat on an **odd** row is good for the first player, one on an
# **even** row for the second (Allis, 1988, calls the rule *follow-up*). An odd threat of the first player also turns the count in all
# other columns, for nobody wants to play the cell below it.


# by Heuristics · threats that wait
def waiting(game: five.core.Game) -> dict:
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


# by Heuristics · a board with its waiting threats
def waiting_figure(game: five.core.Game):
    """Return a figure of the discs, a cross where a threat waits, odd rows shaded."""
    rows, columns = game.array.shape
    figure = five.core.new_figure(4.6, 4.0)
    ax = figure.subplots()
    colours = {five.core.BLACK: ("black", "tab:red"), five.core.WHITE: ("white", "tab:blue")}
    for row in range(0, rows, 2):
        ax.axhspan(row - 0.5, row + 0.5, color="0.93", zorder=0)
    for side, (fill, cross) in colours.items():
        where = np.argwhere(game.array == side)
        size = dict(s=420, edgecolors="0.3", zorder=2)
        ax.scatter(where[:, 1], where[:, 0], facecolors=fill, **size)
        for row, column in waiting(game)[side]:
            ax.plot(column, row - 1, "x", color=cross, markersize=14, markeredgewidth=3)
    ax.set_xticks(range(columns), [column_name(column) for column in range(columns)])
    names = [f"{row + 1}  {('odd', 'even')[row % 2]}" for row in range(rows)]
    ax.set_yticks(range(rows), names)
    ax.set(xlim=(-0.6, columns - 0.4), ylim=(-0.6, rows - 0.4), aspect="equal")
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure


# *by Heuristics*
#
# One board, and a count over many: random positions in which exactly one threat waits. The solver says who wins. With 20
# cells left much else may still happen, so the rule shows only as a tendency, and most clearly for the first player.


# by Heuristics · who wins with one waiting threat?
def one_waiting(count: int, solver, stones: int = 22, seed: int = 1) -> list[tuple]:
    """Return (game, side, row, score for the first player) where exactly one threat waits."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        game = random_game(stones, rng)
        if game.over:
            continue
        threats = [(side, row) for side, each in waiting(game).items() for row, _ in each]
        wins = five.search.winning_points
        if len(threats) == 1 and not wins(game, 1) and not wins(game, -1):
            score = solver.score(game) * game.to_move
            found.append((game, *threats[0], score))
    return found


def waiting_rows(found) -> dict:
    """Return {whose threat: {row: who wins}} in words, from one_waiting."""
    rows: dict = {}
    for side in (five.core.BLACK, five.core.WHITE):
        for name, odd in (("odd", 1), ("even", 0)):
            scores = [s for _, who, row, s in found if who == side and row % 2 == odd]
            won = sum(np.sign(score) == side for score in scores)
            lost = sum(np.sign(score) == -side for score in scores)
            owner = "first player's" if side == five.core.BLACK else "second player's"
            words = f"won {won}, drawn {len(scores) - won - lost}, lost {lost}"
            rows.setdefault(f"{name} row", {})[f"the {owner} threat"] = words
    return rows


# *by Experiments*
#
# Small grids are solved from the first move on while one reads this. Nobody wins on most of them.


# *by Experiments*
#
# ### How often is a move right?
#
# A move is **right** if it keeps what the position is worth: a won position stays won, a drawn one drawn.
# How soon the win comes does not count. Where all columns are worth the same no move can be wrong, so
# such positions say nothing; the others leave **a choice**. What the columns are worth is written in
# seven characters: `+` won for the player who drops a stone there, `=` drawn, `-` lost, `.` full.


# by Experiments · is a move right?
class Judged(NamedTuple):
    """What is said of a move; all are truth values."""

    kept: bool  # it keeps what the position is worth
    choice: bool  # another column would not, or does not
    won: bool  # the position is won


def worth_text(scores: dict[int, int], columns: int) -> str:
    """Return the worth of every column as + = - or . in one text."""
    signs = {1: "+", 0: "=", -1: "-"}
    return "".join(
        signs[int(np.sign(scores[column]))] if column in scores else "."
        for column in range(columns)
    )


def judged(worth: str, column: int) -> Judged:
    """Judge a column by the text of worth_text. ValueError for a full one."""
    if worth[column] == ".":
        raise ValueError(f"column {column_name(column)} is full: {worth}")
    best = next(sign for sign in "+=-" if sign in worth)
    return Judged(worth[column] == best, len(set(worth) - {"."}) > 1, best == "+")


# *by Experiments*
#
# The command `python -m experiments connect-optimal` draws random positions at every ply that the
# solver can judge in seconds, asks plain UCT and UCT with proofs ([MCTS-Solver](search.ipynb#Select))
# for a move at each budget, and judges it. `pooled` adds up the plies. Random positions are easier than
# those of good play, most of them are won, and positions with fewer than eight stones are missing: they
# would take our solver minutes each.


# by Experiments · shares of right moves, with their intervals
def pooled(table, kept: str, of: str):
    """Return [(agent, simulations, share, low, high)] over all plies of the table."""
    rows = []
    for (agent, budget), part in table.groupby(["agent", "simulations"], sort=False):
        right, number = int(part[kept].sum()), int(part[of].sum())
        rows.append((agent, budget, right / number, *five.strength.wilson(right, number)))
    return rows


# by Experiments · the shares as a figure
def right_figure(table):
    """Return a figure: the share of right moves by simulations, over two sets of positions."""
    figure = five.core.new_figure(9.6, 3.6)
    panels = figure.subplots(1, 2, sharey=True)
    sets = {"with a choice": "choices", "won, with a choice": "won with a choice"}
    for ax, (title, of) in zip(panels, sets.items(), strict=True):
        kept = "kept with a choice" if of == "choices" else "kept won with a choice"
        for number, agent in enumerate(dict.fromkeys(table.agent)):
            rows = [row[1:] for row in pooled(table, kept, of) if row[0] == agent]
            budgets, share, low, high = map(np.array, zip(*rows, strict=True))
            error = [share - low, high - share]
            place = budgets * (1 + 0.08 * number)  # side by side, not one over the other
            mark = "os"[number] + "-"
            ax.errorbar(place, share, yerr=error, fmt=mark, capsize=3, label=agent)
        ax.set(xscale="log", xlabel="simulations per move", title=f"positions {title}")
        ax.grid(axis="y", color="0.9")
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("share of right moves (not from 0)")
    panels[0].legend(frameon=False, loc="lower right")
    return figure


# *by Experiments*
#
# Where in the game do the errors fall? For each ply, the share of *wrong* moves among positions with a
# choice; three plies are taken together.


# by Experiments · wrong moves by ply
def errors_by_ply(table, agent: str, together: int = 3) -> dict:
    """Return {simulations: [(mean ply, share of wrong moves, low, high), ...]}."""
    found: dict = {}
    mine = table[(table.agent == agent) & (table.choices > 0)]
    groups = (mine.ply - mine.ply.min()) // together
    for (budget, _), part in mine.groupby(["simulations", groups]):
        number = int(part.choices.sum())
        wrong = number - int(part["kept with a choice"].sum())
        row = (part.ply.mean(), wrong / number, *five.strength.wilson(wrong, number))
        found.setdefault(int(budget), []).append(row)
    return found


def errors_figure(found: dict):
    """Return a figure of errors_by_ply: one line a budget, with intervals side by side."""
    figure = five.core.new_figure(9.6, 3.6)
    ax = figure.subplots()
    for number, (budget, rows) in enumerate(found.items()):
        ply, share, low, high = map(np.array, zip(*rows, strict=True))
        place = ply + 0.5 * (number - len(found) / 2)  # side by side, not one over the other
        style = {"fmt": "osv^D"[number] + "-", "markersize": 4, "linewidth": 1, "capsize": 2}
        ax.errorbar(
            place, share, yerr=[share - low, high - share], label=f"{budget:,}", **style
        )
    ax.set(xlabel="stones on the grid", ylabel="share of wrong moves", ylim=(0, None))
    ax.legend(title="simulations per move", frameon=False, ncols=2)
    ax.spines[["top", "right"]].set_visible(False)
    return figure


# *by Experiments*
#
# Both figures and their sentences are made from the table.


# by Experiments · the table of right moves, shown
def show_right_moves() -> None:
    """Show how often the moves of the search were right, by simulations and by ply."""
    table = stored("connect-optimal")
    if table is None:
        return
    first = table.iloc[0]
    one = table[(table.agent == first.agent) & (table.simulations == first.simulations)]
    made = five.strength.made_words(first)
    about = (
        f"{one.positions.sum():,} random positions with {one.ply.min()} to {one.ply.max()} "
        f"stones, {one.choices.sum():,} with a choice, {one['won with a choice'].sum():,} of "
        f"these won; seed 1; {made}."
    )
    rows = pooled(table, "kept with a choice", "choices")
    said = "; ".join(
        f"{agent}, {budget:,}: {share:.1%} ({low:.1%} to {high:.1%})"
        for agent, budget, share, low, high in rows
    )
    mine = [row[1:3] for row in rows if row[0] == first.agent]
    (few, low), (many, high) = mine[0], mine[-1]
    rise = f"{low:.1%} right at {few:,} simulations, {high:.1%} at {many:,}"
    caption = f"{first.agent}: {rise}. {about}"
    five.core.show(
        right_figure(table), f"Shares of right moves with intervals. {said}.", caption
    )
    found = errors_by_ply(table, first.agent)
    early = {budget: rows[0] for budget, rows in found.items()}
    said = "; ".join(
        f"{budget:,}: {share:.0%} ({low:.0%} to {high:.0%})"
        for budget, (_, share, low, high) in early.items()
    )
    caption = (
        f"Wrong moves of {first.agent} among the positions with fewest stones, about "
        f"{next(iter(early.values()))[0]:.0f}, by simulations: {said}."
    )
    five.core.show(errors_figure(found), f"Shares of wrong moves by ply. {caption}", caption)


# *by Experiments*
#
# And in positions of good play? `python -m experiments connect-strong` takes a position from each of many games of the search
# with all ideas of [section 9](#9.-What-adds-strength), after three random stones, so that games differ. For comparison stand the
# random positions with as many stones.


# by Experiments · random positions beside those of strong play
def strong_rows(tables: dict) -> dict:
    """Return {what is counted: {set: words}} of tables like connect-optimal, for plain UCT."""
    least = max(table.ply.min() for table in tables.values())
    rows: dict = {}
    for name, table in tables.items():
        table = table[(table.agent == "plain UCT") & (table.ply >= least)]
        one = table[table.simulations == table.simulations.min()]
        rows[name] = {
            "positions": f"{one.positions.sum():,}",
            "won for the side to move": f"{one.won.sum() / one.positions.sum():.0%}",
            "with a choice": f"{one.choices.sum() / one.positions.sum():.0%}",
        }
        for _, budget, share, low, high in pooled(table, "kept with a choice", "choices"):
            words = f"{share:.1%} ({low:.1%} to {high:.1%})"
            rows[name][f"right at {budget:,} simulations"] = words
    return rows


# *by Experiments*
#
# ### Does it win the game that can be won?
#
# The first player wins with perfect play. So an agent that begins wins if it never lets the win go. It
# meets a second player who never errs: all his replies lose, so early he takes the one nearest the
# middle that does not lose at once, and as soon as the solver counts quickly, the one that loses latest. After each move of the agent
# the solver is asked whether the position is still lost for the other side; if it is not, the win has
# **slipped**, and the game is not played on.


# by Experiments · the second player, who is lost but does not err
RESIST = 12  # from so many stones on the latest loss is counted


def resist(solver: Solver, game: five.core.Game, rng) -> int:
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


def mirrored(game: five.core.Game) -> five.core.Game:
    """Return a game that begins from the same position seen in a mirror."""
    return five.core.Game.from_array(game.array[:, ::-1], game.to_move, game.rules)


# *by Experiments*
#
# A game goes on as long as the win is held.


# by Experiments · a game against perfect play
def hold_the_win(player, solver: Solver, seed: int, is_lost) -> tuple[five.core.Game, bool]:
    """Let a player begin against perfect play; return the game, and whether it was won.

    player    player(game, seed) returns a point, or a SearchResult
    is_lost   is_lost(game): is the game, which is not over, lost for the side to move?
    A game that was not won ends with the move that let the win go.
    """
    game, rng = five.core.Game(solver.rules), np.random.default_rng(seed)
    while not game.over:
        found = player(game.copy(), int(rng.integers(2**31)))
        game.play(getattr(found, "move", found))
        if not game.over and not is_lost(game):
            break
        if not game.over:
            drop(game, resist(solver, game, rng))
    return game, game.winner == five.core.BLACK


# *by Experiments*
#
# `python -m experiments connect-perfect` plays these games. Plain UCT and UCT with proofs begin, and
# so does the search with all ideas of [section 9](#9.-What-adds-strength), with two constants $c$. The left panel shows how many
# games are won; the others, in how many the win is still held after so many stones.


# by Experiments · games against perfect play, shown
def holding(row) -> tuple[list, list]:
    """Return (stones, share of a row's games in which the win is still held)."""
    lost = sorted(int(ply) for ply in str(row["slipped at"]).split() if ply != "nan")
    stones = range(0, 42)
    return list(stones), [1 - sum(p <= ply for p in lost) / row.games for ply in stones]


# by Experiments · games won and wins held, as a figure
def perfect_figure(table):
    """Return a figure of the table `perfect`: games won, and where the win slips."""
    figure = five.core.new_figure(10.4, 3.8)
    left, *others = figure.subplots(1, 3)
    groups = list(table.groupby("agent", sort=False))
    for number, (agent, rows) in enumerate(groups):
        place = rows.simulations * 1.1 ** (number - (len(groups) - 1) / 2)  # side by side
        error = [rows.score - rows.low, rows.high - rows.score]
        left.errorbar(place, rows.score, yerr=error, fmt="osD^"[number] + "-", label=agent)
    left.set(xscale="log", ylim=(-0.03, 1.03), xlabel="simulations per move")
    left.set_ylabel("share of games won")
    for ax, (agent, rows) in zip(others, (groups[0], groups[-1]), strict=True):
        for number, (_, row) in enumerate(rows.iterrows()):
            how = dict(color=f"C{number}", linestyle=("-", "--")[number % 2])
            ax.step(*holding(row), where="post", label=f"{row.simulations:,}", **how)
        ax.set(ylim=(-0.03, 1.03), xlabel="stones on the grid", ylabel="win still held")
        ax.set_title(agent, fontsize=10)
    for ax in (left, *others):
        ax.legend(frameon=False, fontsize=8)
        ax.spines[["top", "right"]].set_visible(False)
    return figure


# *by Experiments*
#
# Below the figure stand the numbers themselves.


# by Experiments · games against perfect play, in words
def perfect_words(table) -> str:
    """Return from how many simulations on each agent wins, in a sentence."""
    said = []
    for agent, rows in table.groupby("agent", sort=False):
        results = zip(table.won, table.games - table.won, strict=True)
        told = np.array(five.strength.verdicts(results))[table.agent == agent]
        short = rows[told != "better"].simulations.max()  # NaN where there is none
        sure = rows[~(rows.simulations <= short)].simulations.min()
        words = (
            f"from {sure:,.0f} simulations on" if sure == sure else "at none of these budgets"
        )
        said.append(f"{agent} wins more than half of its games beyond doubt {words}")
    plain = table[table.agent == table.agent.iloc[0]]
    first = [
        f"{str(row['slipped at']).split().count('1')} of {row.games} at {row.simulations:,}"
        for _, row in plain.iterrows()
    ]
    return (
        f"{'; '.join(said)} (Holm's rule over all rows). {plain.agent.iloc[0]} loses the win "
        f"with its first stone in "
        f"{', '.join(first)} simulations."
    )


# by Experiments · figure and words together
def show_perfect() -> None:
    """Show how often the first player's win was held against perfect play."""
    table = stored("connect-perfect")
    if table is None:
        return
    rows = [
        f"{row.agent}, {row.simulations:,} simulations: won {row.won} of {row.games} games, "
        f"95 % interval {row.low:.0%} to {row.high:.0%}"
        for row in table.itertuples()
    ]
    said = f"Games won against perfect play, with intervals. {'; '.join(rows)}."
    five.core.show(perfect_figure(table), said, perfect_words(table))
    print("\n".join(rows))
    first = table.iloc[0]
    print(f"Seed 1; {five.strength.made_words(first)}.")


# *by Experiments*
#
# How can more simulations lose what fewer held? The table below follows one search of the empty grid: what the
# columns seem to be worth to the first player, and their visits. The first stone in the middle wins, but
# only with the 41st stone. As the tree grows, it finds the defences one by one, and the value of the middle
# sinks. A column that was looked at less has its defences still to be found, so it seems better for a
# while. A small $c$ lets the search go there late and then stay long; with $c = \sqrt 2$ it looks at all
# columns all the time.


# *by Search*
#
# ## 6. Selection policies
#
# Each node asks one question again and again: which child next? It is the question of the
# **multi-armed bandit**. A gambler stands before $K$ slot machines with one *arm* each. Arm $i$ pays 1
# with an unknown chance $\mu_i$, else 0. The gambler wants to lose little by not pulling the best arm
# at once. The poster compares rules for this, and then gives them to the search as its policy $\pi_S$.
#
# This section does the same in order: the rules, each a small function; the rules as gamblers; the rules in
# the tree, at equal simulations and at equal time. Are the two rankings alike?


# *by Search*
#
# ### One shape for all
#
# A policy of the search is a kernel `select(workspace, tree, node, untried, options)`, as `ucb` is. Nearly every
# rule here is a **score**: it looks at one child and says how much that child deserves the next visit.
# `build_select` makes a policy of a score. A bandit is then no more than a root with $K$
# children, and the very same policy plays both.
#
# A score is told the child's mean reward and its visits $n$, the visits $N$ of the node, the number
# of children and the options. Where a rule is random it gets a stroke of *luck*, one number
# between 0 and 1 for the whole choice, and `workspace` for further draws.


# by Search · a policy from a score
from numba import typeof


@jit
def uniform(workspace):
    """Return a random number between 0 and 1, never one of them; workspace.random moves on."""
    return (five.search.random_below(workspace, 1 << 32) + 0.5) / 4294967296.0


# by Search · the policy of a score
@lru_cache
def build_select(score):
    """Return the policy that visits `untried` first, then the child of the highest score.

    score   a kernel score(workspace, luck, mean, n, N, arms, options); its constant is
            options.c_uct
    Equal scores are decided at random.
    """

    @five.cache.inline_kernel
    def select(workspace, tree, node, untried, options):
        if untried > 0:
            return np.int64(untried)
        record = tree[node]
        first, arms, N = (
            np.int64(record.first_child),
            np.int64(record.num_visited),
            np.int64(record.N),
        )
        best, chosen, ties, luck = -math.inf, np.int64(0), 1, uniform(workspace)
        for i in range(first, first + arms):
            child = tree[i]
            if options.solve and five.search.is_settled(child.status, N):
                continue
            n = np.int64(child.N)
            value = score(workspace, luck, child.W64 / (64.0 * n), n, N, arms, options)
            if chosen == 0 or value >= best:
                ties = 1 if chosen == 0 or value > best else ties + 1
                if ties == 1 or five.search.random_below(workspace, ties) == 0:
                    best, chosen = value, i
        return chosen

    return select


# *by Search*
#
# ### Upper confidence bounds
#
# **UCB1** (Auer, Cesa-Bianchi and Fischer, 2002) and **UCT** (Kocsis and Szepesvári, 2006) are [`ucb`](search.ipynb#Select)
# with $c = \sqrt 2$ and with $c$ free:
#
# $$\hat\mu + c \sqrt{\frac{\ln N}{n}}$$
#
# Three others have the same form. Of rewards that are 0 or 1 the variance is
# $\hat\sigma^2 = \hat\mu (1 - \hat\mu)$, so nothing more need be counted; with draws, worth ½, it is a
# little less than that. **UCB1-Tuned** (the same authors, 2002) narrows the bound where the variance is small:
#
# $$\hat\mu + \sqrt{\frac{\ln N}{n} \min\Big(\tfrac14,\; \hat\sigma^2 + \sqrt{\tfrac{2 \ln N}{n}}\Big)}$$
#
# Where $\hat\mu$ is near ½, or $n$ is small, the minimum is ¼, and UCB1-Tuned is UCT with $c = \frac12$.
#
# **UCB-V** (Audibert, Munos and Szepesvári, 2009) does so with proof, at the price of a second term:
#
# $$\hat\mu + \sqrt{\frac{2\, \hat\sigma^2 \ln N}{n}} + \frac{3 \ln N}{n}$$
#
# **MOSS** (Audibert and Bubeck, 2009) knows the horizon $T$, the number of pulls in all, and is curious
# only about arms with less than their share $T / K$ of them:
#
# $$\hat\mu + \sqrt{\frac{\max(0, \ln \frac{T}{K n})}{n}}$$
#
# A node of a tree doesn't know how often it will be visited. There $N$ stands for $T$ (Degenne and
# Perchet, 2016). The option `c_prior`, which plain search does not use, holds $T$ where it is known.


# by Search · three bounds in closed form
@jit
def ucb1_tuned(workspace, luck, mean, n, N, arms, options):
    """Return the bound of UCB1-Tuned. Source: Auer and others 2002, section 4."""
    share = math.log(N) / n
    spread = mean * (1 - mean) + math.sqrt(2 * share)
    return mean + math.sqrt(share * min(0.25, spread))


@jit
def ucb_v(workspace, luck, mean, n, N, arms, options):
    """Return the bound of UCB-V for rewards in 0...1. Source: Audibert and others 2009."""
    share = math.log(N) / n
    return mean + math.sqrt(2 * mean * (1 - mean) * share) + 3 * share


@jit
def moss(workspace, luck, mean, n, N, arms, options):
    """Return the index of MOSS; the horizon is the larger of options.c_prior and N."""
    horizon = max(float(N), options.c_prior)
    return mean + math.sqrt(max(0.0, math.log(horizon / (arms * n))) / n)


# *by Search*
#
# **KL-UCB** (Garivier and Cappé, 2011) asks for the largest chance $q$ under which what was seen would not
# be too surprising. Surprise is measured by the *Kullback–Leibler divergence* of two chances:
#
# $$\max\{\, q : n \, \mathrm{kl}(\hat\mu, q) \le \ln N \,\}, \qquad
# \mathrm{kl}(p, q) = p \ln \frac{p}{q} + (1 - p) \ln \frac{1 - p}{1 - q}$$
#
# There is no closed form. Above $\hat\mu$ the divergence is rising and convex, so Newton's method
# comes down to the answer from any place above it. Two such places are known, and the lower one is
# taken: $\hat\mu + \sqrt{b / 2}$ with $b = \ln N / n$, by Pinsker's inequality, and the chance that
# follows if the factor $q$ in the first term is put at 1.


# by Search · the KL-UCB bound
@jit
def kl(p, q):
    """Return the Kullback-Leibler divergence of two chances, 0 <= p <= 1 and 0 < q < 1."""
    found = 0.0
    if p > 0:
        found += p * math.log(p / q)
    if p < 1:
        found += (1 - p) * math.log((1 - p) / (1 - q))
    return found


@jit
def kl_bound(mean, b):
    """Return the largest q with kl(mean, q) <= b, within 1e-9."""
    if mean >= 1 or b <= 0:
        return mean
    certain = (mean * math.log(mean) if mean > 0 else 0.0) + (1 - mean) * math.log(1 - mean)
    q = min(mean + math.sqrt(b / 2), 1 - math.exp((certain - b) / (1 - mean)))
    for _ in range(50):
        if q >= 1 or q <= mean:
            break
        step = (kl(mean, q) - b) * q * (1 - q) / (q - mean)
        q -= step
        if step < 1e-9:
            break
    return min(1.0, max(mean, q))


@jit
def kl_ucb(workspace, luck, mean, n, N, arms, options):
    """Return the KL-UCB bound. Source: Garivier and Cappé 2011, with their c = 0."""
    return kl_bound(mean, math.log(N) / n)


# *by Search*
#
# ### What is believed of an arm
#
# Whoever knows nothing of an arm, and then sees $w$ wins in $n$ pulls, should believe of its chance
# what the density $\mathrm{Beta}(1 + w, 1 + n - w)$ says. **Bayes-UCB** (Kaufmann, Cappé and Garivier, 2012)
# scores the arm with the chance that it exceeds with belief $1 / N$ only: a *quantile* of that density.
#
# The belief above $x$ is an integral, the *incomplete beta function* $I_{1-x}(b, a)$, which has
# a continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22).


# by Search · what is believed above a place
@jit
def beta_fraction(a, b, x):
    """Return the continued fraction of the incomplete beta function, for x <= (a+1)/(a+b+2).

    Worked out from its beginning by the method of Lentz (1976), to about 1e-10.
    """
    value, c, d = 1.0, 1.0, 0.0
    for k in range(1000):
        m = k // 2
        if k == 0:
            term = 1.0
        elif k % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d)
        if k == 0:
            value, c = d, 1e300
            continue
        c = 1 + term / c
        value *= c * d
        if abs(c * d - 1) < 1e-10:
            break
    return value


# by Search · the chance to be above a place
@jit
def beta_above(a, b, x, log_beta):
    """Return (P(X > x), density at x) for X of Beta(a, b), 0 < x < 1; see log_beta."""
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - log_beta)
    if 1 - x <= (b + 1) / (a + b + 2):
        above = front * beta_fraction(b, a, 1 - x) / b
    else:
        above = 1 - front * beta_fraction(a, b, x) / a
    return above, front / (x * (1 - x))


@jit
def log_beta(a, b):
    """Return the logarithm of the beta function, which makes a density's area 1."""
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


# *by Search*
#
# The logarithm of the belief above $x$ is concave in $x$, so Newton's method on it comes down to the
# quantile from above. It begins where a bell curve would put the quantile. Where it leaves the bracket
# of what is known, the bracket is halved.


# by Search · the quantile of a beta density, and Bayes-UCB
@jit
def beta_quantile(a, b, above):
    """Return x with P(X > x) = above for X of Beta(a, b), a, b >= 1; within about 1e-7."""
    if above >= 1:
        return 0.0
    area, low, high = log_beta(a, b), 0.0, 1.0
    # begin where a bell curve for the log odds, ln x / (1 - x), has about that much above
    reach = math.sqrt(max(0.0, -2 * math.log(3 * above)) * (1 / a + 1 / b))
    x = 1 / (1 + b / a * math.exp(-reach))
    for _ in range(100):
        tail, density = beta_above(a, b, x, area)
        low, high = (x, high) if tail > above else (low, x)
        step = math.log(tail / above) * tail / density if tail > 0 else math.inf
        if abs(step) < 1e-5:  # the next step would be as small as its square
            return min(1.0, x + step)
        # where Newton has left the bracket, halve it
        x = x + step if low < x + step < high else (low + high) / 2
    return x


@jit
def bayes_ucb(workspace, luck, mean, n, N, arms, options):
    """Return the chance that is exceeded with belief 1/N. Source: Kaufmann and others 2012."""
    return beta_quantile(1 + mean * n, 1 + (1 - mean) * n, 1.0 / N)


# *by Search*
#
# **Thompson sampling** (Thompson, 1933) draws one chance for each arm from what is believed of it, and
# takes the arm with the highest draw. It is the oldest of these rules.
#
# $$\text{score} \sim \mathrm{Beta}(1 + w, 1 + n - w)$$
#
# A draw from a beta density is $g / (g + h)$ with $g$ and $h$ from two gamma densities, and those come
# from normal draws: $d \, (1 + x / \sqrt{9 d})^3$ with $d = a - \frac13$ has nearly the right
# density, and a test sends back just so many draws that it becomes exact (Marsaglia and Tsang, 2000).


# by Search · draws from normal, gamma and beta densities
@jit
def normal_draw(workspace):
    """Return a draw from the normal density. Source: Box and Muller 1958."""
    return math.sqrt(-2 * math.log(uniform(workspace))) * math.cos(
        2 * math.pi * uniform(workspace)
    )


@jit
def gamma_draw(workspace, shape):
    """Return a draw from the gamma density of that shape, 1 or more, and scale 1."""
    d = shape - 1 / 3
    while True:
        x = normal_draw(workspace)
        v = (1 + x / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(uniform(workspace)) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v


@jit
def beta_draw(workspace, a, b):
    """Return a draw from Beta(a, b), a and b 1 or more."""
    g = gamma_draw(workspace, a)
    return g / (g + gamma_draw(workspace, b))


@jit
def thompson(workspace, luck, mean, n, N, arms, options):
    """Return a draw from what is believed of the arm. Source: Thompson 1933."""
    return beta_draw(workspace, 1 + mean * n, 1 + (1 - mean) * n)


# *by Search*
#
# ### Chance instead of bounds
#
# **ε-greedy** takes the best mean, but with chance $\varepsilon$ any arm. A **decaying** ε (Auer and others,
# 2002) is $\varepsilon_N = \min(1, c K / N)$. **Softmax** takes arm $i$ with a chance in proportion to
# $e^{\hat\mu_i / \tau}$ (Luce, 1959; see Sutton and Barto, 1998).
#
# All three are scores as well. One stroke of luck serves the whole choice: if it is below
# $\varepsilon$, all scores are random numbers. And to add to each $\hat\mu_i$ a draw
# $-\tau \ln(-\ln u)$ from Gumbel's density, and take the highest sum, is softmax exactly (Gumbel, 1954).


# by Search · rules of chance
@jit
def greedy(workspace, luck, mean, n, N, arms, options):
    """Return the mean, or with chance options.c_uct a random number."""
    return uniform(workspace) if luck < options.c_uct else mean


@jit
def decaying_greedy(workspace, luck, mean, n, N, arms, options):
    """Return the mean, or with chance min(1, c K / N) a random number; c is options.c_uct.

    Source: Auer and others 2002, figure 3; their c / d^2 is one constant here.
    """
    return uniform(workspace) if luck < options.c_uct * arms / N else mean


@jit
def softmax(workspace, luck, mean, n, N, arms, options):
    """Return the mean and Gumbel noise: the highest is drawn as exp(mean / options.c_uct)."""
    return mean - options.c_uct * math.log(-math.log(uniform(workspace)))


# *by Search*
#
# **Exp3** (Auer, Cesa-Bianchi, Freund and Schapire, 2002) trusts nobody: rewards may come from an
# opponent. It draws arm $i$ with chance $p_i$ and counts a reward $r$ as $r / p_i$, as arms that are rarely
# drawn must count for more. With $G_i$ the sum of these,
#
# $$p_i = (1 - \gamma) \frac{e^{\gamma G_i / K}}{\sum_j e^{\gamma G_j / K}} + \frac{\gamma}{K}, \qquad
# \gamma = \min\Big(1, \sqrt{\frac{K \ln K}{(e - 1)\, T}}\Big)$$
#
# It is no score, since it has a memory: $G_i$, and the chance with which a child was drawn last. So its
# nodes are records with three fields more, which travel with them when `grow` moves children. What the
# last draw earned is seen at the next choice, from the growth of the child's reward. $T$ is as in MOSS.


# by Search · Exp3, the policy with a memory
MEMORY = np.dtype(
    [
        *five.search.NODE.descr,
        ("gain", np.float32),  # the rewards so far, each over the chance it was drawn with
        ("chance", np.float32),  # of the draw whose reward is not in `gain` yet; 0: none
        ("before", np.int32),  # W64 before that draw
    ]
)


@jit
def exp3(workspace, tree, node, untried, options):
    """Return a child drawn by Exp3, `untried` first; 0 if there is none; for MEMORY nodes."""
    if untried > 0:
        tree[untried].gain, tree[untried].chance, tree[untried].before = 0, 1, 0
        return np.int64(untried)
    first, arms = np.int64(tree[node].first_child), np.int64(tree[node].num_visited)
    if arms == 0:
        return np.int64(0)
    most = -math.inf
    for i in range(first, first + arms):
        child = tree[i]
        if child.chance > 0:  # what the last draw has earned
            child.gain += (child.W64 - child.before) / (64 * child.chance)
            child.chance = 0
        most = max(most, child.gain)
    horizon = max(float(tree[node].N), options.c_prior)
    mix = min(1.0, math.sqrt(arms * math.log(arms) / ((math.e - 1) * horizon)))
    total, rest, chosen = 0.0, uniform(workspace), first
    for i in range(first, first + arms):
        total += math.exp(mix / arms * (tree[i].gain - most))
    for i in range(first, first + arms):
        chance = (1 - mix) * math.exp(mix / arms * (tree[i].gain - most)) / total + mix / arms
        chosen, rest = i, rest - chance
        if rest < 0:
            break
    tree[chosen].chance, tree[chosen].before = chance, tree[chosen].W64
    return chosen


# *by Search*
#
# **Sequential halving** (Karnin, Koren and Somekh, 2013) has another aim: not to earn much on the way, but
# to name the best arm in the end. It knows the budget $T$ and spends it in $\lceil \log_2 K \rceil$
# rounds of equal size. In each round all arms that are left get the same number of pulls; then the worse
# half is out.
#
# At the root of a search this is just the aim, for only the final move counts. Below it the tree goes on with
# UCT. The byte `prior`, which plain search does not use, marks a child that is out.


# by Search · sequential halving at the root
@jit
def worst_left(tree, first, last):
    """Return the child of the lowest mean among those that are not out."""
    worst, found = math.inf, np.int64(0)
    for i in range(first, last):
        mean = tree[i].W64 / (64.0 * tree[i].N)
        if tree[i].prior == 0 and mean < worst:
            worst, found = mean, i
    return found


@jit
def halving(workspace, tree, node, untried, options):
    """Return the root's child that sequential halving visits next; elsewhere that of `ucb`.

    options.c_prior is the budget, simulations of the whole search.
    """
    if untried > 0 or node != 0 or tree[node].num_visited < 2:
        return five.search.ucb(workspace, tree, node, untried, options)
    first, arms = np.int64(tree[0].first_child), np.int64(tree[0].num_visited)
    rounds = math.ceil(math.log2(arms))
    while True:
        left, least, chosen = 0, np.int64(1 << 62), np.int64(0)
        for i in range(first, first + arms):
            if tree[i].prior == 0:
                left += 1
                if tree[i].N < least:
                    least, chosen = np.int64(tree[i].N), i
        size, target = arms, 0  # how many visits an arm that is left should have by now
        while True:
            target += max(1, int((options.c_prior - 1) / (size * rounds)))
            if size <= left:
                break
            size = (size + 1) // 2
        if left == 1 or least < target:
            return chosen
        for _ in range(left - (left + 1) // 2):
            tree[worst_left(tree, first, first + arms)].prior = 1


# *by Search*
#
# The policies by name, with the constants that the tables use. Those of the bounds are their
# authors'; the four values of $c$ for UCT, and the constants of the rules of chance, are common
# choices. `MEMORY` nodes and a known budget are what single policies ask for beyond that.


# by Search · all policies by name
class Policy(NamedTuple):
    """A selection policy with its constant, and what it needs beside them."""

    select: object  # a kernel as build_search takes it
    c: float = 0.0  # options.c_uct
    node: np.dtype = five.search.NODE  # the record of a node
    plans: bool = False  # True: must know the budget in the tree, too, in options.c_prior


POLICIES = {
    "UCB1": Policy(five.search.ucb, math.sqrt(2)),
    **{f"UCT {c:g}": Policy(five.search.ucb, c) for c in (0.25, 0.5, 1.0, 2.0)},
    "UCB1-Tuned": Policy(build_select(ucb1_tuned)),
    "UCB-V": Policy(build_select(ucb_v)),
    "KL-UCB": Policy(build_select(kl_ucb)),
    "MOSS": Policy(build_select(moss)),
    "Bayes-UCB": Policy(build_select(bayes_ucb)),
    "Thompson": Policy(build_select(thompson)),
    "epsilon-greedy": Policy(build_select(greedy), 0.1),
    "decaying epsilon": Policy(build_select(decaying_greedy), 5.0),
    "softmax": Policy(build_select(softmax), 0.1),
    "Exp3": Policy(exp3, node=MEMORY),
    "halving": Policy(halving, 0.5, plans=True),
}


# by Search · a policy by its name
def find_policy(name: str) -> Policy:
    """Return the policy of that name in POLICIES; ValueError for another."""
    if name not in POLICIES:
        raise ValueError(f"no policy {name!r}: there are {', '.join(POLICIES)}")
    return POLICIES[name]


# *by Experiments*
#
# ### As gamblers
#
# `build_gambler` lets a policy pull the arms of a bandit: the root of a tree with one child for each arm.
# Two things are noted at certain numbers of pulls. The **cumulative regret** is what was lost on the way,
# $\sum_i n_i \, (\mu^* - \mu_i)$ with $\mu^*$ the best chance. The **simple regret** is what would be lost
# by trusting the result: $\mu^* - \mu_j$, with $j$ the arm pulled most, of several the one with the
# best mean.


# *by Experiments*
#
# Regret depends on the arms. Four sets are stationary: three arms with one good rival, ten arms that are hard to tell
# apart, two that pay nearly always, and ten that hardly ever do (the last from Garivier and Cappé, 2011). The
# fifth **drifts**. Its arms begin at one chance and move to another, half of the way in their own first
# `DRIFT` pulls; the two that begin best are not the best in the end. Regret there is counted by where the
# chances end.


# by Experiments · the arms of the tables
DRIFT = 100  # pulls of an arm in which its chance goes half of its way


class Arms(NamedTuple):
    """A bandit: the chances of its arms, the horizon, and where chances that drift begin."""

    chances: tuple[float, ...]
    pulls: int
    begins: tuple[float, ...] | None = None  # None: the chances stay as they are


ARMS = {
    "three arms": Arms((0.1, 0.5, 0.6), 2_000),
    "ten arms": Arms((0.55, *[0.45] * 9), 5_000),
    "two good arms": Arms((0.8, 0.9), 2_000),
    "rare wins": Arms((0.1, *[0.05] * 3, *[0.02] * 3, *[0.01] * 3), 2_000),
    "drifting arms": Arms(
        (0.65, 0.5, 0.5, 0.4, 0.4, 0.3, 0.3), 2_000, (0.5, 0.7, 0.5, 0.6, 0.4, 0.5, 0.3)
    ),
}


# by Experiments · a policy at the arms of a bandit
GAMBLER = np.dtype([("path", np.int32, 2), ("random", np.uint64)])


@lru_cache
def build_gambler(select):
    """Return gamble(workspace, tree, options, begins, chances, marks, regrets)."""

    @five.cache.inline_kernel
    def gamble(workspace, tree, options, begins, chances, marks, regrets):
        """Pull marks[-1] times; write (cumulative, simple regret) at each mark to regrets.

        An arm's chance goes from `begins` to `chances` with its own pulls.
        """
        arms, best, at = chances.size, chances.max(), 0
        tree[0].first_child, tree[0].num_children, workspace.path[1] = 1, arms, 1
        for pulls in range(1, marks[-1] + 1):
            fresh = tree[0].num_visited + 1 if tree[0].num_visited < arms else 0
            child = select(workspace, tree, np.int64(0), np.int64(fresh), options)
            tree[0].num_visited += fresh > 0
            workspace.path[1] = child
            way = (begins[child - 1] - chances[child - 1]) * DRIFT / (DRIFT + tree[child].N)
            won = uniform(workspace) < chances[child - 1] + way
            five.search.backpropagate(tree, workspace.path, 1, 64 * np.int64(won))
            if pulls == marks[at]:
                top = 1
                for i in range(1, arms + 1):
                    regrets[at, 0] += tree[i].N * (best - chances[i - 1])
                    if (tree[i].N, tree[i].W64) > (tree[top].N, tree[top].W64):
                        top = i
                regrets[at, 1] = best - chances[top - 1]
                at += 1

    return gamble


# *by Experiments*
#
# `gamble` repeats that from many seeds.


# by Experiments · many repetitions
def gamble(
    name: str, chances, marks, repetitions: int, seed: int = 1, begins=None
) -> np.ndarray:
    """Return float[repetitions, marks, 2]: cumulative and simple regret of a policy.

    chances   of the arms; marks   numbers of pulls, rising: the last is the horizon T
    begins    the chances of first pulls where they drift; None: they do not
    Raises ValueError for a policy that is not in POLICIES.
    """
    policy = find_policy(name)
    chances, marks = np.asarray(chances, float), np.asarray(marks, np.int64)
    begins = chances if begins is None else np.asarray(begins, float)
    run, found = build_gambler(policy.select), np.zeros((repetitions, len(marks), 2))
    own = five.search.SearchOptions(c_uct=policy.c, c_prior=float(marks[-1]), solve=False)
    seeds = np.random.SeedSequence(seed).generate_state(repetitions, np.uint64)
    workspace = np.zeros(1, GAMBLER).view(np.recarray)[0]
    for each, state in zip(found, seeds, strict=True):
        workspace.random = state
        tree = np.zeros(len(chances) + 1, policy.node)
        run(workspace, tree, own, begins, chances, marks, each)
    return found


# *by Experiments*
#
# Three other programs measured six of the policies on these three arms; the table below puts their regret beside
# ours. They agree. For UCB1-Tuned they have a second number, for the rule without its minimum of ¼, which is easily
# left out: it doubles the regret.


# by Experiments · regret after 2,000 pulls of 0.1, 0.5 and 0.6 in other programs
KNOWN = {
    "UCB1-Tuned": "17",
    "Thompson": "19",
    "Bayes-UCB": "20–23",
    "KL-UCB": "23",
    "MOSS": "26",
    "UCB1": "60",
}
KNOWN_WITHOUT = "33.6"  # UCB1-Tuned without its minimum
KNOWN_ON = "three arms, 2,000 pulls"


# *by Experiments*
#
# ### How little can be lost
#
# **Lai and Robbins** (1985) proved a floor. A policy that does well on *every* set of arms must pull the worse ones
# often enough to be sure of them, so that in the long run
#
# $$\text{regret} \ge \ln t \sum_{i:\, \mu_i < \mu^*} \frac{\mu^* - \mu_i}{\mathrm{kl}(\mu_i, \mu^*)}$$
#
# The floor holds for large $t$ only, and says how fast regret must *grow*: a line of less than that slope is no better
# policy, but one that is sometimes wrong for ever, or one whose long run has not begun. It is the dashed line of the
# figure. Arms that drift have no such floor.


# by Experiments · the least growth of regret
def lai_robbins(chances) -> float:
    """Return the least growth of regret by ln t, of a policy that is good on all arms.

    Source: Lai and Robbins 1985, for arms that pay 0 or 1.
    """
    best = max(chances)
    return sum((best - chance) / kl(chance, best) for chance in chances if chance < best)


# *by Experiments*
#
# The figure has a line for each policy: solid for bounds, dashed for beliefs, dotted for rules of chance.
# Its labels stand at the ends of the lines, moved apart no further than needed.


# by Experiments · lines and labels
def line_style(policy: str) -> dict:
    """Return the colour and dashes of a policy's kind: bound, belief, chance, or halving."""
    kinds = {
        ("Bayes-UCB", "Thompson"): {"linestyle": "--", "color": "tab:green"},
        ("epsilon-greedy", "decaying epsilon", "softmax", "Exp3"): {
            "linestyle": ":",
            "color": "tab:brown",
        },
        ("halving",): {"linestyle": "-.", "color": "0.3"},
    }
    found = (style for names, style in kinds.items() if policy in names)
    return next(found, {"linestyle": "-", "color": "tab:blue"})


# by Experiments · labels that do not overlap
def spread_out(values, gap: float) -> np.ndarray:
    """Return places for labels beside values, in their order, at least `gap` apart."""
    values = np.asarray(values, float)
    order = np.argsort(values, kind="stable")
    steps = gap * np.arange(len(values))
    # the rising sequence nearest to values - steps, by pooling neighbours that cross
    pools: list = []
    for value in values[order] - steps:
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            mean, count = pools.pop()
            pools[-1][0] = (pools[-1][0] * pools[-1][1] + mean * count) / (
                pools[-1][1] + count
            )
            pools[-1][1] += count
    places = np.empty(len(values))
    places[order] = np.concatenate([[mean] * count for mean, count in pools]) + steps
    return places


# by Experiments · regret by pulls
def regret_figure(table):
    """Return a figure: cumulative regret by pulls, one panel for each set of arms."""
    rows = -(-table.arms.nunique() // 2)
    figure = five.core.new_figure(9.6, 4.2 * rows)
    panels = figure.subplots(rows, 2, squeeze=False).ravel()
    for ax in panels[table.arms.nunique() :]:
        ax.set_axis_off()
    for ax, (arms, mine) in zip(panels, table.groupby("arms", sort=False), strict=False):
        ends = mine[mine.pulls == mine.pulls.max()].set_index("policy")
        last = ends.pulls.iloc[0]
        gap = max(1.0, math.log10(ends.regret.max())) / 21  # of the height of the axes
        labels = spread_out(np.log10(ends.regret), gap)
        for policy, place in zip(ends.index, labels, strict=True):
            found, style = mine[mine.policy == policy], line_style(policy)
            ax.loglog(found.pulls, found.regret, linewidth=1.3, **style)
            beside = 10**place
            line = {"linewidth": 0.4, "color": "0.6", "clip_on": False}
            ax.plot([last, 1.25 * last], [ends.regret[policy], beside], **line)
            words = {"color": style["color"], "fontsize": 8, "va": "center"}
            ax.text(1.3 * last, beside, policy, **words)
        draw_floor(ax, arms, last)
        ax.set(title=f"{arms} (own scale)", xlabel="pulls", ylabel="cumulative regret")
        ax.set_xlim(10, last)
        ax.set_ylim(mine.regret[mine.pulls >= 10].min() / 1.3, 10 ** (max(labels) + gap))
        ax.spines[["top", "right"]].set_visible(False)
    return figure


def draw_floor(ax, arms: str, last: int) -> None:
    """Draw the Lai-Robbins line of a set of ARMS up to the last pull, where there is one."""
    if arms not in ARMS or ARMS[arms].begins is not None:
        return
    pulls, rate = np.geomspace(10, last, 50), lai_robbins(ARMS[arms].chances)
    ax.plot(pulls, rate * np.log(pulls), "k--", linewidth=1.6)
    ax.annotate("Lai–Robbins", (11, 1.4 * rate * math.log(11)), fontsize=8)


# *by Experiments*
#
# A mean hides how the losses are spread. The second figure has a bar from the median to the 90 % quantile, a thin line
# on to the 99 % quantile, and a cross at the mean. A policy with a long bar loses little in half of its runs, and a
# great deal in some: those in which it gave up the best arm early.


# by Experiments · how the losses are spread
def last_pull(table):
    """Return the rows of a table of bandits that have the last pull of their arms."""
    return table[table.pulls == table.groupby("arms").pulls.transform("max")]


def tail_figure(table):
    """Return a figure: median, 90 and 99 % quantile and mean of the regret of each policy."""
    last = last_pull(table)
    order = last[last.arms == last.arms.iloc[0]].sort_values("regret", ascending=False).policy
    figure = five.core.new_figure(9.6, 4.0)
    panels = figure.subplots(1, last.arms.nunique(), sharey=True, squeeze=False)[0]
    for ax, (arms, mine) in zip(panels, last.groupby("arms", sort=False), strict=True):
        mine, places = mine.set_index("policy").loc[order], np.arange(len(order))
        ax.hlines(places, mine["90 %"], mine["99 %"], color="tab:blue", linewidth=1)
        ax.hlines(places, mine["median"], mine["90 %"], color="tab:blue", linewidth=5)
        ax.plot(mine.regret, places, "x", color="black", markersize=5)
        ax.set_xlim(left=0)
        ax.set_title(f"{arms},\n{mine.pulls.iloc[0]:,} pulls", fontsize=9)
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(np.arange(len(order)), order, fontsize=8)
    figure.supxlabel("cumulative regret", fontsize=9)
    return figure


# by Experiments · the last regret in words
def regret_rows(table, words):
    """Return a table of words(row) by policy and arms, least regret on the first on top."""
    import pandas as pd

    last, columns = last_pull(table), {}
    for arms, mine in last.groupby("arms", sort=False):
        pulls = mine.pulls.iloc[0]
        said = map(words, mine.to_dict("records"))
        columns[f"{arms}, {pulls:,} pulls"] = dict(zip(mine.policy, said, strict=True))
    first = last[last.arms == last.arms.iloc[0]].sort_values("regret")
    return pd.DataFrame(columns).loc[list(first.policy)]


def beside_known(rows):
    """Put what other programs found on the same bandit beside rows of regret, if any."""
    found = [KNOWN.get(policy, "–") for policy in rows.index]
    if rows.columns[0] == KNOWN_ON:
        rows.insert(1, "in other programs", found)


REGRET_WORDS = {  # what the rows show
    "Regret ± standard error": "{regret:.1f} ± {error:.1f}",
    "Median · 90 % · 99 % of the regret": "{median:.0f} · {90 %:.0f} · {99 %:.0f}",
    "Simple regret ± standard error": "{simple regret:.4f} ± {simple error:.4f}",
}


# *by Experiments*
#
# `python -m experiments bandits` measures the regret of all policies on the five sets of arms, over many repetitions.
# Figures and tables; the order is that of the regret on three arms.


# by Experiments · what the figures say
def regret_found(table) -> str:
    """Return in a sentence for each set of arms which three policies lose least."""
    said = [
        f"{arms}: {', '.join(mine.nsmallest(3, 'regret').policy)}"
        for arms, mine in last_pull(table).groupby("arms", sort=False)
    ]
    return f"Least regret on {'; on '.join(said)}."


def tail_found(table) -> str:
    """Return in sentences which policy has the heaviest tail on the first set of arms."""
    last = last_pull(table)
    mine = last[last.arms == last.arms.iloc[0]].set_index("policy")
    name = (mine["99 %"] / mine["median"].clip(lower=1)).idxmax()
    by_mean, by_median = (int(mine[by].rank()[name]) for by in ("regret", "median"))
    row = mine.loc[name]
    return (
        f"{name} has the heaviest tail on {row.arms}: half of its runs lose "
        f"{row['median']:.0f} or less, one in a hundred {row['99 %']:.0f} or more. "
        f"By its median it is number {by_median} of {len(mine)}, by its mean number {by_mean}."
    )


# by Experiments · show the regret of all policies
def show_regret() -> None:
    """Show the table of bandits as figures and rows, or say how to make it."""
    from IPython.display import display

    table = stored("bandits")
    if table is None:
        return
    rows = {what: regret_rows(table, text.format_map) for what, text in REGRET_WORDS.items()}
    about = table.iloc[0]
    made = f"{about.repetitions:,} repetitions, seed 1; {five.strength.made_words(about)}."
    figures = {
        regret_figure: f"{regret_found(table)} Dashed: the floor of Lai and Robbins.",
        tail_figure: tail_found(table),
    }
    for (draw, found), (what, shown) in zip(figures.items(), rows.items(), strict=False):
        said = "; ".join(f"{name}: {', '.join(row)}" for name, row in shown.iterrows())
        alt = f"{what}, on {', '.join(shown.columns)}. {said}."
        five.core.show(draw(table), alt, f"{found} {made}")
    beside_known(rows["Regret ± standard error"])
    for what, shown in rows.items():
        print(f"\n{what}")
        display(shown)


# *by Experiments*
#
# ### In the tree
#
# A `StudyTree` is a `Tree` whose search and whose kind of node are chosen freely. Time is the processor
# time of its own thread, so another program on the machine changes nothing. Sequential halving must
# know its budget: where that is given in seconds, the tree works out from its speed so far how many
# simulations they will allow.


# by Experiments · a tree with a search of one's choice
class StudyTree(five.search.Tree):
    """The search of one position, by a search and with a kind of node of one's choice.

    search    as five.search.build_search returns it; `node` is the record of a node
    seconds   what the search will have; options.c_prior then says how many simulations that
              makes at its speed so far. None: the options are left alone
    """

    def __init__(
        self, game, kernels, search, options, records, node=five.search.NODE, seconds=None
    ):
        self.rules, self.kernels, self.options = (
            game.rules,
            kernels,
            five.search.check_options(options),
        )
        self.workspace = five.search.new_search(kernels, game, options.seed)
        self.nodes = np.zeros(records, node)
        self.nodes["move"][0] = -1
        self._search, self.all = search, [self]
        if not search.signatures:  # compile now: it is not thinking time
            search.compile(tuple(map(typeof, (self.workspace, self.nodes, self.options, 1))))
        self.seconds, self.begun = seconds, time.thread_time()

    def run(self, simulations: int) -> int:
        """Make that many simulations; return how many it made."""
        made = super().run(simulations)
        if self.seconds is not None and self.root.N > 64:  # before that its speed is not known
            share = (time.thread_time() - self.begun) / self.seconds
            ahead = self.root.N / min(1.0, share)
            self.options = self.options._replace(c_prior=float(ahead))
        return made


# *by Experiments*
#
# `study_player` is what all players of these sections have in common: every position is searched anew, and
# the budget counts simulations or processor time. What is searched, `plant` says.


# by Experiments · the frame of a player
def study_player(plant, options: five.search.SearchOptions, simulations=None, seconds=None):
    """Return a player that searches a fresh tree for each move and returns a SearchResult.

    plant     plant(game, options, budget) returns the tree
    seconds   processor time per move
    Raises ValueError for a bad budget.
    """
    budget = five.search.check_budget(seconds, simulations, clock=time.thread_time)

    def play(game: five.core.Game, seed: int | None = None) -> five.core.SearchResult:
        own = options._replace(seed=options.seed if seed is None else seed)
        tree = plant(game, own, budget)
        return five.search.read_tree(tree, *five.search.run_budget(tree, budget))

    return play


# *by Experiments*
#
# `policy_player` is a player that searches with a policy. Nothing else differs between such players. No
# result is proven (`solve=False`), playouts are random, and the most visited move is played.


# by Experiments · a policy as a player
def four_kernels(rules: five.core.Rules) -> five.search.Kernels:
    """Return the kernels of Connect-4 on the grid of these rules."""
    return four_game(rules.height, rules.size)


@lru_cache
def policy_search(kernels: five.search.Kernels, select):
    """Return the search of a game with a policy, built once a session."""
    return five.search.build_search(kernels, select)


# by Experiments · the player
def policy_player(
    name: str,
    simulations: int | None = None,
    seconds: float | None = None,
    build=policy_search,
    choose_kernels=four_kernels,
):
    """Return a study_player that searches with a policy of POLICIES.

    build            build(kernels, select) returns the compiled search
    choose_kernels   choose_kernels(rules) returns the kernels of the game
    Raises ValueError for a policy that is not in POLICIES, or a bad budget.
    """
    policy, horizon = find_policy(name), 0.0
    if policy.plans:  # it must know its budget; one in seconds is worked out on the way
        horizon = 1e9 if simulations is None else float(simulations)
    options = five.search.SearchOptions(c_uct=policy.c, c_prior=horizon, solve=False)
    timed = seconds if policy.plans and simulations is None else None

    def plant(game, own, budget):
        kernels, mine = choose_kernels(game.rules), POLICIES[name]
        search = build(kernels, mine.select)
        return StudyTree(game, kernels, search, own, budget.records(), mine.node, timed)

    return study_player(plant, options, simulations, seconds)


# *by Experiments*
#
# The arms of a bandit stay what they are. A child of the root does not: the oftener it is visited, the better the
# replies below it are chosen, and the mean of its rewards moves. That is why one set of arms above drifts. Here is a
# root's view of its moves, by simulations: what looks worst at first is played in the end.


# *by Experiments*
#
# `python -m experiments policies` lets each policy play each other one, from random openings of
# two to four stones, each with both colours: once with 1,000 simulations per move for both, once with
# equal processor time. A policy's **mean score** over all the others ranks it. In the matrix a row
# is the policy that scores, a column its opponent.


# by Experiments · who beats whom
def score_matrix(table, budget: str):
    """Return the scores of one budget, row against column, the best mean score first."""
    import pandas as pd

    mine = table[table.budget == budget]
    names = list(dict.fromkeys([*mine.a, *mine.b]))
    matrix = pd.DataFrame(np.nan, names, names)
    for row in mine.itertuples():
        score = (row.won + row.drawn / 2) / row.games
        matrix.loc[row.a, row.b], matrix.loc[row.b, row.a] = score, 1 - score
    order = matrix.mean(axis=1).sort_values(ascending=False, kind="stable").index
    return matrix.loc[order, order]


# *by Experiments*
#
# The matrix as a picture, and the ranking as a table: mean score, its interval, and how many
# simulations per move the policy made.


# by Experiments · matrix and ranking to look at
def matrix_figure(matrix):
    """Return a figure of a score matrix in percent, with the mean scores beside it."""
    figure = five.core.new_figure(8.2, 6.2)
    ax = figure.subplots()
    image = ax.imshow(100 * matrix, cmap="RdBu", vmin=0, vmax=100)
    for (row, col), score in np.ndenumerate(matrix.to_numpy()):
        if not math.isnan(score):
            ink = "white" if abs(score - 0.5) > 0.3 else "black"
            ax.text(
                col, row, f"{100 * score:.0f}", ha="center", va="center", color=ink, fontsize=7
            )
    means = matrix.mean(axis=1)
    names = [f"{name}  {100 * mean:.0f}" for name, mean in means.items()]
    ax.set_yticks(range(len(names)), names, fontsize=8)
    ax.set_xticks(range(len(names)), matrix.columns, fontsize=8, rotation=60, ha="right")
    ax.set_title("policy and its mean score, against:", fontsize=9)
    figure.colorbar(image, ax=ax, label="score of the row, %", shrink=0.7)
    return figure


# by Experiments · the ranking as a table
def ranking_rows(table):
    """Return each policy's mean score by budget, its interval and its simulations."""
    import pandas as pd

    columns = {}
    for budget in dict.fromkeys(table.budget):
        mine, scores, speed = table[table.budget == budget], {}, {}
        for name in score_matrix(table, budget).index:
            one, other = mine[mine.a == name], mine[mine.b == name]
            games = int(one.games.sum() + other.games.sum())
            won, drawn = (
                (one.won.sum() + other.lost.sum()),
                one.drawn.sum() + other.drawn.sum(),
            )
            low, high = five.strength.score_interval(won, drawn, games - won - drawn)
            scores[name] = f"{(won + drawn / 2) / games:.3f} ({low:.3f} to {high:.3f})"
            made = [*one["simulations a move a"], *other["simulations a move b"]]
            speed[name] = round(float(np.mean(made)))
        columns[f"{budget}: score"], columns[f"{budget}: simulations"] = scores, speed
    return pd.DataFrame(columns)


# *by Experiments*
#
# One matrix for each budget, then the ranking.


# by Experiments · show the win matrices
def show_matrices() -> None:
    """Show the win matrices and the ranking, or say how to make the table."""
    from IPython.display import display

    table = stored("policies")
    if table is None:
        return
    for budget in dict.fromkeys(table.budget):
        matrix = score_matrix(table, budget)
        means = matrix.mean(axis=1)
        order = ", ".join(f"{name} {mean:.2f}" for name, mean in means.items())
        caption = (
            f"{budget} per move: {means.index[0]} scores most, {means.index[-1]} least. "
            f"{five.strength.results_words(table)}."
        )
        alt = f"Matrix of scores at {budget} per move. Mean scores: {order}."
        five.core.show(matrix_figure(matrix), alt, caption)
    display(ranking_rows(table))


# *by Experiments*
#
# ### Optimal moves
#
# A match says which policy is stronger, but not how good its moves are. [Section 5](#5.-Against-perfect-play) knows the best moves of
# some positions; the share of them that a player finds says that. Only positions with a choice count, and
# each is searched several times from different seeds.


# by Experiments · the share of optimal moves
def choices(solved) -> list[tuple]:
    """Return (game, its optimal points) of each position where a move can be wrong.

    solved   pairs (moves, the worth of the columns as worth_text writes it)
    """
    found = []
    for moves, worth in solved:
        game = five.core.Game.from_text(moves, rules=four_rules())
        verdicts = {point: judged(worth, col) for col, point in open_columns(game).items()}
        if any(verdict.choice for verdict in verdicts.values()):
            found.append((game, {point for point, said in verdicts.items() if said.kept}))
    return found


# by Experiments · how often a player is right
def optimal_share(player, positions, repetitions: int = 1, seed: int = 1) -> dict:
    """Return how often a player finds an optimal move, with its interval.

    player        player(game, seed) returns a point, or a SearchResult
    positions     pairs (game, the points that are optimal in it)
    repetitions   searches of each position
    Keys: positions, searches and optimal (counts), share, low, high. The interval is for other
    seeds on these positions, not for other positions. ValueError without positions.
    """
    work = list(positions) * repetitions
    if not work:
        raise ValueError("there are no positions to play")
    found, seeds = 0, np.random.SeedSequence(seed).generate_state(len(work))
    for (game, optimal), own in zip(work, seeds, strict=True):
        answer = player(game.copy(), int(own))
        found += getattr(answer, "move", answer) in optimal
    low, high = five.strength.wilson(found, len(work))
    counts = dict(positions=len(work) // repetitions, searches=len(work), optimal=found)
    return counts | dict(share=found / len(work), low=low, high=high)


# *by Experiments*
#
# `python -m experiments policy-optimal` asks every policy for a move in the random positions of
# [section 5](#5.-Against-perfect-play). They are solved, so nothing but the search is left to chance.


# by Experiments · how often each policy is right
def optimal_figure(table):
    """Return a figure: each policy's share of optimal moves with its interval, best on top."""
    mine = table.sort_values("share", kind="stable")
    figure = five.core.new_figure(8.2, 4.2)
    ax = figure.subplots()
    error = 100 * np.array([mine.share - mine.low, mine.high - mine.share])
    ax.errorbar(
        100 * mine.share, range(len(mine)), xerr=error, fmt="o", markersize=4, capsize=3
    )
    ax.set_yticks(range(len(mine)), mine.policy, fontsize=8)
    ax.set_xlabel("share of optimal moves, % (not from 0)", fontsize=9)
    ax.spines[["top", "right"]].set_visible(False)
    return figure


# by Experiments · the figure, or how to make its table
def show_optimal() -> None:
    """Show each policy's share of optimal moves, or say how to make the table."""
    table = stored("policy-optimal")
    if table is None:
        return
    table = table.sort_values("share", ascending=False, kind="stable")
    about, last = table.iloc[0], table.iloc[-1]
    rows = zip(table.policy, table.share, table.low, table.high, strict=True)
    said = {name: f"{share:.4f} ({low:.4f} to {high:.4f})" for name, share, low, high in rows}
    near = int((table.high >= about.low).sum()) - 1
    caption = (
        f"{about.policy} finds an optimal move most often, {last.policy} least; the intervals "
        f"of {near} others overlap that of {about.policy}. "
        f"{about.simulations:,} simulations per move, {about.positions} positions, "
        f"{about.searches // about.positions} searches of each, seed 1; the intervals are for "
        f"other seeds on the same positions. A column drawn at "
        f"random is optimal in {about['by chance']:.0%}; "
        f"{five.strength.made_words(about)}."
    )
    alt = f"Shares of optimal moves. {'; '.join(f'{n}: {text}' for n, text in said.items())}."
    five.core.show(optimal_figure(table), alt, caption)
    five.strength.show_rows({"share of optimal moves": said})


# *by Experiments*
#
# ### Gamblers and searches
#
# Is the better gambler the better search? The last figure ranks every policy by its regret on each set of
# arms, then by mean score at equal simulations and at equal time, and by optimal moves. Were the
# rankings the same, all lines would be level. **Spearman's rank correlation** says how far they are: 1 for
# the same order, 0 for none, −1 for the reverse. So few policies leave it uncertain; its interval is that of
# Fisher's $\operatorname{artanh}$, whose error is about $\sqrt{1.06 / (n - 3)}$ for $n$ ranks (Fieller,
# Hartley and Pearson, 1957). The regret of a policy depends on the horizon of its bandit, too, and five sets
# of arms are five cases of many. If drift is what makes a tree another thing than a bandit, the arms that drift should
# rank the policies most as the trees do: the table says whether they do.


# by Experiments · how the rankings differ
def rankings(bandits, policies, optimal):
    """Return the rank of each policy, 1 the best, in each of the rankings.

    The arguments are tables; a column is a ranking, those of the gamblers first.
    """
    import pandas as pd

    columns = {}
    for arms, mine in last_pull(bandits).groupby("arms", sort=False):
        columns[f"regret,\n{arms}"] = mine.set_index("policy").regret.rank()
    for budget in dict.fromkeys(policies.budget):
        means = score_matrix(policies, budget).mean(axis=1)
        columns[f"score,\n{budget}"] = means.rank(ascending=False)
    shares = optimal.set_index("policy").share
    columns["optimal moves,\n1000 simulations"] = shares.rank(ascending=False)
    return pd.DataFrame(columns)


# *by Experiments*
#
# The correlations are written with their intervals.


# by Experiments · a rank correlation and its interval
def rank_interval(correlation: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a rank correlation. Source: Fieller and others 1957."""
    middle, error = math.atanh(correlation), math.sqrt(1.06 / (number - 3))
    return math.tanh(middle - 1.96 * error), math.tanh(middle + 1.96 * error)


def rank_words(correlation: float, number: int) -> str:
    """Return "+0.42 (-0.09 to +0.76)" for a rank correlation; 1 has no interval."""
    if correlation > 1 - 1e-9:
        return "+1"
    low, high = rank_interval(correlation, number)
    return f"{correlation:+.2f} ({low:+.2f} to {high:+.2f})"


# *by Experiments*
#
# One line for each policy. Those that move most between bandits and trees are red and bold.


# by Experiments · the rankings side by side
def slope_figure(ranks):
    """Return a figure: a line for each policy through its ranks, the best on top."""
    figure = five.core.new_figure(9.6, 5.4)
    ax = figure.subplots()
    moved = ranks.max(axis=1) - ranks.min(axis=1)
    loud = set(moved.nlargest(4).index)  # those whose ranks lie farthest apart
    places = range(ranks.shape[1])
    for policy, row in ranks.iterrows():
        style = {"color": "tab:red", "linewidth": 2} if policy in loud else {"color": "0.55"}
        ax.plot(places, row, marker="o", markersize=4, **style)
    for side, col, align in ((-0.08, 0, "right"), (places[-1] + 0.08, -1, "left")):
        labels = spread_out(ranks.iloc[:, col], 1.0)  # equal ranks: one below the other
        for (policy, rank), place in zip(ranks.iloc[:, col].items(), labels, strict=True):
            weight = "bold" if policy in loud else "normal"
            words = {"ha": align, "va": "center", "fontsize": 8, "fontweight": weight}
            ax.text(side, place, f"{rank:g} {policy}", **words)
    ax.set_xticks(places, ranks.columns, fontsize=8)
    ax.set(xlim=(-0.9, places[-1] + 0.9), ylim=(len(ranks) + 0.6, 0.4), yticks=[])
    ax.spines[:].set_visible(False)
    return figure


# by Experiments · which bandit ranks as the trees do
def rank_found(rows: dict) -> str:
    """Return in words what arms rank the policies most as trees do, and what drift changes.

    rows   of each ranking by trees: {name of a ranking by regret: its rank correlation}
    """
    said = []
    for tree, row in rows.items():
        drifts = {name: found for name, found in row.items() if "drifting" in name}
        stays = [found for name, found in row.items() if name not in drifts]
        like = max(row, key=row.get).removeprefix("regret, ")
        words = f"{tree}: most as on {like}, {max(row.values()):+.2f}"
        for found in drifts.values():
            words += f"; drifting arms {found:+.2f}, the others {min(stays):+.2f} to "
            words += f"{max(stays):+.2f}"
        said.append(words)
    return f"How alike rankings by regret and by trees are. {'. '.join(said)}."


# by Experiments · the rankings shown
def show_slopes() -> None:
    """Show how the rankings differ, or say how to make the tables."""
    tables = [stored(name) for name in ("bandits", "policies", "policy-optimal")]
    if any(table is None for table in tables):
        return
    ranks = rankings(*tables)
    names = [name.replace("\n", " ") for name in ranks.columns]
    match = np.corrcoef(ranks.T)
    gambling = sum(name.startswith("regret") for name in names)
    rows = {  # of a ranking by trees: its likeness to each by regret
        tree: dict(zip(names[:gambling], match[gambling + k, :gambling], strict=True))
        for k, tree in enumerate(names[gambling:])
    }
    caption = (
        f"{rank_found(rows)} In red the four policies that move most from bandits to trees."
    )
    said = "; ".join(f"{p}: {', '.join(f'{r:g}' for r in row)}" for p, row in ranks.iterrows())
    alt = f"A line for each policy through its ranks by {', '.join(names)}. {said}."
    five.core.show(slope_figure(ranks), alt, caption)
    print("\nRank correlation of each regret with each ranking by trees, and its interval")
    five.strength.show_rows(
        {
            tree: {name: rank_words(found, len(ranks)) for name, found in row.items()}
            for tree, row in rows.items()
        }
    )


# *by Search*
#
# ## 7. The poster's variant
#
# The poster's search differs in one step from that of the main
# notebook, [Expand](../five_in_a_row.ipynb#5.-Expand). When it comes to a leaf it expands **all** children,
# plays **one** game from **each**, and backs up all the results. There one child is added per simulation. Both
# learn as much from a playout; the question is where the playouts go. The poster spends seven of them
# at every new node, on good and bad moves alike; in return it walks down the tree once for seven.
# (Our version saves the choices of that walk, not its moves: each playout replays them from the root.)


# *by Search*
#
# The poster's listing has three slips, and each can be switched on. It walks down *while* the node *is* a
# leaf, where *while not* is meant: taken at its word it never leaves the root (`walks=False`). It adds a visit
# both on the way down and on the way up, so that a node on the path counts eight visits for seven results
# (`twice=True`). And a draw credits nobody: both sides get 0 for it, not ½ (`draws=False`). The last two
# need a visit that brings no reward.


# by Search · the credit of a result
@lru_cache
def build_credit(game, draws=True):
    """Return credit(workspace, tree, depth, options, fresh).

    draws   False: a draw credits nobody
    """
    terminal, mover, rollout = game.terminal, game.mover, game.rollout

    @five.cache.inline_kernel
    def credit(workspace, tree, depth, options, fresh):
        """Back up the result of workspace.board, a playout if it is not decided."""
        node = tree[workspace.path[depth]]
        if fresh:
            node.status = terminal(workspace, options)
        reward = (np.int64(node.status) - five.search.LOST) * 32
        if node.status <= five.search.COMPLETE:
            reward = np.int64(32.5 + 32.0 * -mover(workspace) * rollout(workspace))
        if reward == 32 and not draws:
            add_visits(tree, workspace.path, depth)
        else:
            five.search.backpropagate(tree, workspace.path, depth, reward)

    return credit


# *by Search*
#
# `build_wide` is the poster's search, made of the same parts as [search](search.ipynb#Expand)'s: `legal` and `grow` make the
# children, `backpropagate` hands each result up. Its budget counts playouts, so that the two can be
# compared; the last node may take it a few beyond.


# by Search · expand all children, one playout from each
@lru_cache
def build_wide(game, select, walks=True, twice=False, draws=True):
    """Return search(workspace, tree, options, playouts).

    It expands all children of a leaf at once, and returns how many playouts it made: as
    many as asked, or a few more. A full tree grows no further; its leaves are then played
    out again.
    walks, twice, draws   the poster's slips where they differ from their defaults
    """
    reset, apply, legal, credit = game.reset, game.apply, game.legal, build_credit(game, draws)

    def search(workspace, tree, options, playouts):
        done = 0
        while done < playouts:
            reset(workspace)
            node, depth = np.int64(0), 0
            workspace.path[0] = 0
            while walks and tree[node].num_children > 0:  # select: down to a leaf
                node = select(workspace, tree, node, np.int64(0), options)
                apply(workspace, np.int64(tree[node].move))
                depth += 1
                workspace.path[depth] = node
            if twice:
                add_visits(tree, workspace.path, depth)
            fresh = tree[node].num_children == 0  # expand: all children
            if fresh and tree[node].status <= five.search.COMPLETE:
                found = legal(workspace, 0, workspace.order.size, options)
                if five.search.grow(tree, workspace, node, found):
                    tree[node].num_visited = found
                    tree[node].status = five.search.COMPLETE
            if tree[node].num_children == 0:  # decided, or the tree is full
                credit(workspace, tree, depth, options, False)
                done += 1
            first, count = np.int64(tree[node].first_child), np.int64(tree[node].num_children)
            for child in range(first, first + count):  # simulate: once from each child
                reset(workspace)
                workspace.path[depth + 1] = child
                for i in range(1, depth + 2):
                    apply(workspace, np.int64(tree[workspace.path[i]].move))
                credit(workspace, tree, depth + 1, options, fresh)
                done += 1
        return done

    return five.cache.compile_search(search, select, walks, twice, draws, *game[1:])


# *by Experiments*
#
# `python -m experiments poster` plays the two against each other, with UCT at $c = 0.5$ and
# with UCB1, at equal playouts and at equal processor time. Then each slip plays the corrected search.


# by Experiments · the poster's search in matches
def poster_found(table) -> str:
    """Return what the matches say of the variant and of each slip, in sentences."""
    narrow, slips = table[table.b == "one child"], table[table.b != "one child"]
    at_time = narrow.budget.str.endswith("ms")
    parts = []
    for what, mine in (("playouts", narrow[~at_time]), ("time", narrow[at_time])):
        parts.append(f"{mine.score.min():.2f} to {mine.score.max():.2f} at equal {what}")
    said = ", ".join(
        f"{row.a} {row.score:.2f} ({row.low:.2f} to {row.high:.2f})"
        for row in slips.itertuples()
    )
    return (
        f"Against one child a simulation, all children at once scores {' and '.join(parts)}. "
        f"The slips score against the corrected search: {said}."
    )


# by Experiments · the matches shown
def show_poster() -> None:
    """Show the matches of the poster's search, or say how to make them."""
    from IPython.display import display

    table = stored("poster")
    if table is None:
        return
    names = [f"{row.a} v {row.b}\n{row.policy}, {row.budget}" for row in table.itertuples()]
    scores = zip(names, table.score, table.low, table.high, strict=True)
    said = "; ".join(f"{name}: {s:.2f} ({lo:.2f} to {hi:.2f})" for name, s, lo, hi in scores)
    caption = f"{poster_found(table)} {five.strength.results_words(table)}."
    five.core.show(
        five.strength.results_figure(table, names), f"Scores with intervals. {said}.", caption
    )
    display(
        five.strength.results_rows(table).assign(
            policy=table.policy.values, budget=table.budget.values
        )
    )


# *by Heuristics*
#
# ## 8. The slice heuristic
#
# The poster values a position by **slices**: four adjacent cells in a row, a column or a diagonal. For a
# player a slice is worth 100 if all four stones are his, 5 for three and an empty cell, 2 for two and two
# empty cells, and 0 otherwise. This section makes a player of that, then gives it to the search: to value leaves,
# and to say which moves come first.


# *by Heuristics*
#
# The rule in plain Python, for reading. It must be told which number is whose. The poster numbers the
# players 0 *or* 1 while 0 is also the empty cell. Here, as everywhere in these notebooks, they are +1 and −1.


# by Heuristics · what a slice is worth, in plain Python
def slices(cells) -> list[list[int]]:
    """Return all slices of a grid, each the numbers in its four cells."""
    rows, columns = cells.shape
    found = []
    for row, col in np.ndindex(rows, columns):
        for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
            places = [(row + k * up, col + k * right) for k in range(4)]
            if all(0 <= r < rows and c < columns for r, c in places):
                found.append([int(cells[place]) for place in places])
    return found


def slice_worth(four: list[int], player: int, empty: int = 0) -> int:
    """Return what a slice is worth to a player."""
    mine, free = four.count(player), four.count(empty)
    if mine == 4:
        return 100
    if mine == 3 and free == 1:
        return 5
    return 2 if mine == 2 and free == 2 else 0


# *by Heuristics*
#
# On bits a direction's slices are counted all at once; bit $x$ of each number stands for the slice that begins
# in cell $x$ and goes on $d$ bits at a time. `fits` marks the slices inside the grid without a stone of the
# other side. Of the first two cells `pair` says that both are own, `single` that just one is; shifted by $2d$
# they say it of the last two. Three is a pair and a single, two is a pair and nothing or two singles. The value
# is the mover's sum minus the other side's:
#
# $$v = \sum_{\text{slices}} \text{worth for the mover} - \sum_{\text{slices}} \text{worth for the other}$$


# by Heuristics · the value of a position, on bits
@jit
def slice_sum(stones, others, full, height):
    """Return what all slices are worth to the side that has the stones; int64 as in Grid."""
    total = 0
    for step in (1, height - 1, height, height + 1):
        free = full & ~others
        fits = free & free >> step
        fits &= fits >> 2 * step
        pair, single = stones & stones >> step, stones ^ stones >> step
        last_pair, last_single = pair >> 2 * step, single >> 2 * step
        threes = pair & last_single | single & last_pair
        twos = single & last_single | (pair ^ last_pair) & ~(single | last_single)
        total += 100 * count_bits(fits & pair & last_pair)
        total += 5 * count_bits(fits & threes) + 2 * count_bits(fits & twos)
    return total


@jit
def slice_value(own, both, full, height):
    """Return the value of a position for the side that has the stones `own`."""
    others = both ^ own
    return slice_sum(own, others, full, height) - slice_sum(others, own, full, height)


# *by Heuristics*
#
# ### One ply
#
# The **one-ply** player tries each column and plays the one after which the value is highest, of several
# one at random. It never misses a four: that brings 95 or more, while a stone lies in at most 16 slices and,
# without a four, gains at most 5 in each. A threat of the other side is another matter.


# by Heuristics · play the column with the best value
@jit
def value_after(own, both, stone, full, height):
    """Return the value for the mover of adding a stone, one bit, to a position."""
    return slice_value(own | stone, both | stone, full, height)


def column_values(game: five.core.Game) -> dict[int, int]:
    """Return {column: the value for the mover after a stone there} of what may be played."""
    grid, (own, both), values = Grid(game.rules.height, game.rules.size), bits_of(game), {}
    for column, point in open_columns(game).items():
        stone = 1 << column * grid.height + point // grid.columns
        values[column] = value_after(own, both, stone, grid.full, grid.height)
    return values


def one_ply(game: five.core.Game, seed: int | None = None) -> int:
    """Return the point of a column with the best value, one of several at random."""
    values = column_values(game)
    best = [column for column, value in values.items() if value == max(values.values())]
    return open_columns(game)[int(np.random.default_rng(seed).choice(best))]


# *by Heuristics*
#
# ### From a value to a chance
#
# The search counts rewards between 0 and 1, so a value must become a chance to win. A **logistic** curve
# does that. Its `SCALE` says how many points change the odds by the factor $e$; `TEMPO` says how many points
# it is worth to be the one to move:
#
# $$p = \frac{1}{1 + e^{-(v + \text{TEMPO}) / \text{SCALE}}}$$
#
# Both are fitted, not chosen. `python -m experiments slice-fit` takes random positions, one a game so
# that they are independent, and lets plain UCT play each of them to the end. `fit_chance` finds the two numbers
# under which those results are most likely, by Newton's method on $1 / \text{SCALE}$ and $\text{TEMPO} /
# \text{SCALE}$.


# by Heuristics · fit the logistic curve
class Fit(NamedTuple):
    """A logistic curve with the standard errors of its numbers."""

    scale: float
    tempo: float
    scale_error: float
    tempo_error: float
    loss: float  # mean of -ln(chance given to what happened)
    constant: float  # the same if all positions are given the mean score


# by Heuristics · the fit
def fit_chance(table) -> Fit:
    """Return the curve for a table of value, positions, and their points (a draw: one half).

    Values and points are the side to move's. ValueError where no curve is the best one.
    """
    v, n, won = (table[name].to_numpy(float) for name in ("value", "positions", "points"))
    inputs, weights, mean = np.stack([v, np.ones_like(v)]), np.zeros(2), won.sum() / n.sum()
    for _ in range(25):
        chance = 1 / (1 + np.exp(-weights @ inputs))
        curvature = inputs * (n * chance * (1 - chance)) @ inputs.T
        step = np.linalg.lstsq(curvature, inputs @ (won - n * chance))[0]
        weights += step
    if np.abs(step).max() > 1e-6 or np.ptp(v) == 0:  # it would go on for ever
        raise ValueError("no curve fits best: values and results must both vary, and overlap")
    slope, shift = weights
    spread = np.linalg.inv(curvature)
    tempo_slope = np.array([-shift / slope**2, 1 / slope])

    def loss(p) -> float:
        return float(-(won * np.log(p) + (n - won) * np.log(1 - p)).sum() / n.sum())

    scale_error = math.sqrt(spread[0, 0]) / slope**2
    tempo_error = math.sqrt(tempo_slope @ spread @ tempo_slope)
    found = 1 / slope, shift / slope, scale_error, tempo_error, loss(chance), loss(mean)
    return Fit(*map(float, found))


# *by Heuristics*
#
# The numbers that the search uses, as the fit gave them, rounded.


# by Heuristics · scale and tempo, as python -m experiments slice-fit prints them
SCALE = 9.1  # points of value that change the odds by the factor e
TEMPO = 11.2  # points that it is worth to be to move


# *by Experiments*
#
# The figure puts what happened beside the curve: the mean score of the positions in each interval of values.


# by Experiments · the curve beside what happened
def fit_bins(table, width: int = 4, least: int = 20) -> list[tuple]:
    """Return (mean value, score, low, high) for intervals of values with enough positions."""
    found = []
    for _, rows in table.groupby(table.value // width):
        n, points = int(rows.positions.sum()), rows.points.sum()
        if n >= least:
            value = (rows.value * rows.positions).sum() / n
            found.append((value, points / n, *five.strength.wilson(points, n)))
    return found


def chance_of(value):
    """Return the chance to win that the search gives to values of the side to move."""
    return 1 / (1 + np.exp(-(value + TEMPO) / SCALE))


# by Experiments · score and curve by value
def fit_figure(table):
    """Return a figure: scores by value with 95 % intervals, and the curve that is used."""
    value, score, low, high = np.array(fit_bins(table)).T
    figure = five.core.new_figure(6.6, 3.6)
    ax = figure.subplots()
    line = np.linspace(value.min() - 2, value.max() + 2, 200)
    ax.plot(line, chance_of(line), color="tab:orange", label="curve")
    bars = np.maximum(0, [score - low, high - score])  # not -1e-17
    ax.errorbar(value, score, bars, fmt="o", markersize=4, capsize=2, label="positions")
    ax.axhline(0.5, color="0.7", linewidth=1)
    ax.axvline(0, color="0.7", linewidth=1)
    ax.set(xlabel="value for the side to move", ylabel="its mean score", ylim=(0, 1.03))
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize=8)
    return figure


# by Experiments · the fit shown
def show_fit() -> None:
    """Show how the curve fits the stored positions, or say how to make the table."""
    table = stored("slice-fit")
    if table is None:
        return
    fit, first, bins = fit_chance(table), table.iloc[0], fit_bins(table)

    def outside(row) -> float:  # how far the curve runs outside the interval
        return max(row[2] - chance_of(row[0]), chance_of(row[0]) - row[3])

    value, score, *_ = max(bins, key=outside)
    caption = (
        f"Fitted: scale {fit.scale:.1f} ± {fit.scale_error:.1f}, tempo {fit.tempo:.1f} ± "
        f"{fit.tempo_error:.1f} (standard errors); used: {SCALE:g} and {TEMPO:g}. Loss "
        f"{fit.loss:.3f}, of a constant {fit.constant:.3f}. The curve fits worst near "
        f"{value:+.0f}, where {score:.2f} was scored, not {chance_of(value):.2f}. "
        f"{table.positions.sum():,} random positions of {first.stones} stones, each played "
        f"out by plain UCT with {first.simulations:,} simulations per move; seed 1; "
        f"{five.strength.made_words(first)}."
    )
    said = "; ".join(f"{v:.0f}: {s:.2f} ({lo:.2f} to {hi:.2f})" for v, s, lo, hi in bins)
    five.core.show(fit_figure(table), f"Mean score by value, with intervals. {said}.", caption)


# *by Search*
#
# ### As leaf evaluation
#
# The search's `rollout` may return any number from +1, black wins, to −1: [`evaluate`](engine.ipynb#What-is-a-quiet-position-worth?), the engine's net,
# does so. So the poster's value goes in with no other change. A reward is $p$ for the side to move,
# $2 p - 1 = \tanh \frac{v + \text{TEMPO}}{2 \, \text{SCALE}}$ on the scale of `rollout`, rounded to
# the 64th that the tree stores. A `share` below 1 mixes it with the result of a random playout from the same leaf:
#
# $$\text{share} \cdot \text{value} + (1 - \text{share}) \cdot \text{playout}$$


# by Search · value a leaf by its slices
def build_leaf(grid: Grid, share: float):
    """Return a rollout kernel: the value of the leaf, mixed with a playout if share < 1."""
    full, height, drops = grid.full, grid.height, build_drops(grid)

    @five.cache.inline_kernel
    def evaluate_slices(workspace):
        """Return 2 p - 1 for black, p the chance of a win; workspace.board stays as it is."""
        board = workspace.board
        value = slice_value(board.own, board.both, full, height)
        found = math.tanh((value + TEMPO) / (2 * SCALE))
        return found if board.start == 0 else -found

    @five.cache.inline_kernel
    def evaluate_and_play(workspace):
        """Return the mean of value and playout for black, weighted by share."""
        return share * evaluate_slices(workspace) + (1 - share) * drops(workspace)

    return evaluate_slices if share == 1 else evaluate_and_play


# *by Search*
#
# ### As move ordering
#
# `build_sorted` lists all free cells of a node at once, the highest `value_after` first, equal ones in random
# order. UCB still visits every child once, so the **order** matters only where a node has fewer visits than
# children, and between equal scores. More can be said with a **prior**: if the odds between two moves are
# logistic in the difference of their values, then
#
# $$P_i = \frac{e^{v_i / \text{SCALE}}}{\sum_j e^{v_j / \text{SCALE}}}$$
#
# (Bradley and Terry, 1952), and [`puct`](engine.ipynb#Select-with-priors) lets moves of low prior wait. No prior is
# rounded to nothing, so that none waits for ever.


# by Search · moves by value, best first, with their priors
def build_sorted(grid: Grid, spread: float = SCALE):
    """Return a `legal` kernel: all free cells, best first; ask for `columns` moves at once.

    spread   the value that changes the odds of two priors by e; math.inf: all are equal
    """
    columns, full, height = grid.columns, grid.full, grid.height
    at_random = build_moves(grid)

    @five.cache.inline_kernel
    def legal(workspace, had, want, options):
        """List the free cells in workspace.moves, with priors 255 sqrt(P); return how many."""
        board = workspace.board
        if had > 0:  # all of them are listed
            return had
        found, total, values = at_random(workspace, 0, columns, options), 0.0, workspace.scores
        for i in range(found):
            point, place = np.int64(workspace.moves[i]), i
            row, col = divmod(point, columns)
            stone = np.int64(1) << col * height + row
            value = value_after(board.own, board.both, stone, full, height)
            while place > 0 and values[place - 1] < value:
                workspace.moves[place], values[place] = (
                    workspace.moves[place - 1],
                    values[place - 1],
                )
                place -= 1
            workspace.moves[place], values[place] = point, value
        for i in range(found):
            total += math.exp((values[i] - values[0]) / spread)
        for i in range(found):
            share = math.exp((values[i] - values[0]) / spread) / total
            workspace.priors[i] = np.uint8(max(1.0, 255 * math.sqrt(share)))
        workspace.complete = 1
        return found

    return legal


# *by Search*
#
# What the matches compare, by name. All else is plain UCT of [section 1](#1.-The-game-on-two-integers): $c = 0.5$, nothing proven, every position searched
# anew. `puct` keeps the engine's constants. It is a rule of selection of its own, so what
# it gains need not come from the heuristic. Two uses with equal priors are the **control**: they
# differ from those above them in the priors alone.


# by Search · the uses of the heuristic, by name
class Use(NamedTuple):
    """What a search takes from the heuristic."""

    share: float = 0.0  # of the heuristic in the value of a leaf, the rest is a playout
    sort: bool = False  # children best first
    prior: bool = False  # and chosen by puct with priors
    even: bool = False  # which are all equal: a control


USES = {
    "plain UCT": Use(),
    "leaf": Use(share=1.0),
    "mix": Use(share=0.5),
    "order": Use(sort=True),
    "prior": Use(sort=True, prior=True),
    "even prior": Use(sort=True, prior=True, even=True),
    "leaf + prior": Use(share=1.0, sort=True, prior=True),
    "mix + prior": Use(share=0.5, sort=True, prior=True),
    "mix + even prior": Use(share=0.5, sort=True, prior=True, even=True),
}


# by Search · the game of a use, and its player
@lru_cache
def slice_game(name: str, rows: int = 6, columns: int = 7) -> five.search.Kernels:
    """Return the kernels of a use of the heuristic. ValueError for a name not in USES."""
    if name not in USES:
        raise ValueError(f"no use {name!r} of the heuristic: there are {', '.join(USES)}")
    use, grid, kernels = USES[name], Grid(rows, columns), four_game(rows, columns)
    if use.share > 0:
        kernels = kernels._replace(rollout=build_leaf(grid, use.share))
    if use.sort:
        spread = math.inf if use.even else SCALE
        kernels = kernels._replace(legal=build_sorted(grid, spread), batch=columns)
    return kernels._replace(select=five.engine.puct) if use.prior else kernels


def slice_player(name: str, simulations: int | None = None, seconds: float | None = None):
    """Return a study_player that searches with a use of the heuristic.

    Raises ValueError for a name that is not in USES, or a bad budget.
    """
    slice_game(name)

    def plant(game, options, budget):
        kernels = slice_game(name, game.rules.height, game.rules.size)
        return five.search.Tree(game, kernels, options, budget.records())

    return study_player(plant, five.search.SearchOptions(solve=False), simulations, seconds)


# *by Experiments*
#
# ### In matches
#
# `python -m experiments slice` lets the one-ply player meet chance and plain UCT, and each use of the
# heuristic meet plain UCT at equal simulations and at equal processor time. Openings are random, two to four
# stones, each played with both colours.


# *by Experiments*
#
# The figure has a line for each use, one panel for either kind of budget.


# by Experiments · the scores of all uses
BUDGET_KINDS = {"simulations": "simulations per move", "ms": "ms of processor time per move"}


def slice_figure(table):
    """Return a figure: score of each use against plain UCT by budget, with 95 % intervals."""
    figure, markers = five.core.new_figure(9.4, 4.2), "osD^vPX*"
    panels = figure.subplots(1, len(BUDGET_KINDS), sharey=True, width_ratios=(3, 2))
    for ax, (kind, label) in zip(panels, BUDGET_KINDS.items(), strict=True):
        mine = table[table.kind == kind]
        budgets, uses = sorted(mine.amount.unique()), list(mine.a.unique())
        ax.axhline(0.5, color="0.7", linewidth=1)
        for i, use in enumerate(uses):
            rows = mine[mine.a == use].sort_values("amount")
            at = [
                budgets.index(amount) + 0.09 * (i - (len(uses) - 1) / 2)
                for amount in rows.amount
            ]
            bars = np.maximum(0, [rows.score - rows.low, rows.high - rows.score])
            how = dict(marker=markers[i], markersize=5, linewidth=1, capsize=2, color=f"C{i}")
            ax.errorbar(at, rows.score, bars, label=use, **how)
        ax.set_xticks(range(len(budgets)), [f"{amount:,}" for amount in budgets])
        ax.set(xlabel=label, xlim=(-0.6, len(budgets) - 0.4), ylim=(0, 1))
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("score against plain UCT")
    panels[-1].legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


# by Experiments · what the matches say, in words
def use_found(rows) -> str:
    """Return how a use scores against plain UCT, in a phrase made from its rows."""
    kinds = {"simulations": "at equal simulations", "ms": "at equal time"}
    parts = []
    for kind, words in kinds.items():
        mine = rows[rows.kind == kind]
        clear = "better at each" if (mine.verdict == "better").all() else ""
        clear = clear or ("worse at each" if (mine.verdict == "worse").all() else "")
        span = f"{mine.score.min():.2f} to {mine.score.max():.2f} {words}"
        parts.append(f"{span} ({clear})" if clear else span)
    return ", ".join(parts)


def slice_found(table) -> str:
    """Return what the matches say, in sentences."""
    single, uses = table[table.kind == "one ply"], table[table.kind != "one ply"]
    alone = ", ".join(f"{row.b} {score_said(row)}" for row in single.itertuples())
    parts = [f"{use}: {use_found(rows)}" for use, rows in uses.groupby("a", sort=False)]
    means = {k: rows.groupby("a").score.mean() for k, rows in uses.groupby("kind")}
    best, fast = (means[kind].idxmax() for kind in BUDGET_KINDS)
    return (
        f"One ply scores against {alone}. Against plain UCT {best} scores most on average at "
        f"equal simulations, {fast} at equal time. {'; '.join(parts)}."
    )


# by Experiments · the matches shown
def show_slices() -> None:
    """Show the matches of the heuristic, or say how to make them."""
    from IPython.display import display

    table = stored("slice")
    if table is None:
        return
    uses = table[table.kind != "one ply"]
    said = "; ".join(f"{row.a}, {row.budget}: {score_said(row)}" for row in uses.itertuples())
    caption = f"{slice_found(table)} {five.strength.results_words(table)}."
    five.core.show(
        slice_figure(uses), f"Scores against plain UCT, with intervals. {said}.", caption
    )
    ratio = table["simulations a move a"] / table["simulations a move b"]
    timed = zip(ratio, table.kind == "ms", strict=True)
    rates = [f"{times:.2f}" if at_time else "" for times, at_time in timed]
    rows = five.strength.results_rows(table).assign(budget=table.budget.fillna("").values)
    display(rows.assign(**{"simulations, a to b": rates}))


# *by Search*
#
# ## 9. What adds strength
#
# Plain UCT knows nothing of Connect-4 but its rules. Four ideas that need no network and no opening
# book are said to make it stronger: **proofs** carried up the tree, **decisive moves**, playouts
# that give no **gifts**, and another constant $c$. Each is small. This section adds them one at a time,
# lets each play plain UCT, and sets the scores beside those of another project.


# *by Search*
#
# ### Proofs
#
# **MCTS-Solver** (Winands, Björnsson and Saito, 2008) is in the search already: `solve=True` in [search](search.ipynb#Select). A node with a child that wins is decided, and so is one all of whose children are.
# The rules of this game are others, but the proof is the same. Here are two late positions, and
# what the perfect player of [section 5](#5.-Against-perfect-play) says of them.


# *by Search*
#
# ### Decisive moves and gifts
#
# A playout may look one stone ahead. If it can win, it does: a **decisive** move. If the other side
# could, it takes that cell: an **anti-decisive** one (Teytaud and Teytaud, 2010). And it gives no **gift**: it
# does not play beneath a cell where the other side would then win, unless nothing else is left or that
# stone itself wins.
#
# With the threats of [section 5](#5.-Against-perfect-play), `mine` and `theirs`, this is a few operations on all columns at once.
# A gift is a cell just below one of `theirs`:
#
# $$\text{gifts} = (\text{theirs} \gg 1) \;\&\; \lnot\, \text{mine}$$


# by Search · the cells that are worth a stone
@jit
def worth_playing(free, mine, theirs, decisive, wary):
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


# *by Experiments*
#
# To see what the rule says, cells are printed as the letters of their columns.


# by Experiments · what a rule leaves, in letters
def columns_worth(game: five.core.Game, decisive: bool, wary: bool) -> str:
    """Return the letters of the columns that worth_playing leaves."""
    grid, (own, both) = Grid(game.rules.height, game.rules.size), bits_of(game)
    mine, theirs = (threats_of(x, grid.height) & grid.full for x in (own, both ^ own))
    cells = worth_playing(both + grid.bottom & grid.full, mine, theirs, decisive, wary)
    column = (1 << grid.height) - 1
    free = [col for col in range(grid.columns) if cells >> col * grid.height & column]
    return " ".join(map(column_name, free))


# *by Search*
#
# The playout keeps both sides' threats. A stone changes only those of the side that played it, so one
# call of `threats_of` a ply is enough, and it takes the place of the search for four: a stone wins if
# it lands on a threat. Of the cells worth playing each is drawn with the same chance: the lowest bits
# are struck off, as many as a random number below their count says.


# by Search · simulate: drop stones at random, but with open eyes
def build_wise_drops(grid: Grid, decisive: bool, wary: bool):
    """Return a rollout kernel that draws among the cells of worth_playing."""
    height, full, bottom = grid.height, grid.full, grid.bottom

    @five.cache.inline_kernel
    def rollout(workspace):
        """Play to the end; return +1 if black wins, -1 if white, 0 for a draw."""
        board = workspace.board
        own, both, random = board.own, board.both, workspace.random
        colour = 1 if board.start == 0 else -1
        mine, theirs = threats_of(own, height) & full, threats_of(own ^ both, height) & full
        while both != full:
            cells = worth_playing(both + bottom & full, mine, theirs, decisive, wary)
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


# *by Search*
#
# The same rule can serve in the tree: a node lists only the moves that are worth playing. This spoils no
# proof. Where a win is at hand the wins are listed, and nothing is better. Elsewhere, what is left out loses
# to the other side's next stone. So the best listed move is as good as the best of all.


# by Search · expand: list only what is worth playing
def build_wise_moves(grid: Grid, decisive: bool, wary: bool):
    """Return a `legal` kernel of the cells of worth_playing, see five.search.Kernels."""
    columns, height, full, bottom = grid.columns, grid.height, grid.full, grid.bottom
    every_move = build_moves(grid)

    @five.cache.inline_kernel
    def legal(workspace, had, want, options):
        """Append up to `want` of the cells to workspace.moves[:had]; return the new length."""
        board = workspace.board
        own, both = board.own, board.both
        mine, theirs = threats_of(own, height) & full, threats_of(own ^ both, height) & full
        cells = worth_playing(both + bottom & full, mine, theirs, decisive, wary)
        kept = had
        for i in range(had, every_move(workspace, had, columns, options)):
            row, col = divmod(np.int64(workspace.moves[i]), columns)
            if kept < had + want and cells >> col * height + row & 1:
                workspace.moves[kept] = workspace.moves[i]
                kept += 1
        return kept

    return legal


# *by Search*
#
# ### Each idea by name
#
# An `Idea` says what differs from plain UCT. That has $c = 1$ here, random playouts, and proves
# nothing. `all` is what the other project played at equal time; the last two add the rule in the tree, with either
# constant.


# by Search · the ideas, alone and together
class Idea(NamedTuple):
    """What differs from plain UCT; playouts and tree: (decisive, wary) of worth_playing."""

    solve: bool = False
    playouts: tuple[bool, bool] = (False, False)
    tree: tuple[bool, bool] = (False, False)
    c: float = 1.0


PLAIN = "plain UCT"
IDEAS = {
    PLAIN: Idea(),
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
    if name not in IDEAS:
        raise ValueError(f"no idea {name!r}: there are {', '.join(IDEAS)}")
    return IDEAS[name]


# *by Search*
#
# An idea becomes kernels and options. Where neither rule is on, they are those of [section 1](#1.-The-game-on-two-integers).


# by Search · the game with an idea
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
    name: str, rules: five.core.Rules
) -> tuple[five.search.Kernels, five.search.SearchOptions]:
    """Return the kernels and the options of an idea on a grid."""
    idea = find_idea(name)
    kernels = wise_game(rules.height, rules.size, idea.playouts, idea.tree)
    return kernels, five.search.SearchOptions(c_uct=idea.c, solve=idea.solve)


# *by Experiments*
#
# `idea_player` is a player with an idea, in the frame of [section 6](#6.-Selection-policies).


# by Experiments · an idea as a player
def idea_player(name: str, simulations: int | None = None, seconds: float | None = None):
    """Return a study_player that searches with an idea of IDEAS.

    Raises ValueError for an idea that is not in IDEAS, or a bad budget.
    """
    _, options = idea_parts(name, four_rules())

    def plant(game, own, budget):
        kernels, _ = idea_parts(name, game.rules)
        return five.search.Tree(game, kernels, own, budget.records())

    return study_player(plant, options, simulations, seconds)


# *by Experiments*
#
# What does an idea cost? `idea_runs` gives each a function for `measure_rates` that searches the
# empty grid; `python -m experiments strength-speed` keeps the rates.


# by Experiments · simulations per second with each idea
def idea_runs(simulations: int) -> dict:
    """Return {name of an idea: run} for five.strength.measure_rates, from the empty grid."""
    game = five.core.Game(four_rules())
    parts = {name: idea_parts(name, game.rules) for name in IDEAS}
    return {
        name: five.strength.compiled_run(*two, game, simulations)
        for name, two in parts.items()
    }


# *by Experiments*
#
# ### The matches
#
# `python -m experiments strength` lets each idea play plain UCT with $c = 1$: at equal
# simulations, then at equal processor time, from random openings, each with both colours.
# Another project has played such matches and said beforehand which it would play. We know its scores
# against plain UCT, but neither its budgets nor its baseline's $c$, nor how it scales rewards.


# by Experiments · another project's scores against plain UCT
TOLD = {
    "equal simulations": {
        "decisive": 0.603,
        "decisive and no gifts": 0.647,
        "solver": 0.583,
        "c 0.5": 0.579,
        "c 2": 0.477,
    },
    "equal time": {"all": 0.708},
}


# *by Experiments*
#
# Our scores are dots with intervals, the other project's are open diamonds.


# by Experiments · both projects' scores in one picture
def strength_figure(table):
    """Return a figure: each idea's score against plain UCT, one panel for each budget."""
    figure = five.strength.results_figure(table.assign(board=table["at"]), table.a)
    panels = dict(zip(dict.fromkeys(table["at"]), figure.axes, strict=True))
    for at, ax in panels.items():
        names = list(table.a[table["at"] == at])
        told = {name: score for name, score in TOLD[at].items() if name in names}
        heights = [len(names) - names.index(name) - 0.28 for name in told]
        style = dict(marker="D", facecolors="none", edgecolors="tab:orange", zorder=3)
        ax.scatter(told.values(), heights, s=28, label="another project", **style)
        ax.set(xlim=(0, 1), title=f"{at}, {table.budget[table['at'] == at].iloc[0]}")
        ax.set_xlabel("score against plain UCT, c = 1", fontsize=9)
        ax.legend(fontsize=8, frameon=False, loc="lower left")
    return figure


# by Experiments · the same as a table
def strength_rows(table, speed=None):
    """Return the rows of the table as a reader wants them; `speed` adds the rates."""
    import pandas as pd

    columns = {}
    for at, mine in table.groupby("at", sort=False):
        found = zip(mine.a, mine.score, mine.low, mine.high, strict=True)
        columns[at] = {a: f"{s:.3f} ({low:.3f} to {high:.3f})" for a, s, low, high in found}
        results = zip(mine.a, mine.won, mine.drawn, mine.lost, strict=True)
        columns[f"{at}: won–drawn–lost"] = {
            row[0]: "–".join(map(str, row[1:])) for row in results
        }
        made = zip(mine.a, mine["simulations a move a"], strict=True)
        columns[f"{at}: simulations per move"] = {a: f"{count:,.0f}" for a, count in made}
        columns[f"{at}: another project"] = {a: f"{s:.3f}" for a, s in TOLD[at].items()}
    if speed is not None:
        rates = zip(speed.what, speed["per second"], strict=True)
        per_run = f"simulations per second, {speed.budget.iloc[0]}"
        columns[per_run] = {name: f"{rate:,.0f}" for name, rate in rates}
    order = dict.fromkeys([PLAIN, *table.a] if speed is not None else table.a)
    return pd.DataFrame(columns).reindex(list(order)).fillna("–")


# *by Experiments*
#
# Two questions are answered by the table itself. Which ideas help beyond chance: those that Holm's rule calls
# [better](strength.ipynb#Does-it-play-well?), the whole table one family. And is the order the same: of the ideas that both
# projects played at equal simulations, how many pairs stand the same way round, and how many of those that our
# intervals tell apart?


# by Experiments · what the table says
from itertools import combinations


def help_words(table) -> str:
    """Return which ideas help, harm, or are not told from chance, in sentences."""
    said = []
    for at, mine in table.groupby("at", sort=False):
        parts = []
        for what, verdict in (("helps", "better"), ("harms", "worse"), ("unclear", "open")):
            names = ", ".join(mine.a[mine.verdict == verdict])
            parts.append(f"{what}: {names or 'none'}")
        said.append(f"At {at}, {mine.budget.iloc[0]} per move, what {'; '.join(parts)}.")
    return " ".join(said)


# by Experiments · do both projects agree?
def order_words(table) -> str:
    """Return how our order of ideas and the other project's agree, in sentences."""
    at = "equal simulations"
    mine = table[table["at"] == at].set_index("a")
    told = {name: score for name, score in TOLD[at].items() if name in mine.index}
    theirs = sorted(told, key=told.get, reverse=True)
    ours = sorted(told, key=lambda name: mine.score[name], reverse=True)
    pairs = list(combinations(theirs, 2))
    agree = [mine.score[better] > mine.score[worse] for better, worse in pairs]
    apart = [mine.low[x] > mine.high[y] or mine.low[y] > mine.high[x] for x, y in pairs]
    clear = [same for same, told_apart in zip(agree, apart, strict=True) if told_apart]
    inside = [n for n in told if mine.low[n] <= told[n] <= mine.high[n]]
    words = "The order is the same" if ours == theirs else "The order is not the same"
    return (
        f"{words}: ours is {', '.join(ours)}; the other project's {', '.join(theirs)}. "
        f"{sum(agree)} of {len(pairs)} pairs agree, {sum(clear)} of the {len(clear)} that our "
        f"intervals tell apart. Its score lies in our interval for "
        f"{', '.join(inside) or 'none'}."
    )


# *by Experiments*
#
# Figure, rows and sentences together.


# by Experiments · show what adds strength
def show_strength() -> None:
    """Show the matches of the ideas, or say how to make them."""
    from IPython.display import display

    table = stored("strength")
    if table is None:
        return
    found = zip(table.a, table["at"], table.score, table.low, table.high, strict=True)
    said = "; ".join(
        f"{a} at {at} {s:.3f} ({lo:.3f} to {hi:.3f})" for a, at, s, lo, hi in found
    )
    told = [f"{a} at {at} {score:.3f}" for at, row in TOLD.items() for a, score in row.items()]
    caption = f"{help_words(table)} {five.strength.results_words(table)}."
    alt = (
        f"Scores against plain UCT with intervals. {said}. Another project: {'; '.join(told)}."
    )
    five.core.show(strength_figure(table), alt, caption)
    display(strength_rows(table, stored("strength-speed")))
    print(textwrap.fill(order_words(table), 92))


# *by Experiments*
#
# ## 10. Scale
#
# One match may take hours. Its games have nothing to do with each other, so they can be played at the
# same time: in threads of this program, or in many programs on many machines. `five.strength.play_match` leaves
# that to **joblib**.


# *by Experiments*
#
# ### In threads
#
# `jobs` games are played at once. The kernels release Python's lock, so threads search side by side. Every
# game draws its seeds from the seed of the match and its own number; who plays it, and when, changes
# nothing but the seconds. `results_of` is a table without those. `progress=True` shows a bar.


# by Experiments · what must not depend on who plays the games
def results_of(table):
    """Return the table of a match without its seconds."""
    return table.drop(columns=["seconds a", "seconds b"])


# *by Experiments*
#
# ### Stopped, and taken up
#
# With `path=…` every finished game becomes a line of a file, and a game that is there is not played again.
# So a stop loses only the games under way. `stoppable` lets us try: its player does what the stop button
# does, after so many moves.


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
# On a **Dask** cluster (Rocklin, 2015) the call stays as it is; it only stands in a `with`:
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
# Two commands begin it, each in a terminal of its own. Both listen to this machine only, status pages
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
# does not count; the file and the progress bar stay here.
#
# A player travels as the name of its module and what was chosen, such as a budget; a compiled kernel never
# does. So players must come from `connect_four`, which every machine can import: the cells of a notebook
# are unknown there, and a match of players made from them would wait forever.


# *by Experiments*
#
# ### What it brings
#
# Games per second by `jobs`, and how many times those of one job. More jobs than free cores can make it slower.
# Between the kernels Python makes trees and reads them, one thread at a time: the shorter the searches,
# the less a second thread can bring. Processes of a cluster don't wait for each other.


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
# ## 11. Essay
#
# ### One line, one tree, no interval
#
# **What the report says.** A student builds Monte Carlo Tree Search for Connect-4, plays against it, and loses.
# So the program works. Then two copies of it play each other, a hundred games at each of five times a
# move, and at four of the five the second player wins a little more often. One copy gets a second, the other five, and the
# second one seems no worse off for thinking less. The report concludes that who moves second has a
# slight advantage, and that time does not seem to matter.
#
# **What is known.** Connect-4 was solved in 1988. The first player wins by beginning in the middle. And a
# search of this kind comes to the best move if it is given time enough (Kocsis and Szepesvári, 2006). Neither
# says how two equal and imperfect players fare against each other. But that five times the simulations bring
# *nothing* would be strange, and what is strange tells where to look.
#
# **First look: the numbers.** A hundred games say little. The cell below adds up all games of two equal
# players and gives the interval, as [section 4](#4.-Tables-3.1-and-3.2-again) did for each row. It contains ½: the table does not say that
# the second player has an advantage, nor that he has none. The games of five seconds against one are another matter.
# Their interval, too, contains ½. But it excludes what more simulations bring to the
# corrected search in [section 3](#3.-As-printed,-and-corrected). A hundred games cannot carry the first finding. The second one points at the
# program.


# *by Experiments*
#
# **Second look: the line.** Four things happen in a simulation: select, expand, simulate, back up. In the last one
# the program asks who has won, and whether that is the side to move at the leaf. The report plays the
# random game *on the leaf's own state*, and asks afterwards. In outline, with our names:
#
# ```python
# outcome = roll_out(state)                       # plays the state to its end
# reward = 0 if outcome == state.to_play else 1   # whose turn is it now?
# ```
#
# Each line is right. Their order is not. A game ends with the winner's stone; then the turn passes to the
# loser, as after any other stone. So `to_play` is never the winner, the comparison never holds, and
# the reward is always 1. [Section 3](#3.-As-printed,-and-corrected) counts it over thousands of leaves, and there is not one exception. Move
# the question up by a line, before the random game, and the program is right.
#
# **What a search does that is always told "won".** It does not play at random. A decided position is a leaf for
# ever, at any depth: each visit to a column that wins at once brings 1, and nothing that the opponent does can spoil it.
# So wins and blocks are found by the tree alone, where the tree reaches them in time. A person who loses to such a
# program sees skill. The rest is judged by the depth of its leaves, odd or even; the random games, for all
# their number, say nothing. The figure in [section 3](#3.-As-printed,-and-corrected) shows where that leads on the empty grid: the corrected
# search finds the middle and stays with it; the other one has a favourite too, but another one for
# each seed.
#
# **Third look: the tree.** Two agents, one tree. Within one agent to keep the tree is harmless, though the matches of [section 3](#3.-As-printed,-and-corrected) cannot
# tell it from a new one for each move. Between two opponents it hands a part of the stronger one's work to the weaker:
# whoever has few simulations finds what is left of the many below the move that was played. The same section counts
# this as well.
#
# **Taken apart.** Each error can be switched on alone. The figure lets many simulations meet a
# quarter of them, at six budgets: with both errors, with each one, with none. *Draws as wins* has both errors too, and differs
# from the listing in what a drawn random game pays above its leaf.


# *by Experiments*
#
# The rows come from the last table of [section 3](#3.-As-printed,-and-corrected).


# by Experiments · what more simulations are worth, by error
def thinking_figure(table):
    """Return a figure of more_table: score of the many simulations, a line a version."""
    figure = five.core.new_figure(8.2, 3.8)
    ax = figure.subplots()
    ax.axhline(0.5, color="0.6", linewidth=1)
    groups = list(table.groupby("version", sort=False))
    for number, (version, rows) in enumerate(groups):
        place = rows.many * 1.03 ** (number - (len(groups) - 1) / 2)  # side by side
        error = [rows.score - rows.low, rows.high - rows.score]
        style = dict(fmt="^sv<Do"[number] + "-", color=f"C{number}", capsize=3, label=version)
        ax.errorbar(place, rows.score, yerr=error, **style)
    ax.set(xscale="log", ylim=(0, 1), xlabel="simulations per move, against a quarter of them")
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
        said.append(f"{version}: {'; '.join(parts)}.".capitalize())
    return " ".join(said)


# *by Experiments*
#
# Here is the answer. Without either error many simulations clearly beat a quarter of them, at each of the six
# budgets. The shared tree alone takes a part of that gain away. The misread reward alone is stranger: what such a
# search gains goes up and down. At one budget whoever thinks less wins more; at the largest whoever thinks more
# wins, and clearly. The reason stands in [section 3](#3.-As-printed,-and-corrected): the tree fills level by level, and each new level turns
# the judgement round.
#
# It takes both errors to make what the report saw. What the misread search could gain by thinking, the common tree
# hands to the other side. How near to one half does that leave the score? The next cell lists every match of many
# simulations against few that has both errors.


# *by Experiments*
#
# Up to 16,000 simulations the score of many against a quarter of them stays within a few hundredths of one half, but for the
# budget at which thinking harms. Five times as many, 63,000 against 12,600, do win more than half, though far less than the
# corrected search does. "Time does not seem to matter": of this program it is nearly true, and a hundred games could not have
# told the difference.


# *by Experiments*
#
# And the advantage of the second player? [Section 4](#4.-Tables-3.1-and-3.2-again) lets equal agents play many more games than the report
# did where that is cheap, and as many where each simulation counts.


# *by Experiments*
#
# With both errors, draws as wins, and few simulations the second player does score more, by little. As printed we have played
# fewer games; their interval stands above. So the report may have been right about its program there, and its hundred
# games could not have told. Corrected, the first player is far ahead with few
# simulations, and with many he is far *behind*. We looked for an error behind that too, and found none. The corrected
# search begins d1 and answers d2 with d3; both keep the win. With many simulations it then leaves the win, in most games
# by a stone in column a or g, and goes on to lose. "The first player wins" is true of perfect play. Of two equal and
# imperfect players it says nothing.
#
# **And the truth?** [Section 5](#5.-Against-perfect-play) asks the harder question, how far all of this is from perfect play. There the solver
# knows what every move is worth, and no opponent and no luck of the game stand in between. Its answer is
# sobering. To be right nearly always in random positions takes little. To win the one game that can be won takes
# the first player a line of only moves from the empty grid on, and plain UCT leaves it at every budget that
# we tried. With more simulations it may even leave it earlier. The same search with open eyes, decisive moves and
# no gifts in playouts and tree, finds its way, given the most simulations and the larger of two constants.
#
# **What would have found it?** Not more games. Three tests would have. *One*: of many random leaves, are some
# credited 0? *Two*: does a strong setting beat a weak one, clearly, at several budgets? A match like that is not an
# experiment but a test of the instrument. *Three*: is there a position whose answer is known? On the
# empty grid the middle is right. And before any conclusion, *four*: what interval do a hundred games leave?
#
# **What we would not claim.** Our agent is the report's in its rules, its constant, its number of
# simulations and its rewards, those of a draw too, not in its language or its random numbers. We repeat the two errors
# as we understand them from the listing; the report's own program was not run. Whether its table came from them alone, nobody
# can say from a table.
#
# One line, one shared object and no interval: each looks harmless. The figures were honest, and the report drew
# from them what they seemed to say.
#
# *Read more:* L. Kocsis and C. Szepesvári, [*Bandit Based Monte-Carlo Planning*](https://doi.org/10.1007/11871842_29), ECML 2006; J. D. Allen, *The Complete
# Book of Connect 4*, 2010; V. Allis, *A Knowledge-based Approach of Connect-Four*, 1988.

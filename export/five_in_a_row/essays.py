"""Figures of the essays: games by beginning, crossings, lucky means, advice.

Each `show_` function displays one figure of a table or a search, with alternative text and a
caption that says what was counted, by which player, with what budget.
"""

import math
from functools import cache

import numpy as np

from five_in_a_row.engine import engine_moves, kernels_for, live_position
from five_in_a_row.figures import new_figure, percent, show
from five_in_a_row.game import COLOUR, DIRECTIONS, Game, Rules, point_name, to_point
from five_in_a_row.heuristics import line_text
from five_in_a_row.search import (
    COMPLETE,
    Budget,
    SearchOptions,
    Tree,
    read_tree,
)
from five_in_a_row.search_figures import draw_cells
from five_in_a_row.strength import (
    RESULTS_OF_BLACK,
    move_value,
    read_results,
    show_made,
    snapshots,
    stored_results,
)

# ---- Rules: lines of five, games by beginning, the same openings on every board -------------


def lines_by_direction(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point in each direction, int[4, rows, size]."""
    through = np.zeros((len(DIRECTIONS), rules.height, rules.size), int)
    along = np.arange(5)
    for number, (down, right) in enumerate(DIRECTIONS):
        for row, col in np.ndindex(through[number].shape):
            rows, cols = row + down * along, col + right * along
            if 0 <= rows[-1] < rules.height and 0 <= cols[-1] < rules.size:
                through[number, rows, cols] += 1
    return through


def lines_through(rules: Rules) -> np.ndarray:
    """Return how many fives go through each point, int[rows, size]."""
    return lines_by_direction(rules).sum(axis=0)


def crossings_at(rules: Rules) -> np.ndarray:
    """Return how many pairs of fives cross at each point, int[rows, size].

    Two along the same line do not cross.
    """
    through = lines_by_direction(rules)
    return (through.sum(axis=0) ** 2 - (through**2).sum(axis=0)) // 2


def show_crossings(sizes) -> None:
    """Show how many pairs of fives cross at each point of some boards, on one scale."""
    counts = {size: crossings_at(Rules(size)) for size in sizes}
    most = max(count.max() for count in counts.values())
    figure = new_figure(5.6, 3.0)
    axes = figure.subplots(1, len(counts))
    for ax, (size, count) in zip(axes, counts.items(), strict=True):
        middle = size // 2
        labels = {0: f"{count[0, 0]}", middle: f"{count[0, middle]}"}
        labels[middle * size + middle] = f"{count[middle, middle]}"
        draw_cells(ax, Game(Rules(size)), count, labels, colours="Blues", low=0, high=most)
        ax.set_title(f"{size}×{size}: {count.mean():.0f} on average", fontsize=11)
    said = "; ".join(
        f"on {size}×{size} {count[0, 0]} in a corner, {count[0, size // 2]} in the middle of "
        f"an edge, {count.max()} in the middle, {count.mean():.0f} on average"
        for size, count in counts.items()
    )
    show(
        figure,
        f"Boards, darker towards the middle. Pairs of lines: {said}.",
        f"Pairs of lines of five that cross at each point: {said}.",
    )


def show_by_beginning() -> None:
    """Show the games from empty squares as bars, cut where the first five stones differ."""
    table = stored_results("sizes")
    if table is None:
        return
    table = table[~table.board.map(is_long)]
    figure = new_figure(6.4, 4.0)
    ax = figure.subplots()
    gap, widest = 0.7, 0.0  # games, between two beginnings; of the longest bar
    for row, counts in enumerate(table["by beginning"]):
        left = 0.0
        for beginning in counts.split(", "):
            begun = left
            results = map(int, beginning.split("–"))
            for (fill, name), games in zip(RESULTS_OF_BLACK.values(), results, strict=True):
                label = None if row else name
                ax.barh(row, games, 0.7, left, color=fill, label=label)
                left += games
            ax.barh(row, left - begun, 0.7, begun, fill=False, edgecolor="0.15", linewidth=0.8)
            widest, left = max(widest, left), left + gap
    ax.set_yticks(range(len(table)), table.board, fontsize=11)
    ax.invert_yaxis()
    ax.set(xticks=[], xlim=(-0.5, widest + 0.5))
    ax.set_xlabel(f"{table.games[0]} games per board, a box for each beginning", fontsize=11)
    ax.spines[["top", "right", "bottom", "left"]].set_visible(False)
    ax.tick_params(length=0)
    handles = [figure_patch(fill, name) for fill, name in RESULTS_OF_BLACK.values()]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=3, fontsize=11, frameon=False
    )
    said = "; ".join(
        f"{row.board} {row.won}–{row.drawn}–{row.lost} in {1 + row.words.count(',')}"
        for row in table.rename(columns={"by beginning": "words"}).itertuples()
    )
    show(
        figure,
        f"Bars of boxes. Black won–drawn–lost, and the number of beginnings: {said}.",
        f"A box is one beginning: the first five stones, mirror images counted once. Black "
        f"won–drawn–lost in so many beginnings: {said}. The engine against itself from the "
        f"empty board, 500 to 3,500 simulations per move.",
    )
    show_made(table)


def figure_patch(fill, name):
    """Return a filled box with a name, for a legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=fill, edgecolor="0.15", label=name)


def same_openings():
    """Return black's points by opening and board, 0 to 1, a column for each board; or None.

    An opening is played twice; a draw is half a point.
    """
    table = stored_results("beginnings")
    if table is None:
        return None
    games = table["black won"] + table["drawn"] + table["white won"]
    table["points"] = (table["black won"] + table["drawn"] / 2) / games
    points = table.pivot(index="opening", columns="board", values="points")
    points = points[list(dict.fromkeys(table.board))]
    ends = table.groupby("board")[["black won", "drawn", "white won"]].sum()
    points.attrs = {"ends": ends.loc[points.columns], "table": table}
    return points


def mean_reach(numbers) -> tuple[float, float]:
    """Return the mean of some numbers, and half its 95 % interval; nan for none."""
    if len(numbers) == 0:
        return math.nan, math.nan
    return float(numbers.mean()), float(1.96 * numbers.std() / math.sqrt(len(numbers)))


MEASURES = {  # what may decide how a board plays, a number for each
    "points": lambda rules: rules.points,
    "lines": lambda rules: float(lines_through(rules).mean()),
    "crossings": lambda rules: float(crossings_at(rules).mean()),
}


GUESSED = "points", "lines"  # of MEASURES: what a long board may have in common with a square
TESTED_BOARDS = "20×6", "20×10"  # played last, to test what the other boards had suggested


def is_long(board: str) -> bool:
    """Return whether a board, named as in 20×8, is no square."""
    return rules_named(board).rows is not None


def from_squares(by_opening, board: str, measure: str):
    """Return what square boards say of a long one, by opening: a straight line between two.

    by_opening   a table with a column for each board
    measure      of MEASURES; the two squares are its neighbours by that
    """
    squares = [name for name in by_opening if not is_long(name)]
    counts = np.array([MEASURES[measure](rules_named(name)) for name in squares])
    wanted = MEASURES[measure](rules_named(board))
    above = int(np.clip(np.searchsorted(counts, wanted), 1, len(counts) - 1))
    part = (wanted - counts[above - 1]) / (counts[above] - counts[above - 1])
    low, high = (by_opening[name] for name in squares[above - 1 : above + 1])
    return (1 - part) * low + part * high


def guesses_of(by_opening, board: str) -> dict:
    """Return {guess: what squares say of a long board, by opening}.

    A guess is the square on its short side, where that was played, or one of GUESSED.
    """
    height = rules_named(board).height
    guesses = {measure: from_squares(by_opening, board, measure) for measure in GUESSED}
    if (square := f"{height}×{height}") in by_opening:
        guesses = {"short side": by_opening[square]} | guesses
    return guesses


def guess_errors(by_opening, boards=None) -> dict:
    """Return {(long board, guess): (what it has more than guessed, half a 95 % interval)}.

    boards   of all long ones, those that are asked for; None: all

    The difference is taken opening by opening, so that the interval is also of the squares.
    """
    apart = {
        (board, guess): by_opening[board] - guessed
        for board in boards or filter(is_long, by_opening)
        for guess, guessed in guesses_of(by_opening, board).items()
    }
    return {key: mean_reach(each) for key, each in apart.items()}


@cache
def is_threat(line: str) -> bool:
    """Return whether one more stone would make a five or an open four through the middle.

    It is not where a five stands already. line: nine points, as `line_text` writes them.
    """
    windows = [line[start : start + 5] for start in range(5)]
    if "11111" in windows:
        return False
    four = any(sorted(window) == ["0", *"1111"] for window in windows)
    open_four = any(
        line[start] == line[start + 5] == "0"
        and sorted(line[start + 1 : start + 5]) == ["0", *"111"]
        for start in range(4)
    )
    return four or open_four


def threatens_twice(cells, point: int, colour: int) -> bool:
    """Return whether a stone of that colour there makes a threat on two lines at once."""
    lines = [line_text(cells, point, step, colour) for step in DIRECTIONS]
    return sum(map(is_threat, lines)) > 1


def double_threats(moves, begun: int, rules: Rules) -> list[int]:
    """Return the colours that made a stone with two threats in a game, the first one first.

    moves   names of the game from its first stone; the first `begun` stones do not count
    """
    game, made = Game(rules), []
    for number, name in enumerate(moves):
        point, colour = to_point(name, rules), game.to_move
        if number >= begun and colour not in made:
            if threatens_twice(game.array.tolist(), point, colour):
                made.append(colour)
        game.play(point)
    return made


def first_doubles():
    """Return what came of the first stone with two threats by board, or None without games.

    The columns are sums over the games of the table `beginnings`: "games", and what black won,
    drew and lost; "black first" and "white first", who made the first such stone; "first won"
    and "first drawn", what these games brought; "winner made", in which the winner made one.
    """
    table = stored_results("beginnings")
    if table is None:
        return None
    table["games"] = table[["black won", "drawn", "white won"]].sum(axis=1)
    return table.drop(columns="opening").groupby("board", sort=False).sum(numeric_only=True)


def rules_named(board: str) -> Rules:
    """Return the rules of a board that is named as in 20×8, columns first."""
    size, rows = map(int, board.split("×"))
    return Rules(size, rows=None if rows == size else rows)


def name_board(ax, board: str, place, colour: str) -> None:
    """Write the size of a square above its place, and the rows of a long board below it."""
    size, _, rows = board.partition("×")
    look = {"color": colour, "fontsize": 10, "textcoords": "offset points"}
    if is_long(board):
        ax.annotate(f"×{rows}", place, (7, -10), ha="left", **look)
    else:
        ax.annotate(size, place, (-5, 5), ha="right", **look)


def draw_by_measure(ax, table, measure: str) -> None:
    """Draw the mean of each board of a table by opening, by a measure of the board.

    Squares are joined by a line; the long boards, all of 20 columns, are named by their rows,
    and those that were played last are hollow.
    """
    x = {board: MEASURES[measure](rules_named(board)) for board in table}
    for some, colour in (False, "C0"), (True, "C1"):
        boards = sorted((board for board in table if is_long(board) == some), key=x.get)
        at = np.array([x[board] for board in boards])
        y, reach = np.array([mean_reach(table[board]) for board in boards]).T
        ax.plot(at, y, "o" if some else "o-", color=colour, linewidth=1)
        if some:
            last = [board in TESTED_BOARDS for board in boards]
            ax.plot(at[last], y[last], "o", color="white", markersize=3)
            ax.errorbar(at, y, reach, fmt="none", ecolor=colour, elinewidth=1.2)
        else:
            ax.fill_between(at, y - reach, y + reach, color=colour, alpha=0.15, linewidth=0)
        for board, *place in zip(boards, at, y - reach if some else y, strict=True):
            name_board(ax, board, place, colour)
    ax.margins(x=0.12, y=0.15)
    ax.spines[["top", "right"]].set_visible(False)


def show_same_openings(scores) -> None:
    """Show black's score on each board, by its points and by its lines of five.

    scores   by opening and board, of same_openings
    """
    figure = new_figure(7.2, 3.6)
    names = {"points": "points", "lines": "lines of five through a point, on average"}
    axes = figure.subplots(1, 2, sharey=True)
    for ax, (measure, name) in zip(axes, names.items(), strict=True):
        draw_by_measure(ax, scores, measure)
        ax.set_xlabel(name, fontsize=11)
    axes[0].set_ylabel("black's score", fontsize=11)
    said = "; ".join(
        f"{board} {scores[board].mean():.2f}"
        for board in sorted(scores, key=lambda board: rules_named(board).points)
    )
    show(
        figure,
        f"Two panels of dots that rise from left to right; a line joins squares. By points "
        f"the long boards lie below it, by lines beside it. Score: {said}.",
        f"Black's score, a draw being ½. Squares blue; boards of twenty columns and so many "
        f"rows orange, the two played last with a white middle. Bands and bars are 95 % "
        f"intervals over {len(scores)} openings, two games each. The engine against itself, "
        f"500 to 3,500 simulations per move.",
    )
    show_made(scores.attrs["table"])


def print_guesses(scores, boards) -> None:
    """Print black's score on some long boards, and what squares had led one to expect."""
    for board in boards:
        score, reach = mean_reach(scores[board])
        guesses = guesses_of(scores, board).items()
        said = ", ".join(f"{guess} {guessed.mean():.2f}" for guess, guessed in guesses)
        drawn = scores.attrs["ends"].drawn[board]
        print(f"{board}: expected by {said}")
        print(f"      played {score:.2f} ± {reach:.2f}; {drawn} of {2 * len(scores)} drawn")


def show_races(counts) -> None:
    """Show in how many games of each board somebody made a stone with two threats.

    counts   of first_doubles

    Below it is printed who made the first one, and what it decided.
    """
    made = counts["black first"] + counts["white first"]
    (games,) = counts.games.unique()
    figure = new_figure(5.6, 3.3)
    ax = figure.subplots()
    crossings = {board: MEASURES["crossings"](rules_named(board)) for board in made.index}
    said = []
    for board in sorted(crossings, key=crossings.get):
        place, colour = (crossings[board], made[board]), "C1" if is_long(board) else "C0"
        ax.plot(*place, "o", color=colour)
        name_board(ax, board, place, colour)
        said.append(f"{board} {crossings[board]:.0f} and {made[board]}")
    ax.set_xlabel("pairs of lines that cross at a point, on average", fontsize=11)
    ax.set_ylabel("games with a double threat", fontsize=11)
    ax.set(ylim=(0, games))
    ax.margins(x=0.08)
    ax.spines[["top", "right"]].set_visible(False)
    show(
        figure,
        f"Twelve dots that rise from left to right. Crossings and games: {'; '.join(said)}.",
        f"Games of {games} in which somebody makes a stone with threats on two lines. Squares "
        f"blue; boards of twenty columns and so many rows orange.",
    )
    every = counts.sum()
    won, drawn = every["first won"], every["first drawn"]
    print(f"who made it first won {won} of {made.sum()} games and drew {drawn};", end=" ")
    print(f"that was black in {every['black first']}")
    print(f"where no one did {every.drawn - drawn} of {every.games - made.sum()} were drawn")


# ---- Search: means that are high by luck ----------------------------------------------------


def show_lucky(tosses, means, position: Game, simulations: int, later: int, seed: int) -> None:
    """Show fair coins and the moves of a search in the same kind of picture: means by visits.

    tosses, means   of some fair coins: how often each was tossed, its share of heads
    simulations     where the search is stopped for the picture
    later           up to where its two moves are followed
    """
    figure = new_figure(6.4, 3.4)
    left, right = figure.subplots(1, 2)
    counts = np.geomspace(simulations, later, 60).astype(int).tolist()
    reads = [each for *_, each in snapshots(position, counts, None, SearchOptions(seed=seed))]
    visits = np.array([each.visits.ravel() for each in reads])
    values = np.array([each.values.ravel() for each in reads])
    seen, size = np.flatnonzero(visits[0]), position.rules.size
    pair = seen[values[0, seen].argmax()], seen[visits[0, seen].argmax()]
    names = [point_name(int(point), size) for point in pair]
    draw_means(left, tosses, means, ("highest", "most tossed"))
    draw_means(right, visits[0, seen], values[0, seen], names, above=(8, 10))
    for point, colour in zip(pair, ("C1", "C0"), strict=True):
        right.plot(visits[:, point], values[:, point], color=colour, linewidth=1.5)
    left.axhline(0.5, color="0.6", linewidth=1, zorder=0)
    left.set(title="forty fair coins", xlabel="tosses", ylabel="share of heads")
    right.set(
        title=f"moves after {simulations:,} simulations",
        xlabel="visits",
        ylabel="value",
    )
    said = "; ".join(
        f"{name} has value {values[0, point]:+.2f} in {visits[0, point]} visits, and later "
        f"{values[-1, point]:+.2f} in {visits[-1, point]:,}"
        for point, name in zip(pair, names, strict=True)
    )
    show(
        figure,
        f"Two clouds of dots, values by visits on a log scale; left a funnel. Right: {said}.",
        f"Left, one throw of the coins. Right, one search of the engine, black to move on "
        f"8×8 after {' '.join(position.moves)}: {said}. Values go from −1 to +1; the lines end"
        f" at {later:,} simulations; seed {seed}.".replace("-", "−"),
    )


def draw_means(ax, counts, means, names, above=(8, -26)) -> None:
    """Draw means by counts on a log scale, and name the highest and the surest of them.

    above   how far above its dot each name stands, in points
    """
    ax.plot(counts, means, "o", color="0.55", markersize=5)
    places = np.argmax(means), np.argmax(counts)
    for at, name, colour, high in zip(places, names, ("C1", "C0"), above, strict=True):
        ax.plot(counts[at], means[at], "o", color=colour, markersize=8)
        write = {
            "color": colour,
            "fontsize": 11,
            "textcoords": "offset points",
            "ha": "center",
        }
        ax.annotate(name, (counts[at], means[at]), (0, high), **write)
    ax.set_xscale("log")
    ax.margins(x=0.25, y=0.15)
    ax.spines[["top", "right"]].set_visible(False)


PICKS = "most visited", "best value", "as often visited"  # the last is a control


def best_value(visits, values) -> int:
    """Return the point of the highest value; of ties the most visited. NaN is no value."""
    best = np.flatnonzero(values == np.nanmax(values))
    return int(best[visits[best].argmax()])


def picks_of(visits, values) -> tuple[int, int, int]:
    """Return the points of PICKS; the first two may be the same.

    The third is not chosen for its value: of all other moves it is the one whose visits are
    nearest to those of the second. visits, values   one number for each point, NaN: unvisited
    """
    most, best = int(visits.argmax()), best_value(visits, values)
    apart = np.abs(visits - visits[best]).astype(float)
    apart[[most, best]] = np.inf
    apart[visits == 0] = np.inf
    return most, best, int(apart.argmin())


def promises(positions, counts: list[int], judge: int):
    """Return what PICKS promise of their moves, and what a longer search says of them.

    {count: table}, with a row for each position in which, after so many simulations, the best
    value is not the most visited move, and the columns (pick, "visits", "promised" or
    "judged"). Judged is the value that a search of `judge` simulations by the engine finds
    once the move is played.
    """
    import pandas as pd

    rows = {count: [] for count in counts}
    columns = pd.MultiIndex.from_product([PICKS, ("visits", "promised", "judged")])
    for seed, position in enumerate(positions):
        options, judged = SearchOptions(seed=seed), {}
        for count, _, found in snapshots(position, counts, None, options):
            visits, values, row = found.visits.ravel(), found.values.ravel(), []
            picks = picks_of(visits, values)
            if picks[0] == picks[1]:
                continue
            for point in picks:
                if point not in judged:
                    judged[point] = move_value(position, point, judge)
                row += [visits[point], values[point], judged[point]]
            rows[count].append(row)
    return {count: pd.DataFrame(rows[count], columns=columns) for count in counts}


def show_promises(searches: dict) -> dict:
    """Print by how much the move of each pick is promised too much after some searches.

    searches   {name: a table as of `promises`}

    Returns {(name, row): (mean, half its 95 % interval)} of the differences, taken opening by
    opening: of what is promised too much, and of what the moves are judged to be worth.
    """
    import pandas as pd

    found, picked, differ = {}, {}, {}
    for name, table in searches.items():
        column = picked[name] = {"openings where they differ": f"{len(table)}"}
        high = {pick: table[pick]["promised"] - table[pick]["judged"] for pick in PICKS}
        for pick in PICKS:
            visits = table[pick]["visits"].median()
            said = f"{high[pick].mean():+.2f} in {visits:.0f} visits"
            column[pick] = said if len(table) else "–"
        judged = table["best value"]["judged"] - table["most visited"]["judged"]
        differences = {
            "best value − as often visited": high["best value"] - high["as often visited"],
            "judged: best value − most visited": judged,
        }
        differ[name] = {}
        for row, apart in differences.items():
            found[name, row] = mean, reach = mean_reach(apart)
            differ[name][row] = f"{mean:+.3f} ± {reach:.3f}" if len(apart) else "–"
    print("how much too high the value of each pick is, and its visits (the median)")
    print(pd.DataFrame(picked).to_string(justify="right").replace("-", "−"))
    print("\ndifferences within an opening; last row: how the judge rates the two moves")
    print(pd.DataFrame(differ).to_string(justify="right").replace("-", "−"))
    return found


def print_picks(table) -> None:
    """Print the table `picks`: a rule for the move against the most visited one."""
    print(
        "rule; simulations, board             score           won drawn lost  decisive pairs"
    )
    for _, row in table.iterrows():
        words = f"{row.a.rsplit(' ', 1)[0]}; {row.simulations:,}, {row.board}"
        score = f"{row.score:.2f} ({row.low:.2f} to {row.high:.2f})"
        games = f"{row.won:3} {row.drawn:5} {row.lost:4}"
        pairs = f"{row['pairs won']:3} to {row['pairs lost']}"
        print(f"{words:36}{score:20}{games}  {pairs}")


# ---- Heuristics: advice against proofs ------------------------------------------------------


def priors_of(position: Game) -> dict[int, float]:
    """Return {point: prior} of the engine's moves, as its games taught it, best first."""
    workspace = live_position(position)
    unproved = SearchOptions(vcf_nodes=0)
    number = engine_moves(workspace, 0, position.rules.points, unproved)
    shares = (workspace.priors[:number] / 255) ** 2
    return dict(zip(workspace.moves[:number].tolist(), shares.tolist(), strict=True))


def give_priors(tree, priors):
    """Give the root of a tree all its moves, with {point: prior}, before the search."""
    nodes, first, number = tree.nodes, int(tree.workspace.free_list[0]), len(priors)
    tree.workspace.free_list[0] = first + number
    place = np.argsort(tree.places)  # of a point of the game in the tree
    mixed = np.random.default_rng(tree.options.seed).permutation(list(priors)).tolist()
    stored = [(int(255 * math.sqrt(priors[point])), place[point]) for point in mixed]
    stored.sort(key=lambda each: -each[0])  # best first, equal ones at random
    children = nodes[first : first + number]
    children["prior"], children["move"] = np.transpose(stored)
    nodes["first_child"][0], nodes["num_children"][0] = first, number
    nodes["status"][0] = COMPLETE


def print_visits(position: Game, names, counts, options: SearchOptions):
    """Print the visits and values of some moves in one search by the engine, as it goes on.

    counts   of simulations, rising

    Returns the last SearchResult.
    """
    tree = Tree(
        position,
        kernels_for(position.rules),
        options,
        Budget(simulations=counts[-1]).records(),
    )
    points, done = [to_point(name, position.rules) for name in names], 0
    print("simulations " + "".join(f"{name:^14}" for name in names) + "others")
    for count in counts:
        done += tree.run(count - done)
        found = read_tree(tree, done, 0.0)
        visits, values = found.visits.ravel(), found.values.ravel()
        print(f"{count:11,} ", end="")
        for point in points:
            said = f"{visits[point]:4} ({values[point]:+.2f})" if visits[point] else "-"
            print(f"{said:^14}".replace("-", "−"), end="")
        print(f"{visits.sum() - visits[points].sum():6,}")
    return found


def show_advice(game: Game, ringed) -> None:
    """Show a position with the engine's learned priors, and rings around some named points.

    The priors of these are written, and those of the two largest.
    """
    priors, size = priors_of(game), game.rules.size
    points = [to_point(name, game.rules) for name in ringed]
    labels = {point: percent(priors[point]) for point in [*list(priors)[:2], *points]}
    shares = np.zeros(game.array.shape)
    shares.flat[list(priors)] = list(priors.values())
    shown = np.ma.masked_less(shares, 0.003)
    figure = new_figure(3.1, 3.1)
    ax = figure.subplots()
    draw_cells(ax, game, shown, labels, colours="Blues", low=0, high=0.5)
    rows, cols = np.divmod(points, size)
    ax.plot(cols, rows, "o", color="C2", markersize=185 / size, fillstyle="none", zorder=7)
    words = ", ".join(f"{point_name(point, size)} {share}" for point, share in labels.items())
    show(
        figure,
        f"A board shaded by the engine's priors: {words}.",
        f"The engine's priors for {COLOUR[game.to_move]}, who is to move: {words}.",
    )


ADVICE_KINDS = {  # what the root is told: words, colour, mark, where Node X's number stands
    "own": ("the engine's advice", "C0", "o", 6),
    "equal": ("none", "0.5", "s", 6),
    "praise": ("praise for losers", "C1", "^", -15),
    "silence": ("silence about right moves", "C3", "v", 6),
}


def kinds_of_advice(priors, right) -> dict[str, dict]:
    """Return {name: {point: prior}} of the engine's advice, of none, and of three bad ones.

    In "praise" the losers that it prefers to every right move keep its priors, the right moves
    an equal share, and the others share the rest. In "both" they keep them too, and all others
    share the rest, the right moves included. In "silence" these get as little as in "both",
    but no move is praised. All but the engine's own add up to one.

    priors   as priors_of, best first     right   the points of the moves that hold
    """
    order = list(priors)
    preferred = order[: min(map(order.index, right))]
    praised = {point: priors[point] for point in preferred}

    def with_rest_shared(given):
        rest = (1 - sum(given.values())) / (len(order) - len(given))
        return {point: given.get(point, rest) for point in order}

    both = with_rest_shared(praised)
    return {
        "own": priors,
        "equal": with_rest_shared({}),
        "praise": with_rest_shared(praised | dict.fromkeys(right, 1 / len(order))),
        "silence": with_rest_shared({point: both[point] for point in right}),
        "both": both,
    }


def print_kinds(position: Game, names, right) -> None:
    """Print the prior of some moves, and of all others where it is one, by `kinds_of_advice`.

    names, right   names of moves, some of which are the right ones
    """
    points = {name: to_point(name, position.rules) for name in names}
    kinds = kinds_of_advice(priors_of(position), [points[name] for name in right])
    print(f"{'':26}" + "".join(f"{name:>7}" for name in names) + "   each other move")
    for kind, (words, *_) in ADVICE_KINDS.items():
        priors = kinds[kind]
        others = {share for point, share in priors.items() if point not in points.values()}
        row = "".join(f"{priors[point]:7.1%}" for point in points.values())
        least, most = min(others), max(others)
        rest = f"{least:.1%}" if least == most else f"{least:.1%} to {most:.1%}"
        print(f"{words:26}{row}   {rest}")


def wrong_advice(table):
    """Return the rows of `advice` whose first choice does not hold, numbered from 1.

    The latest to come right is first, and those that never do are last. "rank" and "shares"
    are of the best right move: its place, and its prior in equal shares. "from" is from how
    many simulations on a right move leads for good, the median of some searches; an empty
    cell: not by 30,000.
    """
    wrong = table[table["rank"] > 1].sort_values("from own", ascending=False, kind="stable")
    return wrong.set_axis(range(1, len(wrong) + 1))


def draw_overruled(ax, rows) -> None:
    """Draw from how many simulations on a right move leads, a row for each position."""
    end = 40_000  # of the lines; the searches end at 30,000
    heights = -np.arange(len(rows))
    ax.hlines(heights, 7, end, color="0.9", zorder=0)
    for kind, (words, colour, mark, high) in ADVICE_KINDS.items():
        counts = rows[f"from {kind}"]
        ax.plot(counts, heights, mark, color=colour, markersize=8, label=words)
        above = {"textcoords": "offset points", "ha": "center", "fontsize": 8.5}
        ax.annotate(f"{counts[1]:,.0f}", (counts[1], 0), (0, high), color=colour, **above)
    names = [f"{row.board}, {row.right.replace(' ', ' or ')}" for row in rows.itertuples()]
    names[0] = f"Node X, {names[0].split(', ')[1]}"
    ax.set_xscale("log")
    ax.set_xticks([10, 100, 1_000, 10_000], ["10", "100", "1,000", "10,000"])
    ax.set_yticks(heights, names, fontsize=9)
    ax.set(xlim=(6, end), ylim=(heights[-1] - 0.6, 0.9))
    ax.set_xlabel("simulations until a right move leads for good")
    ax.spines[["left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)


def draw_slowdown(ax, rows) -> None:
    """Draw how many times as long silence takes as no advice, by the share that it leaves."""
    shares = np.geomspace(0.13, 1, 50)
    ax.plot(shares, shares**-2, color="0.6", zorder=0)
    _, colour, mark, _ = ADVICE_KINDS["silence"]
    longer = rows["from silence"] / rows["from equal"]
    ax.plot(rows["shares left"], longer, mark, color=colour, markersize=8)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xticks([0.15, 0.25, 0.5, 1], ["0.15", "0.25", "0.5", "1"])
    ax.set_yticks([1, 2, 4, 10, 40], ["×1", "×2", "×4", "×10", "×40"])
    ax.set_xlabel("share left, in equal shares")
    ax.set_ylabel("times as long as no advice")


def show_overruled(rows) -> None:
    """Show when a right move leads, and how much later after silence: `wrong_advice`."""
    came_right = rows[rows["from equal"].notna()]
    figure = new_figure(7.8, 3.8)
    left, right = figure.subplots(1, 2, width_ratios=(2, 1))
    draw_overruled(left, came_right)
    draw_slowdown(right, came_right)
    for ax in left, right:
        ax.minorticks_off()
        ax.spines[["top", "right"]].set_visible(False)
    places = {"loc": "outside upper center", "ncols": 4, "columnspacing": 1.2}
    figure.legend(*left.get_legend_handles_labels(), frameon=False, fontsize=9, **places)
    said = []
    for kind, (words, *_) in ADVICE_KINDS.items():
        counts = ", ".join(f"{count:,.0f}" for count in came_right[f"from {kind}"])
        said.append(f"{words}: {counts}")
    show(
        figure,
        f"Left, {len(came_right)} rows of marks, from left to right. {'; '.join(said)}. "
        f"Right, marks along a line that falls: the less is left, the longer it takes.",
        "Positions in which the engine's first choice loses; medians of 15 searches, each "
        "looked at 41 times, so counts are 22 % apart. Right, the line is what the bonus "
        "alone makes of a right move's share.",
    )
    show_made(read_results("advice"))

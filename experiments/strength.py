"""The tables of five in a row: what each idea is worth, ladders, levels, board sizes, puzzles.

Seconds per move are equal for both players unless a row says otherwise; in `wishes`, `sizes`,
`constants` and `picks`, and in rows of `look-or-games`, simulations are. A row says where its
games begin, each opening being played twice with the colours exchanged. The engine begins on
15×15 from even openings, since most others decide the game; on 8×8, where nearly all are even
and most games drawn, from random ones, as the levels do on either board.
"""

import contextlib
import dataclasses
import math
import re
import shutil
from functools import partial
from itertools import combinations, product
from pathlib import Path

import five_in_a_row as five
import numpy as np

from experiments import matches
from experiments.kinds.five_in_a_row import CUTS, FULL, LEAF_GAMES, WITHOUT
from experiments.matches import match
from experiments.prior import ClassicOnProcessor, Prior
from experiments.puzzles import read_puzzles
from experiments.registry import table
from experiments.training.attacks import REFUTES, attack_after
from experiments.training.openings import SIMULATIONS

SECONDS = 0.03  # a move, where a table does not say otherwise
LONG = 0.3  # once more, for an idea that costs simulations
LONGER_DOUBT = 0.3  # of a long budget, for each doubt, where the engine takes less
PUZZLE_SECONDS = 1
ATTACK_SECONDS = (0.1, 0.3, 1)
ADVICE_SIMULATIONS = 30_000  # of a search
SEEN, LATER = 10_000, 40_000  # simulations at a picture of a search, and after it went on
RECENT = 1_000  # the last simulations before a picture
TWICE = "no VCT", "no doubt of the favourite"  # ideas with twice the games
LEAVES = 2_000  # simulations, where two engines differ in what they do at a leaf
CONSTANTS = {"0.25": 0.25, "0.5": 0.5, "1": 1.0, "√2": math.sqrt(2)}
CONSTANT_SIMULATIONS = {8: 2_000, 15: 1_000}
PRIOR_SIMULATIONS = 1_000, 5_000
PICK_SIMULATIONS = 100, 1_000
ENGINE_BEGINS = {15: "even stones", 8: "random stones"}
ENGINE = ("engine", "engine keeps its tree")  # kinds of players
RIVALS = ("random", "plain", "classic")
LONG_ENGINE = (*ENGINE, "engine at length")  # where a search is longer than kinds.BRIEF
LONG_RIVALS = (*RIVALS, "plain at length", "classic at length")
LEVELS = ("engine level 3", "engine level 8", "engine levels", *LONG_ENGINE)


def own_match(name, a, b, size, games, jobs, **shown):
    """Play a match of the engine with itself: half as many games on 8×8, where most draw."""
    games = games // 2 if size == 8 else games  # `played` makes pairs of them
    return match(name, a, b, size, games, jobs, ENGINE_BEGINS[size], **shown)


# -- players -------------------------------------------------------------------------------
def engine(*, seconds=SECONDS, **settings):
    """Return the engine as a player, with that time for a move."""
    return five.engine.EnginePlayer(seconds=seconds, **settings)


def rival(name, *, seconds=None):
    """Return plain UCT, classic or the random player."""
    if name == "random":
        return five.mcts.RandomPlayer()
    kind = {"plain UCT": five.PlainUCT, "classic": five.search.Classic}[name]
    return kind(seconds=seconds)


class Varying:
    """The engine with simulations that vary from move to move, so that its games differ."""

    name = "engine with varying simulations"

    def __init__(self):
        self.engine = five.engine.EnginePlayer()
        self.settings = {}
        self.result = None

    def move(self, game, seed):
        """Return the engine's move; the seed says how many simulations it has."""
        fewest, most = SIMULATIONS
        simulations = fewest + int(seed) % (most - fewest + 1)
        self.result = self.engine.search(game, seed=seed, simulations=simulations)
        return self.result.move


def by_value(result):
    """Return a SearchResult with the move of the best value in place of the most visited.

    A proved win stays, and so does a move that needed no search.
    """
    if result.proven == 1 or not result.visits.any():
        return result
    point = five.essays.best_value(result.visits.ravel(), result.values.ravel())
    return dataclasses.replace(result, move=point)


def by_ties(result):
    """Return a SearchResult with, of the most visited moves, the one of the best value."""
    most = result.visits == result.visits.max()
    return by_value(dataclasses.replace(result, values=np.where(most, result.values, np.nan)))


class EngineWithGames(five.engine.EnginePlayer):
    """The engine, but a leaf is worth the mean of so many random games; 0: it is even."""

    name = "engine with random games"

    def __init__(self, count, **settings):
        super().__init__(**settings)
        self.count = self.settings["count"] = count

    def search(self, game, **asked):
        """Return what the engine finds with them."""
        return super().search(game, kernels=five.engine.games_at_leaf(self.count), **asked)


class EngineByValue(five.engine.EnginePlayer):
    """The engine, but it plays the move of the best value."""

    name = "engine by value"

    def search(self, game, **asked):
        """Return what the engine finds, with that move."""
        return by_value(super().search(game, **asked))


class PlainByValue(five.PlainUCT):
    """Plain UCT, but it plays the move of the best value."""

    name = "plain UCT by value"

    def search(self, game, **asked):
        """Return what plain UCT finds, with that move."""
        return by_value(super().search(game, **asked))


class PlainByTies(five.PlainUCT):
    """Plain UCT, but of several most visited moves it plays the one of the best value."""

    name = "plain UCT, ties by value"

    def search(self, game, **asked):
        """Return what plain UCT finds, with that move."""
        return by_ties(super().search(game, **asked))


# -- tables ---------------------------------------------------------------------------------
@table("ablation", 200, (*LONG_ENGINE, "engine without an idea"))
def ablation(games, jobs):
    """Each idea switched off against the full engine, equal time; a control."""
    without = {name: {"options": options} for name, options in WITHOUT.items()}
    without["no tree reuse"] = {"reuse": False}
    without["full too"] = {}  # a control: two equal players
    for size in (15, 8):
        for name, settings in without.items():
            one, other = ("full", engine()), (name, engine(**settings))
            count = games * (2 if name in TWICE else 1)
            yield own_match("ablation", one, other, size, count, jobs, seconds=SECONDS)
    one, other = ("full", engine()), ("no tree reuse from random stones", engine(reuse=False))
    yield match("ablation", one, other, 15, games, jobs, seconds=SECONDS)
    name = "no doubt of the favourite"
    pair = (
        ("full", engine(seconds=LONG)),
        (f"{name} at {LONG:g} s", engine(seconds=LONG, **without[name])),
    )
    yield own_match("ablation", *pair, 15, games // 2, jobs, seconds=LONG)


@table("ladder", 100, (*LONG_ENGINE, *LONG_RIVALS), budget="seconds a move as named")
def ladder(games, jobs):
    """Random, plain UCT, classic, and the engine at three speeds, each against the next."""
    rungs = [
        ("random", rival("random")),
        ("plain UCT 0.1 s", rival("plain UCT", seconds=0.1)),
        ("classic 0.1 s", rival("classic", seconds=0.1)),
        ("engine 0.02 s", engine(seconds=0.02)),
        ("engine 0.1 s", engine(seconds=0.1)),
        ("engine 0.5 s", engine(seconds=0.5)),
    ]
    for size in (15, 8):
        for lower, higher in zip(rungs, rungs[1:], strict=False):
            few = games // 2 if "0.5" in higher[0] else games
            yield match("ladder", higher, lower, size, few, jobs, ENGINE_BEGINS[size])


def look_match(table, rival, count, budget, games, jobs):
    """Play the engine against itself with so many random games in place of each look."""
    name = " ".join(f"{limit} {unit}" for unit, limit in budget.items())
    look = f"look {name}", five.engine.EnginePlayer(**budget)
    other = f"{rival} {name}", EngineWithGames(count, **budget)
    return own_match(table, look, other, 15, games, jobs, **budget)


@table("look-or-games", 200, (*ENGINE, "engine with random games"))
def look_or_games(games, jobs):
    """The engine against itself with random games in place of each look, on 15×15."""
    one, hundred = LEAF_GAMES
    for count, budget in (
        (one, {"simulations": LEAVES}),
        (one, {"seconds": SECONDS}),
        (hundred, {"simulations": LEAVES}),
    ):
        rival = f"{count} random games"
        yield look_match("look-or-games", rival, count, budget, games, jobs)


@table("look-or-none", 200, (*ENGINE, "engine with no judge"))
def look_or_none(games, jobs):
    """The engine against itself with every leaf called even, on 15×15."""
    for budget in ({"simulations": LEAVES}, {"seconds": SECONDS}):
        yield look_match("look-or-none", "no judge", 0, budget, games, jobs)


@table("direct", 100, (*ENGINE, *LONG_RIVALS), budget="seconds a move as named")
def direct(games, jobs):
    """The engine against plain UCT, which has five times as long, or as long."""
    ours = "engine 0.02 s", engine(seconds=0.02)
    for size, seconds in product((15, 8), (0.1, 0.02)):
        theirs = f"plain UCT {seconds} s", rival("plain UCT", seconds=seconds)
        yield match("direct", ours, theirs, size, games, jobs, ENGINE_BEGINS[size])


@table("draw", 200, (*LONG_ENGINE, *LONG_RIVALS), budget="seconds a move as named")
def draw(games, jobs):
    """The engine on 8×8, a draw from the empty board, against the rungs up to itself."""
    rivals = [
        ("random", rival("random")),
        ("plain UCT 0.1 s", rival("plain UCT", seconds=0.1)),
        ("classic 0.1 s", rival("classic", seconds=0.1)),
        ("engine 0.02 s", engine(seconds=0.02)),
        ("engine 0.1 s", engine(seconds=0.1)),
    ]
    few = games // 16 * 2  # the claim is of the empty board
    for begins, count in (("random stones", few), (matches.EMPTY, games)):
        for name, other in rivals:
            pair = ("engine 0.1 s", engine(seconds=0.1)), (name, other)
            yield match("draw", *pair, 8, count, jobs, begins)


@table("levels", 600, LEVELS, budget="0.1 s a move at most")
def levels(games, jobs):
    """Each level against the next; at most 0.1 s per move."""
    for size in (15, 8):
        for level in range(1, 10):
            pair = [(f"level {n}", engine(seconds=0.1, level=n)) for n in (level + 1, level)]
            yield match("levels", *pair, size, games, jobs)


VARYING = "500 to 3500 simulations a move, another number each time"
BOARDS = (*map(five.game.Rules, (7, 8, 9, 10, 11, 12, 13, 15)), five.game.Rules(20, rows=8))
# the last two were played to test what the others had suggested
LONG_BOARDS = tuple(five.game.Rules(20, rows=rows) for rows in (7, 9, 6, 10))


def black_results(result):
    """Return how many games of a match black won, drew and lost, as a list."""
    won, drawn = ((result.winner == who).sum() for who in (result.black, "draw"))
    return [int(won), int(drawn), int(len(result) - won - drawn)]


def by_beginning(result, rules):
    """Return what black won, drew and lost by the first five stones, most games first."""
    groups = result.groupby([matches.beginning(moves, rules) for moves in result.moves])
    counts = sorted((black_results(games) for _, games in groups), key=sum, reverse=True)
    return ", ".join("–".join(map(str, each)) for each in counts)


@table("sizes", 60, ENGINE, budget=VARYING)
def sizes(games, jobs):
    """The engine against itself from the empty board of each size; budgets vary by move."""
    for rules in BOARDS:
        pair = ("one", Varying()), ("two", Varying())
        result = matches.played("sizes", *pair, rules, games, jobs, matches.EMPTY)
        won, drawn, lost = black_results(result)
        used = matches.used(result, timed=False)  # by the same player on both sides
        once = result.drop_duplicates("moves")
        ends = black_results(once)
        print(f"  black {won}, drawn {drawn}", flush=True)
        yield {
            **{"a": "black", "b": "white", "board": f"{rules.size}×{rules.height}"},
            **{"games": games, "won": won, "drawn": drawn, "lost": lost},
            "plies": round(result.plies.mean(), 1),
            "different games": len(once),
            "different won": ends[0],
            "different lost": ends[2],
            "by beginning": by_beginning(result, rules),
            "simulations a move": round(
                np.mean([used[f"simulations a move {side}"] for side in "ab"])
            ),
        }


def races_of(games, rules):
    """Return {column: count} of who made the first stone with two threats in some games."""
    columns = "black first", "white first", "first won", "first drawn", "winner made"
    found = dict.fromkeys(columns, 0)
    for game in games.itertuples():
        begun, black = len(game.opening.split()), five.game.BLACK
        made = five.essays.double_threats(game.moves.split(), begun, rules)
        drawn = game.winner == "draw"
        winner = 0 if drawn else black if game.winner == game.black else -black
        if made:
            found["black first" if made[0] == black else "white first"] += 1
            found["first won"] += winner == made[0]
            found["first drawn"] += drawn
        found["winner made"] += winner in made
    return found


@table("beginnings", 120, ENGINE, budget=VARYING)
def beginnings(games, jobs):
    """The engine against itself from the same openings on every board; black's results."""
    for rules in (*BOARDS[1:], *LONG_BOARDS):
        pair = ("one", Varying()), ("two", Varying())
        result = matches.played("beginnings", *pair, rules, games, jobs)
        for number in range(games // 2):
            pair = result[2 * number : 2 * number + 2]
            won, drawn, lost = black_results(pair)
            row = {"board": f"{rules.size}×{rules.height}", "opening": number + 1}
            row |= {"black won": won, "drawn": drawn, "white won": lost}
            yield row | races_of(pair, rules)


@table("constants", 400, ("plain",))
def constants(games, jobs):
    """Plain UCT with four constants c, every pair of them, equal simulations."""
    for size, budget in CONSTANT_SIMULATIONS.items():
        players = [
            (f"c {name}", five.PlainUCT(simulations=budget, c=c))
            for name, c in CONSTANTS.items()
        ]
        for one, other in combinations(players, 2):
            shown = {"simulations": budget}
            yield match("constants", one, other, size, games, jobs, **shown)


@table("picks", 200, (*ENGINE, "plain"))
def picks(games, jobs):
    """The move of the best value against the most visited one, equal simulations."""
    players = {
        "engine": (five.engine.EnginePlayer, EngineByValue),
        "plain UCT": (five.PlainUCT, PlainByValue),
    }
    for size, (name, kinds), budget in product((15, 8), players.items(), PICK_SIMULATIONS):
        visited, valued = (kind(simulations=budget) for kind in kinds)
        pair = (
            (f"{name} best value {budget}", valued),
            (f"{name} most visited {budget}", visited),
        )
        shown = {"simulations": budget}
        begins = ENGINE_BEGINS[size]
        yield match("picks", *pair, size, games, jobs, begins, timed=False, **shown)
    budget = min(PICK_SIMULATIONS)  # which are fewer than the moves on 15×15
    pair = (
        (f"plain UCT ties by value {budget}", PlainByTies(simulations=budget)),
        (f"plain UCT most visited {budget}", five.PlainUCT(simulations=budget)),
    )
    shown = {"simulations": budget}
    yield match("picks", *pair, 15, games, jobs, ENGINE_BEGINS[15], timed=False, **shown)


@table("prior", 200, ("classic", "prior"))
def prior(games, jobs):
    """The main notebook's two searches: priors and no cut, against the cut to five."""
    budgets = {f"{made}": {"simulations": made} for made in PRIOR_SIMULATIONS}
    budgets[f"{SECONDS:g} s"] = {"seconds": SECONDS}
    for name, limit in budgets.items():
        budget = f"{name} of processor time" if "seconds" in limit else f"{name} simulations"
        for size in (8, 15):
            pair = (
                (f"prior {name}", Prior(**limit)),
                (f"classic {name}", ClassicOnProcessor(**limit)),
            )
            shown = {"budget": f"{budget} a move", "timed": False}
            yield match("prior", *pair, size, games, jobs, ENGINE_BEGINS[size], **shown)


def by_kind():
    """Return {kind: [(game, points that solve it), ...]} of the puzzles."""
    kinds = {}
    for puzzle in read_puzzles():
        name = puzzle.kind.split(" of ")[0]  # "VCF of 7 plies"
        kinds.setdefault(name, []).append((puzzle.game, puzzle.listed))
    return kinds


@table("wishes", 200, ("plain", "classic", "proposed extensions"))
def wishes(games, jobs):
    """The course notebook's wishes against plain UCT and its near set, equal simulations."""
    for size in (15, 8):
        for budget in (2_000, 10_000):
            makers = {
                name: partial(five.strength.ExtensionPlayer, name)
                for name in five.strength.EXTENSIONS
            }
            makers |= {"plain UCT": five.PlainUCT, "classic": five.search.Classic}
            players = {
                name: (f"{name} {budget}", make(simulations=budget))
                for name, make in makers.items()
            }
            pairs = [(wish, "plain UCT") for wish in five.strength.EXTENSIONS]
            pairs += [
                (wish, "near set") for wish in five.strength.EXTENSIONS if wish != "near set"
            ]
            pairs += [("distance urgency", "classic")]
            for one, other in pairs:
                pair = players[one], players[other]
                shown = {"wish": one, "rival": other, "simulations": budget}
                yield match("wishes", *pair, size, games, jobs, **shown)


@table("puzzles", 100, (*LONG_ENGINE, *LONG_RIVALS), unit="of a kind", budget="1 s a position")
def puzzles(each, jobs):
    """The puzzles of tests/positions, by kind: how many each player solves at one second."""
    makers = {
        "engine": partial(five.engine.EnginePlayer, reuse=False),
        "plain UCT": five.PlainUCT,
        "classic": five.search.Classic,
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


@table("attacks", 100, LONG_ENGINE, unit="positions")
def attacks(positions, jobs):
    """How often the engine plays a move that a long attack refutes, by time and doubt."""
    doubts = {
        "never doubted": FULL._replace(doubt=0),
        "two percent": FULL._replace(doubt=five.engine.DOUBT),
        "as it is": FULL,
        "three tenths": FULL._replace(doubt=LONGER_DOUBT),
    }
    games = [puzzle.game for puzzle in read_puzzles("attacks.txt")[:positions]]
    for seconds in ATTACK_SECONDS:
        row = {"budget": f"{seconds:g} s a position", "positions": len(games)}
        for name, options in doubts.items():
            player = five.engine.EnginePlayer(seconds=seconds, options=options, reuse=False)
            work = partial(is_refuted, player)
            row[name] = sum(five.strength.in_parallel(work, games, jobs, False))
        print(row, flush=True)
        yield row


def is_refuted(player, game):
    """Return whether the move that a player finds loses to an attack of threats."""
    return attack_after(game, player.move(game, 1), REFUTES) > 0


@table("cut", 100, ("cut candidates",), unit="of a kind", budget="no search")
def cut(each, jobs):
    """Classic's cuts on the puzzles, by kind: where a move that solves one is left."""
    for kind, positions in by_kind().items():
        row = {"kind": kind, "puzzles": len(positions[:each])}
        for name, options in CUTS.items():
            left = [
                five.strength.classic_candidates(game, options) for game, _ in positions[:each]
            ]
            pairs = zip(left, positions, strict=False)
            kept = [bool(set(points) & set(listed)) for points, (_, listed) in pairs]
            row[f"left by the cut {name}"] = sum(kept)
        yield row


# nothing is proved in these searches, which differ in their advice alone
UNPROVED = FULL._replace(vcf_nodes=0, solve=False)


def advised_tree(game, priors, seed):
    """Return the tree of a search of ADVICE_SIMULATIONS with those priors at its root."""
    records = five.search.Budget(simulations=ADVICE_SIMULATIONS).records()
    kernels = five.engine.kernels_for(game.rules)
    tree = five.search.Tree(game, kernels, UNPROVED._replace(seed=seed), records)
    five.essays.give_priors(tree, priors)
    return tree


def leads_from(tree, right):
    """Return from how many simulations on a right move has the most visits; inf: not yet."""
    counts, done, wrong = np.geomspace(10, ADVICE_SIMULATIONS, 41).astype(int).tolist(), 0, []
    for count in counts:
        done += tree.run(count - done)
        wrong.append(five.search.read_tree(tree, done, 0.0).visits.argmax() not in right)
    later = 1 + max(np.flatnonzero(wrong), default=-1)
    return counts[later] if later < len(counts) else math.inf


def found_from(name, led):
    """Return the columns of some searches: when a right move led, or None if none did.

    The median, the soonest and the latest.
    """
    counts = np.median(led), min(led), max(led)
    known = [float(count) if count < math.inf else None for count in counts]
    return dict(zip((f"from {name}", f"{name} soonest", f"{name} latest"), known, strict=True))


@table("advice", 15, (*LONG_ENGINE, "cut candidates"), unit="seeds")
def advice(seeds, jobs):
    """How far advice agrees with proofs at Node X and its like, and when it is overruled."""
    for puzzle in read_puzzles("node_x.txt"):
        game, right = puzzle.game, puzzle.listed
        names = sorted(five.game.point_name(point, game.rules.size) for point in right)
        priors = five.essays.priors_of(game)
        order = list(priors)  # best first
        best = max(priors[point] for point in right)
        row = {
            "board": f"{game.rules.size}×{game.rules.height}",
            "moves": " ".join(game.moves),
            "right": " ".join(names),
            "first": five.game.point_name(order[0], game.rules.size),
            "rank": 1 + min(map(order.index, right)),
            "shares": round(best * len(priors), 1),  # its prior, in equal shares
        }
        left = five.strength.classic_candidates(game, CUTS["to one"])
        row["left by the cut"] = int(bool(right & set(left)))
        kinds = five.essays.kinds_of_advice(priors, right)
        left_over = kinds["silence"][next(iter(right))] * len(priors)
        row["shares left"] = round(left_over, 2)
        for name, given in kinds.items():
            led = [
                leads_from(advised_tree(game, given, seed), right)
                for seed in range(1, seeds + 1)
            ]
            row |= found_from(name, led)
        print(row, flush=True)
        yield row


def lead_changes(game, counts, later, seed):
    """Return how the lead of one search changed: what a picture of it shows, and what not.

    "recent" is of the last visits before the picture alone; their favourite may be another.
    "worse" is by how much a leader that was overtaken is worth less than the later one, from
    -1 to +1, by a new search of `later` simulations after each.

    counts   when the search is looked at, a range; the last of them is the picture
    later    simulations after which it is looked at once more
    """
    options = FULL._replace(seed=seed)
    reads = five.strength.snapshots(game, [*counts, later], None, options)
    *seen, picture, after = [result for *_, result in reads]
    led = [result.move for result in (*seen, picture)]
    changed = [i for i in range(1, len(led)) if led[i] != led[i - 1]]
    shares = np.sort(picture.visits, axis=None) / picture.visits.sum()
    before = seen[counts.index(counts[-1] - RECENT)]
    recent = (picture.visits - before.visits).ravel()
    others = np.delete(recent, picture.move)
    overtaken, worse = after.move != picture.move, 0.0
    if overtaken:
        value, better = (
            five.strength.move_value(game, move, later) for move in (picture.move, after.move)
        )
        worse = better - value
    return {
        "changes": len(changed),
        "last change": counts[changed[-1]] if changed else 0,
        "lead": round(100 * float(shares[-1] - shares[-2]), 1),  # in percent of the visits
        "recent lead": round(100 * float(recent[picture.move] - others.max()) / RECENT, 1),
        "overtaken": int(overtaken),
        "worse": round(worse, 3),
        "recent overtaken": int(after.move != recent.argmax()),
    }


def leads_of(rules, openings, seed):
    """Yield the lead_changes of a search in each of some random openings."""
    drawn = five.strength.random_openings(rules, openings, 4, seed)
    for number, opening in enumerate(drawn):
        game = five.Game.from_text(opening, rules=rules)
        found = lead_changes(game, range(100, SEEN + 1, 100), LATER, seed=number)
        yield {"opening": opening} | found


@table(
    "leaders", 480, LONG_ENGINE, unit="openings, twice", budget="40,000 simulations a search"
)
def leaders(openings, jobs):
    """When a search's lead last changed, if it is overtaken later, and what that costs."""
    for seed in (matches.SEED, matches.SEED + 1):  # the second set checks what the first shows
        yield from leads_of(five.Rules(8), openings, seed)


@table(
    "leaders-15",
    480,
    LONG_ENGINE,
    unit="openings, twice",
    budget="40,000 simulations a search",
)
def leaders_large(openings, jobs):
    """The same on 15×15, where games are not drawn."""
    for seed in (matches.SEED, matches.SEED + 1):
        yield from leads_of(five.Rules(15), openings, seed)


@table("defence", 5, ("plain", "plain at length"), unit="seeds")
def defence(seeds, jobs):
    """How often plain UCT plays a move that holds at Node X, by simulations."""
    game = five.Game.from_text("e5 e3 e4 c8 d4 f4 d5 f5 f3 c6 d2 d3 e2")
    holds = [five.game.to_point(name, game.rules) for name in ("c2", "f2")]
    for simulations in (2_000, 20_000, 200_000, 1_000_000, 3_000_000):
        play = partial(five.PlainUCT(simulations=simulations).move, game)
        moves = list(five.strength.in_parallel(play, range(1, seeds + 1), jobs, False))
        row = {"simulations": simulations, "seeds": seeds}
        row |= {"found": sum(move in holds for move in moves)}
        print(row, flush=True)
        yield row


def solves(player, position):
    """Return whether a player finds a listed move."""
    game, listed = position
    return player.move(game, 1) in listed


@table(
    "page-rates", 9, (*LONG_ENGINE, *LONG_RIVALS), unit="positions", budget="1 s a position"
)
def page_rates(positions, jobs):
    """The page that plays, in Chromium, and the package, in turns: simulations in a second."""
    with play_page() as (page, browser):
        for size, name in product((8, 15), ("engine", "plain")):
            found = []
            for i in range(positions):
                game, middle = five.Game(five.Rules(size)), size // 2 * (size + 1)
                game.play(middle + size * (i // 3 % 3 - 1) + i % 3 - 1)
                found.append((done_in_page(page, game, name), done_here(game, name, i)))
            there, here = np.median(found, axis=0).astype(int).tolist()
            row = {"search": name, "board": f"{size}×{size}", "positions": positions}
            row |= {"page": there, "package": here, "browser": browser}
            print(row, flush=True)
            yield row


@contextlib.contextmanager
def play_page():
    """Open play.html in Chromium; yield (page, browser); SystemExit where there is none."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise SystemExit("page-rates needs Chromium, which is not here")
    with sync_playwright() as playwright:
        asked = {"executable_path": path, "args": ["--no-sandbox"]}
        with playwright.chromium.launch(**asked) as browser:
            page = browser.new_page()
            page.goto((Path(five.__file__).parents[1] / "play.html").as_uri())
            yield page, f"Chromium {browser.version.partition('.')[0]}"


def done_in_page(page, game, name):
    """Return the simulations of the page's answer to a lone stone, in a second."""
    for part, value in ("black", "person"), ("white", name), ("budget", 1):
        page.locator(f".{part}").select_option(str(value))
    page.locator(".size").select_option(str(game.rules.size))
    page.locator(".new").click()
    page.locator(f'.points button[aria-label^="{game.moves[0]},"]').click()
    page.locator(".status", has_text="Your move").wait_for()
    said = page.locator(".says").inner_text()
    return int(re.search(r"([\d,]+) simulations", said)[1].replace(",", ""))


def done_here(game, name, seed):
    """Return the simulations of the package's answer to the same, in a second."""
    if name == "engine":
        return five.think(game, seconds=1, seed=seed).simulations
    options, kernels = FULL._replace(solve=False), five.search.plain_kernels
    return five.search.search_once(game, kernels, options, seconds=1, seed=seed).simulations

"""Players of five in a row: seeded searches on boards of 6 to 20 points a side."""

from functools import cache, partial

import five_in_a_row as five
import numpy as np

from experiments.kinds import Kind, answer_found, digest, rounded
from experiments.prior import Prior

CLASSIC = five.search.SearchOptions(max_children=5, forcing_score=2000, solve=False)
FULL = five.search.SearchOptions()


# -- players -------------------------------------------------------------------------------
def searched(kernels_of, options, game, simulations, seed):
    """Return what a search of that many simulations found, with kernels_of(rules)."""
    own = options._replace(seed=seed)
    tree = five.search.Tree(game, kernels_of(game.rules), own, simulations)
    done = tree.run(simulations)
    return five.search.read_tree(tree, done, 0.0)


def plain(game, simulations, seed):
    """Return what plain UCT finds."""
    player = five.PlainUCT(simulations=simulations)
    return player.search(game, seed=seed, **player.budget)


def engine(game, simulations, seed, **settings):
    """Return what the engine finds."""
    return five.engine.think(game, simulations=simulations, seed=seed, **settings)


def with_reuse(game, simulations, seed):
    """Return what the engine finds at the third of its moves in a row, the tree kept."""
    player, game = five.engine.EnginePlayer(simulations=simulations), game.copy()
    for step in range(3):
        move = player.move(game, seed + step)
        game.play(move)
        if game.over or step == 2:
            return player.result
        reply = min(game.legal(), key=lambda point: abs(point - move))
        game.play(reply)
        if game.over:
            return player.result


PLAYERS = {  # kind: player(game, simulations, seed) -> SearchResult
    "plain": plain,
    "classic": partial(searched, five.search.classic_kernels, CLASSIC),
    "engine": engine,
    "engine keeps its tree": with_reuse,
    "engine level 3": partial(engine, level=3),
    "engine level 8": partial(engine, level=8),
    "plain with proofs": partial(searched, five.search.plain_kernels, FULL),
}
AT_LENGTH = {"plain": 200_000, "classic": 100_000, "engine": 90_000}  # simulations, at most
BRIEF = 0.1, 12_500  # what the cases above are enough for: no share of a long budget is spent
WITHOUT = {  # what the engine is without an idea
    "no VCF": FULL._replace(vcf_nodes=0),
    "no VCT": FULL._replace(vct_nodes=0),
    "no solver": FULL._replace(solve=False),
    "hard cut to five": FULL._replace(max_children=5),
    "no doubt of the favourite": FULL._replace(doubt=0),
}
LEAF_GAMES = 1, 100  # random games, in place of a look
EXTENSIONS = ("near set", "restricted opening", "enclosing square", "distance urgency")
DOUBTED = (  # of tests/positions/attacks.txt: each is searched otherwise with another doubt
    "k9 h8 g7 j10 h10 h6 j9 i9 k11 h7 h5 k8 l10 j12 g5 g6 f5 i5 i6 j8 i8",
    "i8 g8 j7 h9 i6 i10 f7",
    "f7 f10 e6 g9 f5 h8 i7",
    "h11 g5 e7 f11 f8 g9 g7",
    "g6 j10 j8 h6 h5 g7 i5",
    "f10 i10 e11 h9 d10 g8 f7",
)
CUTS = {
    "to five": FULL._replace(max_children=5),
    "to one": FULL._replace(max_children=5, forcing_score=2_000),
}


# -- positions -----------------------------------------------------------------------------
@cache
def positions():
    """Return (rules, moves as points) of positions with grown shapes, made from a seed."""
    rng, found = np.random.default_rng(16), []
    for size in (6, 7, 8, 9, 10, 12, 15, 19, 20):
        for share in (0, 0.03, 0.08, 0.2, 0.4, 0.7):
            rules, plies = five.game.Rules(size), int(share * size * size)
            game = five.game.Game(rules)
            for _ in range(plies):
                points = game.legal()
                weights = (1.0 + near(game.array)[points]) ** 3
                point = forced_point(game)
                if point is None or rng.random() >= 0.8:
                    point = int(rng.choice(points, p=weights / weights.sum()))
                game.play(point)
                if game.over:  # such a move is not played: the game goes on
                    game.undo()
            found.append((rules, list(game.played)))
    for rules, text in (
        (five.game.Rules(7, 4, rows=6, gravity=True), "d1d2c1"),
        (five.game.Rules(7, 4, rows=6, gravity=True), ""),
        (five.game.Rules(3, 3), "b2"),
        (five.game.Rules(4, 4), ""),
    ):
        found.append((rules, five.game.Game.from_text(text, rules=rules).played))
    return found


def near(cells):
    """Return for each point of a board (rows, columns) how many stones touch it."""
    stones = np.pad(cells != 0, 1)
    return np.lib.stride_tricks.sliding_window_view(stones, (3, 3)).sum((2, 3)).ravel()


@cache
def lines(size):
    """Return the points of every five in a row on a board, int[lines, 5]."""
    points = np.arange(size * size).reshape(size, size)
    windows = [
        np.lib.stride_tricks.sliding_window_view(x, (5, 5)) for x in (points, points[::-1])
    ]
    found = [x.reshape(-1, 5) for x in (windows[0], windows[0].swapaxes(2, 3))]
    found += [x.diagonal(axis1=2, axis2=3).reshape(-1, 5) for x in windows]
    return np.unique(np.concatenate(found), axis=0)


def forced_point(game):
    """Return the first point that makes five, else the first that stops one, else None."""
    stones, points = game.array.ravel()[lines(game.rules.size)], lines(game.rules.size)
    for colour in (game.to_move, -game.to_move):
        four = (stones.sum(1) == 4 * colour) & ((stones == 0).sum(1) == 1)
        if four.any():
            return int(points[four][stones[four] == 0].min())
    return None


def game_of(case):
    """Return the game of a case: its rules, its moves."""
    game = five.game.Game(five.game.Rules(*case["rules"]))
    for point in case["moves"]:
        game.play(point)
    return game


# -- cases ---------------------------------------------------------------------------------
def searches(kind):
    """Yield the cases of a kind of PLAYERS."""
    place = list(PLAYERS).index(kind)
    for i, (rules, moves) in enumerate(positions()):
        case = {"rules": list(rules), "moves": moves}
        if place < 3:
            yield case | {"simulations": (400, 2_000, 6_000)[i % 3], "seed": 100 + i}
        elif (place - 3) % 2 == i % 2:
            yield case | {"simulations": 1_500, "seed": 300 + i}


def long_searches(simulations):
    """Return what yields the cases of a kind of AT_LENGTH."""

    def cases():
        rules = five.game.Rules(15)
        doubted = [five.game.Game.from_text(text, rules=rules).played for text in DOUBTED]
        others = [each for each in positions() if each[0].size in (8, 15)]
        chosen = [(rules, moves) for moves in doubted] + others[1:4] + others[7:8]
        for i, (board, moves) in enumerate(chosen):
            made = simulations // 3 if i < len(doubted) else simulations
            yield {"rules": list(board), "moves": moves, "simulations": made, "seed": 400}

    return cases


def search_found(player, case):
    """Return what a search of PLAYERS does in a case."""
    found = player(game_of(case), case["simulations"], case["seed"])
    return {
        "move": int(found.move),
        "why": found.why,
        "made": int(found.simulations),
        "top": [int(n) for n in sorted(found.visits.ravel())[:-4:-1]],
        "digest": digest(found.visits.ravel().tolist(), rounded(found.values)),
    }


def named(players, each, simulations):
    """Return what yields cases: every one of the named players, in so many positions each."""

    def cases():
        large = [position for position in positions() if position[0].in_a_row == 5]
        for n, player in enumerate(players):
            for i in range(each):
                rules, moves = large[(7 * (n * each + i) + 4) % len(large)]
                case = {"player": player, "rules": list(rules), "moves": moves}
                yield case | {"simulations": simulations, "seed": 500 + 10 * n + i}

    return cases


def without_found(case):
    """Return what the engine without an idea does in a case."""
    game, options = game_of(case), WITHOUT[case["player"]]
    return answer_found(engine(game, case["simulations"], case["seed"], options=options))


def games_found(case):
    """Return what the engine with random games in place of the look does in a case."""
    asked = case["simulations"], case["seed"]
    kernels = five.engine.games_at_leaf(case["player"])
    return answer_found(engine(game_of(case), *asked, kernels=kernels))


def extension_found(case):
    """Return what a proposed extension of the course notebook plays in a case."""
    player = five.strength.ExtensionPlayer(case["player"], simulations=case["simulations"])
    return answer_found(player.move(game_of(case), case["seed"]))


def prior_found(case):
    """Return what the main notebook's search with priors finds in a case."""
    player = Prior(simulations=case["simulations"])
    return answer_found(player.search(game_of(case), seed=case["seed"], **player.budget))


def random_found(case):
    """Return what the random player plays in a case."""
    return answer_found(five.mcts.RandomPlayer().move(game_of(case), case["seed"]))


def cut_found(case):
    """Return which points a cut leaves in a case."""
    points = five.strength.classic_candidates(game_of(case), CUTS[case["player"]])
    return {"made": len(points), "digest": digest(points)}


def level_found(case):
    """Return what the engine plays at a level."""
    return answer_found(
        engine(game_of(case), case["simulations"], case["seed"], level=case["player"])
    )


KINDS = {
    kind: Kind(partial(searches, kind), partial(search_found, player))
    for kind, player in PLAYERS.items()
}
# A table rests on these where a search takes more than BRIEF seconds or simulations.
KINDS |= {
    f"{kind} at length": Kind(long_searches(simulations), partial(search_found, PLAYERS[kind]))
    for kind, simulations in AT_LENGTH.items()
}
KINDS |= {
    "engine without an idea": Kind(named(WITHOUT, 6, 600), without_found),
    "engine with random games": Kind(named(LEAF_GAMES, 6, 600), games_found),
    "engine with no judge": Kind(named([0], 12, 600), games_found),
    "proposed extensions": Kind(named(EXTENSIONS, 5, 600), extension_found),
    "engine levels": Kind(named([*range(1, 10)], 2, 300), level_found),
    "prior": Kind(named(["prior"], 12, 1_000), prior_found),
    "random": Kind(named(["random"], 12, 1), random_found),
    "cut candidates": Kind(named(CUTS, 10, 1), cut_found),
}

"""Players of Connect-4: searches, the report's agents, ideas, policies, and the solver."""

from functools import partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid, connect_solver
from five_in_a_row import connect_poster as poster
from five_in_a_row import connect_report as report

from experiments.kinds import Kind, answer_found, digest, rounded

RULES = connect_grid.four_rules()
SEARCHES = {
    "plain UCT": five.search.SearchOptions(solve=False),
    "with proofs": five.search.SearchOptions(),
}
MISREAD = {"kernels": report.misread_game}


def each_its_tree(n, make=report.Agent, **settings):
    """Return two agents with that many simulations, each with a tree of its own."""
    return [make(simulations=n, **settings) for _ in range(2)]


def one_tree(n, make=report.Agent, **settings):
    """Return two agents with that many simulations that share a tree."""
    return report.sharing(*2 * [{"simulations": n, **settings}], make=make)


AGENTS = {  # the report's: agents of one list play a game, each its own moves
    "corrected": each_its_tree,
    "as printed": partial(one_tree, **MISREAD),
    "reward error only": partial(each_its_tree, **MISREAD),
    "shared tree only": one_tree,
    "new tree": partial(each_its_tree, reuse=False),
    "adaptive": partial(each_its_tree, make=report.AdaptiveAgent),
}
PRINTED = {  # as the listing has it; a kind of its own, so that no other table is played again
    "as printed": partial(one_tree, make=report.PrintedAgent),
    "reward error only": partial(each_its_tree, make=report.PrintedAgent),
}
BUILDS = {  # the poster's search, and one with all of its slips
    "all children": poster.build_wide,
    "all slips": partial(poster.build_wide, walks=False, twice=True, draws=False),
}
# Of players that differ in a number only, one stands for all: what is compiled differs.
POLICIES = ("UCB1", "KL-UCB", "Thompson", "Exp3", "halving")
IDEAS = (
    "plain UCT",
    "solver",
    "decisive and no gifts",
    "both in the tree",
    "all and in the tree",
)
USES = ("one ply", "mix", "order", "even prior", "mix + prior")


# -- positions -----------------------------------------------------------------------------
def position(stones, seed):
    """Return the moves of a random game that is not over after so many stones."""
    rng = np.random.default_rng([16, stones, seed])
    while True:
        game = four.random_drops(stones, rng)
        if not game.over:
            return " ".join(game.moves)


def asked(players, each, simulations, stones=(0, 4, 9, 14, 20, 27)):
    """Return what yields cases: every one of the named players, in so many positions each."""

    def cases():
        for n, player in enumerate(players):
            for i in range(each):
                seed = n * each + i
                moves = position(stones[seed % len(stones)], seed)
                case = {"player": player, "moves": moves}
                yield case | {"simulations": simulations, "seed": 700 + seed}

    return cases


def game_of(case):
    """Return the game of a case."""
    return five.game.Game.from_text(case["moves"], rules=RULES)


# -- what they do --------------------------------------------------------------------------
def played_found(make, case):
    """Return what the player make(name, simulations=...) does in a case."""
    player = make(case["player"], simulations=case["simulations"])
    point = player.move(game_of(case), case["seed"])
    return answer_found(player.result or point)


def search_found(case):
    """Return what a plain search does in a case."""
    options = SEARCHES[case["player"]]._replace(seed=case["seed"])
    tree = five.search.Tree(game_of(case), four.four_game(), options, case["simulations"])
    return answer_found(five.search.read_tree(tree, tree.run(case["simulations"]), 0.0))


def agents_found(agents, case):
    """Return what two agents of the report do in four moves of a game."""
    agents, game, found = agents[case["player"]](case["simulations"]), game_of(case), []
    for ply in range(4):
        if game.over:
            break
        player = agents[ply % 2]
        game.play(player.move(game, case["seed"] + ply))
        found.append(answer_found(player.result))
    return found[-1] | {"digest": digest([sorted(each.items()) for each in found])}


def poster_player(name, simulations):
    """Return the poster's search, or one of its slips, with the policy UCT 0.5."""
    build = BUILDS[name]
    return poster.SelectionPlayer("UCT 0.5", simulations=simulations, build=build)


def slice_player(name, simulations):
    """Return a search that uses the slice heuristic, or the heuristic by itself."""
    if name == "one ply":
        return poster.OnePlyPlayer()
    return poster.SlicePlayer(name, simulations=simulations)


def solver_found(case):
    """Return what the solver says of every column."""
    solver = connect_solver.Solver(entries=1 << 16)
    scores = solver.columns(game_of(case), exact=case["player"] == "scores")
    return {"digest": digest(sorted(scores.items()))}


def gambler_found(case):
    """Return the regret of a policy as a gambler."""
    arms, marks = (0.1, 0.5, 0.6), (10, 50, 200)
    return {
        "digest": digest(rounded(poster.gamble(case["player"], arms, marks, 10, case["seed"])))
    }


def gamblers():
    """Yield a case for each policy."""
    for n, policy in enumerate(poster.POLICIES):
        yield {"player": policy, "seed": 800 + n}


KINDS = {
    "Connect-4 search": Kind(asked(SEARCHES, 12, 2_000), search_found),
    "Connect-4 report": Kind(asked(AGENTS, 5, 500), partial(agents_found, AGENTS)),
    "Connect-4 report as printed": Kind(
        asked(PRINTED, 6, 5_000, (0, 8, 14, 20, 26, 32)), partial(agents_found, PRINTED)
    ),
    "Connect-4 solver": Kind(
        asked(("scores", "signs"), 8, 0, (16, 18, 21, 24, 28, 33)), solver_found
    ),
    "Connect-4 ideas": Kind(asked(IDEAS, 5, 500), partial(played_found, four.IdeaPlayer)),
    "selection policies": Kind(
        asked(POLICIES, 5, 500), partial(played_found, poster.SelectionPlayer)
    ),
    "policies of gamblers": Kind(gamblers, gambler_found),
    "poster's search": Kind(asked(BUILDS, 8, 500), partial(played_found, poster_player)),
    "slice heuristic": Kind(asked(USES, 5, 500), partial(played_found, slice_player)),
}

"""The tables of the Connect-4 study that need the perfect player, and the speeds.

Whatever is found is kept as it is found, so a run that was stopped goes on where it was.
"""

import hashlib
import itertools
from collections import Counter
from functools import partial

import five_in_a_row as five
import numpy as np
from five_in_a_row import connect_four as c4
from five_in_a_row import connect_grid, connect_solver

from experiments.kinds.connect_four import SEARCHES as AGENTS
from experiments.matches import SEED
from experiments.registry import TABLES, table
from experiments.store import store

SOLVED = ("Connect-4 search", "Connect-4 solver")  # kinds of players
FIRST_PLY = 8  # earlier positions would take minutes each
ENTRIES = 1 << 23  # of the solver's table: 128 MB
EARLY = 12  # up to so many stones what the solver found is kept
BUDGETS = (100, 1_000, 10_000, 100_000, 1_000_000)
PARTS = dict.fromkeys(BUDGETS, 1) | {1_000_000: 2}  # the games are divided by this
STRONG, FIRST_STRONG = 1_000, 12  # simulations a move of strong play, and its earliest ply
SEATS = {"first": 16, "second": 17}  # stones on the grid where each of them is to move
STRONGER = {  # ideas of "What adds strength" that play against perfect play as well
    "all ideas, c 0.5": "all and in the tree",
    "all ideas, c 1": "all, in the tree, c 1",
}


# -- tables --------------------------------------------------------------------------------
@table(
    "connect-speed",
    15,
    ("Connect-4 search",),
    unit="rounds",
    budget="100000 simulations a run",
)
def speed(rounds, jobs):
    """Simulations a second: two integers, rows of stones, pure Python, OpenSpiel."""
    yield from c4.speed_rows(five.strength.measure_rates(c4.four_runs(100_000, 300), rounds))


def random_positions(each):
    """Yield (ply, moves): so many different positions at every ply, the latest first."""
    for ply in range(connect_grid.four_rules().points - 2, FIRST_PLY - 1, -1):
        rng, found = np.random.default_rng([SEED, ply]), {}
        while len(found) < each:
            game = c4.random_drops(ply, rng)
            if not game.over:
                found.setdefault(game.array.tobytes(), " ".join(game.moves))
        yield from ((ply, moves) for moves in found.values())


def strong_play(ply):
    """Yield (ply, moves) without end: different positions, each from another strong game."""
    player = c4.IdeaPlayer(STRONGER["all ideas, c 1"], simulations=STRONG)
    rng, found = np.random.default_rng([SEED, ply, 2]), set()
    while True:
        game = c4.random_drops(3, rng)
        while not game.over and len(game.played) < ply:
            game.play(player.move(game, int(rng.integers(2**31))))
        if not game.over and game.array.tobytes() not in found:
            found.add(game.array.tobytes())
            yield ply, " ".join(game.moves)


def strong_positions(each):
    """Yield (ply, moves): so many positions of strong play at every ply, the latest first."""
    for ply in range(connect_grid.four_rules().points - 2, FIRST_STRONG - 1, -1):
        yield from itertools.islice(strong_play(ply), each)


def strong_name():
    """Return the name of the file of solved positions of strong play."""
    return f"connect-strong-positions-{TABLES['connect-strong'].code()}"


def won_positions(ply, count):
    """Yield moves to that many positions of strong play that not every column wins."""
    solved = solved_positions(count, lambda each: strong_play(ply), strong_name())
    won = (moves for _, moves, values in solved if "+" in values and set(values) - {"+", "."})
    yield from itertools.islice(won, count)


def solved_positions(each, drawn=None, name="connect-positions"):
    """Yield (ply, moves, values of the seven columns), solving what is not kept yet.

    drawn   drawn(each) yields (ply, moves); None: random_positions
    name    of the file. The value of a position does not depend on any code, and random
            positions neither, so theirs is named after none.
    """
    solver = connect_solver.Solver(entries=ENTRIES)
    kept = store("connect_four").rows(name, ("ply", "moves"), ("worth",))
    for ply, moves in (drawn or random_positions)(each):

        def find(moves=moves):
            game = five.game.Game.from_text(moves, rules=solver.rules)
            return [
                connect_solver.values_text(
                    solver.columns(game, exact=False), solver.rules.size
                )
            ]

        yield ply, moves, *kept.of((ply, moves), find)


@table("connect-optimal", 32, SOLVED, unit="a ply")
def optimal(each, jobs):
    """The share of moves that keep the value of a random position, by ply and simulations."""
    yield from kept_shares("connect-optimal", list(solved_positions(each)), AGENTS, BUDGETS)


@table("connect-strong", 10, (*SOLVED, "Connect-4 ideas"), unit="a ply")
def strong(each, jobs):
    """The same for plain UCT, in positions of strong play."""
    positions = list(solved_positions(each, strong_positions, strong_name()))
    agents, budgets = {"plain UCT": AGENTS["plain UCT"]}, BUDGETS[:4]
    yield from kept_shares("connect-strong", positions, agents, budgets)


def kept_shares(name, positions, agents, budgets):
    """Yield the rows of `optimal` for solved positions (ply, moves, values)."""
    print(f"{len(positions)} positions solved", flush=True)
    kept = TABLES[name].rows(("agent", "simulations", "moves"), ("column",))
    for agent, options in agents.items():
        for budget in budgets:
            player = c4.FourUCT(simulations=budget, options=options)
            counts = {}
            for ply, moves, values in positions:

                def find(moves=moves, player=player):
                    game = five.game.Game.from_text(moves, rules=connect_grid.four_rules())
                    seed = int(hashlib.sha256(moves.encode()).hexdigest()[:8], 16)
                    return [player.move(game, seed) % game.rules.size]

                (column,) = kept.of((agent, budget, moves), find)
                counts.setdefault(ply, []).append(connect_solver.judged(values, int(column)))
            print(f"{agent}, {budget} simulations", flush=True)
            for ply, found in counts.items():
                yield {
                    **{"agent": agent, "simulations": budget, "ply": ply},
                    **{"positions": len(found), "kept": sum(f.kept for f in found)},
                    "choices": sum(f.choice for f in found),
                    "kept with a choice": sum(f.kept and f.choice for f in found),
                    "won": sum(f.won for f in found),
                    "kept won": sum(f.won and f.kept for f in found),
                    "won with a choice": sum(f.won and f.choice for f in found),
                    "kept won with a choice": sum(all(f) for f in found),
                }


@table("connect-perfect", 100, (*SOLVED, "Connect-4 ideas"))
def perfect(games, jobs):
    """How often an agent that begins holds the win against perfect play, by simulations."""
    solver = connect_solver.Solver(entries=ENTRIES)
    known = store("connect_four").rows("connect-lost", ("own", "both"), ("lost",))
    keys = "agent", "simulations", "game"
    kept = TABLES["connect-perfect"].rows(keys, ("won", "plies", "moves"))
    agents = {name: partial(c4.FourUCT, options=options) for name, options in AGENTS.items()}
    agents |= {name: partial(c4.IdeaPlayer, idea) for name, idea in STRONGER.items()}

    def is_lost(game):
        if np.count_nonzero(game.array) > EARLY:
            return solver.score(game, exact=False) < 0
        own, both = min(
            connect_grid.bits_of(game), connect_grid.bits_of(connect_solver.mirrored(game))
        )
        (lost,) = known.of((own, both), lambda: [solver.score(game, exact=False) < 0])
        return lost == "True"

    for budget, part in PARTS.items():
        for agent, make in agents.items():
            player, results = make(simulations=budget), []
            for number in range(-(-games // part)):

                def find(number=number, player=player):
                    game, won = connect_solver.hold_the_win(
                        player, solver, SEED + number, is_lost
                    )
                    return won, len(game.played), " ".join(game.moves)

                results.append(kept.of((agent, budget, number), find))
            won = sum(result[0] == "True" for result in results)
            slipped = sorted(int(result[1]) for result in results if result[0] != "True")
            print(f"{agent}, {budget}: won {won} of {len(results)}", flush=True)
            yield {
                **{"agent": agent, "simulations": budget, "games": len(results), "won": won},
                "slipped at": " ".join(map(str, slipped)),
                "different games": len({result[2] for result in results}),
                "first stones": first_stones(result[2] for result in results),
            }


def first_stones(games):
    """Return "c1 19 d1 9" for texts of moves: how often each stone came first."""
    counts = Counter(moves.split()[0] for moves in games)
    return " ".join(f"{stone} {counts[stone]}" for stone in sorted(counts))


@table("connect-seats", 100, (*SOLVED, "Connect-4 ideas"))
def seats(games, jobs):
    """How often a win is held against perfect play from either seat, in strong positions."""
    solver = connect_solver.Solver(entries=ENTRIES)
    kept = TABLES["connect-seats"].rows(("agent", "simulations", "moves"), ("won", "plies"))
    agents = {
        "plain UCT": partial(c4.FourUCT, options=AGENTS["plain UCT"]),
        "all ideas, c 1": partial(c4.IdeaPlayer, STRONGER["all ideas, c 1"]),
    }
    positions = {seat: list(won_positions(ply, games)) for seat, ply in SEATS.items()}

    def is_lost(game):
        return solver.score(game, exact=False) < 0

    for agent, budget, seat in itertools.product(agents, BUDGETS[:4], SEATS):
        player, results = agents[agent](simulations=budget), []
        for number, moves in enumerate(positions[seat]):

            def find(number=number, player=player, moves=moves):
                game, won = connect_solver.hold_the_win(
                    player, solver, SEED + number, is_lost, moves
                )
                return won, len(game.played)

            results.append(kept.of((agent, budget, moves), find))
        won = sum(result[0] == "True" for result in results)
        print(f"{agent}, {budget}, {seat} player: won {won} of {len(results)}", flush=True)
        yield {
            **{"agent": agent, "simulations": budget, "seat": seat, "stones": SEATS[seat]},
            **{"games": len(results), "won": won},
        }

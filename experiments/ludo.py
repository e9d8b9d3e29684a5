"""The tables of Ludo: pairs, seatings, budgets, constants, tempers, ideas, allies, pacts.

Of the games of pairs the ring of 40 gets a fifth, and so do pairs with MCTS; in
`ludo-forced-pairs` all pairs on that ring get as many. In `ludo-printed` all rows have as many
games. In `ludo-budgets` the largest budget gets half, in `ludo-printed-seats` a quarter. In
`ludo-tuned`, `ludo-longer` and `ludo-lone-max` the dice are others: what they test was chosen
with seed 1.
"""

import itertools

import five_in_a_row as five
from five_in_a_row import ludo
from five_in_a_row.ludo import LudoRules, LudoSearch

from experiments.registry import TABLES, table
from experiments.store import store

AGENTS = ("Ludo agents",)  # kinds of players
FORCED = (*AGENTS, "Ludo forced exit")

RIVALS = ("rule-based", "MCTS")  # of the ideas
TUNED = 1.4  # c of MCTS, the best of ludo-constants, where it was chosen with seed 1
CUTS = (2, 8, 32)  # rolls of a playout that is cut short
ALLIANCES = {  # for each seat how far on its ally sits; 0: it has none
    "opposite": (2, 0, 2, 0),
    "neighbours": (1, 3, 0, 0),
    "kept by one": (2, 0, 0, 0),
}
PACTS = {  # seats of the members; how each one's pact is limited
    "opposite, to the end": ((0, 2), {}),
    "opposite, until one has a token home": ((0, 2), {"until": 1}),
    "opposite, against a leader": ((0, 2), {"leader": True}),
    "neighbours, until one has a token home": ((0, 1), {"until": 1}),
    "neighbours, against a leader": ((0, 1), {"leader": True}),
    "three, to the end": ((0, 1, 2), {}),
    "three, against a leader": ((0, 1, 2), {"leader": True}),
}


# -- matches and their rows ----------------------------------------------------------------
def played(name, match, agents, games, jobs, rules, **settings):
    """Return the games of a match as a table; the file that keeps them is named after it.

    match    words that tell it from the other matches of its table
    agents   {name: player} in the order round the board; games come in rounds of them
    """
    words = "-".join(str(part).replace(" ", "-") for part in match)
    print(f"{name}: {words}", flush=True)
    path = store("ludo").file(f"{name}-{words}-{TABLES[name].code()}.csv")
    games = max(1, games // len(agents)) * len(agents)
    return ludo.play_ludo_match(agents, games, rules, jobs=jobs, path=path, **settings)


def wins(found, name):
    """Return the columns that count the games which a player of a match has won."""
    won, games = found.attrs["wins"][name], found.attrs["games"]
    low, high = five.strength.wilson(won, games)
    shares = {"score": won / games, "low": low, "high": high}
    return {"games": games, "won": won} | {word: round(x, 4) for word, x in shares.items()}


def rounds_between(found, one, other):
    """Return columns that count the rounds in which one player won more games than another."""
    won = {
        name: (found.winner == name).to_numpy().reshape(-1, 4).sum(axis=1)
        for name in (one, other)
    }
    more = won[one] - won[other]
    return {"rounds ahead": int((more > 0).sum()), "rounds behind": int((more < 0).sum())}


def pair_row(table_name, match, agents, games, jobs, seed=1, **rules):
    """Play a match of two agents, {name: player}, and return its row."""
    rules = LudoRules(players=2, **rules)
    found = played(table_name, match, agents, games, jobs, rules, seed=seed)
    a, b = agents
    both = (found.winner == a).to_numpy().reshape(-1, 2).sum(axis=1)
    # One seat, the same dice: it wins both games of a round, whoever sits there.
    first = (found["first"] == found.winner).to_numpy().reshape(-1, 2)
    return {
        **{"a": a, "b": b, "ring": rules.ring, **wins(found, a)},
        "pairs won": int((both == 2).sum()),
        "pairs lost": int((both == 0).sum()),
        "first wins": round(float(first.mean()), 4),
        "dice decide": round(float((first[:, 0] == first[:, 1]).mean()), 4),
        "rolls": round(float(found.rolls.mean()), 1),
    }


def all_pairs(table_name, games, jobs, forced):
    """Yield a row for each pair of agents on either ring."""
    agents = ludo.pair_agents()
    for ring, share in ((52, 1), (40, 5)):
        for b, a in itertools.combinations(agents, 2):
            slow = "MCTS" in (a, b) and not (forced and ring == 40)
            count, two = games // share // (5 if slow else 1), {a: agents[a], b: agents[b]}
            match = a, b, ring
            yield pair_row(table_name, match, two, count, jobs, ring=ring, forced_exit=forced)


def printed_agents():
    """Return {name: player} of the dissertation's agents, all with its rule as printed."""
    weights = ludo.AS_PRINTED
    return {
        "random": ludo.random_ludo,
        "rule as printed": ludo.rule_based(weights),
        "expectiminimax as printed": ludo.looker(ludo.AHEAD, weights=weights),
        "minimax as printed": ludo.looker(ludo.AHEAD, weights=weights, chance=False),
        "MCTS": ludo.ludo_mcts(simulations=ludo.TWO_SIMULATIONS),
    }


def against_rule(table_name, value, player, games, jobs):
    """Play MCTS against the mended rule and return its row; see pair_row."""
    agents = {"MCTS": player, "rule-based": ludo.rule_based()}
    return pair_row(table_name, [value], agents, games, jobs)


def printed_four(simulations):
    """Return {name: player} of the dissertation's four, its rule as printed."""
    weights = ludo.AS_PRINTED
    return {
        "random": ludo.random_ludo,
        "minimax": ludo.looker(ludo.AHEAD, selfish=True, weights=weights, chance=False),
        "MCTS": ludo.ludo_mcts(simulations=simulations),
        "rule-based": ludo.rule_based(weights),
    }


def seat_rows(table_name, match, games, jobs, rules, agents=None, **settings):
    """Yield a row for each of the six orders round the board and each of its agents."""
    agents = agents or ludo.four_agents()
    first, *rest = agents
    for order in itertools.permutations(rest):
        order = first, *order
        players = {name: agents[name] for name in order}
        found = played(table_name, [*match, *order], players, games, jobs, rules, **settings)
        for name in order:
            begun = found[found["first"] == name]
            yield {
                **{"seating": " / ".join(order), "agent": name},
                **{"next": ludo.next_player(order, name), **wins(found, name)},
                "won as first": int((begun.winner == name).sum()),
                "rolls": round(float(found.rolls.mean()), 1),
                **later_places(found, name),
            }


def later_places(found, name):
    """Return how often a player came home second, third and last, where that was played."""
    if "order" not in found:
        return {}
    places = found.order.str.split(" / ").str
    words = enumerate(("second", "third", "last"), 1)
    return {word: int((places[place] == name).sum()) for place, word in words}


# -- the tables ----------------------------------------------------------------------------
@table("ludo-pairs", 5_000, AGENTS, budget="2 rolls ahead, 1000 simulations a choice")
def pairs(games, jobs):
    """Every agent against every other one, two players, ring 52 and ring 40."""
    yield from all_pairs("ludo-pairs", games, jobs, forced=False)


@table("ludo-forced-pairs", 1_000, FORCED, budget="2 rolls ahead, 1000 simulations a choice")
def forced_pairs(games, jobs):
    """The same pairs where a six must bring a token out."""
    yield from all_pairs("ludo-forced-pairs", games, jobs, forced=True)


@table(
    "ludo-printed",
    1_000,
    (*FORCED, "Ludo as printed"),
    budget="2 rolls ahead, 1000 simulations a choice",
)
def printed(games, jobs):
    """The dissertation's pairs, its rule as printed, in four games, with both minimaxes."""
    agents = printed_agents()
    for forced, ring in itertools.product((False, True), (52, 40)):
        for b, a in itertools.combinations(agents, 2):
            two = {a: agents[a], b: agents[b]}
            if a == "minimax as printed" and b == "expectiminimax as printed":
                continue  # the dissertation has one of them
            # The other tables have begun these matches: same players, same dice.
            old = not any("minimax" in name for name in two)
            begun = "ludo-forced-pairs" if forced else "ludo-pairs"
            match = (a, b, ring) if old else (a, b, ring, "must" if forced else "free")
            name = begun if old else "ludo-printed"
            row = pair_row(name, match, two, games, jobs, ring=ring, forced_exit=forced)
            yield {"forced": forced} | row


@table(
    "ludo-tuned",
    1_000,
    (*FORCED, "Ludo as printed"),
    budget="2 rolls ahead, 1000 simulations a choice",
)
def tuned(games, jobs):
    """MCTS at the best c of ludo-constants against all others, in four games, other dice."""
    printed, agents = printed_agents(), ludo.pair_agents()
    mcts = ludo.ludo_mcts(simulations=ludo.TWO_SIMULATIONS, c=TUNED)
    for forced, ring in itertools.product((False, True), (52, 40)):
        # With a forced exit the mended rule and who judges by it have no place on the page.
        others = printed if forced else agents | printed
        for name, other in others.items():
            if name == "MCTS":
                continue
            match = name, ring, "must" if forced else "free"
            two = {"MCTS": mcts, name: other}
            rules = {"ring": ring, "forced_exit": forced}
            row = pair_row("ludo-tuned", match, two, games, jobs, seed=2, **rules)
            yield {"forced": forced} | row | {"c": TUNED, "seed": 2}


@table("ludo-longer", 300, (*FORCED, "Ludo as printed"), budget="6400 simulations a choice")
def longer(games, jobs):
    """MCTS with more simulations against the rule as printed, in the two nearest games."""
    budget, printed = 6_400, ludo.rule_based(ludo.AS_PRINTED)
    two = {"MCTS": ludo.ludo_mcts(simulations=budget, c=TUNED), "rule as printed": printed}
    for ring in (52, 40):
        rules = {"ring": ring, "forced_exit": True}
        row = pair_row("ludo-longer", [ring], two, games, jobs, seed=2, **rules)
        yield {"simulations": budget} | row | {"c": TUNED, "seed": 2}


@table("ludo-split", 5_000, (*AGENTS, "Ludo split"), budget="2 rolls ahead")
def split(games, jobs):
    """Expectiminimax in the ties of the mended rule, or everywhere else, against that rule."""
    for name, in_ties in (("ahead in ties", True), ("ahead elsewhere", False)):
        two = {name: ludo.split_looker(in_ties), "rule-based": ludo.rule_based()}
        yield pair_row("ludo-split", [name], two, games, jobs)


@table("ludo-seatings", 1_000, AGENTS, budget="2 rolls ahead, 400 simulations a choice")
def seatings(games, jobs):
    """Random, rule-based, max^n and MCTS in the six orders round the board, starts rotated."""
    yield from seat_rows("ludo-seatings", [], games, jobs, LudoRules())


@table("ludo-printed-seats", 400, (*FORCED, "Ludo as printed, four"), budget="2 rolls ahead")
def printed_seats(games, jobs):
    """The six orders where a six must bring out, plain minimax, printed rule; two budgets."""
    four, two = ludo.FOUR_SIMULATIONS, ludo.TWO_SIMULATIONS
    for ring, budget, count in (
        (40, four, games),
        (40, two, games // 4),
        (52, two, games // 4),
    ):
        rules = LudoRules(ring=ring, forced_exit=True)
        match, agents = [ring] + [budget] * (budget > four), printed_four(budget)
        for row in seat_rows("ludo-printed-seats", match, count, jobs, rules, agents):
            yield {"ring": ring, "simulations": budget} | row


@table("ludo-places", 40, FORCED, budget="2 rolls ahead, 400 simulations a choice")
def places(games, jobs):
    """The six orders on two rings, with and without a forced exit, played on for places."""
    for forced, ring in itertools.product((False, True), (52, 40)):
        match, rules = (ring, "must" if forced else "free"), LudoRules(ring=ring)
        rules = rules._replace(forced_exit=forced)
        for row in seat_rows("ludo-places", match, games, jobs, rules, places=True):
            yield {"ring": ring, "forced": forced} | row


@table("ludo-budgets", 400, AGENTS)
def budgets(games, jobs):
    """MCTS against the mended rule by simulations."""
    for budget in (100, 400, 1_600, 6_400):
        player, count = ludo.ludo_mcts(simulations=budget), games // (1 + (budget > 2_000))
        row = against_rule("ludo-budgets", budget, player, count, jobs)
        yield {"simulations": budget} | row


@table("ludo-constants", 600, AGENTS)
def constants(games, jobs):
    """MCTS against the mended rule by c, the weight of exploration."""
    budget = ludo.TWO_SIMULATIONS
    for c in (0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8):
        player = ludo.ludo_mcts(simulations=budget, c=c)
        row = against_rule("ludo-constants", c, player, games, jobs)
        yield {"c": c, "simulations": budget} | row


@table("ludo-tempers", 1_000, (*FORCED, "Ludo ideas"))
def tempers(games, jobs):
    """Aggressive, defensive and balanced rule, each pair, with and without a forced exit."""
    agents = {name: ludo.rule_based(weights) for name, weights in ludo.TEMPERS.items()}
    for forced in (False, True):
        for a, b in itertools.combinations(agents, 2):
            match, two = ("must" if forced else "free", a, b), {a: agents[a], b: agents[b]}
            row = pair_row("ludo-tempers", match, two, games, jobs, forced_exit=forced)
            yield {"forced": forced} | row


@table("ludo-ideas", 100, (*AGENTS, "Ludo ideas"))
def ideas(games, jobs):
    """Bayesian MCTS, and MCTS with short playouts, against the rule and plain MCTS."""
    budget, agents = ludo.TWO_SIMULATIONS, ludo.pair_agents()
    options = {f"cut {cut}": LudoSearch(cut=cut) for cut in CUTS} | ludo.BAYES_LUDO
    for name, changed in options.items():
        player = ludo.ludo_mcts(simulations=budget, options=changed)
        for other in (*RIVALS, "expectiminimax") if name == "cut 8" else RIVALS:
            two = {name: player, other: agents[other]}
            row = pair_row("ludo-ideas", (name, other), two, games, jobs)
            yield row | {"simulations": budget}


@table("ludo-allies", 1_000, (*AGENTS, "Ludo allies"), budget="no search")
def allies(games, jobs):
    """Two allies who look past each other, among four rule-based players."""
    for name, seats in ALLIANCES.items():
        agents = {
            f"seat {number}": ludo.allied(distance) if distance else ludo.rule_based()
            for number, distance in enumerate(seats, 1)
        }
        found = played("ludo-allies", [name], agents, games, jobs, LudoRules())
        first, second = (found.attrs["wins"][f"seat {k}"] for k in (1, 1 + seats[0]))
        won = {"won": first + second, "first": first, "second": second}
        yield {"alliance": name, "games": len(found), **won}


@table("ludo-pacts", 200, (*AGENTS, "Ludo allies", "Ludo pacts"), budget="no search")
def pacts(games, jobs):
    """Pacts of two or three of four rule-based players: for a time, against a leader."""
    for name, (members, limits) in PACTS.items():
        agents = {}
        for seat in range(4):
            others = [(other - seat) % 4 for other in members if other != seat]
            member = seat in members
            agents[f"seat {seat + 1}"] = (
                ludo.allied(*others, **limits) if member else ludo.rule_based()
            )
        found = played("ludo-pacts", [name], agents, games, jobs, LudoRules())
        won = [found.attrs["wins"][f"seat {member + 1}"] for member in members]
        yield {
            **{"pact": name, "members": len(members), "games": len(found), "won": sum(won)},
            "won by each": " ".join(map(str, won)),
        }


@table("ludo-party", 100, (*AGENTS, "Ludo beliefs of four"), budget="400 simulations a choice")
def party(games, jobs):
    """Both Bayesian searches, plain MCTS and the rule round one board."""
    agents = ludo.four_agents()
    agents = {name: agents[name] for name in ("MCTS", "rule-based")}
    simulations = ludo.FOUR_SIMULATIONS
    for name, options in ludo.BAYES_LUDO.items():
        agents[name] = ludo.ludo_mcts(simulations=simulations, options=options)
    found = played("ludo-party", ["four"], agents, games, jobs, LudoRules())
    for name in agents:
        yield {"agent": name} | wins(found, name) | rounds_between(found, name, "MCTS")


@table("ludo-deviants", 100, AGENTS, budget="2 rolls ahead, 400 simulations a choice")
def deviants(games, jobs):
    """One agent among three of another kind, for each two of rule, max^n and MCTS."""
    agents = {name: each for name, each in ludo.four_agents().items() if name != "random"}
    for usual, one in itertools.permutations(agents, 2):
        seats = {one: agents[one]} | {f"{usual} {k}": agents[usual] for k in (1, 2, 3)}
        found = played("ludo-deviants", (one, "among", usual), seats, games, jobs, LudoRules())
        yield {"usual": usual, "one": one} | wins(found, one)


@table("ludo-lone-max", 2_000, AGENTS, budget="2 rolls ahead")
def lone_max(games, jobs):
    """Max^n among three rules, the largest share of ludo-deviants, with other dice."""
    agents = ludo.four_agents()
    seats = {"max^n": agents["max^n"]}
    seats |= {f"rule-based {k}": agents["rule-based"] for k in (1, 2, 3)}
    found = played("ludo-lone-max", ["seed 2"], seats, games, jobs, LudoRules(), seed=2)
    yield {"usual": "rule-based", "one": "max^n"} | wins(found, "max^n") | {"seed": 2}

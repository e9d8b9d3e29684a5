"""Ludo: rules and kernels against a reference, agents, matches, statistics, stored tables."""

import itertools
import math
import random
import shutil
import statistics

import numpy as np
import pandas as pd
import pytest
from five_in_a_row import ludo
from five_in_a_row.ludo import Ludo, LudoRules, set_up
from references import Rng

from experiments import results, store
from experiments.registry import load

TABLES = load()
TWO = LudoRules(players=2)
HOUSES = {
    "four": LudoRules(),
    "two": TWO,
    "safe, again, three sixes": LudoRules(safe=(0, 8), again=True, three_sixes=True),
    "three, a six must bring out": LudoRules(players=3, ring=40, lane=4, forced_exit=True),
}
each_house = pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)


# -- the reference implementation ----------------------------------------------------------
class SlowLudo:
    """Ludo in plain words: tokens are names of squares."""

    def __init__(self, rules, first=0):
        self.rules, self.to_move, self.sixes, self.winner = rules, first, 0, None
        self.die = 0
        self.steps = [[0] * 4 for _ in range(rules.players)]

    def start(self, player):
        """Return the square where a player's tokens come out."""
        return [0, {2: 2, 3: 1, 4: 1}[self.rules.players], 2, 3][player] * self.rules.ring // 4

    def square(self, player, steps):
        """Return the square of the ring, or None in the yard, the lane and at home."""
        on_ring = 1 <= steps <= self.rules.ring - 1
        return (self.start(player) + steps - 1) % self.rules.ring if on_ring else None

    def legal(self):
        """Return the tokens, 0 to 3, that may move."""
        if self.rules.three_sixes and self.die == 6 and self.sixes == 2:
            return []
        mine = self.steps[self.to_move]
        last = self.rules.ring - 1 + self.rules.lane
        out = [i for i in range(4) if mine[i] == 0 and self.die == 6]
        if out and self.rules.forced_exit:
            return out
        return sorted(out + [i for i in range(4) if mine[i] and mine[i] + self.die <= last])

    def play(self, token):
        """Move a token, or pass with None."""
        who, caught = self.to_move, False
        if token is not None:
            mine = self.steps[who]
            mine[token] = mine[token] + self.die if mine[token] else 1
            square = self.square(who, mine[token])
            quarter = self.rules.ring // 4
            if square is not None and square % quarter not in self.rules.safe:
                for other in range(self.rules.players):
                    for i in range(4):
                        if other != who and self.square(other, self.steps[other][i]) == square:
                            self.steps[other][i], caught = 0, True
            if all(s == self.rules.ring - 1 + self.rules.lane for s in mine):
                self.winner = who
        again = token is not None and (self.die == 6 or (caught and self.rules.again))
        self.sixes = self.sixes + 1 if again and self.die == 6 else 0
        if not again:
            self.to_move = (who + 1) % self.rules.players
        self.die = 0

    def copy(self):
        """Return another game at the same place."""
        other = SlowLudo(self.rules)
        other.to_move, other.sixes, other.winner = self.to_move, self.sixes, self.winner
        other.die, other.steps = self.die, [list(row) for row in self.steps]
        return other

    def once(self):
        """Return the legal tokens, of several on one square the lowest."""
        mine = self.steps[self.to_move]
        found = {mine[token]: token for token in reversed(self.legal())}
        return sorted(found.values())


def slow_of(game):
    """Return the reference implementation of a game."""
    slow = SlowLudo(game.rules, game.to_move)
    slow.die, slow.sixes = game.die, int(game.state.sixes)
    slow.steps, slow.winner = game.steps.tolist(), game.winner
    return slow


def positions(rules, count, seed=1):
    """Yield games in the middle of random play, a roll waiting and a token movable."""
    rng = random.Random(seed)
    game = Ludo(rules)
    while count:
        if game.over:
            game = Ludo(rules, rng.randrange(rules.players))
        if tokens := game.roll(rng.randint(1, 6)):
            if rng.random() < 0.2:
                count -= 1
                yield game.copy()
            game.move(rng.choice(tokens))


# -- the rules -----------------------------------------------------------------------------
@each_house
def test_the_game_agrees_with_its_reference(rules, full):
    rng = random.Random(2)
    for number in range(400 if full else 4):
        first = number % rules.players
        game, slow = Ludo(rules, first), SlowLudo(rules, first)
        while not game.over:
            slow.die = rng.randint(1, 6)
            tokens = game.roll(slow.die)
            assert tokens == [token + 1 for token in slow.legal()]
            assert game.legal(once=True) == ([t + 1 for t in slow.once()] if tokens else [])
            token = rng.choice(tokens) if tokens else None
            if token:
                game.move(token)
            slow.play(token and token - 1)
            assert game.steps.tolist() == slow.steps and game.winner == slow.winner
            assert game.over or (game.to_move, int(game.state.sixes)) == (
                slow.to_move,
                slow.sixes,
            )


@each_house
def test_a_random_game_agrees_with_its_reference_number_by_number(rules):
    for seed in range(3):
        state, slow, rng, rolls = ludo.new_state(), SlowLudo(rules), Rng(seed), 0
        state.random = np.uint64(seed)
        done = ludo.finish(ludo.track_of(rules), state)
        while slow.winner is None:
            slow.die, rolls = 1 + rng.draw(6), rolls + 1
            tokens = slow.legal()
            slow.play(tokens[rng.draw(len(tokens))] if tokens else None)
        assert (done, state.winner, int(state.random)) == (rolls, slow.winner, rng.state)
        assert state.at[: rules.players].tolist() == slow.steps


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"ring": 50}, "ring must be a multiple of 4, not 50"),
        ({"safe": (13,)}, "safe must be a whole number from 0 to 12"),
        ({"forced_exit": 1}, "forced_exit must be True or False"),
    ],
)
def test_rules_that_make_no_game_are_refused(wrong, says):
    with pytest.raises(ValueError, match=says):
        Ludo(LudoRules(**wrong))


def test_what_cannot_be_is_refused_and_changes_nothing():
    game = set_up([[3, 9, 0, 0], [9, 0, 0, 0]], rules=TWO)
    with pytest.raises(ValueError, match="no move: roll first"):
        game.move(1)
    with pytest.raises(ValueError, match="nothing to choose: roll"):
        ludo.think_ludo(game)
    game.roll(2)
    before = game.state.tobytes()
    for wrong, says in (
        (lambda: game.roll(3), "a 2 waits"),
        (lambda: game.move(3), "token 3 cannot move with a 2: token 1 or 2 may"),
        (lambda: Ludo().roll(7), "die must be a whole number from 1 to 6"),
        (lambda: set_up([[0] * 4] * 2, rules=5), "rules must be LudoRules"),
        (lambda: set_up([[1, 2, 3, 4], [1]], rules=TWO), "players by 4"),
        (lambda: set_up([[27, 0, 0, 0], [1, 0, 0, 0]], rules=TWO), "stand on square 26"),
    ):
        with pytest.raises(ValueError, match=says):
            wrong()
    assert game.state.tobytes() == before and game.record == []
    other = game.copy()
    other.move(1)
    assert game.steps[0, 0] == 3 and game.record == [] and other.steps[0, 0] == 5


# -- agents --------------------------------------------------------------------------------
def slow_evaluate(slow, player, weights):
    """Return the rule's sum, term by term."""
    if slow.winner is not None:
        return weights.won if slow.winner == player else -weights.won
    ring, total = slow.rules.ring, 0.0

    def value(steps):
        return 0 if steps == 0 else weights.out + min(steps, ring - 1)

    opponents = [
        (slow.square(other, steps), value(steps))
        for other in range(slow.rules.players)
        for steps in slow.steps[other]
        if other != player
    ]
    total -= sum(other for _, other in opponents)
    for steps in slow.steps[player]:
        total += value(steps)
        total += weights.lane * (ring <= steps < ring - 1 + slow.rules.lane)
        total += weights.home * (steps == ring - 1 + slow.rules.lane)
        square = slow.square(player, steps)
        if square is None:
            continue
        for gap in range(1, 7):
            ahead, behind = (square + gap) % ring, (square - gap) % ring
            total += sum(other for place, other in opponents if place == ahead) * weights.near
            total -= (
                sum(place == behind for place, _ in opponents) * value(steps) * weights.behind
            )
    return total


@pytest.mark.parametrize("weights", [ludo.AS_PRINTED, *ludo.TEMPERS.values()])
def test_the_evaluation_agrees_with_its_reference(weights, full):
    for rules in (LudoRules(), TWO, LudoRules(players=3, ring=40)):
        for game in positions(rules, 3_000 if full else 40):
            slow = slow_of(game)
            for player in range(rules.players):
                found = ludo.evaluate_ludo(game.track, game.state, player, weights)
                assert found == pytest.approx(slow_evaluate(slow, player, weights))


def slow_expect(slow, rolls, me, selfish, chance=True):
    """Return the value of a position to each player, before a roll."""
    players = range(slow.rules.players)
    if rolls == 0 or slow.winner is not None:
        return [slow_evaluate(slow, player, ludo.MENDED) for player in players]
    who = slow.to_move if selfish else me
    sign = 1 if selfish or slow.to_move == me else -1
    bests = []
    for die in range(1, 7):
        slow.die = die
        found = []
        for token in slow.once() or [None]:
            after = slow.copy()
            after.play(token)
            found.append(slow_expect(after, rolls - 1, me, selfish, chance))
        bests.append(slow_best(found, sign, who))
    slow.die = 0
    return list(np.mean(bests, axis=0)) if chance else slow_best(bests, sign, who)


def slow_best(found, sign, who):
    """Return the values that are best for who chooses, of equal ones the first."""
    best = found[0]
    for values in found[1:]:
        if sign * values[who] > sign * best[who] + 1e-9:
            best = values
    return best


MODELS = {"paranoid": (False, True), "max^n": (True, True), "minimax": (False, False)}


@pytest.mark.parametrize("selfish, chance", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("rolls", [0, 1, 2])
def test_looking_ahead_agrees_with_its_reference(rolls, selfish, chance, full):
    for rules in (LudoRules(), TWO):
        for game in positions(rules, (500 if full else 12) // (1 + rolls**2)):
            token, values = ludo.look_ahead(game, rolls, selfish, ludo.MENDED, 1, chance)
            slow, me = slow_of(game), game.to_move
            for number in slow.once():
                after = slow.copy()
                after.play(number)
                expected = slow_expect(after, rolls, me, selfish, chance)[me]
                assert values[number] == pytest.approx(expected)
            assert values[token - 1] == np.nanmax(values)
            assert np.isnan(values).sum() == 4 - len(slow.once())


def slow_search(game, simulations, seed, options):
    """Return {token: (visits, rewards of each player)} of the search, in dicts."""
    rng, tree = Rng(seed), new_node()
    for _ in range(simulations):
        slow, node, path, fresh = slow_of(game), tree, [tree], False
        while slow.winner is None and not fresh:
            if slow.die == 0:
                slot = rng.draw(6)
                slow.die = slot + 1
            elif not (tokens := slow.once()):
                slow.play(None)
                continue
            else:
                new = [token for token in tokens if token not in node["child"]]
                node["chooser"], node["all"] = slow.to_move, not new
                if new:
                    slot = new[rng.draw(len(new))]
                else:
                    slot = max(
                        tokens, key=lambda t: slow_score(node, t, slow.to_move, options)
                    )
                slow.play(slot)
            if slot not in node["child"]:
                node["child"][slot], fresh = new_node(), True
            node = node["child"][slot]
            path.append(node)
        rewards = slow_playout(slow, rng, options)
        for each in reversed(path):
            each["N"] += 1
            each["W"] = [won + reward for won, reward in zip(each["W"], rewards, strict=True)]
            if options.beliefs:
                belief = slow_belief if game.rules.players == 2 else slow_beliefs
                each["mu"], each["sigma"] = belief(each, game.rules.players)
    return {token: (node["N"], node["W"]) for token, node in tree["child"].items()}


def new_node():
    """Return a node that nothing is known of."""
    return {"N": 0, "W": [0] * 4, "child": {}, "chooser": None, "all": False}


def slow_score(node, token, mover, options):
    """Return the score of a token at a choice."""
    child, exploration = node["child"][token], math.sqrt(math.log(node["N"]))
    value, unsure = child["W"][mover] / child["N"], options.c / math.sqrt(child["N"])
    if options.beliefs:
        value, sigma = child["mu"], child["sigma"]
        if isinstance(value, list):  # one for each player
            value, sigma = value[mover], sigma[mover]
        elif mover == 1:
            value = 1 - value
        unsure += options.c_sigma * sigma
    return value + exploration * unsure


def slow_playout(slow, rng, options):
    """Return what each player gets of the win, after a random game or its first rolls."""
    rolls = 0
    while slow.winner is None and (slow.die or not options.cut or rolls < options.cut):
        if not slow.die:
            slow.die, rolls = 1 + rng.draw(6), rolls + 1
        tokens = slow.legal()
        slow.play(tokens[rng.draw(len(tokens))] if tokens else None)
    players = range(slow.rules.players)
    if slow.winner is None:
        values = [slow_evaluate(slow, player, options.weights) for player in players]
        odds = [math.exp(value / options.scale) for value in values]
        rewards = [odd / sum(odds) for odd in odds]
    else:
        rewards = [float(player == slow.winner) for player in players]
    return rewards + [0.0] * (4 - len(rewards))


def slow_beliefs(node, players):
    """Return lists of means and spreads of each player's share of wins."""
    kids = [node["child"][slot] for slot in sorted(node["child"])]
    if node["chooser"] is None and len(kids) == 6:
        means = np.mean([kid["mu"] for kid in kids], axis=0)
        spreads = np.sqrt(np.sum([np.square(kid["sigma"]) for kid in kids], axis=0)) / 6
        return list(means), list(spreads)
    if not node["all"]:
        total = players + node["N"]
        means = [(1 + won) / total for won in node["W"][:players]]
        return means, [math.sqrt(mu * (1 - mu) / (total + 1)) for mu in means]
    me, bell = node["chooser"], statistics.NormalDist()
    mu, sigma = np.array(kids[0]["mu"]), np.array(kids[0]["sigma"])
    for kid in kids[1:]:
        m, s = np.array(kid["mu"]), np.array(kid["sigma"])
        taken = bell.cdf((m[me] - mu[me]) / math.hypot(s[me], sigma[me]))
        best = slow_maximum(mu[me], sigma[me], m[me], s[me])
        mean = (1 - taken) * mu + taken * m
        second = (1 - taken) * (mu**2 + sigma**2) + taken * (m**2 + s**2)
        mu, sigma = mean, np.sqrt(np.maximum(0, second - mean**2))
        mu[me], sigma[me] = best
    others = [player for player in range(players) if player != me]
    mu[others] *= (1 - mu[me]) / mu[others].sum()
    return list(mu), list(sigma)


def slow_belief(node, players):
    """Return mean and spread of player 0's share of wins, for two players."""
    kids = [node["child"][slot] for slot in sorted(node["child"])]
    if node["chooser"] is None and len(kids) == 6:
        return np.mean([k["mu"] for k in kids]), math.hypot(*(k["sigma"] for k in kids)) / 6
    if node["all"]:
        sign = (1, -1)[node["chooser"]]
        mu, sigma = sign * kids[0]["mu"], kids[0]["sigma"]
        for kid in kids[1:]:
            mu, sigma = slow_maximum(mu, sigma, sign * kid["mu"], kid["sigma"])
        return sign * mu, sigma
    won, lost = 1 + node["W"][0], 1 + node["N"] - node["W"][0]
    n = won + lost
    return won / n, math.sqrt(won * lost / (n * n * (n + 1)))


def slow_maximum(m, s, n, t):
    """Return mean and spread of the larger of two normal variables, by its two moments."""
    both, bell = math.hypot(s, t), statistics.NormalDist()
    a = (m - n) / both
    first = m * bell.cdf(a) + n * bell.cdf(-a) + both * bell.pdf(a)
    second = (m * m + s * s) * bell.cdf(a) + (n * n + t * t) * bell.cdf(-a)
    second += (m + n) * both * bell.pdf(a)
    return first, math.sqrt(max(0.0, second - first * first))


SEARCHES = {
    "plain": ludo.LudoSearch(),
    "cut": ludo.LudoSearch(cut=5, scale=60.0),
    **ludo.BAYES_LUDO,
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_search_agrees_with_its_reference(name, full):
    options = SEARCHES[name]
    for rules in (TWO, LudoRules()):
        for seed, game in enumerate(positions(rules, 40 if full else 3, seed=3)):
            thought = ludo.think_ludo(game, simulations=60, seed=seed, options=options)
            if len(game.legal(once=True)) == 1:
                assert thought.simulations == 0 and thought.move == game.legal()[0]
                continue
            found = slow_search(game, 60, seed, options)
            assert thought.simulations == 60 == thought.visits.sum()
            for token, (visits, won) in found.items():
                assert thought.visits[token] == visits
                assert thought.values[token] == pytest.approx(won[game.to_move] / visits)


def first_token(game, seed=None):
    """Return the first token that may move."""
    return game.legal()[0]


def seen_by(player, rows, monkeypatch):
    """Return the tokens on which the rule of a member, who sits first, judged a roll."""
    seen, look = [], ludo.look_ahead

    def watch(game, *rest):
        seen.append(game.steps.tolist())
        return look(game, *rest)

    monkeypatch.setattr(ludo, "look_ahead", watch)
    game = set_up(rows)
    game.roll(3)
    player(game, 1)
    return seen[-1]


def test_a_game_played_on_by_the_rule_ends_as_with_the_rules_player():
    won = set_up([[57, 57, 57, 56], [0, 0, 0, 0]], rules=TWO)
    won.roll(1)
    assert ludo.wins_by_rule(won, 9).tolist() == [9, 0]
    game, games = set_up([[24, 10, 0, 0], [6, 0, 0, 0]], 1, TWO), 300
    agent, rng, wins = ludo.rule_based(), random.Random(1), 0
    for _ in range(games):
        played = game.copy()
        while not played.over:
            if played.roll(rng.randint(1, 6)):
                played.move(agent(played, rng.getrandbits(32)))
        wins += played.winner == 0
    found = ludo.wins_by_rule(game, 10_000)
    assert found.sum() == 10_000 and game.record == []
    assert abs(found[0] / 10_000 - wins / games) < 4 * math.sqrt(0.25 / games)


def test_looking_ahead_in_ties_or_elsewhere_is_looking_ahead_in_its_own_choices_only():
    in_ties, elsewhere = ludo.split_looker(True), ludo.split_looker(False)
    danger = set_up([[24, 10, 0, 0], [6, 0, 0, 0]], rules=TWO)
    danger.roll(3)  # the rule moves token 1, two rolls ahead token 2
    assert {in_ties(danger, seed) for seed in range(20)} == {1}
    assert {elsewhere(danger, seed) for seed in range(20)} == {2}
    even = set_up([[10, 0, 2, 7], [0, 0, 20, 0]], rules=TWO)
    even.roll(1)  # the rule draws lots between the three
    (ahead,) = {ludo.looker(2)(even, seed) for seed in range(20)}
    assert {in_ties(even, seed) for seed in range(20)} == {ahead}
    assert {elsewhere(even, seed) for seed in range(100)} == {1, 3, 4}


def test_a_pact_ends_and_may_wait_for_a_leader(monkeypatch):
    goal = Ludo(LudoRules()).rules.goal
    first, ally, other, last = [20, 9, 0, 0], [22, 3, 0, 0], [30, 2, 0, 0], [1, 0, 0, 0]
    rows, none = [first, other, ally, last], [0] * 4

    def seen(rows, *distances, **limits):
        return seen_by(ludo.allied(*distances, **limits), rows, monkeypatch)

    assert seen(rows, 2) == seen(rows, 2, until=1) == [first, other, none, last]
    assert seen(rows, 1, 2) == [first, none, none, last]
    assert seen(rows, 2, leader=True) == [first, other, none, last]  # an outsider leads
    ahead = [[41, 9, 0, 0], *rows[1:]]
    assert seen(ahead, 2, leader=True) == ahead  # a member leads: everybody for himself
    for member in (0, 2):
        done = [list(row) for row in rows]
        done[member][3] = goal
        assert seen(done, 2, until=1) == done and seen(done, 2)[2] == none
    stranger = [first, [30, 2, 0, goal], ally, last]
    assert seen(stranger, 2, until=1)[2] == none  # only tokens of members count


@pytest.mark.parametrize("distance", [1, 2, 3])
def test_an_ally_is_neither_prey_nor_threat(distance):
    rule, seen = ludo.rule_based(), 0
    rng = np.random.default_rng(distance)
    for _ in range(60):
        rows = np.zeros((4, 4), np.int64)
        rows[0], rows[distance] = rng.integers(1, 40, 4), rng.integers(1, 40, 4)
        seat, die = int(rng.integers(4)), int(rng.integers(1, 6))
        square = Ludo(LudoRules()).track.square
        if set(square[0, rows[0]]) & set(square[distance, rows[distance]]):
            continue  # two players do not share a square
        full = set_up(np.roll(rows, seat, axis=0).tolist(), seat)
        rows[distance] = 0
        empty = set_up(np.roll(rows, seat, axis=0).tolist(), seat)
        full.roll(die), empty.roll(die)
        before = full.steps.tolist()
        assert ludo.allied(distance)(full, 1) == rule(empty, 1)
        assert full.steps.tolist() == before  # only looked past
        for stranger in {1, 2, 3} - {distance}:
            assert ludo.allied(stranger)(full, 1) == rule(full, 1)
        seen += rule(full, 1) != rule(empty, 1)
    assert seen  # where nobody is looked past another token moves


# -- matches -------------------------------------------------------------------------------
def test_a_match_is_balanced_repeats_and_goes_on(tmp_path, monkeypatch):
    players = {name: ludo.random_ludo for name in "abcd"}
    path = tmp_path / "match.csv"
    table = ludo.play_ludo_match(players, 8, LudoRules(), path=path)
    assert table["first"].tolist() == list("abcdabcd")
    assert sum(table.attrs["wins"].values()) == 8
    text = path.read_text("utf-8")
    path.write_text(text[: text.rindex("\n7,") + 3], "utf-8")  # stopped in its last line
    again = ludo.play_ludo_match(players, 8, LudoRules(), path=path, jobs=2)
    assert again.equals(table) and sorted(path.read_text("utf-8")) == sorted(text)
    monkeypatch.setattr(ludo, "ludo_game", None)  # all games are read
    assert ludo.play_ludo_match(players, 8, LudoRules(), path=path).equals(table)
    with pytest.raises(ValueError, match="another|other settings"):
        ludo.play_ludo_match(players, 8, LudoRules(), seed=2, path=path)


def test_the_others_play_on_as_in_the_reference():
    for rules in (LudoRules(), LudoRules(players=3, ring=40, forced_exit=True)):
        names = "abcd"[: rules.players]
        players = dict.fromkeys(names, first_token)
        table = ludo.play_ludo_match(players, 2 * rules.players, rules, places=True)
        plain = ludo.play_ludo_match(players, 2 * rules.players, rules)
        assert table.drop(columns="order").equals(plain)  # up to the first nothing changes
        for number, order in enumerate(table.order):
            turn, first = divmod(number, rules.players)
            dice = [ludo.dice_of(1, turn, seat) for seat in range(rules.players)]
            slow, home = SlowLudo(rules), []
            while len(home) < rules.players - 1:
                slow.die = next(dice[slow.to_move])
                tokens = slow.legal()
                slow.play(tokens[0] if tokens else None)
                if slow.winner is not None:
                    home.append(slow.winner)
                    slow.winner = None
            home += set(range(rules.players)) - set(home)
            assert order == " / ".join(names[(seat + first) % rules.players] for seat in home)


def test_a_match_names_what_is_wrong():
    players = {"a": ludo.random_ludo, "b": lambda game, seed=None: 9}
    for games, rules, says in (
        (2, TWO, r"player b failed at roll \d+: token 9"),
        (3, TWO, "rounds of 2: 3"),
        (4, LudoRules(), "for 4 players, not 2"),
    ):
        with pytest.raises(ValueError, match=says):
            ludo.play_ludo_match(players, games, rules)


def test_seats_keep_their_dice_within_a_round():
    seen = []

    def watch(game, seed=None):
        seen.append(game.die)
        return game.legal()[0]

    table = ludo.play_ludo_match({"a": watch, "b": watch}, 2, TWO)
    assert table.winner.tolist() in (["a", "b"], ["b", "a"])  # equal players: the seat wins
    first, second = (list(map(float, text.split())) for text in table.pips)
    assert first == second[::-1] and len(seen) > 10


# -- what the numbers say ------------------------------------------------------------------
def test_the_error_of_a_share_is_that_of_its_rounds():
    rng = np.random.default_rng(2)
    rounds = rng.choice([0, 1, 2], 400, p=[0.1, 0.6, 0.3])
    row = {"games": 800, "won": rounds.sum()}
    row |= {"pairs won": (rounds == 2).sum(), "pairs lost": (rounds == 0).sum()}
    assert ludo.round_error(row) == pytest.approx((rounds / 2).std() / 20)


def test_distances_of_drawn_tables_lie_round_the_distance():
    shares, errors = np.array([[0.5, 0.7], [0.9, 0.4]]), np.full((2, 2), 0.01)
    drawn = ludo.drawn_distances(shares, errors, np.array([0.7, 0.6]), 5_000, 4_000)
    assert drawn.shape == (4_000, 2)
    assert drawn.mean(axis=0) == pytest.approx([15, 20], abs=0.3)
    same = ludo.drawn_distances(shares, errors, shares, 5_000, 4_000)
    assert same.mean() < 2  # nothing but chance


def test_bounds_of_a_distance_lie_round_the_true_one():
    """Drawn with noise, a distance is too large; its bounds seldom miss the true one."""
    rng, source, errors = (
        np.random.default_rng(1),
        np.array([0.8, 0.5, 0.6]),
        np.full(3, 0.015),
    )
    true, hits = source + [0.05, -0.04, 0.03], 0
    for _ in range(100):
        shares, printed = rng.normal(true, errors), rng.binomial(500, source) / 500
        found = 100 * np.abs(shares - printed).mean()
        bounds = ludo.distance_bounds(
            np.array([found]), shares[None], errors[None], printed, 500, 200
        )
        assert 0 <= bounds[0][0] < found < bounds[1][0]
        hits += bounds[0][0] <= 4 <= bounds[1][0]
    assert hits >= 90


def test_the_rows_of_mcts_are_those_with_other_dice():
    usual, pairs = ludo.stored_ludo("ludo-pairs"), ludo.tuned_ludo("ludo-pairs")
    assert sorted(usual[["ring", "a", "b"]].values.tolist()) == sorted(
        pairs[["ring", "a", "b"]].values.tolist()
    )
    assert set(pairs[pairs.a == "MCTS"].seed) == {2} and (pairs.a == "MCTS").sum() == 8
    rest = pairs[pairs.a != "MCTS"]
    assert rest.seed.isna().all() and set(rest.won) <= set(usual.won)
    printed = ludo.tuned_ludo("ludo-printed")
    assert len(printed) == 36 and (printed[printed.a == "MCTS"].c == 1.4).all()


def test_a_count_far_from_its_share_is_unlikely():
    assert ludo.off_share(250, 1_000, 0.25) == 1
    assert ludo.off_share(277, 1_000, 0.25) == pytest.approx(0.0487, abs=1e-3)
    assert ludo.off_share(223, 1_000, 0.25) == pytest.approx(0.0487, abs=1e-3)


def test_uneven_wins_are_as_likely_as_all_spreads_counted_one_by_one():
    games, wins = [6, 5, 7], [5, 1, 2]
    spreads = {}
    for a, b, c in itertools.product(*(range(count + 1) for count in games)):
        if a + b + c == sum(wins):
            spreads[a, b, c] = math.comb(6, a) * math.comb(5, b) * math.comb(7, c)
    found = spreads[tuple(wins)]
    expected = sum(ways for ways in spreads.values() if ways <= found) / sum(spreads.values())
    assert ludo.next_chance(wins, games) == pytest.approx(expected)
    assert ludo.next_chance([3, 11, 2], [200] * 3) == pytest.approx(0.0141, abs=1e-4)
    assert ludo.next_chance([5] * 3, [9] * 3) == pytest.approx(1)  # equal shares
    assert ludo.next_chance([0] * 3, [9] * 3) == pytest.approx(1)
    assert ludo.next_chance([100, 0, 0], [100] * 3) < 1e-9
    with pytest.raises(ValueError, match="three groups"):
        ludo.next_chance([1, 2], [3, 4])


def test_a_claim_about_a_neighbour_is_likely_by_chance_where_all_are_equal():
    orders = [("a", *rest) for rest in itertools.permutations("bcd")]
    even = {order: dict.fromkeys("abcd", 0.25) for order in orders}
    assert ludo.claim_chance(even, 500, "d", 200)[1] > 0.3
    feared = {o: {n: 0.25 - 0.1 * (ludo.next_player(o, n) == "d") for n in o} for o in orders}
    lost, chance = ludo.claim_chance(feared, 500, "d", 200)
    assert lost > 0.2 and chance < 0.02


@pytest.mark.parametrize("p", [0.6, 0.7, 0.87])
def test_the_better_player_is_ahead_after_so_many_games(p):
    def ahead(games):
        more = range(games // 2 + 1, games + 1)
        return math.fsum(math.comb(games, k) * p**k * (1 - p) ** (games - k) for k in more)

    games = ludo.games_ahead(p)
    assert games % 2 == 1 and ahead(games) >= 0.95
    assert games == 1 or ahead(games - 2) < 0.95


def test_too_even_players_are_not_told():
    assert ludo.games_ahead(0.51, most=99) is None
    with pytest.raises(ValueError, match="more than half"):
        ludo.games_ahead(0.5)


def test_an_equilibrium_is_beaten_by_nothing():
    rng = np.random.default_rng(4)
    for n in (2, 3, 4):
        for _ in range(50):
            draws = rng.random((n, n))
            shares = (1 + draws - draws.T) / 2
            mix = ludo.equilibrium(shares)
            assert mix.min() >= -1e-9 and mix.sum() == pytest.approx(1)
            assert (shares @ mix).max() <= 0.5 + 1e-9
    with pytest.raises(ValueError, match="mirror cells"):
        ludo.equilibrium(np.array([[0.5, 0.9], [0.9, 0.5]]))


# -- the tables ----------------------------------------------------------------------------
NEW = {  # table: (games, its rows)
    "ludo-pairs": (10, 20),
    "ludo-seatings": (4, 24),
    "ludo-printed-seats": (4, 72),
    "ludo-places": (4, 96),
    "ludo-budgets": (2, 4),
    "ludo-constants": (2, 9),
    "ludo-tempers": (2, 6),
    "ludo-ideas": (2, 11),
    "ludo-allies": (4, 3),
    "ludo-printed": (2, 36),
    "ludo-tuned": (2, 20),
    "ludo-longer": (2, 2),
    "ludo-split": (2, 2),
    "ludo-pacts": (4, 7),
    "ludo-party": (4, 4),
    "ludo-deviants": (4, 6),
}


def test_every_table_has_its_rows(apart, monkeypatch):
    search = ludo.ludo_mcts

    def quick(simulations=2, c=0.5, options=None):
        return search(simulations=2, c=c, options=options)

    monkeypatch.setattr(ludo, "ludo_mcts", quick)
    for name, (games, rows) in NEW.items():
        results.make(TABLES[name], games, 1)
        assert len(pd.read_csv(apart / f"{name}.csv")) == rows, name
    seats = pd.read_csv(apart / "ludo-seatings.csv")
    assert (seats.groupby("seating").won.sum() == 4).all()


def test_the_stored_games_are_those_that_the_tables_ask_for(apart, monkeypatch, full):
    """The first line of each file still says what its players are: nothing is played."""
    (apart / "games").mkdir()
    shutil.copy(store.FOLDER / "games" / "ludo.tar.xz", apart / "games")
    monkeypatch.setattr(ludo, "ludo_game", None)
    few = ("ludo-ideas", "ludo-allies", "ludo-budgets")
    every = [name for name, table in TABLES.items() if table.study == "ludo"]
    for name in every if full else few:
        table = TABLES[name]
        stored = pd.read_csv(store.FOLDER / "results" / f"{name}.csv")
        assert [row["won"] for row in table.function(table.number, 1)] == stored.won.tolist()

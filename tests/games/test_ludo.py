"""Ludo: rules and kernels against a reference, agents, matches, statistics and replay."""

import itertools
import math
import random
import statistics

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row import ludo
from five_in_a_row.ludo import Ludo, LudoRules, set_up
from references import Rng

from experiments import registry, results

TWO = LudoRules(players=2)
HOUSES = {
    "four": LudoRules(),
    "two": TWO,
    "three, ring 40": LudoRules(players=3, ring=40, lane=4),
    "safe, again, three sixes": LudoRules(safe=(0, 8), again=True, three_sixes=True),
    "short": LudoRules(players=4, ring=8, lane=1, again=True),
    "a six must bring out": LudoRules(players=2, ring=40, three_sixes=True, forced_exit=True),
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


def build_check():
    """Return a kernel that plays random games and counts what may never happen."""

    @five.cache.inline_kernel
    def check(track, state, old, games):
        broken = 0
        for _ in range(games):
            for player in range(4):
                for token in range(4):
                    state.at[player, token] = 0
            state.to_move, state.die, state.sixes, state.winner = 0, 0, 0, -1
            while state.winner < 0:
                state.die = 1 + five.search.random_below(state, 6)
                ludo.copy_state(state, old)
                tokens, moved = ludo.movable(track, state), -1
                if tokens:
                    moved = ludo.random_token(state, tokens)
                    broken += not tokens >> moved & 1
                    ludo.move_token(track, state, moved)
                else:
                    ludo.end_turn(track, state, False)
                caught, home = False, 0
                for player in range(track.players):
                    for token in range(4):
                        was, now = old.at[player, token], state.at[player, token]
                        broken += now < 0 or now > track.goal  # the exact roll home
                        if player == old.to_move:
                            way = (old.die if was else 1) if token == moved else 0
                            broken += now != was + way
                            home += now == track.goal
                        elif now != was:  # only a capture, and on the same square
                            caught = True
                            there = track.square[old.to_move, state.at[old.to_move, moved]]
                            broken += now != 0 or track.square[player, was] != there
                            broken += track.safe[there]
                again = moved >= 0 and (old.die == 6 or (caught and track.again))
                turn = old.to_move if again else (old.to_move + 1) % track.players
                broken += state.to_move != turn or state.die != 0
                broken += (home == 4) != (state.winner == old.to_move)
        return broken

    return check


def test_random_games_keep_the_rules_at_every_roll(full):
    check = build_check()
    for rules, share in zip(HOUSES.values(), (100, 20, 20, 20, 20, 20), strict=True):
        state = ludo.new_state()
        games = 1_000 * share if full else share
        assert check(ludo.track_of(rules), state, ludo.new_state(), games) == 0


@pytest.mark.parametrize(
    "wrong, says",
    [
        ({"players": 5}, "2, 3 or 4 players, not 5"),
        ({"players": 1}, "2, 3 or 4 players"),
        ({"ring": 50}, "multiple of 4 from 8 to 100, not 50"),
        ({"ring": 104}, "multiple of 4"),
        ({"lane": 0}, "1 to 20 squares"),
        ({"safe": (13,)}, "steps from 0 to 12"),
        ({"safe": [0]}, "safe must be a tuple"),
        ({"again": 1}, "True or False"),
        ({"forced_exit": 1}, "True or False"),
    ],
)
def test_rules_that_make_no_game_are_refused(wrong, says):
    with pytest.raises(ValueError, match=says):
        Ludo(LudoRules(**wrong))


def test_an_impossible_die_or_token_is_refused_and_changes_nothing():
    game = Ludo(TWO)
    for die in (0, 7, 2.5, "6", None):
        with pytest.raises(ValueError, match="a die shows 1 to 6"):
            game.roll(die)
    with pytest.raises(ValueError, match="roll first"):
        game.move(1)
    game = set_up([[3, 0, 0, 0], [9, 0, 0, 0]], rules=TWO)
    game.roll(2)
    before = game.state.tobytes()
    for token in (2, 0, 5, -1, 1.5, "one"):
        with pytest.raises(ValueError, match="token 1 may"):
            game.move(token)
    with pytest.raises(ValueError, match="a 2 waits"):
        game.roll(3)
    assert game.state.tobytes() == before and game.record == []
    with pytest.raises(ValueError, match="players by 4"):
        set_up([[1, 2, 3, 4]], rules=TWO)
    with pytest.raises(ValueError, match="first must be a player, 0 to 1"):
        Ludo(TWO, 2)
    with pytest.raises(ValueError, match="players by 4"):
        set_up([[1, 2, 3, 4], [1]], rules=TWO)
    with pytest.raises(ValueError, match="two players stand on square 26"):
        set_up([[27, 0, 0, 0], [1, 0, 0, 0]], rules=TWO)
    assert set_up([[27, 0, 0, 0], [1, 0, 0, 0]], rules=LudoRules(players=2, safe=(0,)))


def test_what_no_agent_can_work_with_is_refused():
    game = set_up([[3, 9, 0, 0], [9, 0, 0, 0]], rules=TWO)
    game.roll(2)
    for wrong, words in (
        (lambda: ludo.rule_based()(game, -1), "seed must be"),
        (lambda: ludo.think_ludo(5), "game must be a Ludo"),
        (lambda: ludo.think_ludo(game, c=-1.0), "c must be a number from 0 to"),
        (lambda: ludo.ludo_mcts(100, math.nan), "c must be a number from 0 to"),
        (lambda: ludo.ludo_mcts(0), "simulations must be"),
        (lambda: ludo.track_of(LudoRules(safe=[0])), "safe must be a tuple"),
        (lambda: ludo.random_games(2.5), "games must be a whole number"),
        (lambda: set_up([[0] * 4] * 2, rules=5), "rules must be LudoRules"),
    ):
        with pytest.raises(ValueError, match=words):
            wrong()


def test_a_third_six_is_lost_only_by_that_rule():
    for lost in (False, True):
        game = Ludo(LudoRules(players=2, three_sixes=lost))
        for _ in range(2):
            game.roll(6)
            game.move(1)
        assert bool(game.roll(6)) is not lost and game.to_move == lost


def test_a_six_brings_a_token_out_only_by_that_rule_and_while_one_is_in_the_yard():
    for forced, steps, die, free in (
        (False, [10, 0, 0, 57], 6, [1, 2, 3]),
        (True, [10, 0, 0, 57], 6, [2, 3]),
        (True, [10, 0, 0, 57], 5, [1]),
        (True, [10, 20, 57, 57], 6, [1, 2]),
    ):
        rules = LudoRules(players=2, forced_exit=forced)
        assert set_up([steps, [9, 0, 0, 0]], rules=rules).roll(die) == free


def test_kept_games_are_those_of_their_rules(tmp_path):
    told = {}
    for forced in (False, True):
        players = {"a": ludo.random_ludo, "b": ludo.random_ludo}
        rules = LudoRules(players=2, forced_exit=forced)
        told[forced] = ludo.play_ludo_match(players, 2, rules).attrs["settings"]
    assert told[True] == told[False].replace("sixes=False", "sixes=False, forced_exit=True")


def test_a_safe_square_is_shared():
    for safe, steps in (((), 0), ((0,), 27)):
        game = set_up([[0, 0, 0, 0], [27, 0, 0, 0]], rules=LudoRules(players=2, safe=safe))
        game.roll(6)  # player 1 stands on the start of player 0
        game.move(1)
        assert game.steps[1, 0] == steps


def test_a_copy_goes_on_by_itself():
    game = set_up([[3, 0, 0, 0], [9, 0, 0, 0]], rules=TWO)
    other = game.copy()
    other.roll(2)
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
    total -= sum(worth for _, worth in opponents)
    for steps in slow.steps[player]:
        total += value(steps)
        total += weights.lane * (ring <= steps < ring - 1 + slow.rules.lane)
        total += weights.home * (steps == ring - 1 + slow.rules.lane)
        square = slow.square(player, steps)
        if square is None:
            continue
        for gap in range(1, 7):
            ahead, behind = (square + gap) % ring, (square - gap) % ring
            total += sum(worth for place, worth in opponents if place == ahead) * weights.near
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


def slow_expect(slow, rolls, me, selfish):
    """Return the value of a position to each player, before a roll."""
    players = range(slow.rules.players)
    if rolls == 0 or slow.winner is not None:
        return [slow_evaluate(slow, player, ludo.MENDED) for player in players]
    total = np.zeros(len(players))
    for die in range(1, 7):
        slow.die = die
        found = []
        for token in slow.once() or [None]:
            after = slow.copy()
            after.play(token)
            found.append(slow_expect(after, rolls - 1, me, selfish))
        who = slow.to_move if selfish else me
        sign = 1 if selfish or slow.to_move == me else -1
        best = found[0]
        for values in found[1:]:
            if sign * values[who] > sign * best[who] + 1e-9:
                best = values
        total += np.array(best) / 6
    slow.die = 0
    return list(total)


@pytest.mark.parametrize("selfish", [False, True], ids=["paranoid", "max^n"])
@pytest.mark.parametrize("rolls", [0, 1, 2])
def test_looking_ahead_agrees_with_its_reference(rolls, selfish, full):
    for rules in (LudoRules(), TWO):
        for game in positions(rules, (500 if full else 12) // (1 + rolls**2)):
            token, worth = ludo.look_ahead(game, rolls, selfish, ludo.MENDED, 1)
            slow, me = slow_of(game), game.to_move
            for number in slow.once():
                after = slow.copy()
                after.play(number)
                expected = slow_expect(after, rolls, me, selfish)[me]
                assert worth[number] == pytest.approx(expected)
            assert worth[token - 1] == np.nanmax(worth)
            assert np.isnan(worth).sum() == 4 - len(slow.once())


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
                each["mu"], each["sigma"] = slow_belief(each)
    return {token: (node["N"], node["W"]) for token, node in tree["child"].items()}


def new_node():
    """Return a node that nothing is known of."""
    return {"N": 0, "W": [0] * 4, "child": {}, "chooser": None, "all": False}


def slow_score(node, token, mover, options):
    """Return the score of a token at a choice."""
    child, exploration = node["child"][token], math.sqrt(math.log(node["N"]))
    value, unsure = child["W"][mover] / child["N"], options.c / math.sqrt(child["N"])
    if options.beliefs:
        value = child["mu"] if mover == 0 else 1 - child["mu"]
        unsure += options.c_sigma * child["sigma"]
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


def slow_belief(node):
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
    for rules in (TWO,) if options.beliefs else (TWO, LudoRules()):
        for seed, game in enumerate(positions(rules, 40 if full else 3, seed=3)):
            thought = ludo.think_ludo(game, 60, seed, options=options)
            if len(game.legal(once=True)) == 1:
                assert thought.simulations == 0 and thought.move == game.legal()[0]
                continue
            found = slow_search(game, 60, seed, options)
            assert thought.simulations == 60 == thought.visits.sum()
            for token, (visits, won) in found.items():
                assert thought.visits[token] == visits
                assert thought.values[token] == pytest.approx(won[game.to_move] / visits)


def test_beliefs_are_only_for_two_players_and_a_bad_cut_is_refused():
    game = set_up([[3, 9, 0, 0], *[[0] * 4] * 3])
    game.roll(2)
    for wrong, says in (
        (ludo.BAYES_LUDO["Bayes-UCT2"], "about two players"),
        (ludo.LudoSearch(cut=-1), "cut must be a whole number from 0 to"),
        (ludo.LudoSearch(c_sigma=-1.0), "c_sigma must be a number from 0 to"),
    ):
        with pytest.raises(ValueError, match=says):
            ludo.think_ludo(game, 20, options=wrong)


def test_a_short_playout_is_judged_by_the_rule_as_its_reference(full):
    for rules in (LudoRules(), TWO, LudoRules(players=3, ring=40, forced_exit=True)):
        options, rewards = ludo.LudoSearch(cut=4), np.zeros(4)
        for seed, game in enumerate(positions(rules, 2_000 if full else 60, seed=5)):
            state = game.state.copy()
            state.random = np.uint64(seed)
            ludo.play_out(game.track, state, rewards, options)
            expected = slow_playout(slow_of(game), Rng(seed), options)
            assert rewards.tolist() == pytest.approx(expected)
            assert rewards.sum() == pytest.approx(1)


def test_the_search_takes_the_capture_that_decides():
    game = set_up([[20, 3, 57, 57], [57, 57, 57, 48]], rules=TWO)
    assert game.track.square[1, 48] == game.track.square[0, 22]  # two steps ahead of token 1
    game.roll(2)
    assert ludo.think_ludo(game, 300, 1).move == 1


def test_what_cannot_be_thought_about_is_refused():
    with pytest.raises(ValueError, match="nothing to think about"):
        ludo.think_ludo(Ludo(TWO))
    game = set_up([[3, 9, 0, 0], [9, 0, 0, 0]], rules=TWO)
    game.roll(2)
    with pytest.raises(ValueError, match="from 1 to 33,554,431, not 0"):
        ludo.think_ludo(game, 0)
    with pytest.raises(ValueError, match="seed must be"):
        ludo.think_ludo(game, 10, -1)
    with pytest.raises(ValueError, match="from 0 to 4, not 5"):
        ludo.looker(5)


def first_token(game, seed=None):
    """Return the first token that may move."""
    return game.legal()[0]


def test_a_temper_follows_its_prey_or_flees_its_threat():
    # token 1 may come within two of its prey; token 2 stands five before a threat, or leaves
    board = set_up([[20, 40, 0, 0], [49, 9, 0, 0]], rules=TWO)
    board.roll(1)
    worth = {
        name: ludo.look_ahead(board, 0, False, weights, 1)[1]
        for name, weights in ludo.TEMPERS.items()
    }
    balanced = worth["balanced"]
    for name, near, behind in (("aggressive", 3, 0), ("defensive", 0, 3)):
        weights = ludo.MENDED._replace(near=near / 6, behind=behind / 6)
        assert ludo.TEMPERS[name] == weights and not np.array_equal(
            worth[name][:2], balanced[:2]
        )


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


def test_allies_are_counted_together():
    rows = list(ludo.ally_rows(4))
    assert [row["alliance"] for row in rows] == list(ludo.ALLIANCES)
    for row in rows:
        assert row["won"] == row["first"] + row["second"] <= row["games"] == 4


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


def test_seats_keep_their_dice_within_a_round():
    seen = []

    def watch(game, seed=None):
        seen.append(game.die)
        return game.legal()[0]

    table = ludo.play_ludo_match({"a": watch, "b": watch}, 2, TWO)
    assert table.winner.tolist() in (["a", "b"], ["b", "a"])  # equal players: the seat wins
    first, second = (list(map(float, text.split())) for text in table.pips)
    assert first == second[::-1] and len(seen) > 10


def test_a_match_names_what_is_wrong():
    players = {"a": ludo.random_ludo, "b": lambda game, seed=None: 9}
    with pytest.raises(ValueError, match=r"player b failed at roll \d+: token 9"):
        ludo.play_ludo_match(players, 2, TWO)
    with pytest.raises(ValueError, match="rounds of 2: 3"):
        ludo.play_ludo_match(players, 3, TWO)
    with pytest.raises(ValueError, match="for 4 players, not 2"):
        ludo.play_ludo_match(players, 4, LudoRules())


# -- what the numbers say ------------------------------------------------------------------
def test_the_misprint_is_what_exceeds_a_hundred():
    rows = ludo.printed_seats(True)
    changed = [
        (old, new)
        for (_, a), (_, b) in zip(ludo.printed_seats(False), rows, strict=True)
        for old, new in zip(a.values(), b.values(), strict=True)
        if old != new
    ]
    assert changed == [(35.8, 22.4)]
    assert ludo.extremes(rows, "rule-based", False) == ("random", "MCTS")
    assert [order for order, _ in rows] == ludo.orders(
        ("random", "minimax", "MCTS", "rule-based")
    )


def test_the_chance_of_the_null_is_that_of_simulated_games():
    rng, games = np.random.default_rng(1), np.array([800, 1000, 900])
    drawn = [ludo.next_chance(rng.binomial(games, 0.3), games) for _ in range(2_000)]
    for level in (0.05, 0.2, 0.5):  # under the null the chance is spread evenly
        assert np.mean(np.array(drawn) <= level) == pytest.approx(level, abs=0.035)
    with pytest.raises(ValueError, match="three groups"):
        ludo.next_chance([1, 2], [3, 4])


def test_the_joint_test_is_one_of_the_family():
    chances = {"a": 0.011, "b": 0.4, "c": 0.2, "d": 0.6}
    assert five.strength.holm(chances)["a"]  # of four tests it falls, of five it does not
    found = ludo.null_words(chances | {ludo.TOGETHER: 0.024})
    assert set(found.values()) == {f"{p:.3f}, stands" for p in (*chances.values(), 0.024)}
    assert ludo.null_words(chances | {"a": 0.006})["a"] == "0.006, rejected"


def test_an_equilibrium_is_beaten_by_nothing():
    rng = np.random.default_rng(4)
    for n in (2, 3, 4):
        for _ in range(50):
            draws = rng.random((n, n))
            shares = (1 + draws - draws.T) / 2
            mix = ludo.equilibrium(shares)
            assert mix.min() >= -1e-9 and mix.sum() == pytest.approx(1)
            assert (shares @ mix).max() <= 0.5 + 1e-9
    best = np.array([[np.nan, 0.6, 0.7], [0.4, np.nan, 0.9], [0.3, 0.1, np.nan]])
    assert ludo.equilibrium(best).tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="mirror cells"):
        ludo.equilibrium(np.array([[0.5, 0.9], [0.9, 0.5]]))


def test_three_agents_that_lose_before_one_are_found_together():
    agents = ("a", "b", "c", "feared")
    seatings = [("a", *others) for others in itertools.permutations(agents[1:])]
    for lost, sure in ((0.0, False), (0.05, True)):
        table = {}
        for order in seatings:
            before = order[order.index("feared") - 1]
            table[order] = {agent: 0.25 - lost * (agent == before) for agent in agents}
            table[order]["feared"] += lost
        found, p = ludo.claim_chance(table, 1_000, "feared", 2_000)
        assert found == pytest.approx(3 * lost) and (p < 0.01) == sure
    # the chance that is given is right: of tables made by chance few have a small one
    draw, small = np.random.default_rng(5), 0
    for _ in range(200):
        wins = draw.multinomial(500, [0.25] * 4, 6) / 500
        table = {
            o: dict(zip(agents, w, strict=True)) for o, w in zip(seatings, wins, strict=True)
        }
        small += ludo.claim_chance(table, 500, "feared", 300)[1] <= 0.1
    assert 5 < small < 40


def test_games_until_ahead_are_those_of_a_count_by_hand():
    assert ludo.chance_ahead(3, 0.6) == pytest.approx(0.6**3 + 3 * 0.6**2 * 0.4)
    for p in (0.55, 0.62, 0.8):
        count = ludo.games_ahead(p)
        assert count % 2 and ludo.chance_ahead(count, p) >= 0.95
        assert ludo.chance_ahead(count - 2, p) < 0.95
    assert ludo.games_ahead(0.5001) is None
    with pytest.raises(ValueError, match="more than half"):
        ludo.games_ahead(0.5)


def test_luck_is_counted_from_either_side():
    pips = ["3.6 3.4", "3.4 3.6", "3.7 3.1", "3.5 3.5"]
    table = pd.DataFrame({"winner": list("abba"), "pips": pips})
    table.attrs = {"wins": {"a": 2, "b": 2}}
    found = ludo.by_luck(table, "a", groups=2)
    assert found["luckier"] == pytest.approx(2 / 3) and found["better"] == 0.5
    assert found["wins"].tolist() == [1, 1] and found["games"].tolist() == [2, 2]
    assert ludo.by_luck(table, "b", groups=2)["edges"].tolist() == pytest.approx(
        (-found["edges"][::-1]).tolist()
    )


# -- the replay ----------------------------------------------------------------------------
def test_the_replay_ends_where_the_game_does():
    game, thoughts = ludo.recorded_ludo([ludo.ludo_mcts(5), first_token], TWO, seed=2)
    frames, parts = ludo.ludo_frames(game, thoughts)
    moves = [token for _, _, token in game.record if token]
    assert len(frames) == 1 + len(moves) and "has won" in frames[-1].lines[-1]
    for frame in (0, len(frames) // 2, len(frames) - 1):
        seen = [part for part in parts if part.seen(frame) and "token" in part.shape]
        assert sorted((part.shape, part.text) for part in seen) == [
            (f"token{player}", str(token)) for player in (0, 1) for token in (1, 2, 3, 4)
        ]
    last = {(part.shape, part.text): (part.x, part.y) for part in parts if part.last is None}
    for (player, token), steps in np.ndenumerate(game.steps):
        place = ludo.svg_place(game.rules, player, token, int(steps))
        assert last[f"token{player}", str(token + 1)] == place
    assert "has won" in str(ludo.replay_ludo(game, thoughts))
    with pytest.raises(ValueError, match="there is no roll 9999"):
        ludo.replay_ludo(game, {9999: None})
    with pytest.raises(ValueError, match="game must be a Ludo"):
        ludo.replay_ludo("a game")


def test_tokens_of_a_player_do_not_overlap_in_the_replay():
    for steps in (0, 1, 30, 54, 57):  # yard, ring, lane, home
        places = [ludo.svg_place(LudoRules(), 1, token, steps) for token in range(4)]
        for one, other in itertools.combinations(places, 2):
            assert math.dist(one, other) > 4.4  # of ten a square; the widest token has 4.4
        x, y = ludo.in_picture(*ludo.place_of_token(LudoRules(), 1, 0, steps))
        assert max(abs(places[0][0] - x), abs(places[0][1] - y)) + 2.2 < 4.6


def test_an_earlier_position_is_found_again():
    game, _ = ludo.recorded_ludo([first_token, first_token], TWO, seed=2)
    assert ludo.before(game, len(game.record), rolled=False).steps.tolist() == (
        game.steps.tolist()
    )
    player, die, _ = game.record[30]
    earlier = ludo.before(game, 30, rolled=False)
    assert earlier.to_move == player and earlier.record == game.record[:30] and die


# -- the tables ----------------------------------------------------------------------------
def no_game(*args):
    """Fail: what is kept is not to be played again."""
    raise AssertionError("played again")


def test_the_tables_are_kept_and_read(apart, monkeypatch):
    small = {"random": ludo.random_ludo, "MCTS": ludo.ludo_mcts(2), "rule-based": first_token}
    monkeypatch.setattr(ludo, "pair_agents", lambda simulations: small)
    monkeypatch.setattr(ludo, "four_agents", lambda *_: small | {"max^n": ludo.random_ludo})
    for name, rows in (("ludo-pairs", 6), ("ludo-seatings", 24), ("ludo-styles", 4)):
        results.make(registry.load()[name], 4, 1)
        assert len(pd.read_csv(apart / f"{name}.csv")) == rows
    pairs = pd.read_csv(apart / "ludo-pairs.csv")
    assert {"won", "low", "high", "dice decide", "made", "machine"} <= set(pairs.columns)
    seats = pd.read_csv(apart / "ludo-seatings.csv")
    assert (seats.groupby("seating").won.sum() == 4).all()
    assert len(ludo.seat_columns(seats)["random"]) == 7
    monkeypatch.setattr(ludo, "ludo_game", no_game)
    results.make(registry.load()["ludo-pairs"], 4, 1)
    assert pd.read_csv(apart / "ludo-pairs.csv").won.equals(pairs.won)


def test_more_simulations_have_a_row_each():
    rows = list(ludo.budget_rows(2, budgets=(2, 4)))
    assert [row["simulations"] for row in rows] == [2, 4]
    assert {row["games"] for row in rows} == {2}


def test_the_four_games_are_set_beside_the_printed_cells():
    def table(forced):
        rows = [
            {"a": a, "b": b, "ring": ring, "games": 100, "won": 90 if forced else 10}
            for ring in (52, 40)
            for b, a in itertools.combinations(ludo.pair_agents(1), 2)
        ]
        return pd.DataFrame(rows)

    found = ludo.house_cells({forced: table(forced) for forced in (False, True)}, "rule-based")
    assert list(found) == list(ludo.HOUSES.values())
    fit = ludo.fits(found["52, must bring out"])
    assert [pair for pair in fit if fit[pair]] == [p for p in fit if p[1] == "random"]
    assert not any(ludo.fits(found["40, free"]).values())
    columns = ludo.house_columns(found)
    assert columns["40, must bring out"]["cells that fit"] == "3 of 6"


def test_ideas_tempers_and_places_have_their_rows():
    ideas = list(ludo.idea_rows(2, simulations=2))
    assert {row["b"] for row in ideas if row["a"] == "cut 8"} > {"expectiminimax"}
    assert {row["a"] for row in ideas} > set(ludo.BAYES_LUDO)
    tempers = pd.DataFrame(ludo.temper_rows(2))
    assert len(tempers) == 6 and set(tempers.forced) == {False, True}
    placed = pd.DataFrame(ludo.house_rows(4, simulations=2))
    sums = ludo.house_sums(placed)
    for table in sums.values():
        assert (table[["won", "second", "third", "last"]].sum(axis=1) == table.games).all()
    paid = ludo.place_columns(sums["52, free"])["mean payoff"]
    total = sum(float(text.split()[0]) for text in paid.values())
    assert total == pytest.approx(4 * 0.5, abs=0.002)
    assert [ludo.place_payoff(k, 3) for k in (1, 2, 3)] == [1, 0.5, 0]


def test_every_constant_has_a_row_with_its_simulations():
    rows = list(ludo.constant_rows(2, constants=(0.1, 1.0), simulations=3))
    assert [(row["c"], row["simulations"], row["games"]) for row in rows] == [
        (0.1, 3, 2),
        (1.0, 3, 2),
    ]


def test_all_pairs_are_in_the_matrix():
    rows = [
        {"a": a, "b": b, "ring": 52, "games": 10, "won": 6}
        for b, a in itertools.combinations(ludo.pair_agents(1), 2)
    ]
    names, shares = ludo.payoff(pd.DataFrame(rows), 52)
    assert set(names) == set(ludo.pair_agents(1)) and np.isnan(np.diag(shares)).all()
    assert np.allclose((shares + shares.T)[~np.eye(5, dtype=bool)], 1)
    columns = ludo.matrix_rows(pd.DataFrame(rows), 52)
    assert len(columns["the source"]) == 6 + 3  # the rule as printed has them too

# Made from ludo.ipynb by tools/build.py: change the notebook, not this file.


import bisect
import copy
import itertools
import math
import random
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import five_in_a_row as five
from five_in_a_row.cache import inline_kernel, jit
from five_in_a_row.game import check_number, check_switch, is_whole, quoted
from five_in_a_row.search import check_seed, random_below


# ---- Ludo: search under dice ----------------------------------------------------------------


# by Rules · the values that make a game, a position, and the track that tokens walk on
class LudoRules(NamedTuple):
    """The rules of a game of Ludo; the defaults are the dissertation's on the common board."""

    players: int = 4  # 2, 3 or 4; two sit opposite
    ring: int = 52  # squares of the ring, a multiple of 4
    lane: int = 6  # squares of each player's lane; the last one is home
    safe: tuple[int, ...] = ()  # squares without captures, counted from every start
    again: bool = False  # True: a capture gives another roll
    three_sixes: bool = False  # True: the third six in a row is lost, and the turn passes
    forced_exit: bool = False  # True: a six must bring a token out while one is in the yard

    @property
    def goal(self) -> int:
        """Steps that a token has made at home: 1 on its start, ring - 1 before its lane."""
        return self.ring + self.lane - 1


def check_ludo(rules: LudoRules) -> LudoRules:
    """Return the rules. ValueError names what is wrong with them and what is allowed."""
    if not isinstance(rules, LudoRules):
        raise ValueError(f"rules must be LudoRules, not {quoted(rules)}")
    check_number("players", rules.players, 2, 4, whole=True)
    if check_number("ring", rules.ring, 8, 100, whole=True) % 4:
        raise ValueError(f"ring must be a multiple of 4, not {rules.ring}")
    check_number("lane", rules.lane, 1, 20, whole=True)
    if not isinstance(rules.safe, tuple):
        raise ValueError(f"safe must be a tuple of steps, not {quoted(rules.safe)}")
    for steps in rules.safe:
        check_number("steps in safe", steps, 0, rules.ring // 4 - 1, whole=True)
    for name in ("again", "three_sixes", "forced_exit"):
        check_switch(name, getattr(rules, name))
    return rules


TOKENS, SEATS = 4, 4
STATE = np.dtype(
    [
        ("at", np.int8, (SEATS, TOKENS)),  # steps of each token
        ("to_move", np.int64),  # 0 to 3
        ("die", np.int64),  # 1 to 6; 0: to be rolled
        ("sixes", np.int64),  # sixes in a row that this turn has had
        ("winner", np.int64),  # 0 to 3; -1: nobody yet
        ("random", np.uint64),  # see five.search.random_below
    ],
    align=True,
)
TRACK = np.dtype(
    [
        ("square", np.int16, (SEATS, 128)),  # of the ring, by steps; -1: not on the ring
        ("steps", np.int16, (SEATS, 100)),  # by square; -1: none stands there
        ("safe", np.int8, 100),  # by square; 1: no captures
        *((name, np.int64) for name in ("players", "ring", "goal")),
        *((name, np.int64) for name in ("again", "three_sixes", "forced_exit")),
    ],
    align=True,
)


def new_state(first: int = 0) -> np.record:
    """Return the position before the first roll, a STATE record; player `first` begins."""
    state = np.zeros(1, STATE).view(np.recarray)[0]
    state.to_move, state.winner = first, -1
    return state


def starts(rules: LudoRules) -> list[int]:
    """Return the square of the ring where each player's tokens come out, clockwise."""
    quarters = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}[rules.players]
    return [quarter * rules.ring // 4 for quarter in quarters]


@lru_cache
def build_track(rules: LudoRules) -> np.record:
    """Return the track of rules that have been checked, a TRACK record."""
    track = np.zeros(1, TRACK).view(np.recarray)[0]
    track.square[:], track.steps[:] = -1, -1
    for player, start in enumerate(starts(rules)):
        for steps in range(1, rules.ring):
            square = (start + steps - 1) % rules.ring
            track.square[player, steps], track.steps[player, square] = square, steps
    for steps in rules.safe:
        track.safe[steps : rules.ring : rules.ring // 4] = 1
    for name in ("players", "ring", "goal", "again", "three_sixes", "forced_exit"):
        track[name] = getattr(rules, name)
    return track


def track_of(rules: LudoRules) -> np.record:
    """Return the track of some rules. ValueError as check_ludo."""
    return build_track(check_ludo(rules))


# by Rules · which tokens may move, a move, and whose turn comes next
@jit
def movable(track, state):
    """Return the tokens that may move, a bit each; 0 where the turn is lost."""
    if track.three_sixes and state.die == 6 and state.sixes == 2:
        return 0
    tokens, yard = 0, 0
    for token in range(TOKENS):
        steps = np.int64(state.at[state.to_move, token])
        if steps == 0:
            yard |= (state.die == 6) << token
        elif steps + state.die <= track.goal:
            tokens |= 1 << token
    return yard if yard and track.forced_exit else tokens | yard


@jit
def different(state, tokens):
    """Return the tokens of a set without those that stand where a lower one of it stands."""
    for token in range(TOKENS):
        for lower in range(token):
            same = state.at[state.to_move, lower] == state.at[state.to_move, token]
            if same and tokens >> lower & 1:
                tokens &= ~(1 << token)
    return tokens


@jit
def end_turn(track, state, again):
    """Pass the turn, or keep it for another roll; the die is to be rolled."""
    state.sixes = state.sixes + 1 if again and state.die == 6 else 0
    if not again:
        state.to_move = state.to_move + 1 if state.to_move + 1 < track.players else 0
    state.die = 0


@jit
def move_token(track, state, token):
    """Move a token of the player to move by the die; it must be movable."""
    mover, caught = state.to_move, False
    steps = np.int64(state.at[mover, token])
    steps = steps + state.die if steps > 0 else 1
    state.at[mover, token] = steps
    square = track.square[mover, steps]
    if square >= 0 and not track.safe[square]:
        for other in range(track.players):
            there = track.steps[other, square]
            for i in range(TOKENS):
                if other != mover and state.at[other, i] == there:
                    state.at[other, i] = 0
                    caught = True
    if steps == track.goal:
        home = 0
        for i in range(TOKENS):
            home += state.at[mover, i] == steps
        if home == TOKENS:
            state.winner = mover
    end_turn(track, state, state.die == 6 or (caught and track.again == 1))


# by Rules · a game of Ludo, roll by roll, and a position set up by hand
class Ludo:
    """One game. Players are 0 to 3, tokens 1 to 4.

    track, state   records TRACK and STATE; what is written to the state changes the game
    record         (player, die, token) of every roll, token 0 for none
    """

    def __init__(self, rules: LudoRules = LudoRules(), first: int = 0):
        self.rules, self.track = rules, track_of(rules)
        self.first = check_number("first", first, 0, rules.players - 1, whole=True)
        self.state = new_state(first)
        self.record: list[tuple[int, int, int]] = []

    @property
    def to_move(self) -> int:
        """Whose turn it is, 0 to 3."""
        return int(self.state.to_move)

    @property
    def die(self) -> int:
        """What was rolled and waits for a move; 0 where a roll is due."""
        return int(self.state.die)

    @property
    def over(self) -> bool:
        """True once somebody has all tokens at home."""
        return bool(self.state.winner >= 0)

    @property
    def winner(self) -> int | None:
        """Who has won, 0 to 3; None while nobody has."""
        return int(self.state.winner) if self.over else None

    @property
    def steps(self) -> np.ndarray:
        """Steps of all tokens, int[players, 4], a copy; 0 in the yard, rules.goal at home."""
        return self.state.at[: self.rules.players].astype(int)

    def legal(self, once: bool = False) -> list[int]:
        """Return the tokens that may move; once: of several on one square the lowest."""
        if self.over or not self.die:
            return []
        tokens = movable(self.track, self.state)
        tokens = different(self.state, tokens) if once else tokens
        return [token + 1 for token in range(TOKENS) if tokens >> token & 1]

    def allowed(self) -> str:
        """Return the tokens that may move, in words."""
        *others, last = map(str, self.legal())
        return f"token {', '.join(others)} or {last}" if others else f"token {last}"

    def roll(self, die: int) -> list[int]:
        """Take a roll; return the tokens that may move. With none the turn passes."""
        if self.over:
            raise ValueError("no roll: the game is over")
        if self.die:
            raise ValueError(f"no roll: a {self.die} waits, {self.allowed()} may move")
        self.state.die = check_number("die", die, 1, 6, whole=True)
        tokens = self.legal()
        if not tokens:
            self.record.append((self.to_move, self.die, 0))
            end_turn(self.track, self.state, False)
        return tokens

    def move(self, token: int) -> None:
        """Move a token, 1 to 4, by the die. ValueError names those that may move."""
        if self.over or not self.die:
            raise ValueError("no move: " + ("the game is over" if self.over else "roll first"))
        if not (is_whole(token) and token in self.legal()):
            wrong = f"token {quoted(token)} cannot move with a {self.die}"
            raise ValueError(f"{wrong}: {self.allowed()} may")
        self.record.append((self.to_move, self.die, int(token)))
        move_token(self.track, self.state, int(token) - 1)

    def copy(self) -> "Ludo":
        """Return a game that goes on by itself from here."""
        other = copy.copy(self)
        other.state, other.record = self.state.copy(), list(self.record)
        return other


def set_up(steps, to_move: int = 0, rules: LudoRules = LudoRules()) -> Ludo:
    """Return a game that stands with these steps, int[players][4]; ValueError if it cannot."""
    game = Ludo(rules, to_move)
    try:
        steps = np.array(steps)
    except ValueError:  # rows of different lengths
        steps = np.zeros(0)
    if steps.shape != (rules.players, TOKENS) or steps.dtype.kind != "i":
        raise ValueError(f"steps must be whole numbers, {rules.players} players by {TOKENS}")
    if steps.min() < 0 or steps.max() > rules.goal or (steps == rules.goal).all(axis=1).any():
        raise ValueError(f"steps go from 0 to {rules.goal}, and nobody may have won")
    squares = [set(game.track.square[i, row].tolist()) - {-1} for i, row in enumerate(steps)]
    for one, other in itertools.combinations(squares, 2):
        if shared := [square for square in one & other if not game.track.safe[square]]:
            raise ValueError(f"two players stand on square {shared[0]}, which is not safe")
    game.state.at[: rules.players] = steps
    return game


# ---- 2. Agents ------------------------------------------------------------------------------


# by Search · the random player
def random_ludo(game: Ludo, seed: int | None = None) -> int:
    """Return a token at random."""
    return random.Random(seed).choice(game.legal())


def own_seed(seed: int | None) -> int:
    """Return the seed, or another one each time for None."""
    return random.getrandbits(32) if seed is None else seed


def with_settings(play, text: str):
    """Return a player that says in `settings` how it was made, for the file of a match."""
    play.settings = text
    return play


def changed_fields(options: NamedTuple) -> str:
    """Return the name of a NamedTuple with its fields that differ from the default."""
    usual, fields = options._field_defaults, options._asdict().items()
    changed = ", ".join(f"{name}={value!r}" for name, value in fields if value != usual[name])
    return type(options).__name__ + f"({changed})" * bool(changed)


def check_choice(game: Ludo) -> Ludo:
    """Return the game; ValueError where no roll waits for a move, or for what is no Ludo."""
    if not isinstance(game, Ludo):
        raise ValueError(f"game must be a Ludo, not {quoted(game)}")
    if not game.legal():
        raise ValueError("nothing to choose: " + ("it is over" if game.over else "roll"))
    return game


# ---- The rule: an evaluation, looked at once ------------------------------------------------


# by Heuristics · the value of a position, by the rule; prey ahead, threats behind
class Weights(NamedTuple):
    """The numbers of the evaluation; the defaults are the dissertation's."""

    out: float = 0.0  # for each token outside the yard
    lane: float = 50.0  # for each own token in the lane
    home: float = 60.0  # for each own token at home
    near: float = 1 / 6  # share of an opponent's value that counts as prey within six squares
    behind: float = 1 / 6  # share of its own value that a token loses to each threat
    won: float = 1000.0  # for a game that is won; nothing a sum can reach


AS_PRINTED = Weights()
MENDED = Weights(out=20.0)


def check_weights(weights: Weights) -> Weights:
    """Return the weights as floats; ValueError for what is none."""
    if not isinstance(weights, Weights):
        raise ValueError(f"weights must be Weights, not {quoted(weights)}")
    most = 10**9
    return Weights(*(check_number(n, x, -most, most) for n, x in weights._asdict().items()))


@jit
def token_value(track, steps, weights):
    """Return what a token counts on its way, for its owner and against the others."""
    return 0.0 if steps == 0 else weights.out + min(steps, track.ring - 1)


@jit
def evaluate_ludo(track, state, player, weights):
    """Return the value of a position for a player, by the rule."""
    if state.winner >= 0:
        return weights.won if state.winner == player else -weights.won
    total = 0.0
    for other in range(track.players):
        for i in range(TOKENS):
            steps = state.at[other, i]
            value = token_value(track, steps, weights)
            if other != player:
                total -= value
                continue
            total += value
            if steps >= track.ring:
                total += weights.home if steps == track.goal else weights.lane
            elif steps > 0:
                total += neighbours(track, state, player, i, weights)
    return total


@jit
def neighbours(track, state, player, token, weights):
    """Return the gain from opponents up to six squares ahead less the risk from behind."""
    square, total = track.square[player, state.at[player, token]], 0.0
    own = token_value(track, state.at[player, token], weights)
    for other in range(track.players):
        if other == player:
            continue
        for i in range(TOKENS):
            there = track.square[other, state.at[other, i]]
            if there < 0:
                continue
            ahead = (there - square) % track.ring
            if 1 <= ahead <= 6:
                total += weights.near * token_value(track, state.at[other, i], weights)
            elif track.ring - ahead <= 6:
                total -= weights.behind * own
    return total


# ---- Looking ahead, with dice ---------------------------------------------------------------


# by Search · the value of a position before a roll
@jit
def copy_state(old, new):
    """Make `new` the same position as `old`; its random numbers stay its own."""
    for player in range(SEATS):
        for token in range(TOKENS):
            new.at[player, token] = old.at[player, token]
    new.to_move, new.die = old.to_move, old.die
    new.sixes, new.winner = old.sixes, old.winner


@jit
def utility(values, mover, me, selfish):
    """Return what the mover maximizes of a vector of values, in the model of player `me`."""
    return values[mover] if selfish else values[me] if mover == me else -values[me]


@jit
def evaluate_all(track, states, values, best, level, me, selfish, chance, weights):
    """Set values[level] to the values of states[level] by the rule; see build_expect."""
    for player in range(track.players):
        if selfish or player == me:
            values[level, player] = evaluate_ludo(track, states[level], player, weights)


@lru_cache
def build_expect(rolls: int):
    """Return expect(track, states, values, best, level, me, selfish, chance, weights).

    It sets values[level] to the value of states[level] for each player, before a roll, by
    looking `rolls` ahead. states   STATE[levels], scratch from `level` on; values, best
    float[levels, 4]; selfish   True: max^n; False: paranoid, for player `me`, whose value
    alone is then set; chance   True: the mean over the die; False: whoever moves picks it.
    """
    if rolls == 0:
        return evaluate_all
    below = build_expect(rolls - 1)

    @inline_kernel
    def expect(track, states, values, best, level, me, selfish, chance, weights):
        state, after, highest = states[level], states[level + 1], -np.inf
        if state.winner >= 0:
            evaluate_all(track, states, values, best, level, me, selfish, chance, weights)
            return
        for seat in range(SEATS):  # one by one: a copy of rows takes long to compile
            values[level, seat] = 0.0
        for die in range(1, 7):
            state.die = die
            tokens = different(state, movable(track, state))
            highest = -np.inf if chance else highest
            for token in range(TOKENS if tokens else 1):
                if tokens and not tokens >> token & 1:
                    continue
                copy_state(state, after)
                if tokens:
                    move_token(track, after, token)
                else:
                    end_turn(track, after, False)
                below(track, states, values, best, level + 1, me, selfish, chance, weights)
                value = utility(values[level + 1], state.to_move, me, selfish)
                if value > highest + 1e-9:  # of equal ones the first
                    highest = value
                    for seat in range(SEATS):
                        best[level, seat] = values[level + 1, seat]
            for seat in range(SEATS):
                mean = values[level, seat] + best[level, seat] / 6
                values[level, seat] = mean if chance else best[level, seat]
        state.die = 0

    return expect


# by Search · the token that leads to the best position
@lru_cache
def build_choose(rolls: int):
    """Return choose(track, root, states, values, best, selfish, chance, weights, expected).

    It returns the token, 0 to 3, that is the best by expect. root   the position, its die
    rolled and a token movable; root.random breaks ties. expected   float[4], set to the
    value after each token for the player to move; NaN: not looked at.
    """
    expect = build_expect(rolls)

    def choose(track, root, states, values, best, selfish, chance, weights, expected):
        me, highest, chosen, ties = root.to_move, -np.inf, 0, 0
        tokens = different(root, movable(track, root))
        for token in range(TOKENS):
            expected[token] = np.nan
            if not tokens >> token & 1:
                continue
            copy_state(root, states[0])
            move_token(track, states[0], token)
            level = np.int64(0)  # a literal 0 would be compiled once more
            expect(track, states, values, best, level, me, selfish, chance, weights)
            value = values[0, me]
            expected[token] = value
            ties = 1 if value > highest else ties + (value == highest)
            if value >= highest and random_below(root, ties) == 0:
                highest, chosen = value, token
        return chosen

    return jit(choose)


def look_ahead(
    game: Ludo, rolls: int, selfish: bool, weights: Weights, seed: int, chance: bool = True
):
    """Return (token 1 to 4, float[4] the value expected after each) of build_choose."""
    root, expected = check_choice(game).state.copy(), np.zeros(TOKENS)
    root.random = np.uint64(check_seed(seed))
    random_below(root, 2)  # a small seed spreads over the bits
    values, best = np.zeros((2, rolls + 1, SEATS))
    scratch = np.zeros(rolls + 1, STATE), values, best
    model = selfish, chance, weights
    token = build_choose(rolls)(game.track, root, *scratch, *model, expected)
    return token + 1, expected


# by Search · the agents that judge by the rule
def looker(
    rolls: int = 0, selfish: bool = False, weights: Weights = MENDED, chance: bool = True
):
    """Return a player that looks so many rolls ahead: 0 rule-based, else expectiminimax.

    selfish   True: max^n; False: paranoid, for two players expectiminimax
    chance    False: no chance nodes, whoever moves is taken to pick the die: plain minimax
    Raises ValueError for a depth that is not a whole number from 0 to 4.
    """
    rolls = check_number("rolls", rolls, 0, 4, whole=True)
    selfish, weights = check_switch("selfish", selfish), check_weights(weights)
    chance = check_switch("chance", chance)

    def play(game: Ludo, seed: int | None = None) -> int:
        return look_ahead(game, rolls, selfish, weights, own_seed(seed), chance)[0]

    words = f"rolls={rolls}, selfish={selfish}, weights={changed_fields(weights)}"
    words += ", chance=False" * (not chance)
    return with_settings(play, f"looker.play({words})")


def rule_based(weights: Weights = MENDED):
    """Return the rule-based player."""
    return looker(0, False, weights)


# by Search · a game played on by the mended rule, again and again
choose_by_rule = build_choose(0)


@jit
def finish_by_rule(track, root, state, states, values, best, expected, weights, games):
    """Return int64[4], the wins of each player when all go on by the rule so many times.

    root   where it begins; state, states, values, best, expected   scratch, see build_choose
    """
    wins = np.zeros(SEATS, np.int64)
    for _ in range(games):
        copy_state(root, state)
        while state.winner < 0:
            if state.die == 0:
                state.die = 1 + random_below(state, 6)
            if movable(track, state):
                scratch = states, values, best
                token = choose_by_rule(track, state, *scratch, False, True, weights, expected)
                move_token(track, state, token)
            else:
                end_turn(track, state, False)
        wins[state.winner] += 1
    return wins


def wins_by_rule(game: Ludo, games: int, seed: int = 1, weights: Weights = MENDED):
    """Return int64[players], the wins of each when all go on by the rule so many times."""
    state, players = new_state(), game.rules.players
    state.random = np.uint64(check_seed(seed))
    random_below(state, 2)  # a small seed spreads over the bits
    scratch = np.zeros(1, STATE), *np.zeros((2, 1, SEATS)), np.zeros(TOKENS)
    games, weights = check_number("games", games, 1, 10**9, whole=True), check_weights(weights)
    return finish_by_rule(game.track, game.state, state, *scratch, weights, games)[:players]


# ---- Monte Carlo Tree Search with dice ------------------------------------------------------


# by Rules · a random game
@jit
def random_token(state, tokens):
    """Return one of the tokens of a set that is not empty, each equally likely."""
    count = 0
    for token in range(TOKENS):
        count += tokens >> token & 1
    left = random_below(state, count)
    for token in range(TOKENS):
        left -= tokens >> token & 1
        if left < 0:
            break
    return token


LONG = 1 << 40  # more rolls than any game has


@jit
def finish(track, state, most=LONG):
    """Play at random to the end, a roll that waits included, for so many rolls at most.

    Return how many rolls it took.
    """
    rolls = 0
    while state.winner < 0 and (rolls < most or state.die > 0):
        if state.die == 0:
            state.die = 1 + random_below(state, 6)
            rolls += 1
        tokens = movable(track, state)
        if tokens:
            move_token(track, state, random_token(state, tokens))
        else:
            end_turn(track, state, False)
    return rolls


# by Search · the tree, and the choice of a token
NODE_COUNTS = [
    ("N", np.int32),  # visits
    ("W", np.float64, SEATS),  # playouts that each player has won
    ("child", np.int32, 6),  # index by token 0 to 3, or by die less one; 0: none yet
]
TWIG = np.dtype(NODE_COUNTS, align=True)


class LudoSearch(NamedTuple):
    """How a search selects and evaluates; the defaults are plain UCT."""

    c: float = 0.5  # weight of sqrt(ln N / n)
    c_sigma: float = 0.0  # weight of sqrt(ln N) times the standard deviation of a belief
    beliefs: bool = False  # True: nodes hold beliefs; see the appendix
    cut: int = 0  # rolls after which a playout ends and is judged by the rule; 0: none
    scale: float = 150.0  # points of the rule for which a win is e times as likely
    weights: Weights = MENDED  # of the rule that judges


@jit
def untried(tree, node, tokens):
    """Return those tokens of a set that have no node yet."""
    for token in range(TOKENS):
        if tree[node].child[token] > 0:
            tokens &= ~(1 << token)
    return tokens


@jit
def select_token(tree, node, state, tokens, options):
    """Return the token to try at a choice: one without a node, else the best by UCT."""
    fresh = untried(tree, node, tokens)
    if fresh:
        return random_token(state, fresh)
    exploration, best, chosen = options.c * math.sqrt(math.log(tree[node].N)), -1.0, 0
    for token in range(TOKENS):
        if tokens >> token & 1:
            child = tree[node].child[token]
            visits = tree[child].N
            score = tree[child].W[state.to_move] / visits + exploration / math.sqrt(visits)
            if score > best:
                best, chosen = score, token
    return chosen


# by Search · a playout and what it brings
@jit
def play_out(track, state, rewards, options):
    """Play at random to the end, or for options.cut rolls; set each player's reward."""
    finish(track, state, options.cut if options.cut > 0 else LONG)
    rewards[:] = 0.0
    if state.winner >= 0:
        rewards[state.winner] = 1.0
    else:
        judge_ludo(track, state, rewards, options)


@jit
def judge_ludo(track, state, rewards, options):
    """Share the win by the rule: in proportion to exp(value / scale)."""
    most, total = -np.inf, 0.0
    for player in range(track.players):
        value = evaluate_ludo(track, state, player, options.weights)
        rewards[player] = value / options.scale
        most = max(most, rewards[player])
    for player in range(track.players):
        rewards[player] = math.exp(rewards[player] - most)
        total += rewards[player]
    for player in range(track.players):
        rewards[player] /= total


@jit
def add_rewards(tree, node, rewards):
    """Credit a node with one playout."""
    tree[node].N += 1
    for player in range(SEATS):
        tree[node].W[player] += rewards[player]


# by Search · the search
@lru_cache
def build_ludo_search(select, backpropagate_to):
    """Return search(track, root, state, tree, path, rewards, options, simulations).

    It fills the tree from a position whose die is rolled.
    root, state   STATE records: the position, and scratch whose `random` makes all chance
    tree      records like TWIG[simulations + 1], zeros; path   int32[simulations + 2]
    rewards   float64[4], scratch
    select, backpropagate_to   kernels like select_token, add_rewards
    Source: Kocsis and Szepesvári 2006; a reward for each player as in max^n.
    """

    def search_ludo(track, root, state, tree, path, rewards, options, simulations):
        used = 1
        for _ in range(simulations):
            copy_state(root, state)
            node, depth, fresh = 0, 0, False
            path[0] = 0
            while state.winner < 0 and not fresh:
                if state.die == 0:
                    slot = random_below(state, 6)
                    state.die = slot + 1
                else:
                    tokens = different(state, movable(track, state))
                    if tokens == 0:
                        end_turn(track, state, False)
                        continue  # the node's children are the next rolls
                    slot = select(tree, node, state, tokens, options)
                    move_token(track, state, slot)
                child = np.int64(tree[node].child[slot])
                if child == 0:
                    child, fresh = used, True
                    tree[node].child[slot] = used
                    used += 1
                node, depth = child, depth + 1
                path[depth] = node
            play_out(track, state, rewards, options)
            for i in range(depth, -1, -1):
                backpropagate_to(tree, path[i], rewards)

    return jit(search_ludo)


# by Search · the result of a search
class LudoThought(NamedTuple):
    """What a search found; arrays hold tokens 1 to 4 in order."""

    move: int  # the token, 1 to 4
    visits: np.ndarray  # int64[4]; 0 for a token that need not be tried
    values: np.ndarray  # float64[4], share of playouts won by the player to move; NaN: none
    chances: np.ndarray  # float64[players], share of all playouts that each player won
    simulations: int  # 0 where there was only one choice


def token_words(thought: LudoThought) -> str:
    """Return the share of playouts won after each token that was tried."""
    tried = [i for i in range(TOKENS) if thought.visits[i]]
    return ", ".join(f"token {i + 1} {thought.values[i]:.0%}" for i in tried)


def check_search(simulations: int, options: LudoSearch) -> tuple[int, LudoSearch]:
    """Return both as plain numbers; ValueError unless a search can depend on them."""
    most = five.search.MOST_VISITS
    simulations = check_number("simulations", simulations, 1, most, whole=True)
    if not isinstance(options, LudoSearch):
        raise ValueError(f"options must be LudoSearch, not {quoted(options)}")
    return simulations, LudoSearch(
        c=check_number("c", options.c, 0, 10**9),
        c_sigma=check_number("c_sigma", options.c_sigma, 0, 10**9),
        beliefs=check_switch("beliefs", options.beliefs),
        cut=check_number("cut", options.cut, 0, 10**9, whole=True),
        scale=check_number("scale", options.scale, 0.001, 10**9),
        weights=check_weights(options.weights),
    )


# by Search · think about a roll, and the player that does
def think_ludo(game: Ludo, *, simulations=400, seed=2024, c=0.5, options: LudoSearch = None):
    """Return the LudoThought of a search with so many simulations; the game is left as it was.

    options   LudoSearch, in place of c
    Raises ValueError where no roll waits for a move, and for a bad budget, option or seed.
    """
    choices, players = check_choice(game).legal(once=True), game.rules.players
    options = LudoSearch(c) if options is None else options
    simulations, options = check_search(simulations, options)
    seed, unknown = check_seed(seed), np.full(TOKENS, np.nan)
    if len(choices) == 1:
        return LudoThought(choices[0], np.zeros(TOKENS, int), unknown, unknown[:players], 0)
    tree = ludo_tree(game, simulations, seed, options)
    children, values = tree[0]["child"][:TOKENS], unknown
    visits = np.where(children > 0, tree["N"][children], 0).astype(np.int64)
    tried = visits > 0
    values[tried] = tree["W"][children[tried], game.to_move] / visits[tried]
    chances = tree[0]["W"][:players] / simulations
    return LudoThought(int(visits.argmax()) + 1, visits, values, chances, simulations)


def ludo_tree(game: Ludo, simulations: int, seed: int, options: LudoSearch) -> np.ndarray:
    """Return the tree that a search has filled, its root first."""
    kind, kernels = TWIG, (select_token, add_rewards)
    if options.beliefs:
        kind, kernels = BELIEF_TWIG, (select_believed, build_believe())
        if game.rules.players > 2:
            kind, kernels = PARTY_TWIG, (select_in_party, build_party(game.rules.players))
    state = new_state()
    state.random = np.uint64(seed)
    tree, path = np.zeros(simulations + 1, kind), np.zeros(simulations + 2, np.int32)
    scratch = state, tree, path, np.zeros(SEATS)
    build_ludo_search(*kernels)(game.track, game.state, *scratch, options, simulations)
    return tree


def ludo_mcts(*, simulations: int = 400, c: float = 0.5, options: LudoSearch | None = None):
    """Return a player: the most visited token after so many simulations for each choice.

    options   LudoSearch, in place of c
    Raises ValueError for a bad budget or option.
    """
    plain = options is None
    simulations, options = check_search(simulations, LudoSearch(c) if plain else options)
    words = f"c={options.c}" if plain else f"options={changed_fields(options)}"

    def play(game: Ludo, seed: int | None = None) -> LudoThought:
        own = own_seed(seed)
        return think_ludo(game, simulations=simulations, seed=own, options=options)

    name = "ludo_mcts.play" if plain else "ludo_searcher.play"  # as in the stored files
    return with_settings(play, f"{name}({words}, simulations={simulations})")


# by Experiments · the agents of the matches, with their budgets
AHEAD = 2  # rolls that expectiminimax, max^n and paranoid look ahead
TWO_SIMULATIONS, FOUR_SIMULATIONS = 1_000, 400  # a choice, with two and with four players


def pair_agents(simulations: int = TWO_SIMULATIONS) -> dict:
    """Return {name: player} of the agents for two players."""
    return {
        "random": random_ludo,
        "rule as printed": rule_based(AS_PRINTED),
        "rule-based": rule_based(),
        "expectiminimax": looker(AHEAD),
        "MCTS": ludo_mcts(simulations=simulations),
    }


def four_agents(simulations: int = FOUR_SIMULATIONS) -> dict:
    """Return {name: player} of the agents for four players."""
    return {
        "random": random_ludo,
        "max^n": looker(AHEAD, selfish=True),
        "MCTS": ludo_mcts(simulations=simulations),
        "rule-based": rule_based(),
    }


AGENT_NAMES = {  # what an agent of the tables is called on the page
    "rule as printed": "printed rule",
    "rule-based": "mended rule",
    "minimax as printed": "plain minimax",
    "expectiminimax as printed": "expectiminimax",
}


# ---- 3. Play --------------------------------------------------------------------------------


# by Interface · a game with the thoughts of a player
def recorded_ludo(agents: list, rules: LudoRules, seed: int) -> tuple[Ludo, dict]:
    """Return (game, {index of the roll: LudoThought}); player i moves by agents[i]."""
    game, thoughts, rng = Ludo(rules), {}, random.Random(seed)
    while not game.over:
        if not game.roll(rng.randint(1, 6)):
            continue
        answer = agents[game.to_move](game.copy(), rng.getrandbits(32))
        if getattr(answer, "simulations", 0):
            thoughts[len(game.record)] = answer
        game.move(getattr(answer, "move", answer))
    return game, thoughts


# ---- 4. Two players -------------------------------------------------------------------------


# by Experiments · one game of a match, and a match
def dice_of(seed: int, turn: int, seat: int):
    """Yield the rolls of a seat in a round, without end."""
    rng = np.random.default_rng([seed, turn, seat])
    while True:
        yield from rng.integers(1, 7, 128).tolist()


def play_until_home(players: dict, seats: list, game: Ludo, dice: list, rng) -> None:
    """Play on until somebody is home; ValueError names a player that fails."""
    while not game.over:
        if not game.roll(next(dice[game.to_move])):
            continue
        choices, name = game.legal(once=True), seats[game.to_move]
        try:
            answer = choices[0]
            if len(choices) > 1:
                answer = players[name](game.copy(), int(rng.integers(2**62)))
            game.move(getattr(answer, "move", answer))
        except Exception as error:
            number = len(game.record) + 1
            raise ValueError(f"player {name} failed at roll {number}: {error}") from error


def ludo_game(players: dict, rules: LudoRules, first: int, dice: list, seed, places=False):
    """Play one game and return its row.

    players   {name: player}, in the order round the table; the one with index `first` begins
    dice      an iterator of rolls for each seat; seed   of the players' chance
    places    True: the others play on, and "order" names who came home, one after another
    """
    names, game, rng = list(players), Ludo(rules), np.random.default_rng(seed)
    seats = names[first:] + names[:first]
    play_until_home(players, seats, game, dice, rng)
    home, rolls, pips = [seats[game.winner]], len(game.record), []
    for name in names:
        rolled = [die for seat, die, _ in game.record if seats[seat] == name]
        pips.append(f"{np.mean(rolled or [3.5]):.3f}")
    row = {"first": seats[0], "winner": home[0], "rolls": rolls, "pips": " ".join(pips)}
    if places:
        while len(home) < len(seats) - 1:
            game.state.winner = -1  # who is home has no token to move, so the turn passes on
            play_until_home(players, seats, game, dice, rng)
            home.append(seats[game.winner])
        row["order"] = " / ".join(home + [name for name in names if name not in home])
    return row


def match_settings(players: dict, rules: LudoRules, seed: int) -> str:
    """Return what the games of a match depend on, as the first line of its file tells it."""
    described = {}
    for name, player in players.items():
        usual = getattr(player, "__name__", "player")
        described[name] = getattr(player, "settings", usual)
    words = str(rules).replace(", forced_exit=False", "")  # as in files older than that rule
    return f"{described}; {words}; seed {seed}"


def play_ludo_match(
    players: dict,
    games: int,
    rules: LudoRules,
    seed: int = 1,
    jobs: int = 1,
    path: Path | str | None = None,
    progress: bool = False,
    places: bool = False,
):
    """Return a pandas table, one row a game; attrs holds games, wins and settings.

    players   {name: player} in the order round the table, as many as the rules say
    games     a multiple of the number of players: in each round everybody begins once
    jobs, path, progress   as in five.strength.play_match
    places    True: each game is played on until one is left; see ludo_game
    Raises ValueError for another number of players or games, or a file of another match.
    """
    import pandas as pd

    if not isinstance(players, dict) or not all(map(callable, players.values())):
        raise ValueError(f"players must be {{name: player}}, not {quoted(players)}")
    if len(players) != check_ludo(rules).players:
        raise ValueError(f"these rules are for {rules.players} players, not {len(players)}")
    if check_number("games", games, 1, 10**6, whole=True) % len(players):
        raise ValueError(f"games come in rounds of {len(players)}: {games!r} is no multiple")
    settings = match_settings(players, rules, check_seed(seed))
    columns = ["first", "winner", "rolls", "pips"] + ["order"] * places
    rows = {} if path is None else five.strength.read_match(Path(path), settings, columns)

    def play(number: int) -> tuple[int, dict]:
        turn, first = divmod(number, len(players))
        dice = [dice_of(seed, turn, seat) for seat in range(len(players))]
        return number, ludo_game(players, rules, first, dice, [seed, number, 99], places)

    missing = [number for number in range(games) if number not in rows]
    for number, row in five.strength.in_parallel(play, missing, jobs, progress):
        rows[number] = row
        if path is not None:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(",".join(map(str, [number, *map(row.get, columns)])) + "\n")
    table = pd.DataFrame([rows[number] for number in range(games)], columns=columns)
    table["rolls"] = table["rolls"].astype(int)
    wins = {name: int((table.winner == name).sum()) for name in players}
    table.attrs = {"games": games, "wins": wins, "settings": settings}
    return table


# by Experiments · a table as it was stored, and how its shares compare
def stored_ludo(name: str, shown: dict = AGENT_NAMES):
    """Return a table of an experiment; FileNotFoundError says how to make it.

    shown   {name of a player in the table: its name on the page}
    """
    if (table := five.strength.read_results(name)) is None:
        path = f"experiments/results/{name}.csv"
        raise FileNotFoundError(f"{path} is not here: python -m experiments {name} makes it")
    return on_page(table, shown)


def on_page(table, shown: dict = AGENT_NAMES):
    """Return a table with the names of players as they are on the page."""
    return table.replace({rf"\b{old}\b": new for old, new in shown.items()}, regex=True)


def tuned_ludo(name: str):
    """Return a table of pairs, those of MCTS from ludo-tuned; verdicts anew."""
    import pandas as pd

    table, tuned = (stored_ludo(each, {}) for each in (name, "ludo-tuned"))
    keys = ["ring", "a", "b"] + ["forced"] * ("forced" in table)
    tuned = tuned if "forced" in table else tuned[~tuned.forced]
    table = pd.concat([table[table.a != "MCTS"], tuned.merge(table[keys])])
    return on_page(five.strength.with_intervals(table))


def made_ludo(table) -> str:
    """Return when and with what a table was made, the end of a sentence."""
    made = f"{five.strength.table_made(table)}; seed 1"
    if "seed" in table:
        tuned = table[table.seed == 2]
        made += f"; with MCTS {five.strength.table_made(tuned)}, "
        made += f"c = {tuned.c.iloc[0]:g}; seed 2"
    return made


def by_chance(won: float, games: int, other_won: float, other_games: int) -> float:
    """Return how likely so large a difference of two shares is if the true ones are equal."""
    both = (won + other_won) / (games + other_games)
    spread = math.sqrt(max(1e-12, both * (1 - both) * (1 / games + 1 / other_games)))
    z = (won / games - other_won / other_games) / spread
    return math.erfc(abs(z) / math.sqrt(2))


def off_share(won: int, games: int, share: float) -> float:
    """Return how likely a count at least as far from a given share is, if that is true."""
    z = (won - games * share) / math.sqrt(games * share * (1 - share))
    return math.erfc(abs(z) / math.sqrt(2))


def share_words(won: float, games: int) -> str:
    """Return a share in per cent with its interval."""
    low, high = five.strength.wilson(won, games)
    return f"{won / games:.1%} ({100 * low:.1f}–{100 * high:.1f})"


def payoff(table, ring: int):
    """Return (names, float[n, n] wins of the row as shares; NaN on the diagonal)."""
    rows = table[table.ring == ring]
    names = list(dict.fromkeys([*rows.b, *rows.a]))
    shares = np.full((len(names), len(names)), np.nan)
    for row in rows.itertuples():
        i, j = names.index(row.a), names.index(row.b)
        shares[i, j], shares[j, i] = row.won / row.games, 1 - row.won / row.games
    order = np.argsort(np.nanmean(shares, axis=1))
    return [names[i] for i in order], shares[np.ix_(order, order)]


def round_error(row) -> float:
    """Return the standard error of a share of wins, counted by rounds of two games."""
    rounds, share = row["games"] / 2, row["won"] / row["games"]
    halves = rounds - row["pairs won"] - row["pairs lost"]
    return math.sqrt(max(0.0, (row["pairs won"] + halves / 4) / rounds - share**2) / rounds)


def drawn_distances(shares, errors, source, games: int, runs: int, seed: int = 1):
    """Return float[runs, tables], mean distances of cells in points, all shares drawn anew.

    shares, errors   float[tables, cells], ours; source   float[cells], or one row a table
    games            behind each share of the source
    """
    rng, source = np.random.default_rng(seed), np.atleast_2d(source)
    ours = rng.normal(shares, errors, (runs, *shares.shape))
    theirs = rng.binomial(games, source, (runs, *source.shape)) / games
    return 100 * np.abs(ours - theirs).mean(axis=2)


def distance_bounds(distances, shares, errors, source, games: int, runs: int):
    """Return (float[tables], float[tables]), bounds of mean distances, 95 % of both shares.

    Noise lifts a mean of absolute distances, by what drawing once more adds to it: below the
    interval allows for that. Arguments as drawn_distances.
    """
    drawn = drawn_distances(shares, errors, source, games, runs)
    lift, wide = drawn.mean(axis=0) - distances, 1.96 * drawn.std(axis=0)
    return np.maximum(0.0, distances - lift - wide), distances + wide


# ---- 6. Luck --------------------------------------------------------------------------------


# by Experiments · until the better player is ahead
def chance_ahead(games: int, p: float) -> float:
    """Return how likely a player who wins a share p is ahead after an odd number of games."""
    k = np.arange(games // 2 + 1, games + 1)
    logs = five.strength.ways(games)[k] + k * math.log(p) + (games - k) * math.log(1 - p)
    return float(np.exp(logs).sum())


def games_ahead(p: float, certain: float = 0.95, most: int = 99_999) -> int | None:
    """Return the smallest odd number of games after which chance_ahead is that certain.

    None where it is more than `most`. ValueError unless 1/2 < p < 1.
    """
    if not 0.5 < p < 1:
        raise ValueError(f"the better player wins more than half and less than all, not {p}")
    counts = range(1, most + 1, 2)  # the chance rises with the games
    place = bisect.bisect_left(counts, certain, key=lambda games: chance_ahead(games, p))
    return counts[place] if place < len(counts) else None


# by Experiments · a player that looks ahead in one kind of choice and elsewhere plays the rule
def split_looker(in_ties: bool):
    """Return a player: expectiminimax in one kind of choice, the mended rule in the other.

    in_ties   True: where the rule finds none better than expectiminimax's; False: elsewhere
    """

    def play(game: Ludo, seed: int | None = None) -> int:
        seed = own_seed(seed)
        by_rule, values = look_ahead(game, 0, False, MENDED, seed)
        ahead, _ = look_ahead(game, AHEAD, False, MENDED, seed)
        tie = np.nanmax(values) - values[ahead - 1] < 1e-9
        return ahead if tie == in_ties else by_rule

    return with_settings(play, f"split_looker.play({in_ties=})")


# ---- 8. Appendix ----------------------------------------------------------------------------


# by Experiments · wins by dice
def by_luck(table, name: str, groups: int = 5) -> dict:
    """Return what the dice say of a two-player match, from the view of one player.

    "edges"   float[groups]: mean difference of pips a roll; "wins", "games": counts of each
    "luckier"   (games that the luckier player won, of how many); "better"   share of `name`
    """
    pips = np.array([list(map(float, text.split())) for text in table.pips])
    own = list(table.attrs["wins"]).index(name)
    more, won = pips[:, own] - pips[:, 1 - own], (table.winner == name).to_numpy()
    parts = np.array_split(np.argsort(more, kind="stable"), groups)
    return {
        "edges": np.array([more[part].mean() for part in parts]),
        "wins": np.array([won[part].sum() for part in parts]),
        "games": np.array([len(part) for part in parts]),
        "luckier": (int(((more > 0) == won)[more != 0].sum()), int((more != 0).sum())),
        "better": float(won.mean()),
    }


# by Search · nodes with beliefs, and what a node believes after each playout
BELIEF_TWIG = np.dtype(  # its own fields first: numba takes a record for one it begins like
    [
        ("mu", np.float64),  # of player 0's share of wins
        ("sigma", np.float64),
        ("kind", np.int64),  # 1, 2: a choice of player 0, 1, all tried; 3: not yet; 0: else
        *NODE_COUNTS,
    ],
    align=True,
)
BAYES_LUDO = {
    "Bayes-UCT1": LudoSearch(c=math.sqrt(2), beliefs=True),
    "Bayes-UCT2": LudoSearch(c=0.0, c_sigma=math.sqrt(2), beliefs=True),
}


@jit
def select_believed(tree, node, state, tokens, options):
    """Return the token to try at a choice: one without a node, else the best by Bayes-UCT."""
    fresh = untried(tree, node, tokens)
    if fresh:
        tree[node].kind = 3
        return random_token(state, fresh)
    tree[node].kind = 1 + state.to_move
    exploration, best, chosen = math.sqrt(math.log(tree[node].N)), -np.inf, 0
    for token in range(TOKENS):
        if tokens >> token & 1:
            child = tree[tree[node].child[token]]
            mean = child.mu if state.to_move == 0 else 1 - child.mu
            bonus = options.c / math.sqrt(child.N) + options.c_sigma * child.sigma
            if mean + exploration * bonus > best:
                best, chosen = mean + exploration * bonus, token
    return chosen


@lru_cache
def build_believe():
    """Return believe(tree, node, rewards): credit a node and renew its belief."""
    from five_in_a_row.bayes import beta_belief, clark

    @inline_kernel
    def believe(tree, node, rewards):
        add_rewards(tree, node, rewards)
        twig, known, mu, variance, sigma = tree[node], 0, 0.0, 0.0, 0.0
        sign = -1 if twig.kind == 2 else 1  # the minimum is less the maximum of the negative
        for slot in range(6):
            if twig.child[slot] > 0:
                child, known = tree[twig.child[slot]], known + 1
                if twig.kind == 0:
                    mu += child.mu / 6
                    variance += child.sigma * child.sigma / 36
                elif known == 1:
                    mu, sigma = sign * child.mu, child.sigma
                else:
                    mu, sigma = clark(mu, sigma, sign * child.mu, child.sigma)
        if twig.kind == 0 and known == 6:
            twig.mu, twig.sigma = mu, math.sqrt(variance)
        elif 1 <= twig.kind <= 2:
            twig.mu, twig.sigma = sign * mu, sigma
        else:
            twig.mu, twig.sigma = beta_belief(twig.W[0], twig.N)

    return believe


# by Search · beliefs of three or four players
PARTY_TWIG = np.dtype(  # the same for each player; kind 1 to 4: whose choice, -1: not yet
    [
        ("mu", np.float64, SEATS),
        ("sigma", np.float64, SEATS),
        ("kind", np.int64),
        *NODE_COUNTS,
    ],
    align=True,
)


@jit
def select_in_party(tree, node, state, tokens, options):
    """Return the token to try: one without a node, else the mover's best by Bayes-UCT."""
    fresh, me = untried(tree, node, tokens), state.to_move
    if fresh:
        tree[node].kind = -1
        return random_token(state, fresh)
    tree[node].kind = 1 + me
    exploration, best, chosen = math.sqrt(math.log(tree[node].N)), -np.inf, 0
    for token in range(TOKENS):
        if tokens >> token & 1:
            child = tree[tree[node].child[token]]
            bonus = options.c / math.sqrt(child.N) + options.c_sigma * child.sigma[me]
            if child.mu[me] + exploration * bonus > best:
                best, chosen = child.mu[me] + exploration * bonus, token
    return chosen


@jit
def chance_greater(mu1, sigma1, mu2, sigma2):
    """Return how likely the first of two normal variables is the greater one."""
    spread = math.sqrt(sigma1 * sigma1 + sigma2 * sigma2)
    return 0.5 * math.erfc((mu2 - mu1) / max(spread, 1e-12) / math.sqrt(2))


@lru_cache
def build_party(players: int):
    """Return believe(tree, node, rewards) of build_believe for so many players."""
    from five_in_a_row.bayes import clark

    @inline_kernel
    def choose_between(tree, node):
        """Set the beliefs of a choice: the mover's best child, as likely as each is it."""
        twig, me, known, rest = tree[node], tree[node].kind - 1, 0, 0.0
        for slot in range(TOKENS):
            if twig.child[slot] == 0:
                continue
            child, known, taken = tree[twig.child[slot]], known + 1, 1.0
            best, unsure = child.mu[me], child.sigma[me]
            if known > 1:
                taken = chance_greater(best, unsure, twig.mu[me], twig.sigma[me])
                best, unsure = clark(twig.mu[me], twig.sigma[me], best, unsure)
            twig.mu[me], twig.sigma[me] = best, unsure
            for player in range(players):
                if player == me:
                    continue
                mu, sigma = child.mu[player], child.sigma[player]
                old = (1 - taken) * (twig.sigma[player] ** 2 + twig.mu[player] ** 2)
                second = old + taken * (sigma * sigma + mu * mu)
                mean = (1 - taken) * twig.mu[player] + taken * mu
                twig.mu[player] = mean
                twig.sigma[player] = math.sqrt(max(0.0, second - mean * mean))
        for player in range(players):
            rest += twig.mu[player] * (player != me)
        for player in range(players):  # together they win once
            if player != me:
                twig.mu[player] *= (1 - twig.mu[me]) / rest

    @inline_kernel
    def believe(tree, node, rewards):
        add_rewards(tree, node, rewards)
        twig, known = tree[node], 0
        for slot in range(6):
            known += twig.child[slot] > 0
        if twig.kind > 0:
            choose_between(tree, node)
            return
        for player in range(players):
            if twig.kind == 0 and known == 6:
                mu, variance = 0.0, 0.0
                for slot in range(6):
                    child = tree[twig.child[slot]]
                    mu += child.mu[player] / 6
                    variance += child.sigma[player] ** 2 / 36
            else:  # before any game each of them is as likely to win
                total = players + twig.N
                mu = (1 + twig.W[player]) / total
                variance = mu * (1 - mu) / (total + 1)
            twig.mu[player], twig.sigma[player] = mu, math.sqrt(variance)

    return believe


# by Experiments · aggressive, defensive, balanced; the equilibrium of a symmetric game
TEMPERS = {
    "aggressive": MENDED._replace(near=0.5, behind=0.0),
    "defensive": MENDED._replace(near=0.0, behind=0.5),
    "balanced": MENDED,
}


def equilibrium(shares: np.ndarray) -> np.ndarray:
    """Return the mix, float[n], against which no agent wins more than half.

    shares   float[n, n]: the row's share of wins, the mirror cells adding up to 1; the
             diagonal counts as 1/2. Of several mixes one with the fewest agents is returned.
    Source: Nash, Annals of Mathematics, 1951; by trying each support.
    """
    n = len(shares)
    payoffs = np.where(np.eye(n, dtype=bool), 0.5, shares)
    for size in range(1, n + 1):
        for chosen in map(list, itertools.combinations(range(n), size)):
            equations = np.ones((size + 1, size + 1))  # the same score for all, and sum 1
            equations[:size, :size] = payoffs[np.ix_(chosen, chosen)]
            equations[:size, size], equations[size, size] = -1, 0
            if abs(np.linalg.det(equations)) < 1e-12:
                continue
            mix = np.zeros(n)
            mix[chosen] = np.linalg.solve(equations, [0] * size + [1])[:size]
            if mix.min() > -1e-9 and (payoffs @ mix).max() < 0.5 + 1e-9:
                return mix
    raise ValueError("shares must be a square of numbers whose mirror cells add up to 1")


# by Experiments · does it matter who sits next, to each and to the three of the claim?
def next_player(order: tuple, agent: str) -> str:
    """Return who moves after an agent."""
    return order[(order.index(agent) + 1) % len(order)]


def next_chance(wins, games) -> float:
    """Return how likely wins as uneven as these are if the true shares are equal; 3 groups.

    Exact: of all ways to spread so many wins, those that are no likelier than this one.
    Source: Freeman and Halton, Biometrika, 1951.
    """
    if len(wins) != 3 or len(games) != 3:
        raise ValueError("the test is for three groups: the three who may sit next")
    wins, games = [round(won) for won in wins], [int(count) for count in games]
    first = np.arange(min(sum(wins), games[0]) + 1)[:, None]
    second = np.arange(min(sum(wins), games[1]) + 1)
    third = sum(wins) - first - second
    fits = (third >= 0) & (third <= games[2])
    logs = five.strength.ways(games[0])[first] + five.strength.ways(games[1])[second]
    logs = np.where(
        fits, logs + five.strength.ways(games[2])[np.where(fits, third, 0)], -np.inf
    )
    chances = np.exp(logs - logs.max())
    found = chances[wins[0], wins[1]]
    return float(chances[chances <= found * (1 + 1e-9)].sum() / chances.sum())


def shortfall(shares: np.ndarray, seatings: list, agents: list, feared: str) -> np.ndarray:
    """Return how much less the others win before one agent, summed.

    shares   float[..., seatings, agents]
    """
    total = np.zeros(shares.shape[:-2])
    for column, agent in enumerate(agents):
        if agent != feared:
            precedes = np.array([next_player(order, agent) == feared for order in seatings])
            own = shares[..., column]
            total += own[..., ~precedes].mean(-1) - own[..., precedes].mean(-1)
    return total


def claim_chance(table: dict, games: int, feared: str, runs: int, seed: int = 1):
    """Return (shortfall, how likely one as large is if the neighbour plays no part).

    table   {seating: {agent: share of wins, 0...1}}; games a seating; one-sided, by sampling
    """
    seatings, agents = list(table), list(next(iter(table.values())))
    found = np.array([[table[order][agent] for agent in agents] for order in seatings])
    means = found.mean(axis=0) / found.mean(axis=0).sum()
    drawn = np.random.default_rng(seed).multinomial(games, means, (runs, len(seatings)))
    observed = float(shortfall(found, seatings, agents, feared))
    sampled = shortfall(drawn / games, seatings, agents, feared)
    return observed, (1 + int((sampled >= observed - 1e-12).sum())) / (1 + runs)


def by_neighbour(table: dict, games: int) -> dict:
    """Return {agent: {who sits next: (games won, games)}}; table and games as claim_chance."""
    counts: dict = {}
    for order, shares in table.items():
        for agent, share in shares.items():
            cells, other = counts.setdefault(agent, {}), next_player(order, agent)
            won, played = cells.get(other, (0, 0))
            cells[other] = won + share * games, played + games
    return counts


# by Heuristics · pacts
def allied(*distances: int, until: int = TOKENS, leader: bool = False):
    """Return the rule-based player who looks past the players so many seats on.

    until    the pact ends when one of its members has so many tokens at home
    leader   True: it holds only while somebody outside it has walked furthest
    """
    rule = rule_based()

    def play(game: Ludo, seed: int | None = None) -> int:
        count, goal = game.rules.players, game.rules.goal
        friends = [(game.to_move + distance) % count for distance in distances]
        members, steps = [game.to_move, *friends], game.steps
        holds = (steps[members] == goal).sum(axis=1).max() < until
        if leader:
            holds = holds and int(steps.sum(axis=1).argmax()) not in members
        seen = game.copy()
        if holds:
            seen.state.at[friends] = 0  # in the yard a token is neither prey nor threat
        return rule(seen, seed)

    plain = len(distances) == 1 and until == TOKENS and not leader
    words = f"distance={distances[0]}" if plain else f"{distances=}, {until=}, {leader=}"
    return with_settings(play, f"allied.play({words}, rule={rule.settings})")

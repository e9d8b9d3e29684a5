"""Nonsense in place of any argument: one ValueError that names it, and nothing is changed."""

import math
import re

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row import (
    connect_four,
    connect_grid,
    connect_report,
    connect_solver,
    ludo,
    search,
    tic_tac_toe,
)
from five_in_a_row.search import SearchOptions

NONSENSE = {
    "None": None,
    "text": "5",
    "True": True,
    "half": 1.5,
    "NaN": math.nan,
    "infinity": math.inf,
    "minus one": -1,
    "beyond floats": 10**400,
    "a time": np.timedelta64(1, "s"),
    "an array": np.array([1, 2]),
    "an object": object(),
    "long text": "x" * 10_000,
    "lines": "d4\nsize: 8\x1b[31m\ud800",
}


# -- what makes sense, by kind of argument -------------------------------------------------
def whole(least, most=math.inf, none=False):
    """Return a test: is a value a whole number in these limits, or None where that will do?"""

    def makes_sense(value):
        number = isinstance(value, int | np.integer) and not isinstance(value, bool)
        number = number and not isinstance(value, np.timedelta64)
        return (none and value is None) or (number and least <= value <= most)

    return makes_sense


def number(least, most=math.inf, none=False):
    """Return a test: is a value a number in these limits?"""

    def makes_sense(value):
        real = isinstance(value, float | np.floating) and bool(least <= value <= most)
        return real or whole(least, most, none)(value)

    return makes_sense


def switch(value):
    return isinstance(value, bool | np.bool_)


def nothing(value):
    """None alone will do."""
    return value is None


def never(value):
    return False


def function(value):
    return value is None or callable(value)


SEED, LEVEL = whole(0, 2**63 - 1), whole(1, 10, none=True)
OF_SEED = whole(0, 2**63 - 1, none=True)  # None: that of the options
BUDGET = {"seconds": number(0, none=True), "simulations": whole(0, none=True)}
HOW = BUDGET | {"seed": OF_SEED, "level": LEVEL, "options": never, "on_progress": function}
HOW |= {"tree": nothing, "stop": nothing, "clock": callable}


def some_game():
    """Return a game with a move to take back and one to play again."""
    game = five.game.Game.from_text("d4 e5 d5 e4")
    game.undo()
    return game


def rolled():
    """Return a game of Ludo in which two tokens may move."""
    game = ludo.set_up([[3, 9, 0, 0], [9, 0, 0, 0]], rules=ludo.LudoRules(2))
    game.roll(2)
    return game


def asked(function, **usual):
    """Return call(name, value): the function with usual arguments, but for one."""
    return lambda name, value: function(**usual | {name: value})


def from_options(name, value):
    return five.think(some_game(), simulations=5, options=SearchOptions(**{name: value}))


def option(name):
    """Return what makes sense for an option, by the type of its default and its bounds."""
    usual = getattr(SearchOptions(), name)
    if isinstance(usual, bool):
        return switch
    kind = whole if isinstance(usual, int) else number
    return kind(*search.RANGES[name])


def of_tuple(kind, use):
    """Return call(name, value): use(kind) with one field that is not usual."""
    return lambda name, value: use(kind(**{name: value}))


MATCH = {"games": never, "rules": never, "openings": nothing, "seed": SEED, "progress": switch}
MATCH |= {"a": never, "b": never, "jobs": whole(1, 1000)}
MATCH |= {"path": lambda value: value is None or isinstance(value, str)}
RECORD = {"size": whole(3, 20), "seconds": number(0, 3600), "human": never, "level": LEVEL}
RECORD |= {"rules": nothing, "opponent": lambda value: isinstance(value, str)}
player = five.mcts.RandomPlayer()

CALLS = {  # name: (call(argument, value), {argument: what makes sense})
    "SearchOptions": (from_options, {name: option(name) for name in SearchOptions._fields}),
    "think": (asked(five.think, game=some_game(), simulations=5), HOW | {"game": never}),
    "EnginePlayer": (
        asked(five.EnginePlayer),
        BUDGET | {"level": LEVEL, "options": never, "reuse": switch},
    ),
    "PlainUCT": (asked(five.PlainUCT), BUDGET | {"c": number(0, 10**9)}),
    "play_match": (asked(five.play_match, a=player, b=player, games=2), MATCH),
    "Rules": (
        of_tuple(five.game.Rules, five.game.Game),
        {"size": whole(3, 20), "in_a_row": whole(3, 8), "rows": whole(3, 20, none=True)}
        | {"gravity": switch},
    ),
    "Game": (asked(five.game.Game), {"rules": never}),
    "from_text": (
        asked(five.game.Game.from_text, text="d4"),
        {"text": lambda value: isinstance(value, str), "size": whole(4, 20), "rules": nothing},
    ),
    "from_array": (
        asked(five.game.Game.from_array, array=np.zeros((8, 8)), to_move=1),
        {"to_move": lambda value: whole(-1, -1)(value), "rules": nothing},
    ),
    "go_to": (asked(some_game().go_to), {"count": whole(-math.inf)}),
    "new_record": (asked(five.window.new_record), RECORD),
    "GameRecord": (
        asked(five.window.GameRecord, game=some_game()),
        BUDGET | {"game": never, "seed": SEED, "level": LEVEL},
    ),
    "play": (
        asked(five.window.play, opponents={"mine": five.heuristics.mine}),
        RECORD | {"opponents": never, "opponent": nothing},
    ),
    "plain_search": (
        asked(five.mcts.plain_search, game=some_game(), simulations=5),
        BUDGET
        | {"game": never, "seed": OF_SEED, "on_progress": function, "stop": nothing}
        | {"moves": function, "select": function, "score": function},
    ),
    "four_rules": (asked(connect_grid.four_rules), {"rows": whole(3), "columns": whole(3)}),
    "perfect_move": (
        asked(connect_solver.perfect_move, game=five.game.Game(connect_grid.four_rules())),
        HOW | {"game": never},
    ),
    "think_ludo": (
        asked(ludo.think_ludo, game=rolled(), simulations=5),
        {"game": never, "simulations": whole(1, 2**25), "seed": SEED, "c": number(0, 10**9)}
        | {"options": nothing},
    ),
    "LudoSearch": (
        of_tuple(ludo.LudoSearch, lambda o: ludo.ludo_mcts(options=o)),
        {"c": number(0, 10**9), "c_sigma": number(0, 10**9), "beliefs": switch}
        | {"cut": whole(0, 10**9), "scale": number(0.001, 10**9), "weights": never},
    ),
    "Weights": (
        of_tuple(ludo.Weights, ludo.rule_based),
        dict.fromkeys(ludo.Weights._fields, number(-(10**9), 10**9)),
    ),
    "Learning": (
        of_tuple(tic_tac_toe.Learning, tic_tac_toe.QLearner),
        dict.fromkeys(("rate", "fall", "explore", "gamma"), number(0, 1))
        | {"random_rival": switch},
    ),
}  # fmt: skip
ARGUMENTS = [(of, name) for of, (_, arguments) in CALLS.items() for name in arguments]


@pytest.mark.parametrize(("of", "name"), ARGUMENTS)
def test_nonsense_is_refused_in_a_sentence_that_names_it(of, name):
    call, arguments = CALLS[of]
    wrong = {what: value for what, value in NONSENSE.items() if not arguments[name](value)}
    assert len(wrong) > len(NONSENSE) // 3
    for what, value in wrong.items():
        with pytest.raises(ValueError) as raised:
            call(name, value)
            pytest.fail(f"{what} was taken")
        said = str(raised.value)
        assert re.search(rf"\b{name}\b", said), (what, said)
        assert "not " in said and len(said) < 200 and said.isprintable(), (what, said)


# -- what was there before is there afterwards ---------------------------------------------
def record_with_redo():
    """Return a record whose last move has a search and was taken back."""
    game = five.game.Game.from_text("d4 e5")
    record = five.window.GameRecord(game)
    record.play("d5", result=five.mcts.plain_search(game, simulations=5, seed=1))
    game.undo()
    return record


def state_of_game(game):
    return game.array.tolist(), game.to_move, game.played[:], game.undone[:], game.five[:]


def state_of_record(record):
    return state_of_game(record.game), sorted(record.results), dict(record.searches)


def state_of_ludo(game):
    return game.state.tobytes(), list(game.record)


def state_of_learner(learner):
    return learner.games, learner.Q.tobytes(), learner.rng.random


def text_game():
    return connect_four.TextGame(
        five.mcts.PlainReference(simulations=5), "person", 1, connect_grid.four_rules()
    )


MOVES = {  # name: (what makes the thing, its state, what is called, what makes sense)
    "Game.play": (some_game, state_of_game, five.game.Game.play, whole(0, 63)),
    "GameRecord.play": (record_with_redo, state_of_record, five.window.GameRecord.play, never),
    "TextGame.move": (
        text_game,
        lambda played: state_of_game(played.game),
        connect_four.TextGame.move,
        whole(0, 6),
    ),
    "Ludo.roll": (lambda: ludo.Ludo(), state_of_ludo, ludo.Ludo.roll, whole(1, 6)),
    "Ludo.move": (rolled, state_of_ludo, ludo.Ludo.move, whole(1, 4)),
    "QLearner.train": (
        tic_tac_toe.QLearner,
        state_of_learner,
        tic_tac_toe.QLearner.train,
        whole(0, 10**9),
    ),
}


@pytest.mark.parametrize("of", MOVES)
def test_a_move_that_is_none_changes_nothing(of, capsys):
    make, state, call, makes_sense = MOVES[of]
    thing = make()
    before = state(thing)
    for what, value in NONSENSE.items():
        if makes_sense(value):
            continue
        with pytest.raises(ValueError) as raised:
            call(thing, value)
            pytest.fail(f"{what} was taken")
        said = str(raised.value)
        assert len(said) < 300 and said.isprintable(), (what, said)
        assert state(thing) == before, what


def test_a_board_that_is_none_is_refused():
    for value in NONSENSE.values():
        for board in (value, [[0, 0, 0], [0, 0], [value]]):
            with pytest.raises(ValueError, match="a board "):
                five.game.Game.from_array(board, 1)


FOUR_WON = "a1b1a2b2a3b3a4"  # in Connect-4
FIVE_WON = "c3c8d3d8e3e8f3f8g3"
SEARCHES = {
    "think": (lambda game: five.think(game, simulations=5), FIVE_WON),
    "EnginePlayer": (five.EnginePlayer(simulations=5).move, FIVE_WON),
    "plain_search": (lambda game: five.mcts.plain_search(game, simulations=5), FIVE_WON),
    "RandomPlayer": (five.mcts.RandomPlayer().move, FIVE_WON),
    "perfect_move": (connect_solver.perfect_move, FOUR_WON),
    "FourUCT": (connect_four.FourUCT(simulations=5).move, FOUR_WON),
    "Agent": (connect_report.Agent(simulations=5).move, FOUR_WON),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_no_search_finds_a_move_in_a_finished_game_or_in_none(name):
    ask, moves = SEARCHES[name]
    rules = connect_grid.four_rules() if moves == FOUR_WON else None
    with pytest.raises(ValueError, match="the game is over"):
        ask(five.game.Game.from_text(moves, rules=rules))
    for wrong in (None, "d4", five.game.Game, ludo.Ludo()):
        with pytest.raises(ValueError, match="game must be a Game, not "):
            ask(wrong)


def test_a_tree_that_another_search_has_grown_is_refused():
    tree = search.think_classic(some_game(), simulations=50).tree
    with pytest.raises(ValueError, match="grown by another search"):
        five.think(some_game(), simulations=50, tree=tree)


# -- what makes sense is taken, however it is written --------------------------------------
def test_numbers_of_numpy_are_numbers():
    budget = {"seconds": 60.0, "simulations": 200}
    plain = five.think(
        some_game(), **budget, seed=3, level=9, options=SearchOptions(c_prior=2.0)
    )
    options = SearchOptions(c_prior=np.float32(2), solve=np.True_, max_children=np.int16(400))
    how = {"seed": np.uint8(3), "level": np.int64(9), "options": options}
    how |= {"seconds": np.float32(60), "simulations": np.int32(200)}
    same = five.think(some_game(), **how)
    assert (same.visits == plain.visits).all() and same.seed == 3
    rules = five.game.Game(five.game.Rules(np.int8(9), np.uint8(4), gravity=np.False_)).rules
    assert rules == five.game.Rules(9, 4, 9, False) and type(rules.size) is int


def test_without_end_and_without_time_are_budgets():
    for ask in (five.think, five.mcts.plain_search):
        for seconds in (math.inf, 10**400):
            found = ask(five.game.Game(), seconds=seconds, simulations=5)
            assert found.simulations == 5
    grid = five.game.Game(connect_grid.four_rules())
    assert connect_solver.perfect_move(grid, seconds=math.inf).proven == 1
    assert connect_solver.perfect_move(grid, seconds=0).move in grid.legal()


def test_every_option_may_be_its_bounds():
    """The largest and the smallest numbers that are allowed play a legal move."""
    for name, (low, high) in search.RANGES.items():
        for value in (low, high):
            options = SearchOptions(**{name: value})
            game = five.game.Game.from_text("d4 e5 d5 e4")
            assert five.think(game, simulations=60, options=options).move in game.legal()

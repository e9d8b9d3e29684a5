"""The tables that need the perfect player: what is kept, few positions and games."""

import five_in_a_row as five
import pandas as pd
import pytest
from five_in_a_row import connect_grid, connect_solver
from helpers import FunctionPlayer

from experiments import results
from experiments.connect_four import perfect
from experiments.registry import TABLES

RULES = connect_grid.four_rules()


@pytest.fixture(autouse=True)
def elsewhere(apart, monkeypatch):
    """Write no result into the project; late positions and few simulations only."""
    monkeypatch.setattr(perfect, "FIRST_PLY", 37)
    monkeypatch.setattr(perfect, "ENTRIES", 1 << 16)
    monkeypatch.setattr(perfect, "BUDGETS", (10, 200))
    return apart


def no_solver(*args, **keywords):
    """Fail: what is kept is not to be solved again."""
    raise AssertionError("solved again")


# -- positions -----------------------------------------------------------------------------
def test_random_positions_are_different_and_not_over():
    found = list(perfect.random_positions(5))
    assert [ply for ply, _ in found] == [ply for ply in (40, 39, 38, 37) for _ in range(5)]
    for ply, moves in found:
        game = five.game.Game.from_text(moves, rules=RULES)
        assert len(game.played) == ply and not game.over
    assert len({moves for _, moves in found}) == 20
    assert found == list(perfect.random_positions(5))
    fewer = set(perfect.random_positions(2))
    assert fewer < set(found)  # a longer table goes on from a shorter one


def test_positions_are_solved_once(monkeypatch):
    first = list(perfect.solved_positions(2))
    monkeypatch.setattr(connect_solver.Solver, "columns", no_solver)
    assert list(perfect.solved_positions(2)) == first
    with pytest.raises(AssertionError, match="solved again"):
        list(perfect.solved_positions(3))


def test_the_worth_of_a_late_position_is_what_playing_it_out_finds():
    def outcome(game):
        """Return +1, 0, -1 for the side to move, by trying everything."""
        if game.over:
            return game.winner and game.winner * game.to_move
        return max(-outcome(after(game, point)) for point in game.legal())

    def after(game, point):
        game = game.copy()
        game.play(point)
        return game

    for _, moves, worth in perfect.solved_positions(3):
        game = five.game.Game.from_text(moves, rules=RULES)
        slow = {
            c: -outcome(after(game, p)) for c, p in connect_grid.open_columns(game).items()
        }
        assert connect_solver.values_text(slow, RULES.size) == worth


def made(name, number):
    """Make a table with a small number."""
    results.make(TABLES[name], number, 1)


# -- tables --------------------------------------------------------------------------------
def test_the_table_of_optimal_moves_counts_each_ply(elsewhere):
    made("connect-optimal", 3)
    table = pd.read_csv(elsewhere / "connect-optimal.csv")
    assert len(table) == 2 * 2 * 4 and set(table.agent) == set(perfect.AGENTS)
    assert (table.positions == 3).all() and set(table.simulations) == {10, 200}
    last = table[(table.simulations == 200) & (table.ply == 40)]
    assert (last.kept == 3).all()  # two cells are left: 200 simulations see everything


def test_a_win_is_held_from_either_seat(elsewhere, monkeypatch):
    monkeypatch.setattr(perfect, "SEATS", {"first": 30, "second": 31})
    monkeypatch.setattr(perfect, "STRONG", 20)
    solver = connect_solver.Solver()

    def exact(game, seed):
        found = solver.columns(game, exact=False)
        return connect_grid.open_columns(game)[max(found, key=found.get)]

    def is_lost(game):
        return solver.score(game, exact=False) < 0

    for ply, winner in ((30, five.game.BLACK), (31, five.game.WHITE)):
        for moves in perfect.won_positions(ply, 2):
            game = five.game.Game.from_text(moves, rules=RULES)
            assert len(game.played) == ply and game.to_move == winner
            assert set(solver.columns(game, exact=False).values()) > {1}
            held, won = connect_solver.hold_the_win(
                FunctionPlayer(exact), solver, 1, is_lost, moves
            )
            assert won and held.winner == winner
    made("connect-seats", 2)
    table = pd.read_csv(elsewhere / "connect-seats.csv")
    assert len(table) == 2 * 2 * 2 and (table.games == 2).all()
    assert set(zip(table.seat, table.stones, strict=True)) == {("first", 30), ("second", 31)}

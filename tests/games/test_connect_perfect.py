"""The tables that need the perfect player: what is kept, few positions and games."""

import five_in_a_row as five
import pandas as pd
import pytest
from five_in_a_row import connect_four as four
from helpers import FunctionPlayer

from experiments import matches
from experiments.connect_four import book, perfect

RULES = four.four_rules()


@pytest.fixture(autouse=True)
def elsewhere(apart, monkeypatch):
    """Write no result into the project; late positions and few simulations only."""
    monkeypatch.setattr(perfect, "FIRST_PLY", 37)
    monkeypatch.setattr(perfect, "ENTRIES", 1 << 16)
    monkeypatch.setattr(perfect, "BUDGETS", (10, 200))
    return apart


def no_solver(*args, **how):
    """Fail: what is kept is not to be solved again."""
    raise AssertionError("solved again")


# -- what is kept --------------------------------------------------------------------------
def test_what_is_kept_is_not_found_again(elsewhere):
    found = []
    for _ in range(2):
        kept = matches.Kept("connect_four", "try", ("ply", "moves"), ("worth", "by"))
        for key in ((8, "a1 b1"), (8, "a1, b1")):
            assert kept.of(key, lambda: found.append(1) or (3, "me")) == ["3", "me"]
    assert len(found) == 2 and len(kept.rows) == 2
    lines = (elsewhere / "games" / "try.csv").read_text("utf-8").splitlines()
    assert lines == ["ply,moves,worth,by", "8,a1 b1,3,me", '8,"a1, b1",3,me']


@pytest.mark.parametrize("begin", ["", "moves,wo"])
def test_a_file_that_a_full_disk_cut_in_its_head_is_begun_anew(elsewhere, begin):
    path = elsewhere / "games" / "try.csv"
    path.parent.mkdir()
    path.write_text(begin, "utf-8")
    matches.Kept("connect_four", "try", ("moves",), ("worth",)).of(("a1",), lambda: [3])
    assert path.read_text("utf-8") == "moves,worth\na1,3\n"


@pytest.mark.parametrize("half", ["1", "10,a", "10,a2,4"])
def test_half_a_line_is_found_again(elsewhere, half):
    path = elsewhere / "games" / "try.csv"
    matches.Kept("connect_four", "try", ("ply", "moves"), ("worth",)).of(
        (9, "a1"), lambda: [3]
    )
    whole = path.read_text("utf-8")
    path.write_text(whole + half, "utf-8")  # killed while it wrote a line
    kept = matches.Kept("connect_four", "try", ("ply", "moves"), ("worth",))
    assert list(kept.rows) == [("9", "a1")] and path.read_text("utf-8") == whole
    assert kept.of((10, "a2"), lambda: [4]) == ["4"]
    assert path.read_text("utf-8") == whole + "10,a2,4\n"


def test_what_raises_is_not_kept(elsewhere):
    kept = matches.Kept("connect_four", "try", ("moves",), ("worth",))
    with pytest.raises(ZeroDivisionError):
        kept.of(("a1",), lambda: [1 / 0])
    assert kept.of(("a1",), lambda: [3]) == ["3"]
    assert matches.Kept("connect_four", "try", ("moves",), ("worth",)).rows == {("a1",): ["3"]}


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
    monkeypatch.setattr(four.Solver, "columns", no_solver)
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
        slow = {c: -outcome(after(game, p)) for c, p in four.open_columns(game).items()}
        assert four.worth_text(slow, RULES.size) == worth


def made(name, number):
    """Make a table with a small number."""
    matches.make(name, perfect.TABLES[name][0], number, 1)


# -- tables --------------------------------------------------------------------------------
def test_the_table_of_optimal_moves_counts_each_ply(elsewhere, monkeypatch):
    made("connect-optimal", 3)
    path = elsewhere / "connect-optimal.csv"
    table = pd.read_csv(path)
    assert len(table) == 2 * 2 * 4 and set(table.agent) == set(perfect.AGENTS)
    assert (table.positions == 3).all() and set(table.simulations) == {10, 200}
    assert (table["kept with a choice"] <= table[["kept", "choices"]].min(axis=1)).all()
    assert (table["kept won with a choice"] <= table["won with a choice"]).all()
    assert {"made", "engine", "machine"} <= set(table.columns)
    last = table[(table.simulations == 200) & (table.ply == 40)]
    assert (last.kept == 3).all()  # two cells are left: 200 simulations see everything
    before = table.drop(columns="made")
    monkeypatch.setattr(five.search, "run_budget", no_solver)
    made("connect-optimal", 3)  # read, not searched again
    assert pd.read_csv(path).drop(columns="made").equals(before)


class Oracle(four.Solver):
    """A solver that knows at once that the third stone of the first player slips."""

    def score(self, game, exact=True):
        return -1 if len(game.played) < 5 else 1

    def columns(self, game, exact=True):
        return dict.fromkeys(four.open_columns(game), -1)


def test_the_table_of_games_against_perfect_play(elsewhere, monkeypatch):
    monkeypatch.setattr(four, "Solver", Oracle)
    monkeypatch.setattr(perfect, "PARTS", {20: 1, 30: 2})
    made("connect-perfect", 4)
    path = elsewhere / "connect-perfect.csv"
    table = pd.read_csv(path)
    agents = [*perfect.AGENTS, *perfect.STRONGER]
    assert list(table.agent) == 2 * agents and (table.won == 0).all()
    assert set(zip(table.games, table["slipped at"], strict=True)) == {
        (4, "5 5 5 5"),
        (2, "5 5"),
    }
    assert (table.low == 0).all() and (table.high > 0.4).all()  # four games say little
    assert matches.archive("connect_four").files()["connect-lost.csv"].count(b"\n") > 5
    words = four.perfect_words(table)
    assert (
        "plain UCT wins more than half of its games beyond doubt at none of these budgets"
        in words
    )
    assert words.endswith("in 0 of 4 at 20, 0 of 2 at 30 simulations.")
    titles = [ax.get_title() for ax in four.perfect_figure(table).axes]
    assert titles == ["", agents[0], agents[-1]]
    monkeypatch.setattr(four, "hold_the_win", no_solver)
    made("connect-perfect", 4)  # read, not played again
    assert pd.read_csv(path).equals(table)
    with pytest.raises(AssertionError, match="solved again"):
        made("connect-perfect", 6)


def test_the_speed_of_the_search_is_measured(elsewhere, monkeypatch):
    runs = four.four_runs
    monkeypatch.setattr(four, "four_runs", lambda simulations, few: runs(2_000, 2))
    made("connect-speed", 1)
    table = pd.read_csv(elsewhere / "connect-speed.csv", index_col="what")
    assert {"two integers", "rows of stones", "pure Python"} <= set(table.index)
    assert table["times slower"]["two integers"] == 1 and (table["per second"] > 0).all()


def test_positions_of_strong_play_are_judged_beside_random_ones(elsewhere, monkeypatch):
    monkeypatch.setattr(perfect, "FIRST_STRONG", 37)
    monkeypatch.setattr(perfect, "STRONG", 20)
    for name in ("connect-optimal", "connect-strong"):
        made(name, 2)
    tables = [
        pd.read_csv(elsewhere / f"{n}.csv") for n in ("connect-optimal", "connect-strong")
    ]
    assert set(tables[1].agent) == {"plain UCT"} and (tables[1].positions == 2).all()
    rows = four.strong_rows(dict(zip(("random", "strong"), tables, strict=True)))
    assert rows["random"]["positions"] == rows["strong"]["positions"] == "8"
    assert "right at 200 simulations" in rows["strong"]
    for moves in perfect.strong_positions(2):
        game = five.game.Game.from_text(moves[1], rules=RULES)
        assert len(game.played) == moves[0] and not game.over


def test_a_win_is_held_from_either_seat(elsewhere, monkeypatch):
    monkeypatch.setattr(perfect, "SEATS", {"first": 30, "second": 31})
    monkeypatch.setattr(perfect, "STRONG", 20)
    solver = four.Solver()

    def exact(game, seed):
        found = solver.columns(game, exact=False)
        return four.open_columns(game)[max(found, key=found.get)]

    def is_lost(game):
        return solver.score(game, exact=False) < 0

    for ply, winner in ((30, five.game.BLACK), (31, five.game.WHITE)):
        for moves in perfect.won_positions(ply, 2):
            game = five.game.Game.from_text(moves, rules=RULES)
            assert len(game.played) == ply and game.to_move == winner
            assert set(solver.columns(game, exact=False).values()) > {1}
            held, won = four.hold_the_win(FunctionPlayer(exact), solver, 1, is_lost, moves)
            assert won and held.winner == winner
    made("connect-seats", 2)
    table = pd.read_csv(elsewhere / "connect-seats.csv")
    assert len(table) == 2 * 2 * 2 and (table.games == 2).all()
    assert set(zip(table.seat, table.stones, strict=True)) == {("first", 30), ("second", 31)}
    table["won"] = [2, 2, 0, 0, 1, 1, 2, 2]
    shown = five.strength.with_intervals(table)
    assert four.seats_rows(shown)["plain UCT, first player"]["10 simulations"].startswith(
        "2 of"
    )
    assert four.seats_words(shown).count("at none of the budgets") == 2  # two games say little
    many = shown.assign(games=100, won=[90, 90, 90, 50, 90, 10, 90, 90])
    said = four.seats_words(many)
    assert "plain UCT: at 10;" in said and "all ideas, c 1: at 200." in said
    monkeypatch.setattr(four, "hold_the_win", no_solver)
    made("connect-seats", 2)  # read, not played again


def test_early_positions_are_judged_in_time_or_not(elsewhere, monkeypatch):
    monkeypatch.setattr(book, "LAST", 5)
    monkeypatch.setattr(book, "PATIENCE", 70)
    monkeypatch.setattr(perfect, "STRONG", 20)
    monkeypatch.setattr(four, "opening_book", dict)  # where nothing is known nothing is told
    matches.make("connect-judged", book.TABLES["connect-judged"][0], 2, 1)
    table = pd.read_csv(elsewhere / "connect-judged.csv")
    assert table.positions.tolist() == 2 * [1] + 10 * [2] + 4 * [2]  # one grid is empty
    assert (table["within 50 ms"] <= table.told).all() and (
        table.told <= table.positions
    ).all()
    assert (table["median ms"] <= table["p99 ms"]).all()
    assert (table["p99 ms"] <= table["most ms"]).all()
    assert not table.told.any() and set(table.budget) == {"70 positions to look at"}
    made_up = table.assign(told=table.positions, **{"within 50 ms": table.positions})
    made_up.loc[(table.what == "random, signs") & (table.stones == 3), "within 50 ms"] = 1
    words = four.judged_words(made_up, early=4)
    assert "random, signs: 8 of 9 positions with at most 4 stones within 50 ms" in words
    assert four.judged_figure(table).axes
    rows = four.judged_rows(table, early=4)
    assert set(rows["strong play, signs"]) == {"4 stones"}
    assert rows["strong play, signs"]["4 stones"].count(" / ") == 2


def test_what_a_score_costs_is_measured(elsewhere, monkeypatch):
    monkeypatch.setattr(book, "WHOLE", 2)
    monkeypatch.setattr(book, "FAMILIES", (30, 34))
    monkeypatch.setattr(book, "TABLE", 1 << 12)
    asked = []

    def solve(solver, spent, own, both, exact):
        assert solver.early is None
        asked.append((own, both, exact))
        spent[0] = len(asked)

    monkeypatch.setattr(four, "narrowed", solve)
    matches.make("connect-cost", book.TABLES["connect-cost"][0], 3, 1)
    table = pd.read_csv(elsewhere / "connect-cost.csv")
    assert table.stones.tolist() == 2 * [2, 30, 34] and set(table.of) == {25}
    assert table.asked.tolist() == 3 * ["score"] + 3 * ["sign"]
    assert set(table.budget) == {"no limit, 4096 places in its table"}
    assert table["mean"].tolist() == table["median"].tolist() == [2, 5, 8, 11, 14, 17]
    assert table.most.tolist() == [3, 6, 9, 12, 15, 18]
    assert [both.bit_count() for _, both, _ in asked[:9]] == 3 * [2] + 3 * [30] + 3 * [34]
    assert [p[:2] for p in asked[:9]] == [p[:2] for p in asked[9:]] and len(set(asked)) == 18
    for own, both, _ in asked[3:9]:
        assert not four.has_four(own ^ both, 7) and four.safe_moves(
            four.Solver().grid, own, both
        )
    rows = four.cost_rows(table)
    assert rows["positions for a sign"]["30 stones, random play"] == "14 (14 / 15)"
    words = four.cost_words(table.assign(**{"mean ms": 3_600_000 / 25}))
    assert words.startswith("A whole book of the 25 positions with 2 stones, judged by 3")
    assert words.endswith(
        "1.0 core-hours for every score, 1.0 core-hours for every sign, 3 were allowed"
    )

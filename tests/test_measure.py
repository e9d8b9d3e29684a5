"""The script behind the tables of matches: tables, resumed matches, settings, rivals."""

from functools import partial

import measure
import pandas as pd
import pytest


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Write no result into the project."""
    monkeypatch.setattr(measure, "RESULTS", tmp_path)


def short(maker):
    """Return what makes a player that has very little time."""
    return partial(maker.func, 0.002, **maker.keywords)


NO_MATCHES = {"puzzles", "cut", "sizes"}


@pytest.mark.parametrize("name", sorted(set(measure.TABLES) - NO_MATCHES))
def test_every_table_has_its_matches(name, monkeypatch):
    rows = []

    def match(table, a, b, size, games, jobs, empty=False, **shown):
        rows.append((a[0], b[0], shown.get("begins"), size))
        for _, make in (a, b):
            player = make()
            assert callable(player)
        assert games % 2 == 0 and table == name
        return {"a": a[0], "b": b[0], **shown}

    monkeypatch.setattr(measure, "match", match)
    measure.make(name)
    assert len(set(rows)) == len(rows) >= 2 and {size for *_, size in rows} <= {8, 15}
    table = pd.read_csv(measure.RESULTS / f"{name}.csv")
    assert len(table) == len(rows) and {"made", "engine", "machine"} <= set(table.columns)


def test_a_match_is_played_once_and_kept():
    one, other = short(measure.engine()), short(measure.engine(reuse=False))
    row = measure.match("try", ("reuse", one), ("none", other), 8, 4, 1)
    assert row["won"] + row["drawn"] + row["lost"] == row["games"] == 4
    assert row["low"] <= row["score"] <= row["high"] and row["simulations a move a"] > 0
    kept = list((measure.RESULTS / "games").iterdir())
    before = kept[0].read_text("utf-8")
    again = measure.match("try", ("reuse", one), ("none", other), 8, 4, 1)
    assert again == row and kept[0].read_text("utf-8") == before


def test_the_rivals_play(capsys):
    for name in ("random", "plain UCT", "classic"):
        pair = ("engine", short(measure.engine())), (name, measure.rival(name, 0.002))
        row = measure.match("try", *pair, 8, 2, 1)
        assert row["games"] == 2 and row["ms a move b"] >= 0
        assert row["simulations a move a"] > 0 and row["simulations a move b"] is None
    with pytest.raises(SystemExit):
        measure.main(["no-such-table"])
    assert "ablation" in capsys.readouterr().err
    assert measure.main(["--list"]) == 0 and "levels" in capsys.readouterr().out


def test_openings_are_of_two_three_and_four_stones():
    openings = measure.openings(15, 20)
    assert len(set(openings)) == 20 and {len(o.split()) for o in openings} == {2, 3, 4}


def test_puzzles_are_counted_by_kind(monkeypatch):
    monkeypatch.setattr(measure, "PUZZLE_SECONDS", 0.01)
    measure.make("puzzles", 2, 1)
    table = pd.read_csv(measure.RESULTS / "puzzles.csv", index_col="kind")
    assert {"five", "VCF", "VCT", "only defence", "trap"} <= set(table.index)
    assert (table.puzzles == 2).all() and table["engine 0.01 s"]["five"] == 2
    assert (table[["plain UCT 0.01 s", "classic 0.01 s"]] <= 2).all(axis=None)


def test_the_cuts_leave_fewer_and_fewer_right_moves():
    measure.make("cut", 4, 1)
    table = pd.read_csv(measure.RESULTS / "cut.csv", index_col="kind")
    five_left, one_left = table["left by the cut to five"], table["left by the cut to one"]
    assert (one_left <= five_left).all() and (five_left <= table.puzzles).all()
    assert one_left["five"] == table.puzzles["five"] == 4


def test_games_by_board_size_are_counted_by_colour(monkeypatch):
    winners = pd.Series(["a", "b", "draw", "a"])
    games = pd.DataFrame({"winner": winners, "black": ["a", "a", "a", "b"]})
    games = games.assign(plies=[9, 10, 25, 10], moves=["x", "y", "z", "y"])
    monkeypatch.setattr(measure, "played", lambda *args: games)
    row = next(measure.sizes(4, 1))
    assert (row["won"], row["drawn"], row["lost"]) == (1, 1, 2)
    assert row["score"] == 0.375 and row["low"] < 0.375 < row["high"]
    assert row["different games"] == 3 and row["plies"] == 13.5

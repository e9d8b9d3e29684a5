"""Matches, intervals, openings, the players in plain Python, and the speed table."""

import math
from pathlib import Path

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from helpers import FunctionPlayer, stopped_where_a_file_is_written_anew

ROOT = Path(__file__).resolve().parents[2]
SMALL = five.game.Rules(5, 4)
TIMES = ["seconds a", "seconds b"]


class FirstPoint:
    """A player that plays the first legal point and counts its moves of this game."""

    name, result, made = "first point", None, []

    def __init__(self):
        self.settings, self.moves = {}, 0
        self.made.append(self)

    def move(self, game, seed=None):
        self.moves += 1
        return game.legal()[0]


def small_match(**changes):
    """Return a match of two random players on a small board."""
    settings = {"games": 20, "rules": SMALL, "seed": 3} | changes
    return five.strength.play_match(*2 * [five.mcts.RandomPlayer()], **settings)


# ---- matches ----------------------------------------------------------------------------


def test_no_two_games_of_a_match_are_the_same():
    player = five.engine.EnginePlayer(simulations=30, reuse=False)
    other = five.search.Classic(simulations=30)
    table = five.strength.play_match(player, other, games=20, seed=1)
    assert table.moves.nunique() == 20
    assert table[["simulations a", "simulations b"]].all(axis=None)


def test_each_opening_is_played_once_with_either_colour():
    openings = ["a1 b2", "c3 d4", "b1 b3"]
    table = small_match(games=6, openings=openings)
    assert table.black.tolist() == ["a", "b"] * 3 and table.white.tolist() == ["b", "a"] * 3
    assert table.opening.tolist() == [opening for opening in openings for _ in "ab"]
    assert all(row.moves.startswith(row.opening) for row in table.itertuples())


def test_the_rows_tell_what_happened():
    for row in small_match().itertuples():
        game = five.game.Game.from_text(row.moves, rules=SMALL)
        assert game.over and len(game.played) == row.plies
        assert row.winner == {1: row.black, -1: row.white, 0: "draw"}[game.winner]


def test_the_score_counts_wins_and_half_the_draws():
    table = small_match()
    wins, draws = (table.winner == "a").sum(), (table.winner == "draw").sum()
    assert table.attrs["score"] == (wins + draws / 2) / 20
    assert table.attrs["wins"] + table.attrs["draws"] + table.attrs["losses"] == 20
    low, high = table.attrs["interval"]
    assert low <= table.attrs["score"] <= high


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_seed_gives_the_same_match(jobs):
    one = small_match().drop(columns=TIMES)
    assert one.equals(small_match(jobs=jobs).drop(columns=TIMES))
    assert not one.equals(small_match(seed=4).drop(columns=TIMES))


def test_a_stopped_match_goes_on_to_the_same_table(tmp_path):
    path = tmp_path / "results" / "match.csv"
    whole = small_match(path=path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:7]) + lines[7][:9])  # killed while it wrote a line
    with stopped_where_a_file_is_written_anew():
        again = small_match(path=path)
    assert again.drop(columns=TIMES).equals(whole.drop(columns=TIMES))
    assert again.attrs == whole.attrs
    assert again.iloc[:5].equals(whole.iloc[:5])  # finished games are kept, times and all
    assert len(path.read_bytes().splitlines()) == len(lines)


@pytest.mark.parametrize("lines", [0.5, 1.5], ids=str)
def test_a_file_that_a_full_disk_cut_in_its_head_is_begun_anew(tmp_path, lines):
    path = tmp_path / "match.csv"
    whole = small_match(games=2, path=path)
    settings, columns = path.read_bytes().splitlines(keepends=True)[:2]
    path.write_bytes(settings[:9] if lines < 1 else settings + columns[:9])
    again = small_match(games=2, path=path)
    assert again.drop(columns=TIMES).equals(whole.drop(columns=TIMES))
    assert small_match(games=2, path=path).equals(again)  # read, times and all


def test_a_player_s_name_breaks_no_line_of_the_file_of_a_match(tmp_path):
    settings = "a: Ann\n\u2028\x85game,opening; b: \ud800"
    for _ in range(2):
        assert five.strength.read_match(tmp_path / "match.csv", settings) == {}
    assert (tmp_path / "match.csv").read_bytes().count(b"\n") == 2


def test_a_finished_match_is_read_and_not_played_again(tmp_path):
    path, player = tmp_path / "match.csv", FirstPoint()
    first = five.strength.play_match(player, player, 2, SMALL, path=path)
    FirstPoint.made.clear()
    again = five.strength.play_match(player, player, 2, SMALL, path=path)
    assert again.equals(first) and not FirstPoint.made


def test_each_game_is_played_by_fresh_players():
    FirstPoint.made.clear()
    player = FirstPoint()
    five.strength.play_match(player, player, 4, SMALL)
    given, *fresh = FirstPoint.made
    assert given is player and player.moves == 0
    assert len(fresh) == 8 and all(0 < each.moves < 25 for each in fresh)


def test_players_are_written_with_what_is_not_usual(tmp_path):
    options = five.search.SearchOptions(vct_nodes=0)
    player = five.engine.EnginePlayer(simulations=20, options=options)
    words = "engine(simulations=20, options=SearchOptions(vct_nodes=0))"
    assert five.strength.player_words(player) == words
    path, rival = tmp_path / "match.csv", five.mcts.RandomPlayer()
    five.strength.play_match(player, rival, 2, path=path)
    assert path.read_text("utf-8").startswith(f"# a: {words}; b: random; Rules(")
    with pytest.raises(ValueError, match="other settings"):
        five.strength.play_match(five.engine.EnginePlayer(simulations=20), rival, 2, path=path)


@pytest.mark.parametrize("wrong", [None, FirstPoint, lambda game, seed: 0])
def test_what_is_no_player_is_named_before_the_match(wrong):
    with pytest.raises(
        ValueError, match="b must be a player, which has a method move, a name and a"
    ):
        five.strength.play_match(FirstPoint(), wrong, 2, SMALL)


@pytest.mark.parametrize(
    "change", [{"seed": 4}, {"rules": five.game.Rules(5, 3)}, {"openings": ["c3"]}]
)
def test_the_file_of_another_match_is_refused_and_kept(tmp_path, change):
    path = tmp_path / "match.csv"
    small_match(games=2, path=path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="other settings"):
        small_match(games=2, path=path, **change)
    assert path.read_bytes() == before


def test_a_player_cannot_change_the_game():
    def cheat(game, seed=None):
        point = game.legal()[0]
        game.play(point)
        return point

    table = five.strength.play_match(FunctionPlayer(cheat), FirstPoint(), 2, SMALL)
    assert table.plies.min() >= 7


@pytest.mark.parametrize("answer, reason", [(0, "stone stands there"), (None, "not a move")])
def test_an_illegal_move_names_the_player(answer, reason):
    with pytest.raises(ValueError, match=f"player b \\(white\\) failed at move 2: .*{reason}"):
        other = FunctionPlayer(lambda game, seed: answer)
        five.strength.play_match(FirstPoint(), other, 2, SMALL)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_player_names_it(jobs):
    def broken(game, seed=None):
        raise ZeroDivisionError("one over nothing")

    with pytest.raises(ValueError, match="player a .* failed at move [12]: one over nothing"):
        five.strength.play_match(FunctionPlayer(broken), FirstPoint(), 2, SMALL, jobs=jobs)


@pytest.mark.parametrize(("games", "says"), [(0, "from 2 to"), (3, "come in pairs.*3 is odd")])
def test_games_come_in_pairs(games, says):
    with pytest.raises(ValueError, match=says):
        small_match(games=games)


@pytest.mark.parametrize(
    ("openings", "says"),
    [
        (["d4 e5", "d4 z9"], "openings hold 'd4 z9'.*off the board"),
        ("d4 e5", "openings must be a list"),
        ([5], "openings hold 5: text must be moves"),
        (["a1 a2 b1 b2 c1 c2 d1 d2 e1"], "that game is over"),
    ],
)
def test_openings_that_cannot_be_played_are_named_before_the_match(tmp_path, openings, says):
    players = [five.mcts.RandomPlayer()] * 2
    with pytest.raises(ValueError, match=says):
        five.strength.play_match(*players, 4, openings=openings, path=tmp_path / "match.csv")
    assert not list(tmp_path.iterdir())


# ---- intervals --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wins, games, low, high",
    [(0, 10, 0.0, 0.2775), (47, 100, 0.3752, 0.5671)],
)
def test_wilson_agrees_with_known_values(wins, games, low, high):
    assert five.strength.wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("result", [(10, 30, 0), (3, 5, 7)])
def test_an_interval_ends_where_the_likeliest_results_with_that_score_are_rejected(result):
    won, drawn, lost = result
    games, score = sum(result), (won + drawn / 2) / sum(result)
    for bound in five.strength.score_interval(*result):
        draws = np.linspace(0, 2 * min(bound, 1 - bound), 200_001)[1:-1]
        wins = bound - draws / 2  # all shares of wins, draws and losses with that score
        likely = drawn * np.log(draws)
        for count, share in ((won, wins), (lost, 1 - draws - wins)):
            likely = likely + (count * np.log(share) if count else 0)
        best = likely.argmax()
        spread = wins[best] + draws[best] / 4 - bound**2
        assert abs(score - bound) / math.sqrt(spread / games) == pytest.approx(1.96, abs=1e-3)


# ---- verdicts ---------------------------------------------------------------------------


def test_holm_rejects_in_order_until_one_stands():
    chances = {"a": 0.03, "b": 0.01, "c": 0.9, "d": 0.04}
    assert five.strength.holm(chances) == {"a": False, "b": True, "c": False, "d": False}
    assert all(five.strength.holm(dict.fromkeys("abcd", 0.01)).values())


def test_a_verdict_allows_for_its_family():
    assert five.strength.verdicts([(6, 0)]) == ["better"]
    assert five.strength.verdicts([(6, 0), (4, 4)]) == ["open", "open"]
    assert five.strength.verdicts([(20, 0), (0, 20), (4, 4)]) == ["better", "worse", "open"]


def test_intervals_and_verdicts_come_from_the_counts():
    rows = [a_result(low=0.9, high=0.1, score=0), a_result(won=20, drawn=0, lost=0)]
    table = five.strength.with_intervals(pd.DataFrame(rows))
    low, high = five.strength.score_interval(14, 1, 5)
    assert (table.low[0], table.high[0], table.score[0]) == (low, high, 0.725)
    assert table.verdict.tolist() == ["open", "better"]
    shares = five.strength.with_intervals(pd.DataFrame([{"won": 3, "games": 4}]))
    assert shares.low[0] == five.strength.wilson(3, 4)[0] and "verdict" not in shares
    other = pd.DataFrame({"what": ["engine"]})
    assert five.strength.with_intervals(other) is other


def test_a_verdict_is_of_pairs_where_the_table_counts_them():
    rows = [a_result(games=40, won=22, drawn=0, lost=18), a_result(won=20, drawn=0, lost=0)]
    alone = five.strength.decided(pd.DataFrame(rows))
    assert five.strength.verdicts(alone) == ["open", "better"]
    paired = pd.DataFrame(rows).assign(**{"pairs won": [9, 4], "pairs lost": [0, 0]})
    table = five.strength.with_intervals(paired)
    assert table.verdict.tolist() == ["better", "open"]
    assert five.strength.results_rows(table).pairs.tolist() == ["9–11–0", "4–6–0"]


def test_pairs_are_counted_by_their_points():
    rng, points = np.random.default_rng(7), {"a": 2, "draw": 1, "b": 0}
    for _ in range(200):
        winners = rng.choice(list(points), 2 * int(rng.integers(1, 20))).tolist()
        found = five.strength.count_pairs(pd.DataFrame({"winner": winners}))
        made = [
            points[one] + points[two] for one, two in zip(*[iter(winners)] * 2, strict=True)
        ]
        assert found["pairs won"] == sum(each > 2 for each in made)
        assert found["pairs lost"] == sum(each < 2 for each in made)


def test_all_tables_hold_the_intervals_of_their_counts():
    folder = ROOT / "experiments" / "results"
    for path in folder.glob("*.csv"):
        stored, found = pd.read_csv(path), five.strength.read_results(path.stem, folder)
        if {"won", "games"} <= set(stored):
            for name in ("score", "low", "high"):
                assert np.allclose(stored[name], found[name], atol=1e-4), path.name


# ---- openings ---------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [2, 4])
@pytest.mark.parametrize("rules", [five.game.Rules(15), five.game.Rules(5, 3)])
def test_openings_differ_and_decide_nothing(rules, stones):
    openings = five.strength.random_openings(rules, 20, stones, seed=5)
    assert len(set(openings)) == 20
    for opening in openings:
        game = five.game.Game.from_text(opening, rules=rules)
        assert len(game.played) == stones and not game.over
        assert five.search.forced_move(game) is None


def test_even_openings_are_those_of_the_drawn_with_values_nearest_to_0():
    rules = five.game.Rules(15)
    drawn = five.strength.random_openings(rules, 20, 3, seed=4)
    games = {moves: five.game.Game.from_text(moves, 15) for moves in drawn}
    value = {
        (moves, asked): abs(five.strength.position_value(game, asked, seed=4))
        for moves, game in games.items()
        for asked in (1_000, 10_000)
    }
    asked_longer = sorted(drawn, key=lambda moves: value[moves, 1_000])[:6]
    nearest = sorted(asked_longer, key=lambda moves: value[moves, 10_000])[:2]
    assert five.strength.even_openings(rules, 2, seed=4) == nearest
    (one,) = five.strength.most_even(list(games.values()), 1, 1_000, seed=4)
    assert value[" ".join(one.moves), 10_000] == min(
        value[moves, 10_000] for moves in asked_longer[:3]
    )


def test_impossible_openings_are_refused():
    with pytest.raises(ValueError, match="2 to 4"):
        five.strength.random_openings(five.game.Rules(8), 5, stones=5)
    with pytest.raises(ValueError, match="only 72 different"):
        five.strength.random_openings(five.game.Rules(3), 100)


# ---- speed ------------------------------------------------------------------------------


def test_the_speed_table_is_filled_by_a_small_run():
    table = five.strength.speed_table(
        simulations=300, plain_simulations=3, rounds=1, sizes=(8, 10)
    )
    assert (table["per second"] > 0).all()
    assert (table["speed-up over the reference"].dropna() > 1).all()
    grown = table["simulations in the tree"].groupby("what").first()
    assert grown["engine"] == grown["classic, compiled"] == grown["plain UCT, halving"] == 300
    assert grown["plain UCT, Python"] == grown["classic, Python"] == 3


# -- tables of long matches ----------------------------------------------------------------
def a_result(**changed):
    """Return a row as python -m experiments keeps it."""
    row = {"a": "full", "b": "no VCF", "board": "15×15", "games": 20, "won": 14, "drawn": 1}
    row |= {"lost": 5, "score": 0.725, "low": 0.5, "high": 0.87, "made": "2026-01-02"}
    row |= {"engine": "0a1b2c3d", "numba": "0.68", "machine": "x, 2 cores"}
    row |= {f"ms a move {side}": 50.0 for side in "ab"}
    row |= {f"simulations a move {side}": n for side, n in (("a", 300), ("b", 200))}
    return row | changed


def test_a_missing_table_is_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(five.strength, "results_folder", lambda: tmp_path)
    assert five.strength.read_results("ladder") is None
    five.strength.show_results("ladder", lambda table: "")
    five.strength.show_counts("puzzles", ["kind", "puzzles"])
    said = capsys.readouterr().out
    assert "python -m experiments ladder makes it" in said and "experiments puzzles" in said


def test_a_table_is_shown_as_figure_and_rows(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(five.strength, "results_folder", lambda: tmp_path)
    rows = [
        a_result(),
        a_result(board="8×8", b="no solver", won=2, lost=17, score=0.125, low=0.04),
    ]
    five.strength.keep_results(pd.DataFrame(rows).set_index("a"), "ablation")
    table = five.strength.read_results("ablation")
    five.strength.show_results("ablation", lambda table: "Found.", lambda row: row.b)
    shown = five.strength.results_rows(table)
    assert shown["won–drawn–lost"].tolist() == ["14–1–5", "2–1–17"]
    assert shown["score of a"].tolist() == ["0.72", "0.12"]
    assert shown["simulations per move, a / b"].tolist() == ["300 / 200"] * 2
    assert "made 2026-01-02" in five.strength.table_made(table)


def test_the_chance_of_losing_has_a_bound_where_no_game_was_lost():
    none = [a_result(lost=0, games=100, begins="empty board")] * 4
    some = [a_result(begins="random stones")] * 4
    said = five.strength.losses_found(pd.DataFrame([*none, *some]))
    mean = "games were lost: the mean chance of losing"
    assert f"From the empty board, 0 of 400 {mean} is below 0.75%" in said
    assert f"from random stones, 20 of 80 {mean} is 16.8" in said
    rows = pd.DataFrame(none).assign(**{"different games": 50})
    said = five.strength.losses_found(rows)
    assert f"0 of 200 different {mean} is below 1.49%" in said

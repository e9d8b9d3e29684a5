"""Matches, intervals, openings, the players in plain Python, and the speed table."""

import five_in_a_row as five
import pandas as pd
import pytest
from helpers import only_full, stopped_where_a_file_is_written_anew

SMALL = five.core.Rules(5, 4)
TIMES = ["seconds a", "seconds b"]


def first_point(game, seed=None):
    """Play the first legal point: a player without any chance in it."""
    return game.legal()[0]


def small_match(**changes):
    """Return a match of two random players on a small board."""
    settings = {"games": 20, "rules": SMALL, "seed": 3} | changes
    return five.strength.play_match(
        five.core.random_player, five.core.random_player, **settings
    )


# ---- matches ----------------------------------------------------------------------------


def test_no_two_games_of_a_match_are_the_same():
    player = five.engine.engine(simulations=30)
    table = five.strength.play_match(
        player, five.search.classic(simulations=30), games=20, seed=1
    )
    assert table.moves.nunique() == 20


def test_each_opening_is_played_once_with_either_colour():
    openings = ["a1 b2", "c3 d4", "b1 b3"]
    table = small_match(games=6, openings=openings)
    assert table.black.tolist() == ["a", "b"] * 3 and table.white.tolist() == ["b", "a"] * 3
    assert table.opening.tolist() == [opening for opening in openings for _ in "ab"]
    assert all(row.moves.startswith(row.opening) for row in table.itertuples())


def test_the_rows_tell_what_happened():
    for row in small_match().itertuples():
        game = five.core.Game.from_text(row.moves, rules=SMALL)
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


@pytest.mark.parametrize("lines", [0, 0.5, 1, 1.5], ids=str)
def test_a_file_that_a_full_disk_cut_in_its_head_is_begun_anew(tmp_path, lines):
    path = tmp_path / "match.csv"
    whole = small_match(games=2, path=path)
    settings, columns = path.read_bytes().splitlines(keepends=True)[:2]
    begin = settings * (lines >= 1) + (columns if lines > 1 else settings)[:9] * (
        lines % 1 > 0
    )
    path.write_bytes(begin)
    again = small_match(games=2, path=path)
    assert again.drop(columns=TIMES).equals(whole.drop(columns=TIMES))
    assert small_match(games=2, path=path).equals(again)  # read, times and all


def test_a_finished_match_is_read_and_not_played_again(tmp_path):
    path, calls = tmp_path / "match.csv", []

    def counted(game, seed=None):
        calls.append(1)
        return first_point(game)

    for _ in range(2):
        five.strength.play_match(counted, first_point, 2, SMALL, path=path)
        calls.append("end")
    assert calls.index("end") == len(calls) - 2


@pytest.mark.parametrize(
    "change", [{"seed": 4}, {"rules": five.core.Rules(5, 3)}, {"openings": ["c3"]}]
)
def test_the_file_of_another_match_is_refused_and_kept(tmp_path, change):
    path = tmp_path / "match.csv"
    small_match(games=2, path=path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="other settings"):
        small_match(games=2, path=path, **change)
    assert path.read_bytes() == before


def test_players_with_another_budget_are_another_match(tmp_path):
    path = tmp_path / "match.csv"
    for budget, fault in ((20, None), (30, "other settings")):
        players = five.search.plain_uct(budget), five.core.random_player
        if fault is None:
            five.strength.play_match(*players, 2, SMALL, path=path)
        else:
            with pytest.raises(ValueError, match=fault):
                five.strength.play_match(*players, 2, SMALL, path=path)


def test_a_factory_gives_a_fresh_player_for_each_game():
    made = []

    def factory():
        made.append([])

        def player(game, seed=None):
            made_by_me = made[-1]
            made_by_me.append(len(game.played))
            return game.legal()[0]

        return player

    five.strength.play_match(factory, first_point, 4, SMALL)
    assert len([moves for moves in made if moves]) == 4


def test_a_player_may_answer_with_a_thought():
    def thinker(game, seed=None):
        return five.engine.think(game, simulations=20, seed=seed)

    table = five.strength.play_match(thinker, five.core.random_player, 2)
    assert (table["simulations a"] > 0).all() and table["simulations b"].isna().all()


def test_a_player_cannot_change_the_game():
    def cheat(game, seed=None):
        point = game.legal()[0]
        game.play(point)
        return point

    assert five.strength.play_match(cheat, first_point, 2, SMALL).plies.min() >= 7


@pytest.mark.parametrize("answer, reason", [(0, "stone stands there"), (None, "not a move")])
def test_an_illegal_move_names_the_player(answer, reason):
    with pytest.raises(ValueError, match=f"player b \\(white\\) failed at move 2: .*{reason}"):
        five.strength.play_match(first_point, lambda game, seed: answer, 2, SMALL)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_player_names_it(jobs):
    def broken(game, seed=None):
        raise ZeroDivisionError("one over nothing")

    with pytest.raises(ValueError, match="player a .* failed at move [12]: one over nothing"):
        five.strength.play_match(broken, first_point, 2, SMALL, jobs=jobs)


@pytest.mark.parametrize("games", [0, -2, 3])
def test_games_come_in_pairs(games):
    with pytest.raises(ValueError, match="pairs"):
        small_match(games=games)


def test_progress_goes_to_stdout_and_only_if_wanted(capsys):
    small_match(games=2)
    assert capsys.readouterr() == ("", "")
    small_match(games=2, progress=True)
    out, err = capsys.readouterr()
    assert "2/2" in out and err == ""


def test_other_games_can_be_played_as_well():
    connect_four = five.core.Rules(7, 4, rows=6, gravity=True)
    table = five.strength.play_match(
        five.search.plain_uct(30), five.core.random_player, 2, connect_four
    )
    assert len(table) == 2


# ---- intervals --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wins, games, low, high",
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (47, 100, 0.3752, 0.5671),
        (1, 2, 0.0945, 0.9055),
    ],
)
def test_wilson_agrees_with_known_values(wins, games, low, high):
    assert five.strength.wilson(wins, games) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("wins, games", [(1, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_what_is_no_score(wins, games):
    with pytest.raises(ValueError, match="no score"):
        five.strength.wilson(wins, games)


# ---- openings ---------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [2, 3, 4])
@pytest.mark.parametrize(
    "rules", [five.core.Rules(8), five.core.Rules(15), five.core.Rules(5, 3)]
)
def test_openings_differ_and_decide_nothing(rules, stones):
    openings = five.strength.random_openings(rules, 20, stones, seed=5)
    assert len(set(openings)) == 20
    for opening in openings:
        game = five.core.Game.from_text(opening, rules=rules)
        assert len(game.played) == stones and not game.over
        assert five.search.forced_move(game) is None


def test_openings_repeat_with_their_seed():
    rules = five.core.Rules(8)
    assert five.strength.random_openings(rules, 9) == five.strength.random_openings(rules, 9)
    assert five.strength.random_openings(rules, 9) != five.strength.random_openings(
        rules, 9, seed=1
    )


def test_impossible_openings_are_refused():
    with pytest.raises(ValueError, match="2 to 4"):
        five.strength.random_openings(five.core.Rules(8), 5, stones=5)
    with pytest.raises(ValueError, match="only 72 different"):
        five.strength.random_openings(five.core.Rules(3), 100)


# ---- plain Python -----------------------------------------------------------------------


@pytest.mark.parametrize("make", [five.core.classic_reference, five.core.plain_uct_reference])
def test_a_plain_player_takes_the_only_five(make):
    game = five.core.Game.from_text("a1 a3 b1 b3 c1 c3 d1 h8")
    assert make(300)(game, seed=1) == five.core.to_point("e1", game.rules)


def test_the_plain_classic_blocks_the_only_five():
    game = five.core.Game.from_text("a1 a3 b1 b3 c1 h8 d1")
    assert five.core.point_name(five.core.classic_reference(50)(game, seed=1), 8) == "e1"


def test_plain_players_repeat_with_their_seed_and_play_to_the_end():
    players = five.core.classic_reference(10), five.core.plain_uct_reference(10)
    tables = [
        five.strength.play_match(*players, 2, five.core.Rules(6), seed=2) for _ in range(2)
    ]
    assert tables[0].moves.tolist() == tables[1].moves.tolist()


# ---- speed ------------------------------------------------------------------------------


def test_the_speed_table_is_filled_by_a_small_run():
    table = five.strength.speed_table(
        simulations=300, plain_simulations=3, rounds=1, sizes=(8, 10)
    )
    assert (table["per second"] > 0).all()
    assert (table["speed-up over the reference"].dropna() > 1).all()
    assert (
        table["speed-up over the reference"].notna().sum() == len(five.strength.REFERENCES) + 1
    )  # UCT on two boards
    assert five.strength.speed_figure(table).axes


def test_a_simulation_takes_at_most_40_bytes():
    simulations = 50_000
    for size in (8, 15):
        game = five.core.Game.from_text("d4 e5", size)
        for kernels, options in (
            (five.search.plain_game(5), five.search.SearchOptions(max_children=400)),
            (
                five.search.shaped_game(),
                five.search.SearchOptions(max_children=5, forcing_score=2000),
            ),
        ):
            _, used = five.strength.compiled_run(kernels, options, game, simulations)(1)
            assert used / simulations <= 40


def test_a_cold_and_a_warm_start_are_timed(full):
    only_full(full)  # the notebook `strength` shows it
    (_, first_import, first), (_, second_import, second) = five.strength.cold_start()
    assert first_import > 0 and second_import > 0  # how long is for the notebook to say
    assert second < first


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
    five.strength.show_results("ladder", five.strength.rungs_found)
    five.strength.show_puzzles()
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
    five.strength.show_results("ablation", five.strength.ideas_found, lambda row: row.b)
    shown = five.strength.results_rows(table)
    assert shown["won–drawn–lost"].tolist() == ["14–1–5", "2–1–17"]
    assert shown["score of a"].tolist() == ["0.72", "0.12"]
    assert five.strength.results_words(table).startswith(
        "20 games per match, seed 1; made 2026-01-02"
    )


def test_what_the_tables_say():
    low, high = a_result(low=0.4), a_result(board="8×8", low=0.61)
    worse = a_result(b="no solver", low=0.1, high=0.4)
    found = five.strength.ideas_found(pd.DataFrame([low, high, worse]))
    assert "above ½: VCF (8×8)." in found and "contains ½: VCF (15×15)." in found
    assert "Below ½: solver (15×15)." in found
    none = [a_result(lost=0, games=100, begins="empty board")] * 4
    some = [a_result(begins="random stones")] * 4
    said = five.strength.losses_found(pd.DataFrame([*none, *some]))
    assert (
        "From empty board, 0 of 400 games were lost: the chance to lose is below 0.75%" in said
    )
    assert "from random stones, 20 of 80 games were lost: the chance to lose is 16.8" in said
    assert "wins 56 of 80" in five.strength.rungs_found(pd.DataFrame([a_result()] * 4))
    assert "1.50 on 15×15" in five.strength.gains_found(pd.DataFrame([a_result()]))

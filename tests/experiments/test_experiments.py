"""The script behind the tables of matches: tables, resumed matches, settings, rivals."""

import os
import subprocess
import sys
from functools import partial

import five_in_a_row as five
import pandas as pd
import pytest
from five_in_a_row.cache import jit

from experiments import behaviour, kinds, matches, puzzles, registry, results, store, strength
from experiments.__main__ import address_fault, main
from experiments.kinds.five_in_a_row import BRIEF, FULL
from experiments.registry import TABLES
from experiments.training import attacks, openings, places, policy


@pytest.fixture(autouse=True)
def elsewhere(apart):
    """Write no result into the project."""
    return apart


def short(player):
    """Return such a player that has very little time."""
    return type(player)(**player.settings | {"seconds": 0.002})


NO_MATCHES = {
    "puzzles",
    "attacks",
    "cut",
    "defence",
    "page-rates",
    "sizes",
    "beginnings",
    "advice",
    "leaders",
    "leaders-15",
}


@pytest.mark.parametrize(
    "name", sorted({n for n in TABLES if TABLES[n].study == "strength"} - NO_MATCHES)
)
def test_every_table_has_its_matches(name, monkeypatch):
    rows = []

    def match(table, a, b, size, games, jobs, begins="", **shown):
        rows.append((a[0], b[0], begins, size))
        five.strength.check_players(a=a[1], b=b[1])
        assert games % 2 == 0 and table == name
        return {"a": a[0], "b": b[0], "board": size, "begins": begins, **shown}

    monkeypatch.setattr(strength, "match", match)
    results.make(TABLES[name])
    assert len(set(rows)) == len(rows) >= 2 and {size for *_, size in rows} <= {8, 15}
    path = store.RESULTS / f"{name}.csv"
    table = pd.read_csv(path, dtype=str)
    assert len(table) == len(rows) and {"made", "engine", "machine"} <= set(table.columns)
    table.loc[1:, "made"] = "2026-01-02"
    five.strength.keep_results(
        table.assign(b=["another", *table.b[1:]]).set_index("a"), name, store.RESULTS
    )
    results.make(TABLES[name])  # only the first row differs from what is there
    again = pd.read_csv(path, dtype=str)
    assert again.equals(table) and again.made[0] != "2026-01-02"


@pytest.mark.parametrize(
    "name", sorted({n for n in TABLES if TABLES[n].study == "strength"} - NO_MATCHES)
)
def test_a_table_of_long_searches_rests_on_cases_of_long_searches(name, monkeypatch):
    """A fingerprint holds at the budget of its table; see kinds.five_in_a_row.BRIEF."""
    players = []
    monkeypatch.setattr(
        strength, "match", lambda table, a, b, *_, **__: players.extend((a[1], b[1]))
    )
    list(TABLES[name].function(2, 1))
    long = set()
    for player in players:
        seconds, simulations = (
            player.settings.get(x) or 0 for x in ("seconds", "simulations")
        )
        if seconds > BRIEF[0] or simulations > BRIEF[1]:
            long.add(type(player).__name__)
    named = {"EnginePlayer": "engine", "PlainUCT": "plain"}
    assert {f"{named[each]} at length" for each in long} <= set(TABLES[name].kinds)
    assert bool(long) == (name in {"ablation", "ladder"})


def test_another_share_of_a_long_budget_is_another_fingerprint(monkeypatch):
    kind = kinds.load()["engine at length"]
    case = list(kind.cases())[3]
    found = []
    for doubt in (FULL.doubt, 0.3):
        think = partial(five.engine.think, options=FULL._replace(doubt=doubt))
        monkeypatch.setattr(five.engine, "think", think)
        found.append(kind.find(case)["digest"])
    assert found[0] != found[1]


def test_a_match_is_played_once_and_kept():
    one, other = short(strength.engine()), short(strength.engine(reuse=False))
    row = strength.match("ladder", ("reuse", one), ("none", other), 8, 4, 1)
    assert row["won"] + row["drawn"] + row["lost"] == row["games"] == 4
    assert row["simulations a move a"] > 0
    kept = list(store.GAMES.glob("*.csv"))
    before = kept[0].read_text("utf-8")
    again = strength.match("ladder", ("reuse", one), ("none", other), 8, 4, 1)
    assert again == row and kept[0].read_text("utf-8") == before


def test_a_player_that_has_changed_ends_a_command_in_a_sentence(
    elsewhere, monkeypatch, capsys
):
    def check(*names):
        raise behaviour.StaleError(f"the player has changed ({names[0]}): write it again")

    monkeypatch.setattr(behaviour, "check", check)
    assert main(["levels", "--games", "2"]) == 2
    assert capsys.readouterr().err.startswith("the player has changed (engine level 3)")
    assert not list(elsewhere.iterdir())  # nothing was begun


def test_random_games_in_place_of_a_look_begin_at_the_leaf():
    game = five.game.Game.from_text("o9o6l9k9k8j7j10l7i7j5i8i5i9i10", 15)
    mean = five.engine.random_games(game, 20_000, 1)
    for count, allowed in ((1, 1.1), (4_000, 0.08)):  # +1 or -1; five standard errors
        kernels = five.engine.games_at_leaf(count)
        workspace = five.search.new_search(kernels, game, seed=1)
        kernels.reset(workspace)
        assert abs(run_once(kernels.rollout)(workspace) - mean) < allowed


def run_once(kernel):
    """Return a compiled function that calls a kernel."""
    return jit(lambda workspace: kernel(workspace))


def test_puzzles_are_counted_by_kind(monkeypatch):
    monkeypatch.setattr(strength, "PUZZLE_SECONDS", 0.01)
    results.make(TABLES["puzzles"], 2, 1)
    table = pd.read_csv(store.RESULTS / "puzzles.csv", index_col="kind")
    assert {"five", "VCF", "VCT", "only defence", "trap"} <= set(table.index)
    assert (table.puzzles == 2).all() and table["engine 0.01 s"]["five"] == 2
    assert (table[["plain UCT 0.01 s", "classic 0.01 s"]] <= 2).all(axis=None)


def test_attacks_are_found_in_own_games_and_counted_by_doubt(tmp_path, monkeypatch):
    monkeypatch.setattr(attacks, "FOLDER", tmp_path)
    monkeypatch.setattr(puzzles, "FOLDER", tmp_path)
    attacks.find(tmp_path / "whole", 2, seed=3, simulations=300)
    attacks.find(tmp_path / "attacks.txt", 1, seed=3, simulations=300)
    assert attacks.main(["--seed", "4", "--out", str(tmp_path / "whole")]) == 2
    attacks.find(tmp_path / "attacks.txt", 2, seed=3, simulations=300)
    assert (tmp_path / "attacks.txt").read_bytes() == (tmp_path / "whole").read_bytes()
    for puzzle in puzzles.read_puzzles("attacks.txt"):
        for point in puzzle.listed:
            assert not attacks.attack_after(puzzle.game, point, attacks.HOLDS)
    monkeypatch.setattr(strength, "ATTACK_SECONDS", (0.01,))
    results.make(TABLES["attacks"], 2, 1)
    (row,) = pd.read_csv(store.RESULTS / "attacks.csv").to_dict("records")
    assert row["positions"] == 2 and 0 <= row["as it is"] <= 2
    assert (
        strength.LONGER_DOUBT > strength.FULL.doubt > five.engine.DOUBT
    )  # the columns differ


def test_page_and_package_are_asked_in_turns(chromium):
    results.make(TABLES["page-rates"], 1, 1)
    table = pd.read_csv(store.RESULTS / "page-rates.csv")
    assert list(zip(table.search, table.board, strict=True)) == [
        (search, board) for board in ("8×8", "15×15") for search in ("engine", "plain")
    ]
    assert (table[["page", "package"]] > 0).all(axis=None) and (table.positions == 1).all()
    assert table.browser.str.match(r"Chromium \d+$").all()


def test_games_by_board_size_are_counted_by_colour(monkeypatch):
    winners = pd.Series(["a", "b", "draw", "a"])
    games = pd.DataFrame({"winner": winners, "black": ["a", "a", "a", "b"]})
    games = games.assign(plies=[9, 10, 25, 10], moves=["d4", "e4", "a1", "e4"])
    for side, seconds, made in (("a", 0.2, 100), ("b", 0.4, 300)):
        games[f"seconds {side}"], games[f"simulations {side}"] = seconds, made
    games["opening"] = ""
    monkeypatch.setattr(matches, "played", lambda *args: games)
    row = next(strength.sizes(4, 1))
    assert (row["won"], row["drawn"], row["lost"]) == (1, 1, 2)
    assert row["different games"] == 3 and row["plies"] == 13.5
    assert (row["different won"], row["different lost"]) == (1, 1)  # the fourth is a copy
    assert row["simulations a move"] == 30 and "ms a move" not in row  # no budget of time


# -- the command ---------------------------------------------------------------------------
def test_an_unknown_table_is_refused(elsewhere, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["levels", "no-such-table"])
    assert stop.value.code == 2
    assert "no table 'no-such-table': there are ablation, ladder" in capsys.readouterr().err
    assert not list(elsewhere.iterdir())  # nothing was begun


def test_the_tables_of_all_studies_are_listed(capsys):
    assert main(["--list"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("ablation", "connect-perfect", "ludo-pairs"))
    stored = {path.stem for path in (store.FOLDER / "results").glob("*.csv")}
    kept = {"speed", "threads", "ablation-earlier"}  # and of ideas gone
    kept |= {"outside"}  # programs that are not here
    assert stored - kept <= registry.load().keys()
    assert all("\n" not in table.function.__doc__ for table in TABLES.values())


def test_a_trial_keeps_apart_from_the_table_of_its_study(elsewhere, monkeypatch, capsys):
    """A file of the study's match is of other openings: the trial must not go on in it."""
    chance = ("one", five.mcts.RandomPlayer()), ("two", five.mcts.RandomPlayer())

    def table(games, jobs):
        kept = store.store("strength").rows("found", ["what"], ["worth"])
        yield strength.match("levels", *chance, 8, games // 2, jobs) | {
            "worth": kept.of("a", lambda: [games])[0]
        }

    usual = TABLES["levels"]._replace(function=table, number=8)
    monkeypatch.setattr(registry, "load", lambda: {"levels": usual})
    assert main(["levels"]) == main(["levels", "--games", "2"]) == 0
    said = capsys.readouterr().out
    assert "levels: 2 games, not 8: too few for the figure of its study" in said
    whole = pd.read_csv(elsewhere / "levels.csv")
    few = pd.read_csv(elsewhere / "trials" / "2" / "levels.csv")
    assert (whole.games[0], few.games[0]) == (4, 2)
    assert whole.worth[0] == few.worth[0] == 8  # what the study knows is not found again


@pytest.mark.parametrize(
    "asked, said",
    [
        ("levels --games 1", "'1' is not a whole number from 2 to 1,000,000"),
        ("levels --games 3", "needs pairs"),
        ("cut --cluster 127.0.0.1", "is like tcp://"),
        ("cut --cluster tcp://cluster:8786", "use tls://cluster:8786"),
    ],
)
def test_wrong_options_are_refused(elsewhere, capsys, asked, said):
    with pytest.raises(SystemExit) as stop:
        main(asked.split())
    assert stop.value.code == 2 and said in capsys.readouterr().err
    assert not list(elsewhere.iterdir())


@pytest.mark.parametrize(
    ("command", "asked", "said"),
    [
        (openings, "--count 0", "'0' is not a whole number from 1"),
        (openings, "--out nowhere/a.txt", "there is no folder nowhere"),
        (attacks, "--out .", ". is a folder"),
        (policy, "play a.npz --minutes nan", "'nan' is not a number from 0"),
        (places, "fit a.npz --epochs 0", "'0' is not a whole number from 1"),
    ],
)
def test_nonsense_is_refused_before_anything_is_played(
    tmp_path, monkeypatch, capsys, command, asked, said
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        command.main(asked.split())
    assert stop.value.code == 2 and said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_file_that_play_has_not_written_is_named(tmp_path, capsys):
    (tmp_path / "games.npz").write_bytes(b"PK\x03\x04 a zip that was cut")
    files = [str(tmp_path / "games.npz"), "--out", str(tmp_path / "out")]
    assert places.main(["fit", *files]) == 2
    assert "games.npz is no file from play, or is damaged" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# -- a terminal as it is ---------------------------------------------------------------------
def in_a_shell(root, action, output):
    """Return (exit code, errors) of a process that runs `action` as a command line."""
    code = f"import sys\nfrom experiments.command import run\nrun(lambda: {action})"
    process = subprocess.run(
        [sys.executable, "-c", code],
        stdout=output,
        stderr=subprocess.PIPE,
        cwd=root,
        text=True,
    )
    return process.returncode, process.stderr


def test_a_reader_that_has_gone_ends_a_command_quietly(root):
    for flush in (False, True):
        reads, writes = os.pipe()
        os.close(reads)
        with open(writes, "w") as pipe:
            assert in_a_shell(root, f"print('a', flush={flush})", pipe) == (141, "")


def test_an_interrupt_and_a_full_disk_end_a_command_in_a_sentence(root):
    null = subprocess.DEVNULL
    code, said = in_a_shell(root, "exec('raise KeyboardInterrupt')", null)
    assert (code, said) == (130, "interrupted: what is finished is kept\n")
    full = """exec('raise OSError(28, "No space left", "a.csv")')"""
    code, said = in_a_shell(root, full, null)
    assert code == 2 and said == "OSError: [Errno 28] No space left: 'a.csv'\n"
    assert in_a_shell(root, "sys.exit(3)", null) == (3, "")


@pytest.mark.parametrize("address", ["tcp://[::1]:1", "tls://a-host.b:8786"])
def test_this_machine_and_tls_are_accepted(address):
    assert address_fault(address) is None


def test_an_unreadable_archive_ends_a_command_in_a_sentence(monkeypatch, capsys):
    store.GAMES.mkdir()
    (store.GAMES / "strength.tar.xz").write_bytes(b"no archive")
    assert main(["sizes"]) == 2
    err = capsys.readouterr().err
    assert "strength.tar.xz cannot be read" in err and "git checkout" in err
    assert (store.GAMES / "strength.tar.xz").read_bytes() == b"no archive"


def test_intervals_are_computed_anew_from_the_counts(elsewhere, capsys):
    head = "a,b,games,won,drawn,lost,score,low,high,ms a move a,made"
    row = "full,no VCF,40,10,30,0,0.1,0.2,0.3,12345.0,2026-11-23"
    path = store.RESULTS / "ladder.csv"
    path.write_text(f"{head}\n{row}\n", "utf-8")
    (store.RESULTS / "cut.csv").write_text("kind,puzzles\nfive,8\n", "utf-8")
    assert main(["--recount"]) == 0
    assert path.read_text("utf-8") == f"{head}\n{row}\n".replace(
        "0.1,0.2,0.3", "0.625,0.5702,0.701"
    )
    assert capsys.readouterr().out == "counted experiments/results/ladder.csv anew\n"

"""Matches of Connect-4 in threads, on a cluster of processes, and after a stop."""

import math
import os
import signal
from functools import partial
from pathlib import Path

import five_in_a_row as five
import joblib
import psutil
import pytest
from five_in_a_row import connect_four as four
from five_in_a_row import connect_grid
from five_in_a_row import connect_report as report
from helpers import FunctionPlayer

from experiments import __main__, matches, registry, store

RULES = connect_grid.four_rules()
PLAYERS = {
    "plain UCT": (four.FourUCT(simulations=60), four.FourUCT(simulations=20)),
    "agents that keep their trees": (
        report.Agent(simulations=40),
        five.engine.EnginePlayer(simulations=20),
    ),
    "agents with one tree": tuple(report.sharing({"simulations": 40}, {"simulations": 20})),
}


def match(players=PLAYERS["plain UCT"], **changes):
    """Return the table of a match from openings of its own."""
    settings = {"games": 6, "rules": RULES, "seed": 7, "openings": ["d1", "a1 b1", "c1 c2"]}
    return five.strength.play_match(*players, **(settings | changes))


def results_of(table):
    """Return the table of a match without its seconds."""
    return table.drop(columns=["seconds a", "seconds b"])


def same(table, other):
    """Return whether two tables of a match agree in all but their seconds."""
    return results_of(table).equals(results_of(other)) and table.attrs == other.attrs


class StoppedPlayer:
    """A player as another, but after moves[0] more moves it raises KeyboardInterrupt."""

    name = "stopped"

    def __init__(self, player, *, moves: list[float]):
        self.player, self.moves = five.strength.fresh_player(player), moves
        self.result = None
        self.settings = {"player": player, "moves": moves}

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the player's move, or raise KeyboardInterrupt."""
        self.moves[0] -= 1
        if self.moves[0] < 0:
            raise KeyboardInterrupt
        return self.player.move(game, seed)


@pytest.fixture(scope="module")
def cluster():
    """Return the client of a cluster of two processes on this machine."""
    from distributed import Client, LocalCluster  # which no other worker has to load

    settings = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "host": "127.0.0.1",
    }
    with (
        LocalCluster(**settings, dashboard_address="127.0.0.1:0") as here,
        Client(here) as client,
    ):
        yield client


# -- in threads ----------------------------------------------------------------------------
@pytest.mark.parametrize("players", PLAYERS)
def test_two_jobs_play_the_match_of_one(players):
    assert same(match(PLAYERS[players], jobs=2), match(PLAYERS[players]))


# -- on a cluster --------------------------------------------------------------------------
@pytest.mark.parametrize("players", PLAYERS)
def test_a_cluster_plays_the_match_of_one_process(cluster, players):
    with joblib.parallel_config(backend="dask"):
        far = match(PLAYERS[players])
    assert same(far, match(PLAYERS[players]))


def test_the_processes_of_the_cluster_play(cluster):
    with joblib.parallel_config(backend="dask"):
        found = list(five.strength.in_parallel(process, range(40), 1, False))
    numbers = set(cluster.run(process, None).values())
    assert len(numbers) == 2 and set(found) <= numbers and process(None) not in numbers


def test_the_cluster_listens_to_this_machine_only(cluster):
    here = psutil.Process()
    processes = here, *here.children(recursive=True)
    sockets = [socket for process in processes for socket in process.net_connections()]
    listening = {socket.laddr.ip for socket in sockets if socket.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}


def process(_):
    """Return the number of this process."""
    return os.getpid()


def test_an_error_on_the_cluster_names_the_player(cluster):
    def broken(game, seed=None):
        raise ZeroDivisionError("one over nothing")

    with (
        joblib.parallel_config(backend="dask"),
        pytest.raises(ValueError, match="player a .* failed at move .: one over nothing"),
    ):
        match((FunctionPlayer(broken), five.mcts.RandomPlayer()))


# -- after a stop --------------------------------------------------------------------------
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stopped_match_goes_on(tmp_path, jobs):
    left, path = [math.inf], tmp_path / "match.csv"
    players = (
        StoppedPlayer(four.FourUCT(simulations=60), moves=left),
        four.FourUCT(simulations=20),
    )
    whole = match(players)
    left[0] = 25
    with pytest.raises(KeyboardInterrupt):
        match(players, path=path, jobs=jobs)
    assert 0 < len(five.strength.read_match(path, whole.attrs["settings"])) < 6
    left[0] = math.inf
    assert same(match(players, path=path, jobs=jobs), whole)


def test_what_one_process_began_a_cluster_ends(cluster, tmp_path):
    path = tmp_path / "match.csv"
    begun = match(games=4, path=path)
    with joblib.parallel_config(backend="dask"):
        ended = match(path=path)
    assert same(ended, match()) and ended[:4].equals(begun)  # those four are read, not played


def killer(mark, game, seed=None):
    """A random player; the first to come to move 3 of a game kills its process."""
    if len(game.moves) == 3 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return five.mcts.RandomPlayer().move(game, seed)


def test_a_worker_that_is_killed_in_mid_table_changes_nothing(
    cluster, apart, tmp_path, monkeypatch
):
    mark = tmp_path / "killed"
    murder = FunctionPlayer(partial(killer, str(mark)))
    pair = ("killer", murder), ("chance", five.mcts.RandomPlayer())

    def table(games, jobs):
        """A match."""
        yield matches.match("policies", *pair, RULES, games, jobs, timed=False)

    usual = registry.load()["policies"]._replace(function=table, number=6)
    monkeypatch.setattr(registry, "load", lambda: {"policies": usual})

    def made(*how):
        """Return the table and what its games are but for their seconds."""
        assert __main__.main(["policies", *how]) == 0
        (data,) = store.store("connect_four").files().values()
        games = {line.rsplit(",", 2)[0] for line in data.decode().splitlines()}
        return (apart / "policies.csv").read_text(), games

    far = made("--cluster", cluster.scheduler.address)
    assert mark.exists() and len(far[1]) == 2 + 6
    monkeypatch.setattr(store, "GAMES", tmp_path / "again")
    assert made() == far  # the mark is there: nothing is killed

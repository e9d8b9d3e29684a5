"""Every kind of player still plays the moves that its fingerprint was made from."""

import sys

import five_in_a_row as five
import pandas as pd
import pytest
from helpers import FunctionPlayer

from experiments import behaviour, kinds, registry, store

STORED = behaviour.stored()
NAMES = list(dict.fromkeys(row["kind"] for row in STORED))
SHARED = {"Bayesian search": "Bayes-UCT2"}  # instead of the last: other tests compile it too


# -- every kind ----------------------------------------------------------------------------
@pytest.mark.parametrize("kind", NAMES)
def test_a_player_plays_as_its_fingerprint_says(kind, full):
    """By default a few rows: most players of a kind compile a search of their own.

    One player plays in an eighth of its cases; of several, the last plays in a third.
    """
    chosen = rows = [row for row in STORED if row["kind"] == kind]
    several = len({row.get("player") for row in rows}) > 1
    if several and not full:
        player = SHARED.get(kind, rows[-1]["player"])
        chosen = [row for row in rows if row["player"] == player]
    for row in chosen[:: 1 if full else 3 if several else 8]:
        assert behaviour.again(row) == row


def test_every_case_is_stored_and_every_table_rests_on_stored_kinds():
    assert kinds.load().keys() == set(NAMES)
    assert {kind for table in registry.load().values() for kind in table.kinds} <= set(NAMES)
    for name in NAMES:
        cases = list(kinds.load()[name].cases())
        rows = [row for row in STORED if row["kind"] == name]
        assert len(rows) == len(cases) >= 10
        assert all(row | case == row for row, case in zip(rows, cases, strict=True))


# -- codes ---------------------------------------------------------------------------------
def test_a_search_that_visits_one_node_more_has_another_fingerprint():
    other = [row | {"made": row["made"] + 1} if row is STORED[0] else row for row in STORED]
    changed = behaviour.fingerprints(other).items() - behaviour.fingerprints(STORED).items()
    assert [kind for kind, _ in changed] == [STORED[0]["kind"]]


def test_a_code_is_of_the_kinds_and_not_of_their_order():
    assert behaviour.code("engine") == behaviour.fingerprints(STORED)["engine"]
    assert behaviour.code("engine", "plain") == behaviour.code("plain", "engine")
    assert len({behaviour.code("engine", other) for other in NAMES}) == len(NAMES)
    with pytest.raises(KeyError):
        behaviour.code("no such kind")


def test_notebooks_know_the_fingerprints_of_today():
    known = five.strength.players_now(store.RESULTS)
    assert known == {name: table.code() for name, table in registry.load().items()}


def test_a_table_of_earlier_players_says_so():
    row = {"made": "2026-01-02", "engine": "aaaaaaaa", "numba": "1", "machine": "m"}
    for now, said in (("aaaaaaaa", False), (None, False), ("bbbbbbbb", True)):
        words = five.strength.made_words(pd.Series(row | {"players now": now}))
        assert ("an earlier version of today's" in words) == said
        counts = {"games": 10, "players now": now, "engine": "aaaaaaaa"}
        assert (
            "played by an earlier" in five.strength.games_words(pd.DataFrame([counts]))
        ) == said


def test_a_table_that_nobody_can_make_again_is_of_earlier_players():
    for name in ("threads", "ablation-earlier"):
        assert five.strength.earlier_words(five.strength.read_results(name, store.RESULTS))


def test_a_player_that_plays_otherwise_is_refused(monkeypatch):
    first = FunctionPlayer(lambda game, seed: game.legal()[0])
    monkeypatch.setattr(five.mcts, "RandomPlayer", lambda: first)
    with pytest.raises(behaviour.StaleError, match="has changed .random.: python experiments"):
        behaviour.check("random")
    monkeypatch.undo()
    behaviour.check("random")


def test_a_study_whose_notebook_is_not_there_is_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "five_in_a_row.ludo", None)  # importing it fails
    monkeypatch.delattr(five, "ludo", raising=False)
    monkeypatch.delitem(sys.modules, "experiments.kinds.ludo", raising=False)
    kinds.load.cache_clear()
    assert kinds.load().keys() == {name for name in NAMES if not name.startswith("Ludo")}
    kinds.load.cache_clear()

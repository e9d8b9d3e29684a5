"""Pondering: the engine thinks on while the other side does."""

import threading

import five_in_a_row as five
import pytest
from five_in_a_row.game import Game, Rules
from five_in_a_row.strength import Pondering
from helpers import PATIENCE, found_by


def test_the_engine_ponders_until_it_is_asked(monkeypatch):
    game, enough, think = Game.from_text("h8 i9", 15), threading.Event(), five.engine.think

    def watch(thought):
        if thought.simulations > 3_000:
            enough.set()

    def watched(game, **asked):
        pondering = threading.current_thread() is not threading.main_thread()
        return think(game, **asked, on_progress=watch if pondering else None)

    monkeypatch.setattr(five.engine, "think", watched)
    player = Pondering(simulations=500, ponder=600)
    game.play(player.move(game, seed=3))
    thread = player.thread
    assert enough.wait(PATIENCE)
    player.rest()
    assert not thread.is_alive() and player.thread is None
    game.play(player.engine.tree.root.line()[0])  # what is expected
    again = found_by(player, game, seed=3)
    assert again.visits.sum() > 1_500 and again.simulations == 500
    player.rest()
    assert player.thread is None


def test_the_engine_does_not_ponder_about_a_finished_game():
    game = Game.from_text("a1 b2 a2 b3 a3 b4 a4 c8", 8)
    player = Pondering(simulations=100, ponder=60)
    game.play(player.move(game))
    assert game.over and player.thread is None


def test_pondering_ends_with_the_match():
    made = []

    class Watched(Pondering):
        def __init__(self, **settings):
            super().__init__(**settings)
            made.append(self)

    player = Watched(simulations=50, ponder=60)
    table = five.strength.play_match(player, five.mcts.RandomPlayer(), 2, Rules(8))
    assert table.attrs["wins"] == 2 and len(made) == 3
    assert all(each.thread is None for each in made)


@pytest.mark.parametrize("ponder", [-1, True, "long", None, float("nan")])
def test_a_wrong_time_to_ponder_is_refused(ponder):
    with pytest.raises(ValueError, match="ponder must be a number from 0 up"):
        Pondering(ponder=ponder)

"""Pondering: the engine thinks on while the other side does."""

import threading

import five_in_a_row as five
import pytest
from five_in_a_row.game import Game, Rules
from five_in_a_row.strength import Pondering
from helpers import PATIENCE


def test_the_engine_ponders_until_it_is_asked():
    game, enough = Game.from_text("h8 i9", 15), threading.Event()

    def watch(thought):
        pondering = threading.current_thread() is not threading.main_thread()
        if pondering and thought.simulations > 3_000:
            enough.set()

    player = Pondering(simulations=500, ponder=600, on_progress=watch)
    thought = player(game, seed=3)
    thread = player.thread
    game.play(thought.move)
    assert enough.wait(PATIENCE)
    player.rest()
    assert not thread.is_alive() and player.thread is None
    game.play(player.engine.tree.root.line()[0])  # what is expected
    again = player(game, seed=3)
    assert again.visits.sum() > 1_500 and again.simulations == 500
    player.rest()
    assert player.thread is None


def test_the_engine_does_not_ponder_about_a_finished_game():
    game = Game.from_text("a1 b2 a2 b3 a3 b4 a4 c8", 8)
    player = Pondering(simulations=100, ponder=60)
    game.play(player(game).move)
    assert game.over and player.thread is None


def test_pondering_ends_with_the_match():
    made = []

    def make():
        made.append(Pondering(simulations=50, ponder=60))
        return made[-1]

    table = five.strength.play_match(make, five.mcts.random_player, 2, Rules(8))
    assert table.attrs["wins"] == 2
    assert all(player.thread is None for player in made)


@pytest.mark.parametrize("ponder", [-1, True, "long", None, float("nan")])
def test_a_wrong_time_to_ponder_is_refused(ponder):
    with pytest.raises(ValueError, match="ponder must be a number from 0 up"):
        Pondering(ponder=ponder)

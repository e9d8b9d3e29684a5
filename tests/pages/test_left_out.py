"""What was left out: two trees, pondering, time by position, around the engine."""

import threading

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.game import Game, Rules
from five_in_a_row.strength import (
    AdaptiveTime,
    Pondering,
    TwoTrees,
    adaptive_time,
    add_thoughts,
)
from helpers import PATIENCE, found_by

QUIET = "h8 i9 g9 h10"


# -- two trees -----------------------------------------------------------------------------
def test_two_trees_share_the_simulations_and_add_their_visits():
    thought = found_by(TwoTrees(simulations=4_000), Game.from_text(QUIET, 15), 1)
    assert thought.simulations == thought.visits.sum() == 4_000
    assert thought.visits.flat[thought.move] == thought.visits.max()


def test_two_trees_repeat_from_their_seed_and_differ_from_each_other():
    game = Game.from_text(QUIET, 15)
    first, again = (found_by(TwoTrees(simulations=2_000), game, 7) for _ in range(2))
    assert (first.visits == again.visits).all()
    player = TwoTrees(simulations=2_000)
    player.move(game, 7)
    one, other = (engine.tree.nodes["N"][:200] for engine in player.engines)
    assert (one != other).any()


def test_two_trees_keep_their_trees_from_move_to_move():
    game, player = Game.from_text(QUIET, 15), TwoTrees(simulations=2_000)
    game.play(player.move(game, 1))
    game.play(player.engines[0].tree.root.best().best().point)
    assert found_by(player, game, 1).visits.sum() > 2_000


def test_one_proof_counts_for_all_trees():
    game = Game.from_text("d4 e5", 8)
    first, second = (five.engine.think(game, simulations=100, seed=s) for s in (1, 2))
    second.proven, second.move = 1, 3
    both = add_thoughts([first, second])
    assert both.proven == 1 and both.move == 3


def test_a_move_that_one_tree_knows_to_lose_is_not_played():
    game = Game.from_text(QUIET, 15)
    first, second = (five.engine.think(game, simulations=500, seed=s) for s in (1, 2))
    favourite = add_thoughts([first, second]).move
    (child,) = (child for child in second.tree.root.children if child.point == favourite)
    second.tree.nodes["status"][child.index] = five.search.LOST
    both = add_thoughts([first, second])
    assert both.move != favourite and both.visits.flat[favourite] == 0


def test_a_forced_move_needs_no_tree():
    thought = found_by(TwoTrees(simulations=100), Game.from_text("b4a4c4h8d4h6e4h4"))
    assert (thought.name, thought.why, thought.simulations) == ("f4", "five", 0)


# -- pondering -----------------------------------------------------------------------------
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
    before = threading.active_count()
    player = Pondering(simulations=50, ponder=60)
    table = five.strength.play_match(player, five.mcts.RandomPlayer(), 2, Rules(8))
    assert table.attrs["wins"] == 2 and threading.active_count() == before


@pytest.mark.parametrize("ponder", [-1, True, "long", None, float("nan")])
def test_a_wrong_time_to_ponder_is_refused(ponder):
    with pytest.raises(ValueError, match="ponder must be a number from 0 up"):
        Pondering(ponder=ponder)


# -- time by position ----------------------------------------------------------------------
def tree_with(visits):
    """Return a tree whose root moves have that many visits."""
    tree = five.search.Tree(Game(), five.search.plain_game(), five.search.SearchOptions(), 100)
    tree.run(10)
    first, tried = int(tree.nodes["first_child"][0]), int(tree.nodes["num_visited"][0])
    tree.nodes["N"][first : first + tried] = 1
    tree.nodes["N"][first : first + 2] = visits
    return tree


def test_a_clear_move_ends_the_search_at_once_and_a_close_one_gets_twice_the_time():
    assert adaptive_time(tree_with((900, 100)), 1.0, 0.5, 1_000) == 0.5  # cannot be overtaken
    assert adaptive_time(tree_with((900, 500)), 1.0, 0.5, 1_000) == 1.0  # it can
    assert adaptive_time(tree_with((900, 600)), 1.0, 1.1, 1_000) == 2.0  # in doubt: go on
    assert adaptive_time(tree_with((900, 500)), 1.0, 1.1, 1_000) == 1.1  # the time is up


def test_time_by_position_takes_at_most_twice_the_time():
    game, spent = Game.from_text(QUIET, 15), []
    for seed in range(3):
        spent.append(found_by(AdaptiveTime(seconds=0.15), game, seed).seconds)
    assert max(spent) < 0.45 and np.min(spent) > 0

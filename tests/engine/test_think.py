"""think() and the players: moves, budgets, errors, memory, repetition."""

import threading
import time

import five_in_a_row as five
import numpy as np
import pytest
from five_in_a_row.engine import think
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.search import SearchOptions
from helpers import StepClock, board_of, found_by

CONNECT_4 = Rules(7, 4, rows=6, gravity=True)


def four_with_one_end(to_move):
    """Return a position where black has four in a row, open at f4 only."""
    return Game.from_text("b4a4c4h8d4h6e4" + ("h4" if to_move == BLACK else ""))


def test_moves_that_need_no_search_are_played_at_once():
    """A win over the most visited move, a block, a win rather than a block, the only move."""
    for game, names, why in (
        (four_with_one_end(BLACK), ("f4",), "five"),
        (four_with_one_end(WHITE), ("f4",), "blocks five"),
        (Game.from_text("b4b6c4c6d4d6e4e6"), ("a4", "f4"), "five"),
        (Game.from_text("a1b1c1a2b2c2b3a3", rules=Rules(3, 5)), ("c3",), "only move"),
    ):
        thought = think(game, simulations=100)
        assert thought.name in names and (thought.why, thought.simulations) == (why, 0)
        assert thought.line == [thought.move]


@pytest.mark.parametrize("rules", [Rules(3, 3), Rules(20), CONNECT_4])
@pytest.mark.parametrize("budget", [{"seconds": 0}, {"simulations": 0}])
def test_a_budget_of_nothing_still_gives_a_legal_move(rules, budget):
    game = Game(rules)
    for _ in range(4):
        thought = think(game, **budget)
        assert thought.move in game.legal()
        game.play(thought.move)


def test_the_game_is_left_as_it_was():
    game = Game.from_text("d4e4d5")
    game.undo()
    before = (game.array.tolist(), game.played[:], game.undone[:], game.to_move)
    think(game, simulations=500)
    assert before == (game.array.tolist(), game.played, game.undone, game.to_move)


def test_thought_reports_the_search():
    game = Game.from_text("d4")
    thought = think(game, simulations=5000)
    assert thought.simulations == 5000 == thought.visits.sum()
    assert thought.visits.shape == (8, 8) and thought.visits.dtype == np.int64
    assert thought.visits.flat[thought.move] == thought.visits.max()
    assert thought.line[0] == thought.move and thought.why == "most visited"
    visited = thought.visits > 0
    assert np.isnan(thought.values[~visited]).all()
    assert (abs(thought.values[visited]) <= 1).all()
    root = thought.tree.root
    for child in root.children:
        assert thought.values.flat[child.point] == pytest.approx(2 * child.Q - 1)


def test_another_judge_of_leaves_can_be_given_to_the_search():
    game, even = Game.from_text("d4 e5 d5"), five.search.inline_kernel(lambda workspace: 0.0)
    own, other = (five.engine.engine_game(), five.engine.engine_game()._replace(rollout=even))
    first, second, third = (
        think(game, simulations=300, seed=1, kernels=each) for each in (None, own, other)
    )
    assert first.visits.tolist() == second.visits.tolist() != third.visits.tolist()
    assert not third.values.flat[third.move]  # nothing is decided, and nothing judged
    assert think(game, simulations=300, tree=third.tree, kernels=other).simulations == 300
    with pytest.raises(ValueError, match="grown by another search"):
        think(game, simulations=300, tree=third.tree)
    with pytest.raises(ValueError, match="kernels must be Kernels or None, not 'plain'"):
        think(game, simulations=300, kernels="plain")


def turnings(cells):
    """Return the eight turnings of a board, itself first."""
    return [np.rot90(each, k) for each in (cells, cells.T) for k in range(4)]


def test_all_turnings_of_a_position_are_one_search():
    game, found = Game.from_text("h8 i9 j8 h10 g7 j11", 15), []
    for places in turnings(np.arange(225).reshape(15, 15)):
        own = Game.from_array(game.array.flat[places], game.to_move)
        player = five.engine.EnginePlayer(simulations=2000)
        for _ in range(2):  # the second time with the tree of the first
            thought, visits = found_by(player, own, 1), np.zeros((15, 15), int)
            visits.flat[places] = thought.visits
            line = places.flat[thought.line].tolist()
            found.append((thought.simulations, thought.why, line, visits.tolist()))
            own.play(thought.line[0])
            own.play(thought.line[1])
    assert found == 8 * found[:2] and found[0] != found[1]


def test_a_long_attack_costs_the_same_in_all_turnings():
    """The one that the search for threats read in seven turnings, and not in the eighth."""
    moves = (
        "l7 j8 l6 k7 l9 l8 j6 k6 k8 i7 k10 k9 l10 j10 i11 j11 j9 i10 i6 h5 h7 i8 h9 j5 m10 j7"
        " g5 j12 l11 l5 m4 m12 k12 j13 j14 n11 k5 m7 n6 i4 l4 m6"
    )
    game, kernels, found = Game.from_text(moves, 15), five.engine.engine_game(), []
    for places in turnings(np.arange(225).reshape(15, 15)):
        own = Game.from_array(game.array.flat[places], game.to_move)
        for kernel in (five.threats.wins_by_fours, five.threats.threats_win):
            won, looked, _, line = five.threats.ask(kernel, kernels, own, 100_000)
            found.append((won, looked, places.flat[line].tolist()))
    assert found == 8 * found[:2] and found[1][0]


def test_the_scores_are_those_that_the_selection_compares():
    for moves in ("d4", "d4 e5 d5 d6", "d4 e5 d5 d6 c4 b4"):
        thought = think(Game.from_text(moves), simulations=3000, seed=1)
        tree = thought.tree
        chosen = five.engine.puct_kernel(tree.workspace, tree.nodes, 0, 0, tree.options)
        score = thought.scores.flat[tree.places[tree.nodes["move"][chosen]]]
        assert thought.rule == "PUCT" and score == pytest.approx(np.nanmax(thought.scores))
        plain = found_by(five.PlainUCT(simulations=3000), Game.from_text(moves))
        root = plain.tree.root
        assert plain.rule == "UCB" and len(root.children) == (plain.visits > 0).sum() > 50
        for child in root.children:
            bound = child.Q + 0.5 * np.sqrt(np.log(root.N) / child.N)
            assert plain.scores.flat[child.point] == pytest.approx(bound)


@pytest.mark.parametrize("per_simulation", [1e-6, 1e-3])
def test_the_deadline_is_overrun_by_less_than_20_ms(per_simulation, monkeypatch):
    """However fast the machine is: time passes by simulations made, not by this machine."""
    made = [0]
    run = five.search.Tree.run

    def counted(tree, simulations):
        made[0] += simulations
        run(tree, min(simulations, 5))
        return simulations

    monkeypatch.setattr(five.search.Tree, "run", counted)
    thought = think(Game(Rules(20)), seconds=0.3, clock=lambda: made[0] * per_simulation)
    assert 0.3 <= thought.seconds < 0.3 + 0.02


def test_whichever_budget_is_reached_first_ends_the_search():
    assert think(Game(), seconds=1000, simulations=300).simulations == 300
    most = five.search.MOST_VISITS
    assert think(Game(), seconds=0.1, simulations=most, clock=StepClock(0.01)).seconds < 0.12


def test_the_most_simulations_are_said_and_kept(monkeypatch):
    with pytest.raises(ValueError, match="simulations must be at most 33,554,431"):
        think(Game(), simulations=five.search.MOST_VISITS + 1)
    monkeypatch.setattr(five.search, "MOST_VISITS", 700)
    first = think(Game(), seconds=1000)
    again = think(Game(), simulations=300, tree=first.tree)
    assert first.simulations == 700 and again.simulations == 0
    assert first.why == again.why == "search limit of 33,554,431 reached"
    assert first.visits.flat[first.move] == first.visits.max()


def test_a_stop_flag_ends_the_search():
    stop = threading.Event()
    reports = []

    def report(thought):
        reports.append(thought)
        stop.set()

    thought = think(Game(), seconds=1000, stop=stop, on_progress=report)
    assert len(reports) == 1 and thought.simulations >= reports[0].simulations > 0


def test_a_favourite_that_loses_by_threats_is_given_up():
    """An attack of 25 plies refutes the move that a short search prefers."""
    game = Game.from_text("l7 j8 l6 k7 l9 l8 j6 k6 k5 k9 k8 i7 h6 j10 m7 j4", 15)
    sure = think(game, simulations=2_000, options=SearchOptions(doubt=0))
    found = think(game, simulations=60_000)
    lost = [
        child.point for child in found.tree.root.children if child.status == five.search.LOST
    ]
    assert sure.name == "j11" and sure.move in lost and found.move not in lost
    for point in lost:
        after = game.copy()
        after.play(point)
        assert five.threats.threats_win(
            board_of(after), 1 if after.to_move == 1 else 2, 300_000
        )


@pytest.mark.parametrize("simulations", [200, 201])
def test_what_a_doubt_marks_is_lost_wherever_the_search_ended(simulations):
    """The last simulation leaves its leaf on the board, with black or white to move."""
    game = Game.from_text("k11 i7 l10 j12 l11", 15)
    options = five.search.check_options(SearchOptions())
    tree = five.search.Tree(game, five.engine.engine_game(), options, 2_000)
    tree.run(simulations)
    five.engine.doubt_favourite(tree.nodes, tree.workspace, 8_000)
    lost = [child.point for child in tree.root.children if child.status == five.search.LOST]
    assert lost
    for point in lost:
        after = game.copy()
        after.play(point)
        assert five.threats.threats_win(board_of(after), 1, 100_000)


def test_a_favourite_that_was_cleared_is_not_asked_again():
    """Every threat after it has been tried; with too few positions it is asked once more."""
    options = five.search.check_options(SearchOptions())
    tree = five.search.Tree(
        Game.from_text("h8 i9 g9", 15), five.engine.engine_game(), options, 2_000
    )
    tree.run(200)
    best = int(tree.nodes["move"][five.engine.favourite(tree.nodes)])
    for positions, cleared in ((1, -1), (8_000, best)):
        five.engine.doubt_favourite(tree.nodes, tree.workspace, positions)
        assert tree.workspace.cleared == cleared
    tree.workspace.budget = 77  # which a search for threats would set
    five.engine.doubt_favourite(tree.nodes, tree.workspace, 8_000)
    assert tree.workspace.budget == 77 and tree.workspace.cleared == best


LOST_15 = (  # positions that are lost by threats
    "h8 h7 j9 g7 j7 g6 g9 e4 i8 d3 f5",
    "g7 f6 i9 j8 k7 f5 j6 e6 i5 l8 i7 h8 k8 i8 f7 h7 g6 g4 d7",
)


@pytest.mark.parametrize("moves", LOST_15)
@pytest.mark.parametrize("simulations", [60, 3_000, 40_000])
def test_a_lost_position_is_defended_and_not_given_up(moves, simulations):
    """The last moves to be proven lost lie far away; what is played lies near the stones."""
    game = Game.from_text(moves, 15)
    thought = think(game, simulations=simulations, seed=1)
    row, column = divmod(thought.move, 15)
    assert np.abs(np.argwhere(game.array) - (row, column)).max(axis=1).min() <= 2
    assert thought.proven in (-1, None)


def test_other_threads_run_while_it_thinks():
    ticks, done = [0], threading.Event()

    def think_aside():
        think(Game(), simulations=400_000)
        done.set()

    worker = threading.Thread(target=think_aside)
    worker.start()
    while not done.is_set():
        ticks[0] += 1
        done.wait(0.001)
    worker.join()
    assert ticks[0] > 20


@pytest.mark.parametrize("memory", [0, 50_000])
def test_a_full_tree_goes_on_improving_and_forgets_no_move(memory):
    game = Game.from_text("d4")
    thought = think(game, simulations=30_000, options=SearchOptions(memory=memory))
    nodes, used = thought.tree.nodes, int(thought.tree.workspace.free_list[0])
    assert nodes.nbytes <= max(10_000, memory / 2)  # one more exists while it is recycled
    assert used <= len(nodes)
    assert thought.simulations == thought.visits.sum() == 30_000
    assert thought.move in game.legal()


def small_tree():
    """Return a tree of the engine that has room for 900 nodes."""
    options = SearchOptions(memory=2 * 24 * 900)
    return five.search.Tree(Game(), five.engine.engine_game(), options, 10**6)


def test_recycling_depends_on_counts_and_not_on_slices(monkeypatch):
    recycle, times = five.search.recycle, []
    monkeypatch.setattr(five.search, "recycle", lambda *a: times.append(1) or recycle(*a))
    found = []
    for step in (1e-9, 0.003, 1.0):  # seconds between two looks: long, short, shortest slices
        tree = small_tree()
        budget = five.search.Budget(simulations=6000, clock=StepClock(step))
        thought = five.search.read_tree(tree, *five.search.run_budget(tree, budget))
        found.append((len(times), thought.line, thought.visits.tolist()))
        found[-1] += (thought.values.tobytes(),)
        times.clear()
    assert found[0][0] > 3 and found[0] == found[1] == found[2]


def full_tree():
    """Return a tree of the engine that has no room left."""
    tree = small_tree()
    tree.workspace.stop_when_full = 1
    assert tree.run(5000) < 5000 and tree.workspace.full
    return tree


def test_recycling_can_be_stopped_and_leaves_the_tree_as_it_was(monkeypatch):
    monkeypatch.setattr(five.search, "COPIED_AT_ONCE", 10)
    tree, answers = full_tree(), iter([True, True, False, False, False])
    nodes = tree.nodes
    before, state = nodes.copy(), tree.workspace.free_list.copy()
    assert not five.search.recycle(tree, lambda: next(answers))
    assert tree.nodes is nodes and (nodes == before).all() and tree.workspace.full
    assert (tree.workspace.free_list == state).all()
    assert five.search.recycle(tree) and tree.run(10) == 10


def test_copying_ends_after_half_of_the_time_and_leaves_a_tree(monkeypatch):
    monkeypatch.setattr(five.search, "COPIED_AT_ONCE", 10)
    tree, used = full_tree(), []
    for seconds in (1e9, 20.0):
        clock = StepClock(1.0)
        budget = five.search.Budget(seconds=seconds, clock=clock)
        later = five.search.advance_root(tree, Game(), SearchOptions(), budget)
        assert later.root.N == tree.root.N and later.nodes["num_children"][0] > 0
        used.append(int(later.workspace.free_list[0]))
        kept = later.nodes[: used[-1]]
        assert (kept["first_child"] + kept["num_children"] <= used[-1]).all()
        assert later.run(2000) == 2000
    assert used[1] < used[0] and clock.now < 15


def test_a_copied_leaf_may_grow_again():
    """A list of moves that is gone is not complete: it would prove a loss."""
    options, rules = SearchOptions(solve=False), Rules(3, 3)
    tree = five.search.Tree(Game(rules), five.search.plain_game(3), options, 10_000)
    tree.run(2000)
    complete, first = five.search.COMPLETE, int(tree.nodes["first_child"][0])
    assert (tree.nodes["status"][first : first + 9] == complete).all()
    new = np.zeros_like(tree.nodes)
    assert five.search.copy_subtree(tree.nodes, 0, new, five.search.EVERY_NODE) == 10
    assert new["status"][0] == complete and (new["status"][1:10] == five.search.OPEN).all()


def test_thinking_goes_on_with_an_earlier_tree():
    game = Game.from_text("d4")
    first = think(game, simulations=20_000)
    more = think(game, simulations=5000, tree=first.tree)
    assert more.visits.sum() == 25_000 and more.simulations == 5000
    for point in first.line[:2]:
        game.play(point)
    known = first.tree.root.best().best().N
    later = think(game, simulations=1000, tree=first.tree)
    assert later.visits.sum() in (known - 1 + 1000, known + 1000)
    assert first.tree.root.N == 20_000  # the earlier tree is left as it was


def test_a_tree_of_another_game_is_refused():
    tree = think(Game.from_text("d4e4"), simulations=100).tree
    for other in (Game.from_text("d4e5"), Game.from_text("d4"), Game(Rules(9))):
        with pytest.raises(ValueError, match="another game, or to a later position"):
            think(other, simulations=100, tree=tree)


def test_seed_and_options_hold_for_a_continued_search_as_well():
    game = Game(Rules(6, 4))  # searched by random games, so that seeds differ
    tree = think(game, simulations=500, seed=1).tree
    options = SearchOptions(c_uct=3.0)
    thoughts = [
        think(game, simulations=500, seed=s, tree=tree, options=options) for s in (2, 3)
    ]
    assert [t.seed for t in thoughts] == [2, 3]
    assert (thoughts[0].visits != thoughts[1].visits).any()


def test_a_double_threat_is_lost_whatever_is_kept():
    """Black threatens five on two points, and one move cannot stop both."""
    lost = Game.from_text("c3 a1 c4 d1 c5 h1 c6")
    assert five.search.forced_move(lost)[1] == "blocks five"
    for kernels in (five.search.shaped_game(), five.engine.engine_game()):
        options = SearchOptions(max_children=1, forcing_score=10**9, vcf_nodes=0, vct_nodes=0)
        tree = five.search.Tree(lost, kernels, options, 90_000)
        assert tree.run(5000) < 5000
        assert tree.root.status == five.search.WON  # for the player who moved here
        assert five.search.read_tree(tree, 0, 0.0).proven == -1
    workspace = board_of(lost)  # known without a search
    assert five.engine.engine_terminal(workspace, options) == five.search.WON


def test_a_won_child_is_played_whatever_its_visits_and_a_lost_one_is_not():
    nodes = five.search.empty_tree(5)
    nodes["first_child"][0], nodes["num_visited"][0], nodes["num_children"][0] = 1, 4, 4
    nodes["N"][:] = 100, 60, 30, 8, 2
    nodes["move"][1:] = 10, 11, 12, 13
    search = five.search
    nodes["status"][1:] = search.LOST, search.COMPLETE, search.DRAWN, search.WON
    assert five.search.TreeNode(nodes).best().point == 13
    nodes["status"][4] = five.search.LOST
    assert five.search.TreeNode(nodes).best().point == 11
    nodes["status"][1:] = five.search.LOST
    assert five.search.TreeNode(nodes).best().point == 10  # all lose: the most visited


def test_plays_a_win_by_threats_and_says_so():
    cells = np.zeros((15, 15), int)
    cells[7, 5:7] = cells[5:7, 7] = BLACK  # two twos that cross: a double open three
    cells[0, 0] = cells[0, 14] = cells[14, 0] = WHITE
    game = Game.from_array(cells, BLACK)
    thought = think(game, simulations=100)
    assert (thought.why, thought.proven) == ("VCT", 1)
    assert thought.move == thought.line[0] and len(thought.line) >= 3
    quiet = think(game, simulations=100, options=SearchOptions(vct_nodes=0))
    assert quiet.why in ("most visited", "proven") and quiet.simulations > 0


def test_a_long_look_for_threats_ends_where_the_search_is_stopped(monkeypatch):
    tree = five.search.Tree(Game(), five.engine.engine_game(), SearchOptions(), 1000)
    stop = threading.Event()
    look = five.engine.ThreatLook(tree, five.search.Budget(stop=stop), begun=0.0)

    def endless(workspace, colour, nodes):
        workspace.budget = nodes
        stop.set()
        for _ in range(5000):
            if workspace.budget == 0:
                return False
            time.sleep(0.002)
        raise AssertionError("it was not stopped")

    monkeypatch.setattr(five.engine, "threats_win", endless)
    assert not look.wins(1, 19_200) and look.looked == 19_200


# -- the engine for one game ---------------------------------------------------------------


def test_the_engine_keeps_its_tree_and_begins_anew_in_another_game():
    visits = {}
    for reuse in (True, False):
        player = five.engine.EnginePlayer(simulations=2_000, reuse=reuse)
        game, visits[reuse] = Game.from_text("h8 i9", 15), []
        for _ in range(2):
            thought = found_by(player, game, seed=3)
            visits[reuse].append(thought.visits.sum())
            for point in thought.line[:2]:  # the answer is the one that it expected
                game.play(point)
        other = Game.from_text("d4 e5", 8)  # not a position of that game
        visits[reuse].append(found_by(player, other).visits.sum())
    assert visits[False] == [2_000] * 3 and visits[True][::2] == [2_000] * 2
    assert visits[True][1] > 2_000

"""The plain search of the main notebook: its steps, and the tree of the compiled one.

Fed the same random numbers, both grow the same tree, number by number. The plain search is the
reference: it is short, and it looks at every line of a board anew.
"""

import math
import re
import sys
import threading
import types

import build
import five_in_a_row as five
import modules
import numpy as np
import pytest
from five_in_a_row.search import SearchOptions
from helpers import PATIENCE, StepClock, wait_for


def by_name(name):
    """Return a function of the notebook's own searches."""
    return getattr(five.mcts if hasattr(five.mcts, name) else five.heuristics, name)


SEARCHES = ["plain_search", "classic_search", "prior_search"]  # mine is the last
NODE_X = "e5 e3 e4 c8 d4 f4 d5 f5 f3 c6 d2 d3 e2"  # white to move: only c2 and f2 hold
PLAIN = SearchOptions(solve=False)
CLASSIC = SearchOptions(max_children=5, forcing_score=2000, solve=False)


def random_position(rules, rng, plies):
    """Return a game at most some random plies in that is not over."""
    game = five.game.Game(rules)
    while len(game.played) < plies and not game.over:
        game.play(int(rng.choice(game.legal())))
    if game.over:
        game.undo()
    return game


# ---- the same tree as the compiled search ----------------------------------------------


def ucb_of_32_bits():
    """Return the bound in the arithmetic of the compiled search, whose records are float32."""

    def ucb(child):
        f = np.float32
        exploration = f(five.mcts.C * math.sqrt(math.log(child.parent.n)))
        r = f(1) / np.sqrt(f(child.n))
        return float(r * (f(1 / 64) * f(64 * child.m) * r + exploration))

    return ucb


def grown(game, seed, simulations, moves, select):
    """Return the root and the random numbers of a plain search."""
    rng, root = five.same_tree.RandomNumbers(seed, game.rules.points), five.mcts.root_of(game)
    for _ in range(simulations):
        five.mcts.simulation(root, rng, moves, select)
    return root, rng


def compiled_tree(game, kernels, options, seed, simulations):
    """Return the compiled tree of the same search."""
    options = options._replace(seed=seed)
    tree = five.search.Tree(game, kernels, options, records=4 * simulations + 1000)
    tree.run(simulations)
    return tree


def same(nodes, index, node):
    """True if a compiled node and a plain one agree, and all below them."""
    record = nodes[index]
    first, tried = int(record["first_child"]), sum(child.n > 0 for child in node.children)
    return (
        (record["N"], record["W64"], record["move"]) == (node.n, 64 * node.m, node.move)
        and (record["num_children"], record["num_visited"]) == (len(node.children), tried)
        and all(same(nodes, first + i, child) for i, child in enumerate(node.children))
    )


def compare(count, shaped, simulations, first_seed):
    """Return how many of `count` random positions give another tree, and the simulations."""
    rng, different, total = np.random.default_rng(first_seed), 0, 0
    moves, select = five.same_tree.few_moves, five.same_tree.select_few
    if shaped:
        moves, select = five.heuristics.best_candidates, five.mcts.select_ucb
    for seed in range(first_seed, first_seed + count):
        size = int(rng.integers(3, 10))
        in_a_row = 5 if shaped else int(rng.integers(3, 6))
        rules = five.game.Rules(size, in_a_row)
        game = random_position(rules, rng, int(rng.integers(0, size * size * 4 // 5)))
        budget = int(rng.integers(1, simulations + 1))
        kernels = five.search.shaped_game() if shaped else five.search.plain_game(in_a_row)
        tree = compiled_tree(game, kernels, CLASSIC if shaped else PLAIN, seed, budget)
        root, numbers = grown(game, seed, budget, moves, select)
        total += budget
        equal = same(tree.nodes, 0, root) and numbers.state == int(tree.workspace.random)
        different += not equal
    return different, total


@pytest.mark.parametrize("shaped, some, many", [(False, 200, 2000), (True, 60, 500)])
def test_the_plain_search_makes_the_tree_of_the_compiled_one(shaped, some, many, full):
    """As it stands in the notebook; bounds within a rounding error may change places."""
    count = many if full else some
    different, total = compare(count, shaped, 60, first_seed=1)
    assert different <= count // 500


@pytest.mark.parametrize("shaped, some, many", [(False, 150, 2000), (True, 50, 500)])
def test_with_32_bit_bounds_every_tree_is_the_same(monkeypatch, shaped, some, many, full):
    count = many if full else some
    monkeypatch.setattr(five.mcts, "ucb", ucb_of_32_bits())
    different, total = compare(count, shaped, 200, first_seed=100_000)
    assert different == 0


def test_scores_and_near_points_are_those_of_the_kernels():
    rng = np.random.default_rng(7)
    for _ in range(60):
        size = int(rng.integers(5, 16))
        game = random_position(five.game.Rules(size), rng, int(rng.integers(1, 40)) % size**2)
        workspace = five.search.new_search(five.search.shaped_game(), game, 1)
        five.search.reset_shapes(workspace)
        cells = game.array.tolist()
        near = {p for p in range(size * size) if five.search.is_candidate(workspace, p)}
        assert near == five.heuristics.near_points(cells)
        for point in game.legal():
            scored = five.heuristics.score_of(cells, point, game.to_move)
            assert scored == five.search.score_point(workspace, point)


# ---- the four steps ---------------------------------------------------------------------


def nodes_below(node):
    yield node
    for child in node.children:
        yield from nodes_below(child)


@pytest.mark.parametrize("name", SEARCHES)
def test_visits_add_up_and_values_stay_between_0_and_1(name):
    root = by_name(name)(five.game.Game.from_text("d4e5d5"), simulations=300).tree
    assert root.n == 300
    for node in nodes_below(root):
        below = sum(child.n for child in node.children)
        assert 0 <= node.m <= node.n
        assert node.over or node.n == below + (node is not root and node.n > 0)
        assert all(child.parent is node for child in node.children)


# ---- the searches -----------------------------------------------------------------------


@pytest.mark.parametrize("name", SEARCHES)
def test_the_same_seed_repeats_the_search_and_leaves_the_game_alone(name):
    game = five.game.Game.from_text("d4e5d5")
    search, before = by_name(name), (game.array.tolist(), game.played[:])
    first, second, other = (search(game, simulations=150, seed=seed) for seed in (1, 1, 2))
    assert (first.visits == second.visits).all() and first.move == second.move
    assert (first.visits != other.visits).any()
    assert (game.array.tolist(), game.played) == before


@pytest.mark.parametrize("name", SEARCHES)
def test_takes_a_win_and_the_result_is_whole(name):
    game = five.game.Game.from_text("c4c6d4d6e4e6f4g6")
    result = by_name(name)(game, simulations=600)
    assert result.name in ("b4", "g4") and result.value > 0
    assert result.visits.sum() == result.simulations == 600
    assert (np.isnan(result.values) == (result.visits == 0)).all()
    most = result.visits.max()
    assert result.line[0] == result.move and result.visits.flat[result.move] == most
    assert result.top(1)[0][1] == most and "total simulations 600" in str(result)
    assert isinstance(result, five.mcts.SearchResult)


def test_only_a_candidate_without_rivals_is_called_the_only_one():
    classic = five.heuristics.classic_search
    forced = classic(five.game.Game.from_text("c4 c6 d4 d6 e4 e6 f4 g6"), simulations=50)
    assert forced.why == "only candidate" and np.count_nonzero(forced.visits) == 1
    middle = five.game.Game.from_text("b2", rules=five.game.Rules(3, 3))
    free = classic(middle, simulations=60)
    assert free.why == "most visited"
    assert {child.name for child in free.tree.children} == set(
        "a1 b1 c1 a2 c2 a3 b3 c3".split()
    )


def test_the_cut_deletes_what_the_prior_finds():
    game = five.game.Game.from_text(NODE_X)
    assert five.heuristics.classic_search(game, simulations=300).name not in ("c2", "f2")
    found = five.heuristics.prior_search(game, simulations=2000)
    assert found.name in ("c2", "f2") and found.rule == "PUCT" and "PUCT 0." in str(found)
    for child in found.tree.children:
        if child.n:
            assert found.scores.flat[child.move] == five.heuristics.puct(child)


@pytest.mark.parametrize("rules", [(3, 3), (7, 4, 6, True), (20, 5)])
@pytest.mark.parametrize("name", SEARCHES)
def test_any_game_of_rules_can_be_searched(name, rules):
    game = five.game.Game(five.game.Rules(*rules))
    while not game.over and len(game.played) < 6:
        result = by_name(name)(game, simulations=20, seed=len(game.played))
        assert result.move in game.legal()
        game.play(result.move)


def test_a_deadline_is_kept_and_progress_is_reported(monkeypatch):
    """However fast the machine is: each look at the clock is 1/128 of a second later."""
    monkeypatch.setattr(
        five.mcts, "time", types.SimpleNamespace(perf_counter=StepClock(1 / 128))
    )
    reports = []
    result = five.heuristics.mine(
        five.game.Game(), seconds=0.5, level=3, on_progress=reports.append
    )
    assert result.seconds == 0.5 and result.simulations == 64
    assert [each.simulations for each in reports] == list(range(7, 64, 7))
    assert [each.seconds for each in reports] == [n / 128 for n in range(7, 64, 7)]


@pytest.mark.parametrize("name, rule", [("classic", "UCB"), ("mine", "PUCT")])
def test_the_opponents_that_students_edit_are_asked_like_the_engine(name, rule):
    game, reports = five.game.Game.from_text("d4"), []
    asked = {"seconds": 60, "simulations": 400, "seed": 3, "level": 2, "stop": None}
    result = getattr(five.heuristics, name)(game, on_progress=reports.append, **asked)
    assert (result.simulations, result.seed, result.rule) == (400, 3, rule)
    assert (np.count_nonzero(result.visits) == 5) == (name == "classic")


def test_stop_ends_the_search_from_another_thread():
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    assert five.mcts.plain_search(five.game.Game(), seconds=3600, stop=stop).seconds < 60


# ---- the players ------------------------------------------------------------------------


PLAYERS = [
    five.mcts.RandomPlayer(),
    five.mcts.PlainReference(simulations=30),
    five.heuristics.ClassicReference(simulations=30),
    five.PlainUCT(simulations=30, c=0.7),
    five.search.Classic(simulations=30),
    five.engine.EnginePlayer(simulations=30, level=9, reuse=False),
]


@pytest.mark.parametrize("player", PLAYERS, ids=lambda player: player.name)
def test_a_player_is_made_again_from_its_settings_and_tells_what_it_found(player):
    game = five.game.Game.from_text("d4e5d5")
    again = type(player)(**player.settings)
    assert again is not player and again.result is None
    point = again.move(game, seed=5)
    assert point == player.move(game, 5) and point in game.legal()
    assert (again.name, again.settings) == (player.name, player.settings)
    if again.settings:
        assert again.result.move == point and again.result.simulations == 30


@pytest.mark.parametrize("kind", [type(player) for player in PLAYERS[1:]])
def test_a_budget_has_a_name(kind):
    with pytest.raises(TypeError, match="positional argument"):
        kind(1000)
    with pytest.raises(ValueError, match="simulations must be a whole number"):
        kind(simulations=-1)


# ---- a student edits ---------------------------------------------------------------------


@pytest.fixture
def notebook(root, monkeypatch):
    """Return a module in which every define cell has been run, as in a live notebook.

    notebook.run_cell(id, old, new) runs a cell again, with one text in it replaced.
    """
    cells = build.read_notebook(root / "five_in_a_row.ipynb").cells
    cells = {cell.id: cell.source for cell in cells if modules.module_of(cell, "any")}
    live = types.ModuleType("live")
    monkeypatch.setitem(sys.modules, "live", live)  # dataclasses look their module up

    def run_cell(name, old="", new=""):
        assert old in cells[name]
        exec(cells[name].replace(old, new), vars(live))

    for name in cells:
        run_cell(name)
    live.run_cell = run_cell
    return live


def answer_of_mine(live):
    """Return what the opponent "mine" answers to three stones in a session, as in Play."""
    game = live.Game.from_text("d4 d5 e4")
    record = live.GameRecord(game, ("person", "mine"), simulations=150, seed=1)
    session = live.Session(record, {"mine": lambda game, **how: live.mine(game, **how)})
    wait_for(lambda: live.follow_search(session), lambda: session.yours, PATIENCE)
    live.finish_session(session)
    assert len(game.played) == 4
    return game.moves[-1]


@pytest.mark.parametrize(
    "cell, old, new",
    [
        ("puct", "C_PRIOR = 2.0", "C_PRIOR = 50"),
        ("rollout", "    rules,", "    return -node.player\n    rules,"),
        ("mine", "prior_search(", "classic_search("),
    ],
)
def test_an_edited_cell_is_in_the_next_move_of_mine(notebook, cell, old, new):
    before = answer_of_mine(notebook)
    notebook.run_cell(cell, old, new)
    assert answer_of_mine(notebook) != before
    notebook.run_cell(cell)
    assert answer_of_mine(notebook) == before


def test_a_shape_of_its_own_name_counts_by_its_row_of_scores(notebook):
    game = notebook.Game.from_text("b4 a8 d4 c8 e4 h8")  # black on f4 makes 10111
    ask = game.array.tolist(), notebook.to_point("f4", game.rules), notebook.BLACK
    before, old = notebook.score_of(*ask), '    "open three": ('
    notebook.run_cell("shapes", old, f'    "broken four": ("10111",),\n{old}')
    assert notebook.score_of(*ask) == before - notebook.SCORES["open three"][0]
    notebook.SCORES["broken four"] = (7_000, 0)
    assert notebook.score_of(*ask) == before - notebook.SCORES["open three"][0] + 7_000


def test_the_match_that_the_text_proposes_is_played(notebook, root, capsys):
    cells = build.read_notebook(root / "five_in_a_row.ipynb").cells
    (text,) = [cell.source for cell in cells if cell.id == "play-text"]
    line = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    for old, new in (
        ("export/five_in_a_row.zip", (root / "five_in_a_row.ipynb").as_posix()),
        ("games=20", "games=2"),
        ("simulations=100", "simulations=2"),
    ):
        assert line.count(old) == 1
        line = line.replace(old, new)
    exec(line, vars(notebook))
    assert "Now against five_in_a_row.ipynb" in capsys.readouterr().out

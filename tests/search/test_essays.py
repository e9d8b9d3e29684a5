"""What the figures of the essays rest on: beginnings, boards, promises, their tables."""

import re

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest

from experiments import matches, strength

NODE_X = five.Game.from_text("e5 e3 e4 c8 d4 f4 d5 f5 f3 c6 d2 d3 e2")
SQUARE, LONG = five.Rules(9), five.Rules(20, rows=8)
CROSS = five.Game.from_text("c4 b7 d4 g2 e5 d6 e6 g7 e4")


def test_mirror_images_and_rotations_are_one_beginning():
    first = "e5 d5 f4 d6 d4"
    images = ("e5 f5 d4 f6 f4", "e5 d5 f6 d4 d6", "e5 e4 d6 f4 d4")  # two mirrors, a diagonal
    assert {matches.beginning(each, SQUARE) for each in (first, *images)} == {
        matches.beginning(first, SQUARE)
    }
    assert matches.beginning("e5 d5 f4", SQUARE) != matches.beginning("e5 d4 f4", SQUARE)


def test_a_long_board_has_mirrors_but_no_quarter_turn():
    turned = matches.beginning("j4 j5", LONG), matches.beginning("j4 k4", LONG)
    assert turned[0] != turned[1]
    assert matches.beginning("a1 b1", LONG) == matches.beginning("t8 s8", LONG)


def test_games_are_counted_by_their_beginning():
    moves = ["e5 d5 f4 d6 d4 a1", "e5 f5 d4 f6 f4 a2", "e5 e6 f4 f5 d6"]
    games = pd.DataFrame({"moves": moves, "black": "one", "winner": ["one", "draw", "two"]})
    assert strength.by_beginning(games, SQUARE) == "1–1–0, 0–0–1"


def test_a_long_board_is_compared_with_squares_opening_by_opening():
    points = pd.DataFrame(
        {"7×7": [0.0, 1, 0, 1], "9×9": [0.5, 0.5, 0.5, 0.5], "20×7": [1, 1, 0.5, 0]}
    )
    errors = five.essays.guess_errors(points)
    assert {guess for _, guess in errors} == {"short side", "points", "lines"}
    error, reach = errors["20×7", "short side"]
    assert error == 0.125 and reach == pytest.approx(
        1.96 * np.std([1, 0, 0.5, -1], ddof=1) / 2
    )


def test_between_two_squares_a_straight_line_is_taken():
    table = pd.DataFrame(
        {"10×10": [0.0, 0.4], "11×11": [1.0, 1.0], "12×12": [5, 5], "15×7": 9}
    )
    found = five.essays.from_squares(table, "15×7", "points")  # 105 points, of 100 and 121
    assert found.tolist() == pytest.approx([5 / 21, 0.4 + 0.6 * 5 / 21])


def test_lines_along_the_same_row_do_not_cross():
    thin = five.Rules(9, rows=1)
    assert five.essays.crossings_at(thin).sum() == 0 < five.essays.lines_through(thin).sum()
    corner, middle = five.essays.crossings_at(SQUARE)[[0, 4], [0, 4]]
    assert (corner, middle) == (3, 6 * 5 * 5)  # three lines of three directions; five in each


def test_two_open_threes_are_a_double_threat():
    last, before = CROSS.played[-1], CROSS.copy()
    before.undo()
    assert five.essays.threatens_twice(before.array.tolist(), last, five.game.BLACK)
    assert not five.essays.threatens_twice(before.array.tolist(), last, five.game.WHITE)
    row = five.Game.from_text("b1 a8 c1 c8 d1 e8 e1", 9)  # an open four: twice on one line
    last = row.played[-1]
    row.undo()
    assert not five.essays.threatens_twice(row.array.tolist(), last, five.game.BLACK)


def stones_in_a_row(array, row, col, step):
    """Return how many equal stones run through (row, col), and whether both ends are empty."""
    found, ends, colour = 1, [], array[row, col]
    for sign in (1, -1):
        r, c = row + sign * step[0], col + sign * step[1]
        while 0 <= r < len(array) and 0 <= c < len(array[0]) and array[r, c] == colour:
            found, r, c = found + 1, r + sign * step[0], c + sign * step[1]
        ends.append(0 <= r < len(array) and 0 <= c < len(array[0]) and array[r, c] == 0)
    return found, all(ends)


def slow_threats(array, row, col, colour):
    """Return on how many lines a stone at (row, col) threatens, by trying every second one."""
    array, lines = array.copy(), 0
    array[row, col] = colour
    for step in ((0, 1), (1, 0), (1, 1), (1, -1)):
        before, threat = stones_in_a_row(array, row, col, step), False
        for r, c in np.argwhere(array == 0) if before[0] < 5 else ():
            array[r, c] = colour
            after = stones_in_a_row(array, row, col, step)
            array[r, c] = 0
            threat |= after[0] >= 5 or (after == (4, True) and before[0] < 4)
        lines += threat
    return lines


def test_double_threats_are_those_of_a_slow_count():
    rng, seen, rules = np.random.default_rng(5), set(), five.Rules(9, rows=7)
    middle = [r * 9 + c for r in range(1, 6) for c in range(2, 7)]
    for places in (middle, range(63)) * 100:
        game, made = five.Game(rules), []
        for point in rng.permutation(places)[:22].tolist():
            if game.over:
                break
            colour = game.to_move
            twice = slow_threats(game.array, *divmod(point, 9), colour) > 1
            assert five.essays.threatens_twice(game.array.tolist(), point, colour) == twice
            if twice and len(game.moves) >= 4 and colour not in made:
                made.append(colour)
            game.play(point)
        assert five.essays.double_threats(game.moves, 4, rules) == made
        seen.add(tuple(made))
    assert {(), (1,), (-1,)} <= seen and len(max(seen, key=len)) == 2


def test_the_lead_of_a_search_is_looked_at_again_later():
    game = five.Game.from_text("d1 f8 d5 b7")
    found = strength.lead_changes(game, range(100, 2_001, 100), 2_500, seed=1)
    reads = five.strength.snapshots(game, [1_900, 2_000], None, strength.FULL._replace(seed=1))
    before, picture = [result for *_, result in reads]
    assert (found["last change"] == 2_000) == (before.move != picture.move)
    first, second = np.sort(picture.visits, axis=None)[[-1, -2]]
    assert found["lead"] == pytest.approx(
        100 * (first - second) / picture.visits.sum(), abs=0.051
    )
    assert (found["changes"] == 0) == (found["last change"] == 0) and found["overtaken"] in (
        0,
        1,
    )


def test_the_recent_lead_is_of_the_last_visits_alone():
    game, start = five.Game.from_text("d1 f8 d5 b7"), 4_000 - strength.RECENT
    found = strength.lead_changes(game, range(100, 4_001, 100), 4_100, seed=1)
    options = strength.FULL._replace(seed=1)
    reads = five.strength.snapshots(game, [start, 4_000, 4_100], None, options)
    before, picture, after = [result for *_, result in reads]
    new = (picture.visits - before.visits).ravel()
    assert new.sum() == strength.RECENT
    lead = new[picture.move] - max(n for move, n in enumerate(new) if move != picture.move)
    assert found["recent lead"] == pytest.approx(100 * lead / strength.RECENT, abs=0.051)
    assert found["recent overtaken"] == (after.move != new.argmax())


def test_a_lost_lead_costs_what_a_new_search_says(monkeypatch):
    game, values = five.Game.from_text("d1 f8 d5 b7"), []
    monkeypatch.setattr(five.strength, "move_value", lambda *_: values.pop(0))
    values[:] = 0.25, 0.5  # the earlier leader, then the later one
    found = strength.lead_changes(game, range(1_000, 10_001, 1_000), 30_000, seed=1)
    assert found["overtaken"] == 1 and found["worse"] == 0.25 and not values
    found = strength.lead_changes(game, range(1_000, 2_001, 1_000), 2_100, seed=1)
    assert found["overtaken"] == found["worse"] == 0


def test_a_race_is_won_by_who_made_the_first_stone_of_two_threats():
    crossed = "c4 b7 d4 g2 e5 d6 e6 g7 e4"  # the last stone is black's on two lines
    assert five.essays.double_threats(crossed.split(), 0, five.Rules(8)) == [five.game.BLACK]
    columns = ["opening", "moves", "black", "winner"]
    games = [("", crossed, "a", "a"), ("", crossed, "b", "draw"), ("", crossed, "b", "a")]
    games += [("", "a1 h8", "a", "b"), ("", f"a1 {crossed}", "a", "b")]  # in the last, white's
    found = strength.races_of(pd.DataFrame(games, columns=columns), five.Rules(8))
    assert found == {
        **{"black first": 3, "white first": 1},
        **{"first won": 2, "first drawn": 1, "winner made": 2},
    }


def test_the_control_is_visited_as_often_as_the_best_value_and_is_another_move():
    visits = np.array([7, 9, 0, 2, 3, 5])
    values = np.array([0.1, 0.2, np.nan, 0.9, 0.3, 0.8])
    assert five.essays.picks_of(visits, values) == (1, 3, 4)
    assert five.essays.picks_of(np.array([5, 2, 0]), np.array([0.1, 0.2, np.nan]))[:2] == (
        0,
        1,
    )


def test_promises_are_of_the_positions_in_which_the_rules_differ():
    openings = five.strength.random_openings(five.Rules(8), 3, 4, seed=3)
    games = [five.Game.from_text(opening) for opening in openings]
    tables = five.essays.promises(games, [70, 140], judge=50)
    differ = {70: 0, 140: 0}
    for seed, game in enumerate(games):
        options = five.search.SearchOptions(seed=seed)
        for count, _, found in five.strength.snapshots(game, [70, 140], None, options):
            differ[count] += found.values.flat[found.visits.argmax()] < np.nanmax(found.values)
    assert {count: len(table) for count, table in tables.items()} == differ
    table = pd.concat(tables)
    most, best, other = (table[pick] for pick in five.essays.PICKS)
    assert len(table) and (best.promised > most.promised).all()
    assert (best.promised >= other.promised).all() and (most.visits >= other.visits).all()
    assert best.judged.abs().max() <= 1


def test_differences_of_promises_are_taken_opening_by_opening(capsys):
    openings = five.strength.random_openings(five.Rules(8), 4, 4, seed=3)
    games = [five.Game.from_text(opening) for opening in openings]
    table = five.essays.promises(games, [100], judge=50)[100]
    found = five.essays.show_promises({"one": table, "none": table[:0]})
    high = {pick: table[pick].promised - table[pick].judged for pick in five.essays.PICKS}
    apart = (high["best value"] - high["as often visited"]).mean()
    assert found["one", "best value − as often visited"][0] == pytest.approx(apart)
    judged = (table["best value"].judged - table["most visited"].judged).mean()
    assert found["one", "judged: best value − most visited"][0] == pytest.approx(judged)
    assert np.isnan(found["none", "judged: best value − most visited"]).all()
    assert "openings where they differ" in capsys.readouterr().out


def test_the_tables_of_the_essays_are_drawn(capsys):
    five.essays.show_by_beginning()
    scores = five.essays.same_openings()
    counts = five.essays.first_doubles()
    five.essays.show_races(counts)
    five.essays.show_same_openings(scores)
    five.essays.print_guesses(scores, five.essays.TESTED_BOARDS)
    five.essays.print_picks(five.strength.read_results("picks"))
    advised = five.strength.stored_results("advice")
    wrong = five.essays.wrong_advice(advised)
    five.essays.show_overruled(wrong)
    five.essays.show_crossings((8, 15))
    assert wrong.index.tolist() == [*range(1, 10)] and wrong.moves[1] == " ".join(NODE_X.moves)
    first = counts["black first"] + counts["white first"]
    assert len(counts) == 12 and (counts["winner made"] <= 120 - counts.drawn).all()
    leaders, large = five.favourite.read_leaders()
    five.favourite.show_lost(leaders, large)
    five.favourite.show_costs(leaders, large)
    apart = five.favourite.show_ages(leaders, large)
    both = five.favourite.later_searches(leaders, large)
    assert len(both) == 1_440 and set(both.batch[both.board == "8×8"]) == {2}
    more, _ = apart["in the repetitions"]
    each = [
        five.favourite.lost_apart(part, "old", "band")[0] for _, part in both.groupby("board")
    ]
    assert min(each) < more < max(each)
    assert len(large) == 960 and (large.lead <= large.band).all()
    assert len(leaders) == 960 and leaders.old.any()
    assert leaders.turned.sum() == 236
    assert (leaders.lead <= leaders.band).all()
    said = capsys.readouterr().out
    words = " ".join(said.split())
    assert "9×9 0–60–0" in words and "medians of 15 searches" in words and "short side" in said
    costs = re.findall(
        r"(\d+×\d+)(?: again)? +(?:the leader|another move) +(\d+) +(\d+) +0\.\d{3} +(\d+) \(",
        said,
    )
    for board, table in ("8×8", leaders), ("15×15", large):
        found = np.sum([list(map(int, row)) for name, *row in costs if name == board], axis=0)
        grave = (table[table.overtaken == 1].worse > 0.1).sum()
        assert found.tolist() == [len(table), table.overtaken.sum(), grave]
    assert f"won 702 of {first.sum()} games" in said
    assert "on 8×8 3 in a corner" in said
    assert len(scores) == 60 and np.isfinite(scores).all(axis=None) and len(advised) == 27


def test_figures_of_the_essays_say_every_count(monkeypatch):
    """Games with a double threat of each board; lost leads by size and by the last visits."""
    shown = []
    monkeypatch.setattr(five.essays, "show", lambda *args: shown.append(args))
    monkeypatch.setattr(five.figures, "show", lambda *args: shown.append(args))
    counts, (leaders, large) = five.essays.first_doubles(), five.favourite.read_leaders()
    five.essays.show_races(counts)
    five.favourite.show_lost(leaders, large)
    races, lost = (alt for _, alt, _ in shown)
    made = {
        board: int(games) for board, games in re.findall(r"(\d+×\d+) \d+ and (\d+)", races)
    }
    assert made == (counts["black first"] + counts["white first"]).to_dict()
    ends = [list(map(int, each)) for each in re.findall(r"(\d+) of (\d+)", lost)]
    halves = np.array(ends).reshape(2, 2, 4, 2).sum(axis=2)  # board, last visits, lost and all
    for table, found in zip((leaders, large), halves, strict=True):
        kinds = table.groupby("turned").overtaken.agg(["sum", "size"])
        assert found.tolist() == kinds.to_numpy().tolist()


def test_leads_are_compared_where_another_question_has_the_same_answer():
    """Within each group leads do not differ; the groups do, and are of different size."""
    lost = [1, 1, 0, 1, 1, 0, 0, 0, 0, 0]
    table = pd.DataFrame(
        {
            "overtaken": lost,
            "old": [True] * 3 + [False] * 3 + [True] + [False] * 3,
            "turned": [True] * 6 + [False] * 4,
        }
    )
    apart, reach = five.favourite.lost_apart(table, "old", "turned")
    assert apart == 0 and 0 < reach < 100
    assert five.favourite.lost_apart(table, "turned", "old")[0] > 50


def test_a_missing_table_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(five.strength, "results_folder", lambda: tmp_path)
    five.essays.show_by_beginning()
    assert five.essays.same_openings() is None
    assert five.strength.stored_results("advice") is None
    assert five.favourite.read_leaders() is None
    said = capsys.readouterr().out
    tables = "sizes", "beginnings", "advice", "leaders", "leaders-15"
    assert all(f"python -m experiments {n}" in said for n in tables)


def test_priors_are_of_all_moves_and_sum_to_about_one():
    priors = five.essays.priors_of(NODE_X)
    assert set(priors) == set(NODE_X.legal()) and 0.8 < sum(priors.values()) < 1.2
    assert list(priors.values()) == sorted(priors.values(), reverse=True)


OPTIONS = five.search.SearchOptions(vcf_nodes=0, solve=False, seed=1)  # nothing is proved


def test_silence_about_right_moves_costs_more_than_praise_for_wrong_ones():
    """Node X, as the essay reads its row."""
    right = {five.game.to_point(name, NODE_X.rules) for name in ("c2", "f2")}
    priors = five.essays.priors_of(NODE_X)
    kinds = five.essays.kinds_of_advice(priors, right)
    _, *made_up = kinds.values()
    assert all(sum(given.values()) == pytest.approx(1) for given in made_up)
    losers = list(priors)[:4]
    for name, given in kinds.items():
        shares = {given[point] for point in set(priors) - set(losers) - right}
        assert name == "own" or len(shares) == 1
        assert all(given[point] == priors[point] for point in losers) == (
            name in ("own", "praise", "both")
        )
    for point in right:
        assert kinds["praise"][point] == kinds["equal"][point] == pytest.approx(1 / 51)
        assert kinds["silence"][point] == kinds["both"][point] < 0.2 / 51
    own, equal, praise, silence, both = (
        strength.leads_from(strength.advised_tree(NODE_X, given, seed=1), right)
        for given in kinds.values()
    )
    assert 10 < own < 200 and 10 < equal < 500 and 10 < praise < 500
    assert 1_500 < silence < 6_000 and 1_500 < both < 6_000


def test_a_root_may_have_given_priors():
    """A tenth of an equal share keeps the right moves of Node X from being found."""
    priors = five.essays.priors_of(NODE_X)
    right = {five.game.to_point(name, NODE_X.rules) for name in ("c2", "f2")}
    for given, found in (priors, True), (priors | dict.fromkeys(right, 0.1 / 51), False):
        kernels = five.engine.kernels_for(NODE_X.rules)
        tree = five.search.Tree(NODE_X, kernels, OPTIONS, 10_000)
        five.essays.give_priors(tree, given)
        tree.run(1_000)
        assert (tree.root.best().point in right) == found
        for child in tree.root.children:
            stored = int(255 * given[child.point] ** 0.5) / 255
            assert child.prior == stored**2
    assert len(tree.root.children) > 5 and tree.nodes["num_children"][0] == len(priors)

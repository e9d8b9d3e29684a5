"""The desk's records: exact round trips, files of other programs, and broken ones."""

import contextlib
import dataclasses
import os
import random
from pathlib import Path

import five_in_a_row as five
import numpy as np
import pandas as pd
import pytest
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.records import (
    Record,
    RecordError,
    format_record,
    keep_record,
    load_record,
    read_record,
    result_code,
    set_result,
    sgf_parts,
)
from five_in_a_row.review import review_game, review_of, review_words, turning_points
from hypothesis import given, settings
from hypothesis import strategies as st

# ---- random records ----------------------------------------------------------------------


def play_on(game, plies, seed):
    """Play random moves, at most `plies` of them, and return the game."""
    rng = np.random.default_rng(seed)
    for _ in range(plies):
        if not game.over:
            game.play(int(rng.choice(game.legal())))
    return game


def random_setup(rules, seed):
    """Return a game from a set-up position in which nobody has won yet."""
    rng = np.random.default_rng(seed)
    cells = np.zeros(rules.points, np.int8)
    stones = rng.choice(
        rules.points, int(rng.integers(1, rules.points // 3 + 1)), replace=False
    )
    for point in stones:
        cells[point] = rng.choice((BLACK, WHITE))
        if five.game.winning_line(cells.reshape(rules.height, -1), int(point), 5):
            cells[point] = 0
    return Game.from_array(cells.reshape(rules.height, -1), int(rng.choice((BLACK, WHITE))))


seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(3, 20)
rules_strategy = st.tuples(sizes, sizes).map(lambda wh: Rules(wh[0], rows=wh[1]))
printable = st.characters(categories=("L", "N", "P", "S"), include_characters=" ")
words = st.text(printable, max_size=30).map(str.strip)
names = words.filter(lambda name: name and not (name[0] in "-0123456789" and "," in name))
dates = words | st.datetimes().map(lambda moment: f"{moment:%Y-%m-%d %H:%M}")


@st.composite
def records(draw, setup=False):
    """Return a record: any board, any number of moves, names, a date, a result, times."""
    rules = draw(rules_strategy)
    game = random_setup(rules, draw(seeds)) if setup and draw(st.booleans()) else Game(rules)
    play_on(game, draw(st.integers(0, 400) | st.integers(0, 30)), draw(seeds))
    record = Record(game, (draw(names), draw(names)), date=draw(dates))
    if not game.over and draw(st.booleans()):
        set_result(record, draw(st.sampled_from(("B+R", "W+R", "W+T", "B+", "Draw", "Void"))))
    plies = st.integers(0, max(0, len(game.played) - 1))
    milliseconds = st.integers(1, 999_999_999)
    times = draw(st.dictionaries(plies, milliseconds, max_size=20)) if game.played else {}
    record.times = {ply: count / 1000 for ply, count in times.items()}
    return record


def whole(played):
    """Return all that must survive: rules, start, moves, players, result and date."""
    game = played.game
    result = game.winner, game.over, played.resigned, result_code(played)
    start = game.rules, five.search.start_of(game)
    return *start, game.moves, played.players, result, played.date


# ---- round trips -------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(record=records())
def test_a_psq_holds_all_but_a_setup(record):
    again = read_record(format_record(record, "psq"))
    assert whole(again) == whole(record) and again.times == record.times


@settings(max_examples=150, deadline=None)
@given(record=records(setup=True))
def test_an_sgf_holds_all_but_the_times(record):
    again = read_record(format_record(record, "sgf"))
    assert whole(again) == whole(record)
    assert (again.game.array == record.game.array).all()


@settings(max_examples=100, deadline=None)
@given(rules=rules_strategy, plies=st.integers(1, 400), seed=seeds, gravity=st.booleans())
def test_a_move_string_holds_the_moves_of_any_game(rules, plies, seed, gravity):
    game = play_on(Game(rules._replace(gravity=gravity, in_a_row=4)), plies, seed)
    again = read_record(format_record(Record(game), "moves"))
    assert (again.game.moves, again.game.rules) == (game.moves, game.rules)
    assert again.game.winner == game.winner


def test_a_game_that_white_began_comes_back_from_sgf():
    game = Game.from_array(np.zeros((8, 8), np.int8), WHITE)
    game.play("a1")
    game.play("b2")
    text = format_record(Record(game, ("Ann", "Bob")), "sgf")
    assert "PL[W]" in text and ";W[ah];B[bg]" in text
    for again in (read_record(text), read_record(text.replace("PL[W]", ""))):
        assert (again.game.array == game.array).all() and again.game.moves == game.moves


def test_what_is_written_letter_by_letter():
    """Eleven moves, so that one stands on the second line; rows count from the top."""
    game = Game.from_text("a1b2c3d4e5a2b3c4d5e6h8")
    record = Record(game, ("Ann", "Bob"), date="2025-01-31 18:00", resigned=WHITE)
    record.times = {10: 1.25}
    assert format_record(record, "moves") == "size: 8\nin a row: 5\na1b2c3d4e5a2b3c4d5e6h8\n"
    assert format_record(record, "sgf") == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[8]PB[Ann]PW[Bob]RE[B+R]DT[2025-01-31]HOUR[18:00]\n"
        ";B[ah];W[bg];B[cf];W[de];B[ed];W[ag];B[bf];W[ce];B[dd];W[ec]\n"
        ";B[ha])\n"
    )
    assert format_record(record, "psq") == (
        "Piskvorky 8x8, 0:0, 0\n1,8,0\n2,7,0\n3,6,0\n4,5,0\n5,4,0\n1,7,0\n2,6,0\n3,5,0\n"
        "4,4,0\n5,3,0\n8,1,1250\nAnn\nBob\n-1\ndate: 2025-01-31 18:00\nresult: B+R\n"
    )


def reviewed_game(moves="a1 h8 a2 h9 a3 h7 a4"):
    """Return a game lost by o1, with a search behind that move, and its review."""
    game = Game.from_text(moves, 15)
    record = Record(game, ("person", "engine"), date="2025-01-31 18:00")
    thought = five.engine.think(game, simulations=300, seed=4)
    record.play("o1", dataclasses.replace(thought, proven=None))
    return record, review_game(record.game, simulations=300, seed=1)


def test_an_sgf_holds_searches_and_a_review_which_can_be_read_back():
    record, review = reviewed_game()
    text = format_record(record, "sgf", review)
    again = read_record(text)
    assert whole(again) == whole(record)
    pd.testing.assert_frame_equal(
        review_of(again), review, check_dtype=False, rtol=0, atol=1e-4
    )
    assert review_words(review_of(again)) == review_words(review)
    assert again.notes[8]["C"].startswith("Search: 0 simulations, seed 4; 0 visits; line a5; ")
    assert format_record(again, "sgf", review_of(again)) == text
    assert format_record(again, "sgf").count("Review: ") == 9  # its notes are kept as they are


def test_the_properties_of_an_analysis_are_those_of_the_standard():
    """V is positive where black is better; BM a bad move; the better line a variation."""
    record, review = reviewed_game()
    text = format_record(record, "sgf", review)
    parts = [(name, value) for name, value, _ in sgf_parts(text)[0]]
    assert {name for name, _ in parts} <= set("; FF GM CA SZ PB PW DT HOUR B W V C BM".split())
    values = [float(value) for name, value in parts if name == "V"]
    assert values == pytest.approx(review.value.tolist(), abs=1e-4) and values[-1] > 0.9
    at = parts.index(("W", "oo"))  # white did not stop the four
    assert ("BM", "1") in parts[at : at + 3] and review.loss[8] > five.panels.LOSS
    assert text.count("(") - 1 == 2 * len(turning_points(review)) and "\n(;W[ak]" in text


@pytest.mark.parametrize("value", ["", "V[B+3]", "V[nan]", "V[1e9]"])
def test_what_other_programs_note_stays_and_is_no_review(value):
    text = f"(;GM[4]SZ[8]C[Two\nlines: \\\\ \\] ]{value};B[aa]C[Review: of mine])"
    record = read_record(text)
    assert record.notes[0]["C"] == "Two\nlines: \\ ]" and review_of(record) is None
    assert read_record(format_record(record, "sgf")).notes == record.notes


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n\n"])
@pytest.mark.parametrize("kind", ["psq", "sgf"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(kind, end):
    record = Record(Game.from_text("d4e5d5e4"), ("Ann", "Bob"), date="2025-01-31 18:00")
    text = format_record(record, kind)
    assert whole(read_record("\ufeff" + text.replace("\n", end))) == whole(record)


def test_times_come_from_thoughts_and_are_forgotten_with_their_moves():
    record = Record(Game(Rules(8)), times={0: 1.5, 1: 2.5})
    record.play("d4")
    record.times = {0: 1.5, 1: 2.5}
    thought = five.engine.think(record.game, simulations=50, seed=1)
    record.play(thought.move, dataclasses.replace(thought, seconds=0.25))
    assert record.times == {0: 1.5}
    assert read_record(format_record(record, "psq")).times == {0: 1.5, 1: 0.25}


def test_a_result_follows_the_board_once_the_game_goes_on():
    record = read_record("(;GM[4]SZ[8]RE[B+T];B[ee])")
    assert (record.resigned, record.ending) == (WHITE, "B+T")
    assert result_code(record) == "B+T"
    record.resigned = 0  # as undo does
    assert result_code(record) == ""
    record.play("a1")
    assert record.ending == "" and "RE" not in format_record(record, "sgf")


# ---- as other programs write them --------------------------------------------------------

TOURNAMENT = """Piskvorky 20x20, 11:11, 0
10,10,0
11,10,0
11,11,0
9,9,14872
12,12,203
pbrain-YIXIN18.exe
pbrain-Embryo21.exe
-1
0,Freestyle1_20
"""


def test_a_psq_of_a_tournament():
    record = read_record(TOURNAMENT.replace("\n", "\r\n"))
    assert record.game.rules == Rules(20, 5, 20)
    assert record.game.moves == ["j11", "k11", "k10", "i12", "l9"]  # rows from the bottom
    assert record.players == ("pbrain-YIXIN18.exe", "pbrain-Embryo21.exe")
    assert record.times == {3: 14.872, 4: 0.203}
    other = read_record(TOURNAMENT.replace("11:11, 0", "11:11, 1"))  # the second one began
    assert other.players == record.players[::-1]
    assert not record.over and record.date == "" and result_code(record) == ""


EDITOR = r"""
(;
FF[4] GM[4] AP[Some Editor:2.1] CA[UTF-8]
SZ[15]
GN[Final (round 3)] PB[Ann \[5 dan\]] PW[Bob \\ Bill]
DT[2019-05-04] RE[W+Resign]
C[A comment with ;B[aa\] in it, (brackets) and a line that \
goes on]
AB[hh][ih]
   AW[hi]
PL[W]
;W [gg] C[good] N[a name]
;
(;B[ff]LB[ff:1][gg:2]
  ;W[jj]
  (;B[ee]) (;B[dd];W[cc]))
(;B[aa];W[bb]))
(;FF[4]GM[4]SZ[19];B[aa])
"""


def test_an_sgf_of_an_editor_with_setup_comments_and_variations():
    record = read_record(EDITOR)
    cells = np.zeros((15, 15), np.int8)
    cells[7, 7], cells[7, 8], cells[6, 7] = BLACK, BLACK, WHITE
    assert five.search.start_of(record.game) == five.search.start_of(
        Game.from_array(cells, WHITE)
    )
    assert record.game.moves == ["g9", "f10", "j6", "e11"]
    assert record.players == ("Ann [5 dan]", r"Bob \ Bill") and record.date == "2019-05-04"
    assert (record.resigned, record.ending) == (BLACK, "W+Resign")


WAYS_TO_WRITE = [  # the same game, or what else was meant
    ("(;FF[3]GaMe[4]SiZe[15];Black[HH];White[II])", "h8 i7"),  # before FF[4]
    ("(;GM[4]SZ[15]B[hh]W[ii])", "h8 i7"),  # all in one node
    ("(;GM[4]SZ[15:10]\n;\n;B[aa];C[a node without a move];W[oj])\n", "a10 o1"),
    ("(;GM[4]SZ[8]AB[aa];W[bb])", "b7"),  # one black stone, so white begins
    ("(;GM[4]SZ[8]AB[aa:bb]AE[aa:bb];B[aa])", "a8"),  # stones taken away again
    ("(;GM[4]SZ[20];B[aa];W[tt])", "a20 t1"),  # no pass where there is such a point
    (r"(;GM[4]SZ[8]C[a [b\] (c) ;W[aa\]];B[bb])", "b7"),  # a comment may hold all that
    ("1. h8 i9 2. g7", "h8 i9 g7"),
    ("1...h8,i9\n2) g7", "h8 i9 g7"),
    ("h8→i9 -> g7", "h8 i9 g7"),
]


@pytest.mark.parametrize("text, moves", WAYS_TO_WRITE)
def test_other_ways_to_write_a_game(text, moves):
    assert read_record(text, rules=Rules(15)).game.moves == moves.split()


# ---- what is wrong is said ---------------------------------------------------------------

PSQ = "Piskvorky 8x8, 0:0, 0\n4,4,0\n5,5,0\nAnn\nBob\n-1\n"
SGF = "(;GM[4]SZ[8]\n;B[dd];W[ee]\n;B[dc])\n"
WON = (
    "Piskvorky 5x5, 0:0, 0\n" + "".join(f"{x},1,0\n{x},5,0\n" for x in range(1, 5)) + "5,1,0\n"
)
REFUSED = [  # the kind of file, its text, the line that is named, and what is said
    ("psq", "", 1, "nothing"),
    ("psq", SGF, 1, "begins with"),
    ("psq", PSQ.replace("8x8", "21x8"), 1, "from 3 to 20, not 21"),
    ("psq", PSQ.replace("5,5", "9,5"), 3, "off the board of 8x8"),
    ("psq", PSQ.replace("5,5", "4,4"), 3, "a black stone stands there"),
    ("psq", PSQ.replace("4,4,0", "4,x,0"), 2, "neither a move"),
    ("psq", PSQ.replace("-1", "won"), 4, "two names or none"),
    ("psq", WON + "-1\nresult: W+R\n", 12, "black wins"),
    ("sgf", PSQ, 1, "the start"),
    ("sgf", SGF.replace("GM[4]", "GM[1]"), 1, "GM must be 4, five in a row, and is 1"),
    ("sgf", SGF.replace("SZ[8]", ""), 1, "SZ must be like 15 or 15:10, and is missing"),
    ("sgf", SGF.replace("W[ee]", "W[ie]"), 2, "off the board"),
    ("sgf", SGF.replace("W[ee]", "W[]"), 2, "W[], move 2, is a pass: this game has no"),
    ("sgf", SGF.replace("W[ee]", "W[ee:ff]"), 2, "W[ee:ff] is not one point"),
    ("sgf", SGF.replace("W[ee]", "B[ee]"), 2, "out of turn"),
    ("sgf", SGF.replace("[dc]", "[dc]AB[aa]"), 3, "comes after a move"),
    ("sgf", SGF.replace("B[dc]", "b[dc]"), 3, "'b' is no property: SGF writes them in cap"),
    ("sgf", SGF.replace("SZ[8]", "SZ[8]PB[Ann[3d]]"), 1, "it must be written \\]"),
    ("sgf", SGF[:-2], 3, "not closed"),
    ("sgf", "(;GM[4]SZ[5]AB[aa:ea]AW[ae:ee])", 1, "both sides"),
    ("sgf", "(;GM[4]SZ[5]AB[aa:ea]\nRE[W])", 2, "W is not what the moves show: black wins"),
    ("sgf", "(;GM[4]SZ[5]AB[aa:ea]\n;W[bb])", 2, "the game is over"),
    ("moves", "d4\ne5 d4", 2, "a black stone stands there"),
    ("moves", "h8\n1. h8 2 i9", 2, "'2' is not a move (character 7)"),
    ("moves", "size: 99\nd4", 1, "size must be a whole number from 3 to 20, not 99"),
    ("moves", "size: 8\n" + "date: 2020", 2, "it holds games of the notebook"),
    ("moves", "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1 o15", 1, "six in a row ended the game at mov"),
]


@pytest.mark.parametrize("kind, text, line, says", REFUSED)
def test_a_refusal_names_file_line_and_reason(kind, text, line, says):
    with pytest.raises(RecordError) as caught:
        read_record(text, kind, Rules(15), name="game.x")
    error = caught.value
    assert (error.name, error.line) == ("game.x", line) and says in error.reason
    assert str(error) == f"game.x, line {line}: {error.reason}"


# ---- the board of a list of moves --------------------------------------------------------


def test_a_list_of_moves_is_read_on_the_board_that_is_given_or_said(tmp_path):
    path = tmp_path / "moves.txt"
    path.write_text("d4e5d5")
    assert load_record(path, Rules(15)).game.rules == Rules(15, rows=15)
    with pytest.raises(RecordError, match="moves.txt, line 1: how large is the board"):
        load_record(path)
    with pytest.raises(RecordError, match="'x' is not a move"):
        read_record("x")  # what is no move is said first
    path.write_text("Size: 9\n\nRows: 12\nd4e5d12")
    assert load_record(path, Rules(15)).game.rules == Rules(9, rows=12)


def test_a_game_of_connect_4_may_be_columns():
    rules = Rules(7, 4, rows=6, gravity=True)
    for text in ("4455", "4-4-5-5", "size: 7\nrows: 6\nin a row: 4\ngravity: yes\n4455"):
        assert read_record(text, rules=rules).game.moves == ["d1", "d2", "e1", "e2"]
    with pytest.raises(RecordError, match="line 2: there is no column 9"):
        read_record("44\n9", rules=rules)


# ---- names and results as other programs write them --------------------------------------


ENCODINGS = [("GB18030", "王五"), ("Shift_JIS", "ソ表 能")]  # second bytes like \\ and ]


@pytest.mark.parametrize("coding, name", ENCODINGS)
def test_an_sgf_is_read_in_the_encoding_that_it_names(coding, name, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_bytes(f"(;PB[{name}]SZ[8]GM[4] CA [{coding}];B[aa])".encode(coding))
    record = load_record(path)
    assert (record.players[0], record.game.moves, record.remarks) == (name, ["a8"], [])
    keep_record(record, path)
    assert load_record(path).players == record.players


@pytest.mark.parametrize("coding", ["", "CA[klingon]", "CA[hex]", "CA[utf-16]"])
def test_without_a_known_encoding_letters_are_marked_and_no_game_is_lost(coding, tmp_path):
    text = rf"(;GM[4]{coding}SZ[8]PB[José \\u0041];B[aa])"
    (tmp_path / "game.sgf").write_bytes(text.encode("latin-1"))
    record = load_record(tmp_path / "game.sgf")
    assert record.game.moves == ["a8"] and record.players[0] == "Jos\ufffd \\u0041"
    assert record.remarks == ["letters that are not UTF-8 are shown as \ufffd"]


def test_a_file_that_an_editor_saved_as_utf_16_is_read(tmp_path):
    for suffix, text in ((".psq", PSQ), (".sgf", SGF), (".txt", "size: 8\nd4")):
        (tmp_path / f"game{suffix}").write_bytes(text.encode("utf-16"))
        assert load_record(tmp_path / f"game{suffix}").game.moves


@pytest.mark.parametrize("text, code", [("w", "W+"), ("Black wins", "B+"), ("W+T", "W+T")])
def test_a_winner_may_be_written_without_a_plus(text, code):
    record = read_record(f"(;GM[4]SZ[8]RE[{text}];B[aa])")
    assert record.resigned == (WHITE if code[0] == "B" else BLACK)
    assert result_code(record) == code


def test_of_several_games_the_first_is_read_and_that_is_said():
    record = read_record("(;GM[4]SZ[8](;B[aa])(;B[bb]))\n(;GM[4]SZ[8];B[cc])")
    assert record.game.moves == ["a8"]
    assert record.remarks == ["it holds several games: this is the first"]
    assert read_record("(;GM[4]SZ[8](;B[aa])(;B[bb]))").remarks == []


@pytest.mark.parametrize("name", ["a\n\ndate: 2020", "a\u2028b", "\x1b[2Ja", "\ud800a", " "])
@pytest.mark.parametrize("kind", ["psq", "sgf"])
def test_a_name_stays_on_its_line_in_every_format(kind, name):
    record = Record(Game.from_text("d4e5"), (name, "Bob"), date=name)
    text = format_record(record, kind)
    text.encode()
    again = read_record(text)
    assert again.players == (five.files.one_line(name) or "person", "Bob")
    assert read_record(format_record(again, kind)).players == again.players


def test_a_deep_tree_is_read_without_recursion():
    record = read_record("(;GM[4]SZ[8]" + "(;C[x]" * 50_000 + ")" * 50_001)
    assert record.game.moves == []


def test_an_unknown_suffix_is_refused_and_those_allowed_are_named(tmp_path):
    record = Record(Game.from_text("d4"))
    for name in ("game.doc", "game", ".psq"):
        with pytest.raises(RecordError, match=r"\.psq, \.sgf, \.txt, \.png"):
            keep_record(record, tmp_path / name)
        with pytest.raises(RecordError, match=r"\.psq, \.sgf, \.txt$"):
            load_record(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


CANNOT = [
    (Game.from_array(Game.from_text("d4").array, BLACK), "psq", "set-up"),
    (Game(Rules(7, 4, rows=6, gravity=True)), "sgf", "five in a row only"),
    (Game(), "moves", "no move to write"),
    (Game(), "pdf", "'psq', 'sgf' or 'moves'"),
]


@pytest.mark.parametrize("game, kind, says", CANNOT)
def test_what_a_kind_cannot_hold_is_refused(game, kind, says):
    with pytest.raises(ValueError, match=says):
        format_record(Record(game), kind)


# ---- files are whole or untouched --------------------------------------------------------


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path, record = tmp_path / "game.sgf", Record(Game.from_text("d4e5"))
    keep_record(Record(Game.from_text("a1")), path)
    before = path.read_bytes()

    def half(self, data):
        with open(self, "wb") as file:
            file.write(data[: len(data) // 2])
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", half)
        with pytest.raises(OSError, match="full"):
            keep_record(record, path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("denied")))
        with pytest.raises(OSError, match="denied"):
            keep_record(record, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    keep_record(record, path)
    assert load_record(path).game.moves == ["d4", "e5"] and list(tmp_path.iterdir()) == [path]


def test_the_file_of_the_notebook_s_games_is_never_replaced(tmp_path):
    path = tmp_path / "game.txt"
    five.game_file.save_game(five.window.GameRecord(Game.from_text("d4")), path)
    before = path.read_bytes()
    with pytest.raises(RecordError, match="game.txt: it holds games of the notebook"):
        keep_record(Record(Game.from_text("a1")), path)
    assert path.read_bytes() == before
    keep_record(Record(Game.from_text("a1b2")), tmp_path / "moves.txt")
    assert load_record(tmp_path / "moves.txt").game.moves == ["a1", "b2"]


def test_of_a_file_of_games_the_last_is_loaded_and_a_broken_one_is_refused(tmp_path):
    path = tmp_path / "game.txt"
    for moves in ("d4", "e5d5"):
        five.game_file.save_game(five.window.GameRecord(Game.from_text(moves)), path)
    record = load_record(path)
    assert isinstance(record, Record) and record.game.moves == ["e5", "d5"]
    path.write_text(path.read_text().replace("2. d5", "2. e5"))
    with pytest.raises(ValueError, match=r"game\.txt, line \d+: e5 cannot be played"):
        load_record(path)


# ---- broken files ------------------------------------------------------------------------


def mutated(data, rng):
    """Return bytes of a file in which 1 to 4 pieces were exchanged for others, or for none."""
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(data) + 1), rng.choice((0, 1, 1, 5, 400))
        count = rng.choice((0, 1, 1, 2))
        data[at : at + length] = bytes(rng.choices(b"0159,;()[]\\BWaex-\n\r\0\xff ", k=count))
    return bytes(data)


@pytest.mark.parametrize("suffix", [".psq", ".sgf"])
def test_a_thousand_mutated_files_are_refused_or_legal(suffix, tmp_path, full):
    rng, path = random.Random(2024), tmp_path / f"game{suffix}"
    texts, refused, accepted = [], 0, 0
    for seed in range(20):
        rules = Rules(3 + seed % 18, rows=3 + (7 * seed) % 18)
        game = random_setup(rules, seed) if suffix == ".sgf" and seed % 2 else Game(rules)
        record = Record(play_on(game, 5 * seed, seed), ("Ann [x]", "Bob"), date="2025-01-31")
        record.times = {ply: 1 + ply / 8 for ply in range(len(game.played))}
        texts.append(format_record(record, path.suffix[1:]).encode())
    texts.append((TOURNAMENT if suffix == ".psq" else EDITOR).encode())
    for number in range(20_000 if full else 1_000):
        data = mutated(texts[number % len(texts)], rng)
        path.write_bytes(data)
        try:
            record = load_record(path)
        except RecordError as error:
            refused += 1
            assert error.name == path.name and error.reason and error.reason.isprintable()
            assert 1 <= error.line <= 1 + data.count(b"\n") + data.count(b"\r")
            assert str(error) == f"{path.name}, line {error.line}: {error.reason}"
        else:
            accepted += 1
            check_legal(record)
        assert path.read_bytes() == data
    assert refused > accepted > 0


def check_legal(record):
    """Assert that the moves are legal from the start, and that the record can be kept."""
    game = record.game
    cells = np.frombuffer(five.search.start_of(game)[0], np.int8).reshape(game.array.shape)
    again = Game.from_array(cells, five.search.start_of(game)[1], game.rules)
    for move in game.moves:
        again.play(move)
    assert (again.array == game.array).all() and again.winner == game.winner
    assert record.resigned in (0, BLACK, WHITE) and not (record.resigned and game.over)
    assert all(0 <= ply < len(game.played) for ply in record.times)
    assert whole(read_record(format_record(record, "sgf"))) == whole(record)
    with contextlib.suppress(ValueError):  # a name that would be a move, or a set-up
        assert whole(read_record(format_record(record, "psq"))) == whole(record)

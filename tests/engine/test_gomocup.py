"""The Gomocup brain: every command, a flood of nonsense, and a real process."""

import os
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

import five_in_a_row as five
import psutil
import pytest
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.gomocup import Brain
from helpers import PATIENCE, StepClock, wait_for

MOVE = re.compile(r"(\d+),(\d+)")
ANSWER = re.compile(r"OK|\d+,\d+|(ERROR|UNKNOWN|MESSAGE|DEBUG) [ -~]+|name=\"[ -~]+")


def still():
    """A clock that stands still: only simulations end a search."""
    return 0.0


def brain_on(size=15, **more):
    """Return a brain after START, whose moves take a few simulations and repeat."""
    brain = Brain(**{"simulations": 100, "seed": 1, "clock": still} | more)
    assert brain.answer(f"START {size}") == ["OK"]
    return brain


def talk(brain, *lines):
    """Return all that the brain answers to some lines."""
    return [answer for line in lines for answer in brain.answer(line)]


def point_of(answer, rules):
    """Return the point of a move such as "7,7"; the answer must be one."""
    x, y = map(int, MOVE.fullmatch(answer).groups())
    return five.gomocup.point_of_xy(x, y, rules)


def refused(brain, line, reason, word="ERROR"):
    """Say whether a line is answered by ERROR with a reason, and changes no stone."""
    before = brain.seat.game.array.tolist() if brain.seat.game else None
    (answer,) = brain.answer(line)
    after = brain.seat.game.array.tolist() if brain.seat.game else None
    return answer.startswith(f"{word} ") and reason in answer and before == after


# ---- points and commands ---------------------------------------------------------------


def test_rows_count_from_the_top():
    rules = Rules(15)
    assert five.game.point_name(five.gomocup.point_of_xy(0, 0, rules), 15) == "a15"
    assert five.game.point_name(five.gomocup.point_of_xy(2, 14, rules), 15) == "c1"
    for point in range(rules.points):
        assert point_of(five.gomocup.xy_text(point, rules), rules) == point


@pytest.mark.parametrize("size", [5, 12, 20])
def test_starts_every_size_from_5_to_20(size):
    brain = brain_on(size, simulations=5)
    assert brain.seat.game.rules.size == size
    assert MOVE.fullmatch(*brain.answer("BEGIN"))


@pytest.mark.parametrize("size", ["4", "21", "15.0", "", "15 10", "١٥", "9" * 99])
def test_refuses_other_sizes_and_says_which_it_plays(size):
    assert refused(Brain(), f"START {size}", "from 5 to 20")
    assert refused(brain_on(), f"START {size}", "from 5 to 20")  # and keeps its game


@pytest.mark.parametrize("line", ["RECTSTART 15,10", "rectstart"])
def test_refuses_boards_that_are_not_square(line):
    assert refused(Brain(), line, "only square boards")


@pytest.mark.parametrize(
    "line", ["BEGIN", "TURN 7,7", "BOARD", "TAKEBACK 7,7", "RESTART"], ids=str
)
def test_needs_start_first(line):
    assert refused(Brain(), line, "START first")


def test_about_info_end_and_empty_lines_need_no_start():
    brain = Brain()
    assert re.fullmatch(r'name=".+", version=".+", author=".+"', *brain.answer("ABOUT"))
    assert talk(brain, "INFO timeout_turn 100", "", "  ", "\r\n") == []
    assert brain.answer("END") is None and Brain().answer(" end\r\n") is None


def test_begin_plays_black_and_turn_plays_white():
    brain = brain_on()
    (move,) = brain.answer("BEGIN")
    assert (brain.seat.own, brain.seat.game.array.sum()) == (BLACK, 1)
    assert brain.seat.game.played == [point_of(move, brain.seat.game.rules)]
    brain = brain_on()
    brain.answer("TURN 7,7")
    assert brain.seat.own == WHITE and brain.seat.game.moves[0] == "h8"


def test_commands_may_be_written_in_small_letters_and_with_spaces():
    brain = Brain(simulations=5, clock=still)
    assert talk(brain, "start 15 15\r\n", "  Turn   7 , 7 ")[0] == "OK"
    assert brain.seat.game.moves[0] == "h8"


@pytest.mark.parametrize("text", ["", "7", "7,7,7", "a,b", "15,0", "-1,3", "7.0,7"])
def test_refuses_a_point_that_is_none_or_taken(text):
    brain = brain_on()
    brain.answer("TURN 7,7")
    assert refused(brain, "TURN 7,7", "7,7 is taken") and refused(brain, "BEGIN", "empty")
    assert refused(brain, f"TURN {text}", "")
    assert refused(brain, f"TAKEBACK {text}", "")


def test_restart_clears_the_board_and_keeps_the_size():
    brain = brain_on(9)
    assert talk(brain, "TURN 4,4", "RESTART")[1] == "OK"
    assert brain.seat.game.rules.size == 9 and not brain.seat.game.array.any()
    assert MOVE.fullmatch(*brain.answer("BEGIN"))


@pytest.mark.parametrize("line", ["SUGGEST 3,3", "7,7,1", "\x00", "ſtart 15", "TURN7,7"])
def test_does_not_know_other_commands(line):
    (answer,) = brain_on().answer(line)
    assert answer.startswith("UNKNOWN ") and answer.isascii()


@pytest.mark.parametrize("line", ["BEGIN now", "BOARD 7,7,1", "DONE"])
def test_refuses_what_follows_a_command_that_stands_alone(line):
    assert refused(brain_on(), line, "")


# ---- takeback and board ----------------------------------------------------------------


def test_takes_back_in_any_order_and_goes_on():
    brain = brain_on()
    (move,) = brain.answer("TURN 7,7")
    assert talk(brain, "TAKEBACK 7,7") == ["OK"]  # the older stone: only ours is left
    own = brain.seat.own
    assert MOVE.fullmatch(*brain.answer("TURN 3,3"))
    cells = brain.seat.game.array
    assert cells.flat[point_of(move, brain.seat.game.rules)] == own
    assert ((cells == own).sum(), (cells == -own).sum()) == (2, 1)


def test_board_takes_stones_in_any_order():
    stones = ["7,7,2", "8,8,1", "7,8,2", "3,3,1", "9,9,2"]
    answers = set()
    for seed in range(4):
        random.Random(seed).shuffle(stones)
        brain = brain_on()
        (move,) = talk(brain, "BOARD", *stones, "DONE")
        answers.add(move)
        assert brain.seat.own == WHITE and len(brain.seat.game.played) == 1
        assert (brain.seat.game.array != 0).sum() == 6
    assert len(answers) == 1


def test_board_takes_a_win_and_stops_one():
    stones = "3,7,{0} 4,7,{0} 5,7,{0} 6,7,{0} 2,7,{1} 9,9,{1} 9,3,{1}"
    for sides in [(1, 2), (2, 1)]:
        lines = ["BOARD", *stones.format(*sides).split(), "DONE"]
        assert talk(brain_on(), *lines) == ["7,7"]


FIVE = [f"{x},7,2" for x in range(5)]


@pytest.mark.parametrize(
    ("stones", "reason"),
    [
        (["7,7,1", "7,7,2"], "two stones on 7,7"),
        (["15,0,1"], "off the board"),
        (["7,7,4"], "x,y,1"),
        (["nonsense", "7,7,1", "15,0,1"], "nonsense"),
        (FIVE, "over"),
        ([*FIVE, *(f"{x},9,1" for x in range(5))], "both"),
        ([f"{x},{y},{1 + (x // 2 + y) % 2}" for x in range(15) for y in range(15)], "over"),
    ],
    ids=["twice", "off", "field", "first", "won", "both", "full"],
)
def test_a_bad_board_is_refused_once_and_the_old_game_goes_on(stones, reason):
    brain = brain_on()
    brain.answer("TURN 7,7")
    before, moves = brain.seat.game.array.tolist(), brain.seat.game.played[:]
    (answer,) = talk(brain, "BOARD", *stones, "DONE")
    assert answer.startswith("ERROR ") and reason in answer
    assert (brain.seat.game.array.tolist(), brain.seat.game.played) == (before, moves)
    assert MOVE.fullmatch(*brain.answer("TURN 0,0"))


def test_a_command_that_begins_anew_does_not_wait_for_done():
    answers = talk(brain_on(), "BOARD", "7,7,1", "START 9", "BEGIN")
    assert [answer.split()[0] for answer in answers[:2]] == ["ERROR", "OK"]
    assert MOVE.fullmatch(answers[2])


@pytest.mark.parametrize("stones", [("7,7,1", "+8,8", ""), ()])
def test_a_command_that_is_not_known_is_answered_once_with_all_its_lines(stones):
    """Other managers have commands of their own, some with a position."""
    brain = brain_on()
    (answer,) = talk(brain, "yxboard", *stones, "done")
    assert answer.startswith("UNKNOWN command")
    assert brain.answer("DONE")[0].startswith("ERROR ")  # it belongs to nothing
    assert MOVE.fullmatch(*brain.answer("TURN 7,7"))


# ---- the end of a game -----------------------------------------------------------------


def test_after_the_end_moves_are_refused_and_a_stone_may_be_taken_back():
    brain = brain_on(simulations=1)
    brain.seat.set_up(Game.from_text("a1b9a2c9a3d9a4f9", size=15).array, WHITE, BLACK)
    assert "you have won" in brain.answer("TURN 0,10")[0]
    for line in ("TURN 9,9", "TURN 0,9"):
        assert refused(brain, line, "the game is over: you have won")
    assert brain.answer("BEGIN")[0].startswith("ERROR ")
    assert talk(brain, "TAKEBACK 0,10") == ["OK"]
    assert talk(brain, "TURN 9,9")[0] == "4,6"  # now the brain makes its own five at e9


def test_says_that_it_has_won():
    brain = brain_on(simulations=1)
    brain.seat.set_up(Game.from_text("a1b9a2c9a3d9a4e9", size=15).array, WHITE, BLACK)
    move = brain.answer("TURN 14,14")[0]
    assert brain.seat.game.winner == WHITE and MOVE.fullmatch(move)
    assert refused(brain, "TURN 9,9", "I have won")


# ---- INFO ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["INFO", "INFO timeout_turn", "INFO rule x", "INFO max_memory 1e6"]
)
def test_says_what_is_wrong_with_an_info_before_the_next_answer(line):
    brain = brain_on()
    assert talk(brain, line, "", "INFO timeout_turn 50") == []  # nothing is written on INFO
    message, move = brain.answer("BEGIN")
    assert message.startswith("MESSAGE INFO") and MOVE.fullmatch(move)


def test_says_once_that_another_rule_is_not_played():
    brain = Brain(simulations=5, clock=still)
    assert talk(brain, "INFO rule 1", "INFO rule 1", "INFO rule 0") == []  # before START, too
    message, ok = brain.answer("START 15")
    assert message.startswith("MESSAGE ") and "exactly five" in message and ok == "OK"
    assert talk(brain, "INFO rule 6", "INFO rule 8", "BOARD", "7,7,2", "INFO rule 9") == []
    renju, caro, both, move = brain.answer("DONE")
    assert (
        "continuous game, renju" in renju and "caro" in caro and "exactly five, caro" in both
    )
    assert MOVE.fullmatch(move) and MOVE.fullmatch(*brain.answer("TURN 0,0"))


def test_memory_has_a_floor_and_a_ceiling():
    brain, most = brain_on(), five.search.SearchOptions().memory
    for told, memory in [(1, five.gomocup.LEAST_MEMORY), (10**12, most), (0, most)]:
        brain.answer(f"INFO max_memory {told}")
        assert brain.thinker.limits.memory == memory
    brain.answer("INFO max_memory 350000000")
    memory = brain.thinker.limits.memory  # there are two trees for a moment
    assert five.gomocup.PROGRAM_MEMORY + 2 * memory <= 350_000_000
    brain.answer("BEGIN")
    assert brain.seat.tree.options.memory == brain.thinker.limits.memory


def test_a_turn_takes_no_more_than_its_share_of_the_time_left():
    limits = five.gomocup.Limits()
    limits.info("timeout_turn", "5000")
    assert 4.8 < limits.budget() < 5
    limits.info("timeout_match", "60000")
    assert 3.5 < limits.budget() < 4
    limits.info("time_left", "6000")
    assert 0.3 < limits.budget() < 0.4
    limits.used += 3
    assert 0.1 < limits.budget() < 0.2
    limits.info("time_left", "-500")
    assert limits.budget() == 0
    limits.new_game()
    assert 3.5 < limits.budget() < 4


def test_the_time_of_every_move_counts_for_the_match():
    clock = StepClock(0.005)
    brain = brain_on(clock=clock)
    brain.answer("INFO timeout_match 60000")
    for line in ("TURN 7,7", "TURN 2,12"):
        begun, left = clock.now + clock.step, brain.thinker.limits.left()
        assert MOVE.fullmatch(*brain.answer(line))
        assert left - brain.thinker.limits.left() == pytest.approx(clock.now - begun)


def test_no_match_limit_is_no_limit():
    limits = five.gomocup.Limits()
    limits.info("timeout_turn", "1000")
    for key, value in [
        ("timeout_match", "0"),
        ("time_left", "0"),
        ("time_left", "2147483647"),
    ]:
        limits.info(key, value)
        assert 0.9 < limits.budget() < 1
    limits.info("timeout_turn", "0")
    assert 0 < limits.budget() < 0.05
    for turn in (1, 10, 40, 60):
        limits.info("timeout_turn", str(turn))
        assert min(turn / 2000, 0.018) <= limits.budget() < turn / 1000


# ---- time ------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 40, 1000])
def test_never_exceeds_the_time_for_a_turn(turn, monkeypatch):
    """Even where what comes before the search is slow: the time is counted as a whole."""
    clock, forced_move = StepClock(0.005), five.engine.forced_move

    def slow(game):
        clock.now += 0.03
        return forced_move(game)

    brain = brain_on(simulations=None, clock=clock)
    brain.answer(f"INFO timeout_turn {turn}")
    monkeypatch.setattr(five.engine, "forced_move", slow)
    for line in ("TURN 7,7", "TURN 2,12", "TURN 12,3"):
        begun = clock.now
        assert MOVE.fullmatch(*brain.answer(line))
        assert clock.now - begun <= max(turn / 1000, 0.085)  # 0: at once
        assert brain.seat.tree.root.N > 0  # at least a small search


def test_time_counts_from_when_the_line_was_read():
    clock = StepClock(0.005)
    brain = brain_on(simulations=None, clock=clock)
    brain.answer("INFO timeout_turn 1000")
    clock.now += 10
    begun = clock.now
    assert MOVE.fullmatch(*brain.answer("TURN 7,7", begun - 5))
    assert clock.now - begun < 0.1  # its time was over before it began


def test_a_search_ends_when_nothing_more_will_be_asked():
    brain = brain_on(simulations=None, clock=time.perf_counter)
    brain.answer("INFO timeout_turn 3600000")
    threading.Timer(0.2, brain.thinker.ended.set).start()
    assert MOVE.fullmatch(*brain.answer("BEGIN"))  # and not in an hour


# ---- an engine that is not ready yet ----------------------------------------------------


@pytest.fixture
def preparation():
    """Return a preparation of the engine that is over once `.go_on` is set."""
    go_on = threading.Event()
    preparation = five.gomocup.Preparation(lambda: go_on.wait(600))
    preparation.go_on = go_on
    yield preparation
    go_on.set()
    preparation.thread.join()


def unready(preparation, turn=1000, **more):
    """Return a brain on a board of 15 whose engine gets ready when it is told to."""
    brain = Brain(seed=1, clock=StepClock(0.01), preparation=preparation, **more)
    assert talk(brain, "START 15", f"INFO timeout_turn {turn}") == ["OK"]
    return brain


@pytest.mark.parametrize("turn", [0, 500])
def test_until_the_engine_is_ready_the_score_table_moves_in_time(preparation, turn):
    brain = unready(preparation, turn)
    said = []
    for line in ("BEGIN", "TURN 0,0", "TURN 14,0", "TURN 0,14"):
        begun = brain.clock.now
        *messages, move = brain.answer(line)
        assert brain.clock.now - begun <= max(0.9 * turn / 1000, 0.1)
        point = point_of(move, brain.seat.game.rules)
        assert brain.seat.game.played[-1] == point
        said += messages
    assert len(said) == 1 and said[0].startswith("MESSAGE the engine is being loaded")


def test_once_the_engine_is_ready_it_thinks(preparation, monkeypatch):
    monkeypatch.setattr(five.gomocup, "WAIT_SHARE", 0.1)
    brain = unready(preparation, simulations=20)
    assert MOVE.fullmatch(talk(brain, "TURN 7,7", "TURN 1,1")[-1]) and brain.seat.tree is None
    preparation.go_on.set()
    preparation.thread.join()
    message, move = brain.answer("TURN 2,12")
    assert message == "MESSAGE the engine is ready after 2 moves" and MOVE.fullmatch(move)
    assert brain.seat.tree.root.N >= 20
    assert MOVE.fullmatch(*brain.answer("TURN 12,2"))


def test_a_move_waits_for_an_engine_that_gets_ready_in_time(preparation):
    brain = unready(preparation, turn=3_600_000, simulations=20)
    brain.clock.step = 0.0
    threading.Timer(0.1, preparation.go_on.set).start()
    assert MOVE.fullmatch(*brain.answer("BEGIN")) and brain.seat.tree.root.N >= 20


def test_an_engine_that_cannot_be_loaded_is_no_silence():
    def fail():
        raise ImportError("there is no compiler")

    preparation = five.gomocup.Preparation(fail)
    preparation.thread.join()
    with pytest.raises(ImportError, match="there is no compiler"):
        unready(preparation).answer("BEGIN")


# ---- trees -----------------------------------------------------------------------------


def test_goes_on_with_the_tree_of_its_last_move(monkeypatch):
    """Each search of a game gets the tree of the one before; a new position begins anew."""
    given, think = [], five.gomocup.ask_engine

    def spy(*arguments, **options):
        given.append(options["tree"])
        return think(*arguments, **options)

    brain = brain_on()
    monkeypatch.setattr(five.gomocup, "ask_engine", spy)
    brain.answer("BEGIN")
    first = brain.seat.tree
    brain.answer("TURN 0,0")
    assert first is not None and given == [None, first]
    talk(brain, "BOARD", "7,7,2", "DONE")
    assert given[2] is None


# ---- nonsense --------------------------------------------------------------------------

WORDS = "START RECTSTART RESTART BEGIN TURN BOARD DONE TAKEBACK INFO ABOUT END PLAY".split()
KEYS = "timeout_turn timeout_match time_left max_memory rule folder game_type".split()
TAILS = [
    "",
    " ",
    ",",
    ",,",
    " 99,99",
    " -1,-1",
    " 1e9",
    " 7,7,7,7",
    " \x00",
    " ÿ",
    " 7;7",
    " NaN",
]


def nonsense(rng):
    """Return a line that no manager writes, or that comes at the wrong time."""
    word, number = rng.choice(WORDS), rng.choice([-1, 0, 3, 7, 14, 15, 20, 10**20])
    kind = rng.randrange(7)
    if kind == 0:
        return "".join(chr(rng.randrange(1, 0x2FFF)) for _ in range(rng.randrange(40)))
    if kind == 1:
        letters = list(word + rng.choice(TAILS))
        rng.shuffle(letters)
        return "".join(letters)
    if kind == 2:
        return word + rng.choice([*TAILS[1:], str(number)]) + rng.choice(TAILS)
    if kind == 3:
        return f"INFO {rng.choice(KEYS)} {rng.choice([number, 'x', '', 1.5])}"
    if kind == 4:
        return f"{word} {number},{rng.randrange(-2, 17)}"
    if kind == 5:
        return f"{number},{rng.randrange(-2, 17)},{rng.randrange(5)}"
    return bytes(rng.randrange(256) for _ in range(60)).decode("utf-8", "replace")


def test_ten_thousand_malformed_lines_do_no_harm():
    """Each answer is one of the protocol's, and each move is legal where it was made."""
    rng, brain, counts = random.Random(2024), brain_on(simulations=3), {}
    for number in range(10_000):
        if number % 50 == 0:  # a proper game; every second time, inside a BOARD
            talk(brain, "DONE", "START 15", "BEGIN", *["BOARD"] * (number % 100 // 50))
        line = nonsense(rng)
        taken, board = set(brain.seat.game.array.ravel().nonzero()[0]), brain.stones
        answers = brain.answer(line)
        if answers is None:
            assert line.strip().upper() == "END"
            continue
        for answer in answers:
            assert ANSWER.fullmatch(answer), (line, answer)
            head = "move" if MOVE.fullmatch(answer) else answer.split()[0]
            counts[head] = counts.get(head, 0) + 1
            if head == "move":
                point = point_of(answer, brain.seat.game.rules)
                assert point not in (taken if board is None else board)
                assert brain.seat.game.played[-1] == point
    assert min(counts[head] for head in ("move", "OK", "ERROR", "UNKNOWN")) >= 3, counts
    assert talk(brain, "DONE", "START 15")[-1] == "OK"
    assert MOVE.fullmatch(*brain.answer("BEGIN"))


# ---- the loop, and a real process ------------------------------------------------------


def test_a_manager_that_has_gone_is_no_crash():
    def write(line):
        raise BrokenPipeError

    assert five.gomocup.gomocup(["START 15", "TURN 7,7"], write, Brain()) == 1


@pytest.mark.parametrize("chunk", [1, 1 << 16])
def test_lines_are_found_in_whatever_pieces_they_come(chunk):
    reader, writer = os.pipe()
    text = b"START 15\r\n\nABOUT\rTURN \xff7,7\n" + b"x" * 30_000 + b"\nEND"

    def send():
        for i in range(0, len(text), chunk):
            os.write(writer, text[i : i + chunk])
        os.close(writer)

    threading.Thread(target=send).start()
    lines = [line for line in five.gomocup.input_lines(reader) if line]
    os.close(reader)
    assert lines[:3] == ["START 15", "ABOUT", "TURN \N{REPLACEMENT CHARACTER}7,7"]
    assert len(lines[3]) == five.gomocup.LONGEST_LINE and lines[4] == "END" and len(lines) == 5


class Manager:
    """A tournament manager at the other end of the pipes of a real brain."""

    def __init__(self, root, **settings):
        command = [sys.executable, str(root / "export" / "five_in_a_row"), "--gomocup"]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(command, env=os.environ | settings, **pipes)
        self.heard, self.lines = [], queue.SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("ascii").rstrip("\r\n"))

    def send(self, *lines):
        self.process.stdin.write("".join(f"{line}\r\n" for line in lines).encode("latin-1"))
        self.process.stdin.flush()

    def hear(self):
        """Return the next line that is not about the engine getting ready."""
        self.heard.append(self.lines.get(timeout=PATIENCE))
        about = "MESSAGE the engine is "
        return self.hear() if self.heard[-1].startswith(about) else self.heard[-1]

    def finish(self):
        """Close the input; return (exit status, what stdout still held, stderr)."""
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        rest = []
        while not self.lines.empty():
            rest.append(self.lines.get())
        rest = [line for line in rest if not line.startswith("MESSAGE the engine is ")]
        with self.process.stderr as file:
            errors = file.read()
        self.process.stdout.close()
        return status, rest, errors


@pytest.fixture
def manager(root):
    """A brain as a process, stopped at the end of the test."""
    manager = Manager(root)
    yield manager
    if manager.process.poll() is None:
        manager.process.kill()
        manager.process.wait()


def test_plays_a_game_as_a_process(manager):
    """Against random replies, to the end; stdout holds the protocol and nothing else."""
    rng, game = random.Random(5), Game(Rules(15))
    manager.send("START 15")
    assert manager.hear() == "OK"
    manager.send("INFO timeout_turn 200", "INFO timeout_match 0", "INFO rule 0")
    manager.send("BEGIN")
    while True:
        game.play(point_of(manager.hear(), game.rules))  # an illegal move raises
        if game.over:
            break
        reply = rng.choice(game.legal())
        game.play(reply)
        manager.send(f"TURN {five.gomocup.xy_text(reply, game.rules)}")
    assert game.winner == BLACK  # the brain, against random moves
    manager.send("TURN 0,0")
    assert "the game is over" in manager.hear()
    manager.send("RESTART", "END")
    assert manager.hear() == "OK"
    assert manager.finish() == (0, [], b"")
    assert all(ANSWER.fullmatch(line) for line in manager.heard)


def test_loses_no_command_that_comes_early_and_ends_with_its_input(manager):
    manager.send(
        "START 15", "INFO timeout_turn 100", "TURN 7,7", "ABOUT", "RESTART", "BEGIN", "x"
    )
    heads = [manager.hear().split()[0] for _ in range(6)]
    assert heads[0] == heads[3] == "OK" and heads[5] == "UNKNOWN"
    assert (
        MOVE.fullmatch(heads[1]) and MOVE.fullmatch(heads[4]) and heads[2].startswith("name=")
    )
    assert manager.finish() == (0, [], b"")


def test_end_stops_a_long_search(manager):
    manager.send("START 15", "INFO timeout_turn 3600000", "BEGIN")
    assert manager.hear() == "OK"
    manager.send("END")
    assert manager.process.wait(timeout=PATIENCE) == 0
    status, rest, errors = manager.finish()
    assert (status, errors) == (0, b"") and all(MOVE.fullmatch(line) for line in rest)


def test_start_is_answered_before_anything_is_compiled(root, tmp_path):
    """Compiling goes on in a process of its own, which ends with the brain."""
    manager = Manager(root, NUMBA_CACHE_DIR=str(tmp_path / "cold"))
    try:
        manager.send("START 20")
        assert manager.hear() == "OK"
        assert not list(tmp_path.rglob("*.nbc"))
        manager.send("INFO timeout_turn 100", "BEGIN")
        assert manager.hear() == "10,9" and manager.heard[-2].startswith("MESSAGE")
        brain, helpers = psutil.Process(manager.process.pid), []
        wait_for(lambda: helpers.extend(brain.children()), lambda: helpers, PATIENCE)
        manager.send("TURN 3,3")
        assert MOVE.fullmatch(manager.hear())
        assert not list(tmp_path.rglob("search.build_search*.nbc"))  # it is not ready
        manager.send("END")
        assert manager.finish() == (0, [], b"")
        psutil.wait_procs(helpers, timeout=60)
        assert not any(helper.is_running() for helper in helpers)
    finally:
        manager.process.kill()
        manager.process.wait()


@pytest.mark.skipif(sys.platform == "win32", reason="signals that Windows does not have")
@pytest.mark.parametrize("moment", ["cold", "thinking"])
def test_ctrl_c_ends_it_quietly(root, tmp_path, moment):
    settings = {"NUMBA_CACHE_DIR": str(tmp_path)} if moment == "cold" else {}
    manager = Manager(root, **settings)
    manager.send("START 15")
    assert manager.hear() == "OK"
    if moment == "thinking":
        manager.send("INFO timeout_turn 60000", "INFO timeout_match 1000", "BEGIN")
        assert MOVE.fullmatch(manager.hear())
        manager.send("INFO timeout_match 0", "INFO time_left 2147483647", "TURN 3,3")
    time.sleep(0.2)  # it may be at any point by then
    manager.process.send_signal(signal.SIGINT)
    assert manager.process.wait(timeout=PATIENCE) == 130
    assert manager.finish() == (130, [], b"")

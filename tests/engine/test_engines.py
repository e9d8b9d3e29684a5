"""Other engines: toy brains that behave well or badly, faults, matches, and what is left."""

import _thread
import gc
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

import five_in_a_row as five
import psutil
import pytest
from five_in_a_row import seats
from five_in_a_row.game import BLACK, WHITE, Game, Rules
from five_in_a_row.seats import EngineFault, GomocupEngine, Program, watch_match
from helpers import PATIENCE, FunctionPlayer

PATIENT = PATIENCE  # that a good brain has, and a bad one to be gone
RULES = Rules(7)

# A brain that plays at random, and what it does instead at some point: `toy.py what number`.
TOY = r"""
import os, random, signal, subprocess, sys, time

what, number = sys.argv[1:3] if len(sys.argv) > 2 else (*sys.argv[1:], "", "")[:2]
folder = os.path.dirname(os.path.abspath(__file__))
log = open(os.path.join(folder, "log.txt"), "a")
moves = 0


def say(text):
    print(text, end="\r" if what == "cr" else "\n", flush=True)


def child(alone):
    code = "import signal as s, time; s.signal(s.SIGTERM, s.SIG_IGN); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=alone)
    with open(os.path.join(folder, "child.txt"), "a") as file:
        file.write(f"{process.pid}\n")


def misbehave():
    if what == "hang":
        time.sleep(600)
    if what == "die":
        print("toy: out of ideas", file=sys.stderr, flush=True)
        sys.exit(3)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "say":
        say(sys.argv[3])
        return True
    if what == "occupied":
        say("{},{}".format(*min(board)))
        return True
    if what == "endless":
        os.write(1, b"x" * 3_000_000 + b"\n")
        return True
    if what == "binary":
        os.write(1, b"\xff\x00\x1b[2J\n")
        return True


def move():
    global moves
    moves += 1
    if str(moves) == number and misbehave():
        return
    if what == "slow":
        time.sleep(float(number))  # of each move
    if what == "flood":
        for i in range(20_000):
            print("MESSAGE", i, "of many")
            print("debug", i)
    if what == "noise":
        for i in range(20_000):
            print("toy", i, file=sys.stderr)
    free = [(x, y) for x in range(size[0]) for y in range(size[1]) if (x, y) not in board]
    point = random.choice(free)
    if what == "suggest":
        say("Suggest  {},{}".format(*point))
        return
    board[point] = 1
    say("{},{}".format(*point))
    if what == "unasked":
        say("{},{}".format(*random.choice(free)))
        say("nonsense")


if what == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if what in ("child", "daemon"):
    child(alone=what == "daemon")
board, size = {}, (0, 0)
while True:
    line = sys.stdin.readline()
    if not line:
        if what == "deaf":
            time.sleep(600)
        break
    log.write(line)
    log.flush()
    word, _, text = line.strip().partition(" ")
    if word in ("START", "RECTSTART"):
        if number == "start" and misbehave():
            continue
        values = text.split(",")
        size, board, moves = (int(values[0]), int(values[-1])), {}, 0
        say("ERROR too small" if size[0] < 5 else "OK - everything is good")
    elif word == "RESTART":
        board, moves = {}, 0
        say("UNKNOWN command" if what == "forgetful" else "ok")
    elif word == "ABOUT":
        if what == "nameless":
            say("UNKNOWN about")
        else:
            say('name="Toy %s", version="1.0"' % what)
    elif word == "INFO" and what == "puzzled":
        say("UNKNOWN info " + text)
    elif word == "PLAY":
        board[tuple(map(int, text.split(",")))] = 1
        say(text)
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        board[tuple(map(int, text.split(",")))] = 2
        move()
    elif word == "BOARD":
        while (stone := sys.stdin.readline().strip()) != "DONE":
            log.write(stone + "\n")
            x, y, who = map(int, stone.split(","))
            board[x, y] = who
        log.write("DONE\n")
        log.flush()
        move()
    elif word == "END" and what != "deaf":
        break
"""


@pytest.fixture
def toy(tmp_path):
    """Return a function: what the toy is to do wrong and when -> its command."""
    file = tmp_path / "toy.py"
    file.write_text(TOY, "utf-8")
    return lambda *how: [sys.executable, str(file), *map(str, how)]


@pytest.fixture
def brain(toy):
    """Return a function that starts a toy; it is closed at the end. Good ones have time."""
    open_ones = []

    def start(*how, **settings):
        settings = {"seconds": PATIENT, "startup": PATIENT} | settings
        open_ones.append(GomocupEngine(toy(*how), **settings))
        return open_ones[-1]

    yield start
    for each in open_ones:
        each.close()


def eventually(true):
    """Say whether something becomes true; wait patiently."""
    end = time.monotonic() + PATIENT
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    return true()


def has_ended(pid):
    """Say whether a process has ended; what nobody has waited for yet has."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def children():
    """Return the processes that this one has started and that have not ended."""
    return [p.pid for p in psutil.Process().children(recursive=True) if not has_ended(p.pid)]


def threads():
    """Return the threads at the pipes of brains."""
    return [thread for thread in threading.enumerate() if "_lines" in thread.name]


@pytest.fixture(scope="module", autouse=True)
def old_objects():
    """Keep what other tests have made out of the collections here, or each takes long."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def nothing_left():
    """After every test: no process that it started runs, no thread, and no pipe is open."""
    before = set(children())
    yield
    gc.collect()
    assert eventually(lambda: set(children()) <= before), "a process is left"
    assert eventually(lambda: not threads()), "a thread is left"


def play(game, *players):
    """Play a game to its end, the first player being to move next; return it."""
    turn = 0
    while not game.over:
        game.play(players[turn % len(players)].move(game))
        turn += 1
    return game


def heard_by_toy(tmp_path):
    """Return the lines that toys in this folder have read."""
    log = tmp_path / "log.txt"
    return log.read_text("utf-8").split("\n")[:-1] if log.exists() else []


# ---- good brains ------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [Rules(5), Rules(9, rows=6)])
def test_boards_of_other_sizes(brain, rules):
    one, game = brain(), Game(rules)
    for _ in range(4):
        game.play(one.move(game))
        game.play(five.mcts.RandomPlayer().move(game, 1))


@pytest.mark.parametrize("write", [shlex.join, list])
def test_commands_are_lists_or_lines(tmp_path, toy, write):
    folder = tmp_path / "with space's"
    folder.mkdir()
    program, file = toy()
    command = [program, str(shutil.copy(file, folder))]
    with GomocupEngine(write(command), seconds=PATIENT) as one:
        assert one.move(Game(RULES)) in range(49)


@pytest.mark.parametrize("how", ["nameless", "puzzled", "cr"])
def test_a_brain_may_be_nameless_and_not_know_info_and_end_lines_with_cr(brain, how):
    one = brain(how)
    assert play(Game(RULES), one, brain()).over
    assert ("toy.py" in one.name) == (how == "nameless")


def test_what_a_brain_suggests_it_is_told_to_play(brain, tmp_path):
    game = Game(RULES)
    game.play(brain("suggest").move(game))
    told = f"PLAY {five.gomocup.xy_text(game.played[0], RULES)}"
    assert heard_by_toy(tmp_path)[-1] == told


def test_our_own_brain_plays_a_legal_game():
    command = [sys.executable, five.__path__[0], "--gomocup"]
    with GomocupEngine(command, seconds=0.05, grace=PATIENT, startup=900) as own:
        game = Game(Rules(6))
        play(game, own, five.mcts.RandomPlayer())
        assert own.name == "Five in a row" and game.winner == BLACK
        own.rest()
        game = Game.from_text("a1 c3 b1 c4 d1 d3", rules=Rules(6))
        assert play(game, own, own).over


# ---- what is said -----------------------------------------------------------------------


def test_a_game_from_begin_to_the_second_move(brain, tmp_path):
    one = brain(seconds=90, match=300, memory=350_000_000)
    game = Game(RULES)
    game.play(one.move(game))
    game.play(other := game.legal()[0])
    game.play(one.move(game))
    lines = heard_by_toy(tmp_path)
    assert lines[:8] == [
        "START 7",
        "ABOUT",
        "INFO timeout_turn 90000",
        "INFO timeout_match 300000",
        "INFO max_memory 350000000",
        "INFO rule 0",
        "INFO time_left 300000",
        "BEGIN",
    ]
    assert re.fullmatch(r"INFO time_left \d+", lines[8])
    assert lines[9:] == [f"TURN {five.gomocup.xy_text(other, RULES)}"]


def test_a_match_without_a_limit_has_the_time_that_the_protocol_says(brain, tmp_path):
    brain().move(Game(RULES))
    lines = heard_by_toy(tmp_path)
    assert "INFO timeout_match 0" in lines and "INFO time_left 2147483647" in lines


def test_an_opening_is_a_board_in_the_order_of_its_moves(brain, tmp_path):
    brain().move(Game.from_text("c3 a1 g7", rules=RULES))
    assert heard_by_toy(tmp_path)[-5:] == ["BOARD", "2,4,2", "0,6,1", "6,0,2", "DONE"]


def test_after_an_undo_the_board_is_set_up_and_the_clock_goes_on(brain, tmp_path):
    one = brain("slow", 0.3, match=100)
    one.move(Game.from_text("d4", rules=RULES))
    one.move(Game.from_text("a1 b1", rules=RULES))
    lines = heard_by_toy(tmp_path)
    left = [int(line.split()[2]) for line in lines if "time_left" in line]
    assert left[0] == 100_000 and left[1] <= 99_700
    lines = [line for line in lines if "INFO" not in line]
    assert lines[:3] == ["START 7", "ABOUT", "TURN 3,3"]
    assert lines[3:] == ["RESTART", "BOARD", "0,6,1", "1,6,2", "DONE"]


@pytest.mark.parametrize(("opening", "rest"), [("", False), ("d4 e5", True)])
def test_a_new_game_is_a_restart_and_begins_the_clock_anew(brain, tmp_path, opening, rest):
    one = brain("slow", 0.3, match=100)
    for _ in range(2):
        one.move(Game.from_text(opening, rules=RULES))
        if rest:
            one.rest()
    lines = heard_by_toy(tmp_path)
    assert lines.count("START 7") == lines.count("RESTART") == 1
    assert lines.count("INFO time_left 100000") == 2


def test_another_size_takes_a_new_process(brain, tmp_path):
    one = brain()
    one.move(Game(RULES))
    one.move(Game(Rules(8)))
    lines = [line for line in heard_by_toy(tmp_path) if "INFO" not in line]
    assert lines == ["START 7", "ABOUT", "BEGIN", "END", "START 8", "ABOUT", "BEGIN"]


def test_a_refused_restart_takes_a_new_process(brain, tmp_path):
    one = brain("forgetful")
    for _ in range(2):
        one.move(Game(RULES))
        one.rest()
    lines = [line for line in heard_by_toy(tmp_path) if "INFO" not in line]
    assert lines[2:] == ["BEGIN", "RESTART", "END", "START 7", "ABOUT", "BEGIN"]


def test_whatever_is_played_and_taken_back_the_brain_has_the_position(brain, tmp_path):
    """What the lines since the last START or RESTART say, and its own moves since then."""
    rng, one, game, told, read = random.Random(1), brain(), Game(RULES), {}, 0
    for _ in range(500):
        step = rng.random()
        if game.over or step < 0.03:
            game = Game(RULES)
            if step < 0.015:
                one.rest()
        elif step < 0.15 and game.played:
            game.undo()
        elif step < 0.2 and game.undone:
            game.redo()
        elif step < 0.25:
            game = Game.from_array(game.array, rng.choice((1, -1)), RULES)
        elif step < 0.6:
            game.play(rng.choice(game.legal()))
        else:
            point = one.move(game)
            lines = heard_by_toy(tmp_path)
            for line in lines[read:]:
                if line.startswith(("START", "RESTART")):
                    told = {}
                elif stone := re.fullmatch(r"(?:TURN )?(\d),(\d)(?:,([12]))?", line):
                    place = five.gomocup.point_of_xy(int(stone[1]), int(stone[2]), RULES)
                    assert place not in told
                    told[place] = int(stone[3] or 2)
            colours, cells = (0, game.to_move, -game.to_move), game.array.ravel().tolist()
            assert [colours[told.get(place, 0)] for place in range(49)] == cells
            told[point], read = 1, len(lines)
            game.play(point)
    assert {line.split()[0] for line in lines} >= {"BEGIN", "TURN", "BOARD", "RESTART"}


# ---- faults -----------------------------------------------------------------------------

FAULTS = [  # what the toy does, when, what it says; the number of the move, the words
    (("hang", "start"), 1, "no answer to START 7 within 0.3 s"),
    (("hang", 2), 3, "no answer to TURN .* within 3.5 s"),
    (("die", 2), 3, "it has ended, exit status 3; last words: .* / toy: out of ideas"),
    (("crash", 1), 1, "it has ended, exit status -9"),
    (("occupied", 2), 3, r"it answered \d,\d, but .. cannot be played: a .* stone stands"),
    (("say", 1, "7,0"), 1, "7,0 is off the board of 7x7"),
    (("say", 1, "banana"), 1, "it answered 'banana' where a move x,y was due"),
    (("say", 1, "UNKNOWN command"), 1, "no answer to BEGIN .*; last words: .*UNKNOWN command"),
    (("endless", 1), 1, "it answered 'x{60}' where"),
    (("binary", 1), 1, r"it answered '\\ufffd\\x00\\x1b\[2J' where"),
    (("say", "start", "ERROR no memory"), 1, "it refused START 7; last words: ERROR no"),
]


@pytest.mark.parametrize(("how", "number", "words"), FAULTS, ids=lambda value: str(value))
def test_a_fault_names_engine_move_deed_and_last_words(brain, how, number, words):
    limits = {}
    if "no answer" in words:  # at move 1 nothing has to come in time, before move 3 it has
        limits = {"seconds": 3 if number > 1 else 0.3, "grace": 0.5}
    limits |= {"startup": 0.3} if how == ("hang", "start") else {}
    one, game = brain(*how, **limits), Game(RULES)
    with pytest.raises(EngineFault, match=words) as caught:
        play(game, one, five.mcts.RandomPlayer())
    fault = caught.value
    assert fault.number == number == len(fault.game.played) + 1 and fault.engine == one.name
    assert str(fault).startswith(f"{one.name}, move {number}: {fault.what}")
    assert str(fault).isprintable() and str(fault).isascii()
    assert has_ended(one.dialogue.program.process.pid)


@pytest.mark.parametrize("command", [["/no/such/brain"], "/no/such/brain --fast"])
def test_a_command_that_is_none(command):
    with pytest.raises(EngineFault, match="/no/such/brain.*move 1: .*No such file"):
        GomocupEngine(command).move(Game(RULES))


def test_a_wrong_game_is_not_the_brains_fault(brain):
    one = brain()
    for rules in (Rules(7, 4), Rules(7, 6), Rules(7, 4, rows=6, gravity=True)):
        with pytest.raises(ValueError, match="five in a row"):
            one.move(Game(rules))
    with pytest.raises(ValueError, match="over"):
        one.move(Game.from_text("a1 a2 b1 b2 c1 c2 d1 d2 e1", rules=RULES))
    assert one.dialogue.program is None


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"command": ""}, "a command is needed"),
        ({"seconds": -1}, "seconds must be a number from 0 up, not -1"),
        ({"grace": float("nan")}, "grace must be"),
        ({"match": float("inf")}, "match must be"),
        ({"memory": None}, "memory must be"),
    ],
)
def test_wrong_settings_are_refused_at_once(settings, words):
    with pytest.raises(ValueError, match=words):
        GomocupEngine(**{"command": ["brain"]} | settings)


# ---- time -------------------------------------------------------------------------------


def test_the_limit_is_the_time_for_a_move_and_the_grace(brain):
    one = brain("hang", 1, seconds=1, grace=0.5)
    one.dialogue.clear_board(RULES)
    begun = time.perf_counter()
    with pytest.raises(EngineFault, match="within 1.5 s"):
        one.move(Game(RULES))
    assert 1.5 <= time.perf_counter() - begun < PATIENT


def test_the_time_of_a_match_runs_out(brain):
    one, game = brain("slow", 0.8, match=2, grace=0.5), Game(RULES)
    with pytest.raises(EngineFault, match="no answer to (BEGIN|TURN)"):
        play(game, one, five.mcts.RandomPlayer())
    assert len(game.played) <= 6  # its own moves take 0.8 s each


def test_the_starting_time_is_not_charged(brain):
    one = brain("slow", 0, match=PATIENT)
    one.move(Game(RULES))
    begun = one.dialogue.used
    one.close()
    one.move(Game.from_text("a1", rules=RULES))
    assert begun < PATIENT and one.dialogue.used < PATIENT


# ---- floods -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["flood", "noise"])
def test_floods_do_not_stop_a_game(brain, how):
    one, game = brain(how), Game(RULES)
    for _ in range(3):
        game.play(one.move(game))
        game.play(five.mcts.RandomPlayer().move(game))
    assert len(one.dialogue.program.heard) <= seats.WAITING
    if how == "flood":
        assert {"MESSAGE 19999 of many", "debug 19999"} <= set(one.messages)
    else:
        assert eventually(lambda: "toy 19999" in list(one.dialogue.program.heard))
        assert one.messages == []


def test_lines_that_nobody_asked_for_are_no_answers(brain):
    one, game = brain("unasked"), Game(RULES)
    for _ in range(5):
        game.play(one.move(game))
        game.play(five.mcts.RandomPlayer().move(game))
        assert eventually(lambda: one.dialogue.program.answers.qsize() == 2)


def test_a_program_that_never_stops_writing_costs_no_memory():
    program = Program([sys.executable, "-c", "while True: print('1,1')"])
    assert eventually(lambda: len(program.heard) == seats.WAITING)
    time.sleep(0.5)
    assert program.answers.qsize() <= seats.WAITING
    program.end()


def test_a_program_that_does_not_read_cannot_stop_the_desk():
    program = Program([sys.executable, "-c", "import time; time.sleep(600)"])
    for _ in range(2):
        with pytest.raises(TimeoutError, match="no answer to START 20 within 0.2 s"):
            program.ask("START 20\n" * 100_000, 0.2)
    program.end()


def test_a_last_answer_without_a_line_end_counts():
    program = Program([sys.executable, "-c", "input(); print(3, end='')"])
    assert program.ask("x", PATIENT) == "3"
    for _ in range(2):
        with pytest.raises(EOFError, match="exit status 0"):
            program.ask("x", PATIENT)


# ---- the end ----------------------------------------------------------------------------


def test_end_is_said_and_a_good_brain_ends_by_itself(brain, tmp_path):
    one = brain()
    one.move(Game(RULES))
    one.close()
    assert heard_by_toy(tmp_path)[-1] == "END" and one.dialogue.program.process.returncode == 0
    one.close()
    one.move(Game(RULES))  # it can be started again
    assert one.dialogue.program.process.poll() is None


def test_a_brain_that_will_not_end_is_killed(brain):
    one = brain("deaf")
    one.move(Game(RULES))
    one.close()
    assert one.dialogue.program.process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("how", ["child", "daemon"])
def test_what_a_brain_has_started_ends_with_it(brain, tmp_path, how):
    one = brain(how)
    one.move(Game(RULES))
    pid = int((tmp_path / "child.txt").read_text())
    one.close()
    assert eventually(lambda: has_ended(pid))
    assert not any(thread.is_alive() for thread in one.dialogue.program.threads)


def test_a_brain_that_nobody_holds_ends(toy):
    one = GomocupEngine(toy(), seconds=PATIENT)
    one.move(Game(RULES))
    pid = one.dialogue.program.process.pid
    del one
    gc.collect()
    assert eventually(lambda: has_ended(pid))


def test_a_brain_ends_with_python(toy, root):
    code = f"""if True:
        import five_in_a_row as five
        from five_in_a_row import seats
        one = seats.GomocupEngine({toy()!r}, seconds={PATIENT})
        one.move(five.game.Game())
        print(one.dialogue.program.process.pid)
    """
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=root / "export", capture_output=True, text=True
    )
    assert run.returncode == 0 and run.stderr == ""
    assert eventually(lambda: has_ended(int(run.stdout)))


@pytest.fixture
def during_a_move(tmp_path):
    """Return a function: what it is given is called in a thread, once the toy has to move."""

    def call(job):
        def wait():
            assert eventually(lambda: "BEGIN" in heard_by_toy(tmp_path))
            job()

        thread.append(threading.Thread(target=wait))
        thread[0].start()

    thread = []
    yield call
    thread[0].join()


def test_close_from_another_thread_ends_a_move(brain, during_a_move):
    one = brain("hang", 1)
    during_a_move(one.close)
    with pytest.raises(EngineFault, match="it has ended"):
        one.move(Game(RULES))


def test_an_interrupt_ends_the_process(brain, during_a_move):
    one = brain("hang", 1)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
    try:
        during_a_move(_thread.interrupt_main)
        with pytest.raises(KeyboardInterrupt):
            one.move(Game(RULES))
    finally:
        signal.signal(signal.SIGINT, handler)
    assert has_ended(one.dialogue.program.process.pid)


# ---- matches ----------------------------------------------------------------------------


def test_a_match_of_two_good_brains(toy):
    table = watch_match(toy(), toy("slow", 0), 4, RULES, seconds=PATIENT)
    assert table.black.tolist() == ["a", "b", "a", "b"]
    assert table.white.tolist() == ["b", "a", "b", "a"]
    assert table.opening[0] == table.opening[1] != table.opening[2] == table.opening[3]
    assert table.fault.tolist() == [""] * 4 and table.attrs["faults"] == 0
    assert (table.attrs["a"], table.attrs["b"]) == ("Toy", "Toy slow")
    for row in table.itertuples():
        game = Game.from_text(row.moves, rules=RULES)
        assert game.over and len(game.played) == row.plies
        assert row.moves.startswith(row.opening)
        assert row.winner == {BLACK: row.black, WHITE: row.white, 0: "draw"}[game.winner]


def test_a_fault_costs_each_game_and_no_more(toy):
    table = watch_match(
        toy("say", 2, "99,99"), five.mcts.RandomPlayer(), 4, RULES, seconds=PATIENT
    )
    assert table.winner.tolist() == ["b"] * 4 and table.attrs["score"] == 0
    assert table.fault.str.contains("off the board").all() and table.attrs["faults"] == 4
    for row in table.itertuples():
        game = Game.from_text(row.moves, rules=RULES)
        assert len(game.played) == row.plies and not game.over
        assert {BLACK: row.black, WHITE: row.white}[game.to_move] == "a"  # whose move was due
        assert f"move {row.plies + 1}:" in row.fault


def test_a_fault_now_and_then_costs_only_that_game(brain):
    sound, calls = brain(), []

    def moody(game, seed=None):
        calls.append(len(game.played))
        if calls.count(2) == 2 and len(game.played) == 4:
            raise EngineFault("Moody", game, "no answer")
        return sound.move(game)

    table = watch_match(FunctionPlayer(moody), five.mcts.RandomPlayer(), 4, RULES)
    assert [bool(fault) for fault in table.fault] == [False, False, True, False]
    assert table.winner[2] == "b" and table.attrs["a"].startswith("function")


def test_games_come_in_pairs():
    with pytest.raises(ValueError, match="pairs"):
        watch_match(*2 * [five.mcts.RandomPlayer()], 3)


def test_the_fault_of_another_player_is_an_error(toy):
    def broken(game, seed=None):
        raise RuntimeError("oh")

    before = children()
    with pytest.raises(ValueError, match="player b .* failed at move 2: oh") as caught:
        watch_match(toy(), FunctionPlayer(broken), 2, RULES, [""], seconds=PATIENT)
    assert children() == before, caught  # though the error still holds what it was made of


def test_a_match_of_the_main_notebook_can_go_on(brain, tmp_path):
    def match(one, games):
        path = tmp_path / "match.csv"
        return five.strength.play_match(one, five.mcts.RandomPlayer(), games, RULES, path=path)

    first = match(brain(), 2)
    again = match(brain(), 4)
    assert again.moves.tolist()[:2] == first.moves.tolist()
    with pytest.raises(ValueError, match="other settings"):
        match(brain(seconds=3), 4)

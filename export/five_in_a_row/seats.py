"""Other engines at the board: a Gomocup brain as a player, and matches between brains.

Many programs play five in a row by the Gomocup protocol (https://plastovicka.github.io/
protocl2en.htm), and `gomocup` makes ours one of them: a line goes in, such as TURN 7,7, and a
line comes out, such as 8,6. Here is the manager, the other end of that conversation. A brain
is a program that somebody else wrote, so it may do anything: hang, crash, print nonsense.
Nothing here hangs or crashes with it. Whatever it does wrong becomes an EngineFault, which in
a match costs it the game and nothing else.

Program         one run of a program: commands go in, answers come out, each before a deadline
Dialogue        the protocol: what is said to a brain, the board that it has, the time it used
GomocupEngine   a brain as a player
watch_match     a match between brains, or between a brain and any player
"""

import collections
import contextlib
import math
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import time
import weakref

# ---- a program that is asked and answers ----------------------------------------------------
# A pipe holds a few kilobytes; whoever writes into a full one blocks. So each of the three
# pipes of a program has its own thread, and nothing that it writes, or fails to read, can
# block the board. Remarks (MESSAGE, DEBUG) and standard error are kept, but never taken for an
# answer. A line ends at CR or LF, as the protocol has it, whatever the system of the other
# side.
import numpy as np
import psutil

import five_in_a_row as five

from .files import one_line

REMARK = re.compile(r"(MESSAGE|DEBUG)\b", re.I)
WAITING = 1_000  # lines that are kept until somebody reads them


def read_lines(pipe, heard, answers=None) -> None:
    """Take a pipe's lines until it ends: all into `heard`, possible answers into `answers`."""
    with pipe:
        for line in filter(None, map(str.strip, five.gomocup.input_lines(pipe.fileno()))):
            heard.append(line)
            if answers is not None and not REMARK.match(line) and answers.qsize() < WAITING:
                answers.put(line)
    if answers is not None:
        answers.put(None)  # the end


def write_lines(pipe, commands) -> None:
    """Write what comes out of a queue into a pipe, until None comes or nobody reads it."""
    with contextlib.suppress(OSError), pipe:
        while (text := commands.get()) is not None:
            pipe.write(f"{text}\n")
            pipe.flush()


# A program is ended in three steps: it is sent END; a second later it is asked to terminate;
# another second later it is killed. The same happens to what it has started: the processes
# that descend from it when it ends, and on Linux and macOS its whole process group, which
# includes orphans.

PATIENCE = 1.0  # seconds between two steps


def end_process(process, commands) -> None:
    """Send END; terminate; kill: the process and all that it started."""
    late = contextlib.suppress(subprocess.TimeoutExpired)
    gone = contextlib.suppress(psutil.Error, OSError)
    family = [process]
    with gone:
        family += psutil.Process(process.pid).children(recursive=True)
    commands.put("END")
    try:
        with late:
            process.wait(PATIENCE)
        for each in family:
            with gone:
                each.terminate()
        with late:
            process.wait(PATIENCE)
    finally:  # also when somebody is tired of waiting
        for each in family:
            with gone:
                each.kill()
        if os.name == "posix":
            with gone:
                os.killpg(process.pid, signal.SIGKILL)
        with late:
            process.wait(PATIENCE)
        commands.put(None)


GLANCE = 0.1  # seconds between two checks whether it still runs


class Program:
    """A running program; `heard` holds its last lines, those of standard error included.

    environment   {name: text}, where it is not ours
    Raises OSError if it cannot be started.
    """

    def __init__(self, command, folder=None, environment=None):
        self.answers = queue.SimpleQueue()
        self.commands = queue.SimpleQueue()
        self.heard = collections.deque(maxlen=WAITING)
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        alone = {"creationflags": getattr(subprocess, "CREATE_NO_WINDOW", 0)}  # Windows
        alone |= {"start_new_session": True}  # a process group of its own, elsewhere
        alone |= {"cwd": folder, "env": environment}
        process = subprocess.Popen(command, text=True, **pipes, **alone)
        self.process = process
        self.end_once = weakref.finalize(self, end_process, process, self.commands)
        jobs = [
            (write_lines, process.stdin, self.commands),
            (read_lines, process.stdout, self.heard, self.answers),
            (read_lines, process.stderr, self.heard),
        ]
        self.threads = [threading.Thread(target=f, args=a, daemon=True) for f, *a in jobs]
        for thread in self.threads:
            thread.start()

    def ask(self, text: str, seconds: float, skip=REMARK, stop=None) -> str:
        """Return the line that answers a command; lines that match `skip` are none.

        What was written before the command is no answer to it and is dropped.
        Raises TimeoutError if none comes in time, EOFError if the program has ended,
        InterruptedError once the event `stop` is set.
        """
        if None in [self.answers.get() for _ in range(self.answers.qsize())]:
            self.answers.put(None)
        self.commands.put(text)
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            line = ""
            if stop is not None and stop.is_set():
                raise InterruptedError("it was stopped")
            if self.process.poll() is not None:  # a child of it may still hold the pipe
                self.end()
            with contextlib.suppress(queue.Empty):
                line = self.answers.get(timeout=min(left, GLANCE))
            if line is None:
                self.end()
                raise EOFError(f"it has ended, exit status {self.process.returncode}")
            if line and not skip.match(line):
                return line
        first = text.partition("\n")[0]
        raise TimeoutError(f"no answer to {first} within {seconds:g} s")

    def end(self) -> None:
        """End the program, and wait for it and for the threads at its pipes."""
        self.end_once()
        for thread in self.threads:
            thread.join(PATIENCE)
        self.answers.put(None)  # nothing more will come


class EngineFault(Exception):
    """An engine (its name) did `what` at move `number` of `game`; `words`: its last lines."""

    def __init__(self, engine: str, game: five.game.Game, what: str, words=()):
        self.engine = engine
        self.game = game.copy()
        self.what = what
        self.words = list(words)
        self.number = len(game.played) + 1
        last = " / ".join(ascii(line[:100])[1:-1] for line in self.words) or "none"
        super().__init__(f"{engine}, move {self.number}: {what}; last words: {last}")


# ---- what is said to a brain ----------------------------------------------------------------


def adds_one_stone(now: np.ndarray, before: np.ndarray | None) -> bool:
    """True if one stone of the other side is all that is new since `before`.

    now, before   int8[rows, size]   from the brain's side: +1 its stones, -1 the others
    """
    if before is None or before.shape != now.shape:
        return False
    new = now != before
    return (before[new].tolist(), now[new].tolist()) == ([0], [-1])


def move_request(game: five.game.Game, board: np.ndarray) -> str:
    """Return the command that asks for a move of a brain that has `board`.

    Where the opponent has added one stone to it, TURN says where. An empty board is BEGIN. Any
    other position, such as an opening or one after an undo, is sent whole by BOARD, from the
    brain's point of view: its stones are 1, the others 2.
    """
    cells = game.array * game.to_move
    if not cells.any():
        return "BEGIN"
    if adds_one_stone(cells, board):
        return f"TURN {five.gomocup.xy_text(int(np.argmax(cells != board)), game.rules)}"
    set_up = [int(point) for point in np.flatnonzero(cells) if point not in game.played]
    lines = ["BOARD"]
    for point in set_up + game.played:
        owner = 1 if cells.flat[point] == 1 else 2
        lines.append(f"{five.gomocup.xy_text(point, game.rules)},{owner}")
    return "\n".join([*lines, "DONE"])


NAME = re.compile(r'.*\bname\s*=\s*"([^"]{1,60})"', re.I)
LATE = re.compile(rf"UNKNOWN\b|{NAME.pattern}", re.I)  # answers to INFO and ABOUT
SUGGESTED = re.compile(rf"SUGGEST\s+({five.gomocup.XY.pattern})", re.I)
NO_LIMIT = 2_147_483.647  # seconds left of a match without a limit, says the protocol


class Dialogue:
    """A brain's process, and what is said to it; `settings` are those of a GomocupEngine.

    program   its Program, None before the first move
    board     int8[rows, size], what it has on its board, +1 its own stones; None: no game
    used      seconds that its moves of this game have taken
    name      its command, until it has told its name
    """

    def __init__(self, settings: dict):
        command = settings["command"]
        self.settings = settings
        self.program = None
        self.start = ""
        self.board = None
        self.used = 0.0
        self.name = command if isinstance(command, str) else shlex.join(command)

    def close(self) -> None:
        """End the process. A later move starts it again."""
        self.start = ""
        self.board = None
        if self.program:
            self.program.end()

    def clear_board(self, rules: five.game.Rules) -> None:
        """Bring the brain to an empty board, in a new process where that is needed.

        START says how large the board is, ABOUT asks for the name, INFO states the limits. A
        brain that has already played is sent RESTART; if it refuses, a new process takes its
        place.
        """
        width, height = rules.size, rules.height
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        if not (self.start == start and self.agrees("RESTART")):
            self.close()
            self.program = None  # until there is a new one
            self.program = Program(self.settings["command"], self.settings["folder"])
            if not self.agrees(start):
                raise ValueError(f"it refused {start}")
            with contextlib.suppress(TimeoutError):  # not every brain tells its name
                found = NAME.match(self.program.ask("ABOUT", PATIENCE))
                self.name = one_line(found[1]) if found else self.name
            self.state_limits()
        self.start = start
        self.board = np.zeros((height, width), np.int8)

    def agrees(self, command: str) -> bool:
        """Send a command and say whether the answer is OK."""
        return self.program.ask(command, self.settings["startup"])[:2].upper() == "OK"

    def state_limits(self) -> None:
        """Say how much time and memory there is, in milliseconds and bytes."""
        limits = {
            "timeout_turn": 1000 * self.settings["seconds"],
            "timeout_match": 1000 * self.settings["match"],
            "max_memory": self.settings["memory"],
            "rule": 0,
        }
        for key, value in limits.items():
            self.program.commands.put(f"INFO {key} {round(value)}")

    def ask_move(self, game: five.game.Game) -> int:
        """Ask for a move and check it; the errors say what was wrong with it.

        A brain may also suggest a move, by SUGGEST 7,7, and leave it to the manager whether
        that is played: here it always is, by PLAY 7,7, in the time that is left.
        """
        cells, match = game.array * game.to_move, self.settings["match"]
        if not adds_one_stone(cells, self.board):
            self.clear_board(game.rules)
        self.used = self.used if cells.any() else 0.0
        left = max(0.0, match - self.used) if match else NO_LIMIT
        self.program.commands.put(f"INFO time_left {round(1000 * left)}")
        begun = time.perf_counter()
        limit = min(self.settings["seconds"], left) + self.settings["grace"]
        line = self.program.ask(move_request(game, self.board), limit, LATE)
        if found := SUGGESTED.fullmatch(line):
            left = limit - (time.perf_counter() - begun)
            line = self.program.ask(f"PLAY {found[1]}", left, LATE)
        self.used += time.perf_counter() - begun
        if not (found := five.gomocup.XY.fullmatch(line)):
            raise ValueError(f"it answered {ascii(line[:60])} where a move x,y was due")
        point = five.gomocup.point_of_xy(int(found[1]), int(found[2]), game.rules)
        if why := game.why_illegal(point):
            raise ValueError(f"it answered {line}, but {why}")
        cells.flat[point] = 1
        self.board = cells
        return point


# ---- a brain as a player --------------------------------------------------------------------


def check_engine_settings(settings: dict) -> dict:
    """Return the settings of a GomocupEngine with its command as a tuple of words.

    ValueError names what is allowed. On Windows a line is taken as it is.
    """
    command = settings["command"]
    if not isinstance(command, str):
        command = tuple(map(str, command))
    elif os.name == "posix":
        command = tuple(shlex.split(command))
    if not command:
        raise ValueError("a command is needed: a program and its arguments")
    for name in ("seconds", "grace", "match", "memory", "startup"):
        if five.game.check_number(name, settings[name]) == math.inf:
            raise ValueError(f"{name} must be a number from 0 up, not inf")
    return settings | {"command": command}


class GomocupEngine:
    """A Gomocup brain as a player: `move` asks it for a move.

    command   program and arguments: a list, or a line as for a shell
    seconds   for each move, 0: at once; `grace` seconds later the move is too late
    match     seconds for all its moves of one game; 0: no limit
    memory    bytes that it may use; 0: no limit. It is told, nothing enforces it
    startup   seconds until it must have answered START or RESTART
    folder    where it runs; None: here
    Its process starts with the first move and ends with close() or a `with` block.
    """

    result = None  # a brain tells nothing of its search

    def __init__(
        self,
        command,
        *,
        seconds=1.0,
        grace=0.5,
        match=0.0,
        memory=0,
        startup=60.0,
        folder=None,
    ):
        limits = {"seconds": seconds, "grace": grace, "match": match, "memory": memory}
        settings = {"command": command, **limits, "startup": startup, "folder": folder}
        self.settings = check_engine_settings(settings)
        self.dialogue = Dialogue(self.settings)
        self.lock = threading.Lock()

    @property
    def name(self) -> str:
        """What it calls itself, or its command."""
        return self.dialogue.name

    @property
    def messages(self) -> list[str]:
        """The last MESSAGE and DEBUG lines that it wrote."""
        program = self.dialogue.program
        return list(filter(REMARK.match, list(program.heard))) if program else []

    def move(self, game: five.game.Game, seed: int | None = None) -> int:
        """Return the brain's move; the protocol knows no seed.

        Raises EngineFault for what the brain does wrong, ValueError for a wrong game. After a
        fault or an interrupt the process is ended: a later answer would belong to no question.
        """
        if game.over or game.rules.in_a_row != 5 or game.rules.gravity:
            raise ValueError("the game is over" if game.over else "brains play five in a row")
        with self.lock:
            try:
                return self.dialogue.ask_move(game)
            except BaseException as error:
                self.close()
                if not isinstance(error, OSError | EOFError | ValueError):
                    raise
                program = self.dialogue.program
                words = list(program.heard)[-3:] if program else []
                raise EngineFault(self.name, game, str(error), words) from None

    def rest(self) -> None:
        """The game is over: the next move belongs to a new one."""
        with self.lock:
            self.dialogue.board = None
            self.dialogue.used = 0.0

    def close(self) -> None:
        """End the process. A later move starts it again."""
        self.dialogue.close()

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()


# ---- matches --------------------------------------------------------------------------------

# A fault costs an engine the current game and nothing else: its process has ended, and its
# first move in the next game starts a new one. Many brains always answer a position in the
# same way, so the games begin from different random openings.


def fresh_side(player):
    """Return a player for a new game; a brain goes on in its process."""
    brain = isinstance(player, GomocupEngine)
    return player if brain else five.strength.fresh_player(player)


def side_words(player) -> str:
    """Return a brain's name, or another player's name and settings."""
    brain = isinstance(player, GomocupEngine)
    return player.name if brain else five.strength.player_words(player)


def judged_game(sides: dict, rules: five.game.Rules, opening: str, seeds) -> dict:
    """Return the row of one game; `sides` is {+1: (name, player), -1: ...}."""
    try:
        return five.strength.match_game(sides, rules, opening, seeds) | {"fault": ""}
    except ValueError as error:
        if not isinstance(fault := error.__cause__, EngineFault):
            raise
    finally:
        for _, player in sides.values():
            getattr(player, "rest", lambda: None)()
    game = fault.game
    row = dict.fromkeys(five.strength.MATCH_COLUMNS)
    row |= {five.game.COLOUR[colour]: name for colour, (name, _) in sides.items()}
    row |= {"opening": opening, "fault": str(fault), "moves": " ".join(game.moves)}
    return row | {"winner": sides[-game.to_move][0], "plies": len(game.played)}


def judged_number(a, b, rules, openings, seed: int, number: int) -> dict:
    """Return the row of the game of that number of a match; a fault loses it."""
    sides = [("a", fresh_side(a)), ("b", fresh_side(b))]
    sides = dict(zip((1, -1) if number % 2 == 0 else (-1, 1), sides, strict=True))
    seeds = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(rules.points)
    opening = openings[number // 2 % len(openings)]
    return judged_game(sides, rules, opening, seeds)


def watch_match(
    a, b, games=2, rules=five.game.Rules(15), openings=None, *, seconds=1.0, seed=0
):
    """Return a pandas table, one row a game; score of `a` and its interval in attrs.

    a, b       a brain's command, with `seconds` a move, or any player
    games      an even number: each opening is played twice, with the colours exchanged
    openings   move lists; None: random ones of two stones
    Columns: those of five.strength.play_match, and `fault`: what an engine did wrong, or "".
    Raises ValueError for an odd number of games, and for the fault of another player.
    """
    if games <= 0 or games % 2:
        raise ValueError(f"games come in pairs, colours exchanged: {games} is not even")
    openings = openings or five.strength.random_openings(rules, games // 2, seed=seed)
    rows, players = [], {"a": a, "b": b}
    with contextlib.ExitStack() as stack:
        for name, player in players.items():
            if isinstance(player, str | list | tuple):
                players[name] = stack.enter_context(GomocupEngine(player, seconds=seconds))
        five.strength.check_players(**players)
        for number in range(games):
            rows.append(judged_number(*players.values(), rules, openings, seed, number))
    names = {key: side_words(player) for key, player in players.items()}
    table = five.strength.match_table(
        rows, f"{names}; {rules}; seed {seed}; openings {openings}"
    )
    table["fault"] = [row["fault"] for row in rows]
    table.attrs |= names | {"faults": sum(map(bool, table.fault))}
    return table

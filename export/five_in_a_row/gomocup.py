"""The Gomocup protocol: the engine as a brain for tournament managers such as Piskvork.

Programs that play five in a row meet in *Gomocup*. A manager starts each of them, writes one
command a line, such as `TURN 7,7`, and reads one answer a line, such as `8,6`. Such a program
is called a *brain*. `python export/five_in_a_row --gomocup` is one.
"""

import contextlib
import math
import os
import queue
import random
import re
import sys
import threading
import time

import numpy as np

import five_in_a_row as five
from five_in_a_row.game import BLACK, WHITE, Game, Rules, check_rules

# The protocol counts columns and rows from 0, rows from the top; a `Game` has row 0 at the
# bottom. One function goes from either to the other.


def flip_rows(point: int, rules: Rules) -> int:
    """Return the point in the same column whose row counts from the other side."""
    row, col = divmod(point, rules.size)
    return (rules.height - 1 - row) * rules.size + col


def point_of_xy(x: int, y: int, rules: Rules) -> int:
    """Return the point of column x and row y from the top; ValueError off the board."""
    if not (0 <= x < rules.size and 0 <= y < rules.height):
        raise ValueError(f"{x},{y} is off the board of {rules.size}x{rules.height}")
    return flip_rows(y * rules.size + x, rules)


def xy_text(point: int, rules: Rules) -> str:
    """Return a point as "x,y"."""
    y, x = divmod(flip_rows(point, rules), rules.size)
    return f"{x},{y}"


# The manager says with INFO how much time and memory there is. A move may take the time for
# one turn, less a margin for what happens before and after the search, and at most a
# fifteenth of the time left for the match. So a long match never runs out of it, and early
# moves get more than late ones.

MARGIN, MARGIN_SHARE = 0.02, 0.02  # kept from each turn: seconds, and a share of the turn
AT_ONCE = 0.02  # seconds for a move that is wanted at once
SHARE_OF_MATCH = 1 / 15  # of the time left, for one move

# The trees of the search may take half of the memory that Python and the compiled code leave.
# The rest is a reserve, since one copy more exists for a moment when a tree is recycled. The
# protocol wants an INFO that a brain does not know to be passed over in silence. Only
# freestyle is played; of another rule a message says so, once.

PROGRAM_MEMORY = 260_000_000  # bytes that are taken before there is a tree
LEAST_MEMORY = 16_000_000  # bytes for a tree, however little is allowed
RULES_NOT_PLAYED = {1: "exactly five", 2: "continuous game", 4: "renju", 8: "caro"}


class Limits:
    """What the manager allows, time in seconds and memory in bytes, and the time used up."""

    def __init__(self):
        self.memory_limit = 0  # bytes; 0: no limit
        self.named: set[int] = set()  # the rules of which a message has said something
        self.turn = 30.0  # until INFO says otherwise
        self.match = math.inf
        self.used = 0.0  # since the game began
        self.reported: tuple[float, float] | None = None  # time left, and what was used then

    def new_game(self) -> None:
        """Begin to count anew; what was said before the first move stays."""
        if self.used:
            self.used = 0.0
            self.reported = None

    def left(self) -> float:
        """Return the time left for this game, by the manager's word or by our own count."""
        left, since = self.reported or (self.match, 0.0)
        return left - (self.used - since)

    def budget(self) -> float:
        """Return how long to think about a move, from when the command was read."""
        turn = AT_ONCE
        if self.turn > 0:  # half of a turn too short for the margin
            least = min(AT_ONCE, self.turn / 2)
            turn = max(least, self.turn * (1 - MARGIN_SHARE) - MARGIN)
        return max(0.0, min(turn, (self.left() - MARGIN) * SHARE_OF_MATCH))

    @property
    def memory(self) -> int:
        """Bytes for the tree of a search."""
        from five_in_a_row.search import SearchOptions  # which takes a while to load

        most = SearchOptions().memory
        if self.memory_limit <= 0:
            return most
        return max(LEAST_MEMORY, min((self.memory_limit - PROGRAM_MEMORY) // 2, most))

    def info(self, key: str, text: str) -> list[str]:
        """Take one INFO and return what to say of it; ValueError if a number is missing."""
        if key not in ("timeout_turn", "timeout_match", "time_left", "max_memory", "rule"):
            return []
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            raise ValueError(f"INFO {key} needs a whole number")
        value = int(text)
        if key == "timeout_turn":
            self.turn = value / 1000
        elif key == "timeout_match":
            self.match = value / 1000 if value > 0 else math.inf
        elif key == "time_left":
            unlimited = value == 0 and self.match == math.inf
            self.reported = (math.inf if unlimited else value / 1000), self.used
        elif key == "max_memory":
            self.memory_limit = value
        elif value and value not in self.named:
            self.named.add(value)
            names = [name for bit, name in RULES_NOT_PLAYED.items() if value & bit]
            what = f"{value} ({', '.join(names)})" if names else f"{value}"
            return [f"MESSAGE rule {what} is not played: five or more win, as in freestyle"]
        return []


# A manager may set up any position, take back any stone, and does not say who has black. So
# the brain keeps a `Game` together with the colour of its own stones, and lets a stone be put
# or lifted out of turn: then the game goes on from a set-up position. The tree of the last
# move is used again while the game goes straight on.


class Seat:
    """A game, which side is ours, and the tree of our last search."""

    def __init__(self):
        self.game: Game | None = None
        self.own = BLACK
        self.tree = None  # a five_in_a_row.search.Tree

    def sit(self, game: Game, own: int) -> None:
        """Take this game, and forget the one before."""
        self.game = game
        self.own = own
        self.tree = None

    def set_up(self, cells: np.ndarray, own: int, to_move: int) -> None:
        """Go on from a position; ValueError if both sides have won in it."""
        self.sit(Game.from_array(cells, to_move, self.game.rules), own)

    def check_not_over(self) -> None:
        """Raise ValueError that says how the game has ended, if it has."""
        if self.game.over:
            who = {self.own: "I have won", -self.own: "you have won", 0: "a draw"}
            raise ValueError(f"the game is over: {who[self.game.winner]}")

    def opponent_plays(self, point: int) -> None:
        """Put a stone of the opponent; ValueError if a stone stands there."""
        self.check_not_over()
        cells = self.game.array
        if cells.flat[point]:
            raise ValueError(f"{xy_text(point, self.game.rules)} is taken")
        if not cells.any():
            self.sit(Game(self.game.rules), WHITE)
        elif self.game.to_move == self.own:  # our stone was taken back
            self.set_up(cells, self.own, -self.own)
        self.game.play(point)

    def take_back(self, point: int) -> None:
        """Lift a stone; ValueError if there is none. The tree begins anew."""
        cells = self.game.array
        if not (stone := int(cells.flat[point])):
            raise ValueError(f"{xy_text(point, self.game.rules)} is empty")
        self.tree = None
        if self.game.played[-1:] == [point]:
            self.game.undo()
            return
        cells.flat[point] = 0
        self.set_up(cells, self.own, stone)


# The search looks at an event to know whether to stop. `Until` is one that is set by itself
# at a given time: whatever comes before the search, the time for the turn holds. It is also
# set when the manager has said END.


class Until(threading.Event):
    """An event that is set from a given time on, or once another event is."""

    def __init__(self, at: float, clock, other: threading.Event):
        super().__init__()
        self.at = at
        self.clock = clock
        self.other = other

    def is_set(self) -> bool:
        return super().is_set() or self.other.is_set() or self.clock() >= self.at


# The first time on a machine, the engine has to be compiled, which takes longer than a manager
# waits for the answer to START. So it is compiled in a process of its own and then loaded in a
# thread, and the brain answers at once. A move waits for it as long as its time allows; where
# that is too short, the score table of the main notebook chooses it, in some milliseconds.

WAIT_SHARE = 0.75  # of the time for a move, at most, is waited for the engine


def ask_engine(game: Game, **settings):
    """Return what the engine finds; it is loaded when it is asked first."""
    from five_in_a_row import engine

    return engine.think(game, **settings)


def load_engine(rules: Rules) -> None:
    """Load the engine and compile it; see five_in_a_row.compiling."""
    from five_in_a_row import compiling

    compiling.compile_all(rules)


def table_move(game: Game, seed: int) -> int:
    """Return the point with the highest score, by the score table of the main notebook."""
    node = five.mcts.root_of(game)
    rng = random.Random(seed)
    return next(iter(five.heuristics.best_candidates(node, rng)))


class Preparation:
    """The engine is compiled and loaded; meanwhile, everything else goes on.

    work   does it; None: as it is done for a game
    """

    def __init__(self, work=None):
        self.error = None
        self.done = threading.Event()
        self.helper = None
        self.thread = threading.Thread(target=self.run, args=(work,), daemon=True)
        self.thread.start()

    @property
    def doing(self) -> str:
        """What is done with the engine, in words."""
        return "loaded" if self.helper is None else "compiled, once on this machine"

    def run(self, work) -> None:
        try:
            (work or self.prepare)()
        except BaseException as error:
            self.error = error
        self.done.set()

    def prepare(self) -> None:
        """Compile the engine in a process, where that is needed, and load it."""
        from five_in_a_row import compiling

        self.helper = compiling.compile_apart()
        if self.helper is not None:
            self.helper.wait()
        load_engine(Rules(15))  # a board of another size needs nothing more

    def end(self) -> None:
        """End the process that compiles, if there is one; what it has kept stays."""
        if self.helper is not None:
            self.helper.terminate()

    def is_ready(self, stop) -> bool:
        """Return whether the engine is ready; wait for it until an event is set.

        Raises what went wrong, ImportError where the engine cannot be loaded.
        """
        while not (self.done.is_set() or stop.is_set()):
            self.done.wait(0.01)
        if self.error is not None:
            raise self.error
        return self.done.is_set()


# A `Thinker` makes the moves of a seat. From when a command was read it counts what the limits
# allow, and hands the rest of it to the engine.


class Thinker:
    """Makes the moves of a seat by the engine, within limits.

    preparation   of an engine that may not be ready yet; None: what is compiled is waited for
    search        what is asked for a move, with the arguments of ask_engine, which is usual
    """

    def __init__(
        self,
        seat: Seat,
        simulations=None,
        seed: int | None = None,
        clock=time.perf_counter,
        preparation: Preparation | None = None,
        search=None,
    ):
        self.seat = seat
        self.search = search
        self.limits = Limits()
        self.simulations = simulations
        self.clock = clock
        self.seed = int(np.random.default_rng().integers(1 << 31)) if seed is None else seed
        self.preparation = preparation
        self.by_table = 0  # moves that the table has chosen
        self.ended = threading.Event()  # set when nothing more will be asked
        self.remarks: list[str] = []  # MESSAGE lines, to be said before the next answer

    def reply(self, begun: float) -> str:
        """Play our move and return it as "x,y"; the time counts from `begun`."""
        self.seat.check_not_over()
        budget = self.limits.budget()
        point = self.unprepared_move(begun, budget)
        if point is None:
            point = self.engine_move(begun + budget)
        self.seat.game.play(point)
        self.limits.used += self.clock() - begun
        return xy_text(point, self.seat.game.rules)

    def unprepared_move(self, begun: float, budget: float) -> int | None:
        """Return a move by the table where the engine is not ready in time, else None."""
        if self.preparation is None:
            return None
        point = (
            None if self.preparation.done.is_set() else table_move(self.seat.game, self.seed)
        )
        until = Until(begun + WAIT_SHARE * budget, self.clock, self.ended)
        if self.preparation.is_ready(until):
            if self.by_table:
                self.remarks.append(f"MESSAGE the engine is ready after {self.by_table} moves")
            self.preparation = None
            return None
        if not self.by_table:
            doing = self.preparation.doing
            until_then = "until then the moves come from a table of shapes"
            self.remarks.append(f"MESSAGE the engine is being {doing}: {until_then}")
        self.by_table += 1
        self.seat.tree = None
        return point

    def engine_move(self, at: float) -> int:
        """Return the engine's move, found by the time `at`."""
        from five_in_a_row.search import SearchOptions

        thought = (self.search or ask_engine)(
            self.seat.game,
            seconds=max(0.0, at - self.clock()),
            simulations=self.simulations,
            options=SearchOptions(seed=self.seed, memory=self.limits.memory),
            tree=self.seat.tree,
            stop=Until(at, self.clock, self.ended),
            clock=self.clock,
        )
        self.seat.tree = thought.tree or self.seat.tree  # a forced move has none
        return thought.move


ABOUT = 'name="{}", version="1.0", author="the authors of the notebook"'
XY = re.compile(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})")
STONE = re.compile(XY.pattern + r"\s*,\s*([1-3])")
NUMBER = re.compile("[+-]?[0-9]")  # no command begins like this

# `Brain.answer` takes one line and returns the lines to answer, so it can be tried without a
# process. What it cannot do it refuses with `ERROR` and the reason, what it does not know
# with `UNKNOWN`; the game is then as it was, except that a `TURN` that ends it keeps its
# stone. Nothing is written on `INFO`, so what is wrong with one is a `MESSAGE` before the next
# answer. After `BOARD`, lines are stones until `DONE` comes or another game begins. Lines that
# begin with a number after a command that is not known, and a `DONE`, belong to that command.
#
# A method `do_turn` answers `TURN`, `do_begin` answers `BEGIN`, and so on: a new command is a
# new method. Answers are plain ASCII, whatever bytes came in.


class Brain:
    """A player that speaks the Gomocup protocol.

    simulations, seed   a limit beside the time for a move, so that its moves repeat
    clock               what tells the time, in seconds
    preparation         of the engine, which may not be ready yet; None: START waits for it
    search, prepare     what is asked for a move, and what START waits for; None: the engine
    name                what it calls itself
    """

    WORDS = "START RECTSTART RESTART BEGIN TURN BOARD TAKEBACK INFO ABOUT".split()
    FIRST = "START", "RECTSTART", "INFO", "ABOUT"  # these need no game
    ALONE = "RESTART", "BEGIN", "BOARD", "ABOUT"  # nothing may follow these

    stones: dict[int, int] | None = None  # point: 1 ours, 2 the opponent's; None: no BOARD
    fault: str | None = None  # what was wrong first
    skipping = False  # a command was refused at once, its stones may still come

    def __init__(
        self,
        simulations=None,
        seed: int | None = None,
        clock=time.perf_counter,
        preparation=None,
        search=None,
        prepare=None,
        name="Five in a row",
    ):
        self.seat = Seat()
        self.clock = clock
        self.prepare = prepare
        self.name = re.sub(r'[^ -~]|"', "?", name)
        self.thinker = Thinker(self.seat, simulations, seed, clock, preparation, search)

    def answer(self, line: str, begun: float | None = None) -> list[str] | None:
        """Return the lines to answer, [] for none; None after END.

        begun   when the line was read, by `clock`; None: now
        """
        self.begun = self.clock() if begun is None else begun
        answers = self.answer_line(line.strip())
        if answers:
            answers = self.thinker.remarks + answers
            self.thinker.remarks = []
        return answers

    def answer_line(self, line: str) -> list[str] | None:
        """Answer as `answer` does, without the remarks that are still to be said."""
        word, text = (line.split(None, 1) + ["", ""])[:2]
        word = word.upper() if word.isascii() else word
        if word == "END" and not text:
            return None
        try:
            if self.stones is not None and line:
                return self.inside_board(word, text, line)
            if self.skipping and (not line or NUMBER.match(line)):
                return []
            skipping, self.skipping = self.skipping, False
            if not line or skipping and line.upper() == "DONE":
                return []
            return self.command(word, text)
        except ValueError as error:
            if word != "INFO":
                return [f"ERROR {error}"]
            self.thinker.remarks.append(f"MESSAGE {error}")
            return []

    def inside_board(self, word: str, text: str, line: str) -> list[str]:
        """Answer a line after BOARD; a command that begins anew does not wait for DONE."""
        if line.upper() == "DONE":
            return self.board_done()
        if word in ("START", "RECTSTART", "RESTART", "BOARD"):
            self.stones = None
            return ["ERROR BOARD was not ended by DONE", *self.answer_line(line)]
        if word in ("INFO", "ABOUT"):
            return self.command(word, text)
        self.board_line(line)
        return []

    def command(self, word: str, text: str) -> list[str]:
        """Carry one command out; ValueError says why it cannot be."""
        if word == "DONE":
            raise ValueError("DONE belongs at the end of a BOARD")
        if word not in self.WORDS:
            self.skipping = not NUMBER.match(word)  # its stones may follow
            return [f"UNKNOWN command {ascii(word[:40])}"]
        self.skipping = word == "BOARD"  # until it turns out to be in order
        if self.seat.game is None and word not in self.FIRST:
            raise ValueError(f"{word} needs a game: send START first")
        if text and word in self.ALONE:
            raise ValueError(f"nothing may follow {word}")
        self.skipping = False
        return getattr(self, f"do_{word.lower()}")(text)

    def xy(self, text: str) -> int:
        """Return the point of "x,y"; ValueError if it is none."""
        if not (found := XY.fullmatch(text)):
            raise ValueError(f"two numbers are needed, as in 7,7: not {ascii(text[:40])}")
        return point_of_xy(int(found[1]), int(found[2]), self.seat.game.rules)

    def do_start(self, text: str) -> list[str]:
        size, *other = text.split() or [""]
        if other and other != [size]:  # some managers write 15 15
            raise ValueError(f"one size from 5 to 20 is needed, not {ascii(text[:40])}")
        if not (re.fullmatch("[0-9]{1,4}", size) and 5 <= int(size) <= 20):
            raise ValueError(f"the size must be from 5 to 20, not {ascii(size[:40])}")
        rules = check_rules(Rules(int(size)))
        if self.thinker.preparation is None:
            (self.prepare or load_engine)(rules)
        self.seat.sit(Game(rules), BLACK)
        self.thinker.limits.new_game()
        return ["OK"]

    def do_rectstart(self, text: str) -> list[str]:
        raise ValueError("only square boards are played: send START and a size from 5 to 20")

    def do_restart(self, text: str) -> list[str]:
        return self.do_start(str(self.seat.game.rules.size))

    def do_begin(self, text: str) -> list[str]:
        if self.seat.game.array.any():
            raise ValueError("BEGIN needs an empty board")
        self.seat.sit(Game(self.seat.game.rules), BLACK)
        return [self.thinker.reply(self.begun)]

    def do_turn(self, text: str) -> list[str]:
        self.seat.opponent_plays(self.xy(text))
        return [self.thinker.reply(self.begun)]

    def do_takeback(self, text: str) -> list[str]:
        self.seat.take_back(self.xy(text))
        return ["OK"]

    def do_info(self, text: str) -> list[str]:
        key, *value = text.split(None, 1) or [""]
        if not key:
            raise ValueError("INFO needs a key and a value")
        self.thinker.remarks += self.thinker.limits.info(key.lower(), "".join(value))
        return []

    def do_about(self, text: str) -> list[str]:
        return [ABOUT.format(self.name)]

    # BOARD takes many lines: stones in any order, then DONE. They are collected first, and set
    # up only if all of them make sense.

    def do_board(self, text: str) -> list[str]:
        self.stones = {}
        self.fault = None
        return []

    def board_line(self, line: str) -> None:
        """Take one stone, or note what is wrong with the line."""
        try:
            if not (found := STONE.fullmatch(line)):
                raise ValueError(f"x,y,1 or x,y,2 is needed, not {ascii(line[:40])}")
            x, y, owner = map(int, found.groups())
            point = point_of_xy(x, y, self.seat.game.rules)
            if point in self.stones:
                raise ValueError(f"two stones on {x},{y}")
            if owner != 3:  # marks of a game that is not played here
                self.stones[point] = owner
        except ValueError as error:
            self.fault = self.fault or str(error)

    def board_done(self) -> list[str]:
        """Set the stones up and return our move; ValueError leaves the old game."""
        stones, self.stones = self.stones, None
        if self.fault:
            raise ValueError(f"BOARD: {self.fault}")
        owners = list(stones.values())
        own = BLACK if owners.count(1) >= owners.count(2) else WHITE
        cells = np.zeros((self.seat.game.rules.height, self.seat.game.rules.size), np.int8)
        for point, owner in stones.items():
            cells.flat[point] = own if owner == 1 else -own
        if Game.from_array(cells, own, self.seat.game.rules).over:
            raise ValueError("BOARD: the game is over in this position")
        self.seat.set_up(cells, own, own)
        return [self.thinker.reply(self.begun)]


# A thread of its own reads, so no command is lost while the brain thinks, and END or the end
# of the input stops a search. Whatever came before END is still answered. First the reading:
# from bytes as they come to lines, none of them endless.

LONGEST_LINE = 10_000  # bytes of a line; what is longer is cut


def input_lines(file: int = 0):
    """Yield the lines of a file descriptor as text, the last one also without a line's end.

    A line ends at CR or LF: where it ends at both, an empty one follows.
    """
    rest, chunk = b"", b"\n"
    while chunk:
        try:
            chunk = os.read(file, 1 << 16)
        except OSError:  # it was closed
            chunk = b""
        *lines, rest = re.split(rb"[\r\n]", rest + chunk) if chunk else [rest, b""]
        rest = rest[:LONGEST_LINE]
        for line in lines:
            yield line[:LONGEST_LINE].decode("utf-8", "replace")


# `gomocup` puts the lines into a queue as they come, and answers them in order. Standard
# output carries the answers only; anything else that is printed goes to standard error.


def next_item(lines: queue.SimpleQueue) -> tuple[str, float]:
    """Wait for the next line; step by step, since on Windows Ctrl-C ends no longer wait."""
    while True:
        with contextlib.suppress(queue.Empty):
            return lines.get(timeout=1.0)


def gomocup(read=None, write=None, brain: Brain | None = None) -> int:
    """Answer commands until END or the end of the input; return the exit status.

    read    an iterable of lines; None: standard input
    write   takes one line to answer; None: standard output
    brain   what answers; None: one whose engine gets ready meanwhile
    """
    brain, lines = brain or Brain(preparation=Preparation()), queue.SimpleQueue()
    write = write or (lambda line: os.write(1, f"{line}\n".encode("ascii")))

    def listen():
        try:
            for line in input_lines() if read is None else read:
                if line.strip().upper() == "END":
                    break
                lines.put((line, brain.clock()))
        finally:
            brain.thinker.ended.set()  # a search that is running ends
            lines.put(("END", 0.0))

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.redirect_stdout(sys.stderr), contextlib.ExitStack() as stack:
        if brain.thinker.preparation is not None:
            stack.callback(brain.thinker.preparation.end)
        while (answers := brain.answer(*next_item(lines))) is not None:
            for line in answers:
                try:
                    write(line)
                except OSError:  # nobody listens any more
                    return 1
    return 0

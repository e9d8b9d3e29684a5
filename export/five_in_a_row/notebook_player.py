"""A notebook as a player: anybody's .ipynb, in a process of its own, against anybody.

    player = NotebookPlayer("team.ipynb", seconds=0.5)
    player.move(Game())

Its cells run in `notebook_process`, in a temporary folder, without our environment, under
limits. Whatever it does wrong is an EngineFault, which in a match costs it the game and
nothing else; at the end of a game its process is killed, and all that it has started. That
keeps a program from harming others by mistake. It is no prison: the notebook may read what its
user may read, and use the network; README says how to run it in a container.
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import sys
import tempfile
import time
import weakref
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

import five_in_a_row as five

from .files import one_line
from .seats import EngineFault, Program

NOTEBOOK_MEMORY = 2_000_000_000  # bytes that a notebook may use
PROCESSES = 32  # that may run beside it: more than that many is a fault
FILE = 50_000_000  # bytes of a file that it may write
GRACE = 1.0  # seconds after its time until a move is too late
STARTUP = 120.0  # seconds that its cells may take
LONGEST = 600.0  # seconds of a move where none are given
PREFIX = "five_notebook_"  # of its folder
LARGEST = 50_000_000  # bytes of a notebook that is read
MARK = "FIVE_NOTEBOOK"  # in the environment of all that belongs to one notebook
PROCESS = str(Path(__file__).with_name("notebook_process.py"))


# ---- what is read ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Notebook:
    """The code cells of a notebook: (source, tags) of each; `name` is that of its file."""

    name: str
    cells: tuple

    @property
    def settings(self) -> dict:
        """What tells it from another version, for the file of a match."""
        return {"code": hashlib.sha256(repr(self.cells).encode()).hexdigest()[:8]}


def notebook_bytes(path: Path) -> bytes:
    """Return a notebook as it stands in a file, or at the top of a zip that was handed in."""
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            return file.read(LARGEST)
    with zipfile.ZipFile(path) as packet:
        names = [name for name in packet.namelist() if name.endswith(".ipynb")]
        names.sort(key=lambda name: (name.count("/"), name))
        if not names:
            raise ValueError("there is no notebook in it")
        with packet.open(names[0]) as file:
            return file.read(LARGEST)


def read_notebook(path) -> Notebook:
    """Return the code cells of an .ipynb, or of a zip with one; ValueError if it is none."""
    path = Path(path)
    try:
        content = json.loads(notebook_bytes(path).decode())
        cells = tuple(
            ("".join(cell["source"]), tuple(map(str, cell["metadata"].get("tags", ()))))
            for cell in content["cells"]
            if cell["cell_type"] == "code"
        )
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path} is no notebook: line {error.lineno} is not JSON") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no notebook: it is not text in UTF-8") from None
    except (TypeError, KeyError, AttributeError, RecursionError):
        raise ValueError(f"{path} is no notebook: it has no list of cells") from None
    except ValueError as error:
        raise ValueError(f"{path} is no notebook: {error}") from None
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"{path} cannot be unpacked: {error}") from None
    return Notebook(one_line(path.stem), cells)


# ---- its process ----------------------------------------------------------------------------


def marked(mark: str) -> list:
    """Return the processes that belong to a notebook: children, orphans, other sessions."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                found.append(process)
    return found


def end_notebook(program: Program, mark: str, folder) -> None:
    """Kill the process of a notebook, all that it has started, and remove its folder."""
    with contextlib.suppress(psutil.Error, OSError):
        parent = psutil.Process(program.process.pid)
        parent.suspend()  # while its children are found, it starts no more
        for each in parent.children(recursive=True):
            with contextlib.suppress(psutil.Error, OSError):
                each.kill()
    program.process.kill()
    for _ in range(100):  # what forks may have a child while it is killed
        if not (left := marked(mark)):
            break
        for each in left:
            with contextlib.suppress(psutil.Error, OSError):
                each.kill()
        psutil.wait_procs(left, 0.05)
    program.end()
    folder.cleanup()


def environment(folder: str, mark: str) -> dict:
    """Return the environment of a notebook: no variable of ours that it does not need."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    home = dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), folder)
    return kept | threads | home | {"PATH": os.defpath, MARK: mark, "MPLBACKEND": "agg"}


def unlimited() -> str:
    """Return in a sentence which limits this system or user lacks; "" for none."""
    if os.name == "nt":
        return "Windows limits neither the memory of a notebook, nor its time and processes."
    if os.geteuid() == 0:
        return "Nobody limits the number of root's processes: better play as another user."
    return ""


def user_tasks() -> int:
    """Return how many processes and threads our user has: the limit counts them all."""
    with contextlib.suppress(psutil.Error, OSError):
        me, counted = psutil.Process().username(), 0
        for process in psutil.process_iter(["username", "num_threads"]):
            counted += process.info["username"] == me and (process.info["num_threads"] or 1)
        return counted
    return 1_000


# ---- the player -----------------------------------------------------------------------------


class NotebookPlayer:
    """A notebook as a player; its process begins with the first move and ends with rest().

    notebook              a Notebook, or the path of one, or of a zip with one
    seconds, simulations  what its search is told for a move, where it takes that
    level                 told as well, where it takes that
    grace                 seconds after its time until a move is too late; without `seconds`
                          that is after ten minutes
    Raises ValueError for a file that is no notebook, EngineFault for what it does wrong.
    """

    def __init__(self, notebook, *, seconds=None, simulations=None, level=None, grace=GRACE):
        self.notebook = notebook if isinstance(notebook, Notebook) else read_notebook(notebook)
        limits = {"seconds": seconds, "simulations": simulations}
        five.mcts.check_limits(**limits)
        self.asked = {k: v for k, v in (limits | {"level": level}).items() if v is not None}
        self.settings = {"notebook": self.notebook, **self.asked, "grace": grace}
        self.grace = five.game.check_number("grace", grace)
        self.result = None
        self.program = None
        self.end_once = None
        self.number = 0  # of the question

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.notebook.name

    def start(self, game: five.game.Game | None = None, stop=None) -> None:
        """Run its cells, if that is not done; EngineFault says why it cannot play."""
        if self.program is not None:
            return
        mark = secrets.token_hex(16)
        folder = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        command = [sys.executable, "-I", "-X", "utf8", PROCESS]
        self.program = Program(command, folder.name, environment(folder.name, mark))
        self.end_once = weakref.finalize(self, end_notebook, self.program, mark, folder)
        seconds = self.asked.get("seconds", LONGEST) + self.grace
        limits = {
            "memory": NOTEBOOK_MEMORY,
            "cpu": round(STARTUP + 1_000 * max(1, seconds)),  # that of a thousand moves
            "processes": user_tasks() + PROCESSES,
            "file": FILE,
        }
        self.number = 0
        self.ask({"cells": self.notebook.cells, "limits": limits}, STARTUP, game, stop)

    def ask(self, question: dict, seconds: float, game, stop) -> dict:
        """Return the answer to a question; whatever is wrong with it is an EngineFault."""
        game = game or five.game.Game()
        number, self.number = self.number, self.number + 1
        other = re.compile(rf'(?!\{{"id": {number}[,}}])')  # an answer to another question
        try:
            said = json.dumps({"id": number} | question)
            answer = json.loads(self.program.ask(said, seconds, other, stop))
            if "error" in answer:
                raise ChildProcessError(str(answer["error"]))
            if len(psutil.Process(self.program.process.pid).children(True)) > PROCESSES:
                raise ChildProcessError(f"it has started more than {PROCESSES} processes")
            return answer
        except (KeyboardInterrupt, InterruptedError):
            self.rest()
            raise
        except TimeoutError:
            what = f"late: no answer within {seconds:g} s"
        except Exception as error:
            what = f"crash: {one_line(str(error))[:300]}"
        self.rest()
        raise EngineFault(self.name, game, what)

    def move(self, game: five.game.Game, seed: int | None = None, stop=None) -> int:
        """Return its move; `result` then tells what its search has found, if it has told."""
        self.start(game, stop)
        first = five.figures.position_at(game, 0)
        limit = self.asked.get("seconds", LONGEST) + self.grace
        question = {
            "rules": list(game.rules),
            "start": first.array.tolist(),
            "first": first.to_move,
            "played": game.played,
            "seed": seed,
        }
        begun = time.perf_counter()
        answer = self.ask(question | self.asked, limit, game, stop)
        try:
            if "illegal" in answer:
                raise ValueError(answer["illegal"])
            point = five.game.to_point(answer["move"], game.rules)
            if why := game.why_illegal(point):
                raise ValueError(why)
        except (ValueError, TypeError, KeyError) as error:
            self.rest()
            raise EngineFault(self.name, game, f"illegal: {one_line(str(error))}") from None
        took = time.perf_counter() - begun
        self.result = found_by_notebook(answer, point, game, seed, took)
        return point

    def rest(self) -> None:
        """The game is over: its process and all that it has started are killed."""
        if self.program is not None:
            end, self.program, self.end_once = self.end_once, None, None
            end()

    close = rest


def found_by_notebook(answer: dict, point: int, game, seed, seconds: float):
    """Return a SearchResult with what a notebook has told, as far as that makes sense."""
    shape = game.rules.height, game.rules.size
    visits, values = np.zeros(shape, np.int64), np.full(shape, np.nan)
    line, after, simulations = [point], game.copy(), 0
    with contextlib.suppress(Exception):  # it may tell anything
        simulations = min(max(0, int(answer["simulations"] or 0)), 10**12)
        told = np.array(answer["visits"], np.int64).reshape(shape)
        known = [np.nan if value is None else value for value in answer["values"]]
        known = np.array(known, float).reshape(shape)
        if (told >= 0).all() and not told[game.array != 0].any() and told.flat[point]:
            visits, values = told, np.clip(known, -1, 1)
            line = [after.play(each) for each in answer["line"]]
    line = line if line[:1] == [point] else [point]
    why = "most visited" if visits.any() else "its move"
    found = why, visits, values, np.full(shape, np.nan), simulations, seconds
    return five.mcts.SearchResult(point, *found, line, None, seed or 0)


# ---- in the window, and as a brain ----------------------------------------------------------


class NotebookOpponent:
    """A notebook as an opponent of the window: called as a search; its process goes on."""

    def __init__(self, path):
        self.player = NotebookPlayer(path)
        self.name = self.player.name

    def __call__(
        self, game, *, seconds=None, simulations=None, level=None, seed=None, stop=None, **_
    ):
        """Return what the notebook finds; ValueError, or EngineFault, says what is wrong."""
        asked = {"seconds": seconds, "simulations": simulations, "level": level}
        self.player.asked = {name: each for name, each in asked.items() if each is not None}
        self.player.move(game, seed, stop)
        return self.player.result

    def close(self) -> None:
        """End its process; a later move starts it again."""
        self.player.rest()


def notebook_brain(path):
    """Return a Brain that speaks the Gomocup protocol for a notebook.

    It is told nine tenths of the time for a move, for what happens before and after.
    """
    opponent = NotebookOpponent(path)

    def search(game, *, seconds, stop, options, **_):
        """Return what the notebook finds, until the manager says END."""
        told = {"seconds": 0.9 * seconds, "seed": options.seed}
        try:
            return opponent(game, stop=stop.other, **told)
        except (EngineFault, InterruptedError) as error:
            raise ValueError(one_line(ascii(str(error))[1:-1])) from None

    def prepare(rules):
        """Run the cells of the notebook before START is answered."""
        try:
            opponent.player.start()
        except EngineFault as error:
            raise ValueError(one_line(ascii(str(error))[1:-1])) from None

    brain = five.gomocup.Brain(search=search, prepare=prepare, name=opponent.name)
    return brain, opponent

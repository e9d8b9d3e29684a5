"""The process in which a notebook plays: `notebook_player` starts it, nobody imports it.

It reads lines of JSON and answers each by one: first the cells, then positions. The cells run
here as in a notebook, under limits that they cannot raise; what they print goes nowhere.
"""

import ast
import builtins
import contextlib
import ctypes
import inspect
import json
import os
import queue
import re
import shutil
import signal
import sys
import threading
import traceback
import types
from pathlib import Path

DEFINES = ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
ASKED = ("seconds", "simulations", "seed", "level")  # what a search may be told
CELL = "code cell "  # begins the file name of what a cell defines
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


# ---- limits ---------------------------------------------------------------------------------


def set_limits(limits: dict) -> None:
    """Limit this process and its children; Windows has no `resource`, so nothing is limited.

    memory      bytes of address space (Linux; a Mac ignores it)
    cpu         seconds of processor time
    processes   more than its user has now; of root's processes nobody counts any
    file        bytes of one file
    """
    with contextlib.suppress(ImportError):
        import resource

        names = {"memory": "AS", "cpu": "CPU", "processes": "NPROC", "file": "FSIZE"}
        for name, limit in limits.items():
            with contextlib.suppress(ValueError, OSError, AttributeError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{names[name]}"), (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep_orphans() -> None:
    """Stay the ancestor of whatever is started here, also of orphans (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


# ---- the cells ------------------------------------------------------------------------------


def without_magics(source: str) -> str:
    """Return the source of a cell without lines that only a notebook understands."""
    if source.lstrip().startswith("%%"):
        return ""
    return re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", source, flags=re.M)


def own_names(trees) -> set[str]:
    """Return the names of the functions and classes that cells define, and `input`."""
    tops = (top for tree in trees for top in tree.body)
    return {top.name for top in tops if hasattr(top, "name")} | {"input"}


def calls(statement, names) -> bool:
    """Return whether a statement calls one of these by name."""
    return any(
        isinstance(node, ast.Call) and getattr(node.func, "id", "") in names
        for node in ast.walk(statement)
    )


def definitions(tree, names) -> ast.Module:
    """Return a cell without what does something: imports, definitions, constants are left.

    An assignment is a constant unless it calls a function or a class of the notebook.
    """
    values = ast.Assign | ast.AnnAssign
    kept = [
        top
        for top in tree.body
        if isinstance(top, DEFINES)
        or (isinstance(top, values) and not calls(top, names))
        or (isinstance(top, ast.Try) and isinstance(top.body[0], ast.Import | ast.ImportFrom))
    ]
    return ast.Module(kept, [])


def names_player(tree) -> bool:
    """Return whether a cell says PLAYER = ..."""
    assigned = [top.targets for top in tree.body if isinstance(top, ast.Assign)]
    return any(getattr(each, "id", "") == "PLAYER" for names in assigned for each in names)


def run_cells(cells: list) -> dict:
    """Run what (source, tags) of code cells define; return the names that are bound then.

    Where cells are tagged `define`, these are run, and one that says PLAYER; where none is,
    the definitions of all cells.
    """
    chosen = []
    tagged = any(tag.startswith("define") for _, tags in cells for tag in tags)
    for number, (source, tags) in enumerate(cells, 1):
        name = f"{CELL}{number}"
        try:
            tree = compile(without_magics(source), name, "exec", ast.PyCF_ONLY_AST)
        except SyntaxError:
            if tagged and not any(tag.startswith("define") for tag in tags):
                continue
            raise
        if not tagged or any(tag.startswith("define") for tag in tags) or names_player(tree):
            chosen.append((name, tree))
    names = own_names(tree for _, tree in chosen)
    module = types.ModuleType("__main__")  # as the cells of a notebook see themselves
    module.__builtins__ = builtins
    sys.modules["__main__"] = module
    for name, tree in chosen:
        code = compile(tree if tagged else definitions(tree, names), name, "exec")
        exec(code, module.__dict__)
    return module.__dict__


class NoPlayer(Exception):
    """The cells bind no function that could be asked for a move."""


def find_player(names: dict):
    """Return the function that PLAYER says or names, `mine` where it is not there."""
    player = names.get("PLAYER", "mine")
    found = names.get(player) if isinstance(player, str) else player
    found = getattr(found, "move", found)
    if not callable(found):
        said = f"PLAYER = {player!r:.40}, " if "PLAYER" in names else ""
        raise NoPlayer(f"it has no player: {said}no function mine(game)")
    return found


# ---- moves ----------------------------------------------------------------------------------


def accepted(function, asked: dict) -> dict:
    """Return those of the arguments that a function takes; all of them if it takes any."""
    try:
        known = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
    if any(each.kind is each.VAR_KEYWORD for each in known.values()):
        return asked
    return {name: value for name, value in asked.items() if name in known}


def position(five, asked: dict):
    """Return a Game with the position that is asked about."""
    rules = five.Rules(*asked["rules"])
    game = five.Game.from_array(asked["start"], asked["first"], rules)
    for point in asked["played"]:
        game.play(point)
    return game


def whole_or_none(value):
    """Return a number as an int, None for anything else."""
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        return int(value)


def reply_of(found, rules, to_point) -> dict:
    """Return as JSON takes it what a function has answered: a move, or a SearchResult."""
    move = getattr(found, "move", found)
    try:
        point = to_point(getattr(move, "tolist", lambda: move)(), rules)  # numbers of numpy
    except ValueError as error:
        return {"illegal": str(error)}
    reply = {"move": point, "simulations": whole_or_none(getattr(found, "simulations", 0))}
    with contextlib.suppress(Exception):  # what is for the window only
        visits, values = found.visits.astype(int), found.values.astype(float).round(4)
        if visits.shape == values.shape == (rules.height, rules.size):
            reply["visits"] = visits.ravel().tolist()
            reply["values"] = [v if v == v else None for v in values.ravel().tolist()]
            reply["line"] = [int(each) for each in found.line[:40]]
    return reply


def error_place(error: BaseException) -> str:
    """Return the cell and line where an error was raised, "code cell 3, line 7: ", or ""."""
    place = ""
    if isinstance(error, SyntaxError) and str(error.filename).startswith(CELL):
        place = f"{error.filename}, line {error.lineno}: "
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.startswith(CELL):
            place = f"{frame.f_code.co_filename}, line {line}: "
    return place


def error_words(error: BaseException) -> str:
    """Return where an error was raised, and the last line of its traceback."""
    with contextlib.suppress(Exception):
        said = error.msg if isinstance(error, SyntaxError) else error
        words = f"{error_place(error)}{type(error).__name__}: {said}"
        return " ".join(words.split())[:300]
    return type(error).__name__


# ---- the process ----------------------------------------------------------------------------


def listen(lines: queue.SimpleQueue, end=os._exit, killpg=getattr(os, "killpg", None)) -> None:
    """Pass lines on; at END, or when nobody writes any more, end the whole group."""
    folder, remove = os.getcwd(), shutil.rmtree
    with contextlib.suppress(Exception):
        for line in sys.stdin:
            if line.strip() == "END":
                break
            lines.put(line)
    remove(folder, ignore_errors=True)  # whoever made it may have been killed
    if killpg is not None:
        killpg(0, KILL)
    end(0)


def serve(folder: str) -> None:
    """Answer lines until the process is ended; `folder` is that of the package."""
    write = os.fdopen(os.dup(1), "w", encoding="ascii")
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in (1, 2):
        os.dup2(nothing, each)
    lines = queue.SimpleQueue()
    threading.Thread(target=listen, args=(lines,), daemon=True).start()
    begin = json.loads(lines.get())
    sys.path.insert(0, folder)
    from five_in_a_row import game as five

    sys.path.remove(folder)  # the engine is not offered
    for name in [name for name in sys.modules if name.startswith("five_in_a_row")]:
        del sys.modules[name]
    keep_orphans()
    set_limits(begin["limits"])
    dumps, loads, get = json.dumps, json.loads, lines.get  # whatever the cells replace

    def say(**reply):
        write.write(f"{dumps(reply)}\n")
        write.flush()

    try:
        play = find_player(run_cells(begin["cells"]))
    except NoPlayer as error:
        say(id=0, error=str(error))
        return
    except BaseException as error:
        say(id=0, error=f"its define cells fail: {error_words(error)}")
        return
    say(id=0)
    while True:
        asked = loads(get())
        number = asked["id"]
        try:
            game = position(five, asked)
            told = {name: asked[name] for name in ASKED if asked.get(name) is not None}
            found = play(game, **accepted(play, told))
            say(id=number, **reply_of(found, game.rules, five.to_point))
        except BaseException as error:
            say(id=number, error=error_words(error))


if __name__ == "__main__":
    serve(str(Path(__file__).resolve().parents[1]))

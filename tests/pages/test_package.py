"""The package: who may import whom, what is loaded when, and its command line."""

import ast
import graphlib
import os
import subprocess
import sys
import tomllib
from functools import lru_cache
from importlib import import_module

import build
import five_in_a_row as five
import pytest
from helpers import PATIENCE
from jupyter_client.manager import start_new_kernel

FOLDER = build.ROOT / "export" / "five_in_a_row"
MAIN = {"game", "mcts", "heuristics", "figures", "window"}  # made from the main notebook
FOUNDATION = {"game", "mcts", "figures", "search_figures", "files", "cache", "timing"}
SEARCH = FOUNDATION | {"heuristics"}
THREATS = SEARCH | {"search"}
ENGINE = THREATS | {"threats", "plain_uct"}
STRENGTH = ENGINE | {"engine", "replay", "game_file", "panels", "extras", "window"}
STUDY = STRENGTH | {"strength"}
MAY_IMPORT = {  # module: what stands before it
    "game": set(),
    "mcts": {"game"},
    "heuristics": {"game", "mcts"},
    "figures": {"game"},
    "window": {"game", "mcts", "heuristics", "figures"},
    "search_figures": {"game", "figures"},
    "cache": {"files"},
    "timing": set(),
    "files": set(),
    "game_file": MAIN | {"files"},
    "verdicts": MAIN | {"search"},
    "replay": MAIN | {"files", "verdicts"},
    "panels": MAIN | {"game_file"},
    "extras": MAIN | {"game_file", "panels", "verdicts", "opponents"},
    "search": FOUNDATION,
    "same_tree": {"game", "mcts"},
    "plain_uct": FOUNDATION | {"search"},
    "threats": THREATS,
    "engine": ENGINE,
    "compiling": ENGINE | {"engine"},
    "strength": STRENGTH,
    "gomocup": ENGINE | {"engine", "compiling"},
    "records": STRENGTH | {"gomocup"},
    "review": STRENGTH | {"records", "verdicts"},
    "opponents": MAIN | {"engine", "search", "compiling"},
    "favourite": STUDY,
    "essays": STUDY,
    "inline": STRENGTH,
    "swap2": STUDY,
    "seats": STUDY | {"gomocup"},
    "notebook_process": {"game"},
    "notebook_player": STUDY | {"gomocup", "seats"},
    "desk": STUDY | {"opponents", "records", "review", "swap2", "seats"},
    "play": STUDY | {"desk", "inline", "opponents", "notebook_player"},
    "connect_grid": FOUNDATION,
    "connect_solver": STUDY | {"connect_grid"},
    "connect_four": STUDY | {"connect_grid", "connect_solver"},
    "connect_report": STUDY | {"connect_four", "connect_grid", "connect_solver"},
    "connect_poster": STUDY | {"connect_four", "connect_grid", "connect_report"},
    "tic_tac_toe": STUDY,
    "bayes": STUDY | {"connect_four", "connect_poster"},
    "ludo": STUDY | {"bayes"},
    "ludo_board": STUDY | {"ludo", "replay"},
}
ANYTHING = {
    "command_line",
    "__init__",
    "__main__",
}  # these may import all


@lru_cache
def tree_of(module):
    """Return the syntax tree of a module of the package."""
    return ast.parse((FOLDER / f"{module}.py").read_text("utf-8"))


@lru_cache
def uses(module):
    """Return {(module of the package, name in it or "")} that a module imports or names.

    Counted are `from five_in_a_row.x import n`, `from five_in_a_row import x as y` with `y.n`,
    and `import five_in_a_row as five` with `five.x.n`, also inside functions.
    """
    tree, found, names = tree_of(module), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                if each.name.partition(".")[0] == "five_in_a_row":
                    names[each.asname or each.name] = each.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "")[:13] == "five_in_a_row":
            for each in node.names:
                path = f"{node.module}.{each.name}"
                names[each.asname or each.name] = path
                found.add(path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            path = dotted(node)
            first, _, rest = path.partition(".")
            if first in names:
                found.add(f"{names[first]}.{rest}")
    parts = [path.split(".")[1:3] for path in found]
    return {home(part[0], *part[1:]) for part in parts if part}


def dotted(node):
    """Return `a.b.c` of nested attributes, "" where they begin with anything but a name."""
    rest = []
    while isinstance(node, ast.Attribute):
        rest.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(rest)]) if isinstance(node, ast.Name) else ""


def home(name, inside=""):
    """Return (module, name in it) of five.name.inside; a public name is in its own module."""
    for module, public in five.PUBLIC.items():
        if name in public:
            return module, name
    return name, inside


# ---- who knows whom --------------------------------------------------------------------


def public_names(module):
    """Return the public names that a module binds at its top level, borrowed ones left out."""
    found = set()
    for top in tree_of(module).body:
        if isinstance(top, ast.FunctionDef | ast.ClassDef):
            found.add(top.name)
        elif isinstance(top, ast.Assign | ast.AnnAssign):
            targets = top.targets if isinstance(top, ast.Assign) else [top.target]
            names = (node for each in targets for node in ast.walk(each))
            found |= {node.id for node in names if isinstance(node, ast.Name)}
    return {name for name in found if not name.startswith("_")}


def test_a_public_name_means_one_thing_in_the_whole_package():
    homes = {}
    for path in FOLDER.glob("[!_]*.py"):
        for name in public_names(path.stem):
            homes.setdefault(name, []).append(path.stem)
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
    assert len(homes) > 1_000


def test_no_class_has_more_than_one_class_of_the_package_above_it():
    long = {}
    for module in map(import_module, (f"five_in_a_row.{name}" for name in five.MODULES)):
        for each in vars(module).values():
            if isinstance(each, type):
                own = [up for up in each.__mro__[1:] if up.__module__[:13] == "five_in_a_row"]
                long |= {each.__name__: own} if len(own) > 1 else {}
    assert long == {}


def test_no_import_comes_back_to_its_module():
    """`graphlib` raises CycleError, with the circle, where two modules need each other."""
    needs = {}
    for path in FOLDER.glob("[!_]*.py"):
        others = {other for other, _ in uses(path.stem)}
        needs[path.stem] = (others & set(five.MODULES)) - {path.stem}
    assert set(graphlib.TopologicalSorter(needs).static_order()) >= set(needs)


def test_every_module_has_its_place():
    modules = {file.stem for file in FOLDER.glob("*.py")}
    assert modules == MAY_IMPORT.keys() | ANYTHING
    assert set(five.MODULES) == modules - {"__init__", "__main__"}


@pytest.mark.parametrize("module", MAY_IMPORT)
def test_a_module_imports_only_what_stands_before_it(module):
    used = {(other, name) for other, name in uses(module) if other in five.MODULES}
    known = MAY_IMPORT[module] | {module}  # a cell may call what a later one defines
    assert {(other, name) for other, name in used if other not in known} == set()


# ---- what is loaded when ---------------------------------------------------------------


def loaded(code):
    """Return which of the heavy packages a new session has loaded after some code."""
    heavy = "('IPython', 'joblib', 'matplotlib', 'numba', 'numpy', 'pandas', 'pygame')"
    report = f"\nimport sys; print(*(name for name in {heavy} if name in sys.modules))"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code + report],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.split()


@pytest.mark.parametrize(
    "code, expected",
    [
        ("import five_in_a_row", []),
        ("import five_in_a_row.window", ["numpy"]),
        ("from five_in_a_row import Game, Rules; Game.from_text('d4')", ["numpy"]),
        ("from five_in_a_row import Game, think", ["numba", "numpy"]),
    ],
)
def test_what_is_slow_is_loaded_when_it_is_first_used(code, expected):
    assert loaded(code) == expected


INTERRUPT = """
import sys

class Interrupt:  # as Kernel › Interrupt in the middle of an import
    seen = 0

    def find_spec(self, name, path=None, target=None):
        self.seen += name.startswith("numba.")
        if self.seen == 5:
            sys.meta_path.remove(self)
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
"""


def test_after_an_interrupted_import_one_sentence_says_to_restart(monkeypatch):
    monkeypatch.setenv("FIVE_PLAY", "recorded")
    cells = {}
    for name in ("five_in_a_row", "threats"):
        (path,) = build.find_notebooks([name])
        cells |= {cell.id: cell.source for cell in build.read_notebook(path).cells}
    manager, client = start_new_kernel(startup_timeout=PATIENCE, cwd=build.ROOT)

    def run(code):
        """Return what kind of error a cell ends in, and what the notebook shows of it."""
        how = {"timeout": PATIENCE, "output_hook": lambda message: None}
        reply = client.execute_interactive(code, **how)["content"]
        return reply.get("ename"), reply.get("traceback")

    try:
        run(INTERRUPT)
        engine = "from five_in_a_row import engine"
        kind, _ = run(f"import sys; sys.path.insert(0, 'export')\n{engine}")
        assert kind == "KeyboardInterrupt"
        says = (
            "An import was interrupted, so only half of numba is loaded: restart "
            "the kernel (Kernel › Restart Kernel) and run the cells again."
        )
        for code in (cells["play-now"], engine, cells["threats-imports"]):
            assert run(code) == ("ImportInterrupted", [says]), code
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_a_package_of_another_version_says_so(monkeypatch):
    monkeypatch.setattr(five.game, "VERSION", "2.0", raising=False)
    assert five.version_note("2.0") == ""
    said = five.version_note("2.1")
    assert "version 2.0" in said and "version 2.1" in said and "build.py --module" in said
    monkeypatch.delattr(five.game, "VERSION")
    assert "version 1.0" in five.version_note("2.0")


# ---- the files and the command line ----------------------------------------------------


def test_a_file_is_made_by_the_build_or_written_where_it_stands():
    """ruff leaves the made ones alone, since it looks at their notebooks."""
    made = {
        file
        for path in build.find_notebooks([])
        for file in build.module_files(path, build.read_notebook(path))
    }
    assert made == {
        file
        for file in FOLDER.glob("*.py")
        if file.read_text("utf-8").startswith("# Made from ")
    }
    settings = tomllib.loads((build.ROOT / "pyproject.toml").read_text("utf-8"))
    left_out = {build.ROOT / name for name in settings["tool"]["ruff"]["extend-exclude"]}
    assert left_out == made


@pytest.mark.parametrize(
    "command", [[str(FOLDER)], ["-m", "five_in_a_row"]], ids="{0[0]}".format
)
def test_the_command_line_works_from_any_directory(command, tmp_path):
    settings = {"PYTHONPATH": str(FOLDER.parent)} if command[0] == "-m" else {}
    run = subprocess.run(
        [sys.executable, *command, "--help"],
        cwd=tmp_path,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0 and run.stdout.startswith("usage: five_in_a_row [-h]")


NEVER_ENDS = """
import atexit, runpy, threading
import five_in_a_row as five
from five_in_a_row import command_line

def main():
    never = threading.Event()
    thread = five.mcts.Thinking(lambda game, **how: never.wait(), five.game.Game(), "prepare")
    atexit.register(thread.join)  # as the end of Python may wait for what compiles
    print("played")
    return 3

command_line.main = main
runpy.run_module("five_in_a_row", run_name="__main__")
"""


def test_the_command_line_ends_though_a_search_does_not():
    run = subprocess.run(
        [sys.executable, "-c", NEVER_ENDS],
        env=os.environ | {"PYTHONPATH": str(FOLDER.parent)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (run.returncode, run.stdout, run.stderr) == (3, "played\n", "")

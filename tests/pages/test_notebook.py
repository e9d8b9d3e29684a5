"""The notebooks as documents: labelled, tagged, in small cells, and they run."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import build
import pytest
from helpers import only_full

ROLES = "Rules|Search|Heuristics|Interface|Experiments"
CODE_LABEL = re.compile(rf"# by ({ROLES}) · \S.*")
TEXT_LABEL = re.compile(rf"\*by ({ROLES})\*")
MOST_LINES = 80  # of a cell that is not folded, its longest class apart
NOTEBOOKS = build.find_notebooks([])
MODULES = "game", "mcts", "heuristics", "figures", "window"  # of the main notebook
LIGHT = """import importlib, sys
heavy = {"pygame", "pandas", "joblib", "matplotlib", "IPython"}
for name in sys.argv[1:]:
    importlib.import_module(name)
    print(name, *heavy & set(sys.modules))"""
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def cells(path, kind):
    """Return the notebook's cells of one kind, code or markdown."""
    return [cell for cell in build.read_notebook(path).cells if cell.cell_type == kind]


def hidden(cell):
    """Say whether the cell's code is folded away."""
    return cell.metadata.get("jupyter", {}).get("source_hidden", False)


@each_notebook
def test_every_cell_starts_with_the_label_of_its_author(path):
    bad = [c for c in cells(path, "code") if not CODE_LABEL.fullmatch(first_line(c))]
    bad += [c for c in cells(path, "markdown") if not TEXT_LABEL.fullmatch(first_line(c))]
    assert [build.label(cell) for cell in bad] == []


def first_line(cell):
    """Return the first line of a cell."""
    return cell.source.partition("\n")[0]


@each_notebook
def test_every_code_cell_either_defines_or_demonstrates(path):
    allowed = [{"define"}, {"demo"}, {"demo", "timing"}]
    if path == NOTEBOOKS[0]:
        allowed[:1] = [{f"define:{name}"} for name in MODULES]
    parts = {
        "connect_four": ["connect_grid"],
        "ludo": ["ludo_board"],
        "search": ["same_tree", "plain_uct"],
    }
    more = parts.get(path.stem, [])
    allowed += [{f"define:{module}"} for module in more]
    bad = [cell for cell in cells(path, "code") if set(build.tags(cell)) not in allowed]
    assert [(build.label(cell), build.tags(cell)) for cell in bad] == []


@each_notebook
def test_code_is_plain_python_in_short_lines_that_wait_for_nobody(path):
    bad = []
    for cell in cells(path, "code"):
        for line in cell.source.splitlines():
            if len(line) >= 96 or re.match(r"\s*[%!]", line) or re.search(r"\binput\(", line):
                bad.append((build.label(cell), line))
    assert bad == []


@each_notebook
def test_each_item_of_a_numbered_list_begins_a_line(path):
    """Wrapped as one paragraph, a list of steps is no list any more."""
    for cell in cells(path, "markdown"):
        for first in re.finditer(r"^1\. ", cell.source, re.MULTILINE):
            items = cell.source[first.start() :].partition("\n\n")[0]
            number = 2
            while re.search(rf"\s{number}\. ", items):
                assert re.search(rf"^{number}\. ", items, re.MULTILINE), (cell.id, number)
                number += 1


@each_notebook
def test_cells_are_short_enough_to_be_one_idea(path):
    shown = [cell for cell in cells(path, "code") if not hidden(cell)]
    long = [cell for cell in shown if lines_beside_a_class(cell.source) > MOST_LINES]
    assert [build.label(cell) for cell in long] == []


def lines_beside_a_class(code):
    """Return the lines of a cell beside its longest class, which is never divided."""
    classes = [node for node in ast.parse(code).body if isinstance(node, ast.ClassDef)]
    longest = max((node.end_lineno - node.lineno + 1 for node in classes), default=0)
    return len(code.splitlines()) - longest


@each_notebook
def test_stored_outputs_hold_no_error_and_no_stderr(path):
    build.refuse_bad_outputs(path, build.read_notebook(path))


def has_run(nb):
    """Say whether the outputs that a notebook holds are of the code that it holds."""
    return nb.metadata.get("build", {}).get("ran") == build.code_digest(nb)


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.stem)
def test_runs_from_top_to_bottom(path, full):
    """In quick mode, from a fresh kernel; its page would be whole. Nothing is written.

    The main notebook runs in test_handin.py, where its zip was unpacked, and below. By
    default each study runs whose stored run is of other code.
    """
    nb = build.read_notebook(path)
    only_full(full, not has_run(nb))
    nb = build.run_notebook(path, nb, "quick")
    assert build.page_file(path, nb)


def test_what_the_text_claims_holds_in_the_stored_run():
    outputs = [
        out
        for cell in build.read_notebook(NOTEBOOKS[0]).cells
        for out in cell.get("outputs", [])
    ]
    said = "".join(output.get("text", "") for output in outputs)
    assert "it makes five" in said and "not as the text says" not in said


def test_the_main_notebook_alone_runs_and_says_what_is_missing(tmp_path, monkeypatch, full):
    """In an empty folder, without the package: it plays its own search.

    By default only where its stored run is of other code: nothing else comes in here.
    """
    only_full(full, not has_run(build.read_notebook(NOTEBOOKS[0])))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    alone = Path(shutil.copy(NOTEBOOKS[0], tmp_path))
    nb = build.run_notebook(alone, build.read_notebook(alone), "quick")
    outputs = [output for cell in nb.cells for output in cell.get("outputs", [])]
    said = "".join(output.get("text", "") for output in outputs)
    assert "The package in export/ is missing here: you play against this note" in said
    assert "not as the text says" not in said
    assert list(tmp_path.iterdir()) == [alone]


def test_modules_are_silent_and_light_to_import(root):
    """What is slow or noisy is imported where it is used."""
    files = [
        file
        for path in NOTEBOOKS
        for file in build.module_files(path, build.read_notebook(path))
    ]
    names = [f"five_in_a_row.{file.stem}" for file in files]
    command = [sys.executable, "-W", "error", "-c", LIGHT, *names]
    run = subprocess.run(command, cwd=root / "export", capture_output=True, text=True)
    assert (run.stdout.split(), run.stderr, run.returncode) == (names, "", 0)


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_finds_nothing(command, root):
    ruff = [sys.executable, "-m", "ruff", *command, "--no-cache", "."]
    run = subprocess.run(ruff, cwd=root, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr

"""The exports: fresh, whole after a kill, readable offline; a failing cell writes nothing."""

import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path

import build
import nbformat
import pandas as pd
import pytest
import readme
from bs4 import BeautifulSoup
from helpers import contents
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

NAME = "five_in_a_row"
TEXT = "# A title\n\n*by Search* $m/n$\n\n$$\\frac{m}{n}$$\n\n`$kept$`\n\n[up](#A-title)"
DEFINE = '# by Rules · one number\nSIZE = 8  # a < b & "c"'
DEMO = "# by Rules · it is shown\nprint(SIZE)"
FIGURE = """# by Interface · a figure
from IPython.display import display
pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA"
pixel += "DUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
display({"image/png": pixel}, raw=True, metadata={"image/png": {"alt": 'a "red" point'}})"""


def code(source, tag, **metadata):
    """Return a tagged code cell."""
    return new_code_cell(source, metadata={"tags": [tag], **metadata})


def project(folder, *cells):
    """Write a small notebook with these cells, or with one of each kind; return its path."""
    cells = cells or (
        new_markdown_cell(TEXT),
        code(DEFINE, "define:game", jupyter={"source_hidden": True}),
        code(DEMO, "demo"),
        code(FIGURE, "demo"),
    )
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    path = folder / f"{NAME}.ipynb"
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the notebook of a small project after a full build."""
    path = project(tmp_path_factory.mktemp("built"))
    assert build.main(["--full", str(path)]) == 0
    return path


@pytest.fixture
def copy(built, tmp_path):
    """Return the notebook of a fresh copy of the built project."""
    for name, data in contents(built.parent).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / built.name


# ---- the project's own exports ---------------------------------------------------------


def notebooks():
    """Return the project's notebooks."""
    return build.find_notebooks([])


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_module_is_what_its_notebook_gives(path):
    assert build.stale_module(path) == []


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_page_and_stored_outputs_belong_to_the_notebook(path):
    assert build.stale_page(path) == []


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_page_needs_no_network_and_no_script_but_the_replay(path):
    text = (build.export_folder(path) / f"{path.stem}.html").read_text("utf-8")
    assert_offline(BeautifulSoup(text, "html.parser"))


def assert_offline(soup):
    """Assert that a page loads nothing, runs only replays and games, describes images."""
    assert soup.html["lang"] == "en"
    assert soup.select("script[src], iframe") == []
    policy = soup.head.select_one("meta[http-equiv=Content-Security-Policy]")["content"]
    assert policy.startswith("default-src 'none'; ")
    (scripts,) = re.findall("script-src ([^;]*)", policy)
    assert "unsafe-inline" not in scripts
    # it does without these scripts, too
    others = soup.select("script:not(.five-replay script, .five-play script)")
    own = (build.ROOT / "tools" / "page" / "five" / "page.js").read_text("utf-8")
    assert {each.string.strip() for each in others} <= {own.strip()}
    loads = [e.get("src", e.get("href")) for e in soup.select("[src], link[href]")]
    assert [address for address in loads if not address.startswith("data:")] == []
    assert [e for e in soup.select("img") if not e.get("alt")] == []
    assert not re.search(r"@import|url\(\s*['\"]?http", str(soup.select("style")))
    for element in soup.select("code, pre"):
        element.decompose()
    assert "$" not in "".join(e.get_text() for e in soup.select(".text"))


# ---- what an export holds --------------------------------------------------------------


def test_a_module_keeps_definitions_and_titles_and_drops_demos_and_prose(built):
    file = built.parent / "export" / NAME / "game.py"
    text = file.read_text("utf-8")
    first = text.splitlines()[0]
    assert first.startswith(f"# Made from {NAME}.ipynb") and "/" not in first.split(" by ")[0]
    assert DEFINE in text and "print(" not in text and "# ---- A title ---" in text
    assert text.endswith("\n") and not text.endswith("\n\n")
    spec = importlib.util.spec_from_file_location("small", file)
    small = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(small)
    assert small.SIZE == 8


def test_page_is_whole_by_itself(built):
    text = (built.parent / "export" / f"{NAME}.html").read_text("utf-8")
    soup = BeautifulSoup(text, "html.parser")
    assert soup.title.get_text() == "A title"
    assert [image["alt"] for image in soup.select("img")] == ['a "red" point']
    assert len(soup.select("math")) == 2 and soup.select("math[display=block] mfrac")
    assert soup.summary.get_text() == "by Rules · one number 2 lines"
    assert "$kept$" in soup.get_text()
    assert_offline(soup)


@pytest.mark.parametrize(
    "kind, shown",
    [
        ("text", "![x](a%20b.png)"),
        ("text/html", '<img alt="x" src="a%20b.png">'),
        ("text/markdown", "![x](<a b.png>)"),
    ],
)
def test_a_page_is_stale_after_a_change_of_any_image_that_it_shows(tmp_path, kind, shown):
    cell = new_markdown_cell(shown)
    if kind != "text":
        output = nbformat.v4.new_output("display_data", data={kind: shown})
        cell = new_code_cell("# by Rules · it is shown", outputs=[output])
    image = tmp_path / "a b.png"
    image.write_bytes(b"one")
    path = project(tmp_path, cell)
    assert build.main(["--as-is", str(path)]) == 0
    nb = build.read_notebook(path)
    assert build.stale_html(path, nb) == []
    image.write_bytes(b"two")
    assert len(build.stale_html(path, nb)) == 1


# ---- what a build leaves alone ---------------------------------------------------------


def test_quick_run_leaves_notebook_page_and_game_alone(copy):
    (copy.parent / "export" / "game.txt").write_text("h8i9")
    before = contents(copy.parent)
    assert build.main(["--quick", str(copy)]) == 0
    assert contents(copy.parent) == before


def test_as_is_exports_the_outputs_as_saved(copy):
    before = contents(copy.parent)
    shutil.rmtree(copy.parent / "export")
    assert build.main(["--as-is", str(copy)]) == 0
    assert contents(copy.parent) == before


@pytest.mark.parametrize(
    "source, problem",
    [
        ("# by Rules · a mistake\n1 / 0", "ended in ZeroDivisionError"),
        ("# by Rules · a warning\nimport sys\nprint('oh', file=sys.stderr)", "stderr: oh"),
        ("# by Rules · a question\ninput()", "ended in StdinNotImplementedError"),
        ("# by Rules · too slow\nimport time\ntime.sleep(600)", "took more than 5 s"),
    ],
)
def test_a_bad_cell_is_named_and_nothing_is_written(copy, capsys, source, problem):
    nb = nbformat.read(copy, 4)
    nb.cells[2].source = source
    nbformat.write(nb, copy)
    before = contents(copy.parent)
    limit = ["--cell-limit", "5"] if "sleep" in source else []  # seconds
    assert build.main(["--full", *limit, str(copy)]) == 1
    message = capsys.readouterr().err
    assert problem in message and "cell-2 (by " in message
    assert contents(copy.parent) == before


@pytest.mark.parametrize(
    "text, problem",
    [
        ("$$\\nosuchcommand{x}$$", "formula"),
        ("![](data:image/png;base64,AA==)", "no alt text"),
        ("[section](#Nowhere)", "leads nowhere"),
        ("<script>1</script>", "would load or run"),
    ],
)
def test_a_page_that_would_not_be_whole_is_refused(copy, capsys, text, problem):
    nb = nbformat.read(copy, 4)
    nb.cells[0].source = text
    nbformat.write(nb, copy)
    before = contents(copy.parent)
    assert build.main(["--as-is", str(copy)]) == 1
    assert problem in capsys.readouterr().err
    assert contents(copy.parent) == before


def test_a_stop_between_two_renames_leaves_only_whole_files(copy, monkeypatch):
    rename = os.replace
    done = []

    def stop_at_the_second(source, target):
        if done:
            raise KeyboardInterrupt
        done.append(target)
        rename(source, target)

    first, second = copy.parent / "first.txt", copy.parent / "second.txt"
    second.write_text("old")
    monkeypatch.setattr(os, "replace", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        build.replace_files({first: "new", second: "new"})
    assert (first.read_text("utf-8"), second.read_text("utf-8")) == ("new", "old")
    assert list(copy.parent.glob(".*.tmp")) == []


def test_a_file_that_cannot_be_replaced_is_named(tmp_path):
    taken = tmp_path / "page.html"
    taken.mkdir()
    with pytest.raises(build.BuildError) as stop:
        build.replace_files({taken: "new"})
    assert str(stop.value).startswith(f"{taken} cannot be written: ")
    assert list(tmp_path.iterdir()) == [taken]


def test_an_edit_during_a_full_run_is_not_overwritten(copy, capsys):
    nb = nbformat.read(copy, 4)
    nb.cells[2].source = f"# by Rules · edits\nwith open({NAME + '.ipynb'!r}, 'a') as f:\n    "
    nb.cells[2].source += "_ = f.write(' ')"
    nbformat.write(nb, copy)
    assert build.main(["--full", str(copy)]) == 1
    assert "edited while it ran" in capsys.readouterr().err
    assert copy.read_text("utf-8").endswith(" ")


# ---- freshness and bad input -----------------------------------------------------------


@pytest.mark.parametrize(
    "cell, stale",
    [
        (0, ["game.py is stale", f"{NAME}.html is stale"]),
        (1, ["game.py is stale", "outputs", f"{NAME}.html is stale"]),
        (2, ["outputs", f"{NAME}.html is stale"]),
    ],
)
def test_check_names_what_an_edit_made_stale(copy, capsys, cell, stale):
    nb = nbformat.read(copy, 4)
    nb.cells[cell].source += "\n# more"
    nbformat.write(nb, copy)
    assert build.main(["--check", str(copy)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(stale)
    assert all(part in line for part, line in zip(stale, lines, strict=True))


def test_bad_input_ends_with_status_2_and_a_sentence(tmp_path, capsys):
    bad = tmp_path / "bad.ipynb"
    odd = '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [1]}'
    for text in ["{", "[]", "{}", odd, '"\\ud800"', "[" * 100_000, b"\xff\xfe{}"]:
        bad.write_bytes(text.encode() if isinstance(text, str) else text)
        for command in ("--module", "--hand-in", "--ids"):
            assert build.main([command, str(bad)]) == 2
            assert "not a valid notebook" in capsys.readouterr().err
    assert build.main(["--module", "nosuch"]) == 2
    assert "no notebook nosuch.ipynb" in capsys.readouterr().err
    for arguments in (["--nonsense"], [], ["--quick", "--full"]):
        with pytest.raises(SystemExit) as stop:
            build.main(arguments)
        assert stop.value.code == 2


def without_id(raw):
    del raw["cells"][2]["id"]


def same_id_twice(raw):
    raw["cells"][2]["id"] = raw["cells"][1]["id"]


def as_format_3(raw):
    """Turn a notebook into one of ten years ago, in which cells stand on a worksheet."""
    raw |= nbformat.convert(nbformat.from_dict(raw), 3)
    del raw["cells"], raw["metadata"]["build"]


@pytest.mark.parametrize(
    "change, reason",
    [
        (without_id, "cell 3 has no id"),
        (same_id_twice, "cells 2 and 3 have the same id cell-1"),
        (as_format_3, "in format 3.0"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_notebook_whose_cells_lack_ids_is_refused_until_it_is_given_them(
    copy, capfd, change, reason
):
    """nbformat would give it ids at random, others each time it is read."""
    raw = json.loads(copy.read_text("utf-8"))
    before = contents(copy.parent)
    change(raw)
    copy.write_text(json.dumps(raw), "utf-8")
    for command in ("--module", "--as-is", "--check", "--hand-in", "--full", "--quick"):
        assert build.main([command, str(copy)]) == 2
        told = capfd.readouterr()
        assert reason in told.err and told.out == ""
    command = re.search(r"To give each cell its own: python tools/build.py (.*)", told.err)
    assert contents(copy.parent) == before | {copy.name: copy.read_bytes()}
    assert build.main(command[1].split()) == 0
    assert capfd.readouterr() == (f"wrote {copy.parent.name}/{copy.name}\n", "")
    nb = build.read_notebook(copy)
    assert [cell.source for cell in nb.cells] == [
        cell.source for cell in nbformat.reads(before[copy.name].decode(), 4).cells
    ]
    if change in (without_id, same_id_twice):
        kept = [cell.id for cell in nb.cells]
        assert kept[:2] + kept[3:] == ["cell-0", "cell-1", "cell-3"]
        assert build.main(["--full", str(copy)]) == 0
    given = copy.read_bytes()
    assert build.main(["--as-is", str(copy)]) == build.main(["--ids", str(copy)]) == 0
    assert copy.read_bytes() == given


def test_a_magic_in_a_define_cell_is_refused(tmp_path, capsys):
    path = project(tmp_path, code("# by Rules · a magic\n%time 1", "define:game"))
    assert build.main(["--module", str(path)]) == 1
    assert "is not plain Python" in capsys.readouterr().err
    assert not (tmp_path / "export").exists()


def test_readme_says_of_the_outside_what_the_table_says(root):
    table = pd.read_csv(root / "experiments/results/outside.csv")
    rapfi = table[(table.opponent == "Rapfi") & (table.seconds == 0.3)]
    built_in, tuned = (rapfi.won + rapfi.drawn / 2) / rapfi.games
    said = " ".join((root / "README.md").read_text("utf-8").split())
    assert f"Rapfi, the strongest program of its kind, it takes {built_in:.2f} of" in said
    assert f"and {tuned:.2f} where these were tuned" in said


def test_readme_takes_its_numbers_from_the_results(tmp_path):
    results = tmp_path / "speed.csv"
    results.write_text(
        "what,board,per second,speed-up over the reference\n"
        "engine,8×8,970123.4,\nplain UCT,8×8,1512345.6,2134.5\n"
    )
    text = (
        "does <!-- speed engine 8×8 -->?<!-- /speed --> and "
        "<!-- speed plain UCT 8×8 -->?<!-- /speed -->\n"
        "<!-- speed table -->\nold\n<!-- /speed table -->\n"
    )
    filled = readme.filled(text, results)
    assert "-->970,000<!--" in filled and "-->1.5 million<!--" in filled
    assert "| plain UCT | 8×8 | 1.5 million | 2,100× | 100,000 |" in filled
    assert "old" not in filled
    assert readme.filled(filled, results) == filled
    assert readme.filled(text, tmp_path / "none.csv") == text
    with pytest.raises(ValueError, match="README asks for classic 8×8"):
        readme.filled("<!-- speed classic 8×8 -->?<!-- /speed -->", results)


@pytest.mark.parametrize("where", [".", "studies"])
@pytest.mark.parametrize("path", build.find_notebooks([])[1:], ids=lambda path: path.stem)
def test_a_study_finds_the_package_beside_it_or_in_the_project(path, where, monkeypatch):
    monkeypatch.chdir(build.ROOT / where)
    monkeypatch.setattr(sys, "path", sys.path[:])
    first = next(c for c in build.read_notebook(path).cells if c.cell_type == "code")
    exec(first.source, {})
    assert any(Path(folder, "five_in_a_row", "game.py").is_file() for folder in sys.path[:2])

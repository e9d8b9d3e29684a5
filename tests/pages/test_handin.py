"""What is handed in: the checklist finds what is missing, the zip holds what runs."""

import base64
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import build
import handin
import nbformat
import pytest
import safe
from bs4 import BeautifulSoup
from five_in_a_row import search
from helpers import contents
from nbconvert.exporters.html import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

NAME = "five_in_a_row"
COMPILED = shutil.ignore_patterns("__pycache__")  # changes while other tests run
ROLES = ["Rules", "Search", "Heuristics", "Interface", "Experiments"]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
SIZED = "# by Rules · one number\nSIZE = {}"
TABLE = """## Authors

| role | name | wrote |
|---|---|---|
| Rules | *(name)* | the board |
| Search | *(name)* | the tree |
| Heuristics | *(name)* | the shapes |
| Interface | *(name)* | the window |
| Experiments | *(name)* | the measurements |"""
FOUR_STEPS = """## 1. How the program thinks

Monte Carlo
Tree Search has four steps. """
READ = """# by Experiments · the table beside the notebook
with open("experiments/results/speed.csv") as table:
    print(table.read())"""
SHOW = """# by Search · it is shown
print("Source: {}. Result: {} after 3 moves.")
print("  1. d4    e5")
print("  2. c3")"""


def text(source, name, role):
    """Return a text cell with an id and a label."""
    return new_markdown_cell(f"*by {role}*\n\n{source}", id=name)


def code(source, name, tag="demo"):
    """Return a code cell with an id and a tag."""
    return new_code_cell(source, id=name, metadata={"tags": [tag]})


def essay(role, words=700):
    """Return an essay of so many words, with a table and a formula that do not count."""
    aside = "\n\n| a | b |\n|---|---|\n| c | d |\n\n$$a + b$$"
    body = "word " * words + aside
    return text(f"### Why is {role} hard?\n\n{body}", f"essay-{role}", role)


def good_cells():
    """Return the cells of a small notebook that has everything that a course asks for."""
    essays = [essay(role) for role in ROLES]
    between = code("# by Rules · a number for the essay\nprint(SIZE + 1)", "between")
    return [
        text("# A title\n\n![A board](images/board.png)", "promise", "Interface"),
        text(TABLE, "authors", "Interface"),
        text(FOUR_STEPS + "They repeat. " * 60, "introduction", "Search"),
        text("## 2. Rules\n\nA board has a size.", "rules-text", "Rules"),
        code("# by Rules · one number\nSIZE = 8", "size", "define:game"),
        code(SHOW.format("saved game", "black wins"), "shown"),
        code(READ, "read"),
        text("## 18. Essays\n\nOne by each.", "essays", "Experiments"),
        essays[0],
        between,
        *essays[1:],
        text("## 19. Limits\n\n### Sources\n\nA book.", "limits", "Experiments"),
    ]


def write(path, cells):
    """Write a notebook with these cells."""
    path.write_text(nbformat.writes(new_notebook(cells=cells)) + "\n", "utf-8")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return the notebook of a small project that was built and has everything."""
    folder = tmp_path_factory.mktemp("project")
    path = folder / f"{NAME}.ipynb"
    write(path, good_cells())
    (folder / "images").mkdir()
    for name in ("board.png", "not_shown.png"):
        (folder / "images" / name).write_bytes(base64.b64decode(PIXEL))
    (folder / "export" / NAME).mkdir(parents=True)
    (folder / "export" / NAME / "ludo.py").write_text("a study of another game\n")
    for name in ("results", "games"):
        (folder / "experiments" / name).mkdir(parents=True)
    (folder / "experiments" / "fit.py").write_text("print(1)\n")
    (folder / "experiments" / "results" / "speed.csv").write_text("what,board\nengine,8x8\n")
    (folder / "experiments" / "games" / "one.tar.xz").write_bytes(b"packed games")
    (folder / "experiments" / "games" / "two.csv").write_text("a match in progress\n")
    (folder / "requirements.txt").write_text("numpy\n")
    (folder / "export" / "game.txt").write_text(MINE, "utf-8")
    (folder / "tests" / "positions").mkdir(parents=True)
    (folder / "tests" / "positions" / "puzzles.txt").write_text("# none\n")
    assert build.main(["--full", str(path)]) == 0
    return path


@pytest.fixture
def copy(built, tmp_path):
    """Return the notebook of a fresh copy of the built project."""
    shutil.copytree(built.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / built.name


def hand_in(path, *arguments):
    """Run --hand-in with the outputs as saved; return the exit status."""
    return build.main(["--hand-in", "--as-is", str(path), *arguments])


def zip_of(path):
    """Return the place of the zip."""
    return path.parent / "export" / f"{NAME}.zip"


def unzipped(path):
    """Return {name: bytes} of what the zip holds."""
    with zipfile.ZipFile(zip_of(path)) as packet:
        return {name: packet.read(name) for name in packet.namelist()}


def marks(out):
    """Return {item: mark} of a checklist as it was printed."""
    lines = re.findall(r"^([✓✗·]) (\S+)", out, re.MULTILINE)
    return {what.rstrip(","): mark for mark, what in lines}


def saved_game(day, moves, result="black wins", white="engine"):
    """Return a game as the game file has it."""
    lines = "\n".join(f"{number}. {move}" for number, move in enumerate(moves.split(), 1))
    head = f"date: {day}\nsize: 8\nin a row: 5\nblack: person\nwhite: {white}\nbudget: \n"
    return f"{head}result: {result}\n{lines}\n"


MINE = saved_game("2026-01-02 10:00", "d4 e5 c3")
REPORT = "Source: {}. Result: {} after 3 moves.\n  1. d4    e5\n  2. c3\n"


# ---- a good notebook -------------------------------------------------------------------


def test_a_good_notebook_is_run_and_packed(copy, capsys):
    write(copy, good_cells())  # without outputs
    before = contents(copy.parent)
    assert build.main(["--hand-in", str(copy)]) == 0
    told = marks(capsys.readouterr().out)
    assert set(told.values()) == {"✓", "·"}
    checks = "authors labels introduction essays screenshots files run game page".split()
    assert [what for what, mark in told.items() if mark == "✓"] == checks
    files = unzipped(copy)
    assert list(files) == sorted(files)
    assert [name.removeprefix(f"{NAME}/") for name in files] == [
        "README.txt",
        "experiments/results/speed.csv",
        f"export/{NAME}.html",
        f"export/{NAME}/game.py",
        f"export/{NAME}_reading.html",
        "export/game.txt",
        f"{NAME}.ipynb",
        "requirements.txt",
    ]
    nb = nbformat.reads(files[f"{NAME}/{NAME}.ipynb"].decode(), 4)
    counts = [cell.execution_count for cell in nb.cells if cell.cell_type == "code"]
    assert counts == [1, 2, 3, 4]
    assert "8x8" in next(cell for cell in nb.cells if cell.id == "read").outputs[0].text
    after = contents(copy.parent)
    del after[f"export/{NAME}.zip"]
    assert after == before


def test_page_and_module_in_the_zip_are_those_of_its_notebook(copy, tmp_path_factory):
    assert hand_in(copy, "--names", "Search=Ann Lee") == 0
    folder = tmp_path_factory.mktemp("unpacked")
    shutil.unpack_archive(zip_of(copy), folder)
    assert build.main(["--check", str(folder / NAME / f"{NAME}.ipynb")]) == 0


def test_outputs_as_saved_stay_byte_by_byte(copy, capsys):
    play_by_hand(copy)
    (copy.parent / "export" / "game.txt").write_text("h8 g7\n")
    assert hand_in(copy) == 0
    files = unzipped(copy)
    made = files[f"{NAME}/{NAME}.ipynb"].decode().splitlines()
    differ = [line for line in made if line not in copy.read_text("utf-8").splitlines()]
    assert [line.strip()[:24] for line in differ] == [
        '"attachments": {',
        '"board.png": {',
        f'"image/png": "{PIXEL}'[:24],
        '"![A board](attachment:b',
    ]
    assert files[f"{NAME}/export/game.txt"] == b"h8 g7\n"
    assert "black won" in files[f"{NAME}/export/{NAME}.html"].decode()
    out = " ".join(capsys.readouterr().out.split())
    assert "as Jupyter numbered and saved them" in out
    assert "✓ game the notebook shows person, black wins, 3 moves" in out


def play_by_hand(path):
    """Change the project as people do who run the notebook in Jupyter and play."""
    raw = json.loads(path.read_bytes())
    for cell in raw["cells"]:
        if cell["id"] == "shown":
            widget = {"model_id": "a", "version_major": 2, "version_minor": 0}
            board = {
                "application/vnd.jupyter.widget-view+json": widget,
                "text/plain": ["A board to play on"],
            }
            picture = {"image/png": f"{PIXEL}\n", "text/plain": ["black won, 9 moves"]}
            about = {"image/png": {"alt": "black won, 9 moves", "width": 360}}
            cell["outputs"] = [
                new_output("display_data", board),
                new_output("display_data", picture, metadata=about),
                new_output(
                    "stream", name="stdout", text=REPORT.format("person", "black wins")
                ),
            ]
            cell["metadata"]["execution"] = {"iopub.execute_input": "2025-01-31T18:00:00Z"}
    state = {"model_name": "BoardModel", "model_module": "jupyter_rfb", "state": {}}
    raw["metadata"]["widgets"] = {
        "application/vnd.jupyter.widget-state+json": {"state": {"a": state}}
    }
    path.write_text(json.dumps(raw, indent=1, ensure_ascii=False, sort_keys=True) + "\n")


def test_the_zip_depends_on_its_files_alone(copy, tmp_path_factory):
    assert hand_in(copy) == 0
    first = zip_of(copy).read_bytes()
    again = tmp_path_factory.mktemp("again")
    for name, data in reversed(contents(copy.parent).items()):
        (again / name).parent.mkdir(parents=True, exist_ok=True)
        (again / name).write_bytes(data)
    (again / "experiments" / "results" / ".speed.csv.12.tmp").write_text("left behind")
    checkpoints = again / "experiments" / "results" / ".ipynb_checkpoints"
    checkpoints.mkdir()
    (checkpoints / "speed-checkpoint.csv").write_text("opened once")
    zip_of(again / copy.name).unlink()
    assert hand_in(again / copy.name) == 0
    assert zip_of(again / copy.name).read_bytes() == first


def test_the_notebook_of_the_zip_shows_its_drawings_wherever_it_lies(copy, tmp_path):
    """They are attachments; a page that nbconvert makes of it anywhere links to no file."""
    shutil.copytree(copy.parent / "images", copy.parent / "shots")
    (copy.parent / "shots" / "board.png").write_bytes(b"another board")
    nb = nbformat.read(copy, 4)
    nb.cells[0].source += (
        "\n\n![Once more](images/board.png) ![Another](<shots/board.png>)"
        "\n\n<img src='shots/not_shown.png' alt='An element'>"
    )
    nbformat.write(nb, copy)
    assert hand_in(copy) == 0
    files = unzipped(copy)
    kept = [name for name in files if name.endswith("png")]
    assert kept == [f"{NAME}/shots/not_shown.png"]
    alone = tmp_path / "alone.ipynb"
    alone.write_bytes(files[f"{NAME}/{NAME}.ipynb"])
    assert list(nbformat.read(alone, 4).cells[0].attachments) == ["board.png", "_board.png"]
    page, _ = HTMLExporter().from_filename(str(alone))
    kept = [image["src"] for image in BeautifulSoup(page, "html.parser").select("img")]
    assert [source[:15] for source in kept] == ["data:image/png;"] * 3 + ["shots/not_shown"]


def test_a_second_version_unzipped_over_a_first_is_the_one_that_runs(copy, tmp_path_factory):
    """Its file has the same size; Python takes its compiled file for old by the date alone."""
    folder = tmp_path_factory.mktemp("unpacked")
    load = [sys.executable, "-c", "import game; print(game.SIZE)"]
    compiles = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": ""}
    for size in (8, 9):
        nb = nbformat.read(copy, 4)
        next(cell for cell in nb.cells if cell.id == "size").source = SIZED.format(size)
        nbformat.write(nb, copy)
        assert build.main(["--hand-in", str(copy)]) == 0
        shutil.unpack_archive(zip_of(copy), folder)
        with zipfile.ZipFile(zip_of(copy)) as packet:
            for info in packet.infolist():  # as unzip does, and shutil does not
                date = time.mktime((*info.date_time, 0, 0, -1))
                os.utime(folder / info.filename, (date, date))
        where = folder / NAME / "export" / NAME
        done = subprocess.run(load, cwd=where, env=compiles, capture_output=True, check=True)
        assert done.stdout.split() == [str(size).encode()]
        assert (where / "__pycache__").is_dir()


def with_pictures(path, sizes):
    """Put pictures of about so many kB into the outputs of a cell, in a notebook that ran."""
    nb = nbformat.read(path, 4)
    shown = next(cell for cell in nb.cells if cell.id == "shown")
    for size in sizes:
        noise = base64.b64encode(random.Random(size).randbytes(1_000 * size)).decode()
        about = {"image/png": {"alt": "noise", "caption": f"A caption of\n{size}"}}
        shown.outputs.append(new_output("display_data", {"image/png": noise}, metadata=about))
    nb.metadata.build["gave"] = build.output_digest(nb)
    nbformat.write(nb, path)


def test_what_a_run_makes_again_is_left_out_of_a_zip_that_is_too_large(copy, capsys, tmp_path):
    with_pictures(copy, [20, 40, 90])
    assert hand_in(copy) == 0 and f"{NAME}/export/{NAME}_reading.html" in unzipped(copy)
    assert b"_reading.html" in unzipped(copy)[f"{NAME}/export/{NAME}.html"]
    assert "Left out" not in capsys.readouterr().out
    both = zip_of(copy).stat().st_size
    limit = both - 15_000  # a picture has to go, too
    assert hand_in(copy, "--limit", f"{limit / 1e6:.6f}MB") == 0
    assert zip_of(copy).stat().st_size <= limit
    told = capsys.readouterr().out
    assert f"The whole zip has {both / 1e6:.2f} MB" in told
    assert f"export/{NAME}_reading.html" in told and 'the picture "A caption of 20"' in told
    files = unzipped(copy)
    assert f"{NAME}/export/{NAME}_reading.html" not in files
    assert "reading" not in files[f"{NAME}/README.txt"].decode()
    assert b"_reading.html" not in files[f"{NAME}/export/{NAME}.html"]
    assert files[f"{NAME}/{NAME}.ipynb"].count(b"image/png") == 5  # two, with words, a drawing
    shutil.unpack_archive(zip_of(copy), tmp_path / "unpacked")
    assert build.main(["--check", str(tmp_path / "unpacked" / NAME / f"{NAME}.ipynb")]) == 0


def test_a_limit_that_nothing_fits_says_what_would_and_writes_nothing(copy, capsys):
    with_pictures(copy, [20, 40, 90])
    assert hand_in(copy, "--limit", "1kB") == 1
    told = capsys.readouterr().err
    least = re.search(r"as small as (0\.\d\d MB), without the reading edition and the 3", told)
    assert "--limit allows 0.001 MB" in told and "nothing is written" in told
    assert not zip_of(copy).exists()
    assert hand_in(copy, "--limit", least[1]) == 0 and zip_of(copy).exists()


def test_the_readme_of_the_zip_lists_what_is_in_it(copy, root):
    assert hand_in(copy) == 0
    files = [name.removeprefix(f"{NAME}/") for name in unzipped(copy)]
    text = unzipped(copy)[f"{NAME}/README.txt"].decode()
    listed = [line.split()[0] for line in text.partition("HERE     ")[2].splitlines()]
    assert [name for name in listed if not any(file.startswith(name) for file in files)] == []
    assert [file for file in files if not file.startswith((*listed, "README.txt"))] == []
    assert text.endswith("\n") and all(len(line) < 125 for line in text.splitlines())


# ---- the game that is shown ------------------------------------------------------------


OLD = saved_game("2026-01-01 10:00", "a1 b2")
LATER = saved_game("2026-01-03 10:00", "h8 g7 a2")
OPEN = saved_game("2026-01-04 10:00", "h8", "unfinished")
MATCH = LATER.replace("black: person", "black: classic")
RECORDED = "classic (black) against engine (white)", "draw"


@pytest.mark.parametrize(
    "shown, games, mark, says",
    [
        (RECORDED, [MATCH, OPEN], "✗", "which is no game of yours: play one in the notebook"),
        (("saved game", "draw"), [OLD, MINE, OPEN], "✓", "the game of 2026-01-02 10:00"),
        (("saved game", "draw"), [MINE, LATER], "✗", "3 moves: run the cells after Play"),
        (("person", "unfinished"), [OPEN], "✗", "3 moves: play it to its end, run the cells"),
    ],
)
def test_a_game_of_ones_own_is_shown_the_last_that_was_finished(
    copy, capsys, shown, games, mark, says
):
    nb = nbformat.read(copy, 4)
    printed("shown", output_type="stream", text=REPORT.format(*shown))(nb)
    nbformat.write(nb, copy)
    (copy.parent / "export" / "game.txt").write_text("\n".join(games), "utf-8")
    assert hand_in(copy) == (mark == "✗")
    told = capsys.readouterr().out
    assert marks(told)["game"] == mark and says in " ".join(told.split())
    if mark == "✗":
        assert "--other-game" in told and marks(told)["page"] == "·"
        assert not zip_of(copy).exists() and hand_in(copy, "--other-game") == 0
        assert marks(capsys.readouterr().out)["game"] == "✓" and zip_of(copy).exists()


def test_a_run_that_has_no_game_to_show_is_not_begun(copy, capsys, monkeypatch):
    (copy.parent / "export" / "game.txt").write_text(OPEN, "utf-8")
    monkeypatch.setattr(build, "run_notebook", lambda *rest: pytest.fail("it was run"))
    assert build.main(["--hand-in", str(copy)]) == 1
    told = capsys.readouterr().out
    assert "export/game.txt has no game that you finished" in " ".join(told.split())
    assert marks(told)["game"] == "✗" and marks(told)["run"] == "·"


# ---- broken notebooks ------------------------------------------------------------------


def replaced(name, old, new):
    """Return a change of a notebook: one text for another in a cell."""

    def change(nb):
        cell = next(cell for cell in nb.cells if cell.id == name)
        assert old in cell.source
        cell.source = cell.source.replace(old, new, 1)

    return change


def counted(name, count):
    """Return a change of a notebook: a cell has run at another time, or never."""

    def change(nb):
        next(cell for cell in nb.cells if cell.id == name).execution_count = count

    return change


def printed(name, /, **output):
    """Return a change of a notebook: a cell has this output."""

    def change(nb):
        next(cell for cell in nb.cells if cell.id == name).outputs = [new_output(**output)]

    return change


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}
STDERR = {"output_type": "stream", "name": "stderr", "text": "oh\n"}
BROKEN = [
    ("labels", '("Rules · one number") does not', replaced("size", "# by Rules", "# Rules")),
    ("labels", "has no name for Search", replaced("shown", "by Search", "by Bo (Search)")),
    ("authors", "no table that", replaced("authors", "| role | name", "| who | name")),
    ("introduction", "words, not 100", replaced("introduction", "They repeat. " * 60, "")),
    ("essays", "no essay is by Search", replaced("essay-Search", "by Search", "by Rules")),
    ("essays", "has 599 words", replaced("essay-Rules", "word " * 101, "")),
    ("essays", "is not by Rules", lambda nb: nb.cells.insert(9, text("More.", "a", "Search"))),
    ("screenshots", "other.png does not", replaced("promise", "board.png", "other.png")),
    ("screenshots", "no alternative text", replaced("promise", "A board", "")),
    ("screenshots", "not in the folder", replaced("promise", "images", "../images")),
    ("run", "ran as number 7, it is code cell 2: choose Run > Restart", counted("shown", 7)),
    ("run", "edited after the run that the outputs are from", replaced("size", "8", "9")),
    ("run", "ended in ValueError: no: change that cell", printed("shown", **ERROR)),
    ("run", "wrote to stderr: oh", printed("shown", **STDERR)),
    ("page", "formula", replaced("limits", "A book.", "$$\\nosuchcommand{x}$$")),
]


def test_what_lies_elsewhere_is_refused_whatever_links_to_it(copy, capsys, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "board.png"
    secret.write_bytes(b"a key of mine")
    shutil.rmtree(copy.parent / "images")
    (copy.parent / "images").symlink_to(secret.parent)
    assert hand_in(copy) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "images/board.png leads out of the folder of the notebook" in out.replace("\\", "/")
    assert not zip_of(copy).exists()


@pytest.mark.parametrize(
    "name, reason",
    [
        (b"a\\..\\..\\evil.txt", "holds \\, which no file name may hold on Windows"),
        (b"two\nlines.txt", 'two\\nlines.txt" holds a line break'),
        (b"\x1b]0;title\x07.txt", '\\x1b]0;title\\x07.txt" holds'),
        (b"CON.txt", "is the name of a device on Windows"),
        (b"an end.", "ends in a dot"),
        (b"latin-\xe9.txt", 'latin-\\xe9.txt" is not UTF-8'),
        (b"Game.py", "are one name on Windows and Mac"),
    ],
)
def test_a_file_name_that_a_zip_cannot_carry_everywhere_is_refused(copy, capsys, name, reason):
    file = os.path.join(os.fsencode(copy.parent / "export" / NAME), name)
    with open(file, "wb") as stream:
        stream.write(b"print('an own file')")
    assert hand_in(copy) == 1
    told = capsys.readouterr().out
    assert marks(told)["files"] == "✗" and reason in " ".join(told.split())
    assert "rename" in told and not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", told)
    assert not zip_of(copy).exists()


def test_the_names_in_a_zip_stay_inside_and_mean_one_file_everywhere():
    for name in ("/etc/passwd", "a/../../b", "a//b", "", "./a", ".."):
        assert safe.name_fault(name) == "leads out of its folder"
    assert safe.name_fault("aux/aux.ipynb") == "is the name of a device on Windows"
    for name in ("überblick von 8×8.txt", "棋.txt", "context.txt", "com10.txt", "a.b.c"):
        assert safe.name_fault(name) == ""


ESCAPE = "\x1b]0;a title\x07\x1b[2J\x9b31m"


def test_no_escape_sequence_of_any_file_reaches_the_terminal(copy, capsys):
    """Names, headings, outputs, the game file: each is printed with its letters spelt out."""
    nb = nbformat.read(copy, 4)
    replaced("authors", "| Rules | *(name)*", f"| Rules{ESCAPE} | Ann{ESCAPE}")(nb)
    replaced("limits", "## 19. Limits", f"## 19. Limits{ESCAPE}")(nb)
    replaced("limits", "*by Experiments*", f"*by Nobody{ESCAPE}*")(nb)
    replaced("essay-Search", "hard?", f"hard{ESCAPE}")(nb)
    nb.cells[0].source += f"\n\n![What{ESCAPE}](images/x{ESCAPE}.png)"
    report = REPORT.format(f"me{ESCAPE}", f"black{ESCAPE} wins")
    error = {**ERROR, "evalue": f"no{ESCAPE}\n✓ run  is forged"}
    next(cell for cell in nb.cells if cell.id == "shown").outputs = [
        new_output("stream", text=report),
        new_output(**error),
    ]
    copy.write_text(json.dumps(nb, indent=1), "utf-8")
    games = MINE.replace("date: 2026", f"date: {ESCAPE}2026") + LATER
    (copy.parent / "export" / "game.txt").write_text(games, "utf-8")
    for arguments in ([], ["--other-game"], ["--names", f"Rules{ESCAPE}=Ann"]):
        assert hand_in(copy, *arguments)
        told = capsys.readouterr()
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", told.out + told.err)
    assert hand_in(copy) == 1
    told = capsys.readouterr().out
    assert "\\x1b]0;a title\\x07\\x1b[2J\\x9b31m" in told
    assert marks(told)["run"] == "✗"


@pytest.mark.parametrize("item, reason, change", BROKEN)
def test_what_is_missing_is_named_and_nothing_is_written(copy, capsys, item, reason, change):
    nb = nbformat.read(copy, 4)
    change(nb)
    copy.write_text(json.dumps(nb, indent=1), "utf-8")
    zip_of(copy).write_bytes(b"an older one")
    before = contents(copy.parent)
    assert hand_in(copy) == 1
    told = capsys.readouterr()
    assert marks(told.out)[item] == "✗"
    assert reason in " ".join(told.out.split())
    assert item == "page" or marks(told.out)["page"] == "·"
    assert item in told.err and "nothing is written" in told.err
    assert contents(copy.parent) == before


def test_a_wrong_or_large_page_and_missing_requirements_are_refused(copy, capsys, monkeypatch):
    old = (copy.parent / "export" / f"{NAME}.html").read_text("utf-8")
    nb = nbformat.read(copy, 4)
    replaced("limits", "A book.", "Two books.")(nb)
    nbformat.write(nb, copy)
    stale = lambda path, nb: {path.parent / "export" / f"{NAME}.html": old}  # noqa: E731
    monkeypatch.setattr(build, "page_file", stale)
    assert hand_in(copy) == 1
    assert "made from another five_in_a_row.ipynb" in capsys.readouterr().out
    monkeypatch.undo()
    monkeypatch.setattr(handin, "PAGE_BYTES", 1_000)
    assert hand_in(copy) == 1
    assert "less than 0 MB are allowed" in " ".join(capsys.readouterr().out.split())
    monkeypatch.undo()
    (copy.parent / "requirements.txt").unlink()
    assert hand_in(copy) == 1
    assert marks(capsys.readouterr().out)["files"] == "✗" and not zip_of(copy).exists()


# ---- names -----------------------------------------------------------------------------


def test_names_stand_in_labels_and_table_and_nowhere_else(copy):
    assert (
        hand_in(copy, "--names", " Search = Ann  Lee & Zoë O’Neil-Ødegård ,Rules=周 波") == 0
    )
    old, two = nbformat.read(copy, 4), "Ann Lee & Zoë O’Neil-Ødegård"
    new = nbformat.reads(unzipped(copy)[f"{NAME}/{NAME}.ipynb"].decode(), 4)
    changed = []
    for one, other in zip(old.cells, new.cells, strict=True):
        lines = zip(one.source.splitlines(), other.source.splitlines(), strict=True)
        changed += [b for a, b in lines if a != b and "attachment:" not in b]
    assert changed == [
        "| Rules | 周 波 | the board |",
        f"| Search | {two} | the tree |",
        f"*by {two} (Search)*",
        "*by 周 波 (Rules)*",
        "# by 周 波 (Rules) · one number",
        f"# by {two} (Search) · it is shown",
        "*by 周 波 (Rules)*",
        "# by 周 波 (Rules) · a number for the essay",
        f"*by {two} (Search)*",
    ]
    files = unzipped(copy)
    soup = BeautifulSoup(files[f"{NAME}/export/{NAME}.html"].decode(), "html.parser")
    assert f"by {two} (Search)" in soup.get_text()
    assert "# by 周 波 (Rules) · one number" in files[f"{NAME}/export/{NAME}/game.py"].decode()


def test_names_written_by_hand_are_read_from_the_table(copy, capsys):
    nb = nbformat.read(copy, 4)
    for role in ROLES:
        replaced("authors", f"| {role} | *(name)*", f"| {role} | Ann Lee and Bo Chu")(nb)
    replaced("rules-text", "*by Rules*", "*by Bo Chu (Rules)*")(nb)
    nbformat.write(nb, copy)
    assert hand_in(copy) == 0
    assert "names" not in marks(capsys.readouterr().out)
    assert hand_in(copy, "--names", "Rules=Ida Rex") == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "4 code cells in order, by build.py" in out  # labels are comments: the same run
    source = unzipped(copy)[f"{NAME}/{NAME}.ipynb"].decode()
    assert "*by Ida Rex (Rules)*" in source and "| Rules | Ida Rex |" in source
    assert "| Search | Ann Lee and Bo Chu |" in source


@pytest.mark.parametrize(
    "names, reason",
    [
        ("Serch=Ann", "Rules, Search, Heuristics, Interface, Experiments are"),
        ("Search=Ann,Search=Bo", 'write "Search=Ann & Bo"'),
        ("Search=12", "Search has no name"),
        ("", 'has no "="'),
        ("Search=Ann|Lee", 'holds "|"'),
        ("Search=Ann\u202eLee", 'holds "\\u202e"'),
    ],
)
def test_names_that_cannot_be_used_end_with_status_2(copy, capsys, names, reason):
    before = contents(copy.parent)
    assert hand_in(copy, f"--names={names}") == 2
    assert reason in capsys.readouterr().err
    assert contents(copy.parent) == before


# ---- words, marks, the command ---------------------------------------------------------


@pytest.mark.parametrize(
    "source, words",
    [
        ("see [two words](https://example.org/a) <!-- none -->", 3),
        ("```python\nprint(1)\n```\n\nafter", 1),
        ("#### A heading\n\nafter", 1),
        ("![a b c](images/x.png) after", 1),
    ],
)
def test_words_are_those_that_a_reader_reads(source, words):
    cell = text(source, "words", "Rules")
    assert sum(handin.count_words(part) for part in handin.rendered(cell).contents) == words


@pytest.mark.parametrize(
    "arguments",
    [
        ["--as-is", "--names", "Search=Ann"],
        ["--hand-in", "--as-is", "--limit", "much"],
        ["--as-is", "--check"],
    ],
)
def test_what_does_not_go_together_ends_with_status_2(arguments):
    with pytest.raises(SystemExit) as stop:
        build.main(arguments)
    assert stop.value.code == 2


# ---- the project's own notebook --------------------------------------------------------


def test_the_zip_of_the_project_runs_where_it_is_unpacked(root, tmp_path, monkeypatch, full):
    """From a folder that holds nothing else, in quick mode; with --full to its page.

    By default its pages are those in export/, which test_export.py proves to be of it.
    What the project's package has compiled is laid beside that of the zip, whose kernels are
    of the same text: test_cache.py compiles a copy from nothing.
    """
    project = tmp_path / "project"
    for name in ("images", "export", "experiments"):
        shutil.copytree(root / name, project / name, ignore=COMPILED)
    for name in (f"{NAME}.ipynb", "requirements.txt"):
        shutil.copy(root / name, project / name)
    path = project / f"{NAME}.ipynb"
    with monkeypatch.context() as patch:
        if not full:
            patch.setattr(build, "page_file", lambda copy, nb: made_pages(copy, nb, root))
        assert hand_in(path, "--other-game") == 0
    assert zip_of(path).stat().st_size < 3_500_000 and len(unzipped(path)) < 70
    kept = nbformat.reads(unzipped(path)[f"{NAME}/{NAME}.ipynb"].decode(), 4)
    assert handin.output_pictures(kept) == handin.output_pictures(build.read_notebook(path))
    shutil.unpack_archive(zip_of(path), tmp_path / "unpacked")
    path = tmp_path / "unpacked" / NAME / f"{NAME}.ipynb"
    assert {file.name for file in path.parent.iterdir()} == {
        "README.txt",
        "experiments",
        "export",
        path.name,
        "requirements.txt",
    }
    lend_compiled(path.parent / "export" / NAME)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    nb = build.run_notebook(path, build.read_notebook(path), "quick")
    told = "\n".join(
        output.get("text", "") for cell in nb.cells for output in cell.get("outputs", [])
    )
    assert "is not here" not in told and "no exported module" not in told
    assert "experiments/results" not in told  # no table is missed
    if full:
        assert build.page_file(path, nb)


def made_pages(path, nb, root):
    """Return {file: text} of the pages that the build made of the project, beside a copy.

    The notebook of the zip has the same drawings, as attachments.
    """
    main = root / f"{NAME}.ipynb"
    old, new = build.page_digest(main, build.read_notebook(main)), build.page_digest(path, nb)
    files = {}
    for name in (f"{NAME}.html", "play.html", f"{NAME}_reading.html"):
        text = (root / "export" / name).read_text("utf-8")
        files[path.parent / "export" / name] = text.replace(old, new)
    return files


def lend_compiled(other):
    """Copy compiled code of this session's package to another of the same text."""
    (other / "__pycache__").mkdir()
    for file in Path(search.mark_near._cache.cache_path).glob("*.nbc"):
        shutil.copy(file, other / "__pycache__")

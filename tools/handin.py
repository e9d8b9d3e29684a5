"""What is handed in: names for the roles, a checklist of what a course asks, and one zip.

This module reads notebooks, says what they lack, and packs files; build.py runs and exports
them. A *role* wrote a cell: `# by Search · ...` begins code, `*by Search*` begins text. The
table *Authors*, the first that begins with role and name, lists the roles and names them.
"""

import base64
import functools
import io
import json
import mimetypes
import re
import textwrap
import unicodedata
import zipfile
import zlib
from collections import Counter
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup
from mistune import HTMLRenderer
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from safe import escaped, name_faults, visible

ESSAY_WORDS = (600, 1000)  # what the course asks of an essay
INTRODUCTION_WORDS = 100  # fewer do not explain a search
PAGE_BYTES = 6_000_000  # what course sites take
SHOWN_FAULTS = 6  # of one line of the checklist

WHO = r"by (?:(?P<name>[^()*·\n]+) \()?(?P<role>[^()*·\n]+)(?(name)\))"
CODE_LABEL = re.compile(rf"# {WHO} · \S.*")
TEXT_LABEL = re.compile(rf"\*{WHO}\*")
ROW = re.compile(r"(\s*\|\s*)([^|]*?)(\s*\|\s*)([^|]*?)(\s*\|.*)")  # role, name, the rest

# What goes in beside the notebook, its pictures and its pages, from the notebook's own folder:
# the package but for the studies of other games, and the tables that the essays show.
REQUIREMENTS = "requirements.txt"
RESULTS = """
ablation ablation-earlier advice beginnings constants cut defence direct ladder
leaders leaders-15 picks prior report-after-d4 report-beginnings sizes speed
""".split()
OTHER_GAMES = {
    "bayes.py",
    "connect_four.py",
    "connect_four.book",
    "connect_grid.py",
    "connect_report.py",
    "connect_poster.py",
    "connect_solver.py",
    "ludo.py",
    "ludo_board.py",
    "tic_tac_toe.py",
}
PARTS = (
    REQUIREMENTS,
    *(f"experiments/results/{name}.csv" for name in RESULTS),
    "experiments/results/players.json",
    "export/five_in_a_row/*.*",
    "export/game.txt",
    "export/play.html",
)
LIMIT = 5_000_000  # bytes of the zip, where nothing else is said
LINKED = re.compile(r"(!\[[^]]*\]\()(<[^>\n]+>|[^)\s]+)")  # a picture in Markdown, its address
THINKS = re.compile(r"\bhow .+ thinks\b|\bintroduction\b", re.IGNORECASE)  # a heading
AGAIN = (
    "choose Run > Restart Kernel and Run All Cells and save; or leave out --as-is, then the "
    "notebook is run here, without a window, and shows the last game of export/game.txt"
)
GAME_SHOWN = re.compile(  # the report of a game: source, result, number of moves, moves
    r"^Source: (.+)\. Result: (.+) after \d+ moves?\.\n((?: *\d+\. .+(?:\n|\Z))+)", re.M
)
README = """\
Five in a row: a notebook that plays five in a row and explains Monte Carlo Tree Search.

READ IT  Open export/{stem}.html in a browser. It needs no network.

RUN IT   Python 3.11 to 3.14. In this folder, on Linux or Mac:

python3 -m venv .venv && .venv/bin/pip install -r requirements.txt \
&& .venv/bin/python -m jupyter lab {stem}.ipynb

         On Windows:

py -m venv .venv && .venv\\Scripts\\pip install -r requirements.txt \
&& .venv\\Scripts\\python -m jupyter lab {stem}.ipynb

         Then choose Run > Run All Cells. A board opens: click to place a stone, ? lists the
         keys. Close it to go on.

HERE     """
HERE = (  # what may be in the zip, and what it is
    ("{stem}.ipynb", "the notebook, with its drawings and outputs"),
    ("export/{stem}.html", "the same as one page"),
    ("export/{stem}_reading.html", "its essays, figures and the game, to print"),
    ("export/five_in_a_row/", "its code and the engine as a package"),
    ("export/play.html", "a page to play on, and nothing else"),
    ("export/game.txt", "the games that were played"),
    ("experiments/results/", "the tables of long matches that the essays show"),
    ("images/", "its pictures"),
    ("requirements.txt", "what has to be installed to run it"),
)


class NamesError(ValueError):
    """Names for roles that cannot be used: one sentence that says what is allowed."""


class Check(NamedTuple):
    """One line of the checklist: it holds where it has no faults."""

    what: str
    found: str
    faults: list


# ---- roles, names, labels --------------------------------------------------------------


def author_rows(source):
    """Return [(line number, match of ROW)] of the table `role | name | ...` in a text."""
    lines = enumerate(source.split("\n"))
    rows = [(number, match) for number, line in lines if (match := ROW.fullmatch(line))]
    is_table = rows and [rows[0][1][2], rows[0][1][4]] == ["role", "name"]
    return rows[2:] if is_table else []


def own_name(text):
    """Return a name of the table, or "" for an empty one or a placeholder as *(name)*."""
    text = text.strip("*_ ")
    return "" if text.startswith("(") or not re.search(r"\w", text) else text


def named_roles(nb):
    """Return [(role, name or "")] of the table of authors, in its order."""
    tables = (author_rows(c.source) for c in nb.cells if c.cell_type == "markdown")
    rows = next(filter(None, tables), [])
    return [(match[2], own_name(match[4])) for _, match in rows]


def parse_names(text, roles):
    """Return {role: name} of a text like "Search=Ann Lee,Rules=Bo Chu & Ann Lee".

    Raises NamesError unless every part names one of the roles, once, and a person.
    """
    names = {}
    allowed = ", ".join(roles)
    for part in text.split(","):
        role, equals, name = (piece.strip() for piece in part.partition("="))
        name = " ".join(name.split())
        if not equals:
            raise NamesError(
                f'"{part.strip()}" has no "=": write "Search=Ann Lee,Rules=Bo Chu"'
            )
        if role not in roles:
            raise NamesError(f'"{role}" is no role of the table Authors: {allowed} are')
        if role in names:
            raise NamesError(f'{role} stands twice: write "{role}={names[role]} & {name}"')
        if not any(letter.isalpha() for letter in name):
            raise NamesError(f'{role} has no name: write "{role}=Ann Lee"')
        if bad := [letter for letter in name if not is_plain(letter)]:
            plain = "letters, digits, spaces and . ' ’ - &"
            raise NamesError(f'the name of {role} holds "{bad[0]}": {plain} are allowed')
        names[role] = name
    return names


def is_plain(letter):
    """Say whether a letter of a name means nothing else in Markdown, HTML or a label."""
    return unicodedata.category(letter)[0] in "LM" or letter.isdecimal() or letter in " .'’-&"


def put_names(text, names):
    """Return a notebook's text with names in its labels and table, else as it was."""
    raw, table = json.loads(text), False
    for cell in raw["cells"]:
        source = "".join(cell["source"])
        changed = named_label(source, cell["cell_type"], names)
        if cell["cell_type"] == "markdown" and not table and author_rows(source):
            changed, table = named_table(changed, names), True
        put_source(cell, changed)
    return as_text(raw)


def put_source(cell, source):
    """Give a cell of a notebook's JSON another text, as a list of lines where it was one."""
    if source != "".join(cell["source"]):
        is_list = isinstance(cell["source"], list)
        cell["source"] = source.splitlines(keepends=True) if is_list else source


def as_text(raw):
    """Return a notebook's JSON as Jupyter writes it."""
    return json.dumps(raw, ensure_ascii=False, indent=1) + "\n"


def named_label(source, kind, names):
    """Return a cell's text with its label as `by NAME (ROLE)` where the role has a name."""
    first, end, rest = source.partition("\n")
    match = label_of(source, kind)
    if match is None or match["role"] not in names:
        return source
    begin = match.start("name") if match["name"] else match.start("role")
    end_of_role = match.end("role") + bool(match["name"])
    who = f"{names[match['role']]} ({match['role']})"
    return first[:begin] + who + first[end_of_role:] + end + rest


def named_table(source, names):
    """Return the text with the table of authors with names in its second column."""
    lines = source.split("\n")
    for number, match in author_rows(source):
        name = names.get(match[2], match[4])
        lines[number] = f"{match[1]}{match[2]}{match[3]}{name}{match[5]}"
    return "\n".join(lines)


def label_of(source, kind):
    """Return the match of a cell's first line as a label, or None."""
    pattern = CODE_LABEL if kind == "code" else TEXT_LABEL
    return pattern.fullmatch(source.partition("\n")[0].rstrip())


def role_of(cell):
    """Return the role in a cell's label, or None."""
    match = label_of(cell.source, cell.cell_type)
    return match and match["role"]


def people(name):
    """Return who may sign for a role: its name as a whole, and each person in it."""
    return {name, *re.split(r"\s*(?:[&,;]|\band\b)\s*", name)}


# ---- text as a reader counts it --------------------------------------------------------


class Prose(HTMLRenderer):
    """Markdown to HTML without formulas, whose letters are no words."""

    def block_math(self, _body):
        """Return nothing."""
        return ""

    def inline_math(self, _body):
        """Return nothing."""
        return ""

    def latex_environment(self, name, body):
        """Return nothing."""
        return ""


def rendered(cell):
    """Return a text cell without its label as HTML, to be read and not to be changed."""
    first, _, rest = cell.source.partition("\n")
    return as_html(rest if TEXT_LABEL.fullmatch(first.rstrip()) else cell.source)


@functools.lru_cache(1_000)  # a checklist reads each text several times
def as_html(body):
    """Return Markdown as HTML."""
    prose = Prose(escape=False, allow_harmful_protocols=True)  # data: is a picture
    return BeautifulSoup(MarkdownWithMath(renderer=prose).render(body), "html.parser")


def sections(nb):
    """Return [(heading, [(cell, element)])]: the text elements below each ## heading."""
    found = [("", [])]
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for element in rendered(cell).contents:
                if element.name in ("h1", "h2"):
                    found.append((plain(element), []))
                else:
                    found[-1][1].append((cell, element))
    return found


def plain(element):
    """Return an element's text in one line."""
    return " ".join(element.get_text().split())


def count_words(element):
    """Return how many words a reader reads: no code, table, heading or picture."""
    aside = ("pre", "code", "table", "h3", "h4", "h5", "h6", "script", "style")
    soup = BeautifulSoup(str(element), "html.parser")
    for part in soup.select(", ".join(aside)):
        part.decompose()
    return sum(any(letter.isalnum() for letter in word) for word in soup.get_text().split())


# ---- the checklist ---------------------------------------------------------------------


def check_text(nb, path):
    """Return the checks that need no run: authors, labels, texts, pictures and files.

    path   of the notebook itself, not of a copy, in which links could no longer be told
    """
    return [
        check_authors(nb),
        check_labels(nb),
        check_introduction(nb),
        check_essays(nb),
        check_pictures(nb, path.parent),
        check_files(nb, path),
    ]


def where(cell):
    """Return how a message names a cell: by its id, and by words to search the page for."""
    lines = [line.strip("#*_ ") for line in cell.source.splitlines()]
    if cell.cell_type == "markdown" and TEXT_LABEL.fullmatch(cell.source.partition("\n")[0]):
        lines = lines[1:]
    words = textwrap.shorten(next(filter(None, lines), ""), 50, placeholder=" ...")
    return f'cell {cell.id} ("{words}")' if words else f"cell {cell.id}"


def check_authors(nb):
    """Return whether some text cell has a table of authors in which every role stands once."""
    roles = [role for role, _ in named_roles(nb)]
    faults = [f"{role} stands {n} times" for role, n in Counter(roles).items() if n > 1]
    if not roles:
        faults = ["there is no table that begins with | role | name |"]
    return Check("authors", f"{len(roles)} roles: {', '.join(roles)}", faults)


def check_labels(nb):
    """Return whether every cell begins with a label that names a role of the table."""
    roles = dict(named_roles(nb))
    faults, counts = [], Counter()
    for cell in nb.cells:
        match = label_of(cell.source, cell.cell_type)
        if not cell.source.strip():
            faults.append(f"cell {cell.id} is empty: delete it")
        elif match is None:
            right = "# by Search · what it adds" if cell.cell_type == "code" else "*by Search*"
            faults.append(f"{where(cell)} does not begin with a label such as {right}")
        elif match["role"] not in roles:
            wrong = f'by "{match["role"]}", which is no role of the table Authors'
            faults.append(f"{where(cell)} is {wrong}")
        elif match["name"] and match["name"] not in people(roles[match["role"]]):
            name, other = match["name"], roles[match["role"]] or "no name"
            wrong = f"by {name}, the table Authors has {other} for {match['role']}"
            faults.append(f"{where(cell)} is {wrong}")
        else:
            counts[match["role"]] += 1
    shares = ", ".join(f"{role} {counts[role]}" for role in roles)
    return Check("labels", f"{len(nb.cells)} cells: {shares}", faults)


def check_introduction(nb):
    """Return whether a section introduces Monte Carlo Tree Search in enough words."""
    for heading, parts in sections(nb):
        if THINKS.search(heading):
            words = sum(count_words(element) for _, element in parts)
            text = " ".join(plain(element) for _, element in parts)
            faults = []
            if words < INTRODUCTION_WORDS:
                faults.append(f'"{heading}" has {words} words, not {INTRODUCTION_WORDS}')
            if "monte carlo tree search" not in text.lower():
                faults.append(f'"{heading}" does not name Monte Carlo Tree Search')
            return Check("introduction", f'"{heading}", {words} words', faults)
    fault = 'no ## heading is "How MCTS thinks", "Introduction" or the like'
    return Check("introduction", "", [fault])


class Essay:
    """The text cells from a ### heading to the next one, or to the end of the section."""

    def __init__(self, cell, heading):
        self.cell, self.question, self.role = cell, heading, role_of(cell)
        self.words, self.others = 0, []

    def add(self, cell, element):
        """Count an element of a text cell, and note a cell by another role."""
        self.words += count_words(element)
        if role_of(cell) != self.role and where(cell) not in self.others:
            self.others.append(where(cell))

    def faults(self):
        """Yield a sentence for everything that is wrong with this essay."""
        least, most = ESSAY_WORDS
        if not self.question.endswith("?"):
            yield f'{where(self.cell)}: the heading "{self.question}" is no question'
        if not least <= self.words <= most:
            asked = f"{least} to {most:,} are asked for"
            by = f"the essay by {self.role or 'nobody'}"
            yield f"{where(self.cell)}: {by} has {self.words:,} words; {asked}"
        for other in self.others:
            yield f"{other} is not by {self.role}, whose essay it stands in"


def check_essays(nb):
    """Return whether every role has an essay of the length asked, under a question."""
    parts = next((found for name, found in sections(nb) if name.endswith("Essays")), None)
    if parts is None:
        return Check("essays", "", ["no ## heading ends in Essays"])
    essays = []
    for cell, element in parts:
        if element.name == "h3":
            essays.append(Essay(cell, plain(element)))
        elif essays:
            essays[-1].add(cell, element)
    faults = [fault for essay in essays for fault in essay.faults()]
    written = [essay.role for essay in essays]
    faults += [f"no essay is by {role}" for role, _ in named_roles(nb) if role not in written]
    lengths = ", ".join(f"{essay.role} {essay.words}" for essay in essays)
    return Check("essays", f"{len(essays)}, in words: {lengths}", faults)


def pictures(nb):
    """Return [(cell, source, alternative text)] of every picture in a text cell."""
    return [
        (cell, source, alt)
        for cell in nb.cells
        if cell.cell_type == "markdown"
        for source, alt in pictures_in(cell)
    ]


def pictures_in(cell):
    """Return [(source, alternative text)] of the pictures in a text cell."""
    return [
        (unquote(image.get("src", "")), image.get("alt", "").strip())
        for image in rendered(cell).select("img")
    ]


def is_there(path):
    """Say whether a file is there; a name that is too long for one names none."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_pictures(nb, folder):
    """Return whether text cells show pictures that exist, each described in words."""
    faults, shown = [], []
    for cell, source, alt in pictures(nb):
        which = f"{where(cell)}: the picture {source[:60]}"
        if source.startswith("attachment:"):
            missing = source.removeprefix("attachment:") not in cell.get("attachments", {})
        elif source.startswith("data:"):
            missing = False
        elif not is_beside(source):
            faults.append(
                f"{which} is not in the folder of the notebook: copy it to images/ and write "
                f"![what is seen](images/file.png)"
            )
            continue
        else:
            missing = not is_there(folder / source)
        if missing:
            faults.append(f"{which} does not exist")
        elif not alt:
            faults.append(f"{which} has no alternative text: ![what is seen](file)")
        shown.append(Path(source).name if ":" not in source else "one in a cell")
    if not shown and not faults:
        faults.append("no text cell shows a picture of images/")
    return Check("screenshots", ", ".join(shown), faults)


def is_beside(source):
    """Say whether a picture's address leads to the notebook's own folder, or below it."""
    return not (set(source) & {":", "\\"} or source[:1] == "/" or ".." in Path(source).parts)


def check_files(nb, path):
    """Return whether what the notebook needs stands beside it, and goes into a zip."""
    folder, faults = path.parent, []
    if not (folder / REQUIREMENTS).is_file():
        faults.append(f"{REQUIREMENTS} is not in the folder of the notebook")
    parts = files_beside(nb, folder)
    inside = [file.relative_to(folder).as_posix() for file in parts]
    own = [path.name, "README.txt", *own_pages(path.stem)]
    faults += name_faults(f"{path.stem}/{name}" for name in {*inside, *own})
    faults += [
        f"{escaped(name)} leads out of the folder of the notebook"
        for name, file in zip(inside, parts, strict=True)
        if leads_out(file, folder)
    ]
    return Check("files", f"{len(parts)} that the notebook needs stand beside it", faults)


def check_run(nb, bad_outputs, built, edited):
    """Return whether every code cell ran, once, from the top, without an error.

    bad_outputs  sentences on outputs that must not be handed in
    built        the outputs are those of the last run by build.py
    edited       the outputs are, but the code is not
    """
    cells = [cell for cell in nb.cells if cell.cell_type == "code" and cell.source.strip()]
    faults = [f"{fault}: change that cell, then {AGAIN}" for fault in bad_outputs[:1]]
    faults += bad_outputs[1:]
    for place, cell in enumerate(cells, 1):
        if cell.execution_count != place:
            count = cell.execution_count
            came = "has not run" if count is None else f"ran as number {count}"
            faults.append(f"{where(cell)} {came}, it is code cell {place}: {AGAIN}")
            break  # those below it are wrong as well
    if edited and not faults:
        faults.append(f"code was edited after the run that the outputs are from: {AGAIN}")
    made = "by build.py" if built else "as Jupyter numbered and saved them"
    return Check("run", f"{len(cells)} code cells in order, {made}", faults)


def check_page(html, digest, name):
    """Return whether a page was made from exactly this notebook, and is not too large."""
    faults = []
    size = len(html.encode())
    if digest not in html:
        faults.append(f"the page was made from another {name}")
    if size >= PAGE_BYTES:
        limit = f"{PAGE_BYTES / 1e6:.0f} MB are allowed"
        faults.append(f"the page has {size / 1e6:.1f} MB; less than {limit}")
    found = f"made from this notebook, {size / 1e6:.1f} MB, asks the network for nothing"
    return Check("page", found, faults)


def notes(nb):
    """Return what is worth knowing and keeps nobody from handing in, as [(what, text)]."""
    found = []
    if open_roles := [role for role, name in named_roles(nb) if not name]:
        nameless = f"none for {', '.join(open_roles)} (--names puts them in)"
        found.append(("names", nameless))
    return found


def kept_games(text):
    """Return [(date, result, persons play, moves)] of a game file, the oldest first."""
    games = []
    for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")):
        head = dict(re.findall(r"^([a-z ]+): (.*)$", block, re.M))
        moves = re.findall(r"^\d+\. (\S+)", block, re.M)
        if moves and {"date", "result", "black", "white"} <= head.keys():
            person = "person" in (head["black"], head["white"])
            games.append((head["date"], head["result"], person, moves))
    return games


def games_beside(folder):
    """Return the games of export/game.txt as kept_games does, none where there is no file."""
    file = folder / "export" / "game.txt"
    return kept_games(file.read_text("utf-8", errors="replace")) if file.is_file() else []


def is_own(game):
    """Say whether a person has played a kept game to its end."""
    return game[2] and game[1] != "unfinished"


def check_own_game(folder, other_game):
    """Return [] if there is a game that a run can show, else a check that finds none."""
    if other_game or any(map(is_own, games_beside(folder))):
        return []
    fault = (
        "export/game.txt has no game that you finished: play one in the notebook to its end, "
        "or hand in a recorded game by --other-game"
    )
    return [Check("game", "", [fault])]


def check_game(nb, folder, other_game):
    """Return whether the notebook shows the last game that its author has finished.

    other_game   it may be any game
    """
    streams = [o.get("text", "") for c in nb.cells for o in c.get("outputs", [])]
    found = next(filter(None, map(GAME_SHOWN.search, streams)), None)
    shown = re.sub(r"^ *\d+\.", "", found[3], flags=re.M).split() if found else None
    words = f"{found[1]}, {found[2]}, {len(shown)} moves" if found else "no report of a game"
    games = games_beside(folder)
    at = max((i for i, game in enumerate(games) if game[3] == shown), default=-1)
    words = f"the game of {games[at][0]}, {words}" if at >= 0 else words
    newer = [game for game in games[at + 1 :] if is_own(game)]
    mine = games[at][2] if at >= 0 else found is not None and found[1] == "person"
    shows = f"the notebook shows {words}"
    if other_game:
        return Check("game", f"{shows}, as --other-game allows", [])
    if newer:
        date, result, _, moves = newer[-1]
        fault = (
            f"{shows}, but your last finished game in export/game.txt is the one of {date}, "
            f"{result}, {len(moves)} moves: run the cells after Play once more, and save; "
            "or leave out --as-is; --other-game hands in the "
            "one that is shown"
        )
    elif not mine:
        fault = (
            f"{shows}, which is no game of yours: play one in the notebook to its end, let "
            "the cells below it run, and save; --other-game hands in the one that is shown"
        )
    elif found[2] == "unfinished":
        fault = (
            f"{shows}: play it to its end, run the cells after Play once more, "
            "and save; --other-game hands it in as it is"
        )
    else:
        return Check("game", shows, [])
    return Check("game", "", [fault])


def report(checks, remarks, encoding):
    """Return the checklist as text that a terminal with this encoding can show."""
    good, bad, note = "✓✗·"
    try:
        (good + bad).encode(encoding)
    except UnicodeEncodeError:
        good, bad, note = "yes", "NO ", " - "
    width = max(len(what) for what, *_ in [*checks, *remarks])
    lines = []
    for check in checks:
        more = len(check.faults) - SHOWN_FAULTS
        texts = check.faults[:SHOWN_FAULTS] or [check.found]
        texts += [f"and {more} more"] if more > 0 else []
        texts = map(visible, texts)
        lines += entry(bad if check.faults else good, check.what.ljust(width), texts)
    for what, text in remarks:
        lines += entry(note, what.ljust(width), [visible(text)])
    return "\n".join(lines).encode(encoding, "replace").decode(encoding)


def entry(mark, what, texts):
    """Return the lines of one entry: mark, what it is about, and each text below the last."""
    begin = f"{mark} {what}  "
    indent = " " * len(begin)
    lines = [line for text in texts for line in textwrap.wrap(text, 95 - len(begin))]
    return [(begin if number == 0 else indent) + line for number, line in enumerate(lines)]


# ---- the zip ---------------------------------------------------------------------------


def parts_beside(nb, folder):
    """Return the files of a folder that go in beside the notebook, in a fixed order."""
    return [file for file in files_beside(nb, folder) if not leads_out(file, folder)]


def files_beside(nb, folder):
    """Return the files that belong to a notebook, also those that links lead to elsewhere."""
    found = {file for pattern in PARTS for file in folder.glob(pattern)}
    found |= {folder / src for _, src, _ in pictures(nb) if is_beside(src)}
    found = {file for file in found if is_there(file) and file.name not in OTHER_GAMES}
    return sorted(file for file in found if not is_hidden(file, folder))


def leads_out(file, folder):
    """Say whether a file of a folder lies, by links on the way to it, outside of it."""
    return not file.resolve().is_relative_to(folder.resolve())


def is_hidden(file, folder):
    """Say whether a file below a folder, or a folder on the way to it, begins with a dot."""
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def with_drawings(text, folder):
    """Return a notebook's text in which the pictures of its texts are attachments.

    So it shows them wherever it lies, alone too; what is not linked in Markdown stays a link.
    """
    raw, nb = json.loads(text), nbformat.reads(text, as_version=4)
    for number, cell in enumerate(nb.cells):
        if cell.cell_type != "markdown":
            continue
        beside = {source for source, _ in pictures_in(cell) if is_beside(source)}
        attached = dict(cell.get("attachments", {}))

        def attach(match, beside=beside, attached=attached):
            source = unquote(match[2].strip("<>"))
            kind = mimetypes.guess_type(source)[0] or ""
            file = folder / source
            is_picture = source in beside and kind.startswith("image/")
            if not is_picture or leads_out(file, folder):
                return match[0]
            data = base64.b64encode(file.read_bytes()).decode()
            name = re.sub(r"[^\w.-]", "_", Path(source).name, flags=re.ASCII)
            while attached.setdefault(name, {kind: data}) != {kind: data}:
                name = f"_{name}"
            return f"{match[1]}attachment:{name}"

        source = LINKED.sub(attach, cell.source)
        if source != cell.source:
            put_source(raw["cells"][number], source)
            changed = raw["cells"][number] | {"attachments": attached}
            raw["cells"][number] = dict(sorted(changed.items()))  # as Jupyter writes them
    return as_text(raw)


def copied(path, text, folder):
    """Copy a notebook's folder, as far as it goes in, to another; return the new notebook.

    text is what the new notebook holds, but for its drawings, which become a part of it.
    """
    text = with_drawings(text, path.parent)
    folder.joinpath(path.name).write_bytes(text.encode())
    for file in parts_beside(nbformat.reads(text, as_version=4), path.parent):
        target = folder / file.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
    return folder / path.name


def own_pages(stem):
    """Return where the pages of a notebook lie: the whole one and the reading edition."""
    return [f"export/{stem}.html", f"export/{stem}_reading.html"]


def spare_pages(stem):
    """Return the pages that a zip can do without, the first to go first."""
    return [own_pages(stem)[1], "export/play.html"]


def files_of(path):
    """Return {name: bytes} of what a zip of a folder made by copied() holds."""
    own = [path.name, *own_pages(path.stem)]
    files = {path.parent / name for name in own}
    files |= set(parts_beside(nbformat.read(path, as_version=4), path.parent))
    return {
        file.relative_to(path.parent).as_posix(): file.read_bytes()
        for file in sorted(files)
        if file.is_file()
    }


def readme(stem, names):
    """Return the README of a zip that holds these files: how to read it and run it."""
    lines = []
    for begin, what in HERE:
        begin = begin.format(stem=stem)
        if any(name == begin or begin[-1] == "/" and name.startswith(begin) for name in names):
            lines.append((begin, what))
    width = max(len(begin) for begin, _ in lines)
    return README.format(stem=stem) + "\n         ".join(
        f"{begin.ljust(width)}  {what}" for begin, what in lines
    )


def zipped(files, stem, day):
    """Return a zip of {name: bytes} and of a README, in a folder, that depends on these alone.

    stem  of the notebook; the folder is named so
    day   (year, month, day) of the files. Their time of day comes from what they hold, so that
          a file that differs has another date: by that Python knows compiled files as old.
    """
    files = files | {"README.txt": f"{readme(stem, files)}\n".encode()}
    packet = io.BytesIO()
    with zipfile.ZipFile(packet, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted(files.items()):
            moment = zlib.crc32(data) % 43_200 * 2  # a zip counts seconds in twos
            time = moment // 3600, moment // 60 % 60, moment % 60
            info = zipfile.ZipInfo(f"{stem}/{name}", (*day, *time))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system, info.external_attr = 3, 0o644 << 16  # Unix, rw-r--r--
            packed.writestr(info, data)
    return packet.getvalue()


# ---- what a small zip does without -----------------------------------------------------


class OutputPicture(NamedTuple):
    """A PNG that a cell shows: its place in the notebook, its bytes, what a reader sees."""

    cell: int
    output: int
    size: int
    words: str


def output_pictures(nb):
    """Return an OutputPicture of every PNG in the outputs of a notebook, in its order."""
    found = []
    for number, cell in enumerate(nb.cells):
        for place, output in enumerate(cell.get("outputs", [])):
            if "image/png" in output.get("data", {}):
                about = output.metadata.get("image/png", {}) | output.metadata
                words = about.get("caption") or about.get("alt") or where(cell)
                words = textwrap.shorten(visible(words), 70, placeholder=" ...")
                size = len(output.data["image/png"]) * 3 // 4
                found.append(OutputPicture(number, place, size, words))
    return found


def largest_needed(pictures, size):
    """Return few pictures that have so many bytes together: the largest, and one that fits."""
    chosen, left, need = [], list(pictures), size * 1.05
    while need > 0 and left:
        left.sort(key=attrgetter("size"))
        next_one = next((each for each in left if each.size >= need), left[-1])
        left.remove(next_one)
        chosen.append(next_one)
        need -= next_one.size
    return chosen


def leave_picture_out(nb, picture, page):
    """Put words in the place of a picture of a notebook."""
    output = nb.cells[picture.cell].outputs[picture.output]
    del output.data["image/png"]
    output.metadata.pop("image/png", None)
    output.data["text/plain"] = f"This picture is in {page}; run the cell to make it again."


def in_lines(stem, pages, pictures):
    """Return lines that say what a zip is without, and where that is seen instead."""
    reading, board = spare_pages(stem)
    lines = [f"  {reading}, the reading edition"] * (reading in pages)
    lines += [f"  {board}; {stem}.html has the same board"] * (board in pages)
    lines += [f'  the picture "{each.words}", {each.size / 1e3:.0f} kB' for each in pictures]
    if pictures:
        lines.append(f"{stem}.html shows these pictures, and a run makes them again.")
    return lines


def in_words(stem, pages, pictures):
    """Return in a few words what a zip is without."""
    reading, board = spare_pages(stem)
    parts = ["the reading edition"] * (reading in pages) + [board] * (board in pages)
    parts += [f"the {len(pictures)} pictures of the notebook"] * bool(pictures)
    return " and ".join([", ".join(parts[:-1]), *parts[-1:]] if parts[1:] else parts)

"""What stands in the text: essays of the right length, all wishes answered, no dead link."""

import functools
import html
import re

import build
import page
import pytest
from nbconvert.filters import markdown2html

MAIN = build.find_notebooks(["five_in_a_row"])[0]
NOTEBOOKS = build.find_notebooks([])

WISHES = (
    "matrices",
    "larger boards",
    "thinking a few steps ahead",
    "parallel search",
    "stopping at sure wins",
    "distance to the stones",
    "smallest square",
    "restricting the opening",
    "node x",
    "showing what the program thinks",
)


@functools.cache
def texts(path):
    """Return {id: Markdown} of the notebook's text cells, in order."""
    cells = build.read_notebook(path).cells
    return {cell.id: cell.source for cell in cells if cell.cell_type == "markdown"}


def test_every_wish_of_the_course_notebook_is_answered():
    """Each has a row in strength, with a link to where it was tried."""
    (strength,) = build.find_notebooks(["strength"])
    table = texts(strength)["wishes-title"].lower()
    rows = re.findall(r"^\| (.+?) \| .*\]\(.+\|$", table, re.MULTILINE)
    assert [wish for wish in WISHES if not any(wish in row for row in rows)] == []


def test_the_reading_edition_asks_for_nothing_that_paper_cannot_do():
    """It has no cell to run, no window, no replay; what tells of them is tagged `live`."""
    whole = build.read_notebook(MAIN)
    short = page.reading_edition(whole)
    live = {cell.id for cell in whole.cells if "live" in build.tags(cell)}
    asks = re.compile(
        r"\b(run|edit|click|drag|press|open|close|scroll) (the|an?|on|all|one|it|again)\b"
        r"|\bplay (another|again)\b|\b(next|this) cell|cells? (below|above|again)|\bslider\b"
        r"|\b(space bar|keys)\b|each links\b",
        re.IGNORECASE,
    )
    left = [cell.source for cell in short.cells if cell.cell_type == "markdown"]
    words = [" ".join(source.split()) for source in left]
    assert len(words) > 20 and [text for text in words if asks.search(text)] == []
    shown = {cell.id for cell in short.cells}
    assert not shown & live and {"promise", "visits-title", "report-demo"} <= shown


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_picture_is_described_in_more_than_a_title(path):
    """Every picture has a description of its own, longer than a title."""
    for cell in build.read_notebook(path).cells:
        for output in cell.get("outputs", []):
            about = output.get("metadata", {}).get("image/png", {})
            if "alt" in about:
                assert len(about["alt"].split()) >= 6, build.label(cell)
        if cell.cell_type == "markdown":
            for alt in re.findall(r"!\[([^]]*)\]", cell.source):
                assert len(alt.split()) >= 6, build.label(cell)


def contents(path):
    """Return [(text, goal)] of the links in the left column of a notebook's contents."""
    table = next(
        text for text in texts(path).values() if re.search(r"\n\| (★ )?\[.*\]\(#", text)
    )
    left = "\n".join(re.findall(r"^\|([^|]*)\|", table, re.MULTILINE))
    return re.findall(r"\[([^]]*)\]\(#([^)\s]+)\)", left)


def headings(path, marks="#+"):
    """Return the headings of a notebook that begin with these marks, as they are read."""
    found = re.findall(rf"^{marks} (.*)$", "\n".join(texts(path).values()), re.MULTILINE)
    return [heading.replace("`", "").strip() for heading in found]


@functools.cache
def anchors(path, marks="#+"):
    """Return the ids that JupyterLab gives these headings: a dash for each space."""
    return [heading.replace(" ", "-") for heading in headings(path, marks)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_contents_lead_to_every_section_in_order(path):
    sections = [id for id in anchors(path, "##") if id not in ("Authors", "Contents")]
    assert [goal for _, goal in contents(path)] == sections
    numbered = [each for each in headings(path, "##") if each[0].isdigit()]
    assert [text for text, _ in contents(path) if text[0].isdigit()] == numbered
    numbers = [int(each.partition(". ")[0]) for each in numbered]
    assert numbers in ([], list(range(1, len(sections) + 1)))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_section_that_is_mentioned_is_a_link(path):
    """A section with a point in its number, such as 3.1, is one of a paper."""
    bare = {}
    for name, source in texts(path).items():
        source = re.sub(r"```.*?```|`[^`]*`|\[[^]]*\]\([^)]*\)", "", source, flags=re.S)
        bare[name] = re.findall(r"\b[Ss]ections?\s+\d+\b(?!\.\d)", source)
    assert {name: found for name, found in bare.items() if found} == {}


def test_every_term_is_a_link_to_where_it_is_explained():
    terms = re.search(r"^### Terms\n(.*?)^### ", texts(MAIN)["sources"], re.M | re.S)[1]
    rows = re.findall(r"^- (.*)", terms, re.M)
    assert len(rows) >= 15 and all(re.match(r"\[[^]]+\]\(\S*#\S+\)", row) for row in rows)


def test_an_anchor_needs_no_escape_and_means_one_heading():
    """JupyterLab seeks a link's address as the browser writes it, in all open notebooks."""
    found = [each for path in NOTEBOOKS for each in anchors(path)]
    assert re.fullmatch(r"[\w.,:?!'()\n-]+", "\n".join(found), re.ASCII)
    assert [each for each in found if found.count(each) > 1] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_heading_has_the_same_id_in_jupyterlab_and_by_nbconvert(path):
    """GitHub shows notebooks by nbconvert."""
    made = "".join(map(markdown2html, texts(path).values()))
    ids = map(html.unescape, re.findall(r'<h[1-6] id="([^"]*)"', made))
    assert [*ids] == anchors(path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_link_leads_to_a_file_and_a_heading_that_exist(path):
    lost = []
    for name, source in texts(path).items():
        for goal in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", source)):
            file, _, fragment = goal.partition("#")
            target = path.parent / file if file else path
            if "://" in goal or goal.startswith("data:"):
                continue
            if not target.is_file() or (fragment and fragment not in anchors(target)):
                lost.append((name, goal))
    assert lost == []

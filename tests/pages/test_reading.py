"""What stands in the text: essays of the right length, all wishes answered, no result."""

import functools
import html
import re

import build
import handin
import page
import pytest
from nbconvert.filters import markdown2html

ROLES = ("Rules", "Search", "Heuristics", "Interface", "Experiments")
MAIN = build.find_notebooks(["five_in_a_row"])[0]
NOTEBOOKS = build.find_notebooks([])

# Numbers that look like results and are none: rules, settings, names of places.
NO_RESULTS = {
    "candidates-title": {"65,536"},  # line codes there are
    "line-cells-text": {"65,536"},
    "wishes-title": {"5002"},
    "build-expand-text": {"400"},
    "candidates-text": {"2,000"},
    "layout-text": {"400", "3840", "2160"},  # pixels
    "match-text": {"95 %"},
    "verdict-text": {"0.05"},  # the level of a test
    "results-text": {"0.03"},
    "results-levels-text": {"0.1"},
    "results-draw-text": {"95 %"},
    "essay-search": {"3.1"},  # a section
    "essay-experiments-reads": {"95 %", "100"},
    "near-points-text": {"2,000"},  # of the course's table of scores
    "prior-reading": {"0.2"},  # a setting to try
    "sources": {"5002", "529", "550", "815", "3.3.4"},  # titles and volumes
    "limits-sources": {"5002"},
    "set-priors-text": {"255"},  # the largest byte
    "judge-weights-text": {"0.693"},  # the logarithm of two
    "engine-sources": {"5002", "529"},
    "gained-nothing-text": {"0.6"},  # of a rule
    "strength-limits": {"95 %"},
    "strength-sources": {"5002", "815", "891", "908"},
    "c4-sharing-text": {"500", "2,000"},
    "c4-reported-text": {"100"},
    "policies-beta-text": {"8.17.22"},  # a formula
    "policies-regret-show-text": {"0.1", "0.5", "0.6", "0.55", "0.45"},
    "policies-regret-tail-text": {"90 %", "99 %"},  # quantiles
    "c4-essay-near-text": {"16,000", "63,000", "12,600"},  # budgets
    "policies-matrix-text": {"1,000"},
    "slice-title": {"100"},
    "strength-words-text": {"95 %"},
    "ttt-754-text": {"754"},  # what is to be explained
    "ttt-until-text": {"95 %"},
    "ludo-matrix-text": {"500"},
    "ludo-test-text": {"0.05"},
    "ludo-printed-test-text": {"500"},
    "ludo-luck-title": {"95 %"},
}
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


def prose(source):
    """Return the words of a text cell: no code, formula, heading, table, picture or label."""
    source = re.sub(r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", "", source, flags=re.DOTALL)
    source = re.sub(r"!\[[^]]*\]\([^)]*\)|\]\([^)]*\)", "", source)
    return re.sub(r"^(#+ .*|\|.*|\*by \w+\*)$", "", source, flags=re.MULTILINE)


@functools.cache
def essays():
    """Return {role: its essay as text in one line}, headings left out, of the notebook."""
    found, role = {}, None
    rooms = dict(handin.rooms(build.read_notebook(MAIN)))
    for cell, element in next(rooms[name] for name in rooms if name.endswith("Essays")):
        role = handin.role_of(cell) if element.name == "h3" else role
        if role:
            found[role] = (
                found.get(role, "") + " " + handin.plain(element) * (element.name != "h3")
            )
    return found


def test_every_role_writes_an_essay_that_answers_a_question_in_600_to_1000_words():
    assert handin.check_essays(build.read_notebook(MAIN)).faults == []


@pytest.mark.parametrize("role", ROLES)
def test_an_essay_cites_papers_and_says_what_failed_and_its_limits(role):
    text = essays()[role]
    assert "Limits." in text and "Read more:" in text
    assert role == "Rules" or "What failed." in text
    assert re.search(r"\(([^()]*, )?\d{4}(, [^()]*)?\)", text)


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
    told = {cell.id: cell.source for cell in whole.cells if "live" in build.tags(cell)}
    assert "run the next cell" in told["promise-play"] and "Drag" in told["replay-demo-text"]
    asks = re.compile(
        r"\b(run|edit|click|drag|press|open|close|scroll) (the|an?|on|all|one|it|again)\b"
        r"|\bplay (another|again)\b|\b(next|this) cell|cells? (below|above|again)|\bslider\b"
        r"|\b(space bar|keys)\b|each links\b",
        re.IGNORECASE,
    )
    assert all(asks.search(" ".join(source.split())) for source in told.values())
    left = [cell.source for cell in short.cells if cell.cell_type == "markdown"]
    words = [" ".join(source.split()) for source in left]
    assert len(words) > 20 and [text for text in words if asks.search(text)] == []
    shown = {cell.id for cell in short.cells}
    assert not shown & told.keys() and {"promise", "visits-title", "report-demo"} <= shown


def looks_like_a_result(text):
    """Return the numbers of a text that a run might have given: decimals, per cent, large."""
    number = re.compile(r"(?<![\w.×^])[+−±-]?\d+(?:,\d{3})*(?:\.\d+)*(?:\s?%)?(?![\w×])")
    found = (match.group() for match in number.finditer(text))
    small, year = re.compile(r"[+−±-]?\d{1,2}"), re.compile(r"(18|19|20)\d\d")
    return [each for each in found if not (small.fullmatch(each) or year.fullmatch(each))]


def test_numbers_that_look_like_results_are_found():
    text = (
        "It won 62 % of 4,000 games in 0.3 s, 190 a second, on 15×15 in 2020, with 5 rivals."
    )
    assert looks_like_a_result(text) == ["62 %", "4,000", "0.3", "190"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_result_is_typed_into_the_text(path):
    typed = []
    for name, source in texts(path).items():
        known = NO_RESULTS.get(name, set())
        typed += [(name, n) for n in looks_like_a_result(prose(source)) if n not in known]
    assert typed == []


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


def test_the_marked_path_is_read_in_twenty_minutes():
    """Its sections have 4,200 words at most, of which 240 are read in a minute; essays too."""
    starred, words, section = re.findall(r"\| ★ \[(\d+)\.", texts(MAIN)["contents"]), 0, ""
    for source in texts(MAIN).values():
        section = (re.findall(r"^## (\d*)", source, re.MULTILINE) or [section])[-1]
        words += len(prose(source).split()) * (section in starred and section != "15")
    assert "15" in starred and 3_000 <= words <= 4_200


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

"""The pages as they are read: offline, without scripts, on a phone, on paper, by ear.

Tests in a browser drive a headless Chromium over the exported files, which test_export.py
proves to be those of the notebooks.
"""

import base64
import contextlib
import functools
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import build
import page
import pdf
import pytest
from bs4 import BeautifulSoup
from helpers import PATIENCE, only_full, wait_for
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from PIL import Image, ImageChops
from test_export import FIGURE, code, project

MEGABYTES = 6
PHONE, DESK = {"width": 360, "height": 780}, {"width": 1400, "height": 900}
BLOCKED = re.compile(  # the validator knows no data: and no hash; browsers are tested
    r"Resource violates Content Security Policy .* image “data:.*” blocked by “img-src”"
    r"|Inline script violates Content Security Policy .* “script-src” .* nonce/hash"
)
VALIDATOR = Path(__file__).parents[1] / "validator/node_modules/vnu-jar/build/dist/vnu.jar"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
REPLAY = """<figure class="five-replay"><svg viewBox="0 0 8 8" role="img" aria-label="a board">
<linearGradient id="wood"></linearGradient><circle cx="1" cy="1" r="1"></circle></svg>
<input type="range" aria-label="move"><script type="application/json">["<b>", "a&b"]</script>
<script>if (1 < 2 && 3 > 2) { document.title += "!"; }</script></figure>"""
NOTEBOOKS = build.find_notebooks([])
TRIED = {"five_in_a_row", "engine"}  # by default: what is handed in, and a study
PRINTED = "threats"  # by default
PAGES = [build.export_folder(path) / f"{path.stem}.html" for path in NOTEBOOKS]
READING = PAGES[0].with_stem(f"{PAGES[0].stem}_reading")
PLAY = PAGES[0].with_stem("play")
each_page = pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)


# ---- small pages -----------------------------------------------------------------------


def text_cell(source):
    """Return a text cell of an author."""
    return new_markdown_cell(f"*by Search*\n\n{source}")


def output_cell(data, metadata=None, after=()):
    """Return a code cell that shows something, and what comes after it."""
    shown = new_output("display_data", data=data, metadata=metadata or {})
    return new_code_cell("# by Search · a show", outputs=[shown, *after])


def printed(text):
    """Return the output of a print."""
    return new_output("stream", text=text)


def page_of(folder, *cells, last_run=None):
    """Return the page of a small notebook with these cells."""
    path = project(folder, *cells)
    nb = build.read_notebook(path)
    text = page.page_text(path, nb, "0", last_run)
    return BeautifulSoup(text, "html.parser")


@functools.cache
def exported(file):
    """Return an exported page."""
    return BeautifulSoup(file.read_text("utf-8"), "html.parser")


# ---- what every page has ---------------------------------------------------------------


@each_page
def test_page_has_language_title_authors_and_end(file):
    soup = exported(file)
    assert soup.html["lang"] == "en" and soup.title.get_text() == soup.h1.get_text()
    assert any("role name wrote" in words(table) for table in soup.select("table"))
    assert "Run on " in words(soup.footer) and f"{file.stem}.ipynb" in words(soup.footer)
    assert file.stat().st_size < MEGABYTES * 1e6


def words(element):
    """Return an element's text with single spaces."""
    return " ".join(element.get_text(" ").split())


@each_page
def test_contents_name_every_heading_once_and_in_order(file):
    soup = exported(file)
    headings = soup.select("main h2, main h3")
    links = soup.select("nav[aria-label=Contents] a")
    named = [words(link).removesuffix(" ★") for link in links]
    assert named == [words(heading) for heading in headings]
    goals = [unquote(link["href"]) for link in links]
    assert goals == [f"#{heading['id']}" for heading in headings]
    main_links = {link["href"] for link in soup.select("main table a[href^='#']")}
    assert not main_links >= {
        link["href"] for link in soup.select("nav > details > ol > li > a")
    }


@each_page
def test_headings_and_images_are_in_order(file):
    soup = exported(file)
    levels = [int(heading.name[1]) for heading in soup.find_all(page.HEADINGS)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False))
    assert [image for image in soup.select("img") if not image.get("alt", "").strip()] == []
    assert soup.select("th:not([scope])") == []


# ---- how a page is made ----------------------------------------------------------------


def test_a_link_to_another_notebook_leads_to_its_page(tmp_path):
    """Where there is no such notebook, as in what is handed in, there is no link."""
    (tmp_path / "search.ipynb").touch()
    links = "[a](search.ipynb#The-loop) [b](studies/none.ipynb) [c](https://a.org/b.ipynb)"
    soup = page_of(tmp_path, text_cell("# T"), text_cell(links))
    goals = [link["href"] for link in soup.select("main a")]
    assert goals == ["search.html#The-loop", "https://a.org/b.ipynb"]
    assert "a b c" in words(soup.main)


def test_contents_written_by_hand_give_their_questions_to_the_made_ones(tmp_path):
    table = "|room|asks|\n|-|-|\n|[1. A](#1.-A)|What *is* it?|\n|[B](#B)|Why?|"
    rooms = text_cell("## 1. A\n\n[up](#Contents)"), text_cell("## B")
    soup = page_of(tmp_path, text_cell("# T"), text_cell(f"## Contents\n\n{table}"), *rooms)
    assert [words(each) for each in soup.select("nav .question")] == ["What is it?", "Why?"]
    assert soup.select("table") == [] and soup.nav["id"] == "Contents"
    assert [words(heading) for heading in soup.select("h2")] == ["1. A", "B"]


def test_a_caption_stands_below_its_figure_and_is_not_printed_again(tmp_path):
    pixel = (
        re.search(r'"(iVBOR\w+)"', FIGURE).group(1) + re.search(r"DUlEQ[^\"]+", FIGURE).group()
    )
    about = {"image/png": {"alt": "a point", "caption": "A finding of 3 < 4. Seed 1."}}
    after = [printed("A finding of\n3 < 4. Seed 1.\n  and more\n")]
    alone = output_cell({"image/png": pixel}, {"image/png": {"alt": "a point"}}, after)
    soup = page_of(tmp_path, output_cell({"image/png": pixel}, about, after), alone)
    captioned, other = soup.select("figure")
    assert captioned.figcaption.get_text() == "A finding of 3 < 4. Seed 1."
    assert (captioned.img["width"], captioned.img["height"]) == ("1", "1")
    assert other.figcaption is None
    assert [each.get_text() for each in soup.select("pre.output")] == [
        "  and more",  # a table keeps its indent
        after[0].text.rstrip(),
    ]


def test_data_frames_lose_their_style_and_gain_scopes(tmp_path):
    import pandas

    index = pandas.Index(["x", "y"], name="what")
    table = pandas.DataFrame({"n": [1, None], "why": ["2 a", "b"]}, index=index)
    table["score"] = ["0.50 to 0.61", "−1"]
    soup = page_of(tmp_path, output_cell({"text/html": table.to_html()}))
    (head,) = soup.select("thead tr")
    assert [cell.get_text() for cell in head.find_all("th")] == ["what", "n", "why", "score"]
    assert [cell["scope"] for cell in soup.select("tbody th")] == ["row", "row"]
    assert [cell.get_text() for cell in soup.select("tbody .number")] == [
        "1.0", "0.50 to 0.61", "NaN", "−1"
    ]  # fmt: skip
    assert "border" not in soup.table.attrs and soup.select("main style") == []


def test_a_long_description_is_cut_and_its_numbers_stand_below_the_figure(tmp_path):
    numbers = [f"row {i}: 0.{i}" for i in range(40)]
    svg = {"image/svg+xml": "<svg/>"}
    long = {"image/svg+xml": {"alt": f"Some bars. {'; '.join(numbers)}"}}
    soup = page_of(tmp_path, output_cell(svg, long), output_cell(svg, {"alt": "Few bars."}))
    image, short = soup.select("img")
    assert image["alt"] == "Some bars. The numbers stand below it."
    fold = soup.find(id=image["aria-details"])
    assert [each.get_text() for each in fold.select("li")] == numbers
    assert short["alt"] == "Few bars." and len(soup.select(".numbers")) == 1


@each_page
def test_no_description_is_longer_than_is_heard_as_a_whole(file):
    assert [each for each in exported(file).select("img") if len(each["alt"]) > 250] == []


@pytest.mark.parametrize(
    "html, problem",
    [
        ("<p>x</p><script>1</script>", "load or run <script>"),
        ('<div class="five-replay"><script>fetch("a")</script></div>', "by fetch("),
        ('<p onclick="1">x</p>', "load or run onclick"),
        ('<a href="java&#9;script:1">x</a>', "load or run href"),
        ('<p style="background: URL(http://a.org/a.png)">x</p>', "load or run style"),
        ("<style>@IMPORT 'a.css'</style>", "a style would load a file"),
        ('<svg><image href="https://example.org/a.png"></image></svg>', "load or run href"),
        ('<meta http-equiv="refresh" content="0; http://a.org">', "load or run <meta"),
        ('<p id="main">x</p>', "the id main stands twice"),
    ],
)
def test_what_loads_or_runs_is_refused(tmp_path, html, problem):
    with pytest.raises(page.PageError, match=re.escape(problem)):
        page_of(tmp_path, output_cell({"text/html": html}))


def test_what_stays_within_the_page_is_not_refused(tmp_path):
    html = """<p style="fill: url(#g)">x</p><style>p { fill: URL( '#g' ) }</style>
    <img alt="url(x) javascript:" src="data:,x" srcset="data:,x 1x, data:,y 2x">
    <svg><use href="#main"></use></svg><a href="https://example.org">x</a>"""
    soup = page_of(tmp_path, output_cell({"text/html": html + REPLAY}))
    assert soup.select_one(".five-replay") == BeautifulSoup(REPLAY, "html.parser").figure


@pytest.mark.parametrize(
    "text, problem",
    [
        ("# A\n\n# B", "the heading B is a second title"),
        ("# A\n\n### B", "the heading B skips a level: h1 stands above it"),
    ],
)
def test_headings_out_of_order_are_refused(tmp_path, text, problem):
    with pytest.raises(page.PageError, match=re.escape(problem)):
        page_of(tmp_path, text_cell(text))


# ---- when and with what ----------------------------------------------------------------


def test_page_ends_with_the_day_and_the_versions_of_its_run(tmp_path):
    run = {"date": "2026-01-31", "versions": {"Python": "3.11.7", "numpy": "2.4.6"}}
    footer = page_of(tmp_path, text_cell("x"), last_run=run).footer
    assert "Run on 31 January 2026 with Python 3.11.7, numpy 2.4.6." in words(footer)
    assert footer.time["datetime"] == "2026-01-31"
    assert "were not recorded" in words(page_of(tmp_path, text_cell("x")).footer)


def test_a_run_stores_its_day_and_the_versions_of_its_kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    path = project(tmp_path, code("# by Search · x\nprint(1)", "demo"))
    nb = build.run_notebook(path, build.read_notebook(path), "quick")
    assert len(nb.cells) == 1 and nb.metadata.build.date == "1970-01-01"
    versions = dict(nb.metadata.build.versions)
    assert versions.pop("Python") == ".".join(map(str, sys.version_info[:3]))
    assert {"numba", "numpy", "matplotlib"} <= versions.keys() <= {*build.PACKAGES}
    assert build.last_run(nb) == nb.metadata.build
    nb.cells[0].outputs[0].text = "2\n"  # run again by hand
    assert build.last_run(nb) is None


@pytest.mark.parametrize("epoch", ["yesterday", "9" * 30])
def test_a_wrong_day_is_named(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(build.InputError, match="SOURCE_DATE_EPOCH must be seconds since 1970"):
        build.run_date()


# ---- the same twice --------------------------------------------------------------------


def test_two_runs_give_one_page_except_for_times(tmp_path):
    path = project(
        tmp_path,
        text_cell("# T\n\n$m/n$"),
        code("# by Search · a set\nprint({'a', 'b', 'c'}, hash('a'))", "demo"),
        code(FIGURE + "\nprint('afterwards')", "demo"),
        new_code_cell(
            "# by Search · a time\nimport time\nprint(time.perf_counter_ns())",
            metadata={"tags": ["demo", "timing"]},
        ),
    )
    nbs = [build.run_notebook(path, build.read_notebook(path), "quick") for _ in range(2)]
    first, second = (next(iter(build.page_file(path, nb).values())) for nb in nbs)
    timed = r'<meta[^>]*made-from[^>]*>|<pre class="output">\d+</pre>'
    assert first != second and re.sub(timed, "", first) == re.sub(timed, "", second)


# ---- the validator ---------------------------------------------------------------------


def faults_of(files):
    """Return {name of a page: what the Nu validator says of it}, but for what is BLOCKED."""
    if not (shutil.which("java") and VALIDATOR.is_file()):
        pytest.skip("needs Java and the validator")
    quick = "-Xss8m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"  # half the work
    command = ["java", *quick, "-jar", VALIDATOR, "--format", "json", "--stdout", *files]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
    messages = json.loads(said)["messages"]
    found = {}
    for each in messages:
        if not BLOCKED.match(each["message"]):
            said = f"{each['message']}: {each.get('extract')!s:.80}"
            found.setdefault(Path(unquote(each["url"])).name, []).append(said)
    return found


def test_validator_finds_nothing_in_any_page_and_outputs_of_any_kind(tmp_path):
    """Of all pages in one call, which takes seconds to start; a page with a fault is named."""
    import pandas

    table = pandas.DataFrame({"a": [1], "b": ["x"]}).set_index(["a"])
    cells = [
        text_cell("# T\n\n![p](data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=)"),
        text_cell(r"## A `&` *b*" "\n\n" r"$$\tfrac{1}{2} \Big( \sum_{i=1}^n \text{x}\Big)$$"),
        text_cell(
            "### C\n\n1. $x$, y\n2. z\n\n> quote\n\n```python\nx = 'a' < b\n```\n\n"
            "|a|b|\n|-|-:|\n|1|2|"
        ),
        output_cell({"text/html": REPLAY}, after=[printed("\x1b[31mred\x1b[0m & <b>\n")]),
        output_cell({"text/html": table.to_html()}),
        output_cell({"text/markdown": "**bold** $x$"}),
        output_cell({"text/latex": r"$\frac{1}{2}$"}),
        output_cell({"image/svg+xml": "<svg/>"}, {"image/svg+xml": {"alt": "nothing"}}),
        output_cell({"text/plain": "<x>"}),
        code("# by Search · folded", "define", jupyter={"source_hidden": True}),
    ]
    good, bad = tmp_path / "good page.html", tmp_path / "bad page.html"
    good.write_text(page_of(tmp_path, *cells).decode(formatter=page.PageFormatter()), "utf-8")
    bad.write_text(good.read_text("utf-8").replace("<nav ", "<nav href='x' "), "utf-8")
    found = faults_of([*PAGES, READING, PLAY, good, bad])
    assert list(found) == [bad.name] and len(found[bad.name]) == 1


def test_a_cell_that_hides_what_it_shows_is_folded_with_it(tmp_path):
    cells = [
        new_code_cell(f"# by Search · {n}", outputs=[printed(f"shown {n}")]) for n in "ab"
    ]
    cells[0].metadata["jupyter"] = {"source_hidden": True}
    cells[1].metadata["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
    page_made = page_of(tmp_path, text_cell("# T"), *cells)
    folds = [fold.get_text() for fold in page_made.select("details.folded")]
    assert ["shown" in text for text in folds] == [False, True]
    assert "shown a" in page_made.get_text()


# ---- in a browser ----------------------------------------------------------------------


@pytest.fixture
def visit(browser):
    """Return visit(file, viewport, **settings): a page without network; all it asked for."""
    with contextlib.ExitStack() as stack:

        def open_page(file, viewport=DESK, **settings):
            context = browser.new_context(viewport=viewport, offline=True, **settings)
            stack.enter_context(contextlib.closing(context))
            view = context.new_page()
            view.asked = []
            view.on("request", lambda request: view.asked.append(request.url))
            context.route(
                lambda url: not url.startswith("file:"), lambda route, _: route.abort()
            )
            view.goto(file.as_uri())
            return view

        yield open_page


def in_view(view, selector):
    """Say whether an element begins within the window."""
    box = view.locator(selector).bounding_box()
    return box is not None and -1 <= box["y"] < view.viewport_size["height"]


@each_page
def test_reads_and_leads_on_without_scripts_and_network(file, visit, full):
    only_full(full, file is PAGES[0])
    view = visit(file, java_script_enabled=False, reduced_motion="reduce")
    text, soup = view.inner_text("body"), exported(file)
    assert soup.h1.get_text() in text
    assert all(words(heading) in " ".join(text.split()) for heading in soup.select("h2, h3"))
    links = soup.select("nav a")
    for link in (links[-1], links[0], links[len(links) // 2]):
        view.locator(f'nav a[href="{link["href"]}"]').click()
        assert in_view(view, f'[id="{link["href"][1:]}"]')
    assert [url for url in view.asked if not url.startswith((file.as_uri(), "data:"))] == []
    assert view.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")


@each_page
def test_every_link_between_pages_leads_to_a_section(file, visit, full):
    """By default a browser follows a link of the main page only."""
    goals = [link["href"] for link in exported(file).select("a[href]:not([href*='://'])")]
    goals = [goal.partition("#") for goal in goals if not goal.startswith("#")]
    assert [name for name, _, _ in goals if not (file.parent / name).is_file()] == []
    goals = [(name, section) for name, _, section in goals if section]
    assert [g for g in goals if not exported(file.parent / g[0]).find(id=unquote(g[1]))] == []
    for name, section in goals[-1:] if full or file is PAGES[0] else ():
        view = visit(file, java_script_enabled=False, reduced_motion="reduce")
        view.locator(f'a[href="{name}#{section}"]').last.click()
        view.wait_for_url(f"**/{name}#*")
        assert in_view(view, f'[id="{unquote(section)}"]')


@each_page
def test_fits_a_phone(file, visit, full):
    only_full(full, file is PAGES[0])
    view = visit(file, PHONE, java_script_enabled=False, reduced_motion="reduce")
    assert view.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    view.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert view.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]
    out = """[...document.querySelectorAll('.cell *')].filter(each =>
        each.getBoundingClientRect().right > innerWidth + 1
        && !each.closest('pre, .table, .formula, svg'))
        .map(each => each.outerHTML.slice(0, 90))"""
    assert view.evaluate(out) == []


def test_on_paper_nothing_asks_to_be_pressed(visit):
    """A phone shrinks every figure, so each has a button that enlarges it."""
    view = visit(next(file for file in PAGES if file.stem == "strength"), PHONE)
    button = view.get_by_role("button", name="Enlarge").first
    assert button.is_visible()
    view.emulate_media(media="print")
    assert not button.is_visible()


MARKED = "document.querySelector('nav [aria-current]')"


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_the_contents_mark_where_the_reader_is(visit, width, full):
    """Beside the text or in the bar above it, and to the last of them."""
    only_full(full, width != 900)
    view = visit(PAGES[0], {"width": width, "height": 900}, reduced_motion="reduce")
    links = [unquote(each["href"]) for each in exported(PAGES[0]).select("nav a")]
    for goal in (links[len(links) // 2], links[-1]):
        view.evaluate("goal => { location.hash = goal }", goal)
        view.wait_for_function(
            f"goal => decodeURIComponent({MARKED}?.hash) === goal", arg=goal
        )
        bar = view.locator("nav summary")
        if width < 1248:
            assert exported(PAGES[0]).find(id=goal[1:]).get_text() in bar.inner_text()
            assert bar.bounding_box()["y"] >= 0
            bar.click()
        view.wait_for_function(  # the list scrolls once it has told that it is open
            f"""() => {{
                const box = {MARKED}.getBoundingClientRect();
                return box.height && 0 <= box.top && box.bottom <= innerHeight;
            }}"""
        )
        if width < 1248:
            view.keyboard.press("Escape")
            assert not view.locator("nav ol").first.is_visible()


@each_page
def test_keys_reach_the_content(file, visit, full):
    only_full(full, file.stem in TRIED)
    view = visit(file, PHONE)
    view.keyboard.press("Tab")
    assert view.evaluate("document.activeElement.className") == "skip"
    assert view.locator(".skip").bounding_box()["x"] >= 0
    view.keyboard.press("Enter")
    assert view.url.endswith("#main")
    wait_for(lambda: view.wait_for_timeout(20), lambda: in_view(view, "main"), PATIENCE)


LOADS = """async () => {
    const refused = new Set();
    document.addEventListener("securitypolicyviolation", event =>
        refused.add(event.effectiveDirective));
    const add = (name, attributes) =>
        document.body.append(Object.assign(document.createElement(name), attributes));
    add("img", {src: "http://a.invalid/a.png"});
    add("script", {src: "data:text/javascript,document.title='run'"});
    add("script", {textContent: "document.title = 'run'"});
    add("link", {rel: "stylesheet", href: "data:text/css,*{color:red}"});
    add("iframe", {src: "data:text/html,x"});
    add("base", {href: "http://a.invalid/"});
    await fetch("data:,x").catch(() => 0);
    await new Promise(done => setTimeout(done, 200));
    return [[...refused].sort(), document.title];
}"""


def test_the_browser_refuses_what_would_load(tmp_path, visit):
    path = project(tmp_path, text_cell("# T"))
    assert build.main(["--as-is", str(path)]) == 0
    view = visit(tmp_path / "export" / f"{path.stem}.html")
    refused = ["base-uri", "connect-src", "frame-src", "img-src"]
    assert view.evaluate(LOADS) == [[*refused, "script-src-elem", "style-src-elem"], "T"]


# Two tokens of a kind are enough to look at colours: axe takes minutes for ten thousand.
THIN = """() => {
    const seen = {};
    for (const token of document.querySelectorAll('.highlight span')) {
        seen[token.className] = (seen[token.className] || 0) + 1;
        if (seen[token.className] > 2) token.replaceWith(...token.childNodes);
    }
    document.querySelectorAll('details').forEach(each => each.open = true);
}"""


# By default a few rows of each table, and a few formulas, for the same reason.
FEW = """() => {
    for (const table of document.querySelectorAll('table'))
        [...table.rows].slice(4).forEach(row => row.remove());
    [...document.querySelectorAll('math')].slice(6).forEach(each => each.replaceWith('x'));
}"""
VIEWS = [(DESK, "light"), (PHONE, "dark"), (DESK, "dark"), (PHONE, "light")]


def axe_faults(view, **options):
    """Return what axe finds in a page: rule, element, and what would mend it."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(view, options={"runOnly": WCAG, "resultTypes": ["violations"]} | options)
    return [
        (each["id"], node["html"][:90], node["failureSummary"])
        for each in found.response["violations"]
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("file", [*PAGES, READING], ids=lambda file: file.stem)
@pytest.mark.parametrize("number", range(4), ids=["desk", "phone-dark", "desk-dark", "phone"])
def test_axe_finds_nothing(file, visit, number, full):
    """By default four pages, each in another view, the main one on a dark phone.

    Contrast takes axe longest: by default it is looked at in the main page, dark, and in its
    reading edition, light, for all take their colours from one style.
    """
    tried = {READING.stem: 0, PAGES[0].stem: 1, "tic_tac_toe": 2, "engine": 3}
    only_full(full, tried.get(file.stem) == number)
    viewport, scheme = VIEWS[number]
    view = visit(file, viewport, color_scheme=scheme, reduced_motion="reduce")
    view.evaluate(THIN)
    if not full:
        view.evaluate(FEW)
    rules = {"color-contrast": {"enabled": full or file in (PAGES[0], READING)}}
    assert axe_faults(view, rules=rules) == []


# ---- on paper --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """Return paper(file): the page printed, once for all tests."""
    if pdf.find_browser() is None:
        pytest.skip("needs Chromium")
    folder = tmp_path_factory.mktemp("paper")

    @functools.cache
    def printed_page(file):
        target = folder / f"{file.stem}.pdf"
        pdf.print_page(file, target)
        return target

    return printed_page


def poppler(program, *arguments):
    """Return what one of poppler's programs says."""
    if not shutil.which(program):
        pytest.skip("needs poppler")
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, check=True
    ).stdout


def test_the_reading_edition_has_essays_figures_and_the_game_on_a_few_sheets(paper):
    soup, whole = exported(READING), exported(PAGES[0])
    link = whole.select_one("header .reading-link a")
    assert link["href"] == READING.name and soup.select_one("header .reading-link a")
    nb = build.read_notebook(NOTEBOOKS[0])
    for cell in nb.cells:
        if cell.id.startswith("essay-"):
            assert soup.find(id=f"cell-{cell.id}") is not None
    for name in ("visits-of-game", "replay-demo", "changing"):
        assert soup.select_one(f"#cell-{name} img[alt]") is not None
    assert all(each.find_parent("details") for each in soup.select(".highlight"))
    goals = {each["href"].partition("#")[0] for each in soup.select("main a[href*='#']")}
    assert "five_in_a_row.html" in goals  # what is left out
    sheet = paper(READING)
    pages = int(re.search(r"Pages:\s+(\d+)", poppler("pdfinfo", sheet)).group(1))
    assert 5 <= pages <= 18  # five essays and their figures take most of them


def test_a_picture_takes_fewer_bytes_in_a_page_and_looks_the_same(tmp_path):
    picture, png = Image.effect_mandelbrot((200, 150), (-2, -1.5, 1, 1.5), 90), io.BytesIO()
    picture.convert("RGB").save(png, "PNG")
    data = base64.b64encode(png.getvalue()).decode()
    cell = output_cell({"image/png": data}, {"image/png": {"alt": "a set"}})
    image = page_of(tmp_path, cell).img
    head, shown = image["src"].split(",")
    assert head == "data:image/webp;base64" and len(shown) < len(data)
    again = Image.open(io.BytesIO(base64.b64decode(shown))).convert("RGB")
    away = ImageChops.difference(again, picture.convert("RGB"))
    assert again.size == (200, 150) and max(high for _, high in away.getextrema()) <= 8
    assert (image["width"], image["height"]) == ("200", "150")


@each_page
def test_paper_holds_everything(file, paper, full):
    """By default a short study: the main page takes half a minute to print twice."""
    only_full(full, file.stem == PRINTED)
    sheet = paper(file)
    assert sheet.read_bytes().startswith(b"%PDF-")
    text, soup = poppler("pdftotext", "-layout", sheet, "-"), exported(file)
    pages = int(re.search(r"Pages:\s+(\d+)", poppler("pdfinfo", sheet)).group(1))
    assert f"1 / {pages}" in text and file.as_uri() not in text and text.count("\f") == pages
    printed_letters = "".join(text.split())  # paper breaks a long line where it ends
    for fold in soup.select(".folded > summary"):  # folded on paper as well
        assert "".join(next(fold.strings).split())[:40] in printed_letters
        code = fold.parent.select_one(".highlight").get_text().strip().splitlines()
        assert len(code) < 7 or "".join("".join(code[-6:]).split()) not in printed_letters
    sheets, told = text.split("\f"), 0
    for link in soup.select("nav > details > ol > li > a"):
        name = words(link)  # one that is broken into two lines is not looked for
        for number in re.findall(rf"{re.escape(name)} ?(\d+)\b", sheets[0] + sheets[1]):
            told += name.removesuffix(" ★") in sheets[int(number) - 1]
    assert told >= len(soup.select("nav > details > ol > li")) / 2
    assert words(soup.footer.find("p"))[:40] in " ".join(text.split())


def test_pdf_is_written_whole_beside_the_page(tmp_path, capsys):
    path = project(tmp_path, text_cell("# T"))
    assert build.main(["--pdf", str(path)]) == 1
    assert "is stale" in capsys.readouterr().err
    assert build.main(["--as-is", str(path)]) == 0
    if pdf.find_browser() is None:
        pytest.skip("needs Chromium")
    assert build.main(["--pdf", str(path)]) == 0
    assert "wrote export/five_in_a_row.pdf" in capsys.readouterr().out
    names = sorted(file.name for file in (tmp_path / "export").iterdir())
    assert names == ["five_in_a_row.html", "five_in_a_row.pdf"]


def test_no_browser_is_said_in_a_sentence(tmp_path, monkeypatch, capsys):
    path = project(tmp_path, text_cell("# T"))
    build.main(["--as-is", str(path)])
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pdf, "usual_places", lambda: [tmp_path / "none"])
    assert build.main(["--pdf", str(path)]) == 1
    assert "no Chromium, Chrome or Edge was found" in capsys.readouterr().err
    assert not (tmp_path / "export" / "five_in_a_row.pdf").exists()


@pytest.mark.parametrize(
    "script, problem",
    [
        ("import sys; sys.exit('it broke')", "status 1: it broke"),
        ("import time; time.sleep(60)", "took more than 1 s to print"),
    ],
)
def test_a_browser_that_fails_leaves_the_old_pdf(tmp_path, monkeypatch, script, problem):
    html, target = tmp_path / "page.html", tmp_path / "page.pdf"
    html.write_text("x")
    target.write_text("old")
    monkeypatch.setattr(pdf, "find_browser", lambda: "chromium")
    monkeypatch.setattr(pdf, "print_command", lambda *_: [sys.executable, "-c", script])
    monkeypatch.setattr(pdf, "PATIENCE", 1)
    with pytest.raises(pdf.PrintError, match=problem):
        pdf.print_page(html, target)
    assert target.read_text() == "old" and len(list(tmp_path.iterdir())) == 2

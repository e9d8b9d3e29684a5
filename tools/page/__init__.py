"""The page of a notebook: one HTML file that asks the network for nothing.

nbconvert does the work; this module turns formulas into MathML, puts images into the file,
makes the contents from the headings, tidies tables, and refuses a page that would lack
something where it is read: offline, without scripts, on a phone, by ear.
"""

import base64
import copy
import datetime
import functools
import io
import mimetypes
import re
import struct
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pygments
from bs4 import BeautifulSoup, NavigableString
from bs4.dammit import EntitySubstitution
from bs4.formatter import HTMLFormatter
from jinja2 import pass_context
from math_core import LatexError, LatexToMathML
from nbconvert.exporters.html import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from PIL import Image  # comes with matplotlib
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from page.policy import with_policy

NO_ALT = "No description has been provided for this image"  # what nbconvert fills in
RAW_FORMULA = re.compile(r"\$[^$\s](?:[^$]*[^$\s])?\$")
HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
REPLAY, PLAYS = "five-replay", "five-play"  # the kinds of elements that may hold a script
RUNS = {"script", "iframe", "object", "embed", "base", "link", "meta"}  # elements
LOADING = {"src", "srcset", "href", "xlink:href", "poster", "background"}  # attributes
SPOKEN = ("alt", "title", "aria-", "data-")  # how attributes begin that hold mere text
STYLE_LOADS = re.compile(
    r"@import|image-set\(|\burl\((?!\s*['\"]?(?:data:image/|#))", re.IGNORECASE
)
SCRIPT_LOADS = re.compile(
    r"\b(?:fetch|import|importScripts|XMLHttpRequest|WebSocket|EventSource|sendBeacon)\s*\("
)
SRCSET = re.compile(r"(?:[\s,]*data:\S+(?:\s+[\d.]+[wxh])*\s*)+", re.IGNORECASE)
# What Pygments marks, except comments, keywords, numbers, strings, names that are defined.
UNMARKED = re.compile(r'<span class="(?!c|k|m|ow|nc|nf|s(?!i))\w+">([^<]*)</span>')
NUMBER = re.compile(r"([-+−]?\d[\d\s.,:/%×–−e+-]*( to [\d.,−-]+)?|nan|NaN|)")
READING = (  # the sections of the reading edition, without their numbers
    "Authors", "How MCTS thinks", "Heatmaps and replay", "Essays", "Limits and sources"
)  # fmt: skip
SECTION = re.compile(r"^## (?:\d+\. )?(.+)$", re.M)
LONG = 30_000  # letters of HTML that nobody reads on paper
COLOURS = 128  # of a picture in a page; a figure of a notebook has at most 256
NARROW = 36  # characters of code that a phone shows without scrolling
BRIEF = 250  # characters of a description, which is heard as a whole


class PageError(Exception):
    """The page would not be whole: one sentence that says where and why."""


class PageFormatter(HTMLFormatter):
    """HTML as it is written by hand: attributes in their order, no slash in <br>."""

    def __init__(self):
        super().__init__(EntitySubstitution.substitute_xml, void_element_close_prefix=None)
        self.empty_attributes_are_booleans = True

    def attributes(self, tag):
        """Return a tag's attributes as they are ordered."""
        return tag.attrs.items()


# ---- Markdown and formulas -------------------------------------------------------------


def mathml(latex, display):
    """Return a formula as MathML, which browsers show without any script."""
    try:
        return LatexToMathML().convert_with_local_state(latex.strip(), displaystyle=display)
    except LatexError as error:
        reason = str(error).splitlines()[0]
        raise PageError(f"the formula {latex.strip()} cannot be shown: {reason}") from None


class PageRenderer(IPythonRenderer):
    """Markdown to HTML, with formulas as MathML."""

    def block_math(self, body):
        """Return a displayed formula."""
        return mathml(body, display=True)

    def inline_math(self, body):
        """Return a formula within a line."""
        return mathml(body, display=False)

    def latex_environment(self, name, body):
        """Return a formula written as a LaTeX environment."""
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)


class PageExporter(HTMLExporter):
    """nbconvert's HTML exporter with our Markdown."""

    @pass_context
    def markdown2html(self, context, source):
        """Return Markdown as HTML; a formula that fails is reported with its cell."""
        cell = context.get("cell", {})
        renderer = PageRenderer(
            escape=False, attachments=cell.get("attachments", {}), exclude_anchor_links=True
        )
        try:
            return MarkdownWithMath(renderer=renderer).render(source)
        except PageError as error:
            raise PageError(f"cell {cell.get('id')}: {error}") from None


def highlight(source):
    """Return Python as HTML; only what page.css gives a look of its own is marked."""
    html = pygments.highlight(source, PythonLexer(), HtmlFormatter(cssclass="highlight"))
    return UNMARKED.sub(r"\1", html)


# ---- the page --------------------------------------------------------------------------


def reading_edition(nb):
    """Return the part of the main notebook that is read on paper; None without essays.

    It begins with the title and has the sections of READING. Code is folded; of code that
    defines something or prints long matrices nothing stays. Nor do cells tagged `live`, whose
    text tells what to do in the notebook, or speaks of what is left out here.
    """
    short, section, found = copy.deepcopy(nb), "", set()
    short.cells = []
    for cell in copy.deepcopy(nb.cells):
        is_text = cell.cell_type == "markdown"
        if is_text and (heading := SECTION.search(cell.source)):
            section = heading[1].strip()
            found.add(section)
        if "live" in cell.metadata.get("tags", []):
            continue
        if not section and is_text or section in READING and (is_text or has_figure(cell)):
            cell.metadata["jupyter"] = {"source_hidden": True}
            short.cells.append(cell)
    return short if "Essays" in found else None


def has_figure(cell):
    """Say whether a code cell shows a picture, or a few lines of words, or a table."""
    outputs = cell.get("outputs", [])
    html = sum(len(output.get("data", {}).get("text/html", "")) for output in outputs)
    return bool(outputs) and html < LONG


def formula(text):
    """Return a formula that an output shows, in its dollar signs, as MathML."""
    return mathml(text.strip("$ \n"), display=True)


@functools.cache
def page_exporter():
    """Return the exporter of all pages, whose templates take time to read."""
    return PageExporter(
        template_name="five",
        extra_template_basedirs=[str(Path(__file__).resolve().parent)],
        filters={
            "formula": formula,
            "day": day,
            "highlight": highlight,
        },
    )


def page_text(path, nb, made_from, last_run, has_reading=False, is_reading=False, pieces=None):
    """Return the page of the notebook at path.

    made_from     which state of the notebook the page shows
    last_run      the date and the versions of the run that gave the outputs, or None
    has_reading   a reading edition stands beside the page
    is_reading    nb is that edition: what it leaves out is linked to the page
    pieces        {heading: HTML} of what plays in the page, below the text under a heading
    """
    resources = {
        "metadata": {"name": path.stem, "path": str(path.parent)},
        "title": path.stem.replace("_", " "),
        "made_from": made_from,
        "last_run": last_run,
        "is_reading": is_reading,
        "plays": bool(pieces),
    }
    html, _ = page_exporter().from_notebook_node(with_captions(nb), resources=resources)
    soup = BeautifulSoup(html, features="html.parser")
    if soup.h1 is not None:
        soup.title.string = soup.h1.get_text().strip()
    embed_images(soup, path.parent)
    settle_pictures(soup)
    fold_numbers(soup)
    settle_formulas(soup)
    settle_headings(soup)
    settle_links(soup, path.parent)
    settle_tables(soup)
    lay_out(soup)
    put_pieces(soup, pieces or {})
    if has_reading:
        note = "Short of time? The {} has the essays, the figures and the game, code folded."
        say_other(soup, note, "reading edition", f"{path.stem}_reading.html")
    if is_reading:
        note = "The reading edition: essays, figures and the game. The {} has all the rest."
        say_other(soup, note, "whole page", f"{path.stem}.html")
        lead_to_whole(soup, f"{path.stem}.html")
    make_scrollable(soup)
    refuse_faults(soup)
    return with_policy(soup.decode(formatter=PageFormatter()).rstrip() + "\n")


def put_pieces(soup, pieces):
    """Put each piece of HTML below the text cell under its heading; PageError without one."""
    for name, html in pieces.items():
        headings = [each for each in soup.select("h2, h3") if heading_name(each) == name]
        if not headings:
            raise PageError(f"there is no section {name} for what plays in the page")
        piece = BeautifulSoup(html, features="html.parser")
        headings[0].find_parent(class_="cell").insert_after(piece)


def heading_name(heading):
    """Return a heading's text without its number."""
    return re.sub(r"^\d+\. ", "", heading.get_text().strip())


def say_other(soup, note, words, address):
    """Put a sentence with a link to the other edition into the header."""
    before, after = note.split("{}")
    line = soup.new_tag("p", attrs={"class": "reading-link"})
    line.extend([before, soup.new_tag("a", href=address, string=words), after])
    soup.header.extend([line, "\n"])


def lead_to_whole(soup, address):
    """Let links to what the reading edition leaves out lead to the whole page.

    A long list, such as the moves of a game, gets columns.
    """
    for listing in soup.select("pre.output"):
        if listing.get_text().count("\n") > 20:
            listing["class"].append("long")
    ids = {element["id"] for element in soup.select("[id]")}
    for link in soup.select("a[href^='#']"):
        if not {link["href"][1:], unquote(link["href"][1:])} & ids:
            link["href"] = address + link["href"]


def day(date):
    """Return 2026-01-31 as 31 January 2026."""
    date = datetime.date.fromisoformat(date)
    return f"{date.day} {date:%B %Y}"


def with_captions(nb):
    """Return a copy of the notebook in which a figure's caption is no longer printed below it.

    A figure that has a caption names it in its metadata; the page shows it from there.
    """
    nb = copy.deepcopy(nb)
    for cell in nb.cells:
        outputs = cell.get("outputs", [])
        for figure, printed in zip(outputs, outputs[1:], strict=False):
            about = figure.get("metadata", {}).values()
            captions = [
                each["caption"]
                for each in about
                if isinstance(each, dict) and "caption" in each
            ]
            if captions and printed.output_type == "stream":
                words = r"\s+".join(map(re.escape, captions[0].split()))
                printed.text = re.sub(rf"\s*{words}\n*", "", printed.text, count=1)
        if outputs:
            cell.outputs = [each for each in outputs if each.get("text", "-").strip()]
    return nb


# ---- what a cell holds -----------------------------------------------------------------


def embed_images(soup, folder):
    """Put every image that is a file beside the notebook into the page, and say its size."""
    for image in soup.select("img[src]"):
        source = unquote(image["src"])
        file = folder / source
        if not source.startswith("data:") and not re.match("[a-z]+://", source):
            if not file.is_file():
                raise PageError(f"the image {source} does not exist")
            kind = mimetypes.guess_type(file.name)[0]
            data = base64.b64encode(file.read_bytes()).decode()
            image["src"] = f"data:{kind};base64,{data}"
        if image["src"].startswith("data:image/png;base64,iVBORw0KGgo"):
            head = base64.b64decode(image["src"].partition(",")[2][:32])
            width, height = struct.unpack(">II", head[16:24])
            shown = image.get("width", str(width))
            if shown.isdecimal():  # not a share of the page, such as 50%
                image["height"] = round(int(shown) * height / width)
                image["width"] = shown
            image["src"] = smaller(image["src"])


@functools.lru_cache(maxsize=64)
def smaller(source):
    """Return a PNG as data: in fewer bytes, as WebP; one that cannot be read stays."""
    data, packed = base64.b64decode(source.partition(",")[2]), io.BytesIO()
    try:
        picture = Image.open(io.BytesIO(data)).convert("RGBA")
        if picture.getextrema()[3] == (255, 255):  # nothing shines through
            picture = picture.convert("RGB")
            if picture.getcolors(COLOURS) is None:
                picture = picture.quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE)
        picture.save(packed, "WEBP", lossless=True)
    except (OSError, ValueError, SyntaxError):  # Pillow's own, for a file that is cut
        return source
    small = base64.b64encode(packed.getvalue()).decode()
    return f"data:image/webp;base64,{small}" if len(packed.getvalue()) < len(data) else source


def settle_pictures(soup):
    """Make a figure of a picture in a text; a line in italics below it is its caption."""
    for image in soup.select(".cell.text > p > img:only-child"):
        figure, line = image.parent, image.parent.find_next_sibling()
        if figure.get_text().strip():
            continue
        figure.name, figure["class"] = "figure", ["picture"]
        if line is not None and line.name == "p" and line.em and len(line.contents) == 1:
            line.em.unwrap()
            line.name = "figcaption"
            figure.append(line.extract())


def fold_numbers(soup):
    """Leave of a figure's long description what it shows; its numbers stand below, folded.

    The description begins with a sentence about the picture; semicolons divide the numbers.
    """
    for image in soup.select("figure.picture > img[alt]"):
        if len(image["alt"]) <= BRIEF:
            continue
        figure, cell = image.parent, image.find_parent(class_="cell")
        first, _, numbers = image["alt"].partition(". ")
        if len(first) > BRIEF - 40 or not numbers:
            first, numbers = first[: BRIEF - 40].rpartition(" ")[0] + " …", image["alt"]
        place = 1 + len(cell.select(".numbers"))
        fold = soup.new_tag("details", attrs={"class": "numbers"})
        fold["id"] = f"numbers-{cell['id'].removeprefix('cell-')}-{place}"
        rows = soup.new_tag("ul")
        rows.extend(soup.new_tag("li", string=row) for row in numbers.split("; "))
        fold.extend([soup.new_tag("summary", string="The numbers of this figure"), rows])
        image["alt"] = f"{first}. The numbers stand below it."
        image["aria-details"] = fold["id"]
        figure.insert_after(fold)  # a figure's caption is its last element


def settle_links(soup, folder):
    """Let a link to another notebook lead to its page, which stands beside this one.

    Where that notebook is missing, as in what is handed in, its words stay without a link.
    """
    for link in soup.select("a[href*='.ipynb']"):
        address, mark, goal = link["href"].partition("#")
        if not address.endswith(".ipynb") or "://" in address:
            continue
        if not (folder / unquote(address)).is_file():
            link.unwrap()
        else:
            link["href"] = f"{Path(address).stem}.html{mark}{goal}"


def settle_formulas(soup):
    """Write displaystyle where MathML allows it; keep a formula and its comma on one line."""
    for part in soup.select("math [displaystyle]:not(mstyle, mtable)"):
        part.wrap(soup.new_tag("mstyle", displaystyle=part.attrs.pop("displaystyle")))
    for formula in soup.select("math[display=block]"):
        formula.wrap(soup.new_tag("span", attrs={"class": "formula"}))
    for formula in soup.select("math:not([display=block])"):
        before, after = formula.previous_sibling, formula.next_sibling
        left, right = re.search(r"\S*\Z", text_of(before)), re.match(r"\S*", text_of(after))
        left, right = left.group(), right.group()
        if left or right:
            whole = formula.wrap(soup.new_tag("span", attrs={"class": "whole"}))
            if left:
                before.replace_with(before.removesuffix(left))
                whole.insert(0, left)
            if right:
                after.replace_with(after.removeprefix(right))
                whole.append(right)


def text_of(node):
    """Return a node's text if it is nothing but text, else an empty one."""
    return str(node) if isinstance(node, NavigableString) else ""


def settle_headings(soup):
    """Give headings the ids that links in a notebook use; put a cell's author below them."""
    for heading in soup.select(".cell.text :is(h1, h2, h3, h4, h5, h6)"):
        heading["id"] = re.sub(r"\s", "-", heading.get_text().strip())
    for line in soup.select(".cell.text > p:first-child"):
        if len(line.contents) != 1 or not line.em or not re.match("by .", line.em.get_text()):
            continue
        line["class"] = ["byline"]
        line.string = line.get_text().strip()
        heading = line.find_next_sibling()
        if heading is not None and heading.name in HEADINGS:
            heading.insert_after(line.extract())


def settle_tables(soup):
    """Say which cells of a table are headings; take from data frames what pandas adds."""
    for table in soup.select(".cell.text table, table.dataframe"):
        if "dataframe" in table.get("class", []):
            settle_frame(table)
        for heading in table.select("thead th"):
            heading["scope"] = "col"
        for heading in table.select("tbody th"):
            heading["scope"] = "row"
        for heading in table.select("th"):
            if not heading.get_text().strip():
                heading.name = "td"
                del heading["scope"]
        table.wrap(soup.new_tag("div", attrs={"class": "table"}))


def settle_frame(table):
    """Leave of a data frame its table, with one row of headings and numbers to the right."""
    for style in table.parent.select("style"):
        style.decompose()
    for element in [table, *table.select("tr, th")]:
        for attribute in ("border", "style", "valign"):
            element.attrs.pop(attribute, None)
    rows = [row.find_all(["th", "td"]) for row in table.select("thead tr")]
    if len(rows) == 2 and len(rows[0]) == len(rows[1]):
        if not any(a.get_text() and b.get_text() for a, b in zip(*rows, strict=True)):
            for a, b in zip(*rows, strict=True):
                a.extend(list(b.contents))
            rows.pop()[0].parent.decompose()
    body = [row.find_all(["th", "td"]) for row in table.select("tbody tr")]
    if body and rows and len({len(row) for row in rows + body}) == 1:
        for column, head in zip(zip(*body, strict=True), zip(*rows, strict=True), strict=True):
            texts = [cell.get_text().strip() for cell in column]
            if all(map(NUMBER.fullmatch, texts)):
                for cell in column + head:
                    cell["class"] = "number"


# ---- contents --------------------------------------------------------------------------


def lay_out(soup):
    """Put the title cell into a header, and contents made from the headings after it."""
    heading, main = soup.h1, soup.main
    top = soup.new_tag("header", id="top")
    main.insert_before(top)
    if heading is not None:
        top.append(heading.find_parent(class_="cell"))
    questions, anchor = take_contents(soup)
    if nav := contents(soup, questions):
        nav["id"] = anchor
        main.insert_before(nav)


def take_contents(soup):
    """Take out contents written by hand: return {anchor: question} and the anchor they had.

    They are a table of two columns whose rows each begin with a link to a heading, perhaps
    after a star; in the contents that the build makes, the star and the second column stand
    beside the section that they are about. A cell that held nothing else goes with them.
    """
    anchors = {heading["id"] for heading in soup.select("h2[id], h3[id]")}
    for table in soup.select(".cell.text table"):
        rows = [row.find_all("td") for row in table.select("tbody tr")]
        links = [row[0].select_one("a[href^='#']") for row in rows if len(row) == 2]
        goals = [unquote(link["href"][1:]) for link in links if link]
        if not goals or len(goals) < len(rows) or not set(goals) <= anchors:
            continue
        stars = [row[0].get_text().strip()[:1] == "★" for row in rows]
        questions = {
            goal: (star, row[1]) for goal, star, row in zip(goals, stars, rows, strict=True)
        }
        cell = table.find_parent(class_="cell")
        (table.find_parent(class_="table") or table).extract()
        left = [each for each in cell.find_all(True) if each.get("class") != ["byline"]]
        if [each.name for each in left] in ([], ["h2"]):
            cell.extract()
            return questions, left[0]["id"] if left else "contents"
        return questions, "contents"
    return {}, "contents"


def contents(soup, questions):
    """Return the contents as <nav>: the headings h2, with h3 below them; None without any."""
    headings = soup.select("main h2[id], main h3[id]")
    if not headings:
        return None
    # As a column of its own it scrolls, and keys reach that by its tabindex.
    look = {"aria-label": "Contents", "class": "contents", "tabindex": "0"}
    nav = soup.new_tag("nav", attrs=look)
    fold = soup.new_tag("details")
    fold.append(soup.new_tag("summary", string="Contents"))
    sections = soup.new_tag("ol")
    for heading in headings:
        item = soup.new_tag("li")
        goal = heading["id"].replace('"', "%22")  # what an address may not hold
        link = soup.new_tag("a", href=f"#{goal}")
        link.extend(copy.copy(part) for part in heading.contents)
        item.append(link)
        star, question = questions.get(heading["id"], (False, None))
        if star:
            link.append(" ★")
        if question:
            note = soup.new_tag("span", attrs={"class": "question"})
            note.extend(copy.copy(part) for part in question.contents)
            item.extend([" ", note])
        above = sections.find_all("li", recursive=False)
        if heading.name == "h3" and above:
            if above[-1].ol is None:
                above[-1].append(soup.new_tag("ol"))
            above[-1].ol.append(item)
        else:
            sections.append(item)
    fold.append(sections)
    nav.append(fold)
    return nav


# ---- reading with keys and by ear ------------------------------------------------------


def make_scrollable(soup):
    """Let keys reach what may be wider than a phone, and say what it is."""
    for box in soup.select(".cell pre, .table, .formula"):
        if box.find_parent(class_=REPLAY):
            continue
        text, kind = box.get_text(), (box.get("class") or ["code"])[0]
        if kind == "table":
            cells = [
                [cell.get_text(strip=True) for cell in row(["th", "td"])] for row in box("tr")
            ]
            wide = any(len(row) > 3 or len("".join(row)) > NARROW for row in cells)
        else:
            wide = kind == "formula" or max(map(len, text.splitlines()), default=0) > NARROW
        if wide:
            name = "code: " + text.strip().partition("\n")[0].strip("# ")
            box["aria-label"] = name if kind == "code" else kind
            box.attrs |= {"tabindex": "0", "role": "group"}


# ---- faults ----------------------------------------------------------------------------


def refuse_faults(soup):
    """Raise PageError if the page would not be whole where it is read."""
    refuse_loads(soup)
    for image in soup.select("img"):
        if image.get("alt", NO_ALT) in ("", NO_ALT):
            where = image.find_parent(id=True)
            raise PageError(f"{where['id'] if where else 'a cell'}: an image has no alt text")
    refuse_links(soup)
    refuse_headings(soup)
    for text in soup.select(".text"):
        prose = "".join(
            str(piece)
            for piece in text.find_all(string=True)
            if piece.find_parent(["code", "pre"]) is None
        )
        if formula := RAW_FORMULA.search(prose):
            raise PageError(f"a formula is left as text: {formula.group()[:60]}")


def refuse_loads(soup):
    """Raise PageError if the page would load something, or run what is no replay's script.

    The head is the template's own. Its Content-Security-Policy makes browsers refuse what is
    overlooked here; this gives whoever writes a notebook the reason while the page is built.
    """
    for element in soup.body.find_all_next(True):
        replays = element.name == "script" and element.find_parent(class_=[REPLAY, PLAYS])
        if element.name in RUNS and not replays:
            raise PageError(f"the page would load or run {str(element)[:90]}")
        for name, value in element.attrs.items():
            value = " ".join(value) if isinstance(value, list) else str(value)
            if not name.startswith(SPOKEN) and is_active(element, name, value):
                raise PageError(f"the page would load or run {name}={value[:60]}")
        if element.name == "style" and STYLE_LOADS.search(element.get_text()):
            raise PageError("a style would load a file")
        if replays and not element.get("type", "").startswith("application/"):
            if found := SCRIPT_LOADS.search(element.get_text()):
                raise PageError(f"a script would load something by {found.group()}")


def is_active(element, name, value):
    """Say whether an attribute would load something, run a script, or open a data: page."""
    address = re.sub(r"[\x00-\x20]", "", value).lower()  # browsers leave these out, too
    if name.startswith("on") or address.startswith(("javascript:", "vbscript:")):
        return True
    if STYLE_LOADS.search(value):
        return True
    if name not in LOADING:
        return False
    if element.name == "img" and name == "srcset":
        return SRCSET.fullmatch(value) is None
    if element.name == "img" and name == "src":
        return not address.startswith("data:")
    if element.name == "a" and name == "href":
        return address.startswith("data:")
    return not (name.endswith("href") and address.startswith("#"))


def refuse_links(soup):
    """Raise PageError if a link leads nowhere, or an id stands twice."""
    ids = Counter(element["id"] for element in soup.select("[id]"))
    if twice := [each for each, count in ids.items() if count > 1]:
        raise PageError(f"the id {twice[0]} stands twice: two headings or cells share it")
    for link in soup.select("a[href^='#']"):
        goal = link["href"][1:]  # a browser tries it as it is written, then decoded
        if not {goal, unquote(goal)} & ids.keys():
            raise PageError(f"the link {link['href']} leads nowhere")


def refuse_headings(soup):
    """Raise PageError if there are two titles, or a heading skips a level."""
    last = 0
    for heading in soup.find_all(HEADINGS):
        level, text = int(heading.name[1]), heading.get_text()
        if level == 1 and last:
            raise PageError(f"the heading {text} is a second title: begin it with ##")
        if last and level > last + 1:
            raise PageError(f"the heading {text} skips a level: h{last} stands above it")
        last = level

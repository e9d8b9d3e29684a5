"""The page of a notebook: one HTML file that asks the network for nothing.

nbconvert does the work; this module turns formulas into MathML, puts images into the file,
and refuses a page that would lack something where it is read: offline, without scripts.
"""

import base64
import mimetypes
import re
from urllib.parse import unquote

from bs4 import BeautifulSoup
from jinja2 import pass_context
from math_core import LatexError, LatexToMathML
from nbconvert.exporters.html import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

NO_ALT = "No description has been provided for this image"  # what nbconvert fills in
RAW_FORMULA = re.compile(r"\$[^$\s](?:[^$]*[^$\s])?\$")


class PageError(Exception):
    """The page would not be whole: one sentence that says where and why."""


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
        renderer = PageRenderer(escape=False, attachments=cell.get("attachments", {}))
        try:
            return MarkdownWithMath(renderer=renderer).render(source)
        except PageError as error:
            raise PageError(f"cell {cell.get('id')}: {error}") from None


def page_text(path, nb, templates, made_from):
    """Return the page of the notebook at path; made_from says which state it shows."""
    exporter = PageExporter(
        template_name="five",
        extra_template_basedirs=[str(templates)],
        filters={"formula": lambda text: mathml(text.strip("$ \n"), display=True)},
    )
    resources = {
        "metadata": {"name": path.stem, "path": str(path.parent)},
        "title": title(path, nb),
        "made_from": made_from,
    }
    html, _ = exporter.from_notebook_node(nb, resources=resources)
    soup = BeautifulSoup(html, features="html.parser")
    embed_images(soup, path.parent)
    refuse_faults(soup)
    return str(soup).rstrip() + "\n"


def title(path, nb):
    """Return the notebook's first heading, or its name where it has none."""
    text = "\n".join(cell.source for cell in nb.cells if cell.cell_type == "markdown")
    heading = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return heading.group(1).strip("# ") if heading else path.stem.replace("_", " ")


def embed_images(soup, folder):
    """Put every image that is a file beside the notebook into the page itself."""
    for image in soup.select("img[src]"):
        source = unquote(image["src"])
        file = folder / source
        if source.startswith("data:") or re.match("[a-z]+://", source):
            continue
        if not file.is_file():
            raise PageError(f"the image {source} does not exist")
        kind = mimetypes.guess_type(file.name)[0]
        image["src"] = f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"


def refuse_faults(soup):
    """Raise PageError if the page loads something, lacks alternative text or a formula."""
    for element in soup.select("script, iframe, link[href], [src]"):
        if not element.get("src", "").startswith("data:"):
            raise PageError(f"the page would load or run {str(element)[:90]}")
    for style in soup.select("style"):
        if re.search(r"@import|url\(\s*['\"]?(?!data:)", style.get_text()):
            raise PageError("a style would load a file")
    for image in soup.select("img"):
        if image.get("alt", NO_ALT) in ("", NO_ALT):
            where = image.find_parent(id=True)
            raise PageError(f"{where['id'] if where else 'a cell'}: an image has no alt text")
    targets = {element["id"] for element in soup.select("[id]")}
    for link in soup.select("a[href^='#']"):
        goal = link["href"][1:]  # a browser tries it as it is written, then decoded
        if not {goal, unquote(goal)} & targets:
            raise PageError(f"the link {link['href']} leads nowhere")
    for text in soup.select(".jp-MarkdownOutput"):
        prose = "".join(
            str(piece)
            for piece in text.find_all(string=True)
            if piece.find_parent(["code", "pre"]) is None
        )
        if formula := RAW_FORMULA.search(prose):
            raise PageError(f"a formula is left as text: {formula.group()[:60]}")

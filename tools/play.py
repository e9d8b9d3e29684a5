"""What plays in a page: the panel, its engines, and the page that is nothing but a panel.

The parts stand in tools/page/play. The engines come from tools/wasm.py; lowering them takes
half a minute, so they are taken from export/play.html where that holds them already.
"""

import ast
import functools
import hashlib
import json
import re
from importlib.metadata import version
from pathlib import Path

import wasm

TOOLS = Path(__file__).resolve().parent
PARTS = TOOLS / "page" / "play"
# `game` and `mcts` have the rules and limits; the other three have the kernels.
KERNELS = ("search.py", "threats.py", "engine.py", "game.py", "mcts.py")  # of the package
NUMBERS = ("places.npz", "policy.npz")
MADE = re.compile(r'<meta name="engines" content="sha256:(\w+)">')
PACKED = re.compile(r'<script type="application/gzip" class="five-engines">([\w+/=]+)<')
NAME = "play.html"
LIBRARY = ("rules", "records", "board", "search", "load", "list", "review")  # in this order
NEEDS = {  # of the library; the panel's search is in its worker
    "panel": {"rules", "records", "board", "load", "list", "review"},
    "steps": {"rules", "records", "board", "search", "load"},
    "heat": {"rules", "records", "board", "search", "load"},
    "match": {"rules", "search", "load"},
}
MATCHES = {  # pages of studies: the section, and the game in it
    "connect_four": ("Play", {"game": "rack", "size": 7, "rows": 6, "inARow": 4}),
    "tic_tac_toe": (
        "How many simulations?",
        {"game": "cross", "size": 3, "rows": 3, "inARow": 3},
    ),
}
HELD = re.compile(r'class="five-engines" data-made="(\w+)">([\w+/=]+)<')
SMALL = "a4 c4 a2 e3 b2 c3 b3 b5 a1 b1 c1 e1 e4 d4 e5 a3"  # 5×5, four in a row; c2 alone wins
NODE_X = {"moves": "e5 e3 e4 c8 d4 f4 d5 f5 f3 c6 d2 d3 e2", "size": 8, "seed": 2024}
MIND = {"moves": "d1 f8 d5 b7", "size": 8, "seed": 1}  # of the essay's figure


@functools.cache
def part(name):
    """Return the text of a part."""
    return (PARTS / name).read_text("utf-8")


@functools.cache
def code_of(text):
    """Return what a module says, without its comments and blanks."""
    return ast.dump(ast.parse(text))


def engines_digest(package):
    """Return a digest of all that the engines are made from; "" where there is no package.

    Comments of the modules do not count, and most of their lines are comments.
    """
    files = [package / name for name in KERNELS]
    numbers = [package / name for name in NUMBERS]
    if not all(file.is_file() for file in (*files, *numbers)):
        return ""
    texts = [file.read_bytes().hex() for file in numbers]
    texts += [code_of(file.read_text("utf-8")) for file in files]
    texts += [(TOOLS / name).read_text("utf-8") for name in ("wasm.py", "wasm_entry.py")]
    texts += [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


@functools.cache
def lowered(package, _digest):
    """Return the engines of a package, lowered now, once for each state of it."""
    return wasm.payload(package.parent)


def engines(package):
    """Return the engines of a package as base64 of gzip."""
    digest, file = engines_digest(package), package.parent / NAME
    text = file.read_text("utf-8") if file.is_file() else ""
    made, packed = MADE.search(text), PACKED.search(text)
    if made and packed and made[1] == digest:
        return packed[1]
    return lowered(package, digest)


def small_engines(package, digest):
    """Return plain search of the small games, packed likewise; from a page that has it."""
    for name in MATCHES:
        file = package.parent / f"{name}.html"
        found = HELD.search(file.read_text("utf-8")) if file.is_file() else None
        if found and found[1] == digest:
            return found[2]
    return lowered_small(package, digest)


@functools.cache
def lowered_small(package, _digest):
    """Return the small games of a package, lowered now, once for each state of it."""
    return wasm.payload(package.parent, [data["game"] for _, data in MATCHES.values()])


# ---- pieces of a page ------------------------------------------------------------------


def slim(name):
    """Return a script or a style without indents and without lines that are comments.

    It saves an eighth of them. No text in the scripts has a line that begins with //.
    """
    lines = (line.strip() for line in part(name).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def as_data(value):
    """Return a value as JSON that may stand in a script element."""
    return json.dumps(value, ensure_ascii=False).replace("</", "<\\/")


def engines_script(package):
    """Return the element that holds the engines, once in a page."""
    return f'<script type="application/gzip" class="five-engines">{engines(package)}</script>'


def library(*starters):
    """Return the script that all figures of a page share, with what begins in them."""
    needed = {name for starter in starters for name in NEEDS[starter]}
    names = (*(name for name in LIBRARY if name in needed), *starters)
    texts = "\n".join(slim(f"{name}.js") for name in names)
    style = slim("panel.css") + ("" if starters == ("panel",) else slim("explore.css"))
    texts += f"\nconst STYLE = {as_data(style)};"
    starts = ", ".join(f"start{name.capitalize()}" for name in starters)
    return f"const fiveInARow = (() => {{\n{texts}\nreturn {{startIn, {starts}}};\n}})();\n"


def figure(name, data, still="", shared=""):
    """Return one thing to play with as HTML.

    name     of its parts
    data     what its script is given
    still    what stands in its place where no script runs; without it nothing is seen then
    shared   what all figures of the page share, for the first of them
    """
    given = {"html": part(f"{name}.html")} | data
    start = f"fiveInARow.startIn(document.currentScript, fiveInARow.start{name.capitalize()});"
    return (
        f'<figure class="five-play"{"" if still else " hidden"}><div>{still}</div>\n'
        f'<script type="application/json">{as_data(given)}</script>\n'
        f"{shared}<script>{start}</script></figure>"
    )


def panel(size, still, shared=""):
    """Return the panel as HTML; `size` is in points a side, or None: as it fits."""
    data = {"worker": slim("search.js") + "\n" + slim("worker.js"), "size": size}
    return figure("panel", data, still, shared)


def pieces(nb, package):
    """Return {heading: HTML} of what plays in the main page, {} where there is no package."""
    if not engines_digest(package):
        return {}
    shared = (
        f"{engines_script(package)}\n<script>{library('panel', 'steps', 'heat')}</script>\n"
    )
    return {
        "How MCTS thinks": figure("steps", {"moves": SMALL}, shared=shared),
        "Play": panel(8, still_of(nb)),
        "What plain search misses": figure("heat", {**NODE_X, "name": "Node X."}),
        "When may I trust the move on top?": figure(
            "heat", {**MIND, "name": "Black to move."}
        ),
    }


def match_pieces(name, package):
    """Return {heading: HTML} of the game in a study's page, {} where there is none."""
    digest = engines_digest(package)
    if not digest or name not in MATCHES:
        return {}
    section, data = MATCHES[name]
    holder = '<script type="application/gzip" class="five-engines"'
    packed = f'{holder} data-made="{digest}">{small_engines(package, digest)}</script>'
    shared = f"{packed}\n<script>{library('match')}</script>\n"
    return {section: figure("match", data, shared=shared)}


def match_digest(name, package):
    """Return a digest of what plays in a study's page, "" where nothing does."""
    digest = engines_digest(package) if name in MATCHES else ""
    return (
        digest
        and hashlib.sha256((digest + Path(__file__).read_text("utf-8")).encode()).hexdigest()
    )


def still_of(nb):
    """Return the still picture of the replay in a notebook's outputs, or ""."""
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html", "")
            if "five-replay" in html and (found := re.search(r"<img [^>]*>", html)):
                return found[0]
    return ""


def play_digest(nb, package):
    """Return a digest of what play.html is made from."""
    parts = [file.read_text("utf-8") for file in sorted(PARTS.iterdir())]
    texts = [engines_digest(package), still_of(nb), Path(__file__).read_text("utf-8"), *parts]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def play_page(nb, package):
    """Return the text of play.html: a panel, and nothing else."""
    from page.policy import with_policy

    piece = panel(
        None, still_of(nb), f"{engines_script(package)}\n<script>{library('panel')}</script>\n"
    )
    filled = {
        "MADE": play_digest(nb, package),
        "ENGINES": engines_digest(package),
        "PANEL": piece,
    }
    text = part("play.html")
    for name, value in filled.items():
        text = text.replace(f"{{{{{name}}}}}", value, 1)
    return with_policy(text)

"""The page of a notebook on paper: printed by a browser that is installed already.

Chromium cannot write the numbers of pages into contents (it lacks CSS's target-counter), so a
page that has contents is printed twice: the first print says where each section begins.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes

from five_in_a_row.files import put_in_place, temporary_file

NAMES = (  # as they are called on the PATH
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
MAC = ("Google Chrome", "Chromium", "Microsoft Edge")
WINDOWS = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
)
PATIENCE = 300  # seconds that a browser may take for a page
NO_BROWSER = (
    "no Chromium, Chrome or Edge was found, and one of them has to print the page: "
    "install one, or open the page in any browser and print it to a file"
)


class PrintError(Exception):
    """The page was not printed: one sentence that says why."""


def find_browser():
    """Return the path of a browser that can print, or None."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return next((str(place) for place in usual_places() if place.is_file()), None)


def usual_places():
    """Yield where browsers are installed that are not on the PATH."""
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            for name in MAC:
                yield folder / f"{name}.app" / "Contents" / "MacOS" / name
    elif sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            if folder := os.environ.get(variable):
                for name in WINDOWS:
                    yield Path(folder) / name


def print_page(html, pdf):
    """Print an HTML file to pdf; on failure raise PrintError and leave an old pdf whole."""
    browser = find_browser()
    if browser is None:
        raise PrintError(NO_BROWSER)
    try:
        with temporary_file(pdf) as temporary, temporary_file(html, ".html") as numbered:
            print_once(browser, html, temporary)
            text = html.read_text("utf-8")
            with_pages = with_page_numbers(text, page_numbers(temporary.read_bytes()))
            if with_pages != text:  # beside the page, so that its links stay as they are
                numbered.write_text(with_pages, "utf-8")
                print_once(browser, numbered, temporary)
            put_in_place(temporary, pdf)
    except OSError as error:
        raise PrintError(f"{html.name} cannot be printed: {error}") from None


def print_once(browser, html, pdf):
    """Let the browser print html to pdf; raise PrintError if it does not."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        run(print_command(browser, profile, html, pdf))
    if not (pdf.is_file() and pdf.stat().st_size):
        raise PrintError(f"{browser} printed nothing for {html.name}")


def page_numbers(data):
    """Return {anchor: its page, from 1} of a PDF as Chromium writes it; {} for any other."""
    found = re.finditer(rb"(\d+) 0 obj\s*(<<.*?)(?:endobj|stream)", data, re.DOTALL)
    objects = {int(each[1]): each[2] for each in found}
    catalog = next((each for each in objects.values() if b"/Type /Catalog" in each), b"")
    root, goals = (
        objects.get(int(each[1]), b"") if each else b""
        for each in (re.search(rb"/%s (\d+) 0 R" % k, catalog) for k in (b"Pages", b"Dests"))
    )
    sheets = {}

    def walk(node, number):
        kids = re.search(rb"/Kids \[([^]]*)\]", node)
        if kids is None:
            sheets[number] = len(sheets) + 1
        for kid in re.findall(rb"(\d+) 0 R", kids[1]) if kids else ():
            walk(objects.get(int(kid), b""), int(kid))

    walk(root, 0)
    found = {}
    for name, sheet in re.findall(rb"/([^\s/\[]+)\s*\[(\d+) 0 R /XYZ", goals):
        plain = unquote_to_bytes(name.replace(b"#", b"%"))  # as PDF writes other letters
        found[plain.decode("utf-8", "replace")] = sheets.get(int(sheet))
    return found


def with_page_numbers(text, pages):
    """Return a page whose contents hold the number of the printed page of each section."""

    def with_number(link):
        number = pages.get(unquote(link[1]))
        return f'{link[0]} data-page="{number}"' if number else link[0]

    nav = re.search(r"<nav .*?</nav>", text, re.DOTALL)
    if nav is None:
        return text
    numbered = re.sub(r'<a href="#([^"]*)"', with_number, nav[0])
    return text[: nav.start()] + numbered + text[nav.end() :]


def print_command(browser, profile, html, pdf):
    """Return the command; a profile of its own keeps a browser that is open out of it."""
    command = [
        browser,
        "--headless",
        "--disable-gpu",
        f"--user-data-dir={profile}",
        "--no-first-run",
        "--no-pdf-header-footer",
        "--generate-pdf-document-outline",
        f"--print-to-pdf={pdf}",
        html.resolve().as_uri(),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(1, "--no-sandbox")  # Chromium refuses to run as root with one
    return command


def run(command):
    """Run a browser until it ends; raise PrintError if it fails or does not end."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise PrintError(f"{command[0]} took more than {PATIENCE} s to print") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip() or "it said nothing"
        reason = f"status {done.returncode}: {said.splitlines()[-1]}"
        raise PrintError(f"{command[0]} failed with {reason}")

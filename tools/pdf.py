"""The page of a notebook on paper: printed by a browser that is installed already."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

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
    temporary = pdf.with_name(f".{pdf.name}.{os.getpid()}.tmp")
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            run(print_command(browser, profile, html, temporary))
        if not temporary.is_file():
            raise PrintError(f"{browser} printed nothing for {html.name}")
        os.replace(temporary, pdf)
    except OSError as error:
        raise PrintError(f"{html.name} cannot be printed: {error}") from None
    finally:
        temporary.unlink(missing_ok=True)


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

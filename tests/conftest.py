"""What every test may rely on: no window, small numbers, the exports on the import path.

A skip counts as a failure unless its reason is on the lists below, so that a machine that
lacks something says so instead of passing with half of the tests.
"""

import gc
import os
import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "export"), str(ROOT / "tools"), str(ROOT)]
sys.modules["rfc3987_syntax"] = None  # see tools/build.py; test files import nbformat as well
os.environ["FIVE_MODE"] = "quick"
os.environ["FIVE_PLAY"] = "recorded"
os.environ["SDL_VIDEODRIVER"] = "dummy"  # a test with a display sets its own for a child

SKIPS = {"a count for --full only", "needs bitbully"}  # its licence keeps it out
SKIPS_AT_HOME = {  # .ci/run installs them and sets CI
    "needs Xvfb",
    "needs Chromium",
    "needs Java and the validator",
    "needs poppler",
}
FIRST = (  # the files that take longest; the first two do not compile the same
    *("test_wasm", "test_page", "test_bayes", "test_behaviour", "test_handin"),
    "test_run_again",
    *("test_jupyterlab", "test_engines", "test_play_page", "test_connect_strength"),
    *("test_inline", "test_policies", "test_replay", "test_cache", "test_puzzles"),
    *("test_window_real", "test_wishes", "test_export", "test_kills"),
)
refused = []  # what was skipped for another reason


def pytest_addoption(parser):
    """Add --full: the counts that the project promises, instead of quick ones."""
    parser.addoption("--full", action="store_true", help="full counts (hours, not minutes)")


def pytest_configure(config):
    """Let numba check every index of every kernel, and keep what it compiles apart.

    With --full the kernels run as players run them, and test_bounds.py checks their indices.
    Rubbish is looked for seldom: a worker holds so much that each look takes long.
    """
    gc.set_threshold(100_000, 50, 100)
    if not config.getoption("--full"):
        os.environ["NUMBA_BOUNDSCHECK"] = "1"
        os.environ["NUMBA_OPT"] = "1"  # most kernels run for less time than compiling takes
        os.environ["NUMBA_CACHE_DIR"] = str(ROOT / "tests" / "__pycache__" / "checked")


def pytest_collection_modifyitems(items):
    """Begin with the files that take longest; one in a browser lets the other one compile."""
    items.sort(key=lambda item: (*FIRST, item.path.stem).index(item.path.stem))


@pytest.fixture(scope="session")
def full(request):
    """Say whether the full counts were asked for."""
    return request.config.getoption("--full")


@pytest.fixture
def unchecked(monkeypatch):
    """Let the processes that a test starts compile kernels as players do."""
    for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def root():
    """Return the folder of the project."""
    return ROOT


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """Let tables be kept and read in a folder of this test, games below it; return it.

    The players are not compared with their fingerprints first: some tests replace them.
    """
    from experiments import behaviour, store

    monkeypatch.setattr("five_in_a_row.strength.results_folder", lambda: tmp_path)
    monkeypatch.setattr(store, "STORES", {})
    monkeypatch.setattr(behaviour, "check", lambda *names: None)
    with store.elsewhere(tmp_path, tmp_path / "games"):
        yield tmp_path


@pytest.fixture(scope="session")
def chromium():
    """Return where Chromium is, or skip the test."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs Chromium")
    return path


@pytest.fixture(scope="module")
def playwright(chromium):
    """Start what drives Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright, chromium):
    """Start Chromium, once for the tests of a file."""
    from helpers import PATIENCE

    options = ["--no-sandbox", "--disable-gpu"]
    how = {"executable_path": chromium, "args": options}
    browser = playwright.chromium.launch(**how, timeout=1000 * PATIENCE)
    yield browser
    browser.close()


def pytest_runtest_logreport(report):
    """Note a skipped test whose reason is not allowed."""
    note_skip(report)


def pytest_collectreport(report):
    """Note a skipped test file whose reason is not allowed."""
    note_skip(report)


def note_skip(report):
    """Remember a skip unless its reason is on a list; an expected failure is no skip."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2]).removeprefix("Skipped: ")
        allowed = SKIPS if os.environ.get("CI") else SKIPS | SKIPS_AT_HOME
        if reason not in allowed:
            refused.append(f"{report.nodeid}: {reason}")


def pytest_terminal_summary(terminalreporter):
    """Name the skips that fail the run."""
    if refused:
        terminalreporter.section("skips that are not on the list in conftest.py")
        for line in refused:
            terminalreporter.line(line)


def pytest_sessionfinish(session):
    """Fail the run if anything was skipped for a reason that is not on a list."""
    if refused and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED

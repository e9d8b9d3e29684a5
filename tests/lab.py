"""JupyterLab for tests: a server with settings of its own, and its page in Chromium.

Its programs take seconds to load: a test file opens one page, and its notebooks in that.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time

import nbformat
from helpers import PATIENCE

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
NOTEBOOK = "[...jupyterapp.shell.widgets('main')].find(w => w.sessionContext)"
READY = f"""() => {{
    const notebook = window.jupyterapp && {NOTEBOOK};
    return !!notebook && notebook.context.isReady && notebook.sessionContext.isReady
        && notebook.sessionContext.session?.kernel?.status === 'idle'
}}"""
RUN_FIRST_CELL = f"""async () => {{
    jupyterapp.shell.activateById({NOTEBOOK}.id);
    {NOTEBOOK}.content.activeCellIndex = 0;
    await jupyterapp.commands.execute('notebook:run-cell')
}}"""
OPEN = "path => { jupyterapp.commands.execute('docmanager:open', { path }) }"
CLOSE = """async () => {
    for (const widget of [...jupyterapp.shell.widgets('main')]) {
        await widget.sessionContext?.shutdown();
        if (widget.context) { widget.context.model.dirty = false }
        widget.close()
    }
}"""
SAVE = "() => jupyterapp.commands.execute('docmanager:save')"
CELLS = "() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].map(e => e.innerText)"


@contextlib.contextmanager
def run_jupyterlab(folder):
    """Start JupyterLab with settings of its own; give its folder, its URL and its token."""
    settings = {"CONFIG": "config", "DATA": "data", "RUNTIME": "runtime"}
    settings = {f"JUPYTER_{name}_DIR": str(folder / path) for name, path in settings.items()}
    settings |= {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_PREFER_ENV_PATH": "1"}
    for path in ("config/labconfig", "notebooks"):
        (folder / path).mkdir(parents=True)
    news = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (folder / "config" / "labconfig" / "page_config.json").write_text(json.dumps(news))
    options = ["--no-browser", "--allow-root", "--ip=127.0.0.1", f"--notebook-dir={folder}"]
    options += ["--LabApp.expose_app_in_browser=True"]
    with open(folder / "log", "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *options]
        process = subprocess.Popen(command, env=os.environ | settings, stdout=log, stderr=log)
    try:
        yield folder, *started(process, folder)
    finally:
        process.terminate()  # the kernels are shut down with it
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def started(process, folder):
    """Return URL and token of the server once it has written them down."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        for file in folder.glob("runtime/jpserver-*.json"):
            try:
                about = json.loads(file.read_text())
            except ValueError:  # half written
                continue
            return about["url"], about["token"]
        time.sleep(0.05)
    raise AssertionError((folder / "log").read_text())


def write_notebook(file, cells):
    """Write a notebook with cells of that code."""
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    nbformat.write(notebook, file)


def open_page(playwright, jupyterlab):
    """Return a page of JupyterLab in a Chromium of its own, with 2 pixels for a CSS pixel."""
    _, url, token = jupyterlab
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"),
        args=[*options, "--window-size=1300,1000", "--force-device-scale-factor=2"],
        timeout=1000 * PATIENCE,
    )
    page = browser.new_page(no_viewport=True)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{url}lab?token={token}&reset")
    restored(page)
    return page


def restored(page):
    """Wait until JupyterLab has opened again what was open."""
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("() => jupyterapp.restored")


def reload(page):
    """Load the page again, and wait until its notebook is ready.

    The workspace names the notebook. The address may name it too, and would open it once more
    at some later moment: it goes without.
    """
    page.goto(page.url.partition("/tree")[0])
    restored(page)
    page.wait_for_function(READY)


@contextlib.contextmanager
def opened(page, jupyterlab, file):
    """Open a notebook in the page, its kernel ready; close it without a question.

    file   a notebook in the folder of the server
    """
    path = str(file.relative_to(jupyterlab[0]))
    page.evaluate(OPEN, path)
    page.wait_for_function(READY)
    try:
        yield
    finally:  # or a search would go on during the next test
        page.evaluate(CLOSE)
        page.wait_for_function(f"() => !({NOTEBOOK})")

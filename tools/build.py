"""Run the notebooks, export them, and prove that the exports are fresh.

    python tools/build.py --module    rewrite the .py files; nothing runs (about 1 s)
    python tools/build.py --quick     run with small numbers and check; rewrite the .py files
    python tools/build.py --full      run with full numbers; rewrite .ipynb, .py and .html
    python tools/build.py --as-is     rewrite .py and .html from the outputs as saved
    python tools/build.py --pdf       print the pages by an installed Chromium, Chrome or Edge
    python tools/build.py --check     write nothing; name what is stale
    python tools/build.py --hand-in   check what a course asks for; write one zip
    python tools/build.py --ids       give every cell an id of its own, after another editor

--hand-in runs like --full; --hand-in --as-is takes the outputs as saved, and --names puts
names into what is handed in; --limit 2MB bounds the zip, --other-game lets the notebook show
a game that is not your last. Without names of notebooks: five_in_a_row.ipynb and, but for
--hand-in, every notebook in studies/. Exit status: 0 done, 1 a cell failed, an export is
stale or something is missing, 2 the command or a notebook cannot be read.
"""

import argparse
import copy
import datetime
import hashlib
import json
import math
import os
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path
from urllib.parse import unquote

# jsonschema would take 3 seconds to build grammars of addresses, which no notebook is held to.
sys.modules.setdefault("rfc3987_syntax", None)
import nbformat  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
TOOLS = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "export"))
sys.path.append(str(ROOT))
import modules  # noqa: E402
from five_in_a_row.files import put_in_place, temporary_files  # noqa: E402
from safe import say  # noqa: E402

from experiments.command import number, run  # noqa: E402

PACKAGE = "five_in_a_row"  # the main notebook and the package
PAGE = TOOLS / "page"  # what makes the pages: a program, a template, a style
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
PACKAGES = (  # whose versions a page names at its end
    "numba", "numpy", "joblib", "pandas", "matplotlib", "pygame", "pygame-ce", "jupyter_rfb"
)  # fmt: skip
VERSIONS = f"""import json, platform
from importlib.metadata import PackageNotFoundError, version
versions = {{"Python": platform.python_version()}}
for name in {PACKAGES}:
    try:
        versions[name] = version(name)
    except PackageNotFoundError:
        pass
print(json.dumps(versions))"""
IMAGE = re.compile(  # three ways to name a file; one of them is found
    r"""!\[[^]]*\]\((?:<([^>]+)>|([^)"'\s]+))|<img\s[^>]*?src=["']?([^"'>]+)""", re.IGNORECASE
)
# What nbformat raises where a file is no notebook.
INVALID = ValueError, LookupError, TypeError, AttributeError, nbformat.ValidationError
LANGUAGE = {"file_extension": ".py", "name": "python", "pygments_lexer": "ipython3"}


class BuildError(Exception):
    """A cell failed, or something is stale: one sentence for the reader, exit status 1."""

    status = 1


class InputError(BuildError):
    """The command or a notebook cannot be read: one sentence, exit status 2."""

    status = 2


# ---- notebooks: find, read, name -------------------------------------------------------


def find_notebooks(names):
    """Return the paths of the notebooks named, or of all; a name may leave out .ipynb."""
    if not names:
        return [ROOT / "five_in_a_row.ipynb", *sorted((ROOT / "studies").glob("*.ipynb"))]
    paths = []
    for name in names:
        file = Path(name if name.endswith(".ipynb") else f"{name}.ipynb")
        places = [file.absolute(), ROOT / file, ROOT / "studies" / file]
        path = next((place for place in places if place.is_file()), None)
        if path is None:
            raise InputError(f"there is no notebook {file}")
        paths.append(path)
    return paths


def read_notebook(path):
    """Return the notebook at path; raise InputError if it is not one whose cells have ids."""
    raw = read_json(path)
    if fault := id_fault(raw):
        command = f"python tools/build.py --ids {address(path)}"
        raise InputError(f"{path.name}: {fault}. To give each cell its own: {command}")
    try:
        nbformat.validate(raw)
        return nbformat.reads(json.dumps(raw), as_version=4)
    except INVALID as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{path.name} is not a valid notebook: {reason}") from None


def read_json(path):
    """Return what the file of a notebook holds, before nbformat has changed anything in it."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(raw, ensure_ascii=False).encode()  # or no file could be made of it
    except FileNotFoundError:
        raise InputError(f"there is no notebook {path.name}") from None
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}") from None
    except UnicodeError:
        raise InputError(f"{path.name} is not a valid notebook: it is not UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path.name} is not a valid notebook: {error}") from None
    if not isinstance(raw, dict):
        raise InputError(f"{path.name} is not a valid notebook: it is not a JSON object")
    for name, known in (("nbformat", range(1, 5)), ("nbformat_minor", range(100))):
        if name in raw and (type(raw[name]) is not int or raw[name] not in known):
            reason = f"{name} is {raw[name]!r}, this program knows format 4.5"
            raise InputError(f"{path.name} is not a valid notebook: {reason}")
    return raw


def id_fault(raw):
    """Return which cell of a notebook, as its file has it, has no id of its own, or "".

    nbformat gives such cells ids at random while it reads them, another one each time.
    """
    major, minor, cells = raw.get("nbformat"), raw.get("nbformat_minor"), raw.get("cells")
    if major in (1, 2, 3) or (major == 4 and minor in range(5)):
        return f"cells have no ids in format {major}.{minor}, in which it was saved"
    first = {}
    for place, cell in enumerate(cells if isinstance(cells, list) else [], 1):
        if not isinstance(cell, dict):
            continue
        name = str(cell.get("id", ""))
        if not name:
            return f"cell {place} has no id"
        if first.setdefault(name, place) != place:
            return f"cells {first[name]} and {place} have the same id {name}"
    return ""


def address(path):
    """Return a notebook's path as a command takes it: short below this project."""
    near = path.is_relative_to(ROOT)
    text = path.relative_to(ROOT).as_posix() if near else str(path)
    return f'"{text}"' if " " in text else text


def label(cell):
    """Return a cell's id and first line, as messages name it."""
    first = cell.source.strip().partition("\n")[0].strip("#* ")
    return f"cell {cell.id} ({first})"


def tags(cell):
    """Return the cell's tags, an empty list where it has none."""
    return cell.metadata.get("tags", [])


def export_folder(path):
    """Return the folder that takes the exports of the notebook at path."""
    folder = path.parent.parent if path.parent.name == "studies" else path.parent
    return folder / "export"


# ---- what an export is made from -------------------------------------------------------


def digest(*texts):
    """Return the sha256 of some texts, as 64 hexadecimal digits."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def digest_of_file(path):
    """Return the sha256 of a file's bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def code_digest(nb):
    """Return a digest of the code cells alone: which code the stored outputs belong to."""
    return digest(*(cell.source for cell in nb.cells if cell.cell_type == "code"))


def output_digest(nb):
    """Return a digest of the outputs alone: whether they are those of the last build."""
    outputs = [cell.outputs for cell in nb.cells if cell.cell_type == "code"]
    return digest(*(json.dumps(each, sort_keys=True) for each in outputs))


def page_digest(path, nb):
    """Return a digest of what a page shows and what makes it: notebook, template, images."""
    made_by = [  # as text, so that ends of lines as on Windows change nothing
        file.read_text("utf-8", errors="replace") for file in files_below(PAGE)
    ]
    images = [digest_of_file(file) for file in shown_images(path, nb) if file.is_file()]
    plays = filter(None, [play_digest(path, nb)])
    return digest(json.dumps(nb, sort_keys=True), *made_by, *images, *plays)


def play_digest(path, nb):
    """Return a digest of what plays in a notebook's page, "" where nothing does."""
    import play

    package = export_folder(path) / PACKAGE
    is_main = path.stem == PACKAGE
    return play.play_digest(nb, package) if is_main else play.match_digest(path.stem, package)


def files_below(folder):
    """Return the files of a folder in order, without hidden ones and compiled Python."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    return [file for file in files if file.name[0] != "." and file.suffix != ".pyc"]


def shown_images(path, nb):
    """Yield where the images stand that texts and outputs of a notebook name as files."""
    for cell in nb.cells:
        texts = [cell.source] if cell.cell_type == "markdown" else []
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            texts += [data[kind] for kind in ("text/html", "text/markdown") if kind in data]
        for names in IMAGE.findall("\n".join(texts)):
            name = "".join(names)
            if not name.startswith("data:"):
                yield path.parent / unquote(name)


# ---- the modules -----------------------------------------------------------------------


def module_files(path, nb):
    """Return {file: text} of the modules that a notebook gives."""
    folder = export_folder(path) / PACKAGE
    try:
        texts = modules.module_texts(nb, path.name, path.stem)
    except modules.ModuleError as error:
        raise BuildError(f"{label(error.cell)} {error}") from None
    return {folder / f"{module}.py": text for module, text in texts.items()}


# ---- a run -----------------------------------------------------------------------------


def run_notebook(path, nb, mode, cell_limit=300):
    """Return a copy of the notebook with the outputs of a fresh run in mode quick or full.

    The kernel plays no one (FIVE_PLAY=recorded) and opens no window. A cell that fails,
    writes to stderr or takes more than cell_limit seconds raises BuildError.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    nb = copy.deepcopy(nb)
    nb.cells.append(nbformat.v4.new_code_cell(VERSIONS))  # the kernel itself says them
    last = []  # the cell that runs

    def on_cell_start(cell, cell_index):
        last[:] = [cell]

    client = NotebookClient(
        nb,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        timeout=cell_limit,
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=on_cell_start,
    )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = {
            "FIVE_MODE": mode,
            "FIVE_PLAY": "recorded",
            "SDL_VIDEODRIVER": "dummy",
            "PYTHONHASHSEED": "0",
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
            "IPYTHONDIR": profile,
        }
        try:
            client.execute(env=os.environ | settings)
        except CellExecutionError:
            pass  # the error is now an output, which the next lines name
        except CellTimeoutError:
            message = f"{label(last[0])} took more than {cell_limit:g} s"
            raise BuildError(f"{path.name}: {message}") from None
        except DeadKernelError:
            raise BuildError(f"{path.name}: the kernel died in {label(last[0])}") from None
    for cell in nb.cells:
        join_streams(cell)
    refuse_bad_outputs(path, nb)
    versions = json.loads(nb.cells.pop().outputs[0].text)
    settle_metadata(nb, versions)
    return nb


def join_streams(cell):
    """Join neighbouring pieces of a stream, however the kernel cut them.

    nbclient's own coalescing moves what is printed after a figure to before it.
    """
    joined = []
    for output in cell.get("outputs", []):
        last = joined[-1] if joined else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            joined.append(output)
    if joined:
        cell.outputs = joined


def refuse_bad_outputs(path, nb):
    """Raise BuildError for the first output that must not be handed in."""
    if problem := next(bad_outputs(nb), None):
        raise BuildError(f"{path.name}: {problem}")


def bad_outputs(nb):
    """Yield a sentence for every output that must not be handed in."""
    for cell in nb.cells:
        for output in cell.get("outputs", []):
            kind = output.output_type
            if kind == "error":
                problem = f"ended in {output.ename}: {output.evalue}"
            elif kind == "stream" and output.name == "stderr":
                lines = output.text.strip().splitlines() or ["blank lines"]
                problem = f"wrote to stderr: {lines[-1]}"
            elif kind in ("display_data", "execute_result") and lacks_alt(output):
                problem = 'shows an image without {"alt": ...} in its metadata'
            else:
                continue
            yield f"{label(cell)} {problem}"


def lacks_alt(output):
    """Say whether the output's best form is an image that has no alternative text."""
    if "text/html" in output.data or "text/markdown" in output.data:
        return False
    images = [kind for kind in output.data if kind.startswith("image/")]
    about = [output.metadata, *(output.metadata.get(kind, {}) for kind in images)]
    return bool(images) and not any(each.get("alt") for each in about)


def settle_metadata(nb, versions):
    """Drop what differs from run to run; note what ran, what it gave, when, with what."""
    nb.metadata.kernelspec = dict(KERNEL)
    nb.metadata.language_info = dict(LANGUAGE)
    nb.metadata.build = {
        "ran": code_digest(nb),
        "gave": output_digest(nb),
        "date": run_date(),
        "versions": versions,
    }
    for cell in nb.cells:
        for key in ("execution", "ExecuteTime"):
            cell.metadata.pop(key, None)


def run_date():
    """Return the day of a run as 2026-01-31: today, or the one of SOURCE_DATE_EPOCH."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return datetime.date.today().isoformat()
    try:
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        problem = f"SOURCE_DATE_EPOCH must be seconds since 1970, not {epoch!r}"
        raise InputError(problem) from None


def last_run(nb):
    """Return the stored date and versions, or None if the outputs are not of that run."""
    build = nb.metadata.get("build", {})
    stored = {"date", "versions"} <= build.keys() and build.get("gave") == output_digest(nb)
    return build if stored else None


# ---- writing ---------------------------------------------------------------------------


def replace_files(files):
    """Write {path: text or bytes} so that a kill at any moment leaves every old file whole.

    All temporary files are complete before the first one takes its place. A file that
    holds the text already is left alone, and with it what numba cached for it.
    """
    try:
        new = {}
        for path, text in files.items():
            data = text.encode() if isinstance(text, str) else text
            if not (path.is_file() and path.read_bytes() == data):
                path.parent.mkdir(parents=True, exist_ok=True)
                new[path] = data
        with temporary_files(new) as ready:
            for path, temporary in ready.items():
                temporary.write_bytes(new[path])
            for path, temporary in ready.items():
                put_in_place(temporary, path)
                say(f"wrote {path.parent.name}/{path.name}")
    except OSError as error:
        file = error.filename2 or error.filename  # a rename's target is its second name
        raise BuildError(f"{file} cannot be written: {error.strerror}") from None


def page_file(path, nb):
    """Return {file: text} of the notebook's self-contained page, and of what goes with it.

    The main notebook has a reading edition, essays, figures and the game, to be printed on a
    few sheets; and where the package is there, a page that is nothing but a game to play.
    """
    import page
    import play
    import wasm

    folder = export_folder(path)
    made_from = page_digest(path, nb), last_run(nb)
    short = page.reading_edition(nb) if path.stem == PACKAGE else None
    try:
        is_main, package = path.stem == PACKAGE, folder / PACKAGE
        pieces = play.pieces(nb, package) if is_main else play.match_pieces(path.stem, package)
        text = page.page_text(
            path, nb, *made_from, has_reading=short is not None, pieces=pieces
        )
        files = {folder / f"{path.stem}.html": text}
        if pieces and is_main:
            files[folder / play.NAME] = play.play_page(nb, folder / PACKAGE)
        if short is not None:
            files[folder / f"{path.stem}_reading.html"] = page.page_text(
                path, short, *made_from, is_reading=True
            )
    except (page.PageError, wasm.LoweringError) as error:
        raise BuildError(f"{path.name}: {error}") from None
    return files


def readme_file(path):
    """Return {file: text} of the README beside the notebook, with the numbers of its run."""
    import readme

    file = path.parent / "README.md"
    if not file.is_file():
        return {}
    try:
        text = readme.filled(
            file.read_text("utf-8"), path.parent / "experiments/results/speed.csv"
        )
    except ValueError as error:
        raise BuildError(str(error)) from None
    return {file: text}


# ---- the commands ----------------------------------------------------------------------


def build_module(path, _options):
    """Rewrite the module; nothing runs."""
    replace_files(module_files(path, read_notebook(path)))


def build_quick(path, options):
    """Run with small numbers, check outputs and page; then rewrite the module alone."""
    nb = timed_run(path, read_notebook(path), "quick", options.cell_limit)
    page_file(path, nb)
    replace_files(module_files(path, nb))


def build_full(path, options):
    """Run with full numbers; rewrite notebook, module and page."""
    before = path.read_bytes() if path.is_file() else b""
    nb = timed_run(path, read_notebook(path), "full", options.cell_limit)
    text = nbformat.writes(nb) + "\n"
    nb = nbformat.reads(text, as_version=4)
    files = {path: text} | module_files(path, nb) | page_file(path, nb)
    if path.read_bytes() != before:
        raise BuildError(f"{path.name} was edited while it ran; nothing is written")
    replace_files(files | readme_file(path))


def build_as_is(path, _options):
    """Rewrite module and page from the outputs as they were saved."""
    nb = read_notebook(path)
    refuse_bad_outputs(path, nb)
    replace_files(module_files(path, nb) | page_file(path, nb) | readme_file(path))


def build_ids(path, _options):
    """Give a cell an id where it has none, or has that of an earlier cell; keep all others."""
    raw = read_json(path)
    if not id_fault(raw):
        read_notebook(path)
        say(f"{path.name}: every cell has an id of its own")
        return
    if raw.get("nbformat") == 4:
        raw["nbformat_minor"] = 5  # 4.0 to 4.4 hold nothing that 4.5 does not
    try:
        with warnings.catch_warnings(action="ignore"):
            nb = nbformat.reads(json.dumps(raw), as_version=4)
            nbformat.validate(nb)
    except INVALID as error:
        reason = str(error).partition("\n")[0]
        raise InputError(f"{path.name} is not a valid notebook: {reason}") from None
    replace_files({path: nbformat.writes(nb) + "\n"})


def build_pdf(path, _options):
    """Print the page as it stands, if it is the notebook's."""
    import pdf

    file = export_folder(path) / f"{path.stem}.html"
    if faults := stale_html(path, read_notebook(path)):
        raise BuildError(faults[0])
    try:
        pdf.print_page(file, file.with_suffix(".pdf"))
    except pdf.PrintError as error:
        raise BuildError(str(error)) from None
    say(f"wrote {file.parent.name}/{path.stem}.pdf")


def timed_run(path, nb, mode, cell_limit):
    """Run the notebook and print how long it took."""
    start = time.perf_counter()
    nb = run_notebook(path, nb, mode, cell_limit)
    say(f"ran {path.name} in {mode} mode: {time.perf_counter() - start:.0f} s")
    return nb


def check(path, _options):
    """Raise BuildError naming every export of the notebook that is not fresh."""
    faults = [*stale_module(path), *stale_page(path), *stale_readme(path)]
    if faults:
        raise BuildError("\n".join(faults))
    say(f"{path.name}: everything exported is fresh")


def stale_module(path):
    """Return a sentence if a module is not what the notebook gives, else nothing."""
    for file, text in module_files(path, read_notebook(path)).items():
        if not file.is_file() or file.read_text("utf-8") != text:
            return [f"{file.name} is stale: run python tools/build.py --module"]
    return []


def stale_page(path):
    """Return sentences on stored outputs and a page that belong to another notebook."""
    nb = read_notebook(path)
    faults = []
    if nb.metadata.get("build", {}).get("ran") != code_digest(nb):
        command = "run python tools/build.py --full"
        faults.append(f"the outputs in {path.name} are stale, its code has changed: {command}")
    return faults + stale_html(path, nb)


def stale_html(path, nb):
    """Return a sentence if the page is missing or shows another notebook, else nothing."""
    for end in ("", "_reading"):
        file = export_folder(path) / f"{path.stem}{end}.html"
        text = file.read_text("utf-8") if file.is_file() else ""
        if (text or not end) and page_digest(path, nb) not in text:
            command = "run python tools/build.py --as-is"
            return [f"{file.name} is stale, it shows another {path.name}: {command}"]
    file = export_folder(path) / "play.html"
    if path.stem == PACKAGE and (export_folder(path) / PACKAGE / "engine.py").is_file():
        reading = file.with_name(f"{PACKAGE}_reading.html")  # what leaves both out has neither
        text = file.read_text("utf-8") if file.is_file() else ""
        if (text or reading.is_file()) and play_digest(path, nb) not in text:
            return [f"{file.name} is stale: run python tools/build.py --as-is"]
    return []


def stale_readme(path):
    """Return a sentence if README's numbers are not those of the stored results."""
    for file, text in readme_file(path).items():
        if file.read_text("utf-8") != text:
            return ["README.md shows other numbers: run python tools/build.py --as-is"]
    return []


# ---- handing in ------------------------------------------------------------------------


def hand_in(path, options):
    """Print the checklist of what a course asks for; write one zip, or nothing at all.

    A copy of the notebook's folder is made, run (or taken as it is), exported and packed,
    so what is checked is what is handed in, and the working notebook stays as it was. What
    takes no time is checked first.
    """
    import handin

    text, nb = named_notebook(path, options)
    checks = handin.check_text(nb, path)
    if options.as_saved:
        checks.append(run_check(nb))
        checks.append(handin.check_game(nb, path.parent, options.other_game))
    else:
        checks += handin.check_own_game(path.parent, options.other_game)
    if any(check.faults for check in checks):
        left = "page" if options.as_saved else "run, page"
        refuse_hand_in(checks, [(left, "not tried before the rest is right")])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            copy_path = handin.copied(path, text, Path(folder))
        except OSError as error:
            raise BuildError(f"{error.filename} cannot be copied: {error.strerror}") from None
        checks += run_and_export(copy_path, path.parent, options)
        refuse_hand_in(checks, handin.notes(nb))
        packet, left_out = packed_within(copy_path, options.limit)
    if left_out:
        say(left_out)
    target = export_folder(path) / f"{path.stem}.zip"
    replace_files({target: packet})
    size = len(packet) / 1e6
    say(f"ready to hand in: {target.parent.name}/{target.name}, {size:.2f} MB")


def named_notebook(path, options):
    """Return a notebook with the names of --names in it, as text and as read."""
    import handin

    nb = read_notebook(path)
    text = path.read_bytes().decode()
    roles = dict(handin.named_roles(nb))
    if options.names is None or not roles:
        return text, nb
    try:
        names = handin.parse_names(options.names, roles)
    except handin.NamesError as error:
        raise InputError(f"--names: {error}") from None
    text = handin.put_names(text, names)
    named = nbformat.reads(text, as_version=4)  # labels are comments: the same run
    text = text.replace(code_digest(nb), code_digest(named))
    return text, nbformat.reads(text, as_version=4)


def refuse_hand_in(checks, remarks):
    """Print the checklist; raise BuildError if anything on it is missing."""
    import handin

    say(handin.report(checks, remarks, sys.stdout.encoding or "utf-8"))
    if missing := [check.what for check in checks if check.faults]:
        raise BuildError(f"not ready: {', '.join(missing)}; nothing is written")


def run_check(nb):
    """Return whether the outputs of a notebook are those of one run of its code."""
    import handin

    made = nb.metadata.get("build", {})
    built = made.get("gave") == output_digest(nb)
    edited = built and made.get("ran") != code_digest(nb)
    return handin.check_run(nb, list(bad_outputs(nb)), built, edited)


def run_and_export(path, folder, options):
    """Run the notebook unless its outputs are taken as saved; write module and page beside it.

    folder   of the notebook that path is a copy of
    Returns the checks of the run, the game and the page, as far as they were not made.
    """
    import handin

    nb, checks = read_notebook(path), []
    try:
        write_beside(module_files(path, nb))  # a cell times how long it takes to import
        if not options.as_saved:
            nb = timed_run(path, nb, "full", options.cell_limit)
            write_beside({path: nbformat.writes(nb) + "\n"})
            nb = read_notebook(path)
            checks.append(run_check(nb))
            checks.append(handin.check_game(nb, folder, options.other_game))
    except BuildError as error:
        return [handin.Check("run", "", [without_name(path, error)])]
    try:
        files = page_file(path, nb)
    except BuildError as error:
        return [*checks, handin.Check("page", "", [without_name(path, error)])]
    write_beside(files)
    fresh = page_digest(path, read_notebook(path))
    return [*checks, handin.check_page(next(iter(files.values())), fresh, path.name)]


def packed_within(path, limit):
    """Return the zip of a copied folder, and what was left out of it to stay below a limit.

    First the reading edition goes, then play.html, then as few of the notebook's pictures as
    will do: the page plays too and holds all pictures, and a run makes them again.
    """
    import handin

    nb, files = read_notebook(path), handin.files_of(path)
    built = last_run(nb)
    day = tuple(map(int, (built["date"] if built else run_date()).split("-")))
    packet = handin.zipped(files, path.stem, day)
    if len(packet) <= limit:
        return packet, ""
    spare = [name for name in handin.spare_pages(path.stem) if name in files]
    shown = handin.output_pictures(nb)

    def without(pages, pictures):
        lighter = without_pictures(path, without_pages(path, files, pages), pictures)
        return handin.zipped(lighter, path.stem, day)

    least = without(spare, shown)
    whole = f"the whole zip has {len(packet) / 1e6:.2f} MB, --limit allows {limit / 1e6:g} MB"
    if len(least) > limit:
        raise BuildError(
            f"{whole}. It can get as small as {math.ceil(len(least) / 1e4) / 100:.2f} MB, "
            f"without {handin.in_words(path.stem, spare, shown)}; nothing is written"
        )
    pages, pictures = [], []
    while len(packet) > limit:
        if len(pages) < len(spare):
            pages = spare[: len(pages) + 1]
        else:
            kept = [each for each in shown if each not in pictures]
            pictures += handin.largest_needed(kept, len(packet) - limit)
        packet = without(pages, pictures)
    smallest = f"The smallest zip has {len(least) / 1e6:.2f} MB."
    lines = handin.in_lines(path.stem, pages, pictures)
    return packet, "\n".join([f"{whole[0].upper()}{whole[1:]}. Left out:", *lines, smallest])


def without_pages(path, files, pages):
    """Return the files of a zip without some pages, and without the link to them."""
    lighter = {name: data for name, data in files.items() if name not in pages}
    page = f"export/{path.stem}.html"
    if f"export/{path.stem}_reading.html" in pages:
        lighter[page] = without_reading(files[page].decode()).encode()
    return lighter


def without_pictures(path, files, pictures):
    """Return the files of a zip with words in the place of some of the notebook's pictures."""
    import handin

    if not pictures:
        return files
    nb, page = read_notebook(path), f"export/{path.stem}.html"
    built, before = last_run(nb), page_digest(path, nb)
    for picture in pictures:
        handin.leave_picture_out(nb, picture, page)
    if built:
        nb.metadata.build["gave"] = output_digest(nb)
    text = nbformat.writes(nb) + "\n"
    after = page_digest(path, nbformat.reads(text, as_version=4))
    changed = {path.name: text.encode()}
    for name in handin.own_pages(path.stem):
        if name in files:
            changed[name] = files[name].replace(before.encode(), after.encode())
    return files | changed


def without_reading(text):
    """Return a page without its link to the reading edition."""
    return re.sub(r'<p class="reading-link">.*?</p>\n?', "", text, flags=re.S)


def write_beside(files):
    """Write {path: text} into the folder that is packed; nobody else reads it meanwhile."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def without_name(path, error):
    """Return an error's sentence without the notebook's name at its beginning."""
    return str(error).removeprefix(f"{path.name}: ")


COMMANDS = {
    "module": (build_module, "rewrite the .py files; nothing runs (about 1 s)"),
    "quick": (build_quick, "run with small numbers and check; rewrite the .py files only"),
    "full": (build_full, "run with full numbers; rewrite .ipynb, .py and .html"),
    "as-is": (build_as_is, "rewrite .py and .html from the saved outputs; nothing runs"),
    "pdf": (build_pdf, "print the pages by an installed Chromium, Chrome or Edge"),
    "check": (check, "write nothing; exit with 1 and name what is stale"),
    "hand-in": (hand_in, "check what a course asks for; write export/five_in_a_row.zip"),
    "ids": (build_ids, "give every cell an id of its own, after another editor"),
}


def parse(arguments):
    """Return the options of the command line; a wrong one ends with status 2."""
    parser = argparse.ArgumentParser(
        prog="build.py",
        description="Run the notebooks, export them, prove that the exports are fresh.",
        epilog="Exit status: 0 done; 1 a cell failed or an export is stale; 2 bad input.",
    )
    for name, (_, text) in COMMANDS.items():
        parser.add_argument(
            f"--{name}", dest="chosen", action="append_const", const=name, help=text
        )
    parser.add_argument(
        "--names",
        metavar='"ROLE=NAME,..."',
        help="with --hand-in: who stands behind a role, in the copy that is handed in",
    )
    parser.add_argument(
        "--limit",
        type=byte_count,
        metavar="SIZE",
        help="with --hand-in: what the zip may have, such as 2MB (default 5MB); what a run "
        "makes again is left out where it has more, and named",
    )
    parser.add_argument(
        "--other-game",
        action="store_true",
        help="with --hand-in: the notebook may show a game that is not your last one",
    )
    parser.add_argument(
        "--cell-limit",
        type=number(0.001, 86_400),
        default=300,
        metavar="SECONDS",
        help="the longest time a cell may take (default 300)",
    )
    parser.add_argument(
        "notebooks", nargs="*", help="default: five_in_a_row and all of studies/"
    )
    options = parser.parse_args(arguments)
    settle_command(parser, options)
    return options


def byte_count(text):
    """Return the bytes of a size such as 2MB, 1.5 MB or 900kB."""
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) ?(kB|MB)", text, re.IGNORECASE | re.ASCII)
    count = int(float(found[1]) * (1e6 if found[2].lower() == "mb" else 1e3)) if found else 0
    if not count:
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 2MB, 1.5MB or 900kB")
    return count


def settle_command(parser, options):
    """Set options.command, and as_saved for --hand-in --as-is; refuse other mixtures."""
    chosen = set(options.chosen or [])
    handing_in = "hand-in" in chosen
    options.as_saved = handing_in and "as-is" in chosen
    if options.as_saved:
        chosen.remove("as-is")
    if len(chosen) != 1:
        commands = ", ".join(f"--{name}" for name in COMMANDS)
        parser.error(f"one of {commands} is needed; only --hand-in goes with --as-is")
    asked = {
        "--names": options.names is not None,
        "--limit": options.limit is not None,
        "--other-game": options.other_game,
    }
    wrong = [name for name, is_asked in asked.items() if is_asked]
    if wrong and not handing_in:
        parser.error(f"{wrong[0]} goes with --hand-in only")
    if handing_in:
        import handin

        options.limit = options.limit or handin.LIMIT
        options.notebooks = options.notebooks or [PACKAGE]
        if len(options.notebooks) > 1:
            parser.error("--hand-in takes one notebook")
    options.command = COMMANDS[chosen.pop()][0]


def main(arguments=None):
    """Do one command for each notebook and return the exit status."""
    options = parse(arguments)
    status = 0
    try:
        for path in find_notebooks(options.notebooks):
            try:
                options.command(path, options)
            except InputError:
                raise
            except BuildError as error:
                if options.command is not check:
                    raise
                say(error, sys.stderr)
                status = error.status
    except BuildError as error:
        say(f"build.py: {error}", sys.stderr)
        return error.status
    return status


if __name__ == "__main__":
    run(main)

"""Turn the `define` cells of a notebook into modules of the package.

A cell tagged `define` goes into the module of its notebook's name, one tagged `define:game`
into the module `game`. A module holds code and, above the first cell of a section, the title
of that section; the prose stays in the notebook.

A module imports what it uses: of the imports of the notebook those that it names, not those of
its demos; and where a notebook gives several modules, from the others what they define. So a
name may stand in one of them only, and two modules may not use each other.
"""

import ast
import symtable
import sys
from typing import NamedTuple

import five_in_a_row

WIDTH = 95  # of the longest line, as ruff has it
PACKAGE = "five_in_a_row"


class ModuleError(ValueError):
    """A cell that cannot be part of a module: a sentence that goes on from the cell's name."""

    def __init__(self, cell, reason):
        super().__init__(reason)
        self.cell = cell


class Part(NamedTuple):
    """A cell in its module."""

    title: str  # of the section in which it stands
    source: str


def module_texts(nb, notebook, stem):
    """Return {module: text} of all modules that a notebook gives.

    notebook   its file name
    stem       the module of cells that are tagged `define` and no more
    """
    modules = with_imports(modules_of(nb, stem))
    return {name: module_text(notebook, parts) for name, parts in modules.items()}


def modules_of(nb, stem):
    """Return {module: parts} of a notebook, the cells of each module in their order."""
    found, title = {}, ""
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            title = title_in(cell.source) or title
        elif module := module_of(cell, stem):
            try:
                ast.parse(cell.source)
            except SyntaxError as error:
                reason = f"is not plain Python, line {error.lineno}: {error.msg}"
                raise ModuleError(cell, reason) from None
            found.setdefault(module, []).append(Part(title, cell.source))
    return found


def module_of(cell, stem):
    """Return the module that a code cell goes into, None for a demo."""
    for tag in cell.metadata.get("tags", []):
        kind, _, module = tag.partition(":")
        if kind == "define":
            if module and module not in five_in_a_row.MODULES:
                allowed = ", ".join(five_in_a_row.MODULES)
                raise ModuleError(cell, f"is tagged {tag!r}: the modules are {allowed}")
            return module or stem
    return None


def title_in(text):
    """Return the last heading of a text without its number signs, "" if it has none."""
    title, in_code = "", False
    for line in text.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        signs, _, words = line.partition(" ")
        if signs and not signs.strip("#") and not in_code:
            title = words.strip()
    return title


def module_text(notebook, parts):
    """Return a module: the notebook it comes from, titles of sections, and code."""
    pieces = [f"# Made from {notebook} by tools/build.py: change the notebook, not this file."]
    shown = ""
    for part in parts:
        if part.title and part.title != shown:
            dashes = "-" * (WIDTH - len(f"# ---- {part.title} "))
            pieces.append(f"# ---- {part.title} {dashes}")
            shown = part.title
        pieces.append(part.source.strip("\n"))
    return "\n\n\n".join(pieces) + "\n"


# ---- imports ---------------------------------------------------------------------------


def with_imports(modules):
    """Return {module: parts} in which each module begins with the imports that it needs."""
    imported, home = {}, {}
    for name, parts in modules.items():
        for part in parts:
            imported |= imports_in(part.source)
            home |= dict.fromkeys(names_bound(part.source), name)
    result = {}
    for name, parts in modules.items():
        used = set().union(*(names_used(part.source) for part in parts))
        needed = [imported[each] for each in used & imported.keys()]
        needed += [
            (f"{PACKAGE}.{home[each]}", each, None)
            for each in used & home.keys()
            if home[each] != name
        ]
        parts = [part._replace(source=without_imports(part.source)) for part in parts]
        parts = [part for part in parts if ast.parse(part.source).body]
        result[name] = [Part("", import_text(needed)), *parts]
    return result


def imports_in(source):
    """Return {name: (module, name in it or None, other name or None)} of a cell's imports."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            for each in node.names:
                bound = each.asname or each.name.partition(".")[0]
                found[bound] = each.name, None, each.asname
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                found[each.asname or each.name] = node.module, each.name, each.asname
    return found


def names_bound(source):
    """Return the names that the top level of a cell gives a value, imports apart."""
    top = symtable.symtable(source, "<cell>", "exec")
    return {
        each.get_name()
        for each in top.get_symbols()
        if each.is_assigned() and not each.is_imported()
    }


def names_used(source):
    """Return the global names that a cell reads, those in annotations written as text too."""
    found, scopes = set(), [symtable.symtable(source, "<cell>", "exec")]
    while scopes:
        scope = scopes.pop()
        scopes += scope.get_children()
        for each in scope.get_symbols():
            if each.is_referenced() and (scope.get_type() == "module" or each.is_global()):
                found.add(each.get_name())
    for node in ast.walk(ast.parse(source)):
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for each in ast.walk(note) if note else ():
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    found |= names_used(each.value)
    return found


def without_imports(source):
    """Return the text of a cell without the imports at its top level."""
    lines = source.splitlines()
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            del lines[node.lineno - 1 : node.end_lineno]
    return "\n".join(lines).strip("\n")


def import_text(imports):
    """Return import statements: standard library, other packages, this package."""
    kinds = {"standard": [], "other": [], "own": []}
    for module, name, alias in imports:
        root = module.partition(".")[0]
        kind = "standard" if root in sys.stdlib_module_names else "other"
        kinds["own" if root == PACKAGE else kind].append((module, name, alias))
    return "\n\n".join(import_lines(each) for each in kinds.values() if each)


def import_lines(imports):
    """Return import statements of one kind, in order, one for each module."""
    lines, names_of = [], {}
    for module, name, alias in sorted(imports, key=str):
        other = f" as {alias}" if alias else ""
        if name is None:
            lines.append(f"import {module}{other}")
        else:
            names_of.setdefault(module, []).append(name + other)
    for module, names in names_of.items():
        lines.append(import_line(module, sorted(names, key=order_of_names)))
    return "\n".join(lines)


def import_line(module, names):
    """Return "from module import names", over several lines where one is too long."""
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"from {module} import (", *(f"    {name}," for name in names), ")"])


def order_of_names(name):
    """Sort as ruff does: CONSTANTS, then Classes, then functions."""
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name

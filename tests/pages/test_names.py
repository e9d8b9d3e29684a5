"""The names of the notebooks: after Run All, each cell may be run again alone.

It then finds under every name what it found the first time, whatever ran after it. So

*   what a define cell binds, no other cell binds: a student edits it and runs it again;
*   what a cell takes from another cell is bound by that one alone, and further up;
*   a cell does not take what it binds itself, as count = count + 1 does;
*   a cell does not store into what it takes, as SCORES["five"] = 0 does.

A cell may well bind a name that others bind too (game, figure, result), as long as each
binds it before reading it. The same import may stand in several cells.
"""

import ast
import builtins
import dis
import inspect
import types

import build
import modules
import pytest

NOTEBOOKS = build.find_notebooks([])
COMPREHENSIONS = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


class CellNames:
    """What a cell does with the names of its notebook, read from its bytecode from top to end.

    binds     every name that it binds, {name: the import, or None}
    takes     names that it reads above the place where it binds them
    later     names that its functions read, whenever they are called
    changes   names that it does not bind and stores into: name.x = 1, name[0] = 1

    Each branch and each loop counts as one that runs.
    """

    def __init__(self, code):
        self.binds, self.takes, self.later, self.changes = {}, set(), set(), set()
        self.bound = set()  # down to here
        self.read(compile(code, "cell", "exec"), set(), False)
        for node in outside_functions(ast.parse(code)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.note_import(node)
            elif isinstance(node, ast.Attribute | ast.Subscript):
                self.note_change(node)

    def read(self, code, own, called):
        """Note what code does; own: names of the class around; called: in a function."""
        for step in dis.get_instructions(code):
            name, inside = step.argval, step.argval
            if isinstance(inside, types.CodeType):
                is_class = not inside.co_flags & inspect.CO_OPTIMIZED
                now = is_class or inside.co_name in COMPREHENSIONS
                self.read(inside, set() if is_class else own, called or not now)
            elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL") and not hasattr(builtins, name):
                if called:
                    self.later.add(name)
                elif name not in self.bound | own:
                    self.takes.add(name)
            elif step.opname == "STORE_NAME" and code.co_name != "<module>":
                own.add(name)
            elif step.opname in ("STORE_NAME", "STORE_GLOBAL"):
                self.binds[name] = None
                self.bound.add(name)
            elif step.opname == "DELETE_NAME":
                self.bound.discard(name)  # Python deletes the name of an exception

    def note_import(self, node):
        """Note of a name that an import binds which one it is."""
        for each in node.names:
            name = each.asname or each.name.partition(".")[0]
            if name in self.binds:
                whole = each.name if each.asname else name
                module = getattr(node, "module", None)
                self.binds[name] = f"{module}.{each.name}" if module else whole

    def note_change(self, node):
        """Note the name into a part of which a cell stores."""
        whole = node
        while isinstance(whole, ast.Attribute | ast.Subscript):
            whole = whole.value
        if isinstance(whole, ast.Name) and not isinstance(node.ctx, ast.Load):
            self.changes |= {whole.id} & self.takes | {whole.id} - self.binds.keys()


def outside_functions(node):
    """Yield a node and what stands in it, but for functions and classes."""
    yield node
    if not isinstance(
        node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
    ):
        for each in ast.iter_child_nodes(node):
            yield from outside_functions(each)


def read_cells(path):
    """Return [(id, whether it is tagged define, code)] of a notebook's code cells."""
    cells = [cell for cell in build.read_notebook(path).cells if cell.cell_type == "code"]
    return [
        (cell.id, modules.module_of(cell, path.stem) is not None, cell.source)
        for cell in cells
    ]


def faults(cells):
    """Yield a sentence for each name that keeps a cell from being run again alone."""
    found = {cell: CellNames(code) for cell, _, code in cells}
    order = list(found)
    define = {cell for cell, defines, _ in cells if defines}
    owners: dict = {}
    for cell, names in found.items():
        for name, source in names.binds.items():
            owners.setdefault(name, {})[cell] = source
    for name, binders in owners.items():
        sources = set(binders.values())
        if len(binders) > 1 and (len(sources) > 1 or None in sources):
            first = next((cell for cell in binders if cell in define), None)
            others = ", ".join(cell for cell in binders if cell != first)
            readers = [cell for cell in order if name in found[cell].takes | found[cell].later]
            if first:
                yield f"{name}: {first} defines it, and it is bound again in {others}"
            elif readers:
                yield f"{name}: {', '.join(readers)} may find that of any of {others}"
    for cell, names in found.items():
        for name in sorted(names.takes & owners.keys()):
            above = order[: order.index(cell)]
            if not any(each in owners[name] for each in above):
                yield f"{name}: {cell} reads it, and nothing above binds it"
            if name in names.binds:
                yield f"{name}: {cell} reads it before it binds it"
        for name in sorted(names.changes):
            yield f"{name}: {cell} stores into it, and another cell owns it"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_after_run_all_each_cell_finds_the_names_that_it_found_first(path):
    assert "\n".join(faults(read_cells(path))) == ""

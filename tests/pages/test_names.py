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
import symtable

import build
import modules
import pytest

NOTEBOOKS = build.find_notebooks([])
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}


class CellNames(ast.NodeVisitor):
    """What a cell does with the names of its notebook, read from its syntax tree.

    binds     every name that it binds, {name: the import, or None}
    takes     names that it reads before it has bound them on each way there
    later     names that its functions read, whenever they are called
    changes   names that it has not bound and stores into: name.x = 1, name[0] = 1

    A loop counts as one that runs.
    """

    def __init__(self, code):
        self.binds, self.takes, self.changes = {}, set(), set()
        self.bound = set()  # here, for certain
        self.inner = []  # names of the comprehensions and classes around
        self.visit(ast.parse(code))
        self.later, assigned = names_in_functions(symtable.symtable(code, "cell", "exec"))
        self.binds |= dict.fromkeys(assigned)

    def bind(self, name, source=None):
        """Note that a name is bound here."""
        if not any(name in names for names in self.inner):
            self.binds[name] = source
            self.bound.add(name)

    def is_taken(self, name):
        """Say whether a name that is read here comes from another cell."""
        own = self.bound.union(*self.inner)
        return name not in own and not hasattr(builtins, name)

    def visit_each(self, *nodes):
        """Visit nodes, and lists of nodes, in the order in which they run."""
        for node in nodes:
            for each in node if isinstance(node, list) else [node]:
                if each is not None:
                    self.visit(each)

    def visit_ways(self, *ways):
        """Visit lists of nodes of which one is run; what each binds is bound then."""
        before, after = self.bound, []
        for nodes in ways:
            self.bound = set(before)
            self.visit_each(nodes)
            last = (
                nodes[-1].body if nodes and isinstance(nodes[-1], ast.ExceptHandler) else nodes
            )
            if not (last and isinstance(last[-1], ast.Raise)):
                after.append(self.bound)
        self.bound = set.intersection(*after) if after else before

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id)
        elif self.is_taken(node.id):
            self.takes.add(node.id)

    def visit_Import(self, node):
        for each in node.names:
            whole = each.name if each.asname else each.name.partition(".")[0]
            self.bind(each.asname or whole, whole)

    def visit_ImportFrom(self, node):
        for each in node.names:
            self.bind(each.asname or each.name, f"{node.module}.{each.name}")

    def visit_Assign(self, node):
        self.visit_each(node.value, node.targets)

    def visit_AnnAssign(self, node):
        self.visit_each(node.annotation, node.value, node.target if node.value else None)

    def visit_AugAssign(self, node):
        if isinstance(node.target, ast.Name) and self.is_taken(node.target.id):
            self.takes.add(node.target.id)
        self.visit_each(node.value, node.target)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        inner, self.inner = (
            self.inner,
            [],
        )  # also in a comprehension it binds a name of the cell
        self.visit(node.target)
        self.inner = inner

    def visit_For(self, node):
        self.visit_each(node.iter, node.target, node.body, node.orelse)

    def visit_If(self, node):
        self.visit(node.test)
        self.visit_ways(node.body, node.orelse)

    def visit_Try(self, node):
        self.visit_ways(node.body + node.orelse, *([handler] for handler in node.handlers))
        self.visit_each(node.finalbody)

    def visit_ExceptHandler(self, node):
        self.visit_each(node.type)
        if node.name:
            self.bind(node.name)
        self.visit_each(node.body)
        self.bound.discard(node.name)  # Python deletes it

    def visit_comprehension_of(self, node):
        for each in node.generators:
            self.visit(each.iter)
            self.inner.append(stored_names(each.target))
            self.visit_each(each.target, each.ifs)
        pair = isinstance(node, ast.DictComp)
        self.visit_each(*((node.key, node.value) if pair else [node.elt]))
        del self.inner[-len(node.generators) :]

    visit_ListComp = visit_SetComp = visit_DictComp = visit_comprehension_of
    visit_GeneratorExp = visit_comprehension_of

    def visit_Lambda(self, node):
        self.visit_each(node.args)

    def visit_arguments(self, node):
        self.visit_each(node.defaults, node.kw_defaults)
        given = [*node.posonlyargs, *node.args, *node.kwonlyargs, node.vararg, node.kwarg]
        self.visit_each([each.annotation for each in given if each])

    def visit_FunctionDef(self, node):
        self.visit_each(node.decorator_list, node.args, node.returns)
        self.bind(node.name)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.visit_each(node.decorator_list, node.bases, node.keywords)
        defined = {each.name for each in node.body if hasattr(each, "name")}
        self.inner.append(defined | set().union(*map(stored_names, node.body)))
        self.visit_each(node.body)
        self.inner.pop()
        self.bind(node.name)

    def visit_part(self, node):
        whole = node
        while isinstance(whole, ast.Attribute | ast.Subscript):
            whole = whole.value
        stored = not isinstance(node.ctx, ast.Load) and isinstance(whole, ast.Name)
        if stored and self.is_taken(whole.id):
            self.changes.add(whole.id)
        self.generic_visit(node)

    visit_Attribute = visit_Subscript = visit_part


def stored_names(node):
    """Return the names that a node stores, wherever in it."""
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return {name.id for name in names if not isinstance(name.ctx, ast.Load)}


def names_in_functions(table, inside=False):
    """Return the names of the notebook that functions of a table read, and those they bind."""
    read, assigned = set(), set()
    for child in table.get_children():
        function = child.get_type() == "function"
        within = inside or (function and child.get_name() not in COMPREHENSIONS)
        parts = names_in_functions(child, within)
        # A function called "top" is taken for the module: is_local() tells the two apart.
        shared = [s for s in child.get_symbols() if s.is_global() and not s.is_local()]
        if within and function:
            read |= {s.get_name() for s in shared if s.is_referenced()}
            assigned |= {s.get_name() for s in shared if s.is_assigned()}
        read, assigned = read | parts[0], assigned | parts[1]
    return {name for name in read if not hasattr(builtins, name)}, assigned


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

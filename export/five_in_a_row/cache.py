"""Compile kernels with numba, and keep what was compiled on disk, safely.

numba can keep compiled code as well, but not well enough for kernels that call each other. It
takes a function for changed when any byte of its file has changed, a comment included, and it
looks at no other file, while a kernel calls kernels of other modules. It also numbers its
files, so two sessions that compile at once could take each other's.

Here a file is named after all that its code was made from: the bytecode of the function and of
every kernel that it calls, the values of the globals and closures that numba freezes into
them, and the versions of Python, numpy and numba. Comments, docstrings and line numbers do not
count. So code that is found is never that of another text, and nothing has to be looked up in
an index that two sessions might write at once.

numba has no public way to hand in a cache of one's own. What is used of its inside stands in
one class, `SafeCache`: the attribute `_cache` of a compiled function, of which numba calls
`load_overload` and `save_overload`, and `CompileResultCacheImpl`, which knows the folder and
takes compiled code apart. numba is pinned to one version; tests/pages/test_cache.py tries it.

A function that closes over one from a live notebook is never kept, since it would go on
answering for the cell as it was before an edit. Where the cache cannot be read or written,
or a file is damaged, kernels are compiled without it, and one sentence on stderr says so.
Nothing is played without compiling: a kernel reads records as numba does, not as Python does.
"""

import builtins
import dis
import hashlib
import pickle
import sys
import threading
import types
import weakref
from functools import lru_cache, wraps
from pathlib import Path

from . import check_imports

check_imports()  # numba is the slowest import, so the likeliest to have been interrupted
import llvmlite  # noqa: E402
import numba  # noqa: E402
import numpy as np  # noqa: E402
from numba import config, njit  # noqa: E402
from numba.core.caching import CompileResultCacheImpl, NullCache  # noqa: E402
from numba.core.registry import cpu_target  # noqa: E402
from numba.core.serialize import dumps  # noqa: E402

from five_in_a_row.files import replace_file  # noqa: E402

if config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, but the search must be compiled: unset it")

HERE = Path(__file__).parent
TRIES = 100


def make_target() -> None:
    """Let numba make what all kernels share, and try again where that is disturbed.

    numba walks through Python's builtins as it does so. A board in a notebook loads this in a
    thread, while the cells below run and add `_`, their last output, to the builtins. Then
    the walk ends with "dictionary changed size during iteration"; nothing is left half made.
    """
    for attempt in range(TRIES):
        try:
            cpu_target.target_context  # noqa: B018  # made when it is first asked for
            return
        except RuntimeError as error:
            if "changed size" not in str(error) or attempt == TRIES - 1:
                raise


make_target()
MAKING = threading.RLock()


def made_once(function):
    """Return a function that makes a result once for each argument, among threads too.

    lru_cache alone lets two threads that ask at the same time make two.
    """
    kept = lru_cache(function)

    @wraps(function)
    def once(*given, **named):
        with MAKING:
            return kept(*given, **named)

    return once


def inline_kernel(function):
    """Return the function compiled when first called, to be built into others; never kept.

    Its name is made to tell what it closes over. numba would give all the functions that one
    `build_...` returns the same name, and mix up those that different sessions have kept.
    While a kernel runs, other threads run too. No entry for C is made, which nothing calls.
    """
    if inside := contents(function):
        made = [closed_over(thing) for thing in inside]
        function.__qualname__ += "_" + hashlib.sha256(repr(made).encode()).hexdigest()[:12]
    return njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)


def jit(function):
    """Return the function compiled when first called, and kept on disk if in a module."""
    compiled = inline_kernel(function)
    if in_a_module(function):
        compiled._cache = SafeCache(function, compiled)
    return compiled


def contents(function) -> list:
    """Return what a function closes over, compiled functions as the Python ones."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return [getattr(thing, "py_func", thing) for thing in cells]


def closed_over(thing) -> str:
    """Return a text that tells apart what functions of one name may close over."""
    try:
        return described(thing, [])
    except NotKept:
        return repr(thing)


def in_a_module(function) -> bool:
    """Return False for a function that was written in a live notebook."""
    return "__file__" in function.__globals__


# What compiled code is made from is written as text, and the text is hashed. Whatever is not
# known to be written in full there is refused: code that depends on it is not kept.


class NotKept(Exception):
    """Compiled code is made from something that no text tells in full.

    Without a message: from something of a live notebook, or known to this session only.
    """


TOOL_VERSIONS = sys.version, numba.__version__, llvmlite.__version__, np.__version__
FIXED_BY_VERSIONS = {"builtins", "math", "operator", "numpy", "numba"}
ATOMS = bool | int | float | complex | str | bytes | slice | None | types.EllipsisType


def described(value, functions: list) -> str:
    """Return a value in full as text; a function by its name, and it joins `functions`.

    Raises NotKept for a value that cannot be written in full.
    """
    value = getattr(value, "py_func", value)  # of a compiled function, the Python one
    kind = type(value).__name__
    if isinstance(value, types.CodeType):
        return code_text(value, value.co_consts, functions)
    if isinstance(value, np.dtype):
        return f"dtype {value!r}"
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        layout = f"{value.shape} {np.asarray(value).flags.f_contiguous}"
        inside = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{kind} {value.dtype!r} {layout} {inside}"
    if isinstance(value, ATOMS):
        return f"{kind} {value!r}"
    if isinstance(value, tuple | list):
        return f"{kind} [{', '.join(described(each, functions) for each in value)}]"
    if isinstance(value, frozenset | set):
        return f"{kind} {sorted(described(each, functions) for each in value)}"
    if isinstance(value, numba.types.Type):
        return f"numba type {value}"
    if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
        defaults = sorted(value._field_defaults.items())
        return f"named tuple {value.__name__} {value._fields} {described(defaults, functions)}"
    name = getattr(value, "__qualname__", getattr(value, "__name__", None))
    home = getattr(value, "__module__", None) or type(value).__module__
    home = name if isinstance(value, types.ModuleType) else home
    if name and home.partition(".")[0] in FIXED_BY_VERSIONS:
        return f"{kind} {home}.{name}"
    if isinstance(value, types.FunctionType):
        functions.append(value)
        return f"function {home}.{name}"
    raise NotKept(f"a kernel uses {value!r}, which cannot be written in full")


def code_text(code: types.CodeType, constants, functions: list) -> str:
    """Return bytecode as text, without line numbers and without the names of files."""
    shape = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    inside = [described(constant, functions) for constant in constants]
    return repr((code.co_code.hex(), code.co_exceptiontable.hex(), shape, names, inside))


FROM_A_MODULE = "LOAD_ATTR", "LOAD_METHOD"


def used_globals(code: types.CodeType, space: dict) -> dict:
    """Return {name: value} of the globals that bytecode reads.

    space   the globals of its function
    Of a module, it is what is taken from it that counts.
    """
    found, name, value = {}, "", None
    for step in dis.get_instructions(code):
        if step.opname == "LOAD_GLOBAL":
            name = step.argval
            value = space.get(name, getattr(builtins, name, None))
            found[name] = value
        elif isinstance(value, types.ModuleType) and step.opname in FROM_A_MODULE:
            found.pop(name, None)  # not the module itself, but what is taken from it
            name, value = f"{name}.{step.argval}", getattr(value, str(step.argval), None)
            found[name] = value
        elif step.opname != "EXTENDED_ARG":
            value = None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= used_globals(constant, space)
    return found


own_texts = weakref.WeakKeyDictionary()  # function: its hash, and the functions that it calls


def own_text(function) -> tuple[str, list]:
    """Return (hash of what a function is made from, the functions that it calls).

    It is worked out once, before the function is compiled: numba freezes globals then.
    """
    if function not in own_texts:
        if not in_a_module(function):
            raise NotKept
        code, calls = function.__code__, []
        constants = code.co_consts
        if function.__doc__ is not None and constants[:1] == (function.__doc__,):
            constants = None, *constants[1:]
        text = [function.__module__, function.__qualname__, code_text(code, constants, calls)]
        text += [described(list(function.__defaults__ or ()), calls)]
        text += [described(thing, calls) for thing in contents(function)]
        for name, value in sorted(used_globals(code, function.__globals__).items()):
            text += [name, described(value, calls)]
        own_texts[function] = hashlib.sha256(repr(text).encode()).hexdigest(), calls
    return own_texts[function]


def with_callees(function) -> list:
    """Return a function and all that it calls, directly or not, each once."""
    found, rest = {}, [function]
    while rest:
        each = rest.pop()
        if each not in found:
            found[each] = True
            rest += own_text(each)[1]
    return list(found)


def made_from(function) -> str:
    """Return a hash of all that the compiled code of a function is made from."""
    texts = sorted(own_text(each)[0] for each in with_callees(function))
    return hashlib.sha256(repr((TOOL_VERSIONS, texts)).encode()).hexdigest()


class SafeCache(NullCache):
    """The files with the compiled code of one function: one a signature.

    A file begins with a hash of what follows, so that a damaged one is noticed.
    """

    def __init__(self, function, compiled):
        self.function, self.options = function, repr(sorted(compiled.targetoptions.items()))
        self._parts = None

    @property
    def parts(self) -> CompileResultCacheImpl:
        """What numba offers; RuntimeError where there is no folder to write to."""
        if self._parts is None:
            self._parts = CompileResultCacheImpl(self.function)
        return self._parts

    @property
    def cache_path(self) -> str | None:
        """The folder of the files, for numba's statistics; None where there is none."""
        try:
            return self.parts.locator.get_cache_path()
        except RuntimeError:
            return None

    @property
    def begin(self) -> str:
        """What the names of all files of this function begin with, outdated ones included."""
        name = f"{Path(self.function.__code__.co_filename).stem}.{self.function.__qualname__}"
        name = name.replace("<", "").replace(">", "")
        return f"{name}.py{sys.version_info[0]}{sys.version_info[1]}-"

    def is_kept(self) -> bool:
        """Return True if code of the function as it is now is on disk, for some types."""
        made = f"{self.begin}{made_from(self.function)[:20]}"
        folder = Path(self.parts.locator.get_cache_path())
        return any(file.name.startswith(made) for file in folder.iterdir())

    def name_and_key(self, signature, codegen) -> tuple[str, tuple]:
        """Return the name of the file for a signature, and what must stand in it."""
        if any(isinstance(kind, numba.types.Dispatcher) for kind in signature):
            raise NotKept  # a function that is handed over, of this session
        settings = config.OPT, config.BOUNDSCHECK, config.LOOP_VECTORIZE, config.SLP_VECTORIZE
        key = signature, codegen.magic_tuple(), self.options, repr(settings)
        variant = hashlib.sha256(repr(key).encode()).hexdigest()[:12]
        return f"{self.begin}{made_from(self.function)[:20]}-{variant}.nbc", key

    def load_overload(self, signature, target_context):
        """Return the compiled code for a signature, None where it must be compiled."""
        target_context.refresh()
        try:
            name, key = self.name_and_key(signature, target_context.codegen())
            file = Path(self.parts.locator.get_cache_path(), name)
            if not file.exists():
                return None
            kept = file.read_bytes()
            if kept[:32] != hashlib.sha256(kept[32:]).digest():
                raise ValueError("a file is damaged")
            known, code = pickle.loads(kept[32:])
            return self.parts.rebuild(target_context, code) if known == key else None
        except Exception as error:  # pickle may raise anything where a file is damaged
            say_once(error)
        return None

    def save_overload(self, signature, data):
        """Keep the compiled code for a signature, if it can be; outdated files go."""
        try:
            name, key = self.name_and_key(signature, data.codegen)
            if not self.parts.check_cachable(data):
                return
            code = dumps((key, self.parts.reduce(data)))
            folder = Path(self.parts.locator.get_cache_path())
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, hashlib.sha256(code).digest() + code)
            made = name.rpartition("-")[0]
            for other in folder.iterdir():
                if other.name.startswith(self.begin) and not other.name.startswith(made):
                    other.unlink(missing_ok=True)
        except (NotKept, OSError, RuntimeError) as error:
            say_once(error)


def write_whole(file: Path, data: bytes) -> None:
    """Write a file so that others see all of it or nothing; OSError if it cannot be."""
    try:
        replace_file(file, data)
    except OSError:
        if not file.is_file():  # on Windows one that another session reads cannot be replaced
            raise


said = []  # what went wrong with the cache in this session


def say_once(error: Exception) -> None:
    """Say on stderr why kernels are compiled without the cache, the first time only."""
    if isinstance(error, NotKept) and not str(error):
        return
    if not said:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        print(f"five_in_a_row: no cache of compiled code here ({reason})", file=sys.stderr)
    said.append(error)

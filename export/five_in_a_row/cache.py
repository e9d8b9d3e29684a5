# Copied from tools/package/cache.py: change that file.
"""Compile kernels with numba, and keep what was compiled on disk, safely.

numba's own cache does not suffice here, for three reasons. It numbers its files, so two
sessions that compile at once could take each other's: here each file is named after what is
in it. It tells functions of one name apart by a counter that begins anew in each session:
here a name holds what the function closes over. And it looks at a function's own file only,
while a kernel calls kernels of other modules: here the texts of all of them count. A function
that is written in a live notebook is never kept, since it would go on answering for the cell
as it was before an edit.
"""

import contextlib
import hashlib
from functools import lru_cache
from pathlib import Path

from numba import njit
from numba.core.caching import FunctionCache

KERNEL_FILES = ("cache.py", "search.py", "threats.py", "engine.py")  # which others build on


class SafeCache(FunctionCache):
    """numba's disk cache, with each file named after its contents.

    key   what stands for the function in the index; None: numba's own choice
    """

    def __init__(self, function, key=None):
        super().__init__(function)
        self._own_key = key

    def _index_key(self, signature, codegen):
        if self._own_key is None:
            return *super()._index_key(signature, codegen), kernel_texts()
        return signature, codegen.magic_tuple(), self._own_key, kernel_texts()

    def _save_overload(self, signature, data):
        """Save the code under a name of its own, and only then tell the index of it.

        Sessions that compile at once, or one that is killed here, mix nothing up.
        """
        file, index = self._cache_file, self._index_key(signature, data.codegen)
        self._impl.locator.ensure_cache_path()
        text = repr((file._source_stamp, index)).encode()
        name = file._data_name(int(hashlib.sha256(text).hexdigest()[:15], 16))
        file._save_data(name, self._impl.reduce(data))
        file._save_index(file._load_index() | {index: name})


@lru_cache
def kernel_texts() -> str:
    """Return a hash of the modules whose kernels are built into others."""
    files = [Path(__file__).with_name(name) for name in KERNEL_FILES]
    texts = [file.read_bytes() for file in files if file.is_file()]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def part(function):
    """Compile a function that is built into others, under a name that tells what is in it.

    numba would call all the functions that one `build_...` returns the same, and mix up those
    that different sessions have compiled and kept. While a kernel runs other threads run too.
    """
    inside = [cell.cell_contents for cell in function.__closure__ or ()]
    if inside:
        made = [getattr(thing, "py_func", thing) for thing in inside]
        names = [(x.__module__, x.__qualname__) if callable(x) else repr(x) for x in made]
        function.__qualname__ += "_" + hashlib.sha256(repr(names).encode()).hexdigest()[:12]
    return njit(nogil=True, error_model="numpy")(function)


def jit(function):
    """Return the function compiled when first called, and kept on disk if in a module."""
    return kept(function, part(function))


def compile_search(function, *parts):
    """Return the function compiled and kept; `parts` are the kernels that it closes over."""
    compiled = part(function)
    with contextlib.suppress(OSError):  # a part that was written in a notebook
        return kept(function, compiled, made_from(parts))
    return compiled


def kept(function, compiled, key=None):
    """Return the compiled function with a cache, where one can be written.

    key   see SafeCache
    """
    if "__file__" in function.__globals__:
        # no folder to write to, or another numba
        with contextlib.suppress(RuntimeError, OSError, AttributeError):
            compiled._cache = SafeCache(function, key)
    return compiled


def made_from(thing):
    """Return what a compiled part was made from, in values that repeat in any session."""
    if isinstance(thing, tuple):
        return tuple(made_from(item) for item in thing)
    if not hasattr(thing, "py_func"):
        return repr(thing)
    function = thing.py_func
    cells = [made_from(cell.cell_contents) for cell in function.__closure__ or ()]
    stamp = Path(function.__code__.co_filename).stat().st_mtime_ns
    return (function.__module__, function.__qualname__, stamp, *cells)

# Copied from tools/package/cache.py: change that file.
"""Compile kernels with numba, and keep what was compiled on disk, safely.

numba's own cache does not suffice here, for three reasons. It numbers its files, so two
sessions that compile at once could take each other's: here each file is named after what it
was made from. It tells functions of one name apart by a counter that begins anew in each
session: here a name holds what the function closes over. And it looks at a function's own
file only, while a kernel calls kernels of other modules: here the texts of all of them count.

A function that closes over one from a live notebook is never kept, since it would go on
answering for the cell as it was before an edit. Where the cache cannot be read or written,
or a file is damaged, kernels are compiled without it, and one sentence on stderr says so.
Nothing is played without compiling: a kernel reads records as numba does, not as Python does.
"""

import hashlib
import pickle
import sys
from functools import lru_cache
from pathlib import Path

from . import check_imports

check_imports()  # numba is the slowest import, so the likeliest to have been interrupted
from numba import config, njit  # noqa: E402
from numba.core.caching import FunctionCache  # noqa: E402

if config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, but the search must be compiled: unset it")

HERE = Path(__file__).parent
KERNEL_FILES = (
    "cache.py",
    "search.py",
    "threats.py",
    "engine.py",
    "places.json",
    "policy.json",
)


def inline_kernel(function):
    """Return the function compiled when first called, to be built into others; never kept.

    Its name is made to tell what it closes over. numba would give all the functions that one
    `build_...` returns the same name, and mix up those that different sessions have kept.
    While a kernel runs, other threads run too. No entry for C is made, which nothing calls.
    """
    if inside := contents(function):
        made = [(x.__module__, x.__qualname__) if callable(x) else repr(x) for x in inside]
        function.__qualname__ += "_" + hashlib.sha256(repr(made).encode()).hexdigest()[:12]
    return njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)


def jit(function):
    """Return the function compiled when first called, and kept on disk if in a module."""
    compiled = inline_kernel(function)
    if "__file__" in function.__globals__:
        keep(function, compiled)
    return compiled


def compile_search(function, *kernels):
    """Return the function compiled and kept as by `jit`.

    kernels   what it closes over, named for the reader: the function itself tells
    """
    return jit(function)


def contents(function) -> list:
    """Return what a function closes over, compiled functions as the Python ones."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return [getattr(thing, "py_func", thing) for thing in cells]


def written_in(function) -> set[str]:
    """Return the files of a function, of all that it closes over, and of kernels it names."""
    found, rest = set(), [function]
    while rest:
        each = rest.pop()
        if each not in found:
            found.add(each)
            named = map(each.__globals__.get, each.__code__.co_names)
            kernels = [thing.py_func for thing in named if hasattr(thing, "py_func")]
            rest += [x for x in contents(each) if hasattr(x, "__code__")] + kernels
    return {each.__code__.co_filename for each in found}


@lru_cache
def text_hash(file: str) -> str:
    """Return a hash of a file's text, read once a session; OSError if there is no file."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class SafeCache(FunctionCache):
    """numba's disk cache, with each file named after what it was made from.

    Raises OSError for a function of which some part stands in no file.
    """

    def __init__(self, function):
        files = {str(HERE / name) for name in KERNEL_FILES if (HERE / name).is_file()}
        hashes = sorted(text_hash(file) for file in files | written_in(function))
        self.made_from = function.__qualname__, *hashes
        super().__init__(function)

    def load_overload(self, signature, target_context):
        """Return the compiled code for a signature, None where it must be compiled."""
        try:
            return super().load_overload(signature, target_context)
        except Exception as error:  # pickle may raise anything where a file is damaged
            say_once(error)
            return None

    def save_overload(self, signature, data):
        """Keep the compiled code for a signature, if it can be."""
        try:
            super().save_overload(signature, data)
        except OSError as error:
            say_once(error)

    def _index_key(self, signature, codegen):
        return signature, codegen.magic_tuple(), self.made_from

    def _load_overload(self, signature, target_context):
        """Return the code that is kept, or None; ValueError if its hash is another one."""
        kept = self._cache_file.load(self._index_key(signature, target_context.codegen()))
        if kept is None:
            return None
        digest, code = kept
        if digest != hashlib.sha256(code).digest():
            raise ValueError("a file is damaged")
        return self._impl.rebuild(target_context, pickle.loads(code))

    def _save_overload(self, signature, data):
        """Save the code under a name of its own, and only then tell the index of it.

        Sessions that compile at once, or one that is killed here, mix nothing up. An index
        that cannot be read begins anew.
        """
        file, index = self._cache_file, self._index_key(signature, data.codegen)
        self._impl.locator.ensure_cache_path()
        text = repr((file._source_stamp, index)).encode()
        name = file._data_name(int(hashlib.sha256(text).hexdigest()[:15], 16))
        code = file._dump(self._impl.reduce(data))
        file._save_data(name, (hashlib.sha256(code).digest(), code))
        try:
            known = file._load_index()
        except Exception:  # load_overload has said so
            known = {}
        file._save_index(known | {index: name})


def keep(function, compiled) -> None:
    """Let a compiled function be kept on disk, if it is written in files."""
    try:
        compiled._cache = SafeCache(function)
    except OSError:  # a part was written in a live notebook
        pass
    except RuntimeError as error:  # there is no folder to write to
        say_once(error)


said = []  # what went wrong with the cache in this session


def say_once(error: Exception) -> None:
    """Say on stderr why kernels are compiled without the cache, the first time only."""
    if not said:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        print(f"five_in_a_row: no cache of compiled code here ({reason})", file=sys.stderr)
    said.append(error)

"""The compiled search as WebAssembly, for a page that plays: the same kernels.

    python tools/wasm.py     write what a page holds of it to standard output

numba, which compiles the kernels of the notebooks for this computer, writes them for LLVM
first; LLVM can also write them for WebAssembly. So there is one source. What numba wrote for
an entry of tools/wasm_entry.py is taken before it is optimised for this computer, then
optimised and written as an object for wasm32. An object that asks for nothing but memory and
a few functions of JavaScript needs no linker, only a list of what it exports.

The same kernels, numba and llvmlite give the same bytes.
"""

import base64
import gzip
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent
MATH = {"log", "tanh", "exp", "pow", "sin", "cos"}  # of JavaScript
COUNTS = re.compile(r"^define .*@\W?NRT_", re.M)
UNCOUNTED = """define void @NRT_incref(ptr %array) alwaysinline { ret void }
define void @NRT_decref(ptr %array) alwaysinline { ret void }
"""  # no array is made in a page, so none has to be freed
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK = 1 << 20  # bytes
LINKING = 8  # the kind of symbol table in the custom section "linking"


class LoweringError(Exception):
    """A kernel cannot be lowered: one sentence that says which part of it."""


# ---- from kernels to LLVM --------------------------------------------------------------


def prepare():
    """Let numba write kernels without compiling them; return the list of its LLVM texts.

    Must be called before a kernel is compiled. A text that numba optimised for this computer
    would hold what no other computer has.
    """
    import five_in_a_row.cache
    from numba.core import codegen, cpu

    written, library, here = [], codegen.CPUCodeLibrary, cpu.CPUContext

    def add_ir_module(self, module):
        written.append(codegen.cgutils.normalize_ir_text(str(module)))

    def finalize(self):
        self._finalized = True

    library.add_ir_module, library.finalize = add_ir_module, finalize
    here.get_executable = lambda self, library, about, environment: [].append  # never called
    here.create_cpython_wrapper = here.create_cfunc_wrapper = lambda *parts, **more: None
    kept = five_in_a_row.cache.SafeCache
    kept.load_overload = lambda self, signature, target: None
    kept.save_overload = lambda self, signature, data: None
    return written


def names_of(entries):
    """Compile entries as LLVM text; return {name in that text: name of the entry}."""
    names = {}
    for name, (function, types) in entries.items():
        compiled = wasm_entry.jitted(function)
        compiled.compile(types)
        names[compiled.overloads[types].fndesc.llvm_func_name] = name
    return names


def object_of(written, names):
    """Return LLVM texts as one optimised object for wasm32 with these names for others."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    layout, whole = str(machine.target_data), llvm.parse_assembly("")
    whole.triple, whole.data_layout = TRIPLE, layout
    for text in [UNCOUNTED, *(text for text in written if not COUNTS.search(text))]:
        text = re.sub(r'^target (triple|datalayout) = ".*"$', "", text, flags=re.M)
        text = re.sub(r'"target-(cpu|features)"="[^"]*"', "", text)
        part = llvm.parse_assembly(text)
        part.triple, part.data_layout = TRIPLE, layout
        whole.link_in(part)
    for each in whole.functions:
        if not each.is_declaration and each.name not in names:
            each.linkage = "internal"
    for each in whole.global_variables:
        if not each.is_declaration:
            each.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    return machine.emit_object(whole)


# ---- from an object to a module --------------------------------------------------------


def number(data, place):
    """Return an unsigned LEB128 number of some bytes, and where the next byte is."""
    value = shift = 0
    while True:
        byte = data[place]
        value, shift, place = value | (byte & 127) << shift, shift + 7, place + 1
        if byte < 128:
            return value, place


def leb(value):
    """Return an unsigned number as LEB128."""
    out = bytearray()
    while True:
        value, low = value >> 7, value & 127
        out.append(low | (128 if value else 0))
        if not value:
            return bytes(out)


def named(data, place):
    """Return a text with its length before it, and where the next byte is."""
    size, place = number(data, place)
    return data[place : place + size].decode(), place + size


def sections(data):
    """Yield (id, content) of each section of a module."""
    place = 8
    while place < len(data):
        kind = data[place]
        size, place = number(data, place + 1)
        yield kind, data[place : place + size]
        place += size


def imports_of(content):
    """Yield (module, name, kind) of what a module asks for."""
    count, place = number(content, 0)
    for _ in range(count):
        module, place = named(content, place)
        name, place = named(content, place)
        kind, place = content[place], place + 1
        if kind == 0:
            _, place = number(content, place)
        elif kind == 3:
            place += 2
        else:  # a memory, or a table after its type
            flags, place = number(content, place + (kind == 1))
            _, place = number(content, place)
            if flags & 1:
                _, place = number(content, place)
        yield module, name, kind


def symbols(content):
    """Yield (kind, flags, index, name) of the symbols in the custom section "linking"."""
    _, place = named(content, 0)
    _, place = number(content, place)  # the version
    while place < len(content):
        kind = content[place]
        size, place = number(content, place + 1)
        end = place + size
        if kind == LINKING:
            count, place = number(content, place)
            for _ in range(count):
                symbol = content[place]
                flags, place = number(content, place + 1)
                index, name = -1, ""
                if symbol == 1:  # data
                    name, place = named(content, place)
                    if not flags & 16:
                        for _ in range(3):
                            _, place = number(content, place)
                elif symbol == 3:  # a section
                    _, place = number(content, place)
                else:
                    index, place = number(content, place)
                    if not flags & 16 or flags & 64:
                        name, place = named(content, place)
                yield symbol, flags, index, name
        place = end


def with_exports(data, names):
    """Return an object as a module that exports {symbol: name}.

    Raises LoweringError where it asks for more than memory and a few functions.
    """
    parts = list(sections(data))
    found = exported_indices(parts, names)
    listed = leb(len(found)) + b"".join(
        leb(len(name)) + name.encode() + b"\0" + leb(index) for name, index in found.items()
    )
    out, listed_yet = bytearray(data[:8]), False
    for kind, content in parts:
        if not listed_yet and kind in (8, 9, 12, 10):
            out += b"\7" + leb(len(listed)) + listed
            listed_yet = True
        if kind:
            out += bytes([kind]) + leb(len(content)) + content
    return bytes(out)


def exported_indices(parts, names):
    """Return {exported name: index of its function} of an object's sections."""
    found, missing = {}, set()
    for kind, content in parts:
        if kind == 0 and named(content, 0)[0] == "linking":
            for symbol, flags, index, name in symbols(content):
                if symbol == 0 and name in names:
                    found[names[name]] = index
                elif symbol == 1 and flags & 16:
                    missing.add(name)
                elif symbol == 5:
                    missing.add("a table of functions")
        if kind == 2:
            for _, name, sort in imports_of(content):
                if sort == 0 and name not in MATH:
                    missing.add(name)
    if missing:
        what = ", ".join(sorted(missing))
        raise LoweringError(f"a kernel cannot be lowered to WebAssembly: it asks for {what}")
    if lost := set(names.values()) - set(found):
        raise LoweringError(f"the object lacks {', '.join(sorted(lost))}")
    return found


def data_end(data):
    """Return the first address behind what a module keeps in memory."""
    end = 0
    for kind, content in sections(data):
        if kind == 11:
            count, place = number(content, 0)
            for _ in range(count):
                place += 1  # flags: 0, in memory 0
                start, place = number(content, place + 1)  # i32.const
                size, place = number(content, place + 1)  # end
                place += size
                end = max(end, start + size)
    return end


# ---- what a page holds -----------------------------------------------------------------


def apart(code, table):
    """Return a module whose table packs smaller, and where it lies: [start, bytes].

    table   of 16-bit numbers, which lies in the module or, then [0, 0], does not

    Each number gets 128 more, so that its high byte is seldom another than the next one's;
    and the low bytes come first, then the high bytes.
    """
    held = table.tobytes()
    start = code.find(held)
    if start < 0:
        return code, [0, 0]
    low_high = (table.view("<u2") + 128).astype("<u2").view("u1").reshape(-1, 2).T
    return code[:start] + low_high.tobytes() + code[start + len(held) :], [start, len(held)]


def packed(names=()):
    """Return the module and what a page must know of it, as bytes for gzip.

    names   of the games, as wasm_entry.py has them; without any, those of five in a row

    First the length of a head in JSON, 4 bytes, then the head, the module, and for each game
    and size a blank workspace. The head says where they are.
    """
    global wasm_entry
    written = prepare()
    import wasm_entry

    games = {name: wasm_entry.game_of(name) for name in names or wasm_entry.GAMES}
    entries = {
        f"{game}_{name}": each
        for game, kernels in games.items()
        for name, each in wasm_entry.entries_of(game, kernels).items()
    }
    exported = names_of(entries)
    code = with_exports(object_of(written, exported), exported)
    moved, table = apart(code, wasm_entry.engine.LANES)
    body, blanks = bytearray(moved), {}
    for game, kernels in games.items():
        for size in wasm_entry.SIZES[game]:
            blanks[f"{game} {size}"] = len(body)
            body += wasm_entry.blank(game, kernels, size)
    about = wasm_entry.facts(games) | {
        "code": len(code), "table": table, "data": data_end(code), "stack": STACK,
        "blanks": blanks,
    }  # fmt: skip
    head = json.dumps(about, separators=(",", ":")).encode()
    return struct.pack("<I", len(head)) + head + bytes(body)


def clean_environment():
    """Return this process's environment without what changes how numba compiles."""
    left = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA_")}
    return left | {"PYTHONHASHSEED": "0"}


def payload(export, names=()):
    """Return the packed engines as base64 of gzip, made by a process of its own.

    export   the folder that holds the package
    names    of the games, see packed
    Raises LoweringError where a kernel cannot be lowered.
    """
    command = [sys.executable, str(Path(__file__).resolve()), str(export), *names]
    done = subprocess.run(command, capture_output=True, env=clean_environment())
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or [
            "no reason given"
        ]
        raise LoweringError(lines[-1])
    return base64.b64encode(gzip.compress(done.stdout, 9, mtime=0)).decode()


if __name__ == "__main__":
    sys.path[:0] = [str(TOOLS), *sys.argv[1:2], str(ROOT / "export")]
    sys.stdout.buffer.write(packed(sys.argv[2:]))

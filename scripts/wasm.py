"""Compiles the kernels that the page without a server runs to WebAssembly, from their own source.

    make wasm          what is committed is what these sources give: built again, compared
    make wasm WRITE=1  written anew, with the digests and places of fields in kernels.json

numba writes LLVM's language for each kernel, as for this machine; LLVM, which llvmlite brings along with its target
wasm32, makes the object of it, and `wasm-ld` (Debian's package lld) a module that imports memory alone. The same
versions give the same bytes: kernels.json names them, and where others are installed nothing is compared.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
OUT = HERE / "src/entropeg/web/static/local"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
CONSTANTS = ("INF", "UNLIMITED", "SMALL", "DEPTHS", "NEAR", "SYMMETRIC", "WORD_BITS", "NO_GUESS", "NO_LABEL", "RANKS")
"""Of `search.exact.fields`, by which JavaScript lays out the memory."""
TRIPLE = "wasm32-unknown-unknown"


def _linker() -> str | None:
    return next((found for name in ("wasm-ld", "wasm-ld-14") if (found := shutil.which(name))), None)


def versions(linker: str) -> dict[str, str]:
    """What the bytes depend on beside the sources."""
    told = subprocess.run([linker, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    return {"numba": version("numba"), "llvmlite": version("llvmlite"), "lld": told.split()[2]}


def _swizzle() -> None:
    # One instruction looks 16 bytes up in a table of 16, and gives 0 for larger indexes, as `look_up` promises.
    from entropeg.kernels import vectors

    kind: Any = vectors._Vectors  # noqa: SLF001 - the one place that knows instructions

    def index(self: Any, labels: Any, first: Any) -> Any:
        return labels if first is None else self.builder.sub(labels, first)

    def look_up(self: Any, table: list[int], at: Any) -> Any:
        return self.call("llvm.wasm.swizzle", self.constant(table), at)

    kind.index, kind.look_up = index, look_up


def _read(function: Any, kinds: tuple[Any, ...]) -> Any:
    """An entry that takes one address: of the arguments of a kernel as words of 64 bits, arrays with their strides."""
    from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
    from numba import types
    from numba.extending import intrinsic

    from entropeg.kernels.compile import inner

    word = ir.IntType(64)
    whole = types.Tuple(kinds)

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def read(typingctx: Any, at: Any) -> Any:  # noqa: ARG001
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ARG001
            places = iter(range(10_000))

            def one() -> Any:
                return builder.load(builder.gep(args[0], [ir.Constant(word, next(places))]))

            def value(kind: Any) -> Any:
                if isinstance(kind, types.Array):
                    made = context.make_array(kind)(context, builder)
                    data = builder.inttoptr(one(), made.data.type)
                    shape = [one() for _ in range(kind.ndim)]
                    strides = [one() for _ in range(kind.ndim)]
                    size = ir.Constant(word, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
                    context.populate_array(made, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
                    return made._getvalue()  # noqa: SLF001 - the way of numba's own array constructors
                if isinstance(kind, types.NamedTuple):
                    return context.make_tuple(builder, kind, [value(each) for each in kind])
                raw = one()
                if isinstance(kind, types.Boolean):
                    return builder.trunc(raw, ir.IntType(1))
                return raw

            return context.make_tuple(builder, whole, [value(kind) for kind in kinds])

        return whole(at), codegen

    inside = inner(function)

    def entry(at: Any) -> Any:
        return inside(*read(at))

    return entry


def _language(function: Any, signature: Any, name: str) -> str:
    """LLVM's language of a kernel and all that it calls, as a module for WebAssembly that exports it by a name."""
    import numba

    from entropeg.kernels.compile.embedded import _Compiler

    compiler: Any = numba.njit(
        pipeline_class=_Compiler,
        nogil=True,
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        error_model="numpy",
        _nrt=True,
    )
    made = compiler(function)
    made.compile(signature)
    found = made.overloads[made.signatures[0]]
    text, mangled = str(found.library._final_module), found.fndesc.mangled_name  # noqa: SLF001
    text = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{LAYOUT}"', text)
    text = re.sub(r'target triple = "[^"]*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text)
    # Nothing is counted: kernels make no arrays.
    text = re.sub(
        r"(define[^@]*@NRT_(?:in|de)cref\([^)]*\)[^{]*)\{.*?\n\}", r"\1{\n ret void\n}", text, flags=re.DOTALL
    )
    text = re.sub(r" = common (dso_local )?(local_unnamed_addr )?", " = internal ", text)
    text = re.sub(r"(?m)^(define )(?:linkonce_odr |weak_odr |weak )?(?:hidden )?(?!internal)", r"\1", text)
    for quoted in (f'@"{mangled}"', f"@{mangled}"):
        text = text.replace(quoted + "(", f"@{name}(")
    return re.sub(
        r"(?m)^define (?!internal|private)[^\n]*",
        lambda line: line[0] if f"@{name}(" in line[0] else line[0].replace("define ", "define internal ", 1),
        text,
    )


def build(items: list[tuple[str, Any, Any]], linker: str, folder: Path) -> bytes:
    """The bytes of a module with these kernels: (name, function, signature)."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped, unused-ignore]

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    whole: Any = None
    for name, function, signature in items:
        module = llvm.parse_assembly(_language(function, signature, name))
        module.verify()
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features="+simd128")
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(whole, passes)
    thing, made, known = (folder / name for name in ("kernels.o", "kernels.wasm", "known"))
    thing.write_bytes(machine.emit_object(whole))
    known.write_text("pow\n", encoding="utf-8")  # what JavaScript gives beside the memory: the linker refuses others
    exports = [f"--export={name}" for name, _, _ in items]
    options = ["--no-entry", "--import-memory", f"--allow-undefined-file={known}", "--strip-all", "-O2"]
    command = [linker, *exports, *options, str(thing), "-o", str(made)]
    subprocess.run(command, check=True)  # noqa: S603
    return made.read_bytes()


def _nameless_places() -> None:
    # Where an error would be raised stands in a module: by the name of the file, which is the same on every machine.
    from numba.core import bytecode

    whole = bytecode.FunctionIdentity.from_function.__func__

    def from_function(cls: Any, function: Any) -> Any:
        made = whole(cls, function)
        made.filename = Path(made.filename).name
        return made

    bytecode.FunctionIdentity.from_function = classmethod(from_function)


def _named() -> tuple[Any, Any]:
    """A board and the memory for a set, of the kinds that canonical forms are made with."""
    import numpy as np

    from entropeg.kernels import canonical

    board = canonical.NamedBoard(np.zeros((1, 1), np.uint8), np.zeros(1, np.uint8), 0)
    return board, canonical.new_scratch(board, 1)


def modules(linker: str) -> dict[str, bytes]:
    """The modules of the page, by their names."""
    from numba import typeof, types

    from entropeg.kernels import canonical, label_kernels
    from entropeg.search.exact import engine, scan
    from entropeg.search.exact.fields import CALL

    scan.RUNS = False
    _swizzle()
    _nameless_places()
    by_counts: Any = engine.by_counts._function  # noqa: SLF001 - what the callback compiles
    labels: Any = label_kernels.label_matrix
    forms: Any = canonical.canonical_forms
    table, row, index, whole, word = (
        types.Array(kind, dimensions, "C")
        for kind, dimensions in (
            *((types.uint8, 2), (types.uint8, 1), (types.int32, 1), (types.int64, 1), (types.uint64, 1)),
        )
    )
    words = (types.CPointer(types.int64),)
    scored = (types.int64, types.boolean, table, table, table, row, table)
    named = (*map(typeof, _named()), index, whole, whole, word)
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        return {
            "exact": build([("by_counts", by_counts, CALL.args)], linker, at),
            "labels": build([("label_matrix", _read(labels.py_func, scored), words)], linker, at),
            "canonical": build([("canonical_forms", _read(forms.py_func, named), words)], linker, at),
        }


def described(made: dict[str, bytes], used: dict[str, str]) -> dict[str, Any]:
    """What JavaScript has to know of the modules: their digests, and the memory of the exact search."""
    import numpy as np

    from entropeg.kernels import vectors
    from entropeg.search.exact import answer_kinds, engine, fields, layout, scan

    return {
        "made_with": used,
        "digests": {name: hashlib.sha256(data).hexdigest() for name, data in made.items()},
        "numbers": list(fields.NUMBERS),
        "fields": {
            name: [str(np.dtype(element)) if isinstance(element, str) else np.dtype(element).itemsize // 8, dimensions]
            for name, (element, dimensions) in fields.FIELDS.items()
        },
        "frame": {"width": fields.FRAME.itemsize // 8, "chosen": (fields.FRAME.names or ()).index("chosen")},
        "scratch": {name: str(array.dtype) for name, array in _named()[1]._asdict().items()},
        "tasks": {name: getattr(engine, name) for name in ("SOLVE", "ENTER", "CLUES")},
        "is": {name: int(getattr(fields, name)) for name in CONSTANTS}
        | {
            "BLOCK": vectors.BLOCK,
            "HELD": layout.HELD,
            "LONG_RUNS": layout.LONG_RUNS,
            "RUN_PEGS": layout.RUN_PEGS,
            "BINS": scan.BINS,
            "MOST_LABELS": answer_kinds.MOST_LABELS,
        },
    }


def main() -> None:
    """Build all, and write or compare."""
    # No machine code is made; numba, which is imported from here on, is told of a processor with WebAssembly's vectors.
    os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "0"}
    os.environ["ENTROPEG_KERNELS"] = "always"
    linker = _linker()
    if linker is None:
        sys.exit("wasm: SKIPPED: there is no wasm-ld (Debian: apt install lld), so the modules cannot be built again")
    used, facts = versions(linker), OUT / "kernels.json"
    made = modules(linker)
    text = json.dumps(described(made, used), indent=1) + "\n"
    if "--write" in sys.argv:
        OUT.mkdir(exist_ok=True)
        for name, data in made.items():
            (OUT / f"{name}.wasm").write_bytes(data)
        facts.write_text(text, encoding="utf-8")
    for name, data in made.items():
        print(f"wasm: {name} {len(data):,} bytes")
    if json.loads(facts.read_text(encoding="utf-8"))["made_with"] != used:
        print(f"wasm: made with other versions than {used}: not compared")
    elif facts.read_text(encoding="utf-8") != text:
        sys.exit("wasm: the sources of the kernels have changed: make wasm WRITE=1, and look at what the tests say")


if __name__ == "__main__":
    main()

"""Checks that numba still has the internals that entropeg builds on, before anything is built on them.

numba offers no public way to choose where compiled code is kept, nor to leave a function without machine code of its
own. Where one of these is not found, kernels compile in numba's own way: slower, and with the same results.
"""

from __future__ import annotations

import warnings
from importlib import import_module

from entropeg.errors import EntropegWarning
from entropeg.told import Told

STORING = (
    ("numba.core.caching", "IndexDataCacheFile", "_load_index _save_index _save_data load save"),
    ("numba.core.caching", "FunctionCache", "_index_key load_overload save_overload"),
    ("numba.core.ccallback", "CFunc", "enable_caching compile address ctypes"),
    ("numba.core.dispatcher", "Dispatcher", "enable_caching"),
)
"""(module, class, attributes) that `stored` uses."""

EMBEDDING = (
    ("numba.core.codegen", "JITCodeLibrary", "_optimize_final_module _finalize_final_module _finalize_dynamic_globals"),
    ("numba.core.compiler", "CompilerBase", "define_pipelines"),
    ("numba.core.compiler", "DefaultPassBuilder", "define_nopython_pipeline"),
    ("numba.core.typed_passes", "NativeLowering", "run_pass"),
    ("numba.core.dispatcher", "Dispatcher", "get_call_template"),
)
"""(module, class, attributes) that `embedded` uses."""

Doors = tuple[tuple[str, str, str], ...]


def missing(doors: Doors) -> str:
    """Name the first of numba's internals that is not where it was; empty where all are."""
    for module, kind, attributes in doors:
        try:
            found = getattr(import_module(module), kind)
        except (ImportError, AttributeError):
            return f"{module}.{kind}"
        for attribute in attributes.split():
            if not hasattr(found, attribute):
                return f"{module}.{kind}.{attribute}"
    return ""


def is_tested() -> bool:
    """Tell whether this version of numba is one of those that the tests have passed with."""
    version: str = import_module("numba").__version__
    return ".".join(version.split(".")[:2]) in ("0.60", "0.61", "0.68")


def warn(reason: str, follows: str) -> None:
    """Tell once which internal this version of numba does not have, and what follows."""
    version = import_module("numba").__version__
    warnings.warn(
        Told("entropeg was not made for numba {version} ({reason}): {follows}", version, reason, follows),
        EntropegWarning,
        stacklevel=3,
    )

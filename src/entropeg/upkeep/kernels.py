"""Looks at the compiled code that is stored on this machine, by what it is for."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from entropeg.kernels import switch
from entropeg.upkeep.jobs import JOBS

if TYPE_CHECKING:
    from entropeg.kernels.compile.stored import StoredState

PACKAGE = Path(__file__).parents[1]
_DECORATED = re.compile(r"^@(?:allocating_)?kernel\b|^@entry_point\(|^@callback\(", re.MULTILINE)


@dataclass(frozen=True)
class StoredKernels:
    """What there is of compiled code.

    `reason` says why nothing can be compiled here, and is empty where it can. `states` counts the functions of each job
    by state: stored, absent, old (of other sources, or another numba) and damaged. `folders` hold them; `unkept` says
    that no folder may be written to, so that every process compiles again.
    """

    reason: str = ""
    states: dict[str, Counter[StoredState]] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    unkept: bool = False

    @property
    def total(self) -> Counter[StoredState]:
        """Functions by state, those of all jobs together."""
        return sum(self.states.values(), Counter())


def modules_with_kernels() -> tuple[str, ...]:
    """Name the modules of compiled functions that Python calls, without the name of the package.

    >>> "kernels.belief" in modules_with_kernels()
    True
    """
    files = [path for path in PACKAGE.rglob("*.py") if _DECORATED.search(path.read_text(encoding="utf-8"))]
    return tuple(sorted(".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in files))


def stored_kernels() -> StoredKernels:
    """Look at the stored code of all functions, each file of it read; takes about a second, and imports numba.

    Nothing is compiled.
    """
    if not switch.can_compile():
        return StoredKernels(switch.why_not())
    for module in modules_with_kernels():
        import_module(f"entropeg.{module}")
    from numba.core.registry import cpu_target  # type: ignore[import-untyped, unused-ignore]

    from entropeg.kernels.compile.compiled import compiled_functions

    job_of = {f"entropeg.{module}": job.name for job in JOBS.values() for module in job.modules}
    machine = cpu_target.target_context.codegen().magic_tuple()
    states: dict[str, Counter[StoredState]] = {name: Counter() for name in JOBS}
    folders, unkept = set[Path](), False
    for function in compiled_functions():
        job = job_of.get(f"{function.module}:{function.name}", job_of.get(function.module))
        if job is None:
            continue
        code = function.stored()
        unkept |= code is None
        states[job]["absent" if code is None else code.state(machine)] += 1
        folders |= set() if code is None else {Path(code.cache_path)}
    return StoredKernels(states=states, folders=tuple(sorted(folders)), unkept=unkept)

"""The decorators of compiled functions: machine code where there is a compiler, else plain Python.

`kernel` is called from Python and allocates nothing; `allocating_kernel` makes arrays of its own; `entry_point` is a
kernel that stands for a whole search; `callback` is called through its address. `inner` and `allocating_inner` are for
functions that only these call. The stored code of each is renewed when any file changes that its module imports.
"""

from typing import Any, TypeAlias

from entropeg.kernels.switch import can_compile

Array: TypeAlias = Any
"""Of a kernel: numba sees the dtypes, which the docstrings say."""

if can_compile():
    from entropeg.kernels.compile.compiled import (
        allocating_inner,
        allocating_kernel,
        callback,
        entry_point,
        inner,
        kernel,
    )
else:
    from entropeg.kernels.compile.interpreted import (
        allocating_inner,
        allocating_kernel,
        callback,
        entry_point,
        inner,
        kernel,
    )

__all__ = ["Array", "allocating_inner", "allocating_kernel", "callback", "entry_point", "inner", "kernel"]

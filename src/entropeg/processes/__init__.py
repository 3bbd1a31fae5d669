"""Other programs: spoken to in lines of text, held to limits, and ended with whatever they have started."""

from entropeg.processes.child import (
    KEPT_STDERR,
    LINE_BYTES,
    Child,
    ChildError,
    Reason,
    Usage,
    address_space,
    describe_end,
    end_all,
    limit_memory,
    step_back,
)

__all__ = [
    "KEPT_STDERR",
    "LINE_BYTES",
    "Child",
    "ChildError",
    "Reason",
    "Usage",
    "address_space",
    "describe_end",
    "end_all",
    "limit_memory",
    "step_back",
]

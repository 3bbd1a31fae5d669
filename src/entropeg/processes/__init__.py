"""Other programs: spoken to in lines of text, held to limits, and ended with whatever they have started.

What only some systems have comes through one door, `posix`, with another way beside it, so that all of this works
everywhere; which limits are weaker where is told in docs/do/install.md.
"""

from entropeg.processes.child import (
    KEPT_STDERR,
    LINE_BYTES,
    Child,
    ChildError,
    Reason,
    arguments_of,
    describe_end,
    end_all,
)
from entropeg.processes.ending import apart, end_itself, end_tree, lead_session
from entropeg.processes.locks import FileLock
from entropeg.processes.resources import (
    USED_UP,
    Usage,
    address_space,
    limit_memory,
    limits_memory,
    machine_memory,
    step_back,
)

__all__ = [
    "KEPT_STDERR",
    "LINE_BYTES",
    "USED_UP",
    "Child",
    "ChildError",
    "FileLock",
    "Reason",
    "Usage",
    "address_space",
    "apart",
    "arguments_of",
    "describe_end",
    "end_all",
    "end_itself",
    "end_tree",
    "lead_session",
    "limit_memory",
    "limits_memory",
    "machine_memory",
    "step_back",
]

"""Keeps a process silent whose program is killed before it gives work; the fork server alone imports this.

The fork server hands an exception of such a process to the hook that stands here.
"""

import sys
from types import TracebackType


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not (kind is EOFError and str(error) == "Ran out of input"):  # the words of pickle
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _tell

"""Searches over whole boards: strategy trees by one-step rules, exact optima and bounds.

The functions below are imported when they are first used: kernels take their time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from entropeg.search.beam.optimum import near_optimal
    from entropeg.search.proving.opening_totals import opening_totals
    from entropeg.search.proving.verifier import verify

__all__ = ["near_optimal", "opening_totals", "verify"]

_HOME = {"near_optimal": "beam.optimum", "opening_totals": "proving.opening_totals", "verify": "proving.verifier"}


def __getattr__(name: str) -> Any:
    """Import a function when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'entropeg.search' has no attribute {name!r}")
    return getattr(import_module(f"entropeg.search.{_HOME[name]}"), name)

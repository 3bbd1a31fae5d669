"""Searches over whole boards: strategy trees by one-step rules, exact optima and bounds.

The functions below are imported when they are first used: kernels take their time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from entropeg.check.verifier import verify
    from entropeg.search.beam.optimum import near_optimal
    from entropeg.search.bounds import bounds as bounds  # the room, which is called as its function is
    from entropeg.search.proving.opening_totals import opening_totals
    from entropeg.search.static import static_questions
    from entropeg.search.tables.checking import check_table
    from entropeg.search.tables.make import make_table
    from entropeg.search.values import values_many

__all__ = ["check_table", "make_table", "near_optimal", "opening_totals", "static_questions", "values_many", "verify"]


# As at the top of the package: type checkers take the imports above.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a function when it is first asked for."""
        home = {"near_optimal": "search.beam.optimum", "opening_totals": "search.proving.opening_totals"}
        home |= {"verify": "check.verifier", "values_many": "search.values"}
        home |= {"static_questions": "search.static"}
        home |= {"make_table": "search.tables.make", "check_table": "search.tables.checking"}
        if name not in home:
            raise AttributeError(f"module 'entropeg.search' has no attribute {name!r}")
        return getattr(import_module(f"entropeg.{home[name]}"), name)

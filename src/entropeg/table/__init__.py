"""Tablebases: values of all positions that a number of guesses can leave, stored by keys of their sets, and probed."""

from entropeg.table.stored import open_table
from entropeg.table.tablebase import StoredValue, Tablebase

__all__ = ["StoredValue", "Tablebase", "open_table"]

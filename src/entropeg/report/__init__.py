"""Plays and draws the experiments of Bruyere and of the French notebook, and compares them with their own figures.

>>> from entropeg.report import report
>>> page = report(rules="4x8", games=1000, out="report")  # doctest: +SKIP
"""

from entropeg.called import let_call
from entropeg.report.making import report

__all__ = ["report"]

let_call(__name__)

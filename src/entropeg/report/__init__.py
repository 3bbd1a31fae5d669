"""The report: the experiments of documents A and E, played, drawn, and held against the documents' own figures.

>>> from entropeg.report import report
>>> page = report(rules="4x8", games=1000, out="report")  # doctest: +SKIP
"""

from entropeg.called import let_call
from entropeg.report.making import report

__all__ = ["report"]

let_call(__name__)

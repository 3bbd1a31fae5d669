"""How rounding moves the total of entropy on 4x6: `python benchmarks/rounding_onestep.py [tolerance|formula ...]`.

Entropy is summed in floating point, in several formulas, precisions and orders of the feedbacks, or rounded to a
tolerance in bits within which guesses count as equal; a candidate first, then the first in order, from AABC. A minute
each. entropeg itself compares entropies exactly.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from entropeg.codes import parse_code, secrets
from entropeg.rules import Rules

RULES = Rules()
CODES = secrets(RULES)
LABELS = np.stack([CODES.score(code) for code in CODES]).astype(np.int64)
SIZE = len(CODES)
OPENING = "AABC"

FORMULAS: dict[str, Callable[[Any, Any], Any]] = {
    "p log2 p": lambda x, n: x / n * np.log2(x / n),
    "p ln p": lambda x, n: x / n * np.log(x / n),
    "p log10 p": lambda x, n: x / n * np.log10(x / n),
    "x log2 x": lambda x, _: x * np.log2(x),
    "x ln x": lambda x, _: x * np.log(x),
    "-p log2 1/p": lambda x, n: -(x / n) * np.log2(n / x),
}

ORDERS: dict[str, Callable[[int], Any]] = {
    "black, white": lambda label: label,
    "backwards": lambda label: -label,
    "black, white down": lambda label: (label // 5, -label),
    "sum, black": lambda label: (sum(divmod(label, 5)), label),
}


def total(costs: Callable[[Any, int], Any], tolerance: float = 0.0) -> int:
    """Guesses over all secrets; `costs` takes part sizes, int64[guesses, labels], and the number of candidates."""
    found = 0
    waiting: list[tuple[Any, int]] = [(np.arange(SIZE), int(CODES.index_of(parse_code(OPENING, RULES)) or 0))]
    rows = np.arange(SIZE)[:, None] * RULES.label_count
    while waiting:
        node, guess = waiting.pop()
        found += len(node)
        labels = LABELS[guess, node]
        for label in np.unique(labels[labels != RULES.win_label]):
            part = node[labels == label]
            cells = (LABELS[:, part] + rows).ravel()
            sizes = np.bincount(cells, minlength=SIZE * RULES.label_count).reshape(SIZE, -1)
            cost = costs(sizes, len(part))
            best = np.flatnonzero(cost <= cost.min() + tolerance)
            members = best[np.isin(best, part)]
            waiting.append((part, int((members if len(members) else best)[0] if len(part) > 1 else part[0])))
    return found


def summed(formula: str, dtype: Any, order: str) -> Callable[[Any, int], Any]:
    """Return entropy, negative, as a loop over the feedbacks in that order adds it up."""
    labels = sorted(range(RULES.label_count), key=ORDERS[order])

    def costs(sizes: Any, count: int) -> Any:
        result = np.zeros(SIZE, dtype)
        for label in labels:
            x = sizes[:, label].astype(dtype)
            with np.errstate(all="ignore"):
                result += np.where(x > 0, FORMULAS[formula](x, dtype(count)), dtype(0))
        return result

    return costs


def formulas() -> Iterator[str]:
    """Give a row for each order and formula: totals in double and in single precision."""
    for order in ORDERS:
        for formula in FORMULAS:
            double, single = (total(summed(formula, dtype, order)) for dtype in (np.float64, np.float32))
            yield f"| {order} | `{formula}` | {double} | {single} |"


def tolerances() -> Iterator[str]:
    """Give a row for each tolerance."""
    exact = summed("p log2 p", np.float64, "black, white")
    for tolerance in (1e-9, 1e-6, 1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1):
        yield f"| {tolerance:g} bits | {total(exact, tolerance)} |"


if __name__ == "__main__":
    for wanted in sys.argv[1:] or ("tolerance", "formula"):
        for line in tolerances() if wanted == "tolerance" else formulas():
            print(line, flush=True)

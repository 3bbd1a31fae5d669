"""What every exact search looks at before it begins: its rules, and codes as rows of an array."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.feedback import Method, check_known
from entropeg.rules import Blanks, Rules


class LayoutOptions(TypedDict):
    """What a layout has to be told of the rules."""

    colors: int
    blank: int | None
    by_color: bool


def layout_options(rules: Rules) -> LayoutOptions:
    """What a layout has to be told; raises InputError for rules that the exact search does not know."""
    check_known(rules, Method.exact)
    if not rules.is_symmetric:
        raise InputError(f"exact search needs boards whose pegs and colors may change places, which {rules} has not")
    alike = rules.blanks == Blanks.none or (rules.blanks == Blanks.both and rules.repeats)
    return {
        "colors": rules.symbols_in_secrets,
        "blank": None if alike else rules.colors,
        "by_color": rules.feedback.about.common == "copies",
    }


def rows_of(codes: CodeSet) -> NDArray[np.uint8]:
    """Codes one a row."""
    return np.ascontiguousarray(codes.planes.T).astype(np.uint8)

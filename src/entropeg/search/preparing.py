"""Rules and codes as every exact search needs them before it begins: refused, or told as a layout takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.feedback import Method, check_known, check_named
from entropeg.rules import Blanks, Rules

if TYPE_CHECKING:
    from entropeg.search.exact.answer_kinds import AnswerKind


class LayoutOptions(TypedDict):
    """The rules, as a layout has to be told them."""

    colors: int
    blank: int | None
    answers: AnswerKind


def layout_options(rules: Rules) -> LayoutOptions:
    """The rules as a layout takes them; raises InputError for rules that the exact search does not know."""
    from entropeg.search.exact.answer_kinds import AnswerKind

    check_known(rules, Method.exact)
    check_named(rules)
    alike = rules.blanks == Blanks.none or (rules.blanks == Blanks.both and rules.repeats)
    return {
        "colors": rules.symbols_in_secrets,
        "blank": None if alike else rules.colors,
        "answers": AnswerKind(rules.kind, is_alike=rules.is_alike, is_hard=rules.hard),
    }


def rows_of(codes: CodeSet) -> NDArray[np.uint8]:
    """Codes one a row."""
    return np.ascontiguousarray(codes.planes.T).astype(np.uint8)

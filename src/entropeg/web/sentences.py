"""Sentences with codes in them: text that can be translated, and the codes, so that a page draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from entropeg.feedback import Code
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.train.booklet import plain
from entropeg.train.telling import Sentence, is_feedback


@dataclass(frozen=True)
class ToldSentence(PlainValue):
    """A sentence, and the codes that it names.

    >>> ToldSentence.of(((0, 0, 1, 1), " is the only code that fits every row."), Rules.parse("4x6")).to_json()
    {'says': 'AABB is the only code that fits every row.', 'codes': ['AABB']}
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("says", "codes")

    rules: Rules
    says: str
    codes: tuple[Code, ...]

    @classmethod
    def of(cls, sentence: Sentence, rules: Rules) -> ToldSentence:
        """Take the codes out of a sentence."""
        codes = [piece for piece in sentence if not isinstance(piece, str) and not is_feedback(piece)]
        return cls(rules, plain(sentence, rules), tuple(dict.fromkeys(tuple(code) for code in codes)))

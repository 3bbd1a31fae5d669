"""Feedback that counts black and white pegs: standard, black alone, and membership."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import comb
from operator import eq
from typing import ClassVar, NamedTuple

from entropeg.kinds.kind import Code, Kind, Method, Sizes, last_peg_fault
from entropeg.told import Template, Told

_IN_PLACE = Told("black: right color, right place")
MEANINGS = {"black": _IN_PLACE, "white": Told("white: right color, other place")}
"""Meanings of marks that are of a color."""


class Feedback(NamedTuple):
    """Number of pegs in place (black), and of further pegs of a right color (white)."""

    black: int
    white: int = 0


class _Counts(Kind):
    answer = Feedback
    methods = frozenset(
        {
            *(Method.building, Method.chains, Method.onestep, Method.belief, Method.linear),
            *(Method.evolutionary, Method.course, Method.games, Method.exact),
        }
    )
    wanted = Told("a number of black and of white pegs")
    notation = Template("write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none")
    examples = Told("XXO, 2 1, 2b1w, or - for none")
    letters = "bw"
    legend: ClassVar = MEANINGS
    patterns = (
        re.compile(r"(\d{1,9})\s*(?:[\s,;:/+-])\s*(\d{1,9})"),
        re.compile(r"(?:(\d{1,9})\s*[bB])?\s*,?\s*(?:(\d{1,9})\s*[wW])?"),
        re.compile(r"(?:(\d{1,9})\s*[aA])?\s*,?\s*(?:(\d{1,9})\s*[bB])?"),
    )

    def label(self, feedback: Feedback, rules: Sizes) -> int:
        return feedback.black * (rules.pegs + 1) + feedback.white

    def from_label(self, label: int, rules: Sizes) -> Feedback:
        return Feedback(*divmod(label, rules.pegs + 1))


class _Standard(_Counts):
    methods = _Counts.methods | {Method.proofs, Method.dichotomy}
    is_mutual = True
    common = "copies"
    summary = Told("answers black and white (the default)")
    title = Told("black and white marks")

    def score(self, guess: Code, secret: Code, rules: Sizes) -> Feedback:
        black, have = sum(map(eq, guess, secret)), _color_counts(secret)
        return Feedback(black, sum(min(count, have.get(color, 0)) for color, count in Counter(guess).items()) - black)

    def count(self, rules: Sizes) -> int:
        return comb(rules.pegs + 2, 2) - 1  # black + white <= pegs, but not (pegs - 1, 1)

    def fault(self, feedback: Feedback, rules: Sizes) -> str:
        return last_peg_fault(rules) if feedback == (rules.pegs - 1, 1) else super().fault(feedback, rules)


@lru_cache(maxsize=16)
def _color_counts(secret: Code) -> Counter[int]:
    # Kept because a game scores every guess against one secret: with a thousand pegs counting is most of the work.
    return Counter(secret)


class _Black(_Counts):
    methods = _Counts.methods | {Method.proofs}
    is_mutual = True
    in_place_only = True
    summary = Told("answers in black only")
    title = Told("black marks only")
    legend: ClassVar = {"black": _IN_PLACE}
    notation = Template("write the number of pegs in place, as 2 or XX, or - for none")
    examples = Told("2, XX, or - for none")
    letters = "b"
    optional = 1

    def score(self, guess: Code, secret: Code, rules: Sizes) -> Feedback:
        return Feedback(sum(map(eq, guess, secret)))

    def label(self, feedback: Feedback, rules: Sizes) -> int:
        return feedback.black

    def from_label(self, label: int, rules: Sizes) -> Feedback:
        return Feedback(label)

    def count(self, rules: Sizes) -> int:
        return rules.pegs + 1

    def fault(self, feedback: Feedback, rules: Sizes) -> str:
        fault = super().fault(feedback, rules)
        if fault or not feedback.white:
            return fault
        return Told("{rules} answers with black only; {white} white cannot be", rules, feedback.white)

    def read(self, text: str, rules: Sizes) -> Feedback | None:
        return Feedback(int(text)) if text.isdecimal() and len(text) < 10 else super().read(text, rules)


class _Membership(_Counts):
    methods = _Counts.methods | {Method.proofs}
    common = "members"
    summary = Told("white for every misplaced color that the secret has")
    title = Told("white marks: how many pegs are of a color of the secret")
    legend: ClassVar = {"black": _IN_PLACE, "white": Told("white: a color of the secret")}

    def score(self, guess: Code, secret: Code, rules: Sizes) -> Feedback:
        black, present = sum(map(eq, guess, secret)), set(secret)
        return Feedback(black, sum(color in present for color in guess) - black)

    def count(self, rules: Sizes) -> int:
        return comb(rules.pegs + 2, 2)


STANDARD, BLACK, MEMBERSHIP = _Standard(), _Black(), _Membership()

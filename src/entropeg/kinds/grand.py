"""Feedback to pegs with a color and a shape, as in Grand Mastermind."""

from __future__ import annotations

import re
from math import comb
from typing import ClassVar, NamedTuple

from entropeg.kinds.counts import MEANINGS
from entropeg.kinds.kind import BLACKS, WHITES, Code, Kind, Method, Sizes, last_peg_fault
from entropeg.kinds.marks import marks_of
from entropeg.told import Template, Told


class GrandFeedback(NamedTuple):
    """Number of pairs in place (black), elsewhere (white), and half right in place (blue): `FeedbackKind.grand`."""

    black: int
    white: int = 0
    blue: int = 0


class _Grand(Kind):
    answer = GrandFeedback
    methods = frozenset({Method.games, Method.exact, Method.proofs})
    pegs_alike = False  # of two copies of a pair the first is white, and blue is asked of the other
    is_symmetric = False
    is_option = False  # shapes=N is
    summary = Told("~ for each pair half right in place")
    title = Told("pegs with color and shape")
    legend: ClassVar = {**MEANINGS, "blue": Told("blue: color or shape is right, not both")}
    board: ClassVar = {"colors": 25, "shapes": 5, "blanks": "none"}
    wanted = Told("a number of black, of white and of blue pegs")
    notation = Template("write XXO~ (~ for a pair half right in place, blue), 2 1 1, 2b1w1h, or - for none")
    examples = Told("XO~, 1 1 1, 1b1w1h, or - for none")
    letters = "bwh"
    marks = (BLACKS, WHITES, "~hH🔵🟦")
    patterns = (
        re.compile(r"(\d{1,9})[\s,;:/+-]+(\d{1,9})[\s,;:/+-]+(\d{1,9})"),
        re.compile(r"(?:(\d{1,9})\s*[bB])?\s*,?\s*(?:(\d{1,9})\s*[wW])?\s*,?\s*(?:(\d{1,9})\s*[hH])?"),
    )

    def score(self, guess: Code, secret: Code, rules: Sizes) -> GrandFeedback:
        # Pairs as colors, with marks from the left; then the pegs without a mark that are half right in their place.
        marks, shapes = marks_of(guess, secret), rules.shapes
        left = [pair for *pair, mark in zip(guess, secret, marks, strict=True) if not mark]
        blue = sum(one // shapes == other // shapes or one % shapes == other % shapes for one, other in left)
        return GrandFeedback(marks.black, marks.white, blue)

    def label(self, feedback: GrandFeedback, rules: Sizes) -> int:
        return (feedback.black * (rules.pegs + 1) + feedback.white) * (rules.pegs + 1) + feedback.blue

    def from_label(self, label: int, rules: Sizes) -> GrandFeedback:
        return GrandFeedback(*divmod(label // (rules.pegs + 1), rules.pegs + 1), label % (rules.pegs + 1))

    def count(self, rules: Sizes) -> int:
        return comb(rules.pegs + 3, 3)

    def fault(self, feedback: GrandFeedback, rules: Sizes) -> str:
        return last_peg_fault(rules) if feedback[:2] == (rules.pegs - 1, 1) else super().fault(feedback, rules)

    def details(self, feedback: GrandFeedback) -> dict[str, int]:
        return {"blue": feedback.blue}


GRAND = _Grand()

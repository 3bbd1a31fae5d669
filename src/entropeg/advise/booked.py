"""Ranks first and second guesses by the book, where it has them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from entropeg.advise.expectation import Expectation
from entropeg.advise.ranking import Ranking, can_search, rate_exactly
from entropeg.advise.situation import Situation
from entropeg.feedback import Code
from entropeg.search.book import BookEntry, is_image, look_up

AMPLE = 10
"""With so many guesses left a limit changes nothing on the boards of the book."""
FOUND_ERROR = 0.005
"""Expected guesses that the best strategies found may take more than the best play. On 5x7, where both are known, it is
0.0001."""


def booked(situation: Situation, number: int, also: Sequence[Code], seconds: float) -> Ranking | None:
    """Rank so many guesses; None where the book has not as many, or where it cannot tell of the others asked about."""
    left = situation.guesses_left
    if not situation.is_complete or (left is not None and left < AMPLE):
        return None
    entry = look_up(situation.position)
    is_start = not situation.position.turns
    if entry is None or (not is_start and (len(entry.guesses) < number or (also and not can_search(situation)))):
        return None
    codes = len(situation.remaining.codes)
    listed = tuple((guess, _expected(entry, total, codes)) for guess, total in entry.guesses[:number])
    if is_start:
        rated = [next(total for one, total in entry.guesses if is_image(one, guess)) for guess in also]
        asked = [_expected(entry, total, codes) for total in rated]
    else:
        asked = rate_exactly(situation, also, seconds)
    return Ranking(listed[0][1], listed, entry.is_exact, tuple(zip(also, asked, strict=True)))


def _expected(entry: BookEntry, total: int, codes: int) -> Expectation:
    if entry.is_exact:
        return Expectation.of(Fraction(total, codes))
    return Expectation.about(total / codes, FOUND_ERROR)

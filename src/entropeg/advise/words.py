"""Puts advice into words: one or two sentences on what a guess does, and why it is the best or how far from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from entropeg.advise.expectation import Certainty
from entropeg.advise.rated import RatedGuess
from entropeg.amounts import plural
from entropeg.codes import format_code

if TYPE_CHECKING:
    from entropeg.rules import Rules

SMALL = 0.0005
"""Less than this is no difference, in words."""


COLUMNS = ("wins now", "bits", "answers", "most left", "expected left", "guesses", "loss")
"""What the numbers of a guess are called, in the order of `numbers_in_words`."""


def numbers_in_words(guess: RatedGuess) -> tuple[str, ...]:
    """Write the numbers of a guess, one for each of `COLUMNS`.

    Of a sample no counts are written, which would be those of the sample.
    """
    wins = "no" if not guess.is_candidate else "maybe" if not guess.chance else _share(guess.chance)
    if guess.sample is not None:
        return wins, f"{guess.bits:.2f}", "", "", "", str(guess.expected), str(guess.loss)
    sizes = f"{guess.parts:,}", f"{guess.largest:,}", f"{guess.expected_size:,.1f}"
    return wins, f"{guess.bits:.2f}", *sizes, str(guess.expected), str(guess.loss)


def _share(chance: float) -> str:
    return f"{100 * chance:.0f} %" if chance >= 0.1 else f"{100 * chance:.2g} %"


def explain_guess(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> str:
    """Say what a guess does to the codes left, and what it is worth beside the best one.

    ``rival`` is the best of the codes left as a guess, None where that is not known.
    """
    shown, total = format_code(guess.guess, rules), guess.partition.total
    if guess.sample is None and total == 1:
        return f"{shown} is the only code left." if guess.is_candidate else f"{shown} is not the only code left."
    if guess.sample is None and guess.parts == 1 and not guess.is_candidate:
        return f"{shown} tells nothing: the answer is the same for all {total:,} codes left."
    return f"{_splits(guess, shown)}; it {_wins(guess)}{_compared(guess, best, rival, rules)}."


def explain_last_guess(guess: RatedGuess, best: RatedGuess, rules: Rules) -> str:
    """Say what the last guess of a game is worth, where it may be wrong."""
    shown = format_code(guess.guess, rules)
    if guess.chance < best.chance:
        return f"This is the last guess, and {format_code(best.guess, rules)} is likelier: {shown} {_wins(guess)}."
    return f"This is the last guess: {shown} {_wins(guess)}."


def _splits(guess: RatedGuess, shown: str) -> str:
    if guess.sample is not None:
        return f"{shown} tells about {guess.bits:.1f} bits, by a sample of {plural(guess.sample, 'code')} that fit"
    total, parts = guess.partition.total, guess.parts
    if parts == total:
        return f"{shown} tells {'both' if total == 2 else f'all {total:,}'} codes left apart"
    largest = "each of one" if guess.largest == 1 else f"the largest of {guess.largest:,}"
    return f"{shown} splits the {total:,} codes left into {plural(parts, 'group')}, {largest}"


def _wins(guess: RatedGuess) -> str:
    if not guess.is_candidate:
        return "cannot win now"
    return f"wins now with {_share(guess.chance)}" if guess.chance else "can win now"


def _compared(guess: RatedGuess, best: RatedGuess, rival: RatedGuess | None, rules: Rules) -> str:
    """What the guess is worth beside others."""
    loss = guess.loss
    if loss.knowledge is not Certainty.estimate and loss.value > SMALL:
        sign = "" if loss.is_exact else "at least "
        return f", and takes {sign}{loss.value:.2g} guesses more than {format_code(best.guess, rules)}"
    if not loss.is_exact:
        return "" if loss.value <= SMALL else f", and takes about {loss.value:.2g} guesses more than the best"
    if guess.is_candidate or rival is None or not rival.expected.is_exact:
        return ""
    gap = rival.expected.value - guess.expected.value
    if gap <= SMALL:
        return ", and is as good as any code that can"
    return f", and still beats every code that can by {gap:.2g} guesses"

"""The codemaker that never settles on a secret (Bruyere, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropeg.candidates import can_walk
from entropeg.candidates.chains import LARGEST
from entropeg.codes import Array, CodeSet, check_listable, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, Marks, from_label, label_of
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.registry import choice, named
from entropeg.rules import Rules


class Unsettled:
    """A codemaker that chooses no secret: it may give any answers that some secret fits."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Settle on nothing."""
        return None


@dataclass(frozen=True)
class Cheat(Unsettled):
    """Answers what leaves most codes; is never caught out.

    A candidate always remains, so that no sequence of answers tells it from an honest codemaker.
    Ties are broken at random, or with `ties=first` for the lowest label; a win is answered only when nothing
    else is possible. Where the codes of a board are too many to be listed it keeps a sample of those that fit, to 255
    pegs and 254 symbols, and any number under marks by place: then it estimates what an answer leaves, and a win is
    answered where it found no other code.
    """

    ties: str = "random"
    """`random` or `first`."""

    name = named("cheat")

    def __post_init__(self) -> None:
        choice("ties", self.ties, ("random", "first"))

    @property
    def deterministic(self) -> bool:
        """Whether the same guesses always get the same answers."""
        return self.ties == "first"

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Answer with the largest part; raises ContradictionError where no candidate is left, and as `choices` does."""
        best = self.choices(position, guess)
        pick = 0 if self.deterministic else int(rng.integers(len(best)))
        return from_label(int(best[pick]), position.rules)

    def choices(self, position: Position, guess: Code) -> Array:
        """Return the labels among which it chooses: those of the largest parts, ascending, the win only if alone.

        Raises TooLargeError on boards whose codes can neither be listed nor sampled, and where no code was found;
        MissingExtraError where a sample needs a compiler and there is none.
        """
        codes = listed_codes(position)
        return sampled_choices(position, guess) if codes is None else _largest(codes, guess)


def sampled_choices(position: Position, guess: Code) -> Array:
    """Return the labels of `Cheat.choices` as they are where the codes of a board are too many to be listed.

    Those of the largest parts of a sample, by marks by place one that is estimated to leave most; exact once the codes
    left are few. Raises what `Cheat.choices` raises.
    """
    if position.rules.feedback.about.answer is not Marks:
        return _largest(_sampled(position), guess)
    from entropeg.codemakers.marked_codes import MarkedCodes

    marked = MarkedCodes(position)
    codes = marked.listed()
    if codes is None:
        return np.array([label_of(marked.answer(guess), position.rules)], object)
    return _largest(codes, guess)


def _largest(codes: CodeSet, guess: Code) -> Array:
    labels, sizes = codes.parts(guess)
    best: Array = labels[sizes == sizes.max()]
    return best[best != codes.rules.win_label] if len(best) > 1 else best


def held_code(position: Position) -> Code:
    """Return a code that fits every answer: the first candidate, or where nobody can list them one that a cheat holds.

    Raises ContradictionError where there is none, and what `Cheat.choices` raises.
    """
    codes = listed_codes(position)
    if codes is None and position.rules.feedback.about.answer is Marks:
        from entropeg.codemakers.marked_codes import MarkedCodes

        return MarkedCodes(position).some
    return (_sampled(position) if codes is None else codes)[0]


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the codes of a board can neither be listed nor sampled."""
    if not can_walk(rules) and rules.feedback.about.answer is not Marks:
        raise TooLargeError(
            "{rules} has {codes:count} codes: too many for the cheat to list, and its chains reach {pegs} pegs and "
            "{symbols} symbols of standard, black and membership feedback; the codemaker honest plays there",
            *(rules, rules.secret_count, LARGEST, LARGEST - 1),
        )
    check_compiler()


def _sampled(position: Position) -> CodeSet:
    from entropeg.codemakers.held_codes import held_codes

    check_rules(position.rules)
    return held_codes(position).codes


def listed_codes(position: Position) -> CodeSet | None:
    """Return all codes that fit, at least one; None where those of the board are too many to be listed.

    Raises ContradictionError, naming the turns, where no code fits.
    """
    rules = position.rules
    try:
        check_listable(rules)
    except TooLargeError:
        return None
    try:
        codes = position.candidates
    except TooLargeError:  # too many to build, and not to scan
        codes = secrets(rules).consistent(position.turns)
    if not len(codes):
        position.check_consistent()
    return codes

"""Plays boards of thousands of pegs by packing many questions into one guess (method: docs/understand/linear.md).

It finds how often each color occurs, then where: the pegs are halved again and again, and each guess asks of every
interval at once which colors lie in which half of it. Black pegs are the sum of all these answers; how the questions
are combined lets the sum be taken apart again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from entropeg.candidates import check_unbound
from entropeg.codebreakers.linear.colors import Counting, counts_needed
from entropeg.codebreakers.linear.intervals import Interval, unresolved
from entropeg.codebreakers.linear.rounds import Rounds
from entropeg.codebreakers.linear.survey import Survey
from entropeg.codebreakers.plans import Plans, count_guesses
from entropeg.errors import InputError
from entropeg.feedback import Code, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.rules import Blanks, Rules
from entropeg.search.bounds import viaud_upper
from entropeg.search.subset import Array, Questions


@dataclass(frozen=True)
class Linear:
    """Asks many questions in one guess, for thousands of pegs.

    It counts the colors, then halves the pegs again and again, and is never over Viaud's bound.
    Under standard feedback at most `search.bounds.viaud_upper` guesses, some 2.5 a peg on 1000x1000; under every
    other kind of feedback it plays by the black pegs alone. Repeated colors must be allowed in guesses. 6 to 20 ms a
    turn, memory for the codes played and some megabytes. Turns that are not of its own making are left aside, except
    that an answer already known is not asked for again: it can take over any game. Sources: Cantor & Mills 1966,
    Lindström 1964, Doerr, Doerr, Spöhel & Thomas 2016.
    """

    name: ClassVar[str] = "linear"
    deterministic: ClassVar[bool] = True

    _plans: Plans = field(default_factory=lambda: Plans(_start), init=False, repr=False, compare=False)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next code of the plan.

        Raises InputError under rules that it does not play, ContradictionError where an answer cannot be, at the
        latest when the only code left does not fit every turn.
        """
        check_rules(position.rules)
        check_compiler(position.rules.secret_count)
        return self._plans.guess(position)

    def __reduce__(self) -> tuple[type[Linear], tuple[()]]:
        """Pickle without the memory: generators cannot be, and without it only time is lost."""
        return Linear, ()


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why and what plays them, where the strategy does not apply."""
    otherwise = ": `consistent` and the one-step rules (`entropy`, `parts`) play every kind where codes can be listed"
    check_known(rules, Method.linear, otherwise)
    check_unbound(rules, "linear")
    if rules.words is not None and not rules.words.free:
        raise InputError(
            f"linear plays codes of any colors, which are no words of {rules.words.name}: add /free-guesses, or use "
            "`entropy` or `consistent`"
        )
    if not rules.guess_repeats:
        raise InputError(
            f"linear repeats colors in its guesses, which {rules} forbids: add /guess-repeats, or use `sampling` "
            "(to some 30 pegs) or `belief` (to some 200)"
        )


def _start(rules: Rules) -> Questions[Array]:
    absent = rules.colors if rules.blanks == Blanks.guesses else None
    whites = rules.feedback.about.common == "copies"
    distinct = not rules.repeats and rules.blanks != Blanks.both  # blanks in secrets repeat though colors do not
    return find_code(rules.pegs, rules.symbols_in_secrets, absent, whites=whites, distinct=distinct)


def find_code(
    pegs: int, colors: int, absent: int | None = None, *, whites: bool = True, distinct: bool = False
) -> Questions[Array]:
    """Ask for codes until the secret is known, and return it; the code that shows it is not asked for.

    A generator of codes (`int64[pegs]`) to which feedback is sent. `absent` is a symbol that no secret has, if there
    is one beside the colors; `whites` says whether feedback has whites, `distinct` that no color repeats in the secret.
    Raises ContradictionError where an answer cannot be.
    """
    places = unresolved(pegs, colors)
    allowed = guesses_allowed(pegs, colors, whites=whites) - 1 - places
    known: dict[int, int] = dict.fromkeys(range(colors), 1) if distinct and colors == pegs else {}
    tell = None
    # With fewer pegs quarters are too small to gain by counting colors in them; with more than 2 colors a peg too many
    # colors are absent, with more than 10 pegs a color they fall on the quarters in too many ways.
    if whites and not known and pegs >= 16 and colors <= 2 * pegs and pegs <= 10 * colors:
        survey = Survey(pegs, colors, allowed)
        yield from survey.run()
        allowed, known, tell = survey.allowed, survey.counts, survey.tell
    counting = Counting(pegs, colors, allowed, whites=whites, known=known)
    counts = yield from counting.find()
    if absent is None:
        absent = next((color for color in range(colors) if color not in counts), None)
    multiplicity = np.array([counts.get(color, 0) for color in range(max(colors, absent or 0) + 1)])
    rounds = Rounds([Interval(0, pegs, counts, absent)], multiplicity if whites else None, tell)
    return (yield from rounds.find(counting.allowed + places))


def guesses_allowed(pegs: int, colors: int, *, whites: bool = True) -> int:
    """Return the guesses that no game exceeds, the winning one included.

    >>> guesses_allowed(1000, 1000), guesses_allowed(1000, 1000, whites=False)
    (11964, 11977)
    """
    if whites:
        return viaud_upper(pegs, colors)
    # Under rules without a bound of their own two guesses a peg may be risked beyond those that are always enough.
    return counts_needed(pegs, colors, whites=False) + unresolved(pegs, colors) + 1 + 2 * pegs


def guesses_needed(secret: Sequence[int] | Array, colors: int, *, whites: bool = True) -> int:
    """Return how many guesses the strategy needs for a secret, without a game around it.

    >>> guesses_needed((0, 1, 2, 0), 6)
    7
    """
    return count_guesses(find_code(len(secret), colors, whites=whites), secret, colors, whites=whites)

"""Plays boards of thousands of pegs by packing many questions into one guess (method: docs/understand/linear.md).

It finds how often each color occurs, then where: the pegs are halved again and again, and each guess asks of every
interval at once which colors lie in which half of it. Black pegs are the sum of all these answers; how the questions
are combined (`rounds`) lets the sum be taken apart again.

Colors are counted likewise, by questions about sets of colors. Black and white together are the sum, over the colors of
a guess, of its pegs or those of the secret, whichever are fewer. A guess with g pegs of each color of a set therefore
tells how many of these colors occur g times or more, if it is known which occur g - 1 times.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from math import floor, log2
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates import check_unbound
from entropeg.codebreakers.doubts import Doubt
from entropeg.codebreakers.linear.intervals import ColorSet, Interval, unresolved
from entropeg.codebreakers.linear.rounds import Rounds
from entropeg.codebreakers.linear.survey import Survey
from entropeg.codebreakers.plans import Plans, count_guesses
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code, Feedback, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.registry import by_parameters
from entropeg.rules import Blanks, Rules
from entropeg.search.bounds import viaud_upper
from entropeg.search.subset import Array, Questions, between


def counts_needed(pegs: int, colors: int, *, whites: bool = True) -> int:
    """Return guesses that are enough to count the colors: one by one, or by finding first which of them occur.

    Without whites only the first way is open.

    >>> counts_needed(4, 6), counts_needed(1000, 1000), counts_needed(10, 1000)
    (5, 999, 153)
    """
    if not whites:
        return colors - 1
    return min(colors - 1, 1 - (-colors // pegs) + set_needed(pegs, colors) + pegs - 1)


def set_needed(pegs: int, colors: int) -> int:
    """Return the most queries that find which colors occur, once it is known how many of each block do."""
    return floor(min(colors, pegs * log2(2 * pegs)))


class Counting:
    """Counts the colors: of some it is known how often they occur, of the others that it is `copies` times or more.

    `known` are colors counted before, of which nothing is asked. `allowed` guesses must be `counts_needed` at least, or
    one for each color that is open; it falls with every guess.
    """

    def __init__(
        self, pegs: int, colors: int, allowed: int, *, whites: bool, known: dict[int, int] | None = None
    ) -> None:
        self.pegs, self.allowed, self.whites = pegs, allowed, whites
        self.counts: dict[int, int] = dict(known or {})
        self.filler = next(iter(self.counts), colors - 1)
        others = set(range(colors)) - {self.filler, *self.counts}
        self.open: Array = np.array(sorted(others), np.int64)
        self.copies = 0
        self.left = pegs - sum(self.counts.values())
        """Pegs of the colors that are open, beyond those `copies`."""

    def find(self) -> Questions[dict[int, int]]:
        """Return the colors that occur, with their numbers of pegs; ContradictionError where there are too few."""
        if self.filler not in self.counts:
            yield from self._ask_alone(self.filler, last=not len(self.open))
        while self.left and self._pays():
            yield from self._split()
        for place, color in enumerate(self.open.tolist(), start=1):
            yield from self._ask_alone(color, last=place == len(self.open))
        if self.left:
            raise ContradictionError("it leaves pegs to which no color is left")
        return {color: count for color, count in sorted(self.counts.items()) if count}

    def _pays(self) -> bool:
        number = len(self.open)
        # Few colors, or colors of many more pegs than are known of, are asked about one at a time.
        if not self.whites or number <= 12 or self.left > 2.5 * number:
            return False
        needed = -(-number // self._most()) + set_needed(self.pegs, number) + min(number, self.left) - 1
        return needed <= self.allowed

    def _most(self) -> int:
        return max(1, self.pegs // (self.copies + 1))

    def _ask_alone(self, color: int, *, last: bool) -> Questions[None]:
        more = self.left
        if not last and self.left:
            self.allowed -= 1
            black = (yield np.full(self.pegs, color)).black
            more = between(0, black - self.copies, self.left)
        self.counts[color] = self.copies + more
        self.left -= more

    def _split(self) -> Questions[None]:
        """Find which of the open colors occur once more than is known."""
        pieces = np.array_split(self.open, -(-len(self.open) // self._most()))
        shares: list[int] = []
        for piece in pieces:
            shares.append(between(0, (yield from self._ask(piece)), min(len(piece), self.left - sum(shares))))
        reserve = max(0, min(sum(shares), self.left) - 1)
        found = []
        split = list(zip(pieces, shares, strict=True))
        for number, (piece, share) in enumerate(split, start=1):
            later = sum(ColorSet(0, len(other), part).still_needed() for other, part in split[number:])
            members = yield from self._search(piece, share, reserve + later)
            found.append(members)
            self.counts.update(dict.fromkeys(piece[~members].tolist(), self.copies))
        self.open = self.open[np.concatenate(found)]
        self.copies += 1
        self.left -= len(self.open)

    def _search(self, piece: Array, share: int, reserve: int) -> Questions[NDArray[np.bool_]]:
        search = Rounds([ColorSet(0, len(piece), share)]).find(self.allowed - reserve)
        try:
            query = next(search)
            while True:
                told = yield from self._ask(piece[query == 1])
                query = search.send(Feedback(told))
        except StopIteration as end:
            return np.asarray(end.value == 1)

    def _ask(self, asked: Array) -> Generator[Array, Feedback, int]:
        self.allowed -= 1
        code = np.full(self.pegs, self.filler)
        size = len(asked) * (self.copies + 1)
        code[:size] = np.repeat(asked, self.copies + 1)
        black, white = yield code
        return black + white - min(self.counts[self.filler], self.pegs - size) - self.copies * len(asked)


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

    def doubt(self, position: Position) -> Doubt | None:
        """Return the contradiction that the answers have come to, which is a proof; None where there is none yet.

        Raises InputError under rules that it does not play.
        """
        check_rules(position.rules)
        return self._plans.doubt(position)

    __reduce__ = by_parameters


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why and what plays them, where the strategy does not apply."""
    check_known(rules, Method.linear)
    check_unbound(rules, "linear")
    if rules.words is not None and not rules.words.free:
        raise InputError(
            "linear plays codes of any colors, which are no words of {words}: add /free-guesses, or "
            "use `entropy` or `consistent`",
            rules.words.name,
        )
    if not rules.guess_repeats:
        raise InputError(
            "linear repeats colors in its guesses, which {rules} forbids: add /guess-repeats, or use "
            "`sampling` (to some 30 pegs) or `belief` (to some 200)",
            rules,
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

"""Keys of positions: one number for all histories, and one for all sets of codes, that differ in names alone.

Colors may change their names, and pegs their places, without changing a game. What players on two boards meet is the
same position where one history, or one set of codes left, is made of the other so; then their keys are equal. Priors,
words and shapes tell colors apart: there only the order of turns, or of codes, does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, label_of
from entropeg.kinds import FeedbackKind
from entropeg.rules import Blanks, Rules

MOST_STEPS = 300_000
"""Pegs that are looked at for the key of a history: a second. Eight pegs whose colors all differ take a third of it."""

Array = NDArray[np.int64]


def _are_alike(rules: Rules) -> bool:
    return rules.is_symmetric and rules.prior is None


def _has_maps_by_peg(rules: Rules) -> bool:
    # Answers that count pegs in place know nothing of colors at other pegs; where no color may come twice they do.
    return rules.feedback == FeedbackKind.black and bool(rules.repeats and rules.guess_repeats)


def _own_names(rules: Rules) -> NDArray[np.uint8]:
    """Which symbols are like no other: all where colors are, or the blank, unless secrets have it as any color."""
    own = np.full(rules.symbols_in_guesses, not _are_alike(rules), np.uint8)
    if rules.symbols_in_guesses > rules.colors and not (rules.blanks == Blanks.both and rules.repeats):
        own[rules.colors] = 1
    return own


# ---------------------------------------------------------------------- histories


class _Naming(NamedTuple):
    """A naming of what the turns so far have told apart: one of those that make their rows the least."""

    blocks: tuple[tuple[int, ...], ...]
    """Pegs in their order; those of one block may still stand in any."""
    names: tuple[tuple[int, ...], ...]
    """Colors by the numbers that they have got: one tuple, or one for each peg where each has names of its own."""
    used: frozenset[int]
    """Turns of the present group that stand already."""


def history_key(rules: Rules, turns: Iterable[tuple[Code, AnyFeedback]]) -> int:
    """Return the key of turns: equal where, and only where, one history is the other with other names and orders.

    It is the least number that the turns make, in ascending order of their labels, over all names of colors and orders
    of pegs. A turn takes a fixed number of bits, 16 on 4x6 to 4x8, so that three are a number below 2**48. Exact. Costs
    0.1 to 0.6 milliseconds on four pegs; raises TooLargeError where colors that all differ leave more than `MOST_STEPS`
    to try, from nine pegs.

    >>> from entropeg.feedback import Feedback
    >>> rules = Rules.parse("4x6")
    >>> one = [((0, 0, 1, 1), Feedback(1, 0)), ((0, 2, 3, 4), Feedback(0, 1))]
    >>> other = [((4, 1, 2, 3), Feedback(0, 1)), ((4, 5, 4, 5), Feedback(1, 0))]
    >>> history_key(rules, one) == history_key(rules, other), history_key(rules, one) == history_key(rules, one[:1])
    (True, False)
    """
    packer, is_by_place = _Packer(rules), rules.feedback == FeedbackKind.positional
    ordered = sorted((_sign(turn, rules), turn) for turn in turns)
    ways, key = [packer.start], 0
    for _, signed in groupby(ordered, key=lambda each: each[0]):
        group = [turn for _, turn in signed]
        ways = [way._replace(used=frozenset()) for way in ways]
        for _ in group:
            least, ways = packer.least_rows(group, ways)
            if not is_by_place:
                key = key << _most_answers(rules).bit_length() | _answer(group[0][1], rules) + 1
            key = key << packer.bits | least
    return key


def _most_answers(rules: Rules) -> int:
    return (rules.pegs + 1) * (rules.pegs + 2) // 2 if rules.feedback == FeedbackKind.standard else rules.label_count


def _answer(feedback: AnyFeedback, rules: Rules) -> int:
    # Labels of the usual kind have gaps: without them a turn of 4x6 takes 16 bits.
    label = label_of(feedback, rules)
    black, white = divmod(label, rules.pegs + 1)
    is_usual = rules.feedback == FeedbackKind.standard
    return black * (rules.pegs + 1) - black * (black - 1) // 2 + white if is_usual else label


def _sign(turn: tuple[Code, AnyFeedback], rules: Rules) -> tuple[object, ...]:
    """What no renaming changes of a turn; turns of one sign may stand in any order."""
    guess, feedback = turn
    if not _are_alike(rules):
        return label_of(feedback, rules), guess
    if rules.feedback == FeedbackKind.positional:
        return (tuple(sorted(feedback)),)
    return (label_of(feedback, rules),)


class _WrittenRow(NamedTuple):
    """A row of which some pegs are written."""

    written: int
    done: tuple[tuple[int, ...], ...]
    left: tuple[tuple[int, ...], ...]
    names: tuple[tuple[int, ...], ...]
    whites: tuple[int, ...]
    """Colors of the whites that no peg has got yet."""


class _Packer:
    """Packs turns of some rules into numbers, row by row, and keeps the namings that make each row the least."""

    def __init__(self, rules: Rules) -> None:
        alike, pegs = _are_alike(rules), tuple(range(rules.pegs))
        self.is_by_place = rules.feedback == FeedbackKind.positional
        self.by_peg, self.own = alike and _has_maps_by_peg(rules), _own_names(rules).tolist()
        self.width = max(rules.symbols_in_guesses - 1, 1).bit_length()
        self.slot = self.width + 2 * self.is_by_place
        self.bits = rules.pegs * self.slot
        blocks = (pegs,) if alike else tuple((peg,) for peg in pegs)
        self.start = _Naming(blocks, ((),) * (rules.pegs if self.by_peg else 1), frozenset())
        self.rules, self.steps = rules, 0

    def least_rows(self, group: Sequence[tuple[Code, AnyFeedback]], ways: list[_Naming]) -> tuple[int, list[_Naming]]:
        """Add one turn of the group to each way: the least row that comes of it, and the ways to it."""
        least, found = 1 << self.bits, set[_Naming]()
        for way in ways:
            for at in range(len(group)):
                if at in way.used:
                    continue
                for row, extended in self._rows(*group[at], way._replace(used=way.used | {at}), least):
                    if row < least:
                        least, found = row, set()
                    if row == least:
                        found.add(extended)
        return least, list(found)

    def _rows(self, guess: Code, feedback: AnyFeedback, way: _Naming, most: int) -> Iterator[tuple[int, _Naming]]:
        """Write a guess, peg by peg the least that may stand next; colors that have no name yet are tried in turn.

        Rows that are more than ``most``, or than one before, are left out as far as that is seen on the way. By place,
        the whites of a color stand on its first pegs: on which they do tells nothing.
        """
        white = [guess[peg] for peg, mark in enumerate(feedback) if mark == 1] if self.is_by_place else []
        stack: list[_WrittenRow] = [_WrittenRow(0, (), way.blocks, way.names, tuple(white))]
        while stack:
            row = stack.pop()
            if row.written > most >> self.slot * sum(map(len, row.left)):
                continue
            if not row.left:
                most = row.written
                yield most, _Naming(row.done, row.names, way.used)
                continue
            least, chosen = self._next(guess, feedback, row)
            stack += [self._extended(guess, row, least, pegs) for pegs in chosen]

    def _next(self, guess: Code, feedback: AnyFeedback, row: _WrittenRow) -> tuple[int, Iterable[list[int]]]:
        """The least that may stand at the next peg, and the pegs that it may be: those of each color together."""
        block = row.left[0]
        self._count(len(block))
        least, chosen = 1 << self.slot, dict[int, list[int]]()
        for peg in block:
            color, named = guess[peg], row.names[peg if self.by_peg else 0]
            value = color if self.own[color] else named.index(color) if color in named else len(named)
            if self.is_by_place:
                value |= (3 if feedback[peg] == 2 else 1 + (color in row.whites)) << self.width
            if value < least:
                least, chosen = value, {}
            if value == least:
                chosen.setdefault(0 if self.by_peg else color, []).append(peg)
        return least, chosen.values()

    def _extended(self, guess: Code, row: _WrittenRow, least: int, pegs: list[int]) -> _WrittenRow:
        """Let these pegs stand next: a block of their own."""
        written, whites, names = row.written, list(row.whites), list(row.names)
        for peg in pegs:
            color, value, of = guess[peg], least, peg if self.by_peg else 0
            if value >> self.width == 2 and color in whites:
                whites.remove(color)
            elif value >> self.width == 2:  # a white before it, and none is left
                value -= 1 << self.width
            written = written << self.slot | value
            if not self.own[color] and color not in names[of]:
                names[of] += (color,)
        rest = tuple(peg for peg in row.left[0] if peg not in pegs)
        left = (rest, *row.left[1:]) if rest else row.left[1:]
        return _WrittenRow(written, (*row.done, tuple(pegs)), left, tuple(names), tuple(whites))

    def _count(self, pegs: int) -> None:
        self.steps += pegs
        if self.steps > MOST_STEPS:
            raise TooLargeError(
                "the key of a position of {rules} is the least of too many namings: {most:,} steps are tried",
                self.rules, MOST_STEPS,
            )  # fmt: skip


# ---------------------------------------------------------------------- sets of codes


class SetKeys:
    """Canonical forms and keys of many sets of codes of one board."""

    def __init__(self, rules: Rules, codes: CodeSet) -> None:
        """Take the codes of which the sets are made; TooLargeError where they cannot be numbered in 63 bits."""
        if rules.symbols_in_guesses**rules.pegs >= 1 << 63:
            raise TooLargeError("the codes of {rules} cannot be numbered in 63 bits", rules)
        from entropeg.kernels import canonical

        self._kernels, self._in_use = canonical, Lock()
        digits = np.ascontiguousarray(codes.planes.T.astype(np.uint8))
        self._board = canonical.NamedBoard(digits, _own_names(rules), int(_has_maps_by_peg(rules)))
        self._scratch = canonical.new_scratch(self._board, 64)

    def of(self, pool: NDArray[np.int32], starts: Array) -> tuple[NDArray[np.uint64], Array]:
        """Return (keys, forms) of sets of indexes of codes: `uint64[sets]`, and numbers of codes, `int64` as `pool`.

        Set i stands in `pool` from `starts[i]` to `starts[i + 1]`.
        """
        keys, forms = np.empty(len(starts) - 1, np.uint64), np.empty(len(pool), np.int64)
        with self._in_use:
            # Of one set of few codes each line here takes a tenth of all.
            if len(pool) > len(self._scratch.code):
                most = int(np.diff(starts).max())
                if most > len(self._scratch.code):
                    self._scratch = self._kernels.new_scratch(self._board, most)
            self._kernels.canonical_forms(self._board, self._scratch, pool, starts, forms, keys)
        return keys, forms


@lru_cache(maxsize=4)
def keys_of(rules: Rules) -> SetKeys:
    """Return the maker of keys of a board's secrets, made once."""
    return SetKeys(rules, secrets(rules))


def set_key(codes: CodeSet) -> int:
    """Return the key of a set of codes, 64 bits: equal for sets that are one another with other names and orders.

    Different sets have different keys but for a chance of 2**-64 a pair; `canonical_codes` are different for certain.
    Costs microseconds.

    >>> set_key(CodeSet.of(["AABC", "ADDE"], "4x6")) == set_key(CodeSet.of(["FABB", "DEEB"], "4x6"))
    True
    """
    return int(_form(codes)[0][0])


def canonical_codes(codes: CodeSet) -> CodeSet:
    """Return the set that stands for all that differ from this one in names of colors and places of pegs alone.

    >>> list(canonical_codes(CodeSet.of(["FFFA"], "4x6"))) == list(canonical_codes(CodeSet.of(["CBBB"], "4x6")))
    True
    """
    rules = codes.rules
    _, numbers = _form(codes)
    powers = rules.symbols_in_guesses ** np.arange(rules.pegs - 1, -1, -1, dtype=np.int64)
    return CodeSet(rules, numbers[None, :] // powers[:, None] % rules.symbols_in_guesses)


def _form(codes: CodeSet) -> tuple[NDArray[np.uint64], Array]:
    return SetKeys(codes.rules, codes).of(np.arange(len(codes), dtype=np.int32), np.array([0, len(codes)]))


__all__ = ["SetKeys", "canonical_codes", "history_key", "keys_of", "set_key"]

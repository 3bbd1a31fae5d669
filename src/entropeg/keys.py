"""Keys of positions: one number for all histories, and one for all sets of codes, that differ in names alone.

Colors may change their names, and pegs their places, without changing a game. What players on two boards meet is the
same position where one history, or one set of codes left, is made of the other so; then their keys are equal. Priors,
words and shapes tell colors apart: there only the order of turns, or of codes, does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, permutations, product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, FeedbackKind, label_of
from entropeg.kernels import canonical
from entropeg.rules import Blanks, Rules

MOST_WAYS = 200_000
"""Orders of turns and pegs that a history is tried in: a second."""

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


def history_key(rules: Rules, turns: Iterable[tuple[Code, AnyFeedback]]) -> int:
    """Return the key of turns: equal where, and only where, one history is the other with other names and orders.

    A turn takes a fixed number of bits, 16 on 4x6 to 4x8, so that three are a number below 2**48. Exact. Costs up to a
    millisecond on four pegs; raises TooLargeError past `MOST_WAYS` orders, which is beyond eight pegs.

    >>> from entropeg.feedback import Feedback
    >>> rules = Rules.parse("4x6")
    >>> one = [((0, 0, 1, 1), Feedback(1, 0)), ((0, 2, 3, 4), Feedback(0, 1))]
    >>> other = [((4, 1, 2, 3), Feedback(0, 1)), ((4, 5, 4, 5), Feedback(1, 0))]
    >>> history_key(rules, one) == history_key(rules, other), history_key(rules, one) == history_key(rules, one[:1])
    (True, False)
    """
    ordered = sorted((_sign(turn, rules), turn) for turn in turns)
    groups = [[turn for _, turn in group] for _, group in groupby(ordered, key=lambda each: each[0])]
    pegs = list(permutations(range(rules.pegs))) if _are_alike(rules) and rules.pegs <= 8 else []
    ways = len(pegs) * prod(factorial(len(group)) for group in groups)
    if _are_alike(rules) and not 0 < ways <= MOST_WAYS:
        raise TooLargeError(
            "the key of {turns} turns on {rules} is the least of too many orders: {most} are tried",
            len(ordered), rules, MOST_WAYS,
        )  # fmt: skip
    orders = (tuple(each for group in way for each in group) for way in product(*map(permutations, groups)))
    if not _are_alike(rules):
        return _packed((turn for _, turn in ordered), range(rules.pegs), rules, None)
    best: int | None = None
    for order in orders:
        for places in pegs:
            best = _packed(order, places, rules, best)
    return best or 0


def _sign(turn: tuple[Code, AnyFeedback], rules: Rules) -> tuple[object, ...]:
    """What no renaming changes of a turn; turns of one sign may stand in any order."""
    guess, feedback = turn
    if not _are_alike(rules):
        return label_of(feedback, rules), guess
    if rules.feedback == FeedbackKind.positional:
        return (tuple(sorted(feedback)),)
    return (label_of(feedback, rules),)


def _packed(turns: Iterable[tuple[Code, AnyFeedback]], places: Sequence[int], rules: Rules, best: int | None) -> int:
    """Pack turns in this order, the pegs in that one, colors named as they come; the lesser of it and ``best``."""
    is_by_place, by_peg = rules.feedback == FeedbackKind.positional, _has_maps_by_peg(rules)
    own, alike = _own_names(rules), _are_alike(rules)
    width = max(rules.symbols_in_guesses - 1, 1).bit_length()
    names: list[dict[int, int]] = [{} for _ in range(rules.pegs if by_peg else 1)]
    key = 0
    for guess, feedback in turns:
        if not is_by_place:
            key = key << rules.label_count.bit_length() | label_of(feedback, rules) + 1
        for at, (peg, mark) in enumerate(zip(places, _marks(guess, feedback, places, rules), strict=True)):
            named, color = names[at if by_peg else 0], guess[peg]
            name = color if not alike or own[color] else named.setdefault(color, len(named))
            key = (key << 2 | mark + 1 if is_by_place else key) << width | name
    return key if best is None or key < best else best


def _marks(guess: Code, feedback: AnyFeedback, places: Sequence[int], rules: Rules) -> Iterator[int]:
    """The marks of the pegs in this order, by place; the whites of a color stand on its first pegs: which, tells nothing."""
    if rules.feedback != FeedbackKind.positional:
        yield from (0 for _ in places)
        return
    whites = [guess[peg] for peg, mark in enumerate(feedback) if mark == 1]
    for peg in places:
        if feedback[peg] == 2:
            yield 2
        elif guess[peg] in whites:
            whites.remove(guess[peg])
            yield 1
        else:
            yield 0


# ---------------------------------------------------------------------- sets of codes


class SetKeys:
    """Canonical forms and keys of many sets of codes of one board; one thread at a time asks it."""

    def __init__(self, rules: Rules, codes: CodeSet) -> None:
        """Take the codes of which the sets are made; TooLargeError where they cannot be numbered in 63 bits."""
        if rules.symbols_in_guesses**rules.pegs >= 1 << 63:
            raise TooLargeError("the codes of {rules} cannot be numbered in 63 bits", rules)
        digits = np.ascontiguousarray(codes.planes.T.astype(np.uint8))
        self._board = canonical.Board(digits, _own_names(rules), int(_has_maps_by_peg(rules)))
        self._scratch = canonical.new_scratch(self._board, 64)

    def of(self, pool: NDArray[np.int32], starts: Array) -> tuple[NDArray[np.uint64], Array]:
        """Return (keys, forms) of sets of indexes of codes: `uint64[sets]`, and numbers of codes, `int64` as `pool`.

        Set i stands in `pool` from `starts[i]` to `starts[i + 1]`.
        """
        sizes = np.diff(starts)
        if len(sizes) and sizes.max() > len(self._scratch.code):
            self._scratch = canonical.new_scratch(self._board, int(sizes.max()))
        keys, forms = np.zeros(len(sizes), np.uint64), np.zeros(len(pool), np.int64)
        canonical.canonical_forms(self._board, self._scratch, pool, starts, forms, keys)
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

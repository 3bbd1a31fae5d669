"""The slow truth of exact play under any feedback: every guess in every set, in plain Python, without a bound.

A code is a tuple of colors, a set of secrets a whole number with one bit for each, and feedback its label, counted here
from the rules of the game alone. T(S, d) is the least sum of weight times guesses over the secrets of S where every one
of them is found within d guesses: the least, over all guesses, of the weight of S plus T(part, d - 1) of each part but
the guess itself. A guess that leaves all of S in one part tells nothing, and no play is better for it. Nothing else is
left out: no symmetry, no order, no bound.

Hard play: guesses must use every clue, so what may be guessed depends on the turns before, and T on that too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import inf

Code = tuple[int, ...]
Turn = tuple[Code, int]
Score = Callable[[Code, Code], int]
Total = float  # a whole number, or NEVER

NEVER = inf
LONG = 10**6
WON = -1  # in place of its label, the answer to the guess that is the secret


# ------------------------------------------------------------------ what the codemaker answers


def blacks(guess: Code, secret: Code) -> int:
    """Pegs that are right in their place."""
    return sum(one == other for one, other in zip(guess, secret, strict=True))


def standard(guess: Code, secret: Code) -> int:
    """Blacks, and whites for the further pegs that could be moved into place: (pegs + 1) * black + white."""
    black = blacks(guess, secret)
    return black * (len(guess) + 1) + (Counter(guess) & Counter(secret)).total() - black


def membership(guess: Code, secret: Code) -> int:
    """Blacks, and a white for each other peg whose color is anywhere in the secret, labelled as `standard` is."""
    whites = sum(one != other and one in secret for one, other in zip(guess, secret, strict=True))
    return blacks(guess, secret) * (len(guess) + 1) + whites


def marks_of(guess: Code, secret: Code) -> list[int]:
    """A mark for each peg: 2 in place; 1, from the left, while a copy in the secret is not yet matched; else 0."""
    unmatched = Counter(other for one, other in zip(guess, secret, strict=True) if one != other)
    marks = []
    for one, other in zip(guess, secret, strict=True):
        white = one != other and unmatched[one] > 0
        unmatched[one] -= white
        marks.append(2 if one == other else int(white))
    return marks


def positional(guess: Code, secret: Code) -> int:
    """The marks of the pegs as the digits of a number to base 3, the first peg's first."""
    label = 0
    for mark in marks_of(guess, secret):
        label = 3 * label + mark
    return label


def grand(shapes: int) -> Score:
    """Blacks, whites, and blues: pegs without either that are right in color or shape. (standard) * (pegs + 1) + blue.

    A peg is color * shapes + shape.
    """

    def answer(guess: Code, secret: Code) -> int:
        blue = 0
        for mark, one, other in zip(marks_of(guess, secret), guess, secret, strict=True):
            same_color, same_shape = one // shapes == other // shapes, one % shapes == other % shapes
            blue += mark == 0 and (same_color or same_shape)
        return standard(guess, secret) * (len(guess) + 1) + blue

    return answer


SCORES: dict[str, Score] = {
    "standard": standard,
    "black": blacks,
    "membership": membership,
    "positional": positional,
}


def digits(label: int, pegs: int) -> list[int]:
    """The marks of a positional label."""
    return [label // 3**place % 3 for place in reversed(range(pegs))]


def uses_clues(guess: Code, label: int, following: Code) -> bool:
    """Tell whether a guess uses all that an earlier one was told by marks in place.

    A peg that was right stays as it is, and of every color there are as many pegs at least as had marks.
    """
    marks = digits(label, len(guess))
    if any(mark == 2 and color != new for mark, color, new in zip(marks, guess, following, strict=True)):
        return False
    marked = Counter(color for mark, color in zip(marks, guess, strict=True) if mark)
    return marked <= Counter(following)


# ------------------------------------------------------------------ codes


def all_codes(pegs: int, colors: int, *, repeats: bool = True) -> list[Code]:
    """Every code of a board, in order."""
    return [code for code in product(range(colors), repeat=pegs) if repeats or len({*code}) == pegs]


def spelled(words: Iterable[str], letters: Sequence[str]) -> list[Code]:
    """Words as codes of their letters' numbers."""
    return [tuple(map(letters.index, word)) for word in words]


def fitting(score: Score, secrets: Iterable[Code], turns: Iterable[Turn]) -> list[Code]:
    """The secrets that would have answered every turn as it was answered."""
    told = list(turns)
    return [secret for secret in secrets if all(score(guess, secret) == label for guess, label in told)]


# ------------------------------------------------------------------ play


def bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    place = 0
    while number:
        if number & 1:
            yield place
        number >>= 1
        place += 1


class TableSolver:
    """Least totals where `secrets` are what may still be hidden, each of its weight, and `guesses` may be guessed.

    `consistent`: only possible secrets are guessed. `hard`: guesses use every clue, those of `turns` included.
    """

    def __init__(
        self, guesses: Sequence[Code], secrets: Sequence[Code], score: Score, *, weights: Sequence[int] | None = None,
        consistent: bool = False, hard: bool = False, turns: Iterable[Turn] = (),
    ) -> None:  # fmt: skip
        self.guesses, self.consistent, self.hard = guesses, consistent, hard
        given = weights or [1] * len(secrets)
        self.secrets = [secret for secret, weight in zip(secrets, given, strict=True) if weight]
        self.weights = [weight for weight in given if weight]
        self.everything = (1 << len(self.secrets)) - 1
        self.rows = [[WON if guess == secret else score(guess, secret) for secret in self.secrets] for guess in guesses]
        self.legal = (1 << len(guesses)) - 1  # the guesses that may be made, as bits
        self.using = cache(self._using)
        if hard:
            for guess, label in turns:
                self.legal &= self.using(guess, label)
        self.known: dict[tuple[int, int, int], Total] = {}

    def _using(self, guess: Code, label: int) -> int:
        return sum(1 << i for i, following in enumerate(self.guesses) if uses_clues(guess, label, following))

    def total(self, limit: int = LONG) -> Total:
        """The least total of all secrets where none needs more guesses than the limit; NEVER where none keeps it."""
        return self.value(self.everything, limit, self.legal)

    def totals(self, limit: int = LONG) -> list[Total]:
        """The total after every guess, in order, of the best play: NEVER for one that may not be guessed.

        Here one that tells nothing counts, and costs every secret one guess more.
        """
        found = [NEVER] * len(self.guesses)
        for guess, parts in self._splits(self.everything, self.legal):
            if limit > 0:
                found[guess] = sum(self.weights) + self._rest(guess, parts, limit, self.legal)
        return found

    def least_worst(self) -> tuple[int, Total]:
        """The least worst case of all strategies, and the least total of the strategies that have it."""
        worst = 1
        while self.total(worst) == NEVER:
            worst += 1
        return worst, self.total(worst)

    def fewest_at_worst(self) -> tuple[Total, int, int]:
        """The least total, the least worst case of it, and the fewest secrets that take as many guesses as that."""
        worst = 1
        while self.total(worst) != self.total():
            worst += 1
        return self.total(), worst, self._late(self.everything, worst, self.legal)

    def _late(self, codes: int, left: int, legal: int) -> int:
        """The fewest secrets found by the last guess, of all plays of least total; for play that is not hard."""
        if codes.bit_count() == 1:
            return int(left == 1)
        rest = self.value(codes, left, legal) - sum(self.weights[place] for place in bits(codes))
        found = []
        for guess, parts in self._splits(codes, legal):
            if len(parts) > 1 and self._rest(guess, parts, left, legal) == rest:
                found.append(sum(self._late(part, left - 1, legal) for label, part in parts.items() if label != WON))
        return min(found)

    def value(self, codes: int, left: int, legal: int) -> Total:
        """T of a set with so many guesses left, where those of `legal` may be made.

        As every guess that is made splits the set or wins, no play takes more guesses than the set has codes.
        """
        size = codes.bit_count()
        if left <= 0 or size == 1:
            return self.weights[codes.bit_length() - 1] if left > 0 else NEVER
        key = codes, min(left, size), legal
        if key not in self.known:
            telling = [(guess, parts) for guess, parts in self._splits(codes, legal) if len(parts) > 1]
            rest = min((self._rest(guess, parts, left, legal) for guess, parts in telling), default=NEVER)
            self.known[key] = sum(self.weights[place] for place in bits(codes)) + rest
        return self.known[key]

    def _splits(self, codes: int, legal: int) -> Iterator[tuple[int, dict[int, int]]]:
        """Every guess that may be made, with the parts of the set by its answers: itself as that of `WON`."""
        places = list(bits(codes))
        for guess in bits(legal):
            row = self.rows[guess]
            parts: dict[int, int] = {}
            for place in places:
                parts[row[place]] = parts.get(row[place], 0) | 1 << place
            if WON in parts or not self.consistent:
                yield guess, parts

    def _rest(self, guess: int, parts: dict[int, int], left: int, legal: int) -> Total:
        """What the parts cost after the guess."""
        total: Total = 0
        for label, part in parts.items():
            if label != WON:
                further = legal & self.using(self.guesses[guess], label) if self.hard else legal
                total += self.value(part, left - 1, further)
        return total

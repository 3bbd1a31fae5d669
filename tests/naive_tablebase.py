"""The slow truth about keys, sets of codes and their values: it shares nothing with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations, product

Code = tuple[int, ...]


def maps(pegs: int, colors: int, *, by_peg: bool = False) -> Iterator[Callable[[Code], Code]]:
    """Every way to move pegs and rename colors; `by_peg`: the colors of each peg by themselves."""
    renamings = list(permutations(range(colors)))
    for order in permutations(range(pegs)):
        for names in product(renamings, repeat=pegs) if by_peg else ((each,) * pegs for each in renamings):
            yield lambda code, order=order, names=names: tuple(  # type: ignore[misc]
                names[at][code[peg]] for at, peg in enumerate(order)
            )


def least_form(codes: Iterable[Code], ways: Iterable[Callable[[Code], Code]]) -> tuple[Code, ...]:
    """The least sorted list that a set of codes can become."""
    listed = list(codes)
    return min(tuple(sorted(map(way, listed))) for way in ways)


def marks(guess: Code, secret: Code) -> tuple[int, int]:
    """Blacks and whites of the usual game."""
    black = sum(a == b for a, b in zip(guess, secret, strict=True))
    return black, (Counter(guess) & Counter(secret)).total() - black


def parts(codes: Iterable[Code], guess: Code) -> dict[tuple[int, int], frozenset[Code]]:
    """The codes by the answer that they give."""
    found: dict[tuple[int, int], set[Code]] = {}
    for code in codes:
        found.setdefault(marks(guess, code), set()).add(code)
    return {answer: frozenset(part) for answer, part in found.items()}


def sets_left(every: Sequence[Code], guesses: Sequence[Code], turns: int) -> list[set[frozenset[Code]]]:
    """The sets of more than two codes that one, two ... guesses leave, by playing all of them."""
    levels = [{frozenset(every)}]
    for _ in range(turns):
        level = set()
        for codes in levels[-1]:
            for guess in guesses:
                level |= {part for part in parts(codes, guess).values() if len(part) > 2}
        levels.append(level)
    return levels[1:]


class PlainSolver:
    """Least totals and least worst cases of sets of codes, by trying guesses; ends on every set by a bound of its own.

    A guess takes one turn of each code, and each code but the guess itself one more at least: a part of k codes takes
    2k - 1. Where it has more codes than answers there are, the rest take three: one code is found at the first turn,
    one of each answer at the second at most. Guesses are tried in the order of that bound until none can be better.
    """

    def __init__(self, guesses: Sequence[Code]) -> None:
        self.guesses = guesses
        pegs = len(guesses[0])
        self.answers = (pegs + 1) * (pegs + 2) // 2 - 2  # without the winning one, and one that cannot be
        self.total = cache(self._total)
        self.worst = cache(self._worst)

    def bound(self, size: int) -> int:
        """No play of a set of this size takes less."""
        rows, total, left, turn = 1, 0, size, 1
        while left:
            total += turn * min(rows, left)
            left, rows, turn = left - min(rows, left), rows * self.answers, turn + 1
        return total

    def _total(self, codes: frozenset[Code]) -> int:
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        win = (len(self.guesses[0]), 0)
        tried = []
        for guess in self.guesses:
            found = parts(codes, guess)
            if len(found) == 1:
                continue
            rest = [part for answer, part in found.items() if answer != win]
            tried.append((len(codes) + sum(self.bound(len(part)) for part in rest), guess, rest))
        best = 1 << 60
        for least, _, rest in sorted(tried, key=lambda each: each[0]):
            if least >= best:
                break
            total = least
            for part in sorted(rest, key=len):
                total += self.total(part) - self.bound(len(part))
                if total >= best:
                    break
            best = min(best, total)
        return best

    def _worst(self, codes: frozenset[Code], most: int = 20) -> int:
        return next(limit for limit in range(1, most) if self.ends_in(codes, limit))

    def ends_in(self, codes: frozenset[Code], limit: int) -> bool:
        """Whether some play finds every code in so many guesses."""
        if len(codes) <= limit and len(codes) <= 2:
            return True
        if limit <= 1 or len(codes) > sum(self.answers**turn for turn in range(limit)):
            return False
        win = (len(self.guesses[0]), 0)
        for guess in self.guesses:
            found = [part for answer, part in parts(codes, guess).items() if answer != win]
            if max(map(len, found), default=0) == len(codes):
                continue
            if all(self.ends_in(part, limit - 1) for part in sorted(found, key=len, reverse=True)):
                return True
        return False

"""A slow exact solver to check the fast one against: plain Python, no array, no code of the package.

T(S) is the least total number of guesses over the codes of S. A set is a Python integer with one bit for each code.
The bounds are two. By size: a guess leaves at most one part per feedback, so at most 1 code is settled by the first
guess, `fan` more by the second, `fan` * `fan` by the third; for a guess this is added up over its parts. By number of
parts: every part but the guess itself costs at least 2x - 1, so a guess that leaves K parts, its own included, costs
at least 3n - K, less 1 if it is in the set. The bound of a set is the least over all guesses of the larger of both.
Values are memoized up to a renaming of the colors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import permutations, product

Code = tuple[int, ...]
Split = tuple[int, int, list[int]]
NEVER = 10**9
NOT_KEPT = 10**60


@lru_cache(1 << 18)
def score(guess: Code, secret: Code) -> tuple[int, int]:
    """Blacks and whites."""
    blacks = sum(a == b for a, b in zip(guess, secret, strict=True))
    common = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return blacks, common - blacks


def all_codes(pegs: int, colors: int, *, repeats: bool = True) -> list[Code]:
    """Every code of a board."""
    return list(product(range(colors), repeat=pegs)) if repeats else list(permutations(range(colors), pegs))


class NaiveSolver:
    """Least totals on a board whose secrets are `codes` and whose guesses are these or, if given, `guesses`."""

    def __init__(
        self, codes: list[Code], guesses: list[Code] | None = None, *, black: bool = False, consistent: bool = False
    ) -> None:
        self.codes, self.consistent = codes, consistent
        self.number = {code: i for i, code in enumerate(codes)}
        self.renames = guesses is None
        pegs = len(codes[0])
        self.fan = pegs if black else pegs * (pegs + 3) // 2 - 1
        self.cuts: list[tuple[int, list[int]]] = []  # of each guess: its own bit or 0, the codes by feedback
        for guess in guesses or codes:
            found: dict[object, int] = defaultdict(int)
            for i, code in enumerate(codes):
                if code != guess:
                    marks = score(guess, code)
                    found[marks[0] if black else marks] |= 1 << i
            own = 1 << self.number[guess] if guess in self.number else 0
            self.cuts.append((own, list(found.values())))
        self.everything = (1 << len(codes)) - 1
        self.exact: dict[tuple[int, int], int] = {}
        self.lower: dict[tuple[int, int], int] = {}
        self.floors: dict[int, int] = {}
        self.least = [self._least(size) for size in range(len(codes) + 1)]

    def _least(self, size: int) -> int:
        total, settled, layer = 0, 0, 1
        while size > settled:
            total += size - settled
            settled += layer
            layer *= self.fan
        return total

    def set_of(self, codes: list[Code]) -> int:
        """The bits of some codes."""
        return sum(1 << self.number[code] for code in codes)

    def members(self, codes: int) -> list[Code]:
        """The codes of a set."""
        found = []
        while codes:
            bit = codes & -codes
            found.append(self.codes[bit.bit_length() - 1])
            codes ^= bit
        return found

    def canonical(self, codes: int) -> int:
        """The set with its colors named by how often they occur at each peg: a symmetry, so the value is the same."""
        if not self.renames or self.consistent:
            return codes
        members = self.members(codes)
        weight: Counter[tuple[int, int]] = Counter()
        for code in members:
            weight.update((color, peg) for peg, color in enumerate(code))
        pegs = range(len(members[0]))
        colors = sorted({color for color, _ in weight}, key=lambda c: ([weight[c, peg] for peg in pegs], c))
        name = {color: i for i, color in enumerate(colors)}
        return sum(1 << self.number[tuple(name[color] for color in code)] for code in members)

    def floor(self, codes: int) -> int:
        """The least bound that a guess gives a set of three codes or more."""
        if codes not in self.floors:
            least, size = self.least, codes.bit_count()
            best = NEVER
            for own, cells in self.cuts:
                if codes & own or not self.consistent:
                    sizes = [x for cell in cells if (x := (codes & cell).bit_count())]
                    parts = len(sizes) + (2 if codes & own else 0)
                    best = min(best, max(size + sum(least[x] for x in sizes), 3 * size - parts))
            self.floors[codes] = best
        return self.floors[codes]

    def splits(self, codes: int) -> list[Split]:
        """(bound, bound added up, parts) of every guess that leaves parts of its own, the most promising first."""
        size, least = codes.bit_count(), self.least
        seen: set[object] = set()
        found = []
        for own, cells in self.cuts:
            if self.consistent and not codes & own:
                continue
            parts = [part for cell in cells if (part := codes & cell)]
            if len(parts) == 1 and not codes & own:
                continue
            several = [part for part in parts if part & (part - 1)]
            key: object = (frozenset(several), bool(codes & own))
            if size == len(self.codes):  # openings that are images of each other are one
                key = (frozenset(Counter(map(self.canonical, several)).items()), bool(codes & own))
            if key not in seen:
                seen.add(key)
                sizes = sorted((part.bit_count(), part) for part in parts)
                added = size + sum(least[x] for x, _ in sizes)
                bound = max(added, 3 * size - len(parts) - (2 if codes & own else 0))
                found.append((bound, sum(x * x for x, _ in sizes), added, [part for _, part in sizes]))
        found.sort(key=lambda split: split[:2])
        return [(bound, added, parts) for bound, _, added, parts in found]

    def total(self, codes: int, limit: int = 99, bound: int = NEVER) -> int:
        """T(codes) with at most `limit` guesses if it is below `bound`; otherwise a number >= `bound`."""
        size = codes.bit_count()
        if limit < 99 and size > sum(self.fan**i for i in range(limit)):
            return NEVER
        if size <= 2:
            return 2 * size - 1
        codes = self.canonical(codes)
        key = codes, limit
        if key in self.exact:
            return self.exact[key]
        low = max(self.floor(codes), self.lower.get(key, 0))
        if low >= bound:
            return low
        best = bound
        for least, added, parts in self.splits(codes):
            if least >= best:
                break
            best = min(best, self.value(added, parts, limit if limit == 99 else limit - 1, best))
            if best == low:
                break
        if best < bound:
            self.exact[key] = best
        else:
            self.lower[key] = max(low, bound)
        return best

    def value(self, least: int, parts: list[int], limit: int, best: int) -> int:
        """Value of a guess from its bound and parts, or a number >= `best`."""
        floors = []
        for part in parts:
            size = part.bit_count()
            floors.append(self.floor(self.canonical(part)) if size > 2 else self.least[size])
            least += floors[-1] - self.least[size]
            if least >= best:
                return least
        for part, floor in zip(parts, floors, strict=True):
            least += self.total(part, limit, best - least + floor) - floor
            if least >= best:
                break
        return least


class NaiveWeighted:
    """V(S, d): the least sum of weight times guesses over a sorted tuple of codes, of at most d guesses each.

    A part costs at least twice its weight less its heaviest. `consistent`: only codes of S are guessed.
    """

    def __init__(
        self, guesses: list[Code], weight: dict[Code, int], *, black: bool = False, consistent: bool = False
    ) -> None:
        self.guesses, self.weight, self.black, self.consistent = guesses, weight, black, consistent
        self.known: dict[tuple[tuple[Code, ...], int], int] = {}

    def value(self, codes: tuple[Code, ...], limit: int = 99) -> int:
        """Infinite, which is `NOT_KEPT`, where no strategy keeps the limit."""
        if len(codes) == 1 or limit <= 0:
            return self.weight[codes[0]] if limit > 0 else NOT_KEPT
        key = codes, min(limit, len(codes))
        if key not in self.known:
            self.known[key] = self._search(codes, limit)
        return self.known[key]

    def _search(self, codes: tuple[Code, ...], limit: int) -> int:
        whole = sum(map(self.weight.__getitem__, codes))
        splits = []
        for guess in codes if self.consistent else self.guesses:
            parts: dict[object, list[Code]] = {}
            for code in codes:
                if code != guess:
                    marks = score(guess, code)
                    parts.setdefault(marks[0] if self.black else marks, []).append(code)
            if all(len(part) < len(codes) for part in parts.values()):
                weights = [[self.weight[code] for code in part] for part in parts.values()]
                bound = whole + sum(2 * sum(part) - max(part) for part in weights)
                splits.append((bound, [tuple(part) for part in parts.values()]))
        best = NOT_KEPT
        for bound, parts_left in sorted(splits, key=lambda split: split[0]):
            if bound >= best:
                break
            total = whole
            for part in sorted(parts_left, key=len):
                total += self.value(part, limit - 1)
                if total >= best:
                    break
            best = min(best, total)
        return best

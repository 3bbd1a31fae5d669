"""The slow truth: every kernel once more in plain Python, written to be read.

A code is a tuple of symbols. A feedback is its label, as `entropeg.kernels` defines it. Which function here answers for
which kernel says the table in `test_twins.py`.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from math import log, log2, prod, sqrt
from typing import Any

Code = tuple[int, ...]
Turn = tuple[Code, int]

STANDARD, BLACK, MEMBERSHIP, POSITIONAL, GRAND = range(5)


# ------------------------------------------------------------------ scores


def blacks(guess: Code, secret: Code) -> int:
    """Count the pegs that have the right color in the right place."""
    return sum(g == s for g, s in zip(guess, secret, strict=True))


def common(guess: Code, secret: Code) -> int:
    """Count the pegs that could be paired by color, wherever they are: blacks and whites."""
    return sum(min(guess.count(c), secret.count(c)) for c in set(guess))


def misplaced_members(guess: Code, secret: Code) -> int:
    """Count the pegs of the guess that are not black and whose color occurs anywhere in the secret."""
    return sum(g != s and g in secret for g, s in zip(guess, secret, strict=True))


def marks(guess: Code, secret: Code) -> list[int]:
    """Mark each peg of the guess 2, 1 or 0, as Wordle does: blacks first, then whites from the left."""
    unmatched = [s for g, s in zip(guess, secret, strict=True) if g != s]
    result = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            result.append(2)
        elif g in unmatched:
            unmatched.remove(g)
            result.append(1)
        else:
            result.append(0)
    return result


def uses_clues(guess: Code, turns: Iterable[tuple[Code, Sequence[int]]]) -> bool:
    """Tell whether each marked peg of each turn can be laid onto a peg of the guess of its color, each onto its own.

    Pegs in place are laid onto the same place, then the others onto what is left.
    """
    for played, marked in turns:
        left: list[int | None] = list(guess)
        for peg, (color, mark) in enumerate(zip(played, marked, strict=True)):
            if mark == 2 and guess[peg] != color:
                return False
            if mark == 2:
                left[peg] = None
        for color, mark in zip(played, marked, strict=True):
            if mark == 1 and color not in left:
                return False
            if mark == 1:
                left.remove(color)
    return True


def half_right(guess: Code, secret: Code, shapes: int) -> int:
    """Count the pegs without a mark whose color or shape is right in place; a symbol is color * shapes + shape."""
    return sum(
        not mark and (g // shapes == s // shapes or g % shapes == s % shapes)
        for mark, g, s in zip(marks(guess, secret), guess, secret, strict=True)
    )


@lru_cache(1 << 18)
def score(kind: int, guess: Code, secret: Code) -> int:
    """Return the label of the feedback to guess when the secret is secret; grand is 4 + 8 * shapes."""
    pegs, black = len(guess), blacks(guess, secret)
    if kind % 8 == GRAND:
        label = black * (pegs + 1) + common(guess, secret) - black
        return label * (pegs + 1) + half_right(guess, secret, kind // 8)
    if kind == STANDARD:
        return black * (pegs + 1) + common(guess, secret) - black
    if kind == BLACK:
        return black
    if kind == MEMBERSHIP:
        return black * (pegs + 1) + misplaced_members(guess, secret)
    return int("".join(map(str, marks(guess, secret))), 3)


def label_count(kind: int, pegs: int) -> int:
    """Return how many labels there are, those that never occur included."""
    if kind == POSITIONAL:
        return int(3**pegs)
    if kind % 8 == GRAND:
        return (pegs + 1) ** 3
    return pegs + 1 if kind == BLACK else (pegs + 1) ** 2


# ------------------------------------------------------------------ lists of codes


def all_codes(pegs: int, symbols: int, *, repeats: bool, blank: bool) -> list[Code]:
    """List all codes in lexicographic order; the blank, the last symbol, may always repeat."""

    def allowed(code: Code) -> bool:
        colors = [c for c in code if not (blank and c == symbols - 1)]
        return repeats or len(set(colors)) == len(colors)

    return [code for code in product(range(symbols), repeat=pegs) if allowed(code)]


def color_counts(code: Code, symbols: int) -> list[int]:
    """Return how often each symbol occurs in the code."""
    return [code.count(c) for c in range(symbols)]


# ------------------------------------------------------------------ parts, and codes that fit


def partition(kind: int, guess: Code, secrets: Sequence[Code]) -> dict[int, int]:
    """Return how many secrets give each label that occurs, in ascending order of labels."""
    return dict(sorted(Counter(score(kind, guess, secret) for secret in secrets).items()))


def part_sizes(kind: int, guess: Code, secrets: Sequence[Code]) -> list[int]:
    """Return how many secrets give each label, occurring or not."""
    sizes = partition(kind, guess, secrets)
    return [sizes.get(label, 0) for label in range(label_count(kind, len(guess)))]


def matching(kind: int, turns: Sequence[Turn], secrets: Sequence[Code]) -> list[int]:
    """Return the indexes of the secrets that agree with every turn (guess, label)."""
    return [i for i, secret in enumerate(secrets) if all(score(kind, guess, secret) == label for guess, label in turns)]


def split(kind: int, guess: Code, secrets: Sequence[Code]) -> dict[int, list[Code]]:
    """Return the secrets by their label, in ascending order of labels."""
    parts: dict[int, list[Code]] = {}
    for secret in secrets:
        parts.setdefault(score(kind, guess, secret), []).append(secret)
    return dict(sorted(parts.items()))


def win_label(kind: int, pegs: int) -> int:
    """Return the label of guessing the secret."""
    code = (0,) * pegs
    return score(kind, code, code)


def answer(kind: int, guess: Code, secret: Code) -> tuple[int, int]:
    """Return blacks and whites; under membership a white is a further peg whose color occurs in the secret."""
    black = blacks(guess, secret)
    if kind == BLACK:
        return black, 0
    return black, misplaced_members(guess, secret) if kind == MEMBERSHIP else common(guess, secret) - black


def missed(
    kind: int, code: Code, turns: Iterable[tuple[Code, tuple[int, int]]], weights: tuple[int, int] = (1, 1)
) -> int:
    """Add up by how much a code misses blacks and whites of each turn (guess, (blacks, whites)), weighted."""
    total = 0
    for guess, told in turns:
        black, white = answer(kind, guess, code)
        total += weights[0] * abs(black - told[0])
        if kind != BLACK:
            total += weights[1] * abs(white - told[1])
    return total


def energy(kind: int, code: Code, turns: Iterable[tuple[Code, tuple[int, int]]]) -> int:
    """Add up by how much a code misses the blacks, and blacks and whites together, of each turn."""
    sums = [(guess, (black, black + white)) for guess, (black, white) in turns]
    total = 0
    for guess, told in sums:
        black, white = answer(kind, guess, code)
        total += abs(black - told[0]) + (abs(black + white - told[1]) if kind != BLACK else 0)
    return total


def rearranged(code: Code, turns: Sequence[tuple[Code, int]]) -> set[Code]:
    """Return the arrangements of the pegs of a code that have the blacks told in every turn (guess, blacks)."""
    return {other for other in set(permutations(code)) if all(blacks(guess, other) == black for guess, black in turns)}


def peg_labels(kind: int, guess: Code, secret: Code) -> str:
    """Label each peg of the guess: G in place, B color occurs elsewhere, W wrong.

    With multiplicity (every kind but membership) the misplaced pegs are the first ones, as marks go.
    """
    if kind == MEMBERSHIP:
        return "".join("G" if g == s else "B" if g in secret else "W" for g, s in zip(guess, secret, strict=True))
    if kind == BLACK:
        return "".join("G" if g == s else "W" for g, s in zip(guess, secret, strict=True))
    return "".join("WBG"[mark] for mark in marks(guess, secret))


def label_sequences(kind: int, guesses: Sequence[Code], secrets: Iterable[Code]) -> set[tuple[str, ...]]:
    """Return the sequences of labels, a word for each guess, that the secrets give."""
    return {tuple(peg_labels(kind, guess, secret) for guess in guesses) for secret in secrets}


# ------------------------------------------------------------------ what a guess is worth


def cost(name: str, sizes: Sequence[int], *, wins: bool = False) -> Any:
    """Return the exact cost of a guess that leaves parts of these sizes by a one-step rule; the least is best.

    `wins` says that the guess may be the secret and that the rule counts it. The entropy of parts of the same codes
    falls as the sum of x log x grows, and that is compared as the product of x^x.
    """
    if name == "minimax":
        return max(sizes)
    if name == "sorted-minimax":
        return sorted(sizes, reverse=True)
    if name == "expected-size":
        return sum(x * x for x in sizes) - wins
    if name == "entropy":
        return Fraction(prod(x**x for x in sizes), 4 if wins else 1)
    return -2 * len(sizes) - wins


def best_guess(
    kind: int, guesses: Sequence[Code], candidates: Sequence[Code], name: str, *,
    corrected: bool = False, first: bool = False, then: str = "",
) -> Code:  # fmt: skip
    """Return the guess of least cost; among equals by `then`, then a candidate unless `first`, then the first."""
    if len(candidates) == 1:
        return candidates[0]

    def key(guess: Code) -> Any:
        wins = guess in candidates
        sizes = list(partition(kind, guess, candidates).values())
        second = cost(then, sizes) if then else 0
        return cost(name, sizes, wins=wins and corrected), second, not wins and not first

    return min(guesses, key=key)


def price(kind: int, guess: Code, codes: Sequence[Code], prices: Sequence[int], win: int) -> int:
    """Add up the prices of the parts by their sizes, less `win` if the guess may be the secret."""
    return sum(prices[size] for size in partition(kind, guess, codes).values()) - win * (guess in codes)


def price_ahead(kind: int, guess: Code, codes: Sequence[Code], prices: Sequence[int], win: int, unit: int) -> int:
    """Add up over the parts a unit for each code, and the price of the best of its codes as the guess that follows."""
    total = 0
    for label, part in split(kind, guess, codes).items():
        if label != win_label(kind, len(guess)):
            total += unit * len(part) + min(price(kind, code, part, prices, win) for code in part)
    return total


def estimate(kind: int, guess: Code, codes: Sequence[Code], totals: Sequence[float]) -> float:
    """Return the estimated total of a set: a guess for each code, and what parts of such sizes are expected to need."""
    win = win_label(kind, len(guess))
    return len(codes) + sum(totals[size] for label, size in partition(kind, guess, codes).items() if label != win)


def worth(
    kind: int, part: Sequence[Code], totals: Sequence[float], missed: Sequence[float], mean: Sequence[Sequence[float]],
    small: int, looks: int,
) -> float:  # fmt: skip
    """Return the least total of a part where one of its codes tells all or all but two apart, else an estimate.

    `mean[size][parts]`: what parts of `small` codes at most have been found to need, by the most parts that one of
    their codes makes of them. Larger ones: the least estimate of `looks` of their codes, and what such estimates miss.
    """
    size = len(part)
    if size <= 2:
        return 2 * size - 1
    if size > small:
        looked_at = [part[k * size // min(size, looks)] for k in range(min(size, looks))]
        return min(estimate(kind, code, part, totals) for code in looked_at) + missed[size]
    most = max(len(partition(kind, code, part)) for code in part)
    return {size: 2 * size - 1, size - 1: 2 * size}.get(most, mean[size][most])


# ------------------------------------------------------------------ chances


def entropy(weights: Iterable[float]) -> float:
    """Return the bits of a law."""
    return sum(-share * log2(share) for share in weights if share > 0)


def law_of_answers(
    values: Sequence[Sequence[int]], weights: Sequence[float], plus: Iterable[int], minus: Iterable[int]
) -> dict[int, float]:
    """Return the chance of each signed sum of some unknowns, given states with weights; values[row][state]."""
    plus, minus, law = list(plus), list(minus), Counter[int]()
    for state, weight in enumerate(weights):
        told = sum(values[row][state] for row in plus) - sum(values[row][state] for row in minus)
        law[told] += weight  # type: ignore[assignment]  # a count of chances
    return dict(law)


def law_of_painting(
    values: Sequence[Sequence[Sequence[int]]], weights: Sequence[float], sizes: Sequence[int], paint: Sequence[int]
) -> dict[tuple[int, int], float]:
    """Return the chance of black and of all pegs in common where cells are painted; values[row][cell][state]."""
    law = Counter[tuple[int, int]]()
    for state, weight in enumerate(weights):
        black = common = 0
        for row in range(len(values)):
            cells = [cell for cell, painted in enumerate(paint) if painted == row]
            black += sum(values[row][cell][state] for cell in cells)
            common += min(sum(sizes[cell] for cell in cells), sum(cell[state] for cell in values[row]))
        law[black, common] += weight  # type: ignore[assignment]  # a count of chances
    return dict(law)


def law_of_sum(chances: Iterable[float]) -> list[float]:
    """Return the chance of each number of successes among independent trials."""
    law = [1.0]
    for x in chances:
        law = [less * x + same * (1 - x) for less, same in zip([0.0, *law], [*law, 0.0], strict=True)]
    return law


Table = list[list[float]]


def told_by_marks(odds: Table, least: Sequence[int], most: Sequence[int], guess: Code) -> float:
    """Return the bits of which pegs of each color are right, and of how many there are, up to those of the guess.

    odds[peg][color]: chance of a color on a peg by itself; given is that from least to most pegs have it.
    """
    bits = 0.0
    for color in set(guess):
        asked = [peg for peg, one in enumerate(guess) if one == color]
        law = Counter[tuple[tuple[int, ...], int]]()
        for has in product((0, 1), repeat=len(guess)):
            if least[color] <= sum(has) <= most[color]:
                weight = prod(row[color] if x else 1 - row[color] for row, x in zip(odds, has, strict=True))
                law[tuple(has[peg] for peg in asked), min(len(asked), sum(has))] += weight  # type: ignore[assignment]
        total = sum(law.values())
        bits += entropy(weight / total for weight in law.values()) if total > 0 else 0.0
    return bits


def _normalize(weights: Table) -> None:
    for row in weights:
        total = sum(row)
        row[:] = [weight / total for weight in row]


def _chance(row: Sequence[float], color: int, ratio: float) -> float:
    """Return the chance of a color on a peg without what one question says: it multiplied the weight by `ratio`.

    Nothing is quite certain.
    """
    own = row[color] / ratio
    return min(max(own / (own + sum(row) - row[color]), 1e-13), 1 - 1e-13)


def pass_blacks(
    weights: Table, guesses: Sequence[Code], told: Sequence[int], ratios: Table, order: Sequence[int], least: float,
    decided: float,
) -> float:  # fmt: skip
    """Speak for each turn in order to its pegs: how much likelier its blacks are if the peg has the color guessed.

    That ratio, kept within [least, 1 / least], is averaged with the one before (geometrically) and takes its place in
    the weights. Pegs within `decided` of certain are counted as certain, unless the blacks are impossible then. Returns
    the mean of |log change|.
    """
    _normalize(weights)
    changes = []
    for turn in order:
        guess, ratio = guesses[turn], ratios[turn]
        chances = [_chance(row, color, old) for row, color, old in zip(weights, guess, ratio, strict=True)]
        asked = [peg for peg, x in enumerate(chances) if decided <= x <= 1 - decided]
        black = told[turn] - sum(x > 1 - decided for x in chances)
        if not 0 <= black <= len(asked):
            asked, black = list(range(len(guess))), told[turn]
        for peg in asked:
            law = [0.0, *law_of_sum(chances[other] for other in asked if other != peg), 0.0]
            new = min(max(law[black] / max(law[black + 1], 1e-280), least), 1 / least)
            new = sqrt(new * ratio[peg])
            changes.append(abs(log(new / ratio[peg])))
            weights[peg][guess[peg]] *= new / ratio[peg]
            ratio[peg] = new
    return sum(changes) / max(1, len(guesses[0]) * len(order))


def unforeseen(chances: Table, guesses: Sequence[Code], counted: Sequence[int], code: Sequence[int]) -> float:
    """Return the variance of the blacks of a code given those of the guesses and the pegs of the colors counted.

    Pegs are independent; sums covary as for normal variables. To the variance of each known sum a hundredth is added,
    of it or of 0.05 where it is less.
    """
    asked = [*guesses, *((color,) * len(code) for color in counted)]

    def covariance(one: Sequence[int], other: Sequence[int]) -> float:
        pairs = zip(chances, one, other, strict=True)
        return sum((row[c] if c == d else 0.0) - row[c] * row[d] for row, c, d in pairs)

    matrix = [[covariance(one, other) for other in asked] for one in asked]
    for number, row in enumerate(matrix):
        row[number] += 0.01 * max(row[number], 0.05)
    with_code = [covariance(one, code) for one in asked]
    # What is known is taken out row by row (Gauss): each turn of the loop leaves the variance given one sum more.
    left = covariance(code, code)
    while matrix:
        pivot, share = matrix.pop(), with_code.pop()
        told = pivot.pop()
        left -= share * share / told
        with_code = [value - share * weight / told for value, weight in zip(with_code, pivot, strict=True)]
        matrix = [
            [value - row[-1] * weight / told for value, weight in zip(row[:-1], pivot, strict=True)] for row in matrix
        ]
    return left


def pass_colors(weights: Table, ratios: Table, likely: Table, chosen: Iterable[int], least: float) -> None:
    """Speak for each chosen color to all pegs: how much likelier what is known of its number is if the peg has it.

    likely[color][k]: likelihood of k pegs of the color. Each color hears the state before the round.
    """
    _normalize(weights)
    before = [list(row) for row in weights]
    for color in chosen:
        chances = [_chance(row, color, ratio[color]) for row, ratio in zip(before, ratios, strict=True)]
        for peg, row in enumerate(weights):
            law = law_of_sum(chances[:peg] + chances[peg + 1 :])
            having = sum(x * y for x, y in zip(law, likely[color][1:], strict=False))
            without = sum(x * y for x, y in zip(law, likely[color], strict=False))
            new = min(max(having / max(without, 1e-280), least), 1 / least)
            new = sqrt(new * ratios[peg][color])
            row[color] *= new / ratios[peg][color]
            ratios[peg][color] = new
    _normalize(weights)

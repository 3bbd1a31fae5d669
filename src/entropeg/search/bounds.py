"""Proven bounds on the number of guesses that a board needs, in formulas that cost little or nothing to evaluate.

*Worst* is the number of guesses against the hardest secret, *mean* the average over all secrets, the winning guess
always included. Proofs and the damaged places of the source are in docs/understand/dichotomy.md; figures found by
search, not by formula, in `search.known`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, comb, floor, log2
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.called import let_call
from entropeg.codes import secrets, weights
from entropeg.plain_values import PlainValue
from entropeg.priors import Prior
from entropeg.rules import MOST_SIZE, Blanks, FeedbackKind, Rules
from entropeg.search.small.search import leaf_excess
from entropeg.symmetry import opening_classes
from entropeg.told import Told, word

let_call(__name__)

Side: TypeAlias = Literal["lower", "upper"]
Measure: TypeAlias = Literal["worst", "mean"]

GRADES: dict[str, str] = {
    "proved": Told("proved in this documentation"),
    "C": Told("certified by a proof of ours that entropeg verify checks"),
    "P": Told("published"),
    "R": Told("recomputed with a public program"),
    "S": Told("searched by this program, the strategy played against every secret"),
    "M": Told("recalled, not verified"),
}
"""How far a figure can be trusted; none is given without its grade."""

EXACT_BITS = 1 << 10
"""The most bits of secrets for which the mean is summed exactly; 0.05 s."""

LISTED = 1 << 15
"""The most guesses and secrets for which the parts of the first guess are counted: 5x8 in 0.1 s."""

ROUNDING = 1e-12
"""Logarithms that differ by less, relatively, are compared exactly."""


@dataclass(frozen=True)
class Bound(PlainValue):
    """A statement on a board: every codebreaker needs at least, or some codebreaker at most, `value` guesses."""

    name: str
    side: Side
    measure: Measure
    value: float
    """Guesses: a whole number for the worst case."""
    formula: str
    source: str
    grade: str
    """A key of `GRADES`."""


def feedback_count(rules: Rules | str) -> int:
    """Return how many different feedbacks a guess can get: exact or slightly too many, never too few.

    Standard: n(n+3)/2 pairs of black and white, as all (n+1)(n+2)/2 with black + white ≤ n occur but (n-1, 1). Fewer
    with a single color, with two (white is even: pegs are misplaced in pairs) and where neither code repeats a color
    (two sets of n out of m colors share at least 2n - m).

    >>> feedback_count("4x6"), feedback_count("4x4/no-repeats")
    (14, 4)
    """
    rules = Rules.of(rules)
    if rules.symbols_in_guesses == 1 or (rules.words is not None and rules.guess_count == 1):
        return 1
    every = rules.feedback.about.count(rules)
    distinct = not rules.guess_repeats and rules.blanks == Blanks.none
    if rules.feedback == FeedbackKind.black:
        return every - (distinct and rules.colors == rules.pegs)
    if rules.feedback != FeedbackKind.standard:
        return every
    if distinct:
        least = max(0, 2 * rules.pegs - rules.colors)
        return sum(common + 1 for common in range(least, rules.pegs + 1)) - 1
    if rules.symbols_in_guesses == 2:
        return sum(rules.pegs - white + 1 for white in range(0, rules.pegs + 1, 2))
    return every


def information_limit(rules: Rules | str) -> float:
    """Return log(codes) / log(feedbacks): no strategy has a smaller mean, nor a smaller worst case.

    The answers to one secret never begin the answers to another, and an alphabet of p letters has no such words of a
    smaller mean length. Under a prior the entropy of the secrets stands for log(codes), and the bound is on the mean.
    """
    rules = Rules.of(rules)
    feedbacks = feedback_count(rules)
    if feedbacks <= 1:
        return counting_mean(rules) if rules.prior else float(rules.secret_count)
    bits = rules.secret_bits
    if rules.prior:
        shares = weights(rules)
        bits = -float(np.log2(shares, out=np.zeros_like(shares), where=shares > 0) @ shares)
    return bits / log2(feedbacks)


def viaud_lower(pegs: int, colors: int) -> int:
    """Return the smallest q with p^q ≥ m^n, where p = n(n+3)/2: guesses that the worst case needs, standard feedback.

    Viaud 1987, section VI. `counting_lower` is never smaller.

    >>> viaud_lower(4, 6)
    3
    """
    pegs, colors = _size(pegs, colors)
    feedbacks = pegs * (pegs + 3) // 2
    bits = log2(colors) * pegs
    return _first(lambda guesses: _reaches(feedbacks, guesses, bits, lambda: colors**pegs), bits / log2(feedbacks))


def counting_lower(rules: Rules | str) -> int:
    """Return the smallest q with 1 + (p-1) + (p-1)² + … + (p-1)^(q-1) ≥ codes: a lower bound on the worst case.

    A guess that wins ends the game, so of p feedbacks p - 1 lead on: at most (p-1)^(k-1) secrets are found at
    guess k.

    >>> counting_lower("4x6"), counting_lower("1000x1000")
    (4, 528)
    """
    rules = Rules.of(rules)
    onward = feedback_count(rules) - 1
    if onward <= 1:
        return rules.secret_count if onward else 1

    # The sum is ((p-1)^q - 1) / (p - 2).
    def wanted() -> int:
        return rules.secret_count * (onward - 1) + 1

    bits = log2(wanted()) if rules.secret_bits <= EXACT_BITS else rules.secret_bits + log2(onward - 1)
    return _first(lambda guesses: _reaches(onward, guesses, bits, wanted), bits / log2(onward))


def opening_lower(rules: Rules | str) -> int | None:
    """Return 1 + the smallest q with 1 + (p-1) + … + (p-1)^(q-1) ≥ codes of the largest part, by the best first guess.

    A lower bound on the worst case, never below `counting_lower`. The secret may be in the largest part that the first
    guess leaves, of which q further guesses find a few codes at most. Parts are counted for one first guess of each
    class that symmetry makes equal. None on boards of more than `LISTED` guesses or secrets; of words and shapes, where
    every guess is a class, of more than a sixteenth.

    >>> opening_lower("4x6"), counting_lower("4x6")
    (5, 4)
    """
    rules = Rules.of(rules)
    parts = _opening_parts(rules)
    if parts is None:
        return None
    least = min(max(sizes, default=0) for sizes in parts)
    onward, held, guesses = feedback_count(rules) - 1, 0, 1
    while held < least:
        held += onward ** (guesses - 1)
        guesses += 1
    return guesses


def opening_mean(rules: Rules | str) -> float | None:
    """Return a lower bound on the mean: every part of the best first guess found as early as can be.

    Of p feedbacks p - 1 lead on, so a part has one secret found at the second guess, p - 1 at the third, and so on.
    Of a part the likeliest are found first. Never below `counting_mean`, and None where `opening_lower` is.

    >>> round(opening_mean("4x6"), 3), round(counting_mean("4x6"), 3)
    (4.009, 3.847)
    """
    rules = Rules.of(rules)
    parts = _opening_parts(rules)
    if parts is None:
        return None
    if rules.prior:
        return _opening_mean_under(rules, rules.prior)
    onward, total = feedback_count(rules) - 1, dict[int, int]()
    for size in {size for sizes in parts for size in sizes}:
        found, wide, total[size] = 0, 1, 0
        while found < size:
            total[size] += size - found
            found, wide = found + wide, wide * onward
    return 1 + float(Fraction(min(sum(map(total.__getitem__, sizes)) for sizes in parts), rules.secret_count))


def _opening_mean_under(rules: Rules, prior: Prior) -> float | None:
    # Weights of a file tell pegs and colors apart: every guess is a class.
    if not prior.is_formula and rules.guess_count > LISTED >> 4:
        return None
    likeliest = np.argsort(-weights(rules), kind="stable")
    shares, every = weights(rules)[likeliest], secrets(rules).take(likeliest)
    levels = _levels(len(every), feedback_count(rules) - 1)
    means = []
    for guess in opening_classes(rules):
        labels = every.score(guess)
        by_label = np.argsort(labels, kind="stable")
        ends, number = np.cumsum(np.bincount(labels)), np.arange(len(every))
        place = number - np.concatenate(([0], ends))[labels[by_label]]
        means.append(1 + float(shares[by_label] @ np.where(labels[by_label] == rules.win_label, 0, levels[place])))
    return min(means)


def _levels(codes: int, onward: int) -> NDArray[np.int64]:
    """At which guess each of some codes is found where (p-1)^(k-1) are found at guess k."""
    ends = np.cumsum([float(onward) ** level for level in range(codes if onward < 2 else codes.bit_length())])
    return np.searchsorted(ends, np.arange(codes), side="right") + 1


@lru_cache(maxsize=64)
def _opening_parts(rules: Rules) -> list[list[int]] | None:
    """Sizes of the parts of one first guess of each class, itself left out; None on boards that take too long."""
    listed = LISTED if rules.is_symmetric else LISTED >> 4
    if rules.secret_bits > log2(listed) or rules.guess_count > listed:
        return None
    cut = map(secrets(rules).parts, opening_classes(rules))
    return [sizes[labels != rules.win_label].tolist() for labels, sizes in cut]


def _size(pegs: int, colors: int) -> tuple[int, int]:
    # A value that is no whole number may have no hash, either.
    check = _checked if type(pegs) is type(colors) is int else _checked.__wrapped__
    return check(pegs, colors)


@lru_cache(maxsize=64)
def _checked(pegs: int, colors: int) -> tuple[int, int]:
    rules = Rules(pegs, colors)
    return rules.pegs, rules.colors


def _first(holds: Callable[[int], bool], estimate: float) -> int:
    guesses = max(0, floor(estimate) - 1)
    while not holds(guesses):
        guesses += 1
    return guesses


def _reaches(base: int, exponent: int, bits: float, wanted: Callable[[], int]) -> bool:
    # Whether base^exponent ≥ wanted. The bits of both tell at once unless they agree to their last digits.
    gap = exponent * log2(base) - bits
    return gap > 0 if abs(gap) > ROUNDING * max(bits, 1.0) else base**exponent >= wanted()


def counting_mean(rules: Rules | str) -> float:
    """Return a lower bound on the mean: the mean if (p-1)^(k-1) secrets were found at guess k, as early as can be.

    Under a prior the likeliest are found first. For boards of more than `EXACT_BITS` bits rounding is on the side of
    the bound.

    >>> round(counting_mean("4x6"), 3)
    3.847
    """
    rules = Rules.of(rules)
    onward, worst = feedback_count(rules) - 1, counting_lower(rules)
    if rules.prior:
        return float(-np.sort(-weights(rules)) @ _levels(rules.secret_count, max(onward, 1)))
    if rules.secret_bits < EXACT_BITS:
        codes = rules.secret_count
        later = _not_found_yet(onward, codes, worst)
        return float(Fraction(sum(later), codes))
    # Mean = sum over k of the share not found after k guesses; the shares found shrink by p - 1 at each step back.
    shift = rules.secret_bits + log2(onward - 1)
    return worst - sum(2 ** (level * log2(onward) - shift) for level in range(max(0, worst - 64), worst))


def _not_found_yet(onward: int, codes: int, worst: int) -> Iterator[int]:
    found, here = 0, 1
    for _ in range(worst):
        yield codes - found
        found, here = found + here, here * onward


def chvatal_lower(pegs: int, colors: int) -> int:
    """Return ⌈n·log m / log C(n+2, 2)⌉: a lower bound on the worst case, standard feedback. Chvátal 1983."""
    pegs, colors = _size(pegs, colors)
    return ceil(pegs * log2(colors) / log2(comb(pegs + 2, 2)) - ROUNDING)


def viaud_upper(pegs: int, colors: int) -> int:
    """Return the bound that `dichotomy` never exceeds, the code that wins included; standard feedback with repeats.

    ⌊m/n + 2n·log2(n) + 2n + 1⌋ + 1 when m > n, as printed. ⌊n·log2(2m) + m - 2⌋ + 1 when m ≤ n, which is what the
    proofs add up to; the print has lost the term in m (`viaud_printed`). Viaud 1987, proposition V.1 and remark V.1;
    docs/understand/dichotomy.md.

    >>> viaud_upper(4, 6), viaud_upper(4, 4), viaud_upper(1000, 1000)
    (27, 15, 11964)
    """
    pegs, colors = _size(pegs, colors)
    if colors > pegs:
        return viaud_printed(pegs, colors)
    return floor(pegs * log2(2 * colors) + colors - 2) + 1


def viaud_printed(pegs: int, colors: int) -> int:
    """Return the bound as the print reads, the code that wins included: for m ≤ n that is ⌊n·log2(2m)⌋ + 1.

    That much is exceeded, for the first time known to us on 328 pegs and 327 colors, where `dichotomy` can need 3069
    codes.

    >>> viaud_printed(328, 327)
    3068
    """
    pegs, colors = _size(pegs, colors)
    if colors > pegs:
        return floor(colors / pegs + 2 * pegs * log2(pegs) + 2 * pegs + 1) + 1
    return floor(pegs * log2(2 * colors)) + 1


def chen_cunha_homer_upper(pegs: int, colors: int) -> int:
    """Return ⌊⌈m/n⌉ + 2n·log2(n) + 2n + 2⌋, for m > n. Chen, Cunha & Homer 1996.

    >>> chen_cunha_homer_upper(4, 6)
    28
    """
    pegs, colors = _size(pegs, colors)
    return floor(-(-colors // pegs) + 2 * pegs * log2(pegs) + 2 * pegs + 2)


def goodrich_upper(pegs: int, colors: int) -> int:
    """Return n⌈log2 m⌉ + ⌈(2 - 1/m)n⌉ + m, black pegs only, with repeats. Goodrich 2009, recalled."""
    pegs, colors = _size(pegs, colors)
    return pegs * _ceil_log2(colors) + 2 * pegs - pegs // colors + colors


def el_ouali_upper(pegs: int, colors: int) -> int:
    """Return an upper bound for black pegs only and no repeats: below (n-3)⌈log2 n⌉ + 5n/2 - 1 for m = n ≥ 3.

    For m > n it is (n-2)⌈log2 n⌉ + m + 1. El Ouali, Glazik, Sauerland & Srivastav 2018.
    """
    pegs, colors = _size(pegs, colors)
    if colors == pegs:
        return ceil((pegs - 3) * _ceil_log2(pegs) + 5 * pegs / 2 - 1) - 1
    return (pegs - 2) * _ceil_log2(pegs) + colors + 1


def _ceil_log2(number: int) -> int:
    return (number - 1).bit_length()


def bounds(rules: Rules | str) -> list[Bound]:
    """Return every bound known for a board, lower ones first, each with its formula, source and grade."""
    rules = Rules.of(rules)
    if not rules.is_named:
        return list(_of_questions(rules))
    return [*_lower(rules), *_upper(rules)]


def best(known: list[Bound], side: Side, measure: Measure) -> Bound | None:
    """Return the strongest bound of a kind that is not merely recalled, None where there is none.

    >>> best(bounds("4x6"), "upper", "worst").name
    'viaud'
    """
    sound = [bound for bound in known if (bound.side, bound.measure) == (side, measure) and bound.grade != "M"]
    sign = 1 if side == "lower" else -1
    return max(sound, key=lambda bound: sign * bound.value, default=None)


def _alone(side: Side) -> Iterator[Bound]:
    """The bounds of a board of one code, which takes one guess: on it the formulas say 0, or hundreds."""
    for measure in ("mean", "worst"):
        name, source = word("bound", "one code"), word("source", "counting")
        yield Bound(name, side, measure, 1, Told("one code, one guess"), source, "proved")


def _of_questions(rules: Rules) -> Iterator[Bound]:
    """The bounds of a game that ends when one secret is left: a tree of questions has a leaf for each."""
    n, answers = rules.secret_count, rules.feedback.about.count(rules)
    name, source = word("bound", "leaves"), Told("counting leaves")
    mean, worst = (1 + int(leaf_excess(n, answers)[-1]) / n, 0) if n > 1 else (0, 0)
    while answers**worst < n:
        worst += 1
    formula = Told("leaves of a tree with so many answers, on two neighboring levels")
    yield Bound(name, "lower", "mean", mean, formula, source, "proved")
    yield Bound(name, "lower", "worst", worst, Told("smallest q with answers^q ≥ codes"), source, "proved")


def _lower(rules: Rules) -> Iterator[Bound]:
    if rules.secret_bits == 0:
        yield from _alone("lower")
        return
    limit = information_limit(rules)
    formula: str = Told("entropy / log(feedbacks)") if rules.prior else Told("log(codes) / log(feedbacks)")
    name, source = word("bound", "information"), word("source", "information")
    yield Bound(name, "lower", "mean", limit, formula, source, "proved")
    name, formula = word("bound", "counting"), Told("level k holds (p-1)^(k-1) secrets at most")
    yield Bound(name, "lower", "mean", counting_mean(rules), formula, Told("counting by levels"), "proved")
    formula, source = (
        Told("smallest q with 1 + (p-1) + … + (p-1)^(q-1) ≥ codes"),
        Told("Viaud 1987, section VI, sharpened"),
    )
    yield Bound(name, "lower", "worst", counting_lower(rules), formula, source, "proved")
    after, mean = opening_lower(rules), opening_mean(rules)
    if after is not None and mean is not None:
        name, source = word("bound", "first guess"), Told("counting after the first guess")
        formula = Told("the parts that the best first guess leaves, each counted by levels")
        yield Bound(name, "lower", "mean", mean, formula, source, "proved")
        formula = Told("1 + the smallest q for the largest part that the best first guess leaves")
        yield Bound(name, "lower", "worst", after, formula, source, "proved")
    if _is_standard(rules):
        size = rules.pegs, rules.symbols_in_secrets
        formula = Told("smallest q with p^q ≥ m^n, p = n(n+3)/2")
        yield Bound("viaud", "lower", "worst", viaud_lower(*size), formula, "Viaud 1987, section VI", "proved")
        formula = "n·log m / log C(n+2, 2)"
        yield Bound("chvatal", "lower", "worst", chvatal_lower(*size), formula, "Chvátal 1983", "P")
    yield from _small_pegs(rules, "lower")


def _is_standard(rules: Rules) -> bool:
    return rules.feedback == FeedbackKind.standard and rules.repeats and rules.is_symmetric


def _upper(rules: Rules) -> Iterator[Bound]:
    if rules.secret_bits == 0:
        yield from _alone("upper")
        return
    pegs, colors = rules.pegs, rules.symbols_in_secrets
    plain = rules.blanks != Blanks.both
    if _is_standard(rules):
        formula: str = "m/n + 2n·log2 n + 2n + 2" if colors > pegs else "n·log2(2m) + m - 1"
        source: str = Told("Viaud 1987, proposition V.1; the codebreaker dichotomy")
        yield Bound("viaud", "upper", "worst", viaud_upper(pegs, colors), formula, source, "proved")
        if colors > pegs:
            value, formula = chen_cunha_homer_upper(pegs, colors), "⌈m/n⌉ + 2n·log2 n + 2n + 2"
            yield Bound("chen-cunha-homer", "upper", "worst", value, formula, "Chen, Cunha & Homer 1996", "P")
    if not rules.is_symmetric:
        return
    if rules.feedback == FeedbackKind.black and rules.repeats:
        value, formula = goodrich_upper(pegs, colors), "n⌈log2 m⌉ + ⌈(2 - 1/m)n⌉ + m"
        yield Bound("goodrich", "upper", "worst", value, formula, "Goodrich 2009", "M")
    if rules.feedback == FeedbackKind.black and not rules.repeats and plain and pegs >= 3:
        value = el_ouali_upper(pegs, colors)
        formula = Told("(n-3)⌈log2 n⌉ + 5n/2 - 1, less than that") if pegs == colors else "(n-2)⌈log2 n⌉ + m + 1"
        source = "El Ouali, Glazik, Sauerland & Srivastav 2018, Games 9(1), 2"
        yield Bound("el-ouali", "upper", "worst", value, formula, source, "P")
    yield from _small_pegs(rules, "upper")


JAEGER = Told("Jäger & Peczarski 2009, second hand")
CHEN_LIN = "Chen & Lin 2004"


def _small_pegs(rules: Rules, side: Side) -> Iterator[Bound]:
    """Closed forms for two, three and four pegs; where one is exact it stands on both sides."""
    if rules.feedback != FeedbackKind.standard or rules.blanks != Blanks.none or not rules.is_symmetric:
        return
    pegs, colors = rules.pegs, rules.colors
    if rules.repeats and pegs == 2 and colors >= 2:
        name, source = word("bound", "two pegs"), word("source", "recalled")
        yield Bound(name, side, "worst", colors // 2 + 2, "⌊m/2⌋ + 2", source, "M")
    if rules.repeats and pegs == 3 and colors >= 5:
        name = word("bound", "three pegs")
        yield Bound(name, side, "worst", (colors - 1) // 3 + 4, "⌊(m-1)/3⌋ + 4", JAEGER, "P")
    if rules.repeats and pegs == 4 and colors >= 16:
        extra = 4 if side == "lower" else 6
        name = word("bound", "four pegs")
        yield Bound(name, side, "worst", colors // 4 + extra, f"⌊m/4⌋ + {extra}", JAEGER, "P")
    if not rules.repeats and not rules.guess_repeats and pegs == 2:
        name = word("bound", "two pegs")
        yield Bound(name, side, "worst", -(-colors // 2) + 1, "⌈m/2⌉ + 1", CHEN_LIN, "P")
        if not rules.prior:
            yield Bound(name, side, "mean", chen_lin_mean(colors), "(4m³+21m²…)/(12m(m-1))", CHEN_LIN, "P")


def chen_lin_mean(colors: int) -> float:
    """Return the exact optimal mean on two pegs without repeats: Chen & Lin 2004.

    >>> chen_lin_mean(4) * 12, chen_lin_mean(10) * 90
    (30.0, 451.0)
    """
    colors = arguments.whole(colors, "the number of colors", least=2, most=MOST_SIZE)
    tail = -76 * colors + 72 if colors % 2 == 0 else -82 * colors + 105
    return (4 * colors**3 + 21 * colors**2 + tail) / (12 * colors * (colors - 1))

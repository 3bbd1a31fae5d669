"""The strategy with a proven bound for boards of any size (Viaud 1987; docs/understand/dichotomy.md has the proofs).

First which colors the secret has, then how often each, then where: every step is a search for a subset
(`search.subset`) whose queries are codes of two kinds of pegs, those asked about and a filler of which enough is
known already.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from entropeg.codebreakers.doubts import Doubt
from entropeg.codebreakers.plans import Plans, count_guesses
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code, Feedback, Method, check_known
from entropeg.position import Position
from entropeg.registry import by_parameters
from entropeg.rules import Blanks, Rules
from entropeg.search.subset import Array, Ask, Questions, between, search_subset


@dataclass(frozen=True)
class Dichotomy:
    """Finds colors, then places, by halving; a proven bound.

    Colors, then multiplicities, then positions, by subset searches.
    Source: Viaud 1987. At most `search.bounds.viaud_upper` guesses, on thousands of pegs and colors too; plays under
    standard feedback with repeated colors allowed. A turn costs O(pegs + turns). Turns that are not of its own making
    are left aside, except that an answer already known is not asked for again: it can take over any game, and from
    there needs at most the bound.
    """

    name: ClassVar[str] = "dichotomy"
    deterministic: ClassVar[bool] = True

    _plans: Plans = field(default_factory=lambda: Plans(_questions), init=False, repr=False, compare=False)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next code of the plan.

        Raises InputError under rules that it does not play, ContradictionError where an answer cannot be, at the
        latest when the only code left does not fit every turn.
        """
        check_rules(position.rules)
        return self._plans.guess(position)

    def doubt(self, position: Position) -> Doubt | None:
        """Return the contradiction that the answers have come to, which is a proof; None where there is none yet.

        Raises InputError under rules that it does not play.
        """
        check_rules(position.rules)
        return self._plans.doubt(position)

    __reduce__ = by_parameters


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the strategy does not apply."""
    check_known(rules, Method.dichotomy)
    if rules.words is not None and not rules.words.free:
        raise InputError(
            "dichotomy plays one-color codes, which are no words of {words}: add /free-guesses", rules.words.name
        )
    if not rules.repeats:
        raise InputError("dichotomy plays one-color codes, which {rules} forbids: allow repeated colors", rules)


def _questions(rules: Rules) -> Questions[Array]:
    absent = rules.colors if rules.blanks == Blanks.guesses else None
    return find_code(rules.pegs, rules.symbols_in_secrets, absent)


def find_code(pegs: int, colors: int, absent: int | None = None) -> Questions[Array]:
    """Ask for codes until the secret is known, and return it; the code that shows it is not asked for.

    A generator of codes (`int64[pegs]`) to which feedback is sent. `absent` is a symbol that no secret has, if there
    is one beside the colors. Raises ContradictionError where an answer cannot be.
    """
    counts = yield from _find_colors(pegs, colors)
    if absent is None:
        absent = next((color for color in range(colors) if color not in counts), None)
    return (yield from _find_positions(pegs, counts, absent))


def guesses_needed(secret: Sequence[int] | Array, colors: int) -> int:
    """Return how many guesses the strategy needs for a secret, without a game around it: 1000x1000 in about 0.2 s.

    >>> guesses_needed((0, 1, 2, 0), 6)
    11
    """
    return count_guesses(find_code(len(secret), colors), secret, colors)


def _find_colors(pegs: int, colors: int) -> Questions[dict[int, int]]:
    """Find the colors of the secret and how often each occurs, with the last color as filler."""
    filler = colors - 1
    known = between(0 if filler else pegs, (yield np.full(pegs, filler)).black, pegs)
    if known == pegs:
        return {filler: pegs}

    def ask(query: Array) -> Generator[Array, Feedback, int]:
        code = np.full(pegs, filler)
        code[: len(query)] = query
        black, white = yield code
        return black + white - min(known, pegs - len(query))

    members: list[int] = []
    for block, share in (yield from _shares(_blocks(pegs, colors), pegs - known, ask)):
        members += (yield from search_subset(block, share, ask)).tolist()
    counts = yield from _multiplicities(pegs, pegs - known, sorted(members))
    return counts | ({filler: known} if known else {})


def _blocks(pegs: int, colors: int) -> list[Array]:
    """Cut all colors but the last into blocks that fit a code: the remainder, then those of `pegs` colors."""
    starts = range(0, colors, pegs)
    blocks = [np.arange(start, min(start + pegs, colors - 1)) for start in starts]
    if colors % pegs:
        blocks = [blocks[-1], *blocks[:-1]]
    return [block for block in blocks if len(block)]


def _shares(blocks: list[Array], others: int, ask: Ask) -> Questions[list[tuple[Array, int]]]:
    """Find how many colors of each block occur, on `others` pegs in all; none is asked with a plain answer."""
    shares: list[tuple[Array, int]] = []
    found = 0
    for number, block in enumerate(blocks, start=1):
        least = 1 if number == len(blocks) and not found else 0
        most = min(len(block), others - found)
        share = most if least == most else between(least, (yield from ask(block)), most)
        shares.append((block, share))
        found += share
    return shares


def _multiplicities(pegs: int, others: int, members: list[int]) -> Questions[dict[int, int]]:
    """Find how often each color present occurs, on `others` pegs in all, by one-color codes where it is open."""
    counts: dict[int, int] = {}
    for number, color in enumerate(members):
        after = len(members) - number - 1
        most = others - after
        if most == 1 or not after:
            counts[color] = most
        else:
            counts[color] = between(1, (yield np.full(pegs, color)).black, most)
        others -= counts[color]
    return counts


def _find_positions(pegs: int, counts: dict[int, int], absent: int | None) -> Questions[Array]:
    """Find where the colors are, color by color; the most frequent one comes last and takes what remains."""
    code = np.full(pegs, -1)
    by_count = sorted(counts, key=lambda color: (-counts[color], color))
    filler = absent
    if filler is None:
        filler = by_count[0]
        if len(by_count) > 1:
            yield from _place_pair(code, counts, by_count[0], by_count[1])
            del by_count[:2]
    for color in by_count[1:]:
        spots = yield from _search_spots(code, counts[color], color, filler)
        code[spots] = color
    code[code < 0] = by_count[0] if by_count else filler
    return code


def _search_spots(code: Array, count: int, color: int, filler: int) -> Questions[Array]:
    """Find the pegs of one color among the free ones; every peg of the filler, if any, is placed already."""
    placed = int((code == filler).sum())

    def ask(query: Array) -> Generator[Array, Feedback, int]:
        asked = np.full(len(code), filler)
        asked[query] = color
        return (yield asked).black - placed

    return (yield from search_subset(np.flatnonzero(code < 0), count, ask))


def _place_pair(code: Array, counts: dict[int, int], first: int, second: int) -> Questions[None]:
    """Place two colors, peg by peg, where every color occurs: the second on that peg, the first on all others."""
    left = {first: counts[first], second: counts[second], -1: len(code) - counts[first] - counts[second]}
    for peg in range(len(code)):
        possible = [color for color, number in left.items() if number]
        if len(possible) > 1:
            asked = np.full(len(code), first)
            asked[peg] = second
            gain = (yield asked).black - counts[first]
            color = {-1: first, 1: second}.get(between(-1, gain, 1), -1)
        else:
            color = possible[0]
        if not left[color]:
            raise ContradictionError("it puts more pegs on a color than there are of it")
        left[color] -= 1
        code[peg] = color

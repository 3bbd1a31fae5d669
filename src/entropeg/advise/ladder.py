"""Gives hints one after the other, each of which gives away more; here those for a game that is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice
from time import perf_counter
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.advise.advice import Advice, answer
from entropeg.advise.contradicted_rows import Clue, clues_against
from entropeg.advise.question import SECONDS, AdviceQuestion, Remaining
from entropeg.advise.row_readings import contradictions
from entropeg.advise.rows import PartCode, Row, check_part_code, is_known
from entropeg.codes import format_code, may_be_secret
from entropeg.feedback import Code, format_feedback
from entropeg.plain_values import Ordinal, PlainValue
from entropeg.position import Position, format_turn
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural

ROUNDED = 1e-12
"""A chance below this is none but for rounding."""


class HintKind(StrEnum):
    """What a hint gives away."""

    left = "left"
    """How many codes are left."""
    codes = "codes"
    """Which ones."""
    contradiction = "contradiction"
    """Which earlier row the guess in the making contradicts, or which rows one another."""
    pegs = "pegs"
    """At which of its pegs that shows; or what a peg of the secret is."""
    row = "row"
    """A row that is right."""
    kind = "kind"
    """Whether the best guess may be the secret, and what is known of the colors."""
    parts = "parts"
    """How its answer parts the codes left."""
    colors = "colors"
    """Which colors the secret has or has not, or the best guess."""
    shape = "shape"
    """What the best guess looks like, without its colors."""
    guess = "guess"
    """The best guess."""
    why = "why"
    """Why it is the best."""


@dataclass(frozen=True)
class HintStep(PlainValue):
    """One hint: what it says, and the row, the pegs (both from 0) and the code that it speaks of, if there are any."""

    kind: HintKind
    says: str
    row: Ordinal | None = None
    """The row that it speaks of."""
    pegs: tuple[Ordinal, ...] = ()
    """The pegs that it speaks of."""
    code: Code | None = None
    """The guess that it gives away."""


@dataclass(frozen=True)
class HintLadder(PlainValue):
    """Hints in the order in which they are given, and the advice that the last ones come from.

    Hints at the guess in the making follow from the rows, or, where all codes left are listed, from these.
    Where the best guess was not asked for, `advice` is None and `further` has the kinds of the hints at it.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("steps", "further")

    rules: Rules
    steps: tuple[HintStep, ...]
    further: tuple[HintKind, ...] = ()
    """The kinds of the hints at the best guess, where it was not asked for."""
    advice: Advice | None = None

    @classmethod
    def of(
        cls,
        position: Position,
        guess: str | PartCode | None = None,
        *,
        to_the_best: bool = True,
        seconds: float = SECONDS,
        seed: int = 0,
    ) -> HintLadder:
        r"""Make the hints of a position, for one who may have begun a guess: `?`, or None, for pegs not yet set.

        ``seconds`` are those of the advice, about: most of the time, so that ``to_the_best`` can leave it for later.
        Raises InputError where the game is over or the guess cannot be, ContradictionError where no code fits the
        turns, TooLargeError where no way to find codes suits the board.

        >>> ladder = HintLadder.of(Position("4x6", ["AABB XO", "CCDD -"]), "AAE?")
        >>> [step.kind.value for step in ladder.steps]
        ['left', 'contradiction', 'pegs', 'kind', 'shape', 'guess', 'why']
        >>> print(ladder.steps[1].says, ladder.steps[2].says, sep="\n")
        The guess in the making contradicts row 1 (AABB XO).
        Pegs 1 and 2 show it: no code that is left is like them.
        """
        position = arguments.instance(position, Position, "the position", 'such as Position("4x6", ["AABB XO"])')
        begun = None if guess is None else check_part_code(guess, position.rules)
        began = perf_counter()
        question = AdviceQuestion.of(position, 1, (), seconds, seed)
        remaining = question.noted.remaining
        steps = [HintStep(HintKind.left, remaining.in_words)]
        if begun is not None and any(color is not None for color in begun):
            steps += _against(begun, position, remaining)
        further = _further(remaining.count, position.rules)
        if not to_the_best:
            return cls(position.rules, tuple(steps), further)
        advice = answer(question, began)
        return cls(
            position.rules, (*steps, *(step for step in hints_at(advice) if step.kind in further)), advice=advice
        )


def _further(count: int | None, rules: Rules) -> tuple[HintKind, ...]:
    """The kinds of the hints at the best guess, by the number of codes left, which may tell its kind."""
    kinds: tuple[HintKind, ...] = (HintKind.kind, HintKind.shape, HintKind.guess, HintKind.why)
    kinds = kinds[2:] if count == 1 else kinds[1:] if count == 2 else kinds
    return tuple(kind for kind in kinds if rules.has_pegs or kind != HintKind.shape)


def hints_at(advice: Advice) -> tuple[HintStep, ...]:
    """Return the hints at the best guess, from the first to the last.

    >>> from entropeg.advise import advise
    >>> [(step.kind.value, step.says) for step in hints_at(advise("2x2", limit=1))][1]
    ('shape', 'A good guess has 1 color only, in the shape of aa.')
    """
    rules, best = advice.position.rules, advice.best.guess
    shape = (HintStep(HintKind.shape, _shape(advice)),) if rules.has_pegs else ()
    named = format_code(best, rules)
    says = Told("A good guess is {code}.", named) if rules.has_pegs else Told("A good guess: {code}", named)
    return (
        HintStep(HintKind.kind, _nudge(advice)),
        *shape,
        HintStep(HintKind.guess, says, code=best),
        HintStep(HintKind.why, advice.explain(), code=best),
    )


def _against(begun: PartCode, position: Position, remaining: Remaining) -> list[HintStep]:
    """The hints at what rules a guess in the making out as the secret; none where it may still become one."""
    rules = position.rules
    if is_known(begun):
        clues = clues_against(begun, position.turns, rules)
        if clues:
            clue = next((one for one in clues if one.pegs), clues[0])
            return [_row_step(clue.row, position), _clue_step(clue, begun, rules)]
        if rules.has_pegs and not may_be_secret(begun, rules):  # a question is not meant as the secret
            says = Told("The rules allow no secret {code}.", format_code(begun, rules))
            return [HintStep(HintKind.contradiction, says)]
        return []
    rows = [Row(turn.guess, turn.feedback) for turn in position.turns]
    broken = contradictions(rows, [begun], rules)[:, 0].tolist()
    impossible = _impossible(begun, remaining)
    if any(broken):
        row = broken.index(True)
        showing = _showing(begun, rows[row], rules)
        return [_row_step(row, position), *_pegs_steps(showing, rules, begun, row)]
    if impossible or (remaining.is_complete and not _begins_a_code(begun, remaining)):
        says = Told("No code that is left has the pegs set so far: the rows rule them out together.")
        return [HintStep(HintKind.contradiction, says), *_pegs_steps(impossible, rules, begun, None)]
    return []


def _row_step(row: int, position: Position) -> HintStep:
    turn = format_turn(position.turns[row], position.rules)
    says = Told("The guess in the making contradicts row {row} ({turn}).", row + 1, turn)
    return HintStep(HintKind.contradiction, says, row)


def _clue_step(clue: Clue, guess: Code, rules: Rules) -> HintStep:
    answer = Told(
        "were {guess} the secret, row {row} would have got {would_be}, not {told}",
        *(format_code(guess, rules), clue.row + 1, format_feedback(clue.would_be), format_feedback(clue.told)),
    )
    pegs = [peg + 1 for peg in clue.pegs]
    match pegs:
        case []:
            says = Told("No peg shows it alone: {answer}.", answer)
        case [peg]:
            says = Told("Peg {peg} shows it: {answer}.", peg, answer)
        case _:
            says = Told("Pegs {pegs:and} show it: {answer}.", pegs, answer)
    return HintStep(HintKind.pegs, says, clue.row, clue.pegs)


def _showing(begun: PartCode, row: Row, rules: Rules) -> tuple[int, ...]:
    """The fewest of the pegs set so far that contradict a row by themselves; empty where it takes more than three."""
    known = [peg for peg, color in enumerate(begun) if color is not None]
    tried: list[tuple[int, ...]]
    # More than three together show nothing to the eye. If there are such pegs, 200 sets of them are enough to try.
    for size in range(1, 4):
        tried = list(islice(combinations(known, size), 200))
        parts = [tuple(color if peg in pegs else None for peg, color in enumerate(begun)) for pegs in tried]
        broken: list[bool] = contradictions([row], parts, rules)[0].tolist()
        if any(broken):
            return tried[broken.index(True)]
    return ()


def _pegs_steps(pegs: Sequence[int], rules: Rules, begun: PartCode, row: int | None) -> list[HintStep]:
    """Which pegs show a contradiction; no step where it takes too many of them together."""
    if not pegs:
        return []
    if len(pegs) > 1:
        says = Told("Pegs {pegs:and} show it: no code that is left is like them.", [peg + 1 for peg in pegs])
    else:
        color = begun[pegs[0]]
        assert color is not None
        named = shown_peg(color, rules)
        says = Told("Peg {peg} shows it: in no code that is left it is {color}.", pegs[0] + 1, named)
    return [HintStep(HintKind.pegs, says, row, tuple(pegs))]


def _impossible(begun: PartCode, remaining: Remaining) -> tuple[int, ...]:
    """The pegs that are so in no code left; none where the codes are a sample."""
    if not remaining.is_complete:
        return ()
    chances = remaining.marginals().pegs
    symbols = chances.shape[1]
    return tuple(
        peg
        for peg, color in enumerate(begun)
        if color is not None and (color >= symbols or chances[peg, color] < ROUNDED)
    )


def _begins_a_code(begun: PartCode, remaining: Remaining) -> bool:
    fits = np.ones(len(remaining.codes), bool)
    for plane, color in zip(remaining.codes.planes, begun, strict=True):
        if color is not None:
            fits &= plane == color
    return bool(fits.any())


def shown_peg(color: int, rules: Rules) -> str:
    """Name a color, or a blank."""
    return rules.symbols.symbol(color) if color < rules.colors else Told("a blank")


def _nudge(advice: Advice) -> str:
    rules = advice.position.rules
    if advice.remaining.count == 1:
        return Told("Only one code is left.") if rules.has_pegs else Told("Only one secret is left.")
    if advice.remaining.count == 2:
        return Told("Two codes are left.") if rules.has_pegs else Told("Two secrets are left.")
    known = _colors(advice) if rules.has_pegs else ""
    kind = (
        Told("The best guess may be the secret.")
        if advice.best.is_candidate
        else Told("The best guess is none of the codes left.")
        if rules.has_pegs
        else Told("The best guess is a question.")
    )
    return Joined((known, kind), " ") if known and rules.symbols_in_secrets > 1 else kind


def _colors(advice: Advice) -> str:
    """Say what the codes left tell of the colors; nothing where all are alike."""
    rules = advice.position.rules
    presence = advice.remaining.marginals().presence
    is_sample = not advice.remaining.is_complete
    noise = 0.1 if is_sample else 1e-9  # by which chances of colors differ, at least, to tell them apart
    if presence.max() - presence.min() < noise or (is_sample and not advice.position.turns):
        return ""
    order = sorted(range(len(presence)), key=lambda color: (-presence[color], color))
    certain = [color for color in order if presence[color] >= 1 - ROUNDED]
    absent = [color for color in order if presence[color] <= ROUNDED]
    likely = [color for color in order if color not in certain and color not in absent]
    said = []
    if certain:
        said.append(Told("{colors:and} must be in the code", _named(certain, rules)))
    if likely and presence[likely[0]] - presence[likely[-1]] > noise:
        color, chance = rules.symbols.symbol(likely[0]), _share(presence[likely[0]])
        said.append(Told("{color} is in it with {chance}", color, chance))
    if absent:
        said.append(Told("{colors:and} cannot be", _named(absent, rules)))
    if not said:
        return ""
    return Told("By a sample: {said:list}.", said) if is_sample else Joined(said, ", ") + "."


def _share(chance: float) -> Told:
    if 0.01 <= chance < 0.995:
        return Told("{percent:.0f} %", 100 * chance)
    return Told("more than 99 %") if chance > 0.5 else Told("less than 1 %")


def _named(colors: list[int], rules: Rules) -> list[str]:
    # Three names are read at a glance.
    names = [rules.symbols.symbol(color) for color in colors[:3]]
    rest = len(colors) - len(names)
    return [*names, plural(rest, "{n} other", "{n} others")] if rest else names


def _shape(advice: Advice) -> str:
    rules, guess = advice.position.rules, advice.best.guess
    counts = Counter(color for color in guess if color < rules.colors)
    number = len(counts)
    colors = (
        plural(number, "{n} color", "{n} colors")
        if rules.words is None
        else plural(number, "{n} letter", "{n} letters")
    )
    parts = [Told("{colors} only", colors) if number == 1 < len(guess) else colors]
    repeated = [number for number in counts.values() if number > 1]
    if len(repeated) == 1 < number:
        parts.append(_repeated(repeated[0]))
    elif len(repeated) > 1:
        parts.append(Told("{count} of them more than once", len(repeated)))
    # On longer codes nobody sees a shape.
    if len(guess) <= 12:
        parts.append(Told("in the shape of {pattern}", _pattern(guess, rules)))
    tried = {color for turn in advice.position.turns for color in turn.guess}
    if tried and counts:
        parts.append(_new(len(set(counts) - tried), number))
    return Told("A good guess has {parts:list}.", parts)


def _repeated(times: int) -> Told:
    match times:
        case 2:
            return Told("one of them twice")
        case 3:
            return Told("one of them three times")
        case 4:
            return Told("one of them four times")
    return Told("one of them {count} times", times)


def _new(fresh: int, number: int) -> Told:
    if not fresh:
        return Told("none of them new")
    if fresh == number:
        return Told("all of them new")
    return Told("one of them new") if fresh == 1 else Told("{count} of them new", fresh)


def _pattern(guess: Code, rules: Rules) -> str:
    """The first color is a, the next one b; a hole stays a dot. Small letters: these are no colors."""
    letters: dict[int, str] = {rules.colors: "."}
    for color in guess:
        letters.setdefault(color, chr(ord("a") + len(letters) - 1))
    return "".join(letters[color] for color in guess)

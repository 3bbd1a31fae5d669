"""Gives hints one after the other, each of which gives away more; here those for a game that is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice
from time import perf_counter
from typing import Generic, TypeVar

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
from entropeg.told import plural

ROUNDED = 1e-12
"""A chance below this is none but for rounding."""

TIMES = {2: "twice", 3: "three times", 4: "four times"}

Wording = TypeVar("Wording")
"""A text, or a sentence of which the one who shows it can draw the codes."""


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
class HintStep(PlainValue, Generic[Wording]):
    """One hint: what it says, and the row, the pegs (both from 0) and the code that it speaks of, if there are any."""

    kind: HintKind
    says: Wording
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

    PLAIN = ("steps", "further")

    rules: Rules
    steps: tuple[HintStep[str], ...]
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
        further = _further(remaining.count)
        if not to_the_best:
            return cls(position.rules, tuple(steps), further)
        advice = answer(question, began)
        return cls(
            position.rules, (*steps, *(step for step in hints_at(advice) if step.kind in further)), advice=advice
        )


def _further(count: int | None) -> tuple[HintKind, ...]:
    """The kinds of the hints at the best guess, by the number of codes left, which may tell its kind."""
    kinds = HintKind.kind, HintKind.shape, HintKind.guess, HintKind.why
    return kinds[2:] if count == 1 else kinds[1:] if count == 2 else kinds


def hints_at(advice: Advice) -> tuple[HintStep[str], ...]:
    """Return the hints at the best guess, from the first to the last.

    >>> from entropeg.advise import advise
    >>> [(step.kind.value, step.says) for step in hints_at(advise("2x2", limit=1))][1]
    ('shape', 'A good guess has 1 color only, in the shape of aa.')
    """
    rules, best = advice.position.rules, advice.best.guess
    return (
        HintStep(HintKind.kind, _nudge(advice)),
        HintStep(HintKind.shape, _shape(advice)),
        HintStep(HintKind.guess, f"A good guess is {format_code(best, rules)}.", code=best),
        HintStep(HintKind.why, advice.explain(), code=best),
    )


def _against(begun: PartCode, position: Position, remaining: Remaining) -> list[HintStep[str]]:
    """The hints at what rules a guess in the making out as the secret; none where it may still become one."""
    rules = position.rules
    if is_known(begun):
        clues = clues_against(begun, position.turns, rules)
        if clues:
            clue = next((one for one in clues if one.pegs), clues[0])
            return [_row_step(clue.row, position), _clue_step(clue, begun, rules)]
        if not may_be_secret(begun, rules):
            return [HintStep(HintKind.contradiction, f"The rules allow no secret {format_code(begun, rules)}.")]
        return []
    rows = [Row(turn.guess, turn.feedback) for turn in position.turns]
    broken = contradictions(rows, [begun], rules)[:, 0].tolist()
    impossible = _impossible(begun, remaining)
    if any(broken):
        row = broken.index(True)
        showing = _showing(begun, rows[row], rules)
        return [_row_step(row, position), *_pegs_steps(showing, rules, begun, row)]
    if impossible or (remaining.is_complete and not _begins_a_code(begun, remaining)):
        says = "No code that is left has the pegs set so far: the rows rule them out together."
        return [HintStep(HintKind.contradiction, says), *_pegs_steps(impossible, rules, begun, None)]
    return []


def _row_step(row: int, position: Position) -> HintStep[str]:
    shown = format_turn(position.turns[row], position.rules)
    return HintStep(HintKind.contradiction, f"The guess in the making contradicts row {row + 1} ({shown}).", row)


def _clue_step(clue: Clue, guess: Code, rules: Rules) -> HintStep[str]:
    told, would_be = format_feedback(clue.told), format_feedback(clue.would_be)
    answer = f"were {format_code(guess, rules)} the secret, row {clue.row + 1} would have got {would_be}, not {told}"
    if not clue.pegs:
        return HintStep(HintKind.pegs, f"No peg shows it alone: {answer}.", clue.row)
    if len(clue.pegs) == 1:
        return HintStep(HintKind.pegs, f"Peg {clue.pegs[0] + 1} shows it: {answer}.", clue.row, clue.pegs)
    return HintStep(HintKind.pegs, f"Pegs {_numbers(clue.pegs)} show it: {answer}.", clue.row, clue.pegs)


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


def _pegs_steps(pegs: Sequence[int], rules: Rules, begun: PartCode, row: int | None) -> list[HintStep[str]]:
    """Which pegs show a contradiction; no step where it takes too many of them together."""
    if not pegs:
        return []
    if len(pegs) > 1:
        says = f"Pegs {_numbers(pegs)} show it: no code that is left is like them."
    else:
        color = begun[pegs[0]]
        assert color is not None
        named = shown_peg(color, rules)
        says = f"Peg {pegs[0] + 1} shows it: in no code that is left it is {named}."
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
    return rules.symbols.symbol(color) if color < rules.colors else "a blank"


def _numbers(pegs: Sequence[int]) -> str:
    return _listed([str(peg + 1) for peg in pegs])


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _nudge(advice: Advice) -> str:
    rules = advice.position.rules
    if advice.remaining.count == 1:
        return "Only one code is left."
    if advice.remaining.count == 2:
        return "Two codes are left."
    known = _colors(advice)
    best = "may be the secret" if advice.best.is_candidate else "is none of the codes left"
    kind = f"The best guess {best}."
    return f"{known} {kind}" if known and rules.symbols_in_secrets > 1 else kind


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
        said.append(f"{_named(certain, rules)} must be in the code")
    if likely and presence[likely[0]] - presence[likely[-1]] > noise:
        said.append(f"{rules.symbols.symbol(likely[0])} is in it with {_share(presence[likely[0]])}")
    if absent:
        said.append(f"{_named(absent, rules)} cannot be")
    start = "By a sample: " if is_sample else ""
    return f"{start}{', '.join(said)}." if said else ""


def _named(colors: list[int], rules: Rules) -> str:
    # Three names are read at a glance.
    names = [rules.symbols.symbol(color) for color in colors[:3]]
    rest = len(colors) - len(names)
    return f"{', '.join(names)} and {plural(rest, '{n} other', '{n} others')}" if rest else _listed(names)


def _share(chance: float) -> str:
    return f"{100 * chance:.0f} %" if 0.01 <= chance < 0.995 else "more than 99 %" if chance > 0.5 else "less than 1 %"


def _shape(advice: Advice) -> str:
    rules, guess = advice.position.rules, advice.best.guess
    counts = Counter(color for color in guess if color < rules.colors)
    only = " only" if len(counts) == 1 < len(guess) else ""
    of_letters, of_colors = ("{n} letter", "{n} letters"), ("{n} color", "{n} colors")
    parts = [f"{plural(len(counts), *(of_colors if rules.words is None else of_letters))}{only}"]
    repeated = sorted((number for number in counts.values() if number > 1), reverse=True)
    if len(repeated) == 1 < len(counts):
        parts.append(f"one of them {TIMES.get(repeated[0], f'{repeated[0]} times')}")
    elif len(repeated) > 1:
        parts.append(f"{len(repeated)} of them more than once")
    # On longer codes nobody sees a shape.
    if len(guess) <= 12:
        parts.append(f"in the shape of {_pattern(guess, rules)}")
    tried = {color for turn in advice.position.turns for color in turn.guess}
    fresh = len(set(counts) - tried)
    if tried and counts:
        new = (
            "none of them new"
            if not fresh
            else "all of them new"
            if fresh == len(counts)
            else "one of them new"
            if fresh == 1
            else f"{fresh} of them new"
        )
        parts.append(new)
    return f"A good guess has {', '.join(parts)}."


def _pattern(guess: Code, rules: Rules) -> str:
    """The first color is a, the next one b; a hole stays a dot. Small letters: these are no colors."""
    letters: dict[int, str] = {rules.colors: "."}
    for color in guess:
        letters.setdefault(color, chr(ord("a") + len(letters) - 1))
    return "".join(letters[color] for color in guess)

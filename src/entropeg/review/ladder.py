"""Hints for a game that is being played, one after the other: each gives away more, and the last one is the guess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, islice
from time import perf_counter

import numpy as np

from entropeg import arguments
from entropeg.advise.advice import Advice, answer
from entropeg.advise.question import SECONDS, AdviceQuestion, Remaining
from entropeg.advise.row_readings import contradictions
from entropeg.advise.rows import PartCode, Row, check_part_code, is_known
from entropeg.advise.telling.hints import Hints
from entropeg.codes import format_code, may_be_secret
from entropeg.feedback import Code, format_feedback
from entropeg.position import Position, format_turn
from entropeg.review.clues import Clue, clues_against
from entropeg.rules import Rules

FEW = 2
"""With at most so many codes left, how many these are says all that could be said of the kind of the best guess."""
IMPOSSIBLE = 1e-12
"""A chance below this is none but for rounding."""
SHOWN, TRIED = 3, 200
"""Pegs that show a contradiction together, at most, and sets of pegs that are tried to find them."""


class HintKind(StrEnum):
    """What a hint gives away."""

    left = "left"
    """How many codes are left."""
    contradiction = "contradiction"
    """Which earlier row the guess in the making contradicts."""
    pegs = "pegs"
    """At which of its pegs that shows."""
    kind = "kind"
    """What is known of the colors, and whether the best guess may be the secret."""
    shape = "shape"
    """What the best guess looks like, without its colors."""
    guess = "guess"
    """The best guess."""
    why = "why"
    """Why it is the best."""


@dataclass(frozen=True)
class HintStep:
    """One hint: a sentence, and the row, the pegs (both from 0) and the code that it speaks of, where there are any."""

    kind: HintKind
    says: str
    row: int | None = None
    pegs: tuple[int, ...] = ()
    code: Code | None = None


@dataclass(frozen=True)
class HintLadder:
    """Hints in the order in which they are given, and the advice that the last ones come from.

    What is said of the guess in the making follows from the rows, or, where all codes left are listed, from these.
    Where the best guess was not asked for, `advice` is None and `further` has the kinds of the hints at it.
    """

    steps: tuple[HintStep, ...]
    further: tuple[HintKind, ...] = ()
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
        remaining = question.situation.remaining
        steps = [HintStep(HintKind.left, remaining.in_words)]
        if begun is not None and any(color is not None for color in begun):
            steps += _against(begun, position, remaining)
        further = _further(remaining.count)
        if not to_the_best:
            return cls(tuple(steps), further)
        advice = answer(question, began)
        towards = _towards(advice)
        return cls((*steps, *(towards[kind] for kind in further)), advice=advice)


def _further(count: int | None) -> tuple[HintKind, ...]:
    """The kinds of the hints at the best guess, with so many codes left."""
    if count == 1:
        return HintKind.guess, HintKind.why
    last = HintKind.shape, HintKind.guess, HintKind.why
    return last if count is not None and count <= FEW else (HintKind.kind, *last)


def _towards(advice: Advice) -> dict[HintKind, HintStep]:
    """The hints at the best guess."""
    hints, rules, best = Hints.of(advice), advice.position.rules, advice.best.guess
    steps = (
        HintStep(HintKind.kind, hints.nudge),
        HintStep(HintKind.shape, hints.shape),
        HintStep(HintKind.guess, f"A good guess is {format_code(best, rules)}.", code=best),
        HintStep(HintKind.why, hints.guess, code=best),
    )
    return {step.kind: step for step in steps}


def _against(begun: PartCode, position: Position, remaining: Remaining) -> list[HintStep]:
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


def _row_step(row: int, position: Position) -> HintStep:
    shown = format_turn(position.turns[row], position.rules)
    return HintStep(HintKind.contradiction, f"The guess in the making contradicts row {row + 1} ({shown}).", row)


def _clue_step(clue: Clue, guess: Code, rules: Rules) -> HintStep:
    told, would_be = format_feedback(clue.told), format_feedback(clue.would_be)
    answer = f"were {format_code(guess, rules)} the secret, row {clue.row + 1} would have got {would_be}, not {told}"
    if not clue.pegs:
        return HintStep(HintKind.pegs, f"No peg shows it alone: {answer}.", clue.row)
    if len(clue.pegs) == 1:
        return HintStep(HintKind.pegs, f"Peg {clue.pegs[0] + 1} shows it: {answer}.", clue.row, clue.pegs)
    return HintStep(HintKind.pegs, f"Pegs {_numbers(clue.pegs)} show it: {answer}.", clue.row, clue.pegs)


def _showing(begun: PartCode, row: Row, rules: Rules) -> tuple[int, ...]:
    """The fewest of the pegs set so far that contradict a row by themselves; empty where it takes more than `SHOWN`."""
    known = [peg for peg, color in enumerate(begun) if color is not None]
    tried: list[tuple[int, ...]]
    for size in range(1, SHOWN + 1):
        tried = list(islice(combinations(known, size), TRIED))
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
        says = f"Pegs {_numbers(pegs)} show it: no code that is left is like them."
    else:
        color = begun[pegs[0]]
        assert color is not None
        says = f"Peg {pegs[0] + 1} shows it: in no code that is left it is {_named(color, rules)}."
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
        if color is not None and (color >= symbols or chances[peg, color] < IMPOSSIBLE)
    )


def _begins_a_code(begun: PartCode, remaining: Remaining) -> bool:
    fits = np.ones(len(remaining.codes), bool)
    for plane, color in zip(remaining.codes.planes, begun, strict=True):
        if color is not None:
            fits &= plane == color
    return bool(fits.any())


def _named(color: int, rules: Rules) -> str:
    return rules.symbols.symbol(color) if color < rules.colors else "a blank"


def _numbers(pegs: Sequence[int]) -> str:
    return ", ".join(str(peg + 1) for peg in pegs[:-1]) + f" and {pegs[-1] + 1}"

"""Puts puzzles into words: the question, hints that give away more and more, and the solution.

Codes and feedbacks in a sentence are `Drawn`, so that whoever shows it can draw them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from entropeg.advise.ladder import HintKind, HintStep, shown_peg
from entropeg.advise.mistakes import explain
from entropeg.codes import drawn_code
from entropeg.feedback import Code, drawn_feedback, format_feedback
from entropeg.told import Drawn, Joined, Told, plural
from entropeg.train.puzzle import Judgment, Theme, TrainingPuzzle

Attempted: TypeAlias = "Code | int"
"""A guess, or the index of a row."""

ALIKE = 4
"""Most further guesses listed that solve a puzzle."""


def heading(puzzle: TrainingPuzzle) -> Told:
    """Name the theme, and the difficulty where it is known: `trap, difficulty 43%`."""
    hard, theme = puzzle.difficulty, puzzle.theme.told
    return theme if hard is None else Told("{theme}, difficulty {hard:.0%}", theme, hard)


def question(puzzle: TrainingPuzzle) -> Told:
    """Ask what there is to find."""
    match puzzle.theme:
        case Theme.deduce:
            return Told("One code is left: which?")
        case Theme.split:
            left = plural(len(puzzle.codes), "{n} code", "{n} codes")
            return Told("{left} are left, and one guess tells all of them apart: which?", left)
        case Theme.outside:
            return Told("The best guess is none of the codes that are left: which?")
        case Theme.trap:
            alike = len(puzzle.look_alikes)
            return Told("{count} of the codes left differ in one peg alone: which guess is best?", alike)
        case Theme.mend:
            return Told("One row is wrong, and no code fits all of them: which row?")
    assert puzzle.played is not None
    loss = puzzle.judge(puzzle.played.guess).loss
    assert loss is not None
    guess = drawn_code(puzzle.played.guess, puzzle.rules)
    return Told("{guess} was played here, which loses {loss:.2f} guesses: what is better?", guess, loss)


def missed(puzzle: TrainingPuzzle, attempt: Attempted, judgment: Judgment) -> Told:
    """Say why an attempt, a guess or the index of a row, does not solve a puzzle."""
    if isinstance(attempt, int):
        return Told("Not row {row}: without it the others contradict one another.", attempt + 1)
    guess = drawn_code(attempt, puzzle.rules)
    if puzzle.theme is Theme.deduce and not judgment.clues:  # such as one with a hole
        return Told("{guess} fits every row, but no secret is like it.", guess)
    if puzzle.theme is Theme.deduce:
        clue = judgment.clues[0]
        return Told(
            "{guess} is not it: row {row} would have got {would_be}, not {told}.",
            *(guess, clue.row + 1, drawn_feedback(clue.would_be), drawn_feedback(clue.told)),
        )
    assert judgment.loss is not None
    return Told("{guess} is not it: {loss:.2f} guesses more are expected than with the best.", guess, judgment.loss)


def hints(puzzle: TrainingPuzzle) -> list[HintStep]:
    """Give hints, each of which gives away more than the one before; the last leaves little to find.

    >>> from entropeg.train import puzzles
    >>> [step.kind.value for step in hints(next(puzzles("4x6", "deduce", seed=1)))]
    ['colors', 'pegs']
    """
    if puzzle.theme is Theme.mend:
        return _hints_at_the_row(puzzle)
    return _hints_at_the_code(puzzle) if puzzle.theme is Theme.deduce else _hints_at_the_guess(puzzle)


def solution(puzzle: TrainingPuzzle) -> list[Told]:
    """Tell the solution, and why it is the best; the parts that the first answer makes are `TrainingPuzzle.parts`."""
    if puzzle.theme is Theme.mend:
        return _wrong_row(puzzle)
    guess, *others = _drawn(puzzle.answers, puzzle)
    if puzzle.theme is Theme.deduce:
        return [Told("{guess} is the only code that fits every row.", guess)]
    told = [_parted(puzzle, guess), _compared(puzzle)]
    if others and puzzle.theme is not Theme.learn:
        more = [Told("{others} more", len(others) - ALIKE)] if len(others) > ALIKE else []
        listed = [*others[:ALIKE], *more]
        told.append(
            Told("{guesses:and} do as well.", listed) if len(others) > 1 else Told("{guess} does as well.", *others)
        )
    if puzzle.theme is Theme.trap:
        alike = _drawn(puzzle.look_alikes, puzzle)
        told.append(Told("{codes:and} differ in one peg alone: one after the other costs more.", alike))
    return told


def _drawn(codes: Iterable[Code], puzzle: TrainingPuzzle) -> list[Drawn]:
    return [drawn_code(code, puzzle.rules) for code in codes]


def _parted(puzzle: TrainingPuzzle, guess: Drawn) -> Told:
    parts, count = puzzle.parts(guess.value), len(puzzle.codes)
    largest, made = max(map(len, parts.values())), plural(len(parts), "{n} part", "{n} parts")
    does = (
        Told("{guess} tells all {count:,} codes left apart", guess, count)
        if largest == 1
        else Told(
            "{guess} cuts the {count:,} codes left into {parts}, {largest} in the largest", guess, count, made, largest
        )
    )
    is_left = guess.value in puzzle.codes
    return (
        Told("{does}; it may be the secret.", does)
        if is_left
        else Told("{does}; it cannot be the secret itself.", does)
    )


def _compared(puzzle: TrainingPuzzle) -> Told:
    if puzzle.second is None:
        return Told("{best:.2f} more guesses are expected with it.", puzzle.best)
    return Told(
        "{best:.2f} more guesses are expected with it, {second:.2f} with the next best idea.",
        *(puzzle.best, puzzle.second),
    )


def _hints_at_the_code(puzzle: TrainingPuzzle) -> list[HintStep]:
    secret, rules = puzzle.answers[0], puzzle.rules
    if rules.feedback.about.is_listed:
        return []  # a name of a table has no colors
    copies = Counter(secret)
    played = {color for turn in puzzle.turns for color in turn.guess if color < rules.colors}
    absent = [rules.symbols.symbol(color) for color in sorted(played - set(secret))]
    within = [
        Told("{color} ({count} times)", shown_peg(color, rules), count) if count > 1 else shown_peg(color, rules)
        for color, count in sorted(copies.items())
    ]
    told: list[HintStep] = []
    if absent:
        told.append(HintStep(HintKind.colors, Told("Not in the code: {absent:list}.", absent)))
    told.append(HintStep(HintKind.colors, Told("In the code: {within:list}.", within)))
    rarest = min(range(rules.pegs), key=lambda peg: (copies[secret[peg]], peg))
    color = shown_peg(secret[rarest], rules)
    return [*told, HintStep(HintKind.pegs, Told("Peg {peg} is {color}.", rarest + 1, color), pegs=(rarest,))]


def _hints_at_the_guess(puzzle: TrainingPuzzle) -> list[HintStep]:
    codes, guess, rules = puzzle.codes, puzzle.answers[0], puzzle.rules
    told: list[HintStep] = []
    if puzzle.theme is not Theme.split:
        told.append(HintStep(HintKind.left, Told("{codes} are left.", plural(len(codes), "{n} code", "{n} codes"))))
    if len(codes) <= 24:
        told.append(HintStep(HintKind.codes, Told("They are {codes:and}.", _drawn(codes, puzzle))))
    if puzzle.theme is not Theme.outside:
        kind = (
            Told("The guess to find is one of them.")
            if guess in codes
            else Told("The guess to find is none of them: it cannot be the secret.")
        )
        told.append(HintStep(HintKind.kind, kind))
    parts = puzzle.parts(guess)
    if puzzle.theme is not Theme.split:
        largest, made = max(map(len, parts.values())), plural(len(parts), "{n} part", "{n} parts")
        cuts = (
            Told("Its answer tells all of them apart.")
            if largest == 1
            else Told("Its answer cuts them into {parts}, {largest} in the largest.", made, largest)
        )
        told.append(HintStep(HintKind.parts, cuts))
    colors = sorted(shown_peg(color, rules) for color in set(guess))
    return [*told, HintStep(HintKind.colors, Told("One that solves it is made of {colors:list}.", colors))]


def _hints_at_the_row(puzzle: TrainingPuzzle) -> list[HintStep]:
    conflicts = explain(puzzle.position, "afterwards", limit=1).conflicts
    told = [Told("Rows {rows:and} cannot all be true.", [row + 1 for row in rows]) for rows in conflicts[:3]]
    innocent = next(row for row in conflicts[0] if row != puzzle.row)
    says = Told("Row {row} is right: without it the others contradict one another all the same.", innocent + 1)
    return [*(HintStep(HintKind.contradiction, one) for one in told), HintStep(HintKind.row, says, innocent)]


def _wrong_row(puzzle: TrainingPuzzle) -> list[Told]:
    assert puzzle.row is not None
    guess, feedback = puzzle.turns[puzzle.row]
    told = [
        Told(
            "Row {row} is wrong, {guess} {feedback}: the others fit together.",
            *(puzzle.row + 1, drawn_code(guess, puzzle.rules), format_feedback(feedback)),
        )
    ]
    ways = [Joined((drawn_code(guess, puzzle.rules), format_feedback(answer)), " ") for guess, answer in puzzle.mends]
    if ways:
        told.append(Told("It may have been {ways:or}.", ways))
    codes = _drawn(puzzle.codes[:12], puzzle)
    if len(puzzle.codes) == 1:
        told.append(Told("Without it {code} is the only code that fits.", *codes))
    elif len(puzzle.codes) <= 12:
        told.append(Told("Without it these fit: {codes:and}.", codes))
    else:
        told.append(Told("Without it {codes} fit.", plural(len(puzzle.codes), "{n} code", "{n} codes")))
    return told

"""Puts puzzles into words: the question, hints that give away more and more, and the solution.

A sentence is a tuple of texts, codes and feedbacks, so that whoever shows it can draw them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias, TypeGuard

from entropeg.advise.ladder import HintKind, HintStep, shown_peg
from entropeg.advise.mistakes import explain
from entropeg.feedback import AnyFeedback, Code, Feedback, GrandFeedback, Marks, format_feedback
from entropeg.told import plural
from entropeg.train.puzzle import Judgment, Theme, TrainingPuzzle

Piece: TypeAlias = "str | Code | AnyFeedback"
Sentence: TypeAlias = tuple[Piece, ...]
Attempted: TypeAlias = "Code | int"
"""A guess, or the index of a row."""

ALIKE = 4
"""Most further guesses listed that solve a puzzle."""


def heading(puzzle: TrainingPuzzle) -> str:
    """Name the theme, and the difficulty where it is known: `trap, difficulty 43%`."""
    hard = puzzle.difficulty
    return f"{puzzle.theme}" if hard is None else f"{puzzle.theme}, difficulty {hard:.0%}"


def question(puzzle: TrainingPuzzle) -> Sentence:
    """Ask what there is to find."""
    left = plural(len(puzzle.codes), "{n} code", "{n} codes")
    if puzzle.theme is Theme.learn:
        assert puzzle.played is not None
        loss = puzzle.judge(puzzle.played.guess).loss
        assert loss is not None
        return puzzle.played.guess, f" was played here, which loses {float(loss):.2f} guesses: what is better?"
    asked = {
        Theme.deduce: "One code is left: which?",
        Theme.split: f"{left} are left, and one guess tells all of them apart: which?",
        Theme.outside: "The best guess is none of the codes that are left: which?",
        Theme.trap: f"{len(puzzle.look_alikes)} of the codes left differ in one peg alone: which guess is best?",
        Theme.mend: "One row is wrong, and no code fits all of them: which row?",
    }
    return (asked[puzzle.theme],)


def is_feedback(piece: Piece) -> TypeGuard[AnyFeedback]:
    """Tell whether a piece of a sentence is a feedback.

    >>> is_feedback(Feedback(1, 2)), is_feedback((0, 0, 1, 1)), is_feedback("AABB")
    (True, False, False)
    """
    return isinstance(piece, (Feedback, GrandFeedback, Marks))


def missed(puzzle: TrainingPuzzle, attempt: Attempted, judgment: Judgment) -> Sentence:
    """Say why an attempt, a guess or the index of a row, does not solve a puzzle."""
    if isinstance(attempt, int):
        return (f"Not row {attempt + 1}: without it the others contradict one another.",)
    if puzzle.theme is Theme.deduce and not judgment.clues:  # such as one with a hole
        return attempt, " fits every row, but no secret is like it."
    if puzzle.theme is Theme.deduce:
        clue = judgment.clues[0]
        return attempt, f" is not it: row {clue.row + 1} would have got ", clue.would_be, ", not ", clue.told, "."
    assert judgment.loss is not None
    return attempt, f" is not it: {float(judgment.loss):.2f} guesses more are expected than with the best."


def hints(puzzle: TrainingPuzzle) -> list[HintStep[Sentence]]:
    """Give hints, each of which gives away more than the one before; the last leaves little to find.

    >>> from entropeg.train import puzzles
    >>> [step.kind.value for step in hints(next(puzzles("4x6", "deduce", seed=1)))]
    ['colors', 'pegs']
    """
    if puzzle.theme is Theme.mend:
        return _hints_at_the_row(puzzle)
    return _hints_at_the_code(puzzle) if puzzle.theme is Theme.deduce else _hints_at_the_guess(puzzle)


def solution(puzzle: TrainingPuzzle) -> list[Sentence]:
    """Tell the solution, and why it is the best; the parts that the first answer makes are `TrainingPuzzle.parts`."""
    if puzzle.theme is Theme.mend:
        return _wrong_row(puzzle)
    guess, *others = puzzle.answers
    if puzzle.theme is Theme.deduce:
        return [(guess, " is the only code that fits every row.")]
    parts = puzzle.parts(guess)
    largest = max(map(len, parts.values()))
    may_be = "it may be the secret" if guess in puzzle.codes else "it cannot be the secret itself"
    count, made = len(puzzle.codes), plural(len(parts), "{n} part", "{n} parts")
    does: Sentence = guess, f" tells all {count:,} codes left apart; {may_be}."
    if largest > 1:
        does = guess, f" cuts the {count:,} codes left into {made}, {largest} in the largest; {may_be}."
    told: list[Sentence] = [does, (_compared(puzzle),)]
    if others and puzzle.theme is not Theme.learn:
        more = [f"{len(others) - ALIKE} more"] if len(others) > ALIKE else []
        told.append((*_listed([*others[:ALIKE], *more]), f" {'do' if len(others) > 1 else 'does'} as well."))
    if puzzle.theme is Theme.trap:
        told.append((*_listed(puzzle.look_alikes), " differ in one peg alone: one after the other costs more."))
    return told


def _compared(puzzle: TrainingPuzzle) -> str:
    assert puzzle.best is not None
    best = f"{float(puzzle.best):.2f} more guesses are expected with it"
    return f"{best}." if puzzle.second is None else f"{best}, {float(puzzle.second):.2f} with the next best idea."


def _listed(things: Sequence[str | Code]) -> Sentence:
    pieces: list[str | Code] = []
    for place, thing in enumerate(things):
        pieces += [] if not place else [" and " if place == len(things) - 1 else ", "]
        pieces.append(thing)
    return tuple(pieces)


def _hints_at_the_code(puzzle: TrainingPuzzle) -> list[HintStep[Sentence]]:
    secret, rules = puzzle.answers[0], puzzle.position.rules
    copies = Counter(secret)
    played = {color for turn in puzzle.position.turns for color in turn.guess if color < rules.colors}
    absent = [rules.symbols.symbol(color) for color in sorted(played - set(secret))]
    within = [
        shown_peg(color, rules) + (f" ({number} times)" if number > 1 else "")
        for color, number in sorted(copies.items())
    ]
    told: list[HintStep[Sentence]] = []
    if absent:
        told.append(HintStep(HintKind.colors, (f"Not in the code: {', '.join(absent)}.",)))
    told.append(HintStep(HintKind.colors, (f"In the code: {', '.join(within)}.",)))
    rarest = min(range(rules.pegs), key=lambda peg: (copies[secret[peg]], peg))
    color = shown_peg(secret[rarest], rules)
    return [*told, HintStep(HintKind.pegs, (f"Peg {rarest + 1} is {color}.",), pegs=(rarest,))]


def _hints_at_the_guess(puzzle: TrainingPuzzle) -> list[HintStep[Sentence]]:
    codes, guess, rules = puzzle.codes, puzzle.answers[0], puzzle.position.rules
    told: list[HintStep[Sentence]] = []
    if puzzle.theme is not Theme.split:
        told.append(HintStep(HintKind.left, (f"{plural(len(codes), '{n} code', '{n} codes')} are left.",)))
    if len(codes) <= 24:
        told.append(HintStep(HintKind.codes, ("They are ", *_listed(codes), ".")))
    if puzzle.theme is not Theme.outside:
        is_left = "is one of them." if guess in codes else "is none of them: it cannot be the secret."
        told.append(HintStep(HintKind.kind, (f"The guess to find {is_left}",)))
    parts = puzzle.parts(guess)
    if puzzle.theme is not Theme.split:
        largest = max(map(len, parts.values()))
        cuts = f"cuts them into {plural(len(parts), '{n} part', '{n} parts')}, {largest} in the largest"
        told.append(HintStep(HintKind.parts, (f"Its answer {cuts if largest > 1 else 'tells all of them apart'}.",)))
    colors = sorted(shown_peg(color, rules) for color in set(guess))
    return [*told, HintStep(HintKind.colors, (f"One that solves it is made of {', '.join(colors)}.",))]


def _hints_at_the_row(puzzle: TrainingPuzzle) -> list[HintStep[Sentence]]:
    conflicts = explain(puzzle.position, "afterwards", limit=1).conflicts
    told: list[Sentence] = [
        ("Rows ", *_listed([str(row + 1) for row in rows]), " cannot all be true.") for rows in conflicts[:3]
    ]
    innocent = next(row for row in conflicts[0] if row != puzzle.row)
    says = (f"Row {innocent + 1} is right: without it the others contradict one another all the same.",)
    return [*(HintStep(HintKind.contradiction, one) for one in told), HintStep(HintKind.row, says, innocent)]


def _wrong_row(puzzle: TrainingPuzzle) -> list[Sentence]:
    assert puzzle.row is not None
    wrong = puzzle.position.turns[puzzle.row]
    told: list[Sentence] = [
        (
            f"Row {puzzle.row + 1} is wrong, ",
            wrong.guess,
            f" {format_feedback(wrong.feedback)}: the others fit together.",
        )
    ]
    ways: list[str | Code] = []
    for place, turn in enumerate(puzzle.mends):
        ways += [" or " if place == len(puzzle.mends) - 1 else ", "] if place else []
        ways += [turn.guess, f" {format_feedback(turn.feedback)}"]
    if ways:
        told.append(("It may have been ", *ways, "."))
    if len(puzzle.codes) == 1:
        told.append(("Without it ", puzzle.codes[0], " is the only code that fits."))
    elif len(puzzle.codes) <= 12:
        told.append(("Without it these fit: ", *_listed(puzzle.codes), "."))
    else:
        told.append((f"Without it {plural(len(puzzle.codes), '{n} code', '{n} codes')} fit.",))
    return told

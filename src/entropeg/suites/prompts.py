"""Asks a language model, in any language of the house, and reads a guess or a row from its answer.

The parser forgives format and never content: signs around a code, spaces between its pegs, small letters and a text
before the answer do no harm; a code with a peg too many, or two codes, is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import count

from entropeg.codes import format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.loop import play
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Joined, Told

TASKS: Mapping[str, Told] = {
    "play": Told("Make the next guess."),
    "deduce": Told("One code fits all rows. Which one?"),
    "next": Told("Which next guess takes the fewest guesses on average, itself counted, until the secret is found?"),
    "mend": Told("One row was noted down wrong, and no code fits all rows. Which row? Answer with its number."),
}
"""What is asked of a model, by the name of the task."""

_MARK = re.compile(r"\b(?:final answer|answer|réponse|reponse|guess|essai)\b[\s*_`]*:", re.IGNORECASE)
_SIGNS = re.compile(r"\\boxed|[*`\"'«»“”()\[\]{}<>$!|]")


def question(position: Position, task: str = "play", *, tools: bool = False) -> Joined:
    """Return what a model is asked at a position: the rules, the rows so far, the task, and the form of the answer.

    It is one sentence of ours; `texts.say` says it in another language.

    >>> print(question(Position("3x4", ["AAB X"]), "deduce"))
    Mastermind: a secret code is to be found. 3 pegs, 4 colors (A B C D), 64 secrets.
    Each guess is answered. black: right color, right place, white: right color, other place.
    1. AAB: 1 black, 0 white
    One code fits all rows. Which one?
    You may think first. End with one line: ANSWER: AAA
    """
    rules, about = position.rules, position.rules.feedback.about
    rows = [
        Told("{row}. {guess}: {answer}", row, format_code(turn.guess, rules), about.said(turn.feedback))
        for row, turn in enumerate(position.turns, start=1)
    ]
    form = "1" if task == "mend" else _form(rules)
    parts = [
        Told("Mastermind: a secret code is to be found. {rules}.", rules.describe()),
        Told("Each guess is answered. {meanings:list}.", list(about.legend.values())),
        *(rows or [Told("No guess has been made.")]),
        *([Told("You may call tools; they know the rows above.")] if tools else []),
        *(TASKS[task], Told("You may think first. End with one line: ANSWER: {form}", form)),
    ]
    return Joined(parts, "\n")


def _form(rules: Rules) -> str:
    """A code that shows how codes are written: with different colors where none may repeat."""
    if rules.words is not None:
        return str(rules.words.words[0])
    return format_code(tuple(0 if rules.guess_repeats else peg for peg in range(rules.pegs)), rules)


def examples(rules: Rules, number: int) -> list[tuple[Position, Told]]:
    """Return solved examples of play under the same feedback: positions of games of 3x4, and the answers to give."""
    if rules.words is not None or rules.shapes:
        return []
    small, found = Rules(3, 4, feedback=rules.feedback), list[tuple[Position, Told]]()
    for seed in count():
        turns = play("first-consistent", "honest", small, seed=seed).turns
        for row in range(1, len(turns)):
            found.append((Position(small, turns[:row]), Told("ANSWER: {code}", format_code(turns[row].guess, small))))
        if len(found) >= number:
            break
    return found[:number]


def complaint() -> Told:
    """Return what a model is told whose answer held no legal guess."""
    return Told("That held no legal guess. End with one line, and nothing after it: ANSWER: and your guess")


def answer_line(text: str) -> str:
    r"""Return the piece of an answer that counts: what stands behind its last mark, else its last line.

    >>> answer_line("AABB? No.\n**Answer:** `A B C D`")
    'A B C D'
    """
    marks = list(_MARK.finditer(text))
    lines = (text[marks[-1].end() :] if marks else text).strip().splitlines() or [""]
    return _SIGNS.sub(" ", lines[0] if marks else lines[-1]).strip(" \t.,;:_")


def read_guess(text: str, rules: Rules) -> Code | None:
    """Return the code that an answer gives; None where it gives none, or more than one.

    >>> rules = Rules.parse("4x6")
    >>> [read_guess(text, rules) for text in ("ANSWER: a-a-b-b", "I play AABB", "AABBC", "AABB or CCDD", "AABB C")]
    [(0, 0, 1, 1), (0, 0, 1, 1), None, None, None]
    """
    line = answer_line(text)
    whole = _code(line, rules)
    if whole is not None or not rules.symbols.is_spelled:
        return whole
    # One code among words: whatever else is written in colors alone, or a letter, makes it doubtful what is meant.
    colors, words = set(rules.symbols.symbols), set(re.findall(r"\w+", line))
    spelled = {each for each in words if colors.issuperset(each) or (len(each) == 1 and each.isupper() and each != "I")}
    return _code(next(iter(spelled)), rules) if len(spelled) == 1 else None


def _code(text: str, rules: Rules) -> Code | None:
    try:
        return parse_code(text, rules)
    except InputError:
        return None


def read_row(text: str) -> int | None:
    """Return the number of a row that an answer gives; None where it gives none, or more than one.

    >>> read_row("ANSWER: row 3."), read_row("2 or 3")
    (3, None)
    """
    numbers = set(re.findall(r"\d{1,9}", answer_line(text)))
    return int(numbers.pop()) if len(numbers) == 1 else None

"""Answers by name: of a game that is a table, and of a kind of feedback that somebody brings.

A kind of one's own says one thing, `OwnKind.answer_to`. Where the codes of its board can be listed, its answers make a
table, whose labels are all that the engine sees; pegs and colors stay, for writing and drawing.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar, Self

from entropeg.errors import InputError
from entropeg.kinds.kind import Code, Kind, Method
from entropeg.told import Template, Told


class NamedAnswer(tuple[int, ...]):  # noqa: SLOT001 - a tuple has no place for the name
    """One answer of a table: a tuple of its label alone, with the `name` it is written by.

    >>> NamedAnswer(1, "yes"), NamedAnswer(1, "yes") == NamedAnswer(1)
    (NamedAnswer(1, 'yes'), True)
    """

    name: str

    def __new__(cls, label: int = 0, name: str = "") -> Self:
        """Make the answer of a label."""
        made = tuple.__new__(cls, (label,))
        made.name = name
        return made

    def __reduce__(self) -> tuple[object, tuple[int, str]]:
        """Pickle the label and the name."""
        return NamedAnswer, (self[0], self.name)

    def __repr__(self) -> str:
        """Show the label and the name."""
        return f"NamedAnswer({self[0]}, {self.name!r})"

    @property
    def black(self) -> int:
        """No pegs are in place: an answer is no count of pegs."""
        return 0

    @property
    def white(self) -> int:
        """Nor elsewhere."""
        return 0


class OwnKind(Kind):
    """A kind of feedback of one's own: derive from it, say `name` and `answer_to`, and pass an object of it to `Rules`.

    The answers are any values that can be compared and written; they are counted as they occur. The guess that is the
    secret wins, whatever is answered to it. Installed by an entry point `entropeg.kinds`, its name is an option of the
    rules. The codes of the board must be listable: `answers.MOST_SECRETS` secrets, `answers.MOST_QUESTIONS` guesses.

    >>> from entropeg.rules import Rules
    >>> class Distance(OwnKind):
    ...     name = "distances"
    ...     def answer_to(self, guess, secret, rules):
    ...         return sum(abs(one - other) for one, other in zip(guess, secret))
    >>> rules = Rules(3, 4, feedback=Distance())
    >>> str(rules), rules.label_count
    ('3x4/distances', 10)
    """

    name: ClassVar[str] = "own"
    """How the rules name it."""
    answer = NamedAnswer
    methods = frozenset({Method.exact, Method.proofs, Method.onestep})
    pegs_alike = is_symmetric = is_option = False
    is_listed = True
    summary = Told("answers by name")
    title = Told("a game of one's own")
    legend: ClassVar = {"": Told("one of the answers of the game")}
    wanted = Told("one of the answers of the game")
    notation = Template("write one of the answers of the game")
    examples = Told("one of the answers of the game")
    names = ("answer",)
    letters = "a"
    marks = ("",)

    def answer_to(self, guess: Code, secret: Code, rules: Any) -> Hashable:
        """Answer a guess by any value; pure: asked twice it answers alike."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        """Tell whether the other is made by the same class of the same parts."""
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        """Hash by the class."""
        return hash(type(self))

    def score(self, guess: Code, secret: Code, rules: Any) -> NamedAnswer:
        """Look the answer up in the table."""
        table = rules.table
        return self.from_label(int(table.label(guess, secret)), rules)

    def count(self, rules: Any) -> int:
        """Return how many answers to one guess occur, at most."""
        return int(rules.table.most_parts) - (not rules.is_named)

    def of(self, numbers: Any, rules: Any) -> NamedAnswer:
        """Make an answer of its label, with its name where it has one."""
        answer, known = NamedAnswer(*numbers), rules.table.answers
        return NamedAnswer(answer[0], known[answer[0]]) if 0 <= answer[0] < len(known) else answer

    def win(self, rules: Any) -> NamedAnswer:
        """Return the answer to the guess that is the secret: the last label."""
        return self.from_label(len(rules.table.answers) - 1, rules)

    def label(self, feedback: NamedAnswer, rules: Any) -> int:
        """Return the label, which is the only number of an answer."""
        del rules
        return int(feedback[0])

    def from_label(self, label: int, rules: Any) -> NamedAnswer:
        """Return the answer of a label, with its name."""
        return NamedAnswer(label, rules.table.answers[label])

    def fault(self, feedback: NamedAnswer, rules: Any) -> str:
        """Say that there is no such answer."""
        answers = rules.table.answers
        if 0 <= feedback[0] < len(answers):
            return ""
        return Told("{label} is no answer of the game: they are numbered 0 to {last}", feedback[0], len(answers) - 1)

    def read(self, text: str, rules: Any) -> NamedAnswer | None:
        """Read an answer by its name, or as `word` writes it; raises InputError with the names there are."""
        label = rules.table.label_named(text)
        if label is None and text[:1] == "a" and text[1:].isdecimal() and int(text[1:]) < len(rules.table.answers):
            label = int(text[1:])
        if label is None:
            known = rules.table.answers
            raise InputError("{text!r} is no answer of {rules}: they are {known:list}", text, rules, known[:12])
        return self.from_label(label, rules)

    def text(self, feedback: NamedAnswer) -> str:
        """Write an answer by its name."""
        return feedback.name or str(feedback[0])

    def word(self, feedback: NamedAnswer) -> str:
        """Write it by its label."""
        return f"a{feedback[0]}"

    def said(self, feedback: NamedAnswer) -> str:
        """Say its name."""
        return self.text(feedback)


class TableKind(OwnKind):
    """The answers of a table that is given as such (`answers.AnswerTable`)."""

    name = "table"


TABLED = TableKind()

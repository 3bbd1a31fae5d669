"""Describes rules to a page: all that is needed to draw a board and to play on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from entropeg.answers import AnswerTable
from entropeg.errors import InputError
from entropeg.feedback import Method, is_known
from entropeg.plain_values import PlainValue
from entropeg.rules import Blanks, Rules
from entropeg.search.reach import Reach
from entropeg.svg.outlines import outline_of
from entropeg.svg.palette import hexadecimal, ink, peg_color
from entropeg.svg.pegs import has_tiles
from entropeg.told import Told
from entropeg.words import GUESSED


def count_data(count: int) -> int | None:
    """Return an exact count, or None where readers of JSON would round it."""
    # Whole numbers below 2**53 are exact in every reader of JSON.
    return count if count < 1 << 53 else None


def played_words(name: str) -> str:
    """Return the rules by which the page plays a list of words: with all usual words to guess, where there are such.

    >>> played_words("french")
    'words:french/probes=french/positional'
    """
    return f"words:{name}{f'/probes={name}' if name in GUESSED else ''}/positional"


@dataclass(frozen=True)
class SymbolShown(PlainValue):
    """How a peg of a color is written and drawn: an outline around 0, 0, 24 wide, its fill, and the ink on it."""

    index: int
    text: str
    name: str
    fill: str
    ink: str
    path: str
    drop: float
    """How far the letter is moved down."""
    tile: bool

    @classmethod
    def of(cls, color: int, rules: Rules) -> SymbolShown:
        """Return how pegs of a color look."""
        fill, outline = peg_color(color, rules), outline_of(color, rules)
        drawn = hexadecimal(fill), hexadecimal(ink(fill)), outline.path(0, 0), outline.drop, has_tiles(rules)
        return cls(color, rules.symbols.symbol(color), outline.name, *drawn)


@dataclass(frozen=True)
class MarkShown(PlainValue):
    """What a mark means; what all of them mean where `mark` is empty."""

    mark: str
    says: str

    @classmethod
    def of(cls, rules: Rules) -> tuple[MarkShown, ...]:
        """Return what the marks of a board mean."""
        about = rules.feedback.about
        meanings = {"": about.on_tiles} if about.on_tiles and has_tiles(rules) else about.legend
        return tuple(cls(mark, said) for mark, said in meanings.items())


@dataclass(frozen=True)
class AnswersShown(PlainValue):
    """The names of a game that is a table of answers, in whose place others have pegs."""

    secrets: tuple[str, ...]
    questions: tuple[str, ...]
    """Beside the names of secrets."""
    answers: tuple[str, ...]
    """All that there are; the last is that to the name of the secret, and wins."""
    naming: bool
    """Whether secrets are named; otherwise the game ends when one is left."""

    @classmethod
    def of(cls, rules: Rules) -> AnswersShown | None:
        """Return those of a table, None of other rules."""
        words = rules.words
        if not isinstance(words, AnswerTable):
            return None
        return cls(words.words, words.probes, words.table.answers, words.naming)


@dataclass(frozen=True)
class RulesShown(PlainValue):
    """A board described: all that is needed to draw and to play it; a name of a table of answers counts as one peg."""

    text: str
    pegs: int
    colors: int
    limit: int | None
    feedback: str
    hard: bool
    repeats: bool
    guess_repeats: bool
    blanks: str
    shapes: int
    words: bool
    secrets: str
    secret_count: int | None
    """Null where readers of JSON would round it."""
    says: str
    symbols: tuple[SymbolShown, ...]
    more_symbols: int
    """Symbols beyond those that are described."""
    blank: int | None
    """The index of the blank."""
    symmetric: bool
    notation: str
    numbers: tuple[str, ...]
    """What feedback counts; nothing where it is a mark for each peg."""
    legend: tuple[MarkShown, ...]
    can: dict[str, bool | list[str]]
    """Which work can be asked for on this board; `train` has the themes of its puzzles."""
    answers: AnswersShown | None = None

    @classmethod
    def of(cls, rules: Rules) -> RulesShown:
        """Describe a board.

        >>> shown = RulesShown.of(Rules.parse("4x6"))
        >>> shown.secrets, shown.symbols[0].text, shown.can["exact"]
        ('1,296', 'A', True)
        """
        return cls._of(rules, str(rules))

    @classmethod
    @lru_cache(maxsize=128)
    def _of(cls, rules: Rules, text: str) -> RulesShown:
        # Tables of equal content are equal, whatever they are called.
        answers = AnswersShown.of(rules)
        colors = rules.colors if answers is None else len(answers.secrets) + len(answers.questions)
        shown = min(rules.colors, 200) if answers is None else 0
        return cls(
            text=text,
            pegs=rules.pegs if answers is None else 1,
            colors=colors,
            limit=rules.guess_limit,
            feedback=rules.feedback.name,
            hard=rules.hard,
            repeats=rules.repeats,
            guess_repeats=bool(rules.guess_repeats),
            blanks=rules.blanks.name,
            shapes=rules.shapes,
            words=rules.words is not None and answers is None,
            secrets=Told("{codes:count}", rules.secret_count),
            secret_count=count_data(rules.secret_count),
            says=rules.describe(),
            symbols=tuple(SymbolShown.of(color, rules) for color in range(shown)),
            more_symbols=colors - shown,
            blank=None if rules.blanks == Blanks.none else colors,
            symmetric=rules.is_symmetric,
            notation=Told(rules.feedback.about.notation, pegs=rules.pegs),
            numbers=tuple(rules.feedback.about.numbers),
            legend=MarkShown.of(rules),
            can=_can(rules),
            answers=answers,
        )


COUNTED = 50_000
"""Secrets of a board, at most, whose codes left the server counts at every turn, and whose positions it values."""


def _can(rules: Rules) -> dict[str, bool | list[str]]:
    # Whether there is a compiler is not asked: the answer would load it.
    from entropeg.train.puzzle_series import THEMES, VALUED, check_trained

    is_small = rules.secret_count <= COUNTED
    exact = is_small and rules.prior is None and is_known(rules, Method.exact) and not Reach.of(rules).has_many_answers
    try:
        check_trained(rules)
        # Boards of puzzles have pegs.
        themes = [theme.value for theme in THEMES if rules.has_pegs and (exact or theme not in VALUED)]
    except InputError:
        themes = []
    return {
        "count": is_small,
        "advise": True,
        "exact": exact,
        "review": rules.secret_count <= 1_000_000,
        "train": themes,
        "prove": exact,
    }

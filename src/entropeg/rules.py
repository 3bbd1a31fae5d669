"""The rules of one game: sizes, what may be guessed and hidden, what the feedback tells, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from hashlib import sha256
from math import log2
from pathlib import Path
from typing import Any, TypeVar

from entropeg import arguments
from entropeg.alphabet import PAIRS, Alphabet, NamedCodes
from entropeg.answers import BASE, TABLES, AnswerTable, LabelTable, is_at_hand, table_of_kind
from entropeg.errors import InputError
from entropeg.kinds import TABLE, AnyKind, BroughtKind, FeedbackKind, brought, kind_named
from entropeg.kinds.answers import OwnKind
from entropeg.priors import FORMULAS, Prior
from entropeg.sizes import KINDS, code_bits, code_count, label_count
from entropeg.told import Joined, Told, plural, quoted
from entropeg.words import GUESSED, SHIPPED, WordList

__all__ = [
    "MOST_DIGITS",
    "MOST_GUESSES",
    "MOST_SIZE",
    "NAMED_ALPHABETS",
    "PRESETS",
    "WORDS",
    "Blanks",
    "FeedbackKind",
    "Rules",
]

_READS_FILES = ContextVar("_READS_FILES", default=True)


@contextmanager
def without_files() -> Iterator[None]:
    """Read rules without files in this block, whoever reads them: for saved games and logs that come from elsewhere.

    >>> with without_files():
    ...     Rules.parse("words:/etc/hostname")
    Traceback (most recent call last):
    entropeg.errors.InputError: '/etc/hostname' is no list of the package: there are words:english, words:french
    """
    before = _READS_FILES.set(False)
    try:
        yield
    finally:
        _READS_FILES.reset(before)


class Blanks(IntEnum):
    """Where a hole may be left empty."""

    none = 0
    guesses = 1
    """In guesses only: a hole never scores."""
    both = 2
    """In secrets too: a hole is one further color."""


PRESETS = {
    "classic": "4x6/limit=12",
    "super": "5x8/limit=12",
    "bulls-and-cows": "4x10/no-repeats/digits",
    "course": "4x8/course",
    "grand": "4x25/shapes=5/limit=10",
}
"""The classic game, Super Mastermind, the paper game with digits, the board of the French course, Grand Mastermind."""

MOST_SIZE = 999_999
"""Pegs and colors of a board, at most."""

MOST_GUESSES = (1 << 31) - 1
"""The largest guess limit: numbers of guesses are held in four bytes."""

MOST_DIGITS = 20
"""Digits of a number in the text of rules, at most."""

Member = TypeVar("Member", bound=IntEnum)

_SIZE = re.compile(r"(\d{1,6})\s*[xX×]\s*(\d{1,6})")
NAMED_ALPHABETS = ("letters", "digits", "numbers", "names", "course")
"""Options that say how colors are written by a name alone."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game, immutable and hashable; every other object of entropeg takes them.

    `pegs` and `colors` are at least 1. `repeats` says whether a secret may use a color twice, `guess_repeats`
    whether a guess may (default: as the secret). Blanks, where allowed, may always repeat. `guess_limit` is
    the number of guesses after which the game is lost, None for no limit. `alphabet` is a name that
    `Alphabet.named` knows, or the symbols themselves. With `words` the secrets are those of a list, which says also how
    many pegs there are and which symbols. `prior` says how likely each secret is; without it all are alike.
    With `shapes` each peg has a color and a shape: `colors` counts the pairs, of which number color * shapes + shape.
    `hard`, under positional feedback, makes every guess use every clue (`entropeg.candidates.Clues`), as the hard mode
    of Wordle does.

    Making rules lists no codes, on boards of any size. Raises InputError where they exclude each other; whether the
    weights of a prior fit the secrets is said when these are listed.

    >>> rules = Rules.parse("4x10/no-repeats/digits")
    >>> rules.secret_count, str(rules)
    (5040, '4x10/no-repeats/digits')
    """

    pegs: int = 4
    colors: int = 6
    repeats: bool = True
    guess_repeats: bool | None = None
    blanks: Blanks = Blanks.none
    feedback: AnyKind = FeedbackKind.standard
    guess_limit: int | None = None
    alphabet: str = ""
    words: WordList | None = None
    prior: Prior | None = None
    shapes: int = 0
    hard: bool = False

    def __post_init__(self) -> None:
        """Fill what is left open and refuse rules that exclude each other."""
        _take_fields(self)
        if self.words is not None:
            _take_words(self, self.words)
        _check_sizes(self.pegs, self.colors)
        if self.shapes or self.feedback == FeedbackKind.grand:
            _take_shapes(self)
        if self.feedback == TABLE and self.words is None:
            raise InputError("the answers of a table need the table: Rules.of_answers makes both")
        _check_hard(self)
        if self.guess_repeats is None:
            object.__setattr__(self, "guess_repeats", self.repeats)
        object.__setattr__(self, "alphabet", self.alphabet or Alphabet.default_name(self.colors))
        _check_repeats(self)
        _check_limit(self.guess_limit)
        _ = self.symbols

    @classmethod
    def of(cls, rules: Rules | str) -> Rules:
        """Return rules that are given as such or as text; whatever takes rules takes both.

        >>> Rules.of("4x6") == Rules.of(Rules(4, 6))
        True
        """
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, str):
            return cls.parse(rules)
        raise InputError("the rules are {rules!r}; they must be Rules, or text such as 4x6", rules)

    @classmethod
    def of_answers(cls, secrets: Any, questions: Any, answer: Any, *, naming: bool = True, **options: Any) -> Rules:
        """Make the rules of a game that is a table of answers; `options` are further fields.

        `answer` is a function of a question and a secret, which is asked about each pair once, or rows of answers
        (`[secrets, questions]`, as in a file). Naming a secret is a question besides, and wins; without `naming` the
        game ends when one secret is left. The text of such rules is read back in this process alone, and in those that
        are given the rules themselves; write the table to a file for others. The errors are those of
        `AnswerTable.of_answers`.

        >>> rules = Rules.of_answers(["cat", "owl"], ["flies"], lambda question, animal: animal == "owl")
        >>> Rules.parse(str(rules)) == rules
        True
        """
        return cls(words=AnswerTable.of_answers(secrets, questions, answer, naming=naming), **options)

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Rules:
        """Read rules from text: a size or a preset, then options, each after a slash.

        Sizes are pegs x colors: `4x6`. Presets: `classic`, `super`, `bulls-and-cows`, `course`. Options:
        `no-repeats`, `guess-repeats` (guesses may repeat colors though secrets do not), `blanks` (in
        guesses), `blanks-in-secrets`, `black`, `membership`, `positional`, `hard` (guesses use every clue; positional
        where no other feedback is named), `limit=N` (`limit=none`), and an alphabet: `letters`, `digits`, `numbers`,
        `names`, `course` or `alphabet=SYMBOLS`. Raises InputError naming the part that cannot be read.

        `words:FILE` takes the words of a file as secrets. Its own options: `fold` (case and accents do not count),
        `free-guesses` (any letters may be guessed), `pegs=N` (words of that length only), `probes=FILE` (further
        words to guess; `probes=english` or `french`: all usual ones of five letters). `shapes=N` divides the colors
        into pairs of a color and one of N shapes (4x25/shapes=5: 5 colors). `prior=FILE` or `prior=FORMULA` says how
        likely each secret is. `digest=...`, which is written with the names of files, refuses files that have changed.

        Without `files`, and inside `without_files`, no file of the machine is looked at, for texts that come from
        elsewhere: lists are those of the package, priors are formulas, and there are no probes. Raises InputError where
        the text names a file.
        """
        text = arguments.text(text, "the text of the rules").strip()
        head, *options = _parts(text) if files and _READS_FILES.get() else _parts_without_files(text)
        _check_contrary(options)
        preset = PRESETS.get(head.casefold())
        if preset is not None:
            head, *settled = preset.split("/")
            options = [*settled, *options]
        if head.startswith(TABLES):
            return _read_table(head, options)
        return _read_words(head, options) if head.startswith(WORDS) else _read_board(head, options)

    def __repr__(self) -> str:
        return f"<Rules {self}>"

    def __str__(self) -> str:
        """Write the rules as `Rules.parse` reads them."""
        return "/".join([self.size, *self._options()])

    def describe(self) -> str:
        """Say in one line what the rules are.

        >>> Rules.parse("classic").describe()
        '4 pegs, 6 colors (A B C D E F), 1,296 secrets, 12 guesses'
        """
        pegs = plural(self.pegs, "{n} peg", "{n} pegs")
        parts: list[str] = [self.words.describe()] if self.words else [pegs, self._describe_colors()]
        if not self.repeats:
            parts.append(Told("no color twice in the secret") if self.guess_repeats else Told("no color twice"))
        if self.blanks:
            everywhere = self.blanks == Blanks.both
            parts.append(Told("blanks (.) in guesses and secrets") if everywhere else Told("blanks (.) in guesses"))
        parts += [self.feedback.about.summary] if self.feedback and self.feedback != TABLE else []
        parts += [Told("each guess uses every clue")] if self.hard else []
        parts += [] if self.prior is None else [Told("secrets as likely as {prior} says", self.prior.source)]
        counted = isinstance(self.words, AnswerTable)  # it has said how many secrets it has
        parts += [] if counted else [plural(self.secret_count, "{n} secret", "{n} secrets")]
        parts += [] if self.guess_limit is None else [plural(self.guess_limit, "{n} guess", "{n} guesses")]
        return Joined(parts, ", ")

    def _describe_colors(self) -> str:
        if self.shapes:
            colors = self.colors // self.shapes
            return Told(
                "each of {colors} (letters) and {shapes} (numbers)",
                *(plural(colors, "{n} color", "{n} colors"), plural(self.shapes, "{n} shape", "{n} shapes")),
            )
        return Told("{colors} ({symbols})", plural(self.colors, "{n} color", "{n} colors"), self.symbols.describe())

    @property
    def size(self) -> str:
        """The beginning of the text: `4x6`, or the list of words with its own options."""
        return "/".join(self.words.options) if self.words else f"{self.pegs}x{self.colors}"

    @property
    def digest(self) -> str:
        """A mark of the words and weights that come from files, empty where none do."""
        read = [self.words.digest] if self.words else []
        read += [self.prior.digest] if self.prior and not self.prior.is_formula else []
        return sha256("".join(read).encode()).hexdigest()[:8] if read else ""

    def _options(self) -> list[str]:
        options = [] if self.repeats else ["no-repeats"]
        if self.guess_repeats and not self.repeats:
            options.append("guess-repeats")
        if self.blanks:
            options.append("blanks" if self.blanks == Blanks.guesses else "blanks-in-secrets")
        if self.feedback and self.feedback != TABLE:
            options.append(f"shapes={self.shapes}" if self.shapes else self.feedback.name)
        options += ["hard"] if self.hard else []
        if self.words is None and not self.shapes and self.alphabet != Alphabet.default_name(self.colors):
            options.append(self.alphabet if self.alphabet in NAMED_ALPHABETS else f"alphabet={self.alphabet}")
        if self.guess_limit is not None:
            options.append(f"limit={self.guess_limit}")
        options += [f"prior={self.prior.source}"] if self.prior else []
        return options + ([f"digest={self.digest}"] if self.digest else [])

    def with_limit(self, limit: int | None) -> Rules:
        """Return the same rules with another guess limit."""
        limit = arguments.some(limit, "the guess limit")
        return self if limit == self.guess_limit else replace(self, guess_limit=limit)

    @cached_property
    def board(self) -> Rules:
        """The same rules without what makes no difference to values: a limit, and an alphabet of one's own."""
        usual = Alphabet.default_name(self.colors) if self.is_symmetric else self.alphabet
        return replace(self, alphabet=usual, guess_limit=None)

    @cached_property
    def symbols(self) -> Alphabet:
        """The alphabet in which codes of these rules are written."""
        if isinstance(self.words, AnswerTable):
            return NamedCodes("table", self.words.names, table=self.words)
        if self.shapes:
            return Alphabet.of_pairs(self.colors // self.shapes, self.shapes)
        return replace(Alphabet.named(self.alphabet, self.colors), folds=self.words is not None and self.words.fold)

    @property
    def symbols_in_guesses(self) -> int:
        """How many different values a peg of a guess can take: the colors, and the blank where guesses allow it."""
        return self.colors + (self.blanks != Blanks.none)

    @property
    def symbols_in_secrets(self) -> int:
        """How many different values a peg of a secret can take: the colors, and the blank where secrets allow it."""
        return self.colors + (self.blanks == Blanks.both)

    @cached_property
    def secret_count(self) -> int:
        """Exact number of secrets that the rules allow."""
        if self.words is not None:
            return len(self.words.words)
        blank = self.blanks == Blanks.both
        return code_count(self.pegs, self.symbols_in_secrets, repeats=self.repeats, blank=blank)

    @cached_property
    def secret_bits(self) -> float:
        """Logarithm of `secret_count` to base 2, to rounding; costs nothing on boards of any size."""
        if self.words is not None:
            return log2(len(self.words.words))
        blank = self.blanks == Blanks.both
        return code_bits(self.pegs, self.symbols_in_secrets, repeats=self.repeats, blank=blank)

    @cached_property
    def guess_count(self) -> int:
        """Exact number of guesses that the rules allow; every secret is one of them."""
        if self.words is not None and not self.words.free:
            return self.words.guess_count
        blank = self.blanks != Blanks.none
        return code_count(self.pegs, self.symbols_in_guesses, repeats=bool(self.guess_repeats), blank=blank)

    @property
    def is_symmetric(self) -> bool:
        """Whether pegs, and colors, may change places without changing the game: not so with words or shapes."""
        return self.words is None and self.feedback.about.is_symmetric

    @property
    def is_alike(self) -> bool:
        """Whether pegs, and colors or shapes, may change places: so, too, where a table says it, which this makes."""
        if self.feedback.about.is_listed:
            return self.table.places is not None and self.table.is_alike
        return self.words is None

    @property
    def is_named(self) -> bool:
        """Whether guessing the secret ends the game; otherwise it ends when one secret is left."""
        return not isinstance(self.words, AnswerTable) or self.words.naming

    @property
    def has_pegs(self) -> bool:
        """Whether codes are pegs with colors: the names of a table of answers are not."""
        return not isinstance(self.words, AnswerTable)

    @cached_property
    def with_names(self) -> Rules:
        """The same game where the secret is named, which has the guesses and the names at the nodes of strategies."""
        words = self.words
        if not isinstance(words, AnswerTable) or words.naming:
            return self
        return replace(self, words=words.with_naming(naming=True))

    @cached_property
    def table(self) -> LabelTable:
        """The answers to all guesses: of a table, or made by asking a kind of one's own about all codes.

        Raises TooLargeError where these are too many, and TypeError for kinds that are built in, which have none.
        """
        if isinstance(self.words, AnswerTable):
            return self.words.table
        if not self.feedback.about.is_listed:
            raise TypeError(f"{self} has no table of answers: its feedback is built in")
        return table_of_kind(self)

    @property
    def kind(self) -> int:
        """The feedback kind as the kernels number it."""
        if self.feedback.about.is_listed:
            return self.table.kind
        return int(self.feedback) + KINDS * self.shapes

    @cached_property
    def label_count(self) -> int:
        """One more than the largest label that feedback can have; not every label below it occurs."""
        return label_count(self.kind, self.pegs)

    @cached_property
    def win_label(self) -> int:
        """The label of the feedback that ends the game: every peg in place."""
        return self.feedback.about.label(self.feedback.about.win(self), self)


def _take_fields(rules: Rules) -> None:
    # Every field is made the plain value that it stands for, so that equal rules are equal and print alike.
    prior = Prior.read(rules.prior) if isinstance(rules.prior, str) else rules.prior
    taken = {
        "pegs": arguments.whole(rules.pegs, "the number of pegs"),
        "colors": arguments.whole(rules.colors, "the number of colors"),
        "shapes": arguments.whole(rules.shapes, "the number of shapes", least=0),
        "hard": arguments.flag(rules.hard, "hard"),
        "repeats": arguments.flag(rules.repeats, "repeats"),
        "guess_repeats": None if rules.guess_repeats is None else arguments.flag(rules.guess_repeats, "guess_repeats"),
        "blanks": _member(Blanks, rules.blanks, "blanks"),
        "feedback": _kind(rules.feedback),
        "guess_limit": arguments.some(rules.guess_limit, "the guess limit"),
        "alphabet": arguments.text(rules.alphabet, "the alphabet"),
        "words": rules.words,
        "prior": prior,
    }
    if rules.words is not None:
        arguments.instance(rules.words, WordList, "words", "as WordList.read makes one")
    if prior is not None:
        arguments.instance(prior, Prior, "the prior", "or the name of a formula or of a file")
    for name, value in taken.items():
        object.__setattr__(rules, name, value)


def _kind(feedback: object) -> AnyKind:
    if isinstance(feedback, BroughtKind):
        return feedback
    if isinstance(feedback, OwnKind):
        return brought(feedback)
    found = kind_named(feedback) if isinstance(feedback, str) and feedback not in FeedbackKind.__members__ else None
    return found or _member(FeedbackKind, feedback, "feedback")


def _member(kind: type[Member], value: object, name: str) -> Member:
    if isinstance(value, str) and value in kind.__members__:
        return kind[value]
    with suppress(InputError):
        number = arguments.whole(value, name)
        if number in list(kind):
            return kind(number)
    raise InputError("{name} is {given!r}; it must be one of {choices:list}", name, value, kind.__members__)


def _take_words(rules: Rules, words: WordList) -> None:
    # The list settles the board; what would contradict it is refused rather than passed over.
    if not rules.repeats or rules.guess_repeats is False:
        raise InputError("no-repeats does not go with a word list: the list itself says which letters may repeat")
    if rules.blanks:
        raise InputError("blanks do not go with a word list: every word fills all its pegs")
    if isinstance(words, AnswerTable):
        _take_table(rules, words)
        return
    letters = "".join(words.letters)
    if rules.alphabet not in ("", letters):
        raise InputError("an alphabet does not go with a word list: its letters are the symbols")
    for name, value in (("pegs", words.pegs), ("colors", len(letters)), ("alphabet", letters)):
        object.__setattr__(rules, name, value)


def _take_table(rules: Rules, table: AnswerTable) -> None:
    if rules.hard:
        raise InputError("hard rules do not go with a table: its answers tell nothing of pegs")
    if rules.prior is not None and rules.prior.source in FORMULAS and rules.prior.source != "uniform":
        raise InputError(
            "the prior {prior} looks at colors, and a table has none: give a file of weights", rules.prior.source
        )
    if rules.feedback not in (FeedbackKind.standard, TABLE):
        raise InputError("a table has answers of its own: leave {feedback} out", rules.feedback.name)
    if rules.alphabet not in ("", "table"):
        raise InputError("an alphabet does not go with a table: its secrets and questions have names")
    colors = min(BASE if table.table.places is None else table.table.base, len(table.names))
    values = (("pegs", table.pegs), ("colors", colors), ("alphabet", "table"), ("feedback", TABLE))
    for name, value in values:
        object.__setattr__(rules, name, value)


def _take_shapes(rules: Rules) -> None:
    shapes = rules.shapes
    if shapes < 1:
        raise InputError("grand feedback needs shapes: write their number, as 4x25/shapes=5")
    if rules.feedback != FeedbackKind.grand:
        raise InputError(
            "shapes have a feedback of their own, grand: leave {feedback} or the shapes out", rules.feedback.name
        )
    if rules.colors % shapes:
        raise InputError(
            "{colors} pairs cannot be shared among {shapes} shapes: {pegs}x{right}/shapes={shapes} "
            "has 5 colors of each",
            *(rules.colors, shapes, rules.pegs, shapes * 5),
        )
    if rules.blanks or rules.words:
        raise InputError(
            Told("blanks do not go with shapes: leave one of them out")
            if rules.blanks
            else Told("words do not go with shapes: leave one of them out")
        )
    if rules.alphabet not in ("", PAIRS):
        raise InputError("an alphabet does not go with shapes: pairs are written A1, a letter and a number")
    object.__setattr__(rules, "alphabet", PAIRS)


def _check_hard(rules: Rules) -> None:
    if rules.hard and rules.feedback != FeedbackKind.positional:
        raise InputError(
            "hard rules need a mark for each peg, which {feedback} feedback does not give: play "
            "positional feedback, or leave hard out",
            rules.feedback.name,
        )


def _check_sizes(pegs: int, colors: int) -> None:
    board = (pegs, colors)
    if not 1 <= pegs <= MOST_SIZE:
        raise _size_error(board, Told("pegs"), pegs)
    if not 1 <= colors <= MOST_SIZE:
        raise _size_error(board, Told("colors"), colors)


def _size_error(board: tuple[int, int], things: Told, size: int) -> InputError:
    if size > MOST_SIZE:
        return InputError("the board has too many {things}: pegs and colors go up to {most} each", things, MOST_SIZE)
    shown = "x".join(map(quoted, board))
    return InputError("{board} has {size!r} {things}; a board needs at least 1 of them, as in 4x6", shown, size, things)


def _check_limit(limit: int | None) -> None:
    if limit is not None and limit < 1:
        raise InputError("the guess limit is {limit!r}; it must be at least 1", limit)
    if limit is not None and limit > MOST_GUESSES:
        raise InputError("the guess limit is too large: it goes up to {most}, and none is no limit", MOST_GUESSES)


def _check_repeats(rules: Rules) -> None:
    if rules.repeats and not rules.guess_repeats:
        raise InputError("guesses may not repeat colors though secrets may: such a secret could never be guessed")
    if not rules.repeats and rules.colors < rules.pegs and rules.blanks != Blanks.both:
        raise InputError(
            "{pegs}x{colors} without repeats has no code: it needs at least {pegs} colors, or repeats",
            *(rules.pegs, rules.colors),
        )


WORDS = "words:"
_FILE_OPTION = re.compile(r"/(?=\s*(?:probes|prior)=)")


def _parts(text: str) -> list[str]:
    # Options are divided by slashes, which names of files may contain.
    parts = []
    for chunk in map(str.strip, _FILE_OPTION.split(text)):
        pieces = [piece.strip() for piece in chunk.split("/")]
        prefix = next((prefix for prefix in (WORDS, TABLES, "probes=", "prior=") if chunk.startswith(prefix)), None)
        named = 1 if prefix is None else _name_length(pieces, prefix)
        parts += ["/".join(pieces[:named]), *pieces[named:]]
    return parts


def _parts_without_files(text: str) -> list[str]:
    head, *options = (part.strip() for part in text.split("/"))
    if head.startswith(TABLES) and not is_at_hand(head.removeprefix(TABLES)):
        raise InputError(
            "no table {name!r} is kept here: give the table itself, and it has a name", head.removeprefix(TABLES)
        )
    if head.startswith(WORDS) and head.removeprefix(WORDS) not in SHIPPED:
        lists = [WORDS + name for name in SHIPPED]
        raise InputError("{words!r} is no list of the package: there are {lists:list}", text.removeprefix(WORDS), lists)
    for place, option in enumerate(options):
        name, _, value = (part.strip() for part in option.partition("="))
        if name.casefold() == "prior" and value not in FORMULAS:
            wanted = "/".join(options[place:]).partition("=")[2]
            raise InputError("the prior {prior!r} is no formula: there are {formulas:list}", wanted, FORMULAS)
        if name.casefold() == "probes" and value not in GUESSED:
            raise InputError("probes are read from a file, and no file is read here: leave them out")
    return [head, *options]


def _name_length(pieces: list[str], prefix: str) -> int:
    # The name of a file goes on to the last piece that is no option, or as far as there is such a file.
    length = len(pieces)
    while length > 1 and _is_option(pieces[length - 1]):
        if Path("/".join(pieces[:length]).removeprefix(prefix)).is_file():
            break
        length -= 1
    return length


def _is_option(piece: str) -> bool:
    name, equals, _ = piece.partition("=")
    name = name.strip().casefold()
    return (
        name in ("limit", "alphabet", "shapes", "pegs", "digest", "secrets")
        if equals
        else name in _FLAGS or name in _WORD_FLAGS or name == "identify"
    )


def _read_board(head: str, options: list[str]) -> Rules:
    size = _SIZE.fullmatch(head)
    if size is None and re.fullmatch(r"\d+\s*[xX×]\s*\d+", head):
        raise InputError("{board!r} is too large a board: pegs and colors go up to {most} each", head, MOST_SIZE)
    if size is None:
        raise InputError(
            "{board!r} is not a board: write pegs x colors, as in 4x6, words:FILE, or one of {presets:list}",
            *(head, PRESETS),
        )
    return _read_options({"pegs": int(size[1]), "colors": int(size[2])}, options)


def _read_options(fields: dict[str, object], options: list[str]) -> Rules:
    digest = None
    for option in options:
        name, _, value = (part.strip() for part in option.partition("="))
        if name == "digest":
            digest = value
        else:
            fields.update(_read_option(option))
    if "hard" in fields:
        fields.setdefault("feedback", FeedbackKind.positional)
    rules = Rules(**fields)  # type: ignore[arg-type]  # _read_option gives each field its own type
    if digest is not None and digest != rules.digest:
        raise InputError(
            "a file of {rules} has changed since these rules were written: the digest was {digest}; "
            "bring the old file back, or leave the digest out",
            *(rules, digest),
        )
    return rules


def _check_contrary(options: list[str]) -> None:
    # Options as they were typed; an option of one's own replaces that of a preset.
    chosen: dict[str, str] = {}
    for option in options:
        name, _, _ = (part.strip().casefold() for part in option.partition("="))
        kind = _SETTLES.get(name)
        if kind is not None and chosen.setdefault(kind, option) != option:
            raise InputError(
                "the rules have two {kind}, {one} and {other}: leave one of them out", kind, chosen[kind], option
            )


def _read_words(head: str, options: list[str]) -> Rules:
    if not head.removeprefix(WORDS).strip():
        raise InputError(
            "{rules!r} names no words: write words:FILE, a file of one word a line, or one of {lists:list}",
            *(head, [WORDS + name for name in SHIPPED]),
        )
    source: dict[str, str] = {}
    others = []
    for option in options:
        name, _, value = (part.strip() for part in option.partition("="))
        if name in _OF_WORDS:
            source[name] = value
        else:
            others.append(option)
    pegs = _whole_number(source["pegs"], "the number of pegs") if "pegs" in source else None
    flags = {"fold": "fold" in source, "free": "free-guesses" in source}
    words = WordList.read(head.removeprefix(WORDS), probes=source.get("probes", ""), pegs=pegs, **flags)
    return _read_options({"words": words}, others)


def _read_table(head: str, options: list[str]) -> Rules:
    others = [option for option in options if option.casefold() != "identify"]
    source = head.removeprefix(TABLES).strip()
    if not source:
        raise InputError(
            "{rules!r} names no table: write table:FILE, a file in which rows are secrets, columns questions and cells "
            "answers, as CSV, JSON, Parquet or .npz",
            head,
        )
    table = AnswerTable.read(source, naming=len(others) == len(options))
    return _read_options({"words": table}, others)


def _read_option(option: str) -> dict[str, object]:
    name, _, value = option.partition("=")
    name = name.strip().casefold()
    if name in _FLAGS and not value:
        return _FLAGS[name]
    if name == "limit":
        if not value.strip().isdecimal() and value.casefold() != "none":
            raise InputError("the guess limit is {limit!r}; it must be a whole number, or none", value)
        return {"guess_limit": None if value.casefold() == "none" else _whole_number(value, "the guess limit")}
    if name == "alphabet" and value:
        return {"alphabet": value}
    if name == "shapes":
        return {"shapes": _whole_number(value, "the number of shapes"), "feedback": FeedbackKind.grand}
    if name == "prior" and value:
        return {"prior": Prior.read(value.strip())}
    if name in _OF_WORDS:
        raise InputError("{option!r} is for word lists only: words:FILE/{written}", option, option)
    if name == "secrets":
        raise InputError(
            "{option!r}: several secrets at once are for entropeg play, advise and optimal, and entropeg.several in "
            "Python; all else, and the page, has one secret",
            option,
        )
    kind = kind_named(name) if name and not value else None
    if kind is not None:
        return {"feedback": kind}
    known = [*_FLAGS, "limit=N", "alphabet=SYMBOLS", "shapes=N", "prior=NAME"]
    raise InputError("{option!r} is not an option of the rules: they are {known:list}", option, known)


def _whole_number(text: str, name: str) -> int:
    if not text.strip().isdecimal():
        raise InputError("{name} is {given!r}; it must be a whole number", arguments.named(name), text)
    if len(text.strip()) > MOST_DIGITS:
        raise InputError(
            "{name} is {given!r}; it must have {digits} digits at most", arguments.named(name), text, MOST_DIGITS
        )
    return int(text)


_FLAGS: dict[str, dict[str, object]] = {
    "no-repeats": {"repeats": False},
    "guess-repeats": {"guess_repeats": True},
    "blanks": {"blanks": Blanks.guesses},
    "blanks-in-secrets": {"blanks": Blanks.both},
    **{kind.name: {"feedback": kind} for kind in FeedbackKind if kind.about.is_option},
    "hard": {"hard": True},
    **{name: {"alphabet": name} for name in NAMED_ALPHABETS},
}

_SETTLES = {
    **dict.fromkeys((kind.name for kind in FeedbackKind), Told("kinds of feedback")),
    **dict.fromkeys((*NAMED_ALPHABETS, "alphabet"), Told("alphabets")),
    "limit": Told("guess limits"),
    "prior": Told("priors"),
}
"""Of what each option chooses one, by its name: two different ones contradict each other."""

_WORD_FLAGS = ("fold", "free-guesses")
_OF_WORDS = (*_WORD_FLAGS, "pegs", "probes")

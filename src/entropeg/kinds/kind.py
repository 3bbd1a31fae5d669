"""Describes a kind of feedback: how it is scored, packed, written and read, and which searches know it.

A kind is an object of a class that derives from `Kind`: a row of `kinds.FeedbackKind`, or
`kinds.answers.OwnKind`. The rooms above ask for these facts; they name a kind only where their mathematics is about it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeAlias

from entropeg.told import Joined, Template, Told, plural

Code: TypeAlias = Annotated[tuple[int, ...], "code"]
"""A code at the edge of the library: color indexes from 0; a blank peg is the index `rules.colors`."""

MARKS_WRITTEN_OUT = 12
"""Feedback of up to this many marks is written `XXO`, of more `14b3w`."""

NOTHING = {"-", "–", "—", "none", "rien", "0", "no", "nothing"}
"""Words for no mark at all."""
BLACKS, WHITES = "xX●⚫bB🟩", "oO○⚪wW🟨"
"""Signs that are read as one black or white mark."""


class Sizes(Protocol):
    """The facts of the rules that a kind looks at; `Rules` has it, and its text stands for it in messages."""

    @property
    def pegs(self) -> int:
        """Length of a code."""

    @property
    def shapes(self) -> int:
        """Number of shapes, 0 where pegs have none."""


class Method(Enum):
    """Methods that know some kinds only; a method that is not listed takes every kind.

    The values are the sentences that refuse other kinds: see `feedback.check_known`.
    """

    exact = Template("exact search knows {known:and} feedback, not that of {rules}")
    proofs = Template("proofs are written for {known:and} feedback, not that of {rules}")
    onestep = Template("one-step kernels know {known:and} feedback, not that of {rules}")
    """They leave out guesses that are alike; under other kinds `search.weighing` weighs all of them."""
    games = Template("the kernels of whole games know {known:and} feedback, not that of {rules}")
    """Other kinds are played one game after the other."""
    building = Template("codes are built under {known:and} feedback, not that of {rules}")
    """Peg by peg, by constraints or by labels; under other kinds they are found by scanning all codes."""
    chains = Template("chains know {known:and} feedback, not that of {rules}: list its codes instead")
    belief = Template("belief plays under {known:and} feedback, not that of {rules}")
    place = Template("place plays under {known:and} feedback, not that of {rules}")
    linear = Template(
        "linear plays under {known:and} feedback, not that of {rules}: `consistent` and the one-step rules (`entropy`, "
        "`parts`) play every kind where codes can be listed"
    )
    evolutionary = Template(
        "evolutionary plays under {known:and} feedback, not that of {rules}, which consistent and entropy play"
    )
    dichotomy = Template("dichotomy plays under {known:and} feedback, not that of {rules}")
    course = Template("course modules know {known:and} feedback, not that of {rules}")


class Kind:
    """One kind of feedback. The methods here fit marks that are counted: numbers of black, of white, ..."""

    answer: ClassVar[Any]
    """The class of its feedback: a tuple of whole numbers that has `black`, the pegs in place, and `white`."""
    methods: ClassVar[frozenset[Method]] = frozenset()
    """The methods that know it."""

    # Facts that searches rely on.
    common: ClassVar[Literal["copies", "members", ""]] = ""
    """The sum of black and white: the pegs that both codes have by color (copies), or the pegs of the guess whose
    color is in the secret (members); empty where they count nothing of the kind."""
    in_place_only: ClassVar[bool] = False
    """Whether nothing but the pegs in place counts. If not, a guess without any mark has no color of the secret."""
    is_listed: ClassVar[bool] = False
    """Whether answers stand in a table of the rules, `Rules.table`."""
    pegs_alike: ClassVar[bool] = True
    """Whether feedback stays the same when the pegs of guess and secret are permuted alike."""
    is_mutual: ClassVar[bool] = False
    """Whether two codes are answered alike whichever of them is the guess."""
    is_symmetric: ClassVar[bool] = True
    """Whether pegs, and colors, may change places without changing the game."""

    # How it is chosen, and put.
    is_option: ClassVar[bool] = True
    """Whether its name is an option of the rules."""
    summary: ClassVar[str]
    """What it tells, in a line."""
    title: ClassVar[str]
    """Its name where it is chosen on the page."""
    legend: ClassVar[Mapping[str, str]]
    """The meaning of each of its numbers to a player, by its name; under no name that of all marks."""
    on_tiles: ClassVar[str] = ""
    """The same where pegs are letters that show their marks themselves."""
    board: ClassVar[Mapping[str, int | str]] = {}
    """The options of rules that a board of it begins with, where the usual ones will not do."""
    wanted: ClassVar[str]
    """What a feedback is made of."""
    notation: ClassVar[str]
    """How to write it, said where a text cannot be read; a template with `{pegs}` for their number."""
    examples: ClassVar[str]
    """The same for a prompt."""
    names: ClassVar[Sequence[str]] = ("black", "white", "blue")
    letters: ClassVar[str] = ""
    """One for each of its numbers, as in `2b1w`; a number that is always 0 has none. None for a mark for each peg."""
    optional: ClassVar[int] = 0
    """How many of its numbers, the last ones, may be left out."""
    most: ClassVar[int] = (1 << 31) - 1
    """No number in it is larger."""
    marks: ClassVar[Sequence[str]] = (BLACKS, WHITES)
    """Signs that are read as one mark, for each of its numbers."""
    patterns: ClassVar[Sequence[re.Pattern[str]]] = ()
    """Its numbers in other notations."""

    @property
    def numbers(self) -> Sequence[str]:
        """The names of its numbers; none where it is a mark for each peg."""
        return self.names[: len(self.letters)]

    def score(self, guess: Code, secret: Code, rules: Sizes) -> Any:
        """Answer a guess."""
        raise NotImplementedError

    def count(self, rules: Sizes) -> int:
        """Return how many feedbacks there are under rules, at most."""
        raise NotImplementedError

    def of(self, numbers: Sequence[int], rules: Sizes) -> Any:
        """Make feedback of its numbers."""
        return self.answer(*numbers)

    def win(self, rules: Sizes) -> Any:
        """Return the feedback that ends the game."""
        return self.answer(rules.pegs)

    def label(self, feedback: Any, rules: Sizes) -> int:
        """Pack feedback into its label: the same number as in the kernels."""
        raise NotImplementedError

    def from_label(self, label: int, rules: Sizes) -> Any:
        """Unpack a label."""
        raise NotImplementedError

    def fault(self, feedback: Any, rules: Sizes) -> str:
        """Say why no secret gives this feedback; empty where one may."""
        if min(feedback) >= 0 and sum(feedback) <= rules.pegs:
            return ""
        if min(feedback) < 0:
            return Told("{numbers:and}: the numbers cannot be negative", counted(feedback))
        return Told(
            "{numbers:and} are {marks} marks; a guess has {pegs} pegs", counted(feedback), sum(feedback), rules.pegs
        )

    def read(self, text: str, rules: Sizes) -> Any | None:
        """Read feedback in any usual notation, whether it can exist or not; None where it is none."""
        if text.casefold() in NOTHING:
            return self.answer(0)
        given, known = text.replace(" ", ""), "".join(self.marks)
        if given and all(mark in known for mark in given):
            return self.answer(*(sum(mark in kind for mark in given) for kind in self.marks))
        for pattern in self.patterns:
            match = pattern.fullmatch(text)
            if match and text:
                return self.answer(*(int(number or 0) for number in match.groups()))
        return None

    def text(self, feedback: Any) -> str:
        """Write it as `XXO`, `-` for none, and as numbers past `MARKS_WRITTEN_OUT` marks."""
        if sum(feedback) > MARKS_WRITTEN_OUT:
            return "".join(f"{number}{letter}" for number, letter in zip(feedback, "bwh", strict=False))
        return "".join(mark * number for number, mark in zip(feedback, "XO~", strict=False)) or "-"

    def word(self, feedback: Any) -> str:
        """Write it as letters and digits alone, which need no quotes anywhere: `2b1w`."""
        return "".join(f"{number}{letter}" for number, letter in zip(feedback, self.letters, strict=False))

    def said(self, feedback: Any) -> str:
        """Say it in words: `2 black, 1 white`."""
        return Joined(counted(feedback), ", ")

    def details(self, feedback: Any) -> dict[str, Any]:
        """Return what its JSON has beside black and white."""
        return {}


def counted(feedback: Sequence[int]) -> list[Told]:
    """Say how many marks of each color there are."""
    black, *others = feedback
    said = [plural(black, "{n} black", "{n} black")]
    said += [plural(white, "{n} white", "{n} white") for white in others[:1]]
    return said + [plural(blue, "{n} blue", "{n} blue") for blue in others[1:]]


def last_peg_fault(rules: Sizes) -> str:
    """Say why one white peg cannot be beside blacks on all others."""
    return Told(
        "{black} black and 1 white cannot be: when all other pegs are in place the last one cannot be elsewhere",
        rules.pegs - 1,
    )

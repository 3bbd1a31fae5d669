"""Judges evaluations, sets of codes and draws for `check` and `valider` alike, and names the commonest mistakes.

An older text of the course has `choices(e, n)`, whose docstring promises a list, and players that join it; elsewhere a
code is a string. One text gives `donner_possibles` the codes *different from* the guess, another all that fit, and the
guess itself is one of them where all is well placed. `docs/do/classroom.md` has the table of these readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from entropeg.told import Told, plural

Marks2: TypeAlias = tuple[int, int]
"""Well placed, misplaced."""

IN_TUPLES = Told("its codes are tuples of letters, where the course has strings: it is judged as it writes them")
"""The note on codes that are tuples throughout."""

Colors: TypeAlias = Sequence[Any]


def right(guess: Colors, secret: Colors) -> Marks2:
    """Return (well placed, misplaced), each peg counted once.

    >>> right((0, 0, 1, 2), (0, 1, 0, 0))
    (1, 2)
    """
    placed = _placed(guess, secret)
    return placed, _shared(guess, secret) - placed


def _placed(guess: Colors, secret: Colors) -> int:
    return sum(mine == other for mine, other in zip(guess, secret, strict=True))


def _shared(guess: Colors, secret: Colors) -> int:
    return sum(min(guess.count(color), secret.count(color)) for color in set(guess))


def _rests(guess: Colors, secret: Colors) -> tuple[list[Any], list[Any]]:
    pairs = [(mine, other) for mine, other in zip(guess, secret, strict=True) if mine != other]
    return [mine for mine, _ in pairs], [other for _, other in pairs]


def _members(guess: Colors, secret: Colors) -> int:
    return sum(color in secret for color in guess)


def _one_pass(guess: Colors, secret: Colors) -> Marks2:
    left, placed, misplaced = list(secret), 0, 0
    for mine, other in zip(guess, secret, strict=True):
        if mine == other:
            placed += 1
        elif mine in left:
            misplaced += 1
        if mine in left:
            left.remove(mine)
    return placed, misplaced


def _pairs(guess: Colors, secret: Colors, *, skip: bool, both: bool) -> int:
    count = 0
    for here, mine in enumerate(guess):
        for there, other in enumerate(secret):
            taken = skip and (mine == secret[here] or (both and guess[there] == other))
            count += here != there and mine == other and not taken
    return count


class Mistake(NamedTuple):
    """A wrong evaluation: under which kind it is found, the sentence that names it, and the function itself."""

    kind: str
    why: str
    evaluate: Callable[[Colors, Colors], Marks2]


def _misplaced(kind: str, why: str, count: Callable[[Colors, Colors], int]) -> Mistake:
    # Well placed is right, misplaced is that.
    return Mistake(kind, why, lambda guess, secret: (_placed(guess, secret), count(guess, secret)))


_USED_UP = Told(
    "a peg counts as misplaced although its color is used up: a color counts as often as it occurs in both codes"
)
_USED_UP_AND_PLACED = Told(
    "a peg counts as misplaced although its color is used up, and pegs that are well placed are counted too"
)
_AGAIN = Told(
    "well placed pegs are set aside, but a color of the others counts again after it is used up: strike it out"
)
_ONE_PASS = Told("misplaced pegs are looked for before all well placed ones are known: these must be set aside first")
_TWICE = Told("one peg is paired with several pegs of the other code: each peg may count only once")
_SETS = Told("sets of colors are compared, and a set forgets how often a color occurs")

MISTAKES = (
    _misplaced(
        "not subtracted",
        Told("pegs that are well placed are counted as misplaced too: they must be taken away"),
        _shared,
    ),
    _misplaced("multiplicity", _USED_UP, lambda g, s: _members(g, s) - _placed(g, s)),
    _misplaced("multiplicity", _USED_UP, lambda g, s: _members(s, g) - _placed(g, s)),
    _misplaced("multiplicity", _USED_UP_AND_PLACED, _members),
    _misplaced("multiplicity", _USED_UP_AND_PLACED, lambda g, s: _members(s, g)),
    _misplaced("multiplicity", _AGAIN, lambda g, s: _members(*_rests(g, s))),
    _misplaced("multiplicity", _AGAIN, lambda g, s: _members(*_rests(s, g))),
    _misplaced("set", _SETS, lambda g, s: len(set(g) & set(s)) - _placed(g, s)),
    _misplaced("set", _SETS, lambda g, s: max(0, len(set(g) & set(s)) - _placed(g, s))),
    _misplaced("set", _SETS, lambda g, s: len(set(g) & set(s))),
    _misplaced("set", _SETS, lambda g, s: len(set(_rests(g, s)[0]) & set(_rests(g, s)[1]))),
    Mistake("one pass", _ONE_PASS, _one_pass),
    Mistake("one pass", _ONE_PASS, lambda g, s: _one_pass(s, g)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=False, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=True, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(s, g, skip=True, both=False)),
    _misplaced("twice", _TWICE, lambda g, s: _pairs(g, s, skip=True, both=True)),
    _misplaced(
        "twice",
        Told("the smaller count of a color is added once for each of its pegs: it must be added once for each color"),
        lambda g, s: sum(min(list(g).count(color), list(s).count(color)) for color in g) - _placed(g, s),
    ),
    _misplaced("no misplaced", Told("misplaced is 0 for every pair of codes"), lambda _g, _s: 0),
    Mistake("last peg", Told("the last peg is never looked at"), lambda g, s: right(g[:-1], s[:-1])),
    Mistake("first peg", Told("the first peg is never looked at"), lambda g, s: right(g[1:], s[1:])),
)
"""In the order in which they are tried: the commonest first."""


def evaluation_mistake(told: Sequence[tuple[Colors, Colors, Marks2]]) -> tuple[str, str]:
    """Return the kind of the mistake by which an evaluation gave such answers, and its name; empty where unknown.

    `told` has a guess, a secret, and the answer.

    >>> kind, why = evaluation_mistake([("RV", "VR", (0, 0)), ("RR", "RV", (1, 0))])
    >>> kind, str(why)
    ('no misplaced', 'misplaced is 0 for every pair of codes')
    """
    if all(marks == right(guess, secret)[::-1] for guess, secret, marks in told):
        return "swapped", Told("well placed and misplaced are exchanged")
    for mistake in MISTAKES:
        if all(marks == mistake.evaluate(guess, secret) for guess, secret, marks in told):
            return mistake.kind, mistake.why
        if all(marks == mistake.evaluate(guess, secret)[::-1] for guess, secret, marks in told):
            return mistake.kind, Told("{why}; well placed and misplaced are exchanged too", mistake.why)
    return "wrong evaluation", ""


# ---------------------------------------------------------------------- sets of codes


class KeptCodes(NamedTuple):
    """What a function kept of some codes for a guess and its evaluation, as `check` and `valider` judge it.

    >>> kept = KeptCodes.of("RV", (1, 0), ["RR", "RV", "VR", "VV"])._replace(after=["RR", "RV"])
    >>> kept.fitting, kept.extra, kept.missing, kept.is_right
    (['RR', 'VV'], ['RV'], ['VV'], False)
    """

    guess: str
    marks: Marks2
    before: Sequence[str]
    fitting: Sequence[str]
    """Those of them that should be kept."""
    after: Sequence[str] = ()

    @classmethod
    def of(cls, guess: str, marks: Marks2, before: Sequence[str]) -> KeptCodes:
        """Say what should be kept of some codes, while nothing is."""
        return cls(guess, marks, before, sorted(code for code in before if right(guess, code) == marks))

    @property
    def extra(self) -> list[str]:
        """The codes that should not have been kept."""
        return sorted({*self.after} - {*self.fitting})

    @property
    def missing(self) -> list[str]:
        """The codes that should have been kept too."""
        return sorted({*self.fitting} - {*self.after})

    @property
    def is_right(self) -> bool:
        """Whether the codes are those that fit; the guess itself may be among them or not, if it fits."""
        return {*self.after} in (fitting := {*self.fitting}, fitting - {self.guess})


class SetMistake(NamedTuple):
    """A wrong choice of codes: the sentence that names it, and whether it keeps a code with some evaluation."""

    why: str
    keeps: Callable[[Marks2, Marks2], bool]
    """Takes the evaluation that was asked for, and that of the code."""


SET_MISTAKES = (
    SetMistake(Told("it keeps the codes that do not fit, and drops those that do"), lambda asked, own: asked != own),
    SetMistake(
        Told("well placed and misplaced are exchanged in its comparison"), lambda asked, own: asked == own[::-1]
    ),
    SetMistake(Told("it compares the number of well placed pegs alone"), lambda asked, own: asked[0] == own[0]),
    SetMistake(Told("it compares the number of misplaced pegs alone"), lambda asked, own: asked[1] == own[1]),
    SetMistake(Told("it compares the sum of both numbers alone"), lambda asked, own: sum(asked) == sum(own)),
    SetMistake(
        Told("it keeps codes of which one number fits: both must"),
        lambda asked, own: asked[0] == own[0] or asked[1] == own[1],
    ),
    SetMistake(
        Told("it keeps codes with at least as many: both numbers must be the same"),
        lambda asked, own: asked[0] <= own[0] and asked[1] <= own[1],
    ),
    SetMistake(Told("it keeps every code"), lambda _asked, _own: True),
    SetMistake(Told("it keeps no code"), lambda _asked, _own: False),
)
"""In the order in which they are tried."""


def set_mistake(turns: Sequence[KeptCodes]) -> str:
    """Return the name of the mistake by which a function kept those codes; empty where it is none that is known.

    The guess itself may be kept or not. On a large board 200 of its codes are looked at.

    >>> codes = ["RR", "RV", "VR", "VV"]
    >>> asked = [(KeptCodes.of("RR", (1, 0), codes), ["VV"]), (KeptCodes.of("RV", (0, 2), codes), ["RR", "VV"])]
    >>> str(set_mistake([each._replace(after=kept) for each, kept in asked]))
    'it keeps the codes that do not fit, and drops those that do'
    """
    looked = [
        (each, code, code in after)
        for each in turns
        for after in [set(each.after)]
        for code in each.before[:: max(1, len(each.before) // 200)]
        if code != each.guess
    ]
    for mistake in SET_MISTAKES:
        if all(kept == mistake.keeps(each.marks, right(each.guess, code)) for each, code, kept in looked):
            return mistake.why
    for wrong in MISTAKES:
        if all(kept == (wrong.evaluate(each.guess, code) == each.marks) for each, code, kept in looked):
            return Told("it evaluates wrongly: {why}", wrong.why)
    return ""


# ---------------------------------------------------------------------- draws


def is_drawn_code(value: object, pegs: int, letters: Iterable[str]) -> bool:
    """Tell whether `choices` may return a value.

    >>> [is_drawn_code(value, 2, "RV") for value in ("RV", ["R", "V"], ("R", "V"), "R", ["RV"], "RB")]
    [True, True, False, False, False, False]
    """
    return isinstance(value, (str, list)) and len(value) == pegs and all(each in [*letters] for each in value)


def draw_mistake(draws: Sequence[str], colors: Colors) -> str:
    """Return the name of the mistake in codes that were drawn; empty where there is none.

    Of 40 codes of three pegs and three colors, or more, chance makes such draws less than once in a million millions.

    >>> str(draw_mistake(["RVB", "BVR", "VRB"] * 20, "RVB"))
    'no color occurs twice in what it draws: each peg must be drawn from all colors'
    >>> str(draw_mistake(["RRV", "VRR", "VVR"] * 20, "RVB"))
    'B, the last color, is never drawn'
    """
    missing = [color for color in colors if not any(color in code for code in draws)]
    if missing == [colors[-1]]:
        return Told("{color}, the last color, is never drawn", missing[0])
    if missing:
        return plural(len(missing), "{colors:list} is never drawn", "{colors:list} are never drawn", colors=missing)
    if all(len(set(code)) == 1 < len(code) for code in draws):
        return Told("all pegs of what it draws have one color: each must be drawn by itself")
    if all(len(set(code)) == len(code) > 1 for code in draws):
        return Told("no color occurs twice in what it draws: each peg must be drawn from all colors")
    return ""

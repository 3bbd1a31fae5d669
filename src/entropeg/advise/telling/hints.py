"""Hints that give away little by little: which colors and which kind of guess, then its shape, then the guess."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from entropeg.advise.advice import Advice
from entropeg.amounts import plural
from entropeg.feedback import Code
from entropeg.rules import Rules

SPELLED = 12
"""The shape of a guess is written out for boards of up to so many pegs."""

NAMED = 3
"""Of the colors that are likely, that are certain, and that cannot be, at most so many are named."""

NOISE = 0.1
"""Colors are told apart by a sample where their chances differ by more."""

TIMES = {2: "twice", 3: "three times", 4: "four times"}


@dataclass(frozen=True)
class Hints:
    """Three hints on the next guess, each of which gives away more than the one before it.

    `nudge` says what is known of the colors and which kind of guess is best, `shape` what the best guess looks like
    without its colors, `guess` what it is and what it does.

    >>> from entropeg.advise import advise
    >>> hints = Hints.of(advise("2x2", limit=1))
    >>> hints.shape
    'A good guess has 1 color only, in the shape of aa.'
    """

    nudge: str
    shape: str
    guess: str

    def __repr__(self) -> str:
        """Show the first hint; the others are for who wants them."""
        return f"<Hints: {self.nudge}>"

    @classmethod
    def of(cls, advice: Advice) -> Hints:
        """Take the hints from advice."""
        return cls(_nudge(advice), _shape(advice), f"{advice.explain()}")

    @property
    def steps(self) -> tuple[str, str, str]:
        """The hints in order."""
        return self.nudge, self.shape, self.guess


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
    # What the codes left say of the colors; nothing where all are alike.
    rules = advice.position.rules
    presence = advice.remaining.marginals().presence
    noise = 1e-9 if advice.remaining.is_complete else NOISE
    if presence.max() - presence.min() < noise or (noise == NOISE and not advice.position.turns):
        return ""
    order = sorted(range(len(presence)), key=lambda color: (-presence[color], color))
    certain = [color for color in order if presence[color] >= 1 - 1e-12]
    absent = [color for color in order if presence[color] <= 1e-12]
    likely = [color for color in order if color not in certain and color not in absent]
    said = []
    if certain:
        said.append(f"{_named(certain, rules)} must be in the code")
    if likely and presence[likely[0]] - presence[likely[-1]] > noise:
        said.append(f"{rules.symbols.symbol(likely[0])} is in it with {_share(presence[likely[0]])}")
    if absent:
        said.append(f"{_named(absent, rules)} cannot be")
    start = "" if advice.remaining.is_complete else "By a sample: "
    return f"{start}{', '.join(said)}." if said else ""


def _named(colors: list[int], rules: Rules) -> str:
    names = [rules.symbols.symbol(color) for color in colors[:NAMED]]
    rest = len(colors) - len(names)
    if rest:
        return f"{', '.join(names)} and {plural(rest, 'other')}"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _share(chance: float) -> str:
    return f"{100 * chance:.0f} %" if 0.01 <= chance < 0.995 else "more than 99 %" if chance > 0.5 else "less than 1 %"


def _shape(advice: Advice) -> str:
    rules, guess = advice.position.rules, advice.best.guess
    thing = "letter" if rules.words is not None else "color"
    counts = Counter(color for color in guess if color < rules.colors)
    only = " only" if len(counts) == 1 < len(guess) else ""
    parts = [f"{plural(len(counts), thing)}{only}"]
    repeated = sorted((number for number in counts.values() if number > 1), reverse=True)
    if len(repeated) == 1 < len(counts):
        parts.append(f"one of them {TIMES.get(repeated[0], f'{repeated[0]} times')}")
    elif len(repeated) > 1:
        parts.append(f"{len(repeated)} of them more than once")
    if len(guess) <= SPELLED:
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
    # The first color is a, the next one b; a hole stays a dot. Small letters: these are no colors.
    letters: dict[int, str] = {rules.colors: "."}
    for color in guess:
        letters.setdefault(color, chr(ord("a") + len(letters) - 1))
    return "".join(letters[color] for color in guess)

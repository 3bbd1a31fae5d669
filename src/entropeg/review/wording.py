"""Puts reviews into words: the account on one line, and for every turn its numbers and a comment.

Sentences say what was seen and what follows from it; whether somebody overlooked something, nobody knows.
"""

from __future__ import annotations

from entropeg.advise.contradicted_rows import Clue
from entropeg.advise.expectation import Expectation
from entropeg.codes import format_code
from entropeg.feedback import Code, format_feedback
from entropeg.review.turns import ROUNDED, TurnReview, is_known
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural, words

COLUMNS = words("column", "", "guess", "feedback", "codes", "mark", "lost", "luck", "so good", "best")
"""Names of the numbers of a turn, in the order of `turn_in_numbers`."""
ALIGNED = "><<><>>><"
"""How they are aligned."""
MINUS = "−"
"""Before numbers below 0."""


def account_line(guesses: int, left: Expectation, par: Expectation, loss: Expectation, *, is_exact: bool) -> str:
    """Write the account of a game: `5 guesses: par 4.34, lost 1.10, good luck +0.44`.

    Each number is rounded to hundredths, and luck so that guesses are par and what was lost, less luck. A game that was
    not won counts the guesses that the best play would still take, `left`. Where some number is a bound there is no
    account, and the line says so.

    >>> def number(value):
    ...     return Expectation.of(float(value))
    >>> account_line(5, number(0), number(4.34), number(1.1), is_exact=True)
    '5 guesses: par 4.34, lost 1.10, good luck +0.44'
    """
    played = plural(guesses, "{n} guess", "{n} guesses")
    if not all(map(is_known, (left, par, loss))):
        return Told("{guesses}, par {par}: what was lost and what was luck, nobody can say", played, par)
    rounded, lost, rest = (round(number.value, 2) + 0.0 for number in (par, loss, left))
    played = Told("{guesses} + {rest:.2f} to come", played, rest) if rest else played
    luck = round(rounded + lost - guesses - rest, 2) + 0.0
    told = (played, rounded, MINUS if lost < 0 else "", abs(lost), _lucky(luck))
    if is_exact:
        return Told("{guesses}: par {par:.2f}, lost {sign}{lost:.2f}, {luck}", *told)
    return Told("{guesses}: par ≈ {par:.2f}, lost ≈ {sign}{lost:.2f}, {luck} (estimates)", *told)


def _lucky(luck: float) -> Told:
    """Write luck with the one sign that it has everywhere: what it saved is good, and more than 0."""
    if luck == 0:
        return Told("luck {luck:.2f}", luck)
    return Told("good luck +{luck:.2f}", luck) if luck > 0 else Told("bad luck −{luck:.2f}", -luck)


def adjusted_line(adjusted: Expectation) -> str:
    """Write the result without luck: `without luck: 5.44 guesses`."""
    if adjusted.is_exact:
        return Told("without luck: {guesses:.2f} guesses", adjusted.value)
    if not is_known(adjusted):
        return Told("without luck: unknown")
    return Told("without luck: about {guesses:.2f} guesses, ± {error:.2f}", adjusted.value, adjusted.error)


def turn_in_numbers(turn: TurnReview, rules: Rules) -> tuple[str, ...]:
    """Write the numbers of a turn, one for each of `COLUMNS`.

    `so good` is how rare an answer at least as good was, where luck was good: `1 in 14`. `best` is empty where the
    guess lost nothing.
    """
    best = "" if turn.loss.value <= ROUNDED else format_code(turn.best[0], rules)
    return (
        str(turn.number),
        format_code(turn.turn.guess, rules),
        format_feedback(turn.turn.feedback),
        codes_in_words(turn),
        turn.mark.told if turn.mark is not None else "",
        hundredths(turn.loss),
        hundredths(turn.luck),
        rarity_in_words(turn),
        best,
    )


def codes_in_words(turn: TurnReview) -> str:
    """Write how many codes were possible before the turn and after it: `208 → 46`."""
    before, after = ("?" if count is None else count for count in (turn.before, turn.after))
    return Told("{before:count} → {after:count}", before, after)


def hundredths(number: Expectation, *, is_signed: bool = False) -> str:
    """Write a number of guesses to hundredths: `.06`, `−.44`, `1.43`; an estimate as `≈.06`, an unknown one as `?`.

    With `is_signed` what is more than 0 has a sign, too: `+.06`.

    >>> hundredths(Expectation.of(-0.4412)), hundredths(Expectation.about(1.2, 0.1)), hundredths(Expectation.of(0.001))
    ('−.44', '≈1.20', '.00')
    """
    if not is_known(number):
        return "?"
    value = round(number.value, 2) + 0.0
    sign = ("" if number.is_exact else "≈") + (MINUS if value < 0 else "+" if is_signed and value > 0 else "")
    if abs(value) < 1:
        # Its value, which no field writes, tells other languages whether it is one guess or several.
        fields = {"sign": sign, "hundredths": f"{abs(value):.2f}".removeprefix("0."), "n": abs(value)}
        return Told.of(Template("{sign}.{hundredths}"), fields)
    return Told("{sign}{number:.2f}", sign, abs(value))


def luck_in_words(luck: Expectation) -> str:
    """Write the luck of an answer with the one sign that luck has everywhere: what it saved is good, and more than 0.

    >>> str(luck_in_words(Expectation.of(0.3))), str(luck_in_words(Expectation.of(-0.05)))
    ('good luck +.30', 'bad luck −.05')
    """
    said = hundredths(luck, is_signed=True)
    if not is_known(luck) or abs(luck.value) < 0.005:
        return Told("luck {luck}", said)
    return Told("good luck {luck}", said) if luck.value > 0 else Told("bad luck {luck}", said)


def rarity_in_words(turn: TurnReview) -> str:
    """Write how rare an answer at least as good was: `1 in 14`; empty where luck was not good, or nobody knows.

    Answers that come more often than one time in two are written in percent.
    """
    # Less than this is written as no luck.
    if turn.rarity is None or turn.luck.value < 0.005:
        return ""
    times = 1 / turn.rarity
    return Told("1 in {times:count}", round(times)) if times >= 2 else Told("{percent:.0f} %", 100 * turn.rarity)


def turn_notes(turn: TurnReview, rules: Rules) -> tuple[str, ...]:
    """Say what there is to say of a turn beside its numbers: few sentences without their points, or none."""
    notes = []
    shown = format_code(turn.turn.guess, rules)
    for clue in turn.clues[:1]:
        others = len(turn.clues) - 1
        said = clue_in_words(clue, turn.turn.guess, rules)
        if others:
            said = plural(others, "{said}; so does {n} other row", "{said}; so do {n} other rows", said)
        notes.append(said)
    if not turn.is_possible and not turn.clues and rules.has_pegs:  # a question is not meant as the secret
        notes.append(Told("the rules allow no secret {code}", shown))
    if turn.before == 1 and not turn.is_possible:
        notes.append(Told("{code} was the only code left", format_code(turn.best[0], rules)))
    elif turn.mark is not None:
        said = _of_possible(turn, shown, rules)
        notes += [said] if said else []
    return tuple(notes)


def clue_in_words(clue: Clue, guess: Code, rules: Rules) -> str:
    """Say which earlier row rules a guess out as the secret, and at which peg it shows."""
    match [peg + 1 for peg in clue.pegs]:
        case []:
            template = Template(
                "row {row} rules {guess} out as the secret: it got {told}, and would have got {would_be}"
            )
        case [_]:
            template = Template(
                "row {row} rules {guess} out as the secret, as peg {pegs:list} shows: it got {told}, and would have "
                "got {would_be}"
            )
        case _:
            template = Template(
                "row {row} rules {guess} out as the secret, as pegs {pegs:list} show: it got {told}, and would have "
                "got {would_be}"
            )
    return Told(
        template,
        row=clue.row + 1,
        guess=format_code(guess, rules),
        pegs=[peg + 1 for peg in clue.pegs],
        told=format_feedback(clue.told),
        would_be=format_feedback(clue.would_be),
    )


def _of_possible(turn: TurnReview, shown: str, rules: Rules) -> str:
    """Compare the guess with the best of the codes that may be the secret, where the guess is none of them."""
    if turn.possible is None or not turn.expected.is_exact or not turn.possible[1].is_exact:
        return ""
    code, expected = turn.possible
    named, gap = format_code(code, rules), turn.expected.value - expected.value
    if not turn.is_possible:
        if gap > ROUNDED:
            return Told("{code}, which may be the secret, takes {gap:.2g} guesses less than {guess}", named, gap, shown)
        if gap > -ROUNDED:
            return Told("{code}, which may be the secret, does as well", named)
        return Told("no code that may be the secret does as well: {code} takes {gap:.2g} guesses more", named, -gap)
    best_gap = expected.value - turn.best[1].value
    if best_gap > ROUNDED:
        best = format_code(turn.best[0], rules)
        return Told(
            "{code} cannot be the secret, and takes {gap:.2g} guesses less than any code that can", best, best_gap
        )
    return ""

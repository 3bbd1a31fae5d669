"""Advice and contradictions as plain data, for JSON and for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import inf, isfinite
from typing import Any

from entropeg.advise.advice import Advice
from entropeg.advise.expectation import Certainty, Expectation
from entropeg.advise.mistakes import Contradiction, Mend
from entropeg.advise.players import PlayerView
from entropeg.advise.rated import RatedGuess
from entropeg.advise.rows import format_row
from entropeg.advise.telling.mending import say_conflict, say_mend, suspicions
from entropeg.codes import format_code
from entropeg.errors import InputError, quoted
from entropeg.feedback import format_feedback
from entropeg.rules import Rules

SHOWN = 10
"""Codes that are listed of those left."""


def advice_data(advice: Advice, *, codes: int = SHOWN) -> dict[str, Any]:
    """Return advice as plain data for `json.dumps`: every number with what it is known to be.

    An expected number is `sign` (=, ≥ or ≈), `value`, null where it is infinite, `error` of an estimate, and `fraction`
    as text where it is known as one.

    >>> from entropeg.advise import advise
    >>> data = advice_data(advise("2x2", limit=1))
    >>> data["left"]["count"], data["value"]["fraction"], data["guesses"][0]["guess"]
    (4, '2', 'AA')
    """
    rules, remaining = advice.position.rules, advice.remaining
    marginals = remaining.marginals()
    names = [rules.symbols.symbol(symbol) for symbol in range(rules.symbols_in_secrets)]
    first = [format_code(code, rules) for code in remaining.codes[:codes]]
    is_more = not remaining.is_complete or len(remaining.codes) > codes
    left = {
        "count": remaining.count,
        "about": remaining.about if isfinite(remaining.about) else None,
        "sample": None if remaining.is_complete else len(remaining.codes),
        "method": remaining.method,
        "codes": first,
        "more": is_more,
    }
    return {
        "rules": str(rules),
        "left": left,
        "value": expectation_data(advice.value),
        "proven": advice.is_proven,
        "keeps_limit": advice.keeps_limit,
        "guesses": [guess_data(guess, rules) for guess in advice.guesses],
        "also": [guess_data(guess, rules) for guess in advice.also],
        "says": [advice.explain(), *(advice.explain(guess) for guess in advice.also)],
        "answers": answers_data(advice.best) if advice.guesses else [],
        "marginals": [{name: float(chance) for name, chance in zip(names, peg, strict=True)} for peg in marginals.pegs],
        "copies": {name: float(copies) for name, copies in zip(names, marginals.expected_copies, strict=True)},
        "presence": {name: float(chance) for name, chance in zip(names, marginals.presence, strict=True)},
        "seconds": advice.seconds,
    }


def guess_data(guess: RatedGuess, rules: Rules) -> dict[str, Any]:
    """Return one guess as plain data."""
    return {
        "guess": format_code(guess.guess, rules),
        "candidate": guess.is_candidate,
        "chance": guess.chance,
        "bits": guess.bits,
        "parts": guess.parts,
        "largest": guess.largest,
        "expected_size": guess.expected_size,
        "expected": expectation_data(guess.expected),
        "loss": expectation_data(guess.loss),
        "sample": guess.sample,
    }


def players_data(views: Iterable[PlayerView], rules: Rules) -> list[dict[str, Any]]:
    """Return what each codebreaker would play as plain data: a `guess` of None has a `reason`."""
    return [
        {"player": view.player, "reason": view.reason}
        | ({"guess": None} if view.rated is None else guess_data(view.rated, rules))
        for view in views
    ]


def answers_data(guess: RatedGuess) -> list[dict[str, Any]]:
    """Return what each answer would leave, the most codes first, with how likely it is."""
    sizes, chances = guess.partition.sizes, guess.partition.chances
    total = max(guess.partition.total, 1)
    order = sorted(sizes, key=lambda feedback: -sizes[feedback])
    return [
        {
            "feedback": format_feedback(feedback),
            "codes": sizes[feedback],
            "chance": sizes[feedback] / total if chances is None else chances[feedback],
        }
        for feedback in order
    ]


def expectation_data(expected: Expectation) -> dict[str, Any]:
    """Return an expected number of guesses as plain data."""
    fraction, is_known = expected.fraction, isfinite(expected.value) and isfinite(expected.error)
    return {
        "sign": expected.knowledge.value,
        "value": expected.value if is_known else None,
        "error": expected.error if is_known else None,
        "fraction": None if fraction is None else str(fraction),
    }


MOST_EXPECTED = 1e9
"""Guesses that an expected number may come to."""

ROUNDED = 0.01
"""By how much of it a number may be rounded beside its fraction."""


def expectation_of(data: Mapping[str, Any]) -> Expectation:
    """Return the number that `expectation_data` wrote; raises InputError where it is none.

    >>> from fractions import Fraction
    >>> str(expectation_of(expectation_data(Expectation.of(Fraction(29, 12)))))
    '= 2.417'
    """
    try:
        return number_of(data)
    except (KeyError, TypeError, ValueError, ArithmeticError):
        raise InputError(
            f"{quoted(dict(data))} is no expected number: it has sign, value, error and fraction"
        ) from None


def number_of(data: Mapping[str, Any]) -> Expectation:
    """Return the expected number in the data, of which nothing is known where it has no value.

    Raises KeyError, TypeError, ValueError or ArithmeticError where the data is none.
    """
    value, error, fraction = data.get("value"), data.get("error"), data.get("fraction")
    knowledge, exact = Certainty(data["sign"]), None if fraction is None else Fraction(fraction)
    if value is None:
        if exact is not None or knowledge is Certainty.exact:
            raise ArithmeticError
        return Expectation(inf, knowledge, inf)
    number, half = float(value), 0.0 if error is None else float(error)
    if not (0 <= half <= MOST_EXPECTED and abs(number) <= MOST_EXPECTED):
        raise ArithmeticError
    if exact is not None and abs(float(exact) - number) > ROUNDED * max(1.0, abs(number)):
        raise ArithmeticError
    return Expectation(number, knowledge, half, exact)


def contradiction_data(told: Contradiction) -> dict[str, Any]:
    """Return what is known of a contradiction as plain data; rows count from 1, as people count them."""
    suspects = [
        {
            "row": suspect.row + 1,
            "probability": suspect.probability,
            "mends": [mend_data(mend) for mend in suspicion.mends],
            "rest": suspicion.rest,
        }
        for suspect, suspicion in zip(told.rows, suspicions(told, rows=len(told.rows)), strict=True)
    ]
    return {
        "says": say_conflict(told),
        "situation": told.situation,
        "proved": told.is_proved,
        "conflicts": [[row + 1 for row in rows] for rows in told.conflicts],
        "mistakes": told.mistakes,
        "rows": suspects,
        "undecided": [row + 1 for row in told.undecided],
    }


def mend_data(mend: Mend) -> dict[str, Any]:
    """Return one way to mend a contradiction as plain data."""
    notes = mend.notes
    return {
        "says": say_mend(mend),
        "kinds": [slip.kind.value for slip in mend.slips],
        "changes": [row + 1 for row in mend.rows],
        "codes": mend.codes,
        "exact": mend.is_exact,
        "probability": mend.probability,
        "rows": [format_row(row, notes.rules) for row in notes.rows],
    }

"""Numbers of puzzles: the same secret for everyone who plays a number, and one number for each day."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.rules import Blanks, Rules

DAILY_RULES = "4x6/limit=10"
"""The board of the daily puzzle."""

FIRST_DAY = date(2026, 1, 1)
"""Of puzzle 1."""

OWN_FROM = date(2026, 11, 26)
"""The first day whose puzzle a public server draws by its key; earlier ones keep the seed that all can work out."""


FEWEST = 100_000
"""The least number that is drawn: those that are have six digits, and those of days stay below for 270 years."""

MOST = 1 << 40
"""The largest number that is taken; links of earlier versions have such numbers."""

SECRETS = 2
"""How the secret of a number is drawn; links name it. 1: by NumPy's generator, which the laboratory alone has."""


def seed_of(rules: Rules | str, number: int) -> int:
    """Return the seed of a numbered puzzle, 48 bits of the SHA-256 of its rules and number.

    With it `entropeg.play` plays the same game as the page, but for honest codemakers of `SECRETS` 2 and later.

    >>> seed_of("4x6/limit=10", 1)
    261229026779501
    """
    return _drawn(f"entropeg {Rules.of(rules)} #{number}")


def _drawn(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big")


def secret_of(rules: Rules | str, number: int) -> Code | None:
    """Return the secret of a number, the same in Python and JavaScript: one peg after the other, or one word.

    Of 48 bits of the SHA-256 of `entropeg 2 RULES #NUMBER PEG` the rest modulo the number of colors that may stand
    there; of words PEG is 1, and the rest that modulo their number. None where secrets are not equally likely, or not
    by pegs: where rules have a prior, or blanks in secrets without repeats. They are drawn by `seed_of`.

    >>> secret_of("4x6/limit=10", 1)
    (4, 1, 4, 0)
    """
    rules = Rules.of(rules)
    if rules.prior is not None or (rules.blanks == Blanks.both and not rules.repeats):
        return None
    begins = f"entropeg {SECRETS} {rules} #{number}"
    if rules.words is not None:
        return rules.words.codes[_drawn(f"{begins} 1") % rules.secret_count]
    colors = list(range(rules.symbols_in_secrets))
    places = (_drawn(f"{begins} {peg}") for peg in range(1, rules.pegs + 1))
    if rules.repeats:
        return tuple(place % len(colors) for place in places)
    return tuple(colors.pop(place % len(colors)) for place in places)


def draw_number() -> int:
    """Draw the number of a puzzle, from 100,000 to 999,999."""
    return FEWEST + secrets.randbelow(9 * FEWEST)


def today() -> date:
    """Return the date in Greenwich."""
    return datetime.now(UTC).date()


def daily_number(day: date, now: date | None = None) -> int:
    """Return the number of a day's puzzle; raises InputError before the first, and after tomorrow.

    Tomorrow's is given already since it has begun where clocks are ahead of Greenwich.

    >>> daily_number(date(2026, 1, 31))
    31
    """
    now = now or today()
    if day < FIRST_DAY:
        raise InputError("the first daily puzzle is that of {day}", FIRST_DAY)
    if day > now + timedelta(days=1):
        raise InputError("the puzzle of {day} is not out yet: today's is that of {today}", day, now)
    return (day - FIRST_DAY).days + 1


def day_of(number: int) -> date:
    """Return the day of a daily puzzle.

    >>> str(day_of(31))
    '2026-01-31'
    """
    return FIRST_DAY + timedelta(days=number - 1)


def check_number(rules: Rules, number: int, now: date | None = None) -> None:
    """Raise InputError for the number of a daily puzzle that is not out yet, and for one that is none."""
    if not 1 <= number <= MOST:
        raise InputError("the number of a puzzle is from 1 to {most}", MOST)
    if rules == Rules.parse(DAILY_RULES) and number < FEWEST:
        daily_number(day_of(number), now)

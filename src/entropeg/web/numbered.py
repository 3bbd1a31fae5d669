"""Numbers of puzzles: the same secret for everyone who plays a number, and one number for each day."""

from __future__ import annotations

import secrets
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from hashlib import sha256

from entropeg.errors import InputError
from entropeg.rules import Rules

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


def seed_of(rules: Rules | str, number: int) -> int:
    """Return the seed of a numbered puzzle, 48 bits of the SHA-256 of its rules and number.

    With it `entropeg.play` plays the same game as the page.

    >>> seed_of("4x6/limit=10", 1)
    261229026779501
    """
    return _seed(str(Rules.of(rules)), number)


def _seed(rules: str, number: int) -> int:
    digest = sha256(b"entropeg %s #%d" % (rules.encode(), number)).digest()
    return int.from_bytes(digest[:6], "big")


def is_to_come(seed: int, now: date | None = None) -> bool:
    """Tell whether the seed is that of the puzzle of a day which is not over everywhere, or of one of the next years.

    >>> is_to_come(seed_of(DAILY_RULES, 1)), is_to_come(seed_of(DAILY_RULES, 2000))
    (False, True)
    """
    return seed in _to_come((now or today()) - timedelta(days=1))


@lru_cache(maxsize=2)
def _to_come(first: date) -> frozenset[int]:
    rules, number = str(Rules.parse(DAILY_RULES)), (first - FIRST_DAY).days + 1
    # The seeds of the next ten years are not played on request; they are worked out within 10 ms.
    return frozenset(_seed(rules, each) for each in range(number, number + 4_000))


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

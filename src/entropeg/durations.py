"""Writes durations as people read them: measured ones with a unit, rough ones in words."""

from __future__ import annotations

from entropeg.told import Template, Told, plural


def duration(seconds: float, digits: int = 3, *, fancy: bool = True) -> Told:
    """Write a measured duration with a number of digits and the unit that suits it; `us` for µs if not `fancy`.

    >>> duration(0.0000123), duration(0.25), duration(75), duration(0.00031, digits=2)
    ('12.3 µs', '250 ms', '75 s', '310 µs')
    """
    seconds = float(f"{seconds:.{digits}g}")
    units = (
        (Template("{number:,.12g} s"), 1.0),
        (Template("{number:,.12g} ms"), 1e-3),
        (Template("{number:,.12g} µs") if fancy else Template("{number:,.12g} us"), 1e-6),
        (Template("{number:,.12g} ns"), 1e-9),
    )
    template, size = next((pair for pair in units if seconds >= pair[1]), units[-1])
    return Told(template, float(f"{seconds / size:.{digits}g}"))


def rough_duration(seconds: float) -> Told:
    """Write a duration that is known by its order of magnitude only, in words.

    >>> rough_duration(40), rough_duration(7000), rough_duration(4e9)
    ('40 seconds', '2 hours', '100 years')
    """
    unit = next((each for each in (31_557_600, 86_400, 3600, 60) if seconds >= each), 1)
    number = float(f"{seconds / unit:.1g}")
    match unit:
        case 31_557_600:
            if number >= 1e6:
                return Told("{number:.0e} years", number)
            return plural(round(number), "{n} year", "{n} years")
        case 86_400:
            return plural(round(number), "{n} day", "{n} days")
        case 3600:
            return plural(round(number), "{n} hour", "{n} hours")
        case 60:
            return plural(round(number), "{n} minute", "{n} minutes")
    return plural(round(number), "{n} second", "{n} seconds")

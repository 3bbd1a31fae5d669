"""Writes amounts: durations."""

from __future__ import annotations


def duration(seconds: float, digits: int = 3, *, fancy: bool = True) -> str:
    """Write a measured duration with a number of digits and the unit that suits it; `us` for µs if not `fancy`.

    >>> duration(0.0000123), duration(0.25), duration(75), duration(0.00031, digits=2)
    ('12.3 µs', '250 ms', '75 s', '310 µs')
    """
    seconds = float(f"{seconds:.{digits}g}")
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    unit, size = next((pair for pair in units if seconds >= pair[1]), units[-1])
    number = float(f"{seconds / size:.{digits}g}")
    return f"{number:,.12g} {unit if fancy else unit.replace('µ', 'u')}"


def rough_duration(seconds: float) -> str:
    """Write a duration that is known by its order of magnitude only, in words.

    >>> rough_duration(40), rough_duration(7000), rough_duration(4e9)
    ('40 seconds', '2 hours', '100 years')
    """
    units = (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1))
    name, unit = next((pair for pair in units if seconds >= pair[1]), units[-1])
    number = float(f"{seconds / unit:.1g}")
    if number >= 1e6:
        return f"{number:.0e} {name}s"
    return f"{number:,.0f} {name}{'' if number == 1 else 's'}"

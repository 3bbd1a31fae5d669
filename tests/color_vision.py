"""Colors as people see them: CIEDE2000 distances, contrast, and three kinds of color blindness, written to be read."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import TypeAlias

Triple: TypeAlias = tuple[float, float, float]

BLINDNESS: dict[str, tuple[Triple, Triple, Triple]] = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What linear red, green and blue become at severity 1.

G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A Physiologically-based Model for Simulation of Color Vision
Deficiency, 2009, table of matrices.
"""

WHITE: Triple = (0.95047, 1.0, 1.08883)
"""XYZ of daylight D65, on which sRGB rests."""


def linear(rgb: tuple[int, int, int]) -> Triple:
    """Undo the gamma of sRGB."""
    red, green, blue = (
        channel / 255 / 12.92 if channel / 255 <= 0.04045 else ((channel / 255 + 0.055) / 1.055) ** 2.4
        for channel in rgb
    )
    return red, green, blue


def times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    """Multiply a matrix and a vector."""
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def seen(rgb: tuple[int, int, int], blindness: str) -> Triple:
    """CIELAB of a color as someone with that color blindness sees it."""
    red, green, blue = (min(1.0, max(0.0, channel)) for channel in times(BLINDNESS[blindness], linear(rgb)))
    x = 0.4124564 * red + 0.3575761 * green + 0.1804375 * blue
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = 0.0193339 * red + 0.1191920 * green + 0.9503041 * blue
    fx, fy, fz = (_root(value / white) for value, white in zip((x, y, z), WHITE, strict=True))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def _root(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29


def ciede2000(one: Triple, other: Triple) -> float:
    """Distance of two colors in CIELAB.

    G. Sharma, W. Wu, E. N. Dalal, The CIEDE2000 Color-Difference Formula, 2005, equations 2 to 22.
    """
    (light1, a1, b1), (light2, a2, b2) = one, other
    mean_chroma = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean_chroma**7 / (mean_chroma**7 + 25**7)))
    chroma1, chroma2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    hue1, hue2 = _hue(stretch * a1, b1), _hue(stretch * a2, b2)

    turn = 0.0
    mean_hue = hue1 + hue2
    if chroma1 * chroma2:
        turn = (hue2 - hue1 + 180) % 360 - 180
        mean_hue = mean_hue / 2
        if abs(hue1 - hue2) > 180:
            mean_hue += 180 if hue1 + hue2 < 360 else -180
    d_light, d_chroma = light2 - light1, chroma2 - chroma1
    d_hue = 2 * sqrt(chroma1 * chroma2) * sin(radians(turn / 2))

    light, chroma = (light1 + light2) / 2, (chroma1 + chroma2) / 2
    wave = (
        1
        - 0.17 * cos(radians(mean_hue - 30))
        + 0.24 * cos(radians(2 * mean_hue))
        + 0.32 * cos(radians(3 * mean_hue + 6))
        - 0.20 * cos(radians(4 * mean_hue - 63))
    )
    s_light = 1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2)
    s_chroma, s_hue = 1 + 0.045 * chroma, 1 + 0.015 * chroma * wave
    tilt = -2 * sqrt(chroma**7 / (chroma**7 + 25**7)) * sin(radians(60 * exp(-(((mean_hue - 275) / 25) ** 2))))
    by_light, by_chroma, by_hue = d_light / s_light, d_chroma / s_chroma, d_hue / s_hue
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + tilt * by_chroma * by_hue)


def _hue(a: float, b: float) -> float:
    return degrees(atan2(b, a)) % 360 if a or b else 0.0


def nearest(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Distance of two colors for those who tell them apart worst."""
    return min(ciede2000(seen(one, blindness), seen(other, blindness)) for blindness in BLINDNESS)

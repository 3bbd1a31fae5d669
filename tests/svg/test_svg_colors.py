"""Pegs are told apart by everyone: colors far enough apart for the color-blind, or another outline, or another text."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from color_vision import BLINDNESS, ciede2000, nearest, seen
from entropeg.rules import Rules
from entropeg.svg.frame import BAR, DARK, LIGHT, STYLE
from entropeg.svg.outlines import OUTLINES, outline_of
from entropeg.svg.palette import EIGHT, MANY, NAMED, SIX, TEN, contrast, hexadecimal, ink, palette_of, peg_color

FAR = 10.0
"""CIEDE2000 distance at which two colors are told apart at a glance."""


# ------------------------------------------------------------------ the measure itself


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 3.1571, -77.2803), (50, 0, -82.7485), 2.8615),
        ((50, 2.8361, -74.0200), (50, 0, -82.7485), 3.4412),
        ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
        ((50, -0.001, 2.49), (50, 0.0009, -2.49), 4.8045),
        ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((50, 2.5, 0), (56, -27, -3), 31.9030),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_of_the_published_pairs(
    one: tuple[float, float, float], other: tuple[float, float, float], distance: float
) -> None:
    # Sharma, Wu and Dalal 2005, table 1.
    assert ciede2000(one, other) == pytest.approx(distance, abs=5e-5)
    assert ciede2000(other, one) == pytest.approx(distance, abs=5e-5)


def test_white_and_black_look_the_same_to_everyone() -> None:
    for blindness in BLINDNESS:
        assert (100, 0, 0) == pytest.approx(seen((255, 255, 255), blindness), abs=0.02)
        assert (0, 0, 0) == pytest.approx(seen((0, 0, 0), blindness), abs=0.02)


def test_red_and_green_are_near_without_red_or_green_cones_only() -> None:
    red, green = (150, 90, 40), (95, 105, 40)

    assert ciede2000(seen(red, "none"), seen(green, "none")) > 25
    assert ciede2000(seen(red, "deuteranopia"), seen(green, "deuteranopia")) < 8


# ------------------------------------------------------------------ pegs


BOARDS = [
    *(f"4x{colors}" for colors in range(1, 27)),
    *(f"4x{colors}/names" for colors in range(1, 25)),
    "4x8/course",
    *(f"4x{colors * shapes}/shapes={shapes}" for colors in (1, 5, 6, 7, 8, 10) for shapes in (1, 5, 8)),
]


@pytest.mark.parametrize("text", BOARDS)
def test_two_pegs_of_a_board_differ_by_outline_or_by_a_color_that_the_color_blind_see(text: str) -> None:
    rules = Rules.parse(text)
    alike = [
        (one, other)
        for one, other in combinations(range(rules.colors), 2)
        if outline_of(one, rules) == outline_of(other, rules)
        and nearest(peg_color(one, rules), peg_color(other, rules)) < FAR
    ]

    assert [] == alike


@pytest.mark.parametrize("text", ["4x27", "4x1000", "4x60/numbers", "4x27/shapes=9", "4x60/shapes=5"])
def test_past_the_palettes_pegs_are_told_by_what_is_written(text: str) -> None:
    symbols = Rules.parse(text).symbols.symbols

    assert len(symbols) == len(set(symbols))


def test_up_to_eight_colors_each_has_its_own_outline() -> None:
    rules = Rules.parse("4x8")

    assert 8 == len({outline_of(color, rules).name for color in range(8)}) == len(OUTLINES)


def test_palettes_are_those_of_matplotlib() -> None:
    colors = pytest.importorskip("matplotlib.colors")
    sequences = pytest.importorskip("matplotlib").color_sequences

    for palette in (SIX, EIGHT, TEN):
        name = f"petroff{len(palette)}"
        if name in sequences:  # six and eight came later than ten
            assert [colors.to_hex(color) for color in sequences[name]] == [hexadecimal(color) for color in palette]


def test_a_board_takes_the_smallest_palette_with_enough_colors() -> None:
    sizes = [len(palette_of(colors)) for colors in range(1, 40)]

    assert [6] * 6 + [8] * 2 + [10] * 2 + [26] * 29 == sizes


# ------------------------------------------------------------------ contrast


def rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = (int(text[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_outlines_have_a_contrast_of_three_and_text_of_four_and_a_half(colors: dict[str, str]) -> None:
    paper = rgb(colors["paper"])

    assert contrast(rgb(colors["outline"]), paper) >= 3
    assert contrast(rgb(BAR), paper) >= 3
    assert contrast(rgb(colors["ink"]), paper) >= 4.5
    assert contrast(rgb(colors["muted"]), paper) >= 4.5


def test_letters_can_be_read_on_every_peg() -> None:
    for color in [*SIX, *EIGHT, *TEN, *MANY, *NAMED.values()]:
        assert contrast(ink(color), color) >= 4.5


def test_marks_can_be_told_from_their_tiles() -> None:
    signs = [("#1a7f37", "#ffffff"), ("#f2cc60", "#1f2328"), ("#6e7781", "#ffffff")]

    assert all(f"fill:{tile}" in STYLE for tile, _ in signs)
    assert min(contrast(rgb(tile), rgb(sign)) for tile, sign in signs) >= 4.5


def test_every_outline_is_closed_and_about_as_large_as_the_others() -> None:
    areas = {}
    for outline in OUTLINES[1:]:
        corners = [*outline.corners, outline.corners[0]]
        areas[outline.name] = abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise(corners))) / 2

    assert 2.0 <= min(areas.values())
    assert max(areas.values()) <= 3.2

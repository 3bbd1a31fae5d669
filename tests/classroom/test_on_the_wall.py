"""The page of a tournament on a wall, in a browser: all of it is seen at once, in large letters; and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser import PHONE, Size, Visitor, axe
from entropeg.chosen_language import speaking
from entropeg.classroom.series import Series
from entropeg.classroom.tournament.live_page import live_page
from entropeg.classroom.tournament.playing import Tournament
from entropeg.classroom.tournament.rounds import TournamentStanding, Watched
from entropeg.classroom.tournament.tournament_page import tournament_page
from entropeg.rules import Rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BOARD = Rules.parse("4x8/course")
WALLS: tuple[Size, ...] = ((1920, 1080), (2560, 1440), (1280, 720), (1600, 1200))


def a_tournament(players: int, name: str) -> Tournament:
    """Eight codebreakers and eight codemakers, or as many, each named by a number and a name that all share."""
    sides = [f"{number:02}{name}/{role}2.py" for role in ("codebreaker", "codemaker") for number in range(players)]
    series = [
        Series(BOARD, breaker, maker, 0, 4, [0, 1, 2, 3], [5 + (place + turn) % 4 for turn in range(4)])
        for breaker in sides[:players]
        for place, maker in enumerate(sides[players:])
    ]
    return Tournament(BOARD, 4, 0, series, planned=4 * players * players)


def shown(players: int = 8, name: str = "dupont", turns: int = 12, *, is_live: bool = True) -> str:
    found = a_tournament(players, name)
    pair = f"{found.series[0].codebreaker} against {found.series[0].codemaker}"
    game = [[(0, 1, 2, 3), (1, 2)], [(7, 6, 5, 4), (0, 0)]] * (turns // 2)
    watched = Watched(found.series[0].codebreaker, found.series[0].codemaker, 7, game)
    return live_page(found, TournamentStanding(pair, 200, 800, watched), watched, turns, is_live=is_live)


@pytest.fixture
def wall(browser: Browser, tmp_path: Path) -> Iterator[Visitor]:
    """A visitor of files in a folder, who asks nothing of any server."""
    visitor = Visitor(browser, tmp_path.as_uri())
    yield visitor
    assert visitor.complaints == []


def opened(wall: Visitor, text: str, size: Size, *, dark: bool = False) -> Page:
    path = Path(wall.address.removeprefix("file://")) / "wall.html"
    path.write_text(text, encoding="utf-8")
    return wall.open(path.as_uri(), size=size, scheme="dark" if dark else "light", reduced_motion=True)


def beyond(page: Page) -> tuple[int, int]:
    """How many pixels of a page are not seen, across and down."""
    sizes = "all => [all.scrollWidth - innerWidth, all.scrollHeight - innerHeight]"
    across, down = page.locator("html").evaluate(sizes)
    return max(0, across), max(0, down)


@pytest.mark.parametrize("size", WALLS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_whole_page_is_seen_at_once_in_letters_that_the_last_row_reads(
    wall: Visitor, size: Size, language: str
) -> None:
    with speaking(language):
        page = opened(wall, shown(is_live=False), size)
    letters = page.locator(".hall td, .hall th, header p, .game h2").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )

    assert (0, 0) == beyond(page)
    assert min(letters) >= size[1] / 40
    assert 12 == page.locator(".hall tbody tr").count()


@pytest.mark.parametrize("name", ["d", "_dupont_martin_and_durand_of_the_second_year", "_" + "x" * 90])
def test_long_names_take_smaller_letters_and_no_second_line(wall: Visitor, name: str) -> None:
    page = opened(wall, shown(name=name, turns=4, is_live=False), (1920, 1080))
    heights = page.locator(".hall tbody tr").evaluate_all("all => all.map(each => each.offsetHeight)")

    assert (0, 0) == beyond(page)
    assert max(heights) < 60  # of 28 pixels a line


@pytest.mark.parametrize("dark", [False, True])
def test_the_page_is_read_on_a_phone_and_keeps_nobody_out(wall: Visitor, *, dark: bool) -> None:
    for text in (shown(is_live=False), tournament_page(a_tournament(3, "dupont"), on_wall=True)):
        page = opened(wall, text, PHONE, dark=dark)

        assert beyond(page)[0] == 0
        assert axe(page) == []


def test_a_page_that_is_live_loads_itself_again(wall: Visitor) -> None:
    page = opened(wall, shown(turns=2), (1920, 1080))
    file = Path(wall.address.removeprefix("file://")) / "wall.html"
    file.write_text(tournament_page(a_tournament(3, "dupont"), on_wall=True), encoding="utf-8")
    page.get_by_text("Codemakers, most guesses first").wait_for()

    assert "refresh" not in page.content()

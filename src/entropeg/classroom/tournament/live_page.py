"""Writes the page of a tournament while it is played: for a wall, in letters that the last row reads.

When the tournament is over, the page of its ranking takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from html import escape
from math import isnan, log
from pathlib import Path

from entropeg import plots
from entropeg.chosen_language import spoken_language
from entropeg.classroom.live_file import AGAIN, SECONDS, LiveFile
from entropeg.classroom.players import path_of
from entropeg.classroom.project_page import interval_text, said
from entropeg.classroom.tournament.playing import Tournament
from entropeg.classroom.tournament.ranking import Place
from entropeg.classroom.tournament.rounds import TournamentStanding, Watched
from entropeg.classroom.tournament.tournament_page import Names, broken, names_of, rank_text, style
from entropeg.report.page import whole_page
from entropeg.rules import Rules
from entropeg.svg.board import draw_board
from entropeg.told import Told, plural, word, words

LONGEST = 12
"""Turns of a game that is shown: longer ones are those of chance, and fill no wall."""

ROWS = 6
"""Players of a role that are shown: more would be too small for the last row."""


class LivePage(LiveFile):
    """The page of a tournament that is being played."""

    def __init__(self, path: str | Path, rules: Rules, *, every: float = SECONDS) -> None:
        """Write the page before the first game; raises InputError where it cannot be written."""
        self._watched: Watched | None = None
        self._newest: Watched | None = None
        self._shown = 0
        self._last = Tournament(rules, 0, 0), TournamentStanding("", 0, 0)
        super().__init__(path, every=every)

    def put(self, now: Callable[[], Tournament], standing: TournamentStanding) -> None:
        """Write the page where it is time to; a page that cannot be written stops no tournament."""
        self._newest = standing.watched or self._newest
        if self.is_due:
            self._last = now(), standing
            self._go_on()
            self.write()

    def _go_on(self) -> None:
        # One turn more of the game that is watched; when it has been shown to its end for a while, the newest begins.
        self._shown += 1
        is_over = self._watched is None or self._shown > len(self._watched.turns) + 1
        if is_over and self._newest is not None and len(self._newest.turns) <= LONGEST:
            self._watched, self._shown = self._newest, 1

    def page(self, *, is_live: bool) -> str:
        """Return the page as it is now."""
        return live_page(*self._last, self._watched, self._shown, is_live=is_live)


def live_page(
    tournament: Tournament, standing: TournamentStanding, watched: Watched | None, shown: int, *, is_live: bool = True
) -> str:
    """Return the page: both rankings, the pairing that is on, and the first turns (`shown`) of a game to watch.

    It loads itself again while it `is_live`.
    """
    names = names_of(tournament)
    counted = Told("{done:,} of {total:,} games", standing.done, standing.total)
    if not standing.total:
        counted = plural(standing.done, "{n:,} game", "{n:,} games")
    lines = [Told("{rules}, {games}, at {time}", tournament.rules, counted, f"{datetime.now():%H:%M:%S}")]  # noqa: DTZ005 (the clock on the wall)
    lines += [Told("Now: {pair}", names.within(standing.pair))] if standing.pair and is_live else []
    lines += [] if is_live else [Told("It was stopped.")]
    head = "".join(f"<p>{broken(said(line))}</p>" for line in lines)
    ranked = _ranked(word("heading", "Codebreakers"), tournament.codebreakers, names)
    ranked += _ranked(word("heading", "Codemakers"), tournament.codemakers, names)
    body = (
        f'<header><h1>{escape(said(Told("Tournament")))}</h1>{head}</header><main class="hall"><div>{ranked}</div>'
        f'<div class="game">{_game(tournament.rules, watched, shown, names)}</div></main>'
    )
    again = AGAIN if is_live else ""
    return whole_page(
        said(Told("A tournament of the course")), body, again + style("wall", "live"), language=spoken_language()
    )


def _ranked(title: str, places: Sequence[Place], names: Names) -> str:
    heads = words("heading", "Rank", "Player", "Mean", "95 % interval")
    rank, player, mean, interval = (escape(said(each)) for each in heads)
    head = "".join(f"<th>{each}</th>" for each in (rank, player, mean, interval))
    # A name stands on one line, in smaller letters where it is long: two lines a player would not fit on a wall.
    longest = max((len(names[place.player]) for place in places[:ROWS]), default=1)
    known = [place.interval for place in places[:ROWS] if place.interval is not None]
    ends = min((low for low, _ in known), default=1.0), max((high for _, high in known), default=1.0)
    rows = "".join(
        f'<tr><td data-label="{rank}">{rank_text(place)}</td>'
        f'<th scope="row">{escape(names[place.player])}</th>'
        f'<td class="number" data-label="{mean}">'
        f"{'–' if isnan(place.mean) else escape(said(plots.number(place.mean)))}</td>"
        f'<td class="interval">{_bar(place, ends)}</td></tr>'
        for place in places[:ROWS]
    )
    more = f"<p>{escape(said(Told('and {count:,} more', len(places) - ROWS)))}</p>" if len(places) > ROWS else ""
    section = f"<section><h2>{escape(said(title))}</h2>"
    table = f'<table style="--longest: {longest}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    return f"{section}{table}{more}</section>"


def _bar(place: Place, ends: tuple[float, float]) -> str:
    # The interval and the mean in it, on one logarithmic scale for all: random players stand beside good ones.
    if place.interval is None:
        return "–"
    low, high = log(ends[0]), max(log(ends[1]), log(ends[0]) + 1e-9)
    left, right, mean = (100 * (log(each) - low) / (high - low) for each in (*place.interval, max(1.0, place.mean)))
    label = escape(said(interval_text(place.interval)))
    return (
        f'<svg viewBox="0 0 101 10" preserveAspectRatio="none" role="img" aria-label="{label}">'
        f'<rect x="{left:.2f}" y="2" width="{max(0.5, right - left):.2f}" height="6"/>'
        f'<rect x="{mean:.2f}" y="0" width="1" height="10"/></svg>'
    )


def _game(rules: Rules, watched: Watched | None, shown: int, names: Names) -> str:
    if watched is None:
        return f"<p>{escape(said(Told('A game is shown here as soon as one is over.')))}</p>"
    players = names[path_of(watched.codebreaker)], names[path_of(watched.codemaker)]
    turns = [(tuple(guess), feedback) for guess, feedback in watched.turns[:shown]]
    heading = Told("{codebreaker} against {codemaker}", *players)
    title = said(Told("Game {number}: {players}", watched.number + 1, heading))
    picture = draw_board(rules, turns, "", is_open=shown < len(watched.turns))
    return f"<h2>{escape(title)}</h2>{picture}"

"""Writes a tournament as text, and as one HTML page that needs no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import isnan
from os.path import commonpath
from pathlib import Path

from entropeg import plots
from entropeg.classroom.players import path_of
from entropeg.classroom.project_page import html_table, interval_text
from entropeg.classroom.series import Series
from entropeg.classroom.tournament.playing import Tournament, is_partial
from entropeg.classroom.tournament.ranking import Place
from entropeg.errors import printable
from entropeg.report.page import whole_page
from entropeg.told import Told, plural


class Names:
    """How players are named: modules by their paths below the folder that all of them share."""

    def __init__(self, players: Iterable[str]) -> None:
        """Find what the paths of the modules share."""
        paths = [path for path in map(path_of, players) if path.endswith(".py") and not path.startswith("cmd:")]
        absolute = [str(Path(path).absolute().parent) for path in paths]
        self.folder = commonpath(absolute) if absolute else ""
        self._known = {path: str(Path(path).absolute().relative_to(self.folder)) for path in paths}

    def __getitem__(self, player: str) -> str:
        """Return how a player is named."""
        path = path_of(player)
        return printable(self._known.get(path, path))

    def within(self, sentence: str) -> str:
        """Return a sentence in which modules are named so."""
        for path, name in sorted(self._known.items(), key=lambda each: -len(each[0])):
            sentence = sentence.replace(path, name)
        return printable(sentence)


def names_of(tournament: Tournament) -> Names:
    """Return how the players of a tournament are named."""
    absent = [fault.player for fault in tournament.absent]
    return Names([*(name for each in tournament.series for name in (each.codebreaker, each.codemaker)), *absent])


def summary(tournament: Tournament) -> str:
    """Say how many of the planned games were played."""
    count, games = (
        plural(len(tournament.series), Told("{n} pair"), Told("{n} pairs")),
        Told("{played:,} of {planned:,} games", tournament.played, tournament.planned),
    )
    told = Told(
        "{count} on {rules}, up to {games} each: {games2} played",
        count,
        tournament.rules,
        plural(tournament.games, "{n} game", "{n} games"),
        games,
    )
    return Told("{told}, then its time was over", told) if tournament.is_late else told


RANKED = Told("Players of one rank do not differ beyond chance from the first of them.")


def tournament_text(tournament: Tournament) -> str:
    """Write both rankings, and what went wrong."""
    names = names_of(tournament)
    lines = [summary(tournament)]
    lines += [Told("modules in {printable}", printable(names.folder))] if names.folder else []
    for title, places in (("codebreakers", tournament.codebreakers), ("codemakers", tournament.codemakers)):
        lines.append(f"\n{title}")
        lines += [f"{'–' if place.rank is None else place.rank:>3}  {place_text(place, names)}" for place in places]
        if len({place.rank for place in places}) < len(places):
            lines.append(f"     {RANKED}")
    wrong = what_went_wrong(tournament)
    lines += [Told("\nwhat went wrong"), *(f"- {sentence}" for sentence in wrong)] if wrong else []
    return "\n".join(lines)


def what_went_wrong(tournament: Tournament) -> list[str]:
    """Give sentences: on folders left out, players absent or set aside, and faults with their counts."""
    names, aside = names_of(tournament), tournament.set_aside
    told = list(tournament.notes)
    for name, fault in aside.items():
        more = (
            Told("mend this first")
            if fault.is_no_start
            else Told("larger limits, or a smaller board, would let it play")
        )
        if is_partial(fault):
            more = Told("a codemaker0 may count well placed pegs alone, which codebreakers here do not know")
        told.append(
            Told(
                "{name} finished no game and was set aside after its first opponent ({text}): {more}",
                name,
                fault.text,
                more,
            )
        )
    told += [fault.sentence for fault in tournament.absent]
    counts: dict[tuple[str, str, int | None, str], list[str]] = {}
    for fault in (fault for series in tournament.series for fault in series.faults):
        if fault.player not in aside:
            counts.setdefault((fault.player, fault.file, fault.line, fault.kind), []).append(fault.sentence)
    told += [
        each[0] if len(each) == 1 else Told("{each} ({each2} times, this is the first)", each[0], len(each))
        for each in counts.values()
    ]
    return [names.within(sentence) for sentence in dict.fromkeys(told)]


def place_text(place: Place, names: Names) -> str:
    """Write one line of a ranking."""
    name, spoiled = names[place.player], Told(", spoiled {spoiled}", place.spoiled) if place.spoiled else ""
    if isnan(place.mean):
        return Told("{name}: no game finished{spoiled}", name, spoiled)
    played = Told(
        "{games} against {opponents}",
        plural(place.games, "{n} game", "{n} games"),
        plural(place.opponents, "{n} opponent", "{n} opponents"),
    )
    return f"{plots.number(place.mean)}{interval_text(place.interval)}  {name}: {played}{spoiled}"


# -------------------------------------------------------------------- the page


def tournament_page(tournament: Tournament) -> str:
    """Return the page of a tournament: at most what fits is shown, the rest opens on demand."""
    names = names_of(tournament)
    said = Told("A player’s mean is the mean of its means against each opponent, with its 95 % interval.")
    lead = f"{summary(tournament)}. {said}"
    unit = Told("Games of one number have the same secrets and draws, and count as one. {ranked}", RANKED)
    folder = Told("<p>Modules in <code>{escape}</code></p>", escape(printable(names.folder))) if names.folder else ""
    sections = [f"<header><h1>Tournament</h1><p>{escape(lead)}</p><p>{escape(unit)}</p>{folder}</header>"]
    heads = ("Player", "Rank", "Opponents", "Mean", Told("95 % interval"), "Games", "Spoiled")
    breakers, makers = tournament.codebreakers, tournament.codemakers
    sections.append(html_table(Told("Codebreakers, fewest guesses first"), heads, _rows(breakers, names), broken))
    sections.append(html_table(Told("Codemakers, most guesses first"), heads, _rows(makers, names), broken))
    sections.append(_pairs(tournament, names))
    sections.append(_wrong(what_went_wrong(tournament)))
    return whole_page(Told("A tournament of the course"), "\n".join(sections))


def broken(name: str) -> str:
    """Return a name as HTML that may be broken behind `/`, `_`, `-` and before `.py`, and nowhere else.

    >>> broken("projet_1/codebreaker2.py")
    'projet_<wbr>1/<wbr>codebreaker2<wbr>.py'
    """
    text = escape(name)
    for sign in ("/", "_", "-"):
        text = text.replace(sign, f"{sign}<wbr>")
    return text.replace(".py", "<wbr>.py")


def _pairs(tournament: Tournament, names: Names) -> str:
    pairs = {(path_of(series.codebreaker), path_of(series.codemaker)): series for series in tournament.series}
    breakers = [place.player for place in tournament.codebreakers]
    makers = [place.player for place in tournament.codemakers]

    def cells(rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
        return [[names[row], *(_pair(pairs.get((row, column))) for column in columns)] for row in rows]

    rows, columns = breakers[:20], makers[:6]  # the rest of the table is there on demand
    title = Told("All pairs: mean number of guesses")
    if len(rows) == len(breakers) and len(columns) == len(makers):
        return html_table(title, ("Codebreaker", *(names[each] for each in makers)), cells(breakers, makers), broken)
    title = Told("Pairs of the first {rows} and {columns}: mean number of guesses", len(rows), len(columns))
    heads = ("Codebreaker", *(names[each] for each in columns))
    parts = [html_table(title, heads, cells(rows, columns), broken)]
    for breaker in breakers:
        listed = [[names[maker], _pair(pairs.get((breaker, maker)))] for maker in makers]
        inner = html_table("", ("Codemaker", Told("Mean number of guesses")), listed, broken)
        parts.append(
            Told(
                "<details><summary>{broken} against everyone</summary>{inner}</details>", broken(names[breaker]), inner
            )
        )
    return "\n".join(parts)


def _wrong(sentences: Sequence[str]) -> str:
    items = [f"<li>{escape(sentence)}</li>" for sentence in sentences]
    most = 10
    shown, rest = "".join(items[:most]), "".join(items[most:])
    more = (
        Told("<details><summary>{items} more</summary><ul>{rest}</ul></details>", len(items) - most, rest)
        if rest
        else ""
    )
    return Told("<section><h2>What went wrong</h2><ul>{shown}</ul>{more}</section>", shown or "<li>Nothing.</li>", more)


def _rows(places: Sequence[Place], names: Names) -> list[list[str]]:
    rows = []
    for place in places:
        mean = "–" if isnan(place.mean) else plots.number(place.mean)
        interval = interval_text(place.interval).strip(" ()") or "–"
        rank = "–" if place.rank is None else str(place.rank)
        numbers = [rank, str(place.opponents), mean, interval, f"{place.games:,}", str(place.spoiled)]
        rows.append([names[place.player], *numbers])
    return rows


def _pair(series: Series | None) -> str:
    if series is None or not series.played:
        return "–"
    wrong = Told("{faults} went wrong", len(series.faults)) if series.faults else ""
    if not series.run.statistics.won:
        return wrong or "–"
    return ", ".join(filter(None, [plots.number(series.run.statistics.mean), wrong]))

"""Writes a tournament as text, and as one HTML page that needs no other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from math import isnan
from os.path import commonpath
from pathlib import Path

from entropeg import plots
from entropeg.chosen_language import spoken_language
from entropeg.classroom.players import path_of
from entropeg.classroom.project_page import html_table, interval_text, said, with_interval
from entropeg.classroom.series import Series
from entropeg.classroom.tournament.playing import Tournament, is_partial
from entropeg.classroom.tournament.ranking import Place
from entropeg.errors import printable
from entropeg.report.page import whole_page
from entropeg.told import Joined, Template, Told, plural, with_names, word, words


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
        renamed: str = with_names(sentence, self._written)
        return renamed

    def _written(self, text: str) -> str:
        for path, name in sorted(self._known.items(), key=lambda each: -len(each[0])):
            text = text.replace(path, name)
        return text


def names_of(tournament: Tournament) -> Names:
    """Return how the players of a tournament are named."""
    absent = [fault.player for fault in tournament.absent]
    return Names([*(name for each in tournament.series for name in (each.codebreaker, each.codemaker)), *absent])


def summary(tournament: Tournament) -> str:
    """Say how many of the planned games were played."""
    told = Told(
        "{pairs} on {rules}, up to {games} each: {played:,} of {planned:,} games played",
        plural(len(tournament.series), "{n} pair", "{n} pairs"),
        tournament.rules,
        plural(tournament.games, "{n} game", "{n} games"),
        tournament.played,
        tournament.planned,
    )
    return Told("{played}, then its time was over", told) if tournament.is_late else told


RANKED = Told("Where chance may have made a difference, a rank says from which to which it may be.")

SHORT = Told(
    "Who has less than half of the games of another has no rank; of a codemaker, games with codebreakers whose games "
    "scatter much, as those that guess at random, count for less."
)

EARLY = Told("It is too early for ranks: most have less than half of the games of another.")

SPOILED = Told("Who spoils a game, as by a guess or an answer that cannot be, stands below all who spoil none.")


def tournament_text(tournament: Tournament) -> str:
    """Write both rankings, and what went wrong."""
    names = names_of(tournament)
    lines = [said(summary(tournament))]
    lines += [said(Told("modules in {folder}", names.folder))] if names.folder else []
    for title, places in (
        (word("heading", "codebreakers"), tournament.codebreakers),
        (word("heading", "codemakers"), tournament.codemakers),
    ):
        lines += ["", said(title)]
        written = [(rank_text(place), place_text(place, names)) for place in places]
        width = max((len(rank) for rank, _ in written), default=0)
        lines += [f"{rank:>{max(3, width)}}  {text}" for rank, text in written]
        lines += [f"     {said(note)}" for note in notes_on(places)]
    for heading, told in (
        (Told("who does not play, or no longer"), who_does_not_play(tournament)),
        (Told("what went wrong"), what_went_wrong(tournament)),
    ):
        lines += ["", said(heading), *(f"- {said(sentence)}" for sentence in told)] if told else []
    return "\n".join(lines)


def notes_on(places: Sequence[Place]) -> list[Told]:
    """Give the sentences that a ranking needs: on ranks that chance leaves open, missing ranks, and spoiled games."""
    needed = {
        RANKED: any(place.ranks and place.ranks[0] < place.ranks[1] for place in places),
        EARLY: any(place.is_early for place in places),
        SHORT: any(place.is_short for place in places),
        SPOILED: any(place.spoiled for place in places),
    }
    return [note for note, is_needed in needed.items() if is_needed]


def rank_text(place: Place) -> str:
    """Write a rank as one number, or from which to which it may be; a dash where there is none."""
    if place.ranks is None:
        return "–"
    first, last = place.ranks
    return str(first) if first == last else f"{first}–{last}"


def who_does_not_play(tournament: Tournament) -> list[str]:
    """Give sentences on folders left out, players that were set aside, and why."""
    names, told = names_of(tournament), list(tournament.notes)
    for name, fault in tournament.set_aside.items():
        if is_partial(fault):
            counts = Template(
                "{player} counts well placed pegs alone, as the codemaker0 of the course does: that is another game, "
                "and its games do not count here"
            )
            told.append(Told(counts, name))
            continue
        more = Told("more time, larger limits, or a smaller board would let it play")
        if fault.is_no_start:
            more = Told("write this first") if fault.is_unwritten else Told("mend this first")
        told.append(Told(Template("{player} was set aside ({fault}): {advice}"), name, fault.text, more))
    return [names.within(sentence) for sentence in dict.fromkeys(told)]


def what_went_wrong(tournament: Tournament) -> list[str]:
    """Give sentences on modules that cannot play, and on faults with their counts."""
    names, aside = names_of(tournament), tournament.set_aside
    told = [fault.sentence for fault in tournament.absent]
    counts: dict[tuple[str, str, int | None, str], list[str]] = {}
    for fault in (fault for series in tournament.series for fault in series.faults):
        if fault.player not in aside:
            counts.setdefault((fault.player, fault.file, fault.line, fault.kind), []).append(fault.sentence)
    often = Template("{fault} ({count} times, this is the first)")
    told += [each[0] if len(each) == 1 else Told(often, each[0], len(each)) for each in counts.values()]
    return [names.within(sentence) for sentence in dict.fromkeys(told)]


def place_text(place: Place, names: Names) -> str:
    """Write one line of a ranking, in the language of the hour."""
    if isnan(place.mean):
        mean, text = "", Told("{player}: no game finished", names[place.player])
    else:
        mean = f"{said(with_interval(plots.number(place.mean), place.interval))}  "
        opponents = plural(place.opponents, "{n} opponent", "{n} opponents")
        games = plural(place.games, "{n} game", "{n} games")
        text = Told("{player}: {games} against {opponents}", names[place.player], games, opponents)
    if place.spoiled:
        text = Told("{text}, {spoiled}", text, plural(place.spoiled, "{n} game spoiled", "{n} games spoiled"))
    if place.is_aside:
        text = Told("{text}, set aside and without a rank", text)
    elif place.is_short and place.counted < place.games - 0.05:
        text = Told("{text}, which count as {counted:.1f}: too few for a rank", text, place.counted)
    elif place.is_short:
        text = Told("{text}, too few for a rank", text)
    return f"{mean}{said(text)}"


# -------------------------------------------------------------------- the page


def style(*names: str) -> str:
    """Return an element with styles of this folder: `wall`, for letters of a fortieth of the page's height, `live`."""
    sheets = (files(__package__).joinpath(f"{name}.css").read_text(encoding="utf-8") for name in names)
    return f"<style>\n{''.join(sheets)}</style>\n"


def tournament_page(tournament: Tournament, *, on_wall: bool = False) -> str:
    """Return the page of a tournament, `on_wall` in large letters: what fits is shown, the rest opens on demand."""
    names = names_of(tournament)
    lead = [
        Told("{summary}.", summary(tournament)),
        Told("A player’s mean is the mean of its means against each opponent, with its 95 % interval."),
        Told("Against codemakers, a codebreaker whose games scatter much more than those of others counts for less."),
    ]
    unit = [Told("Games of one number have the same secrets and draws, and count as one.")]
    unit += notes_on([*tournament.codebreakers, *tournament.codemakers])
    title, *paragraphs = said(Told("Tournament")), *(" ".join(map(said, each)) for each in (lead, unit))
    told = "".join(f"<p>{escape(each)}</p>" for each in paragraphs)
    if names.folder:
        modules = escape(said(Told("Modules in")))
        told += f"<p>{modules} <code>{escape(printable(names.folder))}</code></p>"
    # On a wall the ranking comes first.
    sections = [f"<header><h1>{title}</h1>{'' if on_wall else told}</header><main>"]
    heads = words("heading", "Player", "Rank", "Opponents", "Mean", "95 % interval", "Games", "Spoiled")
    breakers, makers = tournament.codebreakers, tournament.codemakers
    sections.append(html_table(Told("Codebreakers, fewest guesses first"), heads, _rows(breakers, names), broken))
    sections.append(html_table(Told("Codemakers, most guesses first"), heads, _rows(makers, names), broken))
    sections += [f"<section>{told}</section>"] if on_wall else []
    sections.append(_pairs(tournament, names))
    if absent := who_does_not_play(tournament):
        sections.append(_listed(Told("Who does not play, or no longer"), absent))
    sections += [_listed(Told("What went wrong"), what_went_wrong(tournament)), "</main>"]
    head = style("wall", "ranking") if on_wall else ""
    return whole_page(said(Told("A tournament of the course")), "\n".join(sections), head, language=spoken_language())


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
    title, is_all = (
        Told("All pairs: mean number of guesses"),
        len(rows) == len(breakers) and len(columns) == len(makers),
    )
    if not is_all:
        first = Template("Pairs of the first {codebreakers} and {codemakers}: mean number of guesses")
        title = Told(first, len(rows), len(columns))
    heads = (word("heading", "Codebreaker"), *(names[each] for each in columns))
    parts = [html_table(title, heads, cells(rows, columns), broken)]
    for breaker in [] if is_all else breakers:
        listed = [[names[maker], _pair(pairs.get((breaker, maker)))] for maker in makers]
        heads = (word("heading", "Codemaker"), word("heading", "Mean number of guesses"))
        against = broken(said(Told("{player} against everyone", names[breaker])))
        inner = html_table("", heads, listed, broken)
        parts.append(f"<details><summary>{against}</summary>{inner}</details>")
    return "\n".join(parts)


def _listed(title: str, sentences: Sequence[str]) -> str:
    items = [f"<li>{escape(said(sentence))}</li>" for sentence in sentences or [Told("Nothing.")]]
    most = 10
    shown, rest, title = "".join(items[:most]), "".join(items[most:]), said(title)
    more = said(plural(len(items) - most, "{n} more", "{n} more"))
    more = f"<details><summary>{more}</summary><ul>{rest}</ul></details>" if rest else ""
    return f"<section><h2>{title}</h2><ul>{shown}</ul>{more}</section>"


def _rows(places: Sequence[Place], names: Names) -> list[list[str]]:
    rows = []
    for place in places:
        mean = "–" if isnan(place.mean) else plots.number(place.mean)
        interval = interval_text(place.interval)
        numbers = [
            rank_text(place),
            str(place.opponents),
            mean,
            interval,
            Told("{number:,}", place.games),
            str(place.spoiled),
        ]
        rows.append([names[place.player], *numbers])
    return rows


def _pair(series: Series | None) -> str:
    if series is None or not series.played:
        return "–"
    facts, told = series.run.statistics, list[str]()
    if facts.won:
        told.append(plots.number(facts.mean))
    if series.faults:
        told.append(plural(len(series.faults), "{n} went wrong", "{n} went wrong"))
    return Joined(told, ", ") if told else "–"

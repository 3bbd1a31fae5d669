"""The figures of a report: which runs each shows, its caption, its description for those who cannot see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from entropeg import plots
from entropeg.chosen_language import translated
from entropeg.durations import duration
from entropeg.experiments.laws import Geometric, Law, Uniform
from entropeg.report.experiments import Experiment, Result
from entropeg.report.tables import law_of
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural

if TYPE_CHECKING:
    from entropeg.experiments.runner import Run


@dataclass(frozen=True)
class Picture:
    """A figure as files, with its words."""

    name: str
    caption: str
    description: str
    svg: bytes
    png: bytes


def pictures(
    rules: Rules, results: list[Result], *, companion: bool = False, drawn: dict[str, Picture] | None = None
) -> list[Picture]:
    """Draw the figures of a board from its runs, in the order of Bruyere's; figures without runs are left out.

    For a companion board (the French notebook's beside Bruyere's) the histogram of consistent play against the honest
    codemaker and minimax against both codemakers are not drawn again. `drawn` holds, by name, what was drawn before;
    new drawings are put there.
    """
    played = {
        result.experiment.key: result for result in results if result.run is not None and result.run.statistics.won
    }
    known = {} if drawn is None else drawn
    names, kinds = [], list[str]()
    for kind, draw, keys in _plan(results, companion=companion):
        kinds.append(kind)
        if all(key in played for key in keys):
            # Paths that differ only in letters that `_plain` leaves out, as 李/codebreaker0.py, get numbers.
            again = kinds.count(kind)
            names.append(name := f"{_slug(rules)}-{kind}" + (f"-{again}" if again > 1 else ""))
            if name not in known:
                known[name] = draw(name, [played[key] for key in keys])
    return [known[name] for name in names]


def _plan(
    results: list[Result], *, companion: bool
) -> list[tuple[str, Callable[[str, list[Result]], Picture], list[str]]]:
    minimax = next(result.experiment.codebreaker for result in results if result.experiment.all_secrets)
    plan: list[tuple[str, Callable[[str, list[Result]], Picture], list[str]]] = [
        ("random", _turns, ["random honest"]),
        ("memory", _turns, ["memory honest"]),
        ("consistent", _turns, ["consistent honest"]),
        ("consistent-honest-cheat", _compared, ["consistent honest", "consistent cheat"]),
        ("minimax-honest-cheat", _compared, [f"{minimax} honest", f"{minimax} cheat"]),
        ("minimax-all-secrets", _turns, [f"{minimax} honest all"]),
    ]
    for result in (result for result in results if result.experiment.is_further):
        each = result.experiment
        if each.codemaker == "honest":
            if law_of(result) is not None:
                plan.append((_plain(each.key), _turns, [each.key]))
            pair = [each.key, f"{each.codebreaker} cheat"]
            plan.append((f"{_plain(each.codebreaker)}-honest-cheat", _compared, pair))
        elif each.codemaker != "cheat":
            plan.append((_plain(each.key), _turns, [each.key]))
    return [entry for entry in plan if not (companion and entry[0] in ("consistent", "minimax-honest-cheat"))]


def time_picture(results: list[Result], rules: Rules) -> Picture | None:
    """Draw the run times of a board; None where nothing was timed."""
    rows = [
        (translated(_pair(result.experiment)), result.run.statistics.seconds_per_game)
        for result in results
        if result.run is not None and result.run.statistics.seconds_per_game > 0
    ]
    if not rows:
        return None
    figure = plots.times(rows, title=Told("Time per game on {rules}", rules))
    times = Joined((Joined((" ".join(name.split()), duration(seconds, 2)), " ") for name, seconds in rows), Told("; "))
    caption = Told("Processor time a game, measured while this report was made, on a logarithmic axis.")
    description = Told("Time per game: {times}.", times)
    return Picture(f"{_slug(rules)}-times", caption, description, plots.svg(figure), plots.png(figure))


def _pair(experiment: Experiment) -> str:
    codemaker = experiment.codemaker
    if experiment.all_secrets:
        codemaker = Told("{codemaker}, all secrets", codemaker)
    return plots.pair_label(experiment.codebreaker, codemaker)


def begun(text: str) -> str:
    """Begin a sentence with a player: a word has a capital, a path or a name with parameters stays as it is written.

    >>> begun("random against honest"), begun("p1/codebreaker2.py"), begun("minimax:win=True")
    ('Random against honest', 'p1/codebreaker2.py', 'minimax:win=True')
    """
    is_word = text.partition(" ")[0].replace("-", "").isalpha()
    return text[:1].upper() + text[1:] if is_word else text


def _turns(name: str, results: list[Result]) -> Picture:
    [result] = results
    run, law = _run(result), law_of(result)
    figure = plots.turns(run, law=law)
    label = replace(result.experiment, codebreaker=begun(result.experiment.codebreaker)).label
    caption = [Told("{players}: how many guesses the games took.", label), *_lost(run)]
    if law is not None:
        caption += _held_against(law, run, result.experiment)
    description = Told("Histogram. {figures}.", _said(run))
    return Picture(name, Joined(caption, " "), description, plots.svg(figure), plots.png(figure))


def _held_against(law: Law, run: Run, experiment: Experiment) -> Iterator[str]:
    """Say which law is drawn and how far the games are from it: what is seen, and nothing of what a player does."""
    if experiment.counterpart == experiment.codebreaker:
        yield Told("The law of theory is drawn over the bars.")
    elif isinstance(law, Geometric):
        yield Told(
            "The law over the bars is that of a codebreaker 0, which draws among all {codes:,} codes each time.",
            law.codes,
        )
    else:
        yield Told(
            "The law over the bars is that of a codebreaker 1, which plays none of the {codes:,} codes twice.",
            law.codes,
        )
    if not run.complete:
        # Time cuts the longest games first: a gap would say as much of the clock as of the player.
        yield Told("The games are not all played: they are not held against it.")
        return
    gap, limit = plots.gap_to_law(run, law)
    if gap <= limit:
        yield Told(
            "The largest gap between the measured and the theoretical share of games won within some number of "
            "guesses is {gap:.3f}, as close as chance allows ({limit:.3f}).",
            *(gap, limit),
        )
    else:
        yield Told(
            "The largest gap between the measured and the theoretical share of games won within some number of "
            "guesses is {gap:.3f}, farther than chance allows in 19 of 20 samples ({limit:.3f}).",
            *(gap, limit),
        )
    if isinstance(law, Uniform) and (longer := int((run.guesses > law.codes).sum())):
        yield plural(
            longer,
            "{n} game took more guesses than there are codes, so that some code was played twice in it.",
            "{n} games took more guesses than there are codes, so that some code was played twice in each of them.",
        )


def _compared(name: str, results: list[Result]) -> Picture:
    honest, cheat = (_run(result) for result in results)
    figure = plots.compared([honest, cheat])
    excess = cheat.statistics.mean - honest.statistics.mean
    share = 100 * excess / honest.statistics.mean
    said = Told(
        "{codebreaker} against the honest codemaker and against the cheat, side by side: the cheat costs {excess:+.2f} "
        "guesses ({share:+.0f} %).",
        *(begun(honest.codebreaker), excess, share),
    )
    caption = Joined([said, *_lost(honest), *_lost(cheat)], " ")
    description = Told("Two histograms side by side. {honest}. {cheat}.", _said(honest), _said(cheat))
    return Picture(name, caption, description, plots.svg(figure), plots.png(figure))


def _run(result: Result) -> Run:
    if result.run is None:
        raise AssertionError(f"{result.experiment.label} was not played")
    return result.run


def _lost(run: Run) -> Iterator[str]:
    numbers = run.statistics
    if numbers.lost:
        yield Told(
            "{lost:,} of its {games:,} games against {codemaker} were lost and are not shown.",
            *(numbers.lost, numbers.count, run.codemaker),
        )


def _said(run: Run) -> str:
    numbers = run.statistics
    said = Told(
        "{codebreaker} against {codemaker} on {rules}, {won:,} games won: mean {mean}, median {median:,.10g}, longest "
        "{longest:,}",
        *(run.codebreaker, run.codemaker, run.rules, numbers.won),
        *(plots.number(numbers.mean), numbers.median, numbers.worst),
    )
    if len(numbers.histogram) > plots.FEW:
        return said
    counts = (
        Told("{guesses} guesses {games:,}", guesses, games) for guesses, games in sorted(numbers.histogram.items())
    )
    return Joined((said, Joined(counts, ", ")), Told("; "))


def _slug(rules: Rules) -> str:
    return _plain(str(rules))


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


def inline(picture: Picture, prefix: str, tokens: Mapping[str, str]) -> str:
    """Return the SVG as an element for a page: no prolog, its own identifiers, the page's colors (`tokens`)."""
    text = picture.svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\bid="', f'id="{prefix}-', text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    text = text.replace("url(#", f"url(#{prefix}-")
    for color, token in tokens.items():
        text = text.replace(color, f"var({token})")
    return re.sub(
        r'<svg\b([^>]*?) height="[^"]*"',
        r"<svg\1",
        re.sub(r'(<svg\b[^>]*?) width="[^"]*"', r"\1", text, count=1),
        count=1,
    )

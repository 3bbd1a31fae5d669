"""Puts advice, contradictions and ways to mend them into lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from entropeg.advise import Advice, Certainty, Contradiction, Expectation, Mend, PlayerView
from entropeg.advise.contradictions import Suspicion
from entropeg.advise.rated import RatedGuess
from entropeg.chosen_language import heads, spoken_language, translated
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import format_feedback
from entropeg.sessions.lines import Fragment, Line, Pegs, ShownFeedback, code_lines, complain, is_wide, say
from entropeg.sessions.typed import is_number
from entropeg.told import plural, quoted, shown_count

MOST_RANKED = 20
"""Most guesses that are ranked: a screen."""


def ranking_lines(guesses: Sequence[RatedGuess]) -> list[Line]:
    """Put guesses into a table, the guesses last: how wide they are depends on how they are drawn."""
    rows = [heads("expected", "loss", "wins now", "bits", "parts", "most", "mean", "secret?")]
    for guess in guesses:
        measures = f"{guess.bits:.2f}", f"{guess.parts:,}", f"{guess.largest:,}", f"{guess.expected_size:,.1f}"
        numbers = _expected(guess.expected), _loss(guess.loss), _percent(guess.chance), *measures
        rows.append((*map(translated, numbers), translated("maybe" if guess.is_candidate else "no", "cell")))
    return _table(rows, [[Pegs(guess.guess)] for guess in guesses], brief=(0, 1, 3))


def player_lines(views: Sequence[PlayerView]) -> list[Line]:
    """Put what several codebreakers would play into a table, and below it who cannot play here."""
    rows, ends = [heads("player", "expected", "loss", "wins now", "bits", "most", "mean")], list[list[Fragment]]()
    for view in views:
        rated = view.rated
        if rated is None:
            continue
        measures = f"{rated.bits:.2f}", f"{rated.largest:,}", f"{rated.expected_size:,.1f}"
        numbers = _expected(rated.expected), _loss(rated.loss), _percent(rated.chance), *measures
        rows.append((view.player, *map(translated, numbers)))
        ends.append([Pegs(rated.guess), f"  ({translated(view.reason)})" * bool(view.reason)])
    wide = max(len(row[0]) for row in rows)
    named = [(f"{row[0]:<{wide}}", *row[1:]) for row in rows]
    unable = [
        Line((f"({translated(f'{view.player}: {view.reason}')})",), "quiet", is_told=True)
        for view in views
        if view.rated is None
    ]
    return [*(_table(named, ends, brief=(0, 1)) if ends else []), *unable]


def _table(
    rows: Sequence[tuple[str, ...]], ends: Sequence[Sequence[Fragment]], *, brief: tuple[int, ...]
) -> list[Line]:
    # Numbers, a column without any left out, then a guess; the first two of ``brief`` alone where that is too wide.
    # The table is in the language of the hour already: columns are as wide as their words.
    kept = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    few = [column for column in kept if column in brief][:2]
    whole, short = (_aligned([[row[column] for column in shown] for row in rows]) for shown in (kept, few))
    [last] = heads("guess")
    shown = [Line((f"{whole[0]}  {last}",), "quiet", (f"{short[0]}  {last}",), is_told=True)]
    for text, first, end in zip(whole[1:], short[1:], ends, strict=True):
        shown.append(Line((f"{text}  ", *end), brief=(f"{first}  ", *end), is_told=True))
    return shown


def left_line(advice: Advice) -> Line:
    """Say how many codes are left, and what the best play takes from here."""
    remaining = advice.remaining
    if remaining.count is None:
        left = f"more codes are left than can be listed; a sample of {len(remaining.codes):,} stands for them"
        if isfinite(remaining.about):
            about, drawn = round(remaining.about), len(remaining.codes)
            left = f"about {shown_count(about)} codes are left; a sample of {drawn:,} stands for them"
    else:
        total = advice.position.rules.secret_count
        left = f"{plural(remaining.count, '{n} code is', '{n} codes are')} left of {shown_count(total)}"
    if remaining.count == 1:
        return say(left)
    return say(f"{left}; the best play takes {_expected(advice.value).strip()} guesses")


def advice_lines(advice: Advice) -> list[Line]:
    """Say which guess is best, in words."""
    if advice.remaining.count == 1 and advice.best.is_candidate:
        return [say("Play ", Pegs(advice.best.guess), ": it is the only code left.")]
    lines = [_line("Try", advice, advice.best)]
    if not advice.keeps_limit:
        lines.append(say("No play finds every code within the guesses that are left.", tone="quiet"))
    return lines


def own_lines(advice: Advice, guess: RatedGuess) -> list[Line]:
    """Say what a guess of the person's own does, beside the best one."""
    return [_line("", advice, guess), *ranking_lines([guess, advice.best])]


def _line(begin: str, advice: Advice, guess: RatedGuess) -> Line:
    # The guess, which is drawn, and the sentence about it, without the guess where it begins with it.
    said = translated(advice.explain(guess))
    rest = said.removeprefix(f"{format_code(guess.guess, advice.position.rules)} ")
    # The links follow «Try», follow the guess alone, and come before a whole sentence.
    links = {"en": (": ", ": ", ": "), "fr": (", qui ", " ", "\u00a0: ")}[spoken_language()]
    link = links[2] if rest == said else links[not begin]
    begun = (f"{translated(begin, 'begin')} ",) if begin else ()
    return Line((*begun, Pegs(guess.guess), link, f"{rest[0].lower()}{rest[1:]}"), is_told=True)


def marginal_lines(advice: Advice) -> list[Line]:
    """Show how likely each color is at each peg, and how often it is expected to occur."""
    rules, marginals = advice.position.rules, advice.remaining.marginals()
    pegs, copies, presence = marginals.pegs, marginals.expected_copies, marginals.presence
    order = list(range(len(copies)))
    if len(order) > 26:  # the likeliest fill a screen
        order = sorted(order, key=lambda color: (-presence[color], color))[:26]
    # The chances of more than 14 pegs take more than a line.
    is_wide = rules.pegs > 14
    numbers = () if is_wide else tuple(str(peg + 1) for peg in range(rules.pegs))
    rows: list[tuple[str, ...]] = [(*heads("color", "occurs", "copies"), *numbers)]
    for color in order:
        chances = () if is_wide else tuple(_percent(chance) for chance in pegs[:, color])
        numbers = _percent(presence[color]), f"{copies[color]:.2f}", *chances
        rows.append((rules.symbols.symbol(color), *map(translated, numbers)))
    # Narrow terminals show three columns of the table.
    whole, short = _aligned(rows), _aligned([row[:3] for row in rows])
    whole[0] += "" if is_wide else f"  ({heads('pegs')[0]})"
    shown = [Line((one,), brief=(first,), is_told=True) for one, first in zip(whole, short, strict=True)]
    shown[0] = replace(shown[0], tone="quiet")
    rest = len(copies) - len(order)
    return shown + (
        [say(f"and {plural(rest, '{n} color', '{n} colors')} that are less likely", tone="quiet")] if rest else []
    )


def answer_lines(guess: RatedGuess) -> list[Line]:
    """Show what each answer to a guess would leave, the most codes first."""
    rows = [heads("answer", "codes", "chance")]
    for each in guess.answers:
        numbers = f"{each.codes:,}", _percent(each.chance)
        rows.append((format_feedback(each.feedback), *map(translated, numbers)))
    top, *body = _aligned(rows)
    sample = "" if guess.sample is None else f" of a sample of {guess.sample:,}"
    title = say("what the answers to ", Pegs(guess.guess), f" would leave{sample}:")
    return [title, Line((top,), "quiet", is_told=True), *(Line((line,), is_told=True) for line in body)]


def contradiction_lines(told: Contradiction, typed: str) -> tuple[list[Line], list[Mend]]:
    """Say which rows cannot all be true, which to look at first, and the ways to mend that may be chosen by number.

    ``typed`` names other commands that help.
    """
    # The three rows that are most suspect are told with ways to mend them.
    most, lines, mends = 3, [complain(told.says)], list[Mend]()
    for suspicion in told.suspicions(most):
        lines.append(say(suspicion.says))
        for mend in suspicion.mends:
            mends.append(mend)
            lines.append(say(f"  {len(mends)}. ", mend.says))
        if suspicion.rest:
            lines.append(say(f"  {suspicion.rest}", tone="quiet"))
        if suspicion.answers:
            lines.append(_answers_line(suspicion))
    others = [str(suspect.row + 1) for suspect in told.rows[most:]]
    if others:
        word = "rows" if len(others) > 1 else "row"
        lines.append(say(f"{word} {', '.join(others)} may be wrong too", tone="quiet"))
    if not told.rows:
        lines.append(say("Two mistakes do not explain it: look at every row.", tone="quiet"))
    elif told.mistakes > 1:
        lines.append(say("(no single mistake explains it: these are two at a time)", tone="quiet"))
    if told.undecided:
        rows = ", ".join(str(row + 1) for row in told.undecided)
        lines.append(say(f"(whether row {rows} alone may be wrong could not be told in the time)", tone="quiet"))
    lines.append(say(f"Type {'mend N to choose one, or ' if mends else ''}{typed}.", tone="quiet"))
    return lines, mends


def chosen_mend(text: str, mends: Sequence[Mend] | None, typed: str) -> Mend | None:
    """Return the way to mend that was chosen by its number, None where the ways are to be told again.

    ``mends``: None where there is no contradiction. Raises InputError where there is no such way; ``typed`` names other
    commands that help.
    """
    if mends is None:
        raise InputError("there is nothing to mend")
    if not mends:
        raise InputError(f"no way to mend it is known: {typed}")
    if not text:
        return None
    if not is_number(text, len(mends)):
        which = "mend 1" if len(mends) == 1 else f"mend and a number from 1 to {len(mends)}"
        raise InputError(f"mend {quoted(text)}: which way? Type {which}")
    return mends[int(text) - 1]


def _answers_line(suspicion: Suspicion) -> Line:
    answers, most = suspicion.answers, 6
    shown = [piece for answer in answers[:most] for piece in (" or ", ShownFeedback(answer))][1:]
    more = f" or {plural(len(answers) - most, '{n} other', '{n} others')}" if len(answers) > most else ""
    return say("  if all other rows are right, it got ", *shown, more, tone="quiet")


def codes_lines(advice: Advice, number: int) -> list[Line]:
    """Show the first codes of those left, where a line can hold one."""
    first = advice.remaining.codes[:number]
    if is_wide(first):
        return [say("(each takes more than a line: entropeg candidates lists them)", tone="quiet")]
    return code_lines(first)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]


def _expected(expected: Expectation) -> str:
    return str(expected) if isfinite(expected.value) else "none"


def _loss(loss: Expectation) -> str:
    if loss.knowledge is Certainty.exact:
        return f"{loss.value:.3f}" if isfinite(loss.value) else ""
    if loss.knowledge is Certainty.at_least:
        return f"≥ {loss.value:.2f}" if loss.value >= 0.005 else ""
    # An estimate tells nothing where its error comes near a whole guess.
    return f"≈ {loss.value:.2f}" if loss.error < 0.95 else ""


def _percent(chance: float) -> str:
    # A chance below this is none but for rounding.
    if chance < 1e-12:
        return "-"
    if chance >= 0.0995:
        return f"{100 * chance:.0f} %"
    return f"{100 * chance:.1f} %" if chance >= 0.0005 else "<0.1 %"

"""Puts advice, contradictions and ways to mend them into lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from entropeg.advise import Advice, Certainty, Contradiction, Expectation, Mend, PlayerView
from entropeg.advise.contradictions import Suspicion
from entropeg.advise.rated import RatedGuess
from entropeg.chosen_language import translated
from entropeg.codes import drawn_code
from entropeg.errors import InputError
from entropeg.feedback import drawn_feedback, format_feedback
from entropeg.rules import Rules
from entropeg.sessions.lines import Line, code_lines, complain, is_wide, joined, say
from entropeg.sessions.typed import is_number
from entropeg.told import Joined, Told, plural, word, words

MOST_RANKED = 20
"""Most guesses that are ranked: a screen."""


def ranking_lines(guesses: Sequence[RatedGuess], rules: Rules) -> list[Line]:
    """Put guesses into a table, the guesses last: how wide they are depends on how they are drawn."""
    rows = []
    for guess in guesses:
        is_secret = word("cell", "maybe") if guess.is_candidate else word("cell", "no")
        rows.append(_measures(guess) | {word("column", "secret?"): is_secret})
    return number_table(rows, [drawn_code(guess.guess, rules) for guess in guesses], brief=(0, 1, 3))


def player_lines(views: Sequence[PlayerView], rules: Rules) -> list[Line]:
    """Put what several codebreakers would play into a table, and below it who cannot play here."""
    able = [(view, view.rated) for view in views if view.rated is not None]
    head = translated(word("column", "player"))
    wide = max([len(head), *(len(view.player) for view, _ in able)])
    rows, ends = [], []
    for view, rated in able:
        rows.append({f"{head:<{wide}}": f"{view.player:<{wide}}"} | _measures(rated))
        rows[-1].pop("parts")
        ends.append(Joined([drawn_code(rated.guess, rules), *(["  (", view.reason, ")"] if view.reason else [])]))
    unable = [
        say("({player}: {reason})", view.player, view.reason, tone="quiet") for view in views if view.rated is None
    ]
    return [*(number_table(rows, ends, brief=(0, 1)) if ends else []), *unable]


def _measures(guess: RatedGuess) -> dict[str, str]:
    return {
        word("column", "expected"): expected_cell(guess.expected),
        word("column", "loss"): loss_cell(guess.loss),
        word("column", "wins now"): _percent(guess.chance),
        word("column", "bits"): Told("{number:.2f}", guess.bits),
        word("column", "parts"): Told("{number:,}", guess.parts),
        word("column", "most"): Told("{number:,}", guess.largest),
        word("column", "mean"): Told("{number:,.1f}", guess.expected_size),
    }


def number_table(measured: Sequence[dict[str, str]], ends: Sequence[str], *, brief: tuple[int, ...]) -> list[Line]:
    """Put numbers, a column without any left out, before a guess; the first two of ``brief`` where all are too wide."""
    rows = [tuple(measured[0]), *(tuple(row.values()) for row in measured)]
    kept = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    few = [column for column in kept if column in brief][:2]
    whole, short = (aligned([[row[column] for column in shown] for row in rows]) for shown in (kept, few))
    ends = [word("column", "guess"), *ends]
    return [
        Line(Joined([text, "  ", end]), "plain" if place else "quiet", Joined([short[place], "  ", end]))
        for place, (text, end) in enumerate(zip(whole, ends, strict=True))
    ]


def left_line(advice: Advice) -> Line:
    """Say how many codes are left, and what the best play takes from here."""
    remaining, value = advice.remaining, advice.value
    if remaining.count is None:
        left = Told(
            "more codes are left than can be listed; a sample of {drawn:,} stands for them", len(remaining.codes)
        )
        if isfinite(remaining.about):
            about, drawn = round(remaining.about), len(remaining.codes)
            left = Told("about {codes:count} codes are left; a sample of {drawn:,} stands for them", about, drawn)
    else:
        left = left_of_all(remaining.count, advice.position.rules)
    return (
        Line(left)
        if remaining.count == 1
        else say("{left}; the best play takes {guesses} guesses", left, expected_cell(value))
    )


def left_of_all(count: int, rules: Rules) -> Told:
    """Say how many codes of all are left."""
    total = rules.secret_count
    return plural(count, "{n} code is left of {total:count}", "{n} codes are left of {total:count}", total)


def advice_lines(advice: Advice) -> list[Line]:
    """Say which guess is best, in words."""
    best = drawn_code(advice.best.guess, advice.position.rules)
    if advice.remaining.count == 1 and advice.best.is_candidate:
        return [say("Play {guess}: it is the only code left.", best)]
    # The sentence about the guess, without the guess where it begins with it.
    said = translated(advice.explain(advice.best))
    does = said.removeprefix(f"{best} ")
    lines = [say("Try {guess}. {sentence}", best, said) if does == said else say("Try {guess}: {does}", best, does)]
    if not advice.keeps_limit:
        lines.append(say("No play finds every code within the guesses that are left.", tone="quiet"))
    return lines


def own_lines(advice: Advice, guess: RatedGuess) -> list[Line]:
    """Say what a guess of the person's own does, beside the best one."""
    return [Line(advice.explain(guess)), *ranking_lines([guess, advice.best], advice.position.rules)]


def marginal_lines(advice: Advice) -> list[Line]:
    """Show how likely each color is at each peg, and how often it is expected to occur."""
    rules, marginals = advice.position.rules, advice.chances
    if marginals is None:
        return []
    by_peg, copies, presence = marginals.pegs, marginals.expected_copies, marginals.presence
    order = list(range(len(copies)))
    if len(order) > 26:  # the likeliest fill a screen
        order = sorted(order, key=lambda color: (-presence[color], color))[:26]
    # The chances of more than 14 pegs take more than a line.
    is_wide = rules.pegs > 14
    numbers = () if is_wide else tuple(str(peg + 1) for peg in range(rules.pegs))
    rows = [(word("column", "color"), word("column", "occurs"), word("column", "copies"), *numbers)]
    for color in order:
        chances = () if is_wide else tuple(_percent(chance) for chance in by_peg[:, color])
        shown = _percent(presence[color]), Told("{number:.2f}", copies[color])
        rows.append((rules.symbols.symbol(color), *shown, *chances))
    # Narrow terminals show three columns of the table.
    whole, short = aligned(rows), aligned([row[:3] for row in rows])
    if not is_wide:
        whole[0] += f"  ({translated(word('column', 'pegs'))})"
    lines = [Line(one, "plain" if place else "quiet", short[place]) for place, one in enumerate(whole)]
    rest = plural(len(copies) - len(order), "and {n} color that is less likely", "and {n} colors that are less likely")
    return [*lines, *([Line(rest, "quiet")] if len(copies) > len(order) else [])]


def answer_lines(guess: RatedGuess, rules: Rules) -> list[Line]:
    """Show what each answer to a guess would leave, the most codes first."""
    rows: list[tuple[str, ...]] = [words("column", "answer", "codes", "chance")]
    rows += [
        (format_feedback(one.feedback), Told("{number:,}", one.codes), _percent(one.chance)) for one in guess.answers
    ]
    top, *body = aligned(rows)
    asked, sample = drawn_code(guess.guess, rules), guess.sample
    title = (
        say("what the answers to {guess} would leave:", asked)
        if sample is None
        else say("what the answers to {guess} would leave of a sample of {sample:,}:", asked, sample)
    )
    return [title, Line(top, "quiet"), *map(Line, body)]


def contradiction_lines(told: Contradiction, typed: str) -> tuple[list[Line], list[Mend]]:
    """Say which rows cannot all be true, which to look at first, and the ways to mend that may be chosen by number.

    ``typed`` names other commands that help.
    """
    # The three rows that are most suspect are told with ways to mend them.
    most, lines, mends = 3, [complain(told.says)], list[Mend]()
    for suspicion in told.suspicions(most):
        lines.append(Line(suspicion.says))
        for mend in suspicion.mends:
            mends.append(mend)
            lines.append(joined(f"  {len(mends)}. ", mend.says))
        if suspicion.rest:
            lines.append(joined("  ", suspicion.rest, tone="quiet"))
        if suspicion.answers:
            lines.append(_answers_line(suspicion))
    others = [str(suspect.row + 1) for suspect in told.rows[most:]]
    if len(others) > 1:
        lines.append(say("rows {rows:list} may be wrong too", others, tone="quiet"))
    elif others:
        lines.append(say("row {row} may be wrong too", others[0], tone="quiet"))
    if told.doubt is None and not told.rows:
        lines.append(say("Two mistakes do not explain it: look at every row.", tone="quiet"))
    elif told.mistakes > 1:
        lines.append(say("(no single mistake explains it: these are two at a time)", tone="quiet"))
    if told.undecided:
        rows = [str(row + 1) for row in told.undecided]
        lines.append(
            say("(whether row {rows:list} alone may be wrong could not be told in the time)", rows, tone="quiet")
        )
    way = Told("Type mend N to choose one, or {commands}.", typed) if mends else Told("Type {commands}.", typed)
    return [*lines, Line(way, "quiet")], mends


def chosen_mend(text: str, mends: Sequence[Mend] | None, typed: str) -> Mend | None:
    """Return the way to mend that was chosen by its number, None where the ways are to be told again.

    ``mends``: None where there is no contradiction. Raises InputError where there is no such way; ``typed`` names other
    commands that help.
    """
    if mends is None:
        raise InputError("there is nothing to mend")
    if not mends:
        raise InputError("no way to mend it is known: {commands}", typed)
    if not text:
        return None
    if not is_number(text, len(mends)):
        which = Told("mend 1") if len(mends) == 1 else Told("mend and a number from 1 to {mends}", len(mends))
        raise InputError("mend {typed!r}: which way? Type {which}", text, which)
    return mends[int(text) - 1]


def _answers_line(suspicion: Suspicion) -> Line:
    answers, most = suspicion.answers, 6
    shown: list[str] = [drawn_feedback(each) for each in answers[:most]]
    if len(answers) > most:
        shown.append(plural(len(answers) - most, "{n} other", "{n} others"))
    return joined("  ", Told("if all other rows are right, it got {answers:or}", shown), tone="quiet")


def codes_lines(advice: Advice, number: int) -> list[Line]:
    """Show the first codes of those left, where a line can hold one."""
    first = advice.remaining.codes[:number]
    if is_wide(first):
        return [say("(each takes more than a line: entropeg candidates lists them)", tone="quiet")]
    return code_lines(first)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Align cells to the right, in the language of the hour: columns are as wide as their words."""
    rows = [list(map(translated, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]


def expected_cell(expected: Expectation) -> str:
    """Write an expected number of guesses."""
    return str(expected) if isfinite(expected.value) else word("cell", "none")


def loss_cell(loss: Expectation) -> str:
    """Write a loss; nothing where nothing is known of it."""
    if loss.knowledge is Certainty.exact:
        return Told("{number:.3f}", loss.value) if isfinite(loss.value) else ""
    if loss.knowledge is Certainty.at_least:
        return Told("≥ {number:.2f}", loss.value) if loss.value >= 0.005 else ""
    # An estimate tells nothing where its error comes near a whole guess.
    return Told("≈ {number:.2f}", loss.value) if loss.error < 0.95 else ""


def _percent(chance: float) -> str:
    # A chance below this is none but for rounding.
    if chance < 1e-12:
        return "-"
    if chance >= 0.0995:
        return Told("{number:.0f} %", 100 * chance)
    return Told("{number:.1f} %", 100 * chance) if chance >= 0.0005 else Told("<0.1 %")

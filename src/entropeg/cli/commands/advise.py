"""`entropeg advise`: what to play next, as one answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from entropeg.advise import Advice, Notes, PlayerView, advise, compare_players, explain
from entropeg.advise.noted import NotedAdvice
from entropeg.advise.reading import read_lines, read_row
from entropeg.advise.saved_notes import rows_from_file
from entropeg.cli.completion import files
from entropeg.cli.options import SeveralType, exact_time_option, json_option, sample_seed_option
from entropeg.cli.screen import Screen
from entropeg.cli.terminal import OWN, remark
from entropeg.errors import ContradictionError, InputError, UnreadRowError
from entropeg.files import STANDARD, read_text, shown
from entropeg.rules import Rules
from entropeg.sessions.advising import (
    advice_lines,
    answer_lines,
    codes_lines,
    contradiction_lines,
    left_line,
    marginal_lines,
    own_lines,
    player_lines,
    ranking_lines,
)
from entropeg.sessions.lines import Line, say
from entropeg.sessions.several import several_lines
from entropeg.several.boards import Boards, SeveralRules
from entropeg.several.choosing import best_guesses


@click.command("advise")
@click.argument("rules", type=SeveralType())
@click.argument("rows", nargs=-1, metavar='["GUESS FEEDBACK"]...')
@click.option(
    "--rows", "path", metavar="FILE", shell_complete=files, help="Read rows from there too (-: standard input)."
)
@click.option("--limit", type=click.IntRange(min=1), default=10, metavar="N", help="Rank N guesses. [default: 10]")
@click.option("--also", multiple=True, metavar="CODE", help="Rate a guess of your own beside the best ones.")
@click.option("--players", is_flag=True, help="Show what seven strategies would play, side by side.")
@click.option("--answers", is_flag=True, help="Show what each answer to the best guess would leave.")
@exact_time_option
@sample_seed_option
@json_option
def command(
    rules: Rules | SeveralRules,
    rows: tuple[str, ...],
    path: str | None,
    *,
    players: bool,
    answers: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Say what to play next, after the rows noted so far.

    RULES is pegs x colors and options, as 4x6. Each row is one argument, a guess and what it got, as you would type it;
    ? stands for what you do not know; - reads rows from standard input.

    \b
        entropeg advise 4x6 "AABB XO" "ccd? 1 ?"
        entropeg advise bulls-and-cows "1234 1b 2w" --also 2147

    The table: the expected number of guesses from here on (= exact, ≥ at least, ≈ an estimate and its error), what
    that is more than for the best guess (loss), the chance to win now, bits that the answer tells, how many answers
    there can be (parts), codes left at most and expected (mean), and whether the guess may be the secret.

    With secrets=N among the rules, as 4x4/secrets=2, a row has an answer of each secret, "AABB XO / X", and * for one
    that was found before; guesses are ranked by the bits that they tell of all secrets.

    Keys with --json for several secrets: rules, turns, ways, guesses (guess, bits, parts, largest, expected_size,
    chance, ways).

    Where no code fits, the rows to look at are listed with what they may have been; the exit code is 2.

    Keys with --json: rules, rows, state, advice, players (with --players), and contradiction, null where a code fits.
    Advice has left (count: null where nobody can count; about, sample, method, codes: the first, says), value, proven,
    keeps_limit, last_guess, guesses and also (guess, candidate, chance, bits, parts, largest, expected_size, expected,
    loss, sample), says (of guesses, then of also), answers (of the best guess: feedback, codes, chance), marginals (for
    each peg the chance of each color), copies, presence, seconds. A player has player, guess (null where it cannot
    play), rated (the keys of a guess), reason. An expected number has sign (=, ≥, ≈), value, error, fraction.
    A contradiction has says, situation, proved, conflicts, mistakes, rows, undecided, and doubt, what a player doubts
    on boards too large for more (says, row, reason, proved); its rows count from 1.
    """  # noqa: D301 (click knows the character, not the letters)
    if isinstance(rules, SeveralRules):
        used = {"rows": path, "also": options["also"], "players": players, "answers": answers}
        _several(rules, rows, options["limit"], used, as_json=as_json)
        return
    notes = noted(rules, rows, path)
    try:
        advice = advise(notes, **options)
    except ContradictionError:
        click.get_current_context().exit(contradicted(notes, as_json=as_json))
    views = compare_players(notes, time=options["time"], seed=options["seed"]) if players else ()
    if as_json:
        click.echo(json.dumps(NotedAdvice(notes, advice, views).to_json(), ensure_ascii=False))
        return
    Screen(sys.stdout, rules).show(told(advice, views, answers=answers))


def _several(rules: SeveralRules, rows: tuple[str, ...], number: int, used: dict[str, Any], *, as_json: bool) -> None:
    if option := next((name for name, given in used.items() if given), ""):
        raise InputError("{rules} has several secrets: leave --{option} out", rules, option)
    boards = Boards.of(rules)
    for row in rows:
        boards = boards.after_text(row)
    found = best_guesses(boards, number=number)
    if as_json:
        turns = [boards.format_turn(turn) for turn in boards.turns]
        told = {"rules": str(rules), "turns": turns, "ways": boards.ways, "guesses": [one.to_json() for one in found]}
        click.echo(json.dumps(told))
    else:
        Screen(sys.stdout, rules.rules).show(several_lines(boards, found))


def noted(rules: Rules, rows: tuple[str, ...], path: str | None = None) -> Notes:
    """Read rows as arguments, where `-` stands for those of standard input, and those of a file."""
    if (path == STANDARD) + rows.count(STANDARD) > 1:
        raise InputError("- is standard input, and can be read once")
    found = list[Any]()
    for number, row in enumerate(_joined(rows, rules), start=1):
        if row == STANDARD:
            found += _from_file(STANDARD, rules)
            continue
        try:
            found += read_lines(row, rules)
        except UnreadRowError as error:
            raise InputError("row {number}: {fault}", number, _fault(error, rules)) from None
    return Notes.of(rules, found + (_from_file(path, rules) if path is not None else []))


def _fault(unread: UnreadRowError, rules: Rules) -> UnreadRowError:
    # What is wrong with a row by itself: an argument is numbered among arguments, not among lines.
    try:
        read_row(unread.text, rules)
    except UnreadRowError as error:
        return error
    return unread


def _joined(rows: Sequence[str], rules: Rules) -> Iterator[str]:
    # A guess and its feedback are one argument; where the quotes were forgotten they are two.
    waiting = list(rows)
    while waiting:
        row = waiting.pop(0)
        if waiting and not _is_row(row, rules) and _is_row(f"{row} {waiting[0]}", rules):
            row = f"{row} {waiting.pop(0)}"
        yield row


def _is_row(text: str, rules: Rules) -> bool:
    try:
        read_lines(text, rules)
    except InputError:
        return text == STANDARD
    return True


def _from_file(path: str, rules: Rules) -> list[Any]:
    # Rows alone, or notes or games with what they say before their rows, of the same rules.
    text = read_text(path)
    try:
        return list(rows_from_file(text, rules)[1])
    except InputError as error:
        raise InputError("{file}: {error}", shown(path), error) from None


def contradicted(notes: Notes, *, as_json: bool) -> int:
    """Say why no code fits, and which rows to look at; return the exit code."""
    # The sentence stands on standard error, as every refusal; the rows to look at are a result.
    contradiction = explain(notes)
    remark(OWN + contradiction.says)
    if as_json:
        click.echo(json.dumps(NotedAdvice(notes, contradiction=contradiction).to_json(), ensure_ascii=False))
        return 2
    shown_lines, _ = contradiction_lines(contradiction, "")
    Screen(sys.stdout, notes.rules).show(shown_lines[1:-1])
    return 2


def told(advice: Advice, views: Sequence[PlayerView] = (), *, answers: bool = False) -> list[Line]:
    """Put advice into lines: the codes left, guesses ranked, the best in words, and how likely each color is."""
    lines = [left_line(advice), *codes_lines(advice, 8), say(), *ranking_lines(advice.guesses, advice.position.rules)]
    if advice.is_proven and advice.keeps_limit:
        lines.append(say("(proved: no other guess is better than the last one here)", tone="quiet"))
    lines += [say(), *advice_lines(advice)]
    for guess in advice.also:
        lines += [say(), *own_lines(advice, guess)]
    if views:
        lines += [say(), *player_lines(views, advice.position.rules)]
    if answers:
        lines += [say(), *answer_lines(advice.best, advice.position.rules)]
    if advice.remaining.count != 1:
        lines += [say(), *marginal_lines(advice)]
    return lines

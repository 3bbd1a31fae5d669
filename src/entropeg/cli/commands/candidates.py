"""`entropeg candidates`: how many codes a history leaves, and the first of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

import click

from entropeg.candidates import STEPS, can_build, count_codes, find_candidates, first_codes
from entropeg.candidates.front import is_buildable
from entropeg.candidates.solver import Solved, solve
from entropeg.chosen_language import translated
from entropeg.cli.options import RulesType, json_option, sample_seed_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.codes import format_code
from entropeg.errors import TooLargeError
from entropeg.plain_values import PlainValue
from entropeg.position import Position, format_turn, parse_turn
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural


@click.command("candidates")
@click.argument("rules", type=RulesType())
@click.argument("turns", nargs=-1, metavar='["GUESS FEEDBACK"]...')
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=10,
    metavar="N",
    help="Show the first N codes, or a sample of N. [default: 10]",
)
@sample_seed_option
@click.option(
    "--prove",
    type=float,
    metavar="SECONDS",
    help="Let the constraint solver find a code, and whether it is the only one.",
)
@json_option
def command(rules: Rules, turns: tuple[str, ...], limit: int, seed: int, prove: float | None, as_json: bool) -> None:
    """Count the codes that a history leaves, and show the first ones.

    RULES is pegs x colors and options, as 4x26. Each turn is one argument: a guess, a space, and its feedback.

    \b
        entropeg candidates 4x26 "ABCD O" "EFGH O" "IJKL O"

    Where they are too many to be counted, a sample is shown, found by random chains, or, where those find hardly any
    code and the extra solver is installed, by the constraint solver, which may also prove that there is no other.

    Keys with --json: rules, rows, count (exact; null where they are too many to be counted), codes, more: whether
    there may be others than those shown, method (list, drawn, built, chains or solver), and says: what the codes are.

    --prove asks the constraint solver (the extra solver), on boards of any size: it finds a code that fits, proves that
    there is none or only this one, or says that the time was too short. Keys with --json are then rules, rows,
    status (found, none or unknown), code (or null), and unique (true, false, or null where that is open).
    """  # noqa: D301 (click knows the character, not the letters)
    position = Position(rules, [parse_turn(text, rules) for text in turns])
    found: CountedCodes | ProvedCode
    if prove is None:
        found = candidates(position, limit, seed)
    else:
        with telling() as stand:
            stand.put(Told("looking for codes, for {seconds:g} s at most", prove))
            found = prove_codes(position, prove)
    click.echo(json.dumps(found.to_json()) if as_json else folded(translated(str(found))))


@dataclass(frozen=True)
class CountedCodes(PlainValue):
    """The codes that some rows leave: their number, and the first of them or a sample."""

    rules: Rules
    rows: tuple[str, ...]
    count: int | None
    """Null where they are too many to be counted."""
    codes: tuple[str, ...]
    more: bool
    """Whether there may be others than these."""
    method: str
    says: str
    """What the codes are."""

    def __str__(self) -> str:
        r"""Write the number, or what the sample is, on the first line, the codes on the second.

        >>> str(CountedCodes(Rules(), (), 1, ("AABB",), more=False, method="list", says="all codes in order"))
        '1 code is left\nAABB'
        """
        left = self.says if self.count is None else plural(self.count, "{n} code is left", "{n} codes are left")
        if not self.codes:
            return left
        if self.count is None:
            left = Told("more codes are left than can be counted; {codes}", self.says)
        # Codes of more than 40 letters have a line each.
        between = " " if all(len(code) <= 40 for code in self.codes) else "\n"
        return Joined([left, "\n", between.join([*self.codes, "..."] if self.more else self.codes)])


def candidates(position: Position, limit: int, seed: int = 0) -> CountedCodes:
    """Count the codes left at a position and list the first ones, or, where they are too many to be counted, a sample.

    Raises ContradictionError where there is none, TooLargeError where no way suits the board, or the codes asked for
    have more than a hundred million pegs together.

    >>> candidates(Position(Rules.parse("2x2")), 2).codes
    ('AA', 'AB')
    """
    rules, turns = position.rules, position.turns
    most = 100_000_000 // rules.pegs  # all of 5x26 may be asked for, and take a minute
    if min(limit, rules.secret_count) > most:
        raise TooLargeError("so many codes of {rules} are too many to list: ask for {most:,} at most", rules, most)
    count = count_left(position)
    if count is None:
        found = find_candidates(rules, turns, limit=max(limit, 1), seed=seed)
        codes, more, method, says = found.codes[:limit], not found.complete, found.method, found.says
        count = len(found.codes) if found.complete else None
    else:
        if count == 0:
            position.check_consistent()
        codes = first_codes(rules, turns, limit) if can_build(rules) else position.candidates[:limit]
        more, method = count > len(codes), "built" if can_build(rules) else "list"
        says = Told("the first codes in order") if more else Told("all codes in order")
    return CountedCodes(
        rules, _rows(position), count, tuple(format_code(code, rules) for code in codes), more, method, says
    )


def _rows(position: Position) -> tuple[str, ...]:
    return tuple(format_turn(turn, position.rules) for turn in position.turns)


def count_left(position: Position) -> int | None:
    """Return how many codes are left, exactly; None where they are too many to be counted."""
    rules = position.rules
    try:
        if not can_build(rules):
            return len(position.candidates)
        if not is_buildable(rules, position.turns):
            return None
        # On larger boards the count is given up after a second rather than twenty.
        return count_codes(
            rules, position.turns, steps=STEPS if rules.secret_count <= 10**12 else STEPS // 10 // rules.pegs
        )
    except TooLargeError:
        return None


@dataclass(frozen=True)
class ProvedCode(PlainValue):
    """What the constraint solver found out: a code that fits some rows, and whether it is the only one."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "rows", "status=solved.status", "code=solved.code", "unique=solved.unique"),
    )

    rules: Rules
    rows: tuple[str, ...]
    solved: Solved

    def __str__(self) -> str:
        """Write it in a line.

        >>> from entropeg.candidates.solver import Solved
        >>> str(ProvedCode(Rules(), (), Solved((0, 0, 1, 1), "found", unique=True)))
        'AABB is the only code that fits: proved'
        """
        code, unique = self.solved.code, self.solved.unique
        if code is None:
            if self.solved.status == "none":
                return Told("no code fits: proved")
            return Told("no code was found in the time, and nothing is proved")
        found = format_code(code, self.rules)
        if unique is None:
            return Told("{code} fits; whether others do was not found out in the time", found)
        if unique:
            return Told("{code} is the only code that fits: proved", found)
        return Told("{code} fits, and so do others", found)


def prove_codes(position: Position, seconds: float) -> ProvedCode:
    """Let the constraint solver find a code that fits, and say whether it is the only one."""
    return ProvedCode(position.rules, _rows(position), solve(position.rules, position.turns, seconds))

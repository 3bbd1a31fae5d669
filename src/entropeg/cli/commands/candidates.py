"""`entropeg candidates`: how many codes a history leaves, and the first of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from entropeg.amounts import plural
from entropeg.candidates import STEPS, can_build, count_codes, find_candidates, first_codes
from entropeg.candidates.front import is_buildable
from entropeg.cli.options import RulesType, json_option, sample_seed_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.codes import format_code
from entropeg.errors import TooLargeError
from entropeg.position import Position, format_turn, parse_turn
from entropeg.rules import Rules

SHOWN = 10
"""Codes that are shown if nobody says how many."""

MOST_PEGS = 100_000_000
"""Most pegs, together, of codes that are listed: all of 5x26 may be asked for, and take a minute."""


SHORT = 40
"""Longer codes have a line each."""

UNCOUNTED = "more codes are left than can be counted; "


@click.command("candidates")
@click.argument("rules", type=RulesType())
@click.argument("turns", nargs=-1, metavar='["GUESS FEEDBACK"]...')
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=SHOWN,
    metavar="N",
    help=f"Show the first N codes, or a sample of N. [default: {SHOWN}]",
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

    Keys with --json: rules, turns, count (exact; null where they are too many to be counted), codes, more: whether
    there may be others than those shown, method (list, drawn, built, chains or solver), and says: what the codes are.

    --prove asks the constraint solver (the extra solver), on boards of any size: it finds a code that fits, proves that
    there is none or only this one, or says that the time was too short. Keys with --json are then rules, turns,
    status (found, none or unknown), code (or null), and unique (true, false, or null where that is open).
    """  # noqa: D301 (click knows the character, not the letters)
    position = Position(rules, [parse_turn(text, rules) for text in turns])
    if prove is not None:
        with telling("", f"looking for codes, for {prove:g} s at most"):
            proved = prove_codes(position, prove)
        click.echo(json.dumps(proved) if as_json else folded(describe_proof(proved)))
        return
    found = candidates(position, limit, seed)
    click.echo(json.dumps(found) if as_json else folded(describe(found)))


def candidates(position: Position, limit: int, seed: int = 0) -> dict[str, Any]:
    """Count the codes left at a position and list the first ones, or, where they are too many to be counted, a sample.

    Raises ContradictionError where there is none, TooLargeError where no way suits the board, or the codes asked for
    have more than `MOST_PEGS` pegs together.

    >>> candidates(Position(Rules.parse("2x2")), 2)["codes"]
    ['AA', 'AB']
    """
    rules, turns = position.rules, position.turns
    if min(limit, rules.secret_count) * rules.pegs > MOST_PEGS:
        most = MOST_PEGS // rules.pegs
        raise TooLargeError(f"so many codes of {rules} are too many to list: ask for {most:,} at most")
    told: dict[str, Any] = {"rules": str(rules), "turns": [format_turn(turn, rules) for turn in turns]}
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
        says = f"{'the first' if more else 'all'} codes in order"
    shown = [format_code(code, rules) for code in codes]
    return told | {"count": count, "codes": shown, "more": more, "method": method, "says": says}


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


def prove_codes(position: Position, seconds: float) -> dict[str, Any]:
    """Let the constraint solver find a code that fits, and say whether it is the only one."""
    from entropeg.candidates.solver import solve

    solved = solve(position.rules, position.turns, seconds)
    return {
        "rules": str(position.rules),
        "turns": [format_turn(turn, position.rules) for turn in position.turns],
        "status": solved.status,
        "code": None if solved.code is None else format_code(solved.code, position.rules),
        "unique": solved.unique,
    }


def describe_proof(found: dict[str, Any]) -> str:
    r"""Write what the solver found out.

    >>> describe_proof({"status": "found", "code": "AABB", "unique": True})
    'AABB is the only code that fits: proved'
    """
    if found["code"] is None:
        proved = "no code fits: proved"
        return proved if found["status"] == "none" else "no code was found in the time, and nothing is proved"
    says = {True: "is the only code that fits: proved", False: "fits, and so do others", None: "fits"}[found["unique"]]
    open_ = "; whether others do was not found out in the time" if found["unique"] is None else ""
    return f"{found['code']} {says}{open_}"


def describe(found: dict[str, Any]) -> str:
    r"""Write what `candidates` found: the number, or what the sample is, on the first line, the codes on the second.

    >>> describe({"count": 1, "codes": ["AA"], "more": False})
    '1 code is left\nAA'
    """
    count: int | None = found["count"]
    codes: Sequence[str] = found["codes"]
    left = (
        f"{UNCOUNTED * bool(codes)}{found['says']}"
        if count is None
        else f"{plural(count, 'code is', 'codes are')} left"
    )
    between = " " if all(len(code) <= SHORT for code in codes) else "\n"
    return left if not codes else f"{left}\n{between.join(codes)}{between + '...' if found['more'] else ''}"

"""Totals of one-step rules beside the published ones: `python benchmarks/table_onestep.py [BOARD ...]`.

Prints the rows of the table in docs/lookup/one-step.md, every code of each board played once by each strategy. `plain`
is the rule as it stands, a candidate first among equals, from its best opening; `best` the best that was found with a
second criterion for equals, with the win counted or not, from the openings that are best for the plain rule. 4x6 takes
two seconds, 5x8 some minutes. With `--ties BOARD RULE OPENING` one row for each way to decide between equals, with
`--cost RULE BOARD ...` the time that symmetry, chance and fewer guesses to choose from cost or save.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from entropeg import codebreakers
from entropeg.codes import parse_code
from entropeg.feedback import Code
from entropeg.rules import Rules
from entropeg.search.known import known_values
from entropeg.search.onestep.criteria import CRITERIA
from entropeg.tree import StrategyTree, openings

BOARDS = ["4x6", "4x7", "4x8", "4x9", "4x10", "5x5", "5x6", "5x7", "5x8", "bulls-and-cows"]

STRATEGIES = {
    "minimax (Knuth)": "minimax",
    "expected size": "expected-size",
    "most parts": "parts",
    "entropy": "entropy",
}
"""Names under which the file of known values lists the rules, and ours."""

PROGRAM: dict[str, list[tuple[str, int, int | None]]] = {
    "4x6": [
        ("minimax", 5801, 5),
        ("sorted-minimax", 5778, None),
        ("expected-size", 5696, None),
        ("entropy", 5683, None),
        ("entropy:win=yes", 5719, None),
        ("parts", 5668, None),
    ],
    "bulls-and-cows": [
        ("minimax", 27030, 7),
        ("expected-size", 26551, 7),
        ("entropy:win=yes", 26409, 8),
        ("parts", 26751, 8),
    ],
}
"""Totals and worst cases that other public programs print for the two classical boards."""

WINNING = ("expected-size", "entropy", "parts")
"""Rules for which counting the win changes something."""

WIDTH = 3
"""Second criteria are tried from so many of the openings that are best for the plain rule; from one on large boards."""

REPEATS = 6

LARGE = 10_000
"""Boards of more codes are large: a tree takes a second."""


class Best(NamedTuple):
    """A strategy and what it takes."""

    total: int
    worst: int
    name: str
    opening: str


def published(board: str) -> list[tuple[str, int, int | None]]:
    """Return rule, total and worst case of every published strategy for a board."""
    if board in PROGRAM:
        return PROGRAM[board]
    known = [value for value in known_values(Rules.parse(board)) if value.strategy in STRATEGIES]
    order = list(STRATEGIES)
    known.sort(key=lambda value: order.index(value.strategy))
    return [(STRATEGIES[value.strategy], value.total, value.worst) for value in known if value.total is not None]


def played(player: Any, tree: StrategyTree) -> Best:
    """Say what a tree takes, once every secret is played through it."""
    return Best(tree.check().total, tree.worst, player.name, tree.code_text(0))


def variants(player: Any) -> Iterator[Any]:
    """Give a rule with every second criterion, with and without the win counted."""
    for win in (False, True) if player.registered in WINNING else (False,):
        for then in ("", *(name for name in CRITERIA if name != player.registered)):
            yield replace(player, win=win, then=then)


def rows(board: str) -> Iterator[str]:
    """Give the rows of the table for one board."""
    rules = Rules.parse(board)
    for name, total, worst in published(board):
        player: Any = codebreakers.get(name)
        made = openings(player, rules)
        plain = played(player, made[0].tree)
        codes = [one.code for one in made[: WIDTH if rules.secret_count <= LARGE else 1]]
        best = min([plain, *(trial(rules, one, code) for one in variants(player) for code in codes)])
        name_of_best = best.name.replace("win=True", "win=yes")
        yield (
            f"| `{board}` | `{name}` | {told(total, worst)} | {plain.opening} {told(plain.total, plain.worst)} | "
            f"`{name_of_best}` {best.opening} | {told(best.total, best.worst)} | {best.total - total:+d} |"
        )


def trial(rules: Rules, player: Any, code: Code) -> Best:
    """Play a strategy from an opening."""
    return played(player, StrategyTree.build(player, rules, opening=code))


def told(total: int, worst: int | None) -> str:
    """Write a total and a worst case."""
    return f"{total} ({worst})" if worst else str(total)


def ties(board: str, name: str, opening: str) -> Iterator[str]:
    """Give a row for each way to decide between equals: what remains in order, and chance under ten seeds."""
    rules = Rules.parse(board)
    player: Any = codebreakers.get(name)
    code = parse_code(opening, rules)
    for one in variants(player):
        for way in ("candidate", "first"):
            found = trial(rules, replace(one, ties=way), code)
            yield f"| `{found.name}` | {told(found.total, found.worst)} |"
    for way in ("candidate-random", "random"):
        totals = sorted(trial(rules, replace(player, ties=way, seed=seed), code).total for seed in range(1, 11))
        yield f"| `{replace(player, ties=way).name}`, seeds 1 to 10 | {totals[0]} to {totals[-1]} |"


def cost(name: str, board: str) -> Iterator[str]:
    """Give the processor time of a tree, the least of several, by one thread, under each option."""
    rules = Rules.parse(board)
    plain: Any = codebreakers.get(name)
    for options in (
        {},
        {"symmetry": False},
        {"shortcut": False},
        {"ties": "candidate-random", "seed": 1},
        {"guesses": "probes", "probes": 50, "seed": 1},
        {"guesses": "candidates"},
    ):
        player = replace(plain, **options)
        times = []
        for _ in range(REPEATS):
            began = time.process_time()
            StrategyTree.build(player, rules, threads=1)
            times.append(time.process_time() - began)
        yield f"| `{board}` | `{player.name}` | {1000 * min(times):.0f} ms |"


def main(arguments: list[str]) -> None:
    """Print the rows that are asked for."""
    if arguments[:1] == ["--ties"]:
        print("\n".join(ties(*arguments[1:])))
        return
    if arguments[:1] == ["--cost"]:
        for board in arguments[2:]:
            print("\n".join(cost(arguments[1], board)), flush=True)
        return
    for board in arguments or BOARDS:
        for line in rows(board):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])

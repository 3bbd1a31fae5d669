"""Recorded games: rules, players, seed, every guess, feedback, and the number of candidates left.

`python -m playthroughs` in the folder `tests` writes them again; read the difference before you commit it.
"""

from __future__ import annotations

from pathlib import Path

from entropeg import codebreakers, codemakers
from entropeg.codes import is_listable
from entropeg.loop import play
from entropeg.position import Position, format_turn
from entropeg.rules import Rules

FOLDER = Path(__file__).parent

SPECS = {
    "random-2x6": ("2x6", "random", "honest", 1),
    "memory-2x6": ("2x6", "memory", "honest", 2),
    "consistent-4x8": ("course", "consistent", "honest", 3),
    "consistent-4x8-cheat": ("course", "consistent", "cheat", 4),
    "first-consistent-4x6": ("classic", "first-consistent", "honest", 5),
    "first-consistent-4x6-cheat": ("4x6", "first-consistent", "cheat:first", 6),
    "consistent-bulls-and-cows": ("bulls-and-cows", "consistent", "honest", 7),
    "consistent-4x6-black": ("4x6/black", "consistent", "honest", 8),
    "consistent-4x6-membership": ("4x6/membership", "consistent", "honest", 9),
    "consistent-4x6-positional": ("4x6/positional", "consistent", "honest", 10),
    "consistent-4x5-blanks": ("4x5/blanks-in-secrets", "consistent", "honest", 11),
    "consistent-4x6-blank-guesses": ("4x6/no-repeats/guess-repeats/blanks", "consistent", "honest", 12),
    "random-limit": ("20x20/limit=3", "random", "honest", 13),
}


def record(name: str) -> str:
    """Play one of the recorded games again and write it down."""
    board, breaker, maker, seed = SPECS[name]
    rules = Rules.parse(board)
    lines = [f"rules: {rules}", f"codebreaker: {breaker}", f"codemaker: {maker}", f"seed: {seed}", ""]

    def write(position: Position) -> None:
        left = len(position.candidates) if is_listable(rules) else "?"
        lines.append(f"{format_turn(position.turns[-1], rules)}  {left}")

    game = play(codebreakers.get(breaker), codemakers.get(maker), rules, seed, on_turn=write)
    return "\n".join([*lines, "", f"{game.outcome} {len(game)}", ""])


def write_all() -> None:
    """Write every recorded game again."""
    for name in SPECS:
        (FOLDER / f"{name}.txt").write_text(record(name), encoding="utf-8")

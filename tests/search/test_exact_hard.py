"""The exact search under hard rules, where guesses use every clue, against trying everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from entropeg.codes import guesses, random_secret, score, secrets
from entropeg.errors import TooLargeError
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.proving.opening_totals import opening_totals
from entropeg.search.strategies import Node
from entropeg.search.values import PositionValues
from entropeg.tree.optimum import optimal
from naive import marks
from rooms import cases

Code = tuple[int, ...]
Turns = tuple[tuple[Code, Code], ...]
NEVER = 10**9
BOARDS = ["3x3", "2x4", "4x2", "3x2", "3x4/no-repeats", "2x6"]


def uses_every_clue(guess: Code, turns: Turns) -> bool:
    """By the definition, answer by answer."""
    for earlier, answer in turns:
        for peg, mark in enumerate(answer):
            marked = sum(1 for color, other in zip(earlier, answer, strict=True) if other and color == earlier[peg])
            if (mark == 2 and guess[peg] != earlier[peg]) or (mark and guess.count(earlier[peg]) < marked):
                return False
    return True


def trying_everything(tried: list[Code], weight: dict[Code, int]) -> Callable[[tuple[Code, ...], Turns, int], int]:
    """The least total of a set after some turns, with so many guesses left."""

    @cache
    def least(left: tuple[Code, ...], turns: Turns, guesses_left: int) -> int:
        if not guesses_left:
            return NEVER
        whole, best = sum(weight[code] for code in left), NEVER
        for guess in tried:
            if not uses_every_clue(guess, turns):
                continue
            parts: dict[Code, list[Code]] = {}
            for code in left:
                parts.setdefault(tuple(marks(guess, code)), []).append(code)
            won = (2,) * len(guess)
            if len(parts) == 1 and won not in parts:
                continue
            total = whole
            for answer, part in parts.items():
                if answer != won and total < best:
                    # What every answer so far obliges to, and nothing else, makes two histories alike.
                    total += least(tuple(part), tuple(sorted({*turns, (guess, answer)})), guesses_left - 1)
            best = min(best, total)
        return best

    return least


def drawn_rules(rng: np.random.Generator, folder: Path) -> Rules:
    if rng.random() < 0.4:
        return Rules.parse(f"{BOARDS[int(rng.integers(len(BOARDS)))]}/positional/hard")
    pegs, letters = int(rng.integers(2, 5)), list("abcdef"[: int(rng.integers(2, 7))])
    size = min(len(letters) ** pegs, int(rng.integers(3, 30)))
    words: set[str] = set()
    while len(words) < size:
        words.add("".join(rng.choice(letters, pegs)))
    listed = rng.permutation(sorted(words)).tolist()
    (folder / "words.txt").write_text("\n".join(listed[: max(3, size // 2)]) + "\n")
    (folder / "probes.txt").write_text("\n".join(listed[max(3, size // 2) :] or listed[:1]) + "\n")
    return Rules.parse(f"words:{folder}/words.txt/positional/hard/probes={folder}/probes.txt")


def drawn_position(rng: np.random.Generator, folder: Path) -> Position:
    while True:
        rules = drawn_rules(rng, folder)
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(int(rng.integers(0, 3))):
            allowed = position.legal_guesses
            guess = tuple(allowed[int(rng.integers(len(allowed)))])
            position = position.after(guess, score(guess, secret, rules))
        if not position.is_won and len(position.candidates) <= 14:
            return position


def plain_turns(position: Position) -> Turns:
    return tuple(sorted({(turn.guess, tuple(turn.feedback)) for turn in position.turns}))


def check_obeys(node: Node, turns: Turns) -> None:
    """Every guess of a strategy uses every clue."""
    assert uses_every_clue(node.guess, turns)
    for label, child in node.children.items():
        answer = tuple(label // 3**place % 3 for place in reversed(range(len(node.guess))))
        check_obeys(child, (*turns, (node.guess, answer)))


@pytest.mark.parametrize("seed", range(cases(2, 40)))
def test_totals_are_those_by_trying_everything(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(12):
        position = drawn_position(rng, tmp_path)
        left, turns = tuple(map(tuple, position.candidates)), plain_turns(position)
        is_weighted, limit = rng.random() < 0.3, int(rng.integers(2, 5)) if rng.random() < 0.4 else None
        weight = {code: int(rng.integers(1, 20)) if is_weighted else 1 for code in left}
        least = trying_everything([tuple(guess) for guess in guesses(position.rules)], weight)
        expected = least(left, turns, limit or 30)

        found = optimal(position, limit=limit, threads=1, weights=weight if is_weighted else None)

        assert (expected >= NEVER) == found.is_impossible
        if found.root is not None and not found.is_impossible:
            total = round((found.expected or 0) * sum(weight.values())) if is_weighted else found.total
            assert expected == total
            check_obeys(found.root, turns)


def test_guesses_are_valued_at_positions(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    for _ in range(8):
        position = drawn_position(rng, tmp_path)
        left, turns = tuple(map(tuple, position.candidates)), plain_turns(position)
        least = trying_everything([tuple(guess) for guess in guesses(position.rules)], dict.fromkeys(left, 1))
        values = PositionValues.of(position)
        with values.opened():
            assert least(left, turns, 30) == values.value().lower
            best, _ = values.best(2)
        for guess, total in best:
            assert uses_every_clue(guess, turns)
            with values.opened():
                assert total == values.after(guess).lower


def test_a_hard_board_is_never_easier_and_its_openings_are_valued() -> None:
    for board in ("3x3/positional", "2x6/positional", "4x3/positional"):
        free, hard = optimal(board), optimal(f"{board}/hard")

        assert hard.value.lower >= free.value.lower
        assert hard.value.lower == opening_totals(f"{board}/hard").openings[0].value.lower
        assert len(secrets(hard.rules)) == hard.size


def test_what_hard_rules_do_not_have_is_said() -> None:
    with pytest.raises(TooLargeError, match="where every guess is allowed"):
        optimal("3x3/positional/hard", fewest_at_worst=True)

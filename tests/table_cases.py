"""Drawn cases of exact play: rules, positions and weights, read without the package, and the search held to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from entropeg.advise import advise
from entropeg.position import Position
from entropeg.search.proving.opening_totals import OpeningTotals
from entropeg.search.results import Solution
from entropeg.search.strategies import Node
from entropeg.tree.optimum import optimal
from naive_tables import (
    NEVER,
    SCORES,
    Code,
    Score,
    TableSolver,
    Turn,
    all_codes,
    digits,
    fitting,
    grand,
    spelled,
    uses_clues,
)

LETTERS = "abcdefgh"
LIMITS = ("", "limit", "limit of the rules", "worst")
ASKED = [
    (limit, consistent, weights)
    for limit, consistent, weights in product(LIMITS, (False, True), ("", "whole", "some never", "first color"))
]

# ------------------------------------------------------------------ rules and positions, read without the package


@dataclass(frozen=True)
class Board:
    """Rules: their text, every guess and secret, and how a guess is answered."""

    rules: str
    guesses: list[Code]
    secrets: list[Code]
    kind: str
    score: Score
    letters: str = ""  # of words

    @property
    def pegs(self) -> int:
        return len(self.secrets[0])

    @property
    def hard(self) -> bool:
        return "hard" in self.rules.split("/")

    @classmethod
    def of(cls, rules: str) -> Board:
        """Read rules of a board."""
        size, *options = rules.split("/")
        pegs, colors = map(int, size.split("x"))
        shapes = [int(option.removeprefix("shapes=")) for option in options if option.startswith("shapes=")]
        kind = "grand" if shapes else next((option for option in options if option in SCORES), "standard")
        unlike = "no-repeats" in options
        secrets = all_codes(pegs, colors + ("blanks-in-secrets" in options), repeats=not unlike)
        holes = "blanks" in options or "blanks-in-secrets" in options
        guesses = all_codes(pegs, colors + holes, repeats=not unlike or "guess-repeats" in options)
        return cls(rules, guesses, secrets, kind, grand(*shapes) if shapes else SCORES[kind])

    def spell(self, code: Code) -> str:
        """A code as people write it."""
        if self.letters:
            return "".join(self.letters[color] for color in code)
        if self.kind == "grand":
            shapes = int(self.rules.partition("shapes=")[2].split("/")[0])
            return "-".join(f"{'ABCDEFGHI'[color // shapes]}{color % shapes + 1}" for color in code)
        size, *options = self.rules.split("/")
        hole = int(size.split("x")[1]) if any(option.startswith("blanks") for option in options) else -1
        return "".join("_" if color == hole else "ABCDEFGHI"[color] for color in code)

    def tell(self, label: int) -> str:
        """Feedback as people write it."""
        if self.kind == "positional":
            return "".join(map(str, digits(label, self.pegs)))
        if self.kind == "black":
            return f"{label}b"
        label, blue = divmod(label, self.pegs + 1) if self.kind == "grand" else (label, 0)
        black, white = divmod(label, self.pegs + 1)
        return f"{black}b{white}w{blue}h" if self.kind == "grand" else f"{black}b{white}w"


@dataclass(frozen=True)
class Case:
    """A position, and what is asked of it."""

    board: Board
    turns: list[Turn] = field(default_factory=list)
    weights: dict[Code, int] = field(default_factory=dict)
    rules: str = ""  # where they say more than those of the board

    @property
    def left(self) -> list[Code]:
        return fitting(self.board.score, self.board.secrets, self.turns)

    @property
    def position(self) -> Position:
        rows = [(self.board.spell(guess), self.board.tell(label)) for guess, label in self.turns]
        return Position(self.rules or self.board.rules, rows)

    def solver(self, *, consistent: bool = False) -> TableSolver:
        board, left = self.board, self.left
        weights = [self.weights[code] for code in left] if self.weights else None
        return TableSolver(
            board.guesses, left, board.score, weights=weights, consistent=consistent, hard=board.hard, turns=self.turns
        )

    def __str__(self) -> str:
        rows = [f"{self.board.spell(guess)} {self.board.tell(label)}" for guess, label in self.turns]
        weights = {self.board.spell(code): weight for code, weight in self.weights.items()}
        return f"{self.rules or self.board.rules} after {rows}" + f", weights {weights}" * bool(weights)


def drawn(board: Board, rng: Random, most: int) -> Case:
    """A position of two codes to the most, reached by random guesses; it is drawn anew where only few are left."""
    turns: list[Turn] = []
    for _ in range(10):
        secret, turns, left = rng.choice(board.secrets), [], board.secrets
        while len(left) > most:
            allowed = [guess for guess in board.guesses if not board.hard or uses_all(guess, turns)]
            guess = rng.choice(allowed)
            if guess != secret:
                turns.append((guess, board.score(guess, secret)))
                left = fitting(board.score, left, turns[-1:])
        if len(left) >= min(6, len(board.secrets)):
            break
    return Case(board, turns)


def uses_all(guess: Code, turns: list[Turn]) -> bool:
    return all(uses_clues(earlier, label, guess) for earlier, label in turns)


def weighed(case: Case, rng: Random, kind: str) -> Case:
    """The same with weights of a kind for all secrets of the rules."""
    laws: dict[str, Callable[[Code], int]] = {
        "whole": lambda _: rng.randint(1, 40),
        "some never": lambda _: rng.choice((0, 1, 1, 8)),
        "first color": lambda code: 3 if 0 in code else 1,
    }
    weights = {code: laws[kind](code) for code in case.board.secrets} if kind else {}
    if kind and not any(weights[code] for code in case.left):
        weights[case.left[0]] = 1
    return Case(case.board, case.turns, weights, case.rules)


def word_board(folder: Path, rng: Random, kind: str, *, least: int = 6, most: int = 30) -> Board:
    """Draw a list over few letters, in any order; some have probes, some free guesses, some capitals and accents."""
    pegs = rng.randint(2 if most < 60 else 4, 5)
    letters = LETTERS[: rng.randint(3 if most < 60 else 5, 6 if pegs > 2 else 8)]
    every = ["".join(word) for word in product(letters, repeat=pegs)]
    words = rng.sample(every, min(len(every), rng.randint(least, most)))
    others = sorted({*every} - {*words})
    probes = rng.sample(others, min(len(others), rng.randint(0, 20))) if rng.random() < 0.6 else []
    known = "".join(sorted({*"".join(words + probes)}))
    free = not probes and len(known) ** pegs <= 81
    fold = rng.random() < 0.3
    options = [kind] * (kind != "standard") + ["free-guesses"] * free + ["fold"] * fold
    files = {"words": words, "probes": probes}
    for name, listed in files.items():
        shown = [disguised(word, rng) if fold else word for word in listed]
        (folder / name).write_text("\n".join(shown) + "\n", encoding="utf-8")
    options += [f"probes={folder / 'probes'}"] * bool(probes)
    secrets = sorted(spelled(words, known))
    guesses = all_codes(pegs, len(known)) if free else sorted(spelled(words + probes, known))
    rules = "/".join([f"words:{folder / 'words'}", *options])
    return Board(rules, guesses, secrets, kind, SCORES[kind], known)


def disguised(word: str, rng: Random) -> str:
    """The same word to those who fold: capitals, accents."""
    accented = {"a": "àÂä", "c": "çÇ", "e": "éÈê"}
    return "".join(rng.choice([letter, letter.upper(), *accented.get(letter, "")]) for letter in word)


# ------------------------------------------------------------------ the search against the slow solver


def played(root: Node, case: Case, *, consistent: bool) -> dict[Code, int]:
    """Play the strategy against every secret of some weight: guesses that each took. All of them must be allowed."""
    board, taken = case.board, {}
    allowed = set(board.guesses)
    for secret in case.left:
        if case.weights and not case.weights[secret]:
            continue
        node, turns = root, list(case.turns)
        while True:
            assert node.guess in allowed, case
            assert not board.hard or uses_all(node.guess, turns), case
            assert not consistent or node.guess in fitting(board.score, board.secrets, turns), case
            turns.append((node.guess, board.score(node.guess, secret)))
            if node.guess == secret:
                break
            node = node.children[turns[-1][1]]
        taken[secret] = len(turns) - len(case.turns)
    return taken


def check(found: Solution, case: Case, expected: float, limit: float, *, consistent: bool) -> None:
    """Hold what was found to the least total within a limit."""
    shown = f"{case}: {found}, expected {expected} within {limit} guesses, consistent: {consistent}"
    assert found.is_impossible == (expected == NEVER), shown
    if expected == NEVER:
        return
    assert found.is_exact, shown
    assert expected == found.value.lower == found.value.upper, shown
    assert found.root is not None, shown
    taken = played(found.root, case, consistent=consistent)
    assert expected == sum(taken[code] * (case.weights[code] if case.weights else 1) for code in taken), shown
    assert max(taken.values()) == found.worst, shown
    assert found.worst <= limit, shown
    assert dict(sorted(Counter(taken.values()).items())) == found.histogram, shown


def held(case: Case, rng: Random, limit: str, *, consistent: bool) -> None:
    """Ask for the least total of a case, under some limit, and hold the answer to the slow solver."""
    solver = case.solver(consistent=consistent)
    options: dict[str, Any] = {"consistent_only": consistent, "threads": rng.choice((1, 2))}
    options |= {"weights": case.weights} if case.weights else {}
    least, total = solver.least_worst()
    allowed: float = NEVER
    if limit == "worst":
        options["worst"], allowed = True, least
    elif limit:
        allowed = max(1, least + rng.choice((-1, 0, 0, 1)))
        total = solver.total(int(allowed))
        if limit == "limit":
            options["limit"] = int(allowed)
        else:
            rules = f"{case.board.rules}/limit={len(case.turns) + int(allowed)}"
            case = Case(case.board, case.turns, case.weights, rules)
    else:
        total = solver.total()
    check(optimal(case.position, **options), case, total, allowed, consistent=consistent)


def advised(case: Case, rng: Random, *, limited: bool) -> None:
    """Hold the numbers of advice to the slow solver."""
    board, solver, size, left = case.board, case.solver(), len(case.left), NEVER
    if limited:
        left = solver.least_worst()[0] + rng.randint(0, 1)
        case = Case(board, case.turns, rules=f"{board.rules}/limit={len(case.turns) + int(left)}")
    totals = solver.totals(int(left)) if limited else solver.totals()
    known = dict(zip(board.guesses, totals, strict=True))
    asked = [guess for guess in board.guesses if known[guess] < NEVER or not board.hard]
    advice = advise(case.position, limit=5, also=rng.sample(asked, min(len(asked), 20)), time=60)

    assert Fraction(int(min(totals)), size) == advice.value.fraction, case
    assert advice.is_proven, case
    for one in (*advice.guesses, *advice.also):
        if known[one.guess] == NEVER:
            assert one.expected.value == NEVER, (case, one)
        else:
            assert Fraction(int(known[one.guess]), size) == one.expected.fraction, (case, one)
    listed = [known[one.guess] for one in advice.guesses]
    assert sorted(listed) == listed, case
    assert {total for total in totals if total < listed[-1]} == {*listed} - {listed[-1]}, case


def totals_held(case: Case, found: OpeningTotals) -> None:
    """Hold the totals of openings to the slow solver: each is right, and no other total is left out.

    But for guesses that tell nothing, which are no openings.
    """
    solver = case.solver()
    totals = solver.totals()
    known = dict(zip(case.board.guesses, totals, strict=True))
    values = [one.value for one in found.openings]

    assert all(one.is_exact for one in found.openings), case
    assert [(one.guess, known[one.guess]) for one in found.openings] == [
        (one.guess, one.value.lower) for one in found.openings
    ], case
    assert sorted(value.lower for value in values) == [value.lower for value in values], case
    assert {*totals} - {solver.total() + len(solver.secrets)} <= {value.lower for value in values} <= {*totals}, case

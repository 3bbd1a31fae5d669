"""Compares the functions of a project's `common.py` with those of entropeg."""

from __future__ import annotations

import random
from ast import literal_eval
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.mistakes import MISTAKES
from entropeg.classroom.modules import read_module
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.worker import spelled, standard
from entropeg.rules import Rules

EXHAUSTIVE, SAMPLED = Rules.parse("3x3/course"), Rules.parse("4x8/course")

PAIRS, SETS = 2000, 4
"""On the large board: pairs drawn for `evaluation`, and turns for the functions that make sets."""

DRAWN = 40
"""Codes that are drawn by `choices`."""

Evaluation = tuple[int, int]


def check_common(project: Project, file: Path, limits: Limits) -> None:
    """Hold `evaluation`, `donner_possibles` and `maj_possibles` against ours, on a small board and on 4x8."""
    functions = read_module(file, str(file)).functions
    for board in (EXHAUSTIVE, SAMPLED):
        found = _on_board(project, file, limits, board)
        if found.wrong and board is EXHAUSTIVE and not _on_board(project, file, limits, SAMPLED).wrong:
            _hard_coded(project, file, limits, found)
            return
        project.findings += found.findings
        if found.wrong:
            return
    for name in CommonFunctions.CHECKED:
        if name in functions:
            count = "every pair of codes" if name == "evaluation" else "every guess and evaluation"
            drawn = PAIRS if name == "evaluation" else SETS
            text = f"{name} is right: {count} on {EXHAUSTIVE}, {drawn:,} drawn on {SAMPLED}"
            project.add(project.name(file), "right", text)


def _on_board(project: Project, file: Path, limits: Limits, board: Rules) -> Project:
    # The findings on one board, in a project of their own.
    found = Project(project.folder, board)
    functions = read_module(file, str(file)).functions
    process: Process | None = None
    try:
        process = Process(file.absolute(), str(file), "common", board, limits)
        common = CommonFunctions(found, process, board, functions)
        common.names()
        common.all_right()
    except ModuleFault as error:
        if board is EXHAUSTIVE and error.fault.kind in {"syntax", "package", "time", "exit", "ended"}:
            raise  # it is the same on every board
        found.add(project.name(file), "wrong", error.fault.sentence, error.fault.kind)
    finally:
        if process is not None:
            process.close()
    return found


def _hard_coded(project: Project, file: Path, limits: Limits, found: Project) -> None:
    # Right on the course's board alone: which of the two constants it does not follow shows on a third one.
    colors = bool(_on_board(project, file, limits, Rules.parse("4x3/course")).wrong)
    length = bool(_on_board(project, file, limits, Rules.parse("3x8/course")).wrong)
    what = "LENGTH and COLORS" if colors == length else "COLORS" if colors else "LENGTH"
    project.findings += [each for each in found.findings if each.verdict != "wrong"]
    for each in found.wrong:
        text = f"does not follow {what}: it is right on {SAMPLED}, and on {EXHAUSTIVE} it is not; {each.text}"
        project.add(each.file, "wrong", text, "follow")


class CommonFunctions:
    """The functions of one `common.py` on one board."""

    CHECKED = ("evaluation", "donner_possibles", "maj_possibles")

    def __init__(self, project: Project, process: Process, board: Rules, functions: dict[str, int]) -> None:
        """Keep the board and its codes."""
        self.project, self.process, self.board, self.functions = project, process, board, functions
        self.name = project.name(Path(process.shown))
        self.codes = list(map("".join, product(process.letters[: board.colors], repeat=board.pegs)))
        self.random = random.Random(0)
        self.faulty = list[str]()

    def names(self) -> None:
        """Note the functions that are not there."""
        if self.board is not EXHAUSTIVE:
            return
        for name in self.CHECKED:
            if name not in self.functions:
                self.project.add(self.name, "note", f"it has no function {name}")

    def all_right(self) -> bool:
        """Check every function that is there; False where one is wrong."""
        checks = {
            "choices": self.choices,
            "evaluation": self.evaluation,
            "donner_possibles": self.possible,
            "maj_possibles": self.update,
        }
        right = True
        for name, check in checks.items():
            if name in self.functions:
                try:
                    right &= check()
                except ModuleFault as error:
                    self.wrong(name, error.fault.text, error.fault.kind, error.fault)
                    right = False
                if name == "evaluation" and not right and "evaluation" in self.faulty:
                    self.project.add(self.name, "note", "what rests on evaluation was not looked at")
                    return False
        return right

    def wrong(self, name: str, text: str, kind: str, fault: Fault | None = None) -> bool:
        """Note a mistake, with file and line."""
        self.faulty.append(name)
        place = fault.place if fault is not None else f"{self.process.shown}, line {self.functions[name]}"
        self.project.add(self.name, "wrong", f"{place}: {text}", kind)
        return False

    def evaluate(self, guess: str, secret: str) -> Evaluation:
        """Return the right evaluation."""
        return standard(guess, secret, self._counts(secret))

    @cache  # noqa: B019 (it goes with the process at the end of the check)
    def _counts(self, secret: str) -> dict[str, int]:
        return {letter: secret.count(letter) for letter in self.process.letters}

    def choices(self) -> bool:
        """Draw some codes, by `choices()` or, as an older handout has it, by `choices(COLORS, LENGTH)`."""
        letters = self.process.letters[: self.board.colors]
        try:
            told, call = self.process.ask("choices", [[]] * DRAWN), "choices()"
        except ModuleFault as error:
            if "TypeError" not in error.fault.text or "argument" not in error.fault.text:
                raise
            told = self.process.ask("choices", [[list(letters), self.board.pegs]] * DRAWN)
            call = f"choices({list(letters)}, {self.board.pegs})"
        for kind, _, shown in told:
            code = literal_eval(shown) if kind in {"str", "tuple", "list"} else None
            if kind in {"tuple", "list"} and (text := spelled(code)) is not None:
                kinds = f"{kind}s"
                what = f"the codes are {kinds} such as {shown}; the course wants {text!r}"
                return self.wrong("choices", f"{call} returns {_a(kind)}: {what}", "type")
            if not isinstance(code, str):
                return self.wrong("choices", f"{call} returns {shown}, {_a(kind)}; it must be a string", "type")
            if len(code) != self.board.pegs or not set(code) <= set(letters):
                size = f"{self.board.pegs} letters out of {letters}"
                return self.wrong("choices", f"{call} returns {shown}; a code has {size}", "choices")
        if len({shown for _, _, shown in told}) == 1:
            return self.wrong("choices", f"{call} returns {told[0][2]} each of {DRAWN} times", "choices")
        return True

    def evaluation(self) -> bool:
        """Compare evaluations, and name their mistakes in general."""
        if self.board is EXHAUSTIVE:
            pairs = list(product(self.codes, repeat=2))
        else:
            pairs = [(self.random.choice(self.codes), self.random.choice(self.codes)) for _ in range(PAIRS)]
        told = self.process.ask("evaluation", [list(pair) for pair in pairs])
        wrong = []
        for pair, (kind, value, shown) in zip(pairs, told, strict=True):
            if value is None or kind != "tuple":
                text = f"evaluation{pair} returns {shown}, {_a(kind)}; it must be a tuple of two whole numbers"
                return self.wrong("evaluation", text, "type")
            if tuple(value) != self.evaluate(*pair):
                wrong.append((pair, tuple(value)))
        if not wrong:
            return True
        pair, value = wrong[0]
        kind, why = self._why(
            [(guess, secret, tuple(v)) for (guess, secret), (_, v, _) in zip(pairs, told, strict=True)]
        )
        text = f"evaluation{pair} is {value}; it should be {self.evaluate(*pair)}{why}"
        return self.wrong("evaluation", text, kind)

    def _why(self, told: list[tuple[str, str, Evaluation]]) -> tuple[str, str]:
        if all(value == self.evaluate(g, s)[::-1] for g, s, value in told):
            return "swapped", ": well placed and misplaced are exchanged"
        for mistake in MISTAKES:
            for way in (1, -1):
                if all(value == mistake.evaluate(g, s)[::way] for g, s, value in told):
                    exchanged = "; well placed and misplaced are exchanged too" if way < 0 else ""
                    return mistake.kind, f": {mistake.why}{exchanged}"
        return "wrong evaluation", ""

    def _turns(self) -> list[tuple[str, Evaluation]]:
        if self.board is EXHAUSTIVE:
            evaluations = sorted({self.evaluate(guess, secret) for guess in self.codes for secret in self.codes})
            return list(product(self.codes, evaluations))
        drawn = [(self.random.choice(self.codes), self.random.choice(self.codes)) for _ in range(SETS)]
        return [(guess, self.evaluate(guess, secret)) for guess, secret in drawn]

    def _fitting(self, codes: list[str], guess: str, pair: Evaluation) -> list[str]:
        return sorted(code for code in codes if self.evaluate(guess, code) == pair)

    def possible(self) -> bool:
        """Compare sets of possible codes; the guess itself may be left out, as one of the documents does."""
        turns = self._turns()
        told = self.process.ask("donner_possibles", [[guess, list(pair)] for guess, pair in turns])
        for (guess, pair), (kind, value, shown) in zip(turns, told, strict=True):
            call = f"donner_possibles({guess!r}, {pair})"
            if kind.endswith((" of tuples", " of lists")):
                what = kind.rpartition(" ")[2]
                text = f"{call} returns {_a(kind)}: the codes are {what} such as {shown}; the course wants {guess!r}"
                return self.wrong("donner_possibles", text, "type")
            if kind != "set" or value is None:
                return self.wrong(
                    "donner_possibles", f"{call} returns {shown}, {_a(kind)}; it must be a set of codes", "type"
                )
            right = self._fitting(self.codes, guess, pair)
            if value not in (right, [code for code in right if code != guess]):
                return self.wrong("donner_possibles", f"{call} {_difference(value, right)}", "wrong set")
        return True

    def update(self) -> bool:
        """Compare sets after `maj_possibles`: they must be changed in place."""
        turns = self._turns()
        before = [self._some(guess) for guess, _ in turns]
        asked = [[codes, guess, list(pair)] for codes, (guess, pair) in zip(before, turns, strict=True)]
        told = self.process.ask("maj_possibles", asked, update=True)
        for codes, (guess, pair), (kind, value, shown, after) in zip(before, turns, told, strict=True):
            right = self._fitting(codes, guess, pair)
            if after in (right, [code for code in right if code != guess]):
                continue
            call = f"maj_possibles(possibles, {guess!r}, {pair})"
            if after == sorted(codes) and value == right:
                text = f"{call} returns another set and leaves the one it is given as it was: it must change that one"
                return self.wrong("maj_possibles", text, "not in place")
            said = f"; it returns {_a(kind)}{f', {shown}' if shown else ''}" if kind != "NoneType" else ""
            return self.wrong("maj_possibles", f"{call} {_difference(after, right)}{said}", "wrong set")
        return True

    def _some(self, guess: str) -> list[str]:
        # All codes at first, then the half that some other turn leaves.
        other = self.random.choice(self.codes)
        return (
            self.codes if self.random.random() < 0.5 else self._fitting(self.codes, other, self.evaluate(other, guess))
        )


def _difference(value: list[Any], right: list[str]) -> str:
    extra, missing = sorted(set(value) - set(right)), sorted(set(right) - set(value))
    said = []
    if extra:
        said.append(
            f"keeps {extra[0]!r} and other codes that do not fit, {len(extra)} in all"
            if len(extra) > 1
            else f"keeps {extra[0]!r}, which does not fit"
        )
    if missing:
        said.append(
            f"loses {missing[0]!r} and other codes that fit, {len(missing)} in all"
            if len(missing) > 1
            else f"loses {missing[0]!r}, which fits"
        )
    return " and ".join(said)


def _a(kind: str) -> str:
    return kind if kind == "NoneType" else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"

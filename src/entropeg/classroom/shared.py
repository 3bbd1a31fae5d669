"""Compares the functions of a project's `common.py` with those of entropeg."""

from __future__ import annotations

import random
from ast import literal_eval
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from entropeg.classroom.faults import Fault, ModuleFault, at_line
from entropeg.classroom.findings import Project
from entropeg.classroom.foreign import writes_tuples
from entropeg.classroom.functions.accepted import IN_TUPLES, is_drawn_code, is_right_set
from entropeg.classroom.functions.conventions import TUPLES, USUAL
from entropeg.classroom.functions.mistakes import KeptCodes, draw_mistake, evaluation_mistake, set_mistake
from entropeg.classroom.functions.ours import NAMES
from entropeg.classroom.modules import read_module
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.worker import a_kind, several, spelled, standard
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

EXHAUSTIVE, SAMPLED = Rules.parse("3x3/course"), Rules.parse("4x8/course")

PAIRS, SETS = 2000, 4
"""On the large board: pairs drawn for `evaluation`, and turns for the functions that make sets."""

DRAWN = 40
"""Codes that are drawn by `choices`."""

Evaluation = tuple[int, int]


@dataclass
class CommonOnBoard:
    """What was found on one board: its findings, the functions that ours must replace, why it cannot be imported."""

    found: Project
    faulty: list[str] = field(default_factory=list)
    unusable: Fault | None = None
    gaps: set[str] = field(default_factory=set)
    """Functions that cannot be judged yet."""


@dataclass
class CheckedCommon:
    """The looking at one `common.py`: its functions are held against ours, on a small board and on 4x8."""

    project: Project
    file: Path
    limits: Limits
    left: Callable[[], object]
    """Called before each function; raises KeyboardInterrupt where it is to end."""

    convention: str = USUAL
    """How it writes codes."""

    def faulty(self) -> list[str]:
        """Note what is found, and return the functions in whose place ours make of it a right one.

        Raises ModuleFault where it cannot be imported, and what `left` does.
        """
        project, file = self.project, self.file
        functions, held_up, gaps = read_module(file, str(file)).functions, dict[str, str](), set[str]()
        for board in (EXHAUSTIVE, SAMPLED):
            looked = self.on_board(board)
            if looked.found.wrong and board is EXHAUSTIVE and writes_tuples(file, self.limits):
                self.convention = TUPLES
                project.add(project.name(file), "note", IN_TUPLES, "convention")
                looked = self.on_board(board)
            held_up |= {function: each.name for each in looked.found.missing for function in each.held_up}
            gaps |= looked.gaps
            if looked.found.wrong and board is EXHAUSTIVE:
                faulty = self._sizes(looked)
                if faulty is not None:
                    return faulty
            project.findings += [each for each in looked.found.findings if each not in project.findings]
            if looked.found.wrong:
                return looked.faulty
        for function, package in held_up.items():
            project.miss(package, project.name(file))
            text = Told("{function} cannot be judged here: it needs {package}, which is missing", function, package)
            project.add(project.name(file), "note", text, "package")
        for name in CommonFunctions.CHECKED:
            if name in functions and name not in {*held_up, *gaps}:
                pairs = Template("{name} is right: every pair of codes on {small}, {drawn:,} drawn on {large}")
                sets = Template("{name} is right: every guess and evaluation on {small}, {drawn:,} drawn on {large}")
                said, drawn = (pairs, PAIRS) if name == "evaluation" else (sets, SETS)
                project.add(project.name(file), "right", Told(said, name, EXHAUSTIVE, drawn, SAMPLED))
        return []

    def on_board(self, board: Rules) -> CommonOnBoard:
        """Return the findings on one board, in a project of their own."""
        project, file = self.project, self.file
        looked = CommonOnBoard(Project(project.folder, board))
        process: Process | None = None
        try:
            process = self._process(board)
            common = self._functions(looked.found, process)
            common.names()
            looked.faulty, looked.gaps = common.faulty, common.gaps
            if not common.all_right() and "evaluation" in common.faulty:
                self._behind_evaluation(common)
        except ModuleFault as error:
            fault, always = error.fault, {"syntax", "package", "time", "exit", "ended", "unwritten"}
            if fault.package or (board is EXHAUSTIVE and fault.kind in always):
                raise  # it is the same on every board
            looked.found.add(project.name(file), "wrong", fault.sentence, fault.kind)
            looked.unusable = fault if process is None else None
        finally:
            if process is not None:
                process.close()
        return looked

    def _process(self, board: Rules, ours: Sequence[str] = ()) -> Process:
        convention = "" if self.convention == USUAL else self.convention
        return Process(self.file.absolute(), str(self.file), "common", board, self.limits, convention, ours)

    def _functions(self, found: Project, process: Process) -> CommonFunctions:
        return CommonFunctions(found, process, read_module(self.file, str(self.file)).functions, self.left)

    def _behind_evaluation(self, theirs: CommonFunctions) -> None:
        # A wrong evaluation hides whether what rests on it is right: it is looked at once more, with ours in its place.
        process = self._process(theirs.board, ["evaluation"])
        mended, alone = (
            self._functions(Project(self.project.folder, theirs.board), each) for each in (process, theirs.process)
        )
        try:
            for name in ("donner_possibles", "maj_possibles"):
                if name not in theirs.functions:
                    continue
                is_right = mended.is_right(name)
                if name in mended.gaps:
                    theirs.gaps.add(name)
                    theirs.project.findings.append(mended.project.findings[-1])
                    continue
                if is_right:
                    theirs.project.add(theirs.name, "right", Told("{name} is right with entropeg's evaluation", name))
                    continue
                theirs.faulty.append(name)
                if not alone.is_right(name):  # else it reckons with the evaluation that is there
                    fault = mended.project.wrong[-1]
                    text = Told("wrong with entropeg's evaluation too: {text}", fault.text)
                    theirs.project.add(theirs.name, "wrong", text, fault.kind)
        finally:
            process.close()

    def _sizes(self, small: CommonOnBoard) -> list[str] | None:
        # Where what is wrong on the small board is that a size is not followed, its findings and the faulty functions.
        large = self.on_board(SAMPLED)
        if not large.found.wrong:
            self._hard_coded(small.found)
            return small.faulty
        if small.unusable is not None and large.unusable is not None:
            raise ModuleFault(small.unusable)
        if _crashes(small.found) and not _crashes(large.found):
            names = self._not_followed(_crashes)
            if len(names) == 1:
                _add_size(self.project, small.found, names, large.found)
                return [*dict.fromkeys(small.faulty + large.faulty)]
        return None

    def _hard_coded(self, found: Project) -> None:
        # Right on the course's board alone.
        names = self._not_followed(lambda found: bool(found.wrong)) or ["LENGTH", "COLORS"]
        self.project.findings += [each for each in found.findings if each.verdict != "wrong"]
        for each in found.wrong:
            text = Told(
                "does not follow {names:and}: it is right on {large}, and on {small} it is not; {text}",
                names,
                SAMPLED,
                EXHAUSTIVE,
                each.text,
            )
            self.project.add(each.file, "wrong", text, "follow")

    def _not_followed(self, goes_wrong: Callable[[Project], bool]) -> list[str]:
        # Which of the two constants is not followed shows on boards of which one size is that of the course's.
        boards = {"LENGTH": "3x8/course", "COLORS": "4x3/course"}
        return [name for name, board in boards.items() if goes_wrong(self.on_board(Rules.parse(board)).found)]


def _crashes(found: Project) -> bool:
    return any(each.kind == "crash" for each in found.wrong)


def _add_size(project: Project, small: Project, names: list[str], large: Project) -> None:
    # It is wrong on the course's board too, but crashes only where a size is another one: these are two faults.
    project.findings += large.findings
    crash = next(each for each in small.wrong if each.kind == "crash")
    text = Told(
        "does not follow {names:and}: on {small} it crashes, and on {large} it does not; {text}",
        names,
        EXHAUSTIVE,
        SAMPLED,
        crash.text,
    )
    project.add(crash.file, "wrong", text, "follow")


class CommonFunctions:
    """The functions of one `common.py` on one board."""

    CHECKED = ("evaluation", "donner_possibles", "maj_possibles")

    def __init__(
        self, project: Project, process: Process, functions: dict[str, int], left: Callable[[], object]
    ) -> None:
        """Keep the board and its codes; `left` is called before each function is looked at."""
        self.project, self.process, self.functions, self.left = project, process, functions, left
        self.board = board = process.rules
        self.name = project.name(Path(process.shown))
        self.codes = list(map("".join, product(process.letters[: board.colors], repeat=board.pegs)))
        self.random = random.Random(0)
        self.faulty = list[str]()
        self.gaps = set[str]()
        """Functions that are not written yet, or wait for one that is not."""

    def names(self) -> None:
        """Note the functions that are not there."""
        if self.board is not EXHAUSTIVE:
            return
        for name in self.CHECKED:
            if name not in self.functions:
                self.project.add(self.name, "note", Told("it has no function {name}", name))

    def all_right(self) -> bool:
        """Check every function that is there; False where one is wrong: what rests on evaluation, no further."""
        for name in NAMES:
            if name in self.functions and not self.is_right(name) and name == "evaluation":
                return False
        return not self.faulty

    def is_right(self, name: str) -> bool:
        """Check one function."""
        checks = {
            "choices": self.choices,
            "evaluation": self.evaluation,
            "donner_possibles": self.possible,
            "maj_possibles": self.update,
        }
        self.left()
        try:
            return checks[name]()
        except ModuleFault as error:
            if error.fault.package:
                self.project.miss(error.fault.package, name)
                return True
            if error.fault.is_unwritten:
                self.gap(name, error.fault)
                return True
            return self.wrong(name, error.fault.text, error.fault.kind, error.fault)

    def wrong(self, name: str, text: str, kind: str, fault: Fault | None = None) -> bool:
        """Note a mistake, with file and line."""
        self.faulty.append(name)
        place = fault.place if fault is not None else at_line(self.process.shown, self.functions[name])
        self.project.add(self.name, "wrong", Told("{place}: {text}", place, text), kind)
        return False

    def gap(self, name: str, fault: Fault) -> None:
        """Note that a function is not written yet, or calls one that is not."""
        self.gaps.add(name)
        text = Told("{place}: {text}", fault.place, fault.text)
        if fault.text == Told("{function} is not written yet", name):
            self.project.add(self.name, "unwritten", text, fault.kind)
        else:
            self.project.add(self.name, "waiting", Told("{name} is not judged yet: {fault}", name, text), fault.kind)

    def evaluate(self, guess: str, secret: str) -> Evaluation:
        """Return the right evaluation."""
        return standard(guess, secret, self._counts(secret))

    @cache  # noqa: B019 (it goes with the process at the end of the check)
    def _counts(self, secret: str) -> dict[str, int]:
        return {letter: secret.count(letter) for letter in secret}

    def choices(self) -> bool:
        """Draw some codes, by `choices()` or, as an older text has it, by `choices(COLORS, LENGTH)`."""
        letters = self.process.letters[: self.board.colors]
        try:
            told, call = self.process.ask("choices", [[]] * DRAWN), "choices()"
        except ModuleFault as error:
            if "TypeError" not in error.fault.text or "argument" not in error.fault.text:
                raise
            told = self.process.ask("choices", [[list(letters), self.board.pegs]] * DRAWN)
            call = f"choices({list(letters)}, {self.board.pegs})"
        for kind, _, shown in told:
            code = _read(shown) if kind in {"str", "tuple", "list"} else None
            if is_drawn_code(code, self.board.pegs, letters):
                continue
            if kind == "tuple" and (text := spelled(code)) is not None:
                return self.wrong("choices", _other_codes(call, kind, kind, shown, text), "type")
            if not isinstance(code, (str, list)):
                said = Told("{call} returns {value}, {kind}; it must be a string or a list", call, shown, a_kind(kind))
                return self.wrong("choices", said, "type")
            size = plural(self.board.pegs, "{n} letter out of {letters}", "{n} letters out of {letters}", letters)
            said = Told("{call} returns {value}; a code has {letters}", call, shown, size)
            return self.wrong("choices", said, "choices")
        if len({shown for _, _, shown in told}) == 1:
            said = Told("{call} returns {value} each of {count} times", call, told[0][2], DRAWN)
            return self.wrong("choices", said, "choices")
        if why := draw_mistake([literal_eval(shown) for _, _, shown in told], letters):
            # The colors of this board are not those that the file has in its COLORS.
            said = Told(
                "with LENGTH = {pegs} and the colors {letters}, {count} calls of {call}: {why}",
                *(self.board.pegs, letters, DRAWN, call, why),
            )
            return self.wrong("choices", said, "choices")
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
            if kind == "NoneType" and self.process.prints:
                text = Told("{call} prints its answer and returns None: it must return it", f"evaluation{pair}")
                return self.wrong("evaluation", text, "no answer")
            if value is None or kind != "tuple":
                text = Told(
                    "evaluation{codes} returns {value}, {kind}; it must be a tuple of two whole numbers",
                    pair,
                    shown,
                    a_kind(kind),
                )
                return self.wrong("evaluation", text, "type")
            if tuple(value) != self.evaluate(*pair):
                wrong.append((pair, tuple(value)))
        if not wrong:
            return True
        pair, value = wrong[0]
        kind, why = evaluation_mistake(
            [(guess, secret, tuple(v)) for (guess, secret), (_, v, _) in zip(pairs, told, strict=True)]
        )
        text = Told("evaluation{codes} is {value}; it should be {right}", pair, value, self.evaluate(*pair))
        return self.wrong("evaluation", Told("{text}: {why}", text, why) if why else text, kind)

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
            if kind.endswith((" of tuple", " of list")):
                text = _other_codes(call, kind, kind.rpartition(" ")[2], shown, guess)
                return self.wrong("donner_possibles", text, "type")
            if kind != "set" or value is None:
                text = Told("{call} returns {value}, {kind}; it must be a set of codes", call, shown, a_kind(kind))
                return self.wrong("donner_possibles", text, "type")
            right = self._fitting(self.codes, guess, pair)
            if is_right_set(value, right, guess):
                continue
            if (guess, pair) != turns[0] and self._is_right_at_first(guess, pair, right):
                text = Told(
                    "{text}, and is right when it is called first: it changes something that it needs again",
                    _difference(call, value, right, ""),
                )
                return self.wrong("donner_possibles", text, "wrong set")
            kept = [KeptCodes(*turn, self.codes, codes or []) for turn, (_, codes, _) in zip(turns, told, strict=True)]
            return self.wrong("donner_possibles", _difference(call, value, right, set_mistake(kept)), "wrong set")
        return True

    def _is_right_at_first(self, guess: str, pair: Evaluation, right: list[str]) -> bool:
        # Whether donner_possibles is right as the first call of a process.
        self.process.restart()
        try:
            [(_, value, _)] = self.process.ask("donner_possibles", [[guess, list(pair)]])
        except ModuleFault:
            return False
        return value is not None and is_right_set(value, right, guess)

    def update(self) -> bool:
        """Compare sets after `maj_possibles`: they must be changed in place."""
        turns = self._turns()
        before = [self._some(guess) for guess, _ in turns]
        asked = [[codes, guess, list(pair)] for codes, (guess, pair) in zip(before, turns, strict=True)]
        told = self.process.ask("maj_possibles", asked, update=True)
        for codes, (guess, pair), (kind, value, shown, after) in zip(before, turns, told, strict=True):
            right = self._fitting(codes, guess, pair)
            if is_right_set(after, right, guess):
                continue
            call = f"maj_possibles(possibles, {guess!r}, {pair})"
            if after == sorted(codes) and value == right:
                text = Told(
                    "{call} returns another set and leaves the one it is given as it was: it must change that one", call
                )
                return self.wrong("maj_possibles", text, "not in place")
            kept = [KeptCodes(*turn, given, rest[-1]) for turn, given, rest in zip(turns, before, told, strict=True)]
            text = _difference(call, after, right, set_mistake(kept))
            if kind != "NoneType" and shown:
                text = Told("{text}; it returns {kind}, {value}", text, a_kind(kind), shown)
            elif kind != "NoneType":
                text = Told("{text}; it returns {kind}", text, a_kind(kind))
            return self.wrong("maj_possibles", text, "wrong set")
        return True

    def _some(self, guess: str) -> list[str]:
        # All codes at first, then the half that some other turn leaves.
        other = self.random.choice(self.codes)
        return (
            self.codes if self.random.random() < 0.5 else self._fitting(self.codes, other, self.evaluate(other, guess))
        )


def _read(shown: str) -> object:
    try:
        return literal_eval(shown)
    except (SyntaxError, ValueError):
        return None  # it was cut short, or is made of objects: no code


def _other_codes(call: str, kind: str, codes: str, shown: str, wanted: str) -> str:
    return Told(
        "{call} returns {kind}: the codes are {kinds} such as {code}; the course wants {wanted!r}",
        call,
        a_kind(kind),
        several(codes),
        shown,
        wanted,
    )


def _difference(call: str, value: list[Any], right: list[str], why: str) -> Told:
    extra, missing = sorted(set(value) - set(right)), sorted(set(right) - set(value))
    said = list[str]()
    if len(extra) > 1:
        said.append(Told("keeps {code!r} and other codes that do not fit, {count} in all", extra[0], len(extra)))
    elif extra:
        said.append(Told("keeps {code!r}, which does not fit", extra[0]))
    if len(missing) > 1:
        said.append(Told("loses {code!r} and other codes that fit, {count} in all", missing[0], len(missing)))
    elif missing:
        said.append(Told("loses {code!r}, which fits", missing[0]))
    text = Told("{call} {faults:and}", call, said)
    return Told("{text}: {why}", text, why) if why else text

"""Compares the functions of a project's `common.py` with those of entropeg."""

from __future__ import annotations

import random
from ast import literal_eval
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TypeAlias

from entropeg.classroom.faults import Fault, ModuleFault, at_line
from entropeg.classroom.findings import Project
from entropeg.classroom.foreign import writes_tuples
from entropeg.classroom.functions.conventions import TUPLES, USUAL
from entropeg.classroom.functions.mistakes import (
    IN_TUPLES,
    KeptCodes,
    Marks2,
    draw_mistake,
    evaluation_mistake,
    is_drawn_code,
    right,
    set_mistake,
)
from entropeg.classroom.functions.ours import NAMES
from entropeg.classroom.modules import read_module
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.worker import a_kind, several, spelled
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

EXHAUSTIVE, SAMPLED = Rules.parse("3x3/course"), Rules.parse("4x8/course")

PAIRS, SETS = 2000, 4
"""On the large board: pairs drawn for `evaluation`, and turns for the functions that make sets."""

DRAWN = 40
"""Codes that are drawn by `choices`."""

FoundMistake: TypeAlias = tuple[str, str]
"""A mistake of a function: what it does, and the kind of that."""

CHECKED = ("evaluation", "donner_possibles", "maj_possibles")
"""The functions that are missed where they are not there, and called right where they are."""


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

    functions: dict[str, int] = field(init=False)
    """The lines of its functions."""

    def faulty(self) -> list[str]:
        """Note what is found, and return the functions in whose place ours make of it a right one.

        Raises ModuleFault where it cannot be read or imported, and what `left` does.
        """
        project, file = self.project, self.file
        self.functions, held_up, gaps = read_module(file, str(file)).functions, dict[str, str](), set[str]()
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
        pairs = Template("{name} is right: every pair of codes on {small}, {drawn:,} drawn on {large}")
        sets = Template("{name} is right: every guess and evaluation on {small}, {drawn:,} drawn on {large}")
        for name in CHECKED:
            if name in self.functions and name not in {*held_up, *gaps}:
                said, drawn = (pairs, PAIRS) if name == "evaluation" else (sets, SETS)
                project.add(project.name(file), "right", Told(said, name, EXHAUSTIVE, drawn, SAMPLED))
        return []

    def on_board(self, board: Rules) -> CommonOnBoard:
        """Return the findings on one board, in a project of their own."""
        looked = self._begun(board)
        try:
            looked.started = self._process(board)
            looked.look()
            if "evaluation" in looked.faulty:
                self._behind_evaluation(looked)
        except ModuleFault as error:
            fault, always = error.fault, {"syntax", "package", "time", "exit", "ended", "unwritten"}
            if fault.package or (board is EXHAUSTIVE and fault.kind in always):
                raise  # it is the same on every board
            looked.found.add(looked.name, "wrong", fault.sentence, fault.kind)
            looked.unusable = fault if looked.started is None else None
        finally:
            if looked.started is not None:
                looked.started.close()
        return looked

    def _process(self, board: Rules, ours: Sequence[str] = ()) -> Process:
        convention = "" if self.convention == USUAL else self.convention
        return Process(self.file.absolute(), str(self.file), "common", board, self.limits, convention, ours)

    def _begun(self, board: Rules, process: Process | None = None) -> CommonOnBoard:
        found = Project(self.project.folder, board)
        return CommonOnBoard(found, found.name(self.file), self.functions, self.left, process)

    def _behind_evaluation(self, theirs: CommonOnBoard) -> None:
        # A wrong evaluation hides whether what rests on it is right: it is looked at once more, with ours in its place.
        process = self._process(theirs.board, ["evaluation"])
        mended, alone = self._begun(theirs.board, process), self._begun(theirs.board, theirs.process)
        try:
            for name in ("donner_possibles", "maj_possibles"):
                if name not in self.functions:
                    continue
                is_right = mended.is_right(name)
                if name in mended.gaps:
                    theirs.gaps.add(name)
                    theirs.found.findings.append(mended.found.findings[-1])
                    continue
                if is_right:
                    theirs.found.add(theirs.name, "right", Told("{name} is right with entropeg's evaluation", name))
                    continue
                theirs.faulty.append(name)
                if not alone.is_right(name):  # else it reckons with the evaluation that is there
                    fault = mended.found.wrong[-1]
                    text = Told("wrong with entropeg's evaluation too: {text}", fault.text)
                    theirs.found.add(theirs.name, "wrong", text, fault.kind)
        finally:
            process.close()

    def _sizes(self, small: CommonOnBoard) -> list[str] | None:
        # Where what is wrong on the small board is that a size is not followed, its findings and the faulty functions.
        project, large = self.project, self.on_board(SAMPLED)
        if not large.found.wrong:  # right on the course's board alone
            names = self._not_followed(lambda found: bool(found.wrong)) or ["LENGTH", "COLORS"]
            project.findings += [each for each in small.found.findings if each.verdict != "wrong"]
            said = Template("does not follow {names:and}: it is right on {large}, and on {small} it is not; {text}")
            for each in small.found.wrong:
                project.add(each.file, "wrong", Told(said, names, SAMPLED, EXHAUSTIVE, each.text), "follow")
            return small.faulty
        if small.unusable is not None and large.unusable is not None:
            raise ModuleFault(small.unusable)
        if not _crashes(small.found) or _crashes(large.found) or len(names := self._not_followed(_crashes)) != 1:
            return None
        # It is wrong on the course's board too, but crashes only where a size is another one: these are two faults.
        project.findings += large.found.findings
        crash = next(each for each in small.found.wrong if each.kind == "crash")
        said = Template("does not follow {names:and}: on {small} it crashes, and on {large} it does not; {text}")
        project.add(crash.file, "wrong", Told(said, names, EXHAUSTIVE, SAMPLED, crash.text), "follow")
        return [*dict.fromkeys(small.faulty + large.faulty)]

    def _not_followed(self, goes_wrong: Callable[[Project], bool]) -> list[str]:
        # Which of the two constants is not followed shows on boards of which one size is that of the course's.
        boards = {"LENGTH": "3x8/course", "COLORS": "4x3/course"}
        return [name for name, board in boards.items() if goes_wrong(self.on_board(Rules.parse(board)).found)]


def _crashes(found: Project) -> bool:
    return any(each.kind == "crash" for each in found.wrong)


@dataclass
class CommonOnBoard:
    """The functions of one `common.py` on one board: what is found, and in whose place ours must stand (`faulty`)."""

    found: Project
    name: str
    functions: dict[str, int]
    left: Callable[[], object]
    started: Process | None = None
    faulty: list[str] = field(default_factory=list)
    gaps: set[str] = field(default_factory=set)
    """Functions that are not written yet, or wait for one that is not."""
    unusable: Fault | None = None
    """Why it cannot be imported."""

    def __post_init__(self) -> None:
        self.board, self.random = self.found.rules, random.Random(0)

    @property
    def process(self) -> Process:
        """The process in which it runs."""
        assert self.started is not None
        return self.started

    @property
    def letters(self) -> str:
        """The colors of the board, as the project writes them."""
        return self.process.letters[: self.board.colors]

    @cached_property
    def codes(self) -> list[str]:
        """All codes of the board."""
        return list(map("".join, product(self.letters, repeat=self.board.pegs)))

    def look(self) -> None:
        """Check every function that is there; after a wrong evaluation, on which they rest, no other."""
        for name in CHECKED if self.board is EXHAUSTIVE else ():
            if name not in self.functions:
                self.found.add(self.name, "note", Told("it has no function {name}", name))
        for name in NAMES:
            if name in self.functions and not self.is_right(name) and name == "evaluation":
                return

    def is_right(self, name: str) -> bool:
        """Check one function, by the method of its name, and note its mistake, with file and line."""
        self.left()
        place = at_line(self.process.shown, self.functions[name])
        try:
            mistake: FoundMistake | None = getattr(self, name)()
        except ModuleFault as error:
            fault, place, mistake = error.fault, error.fault.place, None
            if fault.package:
                self.found.miss(fault.package, name)
            elif fault.is_unwritten:
                self.gaps.add(name)
                gap, is_own = fault.sentence, fault.text == Told("{function} is not written yet", name)
                said = gap if is_own else Told("{name} is not judged yet: {fault}", name, gap)
                self.found.add(self.name, "unwritten" if is_own else "waiting", said, fault.kind)
            else:
                mistake = fault.text, fault.kind
        if mistake is not None:
            text, kind = mistake
            self.faulty.append(name)
            self.found.add(self.name, "wrong", Told("{place}: {text}", place, text), kind)
        return mistake is None

    def choices(self) -> FoundMistake | None:
        """Draw some codes, by `choices()` or, as an older text has it, by `choices(COLORS, LENGTH)`."""
        pegs, letters = self.board.pegs, self.letters
        try:
            told, call = self.process.ask("choices", [[]] * DRAWN), "choices()"
        except ModuleFault as error:
            if "TypeError" not in error.fault.text or "argument" not in error.fault.text:
                raise
            told = self.process.ask("choices", [[list(letters), pegs]] * DRAWN)
            call = f"choices({list(letters)}, {pegs})"
        for kind, _, shown in told:
            code = _read(shown) if kind in {"str", "tuple", "list"} else None
            if is_drawn_code(code, pegs, letters):
                continue
            if kind == "tuple" and (text := spelled(code)) is not None:
                return _other_codes(call, kind, kind, shown, text), "type"
            if not isinstance(code, (str, list)):
                said = Told("{call} returns {value}, {kind}; it must be a string or a list", call, shown, a_kind(kind))
                return said, "type"
            size = plural(pegs, "{n} letter out of {letters}", "{n} letters out of {letters}", letters)
            said = Told("{call} returns {value}; a code has {letters}", call, shown, size)
            return said, "choices"
        if len({shown for _, _, shown in told}) == 1:
            said = Told("{call} returns {value} each of {count} times", call, told[0][2], DRAWN)
            return said, "choices"
        if why := draw_mistake([literal_eval(shown) for _, _, shown in told], letters):
            # The colors of this board are not those that the file has in its COLORS.
            drawn = Template("with LENGTH = {pegs} and the colors {letters}, {count} calls of {call}: {why}")
            return Told(drawn, pegs, letters, DRAWN, call, why), "choices"
        return None

    def evaluation(self) -> FoundMistake | None:
        """Compare evaluations, and name their mistakes in general."""
        if self.board is EXHAUSTIVE:
            pairs = list(product(self.codes, repeat=2))
        else:
            pairs = [(self.random.choice(self.codes), self.random.choice(self.codes)) for _ in range(PAIRS)]
        told = self.process.ask("evaluation", [list(pair) for pair in pairs])
        for pair, (kind, value, shown) in zip(pairs, told, strict=True):
            if kind == "NoneType" and self.process.prints:
                text = Told("{call} prints its answer and returns None: it must return it", f"evaluation{pair}")
                return text, "no answer"
            if value is None or kind != "tuple":
                said = Template("evaluation{codes} returns {value}, {kind}; it must be a tuple of two whole numbers")
                return Told(said, pair, shown, a_kind(kind)), "type"
        answers = [(guess, secret, tuple(value)) for (guess, secret), (_, value, _) in zip(pairs, told, strict=True)]
        for guess, secret, value in answers:
            if value != right(guess, secret):
                said = Template("evaluation{codes} is {value}; it should be {right}")
                text = Told(said, (guess, secret), value, right(guess, secret))
                kind, why = evaluation_mistake(answers)
                return Told("{text}: {why}", text, why) if why else text, kind
        return None

    def _turns(self) -> list[tuple[str, Marks2]]:
        if self.board is EXHAUSTIVE:
            return list(product(self.codes, sorted({right(*pair) for pair in product(self.codes, repeat=2)})))
        drawn = [(self.random.choice(self.codes), self.random.choice(self.codes)) for _ in range(SETS)]
        return [(guess, right(guess, secret)) for guess, secret in drawn]

    def donner_possibles(self) -> FoundMistake | None:
        """Compare sets of possible codes; the guess itself may be left out, as one of the documents does."""
        name, wanted = "donner_possibles", [KeptCodes.of(*turn, self.codes) for turn in self._turns()]
        told = self.process.ask(name, [[each.guess, list(each.marks)] for each in wanted])
        kept = [each._replace(after=codes or ()) for each, (_, codes, _) in zip(wanted, told, strict=True)]
        for each, (kind, value, shown) in zip(kept, told, strict=True):
            call = f"{name}({each.guess!r}, {each.marks})"
            if kind.endswith((" of tuple", " of list")):
                text = _other_codes(call, kind, kind.rpartition(" ")[2], shown, each.guess)
                return text, "type"
            if kind != "set" or value is None:
                text = Told("{call} returns {value}, {kind}; it must be a set of codes", call, shown, a_kind(kind))
                return text, "type"
            if each.is_right:
                continue
            if each is kept[0] or not self._is_right_at_first(each):
                return _difference(call, each, set_mistake(kept)), "wrong set"
            again = Template("{text}, and is right when it is called first: it changes something that it needs again")
            return Told(again, _difference(call, each)), "wrong set"
        return None

    def _is_right_at_first(self, kept: KeptCodes) -> bool:
        # Whether donner_possibles is right as the first call of a process.
        self.process.restart()
        try:
            [(_, value, _)] = self.process.ask("donner_possibles", [[kept.guess, list(kept.marks)]])
        except ModuleFault:
            return False
        return value is not None and kept._replace(after=value).is_right

    def maj_possibles(self) -> FoundMistake | None:
        """Compare sets after `maj_possibles`: they must be changed in place."""
        name, wanted = "maj_possibles", [KeptCodes.of(*turn, self._some(turn[0])) for turn in self._turns()]
        told = self.process.ask(name, [[each.before, each.guess, list(each.marks)] for each in wanted], update=True)
        kept = [each._replace(after=after) for each, (*_, after) in zip(wanted, told, strict=True)]
        for each, (kind, value, shown, after) in zip(kept, told, strict=True):
            if each.is_right:
                continue
            call = f"{name}(possibles, {each.guess!r}, {each.marks})"
            if after == sorted(each.before) and value == each.fitting:
                text = Told(
                    "{call} returns another set and leaves the one it is given as it was: it must change that one", call
                )
                return text, "not in place"
            text = _difference(call, each, set_mistake(kept))
            if kind != "NoneType" and shown:
                text = Told("{text}; it returns {kind}, {value}", text, a_kind(kind), shown)
            elif kind != "NoneType":
                text = Told("{text}; it returns {kind}", text, a_kind(kind))
            return text, "wrong set"
        return None

    def _some(self, guess: str) -> Sequence[str]:
        # All codes at first, then the half that some other turn leaves.
        other = self.random.choice(self.codes)
        if self.random.random() < 0.5:
            return self.codes
        return KeptCodes.of(other, right(other, guess), self.codes).fitting


def _read(shown: str) -> object:
    try:
        return literal_eval(shown)
    except (SyntaxError, ValueError):
        return None  # it was cut short, or is made of objects: no code


def _other_codes(call: str, kind: str, codes: str, shown: str, wanted: str) -> str:
    said = Template("{call} returns {kind}: the codes are {kinds} such as {code}; the course wants {wanted!r}")
    return Told(said, call, a_kind(kind), several(codes), shown, wanted)


def _difference(call: str, kept: KeptCodes, why: str = "") -> Told:
    said = list[str]()
    if len(extra := kept.extra) > 1:
        said.append(Told("keeps {code!r} and other codes that do not fit, {count} in all", extra[0], len(extra)))
    elif extra:
        said.append(Told("keeps {code!r}, which does not fit", extra[0]))
    if len(missing := kept.missing) > 1:
        said.append(Told("loses {code!r} and other codes that fit, {count} in all", missing[0], len(missing)))
    elif missing:
        said.append(Told("loses {code!r}, which fits", missing[0]))
    text = Told("{call} {faults:and}", call, said)
    return Told("{text}: {why}", text, why) if why else text

"""Looks at evaluations that are not the course's, by whatever name, and at how the modules beside them are played."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from entropeg.classroom.faults import ModuleFault, at_line
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.calls import CallWay
from entropeg.classroom.functions.conventions import CODES, LAST, TUPLES, USUAL
from entropeg.classroom.functions.evaluation import CodePair, Examination, ExaminedFunction, examine, promising_forms
from entropeg.classroom.functions.forms import FORMS, CallResult, all_letters
from entropeg.classroom.functions.readings import USUAL_READING
from entropeg.classroom.modules import Role, read_module, tree_or_none
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, forget
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.series import play_series
from entropeg.classroom.standins import AbsentError
from entropeg.codebreakers.basic import Consistent
from entropeg.codemakers.honest import Honest
from entropeg.rules import Rules
from entropeg.told import Template, Told, of_data

LIKELY = re.compile(
    "evalu|compar|score|feedback|verif|check|corrig|correct|juge|judge|match|repon|respon|answer|note|indice|pions|marqu|black|white"
    "|noir|blanc|hint|clue|bulls|cows|exact|resultat|result",
    re.IGNORECASE,
)
"""Names of evaluations, and of the halves of one."""


def functions_in(file: Path) -> list[str]:
    """Return the names of the functions and methods of a file; those with the name of an evaluation come first.

    A file that is no Python has none.
    """
    tree = tree_or_none(file)
    if tree is None:
        return []
    found = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return sorted(found, key=lambda name: not LIKELY.search(name))


def is_evaluation(examined: Examination, *, is_likely: bool) -> bool:
    """Tell whether a function is an evaluation: right, or wrong as a known mistake is, or at least called one."""
    if examined.verdict == "right":
        return True
    if examined.why:
        return is_likely or examined.reading.placed.kind not in {"tens", "units"}
    fails = examined.kind == "crash" and examined.compared > 0  # on one pair, after it was right on many
    return is_likely and (examined.kind == "wrong evaluation" or fails)


def convention_of(examined: Examination) -> str:
    """Return the name under which modules of such a project are played; empty where there is none, or it is the usual.

    See `conventions`.
    """
    codes = FORMS[examined.form].name if examined.form in FORMS else ""
    if examined.verdict != "right" or examined.is_usual or codes not in CODES:
        return ""
    placed, misplaced = examined.reading
    answers = {"item": examined.returns, "digit": "digits", "tens": "number", "units": "number"}.get(placed.kind, "")
    if answers not in {"tuple", "list", "digits", "number"} or {placed.key, misplaced.key} not in ({0, 1}, {None}):
        return ""
    exchanged = placed.kind == "units" or placed.key == USUAL_READING.misplaced.key
    return f"{codes}/{answers}/{LAST}" if exchanged else f"{codes}/{answers}"


WIDE = Rules.parse("4x8/course")

CALLS_SECONDS = 10.0
"""What some hundred calls of an evaluation may take: it is no game."""


@dataclass(frozen=True)
class FoundEvaluation:
    """An evaluation in a file of a project, and what was found out about it."""

    file: Path
    name: str
    line: int
    calls: frozenset[str]
    examined: Examination

    @property
    def last_name(self) -> str:
        """Its name without that of its class."""
        return self.name.rpartition(".")[2]


@dataclass
class EvaluationSearch:
    """The looking for evaluations in the files of a project."""

    project: Project
    limits: Limits
    found: list[FoundEvaluation] = field(default_factory=list)
    causes: list[tuple[Path, str]] = field(default_factory=list)
    """Why functions of which file could not be looked at, one sentence each."""
    packages: dict[Path, str] = field(default_factory=dict)
    """Which packages files would need, as a sentence."""

    def file(self, file: Path) -> None:
        """Look at one file: its definitions are loaded, and its functions called."""
        likely = [name for name in functions_in(file) if LIKELY.search(name)]
        try:
            process = Process(file.absolute(), str(file), "definitions", WIDE, self.limits)
        except ModuleFault as error:
            if likely:
                text = Told("{fault}; so {function} cannot be called", error.fault.sentence, likely[0])
                self.causes.append((file, text))
            return
        try:
            survey = process.survey()
            self._functions(process, file, survey)
            missing = survey["missing"]
            if missing and any(each.file == file for each in self.found):
                text = Told("not installed here: {packages:list}; what needs none of them was judged", missing)
                self.packages[file] = text
        except ModuleFault as error:
            self.causes.append((file, error.fault.sentence))
        finally:
            process.close()

    def _functions(self, process: Process, file: Path, survey: dict[str, Any]) -> None:
        ordered = sorted(survey["functions"], key=lambda each: not LIKELY.search(each["name"]))
        for each in ordered[:40]:
            asked, place = AskedFunction(process, each, survey), at_line(file, each["line"])
            try:
                examined = asked.examined()
            except ModuleFault as error:
                # It may be no evaluation, and wait for something that never comes when it is called so.
                if asked.is_likely:
                    text = Told("{place}: {function}: {text}", place, each["name"], error.fault.text)
                    self.causes.append((file, text))
                continue
            if examined is not None and is_evaluation(examined, is_likely=asked.is_likely):
                examined, calls = self._without_repeats(file, asked, examined), frozenset(each["calls"])
                self.found.append(FoundEvaluation(file, each["name"], each["line"], calls, examined))
            elif asked.hindered and asked.is_likely:
                self.causes.append((file, Told("{place}: {text}", place, asked.hindered)))

    @staticmethod
    def _without_repeats(file: Path, asked: AskedFunction, examined: Examination) -> Examination:
        # Where codes hold no color twice, an evaluation need not count colors.
        if examined.verdict == "right" or not examined.why or asked.meant is None:
            return examined
        if examined.kind == "not subtracted":
            note = Told("{name} is right where the second number is to count well placed pegs too", examined.name)
            return replace(examined, notes=(*examined.notes, note))
        other = examine(replace(asked.meant, repeats=False))
        if other.verdict != "right":
            return examined
        if draws_without_repeats(file):
            return other
        note = Told("{name} is right where no color occurs twice in a code", examined.name)
        return replace(examined, notes=(*examined.notes, note))

    def tell(self) -> None:
        """Note what was found: a mistake once, where it is, and not in what calls the function that makes it."""
        right_ones = {each.file for each in self.found if each.examined.verdict == "right"}
        wrong = [each for each in self.found if each.examined.verdict == "wrong"]
        whole = [each for each in self.found if not each.examined.is_half]
        for each in self.found:
            name, examined = self.project.name(each.file), each.examined
            place = at_line(each.file, each.line)
            if examined.verdict == "wrong":
                if each.file in right_ones and not LIKELY.search(each.name):
                    continue  # a helper of one that is right
                source = next((other for other in wrong if _follows(each, other)), None)
                if source is not None:
                    through = Template("{place}: {function} is wrong through {other}, which it calls")
                    self.project.add(name, "note", Told(through, place, each.name, source.name), "follows")
                    continue
            if examined.is_half and any(_follows(other, each) for other in whole):
                continue
            if examined.verdict == "right":
                self.project.add(name, "right", examined.text)
            else:
                text = Told("{place}: {text}", place, examined.text)
                if examined.why:
                    text = Told("{place}: {text}: {why}", place, examined.text, examined.why)
                self.project.add(name, "wrong", text, examined.kind)
            for note in examined.notes:
                self.project.add(name, "note", note)
        for file, said in self.packages.items():
            self.project.add(self.project.name(file), "note", said, "package")


def _follows(one: FoundEvaluation, other: FoundEvaluation) -> bool:
    return one is not other and other.last_name in one.calls and one.last_name not in other.calls


@dataclass
class AskedFunction:
    """A function of a module whose definitions are loaded, and the ways in which it may be called."""

    process: Process
    told: dict[str, Any]
    survey: dict[str, Any]
    hindered: str = ""
    """Why it cannot be called, where a package or what the program asks for is missing to it."""
    meant: ExaminedFunction | None = None
    """The way that its examination is of."""

    @property
    def name(self) -> str:
        """Its name, as `Game.evaluate`."""
        name: str = self.told["name"]
        return name

    @property
    def is_likely(self) -> bool:
        """Whether it has the name of an evaluation."""
        return bool(LIKELY.search(self.name))

    def examined(self) -> Examination | None:
        """Find the way in which it is right, or else one in which it makes a known mistake; None where there is none.

        Raises ModuleFault where it takes too long, or ends its process.
        """
        best: Examination | None = None
        for pegs in (4, 5, 3) if self.is_likely else (4,):
            for told in self.told["ways"]:
                it = self._in_way(CallWay.of(told), pegs)
                forms = promising_forms(it)
                if not forms:
                    continue
                it = replace(it, forms={form: it.forms[form] for form in forms})
                examined = examine(it)
                if best is None or examined.verdict == "right":
                    best, self.meant = examined, it
                if examined.verdict == "right":
                    return examined
            if best is not None:
                return best
        return self._without_promise() if self.is_likely else None

    def _without_promise(self) -> Examination | None:
        # Nothing looks like an evaluation at first sight: most of its answers may be right all the same.
        for told in self.told["ways"][:3]:
            it = self._in_way(CallWay.of(told), 4)
            examined = examine(it)
            if examined.kind == "wrong evaluation":
                self.meant = it
                return examined
        return None

    def _in_way(self, way: CallWay, pegs: int) -> ExaminedFunction:
        seconds = CALLS_SECONDS if self.is_likely else 2.0  # where the name is not that of an evaluation
        words = {form: of_data(told) for form, told in self.survey["forms"]}

        def ask(form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
            told = self.process.called(way, form, pairs, seconds)
            self.hindered = self.hindered or self._hindrance(told)
            return told

        is_plain = way.is_plain and way.function.isidentifier()
        is_plain = is_plain and not set(self.survey["asked"]) & {*self.told["calls"]}
        letters, colors, written = self.survey["letters"], self.survey["colors"], partial(self.process.written, way)
        it = ExaminedFunction(ask, self.name, letters, colors, words, written, is_plain, pegs)
        return replace(it, is_of_another_course=True)

    def _hindrance(self, told: Sequence[CallResult]) -> str:
        for error in {each.error for each in told}:
            kind, _, rest = error.partition(": ")
            if kind == AbsentError.__name__:
                return Told("{function} needs the package {package}, which is not loaded here", self.name, rest)
            left = next((name for name in self.survey["left_out"] if f"'{name}'" in rest), "")
            if kind == "NameError" and left:
                return Told("{function} needs {name}, which only the program sets as it runs", self.name, left)
        return ""


def draws_without_repeats(file: Path) -> bool:
    """Tell whether a program draws codes in which no color occurs twice: by `sample`, `shuffle` or `permutations`."""
    text = file.read_bytes().decode(errors="replace")
    names = set(re.findall(r"\b(sample|shuffle|permutations|choices?|product|randint|randrange)\b", text))
    return bool(names) and names <= {"sample", "shuffle", "permutations"}


def check_evaluations(
    project: Project, files: Sequence[Path], limits: Limits, progress: Callable[[str, int, int], object] | None = None
) -> list[str] | None:
    """Find the evaluations in files, and say how they are called and read, or their fault.

    Only the definitions of the files are loaded, and of them nothing runs but what is called. Returns None where one is
    found, and otherwise why functions could not be looked at, one sentence each.
    """
    search = EvaluationSearch(project, replace(limits, game_seconds=min(limits.game_seconds, CALLS_SECONDS)))
    waiting = [file for file in files if functions_in(file)][:40]
    for done, file in enumerate(waiting):
        if progress is not None:
            progress(file.name, done, len(waiting))
        search.file(file)
    search.tell()
    if search.found:
        for file, cause in search.causes:
            project.add(project.name(file), "note", cause, "not called")
        return None
    bare = [project.name(file) for file in files if not functions_in(file)]
    if search.causes:
        return [cause for _, cause in search.causes]
    if waiting:
        return [Told("no function in {files:list} answers as an evaluation does", map(project.name, waiting))]
    return [Told("{files:list}: without functions, nothing in it can be called", bare)] if bare else []


# ---------------------------------------------------------------------- players


def spoken_convention(file: Path, role: Role, limits: Limits) -> str:
    """Return the convention by which a module plays: the course's, or that of the `common.py` beside it.

    That of its evaluation is chosen only where a few games go wrong by the course's, or take longer, and go well by
    it. An evaluation may take codes as text, and the modules have them as lists: these are tried too. Where codes are
    tuples throughout, modules play so, unless they go wrong by that alone.
    """
    common = file.with_name("common.py")
    if writes_tuples(common, limits):
        is_other = _trial(file, role, limits, TUPLES) is None and _trial(file, role, limits, USUAL) is not None
        return USUAL if is_other else TUPLES
    other = convention_of_common(common, limits)
    if not other:
        return USUAL
    usual = _trial(file, role, limits, USUAL)
    codes, rest = other.split("/", 1)
    for way in (other, *(f"{kind}/{rest}" for kind in CODES if kind != codes)):
        foreign = _trial(file, role, limits, way)
        if foreign is not None:
            return way if usual is None or foreign < usual else USUAL
    return USUAL


def note_of_convention(convention: str) -> Told:
    """Say by which convention a module is played, where that is not the course's."""
    played = Template("played with the convention {convention}, which is that of evaluation in the common.py beside it")
    return Told(played, convention)


def convention_of_common(file: Path, limits: Limits) -> str:
    """Return the convention of the evaluation in a `common.py`; empty where it is the course's, or is not known."""
    examined = _known(file, limits).examined
    return "" if examined is None else convention_of(examined)


def writes_tuples(file: Path, limits: Limits) -> bool:
    """Tell whether the codes of a `common.py` are tuples of letters: what it draws, and each code of its sets."""
    return _known(file, limits).writes_tuples


def note_of_common(project: Project, file: Path, limits: Limits) -> None:
    """Note where the evaluation in a `common.py`, which goes wrong as the course has it, is right in another way."""
    known = _known(file, limits)
    if known.examined is not None and convention_of(known.examined) and not known.writes_tuples:
        project.add(project.name(file), "note", known.examined.text, "convention")


class KnownCommon(NamedTuple):
    """How a `common.py` writes: what was found of its evaluation, and whether its codes are tuples of letters."""

    examined: Examination | None = None
    writes_tuples: bool = False


def _known(file: Path, limits: Limits) -> KnownCommon:
    if not file.is_file():
        return KnownCommon()
    found = file.stat()
    return _known_as_it_is(file, (found.st_mtime_ns, found.st_size), limits)


@lru_cache(maxsize=64)
def _known_as_it_is(file: Path, _dated: tuple[int, int], limits: Limits) -> KnownCommon:
    # Once for all modules beside it, unless the file has changed.
    short = replace(limits, game_seconds=min(limits.game_seconds, CALLS_SECONDS))
    try:
        functions = read_module(file).functions.keys()
        process = Process(file.absolute(), str(file), "common", WIDE, short)
    except ModuleFault:
        return KnownCommon()
    examined, is_tuple = None, False
    try:
        with suppress(ModuleFault):
            is_tuple = "choices" in functions and process.ask("choices", [[]])[0][0] == "tuple"
        with suppress(ModuleFault):
            if "evaluation" in functions:
                it = ExaminedFunction(partial(process.tried, "evaluation"), "evaluation", all_letters(process.letters))
                examined = examine(it)
    finally:
        process.close()
    return KnownCommon(examined, is_tuple and _has_tuples_alone(file, short))


def _has_tuples_alone(file: Path, limits: Limits) -> bool:
    # Whether a common.py that draws tuples has them in its sets too: one that writes codes in two ways is wrong.
    process: Process | None = None
    try:
        functions = read_module(file).functions
        process = Process(file.absolute(), str(file), "common", Rules.parse("3x3/course"), limits, TUPLES)
        if process.ask("choices", [[]])[0][0] != "str":
            return False
        if "donner_possibles" not in functions:
            return True
        [(kind, codes, _)] = process.ask("donner_possibles", [[process.letters[0] * 3, [0, 0]]])
    except ModuleFault:
        return process is not None  # it goes wrong, and that is told by its convention
    finally:
        if process is not None:
            process.close()
    return not (kind == "set" and codes is None)


def _trial(file: Path, role: Role, limits: Limits, convention: str) -> int | None:
    # How many guesses a few games take; None where one of them goes wrong.
    plan = {"module": str(file), **asdict(limits), "convention": convention}
    breaker: Any = CourseCodebreaker(**plan) if role == "codebreaker" else Consistent()
    maker: Any = CourseCodemaker(**plan) if role == "codemaker" else Honest()
    try:
        # It takes little to find out by which convention a module plays.
        series = play_series(breaker, maker, Rules.parse("3x4/course"), 3, seconds=3.0, give_up=1)
    except ModuleFault:
        return None
    finally:
        forget(breaker if role == "codebreaker" else maker)
    return None if series.faults or not series.guesses else sum(series.guesses)

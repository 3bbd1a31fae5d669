"""Looks through one project of the course: which modules it has, which are right, how well they play."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from entropeg.classroom import shared
from entropeg.classroom.expected import ExpectedMean, expected_codebreaker, expected_codemaker, mean_verdict
from entropeg.classroom.faults import Fault, ModuleFault, Notation, at_line
from entropeg.classroom.findings import Finding, ModuleMeasure, Project
from entropeg.classroom.follows import LOOKED_AT, PlayedAgain, is_amiss, not_played, not_settled, taken_from_common
from entropeg.classroom.foreign import (
    check_evaluations,
    note_of_common,
    note_of_convention,
    spoken_convention,
    writes_tuples,
)
from entropeg.classroom.functions.conventions import TUPLES, USUAL
from entropeg.classroom.functions.ours import NAMES, WHOLE
from entropeg.classroom.layout import files_below, is_archive, layout_of, sort_modules
from entropeg.classroom.modules import Module, Role, find_player, number_of, read_module
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, forget, hurry, session_of
from entropeg.classroom.process import Limits, packages_missed, remarks_of
from entropeg.classroom.series import ClassroomInterrupted, Series, play_series, played_afresh, time_left
from entropeg.classroom.traits import TRAITS, Broken, answers_with_the_most, prefers_possible_codes, smallest_worst_case
from entropeg.codebreakers import Codebreaker
from entropeg.codebreakers.basic import Consistent
from entropeg.codemakers import Codemaker
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.codes import score
from entropeg.errors import InputError, PlayerError
from entropeg.executors.notices import heard
from entropeg.experiments.match import game_seed
from entropeg.feedback import Code, Feedback
from entropeg.kinds import FeedbackKind
from entropeg.loop import Answering, play
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

BOARD, SMALL = Rules.parse("4x8/course"), Rules.parse("3x4/course")
"""The course's board, and the one on which minimax in plain Python takes no time."""

TINY = Rules.parse("2x3/course")
"""A board on which whoever is slow elsewhere is fast: nine codes."""

Players: TypeAlias = tuple[Codebreaker, Codemaker]

FEW = 5
"""A codemaker that finished fewer games in its time is looked at on a smaller board as well."""


def check_project(  # noqa: PLR0913 (as a series; all but the folder have defaults)
    folder: str | Path,
    rules: Rules = BOARD,
    *,
    games: int = 100,
    seconds: float = 20.0,
    seed: int = 0,
    limits: Limits | None = None,
    only: Sequence[str] = (),
    progress: Callable[[str, int, int], object] | None = None,
    until: float = inf,
) -> Project:
    """Look through the modules of a folder; each series of games takes at most about `seconds`.

    `only` names the modules that are looked at, without `.py` and with `*` for any letters, beside `common.py`, on
    which they rest; without any, all are.

    At `until`, a time of `time.monotonic`, it ends with what was found, the game that is played then to its end.
    `progress` is called with the name of each module, how many were looked at before it, and how many there are.
    Raises InputError where there is no such folder, or no module of the course in it; ClassroomInterrupted,
    with what was found until then, where Ctrl-C or the time ends it.
    """
    limits = limits or Limits(turn_seconds=5.0, game_seconds=60.0)
    check = Check(Project(Path(folder), rules), games, seconds, seed, limits, until, only=tuple(only))

    def look_at(name: str, done: int, total: int) -> None:
        if progress is not None:
            progress(name, done, total)
        check.left()

    files = check.begin(look_at)
    project = check.project
    try:
        for done, file in enumerate(files):
            look_at(project.name(file), done, len(files))
            check.file(file)
            project.left.remove(project.name(file))
    except KeyboardInterrupt:
        raise ClassroomInterrupted(project) from None
    finally:
        if files:
            project.tell_the_rest()
    return project


def is_named(stem: str, names: Sequence[str]) -> bool:
    """Tell whether a module or a project is one of some names, which have `*` for any letters.

    >>> is_named("codebreaker2", ["codemaker*", "codebreaker2.py"])
    True
    """
    return any(fnmatchcase(stem, name.removesuffix(".py")) for name in names)


def _is_of_the_course(file: Path) -> bool:
    # Whether it has a function of the course, or cannot be read: a file codemaker.py with classes is of another one.
    try:
        module = read_module(file)
    except ModuleFault:
        return True
    return bool(module.roles or module.functions.keys() & NAMES.keys())


def _of_another_course(
    project: Project, limits: Limits, progress: Callable[[str, int, int], object]
) -> list[str] | None:
    # None where a function is an evaluation, which is judged then; otherwise what kept functions from being called.
    if not project.folder.is_dir():
        return []
    files = sorted(files_below(project.folder))
    project.files = [each.relative_to(project.folder).as_posix() for each in files]
    try:
        return check_evaluations(project, files, limits, progress)
    except KeyboardInterrupt:
        raise ClassroomInterrupted(project) from None


def _with_causes(error: InputError, causes: list[str]) -> InputError:
    text: str = error.args[0]
    for cause in causes[:3]:
        text = Told("{text}; {cause}", text, cause)
    return InputError(text)


def _files(project: Project) -> list[Path]:
    # The modules to be looked at; what is passed over, and why, is noted in the end.
    folder = project.folder
    if is_archive(folder):
        raise InputError("{folder} is an archive: unpack it, and name the folder that comes of it", folder)
    if not folder.is_dir():
        raise InputError("{folder} is no folder: name the folder of a project", folder)
    found = sort_modules(folder)
    wanted = found.modules
    project.passed = {project.name(file): why for file, why in found.passed.items()}
    for file in found.passed:
        if number_of(file) is not None and not any(_numbered(other) == _numbered(file) for other in wanted):
            project.players.append(project.name(file))  # a scheme that names it asks for a player, and there is none
    if not wanted:
        project.tell_the_rest()
        archives = [each.name for each in sorted(folder.iterdir()) if is_archive(each)]
        text = Told(
            "{folder} holds no module of the course, nor do the folders in it: no codebreaker*.py, codemaker*.py or "
            "common.py",
            folder,
        )
        if found.passed:
            [(file, why), *_] = found.passed.items()
            text = Told("{text}; {file}: {why}", text, project.name(file), why)
        if archives:
            text = Told("{text}; it holds the archive {archive}, to be unpacked first", text, archives[0])
        raise InputError(text)
    beside = {file for each in wanted for file in each.parent.glob("*.py")}
    project.files = sorted((project.name(file) for file in beside), key=lambda name: (name.count("/") > 0, name))
    project.beside = [name for name in project.files if name not in map(project.name, wanted)]
    if not any(file.stem == "common" for file in wanted):
        project.add("common.py", "note", Told("there is none: entropeg.classroom.common takes its place"))
    _say_where(project, wanted)
    # What all others rest on comes first: where it cannot be imported, they are not tried one by one.
    return sorted(wanted, key=lambda file: file.stem != "common")


def _numbered(file: Path) -> tuple[str, int | None]:
    return file.stem[: len("codemaker")], number_of(file)


def _say_where(project: Project, files: list[Path]) -> None:
    for folder in dict.fromkeys(file.parent for file in files):
        inside = [file for file in files if file.parent == folder]
        layouts = [layout_of(file.absolute()) for file in inside]
        name = next((layout.name for layout in layouts if "." in layout.name), "")
        if folder == project.folder and not name:
            continue
        held = [file.name for file in inside]
        text = Told("{files:list}: found here, and run from there", held)
        if name:
            root = next(layout.folder for layout in layouts if layout.name == name)
            package = Template("{files:list}: found here, and run as modules of the package {package}, from {folder}")
            text = Told(package, held, name.rpartition(".")[0], os.path.relpath(root))
        project.add(f"{project.name(folder)}/", "note", text)


class WrongCommon(NamedTuple):
    """What of a wrong `common.py` a module takes: the files, the functions in whose place ours can stand, all names."""

    files: list[str]
    functions: tuple[str, ...]
    taken: frozenset[str]

    @property
    def draws_wrongly(self) -> bool:
        """Whether the module draws codes by a wrong `choices`."""
        return "choices" in self.taken & {*self.functions}


@dataclass
class Check:
    """The looking itself."""

    project: Project
    games: int
    seconds: float
    seed: int
    limits: Limits
    until: float = inf
    """When it ends, as `time.monotonic` counts."""

    unusable: Fault | None = None
    """Why the project's `common.py` cannot be imported."""

    faulty: dict[Path, list[str]] = field(default_factory=dict)
    """The functions of each `common.py` in whose place ours make of it a right one."""

    ours: tuple[str, ...] = ()
    """The functions of `common.py` in whose place ours stand while modules play."""

    only: tuple[str, ...] = ()
    """The names of the modules that are looked at, beside `common.py`; all without any."""

    session: str = ""
    """The run of workers that this is a part of: `executors.notices` tells there when all is to end."""

    def left(self, seconds: float = inf) -> float:
        """Return how many of some seconds are left; raises KeyboardInterrupt where it is to end."""
        if self.session and heard(self.session, 0)[1]:
            raise KeyboardInterrupt
        return time_left(self.until, seconds)

    def begin(self, progress: Callable[[str, int, int], object]) -> list[Path]:
        """Find the modules to be looked at, `common.py` first; none where the project, of another course, is judged.

        Raises InputError where there is nothing to be judged, and ClassroomInterrupted.
        """
        project = self.project
        try:
            files = _files(project)
        except InputError as error:
            causes = _of_another_course(project, self.limits, progress)
            if causes is None:
                return []
            raise _with_causes(error, causes) from None
        if not any(map(_is_of_the_course, files)):
            other = Project(project.folder, project.rules)
            if _of_another_course(other, self.limits, progress) is None:
                self.project = other
                return []
        if self.only:
            files = [each for each in files if each.stem == "common" or is_named(each.stem, self.only)]
            if all(file.stem == "common" for file in files) and not is_named("common", self.only):
                project.add("./", "note", Told("it has no module {names:list}", self.only))
        project.left = [project.name(file) for file in files]
        return files

    def file(self, file: Path) -> None:
        """Look at one module."""
        name = self.project.name(file)
        try:
            if file.stem == "common":
                before = len(self.project.wrong)
                self.faulty[file] = shared.CheckedCommon(self.project, file, self.limits, self.left).faulty()
                if len(self.project.wrong) > before:
                    note_of_common(self.project, file, self.limits)
                return
            module, role = find_player(file, None, str(file))
        except ModuleFault as error:
            self.wrong(file, error.fault)
            self.unusable = error.fault if file.stem == "common" else self.unusable
            return
        finally:
            for package in packages_missed(file):
                self.project.miss(package)
        self.project.players.append(name)
        taken = taken_from_common(file.absolute())
        if self.unusable is not None and taken is not None:
            if self.unusable.package:
                self.project.miss(self.unusable.package, name)
            self._without_common(module, role, self.unusable, taken)
        else:
            self._judge(module, role, taken)
        for package in packages_missed(file):
            self.project.miss(package)
        for remark in remarks_of(file):
            self.project.add(name, "note", remark)

    def _play(self, module: Module, role: Role) -> None:
        try:
            (self.codebreaker if role == "codebreaker" else self.codemaker)(module)
        except ModuleFault as error:
            self.wrong(module.path, error.fault)

    # ---------------------------------------------------------------- what follows from common.py

    def _judge(self, module: Module, role: Role, taken: frozenset[str] | None) -> None:
        # A module that goes wrong beside a wrong common.py, from which it takes something, plays once more.
        beside = None if taken is None else self._wrong_beside(module, taken)
        if beside is None:
            self._play(module, role)
            return
        findings, measures = len(self.project.findings), len(self.project.measures)
        again: PlayedAgain | None = None
        told: list[Finding] | None = None
        try:
            if role == "codebreaker" and beside.draws_wrongly and (look := self._first_look(module)):
                again = self._again(module, role, beside)
                told = None if again.found.slow else again.told(look)
            if told is None:
                self._play(module, role)
                seen = self.project.findings[findings:]
                if any(map(is_amiss, seen)):
                    again = again or self._again(module, role, beside)
                    told = again.told(seen)
        except KeyboardInterrupt:
            seen = self.project.findings[findings:]
            self.project.findings[findings:] = not_settled(seen, beside.functions, beside.files)
            raise
        if again is not None and told is not None:
            self.project.findings[findings:] = told
            self.project.measures[measures:] = again.found.measures

    def _wrong_beside(self, module: Module, taken: frozenset[str]) -> WrongCommon | None:
        # Of several the one that lies nearest above it is meant, be it one that was not looked at.
        above = [folder / "common.py" for folder in module.path.parents if folder / "common.py" in self.faulty]
        beside = module.path.with_name("common.py")
        files = [beside] if beside.is_file() else above[:1] or [*self.faulty]
        wrong = [self.project.name(file) for file in files if self.faulty.get(file)]
        names = tuple(name for name in NAMES if any(name in self.faulty.get(file, ()) for file in files))
        return WrongCommon(wrong, names, taken) if names else None

    def _first_look(self, module: Module) -> list[Finding]:
        # One that draws by a wrong `choices` may look for ever for a code that is never drawn: how that ends on which
        # boards tells nothing, and a second is long for a draw.
        limits = replace(self.limits, turn_seconds=min(1.0, self.limits.turn_seconds))
        own = replace(self, project=Project(self.project.folder, self.project.rules), limits=limits)
        breaker = CourseCodebreaker(**own.player(module.path))
        try:
            series = own.series(breaker, Honest(), self.smaller(self.project.rules, SMALL)[-1], FEW)
        except ModuleFault:
            return []
        finally:
            forget(breaker)
        fault = first_fault(series)
        if fault is not None:
            own.wrong(module.path, fault, _count(series, fault))
        return own.project.wrong

    def _again(self, module: Module, role: Role, beside: WrongCommon) -> PlayedAgain:
        names = beside.functions
        sizes = any(each.file in beside.files and each.kind == "follow" for each in self.project.wrong)
        # Where sets are wrong too, our evaluation may be enough: sets that only look otherwise may suit the module.
        ways = [names, ("evaluation",)] if "evaluation" in names and len(names) > 1 else [names]
        tried = list[PlayedAgain]()
        for ours in ways:
            tried.append(PlayedAgain(self._with(ours, module, role), ours, beside.files, beside.taken, sizes))
            if not tried[-1].found.wrong:
                return tried[-1]
        return tried[0]

    def _with(self, ours: tuple[str, ...], module: Module, role: Role) -> Project:
        # What is found of a module with functions of ours in the place of its own: in a project of its own.
        own = replace(self, project=Project(self.project.folder, self.project.rules), ours=ours)
        own._play(module, role)  # noqa: SLF001 (a check like this one)
        own.project.measures = [replace(each, ours=ours) for each in own.project.measures]
        return own.project

    def _without_common(self, module: Module, role: Role, fault: Fault, taken: frozenset[str]) -> None:
        again = self._with((WHOLE,), module, role) if taken <= LOOKED_AT else None
        self.project.findings += not_played(self.project.name(module.path), fault, again)
        self.project.measures += [] if again is None or again.wrong else again.measures

    def wrong(self, file: Path, fault: Fault, count: int = 1, *, against_cheat: bool = False) -> None:
        """Note a fault, and in how many games it was; what is not written yet, or cannot be judged here, is none."""
        if fault.is_unwritten:
            self.gap(file, fault)
            return
        text: str = fault.sentence
        if fault.package or (fault.waits and number_of(file) is None):
            self.unjudgeable(file, fault)
            return
        if against_cheat:
            text = Told("against the cheat, {fault}", text)
        if count > 1:
            text = Told("{fault}; so it is in {count} games", text, count)
        self.project.add(self.project.name(file), "wrong", text, fault.kind)

    def unjudgeable(self, file: Path, fault: Fault) -> None:
        """Note why a file cannot be judged, which is no fault: a package is not installed, or it waits for a person."""
        name, text = self.project.name(file), Told("cannot be judged: {fault}", fault.sentence)
        if fault.package:
            self.project.miss(fault.package, name)
            text = Told("cannot be judged here: {place} needs {package}, which is missing", fault.place, fault.package)
        self.project.add(name, "note", text, fault.kind)

    def gap(self, file: Path, fault: Fault) -> None:
        """Note that a module is not written yet, or rests on another one that is not."""
        name, text = self.project.name(file), Told("{place}: {text}", fault.place, fault.text)
        if os.path.normpath(fault.file) == os.path.normpath(file):
            found = Finding(name, "unwritten", text, fault.kind)
        else:
            found = Finding(name, "waiting", Told("not judged yet: {fault}", text), fault.kind)
        if found not in self.project.findings:
            self.project.findings.append(found)

    def slow(self, module: Module, text: str) -> None:
        """Note that a module is slow, which is not wrong."""
        self.project.add(self.project.name(module.path), "slow", text, "time")

    def player(self, file: Path) -> dict[str, Any]:
        """Return the parameters of a player, and note it where it plays by another convention than the course's.

        No game takes longer than a series of them may.
        """
        is_usual = bool(self.ours) and not writes_tuples(file.with_name("common.py"), self.limits)
        convention = USUAL if is_usual else spoken_convention(file, find_player(file)[1], self.limits)
        if convention not in {USUAL, TUPLES}:  # tuples are noted once, in common.py
            self.project.add(self.project.name(file), "note", note_of_convention(convention), "convention")
        own = asdict(self.limits) | {"game_seconds": min(self.limits.game_seconds, max(self.seconds, 1.0))}
        return {"module": str(file), **own, "convention": convention, "ours": "+".join(self.ours)}

    def series(self, breaker: Any, maker: Any, rules: Rules, games: int) -> Series:
        """Play games, and give up soon where they go wrong; turns of guessing at random, by thousands, tell nothing."""
        record = not (isinstance(breaker, CourseCodebreaker) and number_of(breaker.file) == 0)
        seconds = self.left(self.seconds)
        return play_series(breaker, maker, rules, games, seed=self.seed, seconds=seconds, record=record, give_up=2)

    def on_a_board(self, module: Module, play: Callable[[Rules], Series], boards: list[Rules]) -> Series | None:
        """Play on the first board on which the module is fast enough; None, and a fault, where there is none.

        On boards that are too large for it a module is slow, not wrong. A turn without end on a board of a few codes,
        or one many times as long as those of whole games, is another matter.
        """
        late: list[tuple[Rules, Fault]] = []
        for board in boards:
            series = play(board)
            fault = too_long(series)
            if fault is None or self._is_endless(series):
                for before, slow in late:
                    text = Told(
                        "slow on {before}, and judged on {board} instead: {fault}", before, board, slow.sentence
                    )
                    self.slow(module, text)
                return series
            late.append((board, fault))
        board, fault = late[-1]
        codes = plural(board.secret_count, "{n} code", "{n} codes")
        self.wrong(
            module.path, fault.at(text=Told("on {board}, a board of {codes}, {fault}", board, codes, fault.text))
        )
        return None

    def _is_endless(self, series: Series) -> bool:
        # A turn without end takes at least 20 times as long as a whole game did.
        return bool(series.guesses) and 20 * series.busy < self.limits.turn_seconds * len(series.guesses)

    def smaller(self, *boards: Rules) -> list[Rules]:
        """Return the boards that have fewer codes than the one before each, the first as it is."""
        kept = [boards[0]]
        for board in boards[1:]:
            kept += [board] if board.secret_count < kept[-1].secret_count else []
        return kept

    # ---------------------------------------------------------------- codebreakers

    def codebreaker(self, module: Module) -> None:
        """Look at a codebreaker: does it play, as its number says, on any board, and how well."""
        breaker, number, course = CourseCodebreaker(**self.player(module.path)), module.number, self.project.rules
        first = self.smaller(course, SMALL)[-1] if number == 3 else course

        players = breaker, Honest()
        try:
            series = self.on_a_board(
                module, lambda board: self.series(*players, board, self.games), self.smaller(first, SMALL, TINY)
            )
            if series is None:
                return
            board = series.rules
            plays = follows = self._plays(module, players, series)
            if not plays and self.project.findings[-1].kind == "follow":
                # A size that it does not follow hides how it plays: it is judged on a board that has this size.
                other = Rules.parse(f"{course.pegs}x{board.colors}/course")
                further = self.series(*players, other, self.games)
                if not further.faults:
                    series, board, plays = further, other, self._plays(module, players, further)
            if plays:
                self._traits(module, breaker, series, board)
                self._knows_no_secret(module, breaker, series)
            if follows:
                self._follows(module, players, board)
            if series.guesses:
                self._compare(module, series, number, "honest")
                if number in {2, 3} and not series.faults and not self._is_told(module, "knows the secret"):
                    self._cheated(module, breaker, board)
            if plays and number == 3 and board != course:
                self._on_the_course_s_board(module, breaker, series)
        finally:
            forget(breaker)

    def _on_the_course_s_board(self, module: Module, breaker: CourseCodebreaker, judged: Series) -> None:
        # As far as time allows: many a minimax takes minutes for its first guess there.
        rules, name = self.project.rules, self.project.name(module.path)
        breaker = hurry(breaker, self._tried(judged))
        seconds = self.left(self.seconds / 2)
        try:
            series = play_series(breaker, Honest(), rules, 5, seed=self.seed, seconds=seconds, record=True, give_up=1)
            slow = too_long(series)
            if slow is not None and not self._is_endless(series):
                text = Template("slow on {rules}, and judged on {board} alone: {fault}")
                self.slow(module, Told(text, rules, judged.rules, slow.sentence))
            elif self._plays(module, (breaker, Honest()), series):
                self._traits(module, breaker, series, rules)
                self._knows_no_secret(module, breaker, series)
                self.project.measures.append(ModuleMeasure(name, series, None, ""))
        finally:
            forget(breaker)

    def _tried(self, judged: Series) -> float:
        # Seconds of a turn on the course's board. The work of a minimax grows as the square of the codes: one whose
        # games would take more than the limit of a turn is tried for a second, in case that it knows a quicker way.
        rules, limit = self.project.rules, self.limits.turn_seconds
        growth = (rules.secret_count / judged.rules.secret_count) ** 2
        expected = growth * judged.computed / max(1, len(judged.guesses))
        return min(limit, 1.0) if expected > limit else limit

    def _cheated(self, module: Module, breaker: CourseCodebreaker, board: Rules) -> None:
        # A cheat draws games out: faults of late turns come to light against it alone.
        series = self.series(breaker, Cheat(), board, 20)
        fault = first_fault(series)
        if fault is not None:
            slow = fault.is_slow and not self._is_endless(series)
            if slow:
                self.slow(module, Told("slow against the cheat on {board}: {fault}", board, fault.sentence))
            else:
                self.wrong(module.path, fault, _count(series, fault), against_cheat=True)
        self._compare(module, series, module.number, "cheat")

    def _plays(self, module: Module, players: Players, series: Series) -> bool:
        if not series.faults:
            text = Told("plays {games} on {board} by the rules", _games(len(series.guesses)), series.rules)
            self.project.add(self.project.name(module.path), "right", text)
            return True
        self._goes_wrong(module, players, series)
        return False

    def _goes_wrong(self, module: Module, players: Players, series: Series) -> None:
        # A fault is told by its cause: init, a size that is not followed, a choice among equals, or as it is.
        fault = first_fault(series)
        assert fault is not None
        if fault.package or fault.waits or fault.is_unwritten:
            self.wrong(module.path, fault, count=_count(series, fault))
        elif _is_by_init(players, series, fault.game or 0, lambda played: not isinstance(played, Fault)):
            self.reset(module, fault.sentence)
        elif series.rules != self.project.rules and self._is_by_its_size(players, fault, series.rules):
            self.hard_coded(module, players, fault, self.project.rules, series.rules)
        elif module.number == 3 and fault.kind == "turns" and (broken := self._waits_on(series, players[0], fault)):
            text = Told("{broken}; {fault}", broken.text, fault.text)
            self.wrong(module.path, fault.at(kind=broken.kind, text=text), count=_count(series, fault))
        else:
            self.wrong(module.path, fault, count=_count(series, fault))

    def reset(self, module: Module, text: str) -> None:
        """Note that init does not do its work."""
        said = Told(
            "init() does not reset its state: a game that goes well as the first one goes wrong after others; {fault}",
            text,
        )
        self.project.add(self.project.name(module.path), "wrong", said, "reset")

    def hard_coded(self, module: Module, players: Players, fault: Fault, known: Rules, board: Rules) -> None:
        """Note that the module knows one board only, and whether that hangs on LENGTH or on COLORS."""
        said = Told("does not follow LENGTH and COLORS: on {board} it goes wrong; {fault}", board, fault.sentence)
        for name, other in self._not_followed(players, known, board):
            one = Template("does not follow {name}: on {board} it goes wrong and on {other} it does not; {fault}")
            said = Told(one, name, board, other, fault.sentence)
        self.project.add(self.project.name(module.path), "wrong", said, "follow")

    def _not_followed(self, players: Players, known: Rules, board: Rules) -> list[tuple[str, Rules]]:
        # The one constant that is not followed, and a board that differs from the known one in the other and goes well.
        others = {"LENGTH": _sized(known, known.pegs, board.colors), "COLORS": _sized(known, board.pegs, known.colors)}
        tried = ((name, other) for name, other in others.items() if other != board)
        return [*islice((each for each in tried if not self.series(*players, each[1], 2).faults), 1)]

    def _is_by_its_size(self, players: Players, fault: Fault, board: Rules) -> bool:
        # Whether what goes wrong on a small board does so since that is not the course's, where it may be slow.
        if fault.kind not in {"illegal", "crash", "inconsistent", "evaluation"}:
            return False
        # A minimax takes minutes for a turn there: a second is enough to tell that it would not go wrong at once.
        breaker, maker = (hurry(each, 1.0) for each in players)
        at_home = first_fault(self.series(breaker, maker, self.project.rules, 1))
        forget(breaker)
        forget(maker)
        if at_home is None or not at_home.is_slow or fault.kind == "illegal":
            return at_home is None or at_home.is_slow
        return bool(self._not_followed(players, self.project.rules, board))

    def _knows_no_secret(self, module: Module, breaker: CourseCodebreaker, series: Series) -> None:
        # Inside its process a module can find the secret; turn by turn it is in another one, in the very same games.
        # In two guesses nobody finds one secret among a hundred, game after game: a third turn tells enough.
        fewest = 2
        if len(series.guesses) < FEW or max(series.guesses) > fewest or series.rules.secret_count < 100:
            return
        rules = series.rules.with_limit(fewest)
        apart = [play(breaker, Honest(), rules, game_seed(series.seed, game)).outcome for game in series.games[:FEW]]
        longer = len(apart) - apart.count("won")
        if not longer:
            return
        knows = Template(
            "{module}: it knows the secret: its first games take {there:list} guesses where the secret is in the same "
            "process; where it is in another one, {longer} of these games take more than {fewest}"
        )
        text = Told(knows, module.path, series.guesses[:FEW], longer, fewest)
        self.project.add(self.project.name(module.path), "wrong", text, "knows the secret")

    def _follows(self, module: Module, players: Players, known: Rules) -> None:
        # A board of other sizes shows whether the module follows them.
        others = {(3, 4): (4, 3), (2, 3): (3, 2)}  # else 3x4: none has many more codes
        board = _sized(known, *others.get((known.pegs, known.colors), (3, 4)))
        series = self.series(*players, board, 3)
        fault = first_fault(series)
        if fault is None:
            text = Told("follows LENGTH and COLORS: it plays on {board} too", board)
            self.project.add(self.project.name(module.path), "right", text)
        elif fault.is_slow and board.secret_count > known.secret_count:
            self.slow(module, Told("slow on {board}: {fault}", board, fault.sentence))
        elif fault.package or fault.waits or fault.is_unwritten:
            self.wrong(module.path, fault)
        else:
            self.hard_coded(module, players, fault, known, board)

    def _traits(self, module: Module, breaker: CourseCodebreaker, series: Series, board: Rules) -> None:
        trait = TRAITS.get(module.number if module.number is not None else -1)
        if trait is None:
            return
        names = session_of(breaker, board).process.notation
        mild: tuple[Broken, int] | None = None
        for game, turns in zip(series.games, series.turns, strict=True):
            broken = trait.check(names, turns)
            if broken is None:
                continue
            if not broken.severe:
                mild = mild or (broken, game)
                continue
            if _is_by_init((breaker, Honest()), series, game, _fits(trait.check, names)):
                self.reset(module, Told("in game {game}, {text}", game + 1, broken.text))
                return
            self._broken(module, broken, game)
            return
        if mild is not None:
            self._broken(module, *mild)
        else:
            only = Template("{says}, in the only game on {board}")
            every = Template("{says}, in all {count:,} games on {board}")
            played = len(series.games)
            text = Told(only if played == 1 else every, says=trait.says, count=played, board=board)
            self.project.add(self.project.name(module.path), "right", text)
        if module.number == 3:
            self._prefers(module, series, names)

    def _prefers(self, module: Module, series: Series, names: Notation) -> None:
        # Among guesses of the same worst case; said once, and of several cases the one that admits no other opinion.
        if self._is_told(module, "not preferred"):
            return
        games = zip(series.games, series.turns, strict=True)
        found = [
            (broken, game) for game, turns in games if (broken := prefers_possible_codes(names, turns)) is not None
        ]
        if found:
            self._broken(module, *min(found, key=lambda each: not each[0].severe))

    def _is_told(self, module: Module, *kinds: str) -> bool:
        name = self.project.name(module.path)
        return any(each.file == name and each.kind in kinds for each in self.project.findings)

    @staticmethod
    def _waits_on(series: Series, breaker: Any, fault: Fault) -> Broken | None:
        # In a game without end: the turn at which one code was left and another one was played, or from which on
        # guesses tell nothing, as those of the largest worst case in the place of the smallest.
        process = session_of(breaker, series.rules).process
        shown = [(guess, answer.split(",")) for guess, answer in map(str.split, fault.turns or ())]
        turns = [(process.code(guess), Feedback(*map(int, answer))) for guess, answer in shown]
        tried = (check(process.notation, turns) for check in (prefers_possible_codes, smallest_worst_case))
        return next((broken for broken in tried if broken is not None and broken.severe), None)

    def _broken(self, module: Module, broken: Broken, game: int) -> None:
        place = at_line(*module.place(module.roles[0]))
        text = Told("{place}: in game {game}, {text}", place, game + 1, broken.text)
        self.project.add(self.project.name(module.path), "wrong" if broken.severe else "note", text, broken.kind)

    def _compare(self, module: Module, series: Series, number: int | None, maker: str) -> None:
        expected = expected_codebreaker(number, series.rules, maker, series.turns)
        self._measure(module, series, expected, honest=maker == "honest")

    def _measure(self, module: Module, series: Series, expected: ExpectedMean, *, honest: bool = False) -> None:
        name = self.project.name(module.path)
        self.project.measures.append(ModuleMeasure(name, series, expected.mean, expected.source))
        verdict = mean_verdict(series, expected, honest=honest)
        if verdict is not None and not self._explains(module, verdict.kind):
            self.project.add(name, "note", verdict.text, verdict.kind)

    def _explains(self, module: Module, kind: str) -> bool:
        # Whether a mean that is not as expected, or that no strategy has, is a consequence of what is told already.
        if kind == "too good":
            return self._is_told(module, "knows the secret")
        name = self.project.name(module.path)
        return self._is_told(module, "not preferred") or any(each.file == name for each in self.project.wrong)

    # ---------------------------------------------------------------- codemakers

    def codemaker(self, module: Module) -> None:
        """Look at a codemaker: is it consistent, on any board, and does it do as its number says."""
        maker, rules = CourseCodemaker(**self.player(module.path)), self.project.rules
        partial = Rules.parse(f"{rules.pegs}x{rules.colors}/course/black") if rules.colors <= 8 else rules
        count, players = min(self.games, 20), (Consistent(), maker)

        def play_on(board: Rules) -> Series:
            return self.series(*players, board, count)

        try:
            series: Series | None = play_on(partial) if module.number == 0 else None
            if series is None or series.faults:
                series = self.on_a_board(module, play_on, self.smaller(rules, SMALL, TINY))
            if series is not None and self._answers(module, players, series):
                self._follows(module, players, series.rules)
                few = len(series.guesses) < min(count, FEW) and series.rules == rules  # time was up after a few games
                if few and not self._is_told(module, "follow"):
                    self._answers(module, players, play_on(SMALL))
        finally:
            forget(maker)

    def _answers(self, module: Module, players: tuple[Consistent, CourseCodemaker], series: Series) -> bool:
        name = self.project.name(module.path)
        if series.faults:
            self._goes_wrong(module, players, series)
            return False
        text = Told("is consistent in {games} on {rules}", _games(len(series.guesses)), series.rules)
        self.project.add(name, "right", text)
        last = {turns[-1][0] for turns in series.turns}
        if module.number in {0, 1} and len(series.turns) >= 8 and len(last) == 1:
            text = Told("{place}: it hides the same secret in every game", at_line(*module.place("init")))
            self.project.add(name, "wrong", text, "same secret")
        if module.number == 2 and not self._is_told(module, "never cheats", "not largest", "reset"):
            self._cheats(module, players, series)
        ties = [] if self._is_told(module, "never cheats") else series.turns
        self._measure(module, series, expected_codemaker(module.number, series.rules, ties))
        return True

    def _cheats(self, module: Module, players: tuple[Consistent, CourseCodemaker], series: Series) -> None:
        names, rules = session_of(players[1], series.rules).process.notation, series.rules
        games = zip(series.games, series.turns, strict=True)
        told = ((answers_with_the_most(names, turns), game) for game, turns in games)
        broken, game = next((each for each in told if each[0] is not None), (None, 0))
        # By chance an honest one may answer as a cheat does, but not where its secret is asked first.
        if (broken or _has_a_secret(players[1], series, 0)) and self._never_cheats(module, players, series):
            return
        if broken is None:
            text = Told("always answers what leaves the most codes, on {rules}", rules)
            self.project.add(self.project.name(module.path), "right", text)
            return
        if _is_by_init(players, series, game, _fits(answers_with_the_most, names)):
            self.reset(module, Told("in game {game}, {text}", game + 1, broken.text))
            return
        self._broken(module, broken, game)

    def _never_cheats(self, module: Module, players: tuple[Consistent, CourseCodemaker], series: Series) -> bool:
        # Whether a codemaker is honest in game after game, which is noted then.
        maker = players[1]
        forget(maker)  # a cheat whose init forgets nothing is honest from its second game on
        if not _has_a_secret(maker, series, 0):
            return False
        # One that seldom cheats would pass for honest in a few games.
        tried = (self.series(*players, board, 20) for board in self.smaller(series.rules, SMALL))
        played = next((each for each in tried if not each.faults and len(each.games) >= 8), None)
        if played is None or not all(_has_a_secret(maker, played, at) for at in range(len(played.games))):
            return False
        secret, rules = played.turns[0][-1][0], played.rules
        text = Told(
            "{place}: it never cheats: in {games} on {rules} each answer is that of a secret which it had before the "
            "first guess; asked for {code} at once in game 1, it gives it away, where {codes} can be left",
            at_line(*module.place("codemaker")),
            _games(len(played.games)),
            rules,
            session_of(maker, rules).process.notation.code(secret),
            plural(int(Position(rules).candidates.parts(secret)[1].max()), "{n} code", "{n} codes"),
        )
        self.project.add(self.project.name(module.path), "wrong", text, "never cheats")
        return True


def _is_by_init(players: Players, series: Series, game: int, is_well: Callable[[list[Any] | Fault], bool]) -> bool:
    """Tell whether a game goes well as the first one, and wrong after those before it, again and not by chance."""
    if game == 0:
        return False
    alone = played_afresh(*players, series.rules, series.seed, [game])
    if alone is None or not is_well(alone):
        return False
    after = played_afresh(*players, series.rules, series.seed, range(game + 1))
    return after is not None and not is_well(after)


def _fits(
    check: Callable[[Notation, list[Any]], Broken | None], names: Notation
) -> Callable[[list[Any] | Fault], bool]:
    return lambda played: not isinstance(played, Fault) and check(names, played) is None


def _has_a_secret(maker: CourseCodemaker, series: Series, at: int) -> bool:
    """Tell whether a codemaker had the code on which a game ended before the first guess, by how it answers others.

    Each game ends on a code that fits all its answers, whoever has answered. If this code comes first an honest
    codemaker says that it is the secret, and no cheat does that can leave more than one code, whatever it does on ties.
    One that gives itself up to any code does not answer another one so.
    """
    secret, codes = series.turns[at][-1][0], Position(series.rules).candidates
    begun = Answering.begin(maker, series.rules, game_seed(series.seed, series.games[at]))

    def fits(guess: Code) -> bool:
        return begun.after(guess).position.turns[-1].feedback == score(guess, secret, series.rules)

    try:
        return int(codes.parts(secret)[1].max()) > 1 and all(map(fits, (secret, codes[0], codes[len(codes) - 1])))
    except PlayerError:
        return False


def too_long(series: Series) -> Fault | None:
    """Return the fault of a series in which a module took too long, and did nothing else wrong."""
    fault = first_fault(series)
    return fault if fault is not None and fault.is_slow else None


def first_fault(series: Series) -> Fault | None:
    """Return the first fault of a series, after those the gaps, and then what is slow."""
    return min(series.faults, key=lambda fault: (fault.is_slow, fault.is_unwritten), default=None)


def _sized(like: Rules, pegs: int, colors: int) -> Rules:
    # A board of the course that counts misplaced pegs where another one does.
    return Rules.parse(f"{pegs}x{colors}/course{'/black' if like.feedback == FeedbackKind.black else ''}")


def _games(count: int) -> str:
    return plural(count, "{n} game", "{n} games")


def _count(series: Series, fault: Fault) -> int:
    return sum((each.kind, each.text, each.place) == (fault.kind, fault.text, fault.place) for each in series.faults)

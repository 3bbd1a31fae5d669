"""Looks through one project of the course: what is there, what is right, how well it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from entropeg.classroom import shared
from entropeg.classroom.expected import ExpectedMean, expected_codebreaker, expected_codemaker, mean_verdict
from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.findings import ModuleMeasure, Project
from entropeg.classroom.foreign import check_evaluations, spoken_convention
from entropeg.classroom.functions.conventions import USUAL
from entropeg.classroom.modules import Module, find_player, read_module
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, forget
from entropeg.classroom.process import Limits
from entropeg.classroom.series import ClassroomInterrupted, Series, play_series, single_game
from entropeg.classroom.traits import TRAITS, Broken, answers_with_the_most
from entropeg.codebreakers.basic import Consistent
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.errors import InputError
from entropeg.rules import Rules

BOARD, SMALL, OTHER = Rules.parse("4x8/course"), Rules.parse("3x4/course"), Rules.parse("4x3/course")
"""The course's board; the one on which minimax in plain Python takes no time; and one to see whether sizes follow."""

FOLLOW_GAMES, MAKER_GAMES, CHEAT_GAMES = 3, 20, 20


def check_project(
    folder: str | Path,
    rules: Rules = BOARD,
    *,
    games: int = 100,
    seconds: float = 20.0,
    seed: int = 0,
    limits: Limits | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> Project:
    """Look through the modules of a folder; each series of games takes at most about `seconds`.

    `progress` is called with the name of each module, how many were looked at before it, and how many there are.
    Raises InputError where there is no such folder, or no module of the course in it; ClassroomInterrupted,
    with what was found until then, where Ctrl-C ends it.
    """
    project = Project(Path(folder), rules)
    check = Check(project, games, seconds, seed, limits or Limits(turn_seconds=5.0, game_seconds=60.0))
    try:
        files = _files(project)
    except InputError:
        if not _is_of_another_course(project, check.limits, progress):
            raise
        return project
    project.left = [file.name for file in files]
    try:
        for done, file in enumerate(files):
            if progress is not None:
                progress(file.name, done, len(files))
            check.file(file)
            project.left.remove(file.name)
    except KeyboardInterrupt:
        raise ClassroomInterrupted(project) from None
    return project


def _is_of_another_course(project: Project, limits: Limits, progress: Callable[[str, int, int], object] | None) -> bool:
    # Where no module has a name of the course: whether a function is an evaluation, and what is to be said of it.
    if not project.folder.is_dir():
        return False
    files = [each for each in sorted(project.folder.rglob("*.py")) if each.is_file()]
    project.files = [each.relative_to(project.folder).as_posix() for each in files]
    try:
        return check_evaluations(project, files, limits, progress)
    except KeyboardInterrupt:
        raise ClassroomInterrupted(project) from None


def _files(project: Project) -> list[Path]:
    folder = project.folder
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: name the folder of a project")
    files = sorted(folder.glob("*.py"))
    project.files = [file.name for file in files]
    wanted = [file for file in files if file.stem == "common" or file.stem.startswith(("codebreaker", "codemaker"))]
    if not wanted:
        raise InputError(f"{folder} holds no module of the course: no codebreaker*.py, codemaker*.py or common.py")
    if not (folder / "common.py").exists():
        project.add("common.py", "note", "there is none: entropeg.classroom.common takes its place")
    return wanted


@dataclass
class Check:
    """The looking itself."""

    project: Project
    games: int
    seconds: float
    seed: int
    limits: Limits

    def file(self, file: Path) -> None:
        """Look at one module."""
        try:
            if file.stem == "common":
                read_module(file, str(file))
                shared.check_common(self.project, file, self.limits)
                return
            module, role = find_player(file, None, str(file))
        except ModuleFault as error:
            self.wrong(file, error.fault)
            return
        (self.codebreaker if role == "codebreaker" else self.codemaker)(module)

    def wrong(self, file: Path, fault: Fault, prefix: str = "") -> None:
        """Note a fault."""
        self.project.add(file.name, "wrong", prefix + fault.sentence, fault.kind)

    def player(self, file: Path) -> dict[str, Any]:
        """Return the parameters of a player, and note it where it plays by another convention than the course's."""
        convention = spoken_convention(file, find_player(file)[1], self.limits)
        if convention != USUAL:
            text = f"played with the convention {convention}, which is that of evaluation in the common.py beside it"
            self.project.add(file.name, "note", text, "convention")
        return {"module": str(file), **asdict(self.limits), "convention": convention}

    def series(self, breaker: Any, maker: Any, rules: Rules, games: int) -> Series:
        """Play games, and give up soon where they go wrong."""
        return play_series(breaker, maker, rules, games, seed=self.seed, seconds=self.seconds, record=True, give_up=2)

    # ---------------------------------------------------------------- codebreakers

    def codebreaker(self, module: Module) -> None:
        """Look at a codebreaker: does it play, as its number says, on any board, and how well."""
        breaker, number = CourseCodebreaker(**self.player(module.path)), module.number
        board = SMALL if number == 3 else self.project.rules
        try:
            series = self.series(breaker, Honest(), board, self.games)
            if self._plays(module, breaker, series, board):
                self._traits(module, breaker, series, board)
                self._follows(module, breaker, OTHER if number == 3 else SMALL)
            if series.guesses:
                self._compare(module, series, number, "honest")
                if number in {2, 3} and not series.faults:
                    self._cheated(module, breaker, board)
        except ModuleFault as error:
            self.wrong(module.path, error.fault)
        finally:
            forget(breaker)

    def _cheated(self, module: Module, breaker: CourseCodebreaker, board: Rules) -> None:
        # A cheat draws games out: what goes wrong in late turns alone comes to light against it.
        series = self.series(breaker, Cheat(), board, CHEAT_GAMES)
        if series.faults:
            self.wrong(module.path, series.faults[0], "against the cheat, ")
        self._compare(module, series, module.number, "cheat")

    def _plays(self, module: Module, breaker: CourseCodebreaker, series: Series, board: Rules) -> bool:
        if not series.faults:
            text = f"plays {len(series.guesses):,} games on {board} by the rules"
            self.project.add(module.path.name, "right", text)
            return True
        fault = series.faults[0]
        # A game that goes wrong after another one, and not when it is the first.
        if fault.game and not isinstance(single_game(breaker, board, series.seed, fault.game), Fault):
            self.reset(module, fault.sentence)
        elif board != self.project.rules and fault.kind in {"illegal", "crash"} and self._plays_elsewhere(breaker):
            self.hard_coded(module, fault, board)
        else:
            self.wrong(module.path, fault)
        return False

    def _plays_elsewhere(self, breaker: CourseCodebreaker) -> bool:
        fault = self.series(breaker, Honest(), self.project.rules, 1).faults
        return not fault or fault[0].kind == "time"

    def reset(self, module: Module, text: str) -> None:
        """Note that init does not do its work."""
        said = (
            f"init() does not reset its state: a game that goes well as the first one goes wrong after others; {text}"
        )
        self.project.add(module.path.name, "wrong", said, "reset")

    def hard_coded(self, module: Module, fault: Fault, board: Rules) -> None:
        """Note that the module knows one board only."""
        said = f"does not follow LENGTH and COLORS: on {board} it goes wrong; {fault.sentence}"
        self.project.add(module.path.name, "wrong", said, "follow")

    def _follows(self, module: Module, breaker: CourseCodebreaker, board: Rules) -> None:
        series = self.series(breaker, Honest(), board, FOLLOW_GAMES)
        if series.faults:
            self.hard_coded(module, series.faults[0], board)
        else:
            self.project.add(module.path.name, "right", f"follows LENGTH and COLORS: it plays on {board} too")

    def _traits(self, module: Module, breaker: CourseCodebreaker, series: Series, board: Rules) -> None:
        trait = TRAITS.get(module.number if module.number is not None else -1)
        if trait is None:
            return
        mild: tuple[Broken, int] | None = None
        for game, turns in zip(series.games, series.turns, strict=True):
            broken = trait.check(board, turns)
            if broken is None:
                continue
            if not broken.severe:
                mild = mild or (broken, game)
                continue
            if game > 0:
                alone = single_game(breaker, board, series.seed, game)
                if not isinstance(alone, Fault) and trait.check(board, alone) is None:
                    self.reset(module, f"in game {game + 1}, {broken.text}")
                    return
            self._broken(module, broken, game)
            return
        if mild is not None:
            self._broken(module, *mild)
        else:
            played = len(series.games)
            games = "in the only game" if played == 1 else f"in all {played:,} games"
            self.project.add(module.path.name, "right", f"{trait.says}, {games} on {board}")

    def _broken(self, module: Module, broken: Broken, game: int) -> None:
        line = module.functions["codebreaker"]
        text = f"{module.path}, line {line}: in game {game + 1}, {broken.text}"
        self.project.add(module.path.name, "wrong" if broken.severe else "note", text, broken.kind)

    def _compare(self, module: Module, series: Series, number: int | None, maker: str) -> None:
        expected = expected_codebreaker(number, series.rules, maker, series.turns)
        self._measure(module, series, expected, honest=maker == "honest")

    def _measure(self, module: Module, series: Series, expected: ExpectedMean, *, honest: bool = False) -> None:
        name = module.path.name
        self.project.measures.append(ModuleMeasure(name, series, expected.mean, expected.source))
        verdict = mean_verdict(series, expected, honest=honest)
        if verdict is not None:
            self.project.add(name, "note", verdict.text, verdict.kind)

    # ---------------------------------------------------------------- codemakers

    def codemaker(self, module: Module) -> None:
        """Look at a codemaker: is it consistent, does it do as its number says."""
        maker, rules = CourseCodemaker(**self.player(module.path)), self.project.rules
        partial = Rules.parse(f"{rules.pegs}x{rules.colors}/course/black") if rules.colors <= 8 else rules
        try:
            count = min(self.games, MAKER_GAMES)
            series = self.series(Consistent(), maker, partial if module.number == 0 else rules, count)
            if series.faults and module.number == 0:
                series = self.series(Consistent(), maker, rules, count)
            self._answers(module, series)
        except ModuleFault as error:
            self.wrong(module.path, error.fault)
        finally:
            forget(maker)

    def _answers(self, module: Module, series: Series) -> None:
        name = module.path.name
        if series.faults:
            self.wrong(module.path, series.faults[0])
            return
        self.project.add(name, "right", f"is consistent in {len(series.guesses):,} games on {series.rules}")
        last = {turns[-1][0] for turns in series.turns}
        if module.number in {0, 1} and len(series.turns) >= 8 and len(last) == 1:
            where = f"{module.path}, line {module.functions['init']}"
            self.project.add(name, "wrong", f"{where}: it hides the same secret in every game", "same secret")
        if module.number == 2:
            self._cheats(module, series)
        self._measure(module, series, expected_codemaker(module.number, series.rules, series.turns))

    def _cheats(self, module: Module, series: Series) -> None:
        for game, turns in zip(series.games, series.turns, strict=True):
            broken = answers_with_the_most(series.rules, turns)
            if broken is not None:
                text = f"{module.path}, line {module.functions['codemaker']}: in game {game + 1}, {broken.text}"
                self.project.add(module.path.name, "wrong", text, broken.kind)
                return
        self.project.add(module.path.name, "right", "always answers what leaves the most codes")

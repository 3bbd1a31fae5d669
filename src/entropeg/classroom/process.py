"""Starts the process in which a course module runs, asks it, and holds it to its limits."""

from __future__ import annotations

import json
import mmap
import os
import re
import struct
import sys
import weakref
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from entropeg.classroom import worker
from entropeg.classroom.copies import Copy, carry
from entropeg.classroom.faults import Fault, ModuleFault, Notation
from entropeg.classroom.functions.calls import CallWay
from entropeg.classroom.functions.conventions import SYMBOLS, USUAL, Convention
from entropeg.classroom.functions.evaluation import CodePair
from entropeg.classroom.functions.forms import CallResult
from entropeg.classroom.layout import folders_above, layout_of
from entropeg.classroom.modules import Role, find_player, read_module
from entropeg.classroom.packages import own_module
from entropeg.errors import InputError
from entropeg.feedback import Code, Method, check_known
from entropeg.files import parse_json
from entropeg.processes import Child, ChildError, describe_end
from entropeg.rules import Blanks, Rules
from entropeg.signals import held
from entropeg.told import Template, Told, of_data, plural, with_names

LOAD_SECONDS, LOAD_ASLEEP = 20.0, 20.0
"""So much processor time may a module take to be imported, as a package as large as NumPy does; and so much sleep."""

WORKER = """\
import sys
from importlib.machinery import SourceFileLoader
__file__ = sys.argv[1]
exec(SourceFileLoader("__main__", __file__).get_code("__main__"))
"""
"""Runs a file as a program, from the code that Python keeps of it: started by its path it is compiled each time."""

POOL = "RVBJNMOGACDEFHIKLPQSTUWXYZabcdefghijklmnopqrstuvwxyz0123456789"
"""Letters for boards with more colors than the course's eight."""


@dataclass(frozen=True)
class Limits:
    """What a module may use: seconds of processor time a turn and a game, megabytes of address space.

    It may sleep or wait for `worker.PATIENT` times as many seconds; on systems that do not tell the processor time of
    another process the clock counts in its place.
    """

    turn_seconds: float = 10.0
    game_seconds: float = 120.0
    memory: int = 1024

    def __post_init__(self) -> None:
        if not (self.turn_seconds > 0 and self.game_seconds > 0):
            raise InputError("the time limits of a turn and of a game must be more than 0 seconds")
        if self.memory < 64:
            raise InputError("the memory limit is {memory} MB; Python alone needs 64", self.memory)


def _symbols(convention: str, rules: Rules, shown: str) -> str:
    # How the colors of a module that knows them as numbers show; empty for the letters of the board.
    way = Convention(convention)
    symbols = way.symbols(rules.symbols_in_guesses)
    if symbols is None and way.is_numbered:
        raise InputError(
            "{module} writes colors as numbers, and plays boards of at most {most} colors: {rules} has more",
            *(shown, len(SYMBOLS) - 1, rules),
        )
    return symbols or ""


class Process:
    """A course module in a process of its own, for one board.

    Raises InputError where the board has feedback or blanks that the course does not know, ModuleFault where the module
    cannot be imported.
    """

    def __init__(
        self,
        path: Path,
        shown: str,
        role: Role | Literal["common", "definitions"],
        rules: Rules,
        limits: Limits,
        convention: str = "",
        ours: Sequence[str] = (),
    ) -> None:
        """Start it; `shown` is how messages name the module, `convention` one of `functions.conventions`.

        `ours` are functions of its `common.py` in whose place those of entropeg stand, as `functions.ours` has them.
        As `definitions` only its definitions are loaded, and the program in it does not run.
        """
        check_rules(rules)
        self.convention, self.ours = convention, list(ours)
        self._symbols = _symbols(convention or USUAL, rules, shown)
        self.shown, self.rules, self.limits = shown, rules, limits
        if role == "common" or role == "definitions":  # noqa: PLR1714 (so mypy knows that others are players)
            self.module = read_module(path, shown)
        else:
            self.module = find_player(path, role, shown)[0]
        self.role = role
        self.letters = POOL
        self._codes = dict[str, Code]()
        self.busy = self.computed = 0.0  # seconds in turns: by the clock, and of processor time
        self._child: Child | None = None
        self._loading = False
        self.absent = list[str]()  # packages that are not installed, in whose place something stands
        with held():  # the folder that is made is also removed
            self._copy = Copy()
            self.home = str(self._copy.home)
            self._log = self._copy.log.open("w+b")
            self._log.truncate(worker.LOG_BYTES)
            self._memory = mmap.mmap(self._log.fileno(), worker.LOG_BYTES, access=mmap.ACCESS_READ)
            self._holder = list[Child]()
            self.close = weakref.finalize(self, _tidy, self._copy, self._log, self._memory, self._holder)
        self.layout = layout_of(path)
        self._stayed = carry(self.layout.root, Path(self.home), path.parent)
        self._start()

    def _start(self) -> None:
        # Where a package is missing, something stands in for it: the module may be played without. What then fails, as
        # it is imported, fails for the package that was missing first.
        first: ModuleFault | None = None
        while True:
            try:
                self._import()
            except ModuleFault as error:
                package = error.fault.package
                if not package or package in self.absent:
                    raise (first or error) from None
                first = first or error
                self.absent.append(package)
                _note("package", self.module.path, package)
            else:
                return

    def _import(self) -> None:
        arguments = [sys.executable, "-P", "-c", WORKER, str(Path(worker.__file__))]
        try:
            folder, memory = self._copied(self.layout.folder), self.limits.memory << 20
            self._child = Child(arguments, cwd=folder, env=_environment(), memory=memory, limits_itself=True)
        except ChildError as error:
            raise InputError("no process can be started for {module}: {error}", self.shown, error) from None
        self._holder[:] = [self._child]
        self._loading = True  # its function has not been called: no line of it is at fault
        info = self._talk(self._config(), Allowance(Told("its import"), LOAD_SECONDS, LOAD_ASLEEP))
        self._loading = False
        self._codes.clear()
        self.letters, self.own_common = info["letters"], info["own_common"]

    def _config(self) -> dict[str, Any]:
        rules = self.rules
        named = rules.symbols.is_spelled and rules.alphabet not in {"letters", "course"}
        blank = rules.blanks == Blanks.both
        letters = ("".join(rules.symbols.symbols) if named else POOL[: rules.colors]) + "." * blank
        return {
            "home": self.home,
            "folder": str(self._copy.folder),
            "module": self._copied(self.module.path),
            "name": self.layout.name,
            "paths": [self._copied(each) for each in self.layout.paths],
            "named": [(name, self._copied(place)) for name, place in self.layout.named],
            "common": str(Path(__file__).with_name("common.py")),
            "role": self.role,
            "pegs": rules.pegs,
            "colors": rules.symbols_in_guesses,
            "letters": self._symbols or letters,
            "own_letters": not named and not blank and not self._symbols,
            "repeats": bool(rules.guess_repeats),
            "kind": rules.feedback.name,
            "memory": self.limits.memory << 20,
            "longest": max(self.limits.game_seconds, self.limits.turn_seconds, LOAD_SECONDS),
            "log": str(self._copy.log),
            "convention": self.convention,
            "absent": [] if self.role == "definitions" else self.absent,
            "ours": self.ours,
            "definitions": self.role == "definitions",
        }

    def _copied(self, path: Path) -> str:
        return str(Path(self.home) / path.relative_to(self.layout.root))

    @property
    def alive(self) -> bool:
        """Whether the process is there; one that was ended for a fault is not."""
        return self._child is not None and self._child.alive

    def restart(self) -> None:
        """Start again after the process has ended."""
        if self._child is not None:
            self._child.close()
        self._start()

    def code(self, text: str) -> Code:
        """Read a code as the module writes it; most are read again and again."""
        found = self._codes.get(text)
        if found is None:
            found = self._codes[text] = tuple(map(self.letters.index, text))
        return found

    def text(self, code: Code) -> str:
        """Write a code for the module."""
        return "".join(self.letters[color] for color in code)

    @property
    def notation(self) -> Notation:
        """How the module writes codes and turns."""
        return Notation(self.rules, self.letters)

    def init(self, seed: int) -> None:
        """Begin a game."""
        self._talk(["start", seed], self._allowed("init()", self.limits.turn_seconds))

    def turn(self, given: Any) -> Any:
        """Ask for a guess or an evaluation."""
        value, busy, computed = self._talk(["turn", given], self._allowed(Told("a turn"), self.limits.turn_seconds))
        self.busy += busy
        self.computed += computed
        return value

    def ask(self, function: str, arguments: list[Any], *, update: bool = False) -> list[Any]:
        """Call a function of the project many times; see `worker.ModulePlayer.ask`."""
        allowed = self._allowed(_calls(len(arguments), function), self.limits.game_seconds)
        answers: list[Any] = self._talk(["ask", function, arguments, update], allowed)
        return answers

    def tried(self, function: str, form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
        """Call a function of the module with pairs of codes, in a form of `functions.forms`."""
        allowed = self._allowed(_calls(len(pairs), function), self.limits.game_seconds)
        told = self._talk(["tried", function, form, pairs], allowed)
        return [CallResult(**each) for each in told]

    def survey(self) -> dict[str, Any]:
        """Return what the definitions of the module hold; see `worker.ModulePlayer.survey`."""
        told: dict[str, Any] = self._talk(["survey"], self._allowed(Told("its import"), LOAD_SECONDS))
        return told

    def called(self, way: CallWay, form: str, pairs: Sequence[CodePair], seconds: float) -> list[CallResult]:
        """Call a function of the definitions with pairs of codes, in a form that `survey` names."""
        allowed = self._allowed(_calls(len(pairs), way.function), seconds)
        return [CallResult(**each) for each in self._talk(["called", asdict(way), form, pairs], allowed)]

    def written(self, way: CallWay, form: str, pair: CodePair) -> str:
        """Write a call of a function as somebody would type it."""
        allowed = self._allowed(_calls(1, way.function), self.limits.turn_seconds)
        text: str = self._talk(["written", asdict(way), form, pair], allowed)
        return text

    def games(
        self, games: list[tuple[int, int, str]], limit: int, *, record: bool = False
    ) -> tuple[list[Any], Fault | None]:
        """Let a codebreaker play whole games against honest codemakers, until one goes wrong.

        Each game is (number, seed, secret as the module writes it); `worker.ModulePlayer.games` says what comes back.
        """
        allowed = self._allowed(Told("a turn"), self.limits.turn_seconds)
        try:
            told = self._talk(["games", games, limit, self.limits.game_seconds, record], allowed, in_games=True)
        except ModuleFault as fault:
            return [], fault.fault
        self.busy += sum(game[1] for game in told["games"])
        self.computed += told["computed"]
        return told["games"], None if told["fault"] is None else self._fault(told["fault"], in_games=True)

    # ---------------------------------------------------------------- talking

    @staticmethod
    def _allowed(what: str, seconds: float) -> Allowance:
        return Allowance(what, seconds, worker.PATIENT * seconds)

    def _talk(self, request: Any, allowed: Allowance, *, in_games: bool = False) -> Any:
        if self._child is None or not self._child.alive:
            self.restart()
        assert self._child is not None
        watch = Watch(self, self._child, allowed, by_call=in_games)
        try:
            self._child.write(json.dumps(request), seconds=LOAD_ASLEEP)
            # Someone else ends this wait; how far the module has come is looked at 20 times a second.
            reply = _reply(self._child.read(1e9, every=0.05, watch=watch))
        except ChildError as error:
            raise ModuleFault(self._lost(error, in_games=in_games)) from None
        for told in reply.get("remarks", ()):
            _note("remark", self.module.path, self._fault(told).sentence)
        if "fault" in reply:
            raise ModuleFault(self._fault(reply["fault"]))
        return reply["ok"]

    def _lost(self, error: ChildError, *, in_games: bool) -> Fault:
        assert self._child is not None
        self._child.close()
        kinds = {"silent": "time", "memory": "memory"}
        kind, text = kinds.get(error.reason, "ended"), str(error)
        if error.reason == "ended":
            text = describe_end(error.code, Told("its process"))
        _, game, turns, _ = struct.unpack_from("<QQQQ", self._memory, 0)
        told = {"kind": kind, "text": text, "file": None, "line": None, "game": game, "turns": turns}
        return self._fault(told, in_games=in_games)

    def _fault(self, told: dict[str, Any], *, in_games: bool = False) -> Fault:
        file, line, text = told.get("file"), told.get("line"), with_names(of_data(told["text"]), self._named)
        missing = Path(told.get("missing") or "").name
        if missing in self._stayed:
            of = Template("{text}: {file} is not carried along with the module (a file over 4 MB, or one of very many)")
            text = Told(of, text, missing)
        package = missing if told["kind"] == "package" and "." not in missing else ""
        if package and (near := self._own(package)):
            package = ""
            if near != missing:
                text = Told("{text}: did you mean {name!r}?", text, near)
        where = self._named(file or "") or self.shown
        if file is None and not self._loading and self.role in self.module.functions:
            where, line = self.module.place(self.role, self.shown)
        package, waits = {"_tkinter": "tkinter"}.get(package, package), bool(told.get("waits"))
        fault = Fault(told["kind"], text, self.shown, where, line, prints=self.prints, package=package, waits=waits)
        if not in_games:
            return fault
        turns = tuple(self._turns())
        return fault.at(game=told["game"], turns=turns, count=told["turns"])

    def _own(self, name: str) -> str:
        folder = self.module.path.parent
        return own_module(name, dict.fromkeys((*self.layout.paths, folder, *folders_above(folder))))

    def fault(self, kind: str, text: str) -> Fault:
        """Make a fault of the module's function."""
        return self._fault({"kind": kind, "text": text})

    def _named(self, told: str) -> str:
        # The copy's name means nothing to anyone: a file is named as the module is, from the current folder.
        if self.home not in told:
            return told
        folder, shown = self._copied(self.module.path.parent), Path(self.shown).parent

        def named(match: re.Match[str]) -> str:
            return os.path.normpath(shown / os.path.relpath(match[0], folder))

        return re.sub(rf"{re.escape(self.home)}(?:[/\\][^\s'\",:;()]*)?", named, told)

    def _turns(self) -> list[str]:
        turns = struct.unpack_from("<Q", self._memory, 16)[0]
        raw = bytes(self._memory[worker.TURNS_AT :]).split(b"\n")
        return [line.decode(errors="replace") for line in raw[:turns] if line and not line.startswith(b"\0")]

    @property
    def prints(self) -> str:
        """What the module has printed, the first four thousand bytes."""
        count = struct.unpack_from("<Q", self._memory, 24)[0]
        text = bytes(self._memory[worker.HEAD : worker.HEAD + min(count, worker.PRINTS)])
        return text.decode(errors="replace")

    @property
    def calls(self) -> int:
        """How often calls of the module have begun and ended; odd while one runs."""
        count: int = struct.unpack_from("<Q", self._memory, 0)[0]
        return count


_NOTED = dict[tuple[str, Path], dict[str, None]]()
"""What there is to say about modules, by kind and file, until it is asked for."""


def _note(kind: str, path: Path, text: str) -> None:
    _NOTED.setdefault((kind, path), {})[text] = None


def remarks_of(path: str | Path) -> list[str]:
    """Return what there was to remark about a module, and is no fault, since it was last asked for."""
    return list(_NOTED.pop(("remark", Path(path).absolute()), {}))


def packages_missed(path: str | Path) -> list[str]:
    """Return the packages that are not installed and without which a module was tried since this was last asked for."""
    return list(_NOTED.pop(("package", Path(path).absolute()), {}))


@dataclass(frozen=True)
class Allowance:
    """What a module may take for something: seconds of processor time, and seconds that it may sleep or wait."""

    what: str
    seconds: float
    asleep: float


class Watch:
    """Looks whether a module has used up what it is allowed: since it was asked, or since its last call of its own.

    A machine on which it does not get the processor that it wants holds nothing against it. Where the system does not
    tell, the clock counts as processor time does.
    """

    def __init__(self, process: Process, child: Child, allowed: Allowance, *, by_call: bool) -> None:
        """Start looking; `by_call` where the module plays alone, so that each of its calls begins anew."""
        self._process, self._child, self._allowed, self._by_call = process, child, allowed, by_call
        self._calls, self._looked = -1, monotonic()
        self._used = self._asleep = 0.0
        self._before: float | None = None

    def __call__(self) -> None:
        """Raise ChildError where it has taken too long."""
        calls, usage, now = self._process.calls, self._child.usage, monotonic()
        passed, self._looked = now - self._looked, now
        if self._by_call and (calls != self._calls or calls % 2 == 0):
            self._calls, self._used, self._asleep = calls, 0.0, 0.0
        elif usage is None:
            self._used += passed
        else:
            self._used += usage.seconds - (usage.seconds if self._before is None else self._before)
            self._asleep += passed if usage.is_waiting else 0.0
        self._before = None if usage is None else usage.seconds
        allowed = self._allowed
        if self._used > allowed.seconds:
            text = Told("it took longer than {seconds:g} s of processor time for {what}", allowed.seconds, allowed.what)
            raise ChildError(text, "silent")
        if self._asleep > allowed.asleep:
            text = Told("it slept or waited for more than {seconds:g} s in {what}", allowed.asleep, allowed.what)
            raise ChildError(text, "silent")


def _calls(count: int, function: str) -> Told:
    return plural(count, "{n} call of {function}", "{n} calls of {function}", function)


def check_rules(rules: Rules) -> None:
    """Raise InputError for rules that a course module cannot play by."""
    check_known(rules, Method.course)
    if rules.blanks == Blanks.guesses:
        raise InputError("course modules know no blanks in guesses alone; {rules} allows them", rules)
    if rules.symbols_in_guesses > len(POOL):
        raise InputError(
            "course modules write a color as one letter: {rules} has more than {most} colors", rules, len(POOL)
        )


def _environment() -> dict[str, str]:
    # One hash seed, so that the same seed gives the same game also where sets of strings are drawn from.
    fixed = {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg", "PYTHONUTF8": "1"}
    threads = {f"{library}_NUM_THREADS": "1" for library in ("OPENBLAS", "OMP", "MKL")}
    return {**os.environ, **fixed, **threads}


def _tidy(copy: Copy, log: Any, memory: mmap.mmap, children: list[Child]) -> None:
    for child in children:
        child.close()
    memory.close()
    log.close()
    copy.remove()


def _reply(line: str) -> dict[str, Any]:
    # The worker writes what can be read; a module that finds its way to the pipe may not.
    try:
        reply = parse_json(line)
    except InputError:
        reply = None
    if not isinstance(reply, dict) or not ({"ok", "fault"} & reply.keys()):
        raise ChildError(Told("it wrote {line!r}, which is no answer of a worker", line), "garbled")
    return reply

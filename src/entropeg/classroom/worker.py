"""Runs one course module in a process of its own: a program on the standard library, and sentences (`told`), alone.

It is started by path, so that it knows nothing else of entropeg and starts in a few hundredths of a second. It reads
one line of JSON a request and writes one a reply; what the module prints goes to a memory that the other side can read
(the log), which also holds how far it has come, so that a module that never returns can be reported with its game.
"""

from __future__ import annotations

import _thread
import ast
import builtins
import importlib.machinery
import importlib.util
import json
import mmap
import os
import random
import select
import signal
import struct
import sys
import time
from collections.abc import Callable, Sequence
from importlib.machinery import FileFinder, PathFinder, SourceFileLoader
from io import TextIOBase
from itertools import count
from operator import eq, index
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from time import perf_counter, process_time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar


def loaded(name: str) -> Any:
    """Return a module of entropeg that stands on the standard library, and on sentences, alone."""
    known = f"entropeg.{name.replace('/', '.')}"  # so it is found by modules that import it
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, Path(__file__).parents[1] / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[known] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[known])
    return sys.modules[known]


if TYPE_CHECKING or __name__ != "__main__":
    from entropeg.told import Told, to_data, word
else:
    Told, to_data, word = (getattr(loaded("told"), name) for name in ("Told", "to_data", "word"))

LOG_BYTES, HEAD, PRINTS = 1 << 16, 32, 4096
"""The log: a head of four numbers (calls begun and ended, game, turns, bytes printed), prints, turns of the game."""

TURNS_AT = HEAD + PRINTS
WRITE = struct.Struct("<Q").pack_into
FOLLOWED, OURS = "__entropeg_follow__", "__entropeg_ours__"
SHOWN = 120
"""Longest representation of a value that is told."""

PATIENT = 5
"""Limits are of processor time; a module may sleep for five times as long."""

BY_THE_CLOCK = 12
"""A game may take twelve times its processor time by the clock, which also counts sleep and a busy machine."""

LEAVING = _thread.allocate_lock()
"""Held by the thread that removes the copy of the project at the end."""


class FaultError(Exception):
    """What the module did wrong: a kind, a sentence, and the file and line where it was."""

    def __init__(
        self,
        kind: str,
        text: str,
        file: str | None = None,
        line: int | None = None,
        missing: str | None = None,
        *,
        waits: bool = False,
    ) -> None:
        """Keep what there is to tell: `missing`, a file or a package not found; `waits`, whether it wants a person."""
        super().__init__(text)
        self.told = {"kind": kind, "text": to_data(text), "file": file, "line": line, "missing": missing}
        self.told["waits"] = waits


class GameLog(TextIOBase):
    """The memory shared with the other side, and standard output and error of the module: what it prints is kept."""

    def __init__(self, path: str) -> None:
        """Map the file, which the other side has made."""
        with open(path, "r+b") as file:  # noqa: PTH123 (before anything of the module is known)
            self.memory = mmap.mmap(file.fileno(), LOG_BYTES)
        self.calls = self.game = self.turns = self.printed = 0
        self.at = TURNS_AT

    def tick(self) -> None:
        """Note that a call of the module begins (then the number is odd) or ends."""
        self.calls += 1
        WRITE(self.memory, 0, self.calls)

    def begin(self, game: int) -> None:
        """Start a game."""
        self.game, self.turns, self.at = game, 0, TURNS_AT
        WRITE(self.memory, 8, game)
        WRITE(self.memory, 16, 0)

    def turn(self, guess: str, answer: tuple[int, int]) -> None:
        """Note one turn; only the count once the memory is full."""
        self.turns += 1
        if self.at < LOG_BYTES:
            data = f"{guess} {answer[0]},{answer[1]}\n".encode()
            end = self.at + len(data)
            if end <= LOG_BYTES:
                self.memory[self.at : end] = data
            self.at = min(end, LOG_BYTES)
        WRITE(self.memory, 16, self.turns)

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, text: str) -> int:
        """Keep the first bytes printed, and the count of all."""
        data = text.encode(errors="replace")
        start = HEAD + self.printed
        if start < TURNS_AT:
            kept = data[: TURNS_AT - start]
            self.memory[start : start + len(kept)] = kept
        self.printed += len(data)
        WRITE(self.memory, 24, self.printed)
        return len(text)


class Follower:
    """Gives `LENGTH` and `COLORS` the values that the rules ask for, wherever the project sets them."""

    def __init__(self, pegs: int, colors: int, letters: str, *, own: bool) -> None:
        """`letters` are ours; the project's own are kept where it has enough of them, unless `own` is false."""
        self.pegs, self.colors, self.letters = pegs, colors, letters
        self._keeps_own = own

    def __call__(self, name: str, value: object) -> object:
        """Return what `name` becomes where the project sets it to `value`."""
        if name == "LENGTH":
            return self.pegs if isinstance(value, int) else value
        if type(value) is int:
            return self.colors
        if type(value) is dict:  # each color with what it looks like
            return {color: value.get(color, color) for color in self(name, [*value])}  # type: ignore[attr-defined]
        if type(value).__name__ == "ndarray":
            return sys.modules["numpy"].array(self(name, value.tolist()))  # type: ignore[attr-defined]
        if not isinstance(value, (str, list, tuple, set, frozenset)):
            return value
        theirs = list(dict.fromkeys(value))
        if theirs and theirs[0] in (0, 1) and [index(each) for each in theirs if type(each) is int] == theirs:
            ours = range(theirs[0], theirs[0] + self.colors)
            return type(value)(ours) if theirs == [*range(theirs[0], theirs[0] + len(theirs))] else value
        if not all(isinstance(color, str) and len(color) == 1 for color in theirs):
            return value
        if self._keeps_own and len(theirs) >= self.colors:
            self.letters = "".join(sorted(theirs) if isinstance(value, (set, frozenset)) else theirs)[: self.colors]
        return self.letters if isinstance(value, str) else type(value)(self.letters)


class Following(ast.NodeTransformer):
    """Put `NAME = follow("NAME", NAME)` behind every assignment to `LENGTH` or `COLORS` at the level of the module.

    Likewise functions of ours behind those in whose place they stand: what is computed by them while the module is
    loaded is then right too.
    """

    def __init__(self, ours: frozenset[str] = frozenset()) -> None:
        """`ours` are the names of functions in whose place ours stand."""
        self._ours = dict.fromkeys(ours, OURS)
        self._assigned = {"LENGTH": FOLLOWED, "COLORS": FOLLOWED, **self._ours}

    def visit(self, node: Any) -> Any:
        """Follow a statement; within functions and classes nothing is at the level of the module."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return self._behind(node, [node.name], self._ours)
            case ast.ImportFrom():  # functions that come from another file too
                return self._behind(node, [each.asname or each.name for each in node.names], self._ours)
            case ast.Assign():
                return self._behind(node, _named(node.targets), self._assigned)
            case ast.AnnAssign() | ast.AugAssign():
                return self._behind(node, _named([node.target]) if node.value is not None else [], self._assigned)
        return self.generic_visit(node)

    @staticmethod
    def _behind(node: ast.stmt, names: Sequence[str], calls: dict[str, str]) -> ast.stmt | list[ast.stmt]:
        added: list[ast.stmt] = []
        for name in dict.fromkeys(names):
            if name in calls:
                statement = ast.parse(f"{name} = {calls[name]}({name!r}, {name})").body[0]
                for part in ast.walk(statement):
                    if isinstance(part, (ast.stmt, ast.expr)):
                        ast.copy_location(part, node)
                added.append(statement)
        return [node, *added] if added else node


def _named(targets: Sequence[ast.expr]) -> list[str]:
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


class Loader(SourceFileLoader):
    """Loads the project's modules so that they follow the rules, or the definitions in them alone."""

    sort: ClassVar[Callable[[ast.Module], ast.Module] | None] = None
    """Leaves the definitions of a file; None where all of it runs."""

    ours: ClassVar[frozenset[str]] = frozenset()
    """Functions of `common.py` in whose place ours stand."""

    def get_code(self, fullname: str) -> Any:
        """Compile the source, whatever compiled file may lie beside it."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:  # type: ignore[override]  # importlib calls it so
        """Compile a file of the project."""
        place = Path(path)
        is_common = (place.parent if place.name == "__init__.py" else place).stem == "common"
        tree = ast.parse(data, path)
        if Loader.sort is None:
            tree = Following(self.ours if is_common else frozenset()).visit(tree)
        else:
            tree = Loader.sort(tree)
        return compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)

    def exec_module(self, module: Any) -> None:
        """Run a file of the project; a function of the course whose body is empty says that it is not written yet."""
        super().exec_module(module)
        course, own = loaded("classroom/functions/ours"), vars(module)
        for name in course.ALL_NAMES & own.keys():
            if course.is_empty(own[name]):
                own[name] = gap(own[name])


class ModulePlayer:
    """The module and everything that is asked of it."""

    def __init__(self, config: dict[str, Any], log: GameLog) -> None:
        """Import the module; raises FaultError where that fails."""
        self.log = log
        self.home = Path(config["home"])
        self.role, self.pegs = config["role"], config["pegs"]
        self.repeats, self.kind, self.longest = config["repeats"], config["kind"], config["longest"]
        self.remarks: list[dict[str, Any]] = []
        self._remarked: list[dict[str, Any]] = []
        self._take_samples_of_sets()
        self.follower = Follower(config["pegs"], config["colors"], config["letters"], own=config["own_letters"])
        setattr(builtins, FOLLOWED, self.follower)
        own = frozenset(config["ours"])
        if own:
            self._place_ours(own, config["convention"])
        self._watch_imports()
        self.touched: list[str] = []  # the package that is not installed, and that a game asked for
        if config["absent"]:
            loaded("classroom/standins").stand_in(config["absent"])
            self.touched = loaded("classroom/standins").TOUCHED
        self.left_out, self.missing = dict[str, str](), dict[str, None]()
        if config["definitions"]:
            self._sort_definitions()
        name, paths = config["name"], [Path(path) for path in config["paths"]]
        sys.path[:0] = map(str, paths)
        places = [*paths, Path(config["module"]).parent]
        self.own_common = any(
            (place / "common.py").exists() or (place / "common" / "__init__.py").exists() for place in places
        )
        if (not self.own_common or "common" in own) and not config["definitions"]:
            self._offer_common(config["common"], name.rpartition(".")[0])
        self.module = self.guarded(Told("import {name}", name), self._imported, name, config["named"])
        if config["convention"]:
            self.module = self._adapted(self.module, config["convention"])
        if config["absent"] or config["definitions"]:
            loaded("classroom/standins").close()
        self.letters = self.follower.letters
        self.allowed = frozenset(self.letters)

    def _place_ours(self, names: frozenset[str], convention: str) -> None:
        # Functions of ours in the place of theirs, for the letters that the project turns out to have.
        ours, follower = loaded("classroom/functions/ours"), self.follower
        Loader.ours = names & ours.NAMES.keys()
        write = tuple if convention.startswith("tuple/") else str

        def size() -> tuple[int, str]:
            return follower.pegs, follower.letters

        setattr(builtins, OURS, ours.OurFunctions(loaded("classroom/common"), size, write))

    @staticmethod
    def _imported(name: str, named: list[list[str]]) -> Any:
        # `named`: modules and packages that Python does not find by their names, and where they lie.
        for each, place in named:
            init = Path(place) / "__init__.py" if Path(place).is_dir() else Path(place)
            loader = Loader(each, str(init)) if init.exists() else None
            spec = importlib.machinery.ModuleSpec(each, loader, origin=str(init), is_package=Path(place).is_dir())
            spec.has_location = loader is not None
            if spec.submodule_search_locations is not None:
                spec.submodule_search_locations.append(place)
            sys.modules[each] = module = importlib.util.module_from_spec(spec)
            if loader is not None:
                loader.exec_module(module)
        return importlib.import_module(name)

    def _sort_definitions(self) -> None:
        # From now on only definitions of the project's files run, and nothing is asked, shown, written or started.
        loaded("classroom/imports")
        definitions, provided = loaded("classroom/functions/definitions"), set[str]()
        self.missing = loaded("classroom/standins").stand_in_beside_definitions(str(self.home), provided)

        def sort(tree: ast.Module) -> ast.Module:
            provided.update(definitions.tried_imports(tree))
            sorted_out: ast.Module = definitions.definitions(tree)
            return sorted_out

        def left_out(names: Sequence[str], error: BaseException | None) -> None:
            said = "" if error is None else f"{type(error).__name__}: {error}"[:SHOWN]
            self.left_out.update(dict.fromkeys(names, said))

        Loader.sort = sort
        setattr(builtins, definitions.LEFT_OUT, left_out)
        time.sleep = lambda _seconds: None
        definitions.FORBIDDEN.update(definitions.HARMFUL)
        sys.addaudithook(definitions.forbid)

    def _watch_imports(self) -> None:
        home = str(self.home)

        def hook(path: str) -> FileFinder:
            if path != home and not path.startswith(home + os.sep):
                raise ImportError(path)
            details = [
                (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
                (Loader, importlib.machinery.SOURCE_SUFFIXES),
            ]
            return FileFinder(path, *details)

        sys.path_hooks.insert(0, hook)
        for path in [*sys.path_importer_cache]:
            if path.startswith(home):  # PYTHONPATH=. has made a finder of the folder already
                del sys.path_importer_cache[path]
        PathFinder.invalidate_caches()

    def remark(self, told: dict[str, Any]) -> None:
        """Say something with the next reply that is no fault, once."""
        if told not in self._remarked:
            self._remarked.append(told)
            self.remarks.append(told)

    def _take_samples_of_sets(self) -> None:
        # Older Pythons drew from sets too: the module plays on as it would there, and it is said.
        original = random.sample

        def sample(population: Any, k: int, *, counts: Any = None) -> list[Any]:
            if isinstance(population, (set, frozenset)):
                frame = sys._getframe(1)  # noqa: SLF001 (the line of the module that draws)
                text = Told(
                    "it draws by random.sample from a set; Python 3.11 refuses this: write sample(sorted(...), k)"
                )
                self.remark(FaultError("version", text, frame.f_code.co_filename, frame.f_lineno).told)
                population = sorted(population)
            return original(population, k, counts=counts)

        random.sample = sample

    @staticmethod
    def _offer_common(path: str, package: str) -> None:
        spec = importlib.util.spec_from_loader("common", Loader("common", path), origin=path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["common"] = sys.modules[f"{package}.common"] = module
        spec.loader.exec_module(module)

    def _adapted(self, module: Any, name: str) -> Any:
        # A player that writes codes and evaluations in another way, as one that writes them as the course does.
        loaded("classroom/functions/forms")
        way = loaded("classroom/functions/conventions").Convention(name)

        def codebreaker(evaluation: tuple[int, int] | None) -> Any:
            value = module.codebreaker(None if evaluation is None else way.answer(evaluation))
            code = way.read_code(value)
            if way.is_numbered and not isinstance(code, str):
                raise FaultError(
                    "type", Told("its guess is {guess}; its codes are to be {codes}", described(value), way.codes)
                )
            return code

        def codemaker(guess: str) -> Any:
            return way.read_answer(module.codemaker(way.code(guess)))

        if self.role == "common":
            return self._common_adapted(module, way)
        return SimpleNamespace(init=getattr(module, "init", None), codebreaker=codebreaker, codemaker=codemaker)

    @staticmethod
    def _common_adapted(module: Any, way: Any) -> Any:
        # The functions of a common.py, likewise.
        def choices(*given: Any) -> Any:
            return way.read_own_code(module.choices(*given))

        def evaluation(guess: str, secret: str) -> Any:
            return way.read_answer(module.evaluation(way.code(guess), way.code(secret)))

        def donner_possibles(guess: str, answer: tuple[int, int]) -> Any:
            return way.read_codes(module.donner_possibles(way.code(guess), way.answer(answer)))

        def maj_possibles(codes: set[Any], guess: str, answer: tuple[int, int]) -> Any:
            given = set(map(way.code, codes))
            returned = module.maj_possibles(given, way.code(guess), way.answer(answer))
            codes.clear()
            codes.update(way.read_codes(given))
            return way.read_codes(returned)

        return SimpleNamespace(
            choices=choices, evaluation=evaluation, donner_possibles=donner_possibles, maj_possibles=maj_possibles
        )

    def guarded(self, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the project's code; whatever it raises becomes a FaultError with file and line."""
        self.log.tick()
        try:
            value = function(*arguments)
        except FaultError:
            raise
        except BaseException as error:  # noqa: BLE001 (whatever foreign code raises is its fault, SystemExit too)
            raise self._fault(what, error) from None
        finally:
            self.log.tick()
        self._untouched()
        return value

    def _untouched(self) -> None:
        # A module that caught what a stand-in for a package raised has not played by itself.
        if self.touched:
            raise _without(self.touched.pop())  # the next call is another matter

    def _fault(self, what: str, error: BaseException) -> FaultError:
        if isinstance(error, SyntaxError) and error.filename and error.filename.startswith(str(self.home)):
            return FaultError("syntax", no_python(error), error.filename, error.lineno)
        file, line = self._place(error)
        if isinstance(error, NotImplementedError) and (name := self._raised_in(error)):
            return unwritten(name, file, line)
        if isinstance(error, ModuleNotFoundError) or self.touched:
            return _without(self.touched.pop() if self.touched else getattr(error, "name", None), file, line)
        if isinstance(error, MemoryError):
            return FaultError("memory", Told("{what} ran out of memory", what), file, line)
        if isinstance(error, SystemExit):
            said = Told("{what} ends the program", what)
            if error.code is not None:
                said = Told("{what} ends the program ({code})", what, shown(error.code))
            return FaultError("exit", said, file, line)
        if isinstance(error, EOFError):
            said = Told("{what} raised EOFError: it waits for input(), and nobody is there", what)
            return FaultError("crash", said, file, line, waits=str(error).startswith("EOF when reading"))
        msg = str(error)[:SHOWN]
        missing = str(error.filename) if isinstance(error, FileNotFoundError) and error.filename else None
        said = Told("{what} raised {error}", what, type(error).__name__)
        if msg:
            said = Told("{what} raised {error}: {message}", what, type(error).__name__, msg)
        return FaultError("crash", said, file, line, missing)

    def _place(self, error: BaseException) -> tuple[str | None, int | None]:
        # The innermost line of the project itself.
        place: tuple[str | None, int | None] = (None, None)
        trace = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if file.startswith(str(self.home)):
                place = (file, trace.tb_lineno)
            trace = trace.tb_next
        return place

    def _raised_in(self, error: BaseException) -> str:
        # The function of the project that raised it, or the file outside of all functions; empty for one of a library.
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        code = None if trace is None else trace.tb_frame.f_code
        if code is None or not code.co_filename.startswith(str(self.home)):
            return ""
        return Path(code.co_filename).name if code.co_name == "<module>" else code.co_name

    # ---------------------------------------------------------------- single calls

    def start(self, seed: int) -> None:
        """Begin a game: the same seed gives the same game."""
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % (1 << 32))
        self.guarded("init", self.module.init)

    def turn(self, given: Any) -> Any:
        """Ask for a guess (given an evaluation or None) or for an evaluation (given a guess)."""
        if self.role == "codebreaker":
            argument = None if given is None else tuple(given)
            return self.guess(self.guarded("codebreaker", self.module.codebreaker, argument))
        return self.evaluation(self.guarded("codemaker", self.module.codemaker, given))

    def guess(self, value: Any) -> str:
        """Return a guess as text; raises FaultError that names its fault."""
        if not isinstance(value, str):
            text = spelled(value)
            if text is not None:
                said = Told(
                    "its codes are {kinds} such as {code}; the course wants {text!r}",
                    *(several(type(value).__name__), shown(value), text),
                )
                raise FaultError("type", said)
            raise FaultError("type", Told("its guess is {guess}; it must be a string", described(value)))
        if len(value) != self.pegs:
            said = Told(
                "its guess {guess} has {count} letters; it must have {pegs}", shown(value), len(value), self.pegs
            )
            raise FaultError("illegal", said)
        if not self.allowed.issuperset(value):
            wrong = next(letter for letter in value if letter not in self.allowed)
            said = Told(
                "its guess {guess} has {letter!r}, which is none of {letters}", shown(value), wrong, self.letters
            )
            raise FaultError("illegal", said)
        if not self.repeats and len(set(value)) < len(value):
            said = Told("its guess {guess} uses a color twice, which the rules forbid", shown(value))
            raise FaultError("illegal", said)
        return value

    def evaluation(self, value: Any) -> list[int]:
        """Return an evaluation as two numbers; raises FaultError that names its fault."""
        pair = numbers(value)
        if pair is None:
            said = Told("its evaluation is {value}; it must be a tuple of two whole numbers", described(value))
            raise FaultError("type", said)
        return pair

    def ask(self, function: str, arguments: list[Any], update: bool) -> list[Any]:  # noqa: FBT001 (as JSON brings it)
        """Call a function of the module many times; return (type, value or None, what it shows) each time.

        Where it is to `update` its first argument, a set, that comes last, as it is afterwards.
        """
        called, answers = getattr(self.module, function), list[Any]()
        for given in arguments:
            changed = [set(given[0])] if update else []
            answers.append(encoded(self.guarded(function, called, *changed, *map(decoded, given[len(changed) :]))))
            answers[-1] += [sorted(map(str, each)) for each in changed]
        return answers

    def tried(self, function: str, form: str, pairs: list[list[list[int]]]) -> list[dict[str, Any]]:
        """Call a function of the module with pairs of codes, in a form of `functions/forms.py`."""
        forms = loaded("classroom/functions/forms")
        write, called, letters = forms.FORMS[form], getattr(self.module, function), forms.all_letters(self.letters)
        own = [vars(each) for each in list(sys.modules.values()) if self._is_own(each)]
        told: list[Any] = []
        for guess, secret in pairs:
            with forms.with_size(own, len(guess)):
                told += forms.outcomes(called, [[write(guess, letters), write(secret, letters)]])
        return [vars(each) for each in told]

    def survey(self) -> dict[str, Any]:
        """Say what the definitions hold: functions and ways to call them, forms of codes, and what was left out."""
        caller = self._caller()
        return {
            "functions": caller.survey(),
            "forms": [[form, to_data(words)] for form, words in caller.words.items()],
            "letters": caller.letters,
            "colors": caller.colors,
            "missing": list(self.missing),
            "left_out": self.left_out,
            "asked": caller.asked_lengths,
        }

    def called(self, way: dict[str, Any], form: str, pairs: list[list[list[int]]]) -> list[dict[str, Any]]:
        """Call a function of the definitions with pairs of codes."""
        meant = loaded("classroom/functions/calls").CallWay.of(way)
        return [vars(each) for each in self._caller().called(meant, form, pairs)]

    def written(self, way: dict[str, Any], form: str, pair: list[list[int]]) -> str:
        """Write a call of a function as somebody would type it."""
        text: str = self._caller().written(loaded("classroom/functions/calls").CallWay.of(way), form, pair)
        return text

    def _caller(self) -> Any:
        if self._kept_caller is None:
            loaded("classroom/functions/forms")
            own = [each for each in list(sys.modules.values()) if self._is_own(each)]
            self._kept_caller = loaded("classroom/functions/calls").Caller(self.module, own, self.left_out)
        return self._kept_caller

    _kept_caller: Any = None

    def _is_own(self, module: Any) -> bool:
        return str(getattr(module, "__file__", None) or "").startswith(str(self.home))

    # ---------------------------------------------------------------- whole games

    def games(self, games: list[list[Any]], limit: int, seconds: float, record: int) -> dict[str, Any]:
        """Play whole games against honest codemakers, `[number, seed, secret]` each.

        `limit` is that of guesses, 0 for none. `seconds` are those of the module's processor time that a game may take,
        and `BY_THE_CLOCK` times as many by the clock. Returns for each `[guesses or 0, seconds of the module by the
        clock, turns if recorded]`, until a game goes wrong: then the fault too; and the processor time of all of them.
        """
        played: list[list[Any]] = []
        began, told = process_time(), None
        for number, seed, secret in games:
            end_if_hopeless(self.longest)
            try:
                played.append(self._game(number, seed, secret, limit, seconds, record))
            except FaultError as fault:
                told = {**fault.told, "game": number, "turns": self.log.turns}
                break
        return {"games": played, "fault": told, "computed": process_time() - began}

    def _game(self, number: int, seed: int, secret: str, limit: int, seconds: float, record: int) -> list[Any]:
        log, codebreaker, guess_of = self.log, self.module.codebreaker, self.guess
        repeating = loaded("endless").repeating
        log.begin(number)
        answer_of = {"standard": standard, "black": black, "membership": membership}[self.kind]
        counts = {letter: secret.count(letter) for letter in secret}
        began, computed = perf_counter(), process_time()
        self.start(seed)
        spent = perf_counter() - began
        answer: tuple[int, int] | None = None
        turns: list[list[Any]] = []
        for turn in range(1, limit + 1) if limit else count(1):
            log.tick()
            before = perf_counter()
            try:
                guess = codebreaker(answer)
            except FaultError:
                raise
            except BaseException as error:  # noqa: BLE001 (as in guarded, which would cost a microsecond a turn)
                raise self._fault("codebreaker", error) from None
            finally:
                spent += perf_counter() - before
                log.tick()
            self._untouched()
            guess = guess_of(guess)
            if not limit and (said := repeating(turns, guess)):
                raise FaultError("turns", Told("it would never end the game: {why}", said))
            answer = answer_of(guess, secret, counts)
            log.turn(guess, answer)
            turns.append([guess, *answer])
            if answer[0] == self.pegs:
                return [turn, spent, turns if record else []]
            if spent > seconds and (spent > BY_THE_CLOCK * seconds or process_time() - computed > seconds):
                raise FaultError("game time", long_game(seconds, process_time() - computed))
        return [0, spent, turns if record else []]


def _without(package: str | None, file: str | None = None, line: int | None = None) -> FaultError:
    return FaultError("package", Told("the package {package!r} is missing", package), file, line, package)


def unwritten(function: str, file: str | None, line: int | None) -> FaultError:
    """Say that a function is not written yet, which is no fault."""
    return FaultError("unwritten", Told("{function} is not written yet", function), file, line)


def gap(function: Any) -> Callable[..., Any]:
    """Return what stands in the place of a function with an empty body."""
    code = function.__code__

    def raises(*_given: Any, **_named: Any) -> Any:
        raise unwritten(code.co_name, code.co_filename, code.co_firstlineno)

    return raises


def standard(guess: str, secret: str, counts: dict[str, int]) -> tuple[int, int]:
    """Return (well placed, misplaced), with multiplicity; `counts` has the letters of the secret."""
    placed, shared = sum(map(eq, guess, secret)), 0
    for letter, theirs in counts.items():
        mine = guess.count(letter)
        shared += mine if mine < theirs else theirs  # noqa: FURB136 (`min` takes twice as long)
    return placed, shared - placed


def black(guess: str, secret: str, _counts: dict[str, int]) -> tuple[int, int]:
    """Return (well placed, 0)."""
    return sum(map(eq, guess, secret)), 0


def membership(guess: str, secret: str, counts: dict[str, int]) -> tuple[int, int]:
    """Return (well placed, misplaced), without multiplicity."""
    placed = sum(map(eq, guess, secret))
    return placed, sum(letter in counts for letter in guess) - placed


def numbers(value: Any) -> list[int] | None:
    """Return the two whole numbers of a tuple; None where it is anything else."""
    if not isinstance(value, tuple) or len(value) != 2 or any(isinstance(part, bool) for part in value):
        return None
    try:
        return [index(part) for part in value]
    except TypeError:
        return None


def encoded(value: Any) -> list[Any]:
    """Return the type of a value, the value itself where it is a pair or a set of codes, and how it shows."""
    pair = numbers(value)
    if pair is not None:
        return ["tuple", pair, shown(value)]
    if isinstance(value, (set, frozenset)) and all(isinstance(code, str) for code in value):
        return ["set", sorted(value), ""]
    if isinstance(value, (set, frozenset, list, tuple)) and value and all(spelled(code) is not None for code in value):
        first = min(value, key=repr)
        return [f"{type(value).__name__} of {type(first).__name__}", None, shown(first)]
    return [type(value).__name__, None, shown(value)]


def decoded(value: Any) -> Any:
    """Return an argument as the course has it: pairs of numbers as tuples, colors as a list."""
    return tuple(value) if isinstance(value, list) and all(isinstance(part, int) for part in value) else value


def spelled(value: Any) -> str | None:
    """Return the code that a tuple or list of letters stands for; None where it is anything else.

    >>> spelled(("B", "B", "N")), spelled([1, 2])
    ('BBN', None)
    """
    if isinstance(value, (tuple, list)) and value and all(isinstance(part, str) and len(part) == 1 for part in value):
        return "".join(value)
    return None


def long_game(seconds: float, computed: float) -> str:
    """Say that a game took too long: by its processor time, or by the clock.

    >>> long_game(60, 61)
    'its game took longer than 60 s of processor time'
    """
    if computed > seconds:
        return Told("its game took longer than {seconds:g} s of processor time", seconds)
    return Told(
        "its game took longer than {seconds:g} s, and computed for {computed:.1f} s of them",
        BY_THE_CLOCK * seconds,
        computed,
    )


def no_python(error: SyntaxError) -> str:
    """Say why Python cannot read a module."""
    return Told("Python cannot read it: {kind}: {message}", type(error).__name__, error.msg)


def shown(value: object) -> str:
    """Return how a value shows, cut short."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 (a foreign __repr__)
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def described(value: object) -> str:
    """Return how a value shows and what it is.

    >>> described(["R"])
    "['R'], a list"
    """
    return "None" if value is None else Told("{value}, {kind}", shown(value), a_kind(type(value).__name__))


def a_kind(name: str) -> str:
    """Name a type of values with its article.

    >>> a_kind("int"), a_kind("set of list")
    ('an int', 'a set of lists')
    """
    name, inside, codes = name.partition(" of ")
    if name == "NoneType":
        return name
    kind = Told("an {kind}", name) if name[0] in "aeiou" else Told("a {kind}", name)
    return Told("{kind} of {codes}", kind, several(codes)) if inside else kind


def several(kind: str) -> str:
    """Name several values of a type, of those that hold letters."""
    words = {"list": word("several", "lists"), "tuple": word("several", "tuples")}
    return words.get(kind, f"{kind}s")


def limit_memory(size: int) -> None:
    """Limit the address space, so that a module that fills the memory fails alone."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (ImportError, OSError, ValueError):
        return


class Requests:
    """The lines that the other side sends; its end ends this process and its copy, also amid an endless loop."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self._lines: SimpleQueue[str] | None = None

    def watch(self, folder: str) -> None:
        """From now on leave, with this folder, once the other side is gone."""
        if hasattr(select, "poll"):
            watched = select.poll()
            watched.register(self._stream.fileno(), 0)  # nothing but the hang-up
            _thread.start_new_thread(self._leave_after, (watched.poll, folder))
        else:
            self._lines = SimpleQueue()
            _thread.start_new_thread(self._leave_after, (self._hand_on, folder))

    @staticmethod
    def _leave_after(wait: Callable[[], object], folder: str) -> None:
        wait()
        leave(folder)

    def _hand_on(self) -> None:
        # Where nobody tells of the hang-up: by reading on.
        assert self._lines is not None
        while line := self.readline_here():
            self._lines.put(line)

    def readline_here(self) -> str:
        """Read a line in this thread; empty at the end."""
        try:
            line: str = self._stream.readline()
        except OSError:
            return ""
        return line

    def readline(self) -> str:
        """Return the next line; empty once the other side is gone."""
        return self.readline_here() if self._lines is None else self._lines.get()


def end_if_hopeless(seconds: float) -> None:
    """Let the system end this process after twice as many `seconds` of processor time, from now, if it can."""
    if hasattr(signal, "setitimer"):
        # If nobody else ends the process: the other side may have been killed, and no thread here comes to it while a
        # loop in C runs, as of `sum(count())`.
        signal.setitimer(signal.ITIMER_PROF, 2 * seconds)


def leave(folder: str) -> None:
    """Remove the copy of the project and end this process at once: the other side is gone."""
    if "entropeg.classroom.functions.definitions" in sys.modules:
        loaded("classroom/functions/definitions").FORBIDDEN.clear()
    LEAVING.acquire()  # whoever comes second waits for the end
    try:
        rmtree(folder, ignore_errors=True)
    finally:
        os._exit(1)


def main() -> None:
    """Speak with the other side until it is gone."""
    requests = Requests(os.fdopen(os.dup(0), "r", encoding="utf-8"))
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    config = json.loads(requests.readline())
    requests.watch(config["folder"])
    limit_memory(config["memory"])
    log = GameLog(config["log"])
    sys.dont_write_bytecode = True
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = log  # type: ignore[assignment,misc]
    sys.argv = [config["module"]]
    player: ModulePlayer | None = None
    requested: list[Any] = ["load"]
    while True:
        try:
            end_if_hopeless(config["longest"])
            if player is None:
                player = ModulePlayer(config, log)
                value: Any = {"letters": player.letters, "own_common": player.own_common}
            else:
                began, computed = perf_counter(), process_time()
                value = getattr(player, requested[0])(*requested[1:])
                if requested[0] == "turn":
                    value = [value, perf_counter() - began, process_time() - computed]
            reply: dict[str, Any] = {"ok": value}
        except FaultError as fault:
            reply = {"fault": fault.told}
        if player is not None and player.remarks:
            reply["remarks"], player.remarks = player.remarks, []
        try:
            print(json.dumps(reply), file=replies, flush=True)
            if player is None:
                # At once: while Python ends, the thread that watches the other side would take the closed pipe for its
                # end, and remove the copy in which the module is started again. Nor does the module come to run on.
                os._exit(0)
            line = requests.readline()
        except OSError:
            line = ""
        if not line:
            leave(config["folder"])
        requested = json.loads(line)


if __name__ == "__main__":
    main()

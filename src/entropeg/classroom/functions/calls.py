"""Finds what in a program of someone else could be an evaluation, and calls it: functions, methods, constructors.

A function may take both codes, or the guess alone, the secret being in its object or in a variable of its module; it
may take the number of pegs or of colors besides. Each such possibility is a way of calling it (`CallWay`); which one is
meant shows by what comes of it. Like `forms`, this module stands on the standard library and sentences alone: the
process in which the program's definitions are loaded runs it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice, product
from types import CodeType, ModuleType
from typing import Any

from entropeg.classroom.functions.forms import FORMS, CallResult, all_letters, outcomes, shown
from entropeg.told import Told

SECRET = re.compile(r"secret|solution|soluce|hidden|target|cache|caché|myst|adeviner|a_deviner", re.IGNORECASE)
CODE = re.compile(
    r"code|combi|sequence|suite|answer|reponse|réponse|pegs|pions|valu|valeur|colou?rs|couleurs", re.IGNORECASE
)
GUESS = re.compile(r"guess|propos|essai|tenta|attempt|tried|joue|devin", re.IGNORECASE)
PEGS = re.compile(
    r"len|long|taille|size|pegs?$|hole|slot|positions?$|nb_?(pion|case|chiff)|^n$|digits?$", re.IGNORECASE
)
COLORS = re.compile(r"^(k|m|c)$|(nb|num|n|nombre|count)_?(de_?)?(of_?)?(coul|colou?r|symb)", re.IGNORECASE)
PALETTE = re.compile(r"palette|coul|colou?r|alphabet|symb|letter|lettre|chiffres", re.IGNORECASE)
TEXTS = re.compile(r"name|nom|player|joueur|title|titre", re.IGNORECASE)
TURNS = re.compile(r"tries|essais|max|attempts|turns|tours|coups|rounds|manches", re.IGNORECASE)

MOST_WAYS = 8
"""Ways in which one function is called, at most."""


@dataclass(frozen=True)
class CallWay:
    """How a function is called.

    What it is given is `guess`, `secret`, `pegs` or `colors` (numbers), `palette` (all colors), `name` or `turns`.
    """

    function: str
    """Its name in the module, as `Game.evaluate`; of a constructor that of the class."""
    arguments: tuple[str, ...] = ("guess", "secret")
    made: tuple[tuple[str, str], ...] | None = None
    """What its object is made of, (keyword or "", what) each; None where it has no object."""
    is_bare: bool = False
    """Whether the object is made without its constructor."""
    holds: tuple[tuple[str, str], ...] = ()
    """Attributes of the object, or else variables of the module, and what they are set to."""
    wrapped: str = ""
    """The class that codes are made objects of."""

    @property
    def is_plain(self) -> bool:
        """Whether it is a function that takes both codes and nothing else."""
        return self == CallWay(self.function)

    @property
    def makes_secret(self) -> bool:
        """Whether its object is made of the secret."""
        return self.made is not None and any(what == "secret" for _, what in self.made)

    @classmethod
    def of(cls, told: dict[str, Any]) -> CallWay:
        """Read it from plain data."""
        made = None if told["made"] is None else tuple(map(tuple, told["made"]))
        arguments, holds = tuple(told["arguments"]), tuple(map(tuple, told["holds"]))
        return cls(**{**told, "arguments": arguments, "made": made, "holds": holds})


def meaning_of(name: str) -> str:
    """Return what a parameter is likely to be given, by its name; empty where nobody can tell.

    >>> meaning_of("solution"), meaning_of("longueur"), meaning_of("nb_couleurs"), meaning_of("x")
    ('secret', 'pegs', 'colors', '')
    """
    known = {"secret": SECRET, "guess": GUESS, "colors": COLORS, "pegs": PEGS, "palette": PALETTE}
    known |= {"turns": TURNS, "name": TEXTS}
    if CODE.fullmatch(name):
        return ""
    return next((what for what, pattern in known.items() if pattern.search(name)), "")


class Caller:
    """The functions of one loaded module, and the forms in which it may take codes."""

    def __init__(self, module: ModuleType, modules: Sequence[ModuleType], left_out: Collection[str]) -> None:
        """Look at a module, and at all modules of its project that are loaded; `left_out` is what its program sets."""
        self.module, self.modules, self.left_out = module, modules, left_out
        self.letters, self.colors = all_letters(""), 6
        self.forms: dict[str, Any] = dict(FORMS)
        self.words: dict[str, str] = {form: form for form in FORMS}
        self._find_forms()
        self.asked_lengths = [name for name in left_out if PEGS.search(name) and not hasattr(module, name)]
        """Numbers of pegs that the program would ask for."""
        self._lengths = [*self._find_lengths()]

    # ---------------------------------------------------------------- forms

    def _find_forms(self) -> None:
        # The program's own letters, colors with names, and members of an enumeration.
        palettes, front = list[tuple[str, list[Any]]](), dict[str, Callable[..., Any]]()
        for owner, name, value in self._constants():
            if inspect.isclass(value) and issubclass(value, Enum) and 3 < len(value) < 40:
                members = list(value)
                values = [each.value for each in members]
                palettes += [(f"{name}.value", values)] if _palette(values, is_named=True) is not None else []
                front[name] = lambda code, _letters="", own=members: [own[color] for color in code]
                self.words[name] = Told("lists of members of {name}", name)
                self.colors = min(self.colors, len(members))
            elif (colors := _palette(value, is_named=bool(PALETTE.search(name)))) is not None:
                palettes.append((f"{owner}{name}", colors))
        palettes.sort(key=lambda each: not PALETTE.search(each[0]))
        for name, colors in palettes[:3]:
            if all(isinstance(each, str) and len(each) == 1 for each in colors):
                if self.letters == all_letters(""):
                    self.letters = all_letters("".join(colors))
                    self.colors = min(self.colors, len(colors))
            elif name not in front:
                front[name] = lambda code, _letters="", own=colors: [own[color] for color in code]
                self.words[name] = Told("lists of the colors in {name}", name)
                self.colors = min(self.colors, len(colors))
        self.forms |= front
        numpy = next((each for module in self.modules for each in vars(module).values() if _is_numpy(each)), None)
        if numpy is not None:
            form = "NumPy arrays of whole numbers from 0"
            self.words[form] = Told("NumPy arrays of whole numbers from 0")
            self.forms[form] = lambda code, _letters="": numpy.array(list(code))

    def _constants(self) -> Iterator[tuple[str, str, Any]]:
        for module in self.modules:
            for name, value in list(vars(module).items()):
                if name.startswith("_"):
                    continue
                yield "", name, value
                if _is_own_class(value, module):
                    yield from ((f"{name}.", key, each) for key, each in vars(value).items() if key[0] != "_")

    def _find_lengths(self) -> Iterator[tuple[Any, str]]:
        # Constants that say how many pegs a code has: they follow the codes that are handed over.
        for module in self.modules:
            classes = [each for each in vars(module).values() if _is_own_class(each, module)]
            for owner in (module, *classes):
                for name, value in list(vars(owner).items()):
                    if type(value) is int and 1 < value < 10 and PEGS.search(name):
                        yield owner, name
        yield from ((self.module, name) for name in self.asked_lengths)

    # ---------------------------------------------------------------- what there is

    def survey(self) -> list[dict[str, Any]]:
        """Return the functions that could be evaluations: `name`, `line` and `ways`, the likeliest way first."""
        found = list[dict[str, Any]]()
        for name, value in list(vars(self.module).items()):
            if _is_own_class(value, self.module):
                found += self._of_class(name, value)
            elif callable(value) and (function := self._own(value)) is not None and not self._asks(function):
                found.append(_entry(name, function, self._ways(name, function)))
        return [each for each in found if each["ways"]]

    def _own(self, value: Any) -> Any:
        with suppress(ValueError):
            value = inspect.unwrap(value)
        value = getattr(value, "__func__", value)
        is_own = inspect.isfunction(value) and value.__module__ == self.module.__name__
        return value if is_own else None

    def _asks(self, function: Any, seen: frozenset[str] = frozenset()) -> bool:
        # Whether it waits for a person: then it is no evaluation, and is not called.
        names = _names(function.__code__)
        if "input" in names:
            return True
        for name in names - seen:
            for each in self._named(name):
                if self._asks(each, seen | names):
                    return True
        return False

    def _named(self, name: str) -> Iterator[Any]:
        for owner in (self.module, *(each for each in vars(self.module).values() if inspect.isclass(each))):
            function = self._own(vars(owner).get(name))
            if function is not None:
                yield function
            elif owner is self.module and inspect.isclass(made := vars(owner).get(name)):
                function = self._own(vars(made).get("__init__"))
                yield from () if function is None else (function,)

    def _of_class(self, name: str, kind: type[Any]) -> Iterator[dict[str, Any]]:
        owner = next(
            (each for each in self._classes() if issubclass(each, kind) and not inspect.isabstract(each)), kind
        )
        start = self._own(vars(owner).get("__init__"))
        asks = start is not None and self._asks(start)
        takes = _parameters(kind)
        if takes is not None and len(takes[0]) == 2 and not asks and start is not None:
            yield _entry(name, start, [CallWay(name)])
        for key, value in vars(kind).items():
            function = self._own(value)
            if function is None or key.startswith("__") or self._asks(function):
                continue
            whole = f"{owner.__name__ if inspect.isabstract(kind) else name}.{key}"
            if isinstance(value, (staticmethod, classmethod)):
                ways = self._ways(whole, getattr(kind, key))
            else:
                ways = self._of_method(whole, owner if inspect.isabstract(kind) else kind, function, asks=asks)
            yield _entry(whole, function, ways)

    def _ways(self, name: str, function: Any) -> list[CallWay]:
        # Of a function without an object: the secret is an argument, or in a variable that it reads.
        ways = [CallWay(name, arguments) for arguments in _both(_parameters(function))]
        if ways:
            kinds = [each for each in self._classes() if _takes_a_code(each)]
            return [*ways, *(replace(ways[0], wrapped=kind.__name__) for kind in kinds[:2])]
        inner = self._own(function) or getattr(function, "__func__", function)
        names = _names(inner.__code__)
        names |= {each for name in names for each in self._read_by(name)}
        known = inner.__globals__
        variables = [
            each
            for each in names
            if (_may_hold(known[each]) if each in known else each in self.left_out or SECRET.search(each))
        ]
        return [
            CallWay(name, arguments, holds=holds)
            for arguments, holds in _holding(_parameters(function), sorted(variables, key=_secret_first))
        ]

    def _read_by(self, name: str) -> set[str]:
        function = self._own(vars(self.module).get(name))
        return set() if function is None else _names(function.__code__)

    def _classes(self) -> list[type[Any]]:
        # Those that the module knows, its own and those that it imports from others of the project.
        names = {each.__name__ for each in self.modules}
        every = [each for each in vars(self.module).values() if inspect.isclass(each) and not issubclass(each, Enum)]
        return [each for each in dict.fromkeys(every) if each.__module__ in names]

    def _of_method(self, name: str, kind: type[Any], function: Any, *, asks: bool) -> list[CallWay]:
        takes = _parameters(function, skip=1)
        makers = [] if asks else _constructors(kind)
        both, ways = _both(takes), list[CallWay]()
        for made in makers:
            gives = "secret" in (what for _, what in made)
            ways += [CallWay(name, arguments, made) for arguments in both]
            if both or takes is None:
                continue
            if gives and len(takes[0]) <= 1 <= len(takes[0]) + len(takes[1]):
                ways.append(CallWay(name, ("guess",), made))
                ways += [CallWay(name, ("guess",), made, wrapped=kind.__name__)] if len(made) == 1 else []
            if gives:
                held = [each for each in self._attributes(kind, made) if GUESS.search(each)]
                ways += [CallWay(name, (), made, holds=((held[0], "guess"),))] if held and not takes[0] else []
                continue
            held = self._attributes(kind, made)
            ways += [CallWay(name, arguments, made, holds=holds) for arguments, holds in _holding(takes, held)]
            ways += self._of_objects(name, kind, made) if len(takes[0]) == 1 else []
        if not ways or "__init__" in vars(kind):
            others = {each for each in self._read_in(kind) if SECRET.search(each)}
            read = sorted((_names(function.__code__) | others) - set(dir(kind)), key=_secret_first)
            ways += [CallWay(name, arguments, (), is_bare=True) for arguments in both]
            bare = [] if both else [*_holding(takes, read)]
            ways[MOST_WAYS - 2 :] = [CallWay(name, given, (), is_bare=True, holds=each) for given, each in bare]
        return ways

    def _of_objects(self, name: str, kind: type[Any], made: Sequence[tuple[str, str]]) -> Iterator[CallWay]:
        # Where the secret in the object is itself an object, of a class that is made of a code.
        told = self._fresh(kind, made)
        for key, value in sorted(getattr(told, "__dict__", {}).items(), key=lambda each: _secret_first(each[0])):
            if type(value) in self._classes() and (("", "secret"),) in _constructors(type(value)):
                yield CallWay(name, ("guess",), tuple(made), holds=((key, "secret"),), wrapped=type(value).__name__)

    def _fresh(self, kind: type[Any], made: Sequence[tuple[str, str]]) -> Any:
        # An object as it is made; None where that fails.
        kept = list[Any]()
        outcomes(lambda: kept.append(self._object(kind, made, self._values((0, 1, 2, 3), (0, 0, 1, 1), ""))), [[]])
        return kept[0] if kept else None

    def _attributes(self, kind: type[Any], made: Sequence[tuple[str, str]]) -> list[str]:
        # Attributes that may hold the secret: those that a fresh object has, and those that only its methods set.
        fresh = self._fresh(kind, made)
        if fresh is None:
            return []
        own = {key: each for key, each in getattr(fresh, "__dict__", {}).items() if _may_hold(each)}
        class_wide = {key: each for key, each in vars(kind).items() if key[0] != "_" and _may_hold(each)}
        known = set(dir(kind)) | set(getattr(fresh, "__dict__", {}))
        later = {each: None for each in sorted(self._read_in(kind) - known) if SECRET.search(each)}
        return sorted([*own, *(each for each in {**class_wide, **later} if each not in own)], key=_secret_first)

    def _read_in(self, kind: type[Any]) -> set[str]:
        functions = [self._own(value) for value in vars(kind).values()]
        return {name for each in functions if each is not None for name in _names(each.__code__)}

    # ---------------------------------------------------------------- calling

    def _values(self, guess: Sequence[int], secret: Sequence[int], form: str) -> dict[str, Any]:
        write = self.forms.get(form) or next(iter(self.forms.values()))
        whole = write(range(self.colors), self.letters)
        palette = list(whole) if isinstance(whole, (list, tuple, str)) else list(range(self.colors))
        told = {"guess": write(guess, self.letters), "secret": write(secret, self.letters), "palette": palette}
        return {**told, "pegs": len(guess), "colors": self.colors, "turns": 10, "name": "A"}

    @staticmethod
    def _object(kind: type[Any], made: Sequence[tuple[str, str]], values: dict[str, Any]) -> Any:
        plain = [values[what] for key, what in made if not key]
        return kind(*plain, **{key: values[what] for key, what in made if key})

    def call(self, way: CallWay, values: dict[str, Any]) -> Any:
        """Call a function once, with values as `_values` gives them."""
        owner, _, last = way.function.rpartition(".")
        kind = getattr(self.module, owner) if owner else None
        if way.wrapped:
            wrap = getattr(self.module, way.wrapped)
            values = {**values, "guess": wrap(values["guess"])}
            values["secret"] = values["secret"] if way.makes_secret else wrap(values["secret"])
        if way.made is None or kind is None:
            function = getattr(kind or self.module, last)
            for name, what in way.holds:
                inspect.unwrap(function).__globals__[name] = values[what]
        else:
            it = kind.__new__(kind) if way.is_bare else self._object(kind, way.made, values)
            for name, value in list(getattr(it, "__dict__", {}).items()):
                if type(value) is int and 1 < value < 10 and PEGS.search(name):
                    setattr(it, name, values["pegs"])
            for name, what in way.holds:
                setattr(it, name, values[what])
            function = getattr(it, last)
        return function(*(values[each] for each in way.arguments))

    def called(self, way: CallWay, form: str, pairs: Sequence[Sequence[Sequence[int]]]) -> list[CallResult]:
        """Call a function with pairs of codes; where it only prints its answer, that is what it gives."""
        before = [(owner, name, getattr(owner, name, None)) for owner, name in self._lengths]
        told = list[CallResult]()
        try:
            for guess, secret in pairs:
                for owner, name in self._lengths:
                    setattr(owner, name, len(guess))
                values = self._values(guess, secret, form)
                both = [values.pop("guess"), values.pop("secret")]
                rest = values

                def once(guess: Any, secret: Any, rest: dict[str, Any] = rest) -> Any:
                    return self.call(way, {**rest, "guess": guess, "secret": secret})

                [one] = outcomes(once, [both], self.module.__file__)
                told.append(_as_printed(one))
        finally:
            for owner, name, value in before:
                setattr(owner, name, value)
        return told

    def written(self, way: CallWay, form: str, pair: Sequence[Sequence[int]]) -> str:
        """Write a call as somebody would type it."""
        values = {key: shown(each) for key, each in self._values(pair[0], pair[1], form).items()}
        owner, _, last = way.function.rpartition(".")
        if way.wrapped:
            values["guess"] = f"{way.wrapped}({values['guess']})"
            values["secret"] = values["secret"] if way.makes_secret else f"{way.wrapped}({values['secret']})"
        given = ", ".join(values[each] for each in way.arguments)
        asked = "".join(f"{name} = {values['pegs']}; " for name in self.asked_lengths)
        return f"{asked}{self._expression(way, values, owner, last, given)}"

    @staticmethod
    def _expression(way: CallWay, values: dict[str, str], owner: str, last: str, given: str) -> str:
        if way.made is None:
            held = "".join(f"{name} = {values[what]}; " for name, what in way.holds)
            return f"{held}{way.function}({given})"
        parts = [f"{key}={values[what]}" if key else values[what] for key, what in way.made]
        made = f"{owner}.__new__({owner})" if way.is_bare else f"{owner}({', '.join(parts)})"
        if not way.holds:
            return f"{made}.{last}({given})"
        held = "".join(f"it.{name} = {values[what]}; " for name, what in way.holds)
        return f"it = {made}; {held}it.{last}({given})"


def _as_printed(told: CallResult) -> CallResult:
    if told.error or told.value is not None or not told.printed.strip():
        return told
    text = told.printed.strip()
    return replace(told, value=text, shown=shown(text), type="printed", printed="")


def _entry(name: str, function: Any, ways: Sequence[CallWay]) -> dict[str, Any]:
    code = function.__code__
    told = [vars(way) for way in ways[:MOST_WAYS]]
    return {"name": name, "line": code.co_firstlineno, "ways": told, "calls": sorted(_names(code))}


def _names(code: CodeType) -> set[str]:
    # The global names and attributes that it reads, in inner functions too.
    found = set(code.co_names)
    for each in code.co_consts:
        found |= _names(each) if isinstance(each, CodeType) else set()
    return found


Parameters = tuple[list[str], list[str]]


def _parameters(function: Any, skip: int = 0) -> Parameters | None:
    # The names of those that must be given, and of those that may; None where nobody knows, or a keyword is needed.
    try:
        every = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None
    needed, others = list[str](), list[str]()
    for each in every:
        if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}:
            (needed if each.default is each.empty else others).append(each.name)
        elif each.kind is each.KEYWORD_ONLY and each.default is each.empty:
            return None
    return needed, others


def _both(takes: Parameters | None) -> list[tuple[str, ...]]:
    # What a function is given that takes both codes: them alone, or the numbers of pegs or colors besides.
    if takes is None:
        return []
    needed, others = takes
    if len(needed) == 2 or (len(needed) < 2 <= len(needed) + len(others) and _is_pair([*needed, *others][:2])):
        return [("guess", "secret")]
    if not 3 <= len(needed) <= 5:
        return []
    meant = [meaning_of(name) for name in needed]
    extra = [what if what in {"pegs", "colors", "palette", "turns", "name"} else "" for what in meant]
    if extra.count("") == 2:
        numbered = ["colors" if what == "palette" else what for what in extra]
        return list(dict.fromkeys((_with_codes(extra), _with_codes(numbered))))
    if len(needed) > 3:
        return []
    found = list[tuple[str, ...]]()
    for what in ("pegs", "colors", "palette"):
        found += [("guess", "secret", what), (what, "guess", "secret")]
    return found


def _with_codes(extra: Sequence[str]) -> tuple[str, ...]:
    codes = iter(("guess", "secret"))
    return tuple(what or next(codes) for what in extra)


def _is_pair(names: Sequence[str]) -> bool:
    return not any(meaning_of(name) in {"pegs", "colors", "palette", "turns", "name"} for name in names)


def _holding(
    takes: Parameters | None, held: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    # What a function is given that takes the guess or nothing, and where the secret, and the guess, are held.
    if takes is None or len(takes[0]) > 1:
        return
    needed, others = takes
    if needed or others:
        yield from ((("guess",), ((name, "secret"),)) for name in held[:4])
    if not needed:
        guesses = [name for name in held if GUESS.search(name)]
        secrets = [name for name in held if name not in guesses and (SECRET.search(name) or CODE.search(name))]
        yield from (((), ((one, "guess"), (other, "secret"))) for one in guesses[:1] for other in secrets[:2])


def _constructors(kind: type[Any]) -> list[tuple[tuple[str, str], ...]]:
    # What an object can be made of: with the secret first, and with defaults.
    takes = _parameters(kind)
    if takes is None or len(takes[0]) > 5:
        return []
    needed, others = takes
    found = list[tuple[tuple[str, str], ...]]()
    for meant in islice(product(*map(_made_of, needed)), 12):
        made = tuple(("", what) for what in meant)
        optional = [name for name in others if meaning_of(name) == "secret" or CODE.fullmatch(name)]
        if meant.count("secret") == 0:
            found += [(*made, (name, "secret")) for name in optional[:1]]
        if meant.count("secret") <= 1:
            found.append(made)
    return list(dict.fromkeys(found))[:5]


def _takes_a_code(kind: type[Any]) -> bool:
    return ("", "secret") in {made[0] for made in _constructors(kind) if len(made) == 1}


def _made_of(name: str) -> list[str]:
    # What a parameter of a constructor may be, the likeliest first.
    meant = meaning_of(name)
    if meant:
        return {"palette": ["palette", "colors", "secret"], "pegs": ["pegs", "secret"]}.get(meant, [meant])
    return ["secret", "colors", "palette", "pegs"] if PALETTE.search(name) else ["secret", "pegs"]


def _may_hold(value: Any) -> bool:
    # Whether a variable may be a code: a text, a list, an array, or nothing yet. A stand-in for a package, as a window
    # that the file keeps, raises where it is asked for anything: its type alone is.
    return value is None or isinstance(value, (str, list, tuple)) or hasattr(type(value), "tolist")


def _secret_first(name: str) -> tuple[bool, bool, str]:
    return not SECRET.search(name), not CODE.search(name), name


def _palette(value: Any, *, is_named: bool) -> list[Any] | None:
    # The colors of a constant; of a text only where its name is that of colors.
    if isinstance(value, str):
        return list(value) if is_named and 3 < len(value) == len(set(value)) else None
    if not isinstance(value, (list, tuple, set, frozenset, dict)) or not 3 < len(value) < 40:
        return None
    kinds = {type(each) for each in value}
    if kinds not in ({str}, {int}):
        return None
    colors = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)
    if kinds == {int} and not (is_named and colors[0] not in {0, 1}):
        return None
    return colors if len(set(colors)) == len(colors) else None


def _is_own_class(value: Any, module: ModuleType) -> bool:
    return inspect.isclass(value) and value.__module__ == module.__name__ and not issubclass(value, Enum)


def _is_numpy(value: Any) -> bool:
    return isinstance(value, ModuleType) and value.__name__ == "numpy" and hasattr(value, "__file__")

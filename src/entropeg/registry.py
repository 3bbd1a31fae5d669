"""Finds players by name, with parameters: `minimax`, `minimax:ties=first`, `honest:ABCD`.

Built-in players are named in a table and imported when first asked for; other packages add theirs through
entry points of the group `entropeg.codebreakers` or `entropeg.codemakers`. A player with parameters is a
dataclass: its fields are the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.told import Template, Told, quoted, word

Player = TypeVar("Player")

SPEC = 100
"""Characters of a player's text that messages quote: paths are long."""


def foreign_forms(role: str) -> dict[str, str]:
    """Return the forms of players written by others: a program (`cmd:./program`), a course module (`PATH.py`)."""
    return {
        r"cmd:.*": f"entropeg.engine.players:{role}",
        r"[^:]*(/[^:]*|\.py)(:.*)?": f"entropeg.classroom.players:{role}",
    }


_TRUE, _FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


@dataclass(frozen=True)
class PlayerRow:
    """A player of our own, and what rooms above ask of it before it is imported.

    Places are numbers from 1, in the order in which a list names the players; 0: it is not in the list.
    """

    target: str
    """`module:Class`, imported when it is first asked for."""
    strength: int = 0
    """Its place among the players that others are measured against, the weakest first."""
    is_blind: bool = False
    """Whether it guesses whatever the answers were."""
    expert: int = 0
    """Its place among those that weigh every guess and are asked what they would play, the best mean first."""
    quoted: int = 0
    """Its place among those whose totals are played when a claim is checked."""
    compared: tuple[str, ...] = ()
    """The names under which it is one of the rules of choice that `entropeg compare` plays."""
    check_rules: str = ""
    """`module:function` that raises InputError for rules that it does not play; empty where it plays under all."""
    reads_files: bool = False
    """Whether it plays what stands in a file, which a page does not ask for."""
    is_cheat: bool = False
    """Whether it chooses its answers, instead of a secret."""
    asks: str = ""
    """The parameter that names codebreakers; empty where none does."""
    between: str = ""
    """What stands between them, with `;` for each comma of theirs; empty where the parameter names one."""

    def asked_in(self, value: str) -> list[str]:
        """Return the codebreakers that a value of that parameter names: those that are made, and looked at before."""
        return [one.replace(";", ",") for one in value.split(self.between)] if self.between else [value]


class Registry(Generic[Player]):
    """All players of one role, by name.

    `role` is the word used in messages; `group` the entry-point group; `rows` are those of our own players, by name;
    `forms` maps patterns of whole texts that are not names (a path, a command) to `module:function`, which makes the
    player from the text. `methods` are those that every player of the role has, each with its parameters. `asked` has
    the codebreakers that a row asks, where this registry is another.
    """

    def __init__(
        self,
        role: str,
        group: str,
        rows: dict[str, PlayerRow],
        forms: dict[str, str] | None = None,
        methods: tuple[str, ...] = (),
        asked: Registry[Any] | None = None,
    ) -> None:
        self.asked = asked
        self.role = role
        self.methods = methods
        self.group = group
        self.rows = rows
        self._forms = forms or {}

    @cached_property
    def _foreign(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self.group) if point.name not in self.rows}

    @property
    def builtin(self) -> list[str]:
        """The names of our own players: those of other packages are not asked for."""
        return list(self.rows)

    @property
    def compared(self) -> tuple[str, ...]:
        """The rules of choice of the literature, in the order of the table."""
        return tuple(spec for row in self.rows.values() for spec in row.compared)

    def placed(self, fact: str) -> tuple[str, ...]:
        """Return the names of our own players that have a place by a fact of their rows, in the order of the places."""
        places = {name: getattr(row, fact) for name, row in self.rows.items()}
        return tuple(sorted(filter(places.get, places), key=places.__getitem__))

    @property
    def names(self) -> list[str]:
        """Every known name, built-in first, then those of other packages."""
        return [*self.rows, *self._foreign]

    def of(self, player: Player | str) -> Player:
        """Return a player that is given as such or as the text that makes it; raises InputError for anything else."""
        if isinstance(player, str):
            return self.get(player)
        if isinstance(player, type):
            raise InputError(
                "{player!r} is a class, not a {role}: make one of it, as {name}()", player, self.role, player.__name__
            )
        if all(callable(getattr(player, method.partition("(")[0], None)) for method in self.methods):
            return player
        raise InputError(
            "{player!r} is no {role}: give a name, or an object that has {methods:and}", player, self.role, self.methods
        )

    def get(self, spec: str) -> Player:
        """Make the player that a text names: `name`, `name:value` or `name:key=value,key=value`, or one of the forms.

        Raises InputError where the name (answered with the nearest ones), a parameter or its value is wrong.
        """
        arguments.text(spec, Told("the name of the {role}", self.role))
        for form, target in self._forms.items():
            if re.fullmatch(form, spec.strip(), re.DOTALL):
                made: Player = imported(target)(spec.strip())
                return made
        name, _, given = spec.strip().partition(":")
        factory = self.factory(name.strip())
        player: Player = build(factory, spec, read_arguments(factory, spec, given))
        return player

    def foreign_in(self, spec: str) -> str:
        """Return the player in a text that runs code from outside entropeg: a program, a module, another package's.

        Empty where there is none. Codebreakers that a parameter names are looked at too. Nothing is started. A text
        that came in a file from elsewhere is asked this before `get`, which makes whatever it names.
        """
        name, _, given = (text := spec.strip()).partition(":")
        if name.strip() in self._foreign or any(re.fullmatch(form, text, re.DOTALL) for form in self._forms):
            return text
        asked = (self.asked or self).foreign_in
        return next(filter(None, map(asked, self.asked_by(name.strip(), spec, given))), "")

    def refuse_foreign(self, spec: str, refusal: Template) -> None:
        """Raise InputError where a text names a player as `foreign_in` tells; a refusal names {player} and {role}."""
        if foreign := self.foreign_in(spec):
            raise InputError(Told(refusal, quoted(foreign, SPEC), self.role))

    def asked_by(self, name: str, spec: str, given: str) -> list[str]:
        """Return the codebreakers that one of our own players asks, from its name, its text and its parameters."""
        row = self.rows.get(name)
        if row is None or not row.asks:
            return []
        value = read_arguments(imported(row.target), spec, given).get(row.asks, "")
        return [piece for piece in row.asked_in(value) if piece]

    def factory(self, name: str) -> Any:
        """Return the class (or function) that makes the player of that name; raises InputError where there is none."""
        if name in self.rows:
            return imported(self.rows[name].target)
        if name in self._foreign:
            return self._load(self._foreign[name])
        raise InputError(self._unknown(name))

    def _load(self, point: EntryPoint) -> Any:
        try:
            return point.load()
        except Exception as error:  # whatever a foreign package raises while it is imported
            raise InputError(
                "the {role} {name!r} ({place}) cannot be loaded: {error}", self.role, point.name, point.value, error
            ) from error

    def _unknown(self, name: str) -> str:
        near = get_close_matches(name, self.names, n=3, cutoff=0.5)
        fault = Told("there is no {role} called {name!r}", self.role, name)
        hint = Told("did you mean {near:or}?", near) if near else Told("there are {names:list}", self.names)
        return Told("{fault}: {hint}", fault, hint)

    def parameters(self, name: str) -> dict[str, str]:
        """Return the parameters of a player and their defaults, as text; `required` where there is none."""
        return {
            field.name: {"True": "yes", "False": "no"}.get(_default(field), _default(field))
            for field in _fields(self.factory(name))
        }

    def summary(self, name: str) -> str:
        """Return the first line of a player's docstring."""
        return Told((self.factory(name).__doc__ or "").strip().partition("\n")[0])


def imported(target: str) -> Any:
    """Return what `module:attribute` names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _fields(factory: Any) -> list[Field[Any]]:
    return [field for field in fields(factory) if field.init] if is_dataclass(factory) else []


def _default(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return str(field.default)
    return str(field.default_factory()) if field.default_factory is not MISSING else "required"


def read_arguments(factory: Any, spec: str, text: str) -> dict[str, Any]:
    """Read `value` or `key=value,key=value`, each value as the field of that name wants it; raises InputError."""
    known = {field.name: field for field in _fields(factory)}
    arguments: dict[str, Any] = {}
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = piece.partition("=")
        if not equals and known and not arguments:
            name, value = next(iter(known)), piece
        field = known.get(name.strip().replace("-", "_"))
        if field is None:
            raise InputError(
                "{spec}: {piece!r} is not a parameter it knows; its parameters are: {names:list}",
                *(quoted(spec, SPEC), piece, known or [word("parameters", "none")]),
            )
        arguments[field.name] = _convert(spec, field, value.strip())
    return arguments


def _convert(spec: str, field: Field[Any], value: str) -> Any:
    kind = str(field.type).partition(" |")[0]
    try:
        if kind == "bool":
            return _truth(value)
        return {"int": int, "float": float}.get(kind, str)(value)
    except ValueError:
        wanted = {"int": Told("a whole number"), "float": Told("a number"), "bool": Told("yes or no")}[kind]
        raise InputError(
            "{spec}: {name} is {given!r}; it must be {wanted}", quoted(spec, SPEC), field.name, value, wanted
        ) from None


def _truth(value: str) -> bool:
    if value.casefold() not in _TRUE | _FALSE:
        raise ValueError(value)
    return value.casefold() in _TRUE


def build(factory: Callable[..., Player], spec: str, arguments: dict[str, Any]) -> Player:
    """Make a player from its parameters; raises InputError, naming the text it was made from, where one is wrong."""
    missing = [
        field.name for field in _fields(factory) if _default(field) == "required" and field.name not in arguments
    ]
    if missing:
        raise InputError(
            "{spec} needs {name}: write {player}:{name}=...", quoted(spec, SPEC), missing[0], spec.partition(":")[0]
        )
    try:
        return factory(**arguments)
    except InputError as error:
        raise InputError("{where}: {error}", quoted(spec, SPEC), error) from None


def spec_of(registered: str, player: Any) -> str:
    """Return the text that makes an equal player: its name and the parameters that differ from their defaults."""
    fields_ = _fields(type(player))
    changed = {
        field.name: getattr(player, field.name)
        for field in fields_
        if str(getattr(player, field.name)) != _default(field)
    }
    if list(changed) == [field.name for field in fields_[:1]]:
        return f"{registered}:{next(iter(changed.values()))}"
    return (
        ":".join([registered, ",".join(f"{name}={value}" for name, value in changed.items())])
        if changed
        else registered
    )


def named(registered: str) -> property:
    """Make the property `name` of a player with parameters: the text that makes an equal one."""
    return property(lambda player: spec_of(registered, player), doc="The text that makes this player.")


def at_least(player: Any, **least: float) -> None:
    """Raise InputError where a parameter of a player is less than it may be."""
    for name, bound in least.items():
        if getattr(player, name) < bound:
            raise InputError("{name} is {given!r}; it must be at least {least:,}", name, getattr(player, name), bound)


def by_parameters(player: Any) -> tuple[type, tuple[Any, ...]]:
    """Pickle a player (as its `__reduce__`) by its parameters alone: what it remembers of games only saves time."""
    return type(player), tuple(getattr(player, each.name) for each in fields(player) if each.init)


def name_of(player: Any) -> str:
    """Return the name under which a player is recorded: its `name`, else the name of its class."""
    return str(getattr(player, "name", type(player).__name__))


def choice(name: str, value: str, choices: tuple[str, ...]) -> str:
    """Return a value that must be one of a few words, or raise InputError naming them."""
    if value not in choices:
        raise InputError("{name} is {given!r}; it must be one of {choices:list}", name, value, choices)
    return value

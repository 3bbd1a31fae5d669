"""`entropeg list`: the players and rules there are."""

from __future__ import annotations

import json
from collections import Counter
from difflib import get_close_matches
from inspect import cleandoc
from typing import Any

import click
from click.shell_completion import CompletionItem

from entropeg import codebreakers, codemakers
from entropeg.chosen_language import ENGLISH, spoken_language, translated
from entropeg.cli.completion import RULE_OPTIONS
from entropeg.cli.helping import in_capitals
from entropeg.cli.options import json_option
from entropeg.cli.terminal import USUAL, columns, folded, heading, width
from entropeg.errors import EntropegError, InputError
from entropeg.registry import Registry
from entropeg.rules import NAMED_ALPHABETS, PRESETS, WORDS, Rules
from entropeg.told import Told, plural, word
from entropeg.words import SHIPPED, USUAL_PEGS, shipped_words


def complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the names that can be listed."""
    return [CompletionItem(word) for word in _known() if word.startswith(incomplete)]


SECTIONS = ("codebreakers", "codemakers", "rules")

WRITTEN = {"presets": "", "words": WORDS, "options": "/"}
"""Stands before a name of each part of `rules` where it is typed."""

RULE_NAMES = (*PRESETS, *(WORDS + name for name in SHIPPED))
OPTION_NAMES = tuple(WRITTEN["options"] + name for name in RULE_OPTIONS)

TITLES = {
    "codebreakers": Told("codebreakers, who guess (to begin with: consistent, entropy, auto)"),
    "codemakers": Told("codemakers, who answer"),
    "rules": Told("rules: a size, pegs x colors, as 4x6, or words:FILE, or one of these names"),
}


@click.command("list")
@click.argument("what", required=False, metavar="[codebreakers|codemakers|rules|NAME]", shell_complete=complete)
@json_option
def command(what: str | None, as_json: bool) -> None:
    """Name the codebreakers, codemakers and rules there are.

    With one of these three words, a line on each; with the NAME of a player, how it plays, and its parameters; with
    the NAME of rules or of an option of theirs, as classic or /blanks, what it means.

    Keys with --json: codebreakers and codemakers (lists of name, parameters with their defaults, summary) and
    rules (presets: name, rules, secrets; words: name, words by length, summary; options: name, summary).
    """
    registries: dict[str, Registry[Any]] = {"codebreakers": codebreakers.registry, "codemakers": codemakers.registry}
    roles = [role for role, registry in registries.items() if what in registry.names]
    named = {} if what is None or roles else _rules_named(what)
    if what is not None and what not in _known():
        raise _unlisted(what)
    if as_json:
        listed: dict[str, Any] = {role: players(registry) for role, registry in registries.items()}
        listed["rules"] = rules()
        if named:
            listed = {"rules": named}
        elif roles:
            listed = {role: [each for each in listed[role] if each["name"] == what] for role in roles}
        elif what is not None:
            listed = {what: listed[what]}
        click.echo(json.dumps(listed, indent=2))
    elif named:
        click.echo(_table(_preset_rows(named) + _option_rows(named["options"])))
    elif roles:
        click.echo("\n\n".join(_portrait(registries[role], str(what)) for role in roles))
    else:
        click.echo(_overview(registries) if what is None else _section(what, registries))


def _unlisted(what: str) -> InputError:
    near = get_close_matches(what, _known(), n=3, cutoff=0.6)
    if near:
        return InputError("{name!r} cannot be listed: did you mean {near:or}?", what, near)
    return InputError(
        "{name!r} cannot be listed: there are {known:list}, names of players and of rules", what, SECTIONS
    )


def _known() -> list[str]:
    # All that can be listed.
    return [*SECTIONS, *codebreakers.names(), *codemakers.names(), *RULE_NAMES, *OPTION_NAMES]


def _rules_named(name: str) -> dict[str, Any]:
    # What `rules` describes under this name, course or /course; empty where it is none of rules.
    if name not in {*RULE_NAMES, *OPTION_NAMES}:
        return {}
    return {part: [each for each in listed if WRITTEN[part] + each["name"] == name] for part, listed in rules().items()}


def players(registry: Registry[Any]) -> list[dict[str, Any]]:
    """Describe every player of one role; one that cannot be loaded says so instead of hiding the others."""
    return [_player(registry, name) for name in registry.names]


def _player(registry: Registry[Any], name: str) -> dict[str, Any]:
    try:
        return {"name": name, "parameters": registry.parameters(name), "summary": registry.summary(name)}
    except EntropegError as error:
        return {"name": name, "parameters": {}, "summary": "(" + str(error) + ")"}


def rules() -> dict[str, Any]:
    """Describe the named rules and the options of rules."""
    presets = [(name, Rules.parse(text)) for name, text in PRESETS.items()]
    lengths = {name: dict(sorted(Counter(map(len, shipped_words(name))).items())) for name in SHIPPED}
    return {
        "presets": [{"name": name, "rules": str(each), "secrets": each.secret_count} for name, each in presets],
        "words": [{"name": name, "words": lengths[name], "summary": summary} for name, summary in SHIPPED.items()],
        "options": [{"name": name, "summary": summary} for name, summary in RULE_OPTIONS.items()],
    }


def _overview(registries: dict[str, Registry[Any]]) -> str:
    # Names only: what there is fits a screen, and where to read on is said.
    names = {role: ", ".join(registry.names) for role, registry in registries.items()}
    names["rules"] = in_capitals(", ".join([*RULE_NAMES, "words:FILE", *OPTION_NAMES]))
    parts = [f"{heading(translated(TITLES[section]))}\n{_block(text)}" for section, text in names.items()]
    more = Told("entropeg list codebreakers, codemakers or rules has a line on each, entropeg list NAME tells of one")
    return "\n\n".join([*parts, folded(translated(more), _columns())])


def _columns() -> int:
    # Prose is as wide as the terminal, up to a line that is read with ease; 80 columns where there is none.
    return min(width() or USUAL, 100)


def _block(text: str) -> str:
    return _indent(folded(text, _columns() - 2))


def _section(title: str, registries: dict[str, Registry[Any]]) -> str:
    if title == "rules":
        return _rules_section(rules())
    listed = players(registries[title])
    given = [each["name"] for each in listed if "required" in each["parameters"].values()]
    rows = [[each["name"], translated(each["summary"])] for each in listed if each["name"] not in given]
    lines = [heading(translated(TITLES[title])), _table(rows)]
    if given:
        lines.append(
            _block(translated(Told("what these play is given, see entropeg list NAME: {players:list}", given)))
        )
    return "\n".join(lines)


def _table(rows: list[list[str]]) -> str:
    return _indent(columns(rows, "<" * len(rows[0]), most=_columns() - 2))


def _portrait(registry: Registry[Any], name: str) -> str:
    # Of one player: its description, and its parameters with their defaults.
    told = _player(registry, name)
    # The description is written for those who read programs; in other languages than English its first line stands.
    long = _description(registry, name) if spoken_language() == ENGLISH else ""
    head = Told("{player}, a codemaker", name)
    if registry.role == "codebreaker":
        head = Told("{player}, a codebreaker", name)
    lines = [heading(translated(head)), _block(long or translated(told["summary"]))]
    if told["parameters"]:
        example = ",".join(f"{key}={value or '...'}" for key, value in list(told["parameters"].items())[:2])
        rows = [[key, value or word("cell", "(empty)")] for key, value in told["parameters"].items()]
        lines += ["", translated(Told("parameters, as in {player}:{example}", name, example)), _table(rows)]
    return "\n".join(lines)


def _description(registry: Registry[Any], name: str) -> str:
    # The docstring of the class, then those of the classes that it shares its parameters with; no examples.
    try:
        factory = registry.factory(name)
    except EntropegError:
        return ""
    texts = [vars(each)["__doc__"] for each in getattr(factory, "__mro__", ()) if vars(each).get("__doc__")]
    own, *shared = [cleandoc(text).split("\n\n") for text in texts[:-1] or [factory.__doc__ or ""]]
    paragraphs = [*own, *(each for parts in shared for each in parts[1:])]
    return "\n\n".join(" ".join(each.split()) for each in paragraphs if ">>>" not in each)


def _rules_section(listed: dict[str, Any]) -> str:
    single = [each for each in listed["options"] if each["name"] not in NAMED_ALPHABETS]
    written = ["/digits /names ...", Told("how colors are written; also /letters /numbers /course")]
    return "\n".join(
        [
            heading(translated(TITLES["rules"])),
            _table(_preset_rows(listed)),
            heading(translated(Told("then any of these options, as 4x10/no-repeats/digits"))),
            _table([*_option_rows(single), written]),
        ]
    )


def _preset_rows(listed: dict[str, Any]) -> list[list[str]]:
    presets = [
        [each["name"], each["rules"], plural(each["secrets"], "{n} secret", "{n} secrets")]
        for each in listed["presets"]
    ]
    return presets + [_words_row(each) for each in listed["words"]]


def _option_rows(options: list[dict[str, str]]) -> list[list[str]]:
    return [[in_capitals(WRITTEN["options"] + each["name"]), translated(each["summary"])] for each in options]


def _words_row(listed: dict[str, Any]) -> list[str]:
    others = [f"/pegs={length}" for length in listed["words"] if length != USUAL_PEGS]
    lengths = Told("of {letters} letters; {others:list} for others", USUAL_PEGS, others)
    return [WORDS + listed["name"], lengths, plural(listed["words"][USUAL_PEGS], "{n} secret", "{n} secrets")]


def _indent(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())

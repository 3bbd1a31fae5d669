"""`entropeg list`: the players and rules there are."""

from __future__ import annotations

import json
from typing import Any

import click

from entropeg import codebreakers, codemakers
from entropeg.cli.lines import describe_rules
from entropeg.cli.options import json_option
from entropeg.cli.rule_options import RULE_OPTIONS
from entropeg.cli.tables import columns
from entropeg.errors import EntropegError
from entropeg.registry import Registry
from entropeg.rules import PRESETS, Rules


@click.command("list")
@click.argument("what", required=False, type=click.Choice(["codebreakers", "codemakers", "rules"]))
@json_option
def command(what: str | None, as_json: bool) -> None:
    """Name the codebreakers, codemakers and rules there are.

    With an argument, only those that it says.

    Keys with --json: codebreakers and codemakers (lists of name, parameters with their defaults, summary) and
    rules (presets: name, rules, secrets; options: name, summary).
    """
    makers = {
        "codebreakers": lambda: players(codebreakers.registry),
        "codemakers": lambda: players(codemakers.registry),
        "rules": rules,
    }
    listed = {name: make() for name, make in makers.items() if what in {None, name}}
    click.echo(json.dumps(listed, indent=2) if as_json else "\n\n".join(_section(*item) for item in listed.items()))


def players(registry: Registry[Any]) -> list[dict[str, Any]]:
    """Describe every player of one role; one that cannot be loaded says so instead of hiding the others."""
    return [_player(registry, name) for name in registry.names]


def _player(registry: Registry[Any], name: str) -> dict[str, Any]:
    try:
        return {"name": name, "parameters": registry.parameters(name), "summary": registry.summary(name)}
    except EntropegError as error:
        return {"name": name, "parameters": {}, "summary": f"({error})"}


def rules() -> dict[str, Any]:
    """Describe the named rules and the options of rules."""
    presets = [(name, Rules.parse(text)) for name, text in PRESETS.items()]
    return {
        "presets": [{"name": name, "rules": str(each), "secrets": each.secret_count} for name, each in presets],
        "options": [{"name": name, "summary": summary} for name, summary in RULE_OPTIONS.items()],
    }


def _section(title: str, listed: Any) -> str:
    if title == "rules":
        return _rules_section(listed)
    rows = [row for player in listed for row in _player_rows(player)]
    return f"{title}\n" + _indent(columns(rows, "<<"))


def _player_rows(player: dict[str, Any]) -> list[list[str]]:
    # The parameters, where there are any, stand on a line of their own below the summary.
    arguments = ", ".join(f"{name}={default}" for name, default in player["parameters"].items())
    return [[player["name"], player["summary"]], *([["", f"  {arguments}"]] if arguments else [])]


def _rules_section(listed: dict[str, Any]) -> str:
    presets = [[each["name"], each["rules"], describe_rules(Rules.parse(each["rules"]))] for each in listed["presets"]]
    options = [[f"/{each['name']}", each["summary"]] for each in listed["options"]]
    return "\n".join(
        [
            "rules: a size, pegs x colors, as 4x6, or words:FILE, or one of these names",
            _indent(columns(presets, "<<<")),
            "then any of these options, as 4x10/no-repeats/digits",
            _indent(columns(options, "<<")),
        ]
    )


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())

"""Helps with commands: help in the language of the hour, the option `--lang`, and the nearest of unknown names.

click lays help out after it was translated: a paragraph whole, one that keeps its lines line by line, and the words
in capitals that options take one by one.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from locale import getlocale
from typing import Any

import click

from entropeg.chosen_language import SpokenChoice, translated
from entropeg.errors import InputError
from entropeg.told import Template, Told, word


class SpokenHelp(click.HelpFormatter):
    """Writes help, every part of it in the language of the hour."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, in_capitals(args), f"{_headed('Usage')} " if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        self.write(f"{'':>{self.current_indent}}{_headed(heading)}\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(map(_paragraph, text.split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write a list of options, or of commands."""
        super().write_dl([(in_capitals(first), _paragraph(second)) for first, second in rows], col_max, col_spacing)


class SpokenContext(click.Context):
    """The context of a command whose help is spoken."""

    formatter_class = SpokenHelp


def _headed(heading: str) -> str:
    return translated(word("heading", f"{heading}:"))


def in_capitals(text: str) -> str:
    """Translate the words in capitals of a usage, which stand for other texts, into the language of the hour.

    >>> in_capitals("words:FILE")
    'words:FILE'
    """
    return re.sub(r"(?<![\w-])[A-Z]{2,}(?![\w-])", lambda found: translated(word("taken", found[0])), text)


def _paragraph(text: str) -> str:
    if text.startswith("\b\n"):  # so click marks a paragraph whose lines stay as they are
        return "\n".join("".join(map(_column, re.split(r"(^\s+|\s{2,})", line))) for line in text.split("\n"))
    # The sentence about an option, and click's addition, its default.
    said, begin, extra = re.fullmatch(r"(.*?)(?:((?:^|  )\[)(.*)\])?", text, re.DOTALL).groups()  # type: ignore[union-attr] # fits any text
    sentence = " ".join(said.split())
    told = translated(Told(sentence))
    return f"{told}{begin}{translated(_addition(extra))}]" if begin else told


def _column(text: str) -> str:
    return text if not text or text.isspace() else translated(Told(text))


def _addition(text: str) -> str:
    name, _, default = text.partition("default: ")
    if name:
        return text
    given, _, bounds = default.partition("; ")
    return Told("default: {given}; {bounds}", given, bounds) if bounds else Told("default: {given}", given)


def told_by_click(message: str) -> str:
    """Return a sentence of click as one of ours: it comes finished, and is taken apart by its templates.

    >>> told_by_click("Invalid value for '--games': 0 is too small: it is at least 1").fields["error"].fields
    {'given': '0', 'least': '1'}
    """
    templates = (
        Template("{error}. Did you mean {name}?"),
        Template("{error}. (Did you mean one of: {names}?)"),
        Template("{error}. Choose from: {choices}"),
        Template("Invalid value for {parameter}: {error}"),
        Template("Invalid value: {error}"),
        Template("Missing argument {name}"),
        Template("Missing option {name}"),
        Template("No such option {name}"),
        Template("Option {name} does not take a value"),
        Template("Option {name} requires an argument"),
        Template("Got unexpected extra argument ({typed})"),
        Template("Got unexpected extra arguments ({typed})"),
        Template("Argument {name} takes {count} values"),
        Template("{given} is not one of {choices}"),
        Template("{given} is not a whole number"),
        Template("{given} is not a number"),
        Template("{given} is too small: it is at least {least}"),
        Template("{given} is not in the range {range}"),
    )
    for template in templates:
        found = re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(template)), message, re.DOTALL)
        if found is not None:
            fields = found.groupdict()
            return Told(template, **fields | ({"error": told_by_click(fields["error"])} if "error" in fields else {}))
    return message


def chosen(arguments: Sequence[str]) -> SpokenChoice:
    """Return the language for a command line; raises InputError where ENTROPEG_LANG names none.

    `--lang` says which, before the command or after it; else the variable ENTROPEG_LANG; else the system's locale. The
    language is found before options are read, so that help and refusals are told in it, too. A wrong `--lang` is left
    to the option itself.
    """
    asked = _asked(arguments)
    if asked is not None:
        return SpokenChoice(asked, is_asked=True)
    # Where none of these is set, nobody asks for another language.
    if not any(map(os.environ.get, ("ENTROPEG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))) and sys.platform != "win32":
        return SpokenChoice()
    return SpokenChoice(of_environment())


def of_environment(environment: Mapping[str, str] | None = None) -> str:
    """Return the language that the variable ENTROPEG_LANG names; where it is not set, that of the system.

    Raises InputError where it names none of ours.

    >>> of_environment({"ENTROPEG_LANG": "fr", "LANG": "en_US"}), of_environment({"LANG": "fr_BE"})
    ('fr', 'fr')
    """
    from entropeg.texts import LANGUAGES

    variables = os.environ if environment is None else environment
    asked = variables.get("ENTROPEG_LANG", "").strip().casefold()
    if asked and asked not in LANGUAGES:
        raise InputError("{variable} is {asked!r}: it must be {languages:or}", "ENTROPEG_LANG", asked, LANGUAGES)
    return asked or of_locale(environment)


def of_locale(environment: Mapping[str, str] | None = None) -> str:
    """Return the language of the system, as LC_ALL, LC_MESSAGES and LANG say it; English where it is none of ours.

    The first of the three that is set counts; on Windows, where none is, the system is asked. `environment` stands for
    the variables of this process.

    >>> of_locale({"LANG": "fr_CA.UTF-8"}), of_locale({"LANG": "fr_FR", "LC_ALL": "C"}), of_locale({})
    ('fr', 'en', 'en')
    """
    from entropeg.texts import LANGUAGES

    variables = os.environ if environment is None else environment
    said = next(filter(None, (variables.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    if not said and environment is None and sys.platform == "win32":
        said = getlocale()[0] or ""
    language = re.split(r"[_.@-]", said)[0].lower()
    language = {"english": "en", "french": "fr"}.get(language, language)  # as Windows names them
    return language if language in LANGUAGES else LANGUAGES[0]


def _asked(arguments: Sequence[str]) -> str | None:
    # The last of several counts, as everywhere; words after `--` are no options.
    asked = ""
    for place, each in enumerate(arguments):
        if each == "--":
            break
        name, has_value, value = each.partition("=")
        if name == "--lang":
            asked = value if has_value else "".join(arguments[place + 1 : place + 2])
    if not asked:
        return None
    from entropeg.texts import LANGUAGES

    return asked.casefold() if asked.casefold() in LANGUAGES else None


def _check(_context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    if value is not None:
        from entropeg.texts import known_language

        known_language(value.casefold())


def with_language(command: click.Command) -> click.Command:
    """Give a command and those below it the option `--lang`, and the context in which their help is written.

    The option was obeyed before options are read (`chosen`), and here only refuses unknown languages.
    """
    if not any("--lang" in parameter.opts for parameter in command.params):
        said = "Language of what is said. [default: ENTROPEG_LANG, or the system's, else en]"
        how: dict[str, Any] = {"expose_value": False, "is_eager": True, "callback": _check, "help": said}
        command.params.append(click.Option(["--lang"], metavar="en|fr", **how))
    command.context_class = SpokenContext
    below: Any = getattr(command, "commands", {})
    for each in below.values():
        with_language(each)
    return command


class NearestGroup(click.Group):
    """A click group that answers an unknown name with the nearest ones.

    >>> NearestGroup(commands={"build": click.Command("build")}).nearest("biuld")
    'did you mean build?'
    """

    def nearest(self, name: str) -> str:
        """Say which commands a name may have meant, or which there are."""
        from entropeg.sessions.typed import nearest

        names = self.list_commands(click.Context(self))
        near, _ = nearest(name, [*names, "--help"], 0.5)
        return Told("did you mean {commands:or}?", near) if near else Told("there are {commands:list}", names)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command called; an unknown name is answered with the nearest ones."""
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            said = Told("there is no command {name!r}: {hint}", args[0], self.nearest(args[0]))
            raise click.UsageError(said, ctx)
        return super().resolve_command(ctx, args)

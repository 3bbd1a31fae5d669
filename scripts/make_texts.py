"""Makes the catalogues of all languages of what is said and of their translators' files: `make texts`.

Babel collects the calls that make sentences, and click's commands say their help. Prints what is missing as entries
that can be pasted into a file, what nobody says and what is wrong, each with file and line; then writes what gettext
reads, and the texts of the page.
"""

from __future__ import annotations

import ast
import errno
import json
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from inspect import cleandoc
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import click
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from entropeg import codebreakers, codemakers, errors
from entropeg.arguments import is_name
from entropeg.cli import group
from entropeg.errors import InputError
from entropeg.search.known import all_known_values
from entropeg.site.joined import pieces
from entropeg.texts.languages import TEXTS
from entropeg.texts.speaking import SIGNS
from entropeg.told import LISTS, names_of

PACKAGE = Path(errors.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
ERRORS = [
    name for path in SOURCES for name in re.findall(r"^class (\w+)\(\w*Error\b", path.read_text("utf-8"), re.MULTILINE)
]
IN_PYTHON: dict[str, Any] = dict.fromkeys(["Told", "Template", "say", "telling", "EntropegError", *ERRORS])
IN_PYTHON |= {"plural": (2, 3), "word": ((1, "c"), 2)}
"""Calls that make sentences, and which of their arguments are texts."""
NAMING = {"FileKind", "refuse_standard", "is_begun"}
"""Functions that are given a name, as all of `arguments` are, and make a sentence of it themselves."""
ON_PAGE: dict[str, Any] = {"t": None, "tn": (1, 2)}
KEEPS_LINES = "\b\n"
"""What begins a paragraph of help whose lines stay as they are, for click."""


@cache
def said_in_library() -> Catalog:
    """List what the package says, help included, what players are, and what the system says most often of files."""
    found = Catalog()
    for path in SOURCES:
        read(path, found)
    for text, context, where in [*_own(), *_help(group, click.Context(group, **group.context_settings), "entropeg")]:
        found.add(text, context=context or None, locations=[(where, 0)])
    return found


def _own() -> Iterator[tuple[str, str, str]]:
    yield from ((sign, "number", "numbers") for sign in SIGNS)
    yield from ((last, "list", "lists") for last in LISTS.values())
    for heading in ("Usage", "Options", "Commands", "Positional arguments", *group.headings):
        yield f"{heading}:", "heading", "entropeg"
    yield from ((taken, "taken", "entropeg") for taken in ("OPTIONS", "COMMAND", "ARGS"))
    yield from ((said, "", "entropeg") for _, said in group.table.values())
    for registry in (codebreakers.registry, codemakers.registry):
        yield from ((registry.summary(name), "", "registry.py") for name in registry.builtin)
    yield from ((known.strategy, "", "known_values.json") for known in all_known_values())
    codes = (errno.ENOENT, errno.EACCES, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENOSPC, errno.EROFS)
    yield from ((os.strerror(code), "", "files/paths.py") for code in codes)


@cache
def said_on_page() -> Catalog:
    """List the texts of all modules of the page."""
    found, static = Catalog(), PACKAGE / "web" / "static"
    for path in sorted(static.rglob("*.js")):
        if "vendor" not in path.parts and path.name != "texts.js":
            read(path, found, _in_javascript, ON_PAGE)
    return found


def read(path: Path, found: Catalog, method: Any = None, keywords: dict[str, Any] = IN_PYTHON) -> None:
    """Add what a module says."""
    reader: Any = method or _calls
    with path.open("rb") as file:
        for line, texts, _, context in extract(reader, file, keywords):
            found.add(texts, context=context, locations=[(path.relative_to(PACKAGE).as_posix(), line)])


def _calls(file: Any, keywords: Collection[str], *_: Any, **__: Any) -> Iterator[tuple[int, Any, Any, list[str]]]:
    # For Babel, whose own reader of Python passes over calls inside f-strings, and over a call around another one.
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call):
            owner = getattr(getattr(node.func, "value", None), "id", "")
            called = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
            values = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            texts = [each if isinstance(each, str) and each else None for each in values]
            if owner == "arguments" or called in NAMING:
                yield from ((node.lineno, "Told", [text], []) for text in texts if text and is_name(text))
            elif called == "words":
                yield from ((node.lineno, "word", [texts[0], text], []) for text in texts[1:] if text)
            elif called in keywords:
                yield node.lineno, called, texts, []


def _in_javascript(
    file: Any, keywords: Collection[str], *_: Any, **__: Any
) -> Iterator[tuple[int, str, Any, list[str]]]:
    # For Babel, whose own reader knows no fields of templates, and passes over a call inside another one.
    kept, line = list[tuple[str, str, int]](), 1
    for kind, text in pieces(file.read().decode()):
        if kind not in {"space", "comment"}:
            kept.append((kind, text, line))
        line += text.count("\n")
    names = [text for _, text, _ in kept]
    for at, (kind, called, line) in enumerate(kept):
        is_call = kind == "word" and called in keywords and names[at + 1 : at + 2] == ["("]
        if is_call and names[max(at - 1, 0)] not in {"function", "."}:
            yield line, called, _arguments(kept[at + 2 :]), []


def _arguments(after: Iterable[tuple[str, str, int]]) -> list[str | None]:
    """The texts among the arguments of a call, up to its end; None for others."""
    texts: list[str | None] = [None]
    depth = 0
    for kind, text, _ in after:
        if kind == "template":
            depth += text.endswith("${") - text.startswith("}")
        elif text in {"(", "[", "{"}:
            depth += 1
        elif text in {")", "]", "}"}:
            depth -= 1
        elif depth == 0 and text == ",":
            texts.append(None)
        elif depth == 0 and kind == "text":
            texts[-1] = (texts[-1] or "") + ast.literal_eval(text)
        if depth < 0:
            break
    return texts


def paragraphs(text: str) -> Iterator[str]:
    r"""Give a text of help in pieces, as they are translated: paragraphs, and columns of lines that click keeps.

    >>> list(paragraphs("Play a game.\n\n\b\nA B C    colors"))
    ['Play a game.', 'A B C', 'colors']
    """
    for paragraph in cleandoc(text).split("\n\n"):
        if paragraph.startswith(KEEPS_LINES):
            for line in paragraph.removeprefix(KEEPS_LINES).splitlines():
                yield from re.split(r"\s{2,}", line.strip())
        else:
            yield " ".join(paragraph.split())


def _help(command: click.Command, context: click.Context, name: str) -> Iterator[tuple[str, str, str]]:
    # Commands say what they do, what their options mean, and words for what these take.
    for text in filter(None, (command.help, command.short_help, command.epilog)):
        yield from ((each, "", name) for each in paragraphs(text))
    for parameter in command.get_params(context):
        shown = "" if getattr(parameter, "is_flag", False) else parameter.make_metavar(context)
        yield from ((taken, "taken", name) for taken in re.findall(r"(?<![\w-])[A-Z]{2,}(?![\w-])", shown))
        if isinstance(parameter, click.Option) and parameter.help:
            yield " ".join(parameter.help.partition("  [")[0].split()), "", name
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                yield from _help(below, click.Context(below, context), f"{name} {each}")


# ------------------------------------------------------------ translators' files


def read_file(path: Path, language: str) -> Catalog:
    """Read a translators' file.

    Raises InputError, with file and line, for what gettext could not read.
    """
    content = path.read_bytes()
    try:
        found = read_po(StringIO(content.decode()), locale=language, abort_invalid=True)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(f"{path.name}, line {line}: this is no text in UTF-8") from None
    except PoFileError as error:
        raise InputError(f"{path.name}, line {error.lineno + 1}: {error}") from None
    for message in found:
        message.locations = [(path.name, message.lineno or 0)]
    return found


def joined(files: list[Catalog], language: str) -> tuple[Catalog, list[str]]:
    """Join the files of a language; return what they say, and what is wrong with it.

    That is an entry without a translation, or without one for each number of things, marked fuzzy, with other fields
    than its English, or translated twice.
    """
    every = Catalog(locale=language)
    wrong = []
    for message in (message for file in files for message in file if message.id):
        known = every.get(message.id, message.context)
        if known is not None and known.string != message.string:
            wrong.append(
                f"{_where(message)} is translated otherwise at {known.locations[0][0]}:{known.locations[0][1]}"
            )
        wrong += [f"{_where(message)} {fault}" for fault in _faults(message, every.num_plurals)]
        every.add(message.id, message.string, context=message.context, locations=message.locations)
    return every, wrong


def _faults(message: Message, plurals: int) -> Iterator[str]:
    ids, forms = _texts(message.id), _texts(message.string)
    if not all(forms) or len(forms) != (plurals if message.pluralizable else 1):
        yield "has no translation" + " for each number of things" * message.pluralizable
    if message.fuzzy:
        yield "is marked fuzzy"
    fields = {name for each in ids for name in names_of(each)}
    for form in forms:
        of_form = {*names_of(form)}
        if not of_form <= fields or (fields - of_form and form is forms[-1] and form):
            yield f"has the fields {sorted(fields)}, and its translation {sorted(of_form)}"


def _texts(texts: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


def _where(message: Message) -> str:
    [(file, line), *_] = message.locations
    return f"{file}:{line}: {_texts(message.id)[0]!r}"


def without(said: Catalog, known: Catalog) -> Catalog:
    """Return the entries of a catalogue that another has not."""
    found = Catalog(locale=known.locale)
    for message in said:
        other = known.get(message.id, message.context) if message.id else message
        if other is None or other.pluralizable != message.pluralizable:
            found.add(message.id, context=message.context, locations=message.locations)
    return found


def typographic(text: str, language: str) -> str:
    r"""Put spaces that do not break where French has them, and round apostrophes.

    >>> typographic("l'ordre : « AABB » !", "fr")
    'l’ordre\xa0: «\xa0AABB\xa0»\u202f!'
    """
    if language != "fr":
        return text
    text = re.sub(r"(?<=[^\W\d_])'(?=[^\W\d_{]|[{«])", "’", text)
    text = re.sub(r" (?=[:»])|(?<=«) ", "\u00a0", text)
    return re.sub(r" (?=[;?!%](?:\s|$|[.,)»]))", "\u202f", text)


def compiled(library: Catalog, page: Catalog) -> dict[str, bytes]:
    """Return the files that are read at run time, by their endings: what gettext reads, and the texts of the page."""
    language, binary, texts = str(library.locale), BytesIO(), {}
    day = datetime(2000, 1, 1, tzinfo=UTC)  # the same files give the same bytes
    written = Catalog(locale=language, creation_date=day, revision_date=day)
    written.add(("0", "1"), tuple(map(str, range(written.num_plurals))), context="form")
    for catalogue in (library, page):
        for message in (message for message in catalogue if message.id):
            forms = tuple(typographic(each, language) for each in _texts(message.string))
            said = forms if message.pluralizable else forms[0]
            if catalogue is library:
                written.add(message.id, said, context=message.context)
            else:
                texts[_texts(message.id)[0]] = said
    write_mo(binary, written)
    return {
        "mo": binary.getvalue(),
        "json": f"{json.dumps(dict(sorted(texts.items())), ensure_ascii=False, indent=0)}\n".encode(),
    }


def main(folder: Path = TEXTS) -> int:
    """Write the catalogues of all languages, and print what is missing, left over or wrong."""
    told: list[str] = []
    library, page = said_in_library(), said_on_page()
    try:
        for language in sorted(path.name for path in folder.iterdir() if path.is_dir()):
            made = []
            for said, place in ((library, folder / language), (page, folder / language / "page")):
                every, wrong = joined([read_file(path, language) for path in sorted(place.glob("*.po"))], language)
                made.append(every)
                told += [
                    *wrong,
                    *_pasted(without(said, every)),
                    *(f"{_where(each)} is said by nobody" for each in without(every, said) if each.id),
                ]
            for ending, content in compiled(*made).items():
                (folder / f"{language}.{ending}").write_bytes(content)
    except InputError as error:
        told = [str(error)]
    print("\n".join([*told, f"# {len(told)} to mend"]))
    return 1 if told else 0


def _pasted(missing: Catalog) -> list[str]:
    text = BytesIO()
    write_po(text, missing, omit_header=True)
    return [f"# missing:\n{each}" for each in text.getvalue().decode().strip().split("\n\n") if each]


if __name__ == "__main__":
    sys.exit(main())

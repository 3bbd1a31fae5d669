"""Makes the catalogues of all languages of their translators' files: `make texts`.

At development time only. Prints what is missing as entries that can be pasted into a file, what is left over and what
is wrong, each with file and line; then writes what gettext reads, and the texts of the page.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po, write_po

from entropeg.errors import InputError
from entropeg.texts.extracting import said_in_library, said_on_page
from entropeg.texts.languages import TEXTS
from entropeg.told import names_of


def read_file(path: Path) -> Catalog:
    """Read a translators' file, in a folder named by its language.

    Raises InputError, with file and line, for what gettext could not read.
    """
    content = path.read_bytes()
    try:
        found = read_po(StringIO(content.decode()), locale=path.parent.name, abort_invalid=True)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError("{file}, line {line}: this is no text in UTF-8", path.name, line) from None
    except PoFileError as error:
        raise InputError("{file}, line {line}: {error}", path.name, error.lineno + 1, str(error)) from None
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
    try:
        for language in sorted(path.name for path in folder.iterdir() if path.is_dir()):
            made = []
            for said, place in ((said_in_library(), folder / language), (said_on_page(), folder / language / "page")):
                every, wrong = joined([read_file(path) for path in sorted(place.glob("*.po"))], language)
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
    print("\n".join([*told, f"# {len(told)} to mend"]))  # noqa: T201 - a tool prints
    return 1 if told else 0


def _pasted(missing: Catalog) -> list[str]:
    text = BytesIO()
    write_po(text, missing, omit_header=True)
    return [f"# missing:\n{each}" for each in text.getvalue().decode().strip().split("\n\n") if each]


if __name__ == "__main__":
    sys.exit(main())

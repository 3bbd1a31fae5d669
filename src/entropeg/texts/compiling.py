"""Makes the catalogues of a language of its translators' files: `make texts`.

At development time only. Prints what is missing as entries that can be pasted into a file, what is left over and what
is wrong, each with file and line; then writes what gettext reads, and the texts of the page.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po

from entropeg.errors import InputError
from entropeg.texts.extracting import Said, said_in_library, said_on_page
from entropeg.texts.languages import LANGUAGES, TEXTS
from entropeg.texts.speaking import FIELD
from entropeg.told import names_of

PAGE = ("page", "play", "assist", "watch", "review_page", "train_page", "compare", "start")
"""Files of the texts of the page; all others are of the library."""


@dataclass(frozen=True)
class PoEntry:
    """An entry of a file: what is said in English, and its translations: one, or for each number of things."""

    said: Said
    forms: tuple[str, ...]
    is_fuzzy: bool = False


def read_entries(folder: Path) -> tuple[list[PoEntry], list[PoEntry]]:
    """Read all translators' files of a language: the entries of the library, and those of the page.

    Raises InputError, with file and line, for what gettext could not read.
    """
    library: list[PoEntry] = []
    page: list[PoEntry] = []
    for path in sorted(folder.glob("*.po")):
        (page if path.stem in PAGE else library).extend(_entries(path, folder.name))
    return library, page


def _entries(path: Path, language: str) -> Iterator[PoEntry]:
    try:
        with path.open("rb") as file:
            catalog = read_po(file, locale=language, abort_invalid=True)
    except PoFileError as error:
        raise InputError("{path}, line {line}: {error}", path.name, error.lineno + 1, str(error)) from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise InputError("{path}, line {line}: this is no text in UTF-8", path.name, line) from None
    for message in catalog:
        if message.id:
            one, many = message.id if isinstance(message.id, (tuple, list)) else (message.id, "")
            forms = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
            said = Said(str(one), str(many), message.context or "", f"{path.name}:{message.lineno}")
            yield PoEntry(said, tuple(map(str, forms)), bool(message.fuzzy))


def faults(entries: Iterable[PoEntry], forms: int) -> Iterator[str]:
    """Say what is wrong with entries: no translation, a plural missing, fuzzy, other fields, or said twice."""
    seen: dict[Said, PoEntry] = {}
    for entry in entries:
        said, where = entry.said, entry.said.where
        if not all(entry.forms) or len(entry.forms) != (forms if said.many else 1):
            yield f"{where}: {said.text!r} has no translation" + " for each number of things" * bool(said.many)
        if entry.is_fuzzy:
            yield f"{where}: {said.text!r} is marked fuzzy"
        fields = {*names_of(said.text), *names_of(said.many)}
        for form in entry.forms:
            of_form = {found[1] for found in FIELD.finditer(form) if found[1]}
            if not of_form <= fields or (fields - of_form and form is entry.forms[-1]):
                yield f"{where}: {said.text!r} has fields {sorted(fields)}, its translation {sorted(of_form)}"
        if said in seen and entry.forms != seen[said].forms:
            yield f"{where}: {said.text!r} is translated otherwise at {seen[said].said.where}"
        seen[said] = entry


def typographic(text: str) -> str:
    r"""Put spaces that do not break where French has them, and round apostrophes.

    >>> typographic("l'ordre : « AABB » !")
    'l’ordre\xa0: «\xa0AABB\xa0»\u202f!'
    """
    text = re.sub(r"(?<=[^\W\d_])'(?=[^\W\d_{]|[{«])", "’", text)
    text = re.sub(r" (?=[:»])|(?<=«) ", "\u00a0", text)
    return re.sub(r" (?=[;?!%](?:\s|$|[.,)»]))", "\u202f", text)


def written_forms(entry: PoEntry, language: str) -> str | list[str]:
    """Return the translations of an entry as they are shown."""
    forms = [typographic(form) if language == "fr" else form for form in entry.forms]
    return forms if entry.said.many else forms[0]


def write_catalogue(entries: Iterable[PoEntry], language: str, path: Path) -> None:
    """Write what gettext reads."""
    catalog = Catalog(locale=language)
    catalog.add(("0", "1"), [str(form) for form in range(catalog.num_plurals)], context="form")
    for entry in entries:
        said, forms = entry.said, written_forms(entry, language)
        catalog.add((said.text, said.many) if said.many else said.text, forms, context=said.context or None)
    with path.open("wb") as file:
        write_mo(file, catalog)


def main(folder: Path = TEXTS) -> int:
    """Write the catalogues of all languages, and print what is missing, left over or wrong."""
    count, said = 0, (said_in_library(), said_on_page())
    for language in LANGUAGES[1:]:
        try:
            entries = read_entries(folder / language)
        except InputError as error:
            print(f"# {error}")  # noqa: T201 # a tool prints
            return 1
        plurals = Catalog(locale=language).num_plurals
        for found in [
            line for each, known in zip(said, entries, strict=True) for line in _checked(each, known, plurals)
        ]:
            print(found)  # noqa: T201
            count += 1
        write_catalogue(entries[0], language, folder / f"{language}.mo")
        page: dict[str, Any] = {entry.said.text: written_forms(entry, language) for entry in entries[1]}
        text = json.dumps(dict(sorted(page.items())), ensure_ascii=False, indent=0)
        (folder / f"{language}.json").write_text(f"{text}\n", encoding="utf-8")
        print(f"# {language}: {len(entries[0])} texts of the library, {len(page)} of the page; {count} to mend")  # noqa: T201
    return 1 if count else 0


def _checked(said: list[Said], entries: list[PoEntry], plurals: int) -> Iterator[str]:
    known, wanted = {entry.said for entry in entries}, set(said)
    for each in said:
        if each not in known:
            yield f"# missing: {each.where}\n{_entry_of(each, plurals)}"
    for entry in entries:
        if entry.said not in wanted:
            yield f"# left over: {entry.said.where} {entry.said.text!r}"
    yield from (f"# {fault}" for fault in faults(entries, plurals))


def _entry_of(said: Said, plurals: int) -> str:
    quoted = json.dumps(said.text, ensure_ascii=False)
    lines = [f"msgctxt {json.dumps(said.context)}"] if said.context else []
    if not said.many:
        return "\n".join([*lines, f"msgid {quoted}", 'msgstr ""', ""])
    many = json.dumps(said.many, ensure_ascii=False)
    return "\n".join(
        [*lines, f"msgid {quoted}", f"msgid_plural {many}", *(f'msgstr[{n}] ""' for n in range(plurals)), ""]
    )


if __name__ == "__main__":
    sys.exit(main())

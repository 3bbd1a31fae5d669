"""Makes the catalogue of a language of the translators' files: `python -m entropeg.texts.making`, or `make texts`.

At development time only: it reads `.po` files with Babel. It prints what is missing as entries that can be pasted into
a file, and what is left over; then it writes what there is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from entropeg.texts.catalogue import CHOSEN, CONTEXT, MANY, Entries
from entropeg.texts.languages import TEXTS
from entropeg.texts.page import said_on_page
from entropeg.texts.sources import Said
from entropeg.texts.spoken import said_in_library
from entropeg.texts.templates import FIELD

FRENCH = TEXTS / "fr"
PAGE = ("page", "play", "assist", "watch", "review_page", "train_page", "compare", "start")
"""Files of the texts of the page; all others are of the library."""


@dataclass(frozen=True)
class PoEntry:
    """An entry of a file: what is said in English, and its translations: one, or for one and for many."""

    said: Said
    forms: tuple[str, ...]
    is_fuzzy: bool = False

    @property
    def key(self) -> str:
        """How the catalogue finds it."""
        return key_of(self.said)


def key_of(said: Said) -> str:
    """Return the key of a text, as files of gettext have it."""
    text = f"{said.text}{MANY}{said.many}" if said.many else said.text
    return f"{said.context}{CONTEXT}{text}" if said.context else text


def read_po(path: Path) -> list[PoEntry]:
    """Read a translators' file."""
    from babel.messages.pofile import read_po as read_catalog

    with path.open("rb") as file:
        catalog = read_catalog(file, locale="fr", abort_invalid=True)
    entries = []
    for message in catalog:
        if message.id:
            one, many = message.id if isinstance(message.id, (tuple, list)) else (message.id, "")
            forms = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
            said = Said(str(one), str(many), message.context or "", f"{path.name}:{message.lineno}")
            entries.append(PoEntry(said, tuple(map(str, forms)), bool(message.fuzzy)))
    return entries


def read_entries(folder: Path = FRENCH) -> tuple[list[PoEntry], list[PoEntry]]:
    """Read all translators' files of a language: the entries of the library, and those of the page."""
    library: list[PoEntry] = []
    page: list[PoEntry] = []
    for path in sorted(folder.glob("*.po")):
        (page if path.stem in PAGE else library).extend(read_po(path))
    return library, page


def faults(entries: Iterable[PoEntry]) -> Iterator[str]:
    """Say what is wrong with entries: no translation, fuzzy, other fields than the English, or said twice."""
    seen: dict[str, PoEntry] = {}
    for entry in entries:
        said, where = entry.said, entry.said.where
        if not all(entry.forms) or len(entry.forms) != (2 if said.many else 1):
            yield f"{where}: {said.text!r} has no translation"
        if entry.is_fuzzy:
            yield f"{where}: {said.text!r} is marked fuzzy"
        fields = {field[1] for field in FIELD.finditer(said.many or said.text)}
        for form in entry.forms:
            of_form = {field[1] for field in CHOSEN.finditer(form)}
            if not of_form <= fields or (fields - of_form and form is entry.forms[-1]):
                yield f"{where}: {said.text!r} has fields {sorted(fields)}, its translation {sorted(of_form)}"
        if entry.key in seen and entry.forms != seen[entry.key].forms:
            yield f"{where}: {said.text!r} is translated otherwise at {seen[entry.key].said.where}"
        seen[entry.key] = entry


def missing(said: Iterable[Said], entries: Iterable[PoEntry]) -> list[Said]:
    """List what is said and has no entry."""
    known = {entry.key for entry in entries}
    return [each for each in said if key_of(each) not in known]


def left_over(said: Iterable[Said], entries: Iterable[PoEntry]) -> list[Said]:
    """List the entries of what nobody says."""
    known = {key_of(each) for each in said}
    return [entry.said for entry in entries if entry.key not in known]


def typographic(text: str) -> str:
    r"""Put spaces that do not break where French has them, and round apostrophes.

    >>> typographic("l'ordre : « AABB » !")
    'l’ordre\xa0: «\xa0AABB\xa0»\u202f!'
    """
    text = re.sub(r"(?<=[^\W\d_])'(?=[^\W\d_{]|[{«])", "’", text)
    text = re.sub(r" (?=[:»])|(?<=«) ", "\u00a0", text)
    return re.sub(r" (?=[;?!%](?:\s|$|[.,)»]))", "\u202f", text)


def catalogue_of(library: Iterable[PoEntry], page: Iterable[PoEntry]) -> dict[str, Entries]:
    """Return what the server and the page read."""
    return {
        "library": dict(sorted((entry.key, _forms(entry)) for entry in library)),
        "page": dict(sorted((entry.said.text, _forms(entry)) for entry in page)),
    }


def _forms(entry: PoEntry) -> str | list[str]:
    forms = [typographic(form) for form in entry.forms]
    return forms if entry.said.many else forms[0]


def written(catalogue: dict[str, Entries]) -> str:
    """Write a catalogue as it is committed: an entry a line."""
    return json.dumps(catalogue, ensure_ascii=False, indent=0) + "\n"


def po_entry(said: Said) -> str:
    """Write an entry without its translation, to be pasted into a file."""
    lines = [f"#: {said.where}"] + ([f"msgctxt {_quoted(said.context)}"] if said.context else [])
    lines.append(f"msgid {_quoted(said.text)}")
    lines += [f"msgid_plural {_quoted(said.many)}", 'msgstr[0] ""', 'msgstr[1] ""'] if said.many else ['msgstr ""']
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def main() -> int:
    """Write the catalogue, and print what is missing, left over or wrong."""
    library, page = read_entries()
    count = 0
    for name, said, entries in (("library", said_in_library(), library), ("page", said_on_page(), page)):
        for each in missing(said, entries):
            print(f"# missing, of the {name}\n{po_entry(each)}")  # noqa: T201 # a tool prints
            count += 1
        for each in left_over(said, entries):
            print(f"# left over: {each.where} {each.text!r}")  # noqa: T201
            count += 1
        for fault in faults(entries):
            print(f"# {fault}")  # noqa: T201
            count += 1
    (TEXTS / "fr.json").write_text(written(catalogue_of(library, page)), encoding="utf-8")
    print(f"# fr.json: {len(library)} texts of the library, {len(page)} of the page; {count} to mend")  # noqa: T201
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

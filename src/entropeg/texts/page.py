"""What the page says, read from its modules: the calls of `t` and `tn`.

    t("Codes left")    t("Row {n} says {marks}", {n, marks})    tn("{n} code left", "{n} codes left", n)

Texts are written out: whatever else stands there is refused, since nobody could translate it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from entropeg.errors import InputError
from entropeg.texts.sources import Said

STATIC = Path(__file__).parents[1] / "web" / "static"
NOT_OURS = "vendor"
DEFINED = "texts.js"
"""The module that defines the two functions."""

_CALL = re.compile(r"(?<![\w.$])(tn?)\(")
_COMMENT = re.compile(r"^\s*(?://|\*|/\*).*$", re.MULTILINE)
_TEXT = re.compile(r"\s*(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\$]|\\.)*`)\s*([,)])")


def said_on_page(folder: Path = STATIC) -> list[Said]:
    """List the texts of all modules of the page."""
    found: list[Said] = []
    for path in sorted(folder.rglob("*.js")):
        if NOT_OURS not in path.relative_to(folder).parts and path.name != DEFINED:
            found += said_in_script(path.read_text(encoding="utf-8"), path.relative_to(folder).as_posix())
    return list(dict.fromkeys(found))


def said_in_script(source: str, name: str = "script") -> Iterator[Said]:
    """Read the calls of a module; raises InputError, with the line, for a text that is not written out.

    >>> [said.text for said in said_in_script('title.textContent = t("Codes left");')]
    ['Codes left']
    """
    source = _COMMENT.sub("", source)
    for call in _CALL.finditer(source):
        where = f"{name}:{source.count(chr(10), 0, call.start()) + 1}"
        if source[: call.start()].rstrip().endswith("function"):
            continue
        texts: list[str] = []
        end = call.end()
        while len(texts) < len(call[1]):
            text = _TEXT.match(source, end)
            if text is None or (text[2] == ")" and len(texts) + 1 < len(call[1])):
                raise InputError(f'{where}: {call[1]} wants its text written out, as t("Codes left")')
            texts.append(_value(text[1]))
            end = text.end()
        yield Said(texts[0], texts[1] if len(texts) > 1 else "", where=where)


def _value(literal: str) -> str:
    inner = literal[1:-1]
    if literal[0] != '"':
        inner = re.sub(r"\\(['`])", r"\1", inner).replace('"', '\\"').replace("\n", "\\n")
    return str(json.loads(f'"{inner}"'))

"""Reads files within limits: a device, a file too large, no text, or nested too deep, is refused in one sentence."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import zlib
from math import isinf
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from entropeg.errors import InputError
from entropeg.files.paths import is_standard, misnamed, shown, why
from entropeg.told import Told

LARGEST = 256 << 20
"""Bytes of a file that are read at most, and of content packed in one."""

DEEPEST = 500
"""Brackets within brackets that are read at most: no file of ours needs more, and Python's own stack would."""

LONGEST_LINE = 1 << 22
"""Characters of a line of input that are read at most: a guess of a million pegs takes no more."""

_TAKEN: list[Any] = [None, b""]  # standard input, and its content: it is read once


def read_bytes(path: str | Path, *, most: int = LARGEST) -> bytes:
    """Read a file, a pipe or, for `-`, standard input (all of it, once: the same content is given again).

    Raises InputError where it cannot be read, is a device, or is larger than `most` bytes.
    """
    if is_standard(path):
        content = _standard_input(most)
    else:
        try:
            with open(path, "rb") as file:  # noqa: PTH123 (a Path would look a strange name up first)
                _refuse_device(file, path)
                content = file.read(most + 1)
        except (OSError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                misnamed(path) or Told("{file} cannot be read: {reason}", shown(path), why(error))
            ) from None
    if len(content) > most:
        raise InputError("{file} is larger than {most:,} bytes, the most that is read", shown(path), most)
    return content


def _refuse_device(file: BinaryIO, path: str | Path) -> None:
    # /dev/zero has no end. A terminal may be read, and so may /dev/null, which is empty.
    mode = os.fstat(file.fileno())
    if stat.S_ISBLK(mode.st_mode) or (
        stat.S_ISCHR(mode.st_mode) and not file.isatty() and mode.st_rdev != os.stat(os.devnull).st_rdev  # noqa: PTH116
    ):
        raise InputError("{file} is a device, not a file", shown(path))


def _standard_input(most: int) -> bytes:
    stream = sys.stdin
    if _TAKEN[0] is not stream or stream is None:
        try:
            content = stream.buffer.read(most + 1) if hasattr(stream, "buffer") else stream.read(most + 1).encode()
        except (OSError, ValueError, AttributeError) as error:
            reason = why(error) if isinstance(error, OSError) else Told("it is closed")
            raise InputError("standard input cannot be read: {reason}", reason) from None
        _TAKEN[:] = stream, content
    taken: bytes = _TAKEN[1]
    return taken


def read_line(stream: TextIO) -> str:
    """Read a line that somebody types or sends, its end included; empty at the end of the input.

    Raises InputError where it does not end after `LONGEST_LINE` characters, as from a device without end.

    >>> import io
    >>> read_line(io.StringIO("AABB"))
    'AABB'
    """
    line = stream.readline(LONGEST_LINE + 1)
    if len(line) > LONGEST_LINE:
        raise InputError("a line of the input has more than {most:,} characters", LONGEST_LINE)
    return line


def read_text(path: str | Path, *, most: int = LARGEST) -> str:
    """Read a text file in UTF-8, lines ending in a line feed however the file ends them.

    The mark that some editors write before the text is no part of it; one that says UTF-16 is believed, since `>` of
    Windows PowerShell writes so. Raises InputError as `read_bytes`, and where it is not text.
    """
    return decoded(read_bytes(path, most=most), shown(path))


def decoded(content: bytes, name: str) -> str:
    r"""Decode text as `read_text` does; `name` is for the message.

    >>> decoded(b"AABB\r\nXO", "game.txt"), decoded("AABB".encode("utf-16"), "log.txt")
    ('AABB\nXO', 'AABB')
    """
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            text = content.decode("utf-16")
        except UnicodeDecodeError as error:
            raise InputError("{file} is not a text file: byte {place} is not UTF-16", name, error.start) from None
        return text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            "{file} is not a text file: line {line}, byte {place} is not UTF-8", name, line, error.start
        ) from None
    if "\0" in text:
        raise InputError("{file} is not a text file: byte {place} is zero", name, content.index(0))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: str | Path, *, most: int = LARGEST) -> Any:
    """Read a JSON file; raises InputError as `read_text` and `parse_json`, naming the file."""
    text = read_text(path, most=most)
    try:
        return parse_json(text)
    except InputError as error:
        raise InputError("{where}: {error}", shown(path), error) from None


def parse_json(text: str, line: int | None = None) -> Any:
    """Read JSON as the standard has it, no deeper than `DEEPEST`; raises InputError with the place.

    Refused are also names given twice in one object, of which one would be dropped in silence, NaN, Infinity and what
    is no less, and whole numbers of more than 4,300 digits. ``line``: the number that the text has among the lines of
    its file, for the message.

    >>> parse_json('{"bound": 5625}')
    {'bound': 5625}
    >>> parse_json('{"bound": 1, "bound": 2}')
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: it is not the JSON of this program: the name 'bound' stands there twice
    """
    try:
        return _parsed(text)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise InputError("it is empty" if line is None else Told("line {number} is empty", line)) from None
        at = error.lineno + (line or 1) - 1
        raise InputError(
            "line {line}, column {column} is not valid JSON: {reason}", at, error.colno, error.msg
        ) from None
    except InputError as error:
        if line is None:
            raise
        raise InputError("line {number}: {error}", line, error) from None


def _parsed(text: str) -> Any:
    if _depth(text) > DEEPEST:
        raise InputError("its brackets are nested more than {most} deep, which no file of this program needs", DEEPEST)
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant, parse_float=_finite)
    except (json.JSONDecodeError, InputError):
        raise
    except RecursionError:
        raise InputError("its brackets are nested too deeply") from None
    except ValueError:
        raise InputError("it has a number of thousands of digits") from None


def parse_object(line: str, number: int, *names: str) -> dict[str, Any]:
    """Read an object from a line of a file that has these names; raises InputError naming the line.

    >>> parse_object('{"id": 1}', 3, "id")
    {'id': 1}
    """
    data = parse_json(line, number)
    if not isinstance(data, dict) or not set(names) <= set(data):
        raise InputError("line {number}: it should be an object with {names:and}", number, names)
    return data


def _depth(text: str) -> int:
    if text.count("[") + text.count("{") <= DEEPEST:
        return 0
    import numpy as np

    without_strings = re.sub(r'"[^"\\]*(?:\\.[^"\\]*)*"', "", text, flags=re.DOTALL)
    marks = np.frombuffer(without_strings.encode(errors="replace"), np.uint8)
    steps = (((marks == ord("[")) | (marks == ord("{"))).view(np.int8)) - (
        ((marks == ord("]")) | (marks == ord("}"))).view(np.int8)
    )
    steps = steps[steps != 0]
    return int(steps.cumsum(dtype=np.int32).max(initial=0))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise InputError("it is not the JSON of this program: the name {name!r} stands there twice", twice)
    return found


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise InputError("it has the number {number!r}, which is too large", text)
    return number


def _refuse_constant(name: str) -> Any:
    raise InputError("it has the number {number}, which JSON does not have", name)


def unpacked(content: bytes, *, most: int = LARGEST) -> bytes:
    """Unpack what gzip packed; raises InputError where it is damaged, cut short, or larger than `most` bytes.

    >>> import gzip
    >>> unpacked(gzip.compress(b"AABB"))
    b'AABB'
    """
    parts, size = [], 0
    while content:
        part, content = _inflated(content, most - size, zlib.MAX_WBITS | 16)
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def inflated(content: bytes, most: int = LARGEST) -> bytes:
    """Unpack what zlib packed; raises InputError as `unpacked`, and where something follows.

    >>> inflated(zlib.compress(b"AABB"), 4)
    b'AABB'
    """
    part, rest = _inflated(content, most, zlib.MAX_WBITS)
    if rest:
        raise InputError("{bytes:,} bytes follow what is packed in it", len(rest))
    return part


def _inflated(content: bytes, most: int, kind: int) -> tuple[bytes, bytes]:
    stream = zlib.decompressobj(kind)
    try:
        part = stream.decompress(content, min(most, LARGEST) + 1)
    except zlib.error as error:
        raise InputError("what is packed in it is damaged: {error}", error) from None
    if len(part) > min(most, LARGEST):
        raise InputError("what is packed in it is larger than {most:,} bytes", min(most, LARGEST))
    if not stream.eof:
        raise InputError("what is packed in it is cut short")
    return part, stream.unused_data

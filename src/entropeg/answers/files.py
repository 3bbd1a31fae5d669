"""Reads tables of answers from files: CSV, JSON, Parquet and `.npz`; rows are secrets, columns questions."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from entropeg.errors import InputError
from entropeg.files import parse_arrays, parse_json, read_bytes, read_json, read_text


def read_answers(path: str) -> tuple[list[Any], list[Any], list[list[Any]]]:
    """Return the secrets, the questions, and the rows of answers of a file.

    CSV and Parquet: a line of names first, then the secret and its answers on each line. JSON and `.npz`: `secrets`,
    `questions` and `answers`. Raises InputError, naming the place, where the file is none of these.
    """
    kind = Path(path).suffix.casefold()
    if kind == ".npz":
        content = read_bytes(path)
        try:
            arrays = parse_arrays(content)
        except InputError as error:
            raise InputError("{where}: {error}", path, error) from None
        return _of_parts({name: array.tolist() for name, array in arrays.items()}, path)
    if kind == ".parquet":
        return _parquet(path)
    return _of_parts(read_json(path), path) if kind == ".json" else _csv(read_text(path), path)


def answers_in(text: str, name: str) -> tuple[list[Any], list[Any], list[list[Any]]]:
    r"""Return the parts of a table given as text: JSON where it begins with a brace, else CSV; `name` stands for it.

    >>> answers_in("animal,Can it fly?\ncat,no\nowl,yes", "the table")
    (['cat', 'owl'], ['Can it fly?'], [['no'], ['yes']])
    """
    return _of_parts(parse_json(text), name) if text.lstrip().startswith("{") else _csv(text, name)


def _of_parts(data: Any, path: str) -> tuple[list[Any], list[Any], list[list[Any]]]:
    wanted = ("secrets", "questions", "answers")
    if not isinstance(data, dict) or not set(wanted) <= set(data):
        raise InputError(
            "{file} must have {wanted:and}: names, names, and a row of answers for each secret", path, wanted
        )
    for name in wanted:
        if not isinstance(data[name], list):
            raise InputError("{name} in {file} must be a list", name, path)
    return data["secrets"], data["questions"], data["answers"]


def _csv(text: str, path: str) -> tuple[list[Any], list[Any], list[list[Any]]]:
    head = text.partition("\n")[0]
    comma = max(",;\t", key=head.count)
    try:
        lines = [
            line for line in csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=comma) if line
        ]
    except csv.Error as error:
        raise InputError("{file} is no table: {error}", path, error) from None
    if len(lines) < 2:
        raise InputError(
            "{file} has no secret: write the questions on its first line, then a line for each secret", path
        )
    questions = lines[0][1:]
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(lines[0]):
            raise InputError(
                "{file}, row {number} ({secret!r}) has {cells} cells, and the first one {others}",
                *(path, number, line[0], len(line), len(lines[0])),
            )
    return [line[0] for line in lines[1:]], questions, [line[1:] for line in lines[1:]]


def _parquet(path: str) -> tuple[list[Any], list[Any], list[list[Any]]]:
    from entropeg.files.parquet import polars

    try:
        frame = polars().read_parquet(io.BytesIO(read_bytes(path)))
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - polars raises errors of many kinds
        raise InputError("{file} is no Parquet file: {error}", path, error) from None
    rows = frame.rows()
    return [row[0] for row in rows], frame.columns[1:], [list(row[1:]) for row in rows]

"""Writes data frames of polars, which comes with the extra `parquet`, as Parquet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from entropeg.errors import MissingExtraError
from entropeg.extras import install
from entropeg.files.writing import FileKind, write_whole

if TYPE_CHECKING:
    from polars import DataFrame


def polars() -> Any:
    """Import polars; raises MissingExtraError where it is not installed."""
    try:
        import polars as pl
    except ImportError:
        raise MissingExtraError("data frames and Parquet need polars: {install}", install("parquet")) from None
    return pl


def write_frame(frame: DataFrame, path: str | Path, kind: FileKind) -> None:
    """Write a data frame as Parquet; a file of another kind is not replaced."""
    with tempfile.TemporaryFile() as file:
        frame.write_parquet(file)
        file.seek(0)
        write_whole(path, file.read(), kind)

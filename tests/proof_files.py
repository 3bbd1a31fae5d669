"""Proof files of format 4 as one value, and back: `lemmas` are the lemmas, not their number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def load_proof(path: Path) -> dict[str, Any]:
    """The head of a file, and its lemmas."""
    head, *lemmas = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert head["lemmas"] == len(lemmas)
    return {**head, "lemmas": lemmas}


def save_proof(path: Path, data: dict[str, Any]) -> None:
    """Write what `load_proof` has read, changed."""
    lines = [{**data, "lemmas": len(data["lemmas"])}, *data["lemmas"]]
    path.write_text("".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines), encoding="utf-8")

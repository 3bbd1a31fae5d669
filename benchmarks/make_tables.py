"""Makes the tables that come with the package anew: `python benchmarks/make_tables.py [check] [RULES]...`.

With `check` nothing is written: the bytes are held against those of the package. All together take three minutes of a
core. Sets of up to 20 codes are left out: to name one costs as much as to search it, and they are nineteen of twenty.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

from entropeg.rules import Rules
from entropeg.search import make_table
from entropeg.table.stored import file_name

FOLDER = Path(__file__).parents[1] / "src" / "entropeg" / "data" / "tables"
TURNS = {"4x6": 3, "4x7": 2, "4x8": 2, "bulls-and-cows": 2}
LEAST = 21


def main() -> int:
    """Make or check the tables of some boards, or of all; 1 where one differs."""
    named = sys.argv[1:]
    is_checked = "check" in named
    different = 0
    for name in [each for each in named if each != "check"] or TURNS:
        began, rules = process_time(), Rules.parse(name)
        table = make_table(rules, TURNS[name], least=LEAST)
        assert table is not None
        file, content = FOLDER / file_name(rules, TURNS[name]), table.to_bytes()
        is_same = file.exists() and file.read_bytes() == content
        different += not is_same
        if not is_checked:
            table.save(file)
        said = "the same" if is_same else "other bytes"
        print(
            f"{name}: {table.sets:,} sets, {len(content):,} bytes, {process_time() - began:.1f} s: {said}", flush=True
        )
    return int(is_checked and different > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Makes the book of first and second guesses: `python benchmarks/make_book.py [RULES]`.

Bulls and Cows takes ten seconds, 4x9 a minute. Of boards whose optimum nobody has proven the best strategy found for
each opening counts: 5x8 takes eleven minutes on two processors.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from entropeg.codes import format_code
from entropeg.feedback import format_feedback
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.beam.board import Board
from entropeg.search.beam.near import Near
from entropeg.search.values import PositionValues

BOOK = Path(__file__).parents[1] / "src" / "entropeg" / "data" / "book.json"
WHOLE = ("4x10/no-repeats",)
"""Boards of which every position to the second guess is solved."""
OPENED = ("4x6", "4x7", "4x8", "5x5", "4x9")
"""Boards of which every opening is solved: those of which that takes more than a moment."""
ESTIMATED = ("5x8",)
"""Boards of which openings are known by the best strategies found."""
SECONDS, THREADS = 90.0, 2
"""For each opening."""
LISTED = 20
"""Guesses of each position."""


def solved(position: Position) -> dict[str, Any]:
    """The best guesses of a position, exactly."""
    values = PositionValues(position.candidates, position.turns)
    with values.opened():
        best, is_proven = values.best(LISTED)
    assert is_proven
    return {"exact": True, "best": [[format_code(guess, position.rules), total] for guess, total in best]}


def found(rules: Rules) -> dict[str, Any]:
    """The openings of a board with the totals of the best strategies found."""
    totals = {}
    board = Board.of(rules)
    for opening in Near(board, threads=THREADS, began=time.perf_counter(), seconds=SECONDS).order:
        near = Near(board, threads=THREADS, began=time.perf_counter(), seconds=SECONDS)
        near.order = [opening]
        near.run()
        code = format_code(tuple(board.guesses[opening].tolist()), rules)
        totals[code] = near.tree().total
        print(code, totals[code], flush=True)
    return {"exact": False, "best": sorted(totals.items(), key=lambda one: one[1])}


def main() -> None:
    """Write the book."""
    book: dict[str, Any] = json.loads(BOOK.read_text(encoding="utf-8")) if BOOK.exists() else {}
    for name in sys.argv[1:] or (*WHOLE, *OPENED, *ESTIMATED):
        start = Position(Rules.parse(name))
        if name in ESTIMATED:
            book[name] = {"": found(start.rules)}
            BOOK.write_text(json.dumps(book, separators=(",", ":")) + "\n", encoding="utf-8")
            continue
        book[str(start.rules)] = board = {"": solved(start)}
        for opening, _ in board[""]["best"] if name in WHOLE else ():
            answers = {}
            for feedback in Partition.of(start.candidates, opening).sizes:
                after = start.after(opening, feedback)
                if not after.is_won:
                    print(after, flush=True)
                    answers[format_feedback(feedback)] = solved(after)
            board[opening] = answers
        print(name, flush=True)
        BOOK.write_text(json.dumps(book, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

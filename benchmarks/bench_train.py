"""Puzzles: how long they take to draw, of each theme and board, and how hard they are.

Run: python benchmarks/bench_train.py [PUZZLES] [BOARD ...]

PUZZLES (1000) of each board, of all its themes in turn, seed 0, after ten of seed 1 that warm everything up. Then of
each theme a fifth as many: milliseconds of the processor for a puzzle, means of the codes left, of the rows and of the
guesses that solve it, and the difficulty, which is the mean share of the seven built-in codebreakers that fail.
"""

from __future__ import annotations

import sys
from itertools import islice
from statistics import mean
from time import perf_counter, process_time

from machine import machine

from entropeg.train import Theme, TrainingPuzzle, puzzles, themes_of

BOARDS = ("4x6", "4x8", "bulls-and-cows", "5x6", "5x8", "4x6/positional")
WARMING = 10


def timed(board: str, theme: Theme | None, number: int) -> tuple[list[TrainingPuzzle], float, float]:
    """Puzzles, seconds of the clock, seconds of the processor."""
    began, busy = perf_counter(), process_time()
    found = list(islice(puzzles(board, theme, seed=0), number))
    return found, perf_counter() - began, process_time() - busy


def main() -> None:
    """Print a table for each board."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(machine())
    for board in sys.argv[2:] or BOARDS:
        list(islice(puzzles(board, seed=1), WARMING))
        found, seconds, busy = timed(board, None, number)
        print(f"\n{board}: {len(found)} puzzles in {seconds:.1f} s of the clock, {busy:.1f} s of the processor")
        print(f"{'theme':>8} {'ms':>6} {'codes':>6} {'rows':>5} {'solve it':>8} {'difficulty':>10}")
        for theme in themes_of(board):
            found, _, busy = timed(board, theme, max(number // 5, 1))
            hard = [puzzle.difficulty for puzzle in found if puzzle.difficulty is not None]
            codes, rows, answers = (
                mean(map(len, column))
                for column in (
                    [puzzle.codes for puzzle in found],
                    [puzzle.position.turns for puzzle in found],
                    [puzzle.answers for puzzle in found],
                )
            )
            level = f"{mean(hard):.2f}" if hard else "–"
            each = 1000 * busy / len(found)
            print(f"{theme!s:>8} {each:6.1f} {codes:6.1f} {rows:5.1f} {answers:8.1f} {level:>10}")


if __name__ == "__main__":
    main()

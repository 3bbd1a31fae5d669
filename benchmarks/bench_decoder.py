"""The decoder of Forget 2011: construction, choice, whole boards, and random secrets against `decoder:full`.

Run: python benchmarks/bench_decoder.py [--games N] [--figure FILE] [--brief]

N random secrets (default 200) on 4x26 and on 5x26; with --figure their numbers of guesses are drawn.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from machine import machine

from entropeg import Position, Rules, arena, codebreakers, codemakers, parse_code, parse_feedback, play
from entropeg.candidates import build_codes, count_codes
from entropeg.codebreakers.decoder.player import Decoder
from entropeg.experiments.results import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Result = TypeVar("Result")
HISTORIES = {
    "4x26": ("ABCD O", "EFGH O", "IJKL O"),
    "5x26": ("ABCDE O", "FGHIJ O", "KLMNO O", "PQRST O"),
    "8x12": ("AABBCCDE XXOO", "FFGGHHIJ XO", "ABABAKFL XXO"),
}
SPECS = ("decoder", "decoder:criterion=minimax", "decoder:full")


def best(run: Callable[[], Result], repeats: int = 5) -> tuple[Result, float]:
    """Return the result and the least time of some runs: the first one compiles."""
    result, seconds = run(), float("inf")
    for _ in range(repeats):
        started = perf_counter()
        result = run()
        seconds = min(seconds, perf_counter() - started)
    return result, seconds


def history(board: str) -> Position:
    rules = Rules.parse(board)
    pairs = [turn.split() for turn in HISTORIES[board]]
    return Position(rules, [(parse_code(guess, rules), parse_feedback(marks, rules)) for guess, marks in pairs])


def time_construction() -> None:
    for board, shown in HISTORIES.items():
        position = history(board)
        rules, turns = position.rules, position.turns
        number, counting = best(lambda rules=rules, turns=turns: count_codes(rules, turns), 2)  # type: ignore[misc]
        _, building = best(lambda rules=rules, turns=turns: build_codes(rules, turns), 2)  # type: ignore[misc]
        times = f"built in {1e3 * building:.1f} ms, counted in {1e3 * counting:.1f} ms"
        print(f"{board} after {', '.join(shown)}: {number:,} codes, {times}")


def time_choice() -> None:
    for board in ("4x26", "5x26"):
        decision, seconds = best(lambda board=board: Decoder().decide(history(board)), 3)  # type: ignore[misc]
        compared = 0 if decision.choice is None else decision.choice.compared
        print(f"{board}: the guess after them in {seconds:.3f} s, {compared} guesses compared")
    game, seconds = best(
        lambda: play(codebreakers.get("decoder"), codemakers.get("honest"), Rules.parse("4x26"), seed=1)
    )
    print(f"4x26: a whole game of {len(game)} guesses in {seconds:.3f} s")
    print(f"memory so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


def show(run: Run) -> None:
    found = run.statistics
    assert found.mean is not None
    shown = " ".join(f"{guesses}:{games}" for guesses, games in sorted(found.histogram.items()))
    print(f"{run.rules} {run.codebreaker}: mean {found.mean:.3f}, worst {found.worst}, {run.seconds:.1f} s; {shown}")


ASKED = {
    ("4x6", "decoder"): ", asked: 4.497 and 7",
    ("4x6", "decoder:criterion=minimax"): ", asked: 4.525 and 6",
    ("4x7", "decoder"): ", asked: 4.835 and 7",
    ("4x7", "decoder:criterion=minimax"): ", asked: 4.872 and 7",
    ("5x8", "decoder"): ", asked: under 10 s",
}
"""Mean (within 0.03) and worst of the author's program; all secrets of 5x8 in seconds."""


def whole_boards(boards: tuple[str, ...]) -> None:
    for board in boards:
        for spec in SPECS if board != "5x8" else SPECS[:1]:
            started = perf_counter()
            (run,) = arena(spec, "honest", Rules.parse(board), all_secrets=True)
            show(run)
            print(f"  all {board} secrets in {perf_counter() - started:.1f} s{ASKED.get((board, spec), '')}")


def random_secrets(games: int) -> list[Run]:
    runs = [
        run
        for board in ("4x26", "5x26")
        for run in arena(["decoder", "decoder:full"], "honest", Rules.parse(board), games=games, seed=2026)
    ]
    for run in runs:
        show(run)
    return runs


def draw(runs: list[Run], path: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    boards = sorted({str(run.rules) for run in runs})
    for axes, board in zip(figure.subplots(1, len(boards), sharey=True), boards, strict=True):
        _panel(axes, [run for run in runs if str(run.rules) == board])
        axes.set_title(f"{board}, {len(runs[0].guesses):,} random secrets")
    figure.savefig(path, metadata={"Date": None} if path.endswith("svg") else None)
    print(f"figure: {path}")


def _panel(axes: Axes, runs: list[Run]) -> None:
    for side, run in enumerate(runs):
        found = run.statistics
        turns, games = zip(*sorted(found.histogram.items()), strict=True)
        label = f"{run.codebreaker}: mean {found.mean:.2f}, worst {found.worst}"
        axes.bar([turn + 0.4 * side - 0.2 for turn in turns], games, width=0.4, label=label)
    axes.set_xlabel("guesses")
    axes.set_ylabel("games")
    axes.margins(y=0.25)  # room for the legend
    axes.legend(loc="upper left", fontsize="small")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--figure")
    parser.add_argument("--brief", action="store_true", help="20 random secrets, and of the whole boards 4x6 alone")
    options = parser.parse_args()
    print(machine())
    print("asked on 4x26: built in 50 ms, a guess in 1 s, a game in 2 s, 500 MB")
    time_construction()
    time_choice()
    whole_boards(("4x6",) if options.brief else ("4x6", "4x7", "5x8"))
    runs = random_secrets(20 if options.brief else options.games)
    if options.figure:
        draw(runs, options.figure)


if __name__ == "__main__":
    main()

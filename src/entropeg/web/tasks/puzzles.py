"""Puzzles: made again from what names them, judged, with hints and solutions; and booklets of them.

A puzzle is named by `rules`, `theme`, `seed` and `number`, or, of one's own game, by `learn`: rules, and the turns up
to the guess that could have been better. The puzzles that a process made last are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, Literal

from entropeg.advise.contradicted_rows import Clue
from entropeg.chosen_language import SpokenChoice, speaking
from entropeg.feedback import AnyFeedback, Code, is_feedback
from entropeg.plain_values import Ordinal, PlainValue, plain
from entropeg.position import Position, Turn
from entropeg.review import read_games
from entropeg.rules import Rules, without_files
from entropeg.texts.speaking import pieces
from entropeg.told import Drawn, Told
from entropeg.train import TrainingPuzzle, own_mistakes, telling, themes_of
from entropeg.train.booklet import booklet_page
from entropeg.train.own import last_turn_puzzle
from entropeg.train.puzzle import POINTS, Theme, points_of
from entropeg.train.puzzle_series import PuzzleSeries
from entropeg.train.telling import Attempted, heading, missed
from entropeg.web.inputs import code_of, example_code
from entropeg.web.refusals import RefusedError, field


@dataclass(frozen=True)
class SentenceShown(PlainValue):
    """A sentence, and the codes that it names.

    >>> says = Told("{guess} is the only code that fits every row.", Drawn("AABB", (0, 0, 1, 1)))
    >>> SentenceShown(Rules.parse("4x6"), says).to_json()
    {'says': 'AABB is the only code that fits every row.', 'codes': ['AABB']}
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("says", "codes")

    rules: Rules
    says: str

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes that it names, each once."""
        drawn = (
            piece for piece in pieces(self.says, "en") if isinstance(piece, Drawn) and not is_feedback(piece.value)
        )
        return tuple(dict.fromkeys(tuple(piece.value) for piece in drawn))


LISTED = 40
"""Answers and codes of a part that are listed."""


@dataclass(frozen=True)
class PuzzleShown(PlainValue):
    """A puzzle; `puzzle` names it in further requests."""

    puzzle: dict[str, Any]
    rules: Rules
    theme: Theme
    number: int | None
    seed: int | None
    turns: tuple[Turn, ...]
    played: Turn | None
    """The guess of the game, where the puzzle is of one's own."""
    heading: str
    question: SentenceShown
    difficulty: float | None
    """The share of built-in codebreakers that fail it."""
    codes: int
    """Codes left."""
    hints: int
    """How many hints there are."""
    points: int
    """Points of a puzzle that is solved at once."""
    answer: Literal["guess", "row"]

    @classmethod
    def of(cls, puzzle: TrainingPuzzle, named: dict[str, Any]) -> PuzzleShown:
        """Show a puzzle, but nothing that would give it away."""
        return cls(
            named,
            puzzle.rules,
            puzzle.theme,
            named.get("number"),
            named.get("seed"),
            puzzle.turns,
            puzzle.played,
            heading(puzzle),
            SentenceShown(puzzle.rules, telling.question(puzzle)),
            puzzle.difficulty,
            len(puzzle.codes),
            len(telling.hints(puzzle)),
            POINTS,
            "row" if puzzle.theme is Theme.mend else "guess",
        )


@dataclass(frozen=True)
class PuzzlesShown(PlainValue):
    """Puzzles of one's own games, in their order."""

    count: int
    puzzles: tuple[PuzzleShown, ...]


@dataclass(frozen=True)
class Judged(SentenceShown):
    """An attempt, judged in a sentence and in numbers."""

    PLAIN: ClassVar[tuple[str, ...]] = (*SentenceShown.PLAIN, "solved", "loss", "points", "clues")

    solved: bool = False
    loss: float | None = None
    """Guesses more than with the best; null for rows and where one code is left."""
    points: int = 0
    clues: tuple[Clue, ...] = ()


@dataclass(frozen=True)
class HintTold(SentenceShown):
    """A hint of a puzzle."""

    PLAIN: ClassVar[tuple[str, ...]] = (*SentenceShown.PLAIN, "step", "steps")

    step: int = 1
    steps: int = 1


@dataclass(frozen=True)
class PuzzlePart(PlainValue):
    """An answer to the solution, and the codes that would give it: how many, and the first of them."""

    feedback: AnyFeedback
    size: int
    codes: tuple[Code, ...]


@dataclass(frozen=True)
class PuzzleSolution(PlainValue):
    """The solution of a puzzle: in sentences, the answers, and what the first of them would tell apart."""

    PLAIN: ClassVar[tuple[str, ...]] = ("sentences", "answers", "answer_count", "row", "mends", "parts")

    rules: Rules
    sentences: tuple[SentenceShown, ...]
    answers: tuple[Code, ...]
    """The first of them."""
    answer_count: int
    row: Ordinal | None
    mends: tuple[Turn, ...]
    parts: tuple[PuzzlePart, ...]


def draw(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `PuzzleShown` of the first puzzle after `skip` others whose difficulty is from `least` to `most`."""
    series = _series(data["rules"], data["theme"], data["seed"])
    narrowed = "least" if data["least"] > 0 else "most" if data["most"] < 1 else "skip"
    with field(narrowed, 1 if narrowed == "most" else 0):
        number = series.find(data["skip"] + 1, least=data["least"], most=data["most"])
    named = {"rules": data["rules"], "theme": data["theme"], "seed": data["seed"], "number": number}
    return PuzzleShown.of(series[number], named).to_json()


def learn(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `PuzzlesShown` of the mistakes in the games of a `text`, or of one game: `rules` and `turns`."""
    if data["text"] is not None:
        with field("text", "AABB XO"), without_files():
            games = [game.position for game in read_games(data["text"], _rules(data["rules"]))]
    else:
        with field("turns"):
            games = [Position(Rules.parse(data["rules"], files=False), data["turns"])]
    with field("text" if data["text"] is not None else "turns"):
        found = tuple(PuzzleShown.of(puzzle, _learned(puzzle)) for puzzle in islice(own_mistakes(games), 50))
    return PuzzlesShown(len(found), found).to_json()


def judge(data: dict[str, Any]) -> dict[str, Any]:
    """Tell how a `guess`, or a `row` (from 1), is `Judged`; `hints` and `tried` count for the points."""
    puzzle = _puzzle(data["puzzle"])
    attempt: Attempted
    if data["row"] is not None and data["guess"] is not None:
        raise RefusedError("an attempt is a guess or a row: leave one of them out", "row")
    if puzzle.theme is Theme.mend:
        if data["row"] is None:
            raise RefusedError("the answer to this puzzle is the number of a row", "row", 1)
        with field("row", 1):
            attempt = int(data["row"]) - 1
            verdict = puzzle.judge_row(attempt)
    else:
        if data["guess"] is None:
            raise RefusedError("the answer to this puzzle is a guess, not a row", "guess", example_code(puzzle.rules))
        attempt = code_of(data["guess"], puzzle.rules)
        with field("guess"):
            verdict = puzzle.judge(attempt)
    points = points_of(data["hints"], data["tried"]) if verdict.is_solved else 0
    says = Told("This solves it.") if verdict.is_solved else missed(puzzle, attempt, verdict)
    loss = None if verdict.loss is None else float(verdict.loss)
    return Judged(puzzle.rules, says, verdict.is_solved, loss, points, verdict.clues).to_json()


def hints(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the hint of the `puzzle` that is number `step`, from 1: a `HintTold`."""
    puzzle = _puzzle(data["puzzle"])
    every = telling.hints(puzzle)
    if data["step"] > len(every):
        raise RefusedError(Told("this puzzle has {count} hints", len(every)), "step", len(every))
    return HintTold(puzzle.rules, every[data["step"] - 1].says, data["step"], len(every)).to_json()


def solution(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `PuzzleSolution` of the `puzzle`."""
    puzzle = _puzzle(data["puzzle"])
    is_whole = puzzle.theme in {Theme.mend, Theme.deduce}
    parts = {} if is_whole else puzzle.parts(puzzle.answers[0])
    return PuzzleSolution(
        puzzle.rules,
        tuple(SentenceShown(puzzle.rules, each) for each in telling.solution(puzzle)),
        puzzle.answers[:LISTED],
        len(puzzle.answers),
        puzzle.row,
        puzzle.mends,
        tuple(PuzzlePart(answer, len(codes), codes[:LISTED]) for answer, codes in parts.items()),
    ).to_json()


def booklet(data: dict[str, Any]) -> str:
    """Return a page with `count` puzzles after `skip` others, and their solutions, in `language`, that prints well."""
    series = _series(data["rules"], data["theme"], data["seed"])
    number, found = data["skip"], []
    with field("count"):
        for _ in range(data["count"]):
            number = series.find(number + 1, least=data["least"], most=data["most"])
            found.append(series[number])
    with speaking(SpokenChoice(data["language"])):
        return booklet_page(found, Told("Puzzles on {rules}", series.rules))


def _rules(text: str | None) -> Rules | None:
    return None if text is None else Rules.parse(text, files=False)


@lru_cache(maxsize=8)
def _series(rules: str, theme: str | None, seed: int) -> PuzzleSeries:
    with field("rules", "4x6"):
        read = Rules.parse(rules, files=False)
        themes_of(read)
    with field("theme", "deduce"):
        return PuzzleSeries(read, theme, seed=seed)


def _puzzle(named: dict[str, Any]) -> TrainingPuzzle:
    learned = named.get("learn")
    if learned is not None:
        return _own(learned["rules"], tuple(map(tuple, learned["turns"])))
    series = _series(named["rules"], named["theme"], named["seed"])
    with field("puzzle.number", 1):
        return series[named["number"]]


@lru_cache(maxsize=64)
def _own(rules: str, turns: tuple[tuple[str, str], ...]) -> TrainingPuzzle:
    with field("puzzle.learn.turns"):
        return last_turn_puzzle(Position(Rules.parse(rules, files=False), turns))


def _learned(puzzle: TrainingPuzzle) -> dict[str, Any]:
    return {"learn": {"rules": str(puzzle.rules), "turns": plain([*puzzle.turns, puzzle.played], puzzle.rules)}}

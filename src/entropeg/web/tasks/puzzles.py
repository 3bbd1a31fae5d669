"""Puzzles: made again from what names them, judged, with hints and solutions; and booklets of them.

A puzzle is named by `rules`, `theme`, `seed` and `number`, or, of one's own game, by `learn`: rules, and the turns up
to the guess that could have been better. The puzzles that a process made last are kept.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from entropeg.position import Position
from entropeg.rules import Rules, without_files
from entropeg.texts import translate
from entropeg.web.errors import RefusedError, field
from entropeg.web.gate import code_of, example_code
from entropeg.web.sentences import sentence_data
from entropeg.web.values import code_data, feedback_data

if TYPE_CHECKING:
    from entropeg.feedback import Code
    from entropeg.train import TrainingPuzzle
    from entropeg.train.series import PuzzleSeries

KEPT_SERIES, KEPT_PUZZLES = 8, 64
"""Series of puzzles, and puzzles of one's own games, that a process keeps."""
LISTED = 40
"""Answers and codes of a part that are listed."""
MOST_LEARNED = 50
"""Puzzles that are made of the games of one text."""


def draw(data: dict[str, Any]) -> dict[str, Any]:
    """Return the first puzzle after `skip` others whose difficulty is from `least` to `most`."""
    series = _series(data["rules"], data["theme"], data["seed"])
    narrowed = "least" if data["least"] > 0 else "most" if data["most"] < 1 else "skip"
    with field(narrowed, 1 if narrowed == "most" else 0):
        number = series.find(data["skip"] + 1, least=data["least"], most=data["most"])
    return _puzzle_data(series[number], {**_named(data), "number": number})


def learn(data: dict[str, Any]) -> dict[str, Any]:
    """Return the puzzles of the mistakes in the games of a `text`, or of one game: `rules` and `turns`."""
    from entropeg.review import read_games
    from entropeg.train import own_mistakes

    if data["text"] is not None:
        with field("text", "AABB XO"), without_files():
            games = [game.position for game in read_games(data["text"], _rules(data["rules"]))]
    else:
        with field("turns"):
            games = [Position(Rules.parse(data["rules"], files=False), data["turns"])]
    found: list[dict[str, Any]] = []
    with field("text" if data["text"] is not None else "turns"):
        for puzzle in own_mistakes(games):
            if len(found) == MOST_LEARNED:
                break
            found.append(_puzzle_data(puzzle, {"learn": _learned(puzzle)}))
    return {"count": len(found), "puzzles": found}


def judge(data: dict[str, Any]) -> dict[str, Any]:
    """Return whether a `guess`, or a `row` (from 1), solves the `puzzle`; `hints` and `tried` count for the points."""
    from entropeg.train.puzzle import Theme, points_of
    from entropeg.train.telling import Attempted, missed

    puzzle = _puzzle(data["puzzle"])
    rules = puzzle.position.rules
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
            raise RefusedError("the answer to this puzzle is a guess, not a row", "guess", example_code(rules))
        attempt = code_of(data["guess"], rules)
        with field("guess"):
            verdict = puzzle.judge(attempt)
    points = points_of(data["hints"], data["tried"]) if verdict.is_solved else 0
    said = "This solves it." if verdict.is_solved else missed(puzzle, attempt, verdict)
    return {
        "solved": verdict.is_solved,
        "loss": None if verdict.loss is None else float(verdict.loss),
        "points": points,
        "clues": [
            {
                "row": clue.row + 1,
                "told": feedback_data(clue.told, rules),
                "would_be": feedback_data(clue.would_be, rules),
                "pegs": [peg + 1 for peg in clue.pegs],
            }
            for clue in verdict.clues
        ],
        **sentence_data((said,) if isinstance(said, str) else said, rules),
    }


def hints(data: dict[str, Any]) -> dict[str, Any]:
    """Return a hint of the `puzzle`: number `step`, from 1."""
    from entropeg.train import hints as hints_of

    puzzle = _puzzle(data["puzzle"])
    every = hints_of(puzzle)
    if data["step"] > len(every):
        raise RefusedError(f"this puzzle has {len(every)} hints", "step", len(every))
    said = every[data["step"] - 1].says
    return {"step": data["step"], "steps": len(every), **sentence_data(said, puzzle.position.rules)}


def solution(data: dict[str, Any]) -> dict[str, Any]:
    """Return the solution of the `puzzle`: in sentences, the answers, and what the first of them would tell apart."""
    from entropeg.train import solution as solution_of
    from entropeg.train.puzzle import Theme

    puzzle = _puzzle(data["puzzle"])
    rules = puzzle.position.rules
    is_row = puzzle.theme is Theme.mend
    parts = {} if is_row or puzzle.theme is Theme.deduce else puzzle.parts(puzzle.answers[0])
    return {
        "sentences": [sentence_data(sentence, rules) for sentence in solution_of(puzzle)],
        "answers": _codes_data(puzzle.answers, rules),
        "answer_count": len(puzzle.answers),
        "row": None if puzzle.row is None else puzzle.row + 1,
        "mends": [_turn_data(turn, rules) for turn in puzzle.mends],
        "parts": [
            {"feedback": feedback_data(answer, rules), "size": len(codes), "codes": _codes_data(codes, rules)}
            for answer, codes in parts.items()
        ],
    }


def booklet(data: dict[str, Any]) -> str:
    """Return a page with `count` puzzles after `skip` others, and their solutions, in `language`, that prints well."""
    from entropeg.train.booklet import booklet_page

    series = _series(data["rules"], data["theme"], data["seed"])
    number, found = data["skip"], []
    with field("count"):
        for _ in range(data["count"]):
            number = series.find(number + 1, least=data["least"], most=data["most"])
            found.append(series[number])
    language = data["language"]
    return booklet_page(found, translate(f"Puzzles on {series.rules}", language), language=language)


def _rules(text: str | None) -> Rules | None:
    return None if text is None else Rules.parse(text, files=False)


def _named(data: dict[str, Any]) -> dict[str, Any]:
    return {"rules": data["rules"], "theme": data["theme"], "seed": data["seed"]}


@lru_cache(maxsize=KEPT_SERIES)
def _series(rules: str, theme: str | None, seed: int) -> PuzzleSeries:
    from entropeg.train import themes_of
    from entropeg.train.series import PuzzleSeries

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


@lru_cache(maxsize=KEPT_PUZZLES)
def _own(rules: str, turns: tuple[tuple[str, str], ...]) -> TrainingPuzzle:
    from entropeg.train.own import last_turn_puzzle

    with field("puzzle.learn.turns"):
        return last_turn_puzzle(Position(Rules.parse(rules, files=False), turns))


def _learned(puzzle: TrainingPuzzle) -> dict[str, Any]:
    assert puzzle.played is not None
    rules = puzzle.position.rules
    turns = [_turn_data(turn, rules) for turn in (*puzzle.position.turns, puzzle.played)]
    return {"rules": str(rules), "turns": [[turn["guess"], turn["feedback"]["text"]] for turn in turns]}


def _puzzle_data(puzzle: TrainingPuzzle, named: dict[str, Any]) -> dict[str, Any]:
    from entropeg.train import hints as hints_of
    from entropeg.train import question
    from entropeg.train.puzzle import POINTS, Theme
    from entropeg.train.telling import heading

    rules = puzzle.position.rules
    return {
        "puzzle": named,
        "rules": str(rules),
        "theme": puzzle.theme.value,
        "number": named.get("number"),
        "seed": named.get("seed"),
        "turns": [_turn_data(turn, rules) for turn in puzzle.position.turns],
        "played": None if puzzle.played is None else _turn_data(puzzle.played, rules),
        "heading": heading(puzzle),
        "question": sentence_data(question(puzzle), rules),
        "difficulty": puzzle.difficulty,
        "codes": len(puzzle.codes),
        "hints": len(hints_of(puzzle)),
        "points": POINTS,
        "answer": "row" if puzzle.theme is Theme.mend else "guess",
    }


def _turn_data(turn: Any, rules: Rules) -> dict[str, Any]:
    code = code_data(turn.guess, rules)
    return {"guess": code["text"], "pegs": code["pegs"], "feedback": feedback_data(turn.feedback, rules, turn.guess)}


def _codes_data(codes: tuple[Code, ...], rules: Rules) -> list[dict[str, Any]]:
    return [code_data(code, rules) for code in codes[:LISTED]]

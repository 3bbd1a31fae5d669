"""What the page without a server is told of the laboratory: rules, feedback, players, words, in each language."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from entropeg import codebreakers, codemakers
from entropeg.codes import format_code
from entropeg.kinds import FeedbackKind
from entropeg.plain_values import plain
from entropeg.rules import PRESETS, Rules
from entropeg.table import Tablebase
from entropeg.texts import LANGUAGES, say_all
from entropeg.told import Told
from entropeg.train import telling
from entropeg.train.puzzle_series import THEMES, PuzzleSeries
from entropeg.version import __version__
from entropeg.web.shown_rules import MarkShown, RulesShown, SymbolShown
from entropeg.web.tasks import puzzles
from entropeg.web.tasks.puzzles import PuzzleShown
from entropeg.words import SHIPPED

PEGS, COLORS = range(1, 6), range(2, 11)
"""Pegs and colors of the boards that are played there."""
ALPHABETS = ("", "digits")
TRAINED = "4x6"
"""The board of puzzles that are made beforehand."""
KINDS = ("standard", "black", "membership", "positional")
BREAKERS = ("entropy", "minimax", "expected-size", "parts")
MAKERS = ("honest", "cheat")
SEARCHED = 1400
"""Guesses of boards that the page searches exactly from the first turn on: 4x6 within .1 s, 4x7 within a second."""
LACKS = ("compare", "players", "others", "level", "worksheet", "learn")
"""What the laboratory alone does: screens, and parts of screens."""


def site_facts(language: str, *, docs: bool = False) -> dict[str, Any]:
    """Return what there is to play and how it is described, as plain data in a language.

    ``docs``: whether the pages of the documentation lie beside the page.

    >>> facts = site_facts("fr")
    >>> sorted(facts), len(facts["symbols"]["6"]), facts["words"]["english"]["name"]
    (['about', 'kinds', 'outlines', 'symbols', 'tables', 'words'], 6, 'english')
    """
    told = {
        "outlines": [_picked(symbol, "name", "path", "drop") for symbol in _symbols("", COLORS[-1])],
        "symbols": {
            f"{alphabet}{colors}": [
                _picked(symbol, "text", "fill", "ink", "tile") for symbol in _symbols(alphabet, colors)
            ]
            for alphabet in ALPHABETS
            for colors in COLORS
        },
        "kinds": {name: _kind(FeedbackKind[name]) for name in KINDS},
        "words": {
            name: {"name": name, "says": rules.words.describe(), "digest": rules.digest}
            for name, rules in {name: _rules_of(name) for name in SHIPPED}.items()
            if rules.words is not None
        },
        "tables": {str(Tablebase.load(file).rules): file.stem for file in site_tables()},
        "about": _about() | {"docs": docs},
    }
    said: dict[str, Any] = say_all(told, language)
    return said


def _symbols(alphabet: str, colors: int) -> tuple[SymbolShown, ...]:
    return RulesShown.of(Rules.parse(f"2x{colors}/{alphabet}".rstrip("/"))).symbols


def _picked(symbol: SymbolShown, *names: str) -> dict[str, Any]:
    shown = symbol.to_json()
    return {name: shown[name] for name in names}


def _kind(kind: FeedbackKind) -> dict[str, Any]:
    rules = Rules(feedback=kind)
    return {
        "numbers": list(kind.about.numbers),
        "legend": plain(MarkShown.of(rules)),
        "notation": {str(pegs): Told(kind.about.notation, pegs=pegs) for pegs in PEGS},
        "summary": kind.about.summary,
    }


def site_tables() -> list[Path]:
    """Return the tables of the package for boards whose exact search takes a page longer than it may.

    >>> [file.stem for file in site_tables()]
    ['4x10_no-repeats-2', '4x7-2', '4x8-2']
    """
    shipped = Path(str(files("entropeg") / "data" / "tables"))
    return [file for file in sorted(shipped.glob("*.table")) if Tablebase.load(file).rules.guess_count > SEARCHED]


def site_words(name: str) -> dict[str, Any]:
    """Return a list of words: how its board looks in each language, its secrets, and what else may be guessed.

    A word is written with a letter for each color, "0" and those after it in Unicode.

    >>> words = site_words("english")
    >>> sorted(words), sorted(words["shown"]), len(words["words"])
    (['others', 'shown', 'words'], ['en', 'fr'], 885)
    """
    rules = _rules_of(name)
    assert rules.words is not None
    shown, secrets = RulesShown.of(rules).to_json(), set(rules.words.codes)
    kept = {key: shown[key] for key in ("pegs", "colors", "symbols", "notation", "legend")}
    return {
        "shown": {language: say_all(kept, language) for language in LANGUAGES},
        "words": [_letters(code) for code in rules.words.codes],
        "others": [_letters(code) for code in rules.words.guess_codes if code not in secrets],
    }


def _rules_of(name: str) -> Rules:
    return Rules.parse(f"words:{name}/positional")


def _letters(code: Iterable[int]) -> str:
    return "".join(chr(ord("0") + color) for color in code)


def _about() -> dict[str, Any]:
    played = {name: text for name, text in PRESETS.items() if _is_played(Rules.parse(text))}
    return {
        "version": __version__,
        "languages": list(LANGUAGES),
        "presets": [
            {"name": name, "text": text, "says": Rules.parse(text).describe()} for name, text in played.items()
        ],
        "codebreakers": [_player(codebreakers.registry, name) for name in BREAKERS],
        "codemakers": [_player(codemakers.registry, name) for name in MAKERS],
        "feedback": [_feedback(FeedbackKind[name]) for name in KINDS],
        "word_lists": [
            {"name": name, "says": said, "rules": f"words:{name}/positional"} for name, said in SHIPPED.items()
        ],
        "themes": [theme.value for theme in THEMES],
        "limits": {"pegs": PEGS[-1], "colors": COLORS[-1], "exact_seconds": 2},
        "lacks": list(LACKS),
    }


def _player(registry: Any, name: str) -> dict[str, Any]:
    return {"name": name, "says": registry.summary(name), "parameters": {}}


def _feedback(kind: FeedbackKind) -> dict[str, Any]:
    about = kind.about
    option = "" if kind is FeedbackKind.standard else kind.name
    return {
        "name": kind.name,
        "says": about.title,
        "option": option,
        "numbers": list(about.numbers),
        "board": dict(about.board),
    }


def _is_played(rules: Rules) -> bool:
    text = str(rules).split("/")
    return rules.pegs in PEGS and rules.colors in COLORS and not rules.shapes and not {"course", "names"} & set(text)


def site_puzzles(number: int, language: str) -> dict[str, Any]:
    """Return a number of puzzles of each theme, with hints and solutions, as plain data in a language.

    >>> found = site_puzzles(1, "en")
    >>> found["rules"], [puzzle["shown"]["theme"] for puzzle in found["puzzles"]]
    ('4x6', ['deduce', 'split', 'outside', 'trap', 'mend'])
    """
    said: dict[str, Any] = say_all({"rules": TRAINED, "puzzles": _puzzles(number)}, language)
    return said


@lru_cache(maxsize=2)
def _puzzles(number: int) -> list[dict[str, Any]]:
    made = []
    for theme in THEMES:
        series = PuzzleSeries(Rules.parse(TRAINED), theme, seed=1)
        for place in range(1, number + 1):
            puzzle, named = series[place], {"rules": TRAINED, "theme": theme.value, "seed": 1, "number": place}
            made.append(
                {
                    "shown": PuzzleShown.of(puzzle, named).to_json(),
                    "answers": [format_code(code, puzzle.rules) for code in puzzle.answers],
                    "hints": [
                        puzzles.hints({"puzzle": named, "step": step + 1}) for step in range(len(telling.hints(puzzle)))
                    ],
                    "solution": puzzles.solution({"puzzle": named}),
                }
            )
    return made

"""What the page without a server is told of the laboratory: rules, feedback, players, words, in each language."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from entropeg import codebreakers, codemakers
from entropeg.codes import format_code
from entropeg.kinds import FeedbackKind
from entropeg.plain_values import plain
from entropeg.rules import PRESETS, Rules
from entropeg.texts import LANGUAGES, say, say_all
from entropeg.told import Told
from entropeg.train import telling
from entropeg.train.puzzle_series import THEMES, PuzzleSeries
from entropeg.version import __version__
from entropeg.web.shown_rules import MarkShown, RulesShown
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
LACKS = ("compare", "players", "others", "level", "worksheet", "learn")
"""What the laboratory alone does: screens, and parts of screens."""


def site_facts(language: str) -> dict[str, Any]:
    """Return what there is to play and how it is described, as plain data in a language.

    >>> facts = site_facts("fr")
    >>> sorted(facts), len(facts["symbols"]["6"]), facts["kinds"]["black"]["numbers"]
    (['about', 'kinds', 'symbols', 'words'], 6, ['black'])
    """
    told = {
        "symbols": {
            f"{alphabet}{colors}": plain(RulesShown.of(Rules.parse(f"2x{colors}/{alphabet}".rstrip("/"))).symbols)
            for alphabet in ALPHABETS
            for colors in COLORS
        },
        "kinds": {name: _kind(FeedbackKind[name]) for name in KINDS},
        "words": {name: _words(name, Rules.parse(f"words:{name}/positional")) for name in SHIPPED},
        "about": _about(),
    }
    said: dict[str, Any] = say_all(told, language)
    return said


def _kind(kind: FeedbackKind) -> dict[str, Any]:
    rules = Rules(feedback=kind)
    return {
        "numbers": list(kind.about.numbers),
        "legend": plain(MarkShown.of(rules)),
        "notation": {str(pegs): Told(kind.about.notation, pegs=pegs) for pegs in PEGS},
        "summary": kind.about.summary,
    }


def _words(name: str, rules: Rules) -> dict[str, Any]:
    assert rules.words is not None
    shown = RulesShown.of(rules).to_json()
    kept = ("pegs", "colors", "symbols", "notation", "legend")
    secrets = set(rules.words.codes)
    return {
        "name": name,
        "says": rules.words.describe(),
        "digest": rules.digest,
        "facts": {key: shown[key] for key in kept},
        "words": [list(code) for code in rules.words.codes],
        "others": [list(code) for code in rules.words.guess_codes if code not in secrets],
    }


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


def told_from_disk(language: str) -> str:
    """Say why nothing starts where the page is opened from a disk: browsers load no modules there."""
    return say(
        Told(
            "A browser loads this page from a web server only, not from a disk: start “python -m http.server” in this "
            "folder and open http://localhost:8000."
        ),
        language,
    )

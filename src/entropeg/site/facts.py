"""Collects the facts that the page without a server needs: rules, feedback, players, words, in each language."""

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
from entropeg.web.shown_rules import MarkShown, RulesShown, SymbolShown, played_words
from entropeg.web.tasks import puzzles
from entropeg.web.tasks.puzzles import PuzzleShown
from entropeg.words import GUESSED, SHIPPED

PEGS, COLORS = range(1, 6), range(2, 11)
"""Pegs and colors of the boards that are played there."""
TRAINED = "4x6"
"""The board of puzzles that are made beforehand."""
KINDS = ("standard", "black", "membership", "positional")
BREAKERS = ("entropy", "minimax", "expected-size", "parts")
MAKERS = ("honest", "cheat")
SEARCHED = 1400
"""Guesses of boards that the page searches exactly from the first turn on: 4x6 within .1 s, 4x7 within a second."""
OPENINGS: dict[str, dict[str, tuple[int, tuple[str, ...]]]] = {
    "english": {"free": (2714, ("trace", "crate")), "hard": (2758, ("crate",))},
    "french": {"free": (1580, ("tarin",)), "hard": (1595, ("tarin",))},
}
"""Least totals over the secrets of a list of which all usual words are guessed, and first guesses that attain them.

Where guesses are free, and where each has to use every clue. Proven by `optimal`, which takes 10 and 3 processor
seconds, 48 and 6 under hard rules: longer than a page waits."""


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
            for alphabet in ("", "digits")
            for colors in COLORS
        },
        "kinds": {name: _kind(FeedbackKind[name]) for name in KINDS},
        "words": {name: _list(name) for name in SHIPPED},
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


def _list(name: str) -> dict[str, Any]:
    """What is said of a list of words, and of its boards."""
    boards = _boards(name)
    shown = RulesShown.of(boards["listed"])
    told = {
        key: {"says": rules.words.describe(), "digest": rules.digest} for key, rules in boards.items() if rules.words
    }
    return {"name": name, "pegs": shown.pegs, "legend": plain(shown.legend), "boards": told}


def _boards(name: str) -> dict[str, Rules]:
    """The rules of a list: the words that may be secrets are guessed alone, or all usual ones, where there are such."""
    boards = {"listed": Rules.parse(f"words:{name}/positional")}
    return boards | ({"usual": Rules.parse(played_words(name))} if name in GUESSED else {})


def site_words(name: str) -> dict[str, Any]:
    """Return the secrets of a list of words, how the letters of its boards look, and its best first guesses.

    >>> words = site_words("english")
    >>> sorted(words), len(words["symbols"]["usual"]), words["words"][:20]
    (['openings', 'symbols', 'words'], 26, 'AboutVeCtorUteDaptMi')
    """
    outlines = [symbol.path for symbol in _symbols("", COLORS[-1])]
    boards = _boards(name)
    words = boards["listed"].words
    return {
        "symbols": {
            key: [
                {**_picked(symbol, "text", "fill", "ink", "tile"), "outline": outlines.index(symbol.path)}
                for symbol in RulesShown.of(rules).symbols
            ]
            for key, rules in boards.items()
        },
        "words": _written(words.words if words else ()),
        "openings": {key: {"total": total, "words": _written(best)} for key, (total, best) in OPENINGS[name].items()},
    }


def site_usual_words(name: str) -> str:
    """Return what may be guessed beside the secrets of a list.

    >>> site_usual_words("english")[:22]
    'AahedLiiRghOnBacaIKSDa'
    """
    words = _boards(name)["usual"].words
    return _written(words.probes if words else ())


def _written(words: Iterable[str]) -> str:
    """Words in their order, each from the letter on in which it differs from the one before, which is a capital.

    >>> _written(["abaca", "abaci", "aback", "bacon"])
    'AbacaIKBacon'
    """
    made, before = list[str](), ""
    for word in words:
        same = next(at for at, letter in enumerate(word) if before[at : at + 1] != letter)
        made.append(word[same].upper() + word[same + 1 :])
        before = word
    return "".join(made)


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
        "word_lists": [{"name": name, "says": said, "rules": played_words(name)} for name, said in SHIPPED.items()],
        "themes": [theme.value for theme in THEMES],
        "limits": {"pegs": PEGS[-1], "colors": COLORS[-1], "exact_seconds": 2},
        # What the laboratory alone does: screens, and parts of screens.
        "lacks": ["compare", "players", "others", "level", "worksheet", "learn"],
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

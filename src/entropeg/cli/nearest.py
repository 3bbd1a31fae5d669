"""The commands that an unknown word may have meant: those of the same meaning, else those of similar letters."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from entropeg.cli.language.typed import FRENCH, plain_letters, typed_words

OTHER_WORDS = {
    "hint": "advice advise suggest suggestion tip best solve",
    "advice": "hint advise suggest suggestion tip best ranking",
    "advise": "hint advice suggest suggestion tip best solve",
    "break": "solve crack guess codebreaker",
    "optimal": "solve perfect best minimum prove proof",
    "play": "game start new codemaker",
    "assist": "companion real board",
    "train": "puzzle puzzles practice exercise",
    "serve": "web server browser page ui gui open",
    "review": "analyze analyse analysis mistakes replay",
    "arena": "tournament simulate simulation benchmark run match statistics stats",
    "report": "figures plot plots",
    "tree": "strategy draw",
    "candidates": "left remaining possible codes",
    "score": "answer feedback evaluate mark",
    "list": "players codebreakers codemakers rules strategies names",
    "verify": "certificate proof",
    "bounds": "known limits",
    "classroom": "course students grade check",
    "doctor": "diagnose install version info",
    "warm": "compile",
    "--help": "help commands usage",
    "left": "remaining candidates possible count",
    "board": "history turns show rows list",
    "undo": "back revert takeback",
    "save": "keep store write",
    "load": "open read",
    "give up": "resign surrender reveal secret solve solution",
    "give": "resign surrender reveal secret",
    "solution": "solve reveal resign",
    "skip": "pass",
    "mend": "fix repair",
    "correct": "fix change edit",
    "edit": "fix change correct",
    "delete": "remove drop",
    "new": "restart reset begin start",
    "why": "explain analyze",
    "players": "strategies",
    "quit": "bye stop end leave q close",
}
"""Other words for commands, of the program and of its prompts: what people type who do not know what one is called."""


def nearest(word: str, names: Iterable[str], cutoff: float) -> tuple[list[str], bool]:
    """Return the names of at most three commands that a word may mean, and whether it is another word for them.

    >>> nearest("hint", ["list", "advise"], 0.5), nearest("lisst", ["list", "advise"], 0.5)
    ((['advise'], True), (['list'], False))
    """
    known = list(dict.fromkeys(names))
    english = typed_words(FRENCH).get(plain_letters(word), plain_letters(word))
    same = [name for name in known if english == name or english in OTHER_WORDS.get(name, "").split()]
    return (same[:3], True) if same else (get_close_matches(word, known, n=3, cutoff=cutoff), False)

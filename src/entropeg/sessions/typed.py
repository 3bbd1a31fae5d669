"""Reads the words that people type for commands: their French names, and other words that may mean them.

A French word stands for an English one whatever language is spoken. One that is a code of the board, as RESTE is one of
5x26, is the code: a line means the same in every language, so that a game does not depend on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

from entropeg.chosen_language import ENGLISH, spoken_language

FRENCH: dict[str, tuple[str, ...]] = {
    "guess": ("proposer", "proposition"),
    "answer": ("répondre", "réponse"),
    "row": ("ligne",),
    "hint": ("indice",),
    "advice": ("conseil",),
    "why": ("pourquoi",),
    "players": ("joueurs",),
    "undo": ("annuler",),
    "left": ("restants", "reste"),
    "board": ("plateau",),
    "back": ("retour",),
    "more": ("suite",),
    "share": ("partager",),
    "save": ("enregistrer", "sauver"),
    "load": ("charger", "ouvrir"),
    "give up": ("abandonner", "abandon"),
    "correct": ("rectifier",),
    "mend": ("corriger",),
    "edit": ("modifier",),
    "delete": ("supprimer",),
    "afterwards": ("après",),
    "live": ("en cours",),
    "new": ("nouveau",),
    "solution": ("solution",),
    "skip": ("passer",),
    "next": ("suivant",),
    "score": ("score", "points"),
    "help": ("aide",),
    "quit": ("quitter",),
    "exit": ("sortir",),
}
"""French names of commands; help tells the first."""

ARGUMENTS = {
    "CODE": "CODE",
    "GUESS": "PROPOSITION",
    "FEEDBACK": "RÉPONSE",
    "TURN FEEDBACK": "TOUR RÉPONSE",
    "GUESS FEEDBACK": "PROPOSITION RÉPONSE",
    "FILE": "FICHIER",
    "RULES": "RÈGLES",
    "ROW": "LIGNE",
}
"""French names of arguments, in help."""

OTHER_WORDS = {
    "hint": "advice advise suggest suggestion tip best solve",
    "advice": "hint advise suggest suggestion tip best ranking",
    "advise": "hint advice suggest suggestion tip best solve",
    "break": "solve crack guess codebreaker",
    "explore": "analyze analysis moves table position browse",
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
    "back": "undo up parent revert",
    "more": "next rest further all",
    "share": "link copy url",
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
"""Other words for commands, of the program and of its prompts: people type them who do not know the name."""


def plain_letters(text: str) -> str:
    """Return a text in small letters without accents, its spaces single.

    >>> plain_letters(" Après  coup ")
    'apres coup'
    """
    letters = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def typed_words(commands: Iterable[str]) -> dict[str, str]:
    """Return the French words for some commands, without accents, and the command that each stands for.

    >>> typed_words(["hint", "left"])
    {'indice': 'hint', 'restants': 'left', 'reste': 'left'}
    """
    return {plain_letters(word): name for name in commands for word in FRENCH.get(name, ())}


def called(command: str) -> str:
    """Return what a command is called in the language of the hour.

    >>> called("hint")
    'hint'
    """
    return command if spoken_language() == ENGLISH else FRENCH.get(command, (command,))[0]


def argument_called(name: str) -> str:
    """Return what may follow a command, `[N]` or `FILE`, as help names it in the language of the hour.

    >>> argument_called("FILE")
    'FILE'
    """
    if spoken_language() == ENGLISH:
        return name
    bare = name.strip("[]")
    return name.replace(bare, ARGUMENTS.get(bare, bare)) if bare else name


def nearest(word: str, names: Iterable[str], cutoff: float) -> tuple[list[str], bool]:
    """Return the names of at most three commands that a word may mean, and whether it is another word for them.

    >>> nearest("hint", ["list", "advise"], 0.5), nearest("lisst", ["list", "advise"], 0.5)
    ((['advise'], True), (['list'], False))
    """
    known = list(dict.fromkeys(names))
    english = typed_words(FRENCH).get(plain_letters(word), plain_letters(word))
    same = [name for name in known if english == name or english in OTHER_WORDS.get(name, "").split()]
    return (same[:3], True) if same else (get_close_matches(word, known, n=3, cutoff=cutoff), False)


def is_number(text: str, most: int) -> bool:
    """Tell whether a text is a whole number from 1 to some other.

    >>> is_number("7", 8), is_number("9", 8), is_number("-1", 8)
    (True, False, False)
    """
    return text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= most

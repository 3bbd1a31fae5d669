"""The words that may be typed at a prompt in French: each stands for an English one, whatever language is spoken.

A French word that is a code of the board, as RESTE is one of 5x26, is the code: what is typed means the same in every
language, so that a game does not depend on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from entropeg.cli.language.choosing import ENGLISH, spoken_language

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
"""What each command is called; the first word is the one that help names."""

ARGUMENTS = {
    "CODE": "CODE",
    "FEEDBACK": "RÉPONSE",
    "TURN FEEDBACK": "TOUR RÉPONSE",
    "GUESS FEEDBACK": "PROPOSITION RÉPONSE",
    "FILE": "FICHIER",
    "RULES": "RÈGLES",
    "ROW": "LIGNE",
}
"""What may follow, as help names it."""


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

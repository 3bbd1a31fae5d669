"""Training: positions in which there is something to find, made by a seed or from one's own games.

Everything here takes rules or games and returns values; the command line and `booklet` show them.
"""

from entropeg.train.own import own_mistakes
from entropeg.train.puzzle import Judgment, Theme, TrainingPuzzle
from entropeg.train.puzzle_series import puzzles, themes_of
from entropeg.train.telling import hints, question, solution

__all__ = [
    "Judgment",
    "Theme",
    "TrainingPuzzle",
    "hints",
    "own_mistakes",
    "puzzles",
    "question",
    "solution",
    "themes_of",
]

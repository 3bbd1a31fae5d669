"""Several secrets at once, as in Quordle: positions, the next guess, whole games, and the least total.

>>> from entropeg.several import Boards, choose
>>> boards = Boards.of("4x4/secrets=2").after("AABB", ["XO", "X"])
>>> boards.ways, choose(boards)
(1792, (0, 2, 0, 2))
"""

from entropeg.several.boards import AllAnswers, Boards, SeveralRules, SeveralTurn, is_several
from entropeg.several.choosing import ONE_STEP, SeveralGuess, best_guesses, choose, rated
from entropeg.several.exact import LeastTotal, least_total
from entropeg.several.game import SeveralGame, load_several, play_several, save_several

__all__ = [
    "ONE_STEP",
    "AllAnswers",
    "Boards",
    "LeastTotal",
    "SeveralGame",
    "SeveralGuess",
    "SeveralRules",
    "SeveralTurn",
    "best_guesses",
    "choose",
    "is_several",
    "least_total",
    "load_several",
    "play_several",
    "rated",
    "save_several",
]

"""Reviews of played games: what each guess lost, what each answer gave, and how that adds up to the result."""

from entropeg.review.account import Review, review
from entropeg.review.clues import Clue, clues_against
from entropeg.review.games import GivenGame, read_games
from entropeg.review.page import review_page
from entropeg.review.tasks import review_games
from entropeg.review.totals import Totals
from entropeg.review.turns import Mark, Thresholds, TurnReview

__all__ = [
    "Clue",
    "GivenGame",
    "Mark",
    "Review",
    "Thresholds",
    "Totals",
    "TurnReview",
    "clues_against",
    "read_games",
    "review",
    "review_games",
    "review_page",
]

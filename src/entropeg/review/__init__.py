"""Reviews of played games: what each guess lost, what each answer gave, and how that adds up to the result."""

from entropeg.review.account import Mark, Review, Thresholds, TurnReview, review
from entropeg.review.clues import Clue, clues_against

__all__ = ["Clue", "Mark", "Review", "Thresholds", "TurnReview", "clues_against", "review"]

"""Reviews of played games: what each guess lost, what each answer gave, and how that adds up to the result."""

from entropeg.advise.contradicted_rows import Clue, clues_against
from entropeg.advise.given_games import GivenGame, read_games
from entropeg.called import let_call
from entropeg.review.account import Review, review, review_games
from entropeg.review.claims import ClaimCheck, FigureClaim, check_claim, check_claims
from entropeg.review.codemaker_answers import AnswersReview, review_answers
from entropeg.review.level import Level, level_of, player_losses
from entropeg.review.others import OtherPlay, other_plays
from entropeg.review.review_page import review_page
from entropeg.review.totals import Totals
from entropeg.review.turns import Mark, Thresholds, TurnReview

__all__ = [
    "AnswersReview",
    "ClaimCheck",
    "Clue",
    "FigureClaim",
    "GivenGame",
    "Level",
    "Mark",
    "OtherPlay",
    "Review",
    "Thresholds",
    "Totals",
    "TurnReview",
    "check_claim",
    "check_claims",
    "clues_against",
    "level_of",
    "other_plays",
    "player_losses",
    "read_games",
    "review",
    "review_answers",
    "review_games",
    "review_page",
]

let_call(__name__)

"""Advice for people at a real board: what they noted down, what follows from it, and what may be wrong in it.

Everything here takes rules, rows and positions and returns values; how they are shown is for the doors to say.
"""

from entropeg.advise.advice import Advice, advise
from entropeg.advise.contradictions import Contradiction, Mend, Slip, SuspectRow
from entropeg.advise.expectation import Certainty, Expectation
from entropeg.advise.exploring import Exploration, ExploredAnswer, ExploredMove, explore
from entropeg.advise.mistakes import explain
from entropeg.advise.notes import Notes, read_notes
from entropeg.advise.player_views import PlayerView, compare_players
from entropeg.advise.reading import read_row
from entropeg.advise.rows import PartFeedback, Row, fitting, format_row
from entropeg.advise.slips import SlipKind
from entropeg.called import let_call

__all__ = [
    "Advice",
    "Certainty",
    "Contradiction",
    "Expectation",
    "Exploration",
    "ExploredAnswer",
    "ExploredMove",
    "Mend",
    "Notes",
    "PartFeedback",
    "PlayerView",
    "Row",
    "Slip",
    "SlipKind",
    "SuspectRow",
    "advise",
    "compare_players",
    "explain",
    "explore",
    "fitting",
    "format_row",
    "read_notes",
    "read_row",
]

let_call(__name__)

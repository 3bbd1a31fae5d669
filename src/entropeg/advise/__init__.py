"""Advice on positions: what contradicts, what may be wrong in it, and how to mend it. Values that know no screen."""

from entropeg.advise.mistakes import Contradiction, Mend, Slip, SuspectRow, explain
from entropeg.advise.slips import SlipKind

__all__ = ["Contradiction", "Mend", "Slip", "SlipKind", "SuspectRow", "explain"]

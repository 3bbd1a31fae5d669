"""What a codebreaker remembers of the games that are going on, found again by the turns that it has seen.

What is remembered follows from the turns alone: an empty memo costs the time of going through them again, and what was
kept of another game with the same turns serves as well.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from entropeg.position import Position, Turn
from entropeg.rules import Rules


class Story(Protocol):
    """What is known of one game after some turns."""

    rules: Rules
    turns: tuple[Turn, ...]


Known = TypeVar("Known", bound=Story)


class Memo(Generic[Known]):
    """The last few stories, each taken out while it is gone on with: so no two threads share one.

    >>> from entropeg.rules import Rules
    >>> Memo(2).take(Position(Rules.parse("4x6"))) is None
    True
    """

    def __init__(self, most: int) -> None:
        """Keep so many at most."""
        self.most = most
        self._stories: list[Known] = []

    def take(self, position: Position) -> Known | None:
        """Return the story of the longest past that a position continues, and forget it; None where there is none."""
        for story in sorted(self._stories, key=lambda story: -len(story.turns)):
            if leads_to(story, position):
                try:
                    self._stories.remove(story)
                except ValueError:  # another thread was faster
                    continue
                return story
        return None

    def keep(self, story: Known) -> None:
        """Remember a story, as the latest."""
        self._stories.append(story)
        del self._stories[: -self.most]


def leads_to(story: Story, position: Position) -> bool:
    """Tell whether a position continues a story."""
    seen = len(story.turns)
    if seen > len(position.turns) or (seen and story.turns[-1] != position.turns[seen - 1]):
        return False
    return story.rules == position.rules and story.turns == position.turns[:seen]

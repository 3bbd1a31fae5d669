"""Notes with one wrong row: a game is drawn, one of its rows goes wrong, and only that row can be the one."""

from __future__ import annotations

import numpy as np

from entropeg.advise.mistakes import explain
from entropeg.advise.slips import (
    SHARES,
    SlipKind,
    colors_exchanged,
    feedbacks_one_off,
    neighbors_exchanged,
    pegs_misread,
)
from entropeg.codes import secrets
from entropeg.feedback import label_of, win_feedback
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.train.puzzle import Theme, TrainingPuzzle

FEWEST_ROWS, MOST_ROWS = 4, 6
SHOWN = 5
"""Of the ways in which the wrong row can be mended the likeliest are kept."""

_KINDS = (
    SlipKind.feedback_one_off,
    SlipKind.peg_misread,
    SlipKind.colors_exchanged,
    SlipKind.neighbors_exchanged,
)
_SHARES = np.array([SHARES[kind] for kind in _KINDS]) / sum(SHARES[kind] for kind in _KINDS)


def with_wrong_row(game: Position, rng: np.random.Generator) -> TrainingPuzzle | None:
    """Let one row of a game go wrong; None where it does not follow from the rows which one is wrong.

    It follows where no code fits all rows, codes fit once this row is left out, and none fits whichever other row is
    left out, or whichever two rows have exchanged their feedbacks. No row is impossible by itself, and none was won.
    """
    rules, row = game.rules, int(rng.integers(len(game.turns)))
    changed = _slipped(game.turns[row], rules, rng)
    if changed is None:
        return None
    written = Position(rules, [*game.turns[:row], changed, *game.turns[row + 1 :]])
    if not (_looks_like_a_game(written) and _is_only_suspect(written, row)):
        return None
    told = explain(written, "afterwards")
    if [suspect.row for suspect in told.rows] != [row] or min(map(len, told.conflicts)) < 2:
        return None
    mends = [turn for mend in told.rows[0].mends for turn in mend.slips[0].turns if turn is not None]
    without = Position(rules, [turn for number, turn in enumerate(written.turns) if number != row])
    return TrainingPuzzle(Theme.mend, written, tuple(without.candidates), row=row, mends=tuple(mends[:SHOWN]))


def _slipped(turn: Turn, rules: Rules, rng: np.random.Generator) -> Turn | None:
    kind = _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))]
    found = _variants(kind, turn, rules)
    return found[int(rng.integers(len(found)))] if found else None


def _variants(kind: SlipKind, turn: Turn, rules: Rules) -> list[Turn]:
    guess, feedback = turn
    if kind is SlipKind.feedback_one_off:
        return [Turn(guess, other) for other in feedbacks_one_off(feedback, rules)]
    if kind is SlipKind.colors_exchanged:
        exchanged = colors_exchanged(feedback, rules)
        return [] if exchanged is None else [Turn(guess, exchanged)]
    changed = neighbors_exchanged if kind is SlipKind.neighbors_exchanged else pegs_misread
    return [Turn(code, feedback) for code in changed(guess, rules)]


def _looks_like_a_game(written: Position) -> bool:
    """Tell whether no guess comes twice and none is said to have won."""
    turns, win = written.turns, win_feedback(written.rules)
    return len({turn.guess for turn in turns}) == len(turns) and all(turn.feedback != win for turn in turns)


def _is_only_suspect(written: Position, row: int) -> bool:
    """Tell whether every code contradicts a row, and those that contradict one alone contradict this one."""
    rules = written.rules
    codes = secrets(rules)
    against = np.zeros((len(written.turns), len(codes)), bool)
    for number, turn in enumerate(written.turns):
        against[number] = codes.score(turn.guess) != label_of(turn.feedback, rules)
    faults = against.sum(axis=0)
    return bool(faults.min() == 1 and against[row][faults == 1].all())

"""Makes notes with one wrong row: changes a row of a game, where it follows from the others that this one is wrong."""

from __future__ import annotations

import numpy as np

from entropeg.advise.mistakes import explain
from entropeg.codes import check_code, random_guess, random_secret, secrets
from entropeg.errors import InputError
from entropeg.feedback import Code, label_of, score_trusted, win_feedback
from entropeg.position import Position, Turn, unused_clue
from entropeg.rules import Rules
from entropeg.train.puzzle import Theme, TrainingPuzzle

FEWEST_ROWS, MOST_ROWS = 4, 6


def with_wrong_row(game: Position, secret: Code, rng: np.random.Generator) -> TrainingPuzzle | None:
    """Let one row of a game go wrong; None where it does not follow from the rows which one is wrong.

    It follows where no code fits all rows, codes fit once this row is left out, and none fits whichever other row is
    left out, or whichever two rows have exchanged their feedbacks. No row is impossible by itself, and none was won.
    Its fault is one of the mistakes that `advise.explain` knows.
    """
    rules, row = game.rules, int(rng.integers(len(game.turns)))
    turns = [*game.turns[:row], _slipped(game.turns[row], secret, game, rng), *game.turns[row + 1 :]]
    if unused_clue(rules, turns)[1]:  # hard rules would have refused such a game
        return None
    written = Position(rules, turns)
    if not (_looks_like_a_game(written) and _is_only_suspect(written, row)):
        return None
    # Most rows fail these quick tests; the others are explained as to a person, which weighs two mistakes in one as
    # well.
    told = explain(written, "afterwards")
    if [suspect.row for suspect in told.rows] != [row] or min(map(len, told.conflicts)) < 2:
        return None
    mended = [mend.position.turns for mend in told.rows[0].mends]
    mends = [turns[row] for turns in mended if len(turns) == len(written.turns)]  # else the row is left out
    if not mends:
        return None
    without = Position(rules, [turn for number, turn in enumerate(written.turns) if number != row])
    # The five likeliest corrections of the wrong row are kept.
    return TrainingPuzzle(Theme.mend, written, tuple(without.candidates), row=row, mends=tuple(mends[:5]))


def _slipped(turn: Turn, secret: Code, game: Position, rng: np.random.Generator) -> Turn:
    """The row with the feedback of a code near the secret, or with one peg of its guess misread."""
    rules = game.rules
    # Six in ten mistakes are made in a feedback, the others in a guess.
    if rng.random() < 0.6:
        return Turn(turn.guess, score_trusted(turn.guess, near_code(secret, rules, rng, secret=True), rules))
    return Turn(near_code(turn.guess, rules, rng), turn.feedback)


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


def near_code(code: Code, rules: Rules, rng: np.random.Generator, *, secret: bool = False) -> Code:
    """Draw a legal guess, or secret, that differs from a code in one peg; any at all where that does not succeed."""
    for _ in range(10):
        peg, color = int(rng.integers(rules.pegs)), int(rng.integers(rules.colors))
        near = (*code[:peg], color, *code[peg + 1 :])
        if near != code and _is_legal(near, rules, secret=secret):
            return near
    return random_secret(rules, rng) if secret else random_guess(rules, rng)


def _is_legal(code: Code, rules: Rules, *, secret: bool) -> bool:
    try:
        check_code(code, rules, secret=secret)
    except InputError:
        return False
    return True

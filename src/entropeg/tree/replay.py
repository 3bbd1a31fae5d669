"""The independent checker of strategy trees: every secret is played through the tree, in plain NumPy.

It shares no code with what builds trees: feedback is counted here again, from its definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet, format_code, guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Marks, format_feedback, from_label, label_of, score_trusted
from entropeg.rules import Rules
from entropeg.told import Told


@dataclass(frozen=True)
class Replay:
    """What playing every secret through a tree gives.

    `turns` (`int64[secrets]`) is the number of guesses for each secret, the winning one included; `sizes`
    (`int64[nodes]`) how many secrets reach each node; `wins` (`bool[nodes]`) whether its guess is the secret of one
    of them.
    """

    turns: NDArray[np.int64]
    sizes: NDArray[np.int64]
    wins: NDArray[np.bool_]


def replay(rules: Rules, guess: Any, parent: Any, label: Any, hidden: CodeSet | None = None) -> Replay:
    """Play every secret through the tree given by node: guess index, parent node, feedback label from the parent.

    `hidden` are the secrets that it has to find, all those of the rules unless given.

    Raises InputError naming the turns after which the tree has no guess although a secret is left, and branches that
    no secret reaches. Cost: a few array operations a level, for all secrets at once.

    >>> from entropeg import Rules
    >>> replay(Rules.parse("1x2"), np.array([0, 1]), np.array([-1, 0]), np.array([-1, 0])).turns.tolist()
    [1, 2]
    """
    keys, nodes = _branches(rules, parent, label)
    hidden, legal = secrets(rules) if hidden is None else hidden, guesses(rules)
    count = len(hidden)
    turns = np.zeros(count, np.int64)
    sizes = np.zeros(len(guess), np.int64)
    wins = np.zeros(len(guess), bool)
    playing = np.arange(count)
    at = np.zeros(count, np.int64)
    while len(playing):
        sizes += np.bincount(at, minlength=len(guess))
        turns[playing] += 1
        played = legal.planes[:, guess[at]]
        labels = pair_labels(rules, played, hidden.planes[:, playing])
        won = (played == hidden.planes[:, playing]).all(axis=0)
        wins[at[won]] = True
        playing, at, labels = playing[~won], at[~won], labels[~won]
        if not len(playing):  # as on boards of one code, whose labels may be beyond 64 bits
            break
        found = np.searchsorted(keys, at * rules.label_count + labels)
        found[found == len(keys)] = 0
        lost = keys[found] != at * rules.label_count + labels if len(keys) else np.ones(len(at), bool)
        if lost.any():
            first = int(np.flatnonzero(lost)[0])
            raise InputError(
                _no_branch(rules, guess, parent, label, int(at[first]), int(labels[first]), hidden[int(playing[first])])
            )
        at = nodes[found]
    unreached = np.flatnonzero(sizes == 0)
    if len(unreached):
        node = int(unreached[0])
        raise InputError(
            "no secret comes to the guess after {turns}: that branch cannot happen",
            path_text(rules, guess, parent, label, node),
        )
    return Replay(turns, sizes, wins)


def _branches(rules: Rules, parent: Any, label: Any) -> tuple[Any, Any]:
    """Sorted keys parent * labels + label of all branches, and the nodes they lead to."""
    if len(parent) == 1:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    keys = parent[1:].astype(np.int64) * rules.label_count + label[1:]
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        node, by = divmod(int(keys[twice[0]]), rules.label_count)
        raise InputError(
            "node {node} of the tree has two branches for {feedback}", node, format_feedback(from_label(by, rules))
        )
    return keys, order + 1


def check_clues(rules: Rules, guess: Any, parent: Any, label: Any, turns: Sequence[tuple[Code, AnyFeedback]]) -> None:
    """Raise InputError where a guess of a tree of hard rules does not use every clue; `turns` lead to its first guess.

    Only the turn before each guess is looked at: where that one used all clues of the turns before it, its answer gives
    each of them again, since one secret gave all these answers.

    >>> from entropeg import Rules
    >>> check_clues(Rules.parse("2x2/hard"), [0, 3], [-1, 0], [-1, 6], ())
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: after AA X., the tree plays BB, which does not use every clue
    """
    guess, parent, label = (np.asarray(values, np.int64) for values in (guess, parent, label))
    legal = guesses(rules).planes
    own = legal[:, np.concatenate([np.full(len(turns), guess[0]), guess[1:]])]
    played = np.array([code for code, _ in turns], legal.dtype).reshape(len(turns), rules.pegs).T
    above = np.concatenate([played, legal[:, guess[parent[1:]]]], axis=1)
    answers = np.concatenate([np.array([label_of(answer, rules) for _, answer in turns], np.int64), label[1:]])
    marks = answers // 3 ** np.arange(rules.pegs - 1, -1, -1)[:, None] % 3
    wrong = ((marks == 2) & (own != above)).any(axis=0)
    for peg in range(rules.pegs):
        marked = ((above == above[peg]) & (marks > 0)).sum(axis=0)
        wrong |= marked > (own == above[peg]).sum(axis=0)
    if wrong.any():
        node = max(int(np.flatnonzero(wrong)[0]) - len(turns) + 1, 0)
        before, code = (
            path_text(rules, guess, parent, label, node),
            format_code(guesses(rules)[int(guess[node])], rules),
        )
        raise InputError("after {turns}, the tree plays {guess}, which does not use every clue", before, code)


def path_text(rules: Rules, guess: Any, parent: Any, label: Any, node: int) -> str:
    """The turns that lead to a node: `AABB XO, CDEF -`; `the start` for the first.

    >>> from entropeg import Rules
    >>> path_text(Rules.parse("1x2"), [0, 1], [-1, 0], [-1, 0], 1)
    'A -'
    """
    steps = []
    while node > 0:
        above = int(parent[node])
        answer = format_feedback(from_label(int(label[node]), rules))
        steps.append(f"{format_code(guesses(rules)[int(guess[above])], rules)} {answer}")
        node = above
    return ", ".join(reversed(steps)) or Told("the start")


def _no_branch(rules: Rules, guess: Any, parent: Any, label: Any, node: int, by: int, secret: Any) -> str:
    before = path_text(rules, guess, parent, label, node)
    played = format_code(guesses(rules)[int(guess[node])], rules)
    answer = format_feedback(from_label(by, rules))
    lost = format_code(secret, rules)
    return Told(
        "after {turns}, guess {guess}, the tree has no branch for {feedback}, which the secret {secret} gives",
        *(before, played, answer, lost),
    )


def pair_labels(rules: Rules, played: Any, hidden: Any) -> Any:
    """Labels of guesses against secrets, column by column of two arrays of planes: int64[n].

    >>> from entropeg import Rules
    >>> pair_labels(Rules(), np.array([[0], [0], [1], [1]]), np.array([[0], [1], [2], [3]])).tolist()
    [6]
    """
    about = rules.feedback.about
    if about.is_listed:
        return rules.table.pairs(played, hidden).astype(np.int64)
    if not (about.common or about.in_place_only or about.answer is Marks):
        pairs = zip(played.T.tolist(), hidden.T.tolist(), strict=True)
        return np.array(
            [label_of(score_trusted(tuple(one), tuple(other), rules), rules) for one, other in pairs], np.int64
        )
    equal = played == hidden
    black = equal.sum(axis=0, dtype=np.int64)
    if about.in_place_only:
        return black
    if about.answer is Marks:
        return _positional_labels(played, hidden, equal)
    common = np.zeros_like(black)
    for color in range(rules.symbols_in_guesses):
        mine, theirs = (played == color).sum(axis=0), (hidden == color).sum(axis=0)
        if about.common == "members":
            common += mine * (theirs > 0)
        else:
            common += np.minimum(mine, theirs)
    return black * rules.pegs + common


def _positional_labels(played: Any, hidden: Any, equal: Any) -> Any:
    pegs, n = played.shape
    free = ~equal
    labels = np.zeros(n, np.int64)
    for peg in range(pegs):
        color = played[peg]
        white = np.zeros(n, bool)
        open_ = ~equal[peg]
        for other in range(pegs):
            match = open_ & ~white & free[other] & (hidden[other] == color)
            free[other] &= ~match
            white |= match
        labels = labels * 3 + np.where(equal[peg], 2, white)
    return labels

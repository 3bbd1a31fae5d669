"""Guesses and secrets of the rules as the arrays of the one-step search, or a refusal where they are too many."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.codes import check_listable, format_code, guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, label_of
from entropeg.kernels.onestep import arrays
from entropeg.kernels.switch import Switch
from entropeg.rules import FeedbackKind, Rules
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.position import Position

FUNCTIONS = Switch("entropeg.kernels.onestep.search", "entropeg.kernels.onestep.plain")
"""The kernels and their twin on NumPy."""

MOST_BYTES = 1 << 31
"""Boards that would take more memory are refused: 8x8, 15x3 and 23x2 fit, 8x9, 12x4 and 24x2 do not."""

MOST_PAIRS = 1 << 40
"""Pairs of guess and candidate of a choice in which guesses that are alike are not left out: some minutes."""

MOST_PEGS = 255
"""The pegs of a color in a code are counted in a byte."""

OTHERS = Told("`auto` picks a strategy that plays by a sample of the codes")


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> arrays.BoardArrays:
    """Return the arrays of the rules, made once and kept; raises TooLargeError as `check_reach` does."""
    check_reach(rules)
    legal, hidden = guesses(rules), secrets(rules)
    symbols, pegs = rules.symbols_in_guesses, rules.pegs
    symmetric = rules.is_alike and not rules.shapes
    # Of more pegs the permutations that go with one of the colors (40,320 for 8) cost more than they save. Those of the
    # colors alone, and of the pegs alone, are always used.
    perms = list(permutations(range(pegs))) if pegs <= 7 and symmetric else []
    perms = perms or [tuple(range(pegs))]
    counted = rules.kind in arrays.COUNTED
    groups = _groups(legal.planes, symbols, counted=counted)
    _, secret_group_of = np.unique(_numbers(np.sort(hidden.planes, axis=0), symbols), return_inverse=True)
    codes, left = np.ascontiguousarray(legal.planes[:, groups.order]), pegs // 2
    place_of = np.empty(len(legal), np.int32)
    place_of[groups.order] = np.arange(len(legal))
    (heads, first), (tails, second) = _half(codes[:left], symbols), _half(codes[left:], symbols)
    core = arrays.Core(
        kind=rules.kind,
        pegs=pegs,
        symbols=symbols,
        guesses=legal.planes,
        secrets=hidden.planes,
        guess_of=legal.find(hidden).astype(np.int32),
        labels=rules.label_count,
        win=rules.win_label,
        possible=_possible(rules, counted=counted),
        # Planes have two bytes a peg beyond 256 colors, and labels have four beyond 256 of them; hardly a board needs
        # both. So the kernels are compiled for three layouts, each once, when a board first asks for it. In one layout
        # for all, 23x2 would no longer fit into `MOST_BYTES`.
        word=np.zeros(0, _word(rules)),
        perms=np.array(perms, np.int32),
        closed=symmetric,
        repeats=bool(rules.guess_repeats),
        colors=rules.colors,
        hard=rules.hard,
        table=_table(rules),
    )
    grouped = arrays.Grouped(
        order=groups.order,
        place_of=place_of,
        codes=np.ascontiguousarray(codes.T),
        halves=np.stack([first, second]).astype(np.int32),
        heads=heads,
        tails=tails,
        starts=groups.starts,
        group_of=groups.group_of,
        colors=groups.colors,
        masks=_masks(groups.colors, symbols),
        secret_group_of=secret_group_of.astype(np.int32),
        secret_groups=int(secret_group_of.max()) + 1,
    )
    return arrays.BoardArrays(core, grouped, pegs + 1 if counted else 1)


def _word(rules: Rules) -> Any:
    return np.uint8 if rules.label_count <= 256 else np.int32


def _table(rules: Rules) -> Any:
    """The labels of a table of answers in the order of the lists; a copy, since kernels know writable arrays alone."""
    if not rules.feedback.about.is_listed:
        return np.zeros((0, 0), _word(rules))
    rows = rules.table.at(guesses(rules).planes, secret=False)
    columns = rules.table.at(secrets(rules).planes, secret=True)
    return np.ascontiguousarray(rules.table.labels[rows][:, columns], _word(rules))


def _possible(rules: Rules, *, counted: bool) -> Any:
    """List the labels that can occur."""
    pegs = rules.pegs
    if not counted:
        return np.arange(rules.label_count, dtype=np.int32)
    return np.array([pegs * b + v for b in range(pegs + 1) for v in range(b, pegs + 1)], np.int32)


def legal_index(rules: Rules, code: Code) -> int:
    """Return the index of a code in the list of legal guesses; raises InputError where it is none of them."""
    index = guesses(rules).index_of(code)
    if index is None:
        raise InputError("{guess} is not a legal guess of {rules}", format_code(code, rules), rules)
    return index


def node_at(position: Position, seed: int) -> arrays.OpenNode:
    """Return a position as the kernels take it: candidates, guesses played, and what chance is drawn by."""
    rules, key = position.rules, seed
    history = [legal_index(rules, turn.guess) for turn in position.turns]
    for guess, turn in zip(history, position.turns, strict=True):
        key = arrays.next_key(key, guess, label_of(turn.feedback, rules))
    return arrays.OpenNode(position.candidates.ranks.astype(np.int32), np.array(history, np.int32), key)


def check_reach(rules: Rules) -> None:
    """Raise TooLargeError, naming who can play, where the codes or feedbacks of the rules are too many.

    They are where they would take more than `MOST_BYTES`, and where to set the sizes of the parts to zero, guess by
    guess, takes longer than `MOST_PAIRS`. Beyond `MOST_PEGS` only the boards of one code are played.
    """
    check_listable(rules, rules.guess_count)
    if rules.pegs > MOST_PEGS and rules.secret_count > 1:
        raise TooLargeError(
            "one-step strategies count the pegs of a color in a byte, and {rules} has more than {most} pegs; "
            "`consistent` plays there",
            *(rules, MOST_PEGS),
        )
    code = rules.pegs * (1 if rules.symbols_in_guesses <= 256 else 2)
    board = rules.guess_count * (2 * code + 28) + rules.secret_count * 16
    criterion = rules.secret_count * 32
    work = _work_bytes(rules.guess_count, rules.secret_count, code, rules.label_count)
    needed = board + criterion + work
    if needed > MOST_BYTES:
        size = Told("{size:.1f} GB", needed / 2**30) if needed < 1 << 50 else Told("far too much memory")
        raise TooLargeError(
            "to weigh every guess of {rules} takes {memory}, and one-step strategies take {most} GB at most; {advice}",
            *(rules, size, MOST_BYTES >> 30, OTHERS),
        )
    if rules.feedback == FeedbackKind.positional and rules.guess_count * rules.label_count >= MOST_PAIRS:
        raise TooLargeError(
            "to weigh {guesses:,} guesses of {rules}, each by its {feedbacks:,} feedbacks, takes too long; {advice}",
            *(rules.guess_count, rules, rules.label_count, OTHERS),
        )


def _work_bytes(guesses: int, secrets: int, code: int, labels: int) -> int:
    """About the bytes that one thread writes to in the end (see `arrays.make_work`); code: bytes of a code."""
    return guesses + secrets * (2 * code + (2 if labels <= 256 else 8) + 8) + 90 * labels


def threads_for(board: arrays.BoardArrays) -> int:
    """How many threads have room beside the board; at least one has."""
    core, grouped = board.core, board.grouped
    n, code = core.secrets.shape[1], core.secrets.itemsize * core.pegs
    held = sum(array.nbytes for array in (*core, *grouped) if isinstance(array, np.ndarray)) + n * 40
    return max(1, int(MOST_BYTES - held) // _work_bytes(core.guesses.shape[1], n, code, core.labels))


def _half(planes: Any, symbols: int) -> tuple[Any, Any]:
    """(codes over some pegs, each once and one a row; which of them each column is)."""
    _, first, places = np.unique(_numbers(planes, symbols), return_index=True, return_inverse=True)
    return np.ascontiguousarray(planes[:, first].T), places.ravel()


def _numbers(planes: Any, symbols: int) -> Any:
    """Read each column as a number in base `symbols`; columns that would not fit 63 bits are numbered."""
    if symbols ** len(planes) >= 1 << 62:
        return np.unique(planes, axis=1, return_inverse=True)[1].ravel()
    numbers = np.zeros(planes.shape[1], np.int64)
    for row in planes:
        numbers = numbers * symbols + row
    return numbers


class _Groups(NamedTuple):
    order: Any
    starts: Any
    group_of: Any
    colors: Any


def _groups(planes: Any, symbols: int, *, counted: bool) -> _Groups:
    """Put the guesses with the same pegs of each color together, if feedback tells of that; see `arrays.Grouped`."""
    n = planes.shape[1]
    numbers = _numbers(np.sort(planes, axis=0), symbols) if counted else np.zeros(n, np.int64)
    _, group_of, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    order = np.argsort(group_of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    colors = np.ascontiguousarray(np.sort(planes[:, order[starts[:-1]]], axis=0).T)
    return _Groups(order.astype(np.int32), starts.astype(np.int32), group_of.astype(np.int32), colors)


def _masks(colors: Any, symbols: int) -> Any:
    """Give each row of colors as a bit for each that occurs; nothing where there are more than 64."""
    if symbols > 64:
        return np.zeros(0, np.uint64)
    return np.bitwise_or.reduce(np.uint64(1) << colors.astype(np.uint64), axis=1)

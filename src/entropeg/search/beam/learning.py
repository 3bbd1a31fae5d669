"""What the search for near-optimal trees learns before it begins: estimates of totals, and which sets are small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg.search.beam.effort import LEARNING
from entropeg.search.beam.kernels import LARGEST_SMALL
from entropeg.search.exact.desk import INF

if TYPE_CHECKING:
    from entropeg.search.beam.board import Worker
    from entropeg.search.beam.near import Near
    from entropeg.search.beam.terms import Answer

Array = NDArray[Any]

SIZES = (16, 24, 32, 40, 50, LARGEST_SMALL)
"""What the largest of the small sets may be."""
PROBED = 6
"""Sets of each size that are solved to find out what that costs."""
MOST_TRIED = 1500
"""Guesses tried for a small set, on average: where it takes more, a beam finds as much in less time."""
SAMPLED = 2000
"""Codes of the answers that the estimates are learned from."""


def calibrate(near: Near, opening: int) -> None:
    """Learn the estimates from some of the answers to an opening, then what better estimates miss."""
    answers = _sample_of(near, opening)
    choose_small(near, answers)
    for again in (False, True):
        near.search_answers(answers, LEARNING)
        if again:
            near.model.correct()
        else:
            near.model.refit(np.sum(near.learned, axis=0))
        near.forget()


def choose_small(near: Near, answers: list[Answer]) -> None:
    """Find out up to which size sets are solved quickly: 60 codes take a millisecond or 600, by the board."""
    sets, tried = np.zeros(len(SIZES)), np.zeros(len(SIZES))

    def probe(worker: Worker, codes: Array, name: int) -> None:
        n, at = len(codes), int(np.searchsorted(SIZES, len(codes)))
        if at == len(SIZES):
            for _, part, part_name in worker.split(codes, int(worker.best_guesses(codes, 1)[0][0])):
                if len(part) < n:
                    probe(worker, part, part_name)
        elif n > SIZES[0] // 2 and sets[at] < PROBED and (tried[: at + 1] <= PROBED * MOST_TRIED).all():
            before = int(worker.work.nodes[1])
            worker.solve(codes, name, INF)
            near.look_at_the_clock()
            sets[at] += 1
            tried[at] += int(worker.work.nodes[1]) - before

    near.for_each(lambda worker, answer: probe(worker, worker.places(answer.rows), answer.name), answers)
    quick = [size for size, n, times in zip(SIZES, sets, tried, strict=True) if times <= MOST_TRIED * max(n, 1)]
    dear = [size for size in SIZES if size not in quick]
    near.model.small = max([size for size in quick if size < min(dear, default=INF)], default=SIZES[0])


def _sample_of(near: Near, opening: int) -> list[Answer]:
    """Answers of middle size that make up about a fifth of the codes, or SAMPLED of them."""
    answers = [answer for answer in near.answers(opening) if len(answer.rows) > near.model.small]
    wanted, chosen = min(len(near.board.secrets) // 5, SAMPLED), []
    for answer in answers[len(answers) // 3 :]:
        if wanted > 0:
            chosen.append(answer)
            wanted -= len(answer.rows)
    return chosen

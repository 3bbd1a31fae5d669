"""Which openings of a board are worth a search: by the estimates of their answers, for which no labels are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from entropeg.search.beam.effort import Widths

if TYPE_CHECKING:
    from entropeg.search.beam.board import Cutter
    from entropeg.search.beam.near import Near
    from entropeg.search.beam.terms import Answer

BY_SIZES = 0.06
"""Openings whose estimate by sizes alone is above the best by more than this share are not looked at closer."""
ONLY_LOOKED_AT = Widths(60, 0, 0)
"""How closely answers are looked at to rank the openings."""


def by_sizes(near: Near, opening: int) -> float:
    """Estimate of the total with an opening by the sizes of its parts."""
    sizes = [len(answer.rows) for answer in near.answers(opening)]
    return len(near.board.secrets) + float(near.model.tables.estimate[sizes].sum())


def rank_openings(near: Near) -> dict[int, float]:
    """Estimate the total with every opening, the likely ones by the best second guesses."""
    ranked = {opening: by_sizes(near, opening) for opening in near.order}
    bar = (1 + BY_SIZES) * min(ranked.values())
    for opening in [opening for opening in near.order if ranked[opening] < bar]:
        ranked[opening] = _by_second_guesses(near, opening)
        near.look_at_the_clock()
    return ranked


def _by_second_guesses(near: Near, opening: int) -> float:
    estimates = [float(len(near.board.secrets))]

    def task(worker: Cutter, answer: Answer) -> None:
        if len(answer.rows) <= near.model.small:
            estimates.append(float(near.model.tables.estimate[len(answer.rows)]))
        else:
            estimates.append(near.candidates(worker, (answer.rows, answer.name), (opening,), ONLY_LOOKED_AT)[0][1])

    near.prepare(opening)  # here, and not by a thread
    near.for_each_quickly(task, near.answers(opening))
    return sum(estimates)

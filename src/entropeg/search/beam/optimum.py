"""`near_optimal`: the best strategy found in a given time, with a lower bound, for boards beyond proof."""

from __future__ import annotations

import io
import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from entropeg import arguments
from entropeg.errors import InputError, TooLargeError
from entropeg.executors import Crew, WorkersError
from entropeg.files import OWN, is_begun, parse_arrays, read_bytes, shown, write_whole
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.rules import Rules
from entropeg.search.beam.board import Board
from entropeg.search.beam.known_sets import Known
from entropeg.search.beam.near import Near
from entropeg.search.beam.shared_answers import SharedAnswers
from entropeg.search.exact.answer_kinds import compact_labels
from entropeg.search.exact.fields import INF, NO_GUESS
from entropeg.search.reach import MOST_GUESSES, MOST_SECRETS, Reach
from entropeg.search.results import SearchProgress, Solution, Value
from entropeg.signals import held
from entropeg.sizes import BLACK, STANDARD
from entropeg.told import Told

MOST_LABELS, MOST_COLORS = 63, 64
"""Parts and colors of a set are bits of one word."""


def near_optimal(
    rules: Rules | str,
    time: float,
    *,
    threads: int | None = None,
    progress: Callable[[SearchProgress], None] | None = None,
    checkpoint: str | Path | None = None,
    crew: Crew | None = None,
) -> Solution:
    """Find a complete strategy of small total within about ``time`` seconds, and a lower bound of the least total.

    A strategy of quick guesses comes first, which takes 2 seconds of a processor for 6x6, and is finished however
    little time there is. Ctrl-C ends the search at once, with the best strategy so far. ``checkpoint`` names a file
    from which a later call with the same rules goes on, and improves. The total is that of the strategy returned; the
    bound is proven by formulas; the optimum lies between. Takes up to 2 GB of memory, and each worker as much:
    those of a ``crew`` search what takes longest, one answer to an opening each, and the threads here the rest. Where
    they are gone, WorkersError is raised, with the result so far as `made`.

    Raises TooLargeError beyond 65,535 secrets, 63 feedbacks or 64 colors, InputError for other feedback than standard
    and black, and for numbers that make no sense.

    >>> found = near_optimal("3x5", 2.0)
    >>> found.value.lower <= 451 <= found.total
    True
    """
    began = clock.perf_counter()
    threads = arguments.some(threads, "the number of threads", least=1, most=MOST_PROCESSORS)
    arguments.number(time, "the time")
    arguments.call(progress, "progress")
    checkpoint = None if checkpoint is None else arguments.file(checkpoint, "the checkpoint")
    rules = Rules.of(rules).with_limit(None)
    check_size(rules)
    near = Near(Board.of(rules), threads=threads or usable_processors(), began=began, seconds=time)
    keeper = Keeper(near, rules, progress, checkpoint)
    near.progress = keeper.tell
    keeper.load()
    trouble = None
    with held(near.clock.cancel):
        # Workers are started where the search takes twice what starting them is worth.
        if crew is not None and (crew.started or time > 2.0 * crew.worth):
            near.others = SharedAnswers(near, rules, crew)
        try:
            near.run()
        except WorkersError as error:
            trouble = error
            near.finish()
        with held(near.clock.note):
            tree = near.tree()
            keeper.save()
    total = tree.total
    found = Solution(
        rules=rules,
        size=len(near.board.secrets),
        value=Value(min(near.bounds.lower, total), total),
        root=tree,
        worst_value=None,
        is_impossible=False,
        seconds=clock.perf_counter() - began,
        nodes=near.nodes,
        is_interrupted=near.clock.cancelled,
        is_hasty=near.is_hasty,
    )
    if trouble is not None:
        trouble.made = found
        raise trouble
    return found


def check_size(rules: Rules) -> None:
    """Raise TooLargeError for boards that the search does not take."""
    if not (rules.is_symmetric and rules.kind in {STANDARD, BLACK}):
        raise TooLargeError(
            "the search for good strategies without proof knows standard and black boards, not {rules}", rules
        )
    if not Reach.of(rules).can_be_raised:
        raise TooLargeError(
            "{rules} has {secrets:,} secrets and {guesses:,} guesses; the search for good strategies takes at most "
            "{most_secrets:,} and {most_guesses:,}",
            *(rules, rules.secret_count, rules.guess_count, MOST_SECRETS, MOST_GUESSES),
        )
    labels = compact_labels(rules.pegs, by_color=rules.feedback.about.common == "copies")[1]
    if labels > MOST_LABELS or rules.symbols_in_guesses > MOST_COLORS:
        raise TooLargeError(
            "{rules} has {feedbacks} feedbacks and {colors} colors; the search for good strategies takes at most "
            "{most_feedbacks} and {most_colors}",
            *(rules, labels, rules.symbols_in_guesses, MOST_LABELS, MOST_COLORS),
        )


class Keeper:
    """Tells how the search stands and writes its values to a file, now and then."""

    def __init__(
        self, near: Near, rules: Rules, progress: Callable[[SearchProgress], None] | None, path: str | Path | None
    ) -> None:
        self.near, self.rules, self.progress = near, rules, progress
        self.path = None if path is None else Path(path)
        self.saved = clock.perf_counter()

    def tell(self) -> None:
        """Report progress, and save where that is due."""
        near = self.near
        if self.progress is not None:
            opening = near.best_opening()
            total = near.known.total(opening)
            self.progress(
                SearchProgress(
                    tuple(near.board.guesses[opening].tolist()),
                    len(near.order),
                    near.bounds.lower,
                    total if total < INF else None,
                    near.nodes,
                    clock.perf_counter() - near.clock.began,
                )
            )
        if clock.perf_counter() > self.saved + 20.0:
            self.save()

    def save(self) -> None:
        """Write the values of sets and the estimates; the file is written whole or not at all."""
        if self.path is None:
            return
        near, content, in_files = self.near, io.BytesIO(), self.near.board.in_files
        known = list(near.known.of.items())  # a copy: other threads go on
        state: dict[str, Any] = near.model.state()
        sets = np.array([found for _, found in known], np.int32).reshape(-1, 3)
        is_guess = sets[:, 1] != NO_GUESS
        sets[is_guess, 1] = in_files[sets[is_guess, 1]]
        np.savez_compressed(
            content,
            title=np.array(self._title()),
            names=np.array([name for name, _ in known], np.uint64),
            sets=sets,
            order=in_files[near.order],
            ranked=np.array([near.ranked.get(opening, 0.0) for opening in near.order]),
            **state,
        )
        write_whole(self.path, content.getvalue(), OWN)
        self.saved = clock.perf_counter()

    def load(self) -> None:
        """Read the checkpoint of an earlier search; raises InputError where it is damaged or of another board.

        And where there is no folder to write it to: said before the search, and not after it.
        """
        if self.path is None or not is_begun(self.path):
            return
        content = read_bytes(self.path)
        try:
            data = parse_arrays(content)
            title = str(data["title"])
            if title == self._title():
                self._take(data)
        except (ValueError, LookupError, TypeError) as error:
            raise InputError(
                "{file} is no checkpoint of this search, or damaged: {error}", shown(self.path), error
            ) from None
        if title != self._title():
            raise InputError(
                "{file} keeps a search of another kind ({title}), not of {rules}",
                *(shown(self.path), shown(title), self.rules),
            )

    def _take(self, data: dict[str, Any]) -> None:
        near = self.near
        sets = data["sets"].copy()
        guesses_kept = sets[:, 1]
        if ((guesses_kept < 0) | (guesses_kept >= len(near.board.guesses)) & (guesses_kept != NO_GUESS)).any():
            raise ValueError(Told("it names guesses that do not exist"))
        rows = np.argsort(near.board.in_files)
        is_guess = guesses_kept != NO_GUESS
        guesses_kept[is_guess] = rows[guesses_kept[is_guess]]
        near.order = rows[data["order"]].tolist()
        near.model.restore(data)
        if data["ranked"].any():
            near.ranked = dict(zip(near.order, data["ranked"].tolist(), strict=True))
        for name, (value, guess, effort) in zip(data["names"].tolist(), sets.tolist(), strict=True):
            near.known.keep(name, Known(value, guess, effort))

    def _title(self) -> str:
        return f"entropeg near-optimal 1 {self.rules}"

"""Finds the codes that fit some turns on any board, in the way that suits the board.

Where the codes of the board are few they are scanned; where those that fit are few they are built; where nobody can
list them they are sampled by chains. Where these leave open whether there is a code at all, or a further one, the
constraint solver may decide, if its extra is installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from entropeg import arguments
from entropeg.candidates import solver
from entropeg.candidates.build import build_codes, can_build
from entropeg.candidates.chains import Chains, can_walk, code_set
from entropeg.candidates.constraints import AnyTurns, Turns
from entropeg.candidates.domains import Domains
from entropeg.codes import Array, CodeSet, plane_type, random_secret, read_turns, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, Marks
from entropeg.rules import Rules
from entropeg.told import Told, plural

SCANNED = 1_000_000
"""Secrets of a board up to which candidates are found by a pass over the list of all; beyond, they are built peg by
peg."""

STEPS = 5_000_000
"""Steps of the chains, about a tenth of a second; and twice as many symbols may be tried to build."""

EFFORT = 2.0
"""Effort of the solver in its own measure: four to eight seconds."""

FEW = 16
"""Codes found up to which the solver is asked for one more: with many the answer would be yes."""

MOST_CELLS = 100_000
"""Pegs x symbols of boards on which building is tried at all."""

DRAWN = 200_000
"""Pegs of random secrets that are held against the turns where chains cannot walk."""

GAVE_UP = Told("the constraint solver gave up before it could tell whether there are others")

WAYS = {
    "list": Told("all codes of the board scanned"),
    "drawn": Told("drawn from all codes of the board"),
    "built": Told("built peg by peg"),
    "chains": Told("found by chains"),
    "solver": Told("found by the constraint solver"),
}
"""The ways in which codes are found, as they are said."""


class Found(NamedTuple):
    """Codes that fit: `complete` says whether they are all, `method` how they were found.

    The method is `list` (all codes scanned), `drawn` (no turn excludes any), `built` (peg by peg), `chains` or `solver`
    (chains that set off from what the constraint solver found, and its proof that there is no other). `complete` is a
    proof. An answer that is not complete is a sample: of equally likely codes, but under `solver`, which prefers none
    and promises nothing. `open` says what could decide the rest, or why nothing does. `about` is how many fit, where
    that is known or chains give an estimate (`Chains.estimate`), else NaN.
    """

    codes: CodeSet
    complete: bool
    method: str
    open: str = ""
    about: float = float("nan")

    @property
    def says(self) -> str:
        """One sentence: all, a sample, or nothing; and by which way."""
        number, way = len(self.codes), WAYS[self.method]
        if self.complete and self.method == "solver":
            way = Told("found by the constraint solver, which proved that there is no other")
        if self.complete:
            codes = plural(number, "the only code that fits", "all {n} codes that fit")
        else:
            codes = plural(number, "a sample of {n} code that fits", "a sample of {n} codes that fit")
        said = Told("{codes}: {way}", codes, way)
        if not number and not self.complete:
            said = Told("no code that fits was found, and nothing is proved")
        return Told("{found}; {remark}", said, self.open) if self.open else said


def find_candidates(
    rules: Rules | str,
    turns: AnyTurns,
    *,
    limit: int,
    seed: int | np.random.Generator,
    steps: int = STEPS,
    effort: float = EFFORT,
) -> Found:
    """Return the secrets that fit the turns, all of them or a sample of at most `limit`, and say which.

    The same seed gives the same answer. `steps` bounds the work: steps of the chains, and symbols tried when building.
    `effort` bounds that of the constraint solver, which is asked only where chains found no code or hardly any and
    building was given up; 0 leaves it out. Raises ContradictionError where it is proved that no secret fits. Where none
    was found and nothing is proved, the answer is empty and not complete, and `open` says what could decide, as the
    extra that is not installed. Raises InputError for a limit below 1, TooLargeError where no way suits the board.

    >>> found = find_candidates("12x12", [("ABCDEFGHIJKL", (11, 0))], limit=200, seed=1)
    >>> len(found.codes), found.complete, found.method
    (132, True, 'built')
    >>> found.says
    'all 132 codes that fit: built peg by peg'
    """
    rules = Rules.of(rules)
    turns = read_turns(turns, rules)
    if arguments.whole(limit, "the number of codes") < 1:
        raise InputError("{codes} codes were asked for; it must be at least 1", limit)
    if not isinstance(seed, np.random.Generator):
        seed = arguments.seed(seed)
    search = _CandidateSearch(rules, turns, limit, np.random.default_rng(seed), steps, effort)
    found = search.answer()
    if found.complete and not len(found.codes):
        raise ContradictionError(no_secret(rules, len(turns), proved=found.method == "solver"))
    return found


def no_secret(rules: Rules, turns: int, *, proved: bool = False) -> Told:
    """Say that the answers contradict each other, perhaps as the constraint solver proved."""
    if proved:
        return plural(
            turns,
            "no secret of {rules} fits the turn, as the constraint solver proved: at least one answer is wrong",
            "no secret of {rules} fits all {n} turns, as the constraint solver proved: at least one answer is wrong",
            rules,
        )
    return plural(
        turns,
        "no secret of {rules} fits the turn: at least one answer is wrong",
        "no secret of {rules} fits all {n} turns: at least one answer is wrong",
        rules,
    )


@dataclass
class _CandidateSearch:
    """One call of `find_candidates`: what was asked for, and the effort that is left."""

    rules: Rules
    turns: Turns
    limit: int
    rng: np.random.Generator
    steps: int
    effort: float

    def answer(self) -> Found:
        """Go the first way that suits the board."""
        rules, turns, limit = self.rules, self.turns, self.limit
        if rules.secret_count <= SCANNED or not can_build(rules):
            return self._sampled(secrets(rules).consistent(turns), "list")
        if turns and can_walk(rules):
            return self._walked()
        if turns and rules.feedback.about.answer is Marks:
            return self._placed()
        drawn = self._drawn(max(DRAWN // rules.pegs, 2 * limit) if turns else limit)
        if len(drawn) >= limit or not turns:
            about = float("nan") if turns else _as_float(rules.secret_count)
            return Found(self._some(drawn), complete=False, method="drawn", about=about)
        # Symbols that are tried in some seconds; of a million codes that are built a sample is taken.
        steps = 8000 * self.steps // rules.pegs**2
        built = try_to_build(rules, turns, 1_000_000, steps) if is_buildable(rules, turns) else None
        return self._solved() if built is None else self._sampled(built, "built")

    def _drawn(self, number: int) -> CodeSet:
        rows = np.unique([random_secret(self.rules, self.rng) for _ in range(number)], axis=0)
        return self._as_set(rows).consistent(self.turns)

    def _walked(self) -> Found:
        chains = self._chains(None)
        if chains.found <= self.limit:
            built = try_to_build(self.rules, self.turns, self.limit, 2 * self.steps)
            if built is not None:
                return Found(built, complete=True, method="built")
        if chains.found <= min(FEW, self.limit):
            return self._decided(chains.rows)
        about = chains.estimate()
        some = chains.some(self.limit, self.rng)
        return Found(some, complete=False, method="chains", about=about if isfinite(about) else float("nan"))

    def _placed(self) -> Found:
        # Marks by place say which colors each peg may have: a walk among those codes needs no search.
        built = None
        if is_buildable(self.rules, self.turns):
            built = try_to_build(self.rules, self.turns, 1_000_000, 2 * self.steps)
        if built is not None:
            return self._sampled(built, "built")
        domains = Domains.of(self.rules, self.turns)
        rows = domains.drawn(self.limit, self.rng) if domains.tighten() else None
        if rows is None:
            return Found(self._as_set(np.zeros((0, 0))), complete=True, method="chains")
        return Found(self._as_set(np.unique(rows, axis=0)), complete=False, method="chains")

    def _chains(self, start: Array | None) -> Chains:
        # Neighbors in a chain are alike: eight times as many codes are looked for as are wanted.
        chains = Chains(self.rules, self.turns, self.rng, capacity=8 * self.limit, start=start)
        chains.walk(self.steps)
        return chains

    def _decided(self, rows: Array) -> Found:
        # The solver is asked for one code more than the chains know, and they set off from there, until it proves that
        # there is none, there are more than a few, or the effort is spent.
        method, left_open = "chains", self._why_not()
        while not left_open and len(rows) <= min(FEW, self.limit):
            status, code = self._another(rows)
            if status == "none":
                return Found(code_set(self.rules, rows), complete=True, method="solver")
            if code is None:
                left_open = GAVE_UP
                break
            method, fresh = "solver", np.array([code], np.uint8)
            # The hotter chains set off anywhere.
            rows = np.unique(np.concatenate([rows, self._chains(np.repeat(fresh, 4, axis=0)).rows, fresh]), axis=0)
            left_open = "" if self.effort > 0 else GAVE_UP
        if len(rows) > self.limit:
            rows = rows[self.rng.choice(len(rows), self.limit, replace=False)]
        return Found(code_set(self.rules, rows), complete=False, method=method, open=left_open)

    def _solved(self) -> Found:
        # Where neither chains nor building get anywhere: some codes, one after the other.
        left_open = self._why_not()
        if left_open:
            raise TooLargeError(
                "{rules} after {turns} turns has too many codes to build; {remark}",
                *(self.rules, len(self.turns), left_open),
            )
        rows = np.zeros((0, self.rules.pegs), np.int64)
        while len(rows) < self.limit and self.effort > 0:
            status, code = self._another(rows)
            if status == "none":
                return Found(self._as_set(rows), complete=True, method="solver")
            if code is None:
                break
            rows = np.concatenate([rows, np.array([code])])
        left_open = GAVE_UP if len(rows) < self.limit else ""
        return Found(self._as_set(rows), complete=False, method="solver", open=left_open)

    def _another(self, rows: Array) -> tuple[solver.Status, Code | None]:
        seed = int(self.rng.integers(1 << 30))
        known = map(tuple, rows.tolist())
        status, code, spent = solver.find_another(self.rules, self.turns, known, self.effort, seed=seed)
        self.effort -= spent
        return status, code

    def _why_not(self) -> str:
        """Say why the solver is not asked; empty where it is."""
        if not solver.can_solve(self.rules, len(self.turns)):
            return Told("it is too large for the constraint solver too")
        if not solver.is_installed():
            return Told("the constraint solver could decide: {install}", solver.INSTALL)
        return "" if self.effort > 0 else Told("the constraint solver was not asked")

    def _as_set(self, rows: Array) -> CodeSet:
        return code_set(self.rules, rows.reshape(-1, self.rules.pegs).astype(plane_type(self.rules)))

    def _sampled(self, codes: CodeSet, method: str) -> Found:
        complete = len(codes) <= self.limit
        return Found(self._some(codes), complete=complete, method=method, about=float(len(codes)))

    def _some(self, codes: CodeSet) -> CodeSet:
        if len(codes) <= self.limit:
            return codes
        return codes.take(np.sort(self.rng.choice(len(codes), self.limit, replace=False)))


def _as_float(count: int) -> float:
    try:
        return float(count)
    except OverflowError:
        return inf


def is_buildable(rules: Rules, turns: Turns) -> bool:
    """Tell whether it is worth trying to build codes peg by peg; packing the demands of 1000x1000 takes half a minute.

    >>> is_buildable(Rules.parse("1000x1000"), []), is_buildable(Rules.parse("3x10/shapes=5"), [])
    (True, False)
    """
    return can_build(rules) and (not turns or rules.pegs * rules.symbols_in_secrets <= MOST_CELLS)


def try_to_build(rules: Rules, turns: Turns, limit: int, steps: int) -> CodeSet | None:
    """Return all secrets that fit, or None where they are more than `limit` or more than `steps` symbols were tried."""
    try:
        return build_codes(rules, turns, limit=limit, steps=steps)
    except TooLargeError:
        return None

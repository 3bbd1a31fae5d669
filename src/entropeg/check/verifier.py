"""The independent checker of stored lower bounds.

It shares no code with the search, the kernels of play or the rules: NumPy and the definitions alone. Only the bytes of
the file are read by the room `files`, as all files of this program are.

The format is written down in `docs/understand/proofs.md`, as rules of inference first and bytes second. A file of
format 4 has a line for the head, which tells the board (`proven_board`), the witnesses of symmetry (`proven_symmetry`),
what is claimed, and how many lemmas follow; then a line for each lemma, `[history, within, bound, witnesses, guesses]`.
History is a list of `[guess, label]`; it leads to the set S of secrets that give these labels (`proven_labels`), and
the lemma says that no strategy finds all of S in fewer than `bound` guesses in total, of those that take no more than
`within` guesses; without a bound, that there is none of these. `guesses` has `[guess, [[label, lemma, witness], ...]]`:
earlier lemmas on the parts with these labels, renamed by the witness where there is one.

A claim `[within, bound]` must be a lemma without history.

A file with `weights`, a whole number for each secret, is about the sum of weight times guesses in the place of the
number of guesses, and about the secrets whose weight is not 0. All weights 1 are the same as none.

A file that is `hard` is about strategies that use every clue: a peg that was in place keeps its color there, and of
each color a guess has at least as many pegs as had marks in one answer. What may be guessed depends on the history
then, and every set below is a set with its clues. Every secret of S uses them all. One that is `consistent` is about
strategies that guess secrets that are left.

A lemma is checked by trying every guess g: n + sum over the other parts of their bounds >= bound, where n is the
number of secrets, or the sum of their weights. Bounds of a part:

- *sizes*: where a guess of the set that is cut leaves at most q parts of it, its own not counted, and one outside at
  most r, no guess leaves more of a subset. Of x codes either 1 is found by the first guess and q more by the second, at
  most, or none and r; and where s codes at most are found by some number of guesses, by one more at most 1 + q * s or r
  * s. More than can be found within the guesses that are left are not found. Under weights at best the heaviest are
  found first;
- *parts*: a guess with K non-empty parts, itself included, costs at least 3n - K, less 1 if it is in the set, since
  each part but its own costs 2x - 1 at least; the bound of a set is the least over all guesses. Under weights a part of
  weight x whose heaviest code weighs h costs 2x - h at least, so the guess 3n less the heaviest weight of each part,
  and less its own weight once more;
- *lemmas* of a subset, renamed; under rules that make guesses depend on the history, of one that allows at least the
  guesses of the part.

Guesses are one class if a witness of the lemma, which must take S to itself, takes one to the other. Guesses that leave
the same parts are one, too, but for rules that make guesses depend on the history: there those with the same label for
each code of S, and under hard rules the same color at each peg that one of these labels marks elsewhere, since then
they oblige to the same: in place both have what the secrets have.

Files of formats 1 to 3 are one object with `lemmas`, each `[history, bound, guesses]`, without witnesses: the checker
finds those of each history.

    python -m entropeg.check.verifier FILE
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropeg.check.proven_board import EARLIER_FORMATS, FORMAT, ProofError, ProvenBoard, board_of, check_fields
from entropeg.check.proven_bounds import HOPELESS, NO_USE, Left, SetBounds, WeightedSetBounds
from entropeg.check.proven_labels import most_labels
from entropeg.check.proven_symmetry import Images
from entropeg.files import parse_json, read_bytes, shown, unpacked
from entropeg.files.reading import decoded
from entropeg.kernels.switch import can_compile, mode
from entropeg.told import Told


class Lemma(NamedTuple):
    """A lemma as it stands in a file. `witnesses` are None where the file states none and they have to be found."""

    history: list[list[int]]
    within: int | None
    bound: int
    witnesses: list[int] | None
    guesses: list[Any]


class Established(NamedTuple):
    """What a checked lemma says."""

    left: Left
    within: int | None
    bound: int


class Verifier:
    """Checks the lemmas about the sets of a board, one after the other."""

    def __init__(self, sets: SetBounds, witnesses: Sequence[Any] = ()) -> None:
        """Begin with no lemma. Raises ProofError for a witness that is no symmetry."""
        self.sets = sets
        self.images = [sets.symmetry.images(number, witness) for number, witness in enumerate(witnesses)]

    def check(self, lemmas: Iterable[Any], progress: Callable[[int], object] | None = None) -> list[Established]:
        """Check every lemma and return what they say. Raises ProofError at the first step that does not hold.

        ``progress`` is told how many are checked.
        """
        proven: list[Established] = []
        for number, written in enumerate(lemmas):
            lemma = lemma_of(written, len(self.sets.board.guesses))
            if lemma is None:
                raise ProofError("lemma {number} is not written as lemmas are: [history, bound, guesses]", number)
            if progress is not None:
                progress(number)
            left = self.sets.reached(lemma.history)
            if not len(left.codes):
                raise ProofError("lemma {number} is about no code: none gives these labels", number)
            self._check_lemma(number, lemma, left, proven)
            proven.append(Established(left, lemma.within, lemma.bound))
        if not proven:
            raise ProofError("the proof has no lemma")
        return proven

    def _check_lemma(self, number: int, lemma: Lemma, left: Left, proven: list[Established]) -> None:
        """Check that no guess is below the bound."""
        images = [image.guesses for image in self._kept(number, lemma, left)]
        costs: dict[int, dict[int, int]] = {}
        for guess, parts in lemma.guesses:
            costs[guess] = {}
            for label, *named in parts:
                place = self.sets.place.get(label, self.sets.win + 1)
                if place != self.sets.win and (self.sets.label[left.codes, guess] == place).any():
                    part = self.sets.part(left, guess, place)
                    costs[guess][place] = self._named(number, named, lemma.within, proven, part, guess)
        for guess, value in self.sets.unrefuted(left, lemma.bound, lemma.within, images, costs)[:1]:
            if guess in costs:
                raise ProofError(
                    "lemma {number}: guess {guess} is bounded by {value}, not by {bound}",
                    *(number, guess, value, lemma.bound),
                )
            raise ProofError("lemma {number}: guess {guess} is not refuted", number, guess)

    def _kept(self, number: int, lemma: Lemma, left: Left) -> Iterable[Images]:
        """The symmetries that the lemma names, each of which must take the set to itself."""
        if lemma.witnesses is None:
            # After more than two guesses hardly any symmetry is left.
            found = self.sets.symmetry.found(lemma.history) if len(lemma.history) <= 2 and lemma.guesses else []
            return [self.sets.symmetry.images(number, witness) for number, witness in enumerate(found)]
        for witness in lemma.witnesses:
            if not 0 <= witness < len(self.images) or not self.sets.is_kept(left, self.images[witness]):
                raise ProofError("lemma {number}: witness {witness} does not take its set to itself", number, witness)
        return [self.images[witness] for witness in lemma.witnesses]

    def _named(
        self, number: int, named: list[int], within: int | None, proven: list[Established], part: Left, guess: int
    ) -> int:
        """The bound of a lemma that must be about codes of this part, allow at least its guesses, and stand before."""
        if not 0 <= named[0] < len(proven):
            raise ProofError("lemma {number} rests on lemma {named}, which does not come before it", number, named[0])
        lemma, image = proven[named[0]], None
        if len(named) > 1:
            if not 0 <= named[1] < len(self.images):
                raise ProofError("lemma {number}: there is no witness {witness}", number, named[1])
            image = self.images[named[1]]
        if lemma.within is not None and (within is None or within - 1 > lemma.within):
            raise ProofError("lemma {number}: lemma {named} is about fewer guesses", number, named[0])
        if not self.sets.holds_of(lemma.left, part, image):
            raise ProofError(
                "lemma {number}: lemma {named} is about other codes than guess {guess}", number, named[0], guess
            )
        if not self.sets.allows(lemma.left, part, image):
            raise ProofError(
                "lemma {number}: lemma {named} is about fewer guesses than are allowed after {guess}",
                *(number, named[0], guess),
            )
        return lemma.bound


def sets_of(head: dict[str, Any], weight: Any = None, *, is_compiled: bool | None = None) -> SetBounds:
    """The sets of the board that a head tells, with weights or without. Raises ProofError where it is none.

    ``is_compiled`` chooses between NumPy and compiled loops, where there are any for the board.
    """
    return _bounds_of(board_of(head), weight, is_compiled=is_compiled)


def _bounds_of(board: ProvenBoard, weight: Any = None, *, is_compiled: bool | None = None) -> SetBounds:
    if weight is not None:
        return WeightedSetBounds(board, weight)
    if is_compiled is None:  # to load compiled code takes as long as NumPy does for so many pairs
        is_compiled = (
            can_compile()
            and mode() != "no"
            and (mode() == "always" or len(board.secrets) * len(board.guesses) > 1 << 21)
        )
    labels = (
        most_labels(board.feedback, board.secrets.shape[1]) if board.labels is None else int(board.labels.max()) + 1
    )
    depends_on_history = board.is_hard or board.is_consistent
    if is_compiled and labels <= 64 and not depends_on_history:
        from entropeg.check.compiled import CompiledBounds

        return CompiledBounds(board)
    return SetBounds(board)


def lemma_of(written: Any, codes: int) -> Lemma | None:
    """The lemma where these are lists of numbers as a lemma has them, its guesses codes of the board."""
    if not (isinstance(written, list) and len(written) in {3, 5}):
        return None
    if len(written) == 3:  # of formats 1 to 3
        written = [written[0], None, written[1], None, written[2]]
        if type(written[2]) is not int:
            return None
    history, within, bound, witnesses, guesses = written
    is_earlier = witnesses is None
    if not (isinstance(history, list) and isinstance(guesses, list) and (is_earlier or isinstance(witnesses, list))):
        return None
    parts = [part[1] for part in guesses if isinstance(part, list) and len(part) == 2]
    if len(parts) < len(guesses) or not all(isinstance(some, list) for some in parts):
        return None
    named = [part for some in parts for part in some]
    is_right = (
        (within is None or type(within) is int)
        and (type(bound) is int and bound < HOPELESS if bound is not None else within is not None)
        and all(isinstance(some, list) for some in (*history, *named))
        and all(type(one) is int for some in (*history, *named, witnesses or []) for one in some)
        and all(len(turn) == 2 for turn in history)
        and all(len(part) == 2 or (len(part) == 3 and not is_earlier) for part in named)
        and all(type(guess) is int and 0 <= guess < codes for guess, _ in (*history, *guesses))
    )
    return Lemma(history, within, NO_USE if bound is None else bound, witnesses, guesses) if is_right else None


def read_proof(path: str | Path) -> tuple[dict[str, Any], Iterable[Any]]:
    """The head as it stands in the file, and the lemmas, one after the other."""
    content = read_bytes(path)
    content = unpacked(content) if content[:2] == b"\x1f\x8b" else content
    first, *others = content.split(b"\n", 1)
    data = parse_json(decoded(first if others and others[0].strip() else content, shown(path)))
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, *EARLIER_FORMATS):
        raise ProofError("it is no proof of a lower bound that this program reads ({format}, or 1 to 3)", FORMAT)
    if data["format"] != FORMAT:
        check_fields(data, {"bound": int, "lemmas": list})
        is_other = data["format"] == EARLIER_FORMATS[2]
        if is_other == ("black" in data):
            raise ProofError(
                Told("its 'feedback' is missing") if is_other else Told("its 'black' is missing, or not true or false")
            )
        data["claims"], lemmas = [[None, data["bound"]]], data["lemmas"]
        data["witnesses"] = []
        return {**data, "lemmas": len(lemmas)}, lemmas
    check_fields(data, {"lemmas": int, "witnesses": list, "claims": list})
    if "black" in data:
        raise ProofError("its 'feedback' is missing")
    lines = others[0].splitlines() if others else []
    if len(lines) != data["lemmas"]:
        raise ProofError("it has {found:,} lemmas in the place of {told:,}", len(lines), data["lemmas"])
    return data, (parse_json(decoded(line, shown(path)), number) for number, line in enumerate(lines, start=2))


def sets_in(data: dict[str, Any]) -> SetBounds:
    """The sets of the board that a file is about, with its weights. Raises ProofError where it tells none."""
    first, weighted, _ = EARLIER_FORMATS
    is_weighted = data["format"] == weighted or ("weights" in data and data["format"] != first)
    board = board_of(data)
    if not is_weighted:
        return _bounds_of(board)
    weights, codes = data.get("weights"), len(board.secrets)
    if not (isinstance(weights, list) and len(weights) == codes and all(type(w) is int and w >= 0 for w in weights)):
        raise ProofError("its weights are not {codes:,} whole numbers, one a code", codes)
    most = 1 << 50  # so that no bound reaches NO_USE
    if not 0 < sum(weights) <= most:
        raise ProofError(
            "its weights sum up to {weight}; proofs are checked of sums from 1 to {most:,}", sum(weights), most
        )
    return _bounds_of(board, weights)


class Proven(NamedTuple):
    """A proven bound: no strategy for these codes has a smaller total, or sum of weight times guesses."""

    rules: str
    codes: int
    bound: int | None
    """None where no strategy takes no more than `within` guesses."""
    weight: int | None = None
    """Sum of the weights; None without weights."""
    within: int | None = None
    """The bound is that of strategies that never take more guesses; None for all."""
    impossible: int | None = None
    """No strategy finds every code within so many guesses; None where nothing is said of it."""
    has_pegs: bool = True
    """Whether codes are pegs with colors: those of a table of answers are secrets by name."""

    def __str__(self) -> str:
        if self.weight is not None:
            return Told(
                "{rules} under the weights of the file: weighted total >= {bound} guesses over {codes:,} codes, "
                "expected >= {expected:.10g} (verified)",
                *(self.rules, self.bound, self.codes, (self.bound or 0) / self.weight),
            )
        impossible = Told("{codes:,} codes are not found within {most} guesses", self.codes, self.impossible)
        if self.bound is None:
            return Told("{rules}: {impossible} (verified)", self.rules, impossible)
        codes = Told("{codes:,} codes", self.codes)
        if self.within is not None:
            codes = Told("{codes:,} codes by strategies of at most {most} guesses", self.codes, self.within)
        if self.impossible is not None:
            codes = Told("{codes}; {impossible}", codes, impossible)
        return Told("{rules}: total >= {bound} guesses over {codes} (verified)", self.rules, self.bound, codes)


def verify(path: str | Path, progress: Callable[[int, int], object] | None = None) -> Proven:
    """Return what a proof file proves.

    ``progress`` is told how many of how many lemmas are checked. 4x6 takes half a processor second on a 2.5 GHz Xeon,
    300 words with 1,000 guesses 0.12, 1,000 with 4,000 14: the time grows with pairs of secrets and guesses, and with
    guesses that have to be looked at. Costs memory for all pairs: a byte for the label, and a bit for each label up to
    `proven_board.STORED` bytes.

    Raises ProofError at the first step that does not hold, InputError where the file cannot be read.
    """
    data, lemmas = read_proof(path)
    sets = sets_in(data)
    claims = claims_of(data)
    told = None if progress is None else lambda done: progress(done, data["lemmas"])
    proven = Verifier(sets, data["witnesses"]).check(lemmas, told)
    all_codes = int(np.count_nonzero(sets.weight))
    known = {(one.within, one.bound) for one in proven if len(one.left.codes) == all_codes}
    for within, bound in claims:
        if (within, bound) not in known and bound == NO_USE:
            raise ProofError("no lemma says that {codes} codes are not found within {most} guesses", all_codes, within)
        if (within, bound) not in known:
            raise ProofError("no lemma says that all {codes} codes take {guesses} guesses", all_codes, bound)
    weight = sets.whole(np.flatnonzero(sets.weight)) if isinstance(sets, WeightedSetBounds) else None
    impossible = max((within for within, bound in claims if within is not None and bound == NO_USE), default=None)
    total = next(((bound, within) for within, bound in claims if bound != NO_USE), (None, None))
    name = Told("{rules} by possible codes alone", sets.board.name) if sets.board.is_consistent else sets.board.name
    return Proven(name, all_codes, total[0], weight, total[1], impossible, sets.board.labels is None)


def claims_of(data: dict[str, Any]) -> list[tuple[int | None, int]]:
    """What is claimed: one total at most, and guesses within which not every code is found."""
    claims = []
    for claim in data["claims"]:
        is_pair = isinstance(claim, list) and len(claim) == 2 and all(one is None or type(one) is int for one in claim)
        if not is_pair or claim == [None, None]:
            raise ProofError("its claims are not pairs of a number of guesses, or none, and a bound")
        claims.append((claim[0], NO_USE if claim[1] is None else claim[1]))
    if not claims or sum(bound != NO_USE for _, bound in claims) > 1:
        raise ProofError("it claims nothing, or more than one total")
    if "weights" in data and any(within is not None for within, _ in claims):
        raise ProofError("it is about weights and a limit, and such proofs are not checked")
    return claims


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("name one file: python -m entropeg.check.verifier FILE")
    try:
        proven = verify(sys.argv[1])
    except (ValueError, MemoryError) as error:
        sys.exit(f"refused: {error}")
    sys.stdout.write(f"{proven}\n")

"""A proof with every step written out, for the checker that is itself proven (`formal/`), and what it says of it.

Stored proofs leave to the verifier what it can find: bounds by sizes of parts, classes of guesses. The proven checker
finds nothing. Here each bound of a set becomes a lemma, each class a list of images by a witness, each guess that
leaves the same parts as another one an entry of its own. None of this has to be trusted: what is wrong is refused.

What is written is numbers apart by spaces, as `formal/driver.ml` reads them; 0 stands for nothing where nothing may
stand, and n + 1 for n.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropeg.check.proven_board import FORMAT, ProofError
from entropeg.check.proven_bounds import NO_USE, Left, SetBounds
from entropeg.check.proven_labels import FEEDBACKS
from entropeg.check.verifier import claims_of, lemma_of, read_proof, sets_in
from entropeg.errors import InputError

HUGE = 1 << 40
"""The bound of sets that cannot be found within a limit, and the greatest number that the checker reads."""
CHECKER = "entropeg-checker"
VERSION = f"{CHECKER} 4"

Witness = tuple[tuple[int, tuple[int, ...]], ...]
"""For each peg the one that it takes, and new colors for old ones."""
LemmasByPlace = dict[int, tuple[int, Witness | None]]
"""By place of the label, an explicit lemma and the witness that takes its codes into the part."""


class UncoveredError(InputError):
    """A proof is of a kind that the proven checker does not take, which says nothing against it."""


class Explicit(NamedTuple):
    """A proof in which nothing is left to find."""

    head: list[int]
    """The board and the claims, which the checker has to repeat."""
    rests: list[int]
    """For each claim, the number of its lemma."""
    witnesses: list[Witness]
    lemmas: list[str]

    def text(self) -> str:
        """What the checker reads."""
        witnesses = [len(self.witnesses), *(n for one in self.witnesses for old, names in one for n in (old, *names))]
        return "\n".join(
            [_words(self.head), _words(self.rests), _words(witnesses), str(len(self.lemmas)), *self.lemmas, ""]
        )


def explicit(path: str | Path, progress: Callable[[int, int], object] | None = None) -> Explicit:
    """Write the steps of a proof out that `verify` accepts. Raises UncoveredError for kinds that are not covered."""
    data, lemmas = read_proof(path)
    if data["format"] != FORMAT:
        raise UncoveredError("it is of an earlier format, and proofs of format 4 are taken, as they are written now")
    if data.get("table"):
        raise UncoveredError("it is about a table of answers, and proofs about colors and words are taken")
    sets = sets_in(data)
    if max(2 * int(sets.weight.sum()), *(bound for _, bound in claims_of(data) if bound != NO_USE), 0) > HUGE:
        raise UncoveredError("its weights are too great, and numbers up to {most:,} are taken", HUGE)
    made = _StepWriter(sets, data["witnesses"])
    for number, written in enumerate(lemmas):
        if progress is not None:
            progress(number, data["lemmas"])
        try:
            made.add(written)
        except (IndexError, KeyError):
            raise ProofError("lemma {number} is not written as lemmas are: [history, bound, guesses]", number) from None
    claims, everything = claims_of(data), sets.reached([]).key
    for within, bound in claims:
        if (everything, within) not in made.found:
            raise ProofError("no lemma says that all {codes} codes take {guesses} guesses", len(sets.label), bound)
    rests = [made.found[everything, within][0] for within, _ in claims]
    said = [_optional(one) for within, bound in claims for one in (within, None if bound == NO_USE else bound)]
    return Explicit([*_board(data, sets), len(claims), *said], rests, list(made.numbers), made.lines)


def _board(data: dict[str, Any], sets: SetBounds) -> list[int]:
    """The board as numbers; secrets first among words, as they are numbered."""
    board, weighed = sets.board, np.flatnonzero(sets.weight != 1).tolist()
    rule = [1 if board.is_consistent else 2 if board.is_hard else 0, len(weighed)]
    for code in weighed:
        rule += [*board.secrets[code].tolist(), int(sets.weight[code])]
    feedback = [FEEDBACKS.index(board.feedback), board.shapes]
    if board.is_list:
        probes = np.delete(board.guesses, sets.guess_of, axis=0)
        words = [number for codes in (board.secrets, probes) for number in (len(codes), *codes.ravel().tolist())]
        return [sets.pegs, board.symbols, *feedback, 1, 1, 0, 0, *words, *rule]
    blanks = [data["blanks"] == "both", data["blanks"] != "none"]
    return [
        sets.pegs,
        data["colors"],
        *feedback,
        data["repeats"],
        data["guess_repeats"],
        *map(int, blanks),
        0,
        0,
        *rule,
    ]


class _StepWriter:
    """Explicit lemmas, one for each set and bound that is asked for."""

    def __init__(self, sets: SetBounds, witnesses: Sequence[Any]) -> None:
        self.sets, self.lines = sets, list[str]()
        self.images = [sets.symmetry.images(number, one) for number, one in enumerate(witnesses)]
        self.witnesses: list[Witness] = [
            tuple((old, tuple((names * sets.pegs)[peg])) for peg, old in enumerate(order))
            for order, *names in witnesses
        ]
        self.numbers: dict[Witness, int] = {}
        guesses = np.arange(len(sets.board.guesses))
        # Words come first among guesses, whatever else may be guessed.
        first = np.concatenate([sets.guess_of, np.delete(guesses, sets.guess_of)]) if sets.board.is_list else guesses
        self.guess_number: list[int] = np.argsort(first).tolist()
        self.found: dict[tuple[Any, int | None], tuple[int, int]] = {}
        self.of_file: list[int] = []
        self.bounds: list[int] = []

    def number(self, witness: Witness | None) -> int:
        """The number of a witness plus 1; 0 for none."""
        return 0 if witness is None else 1 + self.numbers.setdefault(witness, len(self.numbers))

    def add(self, written: Any) -> None:
        """Make explicit a lemma of the file."""
        lemma = lemma_of(written, len(self.sets.board.guesses))
        if lemma is None:
            raise KeyError(written)
        entries: dict[int, LemmasByPlace] = {}
        for guess, parts in lemma.guesses:
            entries[guess] = {}
            for label, named, *witness in parts:
                back = inverse(self.witnesses[witness[0]]) if witness else None
                entries[guess][self.sets.place.get(label, self.sets.win + 1)] = self.of_file[named], back
        history = [(guess, self.sets.place[label]) for guess, label in lemma.history]
        left = self.sets.reached(lemma.history)
        if not len(left.codes):
            raise KeyError(written)
        self.of_file.append(self.prove(left, history, lemma.within, lemma.bound, lemma.witnesses or [], entries))

    def prove(
        self,
        left: Left,
        history: list[tuple[int, int]],
        within: int | None,
        bound: int,
        kept: Sequence[int] = (),
        entries: dict[int, LemmasByPlace] | None = None,
    ) -> int:
        """The number of a lemma that a set takes so many guesses, made where there is none."""
        key = left.key, within
        number, known = self.found.get(key, (0, -1))
        if known >= bound:
            return number
        refuted, orbits = dict[int, LemmasByPlace](), list[tuple[int, list[int]]]()
        if bound > self.sets.few(left.codes) or within is not None:
            self.refute(left, history, within, bound, kept, entries or {}, refuted, orbits)
        words = [len(history)]
        for guess, place in history:
            words += [self.guess_number[guess], self.label(place)]
        words += [
            _optional(within),
            min(bound, HUGE),
            len(kept),
            *(self.number(self.witnesses[one]) - 1 for one in kept),
        ]
        words.append(len(refuted))
        for guess, named in refuted.items():
            words += [self.guess_number[guess], len(named)]
            for place, (lemma, witness) in named.items():
                words += [self.label(place), lemma, self.number(witness)]
        words.append(len(orbits))
        for image, guesses in orbits:
            words += [image, len(guesses), *guesses]
        self.lines.append(_words(words))
        self.bounds.append(bound)
        self.found[key] = len(self.lines) - 1, bound
        return len(self.lines) - 1

    def label(self, place: int) -> int:
        """A label as the checker has it: 0 for the complete hit."""
        return 0 if place == self.sets.win else int(self.sets.labels[place]) + 1

    def refute(  # noqa: C901, PLR0913, PLR0917 - as above, and where to
        self,
        left: Left,
        history: list[tuple[int, int]],
        within: int | None,
        bound: int,
        kept: Sequence[int],
        entries: dict[int, LemmasByPlace],
        refuted: dict[int, LemmasByPlace],
        orbits: list[tuple[int, list[int]]],
    ) -> None:
        """Find how each guess that sizes do not refute is refuted: by its parts, or as an image of another one."""
        sets = self.sets
        if bound <= sets.floor(left.codes, sets.fan(left)) or len(left.codes) > sets.most_found(sets.fan(left), within):
            return
        open_ = sets.open_guesses(left, bound, within).tolist()
        done: dict[int, tuple[int, tuple[int, ...]]] = {}
        alike: dict[int, int] = {}
        kinds = dict(zip(open_, sets.alike(left, np.array(open_, np.int64)).tolist(), strict=True))
        waiting = [*(guess for guess in entries if guess in kinds), *open_]
        while waiting:
            later = []
            for guess in waiting:
                if guess in done:
                    continue
                named: LemmasByPlace | None = None
                if guess not in entries and kinds[guess] in alike:
                    named = self.same(left, guess, alike[kinds[guess]], refuted, done)
                elif guess in entries or len(waiting) >= len(open_):  # by its parts in the first round alone
                    named = self.cost(left, history, guess, within, bound, entries.get(guess, {}))
                if named is None:
                    later.append(guess)
                    continue
                refuted[guess], done[guess] = named, (guess, ())
                for image in [guess, *self.spread(guess, kept, done, orbits)]:
                    if image in kinds:
                        alike.setdefault(kinds[image], image)
            if later and len(later) == len(waiting):
                raise ProofError("guess {guess} is refuted by no step that can be written out", later[0])
            waiting = later

    def spread(
        self,
        guess: int,
        kept: Sequence[int],
        done: dict[int, tuple[int, tuple[int, ...]]],
        orbits: list[tuple[int, list[int]]],
    ) -> list[int]:
        """The further images of a guess, each noted with the witnesses that lead there."""
        found, front = list[int](), [guess]
        while front:
            before = len(found)
            for at, one in enumerate(kept):
                moved = self.images[one].guesses
                new = {int(moved[each]): each for each in front if int(moved[each]) not in done}
                if new:
                    orbits.append((at, list(new.values())))
                done.update({image: (done[each][0], (*done[each][1], one)) for image, each in new.items()})
                found += new
            front = found[before:]
        return found

    def same(
        self,
        left: Left,
        guess: int,
        other: int,
        refuted: dict[int, LemmasByPlace],
        done: dict[int, tuple[int, tuple[int, ...]]],
    ) -> LemmasByPlace:
        """The lemmas by which another guess with the same parts is refuted, itself the image of one that names them."""
        first, chain = done[other]
        codes = moved = left.codes
        through: Witness | None = None
        for one in chain:
            moved = self.images[one].secrets[moved]
            through = after(self.witnesses[one], through)
        named: LemmasByPlace = {}
        for code, image in zip(codes.tolist(), moved.tolist(), strict=True):
            place = int(self.sets.label[code, first])
            if place in refuted[first]:
                lemma, witness = refuted[first][place]
                back = witness if through is None else after(through, witness)
                named[int(self.sets.label[image, guess])] = lemma, back
        return named

    def cost(
        self,
        left: Left,
        history: list[tuple[int, int]],
        guess: int,
        within: int | None,
        bound: int,
        named: LemmasByPlace,
    ) -> LemmasByPlace | None:
        """The lemmas on the parts of a guess that together reach the bound: those that are named first, then others."""
        sets, after_it = self.sets, None if within is None else within - 1
        labels = sets.label[left.codes, guess]
        sizes = np.bincount(labels, minlength=sets.win + 1)
        low = sets.floors(left, labels).tolist()
        chosen = {place: one for place, one in named.items() if place < sets.win and sizes[place]}
        total = sets.whole(left.codes) + sum(low)
        for place, (lemma, _) in chosen.items():
            more = max(low[place], self.bounds[lemma])
            total, low[place] = total + more - low[place], more
        for place in np.argsort(sizes[: sets.win], kind="stable").tolist():
            if total >= bound:
                break
            if sizes[place] > 2 or (sizes[place] and after_it is not None):
                part = sets.part(left, guess, place)
                more = sets.set_bound(part, after_it)
                if more > low[place]:
                    total += more - low[place]
                    chosen[place] = self.prove(part, [*history, (guess, place)], after_it, more), None
        return chosen if total >= bound else None


def inverse(witness: Witness) -> Witness:
    """The witness that takes every code back."""
    back = sorted((old, peg, names) for peg, (old, names) in enumerate(witness))
    return tuple((peg, tuple(int(at) for at in np.argsort(names))) for _, peg, names in back)


def after(second: Witness, first: Witness | None) -> Witness:
    """The witness that does as both do, one after the other."""
    if first is None:
        return second
    return tuple((first[old][0], tuple(names[name] for name in first[old][1])) for old, names in second)


def _words(numbers: Iterable[int]) -> str:
    return " ".join(map(str, map(int, numbers)))


def _optional(number: int | None) -> int:
    return 0 if number is None else 1 + number


def checker() -> str:
    """The proven checker: on the path, or built by `make proven`. Raises InputError where there is none."""
    built = Path(__file__).parents[3] / "formal" / CHECKER
    found = shutil.which(CHECKER) or (str(built) if built.is_file() else None)
    if found is None:
        raise InputError("the proven checker is not there: `make proven` builds it; its program is {name}", CHECKER)
    return found


def ask(proof: Explicit) -> None:
    """Have the proven checker read a proof. Raises ProofError unless it accepts it, for this board and these claims.

    Raises UncoveredError where it takes no such board, and InputError where it does not run.
    """
    program = checker()
    try:
        done = subprocess.run(  # noqa: S603 - its own path or the one of the user
            [program], input=proof.text(), capture_output=True, text=True, check=False, errors="replace"
        )
    except OSError as error:
        raise InputError("the proven checker {file} does not run: {error}", program, error.strerror) from None
    version, _, said = done.stdout.strip().partition(": ")
    if version != VERSION:
        raise InputError(
            "the proven checker {file} is another one, or has crashed (exit code {code})", program, done.returncode
        )
    if done.returncode == 3:
        raise UncoveredError("it says {why!r}", said.removeprefix("unreadable: "))
    if done.returncode or said != f"accepted: {_words(proof.head)}":
        raise ProofError("the proven checker does not accept it")

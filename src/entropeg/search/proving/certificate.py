"""Writing down why no strategy is better: the lemmas that `check.verifier` checks by code of its own.

The search is the oracle: it says which parts have to be bounded by how much so that a guess is refuted. Only what
the verifier's formulas do not see by themselves is written.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.check.proven_board import EARLIER_FORMATS, FORMAT, MOST_PEGS, ProofError, check_memory
from entropeg.check.proven_bounds import NO_USE, Left, SetBounds
from entropeg.check.proven_symmetry import Images
from entropeg.check.verifier import sets_of
from entropeg.codes import guesses, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import Method, check_known
from entropeg.files import FileKind, write_whole
from entropeg.rules import Blanks, Rules
from entropeg.told import Told


def _is_proof(content: bytes) -> bool:
    if content.startswith(b"\x1f\x8b"):
        content = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, 100)
    return any(content.startswith(b'{"format":"%s"' % kind.encode()) for kind in (FORMAT, *EARLIER_FORMATS))


KIND = FileKind(Told("a proof of a lower bound"), _is_proof)

MOST_CELLS = 4_000_000
"""Answers of a table that a proof holds."""

SHARED = 60
"""Codes of a part beyond which it is asked for its share alone of what is missing, before it is asked for all of it."""

History = list[list[int]]
BoundClaim: TypeAlias = "tuple[int | None, int | None]"


def check_provable(rules: Rules) -> None:
    """Raise InputError for feedback that no proof is written for, TooLargeError for boards that cannot be checked."""
    check_known(rules, Method.proofs)
    if rules.secret_bits > 64.0:
        return  # no search begins there
    if rules.feedback.about.is_listed:
        if rules.secret_count * rules.guess_count > MOST_CELLS:
            raise TooLargeError(
                "proofs hold the whole table, of {most:,} answers at most: {rules} has more", MOST_CELLS, rules
            )
        return
    if rules.words is None and rules.pegs > MOST_PEGS:
        raise TooLargeError("proofs are checked of boards of up to {most} pegs, and {rules} has more", MOST_PEGS, rules)
    try:
        check_memory(rules.secret_count, rules.guess_count, rules.feedback.name, rules.pegs)
    except ProofError as error:
        raise TooLargeError("a proof for {rules} could not be checked: {error}", rules, error) from None


def head_of(rules: Rules, weights: NDArray[np.int64] | None = None, *, consistent: bool = False) -> dict[str, Any]:
    """The head of the file: all that the verifier is told of the board, and the text of the rules."""
    feedback, words = rules.feedback, rules.words
    head: dict[str, Any] = {"format": FORMAT, "rules": str(replace(rules, prior=None, guess_limit=None))}
    if feedback.about.is_listed:
        hidden, asked = secrets(rules), guesses(rules)
        labels = rules.table.labels[
            np.ix_(rules.table.at(asked.planes, secret=False), rules.table.at(hidden.planes, secret=True))
        ]
        table = {"secrets": hidden.planes.T.tolist(), "guesses": asked.planes.T.tolist(), "labels": labels.tolist()}
        head |= {"feedback": "table", "digest": rules.table.digest, "consistent": consistent, "table": table}
        return head if weights is None else {**head, "weights": weights.tolist()}
    if words is not None:
        options = [feedback.name] * bool(feedback) + ["hard"] * rules.hard
        head["rules"] = "/".join(["words", *options])
    head |= {"feedback": feedback.name, "hard": rules.hard, "consistent": consistent}
    if words is not None:
        head |= {"secrets": list(words.words), "probes": list(words.probes), "any_letters": words.free}
    else:
        blanks = {Blanks.none: "none", Blanks.guesses: "guesses", Blanks.both: "both"}[rules.blanks]
        head |= {"pegs": rules.pegs, "colors": rules.colors, "repeats": rules.repeats}
        head |= {"guess_repeats": bool(rules.guess_repeats), "blanks": blanks, "shapes": rules.shapes}
    return head if weights is None else {**head, "weights": weights.tolist()}


class Certificate:
    """The lemmas for lower bounds of a whole board, and the witnesses that they name.

    Codes are numbered as in the file. ``value(left, history, ub, within)`` asks the search: the least total of a set
    within some guesses if it is below ``ub``, else a lower bound of at least ``ub``. ``tell`` gets the number of
    lemmas while they are written; what it raises ends that.
    """

    def __init__(
        self,
        sets: SetBounds,
        value: Callable[[Left, History, int, int | None], int],
        tell: Callable[[int], None] | None = None,
    ) -> None:
        """Begin with no lemma."""
        self.sets, self.value, self._tell = sets, value, tell
        self.lemmas: list[Any] = []
        self.witnesses: dict[str, tuple[int, list[Any], Images]] = {}
        self._written: dict[Any, tuple[int, int]] = {}

    def write(self, left: Left, bound: int, history: History, within: int | None = None) -> int:
        """Write that `left`, which `history` leads to, takes `bound` guesses at least; the number of the lemma."""
        within = None if within is not None and within >= len(left.codes) else within
        key = left.key, within
        if key in self._written and self._written[key][1] >= bound:
            return self._written[key][0]
        guesses: list[Any] = []
        named: list[int] = []
        if bound > self.sets.set_bound(left, within):
            named, images = self._symmetries(history)
            for guess, _ in self.sets.unrefuted(left, bound, within, images, {}):
                guesses.append([guess, self._refute(left, guess, bound, history, within)])
        self.lemmas.append([history, within, None if bound == NO_USE else bound, named, guesses])
        self._written[key] = len(self.lemmas) - 1, bound
        self._stand()
        return len(self.lemmas) - 1

    def _stand(self) -> None:
        if self._tell is not None:
            self._tell(len(self.lemmas))

    def _symmetries(self, history: History) -> tuple[list[int], list[Any]]:
        """The numbers of witnesses that keep a history, and where they take the guesses."""
        found = self.sets.symmetry.found(history)
        for witness in found:
            if (text := str(witness)) not in self.witnesses:
                number = len(self.witnesses)
                self.witnesses[text] = number, witness, self.sets.symmetry.images(number, witness)
        entries = [self.witnesses[str(witness)] for witness in found]
        return [number for number, _, _ in entries], [images.guesses for _, _, images in entries]

    def _refute(self, left: Left, guess: int, bound: int, history: History, within: int | None) -> list[list[int]]:
        """[label, lemma] of the parts that must be bounded beyond the formulas."""
        sets, after = self.sets, None if within is None else within - 1
        labels = sets.label[left.codes, guess]
        floors = sets.floors(left, labels)
        parts = [(place, sets.part(left, guess, place)) for place in np.unique(labels).tolist() if place != sets.win]
        parts.sort(key=lambda item: len(item[1].codes))
        low = {place: max(int(floors[place]), sets.set_bound(part, after)) for place, part in parts}
        slack = bound - sets.whole(left.codes) - sum(low.values())
        raised, waiting = dict[int, tuple[Left, int]](), parts
        for is_last in (False, True):  # large parts are asked for their shares of what is missing, then for all of it
            asked, waiting, size = waiting, [], sum(len(part.codes) for _, part in waiting)
            for place, part in asked:
                if slack <= 0:
                    break
                self._stand()
                n = len(part.codes)
                share = slack if is_last or n <= SHARED else min(slack, -(-14 * slack * n // (10 * size)))
                most, size = low[place] + share, size - n
                if bound == NO_USE:  # one part that cannot be found is enough, and it is all that helps
                    most = NO_USE
                value = min(self.value(part, [*history, [guess, sets.labels[place]]], most, after), most)
                if value == most < low[place] + slack:
                    waiting.append((place, part))
                if value > low[place] and (value == NO_USE or bound < NO_USE):
                    slack -= value - low[place]
                    low[place] = value
                    raised[place] = part, value
        if slack > 0:
            raise AssertionError(f"a guess takes {bound - slack} guesses where {bound} were proven")
        lemmas = []
        for place, (part, value) in raised.items():
            label = sets.labels[place]
            lemmas.append([label, self.write(part, value, [*history, [guess, label]], after)])
        return lemmas


def write_proof(
    rules: Rules,
    claims: int | list[BoundClaim],
    value: Callable[..., int],
    file: Path,
    weights: NDArray[np.int64] | None = None,
    *,
    consistent: bool = False,
    tell: Callable[[int], None] | None = None,
) -> int:
    """Write lower bounds of a whole board to a file; return the number of lemmas, which ``tell`` gets meanwhile.

    ``claims``: a total, or pairs of the most guesses that a strategy may take, or None, and its least total, or None
    where there is no such strategy. ``value(codes, ub)`` asks the search: the least total of a set, codes one a row in
    uint8, if it is below ``ub``, else a lower bound of at least ``ub``. It gets the keyword ``turns`` that led to the
    set: pairs of a guess, as a tuple, and its label; where guesses are limited ``within``, the most of them.
    ``weights``: whole ones, by number of the code; ``consistent``: guesses are codes that are still possible.

    Raises InputError for feedback that no proof is written for, TooLargeError for boards that cannot be checked.
    """
    check_provable(rules)
    listed: list[BoundClaim] = [(None, claims)] if isinstance(claims, int) else claims
    return write_lemmas(head_of(rules, weights, consistent=consistent), listed, value, file, tell)


def write_lemmas(
    head: dict[str, Any],
    claims: int | list[BoundClaim],
    value: Callable[..., int],
    file: Path,
    tell: Callable[[int], None] | None = None,
) -> int:
    """Write the lower bounds of the board that a head tells; as `write_proof`, which makes heads of rules."""
    weights = None if "weights" not in head else np.array(head["weights"], np.int64)
    sets = sets_of(head, weights)
    secrets, guesses = sets.board.secrets.astype(np.uint8), list(map(tuple, sets.board.guesses.tolist()))

    def ask(left: Left, history: History, ub: int, within: int | None) -> int:
        more: dict[str, Any] = {} if within is None else {"within": within}
        turns = [(guesses[guess], label) for guess, label in history]
        return value(secrets[left.codes], ub, turns=turns, **more)

    certificate = Certificate(sets, ask, tell)
    claims = [(None, claims)] if isinstance(claims, int) else claims
    for within, bound in claims:
        certificate.write(sets.reached([]), NO_USE if bound is None else bound, [], within)
    told = {"claims": claims, "witnesses": [witness for _, witness, _ in certificate.witnesses.values()]}
    lines = [{**head, **told, "lemmas": len(certificate.lemmas)}, *certificate.lemmas]
    content = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines).encode() + b"\n"
    write_whole(file, gzip.compress(content, mtime=0) if file.suffix == ".gz" else content, KIND)
    return len(certificate.lemmas)

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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.check.proven_board import (
    FORMAT,
    OTHER_FORMAT,
    WEIGHTED_FORMAT,
    ProofError,
    check_memory,
)
from entropeg.check.proven_bounds import Left, SetBounds
from entropeg.check.verifier import Verifier, sets_of
from entropeg.errors import TooLargeError
from entropeg.feedback import Method, check_known
from entropeg.files import FileKind, write_whole
from entropeg.rules import Blanks, Rules
from entropeg.told import Told


def _is_proof(content: bytes) -> bool:
    if content.startswith(b"\x1f\x8b"):
        content = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, 100)
    return any(
        content.startswith(b'{"format":"%s"' % kind.encode()) for kind in (FORMAT, WEIGHTED_FORMAT, OTHER_FORMAT)
    )


KIND = FileKind(Told("a proof of a lower bound"), _is_proof)

History = list[list[int]]


def check_provable(rules: Rules) -> None:
    """Raise InputError for feedback that no proof is written for, TooLargeError for boards that cannot be checked."""
    check_known(rules, Method.proofs)
    if rules.secret_bits > 64.0:
        return  # no search begins there
    try:
        check_memory(rules.secret_count, rules.guess_count, rules.feedback.name, rules.pegs)
    except ProofError as error:
        raise TooLargeError("a proof for {rules} could not be checked: {error}", rules, error) from None


def head_of(rules: Rules, weights: NDArray[np.int64] | None = None) -> dict[str, Any]:
    """The head of the file: all that the verifier is told of the board, and the text of the rules."""
    feedback, words = rules.feedback, rules.words
    stated = {} if weights is None else {"weights": weights.tolist()}
    named = {"format": OTHER_FORMAT, "rules": str(replace(rules, prior=None, guess_limit=None))}
    told = {"feedback": feedback.name, "hard": True} if rules.hard else {"feedback": feedback.name}
    if words is not None:
        options = [feedback.name] * bool(feedback) + ["hard"] * rules.hard
        lists = {"secrets": list(words.words), "probes": list(words.probes), "any_letters": words.free}
        return {**named, "rules": "/".join(["words", *options]), **told, **lists, **stated}
    board = {"pegs": rules.pegs, "colors": rules.colors, "repeats": rules.repeats}
    is_early = feedback.about.in_place_only or feedback.about.common == "copies"
    if is_early and not rules.blanks and rules.guess_repeats == rules.repeats:
        named["format"] = FORMAT if weights is None else WEIGHTED_FORMAT
        return {**named, **board, "black": feedback.about.in_place_only, **stated}
    blanks = {Blanks.none: "none", Blanks.guesses: "guesses", Blanks.both: "both"}[rules.blanks]
    others = {"guess_repeats": bool(rules.guess_repeats), "blanks": blanks, "shapes": rules.shapes}
    return {**named, **told, **board, **others, **stated}


class Certificate:
    """The lemmas for a lower bound of a whole board.

    Codes are numbered as in the file. ``value(left, history, ub)`` asks the search: the least total of a set if it is
    below ``ub``, else a lower bound of at least ``ub``.
    """

    def __init__(self, sets: SetBounds, value: Callable[[Left, History, int], int]) -> None:
        """Begin with no lemma."""
        self.sets, self.value = sets, value
        self.verifier = Verifier(sets)
        self.lemmas: list[Any] = []
        self._written: dict[Any, tuple[int, int]] = {}

    def write(self, left: Left, bound: int, history: History) -> int:
        """Write that `left`, which `history` leads to, takes `bound` guesses at least; the number of the lemma."""
        key = left.key
        if key in self._written and self._written[key][1] >= bound:
            return self._written[key][0]
        guesses = []
        if bound > self.sets.split_bound(left):
            classes = {kind: guess for guess, kind in self.sets.open_guesses(history, left, bound).items()}
            guesses = [
                [guess, self._refute(left, guess, bound, history)]
                for guess in sorted(classes.values())  # one of every class
                if self.verifier.value(0, left, guess, {}, [], bound) < bound
            ]
        self.lemmas.append([history, bound, guesses])
        self._written[key] = len(self.lemmas) - 1, bound
        return len(self.lemmas) - 1

    def _refute(self, left: Left, guess: int, bound: int, history: History) -> list[list[int]]:
        """[label, lemma] of the parts that must be bounded beyond the formulas."""
        sets = self.sets
        places = np.unique(sets.label[left.codes, guess]).tolist()
        parts = [(place, sets.part(left, guess, place)) for place in places if place != sets.win]
        low = {place: sets.set_bound(part) for place, part in parts}
        slack = bound - sets.whole(left.codes) - sum(low.values())
        lemmas = []
        for place, part in sorted(parts, key=lambda item: len(item[1].codes)):
            if slack <= 0:
                break
            label, most = sets.labels[place], low[place] + slack
            value = min(self.value(part, [*history, [guess, label]], most), most)
            if value > low[place]:
                slack -= value - low[place]
                lemmas.append((label, part, value))
        if slack > 0:
            raise AssertionError(f"a guess takes {bound - slack} guesses where {bound} were proven")
        return [[label, self.write(part, value, [*history, [guess, label]])] for label, part, value in lemmas]


def write_proof(
    rules: Rules,
    bound: int,
    value: Callable[..., int],
    file: Path,
    weights: NDArray[np.int64] | None = None,
) -> int:
    """Write the lower bound of a whole board to a file; return the number of lemmas.

    ``value(codes, ub)`` asks the search: the least total of a set, codes one a row in uint8, if it is below ``ub``,
    else a lower bound of at least ``ub``. Under hard rules it gets a third argument, the turns that lead to the set:
    pairs of a guess, as a tuple, and its label. ``weights``: whole ones, by number of the code. Costs several times the
    search: every refuted guess is looked at again, in Python.

    Raises InputError for feedback that no proof is written for, TooLargeError for boards that cannot be checked.
    """
    check_provable(rules)
    return write_lemmas(head_of(rules, weights), bound, value, file)


def write_lemmas(head: dict[str, Any], bound: int, value: Callable[..., int], file: Path) -> int:
    """Write the lower bound of the board that a head tells; as `write_proof`, which makes heads of rules."""
    weights = None if "weights" not in head else np.array(head["weights"], np.int64)
    sets = sets_of(head, weights)
    secrets, guesses = sets.board.secrets.astype(np.uint8), list(map(tuple, sets.board.guesses.tolist()))

    def ask(left: Left, history: History, ub: int) -> int:
        turns = [[(guesses[guess], label) for guess, label in history]] if sets.board.is_hard else []
        return value(secrets[left.codes], ub, *turns)

    certificate = Certificate(sets, ask)
    certificate.write(sets.reached([]), bound, [])
    content = json.dumps({**head, "bound": bound, "lemmas": certificate.lemmas}, separators=(",", ":")).encode()
    write_whole(file, gzip.compress(content, mtime=0) if file.suffix == ".gz" else content, KIND)
    return len(certificate.lemmas)

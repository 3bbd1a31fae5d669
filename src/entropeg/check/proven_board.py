"""The board that a proof is about, as the head of its file tells it: the lists of codes that may be hidden and guessed.

A head of format 4 has `feedback`, one of `proven_labels.FEEDBACKS`, with its number of `shapes` where that is `grand`,
`hard`, whether guesses must use every clue, and `consistent`, whether they must be secrets that are left. A board has
`pegs`, `colors`, `repeats` (whether a secret may have a color twice), `guess_repeats` (the same of a guess) and
`blanks`: none, `guesses`, or `both` (in secrets, too). The
blank is the color after the last one, may always repeat, and counts as any color. Secrets, and guesses, are numbered in
lexicographic order. A list of words has `secrets`, the words, `probes`, what else may be guessed, and `any_letters`,
whether any letters of them may be guessed; guesses are numbered secrets first, or all in lexicographic order where
they are any letters, the letters in the order of their code points.

Heads of formats 1 and 2 have `pegs`, `colors`, `repeats`, and `black` in the place of the feedback. Those of format 3
are as those of format 4, and never `consistent`.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations
from math import comb, perm
from typing import Any

import numpy as np

from entropeg.check.proven_labels import FEEDBACKS, Array, label_type, most_labels
from entropeg.errors import InputError
from entropeg.processes import machine_memory
from entropeg.told import Joined, Told

EARLIER_FORMATS = tuple(f"entropeg lower bound {number}" for number in (1, 2, 3))
"""Proofs without weights and with them, of codes that are guessed as they are hidden, standard and black; and others,
with weights or without."""
FORMAT = "entropeg lower bound 4"
MOST_PEGS = 10
"""Symmetries go through all orders of the pegs."""
MOST_SYMBOLS = 255
STORED = 1 << 30
"""The most bytes for which bits of labels are kept of all pairs; beyond, they are made where they are looked at."""
BLANKS = ("none", "guesses", "both")


class ProofError(InputError):
    """A step of the proof does not hold: the message says which."""


@dataclass(frozen=True)
class ProvenBoard:
    """The codes that may be hidden and guessed, one a row of numbers below `symbols`, and how guesses are answered."""

    name: str
    secrets: Array
    guesses: Array
    symbols: int
    feedback: str
    shapes: int = 0
    is_hard: bool = False
    is_consistent: bool = False
    is_list: bool = False
    """Whether the codes are words, none of which may take the place of another."""
    is_repeated: bool = True
    """Whether a guess may have a color twice."""
    labels: Array | None = None
    """Of a table, the label of each secret against each guess; the greatest one is a complete hit."""
    blank: int | None = None
    """A color that cannot change places with others."""


def board_of(head: dict[str, Any]) -> ProvenBoard:
    """Make the board of a head. Raises ProofError where the head is none, or its board takes too much memory."""
    if "black" in head:
        check_fields(head, {"black": bool})
        head = {**head, "feedback": "black" if head["black"] else "standard"}
    made = {"shapes": 0, "hard": False, "consistent": False, **head}
    check_fields(made, {"feedback": str, "shapes": int, "hard": bool, "consistent": bool})
    if "table" in made:
        return _table(made)
    if made["feedback"] not in FEEDBACKS:
        raise ProofError(
            "its feedback is {feedback!r}; proofs are checked of {known:list}", made["feedback"], FEEDBACKS
        )
    if made["hard"] and made["feedback"] != "positional":
        raise ProofError("it is hard, and clues are used under positional feedback alone")
    return _words(made) if "secrets" in made else _codes(made)


def _table(head: dict[str, Any]) -> ProvenBoard:
    """A table of answers: `secrets` and `guesses`, codes as rows of numbers, and `labels`, a row for each guess."""
    table = head["table"]
    rows = table if isinstance(table, dict) else {}
    arrays = []
    for name in ("secrets", "guesses", "labels"):
        try:
            array = np.array(rows.get(name), np.int64)
        except (TypeError, ValueError, OverflowError):
            array = np.empty(0, np.int64)
        if array.ndim != 2 or not array.size or array.min() < 0 or array.max() > MOST_SYMBOLS:
            raise ProofError("its table has no {name} of whole numbers to {most}, one a row", name, MOST_SYMBOLS)
        arrays.append(array)
    secrets, guesses, labels = arrays
    if labels.shape != (len(guesses), len(secrets)) or secrets.shape[1] != guesses.shape[1]:
        raise ProofError("its table has not a label of each guess for each secret")
    if any(len(np.unique(codes, axis=0)) < len(codes) for codes in (secrets, guesses)):
        raise ProofError("a code of its table is there twice")
    win = labels == labels.max()
    is_own = (guesses[:, None, :] == secrets[None, :, :]).all(axis=2)
    if not np.array_equal(win, is_own) or not is_own.any(axis=0).all():
        raise ProofError("the greatest label of its table is not that of each secret against itself alone")
    digest = sha256(str(labels.shape).encode() + labels.astype(np.uint8).tobytes()).hexdigest()[:12]
    name = Told(
        "a table of {secrets:,} secrets and {guesses:,} guesses (SHA-256 {digest}…)", len(secrets), len(guesses), digest
    )
    return ProvenBoard(
        *(name, secrets, guesses, MOST_SYMBOLS, "table"),
        is_consistent=head["consistent"],
        is_list=True,
        labels=np.ascontiguousarray(labels.T),
    )


def memory_needed(secrets: int, guesses: int, feedback: str, pegs: int) -> int:
    """Bytes that codes and their labels take, and a word or more of bits for each pair where these are kept."""
    label = int(np.dtype(label_type(feedback, pegs)).itemsize)
    pairs, listed = secrets * guesses, 16 * pegs * (secrets + guesses)
    return listed + pairs * int(label + (label > 1)) + min(STORED, pairs * word_bytes(most_labels(feedback, pegs)))


def word_bytes(labels: int) -> int:
    """Bytes of the words that have a bit for each label."""
    return 2 if labels <= 16 else 4 if labels <= 32 else 8 * ((labels + 63) // 64)


def check_memory(secrets: int, guesses: int, feedback: str, pegs: int) -> None:
    """Raise ProofError for boards whose pairs of codes take more memory than there is."""
    needed, there = memory_needed(secrets, guesses, feedback, pegs), machine_memory()
    if needed > there:
        counted = Told("{codes:,} codes", secrets)
        if secrets != guesses:
            counted = Told("{codes:,} codes and {guesses:,} guesses", secrets, guesses)
        raise ProofError(
            "its board of {counted} is too large to be checked here: all pairs are compared, which takes "
            "{needed:,.0f} GB of memory, and there are {there:.0f}",
            *(counted, needed / 2**30, there / 2**30),
        )


def check_fields(head: dict[str, Any], wanted: dict[str, type]) -> None:
    """Raise ProofError where an entry of a head is missing, or of another type than is wanted."""
    for name, kind in wanted.items():
        if type(head.get(name)) is not kind:
            raise ProofError("its {name!r} is missing, or not {kind}", name, _KINDS[kind])


_KINDS = {int: Told("a whole number"), bool: Told("true or false"), list: Told("a list"), str: Told("a text")}


def _codes(head: dict[str, Any]) -> ProvenBoard:
    head = {"guess_repeats": head.get("repeats"), "blanks": "none", **head}
    check_fields(
        head, {"pegs": int, "colors": int, "repeats": bool, "guess_repeats": bool, "blanks": str, "feedback": str}
    )
    pegs, colors, feedback, shapes = (head[name] for name in ("pegs", "colors", "feedback", "shapes"))
    if head["blanks"] not in BLANKS:
        raise ProofError("its blanks are {blanks!r}; they are {known:list}", head["blanks"], BLANKS)
    blank = [head["blanks"] == "both", head["blanks"] != "none"]
    repeats = [head["repeats"], head["guess_repeats"]]
    if not (1 <= pegs <= MOST_PEGS and 1 <= colors <= MOST_SYMBOLS - blank[1]) or (
        not all(repeats) and colors < pegs and not blank[0]
    ):
        raise ProofError(
            "proofs are checked of boards of 1 to {pegs} pegs and 1 to {colors} colors, enough of them",
            *(MOST_PEGS, MOST_SYMBOLS),
        )
    if repeats == [True, False]:
        raise ProofError("its secrets may have a color twice, and its guesses not")
    if (feedback == "grand") != (shapes > 0) or (shapes and (colors % shapes or blank[1])):
        raise ProofError("its shapes do not divide its colors, or are not those of grand feedback without blanks")
    hidden, guessed = (_count(pegs, colors, repeats=r, blank=b) for r, b in zip(repeats, blank, strict=True))
    check_memory(hidden, guessed, feedback, pegs)
    secrets, guesses = (_list(pegs, colors, repeats=r, blank=b) for r, b in zip(repeats, blank, strict=True))
    name = "/".join([f"{pegs}x{colors}", *_options(head)])
    _check_called(head, name)
    return ProvenBoard(
        *(name, secrets, guesses, colors + blank[1], feedback, shapes),
        is_hard=head["hard"],
        is_consistent=head["consistent"],
        is_repeated=repeats[1],
        blank=colors if blank[1] and not (blank[0] and repeats[0]) else None,
    )


def _options(head: dict[str, Any]) -> list[str]:
    """The options of its rules that are about the game, as rules are written."""
    feedback, shapes, blanks = head["feedback"], head["shapes"], head.get("blanks", "none")
    options = {
        "no-repeats": not head.get("repeats", True),
        "guess-repeats": not head.get("repeats", True) and head["guess_repeats"],
        "blanks": blanks == "guesses",
        "blanks-in-secrets": blanks == "both",
        f"shapes={shapes}": shapes,
        feedback: feedback not in {"standard", "grand"},
        "hard": head["hard"],
    }
    return [name for name, is_there in options.items() if is_there]


def _check_called(head: dict[str, Any], name: str) -> None:
    """Refuse rules that are called by the name of another game; limits and alphabet are left open."""
    size, *options = str(head.get("rules", name)).split("/")
    of_game = {"no-repeats", "guess-repeats", "blanks", "blanks-in-secrets", "hard", *FEEDBACKS}
    game = [option for option in options if option in of_game or option.startswith("shapes=")]
    if [size, *sorted(game)] != [name.partition("/")[0], *sorted(name.split("/")[1:])]:
        raise ProofError("its rules are called {rules!r}, and it is about {name}", head["rules"], name)


def _count(pegs: int, colors: int, *, repeats: bool, blank: bool) -> int:
    """How many codes there are; of the colors none comes twice without ``repeats``, a blank always may."""
    if repeats:
        return int((colors + blank) ** pegs)
    return sum(comb(pegs, used) * perm(colors, used) for used in range(0 if blank else pegs, pegs + 1))


def _list(pegs: int, colors: int, *, repeats: bool, blank: bool) -> Array:
    if not (repeats or blank):
        return np.array(list(permutations(range(colors), pegs)), np.int64)
    codes = np.indices([colors + blank] * pegs).reshape(pegs, -1).T.astype(np.int64)
    if repeats:
        return codes
    is_code = np.ones(len(codes), np.bool_)
    for color in range(colors):
        is_code &= (codes == color).sum(axis=1) <= 1
    return codes[is_code]


def _words(head: dict[str, Any]) -> ProvenBoard:
    head = {"probes": [], "any_letters": False, **head}
    check_fields(head, {"secrets": list, "probes": list, "any_letters": bool})
    words, probes = head["secrets"], head["probes"]
    texts = [*words, *probes]
    if not (words and {str}.issuperset(map(type, texts))):
        raise ProofError("its secrets and probes are no lists of words")
    pegs = len(words[0])
    if {len(word) for word in texts} != {pegs} or not 1 <= pegs <= 20:
        raise ProofError("its words are not all of one length, from 1 to 20 letters")
    if len(set(texts)) < len(texts):
        raise ProofError("one of its words is there twice")
    if head["any_letters"] and probes:
        raise ProofError("its guesses are any letters, and probes are named beside them")
    letters = sorted({letter for word in texts for letter in word})
    if len(letters) > MOST_SYMBOLS or head["feedback"] == "grand":
        raise ProofError("its words have more than {most} letters, or feedback that words do not have", MOST_SYMBOLS)
    count = len(letters) ** pegs if head["any_letters"] else len(texts)
    check_memory(len(words), count, head["feedback"], pegs)
    number = {letter: at for at, letter in enumerate(letters)}
    codes = np.array([[number[letter] for letter in word] for word in texts], np.int64)
    guesses = _list(pegs, len(letters), repeats=True, blank=False) if head["any_letters"] else codes
    options = _options(head)
    _check_called(head, "/".join(["words", *options]))
    further = Told("any letters as guesses") if head["any_letters"] else ""
    if probes:
        further = Told("{probes:,} further guesses", len(probes))
    # Lists of one length are told apart by their digest, which is that of `WordList`.
    digest = sha256("\n".join([*words, "", *probes]).encode()).hexdigest()[:12]
    name = Told("{words:,} words of {pegs} letters (SHA-256 {digest}…)", len(words), pegs, digest)
    return ProvenBoard(
        Joined((part for part in (name, further, *options) if part), ", "),
        *(codes[: len(words)], guesses, len(letters), head["feedback"]),
        is_hard=head["hard"],
        is_consistent=head["consistent"],
        is_list=True,
    )

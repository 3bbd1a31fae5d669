"""Codes: reading, writing and checking one, holding many, and how likely each is to be the secret.

Said once, here: at the edge a code is a plain tuple of color indexes; many codes are a `CodeSet`, whose
arrays hold one contiguous row per peg position (*planes*) and one per color count, because the kernels run
along codes. Arrays are `uint8`, `uint16` past 256 symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from math import comb, perm
from operator import index as as_index
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.errors import InputError, NoIndexError, NoSuchCodeError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, check_feedback, label_of, parse_feedback, score_trusted
from entropeg.priors import FORMULAS, OTHERS, Prior, WeightLine
from entropeg.rules import Blanks, Rules
from entropeg.told import Drawn, Told, plural, quoted

Array: TypeAlias = "NDArray[Any]"
Small: TypeAlias = "NDArray[np.unsignedinteger[Any]]"
"""Colors, counts of them, and labels: `uint8`, where they do not fit `uint16`."""

LISTED_BYTES = 1 << 30
"""The most that a full list of codes may take, planes and counts together: 8x8 and 7x10 fit, 8x12 does not."""


AnyCode: TypeAlias = "str | Sequence[int] | Array"
"""All that is read as a code: text in the alphabet of the rules, or whole numbers, NumPy's included."""


def parse_code(text: str, rules: Rules | str, *, secret: bool = False) -> Code:
    """Read a guess (or, with `secret`, a secret) and check it against the rules.

    Raises InputError saying which peg, color or length is wrong.

    >>> parse_code("aabb", "4x6")
    (0, 0, 1, 1)
    """
    return check_code(arguments.text(text, "the code"), Rules.of(rules), secret=secret)


def format_code(code: AnyCode, rules: Rules | str) -> str:
    """Write a code in the alphabet of the rules; `parse_code` reads it back.

    Raises InputError where it has another length, or a color that the rules do not have.

    >>> format_code((0, 1, 5, 0), "4x6")
    'ABFA'
    """
    rules = Rules.of(rules)
    return rules.symbols.format(read_code(code, rules))


def drawn_code(code: Code, rules: Rules) -> Drawn:
    """Make a code of the rules a part of a sentence, to be drawn as colored pegs where there is color.

    >>> drawn_code((0, 1, 5, 0), Rules.parse("4x6")).value
    (0, 1, 5, 0)
    """
    return Drawn(format_code(code, rules), code)


def score(guess: AnyCode, secret: AnyCode, rules: Rules | str) -> AnyFeedback:
    """Answer a guess as the rules say, in plain Python; costs some microseconds.

    For many codes at once use `CodeSet.score`. Raises InputError where a code has another length than the rules, or a
    color that they do not have.

    >>> score("AABC", "ABAA", "4x6")
    Feedback(black=1, white=2)
    """
    rules = Rules.of(rules)
    return score_trusted(read_code(guess, rules), read_code(secret, rules), rules)


def read_code(code: AnyCode, rules: Rules) -> Code:
    """Return a code, given as text or numbers, as a tuple of plain ints: pegs as the rules have, of their colors.

    Raises InputError where it is none. `check_code` says what it may be used for.
    """
    return _inside(_plain(code, rules), rules, rules.symbols_in_guesses, secret=False)


def check_code(code: AnyCode, rules: Rules, *, secret: bool = False) -> Code:
    """Return a code, given as text or numbers, as a tuple of plain ints; InputError says why the rules forbid it."""
    symbols, repeats = (
        (rules.symbols_in_secrets, rules.repeats) if secret else (rules.symbols_in_guesses, rules.guess_repeats)
    )
    code = _inside(_plain(code, rules), rules, symbols, secret=secret)
    if not (repeats or _is_without_repeats(code, rules)):
        raise InputError(_fault(code, rules, symbols, secret=secret))
    if rules.words is not None and not rules.words.allows(code, secret=secret):
        raise InputError(rules.words.fault(code, secret=secret))
    return code


def may_be_secret(code: AnyCode, rules: Rules | str) -> bool:
    """Tell whether the rules allow a code as a secret, whatever was answered.

    >>> may_be_secret("AAB", "3x5/no-repeats/guess-repeats"), may_be_secret("AAB", "3x5")
    (False, True)
    """
    try:
        check_code(code, Rules.of(rules), secret=True)
    except InputError:
        return False
    return True


def read_turns(turns: Iterable[tuple[AnyCode, FeedbackLike]], rules: Rules) -> tuple[tuple[Code, AnyFeedback], ...]:
    """Return pairs of a guess and its feedback, given as such, as text or as numbers; InputError names a wrong one."""
    listed = arguments.items(turns, "the turns", '[("AABB", "XO")]')
    for turn in listed:
        if not isinstance(turn, (tuple, list)) or len(turn) != 2:
            raise InputError('the turn {turn!r} is not a guess and its feedback: ("AABB", "XO")', turn)
    return tuple((read_code(guess, rules), check_feedback(answer, rules)) for guess, answer in listed)


_PLAIN = frozenset({int})


def _plain(code: AnyCode, rules: Rules) -> Code:
    # A code that is one already is not copied: games of thousands of pegs and turns hold many.
    if isinstance(code, tuple) and _PLAIN.issuperset(map(type, code)):
        return code
    if isinstance(code, str):
        return _parsed(code, rules)
    try:
        # Only what has an order and an end; a truth value is no color, and bytes are text that was not decoded.
        is_row = isinstance(code, (Sequence, np.ndarray)) and not isinstance(code, (bytes, bytearray, memoryview))
        found = len(code) if is_row else -1
        if found == rules.pegs and bool not in map(type, code):
            return tuple(map(as_index, code))
    except (TypeError, OverflowError):
        found = -1
    if found in {-1, rules.pegs}:
        raise InputError(
            "{code!r} is not a code of {rules}: give text, or {pegs} whole numbers from 0", code, rules, rules.pegs
        )
    raise InputError(_length_fault(quoted(code), found, rules))


def _parsed(text: str, rules: Rules) -> Code:
    try:
        return rules.symbols.parse(text)
    except InputError as error:
        first, _, rest = text.strip().partition(" ")
        try:
            rules.symbols.parse(first)
            parse_feedback(rest, rules)
        except InputError:
            raise error from None
        raise InputError("{text!r} is a guess with its answer: give {guess} alone", text, first) from None


def _inside(code: Code, rules: Rules, symbols: int, *, secret: bool) -> Code:
    if len(code) == rules.pegs and min(code) >= 0 and max(code) < symbols:
        return code
    raise InputError(_fault(code, rules, symbols, secret=secret))


def _length_fault(shown: str, length: int, rules: Rules) -> Told:
    return Told(
        "{code} has {pegs}; a code of {rules} has {right}",
        *(shown, plural(length, "{n} peg", "{n} pegs"), rules, rules.pegs),
    )


def _is_without_repeats(code: Code, rules: Rules) -> bool:
    used = [color for color in code if color < rules.colors]
    return len(set(used)) == len(used)


def _fault(code: Code, rules: Rules, symbols: int, *, secret: bool) -> Told:
    shown, role = _show(code, rules), Told("a secret") if secret else Told("a guess")
    if len(code) != rules.pegs:
        return _length_fault(shown, len(code), rules)
    for peg, color in enumerate(code, start=1):
        if color == rules.colors and symbols == rules.colors:
            if rules.words or rules.shapes:
                return Told(
                    "{code} leaves peg {peg} blank, which {rules} does not allow in {role}", shown, peg, rules, role
                )
            return Told(
                "{code} leaves peg {peg} blank, which {rules} does not allow in {role}: {size}/{option} does",
                *(shown, peg, rules, role, rules.size, "blanks-in-secrets" if secret else "blanks"),
            )
        if not 0 <= color < symbols:
            last = rules.colors - 1
            return Told("peg {peg} of {code!r} is color {color!r}; the colors are 0 to {last}", peg, code, color, last)
    twice = next(color for color in code if color < rules.colors and code.count(color) > 1)
    return Told(
        "{code} uses {color} twice, which {rules} does not allow in {role}",
        *(shown, rules.symbols.symbol(twice), rules, role),
    )


def _show(code: Code, rules: Rules) -> str:
    inside = all(0 <= color <= rules.colors for color in code)
    return quoted(rules.symbols.format(code) if inside else code)


def random_secret(rules: Rules | str, rng: np.random.Generator) -> Code:
    """Draw a secret, all equally likely, without listing them; any size of board."""
    rules = Rules.of(rules)
    arguments.instance(rng, np.random.Generator, "the generator", "as numpy.random.default_rng(seed) makes one")
    if rules.words is not None:
        return rules.words.codes[int(rng.integers(rules.secret_count))]
    return _random_code(rules, rng, repeats=rules.repeats, blank=rules.blanks == Blanks.both)


def random_guess(rules: Rules | str, rng: np.random.Generator) -> Code:
    """Draw a legal guess, all equally likely, without listing them; any size of board."""
    rules = Rules.of(rules)
    arguments.instance(rng, np.random.Generator, "the generator", "as numpy.random.default_rng(seed) makes one")
    if rules.words is not None and not rules.words.free:
        return rules.words.guess_codes[int(rng.integers(rules.guess_count))]
    return _random_code(rules, rng, repeats=bool(rules.guess_repeats), blank=rules.blanks != Blanks.none)


def _random_code(rules: Rules, rng: np.random.Generator, *, repeats: bool, blank: bool) -> Code:
    pegs, colors = rules.pegs, rules.colors
    if repeats:
        return tuple(rng.integers(colors + blank, size=pegs).tolist())
    if not blank:
        return tuple(rng.choice(colors, size=pegs, replace=False).tolist())
    return _random_code_with_holes(pegs, colors, rng)


def _random_code_with_holes(pegs: int, colors: int, rng: np.random.Generator) -> Code:
    # The number of holes is drawn first, weighted by the codes that have that number.
    weights = [comb(pegs, holes) * perm(colors, pegs - holes) for holes in range(pegs + 1)]
    pick = _random_below(sum(weights), rng)
    holes = 0
    while pick >= weights[holes]:
        pick -= weights[holes]
        holes += 1
    code = rng.choice(colors, size=pegs - holes, replace=False).tolist() + [colors] * holes
    return tuple(code[i] for i in rng.permutation(pegs))


def _random_below(bound: int, rng: np.random.Generator) -> int:
    # Integers of any size: draw whole bytes until below the bound; each try succeeds with probability over 1/256.
    size = (bound.bit_length() + 7) // 8
    while True:
        value = int.from_bytes(rng.bytes(size), "big")
        if value < bound:
            return value


class CodeSet(Sequence[Code]):
    """An immutable list of codes, in lexicographic order of their color indexes.

    Iteration and indexing give tuples; `planes` (`[pegs, n]`) and `counts` (`[symbols, n]`) are the arrays
    that kernels take, read-only, one contiguous row per peg position and per color; `ranks` (`int64[n]`) is
    the place of each code in the full list it was taken from.
    """

    def __init__(self, rules: Rules | str, planes: Array) -> None:
        """Take planes that are already in order; `secrets`, `guesses`, `take` and `of` are the usual makers.

        Raises InputError where they are no whole numbers, one row a peg, of the colors of the rules.
        """
        self.rules: Rules = Rules.of(rules)
        self.planes: Small = _read_planes(planes, self.rules)
        self._ranks: NDArray[np.int64] | None = None

    @classmethod
    def trusted(cls, rules: Rules, planes: Array, ranks: NDArray[np.int64] | None = None) -> CodeSet:
        """Wrap planes known to be right, which nobody else will write to, with the places of the codes."""
        codes = cls.__new__(cls)
        codes.__dict__["_ranks"] = ranks
        codes.rules, codes.planes = rules, np.ascontiguousarray(planes)
        codes.planes.flags.writeable = False
        return codes

    @classmethod
    def of(cls, codes: Iterable[AnyCode], rules: Rules | str) -> CodeSet:
        """Make a set of given guesses or secrets, sorted, without duplicates.

        >>> list(CodeSet.of(["BA", (0, 1), "AB"], "2x2"))
        [(0, 1), (1, 0)]
        """
        rules = Rules.of(rules)
        listed = arguments.items(codes, "the codes", '["AABB", "ABCD"]')
        rows = sorted({check_code(code, rules) for code in listed})
        return cls.trusted(rules, np.array(rows, dtype=plane_type(rules)).reshape(len(rows), rules.pegs).T)

    @cached_property
    def counts(self) -> Small:
        """How often each color occurs in each code: `[symbols, n]`, as the planes; a blank is the last row."""
        from entropeg import kernels

        counts = kernels.color_counts(self.planes, self.rules.symbols_in_guesses)
        counts.flags.writeable = False
        return counts

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which symbols occur in any of the codes: `bool[symbols]`."""
        present = np.zeros(self.rules.symbols_in_guesses, np.bool_)
        present[self.planes] = True
        present.flags.writeable = False
        return present

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """The index of each code in the full list of secrets: `int64[n]`; -1 for a guess that cannot be a secret."""
        if self._ranks is not None:
            return self._ranks
        return secrets(self.rules).find(self)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """How likely each code is to be the secret, given that one of them is: `float64[n]` of sum 1.

        By the prior of the rules; all alike without one, and where the prior holds all of them for impossible.
        """
        number = max(len(self), 1)
        ranks = self.ranks if self.rules.prior is not None else np.empty(0, np.int64)
        given = np.where(ranks >= 0, weights(self.rules)[ranks], 0.0) if len(ranks) else np.zeros(len(self))
        total = given.sum()
        return given / total if total else np.full(len(self), 1 / number)

    def __len__(self) -> int:
        return int(self.planes.shape[1])

    @overload
    def __getitem__(self, index: int) -> Code: ...
    @overload
    def __getitem__(self, index: slice) -> CodeSet: ...
    def __getitem__(self, index: int | slice) -> Code | CodeSet:
        """Return the code at an index as a tuple, or the codes of a slice as a set.

        Raises NoSuchCodeError, which is an IndexError too, beyond the last one; NoIndexError, a TypeError, for what is
        no whole number.
        """
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        try:
            place = as_index(index)
        except TypeError:
            raise NoIndexError(
                "{index!r} is no index of a code: write a whole number or a slice, or ask index_of for a code", index
            ) from None
        if not -len(self) <= place < len(self):
            raise NoSuchCodeError(
                "there is no code number {place}: the set has {codes}",
                *(place, plural(len(self), "{n} code", "{n} codes")),
            )
        return tuple(self.planes[:, place].tolist())

    def __iter__(self) -> Iterator[Code]:
        return map(tuple, self.planes.T.tolist())

    def __contains__(self, code: object) -> bool:
        """Tell whether a code is in the set; costs one pass over the planes."""
        if not isinstance(code, (str, tuple)):
            return False
        try:
            return self.index_of(code) is not None
        except InputError:
            return False

    def __repr__(self) -> str:
        shown = " ".join(format_code(code, self.rules) for code in self[:6])
        return f"<CodeSet of {len(self)} codes{': ' if shown else ''}{shown}{' ...' if len(self) > 6 else ''}>"

    def index_of(self, code: AnyCode) -> int | None:
        """Return the index of a code in this set, or None; raises InputError where it is no code of the rules."""
        code = read_code(code, self.rules)
        if not len(self):
            return None
        equal = self.planes[0] == code[0]
        for peg in range(1, self.rules.pegs):
            equal &= self.planes[peg] == code[peg]
        index = int(equal.argmax())
        return index if equal[index] else None

    def find(self, codes: CodeSet) -> NDArray[np.int64]:
        """Return where in this set each of the other codes stands, -1 where it does not: `int64[len(codes)]`."""
        self._check_alike(codes)
        mine, wanted = self._keys(), codes._keys()
        at = np.searchsorted(mine, wanted)
        at[at == len(mine)] = 0
        return np.where(mine[at] == wanted, at, -1) if len(mine) else np.full(len(wanted), -1)

    def _keys(self) -> Array:
        # One number a code, in lexicographic order; long words and no-repeats boards of very many colors have none that
        # fits, and are compared as bytes.
        symbols = self.rules.symbols_in_guesses
        if symbols**self.rules.pegs >= 1 << 63:
            rows = np.ascontiguousarray(self.planes.T.astype(">u2"))
            return rows.view(f"S{2 * self.rules.pegs}").ravel()
        keys = np.zeros(len(self), dtype=np.int64)
        for plane in self.planes:
            keys *= symbols
            keys += plane
        return keys

    def take(self, indexes: Array) -> CodeSet:
        """Return the codes at these indexes, which must be increasing, as a set of their own.

        Raises InputError where they are no indexes of this set.
        """
        if not isinstance(indexes, np.ndarray) or indexes.ndim != 1 or indexes.dtype.kind not in "ui":
            raise InputError("the indexes are {indexes!r}; they must be an array of whole numbers", indexes)
        if len(indexes) and not 0 <= indexes.min() <= indexes.max() < len(self):
            raise InputError("the indexes are {indexes!r}; there are 0 to {last} here", indexes, len(self) - 1)
        return self.take_trusted(indexes)

    def take_trusted(self, indexes: Array) -> CodeSet:
        """Return what `take` returns, of indexes that are right."""
        ranks = None if self._ranks is None else self._ranks[indexes]
        taken = CodeSet.trusted(self.rules, self.planes[:, indexes], ranks)
        if "counts" in self.__dict__ and len(indexes) < 4096:  # to take those of few codes costs less than to count
            taken.__dict__["counts"] = counts = self.counts[:, indexes]
            counts.flags.writeable = False
        return taken

    def drawn(self, number: int, rng: np.random.Generator) -> CodeSet:
        """Return a number of the codes at random, in their order; all where they are no more."""
        if len(self) <= number:
            return self
        return self.take_trusted(np.sort(rng.choice(len(self), number, replace=False)))

    def score(self, guess: AnyCode) -> Small:
        """Return the label of the feedback that each code, as the secret, gives to the guess: `[n]`, unsigned."""
        from entropeg import kernels

        guess = read_code(guess, self.rules)
        return kernels.score(self.rules.kind, guess, self.planes, self._counts_wanted())

    def parts(self, guess: AnyCode) -> tuple[Small, NDArray[np.int64]]:
        """Return the labels that these codes, as the secret, give to the guess, ascending, and how many give each."""
        from entropeg import kernels

        guess = read_code(guess, self.rules)
        return kernels.parts(self.rules.kind, guess, self.planes, self._counts_wanted())

    def labels(self, guesses: CodeSet) -> Small:
        """Return the label that each of these codes, as the secret, gives to each guess: `[guesses, codes]`, unsigned.

        Runs on all cores where it pays.
        """
        from entropeg import kernels

        self._check_alike(guesses)
        return kernels.score_many(self.rules.kind, guesses.planes, self.planes, self._counts_wanted())

    def part_sizes(self, guesses: CodeSet) -> NDArray[np.int32]:
        """Return how many of these codes, as the secret, give each label to each guess: `int32[guesses, labels]`.

        Runs on all cores where it pays; about half a nanosecond a pair on the usual boards.
        """
        from entropeg import kernels

        self._check_alike(guesses)
        kind, counts = self.rules.kind, self._counts_wanted()
        return kernels.part_sizes_many(kind, guesses.planes, self.planes, counts, guess_counts=guesses._counts_wanted())

    def consistent(self, turns: Iterable[tuple[AnyCode, FeedbackLike]]) -> CodeSet:
        """Return the codes that, as the secret, would give every one of these feedbacks; one pass over the codes."""
        from entropeg import kernels

        pairs = read_turns(turns, self.rules)
        guesses = np.array([guess for guess, _ in pairs], self.planes.dtype).reshape(len(pairs), self.rules.pegs).T
        labels = [label_of(feedback, self.rules) for _, feedback in pairs]
        return self.take_trusted(kernels.matching(self.rules.kind, guesses, labels, self.planes, self._counts_wanted()))

    def _check_alike(self, other: CodeSet) -> None:
        arguments.instance(other, CodeSet, "the other codes", "such as guesses(rules)")
        if (other.rules.pegs, other.rules.colors) != (self.rules.pegs, self.rules.colors):
            raise InputError("codes of {rules} cannot be compared with codes of {others}", other.rules, self.rules)

    def _counts_wanted(self) -> Small | None:
        # Of 2x1000 they would be a gigabyte.
        from entropeg import kernels

        return self.counts if kernels.reads_counts(self.rules.kind, self.planes) else None


def plane_type(rules: Rules) -> Any:
    """Return the type of the planes of codes."""
    return np.uint8 if rules.symbols_in_guesses <= 256 else np.uint16


def _wanted(rules: Rules) -> Told:
    return Told("whole numbers below {symbols}, in {pegs} rows, one for each peg", rules.symbols_in_guesses, rules.pegs)


def _read_planes(planes: Array, rules: Rules) -> Array:
    if not isinstance(planes, np.ndarray) or planes.ndim != 2 or planes.dtype.kind not in "ui":
        raise InputError("the planes are {planes!r}; they must be an array of {wanted}", planes, _wanted(rules))
    if len(planes) != rules.pegs or (planes.size and not 0 <= planes.min() <= planes.max() < rules.symbols_in_guesses):
        raise InputError("the planes of {rules} must be {wanted}; these are not", rules, _wanted(rules))
    taken = np.ascontiguousarray(planes, plane_type(rules)).view()
    taken.flags.writeable = False
    return taken


def secrets(rules: Rules | str) -> CodeSet:
    """Return every secret of the rules, in lexicographic order; made once and kept.

    Raises TooLargeError beyond `LISTED_BYTES`, and InputError where the file of a prior does not fit the rules.

    >>> len(secrets("4x6")), secrets("3x4/no-repeats")[0]
    (1296, (0, 1, 2))
    """
    return _listed(_listing_rules(rules), as_guesses=False)


def guesses(rules: Rules | str) -> CodeSet:
    """Return every legal guess of the rules, in lexicographic order; made once and kept.

    It is the very object that `secrets` returns where all guesses are possible secrets. Raises TooLargeError
    as `secrets` does.
    """
    rules = _listing_rules(rules)
    return _listed(rules, as_guesses=rules.guess_count != rules.secret_count or not rules.is_named)


def _listing_rules(rules: Rules | str) -> Rules:
    # Games with and without a guess limit share one list.
    rules = Rules.of(rules).with_limit(None)
    check_prior(rules)
    return rules


@lru_cache(maxsize=8)
def _listed(rules: Rules, *, as_guesses: bool) -> CodeSet:
    from entropeg import kernels

    count = rules.guess_count if as_guesses else rules.secret_count
    check_listable(rules, count)
    if rules.words is not None and not (as_guesses and rules.words.free):
        codes = rules.words.guess_codes if as_guesses else rules.words.codes
        return CodeSet.trusted(rules, np.array(codes, plane_type(rules)).T, None if as_guesses else np.arange(count))
    blanks = rules.blanks != Blanks.none if as_guesses else rules.blanks == Blanks.both
    repeats = bool(rules.guess_repeats) if as_guesses else rules.repeats
    planes = kernels.list_codes(rules.pegs, rules.colors + blanks, repeats=repeats, blank=blanks)
    return CodeSet.trusted(rules, planes, None if as_guesses else np.arange(count))


def check_prior(rules: Rules) -> None:
    """Raise what `weights` raises where the prior is a file: rules are made without a look at their codes."""
    if rules.prior is not None and not rules.prior.is_formula:
        weights(rules)


def weights(rules: Rules | str) -> NDArray[np.float64]:
    """Return how likely each secret is, by the prior of the rules: `float64[secrets]`, aligned with them, of sum 1.

    All alike where the rules have no prior. Raises InputError where a file does not fit the rules (with the line), and
    TooLargeError where the secrets cannot be listed.

    >>> weights("2x2/prior=distinct").round(3).tolist()  # AA AB BA BB
    [0.167, 0.333, 0.333, 0.167]
    """
    return _weights(Rules.of(rules).with_limit(None))


@lru_cache(maxsize=8)
def _weights(rules: Rules) -> Array:
    prior, every = rules.prior, _listed(rules, as_guesses=False)
    if prior is None:
        given = np.ones(len(every))
    elif prior.is_formula:
        given = FORMULAS[prior.source](every.counts, rules.pegs)
    else:
        given = _aligned(prior, every)
    # Larger weights are scaled before they are summed up: their sum could be infinite.
    if given.max() > 1e300:
        given = given / given.max()
    shares: Array = given / given.sum()
    shares.flags.writeable = False
    return shares


def _aligned(prior: Prior, every: CodeSet) -> Array:
    # The weights of a file in the order of the secrets.
    given, lines = np.full(len(every), np.nan), dict[int, int]()
    others = [entry for entry in prior.entries if entry.code == OTHERS]
    for entry in prior.entries:
        if entry.code != OTHERS:
            place = _place(prior, entry, every)
            earlier = lines.setdefault(place, entry.number)
            if earlier != entry.number:
                raise InputError(_named_twice(prior, entry, earlier))
            given[place] = entry.weight
    if len(others) > 1:
        raise InputError(_named_twice(prior, others[1], others[0].number))
    missing = np.flatnonzero(np.isnan(given))
    if len(missing) and not others:
        first = format_code(every[int(missing[0])], every.rules)
        raise InputError(
            "{file} gives no weight to {missing:,} of {secrets:,} secrets, {first} the first: name "
            "them too, or add the line `{others} 0` (or another weight) for all others",
            *(prior.source, len(missing), len(every), first, OTHERS),
        )
    given[missing] = others[0].weight if others else 0.0
    if not given.any():
        size = every.rules.size
        raise InputError(
            "{file}: the weights of all secrets of {size} are zero: one must be possible", prior.source, size
        )
    return given


def _named_twice(prior: Prior, entry: WeightLine, earlier: int) -> Told:
    return Told(
        "{file}, line {number}: {code!r} is already on line {earlier}: leave one of them out",
        *(prior.source, entry.number, entry.code, earlier),
    )


def _place(prior: Prior, entry: WeightLine, every: CodeSet) -> int:
    try:
        place = every.index_of(parse_code(entry.code, every.rules, secret=True))
    except InputError as error:
        raise InputError("{file}, line {number}: {error}", prior.source, entry.number, error) from None
    assert place is not None
    return place


def check_listable(rules: Rules, count: int | None = None) -> None:
    """Raise TooLargeError when the codes of the rules are too many to be listed."""
    count = rules.secret_count if count is None else count
    if count * (rules.pegs + rules.symbols_in_guesses) > LISTED_BYTES:
        raise TooLargeError(
            "{rules} has {count:count} codes: too many to list them all; `auto` picks a strategy that needs no list, "
            "where there is one",
            *(rules, count),
        )


def is_listable(rules: Rules | str) -> bool:
    """Tell whether all guesses of the rules can be listed in memory."""
    rules = Rules.of(rules)
    return rules.guess_count * (rules.pegs + rules.symbols_in_guesses) <= LISTED_BYTES

"""Contradictions among rows of which a part is unknown, held against a plain count of every mistake over all codes."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

import naive
from entropeg.advise import Contradiction, Notes, PartFeedback, Row, explain, read_notes, row_search
from entropeg.advise.rows import PartCode
from entropeg.codes import guesses, score, secrets
from entropeg.feedback import Code, Marks, from_label
from entropeg.rules import Rules
from rooms import cases

SHARES = {"off": 0.4, "misread": 0.2, "exchanged": 0.15, "neighbors": 0.1, "feedbacks": 0.1, "foreign": 0.05}

Numbers = tuple[tuple[int, int | None], ...]
Way = tuple[dict[int, Row | None], float, list[tuple[int, int]]]
Mends = dict[tuple[Any, ...], tuple[int, float]]


class SlowTruth:
    """Every mistake in what was noted, tried out on every code of a small board, as the model is stated."""

    def __init__(self, notes: Notes, *, reasoned: bool) -> None:
        self.rules, self.reasoned, self.rows = notes.rules, reasoned, list(notes.rows)
        self.secrets, self.legal = list(secrets(self.rules)), list(guesses(self.rules))
        self.are_marks = self.rules.feedback.about.answer is Marks
        every = (from_label(label, self.rules) for label in range(self.rules.label_count))
        self.answers = [tuple(each) for each in every if not self.rules.feedback.about.fault(each, self.rules)]
        self.answer = cache(
            lambda guess, code: tuple(from_label(naive.score(self.rules.kind, guess, code), self.rules))
        )
        self.fits = cache(self._fits)
        self.completions = cache(lambda guess: [code for code in self.legal if self._is_like(code, guess)])

    @staticmethod
    def _is_like(code: Code, guess: PartCode) -> bool:
        return all(color in {None, peg} for peg, color in zip(code, guess, strict=True))

    @staticmethod
    def numbers(row: Row) -> Numbers:
        """What is told: each number exactly, or so many at least."""
        if row.feedback is None:
            return ()
        if isinstance(row.feedback, PartFeedback):
            return tuple((low, high if low == high else None) for low, high in row.feedback.ranges)
        return tuple((number, number) for number in row.feedback)

    def _fits(self, row: Row, code: Code) -> bool:
        return any(self._is_told(self.answer(guess, code), self.numbers(row)) for guess in self.completions(row.guess))

    @staticmethod
    def _is_told(answer: tuple[int, ...], numbers: Numbers) -> bool:
        return all(low <= n and high in {None, n} for n, (low, high) in zip(answer, numbers, strict=False))

    def row(self, guess: PartCode, numbers: Numbers) -> Row:
        return Row(guess, PartFeedback.of(numbers, self.rules) if numbers else None)

    def off(self, numbers: Numbers, noted: list[bool]) -> list[Numbers]:
        """Numbers that differ by one mark, only in what was noted."""
        found = []
        for lows in product(range(self.rules.pegs + 1 if not self.are_marks else 3), repeat=len(numbers)):
            other = tuple((low, None if high is None else low) for low, (_, high) in zip(lows, numbers, strict=True))
            steps = [low - before for low, (before, _) in zip(lows, numbers, strict=True)]
            changed = [place for place, step in enumerate(steps) if step]
            one = len(changed) == 1 if self.are_marks else sorted(filter(None, steps)) in ([-1], [1], [-1, 1])
            if one and all(noted[place] for place in changed) and self.is_possible(other):
                found.append(other)
        return found

    def is_possible(self, numbers: Numbers) -> bool:
        return any(self._is_told(answer, numbers) for answer in self.answers)

    def noted(self, numbers: Numbers) -> list[bool]:
        singly = not self.are_marks and all(high is None for _, high in numbers)
        return [singly or high is not None or low > 0 for low, high in numbers]

    def guesses_near(self, guess: PartCode) -> Iterator[tuple[str, PartCode]]:
        for code in {tuple(None if g is None else c for g, c in zip(guess, c_, strict=True)) for c_ in self.legal}:
            places = [peg for peg, color in enumerate(guess) if code[peg] != color]
            if len(places) == 1:
                yield "misread", code
            if len(places) == 2 and places[1] == places[0] + 1:
                one, other = places
                if (code[one], code[other]) == (guess[other], guess[one]):
                    yield "neighbors", code

    def single(self, place: int) -> Iterator[tuple[str, dict[int, Row | None], float]]:
        row, rows = self.rows[place], len(self.rows)
        numbers = self.numbers(row)
        noted = self.noted(numbers)
        for other in self.off(numbers, noted):
            yield "off", {place: self.row(row.guess, other)}, 1 / len(self.off(other, noted)) / rows
        if self.are_marks:
            exchanged: Numbers = tuple(
                (3 - low, 3 - low) if low == high and low else (low, high) for low, high in numbers
            )
        else:
            exchanged = (numbers[1], numbers[0], *numbers[2:]) if len(numbers) > 1 else numbers
        if exchanged != numbers and self.is_possible(exchanged):
            yield "exchanged", {place: self.row(row.guess, exchanged)}, 1 / rows
        for kind, code in self.guesses_near(row.guess):
            ways = sum(kind == other for other, _ in self.guesses_near(code))
            yield kind, {place: Row(code, row.feedback)}, 1 / ways / rows
        share = sum(self.fits(row, code) for code in self.secrets) / len(self.secrets)
        yield "foreign", {place: None}, max(share, 1 / len(self.secrets)) / rows

    def all_single(self) -> list[Way]:
        found = [each for place in range(len(self.rows)) for each in self.single(place)]
        ways: list[Way] = [
            (changed, SHARES[kind] * likely, []) for kind, changed, likely in found if self._is_change(changed)
        ]
        for one, other in combinations(range(len(self.rows)), 2):
            first, second = self.rows[one], self.rows[other]
            if first.feedback != second.feedback:
                changed: dict[int, Row | None] = {
                    one: Row(first.guess, second.feedback),
                    other: Row(second.guess, first.feedback),
                }
                ways.append((changed, SHARES["feedbacks"] / comb(len(self.rows), 2), [(one, other)]))
        return ways

    def _is_change(self, changed: dict[int, Row | None]) -> bool:
        return any(self.rows[place] != row for place, row in changed.items())

    def weigh(self, ways: list[Way]) -> Mends:
        found: dict[tuple[Any, ...], list[float]] = defaultdict(list)
        left: dict[tuple[Any, ...], int] = {}
        for changed, likely, exchanged in ways:
            rows = [changed.get(place, row) for place, row in enumerate(self.rows)]
            kept = [row for row in rows if row is not None]
            codes = sum(all(self.fits(row, code) for row in kept) for code in self.secrets)
            if codes:
                key = tuple(sorted(changed.items(), key=lambda pair: pair[0]))
                left[key] = codes
                number = self.unreasoned(kept) if self.reasoned else self.unreasoned_live(changed, exchanged)
                found[key].append(likely * codes * 0.1**number)
        total = sum(map(sum, found.values()))
        return {key: (left[key], sum(each) / total) for key, each in found.items()}

    def unreasoned_live(self, changed: dict[int, Row | None], exchanged: list[tuple[int, int]]) -> int:
        """The same with the rows as they stood: feedbacks are exchanged when the later row is noted."""
        number = 0
        for place, later in enumerate(self.rows):
            stood = list[Row | None](self.rows[:place])
            for one, other in exchanged:
                if one < place <= other:
                    stood[one] = changed[one]
            number += any(
                row is not None and not any(self.fits(row, code) for code in self.completions(later.guess))
                for row in stood
            )
        return number

    def unreasoned(self, rows: list[Row]) -> int:
        return sum(
            any(not any(self.fits(row, code) for code in self.completions(later.guess)) for row in rows[:place])
            for place, later in enumerate(rows)
        )

    def told(self) -> tuple[int, Mends]:
        single = self.all_single()
        found = self.weigh(single)
        if found:
            return 1, found
        pairs = [
            ({**one, **other}, first * second, [*exchanged, *more])
            for (one, first, exchanged), (other, second, more) in combinations(single, 2)
            if set(one).isdisjoint(other)
        ]
        found = self.weigh(pairs)
        return (2, found) if found else (0, {})


def drawn(rules: Rules, random: Random) -> Notes:
    """Contradictory notes: rows of a game, some of another, with parts forgotten."""
    legal, hidden = list(guesses(rules)), list(secrets(rules))
    while True:
        secret, rows = random.choice(hidden), []
        for _ in range(random.randint(2, 5)):
            guess = random.choice(legal)
            code = random.choice(hidden) if random.random() < 0.4 else secret
            answer = tuple(from_label(naive.score(rules.kind, guess, code), rules))
            known = tuple(None if random.random() < 0.2 else color for color in guess)
            at_least = random.random() < 0.3 and rules.feedback.about.answer is not Marks
            told = tuple(
                (number, None) if at_least else (0, None) if random.random() < 0.2 else (number, number)
                for number in answer
            )
            rows.append(Row(known, PartFeedback.of(told, rules)))
        notes = Notes(rules, tuple(rows))
        if not notes.is_complete and notes.is_contradictory:
            return notes


def as_found(told: Contradiction) -> Mends:
    found = {}
    for mend in told.mends:
        changed = [pair for slip in mend.slips for pair in zip(slip.rows, slip.meant, strict=True)]
        found[tuple(sorted(changed, key=lambda pair: pair[0]))] = mend.codes, mend.probability
    assert len(found) == len(told.mends)
    return found


def check(notes: Notes, *, reasoned: bool) -> int:
    told = explain(notes, "afterwards" if reasoned else "live", limit=None)
    mistakes, expected = SlowTruth(notes, reasoned=reasoned).told()
    found = as_found(told)

    assert mistakes == told.mistakes, str(notes)
    assert {key: codes for key, (codes, _) in expected.items()} == {key: codes for key, (codes, _) in found.items()}
    for key, (_, share) in expected.items():
        assert pytest.approx(share, rel=1e-9) == found[key][1], str(notes)
    assert told.is_proved
    assert told.is_exact
    for mend in told.mends:
        assert mend.codes == len(mend.notes.candidates)
        assert mend.notes == read_notes(str(mend.notes), notes.rules)
        changed = {place: row for slip in mend.slips for place, row in zip(slip.rows, slip.meant, strict=True)}
        rows = [changed.get(place, row) for place, row in enumerate(notes.rows)]
        assert mend.notes.rows == tuple(row for row in rows if row is not None)
    return mistakes


BOARDS = ["3x3", "2x4", "3x4/black", "3x4/no-repeats", "3x3/membership", "3x3/positional", "2x4/shapes=2",
          "3x2/blanks", "3x3/no-repeats/blanks-in-secrets", "4x2", "3x3/no-repeats/guess-repeats"]  # fmt: skip


DRAWN = cases(4, 40)


@pytest.mark.parametrize("board", BOARDS)
def test_every_mend_of_rows_known_in_part_has_the_codes_and_the_probability_of_the_slow_truth(board: str) -> None:
    rules, random = Rules.parse(board), Random(board)
    kinds = Counter(check(drawn(rules, random), reasoned=number % 2 == 1) for number in range(DRAWN))

    assert sum(kinds.values()) == DRAWN


@pytest.mark.parametrize("reasoned", [False, True])
def test_rows_that_two_pairs_of_slips_make_alike_are_one_mend(*, reasoned: bool) -> None:
    notes = read_notes("B?C: X?\nCAA: XX?\nACB OOO\nB?C: ? 0\nBCB: XX?", "3x3/membership")

    # The first row and the second are exchanged and the last is one off, or the first and the last and the second.
    assert check(notes, reasoned=reasoned) == 2


def test_words_known_in_part_are_mended_within_their_list(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("bat\ncat\nact\ntab\ncab\nbab\ntat\nbcc\nabc\n", encoding="utf-8")
    for options in ("", "/free-guesses", "/positional"):
        rules, random = Rules.parse(f"words:{tmp_path / 'words'}{options}"), Random(1)
        for number in range(6):
            check(drawn(rules, random), reasoned=number % 2 == 1)


@pytest.mark.parametrize("board", ["4x4", "3x4/black", "3x4/positional", "3x4/no-repeats"])
def test_a_search_finds_what_a_scan_finds_among_rows_known_in_part(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, random = Rules.parse(board), Random(board)
    for _ in range(5):
        notes = drawn(rules, random)
        scanned = explain(notes, limit=None)
        with monkeypatch.context() as patch:
            patch.setattr(row_search, "SCANNED", 0)
            searched = explain(notes, limit=None, time=60)

        assert searched.is_proved or rules.feedback.about.answer is Marks
        if not searched.is_proved:
            continue
        if scanned.mistakes == 1 and searched.is_exact:
            one, other = ({key: codes for key, (codes, _) in as_found(told).items()} for told in (scanned, searched))
            assert one == other
        assert {mend.notes for mend in searched.mends} <= {mend.notes for mend in scanned.mends}
        [conflict] = searched.conflicts
        assert Notes(rules, tuple(notes.rows[row] for row in conflict)).is_contradictory


def test_rows_known_in_part_of_a_large_board_are_mended() -> None:
    rules, random = Rules.parse("12x12"), Random(3)
    secret = tuple(random.randrange(12) for _ in range(12))
    rows = []
    for color in range(12):
        guess = tuple([color] * 6 + [(color + 1) % 12] * 6)
        answer = score(guess, secret, rules)
        black, white = answer.black, answer.white
        rows.append(
            Row(guess, PartFeedback.of(((black, black), (0, None) if color % 3 == 0 else (white, white)), rules))
        )
    wrong = Row.of("AAAAAAAAAAA?", (5, 0), rules)
    told = explain(Notes(rules, (*rows, wrong)), "afterwards", time=60)

    assert told.is_proved
    assert 12 in {suspect.row for suspect in told.rows}
    for mend in told.mends[:3]:
        assert len(mend.notes.find(limit=1, seed=1).codes) == 1

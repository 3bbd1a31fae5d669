"""Contradictions explained, held against a plain count of every mistake and every pair of them over all codes."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

import naive
from entropeg.advise import SlipKind, explain, row_search
from entropeg.advise.contradictions import Contradiction, Mend
from entropeg.advise.row_search import FittingCodes, SearchedCodes
from entropeg.advise.slips import SHARES as STATED
from entropeg.candidates import smallest_conflict, smallest_conflicts
from entropeg.codes import guesses, score, secrets, weights
from entropeg.errors import InputError
from entropeg.feedback import from_label
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from rooms import cases

SHARES = {"off": 0.4, "misread": 0.2, "exchanged": 0.15, "neighbors": 0.1, "feedbacks": 0.1, "foreign": 0.05}

Row = tuple[tuple[int, ...], tuple[int, ...]]
Slips = tuple[tuple[str, dict[int, Row | None]], ...]

# ------------------------------------------------------------------ the slow truth


class Brute:
    """Every mistake tried out on every code of a small board, as the model is stated; feedback as tuples of numbers."""

    def __init__(self, position: Position, *, reasoned: bool) -> None:
        self.rules, self.reasoned = position.rules, reasoned
        self.rows: list[Row] = [(guess, tuple(feedback)) for guess, feedback in position.turns]
        self.secrets = list(secrets(self.rules))
        self.legal = set(guesses(self.rules))
        self.weights = weights(self.rules).tolist() if self.rules.prior else [1.0] * len(self.secrets)
        self.fits: dict[Row, int] = {}
        self.answers: dict[tuple[Any, Any], tuple[int, ...]] = {}
        every = (from_label(label, self.rules) for label in range(self.rules.label_count))
        self.feedbacks = {tuple(each) for each in every if not self.rules.feedback.about.fault(each, self.rules)}

    def answer(self, guess: Any, secret: Any) -> tuple[int, ...]:
        key = guess, secret
        if key not in self.answers:
            self.answers[key] = tuple(from_label(naive.score(self.rules.kind, guess, secret), self.rules))
        return self.answers[key]

    def is_one_off(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        steps = [b - a for a, b in zip(one, other, strict=True) if a != b]
        if self.rules.feedback.name == "positional":
            return len(steps) == 1
        return sorted(steps) in ([-1], [1], [-1, 1])

    def exchanged(self, feedback: tuple[int, ...]) -> tuple[int, ...]:
        if self.rules.feedback.name == "positional":
            return tuple({0: 0, 1: 2, 2: 1}[mark] for mark in feedback)
        return (feedback[1], feedback[0], *feedback[2:])

    def ways(self, row: Row) -> Iterator[tuple[str, Row]]:
        """Ways in which a true row is written, or, the same, true rows that are written so."""
        guess, feedback = row
        yield from (("off", (guess, other)) for other in self.feedbacks if self.is_one_off(feedback, other))
        other = self.exchanged(feedback)
        if other != feedback and other in self.feedbacks:
            yield "exchanged", (guess, other)
        for code in self.legal:
            places = [peg for peg in range(len(guess)) if code[peg] != guess[peg]]
            if len(places) == 1:
                yield "misread", (code, feedback)
            is_pair = len(places) == 2 and places[1] == places[0] + 1
            if is_pair and (code[places[0]], code[places[1]]) == (guess[places[1]], guess[places[0]]):
                yield "neighbors", (code, feedback)

    def single(self, index: int) -> Iterator[tuple[Slips, float]]:
        row, rows = self.rows[index], len(self.rows)
        for kind, true in self.ways(row):
            ways = sum(other == kind for other, _ in self.ways(true))
            yield ((kind, {index: true}),), SHARES[kind] / rows / ways
        given = [
            weight
            for weight, code in zip(self.weights, self.secrets, strict=True)
            if self.answer(row[0], code) == row[1]
        ]
        frequency = max(sum(given) / sum(self.weights), 1 / len(self.secrets))
        yield (("foreign", {index: None}),), SHARES["foreign"] / rows * frequency

    def exchange(self, one: int, other: int) -> Iterator[tuple[Slips, float]]:
        first, second = self.rows[one], self.rows[other]
        if first[1] != second[1]:
            changed: dict[int, Row | None] = {one: (first[0], second[1]), other: (second[0], first[1])}
            yield (("feedbacks", changed),), SHARES["feedbacks"] / comb(len(self.rows), 2)

    def all_single(self) -> list[tuple[Slips, float]]:
        found = [each for index in range(len(self.rows)) for each in self.single(index)]
        return found + [each for pair in combinations(range(len(self.rows)), 2) for each in self.exchange(*pair)]

    def weights_of(self, rows: list[Row]) -> list[float]:
        """The weights of the codes that fit rows."""
        fits = (1 << len(self.secrets)) - 1
        for guess, feedback in rows:
            if (guess, feedback) not in self.fits:
                answers = [self.answer(guess, code) == feedback for code in self.secrets]
                self.fits[guess, feedback] = sum(1 << place for place, fit in enumerate(answers) if fit)
            fits &= self.fits[guess, feedback]
            if not fits:
                return []
        return [weight for place, weight in enumerate(self.weights) if fits >> place & 1]

    def mended(self, slips: Slips) -> list[Row]:
        rows: dict[int, Row | None] = dict(enumerate(self.rows))
        for _, changed in slips:
            rows.update(changed)
        return [row for row in rows.values() if row is not None]

    def unreasoned_live(self, slips: Slips) -> int:
        """Guesses that contradict the rows as they stood: feedbacks are exchanged when the later row is noted."""
        number = 0
        for place, (later, _) in enumerate(self.rows):
            stood: list[Row | None] = list(self.rows[:place])
            for kind, changed in slips:
                if kind == "feedbacks" and min(changed) < place <= max(changed):
                    stood[min(changed)] = changed[min(changed)]
            number += any(self.answer(row[0], later) != row[1] for row in stood if row is not None)
        return number

    def weigh(self, ways: list[tuple[Slips, float]]) -> dict[tuple[Any, ...], tuple[int, float]]:
        """Codes left and probability of each way to mend, by what it changes; kinds that come to the same together."""
        found: dict[tuple[Any, ...], tuple[int, float]] = {}
        for slips, likelihood in ways:
            rows = self.mended(slips)
            left = self.weights_of(rows)
            if not left:
                continue
            number = 0 if self.reasoned else self.unreasoned_live(slips)
            for place, (later, _) in enumerate(rows if self.reasoned else []):
                number += any(self.answer(guess, later) != feedback for guess, feedback in rows[:place])
            key = tuple(sorted(tuple(sorted(changed.items(), key=lambda pair: pair[0])) for _, changed in slips))
            codes, before = found.get(key, (len(left), 0.0))
            found[key] = codes, before + likelihood * sum(left) * 0.1**number
        total = sum(weight for _, weight in found.values())
        return {key: (codes, weight / total) for key, (codes, weight) in found.items()} if total else found

    def told(self) -> tuple[int, dict[tuple[Any, ...], tuple[int, float]]]:
        single = self.all_single()
        found = self.weigh(single)
        if found and not any(weight for _, weight in found.values()):
            self.weights = [1.0] * len(self.secrets)
            found = self.weigh(single)
        if found:
            return 1, found
        pairs = [
            ((*one, *other), first * second)
            for (one, first), (other, second) in combinations(single, 2)
            if set(one[0][1]).isdisjoint(other[0][1])
        ]
        found = self.weigh(pairs)
        return (2, found) if found else (0, {})

    def conflicts(self) -> list[tuple[int, ...]]:
        for size in range(1, len(self.rows) + 1):
            found = [
                chosen
                for chosen in combinations(range(len(self.rows)), size)
                if not any(
                    all(self.answer(*[self.rows[i][0], code]) == self.rows[i][1] for i in chosen)
                    for code in self.secrets
                )
            ]
            if found:
                return found
        return []


def key_of(mend: Mend) -> tuple[Any, ...]:
    """What a mend changes, as the slow truth names it."""
    return tuple(
        sorted(
            tuple(
                (row, None if meant is None or meant.turn is None else (meant.turn.guess, tuple(meant.turn.feedback)))
                for row, meant in zip(slip.rows, slip.meant, strict=True)
            )
            for slip in mend.slips
        )
    )


def as_found(told: Contradiction) -> dict[tuple[Any, ...], tuple[int, float]]:
    """The listed mends as the slow truth lists them."""
    found = {key_of(mend): (mend.codes, mend.probability) for mend in told.mends}
    assert len(found) == len(told.mends)
    return found


IN_WORDS = re.compile(r"(\d[\d,]*) ways?, (less than 1|\d+) %")
"""What is said of ways that are not offered: how many, and how likely they are together."""


def check_words(told: Contradiction, expected: dict[tuple[Any, ...], tuple[int, float]]) -> None:
    """Each row is told with all ways that change it, and their chances, each once: what is shown adds up to the row."""
    offered = set[tuple[Any, ...]]()
    for suspicion in told.suspicions(len(told.rows)):
        left = {key: share for key, (_, share) in expected.items() if any(suspicion.row in dict(slip) for slip in key)}
        before = {key: left.pop(key) for key in offered & set(left)}
        own = {key_of(mend): mend.probability for mend in suspicion.mends}
        offered |= set(own)
        assert own == pytest.approx({key: left.pop(key) for key in own}, rel=1e-12, abs=1e-12)

        rest = [shares for shares in (before, left) if shares]
        said = IN_WORDS.findall(suspicion.rest)
        assert [f"{len(shares):,}" for shares in rest] == [ways for ways, _ in said]
        for shares, (_, percent) in zip(rest, said, strict=True):
            share = 100 * sum(shares.values())
            assert share < 1 + 1e-9 if percent == "less than 1" else abs(share - int(percent)) <= 0.5 + 1e-9
        if "another color" in suspicion.rest:
            guess = told.notes.rows[suspicion.row].guess
            meant = [row for key in left for slip in key for place, row in slip if place == suspicion.row]
            assert {1} == {sum(one != other for one, other in zip(row[0], guess, strict=True)) for row in meant}


BOARDS = [
    *("3x4", "4x4", "3x4/black", "4x4/black", "3x5/no-repeats", "3x5/no-repeats/guess-repeats", "3x3/blanks"),
    *("3x3/blanks-in-secrets", "3x4/no-repeats/blanks-in-secrets", "3x4/membership", "3x4/positional"),
    *("3x4/prior=distinct", "3x4/no-repeats/blanks", "2x6/shapes=2", "2x2", "1x3", "4x2"),
]


def drawn(rules: Rules, random: Random) -> Position:
    """A contradictory position: a few rows of one game, some of them changed at random."""
    legal, hidden = list(guesses(rules)), list(secrets(rules))
    while True:
        secret = random.choice(hidden)
        rows = []
        for _ in range(random.randint(1, 6)):
            guess = random.choice(legal)
            answer = naive.score(rules.kind, guess, random.choice(hidden) if random.random() < 0.3 else secret)
            rows.append(Turn(guess, from_label(answer, rules)))
        position = Position(rules, rows)
        if not len(position.candidates):
            return position


def check(position: Position, *, reasoned: bool) -> int:
    told = explain(position, "afterwards" if reasoned else "live", limit=None)
    brute = Brute(position, reasoned=reasoned)
    mistakes, expected = brute.told()
    found = as_found(told)

    assert mistakes == told.mistakes
    assert {key: codes for key, (codes, _) in expected.items()} == {key: codes for key, (codes, _) in found.items()}
    assert {key: share for key, (_, share) in expected.items()} == pytest.approx(
        {key: share for key, (_, share) in found.items()}, rel=1e-12, abs=1e-12
    )
    rows = Counter[int]()
    for key, (_, share) in expected.items():
        for row in {row for slip in key for row, _ in slip}:
            rows[row] += share  # type: ignore[assignment]
    assert dict(rows) == pytest.approx({each.row: each.probability for each in told.rows}, rel=1e-12, abs=1e-12)
    check_words(told, expected)
    check_words(explain(position, told.situation, limit=4), expected)
    assert brute.conflicts() == list(told.conflicts)
    assert position.conflict() == told.conflicts[0]
    assert (True, True, True) == (told.is_proved, told.is_exact, told.has_all_conflicts)
    assert [mend.codes for mend in told.mends] == [len(mend.position.candidates) for mend in told.mends]
    return mistakes


DRAWN = cases(6, 100)


@pytest.mark.parametrize("board", BOARDS)
def test_every_mend_has_the_codes_and_the_probability_of_the_slow_truth(board: str) -> None:
    rules, random = Rules.parse(board), Random(board)
    kinds = Counter(check(drawn(rules, random), reasoned=number % 2 == 1) for number in range(DRAWN))

    assert sum(kinds.values()) == DRAWN


def test_the_ways_of_a_row_that_another_tells_too_are_not_counted_twice() -> None:
    position = Position("4x6", ["AABB XO", "CCDD O", "CCDD X", "AAEE XXXX"])
    told = explain(position)
    check_words(told, Brute(position, reasoned=False).told()[1])

    assert [
        "or it is wrong in another way (27 ways, 13 %)",
        "or as told at row 4 (2 ways, 45 %); or a peg of its guess is another color (20 ways, 5 %)",
        "or as told at row 4 (1 way, 42 %); or a peg of its guess is another color (4 ways, 2 %)",
    ] == [suspicion.rest for suspicion in told.suspicions()]


def test_words_are_mended_within_their_list(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("bat\ncat\nact\ntab\ncab\nbab\ntat\nbcc\nabc\n", encoding="utf-8")
    for options in ("", "/free-guesses", "/positional"):
        rules, random = Rules.parse(f"words:{tmp_path / 'words'}{options}"), Random(1)
        for number in range(12):
            check(drawn(rules, random), reasoned=number % 2 == 1)


def test_codes_weigh_as_a_file_of_priors_says(tmp_path: Path) -> None:
    (tmp_path / "prior").write_text("AAA 5\nABC 3\nBCA 0\nCCC 0.5\n* 1\n", encoding="utf-8")
    rules, random = Rules.parse(f"3x3/prior={tmp_path / 'prior'}"), Random(1)

    assert sum(check(drawn(rules, random), reasoned=number % 2 == 1) for number in range(30)) >= 30


def test_codes_that_the_prior_holds_for_impossible_are_alike_where_no_others_are_left(tmp_path: Path) -> None:
    (tmp_path / "prior").write_text("BBB 1\n* 0\n", encoding="utf-8")
    told = explain(Position(f"3x2/prior={tmp_path / 'prior'}", ["AAA XXX", "AAB XXX"]))

    assert sum(mend.probability for mend in told.mends) == pytest.approx(1)
    assert all(mend.probability > 0 for mend in told.mends)


def test_a_position_that_a_code_fits_has_no_contradiction() -> None:
    for turns in ([], ["AABB XO"]):
        told = explain(Position("4x6", turns))

        assert (False, (), (), (), 0) == (told.is_proved, told.conflicts, told.rows, told.mends, told.mistakes)


def test_one_impossible_row_is_the_suspect() -> None:
    told = explain(Position("4x6", ["AAAA OO"]))

    assert ((0,),) == told.conflicts
    assert [0] == [suspect.row for suspect in told.rows]
    assert pytest.approx(1) == told.rows[0].probability


def test_more_than_two_mistakes_are_not_guessed_at() -> None:
    told = explain(Position("2x2", ["AA XX", "AB XX", "BA XX", "BB XX", "AA -", "AB -", "BA -", "BB -"]))

    assert (0, (), ()) == (told.mistakes, told.rows, told.mends)
    assert told.is_proved
    assert told.conflicts


def test_only_so_many_mends_are_listed_and_the_rows_know_of_all() -> None:
    position = Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
    every, one = explain(position, limit=None), explain(position, limit=1)

    assert every.mends[:1] == one.mends
    assert [each.probability for each in every.rows] == [each.probability for each in one.rows]


def test_a_mended_position_goes_on() -> None:
    told = explain(Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]))
    position = told.mends[0].position

    assert told.mends[0].codes == len(position.candidates)
    assert not position.is_contradictory


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"situation": "later"}, "the situation is 'later'; it must be live or afterwards"),
        ({"limit": 0}, "the number of mends is 0; it must be at least 1"),
        ({"time": -1}, "the time is -1; it must be a number, 0 or more"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        explain(Position("4x6"), **options)


@pytest.mark.parametrize("board", ["4x4", "3x5/no-repeats", "3x4/black", "3x4/positional", "3x4/membership"])
def test_a_search_finds_what_a_scan_finds(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, random = Rules.parse(board), Random(board)
    for _ in range(6):
        position = drawn(rules, random)
        scanned = explain(position, limit=None)
        with monkeypatch.context() as patch:
            patch.setattr(row_search, "SCANNED", 0)
            searched = explain(position, limit=None, time=60)

        if scanned.mistakes == 1:
            one, other = ({key: codes for key, (codes, _) in as_found(told).items()} for told in (scanned, searched))
            assert one == other
        assert scanned.is_proved == searched.is_proved
        assert searched.mistakes in {scanned.mistakes, 0}  # pairs with exchanged feedbacks are not searched for
        [conflict] = searched.conflicts
        turns = [position.turns[row] for row in conflict]
        assert not len(secrets(rules).consistent(turns))
        assert all(len(secrets(rules).consistent([*turns[:row], *turns[row + 1 :]])) for row in range(len(turns)))


def test_the_wrong_row_of_a_large_board_is_named() -> None:
    rules, random = Rules.parse("12x12"), Random(3)
    secret = tuple(random.randrange(12) for _ in range(12))
    rows = []
    for color in range(12):
        guess = tuple([color] * 6 + [(color + 1) % 12] * 6)
        rows.append(Turn(guess, score(guess, secret, rules)))
    wrong = rows[4]._replace(feedback=score((0,) * 12, (1,) * 11 + (0,), rules))
    told = explain(Position(rules, [*rows, wrong]))

    assert told.is_proved
    assert {suspect.row for suspect in told.rows[:2]} <= {4, 12, 3, 5}
    assert all(not mend.position.is_contradictory for mend in told.mends[:3])


def test_without_time_every_row_is_undecided_and_nobody_is_accused() -> None:
    told = explain(Position("20x20", [("A" * 20, (3, 0)), ("A" * 20, (4, 0))]), time=0)

    assert (False, (), (0, 1), False) == (told.is_proved, told.rows, told.undecided, told.is_exact)


def test_pairs_that_a_brief_search_leaves_open_are_searched_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int, bool]] = []

    def exchanged(codes: SearchedCodes, one: int, other: int, *, is_brief: bool = True) -> FittingCodes:
        asked.append((one, other, is_brief))
        return codes._search.unknown

    monkeypatch.setattr(SearchedCodes, "exchanged", exchanged)
    monkeypatch.setattr(SearchedCodes, "without", lambda codes, *_, **__: codes._search.unknown)
    told = explain(Position("20x20", [("A" * 20, (3, 0)), ("A" * 20, (4, 0))]))

    assert [(0, 1, True), (0, 1, False)] == asked
    assert ((0, 1), ()) == (told.undecided, told.rows)


def test_the_smallest_sets_are_given_one_after_the_other() -> None:
    position = Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
    found = smallest_conflicts(secrets("4x6"), position.turns)

    assert smallest_conflict(secrets("4x6"), position.turns) == next(found)


def test_the_shares_of_the_kinds_sum_to_one() -> None:
    assert pytest.approx(1) == sum(STATED.values())
    assert set(SlipKind) == {*STATED, SlipKind.doubted_row}  # what a player doubts is no kind of mistake of the model

"""Keys of histories: the least over all names and orders, by trying all; as many as there are orbits."""

from __future__ import annotations

from itertools import combinations_with_replacement, groupby, permutations, product
from random import Random

import pytest

from entropeg import Position
from entropeg.codes import guesses, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, Feedback, Marks, from_label, label_of, score_trusted
from entropeg.keys import history_key
from entropeg.rules import Rules
from naive_tablebase import maps
from rooms import cases

Turns = list[tuple[Code, AnyFeedback]]


def renamed(turns: Turns, rules: Rules, rng: Random) -> Turns:
    """The same history, its colors renamed, its pegs moved and its turns in another order."""
    order = rng.sample(range(rules.pegs), rules.pegs)
    names = [[*rng.sample(range(rules.colors), rules.colors), rules.colors] for _ in range(rules.pegs)]
    if rules.feedback.name != "black" or not rules.repeats:
        names = names[:1] * rules.pegs
    found = []
    for guess, feedback in rng.sample(turns, len(turns)):
        moved = tuple(names[at][guess[peg]] for at, peg in enumerate(order))
        found.append((moved, Marks(feedback[peg] for peg in order) if by_place(rules) else feedback))
    return found


def by_place(rules: Rules) -> bool:
    return rules.feedback.name == "positional"


def drawn(rules: Rules, count: int, rng: Random) -> Turns:
    listed, secret = guesses(rules), secrets(rules)
    hidden = secret[rng.randrange(len(secret))]
    tried = [listed[rng.randrange(len(listed))] for _ in range(count)]
    return [(guess, score_trusted(guess, hidden, rules)) for guess in tried]


@pytest.mark.parametrize(
    "name", ["4x6", "4x6/black", "4x6/no-repeats", "bulls-and-cows", "4x6/blanks", "4x6/membership"]
)
def test_histories_keep_their_keys_under_other_names_and_orders(name: str) -> None:
    rules, rng = Rules.parse(name), Random(3)
    for _ in range(cases(25, 1_000)):
        turns = drawn(rules, rng.randrange(4), rng)

        assert history_key(rules, turns) == history_key(rules, renamed(turns, rules, rng))


def least_by_trying(rules: Rules, turns: Turns) -> int:
    """The least number that the turns make: every order of turns in ascending labels, every order of pegs."""
    groups = [[*group] for _, group in groupby(sorted(turns, key=sign), sign)]
    width, answers = 3, [5 * black + white for black in range(5) for white in range(5 - black)]
    found = []
    for way, order in product(product(*map(permutations, groups)), permutations(range(rules.pegs))):
        names: dict[int, int] = {}
        key = 0
        for guess, feedback in [turn for group in way for turn in group]:
            key = key << 4 | answers.index(label_of(feedback, rules)) + 1
            for peg in order:
                key = key << width | names.setdefault(guess[peg], len(names))
        found.append(key)
    return min(found)


def sign(turn: tuple[Code, AnyFeedback]) -> int:
    return label_of(turn[1], Rules.parse("4x6"))


def test_the_key_is_the_least_number_that_the_turns_make() -> None:
    rules, rng = Rules.parse("4x6"), Random(5)
    for _ in range(cases(40, 2_000)):
        turns = drawn(rules, 3, rng)

        assert least_by_trying(rules, turns) == history_key(rules, turns) < 1 << 48


@pytest.mark.parametrize(("name", "by_peg"), [("3x3", False), ("2x3/black", True), ("2x4", False)])
def test_as_many_keys_of_two_turns_as_burnside_counts(name: str, by_peg: bool) -> None:
    rules = Rules.parse(name)
    codes, answers = list(guesses(rules)), [0, 1, 2]
    group, fixed = 0, 0
    for way in maps(rules.pegs, rules.colors, by_peg=by_peg):
        # Pairs without order that stay as they are: both stay, or they change places.
        once = len(answers) * sum(way(code) == code for code in codes)
        twice = len(answers) * sum(way(way(code)) == code for code in codes)
        group, fixed = group + 1, fixed + (once**2 + twice) // 2
    listed = [(code, from_label(answer, rules)) for code in codes for answer in answers]
    keys = {history_key(rules, pair) for pair in combinations_with_replacement(listed, 2)}

    assert fixed == group * len(keys)


def test_by_place_which_peg_of_a_color_has_the_white_tells_nothing() -> None:
    one, other = Position("4x6/positional", ["AABB O--X"]), Position("4x6/positional", ["AABB -O-X"])

    assert one.key == other.key
    assert one.key != Position("4x6/positional", ["AABB O-X-"]).after("AABB", "O-X-").key


def test_by_place_positions_keep_their_keys() -> None:
    rules, rng = Rules.parse("4x6/positional"), Random(8)
    for _ in range(cases(25, 1_000)):
        turns = drawn(rules, 2, rng)

        assert history_key(rules, turns) == history_key(rules, renamed(turns, rules, rng))


def test_priors_tell_colors_apart_and_the_order_of_turns_does_not_matter() -> None:
    rules, turns = Rules.parse("4x6/prior=distinct"), ["AABB XO", "CDEF O"]
    one, other = Position(rules, turns), Position(rules, turns[::-1])

    assert one.key == other.key != Position(rules, ["BBAA XO", "CDEF O"]).key


def test_rows_of_many_colors_are_refused_and_not_begun() -> None:
    row = tuple(range(12))

    with pytest.raises(TooLargeError, match="the key of a position of 12x26 is the least of too many namings"):
        history_key(Rules.parse("12x26"), [(row, Feedback(1, 1))])
    assert 0 < history_key(Rules.parse("12x26"), [((0,) * 12, Feedback(1, 0))])

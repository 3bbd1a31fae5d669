"""Evaluations and other functions in every form that students write: how they are called and read, what is wrong."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from entropeg.classroom import validate, valider
from entropeg.classroom.functions.evaluation import CodePair, Examination, ExaminedFunction, examine
from entropeg.classroom.functions.forms import FORMS, CallResult, outcomes, plain
from entropeg.classroom.functions.mistakes import MISTAKES, SET_MISTAKES, KeptCodes, right
from entropeg.classroom.functions.validation import CHECKS
from entropeg.classroom.project import check_project
from entropeg.texts import LANGUAGES

LENGTH, COLORS = 4, ["R", "V", "B", "J", "N", "M"]


def examined(function: Callable[..., Any]) -> Examination:
    def ask(form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
        return outcomes(function, [[FORMS[form](guess), FORMS[form](secret)] for guess, secret in pairs])

    return examine(ExaminedFunction(ask, "f"))


# ---------------------------------------------------------------------- functions in the manner of real ones


def course(guess: Sequence[Any], secret: Sequence[Any]) -> tuple[int, int]:
    placed = sum(mine == other for mine, other in zip(guess, secret, strict=True))
    return placed, sum((Counter(guess) & Counter(secret)).values()) - placed


def compare_sequences(s1: str, s2: str) -> str:
    placed, misplaced = course(s1, s2)
    return f"{misplaced}{placed}"


def lists_from_one(code: list[int], tried: list[int]) -> list[int]:
    left, seen, placed = [0] * 7, [0] * 7, 0
    for one, other in zip(code, tried, strict=True):
        if one == other:
            placed += 1
        else:
            left[one] += 1
            seen[other] += 1
    return [placed, sum(min(left[color], seen[color]) for color in range(1, 7))]


def marks(code: Sequence[Any], tried: Sequence[Any]) -> list[str]:
    placed, misplaced = course(code, tried)
    return ["blanc"] * misplaced + ["noir"] * placed


def wordle(guess: str, secret: str) -> list[int]:
    told, left = [0] * len(guess), list(secret)
    for at, color in enumerate(guess):
        if color == secret[at]:
            told[at] = 2
            left.remove(color)
    for at, color in enumerate(guess):
        if not told[at] and color in left:
            told[at] = 1
            left.remove(color)
    return told


def strikes_out(code: list[Any], tried: list[Any]) -> dict[str, int]:
    found = {"bien": 0, "mal": 0}
    for at in range(4):
        if code[at] == tried[at]:
            found["bien"] += 1
            code[at], tried[at] = "x", "y"
    for color in tried:
        if color in code:
            found["mal"] += 1
            code[code.index(color)] = "x"
    return found


@dataclass
class Pins:
    noirs: int
    blancs: int


@pytest.mark.parametrize(
    ("function", "form", "says"),
    [
        (compare_sequences, "codes as text", "returns misplaced, then well placed: "),
        (lists_from_one, "lists of whole numbers from 1", "returns well placed, then misplaced: "),
        (marks, "codes as text", "'noir' for well placed and 'blanc' for misplaced"),
        (wordle, "codes as text", "2 for well placed and 1 for misplaced"),
        (lambda g, s: Pins(*course(g, s)), "codes as text", "well placed under 'noirs'"),
        (lambda g, s: course(g, s)[0] * 10 + course(g, s)[1], "codes as text", "well placed, then misplaced: "),
        (lambda g, s: "{} bien, {} mal".format(*course(g, s)), "codes as text", "well placed, then misplaced: "),
        (lambda g, s: list(course(g, s))[::-1], "codes as text", "misplaced, then well placed: "),
        (lambda g, s: ([0] * course(g, s)[0], {*range(course(g, s)[1])}), "codes as text", "well placed, then"),
        (lambda g, s: course(g.copy(), s), "lists of whole numbers from 1", "well placed, then misplaced: "),
        (lambda g, s: course((*g,), s) if isinstance(g, tuple) else None, "tuples of letters", "well"),
        (strikes_out, "lists of whole numbers from 1", "well placed under 'bien' and misplaced under 'mal'"),
    ],
)
def test_a_right_evaluation_is_right_in_whatever_form(function: Callable[..., Any], form: str, says: str) -> None:
    found = examined(function)

    assert ("right", form) == (found.verdict, found.form)
    assert says in found.text
    assert not found.is_usual


def test_the_course_s_own_evaluation_is_read_as_the_course_s() -> None:
    found = examined(course)

    assert found.is_usual
    assert found.text == "f is right: 1346 pairs of codes were compared"


@pytest.mark.parametrize("number", range(len(MISTAKES)))
@pytest.mark.parametrize("exchanged", [False, True])
def test_each_mistake_is_found_by_its_name_with_a_counterexample_that_it_gives(number: int, *, exchanged: bool) -> None:
    mistake = MISTAKES[number]

    def wrong(guess: str, secret: str) -> tuple[int, ...]:
        told = mistake.evaluate([*map(COLORS.index, guess)], [*map(COLORS.index, secret)])
        return told[::-1] if exchanged else told

    found = examined(wrong)

    assert ("wrong", mistake.kind, mistake.why) == (found.verdict, found.kind, found.why)
    assert found.pair is not None
    assert mistake.evaluate(*found.pair) != right(*found.pair)
    assert len(found.pair[0]) == 2 or all(
        mistake.evaluate(one, other) == right(one, other)
        for one, other in product(product(range(2), repeat=2), repeat=2)
    )


def test_a_mistake_without_a_name_is_shown_by_its_smallest_pair() -> None:
    found = examined(lambda g, s: (0, 0) if g[0] == s[1] else course(g, s))

    assert ("wrong", "wrong evaluation", ((0, 0), (0, 0))) == (found.verdict, found.kind, found.pair)
    assert found.text == "f('RR', 'RR') returns (0, 0); 2 well placed and 0 misplaced is right"


def test_what_cannot_be_understood_is_not_called_wrong() -> None:
    assert "unknown" == examined(lambda _g, _s: 7).verdict


def test_errors_and_missing_answers_are_told_with_the_call() -> None:
    crash = examined(lambda g, s: g[len(s)])
    silent = examined(lambda _g, _s: print("1,2"))  # noqa: T201 (what it does wrong)
    rare = examined(lambda g, s: 1 // 0 if g == "RV" == s else course(g, s))

    assert "f('VVRV', 'BVVV') raises IndexError: string index out of range" in crash.text
    assert "prints its answer and returns None" in silent.text
    assert rare.text.startswith("f('RV', 'RV') raises ZeroDivisionError")


def test_what_changes_its_codes_or_knows_four_pegs_only_is_right_with_a_note() -> None:
    notes = examined(strikes_out).notes

    assert ["f works for codes of 4 pegs", "f changes the codes that it is given"] == [
        note.split(":")[0] for note in notes
    ]


def test_a_function_that_answers_otherwise_the_second_time_is_told() -> None:
    asked: set[tuple[str, str]] = set()

    def forgetful(guess: str, secret: str) -> tuple[int, int]:
        again = (guess, secret) in asked
        asked.add((guess, secret))
        return (0, 0) if again else course(guess, secret)

    assert "not the same twice" == examined(forgetful).kind


def test_plain_data_ends_somewhere() -> None:
    circle: list[Any] = [1]
    circle.append(circle)

    assert [1, [1, [1, [1, None]]]] == plain(circle)


# ---------------------------------------------------------------------- in a notebook


def evaluation(guess: str, secret: str) -> tuple[int, int]:
    return course(guess, secret)


def choices() -> str:
    return "".join(random.choices(COLORS, k=LENGTH))


def choices_of_others(colors: Sequence[str], pegs: int) -> str:
    return "".join(random.choices(colors, k=pegs))


def donner_possibles(guess: str, answer: tuple[int, int]) -> set[str]:
    return {code for code in map("".join, product(COLORS, repeat=LENGTH)) if course(guess, code) == answer}


def maj_possibles(possibles: set[str], guess: str, answer: tuple[int, int]) -> None:
    possibles.intersection_update(donner_possibles(guess, answer))


ALL = {"".join(code) for code in product(COLORS, repeat=4)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("function", [evaluation, choices, donner_possibles, maj_possibles])
def test_right_functions_are_right_in_both_languages(
    function: Callable[..., Any], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = validate(function, language=language)

    assert told
    assert capsys.readouterr().out == f"{told.text}\n"
    assert ("est juste" if language == "fr" else "is right") in told.text
    assert (4, 6) == (LENGTH, len(COLORS))


@pytest.mark.parametrize(
    ("function", "check", "said"),
    [
        (lambda g, s: (course(g, s)[0], 0), "Évaluation", "('RV', 'VR') returns (0, 0); 0 well placed and 2"),
        (lambda g: g, "evaluation", "must be given 1 argument; it should take two"),
        (lambda: "".join(random.sample(COLORS, k=LENGTH)), "choices", "the colors RV none is 'RR'"),
        (lambda: ["R", "V", str(LENGTH)], "choices", "returns ['R', 'V', '2']"),
        (lambda g, e: list(donner_possibles(g, e)), "donner possibles", "it must be a set of codes"),
        (lambda g, e: donner_possibles(g, e) | {g}, "donner_possibles", "keeps 'RR', which does not fit"),
        (lambda g, e: donner_possibles(g, e) - {"RV"}, "donner_possibles", "loses 'RV', which fits"),
        (lambda p, g, e: p & donner_possibles(g, e), "maj-possibles", "returns another set"),
        (lambda p, g, e: [p.remove(c) for c in p if course(g, c) != e], "maj_possibles", "Set changed size"),
        (lambda g, s: len(g) - course(g, s)[0], "bien_places", "('RR', 'RR') returns 0; 2 is right"),
        (lambda g, s: sum((Counter(g) & Counter(s)).values()), "mal_places", "('RR', 'RR') returns 2; 0 is right"),
        (7, "evaluation", "7 is no function"),
        (evaluation, "evalution", "There is no check 'evalution'; there are evaluation, bien_places"),
    ],
)
def test_the_first_counterexample_is_small_and_in_both_languages(function: Any, check: str, said: str) -> None:
    english, french = validate(function, check), valider(function, check)

    assert not english
    assert said in english.text
    assert (english.text == french.text) is False
    assert "Traceback" not in english.text


@pytest.mark.parametrize("number", range(len(SET_MISTAKES)))
def test_a_mistake_in_a_set_of_codes_has_the_same_name_for_valider_and_for_check(number: int, tmp_path: Path) -> None:
    why, keeps = SET_MISTAKES[number]
    common = f"""
from itertools import product
from entropeg.classroom.functions.mistakes import SET_MISTAKES, right
LENGTH, COLORS = 4, ["R", "V", "B", "J", "N", "M", "O", "G"]
def donner_possibles(guess, answer):
    keeps = SET_MISTAKES[{number}].keeps
    codes = map("".join, product(COLORS, repeat=LENGTH))
    return {{code for code in codes if keeps(answer, right(guess, code))}}
"""
    (tmp_path / "common.py").write_text(common, encoding="utf-8")

    told = validate(
        lambda g, e: {c for c in map("".join, product(COLORS, repeat=LENGTH)) if keeps(e, course(g, c))},
        "donner_possibles",
    )
    checked = [each.text for each in check_project(tmp_path).wrong]

    assert f"{why}." in told.text.casefold()
    assert [f": {why}"] == [text[-len(why) - 2 :] for text in checked]


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        ("random.sample(COLORS, LENGTH)", "no color occurs twice in what it draws"),
        ("random.choice(COLORS) * LENGTH", "all pegs of what it draws have one color"),
        ("[COLORS[random.randrange(len(COLORS) - 1)] for _ in range(LENGTH)]", ", the last color, is never drawn"),
        ("[random.choice(COLORS[1:]) for _ in range(LENGTH)]", " is never drawn"),
    ],
)
def test_a_mistake_in_draws_has_the_same_name_for_valider_and_for_check(draw: str, said: str, tmp_path: Path) -> None:
    text = f"import random\nLENGTH, COLORS = 4, list('RVBJNMOG')\ndef choices():\n    return ''.join({draw})\n"
    (tmp_path / "common.py").write_text(text, encoding="utf-8")
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102 (a function that knows its notebook by its globals)

    assert said in validate(names["choices"]).text.replace("No color", "no color").replace("All pegs", "all pegs")
    [told] = check_project(tmp_path).wrong
    assert said in told.text
    # It is asked on a board of its own, which is said.
    assert f"{tmp_path}/common.py, line 3: with LENGTH = 3 and the colors RVB, 40 calls of choices(): " in told.text


def test_what_is_kept_too_much_or_too_little_is_told_from_what_fits() -> None:
    source, codes, seen = random.Random(0), list(map("".join, product("RVB", repeat=3))), Counter[bool]()
    for _ in range(500):
        guess, marks = source.choice(codes), course(source.choice(codes), source.choice(codes))
        before = source.sample(codes, source.randrange(len(codes)))
        wanted = [code for code in before if course(guess, code) == marks]
        after = source.choice([wanted, source.sample(before, len(before) // 2), [*wanted, source.choice(codes)]])
        kept = KeptCodes.of(guess, marks, before)._replace(after=after)
        others = [code for code in (*after, *wanted) if (code in after) != (code in wanted)]

        assert sorted({each for each in others if each in after}) == kept.extra
        assert sorted({each for each in others if each in wanted}) == kept.missing
        assert (not kept.extra and set(kept.missing) <= {guess}) == kept.is_right
        seen[kept.is_right] += 1

    assert min(seen[True], seen[False]) > 100


def test_the_line_of_an_error_is_that_of_the_function_that_is_judged() -> None:
    text = "LENGTH, COLORS = 4, list('RVBJ')\n\n\ndef maj_possibles(possibles, guess, answer):\n    possibles[0]\n"
    names: dict[str, Any] = {}
    exec(compile(text, "notebook", "exec"), names)  # noqa: S102 (a function that knows its notebook by its globals)

    assert "is not subscriptable (line 5)." in validate(names["maj_possibles"]).text


@pytest.mark.parametrize(("colors", "is_named"), [(9, True), (3, False)])
def test_a_mistake_that_is_made_with_two_colors_alone_has_no_name(colors: int, *, is_named: bool) -> None:
    def alone(guess: str, answer: tuple[int, int]) -> set[str]:
        codes = map("".join, product(COLORS, repeat=LENGTH))
        size = 1 if len(COLORS) < colors else 2
        return {code for code in codes if course(guess, code)[:size] == answer[:size]}

    assert is_named == ("It compares the number of well placed pegs alone" in validate(alone, "donner_possibles").text)


def test_an_evaluation_within_a_set_of_codes_is_named_too() -> None:
    def wrong(guess: str, answer: tuple[int, int]) -> set[str]:
        codes = map("".join, product(COLORS, repeat=LENGTH))
        return {c for c in codes if (sum(map(str.__eq__, guess, c)), len(set(guess) & set(c))) == answer}

    assert "It evaluates wrongly: sets of colors are compared" in validate(wrong, "donner_possibles").text


def test_check_names_an_evaluation_that_prints_as_valider_does(tmp_path: Path) -> None:
    text = "LENGTH, COLORS = 4, list('RVBJ')\ndef evaluation(a, b):\n    print(sum(x == y for x, y in zip(a, b)), 0)\n"
    (tmp_path / "common.py").write_text(text, encoding="utf-8")

    [found] = check_project(tmp_path).wrong
    assert "no answer" == found.kind
    assert found.text.endswith("prints its answer and returns None: it must return it")


def test_a_function_that_knows_one_board_is_looked_at_on_it() -> None:
    told = validate(lambda guess, answer: {code for code in ALL if course(guess, code) == answer}, "donner_possibles")

    assert told
    assert "does not follow LENGTH and COLORS" in told.text


def test_other_signatures_of_draws_and_interruptions_are_understood() -> None:
    def endless(_guess: str, _secret: str) -> None:
        raise KeyboardInterrupt

    assert validate(choices_of_others, "choices")
    assert (
        "endless('VVRV', 'BVVV') was interrupted: a loop in it may never end." == validate(endless, "evaluation").text
    )
    assert {"evaluation", "choices", "donner_possibles", "maj_possibles"} < set(CHECKS)


def test_a_notebook_needs_no_compiler() -> None:
    program = (
        "import sys; sys.modules['numba'] = None; from entropeg.classroom import valider\n"
        "valider(lambda a, b: (sum(x == y for x, y in zip(a, b)), 0), 'evaluation')\n"
        "print(sorted({'matplotlib', 'fastapi'} & {*sys.modules}))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout

    assert "renvoie (0, 0)" in told
    assert told.endswith("[]\n")


IN_TUPLES = "Its codes are tuples of letters, where the course has strings: it is judged as it writes them."


def tuples_that_fit(guess: Sequence[str], answer: tuple[int, int]) -> set[tuple[str, ...]]:
    return {code for code in product(COLORS, repeat=LENGTH) if course(guess, code) == answer}


TUPLES_THROUGHOUT: list[tuple[str, Callable[..., Any]]] = [
    ("choices", lambda: tuple(random.choices(COLORS, k=LENGTH))),
    ("donner_possibles", lambda guess, answer: tuples_that_fit(guess, answer) - {guess}),
    ("maj_possibles", lambda possibles, *asked: possibles.intersection_update(tuples_that_fit(*asked))),
]


@pytest.mark.parametrize(("check", "function"), TUPLES_THROUGHOUT)
def test_codes_as_tuples_throughout_are_a_note_as_for_check(check: str, function: Callable[..., Any]) -> None:
    told = validate(function, check)

    assert told
    assert IN_TUPLES == told.text.splitlines()[-1]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda g, e: {c for c in tuples_that_fit(g, e) if c[0] == "R"}, "loses ('V', 'V'), which fits"),
        (lambda g, e: tuples_that_fit(g, e) | {("V", "R")}, "keeps ('V', 'R'), which does not fit"),
        (
            lambda g, e: {c for b in range(5) for c in tuples_that_fit(g, (e[0], b))},
            "number of well placed pegs alone.",
        ),
        (lambda g, e: {c if c[0] == "R" else "".join(c) for c in tuples_that_fit(g, e)}, "which is no code of 2 pegs"),
    ],
)
def test_a_fault_in_sets_of_tuples_is_a_fault(function: Callable[..., Any], said: str) -> None:
    told = validate(function, "donner_possibles")

    assert not told
    assert said in told.text


@pytest.mark.parametrize("colors", ["3", "None", "[1, 2, 3]", "['rouge', 'vert']", "print"])
def test_no_colors_of_a_notebook_make_it_raise(colors: str) -> None:
    names: dict[str, Any] = {}
    text = f"LENGTH, COLORS = 4, {colors}\ndef evaluation(guess, secret):\n    return course(guess, secret)\n"
    text += (
        "def choices():\n    return [1] * LENGTH\ndef donner_possibles(guess, answer):\n    return {(1,) * LENGTH}\n"
    )
    text += "def maj_possibles(possibles, guess, answer):\n    possibles.clear()\n"
    exec(text, names)  # noqa: S102 (functions that know their notebook by its globals)
    names["course"] = course

    assert validate(names["evaluation"])
    assert [False] * 3 == [bool(validate(names[name])) for name in ("choices", "donner_possibles", "maj_possibles")]
    assert 4 == names["LENGTH"]


@pytest.mark.parametrize("kept", ["dict(R='red', V='green', B='blue')", "numpy.array(['R', 'V', 'B'])"])
def test_colors_may_be_kept_in_a_dict_or_an_array(kept: str) -> None:
    names: dict[str, Any] = {}
    text = f"from itertools import product\nimport random, numpy\nLENGTH, COLORS = 4, {kept}\n"
    text += "def choices():\n    return ''.join(random.choices(list(COLORS), k=LENGTH))\n"
    text += "def donner_possibles(guess, e):\n"
    text += "    return {c for c in map(''.join, product(COLORS, repeat=LENGTH)) if course(guess, c) == e}\n"
    exec(text, names)  # noqa: S102 (functions that know their notebook by its globals)
    names["course"] = course

    assert validate(names["choices"])
    assert validate(names["donner_possibles"])
    assert ["R", "V", "B"] == [*names["COLORS"]]

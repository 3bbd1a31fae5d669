"""Format 4: witnesses, limits and possible codes alone; three verifiers that agree on every proof, right or forged."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from entropeg.check.compiled import CompiledBounds
from entropeg.check.proven_board import ProofError
from entropeg.check.proven_bounds import Left, SetBounds
from entropeg.check.verifier import Proven, Verifier, sets_of, verify
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.search.proving.certificate import head_of
from entropeg.tree.optimum import optimal
from proof_files import load_proof, save_proof
from rooms import cases, often

ROOT = Path(__file__).parents[2]
OTHER_LANGUAGE = ROOT / "examples" / "verifier.py"
"""The verifier that shares nothing with the package."""

ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "2x3": ("2x3", {}),
    "2x6": ("2x6", {}),
    "3x5": ("3x5", {}),
    "3x4/black": ("3x4/black", {}),
    "3x4 worst": ("3x4", {"worst": True}),
    "4x3 within 4": ("4x3", {"limit": 4}),
    "3x4 within 3": ("3x4", {"limit": 3}),
    "3x5/no-repeats": ("3x5/no-repeats", {}),
}


def asked(name: str, folder: Path) -> dict[str, Any]:
    rules, options = ASKED[name]
    optimal(rules, proof=folder / "asked.json", **options)
    return load_proof(folder / "asked.json")


def by_example(path: Path) -> bool:
    """Whether the verifier of `examples` accepts a file."""
    return subprocess.run([sys.executable, OTHER_LANGUAGE, path], capture_output=True, check=False).returncode == 0


def example() -> SimpleNamespace:
    """Its names, without a file to check."""
    return SimpleNamespace(**runpy.run_path(str(OTHER_LANGUAGE)))


@pytest.mark.parametrize("name", ASKED)
def test_a_verifier_of_150_lines_that_shares_nothing_accepts_what_ours_does(name: str, tmp_path: Path) -> None:
    save_proof(tmp_path / "proof.json", asked(name, tmp_path))

    verify(tmp_path / "proof.json")
    assert by_example(tmp_path / "proof.json")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it is not written as proofs are"),
        (b"{}", "it is not written as proofs are"),
        (b"\x1f\x8b", "it is not written as proofs are"),
        (b"no proof", "it is not written as proofs are"),
        (b'{"format": "entropeg lower bound 1", "lemmas": 0}', "it is no whole file of format 4"),
        (None, "there is no such file"),
    ],
)
def test_the_other_verifier_refuses_by_one_sentence(content: bytes | None, told: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    if content is not None:
        path.write_bytes(content)
    done = subprocess.run([sys.executable, OTHER_LANGUAGE, path], capture_output=True, text=True, check=False)

    assert (1, "", f"{path} is refused: {told}\n") == (done.returncode, done.stdout, done.stderr)


def test_the_other_verifier_without_a_file_says_what_it_takes() -> None:
    done = subprocess.run([sys.executable, OTHER_LANGUAGE], capture_output=True, text=True, check=False)

    assert (1, "one file is checked: python verifier.py FILE\n") == (done.returncode, done.stderr)


def test_the_other_verifier_is_short_and_needs_the_standard_library_alone() -> None:
    text = OTHER_LANGUAGE.read_text(encoding="utf-8")
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}

    assert len(text.splitlines()) <= 151
    assert imported <= sys.stdlib_module_names


# ------------------------------------------------------------------ forged files


def forgeries(data: dict[str, Any], rng: np.random.Generator, count: int) -> Iterator[dict[str, Any]]:
    """Copies with one thing changed: numbers, parts left out, lemmas exchanged, more clues, witnesses, head, claims."""
    for _ in range(count):
        made = json.loads(json.dumps(data))
        lemmas, kind = made["lemmas"], int(rng.integers(10))
        lemma = lemmas[int(rng.integers(len(lemmas)))]
        numbers = list(places(lemma))
        if kind <= 2 and numbers:
            inside, at = numbers[int(rng.integers(len(numbers)))]
            inside[at] = int(inside[at] or 0) + int(rng.choice([-2, -1, 1, 2]))
        elif kind == 3 and lemma[4]:
            del lemma[4][int(rng.integers(len(lemma[4])))]
        elif kind == 4 and lemma[4] and lemma[4][0][1]:
            del lemma[4][0][1][0]
        elif kind == 5 and made["witnesses"]:
            some = made["witnesses"][int(rng.integers(len(made["witnesses"])))]
            names = some[int(rng.integers(len(some)))]
            rng.shuffle(names)
        elif kind == 6:
            one, other = rng.integers(len(lemmas), size=2).tolist()
            lemmas[one], lemmas[other] = lemmas[other], lemmas[one]
        elif kind == 7:
            made["colors"] += int(rng.choice([-1, 1]))
        elif kind == 8:
            further(made, rng)
        else:
            claim = made["claims"][-1]
            claim[int(rng.integers(2))] = int(rng.integers(2, 500))
            lemmas[-1][1:3] = claim
        yield made


def further(data: dict[str, Any], rng: np.random.Generator) -> None:
    """Have a lemma say of some of its codes, after one turn more, what holds of any set: they have more clues."""
    sets, lemma = sets_of(data), data["lemmas"][int(rng.integers(len(data["lemmas"])))]
    guess = int(rng.integers(len(sets.board.guesses)))
    codes = sets.reached(lemma[0]).codes
    lemma[0] = [*lemma[0], [guess, sets.labels[sets.label[int(rng.choice(codes)), guess]]]]
    lemma[2:] = [1, [], []]


def places(value: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """(list, place) of every number of a lemma."""
    for at, one in enumerate(value):
        if isinstance(one, list):
            yield from places(one)
        elif one is not None:
            yield value, at


def verdict(check: Callable[[], object]) -> bool:
    try:
        check()
    except InputError:
        return False
    return True


def checked(data: dict[str, Any], *, is_compiled: bool) -> bool:
    def check() -> None:
        sets = sets_of(data, is_compiled=is_compiled)
        assert is_compiled == isinstance(sets, CompiledBounds)
        said = Verifier(sets, data["witnesses"]).check(data["lemmas"])
        known = {(one.within, one.bound) for one in said if len(one.left.codes) == len(sets.board.secrets)}
        if any((within, bound) not in known for within, bound in data["claims"]):
            raise ProofError("a claim")

    return verdict(check)


@pytest.mark.parametrize(("rules", "options"), [("3x6/positional/hard", {}), ("4x4", {"consistent_only": True})])
def test_forged_lemmas_under_other_clues_are_noticed_and_prove_nothing_false(
    rules: str, options: dict[str, Any], tmp_path: Path
) -> None:
    found = optimal(rules, proof=tmp_path / "right.json", **options)
    right, said = load_proof(tmp_path / "right.json"), list[str]()
    for made in forgeries(right, np.random.default_rng(1), cases(60, 1000)):
        save_proof(tmp_path / "forged.json", made)
        try:
            verify(tmp_path / "forged.json")
        except InputError as error:
            said.append(str(error))
        else:
            assert all(bound is not None and bound <= (found.total or 0) for _, bound in made["claims"])

    assert any("is about fewer guesses than are allowed after" in each for each in said)
    assert any("is about other codes than guess" in each for each in said)


@pytest.mark.parametrize("name", often(3, ["2x6", "4x3 within 4", "3x4/black", "3x5/no-repeats", "3x5"]))
def test_three_verifiers_agree_on_every_forged_proof_and_none_is_false(name: str, tmp_path: Path) -> None:
    data, other, refused = asked(name, tmp_path), example(), 0
    [(within, least)] = data["claims"]

    def by_other(made: dict[str, Any]) -> bool:
        try:
            other.Checker(made).check(made["lemmas"])
        except (ValueError, KeyError, IndexError, TypeError):
            return False
        return True

    for made in forgeries(data, np.random.default_rng(7), 50):
        said = [checked(made, is_compiled=False), checked(made, is_compiled=True), by_other(made)]

        assert len(set(said)) == 1, (made, said)
        refused += not said[0]
        if said[0] and made["colors"] == data["colors"]:
            [(limit, bound)] = made["claims"]
            is_weaker = limit is None or (within is not None and limit >= within)
            assert not is_weaker or bound <= least
    assert refused > 15


@pytest.mark.parametrize("line", [0, 1, -1])
def test_a_file_that_was_cut_off_is_refused(line: int, tmp_path: Path) -> None:
    asked("2x6", tmp_path)
    lines = (tmp_path / "asked.json").read_text(encoding="utf-8").splitlines()
    del lines[line]
    (tmp_path / "cut.json").write_text("\n".join(lines), encoding="utf-8")

    with pytest.raises(InputError):
        verify(tmp_path / "cut.json")
    assert not by_example(tmp_path / "cut.json")


# ------------------------------------------------------------------ what is claimed


@pytest.mark.parametrize(
    ("name", "options", "expected", "said"),
    [
        ("3x4", {"worst": True}, Proven("3x4", 64, 206, None, 4, 3), "64 codes are not found within 3 guesses"),
        ("4x4", {"limit": 5}, Proven("4x4", 256, 905, None, 5), "256 codes by strategies of at most 5 guesses"),
        ("3x4", {"limit": 3}, Proven("3x4", 64, None, None, None, 3), "3x4: 64 codes are not found within 3 guesses"),
        ("3x4/limit=4", {}, Proven("3x4", 64, 206), "3x4: total >= 206 guesses over 64 codes (verified)"),
    ],
)
def test_limits_and_worst_cases_are_proven(
    name: str, options: dict[str, Any], expected: Proven, said: str, tmp_path: Path
) -> None:
    found = optimal(name, proof=tmp_path / "p.json", **options)

    assert expected == verify(tmp_path / "p.json")
    assert expected.bound == found.total
    assert said in str(expected)


def test_a_total_that_a_limit_raises_is_proven_within_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    for name in ("3x4/black", "4x3"):
        found = optimal(name, worst=True, proof=path)

        assert (found.total, found.worst) == (verify(path).bound, verify(path).within)
        data = load_proof(path)
        data["claims"][-1] = [None, data["claims"][-1][1] + 1]
        data["lemmas"][-1][1:3] = data["claims"][-1]
        save_proof(path, data)
        with pytest.raises(ProofError):
            verify(path)


@pytest.mark.parametrize("name", ["3x4", "4x4", "3x5/no-repeats", "3x3/positional"])
def test_strategies_of_possible_codes_alone_are_proven_apart(name: str, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    found = optimal(name, consistent_only=True, proof=path)

    proven = verify(path)
    assert (found.total, f"{name} by possible codes alone") == (proven.bound, proven.rules)
    if found.total != optimal(name).total:  # it says nothing of all strategies
        data = load_proof(path)
        save_proof(path, {**data, "consistent": False})
        with pytest.raises(ProofError):
            verify(path)


def test_a_board_of_black_feedback_alone_takes_no_more_than_one_of_both(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    found = optimal("4x4/black", proof=path)

    assert verify(path).bound == found.total == 1301
    assert path.stat().st_size < 10_000  # 640,000 while colors kept their names at all pegs alike


# ------------------------------------------------------------------ witnesses


def witnessed(name: str, witness: list[Any], **head: Any) -> None:
    board = {**head_of(Rules.parse(name)), **head}
    Verifier(sets_of(board), [witness])


@pytest.mark.parametrize(
    ("name", "witness"),
    [
        ("3x3", [[0, 1, 1], [0, 1, 2]]),
        ("3x3", [[0, 1, 2], [0, 1, 3]]),
        ("3x3", [[0, 1, 2], [0, 1]]),
        ("3x3", [[0, 1, 2]]),
        ("3x3", [[0, 1, 2], "012"]),
        ("3x3", [[0, 1, 2], [0, 1, 2], [1, 0, 2], [0, 1, 2]]),  # names by peg: under black feedback alone
        ("3x3/no-repeats/black", [[0, 1, 2], [0, 1, 2], [1, 0, 2], [0, 1, 2]]),
        ("2x3/blanks", [[0, 1], [0, 1, 3, 2]]),
        ("2x4/shapes=2", [[1, 0], [0, 1, 2, 3]]),
        ("2x4/shapes=2", [[0, 1], [1, 0, 2, 3]]),
    ],
)
def test_a_witness_that_is_no_symmetry_is_refused(name: str, witness: list[Any]) -> None:
    with pytest.raises(ProofError, match="witness 0 "):
        witnessed(name, witness)


@pytest.mark.parametrize(
    ("name", "witness"),
    [
        ("3x3/black", [[0, 2, 1], [0, 1, 2], [1, 0, 2], [0, 1, 2]]),
        ("2x3/blanks-in-secrets", [[0, 1], [0, 1, 3, 2]]),
        ("2x4/shapes=2", [[0, 1], [3, 2, 1, 0]]),
        ("2x4/no-repeats/shapes=2", [[1, 0], [1, 0, 3, 2]]),
        ("3x3/positional", [[2, 0, 1], [1, 2, 0]]),
    ],
)
def test_a_symmetry_keeps_equal_answers_equal(name: str, witness: list[Any]) -> None:
    sets = sets_of(head_of(Rules.parse(name)))
    image = sets.symmetry.images(0, witness)

    assert sorted(image.secrets.tolist()) == list(range(len(sets.board.secrets)))
    for guess in range(len(sets.board.guesses)):
        labels, moved = sets.label[:, guess].tolist(), sets.label[image.secrets, image.guesses[guess]].tolist()
        pairs = set(zip(labels, moved, strict=True))
        assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)
        assert all((one == sets.win) == (other == sets.win) for one, other in pairs)


def test_a_lemma_holds_of_renamed_codes_and_of_more_than_it_is_about() -> None:
    sets = sets_of(head_of(Rules.parse("2x4")))
    swap = [[0, 1], [1, 0, 2, 3]]
    about_a: list[Any] = [[[0, 3]], None, 11, [], []]  # AA, one black: AB, AC, AD, BA, CA, DA
    after_b: list[Any] = [[[5, 3]], None, 99, [], []]  # BB, one black
    verifier = Verifier(sets, [swap])

    assert verifier.check([about_a])[0].bound == 11
    part, left = sets.reached(after_b[0]), sets.reached(about_a[0])
    image = verifier.images[0]
    assert sets.holds_of(left, part, image)
    assert not sets.holds_of(left, part, None)
    assert sets.holds_of(Left(left.codes[:3]), part, image)
    assert not sets.holds_of(left, Left(part.codes[:3]), image)


def test_a_renamed_lemma_under_hard_rules_must_allow_the_renamed_guesses() -> None:
    sets = sets_of(head_of(Rules.parse("3x3/positional/hard")))
    image = sets.symmetry.images(0, [[0, 1, 2], [1, 0, 2]])
    codes = sets.reached([[0, 0]]).codes  # AAA, nothing: it obliges to nothing
    free, bound = Left(codes), sets.reached([[0, 2 * 9]])  # AAA, the first in place

    assert sets.allows(free, bound, None)
    assert not sets.allows(bound, free, None)
    assert not sets.allows(bound, sets.reached([[0, 2 * 3]]), image)
    assert sets.allows(sets.reached([[13, 2 * 9]]), bound, image)  # BBB, the first in place
    assert not sets.allows(sets.reached([[13, 2 * 3]]), bound, image)


# ------------------------------------------------------------------ the compiled twin


@pytest.mark.parametrize(
    "name", often(4, ["3x4", "4x3", "3x4/black", "3x3/positional", "3x4/membership", "2x3/blanks"])
)
def test_compiled_bounds_are_those_of_numpy(name: str) -> None:
    head, rng = head_of(Rules.parse(name)), np.random.default_rng(len(name))
    plain, twin = sets_of(head, is_compiled=False), sets_of(head, is_compiled=True)
    images = [plain.symmetry.images(0, witness).guesses for witness in plain.symmetry.found([])]
    assert type(plain) is SetBounds
    assert isinstance(twin, CompiledBounds)
    for _ in range(60):
        size = int(rng.integers(1, min(len(plain.board.secrets), 40) + 1))
        left = Left(np.sort(rng.choice(len(plain.board.secrets), size, replace=False)))
        whole = size == len(plain.board.secrets)
        for within in (None, 1, 2, 3, 4):
            bound = int(rng.integers(2 * size - 1, 3 * size + 2))
            known = {int(rng.integers(len(plain.board.guesses))): {0: 5}}
            assert plain.set_bound(left, within) == twin.set_bound(left, within)
            for named in ({}, known):
                some = (left, bound, within, images if whole else [], named)
                assert plain.unrefuted(*some) == twin.unrefuted(*some)


def test_kinds_without_a_twin_are_left_to_numpy() -> None:
    for name in ("3x3/positional/hard", "5x2/positional"):
        assert type(sets_of(head_of(Rules.parse(name)), is_compiled=True)) is SetBounds
    head = {**head_of(Rules.parse("3x3")), "consistent": True}
    assert type(sets_of(head, is_compiled=True)) is SetBounds


@pytest.mark.parametrize(("witness", "is_right"), [(0, True), (3, False), (99, False), (-1, False)])
def test_a_part_may_be_bounded_by_a_lemma_about_it_renamed(witness: int, is_right: bool, tmp_path: Path) -> None:
    data = asked("2x6", tmp_path)
    exchanged = [[1, 0], [0, 1, 2, 3, 4, 5]]
    assert data["witnesses"][0] == exchanged
    [entry] = data["lemmas"][-1][4]
    guess, parts = entry  # AB; BA is its image, and so are its parts
    data["lemmas"][-1][4].append([6, [[*part, witness] for part in parts]])
    save_proof(tmp_path / "renamed.json", data)

    assert guess == 1
    assert is_right == by_example(tmp_path / "renamed.json")
    assert [is_right] * 2 == [checked(data, is_compiled=is_compiled) for is_compiled in (False, True)]


@pytest.mark.parametrize("number", [1 << 70, -(1 << 70), 1 << 51, (1 << 51) - 1, -1, 0])
def test_numbers_beyond_all_bounds_are_refused_or_mean_what_they_say(number: int, tmp_path: Path) -> None:
    data = asked("2x6", tmp_path)
    for lemma, at in ((3, 2), (3, 1), (0, 1), (0, 2)):
        made = json.loads(json.dumps(data))
        made["lemmas"][lemma][at] = number

        assert checked(made, is_compiled=False) == checked(made, is_compiled=True)


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ([], "it claims nothing, or more than one total"),
        ([[1, 2], [3, 4]], "it claims nothing, or more than one total"),
        ([[None, None]], "its claims are not pairs"),
        ([5], "its claims are not pairs"),
        ([[None, 131]], "no lemma says that all 36 codes take 131 guesses"),
        ([[None, 132], [3, None]], "no lemma says that 36 codes are not found within 3 guesses"),
    ],
)
def test_a_claim_that_no_lemma_says_is_refused(claims: list[Any], said: str, tmp_path: Path) -> None:
    save_proof(tmp_path / "claims.json", {**asked("2x6", tmp_path), "claims": claims})

    with pytest.raises(ProofError, match=said):
        verify(tmp_path / "claims.json")
    assert not by_example(tmp_path / "claims.json")

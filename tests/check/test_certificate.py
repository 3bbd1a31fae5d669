"""Stored proofs of lower bounds: what is written is verified by other code, and what is tampered with is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from entropeg import cli
from entropeg.check.proven_board import ProofError
from entropeg.check.proven_bounds import HOPELESS, NO_USE, Left
from entropeg.check.verifier import Proven, Verifier, sets_of, verify
from entropeg.codes import secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.proving.certificate import check_provable, write_proof
from entropeg.search.results import SearchProgress
from entropeg.tree.optimum import optimal
from naive import score
from naive_exact import Code, NaiveWeighted, all_codes
from proof_files import load_proof, save_proof
from rooms import often

BOARDS = ["2x3", "2x7", "3x4", "3x7", "4x3", "4x4", "5x3", "3x6/no-repeats", "4x6/no-repeats", "3x4/black", "2x6/black"]
BOARDS += ["3x8", "4x7/no-repeats"]  # out of reach of the slow solver of the tests


def written(name: str, path: Path) -> dict[str, Any]:
    optimal(Rules.parse(name), proof=path)
    return load_proof(path)


@pytest.mark.parametrize("name", BOARDS)
def test_a_proof_is_verified_and_proves_the_total(name: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    found = optimal(Rules.parse(name), proof=path)

    assert verify(path) == Proven(name, found.size, found.total)


def test_the_proof_of_4x5_has_lemmas_and_is_compressed(tmp_path: Path) -> None:
    path = tmp_path / "proof.json.gz"

    optimal(Rules.parse("4x5"), proof=path)

    assert verify(path)[2] == 2463
    assert path.read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize("name", ["3x7", "4x4", "3x6/no-repeats"])
def test_a_bound_above_the_optimum_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    data = written(name, path)
    data["claims"][0][1] += 1
    data["lemmas"][-1][2] += 1
    save_proof(path, data)

    with pytest.raises(ProofError, match=r"refuted|bounded by"):
        verify(path)


def test_every_lemma_raised_by_one_or_cut_off_is_noticed_or_true(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    data = written("3x7", path)
    sets = sets_of(data)
    lemmas, witnesses = data["lemmas"], data["witnesses"]

    assert len(lemmas) > 3
    for number, (*some, guesses) in enumerate(lemmas):
        if guesses:
            cut = [*lemmas[:number], [*some, guesses[1:]], *lemmas[number + 1 :]]
            with pytest.raises(ProofError):
                Verifier(sets, witnesses).check(cut)
    with pytest.raises(ProofError, match="does not come before"):
        Verifier(sets, witnesses).check([lemmas[-1]])
    with pytest.raises(ProofError, match="no lemma"):
        Verifier(sets, witnesses).check([])


UNWRITTEN: dict[str, Any] = {
    "no list": {},
    "two": [[], 9],
    "four": [[], 9, [], []],
    "history": [{}, 9, []],
    "guesses": [[], 9, {}],
    "bound true": [[], True, []],
    "bound in parts": [[], 9.0, []],
    "bound of a guess of no use": [[], NO_USE, []],
    "bound beyond reach": [[], HOPELESS, []],
    "no limit and no bound": [[], None, None, [], []],
    "limit in text": [[], "3", 9, [], []],
    "witness in text": [[], None, 9, ["0"], []],
    "no witnesses": [[], None, 9, None, [[3, [[0, 0, 0]]]]],
    "witnesses in brackets": [[], None, 9, [[0]], []],
    "part of four": [[], None, 9, [], [[3, [[0, 0, 0, 0]]]]],
    "turn": [[3], 9, []],
    "turn of three": [[[3, 0, 0]], 9, []],
    "turn in text": [[["3", 0]], 9, []],
    "label in text": [[[3, "0"]], 9, []],
    "guess before the first": [[[-1, 0]], 9, []],
    "guess past the last": [[[9, 0]], 9, []],
    "guess alone": [[], 9, [3]],
    "guess without parts": [[], 9, [[3]]],
    "guess with more": [[], 9, [[3, [], []]]],
    "guess in text": [[], 9, [["3", []]]],
    "guess true": [[], 9, [[True, []]]],
    "another guess before the first": [[], 9, [[-1, []]]],
    "another guess past the last": [[], 9, [[9, []]]],
    "parts": [[], 9, [[3, 0]]],
    "part": [[], 9, [[3, [0]]]],
    "part of three": [[], 9, [[3, [[0, 0, 0]]]]],
    "lemma in text": [[], 9, [[3, [[0, "0"]]]]],
    "label of a part in text": [[], 9, [[3, [["0", 0]]]]],
    "second of two": [[], 9, [[3, []], [4, 0]]],
}


@pytest.mark.parametrize("lemma", UNWRITTEN.values(), ids=UNWRITTEN.keys())
def test_a_lemma_that_is_not_written_as_lemmas_are_is_refused_by_its_number(lemma: Any) -> None:
    sets = sets_of({"pegs": 2, "colors": 3, "repeats": True, "black": False})
    right = [[], 9, []]

    Verifier(sets).check([right])
    with pytest.raises(ProofError, match="lemma 1 is not written as lemmas are"):
        Verifier(sets).check([right, lemma])


def test_the_rules_named_are_those_of_the_board_that_was_checked(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    data = written("3x4/black", path)
    other = tmp_path / "other.json"
    other.write_text("[]")
    called = tmp_path / "called.json"
    save_proof(called, {**data, "rules": "3x5/black"})

    assert verify(path)[0] == "3x4/black"
    with pytest.raises(ProofError, match="its rules are called '3x5/black', and it is about 3x4/black"):
        verify(called)
    with pytest.raises(ProofError, match="no proof of a lower bound"):
        verify(other)


def test_a_lemma_on_other_codes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    data = written("3x7", path)
    first = next(parts for *_, guesses in data["lemmas"] for _, parts in guesses)
    first[0][1] = (first[0][1] + 1) % 2
    save_proof(path, data)

    with pytest.raises(ProofError):
        verify(path)


def _label(guess: tuple[int, ...], secret: tuple[int, ...], *, black: bool) -> int:
    return score(1 if black else 0, guess, secret)


@pytest.mark.parametrize(("pegs", "colors", "black"), [(3, 4, False), (4, 3, False), (3, 3, True)])
def test_the_verifier_counts_feedback_right(pegs: int, colors: int, black: bool) -> None:
    sets = sets_of({"pegs": pegs, "colors": colors, "repeats": True, "black": black})
    codes = all_codes(pegs, colors)

    assert codes == [tuple(code) for code in sets.board.secrets.tolist()]
    expected = np.array([[_label(guess, secret, black=black) for secret in codes] for guess in codes])
    assert (expected.T == np.array(sets.labels)[sets.label]).all()


@pytest.mark.parametrize(("pegs", "colors"), [(4, 4), (5, 3), (7, 2), (8, 2), (10, 2)])  # 14, 20, 35, 44, 65 labels
def test_the_verifier_bounds_guesses_by_their_parts(pegs: int, colors: int) -> None:
    sets = sets_of({"pegs": pegs, "colors": colors, "repeats": True, "black": False})
    board = len(sets.board.secrets)
    rng = np.random.default_rng(3)
    for n in {3, 20, min(board, 600)}:
        codes = np.sort(rng.choice(board, n, replace=False))
        guesses = np.sort(rng.choice(board, 12, replace=False))
        parts = [set(row.tolist()) - {sets.win} for row in sets.label.T[:, codes]]
        left = Left(codes)
        inside, outside = sets.fan(left)
        assert inside == max(len(parts[code]) for code in codes)
        assert outside == max((len(parts[code]) for code in set(range(board)) - set(codes.tolist())), default=0)
        least = [
            min(_least(size, inside, outside, own=True), _least(size, inside, outside, own=False)) for size in range(n)
        ]
        by_sizes, by_parts = sets.size_bounds(left, guesses).tolist(), sets.part_bounds(left)
        for guess, bound in zip(guesses.tolist(), by_sizes, strict=True):
            sizes = Counter(sets.label[codes, guess].tolist())
            inside = sizes.pop(sets.win, 0)
            expected = NO_USE if n in sizes.values() else n + sum(least[size] for size in sizes.values())

            assert expected == bound
            assert 3 * n - len(sizes) - 2 * inside == by_parts[guess]


def _least(size: int, inside: int, outside: int, *, own: bool) -> int:
    """What codes cost at least if the first guess is one of them, or not: those not found yet, guess by guess."""
    found = [0, int(own), 1 + inside if own else outside]
    second = max(1 + inside, outside)
    while found[-1] < size:
        second = max(1 + inside * second, outside * second)
        found.append(second)
    return sum(max(0, size - settled) for settled in found)


WEIGHTS: dict[str, Callable[[list[Code], np.random.Generator], NDArray[np.int64]]] = {
    "one": lambda codes, _: np.ones(len(codes), np.int64),
    "random": lambda codes, rng: rng.integers(1, 30, len(codes)),
    "some 0": lambda codes, rng: rng.integers(0, 4, len(codes)) ** 3,
    "by color": lambda codes, _: np.array([3 if 0 in code else 1 for code in codes]),
    "large": lambda codes, rng: rng.integers(2**42, 2**43, len(codes)),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("name", often(4, ["2x4", "4x2", "2x5/black", "3x4/no-repeats", "3x3", "2x6"]))
def test_a_proof_under_weights_needs_no_search_of_ours(name: str, kind: str, tmp_path: Path) -> None:
    rules, path, rng = Rules.parse(name), tmp_path / "proof.json", np.random.default_rng(len(name))
    codes = list(secrets(rules))
    weights = WEIGHTS[kind](codes, rng)
    naive = NaiveWeighted(codes, dict(zip(codes, weights.tolist(), strict=True)), black="black" in name)
    least = naive.value(tuple(code for code in codes if naive.weight[code]))

    write_proof(
        rules, least, lambda rows, _, **__: naive.value(tuple(sorted(map(tuple, rows.tolist())))), path, weights
    )

    assert verify(path) == Proven(name, int(np.count_nonzero(weights)), least, int(weights.sum()))
    data = load_proof(path)
    data["lemmas"][-1][2] += 1
    save_proof(path, {**data, "claims": [[None, least + 1]]})
    with pytest.raises(ProofError):
        verify(path)
    check_formulas(rules, codes, weights, naive)


def check_formulas(rules: Rules, codes: list[Code], weights: NDArray[np.int64], naive: NaiveWeighted) -> None:
    """No formula bounds a set by more than its value, and with weights of 1 they are those without weights."""
    board = {"pegs": rules.pegs, "colors": rules.colors, "repeats": rules.repeats, "black": "black" in str(rules)}
    checker, plain = sets_of(board, weights), sets_of(board)
    likely, rng, every = np.flatnonzero(weights), np.random.default_rng(1), np.arange(len(codes))
    for _ in range(40):
        places = np.sort(rng.choice(likely, min(len(likely), int(rng.integers(1, 14))), replace=False))
        some = Left(places)
        value = naive.value(tuple(codes[place] for place in places))

        assert checker.split_bound(some) <= checker.set_bound(some) <= value
        assert checker.floor(places, checker.fan(some)) <= value
        if (weights == 1).all():
            assert plain.set_bound(some) == checker.set_bound(some)
            assert plain.split_bound(some) == checker.split_bound(some)
            assert (plain.part_bounds(some) == checker.part_bounds(some)).all()
            assert (plain.size_bounds(some, every) == checker.size_bounds(some, every)).all()


@pytest.mark.parametrize("name", ["3x4/prior=distinct", "3x5/prior=distinct", "3x6/no-repeats", "3x4/black"])
def test_a_proof_under_weights_proves_what_the_search_found(name: str, tmp_path: Path) -> None:
    rules, path = Rules.parse(name), tmp_path / "proof.json.gz"
    weights = None if rules.prior else np.random.default_rng(1).integers(0, 9, rules.secret_count)

    found, proven = optimal(rules, weights=weights, proof=path), verify(path)

    assert found.size == proven.codes
    assert found.expected == pytest.approx((proven.bound or 0) / (proven.weight or 0))
    assert "under the weights of the file: weighted total >= " in str(proven)


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        (None, "not 16 whole"),
        ([1] * 15, "not 16 whole"),
        ([1.0] * 16, "not 16 whole"),
        ([-1, *[1] * 15], "not 16 whole"),
        ([0] * 16, "sum up to 0"),
        ([1 << 50] * 16, "sum up to 18014398509481984; "),
    ],
)
def test_weights_that_mean_nothing_prove_nothing(weights: list[int] | None, told: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    optimal("2x4", weights=np.arange(16), proof=path)
    save_proof(path, {**load_proof(path), "weights": weights})

    with pytest.raises(ProofError, match=told):
        verify(path)


def test_a_proof_for_larger_weights_proves_nothing_for_smaller_ones(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    optimal("2x5", weights=np.arange(1, 26), proof=path)
    save_proof(path, {**load_proof(path), "weights": [1] * 25})

    with pytest.raises(ProofError):
        verify(path)


def test_the_command_writes_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"

    CliRunner().invoke(cli.group, ["optimal", "3x5", "--proof", str(path)])
    shown = CliRunner().invoke(cli.group, ["verify", str(path)])
    path.write_text(path.read_text().replace("451", "452"))
    refused = CliRunner().invoke(cli.group, ["verify", str(path)])

    assert shown.output == "3x5: total >= 451 guesses over 125 codes (verified)\n"
    assert refused.exit_code == 2
    assert "is refused" in refused.output


def test_what_cannot_be_proven_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    with pytest.raises(TooLargeError, match="9x9 could not be checked: its board of 387,420,489 codes is too large"):
        check_provable(Rules.parse("9x9"))
    with pytest.raises(InputError, match="whole board"):
        optimal(Position.of("2x3").after("AB", (1, 0)), proof=path)
    with pytest.raises(InputError, match="under weights is written without a limit"):
        optimal(Rules.parse("2x3"), proof=path, limit=3, weights=np.arange(9))


def test_the_lemmas_of_a_proof_are_told_while_they_are_written(tmp_path: Path) -> None:
    file, told = tmp_path / "proof", list[SearchProgress]()
    found = optimal("4x4", proof=file, threads=1, progress=told.append)
    written = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["lemmas"]

    assert found.is_certified
    numbers = [each.lemmas for each in told if each.lemmas is not None]
    assert sorted(numbers) == numbers
    assert {*range(1, written + 1)} <= {*numbers}
    assert f"{written} lemmas of the proof written" in map(str, told[-1].told(found.rules))


def test_a_proof_that_its_time_does_not_allow_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, later = tmp_path / "proof", [0.0]
    monkeypatch.setattr("time.perf_counter", lambda: perf_counter() + later[0])

    def pass_time(stand: SearchProgress) -> None:
        later[0] = 1e6 * (stand.lemmas is not None)

    found = optimal("4x4", proof=file, threads=1, time=1e5, progress=pass_time)

    assert found.is_exact
    assert not found.is_certified
    assert not found.is_interrupted
    assert not file.exists()

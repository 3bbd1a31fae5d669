"""Proofs written out for the proven checker: accepted where they are right, refused where they are forged."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg.check import explicit as module
from entropeg.check.explicit import Explicit, UncoveredError, ask, checker, explicit
from entropeg.check.proven_board import FORMAT, ProofError
from entropeg.check.verifier import verify
from entropeg.cli.commands.verify import command
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.tree.optimum import optimal
from proof_files import load_proof, save_proof
from rooms import cases

ROOT = Path(__file__).parents[2]
MUTANTS = cases(100, 2000)
ASKED: dict[str, dict[str, Any]] = {
    "2x3": {},
    "2x6": {},
    "3x4": {"worst": True},
    "4x3": {"limit": 4},
    "3x3/black": {},
    "3x4/positional": {},
    "3x4/membership": {},
    "3x5/no-repeats": {},
    "3x4/no-repeats/guess-repeats": {},
    "3x3/blanks": {},
    "3x3/blanks-in-secrets": {},
    "3x4/positional/hard": {},
    "4x4": {"consistent_only": True},
    "3x4/no-repeats/guess-repeats/positional": {"consistent_only": True},
}


@pytest.mark.parametrize("rules", ASKED)
@pytest.mark.usefixtures("built")
def test_the_proven_checker_accepts_every_kind_of_proof_that_it_covers(rules: str, tmp_path: Path) -> None:
    optimal(rules, proof=tmp_path / "proof.json", **ASKED[rules])

    ask(explicit(tmp_path / "proof.json"))


@pytest.mark.parametrize("rules", ["2x6", "3x3/black", "3x4"])
@pytest.mark.usefixtures("built")
def test_no_claim_above_an_optimum_is_accepted_of_mutants(rules: str, tmp_path: Path) -> None:
    optimal(rules, proof=tmp_path / "proof.json")
    verify(tmp_path / "proof.json")
    written = explicit(tmp_path / "proof.json")
    # The rest of a certificate may be changed and still prove the optimum: what is asked is one guess more.
    right, rng, refused = written.text().split(), np.random.default_rng(45), 0
    for _ in range(MUTANTS):
        words = list(right)
        for at in rng.integers(15, len(words), size=int(rng.integers(1, 3))).tolist():
            words[at] = str(max(0, int(words[at]) + int(rng.choice([-2, -1, 1, 2]))))
        words[14] = str(int(right[14]) + 1)  # the claim, plus 1
        done = subprocess.run([checker()], input=" ".join(words), capture_output=True, text=True, check=False)
        refused += done.returncode != 0

    assert MUTANTS == refused


@pytest.mark.parametrize(("rules", "options"), [("4x4", {"consistent_only": True}), ("3x5/positional/hard", {})])
@pytest.mark.usefixtures("built")
def test_what_holds_of_fewer_guesses_is_not_accepted_of_all(
    rules: str, options: dict[str, Any], tmp_path: Path
) -> None:
    found = optimal(rules, proof=tmp_path / "proof.json", **options)
    written = explicit(tmp_path / "proof.json")
    ask(written)
    least = optimal(rules.removesuffix("/hard")).total
    assert (least or 0) < (found.total or 0)
    # The rule stands before the weights, of which there are none, and the claim: one, without a limit, and its bound.
    with pytest.raises(ProofError, match="does not accept"):
        ask(written._replace(head=[*written.head[:-5], 0, *written.head[-4:]]))


@pytest.mark.parametrize(
    ("rules", "options"),
    [("2x6", {}), ("3x3/black", {}), ("3x5", {}), ("4x3", {"consistent_only": True}), ("3x4/positional/hard", {})],
)
@pytest.mark.usefixtures("built")
def test_proofs_under_weights_are_accepted_and_weights_that_are_less_are_not(
    rules: str, options: dict[str, Any], tmp_path: Path
) -> None:
    codes = Rules.parse(rules).secret_count
    weights = np.random.default_rng(45).integers(0, 6, codes)
    found = optimal(rules, weights=weights, proof=tmp_path / "proof.json", **options)
    written = explicit(tmp_path / "proof.json")
    ask(written)

    assert written.head[-1] == 1 + round((found.expected or 0) * int(weights.sum()))
    with pytest.raises(ProofError, match="does not accept"):
        ask(written._replace(head=[*written.head[:-1], written.head[-1] + 1]))
    data = load_proof(tmp_path / "proof.json")
    data["weights"][int(weights.argmax())] -= 1  # and the least total is less by a guess or more
    save_proof(tmp_path / "proof.json", data)
    with pytest.raises(ProofError):
        ask(explicit(tmp_path / "proof.json"))


@pytest.mark.usefixtures("built")
def test_symmetries_that_change_weights_are_not_believed() -> None:
    # Of 1x3 code 1 weighs 2: it is guessed first, and the total is 2 + 2 + 3. Each other first guess takes 8; by an
    # exchange of colors 0 and 1 code 1 would, too.
    board = [1, 3, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    exchanged = "0 0 {} 1 0 1 0 0 1 0 1 0"
    witnesses: list[module.Witness] = [((0, (1, 0, 2)),)]
    ask(Explicit([*board, 0, 1, 0, 7], [0], witnesses, [exchanged.format(6)]))
    heavy = [*board, 1, 1, 2, 1, 0]
    ask(Explicit([*heavy, 8], [0], [], ["0 0 7 0 0 0"]))
    with pytest.raises(ProofError, match="does not accept"):
        ask(Explicit([*heavy, 9], [0], witnesses, [exchanged.format(8)]))


def test_weights_that_are_too_great_are_told(tmp_path: Path) -> None:
    optimal("2x3", weights=np.array([1 << 42, *[1] * 8]), proof=tmp_path / "proof.json")

    with pytest.raises(
        UncoveredError, match="its weights are too great, and numbers up to 1,099,511,627,776 are taken"
    ):
        explicit(tmp_path / "proof.json")


@pytest.mark.usefixtures("built")
def test_what_the_python_verifier_refuses_the_proven_checker_is_not_asked(tmp_path: Path) -> None:
    optimal("2x6", proof=tmp_path / "proof.json")
    data = load_proof(tmp_path / "proof.json")
    data["claims"] = [[None, 133]]
    data["lemmas"][-1][2] = 133
    save_proof(tmp_path / "proof.json", data)
    result = CliRunner().invoke(command, [str(tmp_path / "proof.json"), "--proven"])

    assert isinstance(result.exception, InputError)
    assert "accepts" not in result.output
    with pytest.raises(ProofError):
        ask(explicit(tmp_path / "proof.json"))


@pytest.mark.usefixtures("built")
def test_a_checker_that_read_another_board_is_not_believed() -> None:
    with pytest.raises(ProofError, match="does not accept it"):
        ask(Explicit([2, 3, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 23], [0], [], ["0 0 22 0 0 0"]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 3 x",
        "2 3 0 0 1 1 0 0 0 0 0 0 1 0 9999999999999",
        "2 3 0 0 1 1 0 0 0 0 3 0 1 0 22",
        "99 3 0 0 1 1 0 0 0 0 0 0 0 0 0",
        "20 255 0 0 1 1 0 0 0 0 0",
    ],
)
@pytest.mark.usefixtures("built")
def test_the_checker_tells_what_it_cannot_read(text: str) -> None:
    done = subprocess.run([checker()], input=text, capture_output=True, text=True, check=False)

    assert (3, True) == (done.returncode, ": unreadable: " in done.stdout)


@pytest.mark.usefixtures("built")
def test_certificates_that_are_cut_or_have_enormous_numbers_are_not_read(tmp_path: Path) -> None:
    optimal("2x6", proof=tmp_path / "proof.json")
    right, rng = explicit(tmp_path / "proof.json").text().split(), np.random.default_rng(47)
    for at in rng.integers(1, len(right), size=cases(40, 400)).tolist():
        for words in (right[:at], [*right[:at], str((1 << 40) + 1), *right[at + 1 :]]):
            done = subprocess.run([checker()], input=" ".join(words), capture_output=True, text=True, check=False)

            assert (3, True) == (done.returncode, ": unreadable: " in done.stdout)


def test_tables_are_not_covered_and_named(tmp_path: Path) -> None:
    codes = [[0], [1]]
    head = {
        "format": FORMAT,
        "rules": "table",
        "feedback": "table",
        "claims": [[None, 3]],
        "witnesses": [],
        "lemmas": 1,
    }
    table = {"secrets": codes, "guesses": codes, "labels": [[1, 0], [0, 1]]}
    save_proof(tmp_path / "proof.json", {**head, "table": table, "lemmas": [[[], None, 3, [], []]]})

    assert verify(tmp_path / "proof.json").bound == 3
    with pytest.raises(UncoveredError, match="a table of answers, and proofs about colors and words are taken"):
        explicit(tmp_path / "proof.json")


def test_proofs_of_an_earlier_format_are_told(tmp_path: Path) -> None:
    earlier = {"format": "entropeg lower bound 1", "pegs": 2, "colors": 3, "black": False, "repeats": True, "bound": 9}
    (tmp_path / "proof.json").write_text(json.dumps({**earlier, "lemmas": [[[], 9, []]]}), encoding="utf-8")

    with pytest.raises(UncoveredError, match="earlier format, and proofs of format 4 are taken"):
        explicit(tmp_path / "proof.json")


def test_what_the_proven_checker_does_not_take_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, file = tmp_path / "checker", tmp_path / "proof.json"
    program.write_text(
        "#!/bin/sh\ncat >/dev/null\necho 'entropeg-checker 4: unreadable: a board that is too large'\nexit 3\n"
    )
    program.chmod(0o755)
    monkeypatch.setattr(module, "checker", lambda: str(program))
    optimal("2x3", proof=file)

    with pytest.raises(InputError) as refused:
        command.main([str(file), "--proven"], standalone_mode=False)

    assert f"{file} holds, but the proven checker does not take it: it says 'a board that is too large'" == str(
        refused.value
    )


@pytest.mark.parametrize("said", ["exit 1", "echo entropeg-checker 0: accepted; exit 0", "kill -9 $$"])
def test_a_checker_that_is_another_one_or_crashes_is_told(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "checker"
    program.write_text(f"#!/bin/sh\ncat >/dev/null\n{said}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(module, "checker", lambda: str(program))

    with pytest.raises(InputError, match="is another one, or has crashed"):
        ask(Explicit([2], [], [], []))


def test_a_checker_that_is_missing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECKER", "no-such-checker")

    with pytest.raises(InputError, match="make proven"):
        checker()


def test_the_proofs_have_no_gap() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "formal").glob("*.v")]

    assert texts
    assert not any(word in text for text in texts for word in ("Admitted", "admit.", "Axiom ", "Parameter "))


def test_a_missing_checker_says_nothing_against_the_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHECKER", "no-such-checker")

    with pytest.raises(InputError) as refused:
        command.main([str(tmp_path / "proof.json"), "--proven"], standalone_mode=False)

    assert "the proven checker is not there" in str(refused.value)
    assert "no proof" not in str(refused.value)

"""The proofs extracted anew, arrays held against lists, and `scripts/proven` where tools are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg.check.explicit import explicit
from entropeg.tree.optimum import optimal
from rooms import cases

ROOT = Path(__file__).parents[2]
FORMAL = ROOT / "formal"
PARTS = ("Game", "Rules", "Symmetry", "Arrays", "Checker")
needs_coq = pytest.mark.skipif(
    not (shutil.which("coqc") and shutil.which("ocamlfind")), reason="SKIPPED: no coqc: nothing is extracted here"
)


def run(command: Sequence[str | Path], folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the proofs, compiled."""
    folder = tmp_path_factory.mktemp("formal")
    for path in FORMAL.glob("*.v"):
        shutil.copy(path, folder)
    for part in PARTS:
        assert run(["coqc", "-q", f"{part}.v"], folder).returncode == 0
    return folder


def program(folder: Path, compiled: Path, lines: list[str], arrays: list[str]) -> Path:
    """Extract with these lines of `Extract.v`, and compile."""
    folder.mkdir()
    for path in [*compiled.glob("*.vo"), FORMAL / "arrays.ml", FORMAL / "driver.ml"]:
        shutil.copy(path, folder)
    (folder / "Extract.v").write_text("\n".join([*lines, ""]), encoding="utf-8")
    assert run(["coqc", "-q", "Extract.v"], folder).returncode == 0
    sources = [*arrays, "checker.mli", "checker.ml", "driver.ml"]
    assert run(["ocamlfind", "ocamlopt", *sources, "-o", "checker"], folder).returncode == 0
    return folder / "checker"


@needs_coq
def test_the_kept_checker_is_what_is_extracted_and_arrays_do_as_lists_do(compiled: Path, tmp_path: Path) -> None:
    lines = (FORMAL / "Extract.v").read_text(encoding="utf-8").splitlines()
    arrays = program(tmp_path / "arrays", compiled, lines, ["arrays.ml"])
    lists = program(tmp_path / "lists", compiled, [line for line in lines if "Arrays." not in line], [])

    for name in ("checker.ml", "checker.mli"):
        assert (FORMAL / name).read_text(encoding="utf-8") == (arrays.parent / name).read_text(encoding="utf-8")
    assert "Arrays." not in (lists.parent / "checker.ml").read_text(encoding="utf-8")
    rng, said = np.random.default_rng(45), set()
    asked: list[tuple[str, dict[str, Any]]] = [("2x3", {}), ("2x5", {}), ("3x3/black", {}), ("2x3/positional", {})]
    asked += [("2x5", {"consistent_only": True}), ("2x3/positional/hard", {}), ("2x4", {"weights": range(16)})]
    for rules, options in asked:
        optimal(rules, proof=tmp_path / "proof.json", **options)
        right = explicit(tmp_path / "proof.json").text().split()
        for draw in range(cases(25, 500)):
            words = list(right)
            for at in rng.integers(15, len(words), size=min(draw, 2)).tolist():
                words[at] = str(max(0, int(words[at]) + int(rng.choice([-2, -1, 1, 2]))))
            both = [run([each], tmp_path, " ".join(words)) for each in (arrays, lists)]
            said.add(both[0].returncode)

            assert (both[0].returncode, both[0].stdout) == (both[1].returncode, both[1].stdout)
    assert {0, 1} <= said


# ------------------------------------------------------------------ scripts/proven where tools are missing


def tree(folder: Path, programs: dict[str, str]) -> Path:
    """The script and the proofs in a folder of their own, and a folder of the only programs that there are."""
    shutil.copytree(FORMAL, folder / "formal", ignore=shutil.ignore_patterns("entropeg-checker", "*.vo*", "*.glob"))
    (folder / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "proven", folder / "scripts")
    (folder / "bin").mkdir()
    for tool in ("sh", "dirname", "rm", "mkdir", "cp", "mv", "grep", "cmp", "cat", "touch", "echo"):
        (folder / "bin" / tool).symlink_to(str(shutil.which(tool)))
    for name, text in programs.items():
        path = folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    return folder


def proven_in(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(shutil.which("sh")), "scripts/proven", *options],
        cwd=folder,
        env={**os.environ, "PATH": str(folder / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )


OCAML = "touch entropeg-checker"


@pytest.mark.parametrize(("programs", "built"), [({}, False), ({"ocamlopt": OCAML}, True)])
def test_without_coq_one_loud_line_says_that_nothing_is_proven(
    programs: dict[str, str], built: bool, tmp_path: Path
) -> None:
    folder = tree(tmp_path, programs)
    done = proven_in(folder)

    assert done.returncode == 3
    assert "NOTHING IS PROVEN HERE" in done.stderr
    assert (folder / "formal" / "entropeg-checker").exists() == built


def test_without_coq_root_installs_it_where_there_is_a_package_manager(tmp_path: Path) -> None:
    folder = tree(tmp_path, {"apt-get": 'echo "$@" >>asked', "id": "echo 0"})
    done = proven_in(folder)

    assert done.returncode == 3
    assert "install --no-install-recommends coq ocaml-nox" in (folder / "asked").read_text(encoding="utf-8")


@pytest.mark.parametrize(("programs", "built"), [({}, False), ({"ocamlopt": OCAML}, True)])
def test_the_checker_alone_needs_ocaml_and_no_coq(programs: dict[str, str], built: bool, tmp_path: Path) -> None:
    folder = tree(tmp_path, {**programs, "apt-get": 'echo "$@" >>asked', "id": "echo 0"})
    done = proven_in(folder, "--checker")

    assert ("by OCaml alone" in done.stdout, "THE CHECKER IS NOT BUILT" in done.stderr) == (built, not built)
    assert ((folder / "formal" / "entropeg-checker").exists(), done.returncode) == (built, 0 if built else 3)
    assert (folder / "asked").exists() != built
    if not built:
        assert "recommends ocaml-nox" in (folder / "asked").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("checked", "added", "told"),
    [
        ("echo Axioms: none at all", "", "rest on axioms"),
        ("echo Axioms:; exit 1", "", "Axioms:"),
        ("echo 'Axioms: <none>'", "Lemma gap : False. Admitted.", "a gap in the proofs"),
        ("echo 'Axioms: <none>'", "", "is not what is extracted"),
    ],
)
def test_a_fault_of_the_proofs_ends_the_build(checked: str, added: str, told: str, tmp_path: Path) -> None:
    folder = tree(tmp_path, {"coqc": "echo >>checker.ml", "coqchk": checked, "ocamlopt": OCAML})
    with (folder / "formal" / "Game.v").open("a", encoding="utf-8") as file:
        file.write(added)
    done = proven_in(folder)

    assert done.returncode == 1
    assert told in done.stdout + done.stderr
    assert not (folder / "formal" / "entropeg-checker").exists()

"""The bill of materials: it has the shape that CycloneDX 1.6 asks for, and lists what lies in the wheel."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import entropeg

sbom = pytest.importorskip("sbom", reason="the bill of materials is NOT TESTED: the build backend is missing")

ROOT = Path(__file__).parent.parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FOLDER = ROOT / sbom.VENDOR
REFERENCE = re.compile(r"pkg:(pypi|npm)/[\w%.-]+(@[\w.-]+)?")


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    """That of this tree."""
    found: dict[str, Any] = sbom.bill(ROOT, entropeg.__version__, PROJECT)
    return found


def test_the_bill_has_the_shape_that_its_format_asks_for(bill: dict[str, Any]) -> None:
    whole = bill["metadata"]["component"]
    parts = [whole, *bill["components"]]
    references = [part["bom-ref"] for part in parts]

    assert ("CycloneDX", "1.6", 1) == (bill["bomFormat"], bill["specVersion"], bill["version"])
    assert all(REFERENCE.fullmatch(reference) for reference in references)
    assert len({*references}) == len(references)
    assert [part["purl"] for part in parts] == references
    assert {part["type"] for part in parts} == {"library"}
    assert {part["scope"] for part in bill["components"]} == {"required", "optional"}
    assert [each["ref"] for each in bill["dependencies"]] == references
    assert bill["dependencies"][0]["dependsOn"] == references[1:]
    assert whole["version"] == entropeg.__version__
    assert whole["licenses"] == [{"expression": PROJECT["license"]}]


def test_every_file_of_others_in_the_wheel_is_listed_with_its_hash(bill: dict[str, Any]) -> None:
    listed = {file["name"]: file["hashes"] for library in bill["components"] for file in library.get("components", [])}
    ours = {"VENDORED.md", "ui.js"}
    found = {
        path.relative_to(ROOT / "src").as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.iterdir()
        if path.name not in ours
    }

    assert listed == {name: [{"alg": "SHA-256", "content": digest}] for name, digest in found.items()}


def test_libraries_are_named_with_version_and_license_and_the_whole_has_all_licenses(bill: dict[str, Any]) -> None:
    libraries = {part["name"]: part for part in bill["components"] if "version" in part}
    licenses = {each["expression"] for part in libraries.values() for each in part["licenses"]}
    pieces = {each for library in sbom.vendored(FOLDER) for each in (library.package, library.version)}

    assert {"htm", "preact"} == set(libraries)
    assert pieces == {each for part in libraries.values() for each in (part["name"], part["version"])}
    assert licenses == set(PROJECT["license"].split(" AND "))


def test_every_package_that_is_asked_for_is_listed(bill: dict[str, Any]) -> None:
    extras = PROJECT["optional-dependencies"].values()
    asked = {
        part["name"] + entry["value"]
        for part in bill["components"]
        for entry in part.get("properties", [])
        if entry["name"].startswith("entropeg:asked")
    }

    assert asked == {*PROJECT["dependencies"], *(one for extra in extras for one in extra)}


def test_the_bill_is_always_the_same_and_changes_with_what_it_lists(tmp_path: Path) -> None:
    folder = tmp_path / sbom.VENDOR
    folder.mkdir(parents=True)
    text = (FOLDER / "VENDORED.md").read_text(encoding="utf-8")
    (folder / "VENDORED.md").write_text(text, encoding="utf-8")
    first, again = (json.dumps(sbom.bill(root, "1.0.0", PROJECT)) for root in (ROOT, tmp_path))
    (folder / "VENDORED.md").write_text(text.replace("| htm | 3.1.1 |", "| htm | 3.1.2 |"), encoding="utf-8")
    newer = json.dumps(sbom.bill(tmp_path, "1.0.0", PROJECT))

    assert first == again
    assert "pkg:npm/htm@3.1.2" in newer

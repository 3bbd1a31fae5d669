"""What `make vulnerabilities` makes of the answers of services: silence is never taken for safety."""

from __future__ import annotations

import sys

import pytest
import vulnerabilities
from vulnerabilities import Answer, Version, batches, locked, main, read_answer

WEAK = {"id": "CVE-2030-1", "aliases": ["GHSA-1"], "fix_versions": ["9.9"], "description": ""}


def all_well(_: str, versions: list[Version]) -> Answer:
    return {version: [] for version in versions}, ""


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def test_every_locked_version_is_asked_about_and_no_package_twice_at_once() -> None:
    parts = batches(locked())

    assert sorted(locked()) == sorted(one for part in parts for one in part)
    assert all(len({name for name, _ in part}) == len(part) for part in parts)


def test_none_known_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(all_well)
    assert f"none are known of the {len(locked())} locked versions" in said(capsys)


def test_no_answer_is_not_taken_for_no_weakness(capsys: pytest.CaptureFixture[str]) -> None:
    skipped = [{"name": "numpy", "version": "1", "skip_reason": "it is not found there"}]

    assert 3 == main(lambda *_: read_answer(skipped))
    assert "vulnerabilities: NOT CHECKED: no service answers (it is not found there)\n" == said(capsys)


def test_what_one_service_does_not_know_the_other_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def half(service: str, versions: list[Version]) -> Answer:
        asked.extend(f"{service} {name}" for name, _ in versions)
        return all_well(service, [one for one in versions if one[0] != "numpy"])

    assert 3 == main(half)
    assert {"osv numpy"} == {one for one in asked if one.startswith("osv")}
    assert "NOT CHECKED: " in said(capsys)


def test_a_weakness_is_told_with_its_locks_and_what_mends_it(capsys: pytest.CaptureFixture[str]) -> None:
    [version] = [each for name, each in locked() if name == "click"]
    known = read_answer([{"name": "click", "version": version, "vulns": [WEAK]}])[0]

    assert 1 == main(lambda *asked: ({**all_well(*asked)[0], **known}, ""))
    told = said(capsys)
    assert f"click {version} (dev.txt, " in told
    assert "    CVE-2030-1, GHSA-1, mended in 9.9\n" in told


def test_an_answer_that_is_no_json_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "false")

    assert {} == vulnerabilities.ask("osv", [("click", "1")])[0]

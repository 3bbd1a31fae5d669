"""Asks for known weaknesses of every locked version, on all platforms: `make vulnerabilities`.

Ends with 0 where none is known, 1 where some are, and 3 with «NOT CHECKED» where no service answers for all of them.
pip-audit asks: first the package index, then OSV for what the index does not know. An index that a company or a school
keeps for itself answers with nothing, which pip-audit tells as «no known vulnerabilities»; here it counts as unchecked.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeAlias

LOCKS = Path(__file__).parents[1] / "requirements"
SERVICES = ("pypi", "osv")
NOT_CHECKED = 3

Version: TypeAlias = tuple[str, str]
"""Name and version of a package."""
Answer: TypeAlias = tuple[dict[Version, list[str]], str]
"""What is known of each version that the service knows, and why it knows nothing of the others."""


def locked(folder: Path = LOCKS) -> dict[Version, list[str]]:
    """Return every version that a lock names, and the locks that do."""
    found: dict[Version, list[str]] = {}
    for lock in sorted(folder.glob("*.txt")):
        for name, version in re.findall(
            r"^([a-z0-9._-]+)==([^\s;\\]+)", lock.read_text(encoding="utf-8"), re.MULTILINE
        ):
            names = found.setdefault((name, version), [])
            names += [lock.name] if lock.name not in names else []
    return found


def batches(versions: Iterable[Version]) -> list[list[Version]]:
    """Part versions so that no part has a package twice, which pip-audit refuses.

    >>> batches([("numpy", "2.4"), ("rich", "15.0"), ("numpy", "1.26")])
    [[('numpy', '2.4'), ('rich', '15.0')], [('numpy', '1.26')]]
    """
    parts: list[dict[str, str]] = []
    for name, version in versions:
        part = next((part for part in parts if name not in part), None)
        if part is None:
            parts.append(part := {})
        part[name] = version
    return [list(part.items()) for part in parts]


def in_brief(said: str) -> str:
    """Return the system's own words for a failure, out of a library's line that wraps them.

    >>> in_brief("Max retries exceeded (Failed to resolve: [Errno -2] Name or service not known)")
    'Name or service not known'
    >>> in_brief("it is not found there")
    'it is not found there'
    """
    found = re.search(r"\[Errno [^]]*\] ([^'\")]+)", said)
    return found[1] if found else said


def ask(service: str, versions: list[Version]) -> Answer:
    """Ask a service by way of pip-audit; empty where it does not answer."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "versions.txt"
        file.write_text("".join(f"{name}=={version}\n" for name, version in versions), encoding="utf-8")
        options = ["-s", service, "--disable-pip", "--no-deps", "--progress-spinner", "off", "-f", "json"]
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(file), *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    try:
        told = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return {}, in_brief((done.stderr.strip().splitlines() or ["it said nothing"])[-1])
    return read_answer(told)


def read_answer(told: list[dict[str, Any]]) -> Answer:
    """Read the dependencies of pip-audit's JSON: those that were skipped count as not asked."""
    known = {
        (one["name"], one["version"]): [weakness(each) for each in one["vulns"]]
        for one in told
        if "skip_reason" not in one
    }
    return known, next((one["skip_reason"] for one in told if "skip_reason" in one), "")


def weakness(told: dict[str, Any]) -> str:
    """Return a weakness in a line: its names, and the versions that mend it."""
    names = ", ".join(dict.fromkeys([told["id"], *told.get("aliases", [])]))
    mended = told.get("fix_versions") or []
    return f"{names}, {'mended in ' + ', '.join(mended) if mended else 'not mended yet'}"


def main(asked: Callable[[str, list[Version]], Answer] = ask) -> int:
    """Ask for all versions, print what is known, and return the exit code."""
    locks = locked()
    known: dict[Version, list[str]] = {}
    why = ""
    for service in SERVICES:
        for part in batches(version for version in locks if version not in known):
            answer, reason = asked(service, part)
            known |= answer
            why = reason or why
    weak = {version: said for version, said in known.items() if said}
    for (name, version), said in weak.items():
        print(f"vulnerabilities: {name} {version} ({', '.join(locks[name, version])})")
        print(*(f"    {line}" for line in said), sep="\n")
    unasked = [name for name, version in locks if (name, version) not in known]
    if len(unasked) == len(locks):
        print(f"vulnerabilities: NOT CHECKED: no service answers ({why})")
    elif unasked:
        print(f"vulnerabilities: NOT CHECKED: {len(unasked)} of {len(locks)} versions: {', '.join(unasked)}")
    elif not weak:
        print(f"vulnerabilities: none are known of the {len(locks)} locked versions")
    return 1 if weak else NOT_CHECKED if unasked else 0


if __name__ == "__main__":
    sys.exit(main())

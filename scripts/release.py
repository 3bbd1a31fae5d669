"""Makes a release, or says what is not in order for one; asks no registry, and uploads nothing.

    python scripts/release.py            looks, builds twice, and puts the files into dist/
    TAG=yes python scripts/release.py    the same, and then an annotated tag
    python scripts/release.py passed     notes that the suite has passed on this commit: `make test` ends with it

`RELEASING.md` has the steps around it.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from sbom import vendored

VERSION = "src/entropeg/version.py"
PLACES = {
    VERSION: r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (.+)$",
    "docs/lookup/protocol.md": r"^name entropeg (.+)$",
    "docs/do/without-installation.md": r"entropeg-(.+?)-py3-none-any\.whl",
}
"""Files that name the version, and the pattern that finds it in each."""

BEGUN, PASSED = "build/suite-begun", "build/suite-passed"
"""Holds the tree that the suite has passed on, as git names it. It is not in the repository."""

COPYLEFT = re.compile(r"\b(A?GPL|LGPL|MPL|EPL|CDDL|EUPL|GNU|Mozilla)", re.IGNORECASE)


def git(root: Path, *words: str) -> str:
    """Run git in a tree, and return what it prints; raises CalledProcessError where it refuses."""
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603, S607


def version_of(root: Path) -> str:
    """Version that a tree gives itself."""
    [version] = re.findall(PLACES[VERSION], (root / VERSION).read_text(encoding="utf-8"), re.MULTILINE)
    return str(version)


# ------------------------------------------------------------------ what has to be in order


def versions_that_differ(root: Path) -> Iterator[str]:
    """Complain of each place that names another version, or none."""
    version = version_of(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"{VERSION} says {version}, which is not a version of three numbers."
    for place, pattern in PLACES.items():
        found = {*re.findall(pattern, (root / place).read_text(encoding="utf-8"), re.MULTILINE)}
        if found != {version}:
            yield f"{place} names {' and '.join(sorted(found)) or 'no version'}, where {VERSION} says {version}."


def changelog_that_is_open(root: Path) -> Iterator[str]:
    """Complain of a changelog without a dated part for this version, of another date in the citation, of fragments."""
    version = version_of(root)
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (.+)$", text, re.MULTILINE)[0]
    dated = re.fullmatch(rf"{re.escape(version)} – (\d{{4}}-\d\d-\d\d)", newest)
    if not dated:
        yield f"The newest part of CHANGELOG.md is «{newest}», not «{version} – » and a date: let towncrier write it."
    else:
        cited = re.findall(r"^date-released: (.+)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
        if cited != [dated[1]]:
            yield f"CITATION.cff dates {version} {' and '.join(cited) or 'not at all'}, CHANGELOG.md {dated[1]}."
    left = sorted(path.name for path in (root / "changes").iterdir() if path.name != "README.md")
    if left:
        yield f"Fragments are left in changes/, which belong into CHANGELOG.md: {', '.join(left)}."


def changes_that_are_not_committed(root: Path) -> Iterator[str]:
    """Complain of a tree that is not clean."""
    changed = git(root, "status", "--porcelain").splitlines()
    if changed:
        names = ", ".join(line[2:].strip() for line in changed[:5])
        yield f"The tree is not clean: commit or remove {names}{', and more' * (len(changed) > 5)}."


def tag_that_exists(root: Path) -> Iterator[str]:
    """Complain of a tag of this version."""
    tag = f"v{version_of(root)}"
    if git(root, "tag", "--list", tag):
        yield f"There is a tag {tag} already: raise the version, or delete the tag if nothing was uploaded."


def suite_that_has_not_passed(root: Path) -> Iterator[str]:
    """Complain where `make test` has not passed on what is committed."""
    noted = root / PASSED
    if not noted.is_file() or noted.read_text(encoding="utf-8").strip() != git(root, "rev-parse", "HEAD^{tree}"):
        yield "The suite has not passed on this commit in this folder: run make test-long, or at least make test."


CHECKS = (
    changes_that_are_not_committed,
    versions_that_differ,
    changelog_that_is_open,
    tag_that_exists,
    suite_that_has_not_passed,
)


def complaints(root: Path) -> list[str]:
    """Say what is not in order in a tree, a sentence each; nothing where a release can be made."""
    return [sentence for check in CHECKS for sentence in check(root)]


def committed(root: Path) -> str:
    """Return the tree that is committed; nothing where the files differ from it, or where there is no git."""
    is_clean = (root / ".git").exists() and not git(root, "status", "--porcelain")
    return git(root, "rev-parse", "HEAD^{tree}") if is_clean else ""


def note_that_the_suite_begins(root: Path) -> None:
    """Remember what the suite is run on."""
    (root / BEGUN).parent.mkdir(exist_ok=True)
    (root / BEGUN).write_text(committed(root), encoding="utf-8")


def note_that_the_suite_passed(root: Path) -> None:
    """Remember the committed tree as one that the suite passed on, if it is still what the suite began with."""
    tree = committed(root)
    if tree and (root / BEGUN).read_text(encoding="utf-8") == tree:
        (root / PASSED).write_text(tree + "\n", encoding="utf-8")


# ------------------------------------------------------------------ the files


def build(root: Path, folder: Path, surroundings: dict[str, str], umask: int) -> dict[str, bytes]:
    """Build the source archive of what is committed, and the wheel of the source archive; their names and bytes.

    Times in them are that of the commit, on any machine.
    """
    tree, dist = folder / "tree", folder / "dist"
    tree.mkdir(parents=True)
    git(root, "archive", "--output", str(folder / "tree.tar"), "HEAD")
    moment = git(root, "show", "--no-patch", "--format=%ct", "HEAD")
    environment = os.environ | surroundings | {"SOURCE_DATE_EPOCH": moment}

    def run(where: Path, *words: str) -> None:
        subprocess.run(words, cwd=where, check=True, capture_output=True, env=environment, umask=umask)  # noqa: S603

    run(folder, "tar", "xf", "tree.tar", "-C", "tree")
    run(tree, sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(dist))
    [archive] = dist.iterdir()
    run(folder, "tar", "xzf", str(archive))
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    run(unpacked, sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist))
    return {path.name: path.read_bytes() for path in sorted(dist.iterdir())}


def built_twice(root: Path) -> tuple[dict[str, bytes], list[str]]:
    """Build in two places that have little in common; the files, and a sentence for each that is not the same twice."""
    with tempfile.TemporaryDirectory(prefix="entropeg-release-") as name:
        folder = Path(name)
        first = build(root, folder / "one", {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"}, 0o022)
        other = build(
            root, folder / "the-other", {"TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}, 0o077
        )
    names = sorted({*first, *other})
    return first, [f"{name} is not the same twice." for name in names if first.get(name) != other.get(name)]


def wheel_that_lacks_something(files: dict[str, bytes], folder: Path) -> Iterator[str]:
    """Complain of a wheel without the bill of materials or without the text of a license."""
    [wheel] = [folder / name for name in files if name.endswith(".whl")]
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (".dist-info/sboms/entropeg.cdx.json", ".dist-info/licenses/LICENSE"):
        if not any(name.endswith(wanted) for name in names):
            yield f"{wheel.name} has no {wanted}."


# ------------------------------------------------------------------ licenses


def license_of(package: str) -> str:
    """License of an installed package, as its metadata tell; empty where they do not, or it is not installed.

    >>> license_of("click")
    'BSD-3-Clause'
    """
    try:
        told = metadata.metadata(package).json
    except metadata.PackageNotFoundError:
        return ""
    named = [str(line).rpartition(" :: ")[2] for line in told.get("classifier", []) if line.startswith("License ::")]
    written = str(told.get("license") or "").strip().partition("\n")[0]
    return str(told.get("license_expression") or ", ".join(named) or written)


def licenses(root: Path) -> Iterator[tuple[str, str, str]]:
    """Give what for, name and license of all that is asked for or lies in the tree."""
    data = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    asked = {"always": data["project"]["dependencies"]}
    asked |= {f"extra {name}": each for name, each in data["project"].get("optional-dependencies", {}).items()}
    asked |= {f"group {name}": each for name, each in data.get("dependency-groups", {}).items()}
    for group, requirements in asked.items():
        for requirement in requirements:
            if isinstance(requirement, str):
                name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
                yield group, name, license_of(name) or "not installed here"
    for note in git(root, "ls-files", "*/VENDORED.md").splitlines():
        folder = note.removesuffix("/VENDORED.md")
        for library in vendored(root / folder):
            yield folder, f"{library.package} {library.version}", library.license


def say_licenses(root: Path) -> None:
    """Print what is used with its license, and which licenses ask that changes are given away: those of copyleft."""
    rows = [*licenses(root)]
    for place, name, expression in rows:
        print(f"  {name:24} {expression:52} {place}")
    direct = {name.lower() for _, name, _ in rows}
    found = {f"{name} ({expression}; {place})" for place, name, expression in rows if COPYLEFT.search(expression)}
    for each in metadata.distributions():
        if each.name.lower() not in direct and COPYLEFT.search(license_of(each.name)):
            found.add(f"{each.name} ({license_of(each.name)}; asked for by others)")
    print(f"  Copyleft, in what is installed here: {'; '.join(sorted(found)) or 'none'}.")


# ------------------------------------------------------------------ one after the other


def say(*lines: str) -> None:
    """Print lines as those of this tool."""
    for line in lines:
        print(f"release: {line}", flush=True)


def release(root: Path, *, is_tagging: bool) -> int:
    """Look, build, tell, and tag where that is wanted; the exit code."""
    version = version_of(root)
    say(f"entropeg {version}, of {git(root, 'show', '--no-patch', '--format=%h of %cs', 'HEAD')}")
    wrong = complaints(root)
    say("building wheel and source archive twice")
    files, differing = built_twice(root)
    wrong += differing
    dist = root / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.glob("entropeg-*"):
        old.unlink()
    for name, content in files.items():
        (dist / name).write_bytes(content)
    wrong += wheel_that_lacks_something(files, dist)
    say("what is used, and its licenses:")
    say_licenses(root)
    say("would be uploaded, from dist/:")
    for name, content in files.items():
        print(f"  {name}  {len(content):,} bytes  sha256 {hashlib.sha256(content).hexdigest()}")
    say("attestations, one for each file, are made by the workflow that uploads them (RELEASING.md), not here")
    for sentence in wrong:
        print(f"release: REFUSED. {sentence}", file=sys.stderr)
    if wrong:
        return 1
    if not is_tagging:
        say(f"all is in order; nothing was tagged. TAG=yes make release makes the tag v{version}")
        return 0
    git(root, "tag", "--annotate", f"v{version}", "--message", f"entropeg {version}")
    say(f"tagged v{version}; git push origin v{version} makes it known")
    return 0


if __name__ == "__main__":
    here = Path(__file__).parent.parent
    if sys.argv[1:] == ["begun"]:
        note_that_the_suite_begins(here)
    elif sys.argv[1:] == ["passed"]:
        note_that_the_suite_passed(here)
    else:
        sys.exit(release(here, is_tagging=os.environ.get("TAG") == "yes"))

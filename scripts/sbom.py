"""Puts a bill of materials into each wheel, for tools that look for what a package is made of (PEP 770).

A hook of hatchling, which `pyproject.toml` names. The list is CycloneDX 1.6: entropeg itself, the libraries whose files
lie in it, each file with its hash, and the packages that it asks for, whose versions are known only once they are
installed. The same sources give the same bytes: there is no time in it, and no number drawn by chance.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "entropeg.cdx.json"
VENDOR = "src/entropeg/web/static/vendor"
"""Where the wheel has files of others."""
_ROW = re.compile(
    r"^\| `(?P<file>[^`]+)` \| (?P<package>[@/\w-]+) \| (?P<version>[\w.-]+) \| `[^`]+` \| (?P<license>[\w.-]*) ?\| "
    r"`(?P<digest>[0-9a-f]{64})` \|$",
    re.MULTILINE,
)


class Vendored(NamedTuple):
    """A library whose files lie in the tree, as a table in `VENDORED.md` says."""

    package: str
    version: str
    license: str
    files: tuple[tuple[str, str], ...]
    """Name of each file in the folder, and its SHA-256."""


def vendored(folder: Path) -> list[Vendored]:
    """Read the libraries that a folder holds from its `VENDORED.md`, in alphabetical order."""
    rows = [each.groupdict() for each in _ROW.finditer((folder / "VENDORED.md").read_text(encoding="utf-8"))]
    found = []
    for package, version in sorted({(row["package"], row["version"]) for row in rows}):
        own = [row for row in rows if (row["package"], row["version"]) == (package, version)]
        licenses = " AND ".join(sorted({row["license"] for row in own} - {""}))
        files = tuple((row["file"], row["digest"]) for row in own)
        found.append(Vendored(package, version, licenses, files))
    return found


def _license(expression: str) -> list[dict[str, Any]]:
    return [{"expression": expression}]


def _bundled(library: Vendored) -> dict[str, Any]:
    address = f"pkg:npm/{library.package.replace('@', '%40')}@{library.version}"
    place = VENDOR.removeprefix("src/")
    return {
        "type": "library",
        "bom-ref": address,
        "name": library.package,
        "version": library.version,
        "scope": "required",
        "licenses": _license(library.license),
        "purl": address,
        "components": [
            {"type": "file", "name": f"{place}/{name}", "hashes": [{"alg": "SHA-256", "content": digest}]}
            for name, digest in library.files
        ],
    }


def _asked(requirements: Iterable[str], extras: Mapping[str, Iterable[str]]) -> Iterator[dict[str, Any]]:
    # A package of several extras is listed once, with each range that it is asked for in.
    ranges: dict[str, dict[str, str]] = {}
    for extra, asked in [("", requirements), *extras.items()]:
        for requirement in asked:
            name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
            ranges.setdefault(name, {})[extra] = requirement[len(name) :]
    for name, wanted in sorted(ranges.items()):
        address = f"pkg:pypi/{name}"
        yield {
            "type": "library",
            "bom-ref": address,
            "name": name,
            "scope": "required" if "" in wanted else "optional",
            "purl": address,
            "properties": [
                {"name": f"entropeg:asked{':' + extra if extra else ''}", "value": asked}
                for extra, asked in sorted(wanted.items())
            ],
        }


def bill(root: Path, version: str, project: Mapping[str, Any]) -> dict[str, Any]:
    """Return the bill of materials of a source tree; `project` is that part of its `pyproject.toml`."""
    address = f"pkg:pypi/entropeg@{version}"
    libraries = [_bundled(library) for library in vendored(root / VENDOR)]
    asked = [*_asked(project["dependencies"], project["optional-dependencies"])]
    parts = [*libraries, *asked]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": address,
                "name": "entropeg",
                "version": version,
                "description": project["description"],
                "licenses": _license(project["license"]),
                "purl": address,
            }
        },
        "components": parts,
        "dependencies": [
            {"ref": address, "dependsOn": [part["bom-ref"] for part in parts]},
            *({"ref": part["bom-ref"]} for part in parts),
        ],
        # What is bundled is known to the last file. What the packages asked for bring along is not followed.
        "compositions": [
            {"aggregate": "complete", "assemblies": [address]},
            {"aggregate": "incomplete", "dependencies": [address]},
        ],
    }


class BillOfMaterials(BuildHookInterface):  # type: ignore[type-arg]  # its parameter is the configuration of the builder
    """The hook: writes the list outside the tree, so that nothing is left in it, and hands it to the builder."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the list before the wheel is built."""
        root = Path(self.root)
        self._folder = Path(tempfile.mkdtemp(prefix="entropeg-sbom-"))
        data = bill(root, self.metadata.version, self.metadata.core.config)
        (self._folder / NAME).write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        build_data["sbom_files"].append(str(self._folder / NAME))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was written."""
        shutil.rmtree(self._folder)

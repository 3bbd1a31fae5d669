"""Types commands of `classroom` in tests, and makes projects of the example modules."""

from __future__ import annotations

import shutil
from pathlib import Path

from click.testing import CliRunner, Result

from entropeg import cli
from planted import EXAMPLES


def typed(*arguments: str) -> Result:
    """Run `entropeg classroom` with arguments."""
    return CliRunner().invoke(cli.group, ["classroom", *arguments], prog_name="entropeg")


def project(folder: Path, *files: str) -> Path:
    """Make a project of example modules; return its folder, which is new."""
    folder.mkdir(parents=True)
    for name in files:
        shutil.copyfile(EXAMPLES / name, folder / name)
    return folder

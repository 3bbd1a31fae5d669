"""Runs modules of the page under Node, where there is one: without a browser, on cases that Python has drawn."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import entropeg

STATIC = Path(entropeg.__file__).parent / "web" / "static"
NODE = shutil.which("node")


def copied(folder: Path) -> Path:
    """The page's modules where Node takes them for what they are."""
    shutil.copytree(STATIC, folder, dirs_exist_ok=True)
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    return folder


def told(folder: Path, script: str, given: Any) -> Any:
    """What the body of an asynchronous function of `given` returns, with `page` the folder of the page's modules."""
    if NODE is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node here, and CI has one")
        pytest.skip("NOT TESTED: there is no Node here, so the page's modules are not held against Python's")
    begins = (
        'import fs from "node:fs";\n'
        'const page = new URL("./", import.meta.url);\n'
        'const given = JSON.parse(fs.readFileSync(0, "utf-8"));\n'
        "const bytesOf = async (name) => fs.readFileSync(new URL(`local/${name}`, page));\n"
    )
    ends = "\nfs.writeFileSync(1, JSON.stringify(await asked()));\nprocess.exit(0);\n"
    (folder / "asked.mjs").write_text(f"{begins}const asked = async () => {{ {script} }};{ends}", encoding="utf-8")
    done = subprocess.run(
        [NODE, str(folder / "asked.mjs")], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)

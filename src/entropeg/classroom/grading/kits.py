"""Holds the files that a grading system needs beside a scheme, to install entropeg there and to run it."""

from __future__ import annotations

from typing import NamedTuple


class KitFile(NamedTuple):
    """A file of a kit, and whether it is a program."""

    name: str
    content: str
    is_program: bool = False


_SETUP = """#!/usr/bin/env bash
# Installs entropeg on Gradescope, from the wheel that lies beside this script.
set -e
wheels=(/autograder/source/*.whl)
if [ ! -e "${wheels[0]}" ]; then
    echo "put the wheel of entropeg beside setup.sh: python -m pip wheel --no-deps -w . FOLDER_OF_ENTROPEG" >&2
    exit 1
fi
apt-get update -q
apt-get install -qy python3 python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -qy python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv /autograder/venv
/autograder/venv/bin/python -m pip install -q "${wheels[@]}"
"""

_RUN = """#!/usr/bin/env bash
# Grades one submission on Gradescope. Exit code 1 of entropeg says that points were lost, which is no failure here.
mkdir -p /autograder/results
/autograder/venv/bin/entropeg classroom grade /autograder/submission --format gradescope --lang LANGUAGE \\
    --scheme /autograder/source/scheme.toml --output /autograder/results --force
[ "$?" -le 1 ]
"""

_AUTOGRADER = '''"""Grades one submission on Classroom 50; scheme.toml and the wheel of entropeg lie beside this file.

Programs are started with -P, so that no module of the submission, which is the current folder, takes their place.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
wheels = sorted(map(str, HERE.glob("*.whl")))
if not wheels:
    sys.exit("put the wheel of entropeg beside autograder.py: python -m pip wheel --no-deps -w . FOLDER_OF_ENTROPEG")
subprocess.run([sys.executable, "-P", "-m", "pip", "install", "-q", *wheels], check=True)
command = ["classroom", "grade", ".", "--format", "classroom50", "--lang", "LANGUAGE"]
command += ["--scheme", str(HERE / "scheme.toml")]
graded = subprocess.run([sys.executable, "-P", "-m", "entropeg", *command, "--output", ".", "--force"], check=False)
sys.exit(0 if graded.returncode <= 1 else graded.returncode)  # 1 says that points were lost
'''

_VPL = """#!/bin/bash
# Prepares the evaluation by VPL for Moodle; entropeg is installed on the execution server, scheme.toml is an
# execution file.
cat > vpl_execution <<'END'
#!/bin/bash
mkdir -p .submission
cp ./*.py .submission/
entropeg classroom grade .submission --format vpl --lang LANGUAGE --scheme scheme.toml
END
chmod +x vpl_execution
"""

KITS: dict[str, tuple[KitFile, ...]] = {
    "gradescope": (KitFile("setup.sh", _SETUP, is_program=True), KitFile("run_autograder", _RUN, is_program=True)),
    "classroom50": (KitFile("autograder.py", _AUTOGRADER),),
    "vpl": (KitFile("vpl_evaluate.sh", _VPL, is_program=True),),
}
"""The files for each system that needs some, a scheme aside; `LANGUAGE` in them stands for a language."""

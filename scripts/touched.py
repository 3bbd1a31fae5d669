"""Checks what a change touches: lint of its files, and the quick tests of the rooms that they lie in.

    python scripts/touched.py PROCESSES SOURCE ...

A change is what differs from where the branch left main, files that git does not know yet included; on main itself,
what differs from the last commit. Tests that are marked `slow`, and those in a browser, are left to `make test`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
GROUND = "ground"
"""The modules of the package that lie beside its folders."""
TESTED_BY = {GROUND: "game", "kinds": "game", "sessions": "cli", "data": "texts"}
"""Folders of tests that have another name than their room."""


def git(*arguments: str) -> list[str]:
    """Return the lines of what git says; none where it refuses."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607 - the user's git
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed() -> list[str]:
    """Return the files that differ from where the branch left main, those that are new, and those that are gone."""
    [base] = git("merge-base", "HEAD", "main") or ["HEAD"]
    files = {*git("diff", "--name-only", "--no-renames", base), *git("ls-files", "--others", "--exclude-standard")}
    return sorted(files)


def users_of(helper: str) -> Iterator[str]:
    """Yield the files of tests that import a helper of theirs; what every test imports is left to the whole suite."""
    for path in sorted((ROOT / "tests").glob("*/test_*.py")):
        if f"from {helper} import" in path.read_text(encoding="utf-8"):
            yield path.relative_to(ROOT).as_posix()


def tests_of(file: str) -> Iterator[str]:
    """Yield what tests a file: the folder of its room, or itself, and the documentation's own tests of a page.

    >>> list(tests_of("src/entropeg/search/bounds.py"))
    ['src/entropeg/search/bounds.py', 'tests/search']
    >>> list(tests_of("src/entropeg/rules.py"))
    ['src/entropeg/rules.py', 'tests/game']
    >>> list(tests_of("docs/do/report.md"))[1:], list(tests_of("tests/web/test_web_games.py"))
    (['tests/house/test_pages.py', 'tests/house/test_french_pages.py'], ['tests/web/test_web_games.py'])
    >>> list(tests_of("scripts/sbom.py"))
    ['scripts/sbom.py', 'tests/house']
    """
    parts, is_python = Path(file).parts, file.endswith(".py")
    match parts:
        case ("src", "entropeg", *below):
            if is_python:
                yield file
            room = "page" if below[:2] == ["web", "static"] else below[0] if len(below) > 1 else GROUND
            yield f"tests/{TESTED_BY.get(room, room)}"
        case ("scripts", *_) if is_python:
            yield from (file, "tests/house")
        case ("tests", "typing", *_):
            yield "tests/house/test_user_types.py"
        case ("tests", "earlier", *_):
            yield from ("tests/files/test_earlier_files.py", "tests/house/test_public_names.py")
        case ("tests", _, name) if name.startswith("test_"):
            yield file
        case ("tests", name) if is_python:
            yield from users_of(Path(name).stem)
        case _ if file.endswith(".md"):
            yield from (f"tests/house/test_{each}.py" for each in ("documents", "pages", "french_pages"))
        case ("docs", "locales", *_):
            yield "tests/house/test_french_pages.py"
        case _:
            yield "tests/house/test_repository.py"


def run(*command: str) -> int:
    """Run a program of this environment, in the sight of the user."""
    print("quick:", *command, flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode  # noqa: S603 - our own tools


def check(files: list[str], processes: str, linted: list[str]) -> int:
    """Lint the files that `make lint` would, and run the tests of all; the exit code of the first that fails."""
    there = [name for name in files if name.endswith(".py") and (ROOT / name).is_file()]
    sources = [name for name in there if any(Path(name).is_relative_to(each) for each in linted)]
    for step in (("ruff", "format", "--check"), ("ruff", "check"), ("mypy",)) if sources else ():
        if code := run(*step, *sources):
            return code
    tests = sorted({test for name in files for test in tests_of(name) if (ROOT / test).exists()})
    chosen = ("-q", "-n", processes, "--dist", "worksteal", "-m", "not slow and not browser")
    code = run("pytest", *chosen, *tests) if tests else 0
    return 0 if code == 5 else code  # 5: there was no test, since all of them are slow, or in a browser


def main(processes: str, *linted: str) -> int:
    """Say what has changed, and check it."""
    files = changed()
    if not files:
        print("quick: nothing has changed since the last commit, or since the branch left main")
        return 0
    print(f"quick: {len(files)} files have changed")
    return check(files, processes, list(linted))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

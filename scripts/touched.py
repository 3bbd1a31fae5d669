"""Checks what a change touches: lint of its files, and the quick tests of the rooms that they lie in.

    python scripts/touched.py [arguments of pytest]

A change is what differs from where the branch left main, files that git does not know yet included; on main itself,
what differs from the last commit. Tests that are marked `slow`, and those in a browser, are left to `make test`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ("src", "entropeg")
GROUND = "ground"
"""The modules of the package that lie beside its folders."""
TESTED_BY = {GROUND: "game", "kinds": "game", "sessions": "cli", "data": "texts"}
"""Folders of tests that have another name than their room."""


def git(*arguments: str) -> list[str]:
    """Return the lines of what git says; none where it refuses."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607 - the user's git
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed() -> list[str]:
    """Return the files that differ from where the branch left main, and those that are new."""
    [base] = git("merge-base", "HEAD", "main") or ["HEAD"]
    files = {*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")}
    return sorted(name for name in files if (ROOT / name).is_file())


def tests_of(file: str) -> Iterator[str]:
    """Yield what tests a file: the folder of its room, or itself, and the documentation's own tests of a page.

    >>> list(tests_of("src/entropeg/search/bounds.py"))
    ['src/entropeg/search/bounds.py', 'tests/search']
    >>> list(tests_of("src/entropeg/rules.py"))
    ['src/entropeg/rules.py', 'tests/game']
    >>> list(tests_of("docs/do/report.md")), list(tests_of("tests/web/test_web_games.py"))
    (['tests/house/test_documents.py', 'tests/house/test_pages.py'], ['tests/web/test_web_games.py'])
    """
    first, *rest = Path(file).parts
    if (first, *rest[:1]) == PACKAGE:
        if file.endswith(".py"):
            yield file
        room = "page" if rest[1:3] == ["web", "static"] else rest[1] if len(rest) > 2 else GROUND
        yield f"tests/{TESTED_BY.get(room, room)}"
    elif first == "tests" and len(rest) > 1 and rest[-1].startswith("test_"):
        yield file
    elif first == "tests" and file.endswith(".py"):
        name = Path(file).stem
        yield from (
            path.relative_to(ROOT).as_posix()
            for path in sorted((ROOT / "tests").glob("*/test_*.py"))
            if f"from {name} import" in path.read_text(encoding="utf-8")
        )
    elif file.endswith(".md"):
        yield from ("tests/house/test_documents.py", "tests/house/test_pages.py")
    else:
        yield "tests/house/test_repository.py"


def run(*command: str) -> int:
    """Run a program of this environment, in the sight of the user."""
    print("quick:", *command, flush=True)
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=False).returncode  # noqa: S603 - our own tools


def check(files: Iterable[str], options: Iterable[str]) -> int:
    """Lint the files and run their tests; the exit code of the first that fails."""
    sources = [name for name in files if name.endswith(".py") and "vendor" not in name]
    tests = sorted({test for name in files for test in tests_of(name) if (ROOT / test).exists()})
    steps = (
        [["ruff", "format", "--check", *sources], ["ruff", "check", *sources], ["mypy", *sources]] if sources else []
    )
    for step in steps:
        if code := run(*step):
            return code
    code = (
        run("pytest", "-q", "--dist", "worksteal", "-m", "not slow and not browser", *options, *tests) if tests else 0
    )
    return 0 if code == 5 else code  # 5: there was no test, since all of them are slow, or in a browser


def main() -> int:
    """Say what has changed, and check it."""
    files = changed()
    if not files:
        print("quick: nothing has changed since the last commit, or since the branch left main")
        return 0
    print(f"quick: {len(files)} files have changed")
    return check(files, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

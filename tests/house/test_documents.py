"""Every snippet of README.md, LISEZMOI.md and docs/ is run: Python from top to bottom, and commands at the prompt."""

import ast
import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from entropeg.cli import group

ROOT = Path(__file__).parents[2]
WRITTEN = {"_build", "commands", "modules"}
"""Folders of pages that a build of the documentation writes."""
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "LISEZMOI.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if not WRITTEN & {*path.parent.parts}),
]
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(
    r"^```(?:python|pycon|py|\{code-cell\}[^\n]*)\n(?:---\n.*?^---\n|(?:^:[^\n]*\n)*)(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def snippets(text: str) -> list[tuple[int, str]]:
    r"""Line number and source of each fenced Python block.

    >>> snippets("Words.\n```python\n>>> 1 + 1\n2\n```\n")
    [(3, '>>> 1 + 1\n2\n')]
    """
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in FENCE.finditer(text)]


def run(text: str, name: str) -> list[str]:
    """Run the snippets of one document in one namespace; the failures, as text.

    A block with prompts is a doctest; a block without is a program that has to end without an exception.
    """
    failures: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, source in snippets(text):
        if ">>>" in source:
            test = doctest.DocTestParser().get_doctest(source, namespace, name, name, line - 1)
            runner.run(test, out=failures.append, clear_globs=False)
            namespace = test.globs
        else:
            tree = ast.increment_lineno(ast.parse(source, name), line - 1)
            exec(compile(tree, name, "exec"), namespace)  # noqa: S102 - the project's own text is what is tested
    return failures


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_snippet_does_what_the_document_says(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert run(path.read_text(encoding="utf-8"), path.name) == []


def test_a_snippet_that_is_wrong_is_noticed() -> None:
    failures = run("Before.\n```python\n>>> a = 2\n```\nand\n```python\n>>> a + a\n5\n```\n", "wrong.md")

    assert len(failures) == 1
    assert "Expected:\n    5\nGot:\n    4\n" in failures[0]


def test_a_snippet_without_prompts_is_run_too() -> None:
    with pytest.raises(ZeroDivisionError):
        run("```python\n1 / 0\n```\n", "wrong.md")


def commands() -> list[str]:
    """Every command shown at a prompt, with what is typed (after `> `) and what it answers."""
    blocks = [block for path in DOCUMENTS for block in CONSOLE.findall(path.read_text(encoding="utf-8"))]
    return [f"$ {example}" for block in blocks for example in block.split("$ ")[1:]]


@pytest.mark.parametrize("example", commands(), ids=lambda example: example.splitlines()[0])
def test_a_command_answers_as_the_document_says(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "games", tmp_path / "examples" / "games")
    command, *lines = example.splitlines()
    answers = [line for line in lines if not line.startswith("> ")]
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    result = CliRunner().invoke(group, shlex.split(command)[2:], input=typed, prog_name="entropeg")

    assert result.exit_code == 0
    assert answers == result.output.splitlines()[: len(answers)]


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_file_that_the_pages_for_developers_name_exists(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:src|tests|docs|benchmarks|scripts)/[\w./-]+)`", text))

    assert len(named) >= 1
    assert {path for path in named if not (ROOT / path).exists()} == set()

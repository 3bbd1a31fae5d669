"""The notebooks: files that say what their pages say, and run without a compiler where they are said to.

With kernels their cells are run as those of every page: see test_documents.py.
"""

import json
import re
from pathlib import Path

import notebooks
import pytest

from rooms import cases
from test_without_numba import BARE, run

WITHOUT_A_COMPILER = ["course", "lesson", "lecon", "optima", "chemin"][: cases(2, 5)]

RUN = """
import ast, json, re, time
from pathlib import Path
sys.path[:0] = ["docs/extensions"]
import notebooks

def shown(name):
    space, kinds = {"__name__": "__main__"}, []
    for cell in notebooks.cells(Path(notebooks.FOLDER / f"{name}.md").read_text(encoding="utf-8"), moved=False):
        if cell.is_code:
            tree = ast.parse(re.sub(r"(?m)^GAMES = \\d+", "GAMES = GAMES_WANTED", cell.text))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, "exec"), space)
            value = eval(compile(ast.Expression(last.value), name, "eval"), space) if last else None
            kinds += [type(value).__name__] if hasattr(value, "_repr_svg_") and value._repr_svg_() else []
    return kinds
""".replace("GAMES_WANTED", str(cases(100, 1000)))
"""What is found is not looked at here: fewer games than those of the page do."""


@pytest.mark.parametrize("name", notebooks.pages())
def test_a_notebook_agrees_with_its_page(name: str) -> None:
    page = notebooks.pages()[name].read_text(encoding="utf-8")

    assert notebooks.notebook(page) == (notebooks.FOLDER / name).read_text(encoding="utf-8")


def test_every_notebook_has_a_page() -> None:
    assert {path.name for path in notebooks.FOLDER.glob("*.ipynb")} == {*notebooks.pages()}


@pytest.mark.parametrize("name", notebooks.pages())
def test_a_notebook_has_no_mark_that_only_our_pages_know(name: str) -> None:
    data = json.loads((notebooks.FOLDER / name).read_text(encoding="utf-8"))
    words = ["".join(cell["source"]) for cell in data["cells"] if cell["cell_type"] == "markdown"]

    assert (4, 5) == (data["nbformat"], data["nbformat_minor"])
    assert len({cell["id"] for cell in data["cells"]}) == len(data["cells"])
    assert [text for text in words if re.search(r"\{[\w-]+\}`|```\{|:::|\.md\)", text)] == []


def test_the_lessons_say_the_same_in_two_languages() -> None:
    french, english = (
        notebooks.cells((notebooks.FOLDER / f"{name}.md").read_text(encoding="utf-8")) for name in ("lecon", "lesson")
    )

    assert [(cell.is_code, cell.tags) for cell in french] == [(cell.is_code, cell.tags) for cell in english]


def test_solutions_stand_at_the_end() -> None:
    data = json.loads((notebooks.FOLDER / "lesson.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in data["cells"]]
    begin = sources.index("## Solutions")

    assert all(text.startswith("# One solution") for text in sources[begin + 1 :])
    assert not any("# One solution" in text for text in sources[:begin])


def run_all(name: str, capsys: pytest.CaptureFixture[str], *solved: str) -> list[str]:
    """Run the cells of a file from first to last, solutions in place of the exercises that define these functions."""
    data = json.loads((notebooks.FOLDER / name).read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in data["cells"] if cell["cell_type"] == "code"]
    defined = [re.search(r"^def (\w+)", text, re.MULTILINE) for text in sources]
    last = {found[1]: text for found, text in zip(defined, sources, strict=True) if found}
    space: dict[str, object] = {"__name__": "__main__"}
    told = list[str]()
    for text, found in zip(sources, defined, strict=True):
        exec(compile(last[found[1]] if found and found[1] in solved else text, name, "exec"), space)  # noqa: S102
        told.append(capsys.readouterr().out)
    return told


LESSONS = {
    "lesson.ipynb": (["evaluation", "possible_codes", "update"], "Write it in", "The player needs", "guesses: "),
    "lecon.ipynb": (
        ["evaluation", "donner_possibles", "maj_possibles"],
        "Écrivez-la",
        "Il faut au joueur",
        "essais : ",
    ),
}


@pytest.mark.parametrize("count", range(4))
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_to_its_end_and_says_which_exercises_it_waits_for(
    name: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    functions, listing, playing, played = LESSONS[name]
    _, _, _, sizes, _, player, arena, *solutions = run_all(name, capsys, *functions[:count])

    assert (count < 2) == (listing in sizes)
    assert (count < 2) == ("(0, 0) 64" not in sizes)
    assert (count < 3) == (playing in player)
    assert (count < 3) == (played not in player)
    assert "3.954" in arena
    assert 3 == len(solutions)


@pytest.mark.slow
def test_notebooks_run_without_a_compiler_threads_and_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    asked = f"print(json.dumps({{name: shown(name) for name in {WITHOUT_A_COMPILER}}}))"
    drawn = run("import matplotlib.dates, matplotlib.font_manager\n" + BARE + RUN + asked)

    figures = {"course": 5, "chemin": 6}
    assert {name: figures.get(name, 0) for name in WITHOUT_A_COMPILER} == {
        name: kinds.count("ShownFigure") + kinds.count("EnFrancais") for name, kinds in drawn.items()
    }


def test_the_road_in_french_is_told_and_drawn_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    page = (notebooks.FOLDER / "chemin.md").read_text(encoding="utf-8")
    space: dict[str, object] = {"__name__": "__main__"}
    figures = list[str]()
    for cell in notebooks.cells(page):
        if cell.is_code:
            code, _, last = re.sub(r"(?m)^GAMES = \d+", "GAMES = 20", cell.text).rpartition("\nEnFrancais(")
            exec(compile(code or last, "chemin", "exec"), space)  # noqa: S102 (our own page)
            if code:
                figures.append(eval(f"EnFrancais({last}._repr_svg_()", space))  # noqa: S307 (our own page)
    told = capsys.readouterr().out

    assert 6 == len(figures)
    assert 5 == sum("propositions pour gagner" in figure for figure in figures)
    assert not any(re.search(r">[^<]*\b(guesses|games|mean|parts of)\b", figure) for figure in figures)
    assert "gagnée en 4 propositions" in told
    assert "minimax    contre cheat    6,00 essais en moyenne (sans hasard), 6 au plus" in told

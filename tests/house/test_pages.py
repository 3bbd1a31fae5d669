"""The documentation site: doors, commands, and that nothing on its pages is asked of another machine."""

from __future__ import annotations

import functools
import html
import json
import re
import runpy
import shlex
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import commands
import modules
import offline
import pictures
import pytest
import tables

import entropeg
from browser import Visitor, close
from entropeg.cli import COMMANDS, group
from entropeg.search.known import all_known_values

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITTEN = {"_build", "commands", "modules"}
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if not WRITTEN & {*path.parent.parts} and "_static" not in path.parts
)
TREE = re.compile(r"^`{3,}\{toctree\}\n(.*?)^`{3,}$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def settings() -> dict[str, Any]:
    """What `docs/conf.py` sets."""
    return runpy.run_path(str(DOCS / "conf.py"))


# ------------------------------------------------------------------ ways


def led_to(page: Path) -> list[Path]:
    """Pages that the side bar has below a page, in order; folders of written ones are left out."""
    found = []
    for block in TREE.findall(page.read_text(encoding="utf-8")):
        names = [line for line in block.splitlines() if line and not line.startswith(":") and "*" not in line]
        found += [(page.parent / f"{name.split('<')[-1].rstrip('>')}.md").resolve() for name in names]
    return [path for path in found if path.parent.name not in WRITTEN]


def test_every_page_stands_behind_one_door() -> None:
    todo, reached = [DOCS / "index.md"], []
    while todo:
        reached.append(todo.pop())
        todo += led_to(reached[-1])

    assert sorted(reached) == PAGES


def test_no_two_pages_have_the_same_title() -> None:
    titles = [re.findall(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)[:1] for page in PAGES]
    named = [title for [title] in filter(None, titles)]

    assert sorted({*named}) == sorted(named)


def test_the_first_page_has_the_four_doors() -> None:
    doors = [path.relative_to(DOCS).as_posix() for path in led_to(DOCS / "index.md")]

    assert ["learn/index.md", "do/index.md", "lookup/index.md", "understand/index.md"] == doors[:4]


LINK = re.compile(r"\]\(<?([^)#>\s]+\.md)|^:link: (\S+)", re.MULTILINE)


def clicks() -> dict[Path, int]:
    """How many links lead from the first page to every other, the side bar left alone."""
    counted, todo = {DOCS / "index.md": 0}, [DOCS / "index.md"]
    for page in todo:
        for written, card in LINK.findall(page.read_text(encoding="utf-8")):
            other = (page.parent / (written or f"{card}.md")).resolve()
            if other in PAGES and other not in counted:
                counted[other] = counted[page] + 1
                todo.append(other)
    return counted


def test_a_stranger_finds_every_page_in_three_clicks() -> None:
    of_developers = {DOCS / "project.md"}

    assert {*PAGES} - clicks().keys() == of_developers
    assert max(clicks().values()) == 3
    assert clicks()[DOCS / "learn" / "codebreaker.md"] == 1


# ------------------------------------------------------------------ commands


def test_every_command_has_a_page() -> None:
    assert list(COMMANDS) == list(commands.AT_WORK)


def parameters(command: click.Command, path: str) -> Iterator[tuple[str, click.Parameter]]:
    """Every option and argument of a command and its sub-commands, with the name of the command."""
    for parameter in command.params:
        yield path, parameter
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from parameters(each, f"{path} {name}")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_of_a_command_names_every_option_with_its_help(name: str) -> None:
    text = commands.pages()[f"{name}.md"]
    command = group.get_command(click.Context(group), name)
    assert command is not None
    sections = {
        found[1]: found[2] for found in re.finditer(r"^#+ `([^`]+)`$(.*?)(?=^#+ `|\Z)", text, re.MULTILINE | re.DOTALL)
    }
    missing = [
        f"{path} {option}"
        for path, parameter in parameters(command, name)
        for option in (*parameter.opts, *parameter.secondary_opts)
        if isinstance(parameter, click.Option)
        and not parameter.hidden
        and not re.search(rf"^\* - `[^`]*{option}(?![\w-])[^`]*`\n  - \S", sections[path], re.MULTILINE)
    ]

    assert missing == []


def test_pages_are_written_once(tmp_path: Path) -> None:
    class Build:
        srcdir = tmp_path

    (tmp_path / commands.FOLDER).mkdir(parents=True)
    (tmp_path / commands.FOLDER / "gone.md").write_text("a command that is no more", encoding="utf-8")
    commands.write_pages(Build)
    modules.write_pages(Build)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")}
    commands.write_pages(Build)
    modules.write_pages(Build)

    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.md")} == before
    assert {path.name for path in before} == {*commands.pages(), *(f"{room}.md" for room in modules.rooms())}


def test_every_module_is_on_a_page_of_the_reference() -> None:
    source = ROOT / "src"
    there = {
        ".".join(path.relative_to(source).with_suffix("").parts)
        for path in source.rglob("*.py")
        if not path.name.startswith("__")
    }

    assert {name for names in modules.rooms().values() for name in names} == there


# ------------------------------------------------------------------ no request leaves the machine


def test_what_would_be_foreign_loads_is_found() -> None:
    loaded = """
        <link rel="stylesheet" href="https://one.org/a.css"><link rel="canonical" href="https://fine.org/">
        <script src="//two.org/b.js"></script><img src="https://three.org/c.png"><a href="https://fine.org/d">d</a>
        <style>body { background: url(https://four.org/e.png) }</style><p style="background: url('//five.org/f.png')">
        <svg><image xlink:href="https://six.org/g.png"/></svg><iframe src="_static/h.html"></iframe>
    """

    assert [
        "https://one.org/a.css",
        "//two.org/b.js",
        "https://three.org/c.png",
        "https://four.org/e.png",
        "//five.org/f.png",
        "https://six.org/g.png",
    ] == offline.foreign_loads(loaded)


def test_no_page_and_no_style_sheet_of_ours_loads_anything_from_elsewhere(settings: dict[str, Any]) -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    pictures = [address for text in texts for address in re.findall(r"!\[[^\]]*\]\(([^)\s]+)", text)]
    styles = [path.read_text(encoding="utf-8") for path in (DOCS / "_static").rglob("*.css")]

    assert [address for address in pictures if offline.is_foreign(address)] == []
    assert [address for text in texts for address in offline.foreign_loads(text)] == []
    assert [address for style in styles for address in offline.addresses_in_style(style) if "//" in address] == []
    assert not offline.is_foreign(settings["mathjax_path"])
    assert (DOCS / "_static" / settings["mathjax_path"]).is_file()
    assert "offline" in settings["extensions"]


CODE = re.compile(r"^(`{3,}|:{3,}).*?^\1$|(`+)[^`].*?\2", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"(?<![\\$])\$\$(.+?)\$\$|(?<![\\$])\$(?!\s)([^$]+?)(?<![\s\\])\$(?!\d)", re.DOTALL)


def formulas() -> list[str]:
    """Every formula of the documentation, as TeX with the marks that MathJax reads."""
    texts = [CODE.sub(" ", page.read_text(encoding="utf-8")) for page in PAGES]
    found = [pair for text in texts for pair in FORMULA.findall(text)]
    return [rf"\[{shown}\]" if shown else rf"\({inline}\)" for shown, inline in found]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[str]:
    """Address of a server of the files in a folder."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *line: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_every_formula_is_drawn_without_a_network(
    tmp_path: Path, shelf: str, browser: Browser, settings: dict[str, Any]
) -> None:
    shutil.copytree(DOCS / "_static" / "mathjax", tmp_path / "mathjax")
    text = formulas()
    assert len(text) > 200
    script = f"<script>window.MathJax = {json.dumps(settings['mathjax4_config'])}</script>"
    library = f'<script defer src="{settings["mathjax_path"]}"></script><link rel="icon" href="data:,">'
    body = "".join(f"<p>{html.escape(each)}</p>" for each in text)
    (tmp_path / "page.html").write_text(f"<!doctype html>{script}{library}{body}", encoding="utf-8")
    visitor = Visitor(browser, shelf)
    page = visitor.open("/page.html")
    page.wait_for_function("window.MathJax.startup?.promise?.then(() => true)")
    wrong = page.evaluate("[...document.querySelectorAll('[data-mjx-error]')].map(e => e.dataset.mjxError)")
    drawn = page.locator("mjx-assistive-mml math").count()
    close(browser)

    assert wrong == []
    assert drawn == len(text)
    assert visitor.complaints == []


# ------------------------------------------------------------------ tables


@pytest.mark.parametrize("role", ["codebreakers", "codemakers"])
def test_the_table_of_players_has_every_player_with_every_parameter(role: str) -> None:
    registry = tables.REGISTRIES[role]
    table = tables.players(role)
    rows = re.findall(r"^\* - `([^`]+)`\n  - (.+)\n  - (.+)$", table, re.MULTILINE)

    assert registry.names == [name for name, _, _ in rows]
    for name, said, given in rows:
        assert len(said) > 10
        assert [key for key in registry.parameters(name) if f"`{key}=" not in given] == []


def test_the_page_of_strategies_says_of_every_codebreaker_where_it_comes_from() -> None:
    page = (DOCS / "lookup" / "strategies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
    told = {name.partition(":")[0] for row in rows for name in re.findall(r"`([^`]+)`", row)}

    assert {*tables.REGISTRIES["codebreakers"].names} - told == {"tree"}


def test_the_table_of_known_values_has_them_all() -> None:
    rows = re.findall(r"^\* - `([^`]+)`$", tables.known_values(), re.MULTILINE)

    assert [value.rules for value in all_known_values()] == rows


def test_the_table_of_optima_has_the_means_of_boards_in_short() -> None:
    lines = tables.optima().splitlines()
    heads = lines[lines.index("* -") : lines.index("* - **2**")]
    row = lines[lines.index("* - **5**") : lines.index("* - **6**")]
    colors = [head.removeprefix("  - ") for head in heads]

    assert "  - 4.722" == row[colors.index("6")]
    assert "  - ≤5.442" == row[colors.index("8")]
    assert "  -" == row[colors.index("9")]


# ------------------------------------------------------------------ figures, and the citation


def drawing_commands() -> list[str]:
    """Every command that a page draws a figure with."""
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    blocks = [
        block for text in texts for block in re.findall(r"^:::\{drawn\}(.*?)^:::$", text, re.MULTILINE | re.DOTALL)
    ]
    return [command for block in blocks for command in pictures.commands_of(block.splitlines())]


@pytest.mark.parametrize("line", drawing_commands())
def test_a_figure_is_drawn_by_a_command_that_there_is(line: str) -> None:
    program, *words = shlex.split(line)
    command: click.Command = group
    context = click.Context(group, **group.context_settings)
    while isinstance(command, click.Group):
        found = command.get_command(context, words.pop(0))
        assert found is not None
        command = found
    given, _, _ = command.make_parser(click.Context(command, context)).parse_args(words)

    assert program == "entropeg"
    assert given


def test_a_figure_is_drawn_once_for_a_state_of_the_package(tmp_path: Path) -> None:
    commands_ = ["entropeg tree build minimax 2x2 --out tree.svg"]
    first = pictures.drawn(commands_, "tree.svg", tmp_path)
    written = first.stat().st_mtime_ns

    assert first.read_text(encoding="utf-8").startswith("<svg")
    assert pictures.drawn(commands_, "tree.svg", tmp_path).stat().st_mtime_ns == written


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [entropeg.__version__]
    assert [*re.findall(r"^  - (\S+)$", text, re.MULTILINE)][:2] == ["MIT", "Apache-2.0"]

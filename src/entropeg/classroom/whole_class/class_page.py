"""Writes the check of a class as text and as pages: one line a project first, then each project."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import count
from pathlib import Path
from urllib.parse import quote

from entropeg.classroom.project_page import SIGNS, html_table, project_page, project_text
from entropeg.classroom.whole_class.checking import FIXED, ClassCheck, ClassMember, class_table
from entropeg.errors import InputError, printable
from entropeg.files import PAGE, make_folder, refuse_file, shown, write_whole
from entropeg.report.page import whole_page
from entropeg.told import Told


def class_text(checked: ClassCheck) -> str:
    """Write one line a project, then the findings of each in which something is wrong or slow."""
    lines = [checked.summary, *(f"- {note}" for note in checked.notes), ""]
    lines += [f"{SIGNS[member.verdict]} {member.line}" for member in checked.members]
    told = [member.project for member in checked.members if member.project is not None and member.verdict != "right"]
    return "\n".join([*map(printable, lines), *(f"\n\n{project_text(project)}" for project in told)])


def class_page(checked: ClassCheck, folder: str = "") -> str:
    """Return the page of a class: a table of its projects, and the faults of each; `folder` has their own pages."""
    notes = "".join(f"<li>{escape(printable(note))}</li>" for note in checked.notes)
    sections = [
        Told(
            "<header><h1>A class</h1><p>{escape}</p><ul>{notes}</ul></header>",
            escape(printable(checked.summary)),
            notes,
        )
    ]
    sections.append(_table(checked))
    for member, page in zip(checked.members, page_names(checked), strict=True):
        name = escape(printable(member.label))
        link = (
            Told('<a href="{quote}">{name}</a>', quote(f"{folder}/{page}"), name) if folder and member.project else name
        )
        items = "".join(f"<li>{escape(printable(text))}</li>" for text in _told(member))
        sections.append(f"<section><h2>{link}</h2><ul>{items}</ul></section>")
    return whole_page(Told("A class of the course"), "\n".join(sections))


def _told(member: ClassMember) -> Sequence[str]:
    if member.project is None:
        return [member.trouble or ""]
    findings = [each for each in member.project.findings if each.verdict in {"wrong", "slow"}]
    return [f"{SIGNS[each.verdict]} {each.text}" for each in findings] or [Told("nothing wrong was found")]


def _table(checked: ClassCheck) -> str:
    heads, *rows = class_table(checked)
    # The table in a file has all columns.
    modules = [at for at, head in enumerate(heads) if head not in FIXED and str(head).endswith(".py")][:8]
    shown = [0, *(heads.index(name) for name in ("modules", "wrong", "slow")), *modules]
    cells = [[_cell(str(row[at])) for at in shown] for row in rows]
    return html_table(
        "Projects", [str(heads[at]).removesuffix(".py") for at in shown], cells, lambda name: escape(printable(name))
    )


def _cell(text: str) -> str:
    # The kinds of mistakes stand in brackets, as in the text of a project.
    verdict, _, bracket = text.partition(": ")
    return Told("wrong ({bracket})", bracket) if verdict == "wrong" and bracket else text


def page_names(checked: ClassCheck) -> list[str]:
    """Return the names of the pages of the projects, in order: of letters that any system takes, no two alike."""
    names = dict[str, None]()
    for member in checked.members:
        name = re.sub(r"[^\w.-]", "_", member.label)[-100:].casefold()
        free = (f"{name}_{number}" if number > 1 else name for number in count(1))
        names[next(each for each in free if each not in names)] = None
    return [f"{name}.html" for name in names]


def pages_folder(path: str | Path) -> Path:
    """Return the folder of the projects' pages beside the page of a class.

    Raises InputError where there can be none of that name.
    """
    folder = Path(path).with_suffix("")
    if folder == Path(path):
        raise InputError(
            "the page of a class needs an ending, as {path}.html: the folder beside it has none", shown(path)
        )
    refuse_file(folder)
    return folder


def write_class_pages(checked: ClassCheck, path: str | Path, translated: Callable[[str], str] = str) -> None:
    """Write the page of a class, and beside it a folder of the same name with a page for each project.

    `translated` puts a page into another language.

    Raises InputError where a file cannot be written or is of another kind; MissingExtraError without matplotlib.
    """
    folder = pages_folder(path)
    make_folder(folder)
    for member, page in zip(checked.members, page_names(checked), strict=True):
        if member.project is not None:
            write_whole(folder / page, translated(project_page(member.project)).encode(), PAGE)
    write_whole(path, translated(class_page(checked, folder.name)).encode(), PAGE)

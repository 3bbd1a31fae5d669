"""A class that was looked through, as text and as pages: one line a project first, then each project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from urllib.parse import quote

from entropeg.classroom.page import SIGNS, html_table, project_page, project_text
from entropeg.classroom.whole_class.checking import FIXED, ClassCheck, ClassMember, class_table
from entropeg.errors import printable
from entropeg.files import PAGE, write_whole
from entropeg.report.page import whole_page

SHOWN_COLUMNS = 8
"""Columns of modules on the page: the table in a file has all."""


def class_text(checked: ClassCheck) -> str:
    """Write one line a project, and then what was found in each in which something is wrong or slow."""
    lines = [checked.summary, *(f"- {note}" for note in checked.notes), ""]
    lines += [f"{SIGNS[member.verdict]} {member.line}" for member in checked.members]
    told = [member.project for member in checked.members if member.project is not None and member.verdict != "right"]
    lines += [f"\n\n{project_text(project)}" for project in told]
    return "\n".join("\n".join(map(printable, line.split("\n"))) for line in lines)


def class_page(checked: ClassCheck, folder: str = "") -> str:
    """Return the page of a class: a table of its projects, and what is wrong in each; `folder` has their own pages."""
    notes = "".join(f"<li>{escape(printable(note))}</li>" for note in checked.notes)
    sections = [f"<header><h1>A class</h1><p>{escape(printable(checked.summary))}</p><ul>{notes}</ul></header>"]
    sections.append(_table(checked))
    for member in checked.members:
        name = escape(printable(member.label))
        link = f'<a href="{quote(f"{folder}/{page_name(member)}")}">{name}</a>' if folder and member.project else name
        items = "".join(f"<li>{escape(printable(text))}</li>" for text in _told(member))
        sections.append(f"<section><h2>{link}</h2><ul>{items}</ul></section>")
    return whole_page("A class of the course", "\n".join(sections))


def _told(member: ClassMember) -> Sequence[str]:
    if member.project is None:
        return [member.trouble]
    findings = [each for each in member.project.findings if each.verdict in {"wrong", "slow"}]
    return [f"{SIGNS[each.verdict]} {each.text}" for each in findings] or ["nothing wrong was found"]


def _table(checked: ClassCheck) -> str:
    heads, *rows = class_table(checked)
    modules = [at for at, head in enumerate(heads) if head not in FIXED and str(head).endswith(".py")][:SHOWN_COLUMNS]
    shown = [0, *(heads.index(name) for name in ("modules", "wrong", "slow")), *modules]
    cells = [[str(row[at]) for at in shown] for row in rows]
    return html_table("Projects", [str(heads[at]) for at in shown], cells, lambda name: escape(printable(name)))


def page_name(member: ClassMember) -> str:
    """Return the name of a project's page."""
    return f"{member.label.replace('/', '_')}.html"


def write_class_pages(checked: ClassCheck, path: str | Path, translated: Callable[[str], str] = str) -> None:
    """Write the page of a class, and beside it a folder of the same name with a page for each project.

    `translated` puts a page into another language.

    Raises InputError where a file cannot be written or is of another kind; MissingExtraError without matplotlib.
    """
    folder = Path(path).with_suffix("")
    folder.mkdir(exist_ok=True)
    for member in checked.members:
        if member.project is not None:
            write_whole(folder / page_name(member), translated(project_page(member.project)).encode(), PAGE)
    write_whole(path, translated(class_page(checked, folder.name)).encode(), PAGE)

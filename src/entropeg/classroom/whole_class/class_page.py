"""Writes the check of a class as text and as pages: one line a project first, then each project."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import count
from pathlib import Path
from urllib.parse import quote

from entropeg.chosen_language import spoken_language
from entropeg.classroom.findings import kind_word, verdict_word
from entropeg.classroom.live_file import AGAIN, SECONDS, LiveFile
from entropeg.classroom.project_page import SIGNS, html_table, project_page, project_text, said
from entropeg.classroom.whole_class.checking import ClassCheck, ClassMember
from entropeg.errors import InputError, printable
from entropeg.files import PAGE, make_folder, refuse_file, shown, write_whole
from entropeg.report.page import whole_page
from entropeg.rules import Rules
from entropeg.told import Told, word, words


def class_text(checked: ClassCheck) -> str:
    """Write one line a project, then the findings of each in which something is wrong or slow."""
    lines = [said(checked.summary), *(f"- {said(note)}" for note in checked.notes), ""]
    lines += [f"{SIGNS[member.verdict]} {said(member.line)}" for member in checked.members]
    told = [member.project for member in checked.members if member.project is not None and member.verdict != "right"]
    return "\n".join([*lines, *(f"\n\n{project_text(project)}" for project in told)])


class LiveClassPage(LiveFile):
    """The page of a class that is being looked through; at the end `write_class_pages` takes its place."""

    def __init__(self, path: str | Path, rules: Rules, *, every: float = SECONDS) -> None:
        """Write the page before any project; raises InputError where it cannot be written."""
        self._checked = ClassCheck(rules)
        super().__init__(path, every=every)

    def put(self, checked: ClassCheck) -> None:
        """Write the page where it is time to."""
        self._checked = checked
        if self.is_due:
            self.write()

    def page(self, *, is_live: bool) -> str:
        """Return the page as it is now."""
        return class_page(self._checked, is_live=is_live)


def class_page(checked: ClassCheck, folder: str = "", *, is_live: bool = False) -> str:
    """Return the page of a class: a table of its projects, and the faults of each; `folder` has their own pages.

    It loads itself again while it `is_live`.
    """
    notes = "".join(f"<li>{escape(said(note))}</li>" for note in checked.notes)
    title = said(Told("A class"))
    sections = [f"<header><h1>{title}</h1><p>{escape(said(checked.summary))}</p><ul>{notes}</ul></header>"]
    sections.append(_table(checked))
    for member, page in zip(checked.members, page_names(checked), strict=True):
        name = escape(printable(member.label))
        link = f'<a href="{quote(f"{folder}/{page}")}">{name}</a>' if folder and member.project else name
        items = "".join(f"<li>{escape(text)}</li>" for text in _told(member))
        sections.append(f"<section><h2>{link}</h2><ul>{items}</ul></section>")
    head = AGAIN if is_live else ""
    return whole_page(said(Told("A class of the course")), "\n".join(sections), head, language=spoken_language())


def _told(member: ClassMember) -> Sequence[str]:
    if member.project is None:
        return [said(member.trouble or "")]
    told = {"wrong", "follows", "slow", "unwritten", "waiting"}
    findings = [each for each in member.project.findings if each.verdict in told]
    return [f"{SIGNS[each.verdict]} {said(each.text)}" for each in findings] or [said(Told("nothing wrong was found"))]


def _table(checked: ClassCheck) -> str:
    # The table in a file has all columns.
    columns = sorted({name for each in checked.members for name in each.verdicts if name.endswith(".py")})[:8]
    heads = [
        *words("heading", "project", "modules", "wrong", "follow", "slow"),
        *(name.removesuffix(".py") for name in columns),
    ]
    return html_table(word("heading", "Projects"), heads, [_row(each, columns) for each in checked.members])


def _row(member: ClassMember, columns: Sequence[str]) -> list[str]:
    found = member.project
    counts = [] if found is None else [len(found.modules), found.wrong_count, found.follows_count, found.slow_count]
    return [member.label, *(map(str, counts) if counts else [""] * 4), *(_cell(member, name) for name in columns)]


def _cell(member: ClassMember, column: str) -> str:
    if column not in member.verdicts:
        return ""
    # The kinds of mistakes stand in brackets, as in the text of a project.
    verdict, kinds = member.verdicts[column]
    said = verdict_word(verdict)
    return Told("{verdict} ({faults:list})", said, map(kind_word, kinds)) if kinds else said


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
            "the page of a class needs an ending, as {page}.html: the folder beside it has none", shown(path)
        )
    refuse_file(folder)
    return folder


def write_class_pages(checked: ClassCheck, path: str | Path) -> None:
    """Write the page of a class, and beside it a folder of the same name with a page for each project.

    Raises InputError where a file cannot be written or is of another kind; MissingExtraError without matplotlib.
    """
    folder = pages_folder(path)
    make_folder(folder)
    for member, page in zip(checked.members, page_names(checked), strict=True):
        if member.project is not None:
            write_whole(folder / page, project_page(member.project).encode(), PAGE)
    write_whole(path, class_page(checked, folder.name).encode(), PAGE)

"""Writes the pages of the reference: one for each room of the package, with every module in it.

A page for each module would be four hundred pages, each with a side bar of four hundred entries.
"""

import re
from pathlib import Path
from typing import Any

import entropeg

ROOT = Path(entropeg.__file__).parent
FOLDER = "lookup/reference/modules"
"""Where the pages stand, below the folder of the documentation; nothing there is kept in the repository."""

_MODULE = """## `{name}`

```{{eval-rst}}
.. automodule:: {full}
   :members:
   :ignore-module-all:
   :show-inheritance:
```
"""

_ROOM = """# `{full}`

```{{eval-rst}}
.. automodule:: {full}
   :members:
   :ignore-module-all:
   :show-inheritance:
```
"""


def rooms() -> dict[str, list[str]]:
    """Name of every package of entropeg, and the full names of the modules in it, in alphabetical order.

    >>> rooms()["entropeg.kinds"][:2]
    ['entropeg.kinds.answers', 'entropeg.kinds.counts']
    """
    found = {}
    for file in sorted(ROOT.rglob("__init__.py")):
        names = ["entropeg", *file.parent.relative_to(ROOT).parts]
        files = sorted(each.stem for each in file.parent.glob("*.py"))
        found[".".join(names)] = [".".join([*names, stem]) for stem in files if not stem.startswith("__")]
    return found


def page(room: str, modules: list[str]) -> str:
    """Return the page of a room, as Markdown."""
    parts = [_MODULE.format(name=name.removeprefix(f"{room}."), full=name) for name in modules]
    return "\n".join([_ROOM.format(full=room), *parts])


def write_pages(app: Any) -> None:
    """Write the pages where the documentation is built; those that have not changed are left as they are."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{room}.md": page(room, modules) for room, modules in rooms().items()}
    for name, text in wanted.items():
        file = folder / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    for file in folder.glob("*.md"):
        if file.name not in wanted:
            file.unlink()


_EMPHASIS = re.compile(r"(?<!\S)\*\w[^*]*\w\*(?!\w)")


def escaped(line: str) -> str:
    r"""Return a line of a docstring with the marks escaped that Markdown does not know and reStructuredText does.

    >>> print(escaped("`a*b` and n*m for |S|, as in *this*, or name_"))
    `a*b` and n\*m for \|S\|, as in *this*, or name\_
    >>> print(escaped("* a list"))
    * a list
    """
    bullet = re.match(r"\s*[*-] ", line)
    head = bullet[0] if bullet else ""
    parts = line[len(head) :].split("`")
    for number in range(0, len(parts), 2):
        kept = _EMPHASIS.findall(parts[number])
        pieces = _EMPHASIS.split(parts[number])
        plain = [re.sub(r"([*|]|(?<=\w)_(?!\w))", r"\\\1", piece) for piece in pieces]
        parts[number] = "".join(a + b for a, b in zip(plain, [*kept, ""], strict=True))
    return head + "`".join(parts)


def escape_docstring(*event: Any) -> None:
    """Escape a docstring in place, examples apart; its lines are the last that Sphinx hands over."""
    lines: list[str] = event[-1]
    in_example = False
    for number, line in enumerate(lines):
        in_example = bool(line.strip()) and (in_example or line.lstrip().startswith(">>>"))
        if not in_example and not line.lstrip().startswith(".. "):
            lines[number] = escaped(line)


def is_foreign(*event: Any) -> bool | None:
    """Leave out what a class of ours has from a library, where the library says that it is our class's own."""
    return True if str(getattr(event[3], "__module__", "")).startswith("matplotlib") else None


def drop_plain_types(app: Any, tree: Any) -> None:  # noqa: ARG001  # the signature is Sphinx's
    """Leave types of Python's own, such as `int`, without a link: each would be looked for among all names here."""
    from sphinx import addnodes

    for reference in [*tree.findall(addnodes.pending_xref)]:
        if reference.get("refdomain") == "py" and not any(letter.isupper() for letter in reference["reftarget"]):
            reference.replace_self(reference.children)


def setup(app: Any) -> dict[str, bool]:
    """Enter both into a build of Sphinx."""
    app.connect("builder-inited", write_pages)
    app.connect("autodoc-skip-member", is_foreign)
    app.connect("doctree-read", drop_plain_types)
    app.connect("autodoc-process-docstring", escape_docstring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

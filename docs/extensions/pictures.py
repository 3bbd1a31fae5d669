"""Figures of the pages: drawn by the command that stands above them, and shown in the colors of the page.

A block

    :::{drawn} tree.svg
    :alt: What is to be seen, for those who do not see it.
    $ entropeg tree build minimax 4x4 --out tree.json
    $ entropeg tree draw tree.json tree.svg
    :::

runs its commands in an empty folder when the page is built, and shows them and the picture that the last one wrote.
Every SVG of a page stands in the page itself, so that it follows light and dark.
"""

import hashlib
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import entropeg
from entropeg import plots
from entropeg.report.figures import Picture, inline

TOKENS = {
    plots.INK: "--eg-ink",
    plots.QUIET: "--eg-muted",
    plots.BAND: "--eg-line",
    plots.PAPER: "--eg-paper",
    plots.BLUE: "--eg-one",
    plots.VERMILION: "--eg-two",
}
"""Colors of our figures, and what `pages.css` calls them."""


def commands_of(lines: list[str]) -> list[str]:
    """Return what stands at the prompts of a block.

    >>> commands_of(["$ entropeg bounds", "", "$ entropeg list"])
    ['entropeg bounds', 'entropeg list']
    """
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]


def drawn(commands: list[str], name: str, folder: Path) -> Path:
    """Run commands in a folder of their own and return the file that they write; once for a state of the package."""
    package = Path(entropeg.__file__).parent
    state = max(path.stat().st_mtime_ns for path in package.rglob("*.py"))
    key = hashlib.sha256(f"{commands} {name} {state}".encode()).hexdigest()[:16]
    place = folder / key
    if not (place / name).exists():
        place.mkdir(parents=True, exist_ok=True)
        for command in commands:
            words = shlex.split(command)
            subprocess.run([sys.executable, "-m", *words], cwd=place, check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # the pages' own commands
    return place / name


def block() -> type[Any]:
    """Return the directive `drawn`; what it derives from is loaded where pages are built."""
    from docutils import nodes
    from docutils.parsers.rst import directives
    from sphinx.util.docutils import SphinxDirective

    class Drawn(SphinxDirective):  # type: ignore[misc]  # a class without types
        has_content = True
        required_arguments = 1
        option_spec = {"alt": directives.unchanged_required, "hide": directives.flag}  # noqa: RUF012  # as docutils has it

        def run(self) -> list[Any]:
            source = Path(self.env.srcdir)
            typed = commands_of(list(self.content))
            file = drawn(typed, self.arguments[0], source / "_build" / "drawn")
            image = nodes.image(uri=f"/{file.relative_to(source).as_posix()}", alt=self.options["alt"])
            self.set_source_info(image)
            shown = "\n".join(f"$ {command}" for command in typed)
            text = nodes.literal_block(shown, shown, language="console")
            return [nodes.paragraph("", "", image)] + ([] if "hide" in self.options else [text])

    return Drawn


def in_page(svg: str, prefix: str, alt: str) -> str:
    """Return a picture as an element of a page.

    >>> in_page('<?xml version="1.0"?><svg width="9pt" height="9pt"><path id="a" fill="#222222"/></svg>', "p1", "Ink")
    '<svg role="img" aria-label="Ink"><path id="p1-a" fill="var(--eg-ink)"/></svg>'
    """
    if (
        svg.startswith("<svg") and 'role="img"' in svg
    ):  # a board or a tree: it has words of its own, and takes our colors
        return svg
    text = inline(Picture("", "", "", svg.encode(), b""), prefix, TOKENS if plots.INK in svg else {})
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)
    kind = ' class="wide"' if size and float(size[1]) > 2 * float(size[2]) else ""
    words = alt.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return re.sub(r"<svg\b", f'<svg{kind} role="img" aria-label="{words}"', text, count=1).rstrip()


def show_in_page(*event: Any) -> None:
    """Put the text of every SVG in its place, in pages of HTML."""
    from docutils import nodes

    app, tree, _ = event
    if app.builder.format != "html":
        return
    for number, image in enumerate([*tree.findall(nodes.image)]):
        if image["uri"].endswith(".svg"):
            file = Path(app.srcdir) / image["uri"].lstrip("/")
            text = in_page(file.read_text(encoding="utf-8"), f"p{number}", image.get("alt", ""))
            image.replace_self(nodes.raw("", f'<span class="picture">{text}</span>', format="html"))


def setup(app: Any) -> dict[str, bool]:
    """Enter both into a build of Sphinx."""
    app.add_directive("drawn", block())
    app.connect("doctree-resolved", show_in_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

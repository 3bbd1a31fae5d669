"""Holds the built pages to their word: nothing that they show or run is asked of another machine.

Links may lead anywhere, since a person follows them; pictures, scripts, styles, fonts and frames may not.
"""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

_LOADED = {
    ("script", "src"), ("img", "src"), ("img", "srcset"), ("source", "src"), ("source", "srcset"), ("iframe", "src"),
    ("video", "src"), ("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("use", "href"),
    ("input", "src"), ("track", "src"), ("video", "poster"),
}  # fmt: skip
"""Elements that a browser loads something for by itself, and where they name it; `link` has rules of its own."""

_FOLLOWED = {"next", "prev", "index", "search", "canonical", "alternate", "author", "license", "help"}
"""Kinds of `link` that a browser does not load."""

_IN_STYLE = re.compile(r"""url\(\s*['"]?([^'")]+)|@import\s+['"]([^'"]+)""")


def is_foreign(address: str) -> bool:
    """Whether an address leads to another machine.

    >>> [is_foreign(address) for address in ("https://a.org/b.js", "//a.org/b.js", "../b.js", "data:image/png,")]
    [True, True, False, False]
    """
    return bool(re.match(r"\s*(?:(?:https?|wss?|ftp):)?//", address, re.IGNORECASE))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.in_style = tag == "style"
        self.loaded += [value for name, value in named.items() if (tag, name.removeprefix("xlink:")) in _LOADED]
        if tag == "link" and not _FOLLOWED & set(named.get("rel", "").split()):
            self.loaded.append(named.get("href", ""))
        self.loaded += addresses_in_style(named.get("style", ""))

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.loaded += addresses_in_style(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self.in_style = False


def addresses_in_style(text: str) -> list[str]:
    """List what a style sheet loads.

    >>> addresses_in_style("a {background: url('b.png')} @import 'c.css'")
    ['b.png', 'c.css']
    """
    return [first or second for first, second in _IN_STYLE.findall(text)]


def foreign_loads(text: str) -> list[str]:
    """List what a page would load from other machines.

    >>> foreign_loads('<a href="https://a.org">a</a> <script src="https://a.org/b.js"></script>')
    ['https://a.org/b.js']
    """
    reader = _Reader()
    reader.feed(text)
    return [address for address in reader.loaded if is_foreign(address)]


def check(app: Any, error: Exception | None) -> None:
    """Warn of every page and style sheet of a finished build that would load something from elsewhere."""
    from sphinx.util import logging

    if error is not None or app.builder.format != "html":
        return
    logger = logging.getLogger(__name__)
    folder = Path(app.outdir)
    for file in sorted(folder.rglob("*.html")):
        for address in foreign_loads(file.read_text(encoding="utf-8")):
            logger.warning("%s loads %s from another machine", file.relative_to(folder), address)
    for file in sorted(folder.rglob("*.css")):
        for address in filter(is_foreign, addresses_in_style(file.read_text(encoding="utf-8"))):
            logger.warning("%s loads %s from another machine", file.relative_to(folder), address)


def setup(app: Any) -> dict[str, bool]:
    """Enter the check into a build of Sphinx."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The pages in French: which are whole, what is missing of them, and the way from each page to the same in English.

    python docs/extensions/languages.py

Each page of `WHOLE` has its French in a file of gettext, as Sphinx reads it, `docs/locales/fr/LC_MESSAGES/PAGE.po`:
each paragraph, heading, cell and caption as it stands on the English page. The command prints what is missing, as
entries to be pasted, and what no page asks for any more; the tests and the build want it to find nothing. Blocks of
code are never translated, so that they run in both languages.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import modules
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from markdown_it import MarkdownIt
from markdown_it.token import Token

WHOLE = (
    "index",
    "learn/index",
    "learn/first-game",
    "learn/codebreaker",
    "learn/chance",
    "learn/minimax",
    "learn/optimum",
    "learn/notebooks/index",
    "do/index",
    "do/install",
    "do/without-installation",
    "do/own-games",
    "do/page",
    "do/players",
    "do/tournament",
    "do/classroom",
    "do/grade",
    "do/real-board",
    "do/report",
    "do/review",
    "do/train",
    "lookup/index",
    "lookup/languages",
    "lookup/verdicts",
    "understand/index",
    "project",
)
"""The pages that are in French throughout, as Sphinx names them; all others are shown in English."""

FRENCH_ALONE = ("learn/notebooks/chemin", "learn/notebooks/lecon")
"""The pages that are written in French: they are the same on both sites."""

DOCS = Path(__file__).parent.parent
CATALOGS = DOCS / "locales" / "fr" / "LC_MESSAGES"

_HEAD = re.compile(r"\A---\n.*?^---\n", re.MULTILINE | re.DOTALL)
_COLONS = re.compile(r":{3,}(?:\{([\w-]+)\} *(.*))?$")
_OPTION = re.compile(r":([\w-]+): *(.*)$")
_CARRIED = re.compile(r"(?<![`\w])(`+)(?!`)(.+?)(?<!`)\1(?!`)|\]\(<?([^)\s>]+)>?\)", re.DOTALL)
_TERM = re.compile(r"\{term\}`(?:[^`<]* <)?([^`>]+)>?`")


def paragraphs(text: str) -> list[str]:
    r"""List what there is to translate on a page, as Sphinx asks for it: each text once, on one line.

    >>> paragraphs("# A\n\nOne\nline.\n\n```sh\nmake\n```\n\n:::{card} B\n:link: c\n\n- Two\n:::\n\n|d|\n|-|\n|`e`|\n")
    ['A', 'One line.', 'B', 'Two', 'd', '`e`']
    """
    # markdown-it-py comes with rich; MyST reads the pages with it, too, so that texts are cut alike.
    tokens = MarkdownIt("commonmark").enable("table").parse(_without_colons(_HEAD.sub("", text)))
    return list(dict.fromkeys(_texts(tokens)))


def _texts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "inline" and token.content and not token.content.startswith("$$"):
            yield " ".join(line.strip() for line in token.content.splitlines())
            yield from (child.content for child in token.children or () if child.type == "image" and child.content)
        elif token.type == "fence" and token.info.startswith("{div}"):
            yield from paragraphs(token.content)
        elif token.type == "fence" and token.info.startswith("{image}"):
            yield from (
                found[2] for found in map(_OPTION.match, token.content.splitlines()) if found and found[1] == "alt"
            )


def _without_colons(text: str) -> str:
    """Return a page where blocks between colons are what stands in them; CommonMark does not know these."""
    lines, fence, block, in_head = [], "", "", False
    for line in text.splitlines():
        marks = re.match(r"`{3,}", line)
        if marks and fence in {"", line.strip()}:
            fence = "" if fence else marks[0]
        edge = None if fence else _COLONS.match(line)
        option = _OPTION.match(line)
        if edge:
            block = edge[1] or ""
            in_head = bool(block)
            lines += ["", "" if block in {"grid", "drawn"} else edge[2] or "", ""]
        elif block == "drawn":  # commands, and words for those who do not see the figure
            lines += [option[2], ""] if option and option[1] == "alt" else []
        elif not (in_head and option):
            in_head = False
            lines += ["", line[1:].strip()] if line.startswith(": ") and not fence else [line]
    return "\n".join(lines)


def catalog(page: str) -> Catalog:
    """Read the French of a page; where there is no file yet, it is empty."""
    file = CATALOGS / f"{page}.po"
    if not file.exists():
        return Catalog(locale="fr")
    with file.open("rb") as opened:
        return read_po(opened, locale="fr", abort_invalid=True)


def _written(page: str) -> list[str]:
    """List the English as its lines stand in the file of a page: a merge can leave two of a paragraph."""
    file = CATALOGS / f"{page}.po"
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return re.findall('^msgid "(.+)"$', text, re.MULTILINE)


def carried(text: str) -> Counter[str]:
    """Count what a translation takes over as it is: code between marks, and where links lead.

    >>> sorted(carried("Type `play`, or [read on](a.md#b) of {term}`codes <code>`."))
    ['a.md#b', 'code', 'play']
    """
    return Counter(code or link for _, code, link in _CARRIED.findall(_TERM.sub(r" `\1`", text)))


def missing(page: str) -> list[str]:
    """List the paragraphs of a page that have no French, or a doubtful one (`fuzzy`)."""
    known = {message.id: message for message in catalog(page) if message.id}
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return [each for each in paragraphs(text) if each not in known or not known[each].string or known[each].fuzzy]


def faults(page: str) -> list[str]:
    """List the French of a page that nothing on it asks for, that lacks code or links, or begins as a list does."""
    wanted = paragraphs((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    found = [f"not on the page: {old!r}" for old in catalog(page).obsolete]
    found += [f"twice: {english!r}" for english, times in Counter(_written(page)).items() if times > 1]
    for message in catalog(page):
        english, french = str(message.id), str(message.string)
        if english and english not in wanted:
            found.append(f"not on the page: {english!r}")
        elif english and french:
            lost = carried(english) - carried(french)
            found += [f"without {', '.join(lost)}: {french!r}"] if lost else []
            # Sphinx leaves out what it reads as anything else, as a list.
            is_paragraph = MarkdownIt("commonmark").parse(french)[0].type == "paragraph_open"
            found += [] if is_paragraph else [f"no paragraph: {french!r}"]
    return found


# ------------------------------------------------------------------ a build of Sphinx


def switch(page: str, language: str) -> str:
    """Return the line above a page that leads to the same page in the other language.

    >>> print(switch("do/page", "en"))
    <p class="languages"><a href="../fr/do/page.html" lang="fr" hreflang="fr">Français</a></p>
    """
    up = "../" * page.count("/")
    if language == "fr":
        said = "" if page in WHOLE + FRENCH_ALONE else "Cette page n’est pas encore traduite. "
        return f'<p class="languages">{said}<a href="{up}../{page}.html" lang="en" hreflang="en">English</a></p>'
    return f'<p class="languages"><a href="{up}fr/{page}.html" lang="fr" hreflang="fr">Français</a></p>'


def add_switch(app: Any, page: str, _template: str, context: dict[str, Any], tree: Any) -> None:
    """Put the switch above a page."""
    if tree is not None and app.builder.name == "html":
        language = app.config.language
        spoken = "fr" if page in FRENCH_ALONE else language if page in WHOLE else "en"
        body = context["body"] if spoken == language else f'<div lang="{spoken}">{context["body"]}</div>'
        context["body"] = switch(page, language) + body


def shorten(app: Any, page: str, source: list[str]) -> None:
    """Leave of the reference in French where it stands in English: its 500 modules take as long as all other pages."""
    if app.config.language == "fr" and page.startswith(f"{modules.FOLDER}/"):
        name, up = page.rpartition("/")[2], "../" * (page.count("/") + 1)
        source[0] = f'# `{name}`\n\nLa référence est en anglais : <a href="{up}{page}.html">{name}</a>.\n'


def spaced(text: str) -> str:
    r"""Write a piece of a paragraph as French is set; an apostrophe at its end stands before code or a link.

    >>> spaced("1 296 codes : c'est l'")
    '1\u202f296 codes\xa0: c’est l’'
    """
    from make_texts import typographic  # from scripts/, which a build and the tests have on their path

    within = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u202f", typographic(text, "fr"))
    return re.sub(r"(?<=[^\W\d_])'$", "’", within)


def leave_quotes(_app: Any, config: Any) -> None:
    """Have no quotes turned round on the French site, where they would be French ones on its English pages."""
    if config.language == "fr":
        config.smartquotes = False


def read_french(app: Any, tree: Any) -> None:
    """Warn of what has stayed English on a page that is whole, and put spaces and apostrophes as French has them."""
    from docutils import nodes
    from sphinx import addnodes
    from sphinx.util import logging

    page = app.env.docname
    if app.config.language != "fr" or page not in WHOLE:
        return
    kept = nodes.image | nodes.math_block | addnodes.translatable  # which Sphinx does not mark, or has no words
    for node in tree.findall(lambda node: isinstance(node, nodes.Element) and "translated" in node):
        if isinstance(node.parent, nodes.field | nodes.field_body):  # settings at the head of the page
            continue
        if not node["translated"] and not isinstance(node, kept):
            said = "%s is not whole: %r is in English"
            logging.getLogger(__name__).warning(said, page, node.astext(), location=node)
        for text in node.findall(nodes.Text):
            if not isinstance(text.parent, nodes.literal | nodes.math | nodes.raw):
                text.parent.replace(text, nodes.Text(spaced(text.astext())))


def setup(app: Any) -> dict[str, bool]:
    """Enter the French pages into a build of Sphinx."""
    app.connect("config-inited", leave_quotes)
    app.connect("html-page-context", add_switch)
    app.connect("source-read", shorten)
    app.connect("doctree-read", read_french, priority=400)  # before Sphinx notes the titles
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# ------------------------------------------------------------------ for those who translate


def entry(text: str) -> str:
    r"""Return an entry of a `.po` file that waits for its French.

    >>> print(entry('Type "play".'))
    msgid "Type \"play\"."
    msgstr ""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'msgid "{escaped}"\nmsgstr ""'


def main(pages: list[str]) -> int:
    """Print what is to mend of the pages named, or of all that are whole, and return how much it is."""
    count = 0
    for page in pages or WHOLE:
        wanted, wrong = missing(page), faults(page)
        count += len(wanted) + len(wrong)
        if wanted or wrong:
            print(f"\n# {(CATALOGS / page).relative_to(DOCS.parent)}.po\n")  # noqa: T201 (a command)
            print("\n\n".join([*(f"# {each}" for each in wrong), *map(entry, wanted)]))  # noqa: T201 (as above)
    return count


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)

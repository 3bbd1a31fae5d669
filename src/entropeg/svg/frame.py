"""Frames every picture: size, style, title and description; and makes text safe inside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from entropeg.svg.palette import SIX, hexadecimal

EDGE = 20
"""Pixels of paper around a drawing."""

LONGEST_DESCRIPTION = 6000
"""Characters of a description, which a screen reader reads aloud."""

LIGHT = {"ink": "#1f2328", "muted": "#59636e", "paper": "#ffffff", "outline": "#3d444d", "line": "#d1d9e0"}
DARK = {"ink": "#e6edf3", "muted": "#9198a1", "paper": "#0d1117", "outline": "#c9d1d9", "line": "#3d444d"}
"""Defaults of the custom properties `--eg-ink`, `--eg-muted`, ... on light and on dark screens."""

BAR = hexadecimal(SIX[0])
"""Of bars, on light and dark."""


def _properties(defaults: dict[str, str]) -> str:
    return "".join(f"--{name}:var(--eg-{name},{color});" for name, color in defaults.items())


STYLE = (
    f".eg{{{_properties(LIGHT)}font:13px system-ui,sans-serif;fill:var(--ink)}}"
    f"@media(prefers-color-scheme:dark){{.eg{{{_properties(DARK)}}}}}"
    ".eg-paper{fill:var(--paper)}.eg-muted{fill:var(--muted)}.eg-heading{font-weight:600}"
    ".eg-peg{stroke:var(--outline);stroke-width:1.25;stroke-linejoin:round}.eg-letter{font-size:11px;font-weight:600}"
    ".eg-hole{fill:none;stroke:var(--outline);stroke-dasharray:2 3}.eg-tile{fill:var(--paper);stroke:var(--outline)}"
    ".eg-face{font-size:15px;font-weight:600}.eg-small{font-size:10px}"
    ".eg-black{fill:var(--ink);stroke:var(--ink);stroke-width:1.5}"
    ".eg-white{fill:none;stroke:var(--ink);stroke-width:1.5}"
    ".eg-line{fill:none;stroke:var(--line)}"
    f".eg-bar{{fill:var(--eg-bar,{BAR})}}"
    ".eg-mark2{fill:#1a7f37;stroke:var(--outline)}.eg-mark1{fill:#f2cc60;stroke:var(--outline)}"
    ".eg-mark0{fill:#6e7781;stroke:var(--outline)}"
)
"""The style of all pictures: once on a page that is made of pieces, and in each picture that stands by itself.

Colors but those of pegs and marks are custom properties: a page that sets `--eg-ink`, `--eg-paper`, ... has its own.
Those of pegs are attributes, which any rule for `.eg-peg` or `.eg-color-3` goes before.
"""

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(words: str) -> str:
    """Return text as it stands in XML, between tags or in an attribute; what XML forbids becomes a question mark.

    >>> escape('<A> & "B"'), escape("tick" + chr(7))
    ('&lt;A&gt; &amp; &quot;B&quot;', 'tick�')
    """
    clean = _NOT_XML.sub("\ufffd", words)
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def shorten(words: str, most: int = 90) -> str:
    """Cut text that is too long, by default for a line in a picture, and say so with three points.

    >>> shorten("entropy", 5)
    'entr…'
    """
    return words if len(words) <= most else f"{words[: most - 1]}…"


def text(x: float, y: float, words: str, css: str = "", anchor: str = "") -> str:
    """Draw a line of text from a point on its base line; `anchor` is `middle` or `end`, `css` names of classes."""
    named = f' class="{css}"' if css else ""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{x:g}" y="{y:g}"{named}{anchored}>{escape(shorten(words))}</text>'


def text_width(words: str, size: float = 13) -> float:
    """Return about how many pixels a line takes, rather more: fonts differ."""
    return 0.58 * size * len(shorten(words))


def frame(
    size: tuple[float, float], words: tuple[str, str], pieces: Sequence[str], css: str, *, metadata: str = ""
) -> str:
    r"""Put pieces into a picture of a width and a height, with a title and a description: one whole SVG, a text.

    Its ids are made from what it shows: on one page they differ where pictures do. `metadata` is XML and stands first.

    >>> picture = frame((40, 30), ("A title", "What is seen."), [text(5, 20, "x < y")], "eg-note")
    >>> picture[:4], "<title" in picture, picture[-22:]
    ('<svg', True, 'x &lt; y</text></svg>\n')
    """
    width, height = (round(pixels) for pixels in size)
    title, description = shorten(words[0], 180), shorten(words[1], LONGEST_DESCRIPTION)
    body = "".join(pieces)
    mark = f"eg-{sha256(repr((title, description, body)).encode(errors='replace')).hexdigest()[:12]}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="eg {css}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="{mark}-title {mark}-text">{metadata}'
        f'<title id="{mark}-title">{escape(title)}</title><desc id="{mark}-text">{escape(description)}</desc>'
        f"<style>{STYLE}</style>"
        f'<rect class="eg-paper" width="{width}" height="{height}" rx="8"/>{body}</svg>\n'
    )

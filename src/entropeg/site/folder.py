"""Makes the folder: the page's own files, what the laboratory says of itself, and what it needs without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import ClassVar

import entropeg
from entropeg.errors import InputError
from entropeg.files import shown
from entropeg.files.paths import why
from entropeg.plain_values import PlainValue
from entropeg.site.facts import site_facts, site_puzzles, told_from_disk
from entropeg.texts import LANGUAGES, page_texts

STATIC = Path(entropeg.__file__).parent / "web" / "static"
LEFT_OUT = {"api.css"}
WORKER = "local/service-worker.js"
"""Beside the page's other files, and written into the folder itself: a service worker serves what lies beneath it."""
FIRST = ("rules", "sha256", "working", "engine", "kernels", "backend")
"""Modules that the first screen needs, besides those of the page with a server."""
ALONE = '<meta name="entropeg" content="alone">'
"""By which the page knows that it answers itself, and others that it is one."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
)


@dataclass(frozen=True)
class Site(PlainValue):
    """A page that was written: where, of how many files, of how many bytes in all and of how many before it plays."""

    PLAIN: ClassVar[tuple[str, ...]] = ("folder", "files", "size", "url")

    folder: str
    files: int
    size: int
    url: str | None
    """The address that links have; null: wherever the page lies."""


def write_site(out: str | Path, url: str | None = None, *, puzzles: int = 10) -> Site:
    """Write the page into a folder, which is made, is empty, or has such a page already.

    ``url``: the address at which others find it, for the links that the page copies; ``puzzles``: of each theme to
    train with, a third of a second each. Raises InputError where the folder
    has other files or cannot be written, and for an address that is none of the web.
    """
    if url is not None and not re.fullmatch(r"https?://[^\s\"'<>]+", url):
        raise InputError("the address {url!r} is none of the web: it begins with https:// or http://", url)
    folder = Path(out)
    try:
        _check(folder)
        files = _files(url, puzzles)
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise InputError("{folder} cannot be written: {why}", shown(str(out)), why(error)) from None
    return Site(str(out), len(files), sum(map(len, files.values())), url)


def _check(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise InputError("{file} is a file: name a folder", shown(str(folder)))
    page = folder / "index.html"
    is_ours = page.is_file() and ALONE in page.read_text(encoding="utf-8", errors="replace")
    if folder.is_dir() and any(folder.iterdir()) and not is_ours:
        raise InputError("{folder} has other files: name a folder that is new or empty", shown(str(folder)))


def _files(url: str | None, puzzles: int) -> dict[str, bytes]:
    """The bytes of every file, by its address in the folder."""
    own = {
        path.relative_to(STATIC).as_posix(): path.read_bytes() for path in sorted(STATIC.rglob("*")) if path.is_file()
    }
    files = {name: content for name, content in own.items() if name not in LEFT_OUT and not name.endswith(".md")}
    worker = files.pop(WORKER).decode()
    for language in LANGUAGES:
        files[f"local/facts.{language}.json"] = _json(site_facts(language))
        files[f"local/puzzles.{language}.json"] = _json(site_puzzles(puzzles, language))
        files[f"texts/{language}.json"] = _json(page_texts(language))
    files["local/from-disk.js"] = _from_disk().encode()
    files["site.webmanifest"] = _json(MANIFEST)
    files["index.html"] = alone(files["index.html"].decode(), url).encode()
    digest = sha256(b"".join(name.encode() + content for name, content in sorted(files.items()))).hexdigest()[:16]
    files["service-worker.js"] = _listing(worker, digest, files).encode()
    return files


MANIFEST = {
    "name": "entropeg",
    "short_name": "entropeg",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#f6f5f2",
    "theme_color": "#f6f5f2",
    "icons": [{"src": "icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}],
}


def alone(page: str, url: str | None) -> str:
    """The page that answers itself, of the one that the server serves."""
    address = f'<meta name="entropeg-address" content="{escape(url)}">\n' if url is not None else ""
    first = "".join(f'<link rel="modulepreload" href="local/{name}.js">\n' for name in FIRST)
    before = '<script type="module" src="main.js"></script>'
    assert before in page
    assert "<title>" in page
    links = '<link rel="manifest" href="site.webmanifest">\n<link rel="apple-touch-icon" href="icon.svg">\n'
    page = page.replace(
        "<title>",
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n{ALONE}\n{address}{links}<title>',
        1,
    )
    return page.replace(before, f'{first}<script src="local/from-disk.js" defer></script>\n{before}', 1)


def _from_disk() -> str:
    """A script without modules, which browsers do start from a disk: it says why the page does not."""
    said = json.dumps("\n".join(told_from_disk(language) for language in LANGUAGES), ensure_ascii=False)
    return (
        "// Browsers start no modules from a disk: says so in place of the page.\n"
        'if (location.protocol === "file:") {\n'
        '  const said = document.createElement("p");\n'
        '  said.className = "noscript from-disk";\n'
        '  said.style.whiteSpace = "pre-line";\n'
        f"  said.textContent = {said};\n"
        '  document.getElementById("app").replaceChildren(said);\n'
        "}\n"
    )


def _listing(worker: str, digest: str, files: Iterable[str]) -> str:
    names = json.dumps(["./", *sorted(name for name in files if name != "index.html")])
    return f'const VERSION = "{digest}";\nconst FILES = {names};\n{worker}'


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()

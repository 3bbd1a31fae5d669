"""Makes the folder: the page's own files, what the laboratory says of itself, and what it needs without a network."""

from __future__ import annotations

import json
import re
from base64 import b64encode
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
from entropeg.site.facts import site_facts, site_puzzles, site_tables, site_usual_words, site_words
from entropeg.site.joined import joined, needed, small, small_style
from entropeg.texts import LANGUAGES, page_texts
from entropeg.words import GUESSED, SHIPPED

STATIC = Path(entropeg.__file__).parent / "web" / "static"
FIRST = ("main.js", "screens/play.js", "local/backend.js")
"""Modules of the first screen; those of the others come after it."""
STYLES = ("style.css", "parts.css", "play.css")
"""Style sheets of the first screen, in their order."""
LEFT_OUT = {"api.css"}
WORKER = "local/service-worker.js"
"""Written into the folder itself: a service worker serves what lies beneath it."""
ALONE = '<meta name="entropeg" content="alone">'
"""By which the page knows that it answers itself, and others that it is one."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' '{style}'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self' blob:; base-uri 'none'; "
    "form-action 'none'"
)
"""What the page may load; the worker, whose text is the page's own, is a blob, since no file starts one from a disk."""


@dataclass(frozen=True)
class Site(PlainValue):
    """A page that was written: where, of how many files, of how many bytes in all and of how many before it plays."""

    PLAIN: ClassVar[tuple[str, ...]] = ("folder", "files", "size", "url")

    folder: str
    files: int
    size: int
    url: str | None
    """The address that links have; null: wherever the page lies."""


def write_site(out: str | Path, url: str | None = None, *, puzzles: int = 10, docs: str | Path | None = None) -> Site:
    """Write the page into a folder, which is made, is empty, or has such a page already.

    ``url``: the address at which others find it, for the links that the page copies; ``puzzles``: of each theme to
    train with, a third of a second each; ``docs``: the folder of the built documentation, which is copied beside the
    page and linked from it. Raises InputError where the folder has other files or cannot be written, for an address
    that is none of the web, and for a folder without a built documentation.
    """
    if url is not None and not re.fullmatch(r"https?://[^\s\"'<>]+", url):
        raise InputError("the address {url!r} is none of the web: it begins with https:// or http://", url)
    folder = Path(out)
    if docs is not None and not (Path(docs) / "index.html").is_file():
        raise InputError("{folder} has no built documentation, whose first page is index.html", shown(str(docs)))
    try:
        _check(folder)
        files = _files(url, puzzles, docs=docs is not None) | ({} if docs is None else _documents(Path(docs)))
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


def _documents(docs: Path) -> dict[str, bytes]:
    """The pages of the documentation; those who read them have a network, and so the service worker keeps none."""
    return {
        f"docs/{path.relative_to(docs).as_posix()}": path.read_bytes()
        for path in sorted(docs.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def _files(url: str | None, puzzles: int, *, docs: bool) -> dict[str, bytes]:
    """The bytes of every file, by its address in the folder."""
    modules = {path.relative_to(STATIC).as_posix(): _read(path) for path in sorted(STATIC.rglob("*.js"))}
    joining, worker = (modules.pop(name) for name in ("local/joining.js", WORKER))
    first = needed(modules, FIRST)
    later = needed(modules, [name for name in modules if name.startswith("screens/")], first)
    others = [path for path in sorted(STATIC.glob("*.css")) if path.name not in {*STYLES, *LEFT_OUT}]
    files = {
        "first.js": small(joining) + "\n" + joined(modules, first) + _facts(docs=docs) + 'entropeg.need("main.js");\n',
        "later.js": joined(modules, later),
        "later.css": small_style("".join(_read(path) for path in others)),
        "local/work.js": _work(small(joining) + "\n" + joined(modules, needed(modules, ["local/worker.js"]))),
        **{f"local/words.{name}.js": _given(f"words.{name}", site_words(name)) for name in SHIPPED},
        **{f"local/usual.{name}.js": _given(f"usual.{name}", site_usual_words(name)) for name in GUESSED},
        **{f"local/table.{file.stem}.js": _given(f"table.{file.stem}", _text(file)) for file in site_tables()},
        "site.webmanifest": json.dumps(MANIFEST),
        "index.html": alone(_read(STATIC / "index.html"), "".join(_read(STATIC / name) for name in STYLES), url),
    }
    for language in LANGUAGES:
        files[f"local/puzzles.{language}.js"] = _given(f"puzzles.{language}", site_puzzles(puzzles, language))
        files[f"local/texts.{language}.js"] = _given(f"texts.{language}", page_texts(language))
    written = {name: text.encode() for name, text in files.items()}
    written |= {
        name: (STATIC / name).read_bytes()
        for name in ("icon.svg", "vendor/LICENSE-htm.txt", "vendor/LICENSE-preact.txt")
    }
    digest = sha256(b"".join(name.encode() + content for name, content in sorted(written.items()))).hexdigest()[:16]
    return written | {"service-worker.js": _listing(worker, digest, written).encode()}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _given(name: str, value: object) -> str:
    """A script that gives data, since from a disk browsers read nothing else."""
    return f"entropeg.give({json.dumps(name)}, {json.dumps(value, ensure_ascii=False, separators=(',', ':'))});\n"


def _text(file: Path) -> str:
    return b64encode(file.read_bytes()).decode()


def _facts(*, docs: bool) -> str:
    return "".join(_given(f"facts.{language}", site_facts(language, docs=docs)) for language in LANGUAGES)


def _work(modules: str) -> str:
    """A script that gives what the worker does, as a function, of whose text the page makes it."""
    # What the worker needs beside its modules: in its script, as base64.
    compiled = ("kernels.json", "exact.wasm", "labels.wasm", "canonical.wasm")
    given = {name: _text(STATIC / "local" / name) for name in compiled}
    data = "".join(_given(name, value) for name, value in given.items())
    return f'entropeg.give("work", () => {{\n{modules}{data}entropeg.need("local/worker.js");\n}});\n'


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


def alone(page: str, style: str, url: str | None) -> str:
    """The page that answers itself, of the one that the server serves: its style within, its modules in one script."""
    kept = re.sub(r'<(?:link rel="(?:stylesheet|modulepreload)"|script type="module")[^>]*>(?:</script>)?\n', "", page)
    sheet = small_style(style)
    policy = POLICY.format(style=f"sha256-{b64encode(sha256(sheet.encode()).digest()).decode()}")
    address = f'<meta name="entropeg-address" content="{escape(url)}">\n' if url is not None else ""
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n{ALONE}\n{address}'
        f'<link rel="apple-touch-icon" href="icon.svg">\n<script src="first.js" defer></script>\n'
        f"<style>{sheet}</style>\n<title>"
    )
    app = '<div id="app" class="app"></div>'
    assert "<title>" in kept
    assert app in kept
    # Something to look at while the script is on its way.
    begun = '<div id="app" class="app"><main class="screen single"><h1>entropeg</h1></main></div>'
    return kept.replace("<title>", head, 1).replace(app, begun, 1)


def _listing(worker: str, digest: str, files: Iterable[str]) -> str:
    names = json.dumps(["./", *sorted(name for name in files if name != "index.html")])
    return f'const VERSION = "{digest}";\nconst FILES = {names};\n{worker}'

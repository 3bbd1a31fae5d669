"""Joins the page's modules into plain scripts, which browsers load from a disk too, without comments and indentation.

Each module becomes a function that gives what the module exports, made when another one first asks for it; the order
follows from the imports alone, so the same modules give the same bytes. What is read here is JavaScript as the page is
written in: imports and exports at the beginning of a line, and no export that changes later.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping

_SOURCE = r"""from ?["'](?P<from>\.[^"']+)["'];?"""
_IMPORT = re.compile(rf"^import ?(?:\{{(?P<names>[^}}]*)\}}|(?P<default>\w+)) ?{_SOURCE}", re.MULTILINE)
_PASSED_ON = re.compile(rf"^export ?\{{(?P<names>[^}}]*)\}} ?{_SOURCE}", re.MULTILINE)
_LISTED = re.compile(r"(?:^|(?<=[;}]))export ?\{(?P<names>[^}]*)\};?", re.MULTILINE)
_DEFAULT = re.compile(r"(?:^|(?<=[;}]))export default (?=function\()", re.MULTILINE)
_DECLARED = re.compile(
    r"^export (?P<default>default )?(?=(?:const|class|(?:async )?function\*?) (?P<name>\w+))", re.MULTILINE
)
_LOADED = re.compile(r"\bimport\((?P<quote>[\"'`])(?P<path>\.[^\"'`]+)(?P=quote)\)")
_LEFT = re.compile(r"^(?:import|export)\b.*|\bimport\.meta\b.*|^.*\bimport\(.*", re.MULTILINE)


def imported(name: str, source: str) -> list[str]:
    """The modules that a module stands on, in the order in which it names them.

    >>> imported("play/keys.js", 'import { t } from "../texts.js";')
    ['texts.js']
    """
    found = sorted((*_IMPORT.finditer(source), *_PASSED_ON.finditer(source)), key=lambda match: match.start())
    return [_resolved(name, match["from"]) for match in found]


def needed(sources: Mapping[str, str], first: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    """Modules and all that they stand on, each after what it stands on; those that are ``known`` are left out.

    Raises ValueError for a module that stands on itself, and KeyError for one that is not there.
    """
    found: list[str] = []
    done, open_ = set(known), list[str]()

    def take(name: str) -> None:
        if name in done:
            return
        if name in open_:
            raise ValueError(" stands on ".join([*open_[open_.index(name) :], name]))
        open_.append(name)
        for other in imported(name, sources[name]):
            take(other)
        done.add(open_.pop())
        found.append(name)

    for name in first:
        take(name)
    return found


def joined(sources: Mapping[str, str], names: Iterable[str]) -> str:
    """A script that makes modules known by their names, for `static/local/joining.js`, which runs before it."""
    return '"use strict";\n' + "".join(_defined(name, sources[name]) for name in names)


def _resolved(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _pairs(names: str) -> list[tuple[str, str]]:
    """Of `a, b as c`: each name where it comes from, and where it goes."""
    parts = [part.split(" as ") for part in re.split(r"\s*,\s*", names.strip()) if part]
    return [(part[0], part[-1]) for part in parts]


def _defined(name: str, source: str) -> str:
    exports: list[str] = []

    def needs(match: re.Match[str]) -> str:
        return f"need({json.dumps(_resolved(name, match['from']))})"

    def on_import(match: re.Match[str]) -> str:
        names = [("default", match["default"])] if match["default"] else _pairs(match["names"])
        into = ", ".join(one if one == other else f"{one}: {other}" for one, other in names)
        return f"const {{ {into} }} = {needs(match)};"

    def on_passed(match: re.Match[str]) -> str:
        exports.extend(f"{other}: {needs(match)}.{one}" for one, other in _pairs(match["names"]))
        return ""

    def on_listed(match: re.Match[str]) -> str:
        exports.extend(f"{other}: {one}" for one, other in _pairs(match["names"]))
        return ""

    def on_default(_: re.Match[str]) -> str:
        exports.append("default: whole")
        return "const whole = "

    def on_declared(match: re.Match[str]) -> str:
        exports.append(f"default: {match['name']}" if match["default"] else match["name"])
        return ""

    def on_loaded(match: re.Match[str]) -> str:
        path = _resolved(name, match["path"])
        return f"entropeg.load({match['quote']}{path}{match['quote']})"

    steps = [(_IMPORT, on_import), (_PASSED_ON, on_passed), (_LISTED, on_listed), (_DEFAULT, on_default)]
    text = re.sub(r"^//# sourceMappingURL=.*", "", source, flags=re.MULTILINE)
    for pattern, change in [*steps, (_DECLARED, on_declared), (_LOADED, on_loaded)]:
        text = pattern.sub(change, text)
    text = small(text)
    if left := _LEFT.search(text):
        raise ValueError(f"{name}: {left[0]!r} cannot be joined")
    return f"entropeg.define({json.dumps(name)}, (need) => {{{text}\nreturn {{ {', '.join(exports)} }};\n}});\n"


# ------------------------------------------------------------------ what nobody needs to read

_PIECE = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<word>[\w$#]+)
    |(?P<sign>.)""",
    re.DOTALL | re.VERBOSE,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
_BEFORE_REGEX = re.compile("return|typeof|case|of|in|do|else|void|delete|throw|new|yield|await")
_OPEN = set("{}()[],;:?=<>&|*%^")
"""Signs that need no space beside them; what `+`, `-`, `/`, `!` and `.` are depends on what they touch."""


def pieces(source: str) -> Iterator[tuple[str, str]]:
    """JavaScript cut up, as (kind, text): space, comment, text, template, regex, word or sign; joined it is the source.

    Of a template what stands between fields is one piece with its signs: "`a ${", "} b`".

    >>> list(pieces("a = `x${1}` // y"))[4:]
    [('template', '`x${'), ('word', '1'), ('template', '}`'), ('space', ' '), ('comment', '// y')]
    """
    at, before, nested = 0, "", list[int]()
    while at < len(source):
        if source[at] == "`" or (source[at] == "}" and nested and nested[-1] == 0):
            if source[at] == "}":
                nested.pop()
            rest = _TEMPLATE.match(source, at + 1)
            assert rest is not None
            end = rest.end() + (1 if source[rest.end()] == "`" else 2)
            if source[rest.end()] != "`":
                nested.append(0)
            yield "template", source[at:end]
            at, before = end, source[end - 1]
            continue
        is_regex = source[at] == "/" and source[at + 1 : at + 2] not in {"/", "*"}
        if is_regex and (_BEFORE_REGEX.fullmatch(before) or not re.match(r"[\w$)\]`\"'}]", before[-1:] or "(")):
            match, kind = _REGEX.match(source, at), "regex"
        else:
            match = _PIECE.match(source, at)
            kind = match.lastgroup or "" if match else ""
        assert match is not None, source[at : at + 40]
        if kind == "sign" and nested:
            nested[-1] += {"{": 1, "}": -1}.get(match[0], 0)
        yield kind, match[0]
        at = match.end()
        if kind not in {"space", "comment"}:
            before = match[0]


def small(source: str) -> str:
    r"""JavaScript without comments and without space that means nothing; line ends stay where they may end a statement.

    >>> small('const a = { b: 1 }; // two\n\n  // three\n  f(a);')
    'const a={b:1};f(a);'
    """
    made, markup, gap = list[str](), list[bool](), ""
    for kind, text in pieces(source):
        if kind in {"space", "comment"}:
            gap += text if kind == "space" else "\n" if "\n" in text else " "
            continue
        parting, gap = _parting(made[-1] if made else "", gap, text), ""
        if kind == "template":
            if text[0] == "`":
                markup.append(made[-1:] == ["html"])
            # Between elements, htm drops line ends with the space around them; within a tag any space parts attributes.
            text = re.sub(r"\n\s+", "\n", text) if markup[-1] else text  # noqa: PLW2901
            if text[-1] == "`":
                markup.pop()
        made += [parting, text] if parting else [text]
    return "".join(made)


def _parting(before: str, gap: str, after: str) -> str:
    if not gap or not before:
        return ""
    if "\n" in gap:
        return "" if before[-1] in "{([,;" or after[0] in "})]" else "\n"
    return "" if (len(before) == 1 and before in _OPEN) or (len(after) == 1 and after in _OPEN) else " "


def small_style(source: str) -> str:
    """A style sheet without comments and without space that means nothing.

    >>> small_style("a:hover, b { color: red; }  /* c */")
    'a:hover,b{color:red}'
    """
    text = re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL))
    text = re.sub(r" ?([{};,]) ?", r"\1", text)
    return re.sub(r"(?<=[\w-]): (?=[^{}]*[;}])", ":", text).replace(";}", "}").strip()

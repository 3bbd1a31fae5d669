"""Modules joined into scripts: the same modules by the same names, and not a sign of theirs lost."""

import re
from pathlib import Path

import pytest

from entropeg.site.joined import imported, joined, needed, pieces, small, small_style
from javascript import STATIC, copied, told

MODULES = {path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")}
STARTING = {"main.js", "local/worker.js", "local/service-worker.js", "local/joining.js"}
"""Modules that do something at once, and what is no module."""


def signs(source: str) -> list[str]:
    """What a reader of JavaScript sees; of templates without the space around line ends, which htm drops."""
    return [
        re.sub(r"\s*\n\s*", "\n", text) if kind == "template" else text
        for kind, text in pieces(source)
        if kind not in {"space", "comment"}
    ]


@pytest.mark.parametrize("name", sorted(MODULES))
def test_nothing_but_space_and_comments_is_left_out(name: str) -> None:
    source = MODULES[name]
    made = small(source)

    assert source == "".join(text for _, text in pieces(source))
    assert signs(source) == signs(made)
    assert made == small(made)
    assert "comment" not in {kind for kind, _ in pieces(made)}


def test_space_stays_where_it_means_something() -> None:
    kept = {
        "a + +b - -c": "a + +b - -c",
        "return /[/]\\/ x/.test(a) / 2": "return /[/]\\/ x/.test(a)/ 2",
        "a\n++b": "a\n++b",
        "`  ${ a }  // no comment\n  `": "`  ${ a }  // no comment\n  `",
        "f(`${`${1} /* ${ {a: 1}.a } */`}`) // x": "f(`${`${1} /* ${{a:1}.a } */`}`)",
        "html`<a>\n    ${b}\n  </a>`": "html`<a>\n${b}\n</a>`",
        "\"  // \" + '/*' /* gone */": "\"  // \" + '/*'",
        "a in b; typeof a": "a in b;typeof a",
        "x ? .5 : 1": "x?.5:1",
    }

    assert kept == {source: small(source) for source in kept}


def test_style_sheets_lose_space_alone() -> None:
    sheet = (
        "a:hover > b, .c :focus { margin: calc(1px + 2%) 0; /* x */ }\n@media (max-width: 3rem) { p { color: red; } }"
    )

    assert "a:hover > b,.c :focus{margin:calc(1px + 2%) 0}@media (max-width: 3rem){p{color:red}}" == small_style(sheet)


def test_a_module_comes_after_what_it_stands_on_and_once() -> None:
    sources = {
        "a.js": 'import { b } from "./x/b.js";\nimport c from "./c.js";',
        "x/b.js": 'import { c } from "../c.js";\nexport const b = c;',
        "c.js": "export const c = 1;",
    }

    assert ["x/b.js", "c.js"] == imported("a.js", sources["a.js"])
    assert ["c.js", "x/b.js", "a.js"] == needed(sources, ["a.js"])
    assert ["x/b.js", "a.js"] == needed(sources, ["a.js", "a.js"], known=["c.js"])


def test_what_cannot_be_joined_says_so() -> None:
    circle = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    with pytest.raises(ValueError, match=r"a\.js stands on b\.js stands on a\.js"):
        needed(circle, ["a.js"])
    with pytest.raises(KeyError):
        needed(circle | {"b.js": 'import "./c.js";\nimport { c } from "./c.js";'}, ["a.js"])
    for text in ("export let a = 1;", "const a = import.meta.url;", 'import * as a from "./b.js";', "import(name)"):
        with pytest.raises(ValueError, match=r"a\.js: .* cannot be joined"):
            joined({"a.js": text}, ["a.js"])


def test_every_module_exports_the_same_by_the_same_names(tmp_path: Path) -> None:
    page = copied(tmp_path / "page")
    names = needed(MODULES, sorted(MODULES.keys() - {"local/service-worker.js", "local/joining.js"}))
    (page / "joined.js").write_text(MODULES["local/joining.js"] + joined(MODULES, names), encoding="utf-8")
    script = """
      globalThis.addEventListener = () => {};
      globalThis.document = { documentElement: { dataset: {} }, querySelector: () => null };
      (0, eval)(fs.readFileSync(new URL("joined.js", page), "utf-8"));
      const found = {};
      for (const name of given) {
        const [module, whole] = [entropeg.need(name), await import(`./${name}`)];
        const said = (one) => Object.keys(one).sort().map((key) => [key, typeof one[key]]);
        found[name] = [said(whole), said(module)];
      }
      return found;"""
    found = told(page, script, [name for name in names if name not in STARTING])

    assert {name: whole for name, (whole, _) in found.items()} == {name: made for name, (_, made) in found.items()}
    assert ["default", "function"] in found["screens/play.js"][1]
    assert joined(MODULES, names) == joined(MODULES, needed(MODULES, names))

"""Tables that pages take from the program: every player with its parameters, every value that is known of a board.

A page asks for one by a block: `{players} codebreakers`, `{optima}`, `{known-values}`.
"""

from typing import Any

from commands import marked

from entropeg import codebreakers, codemakers
from entropeg.registry import Registry
from entropeg.rules import Rules
from entropeg.search.bounds import GRADES
from entropeg.search.known import KnownValue, all_known_values

REGISTRIES: dict[str, Registry[Any]] = {"codebreakers": codebreakers.registry, "codemakers": codemakers.registry}


MOST_COLORS = 12
"""Colors of the table in short; what there is beyond stands in the whole one."""


def listed(heads: list[str], widths: list[int], rows: list[list[str]]) -> str:
    """Return a table as a block of Markdown.

    >>> print(listed(["name", "age"], [70, 30], [["Ann", "7"]]))
    :::{list-table}
    :header-rows: 1
    :widths: 70 30
    <BLANKLINE>
    * - name
      - age
    * - Ann
      - 7
    :::
    """
    lines = [":::{list-table}", ":header-rows: 1", f":widths: {' '.join(map(str, widths))}", ""]
    for row in [heads, *rows]:
        lines += [
            f"{'* -' if first else '  -'} {cell}".rstrip()
            for first, cell in zip([True] + [False] * len(row), row, strict=False)
        ]
    return "\n".join([*lines, ":::"])


def players(role: str) -> str:
    """Return the table of the codebreakers, or of the codemakers, with their parameters and their defaults."""
    registry = REGISTRIES[role]
    rows = []
    for name in registry.names:
        given = [f"`{key}={value}`" if value else f"`{key}=`" for key, value in registry.parameters(name).items()]
        rows.append([f"`{name}`", marked(registry.summary(name)), " ".join(given) or "–"])
    return listed(["name", "what it does", "parameters"], [20, 45, 35], rows)


def optima() -> str:
    """Return the means of perfect play on plain boards, pegs by colors; `≤` where they are the best that was found."""
    means = dict[tuple[int, int], str]()
    for value in all_known_values():
        rules = Rules.parse(value.rules)
        is_plain = value.rules == f"{rules.pegs}x{rules.colors}"
        mark = {"optimum": "", "best strategy found": "≤"}.get(value.strategy) if is_plain and value.total else None
        if value.total and mark is not None:
            means[rules.pegs, rules.colors] = f"{mark}{value.total / rules.secret_count:.3f}"
    colors = sorted({color for _, color in means if color <= MOST_COLORS})
    rows = [
        [f"**{pegs}**", *(means.get((pegs, color), "") for color in colors)]
        for pegs in sorted({peg for peg, _ in means})
    ]
    return listed(["", *map(str, colors)], [1] * (len(colors) + 1), rows)


def known_values() -> str:
    """Return the table of all values known, board by board, as they stand in the file of values."""
    sources = sorted({value.source for value in all_known_values()})
    rows = [_row(value, sources.index(value.source) + 1) for value in all_known_values()]
    notes = "\n".join(f"{number}. {marked(source)}" for number, source in enumerate(sources, start=1))
    grades = "; ".join(f"{grade}: {said}" for grade, said in GRADES.items() if len(grade) == 1)
    heads = ["rules", "strategy", "total", "mean", "worst", "grade", "source"]
    table = listed(heads, [20, 34, 10, 10, 8, 8, 10], rows)
    return f"Grades: {grades}.\n\n{table}\n\nSources:\n\n{notes}"


def _row(value: KnownValue, source: int) -> list[str]:
    total = "–" if value.total is None else f"{value.total:,}"
    computed = None if value.total is None else value.total / Rules.parse(value.rules).secret_count
    mean = f"{value.mean:.4g}" if value.mean is not None else "–" if computed is None else f"{computed:.4f}"
    worst = "–" if value.worst is None else str(value.worst)
    return [f"`{value.rules}`", marked(value.strategy), total, mean, worst, value.grade, str(source)]


def blocks() -> dict[str, type[Any]]:
    """Return the directives by name; what they derive from is loaded where pages are built."""
    from sphinx.util.docutils import SphinxDirective

    class Players(SphinxDirective):  # type: ignore[misc]  # a class without types
        required_arguments = 1

        def run(self) -> list[Any]:
            return list(self.parse_text_to_nodes(players(self.arguments[0])))

    class Optima(SphinxDirective):  # type: ignore[misc]  # as above
        def run(self) -> list[Any]:
            return list(self.parse_text_to_nodes(optima()))

    class KnownValues(SphinxDirective):  # type: ignore[misc]  # as above
        def run(self) -> list[Any]:
            return list(self.parse_text_to_nodes(known_values()))

    return {"players": Players, "optima": Optima, "known-values": KnownValues}


def setup(app: Any) -> dict[str, bool]:
    """Enter the blocks into a build of Sphinx."""
    for name, block in blocks().items():
        app.add_directive(name, block)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

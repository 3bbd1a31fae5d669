"""A strategy tree as an SVG picture that one can read: turns from left to right, one row a position."""

from __future__ import annotations

from entropeg.chosen_language import translated
from entropeg.feedback import from_label
from entropeg.svg.frame import EDGE, frame, text, text_width
from entropeg.svg.pegs import code, code_in_words, code_width, feedback_in_words, is_digits, marks, marks_width, row
from entropeg.told import Joined, Told, plural
from entropeg.tree.nodes import TreeNodes

NOTEBOOK_ROWS = 40
"""Rows of the picture in a notebook: beyond, smaller subtrees are one line that says how many codes they hold."""

TOP = 100
"""Pixels above the first position."""


def to_svg(tree: TreeNodes, rows: int = 400, metadata: str = '<metadata id="entropeg-tree"/>') -> str:
    """Draw a tree: each node shows the feedback that leads there, its guess, and how many codes come there.

    Beyond `rows` positions the smallest subtrees are folded, and where the opening alone has more answers the
    last ones are one line. At 40 rows, as in a notebook, it has
    400 kB at most.

    >>> from entropeg import StrategyTree
    >>> to_svg(StrategyTree.build("minimax", "2x2")).count('class="eg-node"')
    4
    """
    limit = fold_limit(tree, rows)
    as_numbers, answers = is_digits(tree.rules), [from_label(label, tree.rules) for label in {*tree.label[1:].tolist()}]
    indent = 28 + max((marks_width(answer, as_numbers=as_numbers) for answer in answers), default=0)
    wide = code_width(tree.rules.pegs, tree.rules)
    pieces: list[str] = []
    drawn, width, step = 0, 0.0, row(tree.rules) - 2
    waiting: list[tuple[int, int, int]] = [(0, 0, -1)]
    while waiting and drawn < 2 * rows:
        node, depth, above = waiting.pop()
        x, y = EDGE + depth * indent, TOP + drawn * step
        folded = node > 0 and int(tree.sizes[node]) <= limit
        if above >= 0:
            pieces.append(f'<path class="eg-line" d="M{x - indent + 12:g} {above + 16}V{y}H{x - indent + 19:g}"/>')
            pieces.append(marks(tree.feedback(node), x - indent + 22, y, as_numbers=as_numbers))
        pieces.append(_node(tree, node, (x, y, x + wide + 10), folded=folded))
        width = max(width, x + wide + 120)
        drawn += 1
        if not folded:
            waiting += [(child, depth + 1, y) for _, child in reversed(list(tree.children(node)))]
    if waiting:
        more = plural(len(waiting), "and {n} more branch", "and {n} more branches")
        pieces.append(text(EDGE, TOP + drawn * step + 4, translated(more), "eg-muted"))
        drawn += 1
    lines = [translated(line) for line in _lines(tree, limit)]
    width = max(width, *(EDGE + text_width(line) for line in lines))
    head = [text(EDGE, EDGE + 10 + 20 * at, line, "eg-muted" if at else "eg-heading") for at, line in enumerate(lines)]
    words = lines[0], f"{lines[1][0].upper()}{lines[1][1:]}. {translated(_in_words(tree))}"
    return frame((width + EDGE, TOP + drawn * step), words, [*head, *pieces], "eg-tree", metadata=metadata)


def fold_limit(tree: TreeNodes, rows: int) -> int:
    """Return the largest size of subtrees to fold so that about `rows` positions are drawn; 0 where all of them fit.

    >>> from entropeg import StrategyTree
    >>> fold_limit(StrategyTree.build("minimax", "3x3"), 10)
    6
    """
    if len(tree) <= rows:
        return 0
    limit = 1
    while True:
        open_ = tree.sizes > limit
        drawn = 1 + int(open_[tree.parent[1:]].sum())
        if drawn <= rows or not open_[1:].any():
            return limit
        limit += max(1, limit // 8)


def _node(tree: TreeNodes, node: int, at: tuple[float, float, float], *, folded: bool) -> str:
    x, y, after = at
    size = int(tree.sizes[node])
    star = "" if tree.wins[node] else "· "
    note = f"{star}{translated(plural(size, '{n} code', '{n} codes'))}{' …' if folded and size > 1 else ''}"
    return (
        f'<g class="eg-node">{code(tree.code(node), tree.rules, x - 6, y)}'
        f"{text(after, y + 4, note, 'eg-muted') if size > 1 or star else ''}</g>"
    )


def _lines(tree: TreeNodes, limit: int) -> tuple[str, str, str]:
    found = [Told("{codes} in {guesses}", count, turns) for turns, count in enumerate(tree.histogram[:12], start=1)]
    if len(tree.histogram) > 12:
        found.append(Told("{codes} in more", sum(tree.histogram[12:])))
    legend = [Told("·: a guess that cannot be the secret")]
    if limit:
        legend.append(Told("subtrees of at most {codes} are folded", plural(limit, "{n} code", "{n} codes")))
    return (
        Told(
            "{rules}: {total} guesses over {codes}, {mean:.4f} on average, {worst} at most",
            *(tree.rules, tree.total, plural(len(tree.turns), "{n} code", "{n} codes"), tree.mean, tree.worst),
        ),
        Told("codes found at each guess: {counts:list}", found),
        Joined(legend, "; "),
    )


def _in_words(tree: TreeNodes) -> str:
    first = code_in_words(tree.code(0), tree.rules)
    replies = [
        (feedback_in_words(tree.feedback(child), tree.code(0), tree.rules), code_in_words(tree.code(child), tree.rules))
        for _, child in list(tree.children(0))[:40]
    ]
    then = [Told("After {answer}: {guess}.", answer, guess) for answer, guess in replies]
    return Joined([Told("The first guess is {guess}.", first), *then], " ")

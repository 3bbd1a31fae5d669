"""A strategy tree as an SVG picture that one can read: turns from left to right, one row a position."""

from __future__ import annotations

from xml.sax.saxutils import escape

from entropeg.feedback import format_feedback
from entropeg.tree.nodes import TreeNodes

ROWS = 400
"""A picture has at most about so many rows: smaller subtrees are one line that says how many codes they hold."""

ROW, FONT, LETTER, PEG = 18, 12, 8, 5
"""In pixels: height of a row and of the type, width of a letter (a little wide), radius of a peg."""

TOP = 78
"""Pixels above the first position."""

INDENT = 36
"""Pixels by which a turn stands further to the right, besides the room for its feedback: each position has a row."""

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000", "#999999", "#7B4F9D")
"""Colors that color-blind readers tell apart (Okabe and Ito), then two more; the letter stands beside each peg."""


def to_svg(tree: TreeNodes, rows: int = ROWS) -> str:
    """Draw a tree: each node shows the feedback that leads there, its guess as pegs and text, and how many codes come.

    Beyond `rows` positions the smallest subtrees are folded. An empty mark in the metadata tells it from others.

    >>> from entropeg import StrategyTree
    >>> to_svg(StrategyTree.build("minimax", "2x2")).count("<circle")
    8
    """
    limit = fold_limit(tree, rows)
    width = INDENT + LETTER * max(tree.rules.pegs, 2)
    marks: list[str] = []
    depth_used, row = 0, 0
    waiting: list[tuple[int, int, int]] = [(0, 0, -1)]
    while waiting:
        node, depth, above = waiting.pop()
        x, y = 20 + depth * width, TOP + row * ROW
        depth_used = max(depth_used, depth)
        if above >= 0:
            marks.append(f'<path d="M{x - width + 12} {above + 7}V{y}H{x - 4}"/>')
        folded = node > 0 and int(tree.sizes[node]) <= limit
        marks.append(_draw_node(tree, node, x, y, folded=folded))
        row += 1
        if not folded:
            waiting += [(child, depth + 1, y) for _, child in reversed(list(tree.children(node)))]
    longest = 180 + tree.rules.pegs * (LETTER + 2 * PEG + 2 + LETTER)
    return _frame(tree, marks, 40 + depth_used * width + longest, TOP + 20 + row * ROW, limit)


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


def _draw_node(tree: TreeNodes, node: int, x: int, y: int, *, folded: bool) -> str:
    answer = format_feedback(tree.feedback(node)) if node else ""
    size, at = int(tree.sizes[node]), x + 8 * max(tree.rules.pegs, 2) + 6
    pegs = []
    for peg, color in enumerate(tree.code(node)):
        fill = "none" if color >= tree.rules.colors else PALETTE[color % len(PALETTE)]
        center = at + peg * (2 * PEG + 2) + PEG
        pegs.append(f'<circle cx="{center}" cy="{y}" r="{PEG}" fill="{fill}" stroke="#333" stroke-width=".6"/>')
    text = at + tree.rules.pegs * (2 * PEG + 2) + 5
    note = f"{size} codes" if size > 1 else ""
    if folded and size > 1:
        note = f"… {size} codes"
    star = "" if tree.wins[node] else " ·"
    return (
        f'<text x="{x}" y="{y + 4}" class="a">{escape(answer)}</text>{"".join(pegs)}'
        f'<text x="{text}" y="{y + 4}">{escape(tree.code_text(node))}{star} <tspan class="n">{note}</tspan></text>'
    )


def _frame(tree: TreeNodes, marks: list[str], width: int, height: int, limit: int) -> str:
    folded = f"; subtrees of at most {limit} codes are folded" if limit else ""
    histogram = ", ".join(f"{count} in {turns}" for turns, count in enumerate(tree.histogram, start=1))
    title = escape(
        f"{tree.rules}: {tree.total} guesses over {len(tree.turns)} codes, "
        f"{tree.mean:.4f} on average, {tree.worst} at most"
    )
    found = f"codes found at each guess: {histogram}"
    legend = f"bold: feedback; ·: a guess that cannot be the secret{folded}"
    width = max(width, 40 + LETTER * max(len(title), len(found), len(legend)))
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{title}</title>",
            '<metadata id="entropeg-tree"/>',
            f"<style>text{{font:{FONT}px monospace;fill:#111}}.a{{font-weight:bold}}.n{{fill:#555}}",
            "path{fill:none;stroke:#bbb}</style>",
            '<rect width="100%" height="100%" fill="white"/>',
            f'<text x="20" y="20" class="a">{title}</text>',
            f'<text x="20" y="38" class="n">{escape(found)}</text>',
            f'<text x="20" y="54" class="n">{escape(legend)}</text>',
            *marks,
            "</svg>\n",
        ]
    )

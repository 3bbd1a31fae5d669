"""A class of projects, each written in its own way: ways to evaluate, to draw, to remember, to cheat."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from planted import EXAMPLES

EVALUATIONS = (
    """    placed = sum(g == s for g, s in zip(guess, secret))
    shared = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return placed, shared - placed
""",
    """    placed = 0
    mine, others = [], []
    for i in range(LENGTH):
        if guess[i] == secret[i]:
            placed += 1
        else:
            mine.append(guess[i])
            others.append(secret[i])
    misplaced = 0
    for color in mine:
        if color in others:
            misplaced += 1
            others.remove(color)
    return placed, misplaced
""",
    """    placed = len([1 for i in range(len(guess)) if guess[i] == secret[i]])
    shared = 0
    for color in COLORS:
        shared += min(guess.count(color), secret.count(color))
    return (placed, shared - placed)
""",
)

DRAWS = (
    'return "".join(random.choices(COLORS, k=LENGTH))',
    'return "".join(random.choice(COLORS) for _ in range(LENGTH))',
    'return "".join(COLORS[random.randrange(len(COLORS))] for _ in range(LENGTH))',
)

PICKS = (
    "random.choice(sorted(possibles))",
    "random.choice(list(possibles))",
    "random.sample(sorted(possibles), 1)[0]",
    "next(iter(possibles))",
)

TIES = (
    "(len(parts[each]), each != win, random.random())",
    "(len(parts[each]), each != win)",
    "len(parts[each])",
)


def write_class(folder: Path, projects: int = 10, *, modules: tuple[str, ...] = ()) -> list[Path]:
    """Write projects into a folder, no two alike up to 108 of them, with all modules unless some are named."""
    ways = sorted(product(range(3), range(3), range(4), range(3)), key=lambda way: (sum(way) % 4, way))
    made = []
    for number, (evaluation, draw, pick, tie) in zip(range(projects), ways * (projects // 108 + 1), strict=False):
        project = folder / f"projet_{number + 1:02}"
        project.mkdir(parents=True)
        changes = ((EVALUATIONS[0], EVALUATIONS[evaluation]), (DRAWS[0], DRAWS[draw]), (PICKS[0], PICKS[pick]),
                   (TIES[0], TIES[tie]))  # fmt: skip
        for file in sorted(EXAMPLES.glob("*.py")):
            if modules and file.stem not in {*modules, "common"}:
                continue
            text = file.read_text(encoding="utf-8")
            for old, new in changes:
                text = text.replace(old, new)
            (project / file.name).write_text(text, encoding="utf-8")
        made.append(project)
    return made

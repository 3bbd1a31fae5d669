"""Says of a module that goes wrong beside a wrong `common.py` whether that follows from it, or is wrong by itself.

One fault is charged once. The module has played once more, with functions of entropeg in the place of the wrong ones:
what goes right then was no fault of the module, and what goes wrong is what the fault of `common.py` may have hidden.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from entropeg.classroom.faults import Fault
from entropeg.classroom.findings import Finding, Project
from entropeg.classroom.functions.ours import NAMES, WHOLE
from entropeg.classroom.imports import imports_of, named_modules
from entropeg.classroom.layout import layout_of
from entropeg.classroom.modules import tree_or_none
from entropeg.told import Template, Told

LOOKED_AT = frozenset({*NAMES, "LENGTH", "COLORS"})
"""Names of a `common.py` that ours has too."""


def is_amiss(finding: Finding) -> bool:
    """Tell whether a finding may follow from a wrong `common.py`: a fault, or a mean that is not as expected."""
    return finding.verdict == "wrong" or finding.kind in {"mean", "too good"}


@dataclass(frozen=True)
class PlayedAgain:
    """What was found of a module with functions of entropeg in the place of those of `common.py`.

    `ours` are these functions, `commons` the files, `taken` what the module takes from there, and `sizes` whether a
    fault there is that LENGTH or COLORS is not followed.
    """

    found: Project
    ours: tuple[str, ...]
    commons: Sequence[str]
    taken: frozenset[str]
    sizes: bool = False

    def told(self, seen: Sequence[Finding]) -> list[Finding] | None:
        """Return what there is to say, after what was seen at first; None where playing again has proven nothing."""
        if self.found.wrong:
            return self._wrong_too(seen)
        text = Template(
            "through {commons:and} alone (with entropeg's {functions:and} there, nothing is wrong): {fault}"
        )
        said = [
            replace(each, verdict="follows", text=Told(text, self.commons, self.ours, each.text))
            for each in seen
            if each.verdict == "wrong"
        ]
        if said or not any(map(is_amiss, self.found.findings)):
            return [*said, *map(self._beside, self.found.findings)]
        return None  # a mean that is other than expected either way

    def _wrong_too(self, seen: Sequence[Finding]) -> list[Finding] | None:
        # A module that plays by another convention knows ours not: what was seen at first stands.
        if any(each.kind == "convention" for each in seen) or not any(each.verdict == "wrong" for each in seen):
            return None
        further = sorted(self.taken - LOOKED_AT)
        if further and self.sizes and {each.kind for each in self.found.wrong} == {"follow"}:
            # Nobody is accused where a function that was not looked at may know one board only.
            perhaps = Template("perhaps through {commons:and} alone, whose {names:and} was not looked at: {fault}")
            return self._each(
                lambda it: replace(it, verdict="follows", text=Told(perhaps, self.commons, further, it.text))
            )
        itself = Template("wrong by itself: with entropeg's {functions:and} in {commons:and} too, {fault}")
        too = Template("wrong with entropeg's {functions:and} in {commons:and} too: {fault}")
        said = too if further else itself
        return self._each(lambda it: replace(it, text=Told(said, self.ours, self.commons, it.text)))

    def _each(self, wrong: Callable[[Finding], Finding]) -> list[Finding]:
        return [wrong(each) if each.verdict == "wrong" else self._beside(each) for each in self.found.findings]

    def _beside(self, finding: Finding) -> Finding:
        return replace(finding, text=Told("with entropeg's {functions:and}: {text}", self.ours, finding.text))


def not_settled(seen: Sequence[Finding], ours: Sequence[str], commons: Sequence[str]) -> list[Finding]:
    """Say what was seen of a module where it was stopped before it had played once more: nothing is charged yet."""
    text = Template(
        "not settled, since it was stopped before it had played with entropeg's {functions:and} in {commons:and}: "
        "{fault}"
    )
    return [
        replace(each, verdict="waiting", text=Told(text, ours, commons, each.text)) if each.verdict == "wrong" else each
        for each in seen
    ]


def not_played(file: str, fault: Fault, again: Project | None) -> list[Finding]:
    """Say that a module cannot be played, since its `common.py` cannot be imported, and what it does with ours.

    `again` is what was found with ours in its place; None where the module takes from there what ours has not.
    """
    text = Told("not played: it imports common, and {place} keeps it from that", fault.place)
    if again is None:
        return [Finding(file, "note", text)]
    beside = Template("with entropeg's {functions:and}: {text}")
    if again.wrong:
        # Ours may have other letters than theirs: what goes wrong then is no proof.
        return [
            Finding(file, "note", text),
            *(Finding(file, "note", Told(beside, [WHOLE], each.text)) for each in again.wrong),
        ]
    text = Told("{text}; with entropeg's common in its place, nothing is wrong", text)
    return [
        Finding(file, "follows", text, fault.kind),
        *(replace(each, text=Told(beside, [WHOLE], each.text)) for each in again.findings),
    ]


# -------------------------------------------------------------------- what a module takes from common.py


def taken_from_common(file: Path) -> frozenset[str] | None:
    """Return the names that a module takes from `common`, itself or through other files of its project.

    None where it does not import it. `file` is absolute.
    """
    taken, imports_it, waiting = set[str](), False, [file]
    for each in waiting:  # grows
        tree = tree_or_none(each)
        names = set[str]() if tree is None else named_modules(tree)
        if tree is not None and WHOLE in names:
            imports_it = True
            taken |= set(_taken_by(tree))
        folders = dict.fromkeys([each.parent, *layout_of(each).paths])
        beside = [folder / f"{name}.py" for name in sorted(names - {WHOLE}) for folder in folders]
        waiting += [found for found in beside if found not in waiting and found.is_file()]
    return frozenset(taken) if imports_it else None


def _taken_by(tree: ast.Module) -> Iterator[str]:
    called = {WHOLE}  # the names under which the file knows the module
    for each in imports_of(tree):
        if each.stem == WHOLE and each.name:
            yield from _not_its_own(tree) if each.name == "*" else [each.name]
        elif (each.name or each.stem) == WHOLE and each.known_as != each.head:
            called.add(each.known_as)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            inside = node.value
            owner = getattr(inside, "id", None) or getattr(inside, "attr", None)
            if owner in called:
                yield node.attr


def _not_its_own(tree: ast.Module) -> set[str]:
    # The names that a file reads and nothing in it gives: from where it takes all that there is.
    read, given = set[str](), {*dir(builtins), *(each.known_as for each in imports_of(tree))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else given).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            given.add(node.name)
        elif isinstance(node, ast.arg):
            given.add(node.arg)
    return read - given

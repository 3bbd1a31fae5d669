"""Trees as others publish them: lists in YAML and bracket trees. Neither names its rules.

The lists are those of A. Strauß (https://github.com/arfst23/Mastermind, section «File Format»): a list of the guess and
a mapping from each feedback, `XO--`, to the code or to such a list; colors are digits from 0. The brackets are those of
the contest «Mastermind Strategy» (https://codegolf.stackexchange.com/questions/31926, 2014), whose grammar is published
there: `{AB:{10:AA,02:{...}}}`, blacks and whites as two digits, colors as letters from A.

Both are read here by small parsers of our own, without recursion: no YAML, which is far larger, and no stack to
exhaust. Files become a list of `Entry`, and every secret is played through the tree that they make.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from entropeg.errors import InputError
from entropeg.feedback import Code, Marks, label_of, parse_feedback
from entropeg.files.reading import DEEPEST
from entropeg.rules import Rules
from entropeg.told import Told, quoted
from entropeg.tree.entries import Entry, code_reader, entry_place, from_nodes, read_at
from entropeg.tree.nodes import TreeNodes

LARGEST = 32 << 20
"""Characters that are read at most: the tree of 6x9 has some six million."""

LISTS = re.compile(r"(?:---[ \t]*\n)?(?:[ \t]*(?:#.*)?\n)*-[ \t]+['\"]?\w+['\"]?[ \t]*\n")
BRACKETS = re.compile(r"\s*\{\s*\w+\s*:")
"""How each of them begins."""


# ------------------------------------------------------------------ lists in YAML


@dataclass
class _Open:
    """A list that is being read: the columns of its dashes and of its feedbacks (-1: none yet), and its entry."""

    dash: int
    key: int
    entry: int


@dataclass
class _YamlLists:
    """Lists in YAML, read line by line."""

    entries: list[Entry] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)
    waiting: tuple[int, str] | None = None
    """The entry and the feedback whose list is to follow."""

    def read(self, number: int, line: str) -> None:
        """Read one line: a guess, `- 0012`, or a feedback with its code or with a list to follow, `XO--: 0133`."""
        text = line.strip()
        dash = len(line) - len(line.lstrip())
        item = text.startswith("- ")
        rest = text[2:].lstrip() if item else text
        column = dash + len(text) - len(rest)
        name, colon, value = (part.strip().strip("'\"") for part in rest.partition(":"))
        if colon:
            self._branch(number, name, value, dash if item else -1, column)
        elif item:
            self._guess(number, name, dash)
        else:
            raise InputError(
                "line {line}: {text!r} is neither a guess, as - 0012, nor a feedback, as XO--:", number, text
            )

    def _guess(self, number: int, code: str, dash: int) -> None:
        if self.waiting is None and self.entries:
            raise InputError("line {line}: the guess {guess!r} follows no feedback", number, code)
        if self.open and dash < self.open[-1].key:
            raise InputError("line {line}: the list of {guess!r} must not stand left of its feedback", number, code)
        if len(self.open) >= DEEPEST:
            raise InputError("line {line}: its lists are nested more than {most} deep", number, DEEPEST)
        above, answer = self.waiting or (-1, "")
        self.waiting = None
        self.entries.append(Entry(code, above, answer, number))
        self.open.append(_Open(dash, -1, len(self.entries) - 1))

    def _branch(self, number: int, answer: str, code: str, dash: int, column: int) -> None:
        if self.waiting is not None:
            raise InputError("line {line}: the feedback before it, {feedback!r}, has no guess", number, self.waiting[1])
        while self.open and dash != self.open[-1].dash and column != self.open[-1].key:
            self.open.pop()
        if not self.open or (dash >= 0) != (self.open[-1].key < 0):
            raise InputError("line {line}: the feedback {feedback!r} stands in the column of no list", number, answer)
        self.open[-1].key = column
        if code:
            self.entries.append(Entry(code, self.open[-1].entry, answer, number))
        else:
            self.waiting = (self.open[-1].entry, answer)


def from_lists(text: str, rules: Rules) -> TreeNodes:
    r"""Read a tree of lists in YAML; raises InputError with the line that is wrong.

    >>> from_lists("---\n- 01\n- O-: 22\n", Rules.parse("2x3")).code_text(1)
    'CC'
    """
    _check_size(text)
    lists = _YamlLists()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() not in {"", "---", "..."} and not line.lstrip().startswith("#"):
            lists.read(number, line)
    if lists.waiting is not None:
        raise InputError("it ends after the feedback {feedback!r}, which has no guess", lists.waiting[1])
    return _tree(rules, lists.entries)


# ------------------------------------------------------------------ bracket trees


@dataclass
class _Brackets:
    """A bracket tree, read token by token: `{`, guess, `:`, `{`, and for each branch feedback, `:`, code or tree."""

    entries: list[Entry] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    """The entries whose branches are being read."""

    def read(self, tokens: list[str]) -> None:
        """Read all tokens, of which the last is empty; raises InputError saying what stands where."""
        at, fresh = self._begin(tokens, 0, -1, ""), True
        while self.open:
            if tokens[at] == "}":
                at, fresh = self._expect(tokens, at + 1, "}"), False
                self.open.pop()
                continue
            at = at if fresh else self._expect(tokens, at, ",")
            answer, at = tokens[at], self._expect(tokens, at + 1, ":")
            fresh = tokens[at] == "{"
            if fresh:
                at = self._begin(tokens, at, self.open[-1], answer)
            else:
                at = self._enter(tokens, at, self.open[-1], answer)
        if tokens[at]:
            raise InputError("{text!r} follows the end of the tree", tokens[at])

    def _begin(self, tokens: list[str], at: int, above: int, answer: str) -> int:
        # A tree, up to where its branches begin.
        if len(self.open) >= DEEPEST:
            raise InputError("its brackets are nested more than {most} guesses deep", DEEPEST)
        at = self._enter(tokens, self._expect(tokens, at, "{"), above, answer)
        self.open.append(len(self.entries) - 1)
        return self._expect(tokens, self._expect(tokens, at, ":"), "{")

    def _enter(self, tokens: list[str], at: int, above: int, answer: str) -> int:
        if tokens[at] in {"", "{", "}", ":", ","}:
            self._refuse(tokens, at, Told("a code"))
        self.entries.append(Entry(tokens[at], above, answer))
        return at + 1

    def _expect(self, tokens: list[str], at: int, wanted: str) -> int:
        if at >= len(tokens) or tokens[at] != wanted:
            self._refuse(tokens, at, wanted)
        return at + 1

    def _refuse(self, tokens: list[str], at: int, wanted: str) -> None:
        there = tokens[at] if at < len(tokens) else ""
        place = entry_place(self.entries, len(self.entries) - 1) if self.entries else Told("at the start")
        wanted = quoted(wanted) if len(wanted) == 1 else wanted
        if not there:
            raise InputError("{place} nothing stands where {wanted} is wanted", place, wanted)
        raise InputError("{place} {found!r} stands where {wanted} is wanted", place, there, wanted)


def from_brackets(text: str, rules: Rules) -> TreeNodes:
    """Read a bracket tree; raises InputError saying after which turns it is wrong.

    The example of the contest:

    >>> text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
    >>> from_brackets(text, Rules.parse("2x3")).check().total
    21
    """
    _check_size(text)
    brackets = _Brackets()
    brackets.read([*re.findall(r"[{}:,]|[^\s{}:,]+", text), ""])
    return _tree(rules, brackets.entries)


# ------------------------------------------------------------------ both


def _check_size(text: str) -> None:
    if len(text) > LARGEST:
        raise InputError("it has {count:,} characters; {most:,} are read at most", len(text), LARGEST)


def _tree(rules: Rules, entries: list[Entry]) -> TreeNodes:
    read = code_reader(rules, {entry.guess for entry in entries})
    codes: list[Code] = []
    above: list[int] = []
    labels: list[int] = []
    places: list[int] = []
    for at, entry in enumerate(entries):
        places.append(len(codes))
        code = read_at(entries, at, read, entry.guess)
        label = -1 if entry.above < 0 else read_at(entries, at, lambda text: _label(text, rules), entry.feedback)
        if entry.above >= 0 and label == rules.win_label and code == codes[places[entry.above]]:
            continue  # the feedback that ends the game may stand there, with the guess itself
        codes.append(code)
        above.append(places[entry.above] if entry.above >= 0 else -1)
        labels.append(label)
    return from_nodes(rules, codes, above, labels)


def _label(text: str, rules: Rules) -> int:
    if re.fullmatch(r"\d\d", text):
        text = f"{text[0]} {text[1]}"
    elif rules.feedback.about.answer is not Marks:
        text = text.rstrip("-") or "-"  # padded to the number of pegs
    return label_of(parse_feedback(text, rules), rules)

"""Random command lines and scripts for the prompts, drawn from the commands that there are; and a way to run one.

`python tests/command_lines.py SEED COUNT` runs a longer campaign and prints what went wrong.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import AsyncMock, patch

import click
from click.testing import CliRunner

from entropeg import cli
from entropeg.errors import SPACES
from entropeg.signals import INTERRUPTED
from hanging import Hang, in_time

CODES = {0, 1, 2, INTERRUPTED}
"""Exit codes of the table in docs/lookup/command-line.md that can come up without a signal from outside."""

LONGEST = 800
"""A refusal has at most so many characters."""

LONG = "9" * 5000


def _split(words: str) -> list[str]:
    return words.split("|")


NUMBERS = (
    *_split(
        "0|-1|-0|1|2|3|12|1.5|1e3|1e400|nan|inf|-inf|x|| | 2|+2|0x3|1_0|10**26|100000000000000000000000000|"
        f"2147483648|9223372036854775808|-9223372036854775809|{LONG}|\u0663|\xb2|\u0661\u0662|\uff12|2\u200b|2\n|"
        "2,0|none|None|NONE|half|\u221e"
    ),
)
"""Numbers right and wrong; every right one is small enough to be done at once."""

RULES = (
    *_split(
        "2x2|2x3|3x2|1x1|1x4|2x3/black|2x3/blanks|2x3/blanks-in-secrets|2x3/no-repeats|2x4/positional|"
        "2x4/shapes=2|2x3/membership|2x3/limit=2|2x3/limit=none|2X3| 2x3 |2 x 3|2x3/names|2x3/digits|2x3/numbers|"
        "2x3/alphabet=RGB|2x3/course|2x3/no-repeats/guess-repeats|2x4/prior=distinct|2x3/prior=uniform|"
        "words:words.txt|words:words.txt/free-guesses|words:words.txt/fold|| |/|x|2x|x3|0x3|2x0|-2x3|2x-3|2.5x3|"
        "2x3x4|2x3/|2x3//|2x3/limit|2x3/limit=|2x3/limit=0|2x3/limit=-1|2x3/limit=100000000000000000000000000|"
        f"2x3/limit={LONG}|2x3/limit=\u0663|2x3/limit=1.5|2x3/blaks|2x3/alphabet=|2x3/alphabet=AAB|2x3/alphabet=A|"
        f"2x3/alphabet=\n\t|2x3/shapes=0|2x4/shapes=3|{LONG}x3|1000000x2|\u0662x\u0663|\uff12x\uff13|2\xd73|"
        "4x2/no-repeats|2x3/black/positional|2x3/blanks/no-repeats|2x3/prior=nobody|2x3/prior=|"
        "2x3/prior=words.txt|words:|words:nowhere|words:folder|words:binary|words:empty|words:words.txt/pegs=9|"
        "words:words.txt/pegs=x|words:words.txt/probes=nowhere|words:words.txt/blanks|clasic|2x3/digest=0|"
        "2x3\x1b[31m|2x3\n|\udcff"
    ),
    "x" * 3000,
    "2x3/" * 50,
)
"""Rules right and wrong; every right board is tiny."""

VAST = (*_split("20x20|100x100|300x1|1000x2|1x200|200x6|99999x99999|6x12|3x119|9x9|30x40/no-repeats"),)
"""Boards for the commands that say what is out of reach, and for those that play one turn."""

BREAKERS = (
    *_split(
        "random|memory|consistent|first-consistent|minimax|entropy|parts|expected-size|sorted-minimax|"
        "minimax:ties=knuth|entropy:win=yes|minimax:then=entropy|entropy:win=0.5|decoder|decoder:full|auto|"
        "by-turn:turns=entropy/minimax|dichotomy|linear|weighted-entropy|tree:small.tree|adviser|human|"
        "entropy:opening=AB|entropy:seed=3,ties=random|minimax:guesses=candidates|"
        "entropy:guesses=probes,probes=3|| |,|:|consistant|minimax:|minimax:=|minimax:ties|minimax:ties=|"
        f"minimax:ties=no|minimax:tise=knuth|entropy:win=nan|entropy:win=-1|entropy:win={LONG}|entropy:win=1e400|"
        f"entropy:opening=|entropy:opening=AAAAAA|entropy:probes=-1|entropy:seed=x|entropy:seed={LONG}|"
        "entropy:guesses=probes|by-turn|by-turn:turns=|by-turn:turns=/|by-turn:turns=nobody|tree|tree:|"
        "tree:nowhere.tree|tree:binary|tree:folder|decoder:table=-1|decoder:criterion=x|montecarlo:secrets=0|"
        f"montecarlo:secrets=-1|montecarlo:secrets={LONG}|montecarlo:time=nan|sampling:tries=0|"
        "evolutionary:population=-1|evolutionary:variant=x|belief:passes=-1|belief:greedy=nan|auto:time=-1|"
        "auto:time=nan|weighted-entropy:weights=x|weighted-entropy:weights=|cmd:|cmd:./nowhere|nowhere.py|"
        "binary.py|folder|words.txt|a,b|consistent,consistent|random,nobody|minimax:ties=knuth,x=1|\x1b[31m|"
        "\udcff|honest"
    ),
    "x" * 3000,
)
MAKERS = (
    *_split(
        "honest|honest:AB|cheat|cheat:first|cheat:ties=random|perfect-cheat|worst-case:minimax|biased|"
        "biased:distinct|| |,|honst|honest:|honest:ABCDEF|honest:secret=|honest:..|cheat:x|cheat:ties=|"
        "worst-case|worst-case:nobody|worst-case:random|biased:nowhere|biased:binary|biased:folder|cmd:./nowhere|"
        "nowhere.py|consistent|\n|honest:\x1b[31m|\udcff"
    ),
    "honest:" + "A" * 3000,
)
FILES = (
    *_split(
        "game.txt|game.json|small.tree|small.json|proof.json|words.txt|log.txt|binary|binary.tree|binary.json|"
        "empty|empty.tree|empty.json|folder|folder/|nowhere|nowhere/x.txt|new.txt|new.json|new.tree|new.dot|"
        "new.svg|new.png|new.yaml|new.csv|new.db|new|| |.|..|/|-|--|n\new.txt|\x1b[31m.txt|nested.json|huge.json|"
        "list.json|\udcff.txt|locked.txt|folder/locked/x.txt|new.tree.part"
    ),
    "a" * 300,
    "a/" * 3000,
)
CODES_TYPED = (
    *_split(
        "AB|AA|BA|ab|A B|A|ABC|AX|A.|..|12|R V|red blue|1-2|A1A2|| |.|-|?|\xc4\xd6|A\nB|\uff21\uff22|\udcff|"
        "\U0001f534\U0001f535|AB AB|-1 -1|0 0"
    ),
    "A" * 3000,
)
ANSWERS = (
    *_split(
        "-|X|O|XX|XO|OX|OO|XXX|1 0|0 2|2 0|1,1|1b1w|2b|none|~|XO~|..|X.|1 1 1|3 0|-1 0|1|| |"
        f"99999999999999999999999999999999999999999999999999|{LONG}|\u0661 0|1.5 0|\u25cf\u25cb|Q|\udcff"
    ),
    "9" * 50,
    "X" * 3000,
)
WORDS = (*_split("hint|hint 5|undo|left|codes|board|help|?|give up|save|save new.txt|save folder|save"),)
NOISE = (
    *_split(
        f"| |hnit|lef|helpp|give|hint x|hint -1|hint {LONG}|hint 0|hint 1.5|hint \u0663|undo 3|left 3|guess|"
        "guess AB|guess hint|answer|answer X|correct|correct 1|correct 1 X|correct 0 X|correct x X|"
        f"correct {LONG} X|correct 1 Q|correct \u0661 X|\x00|\x1b[A|\udcff|save nowhere/x|save new\x00"
    ),
    "y" * 5000,
    "save " + "a" * 300,
)
ASSISTED = (
    *_split(
        "hint|advice|advice 3|advice 0|why AB|why ABCD|why|left|codes|board|undo|edit|edit 1|edit 1 AB X|edit 9|"
        f"edit {LONG}|delete 1|delete|mend|mend 1|mend 0|mend x|afterwards|live|new|new 2x2|new x|save -|save new.txt|"
        "save|load game.txt|load words.txt|load|load -|load nowhere|help|?|AB ?|?B X|AB X?|?? 1 ?|row AB X|row|"
        "players|AB 1b1w|1. ab x|XO AB|AB|X|AB: X|2 1|\U0001f534\U0001f535 X"
    ),
)
"""Lines for `assist`."""
PROTOCOL = (
    *_split(
        "mastermind 1|mastermind 2|mastermind|new codebreaker pegs=2 colors=3|"
        "new codemaker pegs=2 colors=3 seed=1|go|go 1|turn 0 1 : 1 0|turn 0 0 : 0 0|turn 1 2 : 0 2|"
        "turn 0 1 : 2 0|ask 0 1|ask 1 1|ask 2 2|quit|set codebreaker parts|set codemaker cheat|"
        "set codebreaker nobody|set codebreaker|set x y|new|new codebreaker|new nobody pegs=2 colors=2|"
        "new codebreaker pegs=2 colors=3 blanks=both|new codebreaker pegs=2 colors=3 feedback=positional|"
        "turn 0 1 : 2 1|turn 0 1 : 0 1 2|new codebreaker pegs=2 colors=4 shapes=2|"
        "new codebreaker pegs=2 colors=3 limit=1|turn|turn :|turn 0 1|turn : 1 1|ask|ask x|ask 0|ask 0 1 2|"
        f"ask 9 9|ask -1 0|ask 1.5 0|ask {LONG} 0|ask \u0661 0|turn 0 1 : -1 0|turn 0 1 : {LONG} 0|| |\x00|_new|"
        "take|__init__|\udcff|MASTERMIND 1|new codebreaker pegs = 2 colors = 3"
    ),
    "go" * 2000,
)
"""Lines for the engine; `protocol_line` adds boards with every kind of number."""


class Case(NamedTuple):
    """What is typed: the arguments, and the lines on standard input."""

    arguments: list[str]
    lines: str = ""

    def __str__(self) -> str:
        """Show the case so that it can be typed again."""
        return (
            f"{[each if len(each) < 300 else f'{each[:20]}...' for each in self.arguments]} with {self.lines[:400]!r}"
        )


class CommandLines:
    """A source of random cases, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        """Start from a seed."""
        self.random = Random(seed)

    def draw(self) -> Case:
        """Return one case: mostly a command line, now and then a conversation."""
        if self.random.random() < 0.25:
            return self.conversation()
        name = self.random.choice([*cli.COMMANDS] * 6 + ["paly", "", "-", "--", "--version", "-h", "x" * 3000])
        command = cli.group.get_command(click.Context(cli.group), name)
        words = [name]
        while isinstance(command, click.Group) and self.random.random() < 0.93:
            name = self.random.choice([*command.list_commands(click.Context(command))] * 5 + ["biuld", "-", ""])
            words.append(name)
            command = command.get_command(click.Context(command), name)
        return Case([*words, *(self._parameters(command, words) if command else [])], self._lines())

    def conversation(self) -> Case:
        """Return a game at a prompt, or some lines for the engine."""
        pick = self.random.choice
        kind = pick(("play", "break", "assist", "engine"))
        if kind == "engine":
            script = ["mastermind 1"] + [self._protocol_line() for _ in range(self.random.randint(0, 14))]
            return Case(["engine"], "\n".join(script))
        board = pick(RULES[:24]) if self.random.random() < 0.9 else pick((*VAST[:5], "4x6", "5x8"))
        lines = [self._typed(kind) for _ in range(self.random.randint(0, 10))]
        extra = (
            []
            if self.random.random() < 0.7
            else pick((["--json"], ["--save", pick(FILES)], ["--seed", "1"], ["--limit", pick(NUMBERS)]))
        )
        rules = [board] if kind == "assist" else ["--rules", board]
        return Case([kind, *rules, *extra], "\n".join(lines))

    def _typed(self, kind: str) -> str:
        if kind == "assist":
            row = " ".join(self.random.choice(pool[:8]) for pool in (CODES_TYPED, ANSWERS))
            return self.random.choice((row, row, self.random.choice(ASSISTED), self.random.choice(NOISE)))
        moves = CODES_TYPED if kind == "play" else ANSWERS
        return self.random.choice(self.random.choice((moves[:8], moves, WORDS, NOISE)))

    def _protocol_line(self) -> str:
        if self.random.random() < 0.8:
            return self.random.choice(PROTOCOL)
        role, *numbers = [self.random.choice(("codebreaker", "codemaker")), *self.random.choices(NUMBERS, k=4)]
        return f"new {role} " + " ".join(f"{name}={n}" for name, n in zip(NUMBERED, numbers, strict=True))

    def _lines(self) -> str:
        return "\n".join(self.random.choice(NOISE) for _ in range(self.random.randint(0, 3)))

    def _parameters(self, command: click.Command, words: list[str]) -> Iterator[str]:
        for parameter in command.params:
            if isinstance(parameter, click.Argument):
                for _ in range(self._number_of(parameter)):
                    yield self._value(parameter, words)
            elif parameter.name in ALWAYS.get(words[0], ()) or self.random.random() < 0.25:
                yield self.random.choice(parameter.opts)
                if not getattr(parameter, "is_flag", False):
                    yield self._value(parameter, words)
        if words[0] == "report" or self.random.random() < 0.05:
            # A right report would play and draw for a minute.
            yield self.random.choice(("--nowhere", "-x", "more", "--json=1"))

    def _number_of(self, argument: click.Argument) -> int:
        if argument.nargs == 1:
            return int(self.random.random() < 0.95)
        return self.random.randint(0, 3)

    def _value(self, parameter: click.Parameter, words: list[str]) -> str:
        if self.random.random() < 0.04:
            return self.random.choice(self.random.choice((NUMBERS, RULES, FILES, BREAKERS, CODES_TYPED)))
        is_rows = parameter.name == "rows" and isinstance(parameter, click.Argument)
        if (parameter.name == "turns" and words[-1] != "show") or parameter.name == "after" or is_rows:
            return " ".join(map(self.random.choice, (CODES_TYPED, ANSWERS)))
        return self.random.choice(self._pool(parameter, words))

    def _pool(self, parameter: click.Parameter, words: list[str]) -> Sequence[str]:
        if parameter.name == "rules":
            is_vast = words[0] not in {"arena", "report", "classroom", "check-log"} and self.random.random() < 0.2
            return VAST if is_vast else RULES
        if isinstance(parameter.type, click.Choice):
            return [*map(str, parameter.type.choices), "x", ""]
        if (words[0], parameter.name) in COSTLY:
            return COSTLY[words[0], parameter.name]
        if parameter.name in POOLS:
            return POOLS[parameter.name]
        return NUMBERS if isinstance(parameter.type, NUMERIC) else FILES


NUMBERED = ("pegs", "colors", "limit", "seed")
NUMERIC = (click.IntRange, click.types.IntParamType, click.types.FloatParamType)

POOLS: dict[str, Sequence[str]] = {
    "codebreaker": BREAKERS,
    "also": BREAKERS,
    "codemaker": MAKERS,
    "against": MAKERS,
    "turns": ANSWERS,
    "guess": CODES_TYPED,
    "secret": CODES_TYPED,
    "opening": CODES_TYPED,
    "limit": NUMBERS,
    "lang": ("en", "fr", "fr", "FR", "de", "", "fr_FR"),
    "what": ("codebreakers", "codemakers", "rules", "minimax", "cheat", "minimx", "", "x"),
    "criterion": ("entropy", "minimax", "minimax+entropy", "", "x", "+", "minimax+" * 500),
    "jobs": ("1", "0", "-1", "x", "1.5"),
    "executor": ("processes:1", "threads:2", "threads", "threads:0", "processes:x", "dask:", "", LONG, "x"),
    "memory": (*NUMBERS[:14], "64"),
}
"""What may stand for a parameter of some name."""

COSTLY: dict[tuple[str, str | None], Sequence[str]] = {
    ("bounds", "games"): ("0", "-1", "x", LONG),
    ("bounds", "figure"): ("nowhere/x.svg", "new.gif", "", "folder", "."),
    **{(name, "games"): ("1", "2", "3", "0", "-1", "x", LONG, "1e3") for name in ("arena", "classroom")},
    **{(name, "seconds"): ("0.1", "0", "-1", "x", "nan") for name in ("advise", "assist")},
}
"""Where most of what may stand would take long."""

ALWAYS = {"arena": ("rules", "games", "jobs"), "classroom": ("rules", "games", "jobs"), "force": ("rules",)}
"""Options without which a command takes long."""


def furnish(folder: Path) -> None:
    """Put files into a folder, right ones and broken ones, under the names that command lines here use."""
    from entropeg import Rules
    from entropeg.tree import StrategyTree
    from entropeg.tree.optimum import optimal

    rules = Rules.parse("2x3")
    tree = StrategyTree.build("first-consistent", rules)
    for name in ("small.tree", "small.json"):
        tree.save(folder / name)
    optimal(rules, proof=folder / "proof.json")
    typed = Case(["play", "--rules", "2x3", "--codemaker", "honest:CC"], "AB\nBA\n")
    for name in ("game.txt", "game.json"):
        run(Case([*typed.arguments, "--save", str(folder / name)], typed.lines))
    texts = {
        "words.txt": "ab\nba\nbb\nca\n",
        "log.txt": "RV\n1,0\nRB\n2,0\n",
        "empty": "",
        "nested.json": "[" * 5000 + "]" * 5000,
        "huge.json": '{"format": "entropeg tree 1", "rules": "' + "9" * 20000 + 'x3"}',
        "list.json": "[1, 2]",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("binary", "binary.tree", "binary.json", "binary.py"):
        (folder / name).write_bytes(bytes(range(256)) * 8)
    for name in ("empty.tree", "empty.json"):
        (folder / name).touch()
    (folder / "folder" / "locked").mkdir(parents=True)
    (folder / "locked.txt").write_text("AB X\n", encoding="utf-8")
    (folder / "locked.txt").chmod(0)


def run(case: Case) -> Any:
    """Run one case in this process and return click's result; whatever is raised is in it. A server stops at once."""
    with patch("entropeg.web.serving.PageServer.serve", AsyncMock()):
        return CliRunner().invoke(
            cli.group, case.arguments, input=case.lines.encode("utf-8", "replace"), prog_name="entropeg"
        )


def fault(case: Case) -> str:
    """Run a case and say what is wrong with how it ended; an empty text where nothing is."""
    try:
        result = in_time(lambda: run(case))
    except Hang as hang:
        return str(hang)
    # Of a folder the files that hold no games are told one by one.
    said = [line for line in result.stderr.splitlines() if not line.startswith("entropeg: left out: ")]
    refused = result.exit_code == 2 and case.arguments[0] not in {"play", "break", "assist"}
    faults = {
        f"raised {result.exception!r:.200}": not isinstance(result.exception, (SystemExit, type(None))),
        f"exit code {result.exit_code}": result.exit_code not in CODES,
        "a traceback": "Traceback" in result.output,
        f"not one sentence: {result.stderr:.300}": refused
        and not (len(said) == 1 and said[0].startswith("entropeg: ")),
        f"a sentence of {max(map(len, said), default=0)} characters": refused and len(said[0]) > LONGEST,
        f"unprintable characters in {result.stderr!r:.300}": not _is_printable(result.stderr),
    }
    return next((what for what, is_so in faults.items() if is_so), "")


def _is_printable(text: str) -> bool:
    return all(letter.isprintable() or letter in f"\n{SPACES}" for letter in text)


def campaign(seed: int, count: int, folder: Path) -> Iterator[tuple[Case, str]]:
    """Run many cases in a folder that was furnished, and give those that went wrong."""
    lines = CommandLines(seed)
    before = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(count):
            case = lines.draw()
            with patch.dict(os.environ, XDG_DATA_HOME=str(folder)):
                wrong = fault(case)
            if wrong:
                yield case, wrong
    finally:
        os.chdir(before)


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as made:
        furnish(Path(made))
        begun = time.process_time()
        found = list(campaign(int(sys.argv[1]), int(sys.argv[2]), Path(made)))
        for case, wrong in found:
            sys.stdout.write(f"{wrong}\n    {str(case)[:600]}\n")
        sys.stdout.write(
            f"{len(found)} of {sys.argv[2]} went wrong, {time.process_time() - begun:.0f} processor seconds\n"
        )

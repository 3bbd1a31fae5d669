"""Files of every kind that entropeg reads, damaged in every way that comes to mind, and read.

`python tests/filefuzz.py SEED CASES` runs a campaign in the library, and with `commands` after it at the prompt. None
may end but in success or in an `EntropegError` whose message is one line. `tests/files/test_file_fuzzer.py` runs a
small one.
"""

from __future__ import annotations

import copy
import gzip
import io
import json
import random
import sqlite3
import sys
import tempfile
import traceback
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from click.testing import CliRunner

from entropeg import cli
from entropeg.check.verifier import verify
from entropeg.classroom.logs import check_log, read_log
from entropeg.classroom.modules import find_player
from entropeg.classroom.series import Series
from entropeg.classroom.tournament import rounds
from entropeg.codebreakers import get as breaker
from entropeg.codemakers import get as maker
from entropeg.codes import secrets, weights
from entropeg.engine.server import serve
from entropeg.errors import EntropegError
from entropeg.experiments.runner import arena
from entropeg.experiments.store import Store
from entropeg.files import parse_arrays
from entropeg.game import load_game, save_game
from entropeg.loop import play
from entropeg.rules import FeedbackKind, Rules
from entropeg.search.beam.board import Board
from entropeg.search.beam.near import Near
from entropeg.search.beam.optimum import Keeper
from entropeg.search.proving.certificate import head_of
from entropeg.tree import StrategyTree
from entropeg.tree.kept import KeptPieces
from entropeg.tree.optimum import optimal
from entropeg.words import WordList

SLOW = 5.0
"""Seconds of a case that a campaign tells."""

LONGEST = 1000
"""Characters of a message at most; the command line shortens what it says further."""


class Sample(NamedTuple):
    """A file that entropeg writes or reads, how it is read, and in which of its forms it is damaged."""

    name: str
    content: bytes
    read: Callable[[Path], object]
    form: str = "text"
    """text, json, gzip (of json), header (a line of magic, one of json, the rest packed), arrays, or sqlite"""


def samples(folder: Path) -> list[Sample]:
    """One valid file of each kind, made in an empty folder."""
    made = [*_games(folder), *_trees(folder), *_searches(folder), *_results(folder), *_texts(folder)]
    for sample in made:
        path = folder / sample.name
        path.write_bytes(sample.content)
        sample.read(path)
    return made


def _games(folder: Path) -> list[Sample]:
    game = play(breaker("consistent"), maker("honest"), Rules.parse("3x4/limit=12"), seed=2)
    found = []
    for name, form in (("game.txt", "text"), ("game.json", "json")):
        save_game(game, folder / name)
        content = (folder / name).read_bytes()
        found += [Sample(name, content, load_game, form), Sample(f"log-{name}", content, _judge, form)]
    log = b"ABC\n1,1\nBAD\n(0, 2)\n"
    return [*found, Sample("log.txt", log, _judge)]


def _judge(path: Path) -> object:
    return check_log(read_log(str(path)))


BRACKETS = b"{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"
LISTS = b"""---
- 01
- X-:
  - 02
  - X-: 00
    O-: 21
    --: 11
  OO: 10
  O-:
  - 12
  - O-: 20
  --: 22
"""


def _trees(folder: Path) -> list[Sample]:
    tree = StrategyTree.build("minimax", Rules.parse("2x3"))
    found = []
    for ending, form in (("tree", "header"), ("json", "json"), ("yaml", "text")):
        tree.save(folder / f"a.{ending}")
        found.append(Sample(f"a.{ending}", (folder / f"a.{ending}").read_bytes(), StrategyTree.load, form))
    cards = Rules.parse("2x3")
    for name, content in (("lists.yaml", LISTS), ("brackets.txt", BRACKETS)):
        found.append(Sample(name, content, lambda path: StrategyTree.load(path, cards)))
    tree.save(folder / "a.txt")
    found.append(Sample("a.txt", (folder / "a.txt").read_bytes(), lambda path: StrategyTree.load(path, cards)))
    kept = KeptPieces(folder / "a.part", "task")
    StrategyTree.build("entropy", Rules.parse("2x3"), kept=kept)
    kept.save()
    found.append(Sample("a.part", (folder / "a.part").read_bytes(), lambda path: KeptPieces(path, "task"), "header"))
    return found


def _searches(folder: Path) -> list[Sample]:
    rules, prior = Rules.parse("2x3"), Rules.parse("2x3/prior=distinct")
    optimal(rules, proof=folder / "p.json", checkpoint=folder / "c.npz")
    optimal(prior, checkpoint=folder / "w.npz")
    keeper = Keeper(_near(rules), rules, None, folder / "n.npz")
    keeper.save()
    proof = (folder / "p.json").read_bytes()
    words = head_of(Rules(words=WordList.of(["ab", "ba", "ac"], probes=["bb"]), feedback=FeedbackKind.positional))
    words = {**words, "hard": True, "weights": [1, 2, 1], "rules": "words/positional/hard"}
    words |= {"format": "entropeg lower bound 3", "bound": 6, "lemmas": [[[], 6, []]]}
    told = json.dumps(words).encode()

    return [
        Sample("p.json", proof, verify, "lines"),
        Sample("q.json", told, verify, "json"),
        Sample("p.json.gz", gzip.compress(proof), verify, "gzip"),
        Sample("c.npz", (folder / "c.npz").read_bytes(), lambda path: optimal(rules, checkpoint=path), "arrays"),
        Sample("w.npz", (folder / "w.npz").read_bytes(), lambda path: optimal(prior, checkpoint=path), "arrays"),
        Sample(
            "n.npz",
            (folder / "n.npz").read_bytes(),
            lambda path: Keeper(_near(rules), rules, None, path).load(),
            "arrays",
        ),
    ]


_NEAR: dict[Rules, Near] = {}


def _near(rules: Rules) -> Near:
    if rules not in _NEAR:
        _NEAR[rules] = Near(Board.of(rules), threads=1)
    return _NEAR[rules]


def _results(folder: Path) -> list[Sample]:
    arena("consistent", "honest", Rules.parse("2x3"), games=5, store=folder / "games.sqlite")
    kept = rounds.KeptSeries(folder / "rounds.json")
    series = Series(Rules.parse("2x3"), "a", "b", 1, 2)
    kept.store("key", series)
    return [
        Sample("games.sqlite", (folder / "games.sqlite").read_bytes(), _statistics, "sqlite"),
        Sample("rounds.json", (folder / "rounds.json").read_bytes(), rounds.KeptSeries, "json"),
    ]


def _statistics(path: Path) -> object:
    store = Store(path)
    store.begin(Rules.parse("2x3"), "consistent", "honest", 0, "games", 5)
    return [run.to_json() for run in store.runs()]


def _texts(folder: Path) -> list[Sample]:
    module = b"def init():\n    global last\n    last = None\n\n\ndef codebreaker(evaluation):\n    return 'ABC'\n"
    lines = (
        b"mastermind 1\nset codebreaker consistent\nnew codebreaker pegs=3 colors=4 seed=1\ngo\nturn 0 1 2 : 1 1\ngo\n"
    )
    return [
        Sample("prior.txt", b"AA 1\nAB 2.5\n* 0.5\n", lambda path: weights(Rules.parse(f"2x3/prior={path.name}"))),
        Sample("words.txt", b"tacit\nconic\nlimit\n", lambda path: secrets(Rules.parse(f"words:{path.name}"))),
        Sample("codebreaker1.py", module, find_player),
        Sample("lines.txt", lines, _converse),
    ]


def _converse(path: Path) -> object:
    said: list[str] = []
    lines = path.read_bytes().decode(errors="replace").splitlines()
    serve([line for line in lines if "cmd:" not in line], said.append, "first-consistent", "honest")
    assert all(line.isprintable() for line in said)
    return said


# ------------------------------------------------------------------ damage

NUMBERS: list[Any] = [
    0,
    1,
    -1,
    2,
    7,
    255,
    65536,
    10**9,
    2**31,
    2**63,
    2**64,
    10**30,
    10**400,
    -(10**18),
    0.5,
    1e308,
    1e-9,
]
ODD: list[Any] = [
    *NUMBERS, None, True, False, "", "x" * 300, "\x1b[31mred\n", "AB", "XO", "é\u202e", "\ud7ff", [], {}, [[]], {"": 1},
    "9x9", "1000x1000", "3x5/no-repeats", "2x3/limit=1", "0x0", "words:/dev/zero", "4x6/prior=/dev/zero", "won", "lost",
]  # fmt: skip
RAW = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "9" * 5000,
    "[" * 5000 + "]" * 5000,
    '{"a":' * 3000,
    '"\\ud800"',
    "01",
    "'x'",
]
WORDS = [
    "0",
    "-1",
    "9" * 30,
    "9" * 5000,
    "nan",
    "inf",
    "1e999",
    "\x1b",
    "\0",
    "AA",
    "-",
    "*",
    ">1",
    ":",
    "{}",
    "²",
    "é",
    "\u2028",
]


def damaged(sample: Sample, others: list[Sample], rng: random.Random) -> bytes:
    """The file of a sample, changed in one way or a few."""
    content = sample.content
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        form = sample.form if rng.random() < 0.7 else rng.choice(["binary", "text"])
        content = _WAYS[form](content, others, rng)
    return content


def _binary(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    at, end = sorted((rng.randrange(len(content) + 1), rng.randrange(len(content) + 1)))
    other = rng.choice(others).content
    ways: list[Callable[[], bytes]] = [
        lambda: content[:at],
        lambda: content[at:],
        lambda: content[:at] + content[end:],
        lambda: content[:end] + content[at:],
        lambda: content[:at] + rng.randbytes(rng.randrange(1, 9)) + content[end:],
        lambda: content[:at] + rng.randbytes(1) + content[at + 1 :],
        lambda: _flipped(content, rng),
        lambda: content + other,
        lambda: other,
        lambda: other[: len(other) // 2] + content[at:],
        lambda: b"",
        lambda: rng.randbytes(rng.randrange(200)),
        lambda: bytes(rng.randrange(200)),
        lambda: b"\xef\xbb\xbf" + content,
        lambda: content.decode(errors="replace").encode("utf-16"),
        lambda: content.replace(b"\n", b"\r\n"),
    ]
    return rng.choice(ways)()


def _flipped(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 20]) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _text(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    lines = content.decode(errors="replace").split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    words = lines[at].split(" ")
    word = rng.randrange(len(words))
    words[word] = rng.choice([*WORDS, words[word] * 2, words[word][:-1], rng.choice(words), str(rng.choice(NUMBERS))])
    way = rng.randrange(6)
    if way == 0:
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 1:
        lines.insert(at, lines[other])
    elif way == 2:
        del lines[at]
    elif way == 3:
        lines[at:at] = lines[other:] * rng.choice([1, 50])
    else:
        lines[at] = " ".join(words)
    return "\n".join(lines).encode(errors="replace")


def _json(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _binary(content, others, rng)
    text = json.dumps(_changed(data, rng))
    if rng.random() < 0.2:
        at = rng.choice([at for at, letter in enumerate(text) if letter in '0123456789[]{}",'] or [0])
        text = text[:at] + rng.choice([*RAW, ",", '"a":1,"a":2']) + text[at + rng.randrange(2) :]
    return text.encode(errors="replace")


def _changed(data: Any, rng: random.Random) -> Any:
    """Plain data with a value somewhere in it replaced, left out, doubled or swapped with another."""
    data = copy.deepcopy(data)
    places = list(_places(data))
    if not places:
        return rng.choice(ODD)
    (holder, key), (other, name) = rng.choice(places), rng.choice(places)
    way = rng.randrange(5)
    if way == 0 and isinstance(holder, dict):
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif way == 2:
        holder[key] = copy.deepcopy(other[name])
    elif way == 3 and isinstance(holder[key], (int, float)):
        holder[key] = rng.choice([*NUMBERS, holder[key] + 1, -holder[key]])
    else:
        holder[key] = rng.choice(ODD)
    return data


def _places(data: Any) -> Any:
    waiting = [data]
    while waiting:
        holder = waiting.pop()
        for key in holder if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else ():
            yield holder, key
            waiting.append(holder[key])


def _gzip(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    try:
        inner = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return _binary(content, others, rng)
    return gzip.compress(_json(inner, others, rng), mtime=0)


def _lines(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    """One value a line, one of them changed."""
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = _json(lines[at], others, rng).replace(b"\n", b" ")
    return b"\n".join(lines)


def _header(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    """Another header, or another body with its right checksum."""
    magic, _, rest = content.partition(b"\n")
    line, _, body = rest.partition(b"\n")
    try:
        header, data = json.loads(line), zlib.decompress(body)
    except (ValueError, zlib.error, RecursionError):
        return _binary(content, others, rng)
    if rng.random() < 0.5 or not isinstance(header, dict):
        return magic + b"\n" + _json(line, others, rng).replace(b"\n", b" ") + b"\n" + body
    data = rng.choice([_flipped(data, rng), data[: rng.randrange(len(data) + 1)], data * 2, bytes(len(data)), b""])
    body = rng.choice([zlib.compress(data), zlib.compress(data)[:-1], zlib.compress(data) + b"x", data])
    header["crc32"] = zlib.crc32(body)
    return magic + b"\n" + json.dumps(header).encode() + b"\n" + body


def _arrays(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    """An archive with other arrays, whose checksums are right."""
    try:
        arrays = dict(parse_arrays(content))
    except EntropegError:
        return _binary(content, others, rng)
    name = rng.choice(sorted(arrays))
    array = arrays[name]
    if name == "head" and rng.random() < 0.8:
        arrays[name] = np.frombuffer(_json(array.tobytes(), others, rng), np.uint8)
    else:
        made = _other_array(array, rng)
        arrays[rng.choice([name, name, name, "more"])] = made
        if made is None:
            del arrays[name]
    file = io.BytesIO()
    np.savez(file, allow_pickle=True, **{key: each for key, each in arrays.items() if each is not None})
    return file.getvalue()


def _other_array(array: Any, rng: random.Random) -> Any:
    flat = array.reshape(-1).copy()
    if flat.size and flat.dtype.kind in "iu":
        bounds = np.iinfo(flat.dtype)
        flat[rng.randrange(flat.size)] = rng.choice([bounds.min, bounds.max, 0, 1, 77])
    elif flat.size and flat.dtype.kind == "f":
        flat[rng.randrange(flat.size)] = rng.choice([np.nan, np.inf, -1.0, 0.0, 1e30])
    return rng.choice(
        [
            flat.reshape(array.shape),
            flat,
            array[:-1] if array.ndim else array,
            np.concatenate([flat, flat]),
            array.astype(np.float64) if array.dtype.kind in "iuf" else array,
            np.zeros((0,), array.dtype),
            np.zeros((2, 2, 2), np.int8),
            np.array([{}], object),
            np.array("text"),
            None,
        ]
    )


def _sqlite(content: bytes, others: list[Sample], rng: random.Random) -> bytes:
    """A store in which something was written by another hand."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        path.write_bytes(content)
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as database:
                database.execute(rng.choice(_STATEMENTS).replace("?", rng.choice(_VALUES)))
        except sqlite3.Error:
            return _binary(content, others, rng)
        return path.read_bytes()


_VALUES = [
    "NULL",
    "''",
    "'x'",
    "-1",
    "1e300",
    "9223372036854775807",
    "x'ff'",
    "'4y6'",
    "CAST(x'ff' AS TEXT)",
    "0",
    "1e999",
]
_COLUMNS = {
    "runs": "rules codebreaker codemaker seed plan exact planned seconds",
    "games": "game guesses",
}
_STATEMENTS = [
    *(f"UPDATE {table} SET {each} = ?" for table, columns in _COLUMNS.items() for each in columns.split()),  # noqa: S608 (fixed)
    "DELETE FROM runs",
    "DELETE FROM games",
    "DROP TABLE games",
    "DROP TABLE runs",
    "ALTER TABLE runs RENAME COLUMN plan TO plans",
    "ALTER TABLE runs ADD COLUMN more TEXT",
    "ALTER TABLE games RENAME TO game",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
    "PRAGMA writable_schema = ON",
    "CREATE VIEW more AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
    "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM games; END",
    "INSERT INTO games VALUES (99, 1, 1)",
    "INSERT INTO games VALUES (1, 1000000000000000, 1)",
]  # fmt: skip

_WAYS: dict[str, Callable[[bytes, list[Sample], random.Random], bytes]] = {
    "binary": _binary,
    "text": _text,
    "json": _json,
    "lines": _lines,
    "gzip": _gzip,
    "header": _header,
    "arrays": _arrays,
    "sqlite": _sqlite,
}


# ------------------------------------------------------------------ reading


def fault(sample: Sample, content: bytes, path: Path) -> str:
    """What went wrong when the file was read; empty if it was read, or refused in words."""
    path.write_bytes(content)
    try:
        sample.read(path)
    except EntropegError as error:
        said = str(error)
        if not said or "\n" in said or not said.isprintable() or len(said) > LONGEST:
            return f"{sample.name}: a message that is no line: {said[:2000]!r}"
    except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever it is, it is what is looked for)
        frames = traceback.format_exception(error)
        return f"{sample.name}: {type(error).__name__}: {str(error)[:200]}\n{''.join(frames[-4:])}"
    return ""


COMMANDS = {
    "game.txt": "play --load FILE",
    "game.json": "break --load FILE",
    "log-game.txt": "check-log FILE --json",
    "log-game.json": "check-log FILE",
    "log.txt": "check-log FILE",
    "a.tree": "tree show FILE",
    "a.json": "tree check FILE --json",
    "a.yaml": "tree export FILE -",
    "a.txt": "tree check FILE --rules 2x3",
    "p.json": "verify FILE",
    "p.json.gz": "verify FILE",
    "c.npz": "optimal 2x3 --checkpoint FILE",
    "w.npz": "optimal 2x3/prior=distinct --checkpoint FILE --json",
    "games.sqlite": "arena consistent honest --rules 2x3 --games 6 --jobs 1 --store FILE",
    "prior.txt": "optimal 2x3/prior=FILE",
    "words.txt": "candidates words:FILE",
    "codebreaker1.py": "score AB AB --rules words:FILE",
    "lines.txt": "candidates 2x3/prior=FILE",
}
"""What reads a file at the prompt."""


def command_fault(sample: Sample, content: bytes, path: Path) -> str:
    """What went wrong when a command read the file; empty if it ended as the table of exit codes has it."""
    path.write_bytes(content)
    words = COMMANDS[sample.name].replace("FILE", path.name).split()
    result = CliRunner().invoke(cli.group, words, prog_name="entropeg", input="")
    ended = result.exception is None or isinstance(result.exception, SystemExit)
    told = result.stderr.splitlines()
    if ended and result.exit_code in {0, 1} and not told:
        return ""
    if ended and result.exit_code in {0, 2} and len(told) == 1 and len(told[0]) <= LONGEST:
        return ""
    return f"{words}: exit code {result.exit_code}, {result.exception!r}, {result.stderr[:2000]!r}"


def main() -> None:
    """Run a campaign, and print what it finds, each place once."""
    import os
    from time import perf_counter

    rng, cases = random.Random(int(sys.argv[1])), int(sys.argv[2])
    look = command_fault if sys.argv[3:4] == ["commands"] else fault
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        every = samples(Path())
        every = [sample for sample in every if look is fault or sample.name in COMMANDS]
        seen: dict[str, int] = {}
        for case in range(cases):
            sample = every[case % len(every)]
            content = damaged(sample, every, rng)
            began = perf_counter()
            found = look(sample, content, Path(sample.name))
            if perf_counter() - began > SLOW:
                found = found or f"{sample.name}: {perf_counter() - began:.1f} s"
            key = found.split("\n", 2)[-1][-200:] if found else ""
            if found and seen.setdefault(key, 0) < 1:
                print(f"case {case}: {found}\n  {content[:300]!r}\n")  # noqa: T201
            if found:
                seen[key] += 1
        print(f"{cases} cases, {sum(seen.values())} faults of {len(seen)} kinds")  # noqa: T201


if __name__ == "__main__":
    main()

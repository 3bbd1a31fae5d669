"""The compiled kernels of the page without a server: the same numbers under Node as under Python."""

import hashlib
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.kernels import score_many
from entropeg.keys import keys_of
from entropeg.kinds import FeedbackKind
from entropeg.rules import Blanks, Rules
from entropeg.search.exact import engine, fields
from entropeg.search.exact.layout import Layout, new_words
from entropeg.search.preparing import layout_options, rows_of
from javascript import STATIC, copied, told
from rooms import cases

pytestmark = pytest.mark.kernels

LOCAL = STATIC / "local"
TOTALS = {"4x6": 5625, "4x6/black": 8859, "3x6/positional": None, "4x5/no-repeats": 462, "3x4/blanks-in-secrets": None}
TOTALS |= {"3x5/positional/hard": None, "5x3": 816, "words:french/positional": None}
SEARCH = """
  const { ExactSearch, loadKernels } = await import("./local/kernels.js");
  const kernels = await loadKernels(bytesOf);
  const searches = new Map();
  return given.map(({ board, codes, turns, number }) => {
    if (!searches.has(board.name)) searches.set(board.name, new ExactSearch(kernels, board.given));
    const search = searches.get(board.name);
    return number === 0 ? search.solve(codes, turns) : search.ranking(codes, turns, number).map(([total]) => total);
  });"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("page"))


class Board:
    """A board as Python's exact search lays it out, beside what JavaScript is given of it."""

    def __init__(self, name: str) -> None:
        self.rules = rules = Rules.parse(name)
        asked, options = guesses(rules), layout_options(rules)
        self.layout = Layout(rows_of(secrets(rules)), rows_of(asked), **options)
        self.secrets, self.guesses = rows_of(secrets(rules)), rows_of(asked)
        self.given = {
            "name": name,
            "given": {
                "secrets": self.secrets.tolist(),
                "guesses": self.guesses.tolist(),
                "colors": options["colors"],
                "symbols": max(rules.symbols_in_secrets, rules.symbols_in_guesses),
                "kind": int(rules.feedback),
                "isAlike": options["answers"].is_alike,
                "isHard": rules.hard,
                "blank": options["blank"],
            },
        }

    def memory(self) -> Any:
        common = {
            "stop": np.zeros(1, np.int64),
            "shared": new_words(self.layout.infinite),
            "table": self.layout.table(1 << 20),
        }
        return self.layout.memory(common)

    def positions(self, draw: random.Random, number: int) -> Iterator[dict[str, Any]]:
        """Drawn histories that leave some codes, and what Python's search says of them."""
        rows = self.layout.number_secrets(self.secrets)
        for _ in range(number):
            secret, left, turns = draw.randrange(len(rows)), np.arange(len(rows)), list[tuple[int, int, int]]()
            while len(left) > 60 or not turns:
                guess = draw.randrange(len(self.guesses)) if not turns else int(draw.choice(left.tolist()))
                row = self.layout.number_guess(tuple(self.guesses[guess].tolist()))
                labels = self.layout.arrays["by_guess"][row][rows]
                if len(turns) > 6:
                    break
                turns.append((guess, row, int(labels[secret])))
                left = left[labels[left] == labels[secret]]
            if len(left) < 3:
                continue
            codes = self.layout.in_order(rows[left])
            memory = self.memory()  # a history begins where none was entered
            engine.behind(memory, [(row, label) for _, row, label in turns])
            mixed = int(np.bitwise_xor.reduce(self.layout.zobrist[codes])) ^ engine.clue_hash(memory, 0)
            memory.stack[: len(codes)] = codes
            ranks, _ = engine.ranking(memory, len(codes), fields.UNLIMITED, 0, mixed, 6)
            case = {"board": self.given, "codes": left.tolist(), "turns": [turn[:1] for turn in turns]}
            yield {**case, "number": 6, "wished": [total for total, _ in ranks]}


@pytest.mark.parametrize("name", TOTALS)
def test_the_exact_search_says_in_javascript_what_it_says_in_python(name: str, page: Path) -> None:
    board, draw = Board(name), random.Random(42)
    asked = list(board.positions(draw, cases(25, 400)))
    if board.rules.words is None:
        whole, memory = np.arange(len(board.secrets)), board.memory()
        mixed = int(np.bitwise_xor.reduce(board.layout.zobrist))
        total = engine.solve(memory, whole.astype(np.int32), memory.infinite, fields.UNLIMITED, 0, mixed)[0]
        asked.append({"board": board.given, "codes": whole.tolist(), "turns": [], "number": 0})
        asked[-1]["wished"] = total

        assert TOTALS[name] in {total, None}
    found = told(page, SEARCH, asked)

    assert len(found) > 10
    assert [case["wished"] for case in asked] == [
        each[0] if case["number"] == 0 else each for case, each in zip(asked, found, strict=True)
    ]


@pytest.mark.parametrize(
    "name", ["4x6", "5x8", "3x9/black", "4x5/membership", "5x4/positional", "3x3/blanks-in-secrets"]
)
def test_labels_are_those_of_python(name: str, page: Path) -> None:
    rules, draw = Rules.parse(name), random.Random(3)
    asked, codes = rows_of(guesses(rules)), rows_of(secrets(rules))
    some, others = (
        asked[draw.sample(range(len(asked)), 20)],
        codes[draw.sample(range(len(codes)), min(2000, len(codes)))],
    )
    script = """const { labelMatrix, loadKernels } = await import("./local/kernels.js");
      const [kind, guesses, secrets, symbols] = given;
      return [...labelMatrix(await loadKernels(bytesOf), kind, guesses, secrets, symbols)];"""
    given = [
        int(rules.feedback),
        some.tolist(),
        others.tolist(),
        max(rules.symbols_in_secrets, rules.symbols_in_guesses),
    ]
    wished = score_many(int(rules.feedback), np.ascontiguousarray(some.T), np.ascontiguousarray(others.T))

    assert wished.ravel().tolist() == told(page, script, given)


KEYED = ["4x6", "4x8", "bulls-and-cows", "3x6/positional", "3x5/black", "4x5/no-repeats/black", "3x4/blanks"]
KEYED += ["3x4/blanks-in-secrets", "3x5/no-repeats/guess-repeats", "5x5"]


@pytest.mark.parametrize("name", KEYED)
def test_canonical_forms_and_keys_of_sets_are_those_of_python(name: str, page: Path) -> None:
    rules, draw = Rules.parse(name), random.Random(name)
    codes = rows_of(secrets(rules))
    own = np.zeros(rules.symbols_in_guesses, np.uint8)
    if rules.blanks == Blanks.guesses:
        own[rules.colors] = 1
    sets = [sorted(draw.sample(range(len(codes)), draw.randint(1, 40))) for _ in range(cases(100, 2000))]
    labels = score_many(int(rules.feedback), np.ascontiguousarray(codes.T), np.ascontiguousarray(codes[:200].T))
    # What guesses leave has symmetries, and more of them the larger it is: so it is with sets of a game.
    for _ in range(cases(100, 2000)):
        first, other = draw.randrange(labels.shape[1]), draw.randrange(labels.shape[1])
        secret = draw.randrange(len(codes))
        is_left = (labels[:, first] == labels[secret, first]) & (labels[:, other] == labels[secret, other])
        sets.append(np.flatnonzero(is_left).tolist())
    wished = keys_of(rules).of(
        np.concatenate([np.array(each, np.int32) for each in sets]), np.cumsum([0, *map(len, sets)])
    )
    script = """const { loadKernels } = await import("./local/kernels.js");
      const { SetKeys } = await import("./local/table.js");
      const { codes, symbols, own, isByPeg, sets } = given;
      const asked = new SetKeys(await loadKernels(bytesOf), { codes, symbols, own, isByPeg });
      const { keys, forms } = asked.of(sets);
      return [keys.map(String), forms.flatMap((form) => Array.from(form, Number))];"""
    given = {"codes": codes.tolist(), "symbols": rules.symbols_in_guesses, "own": own.tolist(), "sets": sets}
    is_by_peg = rules.feedback == FeedbackKind.black and rules.repeats and rules.guess_repeats
    keys, forms = told(page, script, given | {"isByPeg": is_by_peg})

    assert len(set(keys)) < len(keys)
    assert [str(key) for key in wished[0].tolist()] == keys
    assert wished[1].tolist() == forms


def test_modules_are_those_that_their_digests_name_and_import_nothing_of_a_machine(page: Path) -> None:
    facts = json.loads((LOCAL / "kernels.json").read_text(encoding="utf-8"))
    script = """const found = {};
      for (const name of given) {
        found[name] = WebAssembly.Module.imports(await WebAssembly.compile(await bytesOf(`${name}.wasm`)));
      }
      return found;"""
    imported = {
        (each["module"], each["name"]) for found in told(page, script, [*facts["digests"]]).values() for each in found
    }
    digests = {name: hashlib.sha256((LOCAL / f"{name}.wasm").read_bytes()).hexdigest() for name in facts["digests"]}

    assert imported <= {("env", "memory"), ("env", "pow")}
    assert facts["digests"] == digests
    assert [*facts["numbers"]] == [*fields.NUMBERS]
    assert [*facts["fields"]] == [*fields.FIELDS]


@pytest.mark.skipif(shutil.which("wasm-ld") is None, reason="NOT TESTED: there is no wasm-ld (Debian: lld)")
@pytest.mark.long
def test_the_sources_of_the_kernels_give_the_modules_that_are_kept() -> None:
    script = Path(__file__).parents[2] / "scripts" / "wasm.py"
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr

"""Seconds that the exact search takes on word lists as large as Wordle's: `python benchmarks/bench_words.py`.

2,315 secrets and 10,657 further guesses, drawn letter by letter as the shipped English words have them (`--seed`), or
the lists of two files: `bench_words.py SECRETS PROBES`. Printed are processor seconds, beside what was asked for: the
labels; that no opening is better than the best; openings by themselves (each `--opening WORD`, else the best found);
and the table of all openings, from `--sample` of them drawn at random (all: 0). With `--brief` a list of a tenth, with
`--hard` guesses use every clue, with `--limit N` codes are found in so many guesses, and with `--only-openings` nothing
is refuted.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from machine import machine

from entropeg.codes import guesses, parse_code, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.proof import Proof
from entropeg.words import shipped_words

SECRETS, GUESSES = 2315, 12972
PEGS = 5
TABLE = 1 << 28


def drawn_words(number: int, seed: int) -> list[str]:
    """Different words of five letters, each letter drawn as it follows the two before in the shipped list."""
    follow: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for word in shipped_words("english"):
        if word.isalpha() and word.isascii() and word.islower():
            text = f"  {word}"
            for at in range(2, len(text)):
                follow[text[at - 2 : at]][text[at]] += 1
    rng = np.random.default_rng(seed)
    tables = {pair: (list(found), np.array(list(found.values())) / found.total()) for pair, found in follow.items()}
    words: dict[str, None] = {}
    while len(words) < number:
        text = "  "
        while len(text) < PEGS + 2 and text[-2:] in tables:
            letters, chances = tables[text[-2:]]
            text += letters[rng.choice(len(letters), p=chances)]
        if len(text) == PEGS + 2:
            words[text[2:]] = None
    return list(words)


def rules_of(folder: Path, seed: int, share: float) -> Rules:
    """Word lists of the benchmark as rules."""
    words = drawn_words(round(share * GUESSES), seed)
    size = round(share * SECRETS)
    (folder / "secrets.txt").write_text("\n".join(sorted(words[:size])) + "\n", encoding="utf-8")
    (folder / "probes.txt").write_text("\n".join(sorted(words[size:])) + "\n", encoding="utf-8")
    return Rules.parse(f"words:{folder}/secrets.txt/positional/probes={folder}/probes.txt")


class Clock:
    """Processor seconds since it was made."""

    def __init__(self) -> None:
        self.began = time.process_time()

    @property
    def seconds(self) -> float:
        """Until now."""
        return time.process_time() - self.began


def say(what: str, took: float, asked: str) -> None:
    """Print a line of the table."""
    print(f"{what:<58} {took:9.2f}  {asked}", flush=True)


def opening_total(memory: ThreadMemory, proof: Proof, guess: int) -> int:
    """The least total after an opening; as much as nothing is where none keeps the limit."""
    start = proof.start
    total, _ = engine.solve(memory, start, memory.infinite, proof.limit, 0, proof.hash(start), only=guess)
    return total


def fresh(layout: Layout) -> ThreadMemory:
    """Memory of one thread that knows nothing."""
    stop, words = np.zeros(1, np.int64), new_words(layout.infinite)
    return layout.memory({"stop": stop, "shared": words, "table": layout.table(TABLE)})


def bench(rules: Rules, openings: list[str], sample: int, *, refuted: bool) -> None:
    """Print the seconds of one list."""
    codes = rows_of(secrets(rules)), rows_of(guesses(rules))
    Layout(codes[0][:50], codes[1], **layout_options(rules))  # compiled
    clock = Clock()
    layout = Layout(*codes, **layout_options(rules))
    say(
        f"labels of {rules.secret_count:,} x {rules.guess_count:,} words, {layout.win + 1} different",
        clock.seconds,
        "1",
    )
    start = layout.in_order(layout.number_secrets(codes[0]))
    engine.address(fresh(layout))
    clock = Clock()
    proof = Proof(layout, start, limit=rules.guess_limit, threads=1, memory=TABLE)
    if refuted:
        proof.run()
        tree = proof.strategy()
        assert tree is not None
        say(f"no opening below {proof.lower} ({proof.nodes:,} guesses tried)", clock.seconds, "20")
        if not openings and rules.words is not None:
            openings = ["".join(rules.words.letters[color] for color in tree.guess)]
    for word in openings:
        memory, clock = fresh(layout), Clock()
        total = opening_total(memory, proof, layout.number_guess(parse_code(word, rules)))
        say(f"one opening: {word} = {total if total < layout.infinite else 'none'}", clock.seconds, ".2")
    rows = np.random.default_rng(1).permutation(len(layout.guesses))[: (sample or None) if refuted else 0].tolist()
    memory, clock = fresh(layout), Clock()
    for guess in rows:
        opening_total(memory, proof, guess)
    if refuted:
        each = clock.seconds / len(rows)
        say(f"an opening of the table, mean of {len(rows)}", each, "")
        say(f"table of {rules.guess_count:,} openings, minutes of two cores", each * rules.guess_count / 120, "30")
    say("memory, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "1000")


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("lists", nargs="*", help="files of secrets and of further guesses")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opening", action="append", default=[])
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--limit", type=int)
    for flag in ("--brief", "--hard", "--only-openings"):
        parser.add_argument(flag, action="store_true")
    asked = parser.parse_args()
    print(machine())
    print(f"{'':<58} {'seconds':>9}  asked")
    with TemporaryDirectory() as folder:
        if asked.lists:
            probes = f"/probes={asked.lists[1]}" if len(asked.lists) > 1 else ""
            rules = Rules.parse(f"words:{asked.lists[0]}/positional{probes}")
        else:
            rules = rules_of(Path(folder), asked.seed, 0.1 if asked.brief else 1)
        rules = replace(rules, hard=asked.hard).with_limit(asked.limit)
        bench(rules, asked.opening, asked.sample, refuted=not asked.only_openings)


if __name__ == "__main__":
    main()

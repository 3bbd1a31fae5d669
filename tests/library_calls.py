"""Calls of public functions with right and wrong arguments, drawn from a seed: what the library fuzzer asks.

A call ends in a right result or in an EntropegError of one line, and leaves its arguments as they were. Further
campaigns are run by hand: `python tests/library_calls.py FIRST LAST` tries those seeds and prints what fails.
"""

from __future__ import annotations

import os
import pickle
import random
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import entropeg
from entropeg import (
    CodeSet,
    EntropegError,
    Feedback,
    Game,
    Marks,
    Partition,
    Position,
    Rules,
    StrategyTree,
    advise,
    arena,
    check_codebreaker,
    check_codemaker,
    codebreakers,
    codemakers,
    format_code,
    format_feedback,
    optimal,
    parse_code,
    parse_feedback,
    perft,
    play,
    review,
    score,
)
from entropeg.candidates import build_codes, count_codes, find_candidates, is_possible
from entropeg.codebreakers.decoder.explanation import count_left, explain, story
from entropeg.codemakers.adversary import forced, least_worst, perfect_answer
from entropeg.codes import guesses, is_listable, random_guess, random_secret, secrets, weights
from entropeg.executors import Executor
from entropeg.experiments.laws import law
from entropeg.experiments.match import game_seed
from entropeg.experiments.runner import replay
from entropeg.feedback import GrandFeedback
from entropeg.priors import Prior
from entropeg.search import static_questions
from entropeg.search.beam.optimum import near_optimal
from entropeg.search.bounds import (
    bounds,
    chen_cunha_homer_upper,
    chen_lin_mean,
    chvatal_lower,
    counting_lower,
    counting_mean,
    el_ouali_upper,
    feedback_count,
    goodrich_upper,
    information_limit,
    viaud_lower,
    viaud_upper,
)
from entropeg.search.known import known_values
from entropeg.tree import game_value, most_within, opening_classes, openings
from entropeg.words import WordList
from hanging import in_time


class NoText:
    """A value that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    __str__ = __repr__


class Wrong:
    """A codebreaker whose guesses are what it was given, thirty times."""

    name = "wrong"

    def __init__(self, guess: Any) -> None:
        self._guess = guess

    def guess(self, position: Position, _rng: np.random.Generator) -> Any:
        if len(position.turns) >= 30:
            raise EntropegError("that is enough")
        return self._guess


class Liar:
    """A codemaker whose secret and answers are what it was given."""

    name = "liar"

    def __init__(self, secret: Any, answer: Any) -> None:
        self._secret, self._answer = secret, answer

    def choose(self, _rules: Rules, _rng: np.random.Generator) -> Any:
        return self._secret

    def answer(self, _position: Position, _guess: Any, _secret: Any, _rng: np.random.Generator) -> Any:
        return self._answer


@cache
def nonsense() -> tuple[Any, ...]:
    """Values of every kind: right for one argument, wrong for most."""
    numbers = (0, 1, 2, 3, -1, -(10**20), 10**30, 10**6000, 2**31, 2**63, 1.5, 4.0, float("nan"), float("inf"), -0.5)
    odd = (None, True, False, ..., object(), object, len, NoText(), 3j, Fraction(1, 2), random.Random(1))
    texts = (
        "",
        " ",
        "x",
        "AAB",
        "aab",
        "AABB",
        "XO",
        "2 1",
        "-",
        "3x3",
        "0x0",
        "9" * 5000,
        "\0",
        "a\nb",
        "é" * 300,
        "*",
    )
    bytes_ = (b"AAB", bytearray(b"AAB"), memoryview(b"AAB"))
    sequences: tuple[Any, ...] = (
        (),
        [],
        {},
        set(),
        [None],
        (0, 0, 1),
        [0, 1, 2],
        (0.0, 1.0),
        ("A", "B"),
        range(3),
        range(10**30),
        [[0]],
    )
    more: tuple[Any, ...] = (
        {"AAB": 1.0},
        {0, 1},
        frozenset({1}),
        {"a": None},
        (Feedback(1, 1),),
        [("AAB", "X")],
        ["AAB X"],
        [("AAB",)],
    )
    arrays = (np.zeros(3), np.zeros((2, 2), np.int64), np.array(5), np.array([0, 0, 1]), np.array(["A"]), np.array([]))
    scalars = (
        np.int64(3),
        np.uint8(200),
        np.float64(2),
        np.bool_(True),
        np.str_("AAB"),
        np.array([0, 1, 300], np.uint16),
    )
    ours = (Feedback(1, 1), Feedback(-1, 9), Feedback("a", None), Marks((2, 0, 1)), Marks((7,)), GrandFeedback(1))  # type: ignore[arg-type]
    objects = (
        Rules(3, 3),
        Position("3x3"),
        secrets("2x3"),
        codebreakers.get("minimax"),
        codemakers.get("honest"),
        Path(),
    )
    return (*numbers, *odd, *texts, *bytes_, *sequences, *more, *arrays, *scalars, *ours, *objects)


SMALL = (
    "1x1",
    "2x2",
    "2x3",
    "3x3",
    "3x4/no-repeats",
    "2x3/blanks",
    "2x2/blanks-in-secrets",
    "3x3/black",
    "3x2/membership",
    "2x3/positional",
    "2x4/shapes=2",
    "3x3/limit=4",
    "2x3/digits",
    "2x3/prior=distinct",
)
"""Rules on which everything is quick."""

BOARDS = (*SMALL, "4x6", "classic", "bulls-and-cows", "20x20", "1000x1000", "999999x1", "1x999999", "6x300")
PLAYERS = (
    "consistent",
    "first-consistent",
    "minimax",
    "random",
    "memory",
    "entropy:win=yes",
    "auto",
    "decoder",
    "by-turn",
)
MAKERS = ("honest", "cheat", "cheat:first", "honest:AAB", "biased", "worst-case:minimax")
SPOILED = ("", "minimaks", "minimax:ties=none", "minimax:=", "honest:", "tree:none.tree", "none.py", "decoder:stages")


def rules_of(draw: random.Random, names: tuple[str, ...]) -> Any:
    name = draw.choice(names)
    return name if draw.random() < 0.5 else Rules.parse(name)


def code_of(draw: random.Random) -> Any:
    pegs = draw.choice((1, 2, 3, 3, 3, 4))
    code = tuple(draw.randrange(draw.choice((2, 3, 4))) for _ in range(pegs))
    return draw.choice(
        (code, list(code), np.array(code), np.array(code, np.uint8), "".join("ABCD"[color] for color in code))
    )


def feedback_of(draw: random.Random) -> Any:
    pair = draw.choice(((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (3, 0), (0, 2)))
    text = "X" * pair[0] + "O" * pair[1] or "-"
    return draw.choice((pair, list(pair), np.array(pair), Feedback(*pair), text, Marks((2, 0, 1)), Marks((1, 1)), "X."))


def position_of(draw: random.Random) -> Any:
    rules = draw.choice(SMALL)
    if draw.random() < 0.4:
        return rules
    position = Position(rules)
    for _ in range(draw.randrange(3)):
        codes = secrets(rules)
        guess, secret = codes[draw.randrange(len(codes))], codes[draw.randrange(len(codes))]
        if position.is_over:
            break
        position = position.after(guess, score(guess, secret, rules))
    return position


@cache
def trees() -> tuple[StrategyTree, ...]:
    return tuple(StrategyTree.build("minimax", board) for board in ("2x3", "3x3"))


@cache
def runs() -> tuple[Any, ...]:
    return tuple(arena(["consistent", "memory"], "honest", "2x3", games=5, jobs=1))


SAVED = Game("2x3", ["AB X"])  # type: ignore[arg-type]  # text is read

RIGHT: dict[str, Callable[[random.Random], Any]] = {
    "rules": lambda draw: rules_of(draw, BOARDS),
    "board": lambda draw: rules_of(draw, SMALL),
    "code": code_of,
    "feedback": feedback_of,
    "position": position_of,
    "turns": lambda draw: [(code_of(draw), feedback_of(draw)) for _ in range(draw.randrange(3))],
    "codes": lambda draw: [code_of(draw) for _ in range(draw.randrange(4))],
    "set": lambda draw: secrets(draw.choice(SMALL)),
    "breaker": lambda draw: draw.choice(
        (*PLAYERS, *SPOILED, Wrong(code_of(draw)), Wrong(draw.choice(nonsense())), Wrong)
    ),
    "maker": lambda draw: draw.choice((*MAKERS, *SPOILED, Liar(code_of(draw), feedback_of(draw)), Liar(None, None))),
    "breakers": lambda draw: draw.choice((draw.choice(PLAYERS), ["random", "memory"], [], (), {"minimax"}, ["x"], [3])),
    "makers": lambda draw: draw.choice((draw.choice(MAKERS), ["honest", "cheat"], [], [None])),
    "seed": lambda draw: draw.choice((0, 7, 2**70, np.int64(3), None)),
    "games": lambda draw: draw.choice((1, 3, np.int32(2))),
    "depth": lambda draw: draw.choice((0, 1, np.int64(1))),
    "number": lambda draw: draw.choice((1, 2, 3, 4, 5)),
    "must": lambda draw: draw.choice((1, 2, 30)),
    "flag": lambda draw: draw.choice((False, True, np.True_)),
    "seconds": lambda draw: draw.choice((0, 0.05, 0.1)),
    "limit": lambda draw: draw.choice((None, 1, 2, 3, 9)),
    "node": lambda draw: draw.randrange(12),
    "tree": lambda draw: draw.choice(trees()),
    "run": lambda draw: draw.choice(runs()),
    "name": lambda draw: draw.choice((*PLAYERS, *MAKERS, *SPOILED)),
    "alphabet": lambda draw: draw.choice(("", "letters", "digits", "names", "course", "xyz", "xx", "a b", "λμν")),
    "kind": lambda draw: draw.choice((0, 1, 2, 3, 4, "black", "positional", "grand")),
    "executor": lambda draw: draw.choice(("threads:1", "processes:1", Executor("threads", 1))),
    "text": lambda draw: draw.choice(
        ("4x6", "4x6/black/limit=7", "3x4/no-repeats/", "/", "x", "4x6/limit=", "words:", "4x6//")
    ),
    "words": lambda draw: draw.choice(
        (["act", "bat", "cat"], ["a"], ["é", "e"], ["ab", "abc"], ["a-b"], [""], ["a", "a"])
    ),
    "weights": lambda draw: draw.choice((None, {"AA": 1, "AB": 2.5}, {(0, 0): 1}, np.ones(9), np.zeros(9), [1.0] * 9)),
    "prior": lambda draw: draw.choice(("distinct", "uniform", "none", "/")),
    "file": lambda draw: draw.choice(("none.tree", "/none/none.tree", "/", "/dev/null", Path("none.json"))),
    "numbers": lambda draw: draw.choice(([0], [0, 1, 2], np.arange(5), [-1], [-1, 0], [-1, 0, 0, 0, 0], [8], [])),
    "planes": lambda draw: draw.choice((np.zeros((2, 3), np.uint8), np.zeros((3, 1), np.int64), np.ones((3, 2), bool))),
    "call": lambda draw: draw.choice((None, lambda *_: None)),
    "data": lambda draw: draw.choice((SAVED.to_json(), SAVED.to_text(), "{}", {"format": 1})),
    "players": lambda draw: draw.choice(("human", "minimax")),
    "rng": lambda draw: np.random.default_rng(draw.randrange(9)),
}
"""By the name of a kind of argument: what draws one that may be right."""


@dataclass(frozen=True)
class Asked:
    """A public function, the kinds of its arguments, and how often it is drawn.

    Kinds after `*` are given by name; one that begins with `!` is always right: the object whose method is called.
    """

    name: str
    call: Callable[..., Any]
    kinds: str
    often: int = 4
    rng: bool = False
    """Whether a generator may be changed: that is what it is for."""

    def arguments(self, draw: random.Random) -> tuple[list[Any], dict[str, Any]]:
        """Draw arguments, most of them of the right kind."""
        plain, _, named = self.kinds.partition("*")
        right = draw.choice((0.5, 0.8, 0.95, 1.0))
        given = [self._one(kind, draw, right) for kind in plain.split()]
        by_name = dict(pair.split("=") for pair in named.split())
        return given, {
            name: self._one(kind, draw, right)
            for name, kind in by_name.items()
            if draw.random() < 0.4 or kind in {"seconds", "must"} or ("must" in named and kind == "seed")
        }

    @staticmethod
    def _one(kind: str, draw: random.Random, right: float) -> Any:
        if kind.startswith("!"):
            return RIGHT[kind[1:]](draw)
        return RIGHT[kind](draw) if draw.random() < right else draw.choice(nonsense())


OF_RULES = (
    "repeats=flag guess_repeats=flag blanks=kind feedback=kind guess_limit=limit alphabet=alphabet prior=prior "
    "shapes=number"
)
OF_OPTIMAL = (
    "worst=flag limit=limit consistent_only=flag time=seconds memory=number threads=depth progress=call weights=weights"
)

OF_ARENA = "*games=games all_secrets=flag seed=seed jobs=depth executor=executor progress=call"

FUNCTIONS = (
    Asked("Rules", Rules, f"number number * {OF_RULES}", 12),
    Asked("Rules.parse", Rules.parse, "text", 8),
    Asked("Rules.of", Rules.of, "rules"),
    Asked("Rules.with_limit", lambda rules, limit: Rules.of(rules).with_limit(limit), "rules limit"),
    Asked("parse_code", parse_code, "code rules *secret=flag", 12),
    Asked("format_code", format_code, "code rules", 12),
    Asked("parse_feedback", parse_feedback, "feedback rules", 12),
    Asked("format_feedback", format_feedback, "feedback", 12),
    Asked("score", score, "code code board", 20),
    Asked("Position", Position, "rules turns", 16),
    Asked("Position.after", lambda position, *turn: Position.of(position).after(*turn), "position code feedback", 20),
    Asked("Partition.of", Partition.of, "set code", 12),
    Asked("CodeSet.of", CodeSet.of, "codes board", 12),
    Asked("CodeSet", CodeSet, "board planes", 8),
    Asked("CodeSet.score", lambda codes, guess: codes.score(guess), "!set code", 6),
    Asked("CodeSet.parts", lambda codes, guess: codes.parts(guess), "!set code", 6),
    Asked("CodeSet.index_of", lambda codes, guess: codes.index_of(guess), "!set code", 6),
    Asked("CodeSet.find", lambda codes, others: codes.find(others), "!set set", 6),
    Asked("CodeSet.part_sizes", lambda codes, others: codes.part_sizes(others), "!set set", 6),
    Asked("CodeSet.consistent", lambda codes, turns: codes.consistent(turns), "!set turns", 6),
    Asked("CodeSet.take", lambda codes, indexes: codes.take(indexes), "!set numbers", 6),
    Asked("in", lambda codes, code: code in codes, "!set code", 6),
    Asked("secrets", secrets, "board"),
    Asked("guesses", guesses, "board"),
    Asked("is_listable", is_listable, "rules"),
    Asked("random_secret", random_secret, "rules rng", rng=True),
    Asked("random_guess", random_guess, "rules rng", rng=True),
    Asked("perft", perft, "board depth", 3),
    Asked("play", play, "breaker maker board seed *on_turn=call", 16),
    Asked("arena", arena, f"breakers makers board {OF_ARENA}", 6),
    Asked("replay", replay, "run depth *codebreaker=breaker codemaker=maker"),
    Asked("game_seed", game_seed, "depth depth"),
    Asked("check_codebreaker", check_codebreaker, "breaker board *games=games seed=seed", 2),
    Asked("check_codemaker", check_codemaker, "maker board *games=games seed=seed", 2),
    Asked("Game", Game, "board turns *secret=code codebreaker=players codemaker=players seed=seed", 8),
    Asked("Game.from_json", Game.from_json, "data"),
    Asked("Game.from_text", Game.from_text, "data"),
    Asked("codebreakers.get", codebreakers.get, "name", 6),
    Asked("codebreakers.of", codebreakers.of, "breaker", 6),
    Asked("codemakers.get", codemakers.get, "name", 6),
    Asked("codemakers.of", codemakers.of, "maker", 6),
    Asked("StrategyTree", lambda *arrays: StrategyTree(*arrays).check(), "board numbers numbers numbers", 8),
    Asked("StrategyTree.build", StrategyTree.build, "breaker board *opening=code threads=depth progress=call", 6),
    Asked("StrategyTree.load", StrategyTree.load, "file *rules=board"),
    Asked("StrategyTree.save", lambda tree, file: tree.save(file), "!tree file", 2),
    Asked("StrategyTree.code", lambda tree, node: tree.code_text(node), "!tree node"),
    Asked("StrategyTree.path", lambda tree, node: tree.path_text(node), "!tree node"),
    Asked("StrategyTree.child", lambda tree, node, answer: tree.child(node, answer), "!tree node feedback"),
    Asked("StrategyTree.guess", lambda tree, position: tree.guess(position), "!tree position"),
    Asked("opening_classes", opening_classes, "board"),
    Asked("openings", openings, "breaker board", 1),
    Asked("optimal", optimal, f"board * {OF_OPTIMAL}", 3),
    Asked("optimal of a position", optimal, "position *time=seconds", 2),
    Asked("most_within", most_within, "board number *weights=weights time=seconds", 2),
    Asked("game_value", game_value, "board *time=seconds", 2),
    Asked("static_questions", static_questions, "board *time=seconds", 2),
    Asked("near_optimal", near_optimal, "board seconds *threads=depth", 1),
    Asked("advise", advise, "position *limit=number also=codes time=seconds seed=seed", 2),
    Asked("review", review, "position *time=seconds seed=seed", 2),
    Asked("forced", forced, "breaker board", 2),
    Asked("least_worst", least_worst, "position", 1),
    Asked("perfect_answer", perfect_answer, "position code", 1),
    Asked("bounds", bounds, "rules"),
    Asked("information_limit", information_limit, "rules"),
    Asked("counting_lower", counting_lower, "rules"),
    Asked("counting_mean", counting_mean, "rules"),
    Asked("feedback_count", feedback_count, "rules"),
    Asked("viaud_upper", viaud_upper, "number number"),
    Asked("viaud_lower", viaud_lower, "number number"),
    Asked("chvatal_lower", chvatal_lower, "number number"),
    Asked("goodrich_upper", goodrich_upper, "number number"),
    Asked("el_ouali_upper", el_ouali_upper, "number number"),
    Asked("chen_cunha_homer_upper", chen_cunha_homer_upper, "number number"),
    Asked("chen_lin_mean", chen_lin_mean, "number"),
    Asked("known_values", known_values, "rules"),
    Asked("law", law, "name rules"),
    Asked("weights", weights, "board"),
    Asked("Prior.read", Prior.read, "prior"),
    Asked("Prior", Prior, "prior"),
    Asked("WordList.of", WordList.of, "words *probes=words fold=flag free=flag", 6),
    Asked("WordList", WordList, "words", 2),
    Asked("WordList.read", WordList.read, "file *probes=file pegs=number fold=flag free=flag"),
    Asked("build_codes", build_codes, "board turns *limit=number"),
    Asked("count_codes", count_codes, "board turns"),
    Asked("is_possible", is_possible, "board turns"),
    Asked("find_candidates", find_candidates, "board turns * limit=must seed=seed", 2),
    Asked("explain", explain, "position *guess=code answer=feedback", 3),
    Asked("story", lambda position: list(story(position)), "position", 2),
    Asked("count_left", count_left, "position"),
)  # fmt: skip
"""Everything that is asked."""


@dataclass(frozen=True)
class Failure:
    """A call that ended otherwise than it should."""

    seed: int
    name: str
    given: str
    why: str


def tried(seed: int) -> Failure | None:
    """Make the call of a seed, and say what is wrong with how it ended; None where nothing is."""
    draw = random.Random(seed)
    asked = draw.choices(FUNCTIONS, [function.often for function in FUNCTIONS])[0]
    given, named = asked.arguments(draw)
    before = [fingerprint(value) for value in (*given, *named.values())]

    def failure(why: str) -> Failure:
        return Failure(seed, asked.name, f"{safe(given)} {safe(named)}", why)

    try:
        in_time(lambda: repr(asked.call(*given, **named)))
    except EntropegError as error:
        if not str(error).strip():
            return failure("its message is empty")
        if "\n" in str(error) and not asked.name.startswith("check_"):
            return failure(f"its message has several lines: {error}")
    except BaseException as error:  # noqa: BLE001 (whatever comes is what is looked for)
        return failure("".join(traceback.format_exception(error)[-3:]))
    after = [fingerprint(value) for value in (*given, *named.values())]
    if before != after and not asked.rng:
        return failure("it changed an argument")
    return None


def fingerprint(value: Any) -> Any:
    """Return what tells whether a value was changed; None where that cannot be told."""
    if isinstance(value, np.ndarray):
        return value.tobytes(), value.flags.writeable
    if isinstance(value, (list, dict, set)):
        return safe(value)
    try:
        return pickle.dumps(value) if isinstance(value, np.random.Generator) else None
    except Exception:  # noqa: BLE001 (what cannot be copied is not watched)
        return None


def safe(value: Any) -> str:
    """Show a value, whatever it is."""
    try:
        return repr(value)[:400]
    except Exception as error:  # noqa: BLE001 (a huge number, or a value without text)
        return f"<{type(value).__name__}: {error}>"


def covered() -> set[str]:
    """Return the public names that are asked for."""
    return {function.name.partition(".")[0] for function in FUNCTIONS} & set(entropeg.__all__)


def main(first: int, last: int) -> int:
    """Try many seeds, in a folder of their own, and print every failure, one of each place."""
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for seed in range(first, last):
            found = tried(seed)
            if found is not None and (key := (found.name, found.why.strip().splitlines()[-1][:60])) not in seen:
                seen.add(key)
                sys.stdout.write(f"{found.seed} {found.name} {found.given}\n{found.why}\n\n")
    sys.stdout.write(f"{last - first} calls, {len(seen)} kinds of failure\n")
    return bool(seen)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))

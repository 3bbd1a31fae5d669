"""Sentences that the library says: refusals of wrong input, and tellings of games, drawn from seeds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

import numpy as np

from entropeg import codebreakers, codemakers
from entropeg.advise import Notes, advise, explain, read_notes, read_row
from entropeg.advise.given_games import read_games
from entropeg.advise.ladder import HintLadder, hints_at
from entropeg.arguments import flag, number, seed, text, whole
from entropeg.candidates.front import find_candidates
from entropeg.codes import guesses, parse_code, random_guess, random_secret, score, secrets
from entropeg.errors import EntropegError
from entropeg.experiments.runner import arena
from entropeg.feedback import Feedback, check_feedback, parse_feedback
from entropeg.loop import play
from entropeg.position import Position
from entropeg.review import level_of, review
from entropeg.review.claims import check_claims
from entropeg.review.codemaker_answers import review_answers
from entropeg.review.level import PlayerLoss, placed
from entropeg.review.totals import Totals
from entropeg.review.wording import turn_notes
from entropeg.rules import Rules
from entropeg.search.reach import Reach
from entropeg.train import puzzles
from entropeg.train.telling import heading, hints, question, solution

BOARDS = (
    "4x6",
    "4x10/no-repeats/digits",
    "4x5/blanks",
    "3x6/positional",
    "5x4/black",
    "4x8/course",
    "3x30",
    "2x9/shapes=3",
)
SMALL = ("4x6", "3x4/no-repeats/digits", "3x4/blanks", "3x4/positional", "3x5/black", "2x9/shapes=3")
"""Boards on which games are told: exact numbers take a moment there."""
WRONG_RULES = (
    *("", "x", "4", "0x6", "4x0", "9999999x2", "1000000x3", "4x6/nonsense", "4x6/limit=0", "4x6/limit=x", "classic/x"),
    *("4x6/limit=99999999999", "4x6/limit=" + "9" * 30, "5x4/no-repeats", "4x6/digits/letters", "4x6/limit=3/limit=4"),
    *(
        "4x6/black/positional",
        "4x25/shapes=4",
        "4x25/grand",
        "4x25/shapes=5/black",
        "4x25/shapes=5/blanks",
        "4x6/pegs=3",
    ),
    *(
        "4x6/alphabet=AAB",
        "4x6/alphabet=AB",
        "4x6/alphabet=A.BCDEF",
        "4x6/prior=nothing.txt",
        "4x6/shapes=0",
        "4x30/digits",
    ),
    *(
        "words:no/such/file.txt",
        "words:english/no-repeats",
        "words:english/blanks",
        "words:english/digits",
        "4x100/shapes=3",
    ),
    *(
        "words:english/pegs=99",
        "words:english/pegs=x",
        "4x6/fold",
        "4x6/digest=12",
        "4x25/shapes=5/letters",
        "4x6/names",
    ),
    *("100x100/names", "4x6/shapes=x", "words:english/probes=none.txt", "words:english/free-guesses/probes=x.txt"),
)
WRONG_CODES = ("", "A", "ABCDE", "ABCZ", "AB?D", "1234", "AAAA BBBB CCCC", "A.BC", "zz zz", "AABA", "ab\ncd", "Z" * 300)
WRONG_FEEDBACK = (
    "",
    "x y",
    "9",
    "3 1",
    "5 0",
    "XXXXX",
    "2b2w9h",
    "-1",
    "2 1 1 1",
    "XXXO",
    "?",
    "hello",
    "100 100",
    "2A9B",
)
WRONG_ROWS = (
    *(
        "",
        "AABB",
        "XO",
        "AABB XXXXX",
        "AABB XXXO",
        "AAZB XO",
        "AABBB XO",
        "1. AABB -> 9b",
        "AABB 1",
        "AABB x?y",
        "hm",
        "what",
    ),
    *("XO AABB XO", "AABB one black two pink", "?", "AABB ? ? ?", "1111 2222", "AABB 1,1,1"),
)
WRONG_PLAYERS = (
    *(
        "minmax",
        "",
        "entropi",
        "minimax:ties=x",
        "minimax:a=b",
        "sampling:size=0",
        "belief:steps=-1",
        "montecarlo:guesses=0",
    ),
    *(
        "tree",
        "by-turn:auto",
        "evolutionary:population=1",
        "weighted-entropy:x",
        "minimax:guesses=probes",
        "auto:time=0",
    ),
    *(
        "decoder:criterion=x",
        "montecarlo:time=-1",
        "sampling:effort=x",
        "entropy:win=x",
        "evolutionary:size=x",
        "random:1",
    ),
)
WRONG_MAKERS = ("honst", "cheat:x=1", "worst-case", "worst-case:minmax", "honest:ABCDE", "biased:x", "perfect-cheat:1")
WRONG_GAMES = (
    *(
        "",
        "{}",
        "[1]",
        "AABB",
        "rules: 4x6\nAABB",
        "AABB XO\nxyz",
        "secret: ABCD\nAABB XXX",
        "rules: 4x6\nAAB? XO",
        "AABB XO\nAABBC XO",
    ),
    *(
        '{"format": "entropeg game 1"}',
        '{"format": "x"}',
        "entropeg game 1\nrules: 4x6\nwhat",
        "rules: 9\nAABB XO",
        "12 34 56 78",
    ),
)
CLAIMS = (
    *("4x6 mean 4.25", "4x6 mean 4.340", "4x6 worst 5", "4x6 worst 4", "4x6 total 5625", "4x6 mean 4.5", "4x6 mean 9"),
    *("3x4 mean 3", "4x6", "4x6 mean x", "4x6 worst 4.5", "4x6 mean .5", "x mean 4", "", "7x7 mean 5", "4x6 median 4"),
)


def refusals(draw: random.Random) -> Iterator[str]:
    """The refusals of wrong input of all kinds."""
    calls: list[Callable[[], Any]] = [partial(Rules.parse, wrong) for wrong in WRONG_RULES]
    calls += [partial(Rules.parse, wrong) for wrong in _mutated(draw, WRONG_RULES, 60)]
    for rules in map(Rules.parse, BOARDS):
        calls += [partial(parse_code, wrong, rules) for wrong in WRONG_CODES]
        calls += [partial(parse_feedback, wrong, rules) for wrong in WRONG_FEEDBACK]
        calls += [partial(read_row, wrong, rules) for wrong in WRONG_ROWS + _mutated(draw, WRONG_ROWS, 12)]
        calls += [partial(read_notes, f"AABB XO\n{wrong}", rules) for wrong in WRONG_ROWS[:8]]
    for name in codebreakers.names():
        calls += [partial(_guess, name, board) for board in ("words:english", "3x30/shapes=3", "100x100/positional")]
    calls += [partial(codebreakers.get, wrong) for wrong in WRONG_PLAYERS]
    calls += [partial(codemakers.get, wrong) for wrong in WRONG_MAKERS]
    calls += [partial(read_games, wrong) for wrong in WRONG_GAMES]
    calls += [partial(check_claims, wrong) for wrong in CLAIMS]
    calls += _others()
    for call in calls:
        try:
            call()
        except EntropegError as error:
            yield str(error)


def _guess(name: str, board: str) -> None:
    player = codebreakers.get(name)
    check = getattr(player, "check_rules", None)
    if check is not None:
        check(Rules.parse(board))


def _others() -> list[Callable[[], Any]]:
    vast, rules = Rules.parse("20x20"), Rules.parse("4x6")
    lost = Position("4x6/limit=1", ["AABB XO"])
    return [
        lambda: whole(2.5, "the time"),
        lambda: whole(-1, "the number of processes", least=0),
        lambda: whole(99, "the number of pegs", most=9),
        lambda: number("x", "the time"),
        lambda: flag("x", "repeats"),
        lambda: text(3, "the alphabet"),
        lambda: seed(-1),
        lambda: seed(10**2000),
        lambda: secrets(vast),
        lambda: guesses(vast),
        lambda: len(Position(vast, ["ABCDEFGHIJKLMNOPQRST XO"]).candidates),
        lambda: check_feedback(Feedback(3, 1), rules),
        lambda: check_feedback((1, 2, 3), rules),
        lambda: Position(rules, ["AABB"]),
        lambda: Position(rules, [("AABB",)]),  # type: ignore[list-item] # a wrong one
        lambda: Position(rules, ["AABB nonsense"]),
        lambda: advise(lost),
        lambda: advise(Position(rules, ["AABB XXXX"])),
        lambda: advise(Position(rules, ["AABB -", "ABCD XXX"])),
        lambda: advise("4x6", limit=0),
        lambda: find_candidates("4x6", [("AABB", "-"), ("ABCC", "XXX")], limit=5, seed=1),
        lambda: find_candidates("4x6", [], limit=0, seed=1),
        lambda: codemakers.get("cheat").choose(vast, np.random.default_rng(0)),
        lambda: codemakers.get("perfect-cheat").choose(Rules.parse("5x8"), np.random.default_rng(0)),
        lambda: arena("random", "honest", "4x6", games=0),
        lambda: arena("random", "cheat", "4x6", all_secrets=True),
        lambda: arena([], "honest", "4x6", games=1),
        lambda: arena("random", "honest", "9x9", all_secrets=True, jobs=0),
        lambda: review(Position(rules)),
        lambda: next(puzzles("4x6", "nothing")),
        lambda: next(puzzles("20x20")),
        lambda: next(puzzles("1x1")),
        lambda: next(puzzles("2x99")),
        lambda: next(puzzles("4x6/positional", "trap")),
        lambda: next(puzzles("4x6/prior=distinct")),
        lambda: Reach.of(vast).check(1 << 30),
        lambda: Reach.of(Rules.parse("6x8")).check(1 << 20),
        lambda: level_of([]),
        lambda: explain(Notes.of("4x6", ["AABB XO"]), "never"),  # type: ignore[arg-type]
    ]


def _mutated(draw: random.Random, texts: tuple[str, ...], number_: int) -> tuple[str, ...]:
    found = []
    for _ in range(number_):
        letters = list(draw.choice(texts) or "a")
        for _ in range(draw.randint(1, 3)):
            letters[draw.randrange(len(letters))] = draw.choice("AZ019x/=.- ?!é'\"")
        found.append("".join(letters))
    return tuple(found)


def tellings(seed_: int) -> Iterator[str]:
    """What is told of games, positions, contradictions and puzzles on several boards."""
    rng = np.random.default_rng(seed_)
    for board in SMALL:
        rules = Rules.parse(board)
        yield rules.describe()
        yield from _advice(rules, rng)
        with suppress(EntropegError):
            yield from _contradictions(rules, rng)
    for board in ("4x6", "3x6/positional"):
        for puzzle in islice(puzzles(board, seed=seed_), 10):
            yield heading(puzzle)
            yield from (question(puzzle), *(step.says for step in hints(puzzle)), *solution(puzzle))
    yield from _reviews(rng)
    for claim in CLAIMS:
        with suppress(EntropegError):
            yield from (checked.sentence for checked in check_claims(claim))
    for role in (codebreakers, codemakers):
        yield from (role.registry.summary(name) for name in role.names())
    yield from (found.says for found in _found())


def _found() -> Iterator[Any]:
    yield find_candidates("4x6", [("AABB", "XO")], limit=5, seed=1)
    yield find_candidates("12x12", [("ABCDEFGHIJKL", (11, 0))], limit=200, seed=1)


def _advice(rules: Rules, rng: np.random.Generator) -> Iterator[str]:
    for turns in (0, 1, 2, 3):
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(turns):
            guess = random_guess(rules, rng)
            position = position.after(guess, score(guess, secret, rules))
        if position.is_over:
            continue
        advice = advise(position, limit=2, also=[random_guess(rules, rng)], time=1)
        yield from (step.says for step in hints_at(advice))
        yield from (advice.explain(guess) for guess in (*advice.guesses, *advice.also))
        yield from (step.says for step in HintLadder.of(position, guess=random_guess(rules, rng), seconds=1).steps)


def _contradictions(rules: Rules, rng: np.random.Generator) -> Iterator[str]:
    for _ in range(4):
        secrets_ = [random_secret(rules, rng) for _ in range(2)]
        rows = []
        for turn in range(4):
            guess = random_guess(rules, rng)
            rows.append((guess, score(guess, secrets_[turn % 2], rules)))
        told = explain(Notes.of(rules, rows), "afterwards")
        yield told.says
        yield from (mend.says for mend in told.mends)
        for suspect in told.suspicions():
            yield suspect.says
            yield from filter(None, [suspect.rest])


def _reviews(rng: np.random.Generator) -> Iterator[str]:
    for board, breaker, maker in (
        ("4x6", "random", "honest"),
        ("3x6", "consistent", "cheat"),
        ("4x5/black", "memory", "honest"),
    ):
        reviews = []
        for _ in range(3):
            game = play(breaker, maker, f"{board}/limit=6", seed=int(rng.integers(1000)))
            position = Position(game.rules, game.turns)
            told = review(position, time=5)
            reviews.append(told)
            yield from (told.line, told.adjusted_line)
            yield from (note for turn in told.turns for note in turn_notes(turn, position.rules))
            yield review_answers(told).sentence
        yield from Totals.of(reviews).lines(breaker)
    players = [PlayerLoss("consistent", 0.33, spread=0.3), PlayerLoss("minimax", 0.136), PlayerLoss("optimal", 0.0)]
    for losses in ([0.2], [0.1, 0.3, 0.2], [2.0, 2.1, 2.2], [0.3] * 40):
        yield placed(losses, players).sentence

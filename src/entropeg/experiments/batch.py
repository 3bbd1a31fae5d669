"""Decides which games are played in batches, and how.

- `own`: a codebreaker that has `whole_games`, against `honest`: it plays them itself, in a process of its own.
- `tree`: a codebreaker that promises `deterministic`, against any, where the codes can be listed: one shared tree of
  positions, the guess of each position found once. On larger boards games part within a few turns of thousands, and
  their positions are too long to be handed around.
- `blind`: `random` and `memory` against `honest`: a kernel that draws codes until the secret comes, or its twin, which
  draws many at a time.
- `cheated`: `random` and `memory` against `cheat`: the same with the cheat's candidates.
- `consistent`: `consistent` against `honest` and `cheat`: a kernel that filters the candidates.
- `loop`: any other, the general loop, game by game: `consistent` with a prior, further players.

Where `honest` plays, `biased` may: it keeps a secret too, however it has chosen it. Codes with blanks, without repeats,
pegs with shapes and words of a list are drawn and scored as in the general loop.

Every way gives the same games as the general loop, not only games of the same law: the kernels draw from the same
generators.
"""

from __future__ import annotations

from math import log2
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers.basic import Consistent, Memory, Random
from entropeg.codemakers.biased import Biased
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.codes import Array, CodeSet, is_listable, parse_code, plane_type, secrets
from entropeg.experiments._plain_streams import LISTED, REPEATED
from entropeg.experiments.match import Match, game_seeds
from entropeg.experiments.streams import (
    AMONG_LEFT,
    BREAKER,
    MAKER,
    can_draw,
    draw_codes,
    guess_draw,
    secret_draw,
    streams,
)
from entropeg.experiments.tasks import Games, GameTask, KernelTask, LoopTask
from entropeg.experiments.tree import TreeTask, root
from entropeg.feedback import Method, is_known
from entropeg.kernels.scoring import CHUNK, work_dtype
from entropeg.kernels.switch import CALL, Switch
from entropeg.loop import generators
from entropeg.rules import Rules

Way: TypeAlias = Literal["loop", "blind", "cheated", "consistent", "tree", "own"]

KEEPERS = (Honest, Biased)
"""Codemakers that choose a secret before the first guess and answer by it."""

_functions = Switch("entropeg.experiments.batch_kernels", "entropeg.experiments._plain_streams")

KERNEL_STEPS = 10_000_000
"""Codes that a call of a kernel draws or scores, about: it takes 0.1 s, and an interrupt is heard only at its end."""


def way(match: Match) -> Way:
    """Return how the games of a match are played.

    >>> way(Match("random", "honest", Rules.parse("4x8"))), way(Match("random", "cheat", Rules.parse("4x8")))
    ('blind', 'cheated')
    """
    breaker, maker, rules = match.codebreaker, match.codemaker, match.rules
    if type(maker) is Honest and hasattr(breaker, "whole_games"):
        return "own"
    if getattr(breaker, "deterministic", False) is True:
        return "tree" if is_listable(rules) else "loop"
    if type(breaker) in {Random, Memory}:
        memory = type(breaker) is Memory
        if type(maker) in KEEPERS and _is_blind(rules, memory=memory):
            return "blind"
        # `cheated` keeps a mark, an index and a label of four bytes each for each code.
        few = rules.guess_count <= 1 << 24 and _is_blind(rules, memory=memory)
        if type(maker) is Cheat and few and _has_labels(rules):
            return "cheated"
    elif type(breaker) is Consistent and not breaker.prior and type(maker) in {*KEEPERS, Cheat}:
        return "consistent" if is_listable(rules) and _has_labels(rules) else "loop"
    return "loop"


def _is_blind(rules: Rules, *, memory: bool) -> bool:
    return (
        not rules.hard
        and rules.is_named  # it ends when one secret is left, which kernels do not look at
        and can_draw(rules)
        and rules.guess_count <= 1 << 28  # beyond, a game, which no interrupt stops, takes seconds
        and (not memory or _numbers(rules) <= 1 << 24)  # a mark of four bytes for each code
    )


def _has_labels(rules: Rules) -> bool:
    # Colors are counted in bytes; a count of eight bytes is kept for each label.
    return is_known(rules, Method.games) and rules.pegs <= 255 and rules.label_count <= 1 << 24


def _numbers(rules: Rules) -> int:
    # One more than the largest number of a guess, by which `memory` marks those played.
    words = rules.words
    return rules.guess_count if words is not None and not words.free else rules.symbols_in_guesses**rules.pegs


def task_for(match: Match, games: Games) -> GameTask:
    """Return the task that plays these games of a match in the best way known."""
    chosen = way(match)
    # The NumPy twin of the kernels draws many of these codes at a time.
    if chosen == "blind" and guess_draw(match.rules).way in {REPEATED, LISTED}:
        return _blind_task(match, games)
    if chosen in {"blind", "cheated", "consistent"} and _is_short(match, games, chosen):
        return LoopTask(match, games)
    if chosen == "tree":
        return TreeTask(match, (root(match, games, hidden(match, games)),))
    if chosen == "cheated":
        return KernelTask(match, games, filtered, max(1, KERNEL_STEPS // match.rules.guess_count))
    if chosen == "own":
        return KernelTask(match, games, own, 16)
    if chosen == "blind":
        return KernelTask(match, games, blind, _blind_block(match))
    if chosen == "consistent":
        return KernelTask(match, games, filtered, max(1, KERNEL_STEPS // match.rules.secret_count))
    return LoopTask(match, games)


def _blind_block(match: Match) -> int:
    guesses = match.rules.guess_count
    return max(1, KERNEL_STEPS // min(guesses, match.rules.guess_limit or guesses))


def _blind_task(match: Match, games: Games) -> GameTask:
    turns = min(match.rules.guess_count, match.rules.guess_limit or match.rules.guess_count)
    # While the twin draws a code, 0.03 microseconds, NumPy scores 3 pairs; while it begins a game, 40, 4,000 pairs.
    is_plain = _functions.is_plain(len(games) * (turns * 3 + 4000))
    return KernelTask(match, games, blind_plain if is_plain else blind, _blind_block(match))


def _is_short(match: Match, games: Games, chosen: Way) -> bool:
    # A turn of the general loop takes as long as one call on NumPy, 0.1 milliseconds; a drawn code is the secret or
    # not, a consistent one is soon.
    codes = match.rules.secret_count
    turns = min(log2(codes + 1) if chosen == "consistent" else codes, match.rules.guess_limit or codes)
    return _functions.is_plain(int(len(games) * turns * CALL))


def hidden(match: Match, games: Games) -> CodeSet | None:
    """Return the secrets of these games, in their order; None for a codemaker that keeps none."""
    if type(match.codemaker) not in KEEPERS:
        return None
    rules = match.rules
    if match.all_secrets:
        return secrets(rules).take(games)
    return CodeSet(rules, _chosen(match, games).astype(plane_type(rules)))


def _chosen(match: Match, games: Games) -> NDArray[np.int64]:
    rules, maker, seeds = match.rules, match.codemaker, game_seeds(match.seed, games)
    if type(maker) is Honest and maker.secret:
        code = np.array(parse_code(maker.secret, rules, secret=True), dtype=np.int64)
        return np.repeat(code[:, None], len(games), axis=1)
    if type(maker) is Honest and can_draw(rules) and not _functions.is_plain(len(games) * CALL):
        return draw_codes(streams(seeds, MAKER), secret_draw(rules), rules.pegs)
    rows = [maker.choose(rules, generators(seed)[MAKER]) for seed in seeds.tolist()]
    return np.array(rows, dtype=np.int64).reshape(len(rows), rules.pegs).T


def own(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the numbers of guesses of a codebreaker that plays whole games itself, against these secrets."""
    rules, rngs = match.rules, [generators(seed) for seed in game_seeds(match.seed, games).tolist()]
    if match.all_secrets:
        codes = list(secrets(rules).take(games))
    else:
        codes = [code for rng in rngs if (code := match.codemaker.choose(rules, rng[MAKER])) is not None]
    first_draws = [int(rng[BREAKER].integers(1 << 32)) for rng in rngs]
    lengths = match.codebreaker.whole_games(rules, codes, first_draws)  # type: ignore[attr-defined]  # as `way` saw
    return np.array(lengths, dtype=np.int32)


def blind(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the numbers of guesses of `random` or `memory` in these games."""
    return _blind(match, games, _functions.compiled)


def blind_plain(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the same numbers without a compiler."""
    return _blind(match, games, _functions.plain)


def _blind(match: Match, games: Games, functions: Any) -> NDArray[np.int32]:
    rules, codes = match.rules, hidden(match, games)
    assert codes is not None
    rngs = streams(game_seeds(match.seed, games), BREAKER)
    planes, code = codes.planes.astype(np.int64), np.empty(rules.pegs, dtype=np.int64)
    guesses = np.empty(len(games), dtype=np.int32)
    functions.blind_games(rngs, planes, guess_draw(rules), rules.guess_limit or 0, _seen(match), code, guesses)
    return guesses


def _seen(match: Match) -> NDArray[np.int32]:
    return np.zeros(_numbers(match.rules) if type(match.codebreaker) is Memory else 0, dtype=np.int32)


class Filter(NamedTuple):
    """Memory in which kernels filter the candidates of one game after the other.

    `kind` of feedback; `planes` `[pegs, codes]` of all secrets; the label `win`. Scratch: `left_planes` like these,
    `left` and `labels` `[codes]`, for the secrets left, which stand in front; `counts` `[symbols, codes]`; `sizes`,
    `int64[labels]`, zero before and after; `code`, one of planes; `work` as `set_labels` takes it.
    """

    kind: int
    planes: Array
    win: int
    left_planes: Array
    counts: Array
    left: NDArray[np.int32]
    labels: Array
    sizes: NDArray[np.int64]
    code: Array
    work: Array

    @classmethod
    def of(cls, rules: Rules) -> Filter:
        """Take all secrets of the rules."""
        planes, labels = np.array(secrets(rules).planes), work_dtype(rules.kind, rules.pegs)
        pegs, codes = planes.shape
        return cls(
            rules.kind,
            planes,
            rules.win_label,
            np.empty_like(planes),
            np.empty((rules.symbols_in_guesses, codes), np.uint8),
            np.empty(codes, np.int32),
            np.empty(codes, labels),
            np.zeros(rules.label_count, np.int64),
            np.empty(pegs, planes.dtype),
            np.empty(2 * pegs + CHUNK, planes.dtype),
        )


def filtered(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the numbers of guesses in these games of `consistent`, or of `random` or `memory` against the cheat."""
    from entropeg.experiments.batch_kernels import filtered_games

    rules, maker = match.rules, match.codemaker
    codes, seeds = hidden(match, games), game_seeds(match.seed, games)
    numbers = np.full(len(games), -1) if codes is None else secrets(rules).find(codes)
    breakers, makers = streams(seeds, BREAKER), streams(seeds, MAKER)
    draw = AMONG_LEFT if type(match.codebreaker) is Consistent else guess_draw(rules)
    first, limit = isinstance(maker, Cheat) and maker.deterministic, rules.guess_limit or 0
    guesses = np.empty(len(games), dtype=np.int32)
    filtered_games(Filter.of(rules), draw, numbers, _seen(match), breakers, makers, first, limit, guesses)
    return guesses

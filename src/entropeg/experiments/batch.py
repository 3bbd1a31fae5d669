"""Which games can be played in batches, and how: the one place that decides it.

- `own`: a codebreaker that has `whole_games`, against `honest`: it plays them itself, in a process of its own.
- `tree`: a codebreaker that promises `deterministic`, against any, where the codes can be listed: one shared tree of
  positions, the guess of each position found once. On larger boards games part within a few turns of thousands, and
  their positions are too long to be handed around.
- `blind`: `random` and `memory` against `honest`: a kernel that draws codes until the secret comes.
- `cheated`: `random` and `memory` against `cheat`: the same with the cheat's candidates (where all codes may repeat
  colors).
- `consistent`: `consistent` against `honest` and `cheat`: a kernel that filters the candidates.
- `loop`: any other, the general loop, game by game.

Every way gives the same games as the general loop, not only games of the same law: the kernels draw from the same
generators.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codebreakers.basic import Consistent, Memory, Random
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.codes import CodeSet, is_listable, parse_code, secrets
from entropeg.experiments.match import Match, game_seeds
from entropeg.experiments.streams import BREAKER, MAKER, draw_codes, streams
from entropeg.experiments.tasks import Games, KernelTask, LoopTask, Task
from entropeg.experiments.tree import TreeTask, root
from entropeg.loop import generators
from entropeg.rules import Blanks, Rules

Way: TypeAlias = Literal["loop", "blind", "cheated", "consistent", "tree", "own"]

OWN_GAMES = 16
"""So many games are handed to a codebreaker that plays them itself."""

BLIND_CODES = 1 << 28
"""`blind` plays boards up to so many codes: a game, which no interrupt stops, takes seconds there."""

MEMORY_CODES = 1 << 24
"""`memory` keeps a mark of four bytes for each code."""

CHEATED_CODES = 1 << 24
"""`cheated` keeps a mark, an index and a label of four bytes each for each code."""

KERNEL_LABELS = 1 << 24
"""`consistent` keeps a count of eight bytes for each label."""

KERNEL_STEPS = 10_000_000
"""A call of a kernel draws or scores about so many codes: 0.1 s, within which an interrupt is heard."""


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
    if type(breaker) in {Random, Memory} and type(maker) is Honest and _is_blind(rules, memory=type(breaker) is Memory):
        return "blind"
    if type(breaker) in {Random, Memory} and type(maker) is Cheat and _is_cheated(rules):
        return "cheated"
    if type(breaker) is Consistent and not breaker.prior and type(maker) in {Honest, Cheat} and is_listable(rules):
        return (
            "consistent"
            if rules.is_symmetric and rules.label_count <= KERNEL_LABELS and _has_drawn_codes(rules)
            else "loop"
        )
    return "loop"


def _is_blind(rules: Rules, *, memory: bool) -> bool:
    if not _has_drawn_codes(rules) or rules.guess_count > BLIND_CODES:
        return False
    return not memory or rules.symbols_in_guesses**rules.pegs <= MEMORY_CODES


def _is_cheated(rules: Rules) -> bool:
    # A drawn code is found among the candidates by its rank, which is a number to the base of the symbols.
    one_list = rules.is_symmetric and rules.repeats and rules.symbols_in_guesses == rules.symbols_in_secrets
    return one_list and rules.guess_count <= CHEATED_CODES and rules.label_count <= KERNEL_LABELS


def _has_drawn_codes(rules: Rules) -> bool:
    # The kernels draw codes with repeats, or without and without blanks, not words of a list; samples of large ranges
    # NumPy draws in another way.
    with_holes = rules.blanks != Blanks.none and not (rules.repeats and rules.guess_repeats)
    return rules.words is None and not with_holes and rules.symbols_in_guesses <= 10_000


def task_for(match: Match, games: Games) -> Task:
    """Return the task that plays these games of a match in the best way known."""
    chosen = way(match)
    if chosen == "tree":
        return TreeTask(match, (root(match, games, hidden(match, games)),))
    if chosen == "cheated":
        return KernelTask(match, games, cheated, max(1, KERNEL_STEPS // match.rules.guess_count))
    if chosen == "own":
        return KernelTask(match, games, own, OWN_GAMES)
    if chosen == "blind":
        guesses = match.rules.guess_count
        cost = min(guesses, match.rules.guess_limit or guesses)
        return KernelTask(match, games, blind, max(1, KERNEL_STEPS // cost))
    if chosen == "consistent":
        return KernelTask(match, games, consistent, max(1, KERNEL_STEPS // match.rules.secret_count))
    return LoopTask(match, games)


def hidden(match: Match, games: Games) -> CodeSet | None:
    """Return the secrets of these games of an honest codemaker, in their order; None for any other codemaker."""
    if type(match.codemaker) is not Honest:
        return None
    rules = match.rules
    if match.all_secrets:
        return secrets(rules).take(games)
    dtype = np.uint8 if rules.symbols_in_guesses <= 256 else np.uint16
    return CodeSet(rules, _chosen(match, match.codemaker, games).astype(dtype))


def _chosen(match: Match, honest: Honest, games: Games) -> NDArray[np.int64]:
    rules, seeds = match.rules, game_seeds(match.seed, games)
    if honest.secret:
        code = np.array(parse_code(honest.secret, rules, secret=True), dtype=np.int64)
        return np.repeat(code[:, None], len(games), axis=1)
    if _has_drawn_codes(rules):
        return draw_codes(streams(seeds, MAKER), rules.pegs, rules.symbols_in_secrets, repeats=rules.repeats)
    rows = [honest.choose(rules, generators(seed)[MAKER]) for seed in seeds.tolist()]
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
    from entropeg.experiments.batch_kernels import blind_games

    rules, codes = match.rules, hidden(match, games)
    assert codes is not None
    symbols, repeats, limit = rules.symbols_in_guesses, bool(rules.guess_repeats), rules.guess_limit or 0
    seen = np.zeros(symbols**rules.pegs if type(match.codebreaker) is Memory else 0, dtype=np.int32)
    rngs = streams(game_seeds(match.seed, games), BREAKER)
    planes, code = codes.planes.astype(np.int64), np.empty(rules.pegs, dtype=np.int64)
    guesses = np.empty(len(games), dtype=np.int32)
    blind_games(rngs, planes, symbols, repeats, limit, seen, code, guesses)
    return guesses


def cheated(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the numbers of guesses of `random` or `memory` in these games against the cheat."""
    from entropeg.experiments.batch_kernels import cheated_games

    rules, maker, every = match.rules, match.codemaker, secrets(match.rules)
    seeds = game_seeds(match.seed, games)
    assert isinstance(maker, Cheat)
    index, labels, guesses = (np.empty(n, dtype=np.int32) for n in (len(every), len(every), len(games)))
    cheated_games(
        rules.kind,
        every.planes,
        every.counts,
        rules.win_label,
        rules.symbols_in_guesses,
        np.zeros(len(every) if type(match.codebreaker) is Memory else 0, dtype=np.int32),
        streams(seeds, BREAKER),
        streams(seeds, MAKER),
        maker.deterministic,
        rules.guess_limit or 0,
        index,
        labels,
        np.zeros(rules.label_count, dtype=np.int64),
        np.empty(rules.pegs, dtype=np.int64),
        guesses,
    )
    return guesses


def consistent(match: Match, games: Games) -> NDArray[np.int32]:
    """Return the numbers of guesses of `consistent` in these games."""
    from entropeg.experiments.batch_kernels import consistent_games

    rules, maker, every = match.rules, match.codemaker, secrets(match.rules)
    codes, seeds = hidden(match, games), game_seeds(match.seed, games)
    numbers = np.full(len(games), -1) if codes is None else every.find(codes)
    breakers, makers = streams(seeds, BREAKER), streams(seeds, MAKER)
    first = isinstance(maker, Cheat) and maker.deterministic
    index, labels, guesses = (np.empty(n, dtype=np.int32) for n in (len(every), len(every), len(games)))
    consistent_games(
        rules.kind,
        every.planes,
        every.counts,
        rules.win_label,
        numbers,
        breakers,
        makers,
        first,
        rules.guess_limit or 0,
        index,
        labels,
        np.zeros(rules.label_count, dtype=np.int64),
        guesses,
    )
    return guesses

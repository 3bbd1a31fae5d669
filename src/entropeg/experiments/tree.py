"""Plays the games of a deterministic codebreaker as one tree: games that share a position share its guess."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from entropeg.codemakers.cheat import Cheat
from entropeg.codes import Array, CodeSet
from entropeg.codes import secrets as every
from entropeg.errors import PlayerError
from entropeg.experiments.match import Match, game_seed, game_seeds
from entropeg.experiments.streams import MAKER, draw_below, streams
from entropeg.experiments.tasks import Chunk, Games, GameTask, stopwatch, warm_up
from entropeg.feedback import AnyFeedback, Code, from_label, score_trusted
from entropeg.loop import generators, legal_answer, legal_guess
from entropeg.position import Position

FEW = 4
"""Secrets up to this number are scored one by one, in plain Python: that is faster than a call that scores many."""

# A deterministic codebreaker is given a generator, as the protocol says, and draws nothing from it.


@dataclass(frozen=True)
class GameGroup:
    """Games that have come to the same position, which is not over.

    In the order of `games`: `secrets` where the codemaker is honest (`whole`: they are all the candidates there are);
    `streams`, as the kernels take them, where it cheats; else `chosen`, what the codemaker chose, and `rngs`.
    """

    position: Position
    games: Games
    secrets: CodeSet | None = None
    whole: bool = False
    streams: NDArray[np.uint64] | None = None
    chosen: tuple[Code | None, ...] = ()
    rngs: tuple[np.random.Generator, ...] = ()

    def part(self, position: Position, at: NDArray[np.int64]) -> GameGroup:
        """Return those of the games (by place) that go on to a position."""
        games = self.games[at]
        if self.secrets is not None:
            secrets = self.secrets.take_trusted(at)
            if self.whole:
                position.__dict__["candidates"] = secrets  # where the cached property would keep the same set
            return GameGroup(position, games, secrets, whole=self.whole)
        if self.streams is not None:
            return GameGroup(position, games, streams=self.streams[at])
        places = at.tolist()
        chosen, rngs = tuple(self.chosen[place] for place in places), tuple(self.rngs[place] for place in places)
        return GameGroup(position, games, chosen=chosen, rngs=rngs)


def root(match: Match, games: Games, secrets: CodeSet | None) -> GameGroup:
    """Return the start of these games; `secrets`, in their order, for an honest codemaker."""
    start = Position(match.rules)
    if secrets is not None:
        return GameGroup(start, games, secrets, whole=match.all_secrets and len(games) == match.rules.secret_count)
    if type(match.codemaker) is Cheat:
        return GameGroup(start, games, streams=streams(game_seeds(match.seed, games), MAKER))
    rngs = tuple(generators(game_seed(match.seed, game))[1] for game in games.tolist())
    if match.all_secrets:
        return GameGroup(start, games, chosen=tuple(every(match.rules).take(games)), rngs=rngs)
    return GameGroup(start, games, chosen=tuple(match.codemaker.choose(match.rules, rng) for rng in rngs), rngs=rngs)


@dataclass(frozen=True)
class TreeTask:
    """Open positions of the tree, worked on from the last one, deepest first."""

    match: Match
    nodes: tuple[GameGroup, ...]

    @property
    def size(self) -> int:
        """Number of games."""
        return sum(len(node.games) for node in self.nodes)

    def split(self, pieces: int) -> list[GameTask]:
        """Share the open positions out; one position cannot be split."""
        return [TreeTask(self.match, self.nodes[piece::pieces]) for piece in range(min(pieces, len(self.nodes)))]

    def run(self, budget: float) -> tuple[Chunk, list[GameTask]]:
        """Go on from position to position until the time is over, one position at least."""
        warm_up(self.match)
        watch = stopwatch(self.match)
        nodes, games, lengths = list(self.nodes), [np.empty(0, np.int64)], [np.empty(0, np.int32)]
        fault = None
        try:
            while nodes:
                for node in self._next(nodes.pop()):
                    if node.position.is_over:
                        games.append(node.games)
                        length = len(node.position.turns) if node.position.is_won else 0
                        lengths.append(np.full(len(node.games), length, dtype=np.int32))
                    else:
                        nodes.append(node)
                if watch.seconds > budget:
                    break
        except PlayerError as error:
            fault = error
        chunk = Chunk(np.concatenate(games), np.concatenate(lengths), watch.seconds, watch.computed, fault)
        return chunk, [TreeTask(self.match, tuple(nodes))] if nodes and fault is None else []

    def _next(self, node: GameGroup) -> Iterator[GameGroup]:
        breaker, position = self.match.codebreaker, node.position
        # A deterministic codebreaker is given a generator, as the protocol says, and draws nothing from it.
        guess = legal_guess(breaker, breaker.guess(position, np.random.default_rng(0)), position)
        for answer, at in self._answers(node, guess):
            yield node.part(position.after_trusted(guess, answer), at)

    def _answers(self, node: GameGroup, guess: Code) -> Iterator[tuple[AnyFeedback, NDArray[np.int64]]]:
        rules = self.match.rules
        # Feedback with more labels is not packed into labels: it is asked for game by game.
        if node.secrets is not None and len(node.games) > FEW and rules.label_count <= 1 << 31:
            for label, at in _groups(node.secrets.score(guess)):
                yield from_label(label, rules), at
        elif node.secrets is not None:
            yield from _gather(score_trusted(guess, secret, rules) for secret in node.secrets)
        elif node.streams is not None:
            yield from self._cheat(node.position, node.streams, guess)
        else:
            yield from _gather(self._ask(node, guess))

    def _cheat(
        self, position: Position, rngs: NDArray[np.uint64], guess: Code
    ) -> Iterator[tuple[AnyFeedback, NDArray[np.int64]]]:
        cheat = cast("Cheat", self.match.codemaker)
        choices = cheat.choices(position, guess)
        picks = np.zeros(len(rngs), dtype=np.int64) if cheat.deterministic else draw_below(rngs, len(choices))
        for pick, at in _groups(picks):
            yield from_label(int(choices[pick]), position.rules), at

    def _ask(self, node: GameGroup, guess: Code) -> Iterator[AnyFeedback]:
        maker = self.match.codemaker
        for secret, rng in zip(node.chosen, node.rngs, strict=True):
            yield legal_answer(maker, maker.answer(node.position, guess, secret, rng), node.position)


def _groups(labels: Array) -> Iterator[tuple[int, NDArray[np.int64]]]:
    # Each label with the places where it stands, in order.
    order = np.argsort(labels, kind="stable")
    ranked = labels[order]
    starts = np.flatnonzero(np.concatenate([[True], ranked[1:] != ranked[:-1]]))
    for start, at in zip(starts.tolist(), np.split(order, starts[1:]), strict=True):
        yield int(ranked[start]), at


def _gather(answers: Iterator[AnyFeedback]) -> Iterator[tuple[AnyFeedback, NDArray[np.int64]]]:
    places: dict[AnyFeedback, list[int]] = {}
    for place, answer in enumerate(answers):
        places.setdefault(answer, []).append(place)
    for answer, at in places.items():
        yield answer, np.array(at)

"""Ranks guesses where nobody can list the codes that are left: by a sample of them, and by games played out."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log2, nan, sqrt

import numpy as np

from entropeg.advise.expectation import Expectation, Information
from entropeg.advise.question import AdviceQuestion, NotedPosition
from entropeg.advise.ranking.pools import sampled_pool
from entropeg.advise.ranking.ranker import RankedGuess, Ranker, Ranking
from entropeg.codebreakers.auto import STRATEGIES, Auto
from entropeg.errors import EntropegError
from entropeg.feedback import Code, score_trusted
from entropeg.search.part_curve import least_mean

ENOUGH = 6
"""Games from which turns are given more time rather than games added."""
LEAST, MOST = 3, 12
"""Games that are played out: fewer tell nothing, more are not needed."""
STUDENT = (nan, 12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11)
"""Standard errors in which 19 of 20 means lie, by the games but one (Student 1908); 1.96 for very many."""


def sampled(question: AdviceQuestion) -> Ranking:
    """Rank guesses by the information that their answers bring, on the sample of the codes left.

    The pool: codes of the sample, guesses improved peg by peg, what `auto` plays, and those asked about. Expected
    guesses are those of games that `auto` plays out against secrets of the sample after the best of the guesses, as
    many as the work of the seconds allows; other guesses take more as they tell less. So they are what a good
    player takes, and the best play may take fewer. With fewer than three games, and where `auto` has no good player,
    they are bounds: no play needs fewer.
    """
    return _Sampled(question).ranking()


class _Sampled(Ranker):
    """Guesses in the order of what they tell, and the value of the position by games."""

    def __init__(self, question: AdviceQuestion) -> None:
        super().__init__(question)
        noted, rng = self.noted, np.random.default_rng(question.seed)
        named = [*self.also, *_autos(noted, question.seconds, rng)]
        pool, judged = sampled_pool(noted, named, question.seconds * 2e7, rng)
        self._told = {guess: Information.of(judged, guess) for guess in pool}
        self._order = sorted(self._told, key=lambda guess: (-round(self._told[guess].bits, 9), guess))
        self._best = self._told[self._order[0]]
        self._played = _played_out(noted, self._order[0], self._best.bits, question.seconds, rng)
        about = self.rules.feedback.about
        remaining = noted.remaining
        certain = len(remaining.codes) if remaining.count is None else remaining.count
        self._bound = Expectation.at_least(least_mean(certain, about.count(self.rules)))

    def value(self) -> Expectation:
        return self._played or self._bound

    def best(self) -> tuple[list[RankedGuess], bool]:
        first = self._order[: self.number]
        return list(zip(first, self.after(first), strict=True)), False

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        value = self._played
        if value is None:
            return [self._bound] * len(guesses)
        return [_behind(value, self._best, self._told[guess]) for guess in guesses]


def _behind(value: Expectation, best: Information, told: Information) -> Expectation:
    # Bits that a guess tells less have to be asked for later, at the rate of the best guess.
    each = max(best.bits, 0.1)
    gap = max(best.bits - told.bits, 0.0) / each
    error = sqrt(best.error**2 + told.error**2) / each if told is not best else 0.0
    return Expectation.about(value.value + gap, sqrt(value.error**2 + error**2))


def _autos(noted: NotedPosition, seconds: float, rng: np.random.Generator) -> list[Code]:
    """The guess of `auto`, where it takes no more than a quarter of the time; none where it cannot."""
    auto = Auto(max(seconds / 4, 1e-3))
    try:
        if _turn_seconds(noted, auto) > seconds / 4:
            return []
        return [auto.guess(noted.position, rng)]
    except EntropegError:
        return []


def _turn_seconds(noted: NotedPosition, auto: Auto) -> float:
    """Seconds that a turn of `auto` takes, as its ladder says."""
    spec = auto.choose(noted.position).spec
    costs, rules = [each.cost for each in STRATEGIES if each.spec == spec], noted.rules
    # A turn of `belief` takes a minute on 2x65536.
    of_colors = 1.5e-8 * rules.colors**2 if spec == "belief" else 0.0
    return max(costs, default=0.0) * rules.pegs**2 + of_colors


def _played_out(
    noted: NotedPosition, guess: Code, bits: float, seconds: float, rng: np.random.Generator
) -> Expectation | None:
    """The mean number of guesses of games that begin with a guess; None where there is no time for some."""
    try:
        auto, games = _player(noted, bits, seconds)
        secrets = noted.remaining.codes.drawn(games, rng)
        played = [_game(noted, guess, secret, auto, rng) for secret in secrets if games >= LEAST]
    except EntropegError:
        return None
    if len(played) < LEAST or None in played:
        return None
    numbers = np.array(played, float)
    # Numbers of guesses vary by no less: a few games that happen to be alike are no proof.
    spread = max(float(numbers.std(ddof=1)), 0.5)
    return Expectation.about(float(numbers.mean()), STUDENT[len(numbers) - 1] * spread / sqrt(len(numbers)))


def _player(noted: NotedPosition, bits: float, seconds: float) -> tuple[Auto, int]:
    """The player of the games, and how many there is time for: `sampling`, as well as enough games allow.

    Other strategies take too many guesses to stand for the best play.
    """
    about, rules = noted.remaining.about, noted.rules
    known = log2(about) if 1 <= about < inf else log2(rules.secret_count) - _told(noted)
    # A game takes four guesses more than its information would.
    turns = max(known, 1.0) / max(bits, 0.1) + 4
    games, auto = 0, Auto()
    # Shares of the time for one turn of a game: the more, the better it is played.
    for share in (0.1, 0.03, 0.01):
        auto = Auto(max(share * seconds, 1e-3))
        if not auto.choose(noted.position).spec.startswith("sampling"):
            break
        # The ladder of `auto` states what turns cost on a free machine, rather too little: games get six tenths of the
        # time.
        games = int(0.6 * seconds / (_turn_seconds(noted, auto) * turns))
        if games >= ENOUGH:
            break
    else:
        return auto, min(games, MOST)
    return auto, min(games, MOST) if games >= ENOUGH else 0


def _told(noted: NotedPosition) -> float:
    """Bits that the turns have told, about: three a turn, at least on average."""
    return 3.0 * len(noted.position.turns)


def _game(noted: NotedPosition, guess: Code, secret: Code, auto: Auto, rng: np.random.Generator) -> int | None:
    position = noted.position
    # A game is given up after a hundred more turns.
    for turn in range(1, 101):
        if guess == secret:
            return turn
        position = position.after_trusted(guess, score_trusted(guess, secret, position.rules))
        guess = auto.guess(position, rng)
    return None

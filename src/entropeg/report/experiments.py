"""Lists the experiments of a report on a board, in the order of the documents, and says which are out of reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from entropeg import codebreakers, codemakers
from entropeg.codemakers.honest import Honest
from entropeg.errors import InputError, TooLargeError
from entropeg.experiments.laws import law
from entropeg.report.documents import documents_on
from entropeg.rules import Rules
from entropeg.told import Told, plural

if TYPE_CHECKING:
    from entropeg.experiments.runner import Run

MOST_GUESSES = 200_000_000
"""An experiment of a codebreaker with a known law is left out where it would take more guesses: a minute of work."""

MOST_SECRETS = 40_000
"""Every secret is played once up to this many: all boards to 5x8."""


SEEDS_APART = 100
"""Experiments of a report, at most: with more, reports of different seeds would share seeds of experiments."""

FURTHER = 40
"""The number of the first experiment beyond those of the documents."""


@dataclass(frozen=True)
class Experiment:
    """One codebreaker against one codemaker on one board: random secrets, or every secret once."""

    codebreaker: str
    codemaker: str
    rules: Rules
    all_secrets: bool = False
    number: int = 0
    """Its place in the report, from which its seed is made."""
    is_further: bool = False
    """Whether it was asked for beyond those of the documents."""
    counterpart: str = ""
    """The codebreaker of ours that this one is meant to play like, as codebreaker 0 of the course like `random`."""
    is_honest: bool = False
    """Whether the codemaker keeps one secret from the first turn on, as far as its name tells."""

    def seed(self, seed: int) -> int:
        """Return the experiment's own seed in a report of some seed, so that samples are independent."""
        return seed * SEEDS_APART + self.number

    @property
    def key(self) -> str:
        """The name of the experiment on its board, as claims use it."""
        return f"{self.codebreaker} {self.codemaker}{' all' if self.all_secrets else ''}"

    @property
    def label(self) -> str:
        """The name of the experiment in tables."""
        if self.all_secrets:
            return Told("{codebreaker} against {codemaker}, every secret once", self.codebreaker, self.codemaker)
        return Told("{codebreaker} against {codemaker}", self.codebreaker, self.codemaker)


@dataclass(frozen=True)
class Result:
    """An experiment and its run, with what ended that early; or the reason why there is none."""

    experiment: Experiment
    run: Run | None
    reason: str = ""


def experiments(
    rules: Rules, first: int = 0, *, also: Sequence[str] = (), against: Sequence[str] = ()
) -> list[Experiment]:
    """Return the experiments on a board: every codebreaker of the documents against every codemaker of theirs.

    Minimax has Knuth's tie rule where the French notebook asks for it. The codebreakers of `also` play both codemakers
    and the ones of `against`, whom consistent play and minimax play too. The documents' experiments are numbered from
    `first` on, the further ones from `FURTHER` on, so that these change nothing in the documents'.
    """
    minimax = "minimax:knuth" if any(document.letter == "E" for document in documents_on(rules)) else "minimax"
    pairs = [(codebreaker, "honest") for codebreaker in ("random", "memory")]
    pairs += [(codebreaker, codemaker) for codebreaker in ("consistent", minimax) for codemaker in ("honest", "cheat")]
    pairs += [(codebreaker, "cheat") for codebreaker in ("random", "memory")]
    played = [_experiment(*pair, rules, number=number) for number, pair in enumerate(pairs, start=first)]
    played.append(_experiment(minimax, "honest", rules, number=first + len(pairs), all_secrets=True))
    makers = ["honest", "cheat", *against]
    further = [(codebreaker, codemaker) for codebreaker in also for codemaker in makers]
    further += [(codebreaker, codemaker) for codemaker in against for codebreaker in ("consistent", minimax)]
    new = [pair for pair in dict.fromkeys(further) if pair not in pairs]
    if len(new) > SEEDS_APART - FURTHER:
        raise InputError(
            "a report has room for {most} further pairs of players, and here are {count}",
            *(SEEDS_APART - FURTHER, len(new)),
        )
    return played + [
        _experiment(*pair, rules, number=number, is_further=True) for number, pair in enumerate(new, start=FURTHER)
    ]


def _experiment(codebreaker: str, codemaker: str, rules: Rules, **more: Any) -> Experiment:
    # Modules of the course say by their numbers which of our players they are meant to play like.
    breaker, maker = codebreakers.get(codebreaker), codemakers.get(codemaker)
    counterpart = getattr(breaker, "counterpart", codebreaker)
    is_honest = isinstance(maker, Honest) or getattr(maker, "counterpart", "") == "honest"
    return Experiment(codebreaker, codemaker, rules, counterpart=counterpart, is_honest=is_honest, **more)


def check_reach(experiment: Experiment, games: int) -> None:
    """Raise TooLargeError for an experiment that is beyond its codebreaker, or takes more than a report may."""
    rules = experiment.rules
    if experiment.all_secrets and rules.secret_count > MOST_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets}; a report plays every one only up to {most:,}",
            *(rules, plural(rules.secret_count, "{n} secret", "{n} secrets"), MOST_SECRETS),
        )
    known = law(experiment.codebreaker, rules)
    if known is not None and games * known.mean > MOST_GUESSES:
        raise TooLargeError(
            "{games:,} games would take about {guesses:,.10g} guesses, more than the {most:,} of a report; the law "
            "gives the mean {mean:,.10g} exactly",
            *(games, games * known.mean, MOST_GUESSES, known.mean),
        )
    if known is None and experiment.codebreaker in ("random", "memory"):
        raise TooLargeError("{rules} has too many codes for a player that ignores feedback", rules)

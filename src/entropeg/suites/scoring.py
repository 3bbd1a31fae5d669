"""Scores logs of benchmarks: the mean with the luck of the answers taken out, losses by turn, and a line to cite.

With V(S) the guesses that the best play still takes from a set S of codes, the luck of an answer is what it left less
than was to be expected. Its mean is 0 for whoever does not know the secret, whatever V is: so it is taken out of each
game, and the mean stays. Where V is exact what is left is par and what the guesses lost, which is never less than the
optimum: to know the secrets gains nothing here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise, zip_longest
from math import exp, inf
from statistics import fmean
from typing import ClassVar

from entropeg import arguments
from entropeg.advise.contradicted_rows import clues_against
from entropeg.advise.expectation import Expectation
from entropeg.codes import is_listable
from entropeg.executors import Crew, Executor
from entropeg.experiments.adjusted import ExactValues, values_by_turn, values_of
from entropeg.experiments.confidence import half_width
from entropeg.experiments.sharing import shared_work
from entropeg.plain_values import Finite, PlainValue
from entropeg.position import Position
from entropeg.review.assessment import optimum_of
from entropeg.review.level import Level, level_of_losses
from entropeg.review.turns import ROUNDED
from entropeg.rules import Rules
from entropeg.suites.logs import BenchGame, BenchLog, LogError
from entropeg.suites.suite import digest_of
from entropeg.told import Told, plural

BY_CHANCE = 1e-9
"""Logs whose luck is less likely than this are refused: of a thousand million honest ones, one at most."""


@dataclass(frozen=True)
class GameAccount:
    """What a game took: `guesses`, what is left and wasted counted, the same without luck, and its luck by turn.

    `luck`, `variance` and `largest` are sums over the turns of the luck, of its variance, and the most that one answer
    could give. `losses` are those of the turns whose value is known exactly, from the second on; `first` is Q - 1 of
    the first guess.
    """

    guesses: float
    adjusted: float | None
    luck: float = 0.0
    variance: float = 0.0
    largest: float = 0.0
    first: float | None = None
    losses: tuple[float, ...] = ()
    contradicted: int = 0
    repeats: int = 0


def account_of(game: BenchGame) -> GameAccount:
    """Account for a game.

    One that was not won adds what the best play would still take, by V, or 1 where nobody can list its codes; one that
    ended by an invalid answer counts all guesses that its board allows besides.
    """
    rules, turns = game.rules.with_limit(None), game.position.turns
    wasted = (game.rules.guess_limit or len(turns)) - len(turns) if game.end == "invalid" else 0
    contradicted = sum(bool(clues_against(turn.guess, turns[:row], rules)) for row, turn in enumerate(turns))
    repeats = len(turns) - len({turn.guess for turn in turns})
    if not is_listable(rules):
        played = float(len(turns) + wasted + (game.end != "won"))
        return GameAccount(played, None, contradicted=contradicted, repeats=repeats)
    position, values = Position(rules, turns), values_of(rules)
    found, is_exact = values_by_turn(position, values), isinstance(values, ExactValues)
    luck = sum(each.luck for each in found)
    played = len(turns) + wasted + (0.0 if game.end == "won" else values.of(position))
    losses = tuple(1 + after.expected - before.left for before, after in pairwise(found))
    return GameAccount(
        played, played + luck, luck, sum(each.variance for each in found),
        max((each.expected - each.least for each in found), default=0.0),
        found[0].expected if found and is_exact else None, losses if is_exact else (), contradicted, repeats,
    )  # fmt: skip


@dataclass(frozen=True)
class BoardScore(PlainValue):
    """What an agent took on a board: means over its games, half the widths of their 95 % intervals, and its faults."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "games", "won", "lost", "broken_off", "mean", "error", "adjusted", "adjusted_error", "is_exact"),
        *("par", "losses", "contradicted", "repeats", "invalid", "guesses", "tokens", "level"),
    )

    rules: Rules
    games: int
    won: int
    lost: int
    """Games that the limit of guesses ended."""
    broken_off: int
    """Games that an invalid answer ended: they count all guesses that the board allows."""
    mean: Finite
    """Guesses a game as they were played; a game that was not won adds what the best play would still take."""
    error: float | None
    adjusted: float | None
    """The same without luck; null where nobody can list the codes."""
    adjusted_error: float | None
    is_exact: bool
    """Whether the values behind it are exact, so that it is par and what the guesses lost."""
    par: float | None
    """Guesses of the best play, where these are proven."""
    losses: tuple[float, ...]
    """What guesses lost at turn 1, 2, 3, ..., on average over the games that came so far; empty where unknown."""
    contradicted: int
    """Guesses that an earlier answer rules out as the secret."""
    repeats: int
    """Guesses that were made before in the same game."""
    invalid: int
    """Answers of the agent that held no legal guess."""
    guesses: int
    tokens: dict[str, int]
    level: str | None
    """Between which of our codebreakers it stands, in a sentence; null where that is not known."""

    @property
    def short(self) -> str:
        """The board and its mean without luck, or as played, for the line of results."""
        mean, error, sign = (
            (self.mean, self.error, "") if self.adjusted is None else (self.adjusted, self.adjusted_error, "~")
        )
        spread = "" if error is None else f"±{error:.3f}"
        return f"{self.rules.board} {'' if self.is_exact else sign}{mean:.3f}{spread} ({self.games})"


@dataclass(frozen=True)
class BenchScore(PlainValue):
    """The official score of a log, and its line."""

    PLAIN: ClassVar[tuple[str, ...]] = ("suite", "digest", "salt", "agent", "boards", "line")

    suite: str
    digest: str
    salt: str
    agent: str
    boards: tuple[BoardScore, ...]
    chain: str = field(repr=False, default="")

    @property
    def line(self) -> str:
        """The result in one line; its last word is the digest of the line before it and of the whole log.

        A board's number is the mean without luck, ~ before it where V is no more than a curve, or else the mean as
        played; then half its 95 % interval and the games.
        """
        salt = self.salt or "-"
        said = " | ".join([f"{self.suite} {self.digest}", salt, self.agent, *(each.short for each in self.boards)])
        return f"{said} | {digest_of(f'{self.chain} {said}')}"


def score_log(
    log: BenchLog,
    *,
    with_level: bool = False,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> BenchScore:
    """Score a log that was read; ``with_level``: also by our codebreakers, which takes seconds a board.

    `jobs` processes share the games, by default one a processor, or an `executor`; ``progress`` is called with the
    numbers of games done and in all. Raises LogError where the mean over all secrets is below the proven optimum, or
    the luck of the answers cannot have come by chance, and KeyboardInterrupt.
    """
    arguments.instance(log, BenchLog, "the log", "as read_log returns it")
    found = shared_work(log.games, account_of, jobs=jobs, executor=executor, progress=progress)
    if None in found:
        raise KeyboardInterrupt
    accounts = dict(zip(log.games, filter(None, found), strict=True))
    score = partial(_board_score, log, accounts, with_level=with_level)
    drawing = log.drawing
    boards = tuple(score(board) for board in range(len(drawing.boards)) if drawing.number(board))
    return BenchScore(drawing.suite.name, drawing.suite.digest, drawing.salt, log.agent, boards, log.chain)


def _board_score(log: BenchLog, accounts: dict[BenchGame, GameAccount], board: int, *, with_level: bool) -> BoardScore:
    games = [game for game in log.games if game.board == board]
    found, rules = [accounts[game] for game in games], log.drawing.boards[board]
    is_whole = log.drawing.is_whole(board)
    par = _par(rules, found)
    played, adjusted = [each.guesses for each in found], [each.adjusted for each in found if each.adjusted is not None]
    mean = fmean(played)
    if is_whole and par is not None and mean < par - ROUNDED:
        raise LogError("{rules}: {mean:.4f} guesses on average over all secrets are fewer than any strategy "
                       "takes, {par:.4f}", rules, mean, par, reason="below")  # fmt: skip
    _check_luck(rules, found)
    losses = () if par is None or found[0].first is None else _losses(found, par)
    level = _level(rules, par, adjusted) if with_level and par is not None and losses else None
    ends = [game.end for game in games]
    tokens = Counter[str]()
    for game in games:
        tokens.update(game.more.get("tokens", {}))
    is_settled = is_whole and _is_deterministic(games)
    return BoardScore(
        rules, len(games), ends.count("won"), ends.count("lost"), ends.count("invalid"), mean,
        0.0 if is_settled else half_width(played), fmean(adjusted) if adjusted else None,
        0.0 if is_settled else half_width(adjusted) if adjusted else None, found[0].first is not None, par, losses,
        sum(each.contradicted for each in found), sum(each.repeats for each in found),
        sum(game.invalid for game in games), sum(len(game.turns) for game in games),
        dict(tokens), None if level is None else level.sentence,
    )  # fmt: skip


def _par(rules: Rules, found: Sequence[GameAccount]) -> float | None:
    known = optimum_of(rules.with_limit(None))
    if known is not None:
        return float(known)
    # A board of one's own is searched where that takes seconds.
    is_small = rules.secret_count * rules.guess_count <= 2_000_000
    if not is_small or all(each.first is None for each in found):
        return None
    return values_of(rules.with_limit(None)).of(Position(rules.with_limit(None)))


def _losses(found: Sequence[GameAccount], par: float) -> tuple[float, ...]:
    rows = [(1 + each.first - par, *each.losses) for each in found if each.first is not None]
    columns = zip_longest(*rows)
    means = (fmean([loss for loss in column if loss is not None]) for column in columns)
    return tuple(0.0 if abs(mean) < ROUNDED else mean for mean in means)


def _level(rules: Rules, par: float, adjusted: Sequence[float]) -> Level | None:
    return level_of_losses(rules.with_limit(None), Expectation.of(par), [max(0.0, one - par) for one in adjusted])


def _check_luck(rules: Rules, found: Sequence[GameAccount]) -> None:
    """Raise LogError where the luck of all games together would come by chance once in `1 / BY_CHANCE` logs at most.

    By Freedman's inequality (1975) a sum of terms of mean 0, each at most c, exceeds t while its variance is below v
    with a probability of at most exp(-t² / (2 v + 2 c t / 3)).
    """
    luck, variance = sum(each.luck for each in found), sum(each.variance for each in found)
    largest = max((each.largest for each in found), default=0.0)
    chance = exp(-(luck**2) / (2 * variance + 2 * largest * luck / 3)) if luck > ROUNDED else inf
    if chance < BY_CHANCE:
        games, logs = plural(len(found), "{n} game", "{n} games"), int(1 / max(chance, 1e-300))
        raise LogError("{rules}: its answers gave {luck:.1f} guesses more than was to be expected in {games}; "
                       "whoever does not know the secrets is so lucky in one log of {logs:count} at most",
                       rules, luck, games, logs, reason="luck")  # fmt: skip


def _is_deterministic(games: Sequence[BenchGame]) -> bool:
    """Tell whether the same position always led to the same guess."""
    known: dict[tuple[object, ...], object] = {}
    return all(
        known.setdefault(game.turns[:row], turn.guess) == turn.guess
        for game in games
        for row, turn in enumerate(game.turns)
    )


def boards_in_words(score: BenchScore) -> list[str]:
    """Return what there is to say of each board beside its numbers, a line each."""
    said: list[str] = []
    for each in score.boards:
        faults = Told(
            "{rules}: {contradicted:,} of {guesses:,} guesses contradict a clue, {repeats:,} repeat one, "
            "{invalid:,} answers were invalid",
            *(each.rules.board, each.contradicted, each.guesses, each.repeats, each.invalid),
        )
        said.append(faults)
        if each.losses:
            losses = [f"{loss:.3f}" for loss in each.losses[:8]]
            said.append("  " + Told("lost by turn: {losses:list}", losses))
        if each.tokens:
            said.append("  " + Told("tokens: {tokens:list}", [f"{name} {n:,}" for name, n in each.tokens.items()]))
        if each.level:
            said.append("  " + each.level)
    return said

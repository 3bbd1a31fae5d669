"""Plays by belief propagation: a chance for each color on each peg, and guesses whose answers are most uncertain.

How often each color occurs is found out exactly, a few colors at a time (`colors`). Where the colors are is estimated
peg by peg, by messages between answers and pegs (`kernels.belief`). What to ask is what all earlier answers together
foretell least (`asking`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates import check_unbound
from entropeg.codebreakers.belief.arrangements import GUESSES, ArrangementChains
from entropeg.codebreakers.belief.asking import GAIN, UNBOUNDED, Draft, Regression
from entropeg.codebreakers.belief.colors import ColorCounts, CountQuestion
from entropeg.codebreakers.belief.distinct import Presence, draw_distinct
from entropeg.codebreakers.color_sums import ColorSums
from entropeg.codebreakers.dichotomy import Dichotomy
from entropeg.codebreakers.doubts import Doubt, Suspect
from entropeg.codebreakers.memo import Memo, followed
from entropeg.codes import random_guess, secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import AnyFeedback, Code, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position, Turn
from entropeg.registry import at_least, by_parameters, named
from entropeg.rules import Blanks, Rules
from entropeg.told import Told

Array = Any  # dtypes are said in the docstrings

LEAST = 1e-5
"""No answer multiplies the odds of a color by less, or by more than its inverse: errors can be unlearned."""

CHAINED = 64
"""On boards of at most this many pegs chains of codes are run as soon as all color counts are known."""

LATE_CHAINED, WARM_BITS, LAST_BITS = 128, 150.0, 40.0
"""On larger boards, of at most the first number of pegs, chains are run once the chances of all pegs add up to fewer
bits than the second, and heard below the third: before that they meet codes that fit, but kin of one another, on which
a guess tells less than by the messages. On 200x200 they change nothing."""

SETTLED_BITS, MOST_WRONG, ASTRAY = 2.0, 2, 3
"""Answers are doubted once fewer bits than the first are open, and the same code fits all answers but so many at most
in so many turns running: each of these it has foretold (docs/lookup/measurements-large.md)."""


@dataclass(frozen=True)
class Belief:
    """Beliefs about every peg, for 30 pegs and more.

    The beliefs follow from all answers together; a guess is one whose answer these foretell least. Each guess has two
    parts: pegs for a question on how often some colors occur, chosen from an exact list, and elsewhere colors that are
    neither sure nor ruled out. `passes` over all answers a turn; `rows` in the list. Guesses are drawn by what is
    uncertain on each peg, `starts` of them, and improved peg by peg while the variance of their blacks, given all
    earlier answers, grows; the best is played. With `starts` 0, and on boards of more than 256 pegs, one is
    drawn and played: `greedy` is the share of its pegs that take the most uncertain color rather than draw one by its
    uncertainty, `early` the same while color counts are open: the higher, the more an answer tells, and the more
    questions resemble each other, which messages take for agreement. Every `restart` turns all is believed anew, from
    nothing. After `patience` times pegs plus colors turns, and where the answers seem to contradict each other, a
    strategy with a proven bound takes over, which ends every game: `dichotomy`, or peg by peg where blacks alone are
    heard.
    Under membership and positional feedback it plays by the blacks. Where no color repeats, every color is on one peg
    at most; black and white together tell how many of the guess occur; and no strategy takes over: it stops.
    Once color counts are known, chains of codes take `steps` steps a turn; where they meet codes that fit every answer,
    the guess is the one whose answer is most uncertain over these. On boards of more than `CHAINED` pegs that is so in
    the last turns only, when fewer than `WARM_BITS` bits are open for the chains and `LAST_BITS` for the guess, and not
    above `LATE_CHAINED` pegs.
    A turn costs about passes · turns · pegs · blacks · 4 operations, and a guess (turns + colors)³.
    """

    passes: int = 16
    rows: int = 4096
    greedy: float = 0.5
    early: float = 0.2
    restart: int = 8
    patience: int = 4
    steps: int = 200_000
    starts: int = 3

    name = named("belief")
    deterministic: ClassVar[bool] = False

    # Two games are remembered; on 1000x1000 each may take a hundred megabytes.
    _memo: Memo[Beliefs] = field(default_factory=lambda: Memo(2), init=False, repr=False, compare=False)
    _last: Dichotomy = field(default_factory=Dichotomy, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        at_least(self, passes=1, rows=1, restart=1, patience=1)
        if self.steps < 0:
            raise InputError("steps is {steps}; it must be at least 1, or 0 for no chains", self.steps)
        if self.starts < 0:
            raise InputError(
                "starts is {starts}; it must be at least 1, or 0 for guesses as they are drawn", self.starts
            )
        for name in ("greedy", "early"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError("{name} is {given}; it must be from 0 to 1", name, getattr(self, name))

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the likeliest code where it fits every answer, otherwise one whose answer is uncertain.

        Raises InputError under rules that it does not play; ContradictionError where no code can be left.
        """
        check_rules(position.rules)
        check_left(position)
        if len(position.turns) >= self.patience * (position.rules.pegs + position.rules.colors):
            return self._give_up(position, rng)
        beliefs = self._follow(position)
        if beliefs.counts is not None and beliefs.counts.broken:
            doubt = beliefs.doubt()
            if doubt is not None and doubt.is_proved:
                raise ContradictionError("no code fits all answers: {reason}", doubt.reason)
            return self._give_up(position, rng)
        return tuple(beliefs.next_guess(rng, self.greedy, self.early, self.starts).tolist())

    def doubt(self, position: Position) -> Doubt | None:
        """Return what is doubted: that colors agree, which is proved, or one or two answers, which is not.

        The latter are noticed once a code fits everything else, three turns running; measured in games of its own
        guesses alone: among those of others such a code is found by luck. Only under standard feedback with repeated
        colors; elsewhere nothing is doubted. Raises InputError under rules that it does not play. Costs as much as a
        guess where none was made at the position, else next to nothing.
        """
        check_rules(position.rules)
        return self._follow(position).doubt()

    def _follow(self, position: Position) -> Beliefs:
        start = partial(Beliefs, passes=self.passes, rows=self.rows, restart=self.restart, steps=self.steps)
        return followed(self._memo, position, start)

    def _give_up(self, position: Position, rng: np.random.Generator) -> Code:
        if not position.rules.repeats:
            raise ContradictionError(
                "no secret of {rules} that fits all turns was found in {turns} turns, several times what "
                "a game takes: most likely an answer is wrong, though that is not proved",
                *(position.rules, len(position.turns)),
            )
        if position.rules.feedback.about.common != "copies":
            return peg_by_peg(position)
        return self._last.guess(position, rng)

    __reduce__ = by_parameters


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the strategy does not apply."""
    if not rules.is_symmetric:
        raise InputError("belief plays codes of any colors, no words and no shapes: {rules} is no board for it", rules)
    check_known(rules, Method.belief)
    check_unbound(rules, "belief")


def check_left(position: Position) -> None:
    """Raise ContradictionError where every secret has been played: there is nothing to guess any more."""
    rules, turns = position.rules, position.turns
    if len(turns) >= rules.secret_count and {turn.guess for turn in turns}.issuperset(secrets(rules)):
        raise ContradictionError(
            "every secret of {rules} was played, and none was right: at least one answer is wrong", rules
        )


def asks_presence(rules: Rules) -> bool:
    """Tell whether black and white together are the number of colors of the guess that the secret has, and news.

    Of a code without repeats they are; `membership` counts pegs, which are colors where the guess has no repeats.
    """
    if rules.repeats or rules.colors == rules.pegs or rules.blanks == Blanks.both:
        return False
    common = rules.feedback.about.common
    return common == "copies" or (common == "members" and not rules.guess_repeats)


class Beliefs:
    """The beliefs that follow from the turns of one game alone: chances of each color on each peg, counts of colors."""

    def __init__(self, rules: Rules, passes: int, rows: int, restart: int, steps: int) -> None:
        self.rules, self.passes, self.restart, self.steps = rules, passes, restart, steps
        self.chains: ArrangementChains | None = None
        self.pegs, self.colors = rules.pegs, rules.symbols_in_guesses
        absent = [rules.colors] if rules.blanks == Blanks.guesses else []
        counted = rules.repeats and rules.feedback.about.common == "copies"
        self.presence = Presence(self.pegs, rules.colors) if asks_presence(rules) else None
        self.counts = ColorCounts(self.pegs, self.colors, most=rows, absent=absent) if counted else None
        self.turns: tuple[Turn, ...] = ()
        self._guesses: NDArray[np.int32] = np.zeros((8, self.pegs), np.int32)
        self._blacks: NDArray[np.int64] = np.zeros(8, np.int64)
        self._ratios: NDArray[np.float64] = np.ones((8, self.pegs))
        self._blank = np.ones((self.pegs, self.colors))
        self._blank[:, absent] = 0
        self._blank /= self._blank.sum(axis=1, keepdims=True)
        self.weights: NDArray[np.float64] = self._blank.copy()
        self._color_ratios = np.ones((self.pegs, self.colors))
        self._astray = 0  # turns running in which the same code fits all answers but one or two
        self._settled_on: NDArray[np.int64] = np.zeros(0, np.int64)
        self._missed: list[int] = []  # the rows that it does not fit
        self._of_colors: tuple[Doubt | None] | None = None  # found once

    def _room(self, turns: int) -> None:
        shape, used = (turns, self.pegs), len(self.turns)
        guesses, blacks, ratios = np.zeros(shape, np.int32), np.zeros(turns, np.int64), np.ones(shape)
        guesses[:used], blacks[:used], ratios[:used] = self._guesses, self._blacks, self._ratios
        self._guesses, self._blacks, self._ratios = guesses, blacks, ratios

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""
        for number in range(len(self.turns), len(turns)):
            # No more is believed, but what they say of colors counts.
            if self.counts is not None and self.counts.broken:
                self.turns = turns
                if self._of_colors != (None,):  # counts that were possible after all are not asked about every turn
                    self._of_colors = None
                return
            self._take(*turns[number])
            self.turns = turns[: number + 1]
            if self.counts is not None and self.counts.broken:
                continue
            self._pass_messages()
            self._run_chains()
            self._compare()

    def _compare(self) -> None:
        # Where all is settled and something does not fit, messages hold what is not so, or an answer is not. In the
        # former case answers to come do not fit either, and the code changes.
        before, self._settled_on, self._missed = self._settled_on, np.zeros(0, np.int64), []
        if self.counts is None or not self.counts.settled or self.open_bits >= SETTLED_BITS:
            return
        code, turns = self.weights.argmax(axis=1), len(self.turns)
        missed = np.flatnonzero((self._guesses[:turns] == code).sum(axis=1) != self._blacks[:turns])
        fits_colors = (np.bincount(code, minlength=self.colors) == self.counts.known).all()
        if 0 < len(missed) <= MOST_WRONG and fits_colors:
            self._astray = self._astray + 1 if np.array_equal(code, before) else 1
            self._settled_on, self._missed = code, missed.tolist()

    def doubt(self) -> Doubt | None:
        """Return what is doubted after the turns so far; None where nothing is."""
        if self.counts is not None and self.counts.broken:
            if self._of_colors is None:
                self._of_colors = (self._doubt_of_colors(),)
            return self._of_colors[0]
        if not self._missed or self._astray < ASTRAY:
            return None
        reason = Told("all pegs are settled, and nothing else differs")
        return Doubt(reason, is_proved=False, rows=tuple(map(Suspect, self._missed)))

    def _doubt_of_colors(self) -> Doubt | None:
        # The list of likely counts is empty. That no others fit is proved, or not; rarely others do.
        told = ColorSums.of(self.rules, self.turns)
        weight = told.weight(told.sums)
        if weight:
            return None
        reason = Told("what they say of colors contradicts itself")
        return Doubt(reason, is_proved=weight is not None, rows=told.suspects())

    def _take(self, guess: Code, feedback: AnyFeedback) -> None:
        used = len(self.turns)
        if used == len(self._blacks):
            self._room(2 * used)
        self._guesses[used], self._blacks[used] = guess, feedback.black
        if self.counts is not None:
            told = np.bincount(self._guesses[used], minlength=self.colors)
            self.counts.take(told, feedback.black + feedback.white)
        if self.presence is not None:
            self.presence.take(self._guesses[used], feedback.black + feedback.white)

    def _pass_messages(self) -> None:
        from entropeg.kernels import belief as kernel

        check_compiler(self.rules.secret_count)
        turns, pegs = len(self.turns), self.pegs
        top = min(pegs, int(pegs / self.colors + 8 * (pegs / self.colors) ** 0.5) + 8)
        likely, chosen = np.ones((self.colors, top + 1)), np.zeros(0, np.int64)
        if self.counts is not None:
            top = max(top, int(self.counts.known.max()))
            likely, chosen = self.counts.likelihood(top)
        elif not self.rules.repeats:
            likely, chosen = self._once()
        answers, scratch = kernel.Answers(self._guesses, self._blacks, self._ratios), kernel.MessageScratch.of(pegs)
        rng = np.random.default_rng(turns)
        passes, real = self.passes, self.rules.colors
        if turns % self.restart == 0:
            # Messages that once agreed by mistake hold each other up; from nothing they do not find that state again.
            self.weights[:], self._color_ratios[:], self._ratios[:turns] = self._blank, 1, 1
            if self.presence is not None:
                self.presence.forget()
            passes *= 2
        for number in range(passes):
            if self.presence is not None:
                self.presence.pass_messages(self._chances[:, :real], self._color_ratios[:, :real], LEAST, number)
            if len(chosen):
                kernel.pass_colors(self.weights, self._color_ratios, likely, chosen, LEAST, scratch)
            # Pegs whose color is all but decided take part in every second pass only.
            decided = 1e-6 if number % 2 else 0.0
            kernel.pass_blacks(self.weights, answers, rng.permutation(turns), LEAST, decided, scratch)

    def _once(self) -> tuple[Array, Array]:
        """Return the counts known where no color repeats: likelihoods of none and one, and the colors."""
        real = self.rules.colors
        if self.presence is not None:
            return self.presence.likely, np.arange(real)
        likely = np.ones((self.colors, 2))
        if real == self.pegs and self.rules.blanks != Blanks.both:
            likely[:, 0] = 0
        return likely, np.arange(real)

    def _run_chains(self) -> None:
        wanted = self.steps > 0 and self.pegs <= LATE_CHAINED
        if not wanted or self.counts is None or not self.counts.settled:
            return
        if self.chains is None:
            if self.pegs > CHAINED and self.open_bits >= WARM_BITS:
                return
            self.chains = ArrangementChains(np.repeat(np.arange(self.colors), self.counts.known))
        turns = len(self.turns)
        # More steps for each pair of pegs find no more.
        steps = min(self.steps, 200 * self.pegs**2)
        self.chains.run(self._guesses[:turns], self._blacks[:turns], steps)

    def heard_chains(self) -> ArrangementChains | None:
        """Return the chains where they met codes that fit, and, on large boards, these stand for most that is open."""
        if self.chains is None or not len(self.chains.fitting):
            return None
        return self.chains if self.pegs <= CHAINED or self.open_bits < LAST_BITS else None

    @property
    def spread(self) -> Array:
        """Variance of «this color on this peg»: float64[pegs, colors]."""
        return np.asarray(self._chances * (1 - self._chances))

    @property
    def open_bits(self) -> float:
        """Entropy of the chances of each peg, summed over the pegs: bits that are open at most, if the chances hold."""
        chances = self._chances
        return -float((chances * np.log2(np.maximum(chances, 1e-300))).sum())

    @property
    def _chances(self) -> Array:
        return self.weights / self.weights.sum(axis=1, keepdims=True)

    def next_guess(self, rng: np.random.Generator, greedy: float, early: float, starts: int) -> Array:
        """Return the next code, int64[pegs]: the likeliest where it fits every answer, else one that asks."""
        likeliest = self.weights.argmax(axis=1)
        if self.fits(likeliest):
            return likeliest
        chains = self.heard_chains()
        if chains is not None:
            return self._not_played(self._ask_fitting(chains, rng), rng)
        # On larger boards the covariances of all answers take longer than everything else.
        if starts and self.turns and self.pegs <= 256:
            return self._not_played(self._ask_unforeseen(rng, starts), rng)
        return self._not_played(self._draft(self.spread, rng, (early, greedy), self._question(rng)).code, rng)

    def _question(self, rng: np.random.Generator) -> CountQuestion:
        return {} if self.counts is None else self.counts.question(rng)

    def _draft(
        self, spread: Array, rng: np.random.Generator, greedy: tuple[float, float], question: CountQuestion
    ) -> Draft:
        """Return a code to ask: drawn pegs are greedy by the first share while color counts are open, else the second.

        The pegs of a question on color counts are locked. Where no color repeats there is room for those left out, but
        not while it is open which colors occur: then these are what is asked.
        """
        if question:
            return self._ask_counts(spread, rng, greedy, question)
        early, late = greedy
        code = self._drawn(spread, rng, late if self.rules.repeats else early)
        room = np.full(self.colors, UNBOUNDED)
        if not self.rules.guess_repeats:
            real = self.colors if self.rules.blanks != Blanks.both else self.rules.colors
            room[:real] = 0 if self.presence is not None else 1 - np.bincount(code, minlength=self.colors)[:real]
        return Draft(code, np.zeros(self.pegs, bool), room)

    def _ask_unforeseen(self, rng: np.random.Generator, starts: int) -> Array:
        """Return the code whose answer the earlier ones foretell least, improved from some drafts."""
        told, best, code = self.regression(), -1.0, np.zeros(0, np.int64)
        for draft in self.drafts(rng, starts):
            variance = told.improve(draft, rng)
            if variance > best + GAIN:
                best, code = variance, draft.code
        return code

    def drafts(self, rng: np.random.Generator, starts: int) -> list[Draft]:
        """Return codes to improve: pegs that take their most uncertain color are none in the first, all in the last."""
        spread, question = self.spread, self._question(rng)
        return [self._draft(spread, rng, (greedy, greedy), question) for greedy in np.linspace(0, 1, starts).tolist()]

    def regression(self) -> Regression:
        """Return the regression of a further answer on all so far; there is one at least."""
        return Regression(self._chances, self._guesses[: len(self.turns)], self._counted())

    def _counted(self) -> Array:
        """Return the colors of which it is known on how many pegs they are: int64[k]."""
        if self.counts is not None:
            return np.flatnonzero(self.counts.known > 0)
        if self.rules.repeats:
            return np.zeros(0, np.int64)
        # Held to be on one peg, where none repeats.
        return np.flatnonzero(self._chances[:, : self.rules.colors].sum(axis=0) > 0.999)

    def _drawn(self, spread: Array, rng: np.random.Generator, greedy: float) -> Array:
        """Return a code that the rules allow, drawn by the uncertainty of each peg."""
        if self.rules.guess_repeats:
            return _draw(spread, rng, greedy)
        return draw_distinct(
            spread, rng, greedy, self.rules.colors if self.rules.blanks == Blanks.both else self.colors
        )

    def fits(self, code: Array) -> bool:
        """Tell whether a code, int64[pegs], fits every answer."""
        turns = len(self.turns)
        if ((self._guesses[:turns] == code).sum(axis=1) != self._blacks[:turns]).any():
            return False
        if not self.rules.repeats and (np.bincount(code, minlength=self.colors)[: self.rules.colors] > 1).any():
            return False
        if self.presence is not None:
            return self.presence.fits(code)
        if self.counts is None:
            return True
        have = np.bincount(code, minlength=self.colors)
        return self.counts.settled and bool((have == self.counts.known).all())

    def _ask_fitting(self, chains: ArrangementChains, rng: np.random.Generator) -> Array:
        """Return the best guess by the codes that fit: one of them, or one drawn by the share of colors on each peg."""
        shares = np.zeros((self.pegs, self.colors))
        for peg in range(self.pegs):
            shares[peg] = np.bincount(chains.fitting[:, peg], minlength=self.colors) / len(chains.fitting)
        return chains.best(np.array([self._drawn(shares * (1 - shares), rng, 0.0) for _ in range(GUESSES // 2)]))

    def _ask_counts(
        self, spread: Array, rng: np.random.Generator, greedy: tuple[float, float], question: CountQuestion
    ) -> Draft:
        """Return a code that asks how often some open colors occur, and elsewhere where known ones are."""
        assert self.counts is not None
        early, late = greedy
        known = self.counts.known > 0
        present = np.flatnonzero(known)
        wanted = np.array([color for color, pegs in question.items() for _ in range(pegs)], np.int64)
        if len(present):
            code = present[_draw(spread[:, present], rng, early)]
        else:
            asked = np.array(list(question), np.int64)
            wanted = np.concatenate([wanted, asked[rng.integers(len(asked), size=self.pegs - len(wanted))]])
            code = np.zeros(self.pegs, np.int64)
        # The pegs that the known colors need least are taken for the question.
        least = np.argsort(spread[np.arange(self.pegs), code] + 1e-12 * rng.random(self.pegs))[: len(wanted)]
        code[least] = _place(spread[np.ix_(least, wanted)], wanted, rng, late)
        locked = np.zeros(self.pegs, bool)
        locked[least] = True
        return Draft(code, locked, np.where(known, UNBOUNDED, 0))

    def _not_played(self, code: Array, rng: np.random.Generator) -> Array:
        # A code already played tells nothing: change pegs until it is new.
        while (self._guesses[: len(self.turns)] == code).all(axis=1).any():
            if self.rules.guess_repeats:
                code[rng.integers(self.pegs)] = rng.integers(self.colors)
            else:
                code = np.array(random_guess(self.rules, rng))
        return code


def _draw(spread: Array, rng: np.random.Generator, greedy: float) -> Array:
    """Pick a column for each row: that of the largest value for a share of the rows, else drawn by the values."""
    sums = np.cumsum(spread + 1e-300, axis=1)
    drawn = (sums < rng.random((len(spread), 1)) * sums[:, -1:]).sum(axis=1)
    return np.where(rng.random(len(spread)) < greedy, spread.argmax(axis=1), drawn.clip(0, spread.shape[1] - 1))


def _place(spread: Array, wanted: Array, rng: np.random.Generator, greedy: float) -> Array:
    """Return the wanted colors in an order that gives each peg (row) one of its more uncertain colors (columns)."""
    placed = np.zeros(len(wanted), np.int64)
    left = np.ones(len(wanted), bool)
    for peg in range(len(wanted)):
        column = np.flatnonzero(left)
        pick = column[_draw(spread[peg : peg + 1, column], rng, greedy)[0]]
        placed[peg], left[pick] = wanted[pick], False
    return placed


def peg_by_peg(position: Position) -> Code:
    """Return the next code of the plainest strategy for black feedback: every peg by itself, each color in turn.

    At most 1 + pegs · (colors - 1) codes and one to show the secret; answers already known are not asked for again.
    Raises ContradictionError where an answer cannot be, at the latest when the only code left does not fit every turn.
    """
    answers = {turn.guess: turn.feedback.black for turn in position.turns}
    pegs, colors = position.rules.pegs, position.rules.symbols_in_secrets
    code = (0,) * pegs
    for peg in range(pegs):
        for color in range(1, colors):
            tried = (*code[:peg], color, *code[peg + 1 :])
            for needed in (code, tried):
                if needed not in answers:
                    return needed
            gain = answers[tried] - answers[code]
            if gain not in (-1, 0, 1):
                raise ContradictionError("the answers contradict each other: one peg changed black by more than one")
            if gain:
                code = tried if gain > 0 else code
                break
        else:
            if colors > 1:
                raise ContradictionError(
                    "the answers contradict each other: they leave no color for peg {peg}", peg + 1
                )
    for number, turn in enumerate(position.turns, start=1):
        if sum(map(int.__eq__, turn.guess, code)) != turn.feedback.black:
            raise ContradictionError(
                "the answers contradict each other: they leave one code, but not by turn {number}", number
            )
    return code

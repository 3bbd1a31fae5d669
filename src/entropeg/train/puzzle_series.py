"""Draws puzzles from a seed, without end, and finds each again by its number.

Games are played by chance, and each of their positions is tried. A puzzle is made again from rules, theme and seed, so
that nothing needs to keep it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import islice, permutations

import numpy as np

from entropeg import arguments
from entropeg.advise.mistakes import explain
from entropeg.candidates import SCANNED
from entropeg.codebreakers.basic import Random
from entropeg.codes import CodeSet, check_code, is_listable, random_guess, random_secret, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, label_of, score_trusted, win_feedback
from entropeg.kernels.switch import can_compile
from entropeg.position import Position, Turn, unused_clue
from entropeg.rules import Rules
from entropeg.search.values import can_value
from entropeg.told import Template
from entropeg.train.difficulty import failing
from entropeg.train.ideas import best_idea
from entropeg.train.puzzle import Theme, TrainingPuzzle, look_alikes

THEMES = (Theme.deduce, Theme.split, Theme.outside, Theme.trap, Theme.mend)
"""Of puzzles that are drawn."""
VALUED = {Theme.split: (4, 10), Theme.outside: (4, 16), Theme.trap: (4, 16)}
"""Themes that go by exact numbers of guesses, with the fewest and most codes that are left: more than 16 nobody keeps
in mind."""
LONGEST = 7
"""Rows of a drawn game."""


FEWEST_ROWS, MOST_ROWS = 4, 6


def with_wrong_row(game: Position, secret: Code, rng: np.random.Generator) -> TrainingPuzzle | None:
    """Let one row of a game go wrong; None where it does not follow from the rows which one is wrong.

    It follows where no code fits all rows, codes fit once this row is left out, and none fits whichever other row is
    left out, or whichever two rows have exchanged their feedbacks. No row is impossible by itself, and none was won.
    Its fault is one of the mistakes that `advise.explain` knows.
    """
    rules, row = game.rules, int(rng.integers(len(game.turns)))
    turns = [*game.turns[:row], _slipped(game.turns[row], secret, game, rng), *game.turns[row + 1 :]]
    if unused_clue(rules, turns)[1]:  # hard rules would have refused such a game
        return None
    written = Position(rules, turns)
    if not (_looks_like_a_game(written) and _is_only_suspect(written, row)):
        return None
    # Most rows fail these quick tests; the others are explained as to a person, which weighs two mistakes in one as
    # well.
    told = explain(written, "afterwards")
    if [suspect.row for suspect in told.rows] != [row] or min(map(len, told.conflicts)) < 2:
        return None
    mended = [mend.position.turns for mend in told.rows[0].mends]
    mends = [turns[row] for turns in mended if len(turns) == len(written.turns)]  # else the row is left out
    if not mends:
        return None
    without = Position(rules, [turn for number, turn in enumerate(written.turns) if number != row])
    # The five likeliest corrections of the wrong row are kept.
    return TrainingPuzzle(Theme.mend, written, tuple(without.candidates), row=row, mends=tuple(mends[:5]))


def _slipped(turn: Turn, secret: Code, game: Position, rng: np.random.Generator) -> Turn:
    """The row with the feedback of a code near the secret, or with one peg of its guess misread."""
    rules = game.rules
    # Six in ten mistakes are made in a feedback, the others in a guess.
    if rng.random() < 0.6:
        return Turn(turn.guess, score_trusted(turn.guess, near_code(secret, rules, rng, secret=True), rules))
    return Turn(near_code(turn.guess, rules, rng), turn.feedback)


def _looks_like_a_game(written: Position) -> bool:
    """Tell whether no guess comes twice and none is said to have won."""
    turns, win = written.turns, win_feedback(written.rules)
    return len({turn.guess for turn in turns}) == len(turns) and all(turn.feedback != win for turn in turns)


def _is_only_suspect(written: Position, row: int) -> bool:
    """Tell whether every code contradicts a row, and those that contradict one alone contradict this one."""
    rules = written.rules
    codes = secrets(rules)
    against = np.zeros((len(written.turns), len(codes)), bool)
    for number, turn in enumerate(written.turns):
        against[number] = codes.score(turn.guess) != label_of(turn.feedback, rules)
    faults = against.sum(axis=0)
    return bool(faults.min() == 1 and against[row][faults == 1].all())


def near_code(code: Code, rules: Rules, rng: np.random.Generator, *, secret: bool = False) -> Code:
    """Draw a legal guess, or secret, that differs from a code in one peg; any at all where that does not succeed."""
    for _ in range(10):
        peg, color = int(rng.integers(rules.pegs)), int(rng.integers(rules.colors))
        near = (*code[:peg], color, *code[peg + 1 :])
        if near != code and _is_legal(near, rules, secret=secret):
            return near
    return random_secret(rules, rng) if secret else random_guess(rules, rng)


def _is_legal(code: Code, rules: Rules, *, secret: bool) -> bool:
    try:
        check_code(code, rules, secret=secret)
    except InputError:
        return False
    return True


def themes_of(rules: Rules | str) -> tuple[Theme, ...]:
    """Return the themes of which puzzles can be drawn for some rules; raises InputError where there are none.

    >>> themes_of("4x6") == THEMES, [theme.value for theme in themes_of("6x4/positional")]
    (True, ['deduce', 'mend'])
    """
    rules = Rules.of(rules)
    check_trained(rules)
    is_valued = can_value(rules, max(most for _, most in VALUED.values()))
    return tuple(theme for theme in THEMES if is_valued or theme not in VALUED)


def check_trained(rules: Rules) -> None:
    """Raise InputError for rules of which no puzzles are drawn."""
    if rules.prior is not None:
        raise InputError(
            "puzzles are made for boards whose secrets are all alike; those of {rules} have weights", rules
        )
    if not is_listable(rules) or rules.secret_count > SCANNED:
        raise TooLargeError("puzzles are made for boards of at most {most:,} codes; {rules} has more", SCANNED, rules)
    if rules.guess_count < 2:
        raise InputError("{rules} has a single code: there is nothing to find", rules)
    if rules.words is None and rules.colors > LONGEST * rules.pegs:
        raise InputError("puzzles have {most} rows at most, too few to ask about the colors of {rules}", LONGEST, rules)


def puzzles(rules: Rules | str, theme: Theme | str | None = None, *, seed: int = 0) -> Iterator[TrainingPuzzle]:
    """Draw puzzles of a theme, or of all in turn: the same ones for the same seed, on any machine.

    None comes twice, with other colors or its pegs in another order neither. The iterator ends where a board has no
    more. Raises InputError for an unknown theme, where the rules have no puzzles of it, and, at the first puzzle, where
    none is found; TooLargeError where codes cannot be listed.

    >>> [puzzle.theme.value for puzzle, _ in zip(puzzles("4x6", seed=1), range(3))]
    ['mend', 'deduce', 'split']
    """
    rules = Rules.of(rules).with_limit(None)
    possible = themes_of(rules)
    wanted = possible if theme is None else (_theme(theme, possible, rules),)
    return _drawn(rules, wanted, arguments.seed(seed))


def _theme(theme: Theme | str, possible: tuple[Theme, ...], rules: Rules) -> Theme:
    known = next((each for each in THEMES if theme in {each, each.value}), None)
    if known is None:
        raise InputError("there is no theme {theme!r}: it is {themes:or}", theme, map(str, THEMES))
    if known not in possible:
        template = (
            Template(
                "puzzles of the theme {theme} go by exact numbers of guesses, which the exact search cannot find for "
                "{rules}; {others:and} can be played"
            )
            if can_compile()
            else Template(
                "puzzles of the theme {theme} go by exact numbers of guesses, which only compiled code finds, and "
                "there is none here; {others:and} can be played"
            )
        )
        raise InputError(template, theme=str(known), rules=rules, others=map(str, possible))
    return known


def _drawn(rules: Rules, themes: tuple[Theme, ...], seed: int) -> Iterator[TrainingPuzzle]:
    maker = _Maker(rules, seed)
    while themes:
        for place in maker.rng.permutation(len(themes)).tolist():
            found = maker.next(themes[place])
            if found is None:
                maker.ended.add(themes[place])
            else:
                yield found
        themes = tuple(theme for theme in themes if theme not in maker.ended)
    if not maker.given:
        if len(maker.ended) > 1:
            raise InputError(
                "no puzzle came up in {tries} games on {rules}: try another theme or board", maker.tries, rules
            )
        raise InputError(
            "no puzzle of the theme {theme} came up in {tries} games on {rules}: try another theme or board",
            *(str(*maker.ended), maker.tries, rules),
        )


class _Maker:
    """Draws the puzzles of a board, one after the other."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.rng = rules, np.random.default_rng(seed)
        self.given: set[Hashable] = set()
        self.ended: set[Theme] = set()
        self.tries = min(1000, 5 * rules.secret_count)
        # On small boards three rows are seldom needed.
        self._rows = 3 if rules.secret_count >= 200 else 2

    def next(self, theme: Theme) -> TrainingPuzzle | None:
        """Draw games until one has a puzzle of the theme that was not given yet; None where none does."""
        for _ in range(self.tries):
            for found in self._tried(theme):
                shape = _shape(found.position)
                if shape not in self.given:
                    self.given.add(shape)
                    return found
        return None

    def _tried(self, theme: Theme) -> Iterator[TrainingPuzzle]:
        if theme is Theme.mend:
            found = with_wrong_row(*self._notes(), self.rng)
            if found is not None:
                yield found
            return
        for position in self._positions(VALUED.get(theme, (2,))[0]):
            found = self._deduce(position) if theme is Theme.deduce else self._valued(position, theme)
            if found is not None:
                yield found

    def _notes(self) -> tuple[Position, Code]:
        """A game of some rows that has not been won, and its secret."""
        rows, secret = int(self.rng.integers(FEWEST_ROWS, MOST_ROWS + 1)), random_secret(self.rules, self.rng)
        position = Position(self.rules)
        for _ in range(rows):
            if self.rules.hard and len(position.legal_guesses) == 1:  # the secret alone
                break
            position = self._after_a_guess(position, secret)
        return position, secret

    def _positions(self, fewest: int) -> Iterator[Position]:
        """Return the positions of a game, until fewer codes than a number are left."""
        secret, position = random_secret(self.rules, self.rng), Position(self.rules)
        while len(position.turns) < LONGEST and len(position.candidates) >= fewest:
            position = self._after_a_guess(position, secret)
            yield position

    def _after_a_guess(self, position: Position, secret: Code) -> Position:
        """Play a guess that is neither the secret nor among those played, where there is one."""
        guess, tries = secret, 0
        while guess == secret or (tries < 20 and any(turn.guess == guess for turn in position.turns)):
            guess, tries = self._guess(position, secret), tries + 1
        return position.after_trusted(guess, score_trusted(guess, secret, self.rules))

    def _guess(self, position: Position, secret: Code) -> Code:
        # Four guesses in ten fit the rows before, one differs from the secret in one peg, and the others are any: with
        # these shares a puzzle takes the fewest games. On 4x6 one of a trap comes up in 20.
        chance = self.rng.random()
        codes = position.candidates
        if not self.rules.is_named:
            return Random().guess(position, self.rng)
        if chance < 0.4 and len(codes) > 1:
            return codes[int(self.rng.integers(len(codes)))]
        if chance < 0.5 and position.turns:
            near = near_code(secret, self.rules, self.rng)
            if position.clues is None or position.clues.allows(near):
                return near
        return Random().guess(position, self.rng)

    def _deduce(self, position: Position) -> TrainingPuzzle | None:
        if len(position.candidates) != 1 or len(position.turns) < self._rows or not all_needed(position):
            return None
        answer = (position.candidates[0],)
        return TrainingPuzzle(Theme.deduce, position, answer, answer, failing=failing(position, answer))

    def _valued(self, position: Position, theme: Theme) -> TrainingPuzzle | None:
        fewest, most = VALUED[theme]
        if not fewest <= len(position.candidates) <= most:
            return None
        codes = tuple(position.candidates)
        alike = (
            set(look_alikes(codes)) if theme is Theme.trap and not position.rules.feedback.about.is_listed else set()
        )
        if theme is Theme.trap and 3 * len(alike) < len(codes):
            return None
        idea = best_idea(position, splits=theme is Theme.split)
        if idea is None:
            return None
        fits = {
            Theme.split: idea.tells_apart,
            Theme.outside: idea.answers[0] not in codes,
            Theme.trap: alike.isdisjoint(idea.answers),
        }
        if not fits[theme]:
            return None
        weak = failing(position, idea.answers)
        return TrainingPuzzle(theme, position, codes, idea.answers, idea.best, idea.second, weak)


def _shape(position: Position) -> Hashable:
    """The position with its colors named in the order in which they appear, and its pegs in every order: the least."""
    rules = position.rules
    if not rules.is_symmetric:
        return position
    pegs = tuple(range(rules.pegs))
    # On boards of more pegs two puzzles may differ in the order of the pegs alone.
    is_moved = rules.feedback.about.pegs_alike and rules.pegs <= 5
    answers = tuple(label_of(turn.feedback, rules) for turn in position.turns)
    guesses = [turn.guess for turn in position.turns]
    return answers, min(_renamed(guesses, order, rules) for order in (permutations(pegs) if is_moved else [pegs]))


def _renamed(guesses: list[Code], order: tuple[int, ...], rules: Rules) -> tuple[int, ...]:
    names = {rules.colors: rules.colors}  # the blank
    return tuple(names.setdefault(guess[peg], len(names) - 1) for guess in guesses for peg in order)


def all_needed(position: Position) -> bool:
    """Tell whether more than one code would be left without any one row."""
    codes: CodeSet = secrets(position.rules)
    fits = np.array([codes.score(turn.guess) == label_of(turn.feedback, position.rules) for turn in position.turns])
    faults = (~fits).sum(axis=0)
    return all(bool(((faults == 1) & ~row).any()) for row in fits)


class PuzzleSeries:
    """The puzzles of some rules, a theme (None: of all in turn) and a seed, numbered from 1: those of `puzzles`.

    What was made is kept, so that one after another costs no more than drawing them. Raises InputError as `puzzles`
    does.

    >>> series = PuzzleSeries("4x6", "deduce", seed=1)
    >>> series[2] == PuzzleSeries("4x6", "deduce", seed=1)[2], series[1] == series[2]
    (True, False)
    """

    def __init__(self, rules: Rules | str, theme: Theme | str | None = None, *, seed: int = 0) -> None:
        """Check rules, theme and seed; the first puzzle is drawn when it is asked for."""
        self.rules: Rules = Rules.of(rules)
        self.theme: str | None = None if theme is None else str(theme)
        self.seed: int = arguments.seed(seed)
        self._made: list[TrainingPuzzle] = []
        self._refusal: InputError | None = None
        self._source: Iterator[TrainingPuzzle] = puzzles(self.rules, theme, seed=self.seed)

    def __getitem__(self, number: int) -> TrainingPuzzle:
        """Return a puzzle by its number, from 1 to 1000; raises InputError where there are fewer.

        It is made after all those before it.
        """
        number = arguments.whole(number, "the number of the puzzle", least=1, most=1000)
        while len(self._made) < number:
            found = self._next()
            if found is None:
                raise InputError("there are only {count} puzzles: ask for no later one", len(self._made))
            self._made.append(found)
        return self._made[number - 1]

    def _next(self) -> TrainingPuzzle | None:
        if self._refusal is not None:
            raise self._refusal
        try:
            return next(self._source, None)
        except InputError as error:
            self._refusal = error  # to be told again whenever a puzzle is asked for
            raise
        except BaseException:
            # An iterator that was interrupted gives nothing more: another one goes on from there.
            self._source = islice(puzzles(self.rules, self.theme, seed=self.seed), len(self._made), None)
            raise

    def find(self, first: int = 1, *, least: float = 0.0, most: float = 1.0) -> int:
        """Return the number of the first puzzle, from `first` on, whose difficulty is from `least` to `most`.

        Where none of the next 40 puzzles is so hard or so easy, that of the nearest. Puzzles whose difficulty is
        not known are passed over, unless every difficulty will do; raises InputError where there are no others.

        >>> PuzzleSeries("4x6", "trap", seed=1).find(least=0.5)
        8
        """
        least, most = (arguments.number(bound, "the difficulty") for bound in (least, most))
        if not 0 <= least <= most <= 1:
            raise InputError(
                "the difficulty is from {least:g} to {most:g}; it must rise, from 0 to 1 at most", least, most
            )
        first = arguments.whole(first, "the number of the puzzle", least=1, most=1000)
        if (least, most) == (0, 1):
            self[first]
            return first
        apart: dict[int, float] = {}
        for number in range(first, min(first + 40, 1001)):
            difficulty = self._difficulty(number, first)
            if difficulty is None:
                continue
            apart[number] = max(least - difficulty, difficulty - most, 0.0)
            if not apart[number]:
                return number
        if not apart:
            raise InputError("nobody knows how hard these puzzles are: leave the difficulty open")
        return min(apart, key=lambda number: apart[number])

    def _difficulty(self, number: int, first: int) -> float | None:
        """The difficulty of a puzzle; None where it is not known, or where there are no more."""
        try:
            return self[number].difficulty
        except InputError:
            if number == first:
                raise
            return None

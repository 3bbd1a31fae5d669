"""Puzzles: one best idea or one wrong row each, by trying everything; the same ones for a seed; one's own mistakes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, permutations

import numpy as np
import pytest

from entropeg import codebreakers
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import EntropegError, InputError
from entropeg.feedback import Code, label_of
from entropeg.game import Game
from entropeg.kernels import switch
from entropeg.position import Position, Turn
from entropeg.review import review
from entropeg.rules import Rules
from entropeg.train import (
    Theme,
    TrainingPuzzle,
    difficulty,
    hints,
    own_mistakes,
    puzzles,
    question,
    solution,
    themes_of,
)
from entropeg.train.difficulty import failing_by_trial
from entropeg.train.puzzle_series import THEMES, VALUED, PuzzleSeries
from rooms import cases, often

BOARDS = ["3x6", "3x5/blanks", "4x4", "4x6/black", "4x7/no-repeats", "5x3"]
TRAPPED = {"3x6", "3x5/blanks"}
"""Boards on which traps come up."""
GAME = ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]


def drawn(rules: str, number: int, theme: Theme | str | None = None, seed: int = 1) -> list[TrainingPuzzle]:
    return list(islice(puzzles(rules, theme, seed=seed), number))


def known(number: Fraction | int | None) -> Fraction:
    assert number is not None
    return Fraction(number)


class Everything:
    """Totals of sets of codes by trying all guesses, from the answers alone; guesses that are too late are left out."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.guesses = list(guesses(rules))
        self.numbers = {guess: number for number, guess in enumerate(self.guesses)}
        self.codes = list(secrets(rules))
        self.labels = np.array([secrets(rules).score(guess) for guess in self.guesses], np.int64)
        self.win = int(self.labels.max())
        self.least = cache(self._least)

    def fitting(self, turns: Iterable[Turn]) -> set[Code]:
        """The codes that every row fits."""
        fits = np.ones(len(self.codes), bool)
        for turn in turns:
            fits &= self.labels[self.numbers[turn.guess]] == label_of(turn.feedback, self.rules)
        return {self.codes[place] for place in np.flatnonzero(fits)}

    def rows(self, codes: tuple[Code, ...]) -> tuple[int, ...]:
        return tuple(self.codes.index(code) for code in codes)

    def parts(self, rows: tuple[int, ...], guess: int) -> list[tuple[int, ...]]:
        here = np.array(rows)
        labels = self.labels[guess, here]
        return [tuple(here[labels == label].tolist()) for label in np.unique(labels).tolist() if label != self.win]

    def counts(self, rows: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """How many parts each guess makes, and whether it is one of the codes."""
        ordered = np.sort(self.labels[:, rows], axis=1)
        return 1 + (ordered[:, 1:] != ordered[:, :-1]).sum(axis=1), ordered[:, -1] == self.win

    def _least(self, rows: tuple[int, ...]) -> int:
        n = len(rows)
        if n <= 2:
            return 2 * n - 1
        parts, own = self.counts(rows)
        if (parts[own] == n).any():  # found by the first guess, or by the second
            return 2 * n - 1
        if (parts == n).any() or (parts[own] == n - 1).any():
            return 2 * n
        return min(self.near(rows, Fraction(0)).values())

    def near(self, rows: tuple[int, ...], gap: Fraction) -> dict[int, int]:
        """All guesses whose total is less than so much above the least, with their totals."""
        n = len(rows)
        parts, own = self.counts(rows)
        # One code of each part but the winning one is found by the second guess, the others later.
        bounds = 3 * n - own - parts
        found: dict[int, int] = {}
        best = 10**9
        for guess in np.argsort(bounds, kind="stable").tolist():
            if bounds[guess] > best + gap:
                break
            if parts[guess] > 1:
                found[guess] = n + sum(self.least(part) for part in self.parts(rows, guess))
                best = min(best, found[guess])
        return {guess: total for guess, total in found.items() if total < best + gap or total == best}


def are_one_class(position: Position, members: list[Code]) -> bool:
    """Whether guesses are joined by equal parts and by permutations that turn every guess played into itself."""
    rules, codes = position.rules, position.candidates
    played = {color for turn in position.turns for color in turn.guess}
    fresh = [color for color in range(rules.colors) if color not in played]
    group = {code: place for place, code in enumerate(members)}

    def join(one: Code, other: Code) -> None:
        old, new = group[one], group[other]
        group.update({code: new for code, place in group.items() if place == old})

    cuts: dict[object, Code] = {}
    for code in members:
        labels = codes.score(code).tolist()
        cut = frozenset(
            (
                tuple(place for place, other in enumerate(labels) if other == label),
                code in codes and label == max(labels),
            )
            for label in labels
        )
        join(code, cuts.setdefault(cut, code))
    pegs = range(rules.pegs)
    for order in permutations(pegs):
        for names in permutations(fresh):
            renamed = dict(zip(fresh, names, strict=True)) | {rules.colors: rules.colors}
            if all(
                renamed.setdefault(turn.guess[order[peg]], turn.guess[peg]) == turn.guess[peg]
                for turn in position.turns
                for peg in pegs
            ) and len(set(renamed.values())) == len(renamed):
                for code in members:
                    image = tuple(renamed[code[order[peg]]] for peg in pegs)
                    if image in group and group[image] != group[code]:
                        join(code, image)
    return len(set(group.values())) == 1


def check_best_idea(everything: Everything, puzzle: TrainingPuzzle) -> None:
    """One class of guesses is best, all others are at least 0.10 guesses worse."""
    rows, n = everything.rows(puzzle.codes), len(puzzle.codes)
    near = everything.near(rows, Fraction(n, 10))
    members = sorted(everything.guesses[guess] for guess in near)

    assert everything.fitting(puzzle.position.turns) == set(puzzle.codes)
    assert members == sorted(puzzle.answers)
    assert set(near.values()) == {known(puzzle.best) * n}
    assert are_one_class(puzzle.position, members)


def check_second_idea(everything: Everything, puzzle: TrainingPuzzle) -> None:
    rows, n = everything.rows(puzzle.codes), len(puzzle.codes)
    wider = everything.near(rows, n * (known(puzzle.second) - known(puzzle.best)) + Fraction(1, 2))
    others = [total for guess, total in wider.items() if everything.guesses[guess] not in puzzle.answers]

    assert min(others) == known(puzzle.second) * n


def check_deduction(everything: Everything, puzzle: TrainingPuzzle) -> None:
    """One code fits, and without any one row more than one does."""
    turns = puzzle.position.turns

    assert everything.fitting(turns) == set(puzzle.answers) == set(puzzle.codes)
    assert len(puzzle.answers) == 1
    for row in range(len(turns)):
        assert len(everything.fitting(without(turns, row))) > 1


def check_wrong_row(everything: Everything, puzzle: TrainingPuzzle) -> None:
    """No code fits all rows, nor all but one other row, nor all with the feedbacks of two rows exchanged."""
    turns, row = puzzle.position.turns, puzzle.row
    assert row is not None

    assert [number for number in range(len(turns)) if everything.fitting(without(turns, number))] == [row]
    assert everything.fitting(without(turns, row)) == set(puzzle.codes)
    assert not everything.fitting(turns)
    assert all(everything.fitting([turn]) for turn in turns)
    assert all(label_of(turn.feedback, puzzle.position.rules) != everything.win for turn in turns)
    assert len({turn.guess for turn in turns}) == len(turns)
    for one, other in combinations(range(len(turns)), 2):
        exchanged = list(turns)
        exchanged[one] = Turn(turns[one].guess, turns[other].feedback)
        exchanged[other] = Turn(turns[other].guess, turns[one].feedback)

        assert not everything.fitting(exchanged)
    assert puzzle.mends
    for mend in puzzle.mends:
        assert mend != turns[row]
        assert everything.fitting([*turns[:row], mend, *turns[row + 1 :]])


def without(turns: Sequence[Turn], row: int) -> list[Turn]:
    return [turn for number, turn in enumerate(turns) if number != row]


@pytest.mark.parametrize("seed", often(1, range(4)))
def test_many_puzzles_have_one_solution_by_trying_everything(seed: int) -> None:
    everything, number = Everything(Rules.parse("4x6")), cases(10, 50)
    found = drawn("4x6", len(THEMES) * number, seed=seed)
    checks = {Theme.deduce: check_deduction, Theme.mend: check_wrong_row}
    for puzzle in found:
        checks.get(puzzle.theme, check_best_idea)(everything, puzzle)

    assert Counter(puzzle.theme for puzzle in found) == dict.fromkeys(THEMES, number)
    assert len({str(puzzle.position) for puzzle in found}) == len(found)


@pytest.mark.parametrize("board", often(3, BOARDS))
def test_each_puzzle_has_one_best_idea_by_trying_all_guesses(board: str) -> None:
    everything = Everything(Rules.parse(board))
    for theme in VALUED if board in TRAPPED else [*VALUED][:2]:
        for puzzle in drawn(board, 3, theme):
            check_best_idea(everything, puzzle)
            check_second_idea(everything, puzzle)


def test_one_code_fits_where_one_is_to_be_deduced_and_no_row_can_be_left_out() -> None:
    for board in ("2x4/positional", "3x6/blanks", "3x4/membership", "words:english"):
        everything = Everything(Rules.parse(board))
        for puzzle in drawn(board, 5, "deduce"):
            check_deduction(everything, puzzle)


def test_one_row_alone_can_be_the_wrong_one() -> None:
    for board in ("3x5/black", "4x5/positional", "3x6/membership", "words:english"):
        everything = Everything(Rules.parse(board))
        for puzzle in drawn(board, 5, "mend"):
            check_wrong_row(everything, puzzle)


def test_themes_are_what_they_say() -> None:
    for puzzle in drawn("4x6", 25):
        codes, answers = set(puzzle.codes), set(puzzle.answers)
        apart = {guess for guess in guesses("4x6") if len(puzzle.parts(guess)) == len(codes)}
        if puzzle.theme is Theme.split:
            assert 4 <= len(codes) <= 10
            assert apart == answers
        elif puzzle.theme is Theme.outside:
            assert 4 <= len(codes) <= 16
            assert codes.isdisjoint(answers)
        elif puzzle.theme is Theme.trap:
            alike = puzzle.look_alikes
            same = [peg for peg in range(4) if len({code[peg] for code in alike}) == 1]

            assert 4 <= len(codes) <= 16
            assert len(alike) >= 3
            assert len(same) == 3
            assert 3 * len(alike) >= len(codes)
            assert answers.isdisjoint(alike)
            assert all(known(puzzle.judge(code).loss) >= Fraction(1, 10) for code in alike)


def test_a_seed_gives_the_same_puzzles_and_all_differ() -> None:
    one, again, other = drawn("4x6", 15), drawn("4x6/limit=9", 15), drawn("4x6", 15, seed=2)

    assert one == again
    assert one != other
    assert len({puzzle.position for puzzle in one}) == len(one)
    assert Counter(puzzle.theme for puzzle in one) == dict.fromkeys(THEMES, 3)
    told = [str(puzzle.position) for puzzle in one[1:4]]
    assert told == ["CDDA XOO, CBDA XOO, DCFA XOO, FBEF O", "FDEE XOO, EDAF XXO", "FFBD XO, FDCA XXX"]


@pytest.mark.parametrize("mode", ["always", "no"])
def test_kernels_or_none_draw_the_same_puzzles(mode: str) -> None:
    themes = THEMES if mode == "always" else (Theme.deduce, Theme.mend)
    made = {theme: drawn("4x6", 3, theme, seed=5) for theme in themes}
    before = switch.use(mode)
    try:
        assert made == {theme: drawn("4x6", 3, theme, seed=5) for theme in themes}
    finally:
        switch.use(before)


def test_an_attempt_is_judged_by_what_it_loses() -> None:
    everything = Everything(Rules.parse("3x5"))
    for puzzle in drawn("3x5", 4, "split"):
        rows, n = everything.rows(puzzle.codes), len(puzzle.codes)
        for guess in everything.guesses[::7]:
            parts = everything.parts(rows, everything.guesses.index(guess))
            verdict = puzzle.judge(guess)
            tells_something = all(len(part) < n for part in parts)
            total = n + (sum(everything.least(part) for part in parts) if tells_something else n * known(puzzle.best))

            assert verdict.loss == Fraction(total) / n - known(puzzle.best)
            assert verdict.is_solved == (guess in puzzle.answers) == (known(verdict.loss) <= Fraction(2, 100))


def test_the_difficulty_is_the_share_of_the_players_that_fail() -> None:
    for puzzle in drawn("4x6", 10):
        if puzzle.theme is Theme.mend:
            assert puzzle.difficulty is None
            continue
        codes, answers = list(puzzle.position.candidates), set(puzzle.answers)
        rng = np.random.default_rng(0)
        fails = {
            "random": 1 - len(answers) / 1296,
            "first-consistent": codes[0] not in answers,
            "consistent": sum(code not in answers for code in codes) / len(codes),
            "optimal": 0,
        } | {
            name: codebreakers.get(name).guess(puzzle.position, rng) not in answers
            for name in ("minimax", "entropy", "parts")
        }

        assert dict(puzzle.failing) == fails
        assert puzzle.difficulty == pytest.approx(sum(fails.values()) / 7)


def test_the_difficulty_by_trial_is_that_by_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "DRAWS", 400)
    for puzzle in drawn("4x6", 4, "trap"):
        tried = dict(failing_by_trial(puzzle.position, set(puzzle.answers).__contains__, np.random.default_rng(1)))
        known_chances = dict(puzzle.failing)

        assert tried.keys() == known_chances.keys()
        for name, chance in known_chances.items():
            assert tried[name] == (pytest.approx(chance, abs=0.1) if name in {"random", "consistent"} else chance)


def test_hints_do_not_give_the_solution_away() -> None:
    for puzzle in drawn("4x6", 20):
        rules, told = puzzle.position.rules, [step.says for step in hints(puzzle)]
        shown = [format_code(code, rules) for code in puzzle.answers]

        assert len(told) >= 2
        if puzzle.theme in {Theme.deduce, Theme.outside}:
            assert not any(code in "\n".join(told) for code in shown)
        if puzzle.theme is Theme.mend:
            assert f"Row {int(known(puzzle.row)) + 1} is" not in "\n".join(told)
            assert f"Row {int(known(puzzle.row)) + 1} is wrong" in "\n".join(solution(puzzle))
        else:
            assert shown[0] in "\n".join(solution(puzzle))
        assert question(puzzle).endswith("?")


def test_what_cannot_be_trained_is_refused_in_a_sentence() -> None:
    refused = {
        ("4x6", "splits"): "there is no theme 'splits': it is deduce, split, outside, trap or mend",
        (
            "6x4/positional",
            "split",
        ): "puzzles of the theme split go by exact numbers of guesses, which the exact search "
        "cannot find for 6x4/positional; deduce and mend can be played",
        ("20x20", None): "puzzles are made for boards of at most 1,000,000 codes; 20x20 has more",
        ("1x1", None): "1x1 has a single code: there is nothing to find",
        ("2x4/prior=distinct", None): "puzzles are made for boards whose secrets are all alike; those of "
        "2x4/prior=distinct have weights",
        ("1x1000", None): "puzzles have 7 rows at most, too few to ask about the colors of 1x1000",
        ("2x2", "trap"): "no puzzle of the theme trap came up in 20 games on 2x2: try another theme or board",
    }
    for (board, theme), sentence in refused.items():
        with pytest.raises(EntropegError) as told:
            next(puzzles(board, theme))

        assert str(told.value) == sentence
    with pytest.raises(InputError, match="seed"):
        puzzles("4x6", seed=-1)
    puzzle = drawn("4x6", 1, "mend")[0]
    with pytest.raises(InputError, match="there is no row 9: name one from 1 to "):
        puzzle.judge_row(8)
    with pytest.raises(InputError, match="number of a row"):
        puzzle.judge("AABB")
    with pytest.raises(InputError, match="a guess, not a row"):
        drawn("4x6", 1, "split")[0].judge_row(0)


def test_hints_name_holes_too() -> None:
    for rules in ("2x2/blanks-in-secrets", "3x2/blanks-in-secrets"):
        for puzzle in drawn(rules, 6, "deduce"):
            secret = puzzle.answers[0]
            told = "\n".join([step.says for step in hints(puzzle)])

            assert ": ." not in told
            assert ("a blank" in told.partition("In the code: ")[2]) == (puzzle.position.rules.colors in secret)


def test_boards_without_exact_values_have_the_themes_that_need_none() -> None:
    assert themes_of("6x4/positional") == (Theme.deduce, Theme.mend)
    assert themes_of("4x6/positional") == THEMES
    assert themes_of("bulls-and-cows") == THEMES
    assert [puzzle.theme for puzzle in drawn("6x4/positional", 4)].count(Theme.mend) == 2


def test_a_board_with_few_puzzles_comes_to_an_end() -> None:
    found = list(puzzles("2x3", "split", seed=1))

    assert 1 <= len(found) < 40
    assert len({str(puzzle.position) for puzzle in found}) == len(found)


def test_the_mistakes_of_a_game_are_puzzles() -> None:
    game = Game(Rules.parse("4x6/limit=12"), Position("4x6", GAME).turns)
    found = list(own_mistakes([game, game]))
    marked = [turn for turn in review(game.position).turns if turn.mark in {"mistake", "blunder", "wasted"}]

    assert [puzzle.played for puzzle in found] == [turn.turn for turn in marked]
    for puzzle, turn in zip(found, marked, strict=True):
        assert puzzle.played is not None
        assert puzzle.best == turn.value.fraction
        assert puzzle.judge(puzzle.played.guess).loss == turn.loss.fraction
        assert not puzzle.judge(puzzle.played.guess).is_solved
        assert puzzle.judge(turn.best[0]).is_solved
        assert all(puzzle.judge(code).is_solved for code in puzzle.answers)
        assert all(0 <= chance <= 1 for _, chance in puzzle.failing)
        assert question(puzzle).endswith(" guesses: what is better?")
    assert list(own_mistakes([Position("4x6")])) == []


def test_a_puzzle_is_plain_data() -> None:
    for puzzle in [*drawn("4x6", 5), *own_mistakes([Position("4x6", GAME)])]:
        data = json.loads(json.dumps(puzzle.to_json()))

        assert data["theme"] == puzzle.theme.value
        assert Position(data["rules"], map(tuple, data["turns"])) == puzzle.position
        assert (data["row"] is not None) == (puzzle.theme is Theme.mend)


def test_a_series_goes_on_where_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = PuzzleSeries("3x4", "deduce", seed=1)
    expected, series = [whole[number] for number in (1, 2, 3)], PuzzleSeries("3x4", "deduce", seed=1)
    first = series[1]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("entropeg.train.puzzle_series.failing", interrupted)
        with pytest.raises(KeyboardInterrupt):
            series[2]

    assert expected == [first, series[2], series[3]]

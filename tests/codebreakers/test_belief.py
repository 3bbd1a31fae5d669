"""Boards that nobody can enumerate: messages against slow truth, color counts against all codes, games that end."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.codebreakers.belief.arrangements import ArrangementChains
from entropeg.codebreakers.belief.colors import ColorCounts
from entropeg.codebreakers.belief.distinct import Presence, draw_distinct
from entropeg.codebreakers.belief.player import LAST_BITS, WARM_BITS, Belief, Beliefs, peg_by_peg
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codes import check_code, random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code, from_label
from entropeg.kernels import belief as kernel
from entropeg.search.bounds import viaud_upper
from strategies import all_feedbacks

RNG = np.random.default_rng(0)


def law_of_sum(chances: list[float]) -> list[float]:
    """Return the chance of each number of successes, by going through all outcomes."""
    law = [0.0] * (len(chances) + 1)
    for outcome in product((0, 1), repeat=len(chances)):
        weight = np.prod([x if hit else 1 - x for hit, x in zip(outcome, chances, strict=True)])
        law[sum(outcome)] += float(weight)
    return law


@pytest.mark.parametrize("black", range(5))
def test_the_first_message_of_an_answer_is_the_likelihood_ratio_by_all_outcomes(black: int) -> None:
    # Only the last peg, which is spoken to first, is untouched by the others' messages.
    weights = np.random.default_rng(black).dirichlet(np.ones(3), size=4)
    guess = np.array([[0, 2, 1, 1]], np.int32)
    others = [float(weights[peg, guess[0, peg]]) for peg in range(3)]
    law = [0.0, *law_of_sum(others), 0.0]
    wanted = min(max(law[black] / max(law[black + 1], 1e-280), 1e-6), 1e6)
    ratios = np.ones((1, 4))
    answers = kernel.Answers(guess, np.array([black]), ratios)
    kernel.pass_blacks(weights, answers, np.arange(1), 1e-6, 0.0, kernel.MessageScratch.of(4))

    assert wanted**0.5 == pytest.approx(ratios[0, 3])


def test_the_first_message_of_a_color_count_is_the_likelihood_ratio_by_all_outcomes() -> None:
    weights = np.random.default_rng(7).dirichlet(np.ones(3), size=5)
    likely = np.ones((3, 4))
    likely[1] = [0.0, 0.5, 1.0, 0.2]
    law = law_of_sum(weights[:4, 1].tolist())
    wanted = sum(law[k] * likely[1, k + 1] for k in range(3)) / sum(law[k] * likely[1, k] for k in range(4))
    ratios = np.ones((5, 3))
    kernel.pass_colors(weights, ratios, likely, np.array([1]), 1e-6, kernel.MessageScratch.of(5))

    assert wanted**0.5 == pytest.approx(ratios[4, 1])
    assert np.ones(5) == pytest.approx(weights.sum(axis=1))
    assert (ratios[:, [0, 2]] == 1).all()


def test_hundreds_of_answers_that_agree_can_be_unlearned() -> None:
    # Of a peg sure of one color all weights were lost, and chances were 0 / 0, in a game of 2x300 without repeats.
    weights, scratch = np.full((1, 3), 1 / 3), kernel.MessageScratch.of(1)
    weights[0, 2] = 0
    asked, ratios, turns = np.zeros((400, 1), np.int32), np.ones((400, 1)), np.arange(400)
    sure = []
    for black in (1, 0):
        answers = kernel.Answers(asked, np.full(400, black), ratios)
        for _ in range(30):
            kernel.pass_blacks(weights, answers, turns, 1e-5, 0.0, scratch)
        sure.append(int(weights[0].argmax()))

    assert [0, 1] == sure
    assert np.isfinite(weights).all()
    assert weights[0, 2] == 0 < weights[0, :2].min()


def test_with_one_answer_beliefs_are_the_shares_of_codes_that_fit() -> None:
    rules = Rules.parse("4x3/black")
    position = Position(rules).after((0, 1, 1, 2), Feedback(2))
    beliefs = Beliefs(rules, passes=60, rows=10, restart=100, steps=0)
    beliefs.follow(position.turns)
    codes = np.array([list(code) for code in position.candidates])
    shares = np.array([np.bincount(codes[:, peg], minlength=3) / len(codes) for peg in range(4)])

    assert shares == pytest.approx(beliefs.weights, abs=1e-6)


@pytest.mark.parametrize("board", ["4x3", "3x5", "6x2", "5x4", "2x1"])
def test_the_list_of_color_counts_has_the_chances_that_all_codes_give(board: str) -> None:
    rules = Rules.parse(board)
    rng = np.random.default_rng(3)
    secret = random_secret(rules, rng)
    counts = ColorCounts(rules.pegs, rules.colors, most=10_000)
    left = list(product(range(rules.colors), repeat=rules.pegs))
    for _ in range(4):
        guess = random_guess(rules, rng)
        common = sum((Counter(guess) & Counter(secret)).values())
        counts.take(np.bincount(guess, minlength=rules.colors), common)
        left = [code for code in left if sum((Counter(guess) & Counter(code)).values()) == common]
        assert not counts.waiting

        of_all = Counter(tuple(code.count(color) for color in range(rules.colors)) for code in left)
        listed = {}
        for row, chance in zip(counts.rows.tolist(), counts.chances.tolist(), strict=True):
            full = counts.known.copy()
            full[counts.open] = row
            listed[tuple(full.tolist())] = chance

        assert {key: number / len(left) for key, number in of_all.items()} == pytest.approx(listed)


@pytest.mark.parametrize(("pegs", "colors"), [(40, 40), (60, 12), (20, 70)])
def test_color_counts_are_found_a_few_colors_at_a_time(pegs: int, colors: int) -> None:
    rng = np.random.default_rng(pegs)
    secret = np.bincount(rng.integers(colors, size=pegs), minlength=colors)
    counts = ColorCounts(pegs, colors, most=2000)
    asked = 0
    while not counts.settled:
        question = counts.question(rng)
        told = np.zeros(colors, np.int64)
        told[list(question)] = list(question.values())

        assert 1 <= told.sum() <= pegs
        assert len(counts.rows) <= 2000

        counts.take(told, int(np.minimum(told, secret).sum()))
        asked += 1

    assert secret.tolist() == counts.known.tolist()
    assert asked < 3 * colors


def test_answers_about_colors_that_wait_are_used_when_these_come_in() -> None:
    rng = np.random.default_rng(1)
    secret = np.bincount(rng.integers(30, size=30), minlength=30)
    counts = ColorCounts(30, 30, most=200)

    assert counts.waiting

    for _ in range(60):
        told = np.bincount(rng.integers(30, size=30), minlength=30)
        counts.take(told, int(np.minimum(told, secret).sum()))
    while not counts.settled:
        told = np.zeros(30, np.int64)
        for color, pegs in counts.question(rng).items():
            told[color] = pegs
        counts.take(told, int(np.minimum(told, secret).sum()))

    assert secret.tolist() == counts.known.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_chains_meet_every_code_that_fits_and_no_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    colors = np.array([0, 0, 1, 2, 3, 4, 4])
    secret = rng.permutation(colors)
    guesses = np.array([rng.permutation(colors) for _ in range(4)], np.int32)
    blacks = (guesses == secret).sum(axis=1)
    fitting = {
        code for code in set(permutations(colors.tolist())) if ((guesses == np.array(code)).sum(axis=1) == blacks).all()
    }
    chains = ArrangementChains(colors)
    met: set[Code] = set()
    for _ in range(20):
        chains.run(guesses, blacks, 40_000)
        met |= {tuple(code) for code in chains.fitting.tolist()}

    assert fitting == met


def followed(rules: Rules, seed: int) -> tuple[list[float], list[tuple[Position, NDArray[np.int16]]]]:
    """Bits that are open after each turn of a game, and the first codes of chains heard, with their positions."""
    rng = np.random.default_rng(seed)
    secret = random_secret(rules, rng)
    position = Position(rules)
    beliefs = Beliefs(rules, passes=16, rows=4096, restart=8, steps=200_000)
    bits, heard = [], []
    while not position.is_won and len(position.turns) < 120:
        guess = tuple(beliefs.next_guess(rng, 0.5, 0.2, 2).tolist())
        position = position.after(guess, score(guess, secret, rules))
        beliefs.follow(position.turns)
        bits.append(beliefs.open_bits)
        chains = beliefs.heard_chains()

        assert chains is None or bits[-1] < LAST_BITS
        assert beliefs.chains is None or min(bits) < WARM_BITS

        heard += [] if chains is None else [(position, chains.fitting[:3].copy())]

    assert position.is_won
    return bits, heard


def test_on_large_boards_chains_run_and_are_heard_in_the_last_turns_only() -> None:
    rules = Rules.parse("70x6")
    # A game without them ends before they find a code. Which games those are depends on how a processor rounds.
    games = (followed(rules, seed) for seed in range(1, 13))
    bits, heard = next(game for game in games if game[1])

    assert max(bits) > WARM_BITS
    assert all(
        score(turn.guess, tuple(code), rules) == turn.feedback
        for position, codes in heard
        for code in codes.tolist()
        for turn in position.turns
    )


def test_chains_find_a_code_of_thirty_pegs() -> None:
    rng = np.random.default_rng(4)
    secret = rng.integers(30, size=30)
    guesses = np.array([rng.permutation(secret) for _ in range(20)], np.int32)
    chains = ArrangementChains(np.sort(secret))
    for turns in range(1, 21):
        chains.run(guesses[:turns], (guesses[:turns] == secret).sum(axis=1), 100_000)

        assert len(chains.fitting)
        assert (
            (chains.fitting[:, None, :] == guesses[None, :turns]).sum(axis=2) == (guesses[:turns] == secret).sum(axis=1)
        ).all()
        assert (np.sort(chains.fitting, axis=1) == np.sort(secret)).all()


BOARDS = [
    "4x6",
    "3x3",
    "1x9",
    "9x1",
    "8x2",
    "12x12",
    "20x8",
    "8x30",
    "10x10/black",
    "6x5/blanks",
    "5x4/blanks-in-secrets",
]


@pytest.mark.parametrize("board", BOARDS)
def test_games_are_won_and_repeat_by_their_seed(board: str) -> None:
    rules, maker = Rules.parse(board), codemakers.get("honest")
    for seed in range(2):
        game = play(codebreakers.get("belief"), maker, rules, seed)

        assert game.outcome == "won"
        assert play(Belief(), maker, rules, seed) == game


def test_a_board_of_thirty_takes_far_fewer_guesses_than_the_proven_bound() -> None:
    rules, maker, breaker = Rules.parse("30x30"), codemakers.get("honest"), Belief()
    guesses = [len(play(breaker, maker, rules, seed)) for seed in range(2)]

    assert sum(guesses) / 2 < 60 < viaud_upper(30, 30) / 3


def test_it_keeps_the_promises_of_a_codebreaker() -> None:
    check_codebreaker(Belief())
    check_codebreaker(Belief(restart=2), Rules.parse("4x4/black"))


def test_memory_changes_no_guess() -> None:
    rules, breaker = Rules.parse("9x7"), Belief()
    secret = random_secret(rules, np.random.default_rng(5))
    position, positions = Position(rules), []
    while not position.is_won:
        positions.append(position)
        guess = breaker.guess(position, np.random.default_rng(len(position.turns)))
        position = position.after(guess, score(guess, secret, rules))
    for place in reversed(positions):
        fresh = pickle.loads(pickle.dumps(breaker))  # noqa: S301 (our own bytes)
        rng = np.random.default_rng(len(place.turns))

        assert position.turns[len(place.turns)].guess == fresh.guess(place, rng)


def test_it_takes_over_any_game() -> None:
    rules = Rules.parse("10x9")
    rng = np.random.default_rng(8)
    secret = random_secret(rules, rng)
    position = Position(rules)
    for _ in range(12):
        guess = random_guess(rules, rng)
        position = position.after(guess, score(guess, secret, rules))
    breaker = Belief()
    while not position.is_won:
        guess = breaker.guess(position, rng)
        position = position.after(guess, score(guess, secret, rules))

    assert secret == position.turns[-1].guess


@pytest.mark.parametrize("board", ["4x4", "6x6", "5x5/black", "3x9", "12x3"])
def test_a_codemaker_that_answers_at_random_is_caught_or_loses(board: str) -> None:
    rules = Rules.parse(board)
    feedbacks = all_feedbacks(rules)
    for seed in range(6):
        rng, position = np.random.default_rng(seed), Position(rules)
        breaker = Belief(patience=2)
        bound = 2 * (rules.pegs + rules.colors) + max(viaud_upper(rules.pegs, rules.colors), rules.pegs * rules.colors)
        try:
            while not position.is_won:
                guess = breaker.guess(position, rng)
                position = position.after_trusted(guess, feedbacks[rng.integers(len(feedbacks))])

                assert len(position.turns) <= bound + 2
        except ContradictionError:
            assert position.is_contradictory


@pytest.mark.parametrize(
    "board", ["1x1/black", "2x2/black", "2x2/no-repeats", "2x2/positional", "2x2/no-repeats/blanks"]
)
def test_where_every_secret_was_played_in_vain_it_stops(board: str) -> None:
    rules = Rules.parse(board)
    nothing = from_label(0, rules)
    position = Position(rules, [(secret, nothing) for secret in secrets(rules)])
    with pytest.raises(ContradictionError, match="every secret"):
        Belief().guess(position, RNG)


def test_a_last_code_is_found_that_was_not_played() -> None:
    rules = Rules.parse("23x1/no-repeats/blanks-in-secrets")
    *others, last = secrets(rules)

    assert (1,) * 23 == last
    assert last == Belief().guess(Position(rules, [(secret, Feedback(0, 0)) for secret in others]), RNG)


def test_a_lie_about_colors_ends_in_a_contradiction() -> None:
    position = Position(Rules.parse("40x30")).after((0,) * 40, Feedback(40 - 3, 0)).after((1,) * 40, Feedback(4, 0))
    with pytest.raises(ContradictionError, match="contradict"):
        answer_nothing(Belief(), position)


def answer_nothing(breaker: Belief, position: Position) -> None:
    for _ in range(2000):
        position = position.after_trusted(breaker.guess(position, RNG), Feedback(0, 0))


@pytest.mark.parametrize("board", ["4x5/black", "3x3/black", "5x2/black", "4x1/black", "2x3/black/blanks-in-secrets"])
def test_peg_by_peg_finds_every_secret_within_its_bound(board: str) -> None:
    rules = Rules.parse(board)
    for secret in product(range(rules.symbols_in_secrets), repeat=rules.pegs):
        position = Position(rules)
        while not position.is_won:
            guess: Code = peg_by_peg(position)
            position = position.after_trusted(guess, score(guess, secret, rules))

        assert len(position.turns) <= 2 + rules.pegs * (rules.symbols_in_secrets - 1)


def test_peg_by_peg_tells_a_contradiction() -> None:
    start = Position(Rules.parse("3x3/black")).after((0, 0, 0), Feedback(0))
    with pytest.raises(ContradictionError, match="more than one"):
        peg_by_peg(start.after((1, 0, 0), Feedback(2)))
    with pytest.raises(ContradictionError, match="no color for peg 1"):
        peg_by_peg(start.after((1, 0, 0), Feedback(0)).after((2, 0, 0), Feedback(0)))
    found = Position(Rules.parse("1x3/black")).after((0,), Feedback(0)).after((1,), Feedback(1))
    with pytest.raises(ContradictionError, match="not by turn"):
        peg_by_peg(found.after((2,), Feedback(1)))


@pytest.mark.parametrize("board", ["20x20", "12x12/black", "12x6/blanks", "12x12/membership", "12x14/no-repeats"])
def test_questions_that_are_improved_keep_to_the_rules_and_to_what_they_ask(board: str) -> None:
    rules = Rules.parse(board)
    rng = np.random.default_rng(2)
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(8):
        guess = random_guess(rules, rng)
        position = position.after(guess, score(guess, secret, rules))
    beliefs = Beliefs(rules, passes=8, rows=4096, restart=8, steps=0)
    beliefs.follow(position.turns)
    drafts = [draft.code.copy() for draft in beliefs.drafts(np.random.default_rng(5), 3)]
    again = beliefs.drafts(np.random.default_rng(5), 3)
    told = beliefs.regression()
    variances = [told.improve(draft, rng) for draft in again]

    assert all(check_code(tuple(draft.code.tolist()), rules) for draft in again)
    assert all(variance >= 0 for variance in variances)
    for before, draft in zip(drafts, again, strict=True):
        colors = Counter(before[draft.locked].tolist())

        assert colors == Counter(draft.code[draft.locked].tolist()) & colors


@pytest.mark.parametrize("rules", ["4x25/shapes=5"])
def test_rules_beyond_it_are_refused(rules: str) -> None:
    with pytest.raises(InputError, match="belief"):
        Belief().guess(Position(Rules.parse(rules)), RNG)


@pytest.mark.parametrize(
    "spec",
    [
        "belief:passes=0",
        "belief:greedy=2",
        "belief:early=-1",
        "belief:restart=0",
        "belief:steps=-1",
        "belief:starts=-1",
    ],
)
def test_parameters_without_meaning_are_refused(spec: str) -> None:
    with pytest.raises(InputError, match="must be"):
        codebreakers.get(spec)


# ------------------------------------------------------------------ no color twice


ONCE = [
    "8x10/no-repeats",
    "9x9/no-repeats",
    "6x20/no-repeats",
    "8x10/no-repeats/black",
    "8x10/no-repeats/membership",
    "8x10/no-repeats/guess-repeats",
    "8x10/no-repeats/guess-repeats/membership",
    "8x10/no-repeats/blanks",
    "8x10/no-repeats/blanks-in-secrets",
    "8x10/no-repeats/positional",
    "1x1/no-repeats",
]


@pytest.mark.parametrize("board", ONCE)
def test_boards_without_repeats_are_won_by_legal_guesses(board: str) -> None:
    for seed in range(2):
        game = play(Belief(), codemakers.get("honest"), Rules.parse(board), seed)

        assert ("won", True) == (game.outcome, len(game) <= 40)


@pytest.mark.parametrize(("board", "most"), [("30x40/no-repeats", 75), ("50x60/no-repeats", 125)])
def test_large_boards_without_repeats_take_about_two_guesses_a_peg(board: str, most: int) -> None:
    game = play(Belief(), codemakers.get("honest"), Rules.parse(board), 1)

    assert ("won", True) == (game.outcome, len(game) <= most)


@pytest.mark.parametrize("board", ["6x6/membership", "6x6/positional", "20x20/positional"])
def test_under_other_feedback_it_plays_by_the_blacks(board: str) -> None:
    assert play(Belief(), codemakers.get("honest"), Rules.parse(board), 1).outcome == "won"


@pytest.mark.parametrize(("pegs", "colors"), [(3, 7), (5, 7)])
def test_answers_about_single_colors_settle_which_occur(pegs: int, colors: int) -> None:
    present = Presence(pegs, colors)
    secret = set(range(pegs))
    chances = np.full((pegs, colors), 1 / colors)
    for color in range(colors - 1):
        present.take(np.array([color]), int(color in secret))
    for number in range(20):
        present.pass_messages(chances, np.ones_like(chances), 1e-5, number)

    assert [color in secret for color in range(colors)] == (present.likely[:, 1] > present.likely[:, 0]).tolist()
    assert present.fits(np.arange(pegs))
    assert not present.fits(np.arange(1, pegs + 1))


@pytest.mark.parametrize("free", [5, 4])
def test_different_columns_are_drawn_but_for_the_free_ones(free: int) -> None:
    spread = np.full((5, 5), 0.1)
    spread[:, 4] = 50
    drawn = [draw_distinct(spread, RNG, 0.5, free) for _ in range(20)]

    assert all(len(set(code.tolist())) == 5 for code in drawn) == (free == 5)


def test_where_no_color_repeats_a_lie_ends_in_a_contradiction_that_is_said_to_be_unproved() -> None:
    position = Position(Rules.parse("8x10/no-repeats"))
    with pytest.raises(ContradictionError, match="though that is not proved"):
        answer_nothing(Belief(patience=1), position)

"""The decoder of Forget 2011: its stages, its figures, its story, and what it does with a history that cannot be."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import codebreakers, codemakers
from entropeg.cli.commands import candidates as candidates_command
from entropeg.cli.commands import decode as decode_command
from entropeg.codebreakers.decoder.discrimination import DecoderCriterion, PairTable, choose, entropy_costs, join
from entropeg.codebreakers.decoder.explanation import count_equal, explain, format_partition, story
from entropeg.codebreakers.decoder.player import Decoder, Overture, overture_codes, probes
from entropeg.codes import CodeSet, format_code, guesses, parse_code, score, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Feedback, from_label, parse_feedback
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.symmetry import automorphisms, guess_kinds, kind_sizes, representatives
from strategies import positions, rules

RNG = np.random.default_rng(0)


def position_of(board: str, *turns: str) -> Position:
    game = Rules.parse(board)
    pairs = [turn.split(maxsplit=1) for turn in turns]
    return Position(game, [(parse_code(guess, game), parse_feedback(marks, game)) for guess, marks in pairs])


def lengths(spec: str, board: str) -> dict[int, int]:
    """Play every secret of a board, those with the same answers so far together."""
    game, breaker = Rules.parse(board), codebreakers.get(spec)
    found: Counter[int] = Counter()
    open_games = [(Position(game), secrets(game))]
    while open_games:
        position, left = open_games.pop()
        guess = breaker.guess(position, RNG)
        labels = left.score(guess)
        for label in np.unique(labels).tolist():
            here = np.flatnonzero(labels == label)
            if label == game.win_label:
                found[len(position.turns) + 1] += len(here)
            else:
                open_games.append((position.after_trusted(guess, from_label(label, game)), left.take(here)))
    return dict(sorted(found.items()))


def mean(histogram: dict[int, int]) -> float:
    return sum(turns * games for turns, games in histogram.items()) / sum(histogram.values())


# ------------------------------------------------------------------ the figures of the document


@pytest.mark.parametrize(("guess", "bits", "largest"), [("ABCD", 0.92, 2), ("BACD", 1.58, 1), ("ABDC", 1.58, 1)])
def test_the_three_codes_of_the_document_split_as_it_says(guess: str, bits: float, largest: int) -> None:
    game = Rules.parse("4x26")
    codes = CodeSet.of([parse_code(code, game) for code in ("ABCD", "ABDC", "BACD")], game)
    partition = Partition.of(codes, parse_code(guess, game))

    assert (bits, largest) == (round(partition.bits, 2), partition.largest)


def test_of_those_three_the_decoder_plays_one_that_splits_completely() -> None:
    game = Rules.parse("4x26")
    codes = CodeSet.of([parse_code(code, game) for code in ("ABCD", "ABDC", "BACD")], game)

    choices = [choose(codes, codes, "entropy"), choose(codes, codes, "minimax")]

    assert [("ABDC", 2), ("ABDC", 2)] == [(format_code(choice.guess, game), choice.equals) for choice in choices]


@pytest.mark.parametrize(("guess", "bits", "largest", "mark"), [("ABCD", 3.05, 312, "OO"), ("ABCC", 3.04, 276, "O")])
def test_the_first_guess_on_the_classic_board_brings_what_the_document_says(
    guess: str, bits: float, largest: int, mark: str
) -> None:
    game = Rules.parse("4x6")
    partition = Partition.of(secrets(game), parse_code(guess, game))

    assert bits == pytest.approx(partition.bits, abs=0.01)  # 3.057, which the document cuts to 3.05
    assert largest == partition.largest
    assert largest == partition.sizes[parse_feedback(mark, game)]


def test_the_hundred_codes_after_three_blacks_split_as_the_document_says() -> None:
    position = position_of("4x26", "ABCD XXX")
    shown = Counter(
        format_partition(Partition.of(position.candidates, code)) for code in position.candidates if len(set(code)) == 4
    )

    assert {"XXXX: 1, XXX: 24, XXO: 3, XX: 72": 88} == dict(shown)
    assert Partition.of(position.candidates, parse_code("ABCE", position.rules)).bits == pytest.approx(1.05, abs=0.005)


def test_of_twenty_four_like_codes_the_probe_is_the_next_code_of_the_overture() -> None:
    position = position_of("4x26", "ABCD XXX", "ABCE XXX")
    decision = Decoder().decide(position)
    splits = {
        format_code(code, position.rules): format_partition(Partition.of(position.candidates, code))
        for code in probes(position)
    }
    among_candidates = choose(position.candidates, position.candidates, "entropy")

    assert decision.choice is not None
    assert ("IJKL", False, 4) == (
        format_code(decision.guess, position.rules),
        decision.choice.is_candidate,
        decision.choice.equals,
    )
    assert len({splits[code] for code in ("IJKL", "MNOP", "QRST", "UVWX")}) == 1
    assert (24, "XXXX: 1, XXX: 23") == (
        among_candidates.equals,
        format_partition(Partition.of(position.candidates, among_candidates.guess)),
    )


def test_the_history_that_filled_the_memory_of_the_original_has_its_9720_codes() -> None:
    position = position_of("4x26", "IJKL O", "EFGH O", "ABCD O")
    decision = Decoder().decide(position)

    assert len(position.candidates) == 9720
    assert decision.guess in position.candidates


# ------------------------------------------------------------------ the overture


def test_the_overture_plays_all_colors_and_wraps_round() -> None:
    shown = {
        board: [format_code(code, Rules.parse(board)) for code in overture_codes(Rules.parse(board))]
        for board in ("4x6", "4x26", "4x3", "4x3/no-repeats/blanks-in-secrets")
    }

    assert {
        "4x6": ["ABCD", "EFAB"],
        "4x26": ["ABCD", "EFGH", "IJKL", "MNOP", "QRST", "UVWX", "YZAB"],
        "4x3": ["ABCA"],
        "4x3/no-repeats/blanks-in-secrets": ["ABC."],
    } == shown


@pytest.mark.parametrize(
    ("board", "turns", "end", "played"),
    [
        ("4x26", ("ABCD O", "EFGH X"), None, 2),
        ("4x26", ("ABCD XXXX",), "found", 1),
        ("4x6", ("ABCD O", "EFAB O"), "colors", 2),
        ("4x26", ("ABCD O", "EFGH X", "IJKL OO"), "all marks", 3),
        ("4x26", ("ABCD O", "EFGH X", "IJKL O"), "all marks but one", 3),
        ("4x26", ("ABCD XXX", "EFGH -"), "all marks but one", 1),
        ("4x26", ("ABCD O", "AAAA X"), "other guess", 1),
        ("1x9", (), None, 0),
    ],
)
def test_the_overture_ends_in_the_ways_of_the_document(
    board: str, turns: tuple[str, ...], end: str | None, played: int
) -> None:
    overture = Overture.of(position_of(board, *turns))

    assert (end, played) == (overture.end, overture.played)
    assert (end is None) == (overture.next is not None)


def test_probes_are_the_codes_of_the_overture_not_yet_played() -> None:
    position = position_of("4x26", "ABCD XXX", "MNOP -")

    assert ["EFGH", "IJKL", "QRST", "UVWX", "YZAB"] == [format_code(code, position.rules) for code in probes(position)]


def test_colors_known_not_to_occur_do_not_fill_the_last_code_of_the_overture() -> None:
    histories = [
        ("4x6", "ABCD -"),
        ("4x7", "ABCD -"),
        ("4x10", "ABCD -", "EFGH O"),
        ("4x6/black", "ABCD -"),
        ("4x6/no-repeats", "ABCD OO"),
    ]
    played = [
        format_code(Decoder().decide(position).guess, position.rules)
        for position in (position_of(*history) for history in histories)
    ]

    assert played == ["EFEF", "EFGE", "IJEF", "EFAB", "EFAB"]


# ------------------------------------------------------------------ the choice


def test_equal_entropies_are_equal_numbers_whatever_the_sizes() -> None:
    table = entropy_costs(1000)

    assert table[6] + 6 * table[1] == 2 * table[3] + 3 * table[2]
    assert table[12] == 3 * table[4] + 4 * table[3]
    assert np.allclose(table[1:] / table[2] * 2, np.arange(1, len(table)) * np.log2(np.arange(1, len(table))))


@settings(max_examples=60)
@given(st.data())
def test_the_choice_is_the_best_of_the_pool_by_a_slow_count(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=300, max_pegs=4, max_colors=6))
    position, _ = data.draw(positions(game, max_turns=2))
    criterion: DecoderCriterion = data.draw(st.sampled_from(["entropy", "minimax"]))
    codes = list(position.candidates)
    pool = join(position.candidates, probes(position))

    def measures(guess: tuple[int, ...]) -> tuple[float, float]:
        sizes = naive.partition(game.kind, guess, codes).values()
        cost = round(sum(size * np.log2(size) for size in sizes), 7)
        return (cost, max(sizes)) if criterion == "entropy" else (max(sizes), cost)

    expected = min(pool, key=lambda guess: (*measures(guess), guess not in codes, guess))

    assert expected == choose(position.candidates, pool, criterion).guess


@settings(max_examples=40)
@given(st.data())
def test_a_table_of_pairs_gives_the_sizes_that_scoring_gives(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=400, max_pegs=4, max_colors=6))
    position, _ = data.draw(positions(game, max_turns=1))
    table = PairTable(position.candidates, join(position.candidates, probes(position)))
    some = position.candidates.take(np.arange(0, len(position.candidates), 3))

    assert np.array_equal(some.part_sizes(some), table.part_sizes(some, some))


@pytest.mark.parametrize("spec", ["decoder", "decoder:criterion=minimax"])
def test_the_table_changes_no_guess(spec: str) -> None:
    plain, tabled = codebreakers.get(spec), codebreakers.get(spec + ("," if ":" in spec else ":") + "table=60")
    for turns in (("ABCD O",), ("ABCD OO", "EFAB O"), ("ABCD XO", "EFAB XO", "AEBD XO")):
        position = position_of("4x6", *turns)

        assert plain.guess(position, RNG) == tabled.guess(position_of("4x6", *turns), RNG)


@settings(max_examples=60)
@given(st.data())
def test_guesses_of_one_kind_split_alike_and_the_first_of_each_is_kept(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=1300, max_pegs=4, max_colors=8))
    position, _ = data.draw(positions(game, max_turns=2))
    kinds = guess_kinds(position)
    legal = guesses(game)

    def splits(codes: CodeSet) -> dict[tuple[int, ...], tuple[int, ...]]:
        first: dict[tuple[int, ...], tuple[int, ...]] = {}
        for code, sizes in zip(codes, position.candidates.part_sizes(codes).tolist(), strict=True):
            # Positional feedback is permuted with its colors only: compare the sizes, not their labels.
            first.setdefault(tuple(sorted(sizes)), code)
        return first

    assert kinds is not None
    assert splits(legal).keys() == splits(kinds).keys()
    assert set(kinds) <= set(legal)
    shared = splits(position.candidates)
    assert shared == splits(representatives(position, position.candidates))


@settings(max_examples=40)
@given(st.data())
def test_kinds_hold_every_guess_once_and_equal_guesses_are_counted_one_by_one(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=1300, max_pegs=4, max_colors=8))
    position, _ = data.draw(positions(game, max_turns=2))
    candidates = position.candidates
    kinds = guess_kinds(position)
    if len(candidates) <= 2 or kinds is None:
        return
    choice = Decoder("full").decide(position).choice

    assert choice is not None
    assert position.rules.guess_count == sum(kind_sizes(position, kinds))
    assert len(candidates) == sum(kind_sizes(position, representatives(position, candidates)))
    assert choose(candidates, guesses(position.rules), "entropy").equals == count_equal(position, choice)


def test_the_story_counts_guesses_not_kinds_of_guesses() -> None:
    told = str(explain(Position(Rules.parse("5x8")), Decoder("full")))

    assert told.endswith("3.24 bits, largest part 7,051, as good as 16,799 more")


def test_the_document_counts_the_candidates_for_which_one_was_compared() -> None:
    position = position_of("4x26", "IJKL O", "EFGH O", "ABCD O")
    candidates, choice = position.candidates, Decoder().decide(position).choice

    assert choice is not None
    assert choose(candidates, join(candidates, probes(position)), "entropy").equals == count_equal(position, choice)


def test_the_pegs_of_one_guess_can_be_permuted_with_its_colors_in_every_way() -> None:
    count = {
        turns: sum(1 for _ in automorphisms(position_of("4x26", *turns)))
        for turns in ((), ("ABCD O",), ("AABB O",), ("ABCD O", "EFGH O"), ("ABCD O", "ABDC O"), ("AAAB O",))
    }

    assert count == {
        (): 24,
        ("ABCD O",): 24,
        ("AABB O",): 8,
        ("ABCD O", "EFGH O"): 24,
        ("ABCD O", "ABDC O"): 4,
        ("AAAB O",): 6,
    }


# ------------------------------------------------------------------ whole games


@pytest.mark.parametrize(
    ("spec", "board", "original", "worst"),
    [
        ("decoder", "4x6", 4.497, 7),
        ("decoder:criterion=minimax", "4x6", 4.525, 7),
        ("decoder", "4x7", 4.835, 7),
        ("decoder:criterion=minimax", "4x7", 4.872, 7),
    ],
)
def test_over_all_secrets_it_is_as_good_as_the_original(spec: str, board: str, original: float, worst: int) -> None:
    found = lengths(spec, board)

    assert Rules.parse(board).secret_count == sum(found.values())
    assert mean(found) < original + 0.03
    assert worst == max(found)


@pytest.mark.parametrize(("spec", "total", "worst"), [("full", 5722, 6), ("full,criterion=minimax", 5777, 5)])
def test_with_any_probe_and_no_overture_it_is_clearly_better(spec: str, total: int, worst: int) -> None:
    found = lengths(f"decoder:{spec}", "4x6")

    assert (total, worst) == (sum(turns * games for turns, games in found.items()), max(found))


@pytest.mark.parametrize("spec", ["decoder", "decoder:full", "decoder:criterion=minimax+entropy"])
@pytest.mark.parametrize(
    "board",
    [
        "1x1",
        "1x9",
        "2x9",
        "4x3",
        "3x5/black",
        "3x5/membership",
        "3x5/positional",
        "4x6/no-repeats",
        "3x5/blanks",
        "3x3/no-repeats/blanks-in-secrets",
        "3x4/no-repeats/blanks",
        "3x4/no-repeats/guess-repeats",
    ],
)
def test_it_finds_every_secret_under_all_kinds_of_rules(spec: str, board: str) -> None:
    found = lengths(spec, board)

    assert Rules.parse(board).secret_count == sum(found.values())


@pytest.mark.parametrize("spec", ["decoder", "decoder:full", "decoder:criterion=minimax"])
def test_it_plays_on_twenty_six_colors(spec: str) -> None:
    game = Rules.parse("4x26")
    record = play(codebreakers.get(spec), codemakers.get("honest"), game, seed=3)

    assert record.outcome == "won"
    assert len(record) <= 13


def test_the_first_turns_by_minimax_and_the_rest_by_entropy() -> None:
    decoder = Decoder(criterion="minimax+minimax+entropy")
    used = [decoder.decide(position_of("4x6", *turns)).criterion for turns in ((), ("ABCD O",), ("ABCD O", "EFAB O"))]

    assert used == ["minimax", "minimax", "entropy"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("decoder:criterion=luck", "the criterion is 'luck'; it must be entropy or minimax"),
        ("decoder:half", "stages is 'half'; it must be one of document, full"),
        ("decoder:table=many", "table is 'many'; it must be a whole number"),
    ],
)
def test_parameters_that_cannot_be_are_refused(spec: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        codebreakers.get(spec)


def test_its_name_makes_an_equal_player() -> None:
    for spec in ("decoder", "decoder:full", "decoder:criterion=minimax+entropy", "decoder:stages=full,table=9"):
        player = codebreakers.get(spec)

        assert player == codebreakers.get(player.name)  # type: ignore[attr-defined]


def test_a_history_that_cannot_be_is_answered_with_the_turns_to_look_at() -> None:
    with pytest.raises(ContradictionError, match=r"turn 1 \(ABCD XX\) and turn 2 \(EFAB XXX\)"):
        Decoder().decide(position_of("4x6", "ABCD XX", "EFAB XXX"))


def test_a_board_out_of_reach_says_how_far_it_came() -> None:
    position = position_of("12x12", "ABCDEFGHIJKL XXOOOOOOOO")

    with pytest.raises(TooLargeError, match=r"on 12x12 after 1 turn .* [\d,]+"):
        Decoder().decide(position)


def test_after_the_guess_of_somebody_else_it_goes_on_from_there() -> None:
    early, late = position_of("12x20", "AAAAAABBBBBB XO"), position_of("4x26", "AABB XX", "CCDD X")

    assert ("overture", overture_codes(early.rules)[0]) == (
        Decoder().decide(early).stage,
        Decoder().decide(early).guess,
    )
    assert Decoder().decide(late).stage == "endgame"


# ------------------------------------------------------------------ the story


def test_the_story_of_a_game_tells_guess_stage_codes_and_partition() -> None:
    told = "\n".join(map(str, story(position_of("4x26", "ABCD XXX", "ABCE XXX"))))

    first = (
        "   XXXX: 1, XXX: 100, XXOO: 6, XXO: 288, XX: 3,456, XOOO: 8, XOO: 852, XO: 12,972, X: 48,668, OOOO: 9, "
        "OOO: 1,016, OO: 21,672, O: 133,672, -: 234,256"
    )

    assert told.splitlines() == (
        [
            "1. ABCD XXX",
            "   overture; 456,976 codes are left",
            first,
            "   1.81 bits, largest part 234,256",
            "2. ABCE XXX",
            "   endgame by entropy (the marks add up to all pegs but one); 100 codes are left",
            "   the decoder would play YZAB",
            "   XXXX: 1, XXX: 24, XXO: 3, XX: 72",
            "   1.05 bits, largest part 72",
            "3. IJKL",
            "   endgame by entropy (the marks add up to all pegs but one); 24 codes are left",
            "   X: 1, O: 3, -: 20",
            "   0.79 bits, largest part 20, a probe, as good as 3 more",
        ]
    )


def test_a_story_on_a_vast_board_counts_what_it_does_not_list() -> None:
    start = explain(Position(Rules.parse("20x20")))

    assert (20**20, None, "overture") == (start.candidates, start.partition, start.decision.stage)


def test_the_explanation_as_data_holds_the_same_facts() -> None:
    found = explain(position_of("4x26", "ABCD XXX"), guess=(0, 1, 2, 4), answer=Feedback(3)).to_json()

    assert {"XXXX": 1, "XXX": 24, "XXO": 3, "XX": 72} == found["partition"]
    assert ("ABCE", "XXX", "YZAB", 100, 72) == (
        found["guess"],
        found["answer"],
        found["decoder"],
        found["candidates"],
        found["largest"],
    )


# ------------------------------------------------------------------ the commands


def test_the_command_candidates_counts_and_shows_the_first() -> None:
    result = CliRunner().invoke(candidates_command.command, ["4x26", "ABCD O", "EFGH O", "IJKL O", "--limit", "3"])

    assert result.output == "9,720 codes are left\nBEBI BEBJ BEBK ...\n"


def test_the_command_candidates_gives_data_too() -> None:
    result = CliRunner().invoke(candidates_command.command, ["4x6", "AABB XXX", "ABBB 2b", "--json"])
    position = position_of("4x6", "AABB XXX", "ABBB XX")

    assert {
        "rules": "4x6",
        "rows": ["AABB XXX", "ABBB XX"],
        "count": len(position.candidates),
        "codes": [format_code(code, position.rules) for code in position.candidates],
        "more": False,
        "method": "built",
        "says": "all codes in order",
    } == json.loads(result.output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["4x6", "AABB"], "the turn 'AABB' is not a guess and its feedback"),
        (["4x6", "AABB XOX!"], "'XOX!' is not a feedback"),
        (["4x6", "AAB X"], "the turn 'AAB X': 'AAB' has 3 pegs"),
        (["4x6", "AABB XX", "CCDD XXX"], r"turn 1 \(AABB XX\) and turn 2 \(CCDD XXX\)"),
    ],
)
def test_the_command_candidates_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(candidates_command.command, arguments)

    with pytest.raises(InputError, match=message):
        raise result.exception or AssertionError(result.output)


def test_the_command_decode_tells_a_game_to_its_end() -> None:
    result = CliRunner().invoke(decode_command.command, ["4x6", "--secret", "FACE", "--criterion", "minimax"])
    lines = [line for line in result.output.splitlines() if line[0].isdigit()]

    assert lines[0] == "1. ABCD XO"
    assert lines[-1].endswith("FACE XXXX")
    assert f"{len(lines)}." == lines[-1].split()[0]


def test_the_command_decode_goes_on_from_turns_already_played() -> None:
    result = CliRunner().invoke(decode_command.command, ["4x26", "ABCD XXX", "ABCE XXX", "--secret", "ABCM", "--json"])
    turns = [json.loads(line) for line in result.output.splitlines()]
    game = Rules.parse("4x26")

    assert [1, 2, 3] == [turn["turn"] for turn in turns[:3]]
    assert ("IJKL", "-", "ABCM", "XXXX") == (
        turns[2]["guess"],
        turns[2]["answer"],
        turns[-1]["guess"],
        turns[-1]["answer"],
    )
    assert all(turn["answer"] == result_of(turn["guess"], "ABCM", game) for turn in turns if turn["guess"] is not None)


def result_of(guess: str, secret: str, game: Rules) -> str:
    from entropeg.feedback import format_feedback

    return format_feedback(score(parse_code(guess, game), parse_code(secret, game), game))


def test_every_permutation_of_pegs_is_considered_up_to_six() -> None:
    position = Position(Rules.parse("6x6"))

    assert len(list(permutations(range(6)))) == sum(1 for _ in automorphisms(position))

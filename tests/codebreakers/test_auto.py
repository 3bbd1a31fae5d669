"""Auto: which strategy plays which board, what it says of it, and that the commands play the largest boards by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play
from entropeg.advise.quick import Adviser
from entropeg.cli import group
from entropeg.codebreakers import auto
from entropeg.codebreakers.auto import STRATEGIES, Auto
from entropeg.codebreakers.check import check_codebreaker
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.registry import PlayerRow
from entropeg.rules import FeedbackKind
from entropeg.sessions.breaking import BreakSession
from entropeg.sessions.playing import PlaySession
from entropeg.words import WordList

RNG = np.random.default_rng(1)


@dataclass(frozen=True)
class StandIn:
    """A strategy that is known by name only: it plays ones, or refuses."""

    refusal: ClassVar[type[InputError] | None] = None

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Play a code of ones, or refuse."""
        if self.refusal is not None:
            raise self.refusal("these rules are not for me")
        return (1,) * position.rules.pegs


class Refusing(StandIn):
    """A strategy that refuses every board."""

    refusal = InputError


class Contradicted(StandIn):
    """A strategy that sees a contradiction."""

    refusal = ContradictionError


@pytest.fixture
def strategies(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, PlayerRow]]:
    """Put stand-ins in the place of every strategy of the ladder."""
    table = dict(codebreakers.registry.rows)
    table |= {each.name: replace(table[each.name], target=f"{__name__}:StandIn") for each in STRATEGIES}
    monkeypatch.setattr(codebreakers.registry, "rows", table)
    auto._player.cache_clear()
    yield table
    auto._player.cache_clear()


QUICK = "sampling:steps=500000,tries=500"

TABLE = {
    # board: by 0.05, 1 and 30 seconds a turn
    "4x6": ("entropy", "entropy", "entropy"),
    "6x9": ("sampling", "sampling", "sampling"),
    "7x10": ("sampling", "sampling", "sampling"),
    "8x12": ("sampling", "sampling", "sampling"),
    "10x10": ("sampling", "sampling", "sampling"),
    "12x12": (QUICK, "sampling", "sampling"),
    "15x15": (QUICK, "sampling", "sampling"),
    "20x20": (QUICK, "sampling", "sampling"),
    "30x30": ("belief", "sampling", "sampling"),
    "50x50": ("belief", "belief", "belief"),
    "100x100": ("belief", "belief", "belief"),
    "110x110": ("belief", "belief", "belief"),
    "111x111": ("linear", "linear", "linear"),
    "50x40": ("linear", "linear", "linear"),
    "50x41": ("belief", "belief", "belief"),
    "50x40/black": ("belief", "belief", "belief"),
    "200x200": ("linear", "linear", "linear"),
    "200x200/no-repeats": ("belief", "belief", "belief"),
    "1000x1000": ("linear", "linear", "linear"),
    # no color twice
    "4x10/no-repeats": ("entropy", "entropy", "entropy"),
    "20x20/no-repeats": (QUICK, "sampling", "sampling"),
    "30x40/no-repeats": ("belief", "sampling", "sampling"),
    "50x60/no-repeats": ("belief", "belief", "belief"),
    "100x120/no-repeats": ("belief", "belief", "belief"),
    "300x300/no-repeats/guess-repeats": ("linear", "linear", "linear"),
    "1000x1000/no-repeats": ("belief", "belief", "belief"),
    # other feedback
    "20x20/black": (QUICK, "sampling", "sampling"),
    "100x100/black": ("belief", "belief", "belief"),
    "1000x1000/black": ("linear", "linear", "linear"),
    "20x20/membership": (QUICK, "sampling", "sampling"),
    "50x50/membership": ("belief", "belief", "belief"),
    "4x300/membership": ("evolutionary", "evolutionary", "evolutionary"),
    "8x12/positional": ("place", "place", "place"),
    "20x6/positional": ("place", "place", "place"),
    "20x20/hard": ("place", "place", "place"),
    "50x50/positional": ("place", "place", "place"),
    "200x200/no-repeats/positional": ("place", "place", "place"),
    "1000x1000/positional": ("place", "place", "place"),
    "5000x5000/positional": ("place", "place", "place"),
    # few pegs and many colors, many pegs and few colors
    "1x1": ("entropy", "entropy", "entropy"),
    "1x1000": ("entropy", "entropy", "entropy"),
    "1000x1": ("entropy", "entropy", "entropy"),
    "2x300": ("dichotomy", "dichotomy", "dichotomy"),
    "2x254/black": ("sampling", "sampling", "entropy"),
    "2x1000": ("dichotomy", "dichotomy", "dichotomy"),
    "3x300": ("belief", "belief", "belief"),
    "2x255/black": ("consistent", "consistent", "entropy"),
    "2x1000/positional": ("place", "place", "place"),
    "2x1000/no-repeats": ("consistent", "consistent", "consistent"),
    "2x1001/membership": ("evolutionary", "evolutionary", "evolutionary"),
    "4x1000": ("belief", "belief", "belief"),
    "4x200": ("sampling", "sampling", "sampling"),
    "50x10": ("linear", "linear", "linear"),
    "100x50/black": ("linear", "linear", "linear"),
    "300x2": ("linear", "linear", "linear"),
    "100x2": ("linear", "linear", "linear"),
}


@pytest.mark.parametrize("board", TABLE)
def test_each_board_has_its_strategy_at_each_time(board: str) -> None:
    assert TABLE[board] == tuple(chosen(board, time) for time in (0.05, 1.0, 30.0))


KINDS = ("", "/black", "/membership", "/positional")
FORMS = ("", "/no-repeats", "/no-repeats/guess-repeats", "/blanks", "/no-repeats/blanks-in-secrets")


@pytest.mark.parametrize("size", ["2x3", "8x12", "20x20", "40x50", "250x300", "2x400", "60x60"])
@pytest.mark.parametrize("time", [0.01, 10.0])
def test_what_it_chooses_knows_the_rules_and_nothing_is_refused(size: str, time: float) -> None:
    for form in FORMS:
        for kind in KINDS:
            rules = Rules.parse(size + form + kind)
            choice = Auto(time).choose(Position(rules))

            assert auto.knows(choice.spec.partition(":")[0], rules)


KNOWN_KINDS = [kind for kind in FeedbackKind if kind.about.is_symmetric]
HARD = [f"{size}{form}/hard" for size in ("8x12", "20x20", "60x60") for form in FORMS]


@pytest.mark.parametrize("time", [1e-6, 0.01, 1.0, 30.0])
def test_whoever_throws_marks_away_never_stands_before_one_that_uses_them(time: float) -> None:
    sizes = ["2x400", "4x300", "8x12", "14x16", "20x20", "30x30", "31x31", "40x40", "50x60", "120x140", "500x600"]
    boards = [size + form + f"/{kind.name}" * (kind > 0) for size in sizes for form in FORMS for kind in KNOWN_KINDS]
    for board in [*boards, *HARD]:
        rules = Rules.parse(board)
        order = [choice.spec for choice in Auto(time)._in_order(rules)]
        uses = {each.spec: rules.feedback in each.uses for each in STRATEGIES}
        heard = [uses[spec] for spec in order]

        assert heard == sorted(heard, reverse=True)
        assert set(order) == {each.spec for each in STRATEGIES if each.reaches(rules)}


def test_marks_by_place_are_used_on_every_board_and_under_hard_rules() -> None:
    for board in ["8x12/positional", "31x31/positional", "300x20/positional", "2x400/positional", *HARD]:
        rules = Rules.parse(board)

        assert "place" == next(Auto()._in_order(rules)).spec.partition(":")[0]


LAWFUL = ["1x1", "1x9", "3x1", "4x6", "2x300", "2x9999", "3x300", "8x12", "20x20", "30x30", "31x31", "64x40"]
LAWFUL += ["101x101", "300x20", "400x410", "1000x1000", "2000x2"]


@pytest.mark.parametrize("size", LAWFUL)
def test_every_board_has_a_player_that_uses_all_that_an_answer_tells(size: str) -> None:
    """But for `membership` beyond the reach of `sampling`."""
    uses = {each.spec: each.uses for each in STRATEGIES}
    for text in [size + form + kind for form in FORMS for kind in (*KINDS, "/hard")]:
        try:
            rules = Rules.parse(text)
        except InputError:  # more pegs than colors without repeats
            continue
        spec = Auto().choose(Position(rules)).spec
        heard = spec in {"entropy", "consistent"} or rules.feedback in uses[spec]

        assert heard or (rules.feedback == FeedbackKind.membership and (rules.pegs > 30 or rules.colors > 254))


@pytest.mark.parametrize("kind", KNOWN_KINDS)
@pytest.mark.parametrize(("pegs", "words"), [(1, 3), (12, 200), (31, 100), (300, 20)])
def test_words_are_found_by_their_list_whatever_may_be_guessed(pegs: int, words: int, kind: FeedbackKind) -> None:
    # By `linear` and `dichotomy`, which know nothing of the list, 31 letters took 62 guesses; `hard` was refused.
    drawn = np.random.default_rng(5).integers(26, size=(words, pegs))
    listed = WordList.of(sorted({"".join(chr(97 + letter) for letter in word) for word in drawn}), free=True)
    for hard in (False, True) if kind == FeedbackKind.positional else (False,):
        assert len(play(Auto(), "honest", Rules(words=listed, feedback=kind, hard=hard), seed=1)) <= 8


def test_of_the_players_of_large_boards_one_alone_claims_to_use_marks_by_place() -> None:
    # tests/codebreakers/test_place.py moves whites, and sees which of their guesses move.
    spec = {each.spec.partition(":")[0]: each.uses for each in STRATEGIES}

    assert FeedbackKind.positional not in spec["belief"] | spec["linear"] | spec["sampling"] | spec["dichotomy"]
    assert {FeedbackKind.positional} == spec["place"]


@pytest.mark.parametrize(
    "board",
    [
        "1000x1",
        "4x300",
        "2x255/no-repeats",
        "9x12/positional",
        "12x14/no-repeats/positional",
        "120x2",
        "20x25/no-repeats/black",
    ],
)
def test_strange_boards_are_won_by_the_strategy_that_was_chosen(board: str) -> None:
    rules, player = Rules.parse(board), Auto(0.02)
    first = player.choose(Position(rules)).spec
    assert player.decide(Position(rules), np.random.default_rng(1)).spec == first

    assert play(player, codemakers.get("honest"), rules, seed=1).outcome == "won"


def chosen(text: str, time: float = 1.0) -> str:
    return Auto(time).choose(Position(Rules.parse(text))).spec


@pytest.mark.usefixtures("strategies")
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4x6", "entropy"),
        ("4x10/no-repeats", "entropy"),
        ("4x6/positional", "entropy"),
        ("6x9", "sampling"),
        ("8x12", "sampling"),
        ("20x20", "sampling"),
        ("30x30", "sampling"),
        ("50x50", "belief"),
        ("110x110", "belief"),
        ("200x200", "linear"),
        ("1000x1000", "linear"),
    ],
)
def test_the_board_decides_who_plays(text: str, name: str) -> None:
    assert name == chosen(text)


@pytest.mark.usefixtures("strategies")
def test_the_time_decides_too() -> None:
    assert ("sampling", "linear", "dichotomy") == (chosen("20x20", 1.0), chosen("120x80", 0.01), chosen("9x12", 1e-6))
    assert "it may take more than 1e-09 s a turn" in Auto(1e-9).choose(Position(Rules.parse("20x20"))).reason
    assert ("sampling", "entropy") == (chosen("5x8", 0.02), chosen("5x8", 10.0))


@pytest.mark.usefixtures("strategies")
def test_few_codes_left_are_weighed_exactly() -> None:
    position = Position(
        Rules.parse("6x9"), [((0, 0, 1, 1, 2, 2), Feedback(3, 1)), ((0, 0, 1, 3, 2, 4), Feedback(4, 0))]
    )
    choice = Auto().choose(position)

    assert choice.spec == "entropy"
    assert f"{len(position.candidates):,} codes are left" in choice.reason


def test_a_strategy_that_does_not_exist_yet_is_passed_over(
    strategies: dict[str, PlayerRow],
) -> None:
    del strategies["sampling"]

    assert chosen("20x20") == "belief"


def test_a_strategy_that_refuses_is_passed_over_and_the_one_that_played_is_named(
    strategies: dict[str, PlayerRow],
) -> None:
    strategies["sampling"] = PlayerRow(f"{__name__}:Refusing")
    found = Auto().decide(Position(Rules.parse("20x20")), RNG)

    assert (found.guess, found.spec) == ((1,) * 20, "belief")
    assert "about 10^26 codes" in found.reason


def test_where_every_strategy_refuses_it_says_what_each_said(strategies: dict[str, PlayerRow]) -> None:
    for each in STRATEGIES:
        strategies[each.name] = PlayerRow(f"{__name__}:Refusing")
    with pytest.raises(TooLargeError, match=r"no strategy reaches 50x50: belief \(these rules are not for me"):
        Auto().guess(Position(Rules.parse("50x50")), RNG)


def test_a_contradiction_ends_the_game(strategies: dict[str, PlayerRow]) -> None:
    strategies["sampling"] = PlayerRow(f"{__name__}:Contradicted")
    with pytest.raises(ContradictionError):
        Auto().guess(Position(Rules.parse("20x20")), RNG)


def test_one_player_plays_all_turns_of_a_game(strategies: dict[str, PlayerRow]) -> None:
    assert auto._player("belief") is auto._player("belief")


@pytest.mark.parametrize("text", ["1x1", "4x6", "4x6/no-repeats", "3x4/positional", "3x10/shapes=5"])
def test_every_board_that_can_be_listed_is_won(text: str) -> None:
    assert play(Auto(), codemakers.get("honest"), Rules.parse(text), seed=1).outcome == "won"


@pytest.mark.parametrize("text", ["8x12", "9x12/black", "60x60"])
def test_boards_that_cannot_be_listed_are_won(text: str) -> None:
    assert play(Auto(0.2), codemakers.get("honest"), Rules.parse(text), seed=1).outcome == "won"


def test_it_keeps_its_promises() -> None:
    check_codebreaker(codebreakers.get("auto"))


@pytest.mark.parametrize("spec", ["auto:time=0", "auto:time=-1", "auto:time=long"])
def test_a_time_that_is_none_is_refused(spec: str) -> None:
    with pytest.raises(InputError):
        codebreakers.get(spec)


# ------------------------------------------------------------------ at the prompt


@pytest.mark.usefixtures("strategies")
@pytest.mark.parametrize("codebreaker", ["auto", "adviser"])
def test_break_says_who_plays_once(codebreaker: str) -> None:
    player: Any = Auto() if codebreaker == "auto" else Adviser()
    session = BreakSession(Rules.parse("20x20"), player, seed=1)
    started = [line.text for line in session.start()]
    answered = [line.text for line in session.handle("1b0w")]

    assert any("sampling plays: 20x20 has about 10^26 codes" in line for line in started)
    assert answered == ["turn 2: I guess BBBBBBBBBBBBBBBBBBBB"]


@pytest.mark.usefixtures("strategies")
def test_a_hint_names_the_strategy_where_nothing_can_be_listed() -> None:
    session = PlaySession(Rules.parse("20x20"), codemakers.get("honest"), seed=1)
    said = [line.text for line in session.handle("hint")]

    assert said[0] == "Try BBBBBBBBBBBBBBBBBBBB."
    assert said[1].startswith("(sampling: 20x20 has about 10^26 codes")


def test_the_commands_play_boards_that_cannot_be_listed() -> None:
    for arguments, typed in (
        (["break", "--rules", "8x12", "--seed", "1"], "-\n2 1\nquit\n"),
        (["break", "--rules", "100x100", "--seed", "1"], "1 0\nquit\n"),
        (["play", "--rules", "20x20", "--seed", "1"], "hint\nquit\n"),
    ):
        result = CliRunner().invoke(group, arguments, input=typed)

        assert result.exit_code == 0, result.output
        assert "I guess" in result.output or "Try " in result.output


def test_on_small_boards_the_adviser_says_nothing_of_strategies() -> None:
    session = BreakSession(Rules.parse("4x6"), Adviser(), seed=1)

    assert not any("plays" in line.text for line in session.start())


def test_left_shows_a_sample_where_the_codes_cannot_be_listed() -> None:
    session = PlaySession(Rules.parse("20x20"), codemakers.get("honest"), seed=1)
    said = [line.text for line in session.handle("left")]

    assert said[0] == (
        "more codes are left than can be listed; a sample of 6 codes that fit: drawn from all codes of the board"
    )
    assert len(" ".join(said[1:]).split()) == 6


@pytest.mark.parametrize("spec", ["sampling", "montecarlo", "entropy", "consistent"])
def test_a_board_beyond_reach_is_refused_with_who_plays_it(spec: str) -> None:
    with pytest.raises(TooLargeError, match=r"`(linear|auto)`"):
        codebreakers.get(spec).guess(Position(Rules.parse("300x300")), RNG)


def test_a_board_that_cannot_be_written_down_is_refused_in_words() -> None:
    with pytest.raises(InputError, match=r".2x1000000. is too large a board: pegs and colors go up to 999999"):
        Rules.parse("2x1000000")

"""Sessions as stories: lines typed, lines shown, without any terminal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from entropeg import codebreakers, codemakers
from entropeg.advise import Advice, Notes, advise, quick
from entropeg.advise.contradictions import fitting_answers
from entropeg.advise.quick import Adviser, advise_at_once
from entropeg.codes import format_code, score
from entropeg.errors import EntropegError, InputError, TooLargeError
from entropeg.feedback import Code, Feedback, format_feedback
from entropeg.game import Game
from entropeg.kernels.switch import can_compile
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.sessions.breaking import BreakSession, find_codebreaker
from entropeg.sessions.dialog import Session
from entropeg.sessions.playing import PlaySession

CLASSIC = Rules.parse("classic")


def playing(rules: str = "classic", codemaker: str = "honest:ABCD", seed: int = 1) -> PlaySession:
    return PlaySession(Rules.parse(rules), codemakers.get(codemaker), seed)


def breaking(rules: str = "4x6", codebreaker: str = "first-consistent", seed: int = 1) -> BreakSession:
    return BreakSession(Rules.parse(rules), codebreakers.get(codebreaker), seed)


def told(session: Session, *typed: str) -> list[str]:
    """Type lines and return the last answer as text."""
    for line in typed[:-1]:
        session.handle(line)
    return [line.text for line in session.handle(typed[-1])]


def test_a_guess_is_answered_and_the_right_one_ends_the_game() -> None:
    session = playing()

    assert told(session, "aabb") == [" 1  AABB  XO"]
    assert told(session, "a b c d") == [" 2  ABCD  XXXX", "Found in 2 guesses."]
    assert session.over
    assert session.game().outcome == "won"


def test_the_last_guess_of_the_limit_loses_and_shows_the_secret() -> None:
    session = playing("4x6/limit=2")

    assert told(session, "aaaa", "bbbb") == ["2  BBBB  X", "Lost after 2 guesses. The secret was ABCD."]
    assert session.over


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("aab", "'AAB' has 3 pegs"),
        ("aabbc", "'AABBC' has 5 pegs"),
        ("aabz", "peg 4 is 'z', which is not a color"),
        ("hnit", "did you mean the command hint?"),
        ("advice", "advice is no command here: did you mean hint?"),
        ("Resign", "resign is no command here: did you mean give up?"),
        ("conseil", "conseil is no command here: did you mean hint?"),
        ("aabb xo", "here the machine answers: type AABB alone (entropeg assist helps with games played elsewhere)"),
        ("guess aabb 1 1", "here the machine answers: type AABB alone"),
        ("xo", "here the machine answers, and you guess: type a code, as FDDB"),
        ("undo", "there is no turn to take back"),
        ("left over", "nothing follows 'left'"),
        ("save", "save where?"),
        ("guess", "guess what?"),
    ],
)
def test_what_cannot_be_played_is_told_and_changes_nothing(typed: str, said: str) -> None:
    session = playing()
    (line,) = session.handle(typed)

    assert line.tone == "error"
    assert said in line.text
    assert session.position == Position(CLASSIC)
    assert not session.over


def test_empty_lines_say_nothing() -> None:
    assert playing().handle("   ") == []


def test_undo_takes_back_a_turn_and_the_same_guess_gets_the_same_answer() -> None:
    session = playing(codemaker="cheat", seed=5)
    first = told(session, "AABB", "CCDD")

    assert told(session, "undo") == ["turn 2 is taken back"]
    assert told(session, "CDEF", "undo", "CCDD") == first


@pytest.mark.parametrize("codemaker", ["honest", "cheat"])
def test_with_undo_in_between_the_codemaker_answers_as_in_a_game_of_the_loop(codemaker: str) -> None:
    class Scripted:
        """Plays the first-consistent guesses, as the person below does."""

        def guess(self, position: Position, rng: np.random.Generator) -> tuple[int, ...]:
            return position.candidates[0]

    game = play(Scripted(), codemakers.get(codemaker), CLASSIC, seed=11)
    session = playing(codemaker=codemaker, seed=11)
    for turn in game.turns:
        told(session, "FEDC", "undo", "".join("ABCDEF"[color] for color in turn.guess))

    assert session.position.turns == game.turns


def test_against_the_cheat_a_code_that_fits_is_shown_at_the_end() -> None:
    session = playing(codemaker="cheat:first")
    (line,) = told(session, "AABB", "give up")
    shown = line.split(";")[1].split()[0]
    secret = tuple("ABCDEF".index(letter) for letter in shown)

    assert "settled on nothing" in line
    assert score((0, 0, 1, 1), secret, CLASSIC) == session.position.turns[0].feedback
    assert session.game().secret is None


def test_left_counts_and_lists_when_few() -> None:
    session = playing()

    assert told(session, "AABB", "left") == ["208 codes left of 1,296"]
    counted, listed = told(session, "ABCE", "ABCF", "left")
    fitting = [format_code(code, CLASSIC) for code in session.position.candidates]
    assert counted == f"{len(fitting)} codes left of 1,296"
    assert listed.split() == fitting
    assert "ABCD" in fitting
    assert told(session, "ABDC", "left")[0] == "1 code left of 1,296"


def test_the_hint_says_what_its_guess_does() -> None:
    session = playing()
    (said,) = told(session, "AABB", "hint")
    guess = tuple("ABCDEF".index(letter) for letter in said.split()[1].strip(":"))
    sizes: dict[object, int] = {}
    for secret in session.position.candidates:
        answer = score(guess, secret, CLASSIC)
        sizes[answer] = sizes.get(answer, 0) + 1

    assert f"splits the 208 codes left into {len(sizes)} groups, the largest of {max(sizes.values())};" in said


def test_following_the_hints_finds_the_secret_with_as_many_guesses_as_a_good_player() -> None:
    session = playing("4x6")
    while not session.over:
        guess = advise_at_once(session.position, limit=1).best.guess
        session.handle("".join("ABCDEF"[color] for color in guess))

    assert len(session.position.turns) <= 6


def test_a_hint_does_not_change_what_the_codemaker_answers() -> None:
    plain, advised = playing(codemaker="cheat", seed=4), playing(codemaker="cheat", seed=4)

    assert told(plain, "AABB", "CCDD") == told(advised, "hint", "AABB", "hint", "CCDD")


def test_on_a_board_too_large_to_list_the_game_goes_on_and_a_strategy_gives_the_hints() -> None:
    session = playing("12x20", codemaker="honest")
    left, hint = (told(session, "ABCDEFGHIJKL", word)[0] for word in ("left", "hint"))

    assert "more codes are left than can be listed; a sample of" in left
    assert hint.startswith("Try ")
    assert len(session.position.turns) == 2
    assert "Given up after 2 guesses. The secret was" in told(session, "undo", "ABCDEFGHIJKL", "give up")[0]


def test_a_word_that_is_a_code_too_is_a_command_and_can_still_be_guessed() -> None:
    session = playing("4x26", codemaker="honest:HINT")

    assert "type guess left for the code" in told(session, "left")[-1]
    assert told(session, "guess hint")[-1] == "Found in 1 guess."


def test_colors_with_names_are_read_as_pegs_not_commands() -> None:
    session = playing("2x6/names", codemaker="honest:red-blue")

    assert told(session, "blue red") == [" 1  blue-red  OO"]


def test_saving_and_loading_go_on_with_the_same_secret(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    session = playing(codemaker="honest", seed=9)

    assert told(session, "AABB", f"save {path}") == [f"saved in {path}"]
    saved = Game.from_text(path.read_text())
    assert saved.secret is None
    resumed = PlaySession.resume(saved)
    assert resumed.position == session.position
    assert told(resumed, "give up") == told(session, "give up")


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear all")

    assert "exists already" in told(playing(), "AABB", f"save {path}")[0]
    assert path.read_text() == "dear all"


def test_a_saved_game_whose_seed_gives_another_secret_goes_on_with_one_that_fits() -> None:
    turns = (Turn((0, 0, 1, 1), Feedback(1, 1)), Turn((0, 2, 0, 3), Feedback(1, 2)))
    session = PlaySession.resume(Game(CLASSIC, turns, None, "human", "honest", seed=123))

    assert session.secret in session.position.candidates
    assert any("takes its place" in line.text for line in session.start())


def test_a_game_that_a_person_answered_is_not_continued_by_guessing() -> None:
    with pytest.raises(InputError, match="entropeg break --load"):
        PlaySession.resume(Game(CLASSIC, (), None, "adviser", "human", seed=1))
    with pytest.raises(InputError, match="entropeg play --load"):
        BreakSession.resume(Game(CLASSIC, (), None, "human", "honest", seed=1))


@pytest.mark.parametrize("seed", ["abc", -3])
def test_a_saved_game_with_a_seed_that_is_none_is_refused(seed: object) -> None:
    with pytest.raises(InputError, match="the seed is"):
        Game(CLASSIC, (), None, "human", "honest", seed=seed)  # type: ignore[arg-type]


def test_the_machine_breaks_a_code_that_is_answered_truly() -> None:
    session, secret = breaking(), (2, 4, 4, 1)
    said = [""]
    while not session.over:
        assert session.pending is not None
        said = told(session, format_feedback(score(session.pending, secret, session.rules)))

    assert said[0].startswith("I found CEEB in ")
    assert session.game().codebreaker == "first-consistent"


@pytest.mark.parametrize("answer", ["XO", "1 1", "1,1", "1b1w", "1A1B", "●○", "answer XO"])
def test_answers_are_read_in_every_notation(answer: str) -> None:
    session = breaking()
    session.handle(answer)

    assert session.position.turns[0].feedback == Feedback(1, 1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("XXXO", "3 black and 1 white cannot be"),
        ("3 1", "3 black and 1 white cannot be"),
        ("3 3", "6 marks; a guess has 4 pegs"),
        ("XXXXX", "5 marks; a guess has 4 pegs"),
        ("banana", "is not a feedback"),
        ("lef", "did you mean the command left?"),
        ("remaining", "remaining is no command here: did you mean left?"),
        ("advice", "advice is no command here: here the machine guesses, and you answer"),
        ("aabb", "here the machine guesses: type what its guess got, alone (XXO, 2 1, 2b1w, or - for none)"),
        ("answer aabb xo", "here the machine guesses: type what its guess got, alone"),
        ("undo", "there is no turn to take back"),
        ("correct", "there is no turn to correct"),
        ("hint", "hint is no command here: here the machine guesses, and you answer"),
        ("answer", "answer what?"),
    ],
)
def test_an_answer_that_cannot_be_is_told_and_changes_nothing(answer: str, said: str) -> None:
    session = breaking()
    (line,) = session.handle(answer)

    assert line.tone == "error"
    assert said in line.text
    assert session.position.turns == ()


def contradicted() -> BreakSession:
    session = breaking()
    for answer in ("-", "XX", "-"):
        session.handle(answer)
    return session


def test_a_contradiction_names_the_turns_and_the_game_goes_on_after_a_correction() -> None:
    session = breaking()
    first = told(session, "-")  # AAAA: no A
    said = told(session, "OO")

    assert first == ["turn 2: I guess BBBB"]
    assert said[0] == "No code fits row 2 (BBBB OO): it cannot be."
    assert session.pending is None
    assert not session.over
    assert "or correct TURN FEEDBACK, or undo" in told(session, "XX")[0]
    count = len(session.position.turns)
    board = told(session, "correct 2 -")
    assert len(session.position.turns) == count
    assert board[1].split() == ["2", "BBBB", "-"]


def test_a_mended_answer_leaves_codes_and_one_not_offered_leaves_none() -> None:
    position = contradicted().position
    notes = Notes.of(position)
    offered = {index: fitting_answers(notes, index) for index in range(len(position.turns))}

    assert position.is_contradictory
    assert any(offered.values())
    for index, answers in offered.items():
        for answer in (Feedback(black, white) for black in range(4) for white in range(4 - black)):
            turns = list(position.turns)
            turns[index] = Turn(turns[index].guess, answer)
            assert (answer in answers) == bool(len(Position(position.rules, turns).candidates))


def test_a_way_to_mend_is_chosen_by_its_number_and_the_game_goes_on() -> None:
    session = breaking()
    said = told(session, "-", "X", "1b2w", "-")
    first = next(line for line in said if line.startswith("  1. "))
    again = told(session, "mend")
    answered = told(session, "mend 1")

    assert "is left out" in first
    assert said == again
    assert len(answered) == 4
    assert answered[-1].startswith("turn 4: I guess ")
    assert told(session, "mend 1") == ["there is nothing to mend"]


@pytest.mark.parametrize("typed", ["mend 0", "mend 9", "mend x", "mend -1", f"mend {'9' * 5000}", "mend \u0661"])
def test_a_way_to_mend_that_is_none_is_told_and_changes_nothing(typed: str) -> None:
    session = breaking()
    told(session, "-", "X", "1b2w", "-")
    before = session.position
    (line,) = told(session, typed)

    assert "which way? Type mend 1" in line
    assert session.position is before


def test_where_no_way_to_mend_is_known_none_is_offered() -> None:
    session = breaking()
    told(session, *["X"] * 5, *(f"correct {turn} XXXX" for turn in range(1, 6)))

    assert session.pending is None
    assert told(session, "mend 1") == ["no way to mend it is known: correct TURN FEEDBACK, or undo"]
    assert told(session, "X") == ["no code fits the answers so far: type correct TURN FEEDBACK, or undo"]


def test_undo_asks_the_same_guess_again() -> None:
    session = breaking(codebreaker="consistent")
    session.handle("X")
    asked = session.pending
    session.handle("XO")

    told(session, "undo")

    assert session.pending == asked


def test_undo_leaves_a_contradiction() -> None:
    session = contradicted()

    assert session.pending is None
    assert told(session, "undo")[-1].startswith("turn 3: I guess ")


@pytest.mark.parametrize("typed", ["correct x XO", "correct 9 XO", "correct 1", "correct 1 nonsense", "correct 0 X"])
def test_a_correction_that_cannot_be_read_changes_nothing(typed: str) -> None:
    session = breaking()
    session.handle("X")
    before = session.position
    (line,) = session.handle(typed)

    assert line.tone == "error"
    assert session.position == before


def test_a_loaded_game_asks_the_same_guess() -> None:
    session = breaking(codebreaker="consistent", seed=77)
    session.handle("XO")
    resumed = BreakSession.resume(Game.from_text(session.game().to_text()))

    assert resumed.pending == session.pending
    assert resumed.position == session.position


def test_a_win_that_contradicts_earlier_answers_does_not_end_the_game() -> None:
    class Stubborn:
        """Guesses AA whatever happens."""

        def guess(self, position: Position, rng: np.random.Generator) -> tuple[int, ...]:
            return (0, 0)

    session = BreakSession(Rules.parse("2x2/limit=2"), Stubborn(), seed=1)

    assert told(session, "-", "XX")[0].startswith("No code fits rows 1 (AA -) and 2 (AA XX) together")
    assert not session.over
    assert told(session, "correct 2 -")[-1] == "I have no guess left after 2 guesses."
    assert session.over


def test_out_of_guesses_ends_the_game() -> None:
    session = breaking("4x6/limit=1")

    assert told(session, "X") == ["I have no guess left after 1 guess."]
    assert session.over


def test_the_adviser_plays_every_listed_board_to_its_end() -> None:
    for rules in map(
        Rules.parse, ("1x1", "2x3", "4x6", "3x5/no-repeats", "3x4/positional", "3x4/membership", "4x6/black")
    ):
        game = play(Adviser(), codemakers.get("honest"), rules, seed=2)

        assert game.outcome == "won"


def test_the_adviser_does_not_wait_for_the_compiler_at_the_prompt_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(*_: object, **__: object) -> Advice:
        raise EntropegError("the exact search is asked")

    monkeypatch.setattr(quick, "is_compiled", lambda _: False)
    monkeypatch.setattr(quick, "can_compile", lambda: True)
    monkeypatch.setattr(quick, "advise", compiled)
    position, rng = Position("4x6", ["AABB XO"]), np.random.default_rng(1)

    assert len(find_codebreaker("adviser").guess(position, rng)) == 4
    with pytest.raises(EntropegError, match="the exact search is asked"):
        codebreakers.get("adviser").guess(position, rng)


@pytest.mark.skipif(not can_compile(), reason="without a compiler the adviser weighs every guess")
def test_the_adviser_plays_4x6_in_the_least_total_after_its_opening() -> None:
    """5673: the least total of ABCD, by `search.proving.opening_totals`."""
    adviser, rng = codebreakers.get("adviser"), np.random.default_rng(1)

    def total(position: Position) -> int:
        guess = adviser.guess(position, rng)
        sizes = Partition.of(position.candidates, guess).sizes
        after = (position.after(guess, answer) for answer in sizes)
        return len(position.candidates) + sum(total(one) for one in after if not one.is_won)

    assert total(Position("4x6")) == 5673


def test_a_codebreaker_that_needs_a_list_refuses_a_board_too_large_for_one() -> None:
    with pytest.raises(TooLargeError, match="auto"):
        BreakSession(Rules.parse("12x20"), codebreakers.get("entropy"), seed=1)


def test_no_text_whatever_makes_a_session_fail() -> None:
    rng = np.random.default_rng(3)
    words = [
        "AABB",
        "XO",
        "undo",
        "hint",
        "left",
        "correct",
        "1",
        "-",
        "X",
        "guess",
        "é",
        "\x00",
        "10",
        "board",
        "help",
    ]
    for session in (playing(), breaking()):
        for _ in range(300):
            session.handle(" ".join(rng.choice(words, size=rng.integers(1, 4))))

        assert isinstance(session.game(), Game)


def test_a_codemaker_that_the_rules_forbid_is_refused_before_the_first_guess() -> None:
    with pytest.raises(EntropegError, match="3 pegs"):
        playing(codemaker="honest:ABC")
    with pytest.raises(EntropegError, match="twice"):
        playing("4x6/no-repeats", codemaker="honest:AABC")
    with pytest.raises(TooLargeError):
        playing("12x300", codemaker="cheat")


class Balking:
    """Guesses once, and cannot say what next."""

    name = "balking"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if position.turns:
            raise TooLargeError("too much for me")
        return (0, 0, 1, 1)


def test_an_answer_that_the_machine_cannot_go_on_from_is_asked_for_again() -> None:
    session = BreakSession(Rules(), Balking(), seed=1)
    refusals = [session.handle(answer)[0].text for answer in ("X", "O")]

    assert ["too much for me"] * 2 == refusals
    assert ((0, 0, 1, 1), "answer 1", ()) == (session.pending, session.prompt, session.position.turns)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where nothing is compiled yet."""
    monkeypatch.setattr("entropeg.advise.quick.is_compiled", lambda _: False)


@pytest.mark.usefixtures("uncompiled")
def test_hint_and_a_number_rank_guesses_and_begin_with_the_hint() -> None:
    session = playing()
    head, *rows = told(session, "hint 5")
    (advised, *_) = told(session, "hint")

    assert "expected   loss  wins now  bits  parts  most   mean  secret?  guess" == head
    assert [
        " = 4.340  0.000     0.1 %  3.04     14   276  185.3    maybe  AABC",
        " = 4.377  0.037     0.1 %  3.06     14   312  188.2    maybe  ABCD",
    ] == rows[:2]
    assert 5 == len(rows)
    assert advised.startswith("Try AABC:")


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_ranked_guesses_are_the_best_of_all_and_exact(data: st.DataObject) -> None:
    game = data.draw(strategies.rules(max_codes=400, max_pegs=4, max_colors=6))
    position, _ = data.draw(strategies.positions(game, max_turns=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("entropeg.advise.quick.is_compiled", lambda _: False)
        patch.setattr("entropeg.advise.quick.can_search", lambda _: True)
        if position.is_over:
            return
        advice = advise_at_once(position, limit=4)
    parts = [guess.partition for guess in advice.guesses]
    legal = [Partition.of(position.candidates, guess).bits for guess in position.legal_guesses]

    assert max(legal) == pytest.approx(parts[0].bits) or len(position.candidates) <= 2
    assert sorted((part.bits for part in parts), reverse=True) == pytest.approx([part.bits for part in parts])
    assert parts == [Partition.of(position.candidates, part.guess) for part in parts]


@pytest.mark.parametrize("rows", [[], ["AAB X"], ["AAB O", "BCC X"]])
def test_bounds_of_advice_at_once_are_no_more_than_the_exact_numbers(
    rows: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position("3x4", rows)
    exact = advise(position, also=list(position.legal_guesses))
    monkeypatch.setattr("entropeg.advise.quick.is_compiled", lambda _: False)
    quick = advise_at_once(position, also=list(position.legal_guesses))

    assert quick.value.value <= exact.value.value + 1e-9
    assert [] == [
        one.guess
        for one, other in zip(quick.also, exact.also, strict=True)
        if one.expected.value > other.expected.value + 1e-9
    ]


@pytest.mark.parametrize("number", ["0", "21", "x", "1.5", "-1", "9" * 5000])
def test_a_number_of_hints_that_cannot_be_is_told(number: str) -> None:
    (line,) = told(playing(), f"hint {number}")

    assert line.endswith("how many guesses? Type hint, or hint and a number from 1 to 20")


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("board", ["7x7", "4x6/prior=distinct"])
def test_ranked_guesses_differ_in_what_they_do_where_symmetry_is_not_used(
    board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entropeg.advise.quick.can_search", lambda _: True)
    parts = [guess.partition for guess in advise_at_once(board, limit=3).guesses]

    assert 3 == len({tuple(part.sizes.values()) for part in parts})


class Interrupted(Balking):
    """Ctrl-C comes while the second guess is sought."""

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if position.turns:
            raise KeyboardInterrupt
        return (0, 0, 1, 1)


def test_an_answer_given_before_ctrl_c_stays_in_the_game() -> None:
    session = BreakSession(Rules(), Interrupted(), seed=1)

    with pytest.raises(KeyboardInterrupt):
        session.handle("XO")

    assert session.position.turns == (Turn((0, 0, 1, 1), Feedback(1, 1)),)
    assert session.dirty


def test_a_saved_game_is_not_dirty_until_it_changes(tmp_path: Path) -> None:
    session = playing()
    told(session, "aabb", f"save {tmp_path / 'game'}")

    assert not session.dirty

    session.save_to = None
    told(session, "undo")

    assert session.dirty

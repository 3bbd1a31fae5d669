"""Wrong answers on boards that nobody can list, as stories: what is told, and that the person chooses what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from doubted_games import Doubted, play_doubted, right
from entropeg import cli, codebreakers
from entropeg.advise import Notes
from entropeg.chosen_language import speaking, translated
from entropeg.codes import format_code
from entropeg.feedback import Code, Feedback, format_feedback
from entropeg.game import load_game
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.sessions.assisting import AssistSession
from entropeg.sessions.breaking import BreakSession

EXCHANGED = "Everything but row 8 fits; most likely row 8 is wrong. This is not proved."
SUM = "No code fits all answers: at least one of them is wrong (what they say of colors contradicts itself)."


def exchanged() -> Doubted:
    """A game in which a peg of turn 8 was counted black in place of white, up to the doubt."""
    return play_doubted("32x40", 1, ((8, "exchanged"),))


def wrong_sum() -> Doubted:
    """A game in which the answer to turn 8 has a peg too many, up to the proof."""
    return play_doubted("32x40", 3, ((8, "sum"),))


def breaking(game: Doubted, turns: int | None = None) -> BreakSession:
    position = Position(game.position.rules, game.position.turns[:turns])
    return BreakSession(position.rules, codebreakers.get("belief"), 1, position=position)


def texts(session: BreakSession | AssistSession, typed: str) -> list[str]:
    return [str(line.text) for line in session.handle(typed)]


def true_answer(session: BreakSession, secret: Code) -> str:
    assert session.pending is not None
    return format_feedback(right(session.pending, secret))


def one_turn_before(game: Doubted) -> tuple[BreakSession, str]:
    """A session whose next answer brings the doubt, and that answer."""
    *_, last = game.position.turns
    session = breaking(game, -1)
    session.pending = last.guess
    return session, format_feedback(last.feedback)


def play_on(session: BreakSession, secret: Code, most: int) -> str:
    """Answer truly until the end; return the last line."""
    shown = ""
    for _ in range(most):
        if session.over:
            break
        *_, shown = texts(session, true_answer(session, secret))
    return shown


# ------------------------------------------------------------------ break


def test_a_doubted_row_is_told_beside_the_next_guess_and_left_out_by_mend() -> None:
    game = exchanged()
    session, answer = one_turn_before(game)
    shown = texts(session, answer)

    assert EXCHANGED == shown[0]
    assert shown[1].startswith("row 8 (")
    assert shown[1].endswith("may be wrong")
    assert shown[2] == "  1. row 8 is left out"
    assert shown[3] == "Type mend N to choose one, or correct TURN FEEDBACK, or answer on."
    assert shown[4].startswith(f"turn {len(game.position.turns) + 1}: I guess")
    texts(session, "mend 1")

    assert [turn for row, turn in enumerate(game.position.turns) if row != 7] == list(session.position.turns)
    assert play_on(session, game.secret, 12).startswith("I found ")
    assert session.over


def test_whoever_looks_the_row_up_again_corrects_it() -> None:
    game = exchanged()
    session, answer = one_turn_before(game)
    texts(session, answer)
    eighth = game.position.turns[7]
    shown = texts(session, f"correct 8 {format_feedback(right(eighth.guess, game.secret))}")

    assert EXCHANGED not in shown
    assert right(eighth.guess, game.secret) == session.position.turns[7].feedback
    assert len(game.position.turns) == len(session.position.turns)
    assert play_on(session, game.secret, 12).startswith("I found ")


def test_whoever_is_sure_answers_on_and_is_not_told_twice() -> None:
    game = exchanged()
    session, answer = one_turn_before(game)
    eighth = format_feedback(game.position.turns[7].feedback)

    assert EXCHANGED in texts(session, answer)
    assert EXCHANGED not in texts(session, f"correct 8 {eighth}")  # looked up: it stands as it stood
    assert EXCHANGED not in texts(session, true_answer(session, game.secret))
    assert EXCHANGED in texts(session, "mend")  # told again, and still to be chosen
    assert 7 in {row for mend in (session._offered or []) for row in mend.rows}
    texts(session, "mend 1")
    assert game.position.turns[7] not in session.position.turns


def test_whoever_ends_keeps_all_that_was_answered(tmp_path: Path) -> None:
    game = exchanged()
    session, answer = one_turn_before(game)
    texts(session, answer)
    path = tmp_path / "game.txt"
    texts(session, f"save {path}")
    texts(session, "quit")

    assert game.position.turns == load_game(path).turns
    # Loaded again it is doubted at once.
    again = BreakSession.resume(load_game(path))
    assert EXCHANGED in [line.text for line in again.start()]


def test_a_signal_while_answers_are_doubted_keeps_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    game = exchanged()
    session, answer = one_turn_before(game)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("entropeg.sessions.breaking.doubt_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        session.handle(answer)

    assert game.position == session.position
    assert session.dirty


def test_an_answer_that_brings_a_proof_is_kept_and_mended() -> None:
    game = wrong_sum()
    session, answer = one_turn_before(game)
    shown = texts(session, answer)

    assert SUM == shown[0]
    assert "Type mend N to choose one, or correct TURN FEEDBACK, or undo." == shown[-1]
    assert game.position == session.position  # the answer was taken
    assert session.pending is None
    assert ["no code fits the answers so far: type mend N to mend them, or correct TURN FEEDBACK, or undo"] == texts(
        session, "3 3"
    )
    eighth = game.position.turns[7]
    texts(session, f"correct 8 {format_feedback(right(eighth.guess, game.secret))}")
    assert session.pending is not None
    assert play_on(session, game.secret, 60).startswith("I found ")


def test_undo_takes_a_proved_contradiction_back() -> None:
    session, answer = one_turn_before(wrong_sum())
    asked = session.pending
    texts(session, answer)
    texts(session, "undo")

    assert asked == session.pending
    assert ["there is nothing to mend"] == texts(session, "mend")


def test_where_no_row_is_suspect_none_is_offered() -> None:
    rules = Rules.parse("50x50")
    position = Position(rules, [((color,) * 50, Feedback(40, 0)) for color in range(3)])
    session = BreakSession(rules, codebreakers.get("belief"), 1, position=position)

    assert [SUM, "Type correct TURN FEEDBACK, or undo."] == [line.text for line in session.start()][-2:]
    assert ["no way to mend it is known: correct TURN FEEDBACK, or undo"] == texts(session, "mend 1")


def test_linear_tells_a_wrong_answer_in_the_same_way() -> None:
    game = play_doubted("64x32", 1, ((8, "sum"),), "linear")
    *_, last = game.position.turns
    rules = game.position.rules
    session = BreakSession(rules, codebreakers.get("linear"), 1, position=Position(rules, game.position.turns[:-1]))
    shown = texts(session, format_feedback(last.feedback))

    assert shown[0].startswith("No code fits all answers: at least one of them is wrong (the answer to turn ")
    assert game.position == session.position


def test_an_honest_game_of_the_adviser_tells_no_doubt() -> None:
    game = play_doubted("32x40", 4, ())
    session = BreakSession(game.position.rules, codebreakers.get("adviser"), 4)
    for _ in range(12):
        (*others, guess) = texts(session, true_answer(session, game.secret))

        assert guess.startswith("turn ")
        assert not any("wrong" in line for line in others)


def test_a_doubt_is_told_in_french() -> None:
    session, answer = one_turn_before(exchanged())
    shown = session.handle(answer)
    with speaking("fr"):
        assert translated(shown[0].text).startswith("Tout convient sauf la ligne 8")


# ------------------------------------------------------------------ assist, advise


def row_of(game: Doubted, index: int) -> str:
    turn = game.position.turns[index]
    return f"{format_code(turn.guess, game.position.rules)} {format_feedback(turn.feedback)}"


def test_assist_tells_a_doubted_row_and_goes_on_without_it() -> None:
    game = wrong_sum()
    rules = game.position.rules
    session = AssistSession(Notes.of(rules, game.position.turns[:-1]))
    shown = texts(session, row_of(game, -1))

    assert SUM in shown
    assert any(line.startswith("  1. row ") for line in shown)
    rows = len(game.position.turns)
    texts(session, "mend 1")
    assert rows - 1 == len(session.notes.rows)
    texts(session, "undo")
    assert rows == len(session.notes.rows)


def test_assist_tells_a_doubt_in_a_line_once_it_was_told() -> None:
    game = wrong_sum()
    session = AssistSession(Notes.of(game.position.rules, game.position.turns))

    assert SUM in [line.text for line in session.start()]
    assert [SUM] == texts(session, "hint")
    assert len(texts(session, "mend")) > 1


def test_of_guesses_that_others_made_nobody_is_accused_without_proof() -> None:
    game = exchanged()
    session = AssistSession(Notes.of(game.position.rules, game.position.turns))

    assert not any("most likely" in line.text for line in session.start())


def test_advise_tells_a_doubt_as_a_contradiction_in_json_too(tmp_path: Path) -> None:
    game, rows = wrong_sum(), tmp_path / "rows.txt"
    rows.write_text("\n".join(row_of(game, index) for index in range(len(game.position.turns))))
    result = CliRunner().invoke(cli.group, ["advise", "32x40", "--rows", str(rows), "--json"])
    told = json.loads(result.stdout)["contradiction"]

    assert game.doubt is not None
    assert 2 == result.exit_code
    assert SUM in result.stderr
    assert {"says": SUM, "row": None, "reason": told["doubt"]["reason"], "proved": True} == told["doubt"]
    assert (SUM, True) == (told["says"], told["proved"])
    assert [each.row + 1 for each in game.doubt.rows] == [each["row"] for each in told["rows"]]
    (mend,) = told["rows"][0]["mends"]
    first = game.doubt.rows[0].row + 1
    assert (f"row {first} is left out", [first], 0) == (mend["says"], mend["changes"], mend["codes"])
    assert len(game.position.turns) - 1 == len(mend["rows"])


def test_honest_rows_are_no_contradiction() -> None:
    game = play_doubted("32x40", 4, ())
    session = AssistSession(Notes.of(game.position.rules, game.position.turns[:20]))

    assert not any("wrong" in line.text for line in session.start())

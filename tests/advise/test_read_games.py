"""Games to be reviewed, as people have them: saved, logged, noted down, pasted; read, or refused in a sentence."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest

from entropeg.advise import Notes
from entropeg.advise.saved_notes import notes_to_json, notes_to_text
from entropeg.codes import format_code, random_secret, score
from entropeg.errors import InputError
from entropeg.feedback import format_feedback
from entropeg.game import Game
from entropeg.position import Position
from entropeg.review import read_games
from entropeg.rules import Rules

PLAYED = "AABB XO, ACCD O, BEBF XXO, FEBA XXXX"

PASTED = {
    "rows": "AABB XO\nACCD O\nBEBF XXO\nFEBA XXXX",
    "lower case and extra spaces": "  aabb   xo\n accd  o \n\tbebf xxo\nfeba   xxxx  \n",
    "words": "aabb 1b 1w\naccd 1w\nbebf 2b 1w\nfeba 4b",
    "whites first": "AABB 1w 1b\nACCD 1w 0b\nBEBF 1w 2b\nFEBA 0w 4b",
    "numbered": "1. AABB XO\n2. ACCD O\n3. BEBF XXO\n4. FEBA XXXX",
    "exchanged": "XO AABB\nO ACCD\nXXO BEBF\nXXXX FEBA",
    "arrows and pairs": "AABB -> 1 1\nACCD -> 0 1\nBEBF -> 2 1\nFEBA -> 4 0",
    "a line each in turn": "AABB\n1,1\nACCD\n0,1\nBEBF\n2,1\nFEBA\n4,0\n",
    "empty lines between": "AABB XO\n\nACCD O\n\nBEBF XXO\n\nFEBA XXXX",
    "a head": "rules: 4x6\nplayer: Anna\n\nAABB XO\nACCD O\nBEBF XXO\nFEBA XXXX",
    "no feedback, but the secret": "secret: FEBA\nAABB\nACCD ?\nBEBF XXO\nFEBA",
    "marks drawn": "AABB ●○\nACCD ○\nBEBF ●●○\nFEBA ●●●●",
}


@pytest.mark.parametrize("kind", PASTED)
@pytest.mark.parametrize("rules", ["4x6", None])
def test_rows_are_read_in_every_way_that_people_write_them(kind: str, rules: str | None) -> None:
    [game] = read_games(PASTED[kind], rules)

    assert PLAYED == str(game.position)
    assert Rules.parse("4x6") == game.position.rules
    assert (rules is None and "rules: " not in PASTED[kind]) == game.is_assumed


def test_circles_and_squares_are_read_where_colors_have_names() -> None:
    [game] = read_games("🔴🔴🟢🟢 ●○\n🔵🟡🔴🟢 ○○", "4x6/names")

    assert 2 == len(game.position.turns)
    [words] = read_games("🟩🟨⬜⬜🟩 CRANE\n🟩🟩⬜⬜🟩 CHOSE", "5x26/positional")
    assert "CRANE XO..X, CHOSE XX..X" == str(words.position)


def test_what_entropeg_saves_is_read_alone_and_in_lists() -> None:
    game = Game(Rules.parse("4x6"), Position("4x6", PLAYED.split(", ")).turns, (5, 4, 1, 0), "anna")
    data = game.to_json()
    for text in (game.to_text(), json.dumps(data), json.dumps(data, indent=2)):
        [read] = read_games(text)
        assert (PLAYED, "anna", (5, 4, 1, 0)) == (str(read.position), read.codebreaker, read.secret)
    for text in (game.to_text() * 3, json.dumps([data] * 3), "\n".join([json.dumps(data)] * 3)):
        assert ["x, game 1", "x, game 2", "x, game 3"] == [one.name for one in read_games(text, name="x")]


def test_a_row_that_wins_ends_its_game_and_so_does_an_empty_line() -> None:
    text = "AABB XO\nFEBA XXXX\nAABB -\nCCDD X\n\nABCD XO\nABDE X"

    assert [2, 2, 2] == [len(game.position.turns) for game in read_games(text, "4x6")]


@pytest.mark.parametrize(
    ("text", "rules", "said"),
    [
        ("", "4x6", "the text is empty: a game is a guess and its feedback a line, as AABB XO"),
        ("rules: 4x6\n", None, "it has no row"),
        (
            "AABB XO\nCCDDE X",
            "4x6",
            "line 2: 'CCDDE X' is no row: 'CCDDE' has 5 pegs; a code of 4x6 has 4; AABB XO would",
        ),
        (
            "AABB XO\nCCDD",
            "4x6",
            "line 2: 'CCDD' has no feedback: write CCDD and what it got, as AABB XO, or say the secret",
        ),
        ("AABB XO\nCCDD ?", "4x6", "line 2: 'CCDD: ?' lacks a part of its feedback"),
        ("AABB XO\nC?DD X", "4x6", "line 2: 'C?DD: X' lacks a part of its guess"),
        ("secret: FEBA\nAABB XX", "4x6", "line 2: 'AABB XX' is not what the secret answers: AABB XO"),
        ("hello there", None, "line 1: 'hello there' is no row"),
        ("AABB XO\n" + "y" * 5000, "4x6", "line 2: 'yyyy"),
        ("y" * 5000, None, "line 1: 'yyyy"),
        ("hello", None, "line 1: 'hello' is no row of a guess and its feedback, of letters or digits, as AABB XO"),
        ("[]", None, "it holds no game"),
        ("{}", None, "this is not a saved game"),
        ('{"format": "entropeg game 1"}', None, "the saved game has no"),
        ("rules: 4y6\nAABB XO", None, "4y6"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence_that_says_where(text: str, rules: str | None, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_games(text, rules)

    assert said in str(refused.value)
    assert str(refused.value).startswith("the text")
    assert "\n" not in str(refused.value)


def test_boards_that_nobody_names_follow_from_the_guesses() -> None:
    for text, rules in {
        "1234 2A1B\n5678 1A0B": "bulls-and-cows",
        "RVBJN 2 1\nRRVVB 1 1": "5x8/course",
        "11223 XO\n44556 X": "5x6/digits",
        "ABCDEF XOO\nGGHHAA X": "6x8",
        "RVBJ\n1,2\nRRVV\n0,1\n": "4x8/course",
    }.items():
        [game] = read_games(text)
        assert Rules.parse(rules) == game.position.rules
        assert game.is_assumed


def test_any_game_written_in_any_way_is_read_as_it_was_or_refused() -> None:
    random = Random(7)
    boards = [Rules.parse(name) for name in ("4x6", "5x8", "3x5/digits", "4x6/names", "4x10/no-repeats")]
    read = 0
    for _ in range(150):
        rules = random.choice(boards)
        rng = np.random.default_rng(random.randrange(10**9))
        secret, turns = random_secret(rules, rng), []
        for _ in range(random.randint(1, 5)):
            guess = random_secret(rules, rng)
            turns.append((guess, score(guess, secret, rules)))
        if any(turn[0] == secret for turn in turns):
            continue
        lines = [_written(format_code(guess, rules), format_feedback(told), random) for guess, told in turns]
        text = random.choice(["\n", "\n\n", "\r\n"]).join(lines)
        if random.random() < 0.3:
            cut = random.randrange(len(text))
            text = text[:cut] + random.choice(["?", "x", " ", "\n", "@", "9"]) + text[cut + 1 :]
            said = refusal(text.replace("\r", ""), rules)
            assert "\n" not in said
            assert len(said) < 500
            continue
        games = read_games(text.replace("\r", ""), rules)
        assert turns == [tuple(turn) for game in games for turn in game.position.turns]
        read += 1
    assert read > 60


def refusal(text: str, rules: Rules) -> str:
    try:
        read_games(text, rules)
    except InputError as error:
        return str(error)
    return ""


def _written(guess: str, told: str, random: Random) -> str:
    guess = random.choice([guess, guess.lower(), f"  {guess} "])
    black, white = told.count("X"), told.count("O")
    told = random.choice([told, f"{black} black {white} white", f"{white}w {black}b", f"{black}b{white}w"])
    between = random.choice([" ", "  ", ": ", " -> ", " | "])
    return f"{guess}{between}{told}"


@pytest.mark.parametrize(
    ("rules", "text", "meaning"),
    [
        ("4x6", "#1 AABB -> 1 1\n#2 CCDD XXO", "AABB XO, CCDD XXO"),
        ("4x6", "# a game of ours\nAABB XO", "AABB XO"),
        ("4x6", "XO\nAABB\n2 1\nCCDD", "AABB XO, CCDD XXO"),
        ("4x6", "1. AABB\n   1 black\n2. BBBB\n   none", "AABB X, BBBB -"),
        ("5x26/positional", "CRANE\n🟩🟨⬜⬜🟩\nSLATE\n⬜⬜⬜🟨🟩", "CRANE XO..X, SLATE ...OX"),
        (None, "AABB\n⚫⚪\nCCDD\n⚫⚫⚪", "AABB XO, CCDD XXO"),
    ],
)
def test_notes_that_advice_reads_are_read_here_too(rules: str | None, text: str, meaning: str) -> None:
    [game] = read_games(text, rules)

    assert meaning == str(game.position)


@pytest.mark.parametrize("rows", [["AABB XO", "CCDD XXO"], ["AABB XO"]])
def test_notes_of_a_game_play_shared_are_read(rows: list[str]) -> None:
    notes = Notes.of("4x7/limit=9", rows)

    for text in (notes_to_text(notes), json.dumps(notes_to_json(notes))):
        [game] = read_games(text)
        assert notes.position == game.position
        assert not game.is_assumed


def test_what_is_asked_for_would_be_read() -> None:
    with pytest.raises(InputError, match="write CCDD and what it got, as AABB XO, or say the secret") as caught:
        read_games("AABB XO\nCCDD", "4x6")
    assert "?" not in str(caught.value)
    with pytest.raises(InputError, match=r"write it as AABB XO$"):  # no secret tells what was guessed
        read_games("AABB XO\nCC?D X", "4x6")


def test_answers_are_no_guesses_where_the_secret_tells_how_long_these_are() -> None:
    for text in ("secret: ABCD\nAABB XO\nABCD XXXX", "secret: ABCD\n1. AABB: 1 1\n2. ABCD -> XXXX"):
        assert [Rules.parse("4x6")] == [game.position.rules for game in read_games(text)]
    with pytest.raises(InputError, match="is not what the secret answers"):
        read_games("secret: ABCD\nAABB XO\nABCD OOOO")


def test_what_stands_before_a_game_replaces_what_stood_before_the_last_one() -> None:
    text = "rules: 4x6\nplayer: Anna\nABCD XO\nABCC X\n\nboard: 4x8\ncodebreaker: Bob\nABCD XO\nAAAA X"
    found = [(str(game.position.rules), game.codebreaker) for game in read_games(text)]

    assert [("4x6", "Anna"), ("4x8", "Bob")] == found

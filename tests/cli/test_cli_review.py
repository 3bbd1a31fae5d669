"""`entropeg review`: what is shown of one game and of many, in every form, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.feedback import Code
from entropeg.loop import play
from entropeg.position import Position
from entropeg.review import review
from entropeg.review.assessment import Assessment, Assessor

PLAYED = "aabb 1b 1w\naccd o\nbebf xxo\nfeba xxxx\n"


def typed(*arguments: str, lines: str | None = None) -> Result:
    return CliRunner().invoke(cli.group, ["review", *arguments], prog_name="entropeg", input=lines)


@pytest.fixture
def game(tmp_path: Path) -> str:
    path = tmp_path / "game.txt"
    path.write_text(PLAYED)
    return str(path)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for seed, player in enumerate(("consistent", "first-consistent", "consistent")):
        text = play(player, "honest", "4x6", seed=seed).to_text()
        (tmp_path / f"{seed}.txt").write_text(text)
    return str(tmp_path)


def test_a_game_is_told_in_80_columns_with_the_line_of_its_account(game: str) -> None:
    said = typed(game, "--rules", "4x6")

    assert 0 == said.exit_code
    lines = said.stdout.splitlines()
    assert "4 guesses: par 4.34, lost 0.76, good luck +1.10" == lines[1]
    assert "without luck: 5.10 guesses" == lines[2]
    assert "4  FEBA   XXXX            7 → 1  blunder   .43  1.43   1 in 7  BCCB" == lines[8]
    assert "2. row 1 rules ACCD out as the secret: it got XO, and would have got X" in lines
    assert all(len(line) <= 80 for line in lines[1:])
    assert len(lines) <= 24


def test_standard_input_is_read_and_the_rules_that_were_assumed_are_said() -> None:
    assert "-: 4x6 (assumed from the guesses; --rules says otherwise)" in typed("-", lines=PLAYED).stdout.replace(
        "standard input", "-"
    )


def test_json_has_the_account_as_fractions(game: str) -> None:
    data = json.loads(typed(game, "--json").stdout)

    [told] = data["games"]
    assert "625/144" == told["par"]["fraction"]
    assert 4 == told["guesses"]
    assert ["good", "good", "mistake", "blunder"] == [turn["mark"] for turn in told["turns"]]
    says = "were it the secret, row 1 would have got 1 black, not 1 black, 1 white"
    assert [{"row": 1, "says": says, "told": "XO", "would_be": "X", "pegs": []}] == told["turns"][1]["clues"]
    assert not data["refused"]


def test_a_page_asks_for_nothing_from_outside_and_is_replaced_by_its_kind_alone(game: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for _ in range(2):
        assert 0 == typed(game, "--html", str(page)).exit_code
    text = page.read_text()

    assert 3 == text.count("<svg")
    assert "blunder" in text
    assert all(word not in text for word in ("<script", "src=", "href=", "@import", "url("))
    assert "4 guesses: par 4.34, lost" in text
    assert '<th scope="row">minimax</th>' in text
    assert '<td data-label="lost">.76</td>' in text
    other = tmp_path / "letter.html"
    other.write_text("dear all")
    assert 2 == typed(game, "--html", str(other)).exit_code
    assert "dear all" == other.read_text()


def test_a_worksheet_is_printed_and_written_as_a_table(game: str, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    said = typed(game, "--worksheet", "--csv", str(sheet))

    assert said.stdout.splitlines()[1].split() == ["0", "1,296", "10.34"]
    assert sheet.read_text().splitlines()[:3] == [
        "round,guess,feedback,codes left,bits left",
        "0,,,1296,10.34",
        "1,AABB,XO,208,7.70",
    ]


def test_many_games_are_a_table_with_totals_for_each_player(folder: str, tmp_path: Path) -> None:
    said = typed(folder)

    assert 0 == said.exit_code
    assert 3 == sum("/" in line and ".txt" in line for line in said.stdout.splitlines())
    assert "consistent on 4x6: 2 games, " in said.stdout
    assert "first-consistent on 4x6: 1 game, " in said.stdout
    data = json.loads(typed(folder, "--json").stdout)
    assert {"consistent on 4x6", "first-consistent on 4x6"} == set(data["totals"])
    assert 2 == data["totals"]["consistent on 4x6"]["games"]
    sheet = tmp_path / "all.csv"
    typed(folder, "--csv", str(sheet))
    assert sheet.read_text().startswith("game,round,guess,feedback,codes left,bits left\n")


def test_a_game_that_no_secret_fits_is_left_out_of_a_table_and_said(game: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("rules: 4x6\nAABB XXXO\n\nAABB X\nAABB XX\nAABB XXX")
    said = typed(game, game, str(wrong))

    assert 2 == said.exit_code
    assert "wrong.txt: line 2: 'AABB XXXO' is no row" in said.stderr
    alone = tmp_path / "alone.txt"
    alone.write_text("AABB X\nAABB XX")
    said = typed(str(alone), "--rules", "4x6")
    assert 2 == said.exit_code
    assert "no secret fits turn 1 (AABB X) and turn 2 (AABB XX) together" in said.stderr
    both = typed(game, str(alone), "--rules", "4x6")
    assert 0 == both.exit_code
    assert "alone.txt is left out: no secret fits" in both.stderr
    none = typed(str(alone), str(alone), "--rules", "4x6", "--html", str(tmp_path / "page.html"))
    assert (2, "") == (none.exit_code, none.stdout)
    assert 2 == none.stderr.count("alone.txt is left out: no secret fits")
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name a file of games, or - for standard input"),
        (["/nowhere/game.txt"], "/nowhere/game.txt cannot be read"),
        (["-", "--good", "0.5"], "the thresholds are [0.5, 0.15, 0.3]; they must rise"),
        (["-", "--good", "nan"], "threshold"),
        (["-", "--time", "-1"], "the time"),
        (["-", "--html", "/nowhere/page.html"], "there is no folder /nowhere"),
        (["-", "--html", "-", "--json"], "- is standard output, where --json goes too"),
        (["-", "--rules", "5x6"], "'aabb 1b 1w' is no row: 'AABB' has 4 pegs; a code of 5x6 has 5"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(arguments: list[str], said: str) -> None:
    told = typed(*arguments, lines=PLAYED)

    assert 2 == told.exit_code
    assert said in told.stderr
    assert 1 == len(told.stderr.splitlines())


def test_thresholds_are_options(game: str) -> None:
    said = typed(game, "--good", "0.05", "--inaccuracy", "0.3", "--mistake", "0.5", "--json")

    marks = [turn["mark"] for turn in json.loads(said.stdout)["games"][0]["turns"]]
    assert ["inaccuracy", "good", "inaccuracy", "mistake"] == marks


def test_games_that_were_not_won_count_what_the_best_play_would_take() -> None:
    said = typed("-", "--rules", "4x6", lines="AABB XO\nACCD O\n").stdout

    assert "2 guesses + 2.67 to come: par 4.34, lost 0.09, bad luck −0.24" in said


def test_what_other_players_would_have_done_stands_below_a_game_and_in_its_data(game: str) -> None:
    lines = typed(game).stdout.splitlines()

    assert "optimal  AABC  ACAD  BDBE  BCCB   .00            4" in lines
    assert "played   AABB  ACCD  BEBF  FEBA   .76            4" in lines
    assert not any("minimax" in line for line in typed(game, "--no-others").stdout.splitlines())
    [told] = json.loads(typed(game, "--json").stdout)["games"]
    assert ["optimal", "entropy", "minimax"] == [one["name"] for one in told["others"]]
    assert ["AABC", "ACAD", "BDBE", "BCCB"] == [turn["guess"] for turn in told["others"][0]["guesses"]]
    assert "FEBA" == told["others"][1]["line"][-1]


def test_a_review_says_where_its_time_was_over(tmp_path: Path) -> None:
    game = tmp_path / "vast.txt"
    game.write_text(play("auto", "honest", "16x16", seed=3).to_text(), encoding="utf-8")

    said = typed(str(game), "--time", "0.01")
    data = json.loads(typed(str(game), "--time", "0.01", "--json").stdout)
    (tmp_path / "small.txt").write_text(play("consistent", "honest", "4x6", seed=1).to_text(), encoding="utf-8")
    both = typed(str(tmp_path), "--time", "0.01")

    assert 0 == said.exit_code
    assert "entropeg: the time was over: " in said.stderr
    assert " turns were reviewed" in said.stderr
    assert data["games"][0]["late"]
    assert data["totals"] == {}
    # A game that was cut tells nothing of how many guesses its player takes.
    assert "the time was over: 1 game of 2 was not reviewed to the end" in " ".join(both.stderr.split())
    assert "auto on 16x16: " not in both.stdout
    assert "consistent on 4x6: 1 game" in both.stdout


def test_a_level_is_a_range_after_few_games_and_said_from_ten_on(tmp_path: Path) -> None:
    board = "3x5"
    text = "\n".join(play("first-consistent", "honest", board, seed=seed).to_text() for seed in range(12))
    path = tmp_path / "games.txt"
    path.write_text(text)
    said = typed(str(path)).stdout

    assert "  level: " in said
    assert "level: anything from" not in said
    few = tmp_path / "few.txt"
    few.write_text(play("minimax", "honest", board, seed=1).to_text())
    assert "level:" not in typed(str(few)).stdout
    assert "one game says no more" in typed(str(few), "--level").stdout
    assert "level:" not in typed(str(path), "--no-level").stdout


def test_the_answers_of_a_cheat_are_reviewed_and_those_of_an_honest_codemaker_if_asked(
    game: str, tmp_path: Path
) -> None:
    cheated = tmp_path / "cheated.txt"
    cheated.write_text(play("minimax", "cheat", "4x6", seed=3).to_text())

    assert "the answers cost the player .51 guesses against honest ones" in typed(str(cheated)).stdout
    assert "the answers cost" not in typed(game).stdout
    assert "the answers cost the player −1.10 guesses" in typed(game, "--answers").stdout
    [told] = json.loads(typed(str(cheated), "--json").stdout)["games"]
    assert pytest.approx(-told["luck"]["value"]) == told["answers"]["cost"]["value"]


def test_of_several_games_the_comparisons_that_were_asked_for_stand_below_the_table(folder: str) -> None:
    long = ["--time", "600"]  # All is found on any machine: a game of 4x6 takes a moment.
    plain = typed(folder, *long).stdout
    said = typed(folder, "--others", "--answers", *long).stdout
    below = said[len(plain) :]

    assert said.startswith(plain)
    assert "minimax" not in plain
    assert 3 == below.count("\nminimax ") == below.count("the answers cost") == below.count("\nplayed ")
    assert [f"{seed}.txt" in below for seed in range(3)] == [True] * 3
    assert "the answers cost" not in typed(folder, "--others").stdout


def test_a_worksheet_finds_no_comparisons_that_it_does_not_show(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("entropeg.cli.reviewing.ToldReviews.add_comparisons", lambda _: asked.append("found"))

    assert 0 == typed(game, "--worksheet", "--others").exit_code
    assert [] == asked
    assert 0 == typed(game, "--worksheet", "--json").exit_code
    assert 0 == typed(game, "--worksheet", "--html", "-").exit_code
    assert ["found"] * 2 == asked


@pytest.mark.parametrize("number", [1, 2])
def test_json_of_games_that_are_all_refused_says_why(number: int, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("AABB X\nAABB XX")
    said = typed(*[str(wrong)] * number, "--rules", "4x6", "--json")
    data = json.loads(said.stdout)

    assert 2 == said.exit_code
    assert [] == data["games"]
    assert number == len(data["refused"])
    assert all(one["sentence"].startswith("no secret fits turn 1 (AABB X)") for one in data["refused"])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--no-level"], "--no-level"),
        (["--worksheet", "--good", "0.05"], "--worksheet and --good"),
        (["game.txt", "--rules", "4x6", "--seed", "1"], "FILE, --rules and --seed"),
        (["--force"], "--force"),
    ],
)
def test_a_claim_goes_with_no_option_but_json(arguments: list[str], named: str) -> None:
    said = typed("--claim", "4x6 mean 4.25", *arguments)

    assert (2, "") == (said.exit_code, said.stdout)
    assert f"entropeg: --claim checks figures: leave {named} out\n" == said.stderr
    assert 0 == typed("--claim", "4x6 mean 4.25", "--json").exit_code


CLAIMS = {
    "4x6 mean 4.25": "impossible: no strategy takes less than 5625/1296 = 4.3403 on average (optimum",
    "4x6 mean 4.34": "that of a known strategy: as 5625/1296 = 4.3403 on average of optimum",
    "4x6 mean 4.476": "that of a known strategy: as 5801/1296 = 4.4761 on average of minimax",
    "4x6 mean 4.9": "plausible: more than 5801/1296 = 4.4761 on average of minimax, less than 7471/1296",
    "4x6 worst 4": "impossible: no strategy takes less than 5 in the worst case",
    "4x6 worst 5": "that of a known strategy",
    "4x6 total 5624": "impossible",
    "20x20 mean 3": "impossible: no strategy takes less than 12.1262 on average (counting bound",
    "20x20 mean 40": "plausible: no less than 12.1262",
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_is_impossible_known_or_plausible(claim: str) -> None:
    said = typed("--claim", claim)

    assert 0 == said.exit_code
    assert f"{claim}: {CLAIMS[claim]}" in said.stdout


def test_claims_are_read_from_a_table(tmp_path: Path) -> None:
    table = tmp_path / "claims.csv"
    table.write_text("rules,measure,value\n4x6,mean,4.2\n\n4x6,worst,5\n4x8 mean 9\n")
    found = json.loads(typed("--claim", str(table), "--json").stdout)["claims"]

    assert ["impossible", "known", "plausible"] == [one["verdict"] for one in found]
    for mark in (";", "\t"):  # as spreadsheets write tables where a comma stands in numbers
        table.write_text("board;measure;value\n4x6;mean;4,2\n4x6;worst;5\n".replace(";", mark))
        assert [True, False] == [
            one["verdict"] == "impossible"
            for one in json.loads(typed("--claim", str(table), "--json").stdout)["claims"]
        ]
    table.write_text("4x6,mean,4.2\n4x6,mode,5")
    assert "claims.csv, line 2: '4x6 mode 5' is no claim" in typed("--claim", str(table)).stderr


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("4x6", "'4x6' is no claim: write a board, mean, worst or total, and a number, as 4x6 mean 4.25"),
        ("nowhere.csv", "'nowhere.csv' is no file that is there, and no claim"),
        ("4x6 mean x", "'x' is not a number of guesses"),
        ("4x6 mean 1/0", "'1/0' is not a number of guesses"),
        ("4x6 mean 0.5", "'0.5' is less than one guess"),
        ("4x6 worst 4.5", "'4.5' is no worst: it is a whole number"),
        ("4x6 mean " + "9" * 5000, "is not a number of guesses"),
        ("nothing mean 4", "nothing"),
    ],
)
def test_a_claim_that_cannot_be_read_is_refused_in_a_sentence(claim: str, said: str) -> None:
    told = typed("--claim", claim)

    assert 2 == told.exit_code
    assert said in told.stderr
    assert len(told.stderr) < 600


def test_of_an_interrupted_game_the_turns_that_are_reviewed_are_shown(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    value = Assessor.assess

    def stopped(self: Assessor, position: Position, guess: Code) -> Assessment:
        if len(position.turns) == 3:
            raise KeyboardInterrupt
        return value(self, position, guess)

    monkeypatch.setattr(Assessor, "assess", stopped)
    said = typed(game)

    assert "2 guesses + 2.67 to come: par 4.34, lost 0.09, bad luck −0.24" in said.stdout
    assert "entropeg: interrupted: 2 of 4 turns were reviewed" in said.stderr
    with pytest.raises(KeyboardInterrupt):
        review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))


def test_a_review_is_shown_without_the_comparisons_that_ctrl_c_ended(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_given: Any, **_options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("entropeg.review.others.other_plays", stopped)
    said = typed(game)

    assert "4 guesses: par 4.34, lost 0.76, good luck +1.10" in said.stdout
    assert "entropeg: interrupted: comparisons with other players are missing" in said.stderr


def test_a_store_of_the_arena_and_a_folder_without_games_are_refused_in_a_sentence(tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    played = ["arena", "minimax", "honest", "--rules", "3x4", "--games", "3", "--jobs", "1", "--store", str(store)]
    assert 0 == CliRunner().invoke(cli.group, played).exit_code

    said = typed(str(store))
    assert 2 == said.exit_code
    assert "is a store of the arena: it keeps how many guesses games took, and not their turns" in said.stderr
    assert "holds no file of games: .csv, .game, .json, .jsonl, .log, .txt" in typed(str(tmp_path)).stderr


def test_of_a_folder_the_files_that_hold_no_game_are_left_out_with_their_sentence(folder: str) -> None:
    (Path(folder) / "notes.txt").write_text("bring cake\n")
    (Path(folder) / "picture.log").write_bytes(b"\xff\xfe\xfd")
    said = typed(folder, "--json")
    refused = json.loads(said.stdout)["refused"]

    assert 3 == len(json.loads(said.stdout)["games"])
    assert ["notes.txt", "picture.log"] == [Path(one["name"]).name for one in refused]
    assert "is no row of a guess and its feedback" in refused[0]["sentence"]
    assert "is not a text file" in typed(folder).stderr


def test_rules_that_a_game_contradicts_are_refused(folder: str) -> None:
    said = typed(f"{folder}/0.txt", "--rules", "4x8")

    assert 2 == said.exit_code
    assert "the game says that it is one of 4x6, and not of 4x8: leave out --rules 4x8" in said.stderr
    assert 0 == typed(f"{folder}/0.txt", "--rules", "4x6/limit=12").exit_code
    assert 2 == typed("-", "--rules", "4x8", lines=f"rules: 4x6\n{PLAYED}").exit_code


def test_losses_of_others_and_costs_of_answers_are_numbers_with_their_fraction(game: str) -> None:
    told = json.loads(typed(game, "--answers", "--json").stdout)["games"][0]

    assert {"sign": "=", "value": 0.0, "error": 0.0, "fraction": "0"} == told["others"][0]["guesses"][0]["loss"]
    assert {"sign", "value", "error", "fraction"} == told["answers"]["spared"].keys() == told["answers"]["cost"].keys()

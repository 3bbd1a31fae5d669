"""`entropeg train`: puzzles at the prompt without a terminal, booklets, and one's own mistakes."""

from __future__ import annotations

import json
import re
import signal
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from entropeg.cli import group
from entropeg.codes import format_code
from entropeg.game import Game, save_game
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.sessions.training import TrainSession
from entropeg.train import Theme, hints, puzzles
from entropeg.train.anki_cards import anki_cards
from entropeg.train.booklet import booklet, booklet_page, booklet_text
from interrupting import interrupted_at

GAME = ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(group, ["train", *arguments], input=typed, prog_name="entropeg")


def session(theme: str | None = None, seed: int = 1, most: int = 100) -> TrainSession:
    return TrainSession(islice(puzzles("4x6", theme, seed=seed), most), "Training on 4x6", seed)


def told(talk: TrainSession, *typed: str) -> list[str]:
    for line in typed[:-1]:
        talk.handle(line)
    return [line.text for line in talk.handle(typed[-1])]


def answer(talk: TrainSession) -> str:
    puzzle = talk.puzzle
    return str(puzzle.row + 1) if puzzle.row is not None else format_code(puzzle.answers[0], talk.rules)


def test_a_session_takes_attempts_gives_hints_and_keeps_the_score() -> None:
    talk = session()
    talk.start()
    for number in range(10):
        assert talk.prompt == f"puzzle {number + 1}"
        assert told(talk, answer(talk))[0] == "Solved: 3 points."
    assert told(talk, "score") == ["10 of 10 puzzles solved, 30 of 30 points."]
    told(talk, "hint")
    told(talk, "hint")
    assert told(talk, answer(talk))[0] == "Solved: 1 point."
    assert told(talk, "skip")[0] == ""
    assert told(talk, "solution")[-1].endswith("?")
    assert told(talk, "quit") == ["11 of 13 puzzles solved, 31 of 39 points."]
    assert talk.over
    assert [effort.outcome for effort in talk.efforts[-4:]] == ["solved", "skipped", "shown", "open"]


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_tells_the_score(number: signal.Signals) -> None:
    code, rest = interrupted_at(["train", "--theme", "deduce", "--seed", "1"], "skip\n", "Puzzle 2", number)

    assert code == 128 + number
    assert rest.endswith("0 of 1 puzzle solved, 0 of 3 points.\n")


def test_the_end_of_the_input_tells_the_score_once() -> None:
    talk = session("deduce")
    solved = run("--theme", "deduce", "--seed", "1", typed=f"{answer(talk)}\nAAAA\n")

    assert solved.exit_code == 0
    assert solved.output.splitlines()[-1] == "1 of 1 puzzle solved, 3 of 3 points."
    assert run("--theme", "deduce", "--seed", "1", typed="skip\nquit\n").output.count("solved,") == 1
    assert "solved," not in run("--theme", "deduce", "--seed", "1", typed="AAAA\n").output


def test_a_guess_that_fits_every_row_but_can_be_no_secret_is_refused_in_a_sentence() -> None:
    for rules, guess in (("2x3/blanks", "B."), ("3x4/no-repeats/guess-repeats", "AAB")):
        found = (
            puzzle
            for seed in range(40)
            for puzzle in islice(puzzles(rules, "deduce", seed=seed), 8)
            if not puzzle.judge(guess).clues and not puzzle.judge(guess).is_solved
        )
        talk = TrainSession(islice(found, 1), rules, 1)

        assert told(talk, guess) == [f"{guess} fits every row, but no secret is like it."]
        assert talk.effort.tried == [guess]


def test_every_theme_is_shown_within_a_screen_and_says_why_an_attempt_misses() -> None:
    for theme in ("deduce", "split", "outside", "trap", "mend"):
        talk = session(theme)
        shown = [line.text for line in talk.start()]
        puzzle = talk.puzzle
        wrong = "AAAA" if theme != "mend" else str(2 if puzzle.row == 0 else 1)
        missed = told(talk, wrong)[0]
        solved = told(talk, answer(talk))

        following = solved.index("")

        assert len(shown) <= 14
        assert re.search("is not it|^Not row", missed)
        assert following <= 22  # the solution; the next puzzle stands below
        assert all(len(line) <= 160 for line in [*shown, *solved])
        assert told(talk, wrong) != [f"{wrong} was tried already."]  # what was tried before is forgotten


def test_an_attempt_is_not_counted_twice_and_a_wrong_line_changes_nothing() -> None:
    talk = session("split")
    told(talk, "aaaa")

    assert told(talk, "AAAA") == ["AAAA was tried already."]
    assert told(talk, "AAA")[0].startswith("'AAA' has 3 pegs; a code of 4x6 has 4; type a code, as ")
    assert told(talk, "row 2")[0].startswith("the answer to this puzzle is a guess, not a row")
    assert told(talk, "guess")[0].startswith("guess what? Type a code, as ")
    assert told(talk, "hind")[0].endswith("or did you mean the command hint?")
    assert told(talk, "undo") == ["undo is no command here: an attempt cannot be taken back"]
    assert talk.effort.tried == ["AAAA"]
    assert talk.effort.hints == 0
    talk = session("mend")
    rows = len(talk.position.turns)
    assert told(talk, "aabb")[0].startswith(f"'aabb' is no number of a row from 1 to {rows}; type the number of a row")
    assert told(talk, "9999") == [f"'9999' is no number of a row from 1 to {rows}"]
    assert told(talk, "row x") == [f"'x' is no number of a row from 1 to {rows}"]
    assert told(talk, "0")[0].startswith("there is no row 0: name one from 1 to ")
    assert told(talk, "row 99")[0].startswith("there is no row 99: name one from 1 to ")
    assert talk.effort.tried == []


def test_hints_come_to_an_end_and_so_do_puzzles() -> None:
    talk = session("deduce", most=2)
    told(talk, *["hint"] * 8)
    assert told(talk, "hint") == ["There are no more hints; solution shows it."]
    assert talk.effort.hints == len(hints(talk.puzzle))
    told(talk, "skip")
    assert told(talk, answer(talk))[-2:] == ["There are no more puzzles.", "1 of 2 puzzles solved, 3 of 6 points."]
    assert talk.over


def test_the_prompt_works_without_a_terminal_and_repeats_by_its_seed() -> None:
    typed = "hint\nAAAA\nskip\nsolution\nquit\n"
    one, again = run("--seed", "4", typed=typed), run("4x6", "--seed", "4", typed=typed)

    assert one.exit_code == 0
    assert one.output == again.output
    assert one.output.splitlines()[0] == "Training on 4x6, seed 4: 4 pegs, 6 colors (A B C D E F), 1,296 secrets."
    assert one.output.splitlines()[-1] == "0 of 2 puzzles solved, 0 of 6 points."
    assert run("--theme", "trap", "--seed", "1").exit_code == 0


def test_the_record_is_json_and_nothing_else() -> None:
    result = run("3x6", "--theme", "split", "--seed", "1", "--json", typed="AAA\nhint\nsolution\nskip\n")
    record = json.loads(result.stdout)

    assert record["format"] == "entropeg training 1"
    assert [(puzzle["tried"], puzzle["hints"], puzzle["outcome"]) for puzzle in record["puzzles"]] == [
        (["AAA"], 1, "shown"),
        ([], 0, "skipped"),
        ([], 0, "open"),
    ]
    assert "Puzzle 1: split" in result.stderr


class Page(HTMLParser):
    """Collects what a page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [str(value) for name, value in attrs if name in {"src", "href", "srcset", "action"}]
        self.fetched += [tag] if tag in {"script", "link", "iframe", "object", "img"} else []


def test_a_booklet_is_one_page_with_the_solutions_behind(tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    result = run("--book", "10", "--html", str(path), "--seed", "2")
    page = path.read_text(encoding="utf-8")
    asked, solved = page.split('<section class="solutions">')
    made = booklet(puzzles("4x6", seed=2), 10)

    assert result.output == f"10 puzzles written into {path}\n"
    assert page == booklet_page(made, "Training on 4x6, seed 2")
    assert asked.count("<article>") == solved.count("<article>") == 10
    reader = Page()
    reader.feed(page)
    assert reader.fetched == []
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "@media print" in page
    for puzzle in made:
        shown = f"Row {puzzle.row + 1} is wrong" if puzzle.row is not None else format_code(puzzle.answers[0], "4x6")
        assert shown in solved
    assert len(re.findall(r'id="([^"]+)"', page)) == len(set(re.findall(r'id="([^"]+)"', page)))


def test_a_booklet_is_text_or_json_too() -> None:
    text, data = run("--book", "5", "--seed", "2"), run("--book", "5", "--seed", "2", "--json")
    made = booklet(puzzles("4x6", seed=2), 5)

    assert text.output == booklet_text(made, "Training on 4x6, seed 2")
    assert text.output.index("Solutions") > text.output.index("5. ")
    assert [puzzle["theme"] for puzzle in json.loads(data.output)["puzzles"]] == [puzzle.theme.value for puzzle in made]


def test_a_page_goes_to_standard_output_and_spares_files_of_other_kinds(tmp_path: Path) -> None:
    page = run("3x6", "--book", "2", "--html", "-", "--seed", "1")
    other = tmp_path / "letter.txt"
    other.write_text("dear all", encoding="utf-8")
    kept = run("3x6", "--book", "2", "--html", str(other))

    assert page.stdout.startswith("<!doctype html>")
    assert page.stdout.endswith("</html>\n")
    assert page.stderr == ""
    assert "letter.txt exists already, and is not a page of entropeg" in kept.stderr
    assert other.read_text(encoding="utf-8") == "dear all"
    assert "- is standard output, where --json goes too" in run("--book", "2", "--html", "-", "--json").stderr


def test_cards_go_into_a_file_beside_the_booklet_or_to_standard_output(tmp_path: Path) -> None:
    cards, page, other = tmp_path / "cards.txt", tmp_path / "book.html", tmp_path / "letter.txt"
    asked = ("3x6", "--book", "2", "--seed", "1")
    result = run(*asked, "--anki", str(cards), "--html", str(page))
    text = anki_cards(booklet(puzzles("3x6", seed=1), 2))
    other.write_text("dear all", encoding="utf-8")

    assert text == cards.read_text(encoding="utf-8")
    assert "<!doctype html>" in page.read_text(encoding="utf-8")
    assert result.output == f"2 puzzles written into {page}\n2 puzzles written into {cards}\n"
    assert text == run(*asked, "--anki", "-").stdout
    assert 0 == run("3x6", "--book", "1", "--anki", str(cards)).exit_code  # a file of ours is replaced
    assert len(cards.read_text(encoding="utf-8").splitlines()) == len(text.splitlines()) - 1
    assert (
        "letter.txt exists already, and is not cards of entropeg for Anki" in run(*asked, "--anki", str(other)).stderr
    )
    assert other.read_text(encoding="utf-8") == "dear all"
    assert "--anki writes cards: say how many" in run("--anki", str(cards)).stderr
    assert "another - goes too" in run(*asked, "--anki", "-", "--html", "-").stderr
    assert [2, 0] == [len(json.loads(run(*asked, "--json", "--anki", str(cards)).stdout)["puzzles"]), result.exit_code]


def test_the_first_guess_of_a_game_may_be_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("AAAA 0b 0w\n", encoding="utf-8")
    result = run("4x6", "--learn", str(path), "--seed", "1", typed="hint\naabc\n")
    lines = result.stdout.splitlines()

    assert lines[2] == "Puzzle 1: learn, difficulty 49%"
    assert lines[3] == "AAAA was played here, which loses 0.53 guesses: what is better?"
    assert lines[4] == "1,296 codes are left."
    assert lines[5] == "Solved: 2 points."
    assert lines[-1] == "1 of 1 puzzle solved, 2 of 3 points."


def test_the_mistakes_of_saved_games_are_trained(tmp_path: Path) -> None:
    path = str(tmp_path / "game.txt")
    save_game(Game(Rules.parse("4x6/limit=12"), Position("4x6", GAME).turns), path)
    result = run("--learn", path, "--seed", "1", typed="ACCD\nsolution\nskip\n")
    lines = result.output.splitlines()

    assert result.exit_code == 0
    assert lines[0].startswith("The mistakes of 1 game on 4x6: 4 pegs")
    assert lines[2].startswith(f"Puzzle 1: {Theme.learn}, difficulty ")
    assert lines[3] == " 1  AABB  XO"
    assert lines[5] == "BEBF was played here, which loses 0.24 guesses: what is better?"
    assert lines[-1].endswith("points.")
    assert run("--learn", path, "--book", "1").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--html", "x.html"], "--html writes a booklet: say of how many puzzles, as --book 24"),
        (["20x20"], "puzzles are made for boards of at most 1,000,000 codes; 20x20 has more"),
        (["6x4/positional", "--theme", "trap"], "puzzles of the theme trap go by exact numbers of guesses"),
        (["--learn", "nowhere"], "nowhere"),
        (
            ["--theme", "trap", "--learn", "nowhere"],
            "--learn takes the mistakes of games as they are: leave --theme out",
        ),
        (["--theme", "learn"], "'learn' is not one of"),
        (["--book", "0"], "0 is not in the range"),
        (["2x3", "--theme", "split", "--book", "50"], "there are only "),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)

    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_games_that_teach_nothing_or_of_two_boards_are_refused(tmp_path: Path) -> None:
    good, other = str(tmp_path / "good.txt"), str(tmp_path / "other.txt")
    save_game(Game(Rules.parse("4x6"), Position("4x6", ["AABC XO"]).turns), good)
    save_game(Game(Rules.parse("4x8"), Position("4x8", ["AABC XO"]).turns), other)

    assert "there is no mistake in 1 game that is known exactly: nothing to learn" in run("--learn", good).stderr
    told = run("--learn", good, "--learn", other).stderr
    assert "the games are of different rules, 4x6 and 4x8: take one board at a time" in told
    assert "- is standard input, where answers are typed too" in run("--learn", "-").stderr
    pasted = run("4x6", "--learn", "-", "--book", "1", typed="aabb 1b 1w\naabb 2b\n")
    assert pasted.exit_code == 2
    assert pasted.stderr.startswith("entropeg: standard input: no secret fits turn 1 (AABB XO) and turn 2 (AABB XX)")


def test_the_games_of_a_folder_are_learned_from(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("\n".join(GAME))

    shown = run("4x6", "--learn", str(tmp_path), "--book", "2")

    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("The mistakes of 2 games on 4x6")


def test_games_that_no_code_fits_are_left_out_of_what_is_learned_from(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("\n".join(["aabb xxx", "ccdd xxx", "", *GAME, "", "aabb xxx", "ccdd xxx"]))

    shown = run("4x6", "--learn", str(path), "--book", "2")

    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("The mistakes of 1 game on 4x6")
    assert shown.stderr.count("left out: ") == 2
    assert "game 1: no secret fits turn 1 (AABB XXX) and turn 2 (CCDD XXX)" in shown.stderr

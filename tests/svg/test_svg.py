"""Pictures: what they say in words, and that they are well-formed and of bounded size whatever is drawn."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from entropeg import Feedback, Partition, Position, Rules, StrategyTree, play
from entropeg.codes import random_guess, random_secret, score
from entropeg.feedback import Marks, from_label
from entropeg.game import Game
from entropeg.position import Turn
from entropeg.svg.board import MOST_TURNS, draw_board
from entropeg.svg.frame import escape, frame, text
from entropeg.svg.parts import MOST_PARTS, draw_parts
from entropeg.svg.pegs import marks
from entropeg.tree.picture import to_svg

DOCS = Path(__file__).parents[2] / "docs"
SVG = "{http://www.w3.org/2000/svg}"


def read(picture: str) -> ET.Element:
    """Parse a picture; it has a title and a description that it is labelled by, and nothing from elsewhere."""
    root = ET.fromstring(picture)  # noqa: S314  # made by the code that is tested
    title, description = root.find(f"{SVG}title"), root.find(f"{SVG}desc")

    assert title is not None
    assert description is not None
    assert title.text
    assert description.text
    assert "img" == root.get("role")
    assert [title.get("id"), description.get("id")] == (root.get("aria-labelledby") or "").split()
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    drawing = re.sub(r"<(title|desc|text).*?</\1>", "", picture)

    assert tags <= {"svg", "title", "desc", "metadata", "style", "rect", "circle", "path", "text", "g"}
    assert not re.search(r"url\(|@import|href|script|on\w+=|nan|inf\b", drawing)
    return root


def described(picture: str) -> str:
    return read(picture).findtext(f"{SVG}desc") or ""


def titled(picture: str) -> str:
    return read(picture).findtext(f"{SVG}title") or ""


def svg(value: Any) -> str:
    picture = value._repr_svg_()

    assert isinstance(picture, str)
    return picture


def drawn(picture: str, css: str) -> int:
    return sum(css in (element.get("class") or "").split() for element in read(picture).iter())


# ------------------------------------------------------------------ what values say


def test_a_position_says_its_turns_and_how_many_codes_fit() -> None:
    picture = svg(Position("4x6", ["AABB XO", "ABCD OO"]))

    assert "4x6: 2 turns" == titled(picture)
    assert "Guess 1: A A B B, 1 black, 1 white. Guess 2: A B C D, 2 white. 42 codes fit." == described(picture)
    assert (2, 8, 4) == (drawn(picture, "eg-turn"), drawn(picture, "eg-peg"), drawn(picture, "eg-hole"))
    assert (1, 3) == (drawn(picture, "eg-black"), drawn(picture, "eg-white"))


def test_a_position_without_turns_waits_for_the_first_guess() -> None:
    picture = svg(Position("1x1"))

    assert "No turns yet. 1 code fits." == described(picture)
    assert 1 == drawn(picture, "eg-hole")


def test_a_position_that_is_over_waits_for_nothing() -> None:
    won, lost = Position("2x2", ["AB XX"]), Position("2x2/limit=1", ["AA X"])

    assert ["2x2: won", "2x2/limit=1: lost"] == [titled(svg(each)) for each in (won, lost)]
    assert [0, 0] == [drawn(svg(each), "eg-hole") for each in (won, lost)]


def test_a_contradiction_is_said() -> None:
    assert described(svg(Position("2x2", ["AA -", "BB -"]))).endswith("no code fits all rows.")


def test_a_board_too_large_to_count_is_drawn_without_its_count() -> None:
    assert "No turns yet." == described(svg(Position("20x20")))


def test_a_game_says_how_it_ended_and_shows_the_secret_only_where_it_was_not_found() -> None:
    turns = (Turn((0, 0), Feedback(1, 0)), Turn((0, 1), Feedback(2, 0)))
    won, lost = Game(Rules(2, 2), turns, (0, 1)), Game(Rules(2, 2), turns[:1], (0, 1))

    assert "2x2: won in 2 guesses" == titled(svg(won))
    assert "secret" not in described(svg(won))
    assert "2x2: abandoned after 1 guess" == titled(svg(lost))
    assert "The secret is A B." in described(svg(lost))


def test_a_partition_says_its_parts_the_largest_first() -> None:
    partition = Partition.of(Position("2x3").candidates, "AB")
    picture = svg(partition)
    bars = [float(bar.get("width") or 0) for bar in read(picture).iter() if bar.get("class") == "eg-bar"]

    assert f"9 codes in {partition.parts} parts" == titled(picture)
    assert "The guess is A B." in described(picture)
    assert sorted(bars, reverse=True) == bars
    assert partition.parts == len(bars)
    assert sorted(partition.sizes.values(), reverse=True) == [
        int(n) for n in re.findall(r": (\d+) codes?\.", described(picture))
    ]


def test_a_partition_made_by_hand_is_drawn_without_its_guess() -> None:
    picture = svg(Partition((0, 1), {Feedback(0, 2): 1, Feedback(2): 1}, Feedback(2)))

    assert 0 == drawn(picture, "eg-peg")
    assert "2 white: 1 code. 2 black: 1 code." in described(picture)


def test_chances_stand_beside_the_parts_where_there_is_a_prior() -> None:
    partition = Partition.of(Position("2x3/prior=distinct").candidates, "AB")

    assert partition.parts == svg(partition).count("%</text>")
    assert "%</text>" not in svg(Partition.of(Position("2x3").candidates, "AB"))


def test_a_tree_shows_every_position_and_says_the_first_answers() -> None:
    tree = StrategyTree.build("minimax", "2x3")
    picture = svg(tree)

    assert len(tree) == drawn(picture, "eg-node")
    assert titled(picture).startswith("2x3: ")
    assert "The first guess is " in described(picture)
    assert "<metadata" not in picture
    assert "<metadata" in to_svg(tree)


# ------------------------------------------------------------------ pieces


def test_marks_are_told_by_their_shapes() -> None:
    black, white = marks(Feedback(1, 0), 0, 0), marks(Feedback(0, 1), 0, 0)

    assert ("eg-black", "eg-white") == tuple(re.findall("eg-[a-z]+", black + white))
    assert [1, 2, 3] == [marks(Marks((mark,)), 0, 0).count("circle") + mark for mark in (0, 1, 2)]
    assert 3 == len({re.sub("eg-mark.", "", marks(Marks((mark,)), 0, 0)) for mark in (0, 1, 2)})


def test_many_marks_are_numbers_and_so_are_those_of_digits() -> None:
    assert re.findall(r">(\d+)<", marks(Feedback(20, 0), 0, 0)) == ["20"]
    assert re.findall(r">(\d+)<", marks(Feedback(2, 1), 0, 0, as_numbers=True)) == ["2", "1"]
    assert (
        re.findall(r"eg-letter|eg-face", svg(Position("bulls-and-cows", ["0123 XO"])).split("</style>")[1])
        == ["eg-face"] * 4
    )


def test_words_are_tiles_in_the_colors_of_their_marks() -> None:
    picture = svg(Position("words:english/positional", ["about XO..."]))

    assert "Guess 1: about, a in place, b elsewhere, o not in the secret" in described(picture)
    assert (2, 2, 6) == tuple(drawn(picture, f"eg-mark{mark}") for mark in (2, 1, 0))


def test_shapes_are_the_outlines_of_grand_mastermind() -> None:
    picture = svg(Position("grand", ["A1B1C2D2 XO~"]))
    paths = [path.get("d") or "" for path in read(picture).iter() if "eg-peg" in (path.get("class") or "")]
    shapes = [path.split("l", 1)[-1] if "l" in path else "round" for path in paths]

    assert shapes[0] == shapes[1] != shapes[2] == shapes[3]
    assert "1 black, 1 white, 1 blue" in described(picture)


def test_blanks_are_holes_and_are_said() -> None:
    picture = svg(Game(Rules.parse("2x2/blanks"), (Turn((0, 2), Feedback(1, 0)),)))

    assert "Guess 1: A blank, 1 black." in described(picture)
    assert (1, 1) == (drawn(picture, "eg-peg"), drawn(picture, "eg-hole"))


@pytest.mark.parametrize(("colors", "symbol"), [(26, "Z"), (27, "27"), (1000, "1000")])
def test_past_26_colors_pegs_carry_numbers(colors: int, symbol: str) -> None:
    picture = svg(Position(Rules(1, colors), [((colors - 1,), (0, 0))]))

    assert f">{symbol}</text>" in picture
    assert f"Guess 1: {symbol}, no marks." in described(picture)


# ------------------------------------------------------------------ text that would break a picture


@pytest.mark.parametrize("words", ["&<>\"'", "</text><script>", "]]>", chr(0), chr(0xD800), chr(0xFFFF), "é😀"])
def test_any_text_is_safe(words: str) -> None:
    picture = frame((100, 50), (words, words), [text(0, 20, words)], "x")
    root = ET.fromstring(picture)  # noqa: S314  # made one line above
    clean = re.sub("[\0\ud800\uffff]", "\ufffd", words)

    assert [clean] * 3 == [root.findtext(f"{SVG}{tag}") for tag in ("title", "desc", "text")]
    assert escape(words) in picture


def test_names_of_players_and_symbols_of_alphabets_may_be_anything() -> None:
    rules = Rules(2, 5, alphabet="&<>\"'")
    game = Game(rules, (Turn((0, 1), Feedback(1, 0)),), None, "<b>", "a & b")

    assert "Guess 1: & <, 1 black." in described(svg(game))
    assert "<b> against a & b." in described(svg(game))


# ------------------------------------------------------------------ large things


def longest_game(text_: str, turns: int) -> Game:
    rules = Rules.parse(text_)
    rng = np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played: list[Turn] = []
    while len(played) < turns:
        guess = random_guess(rules, rng)
        if guess != secret:
            played.append(Turn(guess, score(guess, secret, rules)))
    return Game(rules, tuple(played), secret)


def test_a_game_of_ten_thousand_turns_is_cut_with_words() -> None:
    game = longest_game("4x6", 10_000)
    picture = svg(game)

    assert MOST_TURNS == drawn(picture, "eg-turn")
    assert f"And {10_000 - MOST_TURNS:,} more turns." in described(picture)
    assert "Guess 10000: " in described(picture)
    assert len(picture) < 100_000


def test_one_turn_too_many_is_one_turn() -> None:
    assert "and 1 more turn</text>" in svg(longest_game("4x6", MOST_TURNS + 1))
    assert "more turn" not in svg(longest_game("4x6", MOST_TURNS))


@pytest.mark.parametrize(
    "board",
    ["200x6", "32x999999", "33x999999", "200x24/names", "300x26/positional", "200x9/digits", "99x130/shapes=5"],
)
def test_long_codes_are_cut_with_words_and_the_picture_stays_small(board: str) -> None:
    game = longest_game(board, 100)
    picture = svg(game)

    assert len(picture.encode()) < 300_000
    assert ("pegs are drawn" in described(picture)) == (game.rules.pegs > 32)
    assert drawn(picture, "eg-turn") < 30


def test_a_partition_of_500_parts_is_cut_with_words() -> None:
    rules = Rules.parse("6x6/positional")
    sizes = {from_label(label, rules): label + 1 for label in range(500)}
    picture = draw_parts(sizes, "500 parts", guess=(0,) * 6, rules=rules)

    assert MOST_PARTS == drawn(picture, "eg-part")
    assert f"And 470 more parts with {470 * 471 // 2:,} codes." in described(picture)
    assert len(picture) < 150_000


def test_no_parts_are_drawn_as_none() -> None:
    assert "The guess is A B." == described(draw_parts({}, "no codes", guess=(0, 1), rules=Rules(2, 2)))


@pytest.mark.parametrize(("player", "board"), [("minimax", "4x6"), ("minimax", "5x6"), ("minimax", "4x5/positional")])
def test_a_tree_of_thousands_of_nodes_is_folded(player: str, board: str) -> None:
    tree = StrategyTree.build(player, board)
    picture = svg(tree)

    assert len(tree) > 500
    assert 1 < drawn(picture, "eg-node") <= 80
    assert len(picture) < 150_000


@pytest.mark.parametrize(
    "board",
    [
        *("1x1", "1x30", "2x3/names", "2x6/shapes=2", "3x3/blanks", "3x4/positional", "3x5/digits", "3x5/course"),
        "words:english/pegs=4/positional",
    ],
)
def test_trees_of_every_kind_are_drawn_within_their_frame(board: str) -> None:
    picture = svg(StrategyTree.build("parts", board))
    root = read(picture)
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)

    assert all(0 < float(t.get("x") or 0) < width for t in root.iter(f"{SVG}text"))
    assert all(0 < float(t.get("y") or 0) < height for t in root.iter(f"{SVG}text"))


# ------------------------------------------------------------------ several on one page


def test_ids_differ_where_pictures_do() -> None:
    positions = [Position("4x6", turns) for turns in ([], ["AABB XO"], ["AABB XX"], ["AABC XO"])]
    values = [*positions, Partition.of(positions[1].candidates, "ABCD"), play("minimax", "honest:ABCD", "4x6")]
    ids = [name for value in values for name in re.findall(r' id="([^"]+)"', svg(value))]

    assert 2 * len(values) == len(ids) == len(set(ids))


def test_the_same_value_is_drawn_alike_each_time() -> None:
    assert svg(Position("4x6", ["AABB XO"])) == svg(Position("4x6", ["AABB XO"]))


def test_the_figures_of_the_page_are_what_is_drawn_today(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (DOCS / "do" / "pictures.md").read_text(encoding="utf-8")
    program = page.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(tmp_path)
    exec(program, {})  # noqa: S102  # the project's own text
    names = re.findall(r"\(\.\./figures/(\w+\.svg)\)", page)

    assert 3 == len(names)
    for name in names:
        assert (DOCS / "figures" / name).read_text(encoding="utf-8") == Path(name).read_text(encoding="utf-8")


def test_pictures_are_loaded_when_one_is_wanted() -> None:
    program = "import entropeg, sys; print([name for name in sys.modules if name.startswith('entropeg.svg')])"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "[]\n" == shown.stdout


# ------------------------------------------------------------------ drawn cases


OPTIONS: list[Callable[[Random], str]] = [
    lambda _: "",
    lambda _: "/black",
    lambda _: "/membership",
    lambda _: "/positional",
    lambda _: "/blanks",
    lambda _: "/blanks-in-secrets",
    lambda _: "/numbers",
    lambda rng: f"/limit={rng.randint(1, 9)}",
]


def drawn_rules(rng: Random) -> Rules:
    pegs = rng.choice([1, 2, 3, 4, 7, 31, 32, 33, 60])
    if rng.random() < 0.1:
        return Rules.parse(rng.choice(["words:english/positional", "words:french", "words:french/fold/pegs=4"]))
    if rng.random() < 0.15:
        shapes = rng.randint(1, 12)
        return Rules.parse(f"{pegs}x{shapes * rng.randint(1, 26)}/shapes={shapes}")
    colors = rng.choice([1, 2, 6, 7, 9, 10, 11, 24, 26, 27, 100, 1000])
    alphabet = rng.choice(["", "", "/digits" if colors < 10 else "", "/names" if colors <= 24 else ""])
    option = rng.choice(OPTIONS)(rng)
    return Rules.parse(f"{pegs}x{colors}{option}{'' if option == '/numbers' else alphabet}")


@pytest.mark.parametrize("seed", range(120))
def test_any_game_any_position_and_any_partition_is_drawn(seed: int) -> None:
    rng, draws = Random(seed), np.random.default_rng(seed)
    rules = drawn_rules(rng)
    secret = random_secret(rules, draws)
    guesses = [random_guess(rules, draws) for _ in range(rng.choice([0, 1, 2, 5, 50]))]
    turns = tuple(Turn(guess, score(guess, secret, rules)) for guess in guesses)
    game = Game(rules, turns, rng.choice([secret, None]), f"player <{seed}>", "a & b")
    sizes = {turn.feedback: rng.randint(1, 10 ** rng.randint(1, 30)) for turn in turns}

    for picture in (svg(game), draw_board(rules, turns, str(rules), is_open=True, secret=secret)):
        root = read(picture)
        width, height = float(root.get("width") or 0), float(root.get("height") or 0)
        assert 0 < width < 3000
        assert 0 < height < 2500
        assert len(picture.encode()) < 300_000
        centers = [(float(c.get("cx") or 0), float(c.get("cy") or 0)) for c in root.iter(f"{SVG}circle")]
        assert all(0 < x < width and 0 < y < height for x, y in centers)
        assert all(0 < float(t.get("x") or 0) < width for t in root.iter(f"{SVG}text"))
        assert all(0 < float(t.get("y") or 0) < height for t in root.iter(f"{SVG}text"))
    read(draw_parts(sizes, "parts", guess=secret, rules=rules))
    if rules.secret_count < 2000:
        read(svg(Position(rules, turns)))

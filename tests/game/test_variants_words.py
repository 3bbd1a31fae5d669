"""Secrets from a word list: what is read, what is refused, and that every strategy plays it as brute force would."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from itertools import product
from math import log2
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import naive
from entropeg import cli, codebreakers, codemakers
from entropeg.codebreakers.decoder.player import Overture
from entropeg.codes import CodeSet, check_code, format_code, guesses, parse_code, random_guess, random_secret, secrets
from entropeg.errors import InputError
from entropeg.experiments.match import Match
from entropeg.experiments.runner import arena
from entropeg.feedback import from_label
from entropeg.game import Game
from entropeg.loop import play
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.bounds import bounds
from entropeg.symmetry import guess_kinds, representatives
from entropeg.tree import StrategyTree, opening_classes
from entropeg.words import SHIPPED, WordList, shipped_words

WORDS = ["crane", "slate", "brick", "crack", "trace", "eerie", "geese", "smart", "start", "stare"]
STRATEGIES = [
    "random",
    "memory",
    "consistent",
    "first-consistent",
    "minimax",
    "sorted-minimax",
    "expected-size",
    "entropy",
    "parts",
    "decoder",
    "decoder:full",
]


@pytest.fixture
def five(tmp_path: Path) -> str:
    return write(tmp_path / "five.txt", WORDS)


def write(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_the_words_are_the_secrets_in_order_with_their_ranks(five: str) -> None:
    rules = Rules.parse(f"words:{five}/positional")
    every = secrets(rules)

    assert sorted(WORDS) == [format_code(code, rules) for code in every]
    assert list(range(10)) == every.ranks.tolist() == every.find(every).tolist()
    assert every.take(np.array([2, 5])).ranks.tolist() == [2, 5]
    assert (10, 10, 5) == (rules.secret_count, rules.guess_count, rules.pegs)
    assert "".join(sorted(set("".join(WORDS)))) == rules.alphabet
    assert guesses(rules) is every


def test_rules_of_words_are_written_as_they_are_read(five: str, tmp_path: Path) -> None:
    probes = write(tmp_path / "black", ["tacit"])
    for options in ("", "/positional", "/fold/pegs=5", "/free-guesses/limit=6", f"/probes={probes}/membership/limit=6"):
        rules = Rules.parse(f"words:{five}{options}")
        again = Rules.parse(str(rules))

        assert (rules, str(rules), hash(rules)) == (again, str(again), hash(again))
        assert rules.words is not None
        assert f"words:{five}" == rules.words.options[0]


def test_probes_may_be_guessed_and_are_no_secrets(five: str, tmp_path: Path) -> None:
    rules = Rules.parse(f"words:{five}/probes={write(tmp_path / 'more.txt', ['tacit', 'slate'])}")
    tacit = parse_code("tacit", rules)

    assert (10, 11) == (rules.secret_count, rules.guess_count)
    assert tacit in guesses(rules)
    assert [-1] == CodeSet.of([tacit], rules).ranks.tolist()
    with pytest.raises(InputError, match=r"'tacit' is not in .*five\.txt"):
        parse_code("tacit", rules, secret=True)


def test_free_guesses_are_any_letters(five: str) -> None:
    rules = Rules.parse(f"words:{five}/free-guesses")
    drawn = random_guess(rules, np.random.default_rng(1))

    assert rules.colors**5 == rules.guess_count
    assert parse_code("aaaaa", rules) == check_code((0,) * 5, rules)
    assert random_secret(rules, np.random.default_rng(1)) in secrets(rules)
    assert drawn not in secrets(rules)


def test_every_word_is_drawn_as_secret(five: str) -> None:
    rules, rng = Rules.parse(f"words:{five}"), np.random.default_rng(0)

    assert set(secrets(rules)) == {random_secret(rules, rng) for _ in range(200)}
    assert set(secrets(rules)) == {random_guess(rules, rng) for _ in range(200)}


def test_case_and_accents_are_folded_on_request(tmp_path: Path) -> None:
    path = write(tmp_path / "mots.txt", ["Été", "ANE", "\ufeffcôté"[1:4], ""])
    folded = Rules.parse(f"words:{path}/fold")

    assert ["ane", "cot", "ete"] == [format_code(code, folded) for code in secrets(folded)]
    assert parse_code("ÉTÉ", folded) == parse_code("ete", folded)
    assert ["ANE", "côt", "Été"] == [
        format_code(code, Rules.parse(f"words:{path}")) for code in secrets(Rules.parse(f"words:{path}"))
    ]


def test_a_mark_at_the_start_of_the_file_and_composed_accents_make_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "mots.txt"
    path.write_bytes("\ufeffe\u0301te\r\nane\r\n".encode())

    assert ("ane", "éte") == WordList.read(str(path)).words


def test_words_of_other_lengths_are_left_out_and_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "mixed.txt", ["cat", "horse", "dog", "mouse", "ox-cart"])
    rules = Rules.parse(f"words:{path}/pegs=3")

    assert ["cat", "dog"] == [format_code(code, rules) for code in secrets(rules)]
    assert "3 words of other lengths left out" in rules.describe()
    assert "/pegs=3/" in str(rules)


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (["crane", "banana"], "", r"line 2 \('banana'\) has 6 letters, and line 1 \('crane'\) 5: .*/pegs=5"),
        (["crane", "banana"], "/pegs=4", "has no word of 4 letters: its words have 5, 6"),
        (["Été", "ETE"], "/fold", r"line 2 \('ETE'\) is the same word as line 1 \('Été'\), 'ete' without case"),
        (["ete", "abc", "ete"], "", r"line 3 \('ete'\) is the same word as line 1"),
        ([], "", "has no word: write one on each line"),
        (["", "  "], "", "has no word"),
        (["abc", "a-c"], "", r"line 2 \('a-c'\): letter 2 is '-', which is kept"),
        (["abc", "a.c"], "", "letter 2 is '.', which is kept"),
        (["abc"], "/no-repeats", "no-repeats does not go with a word list"),
        (["abc"], "/blanks", "blanks do not go with a word list"),
        (["abc"], "/digits", "an alphabet does not go with a word list"),
        (["abc"], "/digest=00000000", "has changed since"),
        (["abc"], "/pegs=x", "the number of pegs is 'x'; it must be a whole number"),
        (["abc"], "/free-guesses/probes=nowhere", "leave one out"),
        (["abc"], "/probes=nowhere", "nowhere cannot be read"),
    ],
)
def test_wrong_lists_are_refused_with_the_line_and_the_word(
    lines: list[str], options: str, message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "list.txt", lines)

    with pytest.raises(InputError, match=message):
        Rules.parse(f"words:{path}{options}")


def test_a_list_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"abc\n\xe9te\n")

    with pytest.raises(InputError, match="nowhere cannot be read: No such file"):
        Rules.parse("words:nowhere")
    with pytest.raises(InputError, match=r"latin\.txt is not a text file: line 2, byte 4 is not UTF-8"):
        Rules.parse(f"words:{tmp_path / 'latin.txt'}")
    with pytest.raises(InputError, match="'fold' is for word lists only"):
        Rules.parse("4x6/fold")


SYSTEM = [
    "\ufeffA",
    "Adam",
    "adam's",
    "à-pic",
    "café",
    "cafe",
    "CERN",
    "coeur",
    "cœur",
    "cat/S",
    "Ziel",
    "zone",
    "zone",
    "4x4s",
]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("options", "words", "left"),
    [
        ("/pegs=4", ["cafe", "café", "cœur", "zone"], "5 words of other lengths and 5 with capitals"),
        ("/fold/pegs=4", ["adam", "cafe", "cern", "ziel", "zone"], "6 words of other lengths and 3 with capitals"),
        ("/fold/pegs=5", ["coeur"], "10 words of other lengths and 3 with capitals"),
    ],
)
def test_of_a_list_of_the_system_what_does_not_fit_is_left_out_and_counted(
    options: str, words: list[str], left: str, end: str, tmp_path: Path
) -> None:
    (tmp_path / "words").write_bytes(end.join(SYSTEM).encode())
    rules = Rules.parse(f"words:{tmp_path / 'words'}{options}")

    assert rules.words is not None
    assert words == list(rules.words.words)
    assert left in rules.describe()


def test_what_is_left_out_is_said_once(tmp_path: Path) -> None:
    rules = f"words:{write(tmp_path / 'words', ['cat', 'dog', 'horse', 'Ann'])}/pegs=3"
    said = "1 word of other lengths and 1 with capitals or signs, or repeated, left out"
    counted = CliRunner().invoke(cli.group, ["candidates", rules, "cat -"])
    played = CliRunner().invoke(cli.group, ["play", "--rules", rules], input="quit\n")

    assert f"{tmp_path / 'words'}: {said}\n" == counted.stderr
    assert (1, "") == (played.stdout.count(said), played.stderr)


def test_that_case_counts_is_said_where_a_letter_has_both(tmp_path: Path) -> None:
    path = write(tmp_path / "words", ["apple", "Apple", "Mango"])

    said = CliRunner().invoke(cli.group, ["candidates", f"words:{path}", "Mango -"]).stderr

    assert said == f"{path}: without /fold A and a are two letters\n"
    assert "" == WordList.of(["apple", "Bingo"]).describe_others()


@pytest.mark.parametrize("name", ["words.txt", "mes mots.txt"])
@pytest.mark.parametrize(
    ("words", "options", "said"),
    [
        (("cat", "dog"), "", "un mot"),
        (("cat", "dog"), "/free-guesses", "n’importe quelles lettres"),
        (("cat", "dog", "Cow"), "", "un mot (sans /fold, C et c sont deux lettres)"),
        (("cat", "horse"), "/pegs=3", "un mot (1 mot d’autres longueurs laissé de côté)"),
        (("cat", "dog", "Ann"), "/pegs=3", "un mot (1 avec des majuscules ou des signes, ou répété, laissé de côté)"),
        (
            ("cat", "horse", "mouse", "Ann"),
            "/pegs=3",
            "un mot (2 mots d’autres longueurs et 1 avec des majuscules ou des signes, ou répété, laissés de côté)",
        ),
    ],
)
def test_the_line_of_a_file_of_words_is_french(
    words: tuple[str, ...], options: str, said: str, name: str, tmp_path: Path
) -> None:
    path = write(tmp_path / name, list(words))
    shown = CliRunner().invoke(cli.group, ["--lang", "fr", "play", "--rules", f"words:{path}{options}"]).stdout

    assert f" : mots de 3 lettres de {path}, chaque proposition étant {said}, " in shown.splitlines()[0].replace(
        "\u00a0", " "
    )


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_probes_without_a_word_are_refused(content: str, five: str, tmp_path: Path) -> None:
    (tmp_path / "probes").write_text(content, encoding="utf-8")

    with pytest.raises(InputError, match="probes has no word: write one on each line, or leave the probes out"):
        Rules.parse(f"words:{five}/probes={tmp_path / 'probes'}")


def test_a_list_that_is_too_long_for_a_proof_is_said_to_be_and_bounded(tmp_path: Path) -> None:
    letters = "abcdefghij"
    path = write(tmp_path / "words", ["".join(word) for word in product(letters, repeat=5)])
    told = CliRunner().invoke(cli.group, ["optimal", f"words:{path}/positional"])

    assert 0 == told.exit_code
    assert "is out of reach of a proof: its 100,000 secrets against 100,000 guesses take" in told.stdout
    assert "mean >= " in told.stdout


def test_a_list_all_in_capitals_keeps_its_words(tmp_path: Path) -> None:
    rules = Rules.parse(f"words:{write(tmp_path / 'words', ['CAT', 'DOG', 'D-G'])}/pegs=3")

    assert ["CAT", "DOG"] == [format_code(code, rules) for code in secrets(rules)]


def test_a_list_of_which_nothing_fits_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no word of letters only among its 2 of this length"):
        Rules.parse(f"words:{write(tmp_path / 'words', ['a-b', 'c.d', 'longer'])}/pegs=3")


@pytest.mark.parametrize("name", list(SHIPPED))
def test_a_list_of_the_package_holds_small_words_in_order_each_once(name: str) -> None:
    words = shipped_words(name)

    assert sorted(set(words)) == words
    assert all(word.isalpha() and word == word.lower() and 4 <= len(word) <= 6 for word in words)
    assert all(word == unicodedata.normalize("NFC", word) for word in words)


@pytest.mark.parametrize("rules", ["words:english", "words:english/pegs=4", "words:french", "words:french/fold/pegs=6"])
def test_the_lists_of_the_package_are_played_at_once(rules: str) -> None:
    board = Rules.parse(rules)

    assert 250 < board.secret_count < 1000
    assert str(board) == str(Rules.parse(str(board)))
    assert play(codebreakers.get("consistent"), codemakers.get("honest"), board, seed=1).outcome == "won"


def test_a_file_with_the_name_of_a_list_is_read_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "french", ["un", "de"])

    assert 2 == Rules.parse("words:./french").secret_count
    assert 5 == Rules.parse("words:french").pegs


def test_accents_are_letters_of_their_own_unless_folded() -> None:
    with_accents, folded = Rules.parse("words:french"), Rules.parse("words:french/fold")

    assert "é" in with_accents.alphabet
    assert folded.alphabet.isascii()
    assert parse_code("élève", folded) == parse_code("ELEVE", folded)


def test_the_lists_of_the_package_are_listed() -> None:
    listed = CliRunner().invoke(cli.group, ["list", "rules", "--json"])
    shown = CliRunner().invoke(cli.group, ["list", "rules"])

    assert list(SHIPPED) == [each["name"] for each in json.loads(listed.output)["rules"]["words"]]
    assert "words:english" in shown.output
    assert "525 secrets" in shown.output


def test_probes_of_another_length_are_refused_unless_the_length_is_given(five: str, tmp_path: Path) -> None:
    probes = write(tmp_path / "probes.txt", ["tacit", "banana"])

    with pytest.raises(InputError, match=r"line 2 \('banana'\) has 6 letters, and the words of .* 5"):
        Rules.parse(f"words:{five}/probes={probes}")
    assert Rules.parse(f"words:{five}/probes={probes}/pegs=5").guess_count == 11


def test_a_guess_outside_the_list_is_answered_with_the_nearest_words(five: str) -> None:
    rules = Rules.parse(f"words:{five}")

    with pytest.raises(InputError, match=r"'start' or|did you mean stat?r"):
        parse_code("starr", rules)


@pytest.mark.parametrize("kind", ["standard", "black", "membership", "positional"])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_finds_every_word(strategy: str, kind: str, five: str) -> None:
    rules = Rules.parse(f"words:{five}/{kind}")
    breaker = codebreakers.get(strategy)

    for word in WORDS[:3]:
        game = play(breaker, codemakers.get(f"honest:{word}"), rules, seed=5)
        assert game.outcome == "won"
        assert all(turn.guess in secrets(rules) for turn in game.turns)
        assert Game.from_text(game.to_text()).turns == game.turns


def naive_best(rules: Rules, candidates: list[tuple[int, ...]], kind: int) -> list[tuple[int, ...]]:
    def bits(guess: tuple[int, ...]) -> float:
        sizes = Counter(naive.score(kind, guess, secret) for secret in candidates).values()
        return -sum(size / len(candidates) * log2(size / len(candidates)) for size in sizes)

    every = list(guesses(rules))
    best = max(map(bits, every))
    equal = [guess for guess in every if bits(guess) > best - 1e-12]
    return [guess for guess in equal if guess in candidates] or equal


@pytest.mark.parametrize("kind", ["standard", "black", "membership", "positional"])
def test_entropy_and_the_full_decoder_play_what_brute_force_finds(kind: str, tmp_path: Path) -> None:
    # Letters and places are no symmetries here: `abb`, `bba` and `acc` split these words differently.
    path = write(tmp_path / "three.txt", ["abc", "acb", "bac", "abb", "dca", "ddd", "cab", "dab"])
    rules = Rules.parse(f"words:{path}/{kind}/probes={write(tmp_path / 'more.txt', ['aab', 'bca', 'cdb'])}")
    start = Position(rules)
    positions = [
        start,
        start.after(guesses(rules)[1], from_label(int(start.candidates.score(guesses(rules)[1])[4]), rules)),
    ]
    for position in positions:
        expected = naive_best(rules, list(position.candidates), rules.kind)
        rng = np.random.default_rng(0)

        assert codebreakers.get("entropy").guess(position, rng) == expected[0]
        assert codebreakers.get("decoder:full").guess(position, rng) in expected
        if len(position.candidates) > 2:
            assert codebreakers.get("entropy").guess(position, rng) == codebreakers.get(
                "entropy:symmetry=no,shortcut=no"
            ).guess(position, rng)


def test_the_candidates_are_those_of_brute_force(five: str) -> None:
    rules = Rules.parse(f"words:{five}/positional")
    for guess in secrets(rules):
        for label in set(secrets(rules).score(guess).tolist()):
            expected = [code for code in secrets(rules) if naive.score(3, guess, code) == label]
            assert expected == list(Position(rules).after(guess, from_label(label, rules)).candidates)


def test_no_two_words_are_of_a_kind(five: str) -> None:
    rules = Rules.parse(f"words:{five}")
    start = Position(rules)

    assert list(secrets(rules)) == list(representatives(start, start.candidates)) == opening_classes(rules)
    assert guess_kinds(start) is guesses(rules)
    assert Overture.of(start).next is None


def test_long_words_are_found_in_their_list(tmp_path: Path) -> None:
    words = ["abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba", "abcdefghijklmnopqrstuvwxzy"]
    rules = Rules.parse(f"words:{write(tmp_path / 'long.txt', words)}")

    assert [0, 1, 2] == secrets(rules).find(secrets(rules)).tolist()
    assert [2] == secrets(rules).find(secrets(rules)[2:]).tolist()
    assert play(codebreakers.get("entropy"), codemakers.get("honest"), rules, seed=1).outcome == "won"


def test_the_arena_plays_words_as_the_loop_does(five: str) -> None:
    rules = Rules.parse(f"words:{five}/positional")
    for breaker in ("random", "memory", "consistent", "entropy", "decoder"):
        for maker in ("honest", "cheat"):
            (run,) = arena(breaker, maker, rules, games=5, seed=3, jobs=1)
            match = Match(breaker, maker, rules, seed=3)
            assert [len(match.play(game)) for game in range(5)] == run.guesses.tolist()
    (run,) = arena("entropy", "honest", rules, all_secrets=True, jobs=1)
    assert len(run.guesses) == 10


def test_a_tree_of_words_finds_them_all(five: str) -> None:
    rules = Rules.parse(f"words:{five}/positional")
    tree = StrategyTree.build("entropy", rules)
    alone = sum(
        len(play(codebreakers.get("entropy"), codemakers.get(f"honest:{word}"), rules, seed=1)) for word in WORDS
    )

    assert alone == tree.check().total


def test_what_words_do_not_allow_is_said(five: str) -> None:
    rules = Rules.parse(f"words:{five}")

    with pytest.raises(InputError, match="dichotomy plays one-color codes, which are no words of"):
        play(codebreakers.get("dichotomy"), codemakers.get("honest"), rules, seed=1)
    assert {"information", "counting", "first guess"} >= {bound.name for bound in bounds(rules)}


def test_the_command_line_plays_words(five: str) -> None:
    rules = f"words:{five}/positional"

    def run(*arguments: str, lines: str = "") -> Result:
        return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")

    found = run("candidates", rules, "crane ..X.X", "--json")
    played = run("arena", "entropy", "honest", "--rules", rules, "--all-secrets", "--jobs=1")
    wrong = run("candidates", "words:nowhere")
    broken = run("break", "--rules", rules, "--seed=1", lines=".....\nquit\n")
    guessed = run("play", "--rules", rules, "--seed=1", lines="zebra\ncrane\nquit\n")

    answer = json.loads(found.output)
    assert (1, ["slate"]) == (answer["count"], answer["codes"])
    assert 0 == played.exit_code, played.output
    assert (2, True) == (wrong.exit_code, "nowhere cannot be read" in wrong.output)
    assert "words of 5 letters from" in broken.output
    assert "'z', which is not a color" in guessed.output

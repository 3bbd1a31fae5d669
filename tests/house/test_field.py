"""The field: what is claimed elsewhere is played again, on its board and on its secrets, and judged by its errors."""

from collections import Counter
from itertools import permutations
from math import inf
from pathlib import Path

import bench_contest
import bench_huge
import play_field
import pytest
from bench_huge import Played
from play_field import CLAIMS, CONTEST, DRAWN, SHIFTS, SPACED, Claim, Shifts

from entropeg import Rules, play
from entropeg.codes import format_code, parse_code

ROOT = Path(__file__).parents[2]
PLAIN = ["--player", "consistent"]


def played(*guesses: int) -> list[Played]:
    return [Played("6x9", "consistent", seed, number, 0.5) for seed, number in enumerate(guesses)]


def test_the_shifts_take_as_many_guesses_as_was_proved_of_them() -> None:
    rules = Rules.parse("4x4/no-repeats/positional")
    taken = Counter(
        len(play(Shifts(), f"honest:{format_code(secret, rules)}", rules, 1)) for secret in permutations(range(4))
    )

    # The Eulerian numbers of four, whose mean is (4 + 1) / 2.
    assert {1: 1, 2: 11, 3: 11, 4: 1} == taken


def test_spaced_codes_are_all_codes_in_order_or_as_far_apart_as_can_be() -> None:
    small, large = Rules.parse("3x4"), Rules.parse("16x6")

    assert ["AAA", "AAB", "AAC", "AAD", "ABA"] == [play_field.spaced(small, 64, index) for index in range(5)]
    assert "DDD" == play_field.spaced(small, 64, 63)
    assert ["AAA", "BAA", "CAA", "DAA"] == [play_field.spaced(small, 4, index) for index in range(4)]
    assert 1000 == len({play_field.spaced(large, 1000, index) for index in range(1000)})


def test_every_claim_has_a_board_that_is_played_and_a_secret_of_that_board() -> None:
    assert len(CLAIMS) == len({claim.name for claim in CLAIMS})
    for claim in CLAIMS:
        if claim.secrets == CONTEST:
            continue
        rules = Rules.parse(claim.board)
        secrets = {play_field.secret_of(claim, seed, 7000) for seed in range(7000, 7020)}
        assert len(secrets) == (20 if claim.secrets == SPACED else 1)
        assert all(len(parse_code(secret, rules, secret=True)) == rules.pegs for secret in secrets - {""})
        assert (secrets == {""}) == (claim.secrets in {DRAWN, SHIFTS})


def test_the_page_has_a_row_with_the_number_and_the_games_of_every_claim() -> None:
    page = (ROOT / "docs/lookup/measurements-large.md").read_text(encoding="utf-8")
    section = page.split("\n## The field\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")] for line in section.splitlines() if line.startswith("|")][2:]

    assert len(CLAIMS) == len(rows)
    for claim, [_, _, board, _, claimed, games, *_] in zip(CLAIMS, rows, strict=True):
        assert claim.board == board or claim.secrets == CONTEST
        assert claimed.startswith(f"{claim.guesses:g}" if claim.guesses else "no ")
        assert claim.games == (int(games.replace(",", "")) if games else None)


@pytest.mark.parametrize(
    ("difference", "error", "word"),
    [(-0.21, 0.1, "better"), (-0.2, 0.1, "level"), (0.2, 0.1, "level"), (0.21, 0.1, "worse"), (-9, inf, "level")],
)
def test_a_difference_counts_from_two_standard_errors_on(difference: float, error: float, word: str) -> None:
    assert word == play_field.verdict(difference, error)


def test_a_row_takes_both_errors_or_the_secrets_in_common_and_says_nothing_of_few_games() -> None:
    ours = played(*[6, 7] * 8)
    exact, sampled = Claim("a", "A", "6x9", 6.78), Claim("a", "A", "6x9", 6.78, 16, 2.0)

    # 6.5 in 16 games that deviate by .516: .129, with theirs alike .183.
    assert play_field.compared(exact, ours, []).endswith("-0.280 +- 0.129?: better")
    assert play_field.compared(sampled, ours, []).endswith("-0.280 +- 0.183: level")
    assert play_field.compared(sampled, ours[:9], []).endswith(": too few games")
    assert "no mean published" in play_field.compared(Claim("a", "A", "6x9", None), ours, [])
    # Each game is one guess longer than theirs on the same secret: paired, that is no luck.
    assert play_field.compared(exact, ours, played(*[5, 6] * 8)).endswith("+1.000 +- 0.000: worse")


def test_games_are_those_of_the_claimed_secret_and_kept_ones_are_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "games.csv"
    asked = ["climbing-6x9-a", "--games", "2", "--csv", str(kept), *PLAIN]

    assert 0 == play_field.main(asked)
    first, rows = capsys.readouterr().out, kept.read_text(encoding="utf-8").splitlines()
    assert ["6x9 HIIFDA,consistent,7000", "6x9 HIIFDA,consistent,7001"] == [
        ",".join(row.split(",")[:3]) for row in rows[1:]
    ]
    assert "climbing-6x9-a" in first
    assert "6.99, 100 games, 0.824 s" in first

    monkeypatch.setattr(play_field, "play", None)  # whoever plays now, fails
    assert 0 == play_field.main(asked)
    assert rows == kept.read_text(encoding="utf-8").splitlines()
    with pytest.raises(TypeError):
        play_field.main([*asked, "--first", "8000"])


def test_the_boards_of_a_contest_are_drawn_and_their_games_are_kept_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "games.csv"
    asked = ["topcoder", "--games", "2", "--csv", str(kept), *PLAIN]
    monkeypatch.setattr(bench_contest, "drawn", lambda seed: Rules.parse(f"{2 + seed % 2}x4"))

    assert 0 == play_field.main(asked)
    first, games = capsys.readouterr().out.splitlines(), bench_huge.kept(kept)
    assert {("2x4", "consistent", 7000), ("3x4", "consistent", 7001)} == games.keys()
    guesses = [game.guesses for game in games.values()]
    points = (2 * 2 / guesses[0] + 3 * 2 / guesses[1]) / 2  # pegs times the bits of a color, a guess
    assert f"ours {points:.3f} +- " in first[1]

    monkeypatch.setattr(play_field, "play", None)  # whoever plays now, fails
    assert 0 == play_field.main(asked)
    assert first[1:] == capsys.readouterr().out.splitlines()[1:]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["sat-17x6"], "no claim is called sat-17x6; there are sat-7x6, "),
        (["--games", "0"], "a number from 1 on, not 0"),
        (["--player", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_played_gets_a_sentence(
    asked: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        play_field.main(asked)

    assert 2 == left.value.code
    assert sentence in capsys.readouterr().err.splitlines()[-1]


def test_an_interruption_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(play_field, "play", interrupted)

    assert 130 == play_field.main(["models-6x8", "--brief"])
    assert "interrupted; with --csv the games played are kept" in capsys.readouterr().out

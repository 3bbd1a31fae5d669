"""Games over the page's API: they are the games of `entropeg.play`, and what a request claims is held against them."""

from __future__ import annotations

import datetime as dt
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from entropeg import Position, Rules, play
from entropeg.codes import format_code, parse_code, random_guess
from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback
from entropeg.game import Game
from entropeg.web.numbered import DAILY_RULES, FEWEST, OWN_FROM, daily_number, secret_of, seed_of, today
from entropeg.web.shown_rules import COUNTED
from entropeg.words import shipped_words
from rooms import cases
from webclient import served, served_at_hand


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[TestClient]:
    with served(data) as client:
        yield client


@dataclass(frozen=True)
class Scripted:
    """Guesses what it was told; past its guesses, any code."""

    guesses: tuple[Code, ...]
    name = "scripted"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        row = len(position.turns)
        return self.guesses[row] if row < len(self.guesses) else random_guess(position.rules, rng)


BOARDS = [
    *(
        "4x6/limit=10",
        "3x4/limit=6/black",
        "3x5/no-repeats/limit=5",
        "3x4/blanks/limit=6",
        "3x4/blanks-in-secrets/limit=6",
    ),
    *("3x4/membership/limit=6", "4x6/positional/limit=6", "3x6/shapes=3/limit=6", "words:english/positional/limit=6"),
    *("5x8/limit=12", "4x10/no-repeats/digits/limit=7", "3x40/limit=5", "3x5/prior=distinct/limit=5", "12x30/limit=6"),
]
OWN = {"secret": "ABCD"}
SMALL_CODEMAKERS = ["honest", "cheat", "cheat:first", "biased", "biased:distinct"]


def begun(client: TestClient, **asked: Any) -> dict[str, Any]:
    response = client.post("/api/games", json=asked)
    assert response.status_code == 201, response.text
    begun: dict[str, Any] = response.json()
    return begun


def answer(client: TestClient, game: dict[str, Any], turns: list[list[str]], guess: str, **more: Any) -> dict[str, Any]:
    asked = {"rules": game["rules"], "turns": turns, "guess": guess, "token": game["token"], **more}
    response = client.post("/api/answers", json=asked)
    assert response.status_code == 200, response.text
    answered: dict[str, Any] = response.json()
    return answered


def played(client: TestClient, game: dict[str, Any], guesses: tuple[Code, ...]) -> list[dict[str, Any]]:
    rules = Rules.parse(game["rules"])
    turns: list[list[str]] = []
    answers: list[dict[str, Any]] = []
    for guess in guesses:
        answers.append(answer(client, game, turns, format_code(guess, rules)))
        turns.append(answers[-1]["turn"])
        if answers[-1]["state"] != "open":
            break
    return answers


def by_number(rules: Rules, codemaker: str, number: int) -> tuple[str, int]:
    """The codemaker and the seed with which `play` plays the game of a number."""
    secret = secret_of(rules, number) if codemaker == "honest" else None
    return codemaker if secret is None else f"honest:{format_code(secret, rules)}", seed_of(rules, number)


def check_against_play(client: TestClient, board: str, codemaker: str, number: int) -> None:
    rules = Rules.parse(board)
    rng = np.random.default_rng(number)
    limit = rules.guess_limit or 6
    maker, seed = by_number(rules, codemaker, number)
    wished = play("first-consistent", maker, rules, seed) if rules.secret_count < 10_000 else None
    shown = [turn.guess for turn in wished.turns] if wished else []
    some = [random_guess(rules, rng) for _ in range(limit)]
    guesses = tuple(shown if number % 3 == 0 and shown else some)
    game = begun(client, rules=board, codemaker=codemaker, number=number)
    answers = played(client, game, guesses)
    record: Game = play(Scripted(guesses), maker, rules, seed)

    assert [[format_code(turn.guess, rules), format_feedback(turn.feedback)] for turn in record.turns] == [
        each["turn"] for each in answers
    ]
    assert answers[-1]["state"] == record.outcome
    for row, each in enumerate(answers, start=1):
        if each["left"] is not None:
            assert each["left"]["count"] == len(Position(rules, record.turns[:row]).candidates)
    if record.secret is not None:
        assert answers[-1]["secret"] == format_code(record.secret, rules)


PAIRS = [
    (board, codemaker)
    for board in BOARDS
    for codemaker in SMALL_CODEMAKERS
    if codemaker == "honest" or Rules.parse(board).secret_count <= COUNTED
]


@pytest.mark.parametrize(("board", "codemaker"), PAIRS)
def test_a_game_is_that_of_play(client: TestClient, board: str, codemaker: str) -> None:
    for number in range(FEWEST + 1, FEWEST + 1 + cases(2, 4)):  # the second is played to its end where that can be
        check_against_play(client, board, codemaker, number)


@pytest.mark.parametrize("codemaker", ["perfect-cheat", "worst-case:minimax"])
def test_a_game_with_a_codemaker_that_thinks_is_that_of_play_too(client: TestClient, codemaker: str) -> None:
    check_against_play(client, "2x3/limit=4", codemaker, FEWEST)


def test_a_game_goes_on_after_the_server_was_started_again(client: TestClient, data: Path) -> None:
    game = begun(client, rules="4x6")
    first = answer(client, game, [], "AABB")
    with served(data) as other:
        again = answer(other, game, [], "AABB")
        second = answer(other, game, [first["turn"]], "CCDD")

    assert again == first
    assert second == answer(client, game, [first["turn"]], "CCDD")


def test_a_token_of_another_installation_is_refused_at_its_field(client: TestClient, tmp_path: Path) -> None:
    with served(tmp_path) as other:
        token = begun(other, rules="4x6")["token"]
    for wrong in (token, token[:-3], "x", "é\0", "A" * 7000):
        refused = client.post("/api/answers", json={"rules": "4x6", "guess": "AABB", "token": wrong})

        assert refused.status_code == 422
        assert refused.json()["field"] == "token"
        assert "Assist" in refused.json()["error"]


def test_a_game_of_the_longest_rules_is_played(client: TestClient) -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 1500)))
    game = begun(client, rules=f"4x1500/alphabet={letters}", secret=letters[:4])

    assert answer(client, game, [], letters[:4])["state"] == "won"


def test_the_key_is_made_once_and_for_its_owner_alone(client: TestClient, data: Path) -> None:
    begun(client, rules="4x6")
    key = data / "seal.key"

    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert [path.name for path in data.iterdir() if path.is_file()] == ["seal.key"]


def test_a_key_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "seal.key").write_text("no key")
    with served(tmp_path) as client:
        refused = client.post("/api/games", json={"rules": "4x6"})

    assert refused.status_code == 500
    assert "is no key of the page" in refused.json()["error"]


def test_rows_that_this_codemaker_did_not_answer_are_told_without_accusing(client: TestClient) -> None:
    game = begun(client, rules="4x6", **OWN)
    asked = {"rules": "4x6", "token": game["token"], "guess": "ABCD"}
    refused = client.post("/api/answers", json={**asked, "turns": [["AABB", "XO"], ["CCDD", "XX"]]})

    assert refused.status_code == 422
    assert refused.json() == {
        "error": "row 2 is not what this codemaker answers to this guess: that is XO",
        "field": "turns.1.1",
        "expected": "XO",
        "row": 2,
    }


def test_a_strict_game_refuses_what_contradicts_a_row_and_names_it(client: TestClient) -> None:
    game = begun(client, rules="4x6", **OWN)
    first = answer(client, game, [], "AABB")
    asked = {"rules": "4x6", "token": game["token"], "turns": [first["turn"]], "guess": "AABB"}
    refused = client.post("/api/answers", json={**asked, "strict": True}).json()
    freely = client.post("/api/answers", json=asked).json()

    assert refused["row"] == 1
    assert refused["field"] == "guess"
    assert refused["clues"] == freely["clues"]
    assert freely["clues"][0]["row"] == 1
    assert freely["before"] == first["left"]["count"]


def test_a_row_that_a_guess_contradicts_is_told_by_place_where_marks_are(client: TestClient) -> None:
    game = begun(client, rules="4x6/positional", **OWN)
    first = answer(client, game, [], "AACC")
    clue = answer(client, game, [first["turn"]], "EEEE")["clues"][0]

    assert first["turn"] == ["AACC", "X.X."]
    assert clue["says"] == "were it the secret, row 1 would have got ...., not X.X."


def test_a_duel_with_the_cheat_ends_with_a_proof_of_each_answer(client: TestClient) -> None:
    for number in range(FEWEST, FEWEST + 12):
        game = begun(client, rules="4x6/limit=4", codemaker="cheat", number=number)
        rng = np.random.default_rng(number)
        answers = played(client, game, tuple(random_guess(Rules(), rng) for _ in range(4)))
        turns = [each["turn"] for each in answers]
        end = client.post(
            "/api/games/end", json={"rules": game["rules"], "turns": turns, "token": game["token"]}
        ).json()

        assert end["secret"] is None
        assert [row["holds"] for row in end["proof"]] == [True] * len(turns)
        assert Position("4x6", [tuple(turn) for turn in turns]).candidates.index_of(end["revealed"]) is not None


def test_the_daily_puzzle_is_the_same_for_all_and_that_of_later_days_is_refused(client: TestClient) -> None:
    day = today()
    games = [begun(client, date=str(day)), begun(client, rules=DAILY_RULES, number=daily_number(day))]
    answers = [answer(client, game, [], "AABB") for game in games]
    later = [client.post("/api/games", json={"date": str(day + dt.timedelta(days=ahead))}) for ahead in (1, 2)]
    numbers = [client.get("/api/daily", params={"number": daily_number(day) + ahead}) for ahead in (1, 2)]
    by_number = client.post("/api/games", json={"rules": DAILY_RULES, "number": daily_number(day) + 2})

    assert {game["kind"] for game in games} == {"daily"}
    assert answers[0]["turn"] == answers[1]["turn"]
    assert [each.status_code for each in later] == [201, 422]
    assert [each.status_code for each in numbers] == [200, 422]
    assert by_number.status_code == 422
    assert "not out yet" in by_number.json()["error"]


@pytest.mark.parametrize(
    "board", ["4x6", "5x8/no-repeats", "words:english/positional", "20x20", "3x4/blanks-in-secrets"]
)
def test_a_number_hides_a_secret_that_its_digest_says_and_in_older_links_that_of_numpy(
    client: TestClient, board: str
) -> None:
    board += "/limit=2"
    rules, numbers = Rules.parse(board), range(FEWEST, FEWEST + 30)
    told = [ended_secret(client, begun(client, rules=board, number=number)) for number in numbers]
    older = [ended_secret(client, begun(client, rules=board, number=number, secrets=1)) for number in numbers]

    assert [format_code(secret_of(rules, number) or (), rules) for number in numbers] == told
    assert [play("random", "honest", rules, seed_of(rules, n)).secret for n in numbers[:3]] == [
        parse_code(each, rules) for each in older[:3]
    ]
    assert told != older


def test_secrets_of_numbers_are_spread_evenly_and_where_they_are_not_alike_they_are_numpys() -> None:
    rules = Rules.parse("3x4")
    found = Counter(secret_of(rules, number) for number in range(FEWEST, FEWEST + 6400))
    once = Counter(secret_of("3x4/no-repeats", number) for number in range(FEWEST, FEWEST + 2400))
    hundred = 100

    assert (64, 24) == (len(found), len(once))
    # Each is drawn a hundred times on the average, give or take ten; five of these are not seen by chance.
    assert all(abs(times - hundred) < 50 for times in (*found.values(), *once.values()))
    assert secret_of("3x5/blanks-in-secrets/no-repeats", 7) is None
    assert secret_of("3x4/prior=distinct", 7) is None


def ended_secret(client: TestClient, game: dict[str, Any]) -> str:
    asked = {"rules": game["rules"], "turns": [], "token": game["token"], "give_up": True}
    secret: str = client.post("/api/games/end", json=asked).json()["secret"]
    return secret


def test_a_public_server_draws_its_daily_puzzles_by_its_key_and_keeps_those_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("entropeg.web.numbered.today", lambda: dt.date(2027, 1, 31))
    days = [OWN_FROM + dt.timedelta(days=ahead) for ahead in range(-10, 30)]
    told = []
    for name in ("one", "one", "other"):
        with served(tmp_path / name, public=True) as client:
            told.append([ended_secret(client, begun(client, date=str(day))) for day in days])
    worked_out = []
    for day in days:
        secret = secret_of(DAILY_RULES, daily_number(day))
        assert secret is not None
        worked_out.append(format_code(secret, DAILY_RULES))

    assert told[0] == told[1]
    assert told[0][:10] == told[2][:10] == worked_out[:10]
    # Of thirty secrets of 1,296 some are alike by chance, and never all that are not.
    assert sum(one != another for one, another in zip(told[0][10:], worked_out[10:], strict=True)) > 20
    assert sum(one != another for one, another in zip(told[0][10:], told[2][10:], strict=True)) > 20


def end(client: TestClient, game: dict[str, Any], turns: list[list[str]], **more: Any) -> dict[str, Any]:
    asked = {"rules": game["rules"], "turns": turns, "token": game["token"], **more}
    response = client.post("/api/games/end", json=asked)
    return {"status": response.status_code, **response.json()}


def test_the_secret_of_an_open_game_is_told_to_who_gives_up_and_the_game_has_ended(client: TestClient) -> None:
    game = begun(client, rules="4x6", **OWN)
    first = answer(client, game, [], "AABB")
    asked = end(client, game, [])
    still = answer(client, game, [first["turn"]], "CCDD")
    given = end(client, game, [first["turn"]], give_up=True)
    again = end(client, game, [first["turn"]])
    others = [game["token"], game["token"].replace("=", "") + "=" * 4, f"{game['token'][:9]}!{game['token'][9:]}"]
    after = [
        client.post("/api/answers", json={"rules": "4x6", "turns": turns, "guess": "ABCD", "token": token})
        for token in others
        for turns in ([], [first["turn"]], [first["turn"], still["turn"]])
    ]

    assert (asked["status"], asked["field"], asked["expected"]) == (422, "give_up", True)
    assert "ABCD" not in str(asked)
    assert (given["secret"], given["state"]) == ("ABCD", "given up")
    assert again == given
    assert {each.status_code for each in after} == {422}
    assert after[0].json()["error"] == "this game has ended: its secret was told"
    assert end(client, game, [], give_up=True)["status"] == 422


def test_a_game_that_is_over_has_ended_and_its_last_answer_is_told_again(client: TestClient) -> None:
    game = begun(client, rules="4x6/limit=2", **OWN)
    first = answer(client, game, [], "AABB")
    last = answer(client, game, [first["turn"]], "CCDD")
    again = answer(client, game, [first["turn"]], "CCDD")
    other = client.post(
        "/api/answers", json={"rules": game["rules"], "turns": [first["turn"]], "guess": "ABCD", "token": game["token"]}
    )

    assert (last["state"], last["secret"], again) == ("lost", "ABCD", last)
    assert other.status_code == 422
    assert end(client, game, [first["turn"], last["turn"]])["state"] == "lost"


def test_one_who_gives_up_leaves_the_same_secret_to_others(client: TestClient) -> None:
    challenge = begun(client, rules="4x6", **OWN)
    one, other = (begun(client, rules="4x6", token=challenge["token"]) for _ in range(2))
    given = end(client, one, [], give_up=True)

    assert given["secret"] == "ABCD"  # noqa: S105 (of a game)
    assert (other["kind"], other["codemaker"]) == ("own", "honest")
    assert answer(client, other, [], "ABCD")["state"] == "won"
    assert answer(client, begun(client, rules="4x6", token=one["token"]), [], "ABCD")["state"] == "won"
    refused = client.post("/api/games", json={"rules": "4x7", "token": challenge["token"]})
    assert (refused.status_code, refused.json()["field"]) == (422, "rules")


def test_a_full_disk_is_told_without_the_place_of_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(path: Path, *_: Any) -> None:
        raise InputError(f"{path} cannot be written: No space left on device")

    with served_at_hand(tmp_path, public=True) as client:
        monkeypatch.setattr("entropeg.web.runs.kept.write_whole", full)
        refused = client.post(
            "/api/runs", json={"kind": "arena", "rules": "2x2", "codebreakers": ["consistent"], "games": 9}
        )

    assert refused.status_code == 503
    assert "json cannot be written: No space left on device" in refused.json()["error"]
    assert str(tmp_path) not in refused.text
    assert str(tmp_path) in caplog.text


USUAL = {
    "english": "adieu salet roate llama fuzzy crane slate soare trace raise audio stare tares irate arose later stern",
    "french": "adieu aimer raies tarie salut merci école états sœurs maman voilà serez allez quand rôles noëls usine",
}


@pytest.mark.parametrize("name", USUAL)
def test_all_usual_words_may_be_guessed_and_the_secrets_stay_those_of_the_list(client: TestClient, name: str) -> None:
    lists = {each["name"]: each["rules"] for each in client.get("/api/about").json()["word_lists"]}
    game = begun(client, rules=lists[name], number=123_456)
    answers = {word: answer(client, game, [], word, count=False)["turn"][0] for word in USUAL[name].split()}
    facts = client.get("/api/rules", params={"text": game["rules"]}).json()
    refused = client.post("/api/answers", json={**asked_of(game), "guess": "qqqqq"})

    assert answers == {word: word for word in USUAL[name].split()}
    assert facts["secret_count"] == Rules.parse(f"words:{name}").secret_count
    assert Rules.parse(lists[name]).words is not None
    assert set(shipped_words(f"{name}-guesses")) >= {word for word in shipped_words(name) if len(word) == 5}
    assert refused.status_code == 422


def asked_of(game: dict[str, Any]) -> dict[str, Any]:
    """What every question about a game has that has just begun."""
    return {"rules": game["rules"], "turns": [], "token": game["token"]}


def test_numbers_that_are_drawn_are_never_those_of_a_day(client: TestClient) -> None:
    numbers = {begun(client, rules=DAILY_RULES)["number"] for _ in range(50)}

    assert len(numbers) > 40
    assert all(100_000 <= number <= 999_999 for number in numbers)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"rules": "4x6", "codemaker": "cmd:sh"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "x.py"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "./x.py:a=1"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "biased:/etc/passwd"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "worst-case:tree:x"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "worst-case:codebreaker=cmd:sh"}, "codemaker"),
        ({"rules": "4x6", "codemaker": "worst-case:by-turn:turns=minimax/x.py"}, "codemaker"),
        ({"rules": "words:/etc/passwd"}, "rules"),
        ({"rules": "4x6", "secret": "ABCG"}, "secret"),
        ({"rules": "4x6/no-repeats", "secret": "AABC"}, "secret"),
        ({"rules": "9x9", "codemaker": "perfect-cheat"}, "codemaker"),
        ({"rules": "4x6", "number": 0}, "number"),
        ({"rules": "4x6", "number": 1 << 60}, "number"),
        ({"rules": "4x6", "number": 5, "secret": "ABCD"}, "number"),
        ({"codemaker": "honest"}, "rules"),
        ({"date": "2025-12-31"}, "date"),
        ({"date": "2026-02-30"}, "date"),
    ],
)
def test_a_game_that_cannot_begin_is_refused_at_its_field(
    client: TestClient, asked: dict[str, Any], field: str
) -> None:
    refused = client.post("/api/games", json=asked)

    assert refused.status_code == 422
    assert refused.json()["field"] == field
    assert refused.json()["error"]

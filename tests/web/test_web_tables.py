"""Games of one's own through the page's server: tables of answers, kept and played by name or digest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from entropeg import Rules, optimal
from entropeg.answers.shelf import take_tables_from
from entropeg.web.settings import ServerLimits
from webclient import FEW, served, served_at_hand

ZOO = Path(__file__).parents[2] / "examples" / "games" / "zoo.csv"
ODD = """x,q 1?,q 2
"red, big",yes,no
secret=b:c/d,no,no
"(1, -1)",no,yes
"""
"""Names that hold what stands between the parameters of a player."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served_at_hand(tmp_path_factory.mktemp("data")) as client:
        assert client.post("/api/tables", json={"name": "zoo", "text": ZOO.read_text("utf-8")}).status_code == 201
        yield client


def told(client: TestClient, path: str, status: int = 200, **body: Any) -> Any:
    answer = client.post(f"/api/{path}", json=body)

    assert answer.status_code == status, answer.text
    return answer.json()


def facts(client: TestClient, text: str) -> Any:
    answer = client.get("/api/rules", params={"text": text})

    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_table_is_described_by_its_names(client: TestClient) -> None:
    kept = client.get("/api/tables").json()["tables"]
    rules, of_file = facts(client, "table:zoo"), Rules.parse(f"table:{ZOO}")

    assert [table["name"] for table in kept] == ["zoo"]
    assert rules["text"] == kept[0]["rules"] == f"table:zoo/digest={of_file.digest}"
    assert rules["text"] == facts(client, f"table:{of_file.digest}")["text"]
    assert (rules["pegs"], rules["colors"], rules["words"], rules["symbols"]) == (1, 26, False, [])
    assert of_file.words is not None
    assert (tuple(rules["answers"]["secrets"]), tuple(rules["answers"]["questions"])) == (
        of_file.words.words,
        of_file.words.probes,
    )
    assert rules["answers"]["naming"]
    assert not facts(client, "table:zoo/identify")["answers"]["naming"]


@pytest.mark.parametrize("options", ["", "/identify", "/limit=9"])
def test_a_game_is_played_to_its_end_by_the_hints(client: TestClient, options: str) -> None:
    rules = facts(client, f"table:zoo{options}")
    game = told(client, "games", 201, rules=rules["text"])
    token, state = game["token"], "open"
    turns: list[list[str]] = []
    worst = optimal(f"table:{ZOO}", worst=True).worst
    while state == "open":
        steps = told(client, "hints", rules=rules["text"], turns=turns)["steps"]
        guess = next(step["code"] for step in steps if step["kind"] == "guess")
        answer = told(client, "answers", rules=rules["text"], turns=turns, guess=guess, token=token)
        turns, state = [*turns, answer["turn"]], answer["state"]

        assert answer["turn"][1] in rules["answers"]["answers"]
        assert answer["says"].startswith((answer["turn"][1], "found in"))
    end = told(client, "games/end", rules=rules["text"], turns=turns, token=token)

    assert state == "won"
    assert worst is not None
    assert len(turns) <= worst + 2
    assert all(row["holds"] for row in end["proof"])
    assert end["secret"] in rules["answers"]["secrets"]
    assert "black" not in str(end)


def test_positions_advice_review_and_mends_know_the_table(client: TestClient) -> None:
    turns, rules = [["Has it fur?", "yes"], ["Does it eat meat?", "no"]], "table:zoo"
    position = told(client, "positions", rules=rules, turns=turns)
    rows = [f"{question} {answer}" for question, answer in turns]
    advice = told(client, "advice", rules=rules, rows=rows, players=["entropy"])["advice"]
    review = told(client, "reviews", rules=rules, turns=turns, level=False)["games"][0]["review"]
    mends = told(client, "mends", rules=rules, rows=[*rows, "Has it fur? no"])

    assert position["left"]["says"] == "5 secrets left"
    assert advice["left"]["codes"] == position["left"]["codes"]
    assert advice["left"]["says"] == "5 secrets are left."
    assert review["par"]["fraction"] == "9/2"
    assert [1, 3] in mends["contradiction"]["conflicts"]


def test_names_may_hold_what_stands_between_parameters(client: TestClient) -> None:
    rules = told(client, "tables", 201, name="odd", text=ODD)["rules"]
    names = facts(client, rules)["answers"]["secrets"]
    for secret in names:
        game = told(client, "games", 201, rules=rules, secret=secret)
        won = told(client, "answers", rules=rules, guess=secret, token=game["token"])

        assert (won["state"], won["secret"]) == ("won", secret)
    drawn = [told(client, "games", 201, rules=rules, number=number)["token"] for number in range(1, 9)]
    ended = [told(client, "games/end", rules=rules, token=token, give_up=True)["secret"] for token in drawn]

    assert set(ended) <= set(names)
    assert len(set(ended)) > 1


def test_worker_processes_find_tables_that_were_given_after_they_began(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        told(client, "advice", rules="3x3")
        kept = told(client, "tables", 201, name="späße", text=ODD)
        advice = told(client, "advice", rules=f"table:{kept['digest']}", rows=["q 2: no"])["advice"]

        assert advice["left"]["codes"] == ["red, big", "secret=b:c/d"]


def test_a_table_is_removed_and_another_takes_its_name(tmp_path: Path) -> None:
    with served_at_hand(tmp_path) as client:
        first = told(client, "tables", 201, name="mine", text=ODD)["rules"]
        again = told(client, "tables", 201, name="other", text=ODD)
        taken = told(client, "tables", 422, name="mine", text=ZOO.read_text("utf-8"))

        assert again["name"] == "mine"
        assert "another table is called 'mine'" in taken["error"]
        assert client.delete("/api/tables/mine").status_code == 200
        assert client.delete("/api/tables/mine").status_code == 404
        assert "no table 'mine' is kept here" in client.get("/api/rules", params={"text": first}).json()["error"]
        second = told(client, "tables", 201, name="mine", text=ZOO.read_text("utf-8"))["rules"]
        assert facts(client, "table:mine")["text"] == second
        assert "has changed" in client.get("/api/rules", params={"text": first}).json()["error"]
        assert client.delete("/api/tables/mine").status_code == 200
        renamed = told(client, "tables", 201, name="zoo", text=ZOO.read_text("utf-8"))["rules"]
        assert facts(client, renamed)["text"] == renamed


@pytest.mark.parametrize(
    ("name", "text", "field", "said"),
    [
        ("../x", ODD, "name", "no name of a table"),
        ("abcdef12", ODD, "name", "no name of a table"),
        ("a b", ODD, "name", "no name of a table"),
        ("a.b", ODD, "name", "no name of a table"),
        ("bad", "a,b\nx", "text", "has 1 cells"),
        ("bad", "a,b", "text", "has no secret"),
        ("bad", "{}", "text", "must have secrets, questions and answers"),
        ("bad", "{", "text", "JSON"),
        ("bad", "a,b\nx,yes\ny,yes", "text", "no question tells"),
        ("bad", "a,b\nx,yes\nx,no", "text", "stands twice"),
        ("bad", "a,b\nx,\ny,no", "text", "is empty"),
        ("bad", "a,b\n" + "\n".join(f"{n},{n}" for n in range(300)), "text", "different answers"),
    ],
)
def test_what_is_no_table_is_refused_in_a_sentence(
    client: TestClient, name: str, text: str, field: str, said: str
) -> None:
    refused = told(client, "tables", 422, name=name, text=text)

    assert said in refused["error"]
    assert refused["field"] == field
    assert not any(table["name"] == name for table in client.get("/api/tables").json()["tables"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table:none", "no table 'none' is kept here"),
        ("table:../tables/zoo", "no table '..' is kept here"),
        (f"table:{ZOO}", "no table '' is kept here"),
        ("table:zoo/no-repeats", "no-repeats does not go with"),
        ("table:zoo/black", "a table has answers of its own"),
        ("table:zoo/digits", "an alphabet does not go with a table"),
        ("table:zoo/digest=00000000", "has changed"),
    ],
)
def test_rules_that_a_table_cannot_have_are_refused(client: TestClient, text: str, said: str) -> None:
    refused = client.get("/api/rules", params={"text": text})

    assert refused.status_code == 422
    assert said in refused.json()["error"]


def test_as_many_tables_are_kept_as_fit(tmp_path: Path) -> None:
    with served_at_hand(tmp_path, limits=ServerLimits(workers=1, tables=2, body=2000)) as client:
        for number in range(2):
            told(client, "tables", 201, name=f"t{number}", text=f"a,b{number}\nx,yes\ny,no")
        refused = told(client, "tables", 422, name="t2", text="a,b2\nx,yes\ny,no")
        told(client, "tables", 413, name="t3", text="a,b\n" + "x" * 2000)

        assert "2 tables are kept already" in refused["error"]


def test_a_public_server_lists_and_removes_none(tmp_path: Path) -> None:
    with served_at_hand(tmp_path, public=True, limits=FEW) as client:
        rules = told(client, "tables", 201, name="zoo", text=ODD)["rules"]

        assert client.get("/api/tables").json()["tables"] == []
        assert client.delete("/api/tables/zoo").status_code == 403
        assert facts(client, rules)["secret_count"] == 3


def test_files_in_the_folder_that_are_no_tables_are_no_tables(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "odd.00000000.json").write_text("{}", encoding="utf-8")
    (tmp_path / "tables" / "key.json").write_text("{}", encoding="utf-8")
    with served_at_hand(tmp_path) as client:
        refused = client.get("/api/rules", params={"text": "table:odd"})

        assert [table["name"] for table in client.get("/api/tables").json()["tables"]] == ["odd"]
        assert refused.status_code == 422
        assert "must have secrets, questions and answers" in refused.json()["error"]
        assert str(tmp_path) not in refused.json()["error"]


def test_a_process_takes_tables_from_its_folder_alone(client: TestClient) -> None:
    folder = client.app.state.settings.tables  # type: ignore[attr-defined]  # the app is one of FastAPI
    assert not isinstance(folder, str)
    with pytest.raises(Exception, match="is kept here"):
        Rules.parse("table:zoo", files=False)
    take_tables_from(folder)
    try:
        assert Rules.parse("table:zoo", files=False) == Rules.parse(f"table:{ZOO}")
    finally:
        take_tables_from(folder / "none")

"""The API is documented: every address in docs/lookup/api.md and on its own page; what the document shows is done."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
import uvicorn
from fastapi.testclient import TestClient

from entropeg.web.serving import address, bound, create_app
from entropeg.web.settings import Settings
from webclient import FEW, PatientWorkers, served, served_at_hand

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "docs" / "lookup" / "api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = Settings(data=tmp_path_factory.mktemp("data"), port=0, warm=False, limits=FEW)
    listener = bound(settings)
    app = create_app(settings)
    app.state.workers = PatientWorkers(settings.limits, settings.tables)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield address(listener)
    server.should_exit = True
    thread.join()
    listener.close()


def test_every_example_is_answered(live: str, tmp_path: Path) -> None:
    # Where there is no curl, a stand-in does what these examples ask of it.
    stand_in = tmp_path / "curl"
    if shutil.which("curl") is None:
        program = (ROOT / "tests" / "curl_stand_in.py").read_text(encoding="utf-8")
        stand_in.write_text(f"#!{sys.executable}\n{program}", encoding="utf-8")
        stand_in.chmod(0o755)
    script = "\n".join(["set -eu", 'PATH="$PATH:$2"', *BLOCKS])
    script = script.replace("http://127.0.0.1:8000", live).replace("curl -s", "curl -sS --fail-with-body -w '\\n'")
    done = subprocess.run(
        ["sh", "-c", script, "sh", live, str(tmp_path)], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert done.stderr == ""


def test_the_stand_in_for_curl_does_what_curl_does(live: str) -> None:
    asked = ["-sS", "--fail-with-body", "-w", "\n", f"{live}/api/positions", "-H", "Content-Type: application/json"]
    program = [sys.executable, str(ROOT / "tests" / "curl_stand_in.py")]
    for body, code in (('{"rules": "4x6"}', 0), ('{"rules": "4y6"}', 22)):
        done = subprocess.run([*program, *asked, "-d", body], capture_output=True, text=True, check=False)

        assert done.returncode == code
        assert "4x6" in done.stdout


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("data")) as client:
        yield client


def test_every_address_stands_in_the_document_and_on_the_page_of_the_api(client: TestClient) -> None:
    described = client.get("/api/openapi.json").json()
    page = client.get("/api/")
    shown = "\n".join(BLOCKS)
    paths = list(described["paths"])

    assert [path for path in paths if path.removeprefix("/api/").partition("/{")[0] not in shown] == []
    assert [path for path in paths if f" {path}</code></h3>" not in page.text] == []
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    assert "style=" not in page.text


def test_sentences_are_in_the_language_asked_for(client: TestClient) -> None:
    asked = {"rules": "4x6", "turns": [["AAB", "X"]]}
    said = [
        client.post("/api/positions", json=asked, headers={"Accept-Language": header}).json()["error"]
        for header in ("en", "fr-CA, en;q=0.5", "xx")
    ]
    by_query = client.post("/api/positions?language=fr", json=asked, headers={"Accept-Language": "en"}).json()["error"]

    assert said[0] == said[2] == "'AAB' has 3 pegs; a code of 4x6 has 4"
    assert said[1] == by_query != said[0]
    assert client.get("/api/texts/en").json() == {}
    assert client.get("/api/texts/fr").json() != {}
    assert client.get("/api/texts/xx").json()["field"] == "language"


NEEDING = {"/answers", "/games/end", "/runs/name", "/runs/name/events", "/runs/name/resume", "/tables/zoo"}
"""Addresses whose examples need a token, a run or a table that the reader has had made before."""


@pytest.mark.slow
def test_the_examples_of_the_page_of_the_api_are_answered(tmp_path: Path) -> None:
    with served_at_hand(tmp_path) as client:
        lines = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", client.get("/api/").text, re.DOTALL)
        asked = [shlex.split(unescape(line)) for line in lines]
        refused = []
        for words in asked:
            address = next(word for word in words if word.startswith("http")).partition("/api")[2]
            body = json.loads(words[-1]) if "-d" in words else None
            if address in NEEDING:
                continue
            answer = client.get(f"/api{address}") if body is None else client.post(f"/api{address}", json=body)
            if not answer.is_success:
                refused.append((address, body, answer.text))
    assert len(asked) > 30
    assert refused == []

"""A report in French: no English is left in its page, its figures and what is said at the prompt."""

import re
from html.parser import HTMLParser
from math import inf
from pathlib import Path

import numpy as np
import pytest

from entropeg import Rules
from entropeg.chosen_language import speaking, translated
from entropeg.executors import crew_of
from entropeg.experiments.runner import Run
from entropeg.report.experiments import Experiment, Result, experiments
from entropeg.report.figures import pictures
from entropeg.report.making import _compared
from entropeg.report.page import render
from entropeg.report.playing import MeasuredPace, Playing
from entropeg.told import Told
from planted import EXAMPLES

ENGLISH = re.compile(
    r"(?<![\w/.-])(the|of|is|are|was|were|with|which|and|it|to|that|has|have|by|game|games|guess|guesses|left|"
    r"against|played|mean|median|longest|lost|every|holds?|not|measured|theory|law|axis|time|share|games?|draws?|only|"
    r"statistics|seconds?)(?![\w/.-])",
    re.IGNORECASE,
)
"""Words that no French sentence has."""

SAME = re.compile(
    r"\(?(Nathan Bruyere|Camille Touron|Donald E\. Knuth), .*|[\d\W]+( m?s)?|Figures?( [\d.]+)?|.*\.(py|csv)|SVG|PNG|"
    r"4x8/limit=5000|random|memory|consistent|minimax(:knuth)?|secrets|exact|Document|Verdict"
)
"""What both languages write alike: names, numbers, files, words."""

SHOWN = ("aria-label", "data-label", "title", "alt")

OWN = [str(EXAMPLES / f"codebreaker{number}.py") for number in (0, 1)]


class Words(HTMLParser):
    """Collects what a page says: its texts, and the attributes that are read out, but for code and quotations."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._quiet = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._quiet += tag in {"style", "code", "q"}
        self.said += [value or "" for name, value in attrs if name in SHOWN]

    def handle_endtag(self, tag: str) -> None:
        self._quiet -= tag in {"style", "code", "q"}

    def handle_data(self, data: str) -> None:
        if not self._quiet and data.strip():
            self.said.append(" ".join(data.split()))


def english_in(said: list[str]) -> list[str]:
    return [text for text in said if ENGLISH.search(text) and not text.startswith("Donald E. Knuth")]


def played(experiment: Experiment, at: int) -> Result:
    """Make up what became of an experiment, so that together they have everything that a report can say."""
    rng, rules = np.random.default_rng(at), experiment.rules
    if experiment.codebreaker == "memory" and (experiment.codemaker == "cheat") == (rules.colors == 6):
        return Result(experiment, None, Told("no game was finished in the time"))
    planned = rules.secret_count if experiment.all_secrets else 300
    count = planned - 100 * (experiment.codemaker == "cheat" and not at % 2)
    top = 40 if experiment.counterpart in {"random", "memory"} else 8
    guesses = rng.integers(3, top, count).astype(np.int32)
    guesses[: 4 * (experiment.codebreaker == "consistent")] = 0
    if experiment.codebreaker == OWN[1]:
        guesses[:3] = rules.guess_count + 7
    seconds, plan = 4.0 ** (at % 5), "all-secrets" if experiment.all_secrets else "games"
    names = experiment.codebreaker, experiment.codemaker
    run = Run(rules, *names, 0, plan, guesses, seconds, np.arange(count), planned, experiment.all_secrets)
    fault = Told("it is a pipe or a device, and no file") if experiment.is_further and at % 2 else ""
    return Result(experiment, run, fault)


def page_in(language: str) -> tuple[str, set[str]]:
    """Return the page of both documents' boards and of one that no document knows, and the verdicts on it."""
    boards = []
    with speaking(language):
        for text in ("4x8/limit=5000", "4x8", "4x6"):
            rules = Rules.parse(text)
            plan = experiments(rules, also=OWN if rules.guess_limit else (), against=["honest:AABB"])
            results = [played(each, at) for at, each in enumerate(plan)]
            boards.append(_compared(rules, results, pictures(rules, results) if rules.guess_limit else []))
        verdicts: set[str] = {finding.verdict for board in boards for finding in board.findings}
        return render(boards, games=300, command="entropeg report", files_written=["tables/times.csv"]), verdicts


@pytest.fixture(scope="module")
def pages() -> dict[str, list[str]]:
    found = {language: page_in(language) for language in ("en", "fr")}
    assert {"holds", "differs", "unmeasured", "elsewhere"} <= found["en"][1] == found["fr"][1]
    return {language: Words(page).said for language, (page, _) in found.items()}


def test_no_english_is_left_in_a_french_report(pages: dict[str, list[str]]) -> None:
    assert [] == english_in(pages["fr"])


def test_the_english_page_would_be_found(pages: dict[str, list[str]]) -> None:
    assert len(english_in(pages["en"])) > 100


def test_what_both_pages_say_alike_are_names_and_numbers(pages: dict[str, list[str]]) -> None:
    alike = {*pages["en"]} & {*pages["fr"]}

    assert {text for text in alike if not SAME.fullmatch(text)} == set()


def test_what_is_said_while_a_report_is_made_is_french(tmp_path: Path) -> None:
    plan, said = experiments(Rules.parse("3x4"), also=OWN), list[str]()
    with speaking("fr"), crew_of("threads:2") as crew:
        playing = Playing(plan, 1000, 0, crew, tmp_path / "s", None, lambda one: said.append(translated(one)), id, inf)
        for at in range(4):
            playing.results[at] = Result(
                plan[at], Run(plan[at].rules, "a", "b", 0, "games", np.ones(10, np.int32), 1.0, np.arange(10), 1000)
            )
            playing._paces[at] = MeasuredPace(5.0, 10 * (at < 3), None)
        playing._foretell()
        playing._tell_missing()

    assert 3 == len(said)
    assert [] == english_in(said)
    assert "24 minutes" not in said[0]
    assert "20 minutes" in said[0]  # three pairs of 990 games of half a second each

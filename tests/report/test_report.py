"""The report: claims judged by their intervals, pages that need no other file, runs that are not played twice."""

import csv
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg import Rules
from entropeg.chosen_language import SpokenChoice, speaking
from entropeg.codes import secrets
from entropeg.errors import InputError, MissingExtraError
from entropeg.experiments.confidence import student
from entropeg.experiments.laws import Geometric
from entropeg.experiments.runner import Run
from entropeg.report import documents, experiments, figures, findings, report
from entropeg.report.documents import CLAIMS, Claim
from entropeg.report.findings import Measured
from planted import EXAMPLES


def a_run(guesses: Sequence[int], *, exact: bool = False, seconds: float = 1.0) -> Run:
    taken = np.array(guesses, dtype=np.int32)
    plan = "all-secrets" if exact else "games"
    return Run(Rules(), "consistent", "honest", 0, plan, taken, seconds, np.arange(len(taken)), len(taken), exact)


def a_claim(value: float, test: documents.Test = "equals", games: int | None = None, written: str = "5.0") -> Claim:
    return Claim("A", "here", "It is so.", written, "mean", ("some run",), value, test, games, why="Because.")


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "tables" / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("small")
    return report("3x4", games=40, out=folder, jobs=1).parent


@pytest.fixture(scope="module")
def classic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("classic")
    return report("4x6", games=60, out=folder, jobs=1).parent


class Page(HTMLParser):
    """Collects the tags, identifiers and addresses of a page, and whether its elements nest."""

    VOID = frozenset({"meta", "br", "img", "link", "path", "use", "rect"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.misnested: list[str] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.tags: Counter[str] = Counter()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        if tag not in self.VOID:
            self.open.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self.open.pop() != tag:
            self.misnested.append(tag)


# What is judged


@pytest.mark.parametrize(
    ("value", "half", "expected"),
    [(5.0, 0.1, "holds"), (5.09, 0.1, "holds"), (5.2, 0.1, "differs"), (4.7, 0.1, "differs")],
)
def test_a_figure_holds_when_it_lies_in_the_interval(value: float, half: float, expected: str) -> None:
    assert expected == findings.judge(a_claim(5.0), Measured(value, half))


def test_the_documents_own_sample_widens_what_chance_allows() -> None:
    measured = Measured(5.2, 0.1, spread=1.0)

    assert "near" == findings.judge(a_claim(5.0, games=100), measured)
    assert "differs" == findings.judge(a_claim(5.0, games=10_000), measured)


def test_an_exact_value_must_equal_the_figure_as_far_as_it_is_written() -> None:
    assert "holds" == findings.judge(a_claim(4.5, written="4.5"), Measured(4.476))
    assert "differs" == findings.judge(a_claim(4.5, written="4.50"), Measured(4.476))


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        ("below", 4.8, "holds"),
        ("below", 4.95, "differs"),
        ("above", 5.2, "holds"),
        ("above", 5.05, "differs"),
        ("at most", 5.0, "holds"),
        ("at most", 5.1, "differs"),
        ("order", 15.0, "holds"),
        ("order", 16.0, "elsewhere"),
    ],
)
def test_bounds_must_hold_for_the_whole_interval(test: documents.Test, value: float, expected: str) -> None:
    assert expected == findings.judge(a_claim(5.0, test), Measured(value, 0.0 if test == "at most" else 0.1))


def test_the_reason_is_given_where_a_claim_does_not_hold_and_only_there() -> None:
    runs = {"some run": a_run([5, 5, 5, 6])}

    assert "Because." == findings.find(a_claim(9.0), runs, {}).remark
    assert "" == findings.find(a_claim(5.25), runs, {}).remark


def test_a_run_that_was_not_played_leaves_its_reason() -> None:
    finding = findings.find(a_claim(5.0), {}, {"some run": "the board is too large"})

    assert ("unmeasured", "the board is too large") == (finding.verdict, finding.remark)


def test_a_mean_has_the_interval_of_the_arena_and_an_exact_one_none() -> None:
    run = a_run([4, 5, 5, 7])
    measured = findings.measure("mean", [run])
    low, high = run.statistics.interval or (0, 0)

    assert (low, high) == pytest.approx((measured.value - (measured.half or 0), measured.value + (measured.half or 0)))
    assert ("5.2500", "exact") == (
        (exact := findings.measure("mean", [a_run([4, 5, 5, 7], exact=True)])).text,
        exact.interval,
    )


def test_a_difference_adds_variances_and_a_factor_relative_errors() -> None:
    long, short = a_run([9, 10, 11] * 100), a_run([4, 5, 6] * 100)
    error = findings.spread(long) / 300**0.5

    excess = findings.measure("excess", [long, short])
    factor = findings.measure("factor", [long, short])

    relative = ((error / 10) ** 2 + (error / 5) ** 2) ** 0.5

    assert (5.0, student(598) * error * 2**0.5) == pytest.approx((excess.value, excess.half), rel=1e-4)
    assert (2.0, student(int(299 * 25 / 17)) * 2 * relative) == pytest.approx((factor.value, factor.half), rel=1e-4)
    assert 100.0 == pytest.approx(findings.measure("excess percent", [long, short]).value)


def test_values_are_written_with_two_digits_of_their_uncertainty() -> None:
    assert ("7.378", "7.343 to 7.413") == ((mean := Measured(7.378, 0.035)).text, mean.interval)
    assert ("4318", "4062 to 4574") == ((mean := Measured(4318.2, 256.0)).text, mean.interval)


def test_every_claim_names_a_measure_and_experiments_that_its_board_has() -> None:
    for claim in CLAIMS:
        rules = Rules.parse(documents.DOCUMENTS[claim.document].board)
        keys = {experiment.key for experiment in experiments.experiments(rules)}
        assert set(claim.runs) <= keys
        assert claim.measure in findings.MEASURES or claim.measure.startswith("games of ")


def test_the_documents_speak_of_their_own_boards_only_whatever_the_letters() -> None:
    boards = ["4x8", "course", "4x6", "4x8/black", "5x8", "4x8/limit=12"]

    found = ["".join(document.letter for document in documents.documents_on(Rules.parse(board))) for board in boards]

    assert ["A", "A", "EK", "", "", ""] == found


# Players of one's own


def test_ones_own_players_join_the_report_and_change_nothing_in_it(tmp_path: Path) -> None:
    good, bad = EXAMPLES / "codebreaker2.py", tmp_path / "bad.py"
    bad.write_text("def init():\n    pass\n\n\ndef codebreaker(evaluation):\n    return 'no code'\n", encoding="utf-8")
    plain = experiments.experiments(Rules.parse("3x4/course"))
    more = experiments.experiments(Rules.parse("3x4/course"), also=[str(good), "memory"], against=["honest:RVB"])
    page = report("3x4/course", 5, tmp_path / "out", also=[str(good), str(bad)], against=["honest:RVB"], jobs=1)
    text = page.read_text(encoding="utf-8")

    assert plain == more[: len(plain)]
    assert [each.key for each in more[len(plain) :]] == [
        *(f"{good} {maker}" for maker in ("honest", "cheat", "honest:RVB")),
        "memory honest:RVB",
        "consistent honest:RVB",
        "minimax honest:RVB",
    ]
    assert f"{good} against cheat" in text
    assert "bad.py, line 5" in text
    assert sum(str(picture).endswith("honest-cheat.svg") for picture in (tmp_path / "out/figures").iterdir()) == 3
    with pytest.raises(InputError, match="no codebreaker called 'nobody'"):
        report("3x4/course", 5, tmp_path / "other", also=["nobody"])


# What remarks say is so


def test_the_command_that_repeats_a_report_can_be_pasted_whatever_a_folder_is_called(tmp_path: Path) -> None:
    module = tmp_path / "Anne & l'autre" / "codebreaker0.py"
    module.parent.mkdir()
    shutil.copy(EXAMPLES / "codebreaker0.py", module)
    page = report("2x2", 2, tmp_path / "report", also=[str(module)]).read_text(encoding="utf-8")
    [command] = re.findall("<code>(entropeg report .*?)</code>", page)

    assert ["--also", str(module)] == shlex.split(unescape(command))[-2:]


def test_the_remark_on_long_games_is_what_the_law_gives() -> None:
    law = Geometric(4096)

    assert "0.76 %" == f"{100 * (1 - float(law.cdf(20_000))):.2f} %"
    assert 200_000 == pytest.approx(1 / (1 - float(law.cdf(50_000))), rel=0.01)
    assert 745 == round(4096 / 5.5)


def knuth_by_the_letter() -> Iterator[tuple[int, int]]:
    """Yield the guesses of each secret where the first best code in order is played, candidate or not (Touron).

    Twice: read to the letter, and helped to play a candidate that is the last one.
    """
    rules = Rules.parse("4x6")
    codes = secrets(rules)
    table = np.array([codes.score(guess) for guess in codes], dtype=np.int64)
    lines = np.arange(len(codes))[:, None] * rules.label_count

    def descend(candidates: NDArray[np.int64], played: list[int]) -> Iterator[tuple[int, int]]:
        depth = len(played) + 1
        if len(candidates) == 1:
            unplayed = [code for code in range(len(codes)) if code not in played]
            yield depth + unplayed.index(int(candidates[0])), depth
            return
        sizes = np.bincount((lines + table[:, candidates]).ravel(), minlength=len(codes) * rules.label_count)
        largest = sizes.reshape(len(codes), -1).max(axis=1)
        largest[played] = len(codes) + 1
        guess = int(largest.argmin())
        for label in np.unique(table[guess, candidates]):
            if label == rules.win_label:
                yield depth, depth
            else:
                yield from descend(candidates[table[guess, candidates] == label], [*played, guess])

    return descend(np.arange(len(codes)), [])


def test_the_remark_on_document_e_is_what_its_tie_rule_gives_by_the_letter() -> None:
    by_the_letter, helped = zip(*knuth_by_the_letter(), strict=True)

    assert 643 == round(sum(by_the_letter) / 1296)
    assert (6169, 5) == (sum(helped), max(helped))


# What is played


def test_a_board_beyond_reach_leaves_a_row_that_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(experiments, "MOST_GUESSES", 100)
    monkeypatch.setattr(experiments, "MOST_SECRETS", 5)

    page = report("2x3", games=30, out=tmp_path, jobs=1)

    reasons = {row["codebreaker"] + row["plan"]: row["not_played_because"] for row in rows(tmp_path, "statistics.csv")}
    assert "30 games would take about 270 guesses" in reasons["randomgames"]
    assert "2x3 has 9 secrets" in reasons["minimaxall-secrets"]
    assert "" == reasons["consistentgames"]
    assert "Not played: 30 games would take" in page.read_text(encoding="utf-8")


def test_document_e_comes_along_with_document_a_only() -> None:
    from entropeg.report.making import boards_of

    boards = [[str(board) for board in boards_of(Rules.parse(text))] for text in ("4x8", "4x6", "5x8")]

    assert [["4x8", "4x6"], ["4x6"], ["5x8"]] == boards


@pytest.mark.parametrize(
    ("rules", "games", "words"),
    [("0x6", 10, "0 pegs"), ("2x3", 1, "at least 2 games"), ("4x2/no-repeats", 10, "no code")],
)
def test_wrong_input_is_refused_before_anything_is_played(rules: str, games: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        report(rules, games=games, out=tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match="file is a file: name a folder"):
        report("2x3", games=10, out=tmp_path / "file")


def test_without_matplotlib_nothing_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)

    with pytest.raises(MissingExtraError, match="figures"):
        report("2x3", games=10, out=tmp_path)

    assert [] == list(tmp_path.iterdir())


# What is written


def test_a_report_has_a_page_figures_in_two_forms_tables_and_its_games(small: Path) -> None:
    names = sorted(path.stem for path in (small / "figures").glob("*.svg"))

    assert (small / "index.html").is_file()
    assert (small / "results.sqlite").is_file()
    assert names == sorted(path.stem for path in (small / "figures").glob("*.png"))
    kinds = (
        "consistent",
        "consistent-honest-cheat",
        "memory",
        "minimax-all-secrets",
        "minimax-honest-cheat",
        "random",
        "times",
    )
    assert [f"3x4-{kind}" for kind in kinds] == names


def test_the_page_is_one_file_whose_elements_nest_and_whose_identifiers_are_its_own(small: Path) -> None:
    text = (small / "index.html").read_text(encoding="utf-8")
    page = Page(text)

    assert [] == page.misnested
    assert [] == page.open
    assert [] == [name for name, times in Counter(page.ids).items() if times > 1]
    local = [address for address in page.addresses if not address.startswith(("#", "figures/", "tables/"))]
    assert [] == local
    assert 7 == page.tags["svg"] == text.count('role="img"') == text.count("aria-label=")
    assert 0 == page.tags["script"] + page.tags["img"] + page.tags["link"]


def test_what_the_page_draws_refers_only_to_what_it_holds(small: Path) -> None:
    text = (small / "index.html").read_text(encoding="utf-8")
    ids = set(Page(text).ids)

    used = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'href="#([^"]+)"', text))

    assert used <= ids
    assert used


def test_figures_on_the_page_take_their_colors_from_the_page(small: Path) -> None:
    text = (small / "index.html").read_text(encoding="utf-8")
    drawn = text[text.index("<svg") :]

    assert [] == re.findall(r"(?:fill|stroke): #[0-9a-f]{6}", drawn)


def test_on_other_boards_theory_stands_without_the_documents(small: Path) -> None:
    text = (small / "index.html").read_text(encoding="utf-8")

    assert "The documents give no figures for this board" in text
    assert "What the documents say" not in text
    assert not (small / "tables" / "claims.csv").exists()
    theory = {
        row["codebreaker"]: row["theoretical_mean"] for row in rows(small, "statistics.csv") if row["theoretical_mean"]
    }
    assert {"random": "64.0", "memory": "32.5"} == theory


def test_knuths_five_guesses_are_measured_exactly_beside_the_documents(classic: Path) -> None:
    found = {row["statement"]: row for row in rows(classic, "claims.csv")}
    five = found["Knuth’s algorithm, with his rule for ties, finds every code in 5 guesses or fewer."]
    total = found["All 1296 secrets take 5801 guesses together."]

    assert ("5", "exact", "holds") == (five["measured"], five["interval_95"], five["verdict"])
    assert ("5801", "exact", "holds") == (total["measured"], total["interval_95"], total["verdict"])
    counts = [found[f"Secrets found at guess {guesses}."]["measured"] for guesses in range(1, 6)]
    assert ["1", "6", "62", "533", "694"] == counts
    assert "What the documents say" in (classic / "index.html").read_text(encoding="utf-8")


def test_histograms_hold_every_game_won(classic: Path) -> None:
    games: Counter[tuple[str, str, str]] = Counter()
    for row in rows(classic, "histograms.csv"):
        games[row["codebreaker"], row["codemaker"], row["plan"]] += int(row["games"])

    assert {60, 1296} == set(games.values())
    assert 9 == len(games)


def test_a_second_report_plays_nothing_and_writes_the_same(small: Path) -> None:
    kept = {path: path.read_bytes() for path in small.rglob("*.*") if path.suffix != ".sqlite"}
    seen: list[int] = []

    report("3x4", games=40, out=small, jobs=1, progress=lambda state: seen.append(state.total - state.done))

    assert {0} == set(seen)
    assert kept == {path: path.read_bytes() for path in kept}


def test_a_report_is_written_in_the_language_of_the_hour_but_for_its_tables(small: Path, tmp_path: Path) -> None:
    with speaking(SpokenChoice("fr")):
        french = report("3x4", games=40, out=tmp_path, jobs=1)
    page, words = (path.read_text(encoding="utf-8") for path in (french, small / "index.html"))

    assert '<html lang="fr">' in page
    assert '<html lang="en">' in words
    for french_words, english_words in [("essais en moyenne", "guesses on average"), ("Temps de calcul", "Run times")]:
        assert french_words in page
        assert english_words in words
        assert english_words not in page
    assert "Random contre honest\u00a0: combien d’essais" in page
    assert "entropeg report --rules 3x4 --games 40 --seed 0" in page
    for name in ("statistics.csv", "histograms.csv"):
        assert (tmp_path / "tables" / name).read_bytes() == (small / "tables" / name).read_bytes()


def test_the_same_seed_gives_the_same_figures_and_another_seed_others(small: Path, tmp_path: Path) -> None:
    report("3x4", games=40, out=tmp_path / "same", jobs=2)
    report("3x4", games=40, out=tmp_path / "other", seed=1, jobs=1)

    def drawn(folder: Path) -> dict[str, bytes]:
        files = [*(folder / "figures").glob("*.*"), *(folder / "tables").glob("[hs]*.csv")]
        return {path.name: path.read_bytes() for path in files if "times" not in path.name}

    assert drawn(small) == drawn(tmp_path / "same")
    assert drawn(small)["3x4-random.svg"] != drawn(tmp_path / "other")["3x4-random.svg"]


def test_games_lost_at_the_limit_are_told(tmp_path: Path) -> None:
    page = report("3x4/limit=3", games=30, out=tmp_path, jobs=1)

    text = page.read_text(encoding="utf-8")
    assert "A game is lost after 3 guesses." in text
    [random] = [
        row
        for row in rows(tmp_path, "statistics.csv")
        if (row["codebreaker"], row["codemaker"]) == ("random", "honest")
    ]
    assert 30 == int(random["won"]) + int(random["lost"])
    assert f"{random['lost']} of its 30 games against honest were lost" in text


def test_the_description_of_a_figure_tells_its_bars() -> None:
    rules = Rules.parse("4x6")
    experiment = experiments.Experiment("consistent", "honest", rules)

    said = figures._turns("name", [experiments.Result(experiment, a_run([3, 4, 4]))]).description

    assert "3 games won: mean 3.67, median 4, longest 4; 3 guesses 1, 4 guesses 2" in said


def test_a_caption_leaves_paths_and_parameters_as_they_are_written() -> None:
    assert "Random against honest" == figures.begun("random against honest")
    assert "p1/codebreaker2.py against honest" == figures.begun("p1/codebreaker2.py against honest")
    assert "minimax:win=True" == figures.begun("minimax:win=True")

"""The least totals of all first guesses: against the plain search of labels, and kept from call to call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import cli
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.rules import Rules
from entropeg.search.proving.opening_totals import opening_totals
from entropeg.search.small.search import SmallSearch
from entropeg.tree.optimum import optimal

BOARDS = ["2x4", "3x3", "3x3/positional", "4x2/positional", "3x3/membership", "2x4/shapes=2", "3x3/blanks", "3x4/black"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("threads", [1, 2])
def test_totals_are_those_of_a_search_by_labels(board: str, threads: int) -> None:
    rules = Rules.parse(board)
    tried = guesses(rules)
    plain = SmallSearch(secrets(rules).labels(tried), rules.win_label, np.ones(rules.secret_count, np.int64), 1e9)

    found = opening_totals(rules, threads=threads)

    assert found.valued == len(found.openings)
    for one in found.openings:
        assert plain.after(tried.index_of(one.guess) or 0) == one.value.lower
    assert optimal(rules).total == found.openings[0].value.lower


def word_list(folder: Path, secret_words: int, probes: int) -> str:
    rng = np.random.default_rng(secret_words)
    words = sorted({"".join(rng.choice(list("abcdefgh"), 4)) for _ in range(secret_words + probes)})
    rng.shuffle(words)
    (folder / "words.txt").write_text("\n".join(words[:secret_words]) + "\n")
    (folder / "probes.txt").write_text("\n".join(words[secret_words:]) + "\n")
    return f"words:{folder}/words.txt/positional/probes={folder}/probes.txt"


def test_every_word_is_an_opening_and_none_is_better_than_the_optimum(tmp_path: Path) -> None:
    rules = Rules.parse(word_list(tmp_path, 40, 60))

    found = opening_totals(rules)

    assert rules.guess_count == len(found.openings)
    assert optimal(rules).total == found.openings[0].value.lower
    assert [one.value.lower for one in found.openings] == sorted(one.value.lower for one in found.openings)


def test_a_checkpoint_is_gone_on_from_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "totals.json"
    whole = opening_totals("3x4", checkpoint=file)
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "totals": kept["totals"][:2]}))

    again = opening_totals("3x4", checkpoint=file)

    assert whole.openings == again.openings
    assert again.nodes < whole.nodes
    for wrong, said in (
        ({**kept, "rules": "3x5"}, "keeps totals of openings of 3x5, not of 3x4"),
        ({**kept, "totals": [[0, -1]]}, "is damaged"),
        ([1], "keeps no totals"),
    ):
        file.write_text(json.dumps(wrong))
        with pytest.raises(InputError, match=said):
            opening_totals("3x4", checkpoint=file)


def test_what_is_not_valued_in_time_has_a_bound() -> None:
    def interrupted(done: int, _total: int) -> None:
        raise KeyboardInterrupt  # when it is told first, before the threads begin

    found = opening_totals("4x6", progress=interrupted, threads=1)

    assert found.is_interrupted
    assert 0 == found.valued
    assert all(one.value.lower <= 6318 for one in found.openings)


def test_wrong_input_is_told_in_a_sentence() -> None:
    for board, error, said in (
        ("3x4/limit=4", InputError, "without a limit"),
        ("3x4/prior=distinct", InputError, "without a prior"),
        ("5x9", TooLargeError, "raise the memory"),
    ):
        with pytest.raises(error, match=said):
            opening_totals(board)


def typed(*arguments: str) -> Any:
    return CliRunner().invoke(cli.group, ["optimal", *arguments])


def test_the_prompt_prints_the_table_and_gives_it_as_json() -> None:
    lines = typed("3x4", "--openings").output.splitlines()

    assert [["AAB", "=", "206", "3.2188"], ["ABC", "=", "208", "3.2500"]] == [line.split() for line in lines[1:3]]
    assert lines[-1].startswith("3 of 3 openings valued in ")
    assert json.loads(typed("3x4", "--openings", "--json").stdout)[0] == {
        "opening": "AAB",
        "total": 206,
        "total_lower": 206,
        "mean": 206 / 64,
        "exact": True,
    }
    refused = typed("3x4", "--openings", "--worst")
    assert refused.exit_code == 2
    assert "leave --worst out" in refused.output

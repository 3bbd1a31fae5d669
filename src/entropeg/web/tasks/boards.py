"""Tells the known facts of a board, and reads one that is given as a table of answers; nothing is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from entropeg.answers import AnswerTable
from entropeg.answers.files import answers_in
from entropeg.rules import MOST_SIZE, Rules
from entropeg.search.known import board_facts
from entropeg.told import Told
from entropeg.web.inputs import rules_of
from entropeg.web.refusals import field


def read(data: dict[str, Any]) -> dict[str, Any]:
    """Return the `parts` of the table of a `text`, and the `digest` of the rules that it is."""
    with field("text", "animal,Can it fly?\ncat,no\nowl,yes"):
        secrets, questions, answers = answers_in(data["text"], Told("the table"))
        rules = Rules(words=AnswerTable.of_answers(secrets, questions, answers))
    return {"parts": {"secrets": secrets, "questions": questions, "answers": answers}, "digest": rules.digest}


def facts(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `BoardFacts` of a board, which may be of any size here: nothing is drawn or played."""
    limits = replace(data["limits"], pegs=MOST_SIZE, colors=MOST_SIZE)
    return board_facts(rules_of(data["rules"], limits)).to_json()

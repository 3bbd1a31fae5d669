"""Reads tables of answers that were given as text, and says what is wrong with them."""

from __future__ import annotations

from typing import Any

from entropeg.answers import AnswerTable
from entropeg.answers.files import answers_in
from entropeg.rules import Rules
from entropeg.told import Told
from entropeg.web.refusals import field


def read(data: dict[str, Any]) -> dict[str, Any]:
    """Return the `parts` of the table of a `text`, and the `digest` of the rules that it is."""
    with field("text", "animal,Can it fly?\ncat,no\nowl,yes"):
        secrets, questions, answers = answers_in(data["text"], Told("the table"))
        rules = Rules(words=AnswerTable.of_answers(secrets, questions, answers))
    return {"parts": {"secrets": secrets, "questions": questions, "answers": answers}, "digest": rules.digest}

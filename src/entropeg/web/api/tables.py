"""`/api/tables`: games of one's own, which are tables of answers, kept in the data folder of the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from entropeg.answers.shelf import KeptTable, keep_table, kept_table, kept_tables
from entropeg.plain_values import PlainValue
from entropeg.told import Told
from entropeg.web import work
from entropeg.web.api.shapes import Asked, asked_as, deadline
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError, field
from entropeg.web.settings import Settings
from entropeg.web.tasks import boards as tasks

router = APIRouter(tags=["tables"])

ZOO = "animal,Can it fly?,Has it fur?\ncat,no,yes\nbat,yes,yes\nowl,yes,no"
"""An example of a table."""


class TableAsked(Asked):
    """A table to keep."""

    model_config = asked_as(name="zoo", text=ZOO)

    name: Annotated[str, Field(max_length=60, description="How rules are to call it.", examples=["zoo"])]
    # That it fits into a request is all that bounds it.
    text: Annotated[
        str,
        Field(
            min_length=1,
            description="CSV: questions on the first line, then a secret and its answers on each. Or JSON, with "
            "`secrets`, `questions` and `answers`.",
            examples=[ZOO],
        ),
    ]


@dataclass(frozen=True)
class TableShown(PlainValue):
    """A table that is kept: `rules` play it; rules may call it by its digest too, as `table:1a2b3c4d`."""

    name: str
    digest: str
    rules: str
    bytes: int

    @classmethod
    def of(cls, kept: KeptTable) -> TableShown:
        """Describe a table."""
        return cls(kept.name, kept.digest, f"table:{kept.name}/digest={kept.digest}", kept.path.stat().st_size)


@dataclass(frozen=True)
class TablesShown(PlainValue):
    """The tables that are kept, by name; a server that others use too lists none."""

    tables: tuple[TableShown, ...]
    most: int
    """How many are kept at most."""


@router.get("/tables", response_model=model_of(TablesShown))
def tables(request: Request, language: Language) -> Response:
    """List the tables that are kept. On a public server whoever gave one knows its name: there they are not listed."""
    settings: Settings = request.app.state.settings
    found = [] if settings.public else kept_tables()
    return answered(TablesShown(tuple(map(TableShown.of, found)), settings.limits.tables), language)


@router.post("/tables", status_code=201, response_model=model_of(TableShown))
async def keep(request: Request, asked: TableAsked, language: Language) -> Response:
    """Keep a table under a name, by which rules play it: `table:zoo`. One that is kept already keeps its name."""
    found = await work.run(request, tasks.read, {"text": asked.text}, seconds=deadline(0))
    settings: Settings = request.app.state.settings
    with field("name", "zoo"):
        kept = keep_table(asked.name, found["digest"], found["parts"], most=settings.limits.tables)
    return answered(TableShown.of(kept), language, 201)


@router.delete("/tables/{name}", response_model=model_of(TableShown))
def remove(
    request: Request, name: Annotated[str, Path(max_length=60, examples=["zoo"])], language: Language
) -> Response:
    """Remove a table, by its name or digest: games on it cannot go on until it is given again."""
    settings: Settings = request.app.state.settings
    if settings.public:
        raise RefusedError("the tables of a public server are removed by its owner, from its data folder", status=403)
    kept = kept_table(name)
    if kept is None:
        raise RefusedError(Told("no table {name!r} is kept here", name), "name", "zoo", status=404)
    shown = TableShown.of(kept)
    kept.path.unlink(missing_ok=True)
    return answered(shown, language)

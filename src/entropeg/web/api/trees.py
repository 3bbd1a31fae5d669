"""`GET /api/trees`: strategies, looked at node by node."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathField

from entropeg import codebreakers
from entropeg.plain_values import PlainValue
from entropeg.told import Told, plural
from entropeg.web import work
from entropeg.web.inputs import RULES_TEXT, files_by_name, served
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError
from entropeg.web.settings import Settings
from entropeg.web.tasks import trees as tasks

router = APIRouter(tags=["trees"])


@dataclass(frozen=True)
class TreeFileShown(PlainValue):
    """A file in the folder of trees: its size, and when it was changed, in seconds since 1970."""

    name: str
    bytes: int
    changed: float
    says: str


@dataclass(frozen=True)
class PlayedTrees(PlainValue):
    """Codebreakers whose strategies can be looked at, on any board of a million codes at most."""

    codebreakers: tuple[str, ...]
    example: str = "entropy@5x8"


@dataclass(frozen=True)
class TreesShown(PlainValue):
    """Strategies that can be looked at: files, and those of codebreakers, as `codebreaker@rules`."""

    trees: tuple[TreeFileShown, ...]
    virtual: PlayedTrees


@router.get("/trees", response_model=model_of(TreesShown))
def trees(request: Request, language: Language) -> Response:
    """List the strategies that were proved or put into the folder of trees, and what can be looked at besides."""
    settings: Settings = request.app.state.settings
    files = []
    for file in tree_files(settings).values():
        try:
            status = file.stat()
        except FileNotFoundError:  # it was removed just now
            continue
        says = plural(status.st_size, "{n} byte", "{n} bytes")
        files.append(TreeFileShown(file.name, status.st_size, status.st_mtime, says))
    files.sort(key=lambda file: -file.changed)
    return answered(TreesShown(tuple(files), PlayedTrees(_growable())), language)


@router.get("/trees/{name:path}/nodes", response_model=model_of(tasks.TreeNode))
async def node(
    request: Request,
    name: Annotated[str, PathField(examples=["entropy@4x6"])],
    language: Language,
    path: Annotated[str, Query(max_length=4000, examples=["XO,XXO"])] = "",
    rules: Annotated[str | None, Query(max_length=RULES_TEXT)] = None,
    seconds: Annotated[float, Query(ge=0, le=10)] = 0.5,
) -> Response:
    """Show one node: `name` is a file of the list, or `codebreaker@rules`; `path` the feedbacks that lead to it.

    `rules` are needed for punch cards and lists, whose files do not name them. A codebreaker is asked for the guesses
    that follow for `seconds`, the fewest codes first.
    """
    settings: Settings = request.app.state.settings
    feedbacks = [text for text in path.split(",") if text.strip()]
    if len(feedbacks) > 200:
        raise RefusedError("a path has 200 feedbacks at most", "path", "XO,XXO")
    asked: dict[str, Any] = {
        "name": name,
        "path": None,
        "feedbacks": feedbacks,
        "rules": rules,
        "seconds": seconds,
        "limits": settings.limits,
    }
    player, at, board = name.rpartition("@")
    file = tree_files(settings).get(name)
    if file is not None:
        if file.stat().st_size > 64 << 20:
            raise RefusedError(Told("{name} is larger than the 64 MB that are read here", name), "name")
        asked["path"] = str(file)
    elif at:
        asked |= {"codebreaker": player, "rules": board}
    else:
        files = list(tree_files(settings))[:5]
        said = (
            Told("there is no tree of this name: there are {files:list}, and any as entropy@4x6", files)
            if files
            else Told("there is no tree of this name: take any as entropy@4x6")
        )
        raise RefusedError(said, "name", "entropy@4x6", status=404)
    # The first node of a large board takes a second, a file of a million nodes some ten.
    return await work.answer(request, tasks.node, asked, language, seconds=30.0)


def tree_files(settings: Settings) -> dict[str, Path]:
    """Return the files of the folder of trees, by name."""
    return files_by_name(settings.data / "trees", 1000)


def _growable() -> tuple[str, ...]:
    # Whether a player draws at random is known of its class.
    registry = codebreakers.registry
    return tuple(name for name in served(registry) if getattr(registry.factory(name), "deterministic", None) is True)

"""Refusals: what a request asked that cannot be, told in a sentence, with the field that it is about.

Every error has the shape `{"error": sentence, "field": path, "expected": example}`. Routers raise `RefusedError`, or
let the library's own `InputError` through inside `field(...)`, which says what it was about. Of a request that has not
the described shape `Malformed` names the field as its sender does, and gives an example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from entropeg.errors import EntropegError, InputError, MissingExtraError, in_one_line
from entropeg.texts import say, say_all
from entropeg.told import Template, Told
from entropeg.web.described import Described
from entropeg.web.language import language_of


class RefusedError(InputError):
    """A request that is answered with an error.

    `field` is the path of the fault in the request, as `turns.2.1`; `expected` an example of a right value;
    `more` further keys of the answer, as `row`; `retry` after how many seconds it may be asked again, 0 where that does
    not help.
    """

    def __init__(
        self,
        sentence: str,
        field: str = "",
        expected: Any = None,
        *,
        status: int = 422,
        more: dict[str, Any] | None = None,
        retry: int = 5,
    ) -> None:
        super().__init__(sentence)
        self.field, self.expected, self.status, self.more = field, expected, status, more or {}
        self.retry = retry

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle all of it: worker processes hand refusals on."""
        return _refusal, (str(self), self.field, self.expected, self.status, self.more, self.retry)


class DeadlineError(RefusedError):
    """Work took longer than it may."""


def _refusal(sentence: str, field: str, expected: Any, *rest: Any) -> RefusedError:
    status, more, retry = rest
    return RefusedError(sentence, field, expected, status=status, more=more, retry=retry)


@contextmanager
def field(name: str, expected: Any = None, **more: Any) -> Iterator[None]:
    """Say which field of the request an InputError in this block is about.

    >>> try:
    ...     with field("guess", "AABB"):
    ...         raise InputError("no guess")
    ... except RefusedError as refusal:
    ...     print(refusal, refusal.field, refusal.expected)
    no guess guess AABB
    """
    try:
        yield
    except RefusedError:
        raise
    except InputError as error:
        raise RefusedError(str(error), name, expected, more=more) from error


class ErrorShown(BaseModel):
    """A fault: a sentence, the path of its field (from 0, empty where there is none), an example of a right value."""

    model_config = {"extra": "allow"}

    error: str
    field: str
    expected: Any


RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorShown, "description": description}
    for status, description in {
        404: "There is no such thing here.",
        408: "The request did not come in within 20 seconds.",
        403: "A page from elsewhere asked, or the run is of another visitor.",
        413: "The request is too large.",
        421: "The server is not called so.",
        422: "Something in the request cannot be.",
        500: "Something went wrong in the server.",
        429: "Too much was asked: Retry-After says when to ask again.",
        503: "Too much waits, a process has ended, or code is being compiled: Retry-After says when to ask again.",
    }.items()
}
"""How requests are refused, for the description of every address."""


def error_data(
    sentence: str, language: str, field: str = "", expected: Any = None, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the body of an error, in a language."""
    return {
        "error": in_one_line(say(sentence, language)),
        "field": field,
        "expected": expected,
        **say_all(dict(more or {}), language),
    }


def install(app: FastAPI) -> None:
    """Have the app answer errors in one shape."""
    app.add_exception_handler(EntropegError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_wrong_request)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_fault)


def _answer(request: Request, status: int, sentence: str, *about: Any, retry: int = 0) -> JSONResponse:
    sentence = request.app.state.settings.without_place(sentence)
    headers = {"Retry-After": str(retry)} if retry and status in {429, 503} else None
    return JSONResponse(error_data(sentence, language_of(request), *about), status, headers)


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, RefusedError):
        about = error.field, error.expected, error.more
        return _answer(request, error.status, str(error), *about, retry=error.retry)
    status = 422 if isinstance(error, InputError) else 501 if isinstance(error, MissingExtraError) else 500
    return _answer(request, status, str(error))


async def _on_fault(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 (it is logged)
    return _answer(request, 500, Told("something went wrong in the server, which has written down what"))


async def _on_wrong_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = Malformed.of(request, error)
    return _answer(request, 422, wrong.sentence, wrong.field, wrong.expected)


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = 422 if error.status_code == 400 else error.status_code
    says = {
        404: Told("there is no such page"),
        405: Told("this address does not take such a request"),
        400: Told("the request cannot be read"),
    }.get(error.status_code, str(error.detail))
    answer = _answer(request, status, says)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


_SAID = {
    "missing": Told("it is missing"),
    "json_invalid": Told("the request is not JSON"),
    "string_type": Told("it must be text"),
    "string_unicode": Told("it holds characters that are none"),
    "int_type": Told("it must be a whole number"),
    "int_parsing": Told("it must be a whole number"),
    "int_parsing_size": Told("it is too large a number"),
    "int_from_float": Told("it must be a whole number"),
    "float_type": Told("it must be a number"),
    "float_parsing": Told("it must be a number"),
    "finite_number": Told("it must be a finite number"),
    "bool_type": Told("it must be true or false"),
    "bool_parsing": Told("it must be true or false"),
    "list_type": Told("it must be a list"),
    "tuple_type": Told("it must be a list"),
    "dict_type": Told("it must be an object"),
    "model_type": Told("it must be an object"),
    "model_attributes_type": Told("it must be an object"),
    "extra_forbidden": Told("there is no such field"),
    "date_type": Told("it must be a date"),
    "date_parsing": Told("it must be a date"),
    "date_from_datetime_parsing": Told("it must be a date"),
    "date_from_datetime_inexact": Told("it must be a date"),
    "union_tag_not_found": Told("it is missing"),
}
"""Sentences about values of the wrong kind, by the type of the error."""

_BOUNDS = {
    "ge": Template("it must be at least {bound}"),
    "gt": Template("it must be more than {bound}"),
    "le": Template("it must be at most {bound}"),
    "lt": Template("it must be less than {bound}"),
    "max_length": Template("it must have at most {bound} entries or characters"),
    "min_length": Template("it must have at least {bound} entries or characters"),
    "pattern": Template("it must be written as {bound}"),
    "expected_tags": Template("it must be one of {bound}"),
}
"""Sentences about values beyond a bound, by the name of the bound."""


@dataclass(frozen=True)
class Malformed:
    """A fault of a request: a sentence, the path of its field (from 0), and an example of a right value."""

    sentence: str
    field: str
    expected: Any

    @classmethod
    def of(cls, request: Request, error: RequestValidationError) -> Malformed:
        """Describe the first thing that is wrong."""
        first = _first(error.errors())
        if first["type"] == "json_invalid":
            return cls(_SAID["json_invalid"], "", None)
        described = Described(request.app.openapi())
        address = str(getattr(request.scope.get("route"), "path", ""))
        path, schema = described.at(request.method, address, [str(part) for part in first["loc"]])
        tag = str((first.get("ctx") or {}).get("discriminator", "")).strip("'")
        if tag:
            path = [*path, tag]
            tags = list((schema or {}).get("discriminator", {}).get("mapping", {}))
            expected = tags[0] if tags else None
        else:
            expected = None if first["type"] == "extra_forbidden" else described.example(schema)
        said = _said(first)
        return cls(Told("{field}: {wrong}", _named(path), said) if path else said, ".".join(path), expected)


def _first(errors: Sequence[Any]) -> Any:
    # Of a value that may have one of several shapes, the shape that it comes nearest to: most fields deep.
    return max((each for each in errors if each["loc"][:2] == errors[0]["loc"][:2]), key=lambda each: len(each["loc"]))


def _said(wrong: dict[str, Any]) -> str:
    said = _SAID.get(wrong["type"])
    if said is not None:
        return said
    context = wrong.get("ctx") or {}
    if context.get("min_length") == 1:
        return Told("it must not be empty")
    for key, words in _BOUNDS.items():
        if key in context:
            return Told(words, context[key])
    if "expected" in context:
        return Told("it must be {names:or}", re.findall(r"'[^']*'", str(context["expected"])))
    return Told("it cannot be so")


def _named(path: Sequence[str]) -> str:
    return path[0] + "".join(f" {int(part) + 1}" if part.isdecimal() else f" {part}" for part in path[1:])

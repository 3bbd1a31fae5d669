"""Refusals: what a request asked that cannot be, told in a sentence, with the field that it is about.

Every error has the shape `{"error": sentence, "field": path, "expected": example}`. Routers raise `RefusedError`, or
let the library's own `InputError` through inside `field(...)`, which says what it was about.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from entropeg.errors import EntropegError, InputError, MissingExtraError, in_one_line
from entropeg.web.language import language_of, told
from entropeg.web.malformed import Malformed


class RefusedError(InputError):
    """A request that is answered with an error.

    `field` is the path of what is wrong in the request, as `turns.2.1`; `expected` an example of what would be right;
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
        """Keep what is told."""
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
    """What is wrong: a sentence, the path of the field (from 0, empty where none is), and what would be right."""

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


def error_data(sentence: str, field: str = "", expected: Any = None, **more: Any) -> dict[str, Any]:
    """Return the body of an error."""
    return {"error": in_one_line(sentence), "field": field, "expected": expected, **more}


def install(app: FastAPI) -> None:
    """Have the app answer errors in one shape."""
    app.add_exception_handler(EntropegError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_wrong_request)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(Exception, _on_fault)


def _answer(request: Request, status: int, data: dict[str, Any], retry: int = 0) -> JSONResponse:
    data["error"] = request.app.state.settings.without_place(data["error"])
    headers = {"Retry-After": str(retry)} if retry and status in {429, 503} else None
    return JSONResponse(told(data, language_of(request)), status, headers)


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, RefusedError):
        data = error_data(str(error), error.field, error.expected, **error.more)
        return _answer(request, error.status, data, error.retry)
    status = 422 if isinstance(error, InputError) else 501 if isinstance(error, MissingExtraError) else 500
    return _answer(request, status, error_data(str(error)))


async def _on_fault(request: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 (it is logged)
    return _answer(request, 500, error_data("something went wrong in the server, which has written down what"))


async def _on_wrong_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = Malformed.of(request, error)
    return _answer(request, 422, error_data(wrong.sentence, wrong.field, wrong.expected))


_HTTP = {
    404: "there is no such page",
    405: "this address does not take such a request",
    400: "the request cannot be read",
}


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = 422 if error.status_code == 400 else error.status_code
    answer = _answer(request, status, error_data(_HTTP.get(error.status_code, str(error.detail))))
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer

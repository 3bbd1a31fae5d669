"""Guards the server: who may ask, how much a request may hold, and how often heavy work may be asked for.

A page from elsewhere in the same browser must not drive the server: it may lead to the page by a link, and that is all.
What a browser sends of itself (Host, Origin, Sec-Fetch-Site) decides; programs that are no browsers send none of it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import MutableMapping
from ipaddress import ip_address
from time import monotonic
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entropeg.answers.shelf import tables_in
from entropeg.told import Told, plural
from entropeg.web.language import language_of
from entropeg.web.refusals import RefusedError, error_data
from entropeg.web.settings import API, DOCS, Settings
from entropeg.web.work import GONE


class Guard:
    """The outermost layer of the server: refuses requests, and adds headers to answers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), scope["path"])
            await send(message)

        try:
            _check_host(headers, self._settings)
            _check_origin(headers, scope)
            receive = await self._read(headers, receive)
        except RefusedError as refused:
            data = error_data(str(refused), language_of(Request(scope)), refused.field, refused.expected)
            await JSONResponse(data, refused.status)(scope, receive, sending)
            return
        with tables_in(self._settings.tables):
            await self._app(scope, receive, sending)

    async def _read(self, headers: Headers, receive: Receive) -> Receive:
        # The whole body is read here, so that it is refused before anything looks at it.
        if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
            return receive
        limits, pieces, size = self._settings.limits, [], 0
        declared = headers.get("content-length", "")
        if declared.isdecimal() and (len(declared) > 15 or int(declared) > limits.body):
            raise _too_large(limits.body)
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise RefusedError("whoever asked has gone", status=GONE)
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            more = message.get("more_body", False)
            if size > limits.body:
                raise _too_large(limits.body)
        body = b"".join(pieces)
        if is_deeper(body, limits.depth):
            raise RefusedError(Told("the request is nested too deeply: {depth} levels at most", limits.depth))
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receiving() -> MutableMapping[str, Any]:
            return whole.pop() if whole else await receive()

        return receiving


def _too_large(most: int) -> RefusedError:
    return RefusedError(Told("the request is too large: {most:,} KB at most", most >> 10), status=413)


def _add_headers(headers: MutableHeaders, path: str) -> None:
    # A page by itself, such as a booklet, brings the policy that suits it.
    # The page may load its own files, and nothing that is written into it; the documentation has scripts within.
    own = "'self' 'unsafe-inline'" if path.startswith(f"{DOCS}/") else "'self'"
    policy = (
        "default-src 'none'",
        *(f"script-src {own}", f"style-src {own}", "img-src 'self' data:", "connect-src 'self'", "font-src 'self'"),
        *("manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
    of_all = {
        "Content-Security-Policy": "; ".join(policy),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    for name, value in of_all.items():
        headers.setdefault(name, value)
    # Files are asked for again each time, and most often have not changed: an upgrade shows at once.
    headers.setdefault("Cache-Control", "no-store" if path.startswith(API) else "no-cache")


_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)


def is_deeper(body: bytes, depth: int) -> bool:
    """Tell whether the lists and objects of a JSON text are nested deeper than that.

    >>> is_deeper(b'[["]]]["]]', 2), is_deeper(b'[[["a"]]]', 2)
    (False, True)
    """
    if body.count(b"[") + body.count(b"{") <= depth:
        return False
    level = 0
    for bracket in _STRING.sub(b"", body).translate(None, bytes(set(range(256)) - set(b"[]{}"))):
        level += 1 if bracket in b"[{" else -1
        if level > depth:
            return True
    return False


def _check_host(headers: Headers, settings: Settings) -> None:
    host = headers.get("host", "")
    name = _name(host)
    if not name:
        raise RefusedError(Told("{host!r} is no name by which a browser asks", host), "host", "127.0.0.1", status=421)
    # A server on one of these hosts listens on all addresses of the machine.
    if name in settings.hosts or (settings.host in {"", "0.0.0.0", "::"} and _is_address(name)):  # noqa: S104 (compared, not bound)
        return
    raise RefusedError(
        Told(
            "this server is not called {name!r}: where it should be, start it with --allow-host {host}", name, name[:60]
        ),
        "host",
        "127.0.0.1",
        status=421,
    )


_HOST = re.compile(r"(\[[0-9a-f.]*:[0-9a-f:.]*\]|[0-9a-z_.-]+)(?::([0-9]{1,5}))?")


def _name(host: str) -> str:
    # What browsers send: a name or number, and a port; no user, no path, no second host, nothing around them.
    found = _HOST.fullmatch(host.casefold()) if host.isascii() else None
    return "" if found is None or int(found[2] or 0) > 65_535 else found[1].strip("[]")


def _is_address(name: str) -> bool:
    # A name could be made to mean this machine by whoever owns it; a number cannot.
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _check_origin(headers: Headers, scope: Scope) -> None:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    host = headers.get("host", "").casefold()
    if origin is not None and origin.casefold() not in {f"http://{host}", f"https://{host}"}:
        raise _foreign_page()
    if site in {"same-origin", "none"}:
        return
    is_visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if not (is_visit and scope["method"] == "GET" and not scope["path"].startswith(API)):
        raise _foreign_page()


def _foreign_page() -> RefusedError:
    return RefusedError("a page from elsewhere may lead here by a link, and ask for nothing", "origin", status=403)


class Gauge:
    """Counts the pieces of heavy work that each address has begun in the last minute."""

    def __init__(self, a_minute: int) -> None:
        """Allow a number of pieces a minute; 0 for any number."""
        self._most = a_minute
        self._begun: dict[str, deque[float]] = {}

    def count(self, request: Request) -> None:
        """Note one more; raises RefusedError (429) where there are too many."""
        if not self._most:
            return
        now, address = monotonic(), request.client.host if request.client else ""
        begun = self._begun.pop(address, deque())
        self._begun[address] = begun
        while begun and begun[0] < now - 60.0:
            begun.popleft()
        if len(begun) >= self._most:
            seconds = int(begun[0] + 60.0 - now) + 1
            raise RefusedError(
                Told(
                    "this server does {pieces} a minute for each address: ask again in {seconds}",
                    plural(self._most, "{n} piece of heavy work", "{n} pieces of heavy work"),
                    plural(seconds, "{n} second", "{n} seconds"),
                ),
                status=429,
                retry=seconds,
            )
        begun.append(now)
        # Beyond ten thousand, the addresses that asked longest ago are forgotten.
        while len(self._begun) > 10_000:
            del self._begun[next(iter(self._begun))]

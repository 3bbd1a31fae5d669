"""Sealed tokens: what a player may not see, in a text that only this installation can open or make."""

from __future__ import annotations

import hmac
import json
import os
from base64 import urlsafe_b64decode
from collections import OrderedDict
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from entropeg.files import shown
from entropeg.files.paths import why
from entropeg.told import Told
from entropeg.web.refusals import RefusedError

VERSION = 1


@dataclass(frozen=True)
class SealedGame:
    """What a token says of a game: by whom, under which rules and seed it is answered, and what kind of game it is.

    `kind` is `daily`, `numbered` or `own`; `number` that of the puzzle, None for an own secret. `codemaker` is the text
    of the player; that of an own secret holds it, and that of one that `secrets` 2 draws.
    """

    rules: str
    codemaker: str
    seed: int
    kind: str
    number: int | None = None
    secrets: int = 1


class Sealer:
    """Seals games with the key of a data folder, which is made when it is first needed, readable by its owner alone."""

    def __init__(self, data: Path) -> None:
        self._file = data / "seal.key"

    def prepare(self) -> None:
        """Read or make the key; raises InputError where that cannot be."""
        _ = self._cipher

    def seal(self, game: SealedGame) -> str:
        """Return a token; raises InputError where the key can be neither read nor made."""
        content = {"v": VERSION, **asdict(game)}
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return self._cipher.encrypt(text.encode("utf-8", "surrogatepass")).decode()

    def open(self, token: str) -> SealedGame:
        """Return the game of a token; raises RefusedError (field `token`) where it is not one of ours."""
        try:
            content: dict[str, Any] = json.loads(self._cipher.decrypt(token.encode()))
        except (InvalidToken, ValueError):
            raise _foreign() from None
        if content.pop("v", None) != VERSION:
            raise _foreign()
        return SealedGame(**content)

    def seed(self, name: str) -> int:
        """Return the seed that only this key gives for a name, above all that a request may ask for."""
        return 1 << 63 | int.from_bytes(hmac.digest(self._key, name.encode(), "sha256")[:7], "big")

    @cached_property
    def _key(self) -> bytes:
        path = self._file
        try:
            return _read_or_make(path)
        except OSError as error:
            raise RefusedError(
                Told("the key of the page, {file}, cannot be used: {why}", shown(str(path)), why(error)), status=500
            ) from None

    @cached_property
    def _cipher(self) -> Fernet:
        path, key = self._file, self._key
        try:
            return Fernet(key)
        except ValueError:
            raise RefusedError(
                Told(
                    "{file} is no key of the page: remove it, and a new one is made (games that are under way can then "
                    "go on in Assist alone)",
                    shown(str(path)),
                ),
                status=500,
            ) from None


class EndedGames:
    """How the games ended whose secret was told of late: from then on they are answered as they were, or not at all.

    The server keeps no game, but a token does not tell that its game has ended: it was sealed before. The last are
    remembered, as long as the server runs; a token that was forgotten is answered again.

    >>> ended = EndedGames()
    >>> ended.note("dG9rZW4=", [["AABB", "XO"]])
    >>> ended.is_end("dG9rZW4=", [["AABB", "XO"]]), ended.is_end("dG9rZW4=", [])
    (True, False)
    """

    def __init__(self) -> None:
        self._ends: OrderedDict[bytes, bytes] = OrderedDict()

    def note(self, token: str, turns: list[list[str]]) -> None:
        """Note that a game has ended after these turns."""
        self._ends[_digest(token)] = _digest(turns)
        # The ends of twenty thousand games take some 4 MB.
        while len(self._ends) > 20_000:
            self._ends.popitem(last=False)

    def is_end(self, token: str, turns: list[list[str]]) -> bool:
        """Tell whether a game has ended, after these turns."""
        return self._ends.get(_digest(token)) == _digest(turns)

    def check(self, token: str, turns: list[list[str]]) -> None:
        """Raise RefusedError where a game has ended after other turns."""
        if _digest(token) in self._ends and not self.is_end(token, turns):
            raise RefusedError("this game has ended: its secret was told", "turns")


def _digest(value: str | list[list[str]]) -> bytes:
    # Of a token, what it stands for: its text could be written in other ways.
    content = urlsafe_b64decode(value) if isinstance(value, str) else json.dumps(value).encode()
    return sha256(content).digest()[:16]


def _foreign() -> RefusedError:
    return RefusedError(
        "this game was begun in another installation, which alone knows its secret: it can go on in Assist", "token"
    )


def _read_or_make(path: Path) -> bytes:
    # Of two servers that start at once, one makes the file; the other waits until the key is in it.
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(Fernet.generate_key())
    key = path.read_bytes()
    # Another server may be making the key: it has a second.
    for _ in range(20):
        if key:
            break
        sleep(0.05)
        key = path.read_bytes()
    return key

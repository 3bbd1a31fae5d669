"""A folder through which several processes, on one machine or on many, work on one proof.

What is in it holds whoever found it out. Each fact is a file named by what it says, made in one step and never changed,
so nothing is locked, and processes may come, go and die at any time::

    search.json                              what is searched
    members/ID                               a process at work, touched every few seconds
    strategies/LIMIT.TOTAL                   a complete strategy; claim.LIMIT: the first one is being made
    parts/LIMIT.OPENING.LABEL.ORDER/         a part of an opening, its guesses tried in the order with this checksum
        claim.K                              share K of these guesses is being searched; touched like a member
        done.K.BOUND                         none of share K leads to a total below BOUND
        whole.BOUND                          no guess does
        found.TOTAL                          a strategy for the part

The order of the guesses rests on floating-point estimates, which processors of other kinds may round otherwise: a
process counts on shares only of guesses in its own order.
"""

from __future__ import annotations

import io
import json
import os
import socket
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from entropeg.errors import InputError
from entropeg.files import OWN, parse_array, read_bytes, read_json, refuse_standard, shown, write_whole
from entropeg.search.tree import Node, from_rows, to_rows

FORMAT = "entropeg pool 1"
TOUCHED = 10.0  # seconds between signs of life
ABANDONED = 180.0  # seconds after which who gave none is taken for gone; network file systems tell times a minute late
COUNTED = 3.0  # seconds between counts of the processes
WAITED = 0.2  # seconds between looks whether another process has made a strategy


@dataclass(frozen=True)
class Facts:
    """What is known of a part: bounds of its shares and of the whole, shares under way, the best total found."""

    done: dict[int, int]
    whole: int
    claimed: frozenset[int]
    found: int | None

    @classmethod
    def read(cls, names: Iterable[str]) -> Facts:
        """Facts from the names of files; names of another kind, as of a file half written, say nothing."""
        done: dict[int, int] = {}
        whole = 0
        claimed: set[int] = set()
        found: list[int] = []
        for name in names:
            kind, *words = name.split(".")
            match kind, [int(word) if word.isdecimal() else None for word in words]:
                case "done", [int(k), int(bound)]:
                    done[k] = max(done.get(k, 0), bound)
                case "whole", [int(bound)]:
                    whole = max(whole, bound)
                case "claim", [int(k)]:
                    claimed.add(k)
                case "found", [int(total)]:
                    found.append(total)
        return cls(done, whole, frozenset(claimed), min(found, default=None))

    @property
    def is_begun(self) -> bool:
        """Whether somebody searches or has searched some of it."""
        return bool(self.done or self.whole or self.claimed)

    def bound(self, lows: list[int]) -> int:
        """No strategy has a smaller total, but perhaps the one found. ``lows``: as of `lowest`, or [] where unknown."""
        return max(self.whole, min((max(low, self.done.get(k, 0)) for k, low in enumerate(lows)), default=0))

    def open_shares(self, lows: list[int], target: int) -> Iterator[int]:
        """Shares that may still lead below ``target`` and that nobody searches."""
        for k, low in enumerate(lows if self.whole < target else ()):
            if low < target and self.done.get(k, 0) < target and k not in self.claimed:
                yield k


class Pool:
    """One process's view of the folder of the search ``name``; the folder is made where there is none.

    Raises InputError where the folder belongs to another search, holds other files, or cannot be read or written.
    """

    def __init__(self, folder: str | Path, name: str) -> None:
        """Join the processes that work there."""
        refuse_standard(folder, "a pool")
        self.folder = Path(folder)
        if self.folder.exists() and not self.folder.is_dir():
            raise InputError(f"{self.folder} is a file; a pool needs a folder")
        with self._reached():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._check_search(name)
            for part in ("members", "strategies", "parts"):
                (self.folder / part).mkdir(exist_ok=True)
            self.me = self.folder / "members" / f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
            self.me.touch()
        self._touched = time.monotonic()
        self._counted, self._members = -COUNTED, 1

    def _check_search(self, name: str) -> None:
        file = self.folder / "search.json"
        if not file.exists():
            foreign = [entry.name for entry in self.folder.iterdir() if not entry.name.startswith(".search.json")]
            if foreign and not file.exists():
                raise InputError(f"{self.folder} holds other files, such as {foreign[0]}; name a new or empty folder")
            write_whole(file, json.dumps({"format": FORMAT, "name": name}).encode(), OWN)
        try:
            head = read_json(file)
            kind, other = head["format"], head["name"]
        except (ValueError, KeyError, TypeError):
            kind = other = ""
        if kind != FORMAT:
            raise InputError(f"{file} is not that of a pool; name a new or empty folder")
        if other != name:
            raise InputError(f"{self.folder} is the pool of {shown(str(other))}, not of {name}; name another folder")

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"{error.filename or self.folder} cannot be used: {error.strerror}") from None

    # ------------------------------------------------------------ members

    def sign(self, claims: Iterable[Path] = ()) -> None:
        """Give a sign of life, for this process and what it claims, if it is time to."""
        if time.monotonic() < self._touched + TOUCHED:
            return
        self._touched = time.monotonic()
        for path in (self.me, *claims):
            with suppress(OSError):  # claims are taken over where this process was thought to be gone
                os.utime(path)

    def members(self) -> int:
        """How many processes gave a sign of life lately, this one included; counted anew after some seconds."""
        if time.monotonic() > self._counted + COUNTED:
            self._counted = time.monotonic()
            with self._reached():
                others = [path for path in (self.folder / "members").iterdir() if path != self.me]
            gone = [path for path in others if self.is_abandoned(path)]
            for path in gone:
                self.release(path)
            self._members = 1 + len(others) - len(gone)
        return self._members

    def is_abandoned(self, path: Path) -> bool:
        """Whether a claim or member was not touched for long, by the clock of the machine that keeps the files."""
        try:
            os.utime(self.me)
            return self.me.stat().st_mtime - path.stat().st_mtime > ABANDONED
        except OSError:
            return False  # it is gone, and with it the question

    def __enter__(self) -> Self:
        """Be at work there."""
        return self

    def __exit__(self, *_: object) -> None:
        """Tell the others that this process is no longer at work."""
        self.release(self.me)

    # ------------------------------------------------------------ facts

    def claim(self, path: Path) -> bool:
        """Whether this process is the one to do what the file stands for, as nobody else does."""
        with self._reached():
            path.parent.mkdir(exist_ok=True)
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            except FileExistsError:
                return False
        return True

    def release(self, path: Path) -> None:
        """Let others do it."""
        with suppress(OSError):
            path.unlink(missing_ok=True)

    def state(self, path: Path) -> None:
        """Put a fact down that its name alone tells."""
        with self._reached():
            path.touch()

    def parts(self) -> dict[str, list[str]]:
        """By "LIMIT.OPENING.LABEL", the orders of guesses in which that part was searched."""
        listed: dict[str, list[str]] = {}
        with self._reached():
            for name in os.listdir(self.folder / "parts"):  # noqa: PTH208 - names alone, many times a second
                part, _, order = name.rpartition(".")
                listed.setdefault(part, []).append(order)
        return listed

    def of_part(self, part: str, order: str) -> Path:
        """The folder of a part in one order of its guesses."""
        return self.folder / "parts" / f"{part}.{order}"

    def facts(self, folder: Path) -> Facts:
        """What a folder of a part says; nothing where there is none yet."""
        with self._reached():
            try:
                return Facts.read(os.listdir(folder))  # noqa: PTH208 - as above
            except FileNotFoundError:
                return Facts.read(())

    # ------------------------------------------------------------ strategies

    def strategy(self, limit: int) -> Node | None:
        """The best complete strategy that keeps a limit of guesses, as far as one is known."""
        with self._reached():
            totals = [int(name.split(".")[1]) for name in self._strategies() if name.startswith(f"{limit}.")]
        return read_tree(self.folder / "strategies" / f"{limit}.{min(totals)}") if totals else None

    def offer(self, limit: int, tree: Node, total: int) -> None:
        """Tell all of a complete strategy of this total that keeps the limit."""
        write_tree(self.folder / "strategies" / f"{limit}.{total}", tree)
        self.release(self.folder / "strategies" / f"claim.{limit}")

    def await_strategy(self, limit: int, seconds: float) -> Node | None:
        """The strategy that another process is making, once it is there; None if it is for this one to make and offer.

        Waits some seconds at most, and not for a process that is gone.
        """
        claim = self.folder / "strategies" / f"claim.{limit}"
        end = time.monotonic() + seconds
        while (tree := self.strategy(limit)) is None and not self.claim(claim):
            if time.monotonic() > end:
                return None
            self.sign()
            if self.is_abandoned(claim):
                self.release(claim)
            time.sleep(WAITED)
        return tree

    def _strategies(self) -> list[str]:
        return [path.name for path in (self.folder / "strategies").glob("[0-9]*")]


def write_tree(path: Path, tree: Node) -> None:
    """Write a strategy in one step; raises InputError where that cannot be done."""
    content = io.BytesIO()
    np.save(content, to_rows(tree))
    write_whole(path, content.getvalue(), OWN)


def read_tree(path: Path) -> Node:
    """Read a strategy; raises InputError where the file is damaged or gone."""
    try:
        tree = from_rows(parse_array(read_bytes(path)).astype(np.int32))
    except (ValueError, IndexError, TypeError) as error:
        raise InputError(
            f"{shown(path)} is not a strategy of a pool; remove it, and what it says is searched again"
        ) from error
    if tree is None:
        raise InputError(f"{path} is an empty strategy; remove it, and what it says is searched again")
    return tree

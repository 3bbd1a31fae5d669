"""Keeps experiments in a file of SQLite, one row a game, saved in transactions as games finish.

A process killed at any moment leaves the file with everything saved before. The file is opened for each operation and
closed after it, so that others may read in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg import arguments
from entropeg.errors import InputError, MissingExtraError
from entropeg.experiments.results import Run
from entropeg.experiments.runs import Runs
from entropeg.experiments.tasks import Chunk
from entropeg.files import parse_json, refuse_standard, shown
from entropeg.files.paths import why
from entropeg.rules import Rules
from entropeg.signals import held
from entropeg.told import Spoken, Told, of_data, to_data

if TYPE_CHECKING:
    import sqlite3

APPLICATION_ID = 0x656E7470
"""`entp`: marks the file as ours in the header of the SQLite format."""

SCHEMA_VERSION = 2
"""2: `fault`, and `seconds` of processor time, which were by the clock before; files of 1 are read, and become 2."""

BUSY_SECONDS = 10.0
"""How long to wait for another process that is writing."""

_SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    rules TEXT NOT NULL,
    codebreaker TEXT NOT NULL,
    codemaker TEXT NOT NULL,
    seed TEXT NOT NULL,
    plan TEXT NOT NULL CHECK (plan IN ('games', 'all-secrets')),
    exact INTEGER NOT NULL DEFAULT 0,
    planned INTEGER NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    fault TEXT NOT NULL DEFAULT '',
    UNIQUE (rules, codebreaker, codemaker, seed, plan)
);
CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs (id),
    game INTEGER NOT NULL,
    guesses INTEGER NOT NULL CHECK (guesses >= 0),
    PRIMARY KEY (run, game)
) WITHOUT ROWID;
"""
_WRONG = {
    "runs": """
SELECT 1 FROM runs WHERE typeof(rules) != 'text' OR typeof(codebreaker) != 'text' OR typeof(codemaker) != 'text'
OR typeof(seed) != 'text' OR typeof(planned) != 'integer' OR planned < 0 OR exact NOT IN (0, 1)
OR typeof(seconds) NOT IN ('real', 'integer') OR seconds NOT BETWEEN 0 AND 1e15
""",
    "games": """
SELECT 1 FROM games WHERE typeof(game) != 'integer' OR typeof(guesses) != 'integer'
OR guesses NOT BETWEEN 0 AND 2147483647
""",
}
"""Rows that the types and checks of the schema do not keep out: SQLite stores any value anywhere."""
_NOT_OURS = Told("it is not a file of experiments of entropeg")
_REASONS = {
    "SQLITE_FULL": Told("the disk is full; what was saved before is kept"),
    "SQLITE_IOERR": Told("the disk refuses it; what was saved before is kept"),
    "SQLITE_BUSY": Told("another program is writing to it"),
    "SQLITE_READONLY": Told("it may not be written to"),
    "SQLITE_CANTOPEN": Told("it cannot be opened or made"),
    "SQLITE_PERM": Told("access is not permitted"),
    "SQLITE_CORRUPT": Told("it is damaged"),
    "SQLITE_NOTADB": _NOT_OURS,
}


class Saved(NamedTuple):
    """The games of a run in the file: numbers, guesses, seconds of processor time, and the fault that ended it."""

    games: Any
    guesses: Any
    seconds: float
    fault: str


class StoredRun(NamedTuple):
    """A run of the file without its games: its number there, its players and rules, how much is played."""

    number: int
    rules: str
    codebreaker: str
    codemaker: str
    seed: str
    plan: str
    planned: int
    seconds: float
    exact: bool
    played: int


class Store:
    """A file of experiments. It is made when the first run begins.

    Every method raises InputError, in one sentence, where the file is not ours, damaged, unreadable, or cannot be
    written.
    """

    def __init__(self, path: str | Path) -> None:
        """Look at the file, if there is one; nothing is written yet."""
        refuse_standard(path, Told("a store of games"))
        _sqlite()
        self.path: Path = Path(path)
        if self._is_there():
            with self._open() as database:
                self._check(database)

    def begin(
        self, rules: Rules, codebreaker: str, codemaker: str, seed: int, plan: str, planned: int, *, exact: bool = False
    ) -> tuple[int, Saved]:
        """Find or make a run and return its key, for `save`, and its games in the file.

        A run is told from others by rules, players, seed and plan; more games may be asked for at any time.
        """
        identity = (str(rules), codebreaker, codemaker, str(seed), plan)
        with self._open(write=True) as database:
            database.execute(
                "INSERT INTO runs (rules, codebreaker, codemaker, seed, plan, planned, exact) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET planned = max(planned, excluded.planned)",
                (*identity, planned, exact),
            )
            row = database.execute(
                "SELECT id, seconds, fault FROM runs "
                "WHERE rules = ? AND codebreaker = ? AND codemaker = ? AND seed = ? AND plan = ?",
                identity,
            ).fetchone()
            games, guesses = _games(database, row[0])
            return row[0], Saved(games, guesses, row[1], _said(row[2]))

    def save(self, key: int, chunks: Sequence[Chunk]) -> None:
        """Add finished games to a run, all of them or, where that fails, none."""
        rows = [
            (key, *row) for chunk in chunks for row in zip(chunk.games.tolist(), chunk.guesses.tolist(), strict=True)
        ]
        with self._open(write=True) as database:
            database.executemany(
                "INSERT INTO games (run, game, guesses) VALUES (?, ?, ?) ON CONFLICT (run, game) DO NOTHING", rows
            )
            seconds = sum(chunk.computed for chunk in chunks)
            database.execute("UPDATE runs SET seconds = seconds + ? WHERE id = ?", (seconds, key))

    def note_fault(self, key: int, fault: str) -> None:
        """Note what ended a run before all its games were played; nothing where nothing did."""
        # A sentence is kept so that it can be said in any language; other text, and what was kept before, as it is.
        kept = json.dumps(to_data(fault)) if isinstance(fault, Spoken) else fault
        with self._open(write=True) as database:
            database.execute("UPDATE runs SET fault = ? WHERE id = ?", (kept, key))

    def runs(self) -> Runs:
        """Return every run of the file, in the order in which they were begun."""
        if not self._is_there():
            raise InputError("{file} does not exist, or is empty: no experiment was saved there", self.path)
        with self._open() as database:
            rows = _listed(database)
            return Runs(self._run(row, *_games(database, row[0])) for row in rows)

    def listed(self) -> list[StoredRun]:
        """Return the runs without their games, in the order in which they were begun; none where there is no file."""
        if not self._is_there():
            return []
        with self._open() as database:
            rows = _listed(database)
            played = dict(database.execute("SELECT run, count(*) FROM games GROUP BY run").fetchall())
        return [StoredRun._make((*row[:8], bool(row[8]), played.get(row[0], 0))) for row in rows]

    def run(self, number: int) -> Run:
        """Return one run by the number that `listed` gives it; raises InputError where there is none."""
        number = arguments.whole(number, "the number of the run", most=(1 << 63) - 1)  # SQLite's largest number
        if self._is_there():
            with self._open() as database:
                for row in _listed(database):
                    if row[0] == number:
                        return self._run(row, *_games(database, number))
        raise InputError("{file} has no run number {number}", self.path, number)

    def _run(self, row: tuple[Any, ...], games: Any, guesses: Any) -> Run:
        _, text, codebreaker, codemaker, seed, plan, planned, seconds, exact, kept = row
        fault = _said(kept)
        try:
            rules, number = Rules.parse(text), int(seed)
        except ValueError as error:
            raise InputError("{file} is damaged: {error}", self.path, error) from None
        return Run(rules, codebreaker, codemaker, number, plan, guesses, seconds, games, planned, bool(exact), fault)

    def _is_there(self) -> bool:
        try:
            with self.path.open("rb") as file:
                head = file.read(16)
        except FileNotFoundError:
            return False
        except (OSError, ValueError) as error:
            raise InputError("{file} cannot be read: {reason}", shown(self.path), why(error)) from None
        if head and head != b"SQLite format 3\0":
            raise InputError("{file} cannot be used: {reason}", self.path, _NOT_OURS)
        return bool(head)

    def _check(self, database: sqlite3.Connection) -> None:
        mark = database.execute("PRAGMA application_id").fetchone()[0]
        version = _version(database)
        empty = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
        if mark != APPLICATION_ID and not (empty and mark == version == 0):
            raise InputError("{file} cannot be used: {reason}", self.path, _NOT_OURS)
        if version > SCHEMA_VERSION:
            raise InputError(
                "{file} was written by a newer entropeg (format {version}); this one reads {known}",
                *(self.path, version, SCHEMA_VERSION),
            )
        verdict = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise InputError("{file} is damaged: {error}", self.path, " ".join(str(verdict).split()))
        if empty:
            return
        tables = database.execute("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        there = {tuple(row) for row in tables}
        if there != {("table", "runs"), ("table", "games")}:
            raise InputError("{file} is damaged: its tables are not those of experiments", self.path)
        for table, wrong in _WRONG.items():
            if database.execute(wrong).fetchone() is not None:
                raise InputError(
                    "{file} is damaged: its table of {table} holds what no experiment gives", self.path, table
                )

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        sqlite3 = _sqlite()
        try:
            with (
                held() if write else nullcontext(),
                closing(sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)) as database,
            ):
                if write:
                    database.execute("BEGIN IMMEDIATE")
                    if database.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
                        # Statement by statement: a script would end the transaction.
                        for statement in filter(str.strip, _SCHEMA.split(";")):
                            database.execute(statement)
                    elif _version(database) < SCHEMA_VERSION:
                        database.execute("ALTER TABLE runs ADD COLUMN fault TEXT NOT NULL DEFAULT ''")
                        database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                yield database
                if write:
                    database.execute("COMMIT")
        except UnicodeDecodeError:
            raise InputError("{file} is damaged: it holds text that is none", self.path) from None
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0)
            found = (why for name, why in _REASONS.items() if code & 0xFF == getattr(sqlite3, name))
            reason = next(found, str(error))
            if write:
                raise InputError("{file} cannot be saved: {reason}", self.path, reason) from None
            raise InputError("{file} cannot be read: {reason}", self.path, reason) from None


def _sqlite() -> Any:
    """Import SQLite where it is used, since a browser's Python may lack it."""
    try:
        import sqlite3
    except ImportError:
        raise MissingExtraError(
            "a store of games is a file of SQLite, which this Python lacks; "
            'in a browser `await micropip.install("sqlite3")` brings it'
        ) from None
    return sqlite3


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _said(kept: Any) -> str:
    with suppress(InputError):
        said = of_data(parse_json(str(kept)))
        if isinstance(said, Spoken):
            return said
    return str(kept)


def _listed(database: sqlite3.Connection) -> list[tuple[Any, ...]]:
    query = "SELECT id, rules, codebreaker, codemaker, seed, plan, planned, seconds, exact, {} FROM runs ORDER BY id"
    return database.execute(query.format("fault" if _version(database) > 1 else "''")).fetchall()


def _games(database: sqlite3.Connection, key: int) -> tuple[Any, Any]:
    rows = database.execute("SELECT game, guesses FROM games WHERE run = ? ORDER BY game", (key,)).fetchall()
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 2)
    return table[:, 0].copy(), table[:, 1].astype(np.int32)

"""Which modules speak to players and students, and what they say; what is left in English, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from entropeg.texts.sources import Said, said_in, summaries, words_in

PACKAGE = Path(__file__).parents[1]

SPEAKING = (
    *(
        "endless.py",
        "errors.py",
        "extras.py",
        "processes/child.py",
        "amounts.py",
        "arguments.py",
        "registry.py",
        "alphabet.py",
        "svg/board.py",
        "svg/parts.py",
        "rules.py",
        "words.py",
        "priors.py",
    ),
    *("codes.py", "feedback.py", "kinds/*.py", "position.py", "loop.py", "game.py", "files/*.py"),
    *("candidates/*.py", "codebreakers/**/*.py", "codemakers/*.py", "advise/**/*.py", "review/*.py", "train/*.py"),
    *("experiments/match.py", "experiments/runner.py", "experiments/results.py", "experiments/store.py"),
    "experiments/watched.py",
    *("search/reach.py", "search/bounds.py", "search/results.py", "search/onestep/code_arrays.py"),
    *("search/onestep/choosing.py", "compiling.py", "web/refusals.py", "web/guard.py", "web/inputs.py"),
    "classroom/functions/*.py",
    *(
        f"classroom/{name}.py"
        for name in ("expected", "faults", "foreign", "modules", "project_page", "process", "programs")
    ),
    *(f"classroom/{name}.py" for name in ("players", "project", "shared", "traits", "worker")),
    *("classroom/whole_class/*.py", "classroom/tournament/*.py", "classroom/logs.py"),
    "classroom/grading/scheme.py",
    "sessions/*.py",
    *(f"cli/{name}.py" for name in ("__init__", "completion", "grading", "helping", "options", "progress")),
    *(f"cli/{name}.py" for name in ("reviewing", "saving", "screen")),
    *(f"cli/commands/{name}.py" for name in ("advise", "check_log", "classroom", "listing", "review", "score")),
    *(f"cli/commands/{name}.py" for name in ("serve", "sessions", "train")),
    *(
        "web/connections.py",
        "web/numbered.py",
        "web/tokens.py",
        "web/work.py",
        "web/tasks/*.py",
        "web/runs/*.py",
    ),
)
"""All that they say is translated."""

RAISING = (
    "classroom/grading/delivery.py",
    *(
        "executors/executor.py",
        "experiments/adjusted.py",
        "executors/processes.py",
        "search/preparing.py",
        "search/grow.py",
        "search/subset.py",
    ),
    *("search/beam/optimum.py", "search/proving/solving.py", "search/proving/at_worst.py", "tree/nodes.py"),
    *("tree/strategy.py", "tree/player.py", "web/api/*.py"),
)
"""The errors that they raise are translated."""

SILENT = {
    "codebreakers/check.py": "tells those who write a codebreaker",
    "codemakers/check.py": "tells those who write a codemaker",
    "codebreakers/__init__.py": "a table; its summaries are read from the players",
    "codemakers/__init__.py": "as codebreakers",
    "codebreakers/decoder/explanation.py": "tells its thoughts on the command line only",
    "codebreakers/decoder/player.py": "as explanation",
    "files/arrays.py": "tells of files of arrays, which research alone reads",
    "sessions/typed.py": "is in French already",
}

ENUMERATIONS = (
    ("train/puzzle.py", "Theme", "theme"),
    ("train/puzzle.py", "Theme", "heading"),
    ("review/turns.py", "Mark", "mark"),
    ("review/turns.py", "Mark", "cell"),
)
"""Values of enumerations that are said in sentences: in the fields of that name."""

COUNTED = (
    *(Said(f"{{share:n}} % {mark}") for mark in ("best", "good", "inaccuracy", "mistake", "blunder", "wasted")),
    Said("{n:n} black", "{n:n} black"),
    Said("{n:n} white", "{n:n} white"),
    Said("{n:n} blue", "{n:n} blue"),
    *(Said(f"{{n:n}} {thing}", f"{{n:n}} {thing}s") for thing in ("color", "letter")),
    *(Said(f"{{n:n}} {unit}", f"{{n:n}} {unit}s") for unit in ("year", "day", "hour", "minute", "second")),
)
"""What is counted by names that stand in a table."""

WORDS = (
    *(("name", word) for word in ("pegs", "colors", "feedback", "blanks", "seed")),
    *(("kind", word) for word in ("alphabets", "priors", "mean", "worst", "total")),
    *(("doing", word) for word in ("list", "find", "search", "count")),
    *(("missing", word) for word in ("guess", "feedback")),
    *(("outcome", word) for word in ("won", "lost")),
    ("grades", "published"),
    *(("bound", word) for word in ("information", "counting")),
    ("get", "twice"),
    ("a", "a {kind}"),
    ("a", "a {name} of {kinds}"),
    *(("heading", word) for word in ("Module", "Against", "Games", "Mean", "Expected", "Figures", "Projects")),
    *(("heading", word) for word in ("A class", "project", "modules", "right", "wrong", "slow", "note")),
    *(("heading", word) for word in ("Player", "Rank", "Opponents", "Codebreaker", "Codemaker", "Spoiled")),
    *(("heading", word) for word in ("codebreakers", "codemakers", "Tournament", "What went wrong", "Nothing")),
    *(("heading", word) for word in ("Median", "Worst", "Lost", "Guesses", "Time a game")),
    *(("bracket", kind) for kind in ("both", "crash", "ended", "evaluation", "exit", "file", "follow", "function")),
    *(("bracket", kind) for kind in ("game time", "illegal", "inconsistent", "init", "knows the secret", "mean")),
    *(("bracket", kind) for kind in ("memory", "package", "protocol", "reset", "syntax", "time", "too good", "turns")),
    *(("bracket", kind) for kind in ("first guess", "multiplicity", "not largest", "not minimax", "repeats", "set")),
    *(("bracket", kind) for kind in ("same secret", "swapped", "twice", "type", "wrong evaluation", "wrong set")),
    ("basis", "theory"),
    *(("heading", f"{word}:") for word in ("Usage", "Options", "Commands", "Positional arguments")),
    *(("heading", f"{word}:") for word in ("Play", "Look back", "Teach", "Compare", "Prove", "Maintain")),
    *(("taken", word) for word in ("OPTIONS", "COMMAND", "ARGS", "FILE", "DIR", "RULES", "NAME", "NAMES", "CODE")),
    *(
        ("taken", word)
        for word in (
            "SECONDS",
            "GUESS",
            "FEEDBACK",
            "SECRET",
            "PLAYER",
            "PATH",
            "SYSTEM",
            "CLAIM",
            "WHERE",
            "HOST",
            "SYMBOLS",
        )
    ),
    *(("cell", word) for word in ("maybe", "no", "none", "{guesses:n}, not won", "1 in {times:n}", "played")),
    ("progress", "reviewing"),
    *(("cell", "(empty)"), ("summary", "leave"), ("role", "a codebreaker"), ("role", "a codemaker")),
    ("drawn", "games"),
    *(("column", word) for word in ("same secret", "lost", "guesses", "par")),
    *(("begin", "Try"), ("busy", "thinking")),
    *(("duration", f"{{n:n}} {unit}") for unit in ("s", "ms", "µs")),
    ("described", "{value!r}, a {name}"),
)
"""Words that stand alone in a field, and the field."""

FIGURES = (
    *("guesses to win", "guesses to win (logarithmic)", "share of games (%)", "seconds a game (logarithmic)"),
    *("played: {games}, mean {mean} (▾)", "{label}: mean {mean} (▾), {games}", "{file} on {rules}", "Time per game"),
    *("geometric law, p = {share}, mean {mean}", "geometric law, p = {share} within {limit}, mean {mean}"),
    *("uniform law on {range}, mean {mean}", "95 of 100 bars should end between these"),
)
"""What the figures on pages of the classroom say."""

SYSTEM = (
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File name too long",
    "Address already in use",
    "Name or service not known",
)
"""What the system says of files."""

PRINTED = (
    *(
        "game {number}, lines {start} to {end}: {sentence}",
        "(assumed from the guesses; --rules says otherwise)",
        "FILE",
    ),
    *("{mean:n} ({low:n} to {high:n})", "{low:n} to {high:n}"),
    *("it closed its output", "it ended with exit code {code}", "it was ended by the signal {name}"),
    "as in Wordle",
    "the address {host}, port {port}, cannot be listened on: {strerror}",
    *("Modules in", "{items:n} more", "{name} against everyone"),
    *("{rules}, random secrets, seed {seed}", "{rules}, every secret once, seed {seed}", "it prints"),
    "{codebreaker} against {codemaker}",
    *(f"{{done:n}} of {{total:n}} {unit}" for unit in ("games", "modules", "projects", "turns", "codes")),
    *("a strategy tree", "a table of games", "a proof of a lower bound"),
    *("Hidden checks", "hidden check {number}", "{had:n} of {most:n} points"),
)
"""What the commands of the classroom print around the sentences of the library."""

MARKS = (
    *("codes as text", "lists of letters", "tuples of letters", "texts of digits"),
    *("lists of whole numbers from 1", "lists of whole numbers from 0"),
    *("tuples of whole numbers from 1", "tuples of whole numbers from 0"),
    *("no marks", "{code} in place", "{code} elsewhere", "{code} not in the secret", "{said} and {colors:n} more pegs"),
    *("the codes left could not be counted in the time that this may take", "{played:n} of {request:n} games"),
    *("there is no language {language!r}: it is {languages}", "take any as entropy@4x6"),
    "there are {files}, and any as entropy@4x6",
)
"""Feedback in words (`svg/pegs.py`), and what the doors of the API say beside errors."""

STRATEGIES = (
    *("best strategy found", "expected size", "least worst case", "most parts", "optimum of consistent guesses"),
    *(
        "optimum of worst case {number}",
        "weighted entropy",
        "weighted entropy, weights for each turn",
        "entropy (about)",
    ),
    *("weighted entropy (about)", "weighted entropy, weights for each turn (about)"),
)
"""What figures of the literature are called (`data/known_values.json`)."""

CLICK = (
    *("Show this message and exit.", "Show the version and exit."),
    *("Invalid value for {param!r}: {message}", "Invalid value: {message}", "Missing argument {name!r}"),
    *("Missing option {name!r}", "Missing option {name!r}. Choose from: {choices}", "No such option {name!r}"),
    *("Missing argument {name!r}. Choose from: {choices}", "Option {name!r} does not take a value"),
    *("Did you mean {name!r}?", "(Did you mean one of: {names}?)", "--help tells more"),
    *("Option {name!r} requires an argument", "Got unexpected extra argument ({args})"),
    *("Got unexpected extra arguments ({args})", "Argument {name!r} takes {nargs} values"),
    *("{value!r} is not one of {choices}", "{value!r} is not a whole number", "{value!r} is not a number"),
    *("{value} is too small: it is at least {least}", "{value} is not in the range {range}"),
    *("default: {default}", "default: {count}; {range}"),
)
"""What click says, as the command line passes it on."""

METHODS = ("kinds/kind.py", "Method")
UNKNOWN_KIND = " {known} feedback, not that of {rules}{otherwise}"
"""Which methods refuse kinds of feedback, and how: each in a sentence of its own."""

LEFT = (
    (r"\{method\} ", "a sentence of each method stands in its place"),
    (r"(?:[a-z -]+ knows?|proofs are written for|codes are built under|\w+ plays under)$", "begins such a sentence"),
    (r"it \{describe_end\}$", "each end is a sentence of its own"),
    (r"\^line", "a pattern"),
    (r"is (?:not a |too small)", "ends a sentence of click"),
    (r"entropeg \{\{$", "begins a file"),
    (r"eval |entropeg (?:completion|advise) .*[\">]", "what is typed"),
    (r"/digits /names", "what is typed"),
    (r", qui ", "is in French already"),
    (r"bold ", "a style of the terminal"),
    (r"(?i)(?:SELECT|INSERT|UPDATE|PRAGMA|BEGIN|CREATE|ALTER)\b", "the language of the store"),
    (r"<|\{\w+\}\{\w+\}<", "a page, or how a value shows itself to a programmer"),
    (r"\w+\(.*\)$|\[.*\]$", "an example of a program"),
    (r"entropeg (?:\w+ \d|\{of\} #\{number\})$", "the first line of a file; the name of a game"),
    (r"a run has failed$|whoever asked has gone$", "is written into the log"),
    (r">= \{lower\}", "numbers alone"),
    (r"pip install", "what is typed"),
    (r"[a-z-]+ '(?:none|self)'", "a header"),
    (r"\{\w+\} and \{\w+\}$", "a list, which is divided"),
    (r".*%s", "is written into the log"),
    (r"[A-Z][^().]* (?:19|20)\d\d\b", "a publication"),
    (r"n·log", "a formula"),
    (r"# \{about\}", "a file of TOML, whose texts have templates of their own"),
    (r"(?:as|such as|or) \w+(?:\.\w+)*\(|as [A-Z]\w+\.\w+ |as (?:review|arena) returns", "a hint for programs"),
)


def said_in_library(package: Path = PACKAGE) -> list[Said]:
    """List what the library can say to a player of the page, each text once."""
    found = [*_said(package), *COUNTED]
    return list(dict.fromkeys(each for each in found if not is_left(each.text)))


def is_left(text: str) -> bool:
    """Tell whether a text stays in English on purpose, for a reason of `LEFT`."""
    return any(re.match(pattern, text) for pattern, _ in LEFT)


def _said(package: Path) -> Iterator[Said]:
    for pattern in SPEAKING:
        for path in sorted(package.glob(pattern)):
            if path.relative_to(package).as_posix() not in SILENT:
                yield from said_in(path)
    for pattern in RAISING:
        for path in sorted(package.glob(pattern)):
            yield from said_in(path, errors_only=True)
    for name, enumeration, context in ENUMERATIONS:
        yield from words_in(package / name, enumeration, context)
    yield from (Said(word, context=context) for context, word in WORDS)
    yield from map(Said, (*SYSTEM, *FIGURES, *MARKS, *STRATEGIES, *PRINTED, *CLICK))
    for method in words_in(package / METHODS[0], METHODS[1], ""):
        yield Said(f"{method.text}{UNKNOWN_KIND}", where=method.where)
    for role in ("codebreakers", "codemakers"):
        yield from summaries(package, role)

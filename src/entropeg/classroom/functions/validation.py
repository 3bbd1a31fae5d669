"""Checks a function in a notebook, with the smallest counterexample, in French (`valider`) or English (`validate`)."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import Parameter, signature
from itertools import product
from types import ModuleType
from typing import Any, NamedTuple

from entropeg.classroom.functions.conventions import TUPLES, USUAL, Convention
from entropeg.classroom.functions.evaluation import (
    BOARDS,
    MOST_COLORS,
    CodePair,
    ExaminedFunction,
    all_pairs,
    drawn_pairs,
    examine,
    what_it_gives,
)
from entropeg.classroom.functions.forms import FORMS, LETTERS, CallResult, all_letters, outcomes, with_size
from entropeg.classroom.functions.mistakes import (
    IN_TUPLES,
    KeptCodes,
    draw_mistake,
    is_drawn_code,
    right,
    set_mistake,
)
from entropeg.classroom.functions.ours import is_empty
from entropeg.texts.speaking import say
from entropeg.told import Template, Told, plural

DRAWS = 200
"""Codes that are drawn from `choices` on 2x2; one of its four codes is then missing once in 10^24 notebooks."""


@dataclass(frozen=True)
class Validation:
    """The verdict on a function; true where it is right."""

    is_right: bool
    text: str

    def __bool__(self) -> bool:
        """Tell whether the function is right."""
        return self.is_right

    def _ipython_display_(self) -> None:
        """Show nothing: the text has been printed."""


def valider(fonction: Callable[..., Any], verification: str = "", *, langue: str = "fr") -> Validation:
    """Dire si une fonction est juste, et sinon montrer le plus petit contre-exemple.

    `verification` est l'une de `CHECKS`; sans elle, le nom de la fonction dit laquelle. Rien n'est levé.

    >>> def evaluation(essai, secret):
    ...     return sum(a == b for a, b in zip(essai, secret)), 0
    >>> juste = valider(evaluation)
    evaluation('RV', 'VR') renvoie (0, 0)...il fallait 0 bien placé et 2 mal placés.
    Le nombre de mal placés est 0 pour tous les couples de codes.
    """
    return _validated(fonction, verification, langue)


def validate(function: Callable[..., Any], check: str = "", *, language: str = "en") -> Validation:
    """Say whether a function is right, and show the smallest counterexample where it is not.

    `check` is one of `CHECKS`; without it the name of the function says which. Nothing is raised.

    >>> def evaluation(guess, secret):
    ...     placed = sum(a == b for a, b in zip(guess, secret))
    ...     return sum(color in secret for color in guess) - placed, placed
    >>> bool(validate(evaluation))
    evaluation('RR', 'RV') returns (1, 1); 1 well placed and 0 misplaced is right.
    A peg counts as misplaced although its color is used up: a color counts as often as it occurs in both codes.
    False
    """
    return _validated(function, check, language)


def _validated(function: Any, check: str, language: str) -> Validation:
    said, name = _result(function, check), str(getattr(function, "__name__", ""))
    lines = [_sentence(say(line, language), name) for line in said.lines]
    found = Validation(said.is_right, "\n".join(lines))
    print(found.text)  # noqa: T201 (a notebook shows nothing else of a call amid a cell)
    return found


def _sentence(text: str, name: str) -> str:
    # With a capital where a word begins it, and a full stop.
    first = text.split(" ", 1)[0]
    text = text[0].upper() + text[1:] if first != name and first.replace("’", "").isalpha() else text
    return text if text.endswith((".", "!", "?")) else f"{text}."


@dataclass(frozen=True)
class _Judgement:
    lines: Sequence[str]
    is_right: bool = True


def _wrong(*lines: str) -> _Judgement:
    return _Judgement([line for line in lines if line], is_right=False)


def _result(function: Any, check: str) -> _Judgement:
    if not callable(function):
        return _wrong(Told("{value!r} is no function: write its name without parentheses", function))
    name = str(getattr(function, "__name__", "function"))
    wanted = _known(check or name)
    if wanted is None:
        return _wrong(Told("there is no check {check!r}; there are {checks:list}", check or name, CHECKS))
    if is_empty(function):
        return _wrong(Told("{function} is not written yet", name))
    running = _Running(function, name)
    try:
        return CHECKS[wanted](running)
    except _UnwrittenError:
        return _wrong(Told("{name}, or a function that it calls, is not written yet: NotImplementedError", name))
    except KeyboardInterrupt:
        return _wrong(Told("{call} was interrupted: a loop in it may never end", running.call))


def _known(check: str) -> str | None:
    # `Évaluation` and `donner-possibles` are known too.
    letters = unicodedata.normalize("NFD", str(check)).encode("ascii", "ignore").decode()
    key = letters.casefold().strip().replace("-", "_").replace(" ", "_")
    return key if key in CHECKS else None


class _UnwrittenError(Exception):
    """A function says of itself that it is not written yet."""


class _Running:
    """A function, and the call of it that is running."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self.function, self.name, self.call = function, name, name
        self.places = _places(function)
        self.own = own = _own(self.places)
        self.letters = all_letters("" if own is None else own.letters)
        self.colors = MOST_COLORS if own is None else min(MOST_COLORS, len(own.letters))
        self.examined = ExaminedFunction(self.ask, name, self.letters, self.colors)

    def outcome(self, *arguments: Any) -> CallResult:
        self.call = f"{self.name}({', '.join(map(repr, arguments))})"
        return self.called(self.function, arguments)

    def called(self, function: Callable[..., Any], arguments: Sequence[Any]) -> CallResult:
        # Lines of errors are those of the function that is judged.
        [told] = outcomes(function, [arguments], getattr(getattr(self.function, "__code__", None), "co_filename", None))
        if told.error.split(":")[0] == NotImplementedError.__name__:
            raise _UnwrittenError
        return told

    def ask(self, form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
        write, letters, told = FORMS[form], self.letters, list[CallResult]()
        for guess, secret in pairs:
            with with_size(self.places, len(guess)):
                told.append(self.outcome(write(guess, letters), write(secret, letters)))
        return told

    def needs(self) -> int | None:
        """Return how many arguments it must be given; None where nobody knows."""
        try:
            parameters = signature(self.function).parameters.values()
        except (TypeError, ValueError):
            return None
        positional = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        if any(each.kind == Parameter.VAR_POSITIONAL for each in parameters):
            return None
        return sum(each.kind in positional and each.default is Parameter.empty for each in parameters)


def _two_codes(running: _Running) -> _Judgement | None:
    needs, name = running.needs(), running.name
    if needs is None or needs == 2:
        return None
    given = plural(needs, "{n} argument", "{n} arguments")
    return _wrong(Told("{name} must be given {arguments}; it should take two, the guess and the secret", name, given))


def _evaluation(running: _Running) -> _Judgement:
    if (refused := _two_codes(running)) is not None:
        return refused
    found = examine(running.examined)
    if found.verdict != "right":
        return _wrong(found.text, found.why)
    return _Judgement([found.text, *found.notes])


# ---------------------------------------------------------------------- one number


def _counted(running: _Running, which: int) -> _Judgement:
    if (refused := _two_codes(running)) is not None:
        return refused
    pairs, name = drawn_pairs(running.colors), running.name
    for form in FORMS:
        told = running.ask(form, pairs)
        if all(each.value == right(*pair)[which] and not each.error for pair, each in zip(pairs, told, strict=True)):
            return _Judgement(
                [Told("{name} is right on {count} pairs of codes: it takes {form}", name, len(pairs), form)]
            )
    playing = [form for form in FORMS if not running.ask(form, pairs[:1])[0].error]
    form = playing[0] if playing else next(iter(FORMS))
    for pegs, colors in (*BOARDS, (4, 3), (4, 6)):
        small = all_pairs(pegs, colors) if pegs < 4 or colors == 2 else pairs
        told = running.ask(form, small)
        if all(each.error for each in told) and pegs < 4:
            continue
        for pair, each in zip(small, told, strict=True):
            wanted = right(*pair)[which]
            if each.error or each.value != wanted:
                gives = what_it_gives(running.examined.call(form, pair), each)
                return _wrong(Told("{fault}; {wanted} is right", gives, wanted))
    return _wrong(Told("{name} gives other answers each time that it is called", name))


# ---------------------------------------------------------------------- sets of codes


@dataclass(frozen=True)
class _NotebookBoard:
    pegs: int
    letters: str

    @cached_property
    def codes(self) -> list[str]:
        return list(map("".join, product(self.letters, repeat=self.pegs)))


def _places(function: Any) -> list[dict[str, Any]]:
    # Where LENGTH and COLORS stand: in the notebook, or in a module that it imports.
    own = getattr(function, "__globals__", {})
    modules = [each.__dict__ for each in own.values() if isinstance(each, ModuleType)]
    return [names for names in (own, *modules) if "LENGTH" in names and "COLORS" in names]


def _turns(running: _Running) -> Iterator[tuple[_NotebookBoard, KeptCodes]]:
    # Every guess on small boards with every evaluation that it may get; in the end three on the notebook's own board,
    # where it does not follow smaller ones. While one is looked at, LENGTH and COLORS are those of its board.
    places, own = running.places, running.own
    letters = LETTERS if own is None else own.letters
    boards = [
        _NotebookBoard(pegs, letters[:colors])
        for pegs, colors in ((2, 2), (3, 2), (2, 3), (3, 3))
        if colors <= len(letters)
    ]
    for board in [*boards, *([own] if own is not None and len(own.letters) ** own.pegs <= 10_000 else [])]:
        codes = board.codes
        with with_size(places if board is not own else [], board.pegs, board.letters):
            for guess in codes if board is not own else [codes[0], codes[len(codes) // 3], codes[-2]]:
                marks = {code: right(guess, code) for code in codes}
                for each in sorted({*marks.values()}):
                    yield board, KeptCodes(guess, each, codes, [code for code in codes if marks[code] == each])


def _own(places: Sequence[dict[str, Any]]) -> _NotebookBoard | None:
    for names in places:
        length, colors = names["LENGTH"], names["COLORS"]
        listed = colors if isinstance(colors, Collection) else [None]
        if isinstance(length, int) and all(isinstance(each, str) and len(each) == 1 for each in listed):
            return _NotebookBoard(length, "".join(dict.fromkeys(colors)))
    return None


def _homeless(running: _Running) -> _Judgement:
    name = running.name
    return _wrong(Told("{name} cannot be called on a small board: LENGTH and COLORS are not defined beside it", name))


class _AskedTurn(NamedTuple):
    # What a function kept at a turn; None, and a fault in words, where that is no set. Whether it knows another board.
    after: Any
    fault: str = ""
    is_for_another: bool = False


def _sets(running: _Running, way: Convention, asked: Callable[[KeptCodes], _AskedTurn]) -> _Judgement:
    # Turn after turn until one is wrong; `asked` gives what the function keeps.
    compared, own, fixed, name, left = 0, running.own, list[str](), running.name, None
    for board, turn in _turns(running):
        if (board, turn.guess) == left:
            continue
        kept = asked(turn)
        if board != own and own is not None and kept.is_for_another:
            fixed = [Told("{name} does not follow LENGTH and COLORS: it was looked at on one board only", name)]
            left = board, turn.guess
            continue
        said = kept.fault or _difference(running.call, turn._replace(after=kept.after), board, way)
        if said:
            return _wrong(said, _named(running, board, asked))
        compared += 1
    told_right = Told("{name} is right: {count} guesses with an evaluation were compared", name, compared)
    return _Judgement([told_right, *fixed])


def _possible(running: _Running) -> _Judgement:
    if not running.places:
        return _homeless(running)
    way = Convention(TUPLES if _gives_tuples(running) else USUAL)

    def asked(turn: KeptCodes) -> _AskedTurn:
        told = running.outcome(way.code(turn.guess), turn.marks)
        fault = what_it_gives(running.call, told) if told.error or told.type not in {"set", "frozenset"} else ""
        if fault and not told.error:
            fault = Told("{fault}; it must be a set of codes", fault)
        codes = [each for each in told.value if isinstance(each, (str, list))] if isinstance(told.value, list) else []
        is_for_another = bool(told.error) or any(len(code) != len(turn.guess) for code in codes)
        return _AskedTurn(_read(told.value, way), fault, is_for_another)

    found = _sets(running, way, asked)
    return _Judgement([*found.lines, IN_TUPLES]) if found.is_right and way.codes == "tuple" else found


def _named(running: _Running, failed: _NotebookBoard, asked: Callable[[KeptCodes], _AskedTurn]) -> str:
    # The mistake by its name, from what the function keeps for every guess and evaluation of all small boards, since
    # on the smallest many mistakes are alike; of the notebook's own board alone where it fails there first. What is
    # kept is no set where the function fails.
    turns, is_large = list[KeptCodes](), len(failed.codes) > 27  # the codes of 3x3, the largest of the small ones
    for board, turn in _turns(running):
        if is_large == (len(board.codes) > 27):
            after = asked(turn).after
            if not isinstance(after, (list, set)):
                return ""
            turns.append(turn._replace(after=[*map(str, after)]))
    return set_mistake(turns)


def _gives_tuples(running: _Running) -> bool:
    # Whether the first codes that a function returns are tuples of letters.
    for _, turn in _turns(running):
        told = running.outcome(turn.guess, turn.marks)
        if isinstance(told.value, list) and told.value:
            codes = [each for each in told.value if isinstance(each, list)]
            return told.type in {"set", "frozenset"} and any(isinstance(peg, str) for code in codes for peg in code)
    return False


def _read(codes: Any, way: Convention) -> Any:
    # Codes out of plain data, in which tuples are lists, as texts; anything else as it is.
    if not isinstance(codes, list):
        return codes
    return [str(way.read_own_code(tuple(each) if isinstance(each, list) else each)) for each in codes]


def _difference(call: str, kept: KeptCodes, board: _NotebookBoard, way: Convention) -> str:
    if kept.is_right:
        return ""
    extra = kept.extra
    code = (extra or [each for each in kept.missing if each != kept.guess])[0]
    if extra and not (len(code) == board.pegs and set(code) <= set(board.letters)):
        keeps = Template("{call} keeps {code!r}, which is no code of {pegs} pegs and the colors {letters}")
        return Told(keeps, call, code, board.pegs, board.letters)
    says = Template("{call} loses {code!r}, which fits: against it {guess!r} gives {marks}")
    if extra:
        says = Template("{call} keeps {code!r}, which does not fit: against it {guess!r} gives {marks}")
    return Told(says, call, way.code(code), way.code(kept.guess), right(kept.guess, code))


def _update(running: _Running) -> _Judgement:
    if not running.places:
        return _homeless(running)
    # What a function makes of the codes that it is given does not tell how it writes them elsewhere.
    found = _updated(running, Convention(USUAL))
    if found.is_right or not (in_tuples := _updated(running, Convention(TUPLES))).is_right:
        return found
    return _Judgement([*in_tuples.lines, IN_TUPLES])


def _updated(running: _Running, way: Convention) -> _Judgement:
    def both(possibles: set[Any], *rest: Any) -> tuple[Any, set[Any]]:
        return running.function(possibles, *rest), possibles

    def asked(turn: KeptCodes) -> _AskedTurn:
        guess = way.code(turn.guess)
        running.call = f"{running.name}(possibles, {guess!r}, {turn.marks})"
        told = running.called(both, [set(map(way.code, turn.before)), guess, turn.marks])
        if told.error:
            return _AskedTurn(None, what_it_gives(running.call, told))
        returned, after = told.value[0], _read(told.value[1], way)
        if sorted(after) == sorted(turn.before) != sorted(turn.fitting) and returned is not None:
            another = Template("{call} returns another set: it must change the one that it is given")
            return _AskedTurn(None, Told(another, running.call))
        return _AskedTurn(after)

    return _sets(running, way, asked)


# ---------------------------------------------------------------------- draws


def _choices(running: _Running) -> _Judgement:
    places, name = running.places, running.name
    needs = running.needs()
    board = _NotebookBoard(2, LETTERS[:2] if running.own is None else running.own.letters[:2])
    if needs not in {0, 2, None} or (needs != 2 and not places):
        if needs in {0, None}:
            return _homeless(running)
        given = plural(needs, "{n} argument", "{n} arguments")
        return _wrong(Told("{name} must be given {arguments}, not none", name, given))
    arguments = [(list(board.letters), 2)] if needs == 2 else [()]
    with with_size(places, board.pegs, board.letters):
        told = [running.outcome(*arguments[0]) for _ in range(DRAWS)]
    for each in told:
        if each.error:
            return _wrong(what_it_gives(running.call, each))
        if not is_drawn_code(each.value, 2, board.letters):
            gives = what_it_gives(running.call, each)
            return _wrong(Told("with LENGTH = 2 and the colors {letters}, {fault}", board.letters, gives))
    drawn = {"".join(each.value) for each in told}
    missing = [code for code in board.codes if code not in drawn]
    if missing:
        none = Template("of {count} draws with LENGTH = 2 and the colors {letters} none is {code!r}")
        why = draw_mistake(["".join(each.value) for each in told], board.letters)
        return _wrong(Told(none, DRAWS, board.letters, missing[0]), why)
    right_ones = Template("{name} is right: {count} draws are codes, and each of the 4 codes of 2 pegs is among them")
    return _Judgement([Told(right_ones, name, DRAWS), *([IN_TUPLES] if told[0].type == "tuple" else [])])


CHECKS: dict[str, Callable[[_Running], _Judgement]] = {
    "evaluation": _evaluation,
    "bien_places": lambda running: _counted(running, 0),
    "mal_places": lambda running: _counted(running, 1),
    "choices": _choices,
    "donner_possibles": _possible,
    "maj_possibles": _update,
}
"""The checks: of the functions of the course, and the two halves of an evaluation by themselves."""

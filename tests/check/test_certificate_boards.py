"""Proofs of other boards than standard ones: marks by place, membership, shapes, blanks, words, hard rules.

Values come from a solver that tries every guess. What the checker knows of answers and symmetries is compared with what
stands in `naive`, and with costs found so.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg.check.proven_board import FORMAT, ProofError
from entropeg.check.proven_bounds import SetBounds
from entropeg.check.verifier import Proven, Verifier, sets_of, verify
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.search.proving.certificate import head_of, write_lemmas, write_proof
from entropeg.tree.optimum import optimal
from entropeg.words import WordList
from naive import BLACK, GRAND, MEMBERSHIP, POSITIONAL, STANDARD, Code, score
from proof_files import load_proof, save_proof

KINDS = {"standard": STANDARD, "black": BLACK, "membership": MEMBERSHIP, "positional": POSITIONAL, "grand": GRAND}
Turns = list[tuple[Code, int]]


class Exhaustive:
    """Least sums of weight times guesses, by trying every guess; `label` says which answer a guess gets."""

    def __init__(self, sets: SetBounds, weights: list[int] | None = None) -> None:
        board = sets.board
        self.secrets, self.guesses = (list(map(tuple, codes.tolist())) for codes in (board.secrets, board.guesses))
        self.number = {code: at for at, code in enumerate(self.secrets)}
        self.kind, self.is_hard = KINDS[board.feedback] + 8 * board.shapes, board.is_hard
        self.weight = weights or [1] * len(self.secrets)
        self.label = [[score(self.kind, guess, secret) for secret in self.secrets] for guess in self.guesses]
        self.win = score(self.kind, self.secrets[0], self.secrets[0])
        self.found: dict[Any, int] = {}

    def uses(self, guess: Code, turns: Turns) -> bool:
        """Whether a guess uses every clue of some turns, by the words of the rule."""
        for code, label in turns:
            answer = [label // 3**place % 3 for place in reversed(range(len(code)))]
            if any(mark == 2 and guess[peg] != code[peg] for peg, mark in enumerate(answer)):
                return False
            marked = [color for color, mark in zip(code, answer, strict=True) if mark]
            if any(guess.count(color) < marked.count(color) for color in marked):
                return False
        return True

    def few(self, codes: tuple[int, ...]) -> int:
        """What some codes cost at least, or one or two."""
        weights = [self.weight[code] for code in codes]
        return 2 * sum(weights) - max(weights)

    def value(self, codes: tuple[int, ...], allowed: tuple[int, ...] | None = None) -> int:
        """The least sum for these secrets, where these guesses are allowed."""
        allowed = tuple(range(len(self.guesses))) if allowed is None else allowed
        if len(codes) <= 2:
            return self.few(codes)
        key = codes, allowed if self.is_hard else None
        if key not in self.found:
            best, seen = 10**9, set()
            for guess in allowed:
                row = tuple(self.label[guess][code] for code in codes)
                if len(set(row)) > 1 and (self.is_hard or row not in seen):
                    seen.add(row)
                    best = min(best, self.cost(codes, guess, allowed, best))
            self.found[key] = best
        return self.found[key]

    def cost(
        self, codes: tuple[int, ...], guess: int, allowed: tuple[int, ...] | None = None, best: int = 10**9
    ) -> int:
        """What a guess costs, or more than `best`."""
        allowed = tuple(range(len(self.guesses))) if allowed is None else allowed
        parts = defaultdict(list)
        for code in codes:
            parts[self.label[guess][code]].append(code)
        parts.pop(self.win, None)
        total = sum(self.weight[code] for code in codes) + sum(self.few(tuple(part)) for part in parts.values())
        for label, part in sorted(parts.items(), key=lambda item: len(item[1])):
            if total >= best:
                break
            left = allowed
            if self.is_hard:
                turn = [(self.guesses[guess], label)]
                left = tuple(other for other in allowed if self.uses(self.guesses[other], turn))
            total += self.value(tuple(part), left) - self.few(tuple(part))
        return total

    def ask(self, rows: NDArray[np.uint8], ub: int, turns: Turns | None = None) -> int:
        """As `write_proof` asks a search."""
        codes = tuple(sorted(self.number[tuple(row)] for row in rows.tolist()))
        allowed = tuple(at for at, guess in enumerate(self.guesses) if self.uses(guess, turns or []))
        return self.value(codes, allowed if self.is_hard else None)


def drawn_words(seed: int, count: int, letters: str, pegs: int = 3) -> list[str]:
    """Words of letters of which the first ones are frequent, each once."""
    rng, words = np.random.default_rng(seed), dict[str, None]()
    likely = 1 / np.arange(2, len(letters) + 2)
    while len(words) < count:
        words["".join(rng.choice(list(letters), pegs, p=likely / likely.sum()))] = None
    return list(words)


def words_of(seed: int, secrets: int, guesses: int, feedback: str = "positional", **more: Any) -> dict[str, Any]:
    """The head of a list of words."""
    every = drawn_words(seed, secrets + guesses, "ETAOINSHR")
    lists = {"secrets": sorted(every[:secrets]), "probes": sorted(every[secrets:])}
    name = "/".join(["words", *[feedback] * (feedback != "standard"), *["hard"] * more.get("hard", False)])
    return {"format": FORMAT, "rules": name, "feedback": feedback, **lists, **more}


CLUES: dict[str, Any] = {
    "format": FORMAT,
    "rules": "words/positional/hard",
    "feedback": "positional",
    "hard": True,
    "secrets": ["CABZ", "DABZ", "GABZ", "HABZ", "YYYY"],
    "probes": ["AXXX", "BXXX", "ACDG"],
}
"""AXXX and BXXX leave the same two parts; ACDG tells the four words of one apart, and needs A to be the clue."""

BOARDS = ["2x4/positional", "3x3/positional", "2x4/membership", "3x3/membership", "2x4/shapes=2", "2x6/shapes=3"]
BOARDS += ["3x2/shapes=1", "2x3/blanks", "2x3/blanks-in-secrets", "3x3/no-repeats/blanks-in-secrets"]
BOARDS += ["3x4/no-repeats/guess-repeats", "3x4/no-repeats/positional", "3x4/no-repeats/shapes=2"]
BOARDS += ["2x3/blanks/positional", "3x2/blanks-in-secrets/membership", "3x3/no-repeats/guess-repeats/positional"]
BOARDS += ["2x4/positional/hard", "3x3/positional/hard"]
HEADS = {
    **{name: head_of(Rules.parse(name)) for name in BOARDS},
    "words": words_of(1, 24, 30),
    "words/hard": words_of(2, 24, 30, hard=True),
    "words/more/hard": words_of(3, 16, 50, hard=True),
    "words/standard": words_of(4, 20, 20, "standard"),
    "words/membership": words_of(5, 20, 20, "membership"),
    "words/any": {**words_of(6, 14, 0), "any_letters": True},
    "words/clues/hard": CLUES,
}
HEADS |= {
    "weights by color": {**HEADS["3x3/positional"], "weights": [1 + 2 * (code % 3 == 0) for code in range(27)]},
    "weights by peg": {**HEADS["3x3/membership"], "weights": [4 - code // 9 for code in range(27)]},
    "weights by shape": {**HEADS["2x4/shapes=2"], "weights": [1 + 2 * (code % 2) for code in range(16)]},
    "weights at random": {**HEADS["3x3/positional/hard"], "weights": [code * code % 7 for code in range(27)]},
}
_FILES: dict[str, tuple[Exhaustive, int, dict[str, Any]]] = {}


def checker(name: str) -> SetBounds:
    return sets_of(HEADS[name], HEADS[name].get("weights"))


def proven(name: str, folder: Path) -> tuple[Exhaustive, int, dict[str, Any]]:
    """(solver, least total, proof) of a board; made once."""
    if name not in _FILES:
        solver = Exhaustive(checker(name), HEADS[name].get("weights"))
        least = solver.value(tuple(np.flatnonzero(solver.weight).tolist()))
        write_lemmas(HEADS[name], least, solver.ask, folder / "proof.json")
        _FILES[name] = solver, least, load_proof(folder / "proof.json")
    return _FILES[name]


@pytest.mark.parametrize("name", HEADS)
def test_the_least_total_is_proven_and_no_more(name: str, tmp_path: Path) -> None:
    solver, least, data = proven(name, tmp_path)
    path = tmp_path / "file.json"
    save_proof(path, data)
    found = verify(path)

    assert found[1:3] == (sum(weight > 0 for weight in solver.weight), least)
    assert found.weight == (sum(solver.weight) if "weights" in data else None)
    assert found.rules == data["rules"] or "words" in data["rules"]
    data = load_proof(path)
    data["lemmas"][-1][2] += 1
    save_proof(path, {**data, "claims": [[None, least + 1]]})
    with pytest.raises(ProofError):
        verify(path)
    with pytest.raises(AssertionError, match="were proven"):
        write_lemmas(HEADS[name], least + 1, solver.ask, tmp_path / "more.json")


@pytest.mark.parametrize("name", HEADS)
def test_answers_are_those_of_the_definitions(name: str) -> None:
    sets = checker(name)
    solver = Exhaustive(sets)

    assert sets.labels[sets.win] == solver.win
    assert (np.array(solver.label).T == np.array(sets.labels)[sets.label]).all()


@pytest.mark.parametrize("name", ["3x6/shapes=3", "4x4/shapes=2", "4x3/positional", "4x3/membership"])
def test_answers_of_larger_boards_are_those_of_the_definitions(name: str) -> None:
    rules = Rules.parse(name)
    sets, rng = sets_of(head_of(rules)), np.random.default_rng(1)
    codes = list(map(tuple, sets.board.secrets.tolist()))
    for guess, secret in rng.integers(0, len(codes), (300, 2)).tolist():
        expected = score(rules.kind, codes[guess], codes[secret])

        assert expected == sets.labels[sets.label[secret, guess]]


def histories(solver: Exhaustive, rng: np.random.Generator, count: int) -> Iterable[list[list[int]]]:
    """None, one or two turns with a drawn secret."""
    for _ in range(count):
        secret = int(rng.integers(len(solver.secrets)))
        turns: Turns = []
        history = []
        for _ in range(int(rng.integers(3))):
            may = [at for at, guess in enumerate(solver.guesses) if not solver.is_hard or solver.uses(guess, turns)]
            guess = int(rng.choice(may))
            history.append([guess, solver.label[guess][secret]])
            turns.append((solver.guesses[guess], history[-1][1]))
        yield history


@pytest.mark.parametrize("name", HEADS)
def test_guesses_of_a_class_cost_the_same_and_formulas_bound_them(name: str) -> None:
    sets = checker(name)
    solver, rng = Exhaustive(sets, HEADS[name].get("weights")), np.random.default_rng(len(name))
    for history in histories(solver, rng, 12):
        left = sets.reached(history)
        if len(left.codes) > 30:
            continue
        codes, guesses = tuple(left.codes.tolist()), sets.guesses(left)
        turns = [(solver.guesses[guess], label) for guess, label in history]
        allowed = tuple(
            at for at, guess in enumerate(solver.guesses) if not solver.is_hard or solver.uses(guess, turns)
        )

        assert list(allowed) == guesses.tolist()
        value = solver.value(codes, allowed)
        assert sets.split_bound(left) <= sets.set_bound(left) <= value
        assert len(codes) < 3 or sets.floor(left.codes, sets.fan(left)) <= value
        cost = {guess: solver.cost(codes, guess, allowed) for guess in allowed if len(codes) < 12}
        images = [sets.symmetry.images(0, witness).guesses for witness in sets.symmetry.found(history)]
        classes = dict(zip(allowed, sets.classes(left, guesses, images).tolist(), strict=True))
        sizes, parts = sets.size_bounds(left, guesses), sets.part_bounds(left)
        by_class: dict[int, int] = {}
        for at, guess in enumerate(cost):
            if len({solver.label[guess][code] for code in codes}) > 1:
                assert by_class.setdefault(classes[guess], cost[guess]) == cost[guess]
                assert max(sizes[at], parts[at]) <= cost[guess] or len(codes) < 3


def test_pegs_of_pairs_do_not_change_places_where_a_pair_may_come_twice() -> None:
    guess, secret = (0, 0, 1), (1, 3, 0)
    moved = tuple(secret[peg] for peg in (1, 0, 2))

    assert score(GRAND + 16, guess, secret) != score(GRAND + 16, guess, moved)
    assert sets_of(head_of(Rules.parse("3x4/shapes=2"))).symmetry.orders == [(0, 1, 2)]
    assert len(sets_of(head_of(Rules.parse("3x4/no-repeats/shapes=2"))).symmetry.orders) == 6


def test_weights_are_told_with_the_board(tmp_path: Path) -> None:
    rules, path = Rules.parse("2x3/blanks"), tmp_path / "proof.json.gz"
    weights = np.arange(9)
    solver = Exhaustive(sets_of(head_of(rules)), weights.tolist())
    least = solver.value(tuple(range(1, 9)))

    write_proof(rules, least, solver.ask, path, weights)

    assert verify(path) == Proven("2x3/blanks", 8, least, 36)


@pytest.mark.parametrize("name", ["3x3/positional", "words", "words/hard", "weights at random", "2x6/shapes=3"])
def test_a_damaged_proof_is_refused_or_proves_what_is_true(name: str, tmp_path: Path) -> None:
    _, least, data = proven(name, tmp_path)
    rng, refused, sets = np.random.default_rng(5), 0, sets_of(data)
    for _ in range(120):
        copied = json.loads(json.dumps(data["lemmas"]))
        damage(copied, rng)
        try:
            said = Verifier(sets, data["witnesses"]).check(copied)
        except InputError:
            refused += 1
        else:
            assert all(len(one.left.codes) < len(sets.board.secrets) or one.bound <= least for one in said)
    assert refused > 10


def damage(lemmas: list[Any], rng: np.random.Generator) -> None:
    """Change one thing of one lemma: a number, or leave something out, or exchange two lemmas."""
    at = int(rng.integers(len(lemmas)))
    history, _, _, _, guesses = lemmas[at]
    kind = int(rng.integers(6))
    if kind == 0:
        lemmas[at][2] += int(rng.integers(1, 3))
    elif kind == 1 and guesses:
        del guesses[int(rng.integers(len(guesses)))]
    elif kind == 2 and guesses:
        _, parts = guesses[int(rng.integers(len(guesses)))]
        if parts:
            parts[int(rng.integers(len(parts)))][int(rng.integers(2))] += int(rng.choice([-1, 1]))
    elif kind == 3 and guesses:
        guesses[int(rng.integers(len(guesses)))][0] += int(rng.choice([-1, 1]))
    elif kind == 4 and history:
        history[int(rng.integers(len(history)))][int(rng.integers(2))] += int(rng.choice([-1, 1]))
    else:
        other = int(rng.integers(len(lemmas)))
        lemmas[at], lemmas[other] = lemmas[other], lemmas[at]


def test_guesses_with_equal_answers_differ_by_what_they_oblige_to() -> None:
    for is_hard, costs in ((True, [14, 16]), (False, [14, 14])):
        sets = sets_of({**CLUES, "rules": "words/positional" + "/hard" * is_hard, "hard": is_hard})
        left, guesses = sets.reached([]), np.array([5, 6])
        solver = Exhaustive(sets)

        assert (sets.label[:, 5] == sets.label[:, 6]).all()
        assert costs == [solver.cost((0, 1, 2, 3, 4), guess) for guess in (5, 6)]
        assert is_hard == (len(set(sets.classes(left, guesses, []).tolist())) == 2)


def test_a_lemma_under_other_clues_says_nothing() -> None:
    sets, white = sets_of(CLUES), 27
    after_b = [[[6, white]], 10, []]

    Verifier(sets).check([after_b])
    with pytest.raises(ProofError, match=r"guess \d is not refuted"):  # 6 is, by the lemma
        Verifier(sets).check([after_b, [[], 16, [[6, [[white, 0]]]]]])
    with pytest.raises(ProofError, match="fewer guesses than are allowed"):
        Verifier(sets).check([after_b, [[], 16, [[5, [[white, 0]]]]]])


def test_a_lemma_under_clues_that_allow_more_holds_under_others() -> None:
    sets, none, white = sets_of({**CLUES, "probes": [*CLUES["probes"], "XXXY"]}), 0, 27
    solver = Exhaustive(sets)
    four = tuple(range(4))
    uses_b = tuple(at for at, guess in enumerate(solver.guesses) if solver.uses(guess, [(solver.guesses[6], white)]))
    free = [[[8, none]], solver.value(four), []]  # the four words again, after XXXY, which obliges to nothing

    assert (8, 10) == (solver.value(four), solver.value(four, uses_b))
    assert Verifier(sets).check([free, [[], 10, [[6, [[white, 0]]]]]])[1].bound == solver.value(tuple(range(5)))
    whole = sets.reached([])
    by_lemma, by_formulas = (sets.cost(whole, 6, None, named, 99) for named in ({sets.place[white]: 12}, {}))
    assert (5 + 12 + 1, 5 + 10 + 1) == (by_lemma, by_formulas)


def test_rules_of_words_are_told_with_their_words(tmp_path: Path) -> None:
    every = drawn_words(8, 40, "ETAOINSHR")
    words = WordList.of(every[:15], probes=every[15:])
    rules = Rules(words=words, feedback="positional")  # type: ignore[arg-type]
    solver = Exhaustive(sets_of(head_of(rules)))
    least = solver.value(tuple(range(15)))

    write_proof(rules, least, solver.ask, tmp_path / "p.json")

    found = verify(tmp_path / "p.json")
    named = f"15 words of 3 letters (SHA-256 {words.digest[:12]}…), 25 further guesses, positional"
    assert str(found) == f"{named}: total >= {least} guesses over 15 codes (verified)"


WRONG = {
    "feedback": ({"feedback": "white"}, "its feedback is 'white'; proofs are checked of standard, black, "),
    "no feedback": ({"feedback": None}, "its 'feedback' is missing, or not a text"),
    "hard": ({"feedback": "membership", "hard": True}, "clues are used under positional feedback alone"),
    "hard by no name": ({"hard": 1}, "its 'hard' is missing, or not true or false"),
    "called": ({"rules": "2x3"}, "its rules are called '2x3', and it is about 2x3/positional"),
    "blanks": ({"blanks": "some"}, "its blanks are 'some'; they are none, guesses, both"),
    "shapes": ({"shapes": 2}, "its shapes do not divide its colors"),
    "no shapes": ({"feedback": "grand"}, "its shapes do not divide its colors"),
    "guesses": ({"guess_repeats": False}, "its secrets may have a color twice, and its guesses not"),
    "colors": ({"colors": 1, "repeats": False}, "1 to 255 colors, enough of them"),
    "size": ({"colors": 255, "pegs": 4}, "its board of 4,228,250,625 codes is too large to be checked here"),
    "both": ({"black": False}, "its 'feedback' is missing"),
    "no words": ({"secrets": []}, "its secrets and probes are no lists of words"),
    "numbers": ({"secrets": [1, 2]}, "its secrets and probes are no lists of words"),
    "lengths": ({"secrets": ["ab", "abc"]}, "its words are not all of one length, from 1 to 20 letters"),
    "long": ({"secrets": ["a" * 21]}, "its words are not all of one length, from 1 to 20 letters"),
    "twice": ({"secrets": ["ab", "ba"], "probes": ["ab"]}, "one of its words is there twice"),
    "any": ({"secrets": ["ab", "ba"], "probes": ["aa"], "any_letters": True}, "probes are named beside them"),
    "pairs": ({"secrets": ["ab"], "feedback": "grand"}, "feedback that words do not have"),
    "letters": ({"secrets": ["abcdefghijkl"], "any_letters": True}, "and 8,916,100,448,256 guesses is too large"),
    "word rules": ({"secrets": ["ab"], "rules": "words"}, "it is about words/positional"),
    "weights": ({"weights": [1] * 8}, "its weights are not 9 whole numbers"),
}


@pytest.mark.parametrize(("change", "told"), WRONG.values(), ids=WRONG.keys())
def test_a_head_that_tells_no_board_is_refused(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    head, file = head_of(Rules.parse("2x3/positional")), tmp_path / "p.json"
    earlier = {**head, "format": "entropeg lower bound 3", "bound": 20, "lemmas": [[[], 20, []]], **change}
    file.write_text(json.dumps(earlier))
    with pytest.raises(ProofError, match=re.escape(told)):
        verify(file)
    save_proof(file, {**head, "claims": [[None, 20]], "witnesses": [], "lemmas": [[[], None, 20, [], []]], **change})
    with pytest.raises(ProofError, match=re.escape(told)):
        verify(file)


def test_the_search_proves_what_it_says_of_boards_with_other_feedback(tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for name in ("3x4/positional", "3x4/membership", "2x6/shapes=2", "3x3/blanks", "3x6/positional/hard"):
        found = optimal(name, proof=path)

        assert verify(path) == Proven(name, found.size, int(found.total or 0), None)

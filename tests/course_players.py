"""Codemakers 2 and codebreakers 3 in many styles, and, in plain Python, whether each does what it is meant to do.

Each source stands beside the `common.py` of the examples.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

from planted import EXAMPLES

LETTERS = "RVBJ"
CODES = ["".join(code) for code in product(LETTERS, repeat=3)]
"""The codes of 3x4/course, the board on which all of them are looked at."""

HEAD = "import random\nfrom collections import Counter, defaultdict\nimport common\n\n"

LISTED = f"""{HEAD}
def init():
    global possibles
    possibles = common.all_codes()
"""

DRAWN = f"""{HEAD}
def init():
    global possibles, solution
    possibles, solution = common.all_codes(), common.choices()
"""

CHEATS = {
    "the example": (EXAMPLES / "codemaker2.py").read_text(encoding="utf-8"),
    "the first of equal answers": f"""{HEAD}
def init():
    global possibles
    possibles = set(common.all_codes())

def codemaker(guess):
    global possibles
    sizes = Counter(common.evaluation(guess, code) for code in sorted(possibles))
    answer = sizes.most_common(1)[0][0]
    possibles = {{code for code in possibles if common.evaluation(guess, code) == answer}}
    return answer
""",
    "ends the game among equals": f"""{LISTED}
def codemaker(guess):
    global possibles
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    answer = max(sizes, key=lambda each: (sizes[each], each))
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "moves a secret": f"""{HEAD}
possibles = solution = None

def init():
    global possibles, solution
    possibles, solution = common.all_codes(), common.choices()

def left(guess, secret):
    answer = common.evaluation(guess, secret)
    return [code for code in possibles if common.evaluation(guess, code) == answer]

def codemaker(guess):
    global possibles, solution
    solution = max(possibles, key=lambda code: len(left(guess, code)))
    possibles = left(guess, solution)
    return common.evaluation(guess, solution)
""",
    "by the functions of common": f"""{HEAD}
possibles = None

def init():
    global possibles
    possibles = None

def codemaker(guess):
    global possibles
    best, kept = None, set()
    for placed in range(common.LENGTH + 1):
        for misplaced in range(common.LENGTH + 1 - placed):
            answer = placed, misplaced
            if possibles is None:
                rest = common.donner_possibles(guess, answer)
            else:
                rest = set(possibles)
                common.maj_possibles(rest, guess, answer)
            if len(rest) > len(kept):
                best, kept = answer, rest
    possibles = kept
    return best
""",
    "leaves the guess out": f"""{HEAD}
def init():
    global possibles
    possibles = set(common.all_codes())

def codemaker(guess):
    global possibles
    if possibles == {{guess}}:
        return common.LENGTH, 0
    others = possibles - {{guess}}
    sizes = Counter(common.evaluation(guess, code) for code in sorted(others))
    answer = max(sorted(sizes), key=sizes.get)
    possibles = {{code for code in others if common.evaluation(guess, code) == answer}}
    return answer
""",
    "filters all codes by the history": f"""{HEAD}
history = []

def init():
    history.clear()

def fits(code):
    return all(common.evaluation(guess, code) == answer for guess, answer in history)

def codemaker(guess):
    parts = defaultdict(int)
    for code in filter(fits, common.all_codes()):
        parts[common.evaluation(guess, code)] += 1
    answer = sorted(parts.items(), key=lambda each: (-each[1], each[0]))[0][0]
    history.append((guess, answer))
    return answer
""",
    "ties by a generator that nobody seeds": f"""{HEAD}
chance = random.SystemRandom()

def init():
    global possibles
    possibles = common.all_codes()

def codemaker(guess):
    global possibles
    parts = defaultdict(list)
    for code in possibles:
        parts[common.evaluation(guess, code)].append(code)
    most = max(map(len, parts.values()))
    answer = chance.choice([each for each in parts if len(parts[each]) == most])
    possibles = parts[answer]
    return answer
""",
    "an object": f"""{HEAD}
class Cheat:
    def __init__(self):
        self.codes = common.all_codes()

    def answer(self, guess):
        parts = {{}}
        for code in self.codes:
            parts.setdefault(common.evaluation(guess, code), set()).add(code)
        best = max(parts.values(), key=len)
        self.codes = sorted(best)
        return common.evaluation(guess, self.codes[0])

def init():
    global cheat
    cheat = Cheat()

def codemaker(guess):
    return cheat.answer(guess)
""",
    "groups of a sorted list": """from itertools import groupby
import common

def init():
    global codes
    codes = common.all_codes()

def codemaker(guess):
    global codes
    key = lambda code: common.evaluation(guess, code)
    groups = [(answer, list(group)) for answer, group in groupby(sorted(codes, key=key), key)]
    groups.sort(key=lambda group: len(group[1]), reverse=True)
    answer, codes = groups[0]
    return answer
""",
    "the last of equal answers": f"""{LISTED}
def codemaker(guess):
    global possibles
    best = -1
    answer = None
    for each in {{common.evaluation(guess, code) for code in possibles}}:
        count = 0
        for code in possibles:
            if common.evaluation(guess, code) == each:
                count += 1
        if count >= best:
            best, answer = count, each
    possibles = list(filter(lambda code: common.evaluation(guess, code) == answer, possibles))
    return answer
""",
    "honest where one code is left": f"""{HEAD}
solution = None

def init():
    global possibles, solution
    possibles, solution = common.all_codes(), None

def codemaker(guess):
    global possibles, solution
    if solution is not None:
        return common.evaluation(guess, solution)
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    answer = max(sizes, key=sizes.get)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    if len(possibles) == 1:
        [solution] = possibles
    return answer
""",
    "the number of codes that are lost": f"""{LISTED}
def codemaker(guess):
    global possibles
    lost = {{}}
    for code in possibles:
        answer = common.evaluation(guess, code)
        lost[answer] = sum(common.evaluation(guess, other) != answer for other in possibles)
    answer = min(lost, key=lost.get)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
}
"""Codemakers that always leave the most codes, in every reading of a tie."""

HONEST = {
    "codemaker 1 under another name": (EXAMPLES / "codemaker1.py").read_text(encoding="utf-8"),
    "a branch that is never taken": f"""{DRAWN}
def codemaker(guess):
    global possibles, solution
    answer = common.evaluation(guess, solution)
    rest = [code for code in possibles if common.evaluation(guess, code) == answer]
    if len(rest) > len(possibles):
        solution = random.choice(rest)
        answer = common.evaluation(guess, solution)
    possibles = rest
    return answer
""",
    "an answer that is worked out and not given": f"""{DRAWN}
def codemaker(guess):
    global possibles
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    worst = max(sizes, key=sizes.get)
    possibles = [code for code in possibles if common.evaluation(guess, code) == worst] or possibles
    return common.evaluation(guess, solution)
""",
    "falls back on the honest one": f"""{HEAD}
def init():
    global solution
    solution = common.choices()

def codemaker(guess):
    try:
        return worst(guess, possibles)
    except NameError:
        return common.evaluation(guess, solution)

def worst(guess, possibles):
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    return max(sizes, key=sizes.get)
""",
    "a secret that stays in a function": f"""{DRAWN}
def move(guess):
    global possibles
    answer = common.evaluation(guess, solution)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    solution_ = max(possibles, key=lambda code: code)
    return solution_

def codemaker(guess):
    answer = common.evaluation(guess, solution)
    move(guess)
    return answer
""",
    "a switch that is off": f"""{HEAD}
TRICHE = False

def init():
    global possibles, solution
    possibles, solution = common.all_codes(), common.choices()

def codemaker(guess):
    global possibles
    if not TRICHE:
        return common.evaluation(guess, solution)
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    answer = max(sizes, key=sizes.get)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "a secret drawn at the first guess": f"""{HEAD}
solution = None

def init():
    global solution
    solution = None

def codemaker(guess):
    global solution
    if solution is None:
        solution = common.choices()
    return common.evaluation(guess, solution)
""",
    "one secret for all games": f"""{HEAD}
def init():
    pass

def codemaker(guess):
    return common.evaluation(guess, common.COLORS[0] * common.LENGTH)
""",
}
"""Codemakers that never change their answers."""

WEAK = {
    "any code that fits": f"""{LISTED}
def codemaker(guess):
    global possibles
    answer = common.evaluation(guess, random.choice(possibles))
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "moves only when it is found": f"""{DRAWN}
def codemaker(guess):
    global possibles, solution
    if guess == solution and len(possibles) > 1:
        solution = random.choice([code for code in possibles if code != guess])
    answer = common.evaluation(guess, solution)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "cheats from the second turn on": f"""{HEAD}
def init():
    global possibles, turn, solution
    possibles, turn, solution = common.all_codes(), 0, common.choices()

def codemaker(guess):
    global possibles, turn
    turn += 1
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    answer = common.evaluation(guess, solution) if turn == 1 else max(sizes, key=sizes.get)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "cheats now and then": f"""{DRAWN}
def codemaker(guess):
    global possibles, solution
    if random.random() < 0.3:
        sizes = Counter(common.evaluation(guess, code) for code in possibles)
        answer = max(sizes, key=sizes.get)
        solution = next(code for code in possibles if common.evaluation(guess, code) == answer)
    answer = common.evaluation(guess, solution)
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "the smallest part": f"""{LISTED}
def codemaker(guess):
    global possibles
    sizes = Counter(common.evaluation(guess, code) for code in possibles)
    answer = min(sizes, key=lambda each: (sizes[each], each))
    possibles = [code for code in possibles if common.evaluation(guess, code) == answer]
    return answer
""",
    "honest, with a secret that nobody can have twice": f"""{HEAD}
def init():
    global solution
    solution = random.SystemRandom().choice(common.all_codes())

def codemaker(guess):
    return common.evaluation(guess, solution)
""",
}
"""Codemakers that cheat badly, or of which nobody can prove that they do not."""

BREAKER = f"""{HEAD}
def init():
    global possibles, last, played
    possibles, last, played = set(common.all_codes()), None, set()

def worst(guess):
    return max(Counter(common.evaluation(guess, code) for code in possibles).values())

def codebreaker(evaluation):
    global last
    if evaluation is not None:
        common.maj_possibles(possibles, last, evaluation)
    last = choose()
    played.add(last)
    return last

"""

CHOICES = {
    "by a key": "return min(common.all_codes(), key=lambda guess: (worst(guess), guess not in possibles))",
    "the last of the best": "return min(reversed(common.all_codes()), key=lambda g: (worst(g), g not in possibles))",
    "only possible ones": "return min(sorted(possibles), key=worst)",
    "possible ones first in the list": "return min(sorted(possibles) + common.all_codes(), key=worst)",
    "at random among the best": """
    least = min(map(worst, common.all_codes()))
    best = [guess for guess in common.all_codes() if worst(guess) == least]
    return random.choice([guess for guess in best if guess in possibles] or best)""",
    "a loop": """
    best, least = None, float("inf")
    for guess in common.all_codes():
        score = worst(guess)
        if score < least or (score == least and guess in possibles and best not in possibles):
            best, least = guess, score
    return best""",
    "not yet played": """
    rest = [code for code in common.all_codes() if code not in played]
    return min(rest, key=lambda guess: worst(guess) - (0.5 if guess in possibles else 0))""",
    "one code left": """
    if len(possibles) == 1:
        return next(iter(possibles))
    scores = {guess: worst(guess) for guess in common.all_codes()}
    best = {guess for guess in scores if scores[guess] == min(scores.values())}
    return min(best & possibles or best)""",
    "two codes left": """
    if len(possibles) <= 2:
        return sorted(possibles)[0]
    return min(common.all_codes(), key=lambda guess: (worst(guess), guess not in possibles))""",
    "sorted": "return sorted((worst(g), g not in possibles, random.random(), g) for g in common.all_codes())[0][3]",
    "without the guess itself": """
    def score(guess):
        sizes = Counter(common.evaluation(guess, code) for code in possibles if code != guess)
        return max(sizes.values(), default=0)
    return min(common.all_codes(), key=lambda guess: (worst(guess), score(guess), guess not in possibles))""",
    "a first guess of its own": """
    if not played:
        return (common.COLORS[0] * 2 + common.COLORS[1] * common.LENGTH)[:common.LENGTH]
    return min(common.all_codes(), key=lambda guess: (worst(guess), guess not in possibles))""",
    "more parts among the best possible ones": """
    def parts(guess):
        return len({common.evaluation(guess, code) for code in possibles})
    return min(common.all_codes(), key=lambda guess: (worst(guess), guess not in possibles, -parts(guess)))""",
}
"""Codebreakers 3 that take a possible code wherever one leaves as few."""

CARELESS = {
    "the first of the best": (
        "return min(common.all_codes(), key=worst) if len(possibles) > 1 else next(iter(possibles))",
        "note",
    ),
    "impossible ones first": (
        """
    codes = common.all_codes() if len(possibles) > 1 else possibles
    return min(codes, key=lambda guess: (worst(guess), guess in possibles))""",
        "note",
    ),
    "for ever": ("return min(common.all_codes(), key=worst)", "wrong"),
    "round about": (
        "return min((code for code in common.all_codes() if code not in played), key=worst)",
        "wrong",
    ),
}
"""Codebreakers 3 that do not, and the verdict on each: in the end the last two have one code left and play others."""


# ---------------------------------------------------------------------- truths, in plain Python


def evaluation(guess: str, secret: str) -> tuple[int, int]:
    """Return (well placed, misplaced) by striking pegs out."""
    rest, other, placed, misplaced = list[str](), list[str](), 0, 0
    for mine, theirs in zip(guess, secret, strict=True):
        if mine == theirs:
            placed += 1
        else:
            rest.append(mine)
            other.append(theirs)
    for color in rest:
        if color in other:
            other.remove(color)
            misplaced += 1
    return placed, misplaced


def loaded(source: str) -> dict[str, Any]:
    """Run a source beside the examples' common with 3 pegs and 4 colors, outside of entropeg; return its names."""
    common: dict[str, Any] = {}
    exec((EXAMPLES / "common.py").read_text(encoding="utf-8"), common)  # noqa: S102 (it is ours)
    common |= {"LENGTH": 3, "COLORS": list(LETTERS)}
    names: dict[str, Any] = {"_common": SimpleNamespace(**common)}
    exec(source.replace("import common\n", "common = _common\n"), names)  # noqa: S102
    return names


def answers(maker: dict[str, Any], seed: int, guesses: Iterable[str]) -> list[tuple[str, tuple[int, int]]]:
    """Play some guesses against a codemaker, under a seed, until it says that it is found."""
    random.seed(seed)
    maker["init"]()
    told = list[tuple[str, tuple[int, int]]]()
    for guess in guesses:
        told.append((guess, maker["codemaker"](guess)))
        if told[-1][1] == (3, 0):
            break
    return told


def never_changes(source: str, seeds: Sequence[int] = range(12)) -> bool:
    """Tell whether for each seed one secret explains all that a codemaker answers, whatever is guessed in what order.

    Each code as the first guess, and 40 orders of all codes.
    """
    maker = loaded(source)
    for seed in seeds:
        chance = random.Random(seed)
        orders = [[code] for code in CODES] + [chance.sample(CODES, len(CODES)) for _ in range(40)]
        told = [turn for order in orders for turn in answers(maker, seed, order)]
        if not any(all(evaluation(guess, code) == answer for guess, answer in set(told)) for code in CODES):
            return False
    return True


def always_leaves_most(source: str, seeds: Sequence[int] = range(60)) -> bool:
    """Tell whether a codemaker always leaves as many codes as can be, in games of guesses that may be the secret."""
    maker = loaded(source)
    for seed in seeds:
        chance = random.Random(seed)
        random.seed(seed)
        maker["init"]()
        left, answer = CODES, (0, 0)
        while answer != (3, 0):
            guess = chance.choice(left)
            answer = maker["codemaker"](guess)
            sizes = Counter(evaluation(guess, code) for code in left)
            if sizes[answer] < max(sizes.values()):
                return False
            left = [code for code in left if evaluation(guess, code) == answer]
    return True


def prefers_possible(games: Iterable[Sequence[tuple[str, tuple[int, int]]]]) -> bool:
    """Tell whether in games no guess was impossible where a possible one leaves no more codes in the worst case."""

    def worst(guess: str) -> int:
        return max(Counter(evaluation(guess, code) for code in left).values())

    for game in games:
        left = CODES
        for guess, answer in game:
            if guess not in left and any(worst(code) <= worst(guess) for code in left):
                return False
            left = [code for code in left if evaluation(guess, code) == answer]
    return True

"""What every codebreaker and codemaker shares. A code is a string of letters, one a peg."""

import random
from itertools import product

LENGTH = 4
COLORS = ["R", "V", "B", "J", "N", "M", "O", "G"]


def choices():
    """Return a code drawn at random."""
    return "".join(random.choices(COLORS, k=LENGTH))


def all_codes():
    """Return every code, in order."""
    return ["".join(code) for code in product(COLORS, repeat=LENGTH)]


def evaluation(guess, secret):
    """Return (well placed, right color but elsewhere); each peg counts once."""
    placed = sum(g == s for g, s in zip(guess, secret))
    shared = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return placed, shared - placed


def donner_possibles(guess, answer):
    """Return the set of all codes that would have given this answer to this guess."""
    return {code for code in all_codes() if evaluation(guess, code) == answer}


def maj_possibles(possibles, guess, answer):
    """Remove from the set, in place, the codes that would not have given this answer."""
    for code in list(possibles):
        if evaluation(guess, code) != answer:
            possibles.remove(code)

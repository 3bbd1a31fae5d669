"""Codemaker 2: never settles on a secret, and answers whatever leaves the most codes."""

import random
from collections import defaultdict

import common

possibles = []


def init():
    """At the start everything is possible."""
    global possibles
    possibles = common.all_codes()


def codemaker(guess):
    """Sort the codes still possible by the answer that they would give, and keep the largest part.

    Of answers that leave as many any one is given, but not the one that ends the game.
    """
    global possibles
    win = common.LENGTH, 0
    parts = defaultdict(list)
    for code in possibles:
        parts[common.evaluation(guess, code)].append(code)
    answer = max(parts, key=lambda each: (len(parts[each]), each != win, random.random()))
    possibles = parts[answer]
    return answer

"""Codemaker 2: never settles on a secret, and answers whatever leaves the most codes."""

from collections import defaultdict

import common

possibles = set()


def init():
    """At the start everything is possible."""
    global possibles
    possibles = set(common.all_codes())


def codemaker(guess):
    """Sort the codes still possible by the answer that they would give, and keep the largest part."""
    global possibles
    parts = defaultdict(set)
    for code in possibles:
        parts[common.evaluation(guess, code)].add(code)
    answer = max(parts, key=lambda each: len(parts[each]))
    possibles = parts[answer]
    return answer

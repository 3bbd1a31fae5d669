"""Codebreaker 3: the code that leaves the fewest codes in the worst case (minimax).

Every code may be guessed, also one that cannot be the secret any more; among equally good ones a code that can be is
preferred. Without a table that is slow: some 16 million evaluations for the first guess on 4x8. So the first guess is
found on a board with as few colors as it needs.
"""

from collections import Counter

import common

possibles = None
last = None
first = {}  # the first guess, by board: it is the same in every game


def init():
    """Forget the last game."""
    global possibles, last
    possibles = last = None


def codebreaker(evaluation):
    """Keep the codes that fit the last answer, then look for the guess with the smallest worst case."""
    global possibles, last
    if evaluation is None:
        last = opening()
    else:
        if possibles is None:
            possibles = common.donner_possibles(last, evaluation)
        else:
            common.maj_possibles(possibles, last, evaluation)
        last = best(common.all_codes(), possibles)
    return last


def opening():
    """Return the best first guess; colors are alike, so one code of each pattern (AAAA, AAAB, AABB, ...) will do."""
    board = common.LENGTH, len(common.COLORS)
    if board not in first:
        codes = common.all_codes()
        patterns = [code for code in codes if is_first_of_its_pattern(code)]
        first[board] = best(patterns, set(codes))
    return first[board]


def is_first_of_its_pattern(code):
    """Say whether colors appear in their order, the commonest first: RRVB stands for every code with one pair."""
    counts = [code.count(color) for color in common.COLORS]
    return counts == sorted(counts, reverse=True) and list(code) == sorted(code, key=common.COLORS.index)


def best(guesses, possibles):
    """Return the guess whose largest part of the possible codes is smallest."""
    if len(possibles) == 1:
        return next(iter(possibles))
    return min(guesses, key=lambda guess: (worst_case(guess, possibles), guess not in possibles))


def worst_case(guess, possibles):
    """Return how many codes are left after the answer that leaves the most."""
    return max(Counter(common.evaluation(guess, code) for code in possibles).values())

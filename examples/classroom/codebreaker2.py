"""Codebreaker 2: any code that every answer so far allows."""

import random

import common

possibles = None  # the codes still possible; None: all of them
last = None  # the guess before


def init():
    """Forget the last game."""
    global possibles, last
    possibles = last = None


def codebreaker(evaluation):
    """Keep the codes that fit the last answer, and draw one of them."""
    global possibles, last
    if evaluation is None:
        last = common.choices()
        return last
    if possibles is None:
        possibles = common.donner_possibles(last, evaluation)
    else:
        common.maj_possibles(possibles, last, evaluation)
    last = random.choice(sorted(possibles))
    return last

"""Codebreaker 1: any code that has not been played yet."""

import common

played = set()


def init():
    """Forget the last game."""
    played.clear()


def codebreaker(evaluation):
    """Guess at random until it is something new."""
    guess = common.choices()
    while guess in played:
        guess = common.choices()
    played.add(guess)
    return guess

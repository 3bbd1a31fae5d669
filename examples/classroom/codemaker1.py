"""Codemaker 1: draws a secret and keeps to it."""

import common

secret = None


def init():
    """Draw the secret of the game."""
    global secret
    secret = common.choices()


def codemaker(guess):
    """Answer honestly."""
    return common.evaluation(guess, secret)

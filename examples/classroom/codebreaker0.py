"""Codebreaker 0: any code at all, whatever was played before."""

import common


def init():
    """There is nothing to remember."""


def codebreaker(evaluation):
    """Guess at random."""
    return common.choices()

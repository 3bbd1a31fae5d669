"""Tablebases: values of all positions that a number of guesses can leave, stored by keys of their sets, and probed."""

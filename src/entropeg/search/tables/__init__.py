"""Tablebases are made: every set that a number of guesses can leave, up to names, with its value."""

"""entropeg: a Mastermind laboratory."""

__version__ = "0.1.0"

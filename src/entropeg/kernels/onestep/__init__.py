"""Kernels of the one-step search, and their twin on NumPy: `search` and `plain` choose guesses and grow trees."""

"""Experiments: many games, their statistics, the laws they should follow, and the file that keeps them."""

"""Proofs whose parts are searched by the workers of an executor: in other processes, or on other machines.

From the bottom up: `units` (a set with the total to undercut, or a share of the guesses for it; where a worker
searches), `goals` (bounds of sets and guesses meanwhile), `crewed_opening` (the workers of a board, and one opening
whose parts are given out to them).
"""

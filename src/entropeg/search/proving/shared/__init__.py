"""Proofs whose parts are searched by the workers of an executor: in other processes, or on other machines.

From the bottom up: `units` (a set with what it has to undercut, or a share of the guesses for it; where a worker
searches), `goals` (what is known of sets and guesses meanwhile), `opening` (the workers of a board, and one opening
whose parts are given out to them).
"""

"""Guesses ranked by what they are expected to take: one skeleton, and rankers that know it in their own ways."""

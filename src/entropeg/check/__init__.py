"""The checker of proofs that no strategy is better: by the definition of the game alone, apart from the search."""

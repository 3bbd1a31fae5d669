"""The compiled exact search: what it knows of a board, how it bounds sets of codes, and what can be asked of it."""

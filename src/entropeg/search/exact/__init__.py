"""The compiled exact search: the board as arrays, the bounds of sets of codes, and the questions it answers."""

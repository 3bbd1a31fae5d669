"""The exact search of small sets and boards on NumPy: it needs no kernels, and no more than a table of labels."""

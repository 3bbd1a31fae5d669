"""`python -m entropeg` is the command `entropeg`."""

from entropeg.cli import main

main()

"""`python -m entropeg` is the command `entropeg`."""

from entropeg.cli import main

if __name__ == "__main__":
    main()

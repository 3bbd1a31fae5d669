"""A codebreaker in thirty lines that speaks the protocol: any code that every answer so far allows."""

import random
import sys
from itertools import product


def score(guess, secret):
    """Return [black, white]."""
    black = sum(g == s for g, s in zip(guess, secret))
    return [black, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - black]


for line in sys.stdin:
    words = line.split() or [""]
    if words[0] == "mastermind":
        print("name thirty lines\nrole codebreaker\nready", flush=True)
    elif words[0] == "new":
        rules = dict(word.split("=") for word in words[2:])
        possible = list(product(range(int(rules["colors"])), repeat=int(rules["pegs"])))
        random.seed(int(rules["seed"]))
    elif words[0] == "turn":
        numbers = [[int(word) for word in part.split()] for part in line[4:].split(":")]
        possible = [code for code in possible if score(numbers[0], code) == numbers[1]]
    elif words[0] == "go":
        print("guess", *random.choice(possible), flush=True)
    elif words[0] == "quit":
        break

"""Lets a codemaker and a codebreaker play: python play.py codemaker1 codebreaker2

With a number of games behind it, says how long they were: python play.py codemaker1 codebreaker2 1000
"""

import sys
from importlib import import_module

import common


def play(codemaker, codebreaker, quiet=False):
    """Play one game and return the number of guesses."""
    return len(turns(codemaker, codebreaker, quiet))


def play_log(codemaker, codebreaker, file):
    """Play one game and write it into a file: a guess and its evaluation, a line each, in turn."""
    with open(file, "w", encoding="utf-8") as log:
        for guess, (placed, misplaced) in turns(codemaker, codebreaker, quiet=True):
            log.write(f"{guess}\n{placed},{misplaced}\n")


def lengths(codemaker, codebreaker, games):
    """Play many games and return the list of their numbers of guesses."""
    return [play(codemaker, codebreaker, quiet=True) for _ in range(games)]


def turns(codemaker, codebreaker, quiet):
    """Play one game and return its turns."""
    codebreaker.init()
    codemaker.init()
    played, answer = [], None
    while answer is None or answer[0] < common.LENGTH:
        guess = codebreaker.codebreaker(answer)
        answer = codemaker.codemaker(guess)
        played.append((guess, answer))
        if not quiet:
            print(f"{len(played)}  {guess}  {answer[0]},{answer[1]}")
    return played


if __name__ == "__main__":
    codemaker, codebreaker = import_module(sys.argv[1]), import_module(sys.argv[2])
    if len(sys.argv) > 3:
        found = lengths(codemaker, codebreaker, int(sys.argv[3]))
        print(f"{len(found)} games, {sum(found) / len(found):.2f} guesses on average, {max(found)} at most")
    else:
        play(codemaker, codebreaker)

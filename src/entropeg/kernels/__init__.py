import numpy as np


def color_counts(planes, symbols):
    return np.stack([(planes == c).sum(0) for c in range(symbols)]).astype(planes.dtype)


def enumerate_codes(pegs, symbols, *, repeats, blank):
    from itertools import product

    rows = list(product(range(symbols), repeat=pegs))
    if not repeats:
        rows = [
            r
            for r in rows
            if len({c for c in r if not (blank and c == symbols - 1)})
            == sum(not (blank and c == symbols - 1) for c in r)
        ]
    return np.array(rows, np.uint8).T.copy()


def score(kind, guess, planes, counts):
    black = sum((planes[i] == g) for i, g in enumerate(guess)).astype(int)
    pegs = len(guess)
    common = sum(np.minimum(counts[c], (guess == c).sum()) for c in set(guess.tolist())).astype(int)
    return black * pegs + common if kind == 0 else black


def matching(kind, guess, label, planes, counts):
    return np.flatnonzero(score(kind, guess, planes, counts) == label)

"""Complete strategies close to the least total, for boards whose proof is out of reach: a beam search over sets.

Guesses are ranked by the estimated totals of their parts, the best are estimated better, the best of these followed to
the end. Small sets are solved exactly. To be read from the bottom up, for each module imports only those before it:

- `kernels`: how guesses cut a set and the costs expected of the parts, compiled;
- `board`: codes as bits, symmetry, answers to first guesses, labels as far as they fit into memory;
- `model`: the estimates, fitted to the values found;
- `threads`: the memory of a thread, how answers are shared out, when all stop;
- `known_sets`: the best that was found for every set, and strategies made of it;
- `search`: one pass over a set and its parts, more or less wide;
- `near`: lower bounds of the totals, and the order of the whole search;
- `shared_answers`: answers that the workers of an executor search;
- `optimum`: `near_optimal`, and the file from which a search goes on.
"""

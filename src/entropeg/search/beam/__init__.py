"""Complete strategies close to the least total, for boards whose proof is out of reach: a beam search over sets.

Guesses are ranked by the estimated totals of their parts, the best are estimated better, the best of these followed to
the end. Small sets are solved exactly. To be read from the bottom up, for each module imports only those before it:

- `kernels`: how guesses cut a set and what the parts will cost, compiled;
- `board`: codes as bits, symmetry, answers to first guesses, labels as far as they fit into memory;
- `model`: the estimates, fitted to what was found;
- `threads`: what a thread works with, how answers are shared out, when all stop;
- `known`: the best that was found for every set, and strategies made of it;
- `search`: one pass over a set and its parts, more or less wide;
- `bounds`: lower bounds of what was found;
- `near`: what is done when;
- `shared_answers`: answers that the workers of an executor search;
- `optimum`: `near_optimal`, and the file from which a search goes on.
"""

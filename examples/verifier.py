"""Checks a proof of standard or black feedback by the rules of docs/understand/proofs.md: python verifier.py FILE.

A second opinion, to read, on the standard library alone, for some hundred codes.
"""

import gzip
import itertools
import json
import sys
from collections import Counter

FORMAT, ENDLESS, RULES = "entropeg lower bound 4", float("inf"), ("repeats", "guess_repeats")


def need(is_so, why):
    """Refuse the proof unless this is so."""
    if not is_so:
        raise ValueError(why)


def label_of(feedback, guess, secret):
    """The number of the answer to a guess."""
    black = sum(a == b for a, b in zip(guess, secret))
    return black if feedback == "black" else black * len(guess) + (Counter(guess) & Counter(secret)).total()


class Checker:
    """The board of a head, and the rules of inference."""

    def __init__(self, head):
        need(head["feedback"] in {"standard", "black"} and head["blanks"] == "none", "it has another feedback")
        need(not (head["hard"] or head["consistent"] or {"weights", "secrets"} & set(head)), "it has other rules")
        self.head, every = head, list(itertools.product(range(head["colors"]), repeat=head["pegs"]))
        self.secrets, self.guesses = ([c for c in every if head[r] or len({*c}) == len(c)] for r in RULES)
        self.label = [[label_of(head["feedback"], g, s) for s in self.secrets] for g in self.guesses]
        self.win, self.known = max(map(max, self.label)), {}
        self.images = [self.image(*witness) for witness in head["witnesses"]]

    def image(self, order, *names):
        """WITNESS: where it takes each guess, and each secret."""
        pegs, colors = list(range(self.head["pegs"])), list(range(self.head["colors"]))
        need(sorted(order) == pegs and all(sorted(some) == colors for some in names), "a witness is no permutation")
        need(len(names) == 1 or (len(names) == len(pegs) and self.head["feedback"] == "black"), "names of a witness")
        every, found = names * (len(pegs) if len(names) == 1 else 1), []
        for codes in (self.guesses, self.secrets):
            number = {code: at for at, code in enumerate(codes)}
            moved = [tuple(some[code[old]] for some, old in zip(every, order)) for code in codes]
            need(all(code in number for code in moved), "a witness takes a code to none")
            found.append([number[code] for code in moved])
        return found

    def parts(self, codes, guess):
        """The codes by their label, those that are found left out."""
        parts = {}
        for code in codes:
            parts.setdefault(self.label[guess][code], []).append(code)
        return {label: part for label, part in parts.items() if label != self.win}

    def fan(self, codes):
        """(most parts that a guess among the codes leaves, most that another one leaves)."""
        own, most = {self.secrets[code] for code in codes}, [0, 0]
        for guess, code in enumerate(self.guesses):
            most[code not in own] = max(most[code not in own], len(self.parts(codes, guess)))
        return most

    def size(self, m, fan, within):
        """SIZE: what m codes of a set cost at least, by its fan."""
        (q, r), found, d = fan, 0, 0
        total = min(2 * m - 1 + max(m - 1 - q, 0), 2 * m + max(m - r, 0))
        while found < m:
            found, d = max(1 + q * found, r * found), d + 1
            total += max(m - found, 0) if d >= 3 else 0
        return total if d <= within else ENDLESS

    def cost(self, codes, guess, within, fan, bound_of):
        """NODE: what a guess costs at least; each part by SIZE, and by `bound_of` its label and the part."""
        parts = self.parts(codes, guess)
        if any(len(part) == len(codes) for part in parts.values()):
            return ENDLESS  # it tells nothing
        sizes = [self.size(len(part), fan, within - 1) for part in parts.values()]
        return len(codes) + sum(max(low, bound_of(*item)) for low, item in zip(sizes, parts.items()))

    def least(self, codes, within):
        """LEAST: what the cheapest guess costs by the sizes of its parts."""
        if (key := (tuple(codes), within)) not in self.known:
            fan, every = self.fan(codes), range(len(self.guesses))
            self.known[key] = min(self.cost(codes, guess, within, fan, lambda *_: 0) for guess in every)
        return self.known[key]

    def lemma(self, proven, named, part, within):
        """LEMMA: the bound of an earlier lemma about codes of a part, renamed."""
        need(0 <= named[0] < len(proven), "it rests on a lemma that does not come before")
        codes, its_within, bound = proven[named[0]]
        need(all(0 <= number < len(self.images) for number in named[1:]), "it names a witness that is not there")
        renamed = {self.images[named[1]][1][code] for code in part} if named[1:] else set(part)
        need(within - 1 <= its_within and renamed >= set(codes), "it rests on a lemma of other codes, or fewer guesses")
        return bound

    def refute(self, codes, within, bound, images, entries, proven):
        """ALL: check that no guess costs less than the bound, one of each class."""
        fan, refuted, alike = self.fan(codes), set(), {}
        split = [frozenset(map(tuple, self.parts(codes, guess).values())) for guess in range(len(self.guesses))]
        for guess, parts in enumerate(split):
            alike.setdefault(parts, []).append(guess)
        for guess, names in [*entries, *([guess, None] for guess in range(len(self.guesses)))]:
            left, named = self.parts(codes, guess), {}
            for label, *lemma in names or []:
                if label in left:
                    named[label] = self.lemma(proven, lemma, left[label], within)
            low = lambda label, part: max(named.get(label, 0), self.least(part, within - 1))  # noqa: B023, E731
            if names is not None or guess not in refuted:
                need(self.cost(codes, guess, within, fan, low) >= bound, f"guess {guess} may cost less")
            waiting = [guess]
            while waiting:
                if (one := waiting.pop()) not in refuted:
                    refuted.add(one)
                    waiting += [image[one] for image in images] + alike[split[one]]  # CLASS, ALIKE

    def check(self, lemmas):
        """Check every lemma, then what is claimed."""
        proven = []
        for lemma in lemmas:
            need(set(json.dumps(lemma)) <= set("-0123456789[], null"), "a lemma has other things than whole numbers")
            history, within, bound, witnesses, entries = lemma
            within, bound = (ENDLESS if one is None else one for one in (within, bound))
            need(all(0 <= guess < len(self.guesses) for guess, _ in history + entries), "a guess is none")
            codes = [c for c in range(len(self.secrets)) if all(self.label[g][c] == answer for g, answer in history)]
            need(codes and all(0 <= number < len(self.images) for number in witnesses), "no code, or no such witness")
            images = [self.images[number] for number in witnesses]
            need(all({secrets[code] for code in codes} == set(codes) for _, secrets in images), "a set is not kept")
            self.refute(codes, within, bound, [guesses for guesses, _ in images], entries, proven)
            proven.append((codes, within, bound))
        known = [[within, bound] for codes, within, bound in proven if len(codes) == len(self.secrets)]
        claims = [[ENDLESS if one is None else one for one in claim] for claim in self.head["claims"]]
        need(claims and all(claim in known for claim in claims), "no lemma says what is claimed")


def told(kind, error, _):
    """Say in one sentence why a file is refused."""
    why = {ValueError: error, FileNotFoundError: "there is no such file"}.get(kind, "it is not written as proofs are")
    sys.stderr.write(f"{sys.argv[1]} is refused: {why}\n")


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) == 2 else sys.exit("one file is checked: python verifier.py FILE")
    sys.excepthook = told
    content = (gzip.open if name.endswith(".gz") else open)(name, "rb").read().decode()
    board, *written = map(json.loads, content.splitlines() or ["null"])
    need([board["format"], board["lemmas"]] == [FORMAT, len(written)], "it is no whole file of format 4")
    Checker(board).check(written)
    sys.stdout.write(f"{board['rules']}: {board['claims']}\n")

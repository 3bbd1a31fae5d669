"""Lists the claims of the documents as data: the place, words and figure of each, and which run measures it.

The documents give their figures for one board each; on other boards nothing here applies. Quotations are in the
documents' French.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from entropeg.rules import Rules
from entropeg.told import Told

Test: TypeAlias = Literal["equals", "below", "at most", "above", "order"]

RANDOM, MEMORY = "random honest", "memory honest"
CONSISTENT, CONSISTENT_CHEAT = "consistent honest", "consistent cheat"
MINIMAX, MINIMAX_CHEAT, MINIMAX_ALL = "minimax honest", "minimax cheat", "minimax honest all"
KNUTH_ALL = "minimax:knuth honest all"
"""Keys of experiments: codebreaker, codemaker, and `all` where every secret is played once (see `experiments`)."""


@dataclass(frozen=True)
class Document:
    """A source of figures: its letter in this project, its author and title, the board that its figures are about."""

    letter: str
    author: str
    title: str
    board: str
    players: str
    """Which of the project's players are the document's, and what the document leaves open."""


@dataclass(frozen=True)
class Claim:
    """One statement of a document that a run can confirm or refute.

    `measure` names the quantity (see `findings.MEASURES`) computed from the runs with the keys `runs`; it is held
    against `value` by `test` (`order` asks only for the same order of magnitude: within a factor of √10). `written` is
    the figure as the document writes it. `games` is how many games the document played, None where it gives a theory or
    a bound. `why` says what there is to know when the claim does not hold, `note` what there is to know
    anyway; with `caution` the note is important enough for the summary.
    """

    document: str
    place: str
    says: str
    written: str
    measure: str
    runs: tuple[str, ...]
    value: float
    test: Test = "equals"
    games: int | None = None
    quote: str = ""
    why: str = ""
    note: str = ""
    caution: bool = False


DOCUMENTS = {
    "A": Document(
        "A",
        "Nathan Bruyere",
        "Implémentation progressive de stratégies intelligentes pour le jeu Mastermind : du hasard pur à une "
        "approche minimax",
        "4x8",
        Told(
            "Its codebreakers 0, 1, 2 and 3 are random, memory, consistent and minimax; its codemakers 1 and 2 are "
            "honest and cheat. Its figures 1 to 5 are the first five here."
        ),
    ),
    "E": Document(
        "E",
        "Camille Touron",
        "Jeu du Mastermind",
        "4x6",
        Told(
            "Its codebreaker 2 is consistent and its codebreaker 3 Knuth’s algorithm; its codemakers 1 and 2 are "
            "honest and cheat. The code of its codebreaker 1 is not in the text that has come down to us: it plays "
            "before feedback is used, so both players that ignore feedback, random and memory, are measured. No guess "
            "limit is set here, so that every game is won; the document’s is 12."
        ),
    ),
    "K": Document(
        "K",
        "Donald E. Knuth",
        "The Computer as Master Mind, Journal of Recreational Mathematics 9 (1976–77)",
        "4x6",
        "",
    ),
}
"""By letter. K is the source of the algorithm that E, the French notebook, takes up."""

CLAIMS = (
    Claim(
        "A",
        "section 3.1, figure 1",
        Told("Without memory a game takes 4096 guesses on average (geometric law)."),
        "4096",
        *("mean", (RANDOM,), 4096),
        quote="E[T] = 1/p = N = C^L … = 4096. La moyenne expérimentale observée est proche de la valeur théorique",
    ),
    Claim(
        "A",
        "section 3.1",
        Told("Some games take well over several tens of thousands of guesses."),
        Told("> 50,000"),
        *("longest", (RANDOM,), 50_000, "above"),
        quote="certaines parties peuvent dépasser largement plusieurs dizaines de milliers d’essais",
        note=Told("The longest game depends on how many are played: more games, a longer one."),
        why=Told(
            "The law gives a game a chance of 1 in 200,000 to take more than 50,000 guesses, and of 0.76 % to take "
            "more than 20,000: «largely several tens of thousands» says too much for a thousand games."
        ),
    ),
    Claim(
        "A",
        "section 3.2, figure 2",
        Told("With memory a game takes about 2048 guesses on average (uniform law)."),
        "≈ 2048",
        *("mean", (MEMORY,), 2048),
        quote="E[T] = (N + 1)/2 … ≈ 2048",
        note=Told("The law’s mean is 2048.5 exactly."),
    ),
    Claim(
        "A",
        "section 3.2",
        Told("Memory alone gains a factor of two."),
        "2",
        *("factor", (RANDOM, MEMORY), 2),
        quote="un gain théorique d’un facteur deux",
        note=Told("Exactly, 2N/(N + 1) = 1.9995."),
    ),
    Claim(
        "A",
        "section 4, figure 3",
        Told("Consistent play takes about 5.5 guesses."),
        Told("≈ 5.5"),
        *("mean", (CONSISTENT,), 5.5),
        games=1000,
        quote="la moyenne observée est d’environ 5,5 essais",
    ),
    Claim(
        "A",
        "section 5.2, figure 4",
        Told("Consistent play takes about 5.39 guesses against the honest codemaker."),
        Told("≈ 5.39"),
        *("mean", (CONSISTENT,), 5.39),
        games=1000,
        quote="la moyenne passe d’environ 5.39 essais (codemaker honnête)",
        note=Told("The same quantity as in its figure 3, measured a second time."),
    ),
    Claim(
        "A",
        "section 5.2, figure 4",
        Told("Consistent play takes 7.34 guesses against the cheat."),
        Told("7.34"),
        *("mean", (CONSISTENT_CHEAT,), 7.34),
        games=1000,
        quote="à 7.34 essais (codemaker tricheur)",
    ),
    Claim(
        "A",
        "section 5.2, figure 4",
        Told("The cheat costs consistent play 1.95 guesses."),
        Told("+1.95"),
        *("excess", (CONSISTENT_CHEAT, CONSISTENT), 1.95),
        games=1000,
        quote="un allongement moyen de +1.95 coups",
    ),
    Claim(
        "A",
        "section 5.2, figure 4",
        Told("That is 36 % more."),
        Told("+36 %"),
        *("excess percent", (CONSISTENT_CHEAT, CONSISTENT), 36),
        games=1000,
        quote="environ +36%",
    ),
    Claim(
        "A",
        "section 6.3, figure 5",
        Told("The cheat costs minimax only about 0.8 guesses."),
        Told("≈ +0.8"),
        *("excess", (MINIMAX_CHEAT, MINIMAX), 0.8),
        games=30,
        quote="le tricheur n’augmente la durée moyenne que d’environ +0.8 coup",
        why=Told(
            "Against the cheat every game takes the same number of guesses, so all of the interval comes from the "
            "honest games."
        ),
    ),
    Claim(
        "A",
        "section 6.3, figure 5",
        Told("That is about 15 % more."),
        Told("≈ +15 %"),
        *("excess percent", (MINIMAX_CHEAT, MINIMAX), 15),
        games=30,
        quote="soit ≈ 15%",
        why=Told(
            "0.8 of a mean near 5.2 is 15.4 %: the document rounds down, and its 30 games leave room for several "
            "percent."
        ),
    ),
    Claim(
        "A",
        "section 6.3, figure 5",
        Told("Against the cheat, minimax nearly always takes 6 guesses."),
        "6",
        *("usual", (MINIMAX_CHEAT,), 6),
        games=30,
        quote="la majorité des parties se terminent avec un nombre d’essais quasi constant (ici 6)",
    ),
    Claim(
        "A",
        "section 5.1",
        Told("The cheat slows minimax down optimally."),
        Told("longest possible"),
        *("shortfall", (MINIMAX_CHEAT, MINIMAX_ALL), 0),
        quote="même lorsque l’adversaire répond de manière optimale pour ralentir la résolution",
        note=Told(
            "Held against the longest game that minimax has with any of the secrets, and said of this codebreaker on "
            "this board alone: the cheat keeps the most codes, which need not be those that take longest."
        ),
        why=Told(
            "The cheat ends a game sooner than the worst secret would: keeping the most codes is a greedy rule, not "
            "an optimal one."
        ),
    ),
    Claim(
        "A",
        "section 7",
        Told("From codebreaker 0 to codebreaker 2 the mean falls by a factor of 100."),
        "100",
        *("factor", (RANDOM, CONSISTENT), 100),
        quote="permet de réduire le nombre moyen d’essais d’un facteur 100",
        why=Told("By the document’s own figures the factor is 4096 / 5.5, about 745."),
    ),
    Claim(
        "A",
        "section 7",
        Told("Minimax takes 100 times as long to run."),
        "× 100",
        *("time factor", (MINIMAX, CONSISTENT), 100, "order"),
        quote="les run-times sont multipliés par un facteur 100",
        why=Told(
            "It is no law of the game: here a position that comes up again (the opening always does) is analyzed "
            "once for all games."
        ),
    ),
    Claim(
        "E",
        "Codebreaker2 VS Codemaker1, Statistiques",
        Told("The cheat makes the game harder for codebreaker 2."),
        "> 0",
        *("excess", (CONSISTENT_CHEAT, CONSISTENT), 0, "above"),
        quote="on voit que codemaker2 complexifie la résolution du jeu !",
    ),
    Claim(
        "E",
        "Version 3.0",
        Told("Knuth’s algorithm, with his rule for ties, finds every code in 5 guesses or fewer."),
        "≤ 5",
        *("longest", (KNUTH_ALL,), 5, "at most"),
        quote="il serait possible de décoder toute combinaison secrète en 5 essais maximum",
        note=Told(
            "By his rule a candidate comes before any other code. It is needed: with «the first combination met», "
            "which the document allows beside it, the algorithm read to the letter does not end in 5. When one "
            "candidate is left all codes score 1, the first in order is played instead of the answer, and the mean "
            "over all secrets is 643 guesses. Told to play a last candidate, it needs 6169 guesses over all secrets "
            "(mean 4.76), still 5 at most."
        ),
        caution=True,
    ),
    Claim(
        "E",
        "Codebreaker3 VS Codemaker1, Statistiques",
        Told("Knuth’s algorithm takes fewer than 5 guesses on average."),
        "< 5",
        *("mean", (KNUTH_ALL,), 5, "below"),
        quote="une moyenne inférieure à 5 essais par partie",
    ),
    Claim("K", "table", Told("All 1296 secrets take 5801 guesses together."), "5801", "total", (KNUTH_ALL,), 5801),
    *(
        Claim(
            "K",
            "table",
            Told("Secrets found at guess {guesses}.", guesses),
            str(count),
            *(f"games of {guesses}", (KNUTH_ALL,), count),
        )
        for guesses, count in enumerate((1, 6, 62, 533, 694), start=1)
    ),
)


def documents_on(rules: Rules) -> list[Document]:
    """Return the documents whose figures are about a board; the alphabet does not matter."""
    plain = replace(rules, alphabet="")
    return [document for document in DOCUMENTS.values() if Rules.parse(document.board) == plain]


def claims_on(rules: Rules) -> list[Claim]:
    """Return the claims that apply to a board, in the documents' order."""
    letters = {document.letter for document in documents_on(rules)}
    return [claim for claim in CLAIMS if claim.document in letters]

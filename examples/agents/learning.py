"""Learns 3x4 by a table under the rewards steps, potential and loss, and draws how good the play is after each game.

`python learning.py OUT.svg` (extras agents and figures) prints a table and writes the figure; `--seeds 3` is quicker.
"""

import argparse
from itertools import product
from pathlib import Path

import numpy as np

from entropeg.agents.many import MastermindVectorEnv
from entropeg.codes import guesses

BOARD, CODES, BEST, WORST = "3x4", 64, 206, 12
GAMES = 16
"""Games that are played at once."""
LABELS = guesses(BOARD).labels(guesses(BOARD))
WIN = int(LABELS[0, 0])
MARKS = sorted({int(10 ** (power / 20)) for power in range(36, 130)})
"""Numbers of games after which the play is looked at."""
TRIED = [(first, rate, chance) for first in (-4.0, -3.0, 0.0) for rate in (0.0, 0.1) for chance in (0.0, 0.1)]
"""Worth at first, least step, chance of a random guess."""
SETTINGS = {"steps": (-3.0, 0.1, 0.1), "potential": (-3.0, 0.0, 0.1), "loss": (0.0, 0.0, 0.0)}
"""Of all that were tried under each reward, with seeds 1 to 3, those whose play is best after 30,000 games (`--tried`):
steps 211 to 212 (the others 211 to 738), potential 213 (212 to 510), and the loss at 206 after 1,584 to 1,995 games, as
with every first worth of 0 (2,511 at most; with others 207 to 235)."""
COLORS = {"steps": "#d55e00", "potential": "#6b6b6b", "loss": "#0072b2"}


class Table:
    """Q-learning: for each set of codes left, what every guess is worth, as the mean of what came, the latest most."""

    def __init__(self, first: float, rate: float, chance: float, seed: int) -> None:
        """Begin with a worth for all guesses; `rate` is the least step, `chance` that of a random guess."""
        self.first, self.rate, self.chance, self.rng = first, rate, chance, np.random.default_rng(seed)
        self.rows: dict[bytes, int] = {}
        self.worth, self.tried = np.full((1024, CODES), first), np.zeros((1024, CODES))

    def states(self, mask: np.ndarray) -> np.ndarray:
        """Return the rows of sets, given as masks of the codes left; new ones are added."""
        keys = [row.tobytes() for row in np.packbits(mask, axis=1)]
        found = np.array([self.rows.setdefault(key, len(self.rows)) for key in keys])
        if len(self.rows) > len(self.worth) - GAMES:
            self.worth = np.concatenate([self.worth, np.full_like(self.worth, self.first)])
            self.tried = np.concatenate([self.tried, np.zeros_like(self.tried)])
        return found

    def chosen(self, states: np.ndarray) -> np.ndarray:
        """Return the best guess of each, the first of equals; now and then any."""
        best, free = self.worth[states].argmax(axis=1), self.rng.random(len(states)) < self.chance
        return np.where(free, self.rng.integers(CODES, size=len(states)), best)

    def learn(self, states: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> None:
        """Move what guesses are worth towards what came of them; what came together counts as one after the other."""
        pairs, which, times = np.unique(states * CODES + actions, return_inverse=True, return_counts=True)
        means = np.bincount(which, targets) / times
        worth, tried = self.worth.reshape(-1), self.tried.reshape(-1)
        tried[pairs] += times
        worth[pairs] += np.maximum(times / tried[pairs], 1 - (1 - self.rate) ** times) * (means - worth[pairs])

    def total(self, left: np.ndarray | None = None, depth: int = 0) -> int:
        """Return the guesses that the best known play takes over all secrets, exactly; 12 where it finds one later."""
        left = np.ones(CODES, np.int8) if left is None else left
        row = self.rows.get(np.packbits(left).tobytes())
        if depth == WORST or row is None or not self.tried[row].any():
            return int(left.sum()) * (WORST - depth)
        worth = np.where(self.tried[row] > 0, self.worth[row], -np.inf)
        labels = LABELS[int(worth.argmax())]
        parts = [(labels == label) & (left > 0) for label in set(labels[left > 0].tolist()) - {WIN}]
        return int(left.sum()) + sum(self.total(part.astype(np.int8), depth + 1) for part in parts)


def learned(reward: str, setting: tuple[float, float, float], seed: int, most: int) -> list[int]:
    """Return the total of the play after each number of games of `MARKS`, up to `most`, or until it is the best."""
    many = MastermindVectorEnv(GAMES, BOARD, reward, observe=("action_mask",))
    table, totals, played = Table(*setting, seed), list[int](), 0
    states, is_begun = table.states(many.reset(seed=seed * GAMES)[0]["action_mask"]), np.ones(GAMES, np.bool_)
    while len(totals) < len(MARKS) and MARKS[len(totals)] <= most:
        actions = table.chosen(states)
        seen, rewards, won, cut, _ = many.step(actions)
        after = table.states(seen["action_mask"])
        targets = rewards + np.where(won, 0.0, table.worth[after].max(axis=1))
        table.learn(states[is_begun], actions[is_begun], targets[is_begun])
        states, is_begun, played = after, ~(won | cut), played + int((won | cut).sum())
        while len(totals) < len(MARKS) and MARKS[len(totals)] <= min(played, most):
            totals.append(table.total())
        if totals and totals[-1] == BEST:
            break
    return totals


def reached(totals: list[int]) -> str:
    """Say after how many games the play was the best, where it was."""
    return f"{MARKS[len(totals) - 1]:,}" if totals[-1] == BEST else f"- ({totals[-1]} at {MARKS[len(totals) - 1]:,})"


def drawn(found: dict[str, list[list[int]]], most: int) -> bytes:
    """Return the figure as SVG: for each reward the middle of all seeds, and from the least to the most."""
    from matplotlib.figure import Figure

    from entropeg.plots.writing import QUIET, styled, svg

    with styled():
        figure = Figure(figsize=(7.2, 3.8), layout="constrained")
        axes = figure.add_subplot()
        marks = [mark for mark in MARKS if mark <= most]
        for reward, runs in found.items():
            rows = np.array([run + [run[-1]] * (len(marks) - len(run)) for run in runs]) / CODES
            axes.fill_between(marks, rows.min(axis=0), rows.max(axis=0), color=COLORS[reward], alpha=0.2, linewidth=0)
            axes.plot(marks, np.median(rows, axis=0), color=COLORS[reward], label=reward)
        axes.axhline(BEST / CODES, color=QUIET, linewidth=0.8, linestyle=":")
        axes.set(
            xscale="log",
            xlabel="games played",
            ylabel="guesses of the learned play",
            ylim=(3.1, 5.1),
            xlim=(marks[0], most),
        )
        axes.set_title(f"{BOARD}: the optimum is {BEST}/{CODES} = {BEST / CODES:.3f}")
        axes.legend(title="reward")
        return svg(figure)


def main() -> None:
    """Learn under each reward, print when the optimum was reached, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the SVG file")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--games", type=int, default=100_000, help="most games of a run")
    parser.add_argument("--tried", action="store_true", help="first print how each setting does, which takes minutes")
    asked = parser.parse_args()
    if asked.tried:
        for reward, setting in product(SETTINGS, TRIED):
            runs = [learned(reward, setting, seed, 30_000) for seed in range(1, asked.seeds + 1)]
            print(f"{reward:<10} {setting}  {', '.join(map(reached, runs))}", flush=True)
    found: dict[str, list[list[int]]] = {}
    for reward, setting in SETTINGS.items():
        found[reward] = [learned(reward, setting, seed, asked.games) for seed in range(1, asked.seeds + 1)]
        print(f"{reward:<10} the optimum after games: {', '.join(map(reached, found[reward]))}", flush=True)
    asked.out.write_bytes(drawn(found, asked.games))


if __name__ == "__main__":
    main()

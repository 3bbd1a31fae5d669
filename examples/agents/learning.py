"""Learns 3x4 by a table under the rewards steps, potential and loss, and draws how good the play is after each game.

`python learning.py OUT.svg` (extras agents and figures) prints a table and writes the figure; `--seeds 3` is quicker.
"""

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from entropeg.codes import guesses
from entropeg.agents.many import MastermindVectorEnv

BOARD, CODES, BEST, WORST = "3x4", 64, 206, 12
GAMES = 16
"""Games that are played at once."""
LABELS = guesses(BOARD).labels(guesses(BOARD))
WIN = int(LABELS[0, 0])
MARKS = sorted({int(10 ** (power / 20)) for power in range(36, 130)})
"""Numbers of games after which the play is looked at."""
REWARDS = {"steps": -4.0, "potential": -4.0, "loss": 0.0}


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

"""Environments for agents measured: steps a second of many games at once, and of a single one.

Run: python benchmarks/bench_agents.py [SECONDS]

Each row plays 4x6 for SECONDS (2) of the clock with two threads, after everything has been compiled; where the exact
loss is that of guesses that are drawn, the first million steps and the fourth. `clock` are steps a second as they were;
`processor` those that two processors of their own would take, by the processor time that was spent: on a busy machine
the first says little. Guesses are drawn among all codes ("any"), among those left ("left"), or follow from the number
of the turn ("settled"), as those of an agent that has learned.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from time import perf_counter, process_time
from typing import Any

import numpy as np
from machine import machine

from entropeg.agents.many import MastermindVectorEnv
from entropeg.agents.single import MastermindEnv

ROWS: list[tuple[str, int, str, dict[str, Any]]] = [
    ("steps", 16_384, "any", {}),
    ("steps, observations not copied", 16_384, "any", {"copy": False}),
    ("masks of the codes left", 4_096, "any", {"observe": ("action_mask",)}),
    ("masks, not copied", 4_096, "any", {"observe": ("action_mask",), "copy": False}),
    ("potential", 16_384, "any", {"reward": "potential"}),
    ("exact loss", 4_096, "settled", {"reward": "loss"}),
]


Rates = tuple[float, float]


def many(games: int, policy: str, least: tuple[float, int], agreed: dict[str, Any]) -> Iterator[Rates]:
    """Steps a second of the clock, and of two processors of their own, after so many seconds and steps, for ever."""
    env, rng = MastermindVectorEnv(games, "4x6", threads=2, **agreed), np.random.default_rng(1)
    drawn = rng.integers(1296, size=(16, games))
    state, every = env._games, np.arange(games)  # noqa: SLF001 - the codes left, to draw among them

    def actions(number: int) -> Any:
        if policy == "settled":
            return drawn[:, 0][state.turn]
        if policy == "left":
            left = state.codes[every, (rng.random(games) * state.size).astype(int)]
            return np.where(state.turn > 0, left, rng.integers(1296, size=games))
        return rng.integers(1296, size=games) if agreed.get("reward") == "loss" else drawn[number % 16]

    env.reset(seed=1)
    for number in range(40 if policy == "settled" else 1 if agreed.get("reward") == "loss" else 14):
        env.step(actions(number))
    while True:
        began, spent, steps = perf_counter(), process_time(), 0
        while perf_counter() - began < least[0] or steps < least[1]:
            env.step(actions(steps // games))
            steps += games
        yield steps / (perf_counter() - began), 2 * steps / (process_time() - spent)


def single(seconds: float, **agreed: Any) -> Rates:
    """The same of one game at a time, of one processor."""
    env, rng, steps = MastermindEnv("4x6", **agreed), np.random.default_rng(1), 0
    env.reset(seed=1)
    began, spent = perf_counter(), process_time()
    while perf_counter() - began < seconds:
        _, _, terminated, truncated, _ = env.step(rng.integers(1296))
        steps += 1
        if terminated or truncated:
            env.reset()
    return steps / (perf_counter() - began), steps / (process_time() - spent)


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    print(machine())
    print(f"{'':<34}{'games':>8}  {'guesses':<8}{'clock':>14}{'processor':>14}")
    for name, games, policy, agreed in ROWS:
        clock, processor = next(many(games, policy, (seconds, 0), agreed))
        print(f"{name:<34}{games:>8,}  {policy:<8}{clock:>14,.0f}{processor:>14,.0f}", flush=True)
    for policy in ("left", "any"):
        for million, (clock, processor) in enumerate(islice(many(4_096, policy, (0, 10**6), {"reward": "loss"}), 4), 1):
            if million in {1, 4}:
                name = f"exact loss, million {million}"
                print(f"{name:<34}{4096:>8,}  {policy:<8}{clock:>14,.0f}{processor:>14,.0f}", flush=True)
    for name, agreed in (("a single environment", {}), ("a single environment, bits", {"reward": "bits"})):
        clock, processor = single(seconds, **agreed)
        print(f"{name:<34}{1:>8}  {'any':<8}{clock:>14,.0f}{processor:>14,.0f}", flush=True)

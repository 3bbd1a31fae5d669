"""Tasks of entropeg for verifiers: a taskset whose reward is exact, for evaluation and for reinforcement learning.

uv run eval verifiers_environment --taskset.kind next --taskset.number 200 ...
"""

from typing import Any

import verifiers.v1 as vf

from entropeg.suites.tasks import score_answer, tasks


class MastermindConfig(vf.TasksetConfig):
    """Which tasks are drawn, and by which seed."""

    kind: str = "next"
    rules: str = "4x6"
    number: int = 60
    seed: int = 0
    language: str = "en"


class MastermindData(vf.TaskData):
    """The prompt, and the exact answer as entropeg tells it."""

    facts: dict[str, Any]


class MastermindTask(vf.Task[MastermindData]):
    """One task."""

    @vf.reward
    async def worth(self, task: MastermindData, trace: vf.Trace) -> float:
        """1, 0, or of a next guess 1 less its loss."""
        return score_answer(task.facts, trace.last_reply)


class MastermindTaskset(vf.Taskset[MastermindTask, MastermindConfig]):
    """Tasks drawn by a seed."""

    def load(self):
        """Draw them."""
        asked = self.config
        for each in tasks(asked.kind, asked.rules, asked.number, seed=asked.seed, language=asked.language):
            yield MastermindTask(MastermindData(id=each.id, prompt=each.prompt, facts=each.to_json()), asked.task)

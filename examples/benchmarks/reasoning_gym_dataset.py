"""Tasks of entropeg for reasoning-gym: `reasoning_gym.create_dataset("mastermind", task="next", size=60, seed=1)`.

Importing this file registers the data set. Its tasks have exact answers; a next guess is worth 1 less what it loses.
"""

from dataclasses import dataclass

from reasoning_gym.factory import ProceduralDataset, register_dataset

from entropeg.suites.tasks import score_answer, tasks


@dataclass
class MastermindConfig:
    """Which tasks are drawn, and by which seed."""

    task: str = "deduce"
    rules: str = "4x6"
    language: str = "en"
    size: int = 60
    seed: int = 0

    def validate(self):
        """Refuse what is no task: entropeg says why."""
        tasks(self.task, self.rules, 1)


class MastermindDataset(ProceduralDataset):
    """Tasks drawn by a seed: deduce, next or mend."""

    def __init__(self, config):
        """Draw all of them: the same seed draws the same ones."""
        super().__init__(config, config.seed, config.size)
        drawn = tasks(config.task, config.rules, config.size, seed=config.seed, language=config.language)
        self.drawn = [each.to_json() for each in drawn]

    def __getitem__(self, idx):
        """Return a question, its answer, and the facts that score another one."""
        each = self.drawn[idx]
        return {
            "question": each["prompt"],
            "answer": each["answer"],
            "metadata": {"source_dataset": "mastermind"} | each,
        }

    def score_answer(self, answer, entry):
        """Return what an answer is worth, from 0 to 1."""
        return score_answer(entry["metadata"], answer or "")


register_dataset("mastermind", MastermindDataset, MastermindConfig)

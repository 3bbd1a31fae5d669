"""Tasks of entropeg for inspect-ai: `inspect eval inspect_ai_task.py --model ... -T task=next -T number=60`.

The prompt is ours, the model says what it likes before its last line, and an answer is worth 1, 0, or 1 less its loss.
"""

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import generate

from entropeg.suites.tasks import score_answer, tasks


@task(name="mastermind")
def mastermind(task="deduce", rules="4x6", number=60, seed=0, language="en"):
    """Return tasks drawn by a seed: deduce, next or mend."""
    drawn = [each.to_json() for each in tasks(task, rules, number, seed=seed, language=language)]
    samples = [Sample(id=each["id"], input=each["prompt"], target=each["answer"], metadata=each) for each in drawn]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=worth())


@scorer(metrics=[mean(), stderr()])
def worth():
    """Score an answer by the exact values that the task carries."""

    async def score(state, target):
        text = state.output.completion
        return Score(value=score_answer(state.metadata, text), answer=text.strip()[-80:])

    return score

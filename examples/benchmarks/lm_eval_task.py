"""Tasks of entropeg for lm-eval: `simple_evaluate(model, tasks=[mastermind("next", "4x6", 60)])` of its Python.

The model writes until it ends; its last line counts.
"""

import datasets
from lm_eval.api.task import ConfigurableTask

from entropeg.suites.tasks import score_answer, tasks


def mastermind(task="deduce", rules="4x6", number=60, seed=0, language="en"):
    """Return a task of lm-eval whose documents are drawn by a seed: deduce, next or mend."""
    drawn = [each.to_json() for each in tasks(task, rules, number, seed=seed, language=language)]
    # Losses have a key for each guess, which columns of a table do not: they are looked up by the id.
    by_id = {each["id"]: each for each in drawn}
    columns = {name: [each[name] for each in drawn] for name in ("id", "prompt", "answer")}

    def worth(doc, results):
        return {"worth": score_answer(by_id[doc["id"]], results[0])}

    return ConfigurableTask(
        config={
            "task": f"entropeg-{task}",
            "custom_dataset": lambda **_: {"test": datasets.Dataset.from_dict(columns)},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{prompt}}\n",
            "doc_to_target": "{{answer}}",
            "process_results": worth,
            "generation_kwargs": {"until": [], "max_gen_toks": 2048},
            "metric_list": [{"metric": "worth", "aggregation": "mean", "higher_is_better": True}],
        }
    )

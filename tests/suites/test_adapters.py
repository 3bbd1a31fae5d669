"""The adapters in examples/benchmarks against the packages that they are for, offline; skipped loudly without them."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from entropeg.suites.tasks import tasks

EXAMPLES = Path(__file__).parents[2] / "examples" / "benchmarks"
DRAWN = tasks("next", "3x4", 4, seed=3)
WORTH = [1.0, 0.0]
"""Of the right answer, and of one that is none."""


def adapter(name: str, package: str) -> Any:
    pytest.importorskip(package, reason=f"{package} is not installed: its adapter is NOT TESTED")
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_adapters_are_short() -> None:
    lengths = {file.name: len(file.read_text(encoding="utf-8").splitlines()) for file in EXAMPLES.glob("*.py")}

    assert 4 == len(lengths)
    assert max(lengths.values()) <= 60, lengths


def test_reasoning_gym() -> None:
    adapter("reasoning_gym_dataset", "reasoning_gym")
    reasoning_gym: Any = importlib.import_module("reasoning_gym")
    found = reasoning_gym.create_dataset("mastermind", task="next", rules="3x4", size=4, seed=3)

    assert [one.prompt for one in DRAWN] == [entry["question"] for entry in found]
    assert WORTH == [found.score_answer(text, found[0]) for text in (f"ANSWER: {found[0]['answer']}", "none")]


def test_inspect_ai(tmp_path: Path) -> None:
    module = adapter("inspect_ai_task", "inspect_ai")
    evaluate: Any = importlib.import_module("inspect_ai").eval
    models: Any = importlib.import_module("inspect_ai.model")

    said = [f"Well.\nANSWER: {one.answer}" for one in DRAWN[:2]] + ["no idea", "none"]
    outputs = [models.ModelOutput.from_content("mockllm/model", each) for each in said]
    for output in outputs:
        output.usage = models.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it loads a tokenizer
    model = models.get_model("mockllm/model", custom_outputs=outputs)
    asked = module.mastermind(task="next", rules="3x4", number=4, seed=3)
    [log] = evaluate(asked, model=model, log_dir=str(tmp_path), display="none", max_connections=1, max_samples=1)

    assert "success" == log.status
    assert 0.5 == log.results.scores[0].metrics["mean"].value


def test_lm_eval() -> None:
    module = adapter("lm_eval_task", "lm_eval")
    simple_evaluate: Any = importlib.import_module("lm_eval").simple_evaluate
    base: Any = importlib.import_module("lm_eval.api.model").LM

    class Known(base):  # type: ignore[misc]  # of a package that may be absent
        """Knows half of the answers."""

        def generate_until(self, requests: Any, **_: Any) -> list[str]:
            right = {one.prompt: one.answer for one in DRAWN[:2]}
            return [f"ANSWER: {right.get(request.args[0].strip(), 'none')}" for request in requests]

        loglikelihood = loglikelihood_rolling = generate_until

    asked = module.mastermind("next", "3x4", 4, seed=3)
    found = simple_evaluate(Known(), tasks=[asked], bootstrap_iters=0)

    assert 0.5 == next(value for name, value in found["results"]["entropeg-next"].items() if name.startswith("worth,"))


def test_verifiers() -> None:
    module = adapter("verifiers_environment", "verifiers")
    taskset = module.MastermindTaskset(module.MastermindConfig(id="mastermind", rules="3x4", number=4, seed=3))
    found = list(taskset)

    assert [one.prompt for one in DRAWN] == [each.data.prompt for each in found]
    said: dict[str, float] = {}
    for text, worth in zip((f"ANSWER: {DRAWN[0].answer}", "none"), WORTH, strict=True):
        trace = SimpleNamespace(last_reply=text, metrics={}, rewards={})
        trace.record_reward = lambda name, value, _: said.update({name: value})
        asyncio.run(found[0].score(trace))
        assert {"worth": worth} == said

"""What looks after an installation: extras, stored kernels, `entropeg doctor`, `entropeg warm`, and what is damaged."""

import json
import re
import subprocess
import sys
import tomllib
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import cli
from entropeg.cli import group
from entropeg.errors import EntropegWarning, InputError, MissingExtraError
from entropeg.extras import EXTRAS, install, installed_version
from entropeg.kernels import switch
from entropeg.kernels.compile import kernel, stored
from entropeg.processes import Child
from entropeg.upkeep import JOBS, Observation, Warmed, WarmingProgress, doctor, examine, selftest, warm, warming
from entropeg.upkeep.jobs import StoredKernels, do, modules_with_kernels, stored_kernels

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


# ------------------------------------------------------------------ extras


def test_the_table_of_extras_is_that_of_the_package() -> None:
    extras = PROJECT["optional-dependencies"]
    names = {name: tuple(re.match(r"[\w-]+", one)[0] for one in each) for name, each in extras.items()}  # type: ignore[index]

    assert names == {name: extra.packages for name, extra in EXTRAS.items()}


def test_every_sentence_takes_the_command_from_the_table() -> None:
    named = [
        path.name
        for path in sorted((ROOT / "src").rglob("*.py"))
        if path.name != "extras.py" and re.search(r"entropeg\[\w+\]", path.read_text(encoding="utf-8"))
    ]

    assert [] == named


def test_the_oldest_numba_is_that_of_the_package() -> None:
    [wanted] = [one for one in PROJECT["dependencies"] if one.startswith("numba")]

    assert f"numba>={'.'.join(map(str, switch.OLDEST_NUMBA))}," in wanted


# ------------------------------------------------------------------ warm


def test_the_jobs_compile_every_module_of_kernels() -> None:
    named = {module.partition(":")[0] for job in JOBS.values() for module in job.modules}

    assert set(modules_with_kernels()) == named


@pytest.mark.slow
def test_after_all_jobs_everything_is_stored_and_nothing_is_compiled_again() -> None:
    told: list[WarmingProgress] = []
    done = warm(progress=told.append)

    assert [(name, "") for name in JOBS] == [(each.job, each.failure) for each in done]
    assert told
    assert all(progress.left >= 0 for progress in told)
    assert {"stored"} == set(stored_kernels().total)
    assert not do("arena").compiled


def test_what_is_left_to_compile_becomes_less_until_a_job_ends() -> None:
    waiting = ["near", "weights"]
    told = [warming.seconds_left([], {"play": passed, "arena": passed}, waiting, 2) for passed in range(200)]

    assert sum(JOBS[name].seconds for name in ("play", "arena", *waiting)) / 2 == told[0]
    assert sorted(told, reverse=True) == told
    assert sum(JOBS[name].seconds for name in waiting) / 2 == told[-1]
    slow = Warmed("play", 3 * JOBS["play"].seconds, compiled=True)
    assert 3 * JOBS["near"].seconds == pytest.approx(warming.seconds_left([slow], {}, ["near"], 1))
    assert warming.seconds_left([slow], {}, [], 2) == 0


def test_an_interruption_ends_the_processes_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Any] = []

    def noted(*arguments: Any, **options: Any) -> Any:
        started.append(child := Child(*arguments, **options))
        return child

    def interrupt(_: WarmingProgress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(warming, "Child", noted)
    with pytest.raises(KeyboardInterrupt):
        warm(jobs=2, progress=interrupt)

    assert [False, False] == [child.alive for child in started]


def test_a_job_that_fails_is_told_and_the_others_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        warming, "_SCRIPT", warming._SCRIPT.replace("do(sys", "do if sys.argv[1] == 'play' else do(sys")
    )
    done = warm(["play", "strategies"])

    assert ["TypeError: asdict() should be called on dataclass instances", ""] == [each.failure for each in done]


def test_a_name_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="there is nothing called 'everything' to compile: it is play, strategies,"):
        warm(["everything"])


def test_without_a_compiler_there_is_nothing_to_warm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "why_not", lambda: "ENTROPEG_KERNELS is no")

    with pytest.raises(MissingExtraError, match="there is nothing to compile, since ENTROPEG_KERNELS is no; boards to"):
        warm()


def test_the_command_tells_what_was_stored_and_names_all_jobs() -> None:
    runner = CliRunner()
    result = runner.invoke(group, ["warm", "strategies"])
    data = json.loads(runner.invoke(group, ["warm", "strategies", "--json"]).output)
    said = " ".join(runner.invoke(group, ["warm", "--help"]).output.split())

    assert (0, f"strategies  stored already  {JOBS['strategies'].purpose}\n") == (result.exit_code, result.output)
    assert [("strategies", False, "")] == [(each["job"], each["compiled"], each["failure"]) for each in data["jobs"]]
    assert f"NAME is one of {', '.join(list(JOBS)[:-1])} and {list(JOBS)[-1]};" in said


# ------------------------------------------------------------------ doctor


def found_of(part: str, name: str) -> Observation:
    [found] = [each for each in examine(is_tested=False).findings if (each.part, each.name) == (part, name)]
    return found


def test_a_missing_extra_is_named_with_what_it_is_for_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.extras.installed_version", lambda name: None if name == "platformdirs" else "99")

    web = found_of("extras", "web")
    assert ("note", install("web")) == (web.grade, web.help)
    assert "without platformdirs; for the laboratory in the browser, `entropeg serve`" == web.says
    assert "good" == found_of("extras", "solver").grade


@pytest.mark.parametrize(
    ("name", "version", "grade", "says"),
    [
        ("numba", "0.58.1", "note", "0.58.1, where "),
        ("numba", None, "note", "not installed: boards to 100,000 codes are played without"),
        ("rich", "12.0", "wrong", "12.0, where >=13.7 is asked for"),
        ("click", None, "wrong", "not installed"),
    ],
)
def test_an_old_or_missing_library_is_told_with_the_command(
    name: str, version: str | None, grade: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "installed_version", lambda one: version if one == name else installed_version(one))

    found = found_of("libraries", name)
    assert grade == found.grade
    assert found.says.startswith(says)
    assert found.help.startswith(f'pip install "{name}>=')


def test_kernels_that_are_damaged_old_or_missing_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    states: dict[str, Counter[stored.StoredState]] = {
        "play": Counter({"stored": 3, "damaged": 1}),
        "near": Counter({"old": 2}),
    }
    monkeypatch.setattr(doctor, "stored_kernels", lambda: StoredKernels(states=states, folders=(Path("/a"),)))
    state = found_of("kernels", "state")

    assert ("note", "`entropeg warm` compiles the rest, in about 21 s") == (state.grade, state.help)
    assert state.says.startswith("3 of 6 functions stored, in ")
    assert state.says.endswith("; 1 cannot be read, and will be made again")
    assert found_of("kernels", "play").says.startswith("3 of 4 stored, 1 is damaged: hints,")
    assert found_of("kernels", "near").says.startswith("not stored, 2 are old: ")


def test_a_folder_that_may_not_be_written_to_and_no_compiler_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "stored_kernels", lambda: StoredKernels(unkept=True))
    assert found_of("kernels", "state").help.startswith("NUMBA_CACHE_DIR in the environment names a folder")

    monkeypatch.setattr(doctor, "stored_kernels", lambda: StoredKernels("ENTROPEG_KERNELS is no"))
    told = found_of("kernels", "state").says
    assert "ENTROPEG_KERNELS is no: boards to 100,000 codes are played without" == told


def test_a_setting_that_makes_it_slow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    assert "note" == found_of("settings", "PYTHONDONTWRITEBYTECODE").grade


def test_in_a_browser_doctor_says_what_is_there_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"numba": None, "llvmlite": None, "matplotlib": None, "fastapi": None}
    for module in (doctor, selftest):
        monkeypatch.setattr(module, "is_browser", lambda: True)
        monkeypatch.setattr(module, "has_store", lambda: False)
    monkeypatch.setattr(doctor, "installed_version", lambda one: there.get(one, installed_version(one)))
    monkeypatch.setattr("entropeg.extras.installed_version", lambda one: there.get(one, "99"))
    monkeypatch.setattr(doctor, "stored_kernels", lambda: StoredKernels("there is no numba in a browser"))
    monkeypatch.delitem(selftest.TRIALS, "loads what is installed")
    monkeypatch.delitem(selftest.TRIALS, "agrees with compiled code")

    result = CliRunner().invoke(group, ["doctor", "--json"])
    data = json.loads(result.output)
    told = {f["name"]: (f["grade"], f["says"], f["help"]) for f in data["findings"]}

    assert 0 == result.exit_code
    assert data["well"]
    assert {
        "threads": ("note", "a browser's Python has no threads and no other processes: all is done in this one", ""),
        "numba": ("note", "none for a browser: boards to 100,000 codes are played without", ""),
        "sqlite3": (
            "note",
            "not there: games are played and compared, and no store keeps them",
            'await micropip.install("sqlite3")',
        ),
        "state": ("note", "there is no numba in a browser: boards to 100,000 codes are played without", ""),
        "figures": (
            "note",
            "not installed; for figures, and the report that holds them",
            'await micropip.install(["matplotlib"])',
        ),
        "web": ("note", "not for a browser; for the laboratory in the browser, `entropeg serve`", ""),
    }.items() <= told.items()
    assert not {"limits", "llvmlite", "starts threads", "starts processes"} & {
        f["name"] for f in data["findings"] if f["part"] != "extras"
    }
    assert "right" in told["keeps files"][1]


def test_a_failing_self_test_is_told_and_gives_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def explode() -> None:
        raise OSError("no space")

    def mistaken() -> None:
        selftest._expect("the number of paths", 5, 4)

    monkeypatch.setattr(selftest, "TRIALS", {"explodes": explode, "is wrong": mistaken, "is right": lambda: None})
    result = CliRunner().invoke(group, ["doctor"])
    data = json.loads(CliRunner().invoke(group, ["doctor", "--json"]).output)

    assert 1 == result.exit_code
    assert "! explodes  OSError: no space" in result.output
    assert "! is wrong  the number of paths is 4, and should be 5" in result.output
    assert result.output.endswith("explodes, is wrong: not right\n")
    assert not data["well"]
    assert {"part", "name", "says", "grade", "help"} == set(data["findings"][0])


def test_an_installation_that_works_is_found_to_work() -> None:
    result = CliRunner().invoke(group, ["doctor"])

    assert (0, "everything works") == (result.exit_code, result.output.splitlines()[-1])
    assert re.search(r"starts processes +right", result.output)


# ------------------------------------------------------------------ what is damaged, or cannot be kept


def test_the_state_of_stored_code_is_told(tmp_path: Path) -> None:
    files = stored.SignatureFiles(str(tmp_path), "function-1.py311", "of some sources")
    assert "absent" == files.state("this processor")

    files.save(("int", "this processor", ""), "code")
    assert ("stored", "absent") == (files.state("this processor"), files.state("another"))
    other = stored.SignatureFiles(str(tmp_path), "function-1.py311", "of newer sources")
    assert "old" == other.state("this processor")

    for damaged in sorted(tmp_path.iterdir()):
        whole = damaged.read_bytes()
        damaged.write_bytes(whole[: len(whole) // 2])
        assert "damaged" == files.state("this processor")
        damaged.write_bytes(whole)
    assert "stored" == files.state("this processor")


def _double(values: Any) -> Any:
    for i in range(values.size):
        values[i] *= 2


def test_a_full_disk_is_told_once_and_the_function_works(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(stored.SignatureFiles, "_save_data", full)
    stored._not_kept.cache_clear()
    double, values = kernel(_double), (np.array([1, 2]), np.array([0.5]))
    with pytest.warns(EntropegWarning) as said:
        list(map(double, values))

    assert [[2, 4], [1.0]] == [each.tolist() for each in values]
    [told] = {str(one.message) for one in said}
    assert told == (
        "compiled code cannot be kept, and is made again each time (No space left on device); "
        "`entropeg doctor` tells more"
    )
    assert 1 == len(said)


def test_where_no_folder_may_be_written_to_kernels_compile_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: Any) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(stored.StoredCode, "__init__", nowhere)
    stored._not_kept.cache_clear()
    with pytest.warns(EntropegWarning, match="neither the folder of the source nor that of the user"):
        double = kernel(_double)
    values = np.array([4])
    double(values)

    assert [8] == values.tolist()


def test_files_of_another_user_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(stored.SignatureFiles, "load", refused)
    monkeypatch.setattr(stored.SignatureFiles, "save", lambda *_: None)
    values = np.array([4])
    kernel(_double)(values)

    assert [8] == values.tolist()


OLD = """
import sys, types, warnings
sys.modules["numba"] = types.ModuleType("numba")
sys.modules["numba"].__version__ = "0.58.1"
sys.argv = ["entropeg", "tree", "build", "parts", "4x6"]
from entropeg.kernels import switch
switch.MOST_PAIRS = 1
from entropeg.__main__ import main
main()
"""


def test_an_old_numba_is_told_in_a_sentence_and_small_boards_are_played() -> None:
    done = subprocess.run([sys.executable, "-c", OLD], check=False, capture_output=True, text=True)
    said = " ".join(done.stderr.split())

    assert 0 == done.returncode, done.stderr
    assert "total 5668 guesses" in done.stdout
    assert said == (
        "entropeg: nothing is compiled, and large boards take long: numba 0.58.1 is older than 0.60, "
        "`pip install --upgrade numba` brings a newer one"
    )


def test_a_warning_of_others_is_left_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[str] = []
    monkeypatch.setattr(warnings, "showwarning", lambda message, *_: others.append(str(message)))
    with cli._warnings_told():
        warnings.simplefilter("default")
        warnings.warn("something else", UserWarning, stacklevel=1)
        warnings.warn("slower", EntropegWarning, stacklevel=1)

    assert (["something else"], "entropeg: slower\n") == (others, capsys.readouterr().err)

"""What is kept of compiled kernels: processes that compile at once do not mix their code up, and no code goes stale."""

import ast
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile  # type: ignore[import-untyped, unused-ignore]

from entropeg.errors import EntropegWarning
from entropeg.kernels.compile import allocating_kernel, doors, entry_point, kernel, stored
from interrupting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.kernels]

STAMP = "of some sources"
ROOT = Path(__file__).parents[2]
KERNELS = [
    path
    for path in sorted((ROOT / "src").rglob("*.py"))
    if "from entropeg.kernels.compile import" in path.read_text(encoding="utf-8")
]


def mixed_up(kind: Any, folder: Path) -> Any:
    """What is kept for «float» after another process kept it while this one was about to keep «int»."""
    one, other = (kind(str(folder), "function-1.py311", STAMP) for _ in range(2))
    write = one._save_data

    def late(name: str, data: str) -> None:
        other._load_index = dict
        other.save("float", "code for float")
        write(name, data)

    one._save_data = late
    one.save("int", "code for int")
    return kind(str(folder), "function-1.py311", STAMP).load("float")


def test_two_signatures_that_two_processes_keep_at_once_stay_apart(tmp_path: Path) -> None:
    assert "code for float" == mixed_up(stored.SignatureFiles, tmp_path)


def test_numba_mixes_them_up(tmp_path: Path) -> None:
    """If this fails numba has mended it, and `SignatureFiles` may go."""
    assert "code for int" == mixed_up(IndexDataCacheFile, tmp_path)


def test_code_of_an_older_source_is_not_taken(tmp_path: Path) -> None:
    stored.SignatureFiles(str(tmp_path), "function-1.py311", STAMP).save("int", "old")

    assert stored.SignatureFiles(str(tmp_path), "function-1.py311", "of others").load("int") is None


def test_an_index_or_code_that_cannot_be_read_is_written_again(tmp_path: Path) -> None:
    """An older version may have named the type of an argument otherwise, and a disk may have been full."""
    files = stored.SignatureFiles(str(tmp_path), "function-1.py311", STAMP)
    files.save("int", "code")
    for damaged in sorted(tmp_path.iterdir()):
        whole = damaged.read_bytes()
        damaged.write_bytes(whole[:-8])
        stored._damaged.cache_clear()

        with pytest.warns(
            EntropegWarning, match="stored compiled code is damaged, and is compiled again; `entropeg do"
        ):
            assert files.load("int") is None
        assert files.load("int") is None  # said once

        damaged.write_bytes(whole)
        assert "code" == files.load("int")
    index = next(tmp_path.glob("*.nbi"))
    index.write_bytes(index.read_bytes().replace(STAMP.encode(), b"\xff" * len(STAMP)))
    assert files.load("int") is None

    files.save("int", "newer code")
    assert "newer code" == files.load("int")


@pytest.mark.parametrize("decorate", [kernel, allocating_kernel, entry_point(), entry_point("other")])
def test_kernels_keep_a_file_for_each_signature(decorate: Any) -> None:
    def first(values: Any) -> Any:
        return values[0]

    compiled = decorate(first)

    assert isinstance(compiled._cache._cache_file, stored.SignatureFiles)
    assert 3 == compiled(np.array([3]))
    assert 2.5 == compiled(np.array([2.5]))


def test_every_search_is_kept_so() -> None:
    from entropeg.kernels.onestep import search
    from entropeg.search.beam import kernels
    from entropeg.search.exact import engine

    assert engine.by_counts.address
    compiled = [search._search, kernels.best_columns, engine.by_weights._compiled, engine.by_counts._compiled]
    assert {stored.StoredCode} == {type(made._cache) for made in compiled}


# ------------------------------------------------------------------ sources


def test_the_sources_of_a_module_are_all_that_it_imports() -> None:
    def closure(path: Path) -> set[Path]:
        found, waiting = {path}, [path]
        while waiting:
            tree = ast.parse(waiting.pop().read_text(encoding="utf-8"))
            names = set()
            for node in tree.body:
                if isinstance(node, ast.ImportFrom):
                    assert not node.level
                    names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
                elif isinstance(node, ast.Import):
                    names |= {alias.name for alias in node.names}
            for name in names:
                for file in (Path(*name.split(".")).with_suffix(".py"), Path(*name.split("."), "__init__.py")):
                    place = ROOT / "src" / file
                    if name.startswith("entropeg") and place.is_file() and place not in found:
                        found.add(place)
                        if place.parent != stored.FOLDER:
                            waiting.append(place)
        return found | set(stored.FOLDER.glob("*.py"))

    assert len(KERNELS) > 10
    assert {path: closure(path) for path in KERNELS} == {path: set(stored.sources(path)) for path in KERNELS}


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from entropeg.kernels.compile import stored
from pathlib import Path
stored.PACKAGE, stored._file_of = Path({folder!r}), lambda name: (
    Path({folder!r}) / "other.py" if name == "entropeg.other" else None
)
sys.modules["entropeg.other"] = __import__("other")
import caller
print(caller.five(), sum(caller.five.stats.cache_hits.values()))
"""


def test_code_is_compiled_again_when_a_file_changes_that_its_file_imports(tmp_path: Path) -> None:
    """A constant of another file is part of the code; numba alone would go on with the old one."""
    (tmp_path / "caller.py").write_text(
        "from entropeg.kernels.compile import kernel\nfrom entropeg.other import FIVE\n\n\n"
        "@kernel\ndef five():\n    return FIVE\n"
    )

    def ran(value: int) -> list[str]:
        (tmp_path / "other.py").write_text(f"FIVE = {value}\n")
        command = [sys.executable, "-B", "-c", PROGRAM.format(folder=str(tmp_path))]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    assert ["5", "0"] == ran(5)
    assert ["5", "1"] == ran(5)
    assert ["6", "0"] == ran(6)


def test_functions_with_other_kernels_inside_are_kept_apart_and_found_again(tmp_path: Path) -> None:
    (tmp_path / "variants.py").write_text(
        "from entropeg.kernels.compile import entry_point, inner\n\n\n"
        "@inner\ndef double(x):\n    return 2 * x\n\n\n@inner\ndef square(x):\n    return x * x\n\n\n"
        "def made(name, part):\n    @inner\n    def middle(x):\n        return part(x)\n\n"
        "    @entry_point(name)\n    def whole(x):\n        return middle(x)\n\n    return whole\n"
    )
    # Both are made by the same lines: the code of one must not be taken for that of the other.
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom variants import *\n"
        "one, two = made('double', double), made('square', square)\n"
        "print(one(5), two(5), sum(one.stats.cache_hits.values()), sum(two.stats.cache_hits.values()))"
    )

    def ran() -> str:
        return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert "10 25 0 0\n" == ran()
    assert "10 25 1 1\n" == ran()


# ------------------------------------------------------------------ numba's internals


def test_this_version_of_numba_has_all_internals() -> None:
    assert ("", "") == (doors.missing(doors.STORING), doors.missing(doors.EMBEDDING))


WITHOUT = """
import sys
sys.path.insert(0, {folder!r})
import importlib.util
spec = importlib.util.find_spec("entropeg.kernels.compile")
package = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = package
from entropeg.kernels.compile import doors
doors.{which} = (*doors.{which}, ("numba.core.dispatcher", "Dispatcher", "no_such_thing"))
spec.loader.exec_module(package)
from tried import ten
print(ten(5))
print(type(ten._cache).__name__)
"""


@pytest.mark.parametrize(("which", "kept"), [("STORING", "NullCache"), ("EMBEDDING", "StoredCode")])
def test_without_an_internal_kernels_compile_in_the_way_of_numba(tmp_path: Path, which: str, kept: str) -> None:
    (tmp_path / "tried.py").write_text(
        "from entropeg.kernels.compile import inner, kernel\n\n\n@inner\ndef double(x):\n    return x + x\n\n\n"
        "@kernel\ndef ten(x):\n    return double(x)\n"
    )
    command = [sys.executable, "-W", "default", "-c", WITHOUT.format(folder=str(tmp_path), which=which)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)

    assert ["10", kept] == ran.stdout.split()
    assert 1 == ran.stderr.count("numba.core.dispatcher.Dispatcher.no_such_thing")
    assert 1 == ran.stderr.count("EntropegWarning")


# ------------------------------------------------------------------ one compiles, the others wait

TOGETHER = """
import sys, time
from pathlib import Path
folder, name = sys.argv[1:]
sys.path.insert(0, folder)
import numpy as np
from caller import ordered
Path(folder, name).touch()
while not Path(folder, "go").exists():
    time.sleep(0.001)
ordered(np.array([2, 1]))
print(sum(ordered.stats.cache_hits.values()))
"""


def test_of_processes_that_need_the_same_code_one_compiles_it(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(
        "import numpy as np\nfrom entropeg.kernels.compile import allocating_kernel\n\n\n"
        "@allocating_kernel\ndef ordered(values):\n    return np.sort(values)\n"
    )
    names = ["one", "two", "three"]
    command = [sys.executable, "-B", "-c", TOGETHER, str(tmp_path)]
    started = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in names]
    assert wait_until(lambda: all((tmp_path / name).exists() for name in names))

    (tmp_path / "go").touch()

    assert [0, 1, 1] == sorted(int(process.communicate(timeout=300)[0]) for process in started)
    assert [] == list(tmp_path.rglob("*.lock"))


def test_a_turn_is_not_waited_for_beyond_patience(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "PATIENCE", 0.1)
    one, other = (stored.CompilingTurn(tmp_path / "function.lock") for _ in range(2))
    assert not one.take()

    assert not other.take()

    one.end()
    assert not other.take()
    other.end()
    assert [] == list(tmp_path.iterdir())

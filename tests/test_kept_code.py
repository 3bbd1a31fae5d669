"""What is kept of compiled kernels: processes that compile at once do not mix their code up."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba.core.caching import IndexDataCacheFile  # type: ignore[import-untyped, unused-ignore]

from entropeg.kernels import _compiled

STAMP = (1.0, 2)


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
    assert "code for float" == mixed_up(_compiled.SignatureFiles, tmp_path)


def test_numba_mixes_them_up(tmp_path: Path) -> None:
    """If this fails numba has mended it, and `SignatureFiles` may go."""
    assert "code for int" == mixed_up(IndexDataCacheFile, tmp_path)


def test_code_of_an_older_source_is_not_taken(tmp_path: Path) -> None:
    _compiled.SignatureFiles(str(tmp_path), "function-1.py311", STAMP).save("int", "old")

    assert _compiled.SignatureFiles(str(tmp_path), "function-1.py311", (3.0, 2)).load("int") is None


@pytest.mark.parametrize("decorate", [_compiled.kernel, _compiled.allocating_kernel])
def test_kernels_keep_a_file_for_each_signature(decorate: Any) -> None:
    def first(values: Any) -> Any:
        return values[0]

    compiled = decorate(first)

    assert isinstance(compiled._cache._cache_file, _compiled.SignatureFiles)
    assert 3 == compiled(np.array([3]))
    assert 2.5 == compiled(np.array([2.5]))

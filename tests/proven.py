"""The proven checker, where it is built."""

import pytest

from entropeg.check.explicit import checker
from entropeg.errors import InputError


@pytest.fixture(scope="session")
def built() -> None:
    """See to it that a test which asks the proven checker is left out, aloud, where there is none."""
    try:
        checker()
    except InputError:
        pytest.skip("SKIPPED: no proven checker: `make proven` builds it where there is Coq or OCaml")

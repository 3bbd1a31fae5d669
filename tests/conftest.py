"""Settings that every test shares: how many cases Hypothesis draws, and whether it may surprise.

`default` and `ci` draw the same cases each time, so that a run says something about the change at hand
and not about luck; `brief` draws few of them, for slow ways to run; `long` is for hunting: `make test-long`;
`mutants` asks whether a case fails, not for the smallest. No profile has a deadline: a kernel's first call compiles it.
"""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from entropeg import cli
from entropeg.cli import progress
from entropeg.kernels import switch

# The fixtures of tests in a browser and of the proven checker, and what tests of a room cost.
pytest_plugins = ["browser", "firefox", "proven", "rooms"]

# No modules with doctests: programs of users, which tests/house/test_user_types.py runs, and a `sitecustomize`, which
# takes POSIX from the process that imports it.
collect_ignore_glob = ["typing/*", "other_systems/*"]

settings.register_profile("default", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("brief", settings.get_profile("default"), max_examples=10)
settings.register_profile(
    "mutants", settings.get_profile("default"), phases=[Phase.explicit, Phase.generate], database=None
)
settings.register_profile("ci", settings.get_profile("default"), print_blob=True)
settings.register_profile(
    "long",
    deadline=None,
    derandomize=False,
    max_examples=1000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))

# Jobs in the background of a script ignore Ctrl-C, those under nohup SIGHUP too, and so would the programs that tests
# start and interrupt: a test that waits for their end would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if os.name == "posix" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Commands speak the language of the system: here English, whoever runs the tests.
for variable in ("ENTROPEG_LANG", "LC_ALL", "LC_MESSAGES"):
    os.environ.pop(variable, None)
os.environ["LANG"] = "C.UTF-8"

# Kernels are what most tests are about; tests of their twins say so. Programs that tests start choose for themselves.
USUAL = os.environ.get("ENTROPEG_KERNELS") or "always"
switch.use(USUAL)


@pytest.fixture(scope="module", params=["always", "no"], ids=["kernels", "numpy"])
def both_ways(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that uses this holds of the kernels and of their twins on NumPy."""
    before = switch.use(request.param)
    yield
    switch.use(before)


@pytest.fixture(autouse=True)
def _alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep from a test what others chose, and out of what commands say what depends on time and on the machine.

    `both_ways` lasts to the end of its module, over tests that do not use it. Lines for logs come after some seconds,
    word of the compiler on the first run on a machine.
    """
    before = switch.mode() if "both_ways" in request.fixturenames else switch.use(USUAL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "FIRST", 1e6)
        patch.setattr(cli, "_tell_of_compilation", lambda: None)
        yield
    switch.use(before)


@pytest.fixture
def ctrl_c_is_heard() -> Iterator[None]:
    """Have Ctrl-C do what it does in a fresh interpreter: a shell's background jobs ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)

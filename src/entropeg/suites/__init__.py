"""Benchmarks that can be cited: boards and secrets of a suite, the games of an agent as a log, and its official score.

Secrets come from SHA-256 of the suite and a salt, so that anybody can draw them again; a log is a chain of lines, each
with the digest of all before it; and a score takes the luck of the answers out of the mean.
"""

from entropeg.suites.logs import BenchLog, LogError, read_log
from entropeg.suites.running import run_bench
from entropeg.suites.scoring import BenchScore, BoardScore, score_log
from entropeg.suites.suite import SUITES, Drawing, Suite, suite_of

__all__ = [
    "SUITES",
    "BenchLog",
    "BenchScore",
    "BoardScore",
    "Drawing",
    "LogError",
    "Suite",
    "read_log",
    "run_bench",
    "score_log",
    "suite_of",
]

"""Looks after an installation: its parts, the missing ones, whether it works, and the kernels to compile."""

from entropeg.upkeep.doctor import Diagnosis, Observation, examine
from entropeg.upkeep.jobs import JOBS, Job, Warmed
from entropeg.upkeep.warming import WarmingProgress, warm

__all__ = ["JOBS", "Diagnosis", "Job", "Observation", "Warmed", "WarmingProgress", "examine", "warm"]

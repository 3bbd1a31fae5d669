"""Looks after an installation: what is there, what is missing, whether it works, and what there is to compile."""

from entropeg.upkeep.doctor import Diagnosis, Observation, examine
from entropeg.upkeep.jobs import JOBS, Job, Warmed
from entropeg.upkeep.warming import WarmingProgress, warm

__all__ = ["JOBS", "Diagnosis", "Job", "Observation", "Warmed", "WarmingProgress", "examine", "warm"]

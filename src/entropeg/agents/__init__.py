"""Environments of the game for agents that learn: a game, many games at once, and both sides of one.

To import the room registers `entropeg/Mastermind-v0`; `gymnasium.make("entropeg.agents:entropeg/Mastermind-v0")`
imports it by itself.
"""

from entropeg.errors import MissingExtraError
from entropeg.extras import install

ID = "entropeg/Mastermind-v0"

try:
    from gymnasium.envs.registration import register
except ModuleNotFoundError as missing:
    raise MissingExtraError(
        "environments for agents need {package}: {command}", missing.name, install("agents")
    ) from missing

register(
    id=ID,
    entry_point="entropeg.agents.single:MastermindEnv",
    vector_entry_point="entropeg.agents.many:MastermindVectorEnv",
)

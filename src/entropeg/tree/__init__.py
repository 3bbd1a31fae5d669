"""Strategy trees: a complete deterministic strategy for rules whose codes can be listed.

A tree is built from any deterministic codebreaker, checked by playing every secret through it, saved, loaded, drawn,
and is itself a codebreaker.
"""

from entropeg.symmetry import opening_classes
from entropeg.tree.files import check_ending
from entropeg.tree.game_value import GameValue, MixedTree, SecretClass, game_value
from entropeg.tree.strategy import Opening, StrategyTree, openings, tree_of_nodes
from entropeg.tree.within import MostWithin, most_within

__all__ = [
    "GameValue",
    "MixedTree",
    "MostWithin",
    "Opening",
    "SecretClass",
    "StrategyTree",
    "check_ending",
    "game_value",
    "most_within",
    "opening_classes",
    "openings",
    "tree_of_nodes",
]

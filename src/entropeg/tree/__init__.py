"""Strategy trees: a complete deterministic strategy for rules whose codes can be listed.

A tree is built from any deterministic codebreaker, checked by playing every secret through it, saved, loaded, drawn,
and is itself a codebreaker.
"""

from entropeg.tree.build import Opening, build_tree, opening_classes, openings, tree_of_nodes
from entropeg.tree.files import check_ending, load_tree, save_tree
from entropeg.tree.strategy import StrategyTree

__all__ = [
    "Opening",
    "StrategyTree",
    "build_tree",
    "check_ending",
    "load_tree",
    "opening_classes",
    "openings",
    "save_tree",
    "tree_of_nodes",
]

"""Settings of the documentation: Sphinx reads MyST Markdown, and the docstrings of every module."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

import entropeg

project = "entropeg"
author = "The entropeg authors"
copyright = "2026, The entropeg authors"
release = version = entropeg.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "modules"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"entropeg {release}"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Types are named as they stand in the code, and several modules have an Array or Codes of their own.
suppress_warnings = ["ref.python"]
# Docstrings mark code as Markdown does, with single marks.
default_role = "code"

"""Settings of the documentation: Sphinx reads MyST Markdown, and the docstrings of every module."""

import logging
import os
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent / "extensions"), str(Path(__file__).parents[1] / "scripts")]

import entropeg

project = "entropeg"
author = "The entropeg authors"
copyright = "2026, The entropeg authors"
release = version = entropeg.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_design",
    "commands",
    "languages",
    "modules",
    "offline",
    "pictures",
    "tables",
]
exclude_patterns = ["_build", "extensions", "learn/notebooks/*.ipynb"]

# The French of a page is a file of its own; `make docs` builds the pages once more with `language=fr`.
locale_dirs = ["locales"]
gettext_compact = False

html_theme = "furo"
html_title = f"entropeg {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sourcelink = False
html_copy_source = False

# Formulas are drawn by the MathJax of docs/_static/mathjax. It would ask a network for fonts of rare letters, for menus
# and for speech: these are off, or lead to this folder.
mathjax_path = "mathjax/tex-svg.js"
mathjax4_config = {
    "loader": {
        "load": ["a11y/assistive-mml"],
        "paths": {"fonts": "[mathjax]", "mathjax-newcm": "[mathjax]", "sre": "[mathjax]"},
    },
    "options": {
        "enableMenu": False,
        "enableSpeech": False,
        "enableBraille": False,
        "enableExplorer": False,
        "enableEnrichment": False,
        "enableAssistiveMml": True,
        "menuOptions": {"settings": {"enrich": False, "speech": False, "braille": False, "assistiveMml": True}},
    },
    "output": {"displayOverflow": "linebreak"},
}

# Tutorials are run each time they are built, and a cell that fails is an error.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_merge_streams = True
# Folded cells are solutions of exercises; the word is the same in French.
nb_code_prompt_show = nb_code_prompt_hide = "Solution"
# Kernels say on standard error that nothing is encrypted between processes of one machine; and what a person keeps for
# sessions of their own is not for these pages.
profile = Path(__file__).parent / "_build" / "ipython" / "profile_default"
profile.mkdir(parents=True, exist_ok=True)
(profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 'ERROR'\n", encoding="utf-8")
os.environ["IPYTHONDIR"] = str(profile.parent)
logging.getLogger("traitlets").setLevel(logging.WARNING)
nb_execution_timeout = 120

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# A side bar of five thousand functions would help nobody, and take a minute to write.
toc_object_entries = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Types are named as they stand in the code, and several modules have an Array or Codes of their own.
suppress_warnings = ["ref.python"]
# Docstrings mark code as Markdown does, with single marks.
default_role = "code"

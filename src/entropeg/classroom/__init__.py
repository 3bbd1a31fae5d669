"""The classroom: codebreakers and codemakers written by others, for a course, run, checked and compared.

A course module is a Python file with `init()` and either `codebreaker(evaluation)` or `codemaker(guess)`, that imports
`common` for `LENGTH`, `COLORS` and what they share. Each runs in a process of its own, under limits; its files are
never changed. The page "Classroom" of the documentation tells the whole story.
"""

from entropeg.classroom.functions.validation import Validation, validate, valider

__all__ = ["Validation", "validate", "valider"]

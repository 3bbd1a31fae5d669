"""Takes the places of files out of sentences: where the owner of the server keeps them is for the log alone."""

from __future__ import annotations

from typing import Any

from entropeg.told import Joined, Told


def replaced(text: Any, old: str, new: str) -> Any:
    """Return a sentence with other words in its fields, a text with other words.

    >>> replaced(Told("the folder {folder} cannot be used", "/home/ann/runs"), "/home/ann/", "").fields
    {'folder': 'runs'}
    """
    match text:
        case Told():
            fields = {name: replaced(value, old, new) for name, value in text.fields.items()}
            template, many = (each.replace(old, new) for each in (text.template, text.many))
            return Told.of(template, fields, many, text.context)
        case Joined():
            return Joined(replaced(part, old, new) for part in text.parts)
        case tuple():
            return tuple(replaced(each, old, new) for each in text)
        case str():
            return text.replace(old, new)
    return text

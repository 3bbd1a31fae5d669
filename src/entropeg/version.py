"""The version of the package: below all rooms, so that none of them needs the package for it."""

__version__ = "0.1.0"

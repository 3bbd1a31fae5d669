"""Says what each extra brings, what it is for, and the command that installs it.

An extra is a group of libraries that few users need: the package names them in its metadata, and nothing here imports
any. Every sentence about one that is not there ends in `install`.
"""

from __future__ import annotations

from dataclasses import dataclass

from entropeg.told import Told


@dataclass(frozen=True)
class Extra:
    """A group of libraries that is installed by its name.

    `packages` are those that entropeg imports, as they are called where packages are kept; `purpose` completes the
    sentence "it is for ...".
    """

    name: str
    packages: tuple[str, ...]
    purpose: str

    @property
    def command(self) -> str:
        """The command that installs it, as any shell reads it, and where: entropeg is not published under its name.

        >>> EXTRAS["figures"].command
        'python -m pip install ".[figures]" in the folder of the sources of entropeg'
        """
        pip = f'python -m pip install ".[{self.name}]"'
        return Told("{command} in the folder of the sources of entropeg", pip)

    @property
    def versions(self) -> dict[str, str | None]:
        """The version of each package; None where it is not installed. Imports none of them."""
        return {package: installed_version(package) for package in self.packages}

    @property
    def absent(self) -> tuple[str, ...]:
        """The packages that are not installed."""
        return tuple(package for package, found in self.versions.items() if found is None)


def installed_version(package: str) -> str | None:
    """Return the version of an installed package, without importing it; None where there is none.

    >>> installed_version("no-such-package") is None
    True
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


EXTRAS = {
    extra.name: extra
    for extra in (
        Extra("figures", ("matplotlib",), Told("figures, and the report that holds them")),
        Extra("parquet", ("polars",), Told("data frames and tables of games as Parquet files")),
        Extra("solver", ("ortools",), Told("proofs that no code fits a game, or only one, on huge boards")),
        Extra(
            "limits",
            ("psutil",),
            Told("limits of processor time and memory where the system keeps none (Windows, macOS)"),
        ),
        Extra("cluster", ("distributed", "dask", "cryptography"), Told("work on a cluster, `--executor dask`")),
        Extra(
            "web",
            ("fastapi", "starlette", "uvicorn", "cryptography", "platformdirs"),
            Told("the laboratory in the browser, `entropeg serve`"),
        ),
        Extra("agents", ("gymnasium", "pettingzoo"), Told("environments for agents that learn")),
        Extra("mcp", ("mcp",), Told("tools for language models, `entropeg mcp`")),
    )
}
"""The extras that users may want; those for work on entropeg itself stand in pyproject.toml alone."""


def install(name: str) -> str:
    """Return the command that installs an extra.

    >>> install("web")
    'python -m pip install ".[web]" in the folder of the sources of entropeg'
    """
    return EXTRAS[name].command

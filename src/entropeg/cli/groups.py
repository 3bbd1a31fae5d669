"""Groups of commands that answer a name they do not know with the nearest ones."""

from __future__ import annotations

import click

from entropeg.cli.nearest import nearest
from entropeg.errors import quoted


class NearestGroup(click.Group):
    """A click group that answers an unknown name with the nearest ones.

    >>> NearestGroup(commands={"build": click.Command("build")}).nearest("biuld")
    'did you mean build?'
    """

    def nearest(self, name: str) -> str:
        """Say which commands a name may have meant, or which there are."""
        names = self.list_commands(click.Context(self))
        near, _ = nearest(name, [*names, "--help"], 0.5)
        return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command called; an unknown name is answered with the nearest ones."""
        if args and args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command {quoted(args[0])}: {self.nearest(args[0])}", ctx)
        return super().resolve_command(ctx, args)

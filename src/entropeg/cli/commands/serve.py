"""`entropeg serve`: the laboratory in the browser, served on this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from entropeg import signals
from entropeg.chosen_language import spoken_language
from entropeg.cli.browsing import show_page
from entropeg.cli.terminal import OWN, remark
from entropeg.errors import MissingExtraError
from entropeg.extras import install
from entropeg.files import data_folder
from entropeg.told import Template, Told, plural, word

if TYPE_CHECKING:
    from entropeg.web.settings import Settings


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, metavar="P", help="0 takes a free one."
)
@click.option("--public", is_flag=True, help="Others use it too: tighter limits on what a request may ask.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A further name under which it may be asked for.")
@click.option("--data", metavar="DIR", help="Folder of what is kept: a key, runs, trees. [default: the user's]")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in the browser.")
def command(host: str, port: int, public: bool, allow_host: tuple[str, ...], data: str | None, opens: bool) -> None:
    """Serve the laboratory as a page in the browser, until Ctrl-C.

    The page speaks the language that the browser asks for first, and that of --lang where it asks for none of ours.

    Nothing leaves this machine, and only this machine can reach the page, unless --host says otherwise.
    """
    with signals.in_order():  # from here on it stops as it does when the page is there
        _serve(host, port, public=public, allow_host=allow_host, data=data, opens=opens)
    remark(OWN + word("progress", "stopped"))


def _serve(host: str, port: int, *, public: bool, allow_host: tuple[str, ...], data: str | None, opens: bool) -> None:
    try:
        from entropeg.web.serving import serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("entropeg"):
            raise
        raise MissingExtraError("the page needs FastAPI and its kin: {command}", install("web")) from None
    from entropeg.web.settings import PUBLIC, ServerLimits, Settings

    folder = Path(data) if data is not None else data_folder()
    if folder is None:
        raise MissingExtraError("the page needs FastAPI and its kin: {command}", install("web"))
    settings = Settings(
        data=folder,
        host=host,
        port=port,
        public=public,
        allowed_hosts=allow_host,
        language=spoken_language(),
        limits=PUBLIC if public else ServerLimits(),
    )

    def ready(address: str) -> None:
        for sentence in _warnings(settings):
            remark(OWN + sentence)
        click.echo(address)
        sys.stdout.flush()
        if opens:
            show_page(address)

    if not signals.is_heard():
        serve(settings, ready)


def _warnings(settings: Settings) -> list[Told]:
    said = []
    if not settings.is_loopback:
        reached = Template("listening on {host}: every machine that can reach this one can use the page, unencrypted")
        said.append(Told(reached, settings.host))
    if settings.public:
        limits = settings.limits
        public = Template(
            "public: boards to {pegs} pegs and {colors} colors, {seconds:g} s a request, {requests} of them a "
            "minute for each address, {runs} at once, and the runs of all are seen by all"
        )
        runs = plural(limits.runs, "{n} long run", "{n} long runs")
        said.append(Told(public, limits.pegs, limits.colors, limits.seconds, limits.a_minute, runs))
    return said

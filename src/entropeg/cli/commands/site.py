"""`entropeg site`: the page as plain files, which need no server of ours."""

from __future__ import annotations

import json

import click

from entropeg.chosen_language import translated
from entropeg.cli.options import json_option
from entropeg.told import Template, Told


@click.command("site")
@click.option("--out", required=True, metavar="DIR", help="The folder, new, empty, or with such a page.")
@click.option("--url", metavar="URL", help="Where others will find it, for links. [default: wherever it lies]")
@click.option("--docs", metavar="DIR", help="The built documentation, as of make docs, to lie beside the page.")
@json_option
def command(out: str, url: str | None, docs: str | None, as_json: bool) -> None:
    """Write the page as a folder of files, which any web server serves, and a browser opens from a disk.

    It plays, helps, explores and reviews in the browser alone, on boards up to 5x8, and goes on without a network once
    it was opened. Comparing players, proofs and larger boards need the laboratory: `entropeg serve`.

    Keys with --json: folder, files, size, url.
    """
    from entropeg.site import write_site

    site = write_site(out, url, docs=docs)
    if as_json:
        click.echo(json.dumps(site.to_json()))
        return
    said = Told("{folder}: {files} files, {size:,} bytes", site.folder, site.files, site.size)
    click.echo(translated(said))
    look = Template("look at it: open {folder}/index.html in a browser, or python -m http.server --directory {folder}")
    click.echo(translated(Told(look, site.folder)))

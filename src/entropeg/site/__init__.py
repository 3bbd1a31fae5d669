"""Writes the page as a folder of plain files that needs no server of ours: it answers itself in the browser."""

from entropeg.site.folder import Site, write_site

__all__ = ["Site", "write_site"]

"""Gives figures their look, and writes their files: the same on every call, without a date or a random identifier."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, Any

from entropeg.errors import MissingExtraError
from entropeg.extras import install
from entropeg.files import MARK
from entropeg.signals import held

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK, QUIET, BAND, PAPER = "#222222", "#6b6b6b", "#d9d9d9", "#ffffff"
BLUE, VERMILION = "#0072b2", "#d55e00"
"""Okabe and Ito's pair that survives every kind of color blindness; on a dark screen the page takes lighter ones."""

_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 11.0,
    "axes.titlesize": 11.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.facecolor": "none",
    "figure.facecolor": PAPER,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "hatch.linewidth": 1.0,
    "legend.frameon": False,
    "legend.fontsize": 10.0,
    "svg.fonttype": "none",
    "svg.hashsalt": "entropeg",
}


def require() -> None:
    """Raise MissingExtraError where matplotlib is not installed."""
    try:
        import matplotlib as mpl  # noqa: F401 (only whether it is there)
    except ImportError:
        raise MissingExtraError("figures need matplotlib: {install}", install("figures")) from None


@contextmanager
def styled() -> Iterator[None]:
    """Draw with our look inside the block; raises MissingExtraError where matplotlib is not installed."""
    require()
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        yield


def svg(figure: Figure) -> bytes:
    """Return the figure as an SVG file, its text as text; equal figures give equal bytes."""
    return _written(figure, "svg", {"Date": None, "Creator": MARK})


def png(figure: Figure, *, dpi: int = 200) -> bytes:
    """Return the figure as a PNG file; equal figures give equal bytes."""
    return _written(figure, "png", {"Software": MARK}, dpi=dpi)


def pdf(figure: Figure) -> bytes:
    """Return the figure as a PDF file; equal figures give equal bytes."""
    return _written(figure, "pdf", {"Creator": MARK, "Producer": None, "CreationDate": None})


def _written(figure: Figure, kind: str, metadata: dict[str, str | None], **options: Any) -> bytes:
    buffer = BytesIO()
    with styled(), held():  # what matplotlib compiles loses Ctrl-C, or takes it for a fault of the figure
        figure.savefig(buffer, format=kind, metadata=metadata, **options)
    return buffer.getvalue()

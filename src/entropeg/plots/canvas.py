"""A figure of matplotlib that a notebook draws as the last value of a cell, as it draws positions and games."""

from matplotlib.figure import Figure

from entropeg.plots.writing import svg


class ShownFigure(Figure):
    """A figure that shows itself; imports matplotlib, so this module is imported where a figure is wanted."""

    def _repr_svg_(self) -> str:
        """Draw the figure, for a notebook."""
        return svg(self).decode("utf-8")

"""A loss over a plane, as a map of colours, with its lowest place."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.plots._altair import ORANGE, altair, styled


class Landscape(NamedTuple):
    """What is drawn.

    Attributes:
        cells: A row a cell: its place, its size, and the loss.
        best: The lowest place.
    """

    cells: list[dict[str, float]]
    best: tuple[float, float]


def x_data(
    loss: Callable[[float, float], float], ends: tuple[float, float], best: Sequence[float]
) -> Landscape:
    """Take a loss on a grid.

    >>> len(x_data(lambda x, y: x + y, (0.0, 1.0), (0.0, 0.0)).cells)
    1600
    """
    edges = np.linspace(*ends, 41)
    middle, size = (edges[:-1] + edges[1:]) / 2, float(edges[1] - edges[0])
    cells = [
        {"x": x - size / 2, "y": y - size / 2, "x2": x + size / 2, "y2": y + size / 2,
         "loss": loss(x, y)}
        for x in middle.tolist()
        for y in middle.tolist()
    ]  # fmt: skip
    return Landscape(cells, (float(best[0]), float(best[1])))


def draw(landscape: Landscape, title: str, *, x: str, y: str) -> Any:
    """Draw the map and a star at the lowest place."""
    alt = altair()
    plain = alt.Scale(nice=False, zero=False)
    base = alt.Chart(alt.Data(values=landscape.cells))
    cells = base.mark_rect().encode(
        alt.X("x:Q", title=x, scale=plain),
        alt.Y("y:Q", title=y, scale=plain),
        alt.X2("x2:Q"),
        alt.Y2("y2:Q"),
        alt.Color("loss:Q", title="loss", scale=alt.Scale(scheme="viridis")),
    )
    star = alt.Chart(alt.Data(values=[dict(zip("xy", landscape.best, strict=True))]))
    mark = star.mark_point(shape="cross", size=160, filled=True, color=ORANGE, opacity=1)
    whole = cells + mark.encode(alt.X("x:Q"), alt.Y("y:Q"))
    return styled(whole.properties(width=320, height=320), title)

"""Curves of errors over rounds, for the figures of "Active Evaluation of General Agents"."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from podium.arrays import Floats
from podium.experiments._active import WINDOW
from podium.experiments._registry import Finding, Picture, Result
from podium.metrics.curves import estimates
from podium.plots.panels import Style
from podium.simulation.result import Simulation

BATCH: tuple[int, ...] = (1, 0)
MEAN: tuple[int, ...] = (7, 3)
ONLINE: tuple[int, ...] = (2, 2)

STYLES: Mapping[str, Style] = {
    "podium": Style("#1b1f24"),
    "uniform-averaging": Style("#7f7f7f"),
    "basic-ucb": Style("#a6761d"),
    "kemeny-el": Style("#6b4c9a"),
    "batch-elo": Style("#0072b2", BATCH),
    "online-elo": Style("#0072b2", ONLINE),
    "batch-sco": Style("#d55e00", BATCH),
    "online-sco": Style("#d55e00", ONLINE),
    "batch-copeland": Style("#009e73", BATCH),
    "mean-model-copeland": Style("#009e73", MEAN),
    "batch-ranked-pairs": Style("#cc79a7", BATCH),
    "mean-model-ranked-pairs": Style("#cc79a7", MEAN),
    "batch-maximal-lotteries": Style("#56b4e9", BATCH),
    "mean-model-maximal-lotteries": Style("#56b4e9", MEAN),
    "online-maximal-lotteries": Style("#56b4e9", ONLINE),
    "batch-nash-averaging": Style("#e69f00", BATCH),
    "online-nash-averaging": Style("#e69f00", ONLINE),
    "proportional-representation": Style("#b2182b", MEAN),
}
"""A colour for each rule; whole lines for batches, dashes for mean models, dots for online."""

TOLD = (100, 500, 1_000, 2_000, 4_000, 10_000)
"""Rounds at which curves are told as numbers, too."""

NOTE = (
    "The paper prints these curves without numbers; what its text says of them is put to the test "
    "in active-findings."
)

DASHES = "Whole lines: growing batch and baselines. Dashes: mean models. Dots: online."

Error = Callable[[Simulation], Floats]


def errors(k: int) -> Error:
    """Give the error of a figure: of the first k, averaged over the last 250 rounds."""
    return lambda result: result.gre(k, window=WINDOW)


def curve(panel: str, line: str, result: Simulation, error: Error) -> Iterator[dict[str, Any]]:
    """Give the mean error over seeds at each round that is shown, with its 95 % interval."""
    means, halves = estimates(error(result))
    halves = np.nan_to_num(halves)  # one seed has no interval
    low = np.maximum(means - halves, 0.0)
    for x, y, down, up in zip(result.shown, means, low, means + halves, strict=True):
        point = {"x": int(x), "y": float(y), "low": float(down), "high": float(up)}
        yield {"panel": panel, "line": line, **point}


def curves(
    panels: Mapping[str, tuple[Iterable[Simulation], Error]],
) -> list[dict[str, Any]]:
    """Give the points of all panels."""
    return [
        point
        for panel, (results, error) in panels.items()
        for result in results
        for point in curve(panel, result.preset, result, error)
    ]


def at_rounds(
    points: Sequence[Mapping[str, Any]], rounds: Sequence[int]
) -> dict[str, list[dict[str, Any]]]:
    """Lay some points of curves out for people: a table a panel, a row a line."""
    tables: dict[str, dict[str, dict[str, Any]]] = {}
    for point in points:
        if point["x"] in rounds:
            row = tables.setdefault(point["panel"], {}).setdefault(
                point["line"], {"preset": point["line"]}
            )
            row[f"t = {point['x']:,}"] = f"{point['y']:.4f}"
    return {panel: list(rows.values()) for panel, rows in tables.items()}


def picture(
    name: str,
    title: str,
    points: Sequence[Mapping[str, Any]],
    *,
    last: int,
    log: bool = False,
    styles: Mapping[str, Style] = STYLES,
    y: str = f"error, mean of {WINDOW} rounds",
) -> Picture:
    """Make a picture of curves up to a round."""

    def draw() -> Any:
        from podium.plots import panels

        shown = [point for point in points if point["x"] <= last]
        data = panels.x_data(shown, styles, log=log)
        dashed = {style.dash for style in data.styles.values()} - {BATCH} and styles is STYLES
        return panels.draw(
            data, title, x="round", y=y, log=log,
            subtitle=(DASHES,) if dashed else (),
        )  # fmt: skip

    return Picture(name, title, draw)


def figure(
    name: str,
    title: str,
    points: Sequence[Mapping[str, Any]],
    *,
    last: int,
    log: bool = False,
    findings: Sequence[Finding] = (),
    notes: Sequence[str] = (),
) -> Result:
    """Give a figure of curves: its picture, its data, and some of its points as tables."""
    return Result(
        findings=tuple(findings),
        tables=at_rounds(points, TOLD),
        pictures=(picture(name, title, points, last=last, log=log),),
        data={f"{name}-data": points},
        notes=(*notes, NOTE),
    )

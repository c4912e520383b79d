"""Figure 5 of Lanctot et al. (2026): how far Atari games are from the truth."""

from typing import Any

import numpy as np

from podium.arrays import Ints
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.worlds import Instance, agent57

NAME, FAR, PRINTED = "active-figure5", 8, 15

WHY = (
    "with ties lost {least}, with ties won {most}; no way to break them gives 15, and 15 is what "
    "a distance of 6 gives with all ties won"
)


def bounds(instance: Instance) -> tuple[Ints, Ints]:
    """Count the pairs of each task that are the other way, its ties left out and counted in.

    >>> [found.max() for found in bounds(agent57().drawn(0))]
    [15, 15]
    """
    means = instance.means[:, instance.truth]
    upper = np.triu_indices(means.shape[1], 1)
    first, second = means[:, upper[0]], means[:, upper[1]]
    return (first < second).sum(axis=1), (first <= second).sum(axis=1)


@experiment(NAME, group="active", remakes="Figure 5")
def active_figure5(_: Setting) -> Result:
    """Histogram of the distances of Atari games from the truth."""
    lost, won = bounds(agent57().drawn(0))
    counts = np.bincount(lost, minlength=int(won.max()) + 1).tolist()
    least, most = int((lost >= FAR).sum()), int((won >= FAR).sum())
    finding = Finding(
        where="Section 5.2.1",
        what=f"games at a distance of {FAR} or more from the truth",
        printed=f"{PRINTED}/57",
        ours=f"{least}/57",
        verdict="equal" if least <= PRINTED <= most else "differs",
        why="" if least <= PRINTED <= most else WHY.format(least=least, most=most),
        interval=(least, most),
    )

    def draw() -> Any:
        from podium.plots import histograms

        data = histograms.x_data({"Agent57 table, ties left out": counts})
        title = "Distance of 57 Atari games from the truth"
        return histograms.draw(data, title, x="pairs the other way", y="games", columns=1)

    rows = [
        {"distance": d, "ties left out": int((lost == d).sum()), "ties counted": int(n)}
        for d, n in enumerate(np.bincount(won))
    ]
    return Result(
        findings=(finding,),
        pictures=(Picture(NAME, "Distances of games from the truth", draw),),
        data={f"{NAME}-data": rows},
    )

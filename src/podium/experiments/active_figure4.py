"""Figure 4 of Lanctot et al. (2026): how far tasks are from the truth in Mallows worlds."""

from typing import Any

import numpy as np

from podium.arrays import Floats, Ints
from podium.experiments._registry import Finding, Picture, Result, Setting, Verdict, experiment
from podium.metrics.ranking import kendall_distance, places_of
from podium.worlds import Instance, mallows

NAME, INSTANCES = "active-figure4", 1_000
PHIS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

NOTE = (
    "The caption does not tell the values of phi. Bars: the 50 tasks of one world, seed 0. Line: "
    "what equation (4) expects."
)


def distances(instance: Instance) -> Ints:
    """Give Kendall's distance of each task from the truth; agents that tie there are both ways."""
    orders = np.argsort(-instance.means, axis=1, kind="stable")
    return np.asarray(kendall_distance(places_of(orders, instance.truth)))


def law(phi: float, agents: int) -> Floats:
    r"""Give the chance of each distance from the truth.

    .. math:: \prod_{i=1}^{m} \frac{1 + \phi + \dots + \phi^{i-1}}{Z} \quad
              \text{(coefficients by distance)}

    as inserting agents one by one adds independent distances.

    >>> law(0.5, 2).round(4).tolist()
    [0.6667, 0.3333]
    """
    chance = np.ones(1)
    for placed in range(1, agents + 1):
        steps = phi ** np.arange(placed)
        chance = np.convolve(chance, steps / steps.sum())
    return chance


@experiment(NAME, group="active", remakes="Figure 4")
def active_figure4(setting: Setting) -> Result:
    """Histograms of the distances of tasks from the truth, by dispersion."""
    agents = mallows().agents
    most = agents * (agents - 1) // 2
    counts, expected = {}, {}
    for phi in PHIS:
        world = mallows(phi=phi)
        found = distances(world.drawn(0))
        counts[f"phi = {phi:g}"] = np.bincount(found, minlength=most + 1).tolist()
        expected[f"phi = {phi:g}"] = (world.tasks * law(phi, agents)).tolist()

    def draw() -> Any:
        from podium.plots import histograms

        data = histograms.x_data(counts, expected)
        title = "Distance of 50 tasks from the truth in Mallows worlds"
        return histograms.draw(data, title, x="pairs the other way", y="tasks", columns=3)

    rows = [
        {"panel": panel, "distance": number, "tasks": count, "expected": expected[panel][number]}
        for panel, found in counts.items()
        for number, count in enumerate(found)
    ]
    return Result(
        findings=tuple(_judged(phi, setting.seeds or INSTANCES) for phi in PHIS),
        pictures=(Picture(NAME, "Distances of tasks from the truth", draw),),
        data={f"{NAME}-data": rows},
        notes=(NOTE,),
    )


def _judged(phi: float, seeds: int) -> Finding:
    """Compare the mean distance in many worlds with that of equation (4)."""
    world = mallows(phi=phi)
    found = np.concatenate([distances(world.drawn(seed)) for seed in range(seeds)])
    chance = law(phi, world.agents)
    expected = float(chance @ np.arange(len(chance)))
    half = 1.96 * float(found.std(ddof=1)) / len(found) ** 0.5
    mean = float(found.mean())
    verdict: Verdict = "consistent" if abs(mean - expected) <= 1.5 * half else "differs"
    return Finding(
        "Figure 4", "mean distance of a task from the truth", f"{expected:.4f}", f"{mean:.4f}",
        verdict, "expected by equation (4), and found by chance", of=f"phi = {phi:g}",
        interval=(mean - half, mean + half),
    )  # fmt: skip

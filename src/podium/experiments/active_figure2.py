"""Figure 2 of Lanctot et al. (2026): growing-batch algorithms on Mallows worlds, over rounds."""

from podium.experiments._active import presets_of, simulated
from podium.experiments._active_curves import curves, errors, figure
from podium.experiments._registry import Result, Setting, experiment

NAME, LAST = "active-figure2", 4_000
"""The picture ends before the last round: little happens after."""

WHERE = ("phi = 0.3", "phi = 0.6")


@experiment(NAME, group="active", remakes="Figure 2")
def active_figure2(setting: Setting) -> Result:
    """Ranking error over rounds in Mallows worlds: baselines and growing batches."""
    worlds = {where: simulated(presets_of("2"), where, setting) for where in WHERE}
    points = curves(
        {
            f"{where}, k = {k}": (worlds[where].values(), errors(k))
            for where in WHERE
            for k in (3, 8)
        }
    )
    return figure(NAME, "Error over rounds in Mallows worlds", points, last=LAST)

"""Figure 8 of Lanctot et al. (2026): all algorithms on Atari, over rounds."""

from podium.experiments._active import ROUNDS, simulated
from podium.experiments._active_curves import STYLES, curves, errors, figure
from podium.experiments._registry import Result, Setting, experiment

NAME = "active-figure8"


@experiment(NAME, group="active", remakes="Figure 8")
def active_figure8(setting: Setting) -> Result:
    """Ranking error over rounds on Atari scores: all algorithms."""
    results = simulated(STYLES, "Atari", setting)
    points = curves({f"k = {k}": (results.values(), errors(k)) for k in (1, 2, 3, 8)})
    return figure(NAME, "Error over rounds on Atari scores", points, last=ROUNDS)

"""Figure 3 of Lanctot et al. (2026): growing batches beside online forms and mean models."""

from podium.experiments._active import ROUNDS, simulated
from podium.experiments._active_curves import curves, errors, figure
from podium.experiments._registry import Result, Setting, experiment

NAME, K = "active-figure3", 3

BASELINES = ("podium", "uniform-averaging", "basic-ucb")
PANELS = {
    "batch and online, k = 3": (
        *BASELINES, "batch-elo", "online-elo", "batch-sco", "online-sco", "batch-maximal-lotteries",
        "online-maximal-lotteries", "batch-nash-averaging", "online-nash-averaging",
    ),
    "batch and mean model, k = 3": (
        *BASELINES, "batch-copeland", "mean-model-copeland", "batch-ranked-pairs",
        "mean-model-ranked-pairs", "batch-maximal-lotteries", "mean-model-maximal-lotteries",
        "proportional-representation",
    ),
}  # fmt: skip

NOTE = (
    "The caption does not tell phi, nor which algorithms are in which graph. The text speaks of "
    "errors that reach 0, which they do at phi = 0.3."
)


@experiment(NAME, group="active", remakes="Figure 3")
def active_figure3(setting: Setting) -> Result:
    """Ranking error over rounds, both on logarithmic axes: batch, online and mean-model forms."""
    names = list(dict.fromkeys(name for panel in PANELS.values() for name in panel))
    results = simulated(names, "phi = 0.3", setting)
    points = curves(
        {panel: ([results[name] for name in names], errors(K)) for panel, names in PANELS.items()}
    )
    title = "Error over rounds at phi = 0.3, on logarithmic axes"
    return figure(NAME, title, points, last=ROUNDS, log=True, notes=(NOTE,))

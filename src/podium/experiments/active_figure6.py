"""Figure 6 of Lanctot et al. (2026): how near Kemeny's rule comes to the truth by noisy scores."""

from collections.abc import Iterator, Mapping
from math import isfinite

import numpy as np

from podium.arrays import Floats
from podium.experiments._active import NEAR, ROUNDS, simulated
from podium.experiments._active_curves import TOLD, Error, at_rounds, curve, picture
from podium.experiments._kemeny import growing_kemeny
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.metrics.curves import estimate
from podium.plots.panels import Style
from podium.simulation.result import Simulation

NAME = "active-figure6"
PANELS: Mapping[str, Error] = {
    "normalised Kendall distance": lambda result: result.kd(normalized=True),
    "Kemeny score distance": lambda result: result.ksd(),
}
PRINTED = {"phi = 0.3": (0.0, 0.0), "phi = 0.6": (0.01, 1.92)}
"""Both distances in the end (appendix B.1.2)."""

TIED = "a world may tie on a pair; then no number of rounds is enough"

LINES = {"phi = 0.3": Style("#0072b2"), "phi = 0.6": Style("#d55e00")}

NOTE = (
    "Each round any task and any two agents; the report is Kemeny's order for all matches so far. "
    "The paper does not tell the number of rounds, nor of instances."
)


@experiment(NAME, group="active", remakes="Figure 6 and appendix B.1.2")
def active_figure6(setting: Setting) -> Result:
    """How near Kemeny's rule for noisy matches comes to the truth, over rounds."""
    results = {
        where: next(iter(simulated([growing_kemeny()], where, setting).values()))
        for where in PRINTED
    }
    points = [
        point
        for panel, error in PANELS.items()
        for where, result in results.items()
        for point in curve(panel, where, result, error)
    ]
    findings = [one for where, result in results.items() for one in _ends(where, result)]
    title = "Kemeny's rule for noisy matches in Mallows worlds"
    drawn = picture(NAME, title, points, last=ROUNDS, styles=LINES, y="mean over worlds")
    return Result(
        findings=tuple(findings),
        tables=at_rounds(points, TOLD),
        pictures=(drawn,),
        data={f"{NAME}-data": points},
        notes=(NOTE,),
    )


def _ends(where: str, result: Simulation) -> Iterator[Finding]:
    for (what, error), printed in zip(PANELS.items(), PRINTED[where], strict=True):
        yield _judged(where, f"{what} in the end", printed, error(result)[:, -1])
    alike = float(np.mean(result.kd()[:, -1] == 0))
    if where == "phi = 0.3":
        verdict: Verdict = "equal" if alike == 1.0 else "differs"
        why = "" if verdict == "equal" else TIED
        yield Finding(
            "Appendix B.1.2", "share of instances that find the truth", "1", f"{alike:g}", verdict,
            why, of=where,
        )  # fmt: skip


def _judged(where: str, what: str, printed: float, values: Floats) -> Finding:
    mean, half = estimate(values)
    near = abs(mean - printed) <= max(half if isfinite(half) else 0.0, NEAR * printed)
    verdict: Verdict = "equal" if mean == printed else "consistent" if near else "differs"
    why = "" if verdict == "equal" else "other random instances of the same world"
    interval = (mean - half, mean + half) if isfinite(half) else None
    return Finding(
        "Appendix B.1.2", what, f"{printed:g}", f"{mean:.4g}", verdict, why, of=where,
        interval=interval,
    )  # fmt: skip

"""Figure 6 of Lanctot et al. (2026): how near Kemeny's rule comes to the truth by noisy scores."""

from collections.abc import Iterator, Mapping
from math import isfinite

import numpy as np

from podium.arrays import Floats
from podium.experiments._active import NEAR, ROUNDS, simulated
from podium.experiments._active_curves import TOLD, Error, at_rounds, curve, picture
from podium.experiments._kemeny import growing_kemeny, mean_kemeny
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

LINES = {
    f"{where}, {name}": Style(colour, dash)
    for where, colour in (("phi = 0.3", "#0072b2"), ("phi = 0.6", "#d55e00"))
    for name, dash in (("all matches", (1, 0)), ("mean scores", (7, 3)))
}

LEFT = (
    "it depends on what is counted: matches blur the majorities of tasks and leave more, mean "
    "scores bring them out and leave less"
)

NOTE = (
    "Each round any task and any two agents; the report is Kemeny's order for all matches so far, "
    "or for the tasks' ballots of mean scores. The paper does not tell which, nor how many rounds."
)


@experiment(NAME, group="active", remakes="Figure 6 and appendix B.1.2")
def active_figure6(setting: Setting) -> Result:
    """How near Kemeny's rule for noisy scores comes to the truth, over rounds."""
    results = {
        where: simulated([growing_kemeny(), mean_kemeny()], where, setting) for where in PRINTED
    }
    points = [
        point
        for panel, error in PANELS.items()
        for where, found in results.items()
        for name, result in found.items()
        for point in curve(panel, f"{where}, {name}", result, error)
    ]
    findings = [
        one
        for where, found in results.items()
        for name, result in found.items()
        for one in _ends(where, name, result)
    ]
    title = "Kemeny's rule for noisy scores in Mallows worlds"
    drawn = picture(NAME, title, points, last=ROUNDS, styles=LINES, y="mean over worlds")
    return Result(
        findings=tuple(findings),
        tables=at_rounds(points, TOLD),
        pictures=(drawn,),
        data={f"{NAME}-data": points},
        notes=(NOTE,),
    )


def _ends(where: str, name: str, result: Simulation) -> Iterator[Finding]:
    """Compare what is left in the last round with the printed numbers."""
    of = f"{where}, {name}"
    for (what, error), printed in zip(PANELS.items(), PRINTED[where], strict=True):
        yield _judged(of, f"{what} in the end", printed, error(result)[:, -1])
    if PRINTED[where] == (0.0, 0.0):
        alike = float(np.mean(result.kd()[:, -1] == 0))
        verdict: Verdict = "equal" if alike == 1.0 else "differs"
        what, why = "share of instances that find the truth", "" if alike == 1.0 else TIED
        yield Finding("Appendix B.1.2", what, "1", f"{alike:g}", verdict, why, of=of)


def _judged(of: str, what: str, printed: float, values: Floats) -> Finding:
    mean, half = estimate(values)
    near = abs(mean - printed) <= max(2**0.5 * half if isfinite(half) else 0.0, NEAR * printed)
    verdict: Verdict = "equal" if mean == printed else "consistent" if near else "differs"
    why = {"equal": "", "consistent": "other random instances of the same world"}.get(verdict, LEFT)
    interval = (mean - half, mean + half) if isfinite(half) else None
    return Finding(
        "Appendix B.1.2", what, f"{printed:g}", f"{mean:.4g}", verdict, why, of=of,
        interval=interval,
    )  # fmt: skip

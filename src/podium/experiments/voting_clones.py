"""Figure 2 of Lanctot et al. (2025): clones change what Elo predicts."""

import numpy as np

from podium.experiments._elo import SCALE
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.kernels.bradley_terry import Counts, fit, logistic

TRUTH = {("A", "B"): 0.55, ("B", "C"): 0.52, ("A", "C"): 0.9}
"""Printed probabilities that the first agent beats the second."""

COPIES = 10
MOST = 50

INCONSISTENT = (
    "the printed pair contradicts itself: a gap of 98 means 0.637, and 0.631 means a gap of 93"
)


@experiment("voting-clones", group="voting", remakes="Figure 2")
def voting_clones(_: Setting) -> Result:
    """Elo's prediction for A against C as copies of B are added."""
    gaps = {copies: gap(copies) for copies in range(1, MOST + 1)}
    ours, chance = gaps[COPIES], predicted(gaps[COPIES])
    printed = f"with {COPIES} copies of B"
    findings = (
        Finding("Figure 2", f"rating of A less C, {printed}", "98", f"{ours:.1f}", "differs",
                INCONSISTENT),
        Finding("Figure 2", f"predicted chance of A over C, {printed}", "0.631", f"{chance:.4f}",
                "differs", INCONSISTENT),
        _falls(gaps),
    )  # fmt: skip
    rows = [
        {"copies of B": n, "rating of A less C": round(g, 2), "predicted": round(predicted(g), 4),
         "error": round(TRUTH["A", "C"] - predicted(g), 4)}
        for n, g in gaps.items()
    ]  # fmt: skip
    picture = Picture("voting-clones-figure-2", "Figure 2: clones of B and Elo's prediction", draw)
    return Result(findings=findings, tables={"By number of copies": rows}, pictures=(picture,))


def gap(copies: int) -> float:
    """Fit Elo to a round robin with copies of B, and return the rating of A less that of C.

    The copies share one rating, as they have the same results; so they are
    fitted as one agent that meets the others that many times.
    """
    agents = "ABC"
    pairs = [(agents.index(a), agents.index(b)) for a, b in TRUTH]
    met = np.array([copies if "B" in pair else 1 for pair in TRUTH], dtype=np.float64)
    won = met * np.array(list(TRUTH.values()))
    left, right = np.array(pairs).T
    ratings = fit(Counts(left, right, won, met - won, len(agents))).ratings
    return float(SCALE * (ratings[0] - ratings[2]))


def predicted(elo_gap: float) -> float:
    """Turn a gap in Elo points into a chance to win.

    >>> round(predicted(98), 3)
    0.637
    """
    return float(logistic(np.array(elo_gap / SCALE)))


def _falls(gaps: dict[int, float]) -> Finding:
    errors = [TRUTH["A", "C"] - predicted(value) for value in gaps.values()]
    grows = bool((np.diff(errors) > 0).all())
    return Finding(
        where="Figure 2",
        what="the error grows with each copy of B",
        printed="yes",
        ours="yes" if grows else "no",
        verdict="equal" if grows else "differs",
    )


def draw() -> object:
    """Draw the prediction against the number of copies."""
    from podium.plots import clone_curve

    chances = {copies: predicted(gap(copies)) for copies in range(1, MOST + 1)}
    curve = clone_curve.x_data(chances, TRUTH["A", "C"])
    return clone_curve.draw(curve, "Figure 2: clones of B and Elo's prediction of A against C")

"""Elo as the paper's tables have it."""

from collections.abc import Mapping, Sequence

import numpy as np

from podium.data.convert import Data
from podium.experiments._published import elo
from podium.experiments._registry import Finding, Verdict
from podium.experiments._sources import tally
from podium.experiments._ties import TieBreak
from podium.kernels.bradley_terry import Counts, fit

SCALE = 400 / np.log(10)
"""Elo points for one unit of the logistic."""

SMOOTHING = 0.02
"""Wins added each way to every pair: the default of the authors' code (OpenSpiel)."""


def smoothed_elo(data: Data, *, smoothing: float = SMOOTHING) -> dict[str, float]:
    """Rate agents by Bradley-Terry on the Elo scale, the lowest at 0; a tie is half a win."""
    counts = tally(data)
    left, right = np.triu_indices(len(counts.agents), 1)
    half = (counts.met - counts.wins - counts.wins.T) / 2 + smoothing
    won, lost = (counts.wins + half)[left, right], (counts.wins.T + half)[left, right]
    ratings = SCALE * fit(Counts(left, right, won, lost, len(counts.agents))).ratings
    return dict(zip(counts.agents, (ratings - ratings.min()).tolist(), strict=True))


def elo_findings(table: str, data: Data, breaks: Sequence[TieBreak] = ()) -> list[Finding]:
    """Compare the Elo ratings of Table 5 or 10 with ours."""
    ours, printed = smoothed_elo(data), elo(table)
    number, _, side = table.partition("-")
    found = next((one for one in breaks if _near(smoothed_elo(one.profile), printed)), None)
    why = f"ties: {found.label} gives the whole column to less than a point" if found else ""
    findings = []
    for agent, value in printed.items():
        verdict: Verdict = "explained" if found else "differs"
        equal = round(ours[agent]) == value
        findings.append(
            Finding(
                where=f"Table {number}",
                what=f"Elo, {side}" if side else "Elo",
                of=agent,
                printed=str(value),
                ours=f"{ours[agent]:.1f}",
                verdict="equal" if equal else verdict,
                why="" if equal else why or "no tie-break comes within a point",
            )
        )
    return findings


def _near(ours: Mapping[str, float], printed: Mapping[str, int]) -> bool:
    return all(abs(ours[agent] - value) < 1 for agent, value in printed.items())

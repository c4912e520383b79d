"""Table 17 of Lanctot et al. (2025): seven prompts for summaries."""

import csv
from dataclasses import replace
from pathlib import Path

from podium.data.profile import Profile
from podium.experiments._columns import compare, order_finding, unpublished
from podium.experiments._published import columns
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sources import no_shared, shared, winners

VOTES = "data/published/prompt_votes_reconstructed.csv"

FITTED = "the votes were solved from this table"

CYCLE = (
    "prompts 4, 7 and 5 beat one another in a cycle of equal margins, of which podium locks no "
    "pair; two pairs locked would add 2 to all above, and 1 is printed: no order gives it"
)

NOTE = (
    "The scores of Figure 17 were printed as an image only. The votes used here were solved from "
    "Table 17 itself, so that agreement is consistent, never equal."
)


@experiment("voting-prompts", group="voting", remakes="Table 17")
def voting_prompts(_: Setting) -> Result:
    """Nine voting methods on prompts for summaries."""
    path = shared(VOTES)
    if path is None:
        why = f"the scores are not public; {no_shared(VOTES)}"
        cells = [finding for one in columns("17") for finding in unpublished(one, why)]
        return Result(findings=tuple(cells), notes=(NOTE,))
    data = prompt_votes(path)
    findings = [
        finding
        for one in columns("17")
        for finding in (*compare(one, data, fitted=FITTED), order_finding(one, data, fitted=FITTED))
    ]
    return Result(findings=(*map(_known, findings), _winner(data)), notes=(NOTE,))


def _known(finding: Finding) -> Finding:
    """Add what is known of the one column that the votes cannot give."""
    if finding.what != "Ranked Pairs" or finding.verdict != "differs":
        return finding
    return replace(finding, why=CYCLE)


def prompt_votes(path: Path) -> Profile:
    """Read the reconstructed votes: a row for each place on each ballot."""
    orders: dict[str, dict[int, str]] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            orders.setdefault(row["vote"], {})[int(row["rank"])] = row["agent"]
    ballots = [(1.0, [[order[place]] for place in sorted(order)]) for order in orders.values()]
    return Profile.from_ballots(ballots, sources=[f"task {vote}" for vote in orders])


def _winner(data: Profile) -> Finding:
    winner, _ = winners(data)
    verdict: Verdict = "consistent" if winner == "6" else "differs"
    return Finding("Table 17", "strong Condorcet winner", "6", str(winner), verdict, FITTED)

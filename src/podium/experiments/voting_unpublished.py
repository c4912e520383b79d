"""Tables 9, 18 to 20 and 22 to 24 and Figures 9 and 10: data that are not public."""

from podium.experiments._columns import unpublished
from podium.experiments._published import columns
from podium.experiments._registry import Finding, Result, Setting, experiment

REASONS = {
    ("9",): "the scores of the adaptive agents are internal to the authors' group",
    ("18", "19", "20", "22", "23", "24"): "HELM as it stood in April 2023 (v0.2.2) is not "
    "among the stored public data, and a later version gives other numbers",
}


@experiment(
    "voting-unpublished",
    group="voting",
    remakes="Tables 9, 18 to 20 and 22 to 24 and Figures 9 and 10 (none of them: no data)",
)
def voting_unpublished(_: Setting) -> Result:
    """Tables whose data are not public."""
    cells = [
        finding
        for tables, why in REASONS.items()
        for one in columns(*tables)
        for finding in unpublished(one, why)
    ]
    figures = [
        Finding(f"Figure {n}", "ranks by number of trials", "", "", "no data", REASONS["9",])
        for n in (9, 10)
    ]
    return Result(findings=(*cells, *figures))

"""Table 2 of Lanctot et al. (2026): growing-batch algorithms on Mallows worlds."""

from podium.experiments._active import NOTES, beside, cells, judged, presets_of, simulated
from podium.experiments._registry import Result, Setting, experiment

WHERE = "Table 2"


@experiment("active-table2", group="active", remakes="Table 2")
def active_table2(setting: Setting) -> Result:
    """Average ranking error after 10,000 rounds in Mallows worlds."""
    names = presets_of("2")
    results = {phi: simulated(names, f"phi = {phi}", setting) for phi in ("0.3", "0.6")}
    findings = [judged(WHERE, cell, results[cell.phi][cell.preset]) for cell in cells("2")]
    tables = {f"phi = {phi}": list(beside(found, (3, 8))) for phi, found in results.items()}
    return Result(findings=tuple(findings), tables=tables, notes=NOTES)

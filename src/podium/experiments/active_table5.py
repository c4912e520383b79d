"""Table 5 of Lanctot et al. (2026): all algorithms with eight clones among sixteen agents."""

from podium.experiments._active import NOTES, as_zero, beside, cells, judged, presets_of, simulated
from podium.experiments._registry import Finding, Result, Setting, experiment

WHERE = "Table 5"


@experiment("active-table5", group="active", remakes="Table 5")
def active_table5(setting: Setting) -> Result:
    """Average ranking error of eight originals after 10,000 rounds among their clones."""
    names = presets_of("5")
    variants = [preset for name in names if (preset := as_zero(name)) is not None]
    results = simulated([*names, *variants], "clones", setting)
    findings: list[Finding] = []
    for cell in cells("5"):
        findings.append(judged(WHERE, cell, results[cell.preset]))
        variant = as_zero(cell.preset)
        if variant is not None:
            findings.append(judged(WHERE, cell, results[variant.name]))
    tables = {"podium beside the others": list(beside(results, (3, 8)))}
    return Result(findings=tuple(findings), tables=tables, notes=NOTES)

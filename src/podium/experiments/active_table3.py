"""Table 3 of Lanctot et al. (2026): all algorithms on Atari scores."""

from dataclasses import replace

from podium.experiments._active import NOTES, as_zero, beside, cells, judged, presets_of, simulated
from podium.experiments._registry import Finding, Result, Setting, experiment

WHERE = "Table 3"
MISPRINT = (
    "the printed 0.2595 cannot be: a ranking by mean score, which the method comes to, has an "
    "error of 0.0714 (BasicUCB, which comes to it too, is printed with 0.0744)"
)


@experiment("active-table3", group="active", remakes="Table 3")
def active_table3(setting: Setting) -> Result:
    """Average ranking error after 10,000 rounds on the Agent57 table."""
    names = presets_of("3")
    variants = [preset for name in names if (preset := as_zero(name)) is not None]
    results = simulated([*names, *variants], "Atari", setting)
    findings: list[Finding] = []
    for cell in cells("3"):
        finding = judged(WHERE, cell, results[cell.preset])
        if cell.preset == "uniform-averaging" and cell.k == 8:
            finding = replace(finding, verdict="explained", why=MISPRINT)
        findings.append(finding)
        variant = as_zero(cell.preset)
        if variant is not None:
            findings.append(judged(WHERE, cell, results[variant.name]))
    tables = {"podium beside the others": list(beside(results, (3, 8)))}
    return Result(findings=tuple(findings), tables=tables, notes=NOTES)

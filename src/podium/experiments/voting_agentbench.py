"""Tables 3 and 10 to 14 and Figure 11 of Lanctot et al. (2025): AgentBench."""

from podium.data.convert import Data
from podium.experiments._columns import compare, order_finding
from podium.experiments._elo import elo_findings
from podium.experiments._graphs import graph_picture, top_margins
from podium.experiments._published import column, columns
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._sources import ballots, bundled
from podium.experiments._ties import TieBreak, stored_tie_break

TIES = "agentbench_ties.csv"
"""One way to break the 224 ties for each method that needs one."""

TABLE_3 = {"chatglm2": "10.56", "text-bison-001": "10.43"} | {
    agent: f"{17 - place}.00"
    for place, agent in enumerate(
        ("gpt-4", "claude", "gpt-3.5-turbo", "text-davinci-003", "claude-instant",
         "text-davinci-002")
    )
}  # fmt: skip
"""Table 3: the first eight of the iterated lottery (the paper calls chatglm2 "chatglm" there)."""


NOTES = (
    (
        "224 pairs of models have equal scores on a task. The authors broke such ties by lot, "
        "for each method anew. For each method whose printed numbers differ from podium's, "
        "one way to break the ties that gives its whole column is stored, and checked here."
    ),
)


@experiment("voting-agentbench", group="voting", remakes="Tables 3 and 10 to 14 and Figure 11")
def voting_agentbench(_: Setting) -> Result:
    """Voting methods on AgentBench, 25 language models."""
    data = bundled("agentbench")
    findings: list[Finding] = []
    for one in columns("11", "12", "13", "14"):
        breaks = stored_breaks(data, one.method)
        findings += [*compare(one, data, breaks), order_finding(one, data, breaks)]
    findings += table_3(data)
    findings += elo_findings("10", data)
    return Result(
        findings=tuple(findings),
        tables={"Margins among the first eight by ranked pairs": top_margins(data)},
        pictures=(
            graph_picture(
                "voting-agentbench-figure-11",
                "Figure 11: the first eight models of AgentBench by ranked pairs",
                data,
            ),
        ),
        notes=NOTES,
    )


def stored_breaks(data: Data, method: str) -> list[TieBreak]:
    """Return the stored way to break the ties for a method, if there is one."""
    return stored_tie_break(ballots(data), TIES, method)


def table_3(data: Data) -> list[Finding]:
    """Compare Table 3, which repeats the first eight cells of Table 12."""
    whole = column("12", "iterated-lottery")
    cells = tuple(cell._replace(score=TABLE_3.get(cell.agent, cell.score)) for cell in whole.cells)
    repeated = whole._replace(table="3", cells=cells)
    return compare(repeated, data, stored_breaks(data, whole.method))[: len(TABLE_3)]

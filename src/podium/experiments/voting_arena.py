"""Tables 15 and 16 and Figures 12 and 13 of Lanctot et al. (2025): Chatbot Arena."""

import csv
from dataclasses import replace

import numpy as np

from podium.bundled import SETS
from podium.data.tally import Tally
from podium.experiments._columns import compare, order_finding, same
from podium.experiments._graphs import graph_picture, top_margins
from podium.experiments._published import columns, rows
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sources import bundled, missing, ranked, ready, tally

FITTED = "the counts of battles won were fitted to the paper's tables where not published"

LOTTERY = {"gpt4all-13b-snoozy": "0.8333", "RWKV-4-Raven-14B": "0.0833", "chatglm-6b": "0.0833"}
"""The maximal lottery of the nine models of Figure 12."""

AGAINST = "0 3.0821 0 7.2471 12.2451 0 3.332 3.8318 8.4133"
"""Expected margin of that lottery against each model of Figure 12, in its order."""

ROUNDING = 0.01
"""The paper multiplied by rounded probabilities (their sum is 0.9999)."""


NOTES = (
    (
        "The conversations are not public in a form that podium may carry. The counts of "
        "battles of the 190 pairs are exact; who won them is exact for some pairs and "
        "estimated for the others, so that agreement with Tables 15 and 16 is consistent, "
        "never equal. Figure 12 is printed in full and needs no estimate."
    ),
)


@experiment("voting-arena", group="voting", remakes="Tables 15 and 16 and Figures 12 and 13")
def voting_arena(_: Setting) -> Result:
    """Condorcet methods on Chatbot Arena, 20 language models."""
    data = bundled("arena-33k")
    findings: list[Finding] = []
    for one in columns("15", "16"):
        findings += [*compare(one, data, fitted=FITTED), order_finding(one, data, fitted=FITTED)]
    findings += figure_12()
    return Result(
        findings=tuple(findings),
        tables={
            "Margins among the first eight by ranked pairs": top_margins(data, estimated_pairs())
        },
        pictures=(
            Picture(
                "voting-arena-figure-12",
                "Figure 12: margins among nine models of Chatbot Arena",
                _draw_figure_12,
            ),
            graph_picture(
                "voting-arena-figure-13",
                "Figure 13: the first eight models of Chatbot Arena by ranked pairs",
                data,
                unit="battles",
                estimated=estimated_pairs(),
            ),
        ),
        notes=NOTES,
    )


def estimated_pairs() -> set[frozenset[str]]:
    """List the pairs of models whose margin is an estimate."""
    with SETS["arena-33k"].path.open(newline="", encoding="utf-8") as file:
        return {
            frozenset((row["a"], row["b"]))
            for row in csv.DictReader(file)
            if row["status"] == "estimated"
        }


def printed_margins() -> Tally:
    """Read the margins of Figure 12, as a tally in which each vote is a majority of one side."""
    cells = {(row["a"], row["b"]): int(row["margin"]) for row in rows("arena_figure12.csv")}
    agents = tuple(dict.fromkeys(a for a, _ in cells))
    wins = [[max(cells.get((a, b), 0), 0) for b in agents] for a in agents]
    return Tally.from_matrix(wins, agents)


def figure_12() -> list[Finding]:
    """Compare the margins of Figure 12, the lottery over them, and what it is worth."""
    printed = printed_margins()
    return [*_margins(printed), *_lottery(printed)]


def _margins(printed: Tally) -> list[Finding]:
    ours = tally(bundled("arena-33k")).only(printed.agents).margins
    return [
        Finding(
            where="Figure 12",
            what="margin",
            of=f"{a} over {b}",
            printed=f"{printed.margins[i, j]:g}",
            ours=f"{ours[i, j]:g}",
            verdict="consistent" if ours[i, j] == printed.margins[i, j] else "differs",
            why="the counts were fitted to this figure",
        )
        for i, a in enumerate(printed.agents)
        for j, b in enumerate(printed.agents)
        if i != j
    ]


def _lottery(printed: Tally) -> list[Finding]:
    wanted = {agent: LOTTERY.get(agent, "0") for agent in printed.agents}
    worth = dict(zip(printed.agents, AGAINST.split(), strict=True))
    if not ready("maximal-lottery"):
        why = missing("maximal-lottery")
        return [
            Finding("Figure 12", what, value, "", "no data", why, of=agent)
            for what, values in (("maximal lottery", wanted), ("margin of the lottery", worth))
            for agent, value in values.items()
        ]
    ratings = ranked(printed, "maximal-lottery").ratings
    lottery = np.array([ratings[agent] for agent in printed.agents])
    against = dict(zip(printed.agents, (lottery @ printed.margins).tolist(), strict=True))
    chances = [
        _close("maximal lottery", agent, value, ratings[agent]) for agent, value in wanted.items()
    ]
    margins = [
        _close("margin of the lottery", agent, value, against[agent])
        for agent, value in worth.items()
    ]
    return chances + margins


def _close(what: str, agent: str, printed: str, ours: float) -> Finding:
    """Compare a number that the paper printed, or computed from printed ones."""
    found = Finding("Figure 12", what, printed, f"{ours:.4f}", "equal", of=agent)
    if same(printed, ours):
        return found
    if abs(float(printed) - ours) <= ROUNDING:
        return replace(found, verdict="explained", why="computed from rounded probabilities")
    return replace(found, verdict="differs")


def _draw_figure_12() -> object:
    from podium.plots import margin_matrix

    printed = printed_margins()
    title = "Figure 12: margins among nine models of Chatbot Arena"
    return margin_matrix.draw(margin_matrix.x_data(printed, printed.agents), title, unit="battles")

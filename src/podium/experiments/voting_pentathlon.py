"""The pentathlon of Lanctot et al. (2025): Figures 1, 3, 4 and 6 and the appendix's examples."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from podium.data.profile import Profile
from podium.experiments._columns import half_digit, same, written
from podium.experiments._elo import smoothed_elo
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sources import bundled, missing, ranked, ready, tally, winners

SCORES: dict[str, tuple[dict[str, Any], str]] = {
    "approval": ({"k": 2}, "4 2 4"),
    "plurality": ({}, "2 2 1"),
    "borda": ({}, "6 3 6"),
    "stv": ({"winners": 1, "transfer": "ordered"}, "3.2 2.1 6.3"),
    "copeland": ({}, "1 0 2"),
    "kemeny": ({}, "4 0 6"),
    "schulze": ({}, "4 0 7"),
    "ranked-pairs": ({}, "3 0 5"),
    "maximal-lottery": ({}, "0 0 1"),
    "iterated-lottery": ({}, "2 1 3"),
}
"""Method to its options and the printed scores of A, B and C."""

MISPRINTS = {
    "plurality": "a misprint: the printed ballots put A first twice, B once and C twice",
}

WINS = {"A": "0 4 2", "B": "1 0 2", "C": "3 3 0"}
KEMENY = {"ABC": 8, "ACB": 9, "BAC": 5, "BCA": 6, "CAB": 10, "CBA": 7}
PATHS = {("A", "B"): 4, ("C", "A"): 3, ("C", "B"): 3, ("A", "C"): 0, ("B", "A"): 0, ("B", "C"): 0}
LOCKED = "A > B, C > A, C > B"


@experiment(
    "voting-pentathlon",
    group="voting",
    remakes="Figures 1, 3, 4 and 6 and the examples of the appendix",
)
def voting_pentathlon(_: Setting) -> Result:
    """Every method on five events of three athletes."""
    data = bundled("pentathlon")
    findings = [*_pairs(data), *_scores(data), *_values(data), *_graphs(data), *_elo(data)]
    return Result(findings=tuple(findings))


def _finding(where: str, what: str, printed: str, ours: str, of: str = "") -> Finding:
    verdict: Verdict = "equal" if printed == ours else "differs"
    return Finding(where, what, printed, ours, verdict, of=of)


def _pairs(data: Profile) -> Iterator[Finding]:
    counts = tally(data)
    for agent, text in WINS.items():
        row = counts.only("ABC").wins["ABC".index(agent)]
        for other, printed, ours in zip("ABC", text.split(), row.tolist(), strict=True):
            if other != agent:
                yield _finding("Figure 4", "N", printed, f"{ours:g}", f"{agent} over {other}")
    winner, _ = winners(data)
    yield _finding("Appendix", "strong Condorcet winner", "C", str(winner))


def _scores(data: Profile) -> Iterator[Finding]:
    for method, (options, text) in SCORES.items():
        printed = dict(zip("ABC", text.split(), strict=True))
        if not ready(method):
            for agent, value in printed.items():
                yield Finding("Appendix", method, value, "", "no data", missing(method), of=agent)
            continue
        ranking = ranked(data, method, **options)
        shown: Mapping[str, Any] = ranking.info["labels"] if method == "stv" else ranking.ratings
        for agent, value in printed.items():
            equal = same(value, shown[agent])
            why = "" if equal else MISPRINTS.get(method, "")
            verdict: Verdict = "equal" if equal else ("explained" if why else "differs")
            yield Finding("Appendix", method, value, written(shown[agent]), verdict, why, of=agent)


def _values(data: Profile) -> Iterator[Finding]:
    for order in permutations("ABC"):
        wins = tally(data).only(order).wins
        ours = sum(float(wins[i, j]) for i in range(3) for j in range(i + 1, 3))
        name = "".join(order)
        yield _finding("Appendix", "Kemeny value", str(KEMENY[name]), f"{ours:g}", " > ".join(name))


def _graphs(data: Profile) -> Iterator[Finding]:
    if ready("schulze"):
        paths = ranked(data, "schulze").info["paths"]
        for (a, b), printed in PATHS.items():
            ours = f"{paths[a, b]:g}"
            yield _finding("Appendix", "strongest path", str(printed), ours, f"{a} to {b}")
    if ready("ranked-pairs"):
        locked = sorted(ranked(data, "ranked-pairs").info["locked"])
        ours = ", ".join(f"{a} > {b}" for a, b in locked)
        yield _finding("Figure 6", "locked pairs", LOCKED, ours)


def _elo(data: Profile) -> Iterator[Finding]:
    ours = smoothed_elo(data, smoothing=0.0)
    gap = abs(ours["A"] - ours["C"])
    slack = half_digit("0.000001")
    text = "A = C" if gap <= slack else f"a gap of {gap:.4f}"
    yield _finding("Figure 3", "Elo", "A = C", text)

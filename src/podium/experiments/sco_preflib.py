"""Table 2 of Lanctot et al. (2025, SCO): Kemeny rankings approximated, on PrefLib.

The paper takes all 12,680 files of strict orders. A folder that `PODIUM_PREFLIB`
names is ranked whole; without it, the files of the shared data stand in. Settings
are those of appendix E.2. Where several Kemeny rankings are best, a distance to
"the" Kemeny ranking is not defined, and the file counts for the other columns only.
"""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from podium.data.ratings import Ranking
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.experiments._sco import mean_of
from podium.experiments._sources import ballots, no_shared, ranked, shared, winners
from podium.importers import read

FOLDER, SHARED = "PODIUM_PREFLIB", "data/preflib"
SEEDS = 3
EXACT = 10
"""Up to this many agents files are compared with Kemeny's ranking, as in the paper."""

PROVEN = 5
"""Up to this many, sigmoidal programming was run in the paper."""

DEAREST = 3e9
"""Pairs that the steps of one file may look at; a file that needs more is left out."""


class Group(NamedTuple):
    """A row of the table: range of agents, and the printed numbers, or None."""

    least: int
    most: int
    files: int
    match: float
    exact_match: float | None = None
    distance: float | None = None
    exact_distance: float | None = None


GROUPS = (
    Group(2, 2, 11, 1.00, 1.00, 0.0, 0.0),
    Group(3, 3, 115, 1.00, 1.00, 0.0, 0.0),
    Group(4, 4, 162, 1.00, 0.99, 0.005, 0.009),
    Group(5, 5, 135, 1.00, 0.66, 0.024, 0.039),
    Group(6, 6, 109, 0.99, None, 0.043),
    Group(7, 7, 92, 0.97, None, 0.029),
    Group(8, 8, 73, 0.96, None, 0.032),
    Group(9, 9, 88, 0.94, None, 0.027),
    Group(10, 10, 80, 0.97, None, 0.023),
    Group(11, 20, 1721, 0.99),
    Group(21, 50, 1465, 0.98),
    Group(51, 100, 567, 0.92),
    Group(101, 200, 2989, 0.99),
    Group(201, 500, 4540, 0.98),
    Group(501, 1_000_000, 533, 0.56),
)


class Outcome(NamedTuple):
    """What one file said; None where a question did not arise.

    Attributes:
        agents: Number of agents.
        votes: Number of votes.
        match: Share of seeds with the Condorcet winner first.
        fitted: Whether `sco` without a number of steps puts it first.
        proven: Whether `sco-exact` puts it first.
        distance: Normalised Kendall-tau distance to Kemeny's ranking, mean over seeds.
        fitted_distance: That of `sco` without a number of steps.
        proven_distance: That of `sco-exact`.
    """

    agents: int
    votes: float
    match: float | None
    fitted: float | None
    proven: float | None
    distance: float | None
    fitted_distance: float | None
    proven_distance: float | None


@experiment("sco-preflib", group="sco", remakes="Table 2")
def sco_preflib(setting: Setting) -> Result:
    """Condorcet winners found and distance to Kemeny rankings, on PrefLib."""
    folder = os.environ.get(FOLDER)
    path = Path(folder) if folder else shared(SHARED)
    if path is None:
        why = f"set {FOLDER} to a folder of PrefLib files; {no_shared(SHARED)}"
        return Result(tuple(_nothing(group, why) for group in GROUPS))
    files = sorted([*path.rglob("*.soc"), *path.rglob("*.soi")])
    once = partial(outcome, seeds=setting.seeds or SEEDS)
    if setting.jobs > 1:
        from joblib import Parallel, delayed

        outcomes = Parallel(n_jobs=setting.jobs)(delayed(once)(file) for file in files)
    else:
        outcomes = [once(file) for file in files]
    kept = [each for each in outcomes if each is not None]
    note = f"{len(files):,} files; {len(files) - len(kept):,} would take too many steps."
    whole = bool(folder)
    findings = [finding for group in GROUPS for finding in _findings(group, kept, whole=whole)]
    rows = [row for group in GROUPS for row in _row(group, kept)]
    return Result(tuple(findings), tables={"By number of agents": rows}, notes=(note,))


def settings(agents: int) -> dict[str, Any]:
    """Give the settings of appendix E.2."""
    if agents <= EXACT:
        return {"iterations": 10_000, "step_size": 0.01, "temperature": 1.0}
    if agents <= 500:
        return {"iterations": 100_000, "step_size": 0.01, "temperature": 1.0}
    return {"iterations": 100_000, "step_size": 0.1, "temperature": 0.5}


def outcome(file: Path, *, seeds: int) -> Outcome | None:
    """Rank one file; None where that would take too many steps."""
    profile = ballots(read(file))
    agents, options = len(profile.agents), settings(len(profile.agents))
    pairs = profile.lengths * (profile.lengths - 1.0) / 2
    mean = float(profile.weights @ pairs / profile.weights.sum())
    if mean * 32 * options["iterations"] * seeds > DEAREST:
        return None
    steps = [ranked(profile, "sco", batch_size=32, seed=seed, **options) for seed in range(seeds)]
    fitted = ranked(profile, "sco")
    winner, _ = winners(profile)
    best = ranked(profile, "kemeny") if agents <= EXACT else None
    exact = ranked(profile, "sco-exact", limit=10.0) if agents <= PROVEN else None

    def first(*rankings: Ranking | None) -> float | None:
        found = [r.tiers[0] == (winner,) for r in rankings if r is not None]
        return float(np.mean(found)) if winner is not None and found else None

    def far(*rankings: Ranking | None) -> float | None:
        if best is None or not best.info["unique"]:
            return None
        found = [distance(r, best) for r in rankings if r is not None]
        return float(np.mean(found)) if found else None

    return Outcome(
        agents,
        float(profile.weights.sum()),
        first(*steps),
        first(fitted),
        first(exact),
        far(*steps),
        far(fitted),
        far(exact),
    )


def distance(one: Ranking, two: Ranking) -> float:
    """Give the normalised Kendall-tau distance (definition 2); a tie is half a disagreement.

    >>> distance(Ranking("", (("a",), ("b",), ("c",)), {}), Ranking("", (("b",), ("a", "c")), {}))
    0.5
    """
    agents = list(one.ranks)
    first, second = (np.array([r.ranks[agent] for agent in agents]) for r in (one, two))
    left, right = np.triu_indices(len(agents), 1)
    signs = np.sign(first[left] - first[right]), np.sign(second[left] - second[right])
    return float(np.abs(signs[0] - signs[1]).mean() / 2) if len(left) else 0.0


def _held(group: Group, outcomes: list[Outcome], name: str) -> list[float]:
    here = [o for o in outcomes if group.least <= o.agents <= group.most]
    return [getattr(o, name) for o in here if getattr(o, name) is not None]


COLUMNS = (
    ("match", "Condorcet match of gradient descent", "match"),
    ("proven", "Condorcet match of sigmoidal programming", "exact_match"),
    ("distance", "distance of gradient descent to Kemeny", "distance"),
    ("proven_distance", "distance of sigmoidal programming to Kemeny", "exact_distance"),
)
"""Ours, what it is, and the printed column."""


def _findings(group: Group, outcomes: list[Outcome], *, whole: bool) -> Iterator[Finding]:
    for name, what, column in COLUMNS:
        printed = getattr(group, column)
        if printed is None:
            continue
        where = f"{what}, {_named(group)}"
        found = _held(group, outcomes, name)
        if not found:
            yield Finding("Table 2", where, f"{printed:g}", "", "no data", "no such file is here")
            continue
        mean = mean_of(np.array(found))
        near = abs(mean.value - printed) <= max(mean.half, 0.005)
        verdict: Verdict = ("equal" if near else "differs") if whole else "no data"
        if near and not whole:
            verdict = "consistent"
        why = f"files: {len(found)}" + ("" if whole else "; they stand in for the paper's")
        yield Finding("Table 2", where, f"{printed:g}", str(mean), verdict, why,
                      interval=mean.interval)  # fmt: skip


def _nothing(group: Group, why: str) -> Finding:
    what = f"Condorcet match of gradient descent, {_named(group)}"
    return Finding("Table 2", what, f"{group.match:g}", "", "no data", why)


def _named(group: Group) -> str:
    most = "or more" if group.most > 10_000 else f"to {group.most}"
    return f"{group.least} agents" if group.least == group.most else f"{group.least} {most} agents"


def _row(group: Group, outcomes: list[Outcome]) -> Iterator[dict[str, Any]]:
    here = [o for o in outcomes if group.least <= o.agents <= group.most]
    if here:
        row: dict[str, Any] = {"agents": _named(group), "files": len(here)}
        row["mean votes"] = round(float(np.mean([o.votes for o in here])), 1)
        for name in ("match", "fitted", "proven", "distance", "fitted_distance", "proven_distance"):
            found = _held(group, outcomes, name)
            row[name.replace("_", " ")] = f"{np.mean(found):.3f} of {len(found)}" if found else "-"
        yield row

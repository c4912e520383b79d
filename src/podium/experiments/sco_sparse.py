"""Figure 2 of Lanctot et al. (2025, SCO): tournaments in which most pairs never meet.

Twenty agents of known skill play contests of four. Contestants are drawn
uniformly, or one after another as the closest in skill of three candidates. The
ranking by each method is compared with the skills: pairs in the wrong order
(KTD, a tie counts half), and their mean difference in skill (MTRD).
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.data.profile import Profile
from podium.data.ratings import Ranking
from podium.experiments._registry import Finding, Picture, Result, Setting, Verdict, experiment
from podium.experiments._sco import Mean, mean_of
from podium.experiments._sources import ranked, tally

AGENTS, SEATS, CANDIDATES = 20, 4, 3
MEAN, SPREAD, NOISE = 100.0, 30.0, 5.0
INSTANCES = 200
CONTESTS = (5, 10, 20, 30, 50, 75, 100, 200)
MISSING = {
    "uniform": (0.85, 0.72, 0.52, 0.38, 0.20, 0.09, 0.04, 0.001),
    "skill-matched": (0.88, 0.75, 0.59, 0.49, 0.36, 0.28, 0.23, 0.15),
}
"""The printed shares of pairs that never met, by number of contests."""

STEPS = {"iterations": 10_000, "batch_size": 16}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "sco": ("sco", {**STEPS, "step_size": 0.1}),
    "sco-fenchel-young": ("sco-fenchel-young", {**STEPS, "step_size": 0.1}),
    "elo": ("elo", {"prior": 0.1}),
    "approval": ("approval", {"k": 3}),
    "borda": ("borda", {}),
    "copeland": ("copeland", {}),
    "maximal-lottery": ("maximal-lottery", {}),
    "ranked-pairs": ("ranked-pairs", {}),
}
SOFT = ("sco", "sco-fenchel-young")

NOTES = (
    "The step size is not printed; 0.1 is one of those that the paper names elsewhere.",
    (
        "Elo needs a prior (0.1 wins and losses against a rival of rating 0): undefeated agents "
        "would have no finite rating."
    ),
    "Ties count as half a wrong pair; the paper does not say how it counts them.",
)


class Errors(NamedTuple):
    """How wrong a ranking is.

    Attributes:
        wrong: Pairs in the wrong order, a tie half.
        far: Mean difference in skill of the wrong pairs, 0 where there are none.
    """

    wrong: float
    far: float


@experiment("sco-sparse", group="sco", remakes="Figure 2 and the table of missing pairs")
def sco_sparse(setting: Setting) -> Result:
    """Rankings of tournaments with few contests, against the truth."""
    instances = setting.seeds or INSTANCES
    findings: list[Finding] = []
    tables: dict[str, list[dict[str, Any]]] = {}
    pictures: list[Picture] = []
    for kind in MISSING:
        found = {n: _cell(kind, n, instances, setting.jobs) for n in CONTESTS}
        findings += _missing(kind, found)
        findings += _claims(kind, found)
        tables[f"{kind}, {instances} instances"] = list(_rows(found))
        pictures.append(_picture(kind, found))
    return Result(tuple(findings), tables=tables, pictures=tuple(pictures), notes=NOTES)


def contest(skill: Floats, kind: str, rng: np.random.Generator) -> list[int]:
    """Draw who plays, and play: the order in which they end."""
    if kind == "uniform":
        who = rng.permutation(AGENTS)[:SEATS]
    else:
        seats = [int(rng.integers(AGENTS))]
        while len(seats) < SEATS:
            others = np.setdiff1d(np.arange(AGENTS), seats)
            tried = rng.choice(others, CANDIDATES, replace=False)
            seats.append(int(tried[np.argmin(np.abs(skill[tried] - skill[seats].mean()))]))
        who = np.array(seats)
    played = skill[who] + rng.normal(0, NOISE, SEATS)
    return [int(code) for code in who[np.argsort(-played)]]


def instance(kind: str, contests: int, seed: int) -> tuple[dict[str, Errors], float]:
    """Draw a tournament and rank it: errors by method, and the share of pairs that never met."""
    rng = np.random.default_rng((seed, contests, kind == "uniform"))
    skill = rng.normal(MEAN, SPREAD, AGENTS)
    names = [f"agent {code:02}" for code in range(AGENTS)]
    ballots = [(1.0, [names[code] for code in contest(skill, kind, rng)]) for _ in range(contests)]
    profile = Profile.from_ballots(ballots, names)
    met = tally(profile).met > 0
    pairs = AGENTS * (AGENTS - 1)
    errors = {
        label: errors_of(ranked(profile, name, **options), dict(zip(names, skill, strict=True)))
        for label, (name, options) in METHODS.items()
    }
    return errors, 1 - float(met.sum()) / pairs


def errors_of(ranking: Ranking, skill: Mapping[str, float]) -> Errors:
    """Compare a ranking with the skills.

    >>> wrong = Ranking("borda", (("a",), ("b", "c")), {})
    >>> errors_of(wrong, {"a": 1.0, "b": 5.0, "c": 0.0})
    Errors(wrong=1.5, far=4.333333333333333)
    """
    agents = list(skill)
    rank = np.array([ranking.ranks[agent] for agent in agents])
    truth = np.array(list(skill.values()))
    gap = truth[:, None] - truth[None, :]
    turned = rank[:, None] - rank[None, :]
    wrong = (gap > 0) * ((turned > 0) + 0.5 * (turned == 0))
    total = float(wrong.sum())
    return Errors(total, float((wrong * gap).sum()) / total if total else 0.0)


class Cell(NamedTuple):
    """All instances of one number of contests: method to errors a row, and pairs not met."""

    errors: dict[str, Array]
    missing: Array


def _cell(kind: str, contests: int, instances: int, jobs: int) -> Cell:
    if jobs > 1:
        from joblib import Parallel, delayed

        once = delayed(instance)
        found = Parallel(n_jobs=jobs)(once(kind, contests, seed) for seed in range(instances))
    else:
        found = [instance(kind, contests, seed) for seed in range(instances)]
    errors = {name: np.array([each[name] for each, _ in found]) for name in METHODS}
    return Cell(errors, np.array([share for _, share in found]))


def _missing(kind: str, found: Mapping[int, Cell]) -> Iterator[Finding]:
    for (contests, cell), printed in zip(found.items(), MISSING[kind], strict=True):
        share = mean_of(cell.missing)
        digits = len(str(printed).partition(".")[2])
        equal = abs(share.value - printed) <= 0.5 * 10**-digits + share.half
        verdict: Verdict = "equal" if equal else "differs"
        why = "" if equal else "the paper does not say which pairs its share is of"
        what = f"pairs that never met, {kind}, {contests} contests"
        yield Finding("Section 4.3", what, f"{printed:g}", str(share), verdict, why,
                      interval=share.interval)  # fmt: skip


def _best(cell: Cell, column: int) -> tuple[str, Mean]:
    """Name the method of least error, and how far the better SCO is behind it, a pair each."""
    means = {name: errors[:, column].mean() for name, errors in cell.errors.items()}
    soft = min(SOFT, key=means.__getitem__)
    others = {name: mean for name, mean in means.items() if name not in SOFT}
    rival = min(others, key=others.__getitem__)
    return rival, mean_of(cell.errors[soft][:, column] - cell.errors[rival][:, column])


def _claims(kind: str, found: Mapping[int, Cell]) -> Iterator[Finding]:
    """Compare what the text says of who is best with ours."""
    sparse = [n for n, share in zip(CONTESTS, MISSING[kind], strict=True)
              if share >= (0.38 if kind == "uniform" else 0.59)]  # fmt: skip
    for column, measure in enumerate(("KTD", "MTRD")):
        for contests in sparse:
            rival, behind = _best(found[contests], column)
            ahead, level = behind.value + behind.half < 0, abs(behind.value) <= behind.half
            verdict: Verdict = "equal" if ahead else ("consistent" if level else "differs")
            yield Finding(
                "Figure 2",
                f"{measure}: an SCO is lowest, {kind}, {contests} contests",
                "yes",
                "yes" if ahead else ("level" if level else "no"),
                verdict,
                f"the better SCO less {rival}, the best of the others: {behind}",
                interval=behind.interval,
            )


def _rows(found: Mapping[int, Cell]) -> Iterator[dict[str, Any]]:
    for contests, cell in found.items():
        for name, errors in cell.errors.items():
            wrong, far = mean_of(errors[:, 0]), mean_of(errors[:, 1])
            yield {"contests": contests, "method": name, "KTD": str(wrong), "MTRD": str(far)}


def _picture(kind: str, found: Mapping[int, Cell]) -> Picture:
    def draw() -> Any:
        from podium.plots import curves

        lines = {
            name: [(n, *mean_of(cell.errors[name][:, 0])) for n, cell in found.items()]
            for name in METHODS
        }
        title = f"Figure 2: wrong pairs by number of contests, {kind}"
        return curves.draw(curves.x_data(lines), title, x="contests", y="wrong pairs of 190",
                           log=True)  # fmt: skip

    name = "uniform" if kind == "uniform" else "skill-matched"
    return Picture(f"sco-sparse-{name}", f"Figure 2, {kind}", draw)

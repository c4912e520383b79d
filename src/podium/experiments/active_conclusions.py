"""What Lanctot et al. (2026) conclude, and say of clones: each sentence put to the test."""

from collections.abc import Iterator, Mapping

import numpy as np

from podium.experiments import _active_claims as test
from podium.experiments._active import PRESET_OF, agre, presets_of, simulated
from podium.experiments._active_claims import Claim
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments.active_findings import (
    ALL,
    CLEAR,
    MEANS,
    MIXED,
    NOTES,
    SIMPLE,
    TOP,
    without,
)
from podium.simulation.result import Simulation

OURS = "podium"
STEPS = "open in the paper: steps of Soft Condorcet Optimization; ours do not gain as much"

BY_CHANCE = "BatchElo errs less on 1,000 other seeds, too: 0.0325 against 0.0363"

Results = Mapping[str, Simulation]


@experiment("active-conclusions", group="active", remakes="Section 7 and appendix C.1")
def active_conclusions(setting: Setting) -> Result:
    """What the paper concludes of Elo, SCO and batches, and says of clones."""
    names = [OURS, *dict.fromkeys(PRESET_OF.values())]
    worlds = {where: simulated(names, where, setting) for where in (CLEAR, MIXED, "Atari")}
    cloned = simulated(presets_of("5"), "clones", setting)
    findings = [
        *conclusions(worlds),
        *clones({name: worlds[CLEAR][name] for name in cloned}, cloned),
        *ours({**worlds, "clones": cloned}),
    ]
    return Result(findings=tuple(findings), notes=NOTES)


def conclusions(worlds: Mapping[str, Results]) -> Iterator[Finding]:
    """Section 7."""
    where = "Section 7"
    close = Claim(where, "BatchSCO does as well as BatchElo on synthetic data", STEPS)
    for name in (CLEAR, MIXED):
        errors = agre(worlds[name], TOP)
        of = f"{name}, k = {TOP}"
        yield test.comparable(close, of, errors["batch-sco"], errors["batch-elo"])
    errors = agre(worlds["Atari"], TOP)
    of = f"Atari, k = {TOP}"
    for name in ("batch-sco", "online-sco", "batch-ranked-pairs"):
        why = BY_CHANCE if name == "batch-ranked-pairs" else STEPS
        claim = Claim(where, f"{name} errs less than BatchElo on Atari", why)
        yield test.lower(claim, of, errors[name], errors["batch-elo"])
    twofold = Claim(where, "SCO errs about half as much as BatchElo on Atari: 2/3 at most", STEPS)
    for name in ("batch-sco", "online-sco"):
        yield test.lower(twofold, f"{of}, {name}", errors[name], errors["batch-elo"] / 1.5)
    batch = Claim(where, "on Atari batch forms err less than online ones")
    for rule in ("elo", "sco", "maximal-lotteries"):
        yield test.lower(batch, f"{of}, {rule}", errors[f"batch-{rule}"], errors[f"online-{rule}"])


def clones(plain: Results, cloned: Results) -> Iterator[Finding]:
    """Appendix C.1; the originals of a seed are the same with and without clones."""
    where = "Appendix C.1"
    printed = [name for name in cloned if name != OURS]
    before, after = ({k: agre(r, k) for k in (TOP, ALL)} for r in (plain, cloned))
    rise = {k: np.mean([after[k][n] - before[k][n] for n in printed], axis=0) for k in (TOP, ALL)}
    more = Claim(where, "clones raise the mean error of the algorithms")
    for k in (TOP, ALL):
        yield test.lower(more, f"k = {k}", -rise[k], np.zeros_like(rise[k]))
    yield test.lower(
        Claim(where, "above all for k = 3"), "rise for k = 8 less", rise[ALL], rise[TOP]
    )
    for k in (TOP, ALL):
        trend = Claim(where, "algorithms stand in the order that they have without clones")
        shown = [without(errors[k], OURS) for errors in (after, before)]
        yield test.alike(trend, f"k = {k}", *shown)
    errors = without(after[TOP], OURS)
    first = Claim(where, "BasicUCB and uniform averaging err least among clones")
    yield test.leaders(first, f"k = {TOP}", SIMPLE, errors)
    next_ = Claim(where, "mean models and BatchElo are the best of the others")
    yield test.leaders(next_, f"k = {TOP}", (*MEANS, "batch-elo"), without(errors, *SIMPLE))


def ours(worlds: Mapping[str, Results]) -> Iterator[Finding]:
    """Beside the paper: podium's own preset against its algorithms."""
    claim = Claim("podium", "podium errs less than all algorithms of the paper")
    for name, results in worlds.items():
        for k in (TOP, ALL):
            for at in (1_000, 10_000):
                errors = agre(results, k, at)
                yield test.leaders(claim, f"{name}, k = {k}, t = {at:,}", [OURS], errors)
